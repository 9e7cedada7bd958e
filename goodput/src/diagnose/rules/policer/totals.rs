//! Finds a policer in per-second figures of `-J` and of `ss`.

use super::{ASK_UDP, NEARLY_FULL_LINK_SHARE, OR_A_LINK_NOTE, RULE};
use crate::diagnose::finding::{Confidence, Finding, Severity};
use crate::diagnose::flow::Flow;
use crate::diagnose::losses::MIN_SUSPICIOUS_LOSS_SHARE;
use crate::diagnose::path_facts::Origin;
use crate::diagnose::queue_delay::TIMER_DELAY_S;
use crate::diagnose::rate_regularity::Seconds;
use crate::diagnose::remedies;
use crate::diagnose::view::View;
use crate::show::{self, number, rate, share, time};
use crate::stats::percentile;
use evidence::Source;

/// Smallest share of points with losses. It is lower for BBR, which learns a policer's rate and probes it about every
/// ten seconds (net/ipv4/tcp_bbr.c, bbr_lt_bw_sampling), and is judged by its retransmitted share.
const MIN_LOSSY_POINTS_SHARE: f64 = 0.6;
const MIN_LOSSY_POINTS_SHARE_BBR: f64 = 0.2;
/// Smallest retransmitted share of BBR behind a policer for a receiver's listing, which has only the total.
const MIN_RECEIVER_LOSS_SHARE: f64 = 0.03;
/// Largest relative distance of a policed rate from its median, and the smallest share of the points within it.
const STEADY_DIFFERENCE: f64 = 0.15;
const MIN_STEADY_POINTS_SHARE: f64 = 0.75;
/// Largest departure of cumulative bytes from a straight line, in points: policers reach 0.02, random losses 0.2 and
/// more.
const MAX_LINE_DEPARTURE: f64 = 0.1;
/// Largest ratio of the RTT under load without a queue to that of the idle path, plus [`Flow::unqueued`].
pub(super) const MAX_IDLE_RTT_RATIO: f64 = 1.15;
/// Smallest ratio of the RTT under load to the idle path's from which packets that wait are counted.
const MIN_LOADED_RTT_RATIO: f64 = 2.0;
/// Smallest ratio of retransmissions to the losses that explain a loss-based control's rate: an empty bucket drops
/// several packets in a row, single losses give 1.
pub(super) const MIN_LOSSES_PER_EVENT: f64 = 1.7;
/// Share of its link below which merged packets are likelier than a policer.
const MIN_LINK_SHARE: f64 = 0.05;
/// Share of its link above which a queue of a few packets leaves the same windows as a policer.
const MAX_POLICED_LINK_SHARE: f64 = 0.6;
/// Smallest retransmitted share at a policer of a control that ignores losses (Flach et al., 2016, section 5).
const MIN_IGNORED_LOSS_SHARE: f64 = 0.01;

/// Bounds at the receiver: the smallest ratio of the burst to the rate of later seconds, the smallest number of later
/// seconds, their largest difference, the smallest share within it, and the smallest number of retransmitted segments.
pub(super) const MIN_BURST_RATIO: f64 = 1.3;
const MIN_LATER_SECONDS: usize = 6;
pub(super) const MAX_LATER_DIFFERENCE: f64 = 0.03;
const MIN_SAME_SECONDS_SHARE: f64 = 0.9;
pub(super) const MIN_LOST_SEGMENTS: f64 = 30.0;

/// Finds a policer of a connection that is alone on its path.
pub(super) fn of_one(flow: &Flow, view: &View) -> Option<Finding> {
    (view.group(flow).count() == 1).then(|| of(flow)).flatten().map(|finding| finding.of(flow))
}

/// Finds a policer of several connections by their sum: each alone gets a varying share of the bucket.
pub(super) fn of_several(flows: &[&Flow], view: &View) -> Vec<Finding> {
    let Some((first, beside)) = flows.split_first().filter(|(_, beside)| !beside.is_empty()) else { return vec![] };
    let sum = beside.iter().try_fold(first.seen.clone(), |sum, flow| sum.with(flow.seen));
    let Some(sum) = sum else { return vec![] };
    let together = Flow { connections: flows.len(), ..view.flow(&sum) };
    let limited = flows.iter().any(|flow| flow.is_limited());
    let found = of(&together).filter(|_| !limited);
    found.map_or(vec![], |found| flows.iter().map(|flow| found.clone().of(flow)).collect())
}

