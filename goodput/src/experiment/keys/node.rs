//! `[hosts]`, `[switches]` and `[routers]`.

use super::link::PATH_HOSTS;
use super::{RATES, TIMES, inner};
use crate::experiment::leaf;
use crate::experiment::profile::{DRIVERS, PROFILES};
use crate::experiment::section::Section;
use crate::experiment::sysctl;
use crate::experiment::takes::either;
use crate::experiment::tuning::{RECOVERIES, TUNINGS};
use crate::experiment::value::Value;
use crate::experiment::written::{Host, Machine, Node, Role, Router, Run, Switch};
use crate::plan::{HostQdisc, Interrupts, Offloads, Polling, Stack};
use crate::suggest::closest;
use evidence::unit::{self, Wrong};
use toml::Spanned;

/// `[hosts]`: what all are told, and each host. A `[path]` has two hosts and no other.
pub fn hosts(mut section: Section, of_path: bool) -> (Host, Vec<Node>) {
    let mut nodes = Vec::new();
    let stack = inner(section.optional("stack", leaf::word(STACKS)));
    if of_path {
        for name in PATH_HOSTS {
            let mut own = section.section(name);
            let host = Role::Host(Box::new(own_host(&mut own, stack)));
            nodes.push(node(Spanned::new(own.span.clone(), name.to_owned()), own, host));
        }
    }
    refuse_names_of_keys(&mut section);
    let all = host(&mut section, stack);
    for (name, mut own) in section.named() {
        if of_path {
            refuse_beside_path(&own, &name);
            continue;
        }
        check_name(&own, &name);
        let host = Role::Host(Box::new(own_host(&mut own, stack)));
        nodes.push(node(name, own, host));
    }
    section.finish();
    (all, nodes)
}

/// Keys of `[hosts]` that are no tables; no host can be called so.
const PLAIN: [&str; 11] = [
    "stack",
    "profile",
    "driver",
    "nic",
    "qdisc",
    "offloads",
    "coalesce",
    "route-mtu",
    "initial-cwnd",
    "route-congestion",
    "recovery",
];

fn refuse_names_of_keys(hosts: &mut Section) {
    let plain = PLAIN.into_iter().chain(TUNINGS.iter().map(|tuning| tuning.key));
    for key in plain.filter(|key| hosts.holds_table(key)).collect::<Vec<_>>() {
        let wrong = Wrong::new(format!("a host cannot be called \"{key}\", which is a key of [hosts]"));
        hosts.reader().fault(hosts.place(key), wrong.hint("give the host another name"));
        hosts.dismiss(key);
    }
}

fn refuse_beside_path(own: &Section, name: &Spanned<String>) {
    let wrong = Wrong::new(format!("[path] has no host \"{}\"", name.get_ref()));
    let wrong = wrong.accepted(PATH_HOSTS.join(", "));
    own.reader().fault(
        name.span(),
        match closest(name.get_ref(), PATH_HOSTS.into_iter()) {
            Some(meant) => wrong.hint(format!("write [hosts.{meant}]")),
            None => wrong.hint("for a network of other hosts write [[links]] in place of [path]"),
        },
    );
}

/// `[switches]`
pub fn switches(mut section: Section) -> Vec<Node> {
    each(&mut section, |own| {
        Role::Switch(Switch {
            memory: own.optional("memory", leaf::quantity(&unit::SIZE, 1..=leaf::MOST_QUEUED)),
            machine: machine(own, FORWARDING, sysctl::check_name),
        })
    })
}

/// `[routers]`
pub fn routers(mut section: Section) -> Vec<Node> {
    each(&mut section, |own| {
        Role::Router(Router {
            icmp: inner(own.optional("icmp", leaf::boolean)),
            clamp_mss: inner(own.optional("clamp-mss", leaf::boolean)),
            machine: machine(own, FORWARDING, sysctl::check_name),
        })
    })
}

