//! The design of an experiment: what varies, how often it is repeated, and what is compared with what.

use super::Seeds;
use serde::{Deserialize, Serialize};

/// One key that varies, or one name for cases that set several keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axis {
    /// The key's path in the spec, such as `flows.congestion`, or the name of the cases.
    pub key: String,
    /// Its values as the report shows them; of a [`Search`] those tried so far, in rising order.
    pub values: Vec<String>,
    /// Whether it moves in step with the axis before, and so has as many values.
    pub in_step: bool,
}

/// The key whose values are names of guest kernels: no quantities, even where they read like numbers.
pub const KERNEL: &str = "kernel";

/// The key of the network's IP.
pub const FAMILY: &str = "family";

/// A key of the spec and its value as text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Setting {
    /// The key's path in the spec, or the name of the cases.
    pub key: String,
    pub value: String,
}

impl Setting {
    /// The value, with the last part of the key before what says nothing alone.
    pub fn label(&self) -> String {
        let version = self.key == KERNEL && self.value.starts_with(|c: char| c.is_ascii_digit());
        let bare = matches!(self.value.as_str(), "true" | "false" | "none") || self.value.parse::<f64>().is_ok();
        match self.key.rsplit('.').next() {
            Some(name) if bare || version => format!("{name} {}", self.value),
            _ => self.value.clone(),
        }
    }
}

/// The seeds of every point, the same at every point: each is one more than the one before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Repeat {
    /// The first.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub first: u64,
    /// How many there are at first.
    pub seeds: u64,
    /// How far the starts of the flows may move apart, ns.
    pub spread: u64,
    /// When there are enough; `None` if that is so at first.
    pub until: Option<Enough>,
}

fn one() -> u64 {
    1
}

fn is_one(first: &u64) -> bool {
    *first == 1
}

impl Repeat {
    /// The seeds that there are at first.
    pub fn seeds(&self) -> Seeds {
        Seeds { first: self.first, count: self.seeds }
    }
}

/// Enough seeds: when the interval of a measure is narrow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Enough {
    /// The measure's name.
    pub measure: String,
    /// How far its interval may reach to either side, as a share of the estimate.
    pub interval: f64,
    /// Seeds at most.
    pub at_most: u64,
}

/// A key whose values are chosen as the answer needs them, at each point of the sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Search {
    /// The key's path in the spec.
    pub key: String,
    /// The values that there are.
    pub ladder: Ladder,
    /// The measure whose behaviour is looked for.
    pub measure: String,
    pub find: Find,
    /// Values tried at most, at each point of the sweep.
    pub at_most: u64,
}

/// What a search looks for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Find {
    /// Where the measure jumps between neighbours, down or up.
    Cliff {
        /// Rungs of the ladder between two neighbours at first: what is as wide cannot be missed.
        width: u64,
        /// The fall that is a cliff, as a share of the higher side.
        fall: f64,
    },
    /// The smallest value at which the measure is within these bounds, in its unit.
    Threshold {
        /// Smallest value that meets the condition.
        at_least: Option<f64>,
        /// Largest value that meets the condition.
        at_most: Option<f64>,
    },
    /// The value at which the measure is largest.
    Maximum,
}

/// Evenly spaced quantities of one unit, each a rung: exact decimals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ladder {
    /// The first, in parts of ten to the power of [`Ladder::decimals`].
    pub first: u64,
    /// From one to the next, in the same parts.
    pub step: u64,
    /// The number of the last; the first is 0.
    pub last: u64,
    /// Decimals of the parts.
    pub decimals: u32,
    /// The unit as it is written; empty for plain numbers.
    pub unit: String,
}

impl Ladder {
    /// A rung as it is written in an experiment.
    pub fn text(&self, rung: u64) -> String {
        let number = decimal(self.first + rung * self.step, self.decimals);
        if self.unit.is_empty() { number } else { format!("{number} {}", self.unit) }
    }

    /// The rung that is written so.
    pub(crate) fn rung(&self, text: &str) -> Option<u64> {
        let number = text.strip_suffix(self.unit.as_str())?.trim_end();
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let parts: u64 = format!("{whole}{fraction:0<0$}", self.decimals as usize).parse().ok()?;
        let above = parts.checked_sub(self.first)?;
        (above % self.step == 0 && above / self.step <= self.last).then(|| above / self.step)
    }

    /// A difference of so many rungs as it is written.
    pub fn difference(&self, rungs: u64) -> String {
        Ladder { first: 0, ..self.clone() }.text(rungs)
    }
}

/// `parts` over ten to the power of `decimals`, without zeros at the end.
pub(crate) fn decimal(parts: u64, decimals: u32) -> String {
    let digits = format!("{parts:0>0$}", decimals as usize + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals as usize);
    format!("{whole}.{fraction}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// How the points are compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compare {
    /// The key of the axis along which points are compared, all else being equal; `None` if nothing is.
    pub over: Option<String>,
    /// The value against which the others of that axis stand.
    pub against: Option<String>,
    /// The measures; empty if the kinds of the flows decide.
    pub measures: Vec<String>,
    /// What the flows are called that are compared, each by itself from point to point, and within a trial each with the
    /// first; empty if all that have the same name, or none, are compared together from point to point.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flows: Vec<String>,
    /// The relative difference that does not matter.
    pub margin: f64,
}

/// A bound on a measure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// The measure's name, such as `goodput`.
    pub measure: String,
    /// What the flow is called that it is about; `None` of the trial as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<String>,
    /// The points it is about: those that have all these settings.
    pub at: Vec<Setting>,
    /// Smallest value that passes, in the measure's unit.
    pub at_least: Option<f64>,
    /// Largest value that passes, in the measure's unit.
    pub at_most: Option<f64>,
    /// The share of all trials that is predicted to pass; `None` if every trial has to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

/// A figure that somebody published.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Published {
    pub source: String,
    /// The measure's name.
    pub measure: String,
    /// What the flow is called that it is about; `None` of the trial as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<String>,
    /// The points it is about: those that have all these settings.
    pub at: Vec<Setting>,
    /// The value in the measure's unit.
    pub value: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_says_what_a_bare_value_is_of() {
        let label = |key: &str, value: &str| Setting { key: key.into(), value: value.into() }.label();
        assert_eq!(label("hosts.sack", "true"), "sack true");
        assert_eq!(label("flows.congestion", "cubic"), "cubic");
        assert_eq!(
            ["6.12", "7.3.4", "after"].map(|name| label(KERNEL, name)),
            ["kernel 6.12", "kernel 7.3.4", "after"]
        );
    }

    #[test]
    fn rungs_are_written_and_found_again() {
        let ladder = Ladder { first: 1_000, step: 25, last: 400, decimals: 3, unit: "%".into() };
        assert_eq!(ladder.text(0), "1 %");
        assert_eq!(ladder.text(1), "1.025 %");
        assert_eq!(ladder.text(400), "11 %");
        assert_eq!(ladder.difference(2), "0.05 %");
        assert!((0..=400).all(|rung| ladder.rung(&ladder.text(rung)) == Some(rung)));
        for none in ["1.01 %", "0.975 %", "11.025 %", "1.025", "x %", ""] {
            assert_eq!(ladder.rung(none), None, "{none}");
        }
        let plain = Ladder { first: 10, step: 10, last: 9, decimals: 0, unit: String::new() };
        assert_eq!((plain.text(9), plain.rung("100")), ("100".into(), Some(9)));
    }
}
