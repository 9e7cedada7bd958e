//! A scene: the network, its traffic and the recording options.

use super::family::Family;
use super::flow::{Flow, Transfer};
use super::host::{Host, Offloads, Stack};
use super::queue::{Buffer, Queue};
use super::record::Record;
use super::shared::Shared;
use super::trace::Trace;
use super::tunnel::Tunnel;
use serde::{Deserialize, Serialize};
use wire::Traffic;

/// The network, its traffic and the recording options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// Hosts, switches and routers, each a network namespace.
    pub nodes: Shared<Node>,
    /// Links between the nodes; switches form no loop.
    pub links: Shared<Link>,
    /// Routes that differ from the shortest path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub routes: Shared<Via>,
    /// Tunnels between routers.
    pub tunnels: Shared<Tunnel>,
    /// IP versions of the nodes.
    #[serde(default, skip_serializing_if = "Family::is_ipv4")]
    pub family: Family,
    /// The flows, in the order of their numbers.
    pub flows: Vec<Flow>,
    /// The user's commands, in the order written.
    pub commands: Shared<Command>,
    /// Files that commands write in the guest, to copy into the recording: paths under /tmp.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fetch: Shared<String>,
    /// Nodes whose packets are captured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capture: Shared<String>,
    /// Recording options.
    pub record: Record,
}

impl Scene {
    /// True for real hosts on a path that nobody emulates: the scene has no links.
    pub fn is_real(&self) -> bool {
        self.links.is_empty() && self.nodes.len() > 1
    }

    /// Shares the other's parts that are equal.
    pub fn share(&mut self, other: &Scene) {
        self.nodes.share(&other.nodes);
        self.links.share(&other.links);
        self.routes.share(&other.routes);
        self.tunnels.share(&other.tunnels);
        self.commands.share(&other.commands);
        self.fetch.share(&other.fetch);
        self.capture.share(&other.capture);
        self.flows.iter_mut().zip(&other.flows).for_each(|(own, other)| own.share(other));
    }

    /// True if it runs users' commands or programs.
    pub fn has_commands(&self) -> bool {
        !self.commands.is_empty() || self.flows.iter().any(|flow| flow.is_program())
    }

    /// Returns the user's commands, then server and client of each flow of programs, as written.
    pub fn all_commands(&self) -> Vec<Command> {
        let of_flow = |flow: &Flow| {
            let Traffic::Program { server, client, .. } = &flow.traffic else { return vec![] };
            let command = |node: &str, at, line: &str, background| Command {
                node: node.into(),
                at,
                command: line.into(),
                background,
            };
            vec![command(&flow.to, 0, server, true), command(&flow.from, flow.start, client, false)]
        };
        self.commands.iter().cloned().chain(self.flows.iter().flat_map(of_flow)).collect()
    }

    /// True if any node runs FreeBSD's stack.
    pub fn has_freebsd(&self) -> bool {
        self.nodes.iter().any(Node::is_freebsd)
    }

    /// True if the node runs FreeBSD's stack.
    pub fn is_freebsd(&self, name: &str) -> bool {
        self.nodes.iter().any(|node| node.name == name && node.is_freebsd())
    }

    /// Returns a flow's name, or else its number; both if other flows share the name.
    pub fn called(&self, number: usize) -> String {
        let numbered = || format!("flow {number}");
        match &self.flows[number].name {
            None => numbered(),
            Some(name) if self.flows.iter().filter(|flow| flow.name.as_ref() == Some(name)).count() > 1 => {
                format!("{name}, {}", numbered())
            }
            Some(name) => name.clone(),
        }
    }

    /// Returns a connection's name in a diagnosis.
    pub fn connection(&self, number: usize) -> String {
        let flow = &self.flows[number];
        format!("{}, {} → {}", self.called(number), flow.from, flow.to)
    }

    /// True if the next flow sends this flow's data on, so that the transfer ends there.
    pub fn is_relayed(&self, number: usize) -> bool {
        self.flows.get(number + 1).is_some_and(|behind| behind.onward)
    }

