//! Facts of a slow path: those of the path and of runs, each a value or an interval with its origin.
//!
//! `keys` has a row for each fact, `read` makes a case of a TOML text and `write` the text of a case, `json` both for
//! programs, `listings` takes facts from evidence, `transfers` makes evidence of them, `derive` finds more by arithmetic, and says which contradict one another.

mod derive;
mod json;
mod keys;
mod listings;
mod read;
mod transfers;
mod write;

pub use derive::{contradictions, derive};
pub use json::{as_json, from_json};
pub use keys::{KEYS, Key, Role, Value};
pub use listings::of_evidence;
pub use read::{MAX_BYTES, MAX_RUNS, read, setting};
pub use transfers::as_evidence;
pub use write::text;

use crate::formula::{Interval, Kind};
use serde::Serialize;
use std::collections::BTreeMap;

/// Share by which another run of the same kind may print less than one stated figure, and more: a figure without an
/// interval is of one run. iperf3's repeats on quiet paths stay within 5 %, on shared ones within 15 %.
const REPEAT_FACTORS: [f64; 2] = [0.85, 1.18];

/// Header bytes of IPv4 and of TCP with timestamps (RFC 9293, RFC 7323): a packet less these is its payload.
pub(crate) const HEADER_BYTES: f64 = 52.0;

/// A printed 0 is less than one write of iperf3, 128 KiB, in a second, bit/s; of a whole run in ten of them.
const UNSEEN_WRITE: f64 = 131_072.0 * 8.0;
const UNSEEN_SECONDS: f64 = 10.0;

/// Returns what repeated runs print, if a run printed one figure.
fn repeated(key: &Key, interval: Interval) -> Interval {
    match key.role {
        Role::Stated if interval == Interval::exactly(0.0) && key.kind() == Kind::Rate => {
            let most = if key.name == "early" { UNSEEN_WRITE } else { UNSEEN_WRITE / UNSEEN_SECONDS };
            Interval::new(0.0, most)
        }
        Role::Stated if interval.is_exact() => {
            let [less, more] = REPEAT_FACTORS.map(|factor| interval.low * factor);
            Interval::new(less, more)
        }
        _ => interval,
    }
}

/// A commented file to start from.
pub const SKELETON: &str = include_str!("skeleton.toml");

/// A path and runs over it, as far as they are known.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Case {
    /// Topic, in the author's words.
    pub says: Option<String>,
    pub path: Facts,
    pub runs: Vec<Run>,
}

/// A run: what was set, where, and what it showed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Run {
    pub name: String,
    /// Facts of its own; those of the path, where it has others.
    pub facts: Facts,
}

impl Run {
    /// True for a run over UDP.
    pub fn is_udp(&self) -> bool {
        ["offered", "datagram", "lost"].iter().any(|name| self.facts.has(name))
    }
}

/// Facts by the names of their rows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Facts {
    pub numbers: BTreeMap<&'static str, Fact>,
    pub labels: BTreeMap<&'static str, String>,
}

/// A number or an interval, and where it is from.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    pub interval: Interval,
    /// The value as it was written.
    pub text: String,
    pub origin: Origin,
    /// Words or file and line that it is from.
    pub quote: Option<String>,
}

/// Source of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Somebody wrote it.
    Stated,
    /// A program printed it.
    Measured,
    /// Arithmetic over other facts gave it.
    Derived,
    /// Nobody said it.
    Assumed,
}

impl Origin {
    /// All origins with their names in files.
    pub const ALL: [(&'static str, Origin); 4] = [
        ("stated", Origin::Stated),
        ("measured", Origin::Measured),
        ("derived", Origin::Derived),
        ("assumed", Origin::Assumed),
    ];

    /// Returns its name in files.
    pub fn name(self) -> &'static str {
        Origin::ALL.iter().find(|(_, origin)| *origin == self).map_or("stated", |(name, _)| name)
    }
}

impl Fact {
    /// Returns a fact of this kind and origin.
    pub fn new(kind: crate::formula::Kind, interval: Interval, origin: Origin) -> Fact {
        Fact { interval, text: kind.exact(interval), origin, quote: None }
    }
}

impl Facts {
    /// Returns what a number is known to be.
    pub fn number(&self, name: &str) -> Option<Interval> {
        self.numbers.get(name).map(|fact| fact.interval)
    }

    /// Returns a label.
    pub fn label(&self, name: &str) -> Option<&str> {
        self.labels.get(name).map(String::as_str)
    }

    /// True if the fact is there, as a number or a label.
    pub fn has(&self, name: &str) -> bool {
        self.numbers.contains_key(name) || self.labels.contains_key(name)
    }
}

impl Case {
    /// Adds the runs of another case, and what it knows of the path where this one knows nothing.
    pub fn add(&mut self, other: Case) {
        self.says = self.says.take().or(other.says);
        for (name, fact) in other.path.numbers {
            self.path.numbers.entry(name).or_insert(fact);
        }
        for (name, label) in other.path.labels {
            self.path.labels.entry(name).or_insert(label);
        }
        self.runs.extend(other.runs);
    }

    /// States a number of the path, if there is one.
    pub fn state(&mut self, name: &str, value: Option<f64>) {
        if let (Some(key), Some(value)) = (Key::find(name), value) {
            let fact = Fact::new(key.kind(), Interval::exactly(value), Origin::Stated);
            self.path.numbers.insert(key.name, fact);
        }
    }

    /// Returns a fact of a run, or else of its path.
    pub fn fact<'c>(&'c self, run: &'c Run, name: &str) -> Option<&'c Fact> {
        run.facts.numbers.get(name).or_else(|| self.path.numbers.get(name))
    }

    /// Returns what a number of a run is known to be, or else of its path.
    pub fn number(&self, run: &Run, name: &str) -> Option<Interval> {
        self.fact(run, name).map(|fact| fact.interval)
    }

    /// Returns a label of a run, or else of its path; its protocol follows from its other facts.
    pub fn label<'c>(&'c self, run: &'c Run, name: &str) -> Option<&'c str> {
        let written = run.facts.label(name).or_else(|| self.path.label(name));
        written.or_else(|| (name == "protocol").then(|| if run.is_udp() { "udp" } else { "tcp" }))
    }

    /// Returns how many connections a run has.
    pub fn streams(&self, run: &Run) -> f64 {
        self.number(run, "streams").map_or(1.0, Interval::middle)
    }

    /// Returns a run's speed: its goodput, or that after its first second.
    pub fn speed(run: &Run) -> Option<Interval> {
        run.facts.number("goodput").or_else(|| run.facts.number("late"))
    }

    /// Returns the numbers that an explanation must predict.
    pub fn stated<'c>(&self, run: &'c Run) -> impl Iterator<Item = (&'static str, &'c Fact)> {
        let is_stated = |name: &str| Key::find(name).is_some_and(|key| key.role == Role::Stated);
        run.facts.numbers.iter().filter(move |(name, _)| is_stated(name)).map(|(name, fact)| (*name, fact))
    }

    /// Returns how many numbers an explanation must predict.
    pub fn count(&self) -> usize {
        self.runs.iter().map(|run| self.stated(run).count()).sum()
    }

    /// Returns the slowest run for each of its streams; the first if none has a speed.
    pub fn slowest(&self) -> Option<&Run> {
        let of_each = |run: &&Run| Case::speed(run).map_or(f64::INFINITY, |speed| speed.high / self.streams(run));
        self.runs.iter().min_by(|a, b| of_each(a).total_cmp(&of_each(b)))
    }
}

#[cfg(test)]
mod tests;
