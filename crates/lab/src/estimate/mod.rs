//! Real time that trials take: estimated from their scenes, and corrected by the trials that have run.

mod load;

use load::{Load, share};
use plan::{Scene, Setting, Trial};
use std::collections::BTreeMap;
use std::time::Duration;

/// A whole trial that sends almost nothing, s (docs/explanation/performance.md, "a whole trial of 1 byte").
pub const TRIAL_S: f64 = 0.25;
/// A packet with its ACK over one link, s (docs/explanation/performance.md, "real time of a packet, one core").
const PACKET_S: f64 = 3.5e-6;
/// A virtual second of a network at rest, s: its ticks and samples (docs/explanation/performance.md, "10 Mbit/s is 29 % short").
const IDLE_SECOND_S: f64 = 2e-3;
/// A system call of the agent with the processes it wakes, s (`examples/cross-traffic.toml`).
const SYSTEM_CALL_S: f64 = 15e-6;
/// A connection in addition to the first: its threads, its handshake and its samples, s (`examples/many-flows.toml`).
const CONNECTION_S: f64 = 15e-3;
/// Assumed duration of a user's command, s of virtual time: iperf3's default.
const COMMAND_S: f64 = 10.0;

/// Returns the real time that a trial takes, s (docs/explanation/performance.md has the error of the estimate).
pub fn expected(scene: &Scene) -> f64 {
    let mut shared: BTreeMap<usize, Vec<Load>> = BTreeMap::new();
    for (lane, load) in scene.flows.iter().filter_map(|flow| load::flow_load(scene, flow)) {
        shared.entry(lane).or_default().push(load);
    }
    shared.values_mut().for_each(|loads| share(loads));
    let loads = || shared.values().flatten();
    let crossings: f64 = loads().map(|load| load.carried() * (load.links + load.stages) as f64).sum();
    let commands = || scene.commands.iter().map(|command| command.at as f64 / 1e9 + COMMAND_S);
    let seconds = loads().map(|load| load.span[1]).chain(commands()).fold(0.0, f64::max);
    // Traffic of the user's commands is unknown.
    let line = analysis::bottleneck(scene).filter(|_| scene.flows.is_empty() && scene.has_commands());
    let sent = line.map_or(0.0, |step| step.lane(scene).rate as f64 / (8.0 * 1500.0) * COMMAND_S);
    let calls: f64 = loads().map(|load| load.carried() * load.calls).sum();
    let others = loads().count().saturating_sub(1) as f64;
    TRIAL_S + others * CONNECTION_S + seconds * IDLE_SECOND_S + calls * SYSTEM_CALL_S + (crossings + sent) * PACKET_S
}

/// Pace of this machine, measured by the trials that have run.
#[derive(Debug, Clone, Default)]
pub struct Pace {
    all: Shown,
    /// Pace at each point: a limited flow sends few packets, so the error of the estimate depends on the point.
    of_points: BTreeMap<Vec<Setting>, Shown>,
}

/// Real time of finished work, and its estimate, s.
#[derive(Debug, Clone, Copy, Default)]
struct Shown {
    real: f64,
    expected: f64,
}

impl Pace {
    /// Adds a trial that took `seconds` of real time.
    pub(crate) fn learn(&mut self, trial: &Trial, seconds: f64) {
        self.learn_part(&trial.point, expected(&trial.scene), seconds);
    }

    /// Adds a part of a trial at a point, with its [`expected`] time, s, and its real time, s.
    pub(crate) fn learn_part(&mut self, point: &[Setting], expected: f64, seconds: f64) {
        for shown in [&mut self.all, self.of_points.entry(point.to_vec()).or_default()] {
            shown.real += seconds;
            shown.expected += expected;
        }
    }

    /// Whether any trial has been measured.
    pub(crate) fn is_learnt(&self) -> bool {
        self.all.expected > 0.0
    }

    /// Returns the real time of a trial at a point, s, from its expected time, s.
    pub fn about(&self, point: &[Setting], expected: f64) -> f64 {
        let shown = self.of_points.get(point).unwrap_or(&self.all);
        if shown.expected > 0.0 { expected * shown.real / shown.expected } else { expected }
    }
}

