//! Who is joined to whom: segments, and the way from one node to another. A scene's links make a tree, but for the
//! members of a bond, which lie side by side.

use crate::plan::{Lane, Link, Node, Role, Scene};
use std::collections::{HashMap, VecDeque};
use std::net::Ipv4Addr;

/// One direction of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Index into [`Scene::links`].
    pub link: usize,
    /// 0 forward, 1 backward.
    pub lane: usize,
}

impl Step {
    /// What a packet meets there.
    pub fn lane(self, scene: &Scene) -> &Lane {
        lane(&scene.links[self.link], self.lane)
    }
}

/// A direction of a link: 0 forward, 1 backward.
pub fn lane(link: &Link, number: usize) -> &Lane {
    if number == 0 { &link.forward } else { &link.backward }
}

/// The node of that name.
pub fn node<'a>(scene: &'a Scene, name: &str) -> &'a Node {
    scene.nodes.iter().find(|node| node.name == name).expect("the plan names only its own nodes")
}

/// The links of a node, the members of a bond together, each with the number of the node's end.
pub fn attachments(scene: &Scene, name: &str) -> Vec<Vec<Step>> {
    let mut groups: Vec<Vec<Step>> = vec![];
    for (number, link) in scene.links.iter().enumerate() {
        let Some(end) = link.ends.iter().position(|end| end.node == name) else { continue };
        let step = Step { link: number, lane: end };
        match groups.iter_mut().find(|group| link.bond.is_some() && same_ends(scene, group[0].link, number)) {
            Some(group) => group.push(step),
            None => groups.push(vec![step]),
        }
    }
    groups
}

fn same_ends(scene: &Scene, a: usize, b: usize) -> bool {
    let [a, b] = [a, b].map(|link| &scene.links[link].ends);
    a.iter().all(|end| b.iter().any(|other| other.node == end.node))
}

/// The ways from one node to all that it reaches, over the first member of each bond.
pub struct Ways<'a> {
    from: &'a str,
    /// The last step to each node, and the node that it leaves.
    last: HashMap<&'a str, (&'a str, Step)>,
}

impl<'a> Ways<'a> {
    /// The ways from a node.
    pub fn from(scene: &'a Scene, from: &'a str) -> Ways<'a> {
        let mut leaving: HashMap<&str, Vec<Step>> = HashMap::new();
        for (link, Link { ends, .. }) in scene.links.iter().enumerate() {
            for (lane, end) in ends.iter().enumerate() {
                leaving.entry(end.node.as_str()).or_default().push(Step { link, lane });
            }
        }
        let mut last = HashMap::new();
        let mut open = VecDeque::from([from]);
        while let Some(here) = open.pop_front() {
            for &step in leaving.get(here).into_iter().flatten() {
                let next = scene.links[step.link].ends[1 - step.lane].node.as_str();
                if next != from && !last.contains_key(next) {
                    last.insert(next, (here, step));
                    open.push_back(next);
                }
            }
        }
        Ways { from, last }
    }

    /// The way to a node; `None` if there is none.
    pub fn to(&self, to: &str) -> Option<Vec<Step>> {
        let mut way = vec![];
        let mut here = to;
        while here != self.from {
            let &(before, step) = self.last.get(here)?;
            way.push(step);
            here = before;
        }
        way.reverse();
        Some(way)
    }
}

/// The way from one node to another, over the first member of each bond; `None` if there is none.
pub fn way(scene: &Scene, from: &str, to: &str) -> Option<Vec<Step>> {
    Ways::from(scene, from).to(to)
}

/// The way there and the way back.
pub fn round_trip<'a>(scene: &'a Scene, from: &str, to: &str) -> impl Iterator<Item = &'a Lane> {
    let there = way(scene, from, to).unwrap_or_default();
    let back = way(scene, to, from).unwrap_or_default();
    there.into_iter().chain(back).map(|step| step.lane(scene))
}

/// An address of a node, and the port that has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Station<'a> {
    /// The node.
    pub node: &'a Node,
    /// The port: the node's end of a link; `None` of a switch, whose bridge has the address.
    pub port: Option<Step>,
    /// The address.
    pub address: Ipv4Addr,
}

/// Every address of the scene: of hosts and routers in the order of their links, then of switches.
pub fn stations(scene: &Scene) -> Vec<Station<'_>> {
    let mut all: Vec<Station> = vec![];
    for (number, link) in scene.links.iter().enumerate() {
        for (lane, end) in link.ends.iter().enumerate() {
            let Some(address) = end.address else { continue };
            if all.iter().all(|station| station.address != address) {
                let port = Some(Step { link: number, lane });
                all.push(Station { node: node(scene, &end.node), port, address });
            }
        }
    }
    for node in &scene.nodes {
        if let Role::Switch(switch) = &node.role {
            all.extend(switch.address.map(|address| Station { node, port: None, address }));
        }
    }
    all
}

/// The network of an address: a /24.
pub fn segment(address: Ipv4Addr) -> Ipv4Addr {
    let [a, b, c, _] = address.octets();
    Ipv4Addr::new(a, b, c, 0)
}

/// The networks of a scene, each once, in the order of their numbers.
pub fn segments(scene: &Scene) -> Vec<Ipv4Addr> {
    let mut all: Vec<Ipv4Addr> = stations(scene).iter().map(|station| segment(station.address)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The address under which a node is reached: its only one, or a router's first.
pub fn address(scene: &Scene, name: &str) -> Ipv4Addr {
    let all = stations(scene);
    let found = all.iter().find(|station| station.node.name == name);
    found.map_or(Ipv4Addr::UNSPECIFIED, |station| station.address)
}

/// A network that a node reaches through a router.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hop<'a> {
    /// The network.
    pub segment: Ipv4Addr,
    /// The node's port.
    pub port: Option<Step>,
    /// The router's station on the network that both are on.
    pub via: Station<'a>,
}

/// How a node reaches the networks that it is not on.
pub fn hops<'a>(scene: &'a Scene, name: &str) -> Vec<Hop<'a>> {
    let ways = Ways::from(scene, name);
    let all = stations(scene);
    let mine: Vec<&Station> = all.iter().filter(|station| station.node.name == name).collect();
    let foreign = segments(scene).into_iter().filter(|s| mine.iter().all(|m| segment(m.address) != *s));
    let hop = |network: Ipv4Addr| {
        let goal = all.iter().find(|station| segment(station.address) == network)?;
        for step in ways.to(&goal.node.name)? {
            let next = scene.links[step.link].ends[1 - step.lane].node.as_str();
            let router = all.iter().find(|station| {
                station.node.name == next
                    && matches!(station.node.role, Role::Router(_))
                    && mine.iter().any(|m| segment(m.address) == segment(station.address))
            });
            if let Some(via) = router.filter(|via| via.node.name != name) {
                let port = mine.iter().find(|m| segment(m.address) == segment(via.address))?.port;
                return Some(Hop { segment: network, port, via: *via });
            }
        }
        None
    };
    foreign.filter_map(hop).collect()
}
