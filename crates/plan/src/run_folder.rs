//! Reads and writes the folder of a run: one file for each stage, and a folder for each trial.
//!
//! ```text
//! plan.json  environment.json  trials/0000/…  measures.json  verdict.json
//! report.html  cwnd.svg  throughput.svg  sweep.svg
//! ```
//!
//! A trial's folder gets its name when the trial is complete, so an interrupted run continues with the trials that
//! have none. Nothing is synced to the disk, so a power failure can leave a name without the bytes: `SHA256SUMS`
//! decides whether a named recording is intact.
//!
//! A process that writes the run's own files locks the run's folder, and one that records a trial locks the trial's.
//! Locks end with their process. [`Folder`] makes sure that nothing in a run leads out of its folder.

use crate::{self as plan, Plan, Trial};
use base::access::AccessError;
use base::folder::{FileError, Folder, MAX_TEXT_BYTES, partial};
use base::sums;
use evidence::plain;
use serde::Serialize;
use std::collections::HashSet;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

/// File with the plan that was run.
pub const PLAN: &str = "plan.json";
/// File with kernels, agent, host and tools.
pub const ENVIRONMENT: &str = "environment.json";
/// File with the measures of every trial.
pub const MEASURES: &str = "measures.json";
/// File with what was shown and what was not.
pub const VERDICT: &str = "verdict.json";
pub const REPORT: &str = "report.html";
/// Folder of a proof, which contains no run.
pub const PROOF: &str = "proof";
/// Folder of the trials' folders.
const TRIALS: &str = "trials";

/// Reasons why a run's folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The file system refused.
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The folder contains another experiment.
    #[error(
        "{} has the results of another plan\n\nhint: results are never overwritten; choose another folder with --out",
        plain::path(.0)
    )]
    OtherPlan(PathBuf),
    /// The folder contains no run.
    #[error(
        "{path} is not a goodput run: {}\n\nhint: {}",
        plain::line(what),
        instead_of_run(path, "use the folder that `goodput run` printed, such as runs/NAME-HASH"),
        path = plain::path(path)
    )]
    NoRun { path: PathBuf, what: String },
    /// The folder for a new run contains something else.
    #[error("{} is not empty and no goodput run\n\nhint: choose another folder with --out", plain::path(.0))]
    Taken(PathBuf),
    /// One of the run's files exists but cannot be read.
    #[error(
        "{path} is damaged: {}\n\nhint: run the experiment again with another --out; the trials of this run are in {path}/trials",
        plain::line(what),
        path = plain::path(path)
    )]
    Damaged {
        path: PathBuf,
        /// File name and problem.
        what: String,
    },
    /// Recordings have changed.
    #[error(
        "{path} has damaged trials:\n{}\n\nhint: remove these folders and repeat the command that started the run; it records them again",
        trials.iter().map(|(trial, what)| format!("  {}: {}", plain::path(trial), plain::line(what))).collect::<Vec<_>>().join("\n"),
        path = plain::path(path)
    )]
    DamagedTrials {
        /// The run's folder.
        path: PathBuf,
        /// Each trial's folder and its problem.
        trials: Vec<(PathBuf, String)>,
    },
    #[error("{0} is not finished\n\nhint: repeat the command that started it; it continues where it stopped")]
    Unfinished(PathBuf),
    /// Another process writes there.
    #[error("another goodput is using {}\n\nhint: try again when it is done", plain::path(.0))]
    Busy(PathBuf),
}

/// Suggests what to do with a folder that contains no run.
pub fn instead_of_run(path: &Path, usual: &str) -> String {
    let proof = path.join(PROOF);
    if let Some(whole) = path.parent().filter(|_| path.ends_with(PROOF) && path.is_dir()) {
        return format!("it belongs to a proof; `goodput prove {}` shows it", plain::word(whole));
    }
    if let Some((run, number)) = trial_of_run(path) {
        return format!("it is a trial of a run; `goodput diagnose {}:{number}` reads it", plain::word(run));
    }
    match fs::symlink_metadata(&proof) {
        Ok(found) if found.is_dir() && !proof.join("verdict.json").exists() => {
            format!("its {PROOF} has no verdict.json: run `goodput prove` with the evidence again")
        }
        Ok(found) if found.is_dir() => format!("it is a proof; `goodput prove {}` shows it", plain::word(path)),
        Ok(found) if found.is_symlink() && proof.is_dir() => {
            format!("its {PROOF} is a symbolic link, which is not followed: name the folder that it leads into")
        }
        _ => usual.into(),
    }
}