    /// Returns the flows that a name means: those that have it, or the one with that number, as in `flow 3`.
    pub fn flows_called(&self, name: &str) -> Vec<usize> {
        let number: Option<usize> = name.strip_prefix(FLOW_PREFIX).and_then(|number| number.parse().ok());
        let flows = self.flows.iter().enumerate();
        flows.filter(|(n, flow)| flow.name.as_deref() == Some(name) || number == Some(*n)).map(|(n, _)| n).collect()
    }

    /// Groups flows by name, in the order of first appearance; flows without a name form one group.
    pub fn by_name(&self, flows: &[usize]) -> Vec<(Option<&str>, Vec<usize>)> {
        let mut groups: Vec<(Option<&str>, Vec<usize>)> = vec![];
        for &flow in flows {
            let name = self.flows[flow].name.as_deref();
            match groups.iter_mut().find(|(other, _)| *other == name) {
                Some((_, flows)) => flows.push(flow),
                None => groups.push((name, vec![flow])),
            }
        }
        groups
    }

    /// Returns the names of its flows.
    pub fn flow_names(&self) -> Vec<Option<String>> {
        self.flows.iter().map(|flow| flow.name.clone()).collect()
    }

    /// Returns the scene without the flows' names, the only part that does not affect the recording.
    pub fn recorded(&self) -> Scene {
        let nameless = |flow: &Flow| Flow::new(flow.start, Transfer { name: None, ..Transfer::clone(flow) });
        let flows = self.flows.iter().map(nameless);
        Scene { flows: flows.collect(), ..self.clone() }
    }
}

/// Prefix of a nameless flow's number; no name may begin with it.
const FLOW_PREFIX: &str = "flow ";

/// True if a flow may have this name: 1 to 40 ASCII letters, digits, blanks, `_`, `-`, `.` and `/`, no blank at an end.
pub fn is_flow_name(name: &str) -> bool {
    let fits = |b: u8| b.is_ascii_alphanumeric() || b" _-./".contains(&b);
    let whole = (1..=40).contains(&name.len()) && name.trim() == name;
    whole && name.bytes().all(fits) && !name.to_ascii_lowercase().starts_with(FLOW_PREFIX)
}

/// True if a guest file can be fetched. Its path is /tmp/ and names of letters, digits, `_`, `-` and `.`, none
/// beginning with a dot; 200 characters at most.
pub fn is_fetchable(path: &str) -> bool {
    let fits = |b: u8| b.is_ascii_alphanumeric() || b"_-.".contains(&b);
    let is_name = |name: &str| !name.is_empty() && !name.starts_with('.') && name.bytes().all(fits);
    path.len() <= 200 && path.strip_prefix("/tmp/").is_some_and(|path| path.split('/').all(is_name))
}

/// True if the text may name a congestion control: TCP_CA_NAME_MAX in include/net/tcp.h is 16 with the final zero.
pub fn is_congestion(name: &str) -> bool {
    let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-';
    (1..=15).contains(&name.len()) && name.bytes().all(fits)
}

/// First parts of sysctls: Linux's per network namespace, and FreeBSD's.
const SYSCTL_ROOTS: &[&str] = &["net", "hw", "kern", "machdep"];

/// True if the text may name a sysctl of a host.
pub fn is_sysctl(name: &str) -> bool {
    let fits = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    let is_part = |part: &str| !part.is_empty() && part.bytes().all(fits);
    let family = name.split_once('.').map(|(family, _)| family);
    family.is_some_and(|family| SYSCTL_ROOTS.contains(&family)) && name.split('.').all(is_part)
}

/// Returns the name of a fetched file in the trial's folder.
pub fn fetched(path: &str) -> String {
    format!("fetched-{}", path.rsplit('/').next().unwrap_or(path))
}

/// Most nodes of a trial whose packets are captured: each takes [`wire::CAPTURE_RING`] of the guest's memory.
pub const MAX_CAPTURES: usize = 4;

/// Returns the name of a node's capture in the trial's folder.
pub fn captured(node: &str) -> String {
    format!("captured-{node}.pcapng")
}

/// A machine on the network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Its name, also that of its namespace.
    pub name: String,
    /// How it handles packets.
    pub role: Role,
    /// Offloads of its interfaces.
    pub offloads: Offloads,
    /// Ports of a switch or router with offloads of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<PortOffloads>,
    /// Settings under /proc/sys, in the order in which they are applied: name with dots, value.
    pub sysctls: Vec<(String, String)>,
}

