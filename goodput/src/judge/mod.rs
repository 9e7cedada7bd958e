//! From measures to a verdict: what was shown, what was not, and the doubts.

mod compare;
mod found;
mod settle;
#[cfg(test)]
mod tests;
mod value;
mod yardstick;

use crate::analyze::{self, Caveat, Measures};
use crate::measure::{Kind, Unit};
use crate::plan::{Expectation, Plan, Setting, Trial};
use crate::show;
use crate::study;
pub use compare::{Side, is_alone_or_alike, of_different_kinds, question};
pub use found::Defect;
use serde::{Deserialize, Serialize};
pub use settle::{Compared, Outcome, Question, Values, Words, settle, words};
pub use value::{about, label, labels, value};
use value::{at, concerned, join, matches, of_kind, over, range, unit, without};
pub use yardstick::Yardstick;

/// What a run has shown; `verdict.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The answer, a sentence for each comparison, finding or expectation.
    pub sentences: Vec<String>,
    /// The comparisons among them, with their figures.
    pub comparisons: Vec<Compared>,
    /// Where a search has found the measure low.
    pub defects: Vec<Defect>,
    /// How each expectation came out.
    pub expectations: Vec<Held>,
    /// Doubts, a sentence each.
    pub caveats: Vec<String>,
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

impl Verdict {
    /// The worst of the expectations; a run without any has held.
    pub fn outcome(&self) -> Held {
        self.expectations.iter().copied().max().unwrap_or(Held::Yes)
    }
}

/// Points of which each has a sentence about what holds it back; of more the table tells.
const FEW: usize = 12;

/// Judges a run.
pub fn judge(plan: &Plan, measures: &Measures) -> Verdict {
    let expectations: Vec<Held> = plan.expect.iter().map(|e| held(e, plan, measures)).collect();
    let (compared, found) = (compare::comparisons(plan, measures), found::found(plan, measures));
    let points = plan.points();
    let mut sentences = alone(&points, measures);
    sentences.extend(compared.sentences);
    sentences.extend(found.sentences);
    sentences.extend(found::steepest(plan, measures));
    for trials in points.iter().filter(|_| points.len() <= FEW) {
        sentences.extend(limit(trials, measures));
        sentences.extend(asides(&compared.yardsticks, trials, measures));
    }
    let expected = plan.expect.iter().zip(&expectations);
    sentences.extend(expected.map(|(e, held)| expectation(e, *held, plan, measures)));
    Verdict {
        sentences,
        defects: found.defects,
        expectations,
        caveats: [caveats(plan, measures), found.caveats, of_comparisons(&compared.compared), world()].concat(),
        comparisons: compared.compared,
    }
}

/// What the only point is measured by.
fn alone(points: &[&[Trial]], measures: &Measures) -> Vec<String> {
    let [only] = points else { return vec![] };
    Yardstick::common(points).map(|yardstick| yardstick.sentence(&[], measures, only)).into_iter().collect()
}

fn held(e: &Expectation, plan: &Plan, measures: &Measures) -> Held {
    let concerned = plan.trials.iter().filter(|trial| matches(trial, &e.at));
    let results: Vec<Option<bool>> = concerned
        .map(|trial| {
            let value = value(measures, trial, &e.measure);
            value.map(|v| e.at_least.is_none_or(|low| v >= low) && e.at_most.is_none_or(|high| v <= high))
        })
        .collect();
    let all = |result| !results.is_empty() && results.iter().all(|r| *r == Some(result));
    match (all(true), all(false)) {
        (true, _) => Held::Yes,
        (_, true) => Held::No,
        // Missing evidence is neither.
        _ => Held::Inconclusive,
    }
}

fn expectation(e: &Expectation, held: Held, plan: &Plan, measures: &Measures) -> String {
    let concerned: Vec<&Trial> = plan.trials.iter().filter(|trial| matches(trial, &e.at)).collect();
    let values: Vec<f64> = concerned.iter().filter_map(|t| value(measures, t, &e.measure)).collect();
    let unit = unit(&e.measure);
    let bounds = [("at least", e.at_least), ("at most", e.at_most)];
    let bounds: Vec<String> =
        bounds.iter().filter_map(|(word, bound)| Some(format!("{word} {}", show::value(unit, (*bound)?)))).collect();
    let verdict = match held {
        Held::Yes => "held",
        Held::No => "FAILED",
        Held::Inconclusive if values.is_empty() => "is inconclusive: no trial has a value",
        Held::Inconclusive if values.len() < concerned.len() => "is inconclusive: not every trial has a value",
        Held::Inconclusive => "is inconclusive: it did not hold in every trial, nor fail in every one",
    };
    let missing = |trial: &&Trial| without(measures, trial, &e.measure, &self::concerned(trial, &e.measure));
    let silent = join(concerned.iter().filter(|t| value(measures, t, &e.measure).is_none()).map(missing));
    let total = concerned.iter().map(|trial| trial.scene.flows.len()).max().unwrap_or(0);
    let seen: Vec<String> = [
        (!values.is_empty()).then(|| range(&e.measure, &values)),
        (!silent.is_empty()).then(|| {
            let verb = if silent.len() == 1 { "has" } else { "have" };
            format!("{} {verb} none", show::flows(&silent, total))
        }),
    ]
    .into_iter()
    .flatten()
    .collect();
    let seen = if seen.is_empty() { String::new() } else { format!(" ({})", seen.join("; ")) };
    let points = if e.at.is_empty() { "every point".into() } else { label(&e.at) };
    format!("Expected {} of {points} {}: {verdict}{seen}.", e.measure, bounds.join(" and "))
}

