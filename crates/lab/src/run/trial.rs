//! Runs one trial: the command `goodput trial`, which a scheduler calls.

use super::RunError;
use super::laboratory::{kernel, permit, refuse_difference};
use crate::doctor;
use crate::engine::agent::Agent;
use crate::engine::{
    Engine, TrialError,
    replay::Replay,
    uml::{Keeping, Loading, Uml},
};
use crate::environment;
use crate::trust::Commands;
use base::folder::Folder;
use base::interrupt::interrupted;
use base::process;
use base::sums;
use evidence::plain;
use plan::environment::Environment;
use plan::recording::{self, Reached, RecordingError};
use plan::run_folder::{self, Claim, PLAN, RunFolder};
use plan::{Command, Plan, Scene, Trial};
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// Interval of checking a trial that another process records.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// How far a guest may be ahead of its records, ns of virtual time.
const RECORD_DELAY_NS: u64 = 1_000_000_000;

/// Identifies a trial of a plan.
#[derive(Debug, Clone, Copy)]
pub struct Which<'w> {
    /// File of the plan.
    pub plan: &'w Path,
    /// Index of the trial.
    pub index: usize,
    /// True if the trial comes as JSON on standard input, from the process that read the plan.
    pub handed: bool,
    /// Files that its guest is loaded from, if the starting process made them.
    pub loading: Option<&'w Loading>,
}

/// Runs one trial of a plan into its run's folder. It needs only the plan's file and the trial's kernel. If the folder
/// records its environment, another kernel, agent or recording code is refused. The cache is not used. A signal ends
/// the guest and leaves the trial unfinished.
pub fn trial(which: Which, replay: Option<&Path>, commands: Commands) -> Result<(), RunError> {
    let recorded = process::ending_programs(Duration::ZERO, || record(which, replay, commands));
    recorded.map_err(|error| if interrupted() { RunError::Interrupted } else { error })
}

fn record(which: Which, replay: Option<&Path>, commands: Commands) -> Result<(), RunError> {
    if !which.plan.ends_with(PLAN) {
        return Err(RunError::NoPlan(which.plan.into()));
    }
    let place = which.plan.parent().unwrap_or(Path::new("."));
    let (folder, trial) = match which.handed {
        true => (RunFolder::at(place)?, handed(which)?),
        false => {
            let folder = RunFolder::existing(place)?;
            let trial = planned(which, &folder.plan()?)?;
            (folder, trial)
        }
    };
    let (trial, index) = (&trial, which.index);
    let engine: Box<dyn Engine> = match replay {
        Some(run) => Box::new(Replay::open(run)?),
        None => Box::new(laboratory(trial, which.loading, &folder, commands)?),
    };
    loop {
        match folder.claim(index)? {
            Claim::Finished => return Ok(()),
            Claim::Busy if interrupted() => return Err(RunError::Interrupted),
            Claim::Busy => thread::sleep(POLL_INTERVAL),
            Claim::Ours(unfinished) => {
                let recording = unfinished.folder();
                engine.record(trial, recording).map_err(|error| explained(error, &trial.scene, recording))?;
                sums::write(recording).map_err(RecordingError::from)?;
                return Ok(unfinished.finish()?);
            }
        }
    }
}

fn planned(which: Which, plan: &Plan) -> Result<Trial, RunError> {
    let Which { plan: file, index, .. } = which;
    let trial = plan.trial(index).cloned();
    trial.ok_or_else(|| RunError::NoTrial { plan: file.into(), index, trials: plan.trials.len() })
}

fn handed(which: Which) -> Result<Trial, RunError> {
    let trial: Result<Trial, _> = serde_json::from_reader(io::stdin().lock());
    let read = trial.map_err(io::Error::from).and_then(|trial| match trial.index == which.index {
        true => Ok(trial),
        false => Err(io::Error::other(format!("it is trial {}, not {}", trial.index, which.index))),
    });
    read.map_err(|error| RunError::Read { path: "the standard input".into(), error })
}

