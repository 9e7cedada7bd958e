use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use crate::show::{self, rate, share, time};
use crate::stats::percentile;

/// Timers of delayed ACKs, seconds: TCP_DELACK_MIN of Linux and FreeBSD's delacktime, and TCP_DELACK_MAX.
const DELAYED_ACK_TIMERS_S: [f64; 2] = [0.04, 0.2];
/// Duration of an exchange besides timer and RTT, seconds.
const EXCHANGE_SLACK_S: f64 = 0.012;

/// Smallest share of samples in which a part of a request waits for the ACK of another.
const MIN_HELD_SHARE: f64 = 0.3;
/// Smallest number of samples.
const MIN_SAMPLES: usize = 4;
/// Range of the RTT's mean excess over the path's, seconds: of two parts, one waits for the timer.
const LONGER_RTT_S: [f64; 2] = [0.012, 0.045];
/// Largest loss share.
const MAX_LOSS_SHARE: f64 = 0.02;

/// Smallest share of exchanges that a delayed-ACK timer lengthens.
const MIN_LATE_SHARE: f64 = 0.5;

/// The rule.
pub const RULE: Rule = Rule {
    name: "nagle-delayed-ack",
    title: "Nagle waits for delayed ACKs",
    needs: &[Need::Exchanges, Need::BaseRtt],
    model: "The application writes a request in two small parts: Nagle's algorithm holds back the second until the first is \
            ACKed, and the receiver delays that ACK by 40 ms (up to 200) in the hope of data to send it with.",
    source: "RFC 1122, 4.2.3.2 and 4.2.3.4; RFC 896; include/net/tcp.h (TCP_DELACK_MIN)",
    thresholds: || {
        vec![
            (
                format!(
                    "{} of the exchanges take one RTT plus {} or plus {}, give or take {}",
                    show::plain_share(MIN_LATE_SHARE),
                    show::plain_time(DELAYED_ACK_TIMERS_S[0]),
                    show::plain_time(DELAYED_ACK_TIMERS_S[1]),
                    show::plain_time(EXCHANGE_SLACK_S)
                ),
                "the delayed-ACK timers of Linux and FreeBSD; no path has such delays",
            ),
            ("without retransmissions".into(), "otherwise the 200 ms could be the minimum RTO"),
            (
                format!(
                    "or less than a segment in flight and less than another unsent in {} of the samples",
                    show::plain_share(MIN_HELD_SHARE)
                ),
                "that is what Nagle's algorithm does; nothing else holds back a part of a segment (tcp_nagle_check in \
                 net/ipv4/tcp_output.c)",
            ),
            (
                format!(
                    "or less than a segment in flight in the median, and RTTs {} to {} above the path's on the mean",
                    show::plain_time(LONGER_RTT_S[0]),
                    show::plain_time(LONGER_RTT_S[1])
                ),
                "the first part of a request is acknowledged after the timer, the second at once",
            ),
        ]
    },
    confidence: "high: most exchanges show the timer and the RTT is known, or the unsent part was seen; medium by RTTs",
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
    view.flows.iter().filter_map(|flow| of(flow).or_else(|| unsent(flow)).or_else(|| delayed(flow))).collect()
}

/// Returns the share of samples in which part of a segment waits while less than another is in flight.
fn held(flow: &Flow) -> Option<f64> {
    let part = |bytes: f64| bytes > 0.0 && bytes < flow.mss;
    let known: Vec<bool> =
        flow.seen.points.iter().filter_map(|p| Some(part(p.in_flight?) && part(p.unsent?))).collect();
    let held = known.iter().filter(|held| **held).count();
    (!known.is_empty()).then_some(held as f64 / known.len() as f64)
}

