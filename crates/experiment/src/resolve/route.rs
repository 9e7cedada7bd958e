//! Resolves written routes, and checks that every flow and tunnel has a path.

use super::Ends;
use super::topology;
use crate::key::Table;
use crate::reader::Reader;
use crate::written::{Role, Setup};
use evidence::unit::Wrong;
use plan::network::routing::way;
use plan::{Link, Node, Scene, Via, segments};

/// Returns all written routes. Each must use a router on one of the node's networks.
pub fn routes(reader: &Reader, setup: &Setup, nodes: &[Node], links: &[Link]) -> Vec<Via> {
    let segments = segments(nodes, links);
    let on = |name: &str| -> Vec<usize> {
        let at = links.iter().zip(&segments).filter(|(link, _)| link.ends.iter().any(|end| end.node == name));
        at.map(|(_, segment)| *segment).collect()
    };
    let mut routes = vec![];
    for (node, route) in setup.nodes.iter().flat_map(|node| node.routes.iter().map(move |route| (node, route))) {
        let name = node.name.get_ref();
        if matches!(node.role, Role::Switch(_)) {
            let wrong = Wrong::new(format!("\"{name}\" is a switch and has no routes"));
            reader.fault(route.to.span(), wrong.hint("make it a router, or remove routes"));
            continue;
        }
        let found = [&route.to, &route.via].map(|name| topology::find(reader, &setup.nodes, name, "the route"));
        let [Some(to), Some(via)] = found else { continue };
        let (to, via) = (&setup.nodes[to], &setup.nodes[via]);
        let (own, next) = (on(name), on(via.name.get_ref()));
        let is_router = matches!(via.role, Role::Router(_));
        if !is_router || via.name.get_ref() == name || !own.iter().any(|segment| next.contains(segment)) {
            let routers = nodes.iter().filter(|other| {
                matches!(other.role, plan::Role::Router(_))
                    && other.name != *name
                    && on(&other.name).iter().any(|segment| own.contains(segment))
            });
            let routers: Vec<&str> = routers.map(|node| node.name.as_str()).collect();
            let wrong = Wrong::new(format!("\"{}\" is no router next to \"{name}\"", via.name.get_ref()));
            let due = if routers.is_empty() { "a router on one of its networks".into() } else { routers.join(", ") };
            reader.fault(route.via.span(), wrong.accepted(due));
        }
        let [to, via] = [to, via].map(|node| node.name.get_ref().clone());
        routes.push(Via { at: name.clone(), to, via });
    }
    routes
}

/// Checks that each flow has a path in both directions, and each tunnel one between its ends.
pub fn check(reader: &Reader, setup: &Setup, scene: &Scene, ends: &[Ends]) {
    let name = |node: usize| setup.nodes[node].name.get_ref().as_str();
    for (flow, ends) in setup.flows.iter().zip(ends) {
        let legs = match ends.via {
            Some(via) => vec![(ends.from, via), (via, ends.to)],
            None => vec![(ends.from, ends.to)],
        };
        let both = legs.into_iter().flat_map(|(from, to)| [(from, to), (to, from)]);
        let lost = both.into_iter().find(|&(from, to)| way(scene, name(from), name(to)).is_none());
        let Some((from, to)) = lost else { continue };
        let wrong = Wrong::new(format!("no way leads from \"{}\" to \"{}\"", name(from), name(to)));
        let is_written = |route: &&crate::written::Via| route.to.get_ref() == name(to);
        match setup.nodes.iter().flat_map(|node| &node.routes).find(is_written) {
            Some(route) => {
                let wrong = wrong.note("the routes to it lead in a circle");
                reader.fault(route.via.span(), wrong.hint("write another via, or a route at the router that it names"));
            }
            None => {
                let wrong = wrong.note("hosts forward nothing");
                reader.fault(flow.span(), wrong.hint("join their networks with a router or a switch"));
            }
        }
    }
    for (written, tunnel) in setup.tunnels.iter().zip(scene.tunnels.iter()) {
        if way(scene, &tunnel.ends[0], &tunnel.ends[1]).is_none() {
            let wrong = Wrong::new(format!("no way leads from \"{}\" to \"{}\"", tunnel.ends[0], tunnel.ends[1]));
            reader.fault(written.span(), wrong.hint("join their networks with a router"));
        }
    }
}
