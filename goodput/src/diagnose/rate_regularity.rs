//! Regularity of the rate of a connection that loses packets.
//!
//! Random losses let the rate of Reno and CUBIC vary between seconds: its standard deviation over the mean is 0.45
//! over the root of the losses per second. A token bucket keeps the rate constant, and so do merged packets that are
//! dropped.

use super::flow::Flow;
use super::losses::lossy;
use crate::model::response;
use crate::stats::mean;
use evidence::Point;

/// Largest variation of a regular rate. Fewer than one in a hundred simulated transfers with random loss vary less
/// over seven seconds with two losses or more in each.
const MAX_REGULAR_VARIATION: f64 = 0.15;
pub const MIN_REGULAR_SECONDS: usize = 7;
/// Standard deviation of a second's rate with one random loss; and, over its own standard deviation, the largest
/// distance of a straight sum of n seconds from a line. One in two hundred simulated transfers with 8 losses or more
/// per second strays less over 12 seconds.
const ONE_LOSS_SD: f64 = 0.45;
const MAX_STRAY_RATIO: f64 = 0.25;
const MIN_STRAY_SECONDS: usize = 12;
const MIN_STRAY_LOSSES: f64 = 8.0;
/// Largest ratio of the variation of rates behind a bucket to that with random losses, after slow start's losses.
const MAX_BUCKET_VARIATION_RATIO: f64 = 1.1;
/// Standard deviation of windows at random losses over their mean, as a share of what a loss takes: 0.78 for simulated
/// Reno, 1.0 for CUBIC.
const MIN_WINDOW_SD_AT_LOSSES: f64 = 0.8;
/// The same for windows at the ends of seconds: 0.83 for simulated Reno, 1.01 for CUBIC.
const MIN_WINDOW_SD_AT_ENDS: f64 = 0.9;
/// Largest joint variance of rates and windows, relative to random losses, below which they are regular. Fewer than
/// one in a hundred simulated transfers fall below the first, or below the second with this many losses per second
/// (scripts/native-paths/study.py random).
pub const MAX_JOINT_VARIANCE: f64 = 0.145;
pub const MAX_JOINT_VARIANCE_OFTEN: f64 = 0.34;
pub const MIN_OFTEN_LOSSES: f64 = 4.0;
/// Smallest number of windows at losses for a result.
const MIN_WINDOWS: usize = 5;

/// Smallest number of seconds in a series, and smallest mean number of losses per second.
const MIN_SECONDS: usize = 6;
const MIN_MEAN_LOSSES: f64 = 2.0;
/// Smallest share of seconds with losses. Two single losses per second on average leave a seventh of the seconds
/// without any; bursts leave more.
const MIN_LOSSY_SECONDS_SHARE: f64 = 0.75;

/// Smallest number of seconds, smallest number of them with losses, and most losses per second for a single window at
/// losses. Many losses at a time occur at any window.
const MIN_SINGLE_SECONDS: usize = 10;
const MIN_SINGLE_LOSSY_SECONDS: f64 = 6.0;
const MAX_SINGLE_LOSSES: f64 = 2.0;
/// Largest ratio of equal windows printed at the ends of seconds, in whole segments.
const SAME_WINDOW_RATIO: f64 = 1.04;

/// Variation of rates over their mean that separates a token bucket (less) from bursts of losses unrelated to the rate
/// (more).
pub const MAX_BURST_VARIATION: f64 = 0.15;

/// Largest ratio of one constant window: a segment of a hundred.
const ONE_WINDOW_RATIO: f64 = 1.01;

/// Largest variation of a rate that losses do not move: CUBIC gives up three tenths at a loss and needs some seconds
/// to recover.
const MAX_UNMOVED_SHARE: f64 = 0.06;
const ONE_SECOND_S: f64 = 1.0;

