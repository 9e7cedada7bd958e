//! Paths of packets: by written routes, or else over as few links as possible.

use super::addresses::{Addresses, Network, Station, address, networks, stations};
use super::topology::{Step, Ways, has_loops};
use crate::{Lane, Role, Scene, Via};
use std::collections::{BTreeSet, HashSet};

/// A network that a node reaches through a router.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hop<'a> {
    /// The network.
    pub network: Network,
    /// The node's port.
    pub port: Option<Step>,
    /// The router's station on their common network.
    pub via: Station<'a>,
}

/// A scene with cached look-ups.
struct Map<'a> {
    scene: &'a Scene,
    stations: Vec<Station<'a>>,
    addresses: Addresses<'a>,
    loops: bool,
}

impl<'a> Map<'a> {
    fn new(scene: &'a Scene) -> Map<'a> {
        Map { scene, stations: stations(scene), addresses: Addresses::from_scene(scene), loops: has_loops(scene) }
    }

    fn on<'b>(&'b self, name: &'b str) -> impl Iterator<Item = &'b Station<'a>> {
        self.stations.iter().filter(move |station| station.node.name == name)
    }

    fn next(&self, step: Step) -> &'a str {
        &self.scene.links[step.link].ends[1 - step.lane].node
    }

    fn entered(&self, step: Step) -> Option<Network> {
        let end = Step { link: step.link, lane: 1 - step.lane };
        [step, end].into_iter().find_map(|step| self.addresses.at(step)).map(|address| address.network())
    }

    fn is_router(&self, name: &str) -> bool {
        self.on(name).next().is_some_and(|station| matches!(station.node.role, Role::Router(_)))
    }

    /// Returns the shortest path to a network: to a router on it, or to a node that it enters on that network.
    fn to_network(&self, ways: &Ways, network: Network) -> Option<Vec<Step>> {
        let mut goals = self.stations.iter().filter(|station| station.address.network() == network);
        if !self.loops {
            return ways.to(&goals.next()?.node.name);
        }
        let reaches = |way: &Vec<Step>, goal: &Station| {
            matches!(goal.node.role, Role::Router(_)) || way.iter().any(|step| self.entered(*step) == Some(network))
        };
        let ways = goals.filter_map(|goal| ways.to(&goal.node.name).filter(|way| reaches(way, goal)));
        ways.min_by_key(Vec::len)
    }

    /// Returns the steps from a node to the first router on its path to another node, or to that node itself. A written
    /// route takes precedence.
    fn leg(&self, here: &'a str, to: &str) -> Option<Vec<Step>> {
        let written = self.scene.routes.iter().find(|route| route.at == here && route.to == to);
        if let Some(route) = written {
            return Ways::within(self.scene, here).to(&route.via);
        }
        let goal = address(&self.stations, to).network();
        if self.on(here).any(|station| station.address.network() == goal) {
            return Ways::within(self.scene, here).to(to);
        }
        let way = self.to_network(&Ways::from(self.scene, here), goal)?;
        let first = way.iter().position(|step| self.is_router(self.next(*step)) || self.next(*step) == to)?;
        Some(way[..=first].to_vec())
    }
}

/// Returns the path from one node to another, over the first link of each bond; `None` if there is none, or if routes
/// form a circle.
pub fn way(scene: &Scene, from: &str, to: &str) -> Option<Vec<Step>> {
    if !has_loops(scene) && scene.routes.is_empty() {
        return Ways::from(scene, from).to(to);
    }
    let map = Map::new(scene);
    let mut here = scene.nodes.iter().find(|node| node.name == from)?.name.as_str();
    let (mut way, mut passed) = (vec![], HashSet::new());
    while here != to {
        if !passed.insert(here) {
            return None;
        }
        let leg = map.leg(here, to)?;
        here = map.next(*leg.last()?);
        way.extend(leg);
    }
    Some(way)
}

