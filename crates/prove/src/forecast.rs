//! Predictions: an interval for the next run, and whether a change helps, by the judge of `goodput run`.

use analysis::Measure;
use analysis::decide::{self, Compared, Question, Values};
use base::stats::{MARGIN, deviation, mean, prediction, predictions};

/// Share of runs inside a predicted range.
pub const RANGE_COVERAGE: f64 = 0.9;

/// Standard deviation of ln goodput between runs of a real path, from repeats within minutes between clouds
/// (docs/prove.md). This value: a window limits and nothing is retransmitted; 28,000 pairs.
pub const WINDOW_SD: f64 = 0.028;

/// Standard deviation if a window limits with some loss: 11,000 pairs.
pub const WINDOW_LOSSES_SD: f64 = 0.05;

/// Standard deviation if the run retransmits at least [`MANY_LOST_SEGMENTS`]: 14,000 pairs.
pub const WINDOW_MANY_LOSSES_SD: f64 = 0.23;

/// Standard deviation of ln of the segments that slow start loses: 38 series of paths that losses limit.
pub const OVERSHOOT_LOSS_SD: f64 = 0.83;

/// Standard deviation of ln of the segments that a run retransmits, beyond that between seeds.
pub const RETRANSMITTED_SD: f64 = 0.10;

/// Many retransmitted segments of a run.
pub const MANY_LOST_SEGMENTS: f64 = 100.0;

/// Standard deviation of ln goodput if the limit is losses that every seed of the lab repeats: 54 series.
pub const LOSSES_SD: f64 = 0.20;

/// Losses limit from this many retransmitted segments on.
pub const MIN_LOST_SEGMENTS: f64 = 20.0;

/// Standard deviation of ln goodput if slow start ends early, at another cwnd in each run: 900 pairs.
pub const SLOW_START_EXIT_SD: f64 = 0.22;

/// Seeds of a printed prediction, at least.
pub const PREDICTION_SEEDS: usize = 5;

/// Standard deviation of ln goodput beyond that between the lab's seeds, if random losses limit a transfer. Real paths vary
/// by [`LOSSES_SD`] at least, also where many streams average the losses out. The share of loss is known from the
/// transfer's own events, and goodput falls with its root (Mathis et al. 1997).
pub fn random_losses(goodput: &[f64], events: f64) -> f64 {
    let logarithms: Vec<f64> = goodput.iter().filter(|rate| **rate > 0.0).map(|rate| rate.ln()).collect();
    let seeds = if logarithms.len() > 1 { deviation(&logarithms) } else { 0.0 };
    let paths = (LOSSES_SD.powi(2) - seeds.powi(2)).max(WINDOW_SD.powi(2)).sqrt();
    paths.hypot(0.5 / events.sqrt())
}

/// Predicts the goodput of the next run, bit/s, from seeds of the lab; the range of the seeds if they are too few.
pub fn next_run(goodput: &[f64], between_runs: f64) -> [f64; 2] {
    prediction(goodput, RANGE_COVERAGE, between_runs).unwrap_or_else(|| own_range(goodput))
}

/// Predicts the next run under several scenarios with the same spread.
pub fn next_runs(goodput: &[&[f64]], between_runs: f64) -> Vec<[f64; 2]> {
    let each = || goodput.iter().map(|seeds| next_run(seeds, between_runs)).collect();
    predictions(goodput, RANGE_COVERAGE, between_runs).unwrap_or_else(each)
}

/// Returns the geometric mean of the seeds.
pub fn centre(goodput: &[f64]) -> f64 {
    let logarithms: Vec<f64> = goodput.iter().map(|rate| rate.max(1.0).ln()).collect();
    if logarithms.is_empty() { 1.0 } else { mean(&logarithms).exp() }
}

/// The transfer itself as a draw from its path: where the scenarios differ, it tells more of the next run than their
/// means do (empirical Bayes; Morris 1983, "Parametric empirical Bayes inference").
pub struct Drawn {
    seen: f64,
    /// Weight of the transfer against a scenario's mean, 0 to 1.
    weight: f64,
}

impl Drawn {
    /// Weighs a transfer by the variance between scenarios over that and the variance between seeds.
    pub fn new<'e>(seen: f64, centres: &[f64], seeds: impl Iterator<Item = &'e [f64]>) -> Drawn {
        let between = deviation(&centres.iter().map(|rate| rate.ln()).collect::<Vec<_>>()).powi(2);
        let own = |all: &[f64]| deviation(&all.iter().map(|rate| rate.max(1.0).ln()).collect::<Vec<_>>()).powi(2);
        let within = mean(&seeds.filter(|all| !all.is_empty()).map(own).collect::<Vec<_>>()).max(WINDOW_SD.powi(2));
        let weight = between / (between + within);
        Drawn { seen, weight: if weight.is_finite() && seen > 0.0 { weight } else { 0.0 } }
    }

    /// Moves a scenario's range towards the transfer, and widens it by what the transfer's own draw leaves open.
    pub fn range(&self, [low, high]: [f64; 2], centre: f64) -> [f64; 2] {
        if self.weight == 0.0 {
            return [low, high];
        }
        let moved = (self.weight * (self.seen / centre).ln()).exp() * centre;
        let wider = |end: f64| moved * ((end / centre).ln() * (1.0 + self.weight).sqrt()).exp();
        [wider(low), wider(high)]
    }
}

/// Returns the smallest and the largest goodput.
pub fn own_range(goodput: &[f64]) -> [f64; 2] {
    goodput.iter().fold([f64::INFINITY, 0.0], |[low, high], rate| [low.min(*rate), high.max(*rate)])
}

/// Compares changes with no change under one scenario. Each has the name of its case and the goodput of each seed with and
/// without it.
pub fn compared(changes: &[(&str, &[f64], &[f64])], now: &str) -> Vec<Compared> {
    let measure = Measure::find("goodput").expect("goodput is a measure");
    let question = |(name, own, before): &(&str, &[f64], &[f64])| {
        Question::new(measure, [now.into(), (*name).into()], values(before, own))
    };
    decide::decide(changes.iter().map(question).collect(), MARGIN)
}

/// Pairs of seeds; certain if all seeds agree, as the judge of a run defines it.
fn values(before: &[f64], own: &[f64]) -> Values {
    let same = |all: &[f64]| all.len() > 1 && all.iter().all(|value| *value == all[0]);
    match same(before) && same(own) {
        true => Values::Certain(Some([before[0], own[0]])),
        false => Values::Pairs(before.iter().zip(own).map(|(before, own)| [*before, *own]).collect()),
    }
}
