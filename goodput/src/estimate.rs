//! How long trials take in real time: a bound from the scene, and what the trials that ran have shown.

use crate::network::topology::Step;
use crate::plan::{Flow, Scene, Setting, Traffic, Trial, Until};
use crate::{analyze, engine};
use evidence::headers::Ip;
use std::collections::BTreeMap;
use std::time::Duration;

/// A whole trial that sends nearly nothing, s (docs/performance.md, "a whole trial of 1 byte").
pub const START: f64 = 0.25;
/// A packet with its ACK over one link, s (docs/performance.md, "real time of a packet, one core").
const PACKET: f64 = 3.5e-6;
/// A virtual second of a network at rest, s: its ticks and samples (docs/performance.md, "10 Mbit/s is 29 % short").
const REST: f64 = 2e-3;
/// Headers of a segment without options, bytes.
const HEADERS: u32 = Ip::V4.tcp();

/// The real time of a trial, s, if every flow gets all that it asks for and its path can carry: about the most that it
/// takes.
pub fn bound(scene: &Scene) -> f64 {
    let mut shared: BTreeMap<usize, Vec<Load>> = BTreeMap::new();
    for flow in &scene.flows {
        if let Some((lane, load)) = load(scene, flow) {
            shared.entry(lane).or_default().push(load);
        }
    }
    let crossings: f64 = shared.values().map(|loads| crossings(loads)).sum();
    let seconds = engine::virtual_length(scene) as f64 / 1e9;
    // What the user's commands send is unknown.
    let commands = analyze::bottleneck(scene).filter(|_| !scene.commands.is_empty());
    let commands = commands.map_or(0.0, |step| step.lane(scene).rate as f64 / (8.0 * 1500.0) * seconds);
    START + seconds * REST + (crossings + commands) * PACKET
}

/// What a flow may put on the narrowest lane of its way.
struct Load {
    /// When, s.
    span: [f64; 2],
    /// Packets that it has to send; infinite of one that sends as it can.
    packets: f64,
    /// Packets per second that the lane carries of its size.
    rate: f64,
    /// Links on its way.
    hops: usize,
}

/// A flow's load, by the number of the narrowest lane on its way.
fn load(scene: &Scene, flow: &Flow) -> Option<(usize, Load)> {
    let way = analyze::way(scene, flow);
    let rate = |step: &Step| step.lane(scene).rates().max().unwrap_or(0);
    let narrowest = way.iter().copied().min_by_key(rate)?;
    let mtu = way.iter().map(|step| scene.links[step.link].mtu).min()?;
    let mss = flow.tcp().and_then(|tcp| tcp.mss).unwrap_or(mtu).min(mtu.saturating_sub(HEADERS)).max(1);
    let end = match flow.until {
        Until::Duration(ns) => flow.start + ns,
        Until::Bytes(_) | Until::Exchanges(_) => scene.record.limit.max(flow.start),
    };
    let span = [flow.start, end].map(|ns| ns as f64 / 1e9);
    let seconds = span[1] - span[0];
    let (payload, packets) = match &flow.traffic {
        Traffic::Bulk { send_rate, .. } => {
            let sent = send_rate.map_or(f64::INFINITY, |rate| rate as f64 / 8.0 * seconds);
            let asked = if let Until::Bytes(bytes) = flow.until { bytes as f64 } else { f64::INFINITY };
            (mss, sent.min(asked) / f64::from(mss))
        }
        Traffic::Requests { request, response, think, .. } => {
            let each = [request, response].map(|bytes| bytes.div_ceil(mss.into()) as f64).iter().sum::<f64>();
            let pause = (think + analyze::base_rtt(scene, flow)) as f64 / 1e9;
            (mss, each * asked(flow, seconds / pause))
        }
        Traffic::Udp { rate, size } => (*size, *rate as f64 / 8.0 / f64::from(*size) * seconds),
        Traffic::Ping { interval, size } => (*size, asked(flow, seconds * 1e9 / *interval as f64)),
    };
    let rate = rate(&narrowest) as f64 / 8.0 / f64::from(payload.saturating_add(HEADERS));
    Some((analyze::lane_number(narrowest), Load { span, packets, rate, hops: way.len() }))
}

/// Exchanges of a flow, of which time allows so many.
fn asked(flow: &Flow, most: f64) -> f64 {
    if let Until::Exchanges(count) = flow.until { (count as f64).min(most) } else { most }
}

/// Links that the packets of flows cross which share a lane.
fn crossings(loads: &[Load]) -> f64 {
    let fold = |value: fn(&Load) -> f64, with: fn(f64, f64) -> f64, from| loads.iter().map(value).fold(from, with);
    let seconds = fold(|load| load.span[1], f64::max, 0.0) - fold(|load| load.span[0], f64::min, f64::INFINITY);
    let carried = seconds * fold(|load| load.rate, f64::max, 0.0);
    let asked: f64 = loads.iter().map(|load| load.packets.min(load.rate * (load.span[1] - load.span[0]))).sum();
    asked.min(carried) * loads.iter().map(|load| load.hops).max().unwrap_or(1) as f64
}

/// What the trials that ran have shown about the pace of this machine.
#[derive(Debug, Clone, Default)]
pub struct Pace {
    all: Shown,
    /// What a trial costs depends on what its point lets flows do: one that is held back sends few packets.
    of_points: BTreeMap<Vec<Setting>, Shown>,
}

