//! A transfer as an instrument prints it, interval by interval: read from the evidence, and from samples of the lab at
//! the times at which the instrument would have sampled.

use super::scale::Scale;
use base::model::segment;
use evidence::{Connection, Limits, Point};
use plan::recording::Sample;
use serde::Serialize;

/// Size of a write of iperf3, bytes (DEFAULT_TCP_BLKSIZE in its iperf.h).
pub const IPERF3_BLOCK_BYTES: f64 = segment::IPERF3_WRITE;

/// The printed figures of a transfer; `None` if the instrument does not print one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trace {
    /// Payload that arrived over the time watched, bit/s.
    pub received: f64,
    /// Goodput of each of several streams, bit/s; `None` for one stream, or if the sum alone is printed.
    pub each: Option<Vec<f64>>,
    /// Payload of each interval, bytes.
    pub bytes: Vec<f64>,
    /// Segments retransmitted in each interval.
    pub retransmitted: Option<Vec<f64>>,
    /// Congestion window at the end of each interval, segments.
    pub cwnd: Option<Vec<f64>>,
    /// Smoothed RTT at the end of each interval, seconds.
    pub rtt: Option<Vec<f64>>,
    /// Mean deviation of the RTT at the end of each interval, seconds.
    pub rttvar: Option<Vec<f64>>,
    /// Duplicates that arrived, from DSACKs, over the time watched.
    pub spurious: Option<f64>,
    /// How often the sender saw reordering.
    pub reordered: Option<f64>,
    /// Packets that were delivered with a CE mark (RFC 3168), over the time watched.
    pub marked: Option<f64>,
    /// Receive window at the end of each interval, bytes.
    pub window: Option<Vec<f64>>,
    /// Time for which each limit bound.
    pub limits: Option<Limits>,
}

/// How the instrument samples.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Instrument {
    /// Length of an interval, seconds.
    pub step: f64,
    /// Length of the first interval, from when the connection was established, seconds; `None` if the instrument
    /// started later.
    pub first: Option<f64>,
    /// Intervals watched.
    pub intervals: usize,
    /// Whether it counts bytes written by the sender's program rather than bytes that arrived.
    pub written: bool,
    /// The start that its totals omit, seconds (iperf3 -O).
    pub omitted: f64,
    /// Bytes of a write; counts are multiples of it.
    pub block: f64,
    /// Payload of a full segment, bytes.
    pub mss: f64,
    /// Whether its total counts what the sender's program wrote rather than what arrived.
    pub sent: bool,
    /// Whether it printed the total alone: the last interval is the total, and one before it what `-O` omits.
    pub total: bool,
}

impl Instrument {
    /// Returns how long the instrument watches, seconds.
    pub fn seconds(&self) -> f64 {
        self.step * (self.intervals - 1) as f64 + self.first.unwrap_or(self.step)
    }
}

impl Trace {
    /// Reads the first intervals of a connection in the evidence; `beside` is the same connection in `ss`.
    pub fn of_evidence(seen: &Connection, beside: Option<&Connection>, instrument: &Instrument) -> Trace {
        if instrument.total {
            return Trace::of_total(seen, instrument);
        }
        let points: Vec<&Point> = seen.points.iter().filter(|p| p.bytes.is_some()).take(instrument.intervals).collect();
        let series = |of: &dyn Fn(&Point) -> Option<f64>| points.iter().map(|point| of(point)).collect();
        let bytes: Option<Vec<f64>> = series(&|point| point.bytes);
        let bytes = bytes.unwrap_or_default();
        let whole = seen.points.iter().filter(|p| p.bytes.is_some()).count() == points.len();
        let sum = bytes.iter().sum::<f64>() * 8.0 / instrument.seconds();
        let left_out = (instrument.omitted / instrument.step).round() as usize;
        let counted = bytes.iter().skip(left_out).sum::<f64>() * 8.0 / (instrument.seconds() - instrument.omitted);
        Trace {
            received: seen.goodput.filter(|_| whole).unwrap_or(counted),
            each: None,
            bytes,
            retransmitted: series(&|point| point.retransmitted),
            cwnd: series(&|point| Some(point.cwnd? / instrument.mss)),
            rtt: series(&|point| point.srtt),
            rttvar: series(&|point| point.rttvar),
            spurious: seen.spurious.filter(|_| whole),
            reordered: seen.reordered.filter(|_| whole),
            marked: [Some(seen), beside]
                .into_iter()
                .flatten()
                .find_map(|one| one.marked)
                .map(|share| share * sum * instrument.seconds() / 8.0 / instrument.mss),
            window: series(&|point| point.window),
            limits: beside.and_then(|ss| ss.limits).or(seen.limits),
        }
    }

