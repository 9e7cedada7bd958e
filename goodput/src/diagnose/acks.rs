//! At what rate acknowledgments come.
//!
//! A link that is full of them lets the same number through in each second, whatever they acknowledge (RFC 3449, 2). One that
//! is full of data does the same for data, and as many acknowledgments come as the receiver makes of it.

use super::flow::Flow;
use crate::stats::{deviation, mean};
use evidence::Point;

/// Shorter intervals have too few ACKs, seconds.
const MIN_INTERVAL_S: f64 = 0.9;
/// RTT over the idle path's from which a queue stands; without one the sender decides how many ACKs come.
const MIN_QUEUED_RTT_RATIO: f64 = 1.3;
/// Points of a series at least.
const MIN_POINTS: usize = 5;
/// Relative deviation of a constant rate at most.
const MAX_CONSTANT_VARIATION: f64 = 0.05;
/// Data that varies this many times as much as ACKs varies by itself: over 5 seconds with equal variances, their ratio exceeds
/// 9 in one of 40 (F test).
const MIN_VARIATION_RATIO: f64 = 3.0;
/// Relative difference of two counters read at slightly different times.
const COUNTER_TOLERANCE: f64 = 1e-4;

/// Acknowledgments per second, and the data that they acknowledge, bit/s: the least and the most.
pub struct Constant {
    pub acks: f64,
    pub data: [f64; 2],
}

impl Constant {
    /// Of a connection whose acknowledgments come at a constant rate while their data does not.
    pub fn of(flow: &Flow) -> Option<Constant> {
        let base = flow.queueing()?[0];
        let seconds = seconds(&flow.seen.points, base);
        let (acks, mut data): (Vec<f64>, Vec<f64>) = seconds.into_iter().unzip();
        let spread = |rates: &[f64]| deviation(rates) / mean(rates) + COUNTER_TOLERANCE;
        data.sort_by(f64::total_cmp);
        let clocked = acks.len() >= MIN_POINTS && mean(&data) > 0.0 && spread(&acks) < MAX_CONSTANT_VARIATION;
        // What waited for a lost segment is acknowledged at once: the most of one second is no rate.
        let (_, rates) = data.split_last().filter(|_| clocked)?;
        let varies = [&data[..], rates].into_iter().all(|data| spread(data) >= MIN_VARIATION_RATIO * spread(&acks));
        Some(Constant { acks: mean(&acks), data: [*rates.first()?, *rates.last()?] }).filter(|_| varies)
    }
}

/// Rates of acknowledgments, 1/s, and of data, bit/s, where a queue stands and nothing is lost.
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
