//! How regular the rate of a connection is whose packets are lost.
//!
//! Random losses let the rate of Reno and CUBIC vary between seconds, by 0.45 on the mean over the root of the losses in
//! each. A token bucket leaves the same rate in each, and so do merged packets that are dropped.

use super::flow::Flow;
use super::losses::lossy;
use crate::model::response;
use crate::stats::mean;
use evidence::Point;

/// Of simulated transfers with random loss fewer than one in a hundred varies by less than this over seven seconds, from two
/// losses in each on.
const MAX_REGULAR_VARIATION: f64 = 0.15;
const MIN_REGULAR_SECONDS: usize = 7;
/// The standard deviation of a second's rate that one loss leaves; and how far the sum of n seconds strays from a straight
/// line then, over its own standard deviation. Of simulated transfers with 8 losses in a second and more, over 12 seconds,
/// one in two hundred strays less.
const ONE_LOSS_SD: f64 = 0.45;
const MAX_STRAY_RATIO: f64 = 0.25;
const MIN_STRAY_SECONDS: usize = 12;
const MIN_STRAY_LOSSES: f64 = 8.0;
/// Variation of rates behind a bucket over that with random losses, at most, after slow start's losses.
const MAX_BUCKET_VARIATION_RATIO: f64 = 1.1;
/// The standard deviation of windows at random losses over their mean, in shares of what a loss takes: simulated Reno comes
/// to 0.78, CUBIC to 1.0.
const MIN_WINDOW_SD_AT_LOSSES: f64 = 0.8;
/// The same of windows at the ends of seconds: simulated Reno comes to 0.83, CUBIC to 1.01.
const MIN_WINDOW_SD_AT_ENDS: f64 = 0.9;
/// Both variances together, over what random losses let them be: fewer than one in a hundred simulated transfers come to less,
/// or than the second with this many losses in a second (scripts/native-paths/study.py random).
const MAX_JOINT_VARIANCE: f64 = 0.145;
const MAX_JOINT_VARIANCE_OFTEN: f64 = 0.34;
const MIN_OFTEN_LOSSES: f64 = 4.0;
/// Windows at losses needed for a result.
const MIN_WINDOWS: usize = 5;

/// Seconds of a series at least, and mean losses in a second.
const MIN_SECONDS: usize = 6;
const MIN_MEAN_LOSSES: f64 = 2.0;
/// Share of seconds with losses, at least: two single losses on average leave a seventh of the seconds without any, bursts more.
const MIN_LOSSY_SECONDS_SHARE: f64 = 0.75;

/// So many seconds, losses in so many of them, and no more in each: many at a time leave the window wherever they are.
const MIN_SINGLE_SECONDS: usize = 10;
const MIN_SINGLE_LOSSY_SECONDS: f64 = 6.0;
const MAX_SINGLE_LOSSES: f64 = 2.0;
/// Windows in whole segments, printed at the end of a second.
const SAME_WINDOW_RATIO: f64 = 1.04;

/// Behind a bucket rates vary by less than this, over their mean; with bursts of losses that are unrelated to the rate, by more.
const MAX_BURST_VARIATION: f64 = 0.15;

/// One window, but for a segment of a hundred.
const ONE_WINDOW_RATIO: f64 = 1.01;

/// CUBIC takes back three tenths at a loss, and some seconds to come back.
const MAX_UNMOVED_SHARE: f64 = 0.06;
const ONE_SECOND_S: f64 = 1.0;

/// The seconds of a transfer, or the longer points, behind slow start.
pub struct Seconds {
    /// The share of them with losses.
    pub lossy: f64,
    /// The share of segments lost.
    pub lost: f64,
    /// What is lost in each second.
    losses: f64,
    /// Segments lost over those that hold a loss-based congestion control at this rate: about 1 of single losses.
    pub in_a_row: f64,
    /// The standard deviation of their rates over the mean.
    pub varies: f64,
    /// The same without what whole writes add to it, at the most.
    steadied: f64,
    /// How far what has passed strays from a straight line at the most, in seconds of the mean.
    strays: f64,
    /// The largest cwnd and the least, segments.
    windows: Option<[f64; 2]>,
    /// The standard deviation of the windows at losses over the mean, by the ssthresh that each leaves, in that of random
    /// losses; where no ssthresh is printed, of those at the ends of seconds.
    windows_vary: Option<f64>,
    /// How many.
    count: usize,
}

