//! A diagnosis, and a rule, as a person reads them.

use super::Diagnosis;
use super::finding::{Finding, Severity};
use super::rule::{Rule, Sizes};
use super::view::{Given, View, bytes, rate, time};
use crate::advise::remedy::At;
use crate::advise::remedy::Remedy;
use crate::show;
use evidence::{Evidence, System, Unread};
use std::fmt::Write;

/// Columns of a page.
const WIDTH: usize = 100;

/// Findings after the first that are given in full; of the others a line each.
const FULL: usize = 2;

/// Kinds of evidence that are asked for: those that most rules lack.
const ASKED: usize = 4;

/// Stretches of unread lines that are listed; more are counted.
const LISTED: usize = 8;

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
    unread(&mut text, &diagnosis.unread);
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
    let system = match remedy.system {
        System::Linux => "Linux",
        System::FreeBsd => "FreeBSD",
    };
    if remedy.now.is_empty() && remedy.keep.is_empty() {
        paragraph(text, "    ", &format!("{}, {}: {}.", remedy.what, at(remedy.at), remedy.note));
        return;
    }
    let note = if remedy.note.is_empty() { String::new() } else { format!(" ({})", remedy.note) };
    paragraph(text, "    ", &format!("{system}: {}, {}{note}", remedy.what, at(remedy.at)));
    remedy.now.iter().for_each(|command| lines(text, "now ", command));
    remedy.keep.iter().for_each(|(file, line)| {
        let _ = writeln!(text, "      keep  {}", file.path());
        lines(text, "    ", line);
    });
    remedy.undo.iter().for_each(|command| lines(text, "undo", command));
}

fn at(at: At) -> &'static str {
    at.name()
}

fn lines(text: &mut String, head: &str, command: &str) {
    for (number, line) in command.lines().enumerate() {
        let _ = writeln!(text, "      {}  {line}", if number == 0 { head } else { "    " });
    }
}

fn unread(text: &mut String, all: &[Unread]) {
    let wrong = all.iter().filter_map(|unread| Some((unread, unread.why.as_ref()?)));
    for (unread, why) in wrong.take(LISTED) {
        paragraph(text, "Not read: ", &format!("{}: {why}", unread.place));
    }
    let unknown: Vec<&Unread> = all.iter().filter(|unread| unread.why.is_none()).collect();
    if unknown.is_empty() {
        return;
    }
    let said = |unread: &&Unread| match (unread.place.line, unread.to) {
        (from, to) if from == to => format!("{from}"),
        (from, to) => format!("{from} to {to}"),
    };
    let mut listed = vec![];
    for group in unknown.chunk_by(|a, b| a.place.file == b.place.file) {
        let shown: Vec<String> = group.iter().take(LISTED).map(said).collect();
        let more = group.len().saturating_sub(LISTED);
        let more = if more > 0 { format!(" and {more} more stretches") } else { String::new() };
        let lines = if group.len() == 1 && group[0].place.line == group[0].to { "line" } else { "lines" };
        listed.push(format!("{} {lines} {}{more}", group[0].place.file, shown.join(", ")));
    }
    paragraph(text, "Not read, as nothing known stands there: ", &listed.join("; "));
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

/// Text in lines of the page's width, behind a head; further lines are indented as deep as the head's blanks and two
/// more.
fn paragraph(text: &mut String, head: &str, body: &str) {
    let blanks = head.len() - head.trim_start().len();
    let indent = " ".repeat(blanks + if head.trim().is_empty() { 0 } else { 2 });
    let mut line = head.to_owned();
    let mut width = head.chars().count();
    let mut begun = true;
    for word in body.split_whitespace() {
        let long = word.chars().count();
        if !begun && width + 1 + long > WIDTH {
            let _ = writeln!(text, "{}", line.trim_end());
            line.clone_from(&indent);
            width = indent.len();
            begun = true;
        }
        if !begun {
            line.push(' ');
            width += 1;
        }
        line += word;
        width += long;
        begun = false;
    }
    let _ = writeln!(text, "{}", line.trim_end());
}

/// What was read, and what was not.
pub fn imported(evidence: &Evidence) -> String {
    let mut text = String::new();
    let view = View::of(evidence, Given::default());
    paragraph(&mut text, "Read: ", &view.read().join(", "));
    for flow in &view.flows {
        let mut parts = vec![];
        let mut part = |name: &str, value: Option<String>| parts.extend(value.map(|value| format!("{name} {value}")));
        part("goodput", flow.seen.goodput.map(rate));
        part("congestion control", flow.seen.congestion.clone());
        part("retransmitted", flow.seen.retransmitted.map(show::number));
        part("loss events", (!flow.events.is_empty()).then(|| flow.events.len().to_string()));
        part("RTT", flow.rtt.as_ref().map(|rtt| format!("{} ({})", time(rtt.value), rtt.from)));
        part("mean cwnd", flow.cwnd.map(bytes));
        paragraph(&mut text, &format!("  {}: ", flow.name()), &parts.join(", "));
    }
    for table in &evidence.tables {
        let _ = writeln!(text, "  Table ({}): {}", table.place, table.columns.join(" | "));
        table.rows.iter().for_each(|row| paragraph(&mut text, "    ", &row.join(" | ")));
    }
    unread(&mut text, &evidence.unread);
    text
}

/// All that is known of a rule.
pub fn explain(rule: &Rule) -> String {
    let mut text = format!("{}: {}\n\n", rule.name, rule.title);
    paragraph(&mut text, "  ", rule.model);
    paragraph(&mut text, "  Source: ", rule.source);
    if !rule.needs.is_empty() {
        let needs: Vec<&str> = rule.needs.iter().map(|need| need.said().0).collect();
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
