//! Why a run has no verdict.

use crate::doctor::Trouble;
use crate::engine::agent::NoAgent;
use crate::engine::{Refusal, TrialError};
use crate::kernel;
use crate::progress;
use crate::schedule::ScheduleError;
use base::access::AccessError;
use evidence::plain;
use plan::recording::RecordingError;
use plan::run_folder::{FolderError, PLAN};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Why a run has no verdict.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("{path}: {error}")]
    Read { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error("{0}")]
    Experiment(#[from] experiment::Errors),
    #[error(transparent)]
    Kernel(#[from] kernel::FindError),
    #[error(transparent)]
    Agent(#[from] NoAgent),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    #[error(transparent)]
    Trial(#[from] TrialError),
    #[error(transparent)]
    Recording(#[from] RecordingError),
    #[error(transparent)]
    Measured(#[from] analysis::finished_run::UnmeasuredError),
    #[error(
        "{folder} was recorded in a different environment (kernel, agent or tools): {what}\n\nhint: choose another folder with --out to run everything again"
    )]
    OtherLaboratory { folder: PathBuf, what: String },
    #[error("{} is not the plan of a run\n\nhint: goodput trial RUN/{PLAN} INDEX, with the folder of the run", plain::path(.0))]
    NoPlan(PathBuf),
    #[error(
        "{trials} trials to run ({}): confirmation needed\n\nhint: --yes runs them without asking, --dry-run shows more",
        progress::words(*about)
    )]
    Declined { trials: usize, about: Duration },
    #[error(
        "{folder} runs commands that you have not run before:\n{}\n\nhint: read them, then pass --allow-commands",
        commands.iter().map(|command| format!("  {}", plain::line(command))).collect::<Vec<_>>().join("\n")
    )]
    Commands { folder: PathBuf, commands: Vec<String> },
    #[error("{plan} has no trial {index}\n\naccepted: 0 to {}", trials.saturating_sub(1))]
    NoTrial { plan: PathBuf, index: usize, trials: usize },
    #[error(transparent)]
    Machine(#[from] Trouble),
    #[error("{error}\n\nhint: {}; {}", memory.detail, memory.remedy)]
    DiedOf { error: Box<TrialError>, memory: Trouble },
    #[error(
        "{error}\n\nhint: a command that computes and never sleeps stops the guest's clock; these had begun:\n  {}",
        commands.join("\n  ")
    )]
    HungIn { error: Box<TrialError>, commands: Vec<String> },
    #[error("interrupted\n\nhint: run the same command again to record the trial")]
    Interrupted,
    #[error("{experiment} already sets `kernel`: {named}\n\nhint: remove `kernel` from it, or omit --kernel")]
    OwnKernel { experiment: PathBuf, named: String },
}
