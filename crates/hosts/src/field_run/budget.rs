//! The budget of a run on a path.

use std::time::Duration;

/// Limits of bytes and time for all trials together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    pub bytes: u64,
    pub time: Duration,
}
