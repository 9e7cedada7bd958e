//! A row of the answer: a change and its effect under each scenario.

use super::explain::{Assumes, MIN_GAIN};
use super::forecast;
use super::other_runs::Measured;
use super::words::STREAMS;
use analysis::decide::Outcome;
use base::stats::{Difference, mean};
use diagnosis::remedy::Typed;
use diagnosis::remedy::lab::Key;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A latency or a retransmitted share this many times that without the change is harm.
pub const MAX_HARM_RATIO: f64 = 2.0;

/// p95 of the pings over that without the change, from which the page warns.
const SLOWER_RTT_RATIO: f64 = 1.5;

/// The effect of a proposal under a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// Index of the explanation.
    pub explanation: usize,
    /// The assumption of the scenario.
    pub assumes: Assumes,
    /// Goodput of each seed, as `goodput run` measures it, bit/s.
    pub goodput: Vec<f64>,
    /// Goodput without the change, seed by seed, bit/s.
    #[serde(default)]
    pub now: Vec<f64>,
    /// Goodput of each seed as the reader's tool prints it, bit/s.
    #[serde(default)]
    pub printed: Vec<f64>,
    /// Segments that each seed retransmitted in the time that the tool counts.
    #[serde(default)]
    pub again: Vec<f64>,
    /// Unevenness of the streams of each seed; empty for one stream.
    #[serde(default)]
    pub unevenness: Vec<f64>,
    /// The standard deviation of ln goodput between runs of a path of this kind.
    #[serde(default)]
    pub between_runs: f64,
    /// The outcome of comparing the two.
    #[serde(default = "inconclusive")]
    pub outcome: Outcome,
    /// The outcome as a sentence.
    #[serde(default)]
    pub says: String,
    /// Factors of goodput on a slower and a faster link, within the interval of the link rate, if the link limits.
    #[serde(default = "alone")]
    pub line: [f64; 2],
    /// Mean of the seeds' goodput over that without the change.
    pub gain: f64,
    /// Median of the seeds' 95th percentile of concurrent pings, seconds.
    pub p95: f64,
    /// Mean of the concurrent pings, seconds.
    pub rtt: f64,
    /// `p95` over that without the change.
    pub latency: f64,
    /// Retransmitted segments over all segments sent.
    pub retransmitted: f64,
    /// Goodput of competing flows over that without the change; `None` if there are none.
    #[serde(default)]
    pub others: Option<f64>,
    /// The next limit.
    pub next: String,
}

/// A row of the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangeRow {
    /// The change.
    pub name: String,
    /// Its effects, one for each scenario.
    pub effects: Vec<Effect>,
    /// `goodput apply` for each host; empty if it cannot make the change.
    #[serde(default)]
    pub apply: Vec<String>,
    /// The changes as data.
    #[serde(default)]
    pub changes: Vec<Typed>,
    /// Commands that make the change.
    pub now: Vec<String>,
    /// Lines of files that make it permanent, with the file.
    pub keep: Vec<String>,
    /// Commands that undo both.
    pub undo: Vec<String>,
    /// Its keys, as lines of an experiment.
    pub keys: Vec<String>,
    /// Whether a faster link may bring more, because its rate is unknown.
    pub open: bool,
    /// Goodput of the transfer, in the row without a change, bit/s: it tells which scenario is near.
    #[serde(default)]
    pub seen: Option<f64>,
    /// The range of nine of ten runs, as the reader's tool prints them.
    #[serde(default)]
    pub predicted: Option<Predicted>,
    /// Whether it was dropped after a first look.
    #[serde(default)]
    pub dropped: bool,
    /// Measured runs with this change.
    #[serde(default)]
    pub measured: Vec<Measured>,
    #[serde(skip)]
    pub(super) settings: Vec<Key>,
}

/// The range of nine of ten runs, in the figures that the reader's tool prints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Predicted {
    /// The least goodput, bit/s.
    pub low: f64,
    /// The largest goodput, bit/s; `None` if a faster link may bring more.
    pub high: Option<f64>,
    /// Segments retransmitted in the time that the tool counts.
    pub retransmitted: Option<[f64; 2]>,
}

/// A competing transfer: goodput of the own transfer and of the competing one, bit/s.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Neighbour {
    /// Its congestion control.
    pub control: String,
    /// Goodputs without the change.
    pub now: [f64; 2],
    /// Goodputs with the change.
    pub after: [f64; 2],
    /// Goodputs with the change at both transfers, if it is a congestion control.
    pub all: Option<[f64; 2]>,
}

/// How much a gain depends on what the evidence leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// The change helps under no scenario.
    None,
    /// The seeds do not decide.
    Inconclusive,
    /// The change helps only under some explanation.
    Low,
    /// The change helps under the best fit of each explanation, but not under each scenario.
    Medium,
    /// The change helps under all scenarios.
    High,
}

