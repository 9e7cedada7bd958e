//! What was measured of one transfer, in steps of at least two round trips.
//!
//! Quantities are in units of the transfer's own: round trips, segments, the RTT of the idle path, cwnd, the receive
//! window, the peak rate. A quantity that the evidence does not give is `None`.

use base::model::segment::IPERF3_WRITE;
use base::stats::{mean, median, percentile};
use evidence::{Connection, Limits, Point, Seen, Source};

/// A value, its standard deviation, and where it is from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Its standard deviation.
    pub sd: f64,
    /// The arithmetic or the print that it is from.
    pub from: &'static str,
}

/// Facts about a transfer's path from outside its own counters.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Path {
    /// RTT of the idle path, seconds.
    pub rtt: Option<f64>,
    /// Payload of a full segment, bytes.
    pub mss: f64,
    /// Whether the sender's congestion control is a version of BBR.
    pub bbr: bool,
    /// Whether it climbs in a line between losses, as Reno does.
    pub reno: bool,
    /// Payload that the link carries, if its rate is known, bit/s.
    pub line: Option<f64>,
}

/// The time between two points, or between more if they are close.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Step {
    /// Start, seconds since the source's own zero.
    pub begin: f64,
    /// Length, seconds.
    pub seconds: f64,
    /// Payload, bytes.
    pub bytes: Option<f64>,
    /// Segments retransmitted.
    pub retransmitted: Option<f64>,
    /// cwnd at the start and the end, bytes.
    pub cwnd: Option<[f64; 2]>,
    /// Slow-start threshold at the end, bytes.
    pub ssthresh: Option<f64>,
    /// Smoothed RTT at the end, seconds.
    pub srtt: Option<f64>,
    /// Mean deviation of the RTT at the end, seconds.
    pub rttvar: Option<f64>,
    /// Payload in flight at the end, bytes.
    pub in_flight: Option<f64>,
    /// Receive window at the end, bytes.
    pub window: Option<f64>,
    /// Payload in the send buffer that was not sent, at the end, bytes.
    pub unsent: Option<f64>,
    /// Shares of the step for which the kernel counts each limit.
    pub limits: Option<Limits>,
    /// Whether the transfer's figures include it: `iperf3 -O` omits steps that were sent all the same.
    pub counted: bool,
    /// Whether it is the first: it has parts of a handshake, a first write, a cwnd at one end only.
    pub first: bool,
}

/// A transfer, cut into steps.
#[derive(Debug, Clone)]
pub struct Measured<'a> {
    /// The connection as observed.
    pub seen: &'a Connection,
    /// Path of the transfer.
    pub path: Path,
    /// RTT of the idle path, seconds: as known, or the least observed, whichever is smaller.
    pub rtt: Option<f64>,
    /// Steps of the transfer.
    pub steps: Vec<Step>,
    /// Amount by which payload grows at a time, bytes: a write, or a segment.
    pub quantum: f64,
}

/// Shortest step, round trips: a shorter one sees no window twice.
const MIN_STEP_TRIPS: f64 = 2.0;
/// Largest number of steps of a transfer: captures print more points than a state has changes.
const MAX_STEPS: f64 = 80.0;
/// Share of a step's length by which it may be shorter: points come some milliseconds late.
const STEP_SLACK: f64 = 0.02;
/// Share of a step's length after the start of the connection below which its end leaves the step uncounted.
const SHORTEST_STEP_SHARE: f64 = 0.5;
/// Largest distance of the logarithms of duration and goodput in two views of a transfer: a program's run has a start and
/// an end that a capture lacks.
const MAX_VIEW_DISTANCE: f64 = 0.15;
/// Smallest number of steps for a peak or a slope.
const MIN_STEPS: usize = 4;
/// Standard deviation of the sum of two edges that are uniform over one unit: sqrt(1/6).
const TWO_EDGES_SD: f64 = 0.408;
/// Standard deviation of the logarithm of a rate by late readings and bursts.
const CLOCK_SD: f64 = 0.015;
/// Standard deviation of ln(rate × RTT / cwnd) because srtt is that at the end of a step, and cwnd moves within it.
const MOTION_SD: f64 = 0.08;
/// Largest standard deviation of a logarithm that whole writes, or edges of round trips, leave.
const MAX_LOG_SD: f64 = 1.5;

