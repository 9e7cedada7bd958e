//! A connection with the derived values that all rules share.

use super::asked::Asked;
use super::path_facts::{self, Given, Known, Named};
use crate::quantity::{self, Account, Measured, Path};
use base::model::segment::{self, IPERF3_WRITE};
use base::model::{buffer, response};
use base::stats::percentile;
use evidence::platform::Platform;
use evidence::{Connection, Evidence, Place, Point};
use std::cell::{OnceCell, RefCell};

/// A connection with derived values.
#[derive(Clone)]
pub struct Flow<'a> {
    /// The connection as observed.
    pub seen: &'a Connection,
    /// The sender's congestion control.
    pub control: Option<Named>,
    /// RTT of the path without a queue, seconds.
    pub rtt: Option<Known>,
    /// Rate that the link should carry, bit/s.
    pub line: Option<Known>,
    /// Goodput of all connections of its group together, bit/s.
    pub total: Option<f64>,
    /// Number of connections in the sum.
    pub connections: usize,
    /// Payload of a full segment, bytes; 1448 if unknown.
    pub mss: f64,
    /// Duration of the observation, seconds.
    pub seconds: Option<f64>,
    /// Number of full segments that its payload fills.
    pub segments: Option<f64>,
    /// Loss events by time; retransmissions within one round trip are one event.
    pub events: Vec<Event>,
    /// Mean cwnd, bytes.
    pub cwnd: Option<f64>,
    /// 95th percentile of the delivery rate over spans of two round trips or one interval, bit/s.
    pub peak: Option<f64>,
    /// Index of the first point after slow start.
    pub settled: usize,
    /// Systems of the hosts if known, else one of each.
    pub platforms: Vec<Platform>,
    /// Receive window that the settings allow, bytes, and the setting's place.
    pub allowed: Option<(f64, Place)>,
    /// What was measured, step by step.
    pub measured: Measured<'a>,
    /// Account of its time, once asked for.
    pub(super) account: OnceCell<Option<Account>>,
    /// What rules asked of it.
    pub(super) asked: RefCell<Vec<Asked>>,
}

/// A loss event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// Time, seconds.
    pub time: f64,
    /// Number of segments retransmitted.
    pub segments: f64,
    /// cwnd before the event, bytes.
    pub cwnd: Option<f64>,
    /// RTT before the event, seconds.
    pub srtt: Option<f64>,
    /// Delivery rate over the round trips before the event, bit/s.
    pub rate: Option<f64>,
}

/// Share of time with data outstanding below which a connection waits for its application: transfers with data reach
/// 0.95 and more.
pub const MIN_BUSY_SHARE: f64 = 0.85;

/// Share of its target rate at which a program is limited by nothing else.
pub const TARGET_REACHED_SHARE: f64 = 0.9;

/// Largest distance of points in a capture, seconds, unless it has very many.
const MAX_CAPTURE_STEP_S: f64 = 0.25;

/// Smallest share of the windows sampled once a second that a sender with data delivers.
pub const MIN_DELIVERED_WINDOW_SHARE: f64 = 0.7;

/// Smallest share of points with data waiting in the send buffer.
const MIN_WAITING_POINTS_SHARE: f64 = 0.6;
/// Smallest share of points with cwnd larger than the buffer.
const MIN_LARGER_CWND_POINTS_SHARE: f64 = 0.3;

/// Smallest share of points, after the first third, at which a cwnd that does not limit stays constant.
pub const MIN_HELD_POINTS_SHARE: f64 = 0.6;

/// Smallest ratio of the send buffer's share in flight to the share that autotuning would allow.
const MIN_CAPPED_RATIO: f64 = 1.43;

/// Tolerance for constant bytes in flight: this share plus a segment.
pub const SAME_IN_FLIGHT_SHARE: f64 = 0.05;
pub const MIN_SAME_POINTS_SHARE: f64 = 0.8;

/// Smallest number of points from which the last one may be dropped.
const MIN_POINTS_WITHOUT_LAST: usize = 6;

/// Shortest RTT over which a window is a limit, seconds. TCP_INFO counts whole microseconds (include/uapi/linux/tcp.h,
/// tcpi_min_rtt) and ss prints three digits of a millisecond: of a shorter RTT the count is uncertain by 5 % and more.
/// Loopback and veth have 1 to 15 us, which is the processor's time and no path's.
pub const MIN_LIMITING_RTT_S: f64 = 20e-6;

/// MSS if unknown, bytes: that of Ethernet with timestamps.
pub(super) const USUAL_MSS: f64 = segment::FULL_SEGMENT;

