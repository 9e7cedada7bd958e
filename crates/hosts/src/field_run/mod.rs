//! Runs an experiment on real hosts: its flows and their variations, over the existing path.
//!
//! A seed is a block: it has every treatment once, in random order, so that drift affects all of them alike (Fisher
//! 1935). A trial's index is its place in that order.

mod budget;
mod by_iperf3;
mod checked;
mod hour;
mod iperf_flows;
mod log;
mod place;
mod real_plan;
mod record;
mod shuffle;
mod spread;
mod steps;

pub use budget::Budget;
pub use hour::{now, utc};
pub use log::kept;
pub use steps::dry_run;

use crate::login::agent::{End, FlowLoad};
use crate::login::{FieldError, Target};
use crate::probe::pair::{Pair, both};
use crate::probe::{Ends, Tool};
use analysis::Measures;
use analysis::study;
use base::folder::FileError;
use base::interrupt::{Section, interrupted};
use base::show;
use base::sums;
use checked::Facts;
use evidence::{counted, plain};
use experiment::Errors;
use lab::environment::RECORDER;
use lab::run::{self, Files, Outcome, RunError};
pub use log::FIELD;
use log::{Log, Site};
use plan::environment::Environment;
use plan::recording::RecordingError;
use plan::run_folder::{self, Claim, FolderError, RunFolder};
use plan::{Plan, Seeds, Teller, Trial};
pub use real_plan::{Planned, planned};
use std::path::PathBuf;
use std::time::Instant;

/// A request to run an experiment on real hosts.
#[derive(Debug, Clone)]
pub struct FieldRunRequest {
    pub experiment: PathBuf,
    /// Folder of the results; that of the same run is continued.
    pub out: PathBuf,
    /// Hosts; the connecting one is the first of `names`.
    pub ends: Ends,
    /// Names of the connecting and the listening host in the experiment.
    pub names: [String; 2],
    /// Blocks, instead of the experiment's.
    pub seeds: Option<Seeds>,
    pub files: Files,
    /// Seed of the order.
    pub order: u64,
    pub budget: Budget,
    /// Largest rate of all flows of a trial together, bits per second.
    pub max_rate: Option<u64>,
}

/// The reason why there is no verdict.
#[derive(Debug, thiserror::Error)]
pub enum FieldRunError {
    #[error(transparent)]
    Field(#[from] FieldError),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("{0}")]
    Experiment(#[from] Errors),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Recording(#[from] RecordingError),
    #[error("{name} is no host of the experiment\n\naccepted: {}\n\nhint: --hosts NAME=HOST,NAME=HOST", accepted.join(", "))]
    NoHost { name: String, accepted: Vec<String> },
    #[error(
        "{} was measured otherwise: {}\n\nhint: repeat the command that started it, or choose another folder with --out",
        plain::path(folder),
        plain::line(what)
    )]
    OtherSite { folder: PathBuf, what: String },
    #[error("interrupted with {finished} of {} finished", counted(*all, "trial", "trials"))]
    Interrupted { finished: usize, all: usize },
    #[error(
        "the budget was spent after {finished} of the {all} trials that every treatment needs once\n\nhint: raise --budget, lower --max-rate, or shorten the flows"
    )]
    Spent { finished: usize, all: usize },
}

impl FieldRunError {
    /// Whether the same command may succeed later.
    pub fn is_passing(&self) -> bool {
        matches!(self, FieldRunError::Field(_) | FieldRunError::Spent { .. } | FieldRunError::Interrupted { .. })
    }
}

/// The result of a run.
pub struct Finished {
    pub outcome: Outcome,
    /// Time of the run, order, and the path's own spread.
    pub remarks: Vec<String>,
    /// Whether all required trials are finished.
    pub is_whole: bool,
}

/// The budget used by the trials of this command.
#[derive(Debug, Clone, Copy, Default)]
struct Used {
    bytes: u64,
    /// Largest number of bytes that a trial sent.
    most: u64,
}

/// A run in progress.
struct Work<'r> {
    request: &'r FieldRunRequest,
    pair: Pair,
    facts: [Facts; 2],
    folder: RunFolder,
    log: Log,
    began: Instant,
    used: Used,
    measures: Measures,
}

/// The result of a trial.
enum Came {
    Finished,
    /// The budget does not suffice.
    Spent,
    Interrupted,
}

