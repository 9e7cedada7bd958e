//! Traces: points over time that a line follows.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::{Arc, OnceLock};
use wire::{Follows, Point};

/// A trace of rates, delays or delivery opportunities.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// Its file, as the experiment names it.
    pub file: String,
    /// Meaning of its values.
    pub follows: Follows,
    /// Its points. The last one ends it: the trace then starts again, or its last value stays.
    pub points: Points,
    /// True if it starts again.
    pub repeats: bool,
    /// True if opportunities without a packet are kept.
    pub keeps: bool,
    /// Offset in it at which the recording begins, ns.
    pub offset: u64,
    /// True if the seed decides the offset.
    pub by_seed: bool,
}

/// Points as text, shared by all clones.
#[derive(Debug, Clone)]
pub struct Points(Arc<Kept>);

#[derive(Debug)]
struct Kept {
    text: String,
    points: OnceLock<Vec<Point>>,
    /// Integral up to each point, for [`Trace::between`].
    integrals: OnceLock<Vec<f64>>,
}

impl Points {
    /// Encodes a list of points.
    pub fn encode(points: &[Point]) -> Points {
        Points::from(wire::encode(points))
    }

    /// Returns the text that jobs and plans contain.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Decodes the points; empty if the text is not ours.
    pub fn list(&self) -> &[Point] {
        self.0.points.get_or_init(|| wire::decode(&self.0.text).unwrap_or_default())
    }
}

impl From<String> for Points {
    fn from(text: String) -> Points {
        Points(Arc::new(Kept { text, points: OnceLock::new(), integrals: OnceLock::new() }))
    }
}

impl PartialEq for Points {
    fn eq(&self, other: &Points) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.text == other.0.text
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.text)
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Points, D::Error> {
        String::deserialize(deserializer).map(Points::from)
    }
}

/// Bits per opportunity (PACKET_SIZE in mahimahi's src/frontend/link_queue.hh, without the header of TUN).
const OPPORTUNITY_BITS: f64 = 1500.0 * 8.0;

impl Trace {
    /// Returns its end, ns.
    pub fn end(&self) -> u64 {
        self.points.list().last().map_or(0, |point| point[0])
    }

    fn is_discrete(&self) -> bool {
        self.follows == Follows::Opportunities
    }

    /// Returns the integral from the start to each point, including the value at that point.
    fn integrals(&self) -> &[f64] {
        let points = self.points.list();
        self.points.0.integrals.get_or_init(|| {
            let mut sum = 0.0;
            let before = [[0, 0]].iter().chain(points);
            let add = |([at, value], point): (&Point, &Point)| {
                sum += match self.is_discrete() {
                    true => point[1] as f64 * OPPORTUNITY_BITS * 1e9,
                    false => *value as f64 * (point[0] - at) as f64,
                };
                sum
            };
            before.zip(points).map(add).collect()
        })
    }

    /// Returns the integral from the start to a time in the trace, in its unit times ns; for opportunities, bits times
    /// 10^9.
    fn until(&self, time: u64) -> f64 {
        let points = self.points.list();
        let Some(last) = points.partition_point(|[at, _]| *at <= time).checked_sub(1) else { return 0.0 };
        let [at, value] = points[last];
        self.integrals()[last] + if self.is_discrete() { 0.0 } else { value as f64 * (time - at) as f64 }
    }

    /// Returns the integral between two times of the recording; for opportunities, bits times 10^9.
    pub fn between(&self, from: u64, to: u64) -> f64 {
        let end = self.end();
        let up_to = |time: u64| {
            let time = time.saturating_add(self.offset);
            match self.repeats && end > 0 {
                true => (time / end) as f64 * self.until(end) + self.until(time % end),
                false => self.until(time),
            }
        };
        up_to(to.max(from)) - up_to(from)
    }

    /// Returns the mean over the whole trace.
    pub fn mean(&self) -> f64 {
        self.until(self.end()) / self.end().max(1) as f64
    }

    /// Returns the value at a time of the recording; for opportunities, the mean over the second around it.
    pub fn at(&self, time: u64) -> f64 {
        const HALF_SECOND_NS: u64 = 500_000_000;
        if self.is_discrete() {
            let from = time.saturating_sub(HALF_SECOND_NS);
            return self.between(from, time + HALF_SECOND_NS) / (time + HALF_SECOND_NS - from) as f64;
        }
        let end = self.end();
        let place = time.saturating_add(self.offset);
        let place = if self.repeats && end > 0 { place % end } else { place };
        let points = self.points.list();
        let after = points.partition_point(|[at, _]| *at <= place);
        points.get(after.saturating_sub(1)).map_or(0.0, |[_, value]| *value as f64)
    }

