//! Assembles the plan, and fills in the defaults of the experiment's design.

use super::written::{self, At, Experiment};
use base::stats::MARGIN;
use evidence::unit;
use plan::{self, Axis, Compare, Expectation, KERNEL, Plan, Published, Repeat, Setting, Trial};
use std::collections::{BTreeMap, BTreeSet};
use toml::Spanned;

/// An axis of quantities with more values than this is not compared value by value.
const MAX_COMPARED_VALUES: usize = 6;

/// Returns the plan with these trials and this repetition.
pub fn plan(text: &str, experiment: Experiment, trials: Vec<Trial>, repeat: Repeat) -> Plan {
    let Experiment { title, question, vary, search, repeat: _, compare, expect, published } = experiment;
    let vary: Vec<Axis> = vary.iter().flat_map(axes).collect();
    let mut plan = Plan {
        goodput: env!("CARGO_PKG_VERSION").to_owned(),
        title,
        question: question.unwrap_or_default(),
        spec: text.to_owned(),
        compare: compared(compare, &vary),
        vary,
        trials,
        repeat,
        search: search.map(|search| search.plan),
        expect: expect.into_iter().map(expectation).collect(),
        published: published.into_iter().map(figure).collect(),
    };
    if let Some(search) = &plan.search {
        plan.vary.push(Axis { key: search.key.clone(), values: vec![], in_step: false });
    }
    set_in_order(&mut plan);
    plan
}

/// Sorts trials that were added later to their points, and a search's values by size.
pub fn set_in_order(plan: &mut Plan) {
    let search = plan.search.as_ref();
    let rung = |trial: &Trial| search?.ladder.rung(&trial.point.last()?.value);
    if let (Some(search), Some(axis)) = (search, plan.vary.last_mut()) {
        let tried: BTreeSet<u64> = plan.trials.iter().filter_map(rung).collect();
        axis.values = tried.into_iter().map(|rung| search.ladder.text(rung)).collect();
    }
    let mut places = BTreeMap::new();
    for trial in &plan.trials {
        let (grid, next) = (plan.grid(&trial.point), places.len());
        if !places.contains_key(grid) {
            places.insert(grid.to_vec(), next);
        }
    }
    let mut trials = std::mem::take(&mut plan.trials);
    trials.sort_by_cached_key(|trial| (places.get(plan.grid(&trial.point)).copied(), rung(trial), trial.seed));
    plan.trials = trials;
}

/// Returns one axis for each key of a written axis.
fn axes(written: &written::Axis) -> Vec<Axis> {
    let axis = |(place, key): (usize, &Spanned<String>)| Axis {
        key: key.get_ref().clone(),
        values: written.cases.iter().map(|case| case.shown[place].get_ref().clone()).collect(),
        in_step: place > 0,
    };
    written.keys.iter().enumerate().map(axis).collect()
}

/// Fills in the comparison. By default, points are compared along the last axis of names, or else along the last axis
/// of few quantities.
fn compared(written: written::Compare, vary: &[Axis]) -> Compare {
    let several = || vary.iter().filter(|axis| !axis.in_step && axis.values.len() > 1);
    let names = several().rfind(|axis| axis.key == KERNEL || !axis.values.iter().all(|value| is_quantity(value)));
    let default = || {
        names.or_else(|| several().rfind(|axis| axis.values.len() <= MAX_COMPARED_VALUES)).map(|axis| axis.key.clone())
    };
    let over = written.over.map(Spanned::into_inner).or_else(default);
    let first = |key: &String| vary.iter().find(|axis| axis.key == *key).and_then(|axis| axis.values.first().cloned());
    Compare {
        against: written.against.map(Spanned::into_inner).or_else(|| over.as_ref().and_then(first)),
        over,
        flows: written.flows.into_iter().map(Spanned::into_inner).collect(),
        measures: written.measures.map(Spanned::into_inner).into_iter().flatten().map(str::to_owned).collect(),
        margin: written.margin.map_or(MARGIN, Spanned::into_inner),
    }
}

fn is_quantity(text: &str) -> bool {
    let kinds = [&unit::RATE, &unit::TIME, &unit::SIZE, &unit::RATIO, &unit::PACKETS, &unit::BDP];
    text.parse::<f64>().is_ok() || unit::parse_any(text, &kinds).is_ok()
}

fn selection(at: At) -> Vec<Setting> {
    at.into_iter().map(|(key, value)| Setting { key: key.into_inner(), value: value.into_inner() }).collect()
}

fn expectation(written: written::Expect) -> Expectation {
    let written::Expect { measure, flow, at, at_least, at_most, share } = written;
    let flow = flow.map(Spanned::into_inner);
    plan::Expectation { measure: measure.to_owned(), flow, at: selection(at), at_least, at_most, share }
}

fn figure(written: written::Published) -> Published {
    let written::Published { source, measure, flow, at, value } = written;
    let flow = flow.map(Spanned::into_inner);
    plan::Published { source, measure: measure.to_owned(), flow, at: selection(at), value }
}
