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
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, Once};
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
    /// A trial failed; those of other points were run.
    #[error("trial {} ({}) failed: {}{}", .0.trial, .0.what, .0.why, others(.1))]
    Failed(Failure, Vec<Failure>),
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

/// A trial without a recording.
#[derive(Debug)]
pub struct Failure {
    /// Its index.
    pub trial: usize,
    /// Its point and seed.
    pub what: String,
    /// Its own account.
    pub why: String,
}

/// The trials that failed besides the one that is told of.
fn others(failed: &[Failure]) -> String {
    const NAMED: usize = 8;
    let mut text = String::new();
    for (number, failure) in failed.iter().enumerate() {
        match number {
            NAMED => text += &format!("\n  and {} more", failed.len() - NAMED),
            0..NAMED => text += &format!("\n  trial {} ({})", failure.trial, failure.what),
            _ => {}
        }
    }
    if text.is_empty() { text } else { format!("\n\nfailed as well:{text}") }
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
    let stopped = AtomicBool::new(false);
    let failed: Mutex<Vec<(&Trial, String)>> = Mutex::default();
    // Other seeds of a point would most likely fail as well.
    let is_given_up = |trial: &Trial| locked(&failed).iter().any(|(other, _)| other.point == trial.point);
    let work = || {
        while !INTERRUPTED.load(Ordering::Relaxed) && !stopped.load(Ordering::Relaxed) {
            let Some(trial) = waiting.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            if is_given_up(trial) {
                continue;
            }
            match round.finish(trial) {
                Ok(Ok(())) => {}
                Ok(Err(why)) => locked(&failed).push((trial, why)),
                Err(error) => {
                    stopped.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
        Ok(())
    };
    let outcomes: Vec<Result<(), ScheduleError>> = thread::scope(|scope| {
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
    outcomes.into_iter().collect::<Result<(), _>>()?;
    let mut failed = std::mem::take(&mut *locked(&failed));
    failed.sort_by_key(|(trial, _)| trial.index);
    // One of each point, so that it does not matter how many ran side by side.
    let mut first: Vec<Failure> = Vec::new();
    for (trial, why) in failed {
        if !first.iter().any(|failure| plan.trials[failure.trial].point == trial.point) {
            first.push(Failure { trial: trial.index, what: progress::name(trial), why });
        }
    }
    if first.is_empty() { Ok(progress.measures(plan)) } else { Err(ScheduleError::Failed(first.remove(0), first)) }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no worker panics")
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
    /// A trial from wherever it is to its measures, or why it has none.
    fn finish(&self, trial: &Trial) -> Result<Result<(), String>, ScheduleError> {
        let origin = match self.obtain(trial)? {
            Ok(origin) => origin,
            Err(why) => return Ok(Err(why)),
        };
        let series = analyze::series(&trial.scene, &self.folder.trial(trial.index))?;
        let end = series.facts.ended.values().max().copied().unwrap_or(0);
        self.progress.finished(trial, origin, analyze::measure_trial(trial, &series), end as f64 / 1e9);
        Ok(Ok(()))
    }

    /// Where a trial's recording is from, or the trial's own account of why there is none.
    fn obtain(&self, trial: &Trial) -> Result<Result<Origin, String>, ScheduleError> {
        let cache = self.workers.cache.as_ref();
        if self.folder.is_finished(trial.index) {
            return Ok(Ok(Origin::Folder(cache.and_then(|cache| cache.seconds(trial)))));
        }
        if let Some(cache) = cache.filter(|cache| cache.seconds(trial).is_some())
            && let Claim::Ours(unfinished) = self.folder.claim(trial.index)?
            && let Some(seconds) = cache.take(trial, unfinished.path())
        {
            unfinished.finish()?;
            return Ok(Ok(Origin::Cache(seconds)));
        }
        let began = Instant::now();
        if let Err(why) = self.record(trial)? {
            return Ok(Err(why));
        }
        let seconds = began.elapsed().as_secs_f64();
        if let Some(cache) = cache
            && let Err(error) = cache.give(trial, &self.folder.trial(trial.index), seconds)
        {
            self.told.call_once(|| self.progress.note(&format!("recordings are not kept beyond this run: {error}")));
        }
        Ok(Ok(Origin::Recorded(seconds)))
    }

    /// Runs a trial's process, which dies with ours; what it says if it fails.
    fn record(&self, trial: &Trial) -> io::Result<Result<(), String>> {
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
        Ok(if success { Ok(()) } else { Err(why.trim().trim_start_matches("goodput: ").to_string()) })
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
