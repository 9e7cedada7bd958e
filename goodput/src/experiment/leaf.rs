//! Values: what each key takes. A leaf says what is wrong with its value, whoever asked adds the key.

use super::value::Value;
use super::written::{Buffer, Extent};
use crate::measure::Unit;
use crate::suggest::suggest;
use evidence::unit::{self, Kind, Wrong};
use std::ops::RangeInclusive;
use toml::de::DeValue;

/// A quantity of one kind within bounds.
pub fn quantity(kind: &'static Kind, range: RangeInclusive<u64>) -> impl Fn(&Value) -> Result<u64, Wrong> {
    move |value| within(kind, written(value, &[kind])?.1, &range)
}

/// Any text but none.
pub fn text(value: &Value) -> Result<String, Wrong> {
    match value.toml.as_str() {
        Some(text) if text.trim().is_empty() => Err(Wrong::new("is empty")),
        Some(text) => Ok(text.to_owned()),
        None => Err(value.is_not("text in quotes")),
    }
}

/// What a flow is called.
pub fn flow_name(value: &Value) -> Result<String, Wrong> {
    let name = text(value)?;
    if crate::plan::is_flow_name(&name) {
        return Ok(name);
    }
    let wrong = Wrong::new("is not the name of a flow");
    Err(wrong.accepted(
        "1 to 40 letters, digits, blanks, _, -, . and /; not \"flow \" and a number, which flows without a name have",
    ))
}

/// The path of a file in the guest that the recording gets.
pub fn fetchable(value: &Value) -> Result<String, Wrong> {
    let path = text(value)?;
    match crate::plan::is_fetchable(&path) {
        true => Ok(path),
        false => Err(Wrong::new("is not a file that can be fetched")
            .accepted("/tmp/ and a name of letters, digits, _, - and ., which does not begin with a dot")),
    }
}

/// The name of a kernel, which may read like a number.
pub fn kernel(value: &Value) -> Result<String, Wrong> {
    let is_number = matches!(value.toml, DeValue::Integer(_) | DeValue::Float(_));
    text(value).map_err(|wrong| if is_number { wrong.hint(format!("write \"{}\"", value.plain())) } else { wrong })
}

/// Any text, also none.
pub fn prose(value: &Value) -> Result<String, Wrong> {
    value.toml.as_str().map(str::to_owned).ok_or_else(|| value.is_not("text in quotes"))
}

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

/// `"none"`, where else a table stands; `such` is one.
pub fn none<T>(such: &'static str) -> impl Fn(&Value) -> Result<Option<T>, Wrong> {
    move |value| match value.toml.as_str() {
        Some("none") => Ok(None),
        _ => Err(value.is_not(&format!("a table such as {such}, or \"none\""))),
    }
}

/// `true` or `false`.
pub fn boolean(value: &Value) -> Result<bool, Wrong> {
    value.toml.as_bool().ok_or_else(|| {
        let wrong = value.is_not("true or false, without quotes");
        match value.plain().to_lowercase().as_str() {
            "true" | "on" | "yes" | "1" => wrong.hint("write true"),
            "false" | "off" | "no" | "0" => wrong.hint("write false"),
            _ => wrong,
        }
    })
}

/// A whole number within bounds.
pub fn integer(range: RangeInclusive<u64>) -> impl Fn(&Value) -> Result<u64, Wrong> {
    move |value| {
        let due = format!("a whole number from {} to {}", range.start(), range.end());
        let Some(number) = value.toml.as_integer() else {
            let wrong = value.is_not(&due);
            let quoted = value.toml.as_str().filter(|text| text.parse::<u64>().is_ok());
            return Err(match quoted {
                Some(text) => wrong.hint(format!("write {text} without quotes")),
                None => wrong,
            });
        };
        let parsed = u64::from_str_radix(number.as_str(), number.radix()).ok();
        parsed.filter(|number| range.contains(number)).ok_or_else(|| Wrong::new("is out of range").accepted(due))
    }
}

