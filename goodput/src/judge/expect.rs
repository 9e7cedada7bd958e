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
    /// The points it is about: those that have all these settings.
    pub at: Vec<Setting>,
    /// The values of the trials that have one, in the measure's unit.
    pub values: Vec<f64>,
    /// How it came out.
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
    let Expectation { measure, at, at_least, at_most } = wanted;
    let concerned: Vec<&Trial> = plan.trials.iter().filter(|trial| trial.is_at(at)).collect();
    let values: Vec<f64> = concerned.iter().filter_map(|trial| measures.value(trial, measure)).collect();
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
    let name = name(wanted, plan);
    let seen = seen(measure, &values, &silent(measure, &concerned, measures));
    let sentence = format!("Expected {name}: {verdict}{seen}.");
    Expected { name, measure: measure.clone(), at: at.clone(), values, held, sentence }
}

fn name(wanted: &Expectation, plan: &Plan) -> String {
    let Expectation { measure, at, at_least, at_most } = wanted;
    let bound = |word: &str, bound: &Option<f64>| {
        bound.map(|bound| format!("{word} {}", show::value(Measure::unit_of(measure), bound)))
    };
    let bounds: Vec<String> = [bound("at least", at_least), bound("at most", at_most)].into_iter().flatten().collect();
    let points = match at.is_empty() {
        true if plan.points().len() == 1 => String::new(),
        true => " of every point".into(),
        false => format!(" of {}", show::label(at)),
    };
    format!("{measure}{points} {}", bounds.join(" and "))
}

/// The flows that have no value in trials that have none, and how many flows there are.
fn silent(measure: &str, concerned: &[&Trial], measures: &Measures) -> String {
    let without = concerned.iter().filter(|trial| measures.value(trial, measure).is_none());
    let flows = without.flat_map(|trial| measures.without(trial, measure, &analyze::concerned(&trial.scene, measure)));
    let flows: Vec<usize> = flows.collect::<BTreeSet<usize>>().into_iter().collect();
    if flows.is_empty() {
        return String::new();
    }
    let all = concerned.iter().map(|trial| trial.scene.flows.len()).max().unwrap_or(0);
    format!("{} {} none", show::flows(&flows, all), if flows.len() == 1 { "has" } else { "have" })
}

fn seen(measure: &str, values: &[f64], silent: &str) -> String {
    let range = if values.is_empty() { String::new() } else { range(measure, values) };
    let parts: Vec<&str> = [range.as_str(), silent].into_iter().filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join("; ")) }
}
