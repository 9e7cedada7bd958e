//! A program that talks to a host. It is read when somebody waits for it and no further, and every exchange with it
//! ends in time.

use super::framed::Kept;
use base::interrupt::interrupted;
use base::process::{self, Signal};
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A program with its input and output.
#[derive(Debug)]
pub(super) struct Talk {
    process: Child,
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    /// Bytes read beyond the last line; less than [`CHUNK`].
    rest: Vec<u8>,
    errors: Option<JoinHandle<Kept>>,
}

/// Why an exchange gave nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Silence {
    /// The program ended, or closed its end.
    Ended,
    /// The time is over.
    TimedOut,
    /// There was more than was asked for.
    TooLong,
    Interrupted,
}

/// Interval between checks for a signal, and for the end of a process.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
const END_INTERVAL: Duration = Duration::from_millis(2);

/// Time in which a program has to take some of what it is given.
const STALL_TIMEOUT: Duration = Duration::from_secs(30);

/// Bytes read at once.
const CHUNK: usize = 64 << 10;

/// Bytes of standard error that are kept.
const MAX_ERRORS: usize = 64 << 10;

impl Talk {
    /// Starts a program in a process group of its own, which ends with this value.
    pub fn start(mut command: Command) -> io::Result<Talk> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut process = command.spawn()?;
        let (input, output) = (process.stdin.take(), process.stdout.take());
        let errors = process.stderr.take().map(|from| thread::spawn(move || Kept::read(from, MAX_ERRORS)));
        let talk = Talk { process, input, output, rest: vec![], errors };
        talk.input.iter().map(AsFd::as_fd).chain(talk.output.iter().map(AsFd::as_fd)).try_for_each(|end| {
            let flags = OFlag::from_bits_retain(fcntl(end, FcntlArg::F_GETFL)?);
            fcntl(end, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK)).map(drop)
        })?;
        Ok(talk)
    }

    /// Writes to the program. It also ends if the program takes nothing for a while.
    pub fn say(&mut self, mut bytes: &[u8], until: Instant) -> Result<(), Silence> {
        while !bytes.is_empty() {
            let Some(input) = &mut self.input else { return Err(Silence::Ended) };
            match input.write(bytes) {
                Ok(count) => bytes = &bytes[count..],
                Err(error) if is_pause(&error) => {
                    wait(&*input, PollFlags::POLLOUT, until.min(Instant::now() + STALL_TIMEOUT))?;
                }
                Err(_) => return Err(Silence::Ended),
            }
        }
        Ok(())
    }

    /// Reads a line of at most so many bytes, without its end.
    pub fn line(&mut self, until: Instant, most: usize) -> Result<Vec<u8>, Silence> {
        let mut line = std::mem::take(&mut self.rest);
        let mut from = 0;
        loop {
            if let Some(end) = line[from..].iter().position(|byte| *byte == b'\n').map(|at| from + at) {
                self.rest = line.split_off(end + 1);
                line.truncate(end);
                return if end > most { Err(Silence::TooLong) } else { Ok(line) };
            }
            if line.len() > most {
                return Err(Silence::TooLong);
            }
            from = line.len();
            self.more(&mut line, until)?;
        }
    }

    /// Adds what there is to read, and waits for it.
    fn more(&mut self, into: &mut Vec<u8>, until: Instant) -> Result<(), Silence> {
        let Some(output) = &mut self.output else { return Err(Silence::Ended) };
        loop {
            let before = into.len();
            into.resize(before + CHUNK, 0);
            let read = output.read(&mut into[before..]);
            into.truncate(before + read.as_ref().copied().unwrap_or(0));
            match read {
                Ok(0) => return Err(Silence::Ended),
                Ok(_) => return Ok(()),
                Err(error) if is_pause(&error) => wait(&*output, PollFlags::POLLIN, until)?,
                Err(_) => return Err(Silence::Ended),
            }
        }
    }

    /// Whether the program has ended.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.process.try_wait(), Ok(None))
    }

    /// Closes the program's input, waits for its end, and kills it after a while. Returns its status, and what it
    /// printed on standard error.
    pub fn end(&mut self, patience: Duration) -> (Option<ExitStatus>, String) {
        self.input = None;
        let until = Instant::now() + patience;
        let mut unread = vec![0; CHUNK];
        while !self.has_ended() && Instant::now() < until {
            // A login shell may greet on standard output, and must not break off at that.
            let read = self.output.as_mut().map_or(Ok(0), |output| output.read(&mut unread));
            if !read.is_ok_and(|count| count > 0) {
                thread::sleep(END_INTERVAL);
            }
        }
        let status = self.process.try_wait().ok().flatten();
        if status.is_none() {
            process::signal_group(self.process.id(), Signal::SIGKILL);
            let _ = self.process.wait();
        }
        let errors = self.errors.take().and_then(|thread| joined(thread, Instant::now() + DRAIN));
        (status, errors.map_or(String::new(), |kept| String::from_utf8_lossy(&kept.head).into_owned()))
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        if !self.has_ended() {
            process::signal_group(self.process.id(), Signal::SIGKILL);
            let _ = self.process.wait();
        }
    }
}

