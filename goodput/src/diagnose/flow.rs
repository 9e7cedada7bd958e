//! A connection, and what follows from it once for all rules.

use super::path_facts::{self, Given, Known, Named};
use crate::model::segment::{self, IPERF3_WRITE};
use crate::model::{buffer, response};
use crate::quantity::{self, Account};
use crate::stats::percentile;
use evidence::platform::Platform;
use evidence::{Connection, Evidence, Place, Point};

/// A connection with what follows from it.
#[derive(Clone)]
pub struct Flow<'a> {
    /// As it was seen.
    pub seen: &'a Connection,
    /// The sender's congestion control.
    pub control: Option<Named>,
    /// The path's round-trip time without a queue, seconds.
    pub rtt: Option<Known>,
    /// What the line should carry, bit/s.
    pub line: Option<Known>,
    /// Goodput of all connections of its group together, bit/s.
    pub total: Option<f64>,
    /// How many connections it is the sum of.
    pub connections: usize,
    /// Payload of a full segment, bytes; 1448 if nothing tells it.
    pub mss: f64,
    /// Seconds that it was watched.
    pub seconds: Option<f64>,
    /// Full segments that its payload fills.
    pub segments: Option<f64>,
    /// Loss events, by time: retransmissions within a round trip are one.
    pub events: Vec<Event>,
    /// The mean congestion window, bytes.
    pub cwnd: Option<f64>,
    /// The delivery rate that is exceeded in 5 % of the time, over spans of two round trips or one interval, bit/s.
    pub peak: Option<f64>,
    /// Where slow start had ended, as an index of the points.
    pub settled: usize,
    /// The systems of the hosts, as far as they are known; else one of each.
    pub platforms: Vec<Platform>,
    /// The receive window that settings allow, bytes, and where they stand.
    pub allowed: Option<(f64, Place)>,
    /// What limited it second by second, where bytes, cwnd and RTT are printed.
    pub account: Option<Account>,
}

/// A loss event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// When, seconds.
    pub time: f64,
    /// Segments sent again.
    pub segments: f64,
    /// The congestion window before, bytes.
    pub cwnd: Option<f64>,
    /// The round-trip time before, seconds.
    pub srtt: Option<f64>,
    /// Delivery rate over the round trip before, bit/s.
    pub rate: Option<f64>,
}

/// A longer silence is more than one timeout, seconds.
const MIN_OUTAGE_S: f64 = 1.5;

/// With data outstanding for a smaller share of the time, a connection waits for its application: transfers with data reach
/// 0.95 and more.
pub const MIN_BUSY_SHARE: f64 = 0.85;

/// A program that reaches this share of its target rate is limited by nothing else.
const TARGET_REACHED_SHARE: f64 = 0.9;

/// Below this share of its rate a link has no queue of the connection's own.
const NO_QUEUE_LINK_SHARE: f64 = 0.7;

/// RTT without a queue over that of the idle path, at most, plus 3 ms.
const MAX_IDLE_RTT_RATIO: f64 = 1.25;

/// Points of a capture are at most this far apart, seconds, unless it has very many.
const MAX_CAPTURE_STEP_S: f64 = 0.25;

/// Shortest delay of an acknowledgment in Linux, seconds (TCP_DELACK_MIN).
const DELAYED_ACK_S: f64 = 0.04;

/// Share of windows sampled once a second that a sender with data delivers, at least.
const MIN_DELIVERED_WINDOW_SHARE: f64 = 0.7;

/// Share of points with data waiting in the send buffer, at least,
const MIN_WAITING_POINTS_SHARE: f64 = 0.6;
/// and share of points with cwnd larger than the buffer.
const MIN_LARGER_CWND_POINTS_SHARE: f64 = 0.3;

/// Share of the send buffer in flight, over that which autotuning would allow, at least.
const MIN_CAPPED_RATIO: f64 = 1.43;

/// Bytes in flight stay the same: within this share and a segment, at this share of the points.
const SAME_IN_FLIGHT_SHARE: f64 = 0.05;
const MIN_SAME_POINTS_SHARE: f64 = 0.8;

/// With this many points the last one may be dropped.
const MIN_POINTS_WITHOUT_LAST: usize = 6;

