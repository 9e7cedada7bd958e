//! Finds mechanisms that reproduce a slow transfer, and changes that help under all of them.
//!
//! Analysis by synthesis, in stages:
//!
//! - `case` takes the transfer from the evidence.
//! - `clues` and `propose` guess candidates.
//! - `search` runs them in the lab and compares what the same instrument would have printed (`trace`, `distance`).
//! - `explain` keeps those that reproduce the transfer and need all their mechanisms, with scenarios for what they
//!   leave open.
//! - `change` runs remedies under each scenario.
//!
//! The module is pure: a [`Laboratory`] runs trials.

#![forbid(unsafe_code)]

mod allowed_changes;
mod ask;
mod candidate;
mod case;
mod change;
mod clues;
mod compared;
mod diagnosed;
mod distance;
mod experiment;
mod explain;
mod forecast;
mod formulas;
mod hosts;
mod html_page;
mod narrow;
mod neighbours;
mod newton;
mod other_runs;
mod propose;
mod refusal;
mod remarks;
mod row;
mod sampling;
mod scale;
mod search;
mod settings;
mod streams;
mod systems;
#[cfg(test)]
mod tests;
mod text_page;
mod trace;
pub mod trials;
mod words;

pub use allowed_changes::ChangePlace;
pub use candidate::{Candidate, Mechanism, Part, scale};
pub use case::{Case, other_kernel};
pub use clues::Excluded;
pub use compared::{Compared, Comparison, Range};
pub use diagnosed::Diagnosed;
pub use distance::{Fit, distance};
pub use experiment::{Beside, Design};
pub use explain::{Assumes, Explanation, Nearest, Scenario};
pub use html_page::report;
pub use narrow::Narrow;
pub use other_runs::Measured;
pub use refusal::{HOW_TO_MEASURE, Refusal};
pub use row::{ChangeRow, Confidence, Neighbour, Predicted};
pub use search::{Laboratory, Pings, SEEDS, Shown, criterion};
pub use systems::{FREEBSD_KERNEL, Systems};
pub use text_page::page;
pub use trace::{Instrument, Trace, arrived};

use clues::Clues;
use diagnosis::remedy::lab::Key;
use evidence::plain;
use experiment::merged;
use search::Search;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// A user's question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProveRequest {
    /// Places at which changes may be made.
    pub places: Vec<ChangePlace>,
    /// Wall-clock budget of the trials, seconds.
    pub budget: f64,
    /// The congestion control of a competing transfer to try as well.
    pub neighbour: Option<String>,
    /// The only mechanisms to try; all if empty.
    pub only: Vec<Mechanism>,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The transfer.
    pub transfer: String,
    /// Its goodput, bit/s.
    pub goodput: f64,
    /// What the figures of goodput count, as the reader's tool prints them.
    #[serde(default)]
    pub figure: String,
    /// Round-trip time of the idle path, seconds.
    pub rtt: f64,
    /// Rate of the bottleneck link, bit/s, if it was given.
    pub rate: Option<f64>,
    /// Notes on evidence of more, or less, than one transfer.
    pub notes: Vec<String>,
    /// Mechanisms ruled out without the lab.
    pub excluded: Vec<Excluded>,
    /// The explanations, the likeliest first; empty if nothing reproduced the evidence.
    pub explanations: Vec<Explanation>,
    /// The nearest candidate with all seeds.
    pub nearest: Nearest,
    /// The likeliest candidate of each set of mechanisms.
    #[serde(default)]
    pub tried: Vec<(String, Fit)>,
    /// The diagnosis of the same evidence.
    #[serde(default)]
    pub diagnosed: Option<Diagnosed>,
    /// The row without a change, then the changes, the best first.
    pub rows: Vec<ChangeRow>,
    /// Other runs of the evidence, beside what was predicted of them.
    #[serde(default)]
    pub compared: Vec<Comparison>,
    /// The widest range that is too wide to act on, and the measurement that narrows it.
    #[serde(default)]
    pub narrow: Option<Narrow>,
    /// A competing transfer without and with the best change, under each explanation; empty if not asked for.
    pub neighbour: Vec<Neighbour>,
    /// The measurement that would settle most open questions.
    pub ask: Option<String>,
    /// Trials of the search.
    pub trials: usize,
    /// The explanations before evidence was added.
    #[serde(default)]
    pub before: Vec<String>,
}

impl Verdict {
    /// Returns the commands it suggests, each once.
    pub fn commands(&self) -> BTreeSet<&str> {
        self.rows
            .iter()
            .flat_map(|row| [&row.apply, &row.now, &row.keep, &row.undo])
            .flatten()
            .map(String::as_str)
            .collect()
    }

    /// Returns the verdict without commands, and without sentences that may contain some.
    pub fn without_commands(mut self) -> Verdict {
        self.rows
            .iter_mut()
            .flat_map(|row| [&mut row.apply, &mut row.now, &mut row.keep, &mut row.undo])
            .for_each(Vec::clear);
        self.rows.iter_mut().for_each(|row| row.changes.clear());
        (self.ask, self.diagnosed, self.narrow) = (None, None, None);
        self.notes.clear();
        self.before.clear();
        self
    }

