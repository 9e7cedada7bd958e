use crate::diagnose::cure;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::need::Need;
use crate::diagnose::rule::Rule;
use crate::diagnose::view::View;
use crate::show::{self, bytes, rate, time};
use crate::stats::percentile;

/// A transfer of more round trips than this has left slow start, if anything let it.
const ROUNDS: f64 = 14.0;

/// See its row.
pub const RULE: Rule = Rule {
    name: "short-flows",
    title: "Transfers end in slow start",
    needs: &[Need::Window, Need::BaseRtt],
    model: "A transfer of S segments takes log2(S/IW + 1) round trips in slow start, whatever the line carries. One that ends \
            there is bound by the round-trip time and the initial window.",
    source: "RFC 6928; RFC 9293; Cardwell et al., INFOCOM 2000",
    thresholds: &[
        ("no loss, the window still doubles, ssthresh not reached", "what ends slow start is not there yet"),
        ("at most 14 round trips in all", "2^14 initial windows fill any line"),
    ],
    confidence: "high with the window over time or the size of the exchanges; medium otherwise",
    confirm: &["ss -tin dst HOST at the end: no ssthresh", "a longer transfer over the same path is faster"],
    alike: &[
        ("slow-start-exit", "slow start is left, far below the BDP"),
        ("application-limited", "pauses between writes"),
    ],
    explains: &["application-limited"],
    cure: cure::short,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    view.flows.iter().filter_map(|flow| of_bulk(flow).or_else(|| of_exchanges(flow))).collect()
}

fn of_bulk(flow: &Flow) -> Option<Finding> {
    let (rtt, seconds, segments) = (flow.rtt.as_ref()?, flow.seconds?, flow.segments?);
    let rounds = seconds / rtt.value;
    let ideal = (segments / 10.0 + 1.0).log2();
    let lossless = flow.seen.retransmitted.is_some_and(|n| n == 0.0);
    let starts = flow.seen.points.iter().all(|p| p.ssthresh.is_none());
    let has_window = flow.seen.points.iter().any(|p| p.cwnd.is_some());
    let limited = flow.seen.limits.is_some_and(|l| l.rwnd > 0.3 || l.sndbuf > 0.3);
    let fast_enough = rounds < ideal + 4.0;
    if !flow.seen.exchanges.is_empty()
        || !lossless
        || !starts
        || !has_window
        || limited
        || rounds > ROUNDS
        || !fast_enough
        || seconds < 2.0 * rtt.value
    {
        return None;
    }
    let says = format!(
        "The transfer ends in slow start: {} take {} round trips of {}, {} on the mean, and the window was still growing.",
        bytes(flow.seen.bytes?),
        show::number(rounds),
        time(rtt.value),
        rate(flow.seen.goodput?)
    );
    let finding = Finding::problem(RULE.name, Confidence::High, 0.5, says)
        .at("payload", bytes(flow.seen.bytes?), &flow.seen.place)
        .figure("round-trip time", time(rtt.value), &rtt.from)
        .figure("round trips that slow start needs", show::number(ideal.max(1.0)), "log2(S/10 + 1), and 1 to connect")
        .at("slow-start threshold", "none: slow start was not left", &flow.seen.place);
    Some(finding.of(flow).cured_by(cure::short(&cure::sizes(flow))))
}

/// Answers of more than an initial window that take several round trips each.
fn of_exchanges(flow: &Flow) -> Option<Finding> {
    let (rtt, exchanges) = (flow.rtt.as_ref()?, &flow.seen.exchanges);
    let middle = percentile(exchanges.clone(), 0.5).filter(|_| exchanges.len() >= 2)?;
    let each = flow.seen.bytes? / exchanges.len() as f64 / flow.mss;
    let rounds = middle / rtt.value;
    let ideal = (each / 10.0 + 1.0).log2().ceil();
    let lossless = flow.seen.retransmitted.is_some_and(|n| n == 0.0);
    let starts = flow.seen.points.iter().all(|p| p.ssthresh.is_none());
    if !lossless
        || !starts
        || each < 15.0
        || rounds < 2.0
        || rounds > ideal + 2.0
        || super::idle_restart::restarts(flow) > 0
    {
        return None;
    }
    let says = format!(
        "Answers of {} take {} round trips of {} each: they end in slow start.",
        bytes(each * flow.mss),
        show::number(rounds),
        time(rtt.value)
    );
    let finding = Finding::problem(RULE.name, Confidence::Medium, 0.5, says)
        .at("answer", bytes(each * flow.mss), &flow.seen.place)
        .at("exchange, in the middle", time(middle), &flow.seen.place)
        .figure("round-trip time", time(rtt.value), &rtt.from);
    Some(finding.of(flow).cured_by(cure::short(&cure::sizes(flow))))
}
