//! What a packet meets on a link.

use crate::plan::{Distribution, LengthEffect};
use toml::Spanned;

/// What a direction of a link does. [`crate::experiment::resolve`] says which of it holds for both directions.
#[derive(Debug, Default)]
pub struct Line {
    /// Bits per second; always there in [`super::Link::line`].
    pub rate: Option<Spanned<u64>>,
    /// Propagation delay forward and backward, ns.
    pub delay: Option<Spanned<[u64; 2]>>,
    /// The size of the queue.
    pub buffer: Option<Spanned<Buffer>>,
    /// Bytes on the wire beside each frame.
    pub overhead: Option<u64>,
    pub queue: Option<Spanned<Queue>>,
    pub loss: Option<Spanned<Loss>>,
    /// When nothing gets through.
    pub outages: Option<Vec<Outage>>,
    /// Share of the packets, in grains of [`evidence::unit::RATIO`].
    pub corrupt: Option<u64>,
    /// Share of the packets, in grains of [`evidence::unit::RATIO`].
    pub duplicate: Option<u64>,
    /// Packets that are held back; `Some(None)` is none, here and below.
    pub reorder: Option<Option<Reorder>>,
    /// Variation of the delay.
    pub jitter: Option<Spanned<Jitter>>,
    /// Packets of some lengths.
    pub lengths: Option<Option<Lengths>>,
    pub police: Option<Option<Bucket>>,
    pub shape: Option<Option<(Bucket, Spanned<Buffer>)>>,
    pub aggregate: Option<Option<Aggregate>>,
    /// What changes, in the order of time.
    pub changes: Option<Vec<Change>>,
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

/// An extent of a queue, in the unit written.
#[derive(Debug, Clone, Copy)]
pub enum Extent {
    /// So long, ns.
    Time(u64),
    /// As long as so many bytes on the wire take.
    Bytes(u64),
    /// As long as so many full packets take.
    Packets(u64),
}

/// The name of a queue discipline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Discipline {
    /// `drop-tail`
    DropTail,
    /// `red`
    Red,
    /// `codel`
    Codel,
    /// `fq_codel`
    FqCodel,
    /// `pie`
    Pie,
    /// `cake`
    Cake,
    /// `fq`
    Fq,
    /// `threshold`
    Threshold,
}

/// `queue`: the discipline and what it is told. A discipline has some of these keys.
#[derive(Debug, Clone)]
pub struct Queue {
    pub discipline: Discipline,
    /// Bytes.
    pub min: Option<Spanned<u64>>,
    /// Bytes.
    pub max: Option<Spanned<u64>>,
    /// In grains of [`evidence::unit::RATIO`].
    pub probability: Option<u64>,
    /// ns
    pub target: Option<u64>,
    /// ns
    pub interval: Option<u64>,
    /// ns
    pub rtt: Option<u64>,
    /// Whether it marks instead of dropping.
    pub ecn: Option<bool>,
    /// What is marked; always there of [`Discipline::Threshold`].
    pub above: Option<Spanned<Extent>>,
}

/// `loss`; shares in grains of [`evidence::unit::RATIO`].
#[derive(Debug, Clone)]
pub enum Loss {
    /// A share of the packets.
    Random(u64),
    Every(u64),
    /// The packets of these numbers.
    Packets(Vec<u64>),
    /// Gilbert and Elliott's two states.
    GilbertElliott {
        p: u64,
        r: u64,
        /// Loss in the bad state.
        bad: Option<u64>,
        /// Loss in the good state.
        good: Option<u64>,
    },
    /// Everything, for a while at each of these times.
    Bursts(Vec<Outage>),
}

/// A time in which nothing gets through.
#[derive(Debug, Clone)]
pub struct Outage {
    /// When, ns.
    pub at: Spanned<u64>,
    /// For how long, ns.
    pub lasts: u64,
}

/// `reorder`
#[derive(Debug)]
pub struct Reorder {
    /// In grains of [`evidence::unit::RATIO`].
    pub share: u64,
    /// How far they are held back.
    pub by: Spanned<Extent>,
}

/// `jitter`
#[derive(Debug)]
pub struct Jitter {
    /// ns
    pub by: u64,
    pub distribution: Option<Distribution>,
    /// Whether packets may overtake.
    pub reorder: Option<bool>,
}

/// `lengths`
#[derive(Debug)]
pub struct Lengths {
    /// Bytes.
    pub from: u64,
    /// Bytes.
    pub to: u64,
    /// What happens to them.
    pub effect: LengthEffect,
}

#[derive(Debug)]
pub struct Bucket {
    /// Bits per second.
    pub rate: u64,
    /// Bytes.
    pub burst: Spanned<u64>,
}

/// `aggregate`
#[derive(Debug)]
pub struct Aggregate {
    /// ns
    pub every: u64,
    /// At once at most.
    pub packets: Option<u64>,
    /// At once at most.
    pub bytes: Option<Spanned<u64>>,
}

/// An element of `changes`.
#[derive(Debug)]
pub struct Change {
    /// When, ns.
    pub at: u64,
    /// Bits per second.
    pub rate: Option<u64>,
    /// Forward and backward, ns.
    pub delay: Option<[u64; 2]>,
    /// In grains of [`evidence::unit::RATIO`], with its place.
    pub loss: Option<Spanned<u64>>,
}
