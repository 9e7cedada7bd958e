//! A few numbers and a suspicion: which causes the facts of a case allow, which of them the lab shows, and which
//! measurement decides.
//!
//! `template` has the causes as data, `predict` their formulas over the facts, `prune` excludes by arithmetic, `render`
//! makes experiments, `search` compares them with what is stated, and `decide` asks for the next measurement. Pure: it
//! sees the lab through a trait.

#![forbid(unsafe_code)]

pub mod differs;
pub mod facts;
pub mod formula;
pub mod trials;

mod answer;
mod decide;
mod kernels;
mod page;
mod predict;
mod prune;
mod render;
mod search;
mod template;

pub use answer::{Answer, Named, Tested, Verdict};
pub use decide::{Decision, FixRow};
pub use page::page;
pub use render::Trial;
pub use template::{NAMES, Parameter, TEMPLATE_KEYS, Template, VARIABLES, built_in, read};

use crate::differs::{Cause, Differs};
use crate::facts::{Case, Facts};
use crate::formula::{Interval, Kind};
use answer::order;
use decide::{At, by_formula, changed, decide};
use predict::{Hypothesis, axes, hypotheses};
use prune::{Left, prune};
use search::Shown;
use std::collections::BTreeMap;

/// Runs trials, and says what it does.
pub trait Laboratory {
    type Error;

    /// Runs the seeds of a trial. Returns the range of each fact over them; `None` if it failed.
    fn run(&mut self, trial: &Trial) -> Result<Option<BTreeMap<&'static str, Interval>>, Self::Error>;

    /// Hears what is tried.
    fn say(&mut self, what: &str);

    /// Returns the release of the kernel that ran the trials so far.
    fn release(&self) -> Option<&str> {
        None
    }
}

/// A question about a case.
#[derive(Debug, Clone)]
pub struct Question {
    /// Causes to test, with narrower parameters where somebody suspects a value.
    pub templates: Vec<Template>,
    /// Change of the slowest run whose effect is asked for, and its text.
    pub fixes: Vec<(String, Facts)>,
    /// Core time for the lab, seconds; 0 for arithmetic alone.
    pub budget: f64,
}

/// Numbers below which arithmetic has the last word: fewer cannot tell causes apart.
const MIN_NUMBERS: usize = 3;

/// Distance up to which a point in the lab is near: a quarter of a natural logarithm, 28 %.
const NEAR_DISTANCE: f64 = 0.25;

/// Causes that a measurement can decide between.
const MAX_CAUSES: usize = 2;

/// A hypothesis and its verdict so far.
struct State<'t> {
    hypothesis: Hypothesis<'t>,
    left: Left,
    verdict: Verdict,
    why: String,
    shown: Option<Shown>,
    /// What must be unusual for it to be the cause.
    unusual: Vec<String>,
}

