//! Which mechanism reproduces a transfer that was slow, and which change helps under all that do.
//!
//! Analysis by synthesis: `case` takes the transfer from the evidence, `propose` says what could be behind it, `search` runs
//! candidates in the laboratory and compares what the same instrument would have printed (`trace`, `distance`), `explain`
//! keeps those that reproduce it and need all their mechanisms for it, with what they leave open; `change` runs remedies
//! under each of them. Nothing here looks outside: a [`Laboratory`] runs trials.

mod candidate;
mod case;
mod change;
mod diagnosed;
mod distance;
mod experiment;
mod explain;
mod forecast;
mod formulas;
mod hosts;
mod measured;
mod neighbours;
mod newton;
mod page;
mod proposal;
mod propose;
mod remarks;
mod report;
mod row;
mod scale;
mod search;
#[cfg(test)]
mod tests;
mod trace;
mod words;

pub use candidate::{Candidate, Kind, Part, scale};
pub use case::{Case, Refusal, other_kernel};
pub use diagnosed::Diagnosed;
pub use distance::{Fit, distance};
pub use experiment::{Beside, Design};
pub use explain::{Assumes, Explanation, Nearest, Scenario};
pub use measured::Measured;
pub use page::page;
pub use proposal::Place;
pub use propose::Excluded;
pub use report::report;
pub use row::{Confidence, Neighbour, Row};
pub use search::{Laboratory, Pings, SEEDS, Shown, criterion};
pub use trace::{Instrument, Trace, arrived};

use crate::remedy::lab::Key;
use crate::stats::mean;
use evidence::plain;
use experiment::merged;
use propose::Sight;
use search::Search;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Where changes may be made.
    pub places: Vec<Place>,
    /// Real time that trials may take, seconds.
    pub budget: f64,
    /// The congestion control of somebody else's transfer that is looked at as well.
    pub neighbour: Option<String>,
    /// The only mechanisms to try; all if empty.
    pub only: Vec<Kind>,
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
    /// Rate of the line, bit/s, if it was given.
    pub rate: Option<f64>,
    /// What was done with evidence that says more, or less, than one transfer.
    pub notes: Vec<String>,
    /// Mechanisms that were ruled out without the laboratory.
    pub excluded: Vec<Excluded>,
    /// What reproduces the evidence, the likeliest first; empty if nothing did.
    pub explanations: Vec<Explanation>,
    /// What came nearest with six seeds.
    pub nearest: Nearest,
    /// The nearest of everything that was tried, by the names of its mechanisms.
    #[serde(default)]
    pub tried: Vec<(String, Fit)>,
    /// What the diagnosis finds in the same evidence.
    #[serde(default)]
    pub diagnosed: Option<Diagnosed>,
    /// What each change brings, the best first, after how it is now.
    pub rows: Vec<Row>,
    /// What somebody else's transfer on the same line gets beside it as it is and with the first change, under each
    /// explanation; empty if that was not asked for.
    pub neighbour: Vec<Neighbour>,
    /// The measurement that would settle most of what is open.
    pub ask: Option<String>,
    /// Trials that were asked for.
    pub trials: usize,
    /// What explained it before evidence was added.
    #[serde(default)]
    pub before: Vec<String>,
}

impl Verdict {
    /// Commands that it has people run, each once.
    pub fn commands(&self) -> BTreeSet<&str> {
        self.rows
            .iter()
            .flat_map(|row| [&row.apply, &row.now, &row.keep, &row.undo])
            .flatten()
            .map(String::as_str)
            .collect()
    }

    /// The same without them, and without the sentences in which others may stand.
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

    /// The same with each name in one line, as somebody else may have put a line of a page's own into it.
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

/// The budgets that are accepted, ns.
pub const BUDGETS: RangeInclusive<u64> = 1_000_000_000..=86_400_000_000_000;

/// A budget is meant for two cores.
const CORES: f64 = 2.0;

/// From a transfer to what explains it and what would help.
pub fn prove<L: Laboratory>(case: &Case, request: &Request, lab: &mut L) -> Result<Verdict, L::Error> {
    if let Some(diagnosed) = &case.diagnosed {
        lab.say(&format!("by formulas alone: {}", diagnosed.says));
    }
    let mut search = Search::new(case, lab, CORES * request.budget);
    let finalists = search.finalists(&request.only)?;
    search.lab.say(&format!("{} finalists, with more seeds and without each of their parts", finalists.len()));
    let (mut explanations, nearest) = explain::accept(&mut search, finalists)?;
    explain::open(&mut search, &mut explanations)?;
    explain::show(&mut search, &mut explanations)?;
    let tried = search.ranked().iter().map(|group| (group[0].candidate.told(), group[0].fit.clone())).collect();
    let mut proposals = proposal::proposals(case, &explanations, &request.places);
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
        excluded: Sight::of(case).excluded(),
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
        verdict.neighbour = change::beside(&mut search, &verdict.explanations, best, control)?;
    }
    verdict.trials = search.trials;
    Ok(verdict)
}

