//! Diagnosis of each run, and of a series together, against the label.

use crate::series::{Label, Series};
use goodput::diagnose::{self, Diagnosis, Given};
use goodput::sources;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// Results for the runs of a series.
pub struct Outcome {
    label: Label,
    name: String,
    runs: Vec<Said>,
    together: Said,
}

/// Result of a diagnosis.
#[derive(Debug, Clone)]
struct Said {
    /// Label of the run, or for a series the label of 70 % of its runs.
    label: Label,
    verdict: Verdict,
    /// The rule that is named as the problem.
    problem: Option<&'static str>,
    says: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// A rule of the label, as the problem.
    Named,
    /// A rule of the label, as a note.
    Note,
    /// No problem.
    Undecided,
    /// Another rule, as the problem.
    Another,
}

/// Rules that agree with a label.
fn rules(label: Label) -> &'static [&'static str] {
    match label {
        Label::Window => {
            &["window-or-buffer", "receiver-window", "send-buffer", "application-limited", "receiver-not-reading"]
        }
        Label::Losses => &["loss-response", "shallow-buffer", "policer", "slow-start-overshoot"],
        Label::Growing => &["slow-start-exit"],
        Label::Other => &[],
    }
}

fn said(label: Label, files: &[PathBuf]) -> Result<Said, String> {
    let sources = sources::evidence(files).map_err(|error| error.to_string())?;
    let found = &sources.first().ok_or("nothing was read")?.found;
    let diagnosis = diagnose::diagnose(found, Given::default());
    let own = |rule: &str| rules(label).contains(&rule);
    let top = diagnosis.top();
    let verdict = match top {
        Some(top) if own(top.rule) => Verdict::Named,
        Some(_) => Verdict::Another,
        None if diagnosis.findings.iter().any(|finding| own(finding.rule)) => Verdict::Note,
        None => Verdict::Undecided,
    };
    Ok(Said { label, verdict, problem: top.map(|top| top.rule), says: sentence(&diagnosis) })
}

fn sentence(diagnosis: &Diagnosis) -> String {
    let of =
        |finding: &diagnose::Finding| format!("{} ({}): {}", finding.rule, finding.confidence.word(), finding.says);
    diagnosis.findings.iter().map(of).collect::<Vec<_>>().join(" | ")
}

/// Diagnoses every run separately, and the runs of each series together.
pub fn outcomes(drawn: &[Series]) -> Result<Vec<Outcome>, String> {
    let of = |series: &Series| {
        let files: Vec<PathBuf> = series.runs.iter().map(|(file, _)| file.clone()).collect();
        let own = |label: Label| if label == Label::Other { series.label } else { label };
        let runs = series.runs.iter().map(|(file, label)| said(own(*label), std::slice::from_ref(file)));
        Ok(Outcome {
            label: series.label,
            name: series.name.clone(),
            runs: runs.collect::<Result<_, String>>()?,
            together: said(series.label, &files)?,
        })
    };
    drawn.iter().map(of).collect()
}

/// How many repeats of a path get its commonest answer.
fn agreeing(runs: &[Said]) -> usize {
    let mut answers: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    runs.iter().for_each(|run| *answers.entry(run.problem).or_default() += 1);
    answers.into_values().max().unwrap_or(0)
}

fn percent(part: usize, of: usize) -> String {
    if of == 0 { "–".into() } else { format!("{part} ({:.0} %)", 100.0 * part as f64 / of as f64) }
}

/// Labels in columns, of one half.
pub fn table(half: &str, outcomes: &[Outcome]) -> String {
    let of = |label: Label| outcomes.iter().filter(move |outcome| outcome.label == label);
    let own = |label: Label| outcomes.iter().flat_map(|outcome| &outcome.runs).filter(move |run| run.label == label);
    let runs = |label: Label| own(label).count();
    let repeats = |label: Label| of(label).map(|outcome| outcome.runs.len()).sum::<usize>();
    let head = |label: Label| format!("{}: {} series, {} runs", label.name(), of(label).count(), runs(label));
    let heads: Vec<String> = Label::JUDGED.into_iter().map(head).collect();
    let mut text = format!("| {half} | {} |\n|---|---|---|---|\n", heads.join(" | "));
    let mut row = |name: &str, cell: &dyn Fn(Label) -> String| {
        let cells: Vec<String> = Label::JUDGED.into_iter().map(cell).collect();
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    };
    for (verdict, name) in [
        (Verdict::Named, "named as the problem"),
        (Verdict::Note, "as a note only"),
        (Verdict::Undecided, "undecided"),
        (Verdict::Another, "another cause"),
    ] {
        let count = |label| own(label).filter(|run| run.verdict == verdict).count();
        row(name, &|label| percent(count(label), runs(label)));
    }
    row("repeats of a path with that label that get the same answer", &|label| {
        percent(of(label).map(|outcome| agreeing(&outcome.runs)).sum(), repeats(label))
    });
    row("all repeats given together: named", &|label| {
        percent(of(label).filter(|outcome| outcome.together.verdict == Verdict::Named).count(), of(label).count())
    });
    row("all repeats given together: another cause", &|label| {
        percent(of(label).filter(|outcome| outcome.together.verdict == Verdict::Another).count(), of(label).count())
    });
    text
}

/// Every run and every series that is not named.
pub fn misses(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for outcome in outcomes {
        let missed = outcome.runs.iter().enumerate().filter(|(_, run)| run.verdict != Verdict::Named);
        for (number, run) in missed {
            let _ = writeln!(text, "{} {} {number}: {:?} {}", run.label.name(), outcome.name, run.verdict, run.says);
        }
        if outcome.together.verdict != Verdict::Named {
            let Said { verdict, says, .. } = &outcome.together;
            let _ = writeln!(text, "{} {} together: {verdict:?} {says}", outcome.label.name(), outcome.name);
        }
    }
    text
}
