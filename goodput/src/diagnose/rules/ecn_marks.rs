use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::need::Need;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use crate::model::response;
use crate::show::{number, rate, share};

/// Fewer marks than this leave a window that fills most lines.
const MARKS: f64 = 0.001;
/// Losses that are this share of the marks are what holds it.
const LOSSES: f64 = 0.25;
/// A window of no more than this many times what the marks leave.
const TIMES: f64 = 8.0;
/// Above this share of its line a connection is not slow.
const FULL: f64 = 0.9;

/// See its row.
pub const RULE: Rule = Rule {
    name: "ecn-marks",
    title: "ECN marks hold cwnd down",
    needs: &[Need::LinkRate, Need::Retransmissions, Need::Window],
    model: "A sender that negotiated ECN backs off for each round trip with a CE mark as it does for a loss, and sends nothing \
            again. A queue that marks before it holds what the control needs leaves the line idle: 1.2/sqrt(p) segments for a \
            share p of marks.",
    source: "RFC 3168, 6.1.2; RFC 9438, 5.1; delivered_ce of ss",
    thresholds: &[
        (
            "0.1 % of the segments marked, and fewer than a quarter as many sent again",
            "then marks back it off, not losses",
        ),
        (
            "a cwnd of no more than eight times 1.2/sqrt(p) segments",
            "marks of one round trip count once, so that more than this is left",
        ),
        ("below 90 % of the link rate, and no window or buffer that binds", "a full line is marked as well"),
    ],
    confidence: "high: the marks and the window were counted",
    confirm: &[
        "nstat -az TcpExtTCPDeliveredCE",
        "sysctl -w net.ipv4.tcp_ecn=0 at one end: the same transfer without marks",
    ],
    alike: &[("bufferbloat", "the RTT rises: the queue marks late"), ("loss-response", "there are retransmissions")],
    explains: &["loss-response", "slow-start-exit", "short-flows"],
    remedies: remedies::marks,
    assumed: 0.6,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    view.flows.iter().filter_map(of).collect()
}

fn of(flow: &Flow) -> Option<Finding> {
    let marked = flow.seen.marked.filter(|marked| *marked >= MARKS)?;
    let lost = flow.retransmitted()?;
    let window = flow.median(|point| point.cwnd).or(flow.median(|point| point.in_flight))? / flow.mss;
    let left = response::reno_window(marked);
    if lost > LOSSES * marked || window > TIMES * left || flow.is_limited() || flow.is_bbr() || flow.has_queue() {
        return None;
    }
    let line = flow.expected().filter(|_| flow.fills(FULL) == Some(false))?;
    let goodput = flow.seen.goodput?;
    let says = format!(
        "ECN marks hold cwnd down: {} of the segments carry a mark, {} are sent again, and cwnd stays at {} segments: {} of {}.",
        share(marked),
        share(lost),
        number(window),
        rate(goodput),
        rate(line.value)
    );
    let finding = Finding::problem(RULE.name, Confidence::High, 1.0 - goodput / line.value, says)
        .at("segments with a CE mark", share(marked), &flow.seen.place)
        .at("median cwnd, or what is in flight", format!("{} segments", number(window)), &flow.seen.place)
        .figure("cwnd that so many marks leave Reno", format!("{} segments", number(left)), "response function");
    Some(finding.of(flow).sized(Sizes::of(flow)))
}
