//! Remedies of each rule, for the sizes that its finding knows.

use super::sizes::Sizes;
use crate::remedy::catalogue::{self, words};
use crate::remedy::{At, Attribute, Change, Discipline, Remedy, Side};
use base::show;
use evidence::System;
use evidence::platform::Platform;

/// Smallest gain for which another congestion control is advised.
const MIN_CONTROL_GAIN: f64 = 1.2;

/// Largest RTT in a data centre, seconds.
const DATA_CENTRE_RTT_S: f64 = 0.005;

fn each<R: IntoIterator<Item = Remedy>>(sizes: &Sizes, of: impl Fn(&Platform) -> R) -> Vec<Remedy> {
    sizes.platforms.iter().flat_map(of).collect()
}

fn linux<R: IntoIterator<Item = Remedy>>(sizes: &Sizes, of: impl Fn(&Platform) -> R) -> Vec<Remedy> {
    sizes.platforms.iter().filter(|platform| platform.system == System::Linux).flat_map(of).collect()
}

fn freebsd<R: IntoIterator<Item = Remedy>>(sizes: &Sizes, of: impl Fn(&Platform) -> R) -> Vec<Remedy> {
    sizes.platforms.iter().filter(|platform| platform.system == System::FreeBsd).flat_map(of).collect()
}

/// Advises BBR if the model predicts a gain.
fn bbr(sizes: &Sizes) -> Vec<Remedy> {
    let Some(gain) = sizes.gain.filter(|gain| *gain > MIN_CONTROL_GAIN) else { return vec![] };
    let mut all = linux(sizes, |platform| [catalogue::congestion("bbr", platform)]);
    let most = show::number(gain);
    let promise = match &sizes.before {
        Some((alone, window)) if *alone > 1.0 => format!(
            "alone {} times the goodput, where the receive window limits ({window}); {most} times with a larger one",
            show::number(*alone)
        ),
        Some((_, window)) => {
            format!("{most} times the goodput with a larger receive window, which limits as well ({window})")
        }
        None => format!("{most} times the goodput"),
    };
    let promise =
        format!(" At most, by formula: {promise}. Send buffer and losses leave less: goodput prove predicts it.");
    all.iter_mut().for_each(|remedy| remedy.why += &promise);
    all
}

fn pacing(sizes: &Sizes) -> Vec<Remedy> {
    linux(sizes, |platform| catalogue::fq(sizes.interface.as_deref(), platform))
}

pub fn unpaced() -> Vec<Remedy> {
    vec![words("rate", At::Program, "Run it again without -b: that shows what the path carries.")]
}

/// Advises against buffer sizes that a program asked for, which autotuning leaves alone.
pub fn asked() -> Vec<Remedy> {
    let why = "Run it without -w: the kernel then grows the buffers as the path needs. Programs do the same with \
               SO_RCVBUF and SO_SNDBUF.";
    vec![words("socket buffer", At::Program, why)]
}

/// Refers to `goodput advise` for a buffer that limits next.
pub fn next() -> Vec<Remedy> {
    vec![words("buffers", At::Ends, "goodput advise --rate RATE --rtt TIME prints what to set both ends to.")]
}

/// Enables windows above 65,535 bytes.
pub fn scaling(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = linux(sizes, |platform| [catalogue::window_scaling(platform)]);
    let why = "It holds for both ends and for new connections; a middlebox that strips the option does the same.";
    all.push(words("window scaling", At::Ends, why));
    all
}

/// Advises how to find what limits a window if the evidence does not say.
pub fn unknown_window(side: Side, sizes: &Sizes) -> Vec<Remedy> {
    let (at, key, option) = match side {
        Side::Receive => (At::Receiver, "tcp_rmem", "SO_RCVBUF"),
        Side::Send => (At::Sender, "tcp_wmem", "SO_SNDBUF"),
    };
    let why = format!(
        "It has to hold {}. If the third value of {key} is below twice that, raise it; if not, the program asks for less \
         with {option} (iperf3 -w){}.",
        show::bytes(sizes.window),
        if side == Side::Receive { ", or tcp_window_scaling is 0" } else { "" }
    );
    vec![words("window", at, &why)]
}

pub fn application(_: &Sizes) -> Vec<Remedy> {
    let why = "Find what the sender waits for: disk, CPU, another service, answers of its peer. No TCP setting helps.";
    vec![words("application", At::Program, why)]
}