/// MSS if unknown: that of Ethernet with timestamps, bytes.
pub(super) const USUAL_MSS: f64 = segment::FULL_SEGMENT;

impl<'a> Flow<'a> {
    /// Of a connection.
    pub fn of(seen: &'a Connection, evidence: &Evidence, given: Given) -> Flow<'a> {
        let mss = seen.mss.filter(|mss| *mss > 0.0).or_else(|| quantity::mss_by_cwnd(seen)).unwrap_or(USUAL_MSS);
        let seconds = seen.span.map(|[start, end]| end - start).filter(|s| *s > 0.0);
        let settled = settled(&seen.points);
        let mut flow = Flow {
            seen,
            control: path_facts::control(seen, evidence),
            rtt: path_facts::base_rtt(seen, evidence, given),
            line: path_facts::line_rate(seen, evidence, given),
            total: seen.goodput,
            connections: 1,
            mss,
            seconds,
            segments: seen.bytes.map(|bytes| bytes / mss).filter(|n| *n > 0.0),
            events: vec![],
            cwnd: mean_over_time(&seen.points, |p| p.cwnd),
            peak: None,
            settled,
            platforms: path_facts::platforms(&evidence.hosts),
            allowed: path_facts::allowed_window(seen, evidence),
            account: None,
        };
        flow.account = Account::of(&flow.transfer());
        flow.peak = flow.rates().and_then(|rates| percentile(rates, 0.95));
        flow.events = flow.loss_events();
        flow
    }

    /// What to call it.
    pub fn name(&self) -> String {
        format!("{} ({})", self.seen.name, self.seen.place)
    }

    /// Round-trip time without a queue, seconds.
    pub fn base(&self) -> Option<f64> {
        self.rtt.as_ref().map(|rtt| rtt.value)
    }

    /// What the link should carry, where somebody says so. The speed of an interface is no more than a bound: the path
    /// may be slower.
    pub fn expected(&self) -> Option<&Known> {
        self.line.as_ref().filter(|line| !line.from.is_bound())
    }

    /// Whether goodput, with that of connections beside it, is this share of the link's rate, less what headers take of it;
    /// that of the later half, where it is alone: slow start takes of the mean. `None` where the rate is not known.
    pub fn fills(&self, share: f64) -> Option<bool> {
        let total = self.total?;
        let reached = if self.seen.goodput == Some(total) { total.max(self.later().unwrap_or(0.0)) } else { total };
        self.reaches(reached, share)
    }

    /// Whether goodput of that much is this share of the link's rate, less what headers take of it, bit/s.
    pub fn reaches(&self, goodput: f64, share: f64) -> Option<bool> {
        Some(goodput > share * self.line.as_ref()?.value * self.payload())
    }

    /// The later half of the points: slow start is over.
    pub(crate) fn later_half(&self) -> &'a [Point] {
        &self.seen.points[self.seen.points.len() / 2..]
    }

    /// Goodput of the later half of the points, bit/s.
    pub fn later(&self) -> Option<f64> {
        let points = self.later_half();
        let bytes: f64 = points.iter().skip(1).map(|point| point.bytes).sum::<Option<f64>>()?;
        let seconds = points.last()?.time - points.first()?.time;
        Some(8.0 * bytes / seconds).filter(|rate| rate.is_finite())
    }

    /// Whether its program was told a rate, and comes to it on a line that carries more.
    pub(crate) fn keeps_to_rate(&self) -> bool {
        let comes_to = |(target, goodput)| goodput >= TARGET_REACHED_SHARE * target;
        self.seen.target.zip(self.seen.goodput).is_some_and(comes_to) && self.fills(TARGET_REACHED_SHARE) != Some(true)
    }

    /// The share of a full segment on the wire that is payload.
    pub fn payload(&self) -> f64 {
        segment::payload_share(self.mss)
    }

    /// Whether its congestion control is a BBR.
    pub fn is_bbr(&self) -> bool {
        self.control.as_ref().is_some_and(|control| response::is_bbr(&control.name))
    }

    /// What its congestion control leaves of cwnd at a loss, CUBIC where nothing names it; `None` of one that is not held to a
    /// share.
    pub fn leaves(&self) -> Option<f64> {
        response::leaves(self.control.as_ref().map_or("cubic", |control| &control.name))
    }

