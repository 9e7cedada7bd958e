//! A transfer as an instrument prints it, interval by interval: read from the evidence, and from samples of the lab at
//! the times at which the instrument would have sampled.

use super::scale::Scale;
use base::model::segment;
use evidence::{Connection, Limits, Point};
use plan::recording::Sample;
use serde::Serialize;
use std::ops::Add;

/// Size of a write of iperf3, bytes (DEFAULT_TCP_BLKSIZE in its iperf.h).
pub const IPERF3_BLOCK_BYTES: f64 = segment::IPERF3_WRITE;

/// The printed figures of a transfer; `None` if the instrument does not print one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trace {
    /// Payload that arrived over the time watched, bit/s.
    pub received: f64,
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
        let Some(cwnd) = &self.cwnd else { return vec![0.0; again.len()] };
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
        let mut again: Vec<f64> = at.iter().map(|&t| between(sent, t, |s| s.total_retrans as f64).floor()).collect();
        again[0] = 0.0;
        let near = |of: &dyn Fn(&Sample) -> f64| at[1..].iter().map(|&time| of(last_until(sent, time))).collect();
        let last = last_until(sent, at[count]);
        let share = |us: u64| us as f64 / 1e6 / instrument.seconds();
        Some(Trace {
            received: (arrived(at[count]) - arrived(stood + instrument.omitted * 1e9)) * 8.0
                / (instrument.seconds() - instrument.omitted),
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

impl Add for Trace {
    type Output = Trace;

    /// Adds two connections: counts are added, RTTs and limits are those of the first.
    fn add(self, other: Trace) -> Trace {
        let sum = |a: Vec<f64>, b: Vec<f64>| a.iter().zip(b).map(|(a, b)| a + b).collect();
        let both = |a: Option<Vec<f64>>, b: Option<Vec<f64>>| Some(sum(a?, b?));
        Trace {
            received: self.received + other.received,
            bytes: sum(self.bytes, other.bytes),
            retransmitted: both(self.retransmitted, other.retransmitted),
            cwnd: both(self.cwnd, other.cwnd),
            window: both(self.window, other.window),
            spurious: self.spurious.zip(other.spurious).map(|(a, b)| a + b),
            reordered: self.reordered.zip(other.reordered).map(|(a, b)| a + b),
            marked: self.marked.zip(other.marked).map(|(a, b)| a + b),
            rtt: self.rtt,
            rttvar: self.rttvar,
            limits: self.limits,
        }
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
