//! Tunnels between routers: ESP by policies, the others by a device and routes over it. [`nest`] says which tunnel
//! carries which.

use super::addresses::{Address, Network, Station, in_tunnel, neighbour, quiet_address, stations};
use super::furnishing::Furnishing;
use super::nest::{self, WIREGUARD_BYTES, device};
use super::routing::beyond;
use crate::{Cipher, Node, Scene, TunnelKind};
use evidence::headers::Ip;
use std::net::{IpAddr, SocketAddr};
use wire::{Step, TunnelJob};

/// One side of a tunnel: this router, the other router, and the networks behind each.
struct Side<'a> {
    number: usize,
    /// Index of this router among the tunnel's ends: 0 or 1.
    end: usize,
    /// True if this router is set up after the other.
    last: bool,
    here: Station<'a>,
    there: Station<'a>,
    /// IP version outside.
    outer: Ip,
    /// IP versions inside.
    inner: Vec<Ip>,
    mine: Vec<Network>,
    theirs: Vec<Network>,
    /// Outer addresses, this side's first.
    outside: [IpAddr; 2],
    /// Outer IP versions of tunnels that it carries between the same routers.
    carried: Vec<Ip>,
    /// MTU of the device under it.
    mtu: u32,
    /// Address of this router on a network behind it, or for a tunnel that belongs to a link, on the link's network.
    own: Option<Address>,
}

/// Sets up this router's ends of its tunnels, each after the one that carries it.
pub fn furnish(scene: &Scene, node: &Node, into: &mut Furnishing) {
    for (number, end) in nest::at(scene, &node.name) {
        let side = Side::new(scene, number, end);
        let kind = scene.tunnels[number].kind;
        match kind {
            TunnelKind::Esp { cipher, udp } => side.esp(cipher, udp, into),
            TunnelKind::Gre | TunnelKind::Ipip | TunnelKind::SixInFour => side.point_to_point(kind, into),
            TunnelKind::Vxlan | TunnelKind::Geneve => side.ethernet(scene, kind, into),
            TunnelKind::Wireguard => side.wireguard(into),
            TunnelKind::Tcp => side.stream(scene, into),
            TunnelKind::Pppoe => side.pppoe(scene, into),
            TunnelKind::Vlan | TunnelKind::Qinq => side.tagged(scene, kind, into),
        }
    }
}

/// Port at which the second end of a TCP tunnel listens: OpenVPN's (IANA), plus the tunnel's number.
const STREAM_PORT: u16 = 1194;

/// Returns the tunnels that TCP carries.
pub fn streams(scene: &Scene) -> Vec<TunnelJob> {
    let tunnels = scene.tunnels.iter().enumerate().filter(|(_, tunnel)| tunnel.kind == TunnelKind::Tcp);
    let job = |(number, tunnel): (usize, &crate::Tunnel)| TunnelJob {
        number: number as u32,
        ends: tunnel.ends.clone(),
        device: device(number),
        to: SocketAddr::new(nest::outside(scene, number, 0)[1], STREAM_PORT + number as u16),
    };
    tunnels.map(job).collect()
}

