//! The ground: what every wing may use, and what knows no experiment, no transfer and no host.
//!
//! `model` has the formulas of TCP and its hosts, each with its source; `stats` the statistics; `measure` and `show` units and how
//! numbers are printed. `folder`, `sums`, `output`, `process` and `interrupt` touch the file system, the terminal and processes.

#![forbid(unsafe_code)]

pub mod access;
pub mod folder;
pub mod interrupt;
pub mod model;
pub mod output;
pub mod process;
pub mod show;
pub mod stats;
pub mod suggest;
pub mod sums;
pub mod units;
