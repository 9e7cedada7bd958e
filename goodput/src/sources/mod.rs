//! Where evidence comes from: files that people have, and trials of the laboratory.

mod files;
mod trial;

pub use files::{ReadError, Source, evidence};
pub use trial::of_trial;
