//! What a run may use of a line.

use std::time::Duration;

/// Bytes and time of all trials together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    pub bytes: u64,
    pub time: Duration,
}