impl<'a> Measured<'a> {
    /// Cuts a connection into steps.
    pub fn from_connection(seen: &'a Connection, path: Path) -> Measured<'a> {
        let least = seen.points.iter().filter_map(|point| point.srtt).filter(|rtt| *rtt > 0.0).reduce(f64::min);
        let rtt = [path.rtt, seen.rtt_min, least].into_iter().flatten().filter(|rtt| *rtt > 0.0).reduce(f64::min);
        let steps = steps(seen, rtt.unwrap_or(0.0));
        let cwnds: Vec<f64> = steps.iter().filter_map(|step| step.cwnd).map(|[_, end]| end).collect();
        let write = seen.write.unwrap_or(IPERF3_WRITE);
        let quantum = match (seen.written, percentile(cwnds, 0.5)) {
            (true, Some(cwnd)) => write.min(cwnd),
            (true, None) => write,
            (false, _) => path.mss,
        };
        Measured { seen, path, rtt, steps, quantum }
    }

    /// Whether this may be another view of the same transfer: the same direction, time and rate, by another program.
    pub fn may_be(&self, other: &Measured) -> bool {
        let [own, others] = [self.seen, other.seen].map(|seen| seen.span.map(|[start, end]| end - start));
        let near =
            |a: Option<f64>, b: Option<f64>| a.zip(b).is_some_and(|(a, b)| (a / b).ln().abs() < MAX_VIEW_DISTANCE);
        let ends = self.seen.addresses().zip(other.seen.addresses()).is_none_or(|(a, b)| a == b);
        ends && self.seen.source != other.seen.source
            && self.sees_sender()
            && other.sees_sender()
            && near(own, others)
            && near(self.seen.goodput, other.seen.goodput)
    }

    /// Takes from another view of the transfer what this one does not print, step by step.
    pub fn take(&mut self, other: &Measured) {
        let start = |seen: &Connection| seen.span.map_or(0.0, |[start, _]| start);
        let (own, others) = (start(self.seen), start(other.seen));
        self.rtt = [self.rtt, other.rtt].into_iter().flatten().reduce(f64::min);
        for step in &mut self.steps {
            let end = step.begin + step.seconds - own + others;
            let at = other.steps.partition_point(|step| step.begin + step.seconds < end - step.seconds / 2.0);
            let Some(beside) = other.steps.get(at).filter(|beside| beside.begin < end) else { continue };
            step.retransmitted = step.retransmitted.or(beside.retransmitted);
            step.cwnd = step.cwnd.or(beside.cwnd);
            step.ssthresh = step.ssthresh.or(beside.ssthresh);
            step.srtt = step.srtt.or(beside.srtt);
            step.rttvar = step.rttvar.or(beside.rttvar);
            step.in_flight = step.in_flight.or(beside.in_flight);
            step.window = step.window.or(beside.window);
            step.unsent = step.unsent.or(beside.unsent);
            step.limits = step.limits.or(beside.limits);
        }
    }

    /// Whether the sender's side was watched.
    pub fn sees_sender(&self) -> bool {
        self.seen.seen != Seen::Receiver
    }

    /// Returns the steps that its figures include, but for the first: it has cwnd at one end only.
    pub fn counted(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| step.counted && !step.first)
    }

    /// Returns the number of counted steps with bytes, cwnd and RTT.
    pub fn whole_steps(&self) -> usize {
        self.counted().filter(|step| self.used(step).is_some()).count()
    }

    /// Returns ln(rate × RTT / cwnd) of a step, by Little's law the share of cwnd in flight; with the idle path's RTT
    /// if the step has none.
    pub fn ln_used(&self, step: &Step, rtt: Option<f64>) -> Option<Estimate> {
        let (bytes, [start, end], rtt) = (step.bytes?, step.cwnd?, step.srtt.or(rtt)?);
        let cwnd = if step.first { end } else { (start + end) / 2.0 };
        let value = (bytes / step.seconds * rtt / cwnd).ln();
        let jitter = step.rttvar.filter(|_| step.srtt.is_some()).unwrap_or(0.0) / 2.0 / rtt;
        let sd = self.rate_sd(step, Some(rtt))?.hypot(MOTION_SD).hypot(jitter);
        value.is_finite().then_some(Estimate { value, sd, from: "rate × RTT / cwnd" })
    }

    /// Returns the standard deviation of the logarithm of a step's rate: whole writes, edges of round trips, late
    /// readings.
    pub fn rate_sd(&self, step: &Step, rtt: Option<f64>) -> Option<f64> {
        let bytes = step.bytes.filter(|bytes| *bytes > 0.0)?;
        let writes = (self.quantum * TWO_EDGES_SD / bytes).min(MAX_LOG_SD);
        let edges = rtt.map_or(0.0, |rtt| TWO_EDGES_SD * rtt / step.seconds).min(MAX_LOG_SD);
        Some(writes.hypot(edges).hypot(CLOCK_SD))
    }

    /// Returns the share of cwnd in flight in a step with an RTT.
    pub fn used(&self, step: &Step) -> Option<f64> {
        step.srtt.and_then(|_| self.ln_used(step, None)).map(|used| used.value.exp())
    }

    /// Returns the median of bytes in flight over cwnd.
    pub fn window_used(&self) -> Option<f64> {
        let used = |step: &Step| self.ln_used(step, self.rtt).map(|used| used.value.exp());
        let used: Vec<f64> = self.counted().filter_map(used).collect();
        (!used.is_empty()).then(|| median(&used))
    }

    /// Returns cwnd and RTT at the ends of counted steps, bytes and seconds.
    fn ends(&self) -> Vec<[f64; 2]> {
        self.counted()
            .filter(|step| step.bytes.is_some())
            .filter_map(|step| Some([step.cwnd?[1], step.srtt?]))
            .collect()
    }

