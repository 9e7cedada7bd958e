mod bbr_policed;
mod overshoot;
mod packets;
mod totals;

use crate::diagnose::best_view;
use crate::diagnose::bucket;
use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::group;
use crate::diagnose::losses;
use crate::diagnose::queue_delay::{MAX_NO_QUEUE_PACKETS, TIMER_DELAY_S};
use crate::diagnose::rate_regularity;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use base::show::{self, rate, share, time};
use base::stats::percentile;
use evidence::{Connection, Point};
use std::collections::BTreeMap;

/// Largest share of a sampled bucket's tokens that a policer leaves at a loss, and the share below which it is nearly
/// empty; the draw above which it is overdrawn.
const FULL_TOKENS_SHARE: f64 = 0.5;
const EMPTY_TOKENS_SHARE: f64 = 0.4;
const OVERDRAWN_RATIO: f64 = 1.15;
/// Smallest number of losses for a result (Flach et al.: 15).
const MIN_LOSSES: f64 = 15.0;
/// Smallest number of loss events for a result.
const MIN_LOSS_EVENTS: usize = 3;
/// Largest sum of the shares of early losses, overdrawn and near-empty samples: policers reach 0.16 to 0.62, random
/// losses 0.8 and more.
const MAX_MISFIT: f64 = 0.7;
/// Excess rank of the RTT before losses above which a small queue is possible.
const MIN_DOUBTFUL_RTT_RANK: f64 = 0.05;
/// Share of samples that may exceed a policer's bucket, because sampling blurs it.
const MAX_OVERDRAWN_SHARE: f64 = 0.15;
/// Largest burst, as time at the policer's rate, seconds; a larger bucket cannot be told from a link.
const MAX_BURST_S: f64 = 1.0;
/// Smallest ratio of the arrival rate before half of the losses to the bucket's rate: a bucket empties only above its
/// rate. Less than 1 because delivery is delayed.
const MIN_ARRIVAL_RATIO: f64 = 0.9;
/// Share of its rate from which the link limits and not a policer.
const NEARLY_FULL_LINK_SHARE: f64 = 0.85;

/// Test that confirms or refutes per-second figures, and the alternative that they leave open.
const ASK_UDP: &str = "iperf3 -c HOST -u -b RATE, a little below and above: loss sets in right at the rate";
const OR_A_LINK_NOTE: &str = "A link of this rate with hardly a buffer looks the same.";

