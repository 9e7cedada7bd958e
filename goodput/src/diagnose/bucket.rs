//! Fits a token bucket that explains which packets were lost.
//!
//! The tokens missing from a bucket equal the backlog of a queue with the same rate: it drains at the rate, and a
//! packet that does not fit is dropped. Behind a policer the losses follow this level and RTTs do not; behind a queue
//! both follow it; random losses follow nothing.

use crate::model::segment::FRAME_HEADERS;
use crate::stats::percentile;
use evidence::Packet;

/// Rates tried, upwards from the mean: steps of 5 %, up to a sender that is idle for 95 % of the time.
const RATE_STEP_RATIO: f64 = 1.05;
const RATE_STEPS: i32 = 60;

/// Halvings of the step around the best rate.
const HALVINGS: u32 = 5;

/// Share of the accumulated error that an anchor removes: a slightly wrong rate adds up over a long transfer.
const ANCHOR_GAIN: f64 = 0.25;

/// Smallest number of loss runs for a result.
pub const MIN_LOSS_RUNS: usize = 5;

/// A token bucket, and how well it separates lost packets from delivered ones.
#[derive(Debug, Clone, Copy)]
pub struct Bucket {
    /// Token rate, bytes per second.
    pub rate: f64,
    /// Bucket size, bytes.
    pub burst: f64,
    /// Number of loss runs.
    pub onsets: usize,
    /// Share of loss runs that begin with the bucket empty.
    pub hit: f64,
    /// Share of delivered packets with tokens left.
    pub passed: f64,
    /// Extra delay of packets that find the bucket nearly empty, over the delay that a queue in its place would add:
    /// the largest value that the samples allow. `None` if there are too few samples.
    pub delay: Option<f64>,
}

impl Bucket {
    /// Returns Youden's index: 1 if the bucket separates every loss, 0 if none.
    pub fn told(&self) -> f64 {
        self.hit + self.passed - 1.0
    }

    /// Returns the bucket that separates losses best; packets must be in their order.
    pub fn of(packets: &[Packet]) -> Option<Bucket> {
        let first = packets.iter().position(|packet| packet.lost)?;
        let last = packets.iter().rposition(|packet| packet.lost)?;
        let passed = packets[first..last].iter().filter(|packet| !packet.lost).map(size).sum::<f64>();
        let mean = passed / (packets[last].time - packets[first].time);
        if !(mean > 0.0 && mean.is_finite()) {
            return None;
        }
        let better = |a: Option<Bucket>, b: Option<Bucket>| {
            if b.is_some_and(|b| a.is_none_or(|a| b.told() > a.told())) { b } else { a }
        };
        let rates = (-2..RATE_STEPS).map(|step| mean * RATE_STEP_RATIO.powi(step));
        let mut best = rates.map(|rate| Trace::of(packets, rate).bucket(rate)).reduce(better)??;
        let mut step = RATE_STEP_RATIO;
        for _ in 0..HALVINGS {
            step = step.sqrt();
            let near = [best.rate * step, best.rate / step].map(|rate| Trace::of(packets, rate).bucket(rate));
            best = near.into_iter().fold(Some(best), better)?;
        }
        Some(Bucket { delay: Trace::of(packets, best.rate).delay(best.rate), ..best })
    }
}

fn size(packet: &Packet) -> f64 {
    f64::from(packet.bytes) + FRAME_HEADERS
}

/// The bucket's level over time at one rate.
struct Trace {
    /// Bucket size, bytes.
    burst: f64,
    /// For each packet, the bytes by which it would overdraw the bucket, and whether it began a run of losses.
    over: Vec<(f64, bool)>,
    /// For each delivered packet with an RTT, the bytes drawn before it and that RTT, seconds.
    delays: Vec<(f64, f64)>,
}

impl Trace {
    /// Follows the bucket's level at a rate. The first loss sets the burst. Each later loss pulls the level towards
    /// the burst, and each packet delivered although it overdraws the bucket raises the burst.
    fn of(packets: &[Packet], rate: f64) -> Trace {
        let mut trace = Trace { burst: 0.0, over: vec![], delays: vec![] };
        let mut burst: Option<f64> = None;
        let (mut drawn, mut time, mut lost) = (0.0_f64, packets.first().map_or(0.0, |packet| packet.time), false);
        for packet in packets {
            drawn = (drawn - rate * (packet.time - time)).max(0.0);
            let level = drawn + size(packet);
            match burst {
                None if packet.lost => {
                    trace.over.iter_mut().for_each(|(over, _)| *over -= level);
                    burst = Some(level);
                }
                None => trace.over.push((level, false)),
                Some(full) => {
                    if !packet.lost || !lost {
                        trace.over.push((level - full, packet.lost));
                    }
                    if packet.lost {
                        drawn = (drawn + ANCHOR_GAIN * (full - level)).max(0.0);
                    } else if level > full {
                        burst = Some(full + ANCHOR_GAIN * (level - full));
                    }
                }
            }
            if !packet.lost {
                trace.delays.extend(packet.rtt.map(|rtt| (drawn, f64::from(rtt))));
                drawn += size(packet);
            }
            (time, lost) = (packet.time, packet.lost);
        }
        trace.burst = burst.unwrap_or(0.0);
        trace
    }

    /// Returns the bucket with the threshold that separates losses best.
    fn bucket(mut self, rate: f64) -> Option<Bucket> {
        self.over.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let onsets = self.over.iter().filter(|(_, lost)| *lost).count();
        let others = self.over.len() - onsets;
        if onsets < MIN_LOSS_RUNS || others < MIN_LOSS_RUNS {
            return None;
        }
        let (mut above, mut below) = (onsets, 0);
        let mut best: Option<Bucket> = None;
        for (at, (over, lost)) in self.over.iter().enumerate() {
            above -= usize::from(*lost);
            below += usize::from(!*lost);
            if self.over.get(at + 1).is_some_and(|(next, _)| next == over) {
                continue;
            }
            let (hit, passed) = (above as f64 / onsets as f64, below as f64 / others as f64);
            let one = Bucket { rate, burst: self.burst, onsets, hit, passed, delay: None };
            if best.is_none_or(|best| one.told() > best.told()) {
                best = Some(one);
            }
        }
        best
    }

    /// Returns how much RTTs rise as the bucket empties, over the delay of a queue at the rate. The rise is the median
    /// RTT of packets that find more than half of the bucket drawn, less that of the third that find least drawn, plus
    /// three standard errors of the difference.
    fn delay(mut self, rate: f64) -> Option<f64> {
        self.delays.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let low = &self.delays[..self.delays.len() / 3];
        let high = &self.delays[self.delays.partition_point(|(drawn, _)| *drawn < 0.5 * self.burst)..];
        let fewer = low.len().min(high.len());
        let quantile =
            |of: &[(f64, f64)], part: fn(&(f64, f64)) -> f64, at: f64| percentile(of.iter().map(part).collect(), at);
        let [drawn, rise] = [|d: &(f64, f64)| d.0, |d: &(f64, f64)| d.1]
            .map(|part| Some(quantile(high, part, 0.5)? - quantile(low, part, 0.5)?));
        let spread = quantile(low, |d| d.1, 0.75)? - quantile(low, |d| d.1, 0.25)?;
        // The standard error of a median of normal samples is 0.93 interquartile ranges over the root of their number.
        let error = 0.93 * spread * (2.0 / fewer as f64).sqrt();
        Some((rise? + 3.0 * error) * rate / drawn?).filter(|delay| delay.is_finite())
    }
}
