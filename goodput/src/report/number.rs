//! Numbers as the page shows them; `report.js` groups them the same way.

use super::Figure;

impl Figure {
    /// `value`, shown in a unit of `unit` with so many decimals: `Figure::new(69.6e6, 1e6, 1)` reads `69.6`.
    pub fn new(value: f64, unit: f64, decimals: usize) -> Figure {
        Figure { text: grouped(&format!("{:.decimals$}", value / unit)), value }
    }
}

/// Up to six decimals.
pub(super) fn shortest(value: f64) -> String {
    let text = format!("{value:.6}");
    grouped(text.trim_end_matches('0').trim_end_matches('.'))
}

/// A decimal number with its thousands apart.
pub(super) fn grouped(number: &str) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
    let (whole, fraction) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut out = String::from(sign);
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + fraction
}

#[cfg(test)]
mod tests {
    use super::{Figure, shortest};

    #[test]
    fn numbers_read_well() {
        assert_eq!(shortest(17500.0), "17,500");
        assert_eq!(shortest(0.5), "0.5");
        assert_eq!(shortest(0.0), "0");
        assert_eq!(shortest(-1234.25), "-1,234.25");
        assert_eq!(Figure::new(69.64e6, 1e6, 1).text, "69.6");
        assert_eq!(Figure::new(940e9, 1e6, 0).text, "940,000");
    }
}
