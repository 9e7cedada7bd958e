//! A TCP connection, as far as it was observed.

use crate::Place;
use crate::ecn::Ecn;
use crate::headers::Ip;
use serde::Serialize;
use std::net::IpAddr;

/// Where a connection was observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Seen {
    /// At the end that sends most of the data: its own counters, or a capture before the path.
    Sender,
    /// At the end that receives it.
    Receiver,
    Both,
}

/// What observed a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    Iperf3,
    /// iperf 2.
    Iperf,
    Nuttcp,
    Ndt,
    /// Linux' `ss`, in screens: the connection may have run for a while at the first.
    Ss,
    /// FreeBSD's log of packets.
    Siftr,
    /// A capture of packets.
    Capture,
    /// The laboratory's recording.
    Laboratory,
}

impl Source {
    /// Whether a version of iperf printed it.
    pub fn is_iperf(self) -> bool {
        matches!(self, Source::Iperf3 | Source::Iperf)
    }
}

/// A TCP connection, or what is known of one direction of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Connection {
    pub place: Place,
    pub source: Source,
    /// Its addresses, or its number in a listing.
    pub name: String,
    /// The addresses of sender and receiver.
    pub ends: Option<[IpAddr; 2]>,
    /// Runs of the same listing or capture share a number: connections at the same time over the same path.
    pub group: usize,
    /// Where it was watched.
    pub seen: Seen,
    /// The sender's congestion control.
    pub congestion: Option<String>,
    /// When it began and ended, seconds since the source's own zero.
    pub span: Option<[f64; 2]>,
    /// How long it sent before its span, seconds: the time that iperf3 `-O` omits. Points in it have times up to 0.
    #[serde(skip_serializing_if = "is_nothing")]
    pub omitted: f64,
    /// Payload that arrived or was acknowledged, bytes.
    pub bytes: Option<f64>,
    /// Payload that arrived per second over the span, bit/s.
    pub goodput: Option<f64>,
    /// Rate that the application was told to keep to, bit/s.
    pub target: Option<f64>,
    /// Socket buffers that the application asked for, bytes.
    pub asked: Option<f64>,
    /// Whether the bytes of points are what the sender's program wrote, which is ahead of what arrived by a send buffer.
    pub written: bool,
    /// Payload of a full segment, bytes: as the sender uses it.
    pub mss: Option<f64>,
    /// The largest MSS that the other end accepts (RFC 9293, 3.7.1), bytes.
    pub advmss: Option<f64>,
    /// The sender's path MTU, bytes.
    pub pmtu: Option<f64>,
    /// Segments with payload that were sent, retransmissions among them.
    pub segments_sent: Option<f64>,
    /// Segments that were sent again.
    pub retransmitted: Option<f64>,
    /// Spurious retransmissions (RFC 2883), segments.
    pub spurious: Option<f64>,
    /// How often the sender saw reordering.
    pub reordered: Option<f64>,
    /// The segment that never arrives while later ones have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hole: Option<Hole>,
    /// BBR's rate after it detected a policer, bit/s (net/ipv4/tcp_bbr.c, bbr_lt_bw_sampling).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policed: Option<f64>,
    /// Segments that came out of order, over all that came.
    pub out_of_order: Option<f64>,
    /// Retransmission timeouts (RFC 6298).
    pub timeouts: Option<f64>,
    /// Seconds spent after retransmission timeouts.
    pub timeout_time: Option<f64>,
    /// Packets with ECN marks over all delivered.
    pub marked: Option<f64>,
    /// Whether ECN was negotiated.
    pub ecn: Option<bool>,
    /// What a capture, or the counters of AccECN, tell of it besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ecn_detail: Option<Ecn>,
    /// Whether SACK was negotiated.
    pub sack: Option<bool>,
    /// Whether windows are scaled (RFC 7323), for both ends.
    pub scaled: Option<bool>,
    /// Least round-trip time, seconds.
    pub rtt_min: Option<f64>,
    /// Round-trip time of the idle path from another source such as `ping`, seconds.
    pub rtt_base: Option<f64>,
    /// Queueing delay of the acknowledgments in the middle of the run, seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queued_back: Option<f64>,
    /// By how much longer the receiver ran than the sender, seconds: iperf3's client ends its run by a message behind its data,
    /// so this is the path's own round-trip time and the queue on the way there, or longer if that message was lost or held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_apart: Option<f64>,
    /// Time for which each limit bound.
    pub limits: Option<Limits>,
    /// The share of its time for which a capture shows that data was outstanding, or the receiver's window closed.
    pub busy: Option<f64>,
    /// The share of its bursts that left by themselves, over what it would be if they heeded no acknowledgment: 0 of a sender
    /// that waits for them, 1 of one whose program, or a pacer, hands over piece after piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_pace: Option<f64>,
    /// The largest window that the receiver offered.
    pub window: Option<Window>,
    /// The share of the receiver's buffer that holds what its application has not read, in the middle of the run.
    pub unread: Option<f64>,
    /// Bytes that the local application had not read at the end, and seconds since the last of them came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stale: Option<[f64; 2]>,
    /// Send buffer: its size, bytes.
    pub sndbuf: Option<f64>,
    /// The number of the only screen of `ss` that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screen: Option<usize>,
    /// Whether that screen shows nothing outstanding and nothing to send, of a program that has no more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub idle: bool,
    /// Whether the sender was probing a closed window in the end (RFC 9293, 3.8.6.1).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub probes: bool,
    pub points: Vec<Point>,
    /// The first of its packets with payload, by time.
    #[serde(skip)]
    pub packets: Vec<Packet>,
    /// Requests and their answers: how long each took, seconds, in their order.
    pub exchanges: Vec<f64>,
    /// Processor time of sender and receiver as shares of one processor.
    pub processors: [Option<f64>; 2],
    /// Whether the run was cut off, so that totals are of its intervals.
    pub cut_off: bool,
}

