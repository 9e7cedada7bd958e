//! A measure of a trial as one number, and what points are called.

use crate::analyze::{self, Measures};
use crate::measure::{self, Kind, Subject, Unit};
use crate::plan::{Setting, Trial};
use crate::show;
use std::collections::BTreeSet;

/// A measure of a trial: of flows that of the load together if there is one, of numbers of things the sum over the flows
/// of a kind that has it, else the mean over them; `None` if one of them has no value. Of lanes that of the bottleneck.
pub fn value(measures: &Measures, trial: &Trial, name: &str) -> Option<f64> {
    let found = measure::find(name)?;
    let of = measures.trials.get(trial.index)?;
    match found.subject {
        Subject::Lane => of.of(name, Subject::Lane, analyze::lane_number(analyze::bottleneck(&trial.scene)?)),
        Subject::Trial => of.of(name, Subject::Trial, 0),
        Subject::Flow => over(measures, trial, name, &concerned(trial, name)),
    }
}

/// The flows that a measure of a trial is about.
pub fn concerned(trial: &Trial, name: &str) -> Vec<usize> {
    if name == "goodput" {
        return analyze::load(&trial.scene);
    }
    let flows = trial.scene.flows.iter().enumerate();
    flows.filter(|(_, flow)| measure::has(&flow.traffic, name)).map(|(number, _)| number).collect()
}

/// The flows of a kind, by their numbers.
pub fn of_kind(trial: &Trial, kind: Kind) -> Vec<usize> {
    let flows = trial.scene.flows.iter().enumerate();
    flows.filter(|(_, flow)| Kind::of(&flow.traffic) == kind).map(|(number, _)| number).collect()
}

/// Those of some flows that have no value of a measure.
pub fn without(measures: &Measures, trial: &Trial, name: &str, flows: &[usize]) -> Vec<usize> {
    let of = |flow| measures.trials.get(trial.index)?.of(name, Subject::Flow, flow);
    flows.iter().copied().filter(|flow| of(*flow).is_none()).collect()
}

/// A measure over some flows of a trial; `None` also if one of them has no value: a mean over the others would be that
/// of other flows.
pub fn over(measures: &Measures, trial: &Trial, name: &str, flows: &[usize]) -> Option<f64> {
    let measures = measures.trials.get(trial.index)?;
    if let Some(together) = measures.of(name, Subject::Trial, 0).filter(|_| *flows == concerned(trial, name)) {
        return Some(together);
    }
    let values: Vec<f64> = flows.iter().map(|flow| measures.of(name, Subject::Flow, *flow)).collect::<Option<_>>()?;
    let sum: f64 = values.iter().sum();
    let summed = name == "goodput" || unit(name) == Unit::Count;
    Some(if summed { sum } else { sum / values.len() as f64 }).filter(|_| !values.is_empty())
}

/// Whether a trial is at all of these settings.
pub fn matches(trial: &Trial, at: &[Setting]) -> bool {
    at.iter().all(|setting| trial.point.contains(setting))
}

/// A point by its values.
pub fn label(at: &[Setting]) -> String {
    labels(at).join(", ")
}

/// What a point is called by: a value that has commas of its own is in parentheses beside others.
pub fn labels(at: &[Setting]) -> Vec<String> {
    let set_off = |label: String| if at.len() > 1 && label.contains(", ") { format!("({label})") } else { label };
    at.iter().map(|setting| set_off(setting.label())).collect()
}

/// A sentence about a point, which says so.
pub fn about(point: &[Setting], sentence: &str) -> String {
    if point.is_empty() { sentence.to_owned() } else { format!("{}: {sentence}", label(point)) }
}

/// The same of a sentence that begins with no name.
pub fn at(point: &[Setting], sentence: &str) -> String {
    if point.is_empty() { show::capital(sentence) } else { about(point, sentence) }
}

/// The unit of a measure.
pub fn unit(name: &str) -> Unit {
    measure::find(name).map_or(Unit::Ratio, |m| m.unit)
}

/// "9.1 to 9.4 Mbit/s", or one figure if the ends look alike.
pub fn range(name: &str, values: &[f64]) -> String {
    if values.is_empty() {
        return "no value".into();
    }
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    show::range(unit(name), low, high)
}

/// The flows of several trials, each once.
pub fn join(flows: impl Iterator<Item = Vec<usize>>) -> Vec<usize> {
    flows.flatten().collect::<BTreeSet<usize>>().into_iter().collect()
}
