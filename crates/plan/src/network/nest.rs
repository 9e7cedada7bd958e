//! Tunnels in tunnels: which one carries which, the addresses between which each leads, and the MTU that remains.

use super::addresses::{Addresses, Station, in_tunnel, stations};
use super::ports::port;
use super::topology::{Step, Ways};
use crate::{Cipher, Scene, Tunnel, TunnelKind};
use base::model::tunnel::{self as model, Outer};
use evidence::headers::Ip;
use std::net::IpAddr;

/// Overhead of WireGuard over IPv6 in wg-quick(8), bytes: 40 + 8 + 32.
pub const WIREGUARD_BYTES: u32 = 80;

/// Returns the name of a tunnel's device.
pub fn device(number: usize) -> String {
    format!("tunnel{number}")
}

/// Returns the tunnels of a router with the router's end of each, shorter ones first, because a longer one may be
/// carried by them.
pub fn at(scene: &Scene, router: &str) -> Vec<(usize, usize)> {
    let tunnels = scene.tunnels.iter().enumerate();
    let mut all: Vec<(usize, usize)> =
        tunnels.filter_map(|(number, t)| Some((number, t.ends.iter().position(|name| name == router)?))).collect();
    all.sort_by_key(|(number, _)| steps(scene, &scene.tunnels[*number]).len());
    all
}

/// Returns the path from one end to the other.
pub fn steps(scene: &Scene, tunnel: &Tunnel) -> Vec<Step> {
    Ways::from(scene, &tunnel.ends[0]).to(&tunnel.ends[1]).unwrap_or_default()
}

/// Returns the stations of this end and of the other, on the path between them.
pub fn ends(scene: &Scene, number: usize, end: usize) -> [Station<'_>; 2] {
    let tunnel = &scene.tunnels[number];
    let way = Ways::from(scene, &tunnel.ends[end]).to(&tunnel.ends[1 - end]);
    let way = way.expect("a way leads from one end to the other");
    let (all, addresses) = (stations(scene), Addresses::from_scene(scene));
    let station = |step: Step| {
        let address = addresses.at(step);
        *all.iter().find(|station| Some(station.address) == address).expect("a router's port has an address")
    };
    let last = way[way.len() - 1];
    [station(way[0]), station(Step { link: last.link, lane: 1 - last.lane })]
}

/// Returns the tunnel that carries it at one end: the one before it between the same routers, or the link's.
pub fn carrier(scene: &Scene, number: usize, end: usize) -> Option<usize> {
    let own = &scene.tunnels[number];
    let before = (0..number).rfind(|other| same_ends(scene, *other, number));
    before.or_else(|| {
        let on_the_way = steps(scene, own);
        (0..scene.tunnels.len()).rfind(|other| {
            let tunnel = &scene.tunnels[*other];
            let steps = || steps(scene, tunnel);
            tunnel.kind.is_of_link()
                && !same_ends(scene, *other, number)
                && tunnel.ends.contains(&own.ends[end])
                && steps().iter().all(|step| on_the_way.iter().any(|other| other.link == step.link))
        })
    })
}

/// How two tunnels relate to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nesting {
    /// Tunnels that share no link.
    Apart,
    /// One tunnel carries the other.
    Within,
    /// Each tunnel has an end inside the other.
    Crossed,
    /// One tunnel carries the other and begins at the same router, where its own packets would need another address.
    SharedEnd,
    /// The earlier tunnel carries the other, but not its outer IP version.
    OtherFamily,
}

/// Returns how a tunnel relates to a later one.
pub fn nesting(scene: &Scene, [before, after]: [usize; 2]) -> Nesting {
    let tunnels = [before, after].map(|number| &scene.tunnels[number]);
    let [links, others] =
        tunnels.map(|tunnel| steps(scene, tunnel).into_iter().map(|step| step.link).collect::<Vec<_>>());
    let carries =
        |lower: &Tunnel, upper: &Tunnel| lower.kind.is_of_link() || lower.inner(scene.family).contains(&upper.outer());
    if same_ends(scene, before, after) {
        return if carries(tunnels[0], tunnels[1]) { Nesting::Within } else { Nesting::OtherFamily };
    }
    let inside = |these: &[usize], those: &[usize]| these.iter().all(|link| those.contains(link));
    if !links.iter().any(|link| others.contains(link)) {
        return Nesting::Apart;
    }
    let lower = match (inside(&links, &others), inside(&others, &links)) {
        (false, false) => return Nesting::Crossed,
        (true, _) => tunnels[0],
        (false, true) => tunnels[1],
    };
    let shares = tunnels[0].ends.iter().any(|name| tunnels[1].ends.contains(name));
    if shares && !lower.kind.is_of_link() { Nesting::SharedEnd } else { Nesting::Within }
}

fn is_esp(scene: &Scene, number: usize) -> bool {
    matches!(scene.tunnels[number].kind, TunnelKind::Esp { .. })
}

/// Returns the tunnel's outer addresses, its own first.
pub fn outside(scene: &Scene, number: usize, end: usize) -> [IpAddr; 2] {
    let family = scene.tunnels[number].outer();
    match carrier(scene, number, end).filter(|carrier| same_ends(scene, number, *carrier)) {
        Some(carrier) => {
            let end = end_of(scene, carrier, &scene.tunnels[number].ends[end]);
            if is_esp(scene, carrier) {
                return outside(scene, carrier, end);
            }
            [end, 1 - end].map(|end| in_tunnel(carrier, end, family).0)
        }
        None => ends(scene, number, end).map(|station| station.address.ip(family)),
    }
}

