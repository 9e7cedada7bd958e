//! The design of an experiment: the keys that vary, the repetitions and the comparisons.

use super::{Seeds, Setting};
use serde::{Deserialize, Serialize};

/// One key that varies, or one name for cases that set several keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axis {
    /// The key's path in the experiment, such as `flows.congestion`, or the name of the cases.
    pub key: String,
    /// Its values as the report shows them. A [`Search`] adds those that it tried, in rising order.
    pub values: Vec<String>,
    /// True if it moves in step with the axis before it, and so has as many values.
    pub in_step: bool,
}

/// The key whose values are names of guest kernels. They are never quantities, even if they look like numbers.
pub const KERNEL: &str = "kernel";

/// The key of the network's IP version.
pub const FAMILY: &str = "family";

/// The seeds of every point, consecutive and the same at every point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Repeat {
    /// The first seed.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub first: u64,
    /// Number of seeds at the start.
    pub seeds: u64,
    /// Range of the flows' start delays, ns.
    pub spread: u64,
    /// When to stop adding seeds; `None` if none are added.
    pub until: Option<Enough>,
}

fn one() -> u64 {
    1
}

fn is_one(first: &u64) -> bool {
    *first == 1
}

impl Repeat {
    /// Returns the seeds at the start.
    pub fn seeds(&self) -> Seeds {
        Seeds { first: self.first, count: self.seeds }
    }
}

/// Stops adding seeds once the interval of a measure is narrow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Enough {
    /// Name of the measure.
    pub measure: String,
    /// Largest half-width of its interval, as a share of the estimate.
    pub interval: f64,
    /// Most seeds.
    pub at_most: u64,
}

/// A search over one key at each point of the sweep; its values are chosen as the answer needs them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Search {
    /// The key's path in the experiment.
    pub key: String,
    /// The values to choose from.
    pub ladder: Ladder,
    /// The measure that judges each value.
    pub measure: String,
    pub find: Find,
    /// Most values tried at each point of the sweep.
    pub at_most: u64,
}

/// The goal of a search.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Find {
    /// The jump of the measure between neighbouring values, down or up.
    Cliff {
        /// Rungs between two neighbours at first. No low stretch this wide can be missed.
        width: u64,
        /// Smallest fall that counts as a cliff, as a share of the higher side.
        fall: f64,
    },
    /// The smallest value at which the measure is within these bounds, in its unit.
    Threshold {
        /// Lower bound of the measure.
        at_least: Option<f64>,
        /// Upper bound of the measure.
        at_most: Option<f64>,
    },
    /// The value at which the measure is largest.
    Maximum,
}

/// Evenly spaced quantities of one unit, each a rung, as exact decimals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ladder {
    /// First rung, in units of 10^-[`Ladder::decimals`].
    pub first: u64,
    /// Step between rungs, in the same units.
    pub step: u64,
    /// Number of the last rung; the first is 0.
    pub last: u64,
    /// Number of decimals.
    pub decimals: u32,
    /// Unit as written; empty for plain numbers.
    pub unit: String,
}

impl Ladder {
    /// Formats a rung as an experiment writes it.
    pub fn text(&self, rung: u64) -> String {
        let number = decimal(self.first + rung * self.step, self.decimals);
        if self.unit.is_empty() { number } else { format!("{number} {}", self.unit) }
    }

    /// Parses a rung; `None` if the text is not on the ladder.
    pub fn rung(&self, text: &str) -> Option<u64> {
        let number = text.strip_suffix(self.unit.as_str())?.trim_end();
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let parts: u64 = format!("{whole}{fraction:0<0$}", self.decimals as usize).parse().ok()?;
        let above = parts.checked_sub(self.first)?;
        (above % self.step == 0 && above / self.step <= self.last).then(|| above / self.step)
    }

    /// Formats a difference of this many rungs.
    pub fn difference(&self, rungs: u64) -> String {
        Ladder { first: 0, ..self.clone() }.text(rungs)
    }
}

/// Formats `parts` / 10^`decimals` without trailing zeros.
pub fn decimal(parts: u64, decimals: u32) -> String {
    let digits = format!("{parts:0>0$}", decimals as usize + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals as usize);
    format!("{whole}.{fraction}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The comparison of points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compare {
    /// Key of the axis along which points are compared, all else being equal; `None` if nothing is compared.
    pub over: Option<String>,
    /// Value of that axis with which the others are compared.
    pub against: Option<String>,
    /// Measures to compare; empty if the kinds of the flows decide.
    pub measures: Vec<String>,
    /// Names of the flows to compare: each across points, and within a trial each with the first. If empty, flows with
    /// the same name, or with none, are compared together across points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flows: Vec<String>,
    /// Largest relative difference that counts as equivalent.
    pub margin: f64,
}

/// A bound on a measure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// Name of the measure, such as `goodput`.
    pub measure: String,
    /// Name of the flow; `None` for the trial as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<String>,
    /// Settings of the points that it applies to.
    pub at: Vec<Setting>,
    /// Smallest value that passes, in the measure's unit.
    pub at_least: Option<f64>,
    /// Largest value that passes, in the measure's unit.
    pub at_most: Option<f64>,
    /// Predicted share of all trials that pass; `None` if every trial must.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

/// A published figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Published {
    pub source: String,
    /// Name of the measure.
    pub measure: String,
    /// Name of the flow; `None` for the trial as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<String>,
    /// Settings of the points that it applies to.
    pub at: Vec<Setting>,
    /// Published value, in the measure's unit.
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
