//! What to do on a system: commands for now, lines for the next start, and how to take both back.
//!
//! Sizes are bytes. Values that `undo` restores are the version's defaults: a machine may have had others, which is why
//! advice begins by saving them.

use crate::model::buffer;
use crate::model::tunnel;
use evidence::System;
use evidence::platform::Platform;
use serde::{Serialize, Serializer};

/// A change, and how to take it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remedy {
    /// What it changes: "receive buffer".
    pub what: &'static str,
    /// The host that it is for.
    pub at: At,
    /// The system of that host.
    pub system: System,
    /// Commands that make it so until the next start, in their order.
    pub now: Vec<String>,
    /// Lines of files that keep it so.
    pub keep: Vec<(File, String)>,
    /// Commands that take it back.
    pub undo: Vec<String>,
    /// Settings of sysctl that it changes, so that they can be saved before.
    pub keys: Vec<&'static str>,
    /// What has to be known of it.
    pub note: String,
}

/// Which host a remedy is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum At {
    /// The host that sends the data.
    Sender,
    /// The host that receives them.
    Receiver,
    /// Both ends.
    Ends,
    /// A host that forwards packets of others.
    Forwarder,
    /// The program, not the system.
    Program,
}

impl At {
    /// As a sentence names it.
    pub fn name(self) -> &'static str {
        match self {
            At::Sender => "at the sender",
            At::Receiver => "at the receiver",
            At::Ends => "at both ends",
            At::Forwarder => "at the host that forwards",
            At::Program => "in the program",
        }
    }
}

/// A file that settings are kept in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum File {
    /// Linux' sysctl.d(5).
    SysctlD,
    /// FreeBSD's sysctl.conf(5).
    SysctlConf,
    /// Linux' modules-load.d(5).
    Modules,
    /// FreeBSD's loader.conf(5).
    Loader,
    /// FreeBSD's rc.conf(5).
    Rc,
    /// systemd.link(5) of an interface.
    Link(String),
    /// A drop-in for the systemd.network(5) of an interface.
    Network(String),
    /// A table of nftables.
    Nftables,
    /// FreeBSD's pf.conf(5).
    Pf,
}

impl Serialize for File {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.path())
    }
}

impl File {
    /// Its name among the files that advice writes: a path of its own.
    pub fn name(&self) -> String {
        match self {
            File::SysctlD => "sysctl.d/90-goodput.conf".into(),
            File::SysctlConf => "sysctl.conf".into(),
            File::Modules => "modules-load.d/goodput.conf".into(),
            File::Loader => "loader.conf".into(),
            File::Rc => "rc.conf".into(),
            File::Link(interface) => format!("systemd/network/10-goodput-{interface}.link"),
            File::Network(interface) => format!("systemd/network/{interface}.network.d/goodput.conf"),
            File::Nftables => "nftables.d/goodput.nft".into(),
            File::Pf => "pf.conf".into(),
        }
    }

    /// Where it belongs.
    pub fn path(&self) -> String {
        let folder = if *self == File::Loader { "/boot" } else { "/etc" };
        format!("{folder}/{}", self.name())
    }

    /// Whether its lines are added to a file that is there, rather than being a file of their own.
    pub fn is_addition(&self) -> bool {
        matches!(self, File::SysctlConf | File::Loader | File::Rc | File::Pf)
    }

    /// What has to be known of it.
    pub fn hint(&self) -> Option<String> {
        match self {
            File::Link(_) => Some("systemd reads the first .link file that matches an interface, and no other".into()),
            File::Network(interface) => Some(format!(
                "name the folder after the file that `networkctl status {interface}` calls Network File, and add .d"
            )),
            File::Nftables => Some("/etc/nftables.conf has to say: include \"/etc/nftables.d/goodput.nft\"".into()),
            File::Pf => Some("before all other rules; the first scrub rule that matches is the only one".into()),
            _ => None,
        }
    }
}

/// A setting of sysctl: its key, its value, and its default.
struct Setting {
    key: &'static str,
    value: String,
    default: String,
}

fn set(key: &'static str, value: impl ToString, default: impl ToString) -> Setting {
    Setting { key, value: value.to_string(), default: default.to_string() }
}

fn assign(system: System, key: &str, value: &str) -> String {
    match system {
        System::Linux if value.contains(' ') => format!("sysctl -w {key}=\"{value}\""),
        System::Linux => format!("sysctl -w {key}={value}"),
        System::FreeBsd => format!("sysctl {key}={value}"),
    }
}

