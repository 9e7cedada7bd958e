//! Scores a congestion control in one C file: compiled into a guest kernel, run over a suite, beside a baseline.
//!
//! A suite is a folder of experiments that vary `control` over two cases, *baseline* and *candidate*; there
//! `congestion" = "candidate"` and `congestion" = "baseline"` stand for the names of the controls. A third case, *alone*,
//! has the competing flow without the candidate. The first of `[compare] measures` decides a row.

use crate::doctor;
use crate::estimate::{expected, together};
use crate::kernel::{self, AddError, AddKernelRequest, Additions, AdditionsError, Entry, Progress, Source};
use crate::run::{self, Files, Outcome, RunError, RunRequest};
use analysis::{Measures, harm};
use base::interrupt::interrupted;
use base::units::Better;
use experiment::Kernel;
use plan::{Plan, Trial};
use results::judge;
use serde::Serialize;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The suite that is used by default: names and texts of its experiments.
const DEFAULT_SUITE: &[(&str, &str)] = &[
    ("1-alone", include_str!("../../../suites/score/1-alone.toml")),
    ("2-deep-queue", include_str!("../../../suites/score/2-deep-queue.toml")),
    ("3-lossy", include_str!("../../../suites/score/3-lossy.toml")),
    ("4-beside-cubic", include_str!("../../../suites/score/4-beside-cubic.toml")),
    ("5-beside-reno", include_str!("../../../suites/score/5-beside-reno.toml")),
    ("6-shared", include_str!("../../../suites/score/6-shared.toml")),
];

/// Cases of a row's `[vary.control]`.
const BASELINE: &str = "baseline";
const CANDIDATE: &str = "candidate";
const ALONE: &str = "alone";

/// Most experiments of a suite.
const MAX_ROWS: usize = 100;
/// Largest experiment and largest module, bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// Name of the kernel with the candidate; the next candidate takes it over.
const KERNEL: &str = "score";
/// With a smaller fair share in any trial, a flow starved.
const STARVED_SHARE: f64 = 0.1;

/// What to score.
#[derive(Debug, Clone)]
pub struct ScoreRequest {
    /// The C file.
    pub module: PathBuf,
    /// Folder of experiments; the default suite if `None`.
    pub suite: Option<PathBuf>,
    /// Congestion control to compare with.
    pub baseline: String,
    /// Which control to score, if the file registers several.
    pub control: Option<String>,
    /// Kernel source, as for `goodput kernel add`; that of the newest kernel here if `None`.
    pub from: Option<String>,
    pub jobs: usize,
}

/// Why nothing was scored.
#[derive(Debug, thiserror::Error)]
pub enum ScoreError {
    #[error("{}: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("{} {what}\n\nhint: {hint}", path.display())]
    Module { path: PathBuf, what: String, hint: String },
    #[error("{} {what}\n\nhint: a row is an experiment with [vary.control.baseline] and [vary.control.candidate], as in suites/score", path.display())]
    Suite { path: PathBuf, what: String },
    #[error("no control \"{name}\" in {}\n\naccepted: {}", path.display(), accepted.join(", "))]
    NoControl { name: String, path: PathBuf, accepted: Vec<String> },
    #[error(transparent)]
    Additions(#[from] AdditionsError),
    #[error(transparent)]
    Build(#[from] AddError),
    #[error(transparent)]
    Run(#[from] Box<RunError>),
    #[error(transparent)]
    Trouble(#[from] doctor::Trouble),
    #[error("interrupted")]
    Interrupted,
}

/// The score of a module: one JSON line, the same for the same file, suite and kernel.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    /// The file's name.
    pub module: String,
    pub control: String,
    pub baseline: String,
    /// SHA-256 of the kernel's inputs, the module among them.
    pub kernel: String,
    pub rows: Vec<Row>,
    /// Rows in which it is better than the baseline, worse, the same, and undecided or failed.
    pub better: usize,
    pub worse: usize,
    pub same: usize,
    pub open: usize,
}

/// A row: an experiment of the suite.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    pub name: String,
    pub title: String,
    pub verdict: RowVerdict,
    /// The measure that decides.
    pub measure: String,
    /// The comparison in a sentence; of a failed row why it failed.
    pub sentence: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidate: Option<Figures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Figures>,
}

/// What became of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowVerdict {
    Better,
    Worse,
    Same,
    Inconclusive,
    /// A guest died, or stood still.
    Failed,
}

/// Figures of one control in a row: means over the seeds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Share of what the bottleneck allows that left its queue.
    pub utilisation: Option<f64>,
    /// 95th percentile of the queueing delay at the bottleneck, s.
    pub queue_delay_p95: Option<f64>,
    /// Goodput of its flows, bit/s.
    pub goodput: Option<f64>,
    /// Jain's index of the load's flows; `None` for one flow.
    pub jain: Option<f64>,
    /// Smallest share of a flow over an equal one, in any seed; `None` for one flow.
    pub least_share: Option<f64>,
    /// Whether a flow got less than a tenth of an equal share.
    pub starved: bool,
    /// Share of its goodput that the competing flow loses beside it, by its control.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harm: Option<Harm>,
}

