//! Scheduled work: changes of the network, and the user's commands.

use crate::command::{self, GRACE, Output};
use crate::waiting::{Outcome, Reporter, Waiting};
use crate::{lab, sys, tool};
use std::io::{Error, PipeReader};
use std::process::Child;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use wire::{ChangeJob, CommandJob, Job, Message, Ran, Tool};

// ---- changes ----

/// Lead time of tools, ns: starting one takes some us of virtual time, since the kernel reads the clock, so it starts
/// earlier and waits for its lines.
const LEAD: u64 = 1_000_000;

/// Makes each change at its time, changes of the same time in their order. The trial does not wait for them.
pub fn start_changes(job: &Job, origin: u64, waiting: &Waiting) {
    if job.changes.is_empty() {
        return;
    }
    let mut changes = job.changes.clone();
    changes.sort_by_key(|change| change.at);
    let reporter = waiting.background_reporter();
    thread::spawn(move || {
        let made = changes.chunk_by(|a, b| a.at == b.at).try_for_each(|together| make(together, origin));
        if made.is_err() {
            reporter.report(made);
        }
    });
}

/// Makes the changes of one time.
fn make(together: &[ChangeJob], origin: u64) -> Outcome {
    let at = origin + together.first().map_or(0, |change| change.at);
    sys::sleep_until(at - LEAD);
    let start = |change: &ChangeJob| match change.tc.is_empty() {
        true => Ok(None),
        false => sys::in_namespace(&change.namespace, || tool::start(Tool::Tc))?.map(Some),
    };
    let tools = together.iter().map(|change| start(change).map_err(|what| change_failure(change, &what)));
    let tools: Vec<Option<tool::Ready>> = tools.collect::<Result<_, _>>()?;
    sys::sleep_exactly_until(at);
    for (change, tool) in together.iter().zip(tools) {
        let made = sys::in_namespace(&change.namespace, || {
            change.module.iter().try_for_each(|command| lab::control(command))?;
            if change.forgets {
                sys::forget_mappings().map_err(|e| format!("cannot delete the mappings of NAT: {e}"))?;
            }
            tool.map_or(Ok(()), |tool| tool.take(&change.tc).map(drop))
        });
        made?.map_err(|what| change_failure(change, &what))?;
    }
    Ok(())
}

fn change_failure(change: &ChangeJob, what: &str) -> String {
    format!("{}: the change at {} s: {what}", change.namespace, change.at as f64 / 1e9)
}

// ---- commands ----

/// Starts each command at its time; the trial waits for commands that do not run in the background.
pub fn start_commands(job: &Job, origin: u64, waiting: &mut Waiting) -> Background {
    let (ended, ends) = channel();
    let mut commands = vec![];
    let own = job.commands.iter().enumerate().filter(|(_, command)| command.flow.is_none());
    for (number, job) in own {
        let reporter = if job.background { waiting.background_reporter() } else { waiting.add(name(job)) };
        let stage = Arc::new(Mutex::new(Stage::Waiting));
        let command =
            Scheduled { number: number as u32, job: job.clone(), origin, reporter, stage, ended: ended.clone() };
        if job.background {
            commands.push(command.clone());
        }
        thread::spawn(move || command.attend());
    }
    Background { commands, ends }
}

fn name(job: &CommandJob) -> String {
    format!("{}: command \"{}\"", job.namespace, job.command)
}

/// The commands that end with the trial.
pub struct Background {
    commands: Vec<Scheduled>,
    ends: Receiver<u32>,
}

impl Background {
    /// Ends the commands that still run and waits until each has been reported.
    pub fn end(self) {
        let mut leaders: Vec<(u32, u32)> = vec![];
        for command in &self.commands {
            let mut stage = command.stage();
            match *stage {
                Stage::Waiting => {
                    *stage = Stage::Over;
                    command.tell(None, String::new());
                }
                Stage::Running(leader) => {
                    *stage = Stage::Ending;
                    leaders.push((command.number, leader));
                }
                Stage::Ending | Stage::Over => {}
            }
        }
        leaders.iter().for_each(|(_, leader)| sys::end_group(*leader));
        let deadline = sys::now() + GRACE.as_nanos() as u64;
        let mut left = leaders.clone();
        while !left.is_empty() {
            let patience = Duration::from_nanos(deadline.saturating_sub(sys::now()));
            let Ok(ended) = self.ends.recv_timeout(patience) else { break };
            left.retain(|(number, _)| *number != ended);
        }
        leaders.iter().for_each(|(_, leader)| sys::kill_group(*leader));
        while !left.is_empty() {
            let Ok(ended) = self.ends.recv() else { break };
            left.retain(|(number, _)| *number != ended);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Waiting,
    /// Running, with this process as the leader of its group.
    Running(u32),
    /// Asked to end.
    Ending,
    Over,
}

#[derive(Clone)]
struct Scheduled {
    number: u32,
    job: CommandJob,
    origin: u64,
    reporter: Reporter,
    stage: Arc<Mutex<Stage>>,
    ended: Sender<u32>,
}

impl Scheduled {
    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs the command to its end, then reads and drops the output of processes that it left behind.
    fn attend(&self) {
        match self.run() {
            Err(what) => self.reporter.report(Err(format!("{}: {what}", name(&self.job)))),
            Ok(None) => {}
            Ok(Some(output)) => command::drop_rest(output),
        }
    }

    fn run(&self) -> Result<Option<PipeReader>, String> {
        sys::enter_namespace(&self.job.namespace)?;
        sys::sleep_exactly_until(self.origin + self.job.at);
        let Some((mut child, mut reader)) = self.spawn().map_err(|e| format!("cannot run it: {e}"))? else {
            return Ok(None);
        };
        let mut output = Output::default();
        let is_ending = || *self.stage() == Stage::Ending;
        let followed = command::follow(&mut child, &mut reader, &mut output, is_ending);
        let status = followed.map_err(|e| format!("cannot follow it: {e}"))?;
        self.end(status, output.text());
        Ok(Some(reader))
    }

    /// Starts the command; `None` if the trial is already over.
    fn spawn(&self) -> Result<Option<(Child, PipeReader)>, Error> {
        let mut stage = self.stage();
        if *stage != Stage::Waiting {
            return Ok(None);
        }
        let (child, reader) = command::spawn(&self.job.command)?;
        *stage = Stage::Running(child.id());
        Ok(Some((child, reader)))
    }

    fn end(&self, status: i32, output: String) {
        let mut stage = self.stage();
        let ended_with_the_trial = *stage == Stage::Ending;
        *stage = Stage::Over;
        let last = output.lines().rev().map(str::trim).find(|line| !line.is_empty()).map(|line| format!(": {line}"));
        self.tell((!ended_with_the_trial).then_some(status), output);
        let _ = self.ended.send(self.number);
        if !self.job.background {
            self.reporter.report(match status {
                0 => Ok(()),
                _ => Err(format!("{} ended with status {status}{}", name(&self.job), last.unwrap_or_default())),
            });
        }
    }

    fn tell(&self, status: Option<i32>, output: String) {
        let time = sys::now().saturating_sub(self.origin);
        lab::tell(&Message::Ran(Ran { command: self.number, time, status, output }));
    }
}
