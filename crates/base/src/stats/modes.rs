//! Two modes: values in two groups far apart, which neither mean nor median shows.

use super::{MIN_FOR_INTERVAL, median};
use serde::{Deserialize, Serialize};

/// A group of values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Mode {
    /// Number of values in the group.
    pub count: usize,
    pub centre: f64,
    /// Smallest and largest value.
    pub ends: [f64; 2],
}

/// Smallest number of values in a mode: a single one is an outlier.
const MIN_IN_MODE: usize = 2;
/// Modes closer than this share of the larger one count as one: their mean does not mislead.
const MIN_MODE_DISTANCE: f64 = 0.1;
/// Smallest gap between two modes over the range of either: evenly spread values have none so wide.
const MIN_GAP_RATIO: f64 = 0.5;
/// Squares between two groups over squares within, for 5 to 30 values: normal ones exceed it in 0.2 % of samples. The
/// test is Engelman and Hartigan's (1969, "Percentage Points of a Test for Clusters"), the figures are from 200,000
/// samples each, with at least [`MIN_IN_MODE`] values in a group. The figure for 30 is safe for more values.
const CRITICAL_VALUES: [f64; 26] = [
    163.0, 64.4, 37.3, 25.4, 18.9, 15.5, 12.4, 11.1, 10.0, 8.9, 8.2, 7.7, 7.2, 6.8, 6.5, 6.1, 5.9, 5.7, 5.5, 5.3, 5.2,
    5.0, 4.9, 4.8, 4.7, 4.5,
];

/// Returns the low and the high mode of the values, if they have two: by their squares, both as they are and as
/// logarithms, so that a long tail is no mode, and by the gap between them. The order does not matter.
/// docs/explanation/statistics.md has the error rates.
pub fn modes(values: &[f64]) -> Option<[Mode; 2]> {
    if values.len() < MIN_FOR_INTERVAL || values.iter().any(|v| !v.is_finite()) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = split(&sorted)?;
    let logarithms: Option<Vec<f64>> = sorted.iter().map(|v| (*v > 0.0).then(|| v.ln())).collect();
    if logarithms.is_some_and(|logarithms| split(&logarithms) != Some(at)) {
        return None;
    }
    let [low, high] = [mode(&sorted[..at])?, mode(&sorted[at..])?];
    let gap = high.ends[0] - low.ends[1];
    let wide = [low, high].iter().all(|mode| gap > MIN_GAP_RATIO * (mode.ends[1] - mode.ends[0]));
    let apart = high.centre - low.centre > MIN_MODE_DISTANCE * high.centre.abs().max(low.centre.abs());
    (wide && apart).then_some([low, high])
}

fn mode(sorted: &[f64]) -> Option<Mode> {
    let ends = [*sorted.first()?, *sorted.last()?];
    Some(Mode { count: sorted.len(), centre: median::median_of_sorted(sorted)?, ends })
}

