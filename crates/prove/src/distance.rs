//! The distance between evidence and the lab: statistics of a transfer, each over its spread between seeds and the resolution
//! of the instrument.

use super::forecast;
use super::other_runs::beyond;
use super::scale::Scale;
use super::streams::unevenness;
use super::trace::Trace;
use base::stats::{deviation, mean, median, median_deviation};
use serde::{Deserialize, Serialize};

/// A figure of a transfer that varies little by chance.
struct Statistic {
    name: &'static str,
    of: fn(&Trace, &Scale) -> Option<f64>,
    /// The instrument's resolution, for this evidence.
    floor: fn(&Trace, &Scale) -> f64,
    /// Use of the figure if cwnd is not used up.
    unused: Unused,
}

/// Use of a figure for a transfer whose cwnd is not used up.
#[derive(Clone, Copy, PartialEq)]
enum Unused {
    /// It counts as for any transfer.
    Tells,
    /// Ignored: it shows the history of a cwnd that does not limit.
    History,
    /// Ignored if it exceeds the lab's: a real path has some background loss that does not limit.
    Background,
}

/// Standard deviation of the share of the time that Linux charges to a receive window that limits BBR. The window keeps
/// bytes in flight below 1.25 BDP, so PROBE_BW paces at 1.25 times the bandwidth (bbr_is_next_cycle_phase in
/// net/ipv4/tcp_bbr.c) and the window alone holds for 1 - 1/1.25 of a round trip. For the rest an ACK and the timer are due
/// together, and their jitter decides which is charged: any share from 0.2 to 1 is as likely, of which this is the deviation.
const PACED_WINDOW_SHARE_SD: f64 = 0.231;

const GOODPUT: Statistic = Statistic {
    name: "goodput",
    of: |t, _| Some(log(t.received / 1e6, 0.01)),
    floor: |_, s| 0.03f64.hypot(s.lump),
    unused: Unused::Tells,
};

const UNEVENNESS: Statistic = Statistic {
    name: "unevenness of the streams",
    of: |t, _| t.each.as_deref().filter(|each| each.len() > 1).map(unevenness),
    floor: |_, _| 0.03,
    unused: Unused::Tells,
};

/// Statistics of a transfer that printed its total alone.
const TOTALS: &[Statistic] = &[
    GOODPUT,
    UNEVENNESS,
    Statistic {
        name: "retransmitted",
        of: |t, _| Some(log(*t.retransmitted.as_ref()?.last()?, 1.0)),
        floor: |t, _| {
            let count = t.retransmitted.iter().flatten().last().copied().unwrap_or_default();
            TOTAL_RETRANSMITTED_SD.hypot(1.0 / count.max(1.0).sqrt())
        },
        unused: Unused::Tells,
    },
];

/// Standard deviation of ln of the segments that runs of one path retransmit, beyond that of a Poisson count.
const TOTAL_RETRANSMITTED_SD: f64 = 0.1;

