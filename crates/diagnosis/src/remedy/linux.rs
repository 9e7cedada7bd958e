//! Renders remedies as commands of Linux: sysctl(8), tc(8), ip(8), nft(8), ethtool(8).

use super::{Attribute, Before, Change, Discipline, Feature, File, Remedy, Route, Steps, catalogue};
use base::model::{buffer, tunnel};
use evidence::platform::Platform;
use evidence::{System, plain};

/// Handle of goodput's own root qdisc; `undo` deletes no other.
const HANDLE: &str = "600d:";

pub fn steps(remedy: &Remedy, platform: &Platform) -> Steps {
    let before = remedy.before.as_ref();
    let sysctl = |value: &str| remedy.key().map(|key| set(key, value, before)).unwrap_or_default();
    match &remedy.change {
        Change::Sysctl { value, .. } => sysctl(value),
        Change::Raise { least, .. } => sysctl(&least.to_string()),
        Change::Congestion(name) => sysctl(name),
        Change::Autotuning { .. } => autotuning(remedy, platform).unwrap_or_default(),
        Change::Qdisc { device, discipline } => qdisc(device, *discipline),
        Change::Route { route, attribute, value } => of_route(route, *attribute, value),
        Change::MssClamp(mtu) => clamp(*mtu),
        Change::OffloadsOff { device, features } => offloads(device, features, before),
        Change::Mtu { device, bytes } => mtu(device, *bytes, before),
        Change::Parameter { module, name, value } => parameter(module, name, value, before),
        Change::ForgetMetrics => Steps { now: vec!["ip tcp_metrics flush".into()], ..Steps::default() },
        Change::TcpMemory => memory(before),
        Change::Stack(_)
        | Change::Socket(_)
        | Change::Streams(_)
        | Change::BottleneckBuffer(_)
        | Change::Words { .. } => Steps::default(),
    }
}

/// Returns the file with the saved value of a setting whose previous value was unknown.
fn saved(name: &str) -> String {
    format!("/var/lib/goodput-{name}")
}

/// Saves the output of a command, unless it is saved already.
fn save(command: &str, file: &str) -> String {
    format!("test -s {file} || {command} > {file}")
}

fn assign(key: &str, value: &str) -> String {
    format!("sysctl -w {key}={}", plain::value(value))
}

/// Sets a sysctl. Setting a congestion control loads its module (net/ipv4/tcp_cong.c, tcp_ca_find_autoload). If the
/// old value equals the new one, it is saved like an unknown one: nobody knows the value before.
fn set(key: &str, value: &str, before: Option<&Before>) -> Steps {
    let before = before.and_then(|before| before.value_of(key)).filter(|before| *before != value);
    let file = saved(key);
    Steps {
        now: match before {
            Some(_) => vec![assign(key, value)],
            None => vec![save(&format!("sysctl {key}"), &file), assign(key, value)],
        },
        keep: vec![(File::SysctlD, format!("{key} = {value}"))],
        undo: undone(key, before),
    }
}

fn undone(key: &str, before: Option<&str>) -> Vec<String> {
    let file = saved(key);
    vec![before.map_or_else(|| format!("sysctl -p {file} && rm {file}"), |before| assign(key, before))]
}

/// Raises the third value of tcp_rmem or tcp_wmem and keeps the other two.
fn autotuning(remedy: &Remedy, platform: &Platform) -> Option<Steps> {
    let Change::Autotuning { side, window, floor } = remedy.change else { return None };
    let key = remedy.key()?;
    let needed = catalogue::space(side, window, platform).max(floor);
    let before = remedy.before.as_ref();
    let numbers = |value: &str| value.split_whitespace().map(|n| n.parse().ok()).collect();
    let three: Option<Vec<u64>> = before.and_then(|before| before.value_of(key)).and_then(numbers);
    if let Some([least, first, most]) = three.as_deref() {
        return Some(set(key, &format!("{least} {first} {}", needed.max(*most).max(*first)), before));
    }
    let first = catalogue::first(side, platform);
    let newest = buffer::LIMITS.iter().filter(|limits| limits.system == System::Linux);
    let default = newest.map(|limits| catalogue::largest(side, limits)).max().unwrap_or(0);
    let raise = format!("sysctl {key} | awk '$5 < {needed} {{ $5 = {needed} }} 1' | sysctl -p /dev/stdin");
    Some(Steps {
        now: vec![save(&format!("sysctl {key}"), &saved(key)), raise],
        keep: vec![(File::SysctlD, format!("{key} = 4096 {first} {}", needed.max(default)))],
        undo: undone(key, None),
    })
}

