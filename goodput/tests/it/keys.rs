//! Each key alone changes the plan, and only in the expected places: this finds keys that are read and then ignored.
//! Reading terminates for any text.

mod design;
mod network;
mod path;
mod rows;

use plan::HostQdisc::{Fq, FqCodel};
use plan::Interrupts::{Moderated, Polled};
use plan::{Buffer, Family, Offloads, Plan, Polling, Role};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The text to replace, its replacement, and the places of the plan that change. Places are within the scenes of all
/// trials unless they begin with a slash; `*` stands for every index.
type Row = (&'static str, &'static str, &'static str);

/// Kernels with unknown features.
static KERNELS: LazyLock<Vec<experiment::Kernel>> = LazyLock::new(|| {
    let kernel = |names: &[&str]| experiment::Kernel {
        names: names.iter().map(|name| (*name).into()).collect(),
        congestion_controls: vec![],
        freebsd: Some(vec![]),
        lacks: vec![],
        is_stale: false,
    };
    vec![kernel(&["6.12", "before", "after", "7.0-rc1"]), kernel(&["6.18"])]
});

#[test]
fn each_key_of_a_path_alone_changes_its_places_in_the_plan() {
    check(path::BASE, path::KEYS);
}

#[test]
fn each_key_of_a_network_alone_changes_its_places_in_the_plan() {
    check(network::BASE, network::KEYS);
    check(network::RELAY, network::KEYS_OF_RELAY);
}

#[test]
fn each_key_of_a_design_alone_changes_its_places_in_the_plan() {
    check(design::GRID, design::KEYS_OF_GRID);
    check(design::SEARCH, design::KEYS_OF_SEARCH);
}

/// A search for a maximum also has a margin within which values count as equal.
#[test]
fn a_search_for_a_maximum_has_the_margin_of_comparisons() {
    let maximum = design::SEARCH.replace("\"cliff\"", "\"maximum\"");
    assert_eq!(plan(&maximum).compare.margin, 0.02);
    assert_eq!(plan(&maximum.replace("#compare", "margin = \"3 %\"")).compare.margin, 0.03);
    assert!(experiment::plan("test.toml", &design::SEARCH.replace("#compare", "margin = \"3 %\""), &KERNELS).is_err());
}

fn check(base: &str, rows: &[Row]) {
    let before = json(&plan(base));
    let mut wrong = Vec::new();
    for (place, written, expected) in rows {
        assert!(base.contains(place), "{place}");
        let after = json(&plan(&base.replacen(place, written, 1)));
        let mut places = BTreeSet::new();
        differences(&before, &after, &mut Vec::new(), &mut places);
        let expected: Vec<String> = expected.split(' ').map(absolute).collect();
        let due = |place: &String| expected.iter().any(|pattern| matches(pattern, place));
        let covered = |pattern: &String| places.iter().any(|place| matches(pattern, place));
        if !places.iter().all(due) || !expected.iter().all(covered) {
            wrong.push(format!("{written} changes {places:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn absolute(pattern: &str) -> String {
    match pattern.strip_prefix('/') {
        Some(pattern) => pattern.to_owned(),
        None => format!("trials.*.scene.{pattern}"),
    }
}

/// Sections with an unknown key; the error lists the known ones.
const SECTIONS: &[&str] = &[
    "zzzzzzzz = 1",
    "[path]\nzzzzzzzz = 1",
    "[path.backward]\nzzzzzzzz = 1",
    "[path]\nloss = { zzzzzzzz = 1 }",
    "[path]\noutages = [{ zzzzzzzz = 1 }]",
    "[path]\nreorder = { zzzzzzzz = 1 }",
    "[path]\njitter = { zzzzzzzz = 1 }",
    "[path]\nlengths = { zzzzzzzz = 1 }",
    "[path]\npolice = { zzzzzzzz = 1 }",
    "[path]\nshape = { zzzzzzzz = 1 }",
    "[path]\naggregate = { zzzzzzzz = 1 }",
    "[path]\nchanges = [{ zzzzzzzz = 1 }]",
    "[path]\nqueue = { zzzzzzzz = 1 }",
    "[path]\nrate = { zzzzzzzz = 1 }",
    "[hosts]\nzzzzzzzz = 1",
    "[hosts.sender]\nzzzzzzzz = 1",
    "[hosts]\ninput-loss = { zzzzzzzz = 1 }",
    "[hosts]\nnapi = { zzzzzzzz = 1 }",
    "[hosts]\nshape = { zzzzzzzz = 1 }",
    "[hosts]\nmptcp = { zzzzzzzz = 1 }",
    "[hosts.a]\nrun = [{ zzzzzzzz = 1 }]",
    "[switches.s]\nzzzzzzzz = 1",
    "[switches.s]\nports = { a = { zzzzzzzz = 1 } }",
    "[routers.r]\nzzzzzzzz = 1",
    "[routers.r]\nnat = { zzzzzzzz = 1 }",
    "[[links]]\nzzzzzzzz = 1",
    "[[links]]\nbackward = { zzzzzzzz = 1 }",
    "[[links]]\nchanges = [{ zzzzzzzz = 1 }]",
    "[[tunnels]]\nzzzzzzzz = 1",
    "[[flows]]\nzzzzzzzz = 1",
    "[repeat]\nzzzzzzzz = 1",
    "[repeat]\nuntil = { zzzzzzzz = 1 }",
    "[search]\nzzzzzzzz = 1",
    "[compare]\nzzzzzzzz = 1",
    "[record]\nzzzzzzzz = 1",
    "[[expect]]\nzzzzzzzz = 1",
    "[[published]]\nzzzzzzzz = 1",
];

/// Sections, and keys whose value decides which other keys exist; other tests cover them.
const STRUCTURE: &[&str] = &[
    "path",
    "backward",
    "hosts",
    "sender",
    "receiver",
    "switches",
    "routers",
    "links",
    "between",
    "tunnels",
    "flows",
    "vary",
    "repeat",
    "seeds",
    "until",
    "via",
    "search",
    "compare",
    "count",
    "record",
    "expect",
    "published",
    "family",
    "outer",
];

/// In a network with both families, a flow and a tunnel have one.
#[test]
fn a_family_is_that_of_the_network_its_flows_and_its_tunnels() {
    let text = include_str!("../experiment/good-family.toml");
    let places = |text: &str| {
        let scene = plan(text).trials.remove(0).scene;
        (scene.family, scene.flows.iter().map(|flow| flow.ipv6).collect::<Vec<_>>(), scene.tunnels[0].ipv6)
    };
    assert_eq!(places(text), (Family::Both, vec![true, false], false));
    let gre = text.replace("kind    = \"6in4\"", "kind    = \"gre\"\nouter   = \"ipv6\"");
    assert_eq!(places(&gre), (Family::Both, vec![true, false], true));
    let alone = |family: &str| {
        let of_flows = gre.replace("\nouter   = \"ipv6\"", "").replace("\"both\"", family);
        of_flows.lines().filter(|line| !line.starts_with("family   =")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(places(&alone("\"ipv6\"")), (Family::Ipv6, vec![true, true], true));
    assert_eq!(places(&alone("\"ipv4\"")), (Family::Ipv4, vec![false, false], false));
    let varied = alone("\"ipv4\"").replace("family = \"ipv4\"", "")
        + "\n[repeat]\nseeds = 1\n[vary]\nfamily = [\"ipv4\", \"ipv6\"]\n";
    let families: Vec<Family> = plan(&varied).trials.iter().map(|trial| trial.scene.family).collect();
    assert_eq!(families, [Family::Ipv4, Family::Ipv6]);
}

#[test]
fn every_key_has_its_row() {
    let rows = [path::KEYS, network::KEYS, design::KEYS_OF_GRID, design::KEYS_OF_SEARCH].into_iter().flatten();
    let written: String = rows.map(|(_, written, _)| format!(" {written}\n")).collect();
    for section in SECTIONS {
        for key in known(section).iter().filter(|key| !STRUCTURE.contains(&key.as_str())) {
            let table = [format!("[[{key}]]"), format!(" {key} ="), format!("\n{key} =")];
            assert!(table.iter().any(|text| written.contains(text)), "{key} of {section:?} has no row");
        }
    }
}

fn known(experiment: &str) -> BTreeSet<String> {
    let errors = experiment::plan("known.toml", experiment, &[]).expect_err("nobody knows that key");
    let fault = errors.faults.iter().find(|fault| fault.wrong.what.contains("zzzzzzzz")).expect("and it is said");
    let list = fault.wrong.notes.iter().find_map(|note| note.strip_prefix("accepted: ")).expect("with those known");
    list.split(", ").map(str::to_owned).collect()
}

#[test]
fn kernels_that_read_like_numbers_are_compared_as_names() {
    let plan = plan(&path::BASE.replace("[vary]", "[vary]\nkernel = [\"6.12\", \"6.18\"]"));
    assert_eq!((plan.compare.over.as_deref(), plan.compare.against.as_deref()), (Some("kernel"), Some("6.12")));
}

/// The experiment's own value has priority over the driver's, and the driver's over the profile's.
#[test]
fn written_keys_override_driver_and_profile() {
    let of = |all: &str, own: &str| {
        let plan = plan(&path::BASE.replace("#hosts.sender", own).replace("#hosts\n", all));
        let node = &plan.trials[0].scene.nodes[0];
        let Role::Host(host) = &node.role else { unreachable!() };
        (host.qdisc, node.offloads, node.sysctls[1].1.clone())
    };
    let profile = "profile = \"debian-13\"\n";
    let (qdisc, on, rmem) = of(profile, "");
    assert_eq!((qdisc, on.interrupts, rmem.as_str()), (FqCodel, Moderated(50_000), "4096 131072 6291456"));
    assert_eq!(of(profile, "profile = \"plain\"").1, Offloads::default());
    let driver = format!("{profile}driver = \"r8169\"\n");
    let with = |own: &str| of(&driver, own);
    let polled = Polled(Polling { gro_flush_timeout: 20_000, napi_defer_hard_irqs: 1 });
    assert_eq!(with("").1, Offloads { interrupts: polled, ..on });
    assert_eq!(with("driver = \"none\"").1, on);
    assert_eq!(with("coalesce = \"9 us\"").1, Offloads { interrupts: Moderated(9_000), ..on });
    assert_eq!(with("offloads = []").1, Offloads::default());
    assert_eq!(with("qdisc = \"fq\"").0, Fq);
    assert_eq!(with("sysctl = { \"net.ipv4.tcp_rmem\" = \"1 2 3\" }").2, "1 2 3");
    // "hosts.nic" varies in the base.
    let unlimited = path::BASE.replace("\"hosts.nic\"", "\"hosts.receiver.nic\"");
    let unlimited = plan(&unlimited.replace("#hosts\n", &format!("{driver}nic = \"unlimited\"\n")));
    assert_eq!(unlimited.trials[0].scene.nodes[0].offloads, Offloads { tso: false, interrupts: polled, ..on });
}

#[test]
fn profiles_are_an_axis() {
    let vary =
        "[vary]\n\"hosts.profile\" = [\"plain\", \"ubuntu-24.04\"]\n\"hosts.receiver.driver\" = [\"none\", \"e1000e\"]";
    assert_eq!(plan(&path::BASE.replace("[vary]", vary)).trials.len(), 8);
}

#[test]
fn seeds_and_count_multiply() {
    let seeds = plan(&path::BASE.replace("seeds = 1", "seeds = 3"));
    assert_eq!(seeds.trials.iter().map(|trial| trial.seed).collect::<Vec<_>>(), [1, 2, 3, 1, 2, 3]);
    assert_eq!(seeds.trials[0].scene.flows, seeds.trials[3].scene.flows, "the same seeds serve every point");
    assert_ne!(seeds.trials[0].scene.flows, seeds.trials[1].scene.flows, "replicates do not lock in phase");
    let count = plan(&path::BASE.replace("#flows", "count = 3"));
    assert_eq!(count.trials[0].scene.flows.len(), 4);
}

#[test]
fn a_seed_scatters_each_connection_by_itself() {
    let starts = |keys: &str, repeat: &str| -> Vec<Vec<u64>> {
        let text = path::BASE.replace("#flows", keys).replace("seeds = 1", repeat);
        let starts = |trial: &plan::Trial| trial.scene.flows.iter().map(|flow| flow.start).collect();
        plan(&text).trials.iter().map(starts).collect()
    };
    let plain = starts("count = 3\nstagger = \"1 s\"", "seeds = 1");
    assert_eq!(plain[0], [0, 1_000_000_000, 2_000_000_000, 0]);
    let scattered = starts("count = 3\nscatter = \"1 s\"", "seeds = 2\nspread = \"0 s\"");
    let [first, second] = [&scattered[0], &scattered[1]];
    assert_eq!(first, &scattered[2], "the same seeds serve every point");
    assert!(first[..3].iter().all(|start| (1..1_000_000_000).contains(start)), "{first:?}");
    assert!(first[0] != first[1] && first[1] != first[2] && first != second, "{first:?} and {second:?}");
    assert_eq!(first[3], 0, "the other flow is not scattered");
    let spread = starts("count = 3", "seeds = 2\nspread = \"1 s\"");
    let both = starts("count = 3\nscatter = \"1 s\"", "seeds = 2\nspread = \"1 s\"");
    let sum = |flow: usize| spread[0][flow] + first[flow];
    assert_eq!(both[0], [sum(0), sum(1), sum(2), sum(3)], "scatter comes on top, from draws of its own");
    assert_ne!(spread[0][..3], first[..3], "scatter comes on top, from draws of its own");
}

#[test]
fn keys_of_lists_and_of_named_nodes_vary() {
    let text = |vary: &str| format!("{}\n[repeat]\nseeds = 1\n[vary]\n{vary}", network::BASE);
    let varied = plan(&text("\"links.rate\" = [\"100 Mbit/s\", \"200 Mbit/s\"]"));
    let rates =
        |trial: usize| varied.trials[trial].scene.links.iter().map(|link| link.forward.rate).collect::<Vec<_>>();
    assert_eq!(rates(0), [100_000_000; 6]);
    assert_eq!(rates(1), [200_000_000; 6]);
    let varied = plan(&text("\"links.1.rate\" = [\"100 Mbit/s\", \"200 Mbit/s\"]"));
    assert_eq!(varied.trials[1].scene.links[0].forward.rate, 110_000_000);
    assert_eq!(varied.trials[1].scene.links[1].forward.rate, 200_000_000);
    let varied = plan(&text("\"flows.congestion\" = [\"cubic\", \"bbr\"]"));
    let control = |flow: &plan::Flow| flow.tcp().and_then(|tcp| tcp.congestion.clone());
    let controls: Vec<_> = varied.trials[1].scene.flows.iter().map(control).collect();
    let bbr = || Some("bbr".to_owned());
    assert_eq!(controls, [bbr(), bbr(), bbr(), None, None, None], "a key is for those flows that can have it");
    let keys = [
        ("hosts.b.nic", "[\"1 Gbit/s\", \"2 Gbit/s\"]"),
        ("hosts.b", "[{}, { nic = \"2 Gbit/s\" }]"),
        ("hosts.a.sysctl.net.ipv4.tcp_sack", "[0, 1]"),
        ("routers.r.sysctl.net.ipv4.tcp_sack", "[0, 1]"),
        ("routers.r.icmp", "[true, false]"),
        ("switches.s.memory", "[\"100 kB\", \"200 kB\"]"),
        ("hosts.a.run", "[[\"true\"], [\"false\"]]"),
        ("hosts.a.run.0.at", "[\"1 s\", \"2 s\"]"),
        ("hosts.b.input-loss.every", "[100, 200]"),
        ("tunnels.kind", "[\"esp\", \"gre\"]"),
        ("tunnels.0.cipher", "[\"aes-gcm-128\", \"aes-gcm-256\"]"),
        ("flows.start", "[\"1 s\", \"2 s\"]"),
        ("flows.1.think", "[\"1 s\", \"2 s\"]"),
        ("flows.0.to", "[\"b\", \"r\"]"),
        ("links.bond", "[\"balance-rr\", \"active-backup\"]"),
        ("flows.congestion", "[\"cubic\", \"bbr\"]"),
        ("flows.size", "[\"100 B\", \"200 B\"]"),
        ("links.0.between", "[[\"s\", \"a\"], [\"r\", \"a\"]]"),
        ("links.0.queue.min", "[\"1 kB\", \"2 kB\"]"),
        ("links.1.queue", "[\"fq\", { discipline = \"cake\" }]"),
        ("links.1.police", "[\"none\", { rate = \"1 Mbit/s\", burst = \"9 kB\" }]"),
        ("links.1.police.rate", "[\"1 Mbit/s\", \"2 Mbit/s\"]"),
        ("links.2.changes", "[[], [{ at = \"1 s\", rate = \"1 Mbit/s\" }]]"),
        ("links.2.changes.rate", "[\"1 Mbit/s\", \"2 Mbit/s\"]"),
        ("links.2.changes.0.at", "[\"1 s\", \"2 s\"]"),
        ("links.3.backward.loss", "[\"0 %\", { every = 100 }]"),
        ("links.3.backward.loss.every", "[100, 200]"),
        ("record.acks", "[true, false]"),
    ];
    for (key, values) in keys {
        assert_eq!(plan(&text(&format!("\"{key}\" = {values}"))).trials.len(), 2, "{key}");
    }
}

#[test]
fn a_sweep_over_buffers_and_sysctls_reaches_the_kernel() {
    let vary = "[vary]\n\"path.buffer\" = [\"1 BDP\", \"0.5 BDP\"]\n\"hosts.sysctl.net.ipv4.tcp_sack\" = [0, 1]";
    let plan = plan(&path::BASE.replace("[vary]", vary));
    assert_eq!(plan.trials.len(), 8);
    let places = |trial: usize| {
        let scene = &plan.trials[trial].scene;
        (scene.links[0].forward.queue.map(|queue| queue.buffer), scene.nodes[0].sysctls[3].1.as_str())
    };
    assert_eq!(places(0), (Some(Buffer::Bytes(625_000)), "0"));
    assert_eq!(places(7), (Some(Buffer::Bytes(312_500)), "1"));
}

fn plan(text: &str) -> Plan {
    let mut traces = experiment::Traces::default();
    traces.insert("t", Ok("1\n2\n4\n"));
    traces.insert("d", Ok("time (s),delay (ms)\n0,1\n1,2\n"));
    let plan = experiment::plan_with_traces("test.toml", text, &KERNELS, None, &traces);
    plan.unwrap_or_else(|errors| panic!("{text}\n{errors}"))
}

fn json(plan: &Plan) -> Value {
    let mut value = serde_json::to_value(plan).unwrap();
    value.as_object_mut().unwrap().remove("spec");
    value
}

fn differences(old: &Value, new: &Value, path: &mut Vec<String>, places: &mut BTreeSet<String>) {
    let children = |value: &Value| -> Vec<(String, Value)> {
        match value {
            Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), value.clone())).collect(),
            Value::Array(list) => list.iter().enumerate().map(|(i, value)| (i.to_string(), value.clone())).collect(),
            _ => Vec::new(),
        }
    };
    let (old_children, new_children) = (children(old), children(new));
    if old_children.is_empty() || old.is_object() != new.is_object() {
        match new_children.is_empty() || old_children.is_empty() && !old.is_array() {
            true if old != new => drop(places.insert(path.join("."))),
            true => {}
            false => places.extend(new_children.iter().map(|(key, _)| format!("{}.{key}", path.join(".")))),
        }
        return;
    }
    for key in old_children.iter().chain(&new_children).map(|(key, _)| key).collect::<BTreeSet<_>>() {
        let at = |list: &[(String, Value)]| {
            list.iter().find(|(other, _)| other == key).map_or(Value::Null, |(_, v)| v.clone())
        };
        path.push(key.clone());
        differences(&at(&old_children), &at(&new_children), path, places);
        path.pop();
    }
}

fn matches(pattern: &str, place: &str) -> bool {
    let (pattern, place): (Vec<_>, Vec<_>) = (pattern.split('.').collect(), place.split('.').collect());
    pattern.len() == place.len() && pattern.iter().zip(place).all(|(p, q)| *p == "*" || *p == q)
}

/// Pieces that are likely to break a reader of experiments.
const PIECES: &[&str] = &[
    "",
    "\"",
    "[",
    "]",
    "[[",
    "]]",
    "=",
    "{",
    "}",
    "\n",
    "\t",
    "#",
    ".",
    ",",
    "香",
    "é",
    "\u{0}",
    "\r",
    "\"\"\"",
    "0",
    "-1",
    "1e400",
    "0x10",
    "nan",
    "[path]",
    "[[flows]]",
    "[vary]\n",
    "[hosts.sysctl]\n",
    "\"path.rate\" = [1]\n",
    "flows = []\n",
    "flows = [1, {}]\n",
    "9999999999999999999999",
    "1 BDP",
    "65535 B",
    "100 Tbit/s",
    "18446744073709551615 ns",
    "{}",
    "[]",
    "true",
    "\"flows.duration\" = [\"1 s\"]\n",
    "\"hosts.sysctl.\" = [1]\n",
    "\"path.loss.every\" = [2]\n",
    "1979-05-27",
    "[[links]]\n",
    "[[tunnels]]\n",
    "[hosts.s]\n",
    "[switches]\n",
    "[switches.a]\n",
    "[routers.r.x]\n",
    "between = [\"a\", \"s\"]\n",
    "between = [\"a\", \"a\"]\n",
    "bond = \"balance-rr\"\n",
    "buffer = \"1000 BDP\"\n",
    "delay = \"1440 min\"\n",
    "rate = \"8 bit/s\"\n",
    "mtu = \"576 B\"\n",
    "backward = {}\n",
    "backward = { backward = {} }\n",
    "changes = [{}, 1]\n",
    "outages = [{ at = \"0 s\", for = \"1440 min\" }, { at = \"1440 min\", for = \"1440 min\" }]\n",
    "loss = { at = [], for = \"1 ns\" }\n",
    "loss = { packets = [1, 1000000] }\n",
    "queue = {}\n",
    "queue = { discipline = \"threshold\", above = \"4294967295 packets\" }\n",
    "queue = { discipline = \"red\" }\n",
    "reorder = { share = \"1 %\", by = \"4 GB\" }\n",
    "jitter = {}\n",
    "shape = { rate = \"8 bit/s\", burst = \"4 GB\", buffer = \"1 BDP\" }\n",
    "run = [{}, \"x\", { command = \"x\", at = \"1440 min\" }]\n",
    "kind = \"udp\"\n",
    "kind = \"ping\"\n",
    "direction = \"both\"\n",
    "count = 1000\n",
    "stagger = \"1440 min\"\n",
    "offloads = [\"lro\"]\n",
    "profile = \"debian-12\"\n",
    "driver = \"r8169\"\n",
    "napi = { gro-flush-timeout = \"20 us\" }\n",
    "sack = true\n",
    "\"links.0.rate\" = [\"1 Gbit/s\", 1]\n",
    "\"links.9999999999999999999.rate\" = [1]\n",
    "\"flows.0\" = [{}]\n",
    "\"path.queue\" = [\"fq\"]\n\"path.queue.rtt\" = [\"1 ms\"]\n",
    "\"path.changes.0.rate\" = [\"1 Gbit/s\"]\n",
    "\"hosts.client\" = [1, {}]\n",
    "\"routers.right.sysctl.net.x.y\" = [1]\n",
    "[vary.together]\n",
    "[vary.change]\n",
    "[vary.change.before]\n",
    "before = {}\n",
    "before = { \"path.loss\" = \"1 %\", \"flows.mss\" = \"600 B\" }\n",
    "\"536 B to 1400 B step 100 B\"",
    "\"0.1 % to 9 % times 3\"",
    "\"1 to 9 step 2\"",
    "\"1 to 18446744073709551615 times 1.000000000001\"",
    "\"0 to 18446744073709551615 step 0.000000000001\"",
    " to ",
    " step ",
    " times ",
    "[search]\n",
    "[search]\nkey = \"path.rtt\"\nfrom = \"0 ms\"\nto = \"9 ms\"\nresolution = \"1 ms\"\nfind = \"maximum\"\n",
    "find = \"cliff\"\n",
    "find = \"threshold\"\n",
    "find = \"maximum\"\n",
    "from = \"0\"\n",
    "to = \"18446744073709551615 B\"\n",
    "resolution = \"0.000000000001 B\"\n",
    "width = \"1 B\"\n",
    "fall = \"100 %\"\n",
    "points = 3\n",
    "at-least = \"1 bit/s\"\n",
    "until = { interval = \"100 %\", at-most = 10 }\n",
    "until = {}\n",
    "[compare]\n",
    "over = \"change\"\n",
    "name = \"jail\"\n",
    "flow = \"jail\"\n",
    "flow = [\"jail\", \"flow 0\"]\n",
    "fetch = [\"/tmp/x\", \"/tmp/y\"]\n",
    "against = \"before\"\n",
    "measures = []\n",
    "margin = \"50 %\"\n",
    "kernel = \"before\"\n",
    "kernel = [\"before\", \"6.18\"]\n",
];

/// Experiments that the tests below break.
const SOUND_EXPERIMENTS: &[&str] = &[
    include_str!("../experiment/good-grid.toml"),
    include_str!("../experiment/good-tunnel.toml"),
    include_str!("../experiment/good-bond.toml"),
    include_str!("../experiment/good-flows.toml"),
    include_str!("../experiment/good-names.toml"),
    include_str!("../experiment/good-stages.toml"),
    include_str!("../experiment/good-schedule.toml"),
    include_str!("../experiment/good-search-cliff.toml"),
    include_str!("../experiment/good-search-threshold.toml"),
    include_str!("../experiment/good-vary-cases.toml"),
    include_str!("../experiment/good-vary-kernel.toml"),
    include_str!("../experiment/good-vary-range.toml"),
    include_str!("../experiment/good-vary-together.toml"),
    design::GRID,
    design::SEARCH,
    path::BASE,
    network::BASE,
];

/// Reads a text: either the errors have a message, or the plan has the foreseen number of trials.
fn read(text: &str) -> Result<(), TestCaseError> {
    let foreseen = experiment::size("test.toml", text, None).ok();
    match experiment::plan("test.toml", text, &KERNELS) {
        Ok(plan) => {
            let trials = plan.trials.len() as u64;
            let random = plan.repeat.spread > 0 || plan.repeat.seeds <= 2;
            prop_assert!(foreseen == Some(trials) || !random && foreseen > Some(trials), "{foreseen:?}, {trials}");
        }
        Err(errors) => prop_assert!(!errors.to_string().is_empty()),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn whatever_is_written_gives_a_plan_or_errors(
        whole in 0..SOUND_EXPERIMENTS.len(),
        edits in prop::collection::vec((0.0..1.0f64, 0..30usize, 0..PIECES.len()), 1..6),
    ) {
        let mut chars: Vec<char> = SOUND_EXPERIMENTS[whole].chars().collect();
        for (at, removed, piece) in edits {
            let at = (at * chars.len() as f64) as usize;
            let end = (at + removed).min(chars.len());
            chars.splice(at..end, PIECES[piece].chars());
        }
        read(&chars.into_iter().collect::<String>())?;
    }

    /// Keys and tables are removed, doubled or moved; the rest remains TOML.
    #[test]
    fn whatever_lines_are_moved_gives_a_plan_or_errors(
        whole in 0..SOUND_EXPERIMENTS.len(),
        edits in prop::collection::vec((0..200usize, 0..200usize, 0..4usize, 0..PIECES.len()), 1..8),
    ) {
        let mut lines: Vec<&str> = SOUND_EXPERIMENTS[whole].lines().collect();
        for (from, to, how, piece) in edits {
            let (from, to) = (from % lines.len(), to % lines.len());
            match how {
                0 => drop(lines.remove(from)),
                1 => lines.insert(to, lines[from]),
                2 => lines.swap(from, to),
                _ => lines.insert(to, PIECES[piece].trim_end()),
            }
            if lines.is_empty() {
                lines.push("");
            }
        }
        read(&lines.join("\n"))?;
    }

    #[test]
    fn any_text_gives_a_plan_or_errors(text in ".{0,200}|(?s).{0,200}") {
        read(&text)?;
    }
}
