//! The points of a run side by side: along one axis, all else being equal, and seed by seed.

use super::decide::{Compared, Question, Values, change, decide};
use super::primary::Primary;
use crate::analyze::{self, Measure, Measures};
use crate::measure::Unit;
use crate::plan::{Plan, Setting, Trial};
use crate::show::{self, about, label};
use crate::stats::{self, Samples, Scale};
use std::collections::BTreeMap;

/// What comes of comparing the points of a run.
#[derive(Debug, Default)]
pub struct Comparisons {
    /// The pairs of points that could be compared.
    pub compared: Vec<Compared>,
    /// A sentence for each point that was not, and why.
    pub not_compared: Vec<String>,
    /// By what points were compared.
    pub by: Vec<(Vec<Setting>, Primary)>,
}

/// Points that differ only along the axis that is compared.
struct Group<'p> {
    at: Vec<Setting>,
    base: &'p [Trial],
    others: Vec<&'p [Trial]>,
}

/// Compares each point with the one of its group that the plan names.
pub fn comparisons(plan: &Plan, measures: &Measures) -> Comparisons {
    let mut asked = vec![];
    let (mut by, mut not_compared, mut mixed) = (vec![], vec![], vec![]);
    for group in groups(plan) {
        for other in &group.others {
            if [group.base, other].iter().all(|trials| trials[0].scene.flows.is_empty()) {
                continue;
            }
            if !is_alone_or_alike(group.base, other) {
                mixed.extend(apart(&group, other, measures));
                continue;
            }
            let chosen = Primary::chosen(&plan.compare.measures, [group.base, other]);
            let names = [group.base, other].map(|trials| name(plan, trials));
            if chosen.is_empty() {
                not_compared.push(about(&group.at, &of_different_kinds(&names)));
            }
            let side = |side: usize| Side { name: &names[side], trials: [group.base, other][side], measures };
            for primary in &chosen {
                match question(&group.at, [side(0), side(1)], primary) {
                    Ok(question) => asked.push(question),
                    Err(why) => not_compared.push(why),
                }
            }
            for point in [group.base, other].map(|trials| &trials[0].point) {
                by.extend(chosen.iter().map(|primary| (point.clone(), *primary)));
            }
        }
        if group.others.iter().any(|other| !is_alone_or_alike(group.base, other)) && is_mixed(group.base) {
            mixed.extend(apart(&group, group.base, measures));
        }
    }
    not_compared.extend(mixed);
    Comparisons { compared: decide(asked, plan.compare.margin), not_compared, by }
}

/// The keys along which points are compared: the axis that the plan names, and those in step with it.
fn along(plan: &Plan) -> Vec<&str> {
    let Some(over) = &plan.compare.over else { return vec![] };
    let mut in_step = plan.vary.chunk_by(|_, next| next.in_step);
    let own = in_step.find(|axes| axes.iter().any(|axis| axis.key == *over));
    own.into_iter().flatten().map(|axis| axis.key.as_str()).collect()
}

/// What a side is called: by where it stands along the axis.
fn name(plan: &Plan, trials: &[Trial]) -> String {
    let along = along(plan);
    let own: Vec<Setting> =
        trials[0].point.iter().filter(|setting| along.contains(&setting.key.as_str())).cloned().collect();
    label(&own)
}

fn groups(plan: &Plan) -> Vec<Group<'_>> {
    let along = along(plan);
    let (Some(over), Some(against)) = (&plan.compare.over, &plan.compare.against) else { return vec![] };
    if plan.search.is_some() {
        return vec![];
    }
    let rest = |trials: &[Trial]| -> Vec<Setting> {
        trials[0].point.iter().filter(|setting| !along.contains(&setting.key.as_str())).cloned().collect()
    };
    let is_base =
        |trials: &[Trial]| trials[0].point.iter().any(|setting| setting.key == *over && setting.value == *against);
    let points = plan.points();
    let bases = points.iter().filter(|trials| is_base(trials));
    bases
        .map(|base| {
            let at = rest(base);
            let others = points.iter().filter(|trials| !is_base(trials) && rest(trials) == at).copied().collect();
            Group { at, base, others }
        })
        .collect()
}

/// Why points have nothing to be compared by.
pub fn of_different_kinds([base, other]: &[String; 2]) -> String {
    format!("{other} and {base} cannot be compared: their flows are of different kinds.")
}

/// What a side of a comparison is made of: its name, its trials, and their measures.
#[derive(Clone, Copy)]
pub struct Side<'s> {
    /// What it is called.
    pub name: &'s str,
    /// Its trials: all of one point.
    pub trials: &'s [Trial],
    /// Where their values are.
    pub measures: &'s Measures,
}

