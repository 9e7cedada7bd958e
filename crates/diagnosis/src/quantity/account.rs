//! Account of a transfer's time: the probability of each state in each step.
//!
//! A hidden Markov model: limits last longer than a step, and each step has observations that are likelier under some
//! states than under others. Forward-backward (Rabiner, 1989), in logarithms. What rate a state has is estimated along
//! with the states (expectation maximization).

use super::measured::Measured;
use super::observation::{Context, Observed};
use super::state::{PerState, STATES, State, TABLE};

/// Probability that the next step has the same state, and the same of slow start: it lasts a few round trips.
const STAY: f64 = 0.93;
const STAY_IN_SLOW_START: f64 = 0.7;
/// Weight of a change into slow start but after a silence, and into a state that explains nothing.
const INTO_SLOW_START: f64 = 0.02;
const INTO_OTHER: f64 = 0.3;
/// Rounds of expectation maximization.
const ROUNDS: usize = 4;
/// Smallest number of steps with bytes, cwnd and RTT that tell whether cwnd limits.
const MIN_WHOLE_STEPS: usize = 5;
/// Smallest expected number of steps in a state that has a rate of its own.
const MIN_EXPECTED_STEPS: f64 = 0.5;

/// A step of the account.
#[derive(Debug, Clone, PartialEq)]
pub struct Accounted {
    /// Start and length, seconds.
    pub begin: f64,
    pub seconds: f64,
    /// Whether the transfer's figures include it.
    pub counted: bool,
    /// Probability of each state.
    pub probability: PerState,
    /// What was observed.
    pub observed: Vec<Observed>,
}

/// The limits of a transfer over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// All steps.
    pub steps: Vec<Accounted>,
    /// Expected share of the counted time in each state.
    shares: PerState,
    /// Whether bytes, cwnd and RTT over time tell whether cwnd limits.
    pub tells_cwnd: bool,
    /// Whether bytes and cwnd over time, and an RTT of the path, tell how much of cwnd is in flight.
    pub tells_flight: bool,
    /// Log-odds that cwnd is not the limit against that it is, by what is in flight of it, over all counted steps.
    pub log_odds: f64,
}

impl Account {
    /// Computes the account of a transfer; `None` without steps.
    pub fn new(measured: &Measured) -> Option<Account> {
        let steps = &measured.steps;
        if !steps.iter().any(|step| step.counted && step.bytes.is_some()) {
            return None;
        }
        let mut context = Context::new(measured);
        let mut observed: Vec<Vec<Observed>> = vec![];
        let mut probability: Vec<PerState> = vec![];
        for _ in 0..ROUNDS {
            observed = (0..steps.len()).map(|number| context.observe(number)).collect();
            let sum = |all: &Vec<Observed>| std::array::from_fn(|state| all.iter().map(|(_, log)| log[state]).sum());
            probability = smoothed(&observed.iter().map(sum).collect::<Vec<PerState>>());
            refer(&mut context, measured, &probability);
        }
        let all: f64 = steps.iter().filter(|step| step.counted).map(|step| step.seconds).sum();
        let share = |state| {
            let counted = steps.iter().zip(&probability).filter(|(step, _)| step.counted);
            counted.map(|(step, own)| own[state] * step.seconds / all).sum()
        };
        let accounted = steps.iter().zip(&probability).zip(observed).map(|((step, probability), observed)| Accounted {
            begin: step.begin,
            seconds: step.seconds,
            counted: step.counted,
            probability: *probability,
            observed,
        });
        let steps: Vec<Accounted> = accounted.collect();
        let log_odds = steps.iter().filter(|step| step.counted).map(odds_by_rate).sum();
        let tells_cwnd = measured.whole_steps() >= MIN_WHOLE_STEPS;
        let told = |step: &&super::measured::Step| measured.ln_used(step, measured.rtt).is_some();
        let tells_flight = measured.counted().filter(told).count() >= MIN_WHOLE_STEPS;
        Some(Account { tells_flight, steps, shares: std::array::from_fn(share), tells_cwnd, log_odds })
    }

    /// Returns the share of the counted time in a state.
    pub fn share(&self, state: State) -> f64 {
        self.shares[state as usize]
    }

    /// Returns the share of the counted time in any of some states.
    pub fn share_of(&self, states: &[State]) -> f64 {
        states.iter().map(|state| self.share(*state)).sum()
    }