fn same_ends(scene: &Scene, one: usize, other: usize) -> bool {
    scene.tunnels[one].ends.iter().all(|name| scene.tunnels[other].ends.contains(name))
}

fn end_of(scene: &Scene, number: usize, router: &str) -> usize {
    usize::from(scene.tunnels[number].ends[0] != router)
}

/// Returns the outer IP versions of the tunnels that it carries between the same routers, if its device needs addresses
/// for them.
pub fn carried(scene: &Scene, number: usize, outer: Ip) -> Vec<Ip> {
    let is_carried = |other: &usize| carrier(scene, *other, 0) == Some(number) && same_ends(scene, number, *other);
    let families = (0..scene.tunnels.len()).filter(is_carried).map(|other| scene.tunnels[other].outer());
    let mut families: Vec<Ip> =
        if is_esp(scene, number) { families.filter(|ip| *ip == outer).collect() } else { families.collect() };
    families.sort_by_key(|ip| *ip == Ip::V6);
    families.dedup();
    families
}

/// Returns the device under it: another tunnel's, or a port.
pub fn lower(scene: &Scene, number: usize, end: usize) -> Option<String> {
    let name = &scene.tunnels[number].ends[end];
    match carrier(scene, number, end) {
        Some(carrier) if is_esp(scene, carrier) => lower(scene, carrier, end_of(scene, carrier, name)),
        Some(carrier) => Some(device(carrier)),
        None => ends(scene, number, end)[0].port.map(|end| port(scene, end).device),
    }
}

/// Returns the MTU of the device under it. ESP has no device, and its policies lower a route's MTU only after a packet
/// was too large.
pub fn outer_mtu(scene: &Scene, number: usize, end: usize) -> u32 {
    let name = &scene.tunnels[number].ends[end];
    match carrier(scene, number, end) {
        Some(carrier) if is_esp(scene, carrier) => outer_mtu(scene, carrier, end_of(scene, carrier, name)),
        Some(carrier) => mtu(scene, carrier, end_of(scene, carrier, name)),
        None => ends(scene, number, end)[0].port.map_or(1500, |end| scene.links[end.link].mtu),
    }
}

/// Returns the MTU of its own device.
pub fn mtu(scene: &Scene, number: usize, end: usize) -> u32 {
    let (tunnel, mtu) = (&scene.tunnels[number], outer_mtu(scene, number, end));
    match tunnel.kind {
        TunnelKind::Wireguard => mtu.saturating_sub(WIREGUARD_BYTES),
        kind => {
            let nat_t = matches!(kind, TunnelKind::Esp { udp: true, .. });
            known(kind).mtu(Outer { mtu, ipv6: tunnel.ipv6, nat_t }).unwrap_or(0)
        }
    }
}

/// Returns the smallest MTU that remains at the ends of a tunnel, bytes.
pub fn inner_mtu(scene: &Scene, number: usize) -> u32 {
    (0..2).map(|end| mtu(scene, number, end)).min().unwrap_or(0)
}

/// Most tunnels whose devices send a packet in one another: Linux drops it in the next (IP_TUNNEL_RECURSION_LIMIT,
/// include/net/ip_tunnels.h, since 7.0; seen on 7.3).
pub const MAX_DEPTH: usize = 3;

/// Returns how many devices send a packet in one another, from this tunnel's down. WireGuard sends from a queue of its
/// own, TCP from a program, and ESP has no device: above them the count begins anew.
pub fn depth(scene: &Scene, number: usize) -> usize {
    let is_counted = |number: &usize| {
        use TunnelKind::{Geneve, Gre, Ipip, SixInFour, Vxlan};
        matches!(scene.tunnels[*number].kind, Gre | Vxlan | Geneve | Ipip | SixInFour)
    };
    if !is_counted(&number) && scene.tunnels[number].kind != TunnelKind::Wireguard {
        return 0;
    }
    let below = |number: &usize| carrier(scene, *number, 0).filter(is_counted);
    std::iter::successors(Some(number), below).count()
}

/// Returns its row in the table of overheads.
pub fn known(kind: TunnelKind) -> &'static model::Tunnel {
    let name = match kind {
        TunnelKind::Esp { cipher: Cipher::AesGcm128 | Cipher::AesGcm256, .. } => "esp-aes-gcm",
        TunnelKind::Esp { cipher: Cipher::AesCbcSha1, .. } => "esp-aes-cbc-sha1",
        TunnelKind::Esp { cipher: Cipher::AesCbcSha256, .. } => "esp-aes-cbc-sha256",
        TunnelKind::Esp { cipher: Cipher::Chacha20Poly1305, .. } => "esp-chacha20-poly1305",
        TunnelKind::Gre => "gre",
        TunnelKind::Vxlan => "vxlan",
        TunnelKind::Wireguard => "wireguard",
        TunnelKind::Geneve => "geneve",
        TunnelKind::Ipip => "ipip",
        TunnelKind::SixInFour => "6in4",
        TunnelKind::Pppoe => "pppoe",
        TunnelKind::Vlan => "vlan",
        TunnelKind::Qinq => "qinq",
        TunnelKind::Tcp => "tcp",
    };
    model::named(name).expect("each kind has a row")
}
