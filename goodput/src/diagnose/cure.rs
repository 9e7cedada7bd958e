//! What each rule prescribes, in the sizes that its finding knows; the commands themselves are `advise`'s.

use super::flow::Flow;
use super::rule::Sizes;
use crate::advise::remedy::{self, At, Remedy, Route};
use evidence::platform::Platform;
use evidence::{Host, System};

/// Windows are to be twice the BDP, as `advise` has it: a loss then leaves one.
const HEADROOM: f64 = 2.0;

/// A connection with nothing known of its line is given room for so much more than it uses.
const ROOM: f64 = 4.0;

/// The sizes of a connection's path: its BDP, or four times what it carries now.
pub fn sizes(flow: &Flow) -> Sizes {
    let rtt = flow.base().unwrap_or(0.1);
    let rate = flow.expected().map(|line| line.value);
    let now = flow.seen.goodput.map(|goodput| goodput * ROOM);
    let window = rate.or(now).map(|rate| HEADROOM * rate * rtt / 8.0).filter(|w| *w > 65_536.0);
    let platforms = flow.platforms.clone();
    Sizes { window: window.unwrap_or(65_536.0 * ROOM), platforms, ..Sizes::default() }
}

/// The same with an MTU.
pub fn of_mtu(sizes: &Sizes, mtu: Option<u32>) -> Sizes {
    Sizes { mtu: mtu.unwrap_or(sizes.mtu), ..sizes.clone() }
}

/// The same for the host's own system, if that is known.
pub fn version_of(sizes: &mut Sizes, host: &Host) {
    let Some(system) = host.system else { return };
    let told = host.version.as_deref().and_then(|version| version.parse().ok());
    let usual = || sizes.platforms.iter().find(|p| p.system == system).map(|p| p.version.clone());
    if let Some(version) = told.or_else(usual) {
        sizes.platforms = vec![Platform { system, version }];
    }
}

fn each(sizes: &Sizes, of: impl Fn(&Platform) -> Option<Remedy>) -> Vec<Remedy> {
    sizes.platforms.iter().filter_map(of).collect()
}

fn on(system: System, platform: &Platform) -> Option<System> {
    (platform.system == system).then_some(system)
}

/// What no command does.
fn words(what: &'static str, at: At, note: &str) -> Remedy {
    let (now, keep, undo, keys) = (vec![], vec![], vec![], vec![]);
    Remedy { what, at, system: System::Linux, now, keep, undo, keys, note: note.into() }
}

pub fn application(_: &Sizes) -> Vec<Remedy> {
    vec![words(
        "application",
        At::Program,
        "look at what the sender waits for (disk, processor, another service, answers of the peer); no TCP setting makes it faster",
    )]
}

pub fn receive_buffer(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = each(sizes, |platform| Some(remedy::receive_buffer(sizes.window as u64, platform)));
    all.push(words(
        "SO_RCVBUF",
        At::Program,
        "a program that sets SO_RCVBUF (iperf3 -w) turns autotuning off: leave it unset",
    ));
    all
}

pub fn send_buffer(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = each(sizes, |platform| Some(remedy::send_buffer(sizes.window as u64, platform)));
    all.push(words(
        "SO_SNDBUF",
        At::Program,
        "a program that sets SO_SNDBUF (iperf3 -w) turns autotuning off: leave it unset",
    ));
    all
}

pub fn reader(_: &Sizes) -> Vec<Remedy> {
    vec![words(
        "receiver",
        At::Program,
        "find what keeps the receiving program from reading (disk, processor, a lock, its own peer); a larger buffer fills as well",
    )]
}

