//! Points without randomness: one seed suffices for all.
//!
//! The plan alone does not show it, because nobody has read all random draws of a kernel; neither do recordings alone,
//! because two seeds may have the same luck. So a point whose plan draws nothing runs two seeds first, and no more if
//! their recordings are identical byte for byte.

use super::Wanted;
use crate::Measures;
use plan::{self, Plan, Scene, Trial};

/// First seeds of a point whose plan has no randomness.
pub const PROBE_SEEDS: u64 = 2;

/// Whether the plan shows no randomness, by the scenes of a point's seeds.
pub fn may_be_certain<'s>(mut scenes: impl Iterator<Item = &'s Scene>) -> bool {
    let Some(first) = scenes.next() else { return false };
    !plan::draws(first) && scenes.all(|scene| scene == first)
}

/// Whether a point does not depend on its seed: its plan draws nothing, and its seeds gave the same bytes.
pub fn is_certain(trials: &[Trial], measures: &Measures) -> bool {
    let mut recordings = trials.iter().map(|trial| measures.get(trial.index)?.recording);
    let first = recordings.next().flatten();
    let same = first.is_some() && trials.len() > 1 && recordings.all(|recording| recording == first);
    same && may_be_certain(trials.iter().map(|trial| &trial.scene))
}

/// Returns the trials of each point that count: only the first if the point has no randomness.
pub fn counted<'p>(plan: &'p Plan, measures: &Measures) -> Vec<&'p [Trial]> {
    let counted = |trials: &'p [Trial]| if is_certain(trials, measures) { &trials[..1] } else { trials };
    plan.points().into_iter().map(counted).collect()
}

/// Returns the further seeds of points that have randomness after all.
pub(super) fn refuted(plan: &Plan, measures: &Measures) -> Vec<Wanted> {
    let short = plan.points().into_iter().filter(|trials| (trials.len() as u64) < plan.repeat.seeds);
    let random = short.filter(|trials| trials.len() as u64 == PROBE_SEEDS && !is_certain(trials, measures));
    random
        .flat_map(|trials| {
            let point = &trials[0].point;
            plan.repeat
                .seeds()
                .at(PROBE_SEEDS..plan.repeat.seeds)
                .map(move |seed| Wanted { point: point.clone(), seed })
        })
        .collect()
}
