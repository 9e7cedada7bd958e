//! Runs other programs: quietly, or into a log.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use base::interrupt::interrupted;

/// Makes a command that ends with goodput, however goodput ends. Otherwise it would go on in folders that the next
/// build removes.
pub(super) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "TERM", "--"]).arg(name);
    command
}

/// Returns the program that a command runs, also inside setpriv.
fn name(command: &Command) -> String {
    let wrapped = command.get_args().skip_while(|argument| *argument != "--").nth(1);
    let wrapped = wrapped.filter(|_| command.get_program() == "setpriv");
    wrapped.unwrap_or(command.get_program()).to_string_lossy().into_owned()
}

/// Runs a command to its end. Returns its standard output, or all its output if it failed.
pub(super) fn output(command: &mut Command) -> Result<String, String> {
    if interrupted() {
        return Err("interrupted".to_owned());
    }
    let program = name(command);
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
    said += &String::from_utf8_lossy(&output.stderr);
    match said.trim() {
        "" => Err(format!("{program}: {}", output.status)),
        said => Err(said.to_owned()),
    }
}

/// Log of a build: every command and its output.
#[derive(Debug)]
pub(super) struct Log {
    file: File,
}

impl Log {
    pub(super) fn open(path: &Path) -> io::Result<Log> {
        Ok(Log { file: OpenOptions::new().create(true).append(true).open(path)? })
    }

    /// Runs a command to its end and passes each line of output to `seen`. Returns whether it succeeded.
    pub(super) fn run(&mut self, command: &mut Command, mut seen: impl FnMut(&str)) -> io::Result<bool> {
        if interrupted() {
            return Err(io::Error::other("interrupted"));
        }
        writeln!(self.file, "$ {command:?}")?;
        let (reader, writer) = io::pipe()?;
        command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
        let spawned = command.spawn();
        // The command owns the pipe's writing end: while that is open, the reader never sees the end.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = spawned?;
        let mut reader = BufReader::new(reader);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? > 0 {
            self.file.write_all(&line)?;
            seen(String::from_utf8_lossy(&line).trim_end());
            line.clear();
        }
        Ok(child.wait()?.success())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_keeps_what_a_command_says() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut lines = Vec::new();
        let mut log = Log::open(&path).unwrap();
        let good = log
            .run(Command::new("sh").args(["-c", "echo one; echo two >&2; false"]), |line| lines.push(line.to_owned()));
        assert!(!good.unwrap());
        assert_eq!(lines, ["one", "two"]);
        assert!(std::fs::read_to_string(&path).unwrap().ends_with("one\ntwo\n"));
    }

    #[test]
    fn a_failed_command_says_why() {
        assert_eq!(output(Command::new("sh").args(["-c", "echo no >&2; exit 3"])), Err("no".to_owned()));
        assert_eq!(output(&mut program("false")), Err("false: exit status: 1".to_owned()));
        assert!(output(&mut Command::new("no-such-program")).unwrap_err().starts_with("no-such-program: "));
    }
}
