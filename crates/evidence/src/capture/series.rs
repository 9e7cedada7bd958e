//! Time series of one direction of a connection.

use crate::{Point, Seen};

/// Initial width of a bucket, ns; it doubles when a connection has too many buckets.
const WIDTH: i64 = 100_000_000;

/// Smallest limit on the buckets of a series; with fewer, not every time would fit.
const MIN_WIDTHS: usize = 4;

/// Counts and values of a bucket.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bucket {
    index: i64,
    /// Payload acknowledged, and payload that passed the tap for the first time, bytes.
    pub acked: u64,
    pub passed: u64,
    /// Retransmitted segments, and acknowledgments without payload.
    pub retransmitted: u32,
    pub acks: u32,
    /// Most outstanding data, bytes.
    pub in_flight: u32,
    /// Latest receive window, bytes.
    pub window: Option<u32>,
    /// Smoothed round-trip times from the tap to the receiver and to the sender, seconds.
    pub receiver: Option<f32>,
    pub sender: Option<f32>,
    /// Shortest round-trip time from the tap to the receiver, seconds.
    pub least: Option<f32>,
    /// Time that the latest acknowledgment took to the tap, beyond the first one's, seconds.
    pub late: Option<f32>,
}

/// Non-empty buckets, in order.
#[derive(Debug)]
pub(super) struct Series {
    width: i64,
    buckets: Vec<Bucket>,
    /// End of the last bucket, ns.
    until: i64,
}

impl Default for Series {
    fn default() -> Series {
        Series { width: WIDTH, buckets: vec![], until: i64::MIN }
    }
}

impl Series {
    /// Returns the bucket of a time, with at most `most` buckets. A time before the last bucket counts in the last.
    pub fn at(&mut self, now: i64, most: usize) -> &mut Bucket {
        if now >= self.until {
            while self.buckets.len() >= most.max(MIN_WIDTHS) {
                self.coarsen();
            }
            let index = now.div_euclid(self.width);
            if self.buckets.last().is_none_or(|last| index > last.index) {
                self.buckets.push(Bucket { index, ..Bucket::default() });
            }
            self.until = index.saturating_add(1).saturating_mul(self.width);
        }
        let last = self.buckets.len() - 1;
        &mut self.buckets[last]
    }

    /// Doubles the width of the buckets.
    fn coarsen(&mut self) {
        self.width = self.width.saturating_mul(2);
        let mut wide: Vec<Bucket> = Vec::with_capacity(self.buckets.len() / 2 + 1);
        for bucket in self.buckets.drain(..) {
            let index = bucket.index.div_euclid(2);
            match wide.last_mut().filter(|last| last.index == index) {
                Some(last) => last.merge(&bucket),
                None => wide.push(Bucket { index, ..bucket }),
            }
        }
        self.buckets = wide;
    }

    /// Returns the median time that acknowledgments took to the tap, beyond the first one's, seconds.
    pub fn late(&self) -> Option<f64> {
        let mut known: Vec<f32> = self.buckets.iter().filter_map(|bucket| bucket.late).collect();
        known.sort_by(f32::total_cmp);
        known.get(known.len() / 2).map(|late| f64::from(*late))
    }

    /// Returns the series as points. A point of zeros precedes a bucket after a pause. Data in flight are known only if
    /// the tap is before the path.
    pub fn points(&self, seen: Seen, acked: bool, end: f64) -> Vec<Point> {
        let at = |index: i64| (index as f64) * (self.width as f64) / 1e9;
        let mut points: Vec<Point> = vec![];
        let mut before = None;
        for bucket in &self.buckets {
            if before.is_some_and(|before| bucket.index > before + 1) {
                let zeros = Point { bytes: Some(0.0), retransmitted: Some(0.0), acks: Some(0.0), ..Point::default() };
                points.push(Point { time: at(bucket.index), ..zeros });
            }
            before = Some(bucket.index);
            let (srtt, rtt_least, in_flight) = match seen {
                Seen::Receiver => (bucket.sender, None, None),
                _ => (bucket.receiver, bucket.least, acked.then_some(f64::from(bucket.in_flight))),
            };
            points.push(Point {
                time: at(bucket.index + 1),
                bytes: Some(if acked { bucket.acked } else { bucket.passed } as f64),
                retransmitted: Some(f64::from(bucket.retransmitted)),
                acks: (acked && seen != Seen::Receiver).then_some(f64::from(bucket.acks)),
                srtt: srtt.map(f64::from),
                rtt_least: rtt_least.map(f64::from),
                in_flight,
                window: bucket.window.map(f64::from),
                ..Point::default()
            });
        }
        if let Some(last) = points.last_mut() {
            last.time = last.time.min(end);
        }
        points
    }
}

impl Bucket {
    /// Takes a round-trip time from the tap to the receiver, seconds, and keeps the shortest.
    pub fn shorten(&mut self, rtt: Option<f32>) {
        self.least = self.least.into_iter().chain(rtt).reduce(f32::min);
    }

    fn merge(&mut self, later: &Bucket) {
        self.acked += later.acked;
        self.passed += later.passed;
        self.retransmitted = self.retransmitted.saturating_add(later.retransmitted);
        self.acks = self.acks.saturating_add(later.acks);
        self.in_flight = self.in_flight.max(later.in_flight);
        self.window = later.window.or(self.window);
        self.receiver = later.receiver.or(self.receiver);
        self.sender = later.sender.or(self.sender);
        self.shorten(later.least);
        self.late = later.late.or(self.late);
    }
}
