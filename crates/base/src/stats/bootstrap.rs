//! The smoothed bootstrap-t (Efron & Tibshirani 1993, section 12.5; smoothed as by Polansky & Schucany 1997).
//!
//! Resamples of the values show how far a mean may be from the truth, in its own standard errors. Plain resamples of
//! few values repeat some so often that their spread is almost zero, and intervals become far too wide; a little noise
//! on each value prevents that, and preserves the skewness, which Student's t ignores.

use super::{LEVEL, Moments};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

pub(super) const METHOD: &str = "smoothed bootstrap-t, 3999 resamples, 95 %";

/// Number of resamples: one less than a multiple of 40, so that a tail of 2.5 % begins at a resample.
pub(super) const RESAMPLES: usize = 3999;

/// Returns the standard deviation of the noise, in standard deviations of the values. By experiment
/// (docs/explanation/statistics.md): with more noise, intervals of five skewed values cover too rarely; with less,
/// those of ten evenly spread ones too often.
fn noise(draws: usize) -> f64 {
    (draws as f64 / 25.0).min(0.4)
}

/// Seed of the generator, combined with the number of values: the same values give the same interval.
const SEED: u64 = 0x6f6f_6470_7574;

/// Returns the interval of a mean with standard error `error`, by resamples of `draws` values from a population with
/// these moments and a spread. A sample is its own population.
pub(super) fn interval(population: &[f64], moments: Moments, draws: usize, error: f64) -> [f64; 2] {
    let Moments { mean, variance, .. } = moments;
    let deviation = variance.sqrt();
    let standard: Vec<f64> = population.iter().map(|v| (v - mean) / deviation).collect();
    let [low, high] = critical(&standard, draws);
    [(mean - high * error).min(mean), (mean - low * error).max(mean)]
}

/// Returns the bounds of the mean of `draws` values at [`super::LEVEL`], in standard errors, for a population of mean 0
/// and standard deviation 1.
fn critical(population: &[f64], draws: usize) -> [f64; 2] {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED ^ population.len() as u64);
    // Uniform noise has a twelfth of its width's square as variance.
    let width = noise(draws) * 12_f64.sqrt();
    let mut studentized: Vec<f64> = (0..RESAMPLES).map(|_| resample(population, draws, width, &mut random)).collect();
    let tail = ((1.0 - LEVEL) / 2.0 * (RESAMPLES + 1) as f64).round() as usize;
    let low = *studentized.select_nth_unstable_by(tail - 1, f64::total_cmp).1;
    let high = *studentized.select_nth_unstable_by(RESAMPLES - tail, f64::total_cmp).1;
    [low, high]
}

/// Returns the studentized mean of a resample whose values have noise of this width.
fn resample(population: &[f64], draws: usize, width: f64, random: &mut Xoshiro256PlusPlus) -> f64 {
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..draws {
        let bits = random.next_u64();
        // The upper half chooses a value, the lower half is its noise.
        let chosen = ((bits >> 32) * population.len() as u64) >> 32;
        let noise = f64::from(bits as u32) / f64::from(u32::MAX) - 0.5;
        let value = population[chosen as usize] + width * noise;
        sum += value;
        squares += value * value;
    }
    let draws = draws as f64;
    let variance = (squares - sum * sum / draws) / (draws - 1.0);
    sum / (draws * variance.max(f64::MIN_POSITIVE)).sqrt()
}
