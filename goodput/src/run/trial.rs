//! One trial: what `goodput trial` does, and a scheduler calls.

use super::RunError;
use super::laboratory::{kernel, refuse_difference};
use crate::doctor;
use crate::engine::agent::Agent;
use crate::engine::{Engine, TrialError, replay::Replay, uml::Uml};
use crate::environment::Environment;
use crate::interrupt::interrupted;
use crate::plan::Trial;
use crate::process;
use crate::recording::RecordingError;
use crate::run_folder::{self, Claim, RunFolder};
use crate::sums;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// Between two looks at a trial that another process records.
const POLL: Duration = Duration::from_millis(20);

/// Runs one trial of a plan into its run's folder: needs the plan's file, the trial's own kernel and nothing else of the
/// run. If the folder says what the run is run on, another kernel, agent or recording code is refused. Never from the
/// cache. A signal ends its guest and leaves the trial unfinished.
pub fn trial(plan_file: &Path, index: usize, replay: Option<&Path>) -> Result<(), RunError> {
    let recorded = process::ending_programs(Duration::ZERO, || record(plan_file, index, replay));
    recorded.map_err(|error| if interrupted() { RunError::Interrupted } else { error })
}

fn record(plan_file: &Path, index: usize, replay: Option<&Path>) -> Result<(), RunError> {
    let folder = RunFolder::existing(plan_file.parent().unwrap_or(Path::new(".")))?;
    let plan = folder.plan()?;
    let trial = plan.trial(index).ok_or_else(|| RunError::NoTrial {
        plan: plan_file.into(),
        index,
        trials: plan.trials.len(),
    })?;
    let engine: Box<dyn Engine> = match replay {
        Some(run) => Box::new(Replay::open(run)?),
        None => Box::new(laboratory(trial, &folder)?),
    };
    loop {
        match folder.claim(index)? {
            Claim::Finished => return Ok(()),
            Claim::Busy if interrupted() => return Err(RunError::Interrupted),
            Claim::Busy => thread::sleep(POLL),
            Claim::Ours(unfinished) => {
                let path = unfinished.path();
                engine.record(trial, path).map_err(explained)?;
                sums::write(path).map_err(|error| RecordingError::Io { path: path.join(sums::SUMS), error })?;
                return Ok(unfinished.finish()?);
            }
        }
    }
}

/// A guest whose memory has no place left dies of that, and can say nothing of it.
fn explained(error: TrialError) -> RunError {
    match (error, doctor::has_memory()) {
        (error @ TrialError::Died { .. }, Err(memory)) => RunError::DiedOf { error: error.into(), memory },
        (error, _) => error.into(),
    }
}

/// The trial's kernel and the agent, as the run's folder has them if it says.
fn laboratory(trial: &Trial, folder: &RunFolder) -> Result<Uml, RunError> {
    doctor::can_boot()?;
    let (kernels, agent) = ([kernel(&trial.kernel)?], Agent::find()?);
    if folder.file(run_folder::ENVIRONMENT).exists() {
        let before: Environment = folder.read_json(run_folder::ENVIRONMENT)?;
        let now = Environment::with_tools(&kernels, &agent, before.tools.clone());
        refuse_difference(folder, &before.only(&trial.kernel), &now)?;
    }
    Ok(Uml::new(kernels.into(), agent))
}
