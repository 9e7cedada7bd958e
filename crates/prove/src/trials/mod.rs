//! A proof in a folder: runs its rounds of trials in the lab, and keeps the results.
//!
//! ```text
//! DIR/proof/verdict.json   the explanations, and the effect of each change
//!          asked.json      the question: files, and the options given with them
//!          case.json       the transfer, as taken from the evidence
//!          evidence.json   everything that was read
//!          report.html     the page, with the transfer's figures alongside the lab's
//!          1a-….toml       an experiment for each scenario; the changes are its cases
//!          experiments.json  the experiments as goodput wrote them
//! DIR/rounds/              the rounds of trials, removed at the end
//! ```
//!
//! The trial cache keeps the trials of the rounds, so an interrupted proof that is run again quickly catches up.

mod edited;

pub use edited::edit;

use crate::{self as prove, Case, Design, Laboratory, Pings, ProveRequest, Shown, Trace, Verdict};
use analysis::mostly;
use base::access::AccessError;
use base::folder::{FileError, Folder, MAX_TEXT_BYTES};
use base::output;
use base::show;
use base::stats::{mean, percentile};
use base::sums;
use base16ct::lower::encode_string as hex;
use evidence::{Evidence, System, plain};
use lab::run::{self, Files, RunError};
use lab::trust;
use plan::Seeds;
use plan::recording::{self, RecordingError, Sample};
use plan::run_folder::{FolderError, PROOF, RunFolder};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::ops::Add;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The folder of the rounds, the answer and the question.
const ROUNDS: &str = "rounds";
const VERDICT: &str = "verdict.json";
const ASKED: &str = "asked.json";
/// Seeds of the experiments that are kept.
const SEEDS: usize = 5;

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ProofError {
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Recording(#[from] RecordingError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error("{}: {}\n\nhint: run prove again with the evidence", path.display(), plain::line(what))]
    Damaged { path: PathBuf, what: String },
}

/// Returns the folder of a proof. The same evidence and the same question have the same folder.
pub fn folder(evidence: &Path, case: &Case, request: &ProveRequest) -> PathBuf {
    let asked = format!("{}{request:?}", json(case));
    let stem = evidence.file_stem().unwrap_or_default().to_string_lossy();
    let hash = hex(&Sha256::digest(asked));
    PathBuf::from("runs").join(format!("prove-{}-{}", stem.trim_matches('-'), &hash[..8]))
}

/// A question, to which more evidence may be added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// Files from which the evidence was read.
    pub sources: Vec<PathBuf>,
    /// Files that the sender printed.
    #[serde(default)]
    pub sender: Vec<PathBuf>,
    /// Files that the receiver printed.
    #[serde(default)]
    pub receiver: Vec<PathBuf>,
    /// Rate of the bottleneck link, bit/s, if it was given.
    pub rate: Option<f64>,
    /// RTT of the idle path, seconds, if it was given.
    pub rtt: Option<f64>,
    /// The question itself.
    pub request: ProveRequest,
}

impl Asked {
    /// Returns all files that are read.
    pub fn files(&self) -> Vec<PathBuf> {
        [&self.sources[..], &self.sender, &self.receiver].concat()
    }
}

/// Reads the question of a proof that is kept in a folder.
pub fn asked(folder: &Path) -> Result<Asked, ProofError> {
    let asked: Asked = read(folder, ASKED)?;
    let [least, most] = [prove::BUDGET_RANGE_NS.start(), prove::BUDGET_RANGE_NS.end()].map(|ns| *ns as f64 / 1e9);
    match asked.request.budget {
        budget if (least..=most).contains(&budget) => Ok(asked),
        budget => {
            let what = format!("a budget of {budget} s, and prove takes {least} to {most} s");
            Err(ProofError::Damaged { path: folder.join(PROOF).join(ASKED), what })
        }
    }
}

fn read<T: for<'de> Deserialize<'de>>(folder: &Path, name: &str) -> Result<T, ProofError> {
    Ok(read_text(folder, name)?.0)
}

