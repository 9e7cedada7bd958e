//! Computes measures from a recording. Pure, and the same for every engine.

#![forbid(unsafe_code)]

mod bbr;
mod burst;
mod caveat;
mod commented_capture;
mod congestion;
mod data;
pub mod decide;
mod fairness;
pub mod finished_run;
#[cfg(any(test, feature = "fixture"))]
pub mod fixture;
mod flow;
mod lane;
mod load;
mod measures;
mod other_connections;
mod path;
mod per_subject;
pub mod qlog;
mod rates;
mod sender;
mod sender_limit;
mod series;
pub mod sources;
mod start_up;
pub mod study;
mod trial_value;
mod tunnels_and_subflows;
mod values;
mod wait;

pub use caveat::{Caveat, sentences};
pub use commented_capture::{CaptureExport, CaptureExportError, commented_capture};
pub use fairness::{harm, jain};
pub use measures::{Computed, MEASURES, Measure, Over};
pub use path::{base_rtt, bottleneck, lane_number, load, way};
pub use per_subject::TOLD_BY_IPERF3;
pub use sender::congestion;
pub(crate) use sender::data_ends;
pub use sender_limit::Hold;
pub use sender_limit::mostly;
pub use series::{Ack, FlowSeries, QueueSeries, Series, Wait, series};
pub use start_up::steady;
pub use trial_value::{concerned, of_kind};
pub use values::{Value, Values};

use base::folder::{FileError, Folder};
use base::units::Subject;
use data::{FlowData, LaneData, LoadData};
use plan::network;
use plan::recording::{self, RecordingError};
use plan::{Plan, Shared, Trial};

/// The measures of a run, a trial at a time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Measures {
    /// Sorted by index.
    pub trials: Vec<TrialMeasures>,
}

/// The measures of one trial.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialMeasures {
    /// The trial's place in the plan.
    pub index: usize,
    /// SHA-256 of its recording's SHA256SUMS; two trials with the same one recorded the same bytes.
    pub recording: Option<[u8; 32]>,
    pub values: Values,
    pub caveats: Shared<Caveat>,
}

impl Measures {
    /// Returns the measures of the trial with this index, if it was measured.
    pub fn get(&self, index: usize) -> Option<&TrialMeasures> {
        self.trials.binary_search_by_key(&index, |trial| trial.index).ok().map(|place| &self.trials[place])
    }

    /// Sorts trials by index, and keeps the first of two with the same index.
    fn sorted(mut trials: Vec<TrialMeasures>) -> Measures {
        trials.sort_by_key(|trial| trial.index);
        trials.dedup_by_key(|trial| trial.index);
        Measures { trials }
    }

    /// Adds the measures of a trial.
    pub fn insert(&mut self, mut trial: TrialMeasures) {
        let place = self.trials.partition_point(|other| other.index < trial.index);
        trial.share(place.checked_sub(1).map(|before| &self.trials[before]));
        self.trials.insert(place, trial);
    }
}

impl FromIterator<TrialMeasures> for Measures {
    fn from_iter<I: IntoIterator<Item = TrialMeasures>>(all: I) -> Measures {
        let all = all.into_iter();
        // Allocates for the upper bound: a vector that grows needs more than twice its memory for a while.
        let mut trials: Vec<TrialMeasures> = Vec::with_capacity(all.size_hint().1.unwrap_or(0));
        for mut trial in all {
            trial.share(trials.last());
            trials.push(trial);
        }
        Measures::sorted(trials)
    }
}

impl TrialMeasures {
    fn push(&mut self, subject: Subject, number: usize, values: per_subject::Named) {
        self.values.extend(values.into_iter().map(|(measure, value)| Value { measure, subject, number, value }));
    }

    /// Frees spare capacity, and shares equal keys and caveats with another trial.
    fn share(&mut self, other: Option<&TrialMeasures>) {
        self.caveats.shrink_to_fit();
        if let Some(other) = other {
            self.values.share(&other.values);
            self.caveats.share(&other.caveats);
        }
    }

    /// Returns a measure of one flow or lane, or of the trial.
    pub fn get(&self, measure: &str, subject: Subject, number: usize) -> Option<f64> {
        self.values.get(measure, subject, number)
    }
}

