//! Links: finds which directions have a queue, and resolves both lanes and the tunnels.

use super::family;
use super::freebsd;
use super::lane::{Way, lane};
use super::topology::{self, Topology};
use crate::key::{Table, value_of};
use crate::reader::Reader;
use crate::written::{self, Role, Setup, Side, Wrapper};
use evidence::headers::{Ip, MTU};
use evidence::unit::Wrong;
use plan::network::{MAX_DEPTH, Nesting, depth, inner_mtu, nesting};
use plan::{self, End, Family, Link, Scene, Tunnel, TunnelKind, segments};
use toml::Spanned;

/// Returns all links, in the order written.
pub fn links(reader: &Reader, setup: &Setup, topology: &Topology) -> Vec<Link> {
    let ways: Vec<Option<[Way; 2]>> = setup.links.iter().map(ways).collect();
    let round_trip = |ways: &Option<[Way; 2]>| ways.as_ref().map_or(0, |[there, back]| there.delay() + back.delay());
    let round_trips: Vec<u64> = ways.iter().map(round_trip).collect();
    let longest = topology.longest_round_trips(&round_trips);
    let rates = |link: usize, from: usize| {
        let way = ways[link].as_ref().map(|ways| &ways[usize::from(topology.ends[link][0] != from)]);
        way.map_or(0, |way| way.rate(reader))
    };
    let mut links = Vec::new();
    for (number, (written, ways)) in setup.links.iter().zip(&ways).enumerate() {
        let ([one, other], Some(ways)) = (topology.ends[number], ways) else { continue };
        let round_trip = longest[number];
        let far = |link: usize, from: usize| topology.ends[link][usize::from(topology.ends[link][0] == from)];
        let same_rates = |from| {
            topology
                .links_at(from)
                .all(|link| rates(link, from) == rates(number, from) && is_line(setup, from, far(link, from)))
        };
        let queued = [(one, other, &ways[0]), (other, one, &ways[1])]
            .map(|(from, to, way)| way.is_traced() || !is_line(setup, from, to) || !same_rates(from));
        check_queues(reader, setup, written, [one, other], queued);
        let mtu = value_of(&written.mtu).unwrap_or(u64::from(MTU));
        let [forward, backward] = [0, 1].map(|way| lane(reader, &ways[way], mtu, round_trip, queued[way]));
        let end = |node: usize| End { node: setup.nodes[node].name.get_ref().clone() };
        links.push(Link {
            ends: [end(one), end(other)],
            mtu: mtu as u32,
            bond: written.bond.as_ref().map(|bond| *bond.get_ref()),
            miimon: written.miimon.as_ref().and_then(|miimon| *miimon.get_ref()),
            down: down(reader, setup, written, [one, other]),
            forward,
            backward,
        });
    }
    links
}

/// Returns the times at which the link is down. Both directions then share its outages.
fn down(reader: &Reader, setup: &Setup, link: &written::Link, ends: [usize; 2]) -> Vec<(u64, u64)> {
    let of =
        |line: &'_ written::Line| line.outages.as_ref().map(|outages| outages.get_ref().clone()).unwrap_or_default();
    let is_down = |outage: &written::Outage| outage.down.as_ref().is_some_and(|down| *down.get_ref());
    let own = &link.backward.line;
    for down in of(own).iter().filter(|outage| is_down(outage)).filter_map(|outage| outage.down.as_ref()) {
        let wrong = Wrong::new("down under backward").note("a link is up or down for both its directions");
        reader.fault(down.span(), wrong.hint("write the outage under the link itself"));
    }
    let outages = link.side.as_ref().map(|side| of(&side.line)).unwrap_or_default();
    let times: Vec<&written::Outage> = outages.iter().filter(|outage| is_down(outage)).collect();
    let Some(place) = times.first().and_then(|outage| outage.down.as_ref()).map(Spanned::span) else { return vec![] };
    if own.outages.is_some() {
        let wrong = Wrong::new("the link is down, and backward has outages of its own");
        let wrong = wrong.note("nothing passes a link that is down, in either direction");
        reader.fault(place.clone(), wrong.hint("write all outages under the link itself"));
    }
    for node in ends.into_iter().filter(|node| freebsd::is_freebsd(setup, &setup.nodes[*node])) {
        let name = setup.nodes[node].name.get_ref();
        let wrong = Wrong::new(format!("down at \"{name}\", which runs FreeBSD's stack"));
        reader.fault(
            place.clone(),
            wrong.note("that stack sees no carrier").hint("remove down, or let a router lead to it"),
        );
    }
    times.iter().map(|outage| (*outage.at.get_ref(), *outage.lasts.get_ref())).collect()
}