/// Real time, and the bounds of what was done in it, s.
#[derive(Debug, Clone, Copy, Default)]
struct Shown {
    real: f64,
    bound: f64,
}

impl Pace {
    /// A trial took so many seconds of real time.
    pub fn learn(&mut self, trial: &Trial, seconds: f64) {
        self.learn_part(&trial.point, bound(&trial.scene), seconds);
    }

    /// Of a trial of this point as much was done as has this [`bound`].
    pub fn learn_part(&mut self, point: &[Setting], bound: f64, seconds: f64) {
        for shown in [&mut self.all, self.of_points.entry(point.to_vec()).or_default()] {
            shown.real += seconds;
            shown.bound += bound;
        }
    }

    /// Whether any trial has shown anything; if not, estimates are bounds.
    pub fn is_learnt(&self) -> bool {
        self.all.bound > 0.0
    }

    /// How long a trial of this point takes whose [`bound`] is so many seconds.
    pub fn about(&self, point: &[Setting], bound: f64) -> f64 {
        let shown = self.of_points.get(point).unwrap_or(&self.all);
        if shown.bound > 0.0 { bound * shown.real / shown.bound } else { bound }
    }
}

/// How long it takes until all is done that takes so many seconds each, with so many at a time.
pub fn together(each: impl Iterator<Item = f64>, jobs: usize) -> Duration {
    let (sum, longest) = each.fold((0.0, 0.0), |(sum, longest): (f64, f64), one| (sum + one, longest.max(one)));
    // More than 2^64 seconds are for ever.
    Duration::try_from_secs_f64((sum / jobs.max(1) as f64).max(longest)).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::sample::{bulk, flow, tree, trial};

    /// Over 100 Mbit/s and two links: the packets of 1,500 bytes that fit into the time.
    fn packets(flows: Vec<Flow>) -> f64 {
        let mut scene = tree();
        scene.flows = flows;
        let rest = START + engine::virtual_length(&scene) as f64 / 1e9 * REST;
        (bound(&scene) - rest) / PACKET / 2.0
    }

    fn lasting(traffic: Traffic, seconds: u64) -> Flow {
        Flow { start: 0, until: Until::Duration(seconds * 1_000_000_000), ..flow("a", "c", traffic) }
    }

    fn close(got: f64, expected: f64) {
        assert!((got / expected - 1.0).abs() < 1e-6, "{got} is not {expected}");
    }

    #[test]
    fn what_flows_share_is_counted_once() {
        let one = 1e8 * 10.0 / 12_000.0;
        close(packets(vec![lasting(bulk("cubic"), 10)]), one);
        close(packets(vec![lasting(bulk("cubic"), 10); 5]), one);
    }

    #[test]
    fn what_is_asked_is_not_exceeded() {
        let bytes = Flow { until: Until::Bytes(1_460_000), ..lasting(bulk("cubic"), 1) };
        close(packets(vec![bytes]), 1000.0);
        close(packets(vec![lasting(Traffic::Udp { rate: 800_000, size: 1000 }, 10)]), 1000.0);
        close(packets(vec![lasting(Traffic::Ping { interval: 100_000_000, size: 56 }, 10)]), 100.0);
        let requests = Traffic::Requests { tcp: Default::default(), request: 100, response: 14_600, think: 0 };
        let ten = Flow { until: Until::Exchanges(10), ..lasting(requests.clone(), 1) };
        close(packets(vec![ten]), 110.0);
        // The round trip takes 10 ms.
        close(packets(vec![lasting(requests, 1)]), 1100.0);
    }

    #[test]
    fn nothing_takes_the_time_of_a_start() {
        assert_eq!(bound(&tree()), START);
        let none = Flow { until: Until::Exchanges(0), ..flow("a", "c", Traffic::Ping { interval: 0, size: 0 }) };
        let mut scene = tree();
        scene.flows = vec![none];
        assert!(bound(&scene).is_finite());
    }

    #[test]
    fn the_pace_of_what_ran_is_that_of_the_rest() {
        let point = |value: &str| vec![Setting { key: "x".into(), value: value.into() }];
        let trial = |value| Trial { point: point(value), ..trial(tree()) };
        let mut pace = Pace::default();
        assert_eq!((pace.is_learnt(), pace.about(&point("a"), 10.0)), (false, 10.0));
        pace.learn(&trial("a"), START / 2.0);
        pace.learn_part(&point("b"), START / 2.0, START);
        assert!(pace.is_learnt());
        assert_eq!(["a", "b"].map(|value| pace.about(&point(value), 10.0)), [5.0, 20.0]);
        assert_eq!(pace.about(&point("c"), 10.0), 10.0, "1.5 starts in the time of 1.5");
    }

    #[test]
    fn what_runs_together_takes_the_time_of_the_longest_at_least() {
        let seconds = |each: &[f64], jobs| together(each.iter().copied(), jobs).as_secs_f64();
        assert_eq!((seconds(&[1.0; 10], 2), seconds(&[9.0, 1.0], 2), seconds(&[], 2)), (5.0, 9.0, 0.0));
        assert_eq!(together([f64::INFINITY].into_iter(), 1), Duration::MAX);
    }
}
