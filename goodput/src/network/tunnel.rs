//! Tunnels between routers: ESP by policy, the others by a device and routes over it.

use super::addresses::{Address, Network, Station, hops, in_tunnel, stations};
use super::furnishing::Furnishing;
use super::ports::port;
use crate::plan::{Cipher, Node, Scene, TunnelKind};
use std::net::Ipv4Addr;

/// A side of a tunnel: this router, the other, and what lies behind each.
struct Side<'a> {
    number: usize,
    /// 0 or 1: which of the tunnel's ends this is.
    end: usize,
    /// Whether this router is set up after the other.
    last: bool,
    here: Station<'a>,
    there: Station<'a>,
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
            TunnelKind::Gre => side.gre(into),
            TunnelKind::Vxlan => side.vxlan(scene, into),
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
            mine,
            own,
            theirs: beyond(&here.node.name, there),
            mtu,
        }
    }

    /// States and policies for what is behind both routers.
    fn esp(&self, cipher: Cipher, udp: bool, into: &mut Furnishing) {
        let [here, there] = [self.here.address, self.there.address];
        let state = |from: Address, to: Address, sender: usize| {
            let spi = 0x100 + self.number * 2 + sender;
            let encap = if udp { " encap espinudp 4500 4500 0.0.0.0" } else { "" };
            let algorithms = algorithms(cipher);
            format!("xfrm state add src {from} dst {to} proto esp spi {spi:#x} mode tunnel {algorithms}{encap}")
        };
        into.ip.push(state(here, there, self.end));
        into.ip.push(state(there, here, 1 - self.end));
        for mine in &self.mine {
            for theirs in &self.theirs {
                let policy = |from: &Network, to: &Network, way: &str, [outer, other]: [Address; 2]| {
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
        if udp && into.esp_in_udp.is_empty() {
            into.esp_in_udp.push(4500);
        }
    }

    fn gre(&self, into: &mut Furnishing) {
        let device = device(self.number);
        let [here, there] = [self.here.address, self.there.address];
        into.ip.push(format!("link add name {device} type gre local {here} remote {there} ttl 64"));
        self.up(None, into);
    }

    fn vxlan(&self, scene: &Scene, into: &mut Furnishing) {
        let device = device(self.number);
        let [here, there] = [self.here.address, self.there.address];
        let lower = self.here.port.map_or(String::new(), |end| format!(" dev {}", port(scene, end).device));
        let id = self.number + 1;
        let mac = |end: usize| format!("02:01:00:00:{:02x}:{end:02x}", self.number);
        into.ip.push(format!(
            "link add name {device} address {} type vxlan id {id} local {here} remote {there}{lower} dstport 4789",
            mac(self.end)
        ));
        let (own, prefix) = in_tunnel(self.number, self.end);
        into.ip.push(format!("address add {own}/{prefix} dev {device}"));
        let other = 1 - self.end;
        let (via, _) = in_tunnel(self.number, other);
        into.ip.push(format!("neighbour add {via} lladdr {} dev {device} nud permanent", mac(other)));
        self.up(Some(via), into);
    }

    fn wireguard(&self, into: &mut Furnishing) {
        let device = device(self.number);
        let key = format!("/tmp/{device}-{}.key", self.here.node.name);
        into.files.push((key.clone(), KEYS[self.end].0.into()));
        into.ip.push(format!("link add name {device} mtu {} type wireguard", self.mtu - WIREGUARD));
        let networks = self.theirs.iter().map(Network::to_string);
        let allowed: Vec<String> = networks.chain([self.there.address.alone()]).collect();
        // The side that is set up last shakes hands at once. Were it left to the first packets, two that come at the same
        // instant from both sides would undo each other's handshake, and the next try comes after 5 s.
        let at_once = if self.last { " persistent-keepalive 65535" } else { "" };
        into.wg.push(format!(
            "set {device} listen-port {port} private-key {key} peer {peer} allowed-ips {allowed} endpoint {there}:{port}{at_once}",
            port = 51820 + self.number,
            peer = KEYS[1 - self.end].1,
            allowed = allowed.join(","),
            there = self.there.address,
        ));
        self.up(None, into);
    }

    /// Leads what is behind the other router over the device.
    fn up(&self, via: Option<Ipv4Addr>, into: &mut Furnishing) {
        let device = device(self.number);
        into.ip.push(format!("link set dev {device} up"));
        let via = via.map(|address| format!(" via {address}")).unwrap_or_default();
        // The other side knows the way back to the router's address behind the tunnel, not to that in it.
        let own = self.own.map(|address| format!(" src {address}")).unwrap_or_default();
        into.ip.extend(self.theirs.iter().map(|network| format!("route replace {network}{via} dev {device}{own}")));
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