fn ways(link: &written::Link) -> Option<[Way<'_>; 2]> {
    let both = link.side.as_ref()?;
    Some([Way { both, own: None }, Way { both, own: Some(&link.backward) }])
}

/// True if the sending host's interface is itself the line: it faces a switch or router and has no rate of its own.
fn is_line(setup: &Setup, from: usize, to: usize) -> bool {
    match (&setup.nodes[from].role, &setup.nodes[to].role) {
        (Role::Host(_), Role::Host(_)) | (Role::Switch(_) | Role::Router(_), _) => false,
        (Role::Host(host), _) => host.nic.or(setup.hosts.nic).is_none(),
    }
}

/// Checks that each queue has a size, and that each size belongs to a queue.
fn check_queues(reader: &Reader, setup: &Setup, link: &written::Link, ends: [usize; 2], queued: [bool; 2]) {
    let Some(Side { line, .. }) = &link.side else { return };
    let [one, other] = ends.map(|node| setup.nodes[node].name.get_ref());
    let own = &link.backward.line;
    if queued[0] && line.buffer.is_none() || queued[1] && line.buffer.is_none() && own.buffer.is_none() {
        let (from, to) = if queued[0] { (one, other) } else { (other, one) };
        let wrong = Wrong::new(format!("[[links]] has no buffer from \"{from}\" to \"{to}\""));
        let wrong = wrong.note("packets wait there, and a queue has no natural size");
        let hint = "add buffer = \"1 BDP\", which holds for every direction with a queue";
        reader.fault(link.span.clone(), wrong.hint(hint));
    }
    let spans = [
        ("buffer", line.buffer.as_ref().map(Spanned::span), own.buffer.as_ref().map(Spanned::span)),
        ("queue", line.queue.as_ref().map(Spanned::span), own.queue.as_ref().map(Spanned::span)),
    ];
    for (key, common, back) in spans {
        let common_is_idle = !queued[0] && (!queued[1] || back.is_some());
        let idle = [(common.filter(|_| common_is_idle), one), (back.filter(|_| !queued[1]), other)];
        for (span, host) in idle.into_iter().filter_map(|(span, host)| Some((span?, host))) {
            let wrong = Wrong::new(format!("{key} {} applies to no queue", reader.literal(span.clone())));
            let wrong =
                wrong.note(format!("the interface of \"{host}\" is the bottleneck, so packets wait in the host"));
            reader.fault(
                span,
                wrong.hint(format!("remove {key}, or set the interface's rate: nic under [hosts.{host}]")),
            );
        }
    }
}

/// Returns the tunnels. Tunnels that belong to a link need ends on one segment.
pub fn tunnels(
    reader: &Reader,
    setup: &Setup,
    ends: &[Option<[usize; 2]>],
    (nodes, links, network): (&[plan::Node], &[Link], Family),
) -> Vec<Tunnel> {
    let segments = segments(nodes, links);
    let on = |name: &str| -> Vec<usize> {
        let at = links.iter().zip(&segments).filter(|(link, _)| link.ends.iter().any(|end| end.node == name));
        at.map(|(_, segment)| *segment).collect()
    };
    let mut tunnels = Vec::new();
    for (written, ends) in setup.tunnels.iter().zip(ends) {
        let (Some(ends), Some(kind)) = (*ends, &written.kind) else { continue };
        let [one, other] = ends.map(|node| setup.nodes[node].name.get_ref());
        let is_of_link = wrapper(*kind.get_ref(), written).is_of_link();
        if is_of_link && !on(one).iter().any(|segment| on(other).contains(segment)) {
            let kind = reader.literal(kind.span());
            let wrong = Wrong::new(format!("the ends of kind {kind} \"{one}\" and \"{other}\" are not neighbours"));
            let note = "it belongs to one Ethernet network: no other router is between its ends";
            reader.fault(written.span(), wrong.note(note));
        }
        let ipv6 = family::of_tunnel(reader, written, *kind.get_ref(), network);
        tunnels.push(Tunnel { ends: [one.clone(), other.clone()], kind: wrapper(*kind.get_ref(), written), ipv6 });
    }
    tunnels
}

fn wrapper(kind: Wrapper, written: &written::Tunnel) -> TunnelKind {
    match kind {
        Wrapper::Esp => TunnelKind::Esp { cipher: written.cipher, udp: written.udp },
        Wrapper::Gre => TunnelKind::Gre,
        Wrapper::Vxlan => TunnelKind::Vxlan,
        Wrapper::Wireguard => TunnelKind::Wireguard,
        Wrapper::Geneve => TunnelKind::Geneve,
        Wrapper::Ipip => TunnelKind::Ipip,
        Wrapper::SixInFour => TunnelKind::SixInFour,
        Wrapper::Pppoe => TunnelKind::Pppoe,
        Wrapper::Vlan => TunnelKind::Vlan,
        Wrapper::Qinq => TunnelKind::Qinq,
        Wrapper::Tcp => TunnelKind::Tcp,
    }
}

