//! An agent running on a host.

use super::agent::{Answer, Order};
use super::{FieldError, Lock, Shell, Target, is_plain};
use base::interrupt::interrupted;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, fs};

/// Arguments that start an agent: a hidden command of goodput's.
pub const AGENT: [&str; 2] = ["field", "agent"];

/// Longest answer of an agent, bytes: ten minutes of screens are 40 MB.
const MAX_ANSWER_BYTES: u64 = 256 << 20;

/// An agent that follows orders. It ends when this is dropped.
#[derive(Debug)]
pub struct Remote {
    target: Target,
    process: Child,
    input: Option<ChildStdin>,
    answers: Receiver<String>,
}

impl Remote {
    /// Starts an agent: goodput itself if the host shares this machine's files, else a copy of it. Returns an error if
    /// the host cannot run it.
    pub fn start(shell: &Shell, lock: &Lock) -> Result<Remote, FieldError> {
        let here = |error| FieldError::Here { what: "goodput's own file".into(), error };
        let own = env::current_exe().map_err(here)?;
        let path = match own.to_str().filter(|path| shell.target().shares_files() && is_plain(path)) {
            Some(path) => path.to_owned(),
            None => {
                let machine = shell.ask("reading its architecture", "uname -sm")?;
                let wanted = format!("Linux {}", env::consts::ARCH);
                if machine.trim() != wanted {
                    let why = format!("it is {}, and this goodput is for {wanted}", machine.trim());
                    return Err(FieldError::NoTraffic { target: shell.target().clone(), why });
                }
                let path = format!("{}/goodput", lock.folder());
                copy(shell, &own, &path)?;
                if let Err(error) = shell.ask("starting the agent", &format!("{path} --version")) {
                    let why = format!("a copy of goodput does not start there: {error}");
                    return Err(FieldError::NoTraffic { target: shell.target().clone(), why });
                }
                path
            }
        };
        let mut process = shell.spawn(&[&path, AGENT[0], AGENT[1]])?;
        let (tell, answers) = mpsc::channel();
        let output = process.stdout.take();
        thread::spawn(move || {
            // A login shell may print a greeting first.
            output
                .into_iter()
                .flat_map(lines)
                .filter(|line| line.starts_with('{'))
                .take_while(|line| tell.send(line.clone()).is_ok())
                .for_each(drop);
        });
        let input = process.stdin.take();
        Ok(Remote { target: shell.target().clone(), process, input, answers })
    }

    /// Gives an order and waits for its answer, or until it is interrupted in a section.
    pub fn order(&mut self, order: &Order, patience: Duration) -> Result<Answer, FieldError> {
        let line = serde_json::to_string(order).expect("plain data") + "\n";
        let sent = self
            .input
            .as_mut()
            .is_some_and(|input| input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_ok());
        let answer = sent.then(|| self.answer(patience));
        if interrupted() {
            return Err(FieldError::Interrupted);
        }
        match answer {
            Some(Ok(line)) => serde_json::from_str(&line).map_err(|error| FieldError::Failed {
                target: self.target.clone(),
                doing: "the agent".into(),
                status: 0,
                said: format!("it answered {line:.80}: {error}"),
            }),
            Some(Err(RecvTimeoutError::Timeout)) => {
                Err(FieldError::TimedOut { target: self.target.clone(), seconds: patience.as_secs() })
            }
            _ => Err(self.ended()),
        }
    }

    fn answer(&self, patience: Duration) -> Result<String, RecvTimeoutError> {
        /// Interval between checks for a signal.
        const POLL_INTERVAL: Duration = Duration::from_millis(50);
        let began = Instant::now();
        loop {
            let left = patience.saturating_sub(began.elapsed());
            match self.answers.recv_timeout(left.min(POLL_INTERVAL)) {
                Err(RecvTimeoutError::Timeout) if left > POLL_INTERVAL && !interrupted() => {}
                answer => return answer,
            }
        }
    }

    fn ended(&mut self) -> FieldError {
        let _ = self.process.kill();
        let status = self.process.wait().ok().and_then(|status| status.code()).unwrap_or(-1);
        let mut said = String::new();
        if let Some(errors) = self.process.stderr.take() {
            let lines = BufReader::new(errors).lines().map_while(Result::ok);
            said = lines.filter(|line| !line.trim().is_empty()).last().unwrap_or_default();
        }
        FieldError::Failed { target: self.target.clone(), doing: "the agent".into(), status, said }
    }
}

/// Returns the lines of a stream, cut at the length of the longest answer.
fn lines(from: impl Read) -> impl Iterator<Item = String> {
    let mut from = BufReader::new(from);
    std::iter::from_fn(move || {
        let mut line = vec![];
        let count = (&mut from).take(MAX_ANSWER_BYTES).read_until(b'\n', &mut line).ok()?;
        (count > 0).then(|| String::from_utf8_lossy(&line).into_owned())
    })
}

/// Copies a program to the host, compressed if both ends can.
fn copy(shell: &Shell, own: &Path, path: &str) -> Result<(), FieldError> {
    let packed = Command::new("gzip").args(["-1", "-c"]).arg(own).stdin(Stdio::null()).output();
    let packed = packed.ok().filter(|output| output.status.success()).map(|output| output.stdout);
    match packed.filter(|_| shell.run("command -v gzip").is_ok_and(|ran| ran.status == 0)) {
        Some(packed) => {
            shell.put(&format!("{path}.gz"), packed, false)?;
            shell.ask("unpacking the agent", &format!("gzip -d {path}.gz && chmod 700 {path}")).map(drop)
        }
        None => {
            let here = |error| FieldError::Here { what: "goodput's own file".into(), error };
            shell.put(path, fs::read(own).map_err(here)?, true)
        }
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
