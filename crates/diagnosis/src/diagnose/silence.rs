//! Silences of a connection: how long nothing arrived.

use super::flow::Flow;
use evidence::Connection;

/// Longest silence that the loss of one retransmission explains, seconds: 0.2 and 0.4 (TCP_RTO_MIN; RFC 6298, 5.5).
pub const TWO_TIMEOUTS_S: f64 = 0.6;
/// Longest silence that a third timeout explains too, seconds: 0.2, 0.4 and 0.8, with an RTT.
pub const THREE_TIMEOUTS_S: f64 = 1.5;
/// Share of the time that a silence between both has to take.
pub const MIN_OUTAGE_SHARE: f64 = 0.08;

impl Flow<'_> {
    /// Whether a silence is longer than timeouts explain, or longer than two of them and a large part of the time.
    pub(crate) fn is_outage(&self, silence: f64) -> bool {
        let part = MIN_OUTAGE_SHARE * self.seconds.unwrap_or(f64::INFINITY);
        silence >= TWO_TIMEOUTS_S.max(part).min(THREE_TIMEOUTS_S)
    }

    /// Returns the connection without its longest silence, or without its silent end. The silence must be longer than
    /// a timeout takes and contain retransmissions. Distant points contain parts of it on both sides.
    pub(crate) fn without_outage(&self) -> Option<Connection> {
        let mut arrivals = self.arrivals()?;
        arrivals.push(self.seen.span?[1]);
        let gap = |at: &usize| arrivals[at + 1] - arrivals[*at];
        let longest = (1..arrivals.len().saturating_sub(1)).max_by(|a, b| gap(a).total_cmp(&gap(b)))?;
        let [begin, end] = [arrivals[longest], arrivals[longest + 1]];
        let within = self.seen.points.iter().filter(|point| point.time > begin && point.time <= end);
        let again: f64 = within.filter_map(|point| point.retransmitted).sum();
        let from = if self.is_fine() { begin } else { arrivals[longest - 1] };
        let before = 1.5 * self.base().unwrap_or(0.0);
        (self.is_outage(end - begin - self.point_width()) && again >= 2.0)
            .then(|| self.seen.without([from, end], before))
    }

    /// Returns the distance of points that are too far apart to separate round trips, seconds; else 0. The last point
    /// before a silence has data from its beginning on, as far as anybody knows.
    pub(crate) fn point_width(&self) -> f64 {
        let width = self.seconds.unwrap_or(0.0) / self.seen.points.len().max(2) as f64;
        if self.is_fine() { 0.0 } else { width }
    }

    /// Returns the times at which data arrived, seconds; the first is the start of the connection.
    fn arrivals(&self) -> Option<Vec<f64>> {
        let mut times = vec![self.seen.span?[0]];
        // The first point may only mark the start.
        for (at, point) in self.seen.points.iter().enumerate() {
            match point.bytes {
                Some(bytes) if bytes > 0.0 => times.push(point.time - point.quiet.unwrap_or(0.0)),
                None if at > 0 => return None,
                _ => {}
            }
        }
        Some(times)
    }

    /// Returns the time of the last arrival, seconds.
    pub(crate) fn last_arrival(&self) -> Option<f64> {
        self.arrivals()?.last().copied()
    }

    /// Returns the durations between arrivals, seconds.
    pub(crate) fn silences(&self) -> Option<Vec<f64>> {
        Some(self.arrivals()?.windows(2).map(|pair| pair[1] - pair[0]).collect())
    }

    /// Returns the longest time without an arrival, its end included, seconds.
    pub(crate) fn longest_silence(&self) -> Option<f64> {
        let [_, end] = self.seen.span?;
        let last = self.arrivals()?.last().map_or(0.0, |last| end - last);
        Some(self.silences()?.into_iter().fold(last.max(0.0), f64::max))
    }
}
