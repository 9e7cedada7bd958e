//! Types of values: quantities and numbers within bounds.

use crate::key::{Leaf, Shown, Trial};
use crate::leaf::{self, Bounds, Buffer, Extent};
use crate::value::Value;
use evidence::unit::{self, Kind, Wrong};
use serde_json::{Value as Json, json};

/// Nanoseconds in a day.
pub const DAY: u64 = 86_400_000_000_000;

/// A quantity of one kind from `least` to `most`, in the kind's grains.
#[derive(Debug, Clone, Copy)]
pub struct BoundedQuantity {
    kind: &'static Kind,
    least: u64,
    most: u64,
}

/// Accepts a time in these bounds, ns.
pub const fn time(least: u64, most: u64) -> BoundedQuantity {
    BoundedQuantity { kind: &unit::TIME, least, most }
}

/// Accepts a size in these bounds, bytes.
pub const fn size(least: u64, most: u64) -> BoundedQuantity {
    BoundedQuantity { kind: &unit::SIZE, least, most }
}

/// Any rate, bit/s; the least is a byte per second, because tbf counts bytes per second.
pub const RATE: BoundedQuantity = BoundedQuantity { kind: &unit::RATE, least: 8, most: 100_000_000_000_000 };

/// Accepts a share of one, in grains.
pub const fn share(least: u64, most: u64) -> BoundedQuantity {
    BoundedQuantity { kind: &unit::RATIO, least, most }
}

/// Accepts a number of packets.
pub const fn packets(least: u64, most: u64) -> BoundedQuantity {
    BoundedQuantity { kind: &unit::PACKETS, least, most }
}

/// Accepts a gain of dualpi2's controller: from 1/256 Hz to the kernel's maximum (ALPHA_BETA_MAX in
/// net/sched/sch_dualpi2.c).
pub const fn gain() -> BoundedQuantity {
    BoundedQuantity { kind: &unit::FREQUENCY, least: 3_907, most: 65_535 * unit::MICRO }
}

/// Any share, 0 and 1 included.
pub const SHARE: BoundedQuantity = share(0, unit::ONE);

/// Any share above 0.
pub const SOME_SHARE: BoundedQuantity = share(1, unit::ONE);

impl Leaf for BoundedQuantity {
    type Value = u64;

    fn parse(&self, value: &Value) -> Result<u64, Wrong> {
        Ok(leaf::bounded(value, &[(self.kind, self.least, self.most)])?.1)
    }

    fn words(&self) -> String {
        self.kind.show_range(&(self.least..=self.most)).replace("172800 s", "2 days").replace("86400 s", "1 day")
    }

    fn trials(&self) -> Vec<Trial> {
        let written = |grains: u64| format!("\"{}\"", self.kind.show(grains));
        let another = if self.kind.units[0].0 == "ns" { "\"1 B\"" } else { "\"1 ns\"" };
        let mut trials = vec![
            Trial::good(written(self.least)),
            Trial::good(written(self.most)),
            Trial::bad(written(self.most + 1), "is too large"),
            Trial::bad(another, "has an unknown unit"),
            Trial::bad("1", "has no unit"),
            Trial::bad("true", "is a boolean"),
        ];
        trials.extend(self.least.checked_sub(1).map(|below| Trial::bad(written(below), "is too small")));
        trials
    }

    fn schema(&self) -> Json {
        quantity(&[self.kind])
    }
}

impl Shown for BoundedQuantity {
    fn show(&self, value: &u64) -> String {
        self.kind.show(*value)
    }
}

/// A whole number within two bounds, both included.
#[derive(Debug, Clone, Copy)]
pub struct Number(pub u64, pub u64);

impl Leaf for Number {
    type Value = u64;

    fn parse(&self, value: &Value) -> Result<u64, Wrong> {
        let due = format!("a whole number from {} to {}", self.0, self.1);
        let Some(number) = value.toml.as_integer() else {
            let wrong = value.is_not(&due);
            let quoted = value.toml.as_str().filter(|text| text.parse::<u64>().is_ok());
            return Err(match quoted {
                Some(text) => wrong.hint(format!("write {text} without quotes")),
                None => wrong,
            });
        };
        let parsed = u64::from_str_radix(number.as_str(), number.radix()).ok();
        let range = self.0..=self.1;
        parsed.filter(|number| range.contains(number)).ok_or_else(|| Wrong::new("is out of range").accepted(due))
    }

