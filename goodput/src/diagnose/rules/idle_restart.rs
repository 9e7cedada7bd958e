use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding, Severity};
use crate::diagnose::flow::Flow;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use crate::model::response;
use crate::show::{self, bytes, time};

/// Largest ratio of cwnd after a pause to cwnd before: it falls to the initial window, or by half per RTO of pause.
const MAX_RESTART_CWND_RATIO: f64 = 0.7;
/// Share of the busy time that regrowth must take; below it the program limits.
const MIN_REGROWTH_TIME_SHARE: f64 = 0.25;

/// Share of the time above which a sender is never idle: TCP_INFO counts its busy time.
const MAX_BUSY_SHARE: f64 = 0.99;

/// Smallest number of resets: one may be the end of the transfer.
const MIN_RESTARTS: usize = 2;

/// The rule.
pub const RULE: Rule = Rule {
    name: "idle-restart",
    title: "cwnd resets after idle",
    needs: &[Need::Window],
    model: "After an idle period of one RTO, cwnd is halved for each RTO that passed, down to the initial window (10 \
            segments). An application that sends in bursts pays for slow start with every burst.",
    source: "RFC 5681, 4.1; net/ipv4/tcp_output.c (tcp_cwnd_restart); net.ipv4.tcp_slow_start_after_idle",
    thresholds: || {
        vec![
            (
                format!(
                    "cwnd falls by {} or more without a retransmission, after an idle period",
                    show::plain_share(1.0 - MAX_RESTART_CWND_RATIO)
                ),
                "losses reduce it for another reason",
            ),
            (format!("at least {} times", MIN_RESTARTS), "once may be the end of the transfer"),
            (
                format!(
                    "a note, where growing back to the window that fills the line takes {} or less of the time in \
                     which it is busy",
                    show::plain_share(MIN_REGROWTH_TIME_SHARE)
                ),
                "what its program waits for takes the rest",
            ),
        ]
    },
    confidence: "high with cwnd over time",
    confirm: &["sysctl net.ipv4.tcp_slow_start_after_idle", "ss -tin dst HOST: cwnd after an idle period"],
    alike: &[
        ("short-flows", "a new connection for each response"),
        ("application-limited", "idle periods, and cwnd does not matter"),
    ],
    explains: &["short-flows"],
    remedies: remedies::idle,
    assumed: 0.5,
    find,
};

/// Counts falls of cwnd without a loss.
fn restarts(flow: &Flow) -> usize {
    let mut count = 0;
    for pair in flow.seen.points.windows(2) {
        let (Some(before), Some(now)) = (pair[0].cwnd, pair[1].cwnd) else { continue };
        let lost = pair[1].retransmitted.is_some_and(|n| n > 0.0) || pair[0].retransmitted.is_some_and(|n| n > 0.0);
        let same_threshold = match (pair[0].ssthresh, pair[1].ssthresh) {
            (Some(a), Some(b)) => b >= 0.7 * a,
            (None, Some(_)) | (None, None) => true,
            (Some(_), None) => false,
        };
        if now < MAX_RESTART_CWND_RATIO * before && now <= 10.5 * flow.mss + 0.7 * before && !lost && same_threshold {
            count += 1;
        }
    }
    count
}

fn find(view: &View) -> Vec<Finding> {
    // A program that reaches its target rate waits for nothing.
    if view.flows.iter().any(Flow::keeps_to_rate) {
        return vec![];
    }
    view.flows.iter().filter_map(of).collect()
}

fn of(flow: &Flow) -> Option<Finding> {
    let restarts = restarts(flow);
    let few = flow.retransmitted().is_none_or(|r| r < 0.002);
    let control = flow.control.as_ref().map_or("", |control| &control.name);
    // iperf3 and nuttcp write all they can unless given a rate; marks lower cwnd without a loss as well.
    let writes_always = flow.seen.written || flow.seen.source == evidence::Source::Nuttcp;
    let never_idle = writes_always && flow.seen.target.is_none();
    let marked = flow.seen.marked.is_some_and(|marked| marked > 0.0);
    let always_busy = flow.busy().is_some_and(|busy| busy > MAX_BUSY_SHARE);
    if restarts < MIN_RESTARTS || !few || never_idle || always_busy || marked || response::is_bbr(control) {
        return None;
    }
    let largest = flow.seen.points.iter().filter_map(|p| p.cwnd).fold(0.0, f64::max);
    if largest < 15.0 * flow.mss {
        return None;
    }
    let says =
        format!("cwnd resets after idle: {restarts} times it fell without a loss, from up to {}.", bytes(largest));
    // Share of the time for regrowth, up to the window that fills the link.
    let fills = flow.expected().zip(flow.base()).map(|(line, rtt)| line.value * flow.payload() * rtt / 8.0);
    let rounds = (largest.min(fills.unwrap_or(largest)) / (10.0 * flow.mss)).log2().max(1.0);
    let lost =
        flow.base().zip(flow.seconds).map_or(RULE.assumed, |(rtt, seconds)| restarts as f64 * rounds * rtt / seconds);
    let busy = flow.seen.limits.map(|limits| limits.busy);
    let idle = busy.map_or(0.0, |busy| 1.0 - busy);
    let much = busy.is_none_or(|busy| lost > MIN_REGROWTH_TIME_SHARE * busy);
    let cost = if idle > 0.6 && much && flow.seen.exchanges.is_empty() { idle + 0.01 } else { lost };
    let mut finding = Finding::problem(RULE.name, Confidence::High, cost, says)
        .at("cwnd resets without a loss", restarts.to_string(), &flow.seen.place)
        .at("largest cwnd", bytes(largest), &flow.seen.place)
        .figure("initial window", bytes(10.0 * flow.mss), "RFC 6928");
    if !much {
        finding.severity = Severity::Note;
    }
    if let Some(rtt) = &flow.rtt {
        finding = finding.figure(
            "to grow back each time",
            time(rounds * rtt.value),
            format!("{} RTTs", show::number(rounds)),
        );
    }
    Some(finding.of(flow).sized(Sizes::of(flow)))
}
