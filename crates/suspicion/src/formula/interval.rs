//! Interval arithmetic for quantities that are never negative: rates, times, sizes, shares, counts.
//!
//! The rules are those of Moore, Interval Analysis (1966), for non-negative ends: a sum adds the ends, a quotient divides
//! each end by the other's opposite end, a difference ends at 0. A result holds every value that its operands allow.

use serde::Serialize;
use std::ops::{Add, Div, Mul, Sub};

/// A value that lies between these ends. The upper end may be infinite.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// Relative distance below which two ends count as equal: rounding of a few dozen operations.
const ROUNDING: f64 = 1e-9;

impl Interval {
    /// All values.
    pub const ANY: Interval = Interval { low: 0.0, high: f64::INFINITY };

    /// Returns the interval between two ends, in either order.
    pub fn new(one: f64, other: f64) -> Interval {
        Interval { low: one.min(other), high: one.max(other) }
    }

    /// Returns the interval of a single value.
    pub const fn exactly(value: f64) -> Interval {
        Interval { low: value, high: value }
    }

    /// Returns the interval from a value divided by a factor to the value times the factor.
    pub fn around(value: f64, factor: f64) -> Interval {
        Interval::new(value / factor, value * factor)
    }

    /// True if both can have the same value.
    pub fn meets(self, other: Interval) -> bool {
        self.low <= other.high * (1.0 + ROUNDING) && other.low <= self.high * (1.0 + ROUNDING)
    }

    /// Returns the values that are in both.
    pub fn within(self, other: Interval) -> Option<Interval> {
        let [low, high] = [self.low.max(other.low), self.high.min(other.high)];
        (low <= high).then_some(Interval { low, high })
    }

    /// Returns the smallest interval with both.
    pub fn hull(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Returns the smaller of two values.
    pub fn min(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.min(other.high) }
    }

    /// Returns the larger of two values.
    pub fn max(self, other: Interval) -> Interval {
        Interval { low: self.low.max(other.low), high: self.high.max(other.high) }
    }

    /// Returns the value to this power.
    pub fn power(self, exponent: f64) -> Interval {
        Interval::new(self.low.powf(exponent), self.high.powf(exponent))
    }

    /// Returns the geometric mean of the ends; of an interval from 0 or without an end, the other end.
    pub fn middle(self) -> f64 {
        match self {
            Interval { low, high } if high.is_infinite() => low,
            Interval { low, high } if low <= 0.0 => high,
            Interval { low, high } => (low * high).sqrt(),
        }
    }

    /// Returns the natural logarithm of the ratio of its ends.
    pub fn width(self) -> f64 {
        if self.low == self.high { 0.0 } else { (self.high / self.low).ln() }
    }

    /// Returns the natural logarithm of the ratio of the nearest ends of two intervals; 0 if they meet.
    pub fn gap(self, other: Interval) -> f64 {
        if self.meets(other) { 0.0 } else { (other.low / self.high).ln().max((self.low / other.high).ln()) }
    }

    /// True if it is a single value.
    pub fn is_exact(self) -> bool {
        self.low == self.high
    }
}

impl Add for Interval {
    type Output = Interval;

    fn add(self, other: Interval) -> Interval {
        Interval { low: self.low + other.low, high: self.high + other.high }
    }
}

impl Sub for Interval {
    type Output = Interval;

    fn sub(self, other: Interval) -> Interval {
        let apart = |one: f64, other: f64| if one.is_infinite() && other.is_infinite() { 0.0 } else { one - other };
        let high = if self.high.is_infinite() { f64::INFINITY } else { self.high - other.low };
        Interval { low: apart(self.low, other.high).max(0.0), high: high.max(0.0) }
    }
}

impl Mul for Interval {
    type Output = Interval;

    fn mul(self, other: Interval) -> Interval {
        // 0 times infinity: the lower end may be 0, the upper one anything.
        let low = self.low * other.low;
        let high = self.high * other.high;
        let high = match high.is_nan() {
            true if self == Interval::exactly(0.0) || other == Interval::exactly(0.0) => 0.0,
            true => f64::INFINITY,
            false => high,
        };
        Interval { low: if low.is_nan() { 0.0 } else { low }, high }
    }
}

impl Div for Interval {
    type Output = Interval;

    fn div(self, other: Interval) -> Interval {
        let low = if other.high == 0.0 { f64::INFINITY } else { self.low / other.high };
        let high = if other.low == 0.0 { f64::INFINITY } else { self.high / other.low };
        Interval { low: if low.is_nan() { 0.0 } else { low }, high: if high.is_nan() { f64::INFINITY } else { high } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const fn interval(low: f64, high: f64) -> Interval {
        Interval { low, high }
    }

    /// Ends computed by hand.
    #[test]
    fn operations_match_hand_arithmetic() {
        let (a, b) = (interval(2.0, 3.0), interval(4.0, 10.0));
        assert_eq!(a + b, interval(6.0, 13.0));
        assert_eq!(b - a, interval(1.0, 8.0));
        assert_eq!(a - b, interval(0.0, 0.0));
        assert_eq!(a * b, interval(8.0, 30.0));
        assert_eq!(b / a, interval(4.0 / 3.0, 5.0));
        assert_eq!(a.power(2.0), interval(4.0, 9.0));
        assert_eq!(interval(4.0, 16.0).power(-0.5), interval(0.25, 0.5));
        assert_eq!(a.min(interval(1.0, 9.0)), interval(1.0, 3.0));
        assert_eq!(a.max(interval(1.0, 9.0)), interval(2.0, 9.0));
        assert_eq!(interval(4.0, 9.0).middle(), 6.0);
        assert_eq!(a / interval(0.0, 1.0), interval(2.0, f64::INFINITY));
        assert_eq!(Interval::ANY * interval(0.0, 0.0), interval(0.0, 0.0));
        assert_eq!(a.within(interval(2.5, 9.0)), Some(interval(2.5, 3.0)));
        assert_eq!(a.within(b), None);
        assert!((interval(1.0, 2.0).gap(interval(4.0, 8.0)) - 2f64.ln()).abs() < 1e-12);
    }

    proptest! {
        /// The rule that makes it arithmetic of intervals: the result holds what any two values give.
        #[test]
        fn results_hold_every_pair_of_values(
            ends in prop::array::uniform4(1e-6..1e9f64), shares in prop::array::uniform2(0.0..=1.0f64)
        ) {
            let (a, b) = (Interval::new(ends[0], ends[1]), Interval::new(ends[2], ends[3]));
            let at = |i: Interval, share: f64| i.low + (i.high - i.low) * share;
            let (x, y) = (at(a, shares[0]), at(b, shares[1]));
            let holds = |i: Interval, v: f64| i.meets(Interval::exactly(v));
            prop_assert!(holds(a + b, x + y) && holds(a - b, (x - y).max(0.0)) && holds(a * b, x * y) && holds(a / b, x / y));
            prop_assert!(holds(a.min(b), x.min(y)) && holds(a.max(b), x.max(y)) && holds(a.power(0.75), x.powf(0.75)));
        }

        #[test]
        fn no_operation_gives_nan(ends in prop::array::uniform4(prop::sample::select(vec![0.0, 1.0, f64::INFINITY]))) {
            let (a, b) = (Interval::new(ends[0], ends[1]), Interval::new(ends[2], ends[3]));
            for i in [a + b, a - b, a * b, a / b, a.min(b), a.max(b), a.power(0.5), a.power(-0.5)] {
                prop_assert!(!i.low.is_nan() && !i.high.is_nan() && i.low <= i.high, "{a:?} {b:?} {i:?}");
            }
        }
    }
}
