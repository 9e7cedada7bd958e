//! Changes to a host, a path or a program, as data.
//!
//! A [`Remedy`] is a [`Change`] with its place, its reason and the previous value. Everything else is a rendering:
//! `linux` and `freebsd` give the commands for now, the lines that keep them across reboots and the commands that undo
//! both; `lab` gives the corresponding keys of an experiment. `catalogue` has the changes by the limit that they lift,
//! with sizes computed from the path, for diagnosis and advice.
//!
//! `undo` restores the previous value. If that is unknown, `now` first saves it once in a file of root's, and `undo`
//! loads and removes that file.

pub mod catalogue;
mod file;
mod freebsd;
pub mod lab;
mod linux;
mod prior_state;
mod shell;
mod typed;
pub mod word;
pub mod word_freebsd;
mod words;

pub use file::File;
pub use prior_state::{Before, Held, When};
pub use shell::folded;
pub use typed::Typed;

use evidence::System;
use evidence::platform::Platform;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use std::net::IpAddr;

/// A change with its place and reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Remedy {
    pub change: Change,
    pub at: At,
    /// System for the commands; `None` if the change is not a host's.
    pub platform: Option<Platform>,
    /// Reason, and side effects to watch.
    pub why: String,
    /// Previous value, if the evidence has it.
    pub before: Option<Before>,
}

/// The place of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum At {
    /// Host that sends the data.
    Sender,
    /// Host that receives the data.
    Receiver,
    Ends,
    /// Host that forwards packets of others.
    Forwarder,
    /// Program, not the system.
    Program,
}

impl At {
    /// Returns its name in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            At::Sender => "on the sender",
            At::Receiver => "on the receiver",
            At::Ends => "on both ends",
            At::Forwarder => "on the router or bridge",
            At::Program => "in the application",
        }
    }
}

/// A possible change. Sizes are bytes, rates bit/s.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum Change {
    Sysctl {
        key: &'static str,
        value: String,
    },
    /// A sysctl raised to at least a number.
    Raise {
        key: &'static str,
        /// Smallest sufficient value.
        least: u64,
    },
    /// Largest buffer that autotuning may give a socket.
    Autotuning {
        side: Side,
        /// Window, or bytes in flight, that must fit.
        window: u64,
        /// Known setting of the buffer on some host, below which it is not set.
        floor: u64,
    },
    /// Congestion control of new connections, by the system's name for it.
    Congestion(&'static str),
    /// TCP stack of new connections, on FreeBSD.
    Stack(&'static str),
    /// Queueing discipline of a device.
    Qdisc {
        device: String,
        discipline: Discipline,
    },
    /// An attribute of a route.
    Route {
        route: Route,
        attribute: Attribute,
        value: String,
    },
    /// MTU to which the MSS of forwarded connections is lowered.
    MssClamp(u32),
    /// Offloads of a device, switched off.
    OffloadsOff {
        device: String,
        features: &'static [Feature],
    },
    /// MTU of a device.
    Mtu {
        device: String,
        /// MTU, bytes; `None` if it has to be found first.
        bytes: Option<u32>,
    },
    /// A parameter of a kernel module.
    Parameter {
        module: &'static str,
        name: &'static str,
        value: &'static str,
    },
    /// Removal of the values that the kernel cached from earlier connections.
    ForgetMetrics,
    /// tcp_mem of Linux, as the kernel computes it from the memory.
    TcpMemory,
    /// Option of the program's socket.
    Socket(SocketOption),
    /// Number of connections in place of one.
    Streams(u32),
    /// Buffer of the bottleneck, in hundredths of a bandwidth-delay product.
    BottleneckBuffer(u32),
    /// Change that no command makes.
    Words {
        what: &'static str,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Side {
    /// The receiver's side.
    Receive,
    /// The sender's side.
    Send,
}

/// A queueing discipline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Discipline {
    /// Fair queueing that paces, for sending hosts.
    Fq,
    /// Shaper with fair queueing and an AQM, at a rate; `None` if unknown.
    Cake(Option<u64>),
    /// Shaper with a drop-tail queue of 50 ms, at a rate; `None` if unknown.
    Tbf(Option<u64>),
}

/// An attribute of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Attribute {
    Mtu,
    /// MSS announced to the destination.
    Advmss,
    /// Initial cwnd, segments.
    InitialWindow,
    /// Congestion control towards the destination.
    Congestion,
    /// Smallest retransmission timeout.
    RtoMin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Feature {
    /// Checksums of sent packets.
    TxChecksum,
    /// TCP segmentation by the card, for IPv4 and IPv6.
    Tso,
    /// Segmentation in front of the driver.
    Gso,
    /// Merging of received packets without keeping their boundaries.
    Lro,
    /// TSO of VLANs, on FreeBSD.
    VlanTso,
}

/// An option of a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum SocketOption {
    /// TCP_NODELAY set.
    NoDelay,
    /// SO_RCVBUF or SO_SNDBUF left unset, so that autotuning works.
    DefaultBuffer(Side),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Route {
    /// Prefix: `10.4.0.0/16`, or `default`.
    pub prefix: String,
    /// First address of the prefix.
    pub address: String,
    /// Whether the prefix is IPv6.
    pub ipv6: bool,
    /// Next hop, if known.
    pub via: Option<String>,
    /// Interface, if known.
    pub interface: Option<String>,
}

impl Route {
    /// Returns a route to one destination, so that other traffic keeps its route.
    pub fn to(destination: Option<IpAddr>) -> Route {
        let destination = destination.map(|address| address.to_canonical());
        let ipv6 = destination.is_some_and(|address| address.is_ipv6());
        let address = destination.map_or(HOST.to_owned(), |address| address.to_string());
        let prefix = format!("{address}/{}", if ipv6 { 128 } else { 32 });
        Route { prefix, address, ipv6, via: None, interface: None }
    }
}

/// A remedy as commands and files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Steps {
    /// Commands that make the change until the next boot, in order.
    pub now: Vec<String>,
    /// Lines of files that keep the change.
    pub keep: Vec<(File, String)>,
    /// Commands that restore the previous state.
    pub undo: Vec<String>,
}

