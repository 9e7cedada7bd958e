//! Changes worth trying, and their places: each if a mechanism of the explanations makes it plausible.

use super::candidate::{self, Mechanism};
use super::case::Case;
use super::experiment::merged;
use super::explain::Explanation;
use super::hosts::LAB_WINDOW_SCALING;
use super::words::{FQ, HYSTART, NO_SOCKET_BUFFER, RECEIVE_BUFFER, ROUTE_MTU, SEND_BUFFER, SHAPER, STREAMS};
use base::model::{WINDOW_PER_BDP, buffer, response, usual_platforms};
use diagnosis::remedy::lab::{self, Key, Network};
use diagnosis::remedy::{At, Change, DEVICE, Discipline, Remedy, Route, Side, catalogue};
use evidence::{End, System};
use serde::{Deserialize, Serialize};

/// A place at which changes may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangePlace {
    /// The sending host.
    Sender,
    /// The receiving host.
    Receiver,
    /// The path: whoever runs the bottleneck.
    Path,
}

impl ChangePlace {
    /// All places, with their names on the command line.
    pub const ALL: [(&'static str, ChangePlace); 3] =
        [("sender", ChangePlace::Sender), ("receiver", ChangePlace::Receiver), ("path", ChangePlace::Path)];
}

/// A change, or several that belong together.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// Its name.
    pub name: String,
    /// ChangePlace of the change.
    pub place: ChangePlace,
    /// The remedies.
    pub remedies: Vec<Remedy>,
    /// The remedies as keys of an experiment.
    pub keys: Vec<Key>,
}

/// Keys of the largest autotuned buffers.
pub(super) const BUFFER_KEYS: [(&str, Side); 2] =
    [("hosts.sender.sysctl.net.ipv4.tcp_wmem", Side::Send), ("hosts.receiver.sysctl.net.ipv4.tcp_rmem", Side::Receive)];
const SHAPER_WHY: &str = "At 95 % of the policer's rate, so that packets queue instead of being dropped.";
const QUEUE_WHY: &str = "Whoever runs the bottleneck can.";

/// Buffers are sized for at most this many times the goodput if the link rate is unknown: a link that was never full
/// shows only a lower bound of its rate, and a buffer for the largest rate would take a host's memory.
const MAX_BUFFER_GAIN: f64 = 10.0;

/// Returns changes worth trying in the given places.
pub fn proposals(case: &Case, explanations: &[Explanation], places: &[ChangePlace]) -> Vec<Proposal> {
    use ChangePlace::{Path, Receiver, Sender};
    let (Some(sender), Some(receiver)) = (case.platform(End::Sender), case.platform(End::Receiver)) else {
        return vec![];
    };
    // Linux alone has qdiscs; who runs the bottleneck is not known.
    let usual = usual_platforms();
    let has_qdiscs = sender.system == System::Linux;
    let Some(linux) = usual.iter().find(|one| one.system == System::Linux) else { return vec![] };
    let forwarder = if has_qdiscs { sender } else { linux };
    let has = |kinds: &[Mechanism]| explanations.iter().any(|one| kinds.iter().any(|kind| one.candidate.has(*kind)));
    let names = |what: &[&str]| explanations.iter().any(|one| what.iter().any(|what| one.names(what)));
    let scenarios = || explanations.iter().flat_map(|one| &one.scenarios);
    let fastest = scenarios().map(|scenario| scenario.candidate.rate).fold(0.0, f64::max);
    let fastest = fastest.min(case.rate.unwrap_or(MAX_BUFFER_GAIN * case.seen.received));
    let window = (WINDOW_PER_BDP * fastest * case.rtt / 8.0).max(262_144.0) as u64;
    let other = if response::is_bbr(&case.congestion) { "cubic" } else { "bbr" };
    let policers =
        explanations.iter().flat_map(|one| &one.candidate.parts).filter(|part| part.kind == Mechanism::Policer);
    let policed = policers.map(|part| part.values[0]).reduce(f64::min).unwrap_or_default();
    let below = Discipline::Tbf(Some((0.95 * policed) as u64));
    // The shortest length from which packets may vanish.
    let lost = explanations.iter().filter_map(|one| one.range(Mechanism::Hole)).map(|[from, _]| from).reduce(f64::min);
    let passes = (lost.unwrap_or_default() as u32).saturating_sub(1).max(case.ip.least_mtu());
    let route = Route::to(None);
    let cake = catalogue::shape(Discipline::Cake(None), DEVICE, At::Forwarder, forwarder, QUEUE_WHY);
    let bdp = Remedy::beyond(Change::BottleneckBuffer(100), At::Forwarder, QUEUE_WHY);
    let unset = [Side::Send, Side::Receive].map(catalogue::default_buffer).to_vec();
    let end = if places.contains(&Sender) { Sender } else { Receiver };
    let is_freebsd = !has_qdiscs && case.systems.stack.is_none() && other == "bbr";
    let cubic = !has_qdiscs && case.congestion == "reno";
    let (policer, hole) = (has(&[Mechanism::Policer]), has(&[Mechanism::Hole]));
    let queue = names(&["line", "small queue", "large queue"]) || has(&[Mechanism::Shared]);
    let paced = has_qdiscs && (policer || names(&["small queue"]));
    let marks = has(&[Mechanism::Aqm]) && !case.ecn;
    // Mechanisms that limit each connection, not all together.
    let each = [
        Mechanism::ReceiveWindow,
        Mechanism::SendBuffer,
        Mechanism::Loss,
        Mechanism::Bursts,
        Mechanism::Reordering,
        Mechanism::Shared,
        Mechanism::EarlyExit,
        Mechanism::Overshoot,
    ];
    let early = has(&[Mechanism::EarlyExit]);
    // A receiver that is known to allow the window needs no larger buffer.
    let is_below = |set: Option<u64>| set.is_none_or(|set| buffer::window(set, LAB_WINDOW_SCALING) < window);
    let rows: [(bool, &str, ChangePlace, Vec<Remedy>); 17] = [
        (cubic, "cubic", Sender, vec![catalogue::congestion("cubic", sender)]),
        (!is_freebsd, other, Sender, vec![catalogue::congestion(other, sender)]),
        (is_freebsd, "bbr", Sender, vec![catalogue::stack("bbr", sender)]),
        (is_freebsd, "rack", Sender, vec![catalogue::stack("rack", sender)]),
        (true, SEND_BUFFER, Sender, catalogue::buffer(Side::Send, window, sender)),
        (is_below(case.rmem), RECEIVE_BUFFER, Receiver, catalogue::buffer(Side::Receive, window, receiver)),
        (case.asked.is_some(), NO_SOCKET_BUFFER, end, unset),
        (policer && has_qdiscs, SHAPER, Sender, vec![catalogue::shape(below, DEVICE, At::Sender, sender, SHAPER_WHY)]),
        (paced, FQ, Sender, catalogue::fq(Some(DEVICE), sender)),
        (early && case.congestion == "cubic", HYSTART, Sender, vec![catalogue::hystart_off(sender)]),
        (hole, "MTU probing", Sender, vec![catalogue::mtu_probing(sender)]),
        (hole, ROUTE_MTU, Sender, vec![catalogue::route_mtu(&route, passes, At::Sender, sender)]),
        (has(&each) && case.streams == 1, STREAMS, Sender, vec![catalogue::streams(4)]),
        (marks, "ECN", Sender, vec![catalogue::ecn(sender)]),
        (queue, "queue of one BDP", Path, vec![bdp]),
        (queue, "AQM at the bottleneck", Path, vec![cake.clone()]),
        (queue, "AQM that marks (ECN)", Path, vec![cake, catalogue::ecn(sender)]),
    ];
    let proposal = |(_, name, place, remedies): (bool, &str, ChangePlace, Vec<Remedy>)| {
        let keys: Result<Vec<Vec<Key>>, _> = match name {
            HYSTART => Ok(vec![vec![candidate::full_slow_start()]]),
            _ => shown(&remedies).map(|one| lab::keys(one, &Network::default())).collect(),
        };
        let mut keys = merged(keys.ok()?.concat(), vec![]);
        // Another congestion control has no HyStart.
        let is_other = keys.iter().any(|key| key.path == "flows.congestion");
        keys.extend((early && is_other).then(candidate::full_slow_start));
        case.systems.keys(&keys)?;
        Some(Proposal { name: name.into(), place, keys, remedies })
    };
    let wanted = rows.into_iter().filter(|(is_plausible, _, place, _)| *is_plausible && places.contains(place));
    wanted.filter_map(proposal).collect()
}

/// Returns the remedies that are keys: kern.ipc.maxsockbuf limits no end in the lab.
fn shown(remedies: &[Remedy]) -> impl Iterator<Item = &Remedy> {
    remedies.iter().filter(|remedy| !matches!(remedy.change, Change::Raise { .. }))
}

/// Returns the changes between the runs of the evidence that no known proposal makes: their outcome is known, and they
/// are predicted as if it were not.
pub fn measured(case: &Case, known: &[Proposal]) -> Vec<Proposal> {
    let mut all: Vec<Proposal> = vec![];
    for run in &case.measured {
        let is_known = |one: &Proposal| run.is_with(&one.name);
        let Some(keys) = run.keys.clone().filter(|keys| !keys.is_empty()) else { continue };
        if !known.iter().chain(&all).any(is_known) {
            let (name, keys) = (run.changed.join(" + "), merged(keys, vec![]));
            all.push(Proposal { name, place: ChangePlace::Sender, remedies: vec![], keys });
        }
    }
    all
}

impl Proposal {
    /// Whether the proposal replaces the qdisc at the root of the sender's device.
    pub(super) fn is_at_root(&self) -> bool {
        self.place == ChangePlace::Sender && self.remedies.iter().any(|one| matches!(one.change, Change::Qdisc { .. }))
    }

    /// Returns the buffers that the proposal enlarges.
    pub(super) fn lifts(&self) -> Vec<Side> {
        let of = |key: &Key| BUFFER_KEYS.iter().find(|(path, _)| key.path == *path).map(|(_, side)| *side);
        self.keys.iter().filter_map(of).collect()
    }

    /// Combines several changes into one.
    pub(super) fn of_all(all: &[&Proposal]) -> Proposal {
        Proposal {
            name: all.iter().map(|one| one.name.as_str()).collect::<Vec<_>>().join(" + "),
            place: all[0].place,
            remedies: all.iter().flat_map(|one| one.remedies.clone()).collect(),
            keys: merged(all.iter().flat_map(|one| one.keys.clone()).collect(), vec![]),
        }
    }
}
