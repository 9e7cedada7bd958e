//! Runs a recorded plan again and compares every byte.

use crate::doctor;
use crate::engine::Refusal;
use crate::engine::agent::Agent;
use crate::engine::uml::Uml;
use crate::environment;
use crate::kernel;
use crate::progress::Progress;
use crate::run::{self, RunError};
use crate::schedule::{self, Workers};
use crate::trial_process::Processes;
use crate::trust::Commands;
use base::folder::{FileError, Folder};
use plan::environment::Environment;
use plan::run_folder::{ENVIRONMENT, FolderError, RunFolder};
use plan::{Plan, Trial};
use serde::Serialize;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// The result of running a plan again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Number of compared files.
    pub files: usize,
    /// Size of the compared files, bytes.
    pub bytes: u64,
    /// Files that differ, relative to the run's folder.
    pub different: Vec<String>,
    /// First part of the laboratory that has changed.
    pub laboratory: Option<String>,
}

impl Comparison {
    /// True if every byte is the same.
    pub fn identical(&self) -> bool {
        self.different.is_empty()
    }
}

/// Folder of the second run, inside the first run's folder.
const RERUN_FOLDER: &str = "rerun";

/// Share of a run's trials to run again, above 0 and up to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample(pub f64);

impl Sample {
    pub const ALL: Sample = Sample(1.0);

    /// Returns that share of the trials, at least one, spread evenly.
    fn select<T>(self, all: &[T]) -> Vec<&T> {
        let count = (all.len() as f64 * self.0).ceil() as usize;
        (0..count.min(all.len())).map(|number| &all[number * all.len() / count]).collect()
    }
}

/// Runs a sample of the trials of `run` again in a separate folder, and removes it if all bytes are the same.
pub fn rerun(path: &Path, sample: Sample, jobs: usize, commands: Commands) -> Result<Comparison, RunError> {
    let first = RunFolder::existing(path)?.hold()?;
    doctor::can_boot()?;
    let mut plan = first.plan()?;
    if plan.trials.iter().any(|trial| trial.scene.is_real()) {
        return Err(Refusal::Real.into());
    }
    if !plan.trials.iter().all(|trial| first.is_finished(trial.index)) {
        return Err(FolderError::Unfinished(path.into()).into());
    }
    first.check(&plan.trials)?;
    run::permit(commands, &plan.trials, &first)?;
    let then: Environment = first.read_json(ENVIRONMENT)?;
    let kernels = kernels(&plan, &then)?;
    for trial in &mut plan.trials {
        let found = kernels.iter().find(|(name, _)| *name == trial.kernel);
        trial.kernel = found.map_or(String::new(), |(_, kernel)| kernel.hash.clone());
    }
    let agent = Agent::find()?;
    let now = environment::examine(&kernels, &agent)?;
    first.folder().remove(RERUN_FOLDER).map_err(FolderError::from)?;
    let again = first.folder().make(RERUN_FOLDER).map_err(FolderError::from)?;
    let second = RunFolder::begin(again, &plan)?;
    // The cache is not used: the comparison is about what the laboratory does now.
    let allowed = if commands == Commands::Unwalled { commands } else { Commands::Any };
    let arguments = allowed.flags().map(str::to_owned).collect();
    let kernels = kernels.into_iter().map(|(_, kernel)| (kernel.hash.clone(), kernel)).collect();
    let runner = Box::new(Processes { arguments, hands: Some(Box::new(Uml::new(kernels, agent))) });
    let workers = Workers { jobs, runner, cache: None };
    let sampled: Vec<&Trial> = sample.select(&plan.trials);
    let mut progress = Progress::new();
    schedule::run(&plan, &sampled, &second, &workers, |event| {
        progress.hear(&event);
        Ok(())
    })?;
    let mut comparison =
        Comparison { files: 0, bytes: 0, different: vec![], laboratory: then.differences(&now).into_iter().next() };
    for trial in &sampled {
        compare(&first, &second, trial.index, &mut comparison).map_err(FolderError::from)?;
    }
    if comparison.identical() {
        first.folder().remove(RERUN_FOLDER).map_err(FolderError::from)?;
    }
    Ok(comparison)
}

/// Returns the kernels of a plan: the ones that it ran on if they still exist, under whatever name.
fn kernels(plan: &Plan, then: &Environment) -> Result<Vec<(String, kernel::Entry)>, RunError> {
    let find = |name: &str| {
        let recorded = then.kernels.iter().find(|kernel| kernel.name == name);
        match recorded.and_then(|recorded| kernel::find(Some(&recorded.hash)).ok()) {
            Some(kernel) => Ok((name.to_owned(), kernel)),
            None => run::kernel(name),
        }
    };
    plan.kernels().into_iter().map(find).collect()
}

fn compare(first: &RunFolder, second: &RunFolder, trial: usize, into: &mut Comparison) -> Result<(), FileError> {
    let folders = [first.trial(trial)?, second.trial(trial)?];
    let mut names = [folders[0].names()?, folders[1].names()?].concat();
    names.sort();
    names.dedup();
    for name in names {
        let [left, right] = [open(&folders[0], &name)?, open(&folders[1], &name)?];
        into.files += 1;
        into.bytes += left
            .as_ref()
            .map_or(Ok(0), |file| file.metadata().map(|data| data.len()))
            .map_err(FileError::on(&folders[0].place(&name)))?;
        let is_same = match (left, right) {
            (Some(left), Some(right)) => same(left, right).map_err(FileError::on(&folders[1].place(&name)))?,
            _ => false,
        };
        if !is_same {
            into.different.push(format!("trials/{trial:04}/{}", name.to_string_lossy()));
        }
    }
    Ok(())
}

fn open(folder: &Folder, name: &OsStr) -> Result<Option<File>, FileError> {
    match folder.file(name) {
        Err(error) if error.is_missing() => Ok(None),
        file => file.map(Some),
    }
}

/// True if two files have the same bytes.
fn same(left: File, right: File) -> io::Result<bool> {
    let [mut left, mut right] = [left, right].map(|file| BufReader::with_capacity(1 << 16, file));
    loop {
        let [one, other] = [left.fill_buf()?, right.fill_buf()?];
        let common = one.len().min(other.len());
        if common == 0 || one[..common] != other[..common] {
            return Ok(one.is_empty() && other.is_empty());
        }
        left.consume(common);
        right.consume(common);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn files_are_the_same_byte_by_byte() {
        let file = |bytes: &[u8]| {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(bytes).unwrap();
            file.reopen().unwrap()
        };
        let long = vec![7; 200_000];
        let other = [&long[..150_000], &[8], &long[150_001..]].concat();
        for (left, right, expected) in [
            (&long[..], &long[..], true),
            (&long, &other, false),
            (&long, &long[1..], false),
            (&long[..65_536], &long[..131_072], false),
            (b"", b"", true),
            (b"", b"x", false),
        ] {
            assert_eq!(same(file(left), file(right)).unwrap(), expected);
            assert_eq!(same(file(right), file(left)).unwrap(), expected);
        }
    }

    #[test]
    fn a_sample_is_spread_evenly() {
        let trials: Vec<usize> = (0..100).collect();
        assert_eq!(Sample(0.02).select(&trials), [&0, &50]);
        assert_eq!(Sample(0.001).select(&trials), [&0], "one at least");
        assert_eq!(Sample::ALL.select(&trials), trials.iter().collect::<Vec<_>>());
        assert_eq!(Sample(0.5).select(&[1, 2, 3]), [&1, &2]);
    }
}