impl Confidence {
    /// Returns the confidence as a word.
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

impl ChangeRow {
    /// Whether the change improves neither goodput nor latency.
    pub fn is_idle(&self) -> bool {
        const QUICKER_RTT_RATIO: f64 = 2.0 / 3.0;
        self.measured.is_empty()
            && (self.dropped
                || !self.keys.is_empty()
                    && self.confidence() == Confidence::None
                    && self.latency()[1] > QUICKER_RTT_RATIO)
    }

    /// Whether the page can tell how to make the change.
    pub fn has_commands(&self) -> bool {
        !self.now.is_empty() || !self.apply.is_empty()
    }

    /// Whether it is another change and more, without gaining or quickening anything beyond that one.
    pub(super) fn adds_nothing_to(&self, other: &ChangeRow) -> bool {
        let (own, others) = (parts(&self.name), parts(&other.name));
        let is_alike =
            |(one, two): (&Effect, &Effect)| one.gain < MIN_GAIN * two.gain && two.latency < MIN_GAIN * one.latency;
        own != others && others.is_subset(&own) && self.effects.iter().zip(&other.effects).all(is_alike)
    }

    /// Returns the range of nine of ten runs over all scenarios and link rates, bit/s.
    pub fn goodput(&self) -> [f64; 2] {
        self.by_scenario().fold([f64::INFINITY, 0.0], |[a, b], (_, [c, d])| [a.min(c), b.max(d)])
    }

    /// Returns that range for each scenario, over all link rates.
    pub fn by_scenario(&self) -> impl Iterator<Item = (&Effect, [f64; 2])> {
        let centres: Vec<f64> = self.effects.iter().map(|effect| forecast::centre(effect.printed())).collect();
        let drawn =
            self.seen.map(|seen| forecast::Drawn::new(seen, &centres, self.effects.iter().map(Effect::printed)));
        self.ranges(Effect::printed).zip(centres).map(move |((effect, range), centre)| {
            (effect, drawn.as_ref().map_or(range, |drawn| drawn.range(range, centre)))
        })
    }

    /// Returns the ranges of a figure of each seed under each scenario, over all link rates.
    fn ranges(&self, of: fn(&Effect) -> &[f64]) -> impl Iterator<Item = (&Effect, [f64; 2])> {
        let ranges = self.next_runs(of).into_iter();
        self.effects.iter().zip(ranges).map(|(effect, [low, high])| {
            let [slower, faster] = effect.line;
            (effect, [low * slower, high * faster])
        })
    }

    /// Returns that range under one scenario of an explanation, as `goodput run` measures goodput.
    pub fn under(&self, explanation: usize, assumes: Assumes) -> Option<[f64; 2]> {
        let is_meant = |(effect, _): &(&Effect, _)| effect.explanation == explanation && effect.assumes == assumes;
        self.ranges(|effect| &effect.goodput).find(is_meant).map(|(_, range)| range)
    }

    /// Returns the range of nine of ten runs under each scenario, bit/s. Scenarios of one explanation share the spread
    /// between seeds.
    fn next_runs(&self, of: fn(&Effect) -> &[f64]) -> Vec<[f64; 2]> {
        let of_one = |all: &[Effect]| {
            let goodput: Vec<&[f64]> = all.iter().map(of).collect();
            forecast::next_runs(&goodput, all[0].between_runs)
        };
        self.effects.chunk_by(|a, b| a.explanation == b.explanation).flat_map(of_one).collect()
    }

    /// Returns the range of nine of ten runs of the segments retransmitted; `None` if the lab counted none.
    pub fn segments_again(&self) -> Option<[f64; 2]> {
        let counts = |effect: &Effect| -> Vec<f64> { effect.again.iter().map(|count| count.max(1.0)).collect() };
        let ranges = self.effects.iter().map(counts).filter(|counts| !counts.is_empty());
        let ranges = ranges.map(|counts| forecast::next_run(&counts, forecast::RETRANSMITTED_SD));
        ranges
            .reduce(|[a, b], [c, d]| [a.min(c), b.max(d)])
            .map(|[low, high]| [if low < 1.5 { 0.0 } else { low }, high])
    }

    /// Returns the range of the streams' unevenness over all seeds; `None` for one stream.
    pub fn unevenness(&self) -> Option<[f64; 2]> {
        let all: Vec<f64> = self.effects.iter().flat_map(|effect| effect.unevenness.iter().copied()).collect();
        (!all.is_empty()).then(|| forecast::own_range(&all))
    }

    /// Returns the ranges that the verdict keeps.
    pub(super) fn prediction(&self) -> Option<Predicted> {
        let [low, high] = self.goodput();
        let is_known = low.is_finite() && high.is_finite() && !self.effects.is_empty();
        is_known.then(|| Predicted { low, high: (!self.open).then_some(high), retransmitted: self.segments_again() })
    }

    /// Returns its name as a case of an experiment.
    pub fn case(&self) -> String {
        let plain = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        self.name.replace(" + ", "_").replace(plain, "-").to_lowercase()
    }

    /// Whether it has a change of this name.
    pub fn names(&self, change: &str) -> bool {
        parts(&self.name).contains(change)
    }

