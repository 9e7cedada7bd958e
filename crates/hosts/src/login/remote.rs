//! An agent running on a host.

use super::agent::{Answer, Order};
use super::talk::{Silence, Talk};
use super::{Bound, FieldError, Lock, Reason, Shell, Target, is_plain};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

/// Arguments that start an agent: a hidden command of goodput's.
pub const AGENT: [&str; 2] = ["field", "agent"];

/// An agent that follows orders. It ends when this is dropped.
#[derive(Debug)]
pub struct Remote {
    target: Target,
    talk: Talk,
}

/// Most lines of a login shell before an answer.
const MAX_GREETING_LINES: usize = 1000;

/// Time for an agent to end.
const END_TIMEOUT: Duration = Duration::from_millis(500);

impl Remote {
    /// Starts an agent: goodput itself if the host shares this machine's files, else a copy of it. Returns an error if
    /// the host cannot run it.
    pub fn start(shell: &Shell, lock: &Lock) -> Result<Remote, FieldError> {
        let here = |error| FieldError::Here { what: "goodput's own file".into(), error };
        let own = env::current_exe().map_err(here)?;
        let path = match own.to_str().filter(|path| shell.target().shares_files() && is_plain(path)) {
            Some(path) => path.to_owned(),
            None => {
                let target = shell.target();
                let machine = shell.ask("reading its architecture", "uname -sm")?;
                let wanted = format!("Linux {}", env::consts::ARCH);
                if machine.trim() != wanted {
                    let said = Reason::Host(machine);
                    let why = format!("it is {said}, and this goodput is for {wanted}");
                    return Err(FieldError::NoTraffic { target: target.clone(), why });
                }
                let path = format!("{}/goodput", lock.folder());
                copy(shell, &own, &path)?;
                if let Err(error) = shell.ask("starting the agent", &format!("{path} --version")) {
                    let why = format!("a copy of goodput does not start there: {error}");
                    return Err(FieldError::NoTraffic { target: target.clone(), why });
                }
                path
            }
        };
        Ok(Remote { target: shell.target().clone(), talk: shell.talk(&[&path, AGENT[0], AGENT[1]])? })
    }

    /// Gives an order and waits for its answer, or until it is interrupted in a section. An answer beyond the bound is
    /// an error.
    pub fn order(&mut self, order: &Order, patience: Duration, bound: Bound) -> Result<Answer, FieldError> {
        let line = serde_json::to_string(order).expect("plain data") + "\n";
        let until = Instant::now() + patience;
        let answer = self.talk.say(line.as_bytes(), until).and_then(|()| self.answer(until, bound));
        let (target, doing) = (self.target.clone(), "the agent".to_owned());
        let too_much = |target, doing| FieldError::TooMuch { target, doing, bytes: bound.bytes };
        match answer {
            Ok(line) if !bound.admits(&line) => Err(too_much(target, doing)),
            Ok(line) => serde_json::from_slice(&line).map_err(|error| {
                let said = Reason::Host(format!("{error}: {:.80}", String::from_utf8_lossy(&line)));
                FieldError::Failed { target, doing, status: 0, said }
            }),
            Err(Silence::TimedOut) => Err(FieldError::timed_out(&target, patience)),
            Err(Silence::TooLong) => Err(too_much(target, doing)),
            Err(Silence::Interrupted) => Err(FieldError::Interrupted),
            Err(Silence::Ended) => {
                let (ended, said) = self.talk.end(END_TIMEOUT);
                let status = ended.and_then(|status| status.code()).unwrap_or(-1);
                Err(FieldError::Failed { target, doing, status, said: Reason::last(&said) })
            }
        }
    }

    /// Returns the next line that may be an answer. A login shell may print a greeting first.
    fn answer(&mut self, until: Instant, bound: Bound) -> Result<Vec<u8>, Silence> {
        for _ in 0..MAX_GREETING_LINES {
            let line = self.talk.line(until, bound.bytes)?;
            if line.starts_with(b"{") {
                return Ok(line);
            }
        }
        Err(Silence::TooLong)
    }
}

/// Copies a program to the host, compressed if both ends can.
fn copy(shell: &Shell, own: &Path, path: &str) -> Result<(), FieldError> {
    let unpacks = shell.run("command -v gzip")?.status == 0;
    let packed = || {
        let packed = Command::new("gzip").args(["-1", "-c"]).arg(own).stdin(Stdio::null()).output();
        packed.ok().filter(|output| output.status.success()).map(|output| output.stdout)
    };
    match unpacks.then(packed).flatten() {
        Some(packed) => {
            shell.put(&format!("{path}.gz"), &packed, false)?;
            shell.ask("unpacking the agent", &format!("gzip -d {path}.gz && chmod 700 {path}")).map(drop)
        }
        None => {
            let here = |error| FieldError::Here { what: "goodput's own file".into(), error };
            shell.put(path, &fs::read(own).map_err(here)?, true)
        }
    }
}
