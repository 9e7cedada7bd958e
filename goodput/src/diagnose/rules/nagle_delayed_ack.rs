use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::need::Need;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use crate::show::{share, time};
use crate::stats::percentile;

/// Timers of delayed ACKs: TCP_DELACK_MIN of Linux and FreeBSD's delacktime, and TCP_DELACK_MAX, seconds.
const TIMERS: [f64; 2] = [0.04, 0.2];
/// What an exchange takes beside timer and round trip, seconds.
const SLACK: f64 = 0.012;

/// See its row.
pub const RULE: Rule = Rule {
    name: "nagle-delayed-ack",
    title: "Nagle waits for delayed ACKs",
    needs: &[Need::Exchanges, Need::BaseRtt],
    model: "The application writes a request in two small parts: Nagle's algorithm holds back the second until the first is \
            ACKed, and the receiver delays that ACK by 40 ms (up to 200) in the hope of data to send it with.",
    source: "RFC 1122, 4.2.3.2 and 4.2.3.4; RFC 896; include/net/tcp.h (TCP_DELACK_MIN)",
    thresholds: &[
        (
            "half of the exchanges take one RTT plus 28 to 52 ms, or plus 188 to 212 ms",
            "the delayed-ACK timers of Linux and FreeBSD; no path has such delays",
        ),
        ("without retransmissions", "otherwise the 200 ms could be the minimum RTO"),
    ],
    confidence: "high: most exchanges show the timer, and the RTT is known",
    confirm: &[
        "strace -f -e trace=write,sendto -p PID: two writes for one request",
        "nstat -az TcpExtDelayedACKs",
        "the same run with TCP_NODELAY",
    ],
    alike: &[("timeouts", "there are retransmissions"), ("idle-restart", "grows with the size of the response")],
    explains: &["application-limited", "short-flows", "idle-restart"],
    remedies: remedies::nodelay,
    assumed: 0.0,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    view.flows.iter().filter_map(of).collect()
}

fn of(flow: &Flow) -> Option<Finding> {
    let (exchanges, rtt) = (&flow.seen.exchanges, flow.rtt.as_ref()?);
    let middle = percentile(exchanges.clone(), 0.5).filter(|_| exchanges.len() >= 5)?;
    // The answer itself may take several round trips: compare the quickest as well.
    let beyond = |took: f64| TIMERS.iter().find(|timer| (took - rtt.value - **timer).abs() < SLACK).copied();
    let timer = beyond(middle)?;
    let share_of =
        exchanges.iter().filter(|took| beyond(**took) == Some(timer)).count() as f64 / exchanges.len() as f64;
    let lossless = flow.seen.retransmitted.is_none_or(|n| n < 0.05 * exchanges.len() as f64);
    // Larger answers take several round trips of their own.
    let each = flow.seen.bytes.unwrap_or(0.0) / exchanges.len() as f64;
    if share_of < 0.5 || !lossless || each > 10.0 * flow.mss {
        return None;
    }
    let says = format!(
        "Nagle waits for delayed ACKs: exchanges take {}, of which the RTT is {} and the {} delayed-ACK timer the rest.",
        time(middle),
        time(rtt.value),
        time(timer)
    );
    let finding = Finding::problem(RULE.name, Confidence::High, timer / middle, says)
        .at("median exchange", time(middle), &flow.seen.place)
        .figure("RTT", time(rtt.value), &rtt.from)
        .at("exchanges showing the timer", share(share_of), &flow.seen.place);
    Some(finding.of(flow).sized(Sizes::of(flow)))
}
