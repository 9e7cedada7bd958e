//! Parsers that several kinds of values share. Their errors describe the value; the caller adds the key.

use super::value::Value;
use base::suggest::suggest;
use base::units::Unit;
use evidence::unit::{self, Kind, Wrong};
use std::ops::RangeInclusive;
use toml::de::DeValue;

/// Parses non-empty text.
pub fn text(value: &Value) -> Result<String, Wrong> {
    match value.toml.as_str() {
        Some(text) if text.trim().is_empty() => Err(Wrong::new("is empty")),
        Some(text) => Ok(text.to_owned()),
        None => Err(value.is_not("text in quotes")),
    }
}

/// Parses one of some words.
pub fn word<T: Copy>(words: &[(&'static str, T)]) -> impl Fn(&Value) -> Result<T, Wrong> {
    move |value| {
        let names = || words.iter().map(|(name, _)| *name);
        let Some(written) = value.toml.as_str() else {
            return Err(value.is_not(&format!("one of {}, in quotes", names().collect::<Vec<_>>().join(", "))));
        };
        let found = words.iter().find(|(name, _)| *name == written).map(|&(_, meaning)| meaning);
        found.ok_or_else(|| suggest(Wrong::new("is unknown"), written, names()))
    }
}

/// Parses `"none"` in the place of a table; errors show `such` as an example of the table.
pub fn none<T>(such: &'static str) -> impl Fn(&Value) -> Result<Option<T>, Wrong> {
    move |value| match value.toml.as_str() {
        Some("none") => Ok(None),
        _ => Err(value.is_not(&format!("a table such as {such}, or \"none\""))),
    }
}

/// Longest time in a queue discipline or of a packet's delay, ns: tc counts 64 ns in 32 bits, 274.8 s.
pub const MAX_QDISC_TIME: u64 = 270_000_000_000;

/// Shortest time above 0 in tc, ns.
pub const MIN_QDISC_TIME: u64 = 1_000;

/// Largest queue, bytes: bfifo counts in 32 bits (net/sched/sch_fifo.c).
pub const MOST_QUEUED: u64 = 4_000_000_000;

/// Size of a queue, in the unit written.
#[derive(Debug, Clone, Copy)]
pub enum Buffer {
    /// Packets of any size.
    Packets(u32),
    /// Bytes.
    Bytes(u64),
    /// Millionths of the bandwidth-delay product.
    Bdp(u64),
}

/// Extent of a queue, in the unit written.
#[derive(Debug, Clone, Copy)]
pub enum Extent {
    /// Time, ns.
    Time(u64),
    /// Time that these bytes on the wire take.
    Bytes(u64),
    /// Time that this many full packets take.
    Packets(u64),
}

/// A kind of quantity, with its smallest and largest value in its grains.
pub type Bounds = (&'static Kind, u64, u64);

/// Units of a queue's size.
pub const BUFFERS: [Bounds; 3] =
    [(&unit::PACKETS, 1, u32::MAX as u64), (&unit::SIZE, 1, MOST_QUEUED), (&unit::BDP, 1, 1000 * unit::MICRO)];

/// Units of a queue's extent.
pub const EXTENTS: [Bounds; 3] = [
    (&unit::TIME, MIN_QDISC_TIME, MAX_QDISC_TIME),
    (&unit::PACKETS, 1, u32::MAX as u64),
    (&unit::SIZE, 1, MOST_QUEUED),
];

/// Parses a quantity of one of several kinds and checks its bounds. Returns the kind's index and the amount in grains.
pub fn bounded(value: &Value, kinds: &[Bounds]) -> Result<(usize, u64), Wrong> {
    let (kind, grains) = written(value, &kinds.iter().map(|(kind, ..)| *kind).collect::<Vec<_>>())?;
    let (unit, least, most) = kinds[kind];
    Ok((kind, within(unit, grains, &(least..=most))?))
}

pub fn or_word(mut wrong: Wrong, word: &str) -> Wrong {
    for note in wrong.notes.iter_mut().filter(|note| note.starts_with("accepted: ")) {
        note.push_str(&format!(", or \"{word}\""));
    }
    wrong
}

/// Parses the quantity in a string; a bare number is an error, as it has no unit.
fn written(value: &Value, kinds: &[&Kind]) -> Result<(usize, u64), Wrong> {
    match value.toml {
        DeValue::String(text) => unit::parse_any(text, kinds),
        DeValue::Integer(_) | DeValue::Float(_) => {
            let plain = value.plain().replace('_', "");
            let read = unit::parse_any(&plain, kinds).err().filter(|wrong| wrong.what == "has no unit");
            Err(read.unwrap_or_else(|| Wrong::new("has no unit").accepted(unit::units(kinds))))
        }
        _ => Err(value.is_not(&format!("a quantity in quotes, in {}", unit::units(kinds)))),
    }
}

fn within(kind: &Kind, grains: u64, range: &RangeInclusive<u64>) -> Result<u64, Wrong> {
    let what = match grains {
        grains if range.contains(&grains) => return Ok(grains),
        grains if grains < *range.start() => "is too small",
        _ => "is too large",
    };
    Err(Wrong::new(what).accepted(kind.show_range(range)))
}

/// Parses a value of a measure, in its unit. If the unit is unknown, any number or quantity is accepted.
pub fn measured(unit: Option<Unit>) -> impl Fn(&Value) -> Result<f64, Wrong> {
    move |value| {
        let Some(unit) = unit else {
            let is_any = matches!(value.toml, DeValue::String(_) | DeValue::Integer(_) | DeValue::Float(_));
            return if is_any { Ok(0.0) } else { Err(value.is_not("a quantity in the measure's unit, or a number")) };
        };
        let Some((kind, one)) = kind(unit) else { return plain(value) };
        Ok(written(value, &[kind])?.1 as f64 / one)
    }
}

fn plain(value: &Value) -> Result<f64, Wrong> {
    const ACCEPTED: &str = "a decimal number from 0, without quotes";
    if !matches!(value.toml, DeValue::Integer(_) | DeValue::Float(_)) {
        return Err(value.is_not(ACCEPTED));
    }
    let number: Option<f64> = value.plain().replace('_', "").parse().ok();
    number.filter(|n| n.is_finite() && *n >= 0.0).ok_or_else(|| Wrong::new("is no count").accepted(ACCEPTED))
}

/// Returns the kind of quantity in which a measure is written, and its grains per unit of the measure; `None` for a
/// plain number.
fn kind(unit: Unit) -> Option<(&'static Kind, f64)> {
    Some(match unit {
        Unit::BitsPerSecond => (&unit::RATE, 1.0),
        Unit::Seconds => (&unit::TIME, 1e9),
        Unit::Ratio => (&unit::RATIO, unit::ONE as f64),
        Unit::Packets => (&unit::MEAN_PACKETS, unit::MICRO as f64),
        Unit::Bytes | Unit::PacketBytes => (&unit::SIZE, 1.0),
        Unit::Count | Unit::Index => return None,
    })
}
