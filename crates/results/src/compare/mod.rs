//! Comparison of A and B: two runs, two points of runs, or iperf3's output of each.

mod listings;
mod page;
mod runs;

use crate::judge::{Compared, Outcome};
use analysis::MEASURES;
use analysis::finished_run::UnmeasuredError;
use analysis::sources::{self, ReadError};
use evidence::import::iperf;
use evidence::{fault, plain};
pub use page::page;
use plan::recording::RecordingError;
use plan::run_folder::FolderError;
use plan::run_folder::RunFolder;
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone)]
pub struct CompareRequest {
    /// The baseline and the side compared with it: RUN, RUN:POINT, FILE or FILE:N each.
    pub sides: [String; 2],
    /// Names of measures; empty if the kinds of the flows decide.
    pub measures: Vec<String>,
    /// Relative difference that counts as none.
    pub margin: f64,
    /// Whether runs over different paths are compared all the same.
    pub force: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Answer {
    /// A sentence for each comparison and remark.
    pub sentences: Vec<String>,
    /// Comparisons over several trials or runs, decided or open.
    pub comparisons: Vec<Compared>,
    /// Other differences between the sides: a place in the plan, and its value on each.
    pub differences: Vec<String>,
    pub caveats: Vec<String>,
}

impl Answer {
    /// 1 if the second side is worse in something, else 3 if something is open, else 0.
    pub fn exit_code(&self) -> u8 {
        let outcomes = || self.comparisons.iter().map(|compared| compared.outcome);
        match () {
            _ if outcomes().any(|outcome| outcome == Outcome::Worse) => 1,
            _ if self.comparisons.is_empty() || outcomes().any(|outcome| outcome == Outcome::Inconclusive) => 3,
            _ => 0,
        }
    }
}

/// Reason why nothing was compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    #[error(
        "{0} is neither a run folder nor a file\n\naccepted: RUN, RUN:POINT such as runs/x:cubic, FILE, or FILE:N for its Nth listing"
    )]
    Nothing(String),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{0}")]
    Listing(#[from] fault::Errors),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Recording(#[from] RecordingError),
    #[error(transparent)]
    Measured(#[from] UnmeasuredError),
    #[error(
        "{} is a run and {} a listing\n\nhint: compare runs with runs and listings with listings",
        plain::line(run),
        plain::line(file)
    )]
    RunAndListing { run: String, file: String },
    #[error("{file} has {count} listings but no number \"{wanted}\"\n\naccepted: {file}:1 to {file}:{count}")]
    NoListing { file: String, count: usize, wanted: String },
    #[error("{run} has no point \"{wanted}\"\n\naccepted: {}", accepted.join("; "))]
    NoPoint { run: String, wanted: String, accepted: Vec<String> },
    #[error(
        "{} and {} have no point in common\n\n{}: {}\n{}: {}\n\nhint: name one point of each: RUN:POINT",
        sides[0], sides[1], sides[0], points[0].join("; "), sides[1], points[1].join("; ")
    )]
    NothingInCommon { sides: [String; 2], points: [Vec<String>; 2] },
    #[error(
        "{} and {} were run over different paths:\n{}\n\nhint: the difference could be the path's; --force compares anyway",
        sides[0], sides[1], differences.iter().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
    )]
    OtherPath { sides: [String; 2], differences: Vec<String> },
    #[error("{name} is not a measure of {what}\n\naccepted: {accepted}")]
    NoMeasure { name: String, what: &'static str, accepted: String },
    #[error("{0} and {1} are the same\n\nhint: name two different runs, points (RUN:POINT) or listings (FILE:N)")]
    Same(String, String),
}

/// A side: a run's folder or a file, and the part of it that is compared.
struct Side {
    name: String,
    path: PathBuf,
    part: Option<String>,
}

impl Side {
    fn resolve(name: &str) -> Result<Side, CompareError> {
        let whole = Side { name: name.into(), path: name.into(), part: None };
        if whole.path.exists() {
            return Ok(whole);
        }
        // The part may contain colons.
        let split = name.match_indices(':').map(|(at, _)| name.split_at(at));
        let mut parts = split.filter(|(path, _)| Path::new(path).exists());
        let (path, part) = parts.next().ok_or_else(|| CompareError::Nothing(name.into()))?;
        Ok(Side { name: name.into(), path: path.into(), part: Some(part[1..].trim().into()) })
    }

    fn is_run(&self) -> bool {
        self.path.is_dir()
    }

    /// Whether both sides are parts of one run or file.
    fn is_where(&self, other: &Side) -> bool {
        self.path.canonicalize().ok() == other.path.canonicalize().ok()
    }
}

pub fn compare(request: &CompareRequest) -> Result<Answer, CompareError> {
    let [a, b] = [Side::resolve(&request.sides[0])?, Side::resolve(&request.sides[1])?];
    for [run, file] in [[&a, &b], [&b, &a]] {
        if run.is_run() && !file.is_run() {
            RunFolder::existing(&run.path)?;
            return Err(CompareError::RunAndListing { run: run.name.clone(), file: file.name.clone() });
        }
    }
    if a.is_run() {
        check_measures(request, "a run", MEASURES.iter().map(|measure| measure.name))?;
        return runs::compare(request, &a, &b);
    }
    check_measures(request, "a listing", listings::MEASURES.iter().map(|(name, _)| *name))?;
    let is_same_part = a.part == b.part || a.part.is_none() || b.part.is_none();
    if is_same_part && a.is_where(&b) {
        return Err(CompareError::Same(a.name, b.name));
    }
    let [one, other] = short([&a.name, &b.name]);
    Ok(listings::compare(&listings(&a, one)?, &listings(&b, other)?, &request.measures, request.margin))
}

fn check_measures(
    request: &CompareRequest,
    what: &'static str,
    names: impl Iterator<Item = &'static str>,
) -> Result<(), CompareError> {
    let names: Vec<&str> = names.collect();
    let unknown = request.measures.iter().find(|name| !names.contains(&name.as_str()));
    let wrong = |name: &String| CompareError::NoMeasure { name: name.clone(), what, accepted: names.join(", ") };
    unknown.map_or(Ok(()), |name| Err(wrong(name)))
}

/// Returns the files' own names, if these differ.
fn short(names: [&str; 2]) -> [&str; 2] {
    let own = names.map(|name| name.rsplit('/').next().unwrap_or(name));
    if own[0] == own[1] { names } else { own }
}

/// Reads the listings that a side names: the one with its number, or all in the file, as repeated runs.
fn listings(side: &Side, name: &str) -> Result<listings::Side, CompareError> {
    let bytes = sources::bytes(&side.path)?;
    let mut all = iperf::read(&side.path.display().to_string(), &bytes)?;
    if let Some(wanted) = &side.part {
        let count = all.len();
        let place = wanted.parse::<usize>().ok().filter(|number| (1..=count).contains(number));
        let file = plain::path(&side.path);
        let place = place.ok_or_else(|| CompareError::NoListing { file, count, wanted: wanted.clone() })?;
        all = vec![all.swap_remove(place - 1)];
    }
    Ok(listings::Side { name: name.into(), runs: all })
}
