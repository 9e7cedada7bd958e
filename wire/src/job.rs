//! What the agent is to do in one guest.

use crate::{Course, Traffic, Until};
use serde::{Deserialize, Serialize};
use std::net::{IpAddr, SocketAddr};

/// One trial, as commands and flows. Times are nanoseconds of virtual time after the network is up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Must equal [`crate::PROTOCOL`].
    pub protocol: u32,
    /// Settings of the whole machine under /proc/sys: name with dots, value.
    pub machine: Vec<(String, String)>,
    /// Network namespaces to make, in this order.
    pub namespaces: Vec<String>,
    /// What happens in each namespace, in this order: the first makes the links that join them all.
    pub inside: Vec<Inside>,
    /// Tunnels that TCP carries, which are connected when the network is there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tunnels: Vec<TunnelJob>,
    /// The queues to sample.
    pub queues: Vec<QueueJob>,
    /// The flows to run.
    pub flows: Vec<FlowJob>,
    /// What changes meanwhile.
    pub changes: Vec<ChangeJob>,
    /// The user's own commands.
    pub commands: Vec<CommandJob>,
    /// The files to send when these have ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fetch: Vec<String>,
    /// Time between two samples, ns.
    pub interval: u64,
    /// Whether to trace each ACK.
    pub acks: bool,
    /// Whether to trace each drop.
    pub drops: bool,
    /// When to give up waiting for flows, ns.
    pub limit: u64,
    /// How long packets may still be under way when the last flow has ended, ns.
    pub settle: u64,
}

/// The set-up of one namespace: its settings, then its steps in their order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inside {
    /// The namespace's name.
    pub namespace: String,
    /// Settings under /proc/sys: name with dots, value.
    pub sysctls: Vec<(String, String)>,
    /// What is done.
    pub steps: Vec<Step>,
}

/// A step of the set-up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Lines for a tool.
    Run(Tool, Vec<String>),
    /// A device's offloads, as `ethtool -K` sets them.
    Offloads {
        /// The device.
        device: String,
        /// TCP segmentation offload.
        tso: bool,
        /// Generic segmentation offload.
        gso: bool,
        /// Generic receive offload.
        gro: bool,
    },
    /// How Linux polls a device, which receives by GRO (Documentation/networking/napi.rst).
    Polled {
        /// The device.
        device: String,
        /// ns
        gro_flush_timeout: u32,
        /// Polls that find nothing.
        napi_defer_hard_irqs: u32,
    },
    /// A command for the kernel module.
    Module(String),
    /// What a line follows over time.
    Course(Course),
    /// Commands for FreeBSD's stack (`kernel/freebsd/linux/control.c`); the first makes the namespace a host of its own.
    FreeBsd(Vec<String>),
    /// A setting under /proc/sys that comes after the devices: name with dots, value.
    Setting(String, String),
    /// A file that a tool reads: path and content.
    File(String, String),
    /// A PPP session over Ethernet that is there from the beginning, as `pppN`: the Nth of its namespace, from 0.
    Pppoe {
        /// The Ethernet device.
        device: String,
        /// RFC 2516, 4
        session: u16,
        /// The MAC address of the other end.
        peer: String,
    },
    /// A tun device (Documentation/networking/tuntap.rst).
    Tun {
        /// Its name.
        device: String,
    },
    /// A UDP socket that hands ESP to the kernel (UDP_ENCAP_ESPINUDP, RFC 3948).
    EspInUdp {
        /// The port.
        port: u16,
        /// Over IPv6, rather than IPv4.
        ipv6: bool,
    },
}

/// A program that sets the network up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tool {
    /// `ip -batch`
    Ip,
    /// `tc -batch`
    Tc,
    /// `bridge -batch`
    Bridge,
    /// `nft -f`
    Nft,
    /// `wg`, a call for each line
    Wg,
}

impl Job {
    /// Whether any namespace is a host of FreeBSD's.
    pub fn has_freebsd(&self) -> bool {
        self.namespaces.iter().any(|namespace| self.is_freebsd(namespace))
    }

    /// Whether a namespace is a host of FreeBSD's.
    pub fn is_freebsd(&self, namespace: &str) -> bool {
        let here = self.inside.iter().filter(|inside| inside.namespace == namespace);
        here.flat_map(|inside| &inside.steps).any(|step| matches!(step, Step::FreeBsd(_)))
    }
}

impl FlowJob {
    /// The namespaces of its ends: the one that sends bulk data, or responses to requests, then the other.
    pub fn ends(&self) -> [&str; 2] {
        match self.traffic {
            Traffic::Requests { .. } => [&self.to, &self.from],
            Traffic::Bulk { .. } | Traffic::Udp { .. } | Traffic::Ping { .. } => [&self.from, &self.to],
        }
    }
}

impl Tool {
    /// All of them: the tool, its program, and the Debian package that has it.
    pub const ALL: [(Tool, &str, &str); 5] = [
        (Tool::Ip, "ip", "iproute2"),
        (Tool::Tc, "tc", "iproute2"),
        (Tool::Bridge, "bridge", "iproute2"),
        (Tool::Nft, "nft", "nftables"),
        (Tool::Wg, "wg", "wireguard-tools"),
    ];
}

/// What changes at a virtual time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeJob {
    /// When, ns.
    pub at: u64,
    /// The namespace.
    pub namespace: String,
    /// Commands for the kernel module.
    pub module: Vec<String>,
    /// Lines for `tc`.
    pub tc: Vec<String>,
    /// Whether NAT loses all its mappings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forgets: bool,
}

/// A tunnel that a TCP connection carries, from the first of its ends to the second: each packet behind its length, 16 bits
/// in network order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TunnelJob {
    /// Its number among all tunnels.
    pub number: u32,
    /// The namespaces of its ends.
    pub ends: [String; 2],
    /// The tun device at each end.
    pub device: String,
    /// The second end's address and port.
    pub to: SocketAddr,
}

/// A user's command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandJob {
    /// When, ns.
    pub at: u64,
    /// The namespace.
    pub namespace: String,
    /// What `sh -c` is given.
    pub command: String,
    /// Whether it runs beside the flows and is ended with the trial, whatever it returns.
    pub background: bool,
}

/// A qdisc to sample.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueJob {
    /// The namespace of its device.
    pub namespace: String,
    /// Its device.
    pub device: String,
    /// `root` or `clsact`.
    pub hook: String,
}

/// One flow; its number is its place in [`Job::flows`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FlowJob {
    /// The namespace that connects, and sends bulk data.
    pub from: String,
    /// The namespace that listens.
    pub to: String,
    /// The listener's address.
    pub address: IpAddr,
    /// The listener's port.
    pub port: u16,
    /// When to connect or first send, ns.
    pub start: u64,
    /// When it ends.
    pub until: Until,
    /// What it does.
    pub traffic: Traffic,
    /// Whether its data are those that the flow before it brings to the namespace that connects.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub onward: bool,
}
