//! Remedies by the limit that they lift, with sizes computed from the path. Sizes are bytes.

use super::{At, Attribute, Change, Discipline, Feature, Remedy, Route, Side, SocketOption};
use base::model::buffer::{self, Limits};
use evidence::System;
use evidence::platform::Platform;

/// Note for changes that only affect connections which begin later.
pub(crate) const NEW: &str = "Applies to new connections.";

/// Rounds up to whole MiB, within what a sysctl accepts.
fn whole(bytes: u64) -> u64 {
    bytes.checked_next_multiple_of(1 << 20).unwrap_or(u64::MAX).min(buffer::LARGEST_BUFFER)
}

/// Returns the buffer size for a window, or for so many bytes in flight: the third value of tcp_rmem or tcp_wmem,
/// recvbuf_max or sendbuf_max.
pub fn space(side: Side, window: u64, platform: &Platform) -> u64 {
    whole(match (side, platform.system) {
        (Side::Receive, _) => buffer::space(window, Limits::for_platform(platform).scaling),
        (Side::Send, System::Linux) => window.saturating_mul(buffer::SEND_OVERHEAD),
        (Side::Send, System::FreeBsd) => window,
    })
}

/// Returns the default initial size of a buffer.
pub fn first(side: Side, platform: &Platform) -> u64 {
    let limits = Limits::for_platform(platform);
    if side == Side::Receive { limits.receive_first } else { limits.send_first }
}

/// Returns the default maximum of autotuning for a buffer.
pub fn largest(side: Side, limits: &Limits) -> u64 {
    if side == Side::Receive { limits.receive } else { limits.send }
}

/// Lets autotuning reach a window, or so many bytes in flight.
pub fn buffer(side: Side, window: u64, platform: &Platform) -> Vec<Remedy> {
    let at = if side == Side::Receive { At::Receiver } else { At::Sender };
    let floor = largest(side, Limits::for_platform(platform));
    let autotuning = |why: &str| Remedy::new(Change::Autotuning { side, window, floor }, at, platform, why);
    match (platform.system, side) {
        (System::Linux, Side::Receive) => {
            vec![autotuning("Autotuning stops at the third value of tcp_rmem. rmem_max does not limit it.")]
        }
        (System::Linux, Side::Send) => {
            vec![autotuning("Autotuning stops at the third value of tcp_wmem. wmem_max does not limit it.")]
        }
        (System::FreeBsd, _) => {
            // A socket buffer counts mbufs as well: 2304 B for 1448 B received.
            let needed = space(side, window, platform);
            let least = whole(buffer::maxsockbuf_for(needed).max(needed.saturating_mul(2)));
            let change =
                Change::Raise { key: "kern.ipc.maxsockbuf", least: least.max(Limits::for_platform(platform).asked) };
            let cap = Remedy::new(change, at, platform, "A socket buffer takes at most 8/9 of it.");
            vec![cap, autotuning("Autotuning stops here.")]
        }
    }
}

/// Whether a congestion control needs no module in the kernels as delivered.
pub(crate) fn is_built_in(name: &str, platform: &Platform) -> bool {
    name == platform.default_control() || ["reno", "newreno"].contains(&name)
}

/// Sets the congestion control of new connections, by the system's name for it.
pub fn congestion(name: &'static str, platform: &Platform) -> Remedy {
    Remedy::new(Change::Congestion(name), At::Sender, platform, NEW)
}

/// Published results of FreeBSD's RACK stack against the default one.
pub const RACK: &str = "at 3 and 4 % loss on a LAN it had 3.5 and 5.7 times the goodput of the default stack, but two thirds of it \
                        at 1 % (wiki.freebsd.org/chengcui/newtest).";

/// Sets FreeBSD's TCP stack for new connections: `rack`, `bbr`.
pub fn stack(name: &'static str, platform: &Platform) -> Remedy {
    let mut why = NEW.to_owned();
    if !platform.is_since("15.0") {
        why += " Before 15.0 it needs a kernel with `options TCPHPTS`; GENERIC has none.";
    }
    if name == "rack" {
        why += &format!(" Measure before and after: {RACK}");
    }
    Remedy::new(Change::Stack(name), At::Sender, platform, why)
}

