//! Each key alone changes the plan, exactly where it should: a key that is read and not obeyed is caught here. And
//! whatever is written, reading it comes to an end.

use goodput::plan::Plan;
use goodput::spec;
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;

const BASE: &str = r#"
title = "Test"
#root
[path]
rate   = "100 Mbit/s"
rtt    = "50 ms"
buffer = "100 packets"
#path
[hosts]
#hosts
[hosts.sender]
#hosts.sender
[hosts.receiver]
#hosts.receiver
[[flows]]
duration = "10 s"
#flows
[[flows]]
congestion = "bbr"
bytes = "1 MB"
[repeat]
#repeat
[record]
#record
[vary]
"hosts.nic" = ["2 Gbit/s", "3 Gbit/s"]
[[expect]]
measure = "goodput"
at-least = "1 Mbit/s"
#expect
[[published]]
source = "nobody"
measure = "goodput"
value = "1 Mbit/s"
#published
"#;

/// What is written, in place of which line or after which mark, and the places of the plan that change.
/// `*` stands for every index.
const KEYS: &[(&str, &str, &[&str])] = &[
    ("title = \"Test\"", "title = \"Other\"", &["title"]),
    ("#root", "question = \"Why?\"", &["question"]),
    ("#root", "kernel = \"other\"", &["kernel"]),
    (
        "rate   = \"100 Mbit/s\"",
        "rate = \"10 Mbit/s\"",
        &["trials.*.scene.links.0.forward.rate", "trials.*.scene.links.0.backward.rate"],
    ),
    (
        "rtt    = \"50 ms\"",
        "rtt = \"60 ms\"",
        &["trials.*.scene.links.0.forward.delay", "trials.*.scene.links.0.backward.delay"],
    ),
    (
        "buffer = \"100 packets\"",
        "buffer = \"99 packets\"",
        &["trials.*.scene.links.0.forward.buffer.packets", "trials.*.scene.links.0.backward.buffer.packets"],
    ),
    ("#path", "loss = \"1 %\"", &["trials.*.scene.links.0.forward.loss"]),
    ("#path", "loss = { every = 100 }", &["trials.*.scene.links.0.forward.loss"]),
    ("#path", "mtu = \"1400 B\"", &["trials.*.scene.hosts.0.mtu", "trials.*.scene.hosts.1.mtu"]),
    (
        "#path",
        "overhead = \"38 B\"",
        &["trials.*.scene.links.0.forward.overhead", "trials.*.scene.links.0.backward.overhead"],
    ),
    (
        "#hosts",
        "sysctl = { \"net.ipv4.tcp_rmem\" = 1 }",
        &["trials.*.scene.hosts.0.sysctls.1.1", "trials.*.scene.hosts.1.sysctls.1.1"],
    ),
    ("#hosts.sender", "sysctl = { \"net.ipv4.tcp_rmem\" = 1 }", &["trials.*.scene.hosts.0.sysctls.1.1"]),
    ("#hosts.receiver", "sysctl = { \"net.ipv4.tcp_rmem\" = 1 }", &["trials.*.scene.hosts.1.sysctls.1.1"]),
    ("#hosts.sender", "nic = \"unlimited\"", &["trials.*.scene.hosts.0.nic"]),
    ("#hosts.receiver", "nic = \"unlimited\"", &["trials.*.scene.hosts.1.nic"]),
    ("#flows", "congestion = \"reno\"", &["trials.*.scene.flows.0.congestion"]),
    ("#flows", "start = \"1 s\"", &["trials.*.scene.flows.0.start", "trials.*.scene.record.limit"]),
    ("#flows", "send-buffer = \"1 MB\"", &["trials.*.scene.flows.0.send_buffer"]),
    ("#flows", "receive-buffer = \"1 MB\"", &["trials.*.scene.flows.0.receive_buffer"]),
    ("#flows", "mss = \"500 B\"", &["trials.*.scene.flows.0.mss"]),
    ("duration = \"10 s\"", "duration = \"11 s\"", &["trials.*.scene.flows.0.end.duration"]),
    ("bytes = \"1 MB\"", "bytes = \"2 MB\"", &["trials.*.scene.flows.1.end.bytes"]),
    ("#repeat", "spread = \"1 s\"", &["trials.*.scene.flows.*.start", "trials.*.scene.record.limit"]),
    ("#record", "interval = \"1 ms\"", &["trials.*.scene.record.interval"]),
    ("#record", "acks = true", &["trials.*.scene.record.acks"]),
    ("#record", "drops = true", &["trials.*.scene.record.drops"]),
    ("#record", "limit = \"1 min\"", &["trials.*.scene.record.limit"]),
    (
        "[\"2 Gbit/s\", \"3 Gbit/s\"]",
        "[\"2 Gbit/s\", \"4 Gbit/s\"]",
        &["vary.0.values.1", "trials.1.point.0.value", "trials.1.scene.hosts.*.nic"],
    ),
    ("at-least = \"1 Mbit/s\"", "at-least = \"2 Mbit/s\"", &["expect.0.at_least"]),
    ("#expect", "at-most = \"2 Mbit/s\"", &["expect.0.at_most"]),
    ("#expect", "where = { \"hosts.nic\" = \"2 Gbit/s\" }", &["expect.0.at.0"]),
    ("source = \"nobody\"", "source = \"somebody\"", &["published.0.source"]),
    ("value = \"1 Mbit/s\"", "value = \"2 Mbit/s\"", &["published.0.value"]),
    ("#published", "where = { \"hosts.nic\" = \"3 Gbit/s\" }", &["published.0.at.0"]),
];

