//! The words of measures: units, what a measure is about, which of two values is better. The measures themselves are
//! `analyze`'s.

use crate::plan::Traffic;
pub use crate::stats::Centre;
use Kind::{Bulk, Ping, Requests, Udp};
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
    /// A plain number that compares two things.
    Index,
}

impl Unit {
    /// As the tables of measures name it; empty for plain numbers.
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

/// What a measure is about.
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

/// Which of two values of a measure is the better one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Better {
    More,
    Less,
    /// It depends on what is wanted.
    Neither,
}

/// Where a measure is shown; the report and `measures.json` have all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shown {
    /// In every table, also in those of the terminal that have a line for each of many rows.
    First,
    /// On the terminal where a few rows stand side by side.
    Terminal,
    /// In every table in which it is anywhere more than 0, else in the report alone.
    IfAny,
    /// In the report alone.
    Report,
}

/// What a flow does: a [`Traffic`] without its figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Bulk,
    /// Requests and responses over TCP.
    Requests,
    Udp,
    Ping,
}

impl Kind {
    /// Of a flow's traffic.
    pub fn of(traffic: &Traffic) -> Kind {
        match traffic {
            Traffic::Bulk { .. } => Bulk,
            Traffic::Requests { .. } => Requests,
            Traffic::Udp { .. } => Udp,
            Traffic::Ping { .. } => Ping,
        }
    }

    /// As an experiment calls it.
    pub fn name(self) -> &'static str {
        match self {
            Bulk => "bulk",
            Requests => "requests",
            Udp => "udp",
            Ping => "ping",
        }
    }
}
