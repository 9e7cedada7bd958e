//! System calls: all unsafe code of the agent.

mod alarm;
mod capture;
mod conntrack;
mod datagram;
mod device;
mod namespace;
mod napi;
mod pppoe;
mod process;
mod root;
mod socket;
mod stream;
mod time;
mod tun;

pub use alarm::Alarm;
pub use capture::{Captured, Tap, device_name};
pub use conntrack::forget_mappings;
pub use datagram::Head;
pub use device::{Offload, set_offload};
pub use namespace::{enter_namespace, in_namespace, make_namespace, outside_namespaces};
pub use napi::set_polling;
pub use pppoe::begin as begin_pppoe;
pub use process::{end_group, end_of_process, first_readable, kill_group};
pub use root::seal_root;
pub use socket::{Buffer, Family, Socket, Stack};
pub use time::{next_second, now, real_ahead, settle, sleep_exactly_until, sleep_until, wake_exactly};
pub use tun::{Tun, make_tun};

use std::ffi::{CStr, c_int, c_void};
use std::fs;
use std::io::Error;
use std::thread;

/// Makes the guest's root and enters it, with limits high enough for the largest experiment.
pub fn set_guest_up() -> Result<(), String> {
    root::enter_root()?;
    time::settle();
    raise_limits()?;
    namespace::remember_outside()
}

/// Mounts the host's files that commands need. Their number decides how often the kernel reads the clock, 256 ns each
/// time, and its random numbers depend on the time. This function therefore returns at a settled time.
pub fn share_host() -> Result<(), String> {
    root::share_host()?;
    time::settle();
    Ok(())
}

/// Limits for the most flows of an experiment: three files and three threads for each flow, two mappings for each
/// thread. A kernel that takes less gets the second value: `PID_MAX_LIMIT` is 8 pages' worth with `BASE_SMALL` before
/// Linux 6.10 (include/linux/threads.h).
const MAX_FILES: libc::rlim_t = 1 << 18;
const MACHINE_LIMITS: [(&str, [u32; 2]); 3] =
    [("kernel/pid_max", [1 << 22, 1 << 15]), ("kernel/threads-max", [1 << 19; 2]), ("vm/max_map_count", [1 << 20; 2])];

fn raise_limits() -> Result<(), String> {
    let files = libc::rlimit { rlim_cur: MAX_FILES, rlim_max: MAX_FILES };
    // SAFETY: a valid rlimit.
    check(unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &files) })
        .map_err(|e| format!("cannot open many files: {e}"))?;
    for (name, [most, less]) in MACHINE_LIMITS {
        let set = |value: u32| fs::write(format!("/proc/sys/{name}"), value.to_string());
        set(most).or_else(|_| set(less)).map_err(|e| format!("cannot set {name}: {e}"))?;
    }
    Ok(())
}

fn mount(source: &CStr, target: &CStr, kind: &CStr, flags: libc::c_ulong, data: &CStr) -> Result<(), String> {
    // SAFETY: NUL-terminated strings; none of these file systems takes binary data.
    let result =
        unsafe { libc::mount(source.as_ptr(), target.as_ptr(), kind.as_ptr(), flags, data.as_ptr() as *const c_void) };
    check(result).map(drop).map_err(|e| format!("cannot mount {kind:?} on {target:?}: {e}"))
}

/// Starts a thread that nobody waits for.
pub fn spawn(work: impl FnOnce() + Send + 'static) -> Result<(), String> {
    thread::Builder::new().spawn(work).map(drop).map_err(|e| format!("cannot start a thread: {e}"))
}

pub fn power_off() -> ! {
    // SAFETY: no memory is passed.
    unsafe { libc::reboot(libc::RB_POWER_OFF) };
    std::process::exit(1)
}

fn check(result: c_int) -> Result<c_int, Error> {
    if result < 0 { Err(Error::last_os_error()) } else { Ok(result) }
}
