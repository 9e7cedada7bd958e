//! Starts processes that end with their parent, whatever happens to either.

use crate::interrupt::{self, Section, interrupted};
use nix::errno::Errno;
use nix::sys::prctl;
use nix::sys::signal::{kill, killpg};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, getppid};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

pub use nix::sys::signal::Signal;

/// Interval at which a process is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Longest wait for a killed process. One that waits for a disk may take longer, and nothing can end it sooner.
const KILL_WAIT: Duration = Duration::from_secs(2);

/// Asks the kernel to send this process a signal when its parent ends. Exits if the parent has already ended, which
/// shows as another parent than the given one. A child calls this first.
pub fn die_with_parent(parent: u32, signal: Signal) -> io::Result<()> {
    prctl::set_pdeathsig(signal)?;
    if getppid() != pid(parent) {
        std::process::exit(interrupt::EXIT.into());
    }
    Ok(())
}

/// Makes this process the parent of every descendant whose own parent has ended.
pub fn become_subreaper() -> io::Result<()> {
    Ok(prctl::set_child_subreaper(true)?)
}

/// Whether descendants whose parent has ended come to this process.
pub fn is_subreaper() -> bool {
    prctl::get_child_subreaper().unwrap_or(false)
}

/// Sends a signal to an unreaped process of ours. A process that has ended is no error.
pub fn signal(process: u32, signal: Signal) {
    let _ = kill(pid(process), signal);
}

/// Sends a signal to a process group. A group that has ended is no error.
pub fn signal_group(leader: u32, signal: Signal) {
    let _ = killpg(pid(leader), signal);
}

/// Kills and reaps all descendants of this process, if it is a subreaper: orphans become its children and are killed
/// next.
pub fn end_descendants() {
    let began = Instant::now();
    loop {
        for child in children_of(std::process::id()) {
            // An unreaped child keeps its id, so no other process has it.
            self::signal(child, Signal::SIGKILL);
        }
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::StillAlive) => break,
                Err(Errno::EINTR) | Ok(_) => {}
                Err(_) => return,
            }
        }
        if began.elapsed() > KILL_WAIT {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Runs work that ends as soon as its programs do. On a signal, asks the programs to end, and kills those that still
/// run after `patience`.
pub fn ending_programs<T>(patience: Duration, work: impl FnOnce() -> T) -> T {
    let _section = Section::begin();
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| watch(&over, patience));
        // Dropped also if the work panics: the scope waits for the watch.
        let _over = Over(&over);
        work()
    })
}

struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Ends all programs from the first signal until the work is over.
fn watch(over: &AtomicBool, patience: Duration) {
    let mut since: Option<Instant> = None;
    while !over.load(Ordering::SeqCst) {
        if interrupted() {
            let first = since.is_none();
            let asked = *since.get_or_insert_with(Instant::now);
            if asked.elapsed() >= patience {
                signal_descendants(Signal::SIGKILL);
            } else if first {
                signal_descendants(Signal::SIGTERM);
            }
        }
        thread::sleep(POLL_INTERVAL);
    }
}

fn signal_descendants(signal: Signal) {
    let mut waiting = vec![std::process::id()];
    while let Some(parent) = waiting.pop() {
        for child in children_of(parent) {
            self::signal(child, signal);
            waiting.push(child);
        }
    }
}

/// Returns the children of a process, from the lists of all its threads (proc_tid_children(5)).
pub fn children_of(process: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>()).collect()
}

fn pid(id: u32) -> Pid {
    Pid::from_raw(id.cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Child, Command};

    fn sleeping() -> Child {
        Command::new("sleep").arg("600").spawn().unwrap()
    }

    #[test]
    fn children_of_every_thread_are_found() {
        let mut here = sleeping();
        let (told, tell) = std::sync::mpsc::channel();
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let other = thread::spawn(move || {
            let mut child = sleeping();
            told.send(child.id()).unwrap();
            ended.recv().unwrap();
            child.kill().and_then(|()| child.wait()).unwrap();
        });
        let there = tell.recv().unwrap();
        let children = children_of(std::process::id());
        assert!(children.contains(&here.id()) && children.contains(&there), "{children:?}");
        end.send(()).unwrap();
        other.join().unwrap();
        here.kill().and_then(|()| here.wait()).unwrap();
        assert!(!children_of(std::process::id()).contains(&here.id()));
    }
}
