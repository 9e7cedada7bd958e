//! From a scene to the commands that build it: what the agent executes, and what `goodput check` prints.
//!
//! A link is emulated in a namespace of its own, [`WIRE`], so that nothing of it disturbs the hosts. A packet enters at
//! the port that faces its sender and is handed from device to device at their ingress (`tc … mirred`), without an IP
//! stack in between:
//!
//! ```text
//! host A ── port A ─▶ delay0 ~ delay0o ─▶ loss0 ~ loss0o ─▶ port B ── host B
//!                     netem delay         netem or gact     tbf: rate and drop-tail queue
//! ```
//!
//! `~` joins the ends of a veth pair. netem's delay comes first because it takes the packet off its sender's account
//! (`skb_orphan_partial`): TCP Small Queues must see the host's own queue alone.

use crate::plan::{Buffer, End, Host, Lane, Link, Loss, Scene};
use std::fmt::Write;
use wire::{FlowJob, Inside, Job, PROTOCOL, QueueJob};

/// The namespace of the links.
pub const WIRE: &str = "wire";
/// Bytes of an Ethernet header, which the kernel counts in a packet's length.
pub const ETHERNET_HEADER: u32 = 14;
/// The first flow's port; flow n has the nth after it.
pub const FIRST_PORT: u16 = 5201;

/// Packets of delay that netem can hold at least: never the limit (its default, 1000, would be).
const UNLIMITED: u32 = 10_000_000;
/// Frames that a host's NIC queue holds, as txqueuelen of an Ethernet device.
const NIC_QUEUE: u64 = 1000;

/// Settings of the whole machine: TCP's memory, in pages, is never the limit on a guest of any size.
const MACHINE: &[(&str, &str)] = &[("net.ipv4.tcp_mem", "16777216 16777216 16777216")];

/// One of the two directions of a link, as the samples name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The drop-tail queue in front of the line.
    Queue,
    /// The loss in transit.
    Loss,
}

/// A sampled queue: which link, which direction (0 forward, 1 backward), which stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probe {
    /// Index into [`Scene::links`].
    pub link: usize,
    /// 0 forward, 1 backward.
    pub lane: usize,
    /// What is sampled.
    pub stage: Stage,
}

/// The queues that are sampled, in the order of their numbers.
pub fn probes(scene: &Scene) -> Vec<Probe> {
    let mut probes = vec![];
    for (link, l) in scene.links.iter().enumerate() {
        for (lane, direction) in [&l.forward, &l.backward].into_iter().enumerate() {
            probes.push(Probe { link, lane, stage: Stage::Queue });
            if direction.loss != Loss::None {
                probes.push(Probe { link, lane, stage: Stage::Loss });
            }
        }
    }
    probes
}

/// Everything that the agent needs for a scene.
pub fn job(scene: &Scene) -> Job {
    let mut namespaces: Vec<String> = scene.hosts.iter().map(|h| h.name.clone()).collect();
    namespaces.push(WIRE.into());
    let mut inside = vec![furnish_wire(scene)];
    inside.extend(scene.hosts.iter().map(|host| furnish_host(host, scene)));
    Job {
        protocol: PROTOCOL,
        machine: MACHINE.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
        namespaces,
        inside,
        queues: probes(scene).into_iter().map(|p| queue_job(p, scene)).collect(),
        flows: flows(scene),
        interval: scene.record.interval,
        acks: scene.record.acks,
        drops: scene.record.drops,
        limit: scene.record.limit,
        settle: settle(scene),
    }
}

/// The longest that a packet can be under way: every delay and every full buffer, and a margin for timers.
fn settle(scene: &Scene) -> u64 {
    let lanes = scene.links.iter().flat_map(|l| [&l.forward, &l.backward]);
    let queued = |lane: &Lane| u128::from(capacity_bytes(lane, scene)) * 8_000_000_000 / u128::from(lane.rate.max(1));
    lanes.map(|lane| lane.delay + queued(lane) as u64).sum::<u64>() + 1_000_000
}

/// The most that a lane's queue holds, bytes of Ethernet frames without FCS.
pub fn capacity_bytes(lane: &Lane, scene: &Scene) -> u64 {
    let mtu = scene.hosts.iter().map(|h| h.mtu).max().unwrap_or(1500);
    match lane.buffer {
        Buffer::Packets(n) => u64::from(n) * u64::from(mtu + ETHERNET_HEADER),
        Buffer::Bytes(n) => n,
    }
}

fn host<'a>(name: &str, scene: &'a Scene) -> &'a Host {
    scene.hosts.iter().find(|h| h.name == name).expect("the plan names only its own hosts")
}

/// The hosts' MAC addresses are fixed, and so are their neighbours': nothing is ever resolved.
fn mac(host: &Host) -> String {
    let [a, b, c, d] = host.address.octets();
    format!("02:00:{a:02x}:{b:02x}:{c:02x}:{d:02x}")
}

/// A host's device is called `nic`, its port on the wire has the host's name.
pub const NIC: &str = "nic";

fn stage_name(stage: &str, link: usize, lane: usize) -> String {
    format!("{stage}{}", link * 2 + lane)
}

