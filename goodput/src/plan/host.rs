//! An end host and its interface.

use serde::{Deserialize, Serialize};

/// An end host: it has one network interface, or one bond.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Host {
    /// Whose TCP/IP stack it runs.
    #[serde(default, skip_serializing_if = "Stack::is_linux")]
    pub stack: Stack,
    /// What it is where nothing else was written.
    pub profile: Profile,
    /// Which driver its interface stands for; `None` is the laboratory's own interface.
    pub driver: Option<Driver>,
    /// The interface's line rate, bits per second; `None` sends without serialization delay.
    pub nic: Option<u64>,
    /// What schedules packets in front of the line.
    pub qdisc: HostQdisc,
    /// Attributes of all its routes.
    pub route: Route,
    /// Every nth TCP packet is dropped in the input hook, which sees what GRO has merged; `None` drops nothing.
    pub input_loss: Option<u32>,
    /// What its MPTCP connections make of its links.
    #[serde(default, skip_serializing_if = "Multipath::is_default")]
    pub multipath: Multipath,
}

/// The links of a host over which its MPTCP connections do not simply have a subflow, by the neighbours at their other ends.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Multipath {
    /// Used only if no other subflow is there (RFC 8684, 3.3.8).
    pub backup: Vec<String>,
    /// Without an endpoint.
    pub unused: Vec<String>,
}

impl Multipath {
    /// Whether it has a subflow over each.
    pub fn is_default(&self) -> bool {
        *self == Multipath::default()
    }
}

/// Whose TCP/IP stack a host runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stack {
    /// The guest kernel's own.
    #[default]
    Linux,
    /// FreeBSD's, which the guest kernel then has beside its own.
    FreeBsd,
}

impl Stack {
    /// Whether it is the guest kernel's own.
    pub fn is_linux(&self) -> bool {
        *self == Stack::Linux
    }
}

/// What a host is as its distribution delivers it (docs/reference/profiles.md).
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
    /// As an experiment has it.
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

/// A driver of Linux, as `ethtool -i` names it (docs/reference/profiles.md).
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
    /// As an experiment has it.
    pub fn word(self) -> &'static str {
        match self {
            Driver::R8169 => "r8169",
            Driver::E1000e => "e1000e",
            Driver::VirtioNet => "virtio_net",
            Driver::Mlx5Core => "mlx5_core",
        }
    }
}

/// What schedules packets in front of a host's line.
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
    /// As a link's, with the kernel's defaults.
    #[serde(rename = "dualpi2")]
    DualPi2,
}

/// Attributes of a host's routes (ip-route(8)); what is `None` is left to the kernel.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    /// Bytes.
    pub mtu: Option<u32>,
    /// Segments.
    pub initial_cwnd: Option<u32>,
    /// Congestion control.
    pub congestion: Option<String>,
}

/// What a network interface does with segments (ethtool(8)).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offloads {
    /// The interface cuts TCP's large packets, frame by frame at the line rate.
    pub tso: bool,
    /// The kernel cuts them in front of the interface.
    pub gso: bool,
    /// Received segments are merged.
    pub gro: bool,
    /// Received segments are merged for good: what is forwarded is one large packet.
    pub lro: bool,
    /// When what has come is handed on.
    pub interrupts: Interrupts,
}

/// When an interface hands on what it has received.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Interrupts {
    /// At once.
    #[default]
    Each,
    /// A packet after a pause at once, those of the next so many ns together at their end, and so on. GRO holds nothing back.
    Moderated(u64),
    /// Linux polls on by a timer, and GRO holds packets over polls (Documentation/networking/napi.rst).
    Polled(Polling),
}

/// What Linux has for each NAPI instance of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Polling {
    /// From one poll to the next, and how long GRO may hold a packet; ns.
    pub gro_flush_timeout: u32,
    /// Polls that find nothing before the interface interrupts again.
    pub napi_defer_hard_irqs: u32,
}
