//! What is known of a host.

use crate::{Place, System};
use serde::Serialize;

/// An end of a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum End {
    /// Sends most of the data.
    Sender,
    Receiver,
}

/// A host, as far as its files tell.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Host {
    /// The file that tells of it.
    pub place: Place,
    /// The end that it is, where somebody says so.
    pub end: Option<End>,
    /// Its operating system.
    pub system: Option<System>,
    /// The kernel's version: `6.8.0-55-generic`, `14.2-RELEASE`.
    pub version: Option<String>,
    /// Settings of sysctl in the order of the file: the same key again is its value later.
    pub settings: Vec<Setting>,
    pub interfaces: Vec<Interface>,
    pub routes: Vec<Route>,
    /// Counters of the protocols, of [`COUNTERS`].
    pub counters: Vec<Counter>,
    /// IPsec's states, and other tunnels.
    pub tunnels: Vec<Tunnel>,
}

/// A setting of sysctl, or of a congestion control's parameters.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Setting {
    pub place: Place,
    /// With dots: `net.ipv4.tcp_rmem`.
    pub key: String,
    /// As printed, fields apart by one blank.
    pub value: String,
    /// What it was until then, where sysctl says so: `key: old -> new`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
}

impl Setting {
    /// A setting with its value, of which nobody says what it was before.
    pub fn new(place: Place, key: impl Into<String>, value: impl Into<String>) -> Setting {
        Setting { place, key: key.into(), value: value.into(), was: None }
    }
}

/// A network interface.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Interface {
    /// Where it was named first.
    pub place: Place,
    /// `eth0`, `ix0`.
    pub name: String,
    /// What it is, in the words of `ip -d link`: `bond`, `bridge`, `vlan`, `veth`, `vxlan`, `gre`, `wireguard`, `ipsec`;
    /// FreeBSD's `lagg` is `bond`, its `epair` is `veth`.
    pub kind: Option<String>,
    /// The bond or bridge that it is a member of.
    pub master: Option<String>,
    /// Mode of a bond, in Linux' words: `balance-rr`, `active-backup`, `802.3ad`; FreeBSD's `roundrobin` is `balance-rr`.
    pub bond_mode: Option<String>,
    /// Bytes.
    pub mtu: Option<u32>,
    /// The driver: `r8169`.
    pub driver: Option<String>,
    /// Rate of the link, bit/s.
    pub rate: Option<f64>,
    /// Its queueing discipline.
    pub qdisc: Option<String>,
    pub offloads: Vec<Offload>,
    /// Counters, by the names of the program that printed them: `RX-DRP`, `rx_dropped`.
    pub counters: Vec<Counter>,
    /// IPv4 and IPv6 addresses with the length of the prefix.
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
    /// `default`, or a prefix.
    pub to: String,
    pub via: Option<String>,
    pub device: Option<String>,
    /// Bytes.
    pub mtu: Option<u32>,
    /// Other attributes with their values: `advmss`, `initcwnd`, `congctl`, `rto_min`, `ssthresh`.
    pub attributes: Vec<(String, String)>,
}

/// Counters of the protocols that a rule looks at, by nstat's names. Others are read and not kept.
pub const COUNTERS: &[&str] = &[
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
];

/// What the kernel says when it drops packets since it can track no more connections; counted here.
pub const CONNTRACK_FULL: &str = "nf_conntrack: table full, dropping packet";

/// What the kernel says when a network card stands still (net/sched/sch_generic.c, dev_watchdog); counted here.
pub const TRANSMIT_HUNG: &str = "NETDEV WATCHDOG";

/// Packets that a queueing discipline sent; called so here.
pub const QDISC_SENT: &str = "qdisc_sent";
/// Those that fq dropped as one flow had its share of the queue; called so here.
pub const QDISC_FLOW_LIMIT: &str = "qdisc_flow_limit";

/// What an interface is called whose name a listing does not tell, as it may be in a command.
pub const UNNAMED: &str = "DEVICE";

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Counter {
    pub place: Place,
    /// `TcpRetransSegs`, `RX-DRP`.
    pub name: String,
    pub value: u64,
}

/// A tunnel: a state of IPsec (`ip xfrm state`, `setkey -D`).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tunnel {
    pub place: Place,
    /// From where and to where.
    pub ends: [String; 2],
    /// `tunnel` or `transport`.
    pub mode: Option<String>,
    /// The cipher and the authentication, in the kernel's words: `rfc4106(gcm(aes))`, `cbc(aes)`, `hmac(sha256)`.
    pub algorithms: Vec<String>,
    /// Bits of the truncated authentication.
    pub icv_bits: Option<u32>,
    /// Whether it is in UDP (RFC 3948).
    pub in_udp: bool,
}

impl Host {
    /// A host of which nothing is known yet.
    pub fn new(place: Place) -> Host {
        Host {
            place,
            end: None,
            system: None,
            version: None,
            settings: vec![],
            interfaces: vec![],
            routes: vec![],
            counters: vec![],
            tunnels: vec![],
        }
    }

    /// Whether it may be an end: nobody says that it is the other one.
    pub fn may_be(&self, end: End) -> bool {
        self.end.is_none_or(|own| own == end)
    }

    /// The last value of a setting.
    pub fn setting(&self, key: &str) -> Option<&Setting> {
        self.settings.iter().rev().find(|setting| setting.key == key)
    }

    /// Whether its kernel is known to be this version or a later one.
    pub fn since(&self, least: [u32; 2]) -> bool {
        let Some(version) = &self.version else { return false };
        let mut numbers = version.split(|c: char| !c.is_ascii_digit()).map_while(|n| n.parse::<u32>().ok());
        [numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)] >= least
    }

    /// A counter of the protocols.
    pub fn counter(&self, name: &str) -> Option<u64> {
        self.counters.iter().find(|counter| counter.name == name).map(|counter| counter.value)
    }
}

impl Interface {
    /// An interface of which the name alone is known.
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
            qdisc: None,
            offloads: vec![],
            counters: vec![],
            addresses: vec![],
        }
    }

    /// A counter of its own.
    pub fn counter(&self, name: &str) -> Option<&Counter> {
        self.counters.iter().find(|counter| counter.name == name)
    }

    /// Counters of packets that it dropped.
    pub fn drops(&self) -> impl Iterator<Item = &Counter> {
        let counts = |name: &str| name.contains("DRP") || name.contains("dropped");
        self.counters.iter().filter(move |counter| counter.value > 0 && counts(&counter.name))
    }

    /// Whether an offload is on, if it is known.
    pub fn offload(&self, name: &str) -> Option<bool> {
        self.offloads.iter().find(|offload| offload.name == name).map(|offload| offload.on)
    }
}
