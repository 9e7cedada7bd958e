//! A diagnosis, and a rule, as a person reads them.

use super::Diagnosis;
use super::finding::{Finding, Severity};
use super::rule::{Rule, Sizes};
use crate::remedy::{Remedy, folded};
use crate::show;
use evidence::System;
use std::fmt::Write;

/// Columns of a page.
const WIDTH: usize = 100;

/// Columns of a command, behind its head.
const COMMAND: usize = 68;

/// Findings after the first that are given in full; of the others a line each.
const FULL: usize = 2;

/// Kinds of evidence that are asked for: those that most rules lack.
const ASKED: usize = 4;

/// The finding first, then what it rests on, then what to do; then the rest.
pub fn page(diagnosis: &Diagnosis) -> String {
    let mut text = String::new();
    let (own, following): (Vec<&Finding>, Vec<&Finding>) = diagnosis.findings.iter().partition(|f| f.follows.is_none());
    let mut told = vec![];
    match diagnosis.top() {
        Some(top) => finding(&mut text, top, "Finding", &mut told),
        None => nothing(&mut text, diagnosis),
    }
    let rest: Vec<&&Finding> = own.iter().skip(usize::from(diagnosis.top().is_some())).collect();
    for more in rest.iter().take(FULL) {
        text.push('\n');
        finding(&mut text, more, if more.severity == Severity::Note { "Note" } else { "Besides" }, &mut told);
    }
    if rest.len() > FULL {
        text.push('\n');
        rest.iter().skip(FULL).for_each(|more| paragraph(&mut text, &format!("{}: ", more.rule), &more.says));
    }
    if !following.is_empty() {
        text.push('\n');
        for more in following {
            let by = more.follows.unwrap_or_default();
            paragraph(&mut text, &format!("{} (follows from {by}): ", more.rule), &more.says);
        }
    }
    text.push('\n');
    paragraph(
        &mut text,
        "Read: ",
        &if diagnosis.read.is_empty() { "nothing".into() } else { diagnosis.read.join(", ") },
    );
    text += &show::unread(&diagnosis.unread, WIDTH);
    blind(&mut text, diagnosis);
    text
}

fn nothing(text: &mut String, diagnosis: &Diagnosis) {
    if diagnosis.read.is_empty() {
        paragraph(text, "", "Nothing was read that a rule could look at.");
        return;
    }
    paragraph(
        text,
        "",
        "Nothing found that makes it slow. That is as far as this evidence goes: what was not looked at is below.",
    );
}

/// A finding in full; what was prescribed above is not said again.
fn finding(text: &mut String, finding: &Finding, head: &str, told: &mut Vec<Remedy>) {
    let _ = writeln!(text, "{head}: {} (confidence {})", finding.rule, finding.confidence.word());
    paragraph(text, "  ", &finding.says);
    if let Some(others) = finding.about.as_ref().map(|about| about.others).filter(|others| *others > 0) {
        paragraph(text, "  ", &format!("The same was found of {others} more at the same time."));
    }
    if !finding.figures.is_empty() {
        let _ = writeln!(text, "\n  Evidence");
        let name = finding.figures.iter().map(|f| f.name.chars().count()).max().unwrap_or(0).min(48);
        let value = finding.figures.iter().map(|f| f.value.chars().count()).max().unwrap_or(0).min(34);
        for figure in &finding.figures {
            let _ = writeln!(text, "    {:name$}  {:value$}  {}", figure.name, figure.value, figure.from);
        }
    }
    let new: Vec<&Remedy> = finding.remedies.iter().filter(|remedy| !told.contains(remedy)).collect();
    if !finding.remedies.is_empty() {
        let _ = writeln!(text, "\n  What to do{}", if new.is_empty() { ": as above" } else { "" });
        new.iter().for_each(|remedy| prescribe(text, remedy));
    }
    told.extend(new.into_iter().cloned());
    for caveat in &finding.caveats {
        paragraph(text, "  Doubt: ", caveat);
    }
    for ask in &finding.ask {
        paragraph(text, "  To be sure: ", ask);
    }
    let _ = writeln!(text, "  More: goodput explain {}", finding.rule);
}

fn prescribe(text: &mut String, remedy: &Remedy) {
    let steps = remedy.steps();
    let system = match remedy.system() {
        Some(System::Linux) => "Linux: ",
        Some(System::FreeBsd) => "FreeBSD: ",
        None => "",
    };
    paragraph(text, "    ", &format!("{system}{} {}. {}", remedy.what(), remedy.at.name(), remedy.why));
    steps.now.iter().for_each(|command| lines(text, "now ", command));
    steps.keep.iter().for_each(|(file, line)| {
        let _ = writeln!(text, "      keep  {}", file.path());
        file.line(line).lines().for_each(|line| {
            let _ = writeln!(text, "            {line}");
        });
    });
    steps.removals().iter().chain(&steps.undo).for_each(|command| lines(text, "undo", command));
}

/// A command, in as many lines as the page's width asks for.
fn lines(text: &mut String, head: &str, command: &str) {
    for (number, line) in folded(command, COMMAND).iter().enumerate() {
        let _ = writeln!(text, "      {}  {line}", if number == 0 { head } else { "    " });
    }
}

fn blind(text: &mut String, diagnosis: &Diagnosis) {
    if diagnosis.blind.is_empty() {
        return;
    }
    let _ = writeln!(text, "Not looked at, for want of evidence");
    for blind in diagnosis.blind.iter().take(ASKED) {
        let [linux, freebsd] = blind.ask;
        let ask = if linux == freebsd { linux.to_owned() } else { format!("{linux}; FreeBSD: {freebsd}") };
        paragraph(text, "  ", &format!("{} ({}): {ask}", blind.lacks, blind.rules.join(", ")));
    }
}

fn paragraph(text: &mut String, head: &str, body: &str) {
    *text += &show::paragraph(head, body, WIDTH);
}

/// All that is known of a rule.
pub fn explain(rule: &Rule) -> String {
    let mut text = format!("{}: {}\n\n", rule.name, rule.title);
    paragraph(&mut text, "  ", rule.model);
    paragraph(&mut text, "  Source: ", rule.source);
    if !rule.needs.is_empty() {
        let needs: Vec<&str> = rule.needs.iter().map(|need| need.stated().0).collect();
        paragraph(&mut text, "  Looks at: ", &needs.join(", "));
    }
    let _ = writeln!(text, "\n  It is found when");
    for (threshold, why) in rule.thresholds {
        paragraph(&mut text, "    - ", &format!("{threshold}: {why}"));
    }
    paragraph(&mut text, "  Confidence: ", rule.confidence);
    let _ = writeln!(text, "\n  What would confirm it");
    rule.confirm.iter().for_each(|command| paragraph(&mut text, "    - ", command));
    if !rule.alike.is_empty() {
        let _ = writeln!(text, "\n  What looks the same");
        rule.alike.iter().for_each(|(other, tell)| paragraph(&mut text, "    - ", &format!("{other}: {tell}")));
    }
    let remedies = (rule.cure)(&Sizes::default());
    if !remedies.is_empty() {
        let _ = writeln!(text, "\n  What to do, for 1 Gbit/s at 210 ms");
        remedies.iter().for_each(|remedy| prescribe(&mut text, remedy));
    }
    text
}
