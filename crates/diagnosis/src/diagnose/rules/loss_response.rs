use super::slow_start_exit::words;
use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding, Severity};
use crate::diagnose::flow::Flow;
use crate::diagnose::losses;
use crate::diagnose::losses::{MIN_SUSPICIOUS_LOSS_SHARE, lossy};
use crate::diagnose::path_facts;
use crate::diagnose::queue_delay::TIMER_DELAY_S;
use crate::diagnose::rate_regularity::Seconds;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::unread;
use crate::diagnose::view::View;
use crate::quantity::{HELD, State};
use base::model::FULL_LINK_SHARE;
use base::model::response;
use base::show::{self, bytes, rate, share, time};
use base::units::Unit;
use evidence::{Connection, Seen};

/// Largest ratio of goodput to the response function that it still explains: half a dozen loss events leave its square
/// root that uncertain.
const MAX_EXPLAINED_RATIO: f64 = 2.0;
/// Largest ratio of the goodputs that the fewest and the most loss events allow; both are then within the above ratio
/// of the middle.
const MAX_BOUNDS_RATIO: f64 = 4.0;
/// Ratio from which the two goodputs bound nothing.
const USELESS_BOUNDS_RATIO: f64 = 10.0;
/// Duration of a timeout, seconds (RTO_MIN of Linux).
const DEFAULT_RTO_S: f64 = 0.2;
/// Variation within which a rate may be that of a full link.
const MAX_CONSTANT_VARIATION: f64 = 0.15;
/// Share of the least goodput that losses allow below which something else limits as well.
const MIN_ALLOWED_SHARE: f64 = 0.75;
/// Number of loss events from which the loss rate is certain enough.
const MIN_CERTAIN_EVENTS: usize = 4;
/// Number of loss events below which the loss rate is too uncertain to use.
const MIN_LOSS_EVENTS: f64 = 3.0;
/// Share of the time with cwnd as the limit from which losses are named alongside another limit.
const MIN_NAMED_EVENTS: f64 = 2.0;
const MIN_NAMED_CWND_TIME_SHARE: f64 = 0.15;
/// Variation of pings above which packets may overtake each other, seconds.
const RTT_JITTER_S: f64 = 0.002;
/// Share of the time with a full link from which losses limit only in the rest.
const MIN_FULL_TIME_SHARE: f64 = 0.3;
/// Share of the link above which losses seen at the receiver may come from the connection's own queue.
const OWN_QUEUE_LINK_SHARE: f64 = 0.75;
/// Bounds for evidence from cwnd alone: fewest points, smallest share of them with losses, and largest ratio of cwnd
/// to what the losses leave.
const MIN_POINTS: usize = 4;
const MIN_LOSSY_POINTS_SHARE: f64 = 0.7;
const MAX_WINDOW_RATIO: f64 = 3.0;
/// First part of the points in which losses come from slow start.
const SLOW_START_LOSS_PART: f64 = 0.4;
/// Share below which a cwnd that limits falls at a loss.
const MAX_CWND_AFTER_LOSS_RATIO: f64 = 0.95;
/// Share of seconds with losses from which a policer is possible.
const POLICER_LOSSY_SECONDS_SHARE: f64 = 0.5;
/// Difference between two runs of one path, as a share.
const GOODPUT_RESOLUTION_SHARE: f64 = 0.03;
/// Largest share that a merely full link loses.
const MAX_FULL_LINK_LOSS_SHARE: f64 = 0.1;

/// Longest time without data at the end after a silence that ended, seconds.
const MAX_SILENT_END_S: f64 = 1.0;
/// Smallest number of segments of a transfer: fewer pass if the path is broken.
const MIN_SEGMENTS: f64 = 100.0;
/// Largest ratio of the later half's rate to the mean: the later half then has less than half of the first half's.
const MAX_LATER_HALF_RATIO: f64 = 2.0 / 3.0;

/// Share of the time from which a phase is the main limit, and the share from which it is certain.
const MOST_OF_THE_TIME: f64 = 0.5;
const MIN_MAIN_TIME_SHARE: f64 = 0.8;

