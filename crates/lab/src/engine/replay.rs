//! Replays the recordings of an earlier run, so that the stages after the engine can be tested or repeated without a
//! guest.

use super::{Engine, Refusal, TrialError};
use base::folder::Folder;
use plan::run_folder::RunFolder;
use plan::{Plan, Trial};
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

    /// Finds the recorded trial with the same scene and seed on the same kernel, at any index. Plans made without a
    /// kernel name none; then the run's only kernel is meant.
    fn recorded(&self, trial: &Trial) -> Result<&Trial, Refusal> {
        let kernels = self.plan.kernels();
        let unnamed = trial.kernel.is_empty() && kernels.len() == 1;
        let scene = trial.scene.recorded();
        let on_it = |t: &Trial| unnamed || t.kernel == trial.kernel;
        let same = |t: &&Trial| t.seed == trial.seed && t.scene.recorded() == scene && on_it(t);
        let mut found = self.plan.trials.iter().filter(same).filter(|t| self.run.is_finished(t.index));
        let none = || Refusal::NotRecorded {
            run: self.run.path().into(),
            trial: trial.index,
            kernels: kernels.iter().map(|name| (*name).to_owned()).collect(),
        };
        found.next().ok_or_else(none)
    }
}

impl Engine for Replay {
    fn admit(&self, plan: &Plan) -> Result<(), Refusal> {
        plan.trials.iter().try_for_each(|trial| self.recorded(trial).map(drop))
    }

    fn record(&self, trial: &Trial, folder: &Folder) -> Result<(), TrialError> {
        let recorded = self.recorded(trial)?;
        self.run.check([recorded]).map_err(|error| Refusal::Run(error.to_string()))?;
        let from = self.run.trial(recorded.index)?;
        Ok(from.names()?.iter().try_for_each(|name| from.copy(name, folder))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::fixture;
    use base::sums;
    use plan::run_folder::Claim;

    fn on(kernel: &str, index: usize) -> Trial {
        Trial { index, kernel: kernel.into(), ..fixture::trial(fixture::four_kinds()) }
    }

    /// Makes a run over these kernels; each trial's recording is the name of its kernel.
    fn run(kernels: &[&str]) -> (tempfile::TempDir, Replay) {
        let folder = tempfile::tempdir().unwrap();
        let mut plan = fixture::plan(fixture::four_kinds());
        plan.trials = kernels.iter().enumerate().map(|(index, kernel)| on(kernel, index)).collect();
        let run = RunFolder::open(folder.path(), &plan).unwrap();
        for trial in &plan.trials {
            let Claim::Ours(unfinished) = run.claim(trial.index).unwrap() else { panic!("it is ours") };
            unfinished.folder().write("recording", &trial.kernel).unwrap();
            sums::write(unfinished.folder()).unwrap();
            unfinished.finish().unwrap();
        }
        let replay = Replay::open(folder.path()).unwrap();
        (folder, replay)
    }

    fn served(replay: &Replay, kernel: &str) -> Result<String, String> {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path()).unwrap();
        replay.record(&on(kernel, 7), &folder).map_err(|error| error.to_string())?;
        Ok(String::from_utf8(folder.read("recording", base::folder::MAX_TEXT_BYTES).unwrap()).unwrap())
    }

    #[test]
    fn a_trial_is_served_what_its_own_kernel_recorded() {
        let (_folder, replay) = run(&["before", "after"]);
        assert_eq!(["before", "after"].map(|kernel| served(&replay, kernel).unwrap()), ["before", "after"]);
        for other in ["7.3.4", ""] {
            let said = served(&replay, other).unwrap_err();
            assert!(said.contains("no recording of trial 7") && said.contains("on kernel before, after;"), "{said}");
        }
        let (_folder, replay) = run(&["before"]);
        assert_eq!(served(&replay, "").unwrap(), "before", "without any kernel a plan names none");
    }
}
