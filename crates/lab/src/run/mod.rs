//! The flow from an experiment to its report. Each stage leaves a file in the run's folder.

mod error;
mod laboratory;
mod trial;

use crate::dry_run::DryRun;
use crate::estimate;
use crate::progress::Progress;
use crate::schedule::{self, Event, ScheduleError, Workers};
use crate::trust;
use analysis::Measures;
pub use analysis::finished_run::measured;
use analysis::sources;
use analysis::study;
use diagnosis::diagnose;
pub use error::RunError;
use experiment::Given;
use laboratory::initial_trials;
pub use laboratory::{Files, Prepared, kernel, lacks, permit, plan, plan_without_kernels, prepare, traces};
pub use plan::Seeds;
use plan::environment::Environment;
use plan::recording::RecordingError;
use plan::run_folder::{self, RunFolder};
use plan::{Plan, Trial};
use results::contents;
use results::data;
use results::judge;
use results::judge::{Diagnoses, Verdict};
use results::report::{self, Report};
use std::mem::take;
use std::path::{Path, PathBuf};
use std::time::Duration;
pub use trial::{Which, trial};

/// A request to run an experiment.
#[derive(Debug, Clone)]
pub struct RunRequest {
    pub experiment: PathBuf,
    /// The run's folder; `None` makes a name from the experiment and everything that determines its recordings.
    pub out: Option<PathBuf>,
    pub jobs: usize,
    /// Earlier run whose recordings are used instead of the lab.
    pub replay: Option<PathBuf>,
    /// True to take recordings from the user's cache and to add them.
    pub cache: bool,
    /// Guest kernel for an experiment that names none; by default the newest.
    pub kernel: Option<String>,
    /// Seeds of every point; by default the experiment's own.
    pub seeds: Option<Seeds>,
    /// Axes in place of the experiment's own for the same keys.
    pub vary: Vec<Given>,
    pub files: Files,
    /// True to run commands even if the walls that they need cannot be built.
    pub allow_commands: bool,
}

pub struct Outcome {
    /// The run's folder.
    pub folder: RunFolder,
    pub plan: Plan,
    pub measures: Measures,
    pub verdict: Verdict,
    /// Contents of the report.
    pub report: Report,
}

/// Folder of runs, unless the user names another.
pub const RUNS: &str = "runs";

/// With more trials than this, the user must confirm the run.
pub const MANY_TRIALS: usize = 1_000;

/// With more trials than this, the user must confirm before the plan is made, which takes time and memory.
const HUGE_TRIALS: usize = 10_000;

/// Runs an experiment up to its verdict and report. `confirm` is asked before many trials run, with their number and
/// approximate duration.
pub fn run(request: &RunRequest, confirm: impl Fn(usize, Duration) -> bool) -> Result<Outcome, RunError> {
    let agreed =
        |trials, about| if confirm(trials, about) { Ok(()) } else { Err(RunError::Declined { trials, about }) };
    let trials = initial_trials(request)?;
    if trials > HUGE_TRIALS {
        agreed(trials, Duration::from_secs_f64(estimate::TRIAL_S * trials as f64 / request.jobs as f64))?;
    }
    let prepared = prepare(request)?;
    let dry = dry_run_of(&prepared)?;
    if dry.waiting > MANY_TRIALS && trials <= HUGE_TRIALS {
        agreed(dry.waiting, dry.about)?;
    }
    remember(request, &prepared.plan);
    let folder = prepared.open()?;
    let Prepared { plan, environment, workers, .. } = prepared;
    let (plan, measures) = study(request, plan, &folder, &workers)?;
    folder.seal()?;
    conclude(folder, plan, measures, environment)
}

/// Records the trials of an experiment without a verdict. The folder lacks trials that failed.
pub fn record(request: &RunRequest) -> Result<RunFolder, RunError> {
    let prepared = prepare(request)?;
    let folder = prepared.open()?;
    let waiting = seed_by_seed(&prepared.plan, |_| true);
    match schedule::run(&prepared.plan, &waiting, &folder, &prepared.workers, |_| Ok(())) {
        Ok(()) | Err(ScheduleError::Failed(..)) => Ok(folder),
        Err(error) => Err(error.into()),
    }
}

/// Returns trials in running order: seed by seed, so that every point soon shows how long its trials take.
pub fn seed_by_seed(plan: &Plan, wanted: impl Fn(&Trial) -> bool) -> Vec<&Trial> {
    let mut trials: Vec<&Trial> = plan.trials.iter().filter(|trial| wanted(trial)).collect();
    trials.sort_by_key(|trial| trial.seed);
    trials
}

/// Remembers the experiment's commands as trusted, unless it is replayed: the user who runs an experiment accepts them.
/// If they cannot be stored, goodput asks again later.
pub fn remember(request: &RunRequest, plan: &Plan) {
    if request.replay.is_none() {
        let _ = trust::remember_commands(&plan.trials);
    }
}