impl<'a> Flow<'a> {
    /// Derives the values of a connection.
    pub fn new(seen: &'a Connection, evidence: &Evidence, given: Given) -> Flow<'a> {
        let mss = seen.mss.filter(|mss| *mss > 0.0).or_else(|| quantity::mss_by_cwnd(seen)).unwrap_or(USUAL_MSS);
        let seconds = seen.span.map(|[start, end]| end - start).filter(|s| *s > 0.0);
        let settled = settled(&seen.points);
        let control = path_facts::control(seen, evidence);
        let rtt = path_facts::base_rtt(seen, evidence, given);
        let line = path_facts::line_rate(seen, evidence, given);
        let is = |of: fn(&str) -> bool| control.as_ref().is_some_and(|control| of(&control.name));
        let path = Path {
            rtt: rtt.as_ref().map(|rtt| rtt.value),
            mss,
            bbr: is(response::is_bbr),
            reno: is(|name| name.ends_with("reno")),
            line: line
                .as_ref()
                .filter(|line| !line.from.is_bound())
                .map(|line| line.value * segment::payload_share(mss)),
        };
        let mut flow = Flow {
            seen,
            measured: Measured::from_connection(seen, path),
            account: OnceCell::new(),
            asked: RefCell::default(),
            control,
            rtt,
            line,
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
        };
        flow.peak = flow.rates().and_then(|rates| percentile(rates, 0.95));
        flow.events = flow.loss_events();
        flow
    }

    /// Returns the account of its time; `None` without bytes over time.
    pub fn account(&self) -> Option<&Account> {
        self.account.get_or_init(|| Account::new(&self.measured)).as_ref()
    }

    /// Notes what a rule asks, what was measured and what is needed, and returns whether it is met.
    pub(super) fn asks(
        &self,
        rule: &'static str,
        question: &'static str,
        measured: impl Into<String>,
        needed: impl Into<String>,
        met: bool,
    ) -> bool {
        let (measured, needed) = (measured.into(), needed.into());
        self.asked.borrow_mut().push(Asked { rule, question, measured, needed, met });
        met
    }

    /// Returns what rules asked.
    pub(super) fn asked(&self) -> Vec<Asked> {
        self.asked.borrow().clone()
    }

    /// Returns the account if bytes and cwnd over time, and an RTT of the path, tell what is in flight of cwnd.
    pub fn account_of_flight(&self) -> Option<&Account> {
        self.account().filter(|account| account.tells_flight)
    }

    /// Returns the account if bytes, cwnd and RTT over time tell whether cwnd is the limit.
    pub fn account_of_cwnd(&self) -> Option<&Account> {
        self.account().filter(|account| account.tells_cwnd)
    }

    /// Returns its name and place, as printed.
    pub fn name(&self) -> String {
        format!("{} ({})", self.seen.name, self.seen.place)
    }

    /// Returns the RTT without a queue, seconds.
    pub fn base(&self) -> Option<f64> {
        self.rtt.as_ref().map(|rtt| rtt.value)
    }

    /// Returns the rate that a window allows over the idle path, bit/s; `None` if the RTT is too short for that to be a
    /// limit.
    pub fn allowed_by(&self, window: f64) -> Option<f64> {
        let rtt = self.base().filter(|rtt| *rtt >= MIN_LIMITING_RTT_S)?;
        Some(window * 8.0 / rtt)
    }

    /// Returns the rate that the link should carry, if somebody states it. The speed of an interface is only a bound,
    /// since the path may be slower.
    pub fn expected(&self) -> Option<&Known> {
        self.line.as_ref().filter(|line| !line.from.is_bound())
    }

    /// Whether the group's goodput reaches this share of the link rate, less headers. A connection alone may reach it
    /// in its later half, because slow start lowers the mean. `None` if the link rate is unknown.
    pub fn fills(&self, share: f64) -> Option<bool> {
        let total = self.total?;
        let reached = if self.seen.goodput == Some(total) { total.max(self.later().unwrap_or(0.0)) } else { total };
        self.reaches(reached, share)
    }

    /// Whether a goodput in bit/s exceeds this share of the link rate, less headers.
    pub fn reaches(&self, goodput: f64, share: f64) -> Option<bool> {
        Some(goodput > share * self.line.as_ref()?.value * self.payload())
    }

    /// Returns the later half of the points, after slow start.
    pub(crate) fn later_half(&self) -> &'a [Point] {
        &self.seen.points[self.seen.points.len() / 2..]
    }

