//! From measures to a verdict: what was shown, what was not, and the doubts.
//!
//! A point is compared with the first one, seed by seed. Nothing is claimed beyond what every seed shows.

use crate::analyze::{Caveat, Measures};
use crate::measure::{self, Subject};
use crate::plan::{Expectation, Plan, Setting, Trial};
use crate::show;
use serde::{Deserialize, Serialize};

/// What a run has shown; `verdict.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The answer, a sentence for each comparison or expectation.
    pub sentences: Vec<String>,
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

/// Judges a run.
pub fn judge(plan: &Plan, measures: &Measures) -> Verdict {
    let expectations: Vec<Held> = plan.expect.iter().map(|e| held(e, plan, measures)).collect();
    let mut sentences = comparisons(plan, measures);
    sentences.extend(points(plan).iter().filter_map(|trials| limit(trials, measures)));
    sentences.extend(plan.expect.iter().zip(&expectations).map(|(e, held)| expectation(e, *held, plan, measures)));
    Verdict { sentences, expectations, caveats: caveats(plan, measures) }
}

/// Trials of one point, in the plan's order.
pub fn points(plan: &Plan) -> Vec<&[Trial]> {
    plan.trials.chunk_by(|a, b| a.point == b.point).collect()
}

/// A measure of a trial: the sum over its flows for goodput, else the mean over its flows or, of lanes, the forward
/// direction of the first link.
pub fn value(measures: &Measures, trial: usize, name: &str) -> Option<f64> {
    let all = &measures.trials.get(trial)?.values;
    let mut values = all.iter().filter(|v| v.measure == name && (v.subject == Subject::Flow || v.number == 0));
    let first = values.next()?;
    let (sum, count) = values.fold((first.value, 1.0), |(sum, count), v| (sum + v.value, count + 1.0));
    Some(if name == "goodput" { sum } else { sum / count })
}

fn matches(trial: &Trial, at: &[Setting]) -> bool {
    at.iter().all(|setting| trial.point.contains(setting))
}

