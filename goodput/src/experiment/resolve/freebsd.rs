//! Which hosts run FreeBSD's stack, and what they are given first.

use crate::experiment::written::{self, Direction, Host, Role, Setup, Traffic};
use crate::plan::Stack;
use toml::Spanned;

/// No connection learns from an earlier one, as on Linux.
pub const BASELINE: &[(&str, &str)] = &[("net.inet.tcp.hostcache.enable", "0")];

pub fn stack(all: &Host, own: &Host) -> Stack {
    own.stack.or(all.stack).unwrap_or_default()
}

/// What is written of a host; `None` of other nodes.
pub fn host_of(node: &written::Node) -> Option<&Host> {
    match &node.role {
        Role::Host(host) => Some(host),
        Role::Switch(_) | Role::Router(_) => None,
    }
}

/// Whether all that a flow sends is sent by hosts of FreeBSD's, as far as the names of its ends tell.
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

/// Of a flow's ends those that send bulk data, or responses to requests.
pub fn senders<T>(flow: &written::Flow, from: T, to: T) -> Vec<T> {
    let responds = matches!(flow.traffic, Some(Traffic::Requests { .. }));
    match (flow.direction.unwrap_or(Direction::Forward), responds) {
        (Direction::Both, _) => vec![from, to],
        (Direction::Forward, false) | (Direction::Reverse, true) => vec![from],
        (Direction::Reverse, false) | (Direction::Forward, true) => vec![to],
    }
}

/// Whether a node runs it.
pub fn is_freebsd(setup: &Setup, node: &written::Node) -> bool {
    host_of(node).is_some_and(|own| stack(&setup.hosts, own) == Stack::FreeBsd)
}
