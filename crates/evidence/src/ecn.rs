//! ECN of a connection: what its ends agreed on, how packets were marked, and what was fed back (RFC 3168, RFC 9768).

use serde::Serialize;
use std::ops::Add;

/// The way a receiver feeds marks back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Feedback {
    /// No feedback: packets are dropped instead of marked.
    None,
    /// ECE until CWR answers it: one signal a round trip (RFC 3168, 6.1).
    Classic,
    /// AccECN: counters of packets and bytes (RFC 9768).
    #[serde(rename = "accecn")]
    Accurate,
}

/// The ECN field of an IP header (RFC 3168, 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Codepoint {
    NotEct,
    Ect1,
    Ect0,
    Ce,
}

impl Codepoint {
    /// Returns the codepoint of the field's two bits.
    pub fn from_bits(bits: u8) -> Codepoint {
        [Codepoint::NotEct, Codepoint::Ect1, Codepoint::Ect0, Codepoint::Ce][usize::from(bits & 3)]
    }

    /// Returns the name that RFCs use.
    pub fn word(self) -> &'static str {
        match self {
            Codepoint::NotEct => "Not-ECT",
            Codepoint::Ect1 => "ECT(1)",
            Codepoint::Ect0 => "ECT(0)",
            Codepoint::Ce => "CE",
        }
    }
}

/// The ECN field of a handshake packet: at the capture, and at its arrival as the other end fed it back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Transit {
    pub captured: Codepoint,
    pub arrived: Codepoint,
}

impl Transit {
    /// True if the path changed the field as no router may (RFC 3168, 18; RFC 9768, 3.2.2.3).
    pub fn is_mangled(self) -> bool {
        use Codepoint::{Ce, NotEct};
        let Transit { captured, arrived } = self;
        captured != arrived && (captured == NotEct || arrived == NotEct || captured == Ce)
    }
}

/// Packet counts by ECN field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Codepoints {
    pub not_ect: u64,
    pub ect1: u64,
    pub ect0: u64,
    pub ce: u64,
}

impl Add for Codepoints {
    type Output = Codepoints;

    fn add(self, other: Codepoints) -> Codepoints {
        Codepoints {
            not_ect: self.not_ect + other.not_ect,
            ect1: self.ect1 + other.ect1,
            ect0: self.ect0 + other.ect0,
            ce: self.ce + other.ce,
        }
    }
}

impl Codepoints {
    /// Adds packets with one codepoint.
    pub fn count(&mut self, codepoint: Codepoint, packets: u64) {
        *match codepoint {
            Codepoint::NotEct => &mut self.not_ect,
            Codepoint::Ect1 => &mut self.ect1,
            Codepoint::Ect0 => &mut self.ect0,
            Codepoint::Ce => &mut self.ce,
        } += packets;
    }

    pub fn all(&self) -> u64 {
        self.not_ect + self.ect()
    }

    /// Returns the packets of an ECN-capable transport, marked or not.
    pub fn ect(&self) -> u64 {
        self.ect1 + self.ect0 + self.ce
    }
}

/// Feedback that an AccECN sender received on its data (RFC 9768, 3.2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Heard {
    /// Packets that arrived with CE, least and most: the three-bit counter is ambiguous if one acknowledgment covers
    /// more than seven packets. `None` if its bits never came.
    pub marked: Option<[u64; 2]>,
    /// Payload that arrived, by codepoint, bytes; `None` without the AccECN option.
    pub bytes: Option<Echoed>,
}

/// Counters of the AccECN option (RFC 9768, 3.2.3), less their initial values, bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Echoed {
    pub ect1: u64,
    pub ect0: u64,
    pub ce: u64,
}

impl Echoed {
    pub fn all(&self) -> u64 {
        self.ect1 + self.ect0 + self.ce
    }
}

/// ECN negotiation and counts of one connection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Ecn {
    /// Feedback that the first SYN asked for.
    pub asked: Option<Feedback>,
    /// Feedback that the ends agreed on.
    pub agreed: Option<Feedback>,
    /// Whether an end gave up ECN because its first SYN or SYN-ACK was not answered.
    pub withdrawn: bool,
    pub syn: Option<Transit>,
    pub syn_ack: Option<Transit>,
    /// Segments with payload in the data's direction, at the capture.
    pub data: Option<Codepoints>,
    /// Packets in the other direction, without SYNs.
    pub back: Option<Codepoints>,
    /// Acknowledgments with ECE (classic feedback).
    pub ece: Option<u64>,
    /// Packets with payload and CWR (classic feedback): the sender lowered cwnd once for each (RFC 3168, 6.1.2).
    pub cwr: Option<u64>,
    /// Feedback by AccECN.
    pub heard: Option<Heard>,
}

impl Ecn {
    /// True if the sender marks its packets as a scalable congestion control does, with ECT(1) (RFC 9331, 4.1); `None`
    /// if none of its packets is known to be ECN-capable.
    pub fn is_l4s(&self) -> Option<bool> {
        let sent = self.data.map(|data| [data.ect1, data.ect0]);
        let arrived = || self.heard?.bytes.map(|bytes| [bytes.ect1, bytes.ect0]);
        let [ect1, ect0] = sent.filter(|sent| *sent != [0, 0]).or_else(arrived)?;
        (ect1 + ect0 > 0).then_some(ect1 > ect0)
    }
}
