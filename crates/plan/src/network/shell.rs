//! A scene as shell commands for a Linux machine, in the order in which the agent executes them.

use super::{Dialect, job};
use crate::{Node, Role, Scene};
use evidence::plain::{self, quoted};
use std::fmt::{Display, Write};
use wire::{ChangeJob, Course, FlowJob, Follows, Step, Tool, Traffic, Until};

/// Comment on the accuracy of tc's lines (docs/reference/links.md).
const OF_A_LINE: &str = "# An approximation: the lab's links are exact; tbf sends a packet at once if the link is idle, and netem \
                         rounds delays to 64 ns and stops at 274 s.";

/// Returns the commands. Features that only the lab's kernel has become comments with the closest equivalent.
pub fn commands(scene: &Scene) -> Vec<String> {
    if scene.is_real() {
        return vec!["# a real path between real hosts: nothing is built".into()];
    }
    let job = job(scene, Dialect::Linux);
    let mut all = vec![OF_A_LINE.to_owned(), hosts(scene)];
    for (name, value) in &job.machine {
        all.push(format!("sysctl -w {name}={}", plain::value(value)));
    }
    all.extend(job.namespaces.iter().map(|namespace| format!("ip netns add {namespace}")));
    for inside in &job.inside {
        let within = format!("ip netns exec {}", inside.namespace);
        for (name, value) in &inside.sysctls {
            // Machine-wide settings cannot be set in a namespace (net/core/sysctl_net_core.c).
            let global = name.starts_with("net.core.") && !OF_A_NAMESPACE.contains(&name.as_str());
            let within = if global { String::new() } else { format!("{within} ") };
            all.push(format!("{within}sysctl -w {name}={}", plain::value(value)));
        }
        all.extend(inside.steps.iter().flat_map(|step| of_step(step, &inside.namespace)));
    }
    all.extend(job.tunnels.iter().map(|tunnel| {
        let [one, other] = &tunnel.ends;
        format!("# {} of {one} and {other}: OpenVPN over TCP to {}, or ssh -w, carries it", tunnel.device, tunnel.to)
    }));
    let mut timed: Vec<(u64, String)> = vec![];
    timed.extend(job.changes.iter().flat_map(of_change));
    for (number, flow) in job.flows.iter().enumerate() {
        let onward = job.flows.get(number + 1).filter(|behind| behind.onward);
        timed.extend(traffic(flow, number, onward));
    }
    let command = |c: &wire::CommandJob| {
        let line = format!("ip netns exec {} sh -c {}", c.namespace, quoted(&c.command));
        (c.at, if c.background { line + " &" } else { line })
    };
    timed.extend(job.commands.iter().map(command));
    timed.sort_by_key(|(at, _)| *at);
    let several = timed.len() > 2 || timed.iter().any(|(at, _)| *at > 0);
    let line = |(at, line): (u64, String)| match at {
        _ if line.starts_with('#') => line,
        0 if !several || line.ends_with('&') || line.contains(" --daemon ") => line,
        0 => format!("{line} &"),
        ns => format!("(sleep {}; {}) &", seconds(ns), line.trim_end_matches(" &")),
    };
    all.extend(timed.into_iter().map(line));
    all
}

/// Returns a comment with each host's profile and driver.
fn hosts(scene: &Scene) -> String {
    let host = |node: &Node| match &node.role {
        Role::Host(host) => {
            let driver = host.driver.map_or(String::new(), |driver| format!(" with {}", driver.word()));
            Some(format!("{} {}{driver}", node.name, host.profile.word()))
        }
        Role::Switch(_) | Role::Router(_) => None,
    };
    format!("# Profiles of hosts: {}", scene.nodes.iter().filter_map(host).collect::<Vec<_>>().join(", "))
}

/// Settings under net.core that each namespace has.
const OF_A_NAMESPACE: [&str; 3] = ["net.core.somaxconn", "net.core.optmem_max", "net.core.txrehash"];

fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}

fn line(tool: Tool, namespace: &str, line: &str) -> String {
    match tool {
        Tool::Ip => format!("ip -n {namespace} {line}"),
        Tool::Tc => format!("tc -n {namespace} {line}"),
        Tool::Bridge => format!("bridge -n {namespace} {line}"),
        Tool::Nft => format!("ip netns exec {namespace} nft {}", quoted(line)),
        Tool::Wg => format!("ip netns exec {namespace} wg {line}"),
    }
}

