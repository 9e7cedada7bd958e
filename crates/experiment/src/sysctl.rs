//! Sysctls of a node: which names a Linux network namespace has, and the form of their values.

use super::value::Value;
use base::suggest::closest;
use evidence::System;
use evidence::unit::Wrong;
use plan::is_sysctl;
use toml::Spanned;
use toml::de::{DeArray, DeValue};

/// Sysctl with the congestion control of sockets that name none.
pub const CONGESTION: &str = "net.ipv4.tcp_congestion_control";

/// Folders under `net` that each Linux network namespace has.
const NET_FOLDERS: &[&str] =
    &["bridge", "core", "ipv4", "ipv6", "mpls", "mptcp", "netfilter", "sctp", "smc", "unix", "vrf"];

/// Sysctls with three numbers in bytes: least, default, most (Documentation/networking/ip-sysctl.rst).
const TRIPLES: &[&str] = &["net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"];

/// FreeBSD's settings, and Linux's for the same purpose (tcp(4), inet(4)).
const FREEBSD_NAMES: &[(&str, &str)] = &[
    ("kern.ipc.maxsockbuf", "\"net.ipv4.tcp_rmem\" and \"net.ipv4.tcp_wmem\", whose third number is the most"),
    ("net.inet.ip.forwarding", "a router: [routers.NAME]"),
    ("net.inet.ip.ttl", "\"net.ipv4.ip_default_ttl\""),
    ("net.inet.tcp.cc.algorithm", "congestion under [[flows]], or \"net.ipv4.tcp_congestion_control\""),
    ("net.inet.tcp.ecn.enable", "\"net.ipv4.tcp_ecn\""),
    ("net.inet.tcp.hostcache.enable", "\"net.ipv4.tcp_no_metrics_save\", which is 1 where this is 0"),
    ("net.inet.tcp.initcwnd_segments", "initial-cwnd under [hosts.NAME]"),
    ("net.inet.tcp.keepidle", "\"net.ipv4.tcp_keepalive_time\", in seconds"),
    ("net.inet.tcp.minmss", "\"net.ipv4.tcp_min_snd_mss\""),
    ("net.inet.tcp.mssdflt", "mss under [[flows]]"),
    ("net.inet.tcp.path_mtu_discovery", "\"net.ipv4.ip_no_pmtu_disc\", which is 1 where this is 0"),
    ("net.inet.tcp.pmtud_blackhole_detection", "\"net.ipv4.tcp_mtu_probing\""),
    ("net.inet.tcp.recvbuf_auto", "\"net.ipv4.tcp_moderate_rcvbuf\""),
    ("net.inet.tcp.recvbuf_max", "\"net.ipv4.tcp_rmem\", whose third number is the most"),
    ("net.inet.tcp.recvspace", "\"net.ipv4.tcp_rmem\", whose second number is the start"),
    ("net.inet.tcp.rfc1323", "\"net.ipv4.tcp_window_scaling\" and \"net.ipv4.tcp_timestamps\""),
    ("net.inet.tcp.sack.enable", "\"net.ipv4.tcp_sack\""),
    ("net.inet.tcp.sendbuf_max", "\"net.ipv4.tcp_wmem\", whose third number is the most"),
    ("net.inet.tcp.sendspace", "\"net.ipv4.tcp_wmem\", whose second number is the start"),
    ("net.inet.tcp.tso", "offloads under [hosts.NAME]"),
];

/// Checks, by the name, that a sysctl exists once per Linux network namespace.
pub fn check_name(name: &str) -> Result<(), Wrong> {
    let dotted = name.trim_start_matches("/proc/sys/").replace('/', ".");
    if System::of_setting(&dotted) == Some(System::FreeBsd) {
        let wrong = Wrong::new(format!("sysctl \"{name}\" is FreeBSD's, and this node runs Linux"));
        let row = FREEBSD_NAMES.iter().find(|(freebsd, _)| *freebsd == dotted);
        return Err(row.iter().fold(wrong, |wrong, (_, linux)| wrong.hint(format!("write {linux}"))));
    }
    let parts: Vec<&str> = name.split('.').collect();
    if !is_sysctl(name) || parts[0] != "net" || parts.len() < 3 {
        let wrong = Wrong::new(format!("sysctl \"{name}\" is not one of a host's network"));
        let wrong = wrong.accepted("names such as \"net.ipv4.tcp_rmem\"; only net.* exists once for each host");
        let meant = dotted != name && check_name(&dotted).is_ok();
        return Err(if meant { wrong.hint(format!("write \"{dotted}\"")) } else { wrong });
    }
    if NET_FOLDERS.contains(&parts[1]) {
        return Ok(());
    }
    let wrong = Wrong::new(format!("sysctl \"{name}\" is unknown: Linux has no net.{}", parts[1]));
    Err(match closest(parts[1], NET_FOLDERS.iter().copied()) {
        Some(meant) => wrong.hint(format!("write \"net.{meant}.{}\"", parts[2..].join("."))),
        None => wrong.accepted(NET_FOLDERS.iter().map(|family| format!("net.{family}")).collect::<Vec<_>>().join(", ")),
    })
}

/// Checks that a name may be a sysctl of either system. Whether it fits the host's stack is checked later.
pub fn check_either(name: &str) -> Result<(), Wrong> {
    match is_freebsd(name) {
        true if is_sysctl(name) => Ok(()),
        true => Err(Wrong::new(format!("sysctl \"{name}\" is not one of a host's network"))),
        false => check_name(name),
    }
}

/// True if the name is one of FreeBSD's.
pub fn is_freebsd(name: &str) -> bool {
    System::of_setting(name) == Some(System::FreeBsd)
}

/// Parses the value of a sysctl and normalises its white space.
pub fn value(name: &str) -> impl Fn(&Value) -> Result<String, Wrong> {
    let is_triple = TRIPLES.contains(&name);
    move |value| {
        let written = match value.toml {
            DeValue::String(_) => super::leaf::text(value)?,
            DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_owned(),
            DeValue::Array(list) => {
                let hint = joined(list).map(|text| format!("write \"{text}\""));
                return Err(Wrong { hint, ..value.is_not(ACCEPTED_VALUE) });
            }
            _ => return Err(value.is_not(ACCEPTED_VALUE)),
        };
        if written.chars().any(|c| !c.is_ascii_graphic() && !c.is_ascii_whitespace()) {
            return Err(Wrong::new("holds a character that is not ASCII"));
        }
        let words: Vec<&str> = written.split_ascii_whitespace().collect();
        if is_triple && (words.len() != 3 || !words.iter().all(|word| word.parse::<i32>().is_ok_and(|size| size > 0))) {
            return Err(
                Wrong::new("is not three sizes").accepted("least, default and most in bytes: \"4096 131072 33554432\"")
            );
        }
        Ok(words.join(" "))
    }
}

const ACCEPTED_VALUE: &str = "a whole number, or text in quotes such as \"4096 131072 33554432\"";

fn joined(list: &DeArray) -> Option<String> {
    let number = |value: &Spanned<DeValue>| Some(value.get_ref().as_integer()?.as_str().to_owned());
    Some(list.iter().map(number).collect::<Option<Vec<_>>>()?.join(" "))
}