pub fn receive_buffer(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = each(sizes, |platform| catalogue::buffer(Side::Receive, sizes.window as u64, platform));
    all.push(catalogue::default_buffer(Side::Receive));
    all
}

pub fn send_buffer(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = each(sizes, |platform| catalogue::buffer(Side::Send, sizes.window as u64, platform));
    all.push(catalogue::default_buffer(Side::Send));
    all
}

pub fn reader(_: &Sizes) -> Vec<Remedy> {
    let why = "Find what keeps the receiving program from reading: disk, CPU, a lock, its own peer. A larger buffer only \
               fills up too.";
    vec![words("receiver", At::Program, why)]
}

/// Advises BBR, which does not respond to single losses, or else several connections, which share them.
pub fn loss(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = bbr(sizes);
    if !all.is_empty() {
        all.extend(pacing(sizes));
    }
    let why = "Find where packets are lost (NIC and switch counters, the provider): a clean path needs no other congestion \
               control. N parallel connections carry N times the rate at the same loss.";
    all.push(words("loss", At::Ends, why));
    all
}

pub fn cross_traffic(_: &Sizes) -> Vec<Remedy> {
    let why = "No setting of this transfer empties it: find what fills the slow link in either direction, and give that link an AQM \
               with fair queueing (CAKE, fq_codel), which lets ACKs and others pass.";
    vec![words("queue", At::Forwarder, why)]
}

pub fn marks(_: &Sizes) -> Vec<Remedy> {
    let why = "Find the queue that marks, and let it hold more before it does: the target of CoDel, the thresholds of RED, or K of \
               a DCTCP switch, which only DCTCP answers gently.";
    vec![words("ECN marks", At::Forwarder, why)]
}

pub fn ecn_path(_: &Sizes) -> Vec<Remedy> {
    let why = "Accept ECN: net.ipv4.tcp_ecn is 1 to 5 where it does, and 0 where it refuses; FreeBSD's net.inet.tcp.ecn.enable is 1 \
               or 2.";
    let own = words("ECN", At::Receiver, why);
    let why = "Find the device that clears the field or drops the packets: a firewall that scrubs, a tunnel that does not copy it \
               (RFC 6040), a carrier that sets DSCP and with it the whole byte.";
    vec![own, words("ECN field", At::Forwarder, why)]
}

pub fn shallow(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = bbr(sizes);
    if !all.is_empty() {
        all.extend(pacing(sizes));
    }
    let why = "Give the bottleneck's queue a BDP, or an AQM with as much room. Pacing keeps bursts out of a small one.";
    all.push(Remedy::beyond(Change::BottleneckBuffer(100), At::Forwarder, why));
    all
}

pub fn queue(sizes: &Sizes) -> Vec<Remedy> {
    let why = "At 95 % of the bottleneck's rate, so that packets queue here, under an AQM.";
    let cake = Discipline::Cake(sizes.shaped());
    let mut all = linux(sizes, |platform| [catalogue::shape(cake, sizes.device(), At::Forwarder, platform, why)]);
    all.extend(freebsd(sizes, |_| {
        let why = "Put dummynet with fq_codel in front of the bottleneck. ipfw denies by default: add it to your own \
                   ruleset, not from a remote shell.";
        [words("AQM", At::Forwarder, why)]
    }));
    all
}

pub fn policer(sizes: &Sizes) -> Vec<Remedy> {
    let why = "At 95 % of the policer's rate, so that packets queue instead of being dropped. It holds all that leaves the device: \
               where other traffic does too, give this one a class of its own (tc-htb(8)).";
    let tbf = Discipline::Tbf(sizes.shaped());
    let mut all = linux(sizes, |platform| [catalogue::shape(tbf, sizes.device(), At::Sender, platform, why)]);
    let why = "Or have whoever runs it shape instead of police, or raise its burst to a BDP.";
    all.push(words("policer", At::Forwarder, why));
    all
}