/// Runs the trials of a plan, and further trials that the results call for, until there are none.
fn study(
    request: &RunRequest,
    mut plan: Plan,
    folder: &RunFolder,
    workers: &Workers,
) -> Result<(Plan, Measures), RunError> {
    let mut measures = Measures::default();
    let mut progress = Progress::new();
    loop {
        let waiting = seed_by_seed(&plan, |trial| measures.get(trial.index).is_none());
        schedule::run(&plan, &waiting, folder, workers, |event| {
            progress.hear(&event);
            if let Event::Finished(finished) = event {
                measures.insert(finished.measures);
            }
            Ok(())
        })?;
        let wanted = study::next(&plan, &measures);
        if wanted.is_empty() {
            return Ok((plan, measures));
        }
        plan = experiment::grown(&request.experiment.display().to_string(), plan, &wanted)?;
        remember(request, &plan);
        folder.grow(&plan)?;
    }
}

/// Makes verdict and report from measures and their recordings; needs no engine.
pub fn conclude(
    folder: RunFolder,
    plan: Plan,
    measures: Measures,
    environment: Environment,
) -> Result<Outcome, RunError> {
    let recordings = |trial: usize| folder.trial(trial);
    folder.write_json(run_folder::MEASURES, &data::json(&plan, &measures))?;
    let verdict = judge::judge(&plan, &measures, &diagnoses(&plan, &measures, &folder)?);
    folder.write_json(run_folder::VERDICT, &verdict)?;
    let report = contents::report(&plan, &measures, &verdict, &environment, recordings)?;
    folder.write(run_folder::REPORT, &report::html(&report))?;
    for (name, figure) in report::figures(&report) {
        folder.write(&name, &figure)?;
    }
    Ok(Outcome { folder, plan, measures, verdict, report })
}

/// Diagnoses the trials that the verdict mentions, as `goodput diagnose` would.
fn diagnoses(plan: &Plan, measures: &Measures, folder: &RunFolder) -> Result<Diagnoses, RunError> {
    let diagnosis = |trial: &Trial| {
        let recording = folder.trial(trial.index).map_err(RecordingError::from)?;
        let evidence = sources::of_trial(trial, &recording, &trial.name())?;
        Ok((trial.index, diagnose::diagnose(&evidence, diagnose::Given::default())))
    };
    judge::trials_to_diagnose(plan, measures).into_iter().map(diagnosis).collect()
}

/// Result of a plan whose recordings are complete.
pub enum Settled {
    Concluded(Box<Outcome>),
    /// Another round: the number of additional trials, which are in the folder's plan now.
    Grown(RunFolder, usize),
}

/// Makes verdict and report from the recordings of a folder's whole plan, or adds the next round. `measures` has the
/// measures of earlier rounds.
pub fn settle(folder: RunFolder, plan: Plan, measures: &mut Measures) -> Result<Settled, RunError> {
    let environment = folder.read_json(run_folder::ENVIRONMENT)?;
    *measures = analysis::measure(&plan, take(measures), |trial| folder.trial(trial))?;
    let wanted = study::next(&plan, measures);
    if wanted.is_empty() {
        folder.seal()?;
        let concluded = conclude(folder, plan, take(measures), environment);
        return concluded.map(|outcome| Settled::Concluded(Box::new(outcome)));
    }
    let plan = experiment::grown(&folder.file(run_folder::PLAN).display().to_string(), plan, &wanted)?;
    folder.write_json(run_folder::PLAN, &plan)?;
    Ok(Settled::Grown(folder, wanted.len()))
}

/// Makes verdict and report of a finished run again from its recordings.
pub fn report_again(path: &Path) -> Result<Outcome, RunError> {
    let folder = RunFolder::existing(path)?.hold()?;
    let environment = folder.read_json(run_folder::ENVIRONMENT)?;
    let (plan, measures) = measured(&folder)?;
    conclude(folder, plan, measures, environment)
}

/// Returns what a run would do; changes nothing.
pub fn dry_run(request: &RunRequest) -> Result<DryRun, RunError> {
    dry_run_of(&prepare(request)?)
}

fn dry_run_of(prepared: &Prepared) -> Result<DryRun, RunError> {
    let Prepared { plan, out, workers, .. } = prepared;
    let earlier = RunFolder::earlier(out, plan)?;
    earlier.as_ref().map_or(Ok(()), |folder| prepared.same_laboratory(folder))?;
    let is_finished = |trial: usize| earlier.as_ref().is_some_and(|folder| folder.is_finished(trial));
    // An earlier run may have added trials.
    let grown = earlier.as_ref().map(RunFolder::plan).transpose()?;
    Ok(DryRun::new(grown.as_ref().unwrap_or(plan), out, is_finished, workers))
}
