//! Finds policers in captures, which have each packet and its fate.

use super::{MIN_LOSSES, NEARLY_FULL_LINK_SHARE, RULE};
use crate::diagnose::bucket::Bucket;
use crate::diagnose::finding::{Confidence, Finding, Severity};
use crate::diagnose::flow::Flow;
use crate::diagnose::sizes::Sizes;
use crate::show::{self, bytes, rate, share};
use evidence::{Packet, Seen};
use std::collections::BTreeMap;

/// Smallest Youden's index of the bucket as a predictor of losses. An empty bucket drops every packet and any other
/// none, so policers reach 0.95 and more, losses with a sender's bursts 0.8, and random losses the index of chance,
/// 1.6/sqrt(losses) (Kolmogorov–Smirnov).
pub(super) const MIN_YOUDEN_INDEX: f64 = 0.85;
/// Number of loss runs in half of the packets below which the index must be higher: seven random events reach 0.9 at
/// the best rate.
pub(super) const MIN_SETTLED_RUNS: usize = 40;
pub(super) const MIN_YOUDEN_INDEX_OF_FEW: f64 = 0.95;
/// Smallest number of loss runs for a result.
pub(super) const MIN_RUNS: usize = 10;
/// Largest ratio of the delay before losses to that of a queue in place of the bucket: 0 behind a policer, 1 behind a
/// queue.
pub(super) const MAX_DELAY_RATIO: f64 = 0.1;
/// Largest addition to that ratio by a burst that queues at a faster link.
pub(super) const MAX_BURST_DELAY_RATIO: f64 = 0.4;

/// First part of the time in which losses come from slow start.
pub(super) const SLOW_START_LOSS_PART: f64 = 0.4;

/// Finds policers, one for all connections between the same hosts, or else one for each connection.
pub fn of(flows: &[&Flow]) -> Vec<Finding> {
    let mut paths: BTreeMap<_, Vec<&Flow>> = BTreeMap::new();
    for flow in flows {
        paths.entry((flow.seen.place.file.clone(), flow.seen.group, flow.seen.ends)).or_default().push(flow);
    }
    let found = |flows: &Vec<&Flow>| {
        let together = of_path(flows);
        let alone = || flows.iter().flat_map(|flow| of_path(&[flow])).collect();
        if together.is_empty() && flows.len() > 1 { alone() } else { together }
    };
    paths.values().flat_map(found).collect()
}

/// Returns the packets of some connections in order of time.
fn merged(flows: &[&Flow]) -> Vec<Packet> {
    let mut packets: Vec<Packet> = flows.iter().flat_map(|flow| flow.seen.packets.iter().copied()).collect();
    packets.sort_by(|a, b| a.time.total_cmp(&b.time));
    packets
}

/// Returns the packets after the middle of the time.
fn later_half(packets: &[Packet]) -> &[Packet] {
    let middle = packets.first().zip(packets.last()).map_or(0.0, |(first, last)| (first.time + last.time) / 2.0);
    &packets[packets.partition_point(|packet| packet.time <= middle)..]
}

/// Finds a bucket that explains the lost packets of connections between the same hosts.
fn of_path(flows: &[&Flow]) -> Vec<Finding> {
    let packets = merged(flows);
    let lost = packets.iter().filter(|packet| packet.lost).count();
    // A queue that others keep filled delays all packets alike, and nobody polices at the link rate.
    if (lost as f64) < MIN_LOSSES || flows.iter().any(|flow| flow.has_queue()) {
        return vec![];
    }
    let line = flows.iter().filter_map(|flow| flow.expected()).map(|line| line.value / 8.0).reduce(f64::min);
    // A burst queues at the link behind the bucket; the faster the link, the less.
    let by_line = |bucket: &Bucket| line.map_or(0.0, |line| (bucket.rate / line).min(MAX_BURST_DELAY_RATIO));
    let undelayed = |bucket: &Bucket| bucket.delay.is_some_and(|delay| delay < MAX_DELAY_RATIO + by_line(bucket));
    let below = |bucket: &Bucket| {
        flows.iter().all(|flow| flow.reaches(bucket.rate * 8.0, NEARLY_FULL_LINK_SHARE) != Some(true))
    };
    let fits = |bucket: &Bucket| undelayed(bucket) && below(bucket);
    let whole = Bucket::of(&packets).filter(|bucket| bucket.told() >= MIN_YOUDEN_INDEX && fits(bucket));
    // While the first tokens last, slow start overflows the link's own queue.
    let enough = |bucket: &Bucket| match bucket.onsets {
        ..MIN_RUNS => false,
        MIN_RUNS..MIN_SETTLED_RUNS => bucket.told() >= MIN_YOUDEN_INDEX_OF_FEW,
        _ => bucket.told() >= MIN_YOUDEN_INDEX,
    };
    let half = later_half(&packets);
    let later = || Bucket::of(half).filter(|bucket| enough(bucket) && fits(bucket));
    let Some(bucket) = whole.or_else(later) else { return vec![] };
    let least = if whole.is_some() { "" } else { "at least " };
    let several = super::together(flows.len());
    let share_lost = lost as f64 / packets.len() as f64;
    let says = format!(
        "Policed at about {}{several}: {} of the packets are lost, those that a token bucket has no tokens for, and no \
         queue builds before.",
        rate(bucket.rate * 8.0),
        share(share_lost)
    );
    // Captures at the receiver only estimate loss times and RTTs.
    let rough = flows.iter().any(|flow| flow.seen.seen == Seen::Receiver);
    let confidence = if rough || bucket.onsets < MIN_LOSSES as usize { Confidence::Medium } else { Confidence::High };
    let last = packets.iter().rposition(|packet| packet.lost).map_or(0.0, |last| packets[last].time);
    let [start, end] = [packets[0].time, packets[packets.len() - 1].time];
    // A bucket that drops nothing later is not the limit later.
    let begun = last - start < SLOW_START_LOSS_PART * (end - start);
    let of_flow = |flow: &&&Flow| {
        let place = &flow.seen.place;
        let mut finding = Finding::problem(RULE.name, confidence, share_lost.max(RULE.assumed), says.clone())
            .figure(
                "token bucket",
                format!("{}, {least}{}", rate(bucket.rate * 8.0), bytes(bucket.burst)),
                if whole.is_some() { "fitted to the losses" } else { "fitted to the losses of the later half" },
            )
            .at("lost packets", show::count(lost as f64), place)
            .figure("losses with the bucket empty", share(bucket.hit), "random ones occur at any level")
            .figure("packets that pass with tokens left", share(bucket.passed), "a policer drops the others")
            .figure(
                "delay before losses",
                share(bucket.delay.unwrap_or(0.0).max(0.0)),
                "of what a queue of that rate would add; at most",
            )
            .of(flow)
            .sized(Sizes::of(flow).at_rate(bucket.rate * 8.0));
        if begun {
            finding.severity = Severity::Note;
        }
        finding
    };
    flows.iter().filter(|flow| flow.seen.packets.iter().any(|packet| packet.lost)).map(|flow| of_flow(&flow)).collect()
}
