//! An end host and its interface.

use serde::{Deserialize, Serialize};

/// An end host: it has one network interface, or one bond.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Host {
    /// The system whose TCP/IP stack it runs.
    #[serde(default, skip_serializing_if = "Stack::is_linux")]
    pub stack: Stack,
    /// Its distribution; written keys override it.
    pub profile: Profile,
    /// Driver of its interface; `None` is the lab's own interface.
    pub driver: Option<Driver>,
    /// The interface's line rate, bit/s; `None` sends without serialization delay.
    pub nic: Option<u64>,
    /// Qdisc of its interface.
    pub qdisc: HostQdisc,
    /// Token bucket in front of its interface; `None` has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<HostShape>,
    /// Attributes of all its routes.
    pub route: Route,
    /// Every Nth TCP packet is dropped in the input hook, after GRO has merged packets; `None` drops nothing.
    pub input_loss: Option<u32>,
    /// Use of its links by its MPTCP connections.
    #[serde(default, skip_serializing_if = "Multipath::is_default")]
    pub multipath: Multipath,
}

/// Links of a host that MPTCP treats specially, given by the neighbours at their other ends. Any other link simply has
/// a subflow.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Multipath {
    /// Links for backup: used only if there is no other subflow (RFC 8684, 3.3.8).
    pub backup: Vec<String>,
    /// Links without an MPTCP endpoint.
    pub unused: Vec<String>,
}

impl Multipath {
    /// True if every link has a subflow.
    pub fn is_default(&self) -> bool {
        *self == Multipath::default()
    }
}

/// The system whose TCP/IP stack a host runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stack {
    /// The guest kernel's own.
    #[default]
    Linux,
    /// FreeBSD's, inside the guest kernel along with its own.
    FreeBsd,
}

impl Stack {
    /// True for the guest kernel's own stack.
    pub fn is_linux(&self) -> bool {
        *self == Stack::Linux
    }
}

/// A host as its distribution ships it (docs/reference/profiles.md).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Profile {
    /// The guest kernel's own TCP behind an interface without offloads.
    #[default]
    #[serde(rename = "plain")]
    Plain,
    /// Debian 12, Linux 6.1.
    #[serde(rename = "debian-12")]
    Debian12,
    /// Debian 13, Linux 6.12.
    #[serde(rename = "debian-13")]
    Debian13,
    /// Ubuntu 24.04 LTS, Linux 6.8.
    #[serde(rename = "ubuntu-24.04")]
    Ubuntu2404,
    /// Red Hat Enterprise Linux 9, Linux 5.14.
    #[serde(rename = "rhel-9")]
    Rhel9,
}

impl Profile {
    /// Returns its name in experiments.
    pub fn word(self) -> &'static str {
        match self {
            Profile::Plain => "plain",
            Profile::Debian12 => "debian-12",
            Profile::Debian13 => "debian-13",
            Profile::Ubuntu2404 => "ubuntu-24.04",
            Profile::Rhel9 => "rhel-9",
        }
    }
}

/// A Linux driver, as `ethtool -i` names it (docs/reference/profiles.md).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Driver {
    /// Realtek, 1 Gbit/s.
    R8169,
    /// Intel, 1 Gbit/s.
    E1000e,
    /// Virtual machines on KVM.
    VirtioNet,
    /// NVIDIA ConnectX, 10 to 400 Gbit/s.
    Mlx5Core,
}

impl Driver {
    /// Returns its name in experiments.
    pub fn word(self) -> &'static str {
        match self {
            Driver::R8169 => "r8169",
            Driver::E1000e => "e1000e",
            Driver::VirtioNet => "virtio_net",
            Driver::Mlx5Core => "mlx5_core",
        }
    }
}

/// Qdisc of a host's interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostQdisc {
    /// A FIFO that is never full.
    Fifo,
    /// tc-fq(8)
    Fq,
    /// tc-fq_codel(8)
    FqCodel,
    /// tc-pfifo_fast(8)
    PfifoFast,
    /// dualpi2 as on a link, with the kernel's defaults.
    #[serde(rename = "dualpi2")]
    DualPi2,
}

/// A token bucket at a host's own interface (tc-tbf(8)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostShape {
    /// Rate of Ethernet frames, bit/s.
    pub rate: u64,
    /// Depth of the bucket, bytes.
    pub burst: u64,
    /// Longest time that a packet may wait for tokens, ns.
    pub latency: u64,
}

impl HostShape {
    /// Returns the capacity of its queue, bytes: what arrives in its latency, and the bucket.
    pub fn limit(&self) -> u64 {
        let waiting = u128::from(self.rate) * u128::from(self.latency) / 8_000_000_000;
        u64::try_from(waiting).unwrap_or(u64::MAX).saturating_add(self.burst)
    }
}

/// Attributes of a host's routes (ip-route(8)); `None` leaves them to the kernel.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    /// MTU, bytes.
    pub mtu: Option<u32>,
    /// Initial congestion window, segments.
    pub initial_cwnd: Option<u32>,
    /// Congestion control.
    pub congestion: Option<String>,
}

/// Offloads of a network interface (ethtool(8)).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offloads {
    /// The interface cuts TCP's large packets, frame by frame at the line rate.
    pub tso: bool,
    /// The kernel cuts large packets before the interface.
    pub gso: bool,
    /// Received segments are merged.
    pub gro: bool,
    /// Received segments are merged for good; a node forwards one large packet.
    pub lro: bool,
    /// What is sent here and exceeds a frame is dropped: a TSO that cannot cut what GRO has merged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tso_fault: bool,
    /// When received packets are handed on.
    pub interrupts: Interrupts,
}

/// When an interface hands on received packets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Interrupts {
    /// Immediately.
    #[default]
    Each,
    /// Interrupts at least this many ns apart: a packet after a pause is handed on at once, later ones together at the
    /// end of the interval. GRO holds nothing back.
    Moderated(u64),
    /// A timer makes Linux poll, and GRO holds packets across polls (Documentation/networking/napi.rst).
    Polled(Polling),
}

/// Polling parameters of a device's NAPI instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Polling {
    /// Time between polls, and how long GRO may hold a packet, ns.
    pub gro_flush_timeout: u32,
    /// Empty polls before the interface interrupts again.
    pub napi_defer_hard_irqs: u32,
}