fn each(section: &mut Section, read: impl Fn(&mut Section) -> Role) -> Vec<Node> {
    let mut nodes = Vec::new();
    for (name, mut own) in section.named() {
        check_name(&own, &name);
        let role = read(&mut own);
        nodes.push(node(name, own, role));
    }
    let strangers = section.entries().into_iter().filter(|(_, value)| !value.get_ref().is_table());
    for (key, _) in strangers {
        let kind = section.name().trim_matches(['[', ']']).to_owned();
        let wrong = Wrong::new(format!("{} has no keys of its own", section.name()));
        section
            .reader()
            .fault(key.span(), wrong.accepted(format!("[{kind}.NAME] for each of them, its keys below it")));
    }
    nodes
}

fn node(name: Spanned<String>, mut own: Section, role: Role) -> Node {
    let run = run(&mut own);
    let fetch = own.list("fetch", "a list of files that commands write: [\"/tmp/x.pcap\"]", leaf::fetchable);
    own.finish();
    Node { name, role, run, fetch: inner(fetch).unwrap_or_default() }
}

/// Whether a node can be called so: names are those of network namespaces and, with a number, of interfaces.
fn check_name(own: &Section, name: &Spanned<String>) {
    let text = name.get_ref();
    let wrong = |what: &str| Wrong::new(format!("the name \"{text}\" {what}"));
    let shaped = |text: &str| {
        let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        text.starts_with(|c: char| c.is_ascii_lowercase()) && text.bytes().all(fits)
    };
    let number = text.rsplit_once('-').map(|(_, end)| end);
    let fault = if !shaped(text) {
        let lower = text.to_lowercase().replace(['_', '.', ' '], "-");
        let wrong = wrong("cannot be that of a node").accepted("1 to 12 of a-z, 0-9 and -, beginning with a letter");
        if shaped(&lower) { wrong.hint(format!("write \"{lower}\"")) } else { wrong }
    } else if text.len() > 12 {
        wrong("is too long").accepted("1 to 12 of a-z, 0-9 and -, beginning with a letter")
    } else if number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())) {
        let hint = format!("write \"{}\"", text.replace('-', ""));
        wrong("ends in a number behind a hyphen").note("the ports of a node are called so").hint(hint)
    } else if ["wire", "lo", "all", "default"].contains(&text.as_str()) {
        wrong("is taken").note("a namespace, a device or a setting of every guest is called so")
    } else {
        return;
    };
    own.reader().fault(name.span(), fault);
}

const STACKS: &[(&str, Stack)] = &[("linux", Stack::Linux), ("freebsd", Stack::FreeBsd)];

/// A host by itself; what is not said of it is said of all.
fn own_host(section: &mut Section, of_all: Option<Stack>) -> Host {
    let stack = inner(section.optional("stack", leaf::word(STACKS)));
    refuse_of_linux(section, stack.or(of_all));
    Host { stack, ..host(section, stack.or(of_all)) }
}

/// Keys that say what Linux does.
const OF_LINUX: [&str; 10] = [
    "profile",
    "driver",
    "qdisc",
    "napi",
    "route-mtu",
    "initial-cwnd",
    "route-congestion",
    "recovery",
    "input-loss",
    "run",
];

/// What FreeBSD has in their place (tcp(4)), or why it has nothing.
const IN_FREEBSD: [(&str, &str); 8] = [
    ("ecn", "write sysctl \"net.inet.tcp.ecn.enable\": 1 for ECN, 0 for none"),
    ("initial-cwnd", "write sysctl \"net.inet.tcp.initcwnd_segments\""),
    ("mtu-probing", "write sysctl \"net.inet.tcp.pmtud_blackhole_detection\""),
    ("rack", "write sysctl \"net.inet.tcp.functions_default\": \"rack\" or \"freebsd\""),
    ("recovery", "remove it: FreeBSD's own is what \"net.inet.tcp.functions_default\" names, \"freebsd\" or \"rack\""),
    ("route-congestion", "write congestion under [[flows]], or sysctl \"net.inet.tcp.cc.algorithm\""),
    (
        "run",
        "give it to a router or a host of Linux: here it would see Linux's stack, which has none of the connections",
    ),
    ("sack", "write sysctl \"net.inet.tcp.sack.enable\""),
];

