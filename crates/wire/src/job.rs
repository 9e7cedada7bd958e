//! The agent's job in one guest.

use crate::{Course, ProgramEnd, Traffic, Until};
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
    /// Set-up of each namespace, in this order: the first makes the links that join them all.
    pub inside: Vec<Inside>,
    /// Tunnels over TCP, connected once the network is up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tunnels: Vec<TunnelJob>,
    /// The queues to sample.
    pub queues: Vec<QueueJob>,
    /// The flows to run.
    pub flows: Vec<FlowJob>,
    /// Changes to the network while the flows run.
    pub changes: Vec<ChangeJob>,
    /// The user's own commands, then server and client of each flow of programs.
    pub commands: Vec<CommandJob>,
    /// Files to send to the host when the commands have ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fetch: Vec<String>,
    /// Namespaces whose packets to capture; their files are numbered after those of `fetch`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capture: Vec<String>,
    /// Time between two samples, ns.
    pub interval: u64,
    /// Whether to trace each ACK.
    pub acks: bool,
    /// Whether to trace each drop.
    pub drops: bool,
    /// Time when the agent gives up waiting for flows, ns.
    pub limit: u64,
    /// Time that packets may still be in flight after the last flow has ended, ns.
    pub settle: u64,
}

/// The set-up of one namespace: its settings, then its steps in their order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inside {
    /// The namespace's name.
    pub namespace: String,
    /// Settings under /proc/sys: name with dots, value.
    pub sysctls: Vec<(String, String)>,
    /// Steps, in this order.
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
    /// NAPI polling of a device that receives with GRO (Documentation/networking/napi.rst).
    Polled {
        /// The device.
        device: String,
        /// Timeout that flushes GRO, ns.
        gro_flush_timeout: u32,
        /// Number of empty polls before interrupts are enabled again.
        napi_defer_hard_irqs: u32,
    },
    /// A command for the kernel module.
    Module(String),
    /// Course of a link's rate or delay over time.
    Course(Course),
    /// Commands for FreeBSD's stack (`kernel/freebsd/linux/control.c`); the first turns the namespace into a FreeBSD
    /// host.
    FreeBsd(Vec<String>),
    /// A setting under /proc/sys that needs the devices first: name with dots, value.
    Setting(String, String),
    /// A file that a tool reads: path and content.
    File(String, String),
    /// A PPPoE session without negotiation, as `pppN`: the Nth of its namespace, from 0.
    Pppoe {
        /// The Ethernet device.
        device: String,
        /// SESSION_ID (RFC 2516, section 4).
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
        /// Whether the socket uses IPv6 instead of IPv4.
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
    /// Fills the trial's seed into the commands of programs.
    pub fn with_seed(mut self, seed: u64) -> Job {
        for command in self.commands.iter_mut().filter(|command| command.flow.is_some()) {
            command.command = command.command.replace("{seed}", &seed.to_string());
        }
        self
    }

    /// True if any namespace is a FreeBSD host.
    pub fn has_freebsd(&self) -> bool {
        self.namespaces.iter().any(|namespace| self.is_freebsd(namespace))
    }

    /// True if the namespace is a FreeBSD host.
    pub fn is_freebsd(&self, namespace: &str) -> bool {
        let here = self.inside.iter().filter(|inside| inside.namespace == namespace);
        here.flat_map(|inside| &inside.steps).any(|step| matches!(step, Step::FreeBsd(_)))
    }
}

impl FlowJob {
    /// Returns the namespaces of both ends: first the sender of bulk data or of responses, then the other.
    pub fn ends(&self) -> [&str; 2] {
        match self.traffic {
            Traffic::Requests { .. } | Traffic::Program { sends: ProgramEnd::Server, .. } => [&self.to, &self.from],
            Traffic::Bulk { .. } | Traffic::Udp { .. } | Traffic::Ping { .. } | Traffic::Program { .. } => {
                [&self.from, &self.to]
            }
        }
    }
}

impl Tool {
    /// Every tool, with its program and the Debian package that has it.
    pub const ALL: [(Tool, &str, &str); 5] = [
        (Tool::Ip, "ip", "iproute2"),
        (Tool::Tc, "tc", "iproute2"),
        (Tool::Bridge, "bridge", "iproute2"),
        (Tool::Nft, "nft", "nftables"),
        (Tool::Wg, "wg", "wireguard-tools"),
    ];
}

/// A change of the network at a virtual time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeJob {
    /// Time, ns.
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

/// A tunnel over a TCP connection from the first end to the second. Each packet follows its length, 16 bits in network
/// order.
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
    /// Time, ns.
    pub at: u64,
    /// The namespace.
    pub namespace: String,
    /// Command line for `sh -c`.
    pub command: String,
    /// Whether it runs in the background: the trial does not wait for it, and ends it.
    pub background: bool,
    /// Number of the flow that it is the server or client of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<u32>,
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
    /// Time to connect or to send first, ns.
    pub start: u64,
    /// When it ends.
    pub until: Until,
    /// Traffic of the flow.
    pub traffic: Traffic,
    /// Whether this flow relays the data of the flow before it, which arrive at the connecting namespace.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub onward: bool,
}
