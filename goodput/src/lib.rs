//! goodput finds out why TCP is slow on a path, and proves the fix before anybody touches production.
//!
//! `run` has the flow. In reading order: `spec` and `unit` (an experiment as written), `plan` (as resolved), `network`
//! (its commands), `engine` (from a trial to a recording), `recording`, `analyze` and `measure`, `study` (what is still
//! to be run), `stats`, `judge`, `table`, `present`, and the renderers `terminal` and `report`. Beside the flow, `import` reads what iperf3 printed elsewhere, and
//! `compare` holds two runs or listings against each other. `prove` finds what reproduces a transfer, and `proof` runs its trials.
#![forbid(unsafe_code)]

pub mod access;
pub mod advise;
pub mod analyze;
pub mod bisect;
pub mod cache;
pub mod compare;
pub mod data;
pub mod diagnose;
pub mod doctor;
pub mod dry_run;
pub mod engine;
pub mod environment;
pub mod estimate;
pub mod experiment;
pub mod export;
pub mod folder;
pub mod gather;
pub mod interrupt;
pub mod judge;
pub mod junit;
pub mod kernel;
pub mod measure;
pub mod model;
pub mod network;
pub mod output;
pub mod part;
pub mod plan;
pub mod present;
pub mod process;
pub mod progress;
pub mod proof;
pub mod prove;
pub mod quantity;
pub mod recording;
pub mod remedy;
pub mod report;
pub mod rerun;
pub mod run;
pub mod run_folder;
pub mod runner;
pub mod schedule;
pub mod scratch;
pub mod shard;
pub mod show;
pub mod slurm;
pub mod sources;
pub mod stats;
pub mod study;
pub mod suggest;
pub mod sums;
pub mod table;
pub mod terminal;
pub mod trust;
