//! The network as a graph: resolves node names, refuses switching loops, and finds shortest paths.

use crate::bounds;
use crate::keys::link::MS;
use crate::reader::Reader;
use crate::source::Span;
use crate::written::{Link, Node, Role, Setup};
use base::suggest::suggest;
use evidence::unit::Wrong;
use std::collections::{HashSet, VecDeque};
use toml::Spanned;

/// The graph of a network.
#[derive(Debug)]
pub struct Topology {
    /// Nodes at the ends of each link, as indices.
    pub ends: Vec<[usize; 2]>,
    /// Edges between nodes. Links with the same ends, such as a bond's, share one edge.
    edges: Vec<Edge>,
    /// Whether each node is a host; hosts do not forward.
    hosts: Vec<bool>,
}

#[derive(Debug)]
struct Edge {
    ends: [usize; 2],
    links: Vec<usize>,
}

/// Finds the node of a name; if there is none, notes a fault and suggests one.
pub fn find(reader: &Reader, nodes: &[Node], name: &Spanned<String>, what: &str) -> Option<usize> {
    let found = nodes.iter().position(|node| node.name.get_ref() == name.get_ref());
    if found.is_none() {
        let wrong = Wrong::new(format!("{what} names \"{}\", which is not declared", name.get_ref()));
        let names = nodes.iter().map(|node| node.name.get_ref().as_str());
        let wrong = if nodes.is_empty() { wrong } else { suggest(wrong, name.get_ref(), names) };
        reader.fault(
            name.span(),
            match wrong.hint {
                Some(_) => wrong,
                None => wrong.hint(format!("declare it: [hosts.{0}], [switches.{0}] or [routers.{0}]", name.get_ref())),
            },
        );
    }
    found
}

impl Edge {
    /// Returns the longest round trip of its links.
    fn longest(&self, round_trips: &[u64]) -> u64 {
        self.links.iter().map(|&link| round_trips[link]).max().unwrap_or(0)
    }
}

/// Returns the edges from a node back to the root of the search.
fn way_back<'t>(back: &[Option<(usize, &'t Edge)>], from: usize) -> Vec<&'t Edge> {
    let mut way = vec![];
    let mut here = from;
    while let Some((before, edge)) = back[here] {
        way.push(edge);
        here = before;
    }
    way
}

impl Topology {
    /// Builds the graph, or notes everything that is wrong with it.
    pub fn new(reader: &Reader, setup: &Setup) -> Option<Topology> {
        let Setup { nodes, links, .. } = setup;
        if !check_size(reader, setup) {
            return None;
        }
        let are_distinct = check_names(reader, nodes);
        let ends: Vec<Option<[usize; 2]>> = links.iter().map(|link| ends(reader, nodes, link)).collect();
        let edges = edges(links, &ends);
        check_bonds(reader, links, &edges);
        let is_loopless = check_switches(reader, setup, &edges);
        let ends = ends.into_iter().collect::<Option<Vec<_>>>()?;
        let hosts = nodes.iter().map(|node| matches!(node.role, Role::Host(_))).collect();
        let topology = Topology { ends, edges, hosts };
        let is_whole = are_distinct && topology.check_whole(reader, nodes);
        (is_loopless && is_whole).then_some(topology)
    }

    fn neighbours(&self, node: usize) -> impl Iterator<Item = (usize, &Edge)> {
        self.edges.iter().filter_map(move |edge| Some((across(edge, node)?, edge)))
    }

    /// Finds all nodes that can be reached from one by the shortest path. Each has the edge that leads back.
    fn reached(&self, from: usize) -> Vec<Option<(usize, &Edge)>> {
        self.reached_over(from, |node| !self.hosts[node], |_| true)
    }

    /// Like [`Self::reached`], but only some nodes forward and only some edges exist.
    fn reached_over(
        &self,
        from: usize,
        forwards: impl Fn(usize) -> bool,
        is_there: impl Fn(&Edge) -> bool,
    ) -> Vec<Option<(usize, &Edge)>> {
        let mut back: Vec<Option<(usize, &Edge)>> = vec![None; self.hosts.len()];
        let mut left = VecDeque::from([from]);
        while let Some(node) = left.pop_front() {
            let beside = self.neighbours(node).filter(|(_, edge)| is_there(edge));
            for (next, edge) in beside.filter(|_| node == from || forwards(node)) {
                if next != from && back[next].is_none() {
                    back[next] = Some((node, edge));
                    left.push_back(next);
                }
            }
        }
        back
    }