/// Paces each flow in the queueing discipline. Linux.
pub fn fq(interface: Option<&str>, platform: &Platform) -> Vec<Remedy> {
    let why = match platform.is_since("4.20") {
        true => "BBR paces by itself; fq does it with fewer timers. Applies to devices that come up later.",
        false => "BBR before 4.20 needs fq to pace. Applies to devices that come up later.",
    };
    let default = Change::Sysctl { key: "net.core.default_qdisc", value: "fq".into() };
    let mut all = vec![Remedy::new(default, At::Sender, platform, why)];
    if let Some(interface) = interface {
        let now = Change::Qdisc { device: interface.into(), discipline: Discipline::Fq };
        let why = "Applies at once. On a multi-queue NIC keep mq as root; its children use default_qdisc.";
        all.push(Remedy::new(now, At::Sender, platform, why));
    }
    all
}

/// Adds a shaper with an AQM, or with a queue, below the rate of the bottleneck behind it. Linux.
pub fn shape(discipline: Discipline, device: &str, at: At, platform: &Platform, why: &str) -> Remedy {
    Remedy::new(Change::Qdisc { device: device.into(), discipline }, at, platform, why)
}

/// Sets the MTU of a route, from which this host's TCP takes its MSS.
pub fn route_mtu(route: &Route, mtu: u32, at: At, platform: &Platform) -> Remedy {
    let mut why = "Holds for connections that start or end here; clamp the MSS of those forwarded.".to_owned();
    match (platform.system, &route.via, &route.interface) {
        (System::Linux, None, _) | (System::Linux, _, None) if route.prefix != "default" => {
            why += " To keep it, name the next hop and the interface.";
        }
        (System::FreeBsd, None, Some(_)) => {
            why += " -interface is for a route that an IPsec policy takes; otherwise name the next hop.";
        }
        _ => {}
    }
    let change = Change::Route { route: route.clone(), attribute: Attribute::Mtu, value: mtu.to_string() };
    Remedy::new(change, at, platform, why)
}

/// Sets another attribute of a route. Linux.
pub fn route(route: &Route, attribute: Attribute, value: &str, at: At, platform: &Platform, why: &str) -> Remedy {
    let change = Change::Route { route: route.clone(), attribute, value: value.into() };
    Remedy::new(change, at, platform, why)
}

/// Lowers the MSS that connections through this host announce, to fit the MTU of the path behind it.
pub fn mss_clamp(mtu: u32, platform: &Platform) -> Remedy {
    let why = match platform.system {
        System::Linux => "For the TCP connections that this host forwards. It never raises an MSS.",
        System::FreeBsd => "For forwarded TCP. Add the lines first; scrub also reassembles fragments.",
    };
    Remedy::new(Change::MssClamp(mtu), At::Forwarder, platform, why)
}

/// Switches off the offloads that make packets larger than the MTU on a host that forwards: LRO, and on FreeBSD TSO as
/// well.
pub fn lro_off(interface: &str, platform: &Platform) -> Remedy {
    let (features, why): (&[Feature], _) = match platform.system {
        System::Linux => (
            &[Feature::Lro],
            "The kernel does this itself for ip_forward and bridge members, but not for macvlan or XDP redirects in a \
             driver. GRO may stay: it is undone on output.",
        ),
        System::FreeBsd => (
            &[Feature::Lro, Feature::Tso, Feature::VlanTso],
            "if_bridge(4) strips LRO only from its direct members: below lagg(4) and vlan(4), do it on every NIC.",
        ),
    };
    Remedy::new(Change::OffloadsOff { device: interface.into(), features }, At::Forwarder, platform, why)
}

/// Switches off checksum and segmentation offloads, to test whether they are at fault.
pub fn offloads_off(interface: &str, platform: &Platform) -> Remedy {
    let features = &[Feature::TxChecksum, Feature::Tso, Feature::Gso];
    let why = "A test, not a fix: if it helps, suspect driver and firmware.";
    Remedy::new(Change::OffloadsOff { device: interface.into(), features }, At::Ends, platform, why)
}