/// The rule.
pub const RULE: Rule = Rule {
    name: "loss-response",
    title: "Loss-limited",
    needs: &[Need::Retransmissions, Need::BaseRtt, Need::Limits],
    model: "The loss-event rate p sets the mean cwnd of a congestion control that backs off on loss: Reno 1.2/sqrt(p) \
            segments, CUBIC 1.054 (RTT/p)^0.75, and never less than Reno. No buffer changes that. Losses are random, not from \
            a full queue, if the RTT has not risen before them.",
    source: "Mathis et al., CCR 27(3), 1997; RFC 9438, 5; p counts loss events, not lost packets",
    thresholds: || {
        vec![
            (
                format!(
                    "goodput within a factor of {} of the response function, between the fewest and the most loss \
                     events that fit the counts",
                    MAX_EXPLAINED_RATIO
                ),
                "n events determine p only to about 1/sqrt(n), and per-second counters bound n without giving it",
            ),
            (
                format!(
                    "RTTs before losses rank no higher than others (by less than {}; with fewer than {} losses {})",
                    losses::MIN_QUEUED_RANK,
                    losses::FEW_LOSSES,
                    losses::MIN_QUEUED_RANK_OF_FEW
                ),
                "an overflowing queue would have raised the RTT first",
            ),
            (
                format!("below {} of the link rate, if that is known", show::plain_share(FULL_LINK_SHARE)),
                "above that, the path is not slow",
            ),
            (
                format!("a note above {} of it, at the receiver", show::plain_share(OWN_QUEUE_LINK_SHARE)),
                "the queue of a nearly full line drops as well, and who receives sees none",
            ),
            (
                format!(
                    "without any RTT: {} sent again, in {} of the intervals, and a cwnd of no more than {} times what \
                     losses leave Reno",
                    show::plain_share(MIN_SUSPICIOUS_LOSS_SHARE),
                    show::plain_share(MIN_LOSSY_POINTS_SHARE),
                    MAX_WINDOW_RATIO
                ),
                "the window that losses leave does not depend on the RTT",
            ),
            (
                format!(
                    "only the later half of the run, if its goodput is less than {} of that of the first half",
                    show::plain_share(MAX_LATER_HALF_RATIO / (2.0 - MAX_LATER_HALF_RATIO))
                ),
                "slow start overshoots the window that losses leave, and CUBIC needs several losses to come down to it",
            ),
            (
                format!(
                    "in addition to a limiting window or buffer, if cwnd is the limit {} of the time and there are {} \
                     loss events or more",
                    show::plain_share(MIN_NAMED_CWND_TIME_SHARE),
                    MIN_NAMED_EVENTS
                ),
                "lifting the other limit leaves this one",
            ),
        ]
    },
    confidence: "high from 4 loss events on, with RTTs that show no queue and counted limits; medium from \
                 retransmissions, RTT and link rate; low, and a note, without that rate; low as well of fewer than 3 loss events, from 3 % retransmitted, where the line was 90 % full for 30 % of the time, and without D-SACKs if pings differ by 2 ms",
    confirm: &[
        "ping -c 1000 -i 0.01 HOST: loss on the idle path",
        "ss -tin dst HOST",
        "iperf3 -c HOST -C bbr: random loss does not slow it down",
    ],
    alike: &[
        ("shallow-buffer", "losses come at the same cwnd each time, after the RTT has risen"),
        ("policer", "goodput is the same with any congestion control"),
        ("reordering", "retransmissions are spurious (D-SACK)"),
    ],
    explains: &["timeouts", "rate-cap", "slow-start-exit"],
    remedies: remedies::loss,
    assumed: 0.6,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let open = view.flows.iter().filter(|flow| !view.is_full(flow));
    let of_flow = |flow: &Flow| {
        let rest = || up(flow, view).or_else(|| find_in_flow(flow, view)).or_else(|| settled(flow, view));
        rest().or_else(|| find_secondary_limit(flow)).or_else(|| by_window(flow)).or_else(|| recovering(flow, view))
    };
    open.filter_map(of_flow).collect()
}

