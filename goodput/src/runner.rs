//! How a trial gets run: submitted, then asked until it has ended.

use std::fmt::Debug;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// What runs trials.
pub trait Runner: Debug + Send + Sync {
    /// Starts the trial of a plan's file that has this index: it writes its recording into the plan's folder.
    fn submit(&self, plan: &Path, trial: usize) -> io::Result<Box<dyn Job>>;
}

/// A trial that was submitted.
pub trait Job {
    /// How it ended, `Err` with the trial's own account of its failure; `None` while it runs.
    fn ask(&mut self) -> io::Result<Option<Result<(), String>>>;
    /// Ends it.
    fn cancel(&mut self) -> io::Result<()>;
}

/// Processes of this machine, `goodput trial`, which die with ours.
#[derive(Debug, Clone, Default)]
pub struct Processes {
    /// What each is told beside plan and index.
    pub arguments: Vec<String>,
}

impl Runner for Processes {
    fn submit(&self, plan: &Path, trial: usize) -> io::Result<Box<dyn Job>> {
        let child = Command::new("setpriv")
            .args(["--pdeathsig", "KILL"])
            .arg(std::env::current_exe().map_err(|error| about("/proc/self/exe", error))?)
            .arg("trial")
            .arg(plan)
            .arg(trial.to_string())
            .args(&self.arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| about("setpriv", error))?;
        Ok(Box::new(child))
    }
}

fn about(what: &str, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{what}: {error}"))
}

impl Job for Child {
    fn ask(&mut self) -> io::Result<Option<Result<(), String>>> {
        let Some(status) = self.try_wait()? else { return Ok(None) };
        if status.success() {
            return Ok(Some(Ok(())));
        }
        let mut why = String::new();
        if let Some(mut stderr) = self.stderr.take() {
            stderr.read_to_string(&mut why).map_err(|error| about("what the trial said", error))?;
        }
        Ok(Some(Err(why.trim().trim_start_matches("goodput: ").to_owned())))
    }

    fn cancel(&mut self) -> io::Result<()> {
        self.kill()?;
        self.wait().map(drop)
    }
}
