//! Units, subjects, and which of two values is better. The measures themselves are rows of the wing `analysis`.

pub use crate::stats::Centre;
use TrafficKind::{Bulk, Ping, Program, Requests, Udp};
use serde::{Deserialize, Serialize};
use wire::Traffic;

/// The unit in which a measure's value is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Rate, bit/s.
    BitsPerSecond,
    /// Time, s.
    Seconds,
    /// Share of 1.
    Ratio,
    /// Packets; for a window, segments of one MSS.
    Packets,
    /// Bytes of many packets.
    Bytes,
    /// Bytes of one packet.
    PacketBytes,
    /// Plain count.
    Count,
    /// Plain number that compares two things.
    Index,
}

impl Unit {
    /// Returns the name in the tables of measures; empty for plain numbers.
    pub fn name(self) -> &'static str {
        match self {
            Unit::BitsPerSecond => "bit/s",
            Unit::Seconds => "s",
            Unit::Ratio => "ratio",
            Unit::Packets => "packets",
            Unit::Bytes | Unit::PacketBytes => "bytes",
            Unit::Count | Unit::Index => "",
        }
    }
}

/// The subject of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    Flow,
    /// One direction of a link.
    #[serde(rename = "direction", alias = "lane")]
    Lane,
    /// All flows of a trial together.
    Trial,
}

/// The better of two values of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Better {
    More,
    Less,
    /// The better value depends on the goal.
    Neither,
}

/// Places that show a measure; the report and `measures.json` have all measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shown {
    /// Every table, and before all others: the experiment expects, compares or publishes it.
    Asked,
    /// Every table, even terminal tables with one line per row for many rows.
    First,
    /// Terminal tables that show a few rows side by side.
    Terminal,
    /// Every table in which some value is above 0; otherwise only the report.
    IfAny,
    /// Only the report.
    Report,
}

/// The kind of a flow: a [`Traffic`] without its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrafficKind {
    Bulk,
    /// Requests and responses over TCP.
    Requests,
    Udp,
    Ping,
    /// A user's server and client.
    Program,
}

impl TrafficKind {
    /// Returns the kind of a flow's traffic.
    pub fn from_traffic(traffic: &Traffic) -> TrafficKind {
        match traffic {
            Traffic::Bulk { .. } => Bulk,
            Traffic::Requests { .. } => Requests,
            Traffic::Udp { .. } => Udp,
            Traffic::Ping { .. } => Ping,
            Traffic::Program { .. } => Program,
        }
    }

    /// Returns its name in an experiment.
    pub fn name(self) -> &'static str {
        match self {
            Bulk => "bulk",
            Requests => "requests",
            Udp => "udp",
            Ping => "ping",
            Program => "program",
        }
    }
}
