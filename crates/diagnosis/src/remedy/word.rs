//! Changes of Linux as words that a page prints and a person types: `net.ipv4.tcp_congestion_control=bbr`,
//! `receive-buffer=64MiB`, `route-mtu@10.4.0.0/16=1400`, `qdisc@eth0=fq`. The same tables serve both directions.

use super::words::{is_device, is_name};
use super::{Attribute, Change, DEVICE, Discipline, Feature, HOST, Remedy, Route, Side, words};
use base::suggest::suggest;
use evidence::System;
use evidence::unit::{RATE, SIZE, Wrong};
use std::net::IpAddr;
use std::ops::RangeInclusive;

/// Congestion controls of Linux, by the kernel's names.
const CONTROLS: &[&str] = &[
    "bbr",
    "bic",
    "cdg",
    "cubic",
    "dctcp",
    "highspeed",
    "htcp",
    "hybla",
    "illinois",
    "lp",
    "nv",
    "prague",
    "reno",
    "scalable",
    "vegas",
    "veno",
    "westwood",
    "yeah",
];

/// The values that a setting accepts.
pub(super) enum Values {
    Number(RangeInclusive<u64>),
    /// Number to which the setting is raised, never lowered.
    Least(RangeInclusive<u64>),
    Names(&'static [&'static str]),
}

use Values::{Least, Names, Number};

const SWITCH: Values = Number(0..=1);
const BYTES: Values = Number(1..=i32::MAX as u64);

/// Sysctls that may be changed, with the values that they accept (Documentation/networking/ip-sysctl.rst).
const SYSCTLS: &[(&str, Values)] = &[
    (CONGESTION, Names(CONTROLS)),
    (MEMORY, Names(&[COMPUTED])),
    ("net.core.default_qdisc", Names(&["fq", "fq_codel", "cake", "pfifo_fast", "sfq"])),
    ("net.core.rmem_max", Least(4096..=i32::MAX as u64)),
    ("net.core.wmem_max", Least(4096..=i32::MAX as u64)),
    ("net.ipv4.tcp_ecn", Number(0..=5)),
    ("net.ipv4.tcp_limit_output_bytes", BYTES),
    ("net.ipv4.tcp_moderate_rcvbuf", SWITCH),
    ("net.ipv4.tcp_mtu_probing", Number(0..=2)),
    ("net.ipv4.tcp_no_metrics_save", SWITCH),
    ("net.ipv4.tcp_notsent_lowat", Number(1..=u32::MAX as u64)),
    ("net.ipv4.tcp_sack", SWITCH),
    ("net.ipv4.tcp_slow_start_after_idle", SWITCH),
    ("net.ipv4.tcp_timestamps", Number(0..=2)),
    ("net.ipv4.tcp_window_scaling", SWITCH),
];

const CONGESTION: &str = "net.ipv4.tcp_congestion_control";
const MEMORY: &str = "net.ipv4.tcp_mem";
/// Value that stands for the kernel's computation from the memory.
const COMPUTED: &str = "default";

/// Sysctls that a buffer's word changes.
const BUFFER_KEYS: [&str; 2] = ["net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"];

/// Module parameters that may be changed: module, name, values.
const PARAMETERS: &[(&str, &str, &[&str])] = &[("tcp_cubic", "hystart", &["0", "1"])];

const BUFFERS: &[(&str, Side)] = &[("receive-buffer", Side::Receive), ("send-buffer", Side::Send)];

const ATTRIBUTES: &[(&str, Attribute)] = &[
    ("route-mtu", Attribute::Mtu),
    ("route-advmss", Attribute::Advmss),
    ("route-initcwnd", Attribute::InitialWindow),
    ("route-congctl", Attribute::Congestion),
    ("route-rto_min", Attribute::RtoMin),
];

/// Offloads that are switched off together, or alone.
const FEATURES: &[&[Feature]] = &[
    &[Feature::TxChecksum, Feature::Tso, Feature::Gso],
    &[Feature::TxChecksum],
    &[Feature::Tso],
    &[Feature::Gso],
    &[Feature::Lro],
];