fn refuse_of_linux(section: &Section, stack: Option<Stack>) {
    if stack != Some(Stack::FreeBsd) {
        return;
    }
    let keys = OF_LINUX.into_iter().chain(TUNINGS.iter().map(|tuning| tuning.key));
    for key in keys.filter(|key| section.has(key)) {
        let wrong = Wrong::new(format!("a host with stack = \"freebsd\" has no {key} yet"));
        let wrong = wrong.accepted("stack, nic, offloads, coalesce, and sysctl with FreeBSD's names");
        let own = IN_FREEBSD.into_iter().find(|(linux, _)| *linux == key).map(|(_, own)| own.to_owned());
        let hint = own.unwrap_or_else(|| format!("remove {key}, or give it to a host of Linux"));
        section.reader().fault(section.place(key), wrong.hint(hint));
    }
}

fn host(section: &mut Section, stack: Option<Stack>) -> Host {
    const QDISCS: &[(&str, HostQdisc)] = &[
        ("fifo", HostQdisc::Fifo),
        ("fq", HostQdisc::Fq),
        ("fq_codel", HostQdisc::FqCodel),
        ("pfifo_fast", HostQdisc::PfifoFast),
    ];
    Host {
        stack,
        profile: inner(section.optional("profile", leaf::word(PROFILES))),
        driver: inner(section.optional("driver", leaf::word(DRIVERS))),
        nic: inner(section.optional("nic", leaf::nic(RATES))),
        machine: machine(section, abilities(stack), sysctl::check_either),
        napi: napi(section.section("napi")),
        qdisc: inner(section.optional("qdisc", leaf::word(QDISCS))),
        route_mtu: section.optional("route-mtu", leaf::quantity(&unit::SIZE, 576..=65535)),
        initial_cwnd: inner(section.optional("initial-cwnd", leaf::quantity(&unit::PACKETS, 1..=1000))),
        route_congestion: section.optional("route-congestion", leaf::congestion),
        recovery: inner(section.optional("recovery", leaf::word(RECOVERIES))),
        tunings: tunings(section),
        input_loss: inner(either(section, "input-loss", input_loss, leaf::none("{ every = 100 }"))),
    }
}

fn tunings(section: &mut Section) -> Vec<(&'static crate::experiment::tuning::Tuning, Spanned<bool>)> {
    let written = TUNINGS.iter().map(|tuning| Some((tuning, section.optional(tuning.key, leaf::boolean)?)));
    written.flatten().collect()
}

fn input_loss(mut section: Section) -> Option<Option<u64>> {
    let every = section.required("every", |w| w.hint("write { every = 100 }"), leaf::integer(2..=65535));
    section.finish();
    inner(every).map(Some)
}

/// A tenth of a second is longer than any driver waits, and a thousand polls is no end.
fn napi(mut section: Section) -> Option<Spanned<Polling>> {
    let timeout = section.required(
        "gro-flush-timeout",
        |w| w.hint("write gro-flush-timeout = \"20 us\""),
        leaf::quantity(&unit::TIME, 1_000..=100_000_000),
    );
    let defer = inner(section.optional("defer-hard-irqs", leaf::integer(0..=1000)));
    let span = section.span.clone();
    section.finish();
    let polling =
        Polling { gro_flush_timeout: inner(timeout)? as u32, napi_defer_hard_irqs: defer.unwrap_or(0) as u32 };
    Some(Spanned::new(span, polling))
}

/// What the interfaces of a node can do.
type Abilities = &'static [(&'static str, Offloads)];

const OFF: Offloads = Offloads { tso: false, gso: false, gro: false, lro: false, interrupts: Interrupts::Each };

const SENDING: Abilities = &[
    ("tso", Offloads { tso: true, ..OFF }),
    ("gso", Offloads { gso: true, ..OFF }),
    ("gro", Offloads { gro: true, ..OFF }),
];

