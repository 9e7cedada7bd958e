//! What goodput measures: one table that names each measure, its unit and its definition.

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
    /// Bytes.
    Bytes,
}

/// What a measure is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// One flow.
    Flow,
    /// One direction of a link.
    Lane,
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
        "payload that the receiver got in order over the flow's time, from its start to its end",
    ),
    flow(
        "retransmitted",
        Unit::Ratio,
        "payload bytes retransmitted over payload bytes sent, retransmissions included (TCP_INFO)",
    ),
    flow("rtt-min", Unit::Seconds, "smallest round-trip time that the sender saw (TCP_INFO min_rtt)"),
    flow("rtt-p50", Unit::Seconds, "median of the sender's smoothed round-trip time over all samples"),
    flow("rtt-p95", Unit::Seconds, "95th percentile of the sender's smoothed round-trip time over all samples"),
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
    lane(
        "utilisation",
        Unit::Ratio,
        "bits that left the queue, framing included, over the rate, from the first flow's start to the last one's end",
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
    lane("queue-drops", Unit::Packets, "packets that the full queue dropped"),
    lane("loss-drops", Unit::Packets, "packets lost in transit"),
];

/// The measure of that name.
pub fn find(name: &str) -> Option<&'static Measure> {
    MEASURES.iter().find(|m| m.name == name)
}