const QDISC: &str = "qdisc";
const MTU: &str = "mtu";
const CLAMP: &str = "mss-clamp";
const METRICS: &str = "tcp-metrics";
const FLUSH: &str = "flush";
const OFF: &str = "off";

/// Placeholders for unknown values.
const UNKNOWN_RATE: &str = "RATE";
const UNKNOWN_SIZE: &str = "SIZE";

/// Range from IPv4's smallest MTU to the largest packet.
pub(super) const MTUS: RangeInclusive<u64> = 68..=65_535;
pub(super) const BUFFER_SIZES: RangeInclusive<u64> = 4096..=i32::MAX as u64;
const SHAPED: RangeInclusive<u64> = 8_000..=1_000_000_000_000;

/// Returns the files of all settings that words change, with the name of each that is a sysctl.
pub fn settings() -> Vec<(String, Option<&'static str>)> {
    let keys = SYSCTLS.iter().map(|(key, _)| *key).chain(BUFFER_KEYS);
    let sysctls = keys.map(|key| (format!("/proc/sys/{}", key.replace('.', "/")), Some(key)));
    let parameters =
        PARAMETERS.iter().map(|(module, name, _)| (format!("/sys/module/{module}/parameters/{name}"), None));
    sysctls.chain(parameters).collect()
}

/// Returns the attributes of routes that words change, as ip(8) names them.
pub fn attributes() -> impl Iterator<Item = &'static str> {
    ATTRIBUTES.iter().map(|(_, attribute)| attribute.word())
}

/// Forms that a person may type, with a description.
pub const FORMS: &[(&str, &str)] = &[
    ("SYSCTL=VALUE", "net.ipv4.tcp_congestion_control=bbr"),
    ("receive-buffer=SIZE", "third value of tcp_rmem, raised to SIZE"),
    ("send-buffer=SIZE", "third value of tcp_wmem, raised to SIZE"),
    ("route-mtu@PREFIX=BYTES", "also route-advmss, route-initcwnd, route-congctl, route-rto_min"),
    ("qdisc@DEVICE=fq", "also cake,RATE and tbf,RATE"),
    ("mtu@DEVICE=BYTES", ""),
    ("lro@DEVICE=off", "also tx, tso, gso"),
    ("mss-clamp=MTU", "MSS of forwarded connections"),
    ("tcp_cubic.hystart=0", ""),
    ("tcp-metrics=flush", "the kernel learns them anew: nothing puts them back"),
];

/// Lists the forms for an error message.
fn forms() -> String {
    let form = |(form, more): &(&str, &str)| match more.starts_with("also ") {
        true => format!("{form} ({more})"),
        false => (*form).to_owned(),
    };
    FORMS.iter().map(form).collect::<Vec<_>>().join(", ")
}

impl Remedy {
    /// Returns the word for `goodput apply`; `None` if it is not a change of a Linux host.
    pub fn word(&self) -> Option<String> {
        let platform = self.platform.as_ref().filter(|platform| platform.system == System::Linux)?;
        Some(match words::plain(self)?.change {
            Change::Sysctl { key, value } => format!("{key}={value}"),
            Change::Raise { key, least } => format!("{key}={least}"),
            Change::Congestion(name) => format!("{CONGESTION}={name}"),
            Change::TcpMemory => format!("{MEMORY}={COMPUTED}"),
            Change::Autotuning { side, window, floor } => {
                let bytes = super::catalogue::space(side, window, platform).max(floor);
                format!("{}={}", name_of(BUFFERS, &side)?, size(bytes))
            }
            Change::Parameter { module, name, value } => format!("{module}.{name}={value}"),
            Change::Qdisc { device, discipline } => format!("{QDISC}@{device}={}", of_discipline(discipline)),
            Change::Route { route, attribute, value } => {
                let way = [("via", &route.via), ("dev", &route.interface)];
                let way = way.iter().filter_map(|(name, value)| Some(format!(",{name}={}", value.as_ref()?)));
                let prefix = if route.ipv6 && route.prefix == "default" { "::/0" } else { &route.prefix };
                format!("{}@{prefix}={value}{}", name_of(ATTRIBUTES, &attribute)?, way.collect::<String>())
            }
            Change::MssClamp(mtu) => format!("{CLAMP}={mtu}"),
            Change::OffloadsOff { device, features } => {
                format!("{}@{device}={OFF}", named_together(features))
            }
            Change::Mtu { device, bytes } => {
                format!("{MTU}@{device}={}", bytes.map_or(UNKNOWN_SIZE.into(), |bytes| bytes.to_string()))
            }
            Change::ForgetMetrics => format!("{METRICS}={FLUSH}"),
            Change::Stack(_)
            | Change::Socket(_)
            | Change::Streams(_)
            | Change::BottleneckBuffer(_)
            | Change::Words { .. } => return None,
        })
    }

