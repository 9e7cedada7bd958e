//! The tables of docs/diagnosis-lab.md about real programs.

use crate::score::{Outcome, Tier, Verdict};
use diagnosis::diagnose::Confidence;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Results on all paths, by kind of evidence; with the link's rate given, and without.
pub type Outcomes = BTreeMap<(bool, Tier), Vec<Outcome>>;

/// All tables.
pub fn all(outcomes: &Outcomes) -> String {
    let mut text = String::from("With the link's rate stated:\n\n");
    text += &totals(outcomes, true);
    text += "Without it:\n\n";
    text += &totals(outcomes, false);
    text += &calibration(outcomes);
    text += &by_label(outcomes);
    text + &matrix(outcomes)
}

fn percent(part: usize, of: usize) -> String {
    if of == 0 { "–".into() } else { format!("{:.0} %", 100.0 * part as f64 / of as f64) }
}

fn count(of: &[&Outcome], test: impl Fn(&Outcome) -> bool) -> usize {
    of.iter().filter(|outcome| test(outcome)).count()
}

fn is_full(outcome: &Outcome) -> bool {
    outcome.wanted == "none"
}

fn is_right(outcome: &Outcome) -> bool {
    outcome.verdict <= Verdict::Acceptable
}

fn is_sure_and_wrong(outcome: &Outcome) -> bool {
    outcome.verdict == Verdict::Wrong && outcome.confidence == Some(Confidence::High)
}

fn totals(outcomes: &Outcomes, told: bool) -> String {
    let mut text = String::from(
        "| evidence | paths with a cause | right first | acceptable | undecided | wrong | wrong, high confidence | harmful | pairs: right first, both named | full lines: no problem named |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for ((_, tier), all) in outcomes.iter().filter(|((with, _), _)| *with == told) {
        let (full, ill): (Vec<&Outcome>, Vec<&Outcome>) = all.iter().partition(|outcome| is_full(outcome));
        let every: Vec<&Outcome> = all.iter().collect();
        let pairs: Vec<&Outcome> = ill.iter().copied().filter(|outcome| outcome.second.is_some()).collect();
        let of = |verdict| count(&ill, |outcome| outcome.verdict == verdict);
        let right = of(Verdict::Right);
        let _ = writeln!(
            text,
            "| {} | {} | {right} ({}) | {} | {} | {} | {} | {} | {} of {}, {} | {} of {} |",
            tier.name(),
            ill.len(),
            percent(right + of(Verdict::Acceptable), ill.len()),
            of(Verdict::Acceptable),
            of(Verdict::Undecided),
            of(Verdict::Wrong),
            count(&every, is_sure_and_wrong),
            count(&every, |outcome| !outcome.harmful.is_empty()),
            count(&pairs, is_right),
            pairs.len(),
            count(&pairs, |outcome| outcome.second == Some(true)),
            count(&full, is_right),
            full.len(),
        );
    }
    text.push('\n');
    text
}

fn calibration(outcomes: &Outcomes) -> String {
    let mut text = String::from(
        "| evidence | high confidence: right of | medium: right of | low: right of |\n|---|---|---|---|\n",
    );
    for ((_, tier), all) in outcomes.iter().filter(|((told, _), _)| *told) {
        let cell = |confidence| {
            let mine: Vec<&Outcome> = all.iter().filter(|outcome| outcome.confidence == Some(confidence)).collect();
            format!("{} of {}", count(&mine, is_right), mine.len())
        };
        let [high, medium, low] = [Confidence::High, Confidence::Medium, Confidence::Low].map(cell);
        let _ = writeln!(text, "| {} | {high} | {medium} | {low} |", tier.name());
    }
    text.push('\n');
    text
}

/// A row for each label, a column for each kind of evidence: right or acceptable, undecided, and wrong findings.
fn by_label(outcomes: &Outcomes) -> String {
    let heads: Vec<&str> = Tier::ALL.iter().map(|tier| tier.name()).collect();
    let mut text =
        format!("| what limited | paths | {} |\n|---|---|{}\n", heads.join(" | "), "---|".repeat(heads.len()));
    let names: BTreeSet<&str> = outcomes.values().flatten().map(|outcome| outcome.label.as_str()).collect();
    for name in names {
        let mut paths = 0;
        let cells: Vec<String> = Tier::ALL
            .iter()
            .map(|tier| {
                let mine: Vec<&Outcome> =
                    outcomes[&(true, *tier)].iter().filter(|outcome| outcome.label == name).collect();
                paths = mine.len();
                cell(&mine)
            })
            .collect();
        let _ = writeln!(text, "| {name} | {paths} | {} |", cells.join(" | "));
    }
    text.push('\n');
    text
}

fn cell(of: &[&Outcome]) -> String {
    let mut text = count(of, is_right).to_string();
    let open = count(of, |outcome| outcome.verdict == Verdict::Undecided);
    if open > 0 {
        let _ = write!(text, ", {open} undecided");
    }
    let mut wrong: BTreeMap<&str, usize> = BTreeMap::new();
    for outcome in of.iter().filter(|outcome| outcome.verdict == Verdict::Wrong) {
        *wrong.entry(outcome.found).or_default() += 1;
    }
    for (rule, times) in wrong {
        let _ = write!(text, ", {times} {rule}");
    }
    text
}

/// The matrix with all evidence: main limits in rows, first findings in columns.
fn matrix(outcomes: &Outcomes) -> String {
    let all = &outcomes[&(true, Tier::Everything)];
    let names: BTreeSet<&str> = all.iter().flat_map(|outcome| [outcome.wanted, outcome.found]).collect();
    let heads: Vec<String> = (1..=names.len()).map(|n| n.to_string()).collect();
    let mut text = format!("| | limited most | {} |\n|---|---|{}\n", heads.join(" | "), "---|".repeat(names.len()));
    for (number, row) in names.iter().enumerate() {
        let of = |column: &str| all.iter().filter(|o| o.wanted == *row && o.found == column).count();
        let cells: Vec<String> = names
            .iter()
            .map(|column| Some(of(column)).filter(|n| *n > 0).map_or(String::new(), |n| n.to_string()))
            .collect();
        let _ = writeln!(text, "| {} | {row} | {} |", number + 1, cells.join(" | "));
    }
    text
}

/// Each path that is not right, and each harmful command.
pub fn misses(outcomes: &Outcomes) -> String {
    let mut text = String::new();
    for ((told, tier), all) in outcomes {
        let missed = |o: &&Outcome| o.verdict >= Verdict::Undecided || !o.harmful.is_empty() || o.second == Some(false);
        for o in all.iter().filter(missed) {
            let _ = writeln!(
                text,
                "{}{}: {} [{}]: {} ({}){}{}",
                tier.name(),
                if *told { "" } else { ", no rate" },
                o.path,
                o.label,
                o.found,
                o.confidence.map_or("", Confidence::word),
                if o.harmful.is_empty() { String::new() } else { format!(" HARM {}", o.harmful.join(" ")) },
                if o.second == Some(false) { " second missing" } else { "" }
            );
        }
    }
    text
}
