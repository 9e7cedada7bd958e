//! Measures as people read them: the unit that fits, three significant digits.

use crate::measure::Unit;

/// Units of a kind with their sizes in the measure's own unit, from large to small.
fn scales(unit: Unit) -> &'static [(&'static str, f64)] {
    match unit {
        Unit::BitsPerSecond => &[("Gbit/s", 1e9), ("Mbit/s", 1e6), ("kbit/s", 1e3), ("bit/s", 1.0)],
        Unit::Seconds => &[("s", 1.0), ("ms", 1e-3), ("us", 1e-6)],
        Unit::Ratio => &[("%", 0.01)],
        Unit::Packets => &[("packets", 1.0)],
        Unit::Bytes => &[("MB", 1e6), ("kB", 1e3), ("B", 1.0)],
    }
}

/// The unit in which a column of a table shows all its values, and its size in the measure's own unit.
pub fn column_unit(unit: Unit) -> (&'static str, f64) {
    match unit {
        Unit::BitsPerSecond => ("Mbit/s", 1e6),
        Unit::Seconds => ("ms", 1e-3),
        Unit::Bytes => ("kB", 1e3),
        Unit::Ratio | Unit::Packets => scales(unit)[0],
    }
}

fn fitting(unit: Unit, value: f64) -> (&'static str, f64) {
    let scales = scales(unit);
    *scales.iter().find(|(_, size)| value.abs() >= *size).unwrap_or(scales.last().expect("each unit has a scale"))
}

/// Three significant digits, and never an exponent.
pub fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let digits = (2 - value.abs().log10().floor() as i32).clamp(0, 6) as usize;
    format!("{value:.digits$}")
}

/// A value with its unit.
pub fn value(unit: Unit, value: f64) -> String {
    let (name, size) = fitting(unit, value);
    format!("{} {name}", number(value / size))
}

/// Two values with one unit, or one where both look alike.
pub fn range(unit: Unit, low: f64, high: f64) -> String {
    let (name, size) = fitting(unit, high);
    let [low, high] = [low, high].map(|v| number(v / size));
    if low == high { format!("{high} {name}") } else { format!("{low} to {high} {name}") }
}

/// Factors, as in "3.1 to 3.4".
pub fn times(ratios: &[f64]) -> String {
    let low = number(ratios.iter().copied().fold(f64::INFINITY, f64::min));
    let high = number(ratios.iter().copied().fold(f64::NEG_INFINITY, f64::max));
    if low == high { high } else { format!("{low} to {high}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_and_the_unit_that_fits() {
        assert_eq!(value(Unit::BitsPerSecond, 69.6e6), "69.6 Mbit/s");
        assert_eq!(value(Unit::BitsPerSecond, 941_482_000.0), "941 Mbit/s");
        assert_eq!(value(Unit::Seconds, 0.21), "210 ms");
        assert_eq!(value(Unit::Ratio, 0.0000165), "0.00165 %");
        assert_eq!(value(Unit::Packets, 0.0), "0 packets");
        assert_eq!(range(Unit::BitsPerSecond, 9.5e6, 941e6), "9.50 to 941 Mbit/s");
        assert_eq!(times(&[3.217, 2.0]), "2.00 to 3.22");
    }
}
