//! Handles SIGINT, SIGTERM and SIGHUP. They end goodput at once, except in sections that must save something or end
//! processes. A second signal ends those as well.

use nix::sys::signal::SigSet;
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
use signal_hook::{SigId, flag, low_level};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::{fs, io};

/// Exit code of an interrupted command.
pub const EXIT: u8 = 130;

/// Whether the next signal ends the process.
static AT_ONCE: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));
static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// Handlers that let a second signal end a section.
static REPEATS: Mutex<Vec<SigId>> = Mutex::new(vec![]);
static SECTIONS: AtomicUsize = AtomicUsize::new(0);

/// Starts to handle signals, even those that the parent blocked or ignored. SIGHUP stays ignored, as nohup(1) intends.
pub fn listen() -> io::Result<()> {
    SigSet::all().thread_unblock()?;
    // While SIGCHLD is ignored, nobody could wait for a child. Children inherit a handler as the default.
    flag::register(SIGCHLD, Arc::default())?;
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        if signal == SIGHUP && is_ignored(signal) {
            continue;
        }
        flag::register_conditional_shutdown(signal, EXIT.into(), Arc::clone(&AT_ONCE))?;
        flag::register(signal, Arc::clone(&INTERRUPTED))?;
        let repeat = flag::register(signal, Arc::clone(&AT_ONCE))?;
        REPEATS.lock().expect("nobody panics with it").push(repeat);
    }
    Ok(())
}

/// Lets sections end by themselves however many signals arrive. Used by a process that ends soon, and that gets one
/// signal for each thread of its parent that ends (PR_SET_PDEATHSIG).
pub fn ignore_repeats() {
    for repeat in REPEATS.lock().expect("nobody panics with it").drain(..) {
        low_level::unregister(repeat);
    }
}

/// Whether this process was started with a signal ignored (proc_pid_status(5)).
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// True if a signal arrived during a section, which should then end as soon as it can.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// A section that ends by itself when it is [`interrupted`]. Check once more after it.
#[derive(Debug)]
pub struct Section(());

impl Section {
    pub fn begin() -> Section {
        if SECTIONS.fetch_add(1, Ordering::SeqCst) == 0 {
            AT_ONCE.store(false, Ordering::SeqCst);
        }
        Section(())
    }
}

impl Drop for Section {
    fn drop(&mut self) {
        if SECTIONS.fetch_sub(1, Ordering::SeqCst) == 1 {
            AT_ONCE.store(true, Ordering::SeqCst);
        }
    }
}
