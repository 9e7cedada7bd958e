//! Loss events of a connection: their number, the queue before them, and the response of cwnd.

use super::flow::{Event, Flow};
use super::queue_delay::{MAX_NO_QUEUE_PACKETS, QUEUE_DELAY_S};
use crate::stats::{median, median_deviation, percentile};
use evidence::{Hole, Point, Source};

/// Number of losses from which their RTT ranks are averaged well.
pub const FEW_LOSSES: usize = 10;
/// Difference of RTT ranks before losses above which a queue was full, with ten losses or more. The median of n random
/// ranks is uncertain by 0.36/sqrt(n): this is twice that for thirty losses.
pub const MIN_QUEUED_RANK: f64 = 0.14;
/// The same threshold for fewer than ten losses. Queues reach 0.15, and mostly 0.3 and more.
pub const MIN_QUEUED_RANK_OF_FEW: f64 = 0.155;

/// Smallest difference between a short and a full segment, bytes.
pub const MIN_SHORTER_BYTES: f64 = 50.0;
/// Number of losses of one segment that excludes chance, while as many others arrive.
pub const MIN_REPEATED_LOSSES: f64 = 3.0;
/// Smallest number of points in a series.
const MIN_POINTS: usize = 6;
/// Smallest deviation of windows from their median, over that median, if cwnd moves.
const MIN_WINDOW_VARIATION: f64 = 0.03;
/// Largest variation of rates over that of windows at a queue. None of 26 policed connections reaches 0.5
/// (scripts/native-paths/study.py little). Without the idle path's RTT to compare with, the limit is stricter.
const MIN_QUEUE_RATE_VARIATION: f64 = 0.5;
const RAISED_RTT_RATIO: f64 = 1.2;
const MAX_POLICED_RATE_VARIATION: f64 = 0.4;

/// Retransmitted share above which an unexamined fault on the path is possible.
pub const MIN_SUSPICIOUS_LOSS_SHARE: f64 = 0.03;

/// Smallest number of reorderings that the sender saw, and their smallest share of its segments.
pub const MIN_REORDERINGS: f64 = 5.0;
pub const MIN_REORDERED_SHARE: f64 = 0.001;

/// Returns the share of points with losses.
pub fn lossy(points: &[Point]) -> f64 {
    let lossy = points.iter().filter(|point| point.retransmitted.is_some_and(|n| n > 0.0)).count();
    lossy as f64 / points.len().max(1) as f64
}