/// Finds it by ss: a part of a request is in flight, and the other one is held back.
fn unsent(flow: &Flow) -> Option<Finding> {
    let held = held(flow).filter(|held| *held >= MIN_HELD_SHARE)?;
    let says = format!(
        "Nagle waits for ACKs: in {} of the samples less than a segment is in flight and the rest of a request is held back. \
         The program writes it in parts; the receiver delays the ACK by up to 40 ms. Measured {}.",
        share(held),
        rate(flow.seen.goodput?)
    );
    // A single sample may be of any moment.
    let confidence = if flow.seen.points.len() >= MIN_SAMPLES { Confidence::High } else { Confidence::Medium };
    let waits = flow.queueing().is_some_and(|[base, middle, _]| middle - base >= LONGER_RTT_S[0]);
    let alone = || flow.median(|p| p.srtt).zip(flow.base()).is_some_and(|(srtt, base)| srtt - base >= LONGER_RTT_S[0]);
    if confidence == Confidence::Medium && !waits && !alone() {
        return None;
    }
    let mut finding = Finding::problem(RULE.name, confidence, held, says).at(
        "samples with a part held back",
        share(held),
        &flow.seen.place,
    );
    if let Some(middle) = flow.median(|point| point.srtt) {
        finding = finding.at("median RTT", time(middle), &flow.seen.place);
    }
    if let Some(rtt) = &flow.rtt {
        finding = finding.figure("RTT of the path", time(rtt.value), &rtt.from);
    }
    Some(finding.of(flow).sized(Sizes::of(flow)))
}

/// Finds it in a capture: hardly anything is in flight, all the time, and ACKs come late.
fn delayed(flow: &Flow) -> Option<Finding> {
    let busy = flow.seen.busy.filter(|_| flow.seen.exchanges.len() >= MIN_SAMPLES)?;
    let small = flow.median(|point| point.in_flight).is_some_and(|bytes| bytes < flow.mss);
    let [base, middle, _] = flow.queueing()?;
    let longer = (LONGER_RTT_S[0]..LONGER_RTT_S[1]).contains(&(middle - base));
    if !small || !longer || flow.retransmitted().is_some_and(|again| again > MAX_LOSS_SHARE) {
        return None;
    }
    let says = format!(
        "Nagle waits for delayed ACKs: less than a segment is in flight for {} of the time, and ACKs take {} where the path \
         takes {}. The program writes each request in parts. Measured {}.",
        share(busy),
        time(middle),
        time(base),
        rate(flow.seen.goodput?)
    );
    let finding = Finding::problem(RULE.name, Confidence::Medium, 1.0 - base / middle, says)
        .at("median RTT", time(middle), &flow.seen.place)
        .at("RTT of the path", time(base), &flow.seen.place)
        .at("time with something outstanding", share(busy), &flow.seen.place)
        .ask("strace -f -e trace=write,sendto -p PID: two writes for one request");
    Some(finding.of(flow).sized(Sizes::of(flow)))
}

fn of(flow: &Flow) -> Option<Finding> {
    let (exchanges, rtt) = (&flow.seen.exchanges, flow.rtt.as_ref()?);
    let middle = percentile(exchanges.clone(), 0.5).filter(|_| exchanges.len() >= 5)?;
    // The answer itself may take several round trips: the quickest exchanges are compared as well.
    let beyond = |took: f64| {
        DELAYED_ACK_TIMERS_S.iter().find(|timer| (took - rtt.value - **timer).abs() < EXCHANGE_SLACK_S).copied()
    };
    let timer = beyond(middle)?;
    let share_of =
        exchanges.iter().filter(|took| beyond(**took) == Some(timer)).count() as f64 / exchanges.len() as f64;
    let lossless = flow.seen.retransmitted.is_none_or(|n| n < 0.05 * exchanges.len() as f64);
    // Larger answers take several round trips of their own.
    let each = flow.seen.bytes.unwrap_or(0.0) / exchanges.len() as f64;
    if share_of < MIN_LATE_SHARE || !lossless || each > 10.0 * flow.mss {
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