/// Harm to a competing flow (Ware et al. 2019).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Harm {
    pub to: String,
    pub share: Option<f64>,
}

/// What is about to run.
#[derive(Debug, Clone)]
pub struct Outlook {
    pub rows: usize,
    pub trials: usize,
    /// Expected time of the trials; compiling comes before.
    pub about: Duration,
}

/// A module that can be scored.
#[derive(Debug)]
pub struct Candidate {
    request: ScoreRequest,
    additions: Additions,
    control: String,
    rows: Vec<(String, String)>,
}

impl Candidate {
    /// Reads module and suite; nothing is compiled.
    pub fn read(request: &ScoreRequest) -> Result<Candidate, ScoreError> {
        let path = &request.module;
        let wrong =
            |what: &str, hint: &str| ScoreError::Module { path: path.clone(), what: what.into(), hint: hint.into() };
        if path.extension().is_none_or(|ending| ending != "c") || !path.is_file() {
            return Err(wrong("is no C file", "name one file that ends in .c, such as examples/congestion/aimd.c"));
        }
        if size(path)? > MAX_FILE_BYTES {
            return Err(wrong("is larger than 1 MiB", "score the congestion control alone"));
        }
        let additions = Additions::read(&[], &[], std::slice::from_ref(path))?;
        let names = additions.modules[0].congestion_controls.clone();
        let control = match (&request.control, names.as_slice()) {
            (_, []) => {
                let hint = "define a struct tcp_congestion_ops with .name, and register it, as examples/congestion/aimd.c does";
                return Err(wrong("registers no congestion control", hint));
            }
            (Some(name), all) if !all.contains(name) => {
                return Err(ScoreError::NoControl { name: name.clone(), path: path.clone(), accepted: names });
            }
            (Some(name), _) => name.clone(),
            (None, [one]) => one.clone(),
            (None, all) => {
                let what = format!("registers several congestion controls: {}", all.join(", "));
                return Err(wrong(&what, "say which with --control NAME"));
            }
        };
        if !plan::is_congestion(&control) {
            return Err(wrong(&format!("registers \"{control}\""), "a name has 1 to 15 of a-z, 0-9, _ and -"));
        }
        if control == request.baseline {
            return Err(wrong(
                &format!("registers \"{control}\", the baseline"),
                "compare with another one: --baseline NAME",
            ));
        }
        let rows = rows(request.suite.as_deref())?;
        let controls = [(CANDIDATE, &control), (BASELINE, &request.baseline)];
        let named = |text: String, (word, control): (&str, &String)| {
            text.replace(&format!("congestion\" = \"{word}\""), &format!("congestion\" = \"{control}\""))
        };
        let rows = rows.into_iter().map(|(name, text)| (name, controls.into_iter().fold(text, named))).collect();
        Ok(Candidate { request: request.clone(), additions, control, rows })
    }

