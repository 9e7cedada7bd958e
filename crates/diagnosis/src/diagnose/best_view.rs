//! Drops findings of a poor view of a transfer if a richer view names another cause of the same kind.

use super::asked::Dropped;
use super::finding::Finding;
use super::flow::Flow;
use evidence::Seen;
use std::collections::BTreeSet;

/// Causes with the same symptoms, and how well a view separates them.
type SimilarCauses = (&'static [&'static str], fn(&Flow) -> u8);

const SIMILAR_CAUSES: &[SimilarCauses] = &[
    (&["policer", "loss-response", "shallow-buffer", "timeouts", "offload-forwarding"], of_losses),
    (&["receiver-window", "send-buffer", "receiver-not-reading", "application-limited"], of_windows),
];

/// Smallest number of points in a series.
const MIN_POINTS: usize = 5;
/// Ratio of rates above which transfers are distinct.
const SAME_RATE_RATIO: f64 = 2.0;

/// Ranks how well a view locates losses: by each packet's fate, RTTs between round trips, RTTs between seconds, or
/// nothing.
fn of_losses(flow: &Flow) -> u8 {
    let has_rtts = flow.seen.points.iter().any(|point| point.srtt.is_some());
    match (flow.seen.packets.is_empty(), has_rtts) {
        (false, _) => 3,
        (true, true) => 1 + u8::from(flow.is_fine()),
        (true, false) => 0,
    }
}

/// Ranks how well a view tells which window or buffer is full: by the kernel's own count, the printed windows, or
/// nothing.
fn of_windows(flow: &Flow) -> u8 {
    let has = |of: fn(&evidence::Point) -> Option<f64>| flow.seen.points.iter().any(|point| of(point).is_some());
    match (flow.seen.limits.is_some(), has(|point| point.window)) {
        (true, _) => 2,
        (false, true) => 1,
        (false, false) => 0,
    }
}

/// Removes each finding of a view for which a richer view has a different finding of the same kind.
pub fn keep(found: Vec<Finding>, flows: &[Flow]) -> (Vec<Finding>, Vec<Dropped>) {
    let outdone: BTreeSet<usize> = SIMILAR_CAUSES.iter().flat_map(|kind| outdone(kind, &found, flows)).collect();
    let (dropped, kept): (Vec<_>, Vec<_>) =
        found.into_iter().enumerate().partition(|(number, _)| outdone.contains(number));
    let dropped = dropped.into_iter().map(|(_, finding)| Dropped {
        rule: finding.rule,
        connection: finding.about.map_or_else(String::new, |about| about.connection),
        why: "another view of the transfer shows more, and another cause".into(),
    });
    (kept.into_iter().map(|(_, finding)| finding).collect(), dropped.collect())
}

/// Whether this capture at the receiver is redundant, because a capture at the sender shows the same connection. The
/// sender's has each packet's fate and the queue; the receiver's only lets goodput guess them.
pub fn is_outseen(flow: &Flow, flows: &[Flow]) -> bool {
    let is_capture = |flow: &Flow, of: Seen| flow.seen.seen == of && !flow.seen.packets.is_empty();
    let is_same = |other: &Flow| flow.seen.ends.is_some() && other.seen.ends == flow.seen.ends;
    is_capture(flow, Seen::Receiver) && flows.iter().any(|other| is_capture(other, Seen::Sender) && is_same(other))
}

/// Returns the indices of the findings of one kind that a richer view contradicts.
fn outdone((kind, tells): &SimilarCauses, found: &[Finding], flows: &[Flow]) -> Vec<usize> {
    let tells: Vec<u8> = flows.iter().map(tells).collect();
    if tells.windows(2).all(|pair| pair[0] == pair[1]) {
        return vec![];
    }
    let of = |finding: &Finding| {
        let about = finding.about.as_ref()?;
        flows.iter().position(|flow| about.is(flow))
    };
    let own = found.iter().enumerate().filter(|(_, finding)| kind.contains(&finding.rule));
    let known: Vec<(usize, usize)> = own.filter_map(|(number, finding)| Some((number, of(finding)?))).collect();
    let is_richer = |flow: usize, own: usize| {
        let rates = flows[own].seen.goodput.zip(flows[flow].seen.goodput).map(|(own, other)| own / other);
        tells[flow] > tells[own]
            && flows[flow].seen.points.len() >= MIN_POINTS
            && rates.is_some_and(|times| (1.0 / SAME_RATE_RATIO..SAME_RATE_RATIO).contains(&times))
    };
    let says_same = |flow: usize, rule: &str| known.iter().any(|(other, of)| *of == flow && found[*other].rule == rule);
    let is_outdone = |(number, own): &(usize, usize)| {
        let rule = found[*number].rule;
        let another = known.iter().filter(|(other, _)| found[*other].rule != rule).map(|(_, flow)| *flow);
        another.filter(|flow| is_richer(*flow, *own)).any(|flow| !says_same(flow, rule))
    };
    known.iter().filter(|one| is_outdone(one)).map(|(number, _)| *number).collect()
}
