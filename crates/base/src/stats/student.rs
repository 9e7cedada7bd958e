//! Student's t: differences of means, and the number of replicates that shows them.

use super::{ALPHA, LEVEL, Moments, POWER};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Degrees of freedom above which t equals the normal distribution to 4 digits, and statrs loses some.
const MOST_FREEDOM: f64 = 1e5;

/// Largest number of replicates that [`Difference::needed`] considers.
const MOST_REPLICATES: usize = 1 << 20;

fn distribution(freedom: f64) -> StudentsT {
    StudentsT::new(0.0, 1.0, freedom.clamp(1.0, MOST_FREEDOM))
        .expect("location, scale and freedom are positive numbers")
}

/// P(T ≤ t); 1/2 if t is NaN.
fn cdf(t: f64, freedom: f64) -> f64 {
    if t.is_nan() {
        return 0.5;
    }
    distribution(freedom).cdf(t)
}

/// Returns the value of t with probability `share` below it.
fn quantile(share: f64, freedom: f64) -> f64 {
    distribution(freedom).inverse_cdf(share)
}

/// Returns the interval that contains the next value with probability `level`: Student's t on logarithms (Hahn and
/// Meeker 1991, 4.7). `beside` is a further standard deviation of the next value's logarithm, which these values do not
/// show. `None` for fewer than two values, or if one is not positive.
pub fn prediction(values: &[f64], level: f64, beside: f64) -> Option<[f64; 2]> {
    predictions(&[values], level, beside)?.pop()
}

/// [`prediction`] for several groups of values whose logarithms have one variance, estimated from all of them.
pub fn predictions(groups: &[&[f64]], level: f64, beside: f64) -> Option<Vec<[f64; 2]>> {
    if groups.iter().any(|group| group.iter().any(|value| value.is_nan() || *value <= 0.0)) {
        return None;
    }
    let logs =
        groups.iter().map(|group| Moments::from_values(&group.iter().map(|value| value.ln()).collect::<Vec<_>>()));
    let all: Vec<Moments> = logs.collect::<Option<Vec<_>>>()?.into_iter().filter(|logs| logs.count >= 2).collect();
    if all.is_empty() || all.len() < groups.len() {
        return None;
    }
    let freedom: f64 = all.iter().map(|logs| logs.count as f64 - 1.0).sum();
    let variance = all.iter().map(|logs| (logs.count as f64 - 1.0) * logs.variance).sum::<f64>() / freedom;
    let share = 0.5 + level / 2.0;
    let interval = |logs: &Moments| {
        let own = quantile(share, freedom.min(MOST_FREEDOM)) * (variance * (1.0 + 1.0 / logs.count as f64)).sqrt();
        let reach = own.hypot(quantile(share, MOST_FREEDOM) * beside);
        [(logs.mean - reach).exp(), (logs.mean + reach).exp()]
    };
    Some(all.iter().map(interval).collect())
}

/// A difference of means, and the spread of its samples: at least two values each.
///
/// Pairs are one sample, of their differences (Student 1908). Two groups are two, of unequal variance (Welch 1947).
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    value: f64,
    /// Samples whose errors add.
    samples: Vec<Moments>,
}

impl Difference {
    /// Returns the mean of the pairs' differences; `None` for fewer than two, or if one is not finite.
    pub fn paired(differences: &[f64]) -> Option<Difference> {
        let sample = Moments::from_values(differences)?;
        Difference::from(sample.mean, vec![sample])
    }

    /// Returns the mean of `b` less that of `a`; `None` if one has fewer than two values, or one that is not finite.
    pub(crate) fn unpaired(a: &[f64], b: &[f64]) -> Option<Difference> {
        let (a, b) = (Moments::from_values(a)?, Moments::from_values(b)?);
        Difference::from(b.mean - a.mean, vec![a, b])
    }

    fn from(value: f64, samples: Vec<Moments>) -> Option<Difference> {
        (value.is_finite() && samples.iter().all(|sample| sample.count >= 2)).then_some(Difference { value, samples })
    }

    pub fn value(&self) -> f64 {
        self.value
    }

    pub fn error(&self) -> f64 {
        self.samples.iter().map(|s| s.variance / s.count as f64).sum::<f64>().sqrt()
    }