impl<'a> Side<'a> {
    fn new(scene: &'a Scene, number: usize, end: usize) -> Side<'a> {
        let tunnel = &scene.tunnels[number];
        let [here, there] = nest::ends(scene, number, end);
        let all = stations(scene);
        let mine = beyond(scene, &there.node.name, &here.node.name);
        let own = all.iter().find(|s| s.node.name == here.node.name && mine.contains(&s.address.network()));
        let own = own.map(|station| station.address);
        let place = |name: &str| scene.nodes.iter().position(|node| node.name == name);
        let outer = tunnel.outer();
        Side {
            number,
            end,
            last: place(&here.node.name) > place(&there.node.name),
            here,
            there,
            outer,
            inner: tunnel.inner(scene.family),
            outside: nest::outside(scene, number, end),
            carried: nest::carried(scene, number, outer),
            theirs: beyond(scene, &here.node.name, &there.node.name),
            mine,
            own: if tunnel.kind.is_of_link() { Some(here.address) } else { own },
            mtu: nest::outer_mtu(scene, number, end),
        }
    }

    /// Adds states and policies for the networks behind both routers.
    fn esp(&self, cipher: Cipher, udp: bool, into: &mut Furnishing) {
        let [here, there] = self.outside;
        // A state applies to the outer IP version, unless a flag extends it to both.
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
        let between = |family: Ip| {
            let to = move |mine: &Network| {
                self.theirs.iter().map(move |theirs| [mine.with_prefix(family), theirs.with_prefix(family)]).collect()
            };
            self.mine.iter().flat_map(move |mine| -> Vec<[String; 2]> { to(mine) })
        };
        let alone = self.carried.first().map(|_| [here, there].map(|address| address.to_string()));
        for [mine, theirs] in self.inner.iter().flat_map(|family| between(*family)).chain(alone) {
            let policy = |from: &str, to: &str, way: &str, [outer, other]: [IpAddr; 2]| {
                format!(
                    "xfrm policy add src {from} dst {to} dir {way} tmpl src {outer} dst {other} proto esp mode tunnel"
                )
            };
            into.ip.push(policy(&mine, &theirs, "out", [here, there]));
            into.ip.push(policy(&theirs, &mine, "in", [there, here]));
            into.ip.push(policy(&theirs, &mine, "fwd", [there, here]));
        }
        let socket = (4500, self.outer);
        if udp && !into.esp_in_udp.contains(&socket) {
            into.esp_in_udp.push(socket);
        }
    }

    /// Adds a device for IP in IP, or GRE.
    fn point_to_point(&self, kind: TunnelKind, into: &mut Furnishing) {
        let device = device(self.number);
        let [here, there] = self.outside;
        let words = match (kind, self.outer) {
            (TunnelKind::Gre, Ip::V4) => "gre",
            (TunnelKind::Gre, Ip::V6) => "ip6gre",
            (TunnelKind::SixInFour, _) => "sit",
            (_, Ip::V4) => "ipip",
            (_, Ip::V6) => "ip6tnl mode any",
        };
        into.ip.push(format!("link add name {device} type {words} local {here} remote {there} ttl 64"));
        self.address_of_carried(into);
        self.up(None, into);
    }

    /// Adds a device for Ethernet in UDP, with addresses and a neighbour.
    fn ethernet(&self, scene: &Scene, kind: TunnelKind, into: &mut Furnishing) {
        let device = device(self.number);
        let [here, there] = self.outside;
        let lower = nest::lower(scene, self.number, self.end).map_or(String::new(), |device| format!(" dev {device}"));
        let id = self.number + 1;
        let mac = |end: usize| format!("02:01:00:00:{:02x}:{end:02x}", self.number);
        let words = match kind {
            TunnelKind::Geneve => format!("geneve id {id} remote {there} dstport 6081"),
            _ => format!("vxlan id {id} local {here} remote {there}{lower} dstport 4789"),
        };
        into.ip.push(format!("link add name {device} address {} type {words}", mac(self.end)));
        self.addresses(&self.inner, Some(&mac(1 - self.end)), into);
        self.up(Some(1 - self.end), into);
    }

    /// Adds addresses to its device, and the other end as a neighbour if it has a MAC address. IPv6 comes first, as at
    /// ports.
    fn addresses(&self, families: &[Ip], mac: Option<&str>, into: &mut Furnishing) {
        let device = device(self.number);
        for &family in families.iter().rev() {
            let (own, prefix) = in_tunnel(self.number, self.end, family);
            let (via, _) = in_tunnel(self.number, 1 - self.end, family);
            match family {
                Ip::V4 => into.ip.push(format!("address add {own}/{prefix} dev {device}")),
                Ip::V6 => {
                    into.ip.push(format!("link set dev {device} up"));
                    into.ip.extend(quiet_address(own, prefix, &device));
                    into.ip.push(format!("route add {via} dev {device}"));
                }
            }
            into.ip.extend(mac.map(|mac| neighbour(via, mac, &device)));
        }
    }

    /// Adds addresses to a device that has none, if another tunnel leads between them.
    fn address_of_carried(&self, into: &mut Furnishing) {
        self.addresses(&self.carried, None, into);
    }

    fn pppoe(&self, scene: &Scene, into: &mut Furnishing) {
        let (device, mtu) = (device(self.number), nest::mtu(scene, self.number, self.end));
        let Some(lower) = nest::lower(scene, self.number, self.end) else { return };
        let unit = into.between.iter().filter(|(_, step)| matches!(step, Step::Pppoe { .. })).count();
        let (session, peer) = (self.number as u16 + 1, self.there.address.mac());
        into.between.push((into.ip.len(), Step::Pppoe { device: lower, session, peer }));
        into.ip.push(format!("link set dev ppp{unit} name {device} mtu {mtu}"));
        self.quiet(&device, into);
        self.address_of_carried(into);
        self.up(None, into);
        self.whole_link(None, into);
    }

    /// Adds a device whose packets the agent sends over a TCP connection.
    fn stream(&self, scene: &Scene, into: &mut Furnishing) {
        let (device, mtu) = (device(self.number), nest::mtu(scene, self.number, self.end));
        into.between.push((into.ip.len(), Step::Tun { device: device.clone() }));
        into.ip.push(format!("link set dev {device} mtu {mtu}"));
        self.quiet(&device, into);
        self.address_of_carried(into);
        self.up(None, into);
    }

    /// Adds an 802.1Q device over Ethernet, with a service tag in front for QinQ.
    fn tagged(&self, scene: &Scene, kind: TunnelKind, into: &mut Furnishing) {
        let (device, id) = (device(self.number), self.number + 1);
        let Some(mut lower) = nest::lower(scene, self.number, self.end) else { return };
        if kind == TunnelKind::Qinq {
            let service = format!("{device}s");
            into.ip.push(format!("link add link {lower} name {service} type vlan proto 802.1ad id {id}"));
            self.quiet(&service, into);
            into.ip.push(format!("link set dev {service} up"));
            lower = service;
        }
        into.ip.push(format!("link add link {lower} name {device} type vlan id {id}"));
        self.addresses(&self.inner, Some(&self.there.address.mac()), into);
        self.up(Some(1 - self.end), into);
        self.whole_link(Some(1 - self.end), into);
    }

    /// Turns multicast off. Otherwise a router's device joins the group of all routers and reports that.
    fn quiet(&self, device: &str, into: &mut Furnishing) {
        into.ip.extend(self.inner.contains(&Ip::V6).then(|| format!("link set dev {device} multicast off")));
    }

    /// Routes packets to the other router itself through the link's tunnel too.
    fn whole_link(&self, via: Option<usize>, into: &mut Furnishing) {
        let device = device(self.number);
        for &family in &self.inner {
            let via = via.map(|end| format!(" via {}", in_tunnel(self.number, end, family).0)).unwrap_or_default();
            let [here, there] = [self.here, self.there].map(|station| station.address);
            let own = here.ip(family);
            into.ip.push(format!("route replace {}{via} dev {device} src {own}", there.alone(family)));
        }
    }

    fn wireguard(&self, into: &mut Furnishing) {
        let device = device(self.number);
        let key = format!("/tmp/{device}-{}.key", self.here.node.name);
        into.files.push((key.clone(), KEYS[self.end].0.into()));
        into.ip.push(format!("link add name {device} mtu {} type wireguard", self.mtu - WIREGUARD_BYTES));
        let allowed: Vec<String> = self
            .inner
            .iter()
            .flat_map(|&family| {
                let networks = self.theirs.iter().map(move |network| network.with_prefix(family));
                networks.chain([self.there.address.alone(family)])
            })
            .chain(self.carried.iter().map(|&family| in_tunnel(self.number, 1 - self.end, family).0.to_string()))
            .collect();
        // The side that is set up last starts the handshake at once. Otherwise the first packets would, and two that
        // come at the same instant from both sides would undo each other's handshake, and the next try comes after 5 s.
        let at_once = if self.last { " persistent-keepalive 65535" } else { "" };
        let port = 51820 + self.number as u16;
        into.wg.push(format!(
            "set {device} listen-port {port} private-key {key} peer {peer} allowed-ips {allowed} endpoint {there}{at_once}",
            peer = KEYS[1 - self.end].1,
            allowed = allowed.join(","),
            there = SocketAddr::new(self.outside[1], port),
        ));
        self.address_of_carried(into);
        self.up(None, into);
    }

    /// Brings the device up, and routes the networks behind the other router over it, via the other end's address if
    /// it has one.
    fn up(&self, via: Option<usize>, into: &mut Furnishing) {
        let device = device(self.number);
        into.ip.push(format!("link set dev {device} up"));
        for &family in &self.inner {
            let via = via.map(|end| format!(" via {}", in_tunnel(self.number, end, family).0)).unwrap_or_default();
            // The other side has a route to the router's address behind the tunnel, but none to its address in the
            // tunnel.
            let own = self.own.map(|address| format!(" src {}", address.ip(family))).unwrap_or_default();
            let networks = self.theirs.iter().map(|network| network.with_prefix(family));
            into.ip.extend(networks.map(|network| format!("route replace {network}{via} dev {device}{own}")));
        }
    }
}

/// Key pairs of Curve25519, private and public, from RFC 7748, section 6.1.
const KEYS: [(&str, &str); 2] = [
    ("dwdtCnMYpX08FsFyUbJmRd9ML4frwJkqsXf7pR25LCo=", "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo="),
    ("XasIfmJKikt54X+Lg4AO5m87sSkmGLb9HC+LJ/+I4Os=", "3p7bfXt9wbTTW2HC7OQ1Nz+DQ8hbeGdNrfx+FG+IK08="),
];

fn algorithms(cipher: Cipher) -> String {
    // Any key works: nobody else sees it.
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
