//! Inputs of the measures: a flow, a direction of a link, or the load, each with values that several measures share.

use super::congestion::{self, Event};
use super::fairness::Shared;
use super::path::load;
use super::rates::{bits_between, queue_delay};
use super::series::{FlowSeries, QueueSeries, Series, counted_from};
use super::wait::Waited;
use super::{burst, steady};
use plan::network::topology::Step;
use plan::recording::{Sample, TrialFacts};
use plan::{Flow, Lane, Scene};
use std::cell::OnceCell;

pub struct FlowData<'a> {
    pub number: usize,
    /// Network of the trial.
    pub scene: &'a Scene,
    pub flow: &'a Flow,
    pub own: &'a FlowSeries,
    /// The recording of the whole trial.
    pub series: &'a Series,
    /// Start and end, ns.
    pub span: [u64; 2],
    /// The load's flows while all of them run.
    pub shared: Option<&'a Shared<'a>>,
    /// Times that the answers took, sorted, ns.
    pub answers: Vec<u64>,
    /// SRTTs of the samples that count, after the first measurement, sorted, us.
    pub srtt: Vec<u64>,
    events: OnceCell<Vec<Event>>,
    steps: OnceCell<Vec<u64>>,
    bursts: OnceCell<Vec<u64>>,
    steady: OnceCell<Option<u64>>,
    waited: OnceCell<Option<Waited>>,
}

impl<'a> FlowData<'a> {
    /// Returns the data of the flow with this number.
    pub fn new(number: usize, scene: &'a Scene, series: &'a Series, shared: Option<&'a Shared<'a>>) -> FlowData<'a> {
        let own = &series.flows[number];
        let flow = &scene.flows[number];
        let counted = &own.srtt[own.omitted_samples(counted_from(&series.facts, number, flow))..];
        let mut srtt: Vec<u64> = counted.iter().copied().filter(|us| *us > 0).collect();
        srtt.sort_unstable();
        FlowData {
            number,
            scene,
            flow,
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

    /// Returns what the trial recorded besides time series.
    pub fn facts(&self) -> &'a TrialFacts {
        &self.series.facts
    }

    /// Returns how long it lasted, s.
    pub fn seconds(&self) -> f64 {
        self.span[1].saturating_sub(self.span[0]) as f64 / 1e9
    }

    /// Returns when it starts to count, ns: after the time that it omits.
    pub fn counted_from(&self) -> u64 {
        counted_from(self.facts(), self.number, self.flow)
    }

    /// Returns cwnd in the samples that count, packets.
    pub fn cwnd(&self) -> &'a [u64] {
        &self.own.cwnd[self.own.omitted_samples(self.counted_from())..]
    }

    /// Returns how much a counter of the end that sends most rose over the time that counts.
    pub fn counted(&self, counter: fn(&Sample) -> u64) -> u64 {
        let [before, end] = [&self.own.omitted, &self.own.last[0]].map(|sample| sample.as_ref().map_or(0, counter));
        end.saturating_sub(before)
    }

    /// Returns a value of the last sample of the end that sends most; NaN without a sample.
    pub fn sender(&self, value: impl Fn(&Sample) -> f64) -> f64 {
        self.own.last[0].as_ref().map_or(f64::NAN, value)
    }

    /// Returns its congestion events.
    pub fn events(&self) -> &[Event] {
        self.events.get_or_init(|| congestion::events(self.own))
    }

    /// Returns the increases of cwnd in congestion avoidance, packets.
    pub fn steps(&self) -> &[u64] {
        self.steps.get_or_init(|| congestion::steps(&self.own.acks))
    }

    /// Returns the largest burst of each RTT, segments, sorted.
    pub fn bursts(&self) -> &[u64] {
        self.bursts.get_or_init(|| burst::bursts(self.scene, self.flow, &self.own.acks))
    }

    /// Returns how long its packets waited in a queue.
    pub fn waited(&self) -> Option<&Waited> {
        self.waited.get_or_init(|| Waited::in_longest_queue(self.number, self.scene, self.series)).as_ref()
    }

    /// Returns the time from which its goodput is steady, ns.
    pub fn steady(&self) -> Option<u64> {
        *self.steady.get_or_init(|| steady(self.number, self.scene, self.series))
    }
}

/// A direction of a link at which packets may wait.
pub struct LaneData<'a> {
    pub step: Step,
    /// Network of the trial.
    pub scene: &'a Scene,
    pub lane: &'a Lane,
    pub queue: &'a QueueSeries,
    /// The recording of the whole trial.
    pub series: &'a Series,
    /// Indices of the first and last sample that count: the last before the first flow began, and the last before the
    /// last one ended.
    pub span: [usize; 2],
    /// Times that the line would need to send the backlog at each of these samples, sorted, s.
    pub delays: Vec<f64>,
}

impl<'a> LaneData<'a> {
    /// Returns the data of a direction of a link; `None` if packets never wait there.
    pub fn new(step: Step, scene: &'a Scene, series: &'a Series) -> Option<LaneData<'a>> {
        let (lane, queue) = (step.lane(scene), series.queue(scene, step)?);
        let span = span(queue, &series.facts);
        let counted = queue.backlog.get(span[0]..=span[1]).map_or(0, <[u64]>::len);
        let mut delays: Vec<f64> = (span[0]..span[0] + counted).map(|at| queue_delay(lane, queue, at)).collect();
        delays.sort_unstable_by(f64::total_cmp);
        Some(LaneData { step, scene, lane, queue, series, span, delays })
    }

    /// Returns the backlogs of the samples that count, bytes.
    pub fn backlog(&self) -> &'a [u64] {
        self.queue.backlog.get(self.span[0]..=self.span[1]).unwrap_or_default()
    }

    /// Returns how much a counter of the queue rose over the samples that count.
    pub(crate) fn rise(&self, counter: &[u64]) -> f64 {
        counter.get(self.span[1]).zip(counter.get(self.span[0])).map_or(0, |(b, a)| b.saturating_sub(*a)) as f64
    }

    /// Returns how much the line could have sent over the samples that count, bits.
    pub fn room(&self) -> f64 {
        let time = |place: usize| self.queue.time.get(place);
        time(self.span[1]).zip(time(self.span[0])).map_or(0.0, |(b, a)| bits_between(self.lane, *a, *b))
    }
}

/// Returns the indices of the last samples before the first flow began and before the last one ended; without flows, of
/// the first and the last sample.
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
    /// The same flows while all of them run.
    pub shared: Option<&'a Shared<'a>>,
}

impl<'a> LoadData<'a> {
    /// Selects the load from all flows of a trial.
    pub fn select(scene: &Scene, all: &'a [FlowData<'a>], shared: Option<&'a Shared<'a>>) -> LoadData<'a> {
        LoadData { flows: load(scene).into_iter().map(|number| &all[number]).collect(), shared }
    }
}