impl Node {
    /// True if it runs FreeBSD's stack.
    pub fn is_freebsd(&self) -> bool {
        matches!(&self.role, Role::Host(host) if host.stack == Stack::FreeBsd)
    }

    /// Returns the offloads of its interfaces that face a neighbour.
    pub fn offloads_towards(&self, neighbour: &str) -> Offloads {
        let own = self.ports.iter().find(|port| port.to == neighbour);
        own.map_or(self.offloads, |port| port.offloads)
    }
}

/// Offloads of one port of a switch or router, or of all members of a bond.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortOffloads {
    /// The neighbour that it faces.
    pub to: String,
    /// Its offloads.
    pub offloads: Offloads,
}

/// How a node handles packets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Sends and receives.
    Host(Host),
    /// Forwards Ethernet frames.
    Switch(Switch),
    /// Forwards IP packets.
    Router(Router),
}

/// An Ethernet switch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Switch {
    /// Packet memory that all its ports share, bytes; `None` if each queue has its own.
    pub memory: Option<u64>,
}

/// An IP router.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Router {
    /// True if it answers packets that are too large with ICMP "fragmentation needed" (RFC 1191).
    pub icmp: bool,
    /// True if it lowers the MSS of forwarded SYNs to fit the route's MTU.
    pub clamp_mss: bool,
    /// Address translation, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nat: Option<Nat>,
}

/// Network address translation of packets that leave a router towards one neighbour (RFC 3022, 2.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nat {
    /// The neighbour: packets over the link to it get the router's address.
    pub outside: String,
    /// True if each mapping gets a random port, false if it keeps the sender's when that is free.
    pub random_ports: bool,
    /// True if packets from outside without a mapping are dropped, false if the router takes them as its own.
    pub drops_unknown: bool,
    /// Times at which all mappings are lost, ns.
    pub forgets: Vec<u64>,
}

/// A route from one node to another through a router.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Via {
    /// The node that sends or forwards the packets.
    pub at: String,
    /// Their destination.
    pub to: String,
    /// A router on one of the first node's networks.
    pub via: String,
}

/// A full-duplex link between two nodes, emulated in a namespace of its own. Links with the same ends are the members
/// of a bond.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// The two ends.
    pub ends: [End; 2],
    /// The MTU of the interfaces at both ends, bytes.
    pub mtu: u32,
    /// How packets are spread over links with the same ends; `None` for a single link.
    pub bond: Option<Bond>,
    /// Interval at which the ends of a bond check their members' carrier, ns; `None` for never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub miimon: Option<u64>,
    /// Start and length of each time without carrier at both ends, ns. Both lanes have outages then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub down: Vec<(u64, u64)>,
    /// Lane from the first end to the second.
    pub forward: Lane,
    /// Lane from the second end to the first.
    pub backward: Lane,
}

/// One end of a link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Name of the node.
    pub node: String,
}

/// How a bond spreads packets (Linux bonding modes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bond {
    /// Round robin.
    BalanceRr,
    /// All packets over the first link.
    ActiveBackup,
    /// By addresses and ports (`xmit_hash_policy layer3+4`), as 802.3ad does.
    BalanceXor,
}

/// One direction of a link. A packet meets the delay, then the stages. The queue is at the sending port of a switch or
/// router, or else behind the stages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lane {
    /// Propagation delay, ns.
    pub delay: u64,
    /// Variation of the delay.
    pub jitter: Option<Jitter>,
    /// Stages that a packet passes in transit, in this order.
    pub stages: Vec<Stage>,
    /// Serialization rate, bit/s on the wire.
    pub rate: u64,
    /// Bytes on the wire beside each Ethernet frame as the kernel counts it (14-byte header, no FCS):
    /// 24 for FCS, preamble and inter-frame gap (IEEE 802.3).
    pub overhead: u32,
    /// Queue in front of the line; `None` if the sending host's own interface is the line.
    pub queue: Option<Queue>,
    /// Changes, in order of time.
    pub changes: Vec<Change>,
    /// Trace that its rate follows; `rate` is its mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_trace: Option<Trace>,
    /// Trace that is added to its delay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_trace: Option<Trace>,
}