/// Counts are compared as 2 √n, whose variance is 1 for a Poisson count, and sizes as logarithms.
const STATISTICS: &[Statistic] = &[
    GOODPUT,
    UNEVENNESS,
    Statistic {
        name: "goodput of slow start",
        of: |t, s| s.whole.then(|| log(first(t, s) + one(s), 0.05)),
        floor: |t, s| (0.1 + one(s) / (first(t, s) + one(s)).max(0.05) / 2.0).hypot(s.lump).hypot(doubling(s)),
        unused: Unused::History,
    },
    // Nothing exceeds a window or a rate.
    Statistic {
        name: "largest goodput of an interval",
        of: |t, s| Some(log(largest(&rates(t, s)[after_slow_start(t, s)..]), 0.05)),
        floor: |t, s| (0.05 + one(s) / largest(&rates(t, s)[after_slow_start(t, s)..]).max(0.05)).hypot(s.lump),
        unused: Unused::Tells,
    },
    Statistic {
        name: "variation of goodput",
        of: |t, s| Some(over(deviation(&rates(t, s)[after_slow_start(t, s)..]), steady(t, s))),
        floor: |t, s| 0.05 + 0.5 * (one(s) / steady(t, s)).min(2.0),
        unused: Unused::Tells,
    },
    Statistic {
        name: "trend of goodput",
        of: |t, s| Some(over(trend(&rates(t, s)[after_slow_start(t, s)..], mean), steady(t, s))),
        floor: |t, s| {
            0.08 + (one(s) / steady(t, s) / (third(t.bytes.len() - after_slow_start(t, s)) as f64).sqrt()).min(2.0)
        },
        unused: Unused::Tells,
    },
    Statistic {
        name: "intervals at rest",
        of: |t, s| {
            Some(
                rates(t, s)[after_slow_start(t, s)..].iter().filter(|rate| **rate < 0.08 * steady(t, s) + 1e-9).count()
                    as f64,
            )
        },
        floor: |t, s| 0.7 + (one(s) / steady(t, s)).min(2.0),
        unused: Unused::Tells,
    },
    Statistic {
        name: "retransmitted in slow start",
        of: |t, s| {
            Some(
                2.0 * t.retransmitted.as_ref().filter(|_| s.whole)?[..after_slow_start(t, s)]
                    .iter()
                    .sum::<f64>()
                    .sqrt(),
            )
        },
        floor: |t, s| {
            let all: f64 = t.retransmitted.iter().flatten().take(after_slow_start(t, s)).sum();
            1f64.hypot(forecast::OVERSHOOT_LOSS_SD * all.sqrt())
        },
        unused: Unused::History,
    },
    Statistic {
        name: "retransmitted later",
        of: |t, s| Some(2.0 * later_retransmissions(t, s)?.iter().sum::<f64>().sqrt()),
        floor: |t, s| spared(t, s, |all| all.iter().sum()),
        unused: Unused::Background,
    },
    Statistic {
        name: "share of intervals with retransmissions",
        of: |t, s| Some(share_hit(later_retransmissions(t, s)?)),
        floor: |t, s| 0.12f64.hypot(share_hit(&t.spared(s)[after_slow_start(t, s)..])),
        unused: Unused::Background,
    },
    Statistic {
        name: "most retransmitted in an interval",
        of: |t, s| Some(2.0 * largest(later_retransmissions(t, s)?).sqrt()),
        floor: |t, s| spared(t, s, largest),
        unused: Unused::Background,
    },
    Statistic { name: "use of cwnd", of: used_up, floor: |_, _| 0.25, unused: Unused::Tells },
    Statistic {
        name: "cwnd",
        of: |t, s| Some(log(median(&t.cwnd.as_ref()?[after_slow_start(t, s)..]), 1.0)),
        floor: |_, s| 0.05f64.hypot(s.lump),
        unused: Unused::History,
    },
    Statistic {
        name: "variation of cwnd",
        of: |t, s| {
            let cwnd = &t.cwnd.as_ref()?[after_slow_start(t, s)..];
            Some(over(1.48 * median_deviation(cwnd), median(cwnd)))
        },
        floor: |_, _| 0.05,
        unused: Unused::History,
    },
    Statistic {
        name: "trend of cwnd",
        of: |t, s| {
            let cwnd = &t.cwnd.as_ref()?[after_slow_start(t, s)..];
            Some(over(trend(cwnd, median), median(cwnd)))
        },
        floor: |_, _| 0.08,
        unused: Unused::History,
    },
    Statistic {
        name: "RTT",
        of: |t, s| Some(log(mean(&t.rtt.as_ref()?[after_slow_start(t, s)..]) / s.rtt, 0.5)),
        floor: |_, s| 0.02f64.hypot(s.lump),
        unused: Unused::Tells,
    },
    Statistic {
        name: "largest RTT",
        of: |t, s| Some(log(largest(t.rtt.as_ref()?) / s.rtt, 0.5)),
        floor: |_, s| 0.03f64.hypot(s.lump),
        unused: Unused::Tells,
    },
    Statistic {
        name: "smallest RTT",
        of: |t, s| {
            let rtt = t.rtt.as_ref().filter(|_| !s.blocks)?;
            Some(log(rtt.iter().copied().fold(f64::INFINITY, f64::min) / s.rtt, 0.5))
        },
        floor: |_, s| 0.02f64.hypot(s.lump),
        unused: Unused::Tells,
    },
    // Late packets raise it; retransmitted ones give no RTT (Karn).
    Statistic {
        name: "deviation of RTT",
        of: |t, s| Some(log(median(&t.rttvar.as_ref()?[after_slow_start(t, s)..]) / s.rtt, 0.01)),
        floor: |_, _| 0.35,
        unused: Unused::Tells,
    },
    Statistic {
        name: "duplicates that arrived",
        of: |t, _| Some(2.0 * t.spurious?.sqrt()),
        floor: |_, _| 1.0,
        unused: Unused::Tells,
    },
    Statistic {
        name: "reordering seen",
        of: |t, _| Some(2.0 * t.reordered?.sqrt()),
        floor: |_, _| 1.0,
        unused: Unused::Tells,
    },
    Statistic { name: "CE marks", of: |t, _| Some(2.0 * t.marked?.sqrt()), floor: |_, _| 1.0, unused: Unused::Tells },
    Statistic {
        name: "correlation of cwnd and RTT",
        of: |t, s| {
            Some(correlation(&t.cwnd.as_ref()?[after_slow_start(t, s)..], &t.rtt.as_ref()?[after_slow_start(t, s)..]))
        },
        floor: |_, _| 0.25,
        unused: Unused::History,
    },
    // Alone in a queue, cwnd over RTT is the link rate (Little's law). On a shared link it is the flow's share, which drifts
    // until the flows converge.
    Statistic {
        name: "variation of cwnd over RTT",
        of: |t, s| {
            let both = t.cwnd.as_ref()?.iter().zip(t.rtt.as_ref()?).skip(after_slow_start(t, s));
            let rates: Vec<f64> = both.map(|(cwnd, rtt)| log(cwnd / rtt.max(1e-6), 1e-3)).collect();
            Some(1.48 * median_deviation(&rates))
        },
        floor: |_, _| 0.05,
        unused: Unused::History,
    },
    // A window beyond twice cwnd depends on autotuning and on how the program reads.
    Statistic {
        name: "receive window",
        of: |t, s| {
            let most = 2.0 * largest(t.cwnd.as_ref()?) * s.mss;
            Some(log(t.window.as_ref()?.last()?.min(most), 1000.0))
        },
        floor: |_, _| 0.15,
        unused: Unused::Tells,
    },
    Statistic {
        name: "time limited by the receive window",
        of: |t, _| Some(t.limits?.rwnd),
        floor: |_, s| if s.paced { PACED_WINDOW_SHARE_SD } else { 0.05 },
        unused: Unused::Tells,
    },
    Statistic {
        name: "time limited by the send buffer",
        of: |t, _| Some(t.limits?.sndbuf),
        floor: |_, _| 0.05,
        unused: Unused::Tells,
    },
];

