//! Resolves hosts, switches and routers.

use super::Ends;
use super::freebsd;
use super::interface::{self, Brought};
use super::refused;
use super::topology::{self, Topology};
use crate::key::value_of;
use crate::reader::Reader;
use crate::sysctl;
use crate::tuning::{TUNINGS, Tuning};
use crate::written::{self, Host, Machine, Setup};
use evidence::headers::ETHERNET;
use evidence::unit::{SIZE, Wrong};
use plan::{
    self, Command, HostQdisc, HostShape, Lane, Link, MAX_CAPTURES, Multipath, Nat, Node, Offloads, PortOffloads,
    Profile, Role, Route, Router, Stack, Switch,
};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use toml::Spanned;

/// Sysctls that every host and router gets first, so that results do not depend on the memory of the machine: the
/// defaults of Linux 6.16 and later on a host with 4 GiB or more (Documentation/networking/ip-sysctl.rst). No
/// connection learns from an earlier one.
pub const BASELINE: &[(&str, &str)] = &[
    ("net.ipv4.tcp_no_metrics_save", "1"),
    ("net.ipv4.tcp_rmem", "4096 131072 33554432"),
    ("net.ipv4.tcp_wmem", "4096 16384 4194304"),
];

/// Set first, because it resets other sysctls (Documentation/networking/ip-sysctl.rst).
const FORWARDING: &[(&str, &str)] = &[("net.ipv4.ip_forward", "1")];

/// Default rate of an interface, bit/s.
const DEFAULT_NIC_RATE: u64 = 10_000_000_000;

pub fn nodes(reader: &Reader, setup: &Setup, topology: &Topology, links: &[Link], flows: &[Ends]) -> Vec<Node> {
    interface::check(reader, setup);
    refused::check_sysctls(reader, setup);
    let node = |(number, node): (usize, &written::Node)| match &node.role {
        written::Role::Host(own) => {
            let multipath = multipath(reader, setup, topology, number, own);
            host(reader, &setup.hosts, own, node, &leaving(topology, links, number), multipath)
        }
        written::Role::Switch(own) => {
            check_memory(reader, own, topology.links_at(number).map(|link| links[link].mtu).max().unwrap_or(0));
            let is_an_end = is_an_end(flows, number);
            Node {
                name: node.name.get_ref().clone(),
                role: Role::Switch(Switch { memory: own.memory.as_ref().map(|memory| *memory.get_ref()) }),
                offloads: interface::forwarding(reader, &own.machine),
                ports: ports(reader, setup, topology, number, &own.machine),
                sysctls: settled(if is_an_end { BASELINE } else { &[] }, own.machine.sysctls.iter()),
            }
        }
        written::Role::Router(own) => Node {
            name: node.name.get_ref().clone(),
            role: Role::Router(Router {
                icmp: own.icmp,
                clamp_mss: own.clamp_mss,
                nat: own
                    .nat
                    .as_ref()
                    .and_then(Option::as_ref)
                    .and_then(|nat| translation(reader, setup, topology, number, nat)),
            }),
            offloads: interface::forwarding(reader, &own.machine),
            ports: ports(reader, setup, topology, number, &own.machine),
            sysctls: settled(&[FORWARDING, BASELINE].concat(), own.machine.sysctls.iter()),
        },
    };
    setup.nodes.iter().enumerate().map(node).collect()
}

/// Checks that a name is that of a neighbour: a node on a link with this one.
fn check_neighbour(
    reader: &Reader,
    setup: &Setup,
    topology: &Topology,
    node: usize,
    (key, name): (&str, &Spanned<String>),
) -> Option<String> {
    let named = topology::find(reader, &setup.nodes, name, key)?;
    let mut neighbours: Vec<usize> = topology.links_at(node).flat_map(|link| topology.ends[link]).collect();
    neighbours.retain(|other| *other != node);
    neighbours.dedup();
    if neighbours.contains(&named) {
        return Some(name.get_ref().clone());
    }
    let here = setup.nodes[node].name.get_ref();
    let names = neighbours.iter().map(|node| setup.nodes[*node].name.get_ref().as_str());
    let wrong = Wrong::new(format!("{key} names \"{}\", which no link joins to \"{here}\"", name.get_ref()));
    reader.fault(name.span(), wrong.accepted(names.collect::<Vec<_>>().join(", ")));
    None
}

