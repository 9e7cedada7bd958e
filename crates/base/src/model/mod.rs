//! Models of a connection's rate, from theory and the systems' sources: pure functions.
//!
//! Rates are bit/s, times seconds, sizes bytes, loss a share of 1. `response` converts between a loss share and a
//! rate, `buffer` between a buffer and a window, `tunnel` from an outer MTU to the inner one, and `segment` has the
//! sizes of a segment in its packet, frame and on the wire.

pub mod buffer;
pub mod response;
pub mod segment;
pub mod tunnel;

#[cfg(test)]
mod tests;

use evidence::System;
use evidence::platform::Platform;

/// Share of its link's rate above which a transfer is not slow.
pub const FULL_LINK_SHARE: f64 = 0.9;

/// Number of intervals from which a transfer shows its course, so that trials can be compared with it.
pub const LEAST_INTERVALS: usize = 5;

/// Bandwidth-delay products for which windows and buffers are sized: a loss that halves the window leaves one.
pub const WINDOW_PER_BDP: f64 = 2.0;

/// Returns a current version of each system, for unknown hosts.
pub fn usual_platforms() -> Vec<Platform> {
    let versions = [(System::Linux, "6.12"), (System::FreeBsd, "14.2")];
    let platform = |(system, version): (System, &str)| Some(Platform { system, version: version.parse().ok()? });
    versions.into_iter().filter_map(platform).collect()
}