/// A larger z counts as this.
const MAX_Z: f64 = 6.0;

/// With fewer seeds, a spread below half of the floor counts as half of the floor.
const MIN_TRUSTED_SEEDS: usize = 5;

/// The distance between the evidence and a candidate.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Fit {
    /// Root mean square of z.
    pub d: f64,
    /// Mean of the three largest |z|.
    pub t3: f64,
    /// Each statistic's z: evidence minus lab.
    pub z: Vec<(String, f64)>,
    /// The cost of a wide spread: the sum of 2 ln of each scale over its floor.
    #[serde(default)]
    pub spread: f64,
    /// Goodput in the lab, mean over seeds, bit/s.
    #[serde(default)]
    pub goodput: f64,
    /// How far the transfer's goodput is outside the range that the seeds predict, as a share; 0 if inside.
    #[serde(default)]
    pub beyond: f64,
}

impl Fit {
    /// A candidate with a larger `d` does not reproduce the evidence. Chosen on paths with known causes (docs/prove.md).
    pub const MAX_D: f64 = 1.25;
    /// A candidate with a larger `t3` does not reproduce the evidence.
    pub const MAX_T3: f64 = 2.5;

    /// Whether the evidence could be one of the candidate's seeds, apart from goodput, which the last steps of a search
    /// fit.
    pub fn is_near(&self) -> bool {
        self.d < Fit::MAX_D && self.t3 < Fit::MAX_T3
    }

