//! A scene: the network, the traffic on it and what is recorded.

use super::family::Family;
use super::flow::{Flow, Transfer};
use super::host::{Host, Offloads, Stack};
use super::queue::{Buffer, Queue};
use super::record::Record;
use super::shared::Shared;
use super::trace::Trace;
use super::tunnel::Tunnel;
use serde::{Deserialize, Serialize};

/// The network, the traffic on it and what is recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// Hosts, switches and routers: each a network namespace.
    pub nodes: Shared<Node>,
    /// The links between them; switches make no loop.
    pub links: Shared<Link>,
    /// Routes that differ from the shortest way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub routes: Shared<Via>,
    /// Tunnels between routers.
    pub tunnels: Shared<Tunnel>,
    /// The IP of its nodes.
    #[serde(default, skip_serializing_if = "Family::is_ipv4")]
    pub family: Family,
    /// The flows, in the order of their numbers.
    pub flows: Vec<Flow>,
    /// The user's own commands, in the order written.
    pub commands: Shared<Command>,
    /// Files that commands write in the guest and the recording gets: paths under /tmp.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fetch: Shared<String>,
    /// What is recorded.
    pub record: Record,
}

impl Scene {
    /// Whether it is of real hosts, and a path that nobody built: it has no links.
    pub fn is_real(&self) -> bool {
        self.links.is_empty() && self.nodes.len() > 1
    }

    /// Keeps one copy of what both have.
    pub fn share(&mut self, other: &Scene) {
        self.nodes.share(&other.nodes);
        self.links.share(&other.links);
        self.routes.share(&other.routes);
        self.tunnels.share(&other.tunnels);
        self.commands.share(&other.commands);
        self.fetch.share(&other.fetch);
        self.flows.iter_mut().zip(&other.flows).for_each(|(own, other)| own.share(other));
    }

    /// Whether any node runs FreeBSD's stack.
    pub fn has_freebsd(&self) -> bool {
        self.nodes.iter().any(Node::is_freebsd)
    }

    /// Whether a node runs FreeBSD's stack.
    pub fn is_freebsd(&self, name: &str) -> bool {
        self.nodes.iter().any(|node| node.name == name && node.is_freebsd())
    }

    /// What a flow is called: by its name, else by its number; by both if it shares the name.
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

    /// What its connection is called in a diagnosis.
    pub fn connection(&self, number: usize) -> String {
        let flow = &self.flows[number];
        format!("{}, {} → {}", self.called(number), flow.from, flow.to)
    }

    /// Whether what a flow brings is sent on by the flow behind it: that one is the transfer's end.
    pub fn is_relayed(&self, number: usize) -> bool {
        self.flows.get(number + 1).is_some_and(|behind| behind.onward)
    }

    /// The flows that a name stands for: those that have it, or the one of that number, as in `flow 3`.
    pub fn flows_called(&self, name: &str) -> Vec<usize> {
        let number: Option<usize> = name.strip_prefix(FLOW_PREFIX).and_then(|number| number.parse().ok());
        let flows = self.flows.iter().enumerate();
        flows.filter(|(n, flow)| flow.name.as_deref() == Some(name) || number == Some(*n)).map(|(n, _)| n).collect()
    }

    /// Flows by their names, in the order in which these come first; all that have none are together.
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

    /// The names of its flows.
    pub fn flow_names(&self) -> Vec<Option<String>> {
        self.flows.iter().map(|flow| flow.name.clone()).collect()
    }

    /// What its recording hangs on: all but what its flows are called.
    pub fn recorded(&self) -> Scene {
        let nameless = |flow: &Flow| Flow::new(flow.start, Transfer { name: None, ..Transfer::clone(flow) });
        let flows = self.flows.iter().map(nameless);
        Scene { flows: flows.collect(), ..self.clone() }
    }
}

/// Prefix of a nameless flow's number; no name has it.
const FLOW_PREFIX: &str = "flow ";

/// Whether a flow can be called so: 1 to 40 letters, digits, blanks, `_`, `-`, `.` and `/` of ASCII, no blank at an end.
pub fn is_flow_name(name: &str) -> bool {
    let fits = |b: u8| b.is_ascii_alphanumeric() || b" _-./".contains(&b);
    let whole = (1..=40).contains(&name.len()) && name.trim() == name;
    whole && name.bytes().all(fits) && !name.to_ascii_lowercase().starts_with(FLOW_PREFIX)
}

