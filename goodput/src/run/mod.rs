//! The flow on one screen, from an experiment to its report: each noun is a file in the run's folder.

mod error;
mod laboratory;
mod shard;
mod trial;

use crate::analyze::{self, Measures};
use crate::diagnose::{self, Given};
use crate::dry_run::DryRun;
use crate::environment::Environment;
use crate::judge::{Diagnoses, Verdict};
pub use crate::plan::Seeds;
use crate::plan::{Plan, Trial};
use crate::progress::Progress;
use crate::recording::RecordingError;
use crate::report::{self, Report};
use crate::run_folder::{self, RunFolder};
use crate::schedule::{self, Event, ScheduleError, Workers};
use crate::{data, estimate, experiment, judge, present, sources, study, trust};
pub use error::RunError;
pub(crate) use laboratory::permit;
use laboratory::{Prepared, initial_trials, prepare};
pub use laboratory::{kernel, plan, plan_without_kernels, traces};
pub use shard::shard;
use std::mem::take;
use std::path::{Path, PathBuf};
use std::time::Duration;
pub use trial::{Which, trial};

/// What a run is asked for.
#[derive(Debug, Clone)]
pub struct Request {
    pub experiment: PathBuf,
    /// The run's folder; `None` names one after the experiment and everything that decides its bytes.
    pub out: Option<PathBuf>,
    pub jobs: usize,
    /// The run whose recordings serve instead of the laboratory.
    pub replay: Option<PathBuf>,
    /// Whether recordings come from the user's cache and go there.
    pub cache: bool,
    /// The guest kernel for an experiment that names none; the newest unless given.
    pub kernel: Option<String>,
    /// The seeds of every point; the experiment's own unless given.
    pub seeds: Option<Seeds>,
    /// Whether commands run where the walls that they need cannot be built.
    pub allow_commands: bool,
}

pub struct Outcome {
    /// Where everything lies.
    pub folder: RunFolder,
    pub plan: Plan,
    pub measures: Measures,
    pub verdict: Verdict,
    /// What the report shows.
    pub report: Report,
}

/// More trials than this are confirmed before they run.
const MANY_TRIALS: usize = 1_000;

/// More trials than this are confirmed before the plan is made, which takes a while and memory of its own.
const HUGE_TRIALS: usize = 10_000;

