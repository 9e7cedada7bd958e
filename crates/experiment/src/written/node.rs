//! `[hosts]`, `[switches]` and `[routers]` as written.

pub use crate::keys::node::Shape as HostShape;
pub use crate::keys::node_lists::{Mptcp, Nat};
use crate::profile::Rows;
use crate::tuning::{Recovery, Tuning};
use plan::{Driver, HostQdisc, Offloads, Polling, Profile, Stack};
use std::ops::Range;
use toml::Spanned;

/// `[hosts.NAME]`, `[switches.NAME]` or `[routers.NAME]`.
#[derive(Debug)]
pub struct Node {
    /// Its name, with its position.
    pub name: Spanned<String>,
    pub role: Role,
    pub run: Vec<Run>,
    /// Routers that it uses for some destinations.
    pub routes: Vec<Via>,
    /// Files that commands write, to copy into the recording.
    pub fetch: Vec<Spanned<String>>,
    /// Where `capture = true` is written.
    pub capture: Option<Range<usize>>,
}

#[derive(Debug)]
pub enum Role {
    /// From `[hosts]`.
    Host(Box<Host>),
    /// From `[switches]`.
    Switch(Switch),
    /// From `[routers]`.
    Router(Router),
}

/// Keys that every node has.
#[derive(Debug, Clone, Default)]
pub struct Machine {
    /// Enabled offloads; their interrupts are not filled in.
    pub offloads: Option<Spanned<Offloads>>,
    /// How long an interface collects packets, ns.
    pub coalesce: Option<Spanned<u64>>,
    /// Ports with offloads of their own; none at hosts.
    pub ports: Vec<Port>,
    /// Its sysctls.
    pub sysctls: Sysctls,
}

/// Names and values, in the order written.
pub type Sysctls = Vec<(Spanned<String>, Spanned<String>)>;

/// Offloads of the port of a switch or router that faces a neighbour.
#[derive(Debug, Clone)]
pub struct Port {
    /// The neighbour.
    pub to: Spanned<String>,
    /// Its offloads and `coalesce`.
    pub machine: Machine,
}

/// Keys of a host.
#[derive(Debug, Default)]
pub struct Host {
    /// Keys that every node has.
    pub machine: Machine,
    /// The system whose stack it runs.
    pub stack: Option<Stack>,
    /// Its distribution.
    pub profile: Option<(Profile, Rows)>,
    /// Driver of its interface; `Some(None)` means none.
    pub driver: Option<Option<(Driver, Rows)>>,
    /// How Linux polls its interface.
    pub napi: Option<Spanned<Polling>>,
    /// Line rate, bit/s; `Some(None)` is unlimited.
    pub nic: Option<Option<u64>>,
    /// Qdisc of its interface.
    pub qdisc: Option<Spanned<HostQdisc>>,
    /// Token bucket in front of its interface; `Some(None)` means none.
    pub shape: Option<Option<HostShape>>,
    /// MTU of its routes, bytes.
    pub route_mtu: Option<Spanned<u64>>,
    /// Initial congestion window of its routes, packets.
    pub initial_cwnd: Option<u64>,
    /// Congestion control of its routes.
    pub route_congestion: Option<Spanned<String>>,
    /// Its loss recovery, as sysctls.
    pub recovery: Option<Recovery>,
    /// Keys that stand for a sysctl, each with the index of its value.
    pub tunings: Vec<(&'static Tuning, Spanned<usize>)>,
    /// N, if every Nth packet is lost in the input hook; `Some(None)` means no loss.
    pub input_loss: Option<Option<u64>>,
    /// MPTCP settings of its links.
    pub mptcp: Option<Mptcp>,
}

/// Keys of a switch.
#[derive(Debug)]
pub struct Switch {
    /// Keys that every node has.
    pub machine: Machine,
    /// Packet memory that all its ports share, bytes.
    pub memory: Option<Spanned<u64>>,
}

/// Keys of a router.
#[derive(Debug)]
pub struct Router {
    /// Keys that every node has.
    pub machine: Machine,
    /// True if it answers packets that are too large.
    pub icmp: bool,
    /// True if it lowers the MSS of SYNs that it forwards.
    pub clamp_mss: bool,
    /// NAT; `Some(None)` means none.
    pub nat: Option<Option<Nat>>,
}

/// An element of `routes`.
#[derive(Debug, Clone)]
pub struct Via {
    /// Destination node.
    pub to: Spanned<String>,
    /// Router that gets the packets.
    pub via: Spanned<String>,
}

/// An element of `run`.
#[derive(Debug, Clone)]
pub struct Run {
    /// Command for `sh -c`.
    pub command: Spanned<String>,
    /// Start time, ns.
    pub at: u64,
    /// True if the trial does not wait for it.
    pub background: bool,
}
