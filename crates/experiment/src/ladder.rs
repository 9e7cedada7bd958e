//! Ranges of values: `"536 B to 7160 B step 100 B"`, and `"1 Mbit/s to 1 Gbit/s times 10"`.

use super::value::Value;
use evidence::unit::Wrong;
use plan::{Ladder, decimal};
use toml::de::DeValue;

/// Most values of a range.
const MAX_VALUES: u64 = 1_000_000;
/// Most decimals, as for shares: 10^-12 of a unit.
const MAX_DECIMALS: u32 = 12;

/// Describes a range, for errors.
pub const RANGE: &str = "a range such as \"536 B to 7160 B step 100 B\" or \"1 ms to 100 ms times 10\"";

/// A decimal number, `parts` / 10^`decimals`, with any unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    parts: u64,
    decimals: u32,
    unit: String,
}

impl Quantity {
    /// Reads the quantity in a TOML value.
    pub fn read(value: &Value) -> Result<Quantity, Wrong> {
        let text = match value.toml {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(_) | DeValue::Float(_) => value.plain(),
            _ => return Err(value.is_not("a number with its unit, such as \"536 B\"")),
        };
        Quantity::parse(&text).ok_or_else(|| {
            Wrong::new("is not a number with a unit").accepted("digits, optionally with a decimal point, and a unit")
        })
    }

    fn parse(text: &str) -> Option<Quantity> {
        let text = text.trim();
        let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
        let (number, unit) = (&text[..end], text[end..].trim_start());
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let fraction = fraction.trim_end_matches('0');
        let is_whole = !whole.is_empty() && whole.bytes().all(|b| b.is_ascii_digit());
        if !is_whole || fraction.contains('.') || fraction.len() > MAX_DECIMALS as usize || unit.contains(' ') {
            return None;
        }
        let parts = format!("{whole}{fraction}").parse().ok()?;
        Some(Quantity { parts, decimals: fraction.len() as u32, unit: unit.to_owned() })
    }

    /// Returns the number in units of 10^-`decimals`; `None` if it overflows.
    fn scaled(&self, decimals: u32) -> Option<u64> {
        10u64.checked_pow(decimals - self.decimals).and_then(|factor| self.parts.checked_mul(factor))
    }
}

/// Builds the ladder from one quantity to another. Its last rung does not exceed the end; errors call the step
/// `step_name`.
pub fn ladder(from: &Quantity, to: &Quantity, step: &Quantity, step_name: &str) -> Result<Ladder, Wrong> {
    let unit = one_unit(&[from, to, step])?;
    let decimals = [from, to, step].map(|quantity| quantity.decimals).into_iter().max().unwrap_or(0);
    let [Some(first), Some(end), Some(step)] = [from, to, step].map(|quantity| quantity.scaled(decimals)) else {
        return Err(Wrong::new("has too many digits"));
    };
    if step == 0 {
        return Err(Wrong::new(format!("has a {step_name} of 0, so that it never ends")));
    }
    let Some(span) = end.checked_sub(first).filter(|span| *span > 0) else {
        return Err(Wrong::new("does not rise").accepted("the smaller end first"));
    };
    if span < step {
        return Err(Wrong::new(format!("reaches no second value by its {step_name}")));
    }
    Ok(Ladder { first, step, last: span / step, decimals, unit: unit.to_owned() })
}

/// Returns the common unit. Quantities without a unit take it from the others.
fn one_unit<'q>(all: &[&'q Quantity]) -> Result<&'q str, Wrong> {
    let mut units = all.iter().map(|quantity| quantity.unit.as_str()).filter(|unit| !unit.is_empty());
    let unit = units.next().unwrap_or("");
    match units.find(|other| *other != unit) {
        Some(other) => Err(Wrong::new(format!("has two units, {unit} and {other}")).hint("write all in one of them")),
        None => Ok(unit),
    }
}

/// Returns the number of rungs that fit into a quantity, rounded down.
pub fn rungs(ladder: &Ladder, quantity: &Quantity) -> Result<u64, Wrong> {
    if !quantity.unit.is_empty() && quantity.unit != ladder.unit {
        return Err(Wrong::new(format!("has another unit than from: {}", ladder.unit)));
    }
    let decimals = ladder.decimals.max(quantity.decimals);
    let step = Quantity { parts: ladder.step, decimals: ladder.decimals, unit: String::new() };
    let scaled = [quantity, &step].map(|quantity| quantity.scaled(decimals));
    let [Some(parts), Some(step)] = scaled else { return Err(Wrong::new("has too many digits")) };
    match parts / step {
        0 => Err(Wrong::new("is below the resolution").accepted(format!("{} at least", ladder.difference(1)))),
        rungs if rungs > ladder.last => Err(Wrong::new("is wider than the range")),
        rungs => Ok(rungs),
    }
}

