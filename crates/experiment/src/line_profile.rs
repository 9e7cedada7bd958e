//! Models of lines, with their sources, for when no trace is at hand. Each model is one series of points, the same in
//! every experiment. Its seed was chosen so that the series is typical: its mean is within 2 % of the model's.

use super::resolve::chance::Draws;
use super::traces::Followed;
use plan::Points;
use std::sync::LazyLock;
use wire::{Follows, Point};

/// Names of the models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineProfile {
    LteDrive,
    MmWave,
    WiFi,
    Starlink,
}

pub const LINE_PROFILES: &[(&str, LineProfile)] = &[
    ("lte-drive", LineProfile::LteDrive),
    ("5g-mmwave", LineProfile::MmWave),
    ("wi-fi", LineProfile::WiFi),
    ("starlink", LineProfile::Starlink),
];

const MS: u64 = 1_000_000;
const SECOND: u64 = 1000 * MS;
const KBIT: u64 = 1000;
const MBIT: u64 = 1000 * KBIT;

/// Period of a profile, ns; Wi-Fi's is shorter.
const PERIOD_NS: u64 = 300 * SECOND;

impl LineProfile {
    /// Returns its name in experiments.
    pub fn name(self) -> &'static str {
        LINE_PROFILES.iter().find(|(_, profile)| *profile == self).map_or("", |(name, _)| name)
    }

    /// Returns its rates.
    pub fn rates(self) -> &'static Followed {
        static RATES: [LazyLock<Followed>; 4] = [
            LazyLock::new(|| without_repeats(Follows::Rate, lte_drive())),
            LazyLock::new(|| without_repeats(Follows::Rate, mmwave())),
            LazyLock::new(|| without_repeats(Follows::Rate, wi_fi())),
            LazyLock::new(|| without_repeats(Follows::Rate, starlink())),
        ];
        &RATES[self as usize]
    }

    /// Returns its delays, if it has its own.
    pub fn delays(self) -> Option<&'static Followed> {
        static STARLINK: LazyLock<Followed> = LazyLock::new(|| without_repeats(Follows::Delay, starlink_delays()));
        (self == LineProfile::Starlink).then(|| &*STARLINK)
    }
}

/// Drops points that repeat the value before them. The last point ends the series and is kept.
fn without_repeats(follows: Follows, mut points: Vec<Point>) -> Followed {
    let end = points.pop();
    points.dedup_by_key(|point| point[1]);
    points.extend(end);
    Followed { follows, points: Points::encode(&points) }
}

/// Winstein, Sivaraman and Balakrishnan 2013 (Sprout, NSDI; src/examples/receiver.hh of its code): packets of 1,500
/// bytes arrive at a rate that does a random walk of 200 a second in a second, up to 1,000 a second; once at 0 it stays
/// there for 1 s on average. Our choices: steps of 100 ms, and the first step after an outage goes up.
fn lte_drive() -> Vec<Point> {
    const TICK: u64 = 100 * MS;
    /// 200 √0.1, packets per second.
    const STEP_SD: f64 = 63.245_553_203_367_59;
    const MAX_RATE: f64 = 1000.0;
    /// Probability that an outage ends in a tick: on average once a second.
    const OUTAGE_END_PROBABILITY: f64 = 0.1;
    let mut draws = Draws::new(32);
    let mut rate = MAX_RATE / 2.0;
    let tick = |number: u64| {
        let is_out = rate == 0.0;
        if number > 0 && !(is_out && draws.uniform() >= OUTAGE_END_PROBABILITY) {
            let step = STEP_SD * draws.normal();
            rate = (rate + if is_out { step.abs() } else { step }).clamp(0.0, MAX_RATE);
        }
        // A packet has 12,000 bits; the rate is in steps of 12 kbit/s.
        [number * TICK, rate as u64 * 12 * KBIT]
    };
    let mut points: Vec<Point> = (0..PERIOD_NS / TICK).map(tick).collect();
    points.push([PERIOD_NS, 0]);
    points
}

