use super::damaged_frames::most;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::view::View;
use base::show;
use evidence::{Counter, CounterKind, Interface};

/// Parts of drivers' names for late collisions; the kernel's name is tx_window_errors (linux/if_link.h).
const LATE_COLLISION_NAMES: [&str; 4] = ["late_col", "latecol", "latecollision", "tx_window_errors"];

/// Share of sent frames that collide, and of received ones that come damaged, from which both together are a mismatch: its
/// half-duplex end hears the peer while it sends, and its peer cuts off what it sends.
const MIN_COLLIDED_SHARE: f64 = 0.01;
const MIN_DAMAGED_SHARE: f64 = 1e-3;

/// The rule.
pub const RULE: Rule = Rule {
    name: "duplex-mismatch",
    title: "Duplex mismatch",
    needs: &[],
    model: "An interface whose peer does not negotiate falls back to half duplex. It stops sending when it hears its peer, and \
            the peer, at full duplex, sends all the same: frames are cut off in both directions as soon as both are busy. Pings \
            pass, and a transfer gets a few per cent of the rate.",
    source: "IEEE 802.3, 28.2.3.1 (parallel detection) and 4.2.3 (late collisions); Shalunov and Carlson, Detecting Duplex \
             Mismatch on Ethernet, PAM 2005",
    thresholds: || {
        vec![
            ("an interface says that it runs at half duplex".into(), "no network of switches has a reason to"),
            ("or it counts late collisions".into(), "a cable within its length has none unless its ends differ"),
            (
                format!(
                    "or {} of the frames that it sent collided, and {} of those that came were damaged",
                    show::plain_share(MIN_COLLIDED_SHARE),
                    show::plain_share(MIN_DAMAGED_SHARE)
                ),
                "full duplex has no collisions; an end at half duplex on a sound cable damages none",
            ),
        ]
    },
    confidence: "high with two of them; medium with one",
    confirm: &[
        "ethtool DEVICE at both ends of the cable: Speed, Duplex and Auto-negotiation",
        "ethtool -S DEVICE | grep -i coll",
    ],
    alike: &[
        ("loss-response", "frames are lost in one direction, or while the other is silent"),
        ("reordering", "nothing is lost"),
    ],
    explains: &["damaged-frames", "loss-response", "timeouts", "shallow-buffer", "policer", "rate-cap", "outage"],
    remedies: remedies::duplex,
    assumed: 0.9,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    view.evidence.hosts.iter().flat_map(|host| &host.interfaces).filter_map(find_on_interface).collect()
}

fn find_on_interface(interface: &Interface) -> Option<Finding> {
    let late = late(interface);
    let collided = collided(interface);
    let half = interface.half_duplex == Some(true);
    let signs = [half, late.is_some(), collided.is_some()].into_iter().filter(|sign| *sign).count();
    if signs == 0 {
        return None;
    }
    let rate = interface.rate.map(|rate| format!(" at {}", show::rate(rate))).unwrap_or_default();
    let state = match interface.half_duplex {
        Some(true) => {
            format!("runs at half duplex{rate}: it sends and receives in turns, and its peer probably does not")
        }
        _ => {
            format!("counts collisions{rate}, as where one end of the cable runs at half duplex and the other at full")
        }
    };
    let counted = late.map(|late| format!(" {} late collisions.", show::count(late.value as f64))).unwrap_or_default();
    let confidence = if signs > 1 { Confidence::High } else { Confidence::Medium };
    let says = format!("{} {state}.{counted}", interface.name);
    let mut finding = Finding::problem(RULE.name, confidence, RULE.assumed, says);
    if half {
        finding = finding.at("duplex", "half", &interface.place);
    }
    if let Some(late) = late {
        finding = finding.at("late collisions", show::count(late.value as f64), &late.place);
    }
    for counter in collided.into_iter().flatten() {
        finding = finding.at(counter.name.clone(), show::count(counter.counted() as f64), &counter.place);
    }
    Some(finding.with_remedies(remedies::duplex(&Default::default())))
}

/// Returns the counters of collisions and of damaged frames, if both are too many for either alone.
fn collided(interface: &Interface) -> Option<[&Counter; 2]> {
    let collisions = most(interface, CounterKind::Collisions)?;
    let damaged = most(interface, CounterKind::DamagedFrames)?;
    let sent = ["tx_packets", "TX-OK", "Opkts"].iter().find_map(|name| interface.counter(name))?.counted() as f64;
    let received = most(interface, CounterKind::ReceivedFrames)?.counted().saturating_add(damaged.counted()) as f64;
    let is_mixed = collisions.counted() as f64 > MIN_COLLIDED_SHARE * sent
        && damaged.counted() as f64 > MIN_DAMAGED_SHARE * received;
    is_mixed.then_some([collisions, damaged])
}

fn late(interface: &Interface) -> Option<&Counter> {
    let counts = |counter: &&Counter| {
        let name = counter.name.to_ascii_lowercase();
        counter.value > 0 && LATE_COLLISION_NAMES.iter().any(|late| name.contains(late))
    };
    interface.counters.iter().find(counts)
}
