//! Who is joined to whom, and the way from one node to another. A scene's links make a tree, but for the
//! members of a bond, which lie side by side.

use crate::plan::{Lane, Link, Node, Scene};
use std::collections::{HashMap, VecDeque};

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
