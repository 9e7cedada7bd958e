//! Test data: a network in round numbers.

use crate::{
    Axis, Buffer, Compare, Discipline, End, Flow, Host, HostQdisc, Lane, Link, Node, Offloads, Plan, Profile, Queue,
    Record, Repeat, Role, Route, Scene, Setting, Shared, Stack, Switch, Tcp, Teller, Traffic, Transfer, Trial, Until,
};

const SECOND: u64 = 1_000_000_000;
const MS: u64 = 1_000_000;
const GIGABIT: u64 = 1_000_000_000;

/// Returns hosts a and b at 1 Gbit/s and 1 ms from a switch, and host c at 100 Mbit/s and 4 ms.
pub fn tree() -> Scene {
    let node = |name: &str, role| Node {
        name: name.into(),
        role,
        offloads: Offloads::default(),
        ports: vec![],
        sysctls: vec![],
    };
    let host = |name, nic| {
        let host = Host {
            stack: Stack::Linux,
            profile: Profile::Plain,
            driver: None,
            nic: Some(nic),
            qdisc: HostQdisc::Fifo,
            route: Route::default(),
            shape: None,
            input_loss: None,
            multipath: Default::default(),
        };
        node(name, Role::Host(host))
    };
    let switch = node("s", Role::Switch(Switch { memory: None }));
    Scene {
        nodes: vec![host("a", GIGABIT), host("b", GIGABIT), host("c", GIGABIT / 10), switch].into(),
        links: vec![
            link(["a", "s"], GIGABIT, MS),
            link(["b", "s"], GIGABIT, MS),
            link(["s", "c"], GIGABIT / 10, 4 * MS),
        ]
        .into(),
        tunnels: Default::default(),
        family: Default::default(),
        flows: vec![],
        commands: Default::default(),
        routes: Default::default(),
        fetch: Default::default(),
        capture: Default::default(),
        record: Record { interval: SECOND / 2, acks: false, drops: false, limit: 10 * SECOND, teller: Teller::Kernel },
    }
}

/// Builds a link: a switch has a queue of 100 packets, a host has the line at its own interface.
fn link(ends: [&str; 2], rate: u64, delay: u64) -> Link {
    let lane = |from: &str| Lane {
        delay,
        jitter: None,
        stages: vec![],
        rate,
        overhead: 24,
        queue: (from == "s").then_some(Queue {
            buffer: Buffer::Packets(100),
            discipline: Discipline::DropTail,
            mark: None,
        }),
        changes: vec![],
        rate_trace: None,
        delay_trace: None,
    };
    let end = |name: &str| End { node: name.into() };
    Link {
        ends: ends.map(end),
        mtu: 1500,
        bond: None,
        miimon: None,
        down: vec![],
        forward: lane(ends[0]),
        backward: lane(ends[1]),
    }
}

pub fn flow(from: &str, to: &str, traffic: Traffic) -> Flow {
    let until = Until::Duration(2 * SECOND);
    let (from, to) = (from.into(), to.into());
    Flow::new(SECOND, Transfer { name: None, from, to, ipv6: false, until, omit: 0, traffic, onward: false })
}

pub fn bulk(congestion: &str) -> Traffic {
    Traffic::Bulk { tcp: tcp(congestion), on_off: None, send_rate: None, read_rate: None, slow_start_ends: None }
}

fn tcp(congestion: &str) -> Tcp {
    Tcp { congestion: Some(congestion.into()), ..Tcp::default() }
}

/// Returns the flow with another end.
pub fn until(end: Until, mut flow: Flow) -> Flow {
    flow.until = end;
    flow
}

/// Returns a network with a flow of each kind, all with their data towards c.
pub fn four_kinds() -> Scene {
    let requests = Traffic::Requests { tcp: tcp("bbr"), request: 100, response: 900, think: 0, outstanding: 1 };
    let mut scene = tree();
    scene.flows = vec![
        flow("a", "c", bulk("cubic")),
        until(Until::Duration(SECOND), flow("c", "b", requests)),
        flow("b", "c", Traffic::Udp { rate: 4_800_000, size: 1200 }),
        flow("a", "c", Traffic::Ping { interval: 100 * MS, size: 56 }),
    ];
    scene
}

pub fn trial(scene: Scene) -> Trial {
    Trial { index: 0, point: Shared::default(), kernel: "7.3.4".into(), seed: 1, scene }
}

/// Returns a plan of one point and one seed.
pub fn plan(scene: Scene) -> Plan {
    Plan {
        goodput: String::new(),
        title: "A sample".into(),
        question: String::new(),
        spec: String::new(),
        vary: vec![],
        trials: vec![trial(scene)],
        repeat: Repeat { first: 1, seeds: 1, spread: 0, until: None },
        search: None,
        compare: Compare { over: None, against: None, measures: vec![], flows: vec![], margin: 0.02 },
        expect: vec![],
        published: vec![],
    }
}

/// Returns a plan with these points, compared with the first; the trials keep their order.
pub fn varied(key: &str, points: Vec<(&str, Vec<Scene>)>) -> Plan {
    let mut plan = plan(points[0].1[0].clone());
    let values: Vec<String> = points.iter().map(|(value, _)| (*value).to_owned()).collect();
    let at = |value: &str| vec![Setting { key: key.into(), value: value.into() }];
    let seeds = points
        .into_iter()
        .flat_map(|(value, scenes)| scenes.into_iter().zip(1..).map(move |(scene, seed)| (at(value), seed, scene)));
    let trials = seeds
        .enumerate()
        .map(|(index, (point, seed, scene))| Trial { index, point: point.into(), seed, ..trial(scene) })
        .collect();
    plan.compare.against = values.first().cloned();
    plan.compare.over = Some(key.into());
    plan.vary = vec![Axis { key: key.into(), values, in_step: false }];
    Plan { trials, ..plan }
}
