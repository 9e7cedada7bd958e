//! Compares the points of a run along one axis, all else being equal, seed by seed.

use super::primary::Primary;
use analysis::decide::{Compared, Outcome, Question, Values, change, decide, words};
use analysis::study;
use analysis::{Measure, Measures};
use base::show;
use base::stats::{self, Comparison, Samples, Scale};
use base::units::Unit;
use plan::setting::{about, label};
use plan::{Compare, Plan, Setting, Trial};
use std::collections::{BTreeMap, BTreeSet};

/// The comparisons of a run.
#[derive(Debug, Default)]
pub struct Comparisons {
    /// Comparisons that could be made.
    pub compared: Vec<Compared>,
    /// Why other points were not compared, a sentence each.
    pub not_compared: Vec<String>,
    /// Measures by which each point was compared.
    pub by: Vec<(Vec<Setting>, Primary)>,
    /// Effects that start-up changes.
    pub caveats: Vec<String>,
}

/// Points that differ only along the axis that is compared.
struct Group<'p> {
    at: Vec<Setting>,
    base: &'p [Trial],
    others: Vec<&'p [Trial]>,
}

/// Compares each point with the base of its group, and flows with each other if the plan names several.
pub fn comparisons(plan: &Plan, measures: &Measures) -> Comparisons {
    let (mut asked, mut steady, mut settled) = (vec![], vec![], vec![]);
    let (mut by, mut not_compared, mut mixed) = (vec![], vec![], vec![]);
    let flows = &plan.compare.flows;
    for group in groups(plan) {
        let is_comparable = |other: &[Trial]| !flows.is_empty() || is_alone_or_alike(group.base, other);
        for other in &group.others {
            if [group.base, other].iter().all(|trials| trials[0].scene.flows.is_empty()) {
                continue;
            }
            if !is_comparable(other) {
                mixed.extend(apart(&group, other, measures));
                continue;
            }
            let chosen = Primary::chosen(&plan.compare.measures, flows, [group.base, other]);
            let names = [group.base, other].map(|trials| name(plan, trials));
            if chosen.is_empty() {
                not_compared.push(about(&group.at, &of_different_kinds(&names)));
            }
            for primary in &chosen {
                let side =
                    |side: usize| Side { name: &names[side], trials: [group.base, other][side], measures, primary };
                if let Some(compared) = works(&group.at, [side(0), side(1)], plan.compare.margin) {
                    settled.push(compared);
                    continue;
                }
                match question(&group.at, [side(0), side(1)]) {
                    Ok(question) => {
                        asked.push(question);
                        steady.push(steady_effect([side(0), side(1)]));
                    }
                    Err(why) => not_compared.push(why),
                }
            }
            for point in [group.base, other].map(|trials| &trials[0].point) {
                by.extend(chosen.iter().map(|primary| (point.to_vec(), primary.clone())));
            }
        }
        if group.others.iter().any(|other| !is_comparable(other)) && is_mixed(group.base) {
            mixed.extend(apart(&group, group.base, measures));
        }
    }
    for trials in plan.points() {
        let (questions, silent): (Vec<_>, Vec<_>) = within(plan, trials, measures).into_iter().partition(Result::is_ok);
        asked.extend(questions.into_iter().flatten());
        not_compared.extend(silent.into_iter().filter_map(Result::err));
    }
    not_compared.extend(mixed);
    let mut told = BTreeSet::new();
    not_compared.retain(|why| told.insert(why.clone()));
    let compared = decide(asked, plan.compare.margin);
    let caveats = of_start_up(&compared, &steady).into_iter().collect();
    let compared = [settled, compared].concat();
    Comparisons { compared, not_compared, by, caveats }
}

/// Returns the ratio of the other side's goodput in steady state to the base's, of geometric means over the seeds that
/// have both; `None` unless the sides are compared by goodput.
fn steady_effect(sides: [Side; 2]) -> Option<f64> {
    let measure = Measure::find("goodput-steady").filter(|_| sides[0].primary.measure.name == "goodput")?;
    let primary = sides[0].primary.by(measure);
    let [base, other] = sides.map(|side| Side { primary: &primary, ..side }.values());
    let pairs: Vec<[f64; 2]> = base.iter().filter_map(|(seed, base)| Some([(*base)?, (*other.get(seed)?)?])).collect();
    let comparison = stats::compare(Samples::Paired(&pairs), stats::MARGIN)?;
    (comparison.scale == Scale::Ratio).then_some(comparison.effect)
}

/// Comparisons that a caveat on start-up names.
const MAX_NAMED_COMPARISONS: usize = 3;

