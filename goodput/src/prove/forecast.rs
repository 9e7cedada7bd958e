//! What a change is predicted to bring: an interval for the next run, and whether it helps, by the judge of `goodput run`.

use crate::analyze::Measure;
use crate::judge::{self, Compared, Question, Values};
use crate::stats::{MARGIN, prediction, predictions};

/// The share of runs that a range holds.
pub const COVERED: f64 = 0.9;

/// By how much ln goodput differs from one run of a real path to the next, as a standard deviation: of repeats within minutes
/// between clouds (docs/prove.md). Where a window limits and nothing is retransmitted: 28,000 pairs.
pub const STEADY: f64 = 0.028;

/// Where a window limits, and something is lost beside it: 11,000 pairs.
pub const LOSSES_BESIDE: f64 = 0.05;

/// The same if the run retransmits so many segments: 14,000 pairs.
pub const MANY_LOSSES_BESIDE: f64 = 0.23;

/// By how much ln of the segments that slow start loses differs likewise: 38 series of paths that losses hold back.
pub const OVERSHOOT: f64 = 0.83;

/// Segments.
pub const MANY_LOST: f64 = 100.0;

/// Where cwnd is used up and losses hold it back, by something that loses the same in every seed of the lab: 54 series.
pub const LOSSES: f64 = 0.20;

/// Retransmitted segments from which on losses count as that.
pub const SOME_LOST: f64 = 20.0;

/// Where slow start ends early, at another cwnd in each run: 900 pairs.
pub const CLIMBING: f64 = 0.22;

/// Seeds of what is printed, at least.
pub const SEEDS: usize = 5;

/// In which the goodput of the next run lies, bit/s, from seeds of the lab; their own range if they are too few.
pub fn next_run(goodput: &[f64], between_runs: f64) -> [f64; 2] {
    prediction(goodput, COVERED, between_runs).unwrap_or_else(|| own_range(goodput))
}

/// The same under several scenarios whose seeds spread alike.
pub fn next_runs(goodput: &[&[f64]], between_runs: f64) -> Vec<[f64; 2]> {
    let each = || goodput.iter().map(|seeds| next_run(seeds, between_runs)).collect();
    predictions(goodput, COVERED, between_runs).unwrap_or_else(each)
}

/// The least and the most.
pub fn own_range(goodput: &[f64]) -> [f64; 2] {
    goodput.iter().fold([f64::INFINITY, 0.0], |[low, high], rate| [low.min(*rate), high.max(*rate)])
}

/// How changes compare with none under one scenario, each as the name of its case and the goodput of each seed with and
/// without it.
pub fn compared(changes: &[(&str, &[f64], &[f64])], now: &str) -> Vec<Compared> {
    let measure = Measure::find("goodput").expect("goodput is a measure");
    let question = |(name, own, before): &(&str, &[f64], &[f64])| Question {
        at: vec![],
        names: [now.into(), (*name).into()],
        measure,
        flow: None,
        noun: measure.name.into(),
        values: values(before, own),
    };
    judge::decide(changes.iter().map(question).collect(), MARGIN)
}

/// Seed by seed; where every seed comes to the same nothing is random, as a run has it.
fn values(before: &[f64], own: &[f64]) -> Values {
    let same = |all: &[f64]| all.len() > 1 && all.iter().all(|value| *value == all[0]);
    match same(before) && same(own) {
        true => Values::Certain(Some([before[0], own[0]])),
        false => Values::Pairs(before.iter().zip(own).map(|(before, own)| [*before, *own]).collect()),
    }
}