    /// Returns the mean of cwnd over RTT, over its largest value: the share of the link that a sawtooth leaves.
    pub fn mean_over_peak(&self) -> Option<f64> {
        let rates: Vec<f64> = self.ends().iter().map(|[cwnd, rtt]| cwnd / rtt).collect();
        let share = mean(&rates) / rates.iter().copied().fold(0.0, f64::max);
        (rates.len() >= MIN_STEPS && share.is_finite()).then_some(share)
    }

    /// Returns the slope of ln RTT over ln cwnd, by least squares: 1 on a full link, 0 on one with room (Little's
    /// law). Both are of the ends of steps: within a step a sawtooth moves both.
    pub fn rtt_slope(&self) -> Option<Estimate> {
        let all: Vec<[f64; 2]> = self.ends().iter().map(|end| end.map(f64::ln)).collect();
        let middle = |at: usize| mean(&all.iter().map(|one| one[at]).collect::<Vec<_>>());
        let [x, y] = [middle(0), middle(1)];
        let squares: f64 = all.iter().map(|one| (one[0] - x).powi(2)).sum();
        let value = all.iter().map(|one| (one[0] - x) * (one[1] - y)).sum::<f64>() / squares;
        let rest: f64 = all.iter().map(|one| (one[1] - y - value * (one[0] - x)).powi(2)).sum();
        let sd = (rest / (all.len() as f64 - 2.0) / squares).sqrt();
        let slope = Estimate { value, sd, from: "slope of ln RTT over ln cwnd" };
        (all.len() >= MIN_STEPS && value.is_finite() && sd.is_finite()).then_some(slope)
    }

    /// Returns the bytes sent again in the first loss event, over the larger cwnd before or after it.
    pub fn overshoot(&self) -> Option<f64> {
        let lost = |step: &Step| step.retransmitted.unwrap_or(0.0);
        let at = self.steps.iter().position(|step| lost(step) > 0.0 && !step.first)?;
        let all: f64 = self.steps[at..].iter().map(lost).take_while(|lost| *lost > 0.0).sum();
        let [before, after] = self.steps[at].cwnd?;
        Some(all * self.path.mss / before.max(after)).filter(|share| share.is_finite())
    }
}

/// Returns the steps of a connection. The first point of some sources covers the time since the start; that of others
/// only begins the first step.
fn steps(seen: &Connection, rtt: f64) -> Vec<Step> {
    let Some([start, end]) = seen.span.filter(|[start, end]| end > start) else { return vec![] };
    let shortest = (MIN_STEP_TRIPS * rtt).max((end - start) / MAX_STEPS) * (1.0 - STEP_SLACK);
    // ss leaves out a window of 0.
    let windows = seen.points.iter().filter(|point| point.window.is_some()).count();
    let closed = (seen.source == Source::Ss && 3 * windows > seen.points.len()).then_some(0.0);
    let mut steps: Vec<Step> = vec![];
    let mut begin: Option<(f64, Option<f64>)> = None;
    let mut open: Vec<Point> = vec![];
    for point in &seen.points {
        let covers = point.bytes.is_some() && point.time > start;
        let Some((time, before)) = begin.or(covers.then_some((start, None))) else {
            begin = Some((point.time, point.cwnd));
            continue;
        };
        begin = Some((time, before));
        open.push(*point);
        let seconds = point.time - time;
        if seconds <= shortest || seconds <= 0.0 {
            continue;
        }
        let sum = |of: fn(&Point) -> Option<f64>| open.iter().filter_map(of).reduce(|a, b| a + b);
        let end = point.cwnd.filter(|cwnd| *cwnd > 0.0);
        steps.push(Step {
            begin: time,
            seconds,
            bytes: sum(|point| point.bytes),
            retransmitted: sum(|point| point.retransmitted),
            cwnd: end.map(|end| [before.filter(|cwnd| *cwnd > 0.0).unwrap_or(end), end]),
            ssthresh: point.ssthresh,
            srtt: point.srtt.filter(|rtt| *rtt > 0.0),
            rttvar: point.rttvar,
            in_flight: point.in_flight,
            window: point.window.or(closed),
            unsent: point.unsent,
            limits: spent(&open, time),
            counted: point.time > start + SHORTEST_STEP_SHARE * seconds,
            first: steps.is_empty() && before.is_none(),
        });
        open.clear();
        begin = Some((point.time, point.cwnd));
    }
    steps
}

/// Returns the limits over several points, each for its share of the time.
fn spent(points: &[Point], begin: f64) -> Option<Limits> {
    let before = std::iter::once(begin).chain(points.iter().map(|point| point.time));
    let each = points.iter().zip(before).map(|(point, before)| {
        let seconds = point.time - before;
        point.limits.map(|one| [one.busy * seconds, one.rwnd * seconds, one.sndbuf * seconds])
    });
    let sum =
        each.reduce(|a, b| Some([0, 1, 2].map(|at| a.map_or(f64::NAN, |a| a[at]) + b.map_or(f64::NAN, |b| b[at]))))??;
    let known = sum.map(|spent| Some(spent).filter(|spent| spent.is_finite()));
    Limits::from_spent(known, points.last()?.time - begin)
}
