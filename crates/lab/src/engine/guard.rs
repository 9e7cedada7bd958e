//! Watches a guest: ends it if virtual time stops, if it takes too much of the machine, or if goodput leaves early.

use super::load::Most;
use base::process::{self, Signal};
use std::fs;
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// Limits without virtual-time progress after which a guest counts as hung.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// CPU time of its kernel, which loops. Waiting on a busy machine does not count.
    pub cpu: Duration,
    /// CPU time of its programs within a second of virtual time: one of them never sleeps, and computing takes almost
    /// no virtual time.
    pub programs: Duration,
    /// CPU time of its kernel within a second of virtual time: programs keep it busy.
    pub work: Duration,
    /// Real time in which the whole guest sleeps, so nothing will wake it.
    pub asleep: Duration,
    /// Real time that the whole guest sleeps in all, whatever it sends: in virtual time none has to wait.
    pub slept: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        let minute = Duration::from_secs(60);
        Patience {
            cpu: Duration::from_secs(20),
            programs: minute,
            work: 10 * minute,
            asleep: minute,
            slept: 10 * minute,
        }
    }
}

/// Virtual time that counts as headway of programs, ns. A program that only polls the clock makes time creep, because
/// each call takes some of it.
const HEADWAY_NS: u64 = 1_000_000_000;

const NO_LIMITS: Patience = Patience {
    cpu: Duration::ZERO,
    programs: Duration::ZERO,
    work: Duration::ZERO,
    asleep: Duration::ZERO,
    slept: Duration::ZERO,
};

/// Interval between looks at a guest.
const LOOK_INTERVAL: Duration = Duration::from_millis(200);

/// Signals on which UML's kernel panics and shows its stack, each with the time this may take. The first shows the
/// interrupted stack, but is taken for a page fault if the last fault was in the kernel's own memory. The second shows
/// only the place (segv and relay_signal, arch/um/kernel/trap.c).
const LAST_WORDS: [(Signal, Duration); 2] =
    [(Signal::SIGSEGV, Duration::from_secs(2)), (Signal::SIGTRAP, Duration::from_secs(5))];

/// Ends its guest when it is dropped.
pub struct Guard {
    watch: Arc<Watch>,
}

struct Watch {
    child: Mutex<Child>,
    reached: Mutex<Reached>,
    over: AtomicBool,
    /// Longest virtual time, ns. Later times are capped, because code in the guest could send anything.
    length: u64,
    /// Why the guest was ended.
    ended: Mutex<Option<Ended>>,
}

/// Why a guest was ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// How long virtual time had stopped, in words.
    Hung(String),
    /// The part of the machine that it took too much of, in words.
    TooMuch(String),
}

#[derive(Default)]
struct Reached {
    /// Virtual time, ns after the network was up.
    time: Option<u64>,
    /// Whether there was progress since the watch last looked.
    progress: bool,
    /// Whether there was progress of a whole [`HEADWAY_NS`].
    headway: bool,
    /// Start of the current headway interval, ns.
    mark: u64,
}

impl Guard {
    /// Guards a guest whose trial lasts at most this many ns of virtual time.
    pub fn new(child: Child, patience: Patience, most: Most, length: u64) -> Guard {
        let watch = Arc::new(Watch {
            child: Mutex::new(child),
            reached: Mutex::default(),
            over: AtomicBool::new(false),
            length,
            ended: Mutex::default(),
        });
        let watched = Arc::clone(&watch);
        thread::spawn(move || watched.watch(patience, most));
        Guard { watch }
    }

    /// Notes a frame with this virtual time. Messages of the agent are progress too, and count as headway during
    /// set-up, which takes no virtual time. Later, any program in the guest could send them.
    pub fn saw(&self, time: Option<u64>, kind: u32) {
        let mut reached = locked(&self.watch.reached);
        let time = time.map(|time| time.min(self.watch.length));
        let told = kind == wire::frame::MESSAGE;
        reached.progress |= time > reached.time || told;
        reached.headway |= time.is_none();
        if let Some(time) = time.filter(|time| *time >= reached.mark.saturating_add(HEADWAY_NS)) {
            reached.headway = true;
            reached.mark = time;
        }
        reached.time = time;
    }

