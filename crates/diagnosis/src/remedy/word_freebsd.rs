//! Changes of FreeBSD as words that a person types: `net.inet.tcp.cc.algorithm=cubic`, `receive-buffer=64MiB`,
//! `route-mtu@10.4.0.0/16=1400,via=192.0.2.1`, `lro@em0=off`.

use super::word::{BUFFER_SIZES, MTUS, Values, named, number, route, size};
use super::words::{self, is_device};
use super::{Attribute, Change, Feature, Remedy, Side, catalogue};
use base::suggest::suggest;
use evidence::unit::Wrong;

/// Congestion controls of FreeBSD's base system (mod_cc(4)).
const CONTROLS: &[&str] = &["cdg", "chd", "cubic", "dctcp", "hd", "htcp", "newreno", "vegas"];

/// TCP stacks (tcp_rack(4), tcp_bbr(4)).
const STACKS: &[&str] = &["bbr", "freebsd", "rack"];

const CONGESTION: &str = "net.inet.tcp.cc.algorithm";
const STACK: &str = "net.inet.tcp.functions_default";

/// Sysctls that may be changed, with the values that they accept (tcp(4), sysctl(3)).
const SYSCTLS: &[(&str, Values)] = &[
    (CONGESTION, Values::Names(CONTROLS)),
    (STACK, Values::Names(STACKS)),
    ("kern.ipc.maxsockbuf", Values::Least(4096..=i32::MAX as u64)),
    ("net.inet.tcp.ecn.enable", Values::Number(0..=4)),
    ("net.inet.tcp.hostcache.enable", Values::Number(0..=1)),
    ("net.inet.tcp.pmtud_blackhole_detection", Values::Number(0..=3)),
    ("net.inet.tcp.recvbuf_max", Values::Least(4096..=i32::MAX as u64)),
    ("net.inet.tcp.rfc1323", Values::Number(0..=3)),
    ("net.inet.tcp.sack.enable", Values::Number(0..=1)),
    ("net.inet.tcp.sendbuf_max", Values::Least(4096..=i32::MAX as u64)),
];

const BUFFERS: &[(&str, Side)] = &[("receive-buffer", Side::Receive), ("send-buffer", Side::Send)];

/// Offloads with the word for each.
const OFFLOADS: &[(&str, &[Feature])] = &[
    // Drivers drop TSO with the checksum, and restore it only with it.
    ("tx,tso", &[Feature::TxChecksum, Feature::Tso]),
    ("tso", &[Feature::Tso]),
    ("lro", &[Feature::Lro]),
    ("vlanhwtso", &[Feature::VlanTso]),
];

/// Forms that a person may type for a FreeBSD host in addition to those of Linux, with a description.
pub const FORMS: &[(&str, &str)] = &[
    ("net.inet.tcp.cc.algorithm=htcp", "on FreeBSD, with other sysctls of net.inet.tcp"),
    ("net.inet.tcp.functions_default=rack", "on FreeBSD: the TCP stack of new connections"),
    ("vlanhwtso@DEVICE=off", "on FreeBSD, with tso, lro and tx,tso"),
];

/// Returns the sysctls that words change.
pub fn sysctls() -> impl Iterator<Item = &'static str> {
    SYSCTLS.iter().map(|(key, _)| *key)
}

/// Returns the word that [`parse`] takes; `None` if it is no change of a FreeBSD host that goodput makes.
pub fn word(remedy: &Remedy) -> Option<String> {
    let platform = remedy.platform.as_ref()?;
    let is_known = |key: &&str| SYSCTLS.iter().any(|(known, _)| known == key);
    Some(match words::plain(remedy)?.change {
        Change::Sysctl { key, value } if is_known(&key) => format!("{key}={value}"),
        Change::Raise { key, least } if is_known(&key) => format!("{key}={least}"),
        Change::Congestion(name) => format!("{CONGESTION}={name}"),
        Change::Stack(name) => format!("{STACK}={name}"),
        Change::Autotuning { side, window, floor } => {
            let (name, _) = BUFFERS.iter().find(|(_, own)| *own == side)?;
            format!("{name}={}", size(catalogue::space(side, window, platform).max(floor)))
        }
        Change::Route { route, attribute: Attribute::Mtu, value } => {
            let way = [("via", &route.via), ("dev", &route.interface)];
            let way = way.iter().filter_map(|(name, value)| Some(format!(",{name}={}", value.as_ref()?)));
            let prefix = if route.ipv6 && route.prefix == "default" { "::/0" } else { &route.prefix };
            format!("route-mtu@{prefix}={value}{}", way.collect::<String>())
        }
        Change::OffloadsOff { device, features } => {
            let (name, _) = OFFLOADS.iter().find(|(_, own)| *own == features)?;
            format!("{name}@{device}=off")
        }
        Change::Mtu { device, bytes } => format!("mtu@{device}={}", bytes?),
        Change::ForgetMetrics => "tcp-metrics=flush".into(),
        _ => return None,
    })
}

