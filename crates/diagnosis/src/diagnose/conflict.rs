//! Finds contradictions between what a person says of a path and what was counted on it.

use super::flow::Flow;
use super::path_facts::{self, Given, Known, Origin};
use super::view::View;
use base::show::{rate, time};

/// Goodput over the stated rate up to which the two count as equal.
pub(super) const SAME_RATE_RATIO: f64 = 1.02;
/// Largest number of written bytes that may never have left the host: net.ipv4.tcp_wmem[2] of tuned hosts.
const MAX_UNSENT_BYTES: f64 = 64.0 * 1024.0 * 1024.0;
/// RTT ratio above which two RTTs belong to different paths.
const OTHER_RTT_RATIO: f64 = 1.5;

/// Returns the contradictions, each as a sentence with the action to take.
pub fn contradictions(view: &View) -> Vec<String> {
    let by_rate = view.flows.iter().filter_map(too_fast).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, said)| said);
    let by_rtt = view.flows.iter().find_map(|flow| other_rtt(flow, view));
    by_rate.into_iter().chain(by_rtt).collect()
}

/// Returns how many times the stated link rate arrived, with a sentence, if more arrived than the link can carry.
fn too_fast(flow: &Flow) -> Option<(f64, String)> {
    let (line, goodput, seconds) = (flow.expected()?, flow.seen.goodput?, flow.seconds?);
    let unsent = if flow.seen.written { MAX_UNSENT_BYTES } else { 0.0 };
    // A token bucket lets more than its rate through at first.
    let goodput = goodput.min(flow.later().unwrap_or(goodput));
    let least = goodput - 8.0 * unsent / seconds;
    (least > SAME_RATE_RATIO * line.value).then(|| {
        let correct = match line.from {
            Origin::Given => "Correct --rate: pass the rate of the slowest link on the path.",
            _ => "Pass the rate of the slowest link on the path as --rate.",
        };
        let said = format!(
            "{} arrived ({}), but the link should carry at most {} ({}). {correct}",
            rate(goodput),
            flow.seen.place,
            rate(line.value),
            line.from
        );
        (goodput / line.value, said)
    })
}

/// Reports an evident RTT that contradicts the given one: no queue makes an RTT shorter than the idle path's.
fn other_rtt(flow: &Flow, view: &View) -> Option<String> {
    let own = view.given.rtt?;
    let Known { value, from } = path_facts::base_rtt(flow.seen, view.evidence, Given { rtt: None, ..view.given })?;
    let longer = !matches!(from, Origin::Counted(_)) && value > OTHER_RTT_RATIO * own;
    (own > OTHER_RTT_RATIO * value || longer).then(|| {
        format!(
            "--rtt gives {}, but the evidence {} ({from}). goodput uses --rtt: omit it if it belongs to another path.",
            time(own),
            time(value)
        )
    })
}