    /// Returns the first link on the path from one node to another.
    pub fn first_link(&self, from: usize, to: usize) -> Option<usize> {
        let (_, edge) = self.reached(to)[from]?;
        edge.links.first().copied()
    }

    /// Returns the links at a node.
    pub fn links_at(&self, node: usize) -> impl Iterator<Item = usize> {
        self.ends.iter().enumerate().filter(move |(_, ends)| ends.contains(&node)).map(|(link, _)| link)
    }

    /// Returns, for each link, the longest round trip between two hosts through it; `round_trips` has that of each link
    /// alone.
    pub fn longest_round_trips(&self, round_trips: &[u64]) -> Vec<u64> {
        if self.edges.len() < self.hosts.len() {
            let through = |link: usize| {
                let [one, other] = self.ends[link];
                let beyond = |from, but| self.farthest_host(round_trips, from, but).unwrap_or(0);
                round_trips[link] + beyond(one, other) + beyond(other, one)
            };
            return (0..self.ends.len()).map(through).collect();
        }
        let mut all = vec![0; self.ends.len()];
        for host in (0..self.hosts.len()).filter(|node| self.hosts[*node]) {
            let back = self.reached(host);
            for other in (0..self.hosts.len()).filter(|other| self.hosts[*other]) {
                let way = way_back(&back, other);
                let sum: u64 = way.iter().map(|edge| edge.longest(round_trips)).sum();
                for link in way.iter().flat_map(|edge| &edge.links) {
                    all[*link] = sum.max(all[*link]);
                }
            }
        }
        let through = |link: usize| if all[link] == 0 { self.around(round_trips, link) } else { all[link] };
        (0..all.len()).map(through).collect()
    }

    /// Returns the longest round trip through a link that is on no shortest path: between the two hosts that are
    /// farthest from its ends over other links.
    fn around(&self, round_trips: &[u64], link: usize) -> u64 {
        let [one, other] = self.ends[link].map(|end| {
            let back = self.reached_over(end, |node| !self.hosts[node], |edge| !edge.links.contains(&link));
            let far = |host: usize| way_back(&back, host).iter().map(|edge| edge.longest(round_trips)).sum::<u64>();
            let reached =
                (0..self.hosts.len()).filter(|host| self.hosts[*host] && (*host == end || back[*host].is_some()));
            let all: Vec<(usize, u64)> = reached.map(|host| (host, far(host))).collect();
            if self.hosts[end] { vec![(end, 0)] } else { all }
        });
        let pairs = one.iter().flat_map(|a| other.iter().map(move |b| (a, b))).filter(|(a, b)| a.0 != b.0);
        round_trips[link] + pairs.map(|(a, b)| a.1 + b.1).max().unwrap_or(0)
    }

    /// Returns the distance to the farthest host, without going over one neighbour.
    fn farthest_host(&self, round_trips: &[u64], from: usize, but: usize) -> Option<u64> {
        let mut farthest = None;
        let mut left = vec![(from, but, 0)];
        while let Some((node, before, far)) = left.pop() {
            if self.hosts[node] {
                farthest = farthest.max(Some(far));
            }
            for (next, edge) in self.neighbours(node).filter(|(next, _)| *next != before) {
                left.push((next, node, far + edge.longest(round_trips)));
            }
        }
        farthest
    }

