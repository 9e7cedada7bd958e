//! How an instrument sampled a transfer, from the connection in the evidence: even intervals, or a total alone.

use super::refusal::{HOW_TO_MEASURE, Refusal, refuse};
use super::trace::{IPERF3_BLOCK_BYTES, Instrument};
use base::model::{LEAST_INTERVALS, segment};
use base::stats::median;
use evidence::headers::{Ip, MTU, TIMESTAMPS};
use evidence::{Connection, Evidence, Point, Seen, Source};

/// Later intervals are ignored: the cost of a trial grows with its traffic.
const MAX_INTERVALS: usize = 30;
/// The shortest interval of a capture, seconds, and the most intervals before they are joined.
const MIN_STEP_S: f64 = 0.1;
const MAX_POINTS: usize = 100_000;
/// Packets of a trial at most, unless that leaves fewer intervals than this.
const MAX_PACKETS: f64 = 500_000.0;
const MIN_WATCHED_INTERVALS: usize = 10;
/// Old iperf3 counts this many blocks at a time.
const OLD_IPERF_BLOCKS: f64 = 10.0;
/// The lab runs this much of a total at least, seconds.
const MIN_TOTAL_S: f64 = 10.0;

/// A sum of several streams has less resolution than one of them: they write independently.
pub fn block_of_all(block: f64, streams: usize) -> f64 {
    block * (streams as f64).sqrt()
}

/// Returns how the instrument sampled, or why its figures cannot be compared.
pub fn instrument(
    seen: &Connection,
    evidence: &Evidence,
    ip: Ip,
    notes: &mut Vec<String>,
) -> Result<Instrument, Refusal> {
    let points: Vec<_> = seen.points.iter().filter(|point| point.bytes.is_some()).collect();
    let mss = seen.mss.unwrap_or(f64::from(ip.mss(MTU) - TIMESTAMPS));
    if points.len() < LEAST_INTERVALS {
        return of_total(seen, points.len(), mss, notes);
    }
    let lengths: Vec<f64> = points.windows(2).map(|pair| pair[1].time - pair[0].time).collect();
    let step = median(&lengths);
    if !(0.1..=10.0).contains(&step) || lengths.iter().take(points.len() - 2).any(|one| (one / step - 1.0).abs() > 0.1)
    {
        return refuse(format!("the intervals of {} differ in length", seen.place), HOW_TO_MEASURE);
    }
    // The last interval may be shorter.
    let whole = lengths.last().is_some_and(|last| (last / step - 1.0).abs() < 0.1);
    let bytes: Vec<f64> = points.iter().filter_map(|point| point.bytes).collect();
    let each = bytes.iter().sum::<f64>() / segment::FULL_SEGMENT / bytes.len() as f64;
    let longest = ((MAX_PACKETS / each.max(1.0)) as usize).clamp(MIN_WATCHED_INTERVALS, MAX_INTERVALS);
    let intervals = (points.len() - usize::from(!whole)).min(longest);
    if intervals < points.len() {
        notes.push(format!("Only the first {intervals} of {} intervals are compared.", points.len()));
    }
    let listing = evidence.listings.iter().find(|printed| printed.place == seen.place).map(|printed| &printed.listing);
    let written = listing.and_then(|listing| listing.block).map_or(IPERF3_BLOCK_BYTES, |block| block as f64);
    let block = match seen.written {
        true if counts_in(&bytes, OLD_IPERF_BLOCKS * written) => OLD_IPERF_BLOCKS * written,
        true => written,
        false => segment::FULL_SEGMENT,
    };
    // ss samples at any time; its first count covers the time since the connection began, if that is known. Intervals of a
    // program begin with the connection. Intervals that -O omits have times below 0.
    let omitted = seen.points.first().map_or(0.0, |point| (-point.time).max(0.0));
    let counted = |point: &&Point| point.bytes.is_some() || seen.written && point.time == -omitted;
    let first = seen.points.first().filter(counted).map(|_| points[0].time + omitted);
    let first = first.map(|time| if (time / step - 1.0).abs() < 0.1 { step } else { time });
    // Sums over intervals count what a sender wrote, as its own total does.
    let is_summed = intervals < points.len() || seen.seen == Seen::Sender || seen.cut_off;
    let sent = seen.written && is_summed;
    Ok(Instrument { step, first, intervals, omitted, written: seen.written, block, mss, sent, total: false })
}

/// Returns the instrument of a transfer that printed its total alone: one interval, after what `-O` omits.
fn of_total(seen: &Connection, intervals: usize, mss: f64, notes: &mut Vec<String>) -> Result<Instrument, Refusal> {
    let lost = seen.retransmitted.filter(|count| *count > 0.0);
    let printed = seen.span.map(|[from, to]| to - from).filter(|seconds| *seconds >= 1.0 && !seen.cut_off);
    let (Some(_), Some(seconds), Some(goodput)) = (lost, printed, seen.goodput) else {
        let why = format!(
            "{} says nothing of how the transfer went on: {}, and at least {LEAST_INTERVALS} are needed unless a total \
             counts retransmissions",
            seen.place,
            if intervals == 1 { "1 interval".into() } else { format!("{intervals} intervals") }
        );
        let with_facts = "`goodput test` says which causes these facts allow; to prove one, state `retransmissions` and \
             `duration` of the run, or give its listing";
        return refuse(why, if seen.source == Source::Facts { with_facts } else { HOW_TO_MEASURE });
    };
    // The cost of a trial grows with its traffic.
    let affordable = (MAX_PACKETS * 8.0 * segment::FULL_SEGMENT / goodput.max(1.0)).max(MIN_TOTAL_S);
    let step = seconds.min(affordable);
    if step < seconds {
        notes.push(format!("The lab runs {} of its {seconds:.0} s.", base::show::time(step)));
    }
    notes.push("The listing has totals and no intervals: few figures are compared, so that much fits.".into());
    let omitted = seen.omitted;
    let (first, intervals) = if omitted > 0.0 { (omitted, 2) } else { (step, 1) };
    let block = segment::FULL_SEGMENT;
    Ok(Instrument {
        step,
        first: Some(first),
        intervals,
        omitted,
        written: false,
        block,
        mss,
        sent: seen.seen == Seen::Sender,
        total: true,
    })
}

