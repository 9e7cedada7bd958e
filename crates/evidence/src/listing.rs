//! A run as iperf3 or iperf printed it. Figures keep the resolution with which they were printed.

use serde::Serialize;
use std::str::FromStr;

/// A number with its printed resolution: `4.56 Mbits/sec` means 4.555 to 4.565 Mbit/s.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Reading {
    /// The number, in the unit of its field.
    pub value: f64,
    /// Half a step of the last printed digit, in the same unit; 0 if all digits are given, as in JSON.
    pub half_width: f64,
}

impl Reading {
    /// Returns a number that is given in full.
    pub const fn exact(value: f64) -> Reading {
        Reading { value, half_width: 0.0 }
    }
}

impl std::ops::Add for Reading {
    type Output = Reading;

    /// Adds the half-widths too: roundings may all go the same way.
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
    /// Line of the file on which it begins, from 1.
    pub line: usize,
    /// The program that printed it.
    pub program: Program,
    /// Command line, without the text around it.
    pub command: Option<String>,
    /// Version of the program: `3.10.1`, `2.1.9`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The host that printed it, as its kernel names itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// Time of day at which it began, seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<f64>,
    /// Error message of the program.
    pub error: Option<String>,
    /// Its warnings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Hosts of the first stream as printed: the end that prints, and the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hosts: Option<[String; 2]>,
    pub protocol: Option<Protocol>,
    /// Direction of the data.
    pub direction: Option<Direction>,
    /// Sender's congestion control, as the program read it back, else as the command asked for it.
    pub congestion: Option<String>,
    /// Requested duration, seconds.
    pub duration: Option<f64>,
    /// Time at the start that the figures leave out (`-O`), seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omit: Option<f64>,
    /// Requested rate of each stream (`-b`), bit/s; `None` without a cap.
    pub target: Option<f64>,
    /// MSS, as the socket reported it or as the command set it, bytes.
    pub mss: Option<u32>,
    /// Size of each write, bytes.
    pub block: Option<u64>,
    /// Requested size of the socket buffers (`-w`), bytes.
    pub asked: Option<u64>,
    /// Sizes of send and receive buffer at the start, as the socket told them, bytes. A buffer that nobody asked for
    /// grows from there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffers: Option<[Option<u64>; 2]>,
    /// Whether the command turned Nagle's algorithm off (`-N`).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub nodelay: bool,
    /// Round-trip time of the handshake, seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handshake: Option<f64>,
    /// Processor time over the run, as shares of one processor.
    pub processors: Option<Processors>,
    /// Streams, by rising number; empty for a run that failed before it sent.
    pub streams: Vec<Stream>,
    /// Sums over all streams, as printed.
    pub sum: Counts,
    /// Rows of a later table that counts streams again, from the receiver's end alone. It does not say which run they
    /// belong to, so nothing is computed from them.
    pub apart: Vec<Stream>,
}

/// A program that prints listings.
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

    /// Reads the name as iperf3 writes it.
    fn from_str(name: &str) -> Result<Protocol, ()> {
        match name.trim() {
            "TCP" => Ok(Protocol::Tcp),
            "UDP" => Ok(Protocol::Udp),
            "SCTP" => Ok(Protocol::Sctp),
            _ => Err(()),
        }
    }
}

/// Direction of the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Direction {
    /// Client, which connects, to server.
    Forward,
    /// Server to client: `-R`, and one half of `--bidir`.
    Backward,
}

/// Processor time of both ends over the run, as shares of one processor.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Processors {
    /// End that printed the listing.
    pub local: f64,
    /// Other end, if it reported.
    pub remote: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stream {
    /// Number in brackets: the socket.
    pub id: u32,
    /// Counts of this stream.
    pub counts: Counts,
}

/// Counts of one stream, or of all streams together.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Counts {
    /// Whole run, counted by the sender.
    pub sender: Option<Period>,
    /// Whole run, counted by the receiver.
    pub receiver: Option<Period>,
    /// Intervals, counted by the end that printed the listing.
    pub intervals: Vec<Period>,
}

/// Counts over a period.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Period {
    /// Seconds since the start of the run.
    pub start: Reading,
    /// Seconds since the start of the run.
    pub end: Reading,
    /// Whether it lies in the time that `-O` leaves out of the totals.
    pub omitted: bool,
    /// Time just before it without a printed interval, at the end of the time that `-O` leaves out, seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<f64>,
    /// Payload, bytes.
    pub bytes: Option<Reading>,
    /// Payload rate, bit/s.
    pub rate: Option<Reading>,
    /// Segments that the sender retransmitted.
    pub retransmits: Option<u64>,
    /// Congestion window at the end of the period, bytes.
    pub cwnd: Option<Reading>,
    /// Smoothed RTT at the end of the period, seconds.
    pub rtt: Option<f64>,
    /// Mean deviation of the RTT at the end of the period, seconds.
    pub rttvar: Option<f64>,
    /// Minimum RTT, seconds; only in a total.
    pub rtt_min: Option<f64>,
    /// Receive window at the end of the period, bytes.
    pub window: Option<f64>,
    /// Payload sent and not acknowledged at the end of the period, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_flight: Option<f64>,
    /// Time that the receive window kept the sender from sending, seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<f64>,
    /// UDP datagrams: sent, or counted by the receiver including those that it missed.
    pub datagrams: Option<u64>,
    /// Datagrams that the receiver missed.
    pub lost: Option<u64>,
    /// Receiver's estimate of the jitter (RFC 3550, 6.4.1), seconds.
    pub jitter: Option<Reading>,
}

impl Period {
    /// Returns a period without counts.
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

    /// Drops losses and jitter: a sender cannot know them, and prints them as 0.
    pub(crate) fn by_sender(self) -> Period {
        Period { lost: None, jitter: None, ..self }
    }
}

/// First version of iperf3 that has a thread for each stream; those before have one for all.
const FIRST_WITH_THREADS: [u32; 2] = [3, 16];

impl Listing {
    /// Returns the number of threads that serve its streams, if the version tells. iperf 2 has one for each.
    pub fn threads(&self) -> Option<usize> {
        let version = self.version.as_deref()?;
        let mut numbers = version.split(|c: char| !c.is_ascii_digit()).map_while(|number| number.parse::<u32>().ok());
        let version = [numbers.next()?, numbers.next()?];
        let each = self.program == Program::Iperf2 || version >= FIRST_WITH_THREADS;
        Some(if each { self.streams.len().max(1) } else { 1 })
    }

    /// True if both may be of the same path in the same direction: direction and hosts are equal or unknown.
    pub fn may_be_beside(&self, other: &Listing) -> bool {
        let same_way = self.direction.zip(other.direction).is_none_or(|(a, b)| a == b);
        let same_hosts = self.hosts.as_ref().zip(other.hosts.as_ref()).is_none_or(|(a, b)| a == b);
        same_way && same_hosts
    }

    /// True if the run was cut off: it has intervals and no total.
    pub fn is_cut_off(&self) -> bool {
        let counts = || self.streams.iter().map(|stream| &stream.counts).chain([&self.sum]);
        let total = |counts: &Counts| counts.sender.is_some() || counts.receiver.is_some();
        !counts().any(total) && counts().any(|counts| !counts.intervals.is_empty())
    }
}
