//! Addresses, computed from the positions of nodes; a plan contains none.
//!
//! Each segment is a network of its own, 10.0.SEGMENT.0/24 and fd00:0:0:SEGMENT::/64 (RFC 4193). Its nodes are numbered
//! from 1 in the order of the plan: hosts, then switches at which a flow ends, then routers.

use super::topology::{Step, node};
use crate::{Node, Role, Scene, segments};
use evidence::headers::Ip;
use std::collections::{BTreeSet, HashMap};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Address of a node on a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Address {
    segment: u8,
    number: u8,
}

/// Network of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Network(u8);

/// First 16 bits of a unique local address (RFC 4193).
const LOCAL_PREFIX: u16 = 0xfd00;
/// Third group of addresses on tunnels' devices; that of segments is 0.
const TUNNEL_GROUP: u16 = 1;

/// Returns the length of a network's prefix, bits.
pub const fn prefix(family: Ip) -> u8 {
    match family {
        Ip::V4 => 24,
        Ip::V6 => 64,
    }
}

/// Returns the length of an address, bits.
const fn bits(family: Ip) -> u8 {
    match family {
        Ip::V4 => 32,
        Ip::V6 => 128,
    }
}

impl Address {
    fn v4(self) -> Ipv4Addr {
        Ipv4Addr::new(10, 0, self.segment, self.number)
    }

    /// Returns it as the agent takes it.
    pub fn ip(self, family: Ip) -> IpAddr {
        match family {
            Ip::V4 => self.v4().into(),
            Ip::V6 => Ipv6Addr::new(LOCAL_PREFIX, 0, 0, self.segment.into(), 0, 0, 0, self.number.into()).into(),
        }
    }

    /// Returns its network.
    pub fn network(self) -> Network {
        Network(self.segment)
    }

    /// Formats it with the length of its network's prefix.
    pub fn with_prefix(self, family: Ip) -> String {
        format!("{}/{}", self.ip(family), prefix(family))
    }

    /// Formats it as a network of one address.
    pub fn alone(self, family: Ip) -> String {
        format!("{}/{}", self.ip(family), bits(family))
    }

    /// Returns the MAC address of its interface. It is fixed, and so are the neighbour entries, so nothing is ever
    /// resolved.
    pub fn mac(self) -> String {
        let [a, b, c, d] = self.v4().octets();
        format!("02:00:{a:02x}:{b:02x}:{c:02x}:{d:02x}")
    }
}

impl Network {
    /// Formats it as routes name it.
    pub fn with_prefix(self, family: Ip) -> String {
        Address { segment: self.0, number: 0 }.with_prefix(family)
    }
}

/// Returns the address of a tunnel's end whose device has its own, and the length of its prefix.
pub fn in_tunnel(number: usize, end: usize, family: Ip) -> (IpAddr, u8) {
    let end = 1 + end as u8;
    match family {
        Ip::V4 => (Ipv4Addr::new(10, 255, number as u8, end).into(), 30),
        Ip::V6 => {
            (Ipv6Addr::new(LOCAL_PREFIX, 0, TUNNEL_GROUP, number as u16, 0, 0, 0, end.into()).into(), prefix(family))
        }
    }
}

/// Returns commands that add an IPv6 address without announcing it. Joining a multicast group sends an MLD report (RFC
/// 3810). Without ARP a device does not join the group for neighbour solicitations (RFC 4291, 2.7.1), which permanent
/// entries make unnecessary.
pub fn quiet_address(address: IpAddr, prefix: u8, device: &str) -> [String; 2] {
    [
        format!("link set dev {device} multicast off arp off"),
        format!("address add {address}/{prefix} dev {device} nodad noprefixroute"),
    ]
}

/// Returns the command for a permanent neighbour entry, so that nothing is resolved.
pub fn neighbour(address: IpAddr, mac: &str, device: &str) -> String {
    format!("neighbour add {address} lladdr {mac} dev {device} nud permanent")
}

/// All addresses of a scene.
pub struct Addresses<'a> {
    scene: &'a Scene,
    /// Segment of each link.
    segments: Vec<usize>,
    known: HashMap<(usize, &'a str), Address>,
}

impl<'a> Addresses<'a> {
    /// Computes the addresses from the order of nodes and links.
    pub fn from_scene(scene: &'a Scene) -> Addresses<'a> {
        let segments = segments(&scene.nodes, &scene.links);
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (link, segment) in scene.links.iter().zip(&segments) {
            link.ends.iter().for_each(|end| places.entry(&end.node).or_default().push(*segment));
        }
        let ends: BTreeSet<&str> = scene.flows.iter().flat_map(|flow| [flow.from.as_str(), &flow.to]).collect();
        let mut used = vec![0; segments.len()];
        let mut known = HashMap::new();
        for node in &scene.nodes {
            if matches!(node.role, Role::Switch(_)) && !ends.contains(node.name.as_str()) {
                continue;
            }
            for &segment in places.get(node.name.as_str()).into_iter().flatten() {
                known.entry((segment, node.name.as_str())).or_insert_with(|| {
                    used[segment] += 1;
                    Address { segment: segment as u8, number: used[segment] }
                });
            }
        }
        Addresses { scene, segments, known }
    }

    /// Returns the address of a link's end; `None` for a switch's port.
    pub fn at(&self, end: Step) -> Option<Address> {
        let name = self.scene.links[end.link].ends[end.lane].node.as_str();
        let is_port = matches!(node(self.scene, name).role, Role::Switch(_));
        self.known.get(&(self.segments[end.link], name)).filter(|_| !is_port).copied()
    }

    /// Returns the address of a switch at which a flow ends: its bridge's.
    pub fn of_switch(&self, name: &str) -> Option<Address> {
        let link = self.scene.links.iter().position(|link| link.ends.iter().any(|end| end.node == name))?;
        self.known.get(&(self.segments[link], name)).copied()
    }
}

/// An address of a node, with its port.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Station<'a> {
    /// The node.
    pub node: &'a Node,
    /// The node's end of a link; `None` for a switch, whose bridge has the address.
    pub port: Option<Step>,
    /// The address.
    pub address: Address,
}

/// Returns every address of the scene: those of hosts and routers in the order of their links, then those of switches.
pub fn stations(scene: &Scene) -> Vec<Station<'_>> {
    let addresses = Addresses::from_scene(scene);
    let mut all: Vec<Station> = vec![];
    for end in super::steps(scene) {
        let Some(address) = addresses.at(end) else { continue };
        if all.iter().all(|station| station.address != address) {
            let name = &scene.links[end.link].ends[end.lane].node;
            all.push(Station { node: node(scene, name), port: Some(end), address });
        }
    }
    for node in scene.nodes.iter().filter(|node| matches!(node.role, Role::Switch(_))) {
        all.extend(addresses.of_switch(&node.name).map(|address| Station { node, port: None, address }));
    }
    all
}

/// Returns the networks of a scene, each once, in the order of their numbers.
pub fn networks(stations: &[Station]) -> BTreeSet<Network> {
    stations.iter().map(|station| station.address.network()).collect()
}

/// Returns the address under which a node is reached: its only one, or a router's first.
pub fn address(stations: &[Station], name: &str) -> Address {
    let found = stations.iter().find(|station| station.node.name == name);
    found.expect("an end of a flow has an address").address
}
