//! Rates and delays of a line, which may change with time.

use super::series::QueueSeries;
use plan::{Change, Lane};

/// Returns how long the line would take to send the backlog of its queue, s.
pub fn queue_delay(lane: &Lane, queue: &QueueSeries, at: usize) -> f64 {
    let bytes = queue.backlog[at] + queue.packets[at] * u64::from(lane.overhead);
    let time = queue.time[at];
    let followed = lane.rate_trace.as_ref().map(|trace| trace.at(time)).filter(|rate| *rate > 0.0);
    bytes as f64 * 8.0 / followed.unwrap_or_else(|| rate_at(lane, time) as f64)
}

/// Returns the line's rate at a time, bit/s.
fn rate_at(lane: &Lane, time: u64) -> u64 {
    let changed = lane.changes.iter().rfind(|change| change.at <= time && change.rate.is_some());
    changed.and_then(|change| change.rate).unwrap_or(lane.rate)
}

/// Returns how much the line can send between two times, bits.
pub fn bits_between(lane: &Lane, from: u64, to: u64) -> f64 {
    if let Some(trace) = &lane.rate_trace {
        return trace.between(from, to) / 1e9;
    }
    over(lane, |change| change.rate, |at| rate_at(lane, at), from, to) / 1e9
}

/// Returns the line's mean propagation delay between two times, ns.
pub fn mean_delay(lane: &Lane, from: u64, to: u64) -> f64 {
    let delay_at = |time: u64| {
        let changed = lane.changes.iter().rfind(|change| change.at <= time && change.delay.is_some());
        changed.and_then(|change| change.delay).unwrap_or(lane.delay)
    };
    let more = lane.delay_trace.as_ref().map_or(0.0, |trace| trace.between(from, to));
    (over(lane, |change| change.delay, delay_at, from, to) + more) / to.saturating_sub(from) as f64
}

/// Integrates a value that changes at times from `from` to `to`, ns.
fn over(lane: &Lane, of: fn(&Change) -> Option<u64>, at: impl Fn(u64) -> u64, from: u64, to: u64) -> f64 {
    let changes = lane.changes.iter().filter(|change| of(change).is_some()).map(|change| change.at);
    let inside = changes.filter(|at| (from..to).contains(at));
    let times: Vec<u64> = [from].into_iter().chain(inside).chain([to]).collect();
    times.windows(2).map(|pair| at(pair[0]) as f64 * pair[1].saturating_sub(pair[0]) as f64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn a_delay_that_changes_is_the_delay_meanwhile() {
        let mut lane = fixture::four_kinds().links[2].forward.clone();
        assert_eq!(mean_delay(&lane, 1, 2), 4e6);
        let change = |at, delay| Change { at, rate: None, delay, loss: None };
        lane.changes = vec![change(2_000_000_000, Some(8_000_000)), change(2_500_000_000, None)];
        assert_eq!(mean_delay(&lane, 1_000_000_000, 3_000_000_000), 6e6);
        assert_eq!(mean_delay(&lane, 2_000_000_000, 3_000_000_000), 8e6);
    }

    /// Samples of a foreign guest may have such times.
    #[test]
    fn nothing_is_sent_in_time_that_goes_back() {
        let lane = fixture::four_kinds().links[2].forward.clone();
        assert_eq!(bits_between(&lane, 2, 1), 0.0);
        assert!(mean_delay(&lane, 2, 1).is_nan());
    }
}
