//! `run` of a folder: its experiments one after the other, and what they say together.

use crate::{Failure, width};
use base::access::AccessError;
use base::interrupt;
use evidence::counted;
use goodput::schema;
use lab::dry_run::DryRun;
use lab::progress::words;
use lab::run::{self, Outcome, RunError, RunRequest};
use results::contents;
use results::suite::{self, Row};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Prints what would run, as JSON or as text.
pub type PrintDryRun = fn(&DryRun, bool) -> Result<(), Failure>;

/// Runs the experiments of a folder. One that cannot run has a row that says why.
pub fn run_folder(
    request: &RunRequest,
    json: bool,
    print_only: Option<PrintDryRun>,
    confirm: impl Fn(usize, Duration) -> bool,
) -> Result<u8, Failure> {
    let folder = &request.experiment;
    let mut rows = vec![];
    let mut ready = vec![];
    for experiment in experiments(folder)? {
        let out = request.out.as_ref().map(|out| out.join(stem(&experiment)));
        let request = RunRequest { experiment, out, ..request.clone() };
        match run::dry_run(&request) {
            Ok(dry) => ready.push((request, dry)),
            Err(why) => rows.push(failed(&request, &why)),
        }
    }
    let sum = sum(request, ready.iter().map(|(_, dry)| dry));
    if let Some(print) = print_only {
        print(&sum, json)?;
        return Ok(0);
    }
    let experiments = counted(ready.len(), "experiment", "experiments");
    let trials = counted(sum.waiting, "trial", "trials");
    note!("{experiments}, {trials} to run, about {}, {} at a time", words(sum.about), sum.jobs);
    if sum.waiting > run::MANY_TRIALS && !confirm(sum.waiting, sum.about) {
        return Err(RunError::Declined { trials: sum.waiting, about: sum.about }.into());
    }
    for (request, _) in &ready {
        note!("{}", stem(&request.experiment));
        rows.push(row(request)?);
    }
    rows.sort_by_key(|row| in_order(&row.name));
    match json {
        true => out!("{}", crate::as_json(&schema::SUITE, &json!({ "suite": folder, "experiments": rows }))?),
        false => out!("{}", suite::text(&rows, width()).trim_end()),
    }
    Ok(contents::code(suite::outcome(&rows)))
}

/// Runs one experiment. An interrupt ends the suite; the same command continues it.
fn row(request: &RunRequest) -> Result<Row, Failure> {
    let began = Instant::now();
    match run::run(request, |_, _| true) {
        Ok(Outcome { folder, plan, measures, verdict, .. }) => Ok(Row {
            name: stem(&request.experiment),
            title: plan.title.clone(),
            run: Some(folder.path().into()),
            failure: None,
            trials: plan.trials.len(),
            seconds: (began.elapsed().as_secs_f64() * 10.0).round() / 10.0,
            points: suite::points(&plan, &measures, &verdict),
        }),
        Err(why) if interrupt::interrupted() => Err(why.into()),
        Err(why) => Ok(failed(request, &why)),
    }
}

fn failed(request: &RunRequest, why: &RunError) -> Row {
    note!("goodput: {why}");
    let first = why.to_string().lines().next().unwrap_or_default().to_owned();
    suite::failed(stem(&request.experiment), first)
}

fn sum<'d>(request: &RunRequest, all: impl Iterator<Item = &'d DryRun>) -> DryRun {
    let folder = request.out.clone().unwrap_or_else(|| run::RUNS.into());
    let none = DryRun {
        folder,
        trials: 0,
        most: 0,
        finished: 0,
        cached: 0,
        waiting: 0,
        jobs: request.jobs,
        about: Duration::ZERO,
        measured: true,
    };
    all.fold(none, |sum, dry| DryRun {
        trials: sum.trials + dry.trials,
        most: sum.most + dry.most,
        finished: sum.finished + dry.finished,
        cached: sum.cached + dry.cached,
        waiting: sum.waiting + dry.waiting,
        about: sum.about + dry.about,
        measured: sum.measured && dry.measured,
        ..sum
    })
}

/// Returns the experiments of a folder in the order of their names.
fn experiments(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(AccessError::reading(folder))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    files.sort_by_key(|path| in_order(&stem(path)));
    if files.is_empty() {
        let folder = folder.display();
        return Err(Failure(format!(
            "{folder} has no experiments\n\naccepted: an experiment, or a folder with experiments (*.toml)"
        )));
    }
    Ok(files)
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns a name's words and numbers, by which 7.9 comes before 7.10.
fn in_order(name: &str) -> Vec<(u64, String)> {
    let is_digit = |sign: &char| sign.is_ascii_digit();
    let parts: Vec<char> = name.chars().collect();
    let parts = parts.chunk_by(|a, b| is_digit(a) == is_digit(b)).map(|part| part.iter().collect::<String>());
    parts.map(|part| (part.parse().unwrap_or(0), part)).collect()
}