    /// Returns what will run.
    pub fn outlook(&self) -> Result<Outlook, ScoreError> {
        let plans = self.rows.iter().map(|(name, text)| self.plan(name, text)).collect::<Result<Vec<Plan>, _>>()?;
        let trials = || plans.iter().flat_map(|plan| &plan.trials);
        let about = together(trials().map(|trial| expected(&trial.scene)), self.request.jobs);
        Ok(Outlook { rows: plans.len(), trials: trials().count(), about })
    }

    /// Reads a row as an experiment, and checks that it has the cases of a suite.
    fn plan(&self, name: &str, text: &str) -> Result<Plan, ScoreError> {
        let path = self.request.suite.clone().unwrap_or_default().join(format!("{name}.toml"));
        let kernels: [Kernel; 0] = [];
        let plan = experiment::plan(&path.display().to_string(), text, &kernels)
            .map_err(|errors| Box::new(RunError::Experiment(errors)))?;
        let missing = [BASELINE, CANDIDATE].into_iter().find(|case| of_case(&plan, case).next().is_none());
        match missing {
            Some(case) => Err(ScoreError::Suite { path, what: format!("has no case control.{case}") }),
            None if plan.compare.measures.is_empty() => {
                Err(ScoreError::Suite { path, what: "has no [compare] measures, so nothing decides it".into() })
            }
            None => Ok(plan),
        }
    }

    /// Compiles the module, and runs the rows in turn; a row that fails ends it, as its guests may take minutes each.
    pub fn score(&self, progress: &mut Progress, mut told: impl FnMut(&Row)) -> Result<Score, ScoreError> {
        doctor::can_boot()?;
        let entry = self.build(progress)?;
        let place = tempfile::tempdir().map_err(|error| ScoreError::Read { path: std::env::temp_dir(), error })?;
        let mut rows: Vec<Row> = vec![];
        for (name, text) in &self.rows {
            let row = self.row(name, text, place.path())?;
            told(&row);
            let is_failed = row.verdict == RowVerdict::Failed;
            rows.push(row);
            if is_failed {
                break;
            }
        }
        let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
        let (better, worse, same) = (count(RowVerdict::Better), count(RowVerdict::Worse), count(RowVerdict::Same));
        Ok(Score {
            module: self.request.module.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            control: self.control.clone(),
            baseline: self.request.baseline.clone(),
            kernel: entry.hash,
            open: self.rows.len() - better - worse - same,
            rows,
            better,
            worse,
            same,
        })
    }

    fn build(&self, progress: &mut Progress) -> Result<Entry, ScoreError> {
        let source = self.request.from.as_deref().unwrap_or("apt");
        let source = Source::parse(source).map_err(AddError::Source)?;
        let additions = self.additions.clone();
        let request = AddKernelRequest { name: Some(KERNEL.into()), source, additions, replace: true };
        Ok(kernel::add(&request, progress)?)
    }