fn of_step(step: &Step, namespace: &str) -> Vec<String> {
    match step {
        Step::Run(tool, lines) => lines.iter().map(|text| line(*tool, namespace, text)).collect(),
        Step::Offloads { device, tso, gso, gro } => {
            let [tso, gso, gro] = [tso, gso, gro].map(|on| if *on { "on" } else { "off" });
            vec![format!("ip netns exec {namespace} ethtool -K {device} tso {tso} gso {gso} gro {gro}")]
        }
        Step::Polled { device, gro_flush_timeout, napi_defer_hard_irqs } => {
            polled(namespace, device, *gro_flush_timeout, *napi_defer_hard_irqs)
        }
        Step::File(path, text) => vec![format!("(umask 077; echo {text} >{path})")],
        Step::Setting(name, value) => {
            vec![format!("ip netns exec {namespace} sysctl -w {name}={}", plain::value(value))]
        }
        Step::EspInUdp { port, .. } => {
            vec![format!("# {namespace}: a key daemon holds UDP port {port} open with UDP_ENCAP_ESPINUDP (udp(7))")]
        }
        Step::Tun { device } => vec![format!("ip -n {namespace} tuntap add name {device} mode tun")],
        Step::Pppoe { device, session, peer } => {
            vec![format!("# {namespace}: pppd holds a session over {device}, number {session}, with {peer} (pppoe(8))")]
        }
        Step::Module(command) => of_module(command, namespace),
        Step::Course(Course { device, follows, .. }) => vec![match follows {
            Follows::Delay => format!("# {namespace}: what {device} adds to the delay follows a trace; here it stays"),
            Follows::Rate | Follows::Opportunities => {
                format!("# {namespace}: the rate of {device} follows a trace; here it has the mean all along")
            }
        }],
        Step::FreeBsd(commands) => {
            commands.iter().map(|command| format!("# {namespace}, on FreeBSD's stack: {command}")).collect()
        }
    }
}

fn polled(namespace: &str, device: &str, timeout: impl Display, defer: u32) -> Vec<String> {
    let set = |name: &str, value: &dyn Display| {
        let write = format!("echo {value} >/sys/class/net/{device}/{name}");
        format!("ip netns exec {namespace} sh -c {}", quoted(&write))
    };
    vec![set("gro_flush_timeout", &timeout), set("napi_defer_hard_irqs", &defer)]
}

/// Returns the equivalent of a command of the kernel module (`kernel/module`).
fn of_module(command: &str, namespace: &str) -> Vec<String> {
    let words: Vec<&str> = command.split(' ').collect();
    match words[..] {
        ["coalesce", device, ns] => polled(namespace, device, ns, 1),
        ["pool", _, bytes] => vec![format!(
            "# {namespace}: its ports share {bytes} bytes of packet memory; Linux has no such queue, and each port has all of it"
        )],
        ["join", ..] => vec![],
        ["carrier", device, on] => {
            vec![format!("ip -n {namespace} link set dev {device} {}", if on == "0" { "down" } else { "up" })]
        }
        ["lro", device] => vec![format!(
            "# {namespace}: {device} forwards what it has merged as one packet; Linux undoes it (ethtool -K {device} lro on, on a NIC that has it)"
        )],
        _ => vec![format!("# {namespace}: {command}")],
    }
}

fn of_change(change: &ChangeJob) -> Vec<(u64, String)> {
    let tc = change.tc.iter().map(|text| line(Tool::Tc, &change.namespace, text));
    let module = change.module.iter().map(|command| of_module(command, &change.namespace).concat());
    let forgets = change.forgets.then(|| format!("ip netns exec {} conntrack -F", change.namespace));
    tc.chain(module).chain(forgets).map(|line| (change.at, line)).collect()
}

