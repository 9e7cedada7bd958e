//! What iperf3 and iperf print of a run. A figure keeps the resolution with which it was printed.

use serde::Serialize;
use std::str::FromStr;

/// A number with the resolution with which it was printed: `4.56 Mbits/sec` stands for 4.555 to 4.565 Mbit/s.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Reading {
    /// The number, in the unit of its field.
    pub value: f64,
    /// Half of one step of the last digit printed, in the same unit; 0 where all digits are given, as in JSON.
    pub half_width: f64,
}

impl Reading {
    /// A number that is given in full.
    pub const fn exact(value: f64) -> Reading {
        Reading { value, half_width: 0.0 }
    }
}

impl std::ops::Add for Reading {
    type Output = Reading;

    /// The half-widths add as well: roundings may all go the same way.
    fn add(self, other: Reading) -> Reading {
        Reading { value: self.value + other.value, half_width: self.half_width + other.half_width }
    }
}

impl std::ops::Mul<f64> for Reading {
    type Output = Reading;

    fn mul(self, by: f64) -> Reading {
        Reading { value: self.value * by, half_width: self.half_width * by }
    }
}

/// One direction of one run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Listing {
    /// The line of the file on which it begins, from 1.
    pub line: usize,
    /// The program that printed it.
    pub program: Program,
    /// The command line, without what stands before and after it.
    pub command: Option<String>,
    /// What the program said that went wrong.
    pub error: Option<String>,
    /// The hosts of its first stream as they are printed: the end that prints, and the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hosts: Option<[String; 2]>,
    pub protocol: Option<Protocol>,
    /// From which end data flowed.
    pub direction: Option<Direction>,
    /// The sender's congestion control: as the program read it back, else as the command asked for it.
    pub congestion: Option<String>,
    /// Seconds that were asked for.
    pub duration: Option<f64>,
    /// Seconds at the start that the figures leave out (`-O`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omit: Option<f64>,
    /// Bits per second that were asked for of each stream (`-b`); `None` of as many as there are.
    pub target: Option<f64>,
    /// Bytes of a segment, as the socket told or as the command set it.
    pub mss: Option<u32>,
    /// Bytes of each write.
    pub block: Option<u64>,
    /// Bytes of the socket buffers that were asked for (`-w`).
    pub asked: Option<u64>,
    /// Round-trip time of the handshake, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handshake: Option<f64>,
    /// Processor time over the run, as shares of one processor.
    pub processors: Option<Processors>,
    /// The flows, by rising number; empty for a run that failed before it sent.
    pub streams: Vec<Stream>,
    /// The rows of the sum over all streams, as printed.
    pub sum: Counts,
    /// Rows of a later table that count streams again from the receiver's end alone. Which run they are of is not said,
    /// so nothing is computed from them.
    pub apart: Vec<Stream>,
}

/// A program whose output is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Program {
    /// iperf3, <https://github.com/esnet/iperf>.
    Iperf3,
    /// iperf 2, <https://sourceforge.net/projects/iperf2>.
    Iperf2,
}

/// A transport protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Protocol {
    Tcp,
    Udp,
    Sctp,
}

impl FromStr for Protocol {
    type Err = ();

    /// As iperf3 writes it.
    fn from_str(name: &str) -> Result<Protocol, ()> {
        match name.trim() {
            "TCP" => Ok(Protocol::Tcp),
            "UDP" => Ok(Protocol::Udp),
            "SCTP" => Ok(Protocol::Sctp),
            _ => Err(()),
        }
    }
}

/// From which end data flowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Direction {
    /// From the client, which connects, to the server.
    Forward,
    /// From the server: `-R`, and one half of `--bidir`.
    Backward,
}

/// Processor time over the run, as shares of one processor; the end that printed is the local one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Processors {
    /// Of the end that printed the listing.
    pub local: f64,
    /// Of the other end, if it reported.
    pub remote: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stream {
    /// Its number in brackets: the socket.
    pub id: u32,
    /// What was counted of it.
    pub counts: Counts,
}

/// What was counted of a flow, or of all flows together.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Counts {
    /// Over the whole run, by the sender.
    pub sender: Option<Period>,
    /// Over the whole run, by the receiver.
    pub receiver: Option<Period>,
    /// Piece by piece, by the end that printed the listing.
    pub intervals: Vec<Period>,
}

/// What was counted over a time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Period {
    /// Seconds since the start of the run.
    pub start: Reading,
    /// Seconds since the start of the run.
    pub end: Reading,
    /// Whether it belongs to the time that `-O` leaves out of the totals.
    pub omitted: bool,
    /// Seconds before it, at the end of the time that `-O` leaves out, of which no interval was printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<f64>,
    /// Payload bytes.
    pub bytes: Option<Reading>,
    /// Bits per second of payload.
    pub rate: Option<Reading>,
    /// Segments that the sender sent again.
    pub retransmits: Option<u64>,
    /// The congestion window at the end of the period, in bytes.
    pub cwnd: Option<Reading>,
    /// The smoothed round-trip time at the end of the period, in seconds.
    pub rtt: Option<f64>,
    /// Its mean deviation then, in seconds.
    pub rttvar: Option<f64>,
    /// The least of them, of a total.
    pub rtt_min: Option<f64>,
    /// The receiver's window at the end of the period, in bytes.
    pub window: Option<f64>,
    /// Payload that was sent and not acknowledged at the end of the period, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_flight: Option<f64>,
    /// How long the receiver's window kept the sender from sending, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<f64>,
    /// Datagrams of UDP: sent, or counted by the receiver with those that it missed.
    pub datagrams: Option<u64>,
    /// Datagrams that the receiver missed.
    pub lost: Option<u64>,
    /// The receiver's estimate of the jitter (RFC 3550, 6.4.1), in seconds.
    pub jitter: Option<Reading>,
}

impl Period {
    /// A time of which nothing is known yet.
    pub(crate) fn new(start: Reading, end: Reading) -> Period {
        Period {
            start,
            end,
            omitted: false,
            skipped: None,
            bytes: None,
            rate: None,
            retransmits: None,
            cwnd: None,
            rtt: None,
            rttvar: None,
            rtt_min: None,
            window: None,
            in_flight: None,
            held: None,
            datagrams: None,
            lost: None,
            jitter: None,
        }
    }

    /// What a sender can tell: it is printed with losses and jitter of 0.
    pub(crate) fn by_sender(self) -> Period {
        Period { lost: None, jitter: None, ..self }
    }
}

impl Listing {
    /// Whether it may be of the same path in the same direction: nothing tells that it is not.
    pub fn may_be_beside(&self, other: &Listing) -> bool {
        let same_way = self.direction.zip(other.direction).is_none_or(|(a, b)| a == b);
        let same_hosts = self.hosts.as_ref().zip(other.hosts.as_ref()).is_none_or(|(a, b)| a == b);
        same_way && same_hosts
    }

    /// Whether the run was cut off: it has periods, and no total.
    pub fn is_cut_off(&self) -> bool {
        let counts = || self.streams.iter().map(|stream| &stream.counts).chain([&self.sum]);
        let total = |counts: &Counts| counts.sender.is_some() || counts.receiver.is_some();
        !counts().any(total) && counts().any(|counts| !counts.intervals.is_empty())
    }
}