/// What held a point's bulk flows back for most of their time, the median over its seeds.
fn limit(trials: &[Trial], measures: &Measures) -> Option<String> {
    const LIMITS: [(&str, &str); 4] = [
        ("limited-cwnd", "the congestion window"),
        ("limited-rwnd", "the receive window"),
        ("limited-sndbuf", "the send buffer"),
        ("limited-app", "the application"),
    ];
    let median = |name: &str| {
        // A flow that never connected has no limits; those of the others are told.
        let known = |trial: &Trial| {
            let all = of_kind(trial, Kind::Bulk);
            let none = without(measures, trial, name, &all);
            all.into_iter().filter(|flow| !none.contains(flow)).collect::<Vec<usize>>()
        };
        let value = |trial: &Trial| over(measures, trial, name, &known(trial));
        let mut values: Vec<f64> = trials.iter().filter_map(value).collect();
        values.sort_unstable_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    };
    let shares: Vec<(&str, f64)> = LIMITS.iter().filter_map(|(name, what)| Some((*what, median(name)?))).collect();
    let (what, share) = shares.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let (point, flows) = (&trials[0].point, &trials[0].scene.flows);
    let bulk = of_kind(&trials[0], Kind::Bulk).len();
    let limited = format!("limited by {what} for {} of", show::value(Unit::Ratio, share));
    let kind = if bulk < flows.len() { "bulk " } else { "" };
    Some(match bulk {
        1 if flows.len() == 1 && !point.is_empty() => format!("{} is {limited} its time.", label(point)),
        1 => at(point, &format!("the {kind}flow is {limited} its time.")),
        _ => at(point, &format!("the {kind}flows are {limited} their time, on average.")),
    })
}

/// How long requests and pings took, unless points are compared by that.
fn asides(compared: &[(Vec<Setting>, Yardstick)], trials: &[Trial], measures: &Measures) -> Vec<String> {
    let kinds = [Kind::Requests, Kind::Ping].into_iter().filter(|kind| !of_kind(&trials[0], *kind).is_empty());
    let main = Yardstick::common(&[trials]);
    let told = |yardstick: &Yardstick| {
        compared.iter().any(|(point, other)| *point == trials[0].point && other.is(yardstick))
            || trials[0].point.is_empty() && main.is_some_and(|main| main.is(yardstick))
    };
    let beside = kinds.filter_map(Yardstick::usual).filter(|yardstick| !told(yardstick));
    beside.map(|yardstick| yardstick.sentence(&trials[0].point, measures, trials)).collect()
}

fn caveats(plan: &Plan, measures: &Measures) -> Vec<String> {
    let all: Vec<&Caveat> = measures.trials.iter().flat_map(|trial| &trial.caveats).collect();
    let flows = plan.trials.iter().map(|trial| trial.scene.flows.len()).max().unwrap_or(0);
    let mut texts = analyze::sentences(all, flows);
    let points = plan.points();
    // What compares nothing and expects nothing only says what it saw.
    let claims = points.len() > 1 || !plan.expect.is_empty();
    if claims && points.iter().any(|trials| trials.len() == 1) {
        texts.push("One seed is one sample: a difference may be chance. Set repeat.seeds.".into());
    }
    if let Some(enough) = &plan.repeat.until {
        let number = |of: &dyn Fn(&[Trial]) -> bool| points.iter().filter(|trials| of(trials)).count();
        let wide = number(&|trials| study::is_wide(enough, trials, measures));
        let silent = number(&|trials| study::estimate(measures, trials, &enough.measure).is_none());
        let which =
            |n: usize| if points.len() == 1 { String::new() } else { format!(" at {n} of {} points", points.len()) };
        let (name, bound) = (&enough.measure, show::plain_share(enough.interval));
        let text =
            format!("The interval of {name} is wider than {bound} after {} seeds{}.", enough.at_most, which(wide));
        texts.extend((wide > 0).then_some(text));
        let text = format!("{name} has no value{}: no seed was added for it.", which(silent));
        texts.extend((silent > 0).then(|| show::capital(&text)));
    }
    texts
}

/// How comparisons were made, if there were any.
pub fn of_comparisons(compared: &[Compared]) -> Vec<String> {
    let tested: Vec<&Compared> = compared.iter().filter(|compared| compared.p.is_some()).collect();
    let Some(first) = tested.first() else { return vec![] };
    let margin = show::plain_share(first.margin);
    let number = match tested.len() {
        1 => String::new(),
        n => format!("; {n} comparisons were made, and the verdicts are corrected for their number (Holm)"),
    };
    vec![format!("A difference that is surely less than {margin} counts as none{number}.")]
}

fn world() -> Vec<String> {
    vec!["CPU time costs nothing in this laboratory: limits of processors, interrupts or ciphers do not show.".into()]
}
