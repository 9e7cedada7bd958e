//! What to change on a host, on a path or in a program, as data.
//!
//! A [`Remedy`] is a [`Change`] with its place, its reason and what held before. Everything else is a rendering: `linux`
//! and `freebsd` give the commands for now, the lines that keep them over a reboot and the commands that undo both;
//! `lab` gives the keys of an experiment that stand for it. `catalogue` has the changes by the limit that they lift,
//! in sizes that follow from the path; diagnosis and advice take them there.
//!
//! `undo` restores what held before. Where that is not known, `now` first saves it in a file of root's, once, and `undo`
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

/// A change, where it goes, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Remedy {
    pub change: Change,
    pub at: At,
    /// The system that the commands are for; `None` if the change is none of a host's.
    pub platform: Option<Platform>,
    /// Why, and what to watch.
    pub why: String,
    /// What held before, if the evidence says.
    pub before: Option<Before>,
}

/// Where a change goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum At {
    /// The host that sends the data.
    Sender,
    /// The host that receives them.
    Receiver,
    Ends,
    /// A host that forwards packets of others.
    Forwarder,
    /// The program, not the system.
    Program,
}

impl At {
    /// As a sentence names it.
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

/// What can be changed. Sizes are bytes, rates bit/s.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum Change {
    Sysctl {
        key: &'static str,
        value: String,
    },
    /// A sysctl that is raised to a number at least.
    Raise {
        key: &'static str,
        /// The least that will do.
        least: u64,
    },
    /// The largest buffer that autotuning may give a socket.
    Autotuning {
        side: Side,
        /// The window, or the data in flight, that it has to hold.
        window: u64,
        /// What the buffer is known to be set to somewhere: it is not set to less.
        floor: u64,
    },
    /// The congestion control of new connections, by the system's name for it.
    Congestion(&'static str),
    /// The TCP stack of new connections, on FreeBSD.
    Stack(&'static str),
    /// The queueing discipline of a device.
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
    /// The MSS that forwarded connections announce, lowered to what fits this MTU.
    MssClamp(u32),
    /// Offloads of a device, switched off.
    OffloadsOff {
        device: String,
        features: &'static [Feature],
    },
    /// The MTU of a device.
    Mtu {
        device: String,
        /// Bytes; `None` if it has to be found first.
        bytes: Option<u32>,
    },
    /// A parameter of a kernel module.
    Parameter {
        module: &'static str,
        name: &'static str,
        value: &'static str,
    },
    /// What the kernel remembers of earlier connections, forgotten once.
    ForgetMetrics,
    /// Linux' tcp_mem, as the kernel computes it from the memory.
    TcpMemory,
    /// An option of the program's socket.
    Socket(SocketOption),
    /// So many connections in place of one.
    Streams(u32),
    /// The buffer of the bottleneck, in hundredths of a bandwidth-delay product.
    BottleneckBuffer(u32),
    /// What no command does.
    Words {
        what: &'static str,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Side {
    /// The receiver's.
    Receive,
    /// The sender's.
    Send,
}

/// A queueing discipline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Discipline {
    /// Fair queueing that paces, for hosts that send.
    Fq,
    /// A shaper with fair queueing and an AQM, at a rate; `None` if it is not known.
    Cake(Option<u64>),
    /// A shaper with a drop-tail queue of 50 ms, at a rate; `None` if it is not known.
    Tbf(Option<u64>),
}

/// An attribute of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Attribute {
    Mtu,
    /// The MSS that is announced towards it.
    Advmss,
    /// The initial congestion window, in segments.
    InitialWindow,
    /// The congestion control towards it.
    Congestion,
    /// The least retransmission timeout.
    RtoMin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Feature {
    /// Checksums of packets sent.
    TxChecksum,
    /// Segmentation of TCP by the card, of IPv4 and IPv6.
    Tso,
    /// Segmentation in front of the driver.
    Gso,
    /// Merging of what is received, without a trace of the boundaries.
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
    /// `10.4.0.0/16`, or `default`.
    pub prefix: String,
    /// The prefix's first address.
    pub address: String,
    /// Whether it is IPv6.
    pub ipv6: bool,
    /// The next hop, if it is known.
    pub via: Option<String>,
    /// The interface, if it is known.
    pub interface: Option<String>,
}

impl Route {
    /// To one destination: other traffic keeps its route.
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
    /// Commands that make it so until the next boot, in their order.
    pub now: Vec<String>,
    /// Lines of files that keep it so.
    pub keep: Vec<(File, String)>,
    /// Commands that restore what held before.
    pub undo: Vec<String>,
}

impl Steps {
    /// Commands that take out of the files what keeps it.
    pub fn removals(&self) -> Vec<String> {
        let mut removals: Vec<String> = self.keep.iter().map(|(file, line)| file.removal(line)).collect();
        removals.dedup();
        removals
    }
}

/// A destination whose address is not known.
const HOST: &str = "HOST";

/// A device whose name is not known.
pub const DEVICE: &str = "DEVICE";

impl Remedy {
    /// A change for a system.
    pub fn new(change: Change, at: At, platform: &Platform, why: impl Into<String>) -> Remedy {
        Remedy { change, at, platform: Some(platform.clone()), why: why.into(), before: None }
    }

    /// A change that is none of a host's system.
    pub fn beyond(change: Change, at: At, why: impl Into<String>) -> Remedy {
        Remedy { change, at, platform: None, why: why.into(), before: None }
    }

    /// The system that its commands are for.
    pub fn system(&self) -> Option<System> {
        self.platform.as_ref().map(|platform| platform.system)
    }

    /// As commands and files; empty if there are none for it.
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

    /// The setting that it changes, if it changes one: a sysctl, or a parameter of a kernel module.
    pub fn setting(&self) -> Option<String> {
        match &self.change {
            Change::Parameter { module, name, .. } => Some(format!("{module}.{name}")),
            _ => self.key().map(str::to_owned),
        }
    }

    /// The sysctl that it changes, if it changes one.
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

    /// What it changes, in a word or a few.
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

    /// As ip-route(8) calls it.
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
    /// As `ethtool -K` takes it.
    pub fn word(self) -> &'static str {
        self.names().0
    }

    /// As `ethtool -k` prints it; `None` if Linux has none such.
    pub fn ethtool(self) -> Option<&'static str> {
        self.names().1
    }

    /// Options of ifconfig(8) on FreeBSD, with what it prints for each.
    pub fn options(self) -> &'static [(&'static str, &'static str)] {
        self.names().2
    }

    /// ethtool's short and long name, FreeBSD's options of ifconfig with what it prints for each.
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
