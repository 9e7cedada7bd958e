//! Flows: what travels, and from when on.

use evidence::headers::Ip;
use serde::{Deserialize, Serialize};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use wire::{Tcp, Traffic, Until};

/// What travels from one node to another, and from when on. Seeds of a point differ in that alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Flow {
    /// When it connects or first sends, ns after the network is up.
    pub start: u64,
    #[serde(flatten)]
    transfer: Arc<Transfer>,
}

/// A flow but for its start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Transfer {
    /// What its author calls it, and others of the same section; `None` if it goes by its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Name of the node that connects, and sends bulk data.
    pub from: String,
    /// Name of the node that listens.
    pub to: String,
    /// Whether it uses IPv6, rather than IPv4.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ipv6: bool,
    /// When it ends.
    pub until: Until,
    /// From its start, ns: what arrives before is left out of its goodput (`iperf3 -O`).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub omit: u64,
    /// What it does.
    pub traffic: Traffic,
    /// Whether its data are those that the flow before it brings: its `from` relays them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub onward: bool,
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}

impl Deref for Flow {
    type Target = Transfer;

    fn deref(&self) -> &Transfer {
        &self.transfer
    }
}

impl DerefMut for Flow {
    fn deref_mut(&mut self) -> &mut Transfer {
        Arc::make_mut(&mut self.transfer)
    }
}

impl Flow {
    /// A transfer that begins so many ns after the network is up.
    pub fn new(start: u64, transfer: Transfer) -> Flow {
        Flow { start, transfer: Arc::new(transfer) }
    }

    /// Keeps one copy of what both have.
    pub(super) fn share(&mut self, other: &Flow) {
        if self.transfer == other.transfer {
            self.transfer = Arc::clone(&other.transfer);
        }
    }
}

impl Transfer {
    /// The IP that it uses.
    pub fn family(&self) -> Ip {
        if self.ipv6 { Ip::V6 } else { Ip::V4 }
    }

    /// What a TCP flow is told; `None` of any other.
    pub fn tcp(&self) -> Option<&Tcp> {
        match &self.traffic {
            Traffic::Bulk { tcp, .. } | Traffic::Requests { tcp, .. } => Some(tcp),
            Traffic::Udp { .. } | Traffic::Ping { .. } => None,
        }
    }

    /// The nodes of its ends in its record: the one that sends bulk data, or responses to requests, then the other.
    pub fn ends(&self) -> [&str; 2] {
        match self.traffic {
            Traffic::Requests { .. } => [&self.to, &self.from],
            Traffic::Bulk { .. } | Traffic::Udp { .. } | Traffic::Ping { .. } => [&self.from, &self.to],
        }
    }

    /// The end of a TCP flow's record that sends most of its data. End 0 of requests is the server, who sends the
    /// responses, and end 1 the client: that is the one if the requests are larger.
    pub fn sending_end(&self) -> u64 {
        matches!(self.traffic, Traffic::Requests { request, response, .. } if request > response).into()
    }
}
