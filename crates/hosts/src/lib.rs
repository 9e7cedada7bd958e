//! Real hosts, over the user's own ssh.
//!
//! `field` reaches them, `probe` reads two ends and the path, `field_run` makes an experiment's flows there, `apply` changes a
//! setting, confirms it or puts it back.

#![forbid(unsafe_code)]

pub mod apply;
pub mod field_run;
pub mod login;
pub mod probe;
