//! Test data: a network and a recording to measure, in round numbers.

pub use super::series::Series;

use super::sender_limit::{Held, Hold};
use super::series::{FlowSeries, QueueSeries};
use crate::network;
use crate::network::topology::Step;
use crate::plan::{
    Axis, Buffer, Compare, Discipline, End, Flow, Host, HostQdisc, Lane, Link, Node, Offloads, Plan, Profile, Queue,
    Record, Repeat, Role, Route, Scene, Setting, Shared, Stack, Switch, Tcp, Teller, Traffic, Transfer, Trial, Until,
};
use crate::recording::{Datagrams, NO_SSTHRESH, Sample, TrialFacts};
use wire::Exchange;

const SECOND: u64 = 1_000_000_000;
const MS: u64 = 1_000_000;
const GIGABIT: u64 = 1_000_000_000;

/// Returns hosts a and b at 1 Gbit/s and 1 ms from a switch, and host c at 100 Mbit/s and 4 ms.
pub fn tree() -> Scene {
    let node = |name: &str, role| Node { name: name.into(), role, offloads: Offloads::default(), sysctls: vec![] };
    let host = |name, nic| {
        let host = Host {
            stack: Stack::Linux,
            profile: Profile::Plain,
            driver: None,
            nic: Some(nic),
            qdisc: HostQdisc::Fifo,
            route: Route::default(),
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
pub(crate) fn four_kinds() -> Scene {
    let requests = Traffic::Requests { tcp: tcp("bbr"), request: 100, response: 900, think: 0 };
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

/// Returns a recording of [`four_kinds`]; the tests of `flow.rs` and `lane.rs` list its measures.
pub fn series() -> Series {
    let scene = four_kinds();
    let mut queues = vec![QueueSeries::default(); network::probes(&scene).len()];
    let slow = network::probes(&scene).iter().position(|probe| probe.step == Step { link: 2, lane: 0 });
    queues[slow.unwrap()] = queue();
    let datagrams = Datagrams { sent: 1000, received: 900, on_time: 900, reordered: 9 };
    let facts = TrialFacts {
        started: (0..4).map(|flow| (flow, SECOND)).collect(),
        ended: [(0, 3 * SECOND), (1, 2 * SECOND), (2, 3 * SECOND), (3, 3 * SECOND)].into(),
        datagrams: [(2, datagrams)].into(),
        ..TrialFacts::default()
    };
    Series {
        flows: vec![bulk_series(), request_series(), FlowSeries::default(), ping_series()],
        queues,
        beside: Default::default(),
        facts,
        fingerprint: None,
    }
}

fn queue() -> QueueSeries {
    let packets = vec![500, 0, 10, 20, 30, 0, 99];
    let sent = [0, 100, 2_600, 5_100, 7_600, 10_100, 10_100];
    QueueSeries {
        time: (1..=7).map(|half| half * SECOND / 2).collect(),
        backlog: packets.iter().map(|n| n * 1226).collect(),
        packets,
        drops: vec![0, 0, 0, 0, 7, 7, 7],
        sent_bytes: sent.iter().map(|n| n * 1226).collect(),
        sent_packets: sent.into(),
        byte_seconds: 0.0,
        ..QueueSeries::default()
    }
}

fn bulk_series() -> FlowSeries {
    let time: Vec<u64> = (3..=6).map(|half| half * SECOND / 2).collect();
    let sender = Sample {
        options: 7,
        pmtu: 1400,
        snd_mss: 1348,
        min_rtt: 10_000,
        bytes_sent: 25_000_000,
        bytes_retrans: 500_000,
        busy_time: 1_500_000,
        rwnd_limited: 300_000,
        sndbuf_limited: 200_000,
        delivered: 1000,
        delivered_ce: 250,
        reord_seen: 3,
        total_rto: Some(2),
        total_rto_time: Some(400),
        ..Sample::default()
    };
    let mut held = Held::default();
    held[Hold::Cwnd] = 400_000;
    held[Hold::Rwnd] = 40_000;
    held[Hold::Sndbuf] = 200_000;
    held[Hold::Pacing] = 60_000;
    held[Hold::App] = 100_000;
    held[Hold::Unknown] = 200_000;
    let receiver = Sample { data_segs_in: 17_300, rcv_ooopack: 50, ..Sample::default() };
    FlowSeries {
        cwnd: vec![10, 20, 30, 40],
        ssthresh: vec![NO_SSTHRESH, NO_SSTHRESH, 20, 20],
        state: vec![0, 0, 3, 0],
        srtt: vec![10_000, 20_000, 30_000, 40_000],
        held,
        received: time.iter().zip(1..).map(|(time, part)| (*time, part * 6_250_000)).collect(),
        last: [Some(sender), Some(receiver)],
        time,
        ..FlowSeries::default()
    }
}

fn request_series() -> FlowSeries {
    let ms = [(1000, Some(1050)), (1050, Some(1150)), (1150, Some(1350)), (1350, Some(1650)), (1900, None)];
    let exchange = |(start, end): (u64, Option<u64>)| Exchange { start: start * MS, end: end.map(|end| end * MS) };
    let none = Sample { total_rto: Some(0), total_rto_time: Some(0), ..Sample::default() };
    let sender = Sample { bytes_sent: 3600, delivered: 4, busy_time: 650_000, min_rtt: 10_000, ..none };
    FlowSeries {
        time: vec![SECOND * 3 / 2, 2 * SECOND],
        cwnd: vec![10, 10],
        ssthresh: vec![NO_SSTHRESH; 2],
        state: vec![0; 2],
        srtt: vec![11_000, 12_000],
        received: vec![(SECOND * 3 / 2, 2700), (2 * SECOND, 3600)],
        last: [Some(sender), Some(Sample { data_segs_in: 4, ..Sample::default() })],
        exchanges: ms.map(exchange).into(),
        ..FlowSeries::default()
    }
}

fn ping_series() -> FlowSeries {
    let answered = |n: u64| Some(SECOND + n * 100 * MS + (10 + n) * MS).filter(|_| n < 20);
    let ping = |n| Exchange { start: SECOND + n * 100 * MS, end: answered(n) };
    FlowSeries { exchanges: (0..21).map(ping).collect(), ..FlowSeries::default() }
}
