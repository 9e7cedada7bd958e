//! Refuses what FreeBSD hosts and MPTCP flows cannot do yet, and kernels without FreeBSD's stack.

use super::Ends;
use super::freebsd::{host_of, is_freebsd, senders, stack};
use super::kernel::Kernel;
use super::topology::Topology;
use crate::reader::Reader;
use crate::sysctl;
use crate::written::{self, Setup};
use base::suggest::closest;
use evidence::unit::Wrong;
use plan::Stack;
use toml::Spanned;

/// Checks that a host's sysctls belong to its system, and that those of `[hosts]` belong to that of at least one host.
pub fn check_sysctls(reader: &Reader, setup: &Setup) {
    let hosts = || setup.nodes.iter().filter_map(host_of);
    let runs = |wanted: Stack| hosts().any(|own| stack(&setup.hosts, own) == wanted);
    let check = |sysctls: &[(Spanned<String>, Spanned<String>)], fits: &dyn Fn(Stack) -> bool| {
        for (name, _) in sysctls {
            let is_freebsd = sysctl::is_freebsd(name.get_ref());
            let wrong = match (is_freebsd, fits(if is_freebsd { Stack::FreeBsd } else { Stack::Linux })) {
                (_, true) => continue,
                (true, false) => match sysctl::check_name(name.get_ref()) {
                    Err(wrong) => wrong,
                    Ok(()) => continue,
                },
                (false, false) => {
                    let wrong = format!("sysctl \"{}\" is Linux's, and this host runs FreeBSD", name.get_ref());
                    Wrong::new(wrong).accepted("FreeBSD's names, such as \"net.inet.tcp.sendspace\"")
                }
            };
            reader.fault(name.span(), wrong);
        }
    };
    check(&setup.hosts.machine.sysctls, &runs);
    hosts().for_each(|own| check(&own.machine.sysctls, &|system| stack(&setup.hosts, own) == system));
}

/// Refuses what FreeBSD hosts cannot do, and kernels or congestion controls that do not exist.
pub fn check(reader: &Reader, setup: &Setup, topology: &Topology, ends: &[Ends], kernel: Option<&Kernel>) {
    let is_freebsd = |node: usize| is_freebsd(setup, &setup.nodes[node]);
    let Some(first) = (0..setup.nodes.len()).find(|node| is_freebsd(*node)) else { return };
    let name = setup.nodes[first].name.get_ref();
    if let Some(Kernel { names, freebsd: None, .. }) = kernel {
        let wrong = Wrong::new(format!("\"{name}\" runs FreeBSD's stack, which kernel {} lacks", names.join(", ")));
        let place = setup.kernel.as_ref().map_or(setup.nodes[first].name.span(), |kernel| kernel.span());
        reader.fault(place, wrong.hint("build one that has it, and name it: goodput kernel add NAME --freebsd TREE"));
    }
    for (link, ends) in setup.links.iter().zip(&topology.ends) {
        let Some(bond) = &link.bond else { continue };
        for node in ends.iter().filter(|node| is_freebsd(**node)) {
            let name = setup.nodes[*node].name.get_ref();
            let wrong = Wrong::new(format!("\"{name}\" runs FreeBSD's stack, which has no bond yet"));
            reader.fault(bond.span(), wrong.hint("let the bond end at a switch or router in front of it"));
        }
    }
    for node in (0..setup.nodes.len()).filter(|node| is_freebsd(*node)) {
        let Some(second) = topology.links_at(node).filter(|link| setup.links[*link].bond.is_none()).nth(1) else {
            continue;
        };
        let name = setup.nodes[node].name.get_ref();
        let place = setup.links[second].between.iter().flatten().find(|end| end.get_ref() == name).map(Spanned::span);
        let wrong = Wrong::new(format!("the host \"{name}\" has a second link and runs FreeBSD's stack"));
        let wrong = wrong.note("with that stack a host has one network interface");
        reader.fault(place.unwrap_or(0..0), wrong.hint("connect the links with a switch or a router"));
    }
    let known = kernel.and_then(|kernel| kernel.freebsd.as_deref()).unwrap_or_default();
    for (flow, ends) in setup.flows.iter().zip(ends) {
        if is_freebsd(ends.from) || is_freebsd(ends.to) {
            check_options(reader, flow);
            check_programs(reader, flow);
        }
        if senders(flow, ends.from, ends.to).into_iter().any(is_freebsd) {
            check_congestion(reader, flow, known);
        }
    }
}