/// Whether a file of the guest can be fetched: its path is /tmp/ and names of letters, digits, `_`, `-` and `.`, which none
/// begins with; 200 characters at most.
pub fn is_fetchable(path: &str) -> bool {
    let fits = |b: u8| b.is_ascii_alphanumeric() || b"_-.".contains(&b);
    let is_name = |name: &str| !name.is_empty() && !name.starts_with('.') && name.bytes().all(fits);
    path.len() <= 200 && path.strip_prefix("/tmp/").is_some_and(|path| path.split('/').all(is_name))
}

/// Whether it may be the name of a congestion control: TCP_CA_NAME_MAX in include/net/tcp.h is 16 with the final zero.
pub fn is_congestion(name: &str) -> bool {
    let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-';
    (1..=15).contains(&name.len()) && name.bytes().all(fits)
}

/// Where Linux has sysctls that each network namespace has for itself, and where FreeBSD has any.
const SYSCTL_ROOTS: &[&str] = &["net", "hw", "kern", "machdep"];

/// Whether it may be the name of a sysctl of a host's.
pub fn is_sysctl(name: &str) -> bool {
    let fits = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    let is_part = |part: &str| !part.is_empty() && part.bytes().all(fits);
    let family = name.split_once('.').map(|(family, _)| family);
    family.is_some_and(|family| SYSCTL_ROOTS.contains(&family)) && name.split('.').all(is_part)
}

/// The name of a fetched file in the trial's folder.
pub fn fetched(path: &str) -> String {
    format!("fetched-{}", path.rsplit('/').next().unwrap_or(path))
}

/// A machine on the network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Its name: the namespace's as well.
    pub name: String,
    /// What it does with packets.
    pub role: Role,
    /// What its network interfaces do with segments.
    pub offloads: Offloads,
    /// Settings under /proc/sys, in the order in which they are applied: name with dots, value.
    pub sysctls: Vec<(String, String)>,
}

impl Node {
    /// Whether it runs FreeBSD's stack.
    pub fn is_freebsd(&self) -> bool {
        matches!(&self.role, Role::Host(host) if host.stack == Stack::FreeBsd)
    }
}

/// What a node does with packets.
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
    /// Packet memory that all its ports share, bytes; `None` leaves each queue to itself.
    pub memory: Option<u64>,
}

/// An IP router.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Router {
    /// Whether it answers a packet that is too large with ICMP "fragmentation needed" (RFC 1191).
    pub icmp: bool,
    /// Whether it lowers the MSS of passing SYNs to what the route's MTU holds.
    pub clamp_mss: bool,
    /// Whether it puts its own address in the place of others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nat: Option<Nat>,
}

/// Network address translation of what leaves a router towards one of its neighbours (RFC 3022, 2.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nat {
    /// The neighbour: what leaves over the link to it gets the router's address there.
    pub outside: String,
    /// Whether each mapping gets a port by lot, rather than the sender's if that is free.
    pub random_ports: bool,
    /// Whether what comes from there without a mapping is dropped, rather than taken for the router's own.
    pub drops_unknown: bool,
    /// When all mappings are lost, ns.
    pub forgets: Vec<u64>,
}

/// Where a node sends packets for another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Via {
    /// The node that sends or forwards them.
    pub at: String,
    /// The node that they are for.
    pub to: String,
    /// A router on a network of the first.
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
    /// How packets are spread over the links with the same ends; `None` of a link that is alone.
    pub bond: Option<Bond>,
    /// How often the ends of a bond look whether its members have carrier, ns; `None` if they never do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub miimon: Option<u64>,
    /// When neither end has carrier, and for how long, ns: all packets are lost then (an outage of both lanes).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub down: Vec<(u64, u64)>,
    /// What a packet meets from the first end to the second.
    pub forward: Lane,
    /// What a packet meets from the second end to the first.
    pub backward: Lane,
}

/// Where a link ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// The node's name.
    pub node: String,
}

/// How a bond spreads packets (Linux bonding modes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bond {
    /// One after the other.
    BalanceRr,
    /// All over the first.
    ActiveBackup,
    /// By addresses and ports (`xmit_hash_policy layer3+4`), as 802.3ad does.
    BalanceXor,
}

