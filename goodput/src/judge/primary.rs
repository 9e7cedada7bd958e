//! The primary measure of a point: what it is judged and compared by.

use super::decide::two_modes;
use super::range;
use crate::analyze::{self, Measure, Measures};
use crate::measure::{Centre, Kind, Subject};
use crate::plan::{Setting, Trial};
use crate::show;
use crate::stats::{self, Estimate, Mode};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A measure of the flows that count.
#[derive(Debug, Clone, Copy)]
pub struct Primary {
    /// The measure.
    pub measure: &'static Measure,
    /// The flows that count; `None` for all that the measure is about.
    kind: Option<Kind>,
}

/// The primary measure of a point by itself; part of `verdict.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The point.
    pub at: Vec<Setting>,
    /// The measure's name.
    pub measure: String,
    /// Over its seeds; `None` without a value.
    pub estimate: Option<Estimate>,
    /// Its two modes, where the seeds have them.
    pub modes: Option<[Mode; 2]>,
    /// The same as a sentence.
    pub sentence: String,
}

/// What the kinds of flows are compared by unless the experiment says so: of bulk data its goodput, beside which
/// datagrams and pings are the background.
const USUAL: [(Kind, &str); 4] =
    [(Kind::Bulk, "goodput"), (Kind::Requests, "exchange-p50"), (Kind::Ping, "rtt-p50"), (Kind::Udp, "goodput")];

impl Primary {
    /// The usual one of a kind of flow.
    pub fn usual(kind: Kind) -> Option<Primary> {
        let (_, name) = USUAL.iter().find(|(other, _)| *other == kind)?;
        Some(Primary { measure: Measure::find(name)?, kind: Some(kind) })
    }

    /// That of all points: `None` if there is no kind of flow that all have.
    pub fn common(points: &[&[Trial]]) -> Option<Primary> {
        let has = |trial: &Trial, kind| !analyze::of_kind(&trial.scene, kind).is_empty();
        let there = |kind: Kind| points.iter().copied().flatten().all(|trial| has(trial, kind));
        USUAL.iter().find(|(kind, _)| there(*kind)).and_then(|(kind, _)| Primary::usual(*kind))
    }

    /// A measure over all that it is about.
    pub fn named(name: &str) -> Option<Primary> {
        Some(Primary { measure: Measure::find(name)?, kind: None })
    }

    /// Those of two points: the named ones, else what the kinds of their flows are compared by.
    pub fn chosen(names: &[String], points: [&[Trial]; 2]) -> Vec<Primary> {
        match names {
            [] => Primary::common(&points).into_iter().collect(),
            named => named.iter().filter_map(|name| Primary::named(name)).collect(),
        }
    }

    /// Whether both are about the same figures.
    pub fn is(&self, other: &Primary) -> bool {
        (self.measure.name, self.kind) == (other.measure.name, other.kind)
    }

    /// Its value for a trial.
    pub fn value(&self, measures: &Measures, trial: &Trial) -> Option<f64> {
        match self.kind {
            Some(kind) => measures.over(trial, self.measure.name, &analyze::of_kind(&trial.scene, kind)),
            None => measures.value(trial, self.measure.name),
        }
    }

    /// Why a point, called so, has no value of times that flows should have, in some of its seeds.
    pub fn silence(&self, measures: &Measures, trials: &[Trial], name: &str) -> Option<String> {
        if self.measure.subject() != Subject::Flow || self.measure.centre != Centre::Median {
            return None;
        }
        let flows = |trial: &Trial| match self.kind {
            Some(kind) => analyze::of_kind(&trial.scene, kind),
            None => analyze::concerned(&trial.scene, self.measure.name),
        };
        let unanswered = |trial| measures.without(trial, self.measure.name, &flows(trial));
        let silent: Vec<Vec<usize>> = trials.iter().map(unanswered).filter(|flows| !flows.is_empty()).collect();
        if silent.is_empty() {
            return None;
        }
        let seeds = match (silent.len(), trials.len()) {
            (n, all) if n == all => String::new(),
            (n, all) => format!(" in {n} of {all} seeds"),
        };
        let once: Vec<usize> = silent.into_iter().flatten().collect::<BTreeSet<usize>>().into_iter().collect();
        let got = match (self.is_answer(), once.len()) {
            (true, _) => "got no answer",
            (false, 1) => "has no value",
            _ => "have no value",
        };
        Some(format!("in {name}, {} {got}{seeds}", show::flows(&once, trials[0].scene.flows.len())))
    }

    fn is_answer(&self) -> bool {
        matches!(self.kind, Some(Kind::Requests | Kind::Ping))
    }

    /// What it is called in a sentence.
    pub fn noun(&self) -> String {
        match self.kind {
            Some(Kind::Requests) => "median response time".into(),
            Some(Kind::Ping) => "median ping RTT".into(),
            _ => self.measure.name.into(),
        }
    }

    /// Of one point alone.
    pub fn summary(&self, measures: &Measures, trials: &[Trial]) -> Summary {
        let values: Vec<f64> = trials.iter().filter_map(|trial| self.value(measures, trial)).collect();
        let estimate = stats::estimate(&values, self.measure.centre);
        let modes = stats::modes(&values);
        let sure = estimate.and_then(|estimate| Some((estimate, estimate.interval?)));
        let figure = match (modes, sure.filter(|(_, [low, high])| low < high)) {
            (Some(modes), _) => two_modes(self.measure.unit, modes),
            (None, Some((estimate, [low, high]))) => {
                let unit = self.measure.unit;
                let [value, interval] = [show::value(unit, estimate.value), show::range(unit, low, high)];
                format!("{value} ({} % CI {interval}, {} seeds)", stats::LEVEL * 100.0, values.len())
            }
            (None, None) => range(self.measure.name, &values),
        };
        let point = &trials[0].point;
        let sentence = show::at(point, &format!("{}: {figure}.", self.noun()));
        Summary { at: point.clone(), measure: self.measure.name.into(), estimate, modes, sentence }
    }
}
