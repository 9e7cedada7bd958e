//! `field.json`: the site of a run and the budget used so far, so that the same command continues it and another does
//! not.

use super::{FieldRunError, FieldRunRequest};
use evidence::plain;
use evidence::unit::Wrong;
use experiment::{Errors, Fault};
use plan::Plan;
use plan::run_folder::{self, FolderError, RunFolder};
use serde::{Deserialize, Serialize};
use std::path::Path;

pub const FIELD: &str = "field.json";

/// The properties that trials of one run share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// Names of the connecting and the listening host in the experiment, each with its target.
    pub hosts: [[String; 2]; 2],
    pub order: u64,
    pub max_rate: Option<u64>,
    /// Tool: `agent` or `iperf3`.
    pub tool: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Log {
    pub site: Site,
    /// Times at which it was started and continued, seconds since the epoch.
    pub began: Vec<u64>,
    /// Bytes sent by all its trials.
    pub sent: u64,
}

impl Site {
    pub fn from_request(request: &FieldRunRequest, is_iperf3: bool) -> Site {
        let [from, host] = request.ends.names();
        let [connecting, listening] = request.names.clone();
        Site {
            hosts: [[connecting, from], [listening, host]],
            order: request.order,
            max_rate: request.max_rate,
            tool: if is_iperf3 { "iperf3" } else { "agent" }.into(),
        }
    }

    /// Returns the first difference from the current site.
    fn difference(&self, now: &Site) -> Option<String> {
        let hosts =
            |site: &Site| site.hosts.iter().map(|[name, host]| format!("{name}={host}")).collect::<Vec<_>>().join(",");
        let rate = |site: &Site| site.max_rate.map_or("none".into(), |rate| format!("{rate}bit/s"));
        let all = [
            ("--hosts", hosts(self), hosts(now)),
            ("--order", self.order.to_string(), now.order.to_string()),
            ("--max-rate", rate(self), rate(now)),
            ("--tool", self.tool.clone(), now.tool.clone()),
        ];
        let differs = all.into_iter().find(|(_, was, is)| was != is);
        differs.map(|(option, was, is)| format!("{option} was {was} and is {is}"))
    }
}

/// Creates the folder of a run, or opens that of the same run, which continues.
pub fn open(request: &FieldRunRequest, plan: &Plan, site: Site) -> Result<(RunFolder, Log), FieldRunError> {
    let folder = RunFolder::made(&request.out)?;
    let mut log = Log { site, began: vec![], sent: 0 };
    let has = |name: &str| folder.folder().has(name);
    if has(run_folder::PLAN) && !has(FIELD) {
        // A run that was killed right after its start has nothing else.
        let is_begun = folder.plan()?.trials.iter().any(|trial| folder.is_finished(trial.index));
        if is_begun || has(run_folder::ENVIRONMENT) {
            return Err(FolderError::OtherPlan(request.out.clone()).into());
        }
    } else if has(run_folder::PLAN) {
        let before: Log = folder.read_json(FIELD)?;
        if let Some(what) = before.site.difference(&log.site) {
            return Err(FieldRunError::OtherSite { folder: request.out.clone(), what });
        }
        same_plan(&folder.plan()?, plan, request)?;
        log = before;
    }
    folder.write_json(run_folder::PLAN, plan)?;
    folder.write_json(FIELD, &log)?;
    Ok((folder, log))
}

/// Refuses a plan if trials that an earlier one also has differ.
fn same_plan(before: &Plan, plan: &Plan, request: &FieldRunRequest) -> Result<(), FieldRunError> {
    if before.spec != plan.spec {
        return Err(other_experiment(&before.spec, plan, request));
    }
    let is_same = |index: usize| match (before.trial(index), plan.trial(index)) {
        (Some(before), Some(now)) => before == now,
        _ => true,
    };
    match before.goodput == plan.goodput && (0..plan.trials.len()).all(is_same) {
        true => Ok(()),
        false => Err(FolderError::OtherPlan(request.out.clone()).into()),
    }
}

/// Returns the error for the first line that differs.
fn other_experiment(before: &str, plan: &Plan, request: &FieldRunRequest) -> FieldRunError {
    let now = &plan.spec;
    let (mut was, mut at) = (before.split_inclusive('\n'), 0);
    let mut is = now.split_inclusive('\n');
    let (was, is) = loop {
        match (was.next(), is.next()) {
            (Some(was), Some(is)) if was == is => at += is.len(),
            (was, is) => break (was.unwrap_or("").trim_end(), is.unwrap_or("").trim_end()),
        }
    };
    let what =
        format!("is not in the experiment of {}, which has here: {}", plain::path(&request.out), plain::line(was));
    let wrong = Wrong::new(what).hint("results are never overwritten; choose another folder with --out");
    Errors::new(&request.experiment.display().to_string(), now, vec![Fault { span: at..at + is.len(), wrong }]).into()
}

/// Returns the number of finished trials in the folder of a field run.
pub fn kept(folder: &Path) -> usize {
    let Ok(run) = RunFolder::existing(folder) else { return 0 };
    match run.folder().has(FIELD) {
        true => run.plan().map_or(0, |plan| plan.trials.iter().filter(|trial| run.is_finished(trial.index)).count()),
        false => 0,
    }
}
