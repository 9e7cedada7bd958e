//! Gets recording and measures of every trial of a plan, several trials at a time: from the run's folder, from the
//! cache, or from a runner.

use crate::cache::{self, Cache};
use crate::trial_process::Runner;
use analysis::TrialMeasures;
use base::interrupt::{Section, interrupted};
use plan::recording::{Reached, RecordingError};
use plan::run_folder::{Claim, FolderError, PLAN, RunFolder};
use plan::{Plan, Trial};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, Once, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// Reasons why some trials have no recording.
#[derive(Debug, thiserror::Error)]
pub enum ScheduleError {
    /// The user interrupted the run.
    #[error("interrupted with {finished} of {all} trials finished\n\nhint: run the same command again to continue")]
    Interrupted {
        /// Trials with a recording.
        finished: usize,
        all: usize,
    },
    /// A trial failed; trials of other points were run.
    #[error("trial {} ({}) failed: {}{}", .0.trial, .0.what, .0.why, others(.1))]
    Failed(Failure, Vec<Failure>),
    /// Trials cannot be started.
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
    pub trial: usize,
    pub what: String,
    pub why: String,
}

/// Describes the other failed trials.
fn others(failed: &[Failure]) -> String {
    const MAX_NAMED: usize = 8;
    let mut text = String::new();
    for (number, failure) in failed.iter().enumerate() {
        match number {
            MAX_NAMED => text += &format!("\n  and {} more", failed.len() - MAX_NAMED),
            0..MAX_NAMED => text += &format!("\n  trial {} ({})", failure.trial, failure.what),
            _ => {}
        }
    }
    if text.is_empty() { text } else { format!("\n\nalso failed:{text}") }
}

/// Interval at which a trial's progress is read.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

#[derive(Debug)]
pub struct Workers {
    pub jobs: usize,
    pub runner: Box<dyn Runner>,
    /// Cache of recordings across runs; `None` neither reads nor writes one.
    pub cache: Option<Cache>,
}

/// Origin of a recording, and the real time that it took, s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Origin {
    /// The run's folder; the time is known if the cache has the trial too.
    Folder(Option<f64>),
    Cache(f64),
    Recorded(f64),
}

/// A trial with a recording.
#[derive(Debug, Clone)]
pub struct Finished<'t> {
    pub trial: &'t Trial,
    /// Origin of its recording.
    pub origin: Origin,
    pub measures: TrialMeasures,
}

/// An event in a round of trials.
#[derive(Debug, Clone)]
pub enum Event<'t> {
    Began {
        /// The round's plan.
        plan: &'t Plan,
        /// Trials without measures.
        waiting: &'t [&'t Trial],
        /// Number of these that have a recording in the folder.
        found: usize,
        jobs: usize,
    },
    /// A trial is being recorded.
    Going {
        trial: &'t Trial,
        /// Progress of the trial.
        reached: Reached,
        /// Real time so far, s.
        seconds: f64,
    },
    Finished(Finished<'t>),
    Failed(&'t Trial),
    /// Message for the user.
    Note(String),
    /// The round is over, with or without errors.
    Ended,
}

/// Gets recordings and measures of the waiting trials, and reports events to `listen`, whose error ends the round. The
/// folder's plan is this one or begins with it.
pub fn run<'t>(
    plan: &'t Plan,
    waiting: &'t [&'t Trial],
    folder: &RunFolder,
    workers: &Workers,
    mut listen: impl FnMut(Event<'t>) -> Result<(), FolderError>,
) -> Result<(), ScheduleError> {
    let found = waiting.iter().filter(|trial| folder.is_finished(trial.index)).count();
    folder.check(waiting.iter().copied())?;
    listen(Event::Began { plan, waiting, found, jobs: workers.jobs })?;
    let section = Section::begin();
    let round = Round {
        waiting,
        folder,
        workers,
        next: AtomicUsize::new(0),
        stopped: AtomicBool::new(false),
        failed: Mutex::default(),
        noted: Once::new(),
    };
    let (tell, events) = mpsc::channel();
    let mut heard = Ok(());
    let outcomes: Vec<Result<(), ScheduleError>> = thread::scope(|scope| {
        let jobs = workers.jobs.clamp(1, waiting.len().max(1));
        let (round, tell) = (&round, tell);
        let spawn = |_| {
            let tell = tell.clone();
            scope.spawn(move || round.work(&tell))
        };
        let workers: Vec<_> = (0..jobs).map(spawn).collect();
        drop(tell);
        for event in events {
            if heard.is_ok() {
                heard = listen(event).inspect_err(|_| round.stopped.store(true, Ordering::Relaxed));
            }
        }
        workers.into_iter().map(|worker| worker.join().expect("a worker does not panic")).collect()
    });
    listen(Event::Ended)?;
    drop(section);
    if interrupted() {
        let finished = plan.trials.iter().filter(|trial| folder.is_finished(trial.index)).count();
        return Err(ScheduleError::Interrupted { finished, all: plan.trials.len() });
    }
    if let Some(cache) = &workers.cache {
        // Ignored: a folder that is missing or cannot be written does not grow.
        let _ = cache.tidy(cache::MAX_CACHE_BYTES);
    }
    heard?;
    outcomes.into_iter().collect::<Result<(), _>>()?;
    round.failures()
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no worker panics")
}

