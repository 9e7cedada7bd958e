//! Renders remedies as commands of FreeBSD: sysctl(8), kldload(8), ifconfig(8), route(8), pfctl(8).
//!
//! A loaded module stays loaded: while nothing uses it, it changes nothing.

use super::{Attribute, Before, Change, Feature, File, Remedy, Route, Steps, catalogue};
use base::model::tunnel;
use evidence::platform::Platform;

pub fn steps(remedy: &Remedy, platform: &Platform) -> Steps {
    let before = remedy.before.as_ref();
    let sysctl = |value: &str| remedy.key().map(|key| set(key, value, before)).unwrap_or_default();
    let raised = |least: u64| remedy.key().map(|key| raise(key, least, before)).unwrap_or_default();
    match &remedy.change {
        Change::Sysctl { value, .. } => sysctl(value),
        Change::Raise { least, .. } => raised(*least),
        Change::Autotuning { side, window, floor } => raised(catalogue::space(*side, *window, platform).max(*floor)),
        Change::Congestion(name) if catalogue::is_built_in(name, platform) => sysctl(name),
        Change::Congestion(name) => with_module(&format!("cc_{name}"), sysctl(name)),
        Change::Stack(name) => with_module(&format!("tcp_{name}"), sysctl(name)),
        Change::Route { route, attribute: Attribute::Mtu, value } => of_route(route, value),
        Change::MssClamp(mtu) => clamp(*mtu),
        Change::OffloadsOff { device, features } => offloads(device, features, before),
        Change::Mtu { device, bytes } => mtu(device, *bytes, before),
        Change::ForgetMetrics => {
            Steps { now: vec!["sysctl net.inet.tcp.hostcache.purgenow=1".into()], ..Steps::default() }
        }
        Change::Qdisc { .. }
        | Change::Route { .. }
        | Change::Parameter { .. }
        | Change::TcpMemory
        | Change::Socket(_)
        | Change::Streams(_)
        | Change::BottleneckBuffer(_)
        | Change::Words { .. } => Steps::default(),
    }
}

fn saved(name: &str) -> String {
    format!("/var/db/goodput-{name}")
}

fn save(command: &str, file: &str) -> String {
    format!("test -s {file} || {command} > {file}")
}

fn set(key: &str, value: &str, before: Option<&Before>) -> Steps {
    changed(key, value, format!("sysctl {key}={value}"), before)
}

/// Raises a sysctl to at least a number.
fn raise(key: &str, least: u64, before: Option<&Before>) -> Steps {
    let known = before.and_then(|before| before.value_of(key)?.parse::<u64>().ok());
    let value = least.max(known.unwrap_or(0)).to_string();
    let change = match known {
        Some(_) => format!("sysctl {key}={value}"),
        None => format!("test $(sysctl -n {key}) -ge {value} || sysctl {key}={value}"),
    };
    changed(key, &value, change, before)
}

/// Changes a sysctl. If the old value equals the new one, it is saved like an unknown one: nobody knows the value
/// before.
fn changed(key: &str, value: &str, change: String, before: Option<&Before>) -> Steps {
    let before = before.and_then(|before| before.value_of(key)).filter(|before| *before != value);
    let file = saved(key);
    let (now, undo) = match before {
        Some(before) => (vec![change], format!("sysctl {key}={before}")),
        None => (vec![save(&format!("sysctl -e {key}"), &file), change], format!("sysctl -f {file} && rm {file}")),
    };
    Steps { now, keep: vec![(File::SysctlConf, format!("{key}={value}"))], undo: vec![undo] }
}

fn with_module(module: &str, mut steps: Steps) -> Steps {
    steps.now.insert(0, format!("kldload -n {module}"));
    steps.keep.insert(0, (File::Loader, format!("{module}_load=\"YES\"")));
    steps
}

