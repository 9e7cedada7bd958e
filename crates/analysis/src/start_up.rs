//! Finds the end of a flow's start-up: the truncation point of MSER-5 (White 1997; White, Cobb and Spratt 2000). Values
//! are taken to be uncertain by [`MARGIN`]: a hole that is repaired makes one batch small and the next one large, and
//! chance decides which hole falls between two batches.

use super::path::base_rtt;
use super::series::Series;
use base::stats::MARGIN;
use plan::Scene;

/// Bins in a batch.
const BATCH_BINS: u64 = 5;
/// Batches needed to find a start-up phase.
const MIN_BATCHES: usize = 20;

/// Returns the time from which a flow's goodput is steady, ns; `None` if that is not before half of its time is over.
///
/// Goodput is taken in bins of one RTT of the empty path, or of `record.interval` if that is longer.
pub fn steady(number: usize, scene: &Scene, series: &Series) -> Option<u64> {
    let [start, end] = series.span(number);
    let own = &series.flows[number];
    let width = BATCH_BINS * base_rtt(scene, &scene.flows[number]).max(scene.record.interval).max(1);
    // A recording has a sample for each bin, unless its times are invented.
    let batches = Some(end.checked_sub(start)? / width).filter(|batches| *batches <= own.received.len() as u64)?;
    let edges: Vec<f64> = (0..=batches).map(|batch| own.received_by(start + batch * width)).collect();
    let means: Vec<f64> = edges.windows(2).map(|pair| pair[1] - pair[0]).collect();
    Some(start + truncation(&means)? as u64 * width)
}

/// Returns how many values to leave out at the start, so that the standard error of the mean of the others is smallest;
/// `None` if these are more than half. At least a quarter remains: between two losses every flow looks steady.
fn truncation(values: &[f64]) -> Option<usize> {
    if values.len() < MIN_BATCHES || values.iter().all(|value| *value == 0.0) {
        return None;
    }
    let (mut mean, mut squares) = (0.0, 0.0);
    let mut best = (f64::INFINITY, 0);
    for (left_out, value) in values.iter().enumerate().rev() {
        // Welford's algorithm, from the end.
        let count = (values.len() - left_out) as f64;
        let off = value - mean;
        mean += off / count;
        squares += off * (value - mean);
        let none = MARGIN * mean;
        let error = (squares + count * none * none) / (count * count);
        if 4 * (values.len() - left_out) >= values.len() && error <= best.0 {
            best = (error, left_out);
        }
    }
    Some(best.1).filter(|left_out| *left_out <= values.len() / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn a_start_is_left_out_and_no_more() {
        let steady = |n: usize| if n.is_multiple_of(2) { 101.0 } else { 99.0 };
        let values: Vec<f64> = (0..40).map(|n| if n < 6 { 10.0 * n as f64 } else { steady(n) }).collect();
        assert_eq!(truncation(&values), Some(6));
        let values: Vec<f64> = (0..40).map(steady).collect();
        assert_eq!(truncation(&values), Some(0));
        assert_eq!(truncation(&[7.0; 20]), Some(0), "all equal");
    }

    #[test]
    fn a_hole_between_two_batches_is_no_start() {
        let with_holes_at = |holes: &[usize]| -> Vec<f64> {
            let of = |n: usize| match () {
                () if n < 3 => 50.0,
                () if holes.contains(&n) => 88.0,
                () if n > 0 && holes.contains(&(n - 1)) => 112.0,
                () => 100.0,
            };
            (0..200).map(of).collect()
        };
        assert_eq!(truncation(&with_holes_at(&[])), Some(3));
        assert_eq!(truncation(&with_holes_at(&[33, 94, 121])), Some(3));
        assert_eq!(truncation(&with_holes_at(&[33, 94, 121, 190])), Some(3));
    }

    #[test]
    fn a_series_that_rises_to_its_end_has_no_steady_state() {
        let values: Vec<f64> = (0..40).map(f64::from).collect();
        assert_eq!(truncation(&values), None);
        assert_eq!(truncation(&[7.0; 19]), None, "too few to tell");
        assert_eq!(truncation(&[]), None);
        assert_eq!(truncation(&[0.0; 40]), None, "nothing came");
    }

    #[test]
    fn a_flow_by_hand() {
        const SECOND: u64 = 1_000_000_000;
        let mut scene = fixture::four_kinds();
        scene.record.interval = SECOND / 10;
        let mut series = fixture::series();
        // 1 MB/s for 6 s, then 9 MB/s: batches of 0.5 s, from 1 s on.
        let bytes = |tenth: u64| tenth * 100_000 + tenth.saturating_sub(60) * 800_000;
        series.flows[0].received = (0..=300).map(|n| (SECOND + n * SECOND / 10, bytes(n))).collect();
        series.facts.ended.insert(0, 31 * SECOND);
        assert_eq!(steady(0, &scene, &series), Some(7 * SECOND));
        series.facts.ended.insert(0, 11 * SECOND);
        assert_eq!(steady(0, &scene, &series), None, "6 of 10 s");
        series.facts.started.clear();
        series.facts.ended.clear();
        assert_eq!(steady(0, &scene, &series), None, "it never was");
    }
}
