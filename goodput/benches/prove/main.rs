//! How often a proof is right: paths drawn at random, with evidence from the real iperf3 in the guest; docs/prove.md
//! has the tables.
//!
//! `cargo bench --package goodput --bench prove -- 20` draws the first 20 paths and evaluates the even ones, `--
//! 18..20` those from the 18th on; paths from the 1000th on have a shared bottleneck or an AQM. `--tuning` evaluates
//! the odd ones, with which the program was tuned. Results are stored, so an interrupted bench continues. `--known`
//! proves listings of known paths, `--coverage` runs their experiments again; `--pantheon` fits measurements of
//! Pantheon.
#![forbid(unsafe_code)]

mod coverage;
mod draw;
#[path = "../kept/inside.rs"]
mod inside;
mod known;
mod pantheon;
mod score;

use analysis::sources;
use diagnosis::diagnose::Given;
use draw::{Drawn, Source};
use lab::run;
use plan::recording;
use plan::run_folder::RunFolder;
use prove::trials;
use prove::{self, Beside, Case, ChangeRow, Design, Fit, SEEDS, Verdict};
use score::Outcome;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

type Failed = Box<dyn Error>;

/// Virtual seconds of a transfer.
pub const SECONDS: u32 = 10;
/// Trials, by number from 0, whose seeds no proof runs: a proof ends with the sixth. Equal seeds lose equal packets.
const TRUTH: [usize; 3] = [6, 7, 8];
const EVIDENCE: [usize; 1] = [9];
/// Name of the limit if no mechanism limits the transfer.
const LINE: &str = "line";
/// Paths of a bench without a number.
const PATHS: u64 = 40;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|one| one != "--bench").collect();
    let has = |name: &str| arguments.iter().any(|one| one == name);
    if has("--known") {
        return known::table();
    }
    if has("--coverage") {
        let only = arguments.iter().find(|one| !one.starts_with("--"));
        let done = coverage::table(only.map(String::as_str));
        return done.map_or_else(
            |error| {
                eprintln!("{error}");
                ExitCode::FAILURE
            },
            |()| ExitCode::SUCCESS,
        );
    }
    if has("--pantheon") {
        return pantheon::table();
    }
    let tuning = has("--tuning");
    let paths = arguments.iter().find_map(|one| range(one)).unwrap_or(0..PATHS);
    let (mut outcomes, mut failed) = (vec![], 0);
    for number in paths.filter(|number| (number % 2 == 1) == tuning) {
        let drawn = draw::path(number);
        match outcome(&drawn) {
            Ok(outcome) => {
                eprintln!("{number:3} {}", outcome.line());
                outcomes.push(outcome);
            }
            Err(error) => {
                eprintln!("{number:3} {}: {error}", drawn.names().join(" + "));
                failed += 1;
            }
        }
    }
    print!("{}", score::tables(&outcomes));
    println!("\n{failed} more paths failed.");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// `20`, or `18..20`.
fn range(text: &str) -> Option<Range<u64>> {
    let (from, to) = text.split_once("..").unwrap_or(("0", text));
    Some(from.parse().ok()?..to.parse().ok()?)
}

fn goodput() -> &'static str {
    env!("CARGO_BIN_EXE_goodput")
}

/// Verdict of prove on a path against the truth; from an earlier bench if it got that far.
fn outcome(drawn: &Drawn) -> Result<Outcome, Failed> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("prove").join(format!("{:03}", drawn.number));
    let kept = folder.join("outcome.json");
    if let Ok(text) = fs::read_to_string(&kept) {
        return Ok(serde_json::from_str(&text)?);
    }
    fs::create_dir_all(&folder)?;
    let evidence = evidence(drawn, &folder)?;
    let verdict = prove(&evidence, &folder.join("proof"), &[])?;
    let refused = match drawn.wrong() {
        Some(wrong) => Some(prove(&evidence, &folder.join("forced"), &["--only", wrong])?.explanations.is_empty()),
        None => None,
    };
    let truth = truth(drawn, &verdict, &folder)?;
    let binding = binding(drawn, &folder)?;
    let itself = itself(drawn, &evidence, &folder)?;
    let outcome = Outcome::of(drawn, &binding, &verdict, &truth, refused, itself.as_ref());
    fs::write(kept, serde_json::to_string_pretty(&outcome)?)?;
    Ok(outcome)
}

/// Output of the real iperf3 on the path, after the ping.
fn evidence(drawn: &Drawn, folder: &Path) -> Result<PathBuf, Failed> {
    let file = folder.join("evidence.txt");
    if file.exists() {
        return Ok(file);
    }
    let [seed] = EVIDENCE;
    let run = record(&drawn.with_iperf3(seed + 1), &folder.join("iperf3"), &EVIDENCE)?;
    let facts = recording::facts(&run.trial(seed).map_err(|error| error.error)?)?;
    let sign = match drawn.source() {
        Source::Json => "\"intervals\"",
        Source::Text => "Interval",
        Source::Ss => "State",
    };
    let printed = facts.ran.iter().map(|ran| ran.output.as_str()).find(|text| text.contains(sign));
    fs::write(&file, drawn.ping() + printed.ok_or("no program printed anything")?)?;
    Ok(file)
}

