use crate::diagnose::cure;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::need::Need;
use crate::diagnose::rule::Rule;
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
    title: "Exchanges wait for a delayed ACK",
    needs: &[Need::Exchanges, Need::BaseRtt],
    model: "A request written in two small parts: Nagle's algorithm holds the second until the first is acknowledged, and the \
            receiver delays that ACK by 40 ms (up to 200) as it waits for something to send along.",
    source: "RFC 1122, 4.2.3.2 and 4.2.3.4; RFC 896; include/net/tcp.h (TCP_DELACK_MIN)",
    thresholds: &[
        (
            "half of the exchanges take a round trip and 28 to 52 ms, or 188 to 212 ms",
            "the timers of Linux and FreeBSD; nothing on a path has them",
        ),
        ("without retransmissions", "RTO_MIN is 200 ms as well"),
    ],
    confidence: "high: most exchanges show the timer, and the RTT is known",
    confirm: &[
        "strace -f -e trace=write,sendto -p PID: two writes for one request",
        "nstat -az TcpExtDelayedACKs",
        "the same with TCP_NODELAY",
    ],
    alike: &[("timeouts", "then there are retransmissions"), ("idle-restart", "grows with the size of the answer")],
    explains: &["application-limited", "short-flows", "idle-restart"],
    cure: cure::nodelay,
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
        "Exchanges wait for a delayed ACK: they take {}, the round trip is {}, and the rest is the timer of {}.",
        time(middle),
        time(rtt.value),
        time(timer)
    );
    let finding = Finding::problem(RULE.name, Confidence::High, timer / middle, says)
        .at("exchange, in the middle", time(middle), &flow.seen.place)
        .figure("round-trip time", time(rtt.value), &rtt.from)
        .at("exchanges that show the timer", share(share_of), &flow.seen.place);
    Some(finding.of(flow).cured_by(cure::nodelay(&cure::sizes(flow))))
}
