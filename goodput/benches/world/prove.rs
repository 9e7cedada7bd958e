//! Proof of one run of a series, and the other runs against its prediction.

use super::inside::{Inside, width};
use super::series::{Label, Series};
use prove::{ChangeRow, Verdict};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::ops::Add;
use std::path::Path;
use std::process::{Command, Stdio};

/// Result of a series.
pub struct Outcome {
    label: Label,
    name: String,
    answer: Answer,
    /// Names of the accepted explanations.
    explanations: Vec<String>,
    /// Runs of the series in the range for now, and all; none if nothing is predicted.
    inside: Option<Inside>,
    /// The range over its middle, as a factor.
    width: Option<f64>,
}

#[derive(Clone, Copy, PartialEq)]
enum Answer {
    /// The first explanation agrees with the label.
    Right,
    /// A later explanation agrees with the label.
    Among,
    /// No explanation agrees with the label.
    Wrong,
    /// Nothing reproduced the transfer.
    Refused,
}

/// Whether an explanation's name agrees with a label.
fn fits(label: Label, name: &str) -> bool {
    let any = |of: &[&str]| of.iter().any(|one| name.contains(one));
    match label {
        Label::Window => any(&["receive window", "send buffer", "pace of the"]),
        Label::Growing => any(&["slow start that ends"]),
        Label::Losses => any(&["loss", "policer", "small queue", "reordering", "AQM", "shared"]),
        Label::Other => false,
    }
}

/// Proves one run of each series, in a folder that goes with it.
pub fn outcomes(series: &[Series], budget: &str) -> Result<Vec<Outcome>, String> {
    series.iter().map(|one| outcome(one, budget)).collect()
}

fn outcome(series: &Series, budget: &str) -> Result<Outcome, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    // The draw has shuffled the runs.
    let (file, _) = &series.runs[0];
    eprintln!("{}", file.display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_goodput"));
    command.arg("prove").arg(file).args(["--budget", budget, "--out"]).arg(folder.path());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().map_err(|e| format!("cannot start goodput: {e}"))?;
    let verdict = fs::read_to_string(folder.path().join("proof/verdict.json")).ok();
    let verdict: Option<Verdict> = verdict.and_then(|text| serde_json::from_str(&text).ok());
    let names: Vec<String> =
        verdict.iter().flat_map(|verdict| verdict.explanations.iter().map(|one| one.name.clone())).collect();
    let answer = match names.first() {
        None => Answer::Refused,
        Some(first) if fits(series.label, first) => Answer::Right,
        Some(_) if names.iter().any(|name| fits(series.label, name)) => Answer::Among,
        Some(_) => Answer::Wrong,
    };
    let range = verdict.as_ref().and_then(|verdict| verdict.rows.first()).map(ChangeRow::goodput);
    let measured: Vec<f64> = series.runs.iter().filter_map(|(file, _)| received(file)).collect();
    let inside = |[low, high]: [f64; 2]| {
        let count = measured.iter().filter(|rate| (low..=high).contains(*rate)).count();
        Inside { some: count as u64, all: measured.len() as u64 }
    };
    Ok(Outcome {
        label: series.label,
        name: series.name.clone(),
        answer,
        explanations: names,
        inside: range.map(inside),
        width: range.map(|[low, high]| high / low),
    })
}

/// Rate that arrived according to iperf3, bit/s.
fn received(file: &Path) -> Option<f64> {
    let text = fs::read_to_string(file).ok()?;
    let value: Value = serde_json::from_str(text.get(text.find('{')?..=text.rfind('}')?)?).ok()?;
    value.pointer("/end/sum_received/bits_per_second")?.as_f64()
}

/// The table of docs/prove.md.
pub fn table(outcomes: &[Outcome]) -> String {
    let mut text = String::from(
        "| what limits the series, by physics | series | right | among several | refused | wrong | repeats in the range for \
         *now* | its width, median |\n|---|---|---|---|---|---|---|---|\n",
    );
    for label in Label::JUDGED {
        let own: Vec<&Outcome> = outcomes.iter().filter(|one| one.label == label).collect();
        text += &row(label.name(), &own);
    }
    text + &row("all", &outcomes.iter().collect::<Vec<_>>())
}

fn row(name: &str, own: &[&Outcome]) -> String {
    let count = |answer: Answer| own.iter().filter(|one| one.answer == answer).count();
    let inside = own.iter().filter_map(|one| one.inside).fold(Inside::default(), Inside::add);
    let widths: Vec<f64> = own.iter().filter_map(|one| one.width).collect();
    format!(
        "| {name} | {} | {} | {} | {} | {} | {} | {} |\n",
        own.len(),
        count(Answer::Right),
        count(Answer::Among),
        count(Answer::Refused),
        count(Answer::Wrong),
        inside.told(),
        width(&widths),
    )
}

/// Returns a line for each series.
pub fn lines(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for one in outcomes {
        let answer = match one.answer {
            Answer::Right => "right",
            Answer::Among => "among",
            Answer::Wrong => "WRONG",
            Answer::Refused => "refused",
        };
        let _ = writeln!(
            text,
            "{:8} {answer:8} {:?} inside {} {}",
            one.label.name(),
            one.explanations,
            one.inside.unwrap_or_default().told(),
            one.name
        );
    }
    text
}