/// Adds a root qdisc and never replaces one: a qdisc that somebody chose refuses the command, and the kernel's own
/// does not.
fn qdisc(device: &str, discipline: Discipline) -> Steps {
    let rate = |rate: Option<u64>| rate.map_or("RATE".into(), |rate| format!("{}kbit", rate / 1000));
    let kept = |rate: Option<u64>| rate.map_or("RATE".into(), |rate| format!("{}K", rate / 1000));
    let (words, section) = match discipline {
        Discipline::Fq => ("fq".to_owned(), "[FairQueueing]\nParent=root".to_owned()),
        Discipline::Cake(at) => {
            (format!("cake bandwidth {}", rate(at)), format!("[CAKE]\nParent=root\nBandwidth={}", kept(at)))
        }
        Discipline::Tbf(at) => (
            format!("tbf rate {} burst 16kb latency 50ms", rate(at)),
            format!("[TokenBucketFilter]\nParent=root\nRate={}\nBurstBytes=16K\nLatencySec=50ms", kept(at)),
        ),
    };
    Steps {
        now: vec![format!("tc qdisc add dev {device} root handle {HANDLE} {words}")],
        keep: vec![(File::Network(device.into()), section)],
        undo: vec![format!("tc qdisc del dev {device} root handle {HANDLE}")],
    }
}

/// Saves the route's own line, changes it, and restores it on undo. A prefix without its own route gets a copy of the route that
/// covers it.
fn of_route(route: &Route, attribute: Attribute, value: &str) -> Steps {
    let Route { prefix, address, .. } = route;
    let ip = if route.ipv6 { "ip -6" } else { "ip -4" };
    let word = attribute.word();
    let file = saved(&format!("route-{}", prefix.replace(['/', ':'], "-")));
    // Removes words that ip(8) prints and does not accept, and the attribute itself.
    let plain = format!("sed 's/ linkdown//; s/ expires [^ ]*//; s/ {word} [^ ]*//; s/ lock / /; q'");
    let device = route.interface.as_ref().map(|name| format!(" dev {name}")).unwrap_or_default();
    let there = match &route.via {
        Some(via) => format!("{prefix} via {via}{device}"),
        None if prefix == "default" => format!("$({plain} {file})"),
        None => {
            let covers = format!("{ip} route get fibmatch {address} | sed 's/^[^ ]*//; s/ proto [^ ]*//' | {plain}");
            format!("$(grep . {file} | {plain} | grep . || echo {prefix} $({covers}))")
        }
    };
    let undo = format!(
        "if test -s {file}; then {ip} route replace $({}); else {ip} route del {prefix}; fi && rm {file}",
        format_args!("sed 's/ linkdown//; s/ expires [^ ]*//; s/ lock / /; q' {file}")
    );
    Steps {
        now: vec![
            format!("test -e {file} || {ip} route show exact {prefix} > {file}"),
            format!("{ip} route replace {there} {word} {value}"),
        ],
        keep: kept_route(route, attribute, value).into_iter().collect(),
        undo: vec![undo],
    }
}

/// Returns its section of a systemd.network(5) file; none without next hop and interface.
fn kept_route(route: &Route, attribute: Attribute, value: &str) -> Option<(File, String)> {
    let interface = route.interface.clone()?;
    let key = match attribute {
        Attribute::Mtu => "MTUBytes",
        Attribute::Advmss => "TCPAdvertisedMaximumSegmentSize",
        Attribute::InitialWindow => "InitialCongestionWindow",
        Attribute::Congestion => "TCPCongestionControlAlgorithm",
        Attribute::RtoMin => "TCPRetransmissionTimeoutSec",
    };
    let default = route.prefix == "default";
    let text = match &route.via {
        Some(via) if default => format!("[Route]\nGateway={via}\n{key}={value}"),
        Some(via) => format!("[Route]\nDestination={}\nGateway={via}\n{key}={value}", route.prefix),
        None if default && !route.ipv6 && attribute == Attribute::Mtu => format!("[DHCPv4]\nRouteMTUBytes={value}"),
        None => return None,
    };
    Some((File::Network(interface), text))
}

/// Clamps the MSS: the kernel lowers an MSS and never raises one (net/netfilter/nft_exthdr.c).
fn clamp(mtu: u32) -> Steps {
    let [four, six] = [false, true].map(|ipv6| tunnel::mss(mtu, ipv6));
    let rule = |family: &str, mss: u32| format!("meta nfproto {family} tcp flags syn tcp option maxseg size set {mss}");
    let rules = [rule("ipv4", four), rule("ipv6", six)];
    let hook = "type filter hook forward priority mangle;";
    let table = "table inet goodput";
    let now = [
        format!("nft add {table}"),
        format!("nft flush {table}"),
        format!("nft add chain inet goodput forward '{{ {hook} }}'"),
    ];
    let text = format!(
        "{table}\ndelete {table}\n{table} {{\n  chain forward {{\n    {hook}\n    {}\n    {}\n  }}\n}}",
        rules[0], rules[1]
    );
    Steps {
        now: now.into_iter().chain(rules.map(|rule| format!("nft add rule inet goodput forward {rule}"))).collect(),
        keep: vec![(File::Nftables, text)],
        undo: vec![format!("nft delete {table}")],
    }
}

