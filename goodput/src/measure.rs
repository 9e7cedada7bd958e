//! What goodput measures: one table that names each measure, its unit and its definition.

use crate::plan::Traffic;
use serde::{Deserialize, Serialize};

/// The unit in which a measure's value is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Bits per second.
    BitsPerSecond,
    /// Seconds.
    Seconds,
    /// A share of one.
    Ratio,
    /// Packets: segments of one MSS where a window is counted.
    Packets,
    /// Bytes of many packets.
    Bytes,
    /// Bytes of one packet.
    PacketBytes,
    /// A plain number of things.
    Count,
}

impl Unit {
    /// As the tables of measures name it; empty for plain numbers.
    pub fn name(self) -> &'static str {
        match self {
            Unit::BitsPerSecond => "bit/s",
            Unit::Seconds => "s",
            Unit::Ratio => "share of 1",
            Unit::Packets => "packets",
            Unit::Bytes | Unit::PacketBytes => "bytes",
            Unit::Count => "",
        }
    }
}

/// What a measure is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// One flow.
    Flow,
    /// One direction of a link.
    Lane,
    /// All flows of a trial together.
    Trial,
}

/// One row of the table.
#[derive(Debug)]
pub struct Measure {
    /// Its name in specs, tables and JSON.
    pub name: &'static str,
    /// What it is about.
    pub subject: Subject,
    /// The unit of its value.
    pub unit: Unit,
    /// Its definition, one sentence.
    pub definition: &'static str,
}

const fn flow(name: &'static str, unit: Unit, definition: &'static str) -> Measure {
    Measure { name, subject: Subject::Flow, unit, definition }
}

const fn lane(name: &'static str, unit: Unit, definition: &'static str) -> Measure {
    Measure { name, subject: Subject::Lane, unit, definition }
}

/// Every measure.
pub const MEASURES: &[Measure] = &[
    flow(
        "goodput",
        Unit::BitsPerSecond,
        "payload that arrived over the flow's time, from its start to its end: in order of bulk data, of requests and responses that were completed, of datagrams that came by then",
    ),
    flow("exchanges", Unit::Count, "requests whose response arrived, or pings that were answered"),
    flow(
        "unanswered",
        Unit::Count,
        "requests and pings without an answer; a request that the flow's end cut short counts if it had taken longer than every other",
    ),
    flow("exchange-p50", Unit::Seconds, "median time from the start of a request to the end of its response"),
    flow(
        "exchange-p95",
        Unit::Seconds,
        "95th percentile of the time from the start of a request to the end of its response",
    ),
    flow("exchange-max", Unit::Seconds, "longest time from the start of a request to the end of its response"),
    flow("lost", Unit::Ratio, "datagrams that never arrived over datagrams sent"),
    flow("reordered", Unit::Ratio, "datagrams that arrived after one that was sent later over datagrams that arrived"),
    flow(
        "retransmitted",
        Unit::Ratio,
        "payload bytes retransmitted over payload bytes sent, retransmissions included (TCP_INFO)",
    ),
    flow(
        "rtt-min",
        Unit::Seconds,
        "smallest round-trip time that the sender saw (TCP_INFO min_rtt); of pings the shortest",
    ),
    flow(
        "rtt-p50",
        Unit::Seconds,
        "median of the sender's smoothed round-trip time over all samples; of pings the median of their own times",
    ),
    flow(
        "rtt-p95",
        Unit::Seconds,
        "95th percentile of the sender's smoothed round-trip time over all samples; of pings that of their own times",
    ),
    flow("cwnd-mean", Unit::Packets, "mean of the congestion window over all samples"),
    flow("cwnd-max", Unit::Packets, "largest congestion window in a sample"),
    flow(
        "limited-cwnd",
        Unit::Ratio,
        "share of the flow's time in which there was data to send and neither the receive window nor the send buffer held it back",
    ),
    flow(
        "limited-rwnd",
        Unit::Ratio,
        "share of the flow's time in which the receive window held it back (TCP_INFO rwnd_limited)",
    ),
    flow(
        "limited-sndbuf",
        Unit::Ratio,
        "share of the flow's time in which the send buffer held it back (TCP_INFO sndbuf_limited)",
    ),
    flow(
        "limited-app",
        Unit::Ratio,
        "share of the flow's time in which the application had given nothing to send (time less TCP_INFO busy_time)",
    ),
    flow("delivered-ce", Unit::Ratio, "segments delivered with a CE mark over segments delivered (TCP_INFO)"),
    flow("reordering", Unit::Count, "times that the sender saw segments overtake others (TCP_INFO reord_seen)"),
    flow(
        "out-of-order",
        Unit::Ratio,
        "segments that reached the receiver while an earlier one was missing, late or lost, over segments with payload that reached it (TCP_INFO)",
    ),
    flow("rto", Unit::Count, "retransmission timeouts of the sender, those of a SYN included (TCP_INFO total_rto)"),
    flow("pmtu", Unit::PacketBytes, "path MTU that the sender had at the end (TCP_INFO)"),
    flow("mss", Unit::PacketBytes, "payload of a full segment of the sender's at the end (TCP_INFO snd_mss)"),
    lane(
        "utilisation",
        Unit::Ratio,
        "bits that left the queue, framing included, over what the line's rate allows, from the first flow's start to the last one's end",
    ),
    lane(
        "queue-mean",
        Unit::Bytes,
        "mean backlog of the queue over the samples from the first flow's start to the last one's end",
    ),
    lane(
        "queue-max",
        Unit::Bytes,
        "largest backlog of the queue in a sample from the first flow's start to the last one's end",
    ),
    lane(
        "queue-delay-mean",
        Unit::Seconds,
        "mean time that the line would take to send the backlog, framing included, over the samples from the first flow's start to the last one's end",
    ),
    lane("queue-drops", Unit::Packets, "packets that the queue dropped"),
    lane(
        "loss-drops",
        Unit::Packets,
        "packets that were dropped on the way to the queue: by losses, outages, faults, policers and shapers",
    ),
];

/// Whether flows of such traffic have a measure of flows, though not every flow has a value of it.
pub fn has(traffic: &Traffic, name: &str) -> bool {
    let exchanges = matches!(name, "exchanges" | "unanswered");
    let of_time = matches!(name, "exchange-p50" | "exchange-p95" | "exchange-max");
    let of_datagrams = matches!(name, "lost" | "reordered");
    let of_tcp = !exchanges && !of_time && !of_datagrams;
    find(name).is_some_and(|measure| measure.subject == Subject::Flow)
        && match traffic {
            Traffic::Bulk { .. } => of_tcp,
            Traffic::Requests { .. } => of_tcp || exchanges || of_time,
            Traffic::Udp { .. } => of_datagrams || name == "goodput",
            Traffic::Ping { .. } => exchanges || matches!(name, "rtt-min" | "rtt-p50" | "rtt-p95"),
        }
}

/// The measure of that name.
pub fn find(name: &str) -> Option<&'static Measure> {
    MEASURES.iter().find(|m| m.name == name)
}
