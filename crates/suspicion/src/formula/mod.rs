//! Formulas over intervals: named ones of `model` in a table, and expressions that combine them.

mod expression;
mod interval;
mod quantity;
mod table;

pub use expression::{Expression, MAX_BYTES};
pub use interval::Interval;
pub use quantity::{KINDS, Kind};
pub use table::{FORMULAS, Formula, Parameter};