    /// Reads the total of a connection that printed nothing else.
    fn of_total(seen: &Connection, instrument: &Instrument) -> Trace {
        let received = seen.goodput.unwrap_or_default();
        let printed = seen.span.map_or(instrument.step, |[from, to]| to - from);
        let lost = seen.retransmitted.map(|count| count * instrument.step / printed);
        let before = instrument.intervals - 1;
        let with = |last: f64| [vec![0.0; before], vec![last]].concat();
        Trace {
            received,
            each: None,
            bytes: with(received * instrument.step / 8.0),
            retransmitted: lost.map(with),
            cwnd: None,
            rtt: None,
            rttvar: None,
            spurious: None,
            reordered: None,
            marked: None,
            window: None,
            limits: None,
        }
    }

    /// Returns the segments retransmitted in the time that totals count.
    pub fn counted_again(&self, instrument: &Instrument) -> Option<f64> {
        let left_out = match instrument.total {
            true => instrument.intervals - 1,
            false => (instrument.omitted / instrument.step).round() as usize,
        };
        self.retransmitted.as_ref().map(|all| all.iter().skip(left_out).sum())
    }

    /// Returns the retransmissions of each interval that did not slow the transfer: cwnd kept its value, because the
    /// sender found that nothing was lost (Eifel, RFC 3522; DSACK, RFC 3708), or was far from used up afterwards. 0
    /// without a printed cwnd.
    pub fn spared(&self, scale: &Scale) -> Vec<f64> {
        /// cwnd below this share of its last value has fallen: CUBIC reduces it to 0.7 (RFC 9438, 4.6), Reno to 0.5, and an
        /// undone reduction is back within an RTT.
        const CWND_FALL_RATIO: f64 = 0.97;
        /// Above this growth in an interval, slow start may hide a fall.
        const MAX_FLAT_CWND_RATIO: f64 = 1.1;
        /// cwnd is used up if more than this share of it is in flight.
        const USED_UP_SHARE: f64 = 0.8;
        let Some(again) = &self.retransmitted else { return vec![] };
        // The sum of several windows hardly shows one that falls.
        let Some(cwnd) = self.cwnd.as_ref().filter(|_| scale.streams == 1) else { return vec![0.0; again.len()] };
        let grew = |at: usize| cwnd.get(at).map_or(1.0, |after| after / cwnd[at - 1].max(1.0));
        let used = |at: &usize| self.bytes[*at] / scale.step * scale.rtt / scale.mss / cwnd[*at].max(1.0);
        let has_room = |at: usize| {
            let mut next = (at + 1..cwnd.len().min(at + 3)).peekable();
            next.peek().is_some() && next.all(|at| used(&at) < USED_UP_SHARE)
        };
        let is_spared = |at: usize| {
            at > 0
                && grew(at + 1) >= CWND_FALL_RATIO
                && ((CWND_FALL_RATIO..MAX_FLAT_CWND_RATIO).contains(&grew(at))
                    || grew(at) >= CWND_FALL_RATIO && has_room(at))
        };
        again.iter().enumerate().map(|(at, count)| if is_spared(at) { *count } else { 0.0 }).collect()
    }

    /// Returns the retransmissions of each interval that may have slowed the transfer.
    pub fn lost(&self, scale: &Scale) -> Option<Vec<f64>> {
        let again = self.retransmitted.as_ref()?;
        Some(again.iter().zip(self.spared(scale)).map(|(all, spared)| all - spared).collect())
    }

    /// Returns the figures that the instrument would have printed for a trial, from samples of both ends and the time
    /// of the handshake, ns. `None` without samples.
    pub fn of_samples(sent: &[Sample], received: &[Sample], stood: f64, instrument: &Instrument) -> Option<Trace> {
        if sent.is_empty() {
            return None;
        }
        let count = instrument.intervals;
        let shift = instrument.first.unwrap_or(instrument.step) - instrument.step;
        let end = |n: usize| if n == 0 { stood } else { stood + (n as f64 * instrument.step + shift) * 1e9 };
        let at: Vec<f64> = (0..=count).map(end).collect();
        let arrived = |time: f64| between(received, time, |s| s.bytes_received as f64);
        let counted = |time: f64| match instrument.written {
            true => between(sent, time, |s| (s.bytes_acked + s.unacked * s.snd_mss + s.notsent_bytes) as f64),
            false => arrived(time),
        };
        let mut counts: Vec<f64> =
            at.iter().map(|&time| (counted(time) / instrument.block).floor() * instrument.block).collect();
        counts[0] = 0.0;
        let omitted = stood + instrument.omitted * 1e9;
        let total = |time: f64| if instrument.sent { counted(time) } else { arrived(time) };
        let mut again: Vec<f64> = at.iter().map(|&t| between(sent, t, |s| s.total_retrans as f64).floor()).collect();
        again[0] = 0.0;
        let near = |of: &dyn Fn(&Sample) -> f64| at[1..].iter().map(|&time| of(last_until(sent, time))).collect();
        let last = last_until(sent, at[count]);
        let share = |us: u64| us as f64 / 1e6 / instrument.seconds();
        Some(Trace {
            received: (total(at[count]) - total(omitted)) * 8.0 / (instrument.seconds() - instrument.omitted),
            each: None,
            bytes: rises(&counts),
            retransmitted: Some(rises(&again)),
            cwnd: Some(near(&|s| s.snd_cwnd as f64)),
            rtt: Some(near(&|s| s.rtt as f64 / 1e6)),
            rttvar: Some(near(&|s| s.rttvar as f64 / 1e6)),
            spurious: Some(last.dsack_dups as f64),
            reordered: Some(last.reord_seen as f64),
            marked: Some(last.delivered_ce as f64),
            window: Some(near(&|s| s.snd_wnd as f64)),
            limits: Some(Limits {
                busy: share(last.busy_time),
                rwnd: share(last.rwnd_limited),
                sndbuf: share(last.sndbuf_limited),
            }),
        })
    }
}

