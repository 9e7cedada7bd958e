//! `facts` and `differs`, and the facts of whatever a command is given.

use crate::{Failure, note_width, width};
use analysis::sources;
use base::access::AccessError;
use base::show;
use clap::Args;
use goodput::schema;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use suspicion::differs::{self, Cause, Differs};
use suspicion::facts::{self, Case};

/// Show which runs differ in least, and what that rules out; no trial
#[derive(Args)]
pub struct DiffersArguments {
    /// Files of facts, or saved output of iperf3, ping, ss, …
    #[arg(required = true, value_name = "CASE")]
    case: Vec<PathBuf>,
    /// Print the contrasts as JSON.
    #[arg(long)]
    json: bool,
}

/// Write a file of facts to start from, or print the facts that goodput reads from listings as one
///
/// Edit it, add what you know, and pass it to `goodput test`.
#[derive(Args)]
pub struct FactsArguments {
    /// `new` for a commented file; else saved output of iperf3, ping, ss, …, or files of facts.
    #[arg(required = true, value_name = "new|FILE")]
    sources: Vec<PathBuf>,
    /// Print the facts as JSON.
    #[arg(long)]
    json: bool,
}

pub fn differ(arguments: &DiffersArguments) -> Result<u8, Failure> {
    print_differences(&load(&arguments.case)?, arguments.json)
}

/// Prints what differs between the runs of a case.
pub fn print_differences(case: &Case, json: bool) -> Result<u8, Failure> {
    let found = differences(case);
    if json {
        out!("{}", crate::as_json(&schema::DIFFERS, &found)?);
    } else {
        out!("{}", differs::page(&found, width()).trim_end());
    }
    Ok(0)
}

/// Returns what differs between the runs of a case.
pub fn differences(case: &Case) -> Differs {
    let mut case = case.clone();
    facts::derive(&mut case);
    let templates = suspicion::built_in();
    let causes: Vec<Cause> = templates.iter().map(|one| Cause { name: &one.name, families: &one.families }).collect();
    differs::differs(&case, &causes)
}

/// Output of `facts --json`.
#[derive(Serialize)]
struct FactsOutput {
    #[serde(flatten)]
    case: serde_json::Value,
    derived: Vec<String>,
    contradictions: Vec<String>,
}

pub fn print(arguments: &FactsArguments) -> Result<u8, Failure> {
    if matches!(&arguments.sources[..], [one] if one.as_os_str() == "new") {
        out!("{}", facts::SKELETON.trim_end());
        return Ok(0);
    }
    let mut case = load(&arguments.sources)?;
    let derived = facts::derive(&mut case);
    let contradictions = facts::contradictions(&case);
    if arguments.json {
        let output = FactsOutput { case: facts::as_json(&case), derived, contradictions };
        out!("{}", crate::as_json(&schema::FACTS, &output)?);
        return Ok(0);
    }
    for sentence in contradictions {
        note!("{}", show::paragraph("Contradiction: ", &format!("{sentence}."), note_width()).trim_end());
    }
    out!("{}", facts::text(&case).trim_end());
    Ok(0)
}

/// Reads a case: files of facts and listings, whose runs stand side by side.
pub fn load(paths: &[PathBuf]) -> Result<Case, Failure> {
    let (stated, listings) = stated(paths)?;
    let mut all = stated.unwrap_or_default();
    if !listings.is_empty() {
        sources::evidence(&listings)?.iter().for_each(|source| all.add(facts::of_evidence(&source.found)));
    }
    if all.runs.is_empty() {
        let hint = "goodput facts new writes a file in which you state what you know";
        return Err(Failure(format!("no run in it: no goodput, no number that a cause must explain\n\nhint: {hint}")));
    }
    Ok(all)
}

/// Returns the facts that files among these state, and the other files.
pub fn stated(paths: &[PathBuf]) -> Result<(Option<Case>, Vec<PathBuf>), Failure> {
    let (mut stated, mut others): (Option<Case>, Vec<PathBuf>) = (None, vec![]);
    for path in paths {
        match read(path)? {
            Some(case) => stated.get_or_insert_default().add(case),
            None => others.push(path.clone()),
        }
    }
    Ok((stated, others))
}

/// Reads facts in TOML, or as `facts --json` and `import --json` print them; `None` for other files.
fn read(path: &Path) -> Result<Option<Case>, Failure> {
    let has = |ending: &str| path.extension().is_some_and(|own| own == ending);
    if has("toml") {
        let text = fs::read_to_string(path).map_err(AccessError::reading(path))?;
        return Ok(Some(facts::read(&path.display().to_string(), &text)?));
    }
    // A listing may have this ending as well, and is read by the readers of listings.
    let is_short = has("json") && fs::metadata(path).is_ok_and(|file| file.len() <= facts::MAX_BYTES as u64);
    Ok(if is_short { fs::read_to_string(path).ok().and_then(|text| facts::from_json(&text)) } else { None })
}
