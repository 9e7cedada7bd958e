//! A host: its settings, interfaces, routes, counters and tunnels.

use crate::{OtherSystem, Place, System};
use serde::Serialize;

/// An end of a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum End {
    /// Sends most of the data.
    Sender,
    Receiver,
}

/// A host, as far as its file describes it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Host {
    /// File that describes it.
    pub place: Place,
    /// End of the transfer that it is, if known.
    pub end: Option<End>,
    /// Its operating system.
    pub system: Option<System>,
    /// Its operating system, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_system: Option<OtherSystem>,
    /// The kernel's version: `6.8.0-55-generic`, `14.2-RELEASE`.
    pub version: Option<String>,
    /// sysctl settings in the file's order: a key that occurs again has its later value.
    pub settings: Vec<Setting>,
    pub interfaces: Vec<Interface>,
    pub routes: Vec<Route>,
    /// Protocol counters listed in [`COUNTERS`].
    pub counters: Vec<Counter>,
    /// IPsec states and other tunnels.
    pub tunnels: Vec<Tunnel>,
}

/// The settings of both systems that choose the congestion control.
pub const CONGESTION_SETTINGS: [&str; 2] = ["net.ipv4.tcp_congestion_control", "net.inet.tcp.cc.algorithm"];

/// A sysctl setting, or a parameter of a congestion control.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Setting {
    pub place: Place,
    /// Key, with dots: `net.ipv4.tcp_rmem`.
    pub key: String,
    /// Value as printed, with one blank between fields.
    pub value: String,
    /// Value before, if sysctl prints it: `key: old -> new`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
}

impl Setting {
    /// Returns a setting without a value before.
    pub fn new(place: Place, key: impl Into<String>, value: impl Into<String>) -> Setting {
        Setting { place, key: key.into(), value: value.into(), was: None }
    }
}

/// A network interface.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Interface {
    /// First line that names it.
    pub place: Place,
    /// `eth0`, `ix0`.
    pub name: String,
    /// Kind, as `ip -d link` names it: `bond`, `bridge`, `vlan`, `veth`, `vxlan`, `gre`, `wireguard`, `ipsec`;
    /// FreeBSD's `lagg` is `bond`, its `epair` is `veth`.
    pub kind: Option<String>,
    /// Bond or bridge that it is a member of.
    pub master: Option<String>,
    /// Mode of a bond, as Linux names it: `balance-rr`, `active-backup`, `802.3ad`; FreeBSD's `roundrobin` is
    /// `balance-rr`.
    pub bond_mode: Option<String>,
    /// MTU, bytes.
    pub mtu: Option<u32>,
    /// The driver: `r8169`.
    pub driver: Option<String>,
    /// Link rate, bit/s.
    pub rate: Option<f64>,
    /// Whether the link is half duplex.
    pub half_duplex: Option<bool>,
    /// Whether it obeys pause frames, and whether it sends them (IEEE 802.3, annex 31B), as both ends negotiated it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pause: Option<[bool; 2]>,
    /// Its queueing discipline.
    pub qdisc: Option<String>,
    /// Line of each part of `qdisc`, its leaves included.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub qdisc_places: Vec<Place>,
    pub offloads: Vec<Offload>,
    /// Counters, by the names of the program that printed them: `RX-DRP`, `rx_dropped`.
    pub counters: Vec<Counter>,
    /// IPv4 and IPv6 addresses with prefix length.
    pub addresses: Vec<String>,
}

/// An offload, by ethtool's long name: `large-receive-offload`; FreeBSD's options have those names as well.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Offload {
    pub place: Place,
    /// `tcp-segmentation-offload`.
    pub name: String,
    pub on: bool,
    /// Whether it cannot be changed.
    pub fixed: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Route {
    pub place: Place,
    /// Destination: `default` or a prefix.
    pub to: String,
    pub via: Option<String>,
    pub device: Option<String>,
    /// MTU, bytes.
    pub mtu: Option<u32>,
    /// Other attributes with their values: `advmss`, `initcwnd`, `congctl`, `rto_min`, `ssthresh`.
    pub attributes: Vec<(String, String)>,
}

/// Protocol counters that a rule uses, by nstat's names. Others are read and dropped.
pub const COUNTERS: &[&str] = &[
    "TcpInSegs",
    "TcpInCsumErrors",
    "TcpOutSegs",
    "TcpRetransSegs",
    "TcpExtTCPTimeouts",
    "TcpExtTCPLossProbes",
    "TcpExtTCPDSACKRecv",
    "TcpExtListenOverflows",
    "TcpExtTCPMemoryPressures",
    "TcpExtPruneCalled",
    "TcpExtTCPRcvCollapsed",
    "UdpInDatagrams",
    "UdpInErrors",
    "UdpRcvbufErrors",
    CONNTRACK_FULL,
    TRANSMIT_HUNG,
    CHECKSUM_FAILURE,
    SUSPECT_GRO,
    OUT_OF_TCP_MEMORY,
];

/// Kernel message for packets dropped because the connection tracking table is full; also the name of its counter.
pub const CONNTRACK_FULL: &str = "nf_conntrack: table full, dropping packet";

/// Kernel message for a network card that stopped transmitting (net/sched/sch_generic.c, dev_watchdog); also the name
/// of its counter.
pub const TRANSMIT_HUNG: &str = "NETDEV WATCHDOG";

/// Kernel message for a checksum that a network card computed otherwise than the packet says, while the packet is right
/// (net/core/dev.c, netdev_rx_csum_fault); also the name of its counter.
pub const CHECKSUM_FAILURE: &str = "hw csum failure";

