//! Parses option values: quantities, with the same error texts as experiments.

use evidence::unit::{self, Kind, ONE, Wrong};
use prove::BUDGET_RANGE_NS;
use std::ops::RangeInclusive;

/// Formats an error the way clap prints it after the option and its value.
pub fn words(Wrong { what, notes, hint }: Wrong) -> String {
    let notes: String = notes.iter().map(|note| format!("\n  {note}")).collect();
    let hint = hint.map(|hint| format!("\n\nhint: {hint}")).unwrap_or_default();
    format!("{what}{notes}{hint}")
}

fn quantity(text: &str, kind: &Kind, range: RangeInclusive<u64>) -> Result<f64, String> {
    let outside = || words(Wrong::new("is out of range").accepted(kind.show_range(&range)));
    if !range.contains(&0) && text.trim().parse() == Ok(0.0) {
        return Err(outside());
    }
    let grains = kind.parse(text).map_err(words)?;
    if range.contains(&grains) { Ok(grains as f64) } else { Err(outside()) }
}

/// Parses a rate, bit/s.
pub fn rate(text: &str) -> Result<f64, String> {
    quantity(text, &unit::RATE, 1_000..=100_000_000_000_000)
}

/// Parses a round-trip time, s.
pub fn rtt(text: &str) -> Result<f64, String> {
    quantity(text, &unit::TIME, 1_000..=100_000_000_000).map(|time| time / 1e9)
}

/// Parses the time to wait for an answer, s.
pub fn budget(text: &str) -> Result<f64, String> {
    quantity(text, &unit::TIME, BUDGET_RANGE_NS).map(|time| time / 1e9)
}

/// Parses a share of 1.
pub fn share(text: &str) -> Result<f64, String> {
    quantity(text, &unit::RATIO, 0..=ONE).map(|share| share / ONE as f64)
}

/// Parses a percentage with or without its sign, above 0 and up to `most`.
pub fn percent(text: &str, most: f64) -> Result<f64, String> {
    let number: Option<f64> = text.trim().trim_end_matches('%').trim().parse().ok();
    let wrong = |what| words(Wrong::new(what).accepted(format!("a number above 0 and up to {most}")));
    match number {
        Some(percent) if percent > 0.0 && percent <= most => Ok(percent),
        Some(_) => Err(wrong("is out of range")),
        None => Err(wrong("is not a number")),
    }
}

/// Parses one of the known names.
pub fn named<T: Copy>(text: &str, known: impl Iterator<Item = (String, T)> + Clone) -> Result<T, String> {
    let names: Vec<String> = known.clone().map(|(name, _)| name).collect();
    let found = known.into_iter().find(|(name, _)| name == text);
    let wrong = || base::suggest::suggest(Wrong::new("is unknown"), text, names.iter().map(String::as_str));
    found.map(|(_, value)| value).ok_or_else(|| words(wrong()))
}