/// BBR answers no single losses; where it is not to be had, several connections share them.
pub fn loss(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = each(sizes, |platform| match platform.system {
        System::Linux => Some(remedy::congestion("bbr", platform)),
        System::FreeBsd => Some(remedy::stack("rack", platform)),
    });
    all.extend(each(sizes, |platform| on(System::Linux, platform).map(|_| remedy::fq(None, platform))));
    all.push(words(
        "the loss",
        At::Ends,
        "find where packets are lost (ethtool -S, the provider): a clean path needs no other congestion control. N connections \
         bear N times the rate at the same loss. With BBR the next limit is the window: see `goodput advise`",
    ));
    all
}

pub fn shallow(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = each(sizes, |platform| on(System::Linux, platform).map(|_| remedy::congestion("bbr", platform)));
    all.extend(each(sizes, |platform| on(System::Linux, platform).map(|_| remedy::fq(None, platform))));
    all.push(words(
        "the buffer",
        At::Forwarder,
        "give the bottleneck's queue 0.5 BDP and more, or an AQM with as much room; pacing (fq) takes the bursts out of a small one",
    ));
    all
}

pub fn queue(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = vec![words(
        "the queue",
        At::Forwarder,
        "an AQM at the bottleneck: tc qdisc replace dev DEVICE root cake bandwidth RATE, with RATE at 95 % of the line's (or \
         fq_codel behind a shaper); FreeBSD: dummynet with fq_codel, pf's ALTQ CoDel",
    )];
    all.extend(each(sizes, |platform| on(System::Linux, platform).map(|_| remedy::congestion("bbr", platform))));
    all
}

pub fn policer(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = vec![words(
        "the policer",
        At::Sender,
        "shape below its rate at the sender: tc qdisc replace dev DEVICE root tbf rate RATE burst 16kb latency 50ms, with RATE at 95 % of it; or \
         have it replaced by a shaper, or its burst raised to a BDP",
    )];
    all.extend(each(sizes, |platform| on(System::Linux, platform).map(|_| remedy::congestion("bbr", platform))));
    all
}

pub fn line(_: &Sizes) -> Vec<Remedy> {
    vec![words(
        "the path",
        At::Ends,
        "no setting of TCP changes it: ask whoever runs the line, or look at the plan of the instance; compare runs by what they \
         retransmit and delay, not by their rate",
    )]
}

pub fn path_mtu(sizes: &Sizes) -> Vec<Remedy> {
    let route = Route {
        prefix: sizes.prefix.clone(),
        address: sizes.prefix.split('/').next().unwrap_or("default").into(),
        ipv6: sizes.prefix.contains(':'),
        via: None,
        interface: (sizes.interface != Sizes::default().interface).then(|| sizes.interface.clone()),
    };
    let mut all = each(sizes, |platform| Some(remedy::route_mtu(&route, sizes.mtu, platform.system)));
    all.extend(each(sizes, |platform| Some(remedy::mss_clamp(sizes.mtu, platform.system))));
    all.extend(each(sizes, |platform| Some(remedy::mtu_probing(platform.system))));
    all
}

/// Where packets vanish, and the size that passes is not known.
pub fn unknown_mtu(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = each(sizes, |platform| Some(remedy::mtu_probing(platform.system)));
    all.push(words(
        "the size that passes",
        At::Ends,
        "find it with pings that may not be fragmented, then give the route that MTU or clamp the MSS: goodput advise --route \
         PREFIX --mtu SIZE prints the commands",
    ));
    all
}

pub fn length(_: &Sizes) -> Vec<Remedy> {
    vec![
        words(
            "the segment size",
            At::Ends,
            "keep packets out of the range until the fault is found: an MTU below it (ip link set dev DEVICE mtu SIZE; ifconfig \
             DEVICE mtu SIZE)",
        ),
        words(
            "the fault",
            At::Ends,
            "one at a time: checksum and segmentation offloads off (ethtool -K DEVICE tx off tso off gso off), one member of the \
             bond, another cable, port, driver and firmware; sweep again after each",
        ),
    ]
}

pub fn forwarding(sizes: &Sizes) -> Vec<Remedy> {
    each(sizes, |platform| Some(remedy::lro_off(&sizes.interface, platform.system)))
}