    /// The median after slow start of what points have.
    pub fn median(&self, of: fn(&Point) -> Option<f64>) -> Option<f64> {
        percentile(self.after_start().filter_map(of).collect(), 0.5)
    }

    /// What was put into it: acknowledged, in flight, and waiting in the send buffer, bytes.
    pub fn offered(&self) -> f64 {
        let offered = self.seen.bytes.unwrap_or(0.0) + self.stuck();
        if offered.is_finite() { offered } else { 0.0 }
    }

    /// What was in flight or in the send buffer at the end, bytes.
    pub fn stuck(&self) -> f64 {
        self.seen.points.last().map_or(0.0, |p| p.in_flight.unwrap_or(0.0) + p.unsent.unwrap_or(0.0))
    }

    /// The round-trip time that the congestion window takes at this goodput, seconds: longer than the path's own where a
    /// queue stands, or where the window is not what binds.
    pub fn loaded(&self) -> Option<f64> {
        Some(self.cwnd? * 8.0 / self.seen.goodput.filter(|goodput| *goodput > 0.0)?)
    }

    /// Whether the congestion window stays as it is for most of the time after the first third, without a loss: a
    /// connection that fills it lets it grow (net/ipv4/tcp_input.c, tcp_is_cwnd_limited), even on CUBIC's plateau by more
    /// than two segments.
    pub(crate) fn is_held(&self) -> bool {
        let later = &self.seen.points[(self.seen.points.len() + 1) / 3..];
        let (mut longest, mut length, mut low, mut high) = (0, 0, f64::MAX, 0.0_f64);
        for point in later {
            match point.cwnd.filter(|_| point.retransmitted == Some(0.0)) {
                Some(cwnd) if high.max(cwnd) - low.min(cwnd) <= 2.0 * self.mss => length += 1,
                Some(_) => (length, low, high) = (1, f64::MAX, 0.0),
                None => (length, low, high) = (0, f64::MAX, 0.0),
            }
            if let Some(cwnd) = point.cwnd.filter(|_| length > 0) {
                (low, high) = (low.min(cwnd), high.max(cwnd));
            }
            longest = longest.max(length);
        }
        longest >= 3 && 10 * longest >= 6 * later.len()
    }

    /// The connection as if the longest time in which nothing arrived, or the end of it, had not been, if that is longer than a
    /// timeout takes and was not spent idle: timeouts send again. Points far apart have parts of it on both sides.
    pub(crate) fn without_outage(&self) -> Option<Connection> {
        let mut arrivals = self.arrivals()?;
        arrivals.push(self.seen.span?[1]);
        let gap = |at: &usize| arrivals[at + 1] - arrivals[*at];
        let longest = (1..arrivals.len().saturating_sub(1)).max_by(|a, b| gap(a).total_cmp(&gap(b)))?;
        let [begin, end] = [arrivals[longest], arrivals[longest + 1]];
        let within = self.seen.points.iter().filter(|point| point.time > begin && point.time <= end);
        let again: f64 = within.filter_map(|point| point.retransmitted).sum();
        let from = if self.is_fine() { begin } else { arrivals[longest - 1] };
        let before = 1.5 * self.base().unwrap_or(0.0);
        (end - begin > MIN_OUTAGE_S && again >= 2.0).then(|| self.seen.without([from, end], before))
    }

    /// The share of spans after the first point whose rate is within so much of the middle one: by bytes, or by the
    /// congestion window over the round-trip time, which a full line keeps constant; whichever is steadier.
    pub fn steady(&self, within: f64) -> Option<f64> {
        let by_window = self.steady_window(within);
        match self.spans(within).and_then(|rates| near_middle(rates, within)) {
            Some(by_bytes) => Some(by_window.map_or(by_bytes, |by_window| by_window.max(by_bytes))),
            None => by_window,
        }
    }

    /// The share of points after the first whose congestion window over the round-trip time is within so much of the middle
    /// one.
    pub(crate) fn steady_window(&self, within: f64) -> Option<f64> {
        let rate = |p: &Point| Some(p.cwnd? / p.srtt.filter(|srtt| *srtt > 0.0)?);
        near_middle(self.seen.points.iter().skip(2).filter_map(rate).collect(), within)
    }

