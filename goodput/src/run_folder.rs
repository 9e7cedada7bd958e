//! The folder of a run: one file for each stage, and a folder for each trial.
//!
//! ```text
//! plan.json  environment.json  trials/0000/…  measures.json  verdict.json
//! report.html  cwnd.svg  throughput.svg  sweep.svg
//! ```
//!
//! A trial's folder gets its name when the trial is complete, so a run that was interrupted goes on with the trials that
//! have none. What has a name is believed as far as its `SHA256SUMS` goes: nothing is forced to the disk, so a machine that
//! loses its power can leave a name without the bytes.
//!
//! Who writes the run's own files holds a lock on its folder, who records a trial one on the trial's; locks end with their
//! process.

use crate::plan::{Plan, Trial};
use crate::recording::TRIAL;
use crate::sums;
use serde::Serialize;
use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The plan that was run.
pub const PLAN: &str = "plan.json";
/// Kernels, agent, host and tools.
pub const ENVIRONMENT: &str = "environment.json";
/// The measures of every trial.
pub const MEASURES: &str = "measures.json";
/// What was shown and what was not.
pub const VERDICT: &str = "verdict.json";
/// The page to read.
pub const REPORT: &str = "report.html";

/// Why a run's folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The file system refused.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Another experiment lies there.
    #[error(
        "{0} has the results of another plan\n\nhint: results are never overwritten; choose another folder with --out"
    )]
    OtherPlan(PathBuf),
    /// It is no run at all.
    #[error(
        "{path} is not a goodput run: {what}\n\nhint: use the folder that `goodput run` printed, or choose another with --out"
    )]
    NoRun {
        /// The folder.
        path: PathBuf,
        /// What is missing.
        what: String,
    },
    /// One of its own files is there and cannot be read.
    #[error(
        "{path} is damaged: {what}\n\nhint: run the experiment again with another --out; the trials of this run are in {path}/trials"
    )]
    Damaged {
        /// The folder.
        path: PathBuf,
        /// The file, and what is wrong with it.
        what: String,
    },
    /// Recordings are not what they were.
    #[error(
        "{path} has damaged trials:\n{}\n\nhint: remove these folders and repeat the command that started the run; it records them again",
        trials.iter().map(|(trial, what)| format!("  {}: {what}", trial.display())).collect::<Vec<_>>().join("\n")
    )]
    DamagedTrials {
        /// The run's folder.
        path: PathBuf,
        /// Each trial's folder, and what is wrong with it.
        trials: Vec<(PathBuf, String)>,
    },
    /// Somebody else writes there.
    #[error("another goodput is using {0}\n\nhint: try again when it is done")]
    Busy(PathBuf),
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.to_path_buf();
    move |error| FolderError::Io { path, error }
}

/// Whether a plan is another one, or that with more trials than its own: the same experiment, resolved by the same
/// goodput.
fn begins_with(plan: &Plan, start: &Plan) -> bool {
    let experiment = |plan: &'_ Plan| [&plan.spec, &plan.goodput].map(String::clone);
    let is_there = |trial: &Trial| plan.trial(trial.index) == Some(trial);
    experiment(plan) == experiment(start) && start.trials.iter().all(is_there)
}

/// A run's folder.
#[derive(Debug, Clone)]
pub struct RunFolder {
    path: PathBuf,
    /// The lock, if it is held.
    _lock: Option<Arc<File>>,
}

/// The folder of a trial that is about to be recorded, locked.
#[derive(Debug)]
pub struct Unfinished {
    path: PathBuf,
    name: PathBuf,
    _lock: File,
}

impl Unfinished {
    /// Where to record; empty.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the complete recording its name.
    pub fn finish(self) -> Result<(), FolderError> {
        fs::rename(&self.path, &self.name).map_err(io_error(&self.path))
    }
}

/// What there is to do for a trial.
#[derive(Debug)]
pub enum Claim {
    /// To record it.
    Ours(Unfinished),
    /// Nothing: it has a recording.
    Finished,
    /// To wait for another process, which records it.
    Busy,
}

/// What a file is called until it is whole.
fn partial(name: &str) -> String {
    format!("{name}.partial")
}

/// Locks a folder; `None` if another has. File systems without locks are taken at their word.
fn lock(path: &Path) -> io::Result<Option<File>> {
    let file = File::open(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(file)),
    }
}

/// Whether two paths or files are one and the same.
fn is_same(path: &Path, file: &File) -> bool {
    let identity = |data: fs::Metadata| (data.dev(), data.ino());
    fs::metadata(path).ok().map(identity) == file.metadata().ok().map(identity)
}

/// Removes all that is in a folder.
fn empty(path: &Path) -> io::Result<()> {
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        if path.is_dir() && !path.is_symlink() { fs::remove_dir_all(&path)? } else { fs::remove_file(&path)? }
    }
    Ok(())
}

