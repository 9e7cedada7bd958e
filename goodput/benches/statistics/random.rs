//! Numbers drawn at random, the same in each run.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use statrs::distribution::{ContinuousCDF, Normal};

/// A generator.
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// For one figure, by its name (FNV-1a).
    pub fn new(figure: &str) -> Random {
        let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        Random(Xoshiro256PlusPlus::seed_from_u64(figure.bytes().fold(0xcbf2_9ce4_8422_2325, hash)))
    }

    /// Uniform in 0 to 1, neither included.
    pub fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }

    /// Standard normal (Box & Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// Exponential of mean 1.
    pub fn exponential(&mut self) -> f64 {
        -self.uniform().ln()
    }

    /// Student's t of three degrees of freedom.
    pub fn t3(&mut self) -> f64 {
        let squares: f64 = (0..3).map(|_| self.normal().powi(2)).sum();
        self.normal() / (squares / 3.0).sqrt()
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.uniform() * end as f64) as usize
    }

    /// `count` different numbers below `end`, in random order.
    pub fn choose(&mut self, count: usize, end: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..end).collect();
        for place in 0..count.min(end) {
            let other = place + self.below(end - place);
            all.swap(place, other);
        }
        all.truncate(count);
        all
    }

    /// An autoregression of mean 0 whose neighbours have the correlation `phi`, in its steady state from the start.
    pub fn autoregression(&mut self, phi: f64, count: usize) -> Vec<f64> {
        let mut value = self.normal() / (1.0 - phi * phi).sqrt();
        let mut next = || {
            value = phi * value + self.normal();
            value
        };
        (0..count).map(|_| next()).collect()
    }
}

/// A distribution with known mean and median.
pub struct Distribution {
    pub name: &'static str,
    pub mean: f64,
    pub median: f64,
    pub draw: fn(&mut Random) -> f64,
}

/// The distributions for testing intervals.
pub fn distributions() -> Vec<Distribution> {
    let of = |name, mean, median, draw| Distribution { name, mean, median, draw };
    vec![
        of("normal", 0.0, 0.0, Random::normal),
        of("uniform", 0.5, 0.5, Random::uniform),
        of("exponential", 1.0, 2_f64.ln(), Random::exponential),
        of("lognormal, σ 0.5", 0.125_f64.exp(), 1.0, |r| (0.5 * r.normal()).exp()),
        of("two modes, 3 σ apart", 0.0, 0.0, |r| modes(r, 0.5, 3.0) - 1.5),
        of("two modes, 4 σ apart", 0.0, 0.0, |r| modes(r, 0.5, 4.0) - 2.0),
        of("two modes 7 : 3, 4 σ apart", 1.2, median_of_modes(0.3, 4.0), |r| modes(r, 0.3, 4.0)),
    ]
}

/// Standard normal, and a share of it so far away.
fn modes(random: &mut Random, share: f64, apart: f64) -> f64 {
    let center = if random.uniform() < share { apart } else { 0.0 };
    center + random.normal()
}

fn median_of_modes(share: f64, apart: f64) -> f64 {
    let normal = Normal::standard();
    let below = |x: f64| (1.0 - share) * normal.cdf(x) + share * normal.cdf(x - apart);
    let (mut low, mut high) = (0.0, apart);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        *(if below(middle) < 0.5 { &mut low } else { &mut high }) = middle;
    }
    low
}
