//! One ssh(1) connection for all requests to a host.
//!
//! The master runs `cat` there, with goodput's pipe as its input: it ends when goodput does, for any reason. Its
//! socket is in a folder that only this user can enter, and that goes with the master (`ssh.sh`).

use super::error::no_shell;
use super::talk::{Silence, Talk};
use super::{FieldError, Target, token};
use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
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

/// Longest output of a login before the answer: lines, and bytes of each.
pub(super) const MAX_BANNER_LINES: usize = 10_000;
pub(super) const MAX_LINE_BYTES: usize = 4096;

/// Time for a master to end by itself, which `ssh.sh` gives it two seconds for.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(4);

/// Script that removes the socket's folder.
const CLEANING: &str = include_str!("ssh.sh");

/// Longest path of the folder, bytes: ssh first binds the socket under a longer name, which has at most 107 bytes
/// (unix(7)).
const LONGEST_FOLDER: usize = 80;

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
    talk: Talk,
    folder: TempDir,
}

impl Master {
    /// Connects, and waits until the host has answered.
    pub fn open(ssh: &Ssh, destination: &str) -> Result<Master, FieldError> {
        let target = Target::Ssh(destination.to_owned());
        let here = |error| FieldError::Here { what: "a folder for ssh's socket".into(), error };
        let missing = |error| FieldError::NoProgram { program: "ssh".into(), error };
        ssh.program().arg("-V").stdin(Stdio::null()).output().map_err(missing)?;
        let folder = private_folder().map_err(here)?;
        let mut master = ssh.command();
        master.args(["-o", "ControlMaster=yes", "-o", "ControlPersist=no", "-S"]).arg(folder.path().join("s"));
        master.args(["--", destination, "cat"]);
        let mut command = Command::new("sh");
        command.args(["-c", CLEANING, "sh"]).arg(folder.path()).arg(master.get_program()).args(master.get_args());
        let talk = Talk::start(command).map_err(|error| FieldError::NoProgram { program: "sh".into(), error })?;
        let mut master = Master { ssh: ssh.clone(), destination: destination.into(), talk, folder };
        match master.greeted(Instant::now() + LOGIN_TIMEOUT) {
            Ok(()) => Ok(master),
            Err(Silence::TimedOut) => {
                master.talk.end(Duration::ZERO);
                Err(FieldError::timed_out(&target, LOGIN_TIMEOUT))
            }
            Err(Silence::Interrupted) => Err(FieldError::Interrupted),
            Err(Silence::Ended | Silence::TooLong) => {
                let (_, said) = master.talk.end(CLOSE_TIMEOUT);
                Err(no_shell(&target, &said, false))
            }
        }
    }

    /// Waits until a word comes back, behind whatever the login prints.
    fn greeted(&mut self, until: Instant) -> Result<(), Silence> {
        let word = format!("goodput-{}", token());
        // The process may have ended already, which is detected below.
        let _ = self.talk.say(format!("{word}\n").as_bytes(), until);
        for _ in 0..MAX_BANNER_LINES {
            if self.talk.line(until, MAX_LINE_BYTES)?.ends_with(word.as_bytes()) {
                return Ok(());
            }
        }
        Err(Silence::TooLong)
    }

    /// Returns ssh over this connection, up to the command.
    pub fn command(&self) -> Command {
        let mut command = self.ssh.command();
        command.args(["-o", "ControlMaster=no", "-S"]).arg(self.folder.path().join("s"));
        command.args(["--", &self.destination]);
        command
    }
}

impl Drop for Master {
    fn drop(&mut self) {
        self.talk.end(CLOSE_TIMEOUT);
    }
}

/// Makes a folder that only this user can enter, whatever the umask.
fn private_folder() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("goodput-").permissions(Permissions::from_mode(0o700));
    let folder = builder.tempdir()?;
    match folder.path().as_os_str().len() > LONGEST_FOLDER {
        true => builder.tempdir_in("/tmp"),
        false => Ok(folder),
    }
}
