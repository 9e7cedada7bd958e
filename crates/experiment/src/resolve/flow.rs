//! Flows: expands each section into its connections, each with nodes and a start time.

use super::family;
use super::topology::{self, Topology};
use crate::key::{Table, value_of};
use crate::reader::Reader;
use crate::sysctl;
use crate::written::{self, Direction, MSS_MIN, Setup};
use base::units::TrafficKind;
use evidence::headers::Ip;
use evidence::unit::{TIME, Wrong};
use plan::{Family, Flow, Link, Role, Tcp, Traffic, Transfer, Until, Writes};
use std::collections::HashSet;
use toml::Spanned;

const DEFAULT_CONGESTION: &str = "cubic";
/// Default payload of a datagram and of a ping, bytes.
const DATAGRAM_BYTES: u64 = 1200;
const PING_BYTES: u64 = 56;

/// Most connections: ports are numbered from 5201 on, or from 6201.
const MOST_CONNECTIONS: usize = 59_000;

/// Most datagrams of a trial. The agent sends each with a call of its own.
const MAX_DATAGRAMS: u128 = 100_000_000;

const DAY_NS: u64 = 86_400_000_000_000;

/// Nodes of a flow, as indices.
#[derive(Debug, Clone, Copy)]
pub struct Ends {
    /// The node that connects if the direction is forward.
    pub from: usize,
    /// The node that listens if the direction is forward.
    pub to: usize,
    /// The node that relays.
    pub via: Option<usize>,
}

/// Finds the ends of each flow. With two hosts, names are optional.
pub fn ends(reader: &Reader, setup: &Setup) -> Vec<Option<Ends>> {
    let end = |flow: &written::Flow| {
        let node = |name: &Option<Spanned<String>>, default: usize| match name {
            Some(name) => topology::find(reader, &setup.nodes, name, "the flow"),
            None => (default < setup.nodes.len()).then_some(default),
        };
        let (from, to) = (node(&flow.from, 0), node(&flow.to, 1));
        let via = flow.via.as_ref().map(|name| topology::find(reader, &setup.nodes, name, "the flow"));
        let ends = Ends { from: from?, to: to?, via: via.map_or(Some(None), |via| via.map(Some))? };
        if ends.from == ends.to {
            let name = setup.nodes[ends.from].name.get_ref();
            let wrong = Wrong::new(format!("the flow leads from \"{name}\" to itself"));
            let place = flow.to.as_ref().or(flow.from.as_ref()).map_or(flow.span(), Spanned::span);
            reader.fault(place, wrong.hint("write from and to as two different nodes"));
            return None;
        }
        if let Some((name, via)) = flow.via.as_ref().zip(ends.via)
            && (via == ends.from || via == ends.to)
        {
            let wrong = Wrong::new(format!("\"{}\" is an end of the flow and cannot relay it", name.get_ref()));
            reader.fault(name.span(), wrong.hint("name a host between the two, or write via = \"none\""));
            return None;
        }
        Some(ends)
    };
    setup.flows.iter().map(end).collect()
}

/// A flow of the plan, with its own range of start delays.
#[derive(Debug)]
pub struct Scattered {
    /// The flow with its earliest start.
    pub flow: Flow,
    /// Longest delay of its start, ns.
    pub by: u64,
}

/// Returns all flows in the order of their numbers.
pub fn flows(
    reader: &Reader,
    setup: &Setup,
    topology: &Topology,
    (nodes, links, network): (&[plan::Node], &[Link], Family),
    ends: &[Ends],
) -> Vec<Scattered> {
    check_names(reader, setup);
    let mut flows = Vec::new();
    for (written, &Ends { from, to, via }) in setup.flows.iter().zip(ends) {
        let directions = match written.direction {
            Direction::Forward => vec![(from, to)],
            Direction::Reverse => vec![(to, from)],
            Direction::Both => vec![(from, to), (to, from)],
        };
        check_relay(reader, written, via.map(|via| &nodes[via]));
        let ipv6 = family::of_flow(reader, written, network);
        let family = if ipv6 { Ip::V6 } else { Ip::V4 };
        let omit = written.until().map(|until| omitted(reader, written.omit.as_ref(), until));
        for (from, to) in directions {
            let leg = |from: usize, to: usize| {
                let mtu = topology.first_link(from, to).map_or(0, |link| u64::from(links[link].mtu));
                let sender = if written.traffic() == TrafficKind::Requests { to } else { from };
                let by_host =
                    [from, to].iter().any(|&node| has_own_default(&nodes[node])) || nodes[sender].is_freebsd();
                Some(Transfer {
                    name: written.name.as_ref().map(|name| name.get_ref().clone()),
                    from: nodes[from].name.clone(),
                    to: nodes[to].name.clone(),
                    ipv6,
                    until: written.until()?,
                    omit: omit?,
                    traffic: traffic(reader, written, (mtu, family), by_host)?,
                    onward: false,
                })
            };
            let legs = match via {
                None => leg(from, to).map(|whole| vec![whole]),
                Some(via) => leg(from, via).zip(leg(via, to)).map(|(first, last)| relayed(first, last)),
            };
            let Some(legs) = legs else { continue };
            check_start(reader, written);
            let &written::Flow { start, stagger, scatter: by, count, .. } = written;
            for number in 0..count {
                let starting =
                    |leg: &Transfer| Scattered { flow: Flow::new(start + number * stagger, leg.clone()), by };
                flows.extend(legs.iter().map(starting));
            }
        }
    }
    if flows.len() > MOST_CONNECTIONS {
        let wrong = Wrong::new(format!("the flows make {} connections", flows.len()));
        let place = setup.flows.first().map_or(0..0, |flow| flow.span());
        reader.fault(place, wrong.accepted(format!("{MOST_CONNECTIONS} at once: each has a port of its own")));
    }
    check_datagrams(reader, setup, &flows);
    flows
}

