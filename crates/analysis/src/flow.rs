//! Computes the measures of a flow; the table in `measures.rs` says which kinds have which.

use super::data::FlowData;
use super::path::{ideal_goodput, mean_base_rtt};
use super::sender_limit::Hold;
use super::series::{FlowSeries, Series};
use super::{mean, percentile};
use plan::recording::Sample;
use plan::{Scene, Traffic, Until};

/// Returns the payload that arrived over the flow's time, bit/s.
pub fn goodput(f: &FlowData) -> f64 {
    let bytes = match f.flow.traffic {
        Traffic::Bulk { .. } | Traffic::Program { .. } if f.flow.omit > 0 => return rate_from(f, f.counted_from()),
        Traffic::Bulk { .. } | Traffic::Program { .. } => carried(f.own, f.flow.until),
        Traffic::Requests { request, response, .. } => f.answers.len() as u64 * (request + response),
        Traffic::Udp { size, .. } => match f.facts().datagrams.get(&(f.number as u32)) {
            Some(counted) => counted.on_time * u64::from(size),
            None => return f64::NAN,
        },
        Traffic::Ping { .. } => return f64::NAN,
    };
    bytes as f64 * 8.0 / f.seconds()
}

/// Returns the payload of bulk data that arrived from a time to the flow's end, bit/s.
fn rate_from(f: &FlowData, from: u64) -> f64 {
    let bytes = carried(f.own, f.flow.until) as f64 - f.own.received_by(from);
    bytes * 8e9 / f.span[1].saturating_sub(from) as f64
}

/// Returns the goodput of bulk data in steady state, bit/s.
pub fn steady_goodput(f: &FlowData) -> f64 {
    f.steady().map_or(f64::NAN, |from| rate_from(f, from))
}

/// Returns the time from the flow's start to its steady state, s.
pub fn steady_from(f: &FlowData) -> f64 {
    f.steady().map_or(f64::NAN, |from| (from - f.span[0]) as f64 / 1e9)
}

/// Returns the time of a flow that ended because all of its data had arrived, s; NaN for other flows.
pub fn completion(f: &FlowData) -> f64 {
    let key = f.number as u32;
    let ended = f.facts().ended.contains_key(&key) && !f.facts().broken.contains_key(&key);
    if ended && !matches!(f.flow.until, Until::Duration(_)) { f.seconds() } else { f64::NAN }
}

/// Returns its payload over the equal share of the load.
pub fn fair_share(f: &FlowData) -> f64 {
    f.shared.map_or(f64::NAN, |shared| shared.of_equal_share(f.number))
}

/// Returns the share of the datagrams, or of a program's packets, that never arrived of those sent.
pub fn lost(f: &FlowData) -> f64 {
    if let [Some(sender), Some(receiver)] = f.own.packets {
        return ratio(sender.packets_sent.saturating_sub(receiver.packets_received), sender.packets_sent);
    }
    let counted = f.facts().datagrams.get(&(f.number as u32));
    counted.map_or(f64::NAN, |c| c.sent.saturating_sub(c.received) as f64 / c.sent as f64)
}

/// Returns the share of what was delivered that arrived with a CE mark: segments that TCP counted, or a program's packets.
pub fn delivered_ce(f: &FlowData) -> f64 {
    match f.own.packets[1] {
        Some(receiver) => ratio(receiver.ce_received, receiver.packets_received),
        None => f.sender(|sender| ratio(sender.delivered_ce, sender.delivered)),
    }
}

/// Returns the share of the arrived datagrams that arrived after one sent later.
pub fn reordered(f: &FlowData) -> f64 {
    let counted = f.facts().datagrams.get(&(f.number as u32));
    counted.map_or(f64::NAN, |c| c.reordered as f64 / c.received as f64)
}

/// Returns the number of requests or pings that were answered.
pub fn answered(f: &FlowData) -> f64 {
    f.answers.len() as f64
}

