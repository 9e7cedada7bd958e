//! What measures are computed from: a flow, a direction of a link, the load, each with what several measures share.

use super::congestion::{self, Event};
use super::fairness::Shared;
use super::path::load;
use super::rates::{bits_between, queue_delay};
use super::series::{FlowSeries, QueueSeries, Series};
use super::wait::Waited;
use super::{burst, steady};
use crate::network::topology::Step;
use crate::plan::{Flow, Lane, Scene};
use crate::recording::{Sample, TrialFacts};
use std::cell::OnceCell;

pub struct FlowData<'a> {
    pub number: usize,
    /// The network it is in.
    pub scene: &'a Scene,
    pub flow: &'a Flow,
    pub own: &'a FlowSeries,
    /// The recording of the whole trial.
    pub series: &'a Series,
    /// When it began and ended, ns.
    pub span: [u64; 2],
    /// The load, while all of its flows run.
    pub shared: Option<&'a Shared<'a>>,
    /// How long each answer took, sorted, ns.
    pub answers: Vec<u64>,
    /// The smoothed round-trip times of all samples after the first measurement, sorted, us.
    pub srtt: Vec<u64>,
    events: OnceCell<Vec<Event>>,
    steps: OnceCell<Vec<u64>>,
    bursts: OnceCell<Vec<u64>>,
    steady: OnceCell<Option<u64>>,
    waited: OnceCell<Option<Waited>>,
}

impl<'a> FlowData<'a> {
    /// The flow of this number.
    pub fn of(number: usize, scene: &'a Scene, series: &'a Series, shared: Option<&'a Shared<'a>>) -> FlowData<'a> {
        let own = &series.flows[number];
        let mut srtt: Vec<u64> = own.srtt.iter().copied().filter(|us| *us > 0).collect();
        srtt.sort_unstable();
        FlowData {
            number,
            scene,
            flow: &scene.flows[number],
            own,
            series,
            span: series.span(number),
            shared,
            answers: own.answers(),
            srtt,
            events: OnceCell::new(),
            steps: OnceCell::new(),
            bursts: OnceCell::new(),
            steady: OnceCell::new(),
            waited: OnceCell::new(),
        }
    }

    /// What is no time series.
    pub fn facts(&self) -> &'a TrialFacts {
        &self.series.facts
    }

    /// How long it lasted, s.
    pub fn seconds(&self) -> f64 {
        self.span[1].saturating_sub(self.span[0]) as f64 / 1e9
    }

    /// Of the last sample of the end that sends most; NaN without one.
    pub fn sender(&self, value: impl Fn(&Sample) -> f64) -> f64 {
        self.own.last[0].as_ref().map_or(f64::NAN, value)
    }

    /// Its congestion events.
    pub fn events(&self) -> &[Event] {
        self.events.get_or_init(|| congestion::events(self.own))
    }

    /// The rises of its window in congestion avoidance.
    pub fn steps(&self) -> &[u64] {
        self.steps.get_or_init(|| congestion::steps(&self.own.acks))
    }

    /// The largest burst of each round trip, sorted.
    pub fn bursts(&self) -> &[u64] {
        self.bursts.get_or_init(|| burst::bursts(self.scene, self.flow, &self.own.acks))
    }

    /// How long its packets waited.
    pub fn waited(&self) -> Option<&Waited> {
        self.waited.get_or_init(|| Waited::of(self.number, self.scene, self.series)).as_ref()
    }

    /// From when on its goodput is steady, ns.
    pub fn steady(&self) -> Option<u64> {
        *self.steady.get_or_init(|| steady(self.number, self.scene, self.series))
    }
}

/// A direction of a link at which packets may wait.
pub struct LaneData<'a> {
    pub step: Step,
    /// The network it is in.
    pub scene: &'a Scene,
    pub lane: &'a Lane,
    pub queue: &'a QueueSeries,
    /// The recording of the whole trial.
    pub series: &'a Series,
    /// The samples that count: the last before the first flow began and before the last one ended.
    pub span: [usize; 2],
    /// How long the line would take to send what waits, at each of these samples, sorted, s.
    pub delays: Vec<f64>,
}

impl<'a> LaneData<'a> {
    /// `None` if packets never wait there.
    pub fn of(step: Step, scene: &'a Scene, series: &'a Series) -> Option<LaneData<'a>> {
        let (lane, queue) = (step.lane(scene), series.queue(scene, step)?);
        let span = span(queue, &series.facts);
        let counted = queue.backlog.get(span[0]..=span[1]).map_or(0, <[u64]>::len);
        let mut delays: Vec<f64> = (span[0]..span[0] + counted).map(|at| queue_delay(lane, queue, at)).collect();
        delays.sort_unstable_by(f64::total_cmp);
        Some(LaneData { step, scene, lane, queue, series, span, delays })
    }

    /// The backlogs of the samples that count, bytes.
    pub fn backlog(&self) -> &'a [u64] {
        self.queue.backlog.get(self.span[0]..=self.span[1]).unwrap_or_default()
    }

    /// How much a counter of the queue rose meanwhile.
    pub(crate) fn rise(&self, counter: &[u64]) -> f64 {
        counter.get(self.span[1]).zip(counter.get(self.span[0])).map_or(0, |(b, a)| b.saturating_sub(*a)) as f64
    }

    /// What the line could have sent meanwhile, bits.
    pub fn room(&self) -> f64 {
        let time = |place: usize| self.queue.time.get(place);
        time(self.span[1]).zip(time(self.span[0])).map_or(0.0, |(b, a)| bits_between(self.lane, *a, *b))
    }
}

/// The last samples before the first flow began and before the last one ended; without flows the first and the last.
fn span(queue: &QueueSeries, facts: &TrialFacts) -> [usize; 2] {
    let before = |time: u64| queue.time.partition_point(|t| *t <= time).saturating_sub(1);
    let (Some(start), Some(end)) = (facts.started.values().min(), facts.ended.values().max()) else {
        return [0, queue.time.len().saturating_sub(1)];
    };
    [before(*start), before(*end)]
}

/// The flows that are a trial's load.
pub struct LoadData<'a> {
    pub flows: Vec<&'a FlowData<'a>>,
    /// The same, while all of them run.
    pub shared: Option<&'a Shared<'a>>,
}

impl<'a> LoadData<'a> {
    /// Those among all flows of a trial.
    pub fn of(scene: &Scene, all: &'a [FlowData<'a>], shared: Option<&'a Shared<'a>>) -> LoadData<'a> {
        LoadData { flows: load(scene).into_iter().map(|number| &all[number]).collect(), shared }
    }
}
