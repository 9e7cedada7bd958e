//! Round-trip times, or the part of them on one side of the tap.

use std::collections::VecDeque;

/// Stamps that wait for their echo.
const MOST_STAMPS: usize = 512;

/// Samples of a time there and back.
#[derive(Debug, Clone, Default)]
pub(super) struct Rtt {
    /// The least, ns.
    pub min: Option<i64>,
    /// The latest, and when it was taken, ns.
    latest: Option<(i64, i64)>,
    smoothed: Option<f64>,
    /// The least since it was asked for, ns.
    least: Option<i64>,
}

impl Rtt {
    /// A sample of a time, ns; what a clock that steps back gives is none.
    pub fn sample(&mut self, rtt: i64, now: i64) {
        if rtt < 0 {
            return;
        }
        self.min = Some(self.min.map_or(rtt, |min| min.min(rtt)));
        self.least = Some(self.least.map_or(rtt, |least| least.min(rtt)));
        self.latest = Some((rtt, now));
        // RFC 6298, 2.3.
        let rtt = rtt as f64;
        self.smoothed = Some(self.smoothed.map_or(rtt, |srtt| srtt + (rtt - srtt) / 8.0));
    }

    /// The sample that was taken at a time, ns.
    pub fn of(&self, now: i64) -> Option<i64> {
        self.latest.filter(|(_, at)| *at == now).map(|(rtt, _)| rtt)
    }

    /// The least since this was asked for, seconds.
    pub fn take_least(&mut self) -> Option<f64> {
        self.least.take().map(|rtt| rtt as f64 / 1e9)
    }

    /// Smoothed, seconds.
    pub fn smoothed(&self) -> Option<f64> {
        self.smoothed.map(|srtt| srtt / 1e9)
    }
}

/// A clock that ticks once in a millisecond, as Linux' and FreeBSD's of timestamps do, ns; and within which share of that it
/// has to come while queues grow and empty.
const TICK: i64 = 1_000_000;
const MAX_TICK_ERROR_SHARE: f64 = 0.3;
/// Two clocks drift apart by so much.
const DRIFT: f64 = 200e-6;

/// How long acknowledgments take from their host to the tap, by the clock that they bear (RFC 7323, 4.1): what a queue on
/// their way adds, and not how long the way is.
#[derive(Debug, Clone, Default)]
pub(super) struct Returns {
    first: Option<(u32, i64)>,
    last: Option<(u32, i64)>,
    /// ns beyond the first's.
    least: i64,
}

impl Returns {
    /// An acknowledgment with a TSval passes: how much longer it took than the first, seconds.
    pub fn sample(&mut self, value: u32, now: i64) -> f64 {
        let (zero, then) = *self.first.get_or_insert((value, now));
        let late = now - then - i64::from(value.wrapping_sub(zero) as i32) * TICK;
        self.last = Some((value, now));
        self.least = self.least.min(late);
        late as f64 / 1e9
    }

    /// What such a time is beyond the least, seconds; `None` where clocks do not tell.
    pub fn queued(&self, late: f64) -> Option<f64> {
        let ((zero, then), (value, now)) = self.first.zip(self.last)?;
        let [ticked, passed] = [f64::from(value.wrapping_sub(zero)) / 1e3, (now - then) as f64 / 1e9];
        let ticks = (ticked / passed - 1.0).abs() < MAX_TICK_ERROR_SHARE;
        let queued = late - self.least as f64 / 1e9;
        (ticks && queued > DRIFT * passed).then_some(queued)
    }
}

/// TSvals of one direction that were not echoed yet (RFC 7323, 4).
#[derive(Debug, Default)]
pub(super) struct Stamps(VecDeque<(u32, i64)>);

impl Stamps {
    /// A TSval that passes the tap. Of several packets with the same, the first counts.
    pub fn pass(&mut self, value: u32, now: i64) {
        if self.0.back().is_some_and(|(last, _)| value.wrapping_sub(*last) as i32 <= 0) {
            return;
        }
        if self.0.len() == MOST_STAMPS {
            self.0.pop_front();
        }
        self.0.push_back((value, now));
    }

    /// Time since the stamp passed that now is echoed for the first time, ns.
    pub fn echo(&mut self, echo: u32, now: i64) -> Option<i64> {
        while let Some((value, passed)) = self.0.front().copied() {
            let later = value.wrapping_sub(echo) as i32;
            if later > 0 {
                return None;
            }
            self.0.pop_front();
            if later == 0 {
                return Some(now - passed);
            }
        }
        None
    }
}
