//! The measures of a flow; which they are depends on its kind.

use super::fairness::Shared;
use super::path::{base_rtt, ideal_goodput, mean_base_rtt};
use super::series::{FlowSeries, Series};
use super::{Values, burst, congestion, mean, most, percentile, steady};
use crate::plan::{Scene, Traffic, Until};

/// min_rtt before the first round trip (`~0U`, net/ipv4/tcp.c).
const NO_RTT: u64 = 0xffff_ffff;

/// All that is known of a flow; `shared` holds the flows of the load.
pub fn values(number: usize, scene: &Scene, series: &Series, shared: Option<&Shared>) -> Values {
    let (flow, own) = (&scene.flows[number], &series.flows[number]);
    let [start, end] = series.span(number);
    let seconds = end.saturating_sub(start) as f64 / 1e9;
    let goodput = |bytes: u64| ("goodput", bytes as f64 * 8.0 / seconds);
    let mut values = match flow.traffic {
        Traffic::Bulk { .. } => {
            let mut values = vec![goodput(carried(own, flow.until))];
            values.extend(settled(number, scene, series));
            values
        }
        Traffic::Requests { request, response, .. } => {
            let answers = own.answers();
            let mut values = vec![
                goodput(answers.len() as u64 * (request + response)),
                ("exchange-p50", percentile(&answers, 0.50) / 1e9),
                ("exchange-p95", percentile(&answers, 0.95) / 1e9),
                ("exchange-max", most(&answers) / 1e9),
            ];
            values.extend(exchanges(number, scene, series));
            values
        }
        Traffic::Udp { size, .. } => match series.facts.datagrams.get(&(number as u32)) {
            None => vec![],
            Some(counted) => vec![
                goodput(counted.on_time * u64::from(size)),
                ("lost", counted.sent.saturating_sub(counted.received) as f64 / counted.sent as f64),
                ("reordered", counted.reordered as f64 / counted.received as f64),
            ],
        },
        Traffic::Ping { .. } => {
            let answers = own.answers();
            let mut values = exchanges(number, scene, series);
            values.extend([
                ("rtt-min", answers.first().map_or(f64::NAN, |ns| *ns as f64 / 1e9)),
                ("rtt-p50", percentile(&answers, 0.50) / 1e9),
                ("rtt-p95", percentile(&answers, 0.95) / 1e9),
                ("rtt-p99", percentile(&answers, 0.99) / 1e9),
            ]);
            values
        }
    };
    if flow.tcp().is_some() {
        values.extend(tcp(own, seconds));
        values.extend(path(number, scene, series));
        values.extend(congestion::values(own));
        values.extend(burst::values(scene, flow, &own.acks, base_rtt(scene, flow)));
        values.push(("fair-share", shared.map_or(f64::NAN, |shared| shared.of_equal_share(number))));
        values.push(("completion", if ends_by_itself(number, scene, series) { seconds } else { f64::NAN }));
    }
    values
}

/// Whether a flow ended because all that it was to carry had arrived.
fn ends_by_itself(number: usize, scene: &Scene, series: &Series) -> bool {
    let key = number as u32;
    let ended = series.facts.ended.contains_key(&key) && !series.facts.broken.contains_key(&key);
    ended && !matches!(scene.flows[number].until, Until::Duration(_))
}

/// Of bulk data: its goodput from when on it is steady.
fn settled(number: usize, scene: &Scene, series: &Series) -> Values {
    let Some(from) = steady(number, scene, series) else {
        return vec![("goodput-steady", f64::NAN), ("steady-from", f64::NAN)];
    };
    let own = &series.flows[number];
    let [start, end] = series.span(number);
    let bytes = carried(own, scene.flows[number].until) as f64 - own.received_by(from);
    vec![("goodput-steady", bytes * 8e9 / (end - from) as f64), ("steady-from", (from - start) as f64 / 1e9)]
}

/// A connection against its path: RFC 6349 and Kleinrock's power.
fn path(number: usize, scene: &Scene, series: &Series) -> Values {
    let (flow, own, span) = (&scene.flows[number], &series.flows[number], series.span(number));
    let Some(sender) = own.last[0].filter(|_| span[0] < span[1]) else { return vec![] };
    let base = mean_base_rtt(scene, flow, span) / 1e9;
    let rtt = mean(known_rtts(own).into_iter().map(|us| us as f64 / 1e6));
    let mut values = vec![
        ("tcp-efficiency", sender.bytes_sent.saturating_sub(sender.bytes_retrans) as f64 / sender.bytes_sent as f64),
        ("buffer-delay", (rtt - base) / base),
    ];
    if matches!(flow.traffic, Traffic::Bulk { .. }) {
        let goodput = carried(own, flow.until) as f64 * 8e9 / (span[1] - span[0]) as f64;
        let ideal = ideal_goodput(scene, flow, &sender, span);
        values.push(("transfer-time-ratio", ideal / goodput));
        values.push(("power", goodput / ideal * base / rtt));
    }
    values
}

