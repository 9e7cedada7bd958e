//! From evidence to what limits a transfer, and to what to change.
//!
//! `diagnose` has the flow on one screen; `quantity` what evidence shows of one transfer; `remedy` changes as data, `advise` what to
//! set for a path. It reads evidence only: no file, no clock, no plan.

#![forbid(unsafe_code)]

pub mod advise;
pub mod diagnose;
pub mod quantity;
pub mod remedy;
