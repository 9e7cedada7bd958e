//! From a recording to measures: pure, and the same for every engine.

mod caveat;
mod flow;
mod lane;
mod path;
#[cfg(test)]
pub(crate) mod sample;
mod series;

pub use caveat::{Caveat, sentences};
pub use path::{base_rtt, bottleneck, congestion, lane_number, load, way};
pub use series::{FlowSeries, Last, QueueSeries, Series, series};

use crate::measure::Subject;
use crate::network;
use crate::plan::{Plan, Trial};
use crate::recording::RecordingError;
use serde::{Deserialize, Serialize};

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
    /// Which: the flow's number, or that of the lane ([`network::topology::Step`]): link × 2 + direction; 0 of a trial.
    pub number: usize,
    /// The value in the measure's unit.
    pub value: f64,
}

impl TrialMeasures {
    /// A measure of one flow or lane.
    pub fn of(&self, measure: &str, subject: Subject, number: usize) -> Option<f64> {
        let meant = |v: &&Value| v.measure == measure && v.subject == subject && v.number == number;
        self.values.iter().find(meant).map(|v| v.value)
    }
}

/// Measures a whole run; `folder` says where a trial's recording is.
pub fn measure(plan: &Plan, folder: impl Fn(usize) -> std::path::PathBuf) -> Result<Measures, RecordingError> {
    let trial = |trial: &Trial| Ok(measure_trial(trial, &series(&trial.scene, &folder(trial.index))?));
    Ok(Measures { trials: plan.trials.iter().map(trial).collect::<Result<_, _>>()? })
}

pub(crate) fn measure_trial(trial: &Trial, series: &Series) -> TrialMeasures {
    let scene = &trial.scene;
    let mut measures = TrialMeasures { index: trial.index, values: vec![], caveats: vec![] };
    for number in 0..scene.flows.len() {
        push(&mut measures, Subject::Flow, number, &flow::values(number, scene, series));
        measures.caveats.extend(caveat::of_flow(number, scene, series));
    }
    measures.caveats.extend(caveat::of_queues(scene, series));
    let total = total_goodput(&load(scene), &measures, series);
    push(&mut measures, Subject::Trial, 0, &vec![("goodput", total)]);
    for step in network::steps(scene) {
        push(&mut measures, Subject::Lane, path::lane_number(step), &lane::values(step, scene, series));
    }
    measures
}

/// What the flows that are the [`load`] brought over the time from the first start of them to the last end, bits per
/// second; NaN if one of them has no goodput.
fn total_goodput(flows: &[usize], measures: &TrialMeasures, series: &Series) -> f64 {
    let spans = || flows.iter().map(|flow| series.span(*flow));
    let start = spans().map(|[start, _]| start).min().unwrap_or(0);
    let end = spans().map(|[_, end]| end).max().unwrap_or(0);
    let bits = |(flow, [start, end]): (&usize, [u64; 2])| {
        measures.of("goodput", Subject::Flow, *flow).map_or(f64::NAN, |rate| rate * end.saturating_sub(start) as f64)
    };
    flows.iter().zip(spans()).map(bits).sum::<f64>() / end.saturating_sub(start) as f64
}

/// Measures with their values; what could not be computed is not finite.
type Values = Vec<(&'static str, f64)>;

/// Only what could be computed: a share of nothing is no value.
fn push(into: &mut TrialMeasures, subject: Subject, number: usize, values: &Values) {
    let known = values.iter().filter(|(_, value)| value.is_finite());
    into.values.extend(known.map(|&(measure, value)| Value { measure: measure.into(), subject, number, value }));
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

/// The largest of some values; NaN of none.
fn most(values: &[u64]) -> f64 {
    values.iter().max().map_or(f64::NAN, |n| *n as f64)
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
    fn what_runs_beside_bulk_data_is_not_in_the_total() {
        let mut trial = sample::trial(sample::four_kinds());
        let mut series = sample::series();
        // 25 MB from 1 s to 3 s, beside pings from the start to the end and requests.
        series.facts.started.insert(3, 0);
        series.facts.ended.insert(3, 100_000_000_000);
        series.facts.ended.insert(2, 100_000_000_000);
        let total = |trial: &Trial, series: &Series| measure_trial(trial, series).of("goodput", Subject::Trial, 0);
        assert_eq!(total(&trial, &series), Some(100e6));
        // As much again, but from 2 s to 4 s.
        trial.scene.flows[3] = sample::flow("b", "c", sample::bulk("cubic"));
        series.flows[3] = series.flows[0].clone();
        series.facts.started.insert(3, 2_000_000_000);
        series.facts.ended.insert(3, 4_000_000_000);
        assert_eq!(total(&trial, &series), Some(400e6 / 3.0));
        series.facts.started.remove(&3);
        series.facts.ended.remove(&3);
        assert_eq!(total(&trial, &series), None, "one of two flows never was");
        trial.scene.flows.drain(..1);
        trial.scene.flows.truncate(2);
        series.flows.remove(0);
        series.facts.started = [(0, 1_000_000_000), (1, 0)].into();
        series.facts.ended = [(0, 2_000_000_000), (1, 9_000_000_000)].into();
        assert_eq!(total(&trial, &series), Some(32e3), "requests, not datagrams");
    }

    #[test]
    fn what_is_computed_is_what_the_table_names() {
        let computed = |subject| match subject {
            Subject::Flow => include_str!("flow.rs"),
            Subject::Lane => include_str!("lane.rs"),
            Subject::Trial => include_str!("mod.rs"),
        };
        for measure in MEASURES {
            let due = format!("(\"{}\"", measure.name);
            assert!(computed(measure.subject).contains(&due), "{} is never computed", measure.name);
        }
    }

    #[test]
    fn a_trial_of_four_kinds_has_the_measures_of_each() {
        let (trial, series) = (sample::trial(sample::four_kinds()), sample::series());
        let measures = measure_trial(&trial, &series);
        let named = |flow: usize| {
            let of_flow = measures.values.iter().filter(|v| v.subject == Subject::Flow && v.number == flow);
            of_flow.map(|v| v.measure.as_str()).collect::<Vec<_>>()
        };
        assert!(measures.values.iter().all(|v| {
            crate::measure::find(&v.measure).is_some_and(|m| m.subject == v.subject || v.subject == Subject::Trial)
        }));
        assert!(named(0).contains(&"goodput") && named(0).contains(&"mss") && !named(0).contains(&"exchanges"));
        assert!(named(1).contains(&"exchange-p95") && named(1).contains(&"retransmitted"));
        assert_eq!(named(2), ["goodput", "lost", "reordered"]);
        assert_eq!(named(3), ["exchanges", "unanswered", "rtt-min", "rtt-p50", "rtt-p95"]);
        assert_eq!(measures.of("goodput", Subject::Trial, 0), measures.of("goodput", Subject::Flow, 0));
        let lanes: std::collections::BTreeSet<usize> =
            measures.values.iter().filter(|v| v.subject == Subject::Lane).map(|v| v.number).collect();
        assert_eq!(lanes, (0..6).collect());
    }
}