/// Returns the time until all trials are done that take `each` seconds, with `jobs` at a time.
pub fn together(each: impl Iterator<Item = f64>, jobs: usize) -> Duration {
    let (sum, longest) = each.fold((0.0, 0.0), |(sum, longest): (f64, f64), one| (sum + one, longest.max(one)));
    // More than 2^64 seconds count as for ever.
    Duration::try_from_secs_f64((sum / jobs.max(1) as f64).max(longest)).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::fixture::{bulk, flow, tree, trial, until};
    use plan::{Flow, Host, Loss, Role, Stage, Traffic, Until};

    /// Packets of bulk flows from a to c, over 100 Mbit/s and two links, calculated from their time.
    fn packets(scene: Scene, seconds: f64) -> f64 {
        let others = scene.flows.len() as f64 - 1.0;
        (expected(&scene) - TRIAL_S - others * CONNECTION_S - seconds * IDLE_SECOND_S) / PACKET_S / 2.0
    }

    /// Real time for a number of packets, with `calls` system calls each, over virtual `seconds`, s.
    fn time(packets: f64, calls: f64, seconds: f64) -> f64 {
        TRIAL_S + seconds * IDLE_SECOND_S + packets * (calls * SYSTEM_CALL_S + 2.0 * PACKET_S)
    }

    fn scene_with(flows: Vec<Flow>) -> Scene {
        Scene { flows, ..tree() }
    }

    fn lasting(traffic: Traffic, seconds: u64) -> Flow {
        let mut flow = until(Until::Duration(seconds * 1_000_000_000), flow("a", "c", traffic));
        flow.start = 0;
        flow
    }

    fn close(got: f64, due: f64) {
        assert!((got / due - 1.0).abs() < 1e-6, "{got} is not {due}");
    }

    #[test]
    fn packets_on_a_shared_link_are_counted_once() {
        let one = 1e8 * 10.0 / 12_000.0;
        close(packets(scene_with(vec![lasting(bulk("cubic"), 10)]), 10.0), one);
        close(packets(scene_with(vec![lasting(bulk("cubic"), 10); 5]), 10.0), one);
    }

    #[test]
    fn estimates_do_not_exceed_the_requested_load() {
        let bytes = until(Until::Bytes(1_460_000), lasting(bulk("cubic"), 1));
        close(packets(scene_with(vec![bytes]), 0.12), 1000.0);
        let udp = scene_with(vec![lasting(Traffic::Udp { rate: 800_000, size: 1000 }, 10)]);
        close(expected(&udp), time(1000.0, 2.0, 10.0));
        let ping = scene_with(vec![lasting(Traffic::Ping { interval: 100_000_000, size: 56 }, 10)]);
        close(expected(&ping), time(100.0, 2.0, 10.0));
        let requests =
            Traffic::Requests { tcp: Default::default(), request: 100, response: 14_600, think: 0, outstanding: 1 };
        let ten = until(Until::Exchanges(10), lasting(requests, 1));
        // Eleven packets of 120 us and 10 ms for one round trip and a part of another.
        let seconds = 10.0 * (0.010 * (1.0 + 1.1f64.log2()) + 11.0 * 120e-6);
        close(expected(&scene_with(vec![ten])), time(110.0, 4.0 / 11.0, seconds));
    }

    /// Reno at 1 %, 10 ms and 1460 B: 12 segments a round trip (RFC 9438, table 1).
    #[test]
    fn loss_is_what_it_costs() {
        let mut scene = scene_with(vec![lasting(bulk("reno"), 10)]);
        scene.links[0].forward.stages = vec![Stage::Loss(Loss::Random(0.01))];
        close(packets(scene.clone(), 10.0) * 2.0, 3.0 * 12.0 * 1000.0);
        scene.links[0].forward.stages.clear();
        let Role::Host(Host { input_loss, .. }) = &mut scene.nodes[2].role else { unreachable!() };
        *input_loss = Some(100);
        close(packets(scene, 10.0), 12_000.0);
    }

    /// Three events in a fixed number of packets are a share that depends on the rate itself.
    #[test]
    fn losses_by_number_are_few_of_many() {
        let mut scene = scene_with(vec![lasting(bulk("reno"), 10)]);
        scene.links[0].forward.stages = vec![Stage::Loss(Loss::Packets(vec![10, 11, 500, 501, 1000]))];
        // W = 1.2 sqrt(n / 3) and n = 1000 W: n = 480,000, more than the link carries.
        close(packets(scene, 10.0) * 2.0, 3.0 * 1e9 / 12_000.0);
    }

    #[test]
    fn a_flow_that_ends_with_its_bytes_ends() {
        let scene = scene_with(vec![until(Until::Bytes(14_600_000), lasting(bulk("cubic"), 1))]);
        assert!(expected(&scene) < TRIAL_S + 10_000.0 * 2.0 * PACKET_S + 2.0 * IDLE_SECOND_S);
    }

    #[test]
    fn nothing_takes_the_time_of_a_start() {
        assert_eq!(expected(&tree()), TRIAL_S);
        let none = until(Until::Exchanges(0), flow("a", "c", Traffic::Ping { interval: 0, size: 0 }));
        assert!(expected(&scene_with(vec![none])).is_finite());
    }

    #[test]
    fn the_pace_of_what_ran_is_that_of_the_rest() {
        let point = |value: &str| vec![Setting { key: "x".into(), value: value.into() }];
        let trial = |value| Trial { point: point(value).into(), ..trial(tree()) };
        let mut pace = Pace::default();
        assert_eq!((pace.is_learnt(), pace.about(&point("a"), 10.0)), (false, 10.0));
        pace.learn(&trial("a"), TRIAL_S / 2.0);
        pace.learn_part(&point("b"), TRIAL_S / 2.0, TRIAL_S);
        assert!(pace.is_learnt());
        assert_eq!(["a", "b"].map(|value| pace.about(&point(value), 10.0)), [5.0, 20.0]);
        assert_eq!(pace.about(&point("c"), 10.0), 10.0, "1.5 starts in the time of 1.5");
    }

    #[test]
    fn parallel_jobs_take_at_least_the_longest_ones_time() {
        let seconds = |each: &[f64], jobs| together(each.iter().copied(), jobs).as_secs_f64();
        assert_eq!((seconds(&[1.0; 10], 2), seconds(&[9.0, 1.0], 2), seconds(&[], 2)), (5.0, 9.0, 0.0));
        assert_eq!(together([f64::INFINITY].into_iter(), 1), Duration::MAX);
    }
}
