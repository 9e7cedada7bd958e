//! Prepares a run before anything is written: its plan and its environment.

use super::{RUNS, RunError, RunRequest};
use crate::cache::Cache;
use crate::doctor;
use crate::engine::agent::Agent;
use crate::engine::{
    Engine,
    replay::Replay,
    uml::{Keeping, Loading, Uml},
};
use crate::environment;
use crate::kernel;
use crate::schedule::Workers;
use crate::trial_process::{Hands, Processes};
use crate::trust::Commands;
use base::access::AccessError;
use base::folder::Folder;
use base16ct::lower::encode_string as hex;
use evidence::platform::Version;
use experiment::{Feature, Traces};
use plan::environment::Environment;
use plan::run_folder::{self, RunFolder};
use plan::{Plan, Seeds, Trial};
use sha2::Digest;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Everything known before anything is written.
pub struct Prepared {
    pub plan: Plan,
    pub environment: Environment,
    pub out: PathBuf,
    pub workers: Workers,
}

/// Resolves the request, and checks that this machine can run it.
pub fn prepare(request: &RunRequest) -> Result<Prepared, RunError> {
    let text = varied(request)?;
    let plan = plan_of(&request.experiment, text, request.kernel.as_deref(), request.seeds, request.files)?;
    let mut hands: Option<Box<dyn Hands>> = None;
    let environment = match &request.replay {
        Some(run) => {
            doctor::can_start()?;
            Replay::open(run)?.admit(&plan)?;
            let earlier = RunFolder::existing(run)?;
            earlier.check(&earlier.plan()?.trials)?;
            earlier.read_json(run_folder::ENVIRONMENT)?
        }
        None => {
            doctor::can_boot()?;
            let kernels = plan.kernels().into_iter().map(kernel).collect::<Result<Vec<_>, _>>()?;
            let agent = Arc::new(Agent::find()?);
            let keeping = Keeping { allow_commands: request.allow_commands, ..Keeping::default() };
            let uml = Uml::new(kernels.clone(), Arc::clone(&agent)).with_keeping(keeping);
            uml.admit(&plan)?;
            hands = Some(Box::new(uml));
            environment::examine(&kernels, &agent)?
        }
    };
    let out = request.out.clone().unwrap_or_else(|| default_folder(&request.experiment, &plan, &environment));
    // A replayed recording does not show what this lab would record, so it is not cached.
    let cache = if request.cache && request.replay.is_none() { Cache::of_user(&environment) } else { None };
    let replay = request.replay.iter().flat_map(|run| ["--replay".into(), run.display().to_string()]);
    let commands = if request.allow_commands { Commands::Unwalled } else { Commands::Any };
    let arguments = commands.flags().map(str::to_owned).chain(replay).collect();
    let runner = Box::new(Processes { arguments, hands });
    Ok(Prepared { plan, environment, out, workers: Workers { jobs: request.jobs, runner, cache } })
}

/// Passes trials the files that their guests are loaded from, which a run makes once.
impl Hands for Uml {
    fn over(&self, trial: &Trial) -> io::Result<Vec<OsString>> {
        let Loading { ramdisk, loader } = self.loading(trial).map_err(io::Error::other)?;
        let loader = loader.into_iter().flat_map(|folder| ["--loader".into(), folder.into_os_string()]);
        Ok(["--ramdisk".into(), ramdisk.to_string().into()].into_iter().chain(loader).collect())
    }
}

impl Prepared {
    /// Opens and locks the run's folder; refuses one that was recorded with another lab.
    pub fn open(&self) -> Result<RunFolder, RunError> {
        let folder = RunFolder::open(&self.out, &self.plan)?;
        self.same_laboratory(&folder)?;
        if !folder.folder().has(run_folder::ENVIRONMENT) {
            folder.write_json(run_folder::ENVIRONMENT, &self.environment)?;
        }
        Ok(folder)
    }

    /// Refuses to add to recordings from another environment, or from an unknown one.
    pub fn same_laboratory(&self, folder: &RunFolder) -> Result<(), RunError> {
        let is_begun = self.plan.trials.iter().any(|trial| folder.is_finished(trial.index));
        if !is_begun && !folder.folder().has(run_folder::ENVIRONMENT) {
            return Ok(());
        }
        refuse_difference(folder, &folder.read_json(run_folder::ENVIRONMENT)?, &self.environment)
    }
}

/// Refuses trials in a run's folder whose commands may not run.
pub fn permit<'t>(
    commands: Commands,
    trials: impl IntoIterator<Item = &'t Trial>,
    folder: &RunFolder,
) -> Result<(), RunError> {
    match commands.refuses(trials) {
        refused if refused.is_empty() => Ok(()),
        refused => Err(RunError::Commands { folder: folder.path().into(), commands: refused }),
    }
}

/// Refuses an environment that differs from that of a run.
pub(super) fn refuse_difference(folder: &RunFolder, before: &Environment, now: &Environment) -> Result<(), RunError> {
    match before.differences(now).into_iter().next() {
        None => Ok(()),
        Some(what) => Err(RunError::OtherLaboratory { folder: folder.path().into(), what }),
    }
}

/// Returns the default folder. It is the same for the same experiment in the same lab, so results are found again and
/// never overwritten.
fn default_folder(experiment: &Path, plan: &Plan, environment: &Environment) -> PathBuf {
    let hash = hex(&plan::digest(plan, plan.trials.len()).chain_update(environment.fingerprint()).finalize());
    let stem = experiment.file_stem().unwrap_or_default().to_string_lossy();
    PathBuf::from(RUNS).join(format!("{stem}-{}", &hash[..8]))
}

