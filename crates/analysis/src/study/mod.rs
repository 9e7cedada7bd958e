//! A plan that grows: from the measures so far to the trials that the answer still needs. Pure, so an interrupted study
//! continues to the same bytes.

mod determinism;
pub mod search;

use crate::{Measure, Measures};
use base::stats::{self, Centre, Estimate};
pub use determinism::counted;
pub use determinism::{PROBE_SEEDS, is_certain, may_be_certain};
use plan::{Enough, Plan, Setting, Shared, Trial};
pub use search::first;
pub use search::first_number;
use serde::{Deserialize, Serialize};

/// A trial to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// Settings of its point.
    pub point: Shared<Setting>,
    pub seed: u64,
}

/// Returns the trials to run next; none when the study is complete. All trials of the plan must have been measured.
pub fn next(plan: &Plan, measures: &Measures) -> Vec<Wanted> {
    let more =
        [determinism::refuted(plan, measures), replicates(plan, measures)].into_iter().find(|more| !more.is_empty());
    let more = more.unwrap_or_default();
    if more.is_empty() { search::next(plan, measures) } else { more }
}

/// Estimates a measure over the seeds of a point.
pub fn estimate(measures: &Measures, trials: &[Trial], name: &str) -> Option<Estimate> {
    let values: Vec<f64> = trials.iter().filter_map(|trial| measures.value(trial, name)).collect();
    stats::estimate(&values, Measure::find(name).map_or(Centre::Mean, |measure| measure.centre))
}

/// Whether more seeds would narrow a measure's interval. A measure without a value stays without one.
pub fn is_wide(enough: &Enough, trials: &[Trial], measures: &Measures) -> bool {
    estimate(measures, trials, &enough.measure).is_some_and(|estimate| !estimate.is_narrow(enough.interval))
}

/// Returns more seeds for the points whose interval is wide.
fn replicates(plan: &Plan, measures: &Measures) -> Vec<Wanted> {
    let Some(enough) = &plan.repeat.until else { return vec![] };
    let wide = plan.points().into_iter().filter(|trials| !is_certain(trials, measures));
    let wide = wide.filter(|trials| is_wide(enough, trials, measures));
    wide.flat_map(|trials| {
        let seeds = trials.len() as u64;
        let reach = estimate(measures, trials, &enough.measure).and_then(|estimate| reach(&estimate));
        // The width of an interval falls with the square root of the number of values.
        let due = reach.map_or(f64::INFINITY, |reach| seeds as f64 * (reach / enough.interval).powi(2)).ceil() as u64;
        let total = due.clamp(seeds + 1, 2 * seeds).min(enough.at_most);
        let point = &trials[0].point;
        plan.repeat.seeds().at(seeds..total).map(move |seed| Wanted { point: point.clone(), seed })
    })
    .collect()
}

/// Returns the distance from the estimate to the farther end of its interval, as a share of the estimate.
fn reach(estimate: &Estimate) -> Option<f64> {
    let [low, high] = estimate.interval?;
    Some((estimate.value - low).max(high - estimate.value) / estimate.value.abs()).filter(|reach| reach.is_finite())
}
