//! Several views of one transfer: where a richer one names another cause of the same kind, the poorer one's is not one.

use super::finding::Finding;
use super::flow::Flow;

/// Causes that look alike from afar, and how much a view tells of them.
type Kind = (&'static [&'static str], fn(&Flow) -> u8);

const KINDS: &[Kind] = &[
    (&["policer", "loss-response", "shallow-buffer", "timeouts", "offload-forwarding"], of_losses),
    (&["receiver-window", "send-buffer", "receiver-not-reading", "application-limited"], of_windows),
];

/// Fewer points are no course.
const COURSE: usize = 5;
/// Transfers whose rates differ by more are not alike.
const ALIKE: f64 = 2.0;

/// What tells where packets are lost: each packet's fate, round-trip times between round trips or between seconds.
fn of_losses(flow: &Flow) -> u8 {
    let has_rtts = flow.seen.points.iter().any(|point| point.srtt.is_some());
    match (flow.seen.packets.is_empty(), has_rtts) {
        (false, _) => 3,
        (true, true) => 1 + u8::from(flow.is_fine()),
        (true, false) => 0,
    }
}

/// What tells which window or buffer is full: the kernel's own count, or what was printed of them.
fn of_windows(flow: &Flow) -> u8 {
    let has = |of: fn(&evidence::Point) -> Option<f64>| flow.seen.points.iter().any(|point| of(point).is_some());
    match (flow.seen.limits.is_some(), has(|point| point.window)) {
        (true, _) => 2,
        (false, true) => 1,
        (false, false) => 0,
    }
}

/// Without findings of a view for which a richer one has another of the same kind.
pub fn keep(found: Vec<Finding>, flows: &[Flow]) -> Vec<Finding> {
    let of = |finding: &Finding| {
        let about = finding.about.as_ref()?;
        flows.iter().find(|flow| flow.seen.place == about.place && flow.seen.name == about.connection)
    };
    let is_outdone = |finding: &Finding| {
        let Some((kind, tells)) = KINDS.iter().find(|(kind, _)| kind.contains(&finding.rule)) else { return false };
        let Some(own) = of(finding) else { return false };
        let richer = |flow: &&Flow| {
            let rates = own.seen.goodput.zip(flow.seen.goodput).map(|(own, other)| own / other);
            tells(flow) > tells(own)
                && flow.seen.points.len() >= COURSE
                && rates.is_some_and(|times| (1.0 / ALIKE..ALIKE).contains(&times))
        };
        let says = |flow: &Flow, same: bool| {
            let about_it = |other: &&Finding| of(other).is_some_and(|of| std::ptr::eq(of, flow));
            found
                .iter()
                .filter(about_it)
                .any(|other| kind.contains(&other.rule) && (other.rule == finding.rule) == same)
        };
        flows.iter().filter(richer).any(|flow| says(flow, false) && !says(flow, true))
    };
    let outdone: Vec<bool> = found.iter().map(is_outdone).collect();
    found.into_iter().zip(outdone).filter(|(_, outdone)| !outdone).map(|(finding, _)| finding).collect()
}
