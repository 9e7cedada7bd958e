//! Remedies: every command is valid shell. Linux commands are done and undone in a network namespace, FreeBSD commands
//! run in a shell that knows their grammar, and the lab's keys change its plan.

pub mod freebsd;
mod lab;
mod linux;

use diagnosis::diagnose::{RULES, Sizes};
use diagnosis::remedy::catalogue;
use diagnosis::remedy::{At, Attribute, Before, Change, Discipline, Feature, Held, Remedy, Route, Side, When, folded};
use evidence::System;
use evidence::platform::Platform;
use std::process::Command;

fn platform(system: System) -> Platform {
    let version = if system == System::Linux { "6.12" } else { "14.2" };
    Platform { system, version: version.parse().unwrap() }
}

fn route(prefix: &str, via: Option<&str>, interface: Option<&str>) -> Route {
    Route {
        prefix: prefix.into(),
        address: prefix.split('/').next().unwrap().into(),
        ipv6: prefix.contains(':'),
        via: via.map(str::to_owned),
        interface: interface.map(str::to_owned),
    }
}

/// A setting's value at the run.
fn held(key: &str, value: &str) -> Before {
    Before::Setting(Held { key: key.into(), value: value.into(), when: When::AtRun })
}

/// All that can be proposed for a host with this device.
fn all(system: System, device: &str) -> Vec<Remedy> {
    let platform = &platform(system);
    let sender = |change| Remedy::new(change, At::Sender, platform, "");
    let one = Route { interface: Some(device.into()), ..Route::to(Some("10.6.0.1".parse().unwrap())) };
    let mut all = [
        catalogue::buffer(Side::Receive, 1 << 26, platform),
        catalogue::buffer(Side::Send, 1 << 26, platform),
        catalogue::no_metrics_save(platform),
        vec![
            catalogue::congestion(if system == System::Linux { "reno" } else { "newreno" }, platform),
            catalogue::congestion("htcp", platform),
            catalogue::mss_clamp(1400, platform),
            catalogue::lro_off(device, platform),
            catalogue::offloads_off(device, platform),
            catalogue::mtu_probing(platform),
            catalogue::ecn(platform),
            catalogue::route_mtu(&route("10.4.0.0/16", Some("192.0.2.1"), Some(device)), 1400, At::Ends, platform),
            catalogue::route_mtu(&route("10.5.0.0/16", None, Some(device)), 1400, At::Ends, platform),
            catalogue::route_mtu(&one, 1400, At::Sender, platform),
            catalogue::route_mtu(&route("default", None, Some(device)), 1400, At::Ends, platform),
            catalogue::route_mtu(&route("2001:db8:5::/48", Some("fe80::1"), Some(device)), 1400, At::Ends, platform),
            sender(Change::Mtu { device: device.into(), bytes: Some(1400) }),
        ],
    ]
    .concat();
    match system {
        System::FreeBsd => all.push(catalogue::stack("rack", platform)),
        System::Linux => {
            all.extend(catalogue::fq(Some(device), platform));
            let shaped = [Discipline::Cake(Some(95_000_000)), Discipline::Tbf(Some(95_000_000))];
            all.extend(shaped.map(|discipline| catalogue::shape(discipline, device, At::Sender, platform, "")));
            let attributes = [
                (Attribute::Advmss, "1360"),
                (Attribute::InitialWindow, "20"),
                (Attribute::Congestion, "reno"),
                (Attribute::RtoMin, "10ms"),
            ];
            for prefix in ["default", "10.5.0.0/16"] {
                let there = route(prefix, None, Some(device));
                all.extend(
                    attributes.map(|(name, value)| catalogue::route(&there, name, value, At::Sender, platform, "")),
                );
            }
            all.push(catalogue::slow_start_after_idle_off(platform));
            all.push(catalogue::tcp_mem(platform));
            all.push(sender(Change::Parameter { module: "tcp_cubic", name: "hystart", value: "0" }));
            let features = &[Feature::Gso, Feature::Tso];
            all.push(sender(Change::OffloadsOff { device: device.into(), features }));
        }
    }
    all
}

/// All remedies of the rules, for a path without known sizes.
fn of_rules() -> Vec<Remedy> {
    RULES.iter().flat_map(|rule| (rule.remedies)(&Sizes::default())).collect()
}

#[test]
fn every_command_is_a_shells() {
    let systems = [System::Linux, System::FreeBsd];
    let all = systems.into_iter().flat_map(|system| all(system, "eth0")).chain(of_rules());
    let mut seen = 0;
    for remedy in all {
        let steps = remedy.steps();
        for command in steps.now.iter().chain(&steps.undo).chain(&steps.removals()) {
            let narrow = folded(command, 40).join("\n");
            for text in [command, &narrow] {
                let parsed = Command::new("sh").args(["-n", "-c", text]).output().unwrap();
                assert!(parsed.status.success(), "{text}\n{}", String::from_utf8_lossy(&parsed.stderr));
            }
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
}

/// Output that the programs in commands read: routes, offloads, memory, settings.
const READ: &str = "default via 10.0.0.1 dev eth0 proto static mtu lock 1400 initcwnd 20 linkdown expires 3sec\n\
    MemTotal: 16000000 kB\ntx-checksumming: on\ntcp-segmentation-offload: off\ngeneric-segmentation-offload: on\n\
    net.ipv4.tcp_rmem = 4096 131072 6291456\n";

/// A line that ends within quotes means the same to sed and awk.
#[test]
fn a_program_in_several_lines_does_what_it_does_in_one() {
    let printed = |text: &str| {
        let shell = format!("printf '%s' \"$0\" | {text}");
        let output = Command::new("sh").args(["-c", &shell, READ]).output().unwrap();
        assert!(output.status.success(), "{text}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let remedies = [all(System::Linux, "eth0"), all(System::FreeBsd, "em0"), of_rules()].concat();
    let steps = remedies.iter().map(|remedy| remedy.steps());
    let commands: Vec<String> = steps.flat_map(|steps| [steps.now.clone(), steps.undo.clone()].concat()).collect();
    let mut within = 0;
    for command in &commands {
        for name in ["sed '", "awk '"] {
            for (at, _) in command.match_indices(name) {
                let from = at + name.len();
                let to = from + command[from..].find('\'').unwrap() + 1;
                let lines = folded(&command[at..to], 40);
                within += usize::from(lines.iter().rev().skip(1).any(|line| !line.ends_with('\\')));
                assert_eq!(printed(&lines.join("\n")), printed(&command[at..to]), "{lines:?}");
            }
        }
    }
    assert!(within > 5, "{within}");
}

/// A remedy with commands can be undone, and has a description and a reason.
#[test]
fn every_change_can_be_undone() {
    for remedy in of_rules() {
        let steps = remedy.steps();
        assert!(!remedy.what().is_empty() && remedy.why.ends_with('.'), "{remedy:?}");
        let once = remedy.change == Change::ForgetMetrics;
        assert!(once || steps.now.is_empty() == steps.undo.is_empty(), "{remedy:?}");
        assert!(remedy.platform.is_some() || steps.now.is_empty(), "{remedy:?}");
    }
}

/// Commands are data: no reason contains one.
#[test]
fn no_command_stands_in_prose() {
    let programs = [
        "sysctl -",
        "tc qdisc",
        "tc filter",
        "ip link",
        "ip route",
        "ethtool -",
        "ifconfig ",
        "kldload ",
        "nft ",
        "echo ",
    ];
    for remedy in of_rules() {
        for program in programs {
            assert!(!remedy.why.contains(program), "{}: {}", remedy.what(), remedy.why);
        }
    }
}