fn offloads(device: &str, features: &[Feature], before: Option<&Before>) -> Steps {
    let known = || features.iter().filter_map(|feature| Some((feature.names().0, feature.ethtool()?)));
    let off: Vec<String> = known().map(|(short, _)| format!("{short} off")).collect();
    let off = format!("ethtool -K {device} {}", off.join(" "));
    let file = saved(&format!("offloads-{device}"));
    let read: Vec<String> = known().map(|(short, long)| format!("/^{long}:/ {{ print \"{short}\", $2 }}")).collect();
    let (now, undo) = match before {
        Some(Before::OffloadsOn(were)) => {
            let on: Vec<String> = were.iter().map(|feature| format!(" {} on", feature.word())).collect();
            let on = (!on.is_empty()).then(|| format!("ethtool -K {device}{}", on.concat()));
            (vec![off], on.into_iter().collect())
        }
        _ => (
            vec![save(&format!("ethtool -k {device}"), &file), off],
            vec![format!("ethtool -K {device} $(awk '{}' {file}) && rm {file}", read.join(" "))],
        ),
    };
    let keys: Vec<&str> = features.iter().flat_map(|feature| kept_offload(*feature)).copied().collect();
    let text = format!(
        "[Match]\n{}\n\n[Link]\nNamePolicy=keep kernel database onboard slot path\n\
         AlternativeNamesPolicy=database onboard slot path\nMACAddressPolicy=persistent\n{}",
        link_match(device),
        keys.join("\n")
    );
    Steps { now, keep: vec![(File::Link(device.into()), text)], undo }
}

/// Returns its lines of a systemd.link(5) file.
fn kept_offload(feature: Feature) -> &'static [&'static str] {
    match feature {
        Feature::TxChecksum => &["TransmitChecksumOffload=no"],
        Feature::Tso => &["TCPSegmentationOffload=no", "TCP6SegmentationOffload=no"],
        Feature::Gso => &["GenericSegmentationOffload=no"],
        Feature::Lro => &["LargeReceiveOffload=no"],
        Feature::VlanTso => &[],
    }
}

/// Udev property that contains a predictable name, by the letter after the kind (systemd.net-naming-scheme(7)).
const NAMED_BY: &[(char, &str)] =
    &[('p', "ID_NET_NAME_PATH"), ('s', "ID_NET_NAME_SLOT"), ('o', "ID_NET_NAME_ONBOARD"), ('x', "ID_NET_NAME_MAC")];

/// Returns the match for an interface in a .link file, which is read before the interface has its predictable name.
fn link_match(interface: &str) -> String {
    let letter = interface.strip_prefix("en").and_then(|rest| rest.chars().next());
    let property = NAMED_BY.iter().find(|(by, _)| Some(*by) == letter);
    property.map_or_else(|| format!("OriginalName={interface}"), |(_, name)| format!("Property={name}={interface}"))
}

fn mtu(device: &str, bytes: Option<u32>, before: Option<&Before>) -> Steps {
    let size = bytes.map_or("SIZE".into(), |bytes| bytes.to_string());
    let file = saved(&format!("mtu-{device}"));
    let change = format!("ip link set dev {device} mtu {size}");
    let (now, undo) = match before {
        Some(Before::Mtu(was)) if bytes != Some(*was) => (vec![change], format!("ip link set dev {device} mtu {was}")),
        _ => (
            vec![save(&format!("ip -o link show dev {device} | grep -o 'mtu [0-9]*'"), &file), change],
            format!("ip link set dev {device} $(cat {file}) && rm {file}"),
        ),
    };
    Steps { now, keep: vec![(File::Network(device.into()), format!("[Link]\nMTUBytes={size}"))], undo: vec![undo] }
}

fn parameter(module: &str, name: &str, value: &str, before: Option<&Before>) -> Steps {
    let path = format!("/sys/module/{module}/parameters/{name}");
    let file = saved(&format!("{module}.{name}"));
    let change = format!("echo {value} > {path}");
    let was = before.and_then(|before| before.value_of(&format!("{module}.{name}"))).filter(|was| *was != value);
    let (now, undo) = match was {
        Some(was) => (vec![change], format!("echo {was} > {path}")),
        None => (vec![save(&format!("cat {path}"), &file), change], format!("cat {file} > {path} && rm {file}")),
    };
    Steps { now, keep: vec![(File::Tmpfiles, format!("w {path} - - - - {value}"))], undo: vec![undo] }
}

/// Sets tcp_mem to three quarters, once and one and a half times a sixteenth of the memory, in pages of 4 KiB, as the
/// kernel does at every boot (net/ipv4/tcp.c, tcp_init_mem).
fn memory(before: Option<&Before>) -> Steps {
    let key = "net.ipv4.tcp_mem";
    let before = before.and_then(|before| before.value_of(key));
    let change = format!(
        "awk '/^MemTotal/ {{ n = int($2/256); print \"{key} =\", 3*n, 4*n, 6*n }}' /proc/meminfo | sysctl -p /dev/stdin"
    );
    let now = match before {
        Some(_) => vec![change],
        None => vec![save(&format!("sysctl {key}"), &saved(key)), change],
    };
    Steps { now, keep: vec![], undo: undone(key, before) }
}
