//! Checks the plan's expectations against the measures.

use super::range;
use analysis::study;
use analysis::{Measure, Measures};
use base::show;
use base::stats;
use plan::setting;
use plan::{Expectation, Plan, Seeds, Setting, Trial};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An expectation and its outcome; part of `verdict.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Expected {
    /// Expectation in words, such as "goodput of bbr at least 300 Mbit/s".
    pub name: String,
    /// The measure's name.
    pub measure: String,
    /// Name of the flow; `None` for the trial as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<String>,
    /// Settings that a point must have for the expectation to apply.
    pub at: Vec<Setting>,
    /// The values of the trials that have one, in the measure's unit.
    pub values: Vec<f64>,
    /// The prediction, if the plan predicts a share of the trials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prediction: Option<Prediction>,
    /// Outcome.
    pub held: Held,
    /// The same as a sentence.
    pub sentence: String,
}

/// A share of trials predicted to lie within bounds, and how many did.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// Predicted share of all trials.
    pub share: f64,
    /// Trials within the bounds.
    pub inside: usize,
    /// All trials.
    pub trials: usize,
}

/// A prediction fails if a true one had so few trials within its bounds with less than this probability.
const MAX_REFUTED_PROBABILITY: f64 = 0.01;

impl Prediction {
    /// True if only `inside` trials within the bounds refute it.
    fn is_refuted_by(&self, inside: usize) -> bool {
        // Rounding must not decide: none of two at 90 % has a probability of exactly 1 %.
        stats::binomial_chance(inside as u64, self.trials as u64, self.share) < MAX_REFUTED_PROBABILITY * (1.0 - 1e-9)
    }

    /// Returns the outcome when `silent` trials have no value.
    fn held(&self, silent: usize) -> Held {
        // If even none inside would not refute it, the trials are too few to confirm it either.
        match (self.is_refuted_by(0), self.is_refuted_by(self.inside), self.is_refuted_by(self.inside + silent)) {
            (false, ..) | (true, true, false) => Held::Inconclusive,
            (true, true, true) => Held::No,
            (true, false, _) => Held::Yes,
        }
    }

    /// Returns the largest number of trials inside that refutes it; `None` if not even 0 does.
    fn most_refuting(&self) -> Option<usize> {
        (0..self.inside).rev().find(|inside| Prediction { inside: *inside, ..*self }.is_refuted_by(*inside))
    }

    /// Returns the fewest trials that can refute it; `None` if none can.
    fn fewest(&self) -> Option<usize> {
        (1..=MOST_SEEDS).find(|trials| Prediction { trials: *trials, ..*self }.is_refuted_by(0))
    }
}

/// Most seeds that a point can have.
const MOST_SEEDS: usize = *Seeds::COUNTS.end() as usize;

/// The outcome of an expectation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Held {
    /// Held in every trial, or the prediction is not refuted.
    Yes,
    /// Held in some trials only, a value is missing, or the trials are too few to refute the prediction.
    Inconclusive,
    /// Held in no trial, or the prediction is refuted.
    No,
}

/// Checks an expectation against the trials that it applies to.
pub(super) fn expected(wanted: &Expectation, plan: &Plan, measures: &Measures) -> Expected {
    let Expectation { measure, flow, at, at_least, at_most, share } = wanted;
    let concerned: Vec<&Trial> = plan.trials.iter().filter(|trial| trial.is_at(at)).collect();
    let value = |trial: &Trial| match flow {
        Some(flow) => measures.over(trial, measure, &trial.scene.flows_called(flow)),
        None => measures.value(trial, measure),
    };
    let values: Vec<f64> = concerned.iter().filter_map(|trial| value(trial)).collect();
    let passes = |value: &f64| at_least.is_none_or(|low| *value >= low) && at_most.is_none_or(|high| *value <= high);
    let inside = values.iter().filter(|value| passes(value)).count();
    // If nothing is random, one seed represents all: a share of them is all or none.
    let points = plan.points().into_iter().filter(|trials| trials[0].is_at(at));
    let is_certain = points.into_iter().all(|trials| study::is_certain(trials, measures));
    let prediction = share.map(|share| Prediction { share, inside, trials: concerned.len() });
    // A missing value neither meets the bounds nor violates them.
    let held = match (prediction, inside, concerned.len()) {
        (Some(prediction), ..) if !is_certain => prediction.held(concerned.len() - values.len()),
        _ if values.is_empty() || values.len() < concerned.len() => Held::Inconclusive,
        (_, 0, _) => Held::No,
        (_, inside, all) if inside == all => Held::Yes,
        _ => Held::Inconclusive,
    };
    let without: Vec<&Trial> = concerned.iter().copied().filter(|trial| value(trial).is_none()).collect();
    let seen = seen(measure, &values, &silent(wanted, &without, measures));
    let about = about(wanted, plan, &concerned);
    let bounds = bounds(wanted);
    let (name, sentence) = match prediction {
        None => {
            let name = format!("{about} {bounds}");
            let verdict = verdict(held, &values, concerned.len());
            (name.clone(), format!("Expected {name}: {verdict}{seen}."))
        }
        Some(prediction) => {
            let name = format!("{about} {bounds} in {} of trials", show::plain_share(prediction.share));
            (name, sentence(prediction, held, &about, &bounds, &seen))
        }
    };
    Expected { name, measure: measure.clone(), flow: flow.clone(), at: at.clone(), values, prediction, held, sentence }
}

fn verdict(held: Held, values: &[f64], trials: usize) -> &'static str {
    match held {
        Held::Yes => "passed",
        Held::No => "FAILED",
        Held::Inconclusive if values.is_empty() => "inconclusive, no trial has a value",
        Held::Inconclusive if values.len() < trials => "inconclusive, not every trial has a value",
        Held::Inconclusive => "inconclusive, it passed in some trials and failed in others",
    }
}

/// "Goodput of now as predicted: 9 of 10 in 57.0 to 74.0 Mbit/s (58.0 to 76.1 Mbit/s); 90 % were predicted, 5 or fewer
/// would refute it."
fn sentence(prediction: Prediction, held: Held, about: &str, bounds: &str, seen: &str) -> String {
    let Prediction { inside, trials, share } = prediction;
    let number = format!("{inside} of {trials} {bounds}{seen}");
    let share = show::plain_share(share);
    let text = match (held, prediction.fewest()) {
        (Held::Yes, _) => {
            let limit = prediction
                .most_refuting()
                .map_or(String::new(), |n| format!("; {share} were predicted, {n} or fewer would refute it"));
            format!("{about} as predicted: {number}{limit}")
        }
        (Held::No, _) => format!("{about} not as predicted: {number}, and {share} were predicted"),
        (Held::Inconclusive, Some(fewest)) if trials < fewest => {
            format!("{about}, prediction inconclusive: {number}; at least {fewest} trials can refute {share}")
        }
        (Held::Inconclusive, _) => format!("{about}, prediction inconclusive: {number}; {share} were predicted"),
    };
    format!("{}.", show::capital(&text))
}

/// Formats the bounds: "at most 10.0 Mbit/s", or "in 57.0 to 74.0 Mbit/s" if a prediction has both.
fn bounds(wanted: &Expectation) -> String {
    let Expectation { measure, at_least, at_most, share, .. } = wanted;
    let unit = Measure::unit_of(measure);
    match (at_least, at_most) {
        (Some(low), Some(high)) if share.is_some() => format!("in {}", show::range(unit, *low, *high)),
        _ => {
            let bound =
                |word: &str, bound: &Option<f64>| bound.map(|bound| format!("{word} {}", show::value(unit, bound)));
            let bounds = [bound("at least", at_least), bound("at most", at_most)];
            bounds.into_iter().flatten().collect::<Vec<String>>().join(" and ")
        }
    }
}

/// "goodput of jail at lro"
fn about(wanted: &Expectation, plan: &Plan, concerned: &[&Trial]) -> String {
    let Expectation { measure, flow, at, .. } = wanted;
    let several = || concerned.iter().any(|trial| analysis::concerned(&trial.scene, measure).len() > 1);
    let of = match flow {
        Some(flow) => Some(flow.as_str()),
        None if several() => Some("all flows"),
        None => None,
    };
    let point = match at.is_empty() {
        true if plan.points().len() == 1 => None,
        true => Some("every point".to_owned()),
        false => Some(setting::label(at)),
    };
    match (of, point) {
        (None, None) => measure.clone(),
        (Some(of), None) => format!("{measure} of {of}"),
        (None, Some(point)) => format!("{measure} of {point}"),
        (Some(of), Some(point)) => format!("{measure} of {of} at {point}"),
    }
}

/// Names the flows without a value in the trials without one: "flow 0 has none".
fn silent(wanted: &Expectation, without: &[&Trial], measures: &Measures) -> String {
    let Expectation { measure, flow, .. } = wanted;
    let flows = without.iter().flat_map(|trial| {
        let concerned = match flow {
            Some(flow) => trial.scene.flows_called(flow),
            None => analysis::concerned(&trial.scene, measure),
        };
        measures.without(trial, measure, &concerned)
    });
    let flows: Vec<usize> = flows.collect::<BTreeSet<usize>>().into_iter().collect();
    let names = without.iter().map(|trial| trial.scene.flow_names()).max_by_key(Vec::len).unwrap_or_default();
    match flows.len() {
        0 => String::new(),
        1 => format!("{} has none", show::flows(&flows, &names)),
        _ => format!("{} have none", show::flows(&flows, &names)),
    }
}

fn seen(measure: &str, values: &[f64], silent: &str) -> String {
    let range = if values.is_empty() { String::new() } else { range(measure, values) };
    let parts: Vec<&str> = [range.as_str(), silent].into_iter().filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join("; ")) }
}