/// MacCartney, Rappaport and Rangan 2017 (GLOBECOM): people who cross a beam of 7° at 73 GHz attenuate it by 15.8 dB
/// for 299 ms on average. Our choices: one crossing every 5 s, 100 MHz at an SNR of 20 dB, and all of Shannon's
/// capacity.
fn mmwave() -> Vec<Point> {
    const TICK: u64 = 10 * MS;
    /// 100 MHz log2(1 + 10^2.00), and with 15.8 dB less, bit/s.
    const CLEAR_RATE: u64 = 665_821 * KBIT;
    const BLOCKED_RATE: u64 = 186_003 * KBIT;
    /// Probability that a state ends with a tick.
    const CLEAR_ENDS: f64 = 10.0 / 5000.0;
    const BLOCKED_ENDS: f64 = 10.0 / 299.0;
    let mut draws = Draws::new(7);
    let mut is_clear = true;
    let tick = |number: u64| {
        let ends = if is_clear { CLEAR_ENDS } else { BLOCKED_ENDS };
        is_clear ^= number > 0 && draws.uniform() < ends;
        [number * TICK, if is_clear { CLEAR_RATE } else { BLOCKED_RATE }]
    };
    let mut points: Vec<Point> = (0..PERIOD_NS / TICK).map(tick).collect();
    points.push([PERIOD_NS, 0]);
    points
}

/// Bianchi 2000 (IEEE JSAC 18(3)): in a saturated cell each of n stations is as likely as any other to send next. A
/// station's turn is an aggregate of 4 ms (the limit of Linux's ath9k) at 292.5 Mbit/s (802.11ac, 80 MHz, one stream,
/// MCS 7), after 0.2 ms: AIFS of 43 us, a backoff of 7.5 slots of 9 us on average, SIFS of 16 us, a block ACK. Our
/// choices: 4 stations, and no collisions.
fn wi_fi() -> Vec<Point> {
    const STATIONS: f64 = 4.0;
    const RATE: u64 = 292_500 * KBIT;
    const CONTENTION_NS: u64 = MS / 5;
    const BURST_NS: u64 = 4 * MS;
    /// Turns in a period: 21 s.
    const TURNS: u64 = 5000;
    let mut draws = Draws::new(13);
    let turn = |number: u64| {
        let at = number * (CONTENTION_NS + BURST_NS);
        let rate = if draws.uniform() * STATIONS < 1.0 { RATE } else { 0 };
        [[at, 0], [at + CONTENTION_NS, rate]]
    };
    let mut points: Vec<Point> = (0..TURNS).flat_map(turn).collect();
    points.push([TURNS * (CONTENTION_NS + BURST_NS), 0]);
    points
}

/// Seconds of the first assignment in a minute, and from one to the next: a Starlink terminal is assigned to a
/// satellite at seconds 12, 27, 42 and 57.
const ASSIGNMENT_S: [u64; 2] = [12, 15];

/// Returns the number of the assignment at a time; number 0 lasts until second 12.
fn assignment(time: u64) -> u64 {
    let [first, each] = ASSIGNMENT_S.map(|seconds| seconds * SECOND);
    (time + each - first) / each
}

/// Huston 2024 (APNIC, A transport protocol's view of Starlink): assignments of 15 s, downloads of 10 to 370 Mbit/s,
/// and spikes of 30 to 50 ms as they change. Our choices: a uniform random rate per assignment, after 40 ms in which
/// nothing is sent.
fn starlink() -> Vec<Point> {
    const MIN_RATE: u64 = 10 * MBIT;
    const MAX_RATE: u64 = 370 * MBIT;
    const GAP: u64 = 40 * MS;
    let mut draws = Draws::new(11);
    let mut next = || MIN_RATE + (draws.uniform() * (MAX_RATE - MIN_RATE) as f64) as u64 / KBIT * KBIT;
    let mut points = vec![[0, next()]];
    for second in (ASSIGNMENT_S[0]..PERIOD_NS / SECOND).step_by(ASSIGNMENT_S[1] as usize) {
        points.extend([[second * SECOND, 0], [second * SECOND + GAP, next()]]);
    }
    points.push([PERIOD_NS, 0]);
    points
}

