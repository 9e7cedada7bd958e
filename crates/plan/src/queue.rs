//! Queues in front of a line, and their drops and marks.

use serde::{Deserialize, Serialize};

/// A queue of packets that wait for serialization.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Queue {
    /// Its capacity.
    pub buffer: Buffer,
    /// Its discipline: which packet leaves next, and which is dropped or marked.
    pub discipline: Discipline,
    /// Additional marks by sojourn time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
}

/// Additional ECN marks of codel, fq_codel and fq (`ce_threshold`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Sojourn time above which ECN-capable packets are marked, ns.
    pub above: u64,
    /// True if only packets with ECT(1) are marked.
    pub ect1_alone: bool,
}

impl Queue {
    /// True if it marks ECN-capable packets.
    pub fn marks(&self) -> bool {
        self.discipline.marks() || self.mark.is_some()
    }
}

/// The capacity of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Buffer {
    /// Packets of any size.
    Packets(u32),
    /// Bytes of Ethernet frames without FCS.
    Bytes(u64),
}

/// A queue discipline and its parameters. Times in ns, sizes in bytes, as in its tc page.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Discipline {
    /// First in, first out; packets that do not fit are dropped.
    DropTail,
    /// tc-red(8)
    Red {
        /// Mean queue at which dropping or marking starts.
        min: u64,
        /// Mean queue at which `probability` is reached.
        max: u64,
        /// Probability of a drop or mark at `max`.
        probability: f64,
        /// True if ECN-capable packets are marked instead.
        ecn: bool,
    },
    /// tc-codel(8)
    Codel {
        /// Acceptable sojourn time.
        target: u64,
        /// Time for which it may be exceeded.
        interval: u64,
        /// True if ECN-capable packets are marked instead.
        ecn: bool,
    },
    /// tc-fq_codel(8)
    FqCodel {
        /// Acceptable sojourn time.
        target: u64,
        /// Time for which it may be exceeded.
        interval: u64,
        /// True if ECN-capable packets are marked instead.
        ecn: bool,
    },
    /// tc-pie(8)
    Pie {
        /// Target delay.
        target: u64,
        /// Time between updates of the probability.
        interval: u64,
        /// True if ECN-capable packets are marked instead.
        ecn: bool,
    },
    /// tc-cake(8) without its shaper; it marks every ECN-capable packet.
    Cake {
        /// Round-trip time for which it is tuned.
        rtt: u64,
    },
    /// tc-fq(8)
    Fq,
    /// Drop-tail that marks every ECN-capable packet that waited too long (codel's `ce_threshold`), as DCTCP needs it
    /// (RFC 8257, section 3.1).
    Threshold {
        /// Sojourn time above which packets are marked, ns.
        above: u64,
    },
    /// Two queues with coupled probabilities, one for scalable and one for classic senders (RFC 9332).
    #[serde(rename = "dualpi2")]
    DualPi2(DualPi2),
}

/// Parameters of dualpi2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DualPi2 {
    /// Target delay of the PI controller, ns.
    pub target: u64,
    /// Time between updates of the probability, ns.
    pub interval: u64,
    /// Integral gain, 1/256 Hz.
    pub alpha: u32,
    /// Proportional gain, 1/256 Hz.
    pub beta: u32,
    /// Threshold above which every packet of the L queue is marked.
    pub step: Step,
    /// k: the L queue's probability over the square root of the C queue's.
    pub coupling: u8,
    /// The C queue's share of the scheduler, per cent.
    pub protection: u8,
    /// True if an overload drops packets, false if it lets the queue overflow.
    pub drops: bool,
    /// True if packets are dropped on enqueue, false on dequeue.
    pub early: bool,
    /// True if ECT(0) goes to the L queue too.
    pub any_ect: bool,
}

/// dualpi2's marking threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Sojourn time, ns.
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
