//! Detects transfers that end in slow start.

use super::flow::Flow;
use evidence::Point;

/// Number of round trips after which a transfer has left slow start.
pub const SLOW_START_RTTS: f64 = 14.0;

/// A transfer that takes about as many round trips as slow start needs.
pub struct Brief {
    /// Number of round trips that it takes.
    pub rounds: f64,
    /// Number of round trips that slow start needs.
    pub ideal: f64,
}

impl Flow<'_> {
    pub(crate) fn is_brief(&self) -> bool {
        self.brief().is_some()
    }

    pub(crate) fn brief(&self) -> Option<Brief> {
        let (rtt, seconds, segments) = (self.rtt.as_ref()?, self.seconds?, self.segments?);
        // A capture shows how long it waited for its program.
        let rounds = seconds * self.seen.busy.unwrap_or(1.0) / rtt.value;
        let ideal = (segments / 10.0 + 1.0).log2();
        let lossless = self.seen.retransmitted.is_some_and(|n| n == 0.0);
        let starts = self.seen.points.iter().all(|p| p.ssthresh.is_none());
        let roomy = |p: &Point| Some(p.in_flight? < 0.75 * p.window?);
        let has_window = self.seen.points.iter().any(|p| p.cwnd.is_some())
            || self.seen.busy.is_some() && self.seen.points.iter().filter_map(roomy).all(|roomy| roomy);
        let limited = self.seen.limits.is_some_and(|l| l.rwnd > 0.3 || l.sndbuf > 0.3);
        let fast_enough = rounds < ideal + 4.0;
        if self.seen.exchanges.len() > 1
            || self.seen.cut_off
            || !lossless
            || !starts
            || !has_window
            || limited
            || rounds > SLOW_START_RTTS
            || !fast_enough
            || seconds < 2.0 * rtt.value
        {
            return None;
        }
        Some(Brief { rounds, ideal })
    }
}
