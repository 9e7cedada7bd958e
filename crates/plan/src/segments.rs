//! Ethernet segments. Links that meet in a switch are one segment, and so are the members of a bond.

use super::{Link, Node, Role};
use std::collections::{HashMap, HashSet};

/// Returns the number of each link's segment, in the order of their first links.
pub fn segments(nodes: &[Node], links: &[Link]) -> Vec<usize> {
    let switches: HashSet<&str> =
        nodes.iter().filter(|node| matches!(node.role, Role::Switch(_))).map(|node| node.name.as_str()).collect();
    let names = |link: usize| links[link].ends.each_ref().map(|end| end.node.as_str());
    let mut at: HashMap<&str, Vec<usize>> = HashMap::new();
    for link in 0..links.len() {
        names(link).into_iter().for_each(|name| at.entry(name).or_default().push(link));
    }
    let mut segments: Vec<Option<usize>> = vec![None; links.len()];
    let mut next = 0;
    for first in 0..links.len() {
        let mut open = vec![first];
        let number = next;
        while let Some(link) = open.pop() {
            if segments[link].is_some() {
                continue;
            }
            (segments[link], next) = (Some(number), number + 1);
            let ends = names(link);
            let beside =
                |other: &usize| links[*other].bond.is_some() && names(*other).iter().all(|name| ends.contains(name));
            for name in ends {
                open.extend(at[name].iter().copied().filter(|other| switches.contains(name) || beside(other)));
            }
        }
    }
    segments.into_iter().flatten().collect()
}