/// The seconds of a transfer, or its longer points, after slow start.
pub struct Seconds {
    /// Share of seconds with losses.
    pub lossy: f64,
    /// Share of segments lost.
    pub lost: f64,
    /// Mean number of segments lost per second.
    losses: f64,
    /// Segments lost over the number that would hold a loss-based congestion control at this rate: about 1 for single
    /// losses.
    pub in_a_row: f64,
    /// Standard deviation of the rates over their mean.
    pub varies: f64,
    /// The same without the variation that whole writes add: an upper bound.
    steadied: f64,
    /// Largest distance of the cumulative bytes from a straight line, in seconds of the mean.
    strays: f64,
    /// The largest and the least cwnd, segments.
    windows: Option<[f64; 2]>,
    /// Standard deviation of the windows at losses over the mean, relative to that with random losses. The windows are
    /// the ssthresh after each loss; without ssthresh, cwnd at the ends of seconds.
    windows_vary: Option<f64>,
    /// Number of seconds.
    count: usize,
}

impl Seconds {
    /// Returns the seconds if points are too far apart to separate round trips.
    pub fn of(flow: &Flow) -> Option<Seconds> {
        Seconds::of_points(flow, &flow.seen.points).filter(|_| !flow.is_fine())
    }

    /// Returns the seconds of any points, adding up those within one second.
    pub fn added(flow: &Flow) -> Option<Seconds> {
        let mut seconds: Vec<Point> = vec![];
        let start = flow.seen.points.first()?.time;
        for point in &flow.seen.points {
            let end = start + ((point.time - start) / ONE_SECOND_S).ceil() * ONE_SECOND_S;
            let sum = |a: Option<f64>, b: Option<f64>| Some(a? + b.unwrap_or(0.0));
            match seconds.last_mut().filter(|last| (last.time - end).abs() < 1e-6) {
                Some(last) => {
                    last.bytes = sum(last.bytes, point.bytes);
                    last.retransmitted = sum(last.retransmitted, point.retransmitted);
                }
                None => seconds.push(Point { time: end, ..*point }),
            }
        }
        // The last second may be incomplete.
        seconds.pop();
        Seconds::of_points(flow, &seconds)
    }

    /// Counts from the third point on, because slow start overshoots.
    fn of_points(flow: &Flow, points: &[Point]) -> Option<Seconds> {
        let points = points.get(2..).filter(|points| points.len() >= MIN_SECONDS)?;
        let count = points.len();
        let lost: f64 = points.iter().filter_map(|point| point.retransmitted).sum();
        let segments = points.iter().filter_map(|point| point.bytes).sum::<f64>() / flow.mss;
        let needed = response::reno_loss(flow.mss, flow.base()?, flow.seen.goodput? / flow.connections as f64);
        let (varies, mean) = spread(points)?;
        let by_writes = flow.by_writes() / (mean * mean);
        let doubt = by_writes * (2.0 / (count as f64 - 1.0)).sqrt();
        let steadied = ((varies * varies - by_writes).max(0.0) + doubt).sqrt().min(varies);
        let windows = points.iter().map(|point| point.cwnd.filter(|cwnd| *cwnd > 0.0)).collect::<Option<Vec<f64>>>();
        Some(Seconds {
            lossy: lossy(points),
            lost: lost / segments,
            losses: lost / count as f64,
            in_a_row: lost / segments / needed,
            varies,
            steadied,
            strays: strays(points),
            windows: windows.filter(|_| flow.connections == 1).and_then(widest).map(|ends| ends.map(|w| w / flow.mss)),
            windows_vary: windows_vary(flow, points),
            count,
        })
    }

    /// Whether rates vary as they do with bursts of losses unrelated to them.
    pub fn vary(&self) -> bool {
        self.varies > MAX_BURST_VARIATION
    }

    /// Whether losses do not move the rate: a congestion control's reduction shows in the seconds after each.
    pub fn are_unmoved(&self) -> bool {
        self.varies * self.losses.max(1.0).sqrt() < MAX_UNMOVED_SHARE
    }

    /// Whether rates vary less than with random losses.
    pub fn are_regular(&self) -> bool {
        let often = self.count >= MIN_REGULAR_SECONDS
            && self.losses >= MIN_MEAN_LOSSES
            && self.lossy >= MIN_LOSSY_SECONDS_SHARE;
        let longer = self.count >= MIN_STRAY_SECONDS && self.losses >= MIN_STRAY_LOSSES;
        let straight =
            || longer && self.strays < MAX_STRAY_RATIO * ONE_LOSS_SD * (self.count as f64 / self.losses).sqrt();
        often && (self.steadied * self.losses.sqrt() < MAX_REGULAR_VARIATION || straight() || self.are_alike_together())
    }

