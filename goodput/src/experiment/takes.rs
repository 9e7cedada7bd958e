//! What keys take, each with the words of the reference and the values that tests try.

use super::key::{Leaf, Shown, Takes, Trial};
use super::ladder;
use super::leaf::{self, Bounds, Buffer, Extent};
use super::section::Section;
use super::value::Value;
use crate::analyze::{MEASURES, Measure};
use crate::suggest::suggest;
use evidence::unit::{self, Kind, Wrong};
use toml::Spanned;

/// A day in ns.
pub const DAY: u64 = 86_400_000_000_000;

/// A quantity of one kind from `least` to `most`, in the kind's grains.
#[derive(Debug, Clone, Copy)]
pub struct Quantity {
    kind: &'static Kind,
    least: u64,
    most: u64,
}

/// ns
pub const fn time(least: u64, most: u64) -> Quantity {
    Quantity { kind: &unit::TIME, least, most }
}

/// Bytes.
pub const fn size(least: u64, most: u64) -> Quantity {
    Quantity { kind: &unit::SIZE, least, most }
}

/// Any rate, bits per second: tbf counts in bytes per second.
pub const RATE: Quantity = Quantity { kind: &unit::RATE, least: 8, most: 100_000_000_000_000 };

/// A share of one.
pub const fn share(least: u64, most: u64) -> Quantity {
    Quantity { kind: &unit::RATIO, least, most }
}

/// Packets.
pub const fn packets(least: u64, most: u64) -> Quantity {
    Quantity { kind: &unit::PACKETS, least, most }
}

/// Any share, none and all of it included.
pub const SHARE: Quantity = share(0, unit::ONE);

impl Leaf for Quantity {
    type Value = u64;

    fn parse(&self, value: &Value) -> Result<u64, Wrong> {
        leaf::quantity(self.kind, self.least..=self.most)(value)
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
}

impl Shown for Quantity {
    fn show(&self, value: &u64) -> String {
        self.kind.show(*value)
    }
}

/// A whole number from one to another.
#[derive(Debug, Clone, Copy)]
pub struct Number(pub u64, pub u64);

impl Leaf for Number {
    type Value = u64;

