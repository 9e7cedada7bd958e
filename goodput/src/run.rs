//! The program on one screen: each arrow of the flow is a call, each noun a file in the run's folder.

use crate::analyze::Measures;
use crate::cache::Cache;
use crate::engine::agent::{Agent, NoAgent};
use crate::engine::{Engine, Refusal, TrialError, replay::Replay, uml::Uml};
use crate::environment::{Environment, hex};
use crate::judge::Verdict;
use crate::outlook::Outlook;
use crate::plan::Plan;
use crate::progress::{self, Progress};
use crate::recording::RecordingError;
use crate::report::{self, Report};
use crate::run_folder::{self, Claim, FolderError, RunFolder};
use crate::schedule::{self, ScheduleError, Workers};
use crate::{analyze, experiment, judge, kernel, present, study, sums};
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// Why a run has no verdict.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum RunError {
    #[error("{path}: {error}")]
    Read { path: PathBuf, error: io::Error },
    #[error("{0}")]
    Spec(#[from] experiment::Errors),
    #[error(transparent)]
    Kernel(#[from] kernel::FindError),
    #[error(transparent)]
    Agent(#[from] NoAgent),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    #[error(transparent)]
    Trial(#[from] TrialError),
    #[error(transparent)]
    Recording(#[from] RecordingError),
    #[error(
        "{folder} was run with another laboratory: {what}\n\nhint: choose another folder with --out, or run everything again there"
    )]
    OtherLaboratory { folder: PathBuf, what: String },
    #[error("{0} is not finished\n\nhint: finish it first: the command that began it goes on")]
    Unfinished(PathBuf),
    #[error(
        "{trials} trials would run ({}), and nobody confirmed that\n\nhint: --yes runs them without asking, --dry-run says more",
        progress::words(*about)
    )]
    Declined { trials: usize, about: Duration },
    #[error("{plan} has no trial {index}; it has {trials}, counted from 0")]
    NoTrial { plan: PathBuf, index: usize, trials: usize },
    #[error(
        "{spec} says itself on which kernel it runs: {named}\n\nhint: take `kernel` out of it, or leave --kernel out"
    )]
    OwnKernel { spec: PathBuf, named: String },
}

/// What a run is asked for.
#[derive(Debug, Clone)]
pub struct Request {
    /// The experiment.
    pub spec: PathBuf,
    /// The run's folder; `None` names one after the experiment and everything that decides its bytes.
    pub out: Option<PathBuf>,
    /// Trials side by side.
    pub jobs: usize,
    /// The run whose recordings serve instead of the laboratory.
    pub replay: Option<PathBuf>,
    /// Whether recordings come from the user's cache and go there.
    pub cache: bool,
    /// The guest kernel for an experiment that names none; the newest unless given.
    pub kernel: Option<String>,
}

/// What a run gives.
pub struct Outcome {
    /// Where everything lies.
    pub folder: RunFolder,
    /// What was run.
    pub plan: Plan,
    /// What was shown.
    pub verdict: Verdict,
    /// What the report shows.
    pub report: Report,
}

/// From a spec to a verdict and a report. `confirm` is asked before many trials run: how many, and about how long.
pub fn run(request: &Request, confirm: impl Fn(usize, Duration) -> bool) -> Result<Outcome, RunError> {
    let agreed =
        |trials, about| if confirm(trials, about) { Ok(()) } else { Err(RunError::Declined { trials, about }) };
    let trials = trials(&request.spec)?;
    if trials > HUGE {
        agreed(trials, Duration::from_secs_f64(crate::estimate::START * trials as f64 / request.jobs as f64))?;
    }
    let prepared = prepare(request)?;
    let outlook = preview_of(&prepared)?;
    if outlook.waiting > MANY && trials <= HUGE {
        agreed(outlook.waiting, outlook.about)?;
    }
    let Prepared { plan, environment, out, workers } = prepared;
    let folder = open(&out, &plan, &environment)?;
    let (plan, measures) = study(&request.spec, plan, &folder, &workers)?;
    conclude(folder, plan, &measures, environment)
}

/// Runs the trials of a plan, and those that what they have shown asks for, until it asks for none.
fn study(spec: &Path, mut plan: Plan, folder: &RunFolder, workers: &Workers) -> Result<(Plan, Measures), RunError> {
    let progress = Progress::new();
    loop {
        let measures = schedule::run(&plan, folder, workers, &progress)?;
        let wanted = study::next(&plan, &measures);
        if wanted.is_empty() {
            return Ok((plan, measures));
        }
        plan = experiment::grown(&spec.display().to_string(), &plan, &wanted)?;
        folder.grow(&plan)?;
    }
}

