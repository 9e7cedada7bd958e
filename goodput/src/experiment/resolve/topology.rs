//! The graph: which node each name means, that the links make a tree, and what follows from it.

use crate::experiment::bounds;
use crate::experiment::reader::Reader;
use crate::experiment::source::Span;
use crate::experiment::written::{Link, Node, Role, Setup};
use crate::suggest::suggest;
use evidence::unit::Wrong;
use toml::Spanned;

/// The graph of a network.
#[derive(Debug)]
pub struct Topology {
    /// The nodes at the ends of each link, as indices.
    pub ends: Vec<[usize; 2]>,
    /// Links with the same ends, once: those of a bond stand together.
    edges: Vec<Edge>,
    /// How many nodes there are.
    nodes: usize,
}

#[derive(Debug)]
struct Edge {
    ends: [usize; 2],
    links: Vec<usize>,
}

/// The node of that name; if there is none, a fault that suggests one.
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

impl Topology {
    /// The graph, or all that is wrong with it.
    pub fn new(reader: &Reader, setup: &Setup) -> Option<Topology> {
        let Setup { nodes, links, .. } = setup;
        if !check_size(reader, setup) {
            return None;
        }
        let are_distinct = check_names(reader, nodes);
        let ends: Vec<Option<[usize; 2]>> = links.iter().map(|link| ends(reader, nodes, link)).collect();
        let edges = edges(&ends);
        check_bonds(reader, links, &edges);
        let is_a_forest = check_loops(reader, setup, &edges) & check_hosts(reader, setup, &edges);
        let ends = ends.into_iter().collect::<Option<Vec<_>>>()?;
        let topology = Topology { ends, edges, nodes: nodes.len() };
        let is_whole = are_distinct && topology.check_whole(reader, nodes);
        (is_a_forest && is_whole).then_some(topology)
    }

    fn neighbours(&self, node: usize) -> impl Iterator<Item = (usize, &Edge)> {
        self.edges.iter().filter_map(move |edge| Some((across(edge, node)?, edge)))
    }

    /// All nodes that can be reached from one, each with the edge that leads back to it.
    fn reached(&self, from: usize) -> Vec<Option<(usize, &Edge)>> {
        let mut back: Vec<Option<(usize, &Edge)>> = vec![None; self.nodes];
        let mut left = vec![from];
        while let Some(node) = left.pop() {
            for (next, edge) in self.neighbours(node) {
                if next != from && back[next].is_none() {
                    back[next] = Some((node, edge));
                    left.push(next);
                }
            }
        }
        back
    }

    /// The first link on the way from one node to another.
    pub fn first_link(&self, from: usize, to: usize) -> Option<usize> {
        let (_, edge) = self.reached(to)[from]?;
        edge.links.first().copied()
    }

    /// The links at a node.
    pub fn links_at(&self, node: usize) -> impl Iterator<Item = usize> {
        self.ends.iter().enumerate().filter(move |(_, ends)| ends.contains(&node)).map(|(link, _)| link)
    }

    /// The longest round trip between two hosts through a link, given that of each link.
    pub fn longest_round_trip(&self, setup: &Setup, link: usize, round_trips: &[u64]) -> u64 {
        let [one, other] = self.ends[link];
        let beyond = |from, but| self.farthest_host(setup, round_trips, from, but).unwrap_or(0);
        round_trips[link] + beyond(one, other) + beyond(other, one)
    }

    /// How far the farthest host is, when the way over one neighbour is closed.
    fn farthest_host(&self, setup: &Setup, round_trips: &[u64], from: usize, but: usize) -> Option<u64> {
        let mut farthest = None;
        let mut left = vec![(from, but, 0)];
        while let Some((node, before, far)) = left.pop() {
            if matches!(setup.nodes[node].role, Role::Host(_)) {
                farthest = farthest.max(Some(far));
            }
            for (next, edge) in self.neighbours(node).filter(|(next, _)| *next != before) {
                let longest = edge.links.iter().map(|&link| round_trips[link]).max().unwrap_or(0);
                left.push((next, node, far + longest));
            }
        }
        farthest
    }

    /// Parts that nothing joins are a fault.
    fn check_whole(&self, reader: &Reader, nodes: &[Node]) -> bool {
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for node in 0..nodes.len() {
            if !parts.iter().any(|part| part.contains(&node)) {
                let back = self.reached(node);
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

/// A tree of so few nodes has no more segments than there are numbers for.
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

fn edges(ends: &[Option<[usize; 2]>]) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    for (link, ends) in ends.iter().enumerate().filter_map(|(link, ends)| Some((link, (*ends)?))) {
        match edges.iter_mut().find(|edge| same(edge.ends, ends)) {
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

/// Notes each link that closes a loop; two links beside each other do, unless they are a bond.
fn check_loops(reader: &Reader, setup: &Setup, edges: &[Edge]) -> bool {
    let Setup { nodes, links, .. } = setup;
    let name = |node: usize| nodes[node].name.get_ref().as_str();
    let fault = |link: &Link, around: &[usize], hint: &str| {
        let names: Vec<&str> = around.iter().chain(around.first()).map(|&node| name(node)).collect();
        let wrong = Wrong::new("the links make a loop").note(format!("it is {}", names.join(" - ")));
        let place = link.between.as_ref().map_or(link.span.clone(), |[one, other]| one.span().start..other.span().end);
        reader.fault(place, wrong.hint(hint));
    };
    let mut forest = Topology { ends: Vec::new(), edges: Vec::new(), nodes: nodes.len() };
    let mut is_a_forest = true;
    for edge in edges {
        for &link in edge.links.iter().skip(1) {
            if edge.links.iter().any(|&member| links[member].bond.is_none()) {
                let hint = "remove one of the links, or make them a bond: bond = \"balance-rr\" in each";
                fault(&links[link], &edge.ends, hint);
                is_a_forest = false;
            }
        }
        let [one, other] = edge.ends;
        let mut around = vec![one];
        let back = forest.reached(other);
        while let Some((next, _)) = back[around[around.len() - 1]] {
            around.push(next);
        }
        if around.len() > 1 {
            fault(&links[edge.links[0]], &around, "remove one of its links: a network is a tree");
            is_a_forest = false;
        } else {
            forest.edges.push(Edge { ends: edge.ends, links: edge.links.clone() });
        }
    }
    is_a_forest
}

/// A host has one interface, or one bond.
fn check_hosts(reader: &Reader, setup: &Setup, edges: &[Edge]) -> bool {
    let mut is_right = true;
    for (number, node) in setup.nodes.iter().enumerate().filter(|(_, node)| matches!(node.role, Role::Host(_))) {
        for edge in edges.iter().filter(|edge| edge.ends.contains(&number)).skip(1) {
            let between = setup.links[edge.links[0]].between.as_ref();
            let place = between.into_iter().flatten().find(|name| name.get_ref() == node.name.get_ref());
            let wrong = Wrong::new(format!("the host \"{}\" has a second link", node.name.get_ref()));
            let wrong = wrong.note("a host has one network interface");
            reader.fault(place.map_or(0..0, Spanned::span), wrong.hint("connect the links with a switch or a router"));
            is_right = false;
        }
    }
    is_right
}
