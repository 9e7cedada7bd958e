//! Says what a run would do, before it does it.

use crate::cache::Cache;
use crate::estimate::{self, Pace};
use crate::schedule::Workers;
use plan::Plan;
use serde::{Serialize, Serializer};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Plan of a run that has not started; `goodput run --dry-run --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DryRun {
    /// The run's folder.
    pub folder: PathBuf,
    pub trials: usize,
    /// Largest number of trials that the study may grow to.
    pub most: u64,
    /// Trials that have a recording in the folder.
    pub finished: usize,
    /// Unfinished trials that the cache has.
    pub cached: usize,
    /// Trials that would run.
    pub waiting: usize,
    pub jobs: usize,
    /// Estimated real time of the waiting trials.
    #[serde(rename = "seconds", serialize_with = "as_seconds")]
    pub about: Duration,
    /// True if the estimate uses measured times of trials of the same points, with any seed.
    pub measured: bool,
}

impl DryRun {
    /// Looks at the folder and the cache for each trial of a plan.
    pub fn new(plan: &Plan, folder: &Path, is_finished: impl Fn(usize) -> bool, workers: &Workers) -> DryRun {
        let mut pace = Pace::default();
        let (mut finished, mut cached, mut waiting) = (0, 0, vec![]);
        let entries = workers.cache.as_ref().map(Cache::listed);
        for trial in &plan.trials {
            let seconds = entries.as_ref().and_then(|entries| entries.seconds(trial));
            let shown = seconds.or_else(|| entries.as_ref()?.seconds_of_another_seed(trial));
            if let Some(seconds) = shown {
                pace.learn(trial, seconds);
            }
            match (is_finished(trial.index), seconds) {
                (true, _) => finished += 1,
                (false, Some(_)) => cached += 1,
                (false, None) => waiting.push(trial),
            }
        }
        let each = waiting.iter().map(|trial| pace.about(&trial.point, estimate::expected(&trial.scene)));
        DryRun {
            folder: folder.into(),
            trials: plan.trials.len(),
            most: plan.most_trials(),
            finished,
            cached,
            waiting: waiting.len(),
            jobs: workers.jobs,
            about: estimate::together(each, workers.jobs),
            measured: pace.is_learnt(),
        }
    }
}

fn as_seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((time.as_secs_f64() * 10.0).round() / 10.0)
}
