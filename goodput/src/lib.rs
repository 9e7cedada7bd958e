//! goodput finds out why TCP is slow on a path, and proves the fix before anybody touches production.
//!
//! ARCHITECTURE.md lists the parts in reading order.
//!
//! From an experiment to a report: `run` has the flow on one screen; `experiment` (as written), `plan` (as resolved),
//! `network` (its commands), `engine` (from a trial to a recording), `recording`, `analyze` and `measure`, `study`
//! (trials still needed), `stats`, `judge`, `table`, `present`, and the renderers `terminal` and `report`.
//!
//! From listings to an answer: `sources` reads them into the types of the crate `evidence`, `diagnose` finds the
//! bottleneck, `remedy` has the commands, `compare` compares two runs or listings. `prove` finds the mechanism that
//! reproduces a transfer, and `proof` runs its trials.
//!
//! Public items are those that the command line, the benches, the fuzzers and the tests of `goodput/tests` use.
#![forbid(unsafe_code)]

pub mod access;
pub mod advise;
pub mod analyze;
pub mod apply;
pub mod bisect;
mod cache;
pub mod compare;
pub mod data;
pub mod diagnose;
pub mod differs;
pub mod doctor;
pub mod dry_run;
pub mod engine;
pub mod environment;
pub mod estimate;
pub mod experiment;
pub mod export;
pub mod facts;
pub mod field;
pub mod field_run;
pub mod folder;
pub mod formula;
pub mod gather;
pub mod interrupt;
mod judge;
pub mod junit;
pub mod kernel;
pub mod measure;
pub mod model;
pub mod network;
pub mod output;
pub mod part;
pub mod plan;
pub mod present;
pub mod probe;
pub mod process;
pub mod progress;
pub mod proof;
pub mod prove;
pub mod quantity;
pub mod recording;
pub mod remedy;
mod report;
pub mod rerun;
pub mod run;
pub mod run_folder;
mod runner;
mod schedule;
pub mod schema;
mod scratch;
pub mod shard;
pub mod show;
pub mod slurm;
pub mod sources;
pub mod stats;
mod study;
pub mod suggest;
pub mod sums;
pub mod suspicion;
pub mod suspicion_lab;
mod table;
pub mod terminal;
pub mod trust;
