use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding, Severity};
use crate::diagnose::flow::Flow;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::speed;
use crate::diagnose::view::View;
use crate::quantity::HELD;
use crate::remedy::{Remedy, Side};
use base::show::{self, bytes, rate, share, time};

/// Share of the time without cwnd as the limit from which no other cause remains.
const MOST_OF_THE_TIME: f64 = 0.5;
/// Log odds from which the bytes in flight alone show a limit other than cwnd.
const MIN_LOG_ODDS: f64 = 10.0;
/// Log odds below which the bytes in flight speak for a full cwnd: e times.
const MIN_RATE_LOG_ODDS: f64 = -1.0;
/// Share of the link below which it has room for more.
const LINK_HAS_ROOM: f64 = 0.8;
/// Share of its link from which a connection is not slow.
const LINK_IS_FULL: f64 = 0.9;
/// Largest relative distance of a steady rate from its median, and the smallest share of the time within it.
const STEADY_WITHIN: f64 = 0.15;
const STEADY_TIME: f64 = 0.7;
/// Tolerance for the receiver running longer by as much as cwnd takes, and the delay of the ACK to the request that
/// ended the run, seconds.
const END_DELAY_SHARE: f64 = 0.5;
const DELAYED_ACK_S: f64 = 0.05;
/// Largest window without scaling (RFC 9293, 3.1), bytes.
const UNSCALED_WINDOW_BYTES: f64 = 65_535.0;
const NEAR_UNSCALED_RATIO: std::ops::Range<f64> = 0.85..1.02;
/// Range of the payload in flight over the requested buffers: from half in memory to all of the doubled size.
const IN_FLIGHT_BUFFER_RATIO: std::ops::RangeInclusive<f64> = 0.5..=2.0;

/// The rule.
pub const RULE: Rule = Rule {
    name: "window-or-buffer",
    title: "Limited by a window, a buffer or a program",
    needs: &[Need::BaseRtt, Need::Window],
    model: "A sender with data keeps cwnd full, rate × RTT = cwnd, and a full cwnd grows. If cwnd stays and a part of it goes \
            unused, something else limits: the receive window, the send buffer, or a program that reads or writes too slowly.",
    source: "Little's law; net/ipv4/tcp_input.c (tcp_is_cwnd_limited)",
    thresholds: || {
        vec![
            (
                format!(
                    "for {} of the time cwnd is not what limits, by rate × RTT over cwnd (with the idle RTT where none is printed) and by whether cwnd moves",
                    show::plain_share(MOST_OF_THE_TIME)
                ),
                "what limits for most of the time costs most; a few losses beside it cost nothing while cwnd is not \
                 used up",
            ),
            (
                format!(
                    "without cwnd: a steady rate of which a round trip takes {} to {} times what -w asked for, or \
                     that loses nothing below {} of the link",
                    IN_FLIGHT_BUFFER_RATIO.start(),
                    IN_FLIGHT_BUFFER_RATIO.end(),
                    show::plain_share(LINK_HAS_ROOM)
                ),
                "Linux doubles what is asked for, and a segment takes up to twice its payload",
            ),
        ]
    },
    confidence: "medium if what is in flight shows it by itself, or -w asked for buffers of that size; low otherwise",
    confirm: &["ss -tin dst HOST at the sender while it runs (rwnd_limited, sndbuf_limited, app_limited)"],
    alike: &[
        ("receiver-window", "rwnd_limited grows"),
        ("send-buffer", "sndbuf_limited grows"),
        ("application-limited", "neither grows, and the sender is not busy"),
        ("rate-cap", "the sender's own interface is full: more connections don't add up to more"),
    ],
    explains: &[],
    remedies: |sizes| {
        [remedies::unknown_window(Side::Receive, sizes), remedies::unknown_window(Side::Send, sizes)].concat()
    },
    assumed: 0.5,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let of = |flow: &Flow| by_account(flow).or_else(|| stays(flow)).or_else(|| asked(flow)).or_else(|| lossless(flow));
    view.flows.iter().filter_map(of).collect()
}

/// Whether the evidence names the window or the buffer itself.
fn is_named(flow: &Flow) -> bool {
    flow.seen.limits.is_some() || flow.seen.points.iter().any(|point| point.window.is_some())
}

/// Whether the program, the congestion control, or the link sets the rate.
fn is_elsewhere(flow: &Flow) -> bool {
    flow.seen.target.is_some() || flow.is_bbr() || flow.fills(LINK_IS_FULL) == Some(true)
}

