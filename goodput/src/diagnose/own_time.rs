//! Whether a program hands over data at its own time.

use super::flow::Flow;
use super::rate_regularity::Seconds;

/// Above this share of its line it is the line's rate that it keeps to.
pub const FULL: f64 = 0.85;
/// In a capture, so many of its bursts leave by themselves: of programs that pace themselves 0.49 and more, of senders with data
/// 0.06 and less.
const OWN_PACE: f64 = 0.4;
/// A pacer that keeps to cwnd varies by more than this between seconds.
pub const STEADY: f64 = 0.05;

impl Flow<'_> {
    /// Whether packets leave when a program hands over data and not when an ACK arrives, on a line that has room.
    pub(crate) fn is_at_its_own_time(&self) -> bool {
        let room = self.expected().is_some() && self.fills(FULL) == Some(false);
        let own_pace = self.seen.own_pace.is_some_and(|share| share > OWN_PACE);
        room && !self.is_bbr() && own_pace && Seconds::added(self).is_some_and(|seconds| seconds.varies < STEADY)
    }
}