/// Returns the ports with offloads of their own. Each faces a neighbour.
fn ports(reader: &Reader, setup: &Setup, topology: &Topology, node: usize, own: &Machine) -> Vec<PortOffloads> {
    let port = |port: &written::Port| {
        let to = check_neighbour(reader, setup, topology, node, ("ports", &port.to))?;
        Some(PortOffloads { to, offloads: interface::of_port(reader, &port.machine, own) })
    };
    own.ports.iter().filter_map(port).collect()
}

/// Returns a host's MPTCP settings.
fn multipath(reader: &Reader, setup: &Setup, topology: &Topology, node: usize, own: &Host) -> Multipath {
    let Some(mptcp) = own.mptcp.as_ref().or(setup.hosts.mptcp.as_ref()) else { return Multipath::default() };
    let list = |key: &str, names: &Option<Spanned<Vec<Spanned<String>>>>| {
        let names = names.iter().flat_map(Spanned::get_ref);
        names.filter_map(|name| check_neighbour(reader, setup, topology, node, (key, name))).collect()
    };
    Multipath { backup: list("backup", &mptcp.backup), unused: list("unused", &mptcp.unused) }
}

/// Returns a router's NAT. Its outside must be a neighbour.
fn translation(reader: &Reader, setup: &Setup, topology: &Topology, router: usize, nat: &written::Nat) -> Option<Nat> {
    check_neighbour(reader, setup, topology, router, ("outside", &nat.outside))?;
    let forgets = nat.forgets.iter().flat_map(Spanned::get_ref).map(|at| *at.get_ref());
    Some(Nat {
        outside: nat.outside.get_ref().clone(),
        random_ports: nat.random_ports,
        drops_unknown: nat.drops_unknown,
        forgets: forgets.collect(),
    })
}

/// True if a flow begins or ends at the node.
pub fn is_an_end(flows: &[Ends], node: usize) -> bool {
    flows.iter().any(|ends| ends.from == node || ends.to == node)
}

/// Returns the lanes on which a node sends, each with its MTU.
fn leaving<'l>(topology: &Topology, links: &'l [Link], node: usize) -> Vec<(&'l Lane, u32)> {
    let lane = |link: usize| {
        let Link { forward, backward, mtu, .. } = &links[link];
        (if topology.ends[link][0] == node { forward } else { backward }, *mtu)
    };
    topology.links_at(node).map(lane).collect()
}

fn host(
    reader: &Reader,
    all: &Host,
    own: &Host,
    node: &written::Node,
    leaving: &[(&Lane, u32)],
    multipath: Multipath,
) -> Node {
    let nic = own.nic.or(all.nic).unwrap_or_else(|| Some(line_rate(leaving)));
    let brought = Brought::by(own, all);
    let stack = freebsd::stack(all, own);
    let offloads = match stack {
        Stack::Linux => interface::sending(reader, own, all, &brought, nic.is_some()),
        Stack::FreeBsd => interface::of_freebsd(reader, own, all),
    };
    let route_mtu = own.route_mtu.as_ref().or(all.route_mtu.as_ref());
    let mtu = leaving.iter().map(|(_, mtu)| *mtu).min().unwrap_or(0);
    if let Some(route) = route_mtu.filter(|route| *route.get_ref() > u64::from(mtu)) {
        let wrong = Wrong::new(format!("route-mtu {} is above the link's mtu", reader.literal(route.span())));
        reader.fault(route.span(), wrong.accepted(format!("576 B to {mtu} B: the mtu of \"{}\"", node.name.get_ref())));
    }
    if let Some(written) = own.machine.offloads.as_ref().or(all.machine.offloads.as_ref())
        && offloads.tso
        && nic.is_none()
    {
        let wrong = Wrong::new(format!("\"tso\" at \"{}\", whose nic is unlimited", node.name.get_ref()));
        let wrong = wrong.note("TSO segments packets at the NIC's rate, so the NIC needs one");
        reader.fault(written.span(), wrong.hint("write nic = \"10 Gbit/s\", or \"gso\" instead of \"tso\""));
    }
    if stack == Stack::FreeBsd {
        return freebsd_host(all, own, node, nic, offloads);
    }
    let route_congestion = own.route_congestion.as_ref().or(all.route_congestion.as_ref());
    let of_linux = |(name, _): &&Sysctl| !sysctl::is_freebsd(name.get_ref());
    let written = all.machine.sysctls.iter().chain(&own.machine.sysctls).filter(of_linux);
    let tuned = tuned(reader, all, own, written.clone());
    let recovery = own.recovery.or(all.recovery).unwrap_or_default();
    Node {
        name: node.name.get_ref().clone(),
        role: Role::Host(plan::Host {
            stack,
            profile: brought.profile,
            driver: brought.driver,
            nic,
            qdisc: value_of(&own.qdisc).or(value_of(&all.qdisc)).or(brought.qdisc).unwrap_or(HostQdisc::Fifo),
            route: Route {
                mtu: route_mtu.map(|mtu| *mtu.get_ref() as u32),
                initial_cwnd: own.initial_cwnd.or(all.initial_cwnd).map(|cwnd| cwnd as u32),
                congestion: route_congestion.map(|name| name.get_ref().clone()),
            },
            shape: shape(reader, all, own, (mtu, offloads)),
            input_loss: own.input_loss.or(all.input_loss).flatten().map(|every| every as u32),
            multipath,
        }),
        offloads,
        ports: vec![],
        sysctls: settled(&[BASELINE, &brought.sysctls, recovery].concat(), written.chain(&tuned)),
    }
}