/// Huston 2024: the least RTT changes with each assignment, and successive RTTs differ by 6.7 ms on average. Our
/// choices: each way up to 10 ms per assignment, plus up to 14.4 ms drawn anew every 100 ms. Two such draws each way
/// differ by 7/15 of 14.4 ms on average.
fn starlink_delays() -> Vec<Point> {
    const TICK: u64 = 100 * MS;
    const BASE: f64 = 10e6;
    const JITTER: f64 = 14.4e6;
    let (mut of_assignments, mut draws) = (Draws::new(0x7364), Draws::new(0x736a));
    let (mut assigned, mut base) = (0, BASE * of_assignments.uniform());
    let tick = |number: u64| {
        let time = number * TICK;
        if assignment(time) > assigned {
            assigned = assignment(time);
            base = BASE * of_assignments.uniform();
        }
        [time, (base + JITTER * draws.uniform()) as u64]
    };
    let mut points: Vec<Point> = (0..PERIOD_NS / TICK).map(tick).collect();
    points.push([PERIOD_NS, 0]);
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan::Trace;

    fn rates(profile: LineProfile) -> Trace {
        trace(profile.rates())
    }

    fn trace(followed: &Followed) -> Trace {
        let Followed { follows, points } = followed.clone();
        Trace { file: String::new(), follows, points, repeats: true, keeps: false, offset: 0, by_seed: false }
    }

    /// Returns the share of time in which a condition holds.
    fn share(trace: &Trace, of: impl Fn(u64) -> bool) -> f64 {
        let steps = trace.points.list().windows(2).filter(|pair| of(pair[0][1]));
        steps.map(|pair| pair[1][0] - pair[0][0]).sum::<u64>() as f64 / trace.end() as f64
    }

    #[test]
    fn every_profile_is_in_the_order_of_its_name_and_short() {
        for (number, (name, profile)) in LINE_PROFILES.iter().enumerate() {
            assert_eq!((*profile as usize, profile.name()), (number, *name));
            let points = profile.rates().points.list();
            assert!(points.len() <= 10_001 && points[0][0] == 0, "{name}: {}", points.len());
            assert!(points.windows(2).all(|pair| pair[0][0] < pair[1][0]), "{name}");
        }
    }

    /// Mean rates that a Python program computed from the same draws, Mbit/s.
    #[test]
    fn means_are_those_of_another_program() {
        let means = [5.165_072, 638.615_319, 69.587_143, 189.088_833];
        for ((name, profile), mean) in LINE_PROFILES.iter().zip(means) {
            let found = rates(*profile).mean() / 1e6;
            assert!((found / mean - 1.0).abs() < 1e-6, "{name}: {found} {mean}");
        }
    }

    /// Computes the walk's stationary distribution by repeated steps on a grid of 10 packets a second, independently of
    /// the draws.
    #[test]
    fn a_drive_has_the_mean_of_sprouts_walk() {
        const BINS: usize = 101;
        const WIDTH: f64 = 10.0;
        let density = |steps: i32| (-(f64::from(steps) * WIDTH / 63.2455).powi(2) / 2.0).exp();
        let total: f64 = (-60..=60).map(density).sum();
        let mut mass = vec![1.0 / BINS as f64; BINS];
        for _ in 0..2000 {
            let mut next = vec![0.0; BINS];
            for (bin, held) in mass.iter().enumerate() {
                let moves = if bin == 0 { 0.1 } else { 1.0 };
                next[bin] += held * (1.0 - moves);
                for step in -60_i32..=60 {
                    let by = if bin == 0 { step.abs() } else { step };
                    let to = (bin as i32 + by).clamp(0, BINS as i32 - 1) as usize;
                    next[to] += held * moves * density(step) / total;
                }
            }
            mass = next;
        }
        let mean: f64 = mass.iter().enumerate().map(|(bin, held)| bin as f64 * WIDTH * held).sum();
        let drive = rates(LineProfile::LteDrive);
        assert!((drive.mean() / 12e3 / mean - 1.0).abs() < 0.02, "{} {mean}", drive.mean() / 12e3);
        assert!(
            (share(&drive, |rate| rate == 0) - mass[0]).abs() < 0.01,
            "{} {}",
            share(&drive, |rate| rate == 0),
            mass[0]
        );
        assert!(drive.range()[1] <= 12e6);
        assert_eq!(drive.end(), PERIOD_NS);
    }

    #[test]
    fn people_block_a_beam_for_as_long_as_was_measured() {
        let capacity = |db: f64| 1e8 * (1.0 + 10_f64.powf(db / 10.0)).log2();
        let beam = rates(LineProfile::MmWave);
        for (found, db) in beam.range().into_iter().zip([4.2, 20.0]) {
            assert!((found / capacity(db) - 1.0).abs() < 1e-4, "{found} {}", capacity(db));
        }
        let blocked = share(&beam, |rate| rate < 200_000_000);
        let blocks = beam.points.list().iter().filter(|point| point[1] == 186_003_000).count() as f64;
        // Blocks in 300 s, one every 5.299 s: 57, each 299 ms.
        assert!((55.0..60.0).contains(&blocks), "{blocks}");
        assert!((blocked * 300.0 / blocks / 0.299 - 1.0).abs() < 0.03, "{}", blocked * 300.0 / blocks);
    }

    #[test]
    fn a_station_has_its_share_of_the_turns() {
        let cell = rates(LineProfile::WiFi);
        assert_eq!(cell.end(), 21 * SECOND);
        // The station sends for 4 of 4.2 ms, in a quarter of the turns.
        let mean = 292.5e6 * 4.0 / 4.2 / 4.0;
        assert!((cell.mean() / mean - 1.0).abs() < 0.02, "{} {mean}", cell.mean());
        assert!(share(&cell, |rate| rate > 0) < 0.26);
    }

    #[test]
    fn starlink_is_assigned_anew_every_15_seconds() {
        let rate = rates(LineProfile::Starlink);
        let gaps: Vec<u64> =
            rate.points.list().iter().filter(|p| p[1] == 0 && p[0] < PERIOD_NS).map(|p| p[0]).collect();
        assert_eq!(gaps, (0..20).map(|number| (12 + 15 * number) * SECOND).collect::<Vec<_>>());
        // Uniform from 10 to 370 Mbit/s, less the gaps: 189.5.
        assert!((rate.mean() / 189.5e6 - 1.0).abs() < 0.02, "{}", rate.mean());
        assert!((share(&rate, |rate| rate == 0) - 0.04 / 15.0).abs() < 1e-9);

        let delay = trace(LineProfile::Starlink.delays().unwrap());
        let values: Vec<f64> = delay.points.list()[..3000].iter().map(|point| point[1] as f64).collect();
        // RTTs of packets 100 ms apart, both directions independent: they differ by 7/15 of 14.4 ms, 6.7 ms.
        let rtts: Vec<f64> = (0..2999).map(|at| values[at] + values[(at + 1500) % 3000]).collect();
        let jitter = rtts.windows(2).map(|pair| (pair[1] - pair[0]).abs()).sum::<f64>() / 2998.0;
        assert!((jitter / 6.7e6 - 1.0).abs() < 0.05, "{jitter}");
        assert!(LineProfile::LteDrive.delays().is_none());
    }
}
