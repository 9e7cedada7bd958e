//! The tables of docs/diagnosis-lab.md.

use crate::{Label, Outcome, Tier};
use diagnosis::diagnose::Confidence;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

type Outcomes = BTreeMap<Tier, Vec<Outcome>>;

/// All tables.
pub fn all(outcomes: &Outcomes, labels: &BTreeMap<String, Label>) -> String {
    let mut text = totals(outcomes, labels);
    if let Some(all) = outcomes.get(&Tier::Everything) {
        text += &by_cause(all, labels);
        text += &matrix(all, labels);
    }
    text + &calibration(outcomes)
}

fn percent(part: usize, of: usize) -> String {
    if of == 0 { "–".into() } else { format!("{:.1} %", 100.0 * part as f64 / of as f64) }
}

fn totals(outcomes: &Outcomes, labels: &BTreeMap<String, Label>) -> String {
    let mut text = String::from(
        "| evidence | causes: paths | first finding right | harmful advice | healthy: paths | nothing found |\n|---|---|---|---|---|---|\n",
    );
    for (tier, all) in outcomes {
        let is_healthy = |o: &&Outcome| labels.get(&o.cause).is_some_and(|label| label.finding == "none");
        let (healthy, ill): (Vec<&Outcome>, Vec<&Outcome>) = all.iter().partition(is_healthy);
        let right = ill.iter().filter(|o| o.right).count();
        let harm = all.iter().filter(|o| !o.harm.is_empty()).count();
        let quiet = healthy.iter().filter(|o| o.right).count();
        let _ = writeln!(
            text,
            "| {} | {} | {right} ({}) | {harm} | {} | {quiet} ({}) |",
            tier.name(),
            ill.len(),
            percent(right, ill.len()),
            healthy.len(),
            percent(quiet, healthy.len())
        );
    }
    text.push('\n');
    text
}

fn by_cause(all: &[Outcome], labels: &BTreeMap<String, Label>) -> String {
    let mut text = String::from("| cause | right finding | right | found instead |\n|---|---|---|---|\n");
    for (cause, label) in labels {
        let mine: Vec<&Outcome> = all.iter().filter(|o| o.cause == *cause).collect();
        if mine.is_empty() {
            continue;
        }
        let right = mine.iter().filter(|o| o.right).count();
        let mut others: BTreeMap<&str, usize> = BTreeMap::new();
        for outcome in mine.iter().filter(|o| o.found != label.finding) {
            *others.entry(&outcome.found).or_default() += 1;
        }
        let others: Vec<String> = others.iter().map(|(found, n)| format!("{found} {n}")).collect();
        let _ = writeln!(text, "| {cause} | {} | {right} of {} | {} |", label.finding, mine.len(), others.join(", "));
    }
    text.push('\n');
    text
}

/// Right findings in rows, first findings in columns, which have the rows' numbers.
fn matrix(all: &[Outcome], labels: &BTreeMap<String, Label>) -> String {
    let wanted = |o: &Outcome| labels[&o.cause].finding.as_str();
    let names: BTreeSet<&str> = all.iter().flat_map(|o| [wanted(o), o.found.as_str()]).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let heads: Vec<String> = (1..=names.len()).map(|n| n.to_string()).collect();
    let mut text = format!("| | right finding | {} |\n|---|---|{}\n", heads.join(" | "), "---|".repeat(names.len()));
    for (number, row) in names.iter().enumerate() {
        let cells: Vec<String> = names
            .iter()
            .map(|column| match all.iter().filter(|o| wanted(o) == *row && o.found == *column).count() {
                0 => String::new(),
                n => n.to_string(),
            })
            .collect();
        let _ = writeln!(text, "| {} | {row} | {} |", number + 1, cells.join(" | "));
    }
    text.push('\n');
    text
}

fn calibration(outcomes: &Outcomes) -> String {
    let mut text = String::from(
        "| evidence | confidence high: right of | medium: right of | low: right of | nothing found |\n|---|---|---|---|---|\n",
    );
    for (tier, all) in outcomes {
        let cell = |confidence| {
            let mine: Vec<&Outcome> = all.iter().filter(|o| o.confidence == Some(confidence)).collect();
            let right = mine.iter().filter(|o| o.right).count();
            format!("{right} of {} ({})", mine.len(), percent(right, mine.len()))
        };
        let [high, medium, low] = [Confidence::High, Confidence::Medium, Confidence::Low].map(cell);
        let silent = all.iter().filter(|o| o.confidence.is_none()).count();
        let _ = writeln!(text, "| {} | {high} | {medium} | {low} | {silent} |", tier.name());
    }
    text
}

/// Each path that was not diagnosed rightly.
pub fn misses(outcomes: &Outcomes) -> String {
    let mut text = String::new();
    for (tier, all) in outcomes {
        for o in all.iter().filter(|o| !o.right && o.confidence.is_some() || !o.harm.is_empty()) {
            let sure = o.confidence.map_or("", Confidence::word);
            let _ = writeln!(
                text,
                "{}: {}:{} {} ({sure}) harm {}",
                tier.name(),
                o.cause,
                o.path,
                o.found,
                o.harm.join(" ")
            );
        }
    }
    text
}
