//! The report: results of a run, as one page that opens offline and as figures.
//!
//! [`Report`] contains everything shown; [`html`](html()) and [`svg`] turn it into text. Both are pure: the same report
//! gives the same bytes.

use crate::judge::Outcome;
use crate::table::Table;
use serde::Serialize;

mod comparisons;
mod decimate;
mod grid;
mod html;
pub mod index;
pub(crate) mod lines;
mod markup;
mod picture;
mod strip;
pub mod svg;
mod sweep;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use decimate::decimate;
pub use html::{POLICY, STYLE, html};
pub(crate) use markup::escape;
pub use picture::figures;

/// Contents of the report.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The experiment's title.
    pub title: String,
    /// The question it answers; may be empty.
    pub question: String,
    /// The verdict, one sentence each.
    pub answer: Vec<String>,
    /// Doubts about the answer, one sentence each.
    pub caveats: Vec<String>,
    /// Pairs of points, and their results.
    pub comparisons: Vec<ComparisonRow>,
    /// The measures of every point.
    pub table: Table,
    /// Width of the bins of [`FlowTrace::goodput`], ms.
    pub bin: f64,
    /// Unit of all queues.
    pub queue_unit: QueueUnit,
    /// Traces in the plan's order: the first seed of each point, and the other seeds that have curves.
    pub traces: Vec<Trace>,
    /// Trials whose curves are left out, because the page would be too large.
    pub left_out: usize,
    pub trials: usize,
    /// Output of the user's commands; no plot needs it.
    pub outputs: Vec<Output>,
    /// The experiment as it was written.
    pub spec: String,
    /// Equivalent `ip`, `tc` and `sysctl` commands.
    pub commands: Vec<String>,
    /// The guest kernels, in words.
    pub kernels: Vec<String>,
    /// Environment of the run: name, value.
    pub environment: Vec<(String, String)>,
    /// Commands that repeat the run.
    pub reproduce: Vec<String>,
}

impl Report {
    /// Returns the trace of the first seed of a point.
    pub(crate) fn first_trace(&self, point: usize) -> Option<&Trace> {
        let first = self.traces.partition_point(|trace| trace.point < point);
        self.traces.get(first).filter(|trace| trace.point == point)
    }
}

/// A pair of points, and the result for a measure; all texts are ready to show.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparisonRow {
    /// Measure and place that are compared, such as `goodput`.
    pub what: String,
    /// The baseline, such as `cubic`.
    pub base: String,
    /// Point that is compared with the baseline, such as `bbr`.
    pub other: String,
    /// By how much the other differs from the base, such as `5.1 % higher`.
    pub effect: String,
    /// The effect's 95 % interval; empty if it has none, as with one seed.
    pub interval: String,
    /// Probability of so large an effect if there is none, corrected for the number of comparisons; may be empty.
    pub p: String,
    pub outcome: Outcome,
}

/// Output of a command of the user's in one trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Point, seed and node.
    pub place: String,
    pub command: String,
    /// From when to when it ran, and how it ended.
    pub ending: String,
    pub text: String,
}

/// Unit of queue lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum QueueUnit {
    /// Packets of any size.
    Packets,
    /// 1,000 bytes of Ethernet frames without FCS.
    #[serde(rename = "kB")]
    Kilobytes,
}

/// A trial over time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trace {
    /// Index into [`Table::points`].
    pub point: usize,
    /// The trial's seed.
    pub seed: u64,
    /// Flows of the trial; all trials of a point have the same, in the same order.
    pub flows: Vec<FlowTrace>,
    /// The lanes worth showing; all trials of a point have the same, in the same order.
    pub lanes: Vec<LaneTrace>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FlowTrace {
    /// Name of the flow; shown if the point has several flows.
    pub name: String,
    /// Congestion control by its Linux name, or `udp` or `ping`; chooses the colour.
    pub congestion: String,
    /// Round-trip time of the empty path, ms.
    pub base_rtt: f64,
    /// Packets of one MSS that fill the empty path: the bandwidth-delay product; `None` for flows without a window.
    pub bdp: Option<f64>,
    /// Congestion window, packets.
    pub cwnd: Curve,
    /// Slow-start threshold, packets; `None` while it is infinite.
    pub ssthresh: Curve,
    /// End of the flow's start-up, s from the trial's start; `None` if unknown.
    pub steady: Option<f64>,
    /// Goodput of each bin, Mbit/s, at the bin's end.
    pub goodput: Curve,
    /// Smoothed RTT, ms, or that of each ping; `None` before the first sample and if no reply came.
    pub rtt: Curve,
    /// Time from each request to its response, ms; `None` if none came.
    pub exchange: Curve,
    /// What came of the data in flight; empty without samples of a sender that counts what is delivered.
    #[serde(skip)]
    pub operating: Vec<OperatingPoint>,
    /// Percentiles 0 to 100 of the RTT's samples or of the pings' RTTs, ms; empty without any.
    #[serde(skip)]
    pub rtts: Vec<f64>,
    /// Percentiles 0 to 100 of the response times, ms; empty without any.
    #[serde(skip)]
    pub answers: Vec<f64>,
    /// Where its time went; empty if nothing shows it.
    pub account: Vec<Stay>,
}

/// Samples with about equally much data in flight, and what came of it within a round trip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OperatingPoint {
    /// Packets.
    pub in_flight: f64,
    /// Median RTT a round trip later, ms.
    pub rtt: f64,
    /// Median rate at which packets were delivered in that round trip, Mbit/s of payload.
    pub rate: f64,
}

/// A time in which one thing limited a flow.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stay {
    /// From when to when, s from the trial's start.
    pub from: f64,
    pub to: f64,
    /// A state of the account ([`diagnosis::quantity::State`]), in words.
    pub state: &'static str,
}

/// One direction of a link over time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LaneTrace {
    /// Name of the lane, such as `sender to receiver`; shown if the point has several.
    pub name: String,
    /// Rate of the link, Mbit/s.
    pub rate: f64,
    /// Capacity of the queue, in [`Report::queue_unit`]; `None` for a host's own.
    pub capacity: Option<f64>,
    /// Backlog of the queue, in [`Report::queue_unit`].
    pub queue: Curve,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Curve {
    /// Times from the trial's start, s, rising.
    pub t: Vec<f64>,
    /// A value for each time; `None` leaves a gap.
    pub y: Vec<Option<f64>>,
}

impl Curve {
    /// Makes a curve of samples `y` at times `t` (s), thinned to at most `most` points (at least 5) and rounded to a
    /// screen's resolution: times to 0.1 ms, values to five digits.
    pub fn new(t: &[f64], y: &[Option<f64>], most: usize) -> Curve {
        assert_eq!(t.len(), y.len(), "one value for each time");
        let kept = decimate(y, most);
        Curve {
            t: kept.iter().map(|&i| (t[i] * 1e4).round() / 1e4).collect(),
            y: kept.iter().map(|&i| y[i].map(five_digits)).collect(),
        }
    }
}

fn five_digits(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let digits = 4 - x.abs().log10().floor() as i32;
    if digits >= 0 {
        let scale = 10f64.powi(digits);
        (x * scale).round() / scale
    } else {
        let scale = 10f64.powi(-digits);
        (x / scale).round() * scale
    }
}