/// Reads a file: its parsed content, and its text.
fn read_text<T: for<'de> Deserialize<'de>>(folder: &Path, name: &str) -> Result<(T, Vec<u8>), ProofError> {
    let proof = Folder::open(folder)?.folder(PROOF)?;
    let damaged = |error: serde_json::Error| ProofError::Damaged { path: proof.place(name), what: error.to_string() };
    let text = proof.read(name, MAX_TEXT_BYTES)?;
    Ok((serde_json::from_slice(&text).map_err(damaged)?, text))
}

/// Proves a case and keeps the proof in a folder. `before` are the explanations with less evidence. Progress is printed
/// in `columns` columns.
pub fn prove(
    case: &Case,
    evidence: &Evidence,
    asked: &Asked,
    before: Vec<String>,
    folder: &Path,
    jobs: usize,
    columns: usize,
) -> Result<Verdict, ProofError> {
    let (folder, _lock) = claimed(folder)?;
    let mut lab = Rounds { folder: anew(&folder, ROUNDS)?, jobs, columns, number: 0, began: Instant::now() };
    let verdict = Verdict { before, ..prove::prove(case, &asked.request, &mut lab)? };
    folder.remove(ROUNDS)?;
    keep(case, evidence, asked, &verdict, &anew(&folder, PROOF)?)?;
    Ok(verdict)
}

/// Claims the folder of a proof for this process while the lock lives: two processes would remove each other's rounds.
fn claimed(folder: &Path) -> Result<(Folder, File), ProofError> {
    fs::create_dir_all(folder).map_err(AccessError::writing(folder))?;
    let folder = Folder::open(folder)?;
    let lock = folder.lock()?.ok_or_else(|| FolderError::Busy(folder.path().into()))?;
    Ok((folder, lock))
}

/// Makes an empty folder, and removes whatever has its name: the rest of an interrupted proof, a proof of less
/// evidence, or a user's file.
fn anew(folder: &Folder, name: &str) -> Result<Folder, FileError> {
    folder.remove(name)?;
    folder.make(name)
}

fn keep(case: &Case, evidence: &Evidence, asked: &Asked, verdict: &Verdict, proof: &Folder) -> Result<(), ProofError> {
    proof.write_whole("case.json", json(case))?;
    proof.write_whole("evidence.json", json(evidence))?;
    proof.write_whole(ASKED, json(asked))?;
    proof.write_whole("report.html", prove::report(case, verdict))?;
    let experiments: BTreeMap<String, String> = prove::experiments(case, verdict, SEEDS).into_iter().collect();
    for (name, text) in &experiments {
        proof.write_whole(name, text)?;
    }
    proof.write_whole(edited::WRITTEN, json(&experiments))?;
    let verdict = json(verdict);
    // A proof that cannot be remembered is later shown as somebody else's.
    let _ = trust::remember_proof(&verdict);
    proof.write_whole(VERDICT, verdict)?;
    Ok(sums::write(proof)?)
}

/// Returns the files of a kept proof that changed since it wrote them, except the experiments, which users may change.
/// Without its sums nobody knows what changed.
pub fn changed(folder: &Path) -> Result<Vec<String>, ProofError> {
    let proof = Folder::open(folder)?.folder(PROOF)?;
    if !proof.has(sums::SUMS) {
        return Ok(vec![format!("{} is missing", sums::SUMS)]);
    }
    let damaged = |what: String| ProofError::Damaged { path: proof.place(sums::SUMS), what };
    let all = sums::changed(&proof).map_err(damaged)?;
    Ok(all.into_iter().filter(|name| !name.ends_with(".toml")).collect())
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("plain data") + "\n"
}

/// Whether a proof is kept in a folder.
pub fn is_kept(folder: &Path) -> bool {
    Folder::open(folder).and_then(|folder| folder.folder(PROOF)).is_ok_and(|proof| proof.has(VERDICT))
}

