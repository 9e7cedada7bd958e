//! An experiment on real hosts: its flows and what varies of them, over the path that is there.
//!
//! A seed is a block: it has every treatment once, in random order, so that what drifts meets all of them alike (Fisher
//! 1935). A trial's index is its place in that order.

mod budget;
mod checked;
mod hour;
mod real_plan;
mod record;
mod shuffle;
mod spread;

pub use budget::Budget;
pub use hour::{now, utc};

use crate::analyze::{self, Measures};
use crate::environment::{Environment, RECORDER};
use crate::experiment::Errors;
use crate::field::agent::{End, FlowLoad};
use crate::field::{FieldError, Target};
use crate::folder::FileError;
use crate::plan::{Plan, Seeds, Trial};
use crate::probe::Ends;
use crate::probe::pair::{Pair, both};
use crate::recording::RecordingError;
use crate::run::{self, Outcome, RunError};
use crate::run_folder::{self, Claim, FolderError, RunFolder};
use crate::{show, study, sums};
use checked::Facts;
use evidence::plain;
pub use real_plan::{Planned, planned};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What is run, and where.
#[derive(Debug, Clone)]
pub struct Request {
    pub experiment: PathBuf,
    /// The folder of the results, which is not there yet.
    pub out: PathBuf,
    /// The connecting host is the first of `names`.
    pub ends: Ends,
    /// What the experiment calls the connecting host and the listening one.
    pub names: [String; 2],
    /// The blocks, in place of the experiment's.
    pub seeds: Option<Seeds>,
    /// The seed of the order.
    pub order: u64,
    pub budget: Budget,
    /// What all flows of a trial send at most, bits per second.
    pub max_rate: Option<u64>,
}

/// Why there is no verdict.
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
    #[error("{} has results already\n\nhint: choose another folder with --out", plain::path(.0))]
    Taken(PathBuf),
    #[error(
        "the budget was spent after {finished} of the {all} trials that every treatment needs once\n\nhint: raise --budget, lower --max-rate, or shorten the flows"
    )]
    Spent { finished: usize, all: usize },
}

/// What came of it.
pub struct Finished {
    pub outcome: Outcome,
    /// The hour, the order, and the path's own spread.
    pub remarks: Vec<String>,
}

/// What the trials have used of the budget.
#[derive(Debug, Clone, Copy, Default)]
struct Used {
    bytes: u64,
    /// The most that a trial sent.
    most: u64,
}

/// A run that is under way.
struct Work<'r> {
    request: &'r Request,
    pair: Pair,
    facts: [Facts; 2],
    folder: RunFolder,
    began: Instant,
    used: Used,
    measures: Measures,
}

/// Runs it, and tells what it is doing.
pub fn run(request: &Request, tell: &(dyn Fn(&str) + Sync)) -> Result<Finished, FieldRunError> {
    let Planned { mut plan, unused } = planned(request)?;
    if RunFolder::earlier(&request.out, &plan)?.is_some() {
        return Err(FieldRunError::Taken(request.out.clone()));
    }
    unused.iter().for_each(|line| tell(line));
    shuffle::in_blocks(&mut plan, 0, request.order);
    let pair = Pair::open(&request.ends, tell)?;
    let [near, far] = both(&pair.shells, |_, shell| Facts::of(shell));
    let facts = [near?, far?];
    checked::check(&plan, &request.names, &facts)?;
    let folder = RunFolder::open(&request.out, &plan)?;
    let began = (Instant::now(), hour::now());
    let (used, measures) = (Used::default(), Measures::default());
    let mut work = Work { request, pair, facts, folder, began: began.0, used, measures };
    work.study(&mut plan, tell)?;
    let hours = [began.1, hour::now()];
    let remarks = work.remarks(&plan, hours);
    let environment = work.environment(hours, &remarks);
    let Work { folder, measures, .. } = work;
    folder.write_json(run_folder::PLAN, &plan)?;
    folder.write_json(run_folder::ENVIRONMENT, &environment)?;
    let outcome = run::conclude(folder, plan, measures, environment)?;
    Ok(Finished { outcome, remarks })
}

