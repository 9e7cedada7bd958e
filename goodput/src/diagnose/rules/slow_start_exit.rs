use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::need::Need;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use crate::show::{bytes, rate, share, time};

/// Slow start that was left below this share of the window that was reached later was left too early.
const EARLY: f64 = 0.5;
/// HyStart leaves a window below so many segments alone (hystart_low_window).
const LEAST: f64 = 16.0;
/// Of the BDP, where the line is known.
const FAR: f64 = 0.5;

/// See its row.
pub const RULE: Rule = Rule {
    name: "slow-start-exit",
    title: "Slow start exits too early",
    needs: &[Need::Window, Need::RoundTrips],
    model: "CUBIC's HyStart leaves slow start when the RTT rises by an eighth (4 to 16 ms) or an ACK train lasts half the min \
            RTT. Jitter and bursts do that on an idle path, too; cwnd then grows along the cubic curve for tens of RTTs.",
    source: "Ha and Rhee, HyStart, 2011; net/ipv4/tcp_cubic.c (hystart_update); RFC 9406",
    thresholds: &[
        ("ssthresh set without any retransmission before", "a loss ends slow start for another reason"),
        (
            "at less than half of the cwnd reached later, or of the BDP if the link rate is known",
            "HyStart is meant to exit near the BDP",
        ),
        ("and of 16 segments at the least", "HyStart leaves smaller windows alone"),
    ],
    confidence: "high with cwnd and ssthresh over time; never without",
    confirm: &[
        "nstat -az TcpExtTCPHystartTrainDetect TcpExtTCPHystartDelayDetect",
        "echo 0 > /sys/module/tcp_cubic/parameters/hystart, then run again",
    ],
    alike: &[
        ("cached-metrics", "ssthresh is there from the first segment on"),
        ("loss-response", "retransmissions come first"),
    ],
    explains: &["short-flows"],
    remedies: remedies::hystart,
    assumed: 0.0,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    view.flows.iter().filter_map(of).collect()
}

fn of(flow: &Flow) -> Option<Finding> {
    let points = &flow.seen.points;
    let left = points.iter().position(|p| p.ssthresh.is_some()).filter(|at| *at > 0)?;
    let lossless = points[..=left].iter().all(|p| p.retransmitted.is_none_or(|n| n == 0.0));
    let few = flow.retransmitted().is_none_or(|r| r < 0.0005);
    let (at, ssthresh) = (points[left], points[left].ssthresh?);
    let largest = points.iter().filter_map(|p| p.cwnd).fold(0.0, f64::max);
    let [base, middle, _] = flow.queueing()?;
    let empty = middle < 1.3 * base + 0.005;
    let reached = flow.expected().map_or(largest, |line| (line.value * base / 8.0).max(largest));
    let early =
        ssthresh < EARLY * largest || flow.expected().is_some_and(|line| ssthresh < FAR * line.value * base / 8.0);
    let lower = ssthresh < LEAST * flow.mss;
    let limited = flow.is_limited();
    let [start, end] = flow.seen.span?;
    // What it costs: until the window was at nine tenths of what it reached.
    let grown = points.iter().find(|p| p.cwnd.is_some_and(|c| c > 0.9 * largest))?.time;
    let cost = (grown - at.time) / (end - start) * (1.0 - ssthresh / reached);
    if !lossless || !few || !early || lower || !empty || limited || cost < 0.15 || !flow.seen.exchanges.is_empty() {
        return None;
    }
    let says = format!(
        "Slow start exited at {} without a loss, {} of what the path takes; growing there took until {}. {} on average.",
        bytes(ssthresh),
        share(ssthresh / reached),
        time(grown - start),
        rate(flow.seen.goodput?)
    );
    let finding = Finding::problem(RULE.name, Confidence::High, cost, says)
        .at("ssthresh", bytes(ssthresh), &flow.seen.place)
        .at("set after", time(at.time - start), &flow.seen.place)
        .at("largest cwnd later", bytes(largest), &flow.seen.place)
        .at("min and median RTT", format!("{}, {}", time(base), time(middle)), &flow.seen.place);
    Some(finding.of(flow).sized(Sizes::of(flow)))
}
