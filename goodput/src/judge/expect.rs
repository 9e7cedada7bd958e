//! What the plan expects, held against what was measured.

use super::range;
use crate::analyze::{self, Measure, Measures};
use crate::plan::{Expectation, Plan, Setting, Trial};
use crate::show;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An expectation and how it came out; part of `verdict.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Expected {
    /// What was expected, such as "goodput of bbr at least 300 Mbit/s".
    pub name: String,
    /// The measure's name.
    pub measure: String,
    /// What the flow is called that it is about; `None` of the trial as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<String>,
    /// The points it is about: those that have all these settings.
    pub at: Vec<Setting>,
    /// The values of the trials that have one, in the measure's unit.
    pub values: Vec<f64>,
    pub held: Held,
    /// The same as a sentence.
    pub sentence: String,
}

/// How an expectation came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Held {
    /// In every trial that it is about.
    Yes,
    /// In some trials and not in others, or a trial has no value.
    Inconclusive,
    /// In no trial that it is about.
    No,
}

/// Holds an expectation against the trials that it is about.
pub(super) fn expected(wanted: &Expectation, plan: &Plan, measures: &Measures) -> Expected {
    let Expectation { measure, flow, at, at_least, at_most } = wanted;
    let concerned: Vec<&Trial> = plan.trials.iter().filter(|trial| trial.is_at(at)).collect();
    let value = |trial: &Trial| match flow {
        Some(flow) => measures.over(trial, measure, &trial.scene.flows_called(flow)),
        None => measures.value(trial, measure),
    };
    let values: Vec<f64> = concerned.iter().filter_map(|trial| value(trial)).collect();
    let passes = |value: &f64| at_least.is_none_or(|low| *value >= low) && at_most.is_none_or(|high| *value <= high);
    let passed = values.iter().filter(|value| passes(value)).count();
    // A missing value is neither.
    let held = match (passed, concerned.len()) {
        _ if values.is_empty() || values.len() < concerned.len() => Held::Inconclusive,
        (0, _) => Held::No,
        (passed, all) if passed == all => Held::Yes,
        _ => Held::Inconclusive,
    };
    let verdict = match held {
        Held::Yes => "passed",
        Held::No => "FAILED",
        Held::Inconclusive if values.is_empty() => "inconclusive, no trial has a value",
        Held::Inconclusive if values.len() < concerned.len() => "inconclusive, not every trial has a value",
        Held::Inconclusive => "inconclusive, it passed in some trials and failed in others",
    };
    let name = name(wanted, plan, &concerned);
    let without: Vec<&Trial> = concerned.iter().copied().filter(|trial| value(trial).is_none()).collect();
    let seen = seen(measure, &values, &silent(wanted, &without, measures));
    let sentence = format!("Expected {name}: {verdict}{seen}.");
    Expected { name, measure: measure.clone(), flow: flow.clone(), at: at.clone(), values, held, sentence }
}

/// "goodput of jail at lro at most 10.0 Mbit/s"
fn name(wanted: &Expectation, plan: &Plan, concerned: &[&Trial]) -> String {
    let Expectation { measure, flow, at, at_least, at_most } = wanted;
    let bound = |word: &str, bound: &Option<f64>| {
        bound.map(|bound| format!("{word} {}", show::value(Measure::unit_of(measure), bound)))
    };
    let bounds: Vec<String> = [bound("at least", at_least), bound("at most", at_most)].into_iter().flatten().collect();
    let several = || concerned.iter().any(|trial| analyze::concerned(&trial.scene, measure).len() > 1);
    let of = match flow {
        Some(flow) => Some(flow.as_str()),
        None if several() => Some("all flows"),
        None => None,
    };
    let point = match at.is_empty() {
        true if plan.points().len() == 1 => None,
        true => Some("every point".to_owned()),
        false => Some(show::label(at)),
    };
    let about = match (of, point) {
        (None, None) => String::new(),
        (Some(of), None) => format!(" of {of}"),
        (None, Some(point)) => format!(" of {point}"),
        (Some(of), Some(point)) => format!(" of {of} at {point}"),
    };
    format!("{measure}{about} {}", bounds.join(" and "))
}

/// The flows that have no value in trials that have none.
fn silent(wanted: &Expectation, without: &[&Trial], measures: &Measures) -> String {
    let Expectation { measure, flow, .. } = wanted;
    let flows = without.iter().flat_map(|trial| {
        let concerned = match flow {
            Some(flow) => trial.scene.flows_called(flow),
            None => analyze::concerned(&trial.scene, measure),
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