    /// Rates over spans after the first point, bit/s. Where a program's writes were counted, spans are so long that one
    /// more at each end makes less of a difference than this.
    fn spans(&self, within: f64) -> Option<Vec<f64>> {
        let later = self.seen.points.windows(2).skip(1).map(|pair| Some((pair[1].bytes?, pair[1].time - pair[0].time)));
        let known: Vec<(f64, f64)> = later.collect::<Option<_>>()?;
        let usual = percentile(known.iter().map(|(bytes, _)| *bytes).collect(), 0.5).filter(|usual| *usual > 0.0)?;
        let length = (self.ahead() / (within * usual)).ceil().clamp(1.0, 1e6) as usize;
        let sum = |span: &[(f64, f64)]| span.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        Some(known.chunks_exact(length).map(sum).map(|(bytes, seconds)| bytes * 8.0 / seconds).collect())
    }

    /// How far what its program has written may be ahead of what arrived from one point to the next, where that was counted,
    /// bytes: two writes, and of several programs as much as random ones add up to.
    fn ahead(&self) -> f64 {
        if self.seen.written { 2.0 * IPERF3_WRITE * (self.connections as f64).sqrt() } else { 0.0 }
    }

    /// What whole writes add to the variance of what points count, bytes squared: each point lacks a part of one at its
    /// start and has a part too many at its end.
    pub(crate) fn by_writes(&self) -> f64 {
        if self.seen.written { self.connections as f64 * IPERF3_WRITE * IPERF3_WRITE / 6.0 } else { 0.0 }
    }

    /// How far from a straight line the sum of the bytes comes after slow start, in points of the mean: what a token
    /// bucket lets pass is such a line. What a program writes may be ahead of it by a send buffer, up to two writes.
    pub(crate) fn departure(&self) -> Option<f64> {
        let points = self.seen.points.get(2..).filter(|points| points.len() >= 4)?;
        let (start, end) = (points[0].time, points[points.len() - 1].time);
        let sums: Option<Vec<(f64, f64)>> = points[1..]
            .iter()
            .scan(0.0, |sum, point| {
                *sum += point.bytes.unwrap_or(f64::NAN);
                Some(Some((point.time, *sum)).filter(|(_, sum)| sum.is_finite()))
            })
            .collect();
        let sums = sums?;
        let all = sums.last().map(|(_, sum)| *sum).filter(|all| *all > 0.0)?;
        let slack = self.ahead();
        let from_line = |(time, sum): &(f64, f64)| (sum - all * (time - start) / (end - start)).abs();
        let most = sums.iter().map(from_line).fold(0.0, f64::max);
        // Writes as large as half of a point's bytes tell nothing.
        (2.0 * slack * sums.len() as f64 <= all).then_some(())?;
        Some((most - slack).max(0.0) * sums.len() as f64 / all)
    }

    /// Whether more than half of what was sent again had arrived.
    pub(crate) fn is_mostly_spurious(&self) -> bool {
        self.seen.spurious.unwrap_or(0.0) > 0.5 * self.seen.retransmitted.unwrap_or(0.0)
    }

    /// Segments sent again over all that were sent.
    pub fn retransmitted(&self) -> Option<f64> {
        let again = self.seen.retransmitted?;
        let sent = self.seen.segments_sent.or_else(|| Some(self.segments? + again))?;
        (sent > 0.0).then_some(again / sent)
    }

    /// The same of the later half of the points: slow start overshoots.
    pub(crate) fn retransmitted_later(&self) -> Option<f64> {
        let points = self.later_half();
        let again: f64 = points.iter().map(|point| point.retransmitted).sum::<Option<f64>>()?;
        let bytes: f64 = points.iter().map(|point| point.bytes).sum::<Option<f64>>()?;
        (bytes > 0.0).then_some(again * self.mss / bytes)
    }

    /// Round-trip times after slow start: without a queue, in the middle, and at 95 %, seconds.
    pub fn queueing(&self) -> Option<[f64; 3]> {
        let known: Vec<f64> =
            self.seen.points.iter().skip(self.settled.min(self.seen.points.len() / 2)).filter_map(|p| p.srtt).collect();
        if known.len() < 3 {
            return None;
        }
        let least = known.iter().copied().fold(f64::INFINITY, f64::min);
        let base = self.seen.rtt_min.or(self.seen.rtt_base).unwrap_or(least).min(least);
        let base = self.base().map_or(base, |rtt| rtt.min(base));
        Some([base, percentile(known.clone(), 0.5)?, percentile(known, 0.95)?])
    }

