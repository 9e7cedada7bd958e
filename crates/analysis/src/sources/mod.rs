//! Sources of evidence: users' files, and trials of the lab.

mod different_paths;
mod files;
mod page;
mod probe;
mod trial;

pub use files::{OfTrial, ReadError, Source, bytes, evidence, evidence_with, is_there, of_ends, one_trial, slower};
pub use page::page;
pub use probe::{PROBE, Probe, Transfer};
pub use trial::of_trial;