/// The rule.
pub const RULE: Rule = Rule {
    name: "policer",
    title: "Policed: traffic above a rate is dropped",
    needs: &[Need::BaseRtt, Need::Retransmissions, Need::RoundTrips],
    model: "A token bucket lets a burst through, then drops whatever exceeds its rate, without queueing. The bucket that \
            explains the losses is empty when they occur, never overdrawn, and seldom near empty without one; RTTs do not \
            rise before them.",
    source: "Flach et al., An Internet-Wide Analysis of Traffic Policing, SIGCOMM 2016; code USC-NSL/policing-detection",
    thresholds: || {
        vec![
            (
                format!(
                    "{} losses or more, in {} loss events or more (of packets: in {} runs)",
                    MIN_LOSSES,
                    MIN_LOSS_EVENTS,
                    bucket::MIN_LOSS_RUNS
                ),
                "as published",
            ),
            (
                format!(
                    "captures: a token bucket is empty at the first packet of each run of losses and not empty for \
                     packets that pass; the two shares sum to {} or more",
                    1.0 + packets::MIN_YOUDEN_INDEX
                ),
                "each packet's fate is known: policers give 1.95 or more, losses within a sender's bursts 1.8, \
                 unrelated losses 1 give or take 1.6/sqrt(losses)",
            ),
            (
                format!(
                    "or so for the later half of the packets, with {} runs of losses; of {} and more the shares sum \
                     to {}",
                    packets::MIN_SETTLED_RUNS,
                    packets::MIN_RUNS,
                    1.0 + packets::MIN_YOUDEN_INDEX_OF_FEW
                ),
                "while the first tokens of a large bucket last, slow start overflows the line's own queue",
            ),
            (
                format!(
                    "a note, where a capture has no loss after its first {}",
                    show::plain_share(packets::SLOW_START_LOSS_PART)
                ),
                "a policer that drops nothing later is not the limit",
            ),
            (
                format!(
                    "packets that arrive when it is nearly empty are not delayed: by less than {} of what a queue of \
                     that rate would add, three standard errors included, and, where the link's rate is known, what a \
                     burst adds in front of it (the policer's rate over the link's, {} at most)",
                    show::plain_share(packets::MAX_DELAY_RATIO),
                    packets::MAX_BURST_DELAY_RATIO
                ),
                "0 behind a policer, 1 behind a queue, which drops the same packets; no finding if RTTs vary too much \
                 to tell",
            ),
            (
                format!(
                    "samples: the shares of losses with over {} of the tokens left, of overdrawn samples and of \
                     near-empty samples (below {}) sum to less than {}",
                    show::plain_share(FULL_TOKENS_SHARE),
                    show::plain_share(EMPTY_TOKENS_SHARE),
                    MAX_MISFIT
                ),
                "policers give 0.2 to 0.6, random loss 0.8 or more; the published test lets tokens grow without limit \
                 and fails where the sender idles",
            ),
            (
                format!("fewer than {} of samples overdraw the bucket", show::plain_share(MAX_OVERDRAWN_SHARE)),
                "policed traffic cannot",
            ),
            (
                format!(
                    "its rate is at most what arrived before half of the losses, and at most {} of the link rate",
                    show::plain_share(NEARLY_FULL_LINK_SHARE)
                ),
                "a bucket runs empty only while more arrives than its rate; nobody polices above the line",
            ),
            (
                format!(
                    "or, at the receiver, {} more passes at first, then the same rate within {}, with {} segments \
                     sent again",
                    show::plain_share(totals::MIN_BURST_RATIO - 1.0),
                    show::plain_share(totals::MAX_LATER_DIFFERENCE),
                    totals::MIN_LOST_SEGMENTS
                ),
                "the burst of the bucket, and its rate",
            ),
            (
                format!(
                    "or, over seconds with losses, the variances of their rates and of the windows at losses (by \
                     ssthresh, else cwnd at the end of each), over what random losses would let them be, come to less \
                     than {} on the mean, from {} losses a second on to less than {}",
                    rate_regularity::MAX_JOINT_VARIANCE,
                    rate_regularity::MIN_OFTEN_LOSSES,
                    rate_regularity::MAX_JOINT_VARIANCE_OFTEN
                ),
                "one in a hundred simulated transfers with random losses",
            ),
            (
                format!(
                    "or {} times the losses that would hold a loss-based congestion control at that rate, with rates \
                     that vary by less than {}",
                    totals::MIN_LOSSES_PER_EVENT,
                    show::plain_share(rate_regularity::MAX_BURST_VARIATION)
                ),
                "an empty bucket drops several in a row, about as many each time; bursts of the path's own come at \
                 random",
            ),
            (
                format!(
                    "or slow start, by interval {}, loses {} segments and {} times as many as later intervals with \
                     losses, at the most {} of the BDP at the stated rate, while no interval comes to {} of that \
                     rate, the mean to {}, RTTs are flat, and rates vary no more than random losses let them",
                    overshoot::MAX_START_POINTS,
                    MIN_LOSSES,
                    overshoot::MIN_START_LOSS_RATIO,
                    show::plain_share(overshoot::MAX_DROPPED_BDP_SHARE),
                    show::plain_share(overshoot::MAX_UNQUEUED_LINK_SHARE),
                    show::plain_share(overshoot::MIN_LINK_SHARE)
                ),
                "a line's queue drops once the line is full; random losses are no more frequent then than later",
            ),
            (
                format!(
                    "or BBR keeps exactly one rate for longer than its bandwidth filter, and retransmits {} or more",
                    show::plain_share(bbr_policed::MIN_RETRANSMITTED_SHARE)
                ),
                "its own test for policers: two stretches with a fifth lost and the same rate (tcp_bbr.c, \
                 bbr_lt_bw_sampling)",
            ),
            (
                format!(
                    "from figures of seconds, RTTs within {} times the idle path's, {} or what the sender's own \
                     bursts and delayed ACKs add; where the idle RTT is shorter than {}, no more than that or {} \
                     packets",
                    totals::MAX_IDLE_RTT_RATIO,
                    show::plain_time(TIMER_DELAY_S),
                    show::plain_time(TIMER_DELAY_S),
                    MAX_NO_QUEUE_PACKETS
                ),
                "a queue of milliseconds is one on a path of microseconds too",
            ),
            (
                format!(
                    "RTTs before losses rank no higher than others (by less than {}; with fewer than {} losses {})",
                    losses::MIN_QUEUED_RANK,
                    losses::FEW_LOSSES,
                    losses::MIN_QUEUED_RANK_OF_FEW
                ),
                "a queue raises the RTT first",
            ),
        ]
    },
    confidence: "high from packets at the sender with 15 runs of losses, or from samples shorter than an RTT with no rise of the RTT rank before losses (below 0.05); medium for BBR, at the receiver, with fewer runs or a slight rise, or from per-second figures: losses in most seconds, a constant rate, a flat RTT, what slow start lost, or BBR's own test",
    confirm: &[
        "iperf3 -c HOST -u -b RATE for rates around it: loss sets in right at the rate",
        "iperf3 -c HOST with -C cubic and -C bbr: the same goodput",
    ],
    alike: &[
        ("loss-response", "random losses occur at any token level"),
        ("rate-cap", "a shaper queues: the RTT rises before it drops"),
    ],
    explains: &["loss-response", "timeouts", "shallow-buffer", "slow-start-exit", "rate-cap"],
    remedies: remedies::policer,
    assumed: 0.4,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let is_open = |flow: &&Flow| {
        !view.is_asked_for(flow) && !flow.is_queue_of_window() && !best_view::is_outseen(flow, &view.flows)
    };
    let open: Vec<Flow> = view.flows.iter().filter(is_open).cloned().collect();
    of_flows(&open, view)
}