/// Returns the lanes of the path there and back.
pub fn round_trip<'a>(scene: &'a Scene, from: &str, to: &str) -> impl Iterator<Item = &'a Lane> {
    let there = way(scene, from, to).unwrap_or_default();
    let back = way(scene, to, from).unwrap_or_default();
    there.into_iter().chain(back).map(|step| step.lane(scene))
}

/// Returns how a node reaches the networks that it is not on.
pub fn hops<'a>(scene: &'a Scene, name: &str) -> Vec<Hop<'a>> {
    let map = Map::new(scene);
    let ways = Ways::from(scene, name);
    let mine: Vec<&Station> = map.on(name).collect();
    let on = |network: Network| mine.iter().find(move |station| station.address.network() == network);
    let hop = |network: Network| {
        for step in map.to_network(&ways, network)? {
            let next = map.next(step);
            let router = map.stations.iter().find(|station| {
                station.node.name == next
                    && matches!(station.node.role, Role::Router(_))
                    && on(station.address.network()).is_some()
                    && (!map.loops || map.entered(step) == Some(station.address.network()))
            });
            if let Some(via) = router.filter(|via| via.node.name != name) {
                return Some(Hop { network, port: on(via.address.network())?.port, via: *via });
            }
        }
        None
    };
    networks(&map.stations).into_iter().filter(|network| on(*network).is_none()).filter_map(hop).collect()
}

/// Returns how a host with several links reaches networks over links that are not on the shortest path, for sockets
/// bound to them.
pub fn detours<'a>(scene: &'a Scene, name: &str) -> Vec<Hop<'a>> {
    let map = Map::new(scene);
    let mine: Vec<Station> = map.on(name).copied().collect();
    let is_host = mine.first().is_some_and(|station| matches!(station.node.role, Role::Host(_)));
    if !is_host || mine.len() < 2 {
        return vec![];
    }
    let usual = hops(scene, name);
    let mut all = vec![];
    for own in &mine {
        let beside = |via: &&Station| {
            let is_there = via.address.network() == own.address.network() && via.address != own.address;
            is_there && matches!(via.node.role, Role::Router(_))
        };
        for hop in usual.iter().filter(|hop| hop.port != own.port) {
            let length = |via: &Station| {
                let is_on = map.on(&via.node.name).any(|station| station.address.network() == hop.network);
                let way = || map.to_network(&Ways::from(scene, &via.node.name), hop.network).map(|way| way.len());
                if is_on { Some(0) } else { way() }
            };
            let via = map.stations.iter().filter(beside).filter_map(|via| Some((length(via)?, via)));
            let nearest = via.min_by_key(|(length, _)| *length);
            all.extend(nearest.map(|(_, via)| Hop { network: hop.network, port: own.port, via: *via }));
        }
    }
    all
}

/// Returns a node's written routes: the destination addresses, the port, and the router's station.
pub fn written<'a>(scene: &'a Scene, name: &str) -> Vec<(Vec<Station<'a>>, Option<Step>, Station<'a>)> {
    let map = Map::new(scene);
    let route = |route: &Via| {
        let pairs = map.on(name).flat_map(|mine| map.on(&route.via).map(move |via| (mine.port, *mine, *via)));
        let (port, _, via) =
            pairs.into_iter().find(|(_, mine, via)| mine.address.network() == via.address.network())?;
        Some((map.on(&route.to).copied().collect(), port, via))
    };
    scene.routes.iter().filter(|route| route.at == name).filter_map(route).collect()
}

/// Returns the networks that a node reaches through another: the path enters them only after that node.
pub fn beyond(scene: &Scene, from: &str, through: &str) -> Vec<Network> {
    let map = Map::new(scene);
    let ways = Ways::from(scene, from);
    let own: BTreeSet<Network> = map.on(from).map(|station| station.address.network()).collect();
    let passes = |network: &Network| {
        for step in map.to_network(&ways, *network)? {
            if map.entered(step) == Some(*network) {
                return Some(false);
            }
            if map.next(step) == through {
                return Some(true);
            }
        }
        Some(false)
    };
    networks(&map.stations)
        .into_iter()
        .filter(|network| !own.contains(network) && passes(network) == Some(true))
        .collect()
}