/// Largest packet of a host with TSO or GSO as a qdisc counts it, bytes: 64 KiB, and headers for each segment
/// (qdisc_pkt_len_init in net/core/dev.c).
const LARGEST_PACKET: u64 = 131_072;

/// Returns the token bucket at a host's interface. The host's largest packet must fit into it: the line counts what waits
/// by marks that a packet loses when tbf cuts it.
fn shape(reader: &Reader, all: &Host, own: &Host, (mtu, offloads): (u32, Offloads)) -> Option<HostShape> {
    let written = own.shape.as_ref().or(all.shape.as_ref())?.as_ref()?;
    let frame = u64::from(mtu) + u64::from(ETHERNET);
    let (least, what) = match offloads.tso || offloads.gso {
        true => (LARGEST_PACKET, "a packet that TSO or GSO cuts later".to_owned()),
        false => (frame, format!("the mtu and {ETHERNET} B of Ethernet header")),
    };
    if *written.burst.get_ref() < least {
        let wrong = Wrong::new(format!("burst {} does not hold one packet", reader.literal(written.burst.span())));
        reader.fault(written.burst.span(), wrong.accepted(format!("at least {}: {what}", SIZE.show(least))));
    }
    let [rate, burst, latency] = [&written.rate, &written.burst, &written.latency].map(|value| *value.get_ref());
    Some(HostShape { rate, burst, latency })
}

fn freebsd_host(all: &Host, own: &Host, node: &written::Node, nic: Option<u64>, offloads: Offloads) -> Node {
    let of_freebsd = |(name, _): &&Sysctl| sysctl::is_freebsd(name.get_ref());
    let written = all.machine.sysctls.iter().chain(&own.machine.sysctls).filter(of_freebsd);
    Node {
        name: node.name.get_ref().clone(),
        role: Role::Host(plan::Host {
            stack: Stack::FreeBsd,
            profile: Profile::Plain,
            driver: None,
            nic,
            qdisc: HostQdisc::Fifo,
            route: Route::default(),
            shape: None,
            input_loss: None,
            multipath: Multipath::default(),
        }),
        offloads,
        ports: vec![],
        sysctls: settled(freebsd::BASELINE, written),
    }
}

/// Returns the rate of a host's interface. If its lane has no queue, the interface is the line and has its rate;
/// otherwise it is fast enough not to be the bottleneck.
fn line_rate(leaving: &[(&Lane, u32)]) -> u64 {
    match leaving {
        [(Lane { queue: None, rate, .. }, _), ..] => *rate,
        _ => {
            let rate = leaving.iter().flat_map(|(lane, _)| lane.rates()).max().unwrap_or(0);
            DEFAULT_NIC_RATE.max(if rate > DEFAULT_NIC_RATE / 10 { rate * 10 } else { 0 })
        }
    }
}

fn check_memory(reader: &Reader, switch: &written::Switch, mtu: u32) {
    let packet = u64::from(mtu) + u64::from(ETHERNET);
    if let Some(memory) = switch.memory.as_ref().filter(|memory| *memory.get_ref() < packet) {
        let wrong = Wrong::new(format!("memory {} does not hold one packet", reader.literal(memory.span())));
        let least = format!("at least {}: the mtu and {ETHERNET} B of Ethernet header", SIZE.show(packet));
        reader.fault(memory.span(), wrong.accepted(least));
    }
}

