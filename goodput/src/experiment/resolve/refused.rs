//! What hosts that run FreeBSD's stack cannot do yet, and what their kernel must have.

use super::Ends;
use super::freebsd::{host_of, is_freebsd, sends, stack};
use super::kernel::Kernel;
use crate::experiment::reader::Reader;
use crate::experiment::suggest::closest;
use crate::experiment::sysctl;
use crate::experiment::written::{self, Direction, Setup, Tcp, Traffic};
use crate::plan::Stack;
use evidence::unit::Wrong;
use toml::Spanned;

/// A host's own sysctls are of its system; those of all hosts are of one that a host has.
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

/// Refuses what hosts of FreeBSD cannot do, and a kernel or a congestion control that is not there.
pub fn check(reader: &Reader, setup: &Setup, ends: &[Ends], kernel: Option<&Kernel>) {
    let is_freebsd = |node: usize| is_freebsd(setup, &setup.nodes[node]);
    let Some(first) = (0..setup.nodes.len()).find(|node| is_freebsd(*node)) else { return };
    let name = setup.nodes[first].name.get_ref();
    if let Some(Kernel { names, freebsd: None, .. }) = kernel {
        let wrong = Wrong::new(format!("\"{name}\" runs FreeBSD's stack, which kernel {} lacks", names.join(", ")));
        let place = setup.kernel.as_ref().map_or(setup.nodes[first].name.span(), |kernel| kernel.span());
        reader.fault(place, wrong.hint("build one that has it, and name it: goodput kernel add NAME --freebsd TREE"));
    }
    if !setup.tunnels.is_empty() {
        let wrong = Wrong::new(format!("the experiment has tunnels, and \"{name}\" runs FreeBSD's stack"));
        reader.fault(setup.nodes[first].name.span(), wrong.note("the two are not supported together yet"));
    }
    if setup.links.iter().any(|link| link.bond.is_some()) {
        let wrong = Wrong::new(format!("the experiment has a bond, and \"{name}\" runs FreeBSD's stack"));
        reader.fault(setup.nodes[first].name.span(), wrong.note("the two are not supported together yet"));
    }
    if setup.record.acks == Some(true) && setup.flows.iter().any(|flow| sends(setup, flow)) {
        let wrong = Wrong::new(format!("record.acks traces Linux's ACKs, and \"{name}\" runs FreeBSD's stack"));
        reader.fault(setup.nodes[first].name.span(), wrong.hint("remove acks from [record]"));
    }
    let known = kernel.and_then(|kernel| kernel.freebsd.as_deref()).unwrap_or_default();
    for (flow, ends) in setup.flows.iter().zip(ends) {
        let here = [ends.from, ends.to].into_iter().find(|node| is_freebsd(*node));
        if let Some(node) = here {
            refuse_kind(reader, flow, setup.nodes[node].name.get_ref());
        }
        if senders(flow, ends).into_iter().any(is_freebsd) {
            check_congestion(reader, flow, known);
        }
    }
}

/// The ends that send bulk data.
fn senders(flow: &written::Flow, ends: &Ends) -> Vec<usize> {
    match flow.direction.unwrap_or(Direction::Forward) {
        Direction::Forward => vec![ends.from],
        Direction::Reverse => vec![ends.to],
        Direction::Both => vec![ends.from, ends.to],
    }
}

fn refuse_kind(reader: &Reader, flow: &written::Flow, host: &str) {
    let what = match &flow.traffic {
        None => return,
        Some(Traffic::Requests { .. }) => "requests",
        Some(Traffic::Udp { .. }) => "udp",
        Some(Traffic::Ping { .. }) => "ping",
        Some(Traffic::Bulk { on_off: None, send_rate: None, read_rate: None, tcp }) => match tcp {
            Tcp { send_buffer: None, receive_buffer: None, mss: None, .. } => return,
            Tcp { mss: Some(_), .. } => "mss",
            Tcp { send_buffer: Some(_), .. } => "send-buffer",
            Tcp { .. } => "receive-buffer",
        },
        Some(Traffic::Bulk { read_rate: Some(_), .. }) => "read-rate",
        Some(Traffic::Bulk { on_off: Some(_), .. }) => "on-off",
        Some(Traffic::Bulk { .. }) => "send-rate",
    };
    let wrong = Wrong::new(format!("{what}: \"{host}\" runs FreeBSD's stack, which so far only has plain bulk flows"));
    let hint = match what {
        "send-buffer" => "set \"net.inet.tcp.sendspace\" and \"net.inet.tcp.sendbuf_auto\" under sysctl of the host",
        "receive-buffer" => "set \"net.inet.tcp.recvspace\" and \"net.inet.tcp.recvbuf_auto\" under sysctl of the host",
        _ => "give this flow to hosts of Linux",
    };
    reader.fault(flow.span.clone(), wrong.hint(hint));
}

fn check_congestion(reader: &Reader, flow: &written::Flow, known: &[String]) {
    let Some(Traffic::Bulk { tcp: Tcp { congestion: Some(written), .. }, .. }) = &flow.traffic else { return };
    if known.is_empty() || known.contains(written.get_ref()) {
        return;
    }
    let wrong = Wrong::new(format!("congestion \"{}\" is none of FreeBSD's", written.get_ref()));
    let wrong = wrong.accepted(known.join(", "));
    let meant = closest(written.get_ref(), known.iter().map(String::as_str));
    reader.fault(written.span(), meant.iter().fold(wrong, |wrong, meant| wrong.hint(format!("write \"{meant}\""))));
}
