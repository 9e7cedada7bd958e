//! IP version of a network, of each flow and of each tunnel.

use super::freebsd::is_freebsd;
use crate::key::{Table, value_of};
use crate::reader::Reader;
use crate::written::{self, Setup, Wrapper};
use evidence::headers::Ip;
use evidence::unit::Wrong;
use plan::{FAMILY, Family};
use toml::Spanned;

/// Returns the IP version of all nodes. Notes a fault for each node and MTU that cannot have IPv6.
pub fn family(reader: &Reader, setup: &Setup) -> Family {
    let Some(family) = setup.family.as_ref().filter(|family| family.get_ref().has_ipv6()) else {
        return Family::default();
    };
    for node in setup.nodes.iter().filter(|node| is_freebsd(setup, node)) {
        let name = node.name.get_ref();
        let wrong = Wrong::new(format!("{FAMILY} {} at \"{name}\"", reader.literal(family.span())));
        let wrong = wrong.note(format!("\"{name}\" runs FreeBSD's stack, which has IPv4 alone here"));
        reader.fault(family.span(), wrong.hint("write stack = \"linux\", or remove family"));
    }
    let of_links = setup.links.iter().filter_map(|link| link.mtu.as_ref());
    let of_hosts = [&setup.hosts].into_iter().chain(setup.nodes.iter().filter_map(super::freebsd::host_of));
    let of_routes = of_hosts.filter_map(|host| host.route_mtu.as_ref());
    of_links.for_each(|mtu| check_mtu(reader, "mtu", mtu));
    of_routes.for_each(|mtu| check_mtu(reader, "route-mtu", mtu));
    *family.get_ref()
}

/// Refuses an MTU below IPv6's minimum: no IPv6 router fragments, so every link must carry it.
fn check_mtu(reader: &Reader, key: &str, mtu: &Spanned<u64>) {
    let least = Ip::V6.least_mtu();
    if *mtu.get_ref() < u64::from(least) {
        let wrong = Wrong::new(format!("{key} {} is too small for IPv6", reader.literal(mtu.span())));
        let note = "Linux turns IPv6 off on a device with less, since every link has to carry this much (RFC 8200, 5)";
        reader.fault(mtu.span(), wrong.accepted(format!("{least} B or more")).note(note));
    }
}

/// True if the flow uses IPv6.
pub fn of_flow(reader: &Reader, flow: &written::Flow, network: Family) -> bool {
    let own = flow.family.as_ref();
    match (network, own) {
        (Family::Both, None) => {
            let wrong = Wrong::new("the flow has no family, and the network has both");
            reader.fault(flow.span(), wrong.hint("add family = \"ipv4\" or family = \"ipv6\" to the flow"));
        }
        (Family::Ipv4 | Family::Ipv6, Some(own)) if *own.get_ref() != (network == Family::Ipv6) => {
            let wrong = Wrong::new(format!("{FAMILY} {} is not the network's", reader.literal(own.span())));
            reader.fault(own.span(), wrong.hint("write family = \"both\" above all sections"));
        }
        _ => {}
    }
    value_of(&flow.family).unwrap_or(network == Family::Ipv6)
}

/// True if IPv6 carries the tunnel.
pub fn of_tunnel(reader: &Reader, tunnel: &written::Tunnel, kind: Wrapper, network: Family) -> bool {
    let own = tunnel.outer.as_ref();
    let fault = |wrong: Wrong, hint: &str| {
        reader.fault(own.map_or(tunnel.span(), Spanned::span), wrong.hint(hint));
    };
    if kind == Wrapper::SixInFour && network != Family::Both {
        let wrong = Wrong::new("kind \"6in4\" carries IPv6 over IPv4, and the network has one of them");
        fault(wrong, "write family = \"both\" above all sections");
    }
    let is_ipv6 = value_of(&tunnel.outer).unwrap_or(network == Family::Ipv6);
    if kind == Wrapper::SixInFour && network == Family::Both && is_ipv6 {
        fault(Wrong::new("kind \"6in4\" is carried by IPv4"), "remove outer, or write kind = \"ipip\"");
    } else if own.is_some() && network != Family::Both && is_ipv6 != (network == Family::Ipv6) {
        let family = own.map(|own| reader.literal(own.span())).unwrap_or_default();
        let wrong = Wrong::new(format!("outer {family} is not the network's family"));
        fault(wrong, "write family = \"both\" above all sections");
    }
    is_ipv6
}
