//! The types of values that keys accept, each with its words for the reference and the values that tests try.

mod amounts;
mod tables;
mod texts;
mod words;

pub use amounts::*;
pub use tables::*;
pub use texts::*;
pub use words::*;