/// Finds policers of some connections. If there is none, the time for which the path was down is removed first: those
/// drops are not a policer's.
pub fn of_flows(flows: &[Flow], view: &View) -> Vec<Finding> {
    let found = of_all(flows, view);
    let rests: Vec<Option<Connection>> = match found.is_empty() {
        true => flows.iter().map(Flow::without_outage).collect(),
        false => vec![],
    };
    if rests.iter().all(Option::is_none) {
        return found;
    }
    let rests: Vec<Flow> = flows.iter().zip(&rests).map(|(flow, rest)| rest_of(flow, rest.as_ref(), view)).collect();
    of_all(&rests, view)
}

fn of_all(flows: &[Flow], view: &View) -> Vec<Finding> {
    let (of_packets, others): (Vec<&Flow>, Vec<&Flow>) = flows.iter().partition(|flow| !flow.seen.packets.is_empty());
    let of_points = others.iter().filter_map(|flow| {
        bbr_policed::find_in_flow(flow, view)
            .or_else(|| find_in_flow(flow, view))
            .or_else(|| totals::of_one(flow, view))
    });
    let found: Vec<Finding> = of_points.chain(packets::find_in_flows(&of_packets)).collect();
    if found.is_empty() { sums(&others, view) } else { found }
}

/// Finds policers by the sums of connections that share a path.
fn sums(flows: &[&Flow], view: &View) -> Vec<Finding> {
    let mut paths: BTreeMap<_, Vec<&Flow>> = BTreeMap::new();
    for flow in flows {
        paths.entry(group::key(flow)).or_default().push(flow);
    }
    paths.values().flat_map(|flows| totals::of_several(flows, view)).collect()
}

/// Returns a phrase for connections that share one bucket.
fn together(connections: usize) -> String {
    if connections == 1 { String::new() } else { format!(" for {connections} connections together") }
}

fn rest_of<'a>(flow: &Flow<'a>, rest: Option<&'a Connection>, view: &View<'a>) -> Flow<'a> {
    match rest {
        Some(rest) => Flow { total: flow.total, ..view.flow(rest) },
        None => flow.clone(),
    }
}

/// A token bucket that explains the losses.
struct SampledBucket {
    /// Token rate, bytes per second.
    rate: f64,
    /// Share of loss events with more than half of the burst left.
    early: f64,
    /// Share of points with the bucket overdrawn.
    overdrawn: f64,
    /// Share of points with the bucket near empty.
    near: f64,
}

impl SampledBucket {
    fn misfit(&self) -> f64 {
        self.early + self.overdrawn + self.near
    }
}

