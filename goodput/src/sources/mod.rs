//! Where evidence comes from: files that people have, and trials of the laboratory.

mod files;
mod page;
mod trial;

pub use files::{OfTrial, ReadError, Source, evidence};
pub use page::page;
pub use trial::of_trial;