    /// Returns the verdict with line breaks removed from all text, which may come from a forged file.
    pub fn in_lines(mut self) -> Verdict {
        let names = self.rows.iter_mut().map(|row| &mut row.name);
        let names = names.chain(self.explanations.iter_mut().map(|one| &mut one.name));
        let names =
            names.chain(self.tried.iter_mut().map(|(name, _)| name)).chain([&mut self.transfer, &mut self.figure]);
        let diagnosed = self.diagnosed.iter_mut().flat_map(|one| [&mut one.says].into_iter().chain(&mut one.proposes));
        let runs = self.compared.iter_mut().flat_map(|run| [&mut run.place].into_iter().chain(&mut run.changed));
        let said = self.notes.iter_mut().chain(&mut self.before).chain(&mut self.ask).chain(diagnosed).chain(runs);
        let said = said.chain(self.narrow.iter_mut().flat_map(|one| [&mut one.row, &mut one.measure]));
        names.chain(said).for_each(|text| *text = plain::line(text).into_owned());
        self
    }
}

/// Accepted budgets, ns.
pub const BUDGET_RANGE_NS: RangeInclusive<u64> = 1_000_000_000..=86_400_000_000_000;

/// Cores whose wall-clock time the budget counts.
const BUDGET_CORES: f64 = 2.0;

/// Explains a transfer, and tries changes.
pub fn prove<L: Laboratory>(case: &Case, request: &ProveRequest, lab: &mut L) -> Result<Verdict, L::Error> {
    if let Some(diagnosed) = &case.diagnosed {
        lab.say(&format!("by formulas alone: {}", diagnosed.says));
    }
    let mut search = Search::new(case, lab, BUDGET_CORES * request.budget);
    let finalists = search.finalists(&request.only)?;
    search.lab.say(&format!("{} finalists, with more seeds and without each of their parts", finalists.len()));
    let (mut explanations, nearest) = explain::accept(&mut search, finalists)?;
    explain::open(&mut search, &mut explanations)?;
    explain::show(&mut search, &mut explanations)?;
    let tried = search.ranked().iter().map(|group| (group[0].candidate.described(), group[0].fit.clone())).collect();
    let mut proposals = allowed_changes::proposals(case, &explanations, &request.places);
    let rows = match explanations.is_empty() {
        true => vec![],
        false => change::effects(&mut search, &explanations, &mut proposals)?,
    };
    let mut verdict = Verdict {
        transfer: case.name.clone(),
        goodput: case.seen.received,
        figure: case.figure(),
        rtt: case.rtt,
        rate: case.rate,
        notes: [case.notes.clone(), remarks::narrower(case, &explanations)].concat(),
        excluded: Clues::from_case(case).excluded(),
        ask: ask::ask(&explanations, &rows).map(|ask| case.systems.in_own_names(&ask)),
        compared: if explanations.is_empty() { vec![] } else { compared::compare(case, &rows) },
        explanations,
        nearest,
        tried,
        diagnosed: case.diagnosed.clone(),
        rows,
        narrow: None,
        neighbour: vec![],
        trials: 0,
        before: vec![],
    };
    verdict.narrow = narrow::narrow(case, &verdict.explanations, &verdict.rows, verdict.best());
    let best = verdict.best().and_then(|best| proposals.iter().find(|one| one.name == best.name));
    if let (Some(best), Some(control)) = (best, &request.neighbour) {
        verdict.neighbour = change::neighbour_goodputs(&mut search, &verdict.explanations, best, control)?;
    }
    verdict.trials = search.trials;
    Ok(verdict)
}

/// Returns changes that differ from all before them: settings that a host already has do not count.
fn distinct<'r>(rows: &'r [ChangeRow], base: &[Key]) -> Vec<&'r ChangeRow> {
    let mut known: Vec<BTreeSet<String>> = vec![];
    let is_new = |row: &&ChangeRow| {
        let changed = row.settings.iter().filter(|key| !base.contains(key)).map(Key::to_string).collect();
        let is_new = !known.contains(&changed);
        known.push(changed);
        is_new
    };
    rows.iter().filter(is_new).collect()
}

/// Returns the experiments of a verdict, by file name: one for each scenario of each explanation, with the changes as
/// cases.
pub fn experiments(case: &Case, verdict: &Verdict, seeds: usize) -> Vec<(String, String)> {
    let mut all = vec![];
    for (at, one) in verdict.explanations.iter().enumerate() {
        for (number, scenario) in one.scenarios.iter().enumerate() {
            let rows = distinct(&verdict.rows, &merged(candidate::common(case), scenario.candidate.keys()));
            let cases: Vec<(String, Vec<Key>)> = rows.iter().map(|row| (row.case(), row.settings.clone())).collect();
            let told = rows.iter().filter(|row| !row.dropped && !row.is_open());
            let predicted = told.filter_map(|row| Some((row.case(), row.under(at, scenario.assumes)?))).collect();
            let name = one.name.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
            let design = Design {
                case,
                title: format!("{} ({})", one.name, scenario.candidate.described()),
                question: format!("Does it reproduce {}, and what would each change bring?", verdict.transfer),
                base: &scenario.candidate,
                axis: "remedy",
                cases: &cases,
                seeds,
                first: 1,
                predicted,
                beside: Beside::Ping,
            };
            all.push((format!("{}{}-{name}.toml", at + 1, (b'a' + number as u8) as char), design.text()));
        }
    }
    all
}