/// Fits the bucket that best explains the points with and without losses; rates from the mean to half as much again.
fn fit(flow: &Flow, rtt: f64) -> Option<SampledBucket> {
    let points = &flow.seen.points;
    let lossy = |p: &Point| p.retransmitted.is_some_and(|n| n > 0.0);
    let (first, last) = (points.iter().position(lossy)?, points.iter().rposition(lossy)?);
    let bytes: f64 = points[first + 1..=last].iter().map(|p| p.bytes).sum::<Option<f64>>()?;
    let mean = bytes / (points[last].time - points[first].time);
    if !(mean > 0.0 && mean.is_finite()) {
        return None;
    }
    let at: Vec<usize> = flow.events.iter().map(|event| points.partition_point(|p| p.time < event.time)).collect();
    let of = |step: u32| {
        let rate = mean * (1.0 + 0.02 * f64::from(step));
        let mut drawn = 0.0_f64;
        let mut series = vec![0.0];
        for pair in points.windows(2) {
            drawn = (drawn + pair[1].bytes.unwrap_or(0.0) - rate * (pair[1].time - pair[0].time)).max(0.0);
            series.push(drawn);
        }
        let before = |at: &usize| {
            let from = points[..*at].partition_point(|p| p.time < points[*at].time - rtt.max(0.02) - 1e-9);
            series[from..*at].iter().copied().reduce(f64::max)
        };
        let at_losses: Vec<f64> = at.iter().filter_map(before).collect();
        let burst = percentile(at_losses.clone(), 0.5).filter(|burst| *burst > 0.0 && burst / rate < MAX_BURST_S)?;
        let share = |values: &[f64], test: &dyn Fn(f64) -> bool| {
            values.iter().filter(|value| test(**value)).count() as f64 / values.len() as f64
        };
        Some(SampledBucket {
            rate,
            early: share(&at_losses, &|drawn| drawn < (1.0 - FULL_TOKENS_SHARE) * burst),
            overdrawn: share(&series[first..], &|drawn| drawn > OVERDRAWN_RATIO * burst),
            near: share(&series[first..], &|drawn| drawn > (1.0 - EMPTY_TOKENS_SHARE) * burst),
        })
    };
    (0..25).filter_map(of).min_by(|a, b| a.misfit().total_cmp(&b.misfit()))
}

fn find_in_flow(flow: &Flow, view: &View) -> Option<Finding> {
    let rtt = flow.base()?;
    let points = &flow.seen.points;
    let width = flow.seconds? / points.len() as f64;
    let lost: f64 = flow.events.iter().map(|event| event.segments).sum();
    let fine = width <= 2.0 * rtt.max(0.02);
    if lost < MIN_LOSSES || flow.events.len() < MIN_LOSS_EVENTS || !fine || flow.is_congested() != Some(false) {
        return None;
    }
    let rank = flow.queued_at_losses().unwrap_or(0.0);
    let bucket =
        fit(flow, rtt).filter(|bucket| bucket.misfit() < MAX_MISFIT && bucket.overdrawn < MAX_OVERDRAWN_SHARE)?;
    // BBR sends at the rate that it learns: behind a policer it uses up the tokens.
    let unused = flow.is_bbr() && flow.seen.goodput? < MIN_ARRIVAL_RATIO * bucket.rate * 8.0;
    let arrives = percentile(flow.events.iter().filter_map(|event| event.rate).collect(), 0.5);
    if unused
        || flow.fills(NEARLY_FULL_LINK_SHARE) == Some(true)
        || arrives.is_some_and(|rate| rate < MIN_ARRIVAL_RATIO * bucket.rate * 8.0)
    {
        return None;
    }
    let again = flow.retransmitted()?;
    let several = view.group(flow).count();
    let total = flow.total?;
    let policed = match several {
        1 => format!("at about {}", rate(bucket.rate * 8.0)),
        n => format!("at {} for {n} connections together", rate(total)),
    };
    let says = format!(
        "Policed {policed}: {} of the segments are retransmitted, and no queue builds before the drops.",
        share(again)
    );
    // BBR probes with a quarter above its estimate, which a link's queue drops as a bucket does.
    let sure = rank < MIN_DOUBTFUL_RTT_RANK && !flow.is_bbr();
    let confidence = if sure { Confidence::High } else { Confidence::Medium };
    let finding = Finding::problem(RULE.name, confidence, again.max(RULE.assumed), says)
        .figure("rate of a token bucket", rate(bucket.rate * 8.0), "fitted to the losses")
        .at("retransmitted segments", show::count(lost), &flow.seen.place)
        .figure("losses with the bucket over half full", share(bucket.early), "random ones occur at any level")
        .figure("samples that overdraw it", share(bucket.overdrawn), "a policer allows none")
        .figure("RTT", time(rtt), flow.rtt.as_ref().map_or(String::new(), |rtt| rtt.from.to_string()));
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow).at_rate(if several == 1 {
        bucket.rate * 8.0
    } else {
        total
    })))
}
