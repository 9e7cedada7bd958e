//! Real hosts: over the user's own ssh, and as ends on this machine.
//!
//! A [`Target`] says where a host is, a [`Shell`] runs POSIX scripts there. Nothing is installed; what a host prints is
//! data, and reaches no shell.

mod error;
mod framed;
mod quote;
mod shell;
mod ssh;
mod target;

pub use error::FieldError;
pub use framed::Ran;
pub use quote::{is_plain, quoted};
pub use shell::{Limits, Lock, Shell};
pub use ssh::Ssh;
pub use target::Target;