/// Returns the index that splits sorted values into the two groups with the least squares within; `None` unless the
/// squares between are far larger.
fn split(sorted: &[f64]) -> Option<usize> {
    let count = sorted.len();
    let mean = super::mean(sorted);
    let all: f64 = sorted.iter().map(|v| (v - mean) * (v - mean)).sum();
    let (mut below, mut best) = (0.0, (0, 0.0));
    for (at, value) in (1..).zip(&sorted[..count - MIN_IN_MODE]) {
        below += value - mean;
        let between = below * below * count as f64 / (at * (count - at)) as f64;
        if at >= MIN_IN_MODE && between > best.1 {
            best = (at, between);
        }
    }
    // Counts are rounded (Sheppard's correction): 0 and 1 are no modes.
    let counts = sorted.iter().all(|v| v.fract() == 0.0);
    let rounding = if counts { count as f64 / 12.0 } else { 0.0 };
    let (at, between) = best;
    let within = (all - between).max(0.0) + rounding;
    let critical = CRITICAL_VALUES[(count - MIN_FOR_INTERVAL).min(CRITICAL_VALUES.len() - 1)];
    (all.is_finite() && between > critical * within).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    struct Random(Xoshiro256PlusPlus);

    impl Random {
        fn uniform(&mut self) -> f64 {
            ((self.0.next_u64() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
        }

        fn normal(&mut self) -> f64 {
            (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
        }
    }

    /// Returns the share of samples of `count` values in which two modes are found.
    fn share_with_modes(count: usize, draw: impl Fn(&mut Random, usize) -> f64) -> f64 {
        const SAMPLES: usize = 4000;
        let mut random = Random(Xoshiro256PlusPlus::seed_from_u64(count as u64));
        let mut hit = || modes(&(0..count).map(|at| draw(&mut random, at)).collect::<Vec<f64>>()).is_some();
        (0..SAMPLES).filter(|_| hit()).count() as f64 / SAMPLES as f64
    }

    /// The nominal rate is 0.2 %; 4000 samples determine it within 0.3 %.
    #[test]
    fn one_mode_is_rarely_split() {
        for count in [5, 6, 8, 10, 15, 20, 30] {
            let normal = [0.0, 10.0].map(|mean| share_with_modes(count, |r, _| mean + r.normal()));
            let lognormal = [0.3, 1.0, 2.0].map(|sigma| share_with_modes(count, |r, _| (sigma * r.normal()).exp()));
            let exponential = share_with_modes(count, |r, _| -r.uniform().ln());
            for share in normal.into_iter().chain(lognormal).chain([exponential]) {
                assert!(share < 0.006, "{count} values: {share}");
            }
            // No mode at all is the hardest case of any such test.
            assert!(share_with_modes(count, |r, _| 1.0 + r.uniform()) < 0.03);
        }
    }

    #[test]
    fn modes_far_apart_are_found() {
        let half = |apart: f64, count: usize| {
            share_with_modes(count, |r, at| 40.0 + r.normal() + if at < count / 2 { apart } else { 0.0 })
        };
        assert!(half(10.0, 10) > 0.85 && half(8.0, 15) > 0.95 && half(6.0, 20) > 0.8);
        // Two of the values form a mode.
        for count in [6, 8, 10, 20, 30] {
            let share = share_with_modes(count, |r, at| 60.0 + r.normal() + if at < 2 { 30.0 } else { 0.0 });
            assert!(share > 0.95, "{count} values: {share}");
        }
    }

    /// CUBIC over 120 us with 2 % of loss and similar, Mbit/s.
    #[test]
    fn modes_are_told_apart_with_their_values() {
        let found = modes(&[632.0, 171.0, 611.0, 166.0, 640.0, 629.0, 180.0]);
        let mode = |count, centre, ends| Mode { count, centre, ends };
        assert_eq!(found, Some([mode(3, 171.0, [166.0, 180.0]), mode(4, 630.5, [611.0, 640.0])]));
    }

    #[test]
    fn unimodal_values_have_no_two_modes() {
        let none: [&[f64]; 7] = [
            &[1.5, 1.5, 9.5, 9.5],
            &[1.5, 1.5, 1.5, 1.5, 9.5],
            &[5.5; 10],
            &[0.0, 0.0, 0.0, 1.0, 1.0, 0.0],
            &[10.00, 10.00, 10.00, 10.01, 10.01, 10.01],
            &[f64::NAN, 1.0, 1.0, 9.0, 9.0, 9.0],
            &[f64::MAX, f64::MAX, f64::MIN, f64::MIN, f64::MIN],
        ];
        for values in none {
            assert_eq!(modes(values), None, "{values:?}");
        }
        let counts = |values: &[f64]| modes(values).map(|found| found.map(|mode| mode.count));
        assert_eq!(counts(&[1.5, 9.5, 1.5, 9.5, 9.5]), Some([2, 3]), "two states, and the same in each");
        assert_eq!(counts(&[0.0, 0.0, 9.5, 9.5, 9.6]), Some([2, 3]), "one of them dead");
    }
}