fn kept(system: System, setting: &Setting) -> (File, String) {
    let Setting { key, value, .. } = setting;
    match system {
        System::Linux => (File::SysctlD, format!("{key} = {value}")),
        System::FreeBsd => (File::SysctlConf, format!("{key}={value}")),
    }
}

impl Remedy {
    fn new(what: &'static str, at: At, system: System, note: impl Into<String>) -> Remedy {
        Remedy { what, at, system, now: vec![], keep: vec![], undo: vec![], keys: vec![], note: note.into() }
    }

    fn with(mut self, settings: &[Setting]) -> Remedy {
        for setting in settings {
            self.now.push(assign(self.system, setting.key, &setting.value));
            self.keep.push(kept(self.system, setting));
            self.undo.push(assign(self.system, setting.key, &setting.default));
            self.keys.push(setting.key);
        }
        self
    }
}

/// Whole MiB, as a sysctl can take them.
fn whole(bytes: u64) -> u64 {
    bytes.checked_next_multiple_of(1 << 20).unwrap_or(u64::MAX).min(buffer::LARGEST_BUFFER)
}

/// What a receive buffer has to be for a window: the third value of tcp_rmem, or recvbuf_max.
pub fn receive_space(window: u64, platform: &Platform) -> u64 {
    whole(buffer::space(window, buffer::Limits::of(platform).scaling))
}

/// What a send buffer has to be for so much data in flight: the third value of tcp_wmem, or sendbuf_max.
pub fn send_space(in_flight: u64, platform: &Platform) -> u64 {
    match platform.system {
        System::Linux => whole(in_flight.saturating_mul(buffer::SEND_OVERHEAD)),
        System::FreeBsd => whole(in_flight),
    }
}

/// Twice what is needed at least: a socket buffer counts mbufs as well, 2304 B for 1448 B received.
fn maxsockbuf(buffer: u64, platform: &Platform) -> Setting {
    let asked = buffer::Limits::of(platform).asked;
    let value = whole(buffer::maxsockbuf_for(buffer).max(buffer.saturating_mul(2))).max(asked);
    set("kern.ipc.maxsockbuf", value, asked)
}

/// Lets autotuning come to a receive window.
pub fn receive_buffer(window: u64, platform: &Platform) -> Remedy {
    let limits = buffer::Limits::of(platform);
    let [first, default, most] = [limits.receive_first, limits.receive, receive_space(window, platform)];
    match platform.system {
        System::Linux => Remedy::new("receive buffer", At::Receiver, System::Linux, three("tcp_rmem", "rmem_max"))
            .with(&[thirds("net.ipv4.tcp_rmem", first, most, default)]),
        System::FreeBsd => Remedy::new("receive buffer", At::Receiver, System::FreeBsd, grows("recvbuf_max"))
            .with(&[maxsockbuf(most, platform), set("net.inet.tcp.recvbuf_max", most, default)]),
    }
}

/// Lets autotuning come to a send buffer for so much data in flight.
pub fn send_buffer(in_flight: u64, platform: &Platform) -> Remedy {
    let limits = buffer::Limits::of(platform);
    let [first, default, most] = [limits.send_first, limits.send, send_space(in_flight, platform)];
    match platform.system {
        System::Linux => Remedy::new("send buffer", At::Sender, System::Linux, three("tcp_wmem", "wmem_max"))
            .with(&[thirds("net.ipv4.tcp_wmem", first, most, default)]),
        System::FreeBsd => Remedy::new("send buffer", At::Sender, System::FreeBsd, grows("sendbuf_max"))
            .with(&[maxsockbuf(most, platform), set("net.inet.tcp.sendbuf_max", most, default)]),
    }
}

fn thirds(key: &'static str, first: u64, most: u64, default: u64) -> Setting {
    let three = |most: u64| format!("4096 {first} {most}");
    set(key, three(most), three(default))
}

fn three(caps: &str, does_not: &str) -> String {
    format!("{caps}'s third value caps autotuning; {does_not} does not, and stays as it is")
}

fn grows(to: &str) -> String {
    format!("a buffer grows to {to}, and to 8/9 of maxsockbuf at the most")
}

/// Congestion controls that need no module: Linux' and FreeBSD's kernels as they are delivered.
fn is_built_in(name: &str, platform: &Platform) -> bool {
    name == platform.default_control() || ["reno", "newreno"].contains(&name)
}