/// Of FreeBSD's hosts, which merge what they receive by LRO.
const OF_FREEBSD: Abilities = &[("tso", Offloads { tso: true, ..OFF }), ("lro", Offloads { lro: true, ..OFF })];

fn abilities(stack: Option<Stack>) -> Abilities {
    if stack == Some(Stack::FreeBsd) { OF_FREEBSD } else { SENDING }
}

/// LRO hands the kernel's GRO what it has merged, and what that has merged cannot be undone.
const FORWARDING: Abilities =
    &[("gro", Offloads { gro: true, ..OFF }), ("lro", Offloads { gro: true, lro: true, ..OFF })];

type Check = fn(&str) -> Result<(), Wrong>;

fn machine(section: &mut Section, abilities: Abilities, check: Check) -> Machine {
    let sysctls = sysctls(section.section("sysctl"), check);
    let offloads = offloads(section, abilities);
    let coalesce = section.optional("coalesce", leaf::quantity(&unit::TIME, 0..=10_000_000));
    Machine { offloads, coalesce, sysctls }
}

fn offloads(section: &mut Section, abilities: Abilities) -> Option<Spanned<Offloads>> {
    let names = abilities.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let word = |value: &Value| match value.toml.as_str() {
        Some("lro") if names.contains("gso") => {
            let wrong = Wrong::new("is for what forwards packets").accepted(&names);
            Err(wrong.hint("write it for the switch or router that passes on what it has merged"))
        }
        Some("tso" | "gso") if !names.contains("tso") => {
            Err(Wrong::new("is for what sends of its own").accepted(&names))
        }
        _ => leaf::word(abilities)(value).map(|one| (value.plain(), one)),
    };
    let due = format!("a list in brackets of what is on: {names}");
    let listed = section.list("offloads", &due, word)?;
    let span = listed.span();
    let mut seen: Vec<String> = Vec::new();
    let mut on = OFF;
    for element in listed.into_inner() {
        let span = element.span();
        let (name, one) = element.into_inner();
        if seen.contains(&name) {
            section.reader().fault(span, Wrong::new(format!("offloads lists \"{name}\" twice")));
        }
        seen.push(name);
        on = Offloads {
            tso: on.tso || one.tso,
            gso: on.gso || one.gso,
            gro: on.gro || one.gro,
            lro: on.lro || one.lro,
            interrupts: Interrupts::Each,
        };
    }
    Some(Spanned::new(span, on))
}

fn sysctls(section: Section, check: Check) -> Vec<(Spanned<String>, Spanned<String>)> {
    let mut sysctls = Vec::new();
    for (name, span, value) in section.dotted_entries() {
        if let Err(wrong) = check(&name) {
            section.reader().fault(span, wrong);
        } else if let Some(value) = section.reader().parse(&name, value, sysctl::value(&name)) {
            sysctls.push((Spanned::new(span, name), value));
        }
    }
    sysctls
}

fn run(node: &mut Section) -> Vec<Run> {
    const DUE: &str = "a list of commands: [\"ip route\", { at = \"2 s\", command = \"ss -ti\" }]";
    let mut commands = Vec::new();
    for item in node.items("run", DUE).unwrap_or_default() {
        if item.section.is_there() {
            commands.extend(timed(item.section));
        } else {
            let text = |value: &Value| match value.toml.as_str() {
                Some(_) => leaf::text(value),
                None => {
                    Err(value.is_not("a command in quotes, or a table such as { at = \"2 s\", command = \"ss -ti\" }"))
                }
            };
            let command = node.reader().parse("run", item.value, text);
            commands.extend(command.map(|command| Run { command, at: None, background: None }));
        }
    }
    timed(node.nowhere("run"));
    commands
}

fn timed(mut section: Section) -> Option<Run> {
    let command = section.required("command", |w| w.hint("add command = \"ss -ti\""), leaf::text);
    let at = section.optional("at", leaf::quantity(&unit::TIME, TIMES));
    let background = section.optional("background", leaf::boolean);
    section.finish();
    Some(Run { command: command?, at: inner(at), background: inner(background) })
}
