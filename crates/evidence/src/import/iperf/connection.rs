//! Turns each stream of a listing into a connection.

use super::summary;
use crate::listing::{Counts, Listing, Period, Processors, Protocol, Reading, Stream};
use crate::{Connection, Limits, Place, Point, Rounding, Seen, Source, Window};

/// Returns the TCP connections of a listing.
pub fn connections(listing: &Listing, place: &Place, group: usize) -> Vec<Connection> {
    if !is_tcp(listing) {
        return vec![];
    }
    let cut_off = listing.is_cut_off();
    let of = |stream| Connection { cut_off, ..of_stream(listing, stream, place, group) };
    listing.streams.iter().map(of).collect()
}

/// Returns one connection for the sum of all streams, if the listing prints no more than that.
pub fn of_sum(listing: &Listing, place: &Place, group: usize) -> Option<Connection> {
    let Counts { sender, receiver, intervals } = &listing.sum;
    let mut rows = sender.iter().chain(receiver).chain(intervals);
    let is_alone = listing.streams.is_empty() && is_tcp(listing) && listing.sum != Counts::default();
    // Rows without a table header may count datagrams.
    let is_told = is_alone && rows.all(|row| row.datagrams.is_none() && row.jitter.is_none());
    let sum = Stream { id: 0, counts: listing.sum.clone() };
    let cut_off = listing.is_cut_off();
    is_told.then(|| Connection { name: "the sum".into(), cut_off, ..of_stream(listing, &sum, place, group) })
}

fn is_tcp(listing: &Listing) -> bool {
    !matches!(listing.protocol, Some(Protocol::Udp | Protocol::Sctp))
}

fn of_stream(listing: &Listing, stream: &Stream, place: &Place, group: usize) -> Connection {
    let Counts { sender, receiver, intervals } = &stream.counts;
    let counting = || intervals.iter().filter(|interval| !interval.omitted);
    let source = match listing.program {
        crate::listing::Program::Iperf3 => Source::Iperf3,
        crate::listing::Program::Iperf2 => Source::Iperf,
    };
    // Only the sender counts retransmissions; a listing without them is from the receiver or an old iperf.
    let told = sender.iter().chain(intervals).any(|period| period.retransmits.is_some() || period.cwnd.is_some());
    let seen = match (told, receiver) {
        (true, Some(_)) => Seen::Both,
        (true, None) => Seen::Sender,
        (false, _) => Seen::Receiver,
    };
    let mut connection = Connection::new(place.clone(), source, format!("stream {}", stream.id), seen);
    let whole = receiver.as_ref().or(sender.as_ref());
    let first = || counting().next().map(|interval| interval.start.value);
    let last = || counting().next_back().map(|interval| interval.end.value);
    let span = whole.map(|period| [period.start.value, period.end.value]);
    connection.group = group;
    connection.congestion = listing.congestion.clone();
    connection.span = span.or_else(|| Some([first()?, last()?]));
    connection.bytes = whole.and_then(bytes).or_else(|| counting().map(bytes).sum());
    let goodput = summary::rate_of(&stream.counts);
    connection.goodput = goodput.map(|rate| rate.value);
    connection.rounding = rounding(goodput, intervals);
    connection.clock = listing.clock;
    connection.threads = listing.threads();
    connection.target = listing.target;
    connection.asked = listing.asked.map(|bytes| bytes as f64);
    connection.written = is_of_sender(intervals);
    connection.write = listing.block.map(|bytes| bytes as f64);
    connection.mss = listing.mss.map(f64::from);
    let hosts = listing.hosts.as_ref().and_then(|[own, other]| Some([own.parse().ok()?, other.parse().ok()?]));
    connection.ends = hosts.map(|[own, other]| if connection.written { [own, other] } else { [other, own] });
    // If the client sends, it also ends the run.
    let ends = sender.as_ref().zip(receiver.as_ref()).filter(|_| source == Source::Iperf3 && connection.written);
    let apart = ends.map(|(sender, receiver)| receiver.end.value - sender.end.value);
    connection.ended_apart = apart.filter(|apart| *apart > 0.0);
    // A single last RTT may be an outlier.
    let last: Option<Vec<f64>> = intervals.iter().rev().take(3).map(|interval| interval.rtt).collect();
    let least = last.and_then(|rtts| rtts.into_iter().reduce(f64::min));
    let queued = least.zip(connection.ended_apart).map(|(rtt, apart)| rtt - apart);
    connection.queued_back = queued.filter(|queued| *queued > 0.0 && listing.target.is_none());
    let counted = sender.as_ref().and_then(|period| period.retransmits);
    let added = || {
        let all: Option<u64> = counting().map(|interval| interval.retransmits).sum();
        all.filter(|_| counting().next().is_some())
    };
    connection.retransmitted = counted.or_else(added).map(|n| n as f64);
    connection.omitted = omitted(intervals).or(listing.omit).unwrap_or(0.0);
    connection.points = points(intervals, connection.omitted);
    let least = sender.iter().filter_map(|total| total.rtt_min).chain(intervals.iter().filter_map(|one| one.rtt));
    connection.rtt_min = least.chain(listing.handshake).reduce(f64::min);
    connection.limits = held(intervals);
    connection.window = window(intervals);
    connection.processors = listing.processors.map_or([None, None], |Processors { local, remote }| match seen {
        Seen::Receiver => [remote, Some(local)],
        Seen::Sender | Seen::Both => [Some(local), remote],
    });
    connection
}