/// Splits a transfer into two connections that a proxy joins. The first keeps the application's writing, the last its
/// reading. The last also keeps the name, because what arrives there is what the transfer delivers.
fn relayed(mut first: Transfer, mut last: Transfer) -> Vec<Transfer> {
    first.name = None;
    last.onward = true;
    if let Traffic::Bulk { read_rate, .. } = &mut first.traffic {
        *read_rate = None;
    }
    if let Traffic::Bulk { on_off, send_rate, tcp, .. } = &mut last.traffic {
        (*on_off, *send_rate, tcp.writes) = (None, None, None);
    }
    vec![first, last]
}

/// Checks that the relay is a Linux host, because a program there relays.
fn check_relay(reader: &Reader, flow: &written::Flow, relay: Option<&plan::Node>) {
    let Some((name, relay)) = flow.via.as_ref().zip(relay) else { return };
    if !matches!(relay.role, Role::Host(_)) || relay.is_freebsd() {
        let wrong = Wrong::new(format!("\"{}\" cannot relay a flow", name.get_ref()));
        let accepted = "a host on Linux: a program there ends one connection and begins the other";
        reader.fault(name.span(), wrong.accepted(accepted).hint("add [hosts.proxy] and a link to it"));
    }
}

/// Checks that no two sections give their flows the same name.
fn check_names(reader: &Reader, setup: &Setup) {
    let mut seen = HashSet::new();
    for name in setup.flows.iter().filter_map(|flow| flow.name.as_ref()) {
        if !seen.insert(name.get_ref()) {
            let wrong = Wrong::new(format!("a flow before this one is called \"{}\" already", name.get_ref()));
            reader
                .fault(name.span(), wrong.hint("give it another name; flows of one [[flows]] with count share theirs"));
        }
    }
}

/// Checks that the section's last connection starts within a day.
fn check_start(reader: &Reader, flow: &written::Flow) {
    let parts = [flow.start, flow.stagger.saturating_mul(flow.count - 1), flow.scatter];
    let last = parts.into_iter().fold(0, u64::saturating_add);
    if last > DAY_NS {
        let wrong = Wrong::new(format!("the last connection starts after {}", TIME.show(last)));
        let accepted = format!("{} at most: start, stagger between all connections, and scatter", TIME.show(DAY_NS));
        reader.fault(flow.span(), wrong.accepted(accepted));
    }
}

/// Returns the start of a flow that its goodput leaves out, ns. It must be shorter than the flow.
fn omitted(reader: &Reader, omit: Option<&Spanned<u64>>, until: Until) -> u64 {
    let Some(omit) = omit else { return 0 };
    let written = reader.literal(omit.span());
    match until {
        Until::Duration(duration) if *omit.get_ref() < duration => return *omit.get_ref(),
        Until::Duration(_) => {
            let wrong = Wrong::new(format!("omit {written} leaves nothing of the flow"));
            reader.fault(omit.span(), wrong.accepted("less than the flow's duration"));
        }
        Until::Bytes(_) | Until::Exchanges(_) | Until::Exit => {
            let wrong = Wrong::new(format!("omit {written} needs a flow that lasts for a time"));
            reader.fault(omit.span(), wrong.hint("write duration in place of bytes, or remove omit"));
        }
    }
    0
}

/// Checks that the datagrams of all flows are few enough for one trial.
fn check_datagrams(reader: &Reader, setup: &Setup, flows: &[Scattered]) {
    let datagrams = |flow: &Flow| match (&flow.traffic, flow.until) {
        (Traffic::Udp { rate, size }, Until::Duration(duration)) => {
            (u128::from(*rate) * u128::from(duration)).div_ceil(u128::from((*size).max(1)) * 8_000_000_000)
        }
        _ => 0,
    };
    let all: u128 = flows.iter().map(|Scattered { flow, .. }| datagrams(flow)).sum();
    if all > MAX_DATAGRAMS {
        let is_udp = |flow: &&written::Flow| flow.traffic() == TrafficKind::Udp;
        let place = setup.flows.iter().find(is_udp).map_or(0..0, |flow| flow.span());
        let wrong = Wrong::new(format!("the flows send {all} datagrams per trial"));
        let wrong = wrong.accepted(format!("{MAX_DATAGRAMS} at most: each is sent on its own"));
        reader.fault(place, wrong.hint("write a lower rate, a shorter duration or a larger size"));
    }
}