/// Returns the run's folder and the number of a trial whose folder this is.
fn trial_of_run(path: &Path) -> Option<(&Path, usize)> {
    let number = path.file_name()?.to_str()?.parse().ok()?;
    let trials = path.parent()?;
    let run = trials.parent().filter(|run| run.join(PLAN).is_file())?;
    (trials == run.join(TRIALS)).then_some((run, number))
}

/// A run's folder.
#[derive(Debug, Clone)]
pub struct RunFolder {
    folder: Folder,
    /// Lock, if taken.
    _lock: Option<Arc<File>>,
}

/// The locked folder of a trial that is about to be recorded.
#[derive(Debug)]
pub struct Unfinished {
    folder: Folder,
    trials: Folder,
    index: usize,
    _lock: File,
}

impl Unfinished {
    /// Returns the empty folder to record into.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Gives the complete recording its name.
    pub fn finish(self) -> Result<(), FolderError> {
        Ok(self.trials.rename(unfinished(self.index), finished(self.index))?)
    }
}

/// The folder of a trial that comes from another machine, under a unique name.
#[derive(Debug)]
pub struct Arriving {
    folder: Folder,
    trials: Folder,
    name: String,
    index: usize,
}

impl Arriving {
    /// Returns the empty folder to copy into.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Gives the complete recording its name, unless another process was faster.
    pub fn finish(self) -> Result<(), FolderError> {
        match self.trials.rename(&self.name, finished(self.index)) {
            Err(_) if self.trials.has_folder(finished(self.index)) => Ok(self.trials.remove(&self.name)?),
            renamed => Ok(renamed?),
        }
    }
}

/// Work to do for a trial.
#[derive(Debug)]
pub enum Claim {
    Ours(Unfinished),
    /// No work: the trial has a recording.
    Finished,
    /// Another process records the trial: wait for it.
    Busy,
}

/// Buffer size of reads and writes, bytes.
const BUFFER: usize = 1 << 20;

/// Returns the name of a finished trial's folder.
fn finished(index: usize) -> String {
    format!("{index:04}")
}

/// Returns the name of a trial's folder until the trial is complete.
fn unfinished(index: usize) -> String {
    format!("{index:04}.unfinished")
}

impl RunFolder {
    /// Creates and locks the folder for a plan, or continues [its earlier run](RunFolder::earlier).
    pub fn open(path: &Path, plan: &Plan) -> Result<RunFolder, FolderError> {
        fs::create_dir_all(path).map_err(AccessError::writing(path))?;
        RunFolder::begin(Folder::open(path)?, plan)
    }

    /// Creates and locks the folder of a run, or continues the run that is there.
    pub fn made(path: &Path) -> Result<RunFolder, FolderError> {
        fs::create_dir_all(path).map_err(AccessError::writing(path))?;
        let run = RunFolder { folder: Folder::open(path)?, _lock: None }.hold()?;
        if !run.folder.has(PLAN) {
            run.is_empty()?;
        }
        Ok(run)
    }

    /// Creates a plan's run in an existing folder, or continues the one that is there.
    pub fn begin(folder: Folder, plan: &Plan) -> Result<RunFolder, FolderError> {
        let run = RunFolder { folder, _lock: None }.hold()?;
        if !run.is_earlier(plan)? {
            run.write_json(PLAN, plan)?;
        }
        run.folder.make(TRIALS)?;
        Ok(run)
    }

