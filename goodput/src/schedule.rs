//! Gets every trial of a plan its recording and its measures, side by side: from the run's folder, from the cache, or from
//! a process of its own, `goodput trial`.

use crate::analyze::{self, Measures};
use crate::cache::{self, Cache};
use crate::plan::{Plan, Trial};
use crate::progress::{self, Origin, Progress};
use crate::recording::RecordingError;
use crate::run_folder::{Claim, FolderError, PLAN, RunFolder};
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Set by Ctrl-C: no trial begins, and those that run are ended.
pub static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Why not every trial has a recording.
#[derive(Debug, thiserror::Error)]
pub enum ScheduleError {
    /// The user wanted it so.
    #[error("interrupted; {finished} of {all} trials are finished\n\nhint: the same command goes on from there")]
    Interrupted {
        /// Trials with a recording.
        finished: usize,
        /// Trials in the plan.
        all: usize,
    },
    /// A trial failed; the others were left to end.
    #[error("trial {trial} ({what}) failed: {why}")]
    Failed {
        /// Its index.
        trial: usize,
        /// Its point and seed.
        what: String,
        /// Its own account.
        why: String,
    },
    /// Processes cannot be started.
    #[error("cannot start a trial: {0}")]
    Start(#[from] io::Error),
    /// The run's folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
}

/// How trials are run.
#[derive(Debug, Clone)]
pub struct Workers {
    /// Trials side by side.
    pub jobs: usize,
    /// What each trial's process is told beside plan and index.
    pub arguments: Vec<String>,
    /// Where recordings are kept beyond the run; `None` neither takes nor gives.
    pub cache: Option<Cache>,
}

/// Runs the trials of a plan that are not finished in its folder, and measures those that `progress` does not have yet.
/// The folder's plan is this one or begins with it.
pub fn run(plan: &Plan, folder: &RunFolder, workers: &Workers, progress: &Progress) -> Result<Measures, ScheduleError> {
    let waiting: Vec<&Trial> = plan.trials.iter().filter(|trial| !progress.is_done(trial.index)).collect();
    let found = waiting.iter().filter(|trial| folder.is_finished(trial.index)).count();
    folder.check(waiting.iter().copied())?;
    progress.begin(plan, found, workers.jobs);
    let round = Round { folder, workers, progress, program: std::env::current_exe()?, told: Once::new() };
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let work = || {
        while !INTERRUPTED.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
            let Some(trial) = waiting.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            round.finish(trial).map_err(|error| {
                failed.store(true, Ordering::Relaxed);
                (trial.index, error)
            })?;
        }
        Ok(())
    };
    let outcomes: Vec<Result<(), (usize, ScheduleError)>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers.jobs.clamp(1, waiting.len().max(1))).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker does not panic")).collect()
    });
    progress.end();
    if let Some(cache) = &workers.cache {
        // A folder that is not there or cannot be written does not grow.
        let _ = cache.trim(cache::LIMIT);
    }
    if INTERRUPTED.load(Ordering::Relaxed) {
        let finished = plan.trials.iter().filter(|trial| folder.is_finished(trial.index)).count();
        return Err(ScheduleError::Interrupted { finished, all: plan.trials.len() });
    }
    // Of several that failed side by side, always the same one is told.
    match outcomes.into_iter().filter_map(Result::err).min_by_key(|(trial, _)| *trial) {
        Some((_, error)) => Err(error),
        None => Ok(progress.measures(plan)),
    }
}

struct Round<'a> {
    folder: &'a RunFolder,
    workers: &'a Workers,
    progress: &'a Progress,
    program: PathBuf,
    /// Whether a fault of the cache was told.
    told: Once,
}

impl Round<'_> {
    /// A trial from wherever it is to its measures.
    fn finish(&self, trial: &Trial) -> Result<(), ScheduleError> {
        let origin = self.obtain(trial)?;
        let series = analyze::series(&trial.scene, &self.folder.trial(trial.index))?;
        let end = series.facts.ended.values().max().copied().unwrap_or(0);
        self.progress.finished(trial, origin, analyze::measure_trial(trial, &series), end as f64 / 1e9);
        Ok(())
    }

    fn obtain(&self, trial: &Trial) -> Result<Origin, ScheduleError> {
        let cache = self.workers.cache.as_ref();
        if self.folder.is_finished(trial.index) {
            return Ok(Origin::Folder(cache.and_then(|cache| cache.seconds(trial))));
        }
        if let Some(cache) = cache.filter(|cache| cache.seconds(trial).is_some())
            && let Claim::Ours(unfinished) = self.folder.claim(trial.index)?
            && let Some(seconds) = cache.take(trial, unfinished.path())
        {
            unfinished.finish()?;
            return Ok(Origin::Cache(seconds));
        }
        let began = Instant::now();
        self.record(trial)?;
        let seconds = began.elapsed().as_secs_f64();
        if let Some(cache) = cache
            && let Err(error) = cache.give(trial, &self.folder.trial(trial.index), seconds)
        {
            self.told.call_once(|| self.progress.note(&format!("recordings are not kept beyond this run: {error}")));
        }
        Ok(Origin::Recorded(seconds))
    }

    /// Runs a trial's process, which dies with ours.
    fn record(&self, trial: &Trial) -> Result<(), ScheduleError> {
        let mut child = Command::new("setpriv")
            .args(["--pdeathsig", "KILL"])
            .arg(&self.program)
            .arg("trial")
            .arg(self.folder.file(PLAN))
            .arg(trial.index.to_string())
            .args(&self.workers.arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let success = wait(&mut child)?;
        let mut why = String::new();
        if let Some(mut stderr) = child.stderr.take() {
            stderr.read_to_string(&mut why)?;
        }
        if success {
            return Ok(());
        }
        let why = why.trim().trim_start_matches("goodput: ").to_string();
        Err(ScheduleError::Failed { trial: trial.index, what: progress::name(trial), why })
    }
}

/// Waits for a trial's end, or ends it when we are interrupted.
fn wait(child: &mut Child) -> io::Result<bool> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if INTERRUPTED.load(Ordering::Relaxed) {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        thread::sleep(Duration::from_millis(2));
    }
}