/// Returns the smallest RTT, s.
pub fn rtt_min(f: &FlowData) -> f64 {
    match f.flow.traffic {
        Traffic::Ping { .. } => f.answers.first().map_or(f64::NAN, |ns| *ns as f64 / 1e9),
        _ => f.sender(|sender| sender.min_rtt().map_or(f64::NAN, |us| us as f64 / 1e6)),
    }
}

/// Returns a percentile of the RTTs, s: for pings their own, else the SRTTs of the samples.
pub fn rtt(f: &FlowData, share: f64) -> f64 {
    match f.flow.traffic {
        Traffic::Ping { .. } => percentile(&f.answers, share) / 1e9,
        _ => percentile(&f.srtt, share) / 1e6,
    }
}

/// Returns a percentile of the times that its packets waited in a queue, s.
pub fn queued(f: &FlowData, rank: f64) -> f64 {
    f.waited().map_or(f64::NAN, |waited| waited.percentile(rank))
}

/// Returns its share of the bytes that waited in that queue; NaN if it is the only flow, whose share says nothing.
pub fn queue_share(f: &FlowData) -> f64 {
    f.waited().filter(|_| f.scene.flows.len() > 1).map_or(f64::NAN, |waited| waited.share)
}

/// Returns one count over another.
pub fn ratio(part: u64, of: u64) -> f64 {
    part as f64 / of as f64
}

/// Returns the share of the flow's time in which `by` limited its sender: the time that Linux counted, and for the
/// rest, the time that samples show.
pub fn limited(f: &FlowData, by: Hold) -> f64 {
    let counted = |s: &Sample| match by {
        Hold::Rwnd => s.rwnd_limited as f64 / 1e6,
        Hold::Sndbuf => s.sndbuf_limited as f64 / 1e6,
        Hold::App => (f.seconds() - s.busy_time as f64 / 1e6).max(0.0),
        Hold::Cwnd | Hold::Pacing | Hold::Unknown => 0.0,
    };
    f.sender(|s| (counted(s) + f.own.held[by] as f64 / 1e6) / f.seconds())
}

/// Returns the share of the payload bytes sent that were retransmissions.
pub fn retransmitted(f: &FlowData) -> f64 {
    ratio(f.counted(bytes_retransmitted), f.counted(bytes_sent))
}

/// Returns the payload sent again. FreeBSD counts the segments alone.
pub fn bytes_retransmitted(sample: &Sample) -> u64 {
    if sample.bytes_sent > 0 { sample.bytes_retrans } else { sample.total_retrans * sample.snd_mss }
}

/// Returns the payload sent. FreeBSD does not count it: it is what was acknowledged, and what was sent again.
pub fn bytes_sent(sample: &Sample) -> u64 {
    if sample.bytes_sent > 0 { sample.bytes_sent } else { sample.bytes_acked + bytes_retransmitted(sample) }
}

/// Returns the share of the received data segments that came out of order.
pub fn out_of_order(f: &FlowData) -> f64 {
    let receiver = f.own.last[1].unwrap_or_default();
    ratio(receiver.rcv_ooopack, receiver.data_segs_in)
}

/// Returns the ideal goodput of the path, bit/s; NaN if the flow never ran.
fn ideal(f: &FlowData) -> f64 {
    if f.span[0] < f.span[1] { f.sender(|sender| ideal_goodput(f.scene, f.flow, sender, f.span)) } else { f64::NAN }
}

/// Returns the RTT of the empty path and the mean SRTT, s.
fn delays(f: &FlowData) -> [f64; 2] {
    if f.span[0] >= f.span[1] {
        return [f64::NAN; 2];
    }
    [mean_base_rtt(f.scene, f.flow, f.span) / 1e9, mean(f.srtt.iter().map(|us| *us as f64 / 1e6))]
}

/// Returns the flow's time over the ideal time for the same data (RFC 6349, section 4.1).
pub fn transfer_time_ratio(f: &FlowData) -> f64 {
    ideal(f) / goodput(f)
}