impl<'t> State<'t> {
    fn new(case: &Case, hypothesis: Hypothesis<'t>, left: Left, verdict: Verdict, why: String) -> State<'t> {
        let unusual = answer::unusual(case, &hypothesis, &left);
        State { hypothesis, left, verdict, why, shown: None, unusual }
    }
}

/// Answers the question about a case. Without a lab it stops after the arithmetic.
pub fn test<L: Laboratory>(case: &Case, question: &Question, mut lab: Option<&mut L>) -> Result<Answer, L::Error> {
    let mut case = case.clone();
    let derived = facts::derive(&mut case);
    let case = &case;
    let line = template::line();
    let causes: Vec<Cause> =
        question.templates.iter().map(|one| Cause { name: &one.name, families: &one.families }).collect();
    let differs = differs::differs(case, &causes);
    let case = &differs::with_unread_difference(case);
    let all = std::iter::once(&line).chain(&question.templates);
    let mut states: Vec<State> =
        all.flat_map(|one| hypotheses(one, &line, case)).map(|one| by_arithmetic(one, case)).collect();
    states.sort_by_cached_key(|state| order(case, state));
    rule_out(case, &mut states, &differs);
    let numbers = case.count();
    let mut budget = question.budget;
    let stopped = match &mut lab {
        _ if numbers < MIN_NUMBERS => {
            lab = None;
            Some(format!(
                "the facts state {numbers} of the {MIN_NUMBERS} numbers that trials need to tell causes apart"
            ))
        }
        Some(lab) => in_the_lab(case, &mut states, &mut budget, *lab)?,
        None => None,
    };
    let fitting: Vec<&State> =
        states.iter().filter(|state| state.verdict.remains() && !state.hypothesis.is_line()).collect();
    let decisions = decisions(case, &fitting);
    let mut fixes = vec![];
    for (text, change) in &question.fixes {
        let Some(after) = changed(case, change) else { continue };
        for state in &fitting {
            fixes.push(FixRow {
                hypothesis: state.hypothesis.name(),
                fix: text.clone(),
                by_formula: by_formula(case, &after, &state.hypothesis, &state.left),
                in_the_lab: match &mut lab {
                    Some(lab) => fixed_in_the_lab(case, &after, state, &mut budget, *lab)?,
                    None => None,
                },
            });
        }
    }
    let release = lab.as_ref().and_then(|lab| lab.release());
    let answer = Answer::new(case, derived, differs, &states, decisions, fixes, stopped);
    let kernels = kernels::compared(case, &answer.causes(), release);
    Ok(Answer { kernels, ..answer })
}

/// Decides by formula alone.
fn by_arithmetic<'t>(hypothesis: Hypothesis<'t>, case: &Case) -> State<'t> {
    let axes = axes(hypothesis.template, case);
    let whole: Vec<Interval> = axes.iter().map(|axis| axis.range).collect();
    let none = |verdict: Verdict, why: String| {
        let left = Left { axes: axes.clone(), parts: vec![], contradiction: None };
        State::new(case, hypothesis.clone(), left, verdict, why)
    };
    if !hypothesis.applies(case) {
        return none(Verdict::DoesNotApply, "the facts have nothing that it needs".into());
    }
    if !hypothesis.predicts_any(case, &axes, &whole) {
        return none(Verdict::NotModelled, "it predicts none of the stated numbers".into());
    }
    let left = prune(&hypothesis, case, axes);
    let (verdict, why) = match (&left.parts[..], &left.contradiction) {
        ([], Some(contradiction)) => (Verdict::Excluded, contradiction.sentence()),
        ([], None) => (Verdict::Excluded, "it would act in no run".into()),
        _ => (Verdict::Possible, String::new()),
    };
    State::new(case, hypothesis, left, verdict, why)
}

/// Sets causes aside that what differs does not leave, and those that act alike in two runs that differ in place alone,
/// unless none is left then.
fn rule_out(case: &Case, states: &mut [State], differs: &Differs) {
    let is_left = |state: &State| state.hypothesis.is_line() || differs.left.contains(&state.hypothesis.template.name);
    set_aside(states, is_left);
    let run = |name: &str| case.runs.iter().find(|run| run.name == name);
    let pair = differs.of_place().and_then(|pair| Some((run(&pair.slow)?, run(&pair.fast)?)));
    if let Some((slow, fast)) = pair {
        set_aside(states, |state| state.hypothesis.acts_in(case, slow) != state.hypothesis.acts_in(case, fast));
    }
}

/// Rules out what is not left, unless that is every cause.
fn set_aside(states: &mut [State], is_left: impl Fn(&State) -> bool) {
    let is_cause = |state: &State| state.verdict == Verdict::Possible && !state.hypothesis.is_line();
    if states.iter().any(|state| is_cause(state) && is_left(state)) {
        for state in states.iter_mut().filter(|state| state.verdict == Verdict::Possible && !is_left(state)) {
            state.verdict = Verdict::RuledOut;
        }
    }
}

/// Tries what arithmetic leaves, the line alone first, then in the order of what must be assumed. Returns why it
/// stopped before the end.
fn in_the_lab<L: Laboratory>(
    case: &Case,
    states: &mut [State],
    left: &mut f64,
    lab: &mut L,
) -> Result<Option<String>, L::Error> {
    let open: Vec<usize> = (0..states.len())
        .filter(|at| states[*at].verdict == Verdict::Possible && states[*at].hypothesis.template.experiment.is_some())
        .collect();
    let mut missed = 0;
    for (number, at) in open.iter().enumerate() {
        let state = &mut states[*at];
        lab.say(&format!("trying {} ({} of {})", state.hypothesis.name(), number + 1, open.len()));
        // Each gets its part of what is left, so that one dear hypothesis does not take it all; but a point at least.
        let part = *left / (open.len() - number) as f64;
        let mut own = part.max(search::point_cost(&state.hypothesis, case, &state.left)).min(*left);
        let given = own;
        let shown = search::search(&state.hypothesis, case, &state.left, &mut own, lab)?;
        let Some(shown) = shown else {
            missed += 1;
            *left -= given - own;
            continue;
        };
        let bad: Vec<&search::Row> = shown.rows.iter().filter(|row| row.off.is_some_and(|off| off > 0.0)).collect();
        state.why = bad.iter().take(1).map(|row| search::sentence(row)).collect::<Vec<_>>().join("; ");
        state.verdict = match shown.distance {
            _ if shown.rows.iter().all(|row| row.off.is_none()) => {
                state.why = "the lab shows none of the stated numbers".into();
                Verdict::Possible
            }
            0.0 if state.hypothesis.is_line() => Verdict::Fits,
            0.0 => match is_needed(case, state, &shown.point, &mut own, lab)? {
                true => Verdict::Fits,
                false => {
                    state.why = "the line alone shows the same numbers".into();
                    Verdict::NotNeeded
                }
            },
            distance if distance <= NEAR_DISTANCE => Verdict::Nearly,
            _ => Verdict::NotReproduced,
        };
        state.shown = Some(shown);
        *left -= given - own;
    }
    Ok((missed > 0).then(|| {
        let what = if missed == 1 { "1 cause was".to_owned() } else { format!("{missed} causes were") };
        format!("{what} not tried: the trials cost more than the budget, or the lab cannot build them")
    }))
}