    /// Returns the smallest and largest value; for opportunities, the mean twice.
    pub fn range(&self) -> [f64; 2] {
        if self.is_discrete() {
            return [self.mean(); 2];
        }
        let points = self.points.list();
        // The last point of a repeating trace only ends it; its value is not used.
        let held = if self.repeats { points.len().saturating_sub(1) } else { points.len() };
        let values = || points[..held].iter().map(|point| point[1]);
        [values().min(), values().max()].map(|value| value.unwrap_or(0) as f64)
    }

    /// Returns the longest time to deliver this many bits, ns: from any offset if the trace repeats, else the whole
    /// trace and then the last rate.
    pub fn drain(&self, bits: f64) -> u64 {
        let lap = self.until(self.end()) / 1e9;
        match self.repeats {
            true => {
                let laps = (bits / lap.max(1.0)).floor();
                (laps * self.end() as f64) as u64 + self.longest(bits - laps * lap)
            }
            false => {
                let last = self.points.list().last().map_or(1.0, |last| last[1].max(1) as f64);
                (self.end() as f64 + bits * 1e9 / last) as u64
            }
        }
    }

    /// Returns an upper bound of the time for fewer bits than one repetition delivers, ns: from one point to another,
    /// plus the time since the point before the first.
    fn longest(&self, bits: f64) -> u64 {
        let (points, integrals, end) = (self.points.list(), self.integrals(), self.end());
        let count = points.len();
        let place = |point: usize| (point / count) as u64 * end + points[point % count][0];
        let sum = |point: usize| (point / count) as f64 * self.until(end) + integrals[point % count];
        let mut to = 0;
        let until = |from: usize| {
            to = to.max(from);
            while to < from + count && sum(to) - sum(from) < bits * 1e9 {
                to += 1;
            }
            let before = from.checked_sub(1).map_or(0, place);
            place(to) - before
        };
        (0..count).map(until).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: u64 = 1_000_000_000;

    fn trace(follows: Follows, points: &[Point], repeats: bool, offset: u64) -> Trace {
        let points = Points::encode(points);
        Trace { file: "t".into(), follows, points, repeats, keeps: false, offset, by_seed: false }
    }

    #[test]
    fn integrals_by_hand() {
        // 8 bit/s for 1 s, 2 bit/s for 3 s.
        let points = [[0, 8], [S, 2], [4 * S, 100]];
        let held = trace(Follows::Rate, &points, false, 0);
        let again = trace(Follows::Rate, &points, true, 2 * S);
        let bits = |trace: &Trace, from, to| trace.between(from, to) / 1e9;
        assert_eq!((bits(&held, 0, 4 * S), bits(&held, S / 2, 2 * S), bits(&held, 3 * S, 6 * S)), (14.0, 6.0, 202.0));
        assert_eq!((bits(&again, 0, 2 * S), bits(&again, 0, 4 * S), bits(&again, 0, 40 * S)), (4.0, 14.0, 140.0));
        assert_eq!((again.mean(), again.at(0), again.at(2 * S), held.at(9 * S)), (3.5, 2.0, 8.0, 100.0));
        assert_eq!((held.range(), again.range()), ([2.0, 100.0], [2.0, 8.0]));
        // 20 bits take a lap of 14, and 6 at 2 bit/s, which may start up to a second into the fast part.
        assert_eq!((again.drain(20.0), held.drain(200.0)), (8 * S, 6 * S));
        let slowest = (0..4000).map(|ms| Trace { offset: ms * S / 1000, ..again.clone() });
        assert!(slowest.into_iter().all(|trace| bits(&trace, 0, again.drain(20.0)) >= 20.0));
    }

    #[test]
    fn opportunities_by_hand() {
        // 2, then 1: 3 packets of 1,500 bytes in 10 ms.
        let ms = S / 1000;
        let trace = trace(Follows::Opportunities, &[[ms, 2], [10 * ms, 1]], true, 0);
        assert_eq!(trace.between(0, ms) / 1e9, 2.0 * 12_000.0);
        assert_eq!(trace.between(0, 100 * ms) / 1e9, 30.0 * 12_000.0);
        assert_eq!(trace.mean(), 3.6e6);
        assert_eq!(trace.at(S), 3.6e6);
    }
}