    /// Reports parts of the network that no link connects.
    fn check_whole(&self, reader: &Reader, nodes: &[Node]) -> bool {
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for node in 0..nodes.len() {
            if !parts.iter().any(|part| part.contains(&node)) {
                let back = self.reached_over(node, |_| true, |_| true);
                parts.push((0..nodes.len()).filter(|&other| other == node || back[other].is_some()).collect());
            }
        }
        let names = |part: &Vec<usize>| {
            part.iter().map(|&node| nodes[node].name.get_ref().as_str()).collect::<Vec<_>>().join(", ")
        };
        for part in parts.iter().skip(1) {
            let [here, there] = [part[0], parts[0][0]].map(|node| nodes[node].name.get_ref());
            let wrong = Wrong::new(format!("no link connects \"{there}\" to \"{here}\""));
            let wrong = wrong.note(format!("the parts: {}", parts.iter().map(names).collect::<Vec<_>>().join("; ")));
            reader.fault(nodes[part[0]].name.span(), wrong.hint("connect the parts with [[links]]"));
        }
        parts.len() == 1
    }
}

/// Checks the numbers of nodes and links. Within them, there are enough numbers for all segments.
fn check_size(reader: &Reader, setup: &Setup) -> bool {
    let nodes = setup.nodes.iter().map(|node| node.name.span());
    let links = setup.links.iter().map(|link| link.span.clone());
    is_few(reader, nodes, bounds::NODES, "nodes") & is_few(reader, links, bounds::LINKS, "links")
}

fn is_few(reader: &Reader, mut places: impl ExactSizeIterator<Item = Span>, most: usize, what: &str) -> bool {
    let count = places.len();
    if let Some(place) = places.nth(most) {
        reader.fault(place, Wrong::new(format!("the network has {count} {what}")).accepted(format!("{most} at most")));
    }
    count <= most
}

fn across(edge: &Edge, node: usize) -> Option<usize> {
    match edge.ends {
        [one, other] if one == node => Some(other),
        [one, other] if other == node => Some(one),
        _ => None,
    }
}

fn same(one: [usize; 2], other: [usize; 2]) -> bool {
    one == other || one == [other[1], other[0]]
}

fn check_names(reader: &Reader, nodes: &[Node]) -> bool {
    let mut are_distinct = true;
    for (number, node) in nodes.iter().enumerate() {
        let name = node.name.get_ref();
        if let Some(other) = nodes[..number].iter().find(|other| other.name.get_ref() == name) {
            let wrong = Wrong::new(format!("the {} \"{name}\" has the name of a {}", kind(node), kind(other)));
            reader.fault(node.name.span(), wrong.note("no two nodes have the same name").hint("rename one of them"));
            are_distinct = false;
        }
    }
    are_distinct
}

fn kind(node: &Node) -> &'static str {
    match node.role {
        Role::Host(_) => "host",
        Role::Switch(_) => "switch",
        Role::Router(_) => "router",
    }
}

fn ends(reader: &Reader, nodes: &[Node], link: &Link) -> Option<[usize; 2]> {
    let [one, other] = link.between.as_ref()?;
    let [one, other] = [one, other].map(|name| find(reader, nodes, name, "between"));
    Some([one?, other?])
}

fn edges(links: &[Link], ends: &[Option<[usize; 2]>]) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    for (link, ends) in ends.iter().enumerate().filter_map(|(link, ends)| Some((link, (*ends)?))) {
        let is_member = |edge: &&mut Edge| {
            let is_bonded = |link: usize| links[link].bond.is_some();
            same(edge.ends, ends) && is_bonded(link) && is_bonded(edge.links[0])
        };
        match edges.iter_mut().find(is_member) {
            Some(edge) => edge.links.push(link),
            None => edges.push(Edge { ends, links: vec![link] }),
        }
    }
    edges
}

fn check_bonds(reader: &Reader, links: &[Link], edges: &[Edge]) {
    for edge in edges {
        let [first, others @ ..] = &edge.links[..] else { continue };
        let first = &links[*first];
        if let (Some(bond), []) = (&first.bond, others) {
            let wrong = Wrong::new(format!("bond {} has one link", reader.literal(bond.span())));
            let hint = "add the other [[links]] between the same nodes, or remove bond";
            reader.fault(bond.span(), wrong.note("a bond has several links between the same two nodes").hint(hint));
        }
        edge.links.iter().for_each(|link| check_miimon(reader, &links[*link], first));
        for other in others.iter().map(|&other| &links[other]) {
            let mode = |link: &Link| link.bond.as_ref().map(|bond| *bond.get_ref());
            if let (Some(bond), Some(mode)) = (&other.bond, mode(first))
                && *bond.get_ref() != mode
            {
                let wrong = Wrong::new(format!(
                    "bond {} differs from the other links of the bond",
                    reader.literal(bond.span())
                ));
                reader.fault(bond.span(), wrong.hint("write the same bond in all links between the same nodes"));
            }
            let mtu = |link: &Link| link.mtu.as_ref().map(|mtu| *mtu.get_ref());
            if mode(first).is_some() && mtu(other) != mtu(first) {
                let place = other.mtu.as_ref().map_or(other.span.clone(), Spanned::span);
                let wrong = Wrong::new("the links of a bond have different mtu");
                reader.fault(place, wrong.hint("write the same mtu in all of them"));
            }
        }
    }
}