    /// Whether the guest's kernel has ended.
    pub fn has_ended(&self) -> bool {
        self.watch.has_ended()
    }

    /// Waits for the guest's end. Returns why it was ended, if it was.
    pub fn end(&self) -> Option<Ended> {
        while !self.watch.has_ended() {
            thread::sleep(Duration::from_millis(1));
        }
        self.watch.over.store(true, Ordering::Relaxed);
        self.watch.end_group();
        locked(&self.watch.ended).clone()
    }

    /// True if the guest has sent nothing with a time.
    pub fn at_boot(&self) -> bool {
        locked(&self.watch.reached).time.is_none()
    }

    /// Returns the virtual time reached, in words. The guest's records arrive up to 0.1 s late.
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
            // The guest may have ended by itself; that is no error.
            let _ = child.kill();
            let _ = child.wait();
            drop(child);
            self.watch.end_group();
        }
    }
}

impl Watch {
    fn watch(&self, patience: Patience, most: Most) {
        let process = locked(&self.child).id();
        let (mut last, mut before) = (Instant::now(), Usage::default());
        let mut stood = NO_LIMITS;
        while !self.over.load(Ordering::Relaxed) {
            thread::sleep(LOOK_INTERVAL);
            let mut reached = locked(&self.reached);
            if std::mem::take(&mut reached.progress) {
                [stood.cpu, stood.asleep] = [Duration::ZERO; 2];
            }
            if std::mem::take(&mut reached.headway) {
                [stood.programs, stood.work] = [Duration::ZERO; 2];
            }
            drop(reached);
            if let Some(what) = most.exceeded(process) {
                *locked(&self.ended) = Some(Ended::TooMuch(what));
                return self.kill();
            }
            let Some(used) = Usage::read(process) else { continue };
            let cpu = used.kernel.saturating_sub(before.kernel);
            let programs = used.programs.saturating_sub(before.programs);
            // goodput may have been stopped meanwhile.
            let passed = last.elapsed().min(2 * LOOK_INTERVAL);
            (last, before) = (Instant::now(), used);
            stood.cpu += cpu;
            stood.work += cpu;
            stood.programs += programs;
            if !before.runs && cpu.is_zero() && programs.is_zero() {
                stood.asleep += passed;
                stood.slept += passed;
            }
            let stood = match () {
                () if stood.cpu > patience.cpu => format!("{} s of its CPU time", stood.cpu.as_secs()),
                () if stood.work > patience.work => format!("{} s of its CPU time", stood.work.as_secs()),
                () if stood.programs > patience.programs => {
                    format!("{} s of CPU time of its programs", stood.programs.as_secs())
                }
                () if stood.asleep > patience.asleep => format!("{} s", stood.asleep.as_secs()),
                () if stood.slept > patience.slept => format!("{} s in all", stood.slept.as_secs()),
                () => continue,
            };
            *locked(&self.ended) = Some(Ended::Hung(stood));
            return self.stop(process);
        }
    }

    /// Ends a guest, after its kernel has printed its stack.
    fn stop(&self, id: u32) {
        for (signal, patience) in LAST_WORDS {
            // While the lock is held nobody can wait for the process, so its id stays valid.
            let mut child = locked(&self.child);
            if let Ok(None) = child.try_wait() {
                process::signal(id, signal);
            }
            drop(child);
            let told = Instant::now();
            while !self.has_ended() && told.elapsed() < patience {
                thread::sleep(Duration::from_millis(10));
            }
        }
        self.kill();
    }

    fn kill(&self) {
        let _ = locked(&self.child).kill();
        self.end_group();
    }

    /// Ends processes that the guest started and left.
    fn end_group(&self) {
        process::signal_group(locked(&self.child).id(), Signal::SIGKILL);
    }