    fn row(&self, name: &str, text: &str, place: &Path) -> Result<Row, ScoreError> {
        let file = place.join(format!("{name}.toml"));
        fs::write(&file, text).map_err(|error| ScoreError::Read { path: file.clone(), error })?;
        let request = RunRequest {
            experiment: file,
            out: Some(place.join(name)),
            jobs: self.request.jobs,
            replay: None,
            cache: true,
            kernel: Some(KERNEL.into()),
            seeds: None,
            files: Files::Beside,
            vary: vec![],
            allow_commands: false,
        };
        let plan = self.plan(name, text)?;
        let measure = plan.compare.measures[0].clone();
        let failed = |error: &dyn std::fmt::Display| Row {
            name: name.to_owned(),
            title: plan.title.clone(),
            verdict: RowVerdict::Failed,
            measure: measure.clone(),
            sentence: error
                .to_string()
                .split("\n\nhint:")
                .next()
                .unwrap_or_default()
                .replace(&*place.to_string_lossy(), "."),
            candidate: None,
            baseline: None,
        };
        match run::run(&request, |_, _| true) {
            Ok(outcome) => Ok(judged(name, &measure, &outcome)),
            Err(_) if interrupted() => Err(ScoreError::Interrupted),
            Err(RunError::Schedule(error)) => Ok(failed(&error)),
            Err(RunError::Trial(error)) => Ok(failed(&error)),
            Err(error) => Err(Box::new(error).into()),
        }
    }
}

/// Returns the rows of a suite in the order of their names.
fn rows(suite: Option<&Path>) -> Result<Vec<(String, String)>, ScoreError> {
    let Some(folder) = suite else {
        return Ok(DEFAULT_SUITE.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect());
    };
    let read = |error| ScoreError::Read { path: folder.into(), error };
    let mut files = vec![];
    for entry in fs::read_dir(folder).map_err(read)? {
        let path = entry.map_err(read)?.path();
        if path.extension().is_some_and(|ending| ending == "toml") && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    let wrong = |what: String| ScoreError::Suite { path: folder.into(), what };
    match files.len() {
        0 => return Err(wrong("has no experiment".into())),
        many if many > MAX_ROWS => return Err(wrong(format!("has {many} experiments, accepted: up to {MAX_ROWS}"))),
        _ => {}
    }
    let text = |path: PathBuf| {
        if size(&path)? > MAX_FILE_BYTES {
            return Err(ScoreError::Suite { path, what: "is larger than 1 MiB".into() });
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, fs::read_to_string(&path).map_err(|error| ScoreError::Read { path, error })?))
    };
    files.into_iter().map(text).collect()
}

fn size(path: &Path) -> Result<u64, ScoreError> {
    let size = fs::metadata(path).map(|data| data.len());
    size.map_err(|error| ScoreError::Read { path: path.into(), error })
}

/// Returns the trials of a case.
fn of_case<'p>(plan: &'p Plan, case: &'p str) -> impl Iterator<Item = &'p Trial> + Clone {
    let is_of =
        move |trial: &&Trial| trial.point.iter().any(|setting| setting.key == "control" && setting.value == case);
    plan.trials.iter().filter(is_of)
}

fn judged(name: &str, measure: &str, outcome: &Outcome) -> Row {
    let Outcome { plan, measures, verdict, .. } = outcome;
    let is_deciding = |one: &&judge::Compared| {
        one.measure == measure && [&one.base, &one.other].map(String::as_str) == [BASELINE, CANDIDATE]
    };
    let compared = verdict.comparisons.iter().find(is_deciding);
    Row {
        name: name.to_owned(),
        title: plan.title.clone(),
        verdict: match compared.map(|one| one.outcome) {
            Some(judge::Outcome::Better) => RowVerdict::Better,
            Some(judge::Outcome::Worse) => RowVerdict::Worse,
            Some(judge::Outcome::Equivalent) => RowVerdict::Same,
            _ => RowVerdict::Inconclusive,
        },
        measure: measure.to_owned(),
        sentence: compared.map_or_else(|| verdict.not_compared.join(" "), |one| one.sentence.clone()),
        candidate: Some(figures(plan, measures, CANDIDATE)),
        baseline: Some(figures(plan, measures, BASELINE)),
    }
}

