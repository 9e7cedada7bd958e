//! Quantities of one transfer, and an account of its time.
//!
//! [`Transfer`] cuts a connection into steps; its methods compute the quantities that rules read, `None` if the
//! evidence lacks an input. [`Account`] says for each step whether cwnd or something else limited it.

mod account;
mod segment;
#[cfg(test)]
mod tests;
mod transfer;

pub use account::{Account, Phase};
pub use segment::mss_by_cwnd;
pub use transfer::{Estimate, Path, Step, Transfer};
