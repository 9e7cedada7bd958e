//! Why a transfer gets its answer: its steps, what each rule asked, and why other answers were not chosen.

use super::Diagnosis;
use super::finding::{Finding, Severity};
use super::rules::RULES;
use base::show;
use std::fmt::Write;

/// Explains the diagnosis in the order in which it was made.
pub fn why(diagnosis: &Diagnosis, width: usize) -> String {
    let mut text = String::new();
    for spent in &diagnosis.time {
        let _ = writeln!(text, "Step by step: {} ({})", spent.connection, spent.place);
        let rtt = spent.rtt.map_or_else(|| "idle RTT unknown".into(), |rtt| format!("idle RTT {}", show::time(rtt)));
        let units = format!(
            "{rtt}, MSS {}. Flight is rate × RTT, as a share of cwnd and of the receive window; RTT is over the idle one. \
             Below a step: what is likelier in its state than in the next likely one.",
            show::bytes(spent.mss)
        );
        text += &show::paragraph("", &units, width);
        text += &spent.table(width);
        let _ = writeln!(text, "{}", spent.strip(width));
        text += &show::paragraph("", &format!("{}. {}.", spent.sentence(), spent.legend()), width);
        text.push('\n');
    }
    text += "Answers, in order\n";
    if diagnosis.findings.is_empty() {
        text += "  none\n";
    }
    for (number, finding) in diagnosis.findings.iter().enumerate() {
        text += &show::paragraph(&format!("  {}. ", number + 1), &ranked(finding), width);
        text += &questions(diagnosis, finding.rule, width);
    }
    if !diagnosis.dropped.is_empty() {
        text += "\nFound, and not kept\n";
        for dropped in &diagnosis.dropped {
            text += &show::paragraph(
                "  - ",
                &format!("{} of {}: {}", dropped.rule, dropped.connection, dropped.why),
                width,
            );
        }
    }
    text += "\nNot found\n";
    let others = RULES.iter().filter(|rule| !diagnosis.findings.iter().any(|finding| finding.rule == rule.name));
    for rule in others {
        let asked = questions(diagnosis, rule.name, width);
        if !asked.is_empty() {
            let _ = writeln!(text, "  - {}", rule.name);
            text += &asked;
            continue;
        }
        let needs =
            (rule.thresholds)().into_iter().next().map_or_else(String::new, |(needs, _)| format!("needs: {needs}"));
        let lacks: Vec<&str> =
            diagnosis.blind.iter().filter(|blind| blind.rules.contains(&rule.name)).map(|blind| blind.lacks).collect();
        let lacks =
            if lacks.is_empty() { String::new() } else { format!("; the evidence lacks: {}", lacks.join(", ")) };
        text += &show::paragraph("  - ", &format!("{}: {needs}{lacks}", rule.name), width);
    }
    text
}

/// Describes what decides the place of a finding.
fn ranked(finding: &Finding) -> String {
    let severity = if finding.severity == Severity::Problem { "problem" } else { "note" };
    let follows = finding.follows.map_or_else(String::new, |rule| format!(", follows from {rule}, so it comes last"));
    let about =
        finding.about.as_ref().map_or_else(String::new, |about| format!(" of {} ({})", about.connection, about.place));
    let cost = show::share(finding.cost);
    format!("{}{about}: {severity}, {} confidence, costs {cost}{follows}", finding.rule, finding.confidence.word())
}

/// Lists what a rule asked, each question once.
fn questions(diagnosis: &Diagnosis, rule: &str, width: usize) -> String {
    let mut text = String::new();
    for asked in diagnosis.asked.iter().filter(|asked| asked.rule == rule) {
        let head = if asked.met { "     yes  " } else { "     NO   " };
        let body = format!("{}: {} (needed: {})", asked.question, asked.measured, asked.needed);
        text += &show::paragraph(head, &body, width);
    }
    text
}