/// Names the comparisons whose effect differs from that in steady state by more than the margin.
pub(super) fn of_start_up(compared: &[Compared], steady: &[Option<f64>]) -> Option<String> {
    let differs = |(compared, steady): (&Compared, &Option<f64>)| {
        let (comparison, steady) = (compared.comparison.filter(|one| one.scale == Scale::Ratio)?, (*steady)?);
        let is_other = (steady.ln() - comparison.effect.ln()).abs() > compared.margin.ln_1p();
        let [now, then] = [comparison.effect, steady]
            .map(|effect| words(&Comparison { effect, test: None, ..comparison }, Unit::Index).effect);
        is_other
            .then(|| about(&compared.at, &format!("{} is {then} than {}, not {now}", compared.other, compared.base)))
    };
    let all: Vec<String> = compared.iter().zip(steady).filter_map(differs).collect();
    let more = match all.len().saturating_sub(MAX_NAMED_COMPARISONS) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let named = all.iter().take(MAX_NAMED_COMPARISONS).cloned().collect::<Vec<_>>().join("; ");
    (!all.is_empty()).then(|| {
        format!("Start-up changes effects; in steady state (goodput-steady): {named}{more}. Leave it out with omit, or run longer.")
    })
}

/// Asks how flows of a point compare with the first flow that the plan names, seed by seed.
fn within(plan: &Plan, trials: &[Trial], measures: &Measures) -> Vec<Result<Question, String>> {
    let Compare { flows, measures: names, .. } = &plan.compare;
    let Some((first, others)) = flows.split_first() else { return vec![] };
    let at = &*trials[0].point;
    let all = |flow: &String| Primary::chosen(names, std::slice::from_ref(flow), [trials; 2]);
    let pair = |other: &String| -> Vec<Result<Question, String>> {
        let alike = |[a, b]: [&Primary; 2]| a.measure.name == b.measure.name && a.flow().is_some();
        let pairs = all(first).into_iter().zip(all(other)).collect::<Vec<_>>();
        if !pairs.iter().any(|(a, b)| alike([a, b])) {
            return vec![Err(about(at, &of_different_kinds(&[first.clone(), other.clone()])))];
        }
        let both = pairs.iter().filter(|(a, b)| alike([a, b]));
        let side = |name, primary| Side { name, trials, measures, primary };
        both.map(|(a, b)| question(at, [side(first.as_str(), a), side(other.as_str(), b)])).collect()
    };
    others.iter().flat_map(pair).collect()
}

/// Returns the keys along which points are compared: the axis that the plan names, and those in step with it.
fn along(plan: &Plan) -> Vec<&str> {
    let Some(over) = &plan.compare.over else { return vec![] };
    let mut in_step = plan.vary.chunk_by(|_, next| next.in_step);
    let own = in_step.find(|axes| axes.iter().any(|axis| axis.key == *over));
    own.into_iter().flatten().map(|axis| axis.key.as_str()).collect()
}

/// Names a side by its settings along the axis.
fn name(plan: &Plan, trials: &[Trial]) -> String {
    let along = along(plan);
    let own: Vec<Setting> =
        trials[0].point.iter().filter(|setting| along.contains(&setting.key.as_str())).cloned().collect();
    label(&own)
}

/// Returns the name of the side that has this setting, as comparisons have it; `None` if no point has it.
pub fn side_name(plan: &Plan, setting: &Setting) -> Option<String> {
    let points = plan.points();
    let own = points.iter().find(|trials| trials[0].is_at(std::slice::from_ref(setting)))?;
    Some(name(plan, own))
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

/// Says that the flows of two sides are of different kinds.
pub fn of_different_kinds([base, other]: &[String; 2]) -> String {
    format!("{other} and {base} cannot be compared: their flows are of different kinds.")
}

/// One side of a comparison.
#[derive(Clone, Copy)]
pub struct Side<'s> {
    pub name: &'s str,
    /// Its trials: all of one point.
    pub trials: &'s [Trial],
    /// Measures with the values of the trials.
    pub measures: &'s Measures,
    /// Measure to compare.
    pub primary: &'s Primary,
}

impl Side<'_> {
    /// Returns the value of each seed.
    fn values(&self) -> BTreeMap<u64, Option<f64>> {
        self.trials.iter().map(|trial| (trial.seed, self.primary.value(self.measures, trial))).collect()
    }

    /// Returns the one value of all seeds if nothing is random; `None` if something is.
    fn certain(&self) -> Option<Option<f64>> {
        study::is_certain(self.trials, self.measures).then(|| self.primary.value(self.measures, &self.trials[0]))
    }
}

