//! A suite: the experiments of a folder, side by side. Each row says which criteria hold at each value of the compared axis, and
//! how that value compares with the first.

use crate::judge::{self, Compared, Held, Outcome, Verdict};
use crate::terminal;
use analysis::{Measure, Measures};
use base::show;
use evidence::counted;
use plan::{Plan, Setting};
use serde::Serialize;
use std::path::PathBuf;

/// An experiment of a suite.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Its file's name without the ending.
    pub name: String,
    pub title: String,
    /// Folder of its run; `None` if it did not run.
    pub run: Option<PathBuf>,
    /// Why it did not run; `None` if it did.
    pub failure: Option<String>,
    /// Trials of the run.
    pub trials: usize,
    /// Real time that it took now, s: hardly any if its trials were recorded before.
    pub seconds: f64,
    /// A point for each value of the axis along which it compares; a single one without such an axis.
    pub points: Vec<Point>,
}

/// What an experiment says of one value of the compared axis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// The value; empty without an axis.
    pub at: String,
    pub criteria: Vec<Criterion>,
    /// Comparisons with the axis' first value.
    pub comparisons: Vec<Against>,
}

/// An expectation at one value of the axis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Criterion {
    pub held: Held,
    pub sentence: String,
}

/// A comparison with the axis' first value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Against {
    pub measure: String,
    /// Name of the flow; `None` for all flows together.
    pub flow: Option<String>,
    pub outcome: Outcome,
    /// Harm to the flow (Ware et al. 2019), with the axis' first value in the place of the flow alone; below 0 it gains. `None` if
    /// neither direction of the measure is better.
    pub harm: Option<f64>,
    pub sentence: String,
}

/// Returns the row of an experiment that did not run.
pub fn failed(name: String, failure: String) -> Row {
    Row { name, title: String::new(), run: None, failure: Some(failure), trials: 0, seconds: 0.0, points: vec![] }
}

/// Returns what a run says of each value of the axis along which it compares.
pub fn points(plan: &Plan, measures: &Measures, verdict: &Verdict) -> Vec<Point> {
    let axis = plan.compare.over.as_ref().and_then(|over| plan.vary.iter().find(|axis| axis.key == *over));
    let Some(axis) = axis else { return vec![point(plan, measures, verdict, None)] };
    let settings = axis.values.iter().map(|value| Setting { key: axis.key.clone(), value: value.clone() });
    settings.map(|setting| point(plan, measures, verdict, Some(&setting))).collect()
}

fn point(plan: &Plan, measures: &Measures, verdict: &Verdict, setting: Option<&Setting>) -> Point {
    let criteria = judge::expected_at(plan, measures, setting);
    let at = setting.and_then(|setting| judge::side_name(plan, setting)).unwrap_or_default();
    let own = verdict.comparisons.iter().filter(|compared| compared.other == at);
    Point {
        criteria: criteria.into_iter().map(|one| Criterion { held: one.held, sentence: one.sentence }).collect(),
        comparisons: own.map(against).collect(),
        at,
    }
}

fn against(compared: &Compared) -> Against {
    let [base, other] = &compared.estimates;
    let better = Measure::find(&compared.measure).map(|measure| measure.better);
    let harm = || analysis::harm(better?, base.as_ref()?.value, other.as_ref()?.value);
    Against {
        measure: compared.measure.clone(),
        flow: compared.flow.clone(),
        outcome: compared.outcome,
        harm: harm(),
        sentence: compared.full_sentence(),
    }
}

/// Returns the worst outcome of all criteria; an experiment that did not run is inconclusive.
pub fn outcome(rows: &[Row]) -> Held {
    let criteria = rows.iter().flat_map(|row| &row.points).flat_map(|point| &point.criteria);
    let missing = rows.iter().filter(|row| row.failure.is_some()).map(|_| Held::Inconclusive);
    criteria.map(|one| one.held).chain(missing).max().unwrap_or(Held::Yes)
}

