//! The laboratory held against figures that others published, and against this machine's own stack; docs/reference/validation.md.
//!
//! `cargo bench --package goodput --bench validation`, with names of experiments to run these alone. The rows in
//! `rows/` define the experiment, the published value and the reason for a difference. The bench fails if a row differs
//! without a reason, or if the page lacks the results; `BLESS=1` writes it. Trials come from the cache if they have
//! been run before.
#![forbid(unsafe_code)]

mod formula;
mod grid;
mod judge;
#[path = "../kept/mod.rs"]
mod kept;
#[path = "../namespaces/mod.rs"]
mod namespaces;
mod native;
mod observe;
mod page;
mod rows;

use judge::{Outcome, Verdict, judge};
use native::{Case, Flow};
use observe::Run;
use rows::{Published, Row};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Longest experiment, seconds.
const MAX_RUN_S: u32 = 3600;

/// How often a flow runs on this machine's own stack.
const NATIVE_RUNS: usize = 3;

fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    if let Some(ended) = native::hidden_role(&names) {
        return ended;
    }
    match validate(&names) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all is as it should be.
fn validate(names: &[String]) -> Result<bool, String> {
    let is_meant = |row: &Row| names.is_empty() || names.iter().any(|name| name == row.file);
    let mut sections = rows::sections();
    sections.iter_mut().for_each(|section| section.rows.retain(is_meant));
    sections.retain(|section| !section.rows.is_empty());
    let rows = || sections.iter().flat_map(|section| &section.rows);
    let mut sheets = rows::sheets();
    sheets.retain(|sheet| names.is_empty() || sheet.cells().any(|cell| names.iter().any(|name| name == cell.file)));

    let mut runs: BTreeMap<&str, Run> = BTreeMap::new();
    for file in rows().map(|row| row.file).chain(sheets.iter().flat_map(|sheet| sheet.cells().map(|cell| cell.file))) {
        if !runs.contains_key(file) {
            runs.insert(file, run(file)?);
        }
    }
    let mut natives: Vec<(Case, Result<Vec<Flow>, String>)> = vec![];
    for row in rows() {
        if let Published::Native(case, _) = row.published
            && !natives.iter().any(|(known, _)| *known == case)
        {
            eprintln!("this machine's own stack: {} …", row.what);
            natives.push((case, (0..NATIVE_RUNS).map(|_| native::flow(case)).collect()));
        }
    }

    let outcomes: Vec<Outcome> = rows().map(|row| judge(row, &runs[row.file], &natives)).collect::<Result<_, _>>()?;
    let verdicts = judge::verdicts(&outcomes);
    let grids: Vec<String> = sheets.iter().map(|sheet| grid::of(sheet, &runs)).collect::<Result<_, _>>()?;
    let page = page::of(&sections, &outcomes, &verdicts, &grids.concat());
    println!("{page}");
    let mut right = true;
    for (row, verdict) in rows().zip(&verdicts) {
        if let Verdict::Unexplained = verdict {
            eprintln!("{}: {} is off, and nothing says why", row.file, row.what);
            right = false;
        }
    }
    Ok(right & (!names.is_empty() || page::PAGE.hold(&page)))
}

fn run(name: &str) -> Result<Run, String> {
    let began = Instant::now();
    let spec = Path::new(kept::page::ROOT).join(format!("validation/{name}.toml"));
    let run = kept::run("validation", name, &spec, MAX_RUN_S)?;
    eprintln!("{name}: {:.0} s", began.elapsed().as_secs_f64());
    Run::read(run)
}