/// Returns the increase of the mean SRTT over the RTT of the empty path, relative to the latter (RFC 6349, section
/// 4.3).
pub fn buffer_delay(f: &FlowData) -> f64 {
    let [base, rtt] = delays(f);
    (rtt - base) / base
}

/// Returns Kleinrock's power, normalised: 1 is a full link and no queue.
pub fn power(f: &FlowData) -> f64 {
    let [base, rtt] = delays(f);
    goodput(f) / ideal(f) * base / rtt
}

/// Returns the payload that a bulk flow or programs delivered, bytes.
pub fn carried(own: &FlowSeries, until: Until) -> u64 {
    let received = own.received.last().map_or(0, |(_, bytes)| *bytes);
    match until {
        // The kernel counts the FIN as a byte of data; a flow that broke off has less.
        Until::Bytes(n) => received.min(n),
        Until::Duration(_) | Until::Exchanges(_) | Until::Exit => received,
    }
}

/// Returns the number of requests or pings without an answer. The agent waits for the replies to the last pings, but
/// the end of a flow cuts its last request short. That request counts only if it had taken longer than every other.
pub fn unanswered(number: usize, scene: &Scene, series: &Series) -> usize {
    let own = &series.flows[number];
    let [_, end] = series.span(number);
    let longest = own.answers().last().copied().unwrap_or(0);
    let requests = matches!(scene.flows[number].traffic, Traffic::Requests { .. });
    let open = own.exchanges.iter().filter(|exchange| exchange.end.is_none());
    open.filter(|exchange| !requests || end.saturating_sub(exchange.start) > longest).count()
}

