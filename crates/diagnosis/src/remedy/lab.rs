//! Renders remedies as keys of an experiment, with which the lab shows their effect.
//!
//! Key paths are those that `[vary]` takes, so a list of keys is a case of it: `[vary.remedy.after]`, next to an empty
//! `[vary.remedy.before]`.

use super::catalogue;
use super::{At, Attribute, Change, Discipline, Feature, Remedy, Side, SocketOption};
use evidence::platform::Platform;
use evidence::{System, unit};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::fmt;
use toml::Value;

/// Names in an experiment: sender, receiver, forwarders and bottleneck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    /// Host that sends the data.
    pub sender: String,
    /// Host that receives the data.
    pub receiver: String,
    /// Routers and switches, such as `routers.r1`.
    pub forwarders: Vec<String>,
    /// Bottleneck link: `path`, or `links.2`.
    pub bottleneck: String,
}

impl Default for Network {
    /// Returns the names of an experiment with `[path]`.
    fn default() -> Network {
        Network { sender: "sender".into(), receiver: "receiver".into(), forwarders: vec![], bottleneck: "path".into() }
    }
}

/// A key of an experiment, and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// Path of the key, as `[vary]` takes it.
    pub path: String,
    pub value: Value,
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(&self.path, &self.value)?;
        map.end()
    }
}

impl Key {
    /// Creates a key with its value.
    pub fn new(path: impl Into<String>, value: impl Into<Value>) -> Key {
        Key { path: path.into(), value: value.into() }
    }

    /// Returns its value as TOML.
    pub fn literal(&self) -> String {
        literal(&self.value)
    }
}

impl fmt::Display for Key {
    /// Prints a line of a section such as `[vary.remedy.after]`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "\"{}\" = {}", self.path, literal(&self.value))
    }
}

