//! What theory and the systems' sources say of a connection's rate: pure functions.
//!
//! Rates are bit/s, times seconds, sizes bytes, loss a share of 1. `response` goes from a share of loss to a rate and
//! back, `buffer` from a buffer to a window and back, `tunnel` from an MTU outside to the one inside.

pub mod buffer;
pub mod response;
pub mod tunnel;

#[cfg(test)]
mod tests;
