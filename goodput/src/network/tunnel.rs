//! Tunnels between routers: ESP by policy, the others by a device and routes over it.

use super::addresses::{Address, Network, Station, hops, in_tunnel, neighbour, quiet_address, stations};
use super::furnishing::Furnishing;
use super::ports::port;
use crate::plan::{Cipher, Node, Scene, TunnelKind};
use evidence::headers::Ip;
use std::net::{IpAddr, SocketAddr};

/// A side of a tunnel: this router, the other, and what lies behind each.
struct Side<'a> {
    number: usize,
    /// 0 or 1: which of the tunnel's ends this is.
    end: usize,
    /// Whether this router is set up after the other.
    last: bool,
    here: Station<'a>,
    there: Station<'a>,
    /// The IP outside.
    outer: Ip,
    /// The IP inside.
    inner: Vec<Ip>,
    mine: Vec<Network>,
    theirs: Vec<Network>,
    mtu: u32,
    /// This router's address on a network that lies behind it.
    own: Option<Address>,
}

/// Sets up this router's ends of its tunnels.
pub fn furnish(scene: &Scene, node: &Node, into: &mut Furnishing) {
    for (number, tunnel) in scene.tunnels.iter().enumerate() {
        let Some(end) = tunnel.ends.iter().position(|name| *name == node.name) else { continue };
        let side = Side::of(scene, number, end);
        match tunnel.kind {
            TunnelKind::Esp { cipher, udp } => side.esp(cipher, udp, into),
            TunnelKind::Gre | TunnelKind::Ipip | TunnelKind::SixInFour => side.point_to_point(tunnel.kind, into),
            TunnelKind::Vxlan | TunnelKind::Geneve => side.ethernet(scene, tunnel.kind, into),
            TunnelKind::Wireguard => side.wireguard(into),
        }
    }
}

/// The device of a tunnel that has one.
pub fn device(number: usize) -> String {
    format!("tunnel{number}")
}