    /// Whether rates vary more than with single random losses.
    pub fn are_irregular(&self) -> bool {
        self.of_random() > MAX_BUCKET_VARIATION_RATIO
    }

    /// Returns the standard deviation of rates relative to that with random losses.
    fn of_random(&self) -> f64 {
        self.steadied * self.losses.sqrt() / ONE_LOSS_SD
    }

    /// Whether the joint variance of rates and windows is regular.
    fn are_alike_together(&self) -> bool {
        let rates = self.of_random();
        let most = if self.losses < MIN_OFTEN_LOSSES { MAX_JOINT_VARIANCE } else { MAX_JOINT_VARIANCE_OFTEN };
        self.windows_vary.is_some_and(|windows| (rates * rates + windows * windows) / 2.0 < most)
    }

    /// Whether cwnd is the same at the end of each second, despite losses: then the retransmitted segments were not
    /// lost.
    pub fn have_one_window(&self) -> bool {
        self.windows.is_some_and(|[largest, least]| largest < ONE_WINDOW_RATIO * least)
    }

    /// Whether losses come at the same window each time, given the share of cwnd that the congestion control keeps: at
    /// the end of a second cwnd lies between that share and the whole. Random losses let it vary far more.
    pub fn are_at_one_window(&self, leaves: f64) -> bool {
        let within = self.windows.is_some_and(|[largest, least]| largest * leaves < SAME_WINDOW_RATIO * least);
        self.count >= MIN_SINGLE_SECONDS && self.lose_singly() && within
    }

    /// Whether the same is true over fewer seconds, to within a segment: it is for one in twelve simulated transfers
    /// with random losses.
    pub fn may_be_at_one_window(&self, leaves: f64) -> bool {
        let within = self.windows.is_some_and(|[largest, least]| largest * leaves < least + 1.0);
        self.lose_singly() && within
    }

    fn lose_singly(&self) -> bool {
        self.lossy * self.count as f64 >= MIN_SINGLE_LOSSY_SECONDS && self.losses <= MAX_SINGLE_LOSSES
    }
}

fn windows_vary(flow: &Flow, points: &[Point]) -> Option<f64> {
    let leaves = flow.leaves().filter(|_| flow.connections == 1)?;
    let lossy = points.iter().filter(|point| point.retransmitted.is_some_and(|lost| lost > 0.0));
    let told = points.iter().any(|point| point.ssthresh.is_some());
    let (windows, random): (Vec<f64>, f64) = match told {
        true => (lossy.filter_map(|point| point.ssthresh).collect(), MIN_WINDOW_SD_AT_LOSSES),
        false => (points.iter().filter_map(|point| point.cwnd).collect(), MIN_WINDOW_SD_AT_ENDS),
    };
    (windows.len() >= MIN_WINDOWS).then(|| varies(&windows) / (random * (1.0 - leaves)))
}

fn widest(windows: Vec<f64>) -> Option<[f64; 2]> {
    let least = windows.iter().copied().reduce(f64::min)?;
    Some([windows.into_iter().fold(0.0, f64::max), least])
}

fn strays(points: &[Point]) -> f64 {
    let seconds = points.len() as f64;
    let all: f64 = points.iter().filter_map(|point| point.bytes).sum();
    let passed = points.iter().scan(0.0, |sum, point| {
        *sum += point.bytes.unwrap_or(0.0);
        Some(*sum)
    });
    let from_line = |(n, sum): (usize, f64)| (sum * seconds / all - (n as f64 + 1.0)).abs();
    passed.enumerate().map(from_line).fold(0.0, f64::max)
}

/// Returns the standard deviation of the points' rates over their mean, and the mean bytes in a point.
fn spread(points: &[Point]) -> Option<(f64, f64)> {
    let rate = |pair: &[Point]| Some(pair[1].bytes? / (pair[1].time - pair[0].time));
    let rates: Vec<f64> = points.windows(2).map(rate).collect::<Option<_>>()?;
    let mean = mean(&rates);
    let spread = varies(&rates);
    let seconds = points.last()?.time - points.first()?.time;
    spread.is_finite().then_some((spread, mean * seconds / (points.len() as f64 - 1.0)))
}

/// Returns the standard deviation of a sample over its mean.
fn varies(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (values.len() as f64 - 1.0)).sqrt() / mean
}
