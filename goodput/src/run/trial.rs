//! One trial: what `goodput trial` does, and a scheduler calls.

use super::RunError;
use super::laboratory::{kernel, refuse_difference};
use crate::engine::agent::Agent;
use crate::engine::{
    Engine,
    replay::Replay,
    uml::{Keeping, Uml},
};
use crate::environment::Environment;
use crate::plan::Trial;
use crate::recording::RecordingError;
use crate::run_folder::{self, Claim, RunFolder};
use crate::sums;
use crate::trust::Commands;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// Between two looks at a trial that another process records.
const POLL: Duration = Duration::from_millis(20);

/// Runs one trial of a plan into its run's folder: needs the plan's file, the trial's own kernel and nothing else of the
/// run. If the folder says what the run is run on, another kernel, agent or recording code is refused. Never from the
/// cache.
pub fn trial(plan_file: &Path, index: usize, replay: Option<&Path>, commands: Commands) -> Result<(), RunError> {
    let folder = RunFolder::existing(plan_file.parent().unwrap_or(Path::new(".")))?;
    let plan = folder.plan()?;
    let trial = plan.trial(index).ok_or_else(|| RunError::NoTrial {
        plan: plan_file.into(),
        index,
        trials: plan.trials.len(),
    })?;
    let engine: Box<dyn Engine> = match replay {
        Some(run) => Box::new(Replay::open(run)?),
        None => Box::new(laboratory(trial, &folder, commands)?),
    };
    loop {
        match folder.claim(index)? {
            Claim::Finished => return Ok(()),
            Claim::Busy => thread::sleep(POLL),
            Claim::Ours(unfinished) => {
                engine.record(trial, unfinished.folder())?;
                sums::write(unfinished.folder()).map_err(RecordingError::from)?;
                return Ok(unfinished.finish()?);
            }
        }
    }
}

/// The trial's kernel and the agent, as the run's folder has them if it says.
fn laboratory(trial: &Trial, folder: &RunFolder, commands: Commands) -> Result<Uml, RunError> {
    let (kernels, agent) = ([kernel(&trial.kernel)?], Agent::find()?);
    if folder.folder().has(run_folder::ENVIRONMENT) {
        let before: Environment = folder.read_json(run_folder::ENVIRONMENT)?;
        let now = Environment::with_tools(&kernels, &agent, before.tools.clone());
        refuse_difference(folder, &before.only(&trial.kernel), &now)?;
    }
    let refused = commands.refuses([trial]);
    if !refused.is_empty() {
        return Err(RunError::Commands { folder: folder.path().into(), commands: refused });
    }
    let keeping = Keeping { allow_commands: commands == Commands::Unwalled, ..Keeping::default() };
    Ok(Uml::new(kernels.into(), agent).with_keeping(keeping))
}