    /// The shortest round-trip time between two points, in the middle, where each packet's is known, seconds: a standing queue
    /// keeps even the shortest long; one made by bursts does not. In points as long as a sawtooth any queue empties.
    pub(crate) fn emptied(&self) -> Option<f64> {
        let short = self.seconds? / self.seen.points.len() as f64 <= MAX_CAPTURE_STEP_S;
        self.median(|point| point.rtt_least).filter(|_| short)
    }

    /// The rates of its points, bit/s.
    pub(crate) fn rates_of_points(&self) -> Vec<f64> {
        self.seen.points.windows(2).filter_map(|pair| pair[1].rate_since(&pair[0])).collect()
    }

    /// Whether round-trip times stand above those of the idle path: a queue that this connection or others keep filled.
    pub(crate) fn has_queue(&self) -> bool {
        self.queueing().is_some_and(|[base, middle, _]| middle > MAX_IDLE_RTT_RATIO * base + 0.003)
    }

    /// Whether they stand above those of the idle path, and what bursts and delayed ACKs make of these, by that many seconds.
    pub(crate) fn is_raised(&self, by: f64) -> Option<bool> {
        self.queueing().map(|[base, middle, _]| middle > 1.1 * base + 0.002 + by)
    }

    /// Whether a part of its congestion window goes unused: a sender with data delivers one in a round trip, policed or not.
    pub(crate) fn leaves_window_unused(&self) -> bool {
        self.window_used().is_some_and(|used| used < MIN_DELIVERED_WINDOW_SHARE)
    }

    /// What is delivered of what the congestion window would allow, cwnd over SRTT, after slow start.
    pub(crate) fn window_used(&self) -> Option<f64> {
        let points = &self.seen.points[self.settled.min(self.seen.points.len().saturating_sub(1))..];
        let known: Vec<(f64, f64)> = points
            .windows(2)
            .filter_map(|pair| Some((pair[1].bytes?, pair[1].cwnd? * (pair[1].time - pair[0].time) / pair[1].srtt?)))
            .collect();
        let (bytes, allowed) = known.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        (known.len() > 4 && allowed > 0.0).then_some(bytes / allowed)
    }

    /// The share of points after slow start at which more than two segments wait in the send buffer; what an application
    /// writes in pieces leaves less.
    pub fn waiting(&self) -> Option<f64> {
        let known: Vec<bool> = self.after_start().filter_map(|p| Some(p.unsent? > 2.0 * self.mss)).collect();
        (known.len() > 4).then(|| known.iter().filter(|waits| **waits).count() as f64 / known.len() as f64)
    }

    /// By how much the receiver's window falls in the later half, of its largest, at one point in twenty: a busy host reads
    /// late now and then, and what waits for a lost segment fills a window as what is not read does. Autotuning lets it rise
    /// alone.
    pub(crate) fn window_varies(&self) -> Option<f64> {
        let lossless = |pair: &&[Point]| pair.iter().all(|point| point.retransmitted.is_none_or(|n| n == 0.0));
        // At the end of a run its program stops reading.
        let ended =
            self.seen.points.len() - usize::from(!self.is_fine() && self.seen.points.len() > MIN_POINTS_WITHOUT_LAST);
        let later = &self.seen.points[self.seen.points.len() / 2..ended];
        let windows =
            later.windows(2).filter(|pair| self.is_fine() || lossless(pair)).filter_map(|pair| pair[1].window);
        let mut high = 0.0_f64;
        let falls = windows.map(|window| {
            high = high.max(window);
            high - window
        });
        let fall = percentile(falls.collect(), 0.95)?;
        (high > 0.0).then_some(fall / high)
    }

    /// Whether points are close enough together to tell one round trip from the next.
    pub fn is_fine(&self) -> bool {
        let points = &self.seen.points;
        let width = self.seconds.unwrap_or(f64::INFINITY) / points.len().max(1) as f64;
        width <= (2.0 * self.base().unwrap_or(0.0)).max(0.04)
    }

