//! A connection over time.

use crate::{Point, Seen};

/// Width of a bucket, unless a connection has more of them than it may, ns.
const WIDTH: i64 = 100_000_000;

/// Fewer would not hold every time.
const MIN_WIDTHS: usize = 4;

/// What happened in a bucket.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bucket {
    index: i64,
    /// Payload acknowledged, and payload that passed for the first time, bytes.
    pub acked: u64,
    pub passed: u64,
    /// Segments, and acknowledgments without payload.
    pub retransmitted: u32,
    pub acks: u32,
    /// The most that was outstanding, bytes.
    pub in_flight: u32,
    /// The latest window, bytes.
    pub window: Option<u32>,
    /// Smoothed times there and back, from the tap to the receiver and to the sender, seconds.
    pub receiver: Option<f32>,
    pub sender: Option<f32>,
    /// The shortest time from the tap to the receiver and back, seconds.
    pub least: Option<f32>,
    /// By how much the latest acknowledgment took longer to the tap than the first one, seconds.
    pub late: Option<f32>,
}

/// Buckets with something in them, in their order.
#[derive(Debug)]
pub(super) struct Series {
    width: i64,
    buckets: Vec<Bucket>,
    /// Where the last bucket ends, ns.
    until: i64,
}

impl Default for Series {
    fn default() -> Series {
        Series { width: WIDTH, buckets: vec![], until: i64::MIN }
    }
}

impl Series {
    /// The bucket of a time, of at most `most`. A time before the last bucket is counted in that.
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

    /// Twice as wide.
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

    /// By how much acknowledgments took longer to the tap than the first one, in the middle, seconds.
    pub fn late(&self) -> Option<f64> {
        let mut known: Vec<f32> = self.buckets.iter().filter_map(|bucket| bucket.late).collect();
        known.sort_by(f32::total_cmp);
        known.get(known.len() / 2).map(|late| f64::from(*late))
    }

    /// As points. A bucket after a pause has a point of zeros before it. In-flight data is known before the path alone.
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
    /// A time from the tap to the receiver and back, seconds.
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
