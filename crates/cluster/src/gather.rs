//! Joins parts recorded on several machines into the run that one machine would have made.

use crate::part::{OutlineError, Part, PartError};
use crate::shard::Shard;
use analysis::Measures;
use base::folder::FileError;
use base::sums::{self, Sum};
use evidence::plain;
use lab::run::{self, RunError, Settled};
use plan::Plan;
use plan::run_folder::{ENVIRONMENT, FolderError, PLAN, RunFolder};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Reasons why parts cannot become one run.
#[derive(Debug, thiserror::Error)]
pub enum GatherError {
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Part(#[from] PartError),
    #[error(
        "{} does not tell by its name which run it is a part of\n\naccepted: RUN.M-of-N.tar\n\nhint: name the run with --out",
        plain::path(.0)
    )]
    Nameless(PathBuf),
    #[error(
        "{other} is a part of another experiment than {first}: {what}\n\nhint: gather the parts of one experiment at a time",
        first = plain::path(first), other = plain::path(other)
    )]
    OtherExperiment { first: PathBuf, other: PathBuf, what: String },
    #[error(
        "{other} was recorded in a different environment than {first}: {what}\n\nhint: install the same goodput, kernel and iproute2 on all machines, then record that shard again",
        first = plain::path(first), other = plain::path(other)
    )]
    OtherLaboratory { first: PathBuf, other: PathBuf, what: String },
    #[error("{part}: {error}\n\nhint: gather with the goodput that recorded it", part = plain::path(part))]
    OtherGoodput { part: PathBuf, error: OutlineError },
    #[error(
        "trial {trial} is not the same in {} and {}\n\nhint: record it once more (`goodput run … --shard {shard}`) to see whose bytes come again",
        plain::path(&places[0]), plain::path(&places[1])
    )]
    Differs { trial: usize, shard: Shard, places: [PathBuf; 2] },
}

impl From<FolderError> for GatherError {
    fn from(error: FolderError) -> GatherError {
        GatherError::Run(error.into())
    }
}

impl From<FileError> for GatherError {
    fn from(error: FileError) -> GatherError {
        FolderError::from(error).into()
    }
}

impl From<experiment::Errors> for GatherError {
    fn from(error: experiment::Errors) -> GatherError {
        GatherError::Run(error.into())
    }
}

pub enum Gathered {
    /// The run has its verdict, or its plan has grown by a round.
    All(Settled),
    /// Some trials have no recording yet.
    Missing {
        /// The run's folder.
        folder: PathBuf,
        trials: usize,
        all: usize,
        /// Shards that contain the missing trials.
        shards: Vec<Shard>,
    },
}

/// Joins parts in the folder of a run; `None` means the folder that their names give. Reads every trial once, and
/// skips trials that the run already has. `measures` contains the measures of earlier rounds.
pub fn gather(files: &[PathBuf], out: Option<&Path>, measures: &mut Measures) -> Result<Gathered, GatherError> {
    let parts: Vec<Part> = files.iter().map(|file| Part::open(file)).collect::<Result<_, _>>()?;
    let first = files.first().cloned().unwrap_or_default();
    let named = || Shard::named(&first).map(|(run, _)| run);
    let run = out.map(Path::to_owned).or_else(named).ok_or(GatherError::Nameless(first))?;
    let furthest = agreed(&parts)?;
    no_two_differ(&parts)?;
    let (folder, plan) = opened(&run, furthest)?;
    if !folder.folder().has(ENVIRONMENT) {
        folder.write_json(ENVIRONMENT, &parts[0].head().environment)?;
    }
    let mut finished = folder.take_stock()?;
    folder.check(plan.trials.iter().filter(|trial| finished.contains(&trial.index)))?;
    for part in &parts {
        join(part, &folder, &mut finished)?;
    }
    let missing: Vec<usize> =
        plan.trials.iter().map(|trial| trial.index).filter(|index| !finished.contains(index)).collect();
    if missing.is_empty() {
        return Ok(Gathered::All(run::settle(folder, plan, measures)?));
    }
    let of = furthest.head().shard.count();
    let mut shards: Vec<Shard> = missing.iter().map(|trial| Shard::with(*trial, of)).collect();
    shards.sort_unstable_by_key(|shard| shard.number());
    shards.dedup();
    Ok(Gathered::Missing { folder: run, trials: missing.len(), all: plan.trials.len(), shards })
}