    /// Whether the evidence could be one of the candidate's seeds.
    pub fn holds(&self) -> bool {
        self.is_near() && self.beyond == 0.0
    }

    /// The sum of z². A candidate that lacks quantities of the true one exceeds its misfit by χ² with as many degrees of freedom.
    pub fn misfit(&self) -> f64 {
        self.z.iter().map(|(_, z)| z * z).sum()
    }

    /// -2 ln of a normal likelihood, up to a constant: a wide spread does not make a candidate likelier.
    pub fn unlikelihood(&self) -> f64 {
        self.misfit() + self.spread
    }

    /// Returns the statistics, the furthest off first.
    pub fn worst(&self) -> Vec<&(String, f64)> {
        let mut all: Vec<&(String, f64)> = self.z.iter().collect();
        all.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        all
    }
}

/// Returns the distance between evidence and the seeds of a candidate; `None` without seeds or without a common
/// statistic.
pub fn distance(evidence: &Trace, seeds: &[Trace], scale: &Scale) -> Option<Fit> {
    if seeds.is_empty() {
        return None;
    }
    let (mut z, mut wide) = (vec![], 0.0);
    let held = scale.starved || !scale.total && used_up(evidence, scale) == Some(0.0);
    let statistics = if scale.total { TOTALS } else { STATISTICS };
    for statistic in statistics.iter().filter(|statistic| !(held && statistic.unused == Unused::History)) {
        let Some(seen) = (statistic.of)(evidence, scale) else { continue };
        let shown: Vec<f64> = seeds.iter().filter_map(|seed| (statistic.of)(seed, scale)).collect();
        let is_background = held && statistic.unused == Unused::Background && seen > mean(&shown);
        if shown.len() < seeds.len() || is_background {
            continue;
        }
        let floor = (statistic.floor)(evidence, scale);
        let least = (statistic.floor)(evidence, &Scale { lump: 0.0, ..*scale });
        let spread = match deviation_of_sample(&shown) {
            spread if seeds.len() < MIN_TRUSTED_SEEDS && !scale.steady => spread.max(floor / 2.0),
            spread => spread,
        };
        let scale = (spread.powi(2) * (1.0 + 1.0 / shown.len() as f64) + floor.powi(2)).sqrt();
        wide += 2.0 * (scale / least).ln();
        let one = ((seen - mean(&shown)) / scale).clamp(-MAX_Z, MAX_Z);
        z.push((statistic.name.to_owned(), if one.is_finite() { one } else { MAX_Z }));
    }
    let d = (z.iter().map(|(_, z)| z * z).sum::<f64>() / z.len().max(1) as f64).sqrt();
    let mut sizes: Vec<f64> = z.iter().map(|(_, z)| z.abs()).collect();
    sizes.sort_by(|a, b| b.total_cmp(a));
    sizes.truncate(3);
    let received: Vec<f64> = seeds.iter().map(|seed| seed.received).collect();
    // One seed predicts nothing.
    let predicted = (seeds.len() > 1).then(|| forecast::next_run(&received, forecast::WINDOW_SD));
    let lump = |[low, high]: [f64; 2]| [low * (1.0 - scale.lump), high * (1.0 + scale.lump)];
    let beyond = predicted.and_then(|range| beyond(evidence.received, lump(range))).unwrap_or(0.0);
    (!z.is_empty()).then(|| Fit { d, t3: mean(&sizes), z, spread: wide, goodput: mean(&received), beyond })
}

fn log(value: f64, least: f64) -> f64 {
    value.max(least).ln()
}

fn over(value: f64, by: f64) -> f64 {
    if by > 0.0 { value / by } else { 0.0 }
}

/// Goodput of each interval, Mbit/s.
fn rates(trace: &Trace, scale: &Scale) -> Vec<f64> {
    trace.bytes.iter().map(|bytes| bytes * 8.0 / 1e6 / scale.step).collect()
}

