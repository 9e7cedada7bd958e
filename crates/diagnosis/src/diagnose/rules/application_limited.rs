use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow;
use crate::diagnose::flow::{Flow, MIN_BUSY_SHARE};
use crate::diagnose::own_time;
use crate::diagnose::own_time::{MAX_PACED_VARIATION, NEARLY_FULL_LINK_SHARE};
use crate::diagnose::rate_regularity::Seconds;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use base::show::{self, rate, share};
use std::cell::LazyCell;

/// Delivered share of what cwnd allows below which the application limits.
const MAX_USED_SHARE: f64 = 0.6;
/// Largest share of points with data waiting to be sent.
const MAX_WAITING_POINTS_SHARE: f64 = 0.2;
/// Delivered share below which an application limits at a rate that losses do not change.
const MAX_PACED_USED_SHARE: f64 = 0.8;
/// Smallest share of seconds with losses, if the rate varies a little.
const MIN_LOSSY_SECONDS_SHARE: f64 = 0.5;
/// Idle share of the time above which nothing else limits: the connection's own bursts may queue.
const MIN_IDLE_SHARE: f64 = 0.3;
/// Smallest share of the largest connection's bytes that makes a transfer.
const MIN_BULK_SHARE: f64 = 0.01;

/// The rule.
pub const RULE: Rule = Rule {
    name: "application-limited",
    title: "Application-limited",
    needs: &[Need::Limits],
    model: "TCP can only send what it is given. While nothing is outstanding (busy time stops), or both windows have room \
            and the send buffer holds nothing unsent, the sender is waiting for its application.",
    source: "tcp_info: tcpi_busy_time, tcpi_notsent_bytes (include/uapi/linux/tcp.h); RFC 7661, 2",
    thresholds: || {
        vec![
            (
                format!(
                    "busy less than {} of the time: by tcp_info, or by a capture, a closed receive window counted as \
                     busy",
                    show::plain_share(flow::MIN_BUSY_SHARE)
                ),
                "iperf and file transfers are busy more than 95 %",
            ),
            (
                format!(
                    "or less than {} of cwnd/SRTT is delivered, and nothing is unsent in {} of the samples",
                    show::plain_share(MAX_USED_SHARE),
                    show::plain_share(1.0 - MAX_WAITING_POINTS_SHARE)
                ),
                "a sender with data delivers one window per RTT or has data waiting",
            ),
            (
                format!(
                    "or {} of the rate that iperf3 was told to keep to (-b)",
                    show::plain_share(flow::TARGET_REACHED_SHARE)
                ),
                "nothing else then holds it",
            ),
            (
                format!(
                    "or a rate that varies by less than {} between seconds with losses in {} of them, and less than \
                     {} of cwnd/SRTT is delivered",
                    show::plain_share(MAX_PACED_VARIATION),
                    show::plain_share(MIN_LOSSY_SECONDS_SHARE),
                    show::plain_share(flow::MIN_DELIVERED_WINDOW_SHARE)
                ),
                "losses change the rate of a sender with data; a token bucket adds its bursts",
            ),
            (
                format!(
                    "or, in a capture on a line that has room, {} of the bursts sent without an ACK, by more than \
                     chance, at a rate that varies by less than {}",
                    show::plain_share(own_time::MIN_OWN_BURSTS_SHARE),
                    show::plain_share(MAX_PACED_VARIATION)
                ),
                "a sender with data sends when an ACK arrives; one that is paced sends at its own time too, and \
                 losses change its rate",
            ),
        ]
    },
    confidence: "high: counters or the command; medium from a capture, a constant rate or one screen of ss; never from throughput alone",
    confirm: &["strace -c -p PID", "ss -tin dst HOST (app_limited; lastsnd grows)"],
    alike: &[
        ("receiver-window", "then rwnd_limited grows"),
        ("send-buffer", "then sndbuf_limited grows"),
        ("nagle-delayed-ack", "the application waits for responses that a timer delays"),
    ],
    explains: &[],
    remedies: remedies::application,
    assumed: 0.5,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    // A control connection or an idle session is not a transfer.
    let carries = |flow: &&Flow| {
        let most = view.group(flow).filter_map(|other| other.seen.bytes).fold(10.0 * flow.mss, f64::max);
        flow.seen.bytes.is_some_and(|bytes| bytes > MIN_BULK_SHARE * most)
    };
    let told: Vec<Finding> = view.flows.iter().filter_map(find_at_requested_rate).collect();
    let policed = LazyCell::new(|| !super::policer::of_flows(&view.flows, view).is_empty());
    if told.is_empty() {
        view.flows.iter().filter(carries).filter_map(|flow| find_idle_sender(flow, &policed)).collect()
    } else {
        told
    }
}

