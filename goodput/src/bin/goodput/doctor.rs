//! `doctor`.

use crate::{COULD_NOT_RUN, Failure, row_width};
use base::folder::Folder;
use base::interrupt;
use base::process;
use base::show;
use goodput::schema;
use lab::doctor;
use lab::engine::{Engine, TrialError, agent::Agent, uml::Uml};
use lab::kernel;
use std::time::Duration;

pub fn execute(json: bool) -> Result<u8, Failure> {
    let checks = process::ending_programs(Duration::ZERO, || {
        let current = kernel::find_current(None);
        let boots = current.map(|entry| doctor::boots(&entry, boot));
        doctor::examine().into_iter().chain(boots).collect::<Vec<_>>()
    });
    if interrupt::interrupted() {
        return Err("interrupted".into());
    }
    if json {
        out!("{}", crate::as_json(&schema::DOCTOR, &serde_json::json!({ "checks": checks }))?);
    } else {
        checks.iter().for_each(print_check);
    }
    Ok(if checks.iter().all(doctor::Check::is_ok) { 0 } else { COULD_NOT_RUN })
}

fn print_check(check: &doctor::Check) {
    let mark = if check.is_ok() { "ok " } else { "NO " };
    let say = |head: &str, text: &str| out!("{}", show::hanging(head, text, row_width()).trim_end());
    say(&format!("{mark} {:<20} ", check.name), &check.detail);
    if let doctor::Outcome::Problem { remedy } = &check.outcome {
        say("    hint: ", remedy);
    }
}

/// Boots a kernel with a network of one short flow.
fn boot(entry: &kernel::Entry) -> Result<String, String> {
    let text = include_str!("../../../../examples/smoke.toml");
    let plan = experiment::plan("smoke.toml", text, &[]).map_err(|e| e.to_string())?;
    let trial = &plan.trials[0];
    let agent = Agent::find().map_err(|e| e.to_string())?;
    let place = tempfile::tempdir().map_err(|e| e.to_string())?;
    let folder = Folder::open(place.path()).map_err(|e| e.to_string())?;
    let began = std::time::Instant::now();
    let laboratory = Uml::new(vec![(trial.kernel.clone(), entry.clone())], agent);
    let result = laboratory.record(trial, &folder);
    let took = began.elapsed();
    result.map_err(|error| match error {
        TrialError::Refused(refusal) => refusal.to_string(),
        TrialError::NoHold { .. } => error.to_string(),
        // The log that a hint of other errors names is already gone.
        other => other.to_string().split("\n\nhint: ").next().unwrap_or_default().to_owned(),
    })?;
    Ok(format!("a trial of 0.1 s of virtual time took {:.2} s", took.as_secs_f64()))
}
