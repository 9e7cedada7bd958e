//! Access to real hosts: over the user's own ssh, and to namespaces, containers and jails of this machine.
//!
//! A [`Target`] names a host, a [`Shell`] runs POSIX scripts there. Nothing is installed; a host's output is data, and
//! reaches no shell.

pub mod agent;
mod bound;
mod collect;
pub(crate) mod controls;
mod error;
mod framed;
pub(crate) mod listing;
mod lock;
mod quote;
pub(crate) mod reach;
mod reason;
pub(crate) mod remote;
mod shell;
mod socket_diag;
mod ssh;
mod talk;
mod target;

pub use bound::Bound;
pub use collect::{SCRIPT, Scope, collect};
pub use error::FieldError;
pub(crate) use error::namespaces;
pub use framed::Ran;
pub use lock::{Lock, PLACE};
pub use quote::is_plain;
pub use reason::Reason;
pub use shell::{Limits, Shell};
pub use ssh::Ssh;
pub use target::Target;

use std::hash::{BuildHasher, Hasher, RandomState};

/// Returns a unique word of 16 hexadecimal digits.
pub(crate) fn token() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}