/// Finds a rate that iperf3 was given and reaches.
fn find_at_requested_rate(flow: &Flow) -> Option<Finding> {
    let (target, goodput) = (flow.seen.target?, flow.seen.goodput?);
    if !flow.keeps_to_rate() {
        return None;
    }
    let says = format!(
        "Application-limited: iperf3 was told to send {} per stream (-b, --fq-rate) and gets {}. The path may carry more.",
        rate(target),
        rate(goodput)
    );
    let finding = Finding::problem(RULE.name, Confidence::High, RULE.assumed, says)
        .at("rate asked for", rate(target), &flow.seen.place)
        .at("goodput", rate(goodput), &flow.seen.place);
    Some(finding.about_flow(flow).with_remedies(remedies::unpaced()))
}

fn find_idle_sender(flow: &Flow, policed: &LazyCell<bool, impl FnOnce() -> bool>) -> Option<Finding> {
    // The handshake takes a round trip.
    let greeting = flow.base().zip(flow.seconds).map_or(0.0, |(rtt, seconds)| rtt / seconds);
    let idle = (1.0 - flow.busy()? - greeting).max(0.0);
    let waiting = flow.waiting();
    let [rwnd, sndbuf] = flow.seen.limits.map_or([0.0; 2], |limits| [limits.rwnd, limits.sndbuf]);
    // A capture of a transfer of a few round trips is idle during the handshakes, and a transfer held back by a queue
    // or a policer is not idle only for lack of data.
    let captured = flow.seen.limits.is_none();
    let queued = || flow.own_burst().map_or(flow.has_queue(), |own| flow.is_raised(own) == Some(true));
    let elsewhere = || flow.is_brief() || idle < MIN_IDLE_SHARE && (queued() || **policed);
    let unused = flow.window_used().is_some_and(|used| used < MAX_USED_SHARE);
    let has_room = unused && waiting.is_some_and(|w| w < MAX_WAITING_POINTS_SHARE);
    let lossless = flow.retransmitted().is_none_or(|r| r < 0.01);
    let alike = Seconds::from_flow(flow).filter(|seconds| idles_between(flow, seconds));
    let has_room_to_pace = flow.window_used().is_some_and(|used| used < MAX_PACED_USED_SHARE)
        && flow.fills(NEARLY_FULL_LINK_SHARE) != Some(true);
    // While nothing is outstanding, no loss is being repaired either.
    let counted = idle > 1.0 - MIN_BUSY_SHARE || has_room && lossless;
    let paced = alike.filter(|_| !counted && has_room_to_pace && !flow.has_queue() && !flow.is_bbr());
    let own_time = flow.is_at_its_own_time();
    let waits = counted || paced.is_some() || own_time;
    if rwnd > 0.2 || sndbuf > 0.2 || !waits || captured && !own_time && elsewhere() {
        return None;
    }
    let goodput = flow.seen.goodput?;
    let says = match &paced {
        _ if own_time => format!(
            "Application-limited at {}: the program writes piece by piece, and TCP sends each piece at once.",
            rate(goodput)
        ),
        Some(_) => format!(
            "Application-limited: {} in each second, whatever is lost, though cwnd allows more. The program or a \
             pacer limits the rate.",
            rate(goodput)
        ),
        None => format!(
            "Application-limited at {}: {} the sender has nothing to send while both windows have room.",
            rate(goodput),
            if has_room || idle > 0.5 { "most of the time".into() } else { format!("for {} of the time", share(idle)) }
        ),
    };
    let cost = if own_time || has_room || paced.is_some() { idle.max(RULE.assumed) } else { idle };
    // The duration of a connection on one screen is inferred, and it may have ended.
    let inferred = captured || paced.is_some() || flow.seen.screen.is_some();
    let confidence = if inferred { Confidence::Medium } else { Confidence::High };
    let finding = Finding::problem(RULE.name, confidence, cost, says).at(
        "idle, nothing outstanding",
        share(idle),
        &flow.seen.place,
    );
    let finding = match (flow.cwnd_filled(0.8), waiting) {
        (Some(filled), Some(waiting)) => finding.at("samples with cwnd full", share(filled), &flow.seen.place).at(
            "samples with unsent data",
            share(waiting),
            &flow.seen.place,
        ),
        _ => finding,
    };
    let finding = match flow.seen.own_pace.filter(|_| own_time) {
        Some(share_of) => finding.at("bursts sent at the program's own time", share(share_of), &flow.seen.place),
        None => finding,
    };
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow)))
}

/// Whether a part of cwnd is unused although losses keep it small, at a constant rate: blocks that a program hands
/// over fill cwnd each time it is sampled.
fn idles_between(flow: &Flow, seconds: &Seconds) -> bool {
    seconds.lossy >= MIN_LOSSY_SECONDS_SHARE && seconds.varies < MAX_PACED_VARIATION && flow.leaves_window_unused()
}