/// Above this share of the time, a limit was the only one: the kernel counts one limit at a time (tcp_info).
const MIN_SOLE_LIMIT_SHARE: f64 = 0.95;

/// Returns the share of the time that the receive window limited the sender, if that leaves no room for another limit.
fn held(intervals: &[Period]) -> Option<Limits> {
    let counting = || intervals.iter().filter(|interval| !interval.omitted);
    let held: f64 = counting().map(|interval| interval.held).sum::<Option<f64>>()?;
    let seconds: f64 = counting().map(|interval| interval.end.value - interval.start.value).sum();
    sole_limit(Some(held), seconds)
}

fn sole_limit(held: Option<f64>, seconds: f64) -> Option<Limits> {
    let share = held? / seconds;
    (share > MIN_SOLE_LIMIT_SHARE).then(|| Limits { busy: 1.0, rwnd: share.min(1.0), sndbuf: 0.0 })
}

fn bytes(period: &Period) -> Option<f64> {
    Some(period.bytes?.value)
}

/// Returns how far the figures are rounded; `None` if they are printed in full.
fn rounding(goodput: Option<Reading>, intervals: &[Period]) -> Option<Rounding> {
    let coarsest = |of: fn(&Period) -> Option<Reading>| {
        intervals.iter().filter_map(of).map(|reading| reading.half_width).fold(0.0, f64::max)
    };
    let goodput = goodput.map_or(0.0, |rate| rate.half_width);
    let rounding = Rounding { goodput, bytes: coarsest(|one| one.bytes), cwnd: coarsest(|one| one.cwnd) };
    [rounding.goodput, rounding.bytes, rounding.cwnd].iter().any(|half| *half > 0.0).then_some(rounding)
}

/// True if the intervals are the sender's: only a sender prints retransmissions and a congestion window.
fn is_of_sender(intervals: &[Period]) -> bool {
    intervals.iter().any(|one| one.retransmits.is_some() || one.cwnd.is_some())
}

/// Returns the receive windows that the intervals print, if any.
fn window(intervals: &[Period]) -> Option<Window> {
    let windows: Vec<f64> = intervals.iter().filter_map(|one| one.window).collect();
    let largest = windows.iter().copied().reduce(f64::max).filter(|largest| *largest > 0.0)?;
    Some(Window { largest, zeros: windows.iter().filter(|window| **window == 0.0).count() as u64 })
}

/// Returns a point at the end of each interval, and one at the start of the first. Intervals that `-O` omits come
/// first, at times up to 0; if the last of them was not printed, the point at 0 has only a time.
fn points(intervals: &[Period], omitted: f64) -> Vec<Point> {
    let at = |interval: &Period, time: f64| if interval.omitted { time - omitted } else { time };
    let start = intervals.first().map(|first| Point { time: at(first, first.start.value), ..Point::default() });
    let of = |interval: &Period| Point {
        time: at(interval, interval.end.value),
        bytes: bytes(interval),
        retransmitted: interval.retransmits.map(|n| n as f64),
        cwnd: interval.cwnd.map(|cwnd| cwnd.value),
        srtt: interval.rtt,
        rttvar: interval.rttvar,
        window: interval.window,
        in_flight: interval.in_flight,
        limits: sole_limit(interval.held, interval.end.value - interval.start.value),
        ..Point::default()
    };
    let mut points: Vec<Point> = start.into_iter().collect();
    for interval in intervals {
        points.extend(interval.skipped.map(|_| Point::default()));
        points.push(of(interval));
    }
    points
}

/// Returns the seconds until counting began, if omitted intervals were printed.
fn omitted(intervals: &[Period]) -> Option<f64> {
    let last =
        intervals.iter().filter(|interval| interval.omitted).map(|interval| interval.end.value).reduce(f64::max)?;
    Some(last + intervals.iter().filter_map(|interval| interval.skipped).sum::<f64>())
}