/// Finds it by the share of cwnd in flight and the movement of cwnd, second by second.
fn by_account(flow: &Flow) -> Option<Finding> {
    let account = flow.account_of_flight()?;
    let held = account.share_of(&HELD);
    let used = flow.measured.window_used()?;
    let asks = [
        flow.asks(
            RULE.name,
            "time for which cwnd is not the limit",
            share(held),
            format!("{} or more", show::plain_share(MOST_OF_THE_TIME)),
            held >= MOST_OF_THE_TIME,
        ),
        flow.asks(
            RULE.name,
            "log-odds against a full cwnd, by rate × RTT / cwnd",
            format!("{:.1}", account.log_odds),
            format!("{MIN_RATE_LOG_ODDS} or more"),
            account.log_odds >= MIN_RATE_LOG_ODDS,
        ),
        flow.asks(
            RULE.name,
            "windows or counters that name the limit itself",
            if is_named(flow) { "printed: their rules decide" } else { "none" },
            "none",
            !is_named(flow),
        ),
        flow.asks(
            RULE.name,
            "another limit: a target rate, BBR, a full link",
            if is_elsewhere(flow) { "yes" } else { "no" },
            "no",
            !is_elsewhere(flow),
        ),
        flow.asks(
            RULE.name,
            "a queue that all of cwnd waits in, by how much longer the receiver ran",
            ends_in_queue(flow).map_or_else(|| "none seen".into(), time),
            "none",
            ends_in_queue(flow).is_none(),
        ),
    ];
    if asks.contains(&false) {
        return None;
    }
    let (rtt, goodput) = (flow.base()?, flow.seen.goodput?);
    let (cwnd, in_flight) = (flow.cwnd?, goodput * rtt / 8.0);
    let again = flow.seen.retransmitted.unwrap_or(0.0);
    let losses = match again {
        0.0 => " Nothing was sent again.".to_owned(),
        _ => format!(" {} segments were sent again; cwnd had room all the same.", show::count(again)),
    };
    let says = format!(
        "A window, a buffer or a program limits, not the path: {} in flight ({} × {}) of a cwnd of {}, which is not used up for {} of \
         the time.{losses} The receive window, the send buffer, or a program that reads or writes too slowly.",
        bytes(in_flight),
        rate(goodput),
        time(rtt),
        bytes(cwnd),
        share(held)
    );
    let sure = account.log_odds > MIN_LOG_ODDS && account.tells_cwnd;
    let confidence = if sure { Confidence::Medium } else { Confidence::Low };
    let finding = Finding::problem(RULE.name, confidence, held * (1.0 - used).clamp(0.0, 1.0), says)
        .figure("of cwnd in flight", share(used), "median of rate × RTT / cwnd")
        .at("time for which cwnd is not the limit", share(held), &flow.seen.place)
        .at("mean cwnd", bytes(cwnd), &flow.seen.place);
    Some(completed(finding, flow, Some(in_flight)).about_flow(flow).with_remedies(proposed(flow)))
}

/// Returns how much longer the receiver ran, seconds, if that is as long as cwnd takes: an RTT with a queue, or of a
/// longer path.
fn waits(flow: &Flow) -> Option<f64> {
    let (apart, loaded) = (flow.seen.ended_apart?, flow.loaded()?);
    Some(apart).filter(|apart| (apart / loaded - 1.0).abs() < END_DELAY_SHARE)
}

/// Returns that time if it is longer than the path's RTT and the delay of an ACK.
fn ends_in_queue(flow: &Flow) -> Option<f64> {
    let longest = flow.base()? * (1.0 + END_DELAY_SHARE) + DELAYED_ACK_S;
    waits(flow).filter(|apart| *apart > longest)
}

/// Finds it without any RTT: a program that writes all it can would fill a cwnd that limits, and it would grow.
fn stays(flow: &Flow) -> Option<Finding> {
    let held = flow.account().filter(|account| account.share_of(&HELD) >= MOST_OF_THE_TIME);
    if flow.measured.rtt.is_some() || !flow.seen.written || held.is_none() || is_named(flow) || is_elsewhere(flow) {
        return None;
    }
    let (cwnd, goodput) = (bytes(flow.cwnd?), rate(flow.seen.goodput?));
    let says = format!(
        "A window, a buffer or a program limits, not loss: cwnd stays at {cwnd} without a loss, at {goodput}. A cwnd that limited \
         would grow. The receive window, the send buffer, the sender's own interface, or a slow reader."
    );
    let finding = Finding::problem(RULE.name, Confidence::Low, RULE.assumed, says)
        .at("mean cwnd", cwnd, &flow.seen.place)
        .figure("RTT if all of cwnd is in flight", time(flow.loaded()?), "cwnd / goodput");
    let mut finding = completed(finding, flow, None);
    if flow.seen.asked.is_none() && flow.expected().is_none() {
        finding.severity = Severity::Note;
    }
    if let Some(apart) = waits(flow).filter(|apart| *apart > DELAYED_ACK_S) {
        finding.severity = Severity::Note;
        finding = finding
            .at("the receiver ran longer by", time(apart), &flow.seen.place)
            .doubt("A path of that round-trip time, or a queue that the line fills: then no window limits.")
            .ask("ping -c 10 HOST while nothing is sent: as long is the path's own, less is a queue");
    }
    Some(finding.about_flow(flow).with_remedies(proposed(flow)))
}