/// Returns the part with the most trials, after checking that all parts have the same experiment and environment.
fn agreed(parts: &[Part]) -> Result<&Part, GatherError> {
    let furthest = parts.iter().rev().max_by_key(|part| part.head().outline.trials()).expect("a part at least");
    for part in parts {
        let [first, other] = [furthest, part].map(|part| part.path().to_owned());
        if !furthest.head().outline.begins_with(&part.head().outline) {
            let what = difference(&furthest.head().outline.spec, &part.head().outline.spec);
            return Err(GatherError::OtherExperiment { first, other, what });
        }
        let differences = furthest.head().environment.differences(&part.head().environment);
        if let Some(what) = differences.into_iter().next() {
            return Err(GatherError::OtherLaboratory { first, other, what });
        }
    }
    Ok(furthest)
}

/// Describes the first difference between two experiments.
fn difference(one: &str, other: &str) -> String {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let [one, other] = [one, other].map(lines);
    let Some(at) = (0..one.len().max(other.len())).find(|at| one.get(*at) != other.get(*at)) else {
        return "the text is the same, and other kernels or another goodput made the plan".into();
    };
    let [one, other] = [&one, &other].map(|lines| lines.get(at).map_or("nothing".into(), |line| format!("`{line}`")));
    format!("line {} is {other}, not {one}", at + 1)
}

/// Refuses two files of the same shard with different trials.
fn no_two_differ(parts: &[Part]) -> Result<(), GatherError> {
    let mut seen: HashMap<Shard, &Part> = HashMap::new();
    for part in parts {
        let Some(other) = seen.insert(part.head().shard, part) else { continue };
        if part.end() == other.end() {
            continue;
        }
        let [own, theirs] = [part.fingerprints()?, other.fingerprints()?];
        let apart =
            |(trial, print): (usize, &Sum)| theirs.get(&trial).is_some_and(|other| other != print).then_some(trial);
        if let Some(trial) = own.iter().find_map(|(trial, print)| apart((*trial, print))) {
            let places = [other, part].map(|part| part.path().to_owned());
            return Err(GatherError::Differs { trial, shard: part.head().shard, places });
        }
    }
    Ok(())
}

/// Opens and locks the run's folder. Returns it with its plan: from the part, or from an earlier gathering.
fn opened(run: &Path, part: &Part) -> Result<(RunFolder, Plan), GatherError> {
    let outline = &part.head().outline;
    let folder = RunFolder::made(run)?;
    if folder.folder().has(PLAN) {
        let plan = folder.plan()?;
        if !outline.is_of(&plan) {
            Err(FolderError::OtherPlan(run.into()))?;
        }
        let trials = plan.trials.len();
        let plan = outline.grown(plan, part.path())?;
        if plan.trials.len() > trials {
            folder.write_json(PLAN, &plan)?;
        }
        return Ok((folder, plan));
    }
    let other = |error| GatherError::OtherGoodput { part: part.path().into(), error };
    let plan = outline.grown(outline.first_round(part.path()).map_err(other)?, part.path())?;
    folder.write_json(PLAN, &plan)?;
    Ok((folder, plan))
}

/// Adds the trials of a part to the run; a trial that the run already has must be the same.
fn join(part: &Part, run: &RunFolder, finished: &mut HashSet<usize>) -> Result<(), GatherError> {
    part.each(|packed| {
        let index = packed.index();
        if finished.contains(&index) {
            let own = run.trial(index)?;
            return match sums::fingerprint(&own)? == Some(packed.fingerprint()) {
                true => Ok(()),
                false => {
                    let places = [own.path().to_owned(), part.path().to_owned()];
                    Err(GatherError::Differs { trial: index, shard: part.head().shard, places })
                }
            };
        }
        let arriving = run.arriving(index)?;
        packed.unpack(arriving.folder())?;
        arriving.finish()?;
        finished.insert(index);
        Ok(())
    })
}
