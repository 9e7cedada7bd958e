//! The evidence model: connections, hosts and paths in the same types, whatever program printed them.
//!
//! `import` and `capture` build evidence from users' files, `analysis::sources` from the lab's own recordings. A value that the source
//! does not give is `None` or an empty list, never a default. All times are seconds, sizes bytes, rates bit/s, shares 0
//! to 1.

#![forbid(unsafe_code)]

pub mod capture;
mod connection;
mod counted;
mod counter_kind;
pub mod ecn;
pub mod export;
pub mod fault;
mod flent_file;
pub mod headers;
mod host;
pub mod import;
pub mod listing;
pub mod packed;
pub mod plain;
pub mod platform;
mod qlog_file;
pub mod unit;

pub use connection::{Connection, Hole, Limits, Packet, Point, Rounding, Seen, Source, Window};
pub use counted::counted;
pub use counter_kind::CounterKind;
pub use flent_file::flent;
pub use host::{
    CHECKSUM_FAILURE, CONGESTION_SETTINGS, CONNTRACK_FULL, COUNTERS, Counter, End, Host, Interface, OUT_OF_TCP_MEMORY,
    Offload, QDISC_FLOW_LIMIT, QDISC_SENT, Route, SUSPECT_GRO, Setting, TRANSMIT_HUNG, Tunnel, UNNAMED,
};
pub use listing::Listing;
pub use platform::{OtherSystem, System};
pub use qlog_file::qlog;

use headers::Ip;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};
use std::net::IpAddr;
use std::sync::Arc;

/// Everything that was read.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Evidence {
    /// Listings of iperf3 and iperf.
    pub listings: Vec<Printed>,
    /// TCP connections from listings, `ss`, siftr, captures and the laboratory.
    pub connections: Vec<Connection>,
    /// Runs of several TCP connections that printed only the sum, each as one connection.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sums: Vec<Connection>,
    /// Hosts, one for each file that describes one.
    pub hosts: Vec<Host>,
    /// Runs of `ping`.
    pub pings: Vec<Ping>,
    /// Paths that `tracepath`, `traceroute` or `mtr` traced.
    pub paths: Vec<Path>,
    /// Goodput over packet or segment length.
    pub sweeps: Vec<Sweep>,
    pub tables: Vec<Table>,
    /// Errors that programs printed about themselves, other than iperf's, which its listing has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ProgramError>,
    /// Rate of the links of a trial.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link_rate: Option<LinkRate>,
    /// Lines that were not read.
    pub unread: Vec<Unread>,
}

