//! The measures of a flow; which they are depends on its kind.

use super::series::{FlowSeries, Series};
use super::{Values, mean, most, percentile};
use crate::plan::{Scene, Traffic, Until};

/// min_rtt before the first round trip (`~0U`, net/ipv4/tcp.c).
const NO_RTT: u64 = 0xffff_ffff;

/// All that is known of a flow.
pub fn values(number: usize, scene: &Scene, series: &Series) -> Values {
    let (flow, own) = (&scene.flows[number], &series.flows[number]);
    let [start, end] = series.span(number);
    let seconds = end.saturating_sub(start) as f64 / 1e9;
    let goodput = |bytes: u64| ("goodput", bytes as f64 * 8.0 / seconds);
    let mut values = match flow.traffic {
        Traffic::Bulk { .. } => vec![goodput(carried(own, flow.until))],
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
            ]);
            values
        }
    };
    if flow.tcp().is_some() {
        values.extend(tcp(own, seconds));
    }
    values
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
    let mut srtt: Vec<u64> = own.srtt.iter().copied().filter(|us| *us > 0).collect();
    srtt.sort_unstable();
    let limited = sender.rwnd_limited + sender.sndbuf_limited;
    vec![
        ("retransmitted", ratio(sender.bytes_retrans, sender.bytes_sent)),
        ("rtt-min", if sender.min_rtt == NO_RTT { f64::NAN } else { sender.min_rtt as f64 / 1e6 }),
        ("rtt-p50", percentile(&srtt, 0.50) / 1e6),
        ("rtt-p95", percentile(&srtt, 0.95) / 1e6),
        ("cwnd-mean", mean(own.cwnd.iter().map(|n| *n as f64))),
        ("cwnd-max", most(&own.cwnd)),
        ("limited-cwnd", share(sender.busy_time.saturating_sub(limited))),
        ("limited-rwnd", share(sender.rwnd_limited)),
        ("limited-sndbuf", share(sender.sndbuf_limited)),
        ("limited-app", (1.0 - share(sender.busy_time)).max(0.0)),
        ("delivered-ce", ratio(sender.delivered_ce, sender.delivered)),
        ("reordering", sender.reord_seen as f64),
        ("out-of-order", ratio(receiver.rcv_ooopack, receiver.data_segs_in)),
        ("rto", sender.total_rto as f64),
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
        let found = values(flow, &sample::four_kinds(), series);
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
    fn nothing_answered_has_no_times() {
        let mut series = sample::series();
        series.flows[1].exchanges = vec![Exchange { start: 1_000_000_000, end: None }];
        has(1, &series, &[("goodput", 0.0), ("exchanges", 0.0), ("unanswered", 1.0)]);
        let found = values(1, &sample::four_kinds(), &series);
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
        assert_eq!(values(2, &sample::four_kinds(), &series), []);
    }

    #[test]
    fn pings_by_hand() {
        // 20 of them, 10 ms, 11 ms and so on, and one that is not answered.
        has(
            3,
            &sample::series(),
            &[("exchanges", 20.0), ("unanswered", 1.0), ("rtt-min", 0.010), ("rtt-p50", 0.019), ("rtt-p95", 0.028)],
        );
    }

    #[test]
    fn what_a_kind_has_is_what_is_computed_of_it() {
        use crate::measure::{MEASURES, Subject, has};
        let (scene, series) = (sample::four_kinds(), sample::series());
        for (number, flow) in scene.flows.iter().enumerate() {
            let computed = values(number, &scene, &series);
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
        assert!(values(0, &sample::four_kinds(), &series).iter().all(|(_, value)| !value.is_finite()));
    }
}
