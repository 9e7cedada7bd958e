//! From a scene to the commands that build it. The agent executes them, and `goodput check` prints them.
//!
//! Every node has a namespace. Links are emulated in a separate one, [`WIRE_NAMESPACE`], so that they do not disturb
//! the nodes. It is set up first, and creates every device in its final namespace.

mod addresses;
mod dualpi2;
mod furnishing;
mod lane;
mod multipath;
mod nest;
mod node;
mod ports;
mod queue;
pub mod routing;
mod shell;
pub mod topology;
mod tunnel;

pub use furnishing::{Dialect, Shown};
pub use nest::{MAX_DEPTH, Nesting, depth, inner_mtu, nesting};
pub use ports::{Port, port};
pub use queue::capacity_bytes;
pub use shell::commands;

use crate::{Buffer, Lane, Role, Scene, Stage};
use addresses::{Addresses, address, stations};
use furnishing::Furnishing;
use lane::{Direction, QueuePlace};
use topology::Step;
use wire::{CommandJob, FlowJob, Job, PROTOCOL, QueueJob, Tool, Traffic};

/// Namespace of the links.
pub const WIRE_NAMESPACE: &str = "wire";
/// Port of the first flow; flow n uses the nth port after it. With commands, the second constant is used, because an
/// iperf3 among them may use its default port.
const FIRST_PORT: u16 = 5201;
const FIRST_PORT_BESIDE_COMMANDS: u16 = 6201;

/// Machine-wide settings, unless a node sets them. They keep two limits from mattering on guests of any size: TCP's
/// memory, in pages, and packets that wait for a processor between the ends of a veth pair (1000, in
/// enqueue_to_backlog).
const MACHINE_SYSCTLS: &[(&str, &str)] =
    &[("net.ipv4.tcp_mem", "16777216 16777216 16777216"), ("net.core.netdev_max_backlog", "10000000")];

/// Object that is sampled in a direction of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The queue in front of the line.
    Queue,
    /// The queue of the sending host's own interface, before the link.
    Nic,
    /// Drops of a stage, by its index among the lane's stages.
    Stage(usize),
}

/// A sampled queue or stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probe {
    /// Direction of a link.
    pub step: Step,
    /// Object that is sampled.
    pub what: What,
}

/// Returns all probes, in the order of their numbers.
pub fn probes(scene: &Scene) -> Vec<Probe> {
    places(scene).into_iter().map(|(probe, _)| probe).collect()
}

/// Returns the number and direction of the sampled place at a device; `None` if nodes have several of that name.
pub fn sampled_at(scene: &Scene, device: &str) -> Option<(usize, Step)> {
    let places = places(scene);
    let mut at = places.iter().enumerate().filter(|(_, (_, place))| place.device == device);
    let (number, (probe, _)) = at.next()?;
    at.next().is_none().then_some((number, probe.step))
}

fn places(scene: &Scene) -> Vec<(Probe, QueuePlace)> {
    let mut all = vec![];
    for step in steps(scene) {
        let direction = Direction::new(scene, step);
        all.extend(direction.queue().map(|place| (Probe { step, what: What::Queue }, place)));
        for (number, stage) in step.lane(scene).stages.iter().enumerate() {
            all.extend(direction.drops(stage).map(|place| (Probe { step, what: What::Stage(number) }, place)));
        }
    }
    let nic = |step| Some((Probe { step, what: What::Nic }, Direction::new(scene, step).nic_queue()?));
    all.extend(steps(scene).filter_map(nic));
    all
}

/// True if packets have left their sender's device before they reach the sampled place.
pub fn is_behind_its_device(scene: &Scene, probe: &Probe) -> bool {
    match probe.what {
        What::Nic => false,
        What::Stage(_) => true,
        What::Queue => Direction::new(scene, probe.step).queue().is_some_and(|place| place.namespace == WIRE_NAMESPACE),
    }
}

/// Returns the devices that a direction's packets pass, with their namespaces: pairs of veth ends, the sending end
/// first.
pub fn row(scene: &Scene, step: Step) -> Vec<[(String, String); 2]> {
    Direction::new(scene, step).row()
}

/// Returns every direction of every link, in the order of their numbers.
pub fn steps(scene: &Scene) -> impl Iterator<Item = Step> + use<> {
    (0..scene.links.len()).flat_map(|link| [0, 1].map(|lane| Step { link, lane }))
}

