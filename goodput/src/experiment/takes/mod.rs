//! What keys take, each with the words of the reference and the values that tests try.

mod amounts;
mod tables;
mod texts;
mod words;

pub use amounts::*;
pub use tables::*;
pub use texts::*;
pub use words::*;