/// Starts or continues the run, and reports its progress.
pub fn run(request: &FieldRunRequest, tell: &(dyn Fn(&str) + Sync)) -> Result<Finished, FieldRunError> {
    let asked = if request.ends.tool == Tool::Iperf3 { Teller::Iperf3 } else { Teller::Kernel };
    let mut planned_as = planned(request, asked)?;
    let pair = Pair::open(&request.ends, tell)?;
    if pair.iperf3.is_some() && asked != Teller::Iperf3 {
        planned_as = planned(request, Teller::Iperf3)?;
    }
    let Planned { mut plan, unused } = planned_as;
    unused.iter().for_each(|line| tell(line));
    let [near, far] = both(&pair.shells, |_, shell| Facts::query(shell));
    let facts = [near?, far?];
    checked::check(&plan, &request.names, &facts)?;
    real_plan::on_systems(&mut plan, &facts.each_ref().map(|facts| facts.system.as_str()));
    shuffle::in_blocks(&mut plan, 0, request.order);
    let (folder, mut log) = log::open(request, &plan, Site::from_request(request, pair.iperf3.is_some()))?;
    log.began.push(hour::now());
    tell(&format!("results go to {}", plain::path(&request.out)));
    let (used, measures) = (Used::default(), Measures::default());
    let mut work = Work { request, pair, facts, folder, log, began: Instant::now(), used, measures };
    let is_whole = work.study(&mut plan, tell)?;
    let ended = hour::now();
    let remarks = work.remarks(&plan, ended);
    let environment = work.environment(ended, &remarks);
    let Work { folder, measures, .. } = work;
    folder.write_json(run_folder::PLAN, &plan)?;
    folder.write_json(run_folder::ENVIRONMENT, &environment)?;
    folder.seal()?;
    let outcome = run::conclude(folder, plan, measures, environment)?;
    Ok(Finished { outcome, remarks, is_whole })
}