/// Formats a suite: a line for each experiment, then what does not hold and what got worse, then the sums.
pub fn text(rows: &[Row], width: usize) -> String {
    let say = |head: &str, text: &str| show::paragraph(head, text, width);
    let mut all = vec![];
    for point in rows.iter().flat_map(|row| &row.points) {
        if !all.contains(&point.at.as_str()) {
            all.push(point.at.as_str());
        }
    }
    let head = ["criteria met"].into_iter().chain(all.iter().copied()).chain(["time"]).map(str::to_owned).collect();
    let line = |row: &Row| -> Vec<String> {
        let of = |at: &&str| row.points.iter().find(|point| point.at == **at).map_or("–".into(), cell);
        let cells = all.iter().map(of);
        let time = if row.failure.is_some() { "–".into() } else { show::plain_time(row.seconds.round()) };
        [row.name.clone()].into_iter().chain(cells).chain([time]).collect()
    };
    let lines: Vec<Vec<String>> = [head].into_iter().chain(rows.iter().map(line)).collect();
    let mut text = terminal::align(&lines, 1) + "\n";
    for row in rows {
        let head = format!("{}: ", row.name);
        let failures = row.failure.iter().map(|why| format!("not run: {why}"));
        let told = failures.chain(row.points.iter().flat_map(told)).collect::<Vec<_>>();
        told.iter().for_each(|what| text += &say(&head, what));
    }
    for at in &all {
        let own: Vec<&Point> = rows.iter().flat_map(|row| &row.points).filter(|point| point.at == **at).collect();
        let [met, criteria] = [true, false].map(|only| {
            let criteria = own.iter().flat_map(|point| &point.criteria);
            criteria.filter(|one| !only || one.held == Held::Yes).count()
        });
        let is_worse = |point: &&&Point| point.comparisons.iter().any(|one| one.outcome == Outcome::Worse);
        let worse = own.iter().filter(is_worse).count();
        let than = match own.iter().any(|point| !point.comparisons.is_empty()) {
            true => format!("; worse than {} in {}", all[0], counted(worse, "experiment", "experiments")),
            false => String::new(),
        };
        let name = if at.is_empty() { String::new() } else { format!("{at}: ") };
        text += &say("", &format!("{name}{met} of {}{than}.", counted(criteria, "criterion met", "criteria met")));
    }
    let seconds = rows.iter().map(|row| row.seconds).sum::<f64>();
    let trials = rows.iter().map(|row| row.trials).sum::<usize>();
    let sum = [counted(rows.len(), "experiment", "experiments"), counted(trials, "trial", "trials")].join(", ");
    text + &say("", &format!("{sum}, {}.", show::plain_time(seconds.round())))
}

/// "3 of 4, worse": the criteria that hold, and how the value compares with the first.
fn cell(point: &Point) -> String {
    let met = point.criteria.iter().filter(|one| one.held == Held::Yes).count();
    let criteria = (!point.criteria.is_empty()).then(|| format!("{met} of {}", point.criteria.len()));
    let has = |outcome| point.comparisons.iter().any(|one| one.outcome == outcome);
    let compared = match (has(Outcome::Worse), has(Outcome::Better)) {
        (true, true) => Some("mixed"),
        (true, false) => Some("worse"),
        (false, true) => Some("better"),
        (false, false) if has(Outcome::Inconclusive) => Some("unclear"),
        (false, false) if point.comparisons.is_empty() => None,
        (false, false) => Some("alike"),
    };
    let parts: Vec<String> = criteria.into_iter().chain(compared.map(str::to_owned)).collect();
    if parts.is_empty() { "–".into() } else { parts.join(", ") }
}

fn told(point: &Point) -> Vec<String> {
    let failed = point.criteria.iter().filter(|one| one.held != Held::Yes).map(|one| one.sentence.clone());
    let worse = point.comparisons.iter().filter(|one| one.outcome == Outcome::Worse).map(|one| one.sentence.clone());
    failed.chain(worse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, points: Vec<Point>) -> Row {
        let name = name.to_owned();
        Row { name, title: String::new(), run: None, failure: None, trials: 10, seconds: 61.0, points }
    }

    fn criterion(held: Held) -> Criterion {
        Criterion { held, sentence: "Expected goodput at least 1 Mbit/s: FAILED.".into() }
    }

    fn against(outcome: Outcome) -> Against {
        let sentence = "bbr is worse than cubic.".into();
        Against { measure: "goodput".into(), flow: None, outcome, harm: Some(0.5), sentence }
    }

    #[test]
    fn a_table_and_what_does_not_hold() {
        let reference = Point { at: "cubic".into(), criteria: vec![criterion(Held::Yes); 2], comparisons: vec![] };
        let other = Point {
            at: "bbr".into(),
            criteria: vec![criterion(Held::Yes), criterion(Held::No)],
            comparisons: vec![against(Outcome::Worse), against(Outcome::Equivalent)],
        };
        let alike = Point { at: "bbr".into(), criteria: vec![], comparisons: vec![against(Outcome::Equivalent)] };
        let rows = [
            row("loss", vec![reference, other]),
            row("tunnels", vec![alike]),
            failed("l4s".into(), "the kernel has no dualpi2".into()),
        ];
        let expected = "\
criteria met   cubic            bbr  time
loss          2 of 2  1 of 2, worse  61 s
tunnels            –          alike  61 s
l4s                –              –     –

loss: Expected goodput at least 1 Mbit/s: FAILED.
loss: bbr is worse than cubic.
l4s: not run: the kernel has no dualpi2
cubic: 2 of 2 criteria met.
bbr: 1 of 2 criteria met; worse than cubic in 1 experiment.
3 experiments, 20 trials, 122 s.
";
        assert_eq!(text(&rows, 80), expected);
        assert_eq!(outcome(&rows), Held::No);
        assert_eq!(outcome(&rows[2..]), Held::Inconclusive);
        assert_eq!(outcome(&[]), Held::Yes);
    }
}