/// Lines for `ip` in [`WIRE`]: every device is made in its place.
fn devices(number: usize, link: &Link, scene: &Scene) -> Vec<String> {
    let mut lines = vec![];
    for end in &link.ends {
        let host = host(end, scene);
        lines.push(format!(
            "link add {NIC} address {mac} mtu {mtu} netns {name} type veth peer name {name} mtu {mtu}",
            mac = mac(host),
            mtu = host.mtu,
            name = host.name,
        ));
    }
    let mtu = link.ends.iter().map(|end| host(end, scene).mtu).max().unwrap_or(1500);
    for (lane, direction) in [&link.forward, &link.backward].into_iter().enumerate() {
        for stage in stages(direction) {
            let name = stage_name(stage, number, lane);
            lines.push(format!("link add {name} mtu {mtu} type veth peer name {name}o mtu {mtu}"));
        }
    }
    lines
}

fn stages(lane: &Lane) -> &'static [&'static str] {
    match lane.loss {
        Loss::None => &["delay"],
        Loss::Random(_) | Loss::Every(_) => &["delay", "loss"],
    }
}

fn furnish_host(host: &Host, scene: &Scene) -> Inside {
    let prefix = 24;
    let mut ip = vec![format!("link set {NIC} up"), format!("address add {}/{prefix} dev {NIC}", host.address)];
    for other in scene.hosts.iter().filter(|h| h.name != host.name) {
        ip.push(format!("neighbour add {} lladdr {} dev {NIC} nud permanent", other.address, mac(other)));
    }
    Inside {
        namespace: host.name.clone(),
        sysctls: host.sysctls.clone(),
        plain_devices: vec![NIC.into()],
        ip,
        tc: host.nic.map(|rate| nic_queue(rate, host.mtu)).into_iter().collect(),
    }
}

/// A line rate for a host's own device, and framing as on Ethernet.
fn nic_queue(rate: u64, mtu: u32) -> String {
    let frame = u64::from(mtu + ETHERNET_HEADER);
    // Two frames at least, so that a pair of segments released by one ACK leaves as the kernel sent it.
    let burst = (2 * frame + TOKEN_SLACK).max((u128::from(rate) * NIC_BURST / 8_000_000_000) as u64);
    let limit = NIC_QUEUE * frame;
    format!("qdisc add dev {NIC} root handle 1: tbf rate {rate}bit burst {burst}b limit {limit}b overhead 24")
}

/// What a NIC sends in one go, ns at its line rate: 25 kB at 10 Gbit/s, where hardware segments up to 64 kB at once.
const NIC_BURST: u128 = 20_000;

/// Tokens beyond a frame, bytes: the kernel's timers fire up to a few ns late, and a bucket of exactly one frame would
/// lose what flows in meanwhile.
const TOKEN_SLACK: u64 = 64;

fn furnish_wire(scene: &Scene) -> Inside {
    let mut inside = Inside { namespace: WIRE.into(), sysctls: vec![], plain_devices: vec![], ip: vec![], tc: vec![] };
    for (number, link) in scene.links.iter().enumerate() {
        for end in &link.ends {
            inside.plain_devices.push(end.clone());
        }
        for (lane, direction) in [&link.forward, &link.backward].into_iter().enumerate() {
            for stage in stages(direction) {
                let name = stage_name(stage, number, lane);
                inside.plain_devices.extend([name.clone(), format!("{name}o")]);
            }
            let [from, to] = if lane == 0 { [0, 1] } else { [1, 0] };
            inside.tc.extend(lane_commands(number, lane, direction, &link.ends[from], &link.ends[to], scene));
        }
    }
    inside.ip = scene.links.iter().enumerate().flat_map(|(n, link)| devices(n, link, scene)).collect();
    inside.ip.extend(inside.plain_devices.iter().map(|device| format!("link set {device} up")));
    inside
}

fn lane_commands(link: usize, lane: usize, direction: &Lane, from: &str, to: &str, scene: &Scene) -> Vec<String> {
    let delay = stage_name("delay", link, lane);
    let loss = stage_name("loss", link, lane);
    let mut tc = redirect(from, &delay);
    tc.push(format!(
        "qdisc add dev {delay} root handle 1: netem delay {}us limit {UNLIMITED}",
        // tc knows no ns. A netem without delay does not take packets off their sender's account.
        decimal(direction.delay.max(1) as f64 / 1e3),
    ));
    match direction.loss {
        Loss::None => tc.extend(redirect(&format!("{delay}o"), to)),
        Loss::Random(probability) => {
            tc.extend(redirect(&format!("{delay}o"), &loss));
            tc.push(format!(
                "qdisc add dev {loss} root handle 1: netem loss random {}% limit {UNLIMITED}",
                decimal(probability * 100.0)
            ));
            tc.extend(redirect(&format!("{loss}o"), to));
        }
        Loss::Every(n) => {
            tc.extend(redirect(&format!("{delay}o"), &loss));
            tc.push(format!("qdisc add dev {loss}o clsact"));
            tc.push(format!(
                "filter add dev {loss}o ingress matchall action gact pipe random determ drop {n} \
                 action mirred egress redirect dev {to}"
            ));
        }
    }
    tc.extend(bottleneck(direction, to, scene));
    tc
}

