//! Detects programs that pace their own data.

use super::flow::Flow;
use super::rate_regularity::Seconds;

/// Share of the link rate above which a constant rate is the link's.
pub const NEARLY_FULL_LINK_SHARE: f64 = 0.85;
/// Smallest share of bursts in a capture that start without an ACK: 0.49 and more for programs that pace themselves,
/// 0.06 and less for senders with data.
pub const MIN_OWN_BURSTS_SHARE: f64 = 0.4;
/// Variation between seconds that a pacer bound to cwnd exceeds.
pub const MAX_PACED_VARIATION: f64 = 0.05;

impl Flow<'_> {
    /// Whether packets leave when a program hands over data, and not when an ACK arrives, on a link with spare
    /// capacity.
    pub(crate) fn is_at_its_own_time(&self) -> bool {
        let room = self.expected().is_some() && self.fills(NEARLY_FULL_LINK_SHARE) == Some(false);
        let own_pace = self.seen.own_pace.is_some_and(|share| share > MIN_OWN_BURSTS_SHARE);
        room && !self.is_bbr()
            && own_pace
            && Seconds::added(self).is_some_and(|seconds| seconds.varies < MAX_PACED_VARIATION)
    }
}
