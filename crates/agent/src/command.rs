//! A user's command line as a process: its start, its output and its end.

use crate::{sys, tool};
use std::io::{Error, PipeReader, Read, pipe};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use wire::frame;

/// Time that commands get to end when they are asked to.
pub const GRACE: Duration = Duration::from_secs(1);

/// Most output of a command that is kept, bytes.
const MOST_OUTPUT: usize = 1 << 20;

/// Most bytes that a command's output may take as JSON, so that the message fits a frame.
const MOST_JSON: usize = frame::MAX - (64 << 10);

/// End of the output that is kept for errors, bytes, and its lines that they show.
const MOST_LAST: usize = 4 << 10;
const LAST_LINES: usize = 5;

/// Starts a command in the thread's namespace, as the leader of a group.
pub fn spawn(line: &str) -> Result<(Child, PipeReader), Error> {
    let (reader, writer) = pipe()?;
    let child = Command::new("sh")
        .arg("-c")
        .arg(line)
        .env_clear()
        .envs(tool::ENVIRONMENT)
        .env("HOME", "/tmp")
        .current_dir("/tmp")
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .process_group(0)
        .spawn()?;
    Ok((child, reader))
}

/// Reads output until the command has ended, even if it left processes running; returns its status, or 128 and the
/// signal's number.
pub fn follow(
    child: &mut Child,
    reader: &mut PipeReader,
    output: &mut Output,
    is_ending: impl Fn() -> bool,
) -> Result<i32, Error> {
    let end = sys::end_of_process(child.id())?;
    while sys::first_readable(&[reader.as_fd(), end.as_fd()], None)? == Some(0) && output.read(reader)? {}
    let status = child.wait()?;
    // Its processes were asked to end and may still print something.
    let patience = if is_ending() { GRACE } else { Duration::ZERO };
    while sys::first_readable(&[reader.as_fd()], Some(patience.as_millis() as u16))?.is_some() && output.read(reader)? {
    }
    Ok(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)))
}

/// Reads and drops the output of processes that a command left behind.
pub fn drop_rest(mut reader: PipeReader) {
    let mut buffer = vec![0; 64 << 10];
    while reader.read(&mut buffer).is_ok_and(|n| n > 0) {}
}

/// Output of a command.
#[derive(Default)]
pub struct Output {
    /// Its beginning.
    kept: Vec<u8>,
    /// Its end.
    last: Vec<u8>,
    /// Bytes printed in all.
    printed: usize,
}

impl Output {
    /// Reads available output; false at the end of the stream.
    fn read(&mut self, reader: &mut PipeReader) -> Result<bool, Error> {
        let mut buffer = [0; 16 << 10];
        let n = reader.read(&mut buffer)?;
        self.add(&buffer[..n]);
        Ok(n > 0)
    }

    fn add(&mut self, printed: &[u8]) {
        let room = MOST_OUTPUT - self.kept.len();
        self.kept.extend(&printed[..printed.len().min(room)]);
        self.last.extend(printed);
        self.last.drain(..self.last.len().saturating_sub(MOST_LAST));
        self.printed += printed.len();
    }

    /// Returns the output as far as it is kept.
    pub fn text(&self) -> String {
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

    /// Returns its last lines in one; `None` if it printed nothing.
    pub fn last_lines(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.last);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let shown = &lines[lines.len().saturating_sub(LAST_LINES)..];
        (!shown.is_empty()).then(|| shown.join(" | "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_output_is_cut_and_says_so() {
        let output = |kept: Vec<u8>, printed| Output { kept, last: vec![], printed };
        assert_eq!(output(b"fine\n".to_vec(), 5).text(), "fine\n");
        assert_eq!(output(b"fi".to_vec(), 5).text(), "fi\n(cut: the first 2 bytes of 5; fetch a file for more)\n");
        let control = output(vec![1; MOST_OUTPUT], MOST_OUTPUT);
        assert!(control.text().ends_with("\n(cut: the first 524288 bytes of 1048576; fetch a file for more)\n"));
    }

    #[test]
    fn the_last_lines_are_of_the_end_however_long_the_output_is() {
        let mut output = Output::default();
        assert_eq!(output.last_lines(), None);
        for number in 0..200_000 {
            output.add(format!("line {number}\n\n").as_bytes());
        }
        assert!(output.kept.len() == MOST_OUTPUT && output.last.len() == MOST_LAST);
        let due = "line 199995 | line 199996 | line 199997 | line 199998 | line 199999";
        assert_eq!(output.last_lines().as_deref(), Some(due));
    }
}