/// Kernel message for a driver that merges received segments wrongly (net/ipv4/tcp_input.c, tcp_gro_dev_warn), printed
/// once; also the name of its counter.
pub const SUSPECT_GRO: &str = "Driver has suspect GRO implementation";

/// Kernel message for TCP above the third value of tcp_mem (net/ipv4/tcp.c, tcp_check_oom); also the name of its
/// counter.
pub const OUT_OF_TCP_MEMORY: &str = "out of memory -- consider tuning tcp_mem";

/// Name of the counter of packets that a queueing discipline sent.
pub const QDISC_SENT: &str = "qdisc_sent";
/// Name of the counter of packets that fq dropped because a flow had filled its share of the queue.
pub const QDISC_FLOW_LIMIT: &str = "qdisc_flow_limit";

/// Name of an interface that a listing does not name, as a placeholder in commands.
pub const UNNAMED: &str = "DEVICE";

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Counter {
    pub place: Place,
    /// `TcpRetransSegs`, `RX-DRP`.
    pub name: String,
    pub value: u64,
    /// Value in the first listing of the file, if `value` is from a later one and no lower.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<u64>,
}

/// A tunnel: one IPsec state (`ip xfrm state`, `setkey -D`).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tunnel {
    pub place: Place,
    /// Source and destination.
    pub ends: [String; 2],
    /// `tunnel` or `transport`.
    pub mode: Option<String>,
    /// Cipher and authentication, as the kernel names them: `rfc4106(gcm(aes))`, `cbc(aes)`, `hmac(sha256)`.
    pub algorithms: Vec<String>,
    /// Length of the truncated authentication, bits.
    pub icv_bits: Option<u32>,
    /// Whether it is encapsulated in UDP (RFC 3948).
    pub in_udp: bool,
}

impl Counter {
    /// Returns a counter that was printed once.
    pub fn new(place: Place, name: impl Into<String>, value: u64) -> Counter {
        Counter { place, name: name.into(), value, was: None }
    }

    /// Returns what was counted between the listings of the file; of a counter that was printed once, all that was
    /// counted.
    pub fn counted(&self) -> u64 {
        self.value - self.was.unwrap_or(0)
    }

    /// Takes the value of a later listing.
    pub fn again(&mut self, later: Counter) {
        let was = self.was.unwrap_or(self.value);
        *self = Counter { was: Some(was).filter(|was| *was <= later.value), ..later };
    }
}

impl Host {
    /// Returns a host with everything unknown.
    pub fn new(place: Place) -> Host {
        Host {
            place,
            end: None,
            system: None,
            other_system: None,
            version: None,
            settings: vec![],
            interfaces: vec![],
            routes: vec![],
            counters: vec![],
            tunnels: vec![],
        }
    }

    /// True if it may be this end: it is not known to be the other.
    pub fn may_be(&self, end: End) -> bool {
        self.end.is_none_or(|own| own == end)
    }

    /// Returns the last value of a setting.
    pub fn setting(&self, key: &str) -> Option<&Setting> {
        self.settings.iter().rev().find(|setting| setting.key == key)
    }

    /// Returns a setting at a run: the nearest before the run in its file, else the first, because a later one is
    /// usually the next attempt.
    pub fn setting_at(&self, key: &str, run: &Place) -> Option<&Setting> {
        self.set_before(key, run).or_else(|| self.settings.iter().find(|setting| setting.key == key))
    }

    /// Returns a setting that the run's file has before the run.
    pub fn set_before(&self, key: &str, run: &Place) -> Option<&Setting> {
        let is_before =
            |setting: &&Setting| setting.key == key && setting.place.file == run.file && setting.place.line <= run.line;
        self.settings.iter().rfind(is_before)
    }

    /// True if its kernel is known to be this version or a later one.
    pub fn since(&self, least: [u32; 2]) -> bool {
        let Some(version) = &self.version else { return false };
        let mut numbers = version.split(|c: char| !c.is_ascii_digit()).map_while(|n| n.parse::<u32>().ok());
        [numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)] >= least
    }

    /// Returns a protocol counter.
    pub fn counter(&self, name: &str) -> Option<u64> {
        self.counters.iter().find(|counter| counter.name == name).map(|counter| counter.value)
    }
}

impl Interface {
    /// Returns an interface with everything unknown but its name.
    pub fn new(name: &str, place: Place) -> Interface {
        Interface {
            place,
            name: name.into(),
            kind: None,
            master: None,
            bond_mode: None,
            mtu: None,
            driver: None,
            rate: None,
            half_duplex: None,
            pause: None,
            qdisc: None,
            qdisc_places: vec![],
            offloads: vec![],
            counters: vec![],
            addresses: vec![],
        }
    }

    /// Returns one of its counters.
    pub fn counter(&self, name: &str) -> Option<&Counter> {
        self.counters.iter().find(|counter| counter.name == name)
    }

    /// Returns its counters of dropped packets that are above 0.
    pub fn drops(&self) -> impl Iterator<Item = &Counter> {
        let counts = |name: &str| name.contains("DRP") || name.contains("dropped");
        self.counters.iter().filter(move |counter| counter.value > 0 && counts(&counter.name))
    }

    /// Whether an offload is on; `None` if unknown.
    pub fn offload(&self, name: &str) -> Option<bool> {
        self.offloads.iter().find(|offload| offload.name == name).map(|offload| offload.on)
    }
}