/// Applies the response function to the time while the path is up.
fn up(flow: &Flow, view: &View) -> Option<Finding> {
    let rest = flow.without_outage()?;
    let of_rest = "This excludes the longest stall: over the whole run goodput is lower.";
    let mut found = of_part(flow, &rest, view)?.doubt(of_rest);
    found.beside = true;
    // The losses cost more than the silence if they cost twice as much. A silence that does not end rather comes from
    // the same losses.
    let ends = flow.seen.span.zip(flow.last_arrival()).is_some_and(|([_, end], last)| end - last < MAX_SILENT_END_S);
    if ends {
        found.cost = (2.0 * found.cost - 1.0).max(0.0);
    }
    Some(found)
}

/// Applies the response function to the later half, if slow start had gone far beyond what losses leave.
fn settled(flow: &Flow, view: &View) -> Option<Finding> {
    let falls = flow.later()? < MAX_LATER_HALF_RATIO * flow.seen.goodput?;
    let [start, _] = flow.seen.span.filter(|_| falls)?;
    let rest = flow.seen.without([start, flow.later_half().first()?.time], 0.0);
    let found = of_part(flow, &rest, view)?;
    Some(found.doubt("This covers the later half of the run: in the first half, slow start overshot."))
}

/// Applies the response function to a part of the time of a connection alone on its path.
fn of_part(flow: &Flow, part: &Connection, view: &View) -> Option<Finding> {
    if view.group(flow).count() == 1 { find_in_flow(&view.flow(part), view) } else { None }
}

/// Compares cwnd with what the losses leave, in segments, if no RTT is known: that does not depend on the path's
/// length.
fn by_window(flow: &Flow) -> Option<Finding> {
    let again = flow.retransmitted().filter(|again| flow.rtt.is_none() && *again >= MIN_SUSPICIOUS_LOSS_SHARE)?;
    let points = flow.seen.points.get(2..).filter(|points| points.len() >= MIN_POINTS)?;
    let segments = flow.median(|point| point.cwnd)? / flow.mss;
    let left = response::reno_window(again);
    if lossy(points) < MIN_LOSSY_POINTS_SHARE
        || segments > MAX_WINDOW_RATIO * left
        || flow.is_mostly_spurious()
        || flow.is_limited()
        || flow.is_bbr()
        || flow.fills(FULL_LINK_SHARE) == Some(true)
    {
        return None;
    }
    let says = format!(
        "Loss-limited: {} of the segments are sent again, in nearly every interval, and leave a cwnd of {} segments. \
         No buffer or window setting changes that: find what drops them.",
        share(again),
        show::number(segments)
    );
    let sure = again >= MAX_FULL_LINK_LOSS_SHARE || flow.expected().is_some();
    let confidence = if sure { Confidence::Medium } else { Confidence::Low };
    let finding = Finding::problem(RULE.name, confidence, RULE.assumed, says)
        .at("retransmitted", share(again), &flow.seen.place)
        .at("median cwnd", format!("{} segments", show::number(segments)), &flow.seen.place)
        .figure("cwnd that such losses leave Reno", format!("{} segments", show::number(left)), "response function")
        .doubt("MTU, LRO on a host that forwards, a policer and a bad cable look alike.")
        .ask(
            "ping -c 200 -i 0.05 HOST; the same with -s 1472 -M do: losses at both sizes point to the line, at the large one alone to \
             the MTU, at neither to LRO or a policer (ethtool -k on each host that forwards)",
        );
    Some(finding.about_flow(flow))
}

