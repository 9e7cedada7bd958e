//! Keys of `[hosts]`, `[switches]` and `[routers]`.

use super::inner;
use super::link::PATH_HOSTS;
use super::node_lists::{Mptcp, Nat, Route, Timed, mptcp, nat, routes, run};
use super::offloads::{
    self, COALESCE, Offload, PortKeys, SENDING, check_offloads, coalesce, forwarding, machine, merging,
};
use crate::key::{KeyTable, Table, Whole, key, keys};
use crate::leaf::MOST_QUEUED;
use crate::profile::{DRIVERS, PROFILES, Rows};
use crate::section::Section;
use crate::sysctl;
use crate::takes::{
    Boolean, BoundedQuantity, Congestion, Either, Fetchable, List, Nested, Number, Or, OrWords, RATE, Words, nested,
    packets, size, table_or_none, time,
};
use crate::tuning::{RECOVERIES, Recovery, TUNINGS};
use crate::written::{Host, Node, Port, Role, Router, Run, Switch, Sysctls, Via};
use base::suggest::closest;
use evidence::unit::Wrong;
use plan::{Driver, HostQdisc, Polling, Profile, Stack};
use toml::Spanned;

/// Reads `[hosts]`: the keys for all hosts, and each host. With `[path]` there are exactly its two hosts.
pub fn hosts(mut section: Section, of_path: bool) -> (Host, Vec<Node>) {
    let mut nodes = Vec::new();
    let stack = inner(HostKeys::stack().read(&mut section));
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

/// Keys of `[hosts]` whose values are or may be tables. No host may be named like any other key.
const TABLES: [&str; 5] = ["napi", "input-loss", "mptcp", "shape", "sysctl"];

fn refuse_names_of_keys(hosts: &mut Section) {
    let plain = HostKeys::keys().into_iter().map(|key| key.name).filter(|key| !TABLES.contains(key));
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

/// Packet memory of a switch, bytes.
const MEMORY: BoundedQuantity = size(1, MOST_QUEUED);
keys! {
    /// `[switches.NAME]`
    pub struct SwitchKeys {
        memory: BoundedQuantity = key("memory", MEMORY)
            .limit(", at least a frame of its largest mtu")
            .default("each queue has its own")
            .meaning("our module: packet memory shared by all ports");
        offloads: List<Offload> = merging();
        coalesce: BoundedQuantity = coalesce();
        ports: Nested<Vec<Port>> = offloads::ports();
        sysctls: Nested<Sysctls> = key("sysctl", nested("as under `[hosts]`", of_linux))
            .default("none")
            .meaning("/proc/sys in the switch's namespace");
    }
}

/// Reads `[switches]`.
pub fn switches(mut section: Section) -> Vec<Node> {
    each(&mut section, |own| {
        let SwitchKeys { memory, offloads, coalesce, ports, sysctls, .. } = SwitchKeys::read(own);
        Role::Switch(Switch { memory, machine: forwarding(own, offloads, coalesce, ports, sysctls) })
    })
}

keys! {
    /// `[routers.NAME]`
    pub struct RouterKeys {
        icmp: Boolean = key("icmp", Boolean)
            .meaning("false: `nft … hook output … icmp code frag-needed drop`, a black hole"), else true;
        clamp_mss: Boolean = key("clamp-mss", Boolean)
            .meaning("true: `nft … hook forward … tcp option maxseg size set rt mtu`; it only lowers"), else false;
        offloads: List<Offload> = merging();
        coalesce: BoundedQuantity = coalesce();
        ports: Nested<Vec<Port>> = offloads::ports();
        sysctls: Nested<Sysctls> = key("sysctl", nested("as under `[hosts]`", of_linux))
            .default("none")
            .meaning("/proc/sys in the router's namespace");
        nat: Nested<Option<Nat>> = key("nat", nested("table [`nat`](#nat), or `\"none\"`", nat))
            .default("none")
            .meaning("`nft … hook postrouting … masquerade`");
    }
}

/// Reads `[routers]`.
pub fn routers(mut section: Section) -> Vec<Node> {
    each(&mut section, |own| {
        let RouterKeys { icmp, clamp_mss, offloads, coalesce, ports, sysctls, nat, .. } = RouterKeys::read(own);
        let machine = forwarding(own, offloads, coalesce, ports, sysctls);
        Role::Router(Router { icmp, clamp_mss, nat: inner(nat), machine })
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

keys! {
    /// Keys that every node has, whatever its role.
    pub struct NodeKeys {
        run: Nested<Vec<Run>> = key("run", nested("list of [commands](#run)", run))
            .default("none")
            .meaning("`sh -c` in the node's namespace");
        routes: Nested<Vec<Via>> = key("routes", nested("list of [routes](#routes)", routes))
            .default("the shortest way to each network")
            .meaning("`ip route … via`, to each address of a node");
        fetch: List<Fetchable> = key("fetch", FILES).default("none").meaning("read when they have ended");
        capture: Boolean = key("capture", Boolean)
            .default("false")
            .meaning("[its packets, as a pcapng file](recording.md#captures)");
    }
}

const FILES: List<Fetchable> = List {
    each: Fetchable,
    due: "a list of files that commands write: [\"/tmp/x.pcap\"]",
    words: "list of [files](#fetch) that commands write",
};

fn node(name: Spanned<String>, mut own: Section, role: Role) -> Node {
    let NodeKeys { run, routes, fetch, capture, .. } = NodeKeys::read(&mut own);
    own.finish();
    let (run, routes) = (inner(run).unwrap_or_default(), inner(routes).unwrap_or_default());
    let capture = capture.filter(|capture| *capture.get_ref()).map(|capture| capture.span());
    Node { name, role, run, routes, fetch: inner(fetch).unwrap_or_default(), capture }
}

/// Checks a node's name. It names a network namespace and, followed by a number, interfaces.
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

/// Reads one host. Keys that it leaves out are taken from `[hosts]` later.
fn own_host(section: &mut Section, of_all: Option<Stack>) -> Host {
    let stack = inner(HostKeys::stack().read(section));
    refuse_of_linux(section, stack.or(of_all));
    host(section, stack.or(of_all))
}

/// For each key that FreeBSD hosts lack: FreeBSD's equivalent (tcp(4)), or why it has none.
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
    let keys = HostKeys::keys().into_iter().filter(|key| key.kinds == LINUX).map(|key| key.name).chain(["run"]);
    for key in keys.filter(|key| section.has(key)) {
        let wrong = Wrong::new(format!("a host with stack = \"freebsd\" has no {key} yet"));
        let wrong = wrong.accepted("stack, nic, offloads, coalesce, and sysctl with FreeBSD's names");
        let own = IN_FREEBSD.into_iter().find(|(linux, _)| *linux == key).map(|(_, own)| own.to_owned());
        let hint = own.unwrap_or_else(|| format!("remove {key}, or give it to a host of Linux"));
        section.reader().fault(section.place(key), wrong.hint(hint));
    }
}

const QDISCS: &[(&str, HostQdisc)] = &[
    ("fifo", HostQdisc::Fifo),
    ("fq", HostQdisc::Fq),
    ("fq_codel", HostQdisc::FqCodel),
    ("pfifo_fast", HostQdisc::PfifoFast),
    ("dualpi2", HostQdisc::DualPi2),
];

/// Words of `ecn`: values of net.ipv4.tcp_ecn (Documentation/networking/ip-sysctl.rst).
const ECN_MODES: &[(&str, u8)] =
    &[("off", 0), ("passive", 2), ("on", 1), ("accecn", 3), ("accecn-passive", 5), ("accecn-classic", 4)];

/// Returns the value of net.ipv4.tcp_ecn.
fn ecn_mode(written: Either<bool, u8>) -> u8 {
    match written {
        Either::Value(on) => u8::from(on),
        Either::Word(mode) => mode,
    }
}

/// Kinds of hosts that have the Linux-only keys.
const LINUX: &[&str] = &["linux"];

keys! {
    /// `[hosts]` and `[hosts.NAME]`
    pub struct HostKeys {
        stack: Words<Stack> = key("stack", Words(STACKS))
            .limit(": [whose TCP/IP](../freebsd.md#the-stack-itself)")
            .default("linux")
            .meaning("FreeBSD's in place of Linux's, on a kernel that has it");
        profile: Words<(Profile, Rows)> = key("profile", Words(PROFILES))
            .kinds(LINUX)
            .limit(": [a host as it is delivered](profiles.md#profiles)")
            .default("plain")
            .meaning("qdisc, offloads and sysctls of the distribution");
        driver: Words<Option<(Driver, Rows)>> = key("driver", Words(DRIVERS))
            .kinds(LINUX)
            .limit(": [an interface as a driver runs it](profiles.md#drivers)")
            .default("none")
            .meaning("offloads, and `coalesce` or `napi`");
        nic: Or<BoundedQuantity> = key("nic", Or("unlimited", RATE))
            .default(
                "facing a switch or router, the link's rate; otherwise, and for a bond whose members differ in rate, \
                 10 Gbit/s or 10 times the link's highest rate (changes included), whichever is more",
            )
            .meaning(
                "our module: [the line](links.md#the-line) at the host's device, overhead 24 B or that of its link",
            );
        qdisc: Words<HostQdisc> = key("qdisc", Words(QDISCS))
            .kinds(LINUX)
            .default("the profile's, fifo")
            .meaning("`tc qdisc add … parent 1:1` with the kernel's defaults; fifo is a `pfifo` that is never full");
        shape: Nested<Option<Shape>> = key("shape", nested("table [`shape`](interfaces.md#the-hosts-bucket), or `\"none\"`", shape))
            .kinds(LINUX)
            .default("none")
            .meaning("`tbf` in front of the line, with the qdisc in it");
        offloads: List<Offload> = key("offloads", SENDING)
            .limit(": [enabled offloads](#offloads)")
            .default("the driver's, the profile's, `[]`")
            .meaning("`ethtool -K`; [FreeBSD's interface](../freebsd.md#the-stack-itself) has tso and lro, Linux's all but lro");
        coalesce: BoundedQuantity = key("coalesce", COALESCE)
            .limit(", only with `\"gro\"`, of FreeBSD *lro*")
            .default("the driver's, or 50 us with `\"gro\"`, else 0 ns")
            .meaning("our module: [interrupt moderation](#offloads)");
        napi: Nested<Polling> = key("napi", nested("table", napi))
            .kinds(LINUX)
            .limit(": [how Linux polls the interface](profiles.md#napi), in place of `coalesce`")
            .default("the driver's")
            .meaning("`gro_flush_timeout`, `napi_defer_hard_irqs`");
        route_mtu: BoundedQuantity = key("route-mtu", size(576, 65535))
            .kinds(LINUX)
            .limit(", at most the link's mtu")
            .default("none")
            .meaning("`ip route … mtu`, on each of the host's routes");
        initial_cwnd: BoundedQuantity = key("initial-cwnd", packets(1, 1000))
            .kinds(LINUX)
            .default("the kernel's, 10")
            .meaning("`ip route … initcwnd`");
        route_congestion: Congestion = key("route-congestion", Congestion)
            .kinds(LINUX)
            .default("not set")
            .meaning("`ip route … congctl`");
        recovery: Words<Recovery> = key("recovery", Words(RECOVERIES))
            .kinds(LINUX)
            .default("linux")
            .meaning("the sysctls of a [recovery profile](recovery.md)");
        rack: Boolean = key("rack", Boolean)
            .kinds(LINUX)
            .default("the kernel's, true")
            .meaning("`net.ipv4.tcp_recovery`: false 0, true 1");
        tlp: Boolean = key("tlp", Boolean)
            .kinds(LINUX)
            .default("the kernel's, true")
            .meaning("`net.ipv4.tcp_early_retrans`: false 0, true 3");
        sack: Boolean = key("sack", Boolean)
            .kinds(LINUX)
            .default("the kernel's, true")
            .meaning("`net.ipv4.tcp_sack`: false 0, true 1");
        ecn: OrWords<Boolean, u8> = key("ecn", OrWords(Boolean, ECN_MODES))
            .kinds(LINUX)
            .limit(": [which ECN a host asks for and accepts](#ecn)")
            .default("the kernel's, passive")
            .meaning("`net.ipv4.tcp_ecn`: false 0, true 1");
        mtu_probing: Boolean = key("mtu-probing", Boolean)
            .kinds(LINUX)
            .default("the kernel's, false")
            .meaning("`net.ipv4.tcp_mtu_probing`: false 0, true 1");
        input_loss: Nested<Option<InputLoss>> = key("input-loss", nested(INPUT_LOSS, input_loss))
            .kinds(LINUX)
            .default("none")
            .meaning("`nft … hook input … meta l4proto tcp numgen inc mod N N-1 drop`");
        mptcp: Nested<Mptcp> = key("mptcp", nested("table [`mptcp`](#mptcp)", mptcp))
            .kinds(LINUX)
            .default("a subflow over each link")
            .meaning("`ip mptcp endpoint`");
        sysctls: Nested<Sysctls> = key("sysctl", nested("a table of names and values", of_either))
            .default("none")
            .meaning("/proc/sys in the host's namespace");
    }
}

const INPUT_LOSS: &str = "`{ every = N }` with N from 2 to 65535, or `\"none\"`";

/// Reads the keys of one host, or of all hosts; `stack` is `None` if it is not written.
fn host(section: &mut Section, stack: Option<Stack>) -> Host {
    let keys = HostKeys::read(section);
    if let Some(offloads) = &keys.offloads {
        check_offloads(section, offloads, stack);
    }
    let switch = |on: Option<Spanned<bool>>| on.map(|on| Spanned::new(on.span(), usize::from(*on.get_ref())));
    let ecn = keys.ecn.map(|ecn| Spanned::new(ecn.span(), usize::from(ecn_mode(*ecn.get_ref()))));
    let tunings = [switch(keys.rack), switch(keys.tlp), switch(keys.sack), ecn, switch(keys.mtu_probing)];
    Host {
        stack: inner(keys.stack),
        profile: inner(keys.profile),
        driver: inner(keys.driver),
        nic: inner(keys.nic),
        machine: machine(section, keys.offloads, keys.coalesce, keys.sysctls),
        napi: keys.napi,
        qdisc: keys.qdisc,
        shape: inner(keys.shape),
        route_mtu: keys.route_mtu,
        initial_cwnd: inner(keys.initial_cwnd),
        route_congestion: keys.route_congestion,
        recovery: inner(keys.recovery),
        tunings: TUNINGS.iter().zip(tunings).filter_map(|(tuning, on)| Some((tuning, on?))).collect(),
        input_loss: inner(keys.input_loss).map(|loss| loss.map(|InputLoss { every, .. }| every.into_inner())),
        mptcp: inner(keys.mptcp),
    }
}

keys! {
    /// `shape` of a host
    pub struct Shape or None {
        rate: BoundedQuantity = key("rate", RATE)
            .required(|w| w.hint("add rate = \"50 Mbit/s\""))
            .meaning("what passes for long"), required;
        burst: BoundedQuantity = key("burst", size(1, MOST_QUEUED))
            .limit(", at least a frame")
            .required(|w| w.hint("add burst = \"64 kB\""))
            .meaning("what passes at once"), required;
        latency: BoundedQuantity = key("latency", time(0, MAX_LATENCY))
            .required(|w| w.hint("add latency = \"50 ms\""))
            .meaning("the longest that a packet may wait for tokens"), required;
    }
}

/// Longest time in a bucket's queue, ns.
const MAX_LATENCY: u64 = 100_000_000_000;

fn shape(host: &mut Section, key: &'static str) -> Option<Spanned<Option<Shape>>> {
    table_or_none(host, key, Shape::whole, "{ rate = \"50 Mbit/s\", burst = \"64 kB\", latency = \"50 ms\" }")
}

keys! {
    /// `input-loss`
    pub struct InputLoss or None {
        every: Number = key("every", Number(2, 65535)).required(|w| w.hint("write { every = 100 }")), required;
    }
}

fn input_loss(host: &mut Section, key: &'static str) -> Option<Spanned<Option<InputLoss>>> {
    table_or_none(host, key, InputLoss::whole, "{ every = 100 }")
}

keys! {
    /// `napi`. The bounds are generous: no driver waits a tenth of a second or polls a thousand times.
    pub struct Napi or None {
        timeout: BoundedQuantity = key("gro-flush-timeout", time(1_000, 100_000_000))
            .required(|w| w.hint("write gro-flush-timeout = \"20 us\""))
            .meaning(
                "`gro_flush_timeout` of the interface's NAPI: from one poll to the next, and how long GRO holds a \
                 packet",
            ),
            required;
        defer: Number = key("defer-hard-irqs", Number(0, 1000))
            .meaning("`napi_defer_hard_irqs`: polls that find nothing before the interface interrupts again"), else 0;
    }
}

fn napi(host: &mut Section, key: &'static str) -> Option<Spanned<Polling>> {
    let section = host.section(key);
    let span = section.span.clone();
    let Napi { timeout, defer, .. } = Napi::whole(section)?;
    let polling = Polling { gro_flush_timeout: *timeout.get_ref() as u32, napi_defer_hard_irqs: defer as u32 };
    Some(Spanned::new(span, polling))
}

/// Reads the sysctls of a node that forwards, which runs Linux.
fn of_linux(node: &mut Section, key: &'static str) -> Option<Spanned<Sysctls>> {
    sysctls(node.section(key), sysctl::check_name)
}

/// Reads the sysctls of a host, which may run either system.
fn of_either(node: &mut Section, key: &'static str) -> Option<Spanned<Sysctls>> {
    sysctls(node.section(key), sysctl::check_either)
}

fn sysctls(section: Section, check: fn(&str) -> Result<(), Wrong>) -> Option<Spanned<Sysctls>> {
    let mut sysctls = Vec::new();
    for (name, span, value) in section.dotted_entries() {
        if let Err(wrong) = check(&name) {
            section.reader().fault(span, wrong);
        } else if let Some(value) = section.reader().parse(&name, value, sysctl::value(&name)) {
            sysctls.push((Spanned::new(span, name), value));
        }
    }
    Some(Spanned::new(section.span.clone(), sysctls))
}

/// Tables of nodes, for the reference.
pub fn tables() -> Vec<KeyTable> {
    let table = |heading, rows| KeyTable { heading, kind: None, rows };
    vec![
        KeyTable { kind: Some("stack"), ..table("[hosts]", HostKeys::rows()) },
        table("[hosts.a]", NodeKeys::rows()),
        table("[hosts.napi]", Napi::rows()),
        table("[hosts.input-loss]", InputLoss::rows()),
        table("[hosts.shape]", Shape::rows()),
        table("[switches.s]", SwitchKeys::rows().into_iter().chain(NodeKeys::rows()).collect()),
        table("[routers.r]", RouterKeys::rows().into_iter().chain(NodeKeys::rows()).collect()),
        table("[switches.s.ports.a]", PortKeys::rows()),
        table("[[hosts.a.run]]", Timed::rows()),
        table("[[hosts.a.routes]]", Route::rows()),
        table("[routers.r.nat]", Nat::rows()),
        table("[hosts.a.mptcp]", Mptcp::rows()),
    ]
}