/// A measurement that tells explanations apart, and one that closes most of what is open under each.
fn ask(explanations: &[Explanation], rows: &[Row]) -> Option<String> {
    const SIZE: &str = "the largest packet that passes: `tracepath HOST`, or `ping -M do -s SIZE HOST`";
    const LATE: &str = "`ss -tin dst HOST` in a loop while it runs: reord_seen and dsack_dups count what came late and \
                        was taken for lost";
    const TOGETHER: &str = "`iperf3 -c HOST -P 8` once: on a line of its own eight streams get together what one gets, on a \
                            shared one several times as much";
    let has = |kind| explanations.iter().filter(move |one| one.candidate.has(kind)).count();
    let hole = (has(Kind::Hole) > 0).then(|| SIZE.to_owned());
    let decides = |kind, how: &str| (1..explanations.len()).contains(&has(kind)).then(|| how.to_owned());
    let [late, shared] = [decides(Kind::Reordering, LATE), decides(Kind::Shared, TOGETHER)];
    let all: Vec<String> =
        [hole, late, shared, apart(explanations, rows), closing(rows)].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join("; and "))
}

/// Predictions that differ by less do not tell anything apart.
const APART: f64 = 1.15;

/// The change that the explanations predict most differently.
fn apart(explanations: &[Explanation], rows: &[Row]) -> Option<String> {
    let of_row = |row: &Row| {
        let of = |at: usize| row.effects.iter().find(|e| e.explanation == at && e.assumes == Assumes::Nothing);
        let means: Vec<f64> = (0..explanations.len()).filter_map(|at| Some(mean(&of(at)?.goodput))).collect();
        let least = means.iter().copied().fold(f64::INFINITY, f64::min).max(1.0);
        (distance::largest(&means) / least, row.name.clone(), means)
    };
    // What helps none of them differs by chance.
    let helps = |row: &&Row| row.effects.iter().any(|e| e.assumes == Assumes::Nothing && e.gain >= explain::GAIN);
    let single = rows.iter().skip(1).filter(|row| !row.name.contains(" + ")).filter(helps).map(of_row);
    let (_, name, means) = single.filter(|(ratio, ..)| *ratio > APART).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let told: Vec<String> = explanations
        .iter()
        .zip(&means)
        .map(|(one, mean)| format!("{} {}", one.name, crate::show::rate(*mean)))
        .collect();
    Some(format!("one run with \"{name}\", for which they predict: {}", told.join(", ")))
}

/// What is worth knowing of the path or its hosts: that on which predictions hang most.
fn closing(rows: &[Row]) -> Option<String> {
    let mut best: (f64, Option<&str>) = (APART, None);
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

const RATE: &str = "the rate of the line: give it as --rate, or run `iperf3 -c HOST -P 8` once";
/// What tells what a scenario assumes.
const MEASUREMENTS: &[(Assumes, &str)] = &[
    (Assumes::Slower, RATE),
    (Assumes::Faster, RATE),
    (Assumes::Alike, "`sysctl net.ipv4.tcp_rmem net.ipv4.tcp_adv_win_scale` on the receiver, in a file of its own"),
    (
        Assumes::ReceiveWindow,
        "`sysctl net.ipv4.tcp_rmem net.ipv4.tcp_adv_win_scale` on the receiver, in a file of its own",
    ),
    (Assumes::SendBuffer, "`sysctl net.ipv4.tcp_wmem` on the sender, in the file of the transfer"),
];

/// The changes that make something else of a path than those before them: what a host has already is none.
fn distinct<'r>(rows: &'r [Row], base: &[Key]) -> Vec<&'r Row> {
    let mut known: Vec<BTreeSet<String>> = vec![];
    let is_new = |row: &&Row| {
        let changed = row.settings.iter().filter(|key| !base.contains(key)).map(Key::to_string).collect();
        let is_new = !known.contains(&changed);
        known.push(changed);
        is_new
    };
    rows.iter().filter(is_new).collect()
}

/// The experiments of a verdict, with their names: each scenario of each explanation, and the changes as its cases.
pub fn experiments(case: &Case, verdict: &Verdict, seeds: usize) -> Vec<(String, String)> {
    let mut all = vec![];
    for (at, one) in verdict.explanations.iter().enumerate() {
        for (number, scenario) in one.scenarios.iter().enumerate() {
            let rows = distinct(&verdict.rows, &merged(candidate::common(case), scenario.candidate.keys()));
            let cases: Vec<(String, Vec<Key>)> = rows.iter().map(|row| (row.case(), row.settings.clone())).collect();
            let told = rows.iter().filter(|row| !row.dropped && !row.is_open());
            let predicted = told.map(|row| (row.case(), row.goodput())).collect();
            let name = one.name.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
            let design = Design {
                case,
                title: format!("{} ({})", one.name, scenario.candidate.told()),
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