/// Returns the nft counters of a direction's drops, all in [`WIRE_NAMESPACE`].
pub fn counters(scene: &Scene, step: Step) -> Vec<String> {
    let direction = Direction::new(scene, step);
    step.lane(scene).stages.iter().filter_map(|stage| direction.counter(stage)).collect()
}

fn furnishings(scene: &Scene, dialect: Dialect) -> Vec<Furnishing> {
    let nodes = scene.nodes.iter().map(|node| node::furnish(scene, node, dialect));
    [furnish_wire(scene, dialect)].into_iter().chain(nodes).collect()
}

/// Returns the values that each namespace's kernel must show after the set-up.
pub fn shown(scene: &Scene, dialect: Dialect) -> Vec<(String, Vec<Shown>)> {
    furnishings(scene, dialect).into_iter().map(|f| (f.namespace, f.shown)).collect()
}

/// Returns the programs that set up a scene.
pub fn tools(scene: &Scene) -> Vec<Tool> {
    let inside = furnishings(scene, Dialect::Laboratory).into_iter().map(Furnishing::inside);
    let tool = |step| match step {
        wire::Step::Run(tool, _) => Some(tool),
        _ => None,
    };
    inside.flat_map(|inside| inside.steps).filter_map(tool).collect()
}

/// Returns the agent's job for a scene.
pub fn job(scene: &Scene, dialect: Dialect) -> Job {
    let mut namespaces: Vec<String> = scene.nodes.iter().map(|node| node.name.clone()).collect();
    namespaces.push(WIRE_NAMESPACE.into());
    let queue = |(_, QueuePlace { namespace, device, hook }): (Probe, QueuePlace)| QueueJob {
        namespace,
        device,
        hook: hook.into(),
    };
    let mut changes: Vec<_> = steps(scene).flat_map(|step| Direction::new(scene, step).changes(dialect)).collect();
    changes.extend(scene.nodes.iter().flat_map(node::forgets));
    changes.sort_by_key(|change| change.at);
    let flows = flows(scene);
    Job {
        protocol: PROTOCOL,
        machine: machine(scene),
        namespaces,
        inside: furnishings(scene, dialect).into_iter().map(Furnishing::inside).collect(),
        tunnels: tunnel::streams(scene),
        queues: places(scene).into_iter().map(queue).collect(),
        commands: commands_of(scene, &flows),
        flows,
        changes,
        fetch: scene.fetch.to_vec(),
        capture: scene.capture.to_vec(),
        interval: scene.record.interval,
        acks: scene.record.acks,
        drops: scene.record.drops,
        // Count datagrams and pings only when none can be in flight any more.
        limit: limit(scene),
        settle: settle(scene),
    }
}

/// Returns the time at which the agent gives up, ns of virtual time.
pub fn limit(scene: &Scene) -> u64 {
    scene.record.limit.saturating_add(settle(scene))
}

fn machine(scene: &Scene) -> Vec<(String, String)> {
    let is_told = |name: &str| scene.nodes.iter().flat_map(|node| &node.sysctls).any(|(other, _)| other == name);
    let settings = MACHINE_SYSCTLS.iter().filter(|(name, _)| !is_told(name));
    settings.map(|(name, value)| (name.to_string(), value.to_string())).collect()
}

fn furnish_wire(scene: &Scene, dialect: Dialect) -> Furnishing {
    let mut furnishing = Furnishing::new(WIRE_NAMESPACE, dialect);
    let into = &mut furnishing;
    let addresses = Addresses::from_scene(scene);
    for (number, link) in scene.links.iter().enumerate() {
        let mtu = link.mtu;
        for lane in 0..2 {
            let end = Step { link: number, lane };
            let Port { node, member, wire, .. } = port(scene, end);
            let address = addresses.at(end).map(|address| format!(" address {}", address.mac())).unwrap_or_default();
            into.ip.push(format!(
                "link add name {member}{address} mtu {mtu} netns {node} type veth peer name {wire} mtu {mtu}"
            ));
            into.offloads.push((wire, NO_OFFLOADS));
        }
        for lane in 0..2 {
            let direction = Direction::new(scene, Step { link: number, lane });
            for name in direction.devices() {
                into.ip.push(format!("link add name {name} mtu {mtu} type veth peer name {name}o mtu {mtu}"));
                into.offloads.extend([(name.clone(), NO_OFFLOADS), (format!("{name}o"), NO_OFFLOADS)]);
            }
            direction.furnish(into);
        }
    }
    let up: Vec<String> = into.offloads.iter().map(|(device, _)| format!("link set dev {device} up")).collect();
    into.ip.extend(up);
    furnishing
}