    fn parse(&self, value: &Value) -> Result<u64, Wrong> {
        leaf::integer(self.0..=self.1)(value)
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
}

impl Shown for Number {
    fn show(&self, value: &u64) -> String {
        value.to_string()
    }
}

/// One of some words, each with what it means.
#[derive(Debug, Clone, Copy)]
pub struct Words<T: 'static>(pub &'static [(&'static str, T)]);

impl<T: Copy> Leaf for Words<T> {
    type Value = T;

    fn parse(&self, value: &Value) -> Result<T, Wrong> {
        leaf::word(self.0)(value)
    }

    fn words(&self) -> String {
        let words: Vec<String> = self.0.iter().map(|(word, _)| format!("`\"{word}\"`")).collect();
        match &words[..] {
            [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            _ => words.join(""),
        }
    }

    fn trials(&self) -> Vec<Trial> {
        let words = self.0.iter().map(|(word, _)| Trial::good(format!("\"{word}\"")));
        words.chain([Trial::bad("\"zzzzzzzz\"", "is unknown"), Trial::bad("1", "is a number")]).collect()
    }
}

impl<T: Copy + PartialEq> Shown for Words<T> {
    fn show(&self, value: &T) -> String {
        self.0.iter().find(|(_, meaning)| meaning == value).map_or("", |(word, _)| word).to_owned()
    }
}

/// Any text but none; what it names, in words.
#[derive(Debug, Clone, Copy)]
pub struct Text(pub &'static str);

impl Leaf for Text {
    type Value = String;

    fn parse(&self, value: &Value) -> Result<String, Wrong> {
        leaf::text(value)
    }

    fn words(&self) -> String {
        self.0.to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        vec![Trial::good("\"x\""), Trial::bad("\" \"", "is empty"), Trial::bad("1", "is a number")]
    }
}

/// Any text, also none.
#[derive(Debug, Clone, Copy)]
pub struct Prose;

impl Leaf for Prose {
    type Value = String;

    fn parse(&self, value: &Value) -> Result<String, Wrong> {
        leaf::prose(value)
    }

    fn words(&self) -> String {
        "text".to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        vec![Trial::good("\"x\""), Trial::good("\"\""), Trial::bad("1", "is a number")]
    }
}

/// The name of a kernel, which may read like a number.
#[derive(Debug, Clone, Copy)]
pub struct KernelName;

impl Leaf for KernelName {
    type Value = String;

    fn parse(&self, value: &Value) -> Result<String, Wrong> {
        leaf::kernel(value)
    }

    fn words(&self) -> String {
        "a name that `goodput kernel list` shows".to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        vec![Trial::good("\"6.12\""), Trial::bad("6.12", "is a number"), Trial::bad("\" \"", "is empty")]
    }
}

/// What a flow is called.
#[derive(Debug, Clone, Copy)]
pub struct FlowName;

impl Leaf for FlowName {
    type Value = String;

    fn parse(&self, value: &Value) -> Result<String, Wrong> {
        leaf::flow_name(value)
    }

    fn words(&self) -> String {
        "1 to 40 letters, digits, blanks, `_`, `-`, `.` and `/`; not \"flow \" and a number".to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        let long = |length: usize| format!("\"{}\"", "x".repeat(length));
        let wrong = "is not the name of a flow";
        vec![
            Trial::good("\"x\""),
            Trial::good(long(40)),
            Trial::bad(long(41), wrong),
            Trial::bad("\"flow 1\"", wrong),
            Trial::bad("1", "is a number"),
        ]
    }
}

/// The name of a congestion control by its shape.
#[derive(Debug, Clone, Copy)]
pub struct Congestion;

impl Leaf for Congestion {
    type Value = String;

    fn parse(&self, value: &Value) -> Result<String, Wrong> {
        leaf::congestion(value)
    }

    fn words(&self) -> String {
        "1 to 15 of a-z, 0-9, _ and -".to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        let wrong = "is not the name of a congestion control";
        vec![
            Trial::good("\"cubic\""),
            Trial::good("\"a23456789-12_45\""),
            Trial::bad("\"a23456789-12_456\"", wrong),
            Trial::bad("\"CUBIC\"", wrong),
            Trial::bad("1", "is a number"),
        ]
    }
}

/// A word in place of a value, which is then `None`.
#[derive(Debug, Clone, Copy)]
pub struct Or<T>(pub &'static str, pub T);

impl<T: Leaf> Leaf for Or<T> {
    type Value = Option<T::Value>;

    fn parse(&self, value: &Value) -> Result<Option<T::Value>, Wrong> {
        match value.toml.as_str() {
            Some(word) if word == self.0 => Ok(None),
            _ => self.1.parse(value).map(Some).map_err(|wrong| leaf::or_word(wrong, self.0)),
        }
    }

    fn words(&self) -> String {
        format!("{}, or `\"{}\"`", Leaf::words(&self.1), self.0)
    }

    fn trials(&self) -> Vec<Trial> {
        let mut trials = Leaf::trials(&self.1);
        trials.push(Trial::good(format!("\"{}\"", self.0)));
        trials
    }
}

impl<T: Leaf + Shown<Value = <T as Leaf>::Value>> Shown for Or<T> {
    fn show(&self, value: &Option<<T as Leaf>::Value>) -> String {
        value.as_ref().map_or(self.0.to_owned(), |value| self.1.show(value))
    }
}

/// `true` or `false`.
#[derive(Debug, Clone, Copy)]
pub struct Boolean;

impl Leaf for Boolean {
    type Value = bool;

    fn parse(&self, value: &Value) -> Result<bool, Wrong> {
        leaf::boolean(value)
    }

    fn words(&self) -> String {
        "true or false".to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        vec![
            Trial::good("true"),
            Trial::good("false"),
            Trial::bad("\"true\"", "is a string"),
            Trial::bad("1", "is a number"),
        ]
    }
}

impl Shown for Boolean {
    fn show(&self, value: &bool) -> String {
        value.to_string()
    }
}

/// The size of a queue in any of its three units.
#[derive(Debug, Clone, Copy)]
pub struct QueueSize;

impl Leaf for QueueSize {
    type Value = Buffer;

    fn parse(&self, value: &Value) -> Result<Buffer, Wrong> {
        leaf::buffer(value)
    }

    fn words(&self) -> String {
        one_of(&leaf::BUFFERS)
    }

    fn trials(&self) -> Vec<Trial> {
        trials_of(&leaf::BUFFERS)
    }
}

/// An extent of a queue: a time or packets, or if the row says so bytes as well.
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
        leaf::extent(self.kinds())(value)
    }

    fn words(&self) -> String {
        one_of(self.kinds())
    }

    fn trials(&self) -> Vec<Trial> {
        trials_of(self.kinds())
    }
}

/// The ranges of several kinds in words.
fn one_of(kinds: &[Bounds]) -> String {
    let ranges: Vec<String> = kinds.iter().map(|(kind, least, most)| kind.show_range(&(*least..=*most))).collect();
    match &ranges[..] {
        [one, other] => format!("{one}, or {other}"),
        [first @ .., last] => format!("{}, or {last}", first.join(", ")),
        [] => String::new(),
    }
}

fn trials_of(kinds: &[Bounds]) -> Vec<Trial> {
    let trials = kinds.iter().flat_map(|&(kind, least, most)| Leaf::trials(&Quantity { kind, least, most }));
    // What is another unit to one kind is another's own, and a bare number lacks any of them.
    trials.filter(|trial| trial.wrong != Some("has an unknown unit")).collect()
}

/// Any share but none.
pub const SOME_SHARE: Quantity = share(1, unit::ONE);

/// The name of a measure.
#[derive(Debug, Clone, Copy)]
pub struct MeasureName;

impl Leaf for MeasureName {
    type Value = &'static Measure;

    fn parse(&self, value: &Value) -> Result<&'static Measure, Wrong> {
        let name = leaf::text(value)?;
        let names = || MEASURES.iter().map(|measure| measure.name);
        Measure::find(&name).ok_or_else(|| suggest(Wrong::new("is unknown"), &name, names()))
    }

    fn words(&self) -> String {
        "the name of a [measure](measures.md)".to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        let names = MEASURES.iter().map(|measure| Trial::good(format!("\"{}\"", measure.name)));
        names.chain([Trial::bad("\"zzzzzzzz\"", "is unknown"), Trial::bad("1", "is a number")]).collect()
    }
}

/// A quantity of any unit, or a number.
#[derive(Debug, Clone, Copy)]
pub struct AnyQuantity(pub &'static str);

impl Leaf for AnyQuantity {
    type Value = ladder::Quantity;

    fn parse(&self, value: &Value) -> Result<ladder::Quantity, Wrong> {
        ladder::Quantity::read(value)
    }

    fn words(&self) -> String {
        self.0.to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        vec![
            Trial::good("\"1.5 ms\""),
            Trial::good("1"),
            Trial::bad("true", "is a boolean"),
            Trial::bad("\"x\"", "is not a number with a unit"),
        ]
    }
}

/// Text, or any other value as it is written.
#[derive(Debug, Clone, Copy)]
pub struct Plain(pub &'static str);

impl Leaf for Plain {
    type Value = String;

    fn parse(&self, value: &Value) -> Result<String, Wrong> {
        if value.toml.is_str() { leaf::text(value) } else { Ok(value.plain()) }
    }

    fn words(&self) -> String {
        self.0.to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        vec![Trial::good("\"x\""), Trial::good("1"), Trial::good("true"), Trial::bad("\" \"", "is empty")]
    }
}

/// The path of a file in the guest that the recording gets.
#[derive(Debug, Clone, Copy)]
pub struct Fetchable;

impl Leaf for Fetchable {
    type Value = String;

    fn parse(&self, value: &Value) -> Result<String, Wrong> {
        leaf::fetchable(value)
    }

    fn words(&self) -> String {
        "`/tmp/` and a name".to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        let wrong = "is not a file that can be fetched";
        vec![Trial::good("\"/tmp/x.pcap\""), Trial::bad("\"/tmp/.x\"", wrong), Trial::bad("\"/etc/x\"", wrong)]
    }
}

/// A list of values; how it is written.
#[derive(Debug, Clone, Copy)]
pub struct List<T> {
    pub each: T,
    pub due: &'static str,
    pub words: &'static str,
}

impl<T: Leaf> Takes for List<T> {
    type Value = Vec<Spanned<T::Value>>;

    fn read(&self, section: &mut Section, key: &'static str) -> Option<Spanned<Self::Value>> {
        section.list(key, self.due, |value| self.each.parse(value))
    }

    fn words(&self) -> String {
        self.words.to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        let listed = |trial: Trial| Trial { toml: format!("[{}]", trial.toml), ..trial };
        let trials = Leaf::trials(&self.each).into_iter().map(listed);
        trials.chain([Trial::bad("true", "is a boolean")]).collect()
    }
}

/// What a function of its own reads: a table, a list of tables, or a table and something else in its place.
#[derive(Debug, Clone, Copy)]
pub struct Nested<T> {
    read: fn(&mut Section, &'static str) -> Option<Spanned<T>>,
    words: &'static str,
}

/// In words, and read so.
pub const fn nested<T>(words: &'static str, read: fn(&mut Section, &'static str) -> Option<Spanned<T>>) -> Nested<T> {
    Nested { read, words }
}

impl<T> Takes for Nested<T> {
    type Value = T;

    fn read(&self, section: &mut Section, key: &'static str) -> Option<Spanned<T>> {
        (self.read)(section, key)
    }

    fn words(&self) -> String {
        self.words.to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        vec![Trial::bad("1979-05-27", "is a date")]
    }
}

/// The value of a key that is a table or something else; `table` also makes the table's keys known where there is none.
pub fn either<'a, T>(
    section: &mut Section<'a>,
    key: &'static str,
    table: impl Fn(Section<'a>) -> Option<T>,
    other: impl FnOnce(&Value) -> Result<T, Wrong>,
) -> Option<Spanned<T>> {
    if !section.holds_table(key) {
        table(section.nowhere(key));
        return section.optional(key, other);
    }
    let inside = section.section(key);
    let span = inside.span.clone();
    table(inside).map(|value| Spanned::new(span, value))
}

/// The same where the word `"none"` is in the table's place; `such` is one.
pub fn table_or_none<'a, T>(
    section: &mut Section<'a>,
    key: &'static str,
    table: impl Fn(Section<'a>) -> Option<T>,
    such: &'static str,
) -> Option<Spanned<Option<T>>> {
    either(section, key, |section| table(section).map(Some), leaf::none(such))
}