const KERNEL: spec::Kernel = spec::Kernel { name: "6.18", congestion_controls: &[] };

#[test]
fn each_key_alone_changes_its_places_in_the_plan() {
    let base = plan(BASE);
    for (place, written, expected) in KEYS {
        assert_eq!(BASE.matches(place).count().min(1), 1, "{place}");
        let changed = plan(&BASE.replacen(place, written, 1));
        let mut places = BTreeSet::new();
        differences(&json(&base), &json(&changed), &mut Vec::new(), &mut places);
        let matched = |place: &String| expected.iter().any(|pattern| matches(pattern, place));
        assert!(places.iter().all(matched), "{written} also changes {places:?}");
        let covered = |pattern: &str| places.iter().any(|place| matches(pattern, place));
        assert!(expected.iter().all(|pattern| covered(pattern)), "{written} changes only {places:?}");
    }
}

#[test]
fn seeds_and_count_multiply() {
    let seeds = plan(&BASE.replace("#repeat", "seeds = 3"));
    assert_eq!(seeds.trials.iter().map(|trial| trial.seed).collect::<Vec<_>>(), [1, 2, 3, 1, 2, 3]);
    assert_eq!(seeds.trials[0].scene.flows, seeds.trials[3].scene.flows, "the same seeds serve every point");
    assert_ne!(seeds.trials[0].scene.flows, seeds.trials[1].scene.flows, "replicates do not lock in phase");
    let count = plan(&BASE.replace("#flows", "count = 3"));
    assert_eq!(count.trials[0].scene.flows.len(), 4);
}

#[test]
fn a_sweep_over_buffers_and_sysctls_reaches_the_kernel() {
    let vary = "[vary]\n\"path.buffer\" = [\"1 BDP\", \"0.5 BDP\"]\n\"hosts.sysctl.net.ipv4.tcp_sack\" = [0, 1]";
    let plan = plan(&BASE.replace("[vary]", vary));
    assert_eq!(plan.trials.len(), 8);
    let places = |trial: usize| {
        (&plan.trials[trial].scene.links[0].forward.buffer, &plan.trials[trial].scene.hosts[0].sysctls[3].1)
    };
    assert_eq!(places(0), (&goodput::plan::Buffer::Bytes(625_000), &"0".to_owned()));
    assert_eq!(places(7), (&goodput::plan::Buffer::Bytes(312_500), &"1".to_owned()));
}

fn plan(text: &str) -> Plan {
    spec::plan("test.toml", text, KERNEL).unwrap_or_else(|errors| panic!("{text}\n{errors}"))
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
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn whatever_is_written_gives_a_plan_or_errors(edits in prop::collection::vec((0..2000usize, 0..30usize, 0..PIECES.len()), 1..6)) {
        let mut chars: Vec<char> = include_str!("spec/good-grid.toml").chars().collect();
        for (at, removed, piece) in edits {
            let at = at.min(chars.len());
            let end = (at + removed).min(chars.len());
            chars.splice(at..end, PIECES[piece].chars());
        }
        let text: String = chars.into_iter().collect();
        if let Err(errors) = spec::plan("test.toml", &text, KERNEL) {
            prop_assert!(!errors.to_string().is_empty());
        }
    }

    #[test]
    fn any_text_gives_a_plan_or_errors(text in ".{0,200}|(?s).{0,200}") {
        if let Err(errors) = spec::plan("test.toml", &text, KERNEL) {
            prop_assert!(!errors.to_string().is_empty());
        }
    }
}
