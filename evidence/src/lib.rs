//! What was seen of connections, hosts and paths: the same nouns, wherever it was read.
//!
//! `import` makes them of files that people have, `diagnose` of the laboratory's own recordings. What a source does not
//! tell is `None` or an empty list, never a default. All times are seconds, sizes bytes, rates bits per second, shares
//! 0 to 1.

#![forbid(unsafe_code)]

pub mod capture;
mod connection;
pub mod ecn;
pub mod fault;
pub mod headers;
mod host;
pub mod import;
pub mod listing;
pub mod plain;
pub mod platform;
pub mod unit;

pub use connection::{Connection, Hole, Limits, Packet, Point, Seen, Source, Window};
pub use host::{
    CONNTRACK_FULL, COUNTERS, Counter, End, Host, Interface, Offload, QDISC_FLOW_LIMIT, QDISC_SENT, Route, Setting,
    TRANSMIT_HUNG, Tunnel, UNNAMED,
};
pub use listing::Listing;
pub use platform::System;

use headers::Ip;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};
use std::net::IpAddr;
use std::sync::Arc;

/// Everything that was read.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Evidence {
    /// What iperf3 and iperf printed.
    pub listings: Vec<Printed>,
    /// TCP connections, of listings as of `ss`, siftr, captures and the laboratory.
    pub connections: Vec<Connection>,
    /// Runs of several TCP connections of which the sum alone was printed, each as one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sums: Vec<Connection>,
    /// What is known of hosts, one for each file that tells of one.
    pub hosts: Vec<Host>,
    /// Answers to `ping`.
    pub pings: Vec<Ping>,
    /// Path MTUs that `tracepath` found.
    pub paths: Vec<Path>,
    /// Goodput over a varied length.
    pub sweeps: Vec<Sweep>,
    pub tables: Vec<Table>,
    /// Figures that prose tells.
    pub said: Vec<Said>,
    /// What was not read.
    pub unread: Vec<Unread>,
}

impl Evidence {
    /// What was read, in words.
    pub fn contents(&self) -> Vec<String> {
        let count = |n: usize, one: &str, many: &str| match n {
            0 => None,
            1 => Some(format!("1 {one}")),
            n => Some(format!("{n} {many}")),
        };
        let of_hosts = |number: fn(&Host) -> usize| self.hosts.iter().map(number).sum();
        [
            count(self.listings.len(), "iperf run", "iperf runs"),
            count(self.connections.len(), "connection", "connections"),
            count(
                self.connections.iter().filter(|connection| connection.cut_off).count(),
                "of them cut off",
                "of them cut off",
            ),
            count(of_hosts(|host| host.settings.len()), "setting", "settings"),
            count(of_hosts(|host| host.interfaces.len()), "interface", "interfaces"),
            count(of_hosts(|host| host.routes.len()), "route", "routes"),
            count(of_hosts(|host| host.counters.len()), "counter", "counters"),
            count(of_hosts(|host| host.tunnels.len()), "IPsec SA", "IPsec SAs"),
            count(self.pings.len(), "ping run", "ping runs"),
            count(self.paths.len(), "traced path", "traced paths"),
            count(self.sweeps.len(), "sweep over lengths", "sweeps over lengths"),
            count(self.tables.len(), "table of results", "tables of results"),
            count(self.said.len(), "figure stated in the text", "figures stated in the text"),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// The files of which something was read.
    pub fn files(&self) -> BTreeSet<&str> {
        let runs = self.listings.iter().map(|run| &run.place).chain(self.connections.iter().map(|one| &one.place));
        let hosts = self.hosts.iter().map(|host| &host.place);
        let paths = self.pings.iter().map(|ping| &ping.place).chain(self.paths.iter().map(|path| &path.place));
        let tables = self.sweeps.iter().map(|sweep| &sweep.place).chain(self.tables.iter().map(|table| &table.place));
        let said = self.said.iter().map(|said| &said.place);
        runs.chain(hosts).chain(paths).chain(tables).chain(said).map(|place| &*place.file).collect()
    }

    /// A number for connections at the same time over the same path that no connection has yet.
    pub fn next_group(&self) -> usize {
        self.connections.iter().map(|connection| connection.group + 1).max().unwrap_or(0)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The file, as the command names it.
    pub file: Arc<str>,
    /// Its line, from 1; 0 where a file has no lines.
    pub line: usize,
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.file),
            line => write!(f, "{}:{line}", self.file),
        }
    }
}