/// Returns the connection with intervals of equal length. The first interval of `ss` depends on the time of its first
/// snapshot, so it is joined with the next. A capture has an interval for each stretch without packets, and many short
/// ones.
pub fn with_even_intervals(seen: &Connection) -> Connection {
    let mut seen = seen.clone();
    if let Some((at, point)) = unprinted(&seen.points) {
        seen.points[at] = point;
        return seen;
    }
    match seen.points.as_slice() {
        [first, second, third, ..]
            if seen.source == Source::Ss && first.bytes.is_some() && first.time < 0.9 * (third.time - second.time) =>
        {
            let joined = joined(&seen.points[..2]);
            seen.points.splice(..2, [joined]);
        }
        [first, ..] if seen.source == Source::Capture => {
            let widths = seen.points.windows(2).map(|pair| pair[1].time - pair[0].time);
            let width = widths.fold(f64::INFINITY, f64::min);
            let began = first.time - width;
            seen.points.iter_mut().for_each(|point| point.time -= began);
            seen.points = even_points(&seen.points, width);
            // The capture's goodput covers its whole duration.
            seen.goodput = None;
        }
        _ => {}
    }
    seen
}

/// Returns the last interval that -O omits, if iperf3 did not print it (`restart_count` in evidence): interpolated from
/// its neighbours, without retransmissions.
pub fn unprinted(points: &[Point]) -> Option<(usize, Point)> {
    let at = points.iter().position(|point| point.time == 0.0 && point.bytes.is_none())?;
    let (before, after) = (points[at.checked_sub(1)?], points.get(at + 1)?);
    let bytes = before.bytes.zip(after.bytes).map(|(before, after)| (before + after) / 2.0);
    Some((at, Point { time: 0.0, bytes, retransmitted: after.retransmitted.map(|_| 0.0), ..before }))
}

/// Returns points in steps of `width`, with stretches without packets, as at most [`MAX_INTERVALS`] points of equal
/// length.
fn even_points(points: &[Point], width: f64) -> Vec<Point> {
    let (mut all, mut until): (Vec<Point>, f64) = (vec![], 0.0);
    // The last point ends with the connection.
    let whole = points.len().saturating_sub(1);
    for point in &points[..whole] {
        let count = ((point.time - until) / width).round().max(1.0) as usize;
        if all.len() + count > MAX_POINTS || !(width > 0.0 && width.is_finite()) {
            return points.to_vec();
        }
        let nothing = Point { bytes: Some(0.0), retransmitted: Some(0.0), ..Point::default() };
        all.extend((1..count).map(|nth| Point { time: until + nth as f64 * width, ..nothing }));
        all.push(*point);
        until = point.time;
    }
    let each = all.len().div_ceil(MAX_INTERVALS).max((MIN_STEP_S / width).ceil() as usize).max(1);
    all.chunks_exact(each).map(joined).collect()
}

/// Joins intervals until they are few enough to compare, so that the lab runs as long as the transfer did and predicts
/// what its tool prints. Too much traffic, or what `-O` omits, may not allow it: then the first intervals are compared.
pub fn with_few_intervals(mut seen: Connection) -> Connection {
    let start = seen.points.iter().take_while(|point| point.bytes.is_none()).count();
    let rest = &seen.points[start..];
    let carried: f64 = rest.iter().filter_map(|point| point.bytes).sum();
    if rest.len() <= MAX_INTERVALS || carried > MAX_PACKETS * segment::FULL_SEGMENT {
        return seen;
    }
    let omitted = rest.iter().filter(|point| point.time <= 0.0).count();
    let least = rest.len().div_ceil(MAX_INTERVALS);
    let fits = |each: &usize| omitted.is_multiple_of(*each);
    let even = |each: &usize| fits(each) && rest.len().is_multiple_of(*each);
    let Some(each) = (least..=2 * least).find(even).or_else(|| (least..=2 * least).find(fits)) else { return seen };
    let joined: Vec<Point> = rest.chunks(each).map(joined).collect();
    seen.points.splice(start.., joined);
    seen
}

/// Joins consecutive points into one.
fn joined(points: &[Point]) -> Point {
    let sum = |of: fn(&Point) -> Option<f64>| points.iter().map(of).sum::<Option<f64>>();
    let last = |of: fn(&Point) -> Option<f64>| points.iter().rev().find_map(of);
    Point {
        bytes: sum(|point| point.bytes),
        retransmitted: sum(|point| point.retransmitted),
        srtt: last(|point| point.srtt),
        window: last(|point| point.window),
        ..points.last().copied().unwrap_or_default()
    }
}

/// Whether nearly all counts are whole multiples of a block.
fn counts_in(bytes: &[f64], block: f64) -> bool {
    let whole = |bytes: &&f64| ((*bytes / block).round() * block - **bytes).abs() < 0.01 * block + 0.005 * **bytes;
    bytes.iter().filter(whole).count() as f64 > 0.8 * bytes.len() as f64
}
