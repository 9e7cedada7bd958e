//! Runs POSIX scripts on a host.

use super::error::no_shell;
use super::framed::{Framed, Kept, Marker};
use super::ssh::Master;
use super::talk::{DRAIN, Silence, Talk, joined};
use super::{FieldError, Ran, Reason, Ssh, Target, is_plain};
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The limits of a script.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub time: Duration,
    /// Limit of each stream, bytes; the rest is read but not kept.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(60), bytes: 8 << 20 }
    }
}

/// A host that runs scripts.
#[derive(Debug)]
pub struct Shell {
    target: Target,
    ssh: Ssh,
    master: Option<Master>,
}

/// Interval between checks of a process.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Time to write a file there, and the slowest rate at which its bytes may pass besides, bytes per second.
const WRITE_TIMEOUT: Duration = Duration::from_secs(60);
const LEAST_WRITE_RATE: u64 = 32 << 10;

impl Shell {
    /// Connects to a host without running anything there yet.
    pub fn open(target: &Target, ssh: &Ssh) -> Result<Shell, FieldError> {
        let master = match target {
            Target::Ssh(destination) => Some(Master::open(ssh, destination)?),
            _ => None,
        };
        Ok(Shell { target: target.clone(), ssh: ssh.clone(), master })
    }

    /// Connects to the same host anew, which shows that it can still be reached.
    pub fn anew(&self) -> Result<Shell, FieldError> {
        Shell::open(&self.target, &self.ssh)
    }

    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Runs a script with an empty standard input, in the C locale, and with the folders of root's programs in PATH.
    pub fn run(&self, script: &str) -> Result<Ran, FieldError> {
        self.run_within(script, Limits::default())
    }

    /// Runs a script within the given limits.
    pub fn run_within(&self, script: &str, limits: Limits) -> Result<Ran, FieldError> {
        let marker = Marker::new();
        let mut process = self.start(self.command(&["sh", "-s"]))?;
        let [output, errors] = [
            process.stdout.take().map(|from| thread::spawn(move || Kept::read(from, limits.bytes))),
            process.stderr.take().map(|from| thread::spawn(move || Kept::read(from, limits.bytes))),
        ];
        let framed = marker.frame(script);
        if let Some(mut input) = process.stdin.take() {
            // A process that reads nothing has ended, which is detected below.
            thread::spawn(move || input.write_all(framed.as_bytes()));
        }
        let began = Instant::now();
        let is_over = loop {
            match process.try_wait() {
                Ok(None) if began.elapsed() > limits.time => break false,
                Ok(None) => thread::sleep(POLL_INTERVAL),
                _ => break true,
            }
        };
        if !is_over {
            let _ = process.kill();
            let _ = process.wait();
            return Err(FieldError::TimedOut { target: self.target.clone(), seconds: limits.time.as_secs() });
        }
        // A program that the script left running may keep the streams open.
        let until = Instant::now() + DRAIN;
        let streams = [output, errors].into_iter().flatten();
        let streams: Option<Vec<Kept>> = streams.map(|thread| joined(thread, until)).collect();
        let left = || FieldError::Failed {
            target: self.target.clone(),
            doing: "the script".into(),
            status: 0,
            said: Reason::Own("it left a program running that holds its output open".into()),
        };
        self.result(&marker, &streams.filter(|both| both.len() == 2).ok_or_else(left)?)
    }

    fn result(&self, marker: &Marker, streams: &[Kept]) -> Result<Ran, FieldError> {
        let (output, errors) = (marker.extract(&streams[0]), marker.extract(&streams[1]));
        let said = String::from_utf8_lossy(&streams[1].head).into_owned();
        match (output, errors) {
            (Framed::Whole { text, status, is_cut }, Framed::Whole { text: stderr, is_cut: errors_cut, .. }) => {
                Ok(Ran { stdout: text, stderr, status, is_cut: is_cut || errors_cut })
            }
            (Framed::Nothing, _) => Err(no_shell(&self.target, &said, true)),
            _ => {
                let (target, said) = (self.target.clone(), Reason::last(&said));
                Err(FieldError::CutOff { target, bytes: streams[0].head.len(), said })
            }
        }
    }