impl<'a> Side<'a> {
    fn of(scene: &'a Scene, number: usize, end: usize) -> Side<'a> {
        let tunnel = &scene.tunnels[number];
        let all = stations(scene);
        let [a, b] = [end, 1 - end].map(|end| all.iter().filter(move |s| s.node.name == tunnel.ends[end]));
        let pairs = a.flat_map(|here| b.clone().map(move |there| (*here, *there)));
        let (here, there) = pairs
            .into_iter()
            .find(|(here, there)| here.address.network() == there.address.network())
            .expect("they are neighbours");
        let beyond = |from: &str, to: Station| -> Vec<Network> {
            hops(scene, from).iter().filter(|hop| hop.via.address == to.address).map(|hop| hop.network).collect()
        };
        let mine = beyond(&there.node.name, here);
        let own = all.iter().find(|s| s.node.name == here.node.name && mine.contains(&s.address.network()));
        let own = own.map(|station| station.address);
        let mtu = here.port.map_or(1500, |end| scene.links[end.link].mtu);
        let place = |name: &str| scene.nodes.iter().position(|node| node.name == name);
        Side {
            number,
            end,
            last: place(&here.node.name) > place(&there.node.name),
            here,
            there,
            outer: tunnel.outer(),
            inner: tunnel.inner(scene.family),
            mine,
            own,
            theirs: beyond(&here.node.name, there),
            mtu,
        }
    }

    /// States and policies for what is behind both routers.
    fn esp(&self, cipher: Cipher, udp: bool, into: &mut Furnishing) {
        let [here, there] = self.outside();
        // A state is for the IP outside, unless it says that it is for both.
        let inside = if self.inner.iter().all(|ip| *ip == self.outer) { "" } else { " flag af-unspec" };
        let any = if self.outer == Ip::V4 { "0.0.0.0" } else { "::" };
        let state = |from: IpAddr, to: IpAddr, sender: usize| {
            let spi = 0x100 + self.number * 2 + sender;
            let encap = if udp { format!(" encap espinudp 4500 4500 {any}") } else { String::new() };
            let algorithms = algorithms(cipher);
            format!("xfrm state add src {from} dst {to} proto esp spi {spi:#x} mode tunnel{inside} {algorithms}{encap}")
        };
        into.ip.push(state(here, there, self.end));
        into.ip.push(state(there, here, 1 - self.end));
        for &family in &self.inner {
            for mine in &self.mine {
                for theirs in &self.theirs {
                    let policy = |from: &Network, to: &Network, way: &str, [outer, other]: [IpAddr; 2]| {
                        let [from, to] = [from.of(family), to.of(family)];
                        format!(
                            "xfrm policy add src {from} dst {to} dir {way} \
                             tmpl src {outer} dst {other} proto esp mode tunnel"
                        )
                    };
                    into.ip.push(policy(mine, theirs, "out", [here, there]));
                    into.ip.push(policy(theirs, mine, "in", [there, here]));
                    into.ip.push(policy(theirs, mine, "fwd", [there, here]));
                }
            }
        }
        let socket = (4500, self.outer);
        if udp && !into.esp_in_udp.contains(&socket) {
            into.esp_in_udp.push(socket);
        }
    }

    /// The addresses between which it leads.
    fn outside(&self) -> [IpAddr; 2] {
        [self.here, self.there].map(|station| station.address.ip(self.outer))
    }

    /// IP in IP, with or without GRE between.
    fn point_to_point(&self, kind: TunnelKind, into: &mut Furnishing) {
        let device = device(self.number);
        let [here, there] = self.outside();
        let words = match (kind, self.outer) {
            (TunnelKind::Gre, Ip::V4) => "gre",
            (TunnelKind::Gre, Ip::V6) => "ip6gre",
            (TunnelKind::SixInFour, _) => "sit",
            (_, Ip::V4) => "ipip",
            (_, Ip::V6) => "ip6tnl mode any",
        };
        into.ip.push(format!("link add name {device} type {words} local {here} remote {there} ttl 64"));
        self.up(None, into);
    }

    /// Ethernet in UDP: its device has addresses and a neighbour.
    fn ethernet(&self, scene: &Scene, kind: TunnelKind, into: &mut Furnishing) {
        let device = device(self.number);
        let [here, there] = self.outside();
        let lower = self.here.port.map_or(String::new(), |end| format!(" dev {}", port(scene, end).device));
        let id = self.number + 1;
        let mac = |end: usize| format!("02:01:00:00:{:02x}:{end:02x}", self.number);
        let words = match kind {
            TunnelKind::Geneve => format!("geneve id {id} remote {there} dstport 6081"),
            _ => format!("vxlan id {id} local {here} remote {there}{lower} dstport 4789"),
        };
        into.ip.push(format!("link add name {device} address {} type {words}", mac(self.end)));
        let other = 1 - self.end;
        // IPv6 first, as at ports.
        for &family in self.inner.iter().rev() {
            let (own, prefix) = in_tunnel(self.number, self.end, family);
            let (via, _) = in_tunnel(self.number, other, family);
            match family {
                Ip::V4 => into.ip.push(format!("address add {own}/{prefix} dev {device}")),
                Ip::V6 => {
                    into.ip.push(format!("link set dev {device} up"));
                    into.ip.extend(quiet_address(own, prefix, &device));
                    into.ip.push(format!("route add {via} dev {device}"));
                }
            }
            into.ip.push(neighbour(via, &mac(other), &device));
        }
        self.up(Some(other), into);
    }

    fn wireguard(&self, into: &mut Furnishing) {
        let device = device(self.number);
        let key = format!("/tmp/{device}-{}.key", self.here.node.name);
        into.files.push((key.clone(), KEYS[self.end].0.into()));
        into.ip.push(format!("link add name {device} mtu {} type wireguard", self.mtu - WIREGUARD));
        let allowed: Vec<String> = self
            .inner
            .iter()
            .flat_map(|&family| {
                let networks = self.theirs.iter().map(move |network| network.of(family));
                networks.chain([self.there.address.alone(family)])
            })
            .collect();
        // The side that is set up last shakes hands at once. Were it left to the first packets, two that come at the same
        // instant from both sides would undo each other's handshake, and the next try comes after 5 s.
        let at_once = if self.last { " persistent-keepalive 65535" } else { "" };
        let port = 51820 + self.number as u16;
        into.wg.push(format!(
            "set {device} listen-port {port} private-key {key} peer {peer} allowed-ips {allowed} endpoint {there}{at_once}",
            peer = KEYS[1 - self.end].1,
            allowed = allowed.join(","),
            there = SocketAddr::new(self.outside()[1], port),
        ));
        self.up(None, into);
    }

    /// Leads what is behind the other router over the device; via that end's address on it, where it has one.
    fn up(&self, via: Option<usize>, into: &mut Furnishing) {
        let device = device(self.number);
        into.ip.push(format!("link set dev {device} up"));
        for &family in &self.inner {
            let via = via.map(|end| format!(" via {}", in_tunnel(self.number, end, family).0)).unwrap_or_default();
            // The other side knows the way back to the router's address behind the tunnel, not to that in it.
            let own = self.own.map(|address| format!(" src {}", address.ip(family))).unwrap_or_default();
            let networks = self.theirs.iter().map(|network| network.of(family));
            into.ip.extend(networks.map(|network| format!("route replace {network}{via} dev {device}{own}")));
        }
    }
}

/// What WireGuard takes of the MTU, bytes, by wg-quick(8): room for IPv6 outside (40 + 8 + 32).
const WIREGUARD: u32 = 80;

/// Key pairs of Curve25519, private and public: those of RFC 7748, section 6.1.
const KEYS: [(&str, &str); 2] = [
    ("dwdtCnMYpX08FsFyUbJmRd9ML4frwJkqsXf7pR25LCo=", "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo="),
    ("XasIfmJKikt54X+Lg4AO5m87sSkmGLb9HC+LJ/+I4Os=", "3p7bfXt9wbTTW2HC7OQ1Nz+DQ8hbeGdNrfx+FG+IK08="),
];

fn algorithms(cipher: Cipher) -> String {
    // Any key will do: it is seen by nobody else.
    let key = |bytes: usize| format!("0x{}", "2b".repeat(bytes));
    match cipher {
        // The last 4 bytes are the salt (RFC 4106, section 8.1; RFC 7634, section 2).
        Cipher::AesGcm128 => format!("aead 'rfc4106(gcm(aes))' {} 128", key(16 + 4)),
        Cipher::AesGcm256 => format!("aead 'rfc4106(gcm(aes))' {} 128", key(32 + 4)),
        Cipher::Chacha20Poly1305 => format!("aead 'rfc7539esp(chacha20,poly1305)' {} 128", key(32 + 4)),
        Cipher::AesCbcSha1 => format!("enc 'cbc(aes)' {} auth-trunc 'hmac(sha1)' {} 96", key(16), key(20)),
        Cipher::AesCbcSha256 => format!("enc 'cbc(aes)' {} auth-trunc 'hmac(sha256)' {} 128", key(16), key(32)),
    }
}