/// A listing of iperf, and where it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Printed {
    pub place: Place,
    pub listing: Listing,
    /// The file's listing of the other end of the same run, as its place in [`Evidence::listings`].
    pub other_end: Option<usize>,
}

/// What `ping` counted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ping {
    pub place: Place,
    pub target: String,
    /// The address of whom it asked, where it is printed.
    pub address: Option<IpAddr>,
    /// Bytes of payload of each request.
    pub payload: Option<u32>,
    /// Whether fragmenting was forbidden: `-M do`, `-D`.
    pub whole: bool,
    pub sent: Option<u64>,
    pub answered: Option<u64>,
    /// Round-trip times, seconds, in their order; from the summary alone the least, mean and largest.
    pub rtts: Vec<f64>,
    /// The next hop's MTU that an ICMP error told (RFC 1191), bytes.
    pub too_big: Option<u32>,
}

impl Ping {
    /// The IP that it asked over, by the address or the target; IPv4 if neither says.
    pub fn ip(&self) -> Ip {
        let is_ipv6 = self.address.map_or(self.target.contains(':'), |address| address.to_canonical().is_ipv6());
        if is_ipv6 { Ip::V6 } else { Ip::V4 }
    }

    /// Bytes of each IP packet.
    pub fn length(&self) -> Option<u32> {
        self.payload?.checked_add(self.ip().datagram())
    }

    /// Whether it may have asked an end of a connection: not if it asked another address, unless one of them may be translated.
    pub fn may_be_of(&self, connection: &Connection) -> bool {
        let Some((asked, ends)) = self.address.zip(connection.addresses()) else { return true };
        ends.contains(&asked) || ends.iter().any(|end| is_private(*end) != is_private(asked))
    }
}

/// Addresses that stay within a network (RFC 1918, 4193, 6598), which a router may translate.
fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(four) => {
            let [first, second, ..] = four.octets();
            four.is_private() || four.is_loopback() || four.is_link_local() || first == 100 && second & 0xc0 == 64
        }
        IpAddr::V6(six) => six.is_loopback() || six.is_unique_local() || six.is_unicast_link_local(),
    }
}

/// What `tracepath` found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Path {
    pub place: Place,
    pub target: Option<String>,
    /// The path MTU at each hop at which it changed: the hop, bytes.
    pub mtus: Vec<(u32, u32)>,
    /// The path MTU at the end, bytes.
    pub pmtu: Option<u32>,
    /// Round-trip time to the last hop that answered, seconds.
    pub rtt: Option<f64>,
    /// Whether the target was reached.
    pub reached: bool,
}

/// Goodput over a varied length: what a shell loop around iperf writes, or what prose says of one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sweep {
    pub place: Place,
    /// Lengths, bytes, and the goodput of each, bit/s; by rising length.
    pub points: Vec<(f64, f64)>,
    /// Whether lengths are MSS, as `iperf3 -M` takes them: packets are longer by the headers of IPv4 and TCP.
    pub mss: bool,
    /// Whether a sentence told it: then the points are the ends of a range, and what lies outside it.
    pub told: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    pub place: Place,
    pub columns: Vec<String>,
    /// Rows as printed, a cell for each column.
    pub rows: Vec<Vec<String>>,
}

/// A figure that prose tells.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Said {
    pub place: Place,
    pub what: Quantity,
    /// In the unit of the quantity: seconds, bit/s.
    pub value: f64,
}

/// What prose can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Quantity {
    /// Round-trip time, seconds.
    Rtt,
    /// Rate of the line, bit/s.
    LineRate,
    /// What a transfer gets, bit/s; read beside a window or a buffer alone.
    Goodput,
    /// Receive window, bytes.
    Window,
    /// Send buffer that a program asks for, bytes.
    SendBuffer,
}

/// Lines that were not read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Unread {
    /// The first of them.
    pub place: Place,
    /// The last line.
    pub to: usize,
    /// Why; `None` of lines that no reader knows: prose, and what other programs print.
    pub why: Option<String>,
}
