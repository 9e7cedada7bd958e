//! The plan: an experiment with every default filled in, one [`Trial`] per point of the sweep and seed.
//!
//! A plan is total: nothing in it is optional because it was not written, and whatever runs it needs no other file.
//! Times are nanoseconds of virtual time, rates bits per second, sizes bytes, unless a field says otherwise.

use serde::{Deserialize, Serialize};

/// Everything that a run needs; `plan.json` in the run's folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The version of goodput that resolved the plan.
    pub goodput: String,
    /// The experiment's title.
    pub title: String,
    /// The question that the experiment answers, as its author wrote it; may be empty.
    pub question: String,
    /// The experiment as it was written, byte for byte.
    pub spec: String,
    /// The name of the guest kernel, as `goodput kernel list` shows it.
    pub kernel: String,
    /// The keys that vary, in the order written, each with its values as text.
    pub vary: Vec<Axis>,
    /// One entry for each point of the grid and seed: all seeds of a point stand together.
    pub trials: Vec<Trial>,
    /// What must hold for the run to pass.
    pub expect: Vec<Expectation>,
    /// Published figures to stand beside ours.
    pub published: Vec<Published>,
}

/// One key that varies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axis {
    /// The key's path in the spec, such as `flows.congestion`.
    pub key: String,
    /// Its values as the report shows them.
    pub values: Vec<String>,
}

/// One run of one point with one seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Position in the plan, from 0; names the trial's folder.
    pub index: usize,
    /// The values of the varied keys at this point, in the order of [`Plan::vary`]; empty without a sweep.
    pub point: Vec<Setting>,
    /// Seeds the guest's random numbers and the jitter of the flows' starts.
    pub seed: u64,
    /// What is built and run.
    pub scene: Scene,
}

/// A key of the spec and its value as text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Setting {
    /// The key's path in the spec.
    pub key: String,
    /// Its value as text.
    pub value: String,
}

/// The network, the traffic on it and what is recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// The hosts, in the order of their addresses.
    pub hosts: Vec<Host>,
    /// The links between them.
    pub links: Vec<Link>,
    /// The flows, in the order of their numbers.
    pub flows: Vec<Flow>,
    /// What is recorded.
    pub record: Record,
}

/// An end host: a network namespace of its own with one network interface.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Host {
    /// Its name: the namespace's as well.
    pub name: String,
    /// Its IPv4 address; the network is a /24.
    pub address: std::net::Ipv4Addr,
    /// The interface's MTU, bytes.
    pub mtu: u32,
    /// The interface's line rate, bits per second; `None` sends without serialization delay.
    pub nic: Option<u64>,
    /// Settings under /proc/sys, in the order in which they are applied: name with dots, value.
    pub sysctls: Vec<(String, String)>,
}

/// A full-duplex link between two hosts, emulated in a namespace of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// Names of the two hosts.
    pub ends: [String; 2],
    /// What a packet meets from the first end to the second.
    pub forward: Lane,
    /// What a packet meets from the second end to the first.
    pub backward: Lane,
}

/// One direction of a link. A packet meets the delay, then the loss, then the queue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lane {
    /// Propagation delay, ns.
    pub delay: u64,
    /// Packets lost in transit.
    pub loss: Loss,
    /// Serialization rate, bits per second on the wire.
    pub rate: u64,
    /// Bytes on the wire beside each Ethernet frame as the kernel counts it (14-byte header, no FCS):
    /// 24 for FCS, preamble and inter-frame gap (IEEE 802.3).
    pub overhead: u32,
    /// How much may wait to be serialized.
    pub buffer: Buffer,
}

/// Loss in transit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// No packet is lost.
    None,
    /// Each packet is lost with this probability, independently.
    Random(f64),
    /// Every nth packet is lost, the nth being the first.
    Every(u32),
}

/// The capacity of a drop-tail queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Buffer {
    /// In packets of any size.
    Packets(u32),
    /// In bytes of Ethernet frames without FCS.
    Bytes(u64),
}

/// One TCP connection that carries bulk data from one host to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Flow {
    /// Name of the host that sends.
    pub from: String,
    /// Name of the host that receives.
    pub to: String,
    /// Congestion control at the sender, by its Linux name.
    pub congestion: String,
    /// When it connects, ns after the network is up.
    pub start: u64,
    /// When it ends.
    pub end: End,
    /// SO_SNDBUF, bytes as passed to setsockopt(2), which doubles them; `None` leaves autotuning on.
    pub send_buffer: Option<u32>,
    /// SO_RCVBUF, bytes as passed to setsockopt(2), which doubles them; `None` leaves autotuning on.
    pub receive_buffer: Option<u32>,
    /// TCP_MAXSEG at both ends, bytes; `None` leaves it to the MTU.
    pub mss: Option<u32>,
}

/// When a flow ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// After this long, ns from its start; the connection is then reset.
    Duration(u64),
    /// When the receiver has read this many bytes; the connection is then closed.
    Bytes(u64),
}

/// What is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Virtual time between two samples of flows and queues, ns.
    pub interval: u64,
    /// A row for each ACK that a sender receives.
    pub acks: bool,
    /// A row for each packet that the kernel drops, with its reason.
    pub drops: bool,
    /// Virtual time after which a trial whose flows have not ended is given up, ns.
    pub limit: u64,
}

/// A bound on a measure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// The measure's name, such as `goodput`.
    pub measure: String,
    /// The points it is about: those that have all these settings.
    pub at: Vec<Setting>,
    /// Smallest value that passes, in the measure's unit.
    pub at_least: Option<f64>,
    /// Largest value that passes, in the measure's unit.
    pub at_most: Option<f64>,
}

/// A figure that somebody published.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Published {
    /// Who measured it.
    pub source: String,
    /// The measure's name.
    pub measure: String,
    /// The points it is about: those that have all these settings.
    pub at: Vec<Setting>,
    /// The value in the measure's unit.
    pub value: f64,
}
