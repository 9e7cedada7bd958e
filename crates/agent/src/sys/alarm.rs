//! Interrupts a thread's blocking call on time.

use super::check;
use super::time::{now, timespec};
use std::cell::Cell;
use std::ffi::c_int;
use std::io::Error;
use std::mem::zeroed;
use std::ptr;

/// Signal that interrupts a blocking call.
pub(super) const INTERRUPT: c_int = libc::SIGUSR1;

pub(super) fn install_interrupt() -> Result<(), Error> {
    extern "C" fn nothing(_: c_int) {}
    // SAFETY: sigaction is plain data; no SA_RESTART, so that the call returns.
    let mut action: libc::sigaction = unsafe { zeroed() };
    action.sa_sigaction = nothing as extern "C" fn(c_int) as usize;
    // SAFETY: a valid sigaction with a handler that does nothing.
    check(unsafe { libc::sigaction(INTERRUPT, &action, ptr::null_mut()) }).map(drop)
}

/// A timer that interrupts blocking calls of the thread that made it.
pub struct Alarm {
    timer: libc::timer_t,
    at: Cell<u64>,
}

/// Interval of repeated signals, ns: if one comes just before the call, the next still interrupts it.
const REPEAT_NS: u64 = 1_000_000;

impl Alarm {
    /// Makes an alarm without a time.
    pub fn new() -> Result<Alarm, Error> {
        install_interrupt()?;
        // SAFETY: sigevent is plain data.
        let mut event: libc::sigevent = unsafe { zeroed() };
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = INTERRUPT;
        // SAFETY: no memory is passed.
        event.sigev_notify_thread_id = unsafe { libc::gettid() };
        let mut timer = ptr::null_mut();
        // SAFETY: a valid sigevent, and room for the timer's name.
        check(unsafe { libc::timer_create(libc::CLOCK_MONOTONIC, &mut event, &mut timer) })?;
        Ok(Alarm { timer, at: Cell::new(u64::MAX) })
    }

    /// Rings at `at` (CLOCK_MONOTONIC, ns) instead of any time set before.
    pub fn set(&self, at: u64) -> Result<(), Error> {
        let times = libc::itimerspec { it_interval: timespec(REPEAT_NS), it_value: timespec(at) };
        // SAFETY: the timer exists as long as `self`; `times` is valid.
        check(unsafe { libc::timer_settime(self.timer, libc::TIMER_ABSTIME, &times, ptr::null_mut()) })?;
        self.at.set(at);
        Ok(())
    }

    /// True if the alarm has rung.
    pub fn rang(&self) -> bool {
        self.at.get() != u64::MAX && now() >= self.at.get()
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        // SAFETY: the timer exists, and nobody uses it any more.
        unsafe { libc::timer_delete(self.timer) };
    }
}