/// True unless the line alone, with the same path, fits all numbers as well.
fn is_needed<L: Laboratory>(
    case: &Case,
    state: &State,
    point: &[f64],
    budget: &mut f64,
    lab: &mut L,
) -> Result<bool, L::Error> {
    let line = Hypothesis { template: state.hypothesis.line, place: vec![], line: state.hypothesis.line };
    let own = state.left.axes.iter().zip(point).filter(|(axis, _)| axis.is_path);
    let (axes, point): (Vec<_>, Vec<f64>) = own.map(|(axis, value)| (axis.clone(), *value)).unzip();
    let left = Left { axes, parts: vec![], contradiction: None };
    let shown = search::show(&line, case, &left, &point, true, budget, lab)?;
    Ok(shown.is_none_or(|shown| shown.distance > 0.0))
}

/// Returns the goodput of the slowest run before and after a change, in the lab at the point that fits; `None` if no point
/// was found, or the trials cost more than is left.
fn fixed_in_the_lab<L: Laboratory>(
    case: &Case,
    after: &Case,
    state: &State,
    budget: &mut f64,
    lab: &mut L,
) -> Result<Option<[String; 2]>, L::Error> {
    let shown = state.shown.as_ref().filter(|_| state.verdict.is_shown());
    let (Some(shown), Some(slowest)) = (shown, case.slowest()) else { return Ok(None) };
    let mut goodputs = vec![];
    for (number, case) in [case, after].into_iter().enumerate() {
        let Some(mut run) = case.runs.iter().find(|run| run.name == slowest.name).cloned() else { return Ok(None) };
        if number == 1 {
            // How long it must run depends on what it now carries.
            run.facts.numbers.remove("goodput");
        }
        let trial = render::render(&state.hypothesis, case, &run, &state.left.axes, &shown.point);
        let Some(trial) = trial.filter(|trial| trial.cost <= *budget) else { return Ok(None) };
        *budget -= trial.cost;
        goodputs.extend(lab.run(&trial)?.and_then(|facts| facts.get("goodput").copied()));
    }
    let [before, after] = goodputs[..] else { return Ok(None) };
    Ok(Some([before, after].map(|goodput| Kind::Rate.show(goodput))))
}

/// Most causes between which a measurement is sought.
const MAX_DECIDED: usize = 8;

/// Returns what tells apart what remains: the causes that need nothing unusual, or the one of them and the next.
fn decisions(case: &Case, remaining: &[&State]) -> Vec<Decision> {
    // The first place of a cause stands for all of them.
    let mut firsts: Vec<&State> = vec![];
    for state in remaining {
        if !firsts.iter().any(|other| other.hypothesis.template.name == state.hypothesis.template.name) {
            firsts.push(state);
        }
    }
    let likely = firsts.iter().filter(|state| state.unusual.is_empty()).count();
    firsts.truncate(if likely > 1 { likely } else { MAX_CAUSES });
    if !(MAX_CAUSES..=MAX_DECIDED).contains(&firsts.len()) {
        return vec![];
    }
    let point = |state: &State| match &state.shown {
        Some(shown) if state.verdict.is_shown() => shown.point.clone(),
        _ => state.left.hull().iter().map(|value| value.middle()).collect(),
    };
    let points: Vec<Vec<f64>> = firsts.iter().map(|state| point(state)).collect();
    let pairs = firsts.iter().zip(&points);
    let all: Vec<At> =
        pairs.map(|(state, point)| At { hypothesis: &state.hypothesis, left: &state.left, point }).collect();
    vec![decide(case, &all)]
}

#[cfg(test)]
mod tests;
