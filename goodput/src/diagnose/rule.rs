//! A rule: one limit, how it is known, and what cures it.

use super::finding::Finding;
use super::view::View;
use crate::advise::remedy::Remedy;
use evidence::System;
use evidence::platform::Platform;

/// One limit. Everything that is said of it, here, in `goodput explain` and in the reference, is in its row.
pub struct Rule {
    /// As `goodput explain` takes it.
    pub name: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// The evidence that it needs.
    pub needs: &'static [Need],
    /// The model behind it.
    pub model: &'static str,
    /// Where the model is from.
    pub source: &'static str,
    /// Each threshold, and why it is what it is.
    pub thresholds: &'static [(&'static str, &'static str)],
    /// What each level of confidence takes.
    pub confidence: &'static str,
    /// What would confirm it.
    pub confirm: &'static [&'static str],
    /// What else looks the same, and how to tell.
    pub alike: &'static [(&'static str, &'static str)],
    /// Rules whose findings follow from this one's.
    pub explains: &'static [&'static str],
    /// What to do, for the sizes that the finding knows.
    pub cure: fn(&Sizes) -> Vec<Remedy>,
    /// Looks at the evidence.
    pub find: fn(&View) -> Vec<Finding>,
}

/// Sizes that a remedy is for; the default is the Hong Kong–New York line, which `goodput explain` shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Sizes {
    /// Bytes to be outstanding: the BDP.
    pub window: f64,
    /// MTU that fits, bytes.
    pub mtu: u32,
    /// The interface concerned.
    pub interface: String,
    /// The destination concerned.
    pub prefix: String,
    /// The systems that it is for.
    pub platforms: Vec<Platform>,
}

impl Default for Sizes {
    fn default() -> Sizes {
        let platform = |system, version: &str| Some(Platform { system, version: version.parse().ok()? });
        let platforms = [platform(System::Linux, "6.12"), platform(System::FreeBsd, "14.2")];
        Sizes {
            window: 2.0 * 1e9 * 0.21 / 8.0,
            mtu: 1400,
            interface: "DEVICE".into(),
            prefix: "default".into(),
            platforms: platforms.into_iter().flatten().collect(),
        }
    }
}

/// Evidence that a rule can need, and the command that brings it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// How long each limit bound.
    Limits,
    /// Retransmissions.
    Retransmissions,
    /// The congestion window over time.
    Window,
    /// Round-trip times over time.
    RoundTrips,
    /// The path's own round-trip time.
    BaseRtt,
    /// Settings of sysctl.
    Settings,
    /// Offloads of interfaces, and what is a bridge.
    Offloads,
    /// Path MTU.
    PathMtu,
    /// The line's rate.
    LineRate,
    /// Requests and their answers.
    Exchanges,
    /// Processor time.
    Processors,
    /// Goodput over lengths.
    Sweep,
    /// Several connections at the same time.
    Several,
}

impl Need {
    /// What it is, and the command that brings it: for Linux, and for FreeBSD.
    pub fn said(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Need::Limits => {
                ("how long each limit bound", "ss -tinm dst HOST", "kldload siftr; sysctl net.inet.siftr.enabled=1")
            }
            Need::Retransmissions => {
                ("retransmissions", "iperf3 -c HOST -J, run at the sender", "iperf3 -c HOST -J, run at the sender")
            }
            Need::Window => (
                "the congestion window over time",
                "iperf3 -c HOST -J, run at the sender",
                "kldload siftr; sysctl net.inet.siftr.enabled=1",
            ),
            Need::RoundTrips => {
                ("round-trip times over time", "iperf3 -c HOST -J, or ss -tin every second", "iperf3 -c HOST -J")
            }
            Need::BaseRtt => (
                "the path's own round-trip time",
                "ping -c 10 HOST, while nothing else runs",
                "ping -c 10 HOST, while nothing else runs",
            ),
            Need::Settings => ("settings of both ends", "sysctl -a", "sysctl -a"),
            Need::Offloads => ("offloads of hosts that forward", "ethtool -k DEVICE; ip -d link", "ifconfig -a"),
            Need::PathMtu => ("the path MTU", "tracepath -n HOST; ping -M do -s 1472 HOST", "ping -D -s 1472 HOST"),
            Need::LineRate => ("the rate of the line", "--rate 1Gbit/s", "--rate 1Gbit/s"),
            Need::Exchanges => {
                ("requests and their answers", "tcpdump -s 96 -w FILE host HOST", "tcpdump -s 96 -w FILE host HOST")
            }
            Need::Processors => ("processor time", "iperf3 -c HOST -J", "iperf3 -c HOST -J"),
            Need::Sweep => (
                "goodput over segment sizes",
                "for m in $(seq 500 50 1448); do echo $m $(iperf3 -c HOST -M $m -f k …); done",
                "the same",
            ),
            Need::Several => ("connections at the same time", "iperf3 -c HOST -P 4", "iperf3 -c HOST -P 4"),
        }
    }
}
