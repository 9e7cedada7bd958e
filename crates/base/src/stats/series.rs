//! The mean of consecutive values in time, such as the intervals of one iperf3 run: neighbours are correlated, so they
//! are worth fewer than as many independent values.
//!
//! Blocks of neighbours are resampled, joined end to start (circular block bootstrap, Politis & Romano 1992), and the mean
//! is studentized by the spread of the blocks of a resample (Götze & Künsch 1996), as [`super::bootstrap`] does it with
//! single values.

use super::{Estimate, Moments, bootstrap, mean};

pub const SERIES_METHOD: &str = "smoothed bootstrap-t of circular blocks, 3999 resamples, 95 %";

/// Fewest values for an interval: three blocks of three do not show how the mean varies.
pub(crate) const FEWEST_IN_SERIES: usize = 10;

/// The length that makes the error of the standard error smallest (Politis & White) leaves the standard error too small.
/// Blocks twice as long covered better wherever neighbours were correlated (docs/explanation/statistics.md).
const BLOCK_LENGTH_FACTOR: f64 = 2.0;

/// Returns the mean of a series. It has an interval if there are at least [`FEWEST_IN_SERIES`] values whose blocks
/// differ. `None` without values, or if one is not finite.
///
/// The interval is valid for a stationary series: no start-up, no change.
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
    let all = Moments::from_values(values)?;
    if all.variance == 0.0 {
        return Some([all.mean; 2]);
    }
    let length = block_length(values);
    let means = block_means(values, length);
    let blocks = Moments::from_values(&means).filter(|blocks| blocks.variance > 1e-12 * all.variance)?;
    // The spread of n overlapping blocks of b misses that of their mean: a share of b/n.
    let (n, b) = (values.len() as f64, length as f64);
    let error = (blocks.variance * (n - 1.0) / n * b / (n - b)).sqrt();
    let draws = (n / b).round() as usize;
    Some(bootstrap::interval(&means, Moments { mean: all.mean, ..blocks }, draws, error))
        .filter(|ends| ends.iter().all(|end| end.is_finite()))
}

/// Returns the mean of each block of `length` values; the first value follows the last.
fn block_means(values: &[f64], length: usize) -> Vec<f64> {
    let at = |place: usize| values[place % values.len()];
    let block = |start: usize| mean(&(start..start + length).map(at).collect::<Vec<f64>>());
    (0..values.len()).map(block).collect()
}

/// Returns the number of neighbours that [`block_bootstrap`] keeps together: twice the length of Politis & White (2004,
/// as corrected by Patton, Politis & White 2009), at most a third of all; 1 for fewer than three values.
pub(crate) fn block_length(values: &[f64]) -> usize {
    let longest = values.len() / 3;
    (BLOCK_LENGTH_FACTOR * optimal_length(values)).ceil().clamp(1.0, longest.max(1) as f64) as usize
}

