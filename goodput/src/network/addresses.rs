//! Addresses: they follow from the places of nodes, so a plan holds none.
//!
//! Each segment is a network of its own, 10.0.SEGMENT.0/24 and fd00:0:0:SEGMENT::/64 (RFC 4193), in which nodes are numbered
//! from 1 in the order of the plan: hosts, then switches at which a flow ends, then routers.

use super::topology::{Step, node};
use crate::plan::{Node, Role, Scene, segments};
use evidence::headers::Ip;
use std::collections::{BTreeSet, HashMap};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The address of a node on a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Address {
    segment: u8,
    number: u8,
}

/// The network of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Network(u8);

/// The first 16 bits of a unique local address (RFC 4193).
const LOCAL_PREFIX: u16 = 0xfd00;
/// The third group of addresses on the devices of tunnels; that of segments is 0.
const TUNNEL_GROUP: u16 = 1;

/// Bits of a network's prefix.
pub const fn prefix(family: Ip) -> u8 {
    match family {
        Ip::V4 => 24,
        Ip::V6 => 64,
    }
}

/// Bits of an address.
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

    /// As the agent takes it.
    pub fn ip(self, family: Ip) -> IpAddr {
        match family {
            Ip::V4 => self.v4().into(),
            Ip::V6 => Ipv6Addr::new(LOCAL_PREFIX, 0, 0, self.segment.into(), 0, 0, 0, self.number.into()).into(),
        }
    }

    /// The network that it is in.
    pub fn network(self) -> Network {
        Network(self.segment)
    }

    /// With the length of its network's prefix.
    pub fn with_prefix(self, family: Ip) -> String {
        format!("{}/{}", self.ip(family), prefix(family))
    }

    /// The network of this address alone.
    pub fn alone(self, family: Ip) -> String {
        format!("{}/{}", self.ip(family), bits(family))
    }

    /// The MAC address of its interface: fixed, as the neighbours are, so nothing is ever resolved.
    pub fn mac(self) -> String {
        let [a, b, c, d] = self.v4().octets();
        format!("02:00:{a:02x}:{b:02x}:{c:02x}:{d:02x}")
    }
}

impl Network {
    /// As routes name it.
    pub fn of(self, family: Ip) -> String {
        Address { segment: self.0, number: 0 }.with_prefix(family)
    }
}

/// The address of an end of a tunnel whose device has its own, with the length of its prefix apart.
pub fn in_tunnel(number: usize, end: usize, family: Ip) -> (IpAddr, u8) {
    let end = 1 + end as u8;
    match family {
        Ip::V4 => (Ipv4Addr::new(10, 255, number as u8, end).into(), 30),
        Ip::V6 => {
            (Ipv6Addr::new(LOCAL_PREFIX, 0, TUNNEL_GROUP, number as u16, 0, 0, 0, end.into()).into(), prefix(family))
        }
    }
}

/// An address of IPv6 that nobody is told about. To join a group is to report it by MLD (RFC 3810): without ARP a device does
/// not join that of its neighbours' questions (RFC 4291, 2.7.1), which are permanent and never asked for.
pub fn quiet_address(address: IpAddr, prefix: u8, device: &str) -> [String; 2] {
    [
        format!("link set dev {device} multicast off arp off"),
        format!("address add {address}/{prefix} dev {device} nodad noprefixroute"),
    ]
}

/// An entry that stays, so that nobody is asked.
pub fn neighbour(address: IpAddr, mac: &str, device: &str) -> String {
    format!("neighbour add {address} lladdr {mac} dev {device} nud permanent")
}

/// The addresses of a scene.
pub struct Addresses<'a> {
    scene: &'a Scene,
    /// The segment of each link.
    segments: Vec<usize>,
    known: HashMap<(usize, &'a str), Address>,
}

impl<'a> Addresses<'a> {
    /// They follow from the order of nodes and links.
    pub fn of(scene: &'a Scene) -> Addresses<'a> {
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

    /// The address of an end of a link; a switch's port has none.
    pub fn at(&self, end: Step) -> Option<Address> {
        let name = self.scene.links[end.link].ends[end.lane].node.as_str();
        let is_port = matches!(node(self.scene, name).role, Role::Switch(_));
        self.known.get(&(self.segments[end.link], name)).filter(|_| !is_port).copied()
    }

    /// The address of a switch at which a flow ends: that of its bridge.
    pub fn of_switch(&self, name: &str) -> Option<Address> {
        let link = self.scene.links.iter().position(|link| link.ends.iter().any(|end| end.node == name))?;
        self.known.get(&(self.segments[link], name)).copied()
    }
}

/// An address of a node, and the port that has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Station<'a> {
    /// The node.
    pub node: &'a Node,
    /// The port: the node's end of a link; `None` of a switch, whose bridge has the address.
    pub port: Option<Step>,
    /// The address.
    pub address: Address,
}

/// Every address of the scene: of hosts and routers in the order of their links, then of switches.
pub fn stations(scene: &Scene) -> Vec<Station<'_>> {
    let addresses = Addresses::of(scene);
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

/// The networks of a scene, each once, in the order of their numbers.
pub fn networks(stations: &[Station]) -> BTreeSet<Network> {
    stations.iter().map(|station| station.address.network()).collect()
}

/// The address under which a node is reached: its only one, or a router's first.
pub fn address(stations: &[Station], name: &str) -> Address {
    let found = stations.iter().find(|station| station.node.name == name);
    found.expect("an end of a flow has an address").address
}