    /// Returns the goodput of the later half of the points, bit/s.
    pub fn later(&self) -> Option<f64> {
        let points = self.later_half();
        let bytes: f64 = points.iter().skip(1).map(|point| point.bytes).sum::<Option<f64>>()?;
        let seconds = points.last()?.time - points.first()?.time;
        Some(8.0 * bytes / seconds).filter(|rate| rate.is_finite())
    }

    /// Whether its program has a target rate and reaches it on a link that carries more.
    pub(crate) fn keeps_to_rate(&self) -> bool {
        let comes_to = |(target, goodput)| goodput >= TARGET_REACHED_SHARE * target;
        self.seen.target.zip(self.seen.goodput).is_some_and(comes_to) && self.fills(TARGET_REACHED_SHARE) != Some(true)
    }

    /// Returns the payload's share of a full segment on the wire.
    pub fn payload(&self) -> f64 {
        segment::payload_share(self.mss)
    }

    /// Whether its congestion control is a version of BBR.
    pub fn is_bbr(&self) -> bool {
        self.control.as_ref().is_some_and(|control| response::is_bbr(&control.name))
    }

    /// Returns the share of cwnd that its congestion control keeps at a loss, CUBIC's if none is named; `None` for one
    /// without a fixed share.
    pub fn leaves(&self) -> Option<f64> {
        response::leaves(self.control.as_ref().map_or("cubic", |control| &control.name))
    }

    /// Returns the median of a value over the points after slow start.
    pub fn median(&self, of: fn(&Point) -> Option<f64>) -> Option<f64> {
        percentile(self.after_start().filter_map(of).collect(), 0.5)
    }

    /// Returns the bytes put into the connection: acknowledged, in flight, and waiting in the send buffer.
    pub fn offered(&self) -> f64 {
        let offered = self.seen.bytes.unwrap_or(0.0) + self.stuck();
        if offered.is_finite() { offered } else { 0.0 }
    }

    /// Returns the bytes in flight or in the send buffer at the end.
    pub fn stuck(&self) -> f64 {
        self.seen.points.last().map_or(0.0, |p| p.in_flight.unwrap_or(0.0) + p.unsent.unwrap_or(0.0))
    }

    /// Returns the RTT at which cwnd gives this goodput, seconds. It exceeds the path's RTT if there is a queue, or if
    /// cwnd is not the limit.
    pub fn loaded(&self) -> Option<f64> {
        Some(self.cwnd? * 8.0 / self.seen.goodput.filter(|goodput| *goodput > 0.0)?)
    }

