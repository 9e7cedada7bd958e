use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use crate::quantity::State;
use base::show::{self, bytes, rate, share, time};

/// Share of the cwnd reached later below which slow start ended early.
const MAX_EXIT_CWND_SHARE: f64 = 0.5;
/// Smallest cwnd that HyStart ends, segments (hystart_low_window).
const HYSTART_MIN_SEGMENTS: f64 = 16.0;

/// Share of the time from which a phase is the main limit, and the share from which it is certain.
const MOST_OF_THE_TIME: f64 = 0.5;
const MIN_MAIN_TIME_SHARE: f64 = 0.8;
/// Largest growth ratio of a cwnd on a plateau.
const MAX_PLATEAU_GROWTH: f64 = 1.05;
/// Share of its link from which a connection is not slow.
const LINK_IS_FULL: f64 = 0.9;

/// The rule.
pub const RULE: Rule = Rule {
    name: "slow-start-exit",
    title: "Slow start exits too early",
    needs: &[Need::Window, Need::RoundTrips],
    model: "CUBIC's HyStart leaves slow start when the RTT rises by an eighth (4 to 16 ms) or an ACK train lasts half the min \
            RTT. Jitter and bursts do that on an idle path, too; cwnd then grows along the cubic curve for tens of RTTs.",
    source: "Ha and Rhee, HyStart, 2011; net/ipv4/tcp_cubic.c (hystart_update); RFC 9406",
    thresholds: || {
        vec![
            ("ssthresh set without any retransmission before".into(), "a loss ends slow start for another reason"),
            (
                format!("at less than {} of the cwnd reached later", show::plain_share(MAX_EXIT_CWND_SHARE)),
                "HyStart is meant to exit near the BDP",
            ),
            (format!("and of {} segments at the least", HYSTART_MIN_SEGMENTS), "HyStart leaves smaller windows alone"),
            (
                format!(
                    "without ssthresh: for {} of the time cwnd is used up and grows, and no loss has lowered it",
                    show::plain_share(MOST_OF_THE_TIME)
                ),
                "CUBIC behind an early end climbs by 0.4 t³ segments in t seconds, whatever the RTT (RFC 9438, 4.2)",
            ),
        ]
    },
    confidence: "high with cwnd and ssthresh over time; medium where cwnd grows and is used up for 80 % of the time and nothing was sent again, else low",
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
    view.flows.iter().filter_map(|flow| find_in_flow(flow).or_else(|| climbing(flow))).collect()
}

/// Finds it by the account: cwnd is in full use and grows for most of the time, and nothing has lowered it.
fn climbing(flow: &Flow) -> Option<Finding> {
    let climbs = flow.account_of_cwnd()?.share(State::Climbing);
    // A printed ssthresh decides instead.
    let told = flow.seen.points.iter().any(|point| point.ssthresh.is_some());
    let [first, last] = flow.counted_windows()?;
    let elsewhere = flow.is_limited() || flow.is_bbr() || flow.seen.target.is_some() || flow.seen.ecn == Some(true);
    let full = flow.expected().is_some() && flow.fills(LINK_IS_FULL) == Some(true);
    let room = flow.link_has_room();
    let asks = [
        flow.asks(
            RULE.name,
            "time for which cwnd climbs and nothing has lowered it",
            share(climbs),
            format!("{} or more", show::plain_share(MOST_OF_THE_TIME)),
            climbs >= MOST_OF_THE_TIME,
        ),
        flow.asks(
            RULE.name,
            "growth of cwnd",
            format!("{} to {}", bytes(first), bytes(last)),
            format!("{MAX_PLATEAU_GROWTH} times or more"),
            last >= MAX_PLATEAU_GROWTH * first,
        ),
        flow.asks(RULE.name, "room on the link", words(room), "not full", room != Some(false) && !full),
        flow.asks(
            RULE.name,
            "another limit: a window, a buffer, BBR, a target rate, ECN, a printed ssthresh",
            if told || elsewhere { "yes" } else { "no" },
            "no",
            !told && !elsewhere,
        ),
    ];
    if asks.contains(&false) {
        return None;
    }
    let (rtt, seconds) = (flow.base()?, flow.seconds?);
    let again = flow.seen.retransmitted.unwrap_or(0.0);
    let losses =
        if again > 0.0 { format!("{} segments sent again", show::count(again)) } else { "nothing lost".into() };
    let says = format!(
        "Slow start ended early, and cwnd was still growing: from {} to {} in {}, fully used, {losses}. {} on \
         average, {} at the end: the path has room for more, and a longer test averages more.",
        bytes(first),
        bytes(last),
        time(seconds),
        rate(flow.seen.goodput?),
        rate(flow.allowed_by(last)?)
    );
    // Reordering and a loss in slow start end it as well.
    let lossless = flow.seen.points.iter().all(|point| point.retransmitted.is_none_or(|again| again == 0.0));
    let confidence = if climbs > MIN_MAIN_TIME_SHARE && lossless { Confidence::Medium } else { Confidence::Low };
    let finding = Finding::problem(RULE.name, confidence, climbs * (1.0 - flow.seen.goodput? * rtt / 8.0 / last), says)
        .at("cwnd", format!("{} to {}", bytes(first), bytes(last)), &flow.seen.place)
        .figure("of cwnd in flight", share(flow.measured.window_used()?), "median of rate × RTT / cwnd")
        .at("time for which cwnd grows and has lost nothing", share(climbs), &flow.seen.place)
        .doubt("HyStart takes a jittering RTT for a queue; an ssthresh that an earlier connection left does the same.")
        .ask("iperf3 -c HOST -t 60: cwnd and goodput go on growing; -P 8 fills the path sooner");
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow)))
}

/// Describes whether a link has room.
pub(super) fn words(room: Option<bool>) -> &'static str {
    match room {
        Some(true) => "RTT stays as cwnd moves, or the peak rate is well above the mean",
        Some(false) => "full: RTT follows cwnd",
        None => "unknown: RTT and cwnd move too little",
    }
}

fn find_in_flow(flow: &Flow) -> Option<Finding> {
    let points = &flow.seen.points;
    let left = points.iter().position(|p| p.ssthresh.is_some()).filter(|at| *at > 0)?;
    let lossless = points[..=left].iter().all(|p| p.retransmitted.is_none_or(|n| n == 0.0));
    let (at, ssthresh) = (points[left], points[left].ssthresh?);
    let largest = points.iter().filter_map(|p| p.cwnd).fold(0.0, f64::max);
    let [base, middle, _] = flow.queueing()?;
    let empty = middle < 1.3 * base + 0.005;
    let reached = flow.expected().map_or(largest, |line| (line.value * base / 8.0).max(largest));
    let early = ssthresh < MAX_EXIT_CWND_SHARE * largest;
    let lower = ssthresh < HYSTART_MIN_SEGMENTS * flow.mss;
    // HyStart is CUBIC's; BBR sets ssthresh as it leaves STARTUP, and ignores it.
    let limited = flow.is_limited() || flow.is_bbr();
    let [start, end] = flow.seen.span?;
    // The cost lasts until cwnd reached nine tenths of its largest value.
    let grown = points.iter().find(|p| p.cwnd.is_some_and(|c| c > 0.9 * largest))?.time;
    let cost = (grown - at.time) / (end - start) * (1.0 - ssthresh / reached);
    if !lossless || !early || lower || !empty || limited || cost < 0.15 || !flow.seen.exchanges.is_empty() {
        return None;
    }
    let says = format!(
        "Slow start exited at {} without a loss, {} of the cwnd that the path can use. cwnd took {} to grow to that. \
         {} on average.",
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
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow)))
}
