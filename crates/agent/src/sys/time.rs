//! Virtual time.

use std::ptr;

/// Returns the time of CLOCK_MONOTONIC, ns.
pub fn now() -> u64 {
    read(libc::CLOCK_MONOTONIC)
}

fn read(clock: libc::clockid_t) -> u64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a valid timespec.
    unsafe { libc::clock_gettime(clock, &mut t) };
    t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64
}

/// Returns CLOCK_REALTIME less CLOCK_MONOTONIC, ns. Each reading takes the same virtual time, so the middle of the
/// readings around one is its time.
pub fn real_ahead() -> u64 {
    let (before, real, after) = (now(), read(libc::CLOCK_REALTIME), now());
    real - (before + after) / 2
}

/// Time until every device is active, ns: the kernel activates a hundred at a time, the others up to a second later
/// (net/core/link_watch.c).
const CARRIER_WAIT_NS: u64 = 3_100_000_000;

/// Returns the next whole second of CLOCK_MONOTONIC that is at least [`CARRIER_WAIT_NS`] away, ns, so that trials begin
/// at the same phase of the kernel's clocks however long the set-up took.
pub fn next_second() -> u64 {
    (now() + CARRIER_WAIT_NS).next_multiple_of(1_000_000_000)
}

/// Sleeps until a fixed phase of the clock, to hide small differences in the time that set-up took. The phase keeps
/// FreeBSD's 1 ms ticks off whole milliseconds, when flows begin: otherwise packets would arrive at the instant of a
/// tick.
pub fn settle() {
    const TICK_NS: u64 = 10_000_000;
    const OFFSET_NS: u64 = 400_000;
    sleep_exactly_until((now() + TICK_NS / 2).next_multiple_of(TICK_NS) + OFFSET_NS);
}

/// Sleeps until `at` on CLOCK_MONOTONIC, ns.
pub fn sleep_until(at: u64) {
    let t = timespec(at);
    // SAFETY: a valid timespec; the remaining time is not asked for.
    while unsafe { libc::clock_nanosleep(libc::CLOCK_MONOTONIC, libc::TIMER_ABSTIME, &t, ptr::null_mut()) }
        == libc::EINTR
    {}
}

/// Makes this thread wake exactly on time. By default the kernel lets a thread sleep up to 50 us longer.
pub fn wake_exactly() {
    set_slack(1);
}

/// Sleeps until exactly `at` on CLOCK_MONOTONIC, ns. Programs that this thread starts keep the default slack.
pub fn sleep_exactly_until(at: u64) {
    wake_exactly();
    sleep_until(at);
    set_slack(DEFAULT_SLACK);
}

/// Value of prctl(PR_SET_TIMERSLACK) that restores the thread's initial slack.
const DEFAULT_SLACK: libc::c_ulong = 0;

fn set_slack(ns: libc::c_ulong) {
    // SAFETY: no memory is passed.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, ns) };
}

pub(super) fn timespec(ns: u64) -> libc::timespec {
    libc::timespec { tv_sec: (ns / 1_000_000_000) as i64, tv_nsec: (ns % 1_000_000_000) as i64 }
}