/// Returns the values of a range in TOML syntax: quantities in quotes, or plain numbers.
pub fn range(text: &str) -> Result<Vec<String>, Wrong> {
    let no_range = || Wrong::new("is no range").accepted(format!("{RANGE}, or a list of values in brackets"));
    let (from, rest) = text.split_once(" to ").ok_or_else(no_range)?;
    let linear = rest.split_once(" step ");
    let (to, by) = linear.or_else(|| rest.split_once(" times ")).ok_or_else(no_range)?;
    let [Some(from), Some(to), Some(by)] = [from, to, by].map(Quantity::parse) else { return Err(no_range()) };
    if linear.is_none() {
        return geometric(&from, &to, &by);
    }
    let ladder = ladder(&from, &to, &by, "step")?;
    if ladder.last >= MAX_VALUES {
        return Err(Wrong::new(format!("has {} values", ladder.last.saturating_add(1)))
            .accepted(format!("{MAX_VALUES} at most")));
    }
    Ok((0..=ladder.last).map(|rung| toml(&ladder.text(rung), &ladder.unit)).collect())
}

fn geometric(from: &Quantity, to: &Quantity, by: &Quantity) -> Result<Vec<String>, Wrong> {
    if !by.unit.is_empty() {
        return Err(Wrong::new(format!("multiplies by a quantity in {}", by.unit)).hint("write the factor alone"));
    }
    let unit = one_unit(&[from, to])?;
    let factor = by.parts as f64 / 10f64.powi(by.decimals as i32);
    if factor <= 1.0 || from.parts == 0 {
        let what = if from.parts == 0 { "multiplies from 0" } else { "never rises by its factor" };
        return Err(Wrong::new(what).accepted("a start above 0, and a factor above 1"));
    }
    let is_above = |parts: u128, decimals: u32| {
        let most = decimals.max(to.decimals);
        let at = |parts: u128, decimals: u32| parts.saturating_mul(10u128.pow(most - decimals));
        at(parts, decimals) > at(to.parts.into(), to.decimals)
    };
    let (mut parts, mut decimals, mut all) = (u128::from(from.parts), from.decimals, vec![]);
    while !is_above(parts, decimals) {
        let exact = u64::try_from(parts).ok().filter(|_| decimals <= MAX_DECIMALS);
        let too_long = || Wrong::new("has values of too many digits").hint("choose another factor");
        let number = decimal(exact.ok_or_else(too_long)?, decimals);
        all.push(toml(format!("{number} {unit}").trim_end(), unit));
        (parts, decimals) = (parts * u128::from(by.parts), decimals + by.decimals);
        while decimals > 0 && parts.is_multiple_of(10) {
            (parts, decimals) = (parts / 10, decimals - 1);
        }
    }
    match all.len() {
        0 => Err(Wrong::new("does not rise").accepted("the smaller end first")),
        _ => Ok(all),
    }
}

fn toml(text: &str, unit: &str) -> String {
    if unit.is_empty() { text.to_owned() } else { format!("\"{text}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        range(text).unwrap_or_else(|wrong| panic!("{text} {wrong:?}"))
    }

    #[test]
    fn ranges_are_exact() {
        assert_eq!(values("536 B to 736 B step 100 B"), ["\"536 B\"", "\"636 B\"", "\"736 B\""]);
        assert_eq!(values("0.1 to 0.3 % step 0.1"), ["\"0.1 %\"", "\"0.2 %\"", "\"0.3 %\""]);
        assert_eq!(values("1 to 4 step 1"), ["1", "2", "3", "4"]);
        assert_eq!(values("1 to 4 step 2"), ["1", "3"]);
        assert_eq!(values("1 Mbit/s to 100 Mbit/s times 10"), ["\"1 Mbit/s\"", "\"10 Mbit/s\"", "\"100 Mbit/s\""]);
        assert_eq!(values("0.01 % to 0.05 % times 2"), ["\"0.01 %\"", "\"0.02 %\"", "\"0.04 %\""]);
        assert_eq!(values("1 ms to 2 ms times 1.5"), ["\"1 ms\"", "\"1.5 ms\""]);
        assert_eq!(values("1 to 18446744073709551615 times 2").len(), 64);
    }

    #[test]
    fn malformed_ranges_say_why() {
        let what = |text: &str| range(text).unwrap_err().what;
        for (text, why) in [
            ("", "is no range"),
            ("1 B to 2 B", "is no range"),
            ("a to b step c", "is no range"),
            ("5 B to 1 B step 1 B", "does not rise"),
            ("5 B to 5 B step 1 B", "does not rise"),
            ("5 B to 1 B times 2", "does not rise"),
            ("1 B to 10 B step 0 B", "has a step of 0, so that it never ends"),
            ("1 B to 10 kB step 1 B", "has two units, B and kB"),
            ("1 B to 10 B times 1", "never rises by its factor"),
            ("0 B to 10 B times 2", "multiplies from 0"),
            ("1 B to 9 B times 3 B", "multiplies by a quantity in B"),
            ("1 B to 9000000 B step 1 B", "has 9000000 values"),
            ("1 to 99999999999999999999 step 1", "is no range"),
            ("0.000001 to 18446744073709551615 step 1", "has too many digits"),
            ("0 to 18446744073709551615 step 1", "has 18446744073709551615 values"),
            ("536 B to 600 B step 100 B", "reaches no second value by its step"),
            ("1 to 10 times 1.000001", "has values of too many digits"),
            ("0.000000000003 to 18446744073709551615 times 3", "has values of too many digits"),
        ] {
            assert_eq!(what(text), why, "{text}");
        }
    }
}