impl Work<'_> {
    /// Runs the trials of a plan and those that it requires then, until it requires none, the budget is spent or it is
    /// interrupted. Returns whether it requires none.
    fn study(&mut self, plan: &mut Plan, tell: &(dyn Fn(&str) + Sync)) -> Result<bool, FieldRunError> {
        let _section = Section::begin();
        let treatments = plan.points().len();
        loop {
            let mut waiting: Vec<&Trial> =
                plan.trials.iter().filter(|trial| self.measures.get(trial.index).is_none()).collect();
            waiting.sort_by_key(|trial| trial.index);
            let all = plan.trials.len();
            self.take_up(&waiting, tell)?;
            for trial in
                waiting.into_iter().filter(|trial| self.measures.get(trial.index).is_none()).collect::<Vec<_>>()
            {
                let finished = trial.index;
                let why = match self.trial(plan, trial, all, tell)? {
                    Came::Finished => continue,
                    Came::Spent if finished < treatments => {
                        return Err(FieldRunError::Spent { finished, all: treatments });
                    }
                    Came::Interrupted if finished < treatments => {
                        return Err(FieldRunError::Interrupted { finished, all });
                    }
                    Came::Spent => "the budget is spent",
                    Came::Interrupted => "interrupted",
                };
                tell(&format!("{why} after {}", counted(finished, "trial", "trials")));
                real_plan::end_after(plan, finished);
                return Ok(false);
            }
            let wanted = study::next(plan, &self.measures);
            if wanted.is_empty() {
                return Ok(true);
            }
            let teller = plan.trials[0].scene.record.teller;
            *plan = real_plan::grown(plan.clone(), &wanted, &self.request.names, teller)?;
            real_plan::on_systems(plan, &self.facts.each_ref().map(|facts| facts.system.as_str()));
            shuffle::in_blocks(plan, all, self.request.order);
            self.folder.grow(plan)?;
        }
    }

    /// Measures the trials that an earlier command recorded.
    fn take_up(&mut self, waiting: &[&Trial], tell: &(dyn Fn(&str) + Sync)) -> Result<(), FieldRunError> {
        let is_there = |trial: &&&Trial| self.folder.is_finished(trial.index);
        let there: Vec<&Trial> = waiting.iter().filter(is_there).copied().collect();
        self.folder.check(there.iter().copied())?;
        for trial in &there {
            let series = analysis::series(&trial.scene, &self.folder.trial(trial.index)?)?;
            self.measures.insert(analysis::measure_trial(trial, &series));
        }
        if !there.is_empty() {
            tell(&format!("{} of {} trials are there already", there.len(), waiting.len()));
        }
        Ok(())
    }

    /// Makes the flows of a trial, then records and measures them.
    fn trial(
        &mut self,
        plan: &Plan,
        trial: &Trial,
        all: usize,
        tell: &(dyn Fn(&str) + Sync),
    ) -> Result<Came, FieldRunError> {
        if interrupted() {
            return Ok(Came::Interrupted);
        }
        let length = record::length(&trial.scene);
        let budget = self.request.budget;
        let most = self
            .request
            .max_rate
            .map_or(self.used.most, |rate| self.used.most.min((rate as f64 * length.as_secs_f64() / 8.0) as u64));
        let left = Budget {
            bytes: budget.bytes.saturating_sub(self.used.bytes),
            time: budget.time.saturating_sub(self.began.elapsed()),
        };
        if left.bytes <= most || left.time <= length {
            return Ok(Came::Spent);
        }
        let loads = record::loads(&trial.scene, &self.request.names[0], left, self.request.max_rate);
        let ends = match self.flows(&loads) {
            // Ctrl-C ends ssh as well.
            Err(_) if interrupted() => return Ok(Came::Interrupted),
            ends => ends?,
        };
        let sent: u64 = ends.iter().flatten().filter(|end| end.sends).map(|end| end.bytes).sum();
        self.used = Used { bytes: self.used.bytes + sent, most: self.used.most.max(sent) };
        if ends.iter().flatten().any(|end| end.was_cut) || self.began.elapsed() > budget.time {
            return Ok(Came::Spent);
        }
        checked::made(&self.request.ends, &loads, &ends)?;
        self.record(trial, &loads, &ends)?;
        self.log.sent += sent;
        self.folder.write_json(FIELD, &self.log)?;
        let series = analysis::series(&trial.scene, &self.folder.trial(trial.index)?)?;
        self.measures.insert(analysis::measure_trial(trial, &series));
        let goodput = self.measures.value(trial, "goodput").map_or("nothing arrived".into(), show::rate);
        let number = trial.index + 1;
        tell(&format!("{number} of {}: {}: {goodput}", all.max(plan.trials.len()), trial.name()));
        Ok(Came::Finished)
    }

    fn flows(&mut self, loads: &[FlowLoad]) -> Result<[Vec<End>; 2], FieldError> {
        let longest = record::longest(loads);
        match self.pair.iperf3 {
            Some(version) => iperf_flows::flows(&self.pair.shells, version, self.pair.listening, loads, longest),
            None => self.pair.flows(loads, record::listening_buffer(loads), longest),
        }
    }

    fn record(&self, trial: &Trial, loads: &[FlowLoad], ends: &[Vec<End>; 2]) -> Result<(), FieldRunError> {
        let Claim::Ours(unfinished) = self.folder.claim(trial.index)? else {
            return Err(FolderError::Busy(self.request.out.clone()).into());
        };
        let sender = usize::from(!loads.iter().any(|load| load.forward));
        record::write(unfinished.folder(), loads, ends, &self.facts[sender].release, trial.scene.record.teller)?;
        sums::write(unfinished.folder())?;
        Ok(unfinished.finish()?)
    }

    fn began(&self) -> u64 {
        self.log.began.first().copied().unwrap_or_default()
    }

    fn remarks(&self, plan: &Plan, ended: u64) -> Vec<String> {
        let trials = plan.trials.len();
        let (began, until) = (utc(self.began()), utc(ended));
        let until = if began[..11] == until[..11] { &until[11..] } else { &until };
        let again: Vec<String> = self.log.began.iter().skip(1).map(|hour| utc(*hour)).collect();
        let again =
            if again.is_empty() { String::new() } else { format!(" It was continued at {} UTC.", again.join(", ")) };
        let mut remarks = vec![format!(
            "Measured {began} UTC to {until} UTC: {} in random order (--order {}), {} sent.{again}",
            counted(trials, "trial", "trials"),
            self.request.order,
            show::bytes(self.log.sent as f64)
        )];
        remarks.extend(spread::sentence(plan, &self.measures));
        remarks
    }

    fn environment(&self, ended: u64, remarks: &[String]) -> Environment {
        let row = |name: &str, value: String| (name.to_owned(), value);
        let [from, host] = self.request.ends.names();
        let system = |side: usize| format!("{} {}", self.facts[side].system, self.facts[side].release);
        let mut rows = vec![
            row(&self.request.names[0], format!("{from}, {}, connects", system(0))),
            row(&self.request.names[1], format!("{host}, {}, listens", system(1))),
            row("address", self.pair.listening.to_string()),
            row("seen from there", self.pair.seen.to_string()),
            row("measured", format!("{} to {} UTC", utc(self.began()), utc(ended))),
        ];
        rows.extend(remarks.iter().skip(1).map(|remark| row("path", remark.clone())));
        Environment {
            goodput: env!("CARGO_PKG_VERSION").into(),
            kernels: vec![],
            agent: "real hosts".into(),
            recorder: RECORDER.into(),
            tools: vec![],
            host: rows,
        }
    }
}

/// Returns the index of the host that connects: this machine, which others may not reach, else the first.
pub fn connecting(hosts: [&Target; 2]) -> usize {
    usize::from(*hosts[1] == Target::Local && *hosts[0] != Target::Local)
}