/// Checks a bond's `miimon`: whole milliseconds, and the same for all its links.
fn check_miimon(reader: &Reader, link: &Link, first: &Link) {
    let every = |link: &Link| link.miimon.as_ref().and_then(|miimon| *miimon.get_ref());
    let fault = |what: &str, hint: &str| {
        let place = link.miimon.as_ref().map_or(link.span.clone(), Spanned::span);
        let written = link.miimon.as_ref().map_or("off", |miimon| reader.literal(miimon.span()));
        reader.fault(place, Wrong::new(format!("miimon {written} {what}")).hint(hint));
    };
    if every(link).is_some() && link.bond.is_none() {
        fault("is for a bond, and this link is none's", "remove miimon, or write bond = \"active-backup\"");
    } else if every(link).is_some_and(|ns| !ns.is_multiple_of(MS)) {
        fault("is no whole number of ms", "write \"100 ms\"");
    } else if link.bond.is_some() && every(link) != every(first) {
        fault("differs from the other links of the bond", "write the same miimon in all links between the same nodes");
    }
}

/// Reports each link that closes a loop of switches, or that joins a node to a network a second time.
fn check_switches(reader: &Reader, setup: &Setup, edges: &[Edge]) -> bool {
    let Setup { nodes, links, .. } = setup;
    let name = |node: usize| nodes[node].name.get_ref().as_str();
    let is_switch = |node: usize| matches!(nodes[node].role, Role::Switch(_));
    let place = |edge: &Edge| {
        let link = &links[edge.links[0]];
        link.between.as_ref().map_or(link.span.clone(), |[one, other]| one.span().start..other.span().end)
    };
    let mut joined = Topology { ends: Vec::new(), edges: Vec::new(), hosts: vec![false; nodes.len()] };
    let mut is_right = true;
    for edge in edges.iter().filter(|edge| edge.ends.iter().all(|&end| is_switch(end))) {
        let [one, other] = edge.ends;
        let mut around = vec![one];
        let back = joined.reached(other);
        while let Some((next, _)) = back[around[around.len() - 1]] {
            around.push(next);
        }
        if around.len() == 1 {
            joined.edges.push(Edge { ends: edge.ends, links: edge.links.clone() });
            continue;
        }
        let names: Vec<&str> = around.iter().chain(around.first()).map(|&node| name(node)).collect();
        let wrong = Wrong::new("the switches make a loop").note(format!("it is {}", names.join(" - ")));
        let hint = "remove one of its links, or make one of the switches a router: there is no spanning tree";
        reader.fault(place(edge), wrong.hint(hint));
        is_right = false;
    }
    let mut known: HashSet<[usize; 2]> = HashSet::new();
    for edge in edges {
        let [one, other] = edge.ends;
        let (switch, node) = if is_switch(one) { (one, other) } else { (other, one) };
        if !is_switch(switch) || is_switch(node) {
            continue;
        }
        let back = joined.reached(switch);
        let network = (0..nodes.len()).find(|&other| other == switch || back[other].is_some()).unwrap_or(switch);
        if !known.insert([network, node]) {
            let wrong = Wrong::new(format!("two links lead from \"{}\" to one network", name(node)));
            let wrong = wrong.note(format!("switch \"{}\" is on it, and a node has one address there", name(switch)));
            let hint = "remove one of the links, or make them a bond: bond = \"balance-rr\" in each";
            reader.fault(place(edge), wrong.hint(hint));
            is_right = false;
        }
    }
    is_right
}
