//! The experiment as a person wrote it: every value with its place, and nothing filled in.

use crate::plan::End;
use toml::Spanned;

/// What the points of a sweep have in common.
#[derive(Debug)]
pub struct Experiment {
    /// What it is about.
    pub title: String,
    /// The question that it answers.
    pub question: Option<String>,
    /// The guest kernel, if not the one that the caller names.
    pub kernel: Option<String>,
    /// The sweep, in the order written.
    pub vary: Vec<Axis>,
    /// The replicates.
    pub repeat: Repeat,
    /// What must hold.
    pub expect: Vec<Expect>,
    /// What others measured.
    pub published: Vec<Published>,
}

/// What may vary from point to point.
#[derive(Debug)]
pub struct Setup {
    /// The path from sender to receiver.
    pub path: Path,
    /// Both hosts, then each for itself.
    pub hosts: Hosts,
    /// The flows, each standing for [`Flow::count`] connections.
    pub flows: Vec<Flow>,
    /// What is recorded.
    pub record: Record,
}

/// `[path]`.
#[derive(Debug)]
pub struct Path {
    /// Bits per second.
    pub rate: Spanned<u64>,
    /// Round-trip time without queues, ns.
    pub rtt: Spanned<u64>,
    /// The queue in each direction.
    pub buffer: Spanned<Buffer>,
    /// Loss on the way to the receiver.
    pub loss: Option<Loss>,
    /// Bytes.
    pub mtu: Option<u64>,
    /// Bytes on the wire beside each frame.
    pub overhead: Option<u64>,
}

/// The size of a queue in the unit written.
#[derive(Debug, Clone, Copy)]
pub enum Buffer {
    /// Packets of any size.
    Packets(u32),
    /// Bytes.
    Bytes(u64),
    /// Millionths of the bandwidth-delay product.
    Bdp(u64),
}

/// Loss in transit.
#[derive(Debug, Clone, Copy)]
pub enum Loss {
    /// A share of the packets, in grains of [`crate::unit::RATIO`].
    Random(u64),
    /// Every nth packet.
    Every(u64),
}

/// `[hosts]`.
#[derive(Debug)]
pub struct Hosts {
    /// For both hosts.
    pub both: Host,
    /// For the sender alone.
    pub sender: Host,
    /// For the receiver alone.
    pub receiver: Host,
}

/// What a host may be told.
#[derive(Debug)]
pub struct Host {
    /// Line rate, bits per second; `Some(None)` is unlimited.
    pub nic: Option<Option<u64>>,
    /// Names and values, in the order written.
    pub sysctls: Vec<(String, String)>,
}

/// `[[flows]]`.
#[derive(Debug)]
pub struct Flow {
    /// Congestion control.
    pub congestion: Option<String>,
    /// How many connections.
    pub count: Option<u64>,
    /// When it starts, ns.
    pub start: Option<u64>,
    /// When it ends.
    pub end: End,
    /// SO_SNDBUF; `None` leaves autotuning on.
    pub send_buffer: Option<u32>,
    /// SO_RCVBUF; `None` leaves autotuning on.
    pub receive_buffer: Option<u32>,
    /// TCP_MAXSEG.
    pub mss: Option<Spanned<u64>>,
}

/// One key of `[vary]`.
#[derive(Debug)]
pub struct Axis {
    /// Its path in the spec.
    pub key: Spanned<String>,
    /// Its values as the report shows them.
    pub values: Vec<Spanned<String>>,
}

/// `[repeat]`.
#[derive(Debug)]
pub struct Repeat {
    /// How many seeds.
    pub seeds: Option<u64>,
    /// How far the starts of the flows may move apart, ns.
    pub spread: Option<u64>,
}

/// `[record]`.
#[derive(Debug)]
pub struct Record {
    /// Between two samples, ns.
    pub interval: Option<u64>,
    /// A row for each ACK.
    pub acks: Option<bool>,
    /// A row for each drop.
    pub drops: Option<bool>,
    /// When a trial is given up, ns.
    pub limit: Option<Spanned<u64>>,
}

/// `[[expect]]`.
#[derive(Debug)]
pub struct Expect {
    /// The measure's name.
    pub measure: &'static str,
    /// The points it is about.
    pub at: At,
    /// Smallest value, in the measure's unit.
    pub at_least: Option<f64>,
    /// Largest value, in the measure's unit.
    pub at_most: Option<f64>,
}

/// `[[published]]`.
#[derive(Debug)]
pub struct Published {
    /// Who measured it.
    pub source: String,
    /// The measure's name.
    pub measure: &'static str,
    /// The points it is about.
    pub at: At,
    /// In the measure's unit.
    pub value: f64,
}

/// `where`: keys of the sweep and values.
pub type At = Vec<(Spanned<String>, Spanned<String>)>;
