//! Runs trials on real TCP stacks in virtual time.
//!
//! `run` has the flow from an experiment to its report on one screen. `engine` is the seam: from a trial to a recording; `kernel`
//! builds guest kernels; `cache` shares recordings; `schedule` runs trials side by side.

#![forbid(unsafe_code)]

pub mod bisect;
pub mod cache;
pub mod doctor;
pub mod dry_run;
pub mod engine;
pub mod environment;
pub mod estimate;
pub mod kernel;
pub mod progress;
pub mod rerun;
pub mod run;
pub mod schedule;
pub mod score;
pub mod trial_process;
pub mod trust;
