//! A plan as a hash.

use crate::{Plan, Trial};
use sha2::{Digest, Sha256};

/// Returns the unfinished hash of everything that determines a plan with `first` trials at the start. One trial per
/// point is enough: its other seeds follow from it and the experiment.
pub fn digest(plan: &Plan, first: usize) -> Sha256 {
    let mut points: Vec<&Trial> = plan.trials.iter().filter(|trial| trial.index < first).collect();
    points.dedup_by(|next, trial| next.point == trial.point);
    let mut hash = Sha256::new();
    let written = serde_json::to_writer(&mut hash, &(&plan.goodput, &plan.spec, &plan.repeat, first, points));
    written.expect("a hash takes all");
    hash
}