/// From an experiment to a verdict and a report. `confirm` is asked before many trials run: how many, and about how long.
pub fn run(request: &Request, confirm: impl Fn(usize, Duration) -> bool) -> Result<Outcome, RunError> {
    let agreed =
        |trials, about| if confirm(trials, about) { Ok(()) } else { Err(RunError::Declined { trials, about }) };
    let trials = initial_trials(&request.experiment, request.seeds)?;
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

/// Records the trials of an experiment and draws no conclusion. A trial that fails is missing in the folder.
pub fn record(request: &Request) -> Result<RunFolder, RunError> {
    let prepared = prepare(request)?;
    let folder = prepared.open()?;
    let waiting = seed_by_seed(&prepared.plan, |_| true);
    match schedule::run(&prepared.plan, &waiting, &folder, &prepared.workers, |_| Ok(())) {
        Ok(()) | Err(ScheduleError::Failed(..)) => Ok(folder),
        Err(error) => Err(error.into()),
    }
}

/// Trials of a plan in the order in which they run, so that every point shows early how long its trials take.
fn seed_by_seed(plan: &Plan, wanted: impl Fn(&Trial) -> bool) -> Vec<&Trial> {
    let mut trials: Vec<&Trial> = plan.trials.iter().filter(|trial| wanted(trial)).collect();
    trials.sort_by_key(|trial| trial.seed);
    trials
}

/// Whoever runs an experiment, and does not replay it, has its commands run. What cannot be remembered is asked about when
/// it is run again.
fn remember(request: &Request, plan: &Plan) {
    if request.replay.is_none() {
        let _ = trust::remember_commands(&plan.trials);
    }
}

/// Runs the trials of a plan, and those that what they have shown asks for, until it asks for none.
fn study(
    request: &Request,
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

/// From measures and their recordings to a verdict and a report; needs no engine.
pub(crate) fn conclude(
    folder: RunFolder,
    plan: Plan,
    measures: Measures,
    environment: Environment,
) -> Result<Outcome, RunError> {
    let recordings = |trial: usize| folder.trial(trial);
    folder.write_json(run_folder::MEASURES, &data::json(&plan, &measures))?;
    let verdict = judge::judge(&plan, &measures, &diagnoses(&plan, &measures, &folder)?);
    folder.write_json(run_folder::VERDICT, &verdict)?;
    let report = present::report(&plan, &measures, &verdict, &environment, recordings)?;
    folder.write(run_folder::REPORT, &report::html(&report))?;
    for (name, figure) in report::svg::figures(&report) {
        folder.write(name, &figure)?;
    }
    Ok(Outcome { folder, plan, measures, verdict, report })
}

/// What `goodput diagnose` says of the trials that a verdict tells of.
fn diagnoses(plan: &Plan, measures: &Measures, folder: &RunFolder) -> Result<Diagnoses, RunError> {
    let diagnosis = |trial: &Trial| {
        let recording = folder.trial(trial.index).map_err(RecordingError::from)?;
        let evidence = sources::of_trial(trial, &recording, &trial.name())?;
        Ok((trial.index, diagnose::diagnose(&evidence, Given::default())))
    };
    judge::told(plan, measures).into_iter().map(diagnosis).collect()
}

/// What complete recordings of a plan come to.
pub enum Settled {
    Concluded(Box<Outcome>),
    /// Another round: so many trials more, which the plan in the folder has now.
    Grown(RunFolder, usize),
}

/// From the recordings of every trial of a folder's plan to verdict and report, or to the next round. `measures` has what
/// was measured in earlier rounds.
pub(crate) fn settle(folder: RunFolder, plan: Plan, measures: &mut Measures) -> Result<Settled, RunError> {
    let environment = folder.read_json(run_folder::ENVIRONMENT)?;
    *measures = analyze::measure(&plan, take(measures), |trial| folder.trial(trial))?;
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

/// Verdict and report of a run that is finished, anew from its recordings.
pub fn report_again(path: &Path) -> Result<Outcome, RunError> {
    let folder = RunFolder::existing(path)?.hold()?;
    let environment = folder.read_json(run_folder::ENVIRONMENT)?;
    let (plan, measures) = measured(&folder)?;
    conclude(folder, plan, measures, environment)
}

/// Plan and measures of a run that is finished: every trial has a recording, whose files are what was recorded, and they
/// ask for no more.
pub fn measured(folder: &RunFolder) -> Result<(Plan, Measures), RunError> {
    let plan = folder.plan()?;
    let unfinished = || RunError::Unfinished(folder.path().into());
    if !plan.trials.iter().all(|trial| folder.is_finished(trial.index)) {
        return Err(unfinished());
    }
    folder.check(&plan.trials)?;
    let measures = analyze::measure(&plan, Measures::default(), |trial| folder.trial(trial))?;
    if !study::next(&plan, &measures).is_empty() {
        return Err(unfinished());
    }
    Ok((plan, measures))
}

/// What a run would do; changes nothing.
pub fn dry_run(request: &Request) -> Result<DryRun, RunError> {
    dry_run_of(&prepare(request)?)
}

fn dry_run_of(prepared: &Prepared) -> Result<DryRun, RunError> {
    let Prepared { plan, out, workers, .. } = prepared;
    let earlier = RunFolder::earlier(out, plan)?;
    earlier.as_ref().map_or(Ok(()), |folder| prepared.same_laboratory(folder))?;
    let is_finished = |trial: usize| earlier.as_ref().is_some_and(|folder| folder.is_finished(trial));
    // An earlier run may have grown.
    let grown = earlier.as_ref().map(RunFolder::plan).transpose()?;
    Ok(DryRun::of(grown.as_ref().unwrap_or(plan), out, is_finished, workers))
}
