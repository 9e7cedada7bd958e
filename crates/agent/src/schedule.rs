//! Scheduled work: changes of the network, and the user's commands.

use crate::waiting::{Outcome, Reporter, Waiting};
use crate::{lab, sys, tool};
use std::io::{Error, PipeReader, Read, pipe};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use wire::{ChangeJob, CommandJob, Job, Message, Ran, Tool, frame};

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

/// Time that commands get to end when they are asked to.
const GRACE: Duration = Duration::from_secs(1);

/// Most output of a command that is kept, bytes.
const MOST_OUTPUT: usize = 1 << 20;

/// Most bytes that a command's output may take as JSON, so that the message fits a frame.
const MOST_JSON: usize = frame::MAX - (64 << 10);

/// Starts each command at its time; the trial waits for commands that do not run in the background.
pub fn start_commands(job: &Job, origin: u64, waiting: &mut Waiting) -> Background {
    let (ended, ends) = channel();
    let mut commands = vec![];
    for (number, job) in job.commands.iter().enumerate() {
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
            Ok(Some(mut output)) => {
                let mut buffer = vec![0; 64 << 10];
                while output.read(&mut buffer).is_ok_and(|n| n > 0) {}
            }
        }
    }

    fn run(&self) -> Result<Option<PipeReader>, String> {
        sys::enter_namespace(&self.job.namespace)?;
        sys::sleep_exactly_until(self.origin + self.job.at);
        let Some((mut child, mut reader)) = self.spawn().map_err(|e| format!("cannot run it: {e}"))? else {
            return Ok(None);
        };
        let mut output = Output::default();
        let status = self.follow(&mut child, &mut reader, &mut output).map_err(|e| format!("cannot follow it: {e}"))?;
        self.end(status, output.text());
        Ok(Some(reader))
    }

    /// Starts the command; `None` if the trial is already over.
    fn spawn(&self) -> Result<Option<(Child, PipeReader)>, Error> {
        let mut stage = self.stage();
        if *stage != Stage::Waiting {
            return Ok(None);
        }
        let (reader, writer) = pipe()?;
        let child = Command::new("sh")
            .arg("-c")
            .arg(&self.job.command)
            .env_clear()
            .envs(tool::ENVIRONMENT)
            .env("HOME", "/tmp")
            .current_dir("/tmp")
            .stdin(Stdio::null())
            .stdout(writer.try_clone()?)
            .stderr(writer)
            .process_group(0)
            .spawn()?;
        *stage = Stage::Running(child.id());
        Ok(Some((child, reader)))
    }

    /// Reads output until the command has ended, even if it left processes running; returns its status.
    fn follow(&self, child: &mut Child, reader: &mut PipeReader, output: &mut Output) -> Result<i32, Error> {
        let end = sys::end_of_process(child.id())?;
        while sys::first_readable(&[reader.as_fd(), end.as_fd()], None)? == Some(0) && output.read(reader)? {}
        let status = child.wait()?;
        // Its processes were asked to end and may still print something.
        let patience = if *self.stage() == Stage::Ending { GRACE } else { Duration::ZERO };
        while sys::first_readable(&[reader.as_fd()], Some(patience.as_millis() as u16))?.is_some()
            && output.read(reader)?
        {}
        Ok(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)))
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

/// Output of a command.
#[derive(Default)]
struct Output {
    kept: Vec<u8>,
    /// Bytes printed in all.
    printed: usize,
}

impl Output {
    /// Reads available output; false at the end of the stream.
    fn read(&mut self, reader: &mut PipeReader) -> Result<bool, Error> {
        let mut buffer = [0; 16 << 10];
        let n = reader.read(&mut buffer)?;
        let room = MOST_OUTPUT - self.kept.len();
        self.kept.extend(&buffer[..n.min(room)]);
        self.printed += n;
        Ok(n > 0)
    }

    fn text(&self) -> String {
        let mut most = self.kept.len();
        loop {
            let text = String::from_utf8_lossy(&self.kept[..most]);
            if serde_json::to_string(&text).is_ok_and(|json| json.len() > MOST_JSON) {
                most /= 2;
            } else if most < self.printed {
                let end = if text.ends_with('\n') { "" } else { "\n" };
                return format!(
                    "{text}{end}(cut: the first {most} bytes of {}; fetch a file for more)\n",
                    self.printed
                );
            } else {
                return text.into_owned();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_output_is_cut_and_says_so() {
        let whole = Output { kept: b"fine\n".to_vec(), printed: 5 };
        assert_eq!(whole.text(), "fine\n");
        let cut = Output { kept: b"fi".to_vec(), printed: 5 };
        assert_eq!(cut.text(), "fi\n(cut: the first 2 bytes of 5; fetch a file for more)\n");
        let control = Output { kept: vec![1; MOST_OUTPUT], printed: MOST_OUTPUT };
        assert!(control.text().ends_with("\n(cut: the first 524288 bytes of 1048576; fetch a file for more)\n"));
    }
}
