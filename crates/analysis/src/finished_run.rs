//! Plan and measures of a finished run.

use crate::{Measures, measure, study};
use plan::Plan;
use plan::recording::RecordingError;
use plan::run_folder::{FolderError, RunFolder};

/// Why a run has no measures.
#[derive(Debug, thiserror::Error)]
pub enum UnmeasuredError {
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Recording(#[from] RecordingError),
}

/// Returns plan and measures of a finished run: every trial has an undamaged recording, and no further trials are
/// needed.
pub fn measured(folder: &RunFolder) -> Result<(Plan, Measures), UnmeasuredError> {
    let plan = folder.plan()?;
    let unfinished = || FolderError::Unfinished(folder.path().into());
    if !plan.trials.iter().all(|trial| folder.is_finished(trial.index)) {
        return Err(unfinished().into());
    }
    folder.check(&plan.trials)?;
    let measures = measure(&plan, Measures::default(), |trial| folder.trial(trial))?;
    if !study::next(&plan, &measures).is_empty() {
        return Err(unfinished().into());
    }
    Ok((plan, measures))
}