    /// Returns an existing run of a plan, if any. The run may have grown: its plan begins with this one.
    pub fn earlier(path: &Path, plan: &Plan) -> Result<Option<RunFolder>, FolderError> {
        let folder = match Folder::open(path) {
            Err(error) if error.is_missing() => return Ok(None),
            folder => folder?,
        };
        let run = RunFolder { folder, _lock: None };
        Ok(if run.is_earlier(plan)? { Some(run) } else { None })
    }

    /// True if the folder has a run of this plan, false if it is empty; anything else is an error.
    fn is_earlier(&self, plan: &Plan) -> Result<bool, FolderError> {
        let path = || self.path().to_owned();
        if self.folder.has(PLAN) {
            return if self.plan()?.begins_with(plan) { Ok(true) } else { Err(FolderError::OtherPlan(path())) };
        }
        self.is_empty().map(|()| false)
    }

    /// Refuses a folder without a plan that contains something else.
    fn is_empty(&self) -> Result<(), FolderError> {
        match self.folder.names()?.iter().all(|name| *name == *partial(PLAN)) {
            true => Ok(()),
            false => Err(FolderError::Taken(self.path().into())),
        }
    }

    /// Opens the folder of a run whose plan the caller has read.
    pub fn at(path: &Path) -> Result<RunFolder, FolderError> {
        match Folder::open(path) {
            Err(error) if error.is_missing() => {
                Err(FolderError::NoRun { path: path.into(), what: "there is no such folder".into() })
            }
            folder => Ok(RunFolder { folder: folder?, _lock: None }),
        }
    }

    /// Returns an existing run of a plan with the plan that it has grown to, if any.
    pub fn later(path: &Path, plan: &Plan) -> Result<Option<(RunFolder, Plan)>, FolderError> {
        let folder = match Folder::open(path) {
            Err(error) if error.is_missing() => return Ok(None),
            folder => folder?,
        };
        let run = RunFolder { folder, _lock: None };
        if !run.folder.has(PLAN) {
            return Ok(None);
        }
        let later = run.plan()?;
        if later.begins_with(plan) { Ok(Some((run, later))) } else { Err(FolderError::OtherPlan(path.into())) }
    }

    /// Opens an existing run.
    pub fn existing(path: &Path) -> Result<RunFolder, FolderError> {
        let run = RunFolder::at(path)?;
        run.plan()?;
        match run.folder.folder(TRIALS) {
            Err(error) if !error.is_missing() => Err(error.into()),
            _ => Ok(run),
        }
    }

    /// Locks the folder for as long as the value or a clone of it lives.
    pub fn hold(self) -> Result<RunFolder, FolderError> {
        let lock = self.folder.lock()?.ok_or_else(|| FolderError::Busy(self.path().into()))?;
        Ok(RunFolder { _lock: Some(Arc::new(lock)), ..self })
    }

    /// Writes the plan of another round with added trials, unless an earlier run went further.
    pub fn grow(&self, plan: &Plan) -> Result<(), FolderError> {
        let before = self.plan()?;
        match (before.begins_with(plan), plan.begins_with(&before)) {
            (true, _) => Ok(()),
            (false, true) => self.write_json(PLAN, plan),
            (false, false) => Err(FolderError::OtherPlan(self.path().into())),
        }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Returns the path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.place(name)
    }

    /// Opens the folder of a finished trial.
    pub fn trial(&self, index: usize) -> Result<Folder, FileError> {
        self.folder.folder(TRIALS)?.folder(finished(index))
    }

    /// Returns the indices of all finished trials. Removes trials whose [arrival](RunFolder::arriving) was not
    /// completed.
    pub fn take_stock(&self) -> Result<HashSet<usize>, FolderError> {
        let trials = self.folder.make(TRIALS)?;
        let mut indices = HashSet::new();
        for name in trials.names()? {
            let name = name.to_string_lossy();
            match name.parse() {
                Ok(index) if finished(index) == name => drop(indices.insert(index)),
                _ => trials.remove(&*name)?,
            }
        }
        Ok(indices)
    }