/// One direction of a link. A packet meets the delay, then the stages; the queue stands at the port that sends if that
/// is a switch's or router's, else behind the stages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lane {
    /// Propagation delay, ns.
    pub delay: u64,
    /// Its variation.
    pub jitter: Option<Jitter>,
    /// What happens to packets in transit, in this order.
    pub stages: Vec<Stage>,
    /// Serialization rate, bits per second on the wire.
    pub rate: u64,
    /// Bytes on the wire beside each Ethernet frame as the kernel counts it (14-byte header, no FCS):
    /// 24 for FCS, preamble and inter-frame gap (IEEE 802.3).
    pub overhead: u32,
    /// What waits to be serialized; `None` if the sending host's own interface is the line.
    pub queue: Option<Queue>,
    /// What changes, in the order of time.
    pub changes: Vec<Change>,
    /// What its rate follows, whose mean `rate` is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_trace: Option<Trace>,
    /// What is added to its delay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_trace: Option<Trace>,
}

impl Lane {
    /// Every rate that it has, bits per second: the first, then those of its changes, and the bounds of what it follows.
    pub fn rates(&self) -> impl Iterator<Item = u64> + Clone {
        let followed = self.rate_trace.iter().flat_map(|trace| trace.range()).map(|rate| (rate as u64).max(1));
        [self.rate].into_iter().chain(self.changes.iter().filter_map(|change| change.rate)).chain(followed)
    }

    /// Every delay that it has, ns: the first, then those of its changes.
    pub fn delays(&self) -> impl Iterator<Item = u64> + Clone {
        [self.delay].into_iter().chain(self.changes.iter().filter_map(|change| change.delay))
    }
}

/// Variation of a delay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Jitter {
    /// Half the width of a uniform distribution, the standard deviation of any other; ns.
    pub by: u64,
    /// Its shape.
    pub distribution: Distribution,
    /// Whether a packet may overtake another.
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

/// What may happen to a packet in transit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Some are lost.
    Loss(Loss),
    /// All are lost for a while, again and again: when, and for how long; ns.
    Outages(Vec<(u64, u64)>),
    /// A bit of this share of the packets is flipped.
    Corrupt(f64),
    /// This share of the packets comes twice.
    Duplicate(f64),
    /// This share of the packets is held back.
    Reorder {
        /// Share of the packets.
        share: f64,
        /// For how long, ns.
        by: u64,
    },
    /// Packets of some lengths fare badly.
    Lengths {
        /// The shortest of them: bytes of the IP packet.
        from: u32,
        /// The longest of them.
        to: u32,
        /// What happens to them.
        effect: LengthEffect,
    },
    /// What comes faster than the tokens is dropped.
    Police {
        /// Bits per second of IP packets.
        rate: u64,
        /// Depth of the bucket, bytes.
        burst: u64,
    },
    /// What comes faster than the tokens waits.
    Shape {
        /// Bits per second of Ethernet frames.
        rate: u64,
        /// Depth of the bucket, bytes.
        burst: u64,
        /// How much may wait.
        buffer: Buffer,
    },
    /// Packets are collected and released together, as a shared medium does.
    Aggregate {
        /// Time from one release to the next, ns.
        every: u64,
        /// Released at once at most.
        packets: Option<u32>,
        /// Released at once at most.
        bytes: Option<u32>,
    },
}

/// Loss in transit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// Each packet is lost with this probability, independently.
    Random(f64),
    /// Every nth packet is lost, the nth being the first.
    Every(u32),
    /// These packets are lost; the first has the number 1.
    Packets(Vec<u32>),
    /// Two states, of which each has its loss (Gilbert 1960, Elliott 1963).
    GilbertElliott {
        /// From good to bad, per packet.
        p: f64,
        /// From bad to good, per packet.
        r: f64,
        /// Loss in the bad state (1-h).
        bad: f64,
        /// Loss in the good state (1-k).
        good: f64,
    },
}

/// What happens to packets of the wrong length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LengthEffect {
    /// They vanish.
    Drop,
    /// A bit of each is flipped.
    Corrupt,
    /// They are serialized at this rate, bits per second, behind one another.
    Slow(u64),
}

/// A change of a lane at a time; what is `None` stays.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// When, ns after the network is up.
    pub at: u64,
    /// Bits per second.
    pub rate: Option<u64>,
    /// Propagation delay, ns.
    pub delay: Option<u64>,
    /// Share of the packets lost at random.
    pub loss: Option<f64>,
}

/// A command of the user's own in a node's namespace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// The node's name.
    pub node: String,
    /// When it starts, ns after the network is up.
    pub at: u64,
    /// What `sh -c` is given.
    pub command: String,
    /// Whether it runs beside the flows and is ended with the trial, whatever it returns.
    pub background: bool,
}
