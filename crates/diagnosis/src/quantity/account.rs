//! Account of a transfer's time: the limit in each step.
//!
//! A sender with data and no other limit keeps cwnd full (rate × RTT = cwnd, Little's law) and lets it grow
//! (net/ipv4/tcp_input.c, tcp_is_cwnd_limited). A sender that a window, a buffer or its program limits does neither.
//! Each step has two readings of that, and each reading a likelihood under both states; the states of a run of steps
//! are their likeliest sequence, because limits last longer than a step.

use super::transfer::{Step, Transfer};
use base::model::response::CUBIC_BETA;

/// The limit of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Slow start: cwnd grows with each acknowledgment.
    SlowStart,
    /// cwnd, which grows without a loss so far: slow start ended before the path was full.
    Climbing,
    /// cwnd, which a loss event lowered and which has not recovered.
    Recovering,
    /// cwnd with a full link: what it gains waits in a queue.
    Queueing,
    /// cwnd, which fell without a loss: ECN marks, an idle time, a full interface of the sender's own.
    Lowered,
    /// Not cwnd: a window, a buffer or a program.
    Held,
}

/// The limits of a transfer over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// Limit of each step of the transfer.
    pub phases: Vec<Phase>,
    /// Share of the counted time for each phase.
    shares: [f64; 6],
    /// Log-odds of `Held` against cwnd by the bytes in flight, over all counted steps.
    pub log_odds: f64,
}

/// Share of the steps without losses in which a held cwnd stays constant, and in which a cwnd that limits does: 17,080
/// and 10,510 steps of the development half of `make world`.
const STILL_IF_HELD: f64 = 0.94;
const STILL_IF_FULL: f64 = 0.11;
/// Weight of a step's movement: steps of a plateau are correlated, so each is half an observation.
const STILL_WEIGHT: f64 = 0.5;
/// Largest relative movement of a constant cwnd, or else two segments.
const STILL_SHARE: f64 = 0.002;
/// Largest share of cwnd that a held sender has in flight.
const MAX_HELD_CWND_USE: f64 = 0.9;
/// Share of steps that fit no limit: cross traffic, a stalled host, a loss event within the step.
const OUTLIER_SHARE: f64 = 0.05;
/// Largest ratio of the bytes in flight to cwnd in such a step.
const OUTLIER_RANGE: f64 = 1.5;
/// Standard deviation of the data that a step gains by starting and ending anywhere in a round trip, in windows.
const RTT_EDGE_SHARE: f64 = 0.4;
/// Standard deviation of two edges of iperf3's whole writes of 128 KiB, bytes.
const WRITE_SD_BYTES: f64 = 131_072.0 * 0.408;
/// Relative standard deviation because srtt is that at the end of a step, and cwnd moves within it.
const STEP_SPREAD: f64 = 0.08;
/// Probability that the next step has another limit.
const LIMIT_CHANGE_PROBABILITY: f64 = 0.05;
/// Smallest growth of cwnd per round trip in slow start: 1.5 with delayed ACKs (RFC 5681, 3.1), less the effect of a
/// pause.
const SLOW_START_GROWTH: f64 = 1.25;
/// Smallest ratio of an RTT in a queue to the idle path's.
const QUEUE_RTT: f64 = 1.25;
/// Smallest excess of an RTT in a queue, seconds: delayed ACKs and timers add less.
const MIN_QUEUE_S: f64 = 0.002;
/// Ratio to its last value below which cwnd has fallen: CUBIC reduces it by 30 % (RFC 9438, 4.6) and regrows it in the
/// step.
const CWND_FALL_RATIO: f64 = 0.98;
/// Smallest number of counted steps for an account.
const FEWEST_STEPS: usize = 5;
/// Smallest number of steps in a climb with a shape.
const FEWEST_STEPS_OF_CLIMB: usize = 4;

impl Account {
    /// Computes the account of a transfer; `None` unless bytes, cwnd and RTT over time are known.
    pub fn from_transfer(transfer: &Transfer) -> Option<Account> {
        let steps = &transfer.steps;
        let rtt = transfer.rtt?;
        if transfer.counted().count() < FEWEST_STEPS {
            return None;
        }
        let odds: Vec<[f64; 2]> = steps.iter().map(|step| odds(step, transfer)).collect();
        let held = likeliest(&odds.iter().map(|[used, still]| used + still).collect::<Vec<_>>());
        let began = steps.iter().take_while(|step| is_slow_start(step, rtt)).count();
        let mut phases = Vec::with_capacity(steps.len());
        let mut lowered: Option<(Phase, f64)> = None;
        for (at, step) in steps.iter().enumerate() {
            lowered = fall(steps, at, transfer).or(lowered);
            // Above the cwnd of its last loss, CUBIC probes as if nothing had been lost.
            lowered = lowered.filter(|(_, before)| step.cwnd[1] <= *before);
            phases.push(match lowered {
                _ if held[at] => Phase::Held,
                _ if at < began => Phase::SlowStart,
                _ if step.srtt > QUEUE_RTT * rtt + MIN_QUEUE_S => Phase::Queueing,
                Some((why, _)) => why,
                None => Phase::Climbing,
            });
        }
        let counted = || steps.iter().zip(&phases).filter(|(step, _)| step.counted);
        let all: f64 = counted().map(|(step, _)| step.seconds).sum();
        let mut shares = [0.0; 6];
        counted().for_each(|(step, phase)| shares[*phase as usize] += step.seconds / all);
        let log_odds = steps.iter().zip(&odds).filter(|(step, _)| step.counted).map(|(_, [used, _])| used).sum();
        Some(Account { phases, shares, log_odds })
    }

