//! Flows: their traffic and start times.

use evidence::headers::Ip;
use serde::{Deserialize, Serialize};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use wire::{ProgramEnd, Tcp, Traffic, Until};

/// A flow: its traffic and its start. Only the start differs between the seeds of a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Flow {
    /// When it connects or first sends, ns after the network is up.
    pub start: u64,
    #[serde(flatten)]
    transfer: Arc<Transfer>,
}

/// A flow without its start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Transfer {
    /// Name from the experiment, shared by flows of the same section; `None` if it has only a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Name of the node that connects, and sends bulk data.
    pub from: String,
    /// Name of the node that listens.
    pub to: String,
    /// True for IPv6, false for IPv4.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ipv6: bool,
    /// When it ends.
    pub until: Until,
    /// Start of the flow that its goodput leaves out, ns (`iperf3 -O`).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub omit: u64,
    /// Its traffic.
    pub traffic: Traffic,
    /// True if it carries on the data of the flow before it: its `from` relays them.
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
    /// Makes a flow that starts this many ns after the network is up.
    pub fn new(start: u64, transfer: Transfer) -> Flow {
        Flow { start, transfer: Arc::new(transfer) }
    }

    /// Shares the other's transfer if both are equal.
    pub(super) fn share(&mut self, other: &Flow) {
        if self.transfer == other.transfer {
            self.transfer = Arc::clone(&other.transfer);
        }
    }
}

impl Transfer {
    /// Returns its IP version.
    pub fn family(&self) -> Ip {
        if self.ipv6 { Ip::V6 } else { Ip::V4 }
    }

    /// Returns the parameters of a TCP flow; `None` for any other.
    pub fn tcp(&self) -> Option<&Tcp> {
        match &self.traffic {
            Traffic::Bulk { tcp, .. } | Traffic::Requests { tcp, .. } => Some(tcp),
            Traffic::Udp { .. } | Traffic::Ping { .. } | Traffic::Program { .. } => None,
        }
    }

    /// Returns the nodes at ends 0 and 1 of its record: first the node that sends bulk data, responses to requests, or
    /// most of what programs send.
    pub fn ends(&self) -> [&str; 2] {
        match self.traffic {
            Traffic::Requests { .. } | Traffic::Program { sends: ProgramEnd::Server, .. } => [&self.to, &self.from],
            Traffic::Bulk { .. } | Traffic::Udp { .. } | Traffic::Ping { .. } | Traffic::Program { .. } => {
                [&self.from, &self.to]
            }
        }
    }

    /// True if users' programs are its ends.
    pub fn is_program(&self) -> bool {
        matches!(self.traffic, Traffic::Program { .. })
    }

    /// Returns the end of a TCP flow's record that sends most of its data. With requests, end 0 is the server and end 1
    /// the client, which sends more if requests are larger than responses.
    pub fn sending_end(&self) -> u64 {
        matches!(self.traffic, Traffic::Requests { request, response, .. } if request > response).into()
    }
}
