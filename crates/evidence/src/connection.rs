//! A TCP connection, as far as it was observed.

use crate::Place;
use crate::ecn::Ecn;
use crate::headers::Ip;
use serde::Serialize;
use std::net::IpAddr;

/// The end at which a connection was observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Seen {
    /// The end that sends most of the data: its own counters, or a capture before the path.
    Sender,
    /// The end that receives most of the data.
    Receiver,
    Both,
}

/// The program or recording that observed a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    Iperf3,
    /// iperf 2.
    Iperf,
    Nuttcp,
    Netperf,
    Ndt,
    /// perfSONAR's throughput tests, whatever tool measured.
    Pscheduler,
    Flent,
    /// bcc's tcplife: a whole connection in a line.
    Tcplife,
    /// Screens of Linux' `ss`; the connection may have been running before the first.
    Ss,
    /// FreeBSD's packet log.
    Siftr,
    Curl,
    /// Ookla's speedtest and speedtest-cli: several connections at once.
    Speedtest,
    /// scp, sftp, wget or rsync.
    Copy,
    /// A packet capture.
    Capture,
    /// A recording of the laboratory.
    Laboratory,
    /// Facts that a person states.
    Facts,
}

impl Source {
    /// True if a version of iperf printed it.
    pub fn is_iperf(self) -> bool {
        matches!(self, Source::Iperf3 | Source::Iperf)
    }
}

/// A TCP connection, or one direction of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Connection {
    pub place: Place,
    pub source: Source,
    /// Addresses of both ends, or the number in a listing.
    pub name: String,
    /// Addresses of sender and receiver.
    pub ends: Option<[IpAddr; 2]>,
    /// Number shared by the connections of a listing or capture: they use the same path at the same time.
    pub group: usize,
    /// Connections that a sum adds up, if its source says how many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub streams: Option<usize>,
    /// End at which it was observed.
    pub seen: Seen,
    /// The sender's congestion control.
    pub congestion: Option<String>,
    /// Start and end, seconds since the source's own zero.
    pub span: Option<[f64; 2]>,
    /// Time of day at the source's own zero, seconds since 1970 or since midnight; in the zone of the host that printed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<f64>,
    /// How far printed figures are rounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounding: Option<Rounding>,
    /// Sending time before the span, seconds: the time that iperf3 `-O` omits. Its points have times up to 0.
    #[serde(skip_serializing_if = "is_nothing")]
    pub omitted: f64,
    /// Payload that arrived or was acknowledged, bytes.
    pub bytes: Option<f64>,
    /// Payload that arrived per second over the span, bit/s.
    pub goodput: Option<f64>,
    /// Rate cap that the application was given, bit/s.
    pub target: Option<f64>,
    /// Socket buffers that the application asked for, bytes.
    pub asked: Option<f64>,
    /// Whether points count the bytes that the sender's program wrote: these run ahead of arrivals by a send buffer.
    pub written: bool,
    /// Length of each of the program's writes, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write: Option<f64>,
    /// Payload of a full segment as the sender uses it, bytes.
    pub mss: Option<f64>,
    /// The largest MSS that the other end accepts (RFC 9293, 3.7.1), bytes.
    pub advmss: Option<f64>,
    /// The sender's path MTU, bytes.
    pub pmtu: Option<f64>,
    /// Segments with payload that were sent, including retransmissions.
    pub segments_sent: Option<f64>,
    /// Retransmitted segments.
    pub retransmitted: Option<f64>,
    /// Spurious retransmissions (RFC 2883), segments.
    pub spurious: Option<f64>,
    /// Times that the sender detected reordering.
    pub reordered: Option<f64>,
    /// The one segment that is missing while later ones have arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hole: Option<Hole>,
    /// BBR's rate after it detected a policer, bit/s (net/ipv4/tcp_bbr.c, bbr_lt_bw_sampling).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policed: Option<f64>,
    /// Share of received segments that came out of order.
    pub out_of_order: Option<f64>,
    /// Retransmission timeouts (RFC 6298).
    pub timeouts: Option<f64>,
    /// Time spent after retransmission timeouts, seconds.
    pub timeout_time: Option<f64>,
    /// Share of delivered packets with ECN marks.
    pub marked: Option<f64>,
    /// Whether ECN was negotiated.
    pub ecn: Option<bool>,
    /// Further ECN counts, from a capture or from AccECN's counters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ecn_detail: Option<Ecn>,
    /// Whether SACK was negotiated.
    pub sack: Option<bool>,
    /// Whether both ends scale their windows (RFC 7323).
    pub scaled: Option<bool>,
    /// Minimum round-trip time, seconds.
    pub rtt_min: Option<f64>,
    /// Round-trip time of the idle path from another source such as `ping`, seconds.
    pub rtt_base: Option<f64>,
    /// Queueing delay of the acknowledgments in the middle of the run, seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queued_back: Option<f64>,
    /// Time by which the receiver's run outlasts the sender's, seconds. iperf3's client ends the run with a message
    /// behind its data, so this is the path's RTT plus the forward queue's delay, or more if the message was lost or
    /// held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_apart: Option<f64>,
    /// Shares of time for which each limit applied.
    pub limits: Option<Limits>,
    /// Share of time that data was outstanding or the receive window closed, from a capture.
    pub busy: Option<f64>,
    /// Share of bursts that no acknowledgment triggered, relative to a sender that ignores acknowledgments: 0 if the
    /// sender waits for them, 1 if its program or a pacer hands over data piece by piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_pace: Option<f64>,
    /// Receive window that was offered.
    pub window: Option<Window>,
    /// Share of the receive buffer filled with data that the application has not read, in the middle of the run.
    pub unread: Option<f64>,
    /// Data that the local application had not read at the end: bytes, and seconds since the last of them came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stale: Option<[f64; 2]>,
    /// Size of the send buffer, bytes.
    pub sndbuf: Option<f64>,
    /// Size of the receive buffer, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rcvbuf: Option<f64>,
    /// The most that the receiver offers at the time, bytes (`rcv_ssthresh`; net/ipv4/tcp_input.c, tcp_grow_window).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rcv_ssthresh: Option<f64>,
    /// Payload that its program read in a round trip, bytes (`rcv_space`; tcp_rcv_space_adjust).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rcv_space: Option<f64>,
    /// Number of the `ss` screen, if only one shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screen: Option<usize>,
    /// Whether that screen shows nothing outstanding and nothing to send: the program has no more data.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub idle: bool,
    /// Whether the sender was probing a closed window at the end (RFC 9293, 3.8.6.1).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub probes: bool,
    pub points: Vec<Point>,
    /// First packets with payload, by time.
    #[serde(skip)]
    pub packets: Vec<Packet>,
    /// Duration of each request and its answer, in order, seconds.
    pub exchanges: Vec<f64>,
    /// Threads that serve the streams of its run, if the program and its version are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// Processor time of sender and receiver, as shares of one processor.
    pub processors: [Option<f64>; 2],
    /// Whether the run was cut off, so that totals are sums over its intervals.
    pub cut_off: bool,
}