/// The question how two sides compare; why they cannot be compared. Trials under the same seeds are pairs, unless each
/// side has seeds of its own.
pub fn question(at: &[Setting], sides: [Side; 2], primary: &Primary) -> Result<Question, String> {
    let silent = sides.iter().filter_map(|side| primary.silence(side.measures, side.trials, side.name));
    let silent = silent.collect::<Vec<String>>().join("; ");
    if !silent.is_empty() {
        return Err(about(at, &format!("{} and {} cannot be compared: {silent}.", sides[1].name, sides[0].name)));
    }
    let [base, other] = sides.map(|side| {
        let value = |trial: &Trial| (trial.seed, primary.value(side.measures, trial));
        side.trials.iter().map(value).collect::<BTreeMap<u64, Option<f64>>>()
    });
    let both: Vec<[Option<f64>; 2]> =
        base.iter().filter_map(|(seed, value)| Some([*value, *other.get(seed)?])).collect();
    let values = if both.len() == base.len().min(other.len()) {
        Values::Pairs(both.into_iter().filter_map(|[a, b]| Some([a?, b?])).collect())
    } else {
        Values::Apart([base, other].map(|side| side.into_values().flatten().collect()))
    };
    let names = sides.map(|side| side.name.to_owned());
    Ok(Question { at: at.to_vec(), names, measure: primary.measure, noun: primary.noun(), values })
}

/// The congestion controls of a trial's load, each with its flows.
fn controls(trials: &[Trial]) -> BTreeMap<&str, Vec<usize>> {
    let scene = &trials[0].scene;
    let mut controls: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for flow in analyze::load(scene) {
        if let Some(control) = analyze::congestion(scene, &scene.flows[flow]) {
            controls.entry(control).or_default().push(flow);
        }
    }
    controls
}

fn is_mixed(trials: &[Trial]) -> bool {
    controls(trials).len() > 1
}

/// Whether a comparison is one of congestion controls each on its own, or of something else than these: who shares a
/// bottleneck takes from the other, which says nothing about either alone (Spang et al. 2021, IMC, "Unbiased
/// experiments in congested networks").
pub fn is_alone_or_alike(a: &[Trial], b: &[Trial]) -> bool {
    let [of_a, of_b] = [a, b].map(|trials| controls(trials).into_keys().collect::<Vec<&str>>());
    of_a == of_b || !is_mixed(a) && !is_mixed(b)
}

/// The shares of a point in which several congestion controls meet, and what each lost beside the other: its harm, seed
/// by seed.
fn apart(group: &Group, mixed: &[Trial], measures: &Measures) -> Option<String> {
    let each = |trials: &[Trial], control: &str| -> BTreeMap<u64, f64> {
        let flows = controls(trials).remove(control).unwrap_or_default();
        let mean = |trial: &Trial| Some(measures.over(trial, "goodput", &flows)? / flows.len() as f64);
        trials.iter().filter_map(|trial| Some((trial.seed, mean(trial)?))).collect()
    };
    let goodput = Measure::find("goodput")?;
    let own_kind = |control: &str| {
        let all = [group.base].into_iter().chain(group.others.iter().copied());
        all.into_iter().find(|trials| controls(trials).into_keys().eq([control]))
    };
    let harm = |control: &str, here: &BTreeMap<u64, f64>| {
        let alone = each(own_kind(control)?, control);
        let pairs: Vec<[f64; 2]> = alone.iter().filter_map(|(seed, own)| Some([*own, *here.get(seed)?])).collect();
        let comparison = stats::compare(Samples::Paired(&pairs), stats::MARGIN)?;
        if comparison.scale == Scale::Absolute {
            return None;
        }
        let harm = |effect| analyze::harm(goodput.better, 1.0, 1.0 + change(comparison.scale, effect));
        let value = harm(comparison.effect)?;
        let (sign, word) = if value < 0.0 { (-1.0, "more") } else { (1.0, "less") };
        let sure = comparison.test.and_then(|test| {
            let [a, b] = test.interval.map(harm);
            let (low, high) = (f64::min(sign * a?, sign * b?), f64::max(sign * a?, sign * b?));
            Some(format!(" ({} % CI {})", stats::LEVEL * 100.0, show::range(Unit::Ratio, low, high)))
        });
        let share = show::value(Unit::Ratio, value.abs());
        Some(format!("{share} {word} than among their own kind{}", sure.unwrap_or_default()))
    };
    let part = |control: &str| {
        let here = each(mixed, control);
        let mean = stats::estimate(&here.values().copied().collect::<Vec<f64>>(), goodput.centre)?.value;
        let said = format!("{control} flows get {} each", show::value(goodput.unit, mean));
        Some(harm(control, &here).map_or(said.clone(), |harm| format!("{said}, {harm}")))
    };
    let parts: Vec<String> = controls(mixed).into_keys().filter_map(part).collect();
    let name = label(&mixed[0].point);
    Some(format!("{name} is not compared, as its flows share a bottleneck: {}.", parts.join("; ")))
}