/// Advises a shaper only after a test, for a policer that only per-second figures suggest: a shaper at the wrong rate
/// would add a limit.
pub fn policer_unless_told(at: Option<f64>) -> Vec<Remedy> {
    let shape = match at.map(show::rate) {
        Some(at) => format!("If UDP below and above {at} confirms it: shape at 95 % of that rate at the sender"),
        None => "Once UDP shows the rate at which loss sets in: shape at 95 % of it at the sender".to_owned(),
    };
    let why = format!(
        "{shape}, so that packets queue instead of being dropped, or have whoever runs the policer raise its burst to a BDP. A \
         shaper at any other rate would only add a limit."
    );
    vec![words("policer", At::Sender, &why)]
}

/// Names the shaper on a host whose settings are known.
pub fn own_shaper(device: &str) -> Vec<Remedy> {
    let why = format!(
        "The shaper is on {device} of the host that printed it: raise its rate or take it away there. No TCP setting changes it."
    );
    vec![words("shaper", At::Ends, &why)]
}

pub fn line(_: &Sizes) -> Vec<Remedy> {
    let why = "No TCP setting lifts the link's rate: ask whoever runs the link, or check what the instance type allows. Compare runs by \
               loss and delay, not by rate.";
    vec![words("path", At::Ends, why)]
}

pub fn outage(_: &Sizes) -> Vec<Remedy> {
    let why = "No TCP setting changes it: find what was down then. The logs of both hosts and of the routers between have link \
               and route changes (dmesg, ip monitor); a wireless link roams.";
    vec![words("path", At::Ends, why)]
}

pub fn radio_link(_: &Sizes) -> Vec<Remedy> {
    let why = "No TCP setting makes the link steady: move the antenna, change cell or provider, or use two links. BBR keeps the \
               queue short while the rate falls.";
    vec![words("link", At::Ends, why)]
}

pub fn path_mtu(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = each(sizes, |platform| [catalogue::route_mtu(&sizes.route(), sizes.mtu, At::Sender, platform)]);
    all.extend(each(sizes, |platform| [catalogue::mss_clamp(sizes.mtu, platform)]));
    all.extend(each(sizes, |platform| [catalogue::mtu_probing(platform)]));
    all
}

/// Advises how to find the path MTU if packets vanish and the largest size that passes is unknown.
pub fn unknown_mtu(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = each(sizes, |platform| [catalogue::mtu_probing(platform)]);
    let why = "Find the largest ping that passes unfragmented, then give it to goodput advise with --route and --mtu, which \
               prints the route's MTU and the MSS clamp.";
    all.push(words("path MTU", At::Ends, why));
    all
}

pub fn length(sizes: &Sizes) -> Vec<Remedy> {
    let why = "Keeps packets below the range until the fault is found.";
    let mtu = |platform: &Platform| {
        let change = Change::Mtu { device: sizes.device().into(), bytes: Some(sizes.mtu) };
        [Remedy::new(change, At::Ends, platform, why)]
    };
    let mut all = each(sizes, mtu);
    all.extend(fault(sizes));
    all
}

/// Advises how to find a device that drops packets by their length.
pub fn fault(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = each(sizes, |platform| [catalogue::offloads_off(sizes.device(), platform)]);
    let why = "Then, one at a time, swap the bond's member, the cable, the port, the driver and the firmware; sweep again \
               after each.";
    all.push(words("fault", At::Ends, why));
    all
}

pub fn forwarding(sizes: &Sizes) -> Vec<Remedy> {
    each(sizes, |platform| [catalogue::lro_off(sizes.device(), platform)])
}

pub fn recovery(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = freebsd(sizes, |platform| [catalogue::stack("rack", platform)]);
    if sizes.rtt < DATA_CENTRE_RTT_S {
        let why = "Only within a data centre, where no round trip comes near it.";
        let rto = (Attribute::RtoMin, "10ms", At::Sender);
        all.extend(linux(sizes, |platform| [catalogue::route(&sizes.route(), rto.0, rto.1, rto.2, platform, why)]));
    }
    let why = "On Linux check that SACK, RACK and TLP are on, as they are by default (tcp_sack 1, tcp_recovery 1, \
               tcp_early_retrans 3): they repair most losses without a timeout.";
    all.push(words("loss recovery", At::Ends, why));
    all
}

pub fn duplex(_: &Sizes) -> Vec<Remedy> {
    let why = "Let both ends of the cable negotiate, the switch's port as well. If one end has to be fixed, fix both to the same \
               speed and duplex. The link goes down for a second.";
    vec![words("duplex", At::Ends, why)]
}

