//! A policer by what slow start loses at it.

use super::{BY_UDP, LOSSES, OR_A_LINK, RULE};
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::rate_regularity::Seconds;
use crate::diagnose::remedies;
use crate::show::{self, bytes, number, rate, time};
use crate::stats::{mean, percentile};

/// Slow start has ended by the second point with losses of the first three, none of which is longer than this, seconds.
const EARLY: usize = 3;
const LONGEST: f64 = 2.0;
/// Losses at its end, over those of a later point that has any.
const TIMES: f64 = 4.0;
/// A line of which no point comes to this share has had no queue to overflow;
const ROOM: f64 = 0.6;
/// and a full one drops about a BDP: fewer than this share of it were not dropped by its queue.
const SMALL: f64 = 0.5;
/// Below this share of its line a connection rather waits for timeouts.
const REMAINS: f64 = 0.05;
/// Round-trip times of a path without a queue, over that of the idle one; and what delays of ACKs add, seconds.
const FLAT: f64 = 1.15;
const DELAYS: f64 = 0.002;

/// Slow start doubles cwnd each round trip. The overshoot costs up to half a window: at a queue once the line is full, at a
/// bucket earlier. Random losses are no more frequent then than later.
pub(super) fn of(flow: &Flow) -> Option<Finding> {
    let points = &flow.seen.points;
    let [start, _] = flow.seen.span?;
    let lost: Vec<f64> = points.iter().map(|point| point.retransmitted.unwrap_or(0.0)).collect();
    let first = lost.iter().position(|lost| *lost > 0.0).filter(|first| *first < EARLY)?;
    // What is sent again after a full window was lost falls into the next point as well.
    let (begun, rest) = lost.get(first..)?.split_at_checked(2)?;
    let at_once: f64 = begun.iter().sum();
    let later: Vec<f64> = rest.iter().copied().filter(|lost| *lost > 0.0).collect();
    let rates = flow.rates_of_points();
    let at_first = points[0].bytes.map(|bytes| 8.0 * bytes / (points[0].time - start)).filter(|rate| rate.is_finite());
    let peak = rates.into_iter().chain(at_first).reduce(f64::max)?;
    let base = flow.base()?;
    let bdp = flow.expected()?.value * base / 8.0;
    let loaded = percentile(points.iter().filter_map(|point| point.srtt).collect(), 0.95).or_else(|| flow.loaded())?;
    let flat = (base / FLAT..FLAT * base + DELAYS.min(base)).contains(&loaded);
    // A listing may begin in the middle of a connection.
    let from_start = points[0].bytes.is_some() || points[0].ssthresh.is_none();
    if later.is_empty()
        || at_once < LOSSES * flow.connections as f64
        || at_once < TIMES * mean(&later)
        || at_once * flow.mss > SMALL * bdp
        || flow.reaches(peak, ROOM) != Some(false)
        || flow.fills(REMAINS) != Some(true)
        || flow.seconds? > LONGEST * points.len() as f64
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
        .doubt(OR_A_LINK)
        .doubt("A burst of losses that happened to come first looks the same: a second run would not show it.")
        .ask(BY_UDP);
    Some(finding.with_remedies(remedies::policer_unless_told(None)))
}