type Teller<'t> = mpsc::Sender<Event<'t>>;

/// State that the workers of a round share.
struct Round<'r, 't> {
    waiting: &'t [&'t Trial],
    folder: &'r RunFolder,
    workers: &'r Workers,
    /// Index of the next trial that nobody has taken.
    next: AtomicUsize,
    /// Set by an error that is not a trial's own.
    stopped: AtomicBool,
    failed: Mutex<Vec<(&'t Trial, String)>>,
    /// Whether the user was warned about the cache.
    noted: Once,
}

impl<'t> Round<'_, 't> {
    /// Takes trials until none waits.
    fn work(&self, tell: &Teller<'t>) -> Result<(), ScheduleError> {
        // Other seeds of a point that failed would most likely fail as well.
        let is_given_up = |trial: &Trial| locked(&self.failed).iter().any(|(other, _)| other.point == trial.point);
        while !interrupted() && !self.stopped.load(Ordering::Relaxed) {
            let Some(trial) = self.waiting.get(self.next.fetch_add(1, Ordering::Relaxed)) else { break };
            if is_given_up(trial) {
                continue;
            }
            let outcome = self.finish(trial, tell).inspect_err(|_| self.stopped.store(true, Ordering::Relaxed))?;
            if let Err(why) = outcome {
                let _ = tell.send(Event::Failed(trial));
                locked(&self.failed).push((trial, why));
            }
        }
        Ok(())
    }

    /// Gets a trial's recording and measures it; the inner `Err` says why there is no recording.
    fn finish(&self, trial: &'t Trial, tell: &Teller<'t>) -> Result<Result<(), String>, ScheduleError> {
        let origin = match self.obtain(trial, tell)? {
            Ok(origin) => origin,
            Err(why) => return Ok(Err(why)),
        };
        let series = analysis::series(&trial.scene, &self.folder.trial(trial.index).map_err(FolderError::from)?)?;
        let measures = analysis::measure_trial(trial, &series);
        // Fails if the listener panicked.
        let _ = tell.send(Event::Finished(Finished { trial, origin, measures }));
        Ok(Ok(()))
    }

    /// Gets a trial's recording. Returns its origin, or the trial's own account of its failure.
    fn obtain(&self, trial: &'t Trial, tell: &Teller<'t>) -> Result<Result<Origin, String>, ScheduleError> {
        let cache = self.workers.cache.as_ref();
        if self.folder.is_finished(trial.index) {
            return Ok(Ok(Origin::Folder(cache.and_then(|cache| cache.seconds(trial)))));
        }
        if let Some(cache) = cache.filter(|cache| cache.seconds(trial).is_some())
            && let Claim::Ours(unfinished) = self.folder.claim(trial.index)?
            && let Some(seconds) = cache.take(trial, unfinished.folder())
        {
            unfinished.finish()?;
            return Ok(Ok(Origin::Cache(seconds)));
        }
        let began = Instant::now();
        if let Err(why) = self.record(trial, tell)? {
            return Ok(Err(why));
        }
        let seconds = began.elapsed().as_secs_f64();
        if let Some(cache) = cache
            && let Err(error) = self.folder.trial(trial.index).and_then(|folder| cache.give(trial, &folder, seconds))
        {
            let note = format!("cannot cache recordings in {}: {error}", cache.folder().display());
            self.noted.call_once(|| drop(tell.send(Event::Note(note))));
        }
        Ok(Ok(Origin::Recorded(seconds)))
    }

    /// Waits for the runner to run a trial; cancels it on a signal.
    fn record(&self, trial: &'t Trial, tell: &Teller<'t>) -> io::Result<Result<(), String>> {
        let mut job = self.workers.runner.submit(&self.folder.file(PLAN), trial)?;
        let (began, mut looked) = (Instant::now(), Instant::now());
        loop {
            if looked.elapsed() > POLL_INTERVAL {
                looked = Instant::now();
                if let Some(reached) = self.folder.unfinished(trial.index).and_then(|folder| Reached::read(&folder)) {
                    let _ = tell.send(Event::Going { trial, reached, seconds: began.elapsed().as_secs_f64() });
                }
            }
            if let Some(outcome) = job.ask()? {
                return Ok(outcome);
            }
            if interrupted() {
                job.cancel()?;
                return Ok(Err("interrupted".into()));
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Reports one failure for each point, so that the result does not depend on the number of jobs.
    fn failures(self) -> Result<(), ScheduleError> {
        let mut failed = self.failed.into_inner().expect("no worker panics");
        failed.sort_by_key(|(trial, _)| trial.index);
        let mut points = vec![];
        failed.retain(|(trial, _)| {
            let trial: &'t Trial = trial;
            let is_first = !points.contains(&&trial.point);
            points.push(&trial.point);
            is_first
        });
        let failure = |(trial, why): (&Trial, String)| Failure { trial: trial.index, what: trial.name(), why };
        let mut failures = failed.into_iter().map(failure);
        match failures.next() {
            Some(first) => Err(ScheduleError::Failed(first, failures.collect())),
            None => Ok(()),
        }
    }
}