impl Flow<'_> {
    /// Whether reordering is frequent. RACK counts a reordering if a segment that was passed over arrives without a
    /// retransmission; losses do not cause that.
    pub(crate) fn is_often_reordered(&self) -> bool {
        let seen = self.seen.reordered.unwrap_or(0.0);
        seen >= MIN_REORDERINGS && seen > MIN_REORDERED_SHARE * self.seen.segments_sent.unwrap_or(f64::INFINITY)
    }

    /// Whether points have retransmission counts; a receiver's do not.
    pub(crate) fn tells_losses(&self) -> bool {
        self.seen.points.iter().any(|point| point.retransmitted.is_some())
    }

    /// Returns loss events per delivered segment: the least and the most.
    pub(crate) fn event_rates(&self) -> Option<[f64; 2]> {
        self.seen.retransmitted?;
        let segments = self.segments?;
        Some(self.event_bounds().map(|events| events / segments))
    }

    /// Returns the least and the largest number of loss events that explain the retransmissions. Points further apart
    /// than round trips leave the number open: one event may fall into two of them, and each round trip may have one.
    pub(crate) fn event_bounds(&self) -> [f64; 2] {
        let known = self.events.len() as f64;
        // A total alone allows all at once, or each by itself.
        let total = self.seen.retransmitted.filter(|_| !self.tells_losses());
        if let (Some(total), 0.0) = (total, known) {
            let rounds = self.seconds.zip(self.base()).map_or(total, |(seconds, rtt)| (seconds / rtt).floor() + 1.0);
            return [total.min(1.0), total.min(rounds)];
        }
        if self.is_fine() || self.seen.points.is_empty() {
            return [known; 2];
        }
        let (mut least, mut most, mut run) = (0.0, 0.0, 0);
        for pair in self.seen.points.windows(2) {
            let Some(segments) = pair[1].retransmitted.filter(|n| *n > 0.0) else {
                run = 0;
                continue;
            };
            let rounds = self.base().map_or(segments, |rtt| ((pair[1].time - pair[0].time) / rtt).floor() + 1.0);
            most += segments.min(rounds);
            let falls = pair[0].cwnd.zip(pair[1].cwnd).is_some_and(|(before, now)| now < 0.85 * before);
            least += f64::from(u8::from(run % 2 == 0 || falls));
            run += 1;
        }
        [least, f64::max(least, most)]
    }

    /// Returns how far RTTs exceed their usual values before losses, as a difference of ranks among all RTTs after
    /// slow start: the median rank of the largest RTT within a round trip before a loss, less that of any other round
    /// trip. A queue that overflows is full before the loss: 0.2 and more. Losses unrelated to a queue give about 0.
    pub(crate) fn queued_at_losses(&self) -> Option<f64> {
        let points = &self.seen.points;
        let first = points.iter().position(|p| p.retransmitted.is_some_and(|n| n > 0.0))?;
        let mut sorted: Vec<f64> = points[first.saturating_sub(1)..].iter().filter_map(|p| p.srtt).collect();
        sorted.sort_by(f64::total_cmp);
        let rank = |srtt: f64| sorted.partition_point(|other| *other < srtt) as f64 / sorted.len() as f64;
        let rtt = self.base()?;
        let largest_before = |at: usize| {
            // The last loss may come after the last point.
            let time = points.get(at)?.time;
            let from = points[..at].partition_point(|p| p.time < time - rtt.max(0.01) - 1e-9);
            points[from..at].iter().filter_map(|p| p.srtt).reduce(f64::max)
        };
        let at_losses = self.events.iter().filter_map(|event| {
            let at = points.partition_point(|p| p.time < event.time);
            largest_before(at).map(rank)
        });
        let at_losses: Vec<f64> = at_losses.collect();
        let usual: Vec<f64> =
            (first + 1..points.len()).step_by(3).filter_map(|at| largest_before(at).map(rank)).collect();
        let known = sorted.len() >= 10 && at_losses.len() >= 2;
        known.then(|| Some(percentile(at_losses, 0.5)? - percentile(usual, 0.5)?)).flatten()
    }

    /// Whether losses come from a full queue, by the ranks of RTTs before them, or by the rise of RTTs if losses are
    /// few; `None` if RTTs do not decide.
    pub(crate) fn is_congested(&self) -> Option<bool> {
        let rank = self.queued_at_losses().filter(|_| self.events.len() > 2);
        let rise = || {
            let [base, ..] = self.queueing()?;
            let before = percentile(self.events.iter().filter_map(|event| event.srtt).collect(), 0.5)?;
            Some([base, before - base])
        };
        // A shorter backlog overflows no queue.
        let is_empty = || Some(rise()?[1] * self.expected()?.value < MAX_NO_QUEUE_PACKETS * 8.0 * self.mss);
        let risen = || rise().map(|[base, rise]| rise > 0.15 * base && rise > self.unqueued(base, QUEUE_DELAY_S));
        let least = if self.events.len() < FEW_LOSSES { MIN_QUEUED_RANK_OF_FEW } else { MIN_QUEUED_RANK };
        rank.map(|rank| rank > least && is_empty() != Some(true)).or_else(risen)
    }

    /// Returns the short segment that never arrives while those around it do.
    pub(crate) fn short_hole(&self) -> Option<Hole> {
        self.seen.hole.filter(|hole| {
            hole.again >= MIN_REPEATED_LOSSES
                && hole.behind >= MIN_REPEATED_LOSSES
                && hole.bytes + MIN_SHORTER_BYTES < self.mss
        })
    }

    /// Whether a queue absorbs what cwnd adds: cwnd over RTT is the rate at which the queue drains (Little's law), and
    /// varies by less than half as much as cwnd does, or RTTs rise with cwnd.
    pub(crate) fn is_queue_of_window(&self) -> bool {
        let known: Vec<[f64; 2]> = self.after_start().filter_map(|point| Some([point.cwnd?, point.srtt?])).collect();
        let Some([base, middle, _]) = self.queueing() else { return false };
        let windows: Vec<f64> = known.iter().map(|[window, _]| *window).collect();
        let rates: Vec<f64> = known.iter().map(|[window, rtt]| window / rtt).collect();
        let moves = strays(&windows);
        // iperf3's least RTT is the least of its intervals, all of them under load.
        let follows =
            if self.seen.source == Source::Iperf3 { MAX_POLICED_RATE_VARIATION } else { MIN_QUEUE_RATE_VARIATION };
        let is_raised = follows < MIN_QUEUE_RATE_VARIATION || middle > RAISED_RTT_RATIO * base;
        let drains_evenly = moves > MIN_WINDOW_VARIATION && strays(&rates) < follows * moves;
        known.len() >= MIN_POINTS && (is_raised && drains_evenly || self.rtt_follows_window())
    }

    /// Returns the median of a capture's bytes in flight one to four round trips after a loss, over those before. A
    /// cwnd that limits falls to 0.7 and less. Until the loss is repaired, more is outstanding.
    pub(crate) fn falls_at_losses(&self) -> Option<f64> {
        let (points, rtt) = (&self.seen.points, self.base()?);
        let fall = |event: &Event| {
            let at = points.partition_point(|point| point.time < event.time);
            let before = points.get(at.checked_sub(1)?)?.in_flight.filter(|bytes| *bytes > 0.0)?;
            let behind = |pair: &&[Point]| (rtt..4.0 * rtt).contains(&(pair[0].time - event.time));
            let after: Vec<f64> = points[at..].windows(2).filter(behind).filter_map(|pair| pair[1].in_flight).collect();
            Some(percentile(after, 0.5)? / before)
        };
        let known: Vec<f64> = self.events.iter().skip(1).filter_map(fall).collect();
        percentile(known.clone(), 0.5).filter(|_| !self.seen.packets.is_empty() && known.len() >= 2)
    }

    /// Returns the loss events by time.
    pub(super) fn loss_events(&self) -> Vec<Event> {
        let points = &self.seen.points;
        let mut events: Vec<Event> = vec![];
        let mut last: Option<(f64, Option<f64>)> = None;
        for (at, point) in points.iter().enumerate() {
            let Some(segments) = point.retransmitted.filter(|n| *n > 0.0) else { continue };
            let before = at.checked_sub(1).map(|before| points[before]);
            let width = before.map_or(0.0, |before| point.time - before.time);
            let rtt = point.srtt.or(self.base()).unwrap_or(width);
            // A cwnd that falls again is another event, however soon.
            let falls_again = width > rtt
                && before.and_then(|b| b.cwnd).zip(point.cwnd).is_some_and(|(before, now)| now < 0.85 * before);
            let is_same = last.is_some_and(|(time, _)| point.time - time <= 1.5 * rtt + width) && !falls_again;
            last = Some((point.time, point.cwnd));
            match events.last_mut().filter(|_| is_same) {
                Some(event) => event.segments += segments,
                None => events.push(Event {
                    time: point.time,
                    segments,
                    cwnd: before.and_then(|b| b.cwnd),
                    srtt: before.and_then(|b| b.srtt),
                    rate: self.rate_before(at),
                }),
            }
        }
        events
    }

    /// Returns the delivery rate over the two round trips before a point, bit/s.
    fn rate_before(&self, at: usize) -> Option<f64> {
        let points = &self.seen.points;
        let span = (2.0 * self.base().unwrap_or(0.0)).max(0.05);
        let end = at.checked_sub(1)?;
        let from = points[..end].iter().rposition(|p| points[end].time - p.time >= span - 1e-9)?;
        let bytes: Option<f64> = points[from + 1..=end].iter().map(|p| p.bytes).sum();
        Some(bytes? * 8.0 / (points[end].time - points[from].time))
    }
}

/// Returns the median deviation of values from their median, over that median.
fn strays(values: &[f64]) -> f64 {
    let middle = median(values);
    if middle > 0.0 { median_deviation(values) / middle } else { 0.0 }
}
