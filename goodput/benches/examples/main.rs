//! Runs every example again: measured and expected duration of its trials, and its results on other hosts and links.
//!
//! `cargo bench -p goodput --bench examples`, with `-- NAME …` for some of them. Deviations are printed and are no
//! error.
#![forbid(unsafe_code)]

#[path = "../lab/cpu.rs"]
mod cpu;

use base::folder::Folder;
use base::show;
use lab::engine::agent::Agent;
use lab::engine::{Engine, uml::Uml};
use lab::estimate;
use lab::kernel;
use lab::run;
use plan::network::Dialect;
use plan::setting;
use plan::{Plan, Trial};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");

/// An estimate is good within this factor.
const FACTOR: f64 = 2.0;

/// The profile that represents all distributions, since they set the same.
const PROFILE: &str = "debian-13";

/// Examples that take minutes, run only if named.
const ONLY_IF_NAMED: &[&str] = &["freebsd-cubic", "two-flows"];

/// Smaller changes of goodput are not shown.
const CHANGE: f64 = 0.02;

fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let (mut times, mut changes) = (vec![], vec![]);
    let (mut good, mut points, mut changed) = (0, 0, [0, 0]);
    let wanted =
        |name: &String| if names.is_empty() { !ONLY_IF_NAMED.contains(&name.as_str()) } else { names.contains(name) };
    for (name, file) in examples().into_iter().filter(|(name, _)| wanted(name)) {
        eprintln!("{name} …");
        let ran = match example(&file) {
            Ok(ran) => ran,
            Err(why) => {
                times.push(format!("| {name} | | | | {why} |"));
                continue;
            }
        };
        let sum = |of: fn(&Ran) -> f64| ran.iter().map(of).sum::<f64>();
        let [expected, real, busy] = [sum(|r| r.expected), sum(|r| r.plain.real), sum(|r| r.plain.busy)];
        times.push(format!("| {name} | {} | {expected:.1} | {real:.1} | {busy:.1} |", ran.len()));
        good += usize::from((1.0 / FACTOR..=FACTOR).contains(&(expected / busy)));
        for Ran { point, plain, with_tc, profiled, .. } in &ran {
            let off = [with_tc, profiled].map(|other| off(plain.goodput, other.goodput));
            points += 1;
            (0..2).for_each(|n| changed[n] += usize::from(off[n] > CHANGE));
            if off.iter().any(|off| *off > CHANGE) {
                let [exact, tc, profile] = [plain, with_tc, profiled].map(Recorded::shown);
                changes.push(format!("| {name} | {point} | {exact} | {tc} | {profile} |"));
            }
        }
    }
    println!("{}\n\nSeconds of the first trial of each point, one at a time:\n", cpu::machine());
    println!("| example | trials | expected | real | CPU |\n|---|---|---|---|---|\n{}\n", times.join("\n"));
    println!("{good} of {} within a factor of {FACTOR} of their CPU time.\n", times.len());
    println!(
        "| example | point | as it is | lines of tc | {PROFILE} |\n|---|---|---|---|---|\n{}\n",
        changes.join("\n")
    );
    let [tc, profile] = changed;
    println!("Of {points} points {tc} differ by more than 2 % in goodput with lines of tc, {profile} with {PROFILE}.");
    if points > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn examples() -> BTreeMap<String, PathBuf> {
    let files = fs::read_dir(EXAMPLES).into_iter().flatten().flatten().map(|entry| entry.path());
    let named = |path: PathBuf| (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), path);
    files.filter(|path| path.extension().is_some_and(|e| e == "toml")).map(named).collect()
}

/// A point of an example.
struct Ran {
    point: String,
    expected: f64,
    plain: Recorded,
    with_tc: Recorded,
    profiled: Recorded,
}

/// A trial's goodput, its duration, and its processor time, s.
struct Recorded {
    goodput: Option<f64>,
    real: f64,
    busy: f64,
}

impl Recorded {
    fn shown(&self) -> String {
        self.goodput.map_or("none".into(), |bits| show::value(base::units::Unit::BitsPerSecond, bits))
    }
}

fn off(one: Option<f64>, other: Option<f64>) -> f64 {
    match (one, other) {
        (Some(one), Some(other)) if one > 0.0 => (other / one - 1.0).abs(),
        (one, other) => f64::from(u8::from(one != other)),
    }
}

fn example(file: &Path) -> Result<Vec<Ran>, String> {
    let text = fs::read_to_string(file).map_err(|e| e.to_string())?;
    let [plain, profiled] = [plan(&text)?, plan(&with_profile(&text))?];
    let mut seen = BTreeSet::new();
    let pairs = plain.trials.iter().zip(&profiled.trials).filter(|(trial, _)| seen.insert(trial.point.to_vec()));
    pairs
        .map(|(trial, other)| {
            Ok(Ran {
                point: setting::label(&trial.point),
                expected: estimate::expected(&trial.scene),
                plain: record(&plain, trial, Dialect::Laboratory)?,
                with_tc: record(&plain, trial, Dialect::Linux)?,
                profiled: record(&profiled, other, Dialect::Laboratory)?,
            })
        })
        .collect()
}

fn plan(text: &str) -> Result<Plan, String> {
    let traces = run::traces(
        &Path::new(EXAMPLES).join("example.toml"),
        &experiment::traces_named("example.toml", text),
        run::Files::Beside,
    );
    experiment::plan_with_traces("example.toml", text, &[], None, &traces).map_err(|errors| errors.to_string())
}

/// Adds the profile in front of the example's own settings for all hosts.
fn with_profile(text: &str) -> String {
    let key = format!("profile = {PROFILE:?}\n");
    match text.split_once("\n[hosts]") {
        Some((before, after)) => {
            let (comment, after) = after.split_once('\n').unwrap_or((after, ""));
            format!("{before}\n[hosts]{comment}\n{key}{after}")
        }
        None => format!("{text}\n[hosts]\n{key}"),
    }
}

fn record(plan: &Plan, trial: &Trial, dialect: Dialect) -> Result<Recorded, String> {
    let name = Some(trial.kernel.as_str()).filter(|name| !name.is_empty());
    let kernel = kernel::find(name).map_err(|_| format!("kernel {} is not here", trial.kernel))?;
    let program = Path::new(env!("CARGO_BIN_EXE_goodput"));
    let agent = Agent::read(program.with_file_name("goodput-agent")).map_err(|e| e.to_string())?;
    let engine = Uml::new(vec![(trial.kernel.clone(), kernel)], agent).with_program(program).with_dialect(dialect);
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let open = || Folder::open(folder.path());
    let (began, before) = (Instant::now(), cpu::of_children());
    engine.record(trial, &open().map_err(|e| e.to_string())?).map_err(|e| e.to_string())?;
    let (real, busy) = (began.elapsed().as_secs_f64(), cpu::of_children() - before);
    let alone = Plan { trials: vec![trial.clone()], ..plan.clone() };
    let measures = analysis::measure(&alone, analysis::Measures::default(), |_| open()).map_err(|e| e.to_string())?;
    Ok(Recorded { goodput: measures.value(trial, "goodput"), real, busy })
}