fn held(e: &Expectation, plan: &Plan, measures: &Measures) -> Held {
    let concerned = plan.trials.iter().filter(|trial| matches(trial, &e.at));
    let results: Vec<Option<bool>> = concerned
        .map(|trial| {
            let value = value(measures, trial.index, &e.measure);
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

fn label(at: &[Setting]) -> String {
    match at {
        [] => "every point".into(),
        at => at.iter().map(|s| s.value.as_str()).collect::<Vec<_>>().join(", "),
    }
}

/// "9.1 to 9.4 Mbit/s", or one figure if the ends look alike.
fn range(name: &str, values: &[f64]) -> String {
    let unit = measure::find(name).map_or(measure::Unit::Ratio, |m| m.unit);
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    show::range(unit, low, high)
}

fn expectation(e: &Expectation, held: Held, plan: &Plan, measures: &Measures) -> String {
    let concerned: Vec<&Trial> = plan.trials.iter().filter(|trial| matches(trial, &e.at)).collect();
    let values: Vec<f64> = concerned.iter().filter_map(|t| value(measures, t.index, &e.measure)).collect();
    let unit = measure::find(&e.measure).map_or(measure::Unit::Ratio, |m| m.unit);
    let bounds = [("at least", e.at_least), ("at most", e.at_most)];
    let bounds: Vec<String> =
        bounds.iter().filter_map(|(word, bound)| Some(format!("{word} {}", show::value(unit, (*bound)?)))).collect();
    let verdict = match held {
        Held::Yes => "held",
        Held::No => "FAILED",
        Held::Inconclusive => "is inconclusive: it did not hold in every trial, nor fail in every one",
    };
    let seen = if values.is_empty() { "no value".into() } else { range(&e.measure, &values) };
    format!("Expected {} of {} {}: {verdict} ({seen}).", e.measure, label(&e.at), bounds.join(" and "))
}

/// The goodput of each point beside the first one's, seed by seed.
fn comparisons(plan: &Plan, measures: &Measures) -> Vec<String> {
    let points = points(plan);
    let goodput = |trial: &Trial| value(measures, trial.index, "goodput");
    let Some((first, others)) = points.split_first() else { return vec![] };
    if others.is_empty() {
        let values: Vec<f64> = first.iter().filter_map(goodput).collect();
        return vec![format!("Goodput: {}.", range("goodput", &values))];
    }
    let pairs = |other: &[Trial]| -> (Vec<f64>, Vec<f64>) {
        first.iter().zip(other).filter_map(|(a, b)| goodput(a).zip(goodput(b))).unzip()
    };
    let compare = |other: &&[Trial]| {
        let (base, values) = pairs(other);
        compare(first, other, &base, &values)
    };
    others.iter().map(compare).collect()
}

/// The goodput of two points, paired by seed.
fn compare(first: &[Trial], other: &[Trial], base: &[f64], values: &[f64]) -> String {
    let name = label(&other[0].point);
    let against = label(&first[0].point);
    let ratios: Vec<f64> = values.iter().zip(base).map(|(v, b)| v / b).collect();
    if ratios.is_empty() || ratios.iter().any(|r| !r.is_finite()) {
        return format!("{name} and {against} cannot be compared: a flow delivered nothing.");
    }
    let figures = format!("{} against {}", range("goodput", values), range("goodput", base));
    let seeds = match ratios.len() {
        1 => "in the one seed that ran".into(),
        n => format!("in each of {n} seeds"),
    };
    if ratios.iter().all(|r| *r > 1.0) {
        let times = show::times(&ratios);
        format!("{name} has {times} times the goodput of {against} {seeds}: {figures}.")
    } else if ratios.iter().all(|r| *r < 1.0) {
        let times = show::times(&ratios.iter().map(|r| 1.0 / r).collect::<Vec<_>>());
        format!("{against} has {times} times the goodput of {name} {seeds}: {figures}.")
    } else if ratios.iter().all(|r| *r == 1.0) {
        format!("{name} and {against} have the same goodput {seeds}: {}.", range("goodput", values))
    } else {
        format!("Seeds differ on whether {name} has more goodput than {against}: {figures}.")
    }
}

/// What held a point's flows back for most of their time, the median over its seeds.
fn limit(trials: &[Trial], measures: &Measures) -> Option<String> {
    const LIMITS: [(&str, &str); 4] = [
        ("limited-cwnd", "the congestion window"),
        ("limited-rwnd", "the receive window"),
        ("limited-sndbuf", "the send buffer"),
        ("limited-app", "the application"),
    ];
    let median = |name: &str| {
        let mut values: Vec<f64> = trials.iter().filter_map(|t| value(measures, t.index, name)).collect();
        values.sort_unstable_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    };
    let shares: Vec<(&str, f64)> = LIMITS.iter().filter_map(|(name, what)| Some((*what, median(name)?))).collect();
    let (what, share) = shares.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let subject = match trials[0].point.as_slice() {
        [] => "The flow".into(),
        point => label(point),
    };
    Some(format!("{subject} is limited by {what} for {} of its time.", show::value(measure::Unit::Ratio, share)))
}

fn caveats(plan: &Plan, measures: &Measures) -> Vec<String> {
    let mut all: Vec<&Caveat> = measures.trials.iter().flat_map(|trial| &trial.caveats).collect();
    all.sort();
    all.dedup();
    let mut texts: Vec<String> = all.into_iter().map(Caveat::text).collect();
    if points(plan).iter().any(|trials| trials.len() == 1) {
        texts.push("One seed is one sample: a difference may be chance. Set repeat.seeds.".into());
    }
    texts.push(
        "CPU time costs nothing in this laboratory: limits of processors, interrupts or ciphers do not show.".into(),
    );
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::{TrialMeasures, Value};

    /// A plan of two points with two seeds each, and these goodputs, Mbit/s, in its order.
    fn judged(goodput: [f64; 4], expect: &str) -> Verdict {
        let spec = format!(
            r#"
            title = "judged"
            path = {{ rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }}
            flows = [{{ duration = "10 s" }}]
            vary = {{ "flows.congestion" = ["cubic", "bbr"] }}
            repeat = {{ seeds = 2 }}
            {expect}
            "#
        );
        let plan = crate::spec::plan("judged.toml", &spec, Default::default()).unwrap_or_else(|e| panic!("{e}"));
        let value =
            |value: f64| Value { measure: "goodput".into(), subject: Subject::Flow, number: 0, value: value * 1e6 };
        let trial = |(index, rate): (usize, &f64)| TrialMeasures {
            index,
            values: Some(*rate).filter(|rate| rate.is_finite()).map(value).into_iter().collect(),
            caveats: vec![],
        };
        judge(&plan, &Measures { trials: goodput.iter().enumerate().map(trial).collect() })
    }

    #[track_caller]
    fn says(goodput: [f64; 4], sentence: &str) {
        assert_eq!(judged(goodput, "").sentences[0], sentence);
    }

    #[test]
    fn a_comparison_claims_what_every_seed_shows() {
        says(
            [2.0, 3.0, 8.0, 9.0],
            "bbr has 3.00 to 4.00 times the goodput of cubic in each of 2 seeds: 8.00 to 9.00 Mbit/s against 2.00 to 3.00 Mbit/s.",
        );
        says(
            [8.0, 9.0, 2.0, 3.0],
            "cubic has 3.00 to 4.00 times the goodput of bbr in each of 2 seeds: 2.00 to 3.00 Mbit/s against 8.00 to 9.00 Mbit/s.",
        );
        says(
            [2.0, 9.0, 8.0, 3.0],
            "Seeds differ on whether bbr has more goodput than cubic: 3.00 to 8.00 Mbit/s against 2.00 to 9.00 Mbit/s.",
        );
        says([5.0; 4], "bbr and cubic have the same goodput in each of 2 seeds: 5.00 Mbit/s.");
        says([f64::NAN, f64::NAN, 1.0, 1.0], "bbr and cubic cannot be compared: a flow delivered nothing.");
        says([0.0, 0.0, 1.0, 1.0], "bbr and cubic cannot be compared: a flow delivered nothing.");
    }

    #[test]
    fn an_expectation_holds_in_every_trial_or_fails_in_every_one() {
        let expect =
            r#"expect = [{ measure = "goodput", where = { "flows.congestion" = "bbr" }, at-least = "5 Mbit/s" }]"#;
        let outcome = |bbr: [f64; 2]| judged([1.0, 1.0, bbr[0], bbr[1]], expect).outcome();
        assert_eq!(outcome([5.0, 6.0]), Held::Yes);
        assert_eq!(outcome([4.9, 4.0]), Held::No);
        assert_eq!(outcome([4.9, 5.0]), Held::Inconclusive);
        assert_eq!(outcome([f64::NAN, 5.0]), Held::Inconclusive);
        assert_eq!(outcome([f64::NAN; 2]), Held::Inconclusive);
        assert_eq!(judged([1.0; 4], "").outcome(), Held::Yes);
    }

    #[test]
    fn one_seed_is_a_caveat() {
        let plan = "title = 't'\npath = { rate = '1 Mbit/s', rtt = '1 ms', buffer = '9 packets' }\nflows = [{ bytes = '1 B' }]";
        let plan = crate::spec::plan("one.toml", plan, Default::default()).unwrap_or_else(|e| panic!("{e}"));
        let verdict = judge(&plan, &Measures { trials: vec![] });
        assert!(verdict.caveats.iter().any(|caveat| caveat.starts_with("One seed is one sample")));
    }
}