/// What a run would do; changes nothing.
pub fn preview(request: &Request) -> Result<Outlook, RunError> {
    preview_of(&prepare(request)?)
}

fn preview_of(prepared: &Prepared) -> Result<Outlook, RunError> {
    let Prepared { plan, environment, out, workers } = prepared;
    let earlier = RunFolder::earlier(out, plan)?;
    earlier.as_ref().map_or(Ok(()), |folder| same_laboratory(folder, plan, environment))?;
    let is_finished = |trial: usize| earlier.as_ref().is_some_and(|folder| folder.is_finished(trial));
    // An earlier run may have grown.
    let grown = earlier.as_ref().map(RunFolder::plan).transpose()?;
    Ok(Outlook::of(grown.as_ref().unwrap_or(plan), out, is_finished, workers))
}

/// More trials than this are confirmed before they run.
const MANY: usize = 1_000;

/// More trials than this are confirmed before the plan is made, which takes a while and memory of its own.
const HUGE: usize = 10_000;

/// What is known before anything is written.
struct Prepared {
    plan: Plan,
    environment: Environment,
    out: PathBuf,
    workers: Workers,
}

fn prepare(request: &Request) -> Result<Prepared, RunError> {
    let plan = plan(&request.spec, request.kernel.as_deref())?;
    let environment = match &request.replay {
        Some(run) => {
            Replay::open(run)?.admit(&plan)?;
            let earlier = RunFolder::existing(run)?;
            earlier.check(&earlier.plan()?.trials)?;
            earlier.read_json(run_folder::ENVIRONMENT)?
        }
        None => {
            let kernels = plan.kernels().into_iter().map(kernel).collect::<Result<Vec<_>, _>>()?;
            let agent = Agent::find()?;
            let environment = Environment::of(&kernels, &agent);
            Uml::new(kernels, agent).admit(&plan)?;
            environment
        }
    };
    let out = request.out.clone().unwrap_or_else(|| default_folder(&request.spec, &plan, &environment));
    // What an earlier run recorded is no proof of what this laboratory would.
    let cache = if request.cache && request.replay.is_none() { Cache::of_user(&environment) } else { None };
    let workers = Workers { jobs: request.jobs, arguments: trial_arguments(request), cache };
    Ok(Prepared { plan, environment, out, workers })
}

/// Verdict and report of a run that is finished, anew from its recordings.
pub fn report(path: &Path) -> Result<Outcome, RunError> {
    let folder = RunFolder::existing(path)?.hold()?;
    let environment = folder.read_json(run_folder::ENVIRONMENT)?;
    let (plan, measures) = measured(&folder)?;
    conclude(folder, plan, &measures, environment)
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
    let measures = analyze::measure(&plan, |trial| folder.trial(trial))?;
    if !study::next(&plan, &measures).is_empty() {
        return Err(unfinished());
    }
    Ok((plan, measures))
}

/// From measures and their recordings to a verdict and a report; needs no engine.
fn conclude(folder: RunFolder, plan: Plan, measures: &Measures, environment: Environment) -> Result<Outcome, RunError> {
    let recordings = |trial: usize| folder.trial(trial);
    folder.write_json(run_folder::MEASURES, measures)?;
    let verdict = judge::judge(&plan, measures);
    folder.write_json(run_folder::VERDICT, &verdict)?;
    let report = present::report(&plan, measures, &verdict, &environment, recordings)?;
    folder.write(run_folder::REPORT, &report::html(&report))?;
    for (name, figure) in report::svg::figures(&report) {
        folder.write(name, &figure)?;
    }
    Ok(Outcome { folder, plan, verdict, report })
}