    /// The share of points after slow start at which so much of the congestion window was used.
    pub(crate) fn cwnd_filled(&self, share: f64) -> Option<f64> {
        let known: Vec<bool> = self.after_start().filter_map(|p| Some(p.in_flight? >= share * p.cwnd?)).collect();
        (known.len() > 4).then(|| known.iter().filter(|filled| **filled).count() as f64 / known.len() as f64)
    }

    /// The share of points after slow start at which so much of the receiver's window was used.
    pub(crate) fn window_filled(&self, share: f64) -> Option<f64> {
        let slack = 2.0 * self.mss;
        let known: Vec<bool> = self
            .after_start()
            .filter_map(|p| Some((p.in_flight?, p.window?)))
            .map(|(flight, window)| flight + slack >= share * window)
            .collect();
        (known.len() > 4).then(|| known.iter().filter(|filled| **filled).count() as f64 / known.len() as f64)
    }

    /// Points after slow start.
    pub(crate) fn after_start(&self) -> impl Iterator<Item = &'a Point> + use<'a> {
        self.seen.points.iter().skip(self.settled.min(self.seen.points.len().saturating_sub(1)))
    }

    /// Times at which something arrived, behind that of its start, seconds.
    fn arrivals(&self) -> Option<Vec<f64>> {
        let mut times = vec![self.seen.span?[0]];
        // The first point may be no more than a start.
        for (at, point) in self.seen.points.iter().enumerate() {
            match point.bytes {
                Some(bytes) if bytes > 0.0 => times.push(point.time - point.quiet.unwrap_or(0.0)),
                None if at > 0 => return None,
                _ => {}
            }
        }
        Some(times)
    }

    /// When something arrived last, seconds.
    pub(crate) fn last_arrival(&self) -> Option<f64> {
        self.arrivals()?.last().copied()
    }

    /// How long nothing arrived, from one time that something did to the next, seconds.
    pub(crate) fn silences(&self) -> Option<Vec<f64>> {
        Some(self.arrivals()?.windows(2).map(|pair| pair[1] - pair[0]).collect())
    }

    /// The longest that nothing arrived, the end of its time included, seconds.
    pub(crate) fn longest_silence(&self) -> Option<f64> {
        let [_, end] = self.seen.span?;
        let last = self.arrivals()?.last().map_or(0.0, |last| end - last);
        Some(self.silences()?.into_iter().fold(last.max(0.0), f64::max))
    }

    /// Whether something else than the congestion window binds: a window, a buffer, or the application.
    pub(crate) fn is_limited(&self) -> bool {
        let by_window = self.seen.limits.is_some_and(|limits| limits.rwnd > 0.3 || limits.sndbuf > 0.3);
        by_window || self.busy().is_some_and(|busy| busy < MIN_BUSY_SHARE) || self.outgrown().is_some()
    }

    /// The memory of a send buffer, overhead included, that holds the congestion window back for much of the time, and the
    /// median of such windows, bytes: it is smaller than the window, or all that it holds is in flight, and cwnd has room.
    /// Autotuning keeps it at three times the window or more ([`buffer::autotuned_share`]). A write may exceed it
    /// (net/core/stream.c): while something waits in it, it is not what binds.
    pub(crate) fn outgrown(&self) -> Option<[f64; 2]> {
        let held = self.seen.sndbuf?;
        let is_drained = |point: &Point| {
            let [cwnd, in_flight] = [point.cwnd?, point.in_flight?];
            Some(
                point.unsent? == 0.0
                    && in_flight > MIN_CAPPED_RATIO * buffer::autotuned_share(self.mss) * held
                    && in_flight + 2.0 * self.mss < cwnd,
            )
        };
        let windows = self.after_start().filter(|point| point.cwnd.is_some()).count();
        let held_back: Vec<f64> = self
            .after_start()
            .filter(|point| point.cwnd.is_some_and(|cwnd| cwnd > held) || is_drained(point) == Some(true))
            .filter_map(|point| point.cwnd)
            .collect();
        let waits = self.waiting().is_some_and(|waiting| waiting > MIN_WAITING_POINTS_SHARE);
        let often = held_back.len() as f64 >= MIN_LARGER_CWND_POINTS_SHARE * windows as f64;
        percentile(held_back, 0.5).filter(|_| often && !waits).map(|cwnd| [held, cwnd])
    }