/// Fit between the evidence and the laboratory's own transfer with the drawn causes.
fn itself(drawn: &Drawn, evidence: &Path, folder: &Path) -> Result<Option<Fit>, Failed> {
    let found = sources::evidence(&[evidence.to_owned()])?.pop().ok_or("nothing was read")?.found;
    let case = Case::from_evidence(&found, Given::default()).map_err(|refusal| refusal.why)?;
    let candidate = drawn.candidate();
    let cases = [("drawn".to_owned(), candidate.keys())];
    let design = Design {
        case: &case,
        title: "What was drawn".into(),
        question: String::new(),
        base: &candidate,
        axis: "candidate",
        cases: &cases,
        seeds: SEEDS,
        first: 1,
        predicted: vec![],
        beside: Beside::Nothing,
    };
    let trials: Vec<usize> = (0..SEEDS).collect();
    let run = record(&design.text(), &folder.join("itself"), &trials)?;
    let mut traces = vec![];
    for trial in trials {
        traces.extend(trials::shown(&run, trial, &design)?.map(|shown| shown.trace));
    }
    let fit = prove::distance(&case.seen, &traces, &prove::scale(&case, &candidate.keys()));
    eprintln!("    itself: {fit:?}");
    Ok(fit)
}

fn prove(evidence: &Path, out: &Path, more: &[&str]) -> Result<Verdict, Failed> {
    let mut command = Command::new(goodput());
    command.arg("prove").arg(evidence).arg("--out").arg(out);
    command.args(["--may", "sender,receiver,path", "--jobs", "1"]);
    command.args(more).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let done = command.output()?;
    match trials::kept(out) {
        Ok(verdict) => Ok(verdict),
        Err(_) => Err(String::from_utf8_lossy(&done.stderr).into_owned().into()),
    }
}

/// Goodput and p95 RTT on the true path for each change of a verdict.
fn truth(drawn: &Drawn, verdict: &Verdict, folder: &Path) -> Result<Vec<[f64; 2]>, Failed> {
    // Each change separately, since a change on the true path may have no effect there.
    let of = |(number, row): (usize, &ChangeRow)| means(drawn, &row.keys, &folder.join(format!("truth-{number}")));
    verdict.rows.iter().enumerate().map(of).collect()
}

/// Causes among the drawn ones that limit the transfer: without them goodput rises by 5 % or more, or p95 RTT falls by
/// a third. The link, if none does.
fn binding(drawn: &Drawn, folder: &Path) -> Result<Vec<&'static str>, Failed> {
    const MIN_GAIN: f64 = 1.05;
    const MAX_RTT_RATIO: f64 = 2.0 / 3.0;
    let [now, p95] = means(drawn, &[], &folder.join("with-all"))?;
    let mut binding = vec![];
    for (at, name) in drawn.names().into_iter().enumerate() {
        let [without, left] = means(&drawn.without(at), &[], &folder.join(format!("without-{at}")))?;
        binding.extend((without >= MIN_GAIN * now || left <= MAX_RTT_RATIO * p95).then_some(name));
    }
    Ok(if binding.is_empty() { vec![LINE] } else { binding })
}

/// Goodput and p95 RTT on a path with a change, by the laboratory's own transfer: the mean of seeds.
fn means(drawn: &Drawn, keys: &[String], out: &Path) -> Result<[f64; 2], Failed> {
    let run = record(&drawn.with_change(keys, EVIDENCE[0]), out, &TRUTH)?;
    let mut sums = [0.0; 2];
    for seed in TRUTH {
        let shown = shown(&run, seed, drawn)?;
        sums.iter_mut().zip(shown).for_each(|(sum, value)| *sum += value / TRUTH.len() as f64);
    }
    Ok(sums)
}

/// Goodput and p95 RTT as prove counts them: for the duration from the connection's establishment on.
fn shown(run: &RunFolder, seed: usize, drawn: &Drawn) -> Result<[f64; 2], Failed> {
    let folder = run.trial(seed).map_err(|error| error.error)?;
    let first = 1 + drawn.others();
    let until = recording::facts(&folder)?.span(first)[0] as f64 + (drawn.rtt + f64::from(SECONDS)) * 1e9;
    let mut arrived = BTreeMap::new();
    recording::samples(&folder, |sample| {
        if sample.end == 1 && sample.flow as usize >= first && sample.time as f64 <= until {
            arrived.insert(sample.flow, sample.bytes_received);
        }
    })?;
    let arrived: u64 = arrived.values().sum();
    let pings = recording::exchanges(&folder)?.remove(&0).unwrap_or_default();
    let rtts: Vec<f64> = pings.iter().filter_map(|ping| Some((ping.end? - ping.start) as f64 / 1e9)).collect();
    let p95 = base::stats::percentile(rtts, 0.95).unwrap_or(0.0);
    Ok([arrived as f64 * 8.0 / f64::from(SECONDS), p95])
}

/// Records trials of an experiment with the program itself, since they are processes of it.
fn record(text: &str, out: &Path, trials: &[usize]) -> Result<RunFolder, Failed> {
    let file = out.with_extension("toml");
    fs::write(&file, text)?;
    let folder = RunFolder::open(out, &run::plan(&file, None, None, run::Files::Beside)?)?;
    for trial in trials {
        let mut command = Command::new(goodput());
        command.arg("trial").arg(out.join("plan.json")).arg(trial.to_string()).arg("--allow-commands");
        let done = command.stdin(Stdio::null()).output()?;
        if !done.status.success() {
            return Err(format!("{}: {}", file.display(), String::from_utf8_lossy(&done.stderr)).into());
        }
    }
    Ok(folder)
}