/// The name of a congestion control by its shape.
pub fn congestion(value: &Value) -> Result<String, Wrong> {
    let name = text(value)?;
    if crate::plan::is_congestion(&name) {
        return Ok(name);
    }
    let wrong = Wrong::new("is not the name of a congestion control").accepted("1 to 15 of a-z, 0-9, _ and -");
    let lower = name.trim().to_lowercase();
    Err(if crate::plan::is_congestion(&lower) { wrong.hint(format!("write \"{lower}\"")) } else { wrong })
}

/// A host's line rate; `None` is unlimited.
pub fn nic(range: RangeInclusive<u64>) -> impl Fn(&Value) -> Result<Option<u64>, Wrong> {
    move |value| match value.toml.as_str() {
        Some("unlimited") => Ok(None),
        _ => quantity(&unit::RATE, range.clone())(value).map(Some).map_err(|wrong| or_word(wrong, "unlimited")),
    }
}

/// The size of a socket buffer; `None` leaves it to autotuning.
pub fn socket_buffer(least: u64) -> impl Fn(&Value) -> Result<Option<u32>, Wrong> {
    /// The kernel caps it at half of INT_MAX before it doubles it (sk_setsockopt in net/core/sock.c).
    const MOST: u64 = (i32::MAX / 2) as u64;
    move |value| match value.toml.as_str() {
        Some("auto") => Ok(None),
        _ => {
            let size = quantity(&unit::SIZE, least..=MOST)(value);
            size.map(|size| Some(size as u32)).map_err(|wrong| or_word(wrong, "auto"))
        }
    }
}

/// TCP_MIN_MSS in include/net/tcp.h.
pub const MSS_MIN: u64 = 88;

/// In ns; the longest time that a queue discipline or a packet's delay is told: tc counts 64 ns in 32 bits, 274.8 s.
pub const LONGEST: u64 = 270_000_000_000;

/// In ns; the shortest time that tc knows but none.
pub const SHORTEST: u64 = 1_000;

/// The most that a flow carries: 1000 GB.
pub const MOST_BYTES: u64 = 1_000_000_000_000;

/// The largest queue: bfifo counts in 32 bits (net/sched/sch_fifo.c).
pub const MOST_QUEUED: u64 = 4_000_000_000;

/// The size of a queue in any of its three units.
pub fn buffer(value: &Value) -> Result<Buffer, Wrong> {
    let kinds = [&unit::PACKETS, &unit::SIZE, &unit::BDP];
    let (kind, grains) = written(value, &kinds)?;
    within(kinds[kind], grains, &[1..=u64::from(u32::MAX), 1..=MOST_QUEUED, 1..=1000 * unit::MICRO][kind])?;
    Ok(match kind {
        0 => Buffer::Packets(grains as u32),
        1 => Buffer::Bytes(grains),
        _ => Buffer::Bdp(grains),
    })
}

/// An extent of a queue: a time or packets, or if `sizes` bytes as well.
pub fn extent(sizes: bool) -> impl Fn(&Value) -> Result<Extent, Wrong> {
    move |value| {
        let kinds = &[&unit::TIME, &unit::PACKETS, &unit::SIZE][..if sizes { 3 } else { 2 }];
        let (kind, grains) = written(value, kinds)?;
        within(kinds[kind], grains, &[SHORTEST..=LONGEST, 1..=u64::from(u32::MAX), 1..=MOST_QUEUED][kind])?;
        Ok([Extent::Time, Extent::Packets, Extent::Bytes][kind](grains))
    }
}

fn or_word(mut wrong: Wrong, word: &str) -> Wrong {
    for note in wrong.notes.iter_mut().filter(|note| note.starts_with("accepted: ")) {
        note.push_str(&format!(", or \"{word}\""));
    }
    wrong
}

/// The quantity in a string; a bare number has no unit.
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

/// A value of a measure, in the measure's unit; anything goes while the measure is unknown.
pub fn measured(unit: Option<Unit>) -> impl Fn(&Value) -> Result<f64, Wrong> {
    move |value| {
        let Some(unit) = unit else { return Ok(0.0) };
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

/// How a measure's values are written, and how many grains make one of its unit; `None` of a plain number.
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
