//! The streams of one run as one transfer.

use super::refusal::Refusal;
use base::stats::{deviation, mean, median};
use evidence::{Connection, Evidence, Limits, Point};

/// Points of two streams this share of an interval apart belong together.
const MAX_POINT_GAP_SHARE: f64 = 0.3;
/// Streams that begin or end this share of the run apart did not share the path all the time.
const MAX_END_GAP_SHARE: f64 = 0.1;

const RUN_TOGETHER: &str = "start all streams with one command, such as `iperf3 -c HOST -t 10 -P 4 -J`, or give the listing of one stream alone";

/// Adds the streams of a run: counts and windows add up, round-trip times and limits are means.
pub fn together(streams: &[&Connection]) -> Result<Connection, Refusal> {
    let [first, rest @ ..] = streams else { return Err(refusal("no stream was read".into())) };
    if rest.is_empty() {
        return Ok((*first).clone());
    }
    together_in_time(streams)?;
    let sum = |of: fn(&Connection) -> Option<f64>| streams.iter().map(|one| of(one)).sum::<Option<f64>>();
    let average = |of: fn(&Connection) -> Option<f64>| averaged(streams.iter().map(|one| of(one)));
    let least = |of: fn(&Connection) -> Option<f64>| streams.iter().filter_map(|one| of(one)).reduce(f64::min);
    Ok(Connection {
        name: format!("{} streams", streams.len()),
        bytes: sum(|one| one.bytes),
        goodput: sum(|one| one.goodput),
        segments_sent: sum(|one| one.segments_sent),
        retransmitted: sum(|one| one.retransmitted),
        spurious: sum(|one| one.spurious),
        reordered: sum(|one| one.reordered),
        marked: average(|one| one.marked),
        rtt_min: least(|one| one.rtt_min),
        limits: limits(streams),
        points: points(streams)?,
        cut_off: streams.iter().any(|one| one.cut_off),
        packets: vec![],
        ..(*first).clone()
    })
}

/// Refuses streams that began or ended apart: for a part of the time they had the path to themselves.
fn together_in_time(streams: &[&Connection]) -> Result<(), Refusal> {
    let ends = |one: &Connection| match (one.points.first(), one.points.last()) {
        (Some(first), Some(last)) if one.points.len() > 1 => Some([first.time, last.time]),
        _ => one.span,
    };
    let all: Option<Vec<[f64; 2]>> = streams.iter().map(|one| ends(one)).collect();
    let Some(all) = all else { return Ok(()) };
    let longest = all.iter().map(|[from, to]| to - from).fold(0.0, f64::max);
    for (at, what) in [(0, "begin"), (1, "end")] {
        let times = || all.iter().map(|span| span[at]);
        let (least, most) = (times().fold(f64::INFINITY, f64::min), times().fold(f64::NEG_INFINITY, f64::max));
        let step = streams.iter().filter_map(|one| step(&one.points)).fold(0.0, f64::max);
        if most - least > (MAX_END_GAP_SHARE * longest).max(1.5 * step) {
            let why = format!(
                "the {} streams of {} {what} up to {} apart",
                streams.len(),
                streams[0].place,
                base::show::time(most - least)
            );
            return Err(refusal(why));
        }
    }
    Ok(())
}

fn refusal(why: String) -> Refusal {
    Refusal { why, hint: RUN_TOGETHER.into() }
}

/// Returns the usual length of an interval, seconds.
fn step(points: &[Point]) -> Option<f64> {
    let steps: Vec<f64> = points.windows(2).map(|pair| pair[1].time - pair[0].time).collect();
    (!steps.is_empty()).then(|| median(&steps))
}

/// Adds the points of all streams at the times of the first stream that every stream has.
fn points(streams: &[&Connection]) -> Result<Vec<Point>, Refusal> {
    let first = &streams[0].points;
    let Some(step) = step(first) else { return Ok(first.clone()) };
    let at = |one: &Connection, time: f64| {
        let next = one.points.partition_point(|point| point.time < time - MAX_POINT_GAP_SHARE * step);
        one.points.get(next).filter(|point| point.time <= time + MAX_POINT_GAP_SHARE * step).copied()
    };
    let of = |point: &Point| streams.iter().map(|one| at(one, point.time)).collect::<Option<Vec<Point>>>();
    let all: Vec<Point> = first.iter().filter_map(of).map(|all| added(&all)).collect();
    if (all.len() as f64) < 0.8 * first.len() as f64 {
        let why = format!("the intervals of the {} streams of {} do not match", streams.len(), streams[0].place);
        return Err(refusal(why));
    }
    Ok(all)
}

fn added(all: &[Point]) -> Point {
    let sum = |of: fn(&Point) -> Option<f64>| all.iter().map(of).sum::<Option<f64>>();
    let average = |of: fn(&Point) -> Option<f64>| averaged(all.iter().map(of));
    Point {
        time: all[0].time,
        bytes: sum(|point| point.bytes),
        retransmitted: sum(|point| point.retransmitted),
        delivered: sum(|point| point.delivered),
        cwnd: sum(|point| point.cwnd),
        srtt: average(|point| point.srtt),
        rttvar: average(|point| point.rttvar),
        in_flight: sum(|point| point.in_flight),
        window: sum(|point| point.window),
        unsent: sum(|point| point.unsent),
        ..Point::default()
    }
}

fn limits(streams: &[&Connection]) -> Option<Limits> {
    let all = streams.iter().map(|one| one.limits).collect::<Option<Vec<Limits>>>()?;
    let average = |of: fn(&Limits) -> f64| mean(&all.iter().map(of).collect::<Vec<f64>>());
    Some(Limits {
        busy: average(|limits| limits.busy),
        rwnd: average(|limits| limits.rwnd),
        sndbuf: average(|limits| limits.sndbuf),
    })
}

fn averaged(all: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let all = all.collect::<Option<Vec<f64>>>()?;
    (!all.is_empty()).then(|| mean(&all))
}

/// Returns how many streams ran: those that were printed, or those that the command asked for if the sum alone was.
pub fn count(evidence: &Evidence, streams: &[&Connection]) -> Option<usize> {
    match streams {
        [sum] if evidence.sums.iter().any(|known| std::ptr::eq(known, *sum)) => {
            let listing = evidence.listings.iter().find(|printed| printed.place == sum.place);
            sum.streams.or_else(|| parallel(listing?.listing.command.as_deref()?))
        }
        _ => Some(streams.len()),
    }
}

/// Returns the standard deviation of the streams' goodput over its mean.
pub fn unevenness(each: &[f64]) -> f64 {
    let mean = mean(each);
    if mean > 0.0 { deviation(each) / mean } else { 0.0 }
}

/// Returns the number of streams that a command of iperf asks for, if it asks for several.
fn parallel(command: &str) -> Option<usize> {
    let mut words = command.split_whitespace();
    while let Some(word) = words.next() {
        let value = match word {
            "-P" | "--parallel" => words.next(),
            _ => word.strip_prefix("--parallel=").or_else(|| word.strip_prefix("-P")),
        };
        if let Some(count) =
            value.and_then(|value| value.parse().ok()).filter(|count| (2..=MAX_STREAMS).contains(count))
        {
            return Some(count);
        }
    }
    None
}

/// iperf3 takes no more streams (MAX_STREAMS in its iperf.h).
const MAX_STREAMS: usize = 128;