/// A congestion control for new connections, by the system's name for it.
pub fn congestion(name: &'static str, platform: &Platform) -> Remedy {
    let system = platform.system;
    let key = match system {
        System::Linux => "net.ipv4.tcp_congestion_control",
        System::FreeBsd => "net.inet.tcp.cc.algorithm",
    };
    let mut remedy = Remedy::new("congestion control", At::Sender, system, "of connections that begin after it");
    if !is_built_in(name, platform) {
        let (load, keep) = match system {
            System::Linux => (format!("modprobe tcp_{name}"), (File::Modules, format!("tcp_{name}"))),
            System::FreeBsd => (format!("kldload cc_{name}"), (File::Loader, format!("cc_{name}_load=\"YES\""))),
        };
        remedy.now.push(load);
        remedy.keep.push(keep);
    }
    remedy.with(&[set(key, name, platform.default_control())])
}

/// A TCP stack of FreeBSD's for new connections: `rack`, `bbr`.
pub fn stack(name: &'static str, platform: &Platform) -> Remedy {
    let note = if platform.is_since("15.0") {
        "of connections that begin after it; it needs the module tcphpts, which it loads"
    } else {
        "of connections that begin after it; before 15.0 it needs a kernel with `options TCPHPTS`, which GENERIC has not: \
         `kldload` fails without"
    };
    let mut remedy = Remedy::new("TCP stack", At::Sender, System::FreeBsd, note);
    remedy.now.push(format!("kldload tcp_{name}"));
    remedy.keep.push((File::Loader, format!("tcp_{name}_load=\"YES\"")));
    remedy.with(&[set("net.inet.tcp.functions_default", name, "freebsd")])
}

/// Paces each flow in the queueing discipline. Linux.
pub fn fq(interface: Option<&str>, platform: &Platform) -> Remedy {
    let why = if platform.is_since("4.20") {
        "BBR paces by itself, fq does it with fewer timers"
    } else {
        "BBR needs it before 4.20"
    };
    let note = format!("{why}; a card with several queues wants mq for root, whose leaves follow default_qdisc");
    let mut remedy = Remedy::new("queueing discipline", At::Sender, System::Linux, note).with(&[set(
        "net.core.default_qdisc",
        "fq",
        "fq_codel",
    )]);
    if let Some(interface) = interface {
        remedy.now.push(format!("tc qdisc replace dev {interface} root fq"));
        remedy.undo.push(format!("tc qdisc del dev {interface} root"));
    }
    remedy
}

/// Where a smaller MTU holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Route {
    /// `10.4.0.0/16`, or `default`.
    pub prefix: String,
    /// The prefix's first address.
    pub address: String,
    /// Whether it is IPv6.
    pub ipv6: bool,
    /// The next hop, if it is told.
    pub via: Option<String>,
    /// The interface, if it is told.
    pub interface: Option<String>,
}

