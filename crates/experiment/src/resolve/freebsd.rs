//! Finds the hosts that run FreeBSD's stack, and holds their baseline sysctls.

use crate::written::{self, Direction, Host, Role, Setup};
use base::units::TrafficKind;
use plan::Stack;
use toml::Spanned;

/// Sysctls of every FreeBSD host. As on Linux, no connection learns from an earlier one.
pub const BASELINE: &[(&str, &str)] = &[("net.inet.tcp.hostcache.enable", "0")];

pub fn stack(all: &Host, own: &Host) -> Stack {
    own.stack.or(all.stack).unwrap_or_default()
}

/// Returns the host's keys; `None` for other nodes.
pub fn host_of(node: &written::Node) -> Option<&Host> {
    match &node.role {
        Role::Host(host) => Some(host),
        Role::Switch(_) | Role::Router(_) => None,
    }
}

/// True if FreeBSD hosts send all of the flow's data, judged by the names of its ends.
pub fn sends(setup: &Setup, flow: &written::Flow) -> bool {
    let runs = |name: &Option<Spanned<String>>, default: usize| {
        let node = match name {
            Some(name) => setup.nodes.iter().find(|node| node.name.get_ref() == name.get_ref()),
            None => setup.nodes.get(default),
        };
        node.is_some_and(|node| is_freebsd(setup, node))
    };
    senders(flow, runs(&flow.from, 0), runs(&flow.to, 1)).into_iter().all(|is_freebsd| is_freebsd)
}

/// Returns the ends that send bulk data or, with requests, responses.
pub fn senders<T>(flow: &written::Flow, from: T, to: T) -> Vec<T> {
    match (flow.direction, flow.traffic() == TrafficKind::Requests) {
        (Direction::Both, _) => vec![from, to],
        (Direction::Forward, false) | (Direction::Reverse, true) => vec![from],
        (Direction::Reverse, false) | (Direction::Forward, true) => vec![to],
    }
}

/// True if the node runs FreeBSD's stack.
pub fn is_freebsd(setup: &Setup, node: &written::Node) -> bool {
    host_of(node).is_some_and(|own| stack(&setup.hosts, own) == Stack::FreeBsd)
}