/// Checks that tunnels are nested or separate, and do not cross.
pub fn check_nesting(reader: &Reader, setup: &Setup, scene: &Scene) {
    for (after, written) in setup.tunnels.iter().enumerate().take(scene.tunnels.len()) {
        for before in 0..after {
            let of = |number: usize| scene.tunnels[number].ends.join("\" and \"");
            let both = || format!("the tunnel between \"{}\" and that between \"{}\"", of(after), of(before));
            let wrong = match nesting(scene, [before, after]) {
                Nesting::Apart | Nesting::Within => continue,
                Nesting::Crossed => Wrong::new(format!("{} cross", both()))
                    .note(
                        "each has an end between the other's ends, so a packet would enter one and leave by the other",
                    )
                    .hint("let both end at the same router, or one of them before the other begins"),
                Nesting::SharedEnd => Wrong::new(format!("{} begin at one router", both()))
                    .note("only pppoe, vlan and qinq carry a tunnel to another router than their own")
                    .hint("let the longer one begin at a router of its own, behind this one"),
                Nesting::OtherFamily => Wrong::new(format!("{} carry different IP", both()))
                    .note("of tunnels between the same routers each is carried by the one before it")
                    .hint("change outer of this one, or kind of the other"),
            };
            reader.fault(written.span(), wrong);
        }
    }
}

/// Checks that Linux sends packets through as many tunnels in one another.
pub fn check_depths(reader: &Reader, setup: &Setup, scene: &Scene) {
    let deep = setup.tunnels.iter().enumerate().take(scene.tunnels.len());
    if let Some((_, written)) = deep.into_iter().find(|(number, _)| depth(scene, *number) > MAX_DEPTH) {
        let wrong = Wrong::new(format!("this is the tunnel in {MAX_DEPTH} others, and Linux drops its packets"));
        let wrong = wrong.note("gre, vxlan, geneve, ipip, 6in4 and a wireguard in them count; above a wireguard, esp or tcp they count anew");
        reader.fault(written.span(), wrong.hint(format!("write {MAX_DEPTH} of them in one another at most")));
    }
}

/// Smallest MTU of IPv4, bytes (RFC 791, 3.2).
const LEAST_IPV4: u32 = 68;

/// Checks that tunnels leave enough MTU for the IP inside.
pub fn check_inner_mtus(reader: &Reader, setup: &Setup, scene: &Scene) {
    for (number, (written, tunnel)) in setup.tunnels.iter().zip(scene.tunnels.iter()).enumerate() {
        let inner = tunnel.inner(scene.family);
        let least = if inner.contains(&Ip::V6) { Ip::V6.least_mtu() } else { LEAST_IPV4 };
        let left = inner_mtu(scene, number);
        if left < least {
            let place = written.kind.as_ref().map_or(written.span(), Spanned::span);
            let ip = if inner.contains(&Ip::V6) { "IPv6" } else { "IPv4" };
            let wrong = Wrong::new(format!("the tunnel leaves an MTU of {left} B, and {ip} in it needs {least} B"));
            let wrong = wrong.note("of the mtu of the link that it begins on, and of the tunnels that carry it");
            reader.fault(place, wrong.hint("write a larger mtu for that link, or use another kind"));
        }
    }
}

/// Finds the routers at the ends of each tunnel.
pub fn tunnel_ends(reader: &Reader, setup: &Setup) -> Vec<Option<[usize; 2]>> {
    let mut found: Vec<Option<[usize; 2]>> = Vec::new();
    for tunnel in &setup.tunnels {
        let router = |name: &Spanned<String>| {
            let node = topology::find(reader, &setup.nodes, name, "the tunnel")?;
            if matches!(setup.nodes[node].role, Role::Router(_)) {
                return Some(node);
            }
            let wrong = Wrong::new(format!("the tunnel ends at \"{}\", which is not a router", name.get_ref()));
            let routers = setup.nodes.iter().filter(|node| matches!(node.role, Role::Router(_)));
            let routers: Vec<&str> = routers.map(|node| node.name.get_ref().as_str()).collect();
            let due = if routers.is_empty() { "two of [routers]".to_owned() } else { routers.join(", ") };
            reader.fault(name.span(), wrong.accepted(due));
            None
        };
        let ends = tunnel.between.as_ref().map(Spanned::get_ref).map(|[one, other]| [router(one), router(other)]);
        let ends = ends.and_then(|[one, other]| Some([one?, other?]));
        found.push(ends);
    }
    found
}
