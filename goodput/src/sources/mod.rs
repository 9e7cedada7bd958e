//! Where evidence comes from: files that people have, and trials of the laboratory.

mod apart;
mod files;
mod page;
mod trial;

pub use files::{OfTrial, ReadError, Source, evidence, evidence_with};
pub use page::page;
pub use trial::of_trial;
