//! Where a transfer's time goes: what limited it in each step.
//!
//! A sender that has data and meets no other limit keeps cwnd full (rate × RTT = cwnd, Little's law) and lets it grow
//! (net/ipv4/tcp_input.c, tcp_is_cwnd_limited). A sender that is held by a window, a buffer or its program does neither.
//! Each step has two readings of that, and each reading a likelihood under both; a run of steps is the likeliest sequence
//! of the two, as limits last longer than a step.

use super::transfer::{Step, Transfer};
use crate::model::response::CUBIC_BETA;

/// What limits a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Slow start: cwnd grows with each acknowledgment.
    SlowStart,
    /// cwnd, which grows and has lost nothing yet: slow start ended before the path was full.
    Climbing,
    /// cwnd, which a loss event lowered and which has not come back.
    Recovering,
    /// cwnd, and what it holds more than before waits in a queue: the link is full.
    Queueing,
    /// cwnd, which fell without a loss: ECN marks, an idle time, a full interface of the sender's own.
    Lowered,
    /// Not cwnd: a window, a buffer or a program.
    Held,
}

/// The account.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// What limits each step of the transfer.
    pub phases: Vec<Phase>,
    /// For each phase the share of the counted time.
    shares: [f64; 6],
    /// Log-odds of `Held` against cwnd over all counted steps: from what is in flight, and from how cwnd moves.
    pub weights: [f64; 2],
    /// Steps with a loss event that lowered cwnd.
    pub falls: Vec<usize>,
}

/// A held cwnd stays as it is in this share of the steps without losses, and one that limits in this: 17,080 and 10,510
/// steps of the development half of `make world`.
const STILL_IF_HELD: f64 = 0.94;
const STILL_IF_FULL: f64 = 0.11;
/// Steps of a plateau stay together: each is half an observation.
const STILL_WEIGHT: f64 = 0.5;
/// cwnd stays if it moves by no more than two segments or this share.
const STILL_SHARE: f64 = 0.002;
/// What a held sender has in flight is anything up to this share of cwnd.
const MAX_HELD_CWND_USE: f64 = 0.9;
/// Share of steps that fit no limit: cross traffic, a stalled host, a loss event within the step.
const OUTLIER_SHARE: f64 = 0.05;
/// What is in flight over cwnd goes up to this in such a step.
const OUTLIER_RANGE: f64 = 1.5;
/// A step may begin and end anywhere in a round trip: the standard deviation of what that adds, in windows.
const RTT_EDGE_SHARE: f64 = 0.4;
/// iperf3 counts whole writes of 128 KiB: the standard deviation of two edges, bytes.
const WRITE_SD_BYTES: f64 = 131_072.0 * 0.408;
/// srtt is of the end of a step, and cwnd moves within it.
const STEP_SPREAD: f64 = 0.08;
/// Probability that the next step has another limit.
const LIMIT_CHANGE_PROBABILITY: f64 = 0.05;
/// Slow start multiplies cwnd by this in a round trip at least: 1.5 with delayed acknowledgments (RFC 5681, 3.1), less what
/// a pause takes.
const SLOW_START_GROWTH: f64 = 1.25;
/// RTTs this much above the idle path's are a queue's.
const QUEUE_RTT: f64 = 1.25;
/// And by this at least, seconds: delayed acknowledgments and timers.
const MIN_QUEUE_S: f64 = 0.002;
/// cwnd below this share of its last value has fallen: CUBIC reduces it by 30 % (RFC 9438, 4.6) and regrows it in the step.
const CWND_FALL_RATIO: f64 = 0.98;
/// A run of fewer counted steps tells nothing.
const FEWEST_STEPS: usize = 5;
/// A climb of fewer steps has no shape.
const FEWEST_STEPS_OF_CLIMB: usize = 4;

impl Account {
    /// Of a transfer; `None` where bytes, cwnd and RTT over time are not all known.
    pub fn of(transfer: &Transfer) -> Option<Account> {
        let steps = &transfer.steps;
        let rtt = transfer.rtt?;
        if transfer.counted().count() < FEWEST_STEPS {
            return None;
        }
        let odds: Vec<[f64; 2]> = steps.iter().map(|step| odds(step, transfer)).collect();
        let held = likeliest(&odds.iter().map(|[used, still]| used + still).collect::<Vec<_>>());
        let began = steps.iter().take_while(|step| is_slow_start(step, rtt)).count();
        let mut phases = Vec::with_capacity(steps.len());
        let mut falls = vec![];
        let mut lowered: Option<(Phase, f64)> = None;
        for (at, step) in steps.iter().enumerate() {
            if let Some((why, before)) = fall(steps, at, transfer) {
                if why == Phase::Recovering {
                    falls.push(at);
                }
                lowered = Some((why, before));
            }
            // CUBIC beyond the cwnd that it lost at probes as one that has lost nothing.
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
        let weight =
            |which: usize| steps.iter().zip(&odds).filter(|(step, _)| step.counted).map(|(_, odds)| odds[which]).sum();
        Some(Account { phases, shares, weights: [weight(0), weight(1)], falls })
    }

    /// The share of the counted time that a phase takes.
    pub fn share(&self, phase: Phase) -> f64 {
        self.shares[phase as usize]
    }

    /// The phase that takes most of the time, and how much.
    pub fn most(&self) -> (Phase, f64) {
        use Phase::{Climbing, Held, Lowered, Queueing, Recovering, SlowStart};
        let all = [Held, Recovering, Climbing, Queueing, Lowered, SlowStart];
        let most = all.into_iter().max_by(|a, b| self.share(*a).total_cmp(&self.share(*b)));
        most.map_or((SlowStart, 0.0), |phase| (phase, self.share(phase)))
    }
}

/// Log-odds that a step is held, against that cwnd limits it: by what is in flight, and by whether cwnd stays.
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

/// The normal distribution function to within 0.01 (Bowling et al., 2009).
fn logistic(z: f64) -> f64 {
    1.0 / (1.0 + (-1.702 * z).exp())
}

/// The likeliest sequence of two states, by the log-odds of the second in each step (Viterbi, 1967).
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

/// What lowered cwnd in a step, and cwnd before. A loss event in slow start lowers what grew within the step: then cwnd does
/// not fall from one end to the other, but the climb behind it is concave, as CUBIC's is to the cwnd of its last loss; a
/// climb from an early end of slow start is convex (RFC 9438, 4.2).
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
