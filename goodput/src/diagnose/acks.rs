//! Detects connections whose ACKs come at a constant rate.
//!
//! A reverse link full of ACKs passes the same number in each second, whatever they acknowledge (RFC 3449, 2). A
//! forward link full of data keeps the data rate constant instead, and the receiver decides how many ACKs it sends for
//! it.

use super::flow::Flow;
use crate::stats::{deviation, mean};
use evidence::Point;

/// Shortest interval with enough ACKs for a rate, seconds.
const MIN_INTERVAL_S: f64 = 0.9;
/// RTT over the idle path's RTT above which a queue exists. Without a queue the sender decides how many ACKs come.
pub const MIN_QUEUED_RTT_RATIO: f64 = 1.3;
/// Smallest number of points in a series.
pub const MIN_POINTS: usize = 5;
/// Largest relative deviation of a constant rate.
pub const MAX_CONSTANT_VARIATION: f64 = 0.05;
/// Smallest ratio of the data's variation to the ACKs' at which the data varies by itself: over 5 seconds with equal
/// variances, the variance ratio exceeds 9 in one case of 40 (F test).
pub const MIN_VARIATION_RATIO: f64 = 3.0;
/// Relative difference of two counters read at slightly different times.
const COUNTER_TOLERANCE: f64 = 1e-4;

/// ACKs per second, with the least and the most data that they acknowledge, bit/s.
pub struct Constant {
    pub acks: f64,
    pub data: [f64; 2],
}

impl Constant {
    /// Returns the rates of a connection whose ACKs come at a constant rate while its data does not.
    pub fn of(flow: &Flow) -> Option<Constant> {
        let base = flow.queueing()?[0];
        let seconds = seconds(&flow.seen.points, base);
        let (acks, mut data): (Vec<f64>, Vec<f64>) = seconds.into_iter().unzip();
        let spread = |rates: &[f64]| deviation(rates) / mean(rates) + COUNTER_TOLERANCE;
        data.sort_by(f64::total_cmp);
        let clocked = acks.len() >= MIN_POINTS && mean(&data) > 0.0 && spread(&acks) < MAX_CONSTANT_VARIATION;
        // Data that waited for a lost segment is acknowledged at once, so the largest second is not a rate.
        let (_, rates) = data.split_last().filter(|_| clocked)?;
        let varies = [&data[..], rates].into_iter().all(|data| spread(data) >= MIN_VARIATION_RATIO * spread(&acks));
        Some(Constant { acks: mean(&acks), data: [*rates.first()?, *rates.last()?] }).filter(|_| varies)
    }
}

/// Returns the rates of ACKs, 1/s, and of data, bit/s, over intervals with a queue and without a retransmission.
fn seconds(points: &[Point], base: f64) -> Vec<(f64, f64)> {
    let mut seconds = vec![];
    let Some(mut start) = points.first().map(|first| first.time) else { return seconds };
    let mut sum = (0.0, 0.0);
    let queued = |point: &Point| point.srtt.is_none_or(|srtt| srtt > MIN_QUEUED_RTT_RATIO * base);
    for pair in points.windows(2) {
        let [before, point] = [pair[0], pair[1]];
        let counted = point
            .acks
            .zip(point.bytes)
            .filter(|_| queued(&before) && queued(&point) && point.retransmitted.is_none_or(|again| again == 0.0));
        let Some((acks, bytes)) = counted else {
            (start, sum) = (point.time, (0.0, 0.0));
            continue;
        };
        sum = (sum.0 + acks, sum.1 + 8.0 * bytes);
        let lasted = point.time - start;
        if lasted >= MIN_INTERVAL_S {
            seconds.push((sum.0 / lasted, sum.1 / lasted));
            (start, sum) = (point.time, (0.0, 0.0));
        }
    }
    seconds
}