/// The MTU of a route: TCP of this host takes its MSS from it.
pub fn route_mtu(route: &Route, mtu: u32, system: System) -> Remedy {
    let note = "for connections that begin or end at this host; what it forwards needs its MSS clamped";
    let mut remedy = Remedy::new("MTU of a route", At::Ends, system, note);
    let Route { prefix, address, .. } = route;
    let default = prefix == "default";
    match system {
        System::Linux => {
            let ip = if route.ipv6 { "ip -6" } else { "ip -4" };
            if default {
                // With its metric: a route without would stand beside it.
                let there = format!("{ip} route show default | head -n 1 | sed 's/ linkdown//; s/ mtu [0-9]*//'");
                remedy.now.push(format!("{ip} route change $({there}) mtu {mtu}"));
                remedy.undo.push(format!("{ip} route change $({there})"));
            } else {
                let device = route.interface.as_ref().map(|name| format!(" dev {name}")).unwrap_or_default();
                let way = match (&route.via, &route.interface) {
                    (Some(via), _) => format!("via {via}{device}"),
                    (None, interface) => {
                        let from = interface.as_ref().map(|name| format!(" oif {name}")).unwrap_or_default();
                        format!("$({ip} route get {address}{from} | grep -oE '(via [^ ]+ )?dev [^ ]+')")
                    }
                };
                remedy.now.push(format!("{ip} route replace {prefix} {way} mtu {mtu}"));
                remedy.undo.push(format!("{ip} route del {prefix}"));
            }
            let kept = match (&route.via, default, route.ipv6) {
                (Some(via), true, _) => Some(format!("[Route]\nGateway={via}\nMTUBytes={mtu}")),
                (Some(via), false, _) => Some(format!("[Route]\nDestination={prefix}\nGateway={via}\nMTUBytes={mtu}")),
                (None, true, false) => Some(format!("[DHCPv4]\nRouteMTUBytes={mtu}")),
                (None, ..) => None,
            };
            match (kept, &route.interface) {
                (Some(text), Some(interface)) => remedy.keep.push((File::Network(interface.clone()), text)),
                _ => remedy.note += "; to keep it, the next hop and the interface have to be told",
            }
        }
        System::FreeBsd => {
            let family = if route.ipv6 { "-inet6 " } else { "" };
            let way = match (&route.via, &route.interface) {
                (Some(via), _) => via.clone(),
                (None, Some(interface)) => {
                    remedy.note +=
                        "; -interface is for where an IPsec policy takes the packets, else tell the next hop";
                    format!("-interface {interface}")
                }
                (None, None) => String::new(),
            };
            if default || way.is_empty() {
                let to = if default { "default".to_owned() } else { format!("-net {prefix}") };
                remedy.now.push(format!("route change {family}{to} -mtu {mtu}"));
                remedy.undo.push("service routing restart".into());
                return remedy;
            }
            let ipv6 = if route.ipv6 { "ipv6_" } else { "" };
            let (list, arguments) = (format!("{ipv6}static_routes"), format!("-net {prefix} {way} -mtu {mtu}"));
            remedy.now.push(format!("route add {family}{arguments}"));
            remedy.undo.push(format!("route delete {family}-net {prefix}"));
            remedy.keep.push((File::Rc, format!("{list}=\"${{{list}:-}} goodput\"")));
            remedy.keep.push((File::Rc, format!("{ipv6}route_goodput=\"{arguments}\"")));
        }
    }
    remedy
}

/// Lowers the MSS that connections through this host announce, to what fits the MTU of the path behind it.
pub fn mss_clamp(mtu: u32, system: System) -> Remedy {
    let [four, six] = [false, true].map(|ipv6| tunnel::mss(mtu, ipv6));
    let remedy = |note| Remedy::new("MSS of forwarded connections", At::Forwarder, system, note);
    match system {
        System::Linux => {
            let mut remedy = remedy("of TCP alone, once the file is there; no MSS is raised");
            // The kernel refuses to raise one: net/netfilter/nft_exthdr.c.
            let rule = |family: &str, mss: u32| {
                format!("    meta nfproto {family} tcp flags syn tcp option maxseg size set {mss}")
            };
            let text = format!(
                "table inet goodput\ndelete table inet goodput\ntable inet goodput {{\n  chain forward {{\n    type filter hook forward priority mangle;\n{}\n{}\n  }}\n}}",
                rule("ipv4", four),
                rule("ipv6", six)
            );
            remedy.now.push(format!("nft -f {}", File::Nftables.path()));
            remedy.undo.push("nft delete table inet goodput".into());
            remedy.keep.push((File::Nftables, text));
            remedy
        }
        System::FreeBsd => {
            let mut remedy =
                remedy("of TCP alone, once the lines are in /etc/pf.conf; scrub also reassembles fragments");
            remedy.keep.push((File::Pf, format!("scrub inet all max-mss {four}")));
            remedy.keep.push((File::Pf, format!("scrub inet6 all max-mss {six}")));
            remedy.keep.push((File::Rc, "pf_enable=\"YES\"".into()));
            remedy.now.push("service pf onestatus && service pf onereload || service pf onestart".into());
            remedy.undo.push("service pf onereload".into());
            remedy
        }
    }
}

/// Udev's property that holds a predictable name, by the letter after the kind (systemd.net-naming-scheme(7)).
const NAMED_BY: &[(char, &str)] =
    &[('p', "ID_NET_NAME_PATH"), ('s', "ID_NET_NAME_SLOT"), ('o', "ID_NET_NAME_ONBOARD"), ('x', "ID_NET_NAME_MAC")];

/// What matches an interface in a .link file, which is read before the interface has its predictable name.
fn link_match(interface: &str) -> String {
    let letter = interface.strip_prefix("en").and_then(|rest| rest.chars().next());
    let property = NAMED_BY.iter().find(|(by, _)| Some(*by) == letter);
    property.map_or_else(|| format!("OriginalName={interface}"), |(_, name)| format!("Property={name}={interface}"))
}