    /// Whether its range has no upper end, because the link rate is unknown.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Returns measured runs with this change outside the predicted range, and how far, as a share of the nearer end.
    pub fn off(&self) -> impl Iterator<Item = (&Measured, f64)> {
        let [low, high] = self.goodput();
        let high = if self.open { f64::INFINITY } else { high };
        self.measured.iter().filter_map(move |run| Some((run, run.off([low, high])?)))
    }

    /// Returns the range of the gain over all scenarios.
    pub fn gain(&self) -> [f64; 2] {
        self.range(|effect| [effect.gain; 2])
    }

    /// Returns the mean gain as a ratio: the 95 % interval over seeds, over all scenarios.
    pub fn worth(&self) -> [f64; 2] {
        self.range(|effect| {
            let pairs =
                effect.goodput.iter().zip(&effect.now).filter(|(with, without)| **with > 0.0 && **without > 0.0);
            let logarithms: Vec<f64> = pairs.map(|(with, without)| (with / without).ln()).collect();
            Difference::paired(&logarithms).map_or([effect.gain; 2], |difference| difference.interval().map(f64::exp))
        })
    }

    /// Returns the geometric mean of the gain over the scenarios, each clamped to a factor of ten.
    pub fn mean_gain(&self) -> f64 {
        mean(&self.effects.iter().map(|effect| effect.gain.clamp(0.1, 10.0).ln()).collect::<Vec<_>>()).exp()
    }

    /// Returns the range of the pings' p95, seconds.
    pub fn p95(&self) -> [f64; 2] {
        self.range(|effect| [effect.p95; 2])
    }

    /// Returns the range of the pings' p95 over that without the change.
    pub fn latency(&self) -> [f64; 2] {
        self.range(|effect| [effect.latency; 2])
    }

    /// Whether latency rises so much that the page warns.
    pub fn is_slower(&self) -> bool {
        self.latency()[1] >= SLOWER_RTT_RATIO
    }

    /// Returns the range of the retransmitted share.
    pub fn retransmitted(&self) -> [f64; 2] {
        self.range(|effect| [effect.retransmitted; 2])
    }

    /// Returns the smallest goodput of competing flows over that without the change.
    pub fn others(&self) -> Option<f64> {
        self.effects.iter().filter_map(|effect| effect.others).reduce(f64::min)
    }

    fn range(&self, of: impl Fn(&Effect) -> [f64; 2]) -> [f64; 2] {
        self.effects.iter().map(of).fold([f64::INFINITY, 0.0], |[a, b], [c, d]| [a.min(c), b.max(d)])
    }
}

impl Effect {
    /// Returns the goodput of each seed as the reader's tool prints it; as `goodput run` measures it in older proofs.
    pub fn printed(&self) -> &[f64] {
        if self.printed.is_empty() { &self.goodput } else { &self.printed }
    }

    /// Whether the comparison shows a gain worth a change.
    pub fn helps(&self) -> bool {
        self.outcome == Outcome::Better && self.gain >= MIN_GAIN
    }
}

impl ChangeRow {
    /// Returns the confidence in its gain, lowered if a measured run with this change contradicts the prediction.
    pub fn confidence(&self) -> Confidence {
        match (self.support(), self.off().next()) {
            (Confidence::High, Some(_)) => Confidence::Medium,
            (Confidence::Medium, Some(_)) => Confidence::Low,
            (support, _) => support,
        }
    }

    /// Whether it helps only under some explanations.
    pub fn is_conditional(&self) -> bool {
        self.support() == Confidence::Low
    }

    /// Returns the confidence in its gain, from the scenarios alone.
    fn support(&self) -> Confidence {
        let mut fitted = self.effects.iter().filter(|effect| effect.assumes == Assumes::Nothing);
        match () {
            () if self.dropped => Confidence::None,
            () if self.effects.iter().all(Effect::helps) => Confidence::High,
            () if fitted.all(Effect::helps) => Confidence::Medium,
            () if self.effects.iter().any(Effect::helps) => Confidence::Low,
            () if self.effects.iter().any(|effect| effect.gain >= MIN_GAIN) => Confidence::Inconclusive,
            () => Confidence::None,
        }
    }

    /// Returns the rank: the worst and the mean gain; within a few per cent the lower latency, then one connection
    /// rather than several, then the smaller change.
    pub(super) fn rank(&self) -> f64 {
        let least = self.gain()[0].max(0.1).ln();
        let slower = self.latency()[1].max(1.0).ln();
        let shares = if self.name == STREAMS { 0.1 } else { 0.0 };
        let more = self.name.matches(" + ").count() as f64;
        let smaller = 0.02 * more + 0.004 * self.keys.len() as f64;
        least + 0.3 * self.mean_gain().max(0.1).ln() - 0.04 * slower - shares - smaller
    }
}

/// Returns the single changes of a name.
pub(super) fn parts(name: &str) -> BTreeSet<&str> {
    name.split(" + ").collect()
}

fn inconclusive() -> Outcome {
    Outcome::Inconclusive
}

pub(super) fn alone() -> [f64; 2] {
    [1.0; 2]
}