impl Seconds {
    /// Of points too far apart to tell round trips.
    pub fn of(flow: &Flow) -> Option<Seconds> {
        Seconds::of_points(flow, &flow.seen.points).filter(|_| !flow.is_fine())
    }

    /// Of any points, those of a second together.
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
        // The last may be a part of one.
        seconds.pop();
        Seconds::of_points(flow, &seconds)
    }

    /// From the third on: slow start overshoots.
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

    /// Whether rates vary as with bursts of losses that are unrelated to them.
    pub fn vary(&self) -> bool {
        self.varies > MAX_BURST_VARIATION
    }

    /// Whether losses move nothing: what a congestion control takes back shows in the seconds behind each.
    pub fn are_unmoved(&self) -> bool {
        self.varies * self.losses.max(1.0).sqrt() < MAX_UNMOVED_SHARE
    }

    /// Whether rates vary less than random losses would let them.
    pub fn are_regular(&self) -> bool {
        let often = self.count >= MIN_REGULAR_SECONDS
            && self.losses >= MIN_MEAN_LOSSES
            && self.lossy >= MIN_LOSSY_SECONDS_SHARE;
        let longer = self.count >= MIN_STRAY_SECONDS && self.losses >= MIN_STRAY_LOSSES;
        let straight =
            || longer && self.strays < MAX_STRAY_RATIO * ONE_LOSS_SD * (self.count as f64 / self.losses).sqrt();
        often && (self.steadied * self.losses.sqrt() < MAX_REGULAR_VARIATION || straight() || self.are_alike_together())
    }

    /// Whether rates vary more than random losses, one by one, would let them.
    pub fn are_irregular(&self) -> bool {
        self.of_random() > MAX_BUCKET_VARIATION_RATIO
    }

    /// The standard deviation of rates in that of random losses.
    fn of_random(&self) -> f64 {
        self.steadied * self.losses.sqrt() / ONE_LOSS_SD
    }

    /// The same of rates and windows together.
    fn are_alike_together(&self) -> bool {
        let rates = self.of_random();
        let most = if self.losses < MIN_OFTEN_LOSSES { MAX_JOINT_VARIANCE } else { MAX_JOINT_VARIANCE_OFTEN };
        self.windows_vary.is_some_and(|windows| (rates * rates + windows * windows) / 2.0 < most)
    }

    /// Whether cwnd is the same at the end of each, losses or not: what was sent again was not lost.
    pub fn have_one_window(&self) -> bool {
        self.windows.is_some_and(|[largest, least]| largest < ONE_WINDOW_RATIO * least)
    }

    /// Whether losses come at the same window each time, by what a congestion control leaves of it: at the end of a second
    /// it is anything from there to the whole. Random losses let it vary far more.
    pub fn are_at_one_window(&self, leaves: f64) -> bool {
        let within = self.windows.is_some_and(|[largest, least]| largest * leaves < SAME_WINDOW_RATIO * least);
        self.count >= MIN_SINGLE_SECONDS && self.lose_singly() && within
    }

    /// The same of fewer seconds, and to within a segment: one in twelve simulated transfers with random losses.
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

/// The standard deviation of the rates of points over their mean, and what that is in a point, bytes.
fn spread(points: &[Point]) -> Option<(f64, f64)> {
    let rate = |pair: &[Point]| Some(pair[1].bytes? / (pair[1].time - pair[0].time));
    let rates: Vec<f64> = points.windows(2).map(rate).collect::<Option<_>>()?;
    let mean = mean(&rates);
    let spread = varies(&rates);
    let seconds = points.last()?.time - points.first()?.time;
    spread.is_finite().then_some((spread, mean * seconds / (points.len() as f64 - 1.0)))
}

/// The standard deviation of a sample over its mean.
fn varies(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (values.len() as f64 - 1.0)).sqrt() / mean
}