    /// Returns the output of a script that must succeed; `doing` describes it for the error.
    pub fn ask(&self, doing: &str, script: &str) -> Result<String, FieldError> {
        let ran = self.run(script)?;
        match ran.status {
            0 => Ok(ran.stdout),
            status => {
                let said = Reason::last(if ran.stderr.trim().is_empty() { &ran.stdout } else { &ran.stderr });
                Err(FieldError::Failed { target: self.target.clone(), doing: doing.into(), status, said })
            }
        }
    }

    /// Starts a program there with piped input and output. Words pass through a login shell, so they must be plain.
    pub fn spawn(&self, words: &[&str]) -> Result<Child, FieldError> {
        self.start(self.plain(words)?)
    }

    /// Starts a program there to talk to. Words pass through a login shell, so they must be plain.
    pub(super) fn talk(&self, words: &[&str]) -> Result<Talk, FieldError> {
        let command = self.plain(words)?;
        let program = command.get_program().to_string_lossy().into_owned();
        Talk::start(command).map_err(|error| FieldError::NoProgram { program, error })
    }

    fn plain(&self, words: &[&str]) -> Result<Command, FieldError> {
        match words.iter().find(|word| !is_plain(&word.trim_start_matches('-').replace('=', ""))) {
            None => Ok(self.command(words)),
            Some(word) => {
                let error = std::io::Error::other("a word that some login shell would not take as it is");
                Err(FieldError::Here { what: format!("{word:?}"), error })
            }
        }
    }

    /// Writes a file there, readable only by its owner; executable if asked. The folder must exist.
    pub fn put(&self, path: &str, bytes: &[u8], executable: bool) -> Result<(), FieldError> {
        let mut talk = self.talk(&["dd", "bs=65536", &format!("of={path}")])?;
        let time = WRITE_TIMEOUT + Duration::from_secs(bytes.len() as u64 / LEAST_WRITE_RATE);
        let (began, until) = (Instant::now(), Instant::now() + time);
        match talk.say(bytes, until) {
            Err(Silence::TimedOut) => return Err(FieldError::timed_out(&self.target, began.elapsed())),
            Err(Silence::Interrupted) => return Err(FieldError::Interrupted),
            // The program's status and words say why it did not take all of it.
            Ok(()) | Err(Silence::Ended | Silence::TooLong) => {}
        }
        let (ended, said) = talk.end(until.saturating_duration_since(Instant::now()));
        if !ended.is_some_and(|status| status.success()) {
            let status = ended.and_then(|status| status.code()).unwrap_or(-1);
            let (target, doing) = (self.target.clone(), format!("writing {path}"));
            return Err(FieldError::Failed { target, doing, status, said: Reason::Host(said) });
        }
        let mode = if executable { "700" } else { "600" };
        self.ask("setting its mode", &format!("chmod {mode} {path}")).map(drop)
    }

    /// Returns the command line of some words there, as `--dry-run` shows it.
    pub fn shown(target: &Target, words: &[&str]) -> String {
        let front = match target {
            Target::Ssh(destination) => vec!["ssh", destination.as_str()],
            other => other.prefix(),
        };
        [front, words.to_vec()].concat().join(" ")
    }

    pub(super) fn command(&self, words: &[&str]) -> Command {
        if let Some(master) = &self.master {
            let mut command = master.command();
            command.args(words);
            return command;
        }
        let all = [self.target.prefix(), words.to_vec()].concat();
        let mut command = Command::new(all[0]);
        command.args(&all[1..]);
        command
    }

    pub(super) fn start(&self, mut command: Command) -> Result<Child, FieldError> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let program = command.get_program().to_string_lossy().into_owned();
        command.spawn().map_err(|error| FieldError::NoProgram { program, error })
    }
}
