//! Evidence that rules can need, and the command that collects each kind.

use super::flow::Flow;
use super::view::View;
use base::model::tunnel;
use serde::Serialize;
use std::collections::BTreeSet;

/// A kind of evidence that rules need. The order is that in which goodput asks: the most decisive first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Need {
    /// Rate that the link should carry.
    LinkRate,
    /// RTT of the idle path.
    BaseRtt,
    /// Retransmissions.
    Retransmissions,
    /// Time limited by each window.
    Limits,
    /// RTTs over time.
    RoundTrips,
    /// cwnd over time.
    Window,
    /// Settings of sysctl.
    Settings,
    /// Path MTU.
    PathMtu,
    /// Tunnels, and routes with an MTU.
    Tunnels,
    /// Offloads of hosts that forward.
    Offloads,
    /// Requests and their answers.
    Exchanges,
    /// CPU time of both ends.
    Processors,
    /// Several connections at the same time.
    Several,
    /// Goodput over segment sizes.
    Sweep,
}

impl Need {
    /// All kinds, in order.
    pub const ALL: [Need; 14] = [
        Need::LinkRate,
        Need::BaseRtt,
        Need::Retransmissions,
        Need::Limits,
        Need::RoundTrips,
        Need::Window,
        Need::Settings,
        Need::PathMtu,
        Need::Tunnels,
        Need::Offloads,
        Need::Exchanges,
        Need::Processors,
        Need::Several,
        Need::Sweep,
    ];

    /// Returns its description and the commands that collect it, on Linux and on FreeBSD.
    pub fn stated(self) -> (&'static str, [&'static str; 2]) {
        const IPERF: &str = "iperf3 -c HOST -J";
        const PING: &str = "ping -c 10 HOST";
        const SIFTR: &str = "kldload siftr; sysctl net.inet.siftr.enabled=1";
        match self {
            Need::LinkRate => ("the rate the link should carry", ["--rate 1Gbit/s"; 2]),
            Need::BaseRtt => ("RTT of the idle path", [PING; 2]),
            Need::Retransmissions => ("retransmissions", [IPERF; 2]),
            Need::Limits => ("time limited by each window", ["ss -tinm dst HOST", SIFTR]),
            Need::RoundTrips => ("RTT over time", [IPERF; 2]),
            Need::Window => ("cwnd over time", [IPERF, SIFTR]),
            Need::Settings => ("settings of both ends", ["sysctl -a"; 2]),
            Need::PathMtu => ("path MTU", ["tracepath -n HOST", "ping -D -s 1472 HOST"]),
            Need::Tunnels => {
                ("tunnels and routes", ["ip -d link; ip route; ip xfrm state", "ifconfig -a; netstat -rnW; setkey -D"])
            }
            Need::Offloads => ("offloads of hosts that forward", ["ethtool -k DEVICE; ip -d link", "ifconfig -a"]),
            Need::Exchanges => ("requests and their answers", ["tcpdump -s 96 -w FILE host HOST"; 2]),
            Need::Processors => ("CPU time of both ends", [IPERF; 2]),
            Need::Several => ("several connections at once", ["iperf3 -c HOST -J -P 4"; 2]),
            Need::Sweep => (
                "goodput over segment sizes",
                ["for m in $(seq 500 50 1448); do echo $m $(iperf3 -c HOST -M $m | grep rec); done"; 2],
            ),
        }
    }

    /// Whether the evidence contains it.
    pub(crate) fn is_met(self, view: &View) -> bool {
        let any = |test: &dyn Fn(&Flow) -> bool| view.flows.iter().any(test);
        let hosts = || view.evidence.hosts.iter();
        let devices = || hosts().flat_map(|host| &host.interfaces);
        match self {
            Need::LinkRate => view.given.rate.is_some() || any(&|f| f.expected().is_some()),
            Need::BaseRtt => {
                let pinged = view.flows.is_empty() && view.evidence.pings.iter().any(|ping| !ping.rtts.is_empty());
                view.given.rtt.is_some() || pinged || any(&|f| f.rtt.is_some())
            }
            Need::Retransmissions => any(&|f| f.seen.retransmitted.is_some()),
            Need::Limits => any(&|f| f.seen.limits.is_some()),
            Need::RoundTrips => any(&|f| f.seen.points.iter().filter(|p| p.srtt.is_some()).count() > 2),
            Need::Window => any(&|f| f.seen.points.iter().any(|p| p.cwnd.is_some())),
            Need::Settings => hosts().any(|host| !host.settings.is_empty()),
            Need::PathMtu => {
                let pings = &view.evidence.pings;
                view.evidence.paths.iter().any(|path| path.pmtu.is_some())
                    || pings.iter().any(|ping| ping.whole || ping.too_big.is_some())
            }
            Need::Tunnels => {
                let tunnels = |kind: &str| tunnel::of_device(kind).is_some();
                hosts().any(|host| !host.tunnels.is_empty() || !host.routes.is_empty())
                    || devices().any(|device| device.kind.as_deref().is_some_and(tunnels))
            }
            Need::Offloads => devices().any(|device| !device.offloads.is_empty()),
            Need::Exchanges => any(&|f| !f.seen.exchanges.is_empty()),
            Need::Processors => any(&|f| f.seen.processors.iter().any(Option::is_some)),
            Need::Several => view.flows.len() > 1 || !view.sums.is_empty(),
            Need::Sweep => !view.evidence.sweeps.is_empty(),
        }
    }
}

/// Whether the evidence already contains what a command would show, from this transfer or another one.
pub fn is_brought(command: &str, view: &View) -> bool {
    let pinged: BTreeSet<u32> =
        view.evidence.pings.iter().filter(|ping| ping.whole).filter_map(|ping| ping.payload).collect();
    command.contains("_limited") && Need::Limits.is_met(view)
        || command.starts_with("ping -M do -s ") && pinged.len() > 1
}
