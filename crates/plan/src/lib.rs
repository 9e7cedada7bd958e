//! The plan: an experiment with every default filled in, one [`Trial`] per point of the sweep and seed.
//!
//! A plan is total: nothing in it is optional because it was not written, and whatever runs it needs no other file.
//! Times are nanoseconds of virtual time, rates bits per second, sizes bytes, unless a field says otherwise.

#![forbid(unsafe_code)]

mod chance;
mod design;
mod digest;
pub mod environment;
mod family;
#[cfg(any(test, feature = "fixture"))]
pub mod fixture;
mod flow;
mod host;
pub mod network;
mod queue;
mod record;
pub mod recording;
pub mod run_folder;
mod scene;
mod seeds;
mod segments;
pub mod setting;
mod shared;
mod trace;
mod tunnel;
mod validity;

pub use chance::draws;
pub use design::*;
pub use digest::digest;
pub use family::Family;
pub use flow::*;
pub use host::*;
pub use queue::*;
pub use record::{Record, Teller};
pub use scene::*;
pub use seeds::Seeds;
pub use segments::segments;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
pub use setting::Setting;
pub use shared::Shared;
use std::fmt;
pub use trace::{Points, Trace};
pub use tunnel::*;
pub use validity::check;
pub use wire::{ProgramEnd, Tcp, Traffic, Until, Writes};

/// All inputs of a run; `plan.json` in the run's folder.
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
    /// The keys that vary, in the order written, each with its values as text.
    pub vary: Vec<Axis>,
    /// One trial for each point and seed, in the order of the grid: all seeds of a point are adjacent.
    #[serde(deserialize_with = "sharing")]
    pub trials: Vec<Trial>,
    /// The seeds.
    pub repeat: Repeat,
    /// The search; its axis is the last of [`Plan::vary`].
    pub search: Option<Search>,
    /// The comparison.
    pub compare: Compare,
    /// Expectations that decide whether the run passes.
    pub expect: Vec<Expectation>,
    /// Published figures to show alongside ours.
    pub published: Vec<Published>,
}

/// One run of one point with one seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Number of the trial's folder: from 0, in the order in which trials were added to the plan.
    pub index: usize,
    /// The point's value on each axis of [`Plan::vary`], in order; empty without a sweep.
    pub point: Shared<Setting>,
    /// Name of the guest kernel, as `goodput kernel list` shows it; empty if there was none when the plan was made.
    pub kernel: String,
    /// Seeds the guest's random numbers and the jitter of the flows' starts.
    pub seed: u64,
    /// The network, traffic and recording.
    pub scene: Scene,
}

impl Trial {
    /// True if the trial's point has all these settings.
    pub fn is_at(&self, settings: &[Setting]) -> bool {
        settings.iter().all(|setting| self.point.contains(setting))
    }

    pub fn name(&self) -> String {
        let values = self.point.iter().map(|setting| setting.value.clone());
        values.chain([format!("seed {}", self.seed)]).collect::<Vec<_>>().join(", ")
    }
}

impl Plan {
    /// True if this plan is `start`, possibly with more trials: the same experiment, resolved by the same goodput.
    pub fn begins_with(&self, start: &Plan) -> bool {
        let mut own: Vec<Option<&Trial>> = vec![None; self.trials.len()];
        for trial in &self.trials {
            own.get_mut(trial.index).into_iter().for_each(|place| *place = Some(trial));
        }
        let is_there = |trial: &Trial| own.get(trial.index).copied().flatten() == Some(trial);
        let same = self.spec == start.spec && self.repeat == start.repeat && self.goodput == start.goodput;
        same && start.trials.iter().all(is_there)
    }

    /// Returns the trial whose folder has this number.
    pub fn trial(&self, index: usize) -> Option<&Trial> {
        // Trials are in this order unless the plan has grown.
        let there = self.trials.get(index).filter(|trial| trial.index == index);
        there.or_else(|| self.trials.iter().find(|trial| trial.index == index))
    }

    /// Returns the point's settings without the value that a search chose.
    pub fn grid<'p>(&self, point: &'p [Setting]) -> &'p [Setting] {
        &point[..point.len().saturating_sub(usize::from(self.search.is_some()))]
    }

    /// Returns the names of the guest kernels, in the order of the trials.
    pub fn kernels(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for trial in &self.trials {
            if !names.contains(&trial.kernel.as_str()) {
                names.push(trial.kernel.as_str());
            }
        }
        names
    }

    /// Returns the most trials that the plan may grow to.
    pub fn most_trials(&self) -> u64 {
        let seeds = self.repeat.until.as_ref().map_or(self.repeat.seeds, |enough| enough.at_most);
        let own = |axis: &&Axis| self.search.as_ref().is_none_or(|search| search.key != axis.key);
        let axes = self.vary.iter().filter(|axis| !axis.in_step).filter(own).map(|axis| axis.values.len() as u64);
        let searched = self.search.as_ref().map_or(1, |search| search.at_most);
        axes.chain([seeds, searched]).fold(1, u64::saturating_mul)
    }

    /// Returns the flows' names by number; `None` where trials disagree.
    pub fn flow_names(&self) -> Vec<Option<String>> {
        let flows = self.trials.iter().map(|trial| trial.scene.flows.len()).max().unwrap_or(0);
        let name = |number: usize| {
            let mut names = self.trials.iter().filter_map(|trial| Some(&trial.scene.flows.get(number)?.name));
            let first = names.next()?;
            names.all(|other| other == first).then(|| first.clone()).flatten()
        };
        (0..flows).map(name).collect()
    }

    /// Returns the trials of each point, in the order of the grid.
    pub fn points(&self) -> Vec<&[Trial]> {
        self.trials.chunk_by(|a, b| a.point == b.point).collect()
    }
}

/// Reads trials so that each shares equal parts with the one before it.
fn sharing<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Trial>, D::Error> {
    struct Trials;

    impl<'de> Visitor<'de> for Trials {
        type Value = Vec<Trial>;

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("a list of trials")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<Trial>, A::Error> {
            let mut trials: Vec<Trial> = Vec::new();
            while let Some(mut trial) = list.next_element::<Trial>()? {
                if let Some(before) = trials.last() {
                    trial.point.share(&before.point);
                    trial.scene.share(&before.scene);
                }
                // Reading leaves spare capacity in the list.
                trial.scene.flows.shrink_to_fit();
                trials.push(trial);
            }
            Ok(trials)
        }
    }

    deserializer.deserialize_seq(Trials)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn trials_that_are_read_share_what_they_have_in_common() {
        let trial = fixture::trial(fixture::four_kinds());
        let mut last = Trial { index: 2, ..trial.clone() };
        last.scene.links[0].mtu += 1;
        let plan = Plan { trials: vec![trial.clone(), trial, last], ..fixture::plan(fixture::four_kinds()) };
        let read: Plan = serde_json::from_str(&serde_json::to_string(&plan).unwrap()).unwrap();
        assert_eq!(read, plan);
        let [a, b, c] = [0, 1, 2].map(|index| &read.trials[index].scene);
        assert!(std::ptr::eq(&*a.links, &*b.links) && std::ptr::eq(&*b.nodes, &*c.nodes));
        assert!(std::ptr::eq(&*a.flows[0], &*b.flows[0]));
        assert_ne!(b.links, c.links);
    }
}