/// Shares of the connection's time, as `tcp_info` keeps them (include/uapi/linux/tcp.h).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Limits {
    /// Something was outstanding or to be sent.
    pub busy: f64,
    /// The receiver's window bound.
    pub rwnd: f64,
    /// The send buffer bound.
    pub sndbuf: f64,
}

/// The one segment that keeps all others from being acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Hole {
    /// Its payload, bytes.
    pub bytes: f64,
    /// Times that it was sent again since nothing else was.
    pub again: f64,
    /// Segments behind it that have arrived.
    pub behind: f64,
}

/// The receiver's window.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Window {
    /// The largest that was seen, bytes.
    pub largest: f64,
    /// Times that it was 0 after data had come.
    pub zeros: u64,
}

/// A connection at or until a time. Counts are of the time since the point before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Point {
    /// The end of the time, seconds since the source's own zero.
    pub time: f64,
    /// Payload that arrived or was acknowledged since the point before, bytes.
    pub bytes: Option<f64>,
    /// Segments sent again since the point before.
    pub retransmitted: Option<f64>,
    /// Segments that came through since the point before, in order or not (`tcpi_delivered`): acknowledgments of bytes stand
    /// still while a loss is repaired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivered: Option<f64>,
    /// Acknowledgments without payload that came to the sender since the point before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acks: Option<f64>,
    /// Congestion window at the time, bytes.
    pub cwnd: Option<f64>,
    /// Slow-start threshold at the time, bytes.
    pub ssthresh: Option<f64>,
    /// Smoothed round-trip time at the time, seconds.
    pub srtt: Option<f64>,
    /// The shortest round-trip time of a packet since the point before, seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rtt_least: Option<f64>,
    /// Mean deviation of the round-trip time at the time, seconds.
    pub rttvar: Option<f64>,
    /// Payload that is sent and not acknowledged, bytes.
    pub in_flight: Option<f64>,
    /// The receiver's window, bytes.
    pub window: Option<f64>,
    /// Payload that waits in the send buffer and was not sent, bytes.
    pub unsent: Option<f64>,
    /// How long ago the latest acknowledgment came, seconds.
    pub quiet: Option<f64>,
}

impl Point {
    /// Payload per second since the point before, bit/s.
    pub fn rate_since(&self, before: &Point) -> Option<f64> {
        Some(self.bytes? * 8.0 / (self.time - before.time))
    }
}

/// A segment with payload, and what became of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Packet {
    /// When it passed, or would have passed, where the connection was watched, seconds since the source's own zero.
    pub time: f64,
    /// Payload, bytes.
    pub bytes: u32,
    /// Whether it was lost.
    pub lost: bool,
    /// Its round-trip time, if it was sent once, seconds.
    pub rtt: Option<f32>,
}

fn is_nothing(seconds: &f64) -> bool {
    *seconds == 0.0
}

/// Losses before a silence are repaired within this many times the bytes then in flight.
const MAX_REPAIR_RATIO: f64 = 4.0;

impl Connection {
    /// The addresses of sender and receiver, IPv4 as such where IPv6 carries it.
    pub fn addresses(&self) -> Option<[IpAddr; 2]> {
        self.ends.map(|ends| ends.map(|end| end.to_canonical()))
    }

    /// The IP under it, by its addresses; IPv4 if they are not known.
    pub fn ip(&self) -> Ip {
        if self.addresses().is_some_and(|ends| ends[0].is_ipv6()) { Ip::V6 } else { Ip::V4 }
    }

    /// Its points with times since it began to send: the omitted time counts.
    pub fn from_start(&self) -> Vec<Point> {
        let later = |point: &Point| Point { time: point.time + self.omitted, ..*point };
        self.points.iter().map(later).collect()
    }

