//! One connection of ssh(1) for all that is asked of a host.
//!
//! The master runs `cat` there, with its input from us: it ends when goodput does, however that ends. Its socket is in a
//! folder that only this user can enter.

use super::error::no_shell;
use super::{FieldError, Target, left, token};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// How the user's ssh is called.
#[derive(Debug, Clone)]
pub struct Ssh {
    /// Instead of `~/.ssh/config`.
    pub config: Option<PathBuf>,
    /// A connection ends after three intervals of so many seconds without an answer.
    pub alive: u64,
}

impl Default for Ssh {
    fn default() -> Ssh {
        Ssh { config: None, alive: 5 }
    }
}

/// Seconds until a host must have answered, of each hop.
const CONNECT: u64 = 10;

/// Until the master must be there: name service, jump hosts, an agent that asks its user to confirm.
const LOGIN_TIMEOUT: Duration = Duration::from_secs(45);

/// Intervals of [`Ssh::alive`].
const ALIVE_COUNT: u64 = 3;

/// What a login prints before the answer is no longer, bytes.
const MAX_BANNER_BYTES: u64 = 1 << 20;

/// Until a master has ended by itself.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// ssh binds its socket under a longer name first, and a name of a socket has 107 bytes at most (unix(7)).
const LONGEST_SOCKET: usize = 80;

impl Ssh {
    /// ssh with the user's configuration.
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
        // It may have ended already, which is seen below.
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

    /// ssh over this connection, up to the command.
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