/// Half a step of the last printed digit; 0 for figures that are printed in full.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rounding {
    /// Of the goodput over the run, bit/s.
    pub goodput: f64,
    /// Of the payload between two points, bytes: the coarsest.
    pub bytes: f64,
    /// Of the congestion window, bytes: the coarsest.
    pub cwnd: f64,
}

/// Shares of the connection's time, as `tcp_info` counts it (include/uapi/linux/tcp.h).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Limits {
    /// Share with data outstanding or waiting to be sent.
    pub busy: f64,
    /// Share limited by the receive window.
    pub rwnd: f64,
    /// Share limited by the send buffer.
    pub sndbuf: f64,
}

impl Limits {
    /// Returns spent times as shares of a time, at most 1: the counters step in jiffies, so a share may exceed it.
    pub fn from_spent([busy, rwnd, sndbuf]: [Option<f64>; 3], whole: f64) -> Option<Limits> {
        let share = |spent: f64| if whole > 0.0 { (spent / whole).clamp(0.0, 1.0) } else { 0.0 };
        Some(Limits { busy: share(busy?), rwnd: share(rwnd?), sndbuf: share(sndbuf?) })
    }
}

/// The one missing segment that keeps later ones from being acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Hole {
    /// Payload, bytes.
    pub bytes: f64,
    /// Retransmissions of it since nothing else was sent.
    pub again: f64,
    /// Later segments that have arrived.
    pub behind: f64,
}

/// The receive window over the connection.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Window {
    /// Largest window seen, bytes.
    pub largest: f64,
    /// Times that it closed to 0 after data had come.
    pub zeros: u64,
}