fn of(flow: &Flow) -> Option<Finding> {
    overdrawn(flow).or_else(|| steady(flow)).or_else(|| super::overshoot::of(flow))
}

/// Finds a policer at the receiver: a burst that passes first, and the same rate in each second after it, with many
/// retransmissions.
fn overdrawn(flow: &Flow) -> Option<Finding> {
    let untold = !flow.seen.written && !flow.tells_losses() && flow.seen.packets.is_empty();
    let rates = flow.rates_of_points();
    let settled = rates.get(2..).filter(|settled| untold && settled.len() >= MIN_LATER_SECONDS)?;
    let middle = percentile(settled.to_vec(), 0.5)?;
    let same = settled.iter().filter(|rate| (*rate - middle).abs() <= MAX_LATER_DIFFERENCE * middle).count() as f64;
    let same = same >= MIN_SAME_SECONDS_SHARE * settled.len() as f64;
    let lost = flow.seen.retransmitted?;
    let full = flow.reaches(middle, NEARLY_FULL_LINK_SHARE) == Some(true);
    if rates[0] < MIN_BURST_RATIO * middle || !same || lost < MIN_LOST_SEGMENTS || flow.is_limited() || full {
        return None;
    }
    let says = format!(
        "Policed at about {}{}: {} pass in the first {}, then that rate in each second, with {} segments sent again.",
        rate(middle),
        super::together(flow.connections),
        rate(rates[0]),
        time(flow.seen.points[1].time - flow.seen.points[0].time),
        show::count(lost)
    );
    let finding = Finding::problem(RULE.name, Confidence::Medium, RULE.assumed, says)
        .at("rate at first", rate(rates[0]), &flow.seen.place)
        .at("rate later, in the middle", rate(middle), &flow.seen.place)
        .at("segments sent again", show::count(lost), &flow.seen.place)
        .ask(ASK_UDP)
        .doubt("A shaper that lets a burst through before it queues looks the same at the receiver.");
    Some(finding.with_remedies(remedies::policer_unless_told(Some(middle))))
}