fn text(path: &Path) -> Result<String, RunError> {
    let text = fs::read(path).map_err(|error| RunError::Read { path: path.into(), error })?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// How many trials an experiment has at first.
fn trials(path: &Path) -> Result<usize, RunError> {
    Ok(experiment::size(&path.display().to_string(), &text(path)?)? as usize)
}

/// Reads an experiment and resolves it, for this kernel or the newest where it names none.
pub fn plan(path: &Path, kernel: Option<&str>) -> Result<Plan, RunError> {
    let text = text(path)?;
    // Without a kernel the plan can still be made and shown; a run then says how to build one.
    let mut known = kernel::list().map(|listing| listing.entries).unwrap_or_default();
    if let Some(name) = kernel {
        let entry = kernel::find(Some(name))?;
        known.retain(|other| other.hash != entry.hash);
        known.push(kernel::Entry { names: called_first(entry.names, name), ..entry });
    }
    let spec_kernel = |entry: kernel::Entry| experiment::Kernel {
        congestion_controls: entry.congestion_controls,
        names: entry.names,
    };
    let known: Vec<experiment::Kernel> = known.into_iter().map(spec_kernel).collect();
    let plan = experiment::plan(&path.display().to_string(), &text, &known)?;
    match (kernel, plan.kernels()) {
        (Some(name), named) if named != [name] => {
            Err(RunError::OwnKernel { spec: path.into(), named: named.join(", ") })
        }
        _ => Ok(plan),
    }
}

fn called_first(mut names: Vec<String>, name: &str) -> Vec<String> {
    names.retain(|other| other != name);
    names.insert(0, name.to_owned());
    names
}

/// The guest kernel that trials call so, under that name; without a name the newest.
pub fn kernel(name: &str) -> Result<(String, kernel::Entry), RunError> {
    Ok((name.to_owned(), kernel::find(Some(name).filter(|name| !name.is_empty()))?))
}

/// The same experiment in the same laboratory has the same folder, so its results are found again and never overwritten.
fn default_folder(spec: &Path, plan: &Plan, environment: &Environment) -> PathBuf {
    let plan = serde_json::to_vec(plan).expect("a plan is plain data");
    let hash = hex(&Sha256::digest([&plan, environment.fingerprint().as_bytes()].concat()));
    let stem = spec.file_stem().unwrap_or_default().to_string_lossy();
    PathBuf::from("runs").join(format!("{stem}-{}", &hash[..8]))
}

fn open(out: &Path, plan: &Plan, environment: &Environment) -> Result<RunFolder, RunError> {
    let folder = RunFolder::open(out, plan)?;
    same_laboratory(&folder, plan, environment)?;
    if !folder.file(run_folder::ENVIRONMENT).exists() {
        folder.write_json(run_folder::ENVIRONMENT, environment)?;
    }
    Ok(folder)
}

/// Refuses to add to recordings that were made with something else, or with nobody knows what.
fn same_laboratory(folder: &RunFolder, plan: &Plan, environment: &Environment) -> Result<(), RunError> {
    let is_begun = plan.trials.iter().any(|trial| folder.is_finished(trial.index));
    if !is_begun && !folder.file(run_folder::ENVIRONMENT).exists() {
        return Ok(());
    }
    refuse_difference(folder, &folder.read_json(run_folder::ENVIRONMENT)?, environment)
}

fn refuse_difference(folder: &RunFolder, before: &Environment, now: &Environment) -> Result<(), RunError> {
    match before.differences(now).into_iter().next() {
        None => Ok(()),
        Some(what) => Err(RunError::OtherLaboratory { folder: folder.path().into(), what }),
    }
}

fn trial_arguments(request: &Request) -> Vec<String> {
    match &request.replay {
        Some(run) => vec!["--replay".into(), run.display().to_string()],
        None => vec![],
    }
}

/// Runs one trial of a plan into its run's folder: needs the plan's file, the trial's own kernel and nothing else of the
/// run. If the folder says what the run is run on, another kernel, agent or recording code is refused. Never from the
/// cache.
pub fn trial(plan_file: &Path, index: usize, replay: Option<&Path>) -> Result<(), RunError> {
    let folder = RunFolder::existing(plan_file.parent().unwrap_or(Path::new(".")))?;
    let plan = folder.plan()?;
    let trial = plan.trial(index).ok_or_else(|| RunError::NoTrial {
        plan: plan_file.into(),
        index,
        trials: plan.trials.len(),
    })?;
    let engine: Box<dyn Engine> = match replay {
        Some(run) => Box::new(Replay::open(run)?),
        None => {
            let (kernels, agent) = ([kernel(&trial.kernel)?], Agent::find()?);
            if folder.file(run_folder::ENVIRONMENT).exists() {
                let before: Environment = folder.read_json(run_folder::ENVIRONMENT)?;
                let now = Environment::with_tools(&kernels, &agent, before.tools.clone());
                refuse_difference(&folder, &before.only(&trial.kernel), &now)?;
            }
            Box::new(Uml::new(kernels.into(), agent))
        }
    };
    loop {
        match folder.claim(index)? {
            Claim::Finished => return Ok(()),
            Claim::Busy => thread::sleep(Duration::from_millis(20)),
            Claim::Ours(unfinished) => {
                engine.record(trial, unfinished.path())?;
                let path = unfinished.path();
                sums::write(path).map_err(|error| RecordingError::Io { path: path.join(sums::SUMS), error })?;
                return Ok(unfinished.finish()?);
            }
        }
    }
}
