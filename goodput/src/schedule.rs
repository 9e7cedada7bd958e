//! Runs the trials that are not finished, side by side, each as a process of its own: `goodput trial`.

use crate::plan::Plan;
use crate::run_folder::RunFolder;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

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
}

/// Runs every unfinished trial, `jobs` at a time; `arguments` go to each trial's process.
pub fn run(plan: &Plan, folder: &RunFolder, jobs: usize, arguments: &[String]) -> Result<(), ScheduleError> {
    let waiting: Vec<usize> = (0..plan.trials.len()).filter(|n| !folder.is_finished(*n)).collect();
    let program = std::env::current_exe()?;
    let progress = Progress::new(plan.trials.len(), plan.trials.len() - waiting.len());
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let work = || -> Result<(), ScheduleError> {
        while !INTERRUPTED.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
            let Some(&trial) = waiting.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            let outcome = run_one(&program, folder.path(), trial, arguments)?;
            if let Err(why) = outcome {
                if INTERRUPTED.load(Ordering::Relaxed) {
                    break;
                }
                failed.store(true, Ordering::Relaxed);
                return Err(ScheduleError::Failed { trial, what: name(plan, trial), why });
            }
            progress.finished(&name(plan, trial));
        }
        Ok(())
    };
    let outcomes: Vec<Result<(), ScheduleError>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.clamp(1, waiting.len().max(1))).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker does not panic")).collect()
    });
    progress.end();
    if INTERRUPTED.load(Ordering::Relaxed) {
        let finished = (0..plan.trials.len()).filter(|n| folder.is_finished(*n)).count();
        return Err(ScheduleError::Interrupted { finished, all: plan.trials.len() });
    }
    // Of several that failed side by side, always the same one is told.
    let rank = |error: &ScheduleError| match error {
        ScheduleError::Failed { trial, .. } => *trial,
        _ => 0,
    };
    outcomes.into_iter().filter_map(Result::err).min_by_key(rank).map_or(Ok(()), Err)
}

fn name(plan: &Plan, trial: usize) -> String {
    let trial = &plan.trials[trial];
    let mut parts: Vec<String> = trial.point.iter().map(|setting| setting.value.clone()).collect();
    parts.push(format!("seed {}", trial.seed));
    parts.join(", ")
}

/// The inner error is the trial's own account.
fn run_one(program: &Path, run: &Path, trial: usize, arguments: &[String]) -> io::Result<Result<(), String>> {
    let mut child = Command::new(program)
        .arg("trial")
        .arg(run.join(crate::run_folder::PLAN))
        .arg(trial.to_string())
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let status = wait(&mut child)?;
    let mut why = String::new();
    if let Some(mut stderr) = child.stderr.take() {
        stderr.read_to_string(&mut why)?;
    }
    Ok(if status { Ok(()) } else { Err(why.trim().trim_start_matches("goodput: ").to_string()) })
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

/// A bar on a terminal, a line for each trial elsewhere.
struct Progress {
    bar: ProgressBar,
}

impl Progress {
    fn new(all: usize, finished: usize) -> Progress {
        let bar = ProgressBar::new(all as u64).with_position(finished as u64);
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} trials  {elapsed}  about {eta} left  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        if finished > 0 && finished < all {
            bar.suspend(|| eprintln!("{finished} of {all} trials were finished before"));
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress { bar }
    }

    fn finished(&self, name: &str) {
        self.bar.inc(1);
        self.bar.set_message(name.to_string());
        if self.bar.is_hidden() {
            eprintln!("trial {} of {}: {name}", self.bar.position(), self.bar.length().unwrap_or(0));
        }
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}
