//! A row of the answer: a change, and what it brings under each scenario.

use super::explain::{Assumes, GAIN};
use super::forecast;
use super::measured::Measured;
use super::words::STREAMS;
use crate::judge::Outcome;
use crate::remedy::Typed;
use crate::remedy::lab::Key;
use crate::stats::{Difference, mean};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Twice what it is without the change: much more of what harms.
pub const DOUBLE: f64 = 2.0;

/// p95 of the pings over that without the change, from which on it is said: seeds and scenarios differ, and it may double.
const SLOWER: f64 = 1.5;

/// What a proposal does under a scenario, as means over seeds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// The explanation's place.
    pub explanation: usize,
    /// What the scenario assumes.
    pub assumes: Assumes,
    /// Goodput of each seed, as `goodput run` measures it, bit/s.
    pub goodput: Vec<f64>,
    /// The same without the change, seed by seed.
    #[serde(default)]
    pub now: Vec<f64>,
    /// The standard deviation of ln goodput between runs of a path of this kind.
    #[serde(default)]
    pub between_runs: f64,
    /// What the comparison of the two shows.
    #[serde(default = "inconclusive")]
    pub outcome: Outcome,
    /// The same as a sentence.
    #[serde(default)]
    pub says: String,
    /// What a slower and a faster line would bring over that: as far as the line's rate is not told apart, where it is the
    /// limit.
    #[serde(default = "alone")]
    pub line: [f64; 2],
    /// Mean of the seeds' goodput over that without the change.
    pub gain: f64,
    /// Median of the seeds' 95th percentile of pings beside it, seconds.
    pub p95: f64,
    /// Mean of the pings beside it, seconds.
    pub rtt: f64,
    /// That over what it is without the change.
    pub latency: f64,
    /// Segments that were sent again, over all that were sent.
    pub retransmitted: f64,
    /// What the other transfers on the line get, over what they get without the change; `None` if there are none.
    #[serde(default)]
    pub others: Option<f64>,
    /// What limits it then.
    pub next: String,
}

/// A row of the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What is changed.
    pub name: String,
    /// Under each scenario.
    pub effects: Vec<Effect>,
    /// `goodput apply` with the changes of each host; empty if it has none of these.
    #[serde(default)]
    pub apply: Vec<String>,
    /// The same as data.
    #[serde(default)]
    pub changes: Vec<Typed>,
    /// Commands that make it so.
    pub now: Vec<String>,
    /// Lines of files that keep it, with the file.
    pub keep: Vec<String>,
    /// Commands that undo both.
    pub undo: Vec<String>,
    /// The keys that stood for it, as lines of an experiment.
    pub keys: Vec<String>,
    /// Whether a faster line may bring more, and nobody knows its rate.
    pub open: bool,
    /// Whether it was looked at with a few seeds, promised nothing, and was not followed.
    #[serde(default)]
    pub dropped: bool,
    /// What the evidence has of runs with this change.
    #[serde(default)]
    pub measured: Vec<Measured>,
    #[serde(skip)]
    pub(super) settings: Vec<Key>,
}

/// A transfer of somebody else's on the line: goodput of one's own and of that, bit/s.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Neighbour {
    /// Its congestion control.
    pub control: String,
    /// Without the change.
    pub now: [f64; 2],
    /// With it.
    pub after: [f64; 2],
    /// With it at both, if it is a congestion control.
    pub all: Option<[f64; 2]>,
}

/// How far a gain hangs on what the evidence leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// It helps nowhere.
    None,
    /// The seeds that were run do not tell.
    Inconclusive,
    /// Under some explanation only.
    Low,
    /// As each explanation was fitted, but not in each scenario.
    Medium,
    /// In all of them.
    High,
}

impl Confidence {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Confidence::None => "",
            Confidence::Inconclusive => "inconclusive",
            Confidence::Low => "low",
            Confidence::Medium => "medium",
            Confidence::High => "high",
        }
    }
}

impl Row {
    /// Whether it changes neither goodput nor latency for the better.
    pub fn is_idle(&self) -> bool {
        const QUICKER: f64 = 2.0 / 3.0;
        self.dropped || !self.keys.is_empty() && self.confidence() == Confidence::None && self.latency()[1] > QUICKER
    }

    /// In which nine of ten runs lie, whichever scenario and rate of the line is true, bit/s.
    pub fn goodput(&self) -> [f64; 2] {
        self.by_scenario().fold([f64::INFINITY, 0.0], |[a, b], (_, [c, d])| [a.min(c), b.max(d)])
    }

    /// The same under each scenario, whichever rate of the line is true.
    pub fn by_scenario(&self) -> impl Iterator<Item = (&Effect, [f64; 2])> {
        let ranges = self.next_runs().into_iter();
        self.effects.iter().zip(ranges).map(|(effect, [low, high])| {
            let [slower, faster] = effect.line;
            (effect, [low * slower, high * faster])
        })
    }

    /// In which nine of ten runs lie under each scenario, bit/s. Seeds of one explanation's scenarios spread alike.
    pub fn next_runs(&self) -> Vec<[f64; 2]> {
        let of_one = |all: &[Effect]| {
            let goodput: Vec<&[f64]> = all.iter().map(|effect| &effect.goodput[..]).collect();
            forecast::next_runs(&goodput, all[0].between_runs)
        };
        self.effects.chunk_by(|a, b| a.explanation == b.explanation).flat_map(of_one).collect()
    }

