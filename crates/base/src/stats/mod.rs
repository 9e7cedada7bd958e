//! Statistics of replicates: estimates with their intervals, comparisons, corrections for many of them.
//!
//! The same values give the same figures. Nothing here panics: too few values give no interval, and a value that is not
//! finite gives no result. docs/explanation/statistics.md has the coverage of each interval.

mod binomial;
mod bootstrap;
mod compare;
mod estimate;
mod holm;
mod median;
mod modes;
mod percentile;
mod series;
mod student;
#[cfg(test)]
mod tests;

pub use binomial::{binomial_chance, binomial_interval, binomial_upper};
pub use compare::{Comparison, Conclusion, Samples, Scale, Test, compare, conclude};
pub(crate) use estimate::MIN_FOR_INTERVAL;
pub use estimate::{Centre, Estimate, estimate};
pub use holm::holm;
pub use median::median;
pub use median::median_deviation;
pub use modes::{Mode, modes};
pub use percentile::percentile;
pub use series::{SERIES_METHOD, block_bootstrap};
pub use student::{Difference, prediction, predictions};

/// Confidence level of every interval; tests use 1 less this.
pub const LEVEL: f64 = 0.95;
/// Largest error rate of a test: a difference reported where there is none, or equivalence where there is none.
pub const ALPHA: f64 = 1.0 - LEVEL;
/// Share of cases in which [`Test::needed`] replicates settle a question.
pub(crate) const POWER: f64 = 0.80;
/// Relative difference that counts as none, unless the user sets another.
pub const MARGIN: f64 = 0.02;
/// Seeds of a point, unless the experiment sets their number.
pub const SEEDS: u64 = 10;

/// Returns the mean, exact if all values are equal; NaN without values.
pub fn mean(values: &[f64]) -> f64 {
    let first = values.first().copied().unwrap_or(f64::NAN);
    first + values.iter().map(|v| v - first).sum::<f64>() / values.len() as f64
}

/// Returns the standard deviation of a whole population: the sum of squares over the number of values.
pub fn deviation(values: &[f64]) -> f64 {
    let middle = mean(values);
    mean(&values.iter().map(|value| (value - middle).powi(2)).collect::<Vec<_>>()).sqrt()
}

/// Number, mean and variance of some values.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Moments {
    count: usize,
    mean: f64,
    /// The sum of squares over `count` − 1; 0 only if all values are equal, or there is one.
    variance: f64,
}

impl Moments {
    /// Returns the moments; `None` without values, if one is not finite, or if they are too large or too close for
    /// doubles to represent the squares of their distances.
    fn from_values(values: &[f64]) -> Option<Moments> {
        let (first, count) = (*values.first()?, values.len());
        if values.iter().all(|v| *v == first) {
            return first.is_finite().then_some(Moments { count, mean: first, variance: 0.0 });
        }
        let mean = mean(values);
        let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
        let variance = squares / (count as f64 - 1.0);
        (variance.is_finite() && variance > 0.0).then_some(Moments { count, mean, variance })
    }
}
