//! A transfer in steps long enough for Little's law.

use base::stats::{mean, median};
use evidence::{Connection, Point};

/// A value with its standard deviation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Its standard deviation.
    pub sd: f64,
}

/// Facts about a transfer's path from outside its own counters.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Path {
    /// RTT of the idle path, seconds.
    pub rtt: Option<f64>,
    /// Payload of a full segment, bytes.
    pub mss: f64,
}

/// The time between two points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Length, seconds.
    pub seconds: f64,
    /// Payload, bytes.
    pub bytes: f64,
    /// Segments retransmitted.
    pub retransmitted: f64,
    /// cwnd at the start and the end, bytes.
    pub cwnd: [f64; 2],
    /// Smoothed RTT at the end, seconds.
    pub srtt: f64,
    /// Whether the transfer's figures include it: `iperf3 -O` omits steps that were sent all the same.
    pub counted: bool,
}

/// A connection cut into steps.
#[derive(Debug, Clone)]
pub struct Transfer<'a> {
    /// The connection as observed.
    pub seen: &'a Connection,
    /// Path of the transfer.
    pub path: Path,
    /// RTT of the idle path, seconds: as known, or the least observed, whichever is smaller.
    pub rtt: Option<f64>,
    /// Steps of the transfer; empty unless bytes, cwnd and RTT are printed.
    pub steps: Vec<Step>,
}

/// Shortest step, seconds: half of iperf3's default interval. A step is also at least a round trip long.
const SHORTEST_STEP_S: f64 = 0.5;
/// Share of a step's length after the start of the connection below which its end leaves the step uncounted.
const SHORTEST_STEP_SHARE: f64 = 0.5;
/// Smallest number of steps for a peak or a slope.
const MIN_STEPS: usize = 4;

impl<'a> Transfer<'a> {
    /// Cuts a connection into steps.
    pub fn from_connection(seen: &'a Connection, path: Path) -> Transfer<'a> {
        let least = seen.points.iter().filter_map(|point| point.srtt).filter(|rtt| *rtt > 0.0).reduce(f64::min);
        let rtt = [path.rtt, seen.rtt_min, least].into_iter().flatten().reduce(f64::min);
        let steps = rtt.map(|rtt| steps(seen, rtt.max(SHORTEST_STEP_S))).unwrap_or_default();
        Transfer { seen, path, rtt, steps }
    }

    /// Returns the steps that its figures include.
    pub fn counted(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| step.counted)
    }

    /// Returns the median of bytes in flight over cwnd.
    pub fn window_used(&self) -> Option<f64> {
        let used: Vec<f64> = self.counted().map(Step::used).collect();
        (!used.is_empty()).then(|| median(&used))
    }

    /// Returns the mean of cwnd over RTT, over its largest value: the share of the link that a sawtooth leaves.
    pub fn mean_over_peak(&self) -> Option<f64> {
        let rates: Vec<f64> = self.counted().map(|step| step.cwnd[1] / step.srtt).collect();
        let share = mean(&rates) / rates.iter().copied().fold(0.0, f64::max);
        (rates.len() >= MIN_STEPS && share.is_finite()).then_some(share)
    }

    /// Returns the slope of ln RTT over ln cwnd, by least squares: 1 on a full link, 0 on one with room (Little's
    /// law). Both are of the ends of steps: within a step a sawtooth moves both.
    pub fn rtt_slope(&self) -> Option<Estimate> {
        let all: Vec<[f64; 2]> = self.counted().map(|step| [step.cwnd[1].ln(), step.srtt.ln()]).collect();
        let middle = |at: usize| mean(&all.iter().map(|one| one[at]).collect::<Vec<_>>());
        let [x, y] = [middle(0), middle(1)];
        let squares: f64 = all.iter().map(|one| (one[0] - x).powi(2)).sum();
        let value = all.iter().map(|one| (one[0] - x) * (one[1] - y)).sum::<f64>() / squares;
        let rest: f64 = all.iter().map(|one| (one[1] - y - value * (one[0] - x)).powi(2)).sum();
        let sd = (rest / (all.len() as f64 - 2.0) / squares).sqrt();
        (all.len() >= MIN_STEPS && value.is_finite() && sd.is_finite()).then_some(Estimate { value, sd })
    }

    /// Returns the bytes sent again in the first loss event, over the larger cwnd before or after it.
    pub fn overshoot(&self) -> Option<f64> {
        let at = self.steps.iter().position(|step| step.retransmitted > 0.0)?;
        let lost: f64 = self.steps[at..].iter().map(|step| step.retransmitted).take_while(|lost| *lost > 0.0).sum();
        let [before, after] = self.steps[at].cwnd;
        Some(lost * self.path.mss / before.max(after)).filter(|share| share.is_finite())
    }
}

impl Step {
    /// Returns the mean of cwnd at both ends, bytes.
    pub fn window(&self) -> f64 {
        (self.cwnd[0] + self.cwnd[1]) / 2.0
    }

    /// Returns the mean bytes in flight over cwnd: rate × RTT by Little's law.
    pub fn used(&self) -> f64 {
        self.bytes / self.seconds * self.srtt / self.window()
    }
}

fn steps(seen: &Connection, shortest: f64) -> Vec<Step> {
    let mut steps: Vec<Step> = vec![];
    let known = |point: &Point| Some((point.bytes?, point.cwnd?, point.srtt.filter(|srtt| *srtt > 0.0)?));
    let begins = seen.span.map_or(0.0, |[start, _]| start);
    let mut begin: Option<(f64, f64)> = None;
    let (mut bytes, mut retransmitted) = (0.0, 0.0);
    for point in &seen.points {
        let Some((more, cwnd, srtt)) = known(point) else { continue };
        let Some((time, before)) = begin else {
            begin = Some((point.time, cwnd));
            continue;
        };
        bytes += more;
        retransmitted += point.retransmitted.unwrap_or(0.0);
        let seconds = point.time - time;
        if seconds < shortest * 0.99 || before <= 0.0 {
            continue;
        }
        let counted = point.time > begins + SHORTEST_STEP_SHARE * seconds;
        steps.push(Step { seconds, bytes, retransmitted, cwnd: [before, cwnd], srtt, counted });
        (bytes, retransmitted) = (0.0, 0.0);
        begin = Some((point.time, cwnd));
    }
    steps
}