impl Steps {
    /// Returns the commands that remove the persistent lines.
    pub fn removals(&self) -> Vec<String> {
        let mut removals: Vec<String> = self.keep.iter().map(|(file, line)| file.removal(line)).collect();
        removals.dedup();
        removals
    }
}

/// Placeholder for an unknown destination address.
const HOST: &str = "HOST";

/// Placeholder for an unknown device.
pub const DEVICE: &str = "DEVICE";

impl Remedy {
    /// Creates a change for a system.
    pub fn new(change: Change, at: At, platform: &Platform, why: impl Into<String>) -> Remedy {
        Remedy { change, at, platform: Some(platform.clone()), why: why.into(), before: None }
    }

    /// Creates a change outside a host's system.
    pub fn beyond(change: Change, at: At, why: impl Into<String>) -> Remedy {
        Remedy { change, at, platform: None, why: why.into(), before: None }
    }

    /// Returns the system of its commands.
    pub fn system(&self) -> Option<System> {
        self.platform.as_ref().map(|platform| platform.system)
    }

    /// Returns its commands and files; empty if there are none.
    pub fn steps(&self) -> Steps {
        let (Some(platform), Some(remedy)) = (&self.platform, words::plain(self)) else { return Steps::default() };
        match platform.system {
            System::Linux => linux::steps(&remedy, platform),
            System::FreeBsd => freebsd::steps(&remedy, platform),
        }
    }

    /// Whether it sets its setting to this value.
    pub fn sets(&self, value: &str) -> bool {
        match &self.change {
            Change::Sysctl { value: new, .. } => new == value,
            Change::Raise { least, .. } => least.to_string() == value,
            Change::Congestion(name) | Change::Stack(name) => *name == value,
            Change::Parameter { value: new, .. } => *new == value,
            _ => false,
        }
    }

    /// Returns the setting that it changes, if any: a sysctl, or a parameter of a kernel module.
    pub fn setting(&self) -> Option<String> {
        match &self.change {
            Change::Parameter { module, name, .. } => Some(format!("{module}.{name}")),
            _ => self.key().map(str::to_owned),
        }
    }