impl Evidence {
    /// Returns the number of items of each kind, in words.
    pub fn contents(&self) -> Vec<String> {
        let count = |n: usize, one: &str, many: &str| match n {
            0 => None,
            1 => Some(format!("1 {one}")),
            n => Some(format!("{n} {many}")),
        };
        let both_ends = self.connections.iter().filter(|one| self.is_other_end(one)).count();
        let of_hosts = |number: fn(&Host) -> usize| self.hosts.iter().map(number).sum();
        [
            count(self.listings.len(), "iperf run", "iperf runs"),
            count(self.connections.len() - both_ends, "connection", "connections"),
            count(both_ends, "of them printed at both ends", "of them printed at both ends"),
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
            count(
                self.sweeps.iter().filter(|sweep| !sweep.points.is_empty()).count(),
                "sweep over lengths",
                "sweeps over lengths",
            ),
            count(self.tables.len(), "table of results", "tables of results"),
            count(
                self.sums.iter().filter(|sum| matches!(sum.source, Source::Speedtest | Source::Copy)).count(),
                "rate of a speed test or copy",
                "rates of speed tests or copies",
            ),
            count(self.errors.len(), "error of a program", "errors of programs"),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// True for a receiver's listing of a connection that its sender's listing shows as well.
    fn is_other_end(&self, one: &Connection) -> bool {
        let is_sender = |other: &Connection| {
            other.seen == Seen::Sender && other.source == one.source && other.ends.is_some() && other.name == one.name
        };
        one.seen == Seen::Receiver && self.connections.iter().any(is_sender)
    }

    /// Returns the files that contained something readable.
    pub fn files(&self) -> BTreeSet<&str> {
        let runs = self.listings.iter().map(|run| &run.place).chain(self.connections.iter().map(|one| &one.place));
        let runs =
            runs.chain(self.sums.iter().map(|sum| &sum.place)).chain(self.errors.iter().map(|error| &error.place));
        let hosts = self.hosts.iter().map(|host| &host.place);
        let paths = self.pings.iter().map(|ping| &ping.place).chain(self.paths.iter().map(|path| &path.place));
        let tables = self.sweeps.iter().map(|sweep| &sweep.place).chain(self.tables.iter().map(|table| &table.place));
        runs.chain(hosts).chain(paths).chain(tables).map(|place| &*place.file).collect()
    }

    /// Returns an unused number for a group of connections that share time and path.
    pub fn next_group(&self) -> usize {
        self.connections.iter().chain(&self.sums).map(|connection| connection.group + 1).max().unwrap_or(0)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The file, as the command names it.
    pub file: Arc<str>,
    /// Line in the file, from 1; 0 if the file has no lines.
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

/// A listing of iperf and its place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Printed {
    pub place: Place,
    pub listing: Listing,
    /// Index in [`Evidence::listings`] of the listing that the other end of the same run printed.
    pub other_end: Option<usize>,
}

/// One run of `ping`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ping {
    pub place: Place,
    pub target: String,
    /// Address that was pinged, if printed.
    pub address: Option<IpAddr>,
    /// Payload of each request, bytes.
    pub payload: Option<u32>,
    /// Whether fragmentation was forbidden: `-M do`, `-D`, `-f` on Windows.
    pub whole: bool,
    pub sent: Option<u64>,
    pub answered: Option<u64>,
    /// Round-trip times in order, seconds; from a summary alone: minimum, mean and maximum.
    pub rtts: Vec<f64>,
    /// Next hop's MTU from an ICMP error (RFC 1191), bytes.
    pub too_big: Option<u32>,
}

impl Ping {
    /// Returns the IP version of the address or the target; IPv4 if neither tells.
    pub fn ip(&self) -> Ip {
        let is_ipv6 = self.address.map_or(self.target.contains(':'), |address| address.to_canonical().is_ipv6());
        if is_ipv6 { Ip::V6 } else { Ip::V4 }
    }

    /// Returns the length of each IP packet, bytes.
    pub fn length(&self) -> Option<u32> {
        self.payload?.checked_add(self.ip().datagram())
    }

    /// True if this ping may have probed an end of the connection: an address is unknown or equal, or NAT may translate
    /// between a private and a public one.
    pub fn may_be_of(&self, connection: &Connection) -> bool {
        let Some((asked, ends)) = self.address.zip(connection.addresses()) else { return true };
        ends.contains(&asked) || ends.iter().any(|end| is_private(*end) != is_private(asked))
    }
}

/// True for addresses that stay within a network (RFC 1918, 4193, 6598); a router may translate them.
fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(four) => {
            let [first, second, ..] = four.octets();
            four.is_private() || four.is_loopback() || four.is_link_local() || first == 100 && second & 0xc0 == 64
        }
        IpAddr::V6(six) => six.is_loopback() || six.is_unique_local() || six.is_unicast_link_local(),
    }
}

/// A path that `tracepath`, `traceroute` or `mtr` traced.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Path {
    pub place: Place,
    pub target: Option<String>,
    /// Hops at which the path MTU changed: hop number, and new path MTU, bytes.
    pub mtus: Vec<(u32, u32)>,
    /// Last path MTU found, bytes.
    pub pmtu: Option<u32>,
    /// Round-trip time to the last hop that answered, seconds.
    pub rtt: Option<f64>,
    /// Whether the target was reached.
    pub reached: bool,
}

/// Goodput over packet or segment length, from a shell loop around iperf.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sweep {
    pub place: Place,
    /// Length, bytes, and its goodput, bit/s; by rising length.
    pub points: Vec<(f64, f64)>,
    /// Whether lengths are MSS values, as for `iperf3 -M`: packets are longer by the headers of IPv4 and TCP.
    pub mss: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    pub place: Place,
    pub columns: Vec<String>,
    /// Rows as printed, a cell for each column.
    pub rows: Vec<Vec<String>>,
}

/// An error that a program printed about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProgramError {
    pub place: Place,
    /// The program: `curl`.
    pub program: &'static str,
    /// Its message.
    pub says: String,
}

/// The rate that links of the laboratory should carry.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinkRate {
    pub place: Place,
    /// Rate, bit/s.
    pub rate: f64,
}

/// A run of lines that were not read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Unread {
    /// First line.
    pub place: Place,
    /// Number of the last line, from 1.
    pub to: usize,
    /// Reason; `None` for lines that no reader knows, such as prose and other programs' output.
    pub why: Option<String>,
}