/// Refuses socket options that FreeBSD's sockets do not take yet.
fn check_options(reader: &Reader, flow: &written::Flow) {
    let nodelay = flow.nodelay.as_ref().filter(|on| *on.get_ref()).map(Spanned::span);
    let max_rate = flow.max_rate.as_ref().map(Spanned::span);
    for (key, place) in [("nodelay", nodelay), ("max-rate", max_rate)] {
        let Some(place) = place else { continue };
        let wrong = Wrong::new(format!("a flow of FreeBSD's stack has no {key} yet"));
        reader.fault(place, wrong.hint(format!("remove {key}, or write stack = \"linux\"")));
    }
}

/// Refuses programs, which speak to the guest's Linux alone.
fn check_programs(reader: &Reader, flow: &written::Flow) {
    if let Some(server) = &flow.server {
        let wrong = Wrong::new("a flow of programs leads to a host on FreeBSD's stack");
        reader.fault(server.span(), wrong.hint("write stack = \"linux\" for both of its hosts"));
    }
}

/// FreeBSD's TCP stacks other than the default one (sys/netinet/tcp_stacks).
const TCP_STACKS: [&str; 2] = ["bbr", "rack"];

fn check_congestion(reader: &Reader, flow: &written::Flow, known: &[String]) {
    let Some((written, place)) = flow.congestion.as_ref().map(|name| (name.get_ref(), name.span())) else { return };
    if known.is_empty() || known.contains(written) {
        return;
    }
    let wrong = Wrong::new(format!("congestion \"{written}\" is none of FreeBSD's"));
    let wrong = wrong.accepted(known.join(", "));
    let hint = if TCP_STACKS.contains(&written.as_str()) {
        Some(format!("\"{written}\" is a TCP stack: write sysctl \"net.inet.tcp.functions_default\" = \"{written}\""))
    } else {
        closest(written, known.iter().map(String::as_str)).map(|meant| format!("write \"{meant}\""))
    };
    reader.fault(place, hint.into_iter().fold(wrong, Wrong::hint));
}

/// Refuses keys that an MPTCP flow cannot have.
pub fn check_multipath(reader: &Reader, setup: &Setup, ends: &[Ends]) {
    let is_multipath = |flow: &written::Flow| flow.protocol.as_ref().is_some_and(|protocol| *protocol.get_ref());
    for (flow, ends) in setup.flows.iter().zip(ends).filter(|(flow, _)| is_multipath(flow)) {
        let protocol = flow.protocol.as_ref().map_or(0..0, Spanned::span);
        if let Some(node) = [ends.from, ends.to].into_iter().find(|node| is_freebsd(setup, &setup.nodes[*node])) {
            let name = setup.nodes[node].name.get_ref();
            let wrong = Wrong::new(format!("protocol \"mptcp\" at \"{name}\", which runs FreeBSD's stack"));
            let wrong = wrong.note("FreeBSD has no MPTCP");
            reader.fault(protocol.clone(), wrong.hint("write stack = \"linux\", or remove protocol"));
        }
        let spans = [
            ("mss", flow.mss.as_ref().map(Spanned::span)),
            ("max-rate", flow.max_rate.as_ref().map(Spanned::span)),
            ("via", flow.via.as_ref().map(Spanned::span)),
            ("slow-start-ends", flow.slow_start_ends.as_ref().map(Spanned::span)),
        ];
        for (key, place) in spans.into_iter().filter_map(|(key, place)| Some((key, place?))) {
            let wrong = Wrong::new(format!("{key} {} with protocol \"mptcp\"", reader.literal(place.clone())));
            let wrong = wrong.note("it is for one TCP connection, and an MPTCP flow has several");
            reader.fault(place, wrong.hint(format!("remove {key}, or write protocol = \"tcp\"")));
        }
        if setup.record.acks {
            let wrong = Wrong::new("record.acks is on, and a flow has protocol \"mptcp\"");
            let wrong = wrong.note("ACKs are traced of TCP connections, not of an MPTCP flow's subflows");
            reader.fault(protocol, wrong.hint("remove acks: subflows.parquet has samples of each subflow"));
        }
    }
}