    /// Returns the commands to type: one short command, or plain ones if `goodput apply` does not make the change.
    pub fn commands(&self) -> Vec<String> {
        match self.word() {
            Some(word) => vec![apply(&[word])],
            None => self.steps().now,
        }
    }

    /// Returns the commands that restore the previous state.
    pub fn undo(&self) -> Vec<String> {
        match self.word() {
            Some(_) => vec![UNDO.into()],
            None => self.steps().undo,
        }
    }
}

/// Command that restores the state before `goodput apply`.
pub const UNDO: &str = "sudo goodput undo";

/// Returns the command that makes changes.
pub fn apply(words: &[String]) -> String {
    format!("sudo goodput apply {}", words.join(" "))
}

fn name_of<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> Option<&'static str> {
    table.iter().find(|(_, known)| known == value).map(|(name, _)| *name)
}

fn named_together(features: &[Feature]) -> String {
    features.iter().map(|feature| feature.word()).collect::<Vec<_>>().join(",")
}

pub(super) fn size(bytes: u64) -> String {
    const MIB: u64 = 1 << 20;
    if bytes.is_multiple_of(MIB) { format!("{}MiB", bytes / MIB) } else { bytes.to_string() }
}

fn of_discipline(discipline: Discipline) -> String {
    let rate = |rate: Option<u64>| rate.map_or(UNKNOWN_RATE.into(), |rate| RATE.show(rate).replace(' ', ""));
    match discipline {
        Discipline::Fq => "fq".into(),
        Discipline::Cake(at) => format!("cake,{}", rate(at)),
        Discipline::Tbf(at) => format!("tbf,{}", rate(at)),
    }
}

/// Parses a word into the change that it stands for.
pub fn parse(word: &str) -> Result<Change, Wrong> {
    let Some((name, value)) = word.split_once('=') else {
        return Err(Wrong::new("is no change").accepted(forms()));
    };
    match name.split_once('@') {
        Some((name, at)) if ATTRIBUTES.iter().any(|(known, _)| *known == name) => of_route(name, at, value),
        Some((name, device)) => of_device(name, device, value),
        None => of_host(name, value),
    }
}

