//! Checks names and values from listings before they become part of a command: whoever wrote the listing may have
//! meant to inject more than a word.

use super::{Before, Change, DEVICE, Remedy, Route};

/// Returns a remedy with only names and values that no shell, program or path can misinterpret; others count as
/// unknown. `None` if no command is left.
pub fn plain(remedy: &Remedy) -> Option<Remedy> {
    let is_plain = |before: &Before| match before {
        Before::Setting(held) => held.value.split([' ', '\t']).all(is_word),
        Before::OffloadsOn(_) | Before::Mtu(_) => true,
    };
    let before = remedy.before.clone().filter(is_plain);
    let mut remedy = Remedy { before, ..remedy.clone() };
    match &mut remedy.change {
        Change::Qdisc { device, .. } | Change::OffloadsOff { device, .. } | Change::Mtu { device, .. }
            if !is_device(device) =>
        {
            (*device, remedy.before) = (DEVICE.into(), None);
        }
        Change::Route { route: Route { prefix, address, via, interface, .. }, .. } => {
            if !is_name(prefix) || !is_name(address) {
                return None;
            }
            via.take_if(|via| !is_name(via));
            interface.take_if(|interface| !is_device(interface));
        }
        _ => {}
    }
    Some(remedy)
}

/// Whether a name is safe as an interface's. Linux and FreeBSD allow more characters (dev_valid_name in
/// net/core/dev.c), but nobody uses them.
pub fn is_device(name: &str) -> bool {
    is_name(name) && !name.contains('/')
}

/// Whether a word is neither an option, nor a path from the root or upwards.
pub fn is_name(word: &str) -> bool {
    is_word(word) && word.starts_with(|c: char| c.is_ascii_alphanumeric() || c == ':')
}

fn is_word(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_alphanumeric() || b"._:/@+,%-".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::super::{At, Attribute, Discipline, Feature, Held, Side, When};
    use super::*;
    use evidence::System;
    use evidence::platform::Platform;

    const EVIL: &[&str] = &[
        "eth0;evil",
        "$(evil)",
        "`evil`",
        "a|evil",
        "a&evil",
        "a>evil",
        "a<evil",
        "a evil",
        "a\nevil",
        "a\tevil",
        "\"evil",
        "'evil",
        "evil\\",
        "../evil",
        "/evil",
        "-evil",
        "#evil",
        "~evil",
        "{evil,a}",
        "*evil",
        "evil\u{202e}",
    ];

    /// Returns everything rendered from a remedy, on both systems.
    fn made(change: &Change, before: Option<&str>) -> String {
        let systems =
            [System::Linux, System::FreeBsd].map(|system| Platform { system, version: "6.1".parse().unwrap() });
        let steps = systems.map(|platform| {
            let remedy = Remedy::new(change.clone(), At::Sender, &platform, "");
            let held = before.zip(remedy.setting());
            let held = held.map(|(value, key)| Held { key, value: value.into(), when: When::AtRun });
            let before = held.map(Before::Setting);
            let steps = Remedy { before, ..remedy }.steps();
            let kept = steps.keep.iter().map(|(file, text)| format!("{}\n{text}", file.path()));
            [steps.now.clone(), kept.collect(), steps.removals(), steps.undo].concat().join("\n")
        });
        steps.join("\n")
    }

    fn route(prefix: &str, via: Option<&str>, interface: Option<&str>) -> Change {
        let route = Route {
            prefix: prefix.into(),
            address: prefix.into(),
            ipv6: false,
            via: via.map(str::to_owned),
            interface: interface.map(str::to_owned),
        };
        Change::Route { route, attribute: Attribute::Mtu, value: "1400".into() }
    }

    fn of_device(device: &str) -> [Change; 3] {
        let device = device.to_owned();
        [
            Change::Qdisc { device: device.clone(), discipline: Discipline::Fq },
            Change::OffloadsOff { device: device.clone(), features: &[Feature::Lro, Feature::Tso] },
            Change::Mtu { device, bytes: Some(1400) },
        ]
    }

    #[test]
    fn no_name_that_was_read_is_more_than_a_word_of_a_command() {
        for evil in EVIL {
            let routes =
                [route(evil, None, None), route("default", Some(evil), None), route("10.0.0.0/8", None, Some(evil))];
            for change in of_device(evil).into_iter().chain(routes) {
                let text = made(&change, None);
                assert!(!text.contains("evil"), "{evil:?}: {text}");
            }
        }
    }

    #[test]
    fn no_value_that_was_read_is_more_than_words_of_a_command() {
        let changes = [
            Change::Autotuning { side: Side::Receive, window: 1_000_000, floor: 0 },
            Change::Congestion("bbr"),
            Change::TcpMemory,
            Change::Parameter { module: "tcp_cubic", name: "hystart", value: "0" },
            Change::Sysctl { key: "net.ipv4.tcp_sack", value: "1".into() },
        ];
        for evil in EVIL.iter().filter(|evil| !["a evil", "a\tevil", "../evil", "/evil", "-evil"].contains(evil)) {
            for change in changes.iter().cloned().chain(of_device("eth0")) {
                let text = made(&change, Some(evil));
                assert!(!text.contains("evil"), "{evil:?}: {text}");
            }
        }
    }

    #[test]
    fn commands_contain_the_hosts_own_device_and_values() {
        for name in ["eth0", "enp3s0f1.100", "br-lan", "wg0", "vtnet0", "eth0:1", "bond_0", "if1@if2"] {
            for change in of_device(name) {
                assert!(made(&change, None).contains(name), "{name}");
            }
        }
        assert!(made(&route("fd00::/8", Some("fe80::1%em0"), Some("em0")), None).contains("fe80::1%em0"));
        assert!(made(&Change::Congestion("bbr"), Some("cubic")).contains("=cubic"));
        let window = Change::Autotuning { side: Side::Receive, window: 1_000_000, floor: 0 };
        assert!(made(&window, Some("4096\t131072\t6291456")).contains("4096\t131072\t6291456"));
    }
}
