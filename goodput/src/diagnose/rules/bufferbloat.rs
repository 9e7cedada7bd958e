use crate::diagnose::cure;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::need::Need;
use crate::diagnose::rule::Rule;
use crate::diagnose::view::View;
use crate::show::{bytes, rate, time};

/// A queue that adds less than this many seconds disturbs nobody's call (ITU-T G.114 leaves 150 ms one way for all).
const MUCH: f64 = 0.04;
/// A loss-based control needs a queue of up to one round trip; more than this many is of no use to it.
const TOO_MANY: f64 = 1.4;

/// See its row.
pub const RULE: Rule = Rule {
    name: "bufferbloat",
    title: "A queue stands at the bottleneck",
    needs: &[Need::RoundTrips],
    model: "A loss-based control fills whatever buffer there is. What exceeds the BDP adds delay and no goodput: everything \
            else on the path waits in the same queue.",
    source: "Gettys and Nichols, CACM 55(1), 2012; RFC 7567; RFC 8289",
    thresholds: &[
        ("the queue adds 40 ms or more, in the middle of the run", "less than that disturbs nobody"),
        ("and 1.4 times the path's own round-trip time", "one BDP of buffer is what Reno needs"),
    ],
    confidence: "high: the connection's own RTTs, and its least one",
    confirm: &["ping HOST while the transfer runs, and while it does not"],
    alike: &[
        ("receiver-not-reading", "delays what the application sees, not the ping"),
        ("timeouts", "single large RTTs, not a steady rise"),
    ],
    explains: &["loss-response", "shallow-buffer", "slow-start-exit", "timeouts", "rate-cap", "policer"],
    cure: cure::queue,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    // Of those that share a queue, the ones that fill it.
    let fills = |flow: &&Flow| {
        let most = view.group(flow).filter_map(|other| other.seen.bytes).fold(0.0, f64::max);
        flow.seen.bytes.is_none_or(|bytes| bytes >= 0.1 * most)
    };
    view.flows.iter().filter(fills).filter_map(of).collect()
}

fn of(flow: &Flow) -> Option<Finding> {
    let [base, middle, high] = flow.queueing()?;
    let added = middle - base;
    if added < MUCH || added < TOO_MANY * base {
        return None;
    }
    let says = format!(
        "A queue of {} stands at the bottleneck: the round trip is {} instead of {} while {} arrive.",
        time(added),
        time(middle),
        time(base),
        rate(flow.seen.goodput?)
    );
    let mut finding = Finding::problem(RULE.name, Confidence::High, added / middle, says)
        .at("round-trip time, least", time(base), &flow.seen.place)
        .at("round-trip time, in the middle", time(middle), &flow.seen.place)
        .at("round-trip time, 95 %", time(high), &flow.seen.place);
    if let Some(goodput) = flow.seen.goodput {
        finding = finding.figure("queued, about", bytes(added * goodput / 8.0), "rise of the RTT × goodput");
    }
    Some(finding.of(flow).cured_by(cure::queue(&cure::sizes(flow))))
}