impl RunFolder {
    /// Makes the folder for a plan, or takes up [its earlier run](RunFolder::earlier), and holds it.
    pub fn open(path: &Path, plan: &Plan) -> Result<RunFolder, FolderError> {
        fs::create_dir_all(path).map_err(io_error(path))?;
        let run = RunFolder { path: path.into(), _lock: None }.hold()?;
        if RunFolder::earlier(path, plan)?.is_none() {
            run.write_json(PLAN, plan)?;
        }
        let trials = path.join("trials");
        fs::create_dir_all(&trials).map_err(io_error(&trials))?;
        Ok(run)
    }

    /// The run of a plan that is there already, if any. It may have grown: its plan begins with this one.
    pub fn earlier(path: &Path, plan: &Plan) -> Result<Option<RunFolder>, FolderError> {
        if path.join(PLAN).exists() {
            let run = RunFolder::existing(path)?;
            let is_same = begins_with(&run.plan()?, plan);
            return if is_same { Ok(Some(run)) } else { Err(FolderError::OtherPlan(path.into())) };
        }
        let mut entries = match fs::read_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            entries => entries.map_err(io_error(path))?.flatten(),
        };
        if entries.any(|entry| entry.file_name() != *partial(PLAN)) {
            let what = format!("it is not empty and has no {PLAN}");
            return Err(FolderError::NoRun { path: path.into(), what });
        }
        Ok(None)
    }

    /// A run that is there.
    pub fn existing(path: &Path) -> Result<RunFolder, FolderError> {
        let run = RunFolder { path: path.into(), _lock: None };
        run.plan().map(|_| run)
    }

    /// Holds the folder for as long as the value or a clone of it lives: nobody else does meanwhile.
    pub fn hold(self) -> Result<RunFolder, FolderError> {
        let lock = lock(&self.path).map_err(io_error(&self.path))?;
        let lock = lock.ok_or_else(|| FolderError::Busy(self.path.clone()))?;
        Ok(RunFolder { _lock: Some(Arc::new(lock)), ..self })
    }

    /// Writes the plan of another round, in which trials were added, unless an earlier run went further.
    pub fn grow(&self, plan: &Plan) -> Result<(), FolderError> {
        let before = self.plan()?;
        match (begins_with(&before, plan), begins_with(plan, &before)) {
            (true, _) => Ok(()),
            (false, true) => self.write_json(PLAN, plan),
            (false, false) => Err(FolderError::OtherPlan(self.path.clone())),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The folder of a finished trial.
    pub fn trial(&self, index: usize) -> PathBuf {
        self.path.join("trials").join(format!("{index:04}"))
    }

    /// Where a trial is recorded until it is complete.
    /// Where a trial is recorded.
    pub fn unfinished(&self, index: usize) -> PathBuf {
        self.path.join("trials").join(format!("{index:04}.unfinished"))
    }

    /// Whether a trial's recording is complete.
    pub fn is_finished(&self, index: usize) -> bool {
        self.trial(index).is_dir()
    }

    /// Compares the files of finished trials with what was recorded. Runs from before there were sums have none.
    pub fn check<'t>(&self, trials: impl IntoIterator<Item = &'t Trial>) -> Result<(), FolderError> {
        let finished = trials.into_iter().map(|trial| self.trial(trial.index)).filter(|path| path.is_dir());
        let wrong = |path: PathBuf| {
            let damage = sums::check(&path).err()?;
            let is_old = !path.join(sums::SUMS).exists() && path.join(TRIAL).exists();
            if is_old {
                return None;
            }
            Some((path, damage))
        };
        let trials: Vec<(PathBuf, String)> = finished.filter_map(wrong).collect();
        if trials.is_empty() { Ok(()) } else { Err(FolderError::DamagedTrials { path: self.path.clone(), trials }) }
    }

    /// Makes a trial ours to record, unless it has been or another process does; what an interrupted one left is removed.
    pub fn claim(&self, index: usize) -> Result<Claim, FolderError> {
        let path = self.unfinished(index);
        while !self.is_finished(index) {
            match fs::create_dir(&path) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(io_error(&path)(error)),
                _ => {}
            }
            let lock = match lock(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                lock => lock.map_err(io_error(&path))?,
            };
            let Some(lock) = lock else { return Ok(Claim::Busy) };
            // It may have got its name between opening and locking.
            if !is_same(&path, &lock) {
                continue;
            }
            empty(&path).map_err(io_error(&path))?;
            if !self.is_finished(index) {
                return Ok(Claim::Ours(Unfinished { path, name: self.trial(index), _lock: lock }));
            }
            fs::remove_dir(&path).map_err(io_error(&path))?;
        }
        Ok(Claim::Finished)
    }

    /// The plan that it holds.
    pub fn plan(&self) -> Result<Plan, FolderError> {
        self.read_json(PLAN)
    }

    /// Reads one of its files.
    pub fn read_json<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<T, FolderError> {
        let (path, file) = (self.path.clone(), self.path.join(name));
        let text = match fs::read(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(match name {
                    PLAN => FolderError::NoRun { path, what: format!("it has no {name}") },
                    name => FolderError::Damaged { path, what: format!("{name} is missing") },
                });
            }
            text => text.map_err(io_error(&file))?,
        };
        serde_json::from_slice(&text).map_err(|error| FolderError::Damaged { path, what: format!("{name}: {error}") })
    }

    /// Writes one of its files, so that it is there whole or not at all.
    pub fn write(&self, name: &str, text: &str) -> Result<(), FolderError> {
        let (path, partial) = (self.path.join(name), self.path.join(partial(name)));
        fs::write(&partial, text).map_err(io_error(&partial))?;
        fs::rename(&partial, &path).map_err(io_error(&path))
    }

    /// Writes one of its files as JSON.
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), FolderError> {
        self.write(name, &(serde_json::to_string_pretty(value).expect("plain data") + "\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::sample;

    fn plan(trials: usize) -> Plan {
        let mut plan = sample::plan(sample::four_kinds());
        let trial = plan.trials[0].clone();
        plan.trials = (0..trials).map(|index| Trial { index, seed: index as u64, ..trial.clone() }).collect();
        plan
    }

    fn ours(folder: &RunFolder, index: usize) -> Unfinished {
        match folder.claim(index).unwrap() {
            Claim::Ours(unfinished) => unfinished,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_plan_grows_and_never_shrinks() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunFolder::open(folder.path(), &plan(2)).unwrap();
        run.grow(&plan(5)).unwrap();
        run.grow(&plan(3)).unwrap();
        assert_eq!(run.plan().unwrap(), plan(5));
        drop(run);
        let again = RunFolder::open(folder.path(), &plan(2)).unwrap();
        assert_eq!(again.plan().unwrap(), plan(5), "an interrupted run begins with its first round");
        let other = Plan { spec: "another".into(), ..plan(6) };
        assert!(matches!(again.grow(&other), Err(FolderError::OtherPlan(_))));
        assert!(matches!(RunFolder::earlier(folder.path(), &other), Err(FolderError::OtherPlan(_))));
    }

    #[test]
    fn one_process_at_a_time_writes() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunFolder::open(folder.path(), &plan(1)).unwrap();
        let error = RunFolder::open(folder.path(), &plan(1)).unwrap_err();
        assert!(error.to_string().contains("another goodput is using"), "{error}");
        drop(run);
        RunFolder::open(folder.path(), &plan(1)).unwrap();
    }

    #[test]
    fn what_a_killed_start_left_is_no_other_run() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("plan.json.partial"), "half").unwrap();
        assert!(RunFolder::earlier(folder.path(), &plan(1)).unwrap().is_none());
        RunFolder::open(folder.path(), &plan(1)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("letters.txt"), "mine").unwrap();
        assert!(matches!(RunFolder::open(folder.path(), &plan(1)), Err(FolderError::NoRun { .. })));
    }

    #[test]
    fn a_trial_is_recorded_by_one_process_and_once() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunFolder::open(folder.path(), &plan(1)).unwrap();
        let unfinished = ours(&run, 0);
        fs::write(unfinished.path().join("half"), "").unwrap();
        fs::create_dir(unfinished.path().join("folder")).unwrap();
        assert!(matches!(run.claim(0).unwrap(), Claim::Busy));
        drop(unfinished);
        let unfinished = ours(&run, 0);
        assert_eq!(fs::read_dir(unfinished.path()).unwrap().count(), 0, "what an interrupted one left is gone");
        unfinished.finish().unwrap();
        assert!(matches!(run.claim(0).unwrap(), Claim::Finished));
    }

    #[test]
    fn all_damaged_trials_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let (plan, run) = (plan(4), RunFolder::open(folder.path(), &plan(4)).unwrap());
        for index in 0..3 {
            let unfinished = ours(&run, index);
            fs::write(unfinished.path().join(TRIAL), "{}").unwrap();
            sums::write(unfinished.path()).unwrap();
            unfinished.finish().unwrap();
        }
        run.check(&plan.trials).unwrap();
        fs::remove_file(run.trial(0).join(sums::SUMS)).unwrap();
        run.check(&plan.trials).expect("a run from before there were sums");
        fs::write(run.trial(1).join(TRIAL), "").unwrap();
        fs::remove_dir_all(run.trial(2)).unwrap();
        fs::create_dir(run.trial(2)).unwrap();
        let error = run.check(&plan.trials).unwrap_err().to_string();
        assert!(error.contains("trials/0001: trial.json is not what was recorded"), "{error}");
        assert!(error.contains("trials/0002: SHA256SUMS: No such file") && error.contains("hint: remove"), "{error}");
    }

    #[test]
    fn what_cannot_be_read_is_damaged_and_what_is_not_there_is_no_run() {
        let folder = tempfile::tempdir().unwrap();
        let said = || RunFolder::existing(folder.path()).unwrap_err().to_string();
        assert!(said().contains("is not a goodput run: it has no plan.json"), "{}", said());
        fs::write(folder.path().join(PLAN), "{\"title\": ").unwrap();
        assert!(said().contains("is damaged: plan.json: EOF") && said().contains("\n\nhint: "), "{}", said());
    }
}