/// Switches off what makes packets larger than the MTU on a host that forwards: LRO, and on FreeBSD TSO as well.
pub fn lro_off(interface: &str, system: System) -> Remedy {
    let mut remedy = Remedy::new("offloads", At::Forwarder, system, "");
    match system {
        System::Linux => {
            remedy.note = "the kernel does it by itself for ip_forward and for bridge members, not for macvlan or XDP \
                           redirects in a driver; GRO stays, since it is undone on output"
                .into();
            remedy.now.push(format!("ethtool -K {interface} lro off"));
            remedy.undo.push(format!("ethtool -K {interface} lro on"));
            let text = format!(
                "[Match]\n{}\n\n[Link]\nNamePolicy=keep kernel database onboard slot path\n\
                 AlternativeNamesPolicy=database onboard slot path\nMACAddressPolicy=persistent\nLargeReceiveOffload=no",
                link_match(interface)
            );
            remedy.keep.push((File::Link(interface.into()), text));
        }
        System::FreeBsd => {
            let off = "-lro -tso4 -tso6 -vlanhwtso";
            remedy.note = "if_bridge(4) strips LRO from its direct members alone: below lagg(4) and vlan(4) name the \
                           card itself, each of them"
                .into();
            remedy.now.push(format!("ifconfig {interface} {off}"));
            remedy.undo.push(format!("ifconfig {interface} lro tso4 tso6 vlanhwtso"));
            let variable = format!("ifconfig_{}", interface.replace(['.', '-', '/', '+'], "_"));
            remedy.keep.push((File::Rc, format!("{variable}=\"${{{variable}:-}} {off}\"")));
        }
    }
    remedy
}

/// Lets TCP find the path's MTU where ICMP does not come through.
pub fn mtu_probing(system: System) -> Remedy {
    let remedy = |note| Remedy::new("path MTU without ICMP", At::Sender, system, note);
    match system {
        System::Linux => remedy("after timeouts TCP goes down to segments of 1024 B and probes upwards from there")
            .with(&[set("net.ipv4.tcp_mtu_probing", 1, 0)]),
        System::FreeBsd => remedy("after timeouts TCP goes down to segments of 1200 B, then to mssdflt").with(&[set(
            "net.inet.tcp.pmtud_blackhole_detection",
            1,
            0,
        )]),
    }
}

/// Keeps what one connection learned from the next one: for measurements.
pub fn no_metrics_save(system: System) -> Remedy {
    let note = "for measurements; on a server the cached values help short connections";
    let remedy = Remedy::new("cached metrics", At::Sender, system, note);
    let (mut remedy, flush) = match system {
        System::Linux => (remedy.with(&[set("net.ipv4.tcp_no_metrics_save", 1, 0)]), "ip tcp_metrics flush"),
        System::FreeBsd => {
            (remedy.with(&[set("net.inet.tcp.hostcache.enable", 0, 1)]), "sysctl net.inet.tcp.hostcache.purgenow=1")
        }
    };
    remedy.now.push(flush.into());
    remedy
}

/// Keeps the window of a connection that paused. Linux; FreeBSD has no such switch.
pub fn slow_start_after_idle_off() -> Remedy {
    let note = "the first burst after a pause is then a whole window: pace it with fq";
    Remedy::new("idle restart", At::Sender, System::Linux, note).with(&[set(
        "net.ipv4.tcp_slow_start_after_idle",
        0,
        1,
    )])
}

/// Memory of all TCP sockets together, in pages of 4 KiB: below, pressure, most. Linux.
pub fn tcp_mem(pages: [u64; 3]) -> Remedy {
    let note = "pages, not bytes; without the line the kernel takes 4.7, 6.3 and 9.4 % of the memory free at its start";
    let value = pages.map(|n| n.to_string()).join(" ");
    let mut remedy = Remedy::new("memory of TCP", At::Ends, System::Linux, note);
    remedy.now.push(assign(System::Linux, "net.ipv4.tcp_mem", &value));
    remedy.keep.push((File::SysctlD, format!("net.ipv4.tcp_mem = {value}")));
    remedy.undo.push("take the line out and start the machine anew: the default follows its memory".into());
    remedy.keys.push("net.ipv4.tcp_mem");
    remedy
}

/// Sends small writes at once, instead of waiting for the ACK of the last: the program's own option.
pub fn nodelay(system: System) -> Remedy {
    let note = "setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one), or write a request in one piece; no sysctl does it";
    Remedy::new("Nagle's algorithm", At::Program, system, note)
}