/// Adds the RTT, the buffers requested with -w, and the common doubts.
fn completed(mut finding: Finding, flow: &Flow, in_flight: Option<f64>) -> Finding {
    if let Some(rtt) = &flow.rtt {
        finding = finding.figure("RTT", time(rtt.value), &rtt.from);
    }
    finding = finding.ask("ss -tin dst HOST at the sender while it runs: rwnd_limited or sndbuf_limited settles it");
    if in_flight.is_some_and(|in_flight| NEAR_UNSCALED_RATIO.contains(&(in_flight / UNSCALED_WINDOW_BYTES))) {
        finding = finding.figure("largest window without scaling", "65,535 bytes", "RFC 9293, 3.1");
    }
    if let Some(asked) = flow.seen.asked {
        finding = finding.at("socket buffers asked for with -w", bytes(asked), &flow.seen.place);
    }
    if speed::may_be_own_interface(flow) {
        finding.severity = Severity::Note;
        finding = finding.doubt("A sender whose own interface is full looks the same: pass --rate.");
    } else if flow.seen.asked.is_some() {
        finding.confidence = Confidence::Medium;
    }
    finding
}

fn proposed(flow: &Flow) -> Vec<Remedy> {
    match (flow.seen.asked, &flow.rtt) {
        (Some(_), _) => remedies::asked(),
        (None, None) => vec![],
        (None, Some(_)) => (RULE.remedies)(&Sizes::for_flow(flow)),
    }
}

/// Whether windows are printed by the sender, or limits counted.
fn is_told(flow: &Flow) -> bool {
    is_named(flow) || flow.seen.points.iter().any(|point| point.cwnd.is_some())
}

fn is_steady(flow: &Flow) -> bool {
    flow.steady(STEADY_WITHIN).is_some_and(|steady| steady >= STEADY_TIME)
}

/// Finds it without cwnd, as in iperf 2: a steady rate at which a round trip carries as much as -w requested.
fn asked(flow: &Flow) -> Option<Finding> {
    let (asked, rtt, goodput) = (flow.seen.asked?, flow.rtt.as_ref()?, flow.seen.goodput?);
    let in_flight = goodput * rtt.value / 8.0;
    let full = flow.fills(LINK_HAS_ROOM) == Some(true);
    if is_told(flow)
        || !is_steady(flow)
        || full
        || flow.is_bbr()
        || !IN_FLIGHT_BUFFER_RATIO.contains(&(in_flight / asked))
    {
        return None;
    }
    let says = format!(
        "The socket buffers that -w asks for limit, not the path: {} in flight ({} × {}), and {} were asked for. Linux doubles that, for \
         overhead.",
        bytes(in_flight),
        rate(goodput),
        time(rtt.value),
        bytes(asked)
    );
    let finding = Finding::problem(RULE.name, Confidence::Medium, RULE.assumed, says)
        .at("socket buffers asked for with -w", bytes(asked), &flow.seen.place)
        .figure("in flight", bytes(in_flight), "goodput × RTT")
        .figure("RTT", time(rtt.value), &rtt.from);
    Some(finding.about_flow(flow).with_remedies(remedies::asked()))
}

/// Finds it without cwnd, as in -R: a steady rate, far below the link's, without a retransmission.
fn lossless(flow: &Flow) -> Option<Finding> {
    let is_short = flow.expected().is_some() && flow.fills(LINK_HAS_ROOM) == Some(false);
    if is_told(flow)
        || !flow.seen.packets.is_empty()
        || flow.seen.target.is_some()
        || flow.seen.retransmitted != Some(0.0)
    {
        return None;
    }
    if !is_steady(flow) || !is_short || flow.is_bbr() || flow.queueing().is_some() {
        return None;
    }
    let goodput = flow.seen.goodput?;
    let says = format!(
        "A window, a buffer or a program limits: {} in each interval, below the link's rate, and nothing was sent again. The \
         receive window, the send buffer, or a program that reads or writes too slowly.",
        rate(goodput)
    );
    let mut finding = Finding::problem(RULE.name, Confidence::Low, RULE.assumed, says)
        .at("retransmitted", "0", &flow.seen.place)
        .ask("ss -tin at the sender while it runs: rwnd_limited or sndbuf_limited settles it");
    if let Some(rtt) = &flow.rtt {
        finding = finding.figure("in flight", bytes(goodput * rtt.value / 8.0), "goodput × RTT");
    }
    if let Some(asked) = flow.seen.asked {
        finding = finding.at("socket buffers asked for with -w", bytes(asked), &flow.seen.place);
        return Some(finding.about_flow(flow).with_remedies(remedies::asked()));
    }
    Some(finding.about_flow(flow))
}