fn of_host(name: &str, value: &str) -> Result<Change, Wrong> {
    if let Some((_, side)) = BUFFERS.iter().find(|(known, _)| *known == name) {
        let floor = number(value, &BUFFER_SIZES)?;
        return Ok(Change::Autotuning { side: *side, window: 0, floor });
    }
    if let Some((module, name, values)) = parameter(name) {
        let value = named(value, values)?;
        return Ok(Change::Parameter { module, name, value });
    }
    if let Some((key, values)) = SYSCTLS.iter().find(|(known, _)| *known == name) {
        return match values {
            Names(names) if *key == CONGESTION => named(value, names).map(Change::Congestion),
            Names(names) if *key == MEMORY => named(value, names).map(|_| Change::TcpMemory),
            Names(names) => named(value, names).map(|value| Change::Sysctl { key, value: value.into() }),
            Number(range) => number(value, range).map(|value| Change::Sysctl { key, value: value.to_string() }),
            Least(range) => number(value, range).map(|least| Change::Raise { key, least }),
        };
    }
    match name {
        CLAMP => number(value, &MTUS).map(|mtu| Change::MssClamp(mtu as u32)),
        METRICS => named(value, &[FLUSH]).map(|_| Change::ForgetMetrics),
        "net.ipv4.tcp_rmem" => Err(Wrong::new("has three values").hint("write receive-buffer=SIZE for the third")),
        "net.ipv4.tcp_wmem" => Err(Wrong::new("has three values").hint("write send-buffer=SIZE for the third")),
        _ => {
            let known = SYSCTLS.iter().map(|(name, _)| *name).chain(BUFFERS.iter().map(|(name, _)| *name));
            let known = known.chain(["tcp_cubic.hystart", CLAMP, METRICS, "qdisc@DEVICE", "mtu@DEVICE"]);
            let known = known.map(str::to_owned).chain(ATTRIBUTES.iter().map(|(name, _)| format!("{name}@PREFIX")));
            let offloads = FEATURES.iter().map(|features| format!("{}@DEVICE", named_together(features)));
            let known: Vec<String> = known.chain(offloads).collect();
            Err(suggest(Wrong::new("is nothing that goodput changes"), name, known.iter().map(String::as_str)))
        }
    }
}

fn parameter(name: &str) -> Option<(&'static str, &'static str, &'static [&'static str])> {
    let (module, name) = name.split_once('.')?;
    PARAMETERS.iter().find(|(known, parameter, _)| *known == module && *parameter == name).copied()
}

fn of_device(name: &str, device: &str, value: &str) -> Result<Change, Wrong> {
    if device == DEVICE {
        return Err(
            Wrong::new("has no device yet").hint("`ip -br link` lists the devices: write one in place of DEVICE")
        );
    }
    if !is_device(device) || device.is_empty() {
        return Err(Wrong::new("names no device").accepted("a name as `ip -br link` prints it"));
    }
    let device = device.to_owned();
    match name {
        QDISC => Ok(Change::Qdisc { device, discipline: discipline(value)? }),
        MTU if value == UNKNOWN_SIZE => Err(Wrong::new("has no size yet").hint("write the MTU in bytes")),
        MTU => number(value, &MTUS).map(|bytes| Change::Mtu { device, bytes: Some(bytes as u32) }),
        _ => {
            named(value, &[OFF])?;
            let known = FEATURES.iter().find(|features| named_together(features) == name);
            let features = *known.ok_or_else(|| {
                let all: Vec<String> = FEATURES.iter().map(|features| named_together(features)).collect();
                let what = Wrong::new("is nothing of a device that goodput changes");
                what.accepted(format!("{QDISC}, {MTU}, {}", all.join(" or ")))
            })?;
            Ok(Change::OffloadsOff { device, features })
        }
    }
}

fn discipline(value: &str) -> Result<Discipline, Wrong> {
    let (kind, rate) = value.split_once(',').unwrap_or((value, UNKNOWN_RATE));
    if kind == "fq" && value == kind {
        return Ok(Discipline::Fq);
    }
    named(kind, &["fq", "cake", "tbf"])?;
    if rate == UNKNOWN_RATE {
        return Err(Wrong::new("has no rate").hint(format!("write 95 % of the link's rate, as in {kind},95Mbit/s")));
    }
    let rate = RATE.parse(rate)?;
    match kind {
        _ if !SHAPED.contains(&rate) => Err(Wrong::new("is out of range").accepted(RATE.show_range(&SHAPED))),
        "cake" => Ok(Discipline::Cake(Some(rate))),
        "tbf" => Ok(Discipline::Tbf(Some(rate))),
        _ => Err(Wrong::new("takes no rate").hint("write fq")),
    }
}