    /// Returns the share of the counted time in a phase.
    pub fn share(&self, phase: Phase) -> f64 {
        self.shares[phase as usize]
    }

    /// Returns the phase that takes most of the time, with its share.
    pub fn most(&self) -> (Phase, f64) {
        use Phase::{Climbing, Held, Lowered, Queueing, Recovering, SlowStart};
        let all = [Held, Recovering, Climbing, Queueing, Lowered, SlowStart];
        let most = all.into_iter().max_by(|a, b| self.share(*a).total_cmp(&self.share(*b)));
        most.map_or((SlowStart, 0.0), |phase| (phase, self.share(phase)))
    }
}

/// Returns the log-odds that a step is held, against cwnd as its limit: by the bytes in flight, and by whether cwnd
/// stays constant.
fn odds(step: &Step, transfer: &Transfer) -> [f64; 2] {
    let flight = step.window().max(1.0);
    let trips = step.seconds / step.srtt;
    let writes = if transfer.seen.written { WRITE_SD_BYTES / (flight * trips) } else { 0.0 };
    let error = (writes.powi(2) + (RTT_EDGE_SHARE / trips).powi(2) + STEP_SPREAD.powi(2)).sqrt();
    let used = step.used();
    let mixed = |density: f64| (1.0 - OUTLIER_SHARE) * density + OUTLIER_SHARE / OUTLIER_RANGE;
    let full = mixed((-0.5 * ((used - 1.0) / error).powi(2)).exp() / (error * (2.0 * std::f64::consts::PI).sqrt()));
    let below = |limit: f64| logistic((limit - used) / error);
    let held = mixed((below(MAX_HELD_CWND_USE) - below(0.0)).max(0.0) / MAX_HELD_CWND_USE);
    let still = (step.cwnd[1] - step.cwnd[0]).abs() <= (2.0 * transfer.path.mss).max(STILL_SHARE * step.cwnd[0]);
    let moves = match still {
        true => (STILL_IF_HELD / STILL_IF_FULL).ln(),
        false => ((1.0 - STILL_IF_HELD) / (1.0 - STILL_IF_FULL)).ln(),
    };
    [(held / full).ln(), STILL_WEIGHT * moves]
}

/// Approximates the normal distribution function to within 0.01 (Bowling et al., 2009).
fn logistic(z: f64) -> f64 {
    1.0 / (1.0 + (-1.702 * z).exp())
}

/// Returns the likeliest sequence of two states, by the log-odds of the second in each step (Viterbi, 1967).
fn likeliest(odds: &[f64]) -> Vec<bool> {
    let change = (LIMIT_CHANGE_PROBABILITY / (1.0 - LIMIT_CHANGE_PROBABILITY)).ln();
    let mut best = [0.0, 0.0];
    let mut from: Vec<[bool; 2]> = vec![];
    for odds in odds {
        let came = [best[1] + change > best[0], best[1] > best[0] + change];
        let [free, held] = best;
        best = [free.max(held + change), held.max(free + change) + odds];
        from.push(came);
    }
    let mut held = best[1] > best[0];
    let mut states: Vec<bool> = vec![];
    for came in from.iter().rev() {
        states.push(held);
        held = came[usize::from(held)];
    }
    states.reverse();
    states
}

fn is_slow_start(step: &Step, rtt: f64) -> bool {
    let trips = step.seconds / step.srtt.max(rtt);
    step.retransmitted == 0.0 && step.cwnd[1] > step.cwnd[0] * SLOW_START_GROWTH.powf(trips)
}

/// Returns the reason why cwnd fell in a step, and cwnd before the fall. A loss event in slow start takes back growth
/// within the step, so cwnd does not fall from one end to the other. The climb after it is concave, as CUBIC's is up
/// to the cwnd of its last loss; a climb after an early end of slow start is convex (RFC 9438, 4.2).
fn fall(steps: &[Step], at: usize, transfer: &Transfer) -> Option<(Phase, f64)> {
    let step = &steps[at];
    let lost = step.retransmitted > 0.0;
    // Retransmissions and the fall may lie on both sides of a step's end.
    let near = lost
        || at.checked_sub(1).is_some_and(|before| steps[before].retransmitted > 0.0)
        || steps.get(at + 1).is_some_and(|next| next.retransmitted > 0.0);
    if step.cwnd[1] < CWND_FALL_RATIO * step.cwnd[0] && step.cwnd[0] - step.cwnd[1] > transfer.path.mss {
        return Some((if near { Phase::Recovering } else { Phase::Lowered }, step.cwnd[0]));
    }
    if !lost {
        return None;
    }
    let behind = &steps[at + 1..];
    let climb = &behind[..behind.iter().take_while(|next| next.retransmitted == 0.0).count()];
    if climb.len() < FEWEST_STEPS_OF_CLIMB {
        return Some((Phase::Recovering, step.cwnd[1] / CUBIC_BETA));
    }
    let half = climb.len() / 2;
    let early = climb[half - 1].cwnd[1] - climb[0].cwnd[0];
    let late = climb[climb.len() - 1].cwnd[1] - climb[climb.len() - half].cwnd[0];
    (early > late && early > 2.0 * transfer.path.mss).then_some((Phase::Recovering, f64::INFINITY))
}