    /// Whether cwnd stays constant for most of the time after the first third, without a loss. A connection that fills
    /// cwnd lets it grow (net/ipv4/tcp_input.c, tcp_is_cwnd_limited), even on CUBIC's plateau by more than two
    /// segments.
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
        longest >= 3 && longest as f64 >= MIN_HELD_POINTS_SHARE * later.len() as f64
    }

    /// Returns the share of spans after the first point whose rate is within the given relative distance of the
    /// median. The rate is that of bytes, or cwnd over RTT, which a full link keeps constant; the steadier one counts.
    pub fn steady(&self, within: f64) -> Option<f64> {
        let by_window = self.steady_window(within);
        match self.spans(within).and_then(|rates| near_middle(rates, within)) {
            Some(by_bytes) => Some(by_window.map_or(by_bytes, |by_window| by_window.max(by_bytes))),
            None => by_window,
        }
    }

    /// Returns the share of points after the first whose cwnd over RTT is within the given relative distance of the
    /// median.
    pub(crate) fn steady_window(&self, within: f64) -> Option<f64> {
        let rate = |p: &Point| Some(p.cwnd? / p.srtt.filter(|srtt| *srtt > 0.0)?);
        near_middle(self.seen.points.iter().skip(2).filter_map(rate).collect(), within)
    }

    /// Returns rates over spans after the first point, bit/s. If a program's writes were counted, spans are long
    /// enough that one more write at each end changes the rate by less than `within`.
    fn spans(&self, within: f64) -> Option<Vec<f64>> {
        let later = self.seen.points.windows(2).skip(1).map(|pair| Some((pair[1].bytes?, pair[1].time - pair[0].time)));
        let known: Vec<(f64, f64)> = later.collect::<Option<_>>()?;
        let usual = percentile(known.iter().map(|(bytes, _)| *bytes).collect(), 0.5).filter(|usual| *usual > 0.0)?;
        let length = (self.ahead() / (within * usual)).ceil().clamp(1.0, 1e6) as usize;
        let sum = |span: &[(f64, f64)]| span.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        Some(known.chunks_exact(length).map(sum).map(|(bytes, seconds)| bytes * 8.0 / seconds).collect())
    }

    /// Returns the bytes by which a program's writes may run ahead of deliveries from one point to the next, if writes
    /// were counted: two writes, times the root of the number of programs, as random differences add up.
    fn ahead(&self) -> f64 {
        if self.seen.written { 2.0 * IPERF3_WRITE * (self.connections as f64).sqrt() } else { 0.0 }
    }

    /// Returns the variance that whole writes add to the bytes counted at points, bytes squared. Each point lacks a
    /// part of one write at its start and has a part too many at its end.
    pub(crate) fn by_writes(&self) -> f64 {
        if self.seen.written { self.connections as f64 * IPERF3_WRITE * IPERF3_WRITE / 6.0 } else { 0.0 }
    }

    /// Returns how far the cumulative bytes after slow start stray from a straight line, in points of the mean. A
    /// token bucket's output is such a line. Writes may run ahead of it by up to two writes in the send buffer.
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
        // Writes as large as half of a point's bytes are too coarse.
        (2.0 * slack * sums.len() as f64 <= all).then_some(())?;
        Some((most - slack).max(0.0) * sums.len() as f64 / all)
    }

    /// Whether more than half of the retransmissions were spurious.
    pub(crate) fn is_mostly_spurious(&self) -> bool {
        self.seen.spurious.unwrap_or(0.0) > 0.5 * self.seen.retransmitted.unwrap_or(0.0)
    }

    /// Returns the retransmitted share of the segments sent.
    pub fn retransmitted(&self) -> Option<f64> {
        let again = self.seen.retransmitted?;
        let sent = self.seen.segments_sent.or_else(|| Some(self.segments? + again))?;
        (sent > 0.0).then_some(again / sent)
    }

    /// Returns the retransmitted share in the later half of the points, because slow start overshoots.
    pub(crate) fn retransmitted_later(&self) -> Option<f64> {
        let points = self.later_half();
        let again: f64 = points.iter().map(|point| point.retransmitted).sum::<Option<f64>>()?;
        let bytes: f64 = points.iter().map(|point| point.bytes).sum::<Option<f64>>()?;
        (bytes > 0.0).then_some(again * self.mss / bytes)
    }

    /// Returns RTTs after slow start, seconds: without a queue, median, and 95th percentile.
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

    /// Returns the median of the shortest RTTs between points, if each packet's RTT is known, seconds. A standing
    /// queue keeps even the shortest RTT long; a queue made by bursts does not. Between points as far apart as a
    /// sawtooth any queue empties.
    pub(crate) fn emptied(&self) -> Option<f64> {
        let short = self.seconds? / self.seen.points.len() as f64 <= MAX_CAPTURE_STEP_S;
        self.median(|point| point.rtt_least).filter(|_| short)
    }

    /// Returns the rates at its points, bit/s.
    pub(crate) fn rates_of_points(&self) -> Vec<f64> {
        self.seen.points.windows(2).filter_map(|pair| pair[1].rate_since(&pair[0])).collect()
    }

    /// Whether a part of cwnd is unused: a sender with data delivers one cwnd per round trip, policed or not.
    pub(crate) fn leaves_window_unused(&self) -> bool {
        self.window_used().is_some_and(|used| used < MIN_DELIVERED_WINDOW_SHARE)
    }

    /// Returns the delivered share of what cwnd over SRTT would allow, after slow start.
    pub(crate) fn window_used(&self) -> Option<f64> {
        let points = &self.seen.points[self.settled.min(self.seen.points.len().saturating_sub(1))..];
        let known: Vec<(f64, f64)> = points
            .windows(2)
            .filter_map(|pair| Some((pair[1].bytes?, pair[1].cwnd? * (pair[1].time - pair[0].time) / pair[1].srtt?)))
            .collect();
        let (bytes, allowed) = known.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        (known.len() > 4 && allowed > 0.0).then_some(bytes / allowed)
    }

    /// Returns the share of points after slow start with more than two segments in the send buffer. An application
    /// that writes in pieces leaves less.
    pub fn waiting(&self) -> Option<f64> {
        let known: Vec<bool> = self.after_start().filter_map(|p| Some(p.unsent? > 2.0 * self.mss)).collect();
        (known.len() > 4).then(|| known.iter().filter(|waits| **waits).count() as f64 / known.len() as f64)
    }

    /// Returns how far the receive window falls in the later half, as a share of its largest, at one point in twenty.
    /// A busy host reads late now and then, and data behind a lost segment fills a window as unread data does.
    /// Autotuning alone only raises it.
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

    /// Whether points are close enough to separate round trips.
    pub fn is_fine(&self) -> bool {
        let points = &self.seen.points;
        let width = self.seconds.unwrap_or(f64::INFINITY) / points.len().max(1) as f64;
        width <= (2.0 * self.base().unwrap_or(0.0)).max(0.04)
    }

    /// Returns the share of points after slow start with at least this share of cwnd in flight.
    pub(crate) fn cwnd_filled(&self, share: f64) -> Option<f64> {
        let known: Vec<bool> = self.after_start().filter_map(|p| Some(p.in_flight? >= share * p.cwnd?)).collect();
        (known.len() > 4).then(|| known.iter().filter(|filled| **filled).count() as f64 / known.len() as f64)
    }

    /// Returns the share of points after slow start at which the receive window is full.
    pub(crate) fn window_filled(&self) -> Option<f64> {
        /// Share of a full window in flight, but for two segments: ACKs of it are on their way.
        const FULL_WINDOW_SHARE: f64 = 0.9;
        let slack = 2.0 * self.mss;
        let known: Vec<bool> = self
            .after_start()
            .filter_map(|p| Some((p.in_flight?, p.window?)))
            .map(|(flight, window)| flight + slack >= FULL_WINDOW_SHARE * window)
            .collect();
        (known.len() > 4).then(|| known.iter().filter(|filled| **filled).count() as f64 / known.len() as f64)
    }

    /// Returns the points after slow start.
    pub(crate) fn after_start(&self) -> impl Iterator<Item = &'a Point> + use<'a> {
        self.seen.points.iter().skip(self.settled.min(self.seen.points.len().saturating_sub(1)))
    }

    /// Whether the limit is not cwnd but a window, a buffer, or the application.
    pub(crate) fn is_limited(&self) -> bool {
        let by_window = self.seen.limits.is_some_and(|limits| limits.rwnd > 0.3 || limits.sndbuf > 0.3);
        by_window || self.busy().is_some_and(|busy| busy < MIN_BUSY_SHARE) || self.outgrown().is_some()
    }

    /// Returns the memory of a send buffer, overhead included, and the median cwnd, bytes, if the buffer limits the
    /// flow for much of the time: it is smaller than cwnd, or all of its data is in flight and cwnd has room.
    /// Autotuning keeps it at three times cwnd or more ([`buffer::autotuned_share`]). A write may exceed it
    /// (net/core/stream.c), so the buffer is not the limit while data waits in it.
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

    /// Returns the share of time with data outstanding or waiting to be sent.
    pub fn busy(&self) -> Option<f64> {
        self.seen.limits.map(|limits| limits.busy).or(self.seen.busy)
    }

    /// Returns the mean bytes in flight by Little's law over those counted at the point, as the median over the points
    /// of the later half. A sender with data keeps its cwnd full.
    pub(crate) fn flight_used(&self) -> Option<f64> {
        let used = |pair: &[Point]| {
            let [before, point] = [pair[0], pair[1]];
            let mean = point.bytes? * point.srtt? / (point.time - before.time);
            Some(mean / point.in_flight?).filter(|used| used.is_finite())
        };
        let used: Vec<f64> = self.later_half().windows(2).filter_map(used).collect();
        percentile(used.clone(), 0.5).filter(|_| used.len() >= 10)
    }

    /// Returns the bytes in flight if they stay constant; a cwnd would grow.
    pub(crate) fn held_in_flight(&self) -> Option<f64> {
        let flights: Vec<f64> = self.after_start().filter_map(|point| point.in_flight).collect();
        let held = percentile(flights.clone(), 0.5).filter(|_| flights.len() >= 10)?;
        let same =
            flights.iter().filter(|flight| (*flight - held).abs() <= SAME_IN_FLIGHT_SHARE * held + self.mss).count();
        (same as f64 >= MIN_SAME_POINTS_SHARE * flights.len() as f64).then_some(held)
    }
}

/// Returns the share of values within the given relative distance of their median; `None` for fewer than three.
pub(super) fn near_middle(values: Vec<f64>, within: f64) -> Option<f64> {
    let middle = percentile(values.clone(), 0.5).filter(|_| values.len() >= 3)?;
    let near = values.iter().filter(|value| (*value - middle).abs() <= within * middle).count();
    Some(near as f64 / values.len() as f64)
}

/// Returns the index at which slow start has ended: at the first retransmission, the first ssthresh below cwnd, or the
/// first point with 70 % of the largest point's bytes. At most half of the points count as slow start.
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

/// Returns the time-weighted mean of a value over the points.
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
