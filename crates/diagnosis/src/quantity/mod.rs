//! What was measured of one transfer, and the account of its time.
//!
//! [`Measured`] cuts a connection into steps and computes quantities in the transfer's own units; [`Account`] says for
//! each step how probable each [`State`] is, by observations whose likelihoods are physics.

mod account;
mod history;
mod measured;
mod observation;
mod segment;
mod state;
#[cfg(test)]
mod tests;

pub use account::{Account, Accounted};
pub use measured::{Estimate, Measured, Path, Step};
pub use observation::SIGNS;
pub use segment::mss_by_cwnd;
pub use state::{HELD, PerState, State, TABLE};
