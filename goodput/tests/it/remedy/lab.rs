//! A remedy's experiment keys are valid, and change the plan.

use super::{all, of_rules};
use diagnosis::remedy::lab::{self, CannotShow, Network};
use diagnosis::remedy::{Change, Remedy, catalogue};
use evidence::System;
use std::collections::BTreeSet;

/// A single link, with every key that a remedy changes.
const PATH: &str = r#"
title = "A path before and after a remedy"

[path]
rate   = "100 Mbit/s"
rtt    = "40 ms"
buffer = "0.25 BDP"

[hosts]
mtu-probing = false
offloads    = ["tso"]

[hosts.sender.sysctl]
"net.ipv4.tcp_no_metrics_save" = 0

[[flows]]
duration       = "10 s"
congestion     = "cubic"
send-buffer    = "100 kB"
receive-buffer = "100 kB"
"#;

/// A router between two hosts that merges the packets it forwards.
const ROUTED: &str = r#"
title   = "A router before and after a remedy"
hosts   = { offloads = ["tso"], a = { sysctl = { "net.ipv4.tcp_no_metrics_save" = 0 } }, b = {} }
routers = { r = { offloads = ["lro"] } }
links   = [
    { between = ["a", "r"], rate = "1 Gbit/s", buffer = "1 BDP", delay = "5 ms" },
    { between = ["r", "b"], rate = "100 Mbit/s", buffer = "0.25 BDP", delay = "5 ms" },
]
flows   = [{ from = "a", to = "b", duration = "10 s", send-buffer = "100 kB", receive-buffer = "100 kB" }]
"#;

fn routed() -> Network {
    let [sender, receiver] = ["a", "b"].map(str::to_owned);
    Network { sender, receiver, forwarders: vec!["routers.r".into()], bottleneck: "links.1".into() }
}

/// The networks of the two points of an experiment, without and with the keys.
fn points(text: &str, keys: &[lab::Key]) -> [String; 2] {
    let keys: String = keys.iter().map(|key| format!("{key}\n")).collect();
    let text = format!("{text}\n[vary.remedy.before]\n\n[vary.remedy.after]\n{keys}\n[repeat]\nseeds = 1\n");
    let plan = experiment::plan("remedy.toml", &text, &[]).unwrap_or_else(|errors| panic!("{text}\n{errors}"));
    let scenes: Vec<String> = plan.trials.iter().map(|trial| serde_json::to_string(&trial.scene).unwrap()).collect();
    scenes.try_into().unwrap_or_else(|scenes: Vec<String>| panic!("{} points\n{text}", scenes.len()))
}

fn proposed() -> Vec<Remedy> {
    let systems = [System::Linux, System::FreeBsd];
    let of_programs = [catalogue::streams(4)];
    systems.into_iter().flat_map(|system| all(system, "eth0")).chain(of_rules()).chain(of_programs).collect()
}

#[test]
fn keys_change_the_plan() {
    let (mut shown, mut hidden) = (0, BTreeSet::new());
    for remedy in proposed() {
        for (text, network) in [(PATH, Network::default()), (ROUTED, routed())] {
            match lab::keys(&remedy, &network) {
                Ok(keys) => {
                    assert!(!keys.is_empty(), "{remedy:?}");
                    let [before, after] = points(text, &keys);
                    assert_ne!(before, after, "{remedy:?}: {keys:?}");
                    shown += 1;
                }
                Err(CannotShow { why }) => drop(hidden.insert((remedy.what(), why))),
            }
        }
    }
    assert!(shown > 60, "{shown}");
    assert!(hidden.iter().all(|(_, why)| why.len() > 10), "{hidden:?}");
}

/// Every remedy with a command is shown, or one of these.
#[test]
fn remedies_that_the_lab_cannot_show_are_listed() {
    let known = [
        "hystart",
        "minimum RTO",
        "route advmss",
        "cached metrics",
        "tcp_mem",
        "kern.ipc.maxsockbuf",
        "shaper for the whole device",
        "Nagle's algorithm",
    ];
    for remedy in proposed() {
        let words = matches!(remedy.change, Change::Words { .. });
        let cannot = lab::keys(&remedy, &routed()).is_err();
        assert!(!cannot || words || known.contains(&remedy.what()), "{}: {remedy:?}", remedy.what());
    }
}
