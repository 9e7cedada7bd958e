//! Serves the recordings of an earlier run: the stages after the engine can be tested, or run again, without a guest.

use super::{Engine, Refusal, TrialError};
use crate::plan::{Plan, Trial};
use crate::run_folder::RunFolder;
use std::fs;
use std::path::Path;

/// An earlier run as an engine.
pub struct Replay {
    run: RunFolder,
    plan: Plan,
}

impl Replay {
    /// Opens a run.
    pub fn open(folder: &Path) -> Result<Replay, Refusal> {
        let run = RunFolder::existing(folder).map_err(|e| Refusal::Run(e.to_string()))?;
        let plan = run.plan().map_err(|e| Refusal::Run(e.to_string()))?;
        Ok(Replay { run, plan })
    }

    /// The recorded trial with the same scene and seed, whatever its place in the plan.
    fn recorded(&self, trial: &Trial) -> Result<&Trial, Refusal> {
        let same = |t: &&Trial| t.seed == trial.seed && t.scene == trial.scene && self.run.is_finished(t.index);
        let none = || Refusal::NotRecorded { run: self.run.path().into(), trial: trial.index };
        self.plan.trials.iter().find(same).ok_or_else(none)
    }
}

impl Engine for Replay {
    fn admit(&self, plan: &Plan) -> Result<(), Refusal> {
        plan.trials.iter().try_for_each(|trial| self.recorded(trial).map(drop))
    }

    fn record(&self, trial: &Trial, folder: &Path) -> Result<(), TrialError> {
        let recorded = self.recorded(trial)?;
        let from = self.run.trial(recorded.index);
        for entry in fs::read_dir(&from).map_err(TrialError::io(&from))?.flatten() {
            fs::copy(entry.path(), folder.join(entry.file_name())).map_err(TrialError::io(&entry.path()))?;
        }
        Ok(())
    }
}