    /// Creates a folder for a trial that comes from another machine. Its name is unique, so two processes that bring
    /// the same trial need no lock.
    pub fn arriving(&self, index: usize) -> Result<Arriving, FolderError> {
        static PROCESS_TOKEN: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(std::process::id()));
        let trials = self.folder.make(TRIALS)?;
        let name = format!("{}.{:016x}", finished(index), *PROCESS_TOKEN);
        trials.remove(&name)?;
        let folder = trials.make(&name)?;
        Ok(Arriving { folder, trials, name, index })
    }

    /// Removes a finished trial.
    pub fn forget(&self, index: usize) -> Result<(), FileError> {
        self.folder.folder(TRIALS)?.remove(finished(index))
    }

    /// Returns the folder in which a trial is being recorded, if it is.
    pub fn unfinished(&self, index: usize) -> Option<Folder> {
        self.folder.folder(TRIALS).ok()?.folder(unfinished(index)).ok()
    }

    /// True if a trial's recording is complete, judging by its name.
    pub fn is_finished(&self, index: usize) -> bool {
        self.folder.folder(TRIALS).is_ok_and(|trials| trials.has(finished(index)))
    }

    /// Compares the files of finished trials with their sums. No other reader checks them.
    pub fn check<'t>(&self, trials: impl IntoIterator<Item = &'t Trial>) -> Result<(), FolderError> {
        let damage = |trial: &Trial| match self.trial(trial.index) {
            Err(error) if error.is_missing() => None,
            Err(error) => Some((error.path, error.error.to_string())),
            Ok(folder) => Some((folder.path().to_owned(), sums::check(&folder).err()?)),
        };
        let trials: Vec<(PathBuf, String)> = trials.into_iter().filter_map(damage).collect();
        if trials.is_empty() { Ok(()) } else { Err(FolderError::DamagedTrials { path: self.path().into(), trials }) }
    }

    /// Locks a trial for recording, unless it is finished or another process records it. Removes what an interrupted
    /// process left.
    pub fn claim(&self, index: usize) -> Result<Claim, FolderError> {
        while !self.is_finished(index) {
            let trials = self.folder.make(TRIALS)?;
            let folder = match trials.make(unfinished(index)) {
                Err(error) if error.is_missing() => continue,
                folder => folder?,
            };
            let Some(lock) = folder.lock()? else { return Ok(Claim::Busy) };
            // Another process may have renamed it between opening and locking.
            if !trials.still_has(unfinished(index), &folder) {
                continue;
            }
            folder.empty()?;
            if !self.is_finished(index) {
                return Ok(Claim::Ours(Unfinished { folder, trials, index, _lock: lock }));
            }
            trials.remove(unfinished(index))?;
        }
        Ok(self.trial(index).map(|_| Claim::Finished)?)
    }

    /// Writes the sums of the files that the run's conclusions depend on.
    pub fn seal(&self) -> Result<(), FolderError> {
        Ok(sums::write_of(&self.folder, &[PLAN, ENVIRONMENT])?)
    }

    /// Returns the files that changed since the run was first concluded; empty if it has no sums.
    pub fn edited(&self) -> Vec<String> {
        if self.folder.has(sums::SUMS) { sums::changed(&self.folder).unwrap_or_default() } else { vec![] }
    }

    /// Reads the run's plan.
    pub fn plan(&self) -> Result<Plan, FolderError> {
        let plan = self.read_json(PLAN)?;
        let damaged = |what| FolderError::Damaged { path: self.path().into(), what: format!("{PLAN}: {what}") };
        plan::check(&plan).map_err(damaged).map(|()| plan)
    }

    /// Reads one of the run's JSON files.
    pub fn read_json<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<T, FolderError> {
        let path = || self.path().to_owned();
        // A plan of a million trials takes gigabytes.
        let most = if name == PLAN { u64::MAX } else { MAX_TEXT_BYTES };
        let file = match self.folder.file_within(name, most) {
            Err(error) if error.is_missing() => {
                return Err(match name {
                    PLAN => FolderError::NoRun { path: path(), what: format!("it has no {name}") },
                    name => FolderError::Damaged { path: path(), what: format!("{name} is missing") },
                });
            }
            file => file?,
        };
        let damaged = |error| FolderError::Damaged { path: path(), what: format!("{name}: {error}") };
        serde_json::from_reader(BufReader::with_capacity(BUFFER, file)).map_err(damaged)
    }

    /// Writes one of the run's files completely or not at all.
    pub fn write(&self, name: &str, text: &str) -> Result<(), FolderError> {
        Ok(self.folder.write_whole(name, text)?)
    }

    /// Writes one of the run's files as JSON, piece by piece: a plan of a million trials takes gigabytes.
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), FolderError> {
        let partial = partial(name);
        let path = self.folder.place(&partial);
        let mut file = BufWriter::with_capacity(BUFFER, self.folder.create(&partial)?);
        let written = serde_json::to_writer_pretty(&mut file, value).map_err(io::Error::from);
        let written = written.and_then(|()| file.write_all(b"\n")).and_then(|()| file.flush());
        written.map_err(FileError::on(&path))?;
        Ok(self.folder.rename(partial, name)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::recording::TRIAL;

    fn plan(trials: usize) -> Plan {
        let mut plan = fixture::plan(fixture::four_kinds());
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
    fn leftovers_of_a_killed_start_are_no_other_run() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("plan.json.partial"), "half").unwrap();
        assert!(RunFolder::earlier(folder.path(), &plan(1)).unwrap().is_none());
        RunFolder::open(folder.path(), &plan(1)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("letters.txt"), "mine").unwrap();
        assert!(matches!(RunFolder::open(folder.path(), &plan(1)), Err(FolderError::Taken(_))));
    }

    #[test]
    fn a_trial_is_recorded_by_one_process_and_once() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunFolder::open(folder.path(), &plan(1)).unwrap();
        let unfinished = ours(&run, 0);
        fs::write(unfinished.folder().path().join("half"), "").unwrap();
        fs::create_dir(unfinished.folder().path().join("folder")).unwrap();
        assert!(matches!(run.claim(0).unwrap(), Claim::Busy));
        drop(unfinished);
        let unfinished = ours(&run, 0);
        assert_eq!(unfinished.folder().names().unwrap().len(), 0, "what an interrupted one left is gone");
        unfinished.finish().unwrap();
        assert!(matches!(run.claim(0).unwrap(), Claim::Finished));
    }

    #[test]
    fn all_damaged_trials_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let (plan, run) = (plan(4), RunFolder::open(folder.path(), &plan(4)).unwrap());
        for index in 0..3 {
            let unfinished = ours(&run, index);
            unfinished.folder().write(TRIAL, "{}").unwrap();
            sums::write(unfinished.folder()).unwrap();
            unfinished.finish().unwrap();
        }
        run.check(&plan.trials).unwrap();
        let trial = |index: usize| run.trial(index).unwrap();
        trial(0).remove(sums::SUMS).unwrap();
        trial(1).write(TRIAL, "").unwrap();
        trial(2).empty().unwrap();
        let error = run.check(&plan.trials).unwrap_err().to_string();
        assert!(error.contains("trials/0000: SHA256SUMS is missing"), "{error}");
        assert!(error.contains("trials/0001: trial.json is not what was recorded"), "{error}");
        assert!(error.contains("trials/0002: SHA256SUMS is missing") && error.contains("hint: remove"), "{error}");
    }

    #[test]
    fn a_broken_plan_is_damaged_and_a_missing_one_is_no_run() {
        let folder = tempfile::tempdir().unwrap();
        let said = || RunFolder::existing(folder.path()).unwrap_err().to_string();
        assert!(said().contains("is not a goodput run: it has no plan.json"), "{}", said());
        fs::write(folder.path().join(PLAN), "{\"title\": ").unwrap();
        assert!(said().contains("is damaged: plan.json: EOF") && said().contains("\n\nhint: "), "{}", said());
    }
}
