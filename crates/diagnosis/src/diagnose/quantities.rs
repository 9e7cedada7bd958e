//! What the steps of a connection show.

use super::flow::{Flow, USUAL_MSS};
use evidence::headers::Ip;

/// Mean share of its rate that CUBIC alone uses of a full link without any queue: 1 − 0.3/4 of its sawtooth (RFC 9438,
/// 5.1), less the noise of RTTs.
const CUBIC_MEAN_SHARE: f64 = 0.9;
/// Standard deviation of the slope of RTT over cwnd if a link is full for a part of the time, and the log-odds from
/// which the slope decides.
const SLOPE_SD: f64 = 0.25;
const SLOPE_LOG_ODDS: f64 = 3.0;

/// Payload of a ping as long as a segment, less the segment's payload: 20 + 32 bytes of TCP with timestamps, 8 + 20 of
/// ICMP.
const PING_OVER_MSS_BYTES: f64 = 24.0;
const FULL_PING_BYTES: f64 = 1472.0;
const SMALL_PING_BYTES: f64 = 1200.0;
/// Length by which the small ping is shorter than a full segment, bytes.
const SMALLER_PING_BYTES: f64 = 200.0;
/// Largest length of TCP options, bytes: segments shorter than Ethernet's by no more are Ethernet's.
const MAX_OPTION_BYTES: f64 = 12.0;

impl<'a> Flow<'a> {
    /// Whether the link has spare capacity: its peak rate, by cwnd over RTT, exceeds what one sawtooth leaves of it,
    /// or RTTs stay constant as cwnd moves (Little's law). `None` if neither moves enough.
    pub fn link_has_room(&self) -> Option<bool> {
        let transfer = &self.measured;
        if transfer.mean_over_peak().is_some_and(|share| share < CUBIC_MEAN_SHARE) {
            return Some(true);
        }
        let slope = transfer.rtt_slope()?;
        // Log-odds of a slope of 0 against one of 1.
        let odds = (1.0 - 2.0 * slope.value) / (2.0 * (slope.sd.powi(2) + SLOPE_SD.powi(2)));
        (odds.abs() > SLOPE_LOG_ODDS).then_some(odds > 0.0)
    }

    /// Whether RTTs rise with cwnd as those of a full link do (Little's law), rather than stay as those of a link with
    /// room: the slope is nearer to 1 than to 0, and two standard deviations from 0.
    pub fn rtt_follows_window(&self) -> bool {
        self.measured.rtt_slope().is_some_and(|slope| slope.value > 0.5 && slope.value > 2.0 * slope.sd)
    }

    /// Returns cwnd at the start and end of the time that its figures cover, bytes.
    pub fn counted_windows(&self) -> Option<[f64; 2]> {
        let cwnds = || self.measured.counted().filter_map(|step| step.cwnd);
        Some([cwnds().next()?[0], cwnds().last()?[1]])
    }

    /// Returns the pings that distinguish a black hole for full segments from a path that is down: one of full length,
    /// and a small one.
    pub fn pings_by_size(&self) -> String {
        // IPv6 headers are longer: a ping as long as a segment has as much less payload.
        let longer = f64::from(self.seen.ip().header() - Ip::V4.header());
        let usual = self.mss >= USUAL_MSS - MAX_OPTION_BYTES - longer;
        let full = if usual { FULL_PING_BYTES - longer } else { self.mss + PING_OVER_MSS_BYTES };
        format!(
            "ping -M do -s {full:.0} HOST; ping -M do -s {:.0} HOST",
            SMALL_PING_BYTES.min(full - SMALLER_PING_BYTES)
        )
    }
}