/// A connection at a time. Counts cover the time since the point before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Point {
    /// Seconds since the source's own zero.
    pub time: f64,
    /// Payload that arrived or was acknowledged since the point before, bytes.
    pub bytes: Option<f64>,
    /// Segments retransmitted since the point before.
    pub retransmitted: Option<f64>,
    /// Segments delivered since the point before, in order or not (`tcpi_delivered`). Acknowledged bytes do not grow
    /// while a loss is repaired; this count does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivered: Option<f64>,
    /// Acknowledgments without payload that the sender received since the point before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acks: Option<f64>,
    /// Segments delivered with an ECN mark since the point before (`tcpi_delivered_ce`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marked: Option<f64>,
    /// Shares of the time since the point before for which each limit applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// Congestion window at the time, bytes.
    pub cwnd: Option<f64>,
    /// Slow-start threshold at the time, bytes.
    pub ssthresh: Option<f64>,
    /// Smoothed round-trip time at the time, seconds.
    pub srtt: Option<f64>,
    /// Shortest round-trip time of a packet since the point before, seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rtt_least: Option<f64>,
    /// Mean deviation of the round-trip time at the time, seconds.
    pub rttvar: Option<f64>,
    /// Payload sent and not yet acknowledged, bytes.
    pub in_flight: Option<f64>,
    /// Receive window, bytes.
    pub window: Option<f64>,
    /// Payload in the send buffer that was not sent yet, bytes.
    pub unsent: Option<f64>,
    /// Time since the latest acknowledgment, seconds.
    pub quiet: Option<f64>,
}

impl Point {
    /// Returns the payload rate since the point before, bit/s.
    pub fn rate_since(&self, before: &Point) -> Option<f64> {
        Some(self.bytes? * 8.0 / (self.time - before.time))
    }
}

/// A segment with payload and its fate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Packet {
    /// Time at which it passed, or would have passed, the point of observation, seconds since the source's own zero.
    pub time: f64,
    /// Payload, bytes.
    pub bytes: u32,
    /// Whether it was lost.
    pub lost: bool,
    /// Round-trip time, if it was sent once, seconds.
    pub rtt: Option<f32>,
}

fn is_nothing(seconds: &f64) -> bool {
    *seconds == 0.0
}

/// Losses within `before` seconds ahead of a removed time are repaired within this many times `before` after it.
const MAX_REPAIR_RATIO: f64 = 4.0;

impl Connection {
    /// Returns the addresses of sender and receiver, IPv4-mapped IPv6 addresses as IPv4.
    pub fn addresses(&self) -> Option<[IpAddr; 2]> {
        self.ends.map(|ends| ends.map(|end| end.to_canonical()))
    }

    /// Returns the IP version of its addresses; IPv4 if they are not known.
    pub fn ip(&self) -> Ip {
        if self.addresses().is_some_and(|ends| ends[0].is_ipv6()) { Ip::V6 } else { Ip::V4 }
    }

    /// Returns the points with times since sending began: the omitted time counts.
    pub fn from_start(&self) -> Vec<Point> {
        let later = |point: &Point| Point { time: point.time + self.omitted, ..*point };
        self.points.iter().map(later).collect()
    }

    /// Returns the points from the start of the span, including the one at which the omitted time ends.
    pub fn counted(&self) -> &[Point] {
        let omitted = self.points.partition_point(|point| self.omitted > 0.0 && point.time < 0.0);
        &self.points[omitted..]
    }

    /// Returns the connection with the time from `from` to `to` cut out: drops its counts, packets sent within `before`
    /// seconds ahead of it, and their retransmissions after it.
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

    /// Returns the sum of two connections with points at the same times; `None` if fewer than half of the points match.
    pub fn with(&self, other: &Connection) -> Option<Connection> {
        /// Largest time difference of points that match, seconds.
        const SAME_TIME_S: f64 = 0.1;
        let add = |a: Option<f64>, b: Option<f64>| Some(a? + b?);
        // A shared queue delays both connections; with separate queues (fq_codel) the shorter RTT is taken.
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

    /// Returns a connection with everything unknown.
    pub fn new(place: Place, source: Source, name: impl Into<String>, seen: Seen) -> Connection {
        Connection {
            place,
            source,
            name: name.into(),
            ends: None,
            group: 0,
            streams: None,
            seen,
            congestion: None,
            span: None,
            clock: None,
            rounding: None,
            omitted: 0.0,
            bytes: None,
            goodput: None,
            target: None,
            asked: None,
            written: false,
            write: None,
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
            rcvbuf: None,
            rcv_ssthresh: None,
            rcv_space: None,
            screen: None,
            idle: false,
            probes: false,
            points: vec![],
            packets: vec![],
            exchanges: vec![],
            threads: None,
            processors: [None, None],
            cut_off: false,
        }
    }
}