fn of_route(name: &str, prefix: &str, value: &str) -> Result<Change, Wrong> {
    let Some((_, attribute)) = ATTRIBUTES.iter().find(|(known, _)| *known == name) else {
        return Err(Wrong::new("is no attribute of a route").accepted(forms()));
    };
    let (route, value) = route(prefix, value)?;
    let value = match attribute {
        Attribute::Mtu => number(value, &MTUS)?.to_string(),
        Attribute::Advmss => number(value, &(MTUS.start() - 20..=*MTUS.end()))?.to_string(),
        Attribute::InitialWindow => number(value, &(1..=1000))?.to_string(),
        Attribute::Congestion => named(value, CONTROLS)?.into(),
        Attribute::RtoMin => milliseconds(value)?,
    };
    Ok(Change::Route { route, attribute: *attribute, value })
}

/// Parses a prefix, and a value followed by the next hop and interface.
pub(super) fn route<'v>(prefix: &str, value: &'v str) -> Result<(Route, &'v str), Wrong> {
    let mut parts = value.split(',');
    let value = parts.next().unwrap_or_default();
    let mut route = route_to(prefix)?;
    for part in parts {
        let is_sound = |name: &str| is_name(name) && !name.is_empty();
        match part.split_once('=') {
            Some(("via", via)) if is_sound(via) => route.via = Some(via.into()),
            Some(("dev", device)) if is_sound(device) && is_device(device) => route.interface = Some(device.into()),
            _ => return Err(Wrong::new("names no way").accepted("VALUE,via=ADDRESS,dev=DEVICE")),
        }
    }
    Ok((route, value))
}

fn route_to(prefix: &str) -> Result<Route, Wrong> {
    let accepted = "default, ::/0, or a prefix such as 192.0.2.7/32";
    let (address, bits) = prefix.split_once('/').unwrap_or((prefix, ""));
    if address == HOST {
        return Err(Wrong::new("has no address yet").hint("write the other end's address in place of HOST"));
    }
    let plain = |prefix: &str, address: &str, ipv6| {
        Ok(Route { prefix: prefix.into(), address: address.into(), ipv6, via: None, interface: None })
    };
    match (prefix, address.parse::<IpAddr>(), bits.parse::<u8>()) {
        ("default", ..) => plain("default", "default", false),
        ("::/0", ..) => plain("default", "default", true),
        (_, Ok(ip), Ok(bits)) if bits <= if ip.is_ipv6() { 128 } else { 32 } => plain(prefix, address, ip.is_ipv6()),
        (_, Ok(ip), _) if bits.is_empty() => Ok(Route::to(Some(ip))),
        _ => Err(Wrong::new("is no prefix").accepted(accepted)),
    }
}

/// Parses a time of up to a second, as ip(8) prints it.
fn milliseconds(text: &str) -> Result<String, Wrong> {
    let number = text.strip_suffix("ms").and_then(|number| number.parse::<u16>().ok());
    match number {
        Some(number @ 1..=999) => Ok(format!("{number}ms")),
        _ => Err(Wrong::new("is no time").accepted("1ms to 999ms")),
    }
}

/// Parses a number, or a size with its unit.
pub(super) fn number(text: &str, range: &RangeInclusive<u64>) -> Result<u64, Wrong> {
    let value = match text.parse() {
        Ok(number) => number,
        Err(_) if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => u64::MAX,
        Err(_) if text.starts_with(|c: char| c.is_ascii_digit()) => SIZE.parse(text)?,
        Err(_) => return Err(Wrong::new("is no number").accepted(format!("{} to {}", range.start(), range.end()))),
    };
    match range.contains(&value) {
        true => Ok(value),
        false => Err(Wrong::new("is out of range").accepted(format!("{} to {}", range.start(), range.end()))),
    }
}

