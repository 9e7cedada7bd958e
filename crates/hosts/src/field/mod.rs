//! Access to real hosts: over the user's own ssh, and to namespaces, containers and jails of this machine.
//!
//! A [`Target`] names a host, a [`Shell`] runs POSIX scripts there. Nothing is installed; a host's output is data, and
//! reaches no shell.

pub mod agent;
mod collect;
pub(crate) mod controls;
mod error;
mod framed;
pub(crate) mod listing;
mod lock;
mod quote;
pub(crate) mod reach;
pub(crate) mod remote;
mod shell;
mod socket_diag;
mod ssh;
mod target;

pub use collect::{SCRIPT, Scope, collect};
pub use error::FieldError;
pub(crate) use error::namespaces;
pub use framed::Ran;
pub use lock::{Lock, PLACE};
pub use quote::is_plain;
pub use shell::{Limits, Shell};
pub use ssh::Ssh;
pub use target::Target;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::process::{Child, ChildStdin};
use std::thread;
use std::time::{Duration, Instant};

/// Returns a unique word of 16 hexadecimal digits.
pub(crate) fn token() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// Waits for a process that ends with its input, and kills it after a timeout.
fn left(process: &mut Child, input: Option<ChildStdin>, patience: Duration) {
    /// Interval between checks.
    const POLL_INTERVAL: Duration = Duration::from_millis(2);
    drop(input);
    let since = Instant::now();
    while since.elapsed() < patience && matches!(process.try_wait(), Ok(None)) {
        thread::sleep(POLL_INTERVAL);
    }
    let _ = process.kill();
    let _ = process.wait();
}