    /// Its points from where its span begins, the one at which the omitted time ends among them.
    pub fn counted(&self) -> &[Point] {
        let omitted = self.points.partition_point(|point| self.omitted > 0.0 && point.time < 0.0);
        &self.points[omitted..]
    }

    /// The connection without the time from `from` to `to`: drops what was counted then, packets sent within `before` ahead of
    /// it, and their retransmissions after it.
    pub fn without(&self, [from, to]: [f64; 2], before: f64) -> Connection {
        let gone = to - from;
        let later = |time: f64| if time > to { time - gone } else { time };
        let mut rest = self.clone();
        rest.points.retain(|point| point.time <= from || point.time > to);
        let end = rest.points.partition_point(|point| point.time <= to);
        let repaired = |(at, point): &(usize, &mut Point)| *at == 0 || point.time <= to + MAX_REPAIR_RATIO * before;
        let behind = rest.points[end..].iter_mut().enumerate().take_while(repaired).filter(|_| before > 0.0);
        behind.for_each(|(_, point)| point.retransmitted = point.retransmitted.map(|_| 0.0));
        rest.points.iter_mut().for_each(|point| point.time = later(point.time));
        rest.packets.retain(|packet| packet.time <= from - before || packet.time > to);
        rest.packets.iter_mut().for_each(|packet| packet.time = later(packet.time));
        let sum = |of: fn(&Point) -> Option<f64>| rest.points.iter().filter_map(of).reduce(|a, b| a + b);
        rest.bytes = sum(|point| point.bytes).or(self.bytes);
        rest.retransmitted = sum(|point| point.retransmitted).or(self.retransmitted);
        rest.segments_sent = None;
        rest.span = self.span.map(|[start, end]| [start, end - gone]);
        rest.goodput = rest.bytes.zip(rest.span).map(|(bytes, [start, end])| 8.0 * bytes / (end - start));
        rest
    }

    /// The sum of two connections with points at the same times; `None` if fewer than half of the points match.
    pub fn with(&self, other: &Connection) -> Option<Connection> {
        /// Points this close in time belong together, seconds.
        const SAME_TIME_S: f64 = 0.1;
        let add = |a: Option<f64>, b: Option<f64>| Some(a? + b?);
        // A shared queue delays all of them; with separate queues (fq_codel) this is the shortest.
        let least = |a: Option<f64>, b: Option<f64>| a.into_iter().chain(b).reduce(f64::min);
        let both = |a: &Point| {
            let at = other.points.partition_point(|b| a.time - b.time >= SAME_TIME_S);
            let b = other.points.get(at).filter(|b| b.time - a.time < SAME_TIME_S)?;
            Some(Point {
                time: a.time,
                bytes: add(a.bytes, b.bytes),
                retransmitted: add(a.retransmitted, b.retransmitted),
                cwnd: add(a.cwnd, b.cwnd),
                srtt: least(a.srtt, b.srtt),
                ..Point::default()
            })
        };
        let mut sum = self.clone();
        sum.points = self.points.iter().filter_map(both).collect();
        sum.bytes = add(self.bytes, other.bytes);
        sum.goodput = add(self.goodput, other.goodput);
        sum.retransmitted = add(self.retransmitted, other.retransmitted);
        sum.segments_sent = add(self.segments_sent, other.segments_sent);
        sum.spurious = add(self.spurious, other.spurious);
        sum.limits = None;
        sum.packets = vec![];
        (2 * sum.points.len() >= self.points.len()).then_some(sum)
    }

    /// A connection with everything unknown.
    pub fn new(place: Place, source: Source, name: impl Into<String>, seen: Seen) -> Connection {
        Connection {
            place,
            source,
            name: name.into(),
            ends: None,
            group: 0,
            seen,
            congestion: None,
            span: None,
            omitted: 0.0,
            bytes: None,
            goodput: None,
            target: None,
            asked: None,
            written: false,
            mss: None,
            advmss: None,
            pmtu: None,
            segments_sent: None,
            retransmitted: None,
            spurious: None,
            reordered: None,
            hole: None,
            policed: None,
            out_of_order: None,
            timeouts: None,
            timeout_time: None,
            marked: None,
            ecn: None,
            ecn_detail: None,
            sack: None,
            scaled: None,
            rtt_min: None,
            rtt_base: None,
            queued_back: None,
            ended_apart: None,
            limits: None,
            busy: None,
            own_pace: None,
            window: None,
            unread: None,
            stale: None,
            sndbuf: None,
            screen: None,
            idle: false,
            probes: false,
            points: vec![],
            packets: vec![],
            exchanges: vec![],
            processors: [None, None],
            cut_off: false,
        }
    }
}