/// Time in which sent data arrives after the end of its process.
pub(super) const DRAIN: Duration = Duration::from_secs(5);

/// Returns what a thread returns, if it ends in time.
pub(super) fn joined<T>(thread: JoinHandle<T>, until: Instant) -> Option<T> {
    while !thread.is_finished() && Instant::now() < until {
        thread::sleep(END_INTERVAL);
    }
    thread.is_finished().then(|| thread.join().ok()).flatten()
}

fn is_pause(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

/// Waits until a descriptor is ready, the time is over, or a signal has arrived in a section.
fn wait(end: &impl AsFd, ready: PollFlags, until: Instant) -> Result<(), Silence> {
    loop {
        if interrupted() {
            return Err(Silence::Interrupted);
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Silence::TimedOut);
        }
        let step = left.min(POLL_INTERVAL).as_millis().max(1);
        let timeout = PollTimeout::try_from(step).unwrap_or(PollTimeout::MAX);
        // An error shows when the descriptor is used next.
        match poll(&mut [PollFd::new(end.as_fd(), ready)], timeout) {
            Ok(0) | Err(nix::errno::Errno::EINTR) => {}
            _ => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(script: &str) -> Talk {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Talk::start(command).unwrap()
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    #[test]
    fn a_program_is_answered_line_by_line() {
        let mut talk = started("read a; echo one $a; printf 'two\\nhalf'; echo oops >&2; exit 3");
        talk.say(b"x\n", soon()).unwrap();
        assert_eq!(talk.line(soon(), 99).unwrap(), b"one x");
        assert_eq!(talk.line(soon(), 99).unwrap(), b"two");
        assert_eq!(talk.line(soon(), 99), Err(Silence::Ended));
        let (status, errors) = talk.end(Duration::from_secs(9));
        assert_eq!((status.unwrap().code(), errors.as_str()), (Some(3), "oops\n"));
    }

    /// One that prints for ever is stopped by its full pipe, and one that reads nothing by the time.
    #[test]
    fn no_more_is_read_than_was_asked_for_and_no_longer() {
        let mut talk = started("yes '{}'; sleep 600");
        assert_eq!(talk.line(soon(), 99).unwrap(), b"{}");
        assert!(talk.rest.len() <= CHUNK);
        let mut talk = started("yes '{}' | tr -d '\\n'");
        assert_eq!(talk.line(soon(), 1 << 20), Err(Silence::TooLong));
        let mut talk = started("sleep 600");
        let began = Instant::now();
        let until = || Instant::now() + Duration::from_millis(200);
        assert_eq!(talk.line(until(), 99), Err(Silence::TimedOut));
        assert_eq!(talk.say(&[0; 1 << 20], until()), Err(Silence::TimedOut));
        assert_eq!(talk.end(Duration::from_millis(200)).0, None);
        assert!(began.elapsed() < Duration::from_secs(10));
    }
}
