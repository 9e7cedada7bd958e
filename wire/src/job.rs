//! What the agent is to do in one guest.

use serde::{Deserialize, Serialize};
use std::net::Ipv4Addr;

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
    /// The queues to sample.
    pub queues: Vec<QueueJob>,
    /// The flows to run.
    pub flows: Vec<FlowJob>,
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

/// The set-up of one namespace, applied in the order of the fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inside {
    /// The namespace's name.
    pub namespace: String,
    /// Settings under /proc/sys: name with dots, value.
    pub sysctls: Vec<(String, String)>,
    /// Lines for `ip -batch`.
    pub ip: Vec<String>,
    /// Devices whose TSO, GSO and GRO are switched off.
    pub plain_devices: Vec<String>,
    /// Lines for `tc -batch`.
    pub tc: Vec<String>,
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

/// One bulk TCP connection; its number is its place in [`Job::flows`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FlowJob {
    /// The sender's namespace.
    pub from: String,
    /// The receiver's namespace.
    pub to: String,
    /// The receiver's address.
    pub address: Ipv4Addr,
    /// The receiver's port.
    pub port: u16,
    /// TCP_CONGESTION of the sender.
    pub congestion: String,
    /// When to connect, ns.
    pub start: u64,
    /// Reset after this long, ns from the start; `None` if `bytes` ends it.
    pub duration: Option<u64>,
    /// Close when the receiver has read so many; `None` if `duration` ends it.
    pub bytes: Option<u64>,
    /// SO_SNDBUF of the sender, bytes as passed to setsockopt(2).
    pub send_buffer: Option<u32>,
    /// SO_RCVBUF of the receiver, bytes as passed to setsockopt(2).
    pub receive_buffer: Option<u32>,
    /// TCP_MAXSEG of both, bytes.
    pub mss: Option<u32>,
}
