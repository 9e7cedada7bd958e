//! The program on one screen: each arrow of the flow is a call, each noun a file in the run's folder.

use crate::engine::{Engine, Refusal, TrialError, agent, replay::Replay, uml::Uml};
use crate::environment::{Environment, hex};
use crate::judge::Verdict;
use crate::plan::Plan;
use crate::recording::RecordingError;
use crate::report::{self, Report};
use crate::run_folder::{self, FolderError, RunFolder};
use crate::schedule::{self, ScheduleError};
use crate::{analyze, judge, kernel, present, spec};
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Why a run has no verdict.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum RunError {
    #[error("{path}: {error}")]
    Read { path: PathBuf, error: io::Error },
    #[error("{0}")]
    Spec(#[from] spec::Errors),
    #[error(transparent)]
    Kernel(#[from] kernel::FindError),
    #[error(transparent)]
    Agent(#[from] agent::NoAgent),
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
    #[error("{plan} has no trial {index}; it has {trials}, counted from 0")]
    NoTrial { plan: PathBuf, index: usize, trials: usize },
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

/// From a spec to a verdict and a report.
pub fn run(request: &Request) -> Result<Outcome, RunError> {
    let plan = plan(&request.spec)?;
    let engine = engine(&plan, request.replay.as_deref())?;
    engine.admit(&plan)?;
    let environment = match &request.replay {
        Some(run) => RunFolder::existing(run)?.read_json(run_folder::ENVIRONMENT)?,
        None => environment(&plan)?,
    };
    let out = request.out.clone().unwrap_or_else(|| default_folder(&request.spec, &plan, &environment));
    let folder = open(&out, &plan, &environment)?;
    schedule::run(&plan, &folder, request.jobs, &trial_arguments(request))?;
    conclude(folder, plan, environment)
}

/// From finished recordings to a verdict and a report; needs no engine.
pub fn conclude(folder: RunFolder, plan: Plan, environment: Environment) -> Result<Outcome, RunError> {
    let recordings = |trial: usize| folder.trial(trial);
    let measures = analyze::measure(&plan, recordings)?;
    folder.write_json(run_folder::MEASURES, &measures)?;
    let verdict = judge::judge(&plan, &measures);
    folder.write_json(run_folder::VERDICT, &verdict)?;
    let report = present::report(&plan, &measures, &verdict, &environment, recordings)?;
    folder.write(run_folder::REPORT, &report::html(&report))?;
    folder.write("cwnd.svg", &report::svg::cwnd(&report))?;
    folder.write("throughput.svg", &report::svg::throughput(&report))?;
    Ok(Outcome { folder, plan, verdict, report })
}

/// Reads an experiment and resolves it.
pub fn plan(path: &Path) -> Result<Plan, RunError> {
    let text = fs::read(path).map_err(|error| RunError::Read { path: path.into(), error })?;
    let text = String::from_utf8_lossy(&text);
    // Without a kernel the plan can still be made and shown; a run then says how to build one.
    let newest = kernel::find(None).ok();
    let name = newest.as_ref().and_then(|entry| entry.names.first().cloned()).unwrap_or_default();
    let congestion_controls = newest.map(|entry| entry.congestion_controls()).unwrap_or_default();
    let kernel = spec::Kernel { name: &name, congestion_controls: &congestion_controls };
    Ok(spec::plan(&path.display().to_string(), &text, kernel)?)
}

fn engine(plan: &Plan, replay: Option<&Path>) -> Result<Box<dyn Engine>, RunError> {
    Ok(match replay {
        Some(run) => Box::new(Replay::open(run)?),
        None => Box::new(Uml::new(find_kernel(plan)?, agent::Agent::find()?)),
    })
}

fn find_kernel(plan: &Plan) -> Result<kernel::Entry, RunError> {
    Ok(kernel::find(Some(plan.kernel.as_str()).filter(|name| !name.is_empty()))?)
}

/// Looks at what a plan would run on.
pub fn environment(plan: &Plan) -> Result<Environment, RunError> {
    Ok(Environment::of(&find_kernel(plan)?, &agent::Agent::find()?))
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
    if folder.file(run_folder::ENVIRONMENT).exists() {
        let before: Environment = folder.read_json(run_folder::ENVIRONMENT)?;
        if let Some(what) = before.difference(environment) {
            return Err(RunError::OtherLaboratory { folder: out.into(), what });
        }
    } else {
        folder.write_json(run_folder::ENVIRONMENT, environment)?;
    }
    Ok(folder)
}

fn trial_arguments(request: &Request) -> Vec<String> {
    match &request.replay {
        Some(run) => vec!["--replay".into(), run.display().to_string()],
        None => vec![],
    }
}

/// Runs one trial of a plan into its run's folder: needs the plan's file and nothing else of the run.
pub fn trial(plan_file: &Path, index: usize, replay: Option<&Path>) -> Result<(), RunError> {
    let folder = RunFolder::existing(plan_file.parent().unwrap_or(Path::new(".")))?;
    let plan = folder.plan()?;
    let engine = engine(&plan, replay)?;
    let trial = plan.trials.get(index).ok_or_else(|| RunError::NoTrial {
        plan: plan_file.into(),
        index,
        trials: plan.trials.len(),
    })?;
    if folder.is_finished(index) {
        return Ok(());
    }
    engine.record(trial, &folder.begin(index)?)?;
    Ok(folder.finish(index)?)
}
