//! One ssh(1) connection for all requests to a host.
//!
//! The master runs `cat` there, with goodput's pipe as its input: it ends when goodput does, for any reason. Its
//! socket is in a folder that only this user can enter.

use super::error::no_shell;
use super::{FieldError, Target, left, token};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// The options of the user's ssh.
#[derive(Debug, Clone)]
pub struct Ssh {
    /// Configuration file instead of `~/.ssh/config`.
    pub config: Option<PathBuf>,
    /// Keep-alive interval, seconds; a connection ends after three of them without an answer.
    pub alive: u64,
}

impl Default for Ssh {
    fn default() -> Ssh {
        Ssh { config: None, alive: 5 }
    }
}

/// Timeout for each hop to answer, seconds.
const CONNECT: u64 = 10;

/// Timeout for the master: name service, jump hosts, an agent that asks its user to confirm.
const LOGIN_TIMEOUT: Duration = Duration::from_secs(45);

/// Number of intervals of [`Ssh::alive`] before the connection ends.
const ALIVE_COUNT: u64 = 3;

/// Longest output of a login before the answer, bytes.
const MAX_BANNER_BYTES: u64 = 1 << 20;

/// Time for a master to end by itself.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Longest path of a socket, bytes: ssh first binds it under a longer name, and a socket's name has at most 107 bytes
/// (unix(7)).
const LONGEST_SOCKET: usize = 80;

impl Ssh {
    /// Returns ssh with the user's configuration.
    pub(super) fn program(&self) -> Command {
        let mut command = Command::new("ssh");
        if let Some(config) = &self.config {
            command.arg("-F").arg(config);
        }
        command
    }

    fn command(&self) -> Command {
        let mut command = self.program();
        command.arg("-T");
        for option in
            ["BatchMode=yes", "ClearAllForwardings=yes", "ForwardAgent=no", "ForwardX11=no", "RemoteCommand=none"]
        {
            command.args(["-o", option]);
        }
        command.args(["-o", &format!("ConnectTimeout={CONNECT}")]);
        command.args([
            "-o",
            &format!("ServerAliveInterval={}", self.alive),
            "-o",
            &format!("ServerAliveCountMax={ALIVE_COUNT}"),
        ]);
        command
    }
}

/// An open connection.
#[derive(Debug)]
pub(super) struct Master {
    ssh: Ssh,
    destination: String,
    process: Child,
    input: Option<ChildStdin>,
    folder: TempDir,
}

impl Master {
    /// Connects, and waits until the host has answered.
    pub fn open(ssh: &Ssh, destination: &str) -> Result<Master, FieldError> {
        let target = Target::Ssh(destination.to_owned());
        let folder =
            private_folder().map_err(|error| FieldError::Here { what: "a folder for ssh's socket".into(), error })?;
        let mut command = ssh.command();
        command.args(["-o", "ControlMaster=yes", "-o", "ControlPersist=no", "-S"]).arg(folder.path().join("s"));
        command.args(["--", destination, "cat"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().map_err(|error| FieldError::NoProgram { program: "ssh".into(), error })?;
        let mut input = process.stdin.take();
        let (output, errors) = (process.stdout.take(), process.stderr.take());
        let word = format!("goodput-{}", token());
        // The process may have ended already, which is detected below.
        let _ = input.as_mut().map(|input| writeln!(input, "{word}").and_then(|()| input.flush()));
        let said = thread::spawn(move || {
            let mut said = vec![];
            let _ = errors.map(|errors| errors.take(1 << 16).read_to_end(&mut said));
            String::from_utf8_lossy(&said).into_owned()
        });
        let mut master = Master { ssh: ssh.clone(), destination: destination.into(), process, input, folder };
        let (tell, told) = mpsc::channel();
        thread::spawn(move || {
            let lines =
                output.into_iter().flat_map(|output| BufReader::new(output.take(MAX_BANNER_BYTES)).split(b'\n'));
            let answered = lines.map_while(Result::ok).any(|line| line.ends_with(word.as_bytes()));
            let _ = tell.send(answered);
        });
        match told.recv_timeout(LOGIN_TIMEOUT) {
            Ok(true) => Ok(master),
            Ok(false) | Err(RecvTimeoutError::Disconnected) => {
                master.end();
                Err(no_shell(&target, &said.join().unwrap_or_default(), false))
            }
            Err(RecvTimeoutError::Timeout) => {
                let _ = master.process.kill();
                Err(FieldError::TimedOut { target, seconds: LOGIN_TIMEOUT.as_secs() })
            }
        }
    }

    /// Returns ssh over this connection, up to the command.
    pub fn command(&self) -> Command {
        let mut command = self.ssh.command();
        command.args(["-o", "ControlMaster=no", "-S"]).arg(self.folder.path().join("s"));
        command.args(["--", &self.destination]);
        command
    }

    fn end(&mut self) {
        left(&mut self.process, self.input.take(), CLOSE_TIMEOUT);
    }
}

impl Drop for Master {
    fn drop(&mut self) {
        self.end();
    }
}

fn private_folder() -> std::io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    let folder = builder.prefix("goodput-").tempdir()?;
    match folder.path().as_os_str().len() > LONGEST_SOCKET {
        true => builder.tempdir_in("/tmp"),
        false => Ok(folder),
    }
}
