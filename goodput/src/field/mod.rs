//! Real hosts: over the user's own ssh, and as ends on this machine.
//!
//! A [`Target`] says where a host is, a [`Shell`] runs POSIX scripts there. Nothing is installed; what a host prints is
//! data, and reaches no shell.

pub mod agent;
mod collect;
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
pub use framed::Ran;
pub use lock::Lock;
pub use quote::{is_plain, quoted};
pub use shell::{Limits, Shell};
pub use ssh::Ssh;
pub use target::Target;