/// A number without an exponent or trailing zeros.
fn decimal(number: f64) -> String {
    let text = format!("{number:.12}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn redirect(from: &str, to: &str) -> Vec<String> {
    vec![
        format!("qdisc add dev {from} clsact"),
        format!("filter add dev {from} ingress matchall action mirred egress redirect dev {to}"),
    ]
}

/// The line and the queue in front of it: a token bucket of one frame, and in it a FIFO.
fn bottleneck(lane: &Lane, port: &str, scene: &Scene) -> [String; 2] {
    let mtu = host(port, scene).mtu;
    let burst = u64::from(mtu + ETHERNET_HEADER) + TOKEN_SLACK;
    let (rate, overhead) = (lane.rate, lane.overhead);
    // tbf makes a FIFO of `limit` bytes of its own, which the next line replaces.
    let limit = capacity_bytes(lane, scene).max(burst).min(u64::from(u32::MAX));
    let fifo = match lane.buffer {
        Buffer::Packets(n) => format!("pfifo limit {n}"),
        Buffer::Bytes(n) => format!("bfifo limit {}b", n.min(u64::from(u32::MAX))),
    };
    [
        format!(
            "qdisc add dev {port} root handle 1: tbf rate {rate}bit burst {burst}b limit {limit}b overhead {overhead}"
        ),
        format!("qdisc add dev {port} parent 1:1 handle 10: {fifo}"),
    ]
}

fn queue_job(probe: Probe, scene: &Scene) -> QueueJob {
    let link = &scene.links[probe.link];
    let lane = if probe.lane == 0 { &link.forward } else { &link.backward };
    let loss = stage_name("loss", probe.link, probe.lane);
    let (device, hook) = match (probe.stage, lane.loss) {
        (Stage::Queue, _) => (link.ends[1 - probe.lane].clone(), "root"),
        (Stage::Loss, Loss::Every(_)) => (format!("{loss}o"), "clsact"),
        (Stage::Loss, _) => (loss, "root"),
    };
    QueueJob { namespace: WIRE.into(), device, hook: hook.into() }
}

fn flows(scene: &Scene) -> Vec<FlowJob> {
    let job = |(number, flow): (usize, &crate::plan::Flow)| FlowJob {
        from: flow.from.clone(),
        to: flow.to.clone(),
        address: host(&flow.to, scene).address,
        port: FIRST_PORT + number as u16,
        congestion: flow.congestion.clone(),
        start: flow.start,
        duration: match flow.end {
            End::Duration(ns) => Some(ns),
            End::Bytes(_) => None,
        },
        bytes: match flow.end {
            End::Bytes(n) => Some(n),
            End::Duration(_) => None,
        },
        send_buffer: flow.send_buffer,
        receive_buffer: flow.receive_buffer,
        mss: flow.mss,
    };
    scene.flows.iter().enumerate().map(job).collect()
}

/// The scene as commands for a shell on a Linux machine, in the order in which the agent executes them.
pub fn commands(scene: &Scene) -> Vec<String> {
    let job = job(scene);
    let mut all = vec![];
    for (name, value) in &job.machine {
        all.push(format!("sysctl -w {name}=\"{value}\""));
    }
    for namespace in &job.namespaces {
        all.push(format!("ip netns add {namespace}"));
    }
    for inside in &job.inside {
        let within = format!("ip netns exec {}", inside.namespace);
        for (name, value) in &inside.sysctls {
            all.push(format!("{within} sysctl -w {name}=\"{value}\""));
        }
        all.extend(inside.ip.iter().map(|line| format!("ip -n {} {line}", inside.namespace)));
        for device in &inside.plain_devices {
            all.push(format!("{within} ethtool -K {device} tso off gso off gro off"));
        }
        all.extend(inside.tc.iter().map(|line| format!("tc -n {} {line}", inside.namespace)));
    }
    all.extend(job.flows.iter().flat_map(traffic));
    all
}

/// A flow as the iperf3 server and client that come nearest to it.
fn traffic(flow: &FlowJob) -> [String; 2] {
    let server = format!("ip netns exec {} iperf3 --server --daemon --one-off --port {}", flow.to, flow.port);
    let wait = match flow.start {
        0 => String::new(),
        ns => format!("sleep {} && ", ns as f64 / 1e9),
    };
    let mut line = format!(
        "{wait}ip netns exec {} iperf3 --client {} --port {} --congestion {}",
        flow.from, flow.address, flow.port, flow.congestion
    );
    if let Some(ns) = flow.duration {
        let _ = write!(line, " --time {}", ns as f64 / 1e9);
    }
    if let Some(bytes) = flow.bytes {
        let _ = write!(line, " --bytes {bytes}");
    }
    if let Some(mss) = flow.mss {
        let _ = write!(line, " --set-mss {mss}");
    }
    if let Some(bytes) = flow.send_buffer.or(flow.receive_buffer) {
        let _ = write!(line, " --window {bytes}");
    }
    [server, line]
}