impl Trace {
    /// Returns the trace without the figures that only Linux counts.
    pub fn without_linux(self) -> Trace {
        Trace { spurious: None, reordered: None, marked: None, limits: None, ..self }
    }

    /// Adds streams: counts and windows add up, round-trip times and limits are means. `None` without any.
    pub fn of_streams(mut streams: Vec<Trace>) -> Option<Trace> {
        if streams.len() < 2 {
            return streams.pop();
        }
        let count = streams.len() as f64;
        let of = |field: fn(&Trace) -> Option<&Vec<f64>>| -> Option<Vec<f64>> {
            let all = streams.iter().map(field).collect::<Option<Vec<_>>>()?;
            Some((0..all[0].len()).map(|at| all.iter().map(|one| one[at]).sum()).collect())
        };
        let mean = |field: fn(&Trace) -> Option<&Vec<f64>>| -> Option<Vec<f64>> {
            Some(of(field)?.into_iter().map(|value| value / count).collect())
        };
        let sum = |field: fn(&Trace) -> Option<f64>| streams.iter().map(field).sum::<Option<f64>>();
        let limits = streams.iter().map(|one| one.limits).collect::<Option<Vec<Limits>>>();
        let share = |all: &[Limits], field: fn(&Limits) -> f64| all.iter().map(field).sum::<f64>() / count;
        Some(Trace {
            received: streams.iter().map(|one| one.received).sum(),
            each: Some(streams.iter().map(|one| one.received).collect()),
            bytes: of(|one| Some(&one.bytes)).unwrap_or_default(),
            retransmitted: of(|one| one.retransmitted.as_ref()),
            cwnd: of(|one| one.cwnd.as_ref()),
            rtt: mean(|one| one.rtt.as_ref()),
            rttvar: mean(|one| one.rttvar.as_ref()),
            spurious: sum(|one| one.spurious),
            reordered: sum(|one| one.reordered),
            marked: sum(|one| one.marked),
            window: of(|one| one.window.as_ref()),
            limits: limits.map(|all| Limits {
                busy: share(&all, |limits| limits.busy),
                rwnd: share(&all, |limits| limits.rwnd),
                sndbuf: share(&all, |limits| limits.sndbuf),
            }),
        })
    }
}

/// Returns the goodput between two times, bit/s.
pub fn arrived(received: &[Sample], from: f64, to: f64) -> f64 {
    let [last_until, after] = [from, to].map(|time| between(received, time, |s| s.bytes_received as f64));
    (after - last_until) * 8e9 / (to - from)
}

/// Returns differences of successive counts, which never fall.
fn rises(counts: &[f64]) -> Vec<f64> {
    counts.windows(2).map(|pair| (pair[1] - pair[0]).max(0.0)).collect()
}

/// Returns the last sample at or before a time, or the first sample.
fn last_until(samples: &[Sample], time: f64) -> &Sample {
    &samples[samples.partition_point(|s| s.time as f64 <= time).max(1) - 1]
}

/// Interpolates a count at a time; 0 without samples.
fn between(samples: &[Sample], time: f64, of: impl Fn(&Sample) -> f64) -> f64 {
    let next = samples.partition_point(|s| s.time as f64 <= time);
    match (next.checked_sub(1).map(|at| &samples[at]), samples.get(next)) {
        (Some(a), Some(b)) => {
            let part = (time - a.time as f64) / (b.time - a.time).max(1) as f64;
            of(a) + (of(b) - of(a)) * part
        }
        (Some(last), None) => of(last),
        (None, _) => 0.0,
    }
}
