//! Network namespaces.

use super::check;
use std::ffi::CString;
use std::fs::{self, File};
use std::io::Error;
use std::os::fd::AsRawFd;
use std::{ptr, thread};

/// Folder where `ip` looks for namespaces by name (ip-netns(8)).
const NAMESPACES: &str = "/run/netns";

static HOST_NAMESPACE: std::sync::OnceLock<File> = std::sync::OnceLock::new();

pub(super) fn remember_outside() -> Result<(), String> {
    fs::create_dir_all(NAMESPACES).map_err(|e| format!("cannot make {NAMESPACES}: {e}"))?;
    let outside = File::open("/proc/thread-self/ns/net").map_err(|e| format!("no network namespaces: {e}"))?;
    HOST_NAMESPACE.set(outside).map_err(|_| "mounted twice".to_string())
}

/// Makes a network namespace that `ip` knows by `name`.
pub fn make_namespace(name: &str) -> Result<(), String> {
    let make = || {
        let path = format!("{NAMESPACES}/{name}");
        File::create(&path)?;
        let target = CString::new(path)?;
        // SAFETY: it only moves this thread into a new namespace.
        check(unsafe { libc::unshare(libc::CLONE_NEWNET) })?;
        // SAFETY: NUL-terminated strings; a bind mount takes neither type nor data.
        let result = unsafe {
            libc::mount(c"/proc/thread-self/ns/net".as_ptr(), target.as_ptr(), ptr::null(), libc::MS_BIND, ptr::null())
        };
        check(result).map(drop)
    };
    let made = make().map_err(|e: Error| format!("cannot make namespace {name}: {e}"));
    leave_namespace().and(made)
}

/// Moves this thread into a namespace for good.
pub fn enter_namespace(name: &str) -> Result<(), String> {
    let enter = || set_namespace(&File::open(format!("{NAMESPACES}/{name}"))?);
    enter().map_err(|e| format!("cannot enter namespace {name}: {e}"))
}

/// Runs `work` in a namespace, then returns this thread to where it was.
pub fn in_namespace<T>(name: &str, work: impl FnOnce() -> T) -> Result<T, String> {
    enter_namespace(name)?;
    let result = work();
    leave_namespace()?;
    Ok(result)
}

/// Runs `work` in the machine's first namespace, on a thread of its own.
pub fn outside_namespaces<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    thread::scope(|scope| {
        let thread = scope.spawn(|| leave_namespace().map(|()| work()));
        thread.join().map_err(|_| "a thread panicked".to_string())?
    })
}

fn leave_namespace() -> Result<(), String> {
    let outside = HOST_NAMESPACE.get().ok_or("the first namespace is not known")?;
    set_namespace(outside).map_err(|e| format!("cannot return to the first namespace: {e}"))
}

fn set_namespace(namespace: &File) -> Result<(), Error> {
    // SAFETY: an open file descriptor.
    check(unsafe { libc::setns(namespace.as_raw_fd(), libc::CLONE_NEWNET) }).map(drop)
}
