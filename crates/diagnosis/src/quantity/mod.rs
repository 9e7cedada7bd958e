//! Quantities of one transfer, as a table, and an account of its time.
//!
//! [`Transfer`] cuts a connection into steps. [`Account`] says for each step whether cwnd or something else limited
//! it. [`QUANTITIES`] is the table: each row has its definition, its unit, and the programs that print it. A quantity
//! that the evidence lacks is `None`.

mod account;
mod segment;
mod table;
#[cfg(test)]
mod tests;
mod transfer;

pub use account::{Account, Phase};
pub use segment::mss_by_cwnd;
pub use table::{Estimate, QUANTITIES, Quantity, quantity};
pub use transfer::{Path, Step, Transfer};
