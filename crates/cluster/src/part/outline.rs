//! A plan in compact form.

use analysis::study::Wanted;
use evidence::plain;
use experiment::{self, Kernel, Traces};
pub use plan::digest;
use plan::{Plan, Seeds, Trial};
use serde::{Deserialize, Serialize};
use sha2::Digest;
use std::path::Path;

/// The inputs that a plan is made from. A million trials take gigabytes in `plan.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// The experiment as written.
    pub spec: String,
    /// Guest kernels that its trials name.
    kernels: Vec<Kernel>,
    /// Trace files that its lines follow.
    #[serde(default, skip_serializing_if = "Traces::is_empty")]
    traces: Traces,
    /// Seeds that were asked for in place of the experiment's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seeds: Option<Seeds>,
    /// Number of trials of the first round.
    first: usize,
    /// SHA-256 of the first round's plan.
    plan: String,
    /// Trials of later rounds, in the order of their indices.
    more: Vec<Wanted>,
}

/// Why an outline gives no plan here.
#[derive(Debug, thiserror::Error)]
pub enum OutlineError {
    #[error(transparent)]
    Experiment(#[from] experiment::Errors),
    #[error("this goodput makes another plan of its experiment")]
    Other,
}

impl Outline {
    /// Makes the outline of a plan that had `first` trials at the start.
    pub fn new(plan: &Plan, first: usize, kernels: Vec<Kernel>) -> Outline {
        let mut later: Vec<&Trial> = plan.trials.iter().filter(|trial| trial.index >= first).collect();
        later.sort_unstable_by_key(|trial| trial.index);
        let more = later.into_iter().map(|trial| Wanted { point: trial.point.clone(), seed: trial.seed }).collect();
        // With `until`, seeds cannot be asked for. In all other cases they are stored, whether asked for or not.
        let seeds = plan.repeat.until.is_none().then(|| plan.repeat.seeds());
        let sum = format!("{:x}", digest(plan, first).finalize());
        Outline { spec: plan.spec.clone(), kernels, traces: Traces::from_plan(plan), seeds, first, plan: sum, more }
    }

    /// Returns the number of trials of all rounds.
    pub fn trials(&self) -> usize {
        self.first.saturating_add(self.more.len())
    }

    /// True if this is the other outline, possibly with more rounds.
    pub(crate) fn begins_with(&self, start: &Outline) -> bool {
        self.plan == start.plan && self.first == start.first && self.more.starts_with(&start.more)
    }

    /// Makes the plan of the first round. `file` names the experiment in errors.
    pub(crate) fn first_round(&self, file: &Path) -> Result<Plan, OutlineError> {
        let name = plain::path(file);
        if experiment::size(&name, &self.spec, self.seeds)? != self.first as u64 {
            return Err(OutlineError::Other);
        }
        let plan = experiment::plan_with_traces(&name, &self.spec, &self.kernels, self.seeds, &self.traces)?;
        let is_same =
            plan.trials.len() == self.first && format!("{:x}", digest(&plan, self.first).finalize()) == self.plan;
        if is_same { Ok(plan) } else { Err(OutlineError::Other) }
    }

    /// True if a plan has this outline, or an earlier or later round of it.
    pub(crate) fn is_of(&self, plan: &Plan) -> bool {
        let own = Outline::new(plan, self.first, vec![]);
        plan.trials.len() >= self.first && (self.begins_with(&own) || own.begins_with(self))
    }

    /// Adds this outline's further rounds to a plan that [matches](Outline::is_of).
    pub fn grown(&self, plan: Plan, file: &Path) -> Result<Plan, experiment::Errors> {
        match self.more.get(plan.trials.len() - self.first..) {
            None | Some([]) => Ok(plan),
            Some(more) => experiment::grown(&plain::path(file), plan, more),
        }
    }
}