/// Returns the ECT(1) share of the bytes that AccECN counted; NaN if it counted nothing.
pub fn delivered_ect1(sender: &Sample) -> f64 {
    let [ect1, ect0, ce] = [sender.delivered_e1_bytes, sender.delivered_e0_bytes, sender.delivered_ce_bytes]
        .map(|bytes| bytes.map_or(f64::NAN, |bytes| bytes as f64));
    ect1 / (ect1 + ect0 + ce)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::per_subject::of_flow;
    use crate::series::PacketCounts;
    use wire::Exchange;

    fn values(number: usize, scene: &Scene, series: &Series) -> Vec<(&'static str, f64)> {
        of_flow(&FlowData::new(number, scene, series, None))
    }

    #[track_caller]
    fn has(flow: usize, series: &Series, expected: &[(&str, f64)]) {
        let found = values(flow, &fixture::four_kinds(), series);
        for (name, due) in expected {
            let value = found.iter().find(|(measure, _)| measure == name).map(|(_, value)| *value);
            assert!(
                value.is_some_and(|value| (value - due).abs() <= due.abs() * 1e-12),
                "{name}: {value:?}, not {due}"
            );
        }
    }

    #[test]
    fn bulk_data_by_hand() {
        let series = fixture::series();
        has(
            0,
            &series,
            &[
                // 25 MB in 2 s.
                ("goodput", 100e6),
                ("retransmitted", 0.02),
                ("rtt-min", 0.010),
                // SRTTs of 10, 20, 30 and 40 ms.
                ("rtt-p50", 0.020),
                ("rtt-p95", 0.040),
                ("rtt-p99", 0.040),
                ("cwnd-mean", 25.0),
                ("cwnd-max", 40.0),
                // Busy 1.5 s of 2 s. Linux counted 0.3 s for the receive window and 0.2 s for the send buffer. The
                // samples divide the other second into 0.4, 0.04, 0.2, 0.06, 0.1 and 0.2 s, in this order.
                ("limited-cwnd", 0.2),
                ("limited-rwnd", 0.17),
                ("limited-sndbuf", 0.2),
                ("limited-pacing", 0.03),
                ("limited-app", 0.3),
                ("limited-unknown", 0.1),
                ("delivered-ce", 0.25),
                ("reordering", 3.0),
                // 50 of 17,300 received segments.
                ("out-of-order", 50.0 / 17_300.0),
                ("rto", 2.0),
                ("rto-time", 0.2),
                ("loss-events", 1.0),
                ("tcp-efficiency", 0.98),
                // 25 ms against 10 ms.
                ("buffer-delay", 1.5),
                // Frames of 1348 + 52 + 14 bytes and 24 of framing at 100 Mbit/s.
                ("transfer-time-ratio", 1348.0 / 1438.0),
                ("power", 1438.0 / 1348.0 * 0.4),
                ("pmtu", 1400.0),
                ("mss", 1348.0),
            ],
        );
    }

    #[test]
    fn the_time_that_a_flow_omits_does_not_count() {
        let (mut scene, mut series) = (fixture::four_kinds(), fixture::series());
        scene.flows[0].omit = 1_000_000_000;
        let last = series.flows[0].last[0].unwrap();
        // Half of what it sent and all that it sent again were before.
        series.flows[0].omitted = Some(Sample { bytes_sent: last.bytes_sent / 2, ..last });
        let found = values(0, &scene, &series);
        let value = |name| found.iter().find(|(measure, _)| *measure == name).map(|(_, value)| *value);
        assert_eq!([value("retransmitted"), value("tcp-efficiency")], [Some(0.0), Some(1.0)]);
        // Samples at 1, 1.5, 2 and 2.5 s or so: those from 2 s on count.
        let counted = series.flows[0].time.iter().filter(|time| **time >= 2_000_000_000).count();
        assert!((1..4).contains(&counted));
        assert_eq!(value("cwnd-max"), Some(40.0));
        assert!(value("cwnd-mean") > Some(25.0) && value("rtt-p50") > Some(0.020), "{found:?}");
    }

    #[test]
    fn an_interrupted_flow_carried_the_bytes_that_arrived() {
        let own = FlowSeries { received: vec![(0, 0), (1_000_000_000, 1001)], ..Default::default() };
        // All 1000 bytes and the FIN; a part of 5000 bytes.
        assert_eq!([1000, 5000].map(|bytes| carried(&own, Until::Bytes(bytes))), [1000, 1001]);
        assert_eq!(carried(&FlowSeries::default(), Until::Bytes(1000)), 0);
    }

    #[test]
    fn requests_by_hand() {
        let mut series = fixture::series();
        // 4 requests of 100 B with responses of 900 B in 1 s; the fifth began 100 ms before the end.
        let expected = [
            ("goodput", 4.0 * 1000.0 * 8.0),
            ("exchanges", 4.0),
            ("exchange-p50", 0.100),
            ("exchange-p95", 0.300),
            ("exchange-max", 0.300),
        ];
        has(1, &series, &expected);
        has(1, &series, &[("unanswered", 0.0)]);
        let fifth = series.flows[1].exchanges.last_mut().unwrap();
        assert_eq!(fifth.end, None);
        // The longest took 300 ms.
        fifth.start -= 200_000_000;
        has(1, &series, &[("unanswered", 0.0)]);
        series.flows[1].exchanges.last_mut().unwrap().start -= 1;
        has(1, &series, &[("unanswered", 1.0), ("exchanges", 4.0)]);
    }

    #[test]
    fn completion_is_of_what_ends_by_itself() {
        let (mut scene, mut series) = (fixture::four_kinds(), fixture::series());
        let of = |scene: &Scene, series: &Series, flow| {
            let all = values(flow, scene, series);
            all.iter().find(|(name, _)| *name == "completion").map(|(_, seconds)| *seconds).filter(|s| s.is_finite())
        };
        assert_eq!([0, 1].map(|flow| of(&scene, &series, flow)), [None, None], "they end at a time");
        scene.flows[0].until = Until::Bytes(25_000_000);
        scene.flows[1].until = Until::Exchanges(4);
        assert_eq!([0, 1].map(|flow| of(&scene, &series, flow)), [Some(2.0), Some(1.0)]);
        series.facts.broken.insert(0, "reset".into());
        series.facts.ended.remove(&1);
        assert_eq!([0, 1].map(|flow| of(&scene, &series, flow)), [None, None]);
    }

    #[test]
    fn a_flow_that_settles_by_hand() {
        let (mut scene, mut series) = (fixture::four_kinds(), fixture::series());
        scene.record.interval = 10_000_000;
        // 10 MB/s from 0.5 s after the start on, in batches of 50 ms.
        let bytes = |tick: u64| tick.saturating_sub(50) * 100_000;
        series.flows[0].received = (0..=200).map(|n| (1_000_000_000 + n * 10_000_000, bytes(n))).collect();
        let value = |name: &str| values(0, &scene, &series).iter().find(|(n, _)| *n == name).map(|(_, value)| *value);
        assert_eq!([value("steady-from"), value("goodput-steady")], [Some(0.5), Some(80e6)]);
        assert_eq!(value("goodput"), Some(60e6));
    }

    #[test]
    fn nothing_answered_has_no_times() {
        let mut series = fixture::series();
        series.flows[1].exchanges = vec![Exchange { start: 1_000_000_000, end: None }];
        has(1, &series, &[("goodput", 0.0), ("exchanges", 0.0), ("unanswered", 1.0)]);
        let found = values(1, &fixture::four_kinds(), &series);
        assert!(found.iter().all(|(name, _)| *name != "exchange-p50"));
    }

    #[test]
    fn datagrams_by_hand() {
        let mut series = fixture::series();
        // 1000 sent in 2 s, 900 of 1200 B received, 9 of them late.
        has(2, &series, &[("goodput", 900.0 * 1200.0 * 8.0 / 2.0), ("lost", 0.1), ("reordered", 0.01)]);
        // 100 of the arrived datagrams were still in flight when the flow ended.
        series.facts.datagrams.get_mut(&2).unwrap().on_time = 800;
        has(2, &series, &[("goodput", 800.0 * 1200.0 * 8.0 / 2.0), ("lost", 0.1), ("reordered", 0.01)]);
        series.facts.datagrams.clear();
        assert_eq!(values(2, &fixture::four_kinds(), &series), []);
    }

    #[test]
    fn programs_by_hand() {
        let (mut scene, mut series) = (fixture::four_kinds(), fixture::series());
        let (server, client, sends) = (String::new(), String::new(), plan::ProgramEnd::Client);
        scene.flows[0].traffic = Traffic::Program { server, client, sends };
        let received = series.flows[0].received.clone();
        let sender = PacketCounts { packets_sent: 1000, packets_received: 400, ..PacketCounts::default() };
        let receiver = PacketCounts { packets_received: 900, ce_received: 9, ..PacketCounts::default() };
        series.flows[0] = FlowSeries { received, packets: [Some(sender), Some(receiver)], ..FlowSeries::default() };
        // 25 MB in 2 s.
        let found = values(0, &scene, &series);
        assert_eq!(found, [("goodput", 100e6), ("lost", 0.1), ("delivered-ce", 0.01)]);
        scene.flows[0].until = Until::Exit;
        assert!(values(0, &scene, &series).contains(&("completion", 2.0)));
        assert_eq!(per_load(&scene, &series), Some(100e6), "beside requests, datagrams and pings");
    }

    fn per_load(scene: &Scene, series: &Series) -> Option<f64> {
        let measures = crate::measure_trial(&fixture::trial(scene.clone()), series);
        measures.get("goodput", base::units::Subject::Trial, 0)
    }

    #[test]
    fn pings_by_hand() {
        // 20 pings of 10 ms, 11 ms and so on, and one without an answer.
        has(
            3,
            &fixture::series(),
            &[
                ("exchanges", 20.0),
                ("unanswered", 1.0),
                ("rtt-min", 0.010),
                ("rtt-p50", 0.019),
                ("rtt-p95", 0.028),
                ("rtt-p99", 0.029),
            ],
        );
    }

    #[test]
    fn a_flow_that_never_was_has_no_rates() {
        let mut series = fixture::series();
        series.facts.started.clear();
        series.facts.ended.clear();
        series.flows[0] = Default::default();
        assert_eq!(values(0, &fixture::four_kinds(), &series), []);
    }
}