/// No TSO, GSO or GRO: a packet on the wire is a packet.
const NO_OFFLOADS: [bool; 3] = [false; 3];

/// Returns the longest time that a packet, its answer and the answer to that can be in flight, ns: every delay and
/// every full queue twice, and a margin for timers.
fn settle(scene: &Scene) -> u64 {
    let way = |step: Step| {
        let lane = step.lane(scene);
        let mtu = scene.links[step.link].mtu;
        let time = |buffer: Buffer, rate: u64| {
            (u128::from(capacity_bytes(buffer, mtu)) * 8_000_000_000 / u128::from(rate.max(1))) as u64
        };
        let rate = lane.rates().min().unwrap_or(0);
        let queued = lane.queue.map_or(0, |queue| match &lane.rate_trace {
            Some(trace) => trace.drain(capacity_bytes(queue.buffer, mtu) as f64 * 8.0),
            None => time(queue.buffer, rate),
        });
        let more = lane.delay_trace.as_ref().map_or(0, |trace| trace.range()[1] as u64);
        let delay = lane.delays().max().unwrap_or(0) + more;
        let stage = |stage: &Stage| match *stage {
            Stage::Reorder { by, .. } => by,
            Stage::Shape { rate, buffer, .. } => time(buffer, rate),
            Stage::Aggregate { every, .. } => 2 * every,
            _ => 0,
        };
        let nic = match &topology::node(scene, &scene.links[step.link].ends[step.lane].node).role {
            Role::Host(host) => host.nic.map_or(0, |nic| {
                // If the link has no queue of its own, the interface is the line.
                let slowest = if lane.queue.is_none() { nic.min(rate) } else { nic };
                let shaped = host.shape.map_or(0, |shape| time(Buffer::Bytes(shape.limit()), shape.rate));
                time(queue::host_buffer(host), slowest).saturating_add(shaped)
            }),
            Role::Switch(_) | Role::Router(_) => 0,
        };
        let jitter = 8 * lane.jitter.map_or(0, |jitter| jitter.by);
        [nic, delay, jitter, queued].into_iter().chain(lane.stages.iter().map(stage)).fold(0, u64::saturating_add)
    };
    steps(scene).map(way).fold(0, u64::saturating_add).saturating_mul(2).saturating_add(1_000_000)
}

/// Returns the capacity of a lane's queue, bytes of Ethernet frames without FCS; `None` if it is a host's own queue.
pub fn queue_bytes(lane: &Lane, mtu: u32) -> Option<u64> {
    lane.queue.map(|queue| capacity_bytes(queue.buffer, mtu))
}

fn commands_of(scene: &Scene, flows: &[FlowJob]) -> Vec<CommandJob> {
    let programs = flows.iter().zip(0..).filter(|(flow, _)| matches!(flow.traffic, Traffic::Program { .. }));
    // A server and a client each.
    let flow_of = programs.flat_map(|(_, number)| [Some(number); 2]);
    let flow_of = std::iter::repeat_n(None, scene.commands.len()).chain(flow_of);
    let filled = |line: &str, flow: &FlowJob| {
        line.replace("{address}", &flow.address.to_string()).replace("{port}", &flow.port.to_string())
    };
    let command = |(command, flow): (crate::Command, Option<u32>)| CommandJob {
        at: command.at,
        command: flow.map_or(command.command.clone(), |flow| filled(&command.command, &flows[flow as usize])),
        namespace: command.node,
        background: command.background,
        flow,
    };
    scene.all_commands().into_iter().zip(flow_of).map(command).collect()
}

fn flows(scene: &Scene) -> Vec<FlowJob> {
    let stations = stations(scene);
    let first = if scene.has_commands() { FIRST_PORT_BESIDE_COMMANDS } else { FIRST_PORT };
    let job = |(number, flow): (usize, &crate::Flow)| FlowJob {
        from: flow.from.clone(),
        to: flow.to.clone(),
        address: address(&stations, &flow.to).ip(flow.family()),
        port: first + number as u16,
        start: flow.start,
        until: flow.until,
        traffic: flow.traffic.clone(),
        onward: flow.onward,
    };
    scene.flows.iter().enumerate().map(job).collect()
}

/// Formats a time for tc.
fn us(ns: u64) -> String {
    format!("{}us", decimal(ns as f64 / 1e3))
}

/// Formats a number without an exponent or trailing zeros.
fn decimal(number: f64) -> String {
    let text = format!("{number:.12}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}
