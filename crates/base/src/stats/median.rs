//! The median's interval: between order statistics, whatever the distribution (Hettmansperger & Sheather 1986; for
//! other quantiles Nyblom 1992).
//!
//! The number of n values below the median is binomial, so two values of the sorted list enclose it with a known
//! probability. Between the narrowest such pair that covers enough and the next one, which does not, the formula
//! interpolates. A bootstrap of the median approaches the same interval, with noise.

use super::LEVEL;
use statrs::distribution::{Binomial, DiscreteCDF};

pub(super) const METHOD: &str = "interpolated order statistics, 95 %";

/// Returns the median; NaN without values.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    median_of_sorted(&sorted).unwrap_or(f64::NAN)
}

/// Returns the median distance of the values from their median.
pub fn median_deviation(values: &[f64]) -> f64 {
    let middle = median(values);
    median(&values.iter().map(|value| (value - middle).abs()).collect::<Vec<f64>>())
}

/// Returns the median of sorted values.
pub(super) fn median_of_sorted(sorted: &[f64]) -> Option<f64> {
    let (low, high) = (*sorted.get(sorted.len().checked_sub(1)? / 2)?, *sorted.get(sorted.len() / 2)?);
    Some(low + (high - low) / 2.0)
}

/// Returns the median's interval. For five values or fewer it is the range, which covers in 1 − 2^(1−n): five in 93.75
/// %.
pub(super) fn interval(sorted: &[f64]) -> Option<[f64; 2]> {
    let count = sorted.len();
    let below = Binomial::new(0.5, count as u64).ok()?;
    // Probability that the median is between the values of rank r from below and from above.
    let coverage = |rank: usize| 1.0 - 2.0 * below.cdf(rank as u64 - 1);
    let ranks: Vec<usize> = (1..=count / 2).collect();
    let rank = ranks.partition_point(|rank| coverage(*rank) >= LEVEL);
    if rank == 0 {
        return Some([*sorted.first()?, *sorted.last()?]);
    }
    let (outer, inner) = (coverage(rank), coverage(rank + 1));
    let share = (outer - LEVEL) / (outer - inner);
    let (n, r) = (count as f64, rank as f64);
    let weight = (n - r) * share / (r + (n - 2.0 * r) * share);
    let between = |outer: f64, inner: f64| outer + weight * (inner - outer);
    Some([between(sorted[rank - 1], sorted[rank]), between(sorted[count - rank], sorted[count - rank - 1])])
}