pub fn cable(_: &Sizes) -> Vec<Remedy> {
    let why = "Change one thing at a time, and look whether the counter still grows: the cable, its connectors cleaned, the transceiver, \
               the port of the switch, the card. No TCP setting helps.";
    vec![words("cable", At::Ends, why)]
}

pub fn checksums(_: &Sizes) -> Vec<Remedy> {
    let why = "Turn transmit checksum offload off at the host that sends them, on its bridges and virtual cards as well. At the \
               receiver turn off rx, GRO and LRO. If that ends it, update the driver or firmware. If not, a device on the path \
               changes packets: bypass one after the other.";
    vec![words("checksum offload", At::Ends, why)]
}

pub fn autotuning_level(_: &Sizes) -> Vec<Remedy> {
    let why = "netsh interface tcp set global autotuninglevel=normal, or Set-NetTCPSetting -SettingName Internet -AutoTuningLevelLocal \
               Normal, as administrator. It holds for new connections; a group policy that sets it has to be changed there.";
    vec![words("receive window", At::Receiver, why)]
}

pub fn tunnel_transport(_: &Sizes) -> Vec<Remedy> {
    let why = "Let UDP carry the tunnel: proto udp at both ends of OpenVPN, or WireGuard. Where only TCP passes, forward the \
               ports or use a proxy (ssh -L, ssh -D, HTTPS): then each TCP ends in front of the tunnel.";
    vec![words("tunnel", At::Ends, why)]
}

pub fn reordering(_: &Sizes) -> Vec<Remedy> {
    let why = "Find what spreads one connection over several links: a round-robin bond, routes that take turns by packet, a radio \
               link that sends again. A bond needs a mode that keeps a connection on one member: 802.3ad or balance-xor with \
               layer3+4 hashing, on FreeBSD lagg with LACP. One connection then gets one member's rate; the bond goes down for \
               the change, and the switch has to match.";
    vec![words("path", At::Ends, why)]
}

pub fn nodelay(_: &Sizes) -> Vec<Remedy> {
    vec![catalogue::nodelay()]
}

pub fn short(sizes: &Sizes) -> Vec<Remedy> {
    let why = "Reuse connections, and bring answers nearer with a cache or proxy.";
    let mut all = vec![words("short transfers", At::Program, why)];
    let why = "Saves a round trip or two where the path's buffers can take the burst.";
    let window = (Attribute::InitialWindow, "20", At::Sender);
    all.extend(linux(sizes, |platform| {
        [catalogue::route(&sizes.route(), window.0, window.1, window.2, platform, why)]
    }));
    all
}

pub fn idle(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = linux(sizes, |platform| [catalogue::slow_start_after_idle_off(platform)]);
    all.extend(pacing(sizes));
    all
}

pub fn hystart(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = bbr(sizes);
    all.extend(linux(sizes, |platform| [catalogue::hystart_off(platform)]));
    all
}

pub fn metrics(sizes: &Sizes) -> Vec<Remedy> {
    each(sizes, catalogue::no_metrics_save)
}

pub fn fair(sizes: &Sizes) -> Vec<Remedy> {
    let why = "Fair queueing at the bottleneck gives each flow the same rate.";
    let cake = Discipline::Cake(sizes.shaped());
    let mut all = linux(sizes, |platform| [catalogue::shape(cake, sizes.device(), At::Forwarder, platform, why)]);
    let why = "CUBIC or BBR depends less on the RTT than Reno.";
    all.push(words("congestion control", At::Sender, why));
    all
}

pub fn tcp_mem(sizes: &Sizes) -> Vec<Remedy> {
    linux(sizes, |platform| [catalogue::tcp_mem(platform)])
}

pub fn ecn(sizes: &Sizes) -> Vec<Remedy> {
    let mut all = each(sizes, |platform| [catalogue::ecn(platform)]);
    all.push(words("congestion control", At::Sender, "Across the internet use CUBIC or BBR instead of DCTCP."));
    all
}

pub fn processor(_: &Sizes) -> Vec<Remedy> {
    let why = "Spread the work: several streams with iperf3 3.16 or later, receive queues over CPUs (RSS), TSO and GRO on at \
               end hosts, a larger MTU where the path has it.";
    vec![words("CPU", At::Program, why)]
}

pub fn nothing(_: &Sizes) -> Vec<Remedy> {
    vec![]
}