/// Returns the folder in which a proof is kept, given itself or its folder `proof`.
pub fn home(folder: &Path) -> Option<PathBuf> {
    let parent = || folder.parent().map(|parent| if parent.as_os_str().is_empty() { Path::new(".") } else { parent });
    let above = || parent().filter(|parent| folder.ends_with(PROOF) && is_kept(parent)).map(Path::to_owned);
    if is_kept(folder) { Some(folder.components().collect()) } else { above() }
}

/// Reads the verdict of a proof that is kept in a folder.
pub fn kept(folder: &Path) -> Result<Verdict, ProofError> {
    read(folder, VERDICT)
}

/// Returns a sentence for each edited experiment of a kept proof.
pub fn edits(folder: &Path) -> Result<Vec<String>, ProofError> {
    edited::edited(&Folder::open(folder)?.folder(PROOF)?)
}

/// Reads the verdict, and whether this user's goodput wrote it.
pub fn kept_by(folder: &Path) -> Result<(Verdict, bool), ProofError> {
    let (verdict, text) = read_text(folder, VERDICT)?;
    Ok((verdict, trust::knows_proof(&String::from_utf8_lossy(&text))))
}

/// Runs each round as an experiment in a folder of its own.
struct Rounds {
    folder: Folder,
    jobs: usize,
    columns: usize,
    number: usize,
    began: Instant,
}

impl Laboratory for Rounds {
    type Error = ProofError;

    fn run(&mut self, design: &Design) -> Result<Vec<Vec<Shown>>, ProofError> {
        let out = format!("{:02}", self.number);
        let file = format!("{out}.toml");
        self.number += 1;
        self.folder.write(&file, design.text())?;
        let request = run::RunRequest {
            experiment: self.folder.place(&file),
            out: Some(self.folder.place(&out)),
            jobs: self.jobs,
            replay: None,
            cache: true,
            kernel: None,
            seeds: Some(Seeds { first: design.first as u64, count: design.seeds as u64 }),
            vary: vec![],
            files: Files::Beside,
            allow_commands: false,
        };
        let run = run::record(&request)?;
        let shown = |at: usize| {
            let own = (0..design.seeds).filter_map(|seed| shown(&run, at * design.seeds + seed, design).transpose());
            own.collect::<Result<Vec<Shown>, ProofError>>()
        };
        let all = (0..design.cases.len()).map(shown).collect::<Result<_, _>>()?;
        self.folder.remove(&out)?;
        Ok(all)
    }

    fn say(&mut self, what: &str) {
        output::note(progress_line(self.began.elapsed().as_secs_f64(), what, self.columns));
    }
}

/// Formats a line of progress with the seconds so far.
fn progress_line(seconds: f64, what: &str, columns: usize) -> String {
    show::hanging(&format!("{seconds:4.0} s  "), what, columns).trim_end().to_owned()
}

