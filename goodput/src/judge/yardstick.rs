//! What points are compared by.

use super::value::{at, concerned, join, of_kind, over, range, value, without};
use crate::analyze::Measures;
use crate::measure::{self, Centre, Kind, Measure, Subject};
use crate::plan::{Setting, Trial};
use crate::show;
use crate::stats;

/// A measure of the flows that count.
#[derive(Debug, Clone, Copy)]
pub struct Yardstick {
    /// The measure.
    pub measure: &'static Measure,
    /// The flows that count; `None` for all that the measure is about.
    kind: Option<Kind>,
}

/// What the kinds of flows are compared by unless the experiment says so: of bulk data its goodput, beside which
/// datagrams and pings are the background.
const USUAL: [(Kind, &str); 4] =
    [(Kind::Bulk, "goodput"), (Kind::Requests, "exchange-p50"), (Kind::Ping, "rtt-p50"), (Kind::Udp, "goodput")];

impl Yardstick {
    /// The usual one of a kind of flow.
    pub fn usual(kind: Kind) -> Option<Yardstick> {
        let (_, name) = USUAL.iter().find(|(other, _)| *other == kind)?;
        Some(Yardstick { measure: measure::find(name)?, kind: Some(kind) })
    }

    /// That of all points: `None` if there is no kind of flow that all have.
    pub fn common(points: &[&[Trial]]) -> Option<Yardstick> {
        let there = |kind: Kind| points.iter().copied().flatten().all(|trial| !of_kind(trial, kind).is_empty());
        USUAL.iter().find(|(kind, _)| there(*kind)).and_then(|(kind, _)| Yardstick::usual(*kind))
    }

    /// A measure over all that it is about.
    pub fn named(name: &str) -> Option<Yardstick> {
        Some(Yardstick { measure: measure::find(name)?, kind: None })
    }

    /// Those of two points: the named ones, else what the kinds of their flows are compared by.
    pub fn chosen(names: &[String], points: [&[Trial]; 2]) -> Vec<Yardstick> {
        match names {
            [] => Yardstick::common(&points).into_iter().collect(),
            named => named.iter().filter_map(|name| Yardstick::named(name)).collect(),
        }
    }

    /// Whether both are about the same figures.
    pub fn is(&self, other: &Yardstick) -> bool {
        (self.measure.name, self.kind) == (other.measure.name, other.kind)
    }

    /// Its value for a trial.
    pub fn value(&self, measures: &Measures, trial: &Trial) -> Option<f64> {
        match self.kind {
            Some(kind) => over(measures, trial, self.measure.name, &of_kind(trial, kind)),
            None => value(measures, trial, self.measure.name),
        }
    }

    /// Why a point, called so, has no value of times that flows should have, in some of its seeds.
    pub fn silence(&self, measures: &Measures, trials: &[Trial], name: &str) -> Option<String> {
        if self.measure.subject != Subject::Flow || self.measure.centre != Centre::Median {
            return None;
        }
        let flows = |trial: &Trial| match self.kind {
            Some(kind) => of_kind(trial, kind),
            None => concerned(trial, self.measure.name),
        };
        let unanswered = |trial| without(measures, trial, self.measure.name, &flows(trial));
        let silent: Vec<Vec<usize>> = trials.iter().map(unanswered).filter(|flows| !flows.is_empty()).collect();
        if silent.is_empty() {
            return None;
        }
        let seeds = match (silent.len(), trials.len()) {
            (n, all) if n == all => String::new(),
            (n, all) => format!(" in {n} of {all} seeds"),
        };
        let flows = show::flows(&join(silent.into_iter()), trials[0].scene.flows.len());
        let got = if self.is_answer() { "got no answer" } else { "has no value" };
        Some(format!("with {name} {flows} {got}{seeds}"))
    }

    fn is_answer(&self) -> bool {
        matches!(self.kind, Some(Kind::Requests | Kind::Ping))
    }

    /// What it is called in a sentence.
    pub fn noun(&self) -> String {
        match self.kind {
            Some(Kind::Requests) => "the median exchange".into(),
            Some(Kind::Ping) => "the median ping".into(),
            _ => self.measure.name.into(),
        }
    }

    /// Of one point alone.
    pub fn sentence(&self, point: &[Setting], measures: &Measures, trials: &[Trial]) -> String {
        let values: Vec<f64> = trials.iter().filter_map(|trial| self.value(measures, trial)).collect();
        let takes = match self.is_answer() {
            false => ":",
            true if values.is_empty() => " has",
            true => " takes",
        };
        let estimate = stats::estimate(&values, self.measure.centre);
        let sure = estimate.and_then(|estimate| Some((estimate, estimate.interval?)));
        let figure = match sure.filter(|(_, [low, high])| low < high) {
            Some((estimate, [low, high])) => {
                let unit = self.measure.unit;
                let [value, interval] = [show::value(unit, estimate.value), show::range(unit, low, high)];
                format!("{value} ({} % interval {interval}, {} seeds)", stats::LEVEL * 100.0, values.len())
            }
            None => range(self.measure.name, &values),
        };
        at(point, &format!("{}{takes} {figure}.", self.noun()))
    }
}