/// Goodput after the first interval, Mbit/s.
fn steady(trace: &Trace, scale: &Scale) -> f64 {
    mean(&rates(trace, scale)[after_slow_start(trace, scale)..]).max(0.01)
}

/// One write in an interval, Mbit/s.
fn one(scale: &Scale) -> f64 {
    scale.block * 8.0 / 1e6 / scale.step
}

/// Round trips of slow start to a cwnd of thousands of segments.
const SLOW_START_RTTS: f64 = 10.0;

/// The first interval after slow start, which lasts at least one interval and those that `iperf3 -O` omits, and at most a third
/// of the transfer.
pub(super) fn after_slow_start(trace: &Trace, scale: &Scale) -> usize {
    let trips = (SLOW_START_RTTS * scale.rtt / scale.step).floor() as usize;
    trips.max(scale.left_out).min(trace.bytes.len() / 3).max(1)
}

/// Goodput of slow start, Mbit/s.
fn first(trace: &Trace, scale: &Scale) -> f64 {
    mean(&rates(trace, scale)[..after_slow_start(trace, scale)])
}

/// Standard deviation of ln goodput in slow start: cwnd doubles each round trip, and the phase at which an interval
/// begins is unknown.
fn doubling(scale: &Scale) -> f64 {
    std::f64::consts::LN_2 / 2.0 * (4.0 * scale.rtt / scale.step).min(1.0)
}

fn later_retransmissions<'t>(trace: &'t Trace, scale: &Scale) -> Option<&'t [f64]> {
    trace.retransmitted.as_ref().map(|all| &all[after_slow_start(trace, scale)..])
}

/// Use of cwnd: 0 if less than 80 % of it is in flight, 1 if all of it is.
fn used_up(trace: &Trace, scale: &Scale) -> Option<f64> {
    /// cwnd is used up if more than this share of it is in flight.
    const USED_UP_SHARE: f64 = 0.8;
    let (cwnd, rtt) = (trace.cwnd.as_ref()?, trace.rtt.as_ref()?);
    let all = trace.bytes.iter().zip(rtt).zip(cwnd).skip(after_slow_start(trace, scale));
    let used: Vec<f64> = all.map(|((bytes, rtt), cwnd)| bytes / scale.step * rtt / scale.mss / cwnd.max(1.0)).collect();
    Some(((median(&used) - USED_UP_SHARE) / (1.0 - USED_UP_SHARE)).clamp(0.0, 1.0))
}

/// Standard deviation of a count as 2 √n: that of a Poisson count, and retransmissions that did not lower cwnd.
fn spared(trace: &Trace, scale: &Scale, of: fn(&[f64]) -> f64) -> f64 {
    let all = later_retransmissions(trace, scale).map_or(0.0, of);
    let lost = trace.lost(scale).map_or(0.0, |lost| of(&lost[after_slow_start(trace, scale)..]));
    1f64.hypot(2.0 * (all.sqrt() - lost.sqrt()))
}

/// The share of intervals with a count above 0.
fn share_hit(counts: &[f64]) -> f64 {
    counts.iter().filter(|count| **count > 0.0).count() as f64 / counts.len().max(1) as f64
}

fn third(count: usize) -> usize {
    (count / 3).max(1)
}

/// Difference between the middle of the last third and that of the first.
fn trend(values: &[f64], middle: fn(&[f64]) -> f64) -> f64 {
    let part = third(values.len());
    middle(&values[values.len() - part..]) - middle(&values[..part])
}

pub(super) fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

fn deviation_of_sample(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    deviation(values) * (count / (count - 1.0).max(1.0)).sqrt()
}

/// Correlation of cwnd and RTT; 0 if either hardly varies.
fn correlation(cwnd: &[f64], rtt: &[f64]) -> f64 {
    let [a, b] = [mean(cwnd), mean(rtt)];
    let [va, vb] = [deviation(cwnd), deviation(rtt)];
    if va <= 0.03 * a || vb <= 0.02 * b {
        return 0.0;
    }
    let together: f64 = cwnd.iter().zip(rtt).map(|(x, y)| (x - a) * (y - b)).sum::<f64>() / cwnd.len() as f64;
    together / va / vb
}
