//! The folder of a run: one file for each stage, and a folder for each trial.
//!
//! ```text
//! plan.json  environment.json  trials/0000/…  measures.json  verdict.json  report.html  cwnd.svg  throughput.svg
//! ```
//!
//! A trial's folder gets its name when the trial is complete, so whatever has a name can be trusted, and a run that was
//! interrupted goes on with the trials that have none.

use crate::plan::Plan;
use serde::Serialize;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The plan that was run.
pub const PLAN: &str = "plan.json";
/// Kernel, agent, host and tools.
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
        "{0} holds the run of another plan\n\nhint: results are never overwritten; choose another folder with --out"
    )]
    OtherPlan(PathBuf),
    /// It is no run at all.
    #[error("{path} is no run of goodput: {what}")]
    NoRun {
        /// The folder.
        path: PathBuf,
        /// What is missing or unreadable.
        what: String,
    },
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.to_path_buf();
    move |error| FolderError::Io { path, error }
}

/// A run's folder.
#[derive(Debug, Clone)]
pub struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    /// Makes the folder for a plan, or takes up the same plan's earlier run.
    pub fn open(path: &Path, plan: &Plan) -> Result<RunFolder, FolderError> {
        let run = RunFolder { path: path.into() };
        if path.join(PLAN).exists() {
            return if run.plan()? == *plan { Ok(run) } else { Err(FolderError::OtherPlan(path.into())) };
        }
        if path.is_dir() && fs::read_dir(path).map_err(io_error(path))?.next().is_some() {
            return Err(FolderError::NoRun { path: path.into(), what: format!("it is not empty and has no {PLAN}") });
        }
        fs::create_dir_all(path.join("trials")).map_err(io_error(path))?;
        run.write_json(PLAN, plan)?;
        Ok(run)
    }

    /// A run that is there.
    pub fn existing(path: &Path) -> Result<RunFolder, FolderError> {
        let run = RunFolder { path: path.into() };
        run.plan().map(|_| run)
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
    pub fn unfinished(&self, index: usize) -> PathBuf {
        self.path.join("trials").join(format!("{index:04}.unfinished"))
    }

    /// Whether a trial's recording is complete.
    pub fn is_finished(&self, index: usize) -> bool {
        self.trial(index).is_dir()
    }

    /// An empty folder for a trial that is about to begin; what an interrupted one left is removed.
    pub fn begin(&self, index: usize) -> Result<PathBuf, FolderError> {
        let path = self.unfinished(index);
        match fs::remove_dir_all(&path) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(io_error(&path)(e)),
            _ => {}
        }
        fs::create_dir_all(&path).map_err(io_error(&path))?;
        Ok(path)
    }

    /// Gives a complete recording its name.
    pub fn finish(&self, index: usize) -> Result<(), FolderError> {
        let from = self.unfinished(index);
        fs::rename(&from, self.trial(index)).map_err(io_error(&from))
    }

    /// The plan that it holds.
    pub fn plan(&self) -> Result<Plan, FolderError> {
        self.read_json(PLAN)
    }

    /// Reads one of its files.
    pub fn read_json<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<T, FolderError> {
        let no_run = |what: String| FolderError::NoRun { path: self.path.clone(), what };
        let text = fs::read(self.path.join(name)).map_err(|e| no_run(format!("{name}: {e}")))?;
        serde_json::from_slice(&text).map_err(|e| no_run(format!("{name}: {e}")))
    }

    /// Writes one of its files, so that it is there whole or not at all.
    pub fn write(&self, name: &str, text: &str) -> Result<(), FolderError> {
        let (path, partial) = (self.path.join(name), self.path.join(format!("{name}.partial")));
        fs::write(&partial, text).map_err(io_error(&partial))?;
        fs::rename(&partial, &path).map_err(io_error(&path))
    }

    /// Writes one of its files as JSON.
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), FolderError> {
        self.write(name, &(serde_json::to_string_pretty(value).expect("plain data") + "\n"))
    }
}