/// Parses a word into the change that it stands for on FreeBSD.
pub fn parse(word: &str) -> Result<Change, Wrong> {
    let Some((name, value)) = word.split_once('=') else {
        return Err(Wrong::new("is no change").accepted(known().join(", ")));
    };
    match name.split_once('@') {
        Some(("route-mtu", prefix)) => {
            let (route, value) = route(prefix, value)?;
            Ok(Change::Route { route, attribute: Attribute::Mtu, value: number(value, &MTUS)?.to_string() })
        }
        Some((name, device)) => of_device(name, device, value),
        None => of_host(name, value),
    }
}

fn of_host(name: &str, value: &str) -> Result<Change, Wrong> {
    if let Some((_, side)) = BUFFERS.iter().find(|(own, _)| *own == name) {
        return Ok(Change::Autotuning { side: *side, window: 0, floor: number(value, &BUFFER_SIZES)? });
    }
    if name == "tcp-metrics" {
        return named(value, &["flush"]).map(|_| Change::ForgetMetrics);
    }
    let Some((key, values)) = SYSCTLS.iter().find(|(known, _)| *known == name) else {
        let wrong = Wrong::new("is nothing that goodput changes on FreeBSD");
        return Err(suggest(wrong, name, known().iter().map(String::as_str)));
    };
    match values {
        Values::Names(names) if *key == CONGESTION => named(value, names).map(Change::Congestion),
        Values::Names(names) => named(value, names).map(Change::Stack),
        Values::Number(range) => number(value, range).map(|value| Change::Sysctl { key, value: value.to_string() }),
        Values::Least(range) => number(value, range).map(|least| Change::Raise { key, least }),
    }
}

fn of_device(name: &str, device: &str, value: &str) -> Result<Change, Wrong> {
    if !is_device(device) || device.is_empty() {
        return Err(Wrong::new("names no device").accepted("a name as `ifconfig -l` prints it"));
    }
    let device = device.to_owned();
    if name == "mtu" {
        return number(value, &MTUS).map(|bytes| Change::Mtu { device, bytes: Some(bytes as u32) });
    }
    let Some((_, features)) = OFFLOADS.iter().find(|(word, _)| *word == name) else {
        let wrong = Wrong::new("is nothing of a device that goodput changes on FreeBSD");
        return Err(suggest(wrong, &format!("{name}@DEVICE"), known().iter().map(String::as_str)));
    };
    named(value, &["off"])?;
    Ok(Change::OffloadsOff { device, features })
}

/// Returns all forms that may be typed.
fn known() -> Vec<String> {
    let sysctls = SYSCTLS.iter().map(|(name, _)| (*name).to_owned());
    let offloads = OFFLOADS.iter().map(|(name, _)| format!("{name}@DEVICE"));
    let others = ["receive-buffer", "send-buffer", "route-mtu@PREFIX", "mtu@DEVICE", "tcp-metrics"].map(str::to_owned);
    sysctls.chain(others).chain(offloads).collect()
}

#[cfg(test)]
mod tests {
    use super::super::At;
    use super::*;
    use evidence::System;
    use evidence::platform::Platform;

    #[test]
    fn a_word_has_commands() {
        let freebsd = Platform { system: System::FreeBsd, version: "14.2".parse().unwrap() };
        for word in [
            "net.inet.tcp.cc.algorithm=htcp",
            "net.inet.tcp.functions_default=rack",
            "kern.ipc.maxsockbuf=16777216",
            "receive-buffer=64MiB",
            "route-mtu@10.4.0.0/16=1400,via=192.0.2.1",
            "mtu@em0=1400",
            "tso@em0=off",
            "tcp-metrics=flush",
        ] {
            let change = parse(word).unwrap_or_else(|wrong| panic!("{word}: {wrong:?}"));
            let remedy = Remedy::new(change, At::Sender, &freebsd, "");
            assert!(!remedy.steps().now.is_empty(), "{word}");
            assert_eq!(super::word(&remedy).as_deref(), Some(word));
        }
        for (word, says) in [
            ("net.inet.tcp.cc.algorithm=bbr", "no such value"),
            ("net.inet.tcp.cc.algorithms=cubic", "net.inet.tcp.cc.algorithm"),
            ("qdisc@em0=fq", "on FreeBSD"),
            ("kern.securelevel=0", "on FreeBSD"),
            ("mtu@em0;evil=1400", "ifconfig -l"),
            ("route-mtu@default=1400,via=$(evil)", "via=ADDRESS"),
        ] {
            let wrong = parse(word).unwrap_err();
            assert!(format!("{wrong:?}").contains(says), "{word}: {wrong:?}");
        }
    }
}