impl Lane {
    /// Returns every rate, bit/s: the first, those of its changes, and the bounds of its trace.
    pub fn rates(&self) -> impl Iterator<Item = u64> + Clone {
        let followed = self.rate_trace.iter().flat_map(|trace| trace.range()).map(|rate| (rate as u64).max(1));
        [self.rate].into_iter().chain(self.changes.iter().filter_map(|change| change.rate)).chain(followed)
    }

    /// Returns every delay, ns: the first, then those of its changes.
    pub fn delays(&self) -> impl Iterator<Item = u64> + Clone {
        [self.delay].into_iter().chain(self.changes.iter().filter_map(|change| change.delay))
    }
}

/// Variation of a delay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Jitter {
    /// Half the width of a uniform distribution, or the standard deviation of any other, ns.
    pub by: u64,
    /// Its shape.
    pub distribution: Distribution,
    /// True if packets may overtake each other.
    pub reorder: bool,
}

/// Shape of a random delay (tc-netem(8)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Distribution {
    /// Any delay between the bounds.
    Uniform,
    /// Gaussian.
    Normal,
    /// Pareto.
    Pareto,
    /// A quarter normal, three quarters Pareto.
    Paretonormal,
}

/// One effect on packets in transit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Loss of some packets.
    Loss(Loss),
    /// Loss of all packets for some periods: start and length, ns.
    Outages(Vec<(u64, u64)>),
    /// A flipped bit in this share of the packets.
    Corrupt(f64),
    /// A second copy of this share of the packets.
    Duplicate(f64),
    /// A delay of some packets, so that later ones overtake them.
    Reorder {
        /// Share of the packets.
        share: f64,
        /// Delay, ns.
        by: u64,
    },
    /// An effect on packets of some lengths.
    Lengths {
        /// Shortest affected IP packet, bytes.
        from: u32,
        /// Longest affected IP packet, bytes.
        to: u32,
        /// The effect.
        effect: LengthEffect,
    },
    /// A policer: packets faster than the tokens are dropped.
    Police {
        /// Rate of IP packets, bit/s.
        rate: u64,
        /// Depth of the bucket, bytes.
        burst: u64,
    },
    /// A shaper: packets faster than the tokens wait.
    Shape {
        /// Rate of Ethernet frames, bit/s.
        rate: u64,
        /// Depth of the bucket, bytes.
        burst: u64,
        /// Capacity of its queue.
        buffer: Buffer,
    },
    /// Packets are collected and released together, as a shared medium does.
    Aggregate {
        /// Time from one release to the next, ns.
        every: u64,
        /// Most packets per release.
        packets: Option<u32>,
        /// Most bytes per release.
        bytes: Option<u32>,
    },
}

/// Loss in transit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// Each packet is lost with this probability, independently.
    Random(f64),
    /// Every Nth packet is lost, starting with the Nth.
    Every(u32),
    /// These packets are lost; the first has the number 1.
    Packets(Vec<u32>),
    /// Two states, each with its own loss (Gilbert 1960, Elliott 1963).
    GilbertElliott {
        /// Probability of going from good to bad, per packet.
        p: f64,
        /// Probability of going from bad to good, per packet.
        r: f64,
        /// Loss in the bad state (1-h).
        bad: f64,
        /// Loss in the good state (1-k).
        good: f64,
    },
}

/// Effect on packets of the affected lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LengthEffect {
    /// Drops them.
    Drop,
    /// A bit of each is flipped.
    Corrupt,
    /// Serializes them one by one at this rate, bit/s.
    Slow(u64),
}

/// A change of a lane at a time; `None` means unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Time, ns after the network is up.
    pub at: u64,
    /// Rate, bit/s.
    pub rate: Option<u64>,
    /// Propagation delay, ns.
    pub delay: Option<u64>,
    /// Share of the packets lost at random.
    pub loss: Option<f64>,
}

/// A user's command in a node's namespace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// Name of the node.
    pub node: String,
    /// Start, ns after the network is up.
    pub at: u64,
    /// Command for `sh -c`.
    pub command: String,
    /// True if it runs in the background: the trial's end stops it, and its exit code is ignored.
    pub background: bool,
}