/// The smoothed round-trip times of all samples after the first measurement, us.
fn known_rtts(own: &FlowSeries) -> Vec<u64> {
    own.srtt.iter().copied().filter(|us| *us > 0).collect()
}

/// Payload that bulk data brought, bytes.
pub fn carried(own: &FlowSeries, until: Until) -> u64 {
    let received = own.received.last().map_or(0, |(_, bytes)| *bytes);
    match until {
        // The kernel counts the end of the data as a byte of it; what breaks off is less.
        Until::Bytes(n) => received.min(n),
        Until::Duration(_) | Until::Exchanges(_) => received,
    }
}

fn exchanges(number: usize, scene: &Scene, series: &Series) -> Values {
    let answered = series.flows[number].exchanges.iter().filter(|exchange| exchange.end.is_some()).count();
    vec![("exchanges", answered as f64), ("unanswered", unanswered(number, scene, series) as f64)]
}

/// Requests or pings without an answer. The agent waits for the replies to the last pings, but the end of a flow of
/// requests cuts short what is under way: that is no failure until it has taken longer than every other.
pub fn unanswered(number: usize, scene: &Scene, series: &Series) -> usize {
    let own = &series.flows[number];
    let [_, end] = series.span(number);
    let longest = own.answers().last().copied().unwrap_or(0);
    let requests = matches!(scene.flows[number].traffic, Traffic::Requests { .. });
    let open = own.exchanges.iter().filter(|exchange| exchange.end.is_none());
    open.filter(|exchange| !requests || end.saturating_sub(exchange.start) > longest).count()
}