    /// Returns the sysctl that it changes, if any.
    pub fn key(&self) -> Option<&'static str> {
        match (&self.change, self.system()?) {
            (Change::Sysctl { key, .. } | Change::Raise { key, .. }, _) => Some(key),
            (Change::Autotuning { side: Side::Receive, .. }, System::Linux) => Some("net.ipv4.tcp_rmem"),
            (Change::Autotuning { side: Side::Send, .. }, System::Linux) => Some("net.ipv4.tcp_wmem"),
            (Change::Autotuning { side: Side::Receive, .. }, System::FreeBsd) => Some("net.inet.tcp.recvbuf_max"),
            (Change::Autotuning { side: Side::Send, .. }, System::FreeBsd) => Some("net.inet.tcp.sendbuf_max"),
            (Change::Congestion(_), System::Linux) => Some("net.ipv4.tcp_congestion_control"),
            (Change::Congestion(_), System::FreeBsd) => Some("net.inet.tcp.cc.algorithm"),
            (Change::TcpMemory, System::Linux) => Some("net.ipv4.tcp_mem"),
            (Change::Stack(_), System::FreeBsd) => Some("net.inet.tcp.functions_default"),
            _ => None,
        }
    }

    /// Returns what it changes, in a few words.
    pub fn what(&self) -> &'static str {
        match &self.change {
            Change::Sysctl { key, .. } | Change::Raise { key, .. } => key,
            Change::Autotuning { side: Side::Receive, .. } => "receive buffer",
            Change::Autotuning { side: Side::Send, .. } => "send buffer",
            Change::Congestion(_) => "congestion control",
            Change::Stack(_) => "TCP stack",
            Change::Qdisc { discipline: Discipline::Fq, .. } => "pacing",
            Change::Qdisc { discipline: Discipline::Cake(_), .. } => "AQM for the whole device",
            Change::Qdisc { discipline: Discipline::Tbf(_), .. } => "shaper for the whole device",
            Change::Route { attribute, .. } => attribute.what(),
            Change::MssClamp(_) => "MSS clamp",
            Change::OffloadsOff { .. } => "offloads",
            Change::Mtu { .. } => "MTU",
            Change::Parameter { name, .. } => name,
            Change::ForgetMetrics => "cached metrics",
            Change::TcpMemory => "tcp_mem",
            Change::Socket(SocketOption::NoDelay) => "Nagle's algorithm",
            Change::Socket(SocketOption::DefaultBuffer(Side::Receive)) => "SO_RCVBUF",
            Change::Socket(SocketOption::DefaultBuffer(Side::Send)) => "SO_SNDBUF",
            Change::Streams(_) => "parallel streams",
            Change::BottleneckBuffer(_) => "bottleneck buffer",
            Change::Words { what } => what,
        }
    }
}

impl Attribute {
    fn what(self) -> &'static str {
        match self {
            Attribute::Mtu => "route MTU",
            Attribute::Advmss => "route advmss",
            Attribute::InitialWindow => "initial window",
            Attribute::Congestion => "congestion control of a route",
            Attribute::RtoMin => "minimum RTO",
        }
    }

    /// Returns its name in ip-route(8).
    pub fn word(self) -> &'static str {
        match self {
            Attribute::Mtu => "mtu",
            Attribute::Advmss => "advmss",
            Attribute::InitialWindow => "initcwnd",
            Attribute::Congestion => "congctl",
            Attribute::RtoMin => "rto_min",
        }
    }
}

impl Feature {
    /// Returns its name for `ethtool -K`.
    pub fn word(self) -> &'static str {
        self.names().0
    }

    /// Returns its name in the output of `ethtool -k`; `None` if Linux lacks it.
    pub fn ethtool(self) -> Option<&'static str> {
        self.names().1
    }

    /// Returns the options of ifconfig(8) on FreeBSD, with the printed flag of each.
    pub fn options(self) -> &'static [(&'static str, &'static str)] {
        self.names().2
    }

    /// Returns ethtool's short and long name, and FreeBSD's options of ifconfig with their printed flags.
    fn names(self) -> (&'static str, Option<&'static str>, &'static [(&'static str, &'static str)]) {
        match self {
            Feature::TxChecksum => ("tx", Some("tx-checksumming"), &[("txcsum", "TXCSUM")]),
            Feature::Tso => ("tso", Some("tcp-segmentation-offload"), &[("tso4", "TSO4"), ("tso6", "TSO6")]),
            Feature::Gso => ("gso", Some("generic-segmentation-offload"), &[]),
            Feature::Lro => ("lro", Some("large-receive-offload"), &[("lro", "LRO")]),
            Feature::VlanTso => ("", None, &[("vlanhwtso", "VLAN_HWTSO")]),
        }
    }
}

impl Serialize for Remedy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let steps = self.steps();
        let mut remedy = serializer.serialize_struct("Remedy", 10)?;
        remedy.serialize_field("what", self.what())?;
        remedy.serialize_field("change", &self.change)?;
        remedy.serialize_field("at", &self.at)?;
        remedy.serialize_field("system", &self.system())?;
        remedy.serialize_field("why", &self.why)?;
        remedy.serialize_field("before", &self.before)?;
        remedy.serialize_field("now", &steps.now)?;
        remedy.serialize_field("keep", &steps.keep)?;
        remedy.serialize_field("undo", &[steps.removals(), steps.undo].concat())?;
        remedy.serialize_field("lab", &lab::keys(self, &lab::Network::default()))?;
        remedy.end()
    }
}
