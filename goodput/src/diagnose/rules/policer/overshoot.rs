//! Finds a policer by the losses of slow start.

use super::{ASK_UDP, MIN_LOSSES, OR_A_LINK_NOTE, RULE};
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::rate_regularity::Seconds;
use crate::diagnose::remedies;
use crate::show::{self, bytes, number, rate, time};
use crate::stats::{mean, percentile};

/// Number of first points within which slow start ends, and the longest mean duration of a point, seconds.
pub(super) const MAX_START_POINTS: usize = 3;
const MAX_POINT_S: f64 = 2.0;
/// Smallest ratio of losses at its end to those of a later point with losses.
pub(super) const MIN_START_LOSS_RATIO: f64 = 4.0;
/// Share of the link that a point must reach for a queue to overflow.
pub(super) const MAX_UNQUEUED_LINK_SHARE: f64 = 0.6;
/// Share of a BDP below which losses are not a queue's: a full queue drops about a BDP.
pub(super) const MAX_DROPPED_BDP_SHARE: f64 = 0.5;
/// Share of its link below which a connection waits for timeouts instead.
pub(super) const MIN_LINK_SHARE: f64 = 0.05;
/// Largest ratio of the RTT without a queue to that of the idle path, plus the delay of ACKs, seconds.
const MAX_IDLE_RTT_RATIO: f64 = 1.15;
const ACK_DELAY_S: f64 = 0.002;

/// Finds a policer by the overshoot of slow start, which doubles cwnd each round trip. The overshoot costs up to half
/// a window: at a queue once the link is full, at a bucket earlier. Random losses are no more frequent then than
/// later.
pub(super) fn of(flow: &Flow) -> Option<Finding> {
    let points = &flow.seen.points;
    let [start, _] = flow.seen.span?;
    let lost: Vec<f64> = points.iter().map(|point| point.retransmitted.unwrap_or(0.0)).collect();
    let first = lost.iter().position(|lost| *lost > 0.0).filter(|first| *first < MAX_START_POINTS)?;
    // Retransmissions after a full window was lost fall into the next point as well.
    let (begun, rest) = lost.get(first..)?.split_at_checked(2)?;
    let at_once: f64 = begun.iter().sum();
    let later: Vec<f64> = rest.iter().copied().filter(|lost| *lost > 0.0).collect();
    let rates = flow.rates_of_points();
    let at_first = points[0].bytes.map(|bytes| 8.0 * bytes / (points[0].time - start)).filter(|rate| rate.is_finite());
    let peak = rates.into_iter().chain(at_first).reduce(f64::max)?;
    let base = flow.base()?;
    let bdp = flow.expected()?.value * base / 8.0;
    let loaded = percentile(points.iter().filter_map(|point| point.srtt).collect(), 0.95).or_else(|| flow.loaded())?;
    let flat = (base / MAX_IDLE_RTT_RATIO..MAX_IDLE_RTT_RATIO * base + ACK_DELAY_S.min(base)).contains(&loaded);
    // A listing may begin in the middle of a connection.
    let from_start = points[0].bytes.is_some() || points[0].ssthresh.is_none();
    if later.is_empty()
        || at_once < MIN_LOSSES * flow.connections as f64
        || at_once < MIN_START_LOSS_RATIO * mean(&later)
        || at_once * flow.mss > MAX_DROPPED_BDP_SHARE * bdp
        || flow.reaches(peak, MAX_UNQUEUED_LINK_SHARE) != Some(false)
        || flow.fills(MIN_LINK_SHARE) != Some(true)
        || flow.seconds? > MAX_POINT_S * points.len() as f64
        || !from_start
        || !flat
        || Seconds::of(flow).is_some_and(|seconds| seconds.are_irregular())
        || flow.is_mostly_spurious()
        || flow.is_often_reordered()
        || flow.is_bbr()
        || flow.is_limited()
        || flow.keeps_to_rate()
    {
        return None;
    }
    let says = format!(
        "Policed, it seems{}: slow start lost {} segments at once although no interval came to more than {} and no queue \
         stood (RTT {}, {} idle). Later intervals with losses have {} on the mean.",
        super::together(flow.connections),
        show::count(at_once),
        rate(peak),
        time(loaded),
        time(base),
        number(mean(&later))
    );
    let finding = Finding::problem(RULE.name, Confidence::Medium, RULE.assumed, says)
        .at("segments sent again at the end of slow start", show::count(at_once), &flow.seen.place)
        .figure("BDP of the line", bytes(bdp), "stated rate, idle RTT")
        .at("highest rate of an interval", rate(peak), &flow.seen.place)
        .doubt(OR_A_LINK_NOTE)
        .doubt("A burst of losses that happened to come first looks the same: a second run would not show it.")
        .ask(ASK_UDP);
    Some(finding.with_remedies(remedies::policer_unless_told(None)))
}
