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
mod candidate;
mod case;
mod change;
mod clues;
mod diagnosed;
mod distance;
mod experiment;
mod explain;
mod forecast;
mod formulas;
mod hosts;
mod html_page;
mod neighbours;
mod newton;
mod other_runs;
mod propose;
mod remarks;
mod row;
mod scale;
mod search;
#[cfg(test)]
mod tests;
mod text_page;
mod trace;
pub mod trials;
mod words;

pub use allowed_changes::ChangePlace;
pub use candidate::{Candidate, Mechanism, Part, scale};
pub use case::{Case, Refusal, other_kernel};
pub use clues::Excluded;
pub use diagnosed::Diagnosed;
pub use distance::{Fit, distance};
pub use experiment::{Beside, Design};
pub use explain::{Assumes, Explanation, Nearest, Scenario};
pub use html_page::report;
pub use other_runs::Measured;
pub use row::{ChangeRow, Confidence, Neighbour};
pub use search::{Laboratory, Pings, SEEDS, Shown, criterion};
pub use text_page::page;
pub use trace::{Instrument, Trace, arrived};

use base::stats::mean;
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
        (self.ask, self.diagnosed) = (None, None);
        self.notes.clear();
        self.before.clear();
        self
    }

    /// Returns the verdict with line breaks removed from all text, which may come from a forged file.
    pub fn in_lines(mut self) -> Verdict {
        let names = self.rows.iter_mut().map(|row| &mut row.name);
        let names = names.chain(self.explanations.iter_mut().map(|one| &mut one.name));
        let names = names.chain(self.tried.iter_mut().map(|(name, _)| name)).chain([&mut self.transfer]);
        let diagnosed = self.diagnosed.iter_mut().flat_map(|one| [&mut one.says].into_iter().chain(&mut one.proposes));
        let said = self.notes.iter_mut().chain(&mut self.before).chain(&mut self.ask).chain(diagnosed);
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
        rtt: case.rtt,
        rate: case.rate,
        notes: case.notes.clone(),
        excluded: Clues::from_case(case).excluded(),
        ask: ask(&explanations, &rows),
        explanations,
        nearest,
        tried,
        diagnosed: case.diagnosed.clone(),
        rows,
        neighbour: vec![],
        trials: 0,
        before: vec![],
    };
    let best = verdict.best().and_then(|best| proposals.iter().find(|one| one.name == best.name));
    if let (Some(best), Some(control)) = (best, &request.neighbour) {
        verdict.neighbour = change::neighbour_goodputs(&mut search, &verdict.explanations, best, control)?;
    }
    verdict.trials = search.trials;
    Ok(verdict)
}

/// Names measurements that tell explanations apart, and one that settles most of what is open under each.
fn ask(explanations: &[Explanation], rows: &[ChangeRow]) -> Option<String> {
    const ASK_PACKET_SIZE: &str = "the largest packet that passes: `tracepath HOST`, or `ping -M do -s SIZE HOST`";
    const ASK_REORDERING: &str = "`ss -tin dst HOST` in a loop while it runs: reord_seen and dsack_dups count what came late and \
                        was taken for lost";
    const ASK_STREAMS: &str = "`iperf3 -c HOST -P 8` once: on a line of its own eight streams get together what one gets, on a \
                            shared one several times as much";
    let has = |kind| explanations.iter().filter(move |one| one.candidate.has(kind)).count();
    let hole = (has(Mechanism::Hole) > 0).then(|| ASK_PACKET_SIZE.to_owned());
    let decides = |kind, how: &str| (1..explanations.len()).contains(&has(kind)).then(|| how.to_owned());
    let [late, shared] = [decides(Mechanism::Reordering, ASK_REORDERING), decides(Mechanism::Shared, ASK_STREAMS)];
    let all: Vec<String> =
        [hole, late, shared, apart(explanations, rows), closing(rows)].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join("; and "))
}

/// Measurements decide only between predictions that differ by more than this ratio.
const MIN_TELLING_RATIO: f64 = 1.15;

/// Returns the change that the explanations predict most differently.
fn apart(explanations: &[Explanation], rows: &[ChangeRow]) -> Option<String> {
    let of_row = |row: &ChangeRow| {
        let of = |at: usize| row.effects.iter().find(|e| e.explanation == at && e.assumes == Assumes::Nothing);
        let means: Vec<f64> = (0..explanations.len()).filter_map(|at| Some(mean(&of(at)?.goodput))).collect();
        let least = means.iter().copied().fold(f64::INFINITY, f64::min).max(1.0);
        (distance::largest(&means) / least, row.name.clone(), means)
    };
    // A change that helps under no explanation differs by chance.
    let helps =
        |row: &&ChangeRow| row.effects.iter().any(|e| e.assumes == Assumes::Nothing && e.gain >= explain::MIN_GAIN);
    let single = rows.iter().skip(1).filter(|row| !row.name.contains(" + ")).filter(helps).map(of_row);
    let (_, name, means) =
        single.filter(|(ratio, ..)| *ratio > MIN_TELLING_RATIO).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let told: Vec<String> = explanations
        .iter()
        .zip(&means)
        .map(|(one, mean)| format!("{} {}", one.name, base::show::rate(*mean)))
        .collect();
    Some(format!("one run with \"{name}\", for which they predict: {}", told.join(", ")))
}

/// Returns the measurement of path or hosts on which predictions depend most.
fn closing(rows: &[ChangeRow]) -> Option<String> {
    let mut best: (f64, Option<&str>) = (MIN_TELLING_RATIO, None);
    for (assumes, ask) in MEASUREMENTS {
        for row in rows.iter().skip(1) {
            for effect in row.effects.iter().filter(|effect| effect.assumes == *assumes) {
                let usual =
                    row.effects.iter().find(|e| e.explanation == effect.explanation && e.assumes == Assumes::Nothing);
                let ratio = usual.map_or(1.0, |usual| mean(&usual.goodput) / mean(&effect.goodput).max(1.0));
                let ratio = ratio.max(1.0 / ratio.max(1e-9));
                if ratio > best.0 {
                    best = (ratio, Some(ask));
                }
            }
        }
    }
    best.1.map(str::to_owned)
}

const ASK_RATE: &str = "the rate of the line: give it as --rate, or run `iperf3 -c HOST -P 8` once";
/// The measurement that settles each assumption.
const MEASUREMENTS: &[(Assumes, &str)] = &[
    (Assumes::Slower, ASK_RATE),
    (Assumes::Faster, ASK_RATE),
    (Assumes::Alike, "`sysctl net.ipv4.tcp_rmem net.ipv4.tcp_adv_win_scale` on the receiver, in a file of its own"),
    (
        Assumes::ReceiveWindow,
        "`sysctl net.ipv4.tcp_rmem net.ipv4.tcp_adv_win_scale` on the receiver, in a file of its own",
    ),
    (Assumes::SendBuffer, "`sysctl net.ipv4.tcp_wmem` on the sender, in the file of the transfer"),
];

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