/// Returns the length for which the error of the mean is known best, not rounded.
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
        // Both sides, weighted by a window that is flat up to half of its reach (Politis & Romano 1995).
        let part = 2.0 * (2.0 * (1.0 - lag as f64 / reach as f64)).min(1.0) * covariance;
        g += part;
        weighted += lag as f64 * part;
    }
    let length = (1.5 * (weighted / g).powi(2) * n).cbrt();
    if g > 0.0 && length.is_finite() { length.min((3.0 * n.sqrt()).min(n / 3.0).ceil()) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::{FEWEST_IN_SERIES, block_length};
    use crate::stats::tests::assert_near;
    use crate::stats::*;
    use proptest::prelude::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    /// Each value is `phi` times the one before, plus a new uniform one of variance 1.
    fn autoregressive(phi: f64, count: usize) -> Vec<f64> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut new = || 12_f64.sqrt() * (random.next_u32() as f64 / f64::from(u32::MAX) - 0.5);
        let mut value = 0.0;
        (0..count + 100).map(|_| (value = phi * value + new(), value).1).skip(100).collect()
    }

    #[test]
    fn blocks_are_as_long_as_theory_says() {
        // For an autoregression G/g is 2φ/(1 − φ²) (Politis & White 2004, their sums), so b = (3/2 · (4/3)² · n)^(1/3)
        // for φ = 1/2: 37.6 for 20,000, and twice that is used.
        let found = block_length(&autoregressive(0.5, 20_000));
        assert!((60..=90).contains(&found), "{found}");
        assert!(block_length(&autoregressive(0.0, 20_000)) < 15);
        let longer = block_length(&autoregressive(0.8, 300));
        assert!(longer > block_length(&autoregressive(0.3, 300)) && longer <= 100, "{longer}");
    }

    #[test]
    fn neighbours_that_are_alike_widen_the_interval() {
        let values = autoregressive(0.8, 300);
        let width = |found: Estimate| found.interval.map(|[low, high]| high - low).unwrap();
        let (blocks, single) = (block_bootstrap(&values).unwrap(), estimate(&values, Centre::Mean).unwrap());
        assert_near(blocks.value, single.value, 1e-12);
        // √((1 + φ) / (1 − φ)) = 3 times as wide.
        assert!((2.0..4.5).contains(&(width(blocks) / width(single))));
        let independent = autoregressive(0.0, 300);
        let ratio =
            width(block_bootstrap(&independent).unwrap()) / width(estimate(&independent, Centre::Mean).unwrap());
        assert!((0.8..1.25).contains(&ratio), "{ratio}");
    }

    #[test]
    fn a_short_series_has_no_interval_and_an_empty_one_nothing() {
        assert_eq!(block_bootstrap(&[]), None);
        assert_eq!(block_bootstrap(&[1.0, f64::NAN]), None);
        let short = block_bootstrap(&autoregressive(0.0, FEWEST_IN_SERIES - 1)).unwrap();
        assert_eq!((short.interval, short.count), (None, 9));
        assert!(block_bootstrap(&autoregressive(0.0, FEWEST_IN_SERIES)).unwrap().interval.is_some());
        for count in 0..5 {
            assert_eq!(block_length(&autoregressive(0.5, count)), 1);
        }
    }

    #[test]
    fn degenerate_series_keep_their_mean() {
        assert_eq!(block_bootstrap(&[0.1; 50]).unwrap().interval, Some([0.1; 2]));
        let seesaw: Vec<f64> = (0..60).map(|n| f64::from(n % 2)).collect();
        assert_eq!(block_bootstrap(&seesaw).unwrap().value, 0.5);
        let step: Vec<f64> = (0..60).map(|n| f64::from(u8::from(n >= 30))).collect();
        let [low, high] = block_bootstrap(&step).unwrap().interval.unwrap();
        assert!(low < 0.2 && high > 0.8, "one step is as good as nothing: {low} to {high}");
        assert_eq!(block_bootstrap(&[f64::MAX; 12]).unwrap().value, f64::MAX);
        block_bootstrap(&[f64::MAX, f64::MIN].repeat(6));
        block_bootstrap(&[1e-300, 2e-300].repeat(6));
    }

    #[test]
    fn the_method_names_what_is_done() {
        assert!(SERIES_METHOD.contains(&format!("{} resamples", bootstrap::RESAMPLES)));
        assert!(SERIES_METHOD.ends_with(&format!("{} %", LEVEL * 100.0)));
    }

    proptest! {
        #[test]
        fn the_interval_holds_the_mean(values in prop::collection::vec(prop_oneof![-1e3..1e3, Just(0.0)], 1..80)) {
            let found = block_bootstrap(&values).unwrap();
            prop_assert!(found.interval.is_none_or(|[low, high]| low <= found.value && found.value <= high));
            prop_assert_eq!(block_bootstrap(&values), Some(found));
            let length = block_length(&values);
            prop_assert!(1 <= length && length <= (values.len() / 3).max(1));
        }
    }
}
