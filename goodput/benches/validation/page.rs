//! The tables of docs/reference/validation.md.

use crate::judge::{Outcome, Reference, Values, Verdict};
use crate::kept::Page;
use crate::rows::{Published, Section};
use std::fmt::Write;

/// Mark before the results that are measured anew in each run, and not compared with the page.
const AFRESH: &str = "<!-- measured afresh in each run -->\n";

/// Page and place of the tables.
pub const PAGE: Page = Page {
    marks: ["<!-- begin tables -->\n", "<!-- end tables -->\n"],
    path: "docs/reference/validation.md",
    command: "make validation",
    lasting: |tables| tables.split(AFRESH).next().unwrap_or_default().trim(),
};

/// All tables, with a summary before them.
pub fn of(sections: &[Section], outcomes: &[Outcome], verdicts: &[Verdict], grids: &str) -> String {
    let mut text = summary(outcomes, verdicts);
    let mut number = 0;
    for section in sections {
        let count = section.rows.len();
        let mine = number..number + count;
        if outcomes[mine.clone()].iter().any(is_native) && !text.contains(AFRESH) {
            text = text + grids + AFRESH;
        }
        text += &of_section(section, outcomes, &verdicts[mine.clone()], &outcomes[mine], number);
        number += count;
    }
    if text.contains(AFRESH) { text } else { text + grids }
}

fn is_native(outcome: &Outcome) -> bool {
    matches!(outcome.row.published, Published::Native(..))
}

fn summary(outcomes: &[Outcome], verdicts: &[Verdict]) -> String {
    let published: Vec<(usize, Verdict)> = (1..)
        .zip(outcomes.iter().zip(verdicts))
        .filter(|(_, (o, _))| !is_native(o))
        .map(|(n, (_, v))| (n, *v))
        .collect();
    let of = |verdict| -> Vec<String> {
        published.iter().filter(|(_, v)| *v == verdict).map(|(n, _)| n.to_string()).collect()
    };
    let line = |what: &str, rows: Vec<String>| {
        let which = if rows.is_empty() || rows.len() > 40 { String::new() } else { format!(": {}", rows.join(", ")) };
        format!("| {what} | {}{which} |\n", rows.len())
    };
    let mut text = format!("| of {} published figures | |\n|---|---|\n", published.len());
    text += &line("within 10 % of what was published, or of its formula", of(Verdict::Agrees));
    text += &line("off, and another row shows why", of(Verdict::Explained));
    text += &line("off: not reproduced, or the reason is not proven", of(Verdict::Unproven));
    text + &line("off without a reason", of(Verdict::Unexplained))
        .repeat(usize::from(!of(Verdict::Unexplained).is_empty()))
        + "\n"
}

fn of_section(section: &Section, all: &[Outcome], verdicts: &[Verdict], outcomes: &[Outcome], before: usize) -> String {
    let mut files: Vec<&str> = section.rows.iter().map(|row| row.file).collect();
    files.sort_unstable();
    files.dedup();
    let files: Vec<String> = files.iter().map(|file| format!("[`{file}`](../../validation/{file}.toml)")).collect();
    let mut text = format!("## {}\n{}\n\n{} {}\n\n", section.title, section.source, files.join(" and "), section.about);
    let reference = if outcomes.iter().all(is_native) { "native" } else { "published" };
    let _ = writeln!(text, "| | {} | {reference} | ours | ratio | |\n|---|---|---|---|---|---|", section.unit);
    for (place, (outcome, verdict)) in outcomes.iter().zip(verdicts).enumerate() {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            before + place + 1,
            outcome.row.what,
            published(outcome),
            ours(&outcome.ours),
            ratio(outcome),
            word(*verdict)
        );
    }
    text.push('\n');
    text + &reasons(all, verdicts, outcomes, before)
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Agrees => "",
        Verdict::Explained => "explained",
        Verdict::Unproven => "unproven",
        Verdict::Unexplained => "**off**",
        Verdict::Missing => "not measured",
    }
}

fn published(outcome: &Outcome) -> String {
    match &outcome.reference {
        Reference::Is(value) => short(*value),
        Reference::AtLeast(bound) => format!("≥ {}", short(*bound)),
        Reference::AtMost(bound) => format!("≤ {}", short(*bound)),
        Reference::Measured(values) => ours(values),
        Reference::Missing(why) => why.clone(),
    }
}

/// The mean with its interval, or with each value where they lie apart.
fn ours(values: &Values) -> String {
    let mean = short(values.mean());
    if values.are_apart() {
        let mut sorted = values.0.clone();
        sorted.sort_by(f64::total_cmp);
        return format!("{mean}: {}", sorted.into_iter().map(short).collect::<Vec<_>>().join(", "));
    }
    let [low, high] = values.interval().map(short);
    if low == mean && high == mean { mean } else { format!("{mean} ({low} to {high})") }
}

fn ratio(outcome: &Outcome) -> String {
    let Some(ratio) = outcome.ratio() else { return String::new() };
    if !outcome.ours.are_apart() {
        return format!("{ratio:.2}");
    }
    let published = outcome.ours.mean() / ratio;
    let [low, high] = outcome.ours.range().map(|value| value / published);
    format!("{ratio:.2} ({low:.2} to {high:.2})")
}

/// Three digits.
fn short(value: f64) -> String {
    let magnitude = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    let decimals = (2 - magnitude).clamp(0, 4) as usize;
    format!("{value:.decimals$}")
}

/// Each reason once, with the rows that it is for and those that show it.
fn reasons(all: &[Outcome], verdicts: &[Verdict], outcomes: &[Outcome], before: usize) -> String {
    let number = |id: &str| (1..).zip(all).find(|(_, outcome)| outcome.row.id == id).map_or(0, |(number, _)| number);
    let mut given: Vec<(&'static str, &[&str], Verdict, Vec<usize>)> = vec![];
    for (place, (outcome, verdict)) in outcomes.iter().zip(verdicts).enumerate() {
        let Some(why) = outcome.row.why.as_ref().filter(|_| matches!(verdict, Verdict::Explained | Verdict::Unproven))
        else {
            continue;
        };
        match given.iter_mut().find(|(text, _, known, _)| *text == why.text && known == verdict) {
            Some((.., rows)) => rows.push(before + place + 1),
            None => given.push((why.text, why.by, *verdict, vec![before + place + 1])),
        }
    }
    let list = |numbers: &[usize]| numbers.iter().map(|n| n.to_string()).collect::<Vec<_>>().join(", ");
    let mut text = String::new();
    for (why, by, verdict, rows) in given {
        let by: Vec<usize> = by.iter().map(|id| number(id)).collect();
        let shown = match (verdict, by.is_empty()) {
            (Verdict::Explained, _) => format!(" Shown by {}.", list(&by)),
            (_, true) => " Not proven.".into(),
            (_, false) => format!(" Not proven: {} should agree if it were so.", list(&by)),
        };
        let _ = writeln!(text, "- {}: {why}{shown}", list(&rows));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}