fn text(path: &Path) -> Result<String, RunError> {
    let mut text = vec![];
    // Reads one byte more than the limit, which is enough to refuse the file.
    let read = File::open(path).and_then(|file| file.take(experiment::TEXT as u64 + 1).read_to_end(&mut text));
    read.map_err(AccessError::reading(path))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Returns the features that a kernel lacks, by its configuration and version.
pub fn lacks(entry: &kernel::Entry) -> Vec<Feature> {
    let version: Option<Version> = entry.version.parse().ok();
    let is_before = |feature: Feature| version.is_some() && version < feature.since().parse().ok();
    let dropped = |option: &str| entry.dropped.iter().any(|dropped| dropped == option);
    let dualpi2 = dropped("CONFIG_NET_SCH_DUALPI2=y").then_some(Feature::DualPi2);
    let later = [Feature::AccEcn, Feature::Mptcp].into_iter().filter(|feature| is_before(*feature));
    dualpi2.into_iter().chain(later).collect()
}

/// Returns the number of trials that an experiment has at the start.
pub(super) fn initial_trials(request: &RunRequest) -> Result<usize, RunError> {
    Ok(experiment::size(&request.experiment.display().to_string(), &varied(request)?, request.seeds)? as usize)
}

/// Reads the experiment of a request, with the request's own axes.
fn varied(request: &RunRequest) -> Result<String, RunError> {
    Ok(experiment::varied(&text(&request.experiment)?, &request.vary))
}

/// Files that an experiment may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Files {
    /// Regular files beside it or below, reached through no link: somebody else may have written it.
    #[default]
    Beside,
    /// All that the user may read.
    Any,
}

/// Reads the trace files of an experiment.
pub fn traces(experiment: &Path, names: &BTreeSet<String>, files: Files) -> Traces {
    let folder = experiment.parent().unwrap_or(Path::new(""));
    let mut traces = Traces::default();
    for name in names {
        let read = match files {
            Files::Beside => Folder::open(folder)
                .and_then(|folder| folder.read_below(Path::new(name), experiment::TRACE_TEXT as u64))
                .map_err(|refused| format!("{}; --any-files reads whatever it names", refused.error)),
            Files::Any => anywhere(&folder.join(name)).map_err(|error| error.to_string()),
        };
        let text = read.and_then(|bytes| String::from_utf8(bytes).map_err(|_| "it is no text".to_owned()));
        traces.insert(name, text.as_deref().map_err(Clone::clone));
    }
    traces
}

fn anywhere(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = vec![];
    match File::open(path)?.take(experiment::TRACE_TEXT as u64 + 1).read_to_end(&mut bytes)? {
        length if length > experiment::TRACE_TEXT => Err(io::Error::other("it is too long")),
        _ => Ok(bytes),
    }
}

/// Reads an experiment and resolves it without kernels.
pub fn plan_without_kernels(path: &Path, seeds: Option<Seeds>, files: Files) -> Result<Plan, RunError> {
    let (file, text) = (path.display().to_string(), text(path)?);
    let traces = traces(path, &experiment::traces_named(&file, &text), files);
    Ok(experiment::plan_with_traces(&file, &text, &[], seeds, &traces)?)
}

/// Reads an experiment and resolves it. `kernel`, or else the newest kernel, is the default; `seeds` replace the
/// experiment's own.
pub fn plan(path: &Path, kernel: Option<&str>, seeds: Option<Seeds>, files: Files) -> Result<Plan, RunError> {
    plan_of(path, text(path)?, kernel, seeds, files)
}

/// Resolves the text of an experiment, as [`plan`] does.
fn plan_of(
    path: &Path,
    text: String,
    kernel: Option<&str>,
    seeds: Option<Seeds>,
    files: Files,
) -> Result<Plan, RunError> {
    // Without a kernel the plan can still be made and shown; running it then tells how to build one.
    let mut known = kernel::list().map(|listing| listing.entries).unwrap_or_default();
    if let Some(name) = kernel {
        let entry = kernel::find(Some(name))?;
        known.retain(|other| other.hash != entry.hash);
        known.push(kernel::Entry { names: called_first(entry.names, name), ..entry });
    }
    let as_written = |entry: kernel::Entry| experiment::Kernel {
        lacks: lacks(&entry),
        is_stale: !entry.is_current(),
        congestion_controls: entry.congestion_controls,
        freebsd: entry.freebsd.map(|stack| stack.congestion_controls),
        names: entry.names,
    };
    let known: Vec<experiment::Kernel> = known.into_iter().map(as_written).collect();
    let file = path.display().to_string();
    let traces = traces(path, &experiment::traces_named(&file, &text), files);
    let plan = experiment::plan_with_traces(&file, &text, &known, seeds, &traces)?;
    match (kernel, plan.kernels()) {
        (Some(name), named) if named != [name] => {
            Err(RunError::OwnKernel { experiment: path.into(), named: named.join(", ") })
        }
        _ => Ok(plan),
    }
}

fn called_first(mut names: Vec<String>, name: &str) -> Vec<String> {
    names.retain(|other| other != name);
    names.insert(0, name.to_owned());
    names
}

/// Finds the guest kernel with a name, or the newest for an empty name.
pub fn kernel(name: &str) -> Result<(String, kernel::Entry), RunError> {
    Ok((name.to_owned(), kernel::find(Some(name).filter(|name| !name.is_empty()))?))
}