fn figures(plan: &Plan, measures: &Measures, case: &str) -> Figures {
    let mean_of = |trials: &mut dyn Iterator<Item = Option<f64>>| {
        let all: Option<Vec<f64>> = trials.collect();
        all.filter(|all| !all.is_empty()).map(|all| all.iter().sum::<f64>() / all.len() as f64)
    };
    let of = |measure: &str| mean_of(&mut of_case(plan, case).map(|trial| measures.value(trial, measure)));
    let first = of_case(plan, case).next();
    let is_one = first.is_none_or(|trial| trial.scene.flows.len() < 2);
    let shares = of_case(plan, case).filter_map(|trial| measures.value(trial, "least-share"));
    let least_share = shares.reduce(f64::min).filter(|_| !is_one);
    // The competing flow is the one that the comparison names.
    let rival = plan.compare.flows.first();
    let number = |trial: &Trial| {
        rival.and_then(|name| trial.scene.flows.iter().position(|flow| flow.name.as_ref() == Some(name)))
    };
    let goodput_of = |case: &str, is_rival: bool| {
        mean_of(&mut of_case(plan, case).map(|trial| {
            let rival = number(trial);
            let flows: Vec<usize> =
                (0..trial.scene.flows.len()).filter(|flow| (rival == Some(*flow)) == is_rival).collect();
            measures.over(trial, "goodput", &flows)
        }))
    };
    let harm = rival.filter(|_| of_case(plan, ALONE).next().is_some()).map(|name| {
        let [alone, together] = [ALONE, case].map(|case| goodput_of(case, true));
        let share = alone.zip(together).and_then(|(alone, together)| harm(Better::More, alone, together));
        Harm { to: name.clone(), share }
    });
    Figures {
        utilisation: of("utilisation"),
        queue_delay_p95: of("queue-delay-p95"),
        goodput: goodput_of(case, false),
        jain: of("jain").filter(|_| !is_one),
        least_share,
        starved: least_share.is_some_and(|share| share < STARVED_SHARE),
        harm,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AIMD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/congestion/aimd.c");

    fn request(module: &Path) -> ScoreRequest {
        let (baseline, module) = ("cubic".into(), module.into());
        ScoreRequest { module, suite: None, baseline, control: None, from: None, jobs: 2 }
    }

    /// Every row of the default suite is an experiment with both cases, and the candidate's name in one of them.
    #[test]
    fn the_default_suite_is_sound() {
        let candidate = Candidate::read(&request(Path::new(AIMD))).unwrap();
        let outlook = candidate.outlook().unwrap();
        assert_eq!((outlook.rows, candidate.control.as_str()), (6, "aimd"));
        for (name, text) in &candidate.rows {
            let plan = candidate.plan(name, text).unwrap();
            let controls = |case| -> Vec<_> {
                of_case(&plan, case).filter_map(|t| analysis::congestion(&t.scene, &t.scene.flows[0])).collect()
            };
            assert!(controls(CANDIDATE).iter().all(|name| *name == "aimd"), "{name}");
            assert!(controls(BASELINE).iter().all(|name| *name == "cubic"), "{name}");
        }
    }

    #[test]
    fn what_cannot_be_scored_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.c");
        let said = |text: &str, change: fn(&mut ScoreRequest)| {
            fs::write(&file, text).unwrap();
            let mut request = request(&file);
            change(&mut request);
            Candidate::read(&request).unwrap_err().to_string()
        };
        let ops = |name: &str| format!("static struct tcp_congestion_ops {name} = {{\n\t.name = \"{name}\",\n}};\n");
        assert!(said("int x;\n", |_| ()).contains("registers no congestion control"));
        assert!(said(&(ops("a") + &ops("b")), |_| ()).contains("several congestion controls: a, b"));
        assert!(said(&ops("cubic"), |_| ()).contains("the baseline"));
        assert!(said(&ops("a"), |r| r.control = Some("z".into())).contains("accepted: a"));
        assert!(said(&ops("a"), |r| r.suite = Some("/nowhere".into())).contains("/nowhere"));
        let none = Candidate::read(&request(Path::new("/nowhere.c"))).unwrap_err().to_string();
        assert!(none.contains("is no C file"), "{none}");
    }
}
