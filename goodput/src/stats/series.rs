//! The mean of values that follow each other in time, such as the intervals of one iperf3 run: neighbours are alike, so
//! they tell less than as many independent values.
//!
//! Blocks of neighbours are resampled, joined end to start (circular block bootstrap, Politis & Romano 1992), and the mean
//! is studentized by the spread of the blocks of a resample (Götze & Künsch 1996), as [`super::bootstrap`] does it with
//! single values.

use super::{Estimate, Moments, bootstrap, mean};

pub const SERIES_METHOD: &str = "smoothed bootstrap-t of circular blocks, 3999 resamples, 95 %";

/// With fewer values there is no interval: three blocks of three show nothing of how the mean varies.
pub(crate) const FEWEST_IN_SERIES: usize = 10;

/// The length that makes the error of the standard error smallest (Politis & White) leaves the standard error too small.
/// Blocks twice as long covered better wherever neighbours were correlated (docs/explanation/statistics.md).
const BLOCK_LENGTH_FACTOR: f64 = 2.0;

/// The mean of a series with its interval, if it has [`FEWEST_IN_SERIES`] values or more, of which not all blocks are
/// alike. `None` without values, or if one is not finite.
///
/// It holds for a series that is the same from start to end: no start-up, no change.
pub fn block_bootstrap(values: &[f64]) -> Option<Estimate> {
    if values.is_empty() || values.iter().any(|v| !v.is_finite()) {
        return None;
    }
    let count = values.len();
    let interval = if count < FEWEST_IN_SERIES { None } else { interval(values) };
    let value = mean(values);
    value.is_finite().then_some(Estimate { value, interval, count })
}

fn interval(values: &[f64]) -> Option<[f64; 2]> {
    let all = Moments::of(values)?;
    if all.variance == 0.0 {
        return Some([all.mean; 2]);
    }
    let length = block_length(values);
    let means = block_means(values, length);
    let blocks = Moments::of(&means).filter(|blocks| blocks.variance > 1e-12 * all.variance)?;
    // The spread of n overlapping blocks of b misses that of their mean: a share of b/n.
    let (n, b) = (values.len() as f64, length as f64);
    let error = (blocks.variance * (n - 1.0) / n * b / (n - b)).sqrt();
    let draws = (n / b).round() as usize;
    Some(bootstrap::interval(&means, Moments { mean: all.mean, ..blocks }, draws, error))
        .filter(|ends| ends.iter().all(|end| end.is_finite()))
}

/// The mean of each block of so many values; behind the last value comes the first.
fn block_means(values: &[f64], length: usize) -> Vec<f64> {
    let at = |place: usize| values[place % values.len()];
    let block = |start: usize| mean(&(start..start + length).map(at).collect::<Vec<f64>>());
    (0..values.len()).map(block).collect()
}

/// How many neighbours [`block_bootstrap`] keeps together: twice the length of Politis & White (2004, as corrected by
/// Patton, Politis & White 2009), at most a third of all; 1 of fewer than three values.
pub(crate) fn block_length(values: &[f64]) -> usize {
    let longest = values.len() / 3;
    (BLOCK_LENGTH_FACTOR * optimal_length(values)).ceil().clamp(1.0, longest.max(1) as f64) as usize
}

/// The length for which the error of the mean is known best, not rounded.
///
/// Autocovariances R(k) count fully to the lag m from which on they are not significant for 5 lags, and fade out to
/// 2m: with g = ΣR(k) and G = Σ|k|·R(k) over both sides it is (3/2 · G²/g² · n)^(1/3).
fn optimal_length(values: &[f64]) -> f64 {
    /// Consecutive insignificant autocorrelations that end the correlation.
    const MIN_INSIGNIFICANT: usize = 5;
    let (n, mean) = (values.len() as f64, mean(values));
    let covariance = |lag: usize| {
        let pairs = values.iter().zip(values.iter().skip(lag));
        pairs.map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>() / n
    };
    let most = (n.sqrt().ceil() as usize + MIN_INSIGNIFICANT).min(values.len().saturating_sub(1));
    let covariances: Vec<f64> = (0..=most + MIN_INSIGNIFICANT).map(covariance).collect();
    let significant = |lag: usize| covariances[lag].abs() >= 2.0 * (n.log10() / n).sqrt() * covariances[0];
    let quiet_after = |lag: &usize| !(1..=MIN_INSIGNIFICANT).any(|further| significant(lag + further));
    let last = || (1..=most).rev().find(|lag| significant(*lag));
    let reach = (2 * (0..=most).find(quiet_after).or_else(last).unwrap_or(1).max(1)).min(most);
    let (mut g, mut weighted) = (covariances.first().copied().unwrap_or(0.0), 0.0);
    for (lag, covariance) in covariances.iter().enumerate().take(reach + 1).skip(1) {
        // Both sides, by a window that is flat up to half of its reach (Politis & Romano 1995).
        let part = 2.0 * (2.0 * (1.0 - lag as f64 / reach as f64)).min(1.0) * covariance;
        g += part;
        weighted += lag as f64 * part;
    }
    let length = (1.5 * (weighted / g).powi(2) * n).cbrt();
    if g > 0.0 && length.is_finite() { length.min((3.0 * n.sqrt()).min(n / 3.0).ceil()) } else { 1.0 }
}
