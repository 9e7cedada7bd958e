//! Round-trip times, or the part of them on one side of the tap.

use std::collections::VecDeque;

/// Most timestamps that wait for their echo.
const MOST_STAMPS: usize = 512;

/// Samples of a round-trip time.
#[derive(Debug, Clone, Default)]
pub(super) struct Rtt {
    /// Smallest sample, ns.
    pub min: Option<i64>,
    /// Latest sample and its time, ns.
    latest: Option<(i64, i64)>,
    smoothed: Option<f64>,
    /// Smallest sample since the last call of [`Rtt::take_least`], ns.
    least: Option<i64>,
}

impl Rtt {
    /// Takes a sample, ns; a negative one, of a clock that stepped back, is ignored.
    pub fn sample(&mut self, rtt: i64, now: i64) {
        if rtt < 0 {
            return;
        }
        self.min = Some(self.min.map_or(rtt, |min| min.min(rtt)));
        self.least = Some(self.least.map_or(rtt, |least| least.min(rtt)));
        self.latest = Some((rtt, now));
        // Smoothing of RFC 6298, 2.3.
        let rtt = rtt as f64;
        self.smoothed = Some(self.smoothed.map_or(rtt, |srtt| srtt + (rtt - srtt) / 8.0));
    }

    /// Returns the sample taken at a time, ns.
    pub fn sample_at(&self, now: i64) -> Option<i64> {
        self.latest.filter(|(_, at)| *at == now).map(|(rtt, _)| rtt)
    }

    /// Returns the smallest sample since the last call, seconds.
    pub fn take_least(&mut self) -> Option<f64> {
        self.least.take().map(|rtt| rtt as f64 / 1e9)
    }

    /// Returns the smoothed round-trip time, seconds.
    pub fn smoothed(&self) -> Option<f64> {
        self.smoothed.map(|srtt| srtt / 1e9)
    }
}

/// Tick of a timestamp clock, ns, as in Linux and FreeBSD; and the largest relative error of the measured tick, since
/// queues grow and empty.
const TICK: i64 = 1_000_000;
const MAX_TICK_ERROR_SHARE: f64 = 0.3;
/// Relative drift between two clocks.
const DRIFT: f64 = 200e-6;

/// Time that acknowledgments take from their host to the tap, by their TSval (RFC 7323, 4.1). It shows queueing delay
/// on that path, not the path's own delay.
#[derive(Debug, Clone, Default)]
pub(super) struct Returns {
    first: Option<(u32, i64)>,
    last: Option<(u32, i64)>,
    /// Smallest time, ns beyond the first acknowledgment's.
    least: i64,
}

impl Returns {
    /// Takes the TSval of an acknowledgment; returns how much longer it took than the first, seconds.
    pub fn sample(&mut self, value: u32, now: i64) -> f64 {
        let (zero, then) = *self.first.get_or_insert((value, now));
        let late = now - then - i64::from(value.wrapping_sub(zero) as i32) * TICK;
        self.last = Some((value, now));
        self.least = self.least.min(late);
        late as f64 / 1e9
    }

    /// Returns a time's excess over the smallest, seconds; `None` if the clocks do not match or drift may explain it.
    pub fn queued(&self, late: f64) -> Option<f64> {
        let ((zero, then), (value, now)) = self.first.zip(self.last)?;
        let [ticked, passed] = [f64::from(value.wrapping_sub(zero)) / 1e3, (now - then) as f64 / 1e9];
        let ticks = (ticked / passed - 1.0).abs() < MAX_TICK_ERROR_SHARE;
        let queued = late - self.least as f64 / 1e9;
        (ticks && queued > DRIFT * passed).then_some(queued)
    }
}

/// TSvals of one direction that have not been echoed yet (RFC 7323, 4).
#[derive(Debug, Default)]
pub(super) struct Stamps(VecDeque<(u32, i64)>);

impl Stamps {
    /// Takes a TSval that passes the tap. The first of several packets with the same TSval counts.
    pub fn pass(&mut self, value: u32, now: i64) {
        if self.0.back().is_some_and(|(last, _)| value.wrapping_sub(*last) as i32 <= 0) {
            return;
        }
        if self.0.len() == MOST_STAMPS {
            self.0.pop_front();
        }
        self.0.push_back((value, now));
    }

    /// Returns the time since the TSval passed, ns, if this is its first echo.
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