/// Asks how two sides compare; the error says why they cannot be compared. Values under the same seeds are pairs,
/// unless each side has seeds of its own. If nothing is random on one side, its value pairs with each seed of the
/// other.
pub fn question(at: &[Setting], sides: [Side; 2]) -> Result<Question, String> {
    let [base, other] = sides;
    if let Some(why) = base.primary.can_only_be_one([base.trials, other.trials]) {
        return Err(why);
    }
    let silent = sides.iter().filter_map(|side| side.primary.silence(side.measures, side.trials, side.name));
    let silent = silent.collect::<Vec<String>>().join("; ");
    if !silent.is_empty() {
        return Err(about(at, &format!("{} and {} cannot be compared: {silent}.", other.name, base.name)));
    }
    let certain = sides.map(|side| side.certain());
    let [of_base, of_other] = match certain {
        [Some(of_base), None] => [other.values().into_keys().map(|seed| (seed, of_base)).collect(), other.values()],
        [None, Some(of_other)] => [base.values(), base.values().into_keys().map(|seed| (seed, of_other)).collect()],
        _ => sides.map(|side| side.values()),
    };
    let both: Vec<[Option<f64>; 2]> =
        of_base.iter().filter_map(|(seed, value)| Some([*value, *of_other.get(seed)?])).collect();
    let missing = missing([&of_base, &of_other]);
    let values = match certain {
        [Some(of_base), Some(of_other)] => Values::Certain(of_base.zip(of_other).map(|(a, b)| [a, b])),
        _ if both.len() == of_base.len().min(of_other.len()) => {
            Values::Pairs(both.into_iter().filter_map(|[a, b]| Some([a?, b?])).collect())
        }
        _ => Values::Apart([of_base, of_other].map(|side| side.into_values().flatten().collect())),
    };
    let is_within = base.primary.flow() != other.primary.flow();
    let noun = if is_within { base.primary.noun(base.trials) } else { base.primary.full_noun(base.trials) };
    let flow = base.primary.flow().filter(|_| !is_within).map(str::to_owned);
    let names = sides.map(|side| side.name.to_owned());
    Ok(Question { at: at.to_vec(), names, measure: base.primary.measure, is_within, flow, noun, values, missing })
}

/// Compares two sides of which one gets no answer to its requests or pings in any seed, and the other does in every one:
/// no median tells of that. `None` otherwise.
fn works(at: &[Setting], sides: [Side; 2], margin: f64) -> Option<Compared> {
    let counts = sides.map(|side| side.primary.answered(side.measures, side.trials));
    let [of_base, of_other] = [counts[0]?, counts[1]?];
    let outcome = match [of_base[0] > 0.0, of_other[0] > 0.0] {
        [true, false] => Outcome::Worse,
        [false, true] => Outcome::Better,
        _ => return None,
    };
    let [base, other] = sides.map(|side| side.name.to_owned());
    let flow = sides[0].primary.flow().map(str::to_owned);
    let asked = sides[0].primary.asked(sides[0].trials);
    let of = flow.as_ref().map_or(asked.to_owned(), |flow| format!("{asked} of {flow}"));
    let texts = [of_base, of_other].map(|[answered, all]| format!("{answered} of {all}"));
    let sentence = format!(
        "{other} is {} than {base}: {} {of} were answered, {} with {base}.",
        outcome.word(),
        texts[1],
        texts[0]
    );
    Some(Compared {
        at: at.to_vec(),
        base,
        other,
        measure: sides[0].primary.measure.name.into(),
        flow,
        counts: sides.map(|side| side.trials.len()),
        paired: true,
        certain: false,
        estimates: [None; 2],
        modes: [None; 2],
        comparison: None,
        p: None,
        p_equivalent: None,
        margin,
        outcome,
        sentence,
    })
}

/// Counts the seeds without a value and all seeds, for each side; `None` if every seed has a value, or a side has none
/// at all.
fn missing(sides: [&BTreeMap<u64, Option<f64>>; 2]) -> Option<[[usize; 2]; 2]> {
    let counts = sides.map(|side| [side.values().filter(|value| value.is_none()).count(), side.len()]);
    let is_told = counts.iter().any(|[none, _]| *none > 0) && counts.iter().all(|[none, all]| none < all);
    is_told.then_some(counts)
}

/// Returns the congestion controls of a point's load, each with its flows.
fn controls(trials: &[Trial]) -> BTreeMap<&str, Vec<usize>> {
    let scene = &trials[0].scene;
    let mut controls: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for flow in analysis::load(scene) {
        if let Some(control) = analysis::congestion(scene, &scene.flows[flow]) {
            controls.entry(control).or_default().push(flow);
        }
    }
    controls
}

fn is_mixed(trials: &[Trial]) -> bool {
    controls(trials).len() > 1
}

/// True if each side has at most one congestion control, or both have the same ones. Flows with different congestion
/// controls on one bottleneck take from each other, which says nothing about either alone (Spang et al. 2021, IMC,
/// "Unbiased experiments in congested networks").
pub fn is_alone_or_alike(a: &[Trial], b: &[Trial]) -> bool {
    let [of_a, of_b] = [a, b].map(|trials| controls(trials).into_keys().collect::<Vec<&str>>());
    of_a == of_b || !is_mixed(a) && !is_mixed(b)
}

/// Describes a point at which several congestion controls share a bottleneck: the goodput of each, and its harm
/// compared with a point of its own kind, seed by seed.
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
        let harm = |effect| analysis::harm(goodput.better, 1.0, 1.0 + change(comparison.scale, effect));
        let value = harm(comparison.effect)?;
        let (sign, word) = if value < 0.0 { (-1.0, "more") } else { (1.0, "less") };
        let sure = comparison.test.and_then(|test| {
            let [a, b] = test.interval.map(harm);
            let (low, high) = (f64::min(sign * a?, sign * b?), f64::max(sign * a?, sign * b?));
            Some(format!(" ({} % CI {})", stats::LEVEL * 100.0, show::range(Unit::Ratio, low, high)))
        });
        let share = show::value(Unit::Ratio, value.abs());
        Some(format!("in the geometric mean {share} {word} than among their own kind{}", sure.unwrap_or_default()))
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
