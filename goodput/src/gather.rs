//! Joins what several machines recorded into the run that one would have made.

use crate::environment::Environment;
use crate::folder::{FileError, Folder};
use crate::plan::{Plan, Trial};
use crate::run::{self, RunError, Settled};
use crate::run_folder::{Claim, ENVIRONMENT, FolderError, RunFolder};
use crate::shard::Shard;
use crate::sums;
use std::path::{Path, PathBuf};

/// Why shards do not become one run.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum GatherError {
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(
        "{0} does not tell by its name which run it is a part of\n\naccepted: RUN.M-of-N\n\nhint: name the run with --out"
    )]
    Nameless(PathBuf),
    #[error(
        "{other} is a part of another experiment than {first}\n\nhint: gather the shards of one experiment at a time"
    )]
    OtherExperiment { first: PathBuf, other: PathBuf },
    #[error(
        "{other} was recorded in a different environment than {first}: {what}\n\nhint: install the same goodput, kernel and iproute2 on all machines, then record that shard again"
    )]
    OtherLaboratory { first: PathBuf, other: PathBuf, what: String },
    #[error(
        "trial {trial} ({name}) is not the same in {} and {}\n\nhint: `goodput rerun` of each shows whose bytes come again",
        shards[0].display(), shards[1].display()
    )]
    Differs { trial: usize, name: String, shards: [PathBuf; 2] },
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

/// What came of it.
pub enum Gathered {
    /// The run has its verdict, or its plan has grown by another round.
    All(Settled),
    /// Trials have no recording yet.
    Missing {
        /// The run's folder.
        folder: PathBuf,
        /// How many.
        trials: usize,
        /// Of how many.
        all: usize,
        /// The shards that have them, if the names tell how many there are.
        shards: Vec<Shard>,
    },
}

/// Joins shards in the folder of a run; `None` is the folder that their names tell.
pub fn gather(shards: &[PathBuf], out: Option<&Path>) -> Result<Gathered, GatherError> {
    let named = shards.first().and_then(|shard| Shard::named(shard));
    let run = match (out, &named) {
        (Some(out), _) => out.to_owned(),
        (None, Some((run, _))) => run.clone(),
        (None, None) => return Err(GatherError::Nameless(shards.first().cloned().unwrap_or_default())),
    };
    let parts: Vec<RunFolder> = shards.iter().map(|shard| RunFolder::existing(shard)).collect::<Result<_, _>>()?;
    let [plan, start] = plans(&parts)?;
    let environment = common(&parts)?;
    for part in &parts {
        part.check(&plan.trials)?;
    }
    let folder = RunFolder::open(&run, &start)?;
    if !folder.folder().has(ENVIRONMENT) {
        folder.write_json(ENVIRONMENT, &environment)?;
    }
    folder.grow(&plan)?;
    folder.check(&plan.trials)?;
    let sources: Vec<&RunFolder> = parts.iter().chain([&folder]).collect();
    for trial in &plan.trials {
        join(trial, &sources, &folder)?;
    }
    // An earlier gathering may have grown the plan.
    let plan = folder.plan()?;
    let missing: Vec<&Trial> = plan.trials.iter().filter(|trial| !folder.is_finished(trial.index)).collect();
    if missing.is_empty() {
        return Ok(Gathered::All(run::settle(folder)?));
    }
    let of = named.map_or(0, |(_, shard)| shard.of());
    let lacks = |shard: &Shard| missing.iter().any(|trial| shard.has(trial));
    Ok(Gathered::Missing {
        folder: run,
        trials: missing.len(),
        all: plan.trials.len(),
        shards: Shard::all(of).filter(lacks).collect(),
    })
}

/// The plans of the parts that have come furthest and least far: another round is the earlier one and more.
fn plans(parts: &[RunFolder]) -> Result<[Plan; 2], GatherError> {
    let mut plans: Vec<(Plan, &Path)> =
        parts.iter().map(|part| Ok((part.plan()?, part.path()))).collect::<Result<_, FolderError>>()?;
    plans.sort_by_key(|(plan, _)| plan.trials.len());
    let (furthest, first) = plans.last().expect("a shard at least");
    match plans.iter().find(|(plan, _)| !furthest.begins_with(plan)) {
        None => Ok([furthest.clone(), plans[0].0.clone()]),
        Some((_, other)) => Err(GatherError::OtherExperiment { first: first.into(), other: other.into() }),
    }
}

/// The environment of the first part, from which none differs in what decides bytes.
fn common(parts: &[RunFolder]) -> Result<Environment, GatherError> {
    let all: Vec<Environment> = parts.iter().map(|part| part.read_json(ENVIRONMENT)).collect::<Result<_, _>>()?;
    let apart = |environment: &Environment| all[0].differences(environment).into_iter().next();
    match all.iter().zip(parts).find_map(|(environment, part)| Some((part, apart(environment)?))) {
        None => Ok(all[0].clone()),
        Some((part, what)) => {
            let [first, other] = [&parts[0], part].map(|part| part.path().to_owned());
            Err(GatherError::OtherLaboratory { first, other, what })
        }
    }
}

/// Brings a trial's recording into the run, if a part has it; those that several have are the same.
fn join(trial: &Trial, sources: &[&RunFolder], run: &RunFolder) -> Result<(), GatherError> {
    let finished = sources.iter().filter(|source| source.is_finished(trial.index));
    let found: Vec<(&Path, Folder)> =
        finished.map(|source| Ok((source.path(), source.trial(trial.index)?))).collect::<Result<_, FileError>>()?;
    let Some(((path, first), others)) = found.split_first() else { return Ok(()) };
    let print = sums::fingerprint(first)?;
    for (other, folder) in others {
        if sums::fingerprint(folder)? != print {
            let shards = [path.to_path_buf(), other.to_path_buf()];
            return Err(GatherError::Differs { trial: trial.index, name: trial.name(), shards });
        }
    }
    if let Claim::Ours(unfinished) = run.claim(trial.index)? {
        for name in first.names()? {
            first.copy(name, unfinished.folder())?;
        }
        unfinished.finish()?;
    }
    Ok(())
}