    /// Returns the states by their shares, the largest first.
    pub fn ranked(&self) -> Vec<(State, f64)> {
        let mut all: Vec<(State, f64)> = TABLE.iter().map(|(state, ..)| (*state, self.share(*state))).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all
    }

    /// Returns the state that takes most of the time, with its share.
    pub fn most(&self) -> (State, f64) {
        self.ranked()[0]
    }
}

impl Accounted {
    /// Returns the likeliest state, with its probability.
    pub fn likeliest(&self) -> (State, f64) {
        let best = TABLE.iter().map(|(state, ..)| (*state, self.probability[*state as usize]));
        best.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((State::Other, 1.0))
    }

    /// Returns the log-likelihood of its observations in a state.
    pub fn log_likelihood(&self, state: State) -> f64 {
        self.observed.iter().map(|(_, log)| log[state as usize]).sum()
    }
}

/// Returns the log-odds by the rate alone that something other than cwnd limits.
fn odds_by_rate(step: &Accounted) -> f64 {
    let Some((_, log)) = step.observed.iter().find(|(name, _)| *name == "rate") else { return 0.0 };
    let best = |states: &[State]| states.iter().map(|state| log[*state as usize]).fold(f64::MIN, f64::max);
    best(&super::state::HELD) - best(&[State::Climbing, State::Recovering])
}

/// Sets the rate of each state to the weighted median of the steps' rates.
fn refer(context: &mut Context, measured: &Measured, probability: &[PerState]) {
    for state in 0..STATES {
        let rate = |(step, own): (&super::measured::Step, &PerState)| {
            let bytes = step.bytes.filter(|bytes| *bytes > 0.0 && !step.first)?;
            Some(((bytes / step.seconds).ln(), own[state]))
        };
        let mut rates: Vec<(f64, f64)> = measured.steps.iter().zip(probability).filter_map(rate).collect();
        let whole: f64 = rates.iter().map(|(_, weight)| weight).sum();
        if whole < MIN_EXPECTED_STEPS {
            continue;
        }
        rates.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut sum = 0.0;
        let middle = rates.iter().find(|(_, weight)| {
            sum += weight;
            sum >= whole / 2.0
        });
        if let Some((rate, _)) = middle {
            context.reference[state] = *rate;
        }
    }
}

/// Returns the logarithm of the probability of each change of state, from row to column.
fn changes() -> [PerState; STATES] {
    let weight = |from: State, to: State| match to {
        State::SlowStart if from != State::Silence => INTO_SLOW_START,
        State::Other | State::Shared => INTO_OTHER,
        _ => 1.0,
    };
    std::array::from_fn(|from| {
        let own = TABLE[from].0;
        let stay = if own == State::SlowStart { STAY_IN_SLOW_START } else { STAY };
        let all: f64 = TABLE.iter().filter(|(to, ..)| *to != own).map(|(to, ..)| weight(own, *to)).sum();
        std::array::from_fn(|to| {
            let to = TABLE[to].0;
            if to == own { stay.ln() } else { ((1.0 - stay) * weight(own, to) / all).ln() }
        })
    })
}

/// Returns the logarithm of a sum of exponentials.
fn log_sum(all: &PerState) -> f64 {
    let most = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most + all.iter().map(|one| (one - most).exp()).sum::<f64>().ln()
}

/// Returns the probability of each state in each step, given all steps, by forward-backward.
fn smoothed(likelihood: &[PerState]) -> Vec<PerState> {
    let changes = changes();
    let mut forward: Vec<PerState> = vec![];
    for own in likelihood {
        let came: PerState = match forward.last() {
            None => std::array::from_fn(|to| if TABLE[to].0 == State::Other { INTO_OTHER.ln() } else { 0.0 }),
            Some(before) => {
                std::array::from_fn(|to| log_sum(&std::array::from_fn(|from| before[from] + changes[from][to])))
            }
        };
        forward.push(std::array::from_fn(|to| came[to] + own[to]));
    }
    let mut backward = [0.0; STATES];
    let mut all: Vec<PerState> = vec![];
    for (at, forward) in forward.iter().enumerate().rev() {
        let joint: PerState = std::array::from_fn(|state| forward[state] + backward[state]);
        let whole = log_sum(&joint);
        all.push(joint.map(|one| (one - whole).exp()));
        let later: PerState = std::array::from_fn(|to| likelihood[at][to] + backward[to]);
        backward = std::array::from_fn(|from| log_sum(&std::array::from_fn(|to| changes[from][to] + later[to])));
    }
    all.reverse();
    all
}