    fn words(&self) -> String {
        format!("{} to {}", self.0, self.1)
    }

    fn trials(&self) -> Vec<Trial> {
        let mut trials = vec![
            Trial::good(self.0.to_string()),
            Trial::good(self.1.to_string()),
            Trial::bad((self.1 + 1).to_string(), "is out of range"),
            Trial::bad("-1", "is out of range"),
            Trial::bad(format!("\"{}\"", self.0), "is a string"),
        ];
        trials.extend(self.0.checked_sub(1).map(|below| Trial::bad(below.to_string(), "is out of range")));
        trials
    }

    fn schema(&self) -> Json {
        json!({ "type": "integer", "minimum": self.0, "maximum": self.1 })
    }
}

impl Shown for Number {
    fn show(&self, value: &u64) -> String {
        value.to_string()
    }
}

/// The size of a queue in any of its three units.
#[derive(Debug, Clone, Copy)]
pub struct QueueSize;

impl Leaf for QueueSize {
    type Value = Buffer;

    fn parse(&self, value: &Value) -> Result<Buffer, Wrong> {
        let (kind, grains) = leaf::bounded(value, &leaf::BUFFERS)?;
        Ok(match kind {
            0 => Buffer::Packets(grains as u32),
            1 => Buffer::Bytes(grains),
            _ => Buffer::Bdp(grains),
        })
    }

    fn words(&self) -> String {
        one_of(&leaf::BUFFERS)
    }

    fn trials(&self) -> Vec<Trial> {
        trials_of(&leaf::BUFFERS)
    }

    fn schema(&self) -> Json {
        quantity(&leaf::BUFFERS.map(|(kind, ..)| kind))
    }
}

/// The extent of a queue: a time or packets, and with `sizes` also bytes.
#[derive(Debug, Clone, Copy)]
pub struct QueueExtent {
    pub sizes: bool,
}

impl QueueExtent {
    fn kinds(self) -> &'static [Bounds] {
        &leaf::EXTENTS[..if self.sizes { 3 } else { 2 }]
    }
}

impl Leaf for QueueExtent {
    type Value = Extent;

    fn parse(&self, value: &Value) -> Result<Extent, Wrong> {
        let (kind, grains) = leaf::bounded(value, self.kinds())?;
        Ok([Extent::Time, Extent::Packets, Extent::Bytes][kind](grains))
    }

    fn words(&self) -> String {
        one_of(self.kinds())
    }

    fn trials(&self) -> Vec<Trial> {
        trials_of(self.kinds())
    }
}

/// Returns the schema of a number with a unit of these kinds.
fn quantity(kinds: &[&Kind]) -> Json {
    let units: Vec<&str> = kinds.iter().flat_map(|kind| kind.units.iter().map(|(unit, _)| *unit)).collect();
    // The letter for micro has two code points besides u.
    let units = units.join("|").replace("us", "[uµμ]s");
    json!({ "type": "string", "pattern": format!("^ *[0-9]+(\\.[0-9]+)? *({units}) *$") })
}

/// Describes the ranges of several kinds.
fn one_of(kinds: &[Bounds]) -> String {
    let ranges: Vec<String> = kinds.iter().map(|(kind, least, most)| kind.show_range(&(*least..=*most))).collect();
    match &ranges[..] {
        [one, other] => format!("{one}, or {other}"),
        [first @ .., last] => format!("{}, or {last}", first.join(", ")),
        [] => String::new(),
    }
}

fn trials_of(kinds: &[Bounds]) -> Vec<Trial> {
    let trials = kinds.iter().flat_map(|&(kind, least, most)| Leaf::trials(&BoundedQuantity { kind, least, most }));
    // A unit that is wrong for one kind is right for another, so drop those trials.
    trials.filter(|trial| trial.wrong != Some("has an unknown unit")).collect()
}