/// Uses the account: cwnd is in full use and below its value at the last loss event for most of the time, and RTTs
/// stay constant as it moves, so the link has spare capacity. Unlike the response function, this needs no steady
/// state.
fn recovering(flow: &Flow, view: &View) -> Option<Finding> {
    let recovers = flow.account_of_cwnd()?.share_of(&[State::Recovering, State::FixedRate]);
    let elsewhere = flow.is_limited()
        || flow.is_bbr()
        || flow.is_mostly_spurious()
        || flow.seen.target.is_some()
        || view.group(flow).count() > 1;
    let regular = Seconds::from_flow(flow).is_some_and(|seconds| seconds.are_regular());
    let room = flow.link_has_room();
    let asks = [
        flow.asks(
            RULE.name,
            "time for which cwnd recovers from loss events",
            share(recovers),
            format!("{} or more", show::plain_share(MOST_OF_THE_TIME)),
            recovers >= MOST_OF_THE_TIME,
        ),
        flow.asks(
            RULE.name,
            "room on the link",
            words(room),
            "room",
            room == Some(true) && flow.fills(FULL_LINK_SHARE) != Some(true),
        ),
        flow.asks(RULE.name, "rate too regular for random losses", if regular { "yes" } else { "no" }, "no", !regular),
        flow.asks(
            RULE.name,
            "another limit: a window, a buffer, BBR, a target rate, reordering, other connections",
            if elsewhere { "yes" } else { "no" },
            "no",
            !elsewhere,
        ),
    ];
    if asks.contains(&false) {
        return None;
    }
    let (again, used) = (flow.seen.retransmitted?, flow.measured.window_used()?);
    let [fewest, most] = flow.event_bounds();
    let goodput = rate(flow.seen.goodput?);
    let says = format!(
        "Loss-limited at {goodput}: {} loss {}, and for {} of the time cwnd is full but still below its value at the \
         last one. The RTT (median {}, idle {}) does not follow cwnd: the link has room for more.",
        counts(fewest, most),
        plural(most),
        share(recovers),
        time(flow.loaded().or(flow.base())?),
        time(flow.base()?)
    );
    let confidence = if recovers > MIN_MAIN_TIME_SHARE { Confidence::Medium } else { Confidence::Low };
    let finding = Finding::problem(RULE.name, confidence, recovers * RULE.assumed, says)
        .at("loss events", counts(fewest, most), &flow.seen.place)
        .at("retransmitted segments", show::count(again), &flow.seen.place)
        .at("time for which cwnd recovers", share(recovers), &flow.seen.place)
        .figure("of cwnd in flight", share(used), "median of rate × RTT / cwnd")
        .doubt("A policer, and a queue of a few packets, lose as much and raise no RTT.")
        .ask("iperf3 -c HOST -C bbr: several times the goodput if losses are random, no more behind a policer");
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow).without_gain()))
}

/// Finds losses that limit in the rest of the time of a connection that a window or a buffer limits.
fn find_secondary_limit(flow: &Flow) -> Option<Finding> {
    let limits = flow.seen.limits.filter(|_| flow.is_limited())?;
    let bound = limits.busy - limits.rwnd - limits.sndbuf;
    let [fewest, most] = flow.event_bounds();
    if bound < MIN_NAMED_CWND_TIME_SHARE
        || fewest < MIN_NAMED_EVENTS
        || flow.is_mostly_spurious()
        || flow.is_congested() == Some(true)
        || flow.fills(FULL_LINK_SHARE) == Some(true)
    {
        return None;
    }
    let says = format!(
        "Losses limit as well: {} loss events in {} segments. For {} of the time cwnd is the limit, not a window or a \
         buffer.",
        counts(fewest, most),
        show::count(flow.segments?),
        share(bound)
    );
    let finding = Finding::problem(RULE.name, Confidence::Low, bound, says)
        .at("loss events", counts(fewest, most), &flow.seen.place)
        .at("time neither rwnd- nor sndbuf-limited", share(bound), &flow.seen.place);
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow).without_gain()))
}