/// True if a node's route or sysctl names the congestion control of its connections. The kernel's own default is CUBIC.
fn has_own_default(node: &plan::Node) -> bool {
    let of_route = matches!(&node.role, Role::Host(host) if host.route.congestion.is_some());
    of_route || node.sysctls.iter().any(|(name, value)| name == sysctl::CONGESTION && value != "cubic")
}

fn traffic(reader: &Reader, flow: &written::Flow, mtu: (u64, Ip), by_host: bool) -> Option<Traffic> {
    let tcp = || connection(reader, flow, mtu, by_host);
    let size = |usual| datagram(reader, &flow.size, usual, mtu);
    Some(match flow.traffic() {
        TrafficKind::Bulk => Traffic::Bulk {
            tcp: tcp(),
            on_off: flow.on_off(),
            send_rate: value_of(&flow.send_rate),
            read_rate: value_of(&flow.read_rate),
            slow_start_ends: value_of(&flow.slow_start_ends),
        },
        TrafficKind::Requests => Traffic::Requests {
            tcp: tcp(),
            request: flow.request,
            response: flow.response,
            think: flow.think,
            outstanding: flow.outstanding as u32,
        },
        TrafficKind::Udp => Traffic::Udp { rate: value_of(&flow.rate)?, size: size(DATAGRAM_BYTES) },
        TrafficKind::Ping => Traffic::Ping { interval: flow.interval, size: size(PING_BYTES) },
        TrafficKind::Program => {
            let line = |line: &Option<Spanned<String>>| line.as_ref().map(|line| line.get_ref().clone());
            Traffic::Program { server: line(&flow.server)?, client: line(&flow.client)?, sends: flow.sends }
        }
    })
}

/// Returns the flow's TCP parameters. Congestion control is left open if the flow names none and a host's route decides
/// or FreeBSD sends.
fn connection(reader: &Reader, flow: &written::Flow, (mtu, family): (u64, Ip), by_host: bool) -> Tcp {
    let written::Flow { congestion, send_buffer, receive_buffer, mss, protocol, .. } = flow;
    let headers = u64::from(family.tcp());
    let most = mtu.saturating_sub(headers);
    if let Some(mss) = mss.as_ref().filter(|mss| *mss.get_ref() > most) {
        let wrong = Wrong::new(format!("mss {} does not fit the mtu", reader.literal(mss.span())));
        let most = format!("{MSS_MIN} B to {most} B: the mtu of {mtu} B less {headers} B of headers");
        reader.fault(mss.span(), wrong.accepted(most));
    }
    let congestion = congestion.as_ref().map(|name| name.get_ref().clone());
    Tcp {
        congestion: congestion.or((!by_host).then(|| DEFAULT_CONGESTION.to_owned())),
        send_buffer: send_buffer.map(|size| size as u32),
        receive_buffer: receive_buffer.map(|size| size as u32),
        mss: mss.as_ref().map(|mss| *mss.get_ref() as u32),
        multipath: value_of(protocol).unwrap_or(false),
        nodelay: value_of(&flow.nodelay).unwrap_or(false),
        max_rate: value_of(&flow.max_rate),
        writes: value_of(&flow.write).map(|bytes| Writes { bytes, pause: flow.pause }),
    }
}

/// Returns a datagram's payload, bytes; it must fit without fragmentation.
fn datagram(reader: &Reader, size: &Option<Spanned<u64>>, usual: u64, (mtu, family): (u64, Ip)) -> u32 {
    let headers = u64::from(family.datagram());
    let most = mtu.saturating_sub(headers);
    if let Some(size) = size.as_ref().filter(|size| *size.get_ref() > most) {
        let wrong = Wrong::new(format!("size {} does not fit the mtu", reader.literal(size.span())));
        let most = format!("8 B to {most} B: the mtu of {mtu} B less {headers} B of headers");
        reader.fault(size.span(), wrong.accepted(most));
    }
    size.as_ref().map_or(usual.min(most), |size| *size.get_ref()) as u32
}

/// Returns the latest end of any flow with a duration, ns; 0 if there is none.
pub fn last_end(flows: &[Scattered], spread: u64) -> u64 {
    let end = |Scattered { flow, by }: &Scattered| match flow.until {
        Until::Duration(duration) => Some(flow.start + duration + spread + by),
        Until::Bytes(_) | Until::Exchanges(_) | Until::Exit => None,
    };
    flows.iter().filter_map(end).max().unwrap_or(0)
}

/// Returns the latest start of any flow, ns.
pub fn last_start(flows: &[Scattered], spread: u64) -> u64 {
    flows.iter().map(|Scattered { flow, by }| flow.start + spread + by).max().unwrap_or(0)
}