    fn has_ended(&self) -> bool {
        !matches!(locked(&self.child).try_wait(), Ok(None))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no panic holds it")
}

/// Processor time that a guest has used.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Usage {
    /// Whether any of its processes runs or waits for a processor.
    runs: bool,
    kernel: Duration,
    /// CPU time of its programs, which are children of its kernel.
    programs: Duration,
}

impl Usage {
    fn read(process: u32) -> Option<Usage> {
        let stat = |process: u32| usage(&fs::read_to_string(format!("/proc/{process}/stat")).ok()?);
        let (runs, kernel, ended) = stat(process)?;
        let programs = process::children_of(process).into_iter().filter_map(stat);
        let own = Usage { runs, kernel, programs: ended };
        Some(programs.fold(own, |all, (runs, used, ended)| Usage {
            runs: all.runs || runs,
            programs: all.programs + used + ended,
            ..all
        }))
    }
}

/// Parses /proc/PID/stat (proc(5)), which counts in ticks of 10 ms. Returns whether the process runs or waits for a
/// processor, its CPU time, and that of its ended children.
fn usage(stat: &str) -> Option<(bool, Duration, Duration)> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let fields: Vec<&str> = fields.split(' ').collect();
    let ticks = |field: usize| fields.get(field)?.parse::<u64>().ok();
    let time = |of: [usize; 2]| Some(Duration::from_millis(10 * (ticks(of[0])? + ticks(of[1])?)));
    Some((fields[0] == "R", time([11, 12])?, time([13, 14])?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    #[test]
    fn cpu_time_is_read_whatever_the_program_is_called() {
        let stat = "18785 (li) nux) R 18783 18785 3293 0 -1 0 4128 1459 0 0 353 2 1 1 20 0 1 0 3671081 337932288 5460";
        let [own, ended] = [3550, 20].map(Duration::from_millis);
        assert_eq!(usage(stat), Some((true, own, ended)));
        assert_eq!(usage(&stat.replace(") R", ") S")), Some((false, own, ended)));
        assert_eq!(usage(""), None);
        assert_eq!(usage("1 (a) R 2"), None);
    }

    /// A guest in which iperf3 polls because its peer is gone still makes progress, 10 ms after 10 ms. A guest that
    /// only sends messages, or times beyond its trial's end, does not.
    #[test]
    fn a_guest_that_creeps_is_ended_and_one_that_gets_on_is_not() {
        const LENGTH: u64 = 1_000_000 * HEADWAY_NS;
        let (long, short) = (Duration::from_secs(600), Duration::from_millis(500));
        let patience = Patience { cpu: long, programs: long, work: long, asleep: long, slept: long };
        let ended = |line: &str, patience: Patience, [from, step]: [u64; 2], kind: u32| {
            let child = Command::new("sh").args(["-c", line]).process_group(0).spawn().unwrap();
            let guard = Guard::new(child, patience, MOST_OF_GUEST, LENGTH);
            let process = locked(&guard.watch.child).id();
            let is_enough = || Usage::read(process).is_none_or(|used| used.programs.max(used.kernel) > 4 * short);
            let mut time = from;
            while !guard.watch.has_ended() && !is_enough() {
                time += step;
                guard.saw(Some(time), kind);
                thread::sleep(Duration::from_millis(10));
            }
            guard.watch.has_ended()
        };
        let of_programs = ("sh -c 'while :; do :; done' & wait", Patience { programs: short, ..patience });
        let of_the_kernel = ("while :; do :; done", Patience { work: short, ..patience });
        for (line, patience) in [of_programs, of_the_kernel] {
            assert!(ended(line, patience, [0, 1_000_000], wire::frame::SAMPLE), "{line}");
            assert!(ended(line, patience, [0, 1_000_000], wire::frame::MESSAGE), "{line}");
            assert!(ended(line, patience, [LENGTH, HEADWAY_NS], wire::frame::SAMPLE), "{line}");
            assert!(ended(line, patience, [u64::MAX - HEADWAY_NS / 2, 1], wire::frame::SAMPLE), "{line}");
            assert!(!ended(line, patience, [0, HEADWAY_NS], wire::frame::SAMPLE), "{line}");
        }
    }

    const MOST_OF_GUEST: Most = Most { processes: 100, bytes: 1 << 30 };

    /// Runs a shell command as a guest. Returns why it was ended, and how long that took.
    fn ended(line: &str, patience: Patience, most: Most) -> (Option<Ended>, Duration) {
        let began = Instant::now();
        let child = Command::new("sh").args(["-c", line]).process_group(0).spawn().unwrap();
        let guard = Guard::new(child, patience, most, u64::MAX);
        let stood = guard.end();
        (stood, began.elapsed())
    }

    fn hung(stood: &str) -> Option<Ended> {
        Some(Ended::Hung(stood.into()))
    }

    /// One sends messages of its own making while it sleeps, another stops itself.
    #[test]
    fn a_guest_that_sleeps_is_ended_by_the_clock_whatever_it_sends() {
        let long = Duration::from_secs(600);
        let patience = Patience { cpu: long, programs: long, work: long, asleep: long, slept: Duration::from_secs(1) };
        let child = Command::new("sh").args(["-c", "sleep 600 & wait"]).process_group(0).spawn().unwrap();
        let guard = Guard::new(child, patience, MOST_OF_GUEST, u64::MAX);
        let began = Instant::now();
        let mut time = 0;
        while !guard.has_ended() && began.elapsed() < Duration::from_secs(20) {
            time += HEADWAY_NS;
            guard.saw(Some(time), wire::frame::MESSAGE);
            thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(guard.end(), hung("1 s in all"));
        let (stood, took) =
            ended("kill -STOP $$", Patience { asleep: Duration::from_secs(1), ..patience }, MOST_OF_GUEST);
        assert!(stood == hung("1 s") || stood == hung("1 s in all"), "{stood:?}");
        assert!(took < Duration::from_secs(20), "{took:?}");
    }

    #[test]
    fn a_guest_that_takes_too_much_is_ended() {
        let most = Most { processes: 20, bytes: 64 << 20 };
        let cases = [
            ("i=0; while [ $i -lt 40 ]; do sleep 600 & i=$((i+1)); done; wait", "more than 20 processes"),
            // It has no line to end, and keeps all of it.
            ("tail -n 1 /dev/zero", "more than 64 MiB of memory"),
            // A file without a name, which no process has mapped.
            (
                "dir=$(mktemp -d /dev/shm/XXXXXX); exec 3>$dir/f; rm -r $dir; head -c 100000000 /dev/zero >&3; sleep 600",
                "more than 64 MiB of memory",
            ),
        ];
        for (line, what) in cases {
            let (stood, took) = ended(line, Patience::default(), most);
            assert_eq!(stood, Some(Ended::TooMuch(what.into())), "{line}");
            assert!(took < Duration::from_secs(20), "{line}: {took:?}");
        }
        let (stood, _) = ended("sleep 1", Patience::default(), most);
        assert_eq!(stood, None);
    }

    #[test]
    fn a_guest_that_stands_still_is_ended_for_what_it_does() {
        let long = Duration::from_secs(600);
        let short = Duration::from_millis(300);
        let patience = Patience { cpu: long, programs: long, work: long, asleep: long, slept: long };
        let loops = "while :; do :; done";
        let cases = [
            (loops, Patience { cpu: short, ..patience }, "0 s of its CPU time"),
            (
                "sh -c 'while :; do :; done' & wait",
                Patience { programs: short, ..patience },
                "0 s of CPU time of its programs",
            ),
            ("while :; do sh -c :; done", Patience { programs: short, ..patience }, "0 s of CPU time of its programs"),
            ("sleep 600 & wait", Patience { asleep: short, ..patience }, "0 s"),
        ];
        for (line, patience, expected) in cases {
            let (stood, took) = ended(line, patience, MOST_OF_GUEST);
            assert_eq!(stood, hung(expected), "{line}");
            assert!(took < Duration::from_secs(20), "{line}: {took:?}");
        }
    }
}