pub fn recovery(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = each(sizes, |platform| match platform.system {
        System::FreeBsd => Some(remedy::stack("rack", platform)),
        System::Linux => None,
    });
    all.push(words(
        "loss recovery",
        At::Ends,
        "Linux: tcp_sack = 1, tcp_recovery = 1 and tcp_early_retrans = 3 are the defaults and repair most losses without a \
         timeout; a path in a data centre may lower the floor: ip route change PREFIX … rto_min 10ms",
    ));
    all
}

pub fn reordering(_: &Sizes) -> Vec<Remedy> {
    vec![words(
        "the bond",
        At::Ends,
        "a mode that keeps a connection on one member: 802.3ad or balance-xor with xmit_hash_policy layer3+4; FreeBSD: lagg \
         laggproto lacp. A single connection then gets one member's rate",
    )]
}

pub fn nodelay(sizes: &Sizes) -> Vec<Remedy> {
    vec![remedy::nodelay(sizes.platforms.first().map_or(System::Linux, |p| p.system))]
}

pub fn short(_: &Sizes) -> Vec<Remedy> {
    vec![words(
        "short transfers",
        At::Program,
        "keep connections open and reuse them; bring answers nearer (a cache, a proxy); a larger initial window saves one or two \
         round trips (ip route change PREFIX … initcwnd 20), where the path's buffers bear it",
    )]
}

pub fn idle(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = each(sizes, |platform| on(System::Linux, platform).map(|_| remedy::slow_start_after_idle_off()));
    all.extend(each(sizes, |platform| on(System::Linux, platform).map(|_| remedy::fq(None, platform))));
    all
}

pub fn hystart(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = each(sizes, |platform| on(System::Linux, platform).map(|_| remedy::congestion("bbr", platform)));
    all.push(words(
        "HyStart",
        At::Sender,
        "Linux: echo 0 > /sys/module/tcp_cubic/parameters/hystart (undo: echo 1), where the bottleneck's buffer bears the \
         overshoot; long transfers do not feel it",
    ));
    all
}

pub fn metrics(sizes: &Sizes) -> Vec<Remedy> {
    each(sizes, |platform| Some(remedy::no_metrics_save(platform.system)))
}

pub fn fair(_: &Sizes) -> Vec<Remedy> {
    vec![words(
        "the shares",
        At::Forwarder,
        "fair queueing at the bottleneck (fq_codel, cake) gives each the same; a CUBIC or BBR sender depends less on the round \
         trip than Reno",
    )]
}

pub fn tcp_mem(sizes: &Sizes) -> Vec<Remedy> {
    let linux = sizes.platforms.iter().any(|p| p.system == System::Linux);
    let note = "take the line out of sysctl.conf and start the machine anew, or set what it computes from its memory: 4.7, 6.25 \
                and 9.4 % of it in pages. 8 GiB of memory: sysctl -w net.ipv4.tcp_mem=\"98304 131072 196608\"";
    linux.then(|| words("memory of TCP", At::Ends, note)).into_iter().collect()
}

pub fn ecn(_: &Sizes) -> Vec<Remedy> {
    vec![words(
        "ECN",
        At::Ends,
        "DCTCP needs ECN at both ends and switches that mark at a low threshold: Linux sysctl -w net.ipv4.tcp_ecn=1, FreeBSD \
         sysctl net.inet.tcp.ecn.enable=1. Across the internet take CUBIC or BBR",
    )]
}

pub fn processor(_: &Sizes) -> Vec<Remedy> {
    vec![words(
        "the processor",
        At::Program,
        "spread the work: iperf3 3.16 and later with -P 4, receive queues over processors (ethtool -L, RSS), TSO and GRO on at \
         end hosts, a larger MTU where the path has it",
    )]
}

pub fn nothing(_: &Sizes) -> Vec<Remedy> {
    vec![]
}
