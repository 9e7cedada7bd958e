//! MPTCP: sets a host's addresses for subflows, and those that it offers to others.

use super::addresses::stations;
use super::furnishing::Furnishing;
use super::ports::port;
use super::routing::way;
use crate::{Flow, Multipath, Node, Role, Scene};

/// Most additional subflows, and most addresses accepted from the other end: MPTCP_PM_ADDR_MAX in net/mptcp/protocol.h.
const MAX_SUBFLOWS: usize = 8;

/// Sets up a host's MPTCP endpoints. A host at which MPTCP flows begin makes a subflow from each further address; a
/// host at which they end offers its further addresses.
pub fn furnish(scene: &Scene, node: &Node, into: &mut Furnishing) {
    let is_multipath = |flow: &&Flow| flow.tcp().is_some_and(|tcp| tcp.multipath);
    let mut flows = scene.flows.iter().filter(is_multipath).filter(|flow| [&flow.from, &flow.to].contains(&&node.name));
    let Some(first) = flows.next() else { return };
    into.ip.push(format!("mptcp limits set subflows {MAX_SUBFLOWS} add_addr_accepted {MAX_SUBFLOWS}"));
    let begins = first.from == node.name;
    let own = stations(scene).into_iter().filter(|station| station.node.name == node.name);
    let used = match begins {
        true => way(scene, &first.from, &first.to).and_then(|way| way.first().copied()),
        false => own.clone().next().and_then(|station| station.port),
    };
    let kind = if begins { "subflow" } else { "signal" };
    let told = match &node.role {
        Role::Host(host) => host.multipath.clone(),
        Role::Switch(_) | Role::Router(_) => Multipath::default(),
    };
    for (end, address) in own.filter_map(|station| Some((station.port?, station.address))) {
        let device = port(scene, end).device;
        if used.is_some_and(|used| port(scene, used).device == device) {
            continue;
        }
        let far = &scene.links[end.link].ends[1 - end.lane].node;
        if told.unused.contains(far) {
            continue;
        }
        let kind = if told.backup.contains(far) { format!("{kind} backup") } else { kind.to_owned() };
        let families = scene.family.ips().iter();
        into.ip
            .extend(families.map(|family| format!("mptcp endpoint add {} dev {device} {kind}", address.ip(*family))));
    }
}
