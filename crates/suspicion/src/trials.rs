//! Runs the trials of `goodput test`, each as an experiment of its own, and reads the facts that it shows.
//!
//! The trial cache keeps the recordings, so the same question is answered in a second the next time.

use crate::formula::Interval;
use crate::{Laboratory, Trial};
use analysis::Measures;
use analysis::sources;
use base::access::AccessError;
use base::output;
use base::show;
use base::units::Subject;
use evidence::Connection;
use lab::run::{self, RunError};
use plan::Plan;
use plan::recording::{self, RecordingError};
use plan::run_folder::{FolderError, RunFolder};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;
use tempfile::TempDir;

/// Why a trial could not be run.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum LabError {
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Recording(#[from] RecordingError),
    #[error(transparent)]
    Access(#[from] AccessError),
}

/// The lab of this machine, with its trials in a folder that goes away.
pub struct Lab {
    folder: TempDir,
    jobs: usize,
    columns: usize,
    kernel: Option<String>,
    began: Instant,
    /// Release of the guest's kernel, after the first trial.
    release: Option<String>,
    /// Number of experiments so far, and of those that failed.
    pub experiments: usize,
    pub failed: usize,
}

impl Lab {
    /// Opens the lab. Progress is printed in `columns` columns.
    pub fn open(jobs: usize, kernel: Option<String>, columns: usize) -> Result<Lab, LabError> {
        let folder = TempDir::with_prefix("goodput-test-").map_err(AccessError::writing(&std::env::temp_dir()))?;
        Ok(Lab { folder, jobs, columns, kernel, began: Instant::now(), release: None, experiments: 0, failed: 0 })
    }

    fn record(&self, file: &Path, out: &Path) -> Result<RunFolder, RunError> {
        run::record(&run::RunRequest {
            experiment: file.to_owned(),
            out: Some(out.to_owned()),
            jobs: self.jobs,
            replay: None,
            cache: true,
            kernel: self.kernel.clone(),
            seeds: None,
            vary: vec![],
            files: run::Files::Beside,
            allow_commands: false,
        })
    }
}

impl Laboratory for Lab {
    type Error = LabError;

    fn run(&mut self, trial: &Trial) -> Result<Option<BTreeMap<&'static str, Interval>>, LabError> {
        let name = format!("{:03}", self.experiments);
        self.experiments += 1;
        let (file, out) = (self.folder.path().join(format!("{name}.toml")), self.folder.path().join(&name));
        fs::write(&file, &trial.text).map_err(AccessError::writing(&file))?;
        let run = match self.record(&file, &out) {
            // A template may make an experiment that has no solution for some values: the point is not tried.
            Err(RunError::Experiment(errors)) => {
                output::note(format!("not tried: {errors}"));
                self.failed += 1;
                return Ok(None);
            }
            run => run?,
        };
        let plan = run.plan()?;
        if !plan.trials.iter().all(|trial| run.is_finished(trial.index)) {
            self.failed += 1;
            return Ok(None);
        }
        let measures = analysis::measure(&plan, Measures::default(), |index| run.trial(index))?;
        if let Some(first) = plan.trials.first().filter(|_| self.release.is_none()) {
            let folder = run.trial(first.index).map_err(FolderError::from)?;
            self.release = Some(recording::facts(&folder)?.release);
        }
        let mut shown = facts(&plan, &measures, trial.mss);
        if trial.wants_seconds {
            shown.extend(seconds(&plan, &run)?);
        }
        drop(run);
        let _ = fs::remove_dir_all(&out);
        Ok(Some(shown))
    }

    fn release(&self) -> Option<&str> {
        self.release.as_deref()
    }

    fn say(&mut self, what: &str) {
        let head = format!("{:4.0} s  ", self.began.elapsed().as_secs_f64());
        output::note(show::hanging(&head, what, self.columns).trim_end());
    }
}

/// Returns the range of each fact over the seeds.
fn facts(plan: &Plan, measures: &Measures, mss: f64) -> BTreeMap<&'static str, Interval> {
    let mut all: BTreeMap<&'static str, Interval> = BTreeMap::new();
    for trial in &plan.trials {
        let Some(own) = measures.get(trial.index) else { continue };
        let flows = |name: &str| {
            let named = trial.scene.flows.iter().enumerate().filter(|(_, flow)| flow.name.as_deref() == Some(name));
            named.map(|(number, _)| number).collect::<Vec<usize>>()
        };
        let of = |flow: &str, measure: &str| {
            let values: Vec<f64> =
                flows(flow).into_iter().filter_map(|number| own.get(measure, Subject::Flow, number)).collect();
            (!values.is_empty()).then_some(values)
        };
        let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
        let spread = |values: Vec<f64>| {
            let least = values.iter().copied().fold(f64::INFINITY, f64::min).max(1.0);
            values.iter().copied().fold(0.0, f64::max) / least
        };
        let shown = [
            ("goodput", of("x", "goodput").map(|values| values.iter().sum())),
            ("retransmitted", of("x", "retransmitted").map(mean)),
            ("srtt", of("x", "rtt-p50").map(mean)),
            ("ping", of("ping", "rtt-p95").map(mean)),
            ("cwnd", of("x", "cwnd-mean").map(|values| mean(values) * mss)),
            ("spread", of("x", "goodput").map(spread)),
            ("lost", of("x", "lost").map(mean)),
            ("stall", of("x", "exchange-p50").zip(of("x", "rtt-min")).map(|(whole, rtt)| mean(whole) - mean(rtt))),
        ];
        for (name, value) in shown {
            if let Some(value) = value.filter(|value: &f64| value.is_finite()) {
                let value = Interval::exactly(value);
                all.entry(name).and_modify(|range| *range = range.hull(value)).or_insert(value);
            }
        }
    }
    all
}

/// Seconds at either end of a run that are not its steady part.
const START_S: usize = 2;

/// Returns the goodput of the first second and of the steady part, over the seeds.
fn seconds(plan: &Plan, run: &RunFolder) -> Result<BTreeMap<&'static str, Interval>, LabError> {
    let mut all: BTreeMap<&'static str, Interval> = BTreeMap::new();
    for trial in &plan.trials {
        let folder = run.trial(trial.index).map_err(FolderError::from)?;
        let evidence = sources::of_trial(trial, &folder, "trial")?;
        let rates = by_seconds(&evidence.connections);
        if rates.len() <= 2 * START_S {
            continue;
        }
        let steady = &rates[START_S..rates.len() - 1];
        let late = steady.iter().sum::<f64>() / steady.len() as f64;
        for (name, value) in [("early", rates[0]), ("late", late)] {
            let value = Interval::exactly(value);
            all.entry(name).and_modify(|range| *range = range.hull(value)).or_insert(value);
        }
    }
    Ok(all)
}

/// Returns the payload that arrives in each second of the connections together, bit/s.
fn by_seconds(connections: &[Connection]) -> Vec<f64> {
    let mut rates: Vec<f64> = vec![];
    for one in connections {
        let Some([start, _]) = one.span else { continue };
        for point in &one.points {
            let second = (point.time - start - 1e-9).max(0.0) as usize;
            if rates.len() <= second {
                rates.resize(second + 1, 0.0);
            }
            rates[second] += point.bytes.unwrap_or(0.0) * 8.0;
        }
    }
    rates
}
