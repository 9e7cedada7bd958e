//! The measurement that decides between two hypotheses, by formula: their predictions are farthest apart. And the effect
//! of a fix.

use super::predict::{Hypothesis, Part};
use super::prune::Left;
use crate::facts::{Case, Fact, Facts, Key, Origin, Run};
use crate::formula::{Interval, Kind};
use serde::Serialize;

/// A measurement that is asked for.
struct Measurement {
    /// Instruction.
    what: &'static str,
    change: fn(&Case, &mut Run) -> Option<()>,
}

/// MSS of a run with short segments, bytes: half of the usual one and below every tunnel's.
const SHORT_MSS: f64 = 688.0;

/// Buffer that is a limit on few paths, bytes.
const LARGE_BUFFER: f64 = 8.0 * 1024.0 * 1024.0;

const MEASUREMENTS: &[Measurement] = &[
    Measurement { what: "the same run, with all its numbers", change: |_, _| Some(()) },
    Measurement {
        what: "four times the streams",
        change: |case, run| {
            let streams = Interval::exactly(4.0 * case.streams(run));
            set(run, "streams", streams)
        },
    },
    Measurement {
        what: "short segments (iperf3 -M 700)",
        change: |_, run| set(run, "mss", Interval::exactly(SHORT_MSS)),
    },
    Measurement {
        what: "BBR at the sender",
        change: |_, run| {
            run.facts.labels.insert("congestion", "bbr".into());
            Some(())
        },
    },
    Measurement {
        what: "large buffers at both ends (iperf3 -w 8M)",
        change: |_, run| {
            set(run, "send-buffer", Interval::exactly(LARGE_BUFFER))?;
            set(run, "receive-max", Interval::exactly(LARGE_BUFFER))?;
            set(run, "window", Interval::exactly(LARGE_BUFFER))
        },
    },
    Measurement {
        what: "iperf3 in place of the program",
        change: |_, run| run.facts.labels.insert("program", "iperf3".into()).map(drop),
    },
    Measurement {
        what: "a host at a tenth of the RTT",
        change: |case, run| {
            let rtt = case.number(run, "rtt")?;
            set(run, "rtt", rtt * Interval::exactly(0.1))
        },
    },
];

fn set(run: &mut Run, name: &'static str, interval: Interval) -> Option<()> {
    run.facts.numbers.insert(name, Fact::new(Key::kind_of(name), interval, Origin::Assumed));
    Some(())
}

/// Smallest gap between two predictions that a measurement can see: natural logarithm of 1.1.
const MIN_GAP: f64 = 0.1;

/// The measurement that tells most of several hypotheses apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decision {
    pub between: Vec<String>,
    /// Measurement; `None` if no number that formulas predict tells any two apart.
    pub measure: Option<String>,
    /// The number to look at.
    pub fact: Option<String>,
    /// Prediction of each.
    pub predicted: Option<Vec<String>>,
}

/// A hypothesis at a point.
pub struct At<'h, 't> {
    pub hypothesis: &'h Hypothesis<'t>,
    pub left: &'h Left,
    pub point: &'h [f64],
}

impl At<'_, '_> {
    fn part(&self) -> Part {
        self.point.iter().map(|value| Interval::exactly(*value)).collect()
    }
}

/// Returns what decides between hypotheses at the points at which they fit: what tells most pairs apart, and of those
/// the widest gap.
pub fn decide(case: &Case, all: &[At]) -> Decision {
    let mut best: Option<((usize, f64), Decision)> = None;
    let between: Vec<String> = all.iter().map(|at| at.hypothesis.template.name.clone()).collect();
    for measurement in MEASUREMENTS {
        let Some(mut run) = case.slowest().cloned() else { break };
        if (measurement.change)(case, &mut run).is_none() {
            continue;
        }
        let predictions: Vec<_> =
            all.iter().map(|at| at.hypothesis.predict(case, &run, &at.left.axes, &at.part())).collect();
        let Some(first) = predictions.first() else { break };
        for fact in first.keys() {
            let is_visible =
                !matches!(*fact, "early" | "late" | "frame-errors") && (*fact != "lost" || run.facts.has("offered"));
            let values: Option<Vec<Interval>> = predictions.iter().map(|one| one.get(fact).copied()).collect();
            let Some(values) = values.filter(|_| is_visible) else { continue };
            let groups = grouped(&values);
            let apart = |(at, a): (usize, &Interval)| groups[at + 1..].iter().filter(|b| *b != a).count();
            let pairs: usize = groups.iter().enumerate().map(apart).sum();
            let ends = |of: fn(f64, f64) -> f64, start| groups.iter().map(|one| floored(*one).middle()).fold(start, of);
            let worth = (pairs, (ends(f64::max, 0.0) / ends(f64::min, f64::INFINITY)).ln());
            if pairs > 0 && best.as_ref().is_none_or(|(known, _)| worth > *known) {
                let kind = Key::kind_of(fact);
                let decision = Decision {
                    between: between.clone(),
                    measure: Some(measurement.what.to_owned()),
                    fact: Some((*fact).to_owned()),
                    predicted: Some(groups.into_iter().map(|value| kind.show(value)).collect()),
                };
                best = Some((worth, decision));
            }
        }
    }
    best.map_or(Decision { between, measure: None, fact: None, predicted: None }, |(_, decision)| decision)
}

/// Returns the predictions, each with those that no measurement can tell from it.
fn grouped(values: &[Interval]) -> Vec<Interval> {
    let mut groups = values.to_vec();
    // A group that grows may meet others.
    for _ in 0..values.len() {
        for at in 0..groups.len() {
            for other in 0..groups.len() {
                if floored(groups[at]).gap(floored(groups[other])) <= MIN_GAP {
                    let both = groups[at].hull(groups[other]);
                    (groups[at], groups[other]) = (both, both);
                }
            }
        }
    }
    groups
}

/// Raises zeros, which have no ratio.
fn floored(value: Interval) -> Interval {
    value.max(Interval::exactly(1e-6))
}

/// Effect of a change of the slowest run under a hypothesis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FixRow {
    pub hypothesis: String,
    pub fix: String,
    /// Goodput before and after, by formula, as shown.
    pub by_formula: Option<[String; 2]>,
    /// Goodput before and after, in the lab, as shown.
    pub in_the_lab: Option<[String; 2]>,
}

/// Returns the slowest run with a change, and the case with it.
pub fn changed(case: &Case, change: &Facts) -> Option<Case> {
    let name = case.slowest()?.name.clone();
    let mut case = case.clone();
    let run = case.runs.iter_mut().find(|run| run.name == name)?;
    run.facts.labels.extend(change.labels.clone());
    run.facts.numbers.extend(change.numbers.clone());
    // A path that is changed is that of the run, and what was measured on the old one does not bind it.
    Some(case)
}

/// Returns the goodput of the slowest run before and after a change, by formula, over all that is left.
pub fn by_formula(case: &Case, after: &Case, hypothesis: &Hypothesis, left: &Left) -> Option<[String; 2]> {
    let slowest = &case.slowest()?.name;
    let of = |case: &Case| {
        let run = case.runs.iter().find(|run| &run.name == slowest)?;
        let goodput = |part: &Part| hypothesis.predict(case, run, &left.axes, part).get("goodput").copied();
        left.parts.iter().filter_map(goodput).reduce(Interval::hull)
    };
    Some([of(case)?, of(after)?].map(|goodput| Kind::Rate.show(goodput)))
}