fn find_in_flow(flow: &Flow, view: &View) -> Option<Finding> {
    let control = flow.control.as_ref().map_or("cubic", |control| &control.name);
    let assumed = flow.control.is_none();
    let cubic = control == "cubic";
    if !cubic && !matches!(control, "reno" | "newreno" | "dctcp" | "htcp" | "bic" | "westwood") {
        return None;
    }
    let rtt = flow.rtt.as_ref().filter(|_| flow.segments.is_none_or(|segments| segments > MIN_SEGMENTS))?;
    let (p, goodput) = (flow.event_rates().filter(|p| p[0] > 0.0)?, flow.seen.goodput?);
    let limits = flow.seen.limits;
    let uncounted = !flow.seen.written && limits.is_none();
    let seconds = Seconds::from_flow(flow);
    let unmoved = uncounted && Seconds::added(flow).is_some_and(|seconds| seconds.are_unmoved())
        || flow.falls_at_losses().is_some_and(|falls| falls > MAX_CWND_AFTER_LOSS_RATIO)
        || seconds.as_ref().is_some_and(Seconds::have_one_window);
    let elsewhere = flow.is_limited() || unread::binds(flow) || unmoved;
    // A window that does not grow without losses is not the limit.
    let unlowered = [&HELD[..], &[State::Climbing]].concat();
    let unlowered = flow.account_of_cwnd().map(|account| account.share_of(&unlowered));
    let held = limits.is_none()
        && !flow.is_bbr()
        && (flow.is_held() || unlowered.is_some_and(|share| share >= MOST_OF_THE_TIME));
    if elsewhere || held || flow.is_mostly_spurious() || flow.fills(FULL_LINK_SHARE) == Some(true) {
        return None;
    }
    // RTTs under load exceed the empty path's if there is a queue.
    let mean_rtt = flow.queueing().map_or(rtt.value, |[_, middle, _]| middle.max(rtt.value));
    let allowed =
        |p| if cubic { response::cubic(flow.mss, mean_rtt, p) } else { response::reno(flow.mss, mean_rtt, p) };
    let [high, low] = p.map(allowed);
    // With this many losses, timeouts repair some.
    let many = flow.retransmitted().is_some_and(|again| again >= MIN_SUSPICIOUS_LOSS_SHARE);
    let low = if many { low.min(response::padhye(flow.mss, mean_rtt, DEFAULT_RTO_S, p[1])) } else { low };
    let [fewest, most] = flow.event_bounds();
    let events = flow.events.len();
    let congested = flow.is_congested();
    // Random losses hold cwnd down whatever slow start left behind, even if there are few.
    let known = congested == Some(false) && events >= MIN_CERTAIN_EVENTS && flow.is_fine();
    // Samples far apart do not show the RTT before a loss: a standing queue is enough for doubt. If the link is known
    // to have spare capacity, RTTs rise by the window's own bursts.
    let own = flow.own_burst();
    let raised = flow.is_raised(own.unwrap_or(0.0));
    let stands = !flow.is_fine() && raised == Some(true) || flow.is_queue_of_window();
    let is_within = (low / MAX_EXPLAINED_RATIO..=high * MAX_EXPLAINED_RATIO).contains(&goodput);
    let queued = congested == Some(true) && (own.is_none() || raised != Some(false));
    // Losses at one window come from a queue if that window takes longer than the idle path's RTT.
    let regular = seconds.as_ref().is_some_and(Seconds::are_regular);
    let at_one = seconds.zip(flow.leaves()).is_some_and(|(seconds, leaves)| seconds.may_be_at_one_window(leaves));
    let bursts = own.filter(|_| !at_one).unwrap_or(0.0);
    if stands || queue_by_window(flow, rtt.value + bursts) || queued || !is_within {
        return None;
    }
    // Losses of a full queue fit the response function as well, and a full link's rate is constant.
    let alone = view.group(flow).count() == 1;
    let constant = !alone || flow.steady(MAX_CONSTANT_VARIATION).is_none_or(|share| share > 0.7);
    // One connection's window does not move the RTT of a queue that several fill.
    let has_room = alone && flow.link_has_room() == Some(true);
    let unknown = flow.expected().is_none() && !flow.is_fine() && constant && !has_room;
    // Bounds that any loss fits, on a link of unknown rate, show nothing.
    if unknown && high > USELESS_BOUNDS_RATIO * low {
        return None;
    }
    // If the path's own RTT varies, packets may overtake each other; retransmission counts alone do not tell that from
    // loss.
    let jitter = path_facts::jitter(flow.seen, view.evidence)
        .filter(|jitter| flow.seen.spurious.is_none() && *jitter > RTT_JITTER_S);
    // Bounds that any loss fits are no evidence.
    let wide = high > MAX_BOUNDS_RATIO * low || fewest < MIN_LOSS_EVENTS && !known;
    // Losses that would allow clearly more are not the only limit.
    let below = !known && goodput < MIN_ALLOWED_SHARE * low;
    // A nearly full link drops what its queue cannot take, and the receiver sees no queue.
    let received = flow.seen.seen == Seen::Receiver && flow.queueing().is_none();
    let nearly = received && flow.fills(OWN_QUEUE_LINK_SHARE) == Some(true);
    let often = lossy(flow.seen.points.get(1..).unwrap_or_default()) >= POLICER_LOSSY_SECONDS_SHARE;
    // Losses from the overshoot of slow start give no loss rate.
    let points = &flow.seen.points;
    let last = points.iter().rposition(|point| point.retransmitted.is_some_and(|n| n > 0.0));
    let begun = !(flow.is_fine() && congested == Some(false))
        && last.is_some_and(|last| (last as f64) < SLOW_START_LOSS_PART * points.len() as f64);
    let filled = filled(flow);
    let confidence = match (
        known && limits.is_some(),
        unknown || wide || many || below || regular || begun || filled >= MIN_FULL_TIME_SHARE || jitter.is_some(),
    ) {
        (_, true) => Confidence::Low,
        (true, false) => Confidence::High,
        (false, false) => Confidence::Medium,
    };
    let name = if cubic { "CUBIC" } else { "Reno" };
    // The function gives the mean, so losses limit a goodput above it too.
    let [cap, at] = if goodput > high * (1.0 + GOODPUT_RESOLUTION_SHARE) { ["leave", "about"] } else { ["cap", "at"] };
    let limit = if confidence == Confidence::Low { "" } else { " Loss is the limit, not buffers." };
    let says = format!(
        "Loss-limited: {} loss {} in {} segments ({}) and {} RTT {cap} {name} {at} {}; measured {}{}.{limit}",
        counts(fewest, most),
        plural(most),
        show::count(flow.segments?),
        show::range(Unit::Ratio, p[0], p[1]),
        time(mean_rtt),
        show::range(Unit::BitsPerSecond, low, high),
        rate(goodput),
        beyond(goodput, [low, high])
    );
    let cost = flow.expected().map_or(RULE.assumed, |line| 1.0 - goodput / line.value);
    let mut finding = Finding::problem(RULE.name, confidence, cost, says)
        .at("loss events", counts(fewest, most), &flow.seen.place)
        .figure("RTT", time(rtt.value), &rtt.from)
        .figure(format!("{name} at this loss"), show::range(Unit::BitsPerSecond, low, high), "response function")
        .at("retransmitted segments", show::count(flow.seen.retransmitted?), &flow.seen.place);
    if let Some(cwnd) = flow.cwnd {
        finding = finding.at("mean cwnd", bytes(cwnd), &flow.seen.place);
    }
    if let Some(rank) = flow.queued_at_losses() {
        let rank = format!("{rank:+.2}");
        finding = finding.at("RTT rank before losses, relative to typical", rank, &flow.seen.place);
    } else {
        finding =
            finding.doubt("Without the RTT just before each loss, random loss and a full queue look the same.").ask(
                "ss -tin dst HOST every 0.2 s at the sender, or iperf3 -c HOST -J: a full queue raises the RTT before \
                 each loss, random loss does not",
            );
    }
    if unknown {
        finding.severity = Severity::Note;
        finding =
            finding.doubt("A saturated link would show the same loss: pass --rate with the link's expected rate.");
    }
    if nearly {
        finding.severity = Severity::Note;
        finding = finding.doubt(
            "The link is nearly full, so its own queue may drop the packets: the evidence has no RTT under load.",
        );
    }
    if regular {
        finding.severity = Severity::Note;
        finding = finding
            .doubt("With random loss the rate would vary more: suspect a policer, or a host that merges packets.");
    }
    if filled >= MIN_FULL_TIME_SHARE {
        finding = finding.doubt(format!("For {} of the time it filled the link despite the losses.", share(filled)));
    }
    if begun {
        finding = finding
            .doubt("All losses came at the start: slow start overflowed a queue, and cwnd has not grown back.")
            .ask("iperf3 -c HOST -t 60: whether losses go on");
    }
    if often {
        finding = finding
            .doubt("A policer, a small queue and reordering also lose packets in most seconds.")
            .ask("iperf3 -c HOST -C bbr: several times the goodput if losses are random, no more behind a policer");
    }
    if fewest < most {
        let known = share(1.0 / fewest.max(1.0).sqrt());
        finding = finding.doubt(format!(
            "Per-second retransmission counts only bound the number of loss events; {} {} would tell their rate to within {known}.",
            show::count(fewest),
            plural(fewest)
        ));
    } else if events < MIN_CERTAIN_EVENTS {
        finding = finding.doubt(format!(
            "{events} events give the loss rate within a factor of {}: run longer.",
            show::number(1.0 + 1.0 / (events as f64).sqrt())
        ));
    }
    if assumed {
        finding = finding.doubt("Congestion control unknown; CUBIC, the default, is assumed.");
    }
    if let Some(line) = flow.expected() {
        let tolerated = response::cubic_loss(flow.mss, rtt.value, line.value * flow.payload());
        finding = finding.figure(
            format!("loss rate at which CUBIC fills {}", rate(line.value)),
            format!("1 in {} segments", show::count(1.0 / tolerated)),
            "response function",
        );
    }
    if let Some(jitter) = jitter {
        finding = finding
            .doubt(format!(
                "The idle path's RTT varies by {}: reordering causes retransmissions as well.",
                time(jitter)
            ))
            .ask("nstat -az TcpExtTCPSACKReorder TcpExtTCPDSACKRecv at the sender, before and after");
    }
    if below {
        finding = finding.doubt("These losses would allow more goodput: a policer or a window limits as well.");
    }
    // Evidence that fits another cause does not justify another congestion control; behind a policer the rate is
    // constant.
    let sizes = Sizes::for_flow(flow);
    let told = flow.queued_at_losses().is_some() || !flow.is_fine();
    let sure = confidence > Confidence::Low && told && (flow.is_fine() || !constant) && !often && !nearly;
    let sizes = if sure { sizes } else { sizes.without_gain() };
    if many {
        finding = finding
            .doubt(
                "With this many retransmissions, find what drops the packets: LRO on a forwarding host looks the same.",
            )
            .ask("ethtool -k DEVICE and ip -d link, or ifconfig -a, on each host that routes or bridges on the path");
    }
    Some(finding.about_flow(flow).sized(sizes))
}

