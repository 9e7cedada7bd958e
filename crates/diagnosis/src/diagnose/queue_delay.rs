//! Delays of a flow that are a queue's, and those that are none: timers, delayed ACKs, and bursts of its own.

use super::flow::Flow;
use super::path_facts::Known;

/// Share of the link rate below which the connection has no queue of its own at the link.
const NO_QUEUE_LINK_SHARE: f64 = 0.7;

/// Largest RTT without a queue over that of the idle path, plus [`Flow::unqueued`].
const MAX_IDLE_RTT_RATIO: f64 = 1.25;
/// Largest addition to an RTT without a queue, seconds: what timers and interrupts of hosts add, and where a queue has
/// to be certain.
pub const TIMER_DELAY_S: f64 = 0.002;
pub const QUEUE_DELAY_S: f64 = 0.003;
/// Largest backlog that counts as no queue, packets.
pub const MAX_NO_QUEUE_PACKETS: f64 = 2.0;

/// Shortest delay of an acknowledgment in Linux, seconds (TCP_DELACK_MIN).
const DELAYED_ACK_S: f64 = 0.04;

impl Flow<'_> {
    /// Whether RTTs exceed those of the idle path: this connection or others keep a queue filled.
    pub(crate) fn has_queue(&self) -> bool {
        self.queueing()
            .is_some_and(|[base, middle, _]| middle > MAX_IDLE_RTT_RATIO * base + self.unqueued(base, QUEUE_DELAY_S))
    }

    /// Whether RTTs exceed those of the idle path by that many seconds, beyond what bursts and delayed ACKs add.
    pub(crate) fn is_raised(&self, by: f64) -> Option<bool> {
        self.queueing().map(|[base, middle, _]| middle > 1.1 * base + self.unqueued(base, TIMER_DELAY_S) + by)
    }

    /// Returns the part of an RTT under load above the idle path's that is no queue, seconds: up to `most`, which
    /// timers and interrupts of hosts add. On a shorter path more than the idle RTT is a queue, unless it holds no more
    /// than two packets at this rate (Little's law).
    pub(crate) fn unqueued(&self, base: f64, most: f64) -> f64 {
        let rate = self.total.or(self.seen.goodput).filter(|rate| *rate > 0.0);
        let few = rate.map_or(most, |rate| MAX_NO_QUEUE_PACKETS * 8.0 * self.mss / rate);
        most.min(base.max(few))
    }

    /// Returns the link, if it is known to have room and so no queue, and the sender sends its window in bursts. BBR
    /// paces.
    fn bursts_into(&self) -> Option<&Known> {
        self.expected().filter(|_| self.fills(NO_QUEUE_LINK_SHARE) == Some(false) && !self.is_bbr())
    }

    /// Returns the mean delay that bursts of its own cwnd add to RTTs, seconds, if the link has room for them. The last
    /// packet of a cwnd waits for all of it, the first for none; one of them may wait for a delayed ACK.
    pub(crate) fn own_burst(&self) -> Option<f64> {
        let line = self.bursts_into()?;
        let window = self.cwnd.or_else(|| self.median(|point| point.in_flight))?;
        Some(4.0 * window / self.payload() / line.value + self.ack_delay(window))
    }

    /// Returns the time its whole cwnd takes on a link that has room, seconds: a flow with this cwnd in flight waits for
    /// no more of its own packets. One segment may wait for a delayed ACK.
    pub(crate) fn whole_window(&self) -> Option<f64> {
        let line = self.bursts_into()?;
        let window = self.cwnd.or_else(|| self.median(|point| point.in_flight))?;
        Some(window / self.payload() / line.value + self.ack_delay(window))
    }

    /// Returns the most that delayed ACKs add to the mean RTT with such a window, seconds. One ACK of each window may
    /// wait. Nothing arrives while it does, so that all waits take no longer than the transfer: the time of two
    /// segments for each ACK (RFC 5681, 4.2).
    fn ack_delay(&self, window: f64) -> f64 {
        let of_window = DELAYED_ACK_S * self.mss / window.max(self.mss);
        let goodput = self.seen.goodput.filter(|goodput| *goodput > 0.0);
        goodput.map_or(of_window, |goodput| of_window.min(2.0 * 8.0 * self.mss / goodput))
    }
}