pub(super) fn named(text: &str, names: &[&'static str]) -> Result<&'static str, Wrong> {
    let found = names.iter().find(|name| **name == text).copied();
    found.ok_or_else(|| suggest(Wrong::new("takes no such value"), text, names.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::super::{At, catalogue};
    use super::*;
    use evidence::platform::Platform;

    fn linux() -> Platform {
        Platform { system: System::Linux, version: "6.12".parse().unwrap() }
    }

    fn word(change: &Change) -> String {
        Remedy::new(change.clone(), At::Sender, &linux(), "").word().unwrap()
    }

    #[test]
    fn parsed_changes_print_as_they_were_typed() {
        for text in [
            "net.ipv4.tcp_congestion_control=bbr",
            "net.core.rmem_max=67108864",
            "net.ipv4.tcp_mtu_probing=1",
            "net.ipv4.tcp_mem=default",
            "receive-buffer=64MiB",
            "send-buffer=2147483647",
            "tcp_cubic.hystart=0",
            "qdisc@eth0=fq",
            "qdisc@enp3s0f1.100=cake,95Mbit/s",
            "qdisc@eth0=tbf,9.5Gbit/s",
            "mtu@eth0=1400",
            "lro@eth0=off",
            "tx,tso,gso@eth0=off",
            "mss-clamp=1400",
            "tcp-metrics=flush",
            "route-mtu@10.4.0.0/16=1400,via=192.0.2.1,dev=eth0",
            "route-advmss@::/0=1360",
            "route-initcwnd@default=20",
            "route-congctl@2001:db8:5::/48=bbr,via=fe80::1,dev=eth0",
            "route-rto_min@192.0.2.7/32=10ms",
        ] {
            let change = parse(text).unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"));
            assert_eq!(word(&change), text);
            let remedy = Remedy::new(change, At::Sender, &linux(), "");
            assert!(!remedy.steps().now.is_empty(), "{text}");
        }
    }

    /// The plain commands of a buffer and those of its word have the same size.
    #[test]
    fn a_buffer_has_the_size_that_its_commands_have() {
        for side in [Side::Receive, Side::Send] {
            let remedy = &catalogue::buffer(side, 30_000_000, &linux())[0];
            let typed = parse(&remedy.word().unwrap()).unwrap();
            let again = Remedy { change: typed, ..remedy.clone() };
            assert_eq!(again.steps(), remedy.steps());
        }
    }

    #[test]
    fn unknown_changes_are_refused_with_the_word_to_write() {
        let refused = |text: &str| {
            let Wrong { what, notes, hint } = parse(text).unwrap_err();
            format!("{what} {} {}", notes.join(" "), hint.unwrap_or_default())
        };
        for (text, says) in [
            ("bbr", "receive-buffer=SIZE"),
            ("net.ipv4.tcp_congestion_contrl=bbr", "write \"net.ipv4.tcp_congestion_control\""),
            ("net.ipv4.tcp_congestion_control=bbr2", "write \"bbr\""),
            ("kernel.core_pattern=x", "nothing that goodput changes"),
            ("kernel.core_pattern=x", "route-rto_min@PREFIX, tx,tso,gso@DEVICE"),
            ("net.ipv4.tcp_rmem=67108864", "receive-buffer=SIZE"),
            ("receive-buffer=1", "4096 to 2147483647"),
            ("receive-buffer=lots", "no number"),
            ("mtu@DEVICE=1400", "in place of DEVICE"),
            ("mtu@eth0=SIZE", "the MTU in bytes"),
            ("mtu@../eth0=1400", "a name as"),
            ("mtu@eth0;evil=1400", "a name as"),
            ("mtu@=1400", "a name as"),
            ("qdisc@eth0=cake", "cake,95Mbit/s"),
            ("qdisc@eth0=cake,fast", "number"),
            ("route-mtu@HOST/32=1400", "in place of HOST"),
            ("route-mtu@10.0.0.0/33=1400", "192.0.2.7/32"),
            ("route-mtu@default=1400,via=$(evil)", "via=ADDRESS"),
            ("route-rto_min@default=1", "999ms"),
            ("lro@eth0=on", "off"),
            ("evil@eth0=off", "tx,tso,gso or tx or tso or gso or lro"),
            ("mss-clamp=9999999999999999999999", "range"),
        ] {
            assert!(refused(text).contains(says), "{text}: {}", refused(text));
        }
    }
}
