//! What waits in front of a line, and what is dropped or marked of it.

use serde::{Deserialize, Serialize};

/// What waits to be serialized.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Queue {
    /// How much may wait.
    pub buffer: Buffer,
    /// Which packet leaves next, and which is dropped or marked.
    pub discipline: Discipline,
    /// What is marked beside that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
}

/// The marks of codel, fq_codel and fq beside their own (`ce_threshold`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// ECN-capable packets that waited longer than this, ns.
    pub above: u64,
    /// Whether of these only those with ECT(1).
    pub ect1_alone: bool,
}

impl Queue {
    /// Whether it marks instead of dropping.
    pub fn marks(&self) -> bool {
        self.discipline.marks() || self.mark.is_some()
    }
}

/// The capacity of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Buffer {
    /// In packets of any size.
    Packets(u32),
    /// In bytes of Ethernet frames without FCS.
    Bytes(u64),
}

/// A queue discipline and what it is told. Times in ns, sizes in bytes, as of the tc page of its name.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Discipline {
    /// First in, first out; what does not fit is dropped.
    DropTail,
    /// tc-red(8)
    Red {
        /// Mean queue from which packets are dropped or marked.
        min: u64,
        /// Mean queue from which `probability` holds.
        max: u64,
        /// Of a drop or mark at `max`.
        probability: f64,
        /// Whether ECN-capable packets are marked instead.
        ecn: bool,
    },
    /// tc-codel(8)
    Codel {
        /// Sojourn that is acceptable.
        target: u64,
        /// Time that it may be exceeded.
        interval: u64,
        /// Whether ECN-capable packets are marked instead.
        ecn: bool,
    },
    /// tc-fq_codel(8)
    FqCodel {
        /// Sojourn that is acceptable.
        target: u64,
        /// Time that it may be exceeded.
        interval: u64,
        /// Whether ECN-capable packets are marked instead.
        ecn: bool,
    },
    /// tc-pie(8)
    Pie {
        /// Delay that is aimed at.
        target: u64,
        /// Between two updates of the probability.
        interval: u64,
        /// Whether ECN-capable packets are marked instead.
        ecn: bool,
    },
    /// tc-cake(8) without its shaper; it marks whatever is ECN-capable.
    Cake {
        /// The round-trip time for which it is tuned.
        rtt: u64,
    },
    /// tc-fq(8)
    Fq,
    /// Drop-tail that marks each ECN-capable packet that waited longer than this (codel's `ce_threshold`), as DCTCP
    /// wants it (RFC 8257, section 3.1).
    Threshold {
        /// Sojourn, ns.
        above: u64,
    },
    /// A queue for scalable senders beside one for classic ones, whose probabilities are coupled (RFC 9332).
    #[serde(rename = "dualpi2")]
    DualPi2(DualPi2),
}

/// What dualpi2 is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DualPi2 {
    /// Delay that the PI controller aims at, ns.
    pub target: u64,
    /// Between two updates of the probability, ns.
    pub interval: u64,
    /// Integral gain, 1/256 Hz.
    pub alpha: u32,
    /// Proportional gain, 1/256 Hz.
    pub beta: u32,
    /// From when on each packet of the L queue is marked.
    pub step: Step,
    /// k: the L queue's probability over the square root of the C queue's.
    pub coupling: u8,
    /// The C queue's share of the scheduler, per cent.
    pub protection: u8,
    /// Whether an overload drops packets, or lets the queue overflow.
    pub drops: bool,
    /// Whether packets are dropped when they come, or when they leave.
    pub early: bool,
    /// Whether ECT(0) goes to the L queue too.
    pub any_ect: bool,
}

/// Where dualpi2's step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Sojourn, ns.
    Time(u64),
    /// Packets in the L queue.
    Packets(u32),
}

impl Discipline {
    fn marks(&self) -> bool {
        match *self {
            Discipline::DropTail | Discipline::Fq => false,
            Discipline::Red { ecn, .. }
            | Discipline::Codel { ecn, .. }
            | Discipline::FqCodel { ecn, .. }
            | Discipline::Pie { ecn, .. } => ecn,
            Discipline::Cake { .. } | Discipline::Threshold { .. } | Discipline::DualPi2(_) => true,
        }
    }
}