/// Adds causes that the guest cannot report: a lack of memory on the host, and the user's commands that were running.
fn explained(error: TrialError, scene: &Scene, folder: &Folder) -> RunError {
    match error {
        TrialError::Died { .. } => match doctor::has_memory() {
            Ok(()) => error.into(),
            Err(memory) => RunError::DiedOf { error: error.into(), memory },
        },
        TrialError::Hung { .. } => match begun(scene, folder) {
            commands if commands.is_empty() => error.into(),
            commands => RunError::HungIn { error: error.into(), commands },
        },
        error => error.into(),
    }
}

/// Returns the commands that had begun and not ended when a trial broke off.
fn begun(scene: &Scene, folder: &Folder) -> Vec<String> {
    let reached = Reached::read(folder).map_or(u64::MAX, |reached| reached.time);
    let ended = recording::facts(folder).map(|facts| facts.ran).unwrap_or_default();
    let all = scene.all_commands();
    let commands = all.iter().zip(0..);
    let open = commands.filter(|(command, number)| {
        // The last records arrive late.
        command.at <= reached.saturating_add(RECORD_DELAY_NS) && !ended.iter().any(|ran| ran.command == *number)
    });
    let place = |(Command { node, at, command, .. }, _): (&Command, _)| {
        format!("`{}` on {node}, at {} s", plain::line(command), *at as f64 / 1e9)
    };
    open.map(place).collect()
}

/// Returns the lab with the trial's kernel and the agent; they must match the folder's environment, if it has one.
fn laboratory(
    trial: &Trial,
    loading: Option<&Loading>,
    folder: &RunFolder,
    commands: Commands,
) -> Result<Uml, RunError> {
    permit(commands, [trial], folder)?;
    doctor::can_boot()?;
    let kernels = vec![kernel(&trial.kernel)?];
    let (uml, agent) = match loading {
        Some(loading) => (Uml::handed(kernels.clone(), loading.clone()), None),
        None => {
            let agent = Agent::find()?;
            let hash = agent.hash.clone();
            (Uml::new(kernels.clone(), agent), Some(hash))
        }
    };
    if folder.folder().has(run_folder::ENVIRONMENT) {
        let before: Environment = folder.read_json(run_folder::ENVIRONMENT)?;
        // If a RAM disk was passed, it has the run's own agent.
        let agent = agent.as_ref().unwrap_or(&before.agent);
        let now = environment::on_the_machine_of(&before, &kernels, agent);
        refuse_difference(folder, &before.only(&trial.kernel), &now)?;
    }
    let keeping = Keeping { allow_commands: commands == Commands::Unwalled, ..Keeping::default() };
    Ok(uml.with_keeping(keeping))
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::fixture;
    use wire::{Message, Ran, frame};

    #[test]
    fn a_guest_that_hangs_is_told_of_with_the_commands_it_was_in() {
        let command = |at: u64, text: &str| Command {
            node: "sender".into(),
            at: at * 1_000_000_000,
            command: text.into(),
            background: false,
        };
        let commands = vec![command(0, "ss -ti"), command(2, "while :; do :; done"), command(9, "date")];
        let scene = Scene { commands: commands.into(), ..fixture::four_kinds() };
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path()).unwrap();
        let mut recorder = recording::Recorder::new(&folder);
        let ran = Ran { command: 0, time: 1, status: Some(0), output: String::new() };
        recorder.take(frame::MESSAGE, &serde_json::to_vec(&Message::Ran(ran)).unwrap()).unwrap();
        recorder.finish().unwrap();
        std::fs::write(place.path().join(recording::REACHED_FILE), r#"{"time":1900000000,"received":0}"#).unwrap();
        let hung = || TrialError::Hung {
            when: "after 1.9 s of virtual time".into(),
            stood: "60 s of CPU time of its programs".into(),
            place: "  do_syscall".into(),
            log: "console.log".into(),
        };
        let said = explained(hung(), &scene, &folder).to_string();
        assert!(said.ends_with("these had begun:\n  `while :; do :; done` on sender, at 2 s"), "{said}");
        let said = explained(hung(), &fixture::four_kinds(), &folder).to_string();
        assert!(!said.contains("begun"), "{said}");
    }
}
