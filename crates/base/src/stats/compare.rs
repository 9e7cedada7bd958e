//! A against B: the size of the effect, whether it exceeds chance, and the sample size that would decide it.

use super::{ALPHA, Difference, mean};
use serde::{Deserialize, Serialize};

/// Values of A and of B.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Samples<'a> {
    /// Pairs by seed: a value of A and the one of B under the same seed.
    Paired(&'a [[f64; 2]]),
    Unpaired(&'a [f64], &'a [f64]),
}

/// Kind of effect, which decides how it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// B over A, of geometric means; 1 is no difference. Used if all values are positive.
    Ratio,
    /// B less A, over A, of means; 0 is no difference. Used if A's mean is positive.
    Relative,
    /// B less A, of means, in the measure's unit; 0 is no difference. No relative margin applies: only equal values are
    /// equivalent.
    Absolute,
}

impl Scale {
    fn for_values(a: &[f64], b: &[f64]) -> Scale {
        match mean(a) {
            _ if a.iter().chain(b).all(|v| *v > 0.0) => Scale::Ratio,
            mean if mean > 0.0 => Scale::Relative,
            _ => Scale::Absolute,
        }
    }

    /// Converts a value on the scale of differences to an effect.
    fn effect(self, value: f64) -> f64 {
        if self == Scale::Ratio { value.exp() } else { value }
    }

    /// Converts the margin to that scale. A ratio's margin is as wide in B over A as in A over B.
    fn margin(self, relative: f64) -> f64 {
        match self {
            Scale::Ratio => relative.ln_1p(),
            Scale::Relative => relative,
            Scale::Absolute => 0.0,
        }
    }
}

/// Effect of B relative to A.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    pub scale: Scale,
    pub effect: f64,
    /// Uncertainty of the effect; `None` with fewer than two pairs or two values on a side.
    pub test: Option<Test>,
}

impl Comparison {
    /// Returns the factor by which the sides differ, as the absolute value of its logarithm; `None` if the effect has a
    /// unit.
    pub fn magnitude(&self) -> Option<f64> {
        match self.scale {
            Scale::Ratio => Some(self.effect.ln().abs()),
            Scale::Relative => Some(self.effect.ln_1p().abs()),
            Scale::Absolute => None,
        }
    }

    /// Whether the effect itself is less than a relative difference that counts as none.
    pub fn is_within(&self, margin: f64) -> bool {
        let distance = if self.scale == Scale::Ratio { self.effect.ln() } else { self.effect };
        distance.abs() <= self.scale.margin(margin)
    }
}

/// Uncertainty of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// The effect's interval at [`super::LEVEL`], by Student's t.
    pub interval: [f64; 2],
    /// Degrees of freedom.
    pub freedom: f64,
    /// Two-sided p value of no difference.
    pub p: f64,
    /// p value of a difference of the margin or more (two one-sided tests).
    pub p_equivalent: f64,
    /// Pairs, or values on each side, that decide with a probability of [`super::POWER`], if effect and spread are as
    /// seen; `None` if more than a million.
    pub needed: Option<usize>,
}

/// Result of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Conclusion {
    /// The difference is less than the margin.
    Equivalent,
    /// The sides differ, and the difference may exceed the margin.
    Different,
    Inconclusive,
}

/// Draws the conclusion from p values; those of several comparisons after their correction (Holm 1979).
pub fn conclude(p: f64, p_equivalent: f64) -> Conclusion {
    if p_equivalent <= ALPHA {
        Conclusion::Equivalent
    } else if p <= ALPHA {
        Conclusion::Different
    } else {
        Conclusion::Inconclusive
    }
}

/// Compares B with A; a relative difference below `margin` (a share of 1) counts as none. `None` without values on a
/// side, if a value is not finite, or if the margin is not positive.
///
/// Ratios are compared as logarithms, relative differences by the delta method (Casella & Berger 2002, section 5.5.4).
pub fn compare(samples: Samples, margin: f64) -> Option<Comparison> {
    let [a, b] = sides(samples);
    let finite = a.iter().chain(&b).all(|v| v.is_finite());
    if a.is_empty() || b.is_empty() || !finite || !margin.is_finite() || margin <= 0.0 {
        return None;
    }
    let scale = Scale::for_values(&a, &b);
    let [a, b] = linear(scale, a, b);
    let difference = match samples {
        Samples::Paired(_) => Difference::paired(&a.iter().zip(&b).map(|(a, b)| b - a).collect::<Vec<f64>>()),
        Samples::Unpaired(..) => Difference::unpaired(&a, &b),
    };
    let value = difference.as_ref().map_or(mean(&b) - mean(&a), Difference::value);
    let effect = scale.effect(value);
    let test = difference.map(|difference| {
        let margin = scale.margin(margin);
        Test {
            interval: difference.interval().map(|end| scale.effect(end)),
            freedom: difference.freedom(),
            p: difference.p(),
            p_equivalent: difference.p_equivalent(margin),
            needed: difference.needed(margin),
        }
    });
    let finite = |test: &Test| test.interval.iter().all(|end| end.is_finite());
    effect.is_finite().then_some(Comparison { scale, effect, test: test.filter(finite) })
}

fn sides(samples: Samples) -> [Vec<f64>; 2] {
    match samples {
        Samples::Paired(pairs) => [0, 1].map(|side| pairs.iter().map(|pair| pair[side]).collect()),
        Samples::Unpaired(a, b) => [a.to_vec(), b.to_vec()],
    }
}

/// Returns values whose difference of means is the effect, with its error. For a relative difference, the ratio R of
/// the means is as uncertain as the mean of b − R·a over that of a, and that mean is 0.
fn linear(scale: Scale, a: Vec<f64>, b: Vec<f64>) -> [Vec<f64>; 2] {
    let by = |values: Vec<f64>, map: &dyn Fn(f64) -> f64| values.into_iter().map(map).collect();
    match scale {
        Scale::Ratio => [by(a, &f64::ln), by(b, &f64::ln)],
        Scale::Relative => {
            let (unit, ratio) = (mean(&a), mean(&b) / mean(&a));
            // The mean of the first is 1, and its spread R times that of a.
            [by(a, &|v| 1.0 + ratio * (v / unit - 1.0)), by(b, &|v| v / unit)]
        }
        Scale::Absolute => [a, b],
    }
}