    /// What it is called as a case of an experiment.
    pub fn case(&self) -> String {
        let plain = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        self.name.replace(" + ", "_").replace(plain, "-").to_lowercase()
    }

    /// Whether it has a change of this name.
    pub fn names(&self, change: &str) -> bool {
        parts(&self.name).contains(change)
    }

    /// Whether there is no upper end: a faster line may bring more, and nobody knows its rate.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// What the evidence has of runs with this change that came out beyond what is predicted, each with how far: as a share
    /// of the nearer end.
    pub fn off(&self) -> impl Iterator<Item = (&Measured, f64)> {
        let [low, high] = self.goodput();
        let high = if self.open { f64::INFINITY } else { high };
        self.measured.iter().filter_map(move |run| Some((run, run.off([low, high])?)))
    }

    /// Of the gain.
    pub fn gain(&self) -> [f64; 2] {
        self.range(|effect| [effect.gain; 2])
    }

    /// What it is worth on average, in times of the goodput without it: the 95 % interval over the seeds of each scenario.
    pub fn worth(&self) -> [f64; 2] {
        self.range(|effect| {
            let pairs =
                effect.goodput.iter().zip(&effect.now).filter(|(with, without)| **with > 0.0 && **without > 0.0);
            let logarithms: Vec<f64> = pairs.map(|(with, without)| (with / without).ln()).collect();
            Difference::paired(&logarithms).map_or([effect.gain; 2], |difference| difference.interval().map(f64::exp))
        })
    }

    /// Its geometric mean over the scenarios, of which none counts for more than ten.
    pub fn mean_gain(&self) -> f64 {
        mean(&self.effects.iter().map(|effect| effect.gain.clamp(0.1, 10.0).ln()).collect::<Vec<_>>()).exp()
    }

    /// Of the pings' p95, seconds.
    pub fn p95(&self) -> [f64; 2] {
        self.range(|effect| [effect.p95; 2])
    }

    /// Of the pings' p95 over that without the change.
    pub fn latency(&self) -> [f64; 2] {
        self.range(|effect| [effect.latency; 2])
    }

    /// Whether those who share the path wait longer, so that it has to be said.
    pub fn is_slower(&self) -> bool {
        self.latency()[1] >= SLOWER
    }

    /// Of what is retransmitted.
    pub fn retransmitted(&self) -> [f64; 2] {
        self.range(|effect| [effect.retransmitted; 2])
    }

    /// The least of what others on the line keep, over what they have without the change.
    pub fn others(&self) -> Option<f64> {
        self.effects.iter().filter_map(|effect| effect.others).reduce(f64::min)
    }

    fn range(&self, of: impl Fn(&Effect) -> [f64; 2]) -> [f64; 2] {
        self.effects.iter().map(of).fold([f64::INFINITY, 0.0], |[a, b], [c, d]| [a.min(c), b.max(d)])
    }
}

impl Effect {
    /// Whether the comparison shows a gain that is worth a change.
    pub fn helps(&self) -> bool {
        self.outcome == Outcome::Better && self.gain >= GAIN
    }
}

impl Row {
    /// How sure its gain is: as far as it hangs on what is not known, and less where a run with this change came to something
    /// else.
    pub fn confidence(&self) -> Confidence {
        match (self.support(), self.off().next()) {
            (Confidence::High, Some(_)) => Confidence::Medium,
            (Confidence::Medium, Some(_)) => Confidence::Low,
            (support, _) => support,
        }
    }

    /// Whether it helps under some explanation only.
    pub fn is_conditional(&self) -> bool {
        self.support() == Confidence::Low
    }

    /// How far its gain hangs on what is not known.
    fn support(&self) -> Confidence {
        let mut fitted = self.effects.iter().filter(|effect| effect.assumes == Assumes::Nothing);
        match () {
            () if self.dropped => Confidence::None,
            () if self.effects.iter().all(Effect::helps) => Confidence::High,
            () if fitted.all(Effect::helps) => Confidence::Medium,
            () if self.effects.iter().any(Effect::helps) => Confidence::Low,
            () if self.effects.iter().any(|effect| effect.gain >= GAIN) => Confidence::Inconclusive,
            () => Confidence::None,
        }
    }

    /// What it brings in the worst of cases and over all; of what brings as much within a few per cent, the quicker one, the
    /// one that takes no more of a line than its share, and then the smaller change.
    pub(super) fn rank(&self) -> f64 {
        let least = self.gain()[0].max(0.1).ln();
        let slower = self.latency()[1].max(1.0).ln();
        let shares = if self.name == STREAMS { 0.1 } else { 0.0 };
        let more = self.name.matches(" + ").count() as f64;
        let smaller = 0.02 * more + 0.004 * self.keys.len() as f64;
        least + 0.3 * self.mean_gain().max(0.1).ln() - 0.04 * slower - shares - smaller
    }
}

/// The single changes of a name.
pub(super) fn parts(name: &str) -> BTreeSet<&str> {
    name.split(" + ").collect()
}

fn inconclusive() -> Outcome {
    Outcome::Inconclusive
}

pub(super) fn alone() -> [f64; 2] {
    [1.0; 2]
}