/// Measures a run. A trial in `before` whose recording has not changed is not measured again; `folder` opens the
/// recording of a trial.
pub fn measure(
    plan: &Plan,
    before: Measures,
    folder: impl Fn(usize) -> Result<Folder, FileError>,
) -> Result<Measures, RecordingError> {
    let anew = |trial: &Trial| {
        let recording = folder(trial.index)?;
        let measured = before.get(trial.index).and_then(|measured| measured.recording);
        if measured.is_some() && measured == recording::fingerprint(&recording)? {
            return Ok(None);
        }
        let series = series(&trial.scene, &recording)?;
        Ok(Some(measure_trial(trial, &series)))
    };
    let anew: Result<Measures, RecordingError> =
        plan.trials.iter().filter_map(|trial| anew(trial).transpose()).collect();
    let mut trials = anew?.trials;
    trials.extend(before.trials);
    Ok(Measures::sorted(trials))
}

pub fn measure_trial(trial: &Trial, series: &Series) -> TrialMeasures {
    let scene = &trial.scene;
    let shared = fairness::Shared::new(scene, series);
    let flows: Vec<FlowData> =
        (0..scene.flows.len()).map(|number| FlowData::new(number, scene, series, shared.as_ref())).collect();
    let mut measures = TrialMeasures {
        index: trial.index,
        recording: series.fingerprint,
        values: Values::default(),
        caveats: Shared::default(),
    };
    for flow in &flows {
        measures.push(Subject::Flow, flow.number, per_subject::of_flow(flow));
        measures.caveats.extend(caveat::of_flow(flow.number, scene, series));
    }
    measures.caveats.extend(caveat::of_queues(scene, series));
    measures.caveats.extend(caveat::of_hosts(scene, series));
    measures.caveats.extend(caveat::of_kernel(scene, series));
    measures.push(Subject::Trial, 0, per_subject::of_load(&LoadData::select(scene, &flows, shared.as_ref())));
    for step in network::steps(scene) {
        let lane = LaneData::new(step, scene, series);
        measures.push(
            Subject::Lane,
            path::lane_number(step),
            lane.as_ref().map(per_subject::of_lane).unwrap_or_default(),
        );
    }
    measures
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

/// Returns the largest value; NaN without values.
fn most(values: &[u64]) -> f64 {
    values.iter().max().map_or(f64::NAN, |n| *n as f64)
}

/// Returns the nearest-rank percentile of sorted values; `None` without values.
fn nearest_rank<T: Copy>(sorted: &[T], share: f64) -> Option<T> {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied()
}

/// Same as [`nearest_rank`], but NaN without values.
fn percentile(sorted: &[u64], share: f64) -> f64 {
    nearest_rank(sorted, share).map_or(f64::NAN, |value| value as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        let values: Vec<u64> = (1..=100).collect();
        assert_eq!(percentile(&values, 0.50), 50.0);
        assert_eq!(percentile(&values, 0.95), 95.0);
        assert_eq!(percentile(&[7], 0.95), 7.0);
        assert!(percentile(&[], 0.5).is_nan());
    }

    #[test]
    fn a_trial_of_four_kinds_has_the_measures_of_each() {
        let (trial, series) = (fixture::trial(fixture::four_kinds()), fixture::series());
        let measures = measure_trial(&trial, &series);
        let named = |flow: usize| {
            let of_flow = measures.values.iter().filter(|v| v.subject == Subject::Flow && v.number == flow);
            of_flow.map(|v| v.measure).collect::<Vec<_>>()
        };
        assert!(measures.values.iter().all(|v| {
            Measure::find(v.measure).is_some_and(|m| m.subject() == v.subject || v.subject == Subject::Trial)
        }));
        assert!(named(0).contains(&"goodput") && named(0).contains(&"mss") && !named(0).contains(&"exchanges"));
        assert!(named(1).contains(&"exchange-p95") && named(1).contains(&"retransmitted"));
        assert_eq!(named(2), ["goodput", "lost", "reordered"]);
        assert_eq!(named(3), ["exchanges", "unanswered", "rtt-min", "rtt-p50", "rtt-p95", "rtt-p99"]);
        assert_eq!(measures.get("goodput", Subject::Trial, 0), measures.get("goodput", Subject::Flow, 0));
        let lanes: std::collections::BTreeSet<usize> =
            measures.values.iter().filter(|v| v.subject == Subject::Lane).map(|v| v.number).collect();
        assert_eq!(lanes, (0..6).collect());
    }
}
