//! `[hosts]`, `[switches]` and `[routers]`.

pub use crate::experiment::keys::node_lists::{Mptcp, Nat};
use crate::experiment::profile::Rows;
use crate::experiment::tuning::{Recovery, Tuning};
use crate::plan::{Driver, HostQdisc, Offloads, Polling, Profile, Stack};
use toml::Spanned;

/// `[hosts.NAME]`, `[switches.NAME]` or `[routers.NAME]`.
#[derive(Debug)]
pub struct Node {
    /// Its name, where it is declared.
    pub name: Spanned<String>,
    pub role: Role,
    pub run: Vec<Run>,
    /// Where it sends packets for others.
    pub routes: Vec<Via>,
    /// Files that they write and the recording gets.
    pub fetch: Vec<Spanned<String>>,
}

#[derive(Debug)]
pub enum Role {
    /// Of `[hosts]`.
    Host(Box<Host>),
    /// Of `[switches]`.
    Switch(Switch),
    /// Of `[routers]`.
    Router(Router),
}

/// What any node may be told.
#[derive(Debug, Default)]
pub struct Machine {
    /// What is on; when it interrupts is not filled in.
    pub offloads: Option<Spanned<Offloads>>,
    /// How long an interface collects packets, ns.
    pub coalesce: Option<Spanned<u64>>,
    /// Names and values, in the order written.
    pub sysctls: Vec<(Spanned<String>, Spanned<String>)>,
}

/// What a host may be told.
#[derive(Debug, Default)]
pub struct Host {
    /// What any node may be told.
    pub machine: Machine,
    /// Whose stack it runs.
    pub stack: Option<Stack>,
    /// What it is where nothing else is written.
    pub profile: Option<(Profile, Rows)>,
    /// Which driver its interface stands for; `Some(None)` is none.
    pub driver: Option<Option<(Driver, Rows)>>,
    /// How Linux polls its interface.
    pub napi: Option<Spanned<Polling>>,
    /// Line rate, bits per second; `Some(None)` is unlimited.
    pub nic: Option<Option<u64>>,
    /// What schedules packets in front of the line.
    pub qdisc: Option<Spanned<HostQdisc>>,
    /// MTU of its routes, bytes.
    pub route_mtu: Option<Spanned<u64>>,
    /// First congestion window of its routes, packets.
    pub initial_cwnd: Option<u64>,
    /// Congestion control of its routes.
    pub route_congestion: Option<Spanned<String>>,
    /// How it recovers from loss.
    pub recovery: Option<Recovery>,
    /// Keys that stand for a sysctl, and which of its values.
    pub tunings: Vec<(&'static Tuning, Spanned<usize>)>,
    /// Every nth packet is lost in the input hook; `Some(None)` is none.
    pub input_loss: Option<Option<u64>>,
    /// What MPTCP makes of its links.
    pub mptcp: Option<Mptcp>,
}

/// What a switch may be told.
#[derive(Debug)]
pub struct Switch {
    /// What any node may be told.
    pub machine: Machine,
    /// Packet memory that all its ports share, bytes.
    pub memory: Option<Spanned<u64>>,
}

/// What a router may be told.
#[derive(Debug)]
pub struct Router {
    /// What any node may be told.
    pub machine: Machine,
    /// Whether it answers a packet that is too large.
    pub icmp: bool,
    /// Whether it lowers the MSS of passing SYNs.
    pub clamp_mss: bool,
    /// `Some(None)` is none.
    pub nat: Option<Option<Nat>>,
}

/// An element of `routes`.
#[derive(Debug, Clone)]
pub struct Via {
    /// The node that packets are for.
    pub to: Spanned<String>,
    /// The router that gets them.
    pub via: Spanned<String>,
}

/// An element of `run`.
#[derive(Debug, Clone)]
pub struct Run {
    /// What `sh -c` is given.
    pub command: Spanned<String>,
    /// When, ns.
    pub at: u64,
    /// Whether it runs beside the flows.
    pub background: bool,
}