/// Lets CUBIC's slow start continue until a loss.
pub fn hystart_off(platform: &Platform) -> Remedy {
    let change = Change::Parameter { module: "tcp_cubic", name: "hystart", value: "0" };
    let why = "CUBIC without HyStart: slow start then ends at the first loss, which the bottleneck's buffer has to bear. \
               Long transfers gain nothing.";
    Remedy::new(change, At::Sender, platform, why)
}

/// Lets TCP find the path MTU if ICMP does not come through.
pub fn mtu_probing(platform: &Platform) -> Remedy {
    let (key, why) = match platform.system {
        System::Linux => (
            "net.ipv4.tcp_mtu_probing",
            "After timeouts TCP falls back to segments of 1024 B and probes upwards from there.",
        ),
        System::FreeBsd => (
            "net.inet.tcp.pmtud_blackhole_detection",
            "After timeouts TCP falls back to segments of 1200 B, then to mssdflt.",
        ),
    };
    Remedy::new(Change::Sysctl { key, value: "1".into() }, At::Sender, platform, why)
}

/// Stops connections from inheriting the values of earlier ones, for measurements.
pub fn no_metrics_save(platform: &Platform) -> Vec<Remedy> {
    let (key, value) = match platform.system {
        System::Linux => ("net.ipv4.tcp_no_metrics_save", "1"),
        System::FreeBsd => ("net.inet.tcp.hostcache.enable", "0"),
    };
    let why = "For measurements. On a busy server the cached values help short connections.";
    vec![
        Remedy::new(Change::Sysctl { key, value: value.into() }, At::Sender, platform, why),
        Remedy::new(Change::ForgetMetrics, At::Sender, platform, "Drops what is cached now; it is learned again."),
    ]
}

/// Keeps cwnd after a pause. Linux; FreeBSD has no such switch.
pub fn slow_start_after_idle_off(platform: &Platform) -> Remedy {
    let change = Change::Sysctl { key: "net.ipv4.tcp_slow_start_after_idle", value: "0".into() };
    Remedy::new(change, At::Sender, platform, "The first burst after a pause is then a full window: pace it with fq.")
}

/// Enables windows above 65,535 bytes (RFC 7323). Linux.
pub(crate) fn window_scaling(platform: &Platform) -> Remedy {
    let change = Change::Sysctl { key: "net.ipv4.tcp_window_scaling", value: "1".into() };
    Remedy::new(change, At::Ends, platform, "Windows are otherwise 65,535 bytes at most.")
}

/// Sets tcp_mem to the value that the kernel computes. Linux.
pub fn tcp_mem(platform: &Platform) -> Remedy {
    let why = "tcp_mem counts pages, not bytes. Also remove the line from sysctl.conf: the kernel computes the value at \
               boot from the memory it has.";
    Remedy::new(Change::TcpMemory, At::Ends, platform, why)
}

/// Enables ECN, requested by both ends.
pub fn ecn(platform: &Platform) -> Remedy {
    let key = match platform.system {
        System::Linux => "net.ipv4.tcp_ecn",
        System::FreeBsd => "net.inet.tcp.ecn.enable",
    };
    let why = "DCTCP needs ECN on both ends, and switches that mark at a low threshold.";
    Remedy::new(Change::Sysctl { key, value: "1".into() }, At::Ends, platform, why)
}

/// Sends small writes at once, instead of waiting for the ACK of the previous one: the program's own option.
pub(crate) fn nodelay() -> Remedy {
    let why = "Set TCP_NODELAY, or write each request in one piece. No sysctl does it.";
    Remedy::beyond(Change::Socket(SocketOption::NoDelay), At::Program, why)
}

/// Runs several connections at the same time, each with its own cwnd.
pub fn streams(count: u32) -> Remedy {
    let why = format!(
        "Run {count} connections side by side (iperf3 -P {count}). On a full line they take the shares of {count}."
    );
    Remedy::beyond(Change::Streams(count), At::Program, why)
}

/// Leaves the size of a buffer to autotuning.
pub fn default_buffer(side: Side) -> Remedy {
    let why = "A program that sets it (iperf3 -w) turns autotuning off: leave it unset.";
    Remedy::beyond(Change::Socket(SocketOption::DefaultBuffer(side)), At::Program, why)
}

/// Describes a change that no command makes.
pub fn words(what: &'static str, at: At, why: &str) -> Remedy {
    Remedy::beyond(Change::Words { what }, at, why)
}
