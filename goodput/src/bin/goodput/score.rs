//! `score`.

use crate::{Failure, Jobs};
use base::interrupt::interrupted;
use clap::Args;
use evidence::{counted, plain};
use goodput::schema;
use lab::doctor;
use lab::kernel::Progress;
use lab::progress::words;
use lab::score::{Candidate, Outlook, Row, Score, ScoreRequest};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

/// Score a congestion control in one C file: one JSON line
///
/// Compiles the file into a guest kernel and runs a suite of experiments with it and with the baseline. The line has, row
/// by row, utilisation, the 95th percentile of the queueing delay, goodput, Jain's index, the smallest share, the harm to
/// a competing CUBIC or Reno flow, and a verdict against the baseline. The same file gives the same line. Compiler errors
/// name file, line and column. The first row whose guest dies or stands still ends it.
///
/// Exits with 0, with 1 if a row is worse than the baseline or failed, with 3 if none is better and any is inconclusive.
#[derive(Args)]
pub struct Arguments {
    /// C file that registers a congestion control, such as examples/congestion/aimd.c.
    #[arg(value_name = "MODULE.c", required_unless_present = "watch")]
    module: Option<PathBuf>,
    /// Folder of experiments in place of the built-in suite; suites/score shows what a row needs.
    #[arg(long, value_name = "DIR")]
    suite: Option<PathBuf>,
    /// Congestion control to compare with.
    #[arg(long, value_name = "CONTROL", default_value = "cubic")]
    baseline: String,
    /// Congestion control to score, if the file registers several.
    #[arg(long, value_name = "NAME")]
    control: Option<String>,
    /// Kernel source, as for `goodput kernel add` [default: Debian's newest].
    #[arg(long, value_name = "SOURCE")]
    from: Option<String>,
    /// Score every C file of this folder, and each that appears or changes, until Ctrl-C.
    #[arg(long, value_name = "DIR", conflicts_with = "module")]
    watch: Option<PathBuf>,
    #[command(flatten)]
    jobs: Jobs,
}

/// Time between two looks at a watched folder.
const LOOK_AGAIN: Duration = Duration::from_millis(500);
/// Exit codes if a row is worse or failed, and if nothing is decided.
const WORSE: u8 = 1;
const UNDECIDED: u8 = 3;

pub fn execute(arguments: &Arguments) -> Result<u8, Failure> {
    doctor::can_start()?;
    match (&arguments.module, &arguments.watch) {
        (Some(module), _) => one(module, arguments),
        (None, Some(folder)) => watch(folder, arguments),
        (None, None) => Err(Failure("nothing to score\n\nhint: name a C file, or a folder with --watch".into())),
    }
}

fn one(module: &Path, arguments: &Arguments) -> Result<u8, Failure> {
    let score = scored(module, arguments)?;
    out!("{}", line(&score)?);
    Ok(match score {
        Score { worse, ref rows, .. } if worse > 0 || rows.len() < score.better + score.same + score.open => WORSE,
        Score { ref rows, .. } if rows.iter().any(|row| row.candidate.is_none()) => WORSE,
        Score { better: 0, open, .. } if open > 0 => UNDECIDED,
        _ => 0,
    })
}

fn line(score: &Score) -> Result<String, Failure> {
    Ok(plain::json(&serde_json::to_string(&schema::SCORE.output(score))?).into_owned())
}

fn scored(module: &Path, arguments: &Arguments) -> Result<Score, Failure> {
    let request = ScoreRequest {
        module: module.to_owned(),
        suite: arguments.suite.clone(),
        baseline: arguments.baseline.clone(),
        control: arguments.control.clone(),
        from: arguments.from.clone(),
        jobs: arguments.jobs.number(),
    };
    let candidate = Candidate::read(&request)?;
    let Outlook { rows, trials, about } = candidate.outlook()?;
    let rows = counted(rows, "row", "rows");
    note!(
        "{}: {rows}, {}: about {} after compiling",
        plain::path(module),
        counted(trials, "trial", "trials"),
        words(about)
    );
    let mut progress = Progress::stderr();
    let told = |Row { name, sentence, .. }: &Row| note!("{name}: {}", plain::line(sentence));
    Ok(candidate.score(&mut progress, told)?)
}

/// Scores each file of a folder whenever it is new or has changed. A file that cannot be scored has a line with its error.
fn watch(folder: &Path, arguments: &Arguments) -> Result<u8, Failure> {
    let mut seen: BTreeMap<PathBuf, SystemTime> = BTreeMap::new();
    while !interrupted() {
        let read = |error| Failure(format!("cannot read {}: {error}", plain::path(folder)));
        let mut files = vec![];
        for entry in fs::read_dir(folder).map_err(read)? {
            let path = entry.map_err(read)?.path();
            let changed = path.metadata().and_then(|data| data.modified());
            if let (Some("c"), Ok(changed)) = (path.extension().and_then(|ending| ending.to_str()), changed) {
                files.push((path, changed));
            }
        }
        files.sort();
        for (path, changed) in files {
            if seen.insert(path.clone(), changed) == Some(changed) {
                continue;
            }
            match scored(&path, arguments) {
                Ok(score) => out!("{}", line(&score)?),
                Err(_) if interrupted() => break,
                Err(Failure(error)) => {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    let failed = serde_json::json!({ "module": name, "error": error });
                    out!("{}", plain::json(&serde_json::to_string(&schema::SCORE.output(&failed))?));
                }
            }
        }
        thread::sleep(LOOK_AGAIN);
    }
    Ok(base::interrupt::EXIT)
}