/// Finds a policer by a constant rate with losses in most seconds.
fn steady(flow: &Flow) -> Option<Finding> {
    let seconds = Seconds::of(flow)?;
    let (rtt, points) = (flow.base()?, flow.seen.points.get(2..)?);
    let bbr = flow.is_bbr();
    let again = flow.retransmitted()?;
    let departure = flow.departure();
    // At windows of a few segments an empty bucket drops one packet at a time, and the losses fit the response
    // function as well, but the rate is too regular for random ones. A full link with hardly a buffer is as regular,
    // and so are merged packets that are dropped.
    let known =
        flow.expected().is_some() && (again < MIN_SUSPICIOUS_LOSS_SHARE || flow.fills(MIN_LINK_SHARE) == Some(true));
    let regular = !bbr && known && seconds.are_regular();
    let at_one = flow.expected().is_some() && flow.fills(MAX_POLICED_LINK_SHARE) == Some(false);
    let at_one = at_one && flow.leaves().is_some_and(|leaves| seconds.are_at_one_window(leaves));
    let regular = regular || at_one;
    // At a low rate, a program's whole writes are too coarse to compare seconds.
    let steady = flow.steady(STEADY_DIFFERENCE);
    let is_steady = steady.is_some_and(|steady| steady >= MIN_STEADY_POINTS_SHARE);
    let told = flow.tells_losses();
    let drops = match (bbr, told) {
        (true, true) => seconds.lost > MIN_IGNORED_LOSS_SHARE,
        (true, false) => again > MIN_RECEIVER_LOSS_SHARE && is_steady,
        (false, _) => seconds.in_a_row > MIN_LOSSES_PER_EVENT && !seconds.vary() || regular,
    };
    // Random losses do not keep BBR this far below the link rate, however it writes.
    let below = bbr && flow.fills(MAX_POLICED_LINK_SHARE) == Some(false);
    let straight = below || departure.is_some_and(|departure| departure <= MAX_LINE_DEPARTURE);
    let constant = (bbr || is_steady) && straight || regular;
    // BBR's window is twice the bytes in flight: without RTTs, only the stated rate can show that the link has room.
    let high = percentile(points.iter().filter_map(|p| p.srtt).collect(), 0.95);
    let loaded = high.or_else(|| flow.loaded().filter(|_| !bbr));
    let own = flow.own_burst().filter(|_| high.is_some()).unwrap_or(0.0);
    let flat = loaded.map_or(flow.expected().is_some(), |loaded| {
        loaded < MAX_IDLE_RTT_RATIO * rtt + flow.unqueued(rtt, TIMER_DELAY_S) + own
    });
    let often = bbr && !told || seconds.lossy >= if bbr { MIN_LOSSY_POINTS_SHARE_BBR } else { MIN_LOSSY_POINTS_SHARE };
    // An RTT that grows with the window, in proportion to it at one rate, is a queue's.
    let queued = flow.is_queue_of_window();
    if queued
        || !bbr && seconds.have_one_window()
        || !(often || at_one)
        || !constant
        || !flat
        || !drops
        || flow.is_limited()
        || flow.fills(NEARLY_FULL_LINK_SHARE) == Some(true)
        || !bbr && flow.leaves_window_unused()
    {
        return None;
    }
    let several = super::together(flow.connections);
    // Whole writes make the median one of two rates.
    let middle = match flow.seen.written {
        true => flow.later()?,
        false => percentile(points.windows(2).filter_map(|pair| pair[1].rate_since(&pair[0])).collect(), 0.5)?,
    };
    let each = if is_steady || regular { "that rate in each second" } else { "that rate over the seconds" };
    let says = match loaded {
        Some(loaded) => format!(
            "Policed at about {}{several}: {each}, losses in {} of them, and {} builds before the drops (RTT {}, {}).",
            rate(middle),
            share(seconds.lossy),
            longest_queue(flow, rtt, loaded),
            time(loaded),
            least_rtt(flow, rtt)
        ),
        None => format!(
            "Policed at about {}{several}: {each}, {} sent again, and BBR, which such losses do not slow down, gets no more.",
            rate(middle),
            share(again)
        ),
    };
    let counted = high.is_some();
    let sure = counted || flow.expected().is_some();
    let confidence = if sure { Confidence::Medium } else { Confidence::Low };
    let mut finding = Finding::problem(RULE.name, confidence, RULE.assumed, says)
        .figure("rates of seconds vary by", share(seconds.varies), "standard deviation")
        .at("retransmitted", share(again), &flow.seen.place)
        .ask(ASK_UDP);
    if told {
        finding = finding.at("seconds with losses", share(seconds.lossy), &flow.seen.place);
    }
    if let Some(departure) = departure {
        let of = format!("{} of a second", share(departure));
        finding = finding.figure("departs from a constant rate by", of, "at most");
    }
    if let Some(loaded) = loaded {
        let from = if counted { "95th percentile" } else { "cwnd / goodput" };
        finding = finding.figure("RTT under load", time(loaded), from);
    }
    if !bbr {
        finding = finding.figure(
            "retransmissions over the losses of this rate",
            number(seconds.in_a_row),
            "response function",
        );
    }
    if !sure {
        finding.severity = Severity::Note;
    }
    finding = finding.doubt(OR_A_LINK_NOTE);
    Some(finding.with_remedies(remedies::policer_unless_told(Some(middle))))
}

/// Names the longest queue that RTTs leave open: if they are several times the idle path's, a few packets may wait.
fn longest_queue(flow: &Flow, rtt: f64, loaded: f64) -> String {
    let rate = flow.total.or(flow.seen.goodput).filter(|_| loaded > MIN_LOADED_RTT_RATIO * rtt);
    match rate.map(|rate| (loaded - rtt) * rate / 8.0 / flow.mss) {
        Some(packets) if packets >= 1.0 => format!("no queue of more than {} packets", show::count(packets.ceil())),
        _ => "no queue".into(),
    }
}

/// Prints the RTT of the idle path. iperf3 prints only the least of its intervals, all of them under load.
fn least_rtt(flow: &Flow, rtt: f64) -> String {
    let under_load = flow.seen.source == Source::Iperf3
        && flow.rtt.as_ref().is_some_and(|known| matches!(known.from, Origin::Counted(_)));
    if under_load { format!("{} at least", time(rtt)) } else { format!("{} idle", time(rtt)) }
}