/// Reads the result of a trial: a ping is flow 0, competing transfers come next, then the transfer's own connections.
/// `None` for a trial that failed, or whose transfer never began.
pub fn shown(run: &RunFolder, trial: usize, design: &Design) -> Result<Option<Shown>, ProofError> {
    if !run.is_finished(trial) {
        return Ok(None);
    }
    let folder = run.trial(trial).map_err(FolderError::from)?;
    let facts = recording::facts(&folder)?;
    let Design { case, beside, .. } = design;
    let mut flows: BTreeMap<usize, [Vec<Sample>; 2]> = BTreeMap::new();
    recording::samples(&folder, |sample| {
        flows.entry(sample.flow as usize).or_default()[usize::from(sample.end != 0)].push(*sample);
    })?;
    let stood = |flow: usize| facts.span(flow)[0] as f64 + case.begins() * 1e9;
    let first = beside.flows() + design.others();
    let own = flows.range(first..);
    // FreeBSD does not count what a sender waits for.
    let counts_limits = case.systems.sender == System::Linux;
    let held = own.clone().next().and_then(|(_, [sent, _])| mostly(sent)).filter(|_| counts_limits);
    let traces = own.filter_map(|(flow, [sent, got])| Trace::of_samples(sent, got, stood(*flow), &case.instrument));
    let Some(trace) = Trace::of_streams(traces.collect()) else { return Ok(None) };
    let trace = if counts_limits { trace } else { trace.without_linux() };
    let pings = recording::exchanges(&folder)?.remove(&0).unwrap_or_default();
    let rtts: Vec<f64> =
        pings.iter().filter_map(|ping| Some(ping.end?.saturating_sub(ping.start) as f64 / 1e9)).collect();
    let [from, to] = [0.0, case.instrument.seconds()].map(|time| stood(first) + time * 1e9);
    let others = flows.range(beside.flows().min(1)..first).map(|(_, ends)| ends);
    let others = others.map(|[_, received]| prove::arrived(received, from, to)).reduce(f64::add);
    let mean = mean(&rtts);
    let pings = percentile(rtts, 0.95).map(|p95| Pings { mean, p95 });
    // Goodput, as the measure of that name defines it.
    let carried = |flow: usize| {
        let [start, end] = facts.span(flow).map(|time| time as f64);
        Some(prove::arrived(&flows.get(&flow)?[1], start + case.omits(), end))
    };
    let goodput = (first..).map_while(carried).sum();
    Ok(Some(Shown { trace, goodput, pings, others, held }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn one_proof_at_a_time_has_a_folder() {
        let place = tempfile::tempdir().unwrap();
        let proof = place.path().join("proof");
        let held = claimed(&proof).unwrap();
        let said = claimed(&proof).expect_err("it is held").to_string();
        assert!(said.contains("another goodput is using") && said.contains("hint: try again"), "{said}");
        drop(held);
        assert!(claimed(&proof).is_ok());
    }

    #[test]
    fn no_link_in_the_folder_of_a_proof_is_followed() {
        let place = tempfile::tempdir().unwrap();
        let [own, letters] = ["own", "letters"].map(|name| place.path().join(name));
        [&own, &letters, &letters.join("00")].iter().for_each(|folder| fs::create_dir(folder).unwrap());
        fs::write(letters.join("00.toml"), "mine").unwrap();
        [ROUNDS, PROOF].iter().for_each(|name| symlink("../letters", own.join(name)).unwrap());
        let said = read::<Asked>(&own, ASKED).unwrap_err().to_string();
        assert!(said.contains("own/proof: it is a symbolic link") && !is_kept(&own), "{said}");
        assert!(said.contains("\n\nhint: see where it comes from"), "{said}");
        let usual = plan::run_folder::instead_of_run(&own, "usual");
        assert!(usual.starts_with("its proof is a symbolic link"), "{usual}");
        let folder = Folder::open(&own).unwrap();
        for name in [ROUNDS, PROOF] {
            let made = anew(&folder, name).unwrap();
            made.write("00.toml", "theirs").unwrap();
            made.remove("00").unwrap();
        }
        assert_eq!(fs::read_to_string(letters.join("00.toml")).unwrap(), "mine");
        assert!(letters.join("00").is_dir());
    }

    #[test]
    fn progress_lines_wrap_within_the_columns() {
        let what =
            "nearest so far: random loss 0.516 to 1.66 % with receive window, buffer 58.5 to 91.7 kB, line unknown";
        for columns in [40, 80] {
            let told = progress_line(12.4, what, columns);
            let lines: Vec<&str> = told.lines().collect();
            assert!(lines.len() > 1 && lines.iter().all(|line| line.chars().count() <= columns), "{told}");
            assert!(lines[0].starts_with("  12 s  nearest") && lines[1].starts_with("        "), "{told}");
        }
        assert_eq!(progress_line(0.0, "trying 9 candidates", 80), "   0 s  trying 9 candidates");
    }
}