/// Sets the MTU of a route. The MTU of the prefix's own route is saved; without such a route the saved file is empty.
fn of_route(route: &Route, mtu: &str) -> Steps {
    let Route { prefix, .. } = route;
    let (family, table) = if route.ipv6 { ("-6 ", " -f inet6") } else { ("", " -f inet") };
    let to = if prefix == "default" { prefix.clone() } else { format!("-net {prefix}") };
    let way = match (&route.via, &route.interface) {
        (Some(via), _) => via.clone(),
        (None, Some(interface)) => format!("-interface {interface}"),
        (None, None) => "GATEWAY".into(),
    };
    let file = saved(&format!("route-{}", prefix.replace(['/', ':'], "-")));
    let read = format!("netstat -rnW{table} | awk '$1 == \"{prefix}\" {{ print $5 }}' > {file}");
    let now = vec![
        format!("test -e {file} || {read}"),
        format!("route {family}change {to} -mtu {mtu} 2> /dev/null || route {family}add {to} {way} -mtu {mtu}"),
    ];
    let undo = format!(
        "if test -s {file}; then route {family}change {to} -mtu $(cat {file}); else route {family}delete {to}; fi && rm {file}"
    );
    let (ipv6, arguments) = (if route.ipv6 { "ipv6_" } else { "" }, format!("{to} {way} -mtu {mtu}"));
    let list = format!("{ipv6}static_routes");
    let keep = match prefix == "default" {
        true => vec![],
        false => vec![
            (File::Rc, format!("{list}=\"${{{list}:-}} goodput\"")),
            (File::Rc, format!("{ipv6}route_goodput=\"{arguments}\"")),
        ],
    };
    Steps { now, keep, undo: vec![undo] }
}

fn clamp(mtu: u32) -> Steps {
    let [four, six] = [false, true].map(|ipv6| tunnel::mss(mtu, ipv6));
    let file = saved("pf");
    Steps {
        now: vec![
            "kldload -n pf".into(),
            save("pfctl -s info", &file),
            "pfctl -f /etc/pf.conf".into(),
            "pfctl -s info | grep -q Enabled || pfctl -e".into(),
        ],
        keep: vec![
            (File::Pf, format!("scrub inet all max-mss {four}")),
            (File::Pf, format!("scrub inet6 all max-mss {six}")),
            (File::Rc, "pf_enable=\"YES\"".into()),
        ],
        undo: vec![format!(
            "if grep -q Enabled {file}; then pfctl -f /etc/pf.conf; else pfctl -d; pfctl -F all; fi; rm {file}"
        )],
    }
}

fn offloads(device: &str, features: &[Feature], before: Option<&Before>) -> Steps {
    let options = || features.iter().flat_map(|feature| feature.names().2);
    let off: Vec<String> = options().map(|(option, _)| format!("-{option}")).collect();
    let off = off.join(" ");
    let file = saved(&format!("ifconfig-{device}"));
    let change = format!("ifconfig {device} {off}");
    let (now, undo) = match before {
        Some(Before::OffloadsOn(were)) => {
            let on: Vec<&str> = were.iter().flat_map(|feature| feature.names().2).map(|(option, _)| *option).collect();
            let on = (!on.is_empty()).then(|| format!("ifconfig {device} {}", on.join(" ")));
            (vec![change], on.into_iter().collect())
        }
        _ => {
            let restore = options()
                .map(|(option, flag)| format!("grep -q '[<,]{flag}[,>]' {file} && ifconfig {device} {option}"));
            let undo = restore.chain([format!("rm {file}")]).collect();
            (vec![save(&format!("ifconfig {device}"), &file), change], undo)
        }
    };
    let variable = format!("ifconfig_{}", device.replace(['.', '-', '/', '+'], "_"));
    Steps { now, keep: vec![(File::Rc, format!("{variable}=\"${{{variable}:-}} {off}\""))], undo }
}

fn mtu(device: &str, bytes: Option<u32>, before: Option<&Before>) -> Steps {
    let size = bytes.map_or("SIZE".into(), |bytes| bytes.to_string());
    let file = saved(&format!("mtu-{device}"));
    let change = format!("ifconfig {device} mtu {size}");
    let (now, undo) = match before {
        Some(Before::Mtu(was)) if bytes != Some(*was) => (vec![change], format!("ifconfig {device} mtu {was}")),
        _ => (
            vec![save(&format!("ifconfig {device} | grep -o 'mtu [0-9]*'"), &file), change],
            format!("ifconfig {device} $(cat {file}) && rm {file}"),
        ),
    };
    let variable = format!("ifconfig_{}", device.replace(['.', '-', '/', '+'], "_"));
    Steps { now, keep: vec![(File::Rc, format!("{variable}=\"${{{variable}:-}} mtu {size}\""))], undo: vec![undo] }
}
