//! Whether the files of a proof confirm it: each of its experiments with seeds that no proof runs, as a reader would.

use super::inside::{Inside, width};
use super::{Failed, goodput, known};
use prove::trials;
use prove::{ChangeRow, Confidence};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Ten that no proof runs.
const SEEDS: &str = "201..210";

/// Results of rerunning the files of one proof.
#[derive(Default)]
struct Rerun {
    /// Goodput without a change.
    now: Inside,
    /// Comparisons with each change.
    changes: Inside,
    /// Comparisons with a change whose confidence is high; `some` of them are better in the rerun too.
    high: Inside,
    /// The widths of the ranges as a factor.
    widths: Vec<f64>,
    scenarios: usize,
}

/// Proves the listings whose path is known and prints the table of docs/prove.md.
pub fn table(only: Option<&str>) -> Result<(), Failed> {
    let mut total = Rerun::default();
    println!(
        "| listing | scenarios | *now* | changes | *high*, better again | width, median |\n|---|---|---|---|---|---|"
    );
    let listings = known::listings().into_iter().map(|(path, _)| path);
    for listing in listings.filter(|path| only.is_none_or(|only| path.ends_with(only))) {
        let name = listing.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(rerun) = rerun(&listing, &name)? else {
            println!("| `{name}` | not reproduced | | | | |");
            continue;
        };
        println!("{}", row(&format!("`{name}`"), &rerun));
        total.now += rerun.now;
        total.changes += rerun.changes;
        total.high += rerun.high;
        total.widths.extend(rerun.widths);
        total.scenarios += rerun.scenarios;
    }
    println!("{}", row("all", &total));
    Ok(())
}

fn row(name: &str, rerun: &Rerun) -> String {
    let Rerun { now, changes, high, scenarios, .. } = rerun;
    let high = format!("{} of {}", high.some, high.all);
    format!("| {name} | {scenarios} | {} | {} | {high} | {} |", now.told(), changes.told(), width(&rerun.widths))
}

/// `None` if nothing reproduced the transfer.
fn rerun(listing: &Path, name: &str) -> Result<Option<Rerun>, Failed> {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("prove-coverage").join(name);
    if !trials::is_kept(&out) {
        let mut command = Command::new(goodput());
        command.arg("prove").arg(listing).arg("--out").arg(&out);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    }
    if !trials::is_kept(&out) {
        return Ok(None);
    }
    let verdict = trials::kept(&out)?;
    let Some(now) = verdict.rows.first() else { return Ok(None) };
    if verdict.explanations.is_empty() {
        return Ok(None);
    }
    let high: Vec<String> =
        verdict.rows.iter().filter(|row| row.confidence() == Confidence::High).map(ChangeRow::case).collect();
    let mut files: Vec<PathBuf> =
        fs::read_dir(out.join("proof"))?.map(|entry| Ok(entry?.path())).collect::<Result<_, Failed>>()?;
    files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    let told = verdict.rows.iter().filter(|row| !row.dropped && !row.is_open()).map(ChangeRow::goodput);
    let mut sum = Rerun { widths: told.map(|[low, high]| high / low).collect(), ..Rerun::default() };
    for file in files {
        let again = out.join(file.file_stem().unwrap_or_default());
        let mut command = Command::new(goodput());
        command.arg("run").arg(&file).args(["--seeds", SEEDS, "--out"]).arg(&again);
        let done = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output()?;
        let text = fs::read_to_string(again.join("verdict.json"));
        let text = text.map_err(|_| format!("{}: {}", file.display(), String::from_utf8_lossy(&done.stderr)))?;
        sum.count(&serde_json::from_str(&text)?, &now.case(), &high);
    }
    Ok(Some(sum))
}

impl Rerun {
    /// Adds the verdict of a scenario's run.
    fn count(&mut self, verdict: &Value, now: &str, high: &[String]) {
        self.scenarios += 1;
        let entries = |name: &str| verdict[name].as_array().cloned().unwrap_or_default();
        for expected in entries("expectations") {
            let prediction = &expected["prediction"];
            let number = |key: &str| prediction[key].as_u64().unwrap_or(0);
            let counted = Inside { some: number("inside"), all: number("trials") };
            let is_now = expected["at"].as_array().is_some_and(|at| at.iter().any(|setting| setting["value"] == now));
            match is_now {
                true => self.now += counted,
                false => self.changes += counted,
            }
        }
        let better = |one: &Value| one["base"] == now && one["measure"] == "goodput" && one["outcome"] == "better";
        for case in high {
            let is_better = entries("comparisons").iter().any(|one| better(one) && one["other"] == case.as_str());
            self.high += Inside { some: is_better.into(), all: 1 };
        }
    }
}
