//! Computes the measures of a trial's load: of all its flows together.

use super::data::LoadData;
use super::wait::Waited;
use super::{flow, percentile};

/// Returns the payload of the load's flows over the time from their first start to their last end, bit/s; NaN if one of
/// them has no goodput.
pub fn goodput(l: &LoadData) -> f64 {
    let start = l.flows.iter().map(|f| f.span[0]).min().unwrap_or(0);
    let end = l.flows.iter().map(|f| f.span[1]).max().unwrap_or(0);
    let bits: f64 = l.flows.iter().map(|f| flow::goodput(f) * f.seconds()).sum();
    bits * 1e9 / end.saturating_sub(start) as f64
}

/// Returns the share of the payload bytes that they sent that were retransmissions; NaN with a program that has no TCP.
pub fn retransmitted(l: &LoadData) -> f64 {
    // Programs may use another protocol than TCP.
    if l.flows.iter().any(|f| f.flow.is_program() && f.own.is_empty()) {
        return f64::NAN;
    }
    let sum = |counter| l.flows.iter().map(|f| f.counted(counter)).sum();
    flow::ratio(sum(flow::bytes_retransmitted), sum(flow::bytes_sent))
}

/// Returns a percentile of the SRTTs of all their samples, s; NaN if one of them has none.
pub fn rtt(l: &LoadData, rank: f64) -> f64 {
    if l.flows.iter().any(|f| f.srtt.is_empty()) {
        return f64::NAN;
    }
    let mut all: Vec<u64> = l.flows.iter().flat_map(|f| f.srtt.iter().copied()).collect();
    all.sort_unstable();
    percentile(&all, rank) / 1e6
}

/// Returns a percentile of the times that all their packets waited in a queue, s; NaN if one of them met none.
pub fn queued(l: &LoadData, rank: f64) -> f64 {
    let waited: Option<Vec<&Waited>> = l.flows.iter().map(|f| f.waited()).collect();
    waited.map_or(f64::NAN, |waited| Waited::percentile_of(waited.into_iter(), rank))
}

#[cfg(test)]
mod tests {
    use crate::fixture::{self, Series};
    use crate::measure_trial;
    use base::units::Subject;
    use plan::Trial;

    #[test]
    fn flows_beside_bulk_flows_are_not_in_total_goodput() {
        let mut trial = fixture::trial(fixture::four_kinds());
        let mut series = fixture::series();
        // 25 MB from 1 s to 3 s, alongside requests, and pings from the start to the end.
        series.facts.started.insert(3, 0);
        series.facts.ended.insert(3, 100_000_000_000);
        series.facts.ended.insert(2, 100_000_000_000);
        let total = |trial: &Trial, series: &Series| measure_trial(trial, series).get("goodput", Subject::Trial, 0);
        assert_eq!(total(&trial, &series), Some(100e6));
        // As much again, but from 2 s to 4 s.
        trial.scene.flows[3] = fixture::flow("b", "c", fixture::bulk("cubic"));
        series.flows[3] = series.flows[0].clone();
        series.facts.started.insert(3, 2_000_000_000);
        series.facts.ended.insert(3, 4_000_000_000);
        assert_eq!(total(&trial, &series), Some(400e6 / 3.0));
        series.facts.started.remove(&3);
        series.facts.ended.remove(&3);
        assert_eq!(total(&trial, &series), None, "one of two flows never was");
        trial.scene.flows.drain(..1);
        trial.scene.flows.truncate(2);
        series.flows.remove(0);
        series.facts.started = [(0, 1_000_000_000), (1, 0)].into();
        series.facts.ended = [(0, 2_000_000_000), (1, 9_000_000_000)].into();
        assert_eq!(total(&trial, &series), Some(32e3), "requests, not datagrams");
    }

    #[test]
    fn shares_and_percentiles_are_of_everything_together() {
        let mut trial = fixture::trial(fixture::four_kinds());
        let mut series = fixture::series();
        trial.scene.flows[3] = fixture::flow("b", "c", fixture::bulk("cubic"));
        series.flows[3] = series.flows[0].clone();
        let last = series.flows[3].last[0].as_mut().unwrap();
        // The first flow sent 25 MB, of which 0.5 MB again; the second sends 3 times as much and repeats none.
        (last.bytes_sent, last.bytes_retrans) = (3 * last.bytes_sent, 0);
        series.flows[3].srtt = vec![100_000; 12];
        let measures = measure_trial(&trial, &series);
        let of = |name| measures.get(name, Subject::Trial, 0).unwrap();
        assert_eq!([of("retransmitted"), of("tcp-efficiency")], [0.005, 0.995]);
        // Samples of 10, 20, 30 and 40 ms, and twelve of 100 ms.
        assert_eq!([of("rtt-p50"), measures.value(&trial.scene, "rtt-p50").unwrap()], [0.1, 0.1]);
        series.flows[3].srtt.clear();
        assert_eq!(measure_trial(&trial, &series).get("rtt-p50", Subject::Trial, 0), None);
    }

    #[test]
    fn two_flows_have_shares() {
        let mut trial = fixture::trial(fixture::four_kinds());
        let mut series = fixture::series();
        let of = |trial: &Trial, series: &Series, name| measure_trial(trial, series).get(name, Subject::Trial, 0);
        assert_eq!(of(&trial, &series, "jain"), None, "bulk data of one flow alone");
        trial.scene.flows[3] = fixture::flow("b", "c", fixture::bulk("cubic"));
        series.flows[3] = series.flows[0].clone();
        assert_eq!(of(&trial, &series, "jain"), Some(1.0));
        assert_eq!(of(&trial, &series, "jain-1s"), Some(1.0));
        assert_eq!(of(&trial, &series, "convergence"), Some(1.0));
        let measures = measure_trial(&trial, &series);
        let shares = [0, 1, 3].map(|flow| measures.get("fair-share", Subject::Flow, flow));
        assert_eq!(shares, [Some(1.0), None, Some(1.0)]);
    }
}