/// Returns a value as TOML, tables in one line.
fn literal(value: &Value) -> String {
    match value {
        Value::Array(values) => format!("[{}]", values.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::Table(table) => {
            let entries: Vec<String> =
                table.iter().map(|(name, value)| format!("{name} = {}", literal(value))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        Value::String(text) => format!("{text:?}"),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(on) => on.to_string(),
        Value::Datetime(time) => time.to_string(),
    }
}

/// The reason why the lab cannot show a remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CannotShow {
    pub why: &'static str,
}

/// Linux version whose TCP the lab runs.
const LINUX: &str = "6.12";

/// Returns the keys for a remedy, or why there are none.
pub fn keys(remedy: &Remedy, network: &Network) -> Result<Vec<Key>, CannotShow> {
    let hosts = |key: &str, value: Value| Ok(of_hosts(remedy.at, network, key, &value));
    match &remedy.change {
        Change::Sysctl { key, value } => of_sysctl(remedy, network, key, value),
        Change::Raise { .. } => cannot("Linux has no such limit on top of a buffer's"),
        Change::Autotuning { side, window, floor } => {
            let linux = Platform { system: System::Linux, version: LINUX.parse().map_err(|_| CannotShow { why: "" })? };
            // Another system's buffer setting does not apply to this one.
            let floor = if remedy.system() == Some(System::Linux) { *floor } else { 0 };
            let most = catalogue::space(*side, *window, &linux).max(floor);
            let first = catalogue::first(*side, &linux);
            let name = if *side == Side::Receive { "rmem" } else { "wmem" };
            hosts(&format!("sysctl.net.ipv4.tcp_{name}"), format!("4096 {first} {}", most.max(first)).into())
        }
        Change::Congestion("newreno") => Ok(vec![Key::new("flows.congestion", "reno")]),
        Change::Congestion(name) => Ok(vec![Key::new("flows.congestion", *name)]),
        Change::Stack("rack") => hosts("recovery", "freebsd-rack".into()),
        Change::Stack("bbr") => Ok(vec![Key::new("flows.congestion", "bbr")]),
        Change::Stack(_) => cannot("no stack of FreeBSD's runs in it"),
        Change::Qdisc { discipline: Discipline::Fq, .. } => hosts("qdisc", "fq".into()),
        Change::Qdisc { discipline: Discipline::Cake(_), .. } => {
            let mut queue = toml::Table::new();
            queue.insert("discipline".into(), "cake".into());
            Ok(vec![Key::new(format!("{}.queue", network.bottleneck), queue)])
        }
        Change::Qdisc { discipline: Discipline::Tbf(Some(rate)), .. } => hosts("nic", unit::RATE.show(*rate).into()),
        Change::Qdisc { discipline: Discipline::Tbf(None), .. } => cannot("the rate to shape to is not known"),
        Change::Route { attribute, value, .. } => of_route(remedy.at, network, *attribute, value),
        Change::Mtu { bytes: Some(bytes), .. } => hosts("route-mtu", format!("{bytes} B").into()),
        Change::Mtu { bytes: None, .. } => cannot("the size is not known"),
        Change::MssClamp(_) => of_routers(network, "clamp-mss", &true.into()),
        Change::OffloadsOff { features, .. } if remedy.at == At::Forwarder && features.contains(&Feature::Lro) => {
            let left: Vec<Value> = vec!["gro".into()];
            of_forwarders(network, "offloads", &left.into())
        }
        Change::OffloadsOff { features, .. } if features.contains(&Feature::Tso) => {
            hosts("offloads", Value::Array(vec![]))
        }
        Change::OffloadsOff { .. } => cannot("its cards compute no checksums"),
        Change::Parameter { .. } => cannot("its guests have no /sys"),
        Change::ForgetMetrics => cannot("every trial begins without cached metrics"),
        Change::TcpMemory => cannot("its tcp_mem is never the limit"),
        Change::Socket(SocketOption::NoDelay) => cannot("its requests leave in one write"),
        Change::Socket(SocketOption::DefaultBuffer(Side::Receive)) => {
            Ok(vec![Key::new("flows.receive-buffer", "auto")])
        }
        Change::Socket(SocketOption::DefaultBuffer(Side::Send)) => Ok(vec![Key::new("flows.send-buffer", "auto")]),
        Change::Streams(count) => Ok(vec![Key::new("flows.count", i64::from(*count))]),
        Change::BottleneckBuffer(share) => {
            let size = format!("{}.{:02} BDP", share / 100, share % 100);
            Ok(vec![Key::new(format!("{}.buffer", network.bottleneck), size)])
        }
        Change::Words { .. } => cannot("no key stands for it"),
    }
}

fn cannot<T>(why: &'static str) -> Result<T, CannotShow> {
    Err(CannotShow { why })
}

/// Returns a key for each of the hosts at a place.
fn of_hosts(at: At, network: &Network, name: &str, value: &Value) -> Vec<Key> {
    let hosts: &[&String] = match at {
        At::Sender => &[&network.sender],
        At::Receiver => &[&network.receiver],
        At::Ends | At::Forwarder | At::Program => &[&network.sender, &network.receiver],
    };
    hosts.iter().map(|host| Key::new(format!("hosts.{host}.{name}"), value.clone())).collect()
}

fn of_forwarders(network: &Network, name: &str, value: &Value) -> Result<Vec<Key>, CannotShow> {
    let keys: Vec<Key> =
        network.forwarders.iter().map(|node| Key::new(format!("{node}.{name}"), value.clone())).collect();
    if keys.is_empty() { cannot("no router or switch stands between the hosts") } else { Ok(keys) }
}

fn of_routers(network: &Network, name: &str, value: &Value) -> Result<Vec<Key>, CannotShow> {
    let routers = network.forwarders.iter().filter(|node| node.starts_with("routers.")).cloned().collect();
    of_forwarders(&Network { forwarders: routers, ..network.clone() }, name, value)
}

/// Sysctls with a key of their own, and their values for false and true.
const SWITCHES: &[(&str, &str, [&str; 2])] = &[
    ("net.ipv4.tcp_mtu_probing", "mtu-probing", ["0", "1"]),
    ("net.ipv4.tcp_ecn", "ecn", ["0", "1"]),
    ("net.ipv4.tcp_sack", "sack", ["0", "1"]),
    ("net.ipv4.tcp_recovery", "rack", ["0", "1"]),
    ("net.ipv4.tcp_early_retrans", "tlp", ["0", "3"]),
];

/// FreeBSD's sysctls, and their Linux counterparts.
const LINUX_OF_FREEBSD: &[(&str, &str)] = &[
    ("net.inet.tcp.pmtud_blackhole_detection", "net.ipv4.tcp_mtu_probing"),
    ("net.inet.tcp.ecn.enable", "net.ipv4.tcp_ecn"),
    ("net.inet.tcp.sack.enable", "net.ipv4.tcp_sack"),
];

fn of_sysctl(remedy: &Remedy, network: &Network, name: &str, value: &str) -> Result<Vec<Key>, CannotShow> {
    let name = LINUX_OF_FREEBSD.iter().find(|(freebsd, _)| *freebsd == name).map_or(name, |(_, linux)| linux);
    let hosts = |key: &str, value: Value| Ok(of_hosts(remedy.at, network, key, &value));
    let switch = SWITCHES.iter().find(|(sysctl, ..)| *sysctl == name);
    if let Some((_, key, values)) = switch
        && let Some(on) = values.iter().position(|known| *known == value)
    {
        return hosts(key, (on == 1).into());
    }
    match name {
        "net.ipv4.tcp_congestion_control" => Ok(vec![Key::new("flows.congestion", value)]),
        "net.core.default_qdisc" => hosts("qdisc", value.into()),
        "net.ipv4.tcp_mem" => cannot("its tcp_mem is never the limit"),
        "net.inet.tcp.hostcache.enable" => hosts("sysctl.net.ipv4.tcp_no_metrics_save", i64::from(value == "0").into()),
        _ if !name.starts_with("net.ipv4.") && !name.starts_with("net.core.") => cannot("Linux has no such sysctl"),
        _ => hosts(&format!("sysctl.{name}"), value.into()),
    }
}

fn of_route(at: At, network: &Network, attribute: Attribute, value: &str) -> Result<Vec<Key>, CannotShow> {
    let hosts = |key: &str, value: Value| Ok(of_hosts(at, network, key, &value));
    match attribute {
        Attribute::Mtu => hosts("route-mtu", format!("{value} B").into()),
        Attribute::InitialWindow => hosts("initial-cwnd", format!("{value} packets").into()),
        Attribute::Congestion => hosts("route-congestion", value.into()),
        Attribute::Advmss => cannot("its routes take no advmss; an MTU does the same"),
        Attribute::RtoMin => cannot("its routes take no rto_min"),
    }
}
