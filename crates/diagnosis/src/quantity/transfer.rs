//! A transfer in steps long enough for Little's law.

use evidence::{Connection, Point};

/// Facts about a transfer's path from outside its own counters.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Path {
    /// RTT of the idle path, seconds.
    pub rtt: Option<f64>,
    /// Payload rate of the link, bit/s.
    pub link: Option<f64>,
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

impl<'a> Transfer<'a> {
    /// Cuts a connection into steps.
    pub fn of(seen: &'a Connection, path: Path) -> Transfer<'a> {
        let least = seen.points.iter().filter_map(|point| point.srtt).filter(|rtt| *rtt > 0.0).reduce(f64::min);
        let rtt = [path.rtt, seen.rtt_min, least].into_iter().flatten().reduce(f64::min);
        let steps = rtt.map(|rtt| steps(seen, rtt.max(SHORTEST_STEP_S))).unwrap_or_default();
        Transfer { seen, path, rtt, steps }
    }

    /// Returns the steps that its figures include.
    pub fn counted(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| step.counted)
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