    /// Returns the degrees of freedom of the error (Welch 1947; Satterthwaite 1946); for pairs their number less one.
    pub fn freedom(&self) -> f64 {
        let parts = self.samples.iter().map(|s| (s.variance / s.count as f64, s.count as f64 - 1.0));
        // Scaled by the largest part, so that no square underflows.
        let most = parts.clone().map(|(part, _)| part).fold(0.0, f64::max);
        if most == 0.0 {
            return parts.map(|(_, freedom)| freedom).sum();
        }
        let sum: f64 = parts.clone().map(|(part, _)| part / most).sum();
        sum * sum / parts.map(|(part, freedom)| (part / most) * (part / most) / freedom).sum::<f64>()
    }

    /// Returns the interval of the difference at [`LEVEL`].
    pub fn interval(&self) -> [f64; 2] {
        let reach = quantile(0.5 + LEVEL / 2.0, self.freedom()) * self.error();
        [self.value - reach, self.value + reach]
    }

    /// Returns the two-sided p value of no difference. Without spread it is exact: 1 if there is no difference, 0 if
    /// there is one.
    pub fn p(&self) -> f64 {
        if self.value == 0.0 {
            return 1.0;
        }
        2.0 * cdf(-self.value.abs() / self.error(), self.freedom())
    }

    /// Returns the p value of a difference of `margin` or more in either direction: two one-sided tests (Schuirmann
    /// 1987). Without spread it is exact.
    pub fn p_equivalent(&self, margin: f64) -> f64 {
        let (inside, error) = (margin - self.value.abs(), self.error());
        if error == 0.0 {
            return if inside >= 0.0 { 0.0 } else { 1.0 };
        }
        cdf(-inside / error, self.freedom())
    }

    /// Returns the number of pairs, or values in each of two groups, that decide with [`POWER`] whether there is a
    /// difference: one of the two tests decides, if difference and spread are as seen. `None` if that takes more than a
    /// million.
    ///
    /// Uses the shifted central t distribution (Chow, Shao, Wang 2008, sections 3.1 and 3.2).
    pub fn needed(&self, margin: f64) -> Option<usize> {
        let settled = |count: usize| self.with(count).power(margin) >= POWER;
        let mut enough = 2;
        while !settled(enough) {
            enough *= 2;
            if enough > MOST_REPLICATES {
                return None;
            }
        }
        let mut few = enough / 2;
        while enough - few > 1 {
            let middle = few + (enough - few) / 2;
            *(if settled(middle) { &mut enough } else { &mut few }) = middle;
        }
        Some(enough)
    }

    /// Returns the same difference with `count` values in each sample.
    fn with(&self, count: usize) -> Difference {
        Difference { samples: self.samples.iter().map(|s| Moments { count, ..*s }).collect(), ..*self }
    }

    /// Returns the share of repetitions in which the better one of the two tests decides.
    fn power(&self, margin: f64) -> f64 {
        let (value, error, freedom) = (self.value.abs(), self.error(), self.freedom());
        if error == 0.0 {
            return if value != 0.0 || margin >= 0.0 { 1.0 } else { 0.0 };
        }
        let different = cdf(value / error - quantile(1.0 - ALPHA / 2.0, freedom), freedom);
        let least = quantile(1.0 - ALPHA, freedom);
        let inside = |distance: f64| cdf(distance / error - least, freedom);
        different.max(inside(margin - value) + inside(margin + value) - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{prediction, predictions};

    /// ln of the groups: 0 and 0.2, 1 and 1.4; their pooled variance is (0.02 + 0.08) / 2, and t of 2 degrees of freedom at
    /// 95 % is 2.920 in every table.
    #[test]
    fn groups_that_spread_alike_share_their_degrees_of_freedom() {
        let [a, b] = [[0.0f64, 0.2], [1.0, 1.4]].map(|logs| logs.map(f64::exp));
        let ranges = predictions(&[&a, &b], 0.9, 0.0).unwrap();
        let reach = 2.920 * (0.05f64 * 1.5).sqrt();
        for (range, middle) in ranges.iter().zip([0.1, 1.2]) {
            let [low, high] = range.map(f64::ln);
            assert!((low - (middle - reach)).abs() < 1e-3 && (high - (middle + reach)).abs() < 1e-3, "{low} {high}");
        }
        assert_eq!(predictions(&[&a], 0.9, 0.0).unwrap(), [prediction(&a, 0.9, 0.0).unwrap()]);
        assert_eq!(predictions(&[&a, &[1.0]], 0.9, 0.0), None, "one value has no spread");
    }
}
