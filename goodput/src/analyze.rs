//! From a recording to measures: pure, and the same for every engine.

use crate::measure::Subject;
use crate::network::{self, Stage};
use crate::plan::{End, Lane, Plan, Scene, Trial};
use crate::recording::{self, RecordingError, TrialFacts};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The measures of a run, a trial at a time; `measures.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measures {
    /// In the plan's order.
    pub trials: Vec<TrialMeasures>,
}

/// The measures of one trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialMeasures {
    /// The trial's place in the plan.
    pub index: usize,
    /// All values.
    pub values: Vec<Value>,
    /// Doubts about them.
    pub caveats: Vec<Caveat>,
}

/// One measure of one flow or lane.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// The measure's name.
    pub measure: String,
    /// Whether it is about a flow or a lane.
    pub subject: Subject,
    /// Which: the flow's number, or link × 2 + direction.
    pub number: usize,
    /// The value in the measure's unit.
    pub value: f64,
}

/// A doubt about a measurement.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Caveat {
    /// The flow lasted so few round trips that its start weighs on every mean.
    FewRoundTrips {
        /// The flow's number.
        flow: usize,
        /// Round trips of the empty path.
        round_trips: u64,
    },
    /// There are too few samples for percentiles.
    FewSamples {
        /// The flow's number.
        flow: usize,
        /// How many there are.
        samples: usize,
    },
}

impl Caveat {
    /// The doubt, as a sentence.
    pub fn text(&self) -> String {
        match self {
            Caveat::FewRoundTrips { flow, round_trips } => {
                format!("Flow {flow} lasted {round_trips} round trips: its start weighs on every mean.")
            }
            Caveat::FewSamples { flow, samples } => {
                format!("Flow {flow} has {samples} samples: too few for percentiles; shorten record.interval.")
            }
        }
    }
}

/// Fewer round trips than this are mostly start-up: slow start alone takes about ten to fill 1,000 packets.
const FEW_ROUND_TRIPS: u64 = 20;
/// A 95th percentile of fewer samples is their maximum.
const FEW_SAMPLES: usize = 20;

/// What one end of a flow looked like over time.
#[derive(Debug, Clone, Default)]
pub struct FlowSeries {
    /// Virtual time since the network was up, ns.
    pub time: Vec<u64>,
    /// Congestion window, packets.
    pub cwnd: Vec<u64>,
    /// Slow-start threshold, packets; 0x7fffffff while there is none.
    pub ssthresh: Vec<u64>,
    /// Smoothed round-trip time, us; 0 before the first.
    pub srtt: Vec<u64>,
    /// Receiver's time, ns, and payload received in order until then, bytes.
    pub received: Vec<(u64, u64)>,
    last: LastSample,
}

/// Counters in the sender's last sample.
#[derive(Debug, Clone, Copy, Default)]
struct LastSample {
    min_rtt: u64,
    bytes_sent: u64,
    bytes_retrans: u64,
    busy: u64,
    rwnd_limited: u64,
    sndbuf_limited: u64,
}

/// What a sampled queue looked like over time.
#[derive(Debug, Clone, Default)]
pub struct QueueSeries {
    /// Virtual time since the network was up, ns.
    pub time: Vec<u64>,
    /// In the queue, packets.
    pub packets: Vec<u64>,
    /// In the queue, bytes.
    pub backlog: Vec<u64>,
    /// Dropped since the network was up, packets.
    pub drops: Vec<u64>,
    /// Passed on since the network was up, bytes.
    pub sent_bytes: Vec<u64>,
    /// Passed on since the network was up, packets.
    pub sent_packets: Vec<u64>,
}

/// A trial's recording in memory.
#[derive(Debug, Clone)]
pub struct Series {
    /// By the flows' numbers.
    pub flows: Vec<FlowSeries>,
    /// In the order of [`network::probes`].
    pub queues: Vec<QueueSeries>,
    /// What is no time series.
    pub facts: TrialFacts,
}

/// Reads a trial's recording.
pub fn series(scene: &Scene, folder: &Path) -> Result<Series, RecordingError> {
    Ok(Series {
        flows: flow_series(scene, &folder.join(recording::SAMPLES))?,
        queues: queue_series(scene, &folder.join(recording::QUEUES))?,
        facts: recording::facts(folder)?,
    })
}

fn flow_series(scene: &Scene, path: &Path) -> Result<Vec<FlowSeries>, RecordingError> {
    let [flow, end, time, cwnd, ssthresh, srtt, received, min_rtt, sent, retrans, busy, rwnd, sndbuf] =
        recording::columns(
            path,
            [
                "flow",
                "end",
                "time",
                "snd_cwnd",
                "snd_ssthresh",
                "rtt",
                "bytes_received",
                "min_rtt",
                "bytes_sent",
                "bytes_retrans",
                "busy_time",
                "rwnd_limited",
                "sndbuf_limited",
            ],
        )?;
    let mut all = vec![FlowSeries::default(); scene.flows.len()];
    for row in 0..time.len() {
        let Some(series) = all.get_mut(flow[row] as usize) else { continue };
        if end[row] == 1 {
            series.received.push((time[row], received[row]));
            continue;
        }
        series.time.push(time[row]);
        series.cwnd.push(cwnd[row]);
        series.ssthresh.push(ssthresh[row]);
        series.srtt.push(srtt[row]);
        series.last = LastSample {
            min_rtt: min_rtt[row],
            bytes_sent: sent[row],
            bytes_retrans: retrans[row],
            busy: busy[row],
            rwnd_limited: rwnd[row],
            sndbuf_limited: sndbuf[row],
        };
    }
    Ok(all)
}

fn queue_series(scene: &Scene, path: &Path) -> Result<Vec<QueueSeries>, RecordingError> {
    let [queue, time, packets, backlog, drops, sent_bytes, sent_packets] =
        recording::columns(path, ["queue", "time", "packets", "backlog", "drops", "sent_bytes", "sent_packets"])?;
    let mut all = vec![QueueSeries::default(); network::probes(scene).len()];
    for row in 0..time.len() {
        let Some(series) = all.get_mut(queue[row] as usize) else { continue };
        series.time.push(time[row]);
        series.packets.push(packets[row]);
        series.backlog.push(backlog[row]);
        series.drops.push(drops[row]);
        series.sent_bytes.push(sent_bytes[row]);
        series.sent_packets.push(sent_packets[row]);
    }
    Ok(all)
}

/// Measures a whole run; `folder` says where a trial's recording is.
pub fn measure(plan: &Plan, folder: impl Fn(usize) -> std::path::PathBuf) -> Result<Measures, RecordingError> {
    let trial = |trial: &Trial| Ok(measure_trial(trial, &series(&trial.scene, &folder(trial.index))?));
    Ok(Measures { trials: plan.trials.iter().map(trial).collect::<Result<_, _>>()? })
}

fn measure_trial(trial: &Trial, series: &Series) -> TrialMeasures {
    let mut measures = TrialMeasures { index: trial.index, values: vec![], caveats: vec![] };
    for number in 0..trial.scene.flows.len() {
        measure_flow(number, &trial.scene, series, &mut measures);
    }
    for (number, lane) in lanes(&trial.scene).enumerate() {
        measure_lane(number, lane, &trial.scene, series, &mut measures);
    }
    measures
}

/// Both directions of every link, in the order of their numbers.
pub fn lanes(scene: &Scene) -> impl Iterator<Item = &Lane> {
    scene.links.iter().flat_map(|link| [&link.forward, &link.backward])
}

/// Round-trip time of the empty path, ns.
pub fn base_rtt(scene: &Scene) -> u64 {
    lanes(scene).map(|lane| lane.delay).sum()
}

fn measure_flow(number: usize, scene: &Scene, series: &Series, into: &mut TrialMeasures) {
    let flow = &series.flows[number];
    let key = number as u32;
    let [start, end] = [&series.facts.started, &series.facts.ended].map(|times| times.get(&key).copied().unwrap_or(0));
    let seconds = end.saturating_sub(start) as f64 / 1e9;
    let bytes = match scene.flows[number].end {
        End::Bytes(n) => n,
        End::Duration(_) => flow.received.last().map_or(0, |(_, bytes)| *bytes),
    };
    let last = flow.last;
    let share = |us: u64| us as f64 / 1e6 / seconds;
    let mut srtt: Vec<u64> = flow.srtt.iter().copied().filter(|us| *us > 0).collect();
    srtt.sort_unstable();
    let values = [
        ("goodput", bytes as f64 * 8.0 / seconds),
        ("retransmitted", last.bytes_retrans as f64 / last.bytes_sent as f64),
        ("rtt-min", last.min_rtt as f64 / 1e6),
        ("rtt-p50", percentile(&srtt, 0.50) / 1e6),
        ("rtt-p95", percentile(&srtt, 0.95) / 1e6),
        ("cwnd-mean", mean(&flow.cwnd)),
        ("cwnd-max", flow.cwnd.iter().max().map_or(f64::NAN, |n| *n as f64)),
        ("limited-cwnd", share(last.busy.saturating_sub(last.rwnd_limited + last.sndbuf_limited))),
        ("limited-rwnd", share(last.rwnd_limited)),
        ("limited-sndbuf", share(last.sndbuf_limited)),
        ("limited-app", (1.0 - share(last.busy)).max(0.0)),
    ];
    push(into, Subject::Flow, number, &values);
    if srtt.len() < FEW_SAMPLES {
        into.caveats.push(Caveat::FewSamples { flow: number, samples: srtt.len() });
    }
    let round_trips = end.saturating_sub(start) / base_rtt(scene).max(1);
    if round_trips < FEW_ROUND_TRIPS {
        into.caveats.push(Caveat::FewRoundTrips { flow: number, round_trips });
    }
}

fn measure_lane(number: usize, lane: &Lane, scene: &Scene, series: &Series, into: &mut TrialMeasures) {
    let probe = |stage| {
        let here = |p: &network::Probe| p.link * 2 + p.lane == number && p.stage == stage;
        network::probes(scene).iter().position(here).map(|n| &series.queues[n])
    };
    let Some(queue) = probe(Stage::Queue) else { return };
    let start = series.facts.started.values().min().copied().unwrap_or(0);
    let end = series.facts.ended.values().max().copied().unwrap_or(0);
    let [first, last] = [start, end].map(|t| queue.time.partition_point(|time| *time <= t).saturating_sub(1));
    let during = |values: &[u64]| values.get(last).zip(values.get(first)).map_or(0, |(b, a)| b - a) as f64;
    let bytes = during(&queue.sent_bytes) + during(&queue.sent_packets) * f64::from(lane.overhead);
    let seconds = during(&queue.time) / 1e9;
    let backlog = queue.backlog.get(first..=last).unwrap_or_default();
    let drops = |series: Option<&QueueSeries>| series.and_then(|s| s.drops.last()).map_or(0.0, |n| *n as f64);
    let values = [
        ("utilisation", bytes * 8.0 / seconds / lane.rate as f64),
        ("queue-mean", mean(backlog)),
        ("queue-max", backlog.iter().max().map_or(f64::NAN, |n| *n as f64)),
        ("queue-drops", drops(Some(queue))),
        ("loss-drops", drops(probe(Stage::Loss))),
    ];
    push(into, Subject::Lane, number, &values);
}

/// Only what could be computed: a share of nothing is no value.
fn push(into: &mut TrialMeasures, subject: Subject, number: usize, values: &[(&str, f64)]) {
    let known = values.iter().filter(|(_, value)| value.is_finite());
    into.values.extend(known.map(|&(measure, value)| Value { measure: measure.into(), subject, number, value }));
}

fn mean(values: &[u64]) -> f64 {
    values.iter().map(|v| *v as f64).sum::<f64>() / values.len() as f64
}

/// The nearest-rank percentile of sorted values; NaN of none.
fn percentile(sorted: &[u64], share: f64) -> f64 {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).map_or(f64::NAN, |v| *v as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::MEASURES;

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        let values: Vec<u64> = (1..=100).collect();
        assert_eq!(percentile(&values, 0.50), 50.0);
        assert_eq!(percentile(&values, 0.95), 95.0);
        assert_eq!(percentile(&[7], 0.95), 7.0);
        assert!(percentile(&[], 0.5).is_nan());
    }

    #[test]
    fn what_is_computed_is_what_the_table_names() {
        let source = include_str!("analyze.rs");
        for measure in MEASURES {
            assert!(source.contains(&format!("(\"{}\"", measure.name)), "{} is never computed", measure.name);
        }
    }
}