/// Returns the share of the time with a full link.
fn filled(flow: &Flow) -> f64 {
    let rates = flow.rates().unwrap_or_default();
    let full = rates.iter().filter(|rate| flow.reaches(**rate, FULL_LINK_SHARE) == Some(true));
    full.count() as f64 / rates.len().max(1) as f64
}

/// Describes how far a goodput lies outside the range that losses allow.
fn beyond(goodput: f64, [low, high]: [f64; 2]) -> String {
    let (by, side, near) = match () {
        () if goodput > high => (goodput / high - 1.0, "above", "as much as that allows"),
        () if goodput < low => (1.0 - goodput / low, "below", "the least of that"),
        () => return String::new(),
    };
    if by <= GOODPUT_RESOLUTION_SHARE { format!(", {near}") } else { format!(", {} {side}", share(by)) }
}

fn plural(events: f64) -> &'static str {
    if events == 1.0 { "event" } else { "events" }
}

/// Whether cwnd takes longer than the idle path's RTT, without RTTs under load: the rest is a queue's delay, or cwnd
/// is not the limit.
fn queue_by_window(flow: &Flow, rtt: f64) -> bool {
    let quiet = 1.4 * rtt + flow.unqueued(rtt, TIMER_DELAY_S);
    flow.queueing().is_none() && flow.loaded().is_some_and(|loaded| loaded > quiet)
}

/// Prints one number, or the least and the largest.
fn counts(low: f64, high: f64) -> String {
    if low < high { format!("{} to {}", show::count(low), show::count(high)) } else { show::count(low) }
}
