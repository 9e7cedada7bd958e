//! Watches a guest: ends it when virtual time stands still, and when we leave early.

use std::fs;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// After how long without virtual-time progress a guest is taken for hung.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// CPU time of its kernel: it loops. What it is kept waiting on a busy machine does not count.
    pub cpu: Duration,
    /// Real time in which its kernel sleeps: a program in it computes, or nothing wakes it any more.
    pub asleep: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { cpu: Duration::from_secs(20), asleep: Duration::from_secs(60) }
    }
}

/// Signals upon which UML's kernel panics and shows its stack, and how long that may take. The first shows the stack of
/// what was interrupted, but is taken for a page fault if the last one was in the kernel's own memory; the second shows
/// no more than the place (segv and relay_signal, arch/um/kernel/trap.c).
const LAST_WORDS: [(&str, Duration); 2] = [("SEGV", Duration::from_secs(2)), ("TRAP", Duration::from_secs(5))];

/// Ends its guest when it is dropped.
pub struct Guard {
    watch: Arc<Watch>,
}

struct Watch {
    child: Mutex<Child>,
    reached: Mutex<Reached>,
    over: AtomicBool,
    /// How long virtual time had stood still when the guest was ended, in words.
    hung: Mutex<Option<String>>,
}

#[derive(Default)]
struct Reached {
    /// Virtual time, ns after the network was up.
    time: Option<u64>,
    /// Since the watch last looked.
    progress: bool,
}

impl Guard {
    pub fn new(child: Child, patience: Patience) -> Guard {
        let watch = Arc::new(Watch {
            child: Mutex::new(child),
            reached: Mutex::default(),
            over: AtomicBool::new(false),
            hung: Mutex::default(),
        });
        let watched = Arc::clone(&watch);
        thread::spawn(move || watched.watch(patience));
        Guard { watch }
    }

    /// A frame came in at this virtual time. The agent's own messages are progress as well: set-up takes none.
    pub fn saw(&self, time: Option<u64>, kind: u32) {
        let mut reached = locked(&self.watch.reached);
        reached.progress |= time > reached.time || kind == wire::frame::MESSAGE;
        reached.time = time;
    }

    /// Waits for the guest's end; for how long virtual time stood still if it was ended for that.
    pub fn end(&self) -> Option<String> {
        while !self.watch.has_ended() {
            thread::sleep(Duration::from_millis(1));
        }
        self.watch.over.store(true, Ordering::Relaxed);
        locked(&self.watch.hung).clone()
    }

    /// The virtual time reached, in words. The guest's records come in up to 0.1 s late.
    pub fn when(&self) -> String {
        match locked(&self.watch.reached).time {
            None => "at boot or set-up".into(),
            Some(ns) => format!("after {:.3} s of virtual time", ns as f64 / 1e9),
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if !self.watch.over.swap(true, Ordering::Relaxed) {
            let mut child = locked(&self.watch.child);
            // A guest that has ended by itself is no error here.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Watch {
    fn watch(&self, patience: Patience) {
        let process = locked(&self.child).id();
        let (mut last, mut before) = (Instant::now(), Duration::ZERO);
        let (mut cpu, mut asleep) = (Duration::ZERO, Duration::ZERO);
        while !self.over.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(200));
            if std::mem::take(&mut locked(&self.reached).progress) {
                (cpu, asleep) = (Duration::ZERO, Duration::ZERO);
            }
            let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            let Some((runs, used)) = usage(&stat) else { continue };
            let (since, passed) = (used.saturating_sub(before), last.elapsed());
            (last, before) = (Instant::now(), used);
            cpu += since;
            if !runs && since.is_zero() {
                asleep += passed;
            }
            let stood = match () {
                () if cpu > patience.cpu => format!("{} s of its CPU time", cpu.as_secs()),
                () if asleep > patience.asleep => format!("{} s", asleep.as_secs()),
                () => continue,
            };
            *locked(&self.hung) = Some(stood);
            return self.stop(process);
        }
    }

    /// Ends a guest, and before that has its kernel say where it is.
    fn stop(&self, process: u32) {
        for (signal, patience) in LAST_WORDS {
            // Nobody can wait for the process while its id is used.
            let mut child = locked(&self.child);
            if let Ok(None) = child.try_wait() {
                let _ = Command::new("sh").args(["-c", "kill -s $0 $1", signal, &process.to_string()]).status();
            }
            drop(child);
            let told = Instant::now();
            while !self.has_ended() && told.elapsed() < patience {
                thread::sleep(Duration::from_millis(10));
            }
        }
        let _ = locked(&self.child).kill();
    }

    fn has_ended(&self) -> bool {
        !matches!(locked(&self.child).try_wait(), Ok(None))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no panic holds it")
}

/// Whether a process runs or waits for a processor, and the CPU time it has used: of /proc/PID/stat (proc(5)), which
/// counts in ticks of 10 ms.
fn usage(stat: &str) -> Option<(bool, Duration)> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let fields: Vec<&str> = fields.split(' ').collect();
    let ticks = |field: usize| fields.get(field)?.parse::<u64>().ok();
    Some((fields[0] == "R", Duration::from_millis(10 * (ticks(11)? + ticks(12)?))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_time_is_read_whatever_the_program_is_called() {
        let stat = "18785 (li) nux) R 18783 18785 3293 0 -1 0 4128 1459 0 0 353 2 1 1 20 0 1 0 3671081 337932288 5460";
        assert_eq!(usage(stat), Some((true, Duration::from_millis(3550))));
        assert_eq!(usage(&stat.replace(") R", ") S")), Some((false, Duration::from_millis(3550))));
        assert_eq!(usage(""), None);
        assert_eq!(usage("1 (a) R 2"), None);
    }
}