/// Returns the closest programs for a flow's traffic.
fn traffic(flow: &FlowJob, number: usize, onward: Option<&FlowJob>) -> Vec<(u64, String)> {
    let [from, to] = [&flow.from, &flow.to].map(|namespace| format!("ip netns exec {namespace}"));
    let (address, port) = (flow.address, flow.port);
    let server = match onward {
        None => format!("{to} iperf3 --server --daemon --one-off --port {port}"),
        Some(FlowJob { address, port: next, .. }) => {
            format!("{to} socat -b 65536 TCP-LISTEN:{port},fork TCP:{address}:{next} &")
        }
    };
    if flow.onward {
        return vec![(0, server)];
    }
    // Its commands are among the job's.
    if let Traffic::Program { .. } = flow.traffic {
        return vec![];
    }
    let mut line = format!("{from} iperf3 --client {address} --port {port}");
    match flow.until {
        Until::Duration(ns) => drop(write!(line, " --time {}", ns.div_ceil(1_000_000_000))),
        Until::Bytes(bytes) => drop(write!(line, " --bytes {bytes}")),
        Until::Exchanges(_) | Until::Exit => {}
    }
    match &flow.traffic {
        Traffic::Bulk { tcp, on_off, send_rate, read_rate, slow_start_ends } => {
            let _ = write!(line, "{}", options(tcp));
            let _ = send_rate.map(|rate| write!(line, " --bitrate {rate}"));
            let mut notes = vec![];
            if let Some((on, off)) = on_off {
                notes.push(format!("writes for {} s and pauses for {} s", seconds(*on), seconds(*off)));
            }
            notes.extend(read_rate.map(|rate| format!("the server reads {rate} bit/s")));
            notes.extend(slow_start_ends.map(|bytes| format!("slow start ends at a cwnd of {bytes} B")));
            notes.extend(
                tcp.writes
                    .filter(|writes| writes.pause > 0)
                    .map(|writes| format!("writes {} bytes and pauses for {} s", writes.bytes, seconds(writes.pause))),
            );
            if !notes.is_empty() {
                let note = format!("# flow {number}: {}", notes.join("; "));
                return vec![(0, server), (flow.start, note), (flow.start, line)];
            }
        }
        Traffic::Program { .. } => {}
        Traffic::Udp { rate, size } => drop(write!(line, " --udp --bitrate {rate} --length {size}")),
        Traffic::Ping { interval, size } => {
            let end = match flow.until {
                Until::Duration(ns) => format!("-w {}", ns.div_ceil(1_000_000_000)),
                Until::Bytes(n) | Until::Exchanges(n) => format!("-c {n}"),
                Until::Exit => String::new(),
            };
            return vec![(flow.start, format!("{from} ping -i {} -s {size} {end} {address}", seconds(*interval)))];
        }
        Traffic::Requests { tcp, request, response, think, outstanding } => {
            let count = match flow.until {
                Until::Exchanges(n) => format!("{n} requests"),
                Until::Duration(ns) | Until::Bytes(ns) => format!("requests for {} s", seconds(ns)),
                Until::Exit => "requests".into(),
            };
            let mut note = format!(
                "# flow {number}: {} makes {count} of {request} bytes to {} ({address}), answered with {response} bytes, \
                 {} s apart",
                flow.from,
                flow.to,
                seconds(*think)
            );
            if *outstanding > 1 {
                let _ = write!(note, ", {outstanding} outstanding");
            }
            if tcp.nodelay {
                note += ", with TCP_NODELAY";
            }
            if let Some(writes) = tcp.writes {
                let _ = write!(note, ", in writes of {} bytes", writes.bytes);
            }
            return vec![(flow.start, note)];
        }
    }
    vec![(0, server), (flow.start, line)]
}

fn options(tcp: &wire::Tcp) -> String {
    let mut text = String::new();
    text += &tcp.congestion.as_ref().map(|name| format!(" --congestion {name}")).unwrap_or_default();
    text += &tcp.mss.map(|bytes| format!(" --set-mss {bytes}")).unwrap_or_default();
    text += if tcp.nodelay { " --no-delay" } else { "" };
    text += &tcp.max_rate.map(|rate| format!(" --fq-rate {rate}")).unwrap_or_default();
    text += &tcp.writes.map(|writes| format!(" --length {}", writes.bytes)).unwrap_or_default();
    text += &tcp.send_buffer.or(tcp.receive_buffer).map(|bytes| format!(" --window {bytes}")).unwrap_or_default();
    text
}