impl Work<'_> {
    /// Runs the trials of a plan and those that it wants then, until it wants none or the budget is spent.
    fn study(&mut self, plan: &mut Plan, tell: &(dyn Fn(&str) + Sync)) -> Result<(), FieldRunError> {
        let treatments = plan.points().len();
        loop {
            let mut waiting: Vec<&Trial> =
                plan.trials.iter().filter(|trial| self.measures.get(trial.index).is_none()).collect();
            waiting.sort_by_key(|trial| trial.index);
            let all = plan.trials.len();
            for trial in waiting {
                if !self.trial(plan, trial, all, tell)? {
                    let finished = trial.index;
                    if finished < treatments {
                        return Err(FieldRunError::Spent { finished, all: treatments });
                    }
                    tell(&format!("the budget is spent after {finished} trials"));
                    real_plan::end_after(plan, finished);
                    return Ok(());
                }
            }
            let wanted = study::next(plan, &self.measures);
            if wanted.is_empty() {
                return Ok(());
            }
            *plan = real_plan::grown(plan.clone(), &wanted, &self.request.names)?;
            shuffle::in_blocks(plan, all, self.request.order);
            self.folder.grow(plan)?;
        }
    }

    /// Makes the flows of a trial, records and measures them; false if the budget does not reach.
    fn trial(
        &mut self,
        plan: &Plan,
        trial: &Trial,
        all: usize,
        tell: &(dyn Fn(&str) + Sync),
    ) -> Result<bool, FieldRunError> {
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
            return Ok(false);
        }
        let loads = record::loads(&trial.scene, &self.request.names[0], left, self.request.max_rate);
        let listening = record::listening_buffer(&loads);
        let ends = self.pair.flows(&loads, listening, record::longest(&loads))?;
        let sent: u64 = ends.iter().flatten().filter(|end| end.sends).map(|end| end.bytes).sum();
        self.used = Used { bytes: self.used.bytes + sent, most: self.used.most.max(sent) };
        if ends.iter().flatten().any(|end| end.was_cut) || self.began.elapsed() > budget.time {
            return Ok(false);
        }
        checked::made(&self.request.ends, &loads, &ends)?;
        self.record(trial, &loads, &ends)?;
        let series = analyze::series(&trial.scene, &self.folder.trial(trial.index)?)?;
        self.measures.insert(analyze::measure_trial(trial, &series));
        let goodput = self.measures.value(trial, "goodput").map_or("nothing arrived".into(), show::rate);
        let number = trial.index + 1;
        tell(&format!("{number} of {}: {}: {goodput}", all.max(plan.trials.len()), trial.name()));
        Ok(true)
    }

    fn record(&self, trial: &Trial, loads: &[FlowLoad], ends: &[Vec<End>; 2]) -> Result<(), FieldRunError> {
        let Claim::Ours(unfinished) = self.folder.claim(trial.index)? else {
            return Err(FieldRunError::Taken(self.request.out.clone()));
        };
        let sender = usize::from(!loads.iter().any(|load| load.forward));
        record::write(unfinished.folder(), loads, ends, &self.facts[sender].release)?;
        sums::write(unfinished.folder())?;
        Ok(unfinished.finish()?)
    }

    fn remarks(&self, plan: &Plan, [began, ended]: [u64; 2]) -> Vec<String> {
        let trials = plan.trials.len();
        let mut remarks = vec![format!(
            "Measured {} UTC to {} UTC: {trials} trials in random order (--order {}), {} sent.",
            utc(began),
            &utc(ended)[11..],
            self.request.order,
            show::bytes(self.used.bytes as f64)
        )];
        remarks.extend(spread::sentence(plan, &self.measures));
        remarks
    }

    fn environment(&self, hours: [u64; 2], remarks: &[String]) -> Environment {
        let row = |name: &str, value: String| (name.to_owned(), value);
        let [from, host] = self.request.ends.names();
        let mut rows = vec![
            row(&self.request.names[0], format!("{from}, Linux {}, connects", self.facts[0].release)),
            row(&self.request.names[1], format!("{host}, Linux {}, listens", self.facts[1].release)),
            row("address", self.pair.listening.to_string()),
            row("seen from there", self.pair.seen.to_string()),
            row("measured", format!("{} to {} UTC", utc(hours[0]), utc(hours[1]))),
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

/// What a run does, in words: each line with the host that does it.
pub fn dry_run(request: &Request) -> Result<Vec<(String, String)>, FieldRunError> {
    let Planned { mut plan, unused } = planned(request)?;
    shuffle::in_blocks(&mut plan, 0, request.order);
    let [from, host] = request.ends.names();
    let mut lines: Vec<(String, String)> = unused.into_iter().map(|line| ("here".to_owned(), line)).collect();
    for (target, name) in [(&request.ends.from, &from), (&request.ends.host, &host)] {
        lines.push((
            name.clone(),
            "take the lock /tmp/goodput-field-*.lock, a folder that goes when goodput ends".into(),
        ));
        let own = if target.shares_files() { "goodput" } else { "LOCK/goodput" };
        if !target.shares_files() {
            lines.push((name.clone(), "tee LOCK/goodput (a copy of this program)".into()));
        }
        lines.push((name.clone(), format!("{own} field agent")));
        lines.push((name.clone(), checked::FACTS.trim().to_owned()));
    }
    lines.push((host.clone(), format!("listen on TCP port {}", request.ends.port)));
    let mut trials: Vec<&Trial> = plan.trials.iter().collect();
    trials.sort_by_key(|trial| trial.index);
    for trial in trials {
        let loads = record::loads(&trial.scene, &request.names[0], request.budget, request.max_rate);
        for load in &loads {
            let sender = if load.forward { &from } else { &host };
            lines.push((sender.clone(), format!("trial {} ({}): {}", trial.index, trial.name(), record::words(load))));
        }
    }
    let length: Duration = plan.trials.iter().map(|trial| record::length(&trial.scene)).sum();
    let most = plan.most_trials();
    lines.push((
        "here".into(),
        format!(
            "{} trials of {} in all, up to {most} as their results ask for more; at most {} and {}",
            plan.trials.len(),
            show::time(length.as_secs_f64()),
            show::bytes(request.budget.bytes as f64),
            show::time(request.budget.time.as_secs_f64())
        ),
    ));
    Ok(lines)
}

/// Which of two hosts connects: this machine, which others may not reach, else the first.
pub fn connecting(hosts: [&Target; 2]) -> usize {
    usize::from(*hosts[1] == Target::Local && *hosts[0] != Target::Local)
}
