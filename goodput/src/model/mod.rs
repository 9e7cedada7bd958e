//! What theory and the systems' sources say of a connection's rate: pure functions.
//!
//! Rates are bit/s, times seconds, sizes bytes, loss a share of 1. `response` goes from a share of loss to a rate and
//! back, `buffer` from a buffer to a window and back, `tunnel` from an MTU outside to the one inside,
//! and `segment` has the sizes of a segment in its packet, frame and on the wire.

pub mod buffer;
pub mod response;
pub mod segment;
pub mod tunnel;

#[cfg(test)]
mod tests;

use evidence::System;
use evidence::platform::Platform;

/// Above this share of its link's rate a transfer is not slow.
pub const FULL_LINK_SHARE: f64 = 0.9;

/// From so many intervals on a transfer shows how it went on, so that trials can be compared with it.
pub const LEAST_INTERVALS: usize = 5;

/// Windows and buffers are sized for so many bandwidth-delay products: a loss that halves the window leaves one.
pub const WINDOW_PER_BDP: f64 = 2.0;

/// A current version of each system, for hosts of which nothing is known.
pub(crate) fn usual_platforms() -> Vec<Platform> {
    let versions = [(System::Linux, "6.12"), (System::FreeBsd, "14.2")];
    let platform = |(system, version): (System, &str)| Some(Platform { system, version: version.parse().ok()? });
    versions.into_iter().filter_map(platform).collect()
}