    /// The share of its time for which something was outstanding or to be sent.
    pub fn busy(&self) -> Option<f64> {
        self.seen.limits.map(|limits| limits.busy).or(self.seen.busy)
    }

    /// What bursts of its own window add to round-trip times on the mean where the line is known to carry more, seconds: no
    /// queue stands there. The last packet of a window waits for all of it, the first for none; and one of it may wait for
    /// a delayed ACK.
    pub(crate) fn own_burst(&self) -> Option<f64> {
        let line = self.expected().filter(|_| self.fills(NO_QUEUE_LINK_SHARE) == Some(false))?;
        let window = self.cwnd.or_else(|| self.median(|point| point.in_flight))?;
        Some(4.0 * window / self.payload() / line.value + DELAYED_ACK_S * self.mss / window.max(self.mss))
    }

    /// What its whole window takes on a line that is known to carry more, seconds: who keeps it in flight waits for no more
    /// of its own; and one segment of it may wait for a delayed ACK.
    pub(crate) fn whole_window(&self) -> Option<f64> {
        let line = self.expected().filter(|_| self.fills(NO_QUEUE_LINK_SHARE) == Some(false))?;
        let window = self.cwnd.or_else(|| self.median(|point| point.in_flight))?;
        Some(window / self.payload() / line.value + DELAYED_ACK_S * self.mss / window.max(self.mss))
    }

    /// What it keeps in flight on the mean, by Little's law, over the most of it, in the middle of the points of the later half
    /// without losses: a sender with data keeps its window full.
    pub(crate) fn flight_used(&self) -> Option<f64> {
        let used = |pair: &[Point]| {
            let [before, point] = [pair[0], pair[1]];
            let mean = point.bytes? * point.srtt? / (point.time - before.time);
            Some(mean / point.in_flight?).filter(|used| used.is_finite())
        };
        let used: Vec<f64> = self.later_half().windows(2).filter_map(used).collect();
        percentile(used.clone(), 0.5).filter(|_| used.len() >= 10)
    }

    /// What it keeps in flight, if that stays the same, bytes: a congestion window would grow.
    pub(crate) fn held_in_flight(&self) -> Option<f64> {
        let flights: Vec<f64> = self.after_start().filter_map(|point| point.in_flight).collect();
        let held = percentile(flights.clone(), 0.5).filter(|_| flights.len() >= 10)?;
        let same =
            flights.iter().filter(|flight| (*flight - held).abs() <= SAME_IN_FLIGHT_SHARE * held + self.mss).count();
        (same as f64 >= MIN_SAME_POINTS_SHARE * flights.len() as f64).then_some(held)
    }
}

/// The share of three and more values that are within so much of the middle one.
pub(super) fn near_middle(values: Vec<f64>, within: f64) -> Option<f64> {
    let middle = percentile(values.clone(), 0.5).filter(|_| values.len() >= 3)?;
    let near = values.iter().filter(|value| (*value - middle).abs() <= within * middle).count();
    Some(near as f64 / values.len() as f64)
}

/// Where slow start has ended: at the first retransmission, where ssthresh is first below the window, or where the
/// window no longer doubles within the points; the whole is its own half at most.
fn settled(points: &[Point]) -> usize {
    let ends = |(at, point): (usize, &Point)| {
        let lost = point.retransmitted.is_some_and(|n| n > 0.0);
        let left = point.ssthresh.zip(point.cwnd).is_some_and(|(ssthresh, cwnd)| ssthresh <= cwnd);
        (lost || left).then_some(at)
    };
    let largest = points.iter().filter_map(|p| p.bytes).fold(0.0, f64::max);
    let fast = points.iter().position(|p| p.bytes.is_some_and(|b| b >= 0.7 * largest));
    let end = points.iter().enumerate().find_map(ends).or(fast).unwrap_or(0);
    end.min(points.len() / 2)
}

/// The mean over time of what points tell.
fn mean_over_time(points: &[Point], of: impl Fn(&Point) -> Option<f64>) -> Option<f64> {
    let mut sum = 0.0;
    let mut time = 0.0;
    for pair in points.windows(2) {
        let width = pair[1].time - pair[0].time;
        if let Some(value) = of(&pair[1]) {
            sum += value * width;
            time += width;
        }
    }
    (time > 0.0).then(|| sum / time)
}
