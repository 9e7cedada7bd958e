//! Links between nodes, and shortest paths over them.

use crate::{Lane, Link, Node, Role, Scene};
use std::collections::{HashMap, HashSet, VecDeque};

/// One direction of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Index into [`Scene::links`].
    pub link: usize,
    /// 0 forward, 1 backward.
    pub lane: usize,
}

impl Step {
    /// Returns its lane.
    pub fn lane(self, scene: &Scene) -> &Lane {
        lane(&scene.links[self.link], self.lane)
    }
}

/// Returns a direction of a link: 0 forward, 1 backward.
pub fn lane(link: &Link, number: usize) -> &Lane {
    if number == 0 { &link.forward } else { &link.backward }
}

/// Finds a node by name.
pub fn node<'a>(scene: &'a Scene, name: &str) -> &'a Node {
    scene.nodes.iter().find(|node| node.name == name).expect("the plan names only its own nodes")
}

/// Returns the links of a node, each with the number of the node's end; links of a bond are grouped.
pub fn attachments(scene: &Scene, name: &str) -> Vec<Vec<Step>> {
    let mut groups: Vec<Vec<Step>> = vec![];
    let is_member = |group: &[Step], link: usize| {
        scene.links[group[0].link].bond.is_some() && same_ends(scene, group[0].link, link)
    };
    for (number, link) in scene.links.iter().enumerate() {
        let Some(end) = link.ends.iter().position(|end| end.node == name) else { continue };
        let step = Step { link: number, lane: end };
        match groups.iter_mut().find(|group| link.bond.is_some() && is_member(group, number)) {
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

/// True if some nodes have more than one path between them, not counting the links of a bond.
pub fn has_loops(scene: &Scene) -> bool {
    let is_first = |link: usize| {
        let same = |other: usize| scene.links[other].bond.is_some() && same_ends(scene, other, link);
        scene.links[link].bond.is_none() || !(0..link).any(same)
    };
    (0..scene.links.len()).filter(|link| is_first(*link)).count() + 1 > scene.nodes.len()
}

/// Shortest paths from one node to all others, over the first link of each bond; hosts do not forward.
pub struct Ways<'a> {
    from: &'a str,
    /// Last step to each node, and the node before it.
    last: HashMap<&'a str, (&'a str, Step)>,
}

impl<'a> Ways<'a> {
    /// Returns the paths from a node.
    pub fn from(scene: &'a Scene, from: &'a str) -> Ways<'a> {
        Ways::over(scene, from, |role| !matches!(role, Role::Host(_)))
    }

    /// Returns the paths from a node within its own networks, over switches only.
    pub fn within(scene: &'a Scene, from: &'a str) -> Ways<'a> {
        Ways::over(scene, from, |role| matches!(role, Role::Switch(_)))
    }

    fn over(scene: &'a Scene, from: &'a str, passes: impl Fn(&Role) -> bool) -> Ways<'a> {
        let stops: HashSet<&str> =
            scene.nodes.iter().filter(|node| !passes(&node.role)).map(|node| node.name.as_str()).collect();
        let mut leaving: HashMap<&str, Vec<Step>> = HashMap::new();
        for (link, Link { ends, .. }) in scene.links.iter().enumerate() {
            for (lane, end) in ends.iter().enumerate() {
                leaving.entry(end.node.as_str()).or_default().push(Step { link, lane });
            }
        }
        let mut last = HashMap::new();
        let mut open = VecDeque::from([from]);
        while let Some(here) = open.pop_front() {
            if here != from && stops.contains(here) {
                continue;
            }
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

    /// Returns the path to a node; `None` if there is none.
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