fn tcp(own: &FlowSeries, seconds: f64) -> Values {
    let [Some(sender), receiver] = own.last else { return vec![] };
    let receiver = receiver.unwrap_or_default();
    let share = |us: u64| us as f64 / 1e6 / seconds;
    let ratio = |part: u64, of: u64| part as f64 / of as f64;
    let known = |count: Option<u64>| count.map_or(f64::NAN, |count| count as f64);
    let mut srtt = known_rtts(own);
    srtt.sort_unstable();
    let limited = sender.rwnd_limited + sender.sndbuf_limited;
    vec![
        ("retransmitted", ratio(sender.bytes_retrans, sender.bytes_sent)),
        ("rtt-min", if sender.min_rtt == NO_RTT { f64::NAN } else { sender.min_rtt as f64 / 1e6 }),
        ("rtt-p50", percentile(&srtt, 0.50) / 1e6),
        ("rtt-p95", percentile(&srtt, 0.95) / 1e6),
        ("rtt-p99", percentile(&srtt, 0.99) / 1e6),
        ("cwnd-mean", mean(own.cwnd.iter().map(|n| *n as f64))),
        ("cwnd-max", most(&own.cwnd)),
        ("limited-cwnd", share(sender.busy_time.saturating_sub(limited))),
        ("limited-rwnd", share(sender.rwnd_limited)),
        ("limited-sndbuf", share(sender.sndbuf_limited)),
        ("limited-app", (1.0 - share(sender.busy_time)).max(0.0)),
        ("delivered-ce", ratio(sender.delivered_ce, sender.delivered)),
        ("reordering", sender.reord_seen as f64),
        ("out-of-order", ratio(receiver.rcv_ooopack, receiver.data_segs_in)),
        ("rto", known(sender.total_rto)),
        ("rto-time", known(sender.total_rto_time) / 1e3 / seconds),
        ("pmtu", sender.pmtu as f64),
        ("mss", sender.snd_mss as f64),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::sample;
    use wire::Exchange;

    #[track_caller]
    fn has(flow: usize, series: &Series, expected: &[(&str, f64)]) {
        let found = values(flow, &sample::four_kinds(), series, None);
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
        let series = sample::series();
        has(
            0,
            &series,
            &[
                // 25 MB in 2 s.
                ("goodput", 100e6),
                ("retransmitted", 0.02),
                ("rtt-min", 0.010),
                // Of 10, 20, 30 and 40 ms.
                ("rtt-p50", 0.020),
                ("rtt-p95", 0.040),
                ("rtt-p99", 0.040),
                ("cwnd-mean", 25.0),
                ("cwnd-max", 40.0),
                // Busy 1.5 s of 2 s, 0.3 s of it for the receive window and 0.2 s for the send buffer.
                ("limited-cwnd", 0.5),
                ("limited-rwnd", 0.15),
                ("limited-sndbuf", 0.1),
                ("limited-app", 0.25),
                ("delivered-ce", 0.25),
                ("reordering", 3.0),
                // 50 of 17,300 segments that came.
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
    fn what_broke_off_carried_what_arrived() {
        let own = FlowSeries { received: vec![(0, 0), (1_000_000_000, 1001)], ..Default::default() };
        // All 1000 bytes and their end; a part.
        assert_eq!([1000, 5000].map(|bytes| carried(&own, Until::Bytes(bytes))), [1000, 1001]);
        assert_eq!(carried(&FlowSeries::default(), Until::Bytes(1000)), 0);
    }

    #[test]
    fn requests_by_hand() {
        let mut series = sample::series();
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
        let (mut scene, mut series) = (sample::four_kinds(), sample::series());
        let of = |scene: &Scene, series: &Series, flow| {
            let all = values(flow, scene, series, None);
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
        let (mut scene, mut series) = (sample::four_kinds(), sample::series());
        scene.record.interval = 10_000_000;
        // 10 MB/s from 0.5 s after the start on, in batches of 50 ms.
        let bytes = |tick: u64| tick.saturating_sub(50) * 100_000;
        series.flows[0].received = (0..=200).map(|n| (1_000_000_000 + n * 10_000_000, bytes(n))).collect();
        let value =
            |name: &str| values(0, &scene, &series, None).iter().find(|(n, _)| *n == name).map(|(_, value)| *value);
        assert_eq!([value("steady-from"), value("goodput-steady")], [Some(0.5), Some(80e6)]);
        assert_eq!(value("goodput"), Some(60e6));
    }

    #[test]
    fn nothing_answered_has_no_times() {
        let mut series = sample::series();
        series.flows[1].exchanges = vec![Exchange { start: 1_000_000_000, end: None }];
        has(1, &series, &[("goodput", 0.0), ("exchanges", 0.0), ("unanswered", 1.0)]);
        let found = values(1, &sample::four_kinds(), &series, None);
        assert!(found.iter().any(|(name, value)| *name == "exchange-p50" && value.is_nan()));
    }

    #[test]
    fn datagrams_by_hand() {
        let mut series = sample::series();
        // 1000 sent in 2 s, 900 of 1200 B received, 9 of them late.
        has(2, &series, &[("goodput", 900.0 * 1200.0 * 8.0 / 2.0), ("lost", 0.1), ("reordered", 0.01)]);
        // 100 of those that came were still under way when the flow ended.
        series.facts.datagrams.get_mut(&2).unwrap().on_time = 800;
        has(2, &series, &[("goodput", 800.0 * 1200.0 * 8.0 / 2.0), ("lost", 0.1), ("reordered", 0.01)]);
        series.facts.datagrams.clear();
        assert_eq!(values(2, &sample::four_kinds(), &series, None), []);
    }

    #[test]
    fn pings_by_hand() {
        // 20 of them, 10 ms, 11 ms and so on, and one that is not answered.
        has(
            3,
            &sample::series(),
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
    fn what_a_kind_has_is_what_is_computed_of_it() {
        use crate::measure::{MEASURES, Subject, has};
        let (scene, series) = (sample::four_kinds(), sample::series());
        for (number, flow) in scene.flows.iter().enumerate() {
            let computed = values(number, &scene, &series, None);
            for measure in MEASURES.iter().filter(|measure| measure.subject == Subject::Flow) {
                let there = computed.iter().any(|(name, _)| *name == measure.name);
                assert_eq!(has(&flow.traffic, measure.name), there, "flow {number}, {}", measure.name);
            }
        }
    }

    #[test]
    fn a_flow_that_never_was_has_no_rates() {
        let mut series = sample::series();
        series.facts.started.clear();
        series.facts.ended.clear();
        series.flows[0] = Default::default();
        assert!(values(0, &sample::four_kinds(), &series, None).iter().all(|(_, value)| !value.is_finite()));
    }
}
