//! How many runs lie in a range that was predicted, and how wide such ranges are.

use base::stats::{LEVEL, binomial_interval, median};
use std::ops::{Add, AddAssign};

/// Runs inside their ranges, and all.
#[derive(Default, Clone, Copy)]
pub struct Inside {
    pub some: u64,
    pub all: u64,
}

impl Inside {
    /// "9 of 10 (90 %, 55 to 100)": with the exact interval of the probability behind it.
    pub fn told(self) -> String {
        let Inside { some, all } = self;
        let Some([low, high]) = binomial_interval(some, all, LEVEL) else { return "–".into() };
        let [share, low, high] = [some as f64 / all as f64, low, high].map(|share| 100.0 * share);
        format!("{some} of {all} ({share:.0} %, {low:.0} to {high:.0})")
    }
}

impl Add for Inside {
    type Output = Inside;

    fn add(self, other: Inside) -> Inside {
        Inside { some: self.some + other.some, all: self.all + other.all }
    }
}

impl AddAssign for Inside {
    fn add_assign(&mut self, other: Inside) {
        *self = *self + other;
    }
}

/// "× 1.84": the median of upper ends over lower ones.
pub fn width(factors: &[f64]) -> String {
    if factors.is_empty() { "–".into() } else { format!("× {:.2}", median(factors)) }
}