type Sysctl = (Spanned<String>, Spanned<String>);

/// Merges baseline and written sysctls: each name once, at its first position, with its last value.
fn settled<'s>(first: &[(&'s str, &'s str)], written: impl Iterator<Item = &'s Sysctl>) -> Vec<(String, String)> {
    let first = first.iter().copied();
    let written = written.map(|(name, value)| (name.get_ref().as_str(), value.get_ref().as_str()));
    let mut settled: Vec<(String, String)> = vec![];
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (name, value) in first.chain(written) {
        match places.entry(name) {
            Entry::Occupied(place) => value.clone_into(&mut settled[*place.get()].1),
            Entry::Vacant(place) => {
                place.insert(settled.len());
                settled.push((name.to_owned(), value.to_owned()));
            }
        }
    }
    settled
}

/// Returns the sysctls that the host's own keys set.
fn tuned<'s>(
    reader: &Reader,
    all: &Host,
    own: &Host,
    written: impl Iterator<Item = &'s Sysctl> + Clone,
) -> Vec<Sysctl> {
    let mut tuned = vec![];
    for tuning in &TUNINGS {
        let Some(on) = find(own, tuning).or(find(all, tuning)) else { continue };
        if written.clone().any(|(name, _)| name.get_ref() == tuning.sysctl) {
            let wrong = Wrong::new(format!("{} and the sysctl \"{}\" are one setting", tuning.key, tuning.sysctl));
            reader.fault(on.span(), wrong.note("both are written for the same host").hint("remove one of them"));
        }
        let value = tuning.values[*on.get_ref()];
        let [name, value] = [tuning.sysctl, value].map(|text| Spanned::new(on.span(), text.to_owned()));
        tuned.push((name, value));
    }
    tuned
}

fn find<'h>(host: &'h Host, tuning: &Tuning) -> Option<&'h Spanned<usize>> {
    host.tunings.iter().find(|(known, _)| known.key == tuning.key).map(|(_, on)| on)
}

/// Returns the files to fetch, in the order written. All nodes share the guest's file system, so no two names may
/// collide.
pub fn fetched(reader: &Reader, setup: &Setup) -> Vec<String> {
    let mut seen: HashMap<String, &str> = HashMap::new();
    let mut all: Vec<&Spanned<String>> = setup.nodes.iter().flat_map(|node| &node.fetch).collect();
    all.sort_by_key(|path| path.span().start);
    let has_programs = setup.flows.iter().any(|flow| flow.server.is_some());
    let has_commands = has_programs || setup.nodes.iter().any(|node| !node.run.is_empty());
    for path in &all {
        let wrong = match seen.insert(plan::fetched(path.get_ref()), path.get_ref()) {
            _ if !has_commands => Wrong::new("fetch needs a command that writes the file").hint("add run = [\"…\"]"),
            Some(other) => Wrong::new(format!("fetch names \"{}\" beside \"{other}\"", path.get_ref()))
                .note(format!("both would be {} in the trial's folder", plan::fetched(other)))
                .hint("give the files different names"),
            None => continue,
        };
        reader.fault(path.span(), wrong);
    }
    all.into_iter().map(|path| path.get_ref().clone()).collect()
}

/// Returns the nodes whose packets are captured.
pub fn captured(reader: &Reader, setup: &Setup) -> Vec<String> {
    let all: Vec<_> = setup.nodes.iter().filter_map(|node| node.capture.as_ref().map(|span| (node, span))).collect();
    for (_, span) in all.iter().skip(MAX_CAPTURES) {
        let wrong = Wrong::new(format!("more than {MAX_CAPTURES} nodes are captured"));
        reader.fault((*span).clone(), wrong.hint("remove capture = true from the others"));
    }
    all.into_iter().map(|(node, _)| node.name.get_ref().clone()).collect()
}

/// Returns all commands, in the order written.
pub fn commands(setup: &Setup) -> Vec<Command> {
    let all = setup.nodes.iter().flat_map(|node| node.run.iter().map(move |run| (node.name.get_ref(), run)));
    let mut all: Vec<(&String, &written::Run)> = all.collect();
    all.sort_by_key(|(_, run)| run.command.span().start);
    let command = |(node, run): (&String, &written::Run)| Command {
        node: node.clone(),
        at: run.at,
        command: run.command.get_ref().clone(),
        background: run.background,
    };
    all.into_iter().map(command).collect()
}
