//! The plan: an experiment with every default filled in, one [`Trial`] per point of the sweep and seed.
//!
//! A plan is total: nothing in it is optional because it was not written, and whatever runs it needs no other file.
//! Times are nanoseconds of virtual time, rates bits per second, sizes bytes, unless a field says otherwise.

mod scene;

pub use scene::*;
use serde::{Deserialize, Serialize};
pub use wire::{Tcp, Traffic, Until};

/// Everything that a run needs; `plan.json` in the run's folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The version of goodput that resolved the plan.
    pub goodput: String,
    /// The experiment's title.
    pub title: String,
    /// The question that the experiment answers, as its author wrote it; may be empty.
    pub question: String,
    /// The experiment as it was written, byte for byte.
    pub spec: String,
    /// The name of the guest kernel, as `goodput kernel list` shows it.
    pub kernel: String,
    /// The keys that vary, in the order written, each with its values as text.
    pub vary: Vec<Axis>,
    /// One entry for each point of the grid and seed: all seeds of a point stand together.
    pub trials: Vec<Trial>,
    /// What must hold for the run to pass.
    pub expect: Vec<Expectation>,
    /// Published figures to stand beside ours.
    pub published: Vec<Published>,
}

/// One key that varies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axis {
    /// The key's path in the spec, such as `flows.congestion`.
    pub key: String,
    /// Its values as the report shows them.
    pub values: Vec<String>,
}

/// One run of one point with one seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Position in the plan, from 0; names the trial's folder.
    pub index: usize,
    /// The values of the varied keys at this point, in the order of [`Plan::vary`]; empty without a sweep.
    pub point: Vec<Setting>,
    /// Seeds the guest's random numbers and the jitter of the flows' starts.
    pub seed: u64,
    /// What is built and run.
    pub scene: Scene,
}

/// A key of the spec and its value as text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Setting {
    /// The key's path in the spec.
    pub key: String,
    /// Its value as text.
    pub value: String,
}

impl Setting {
    /// The value, with the last part of the key before what says nothing alone.
    pub fn label(&self) -> String {
        let bare = matches!(self.value.as_str(), "true" | "false" | "none") || self.value.parse::<f64>().is_ok();
        match self.key.rsplit('.').next() {
            Some(name) if bare => format!("{name} {}", self.value),
            _ => self.value.clone(),
        }
    }
}

/// A bound on a measure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// The measure's name, such as `goodput`.
    pub measure: String,
    /// The points it is about: those that have all these settings.
    pub at: Vec<Setting>,
    /// Smallest value that passes, in the measure's unit.
    pub at_least: Option<f64>,
    /// Largest value that passes, in the measure's unit.
    pub at_most: Option<f64>,
}

/// A figure that somebody published.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Published {
    /// Who measured it.
    pub source: String,
    /// The measure's name.
    pub measure: String,
    /// The points it is about: those that have all these settings.
    pub at: Vec<Setting>,
    /// The value in the measure's unit.
    pub value: f64,
}
