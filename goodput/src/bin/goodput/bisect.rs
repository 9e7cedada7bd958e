//! `bisect`.

use crate::kernel::AdditionArguments;
use crate::run::FileArguments;
use crate::{Failure, Jobs};
use clap::Args;
use goodput::schema;
use lab::bisect;
use lab::doctor;
use std::path::PathBuf;

#[derive(Args)]
pub struct Arguments {
    /// Experiment (TOML) with [[expect]], and without `kernel`.
    #[arg(value_name = "FILE")]
    experiment: PathBuf,
    /// Kernel git tree.
    #[arg(long, value_name = "DIR")]
    tree: PathBuf,
    /// Revision at which every expectation holds.
    #[arg(long, value_name = "REV")]
    good: String,
    /// Later revision at which one fails.
    #[arg(long, value_name = "REV")]
    bad: String,
    #[command(flatten)]
    additions: AdditionArguments,
    #[command(flatten)]
    files: FileArguments,
    #[command(flatten)]
    jobs: Jobs,
    /// Print every step as JSON.
    #[arg(long)]
    json: bool,
}

pub fn execute(arguments: Arguments) -> Result<u8, Failure> {
    let request = bisect::BisectRequest {
        additions: arguments.additions.read()?,
        jobs: arguments.jobs.number(),
        files: arguments.files.files(),
        experiment: arguments.experiment,
        tree: arguments.tree,
        good: arguments.good,
        bad: arguments.bad,
    };
    let show = |step: &bisect::TestedCommit| {
        note!("{:4} {} {}", step.mark.word(), &step.commit[..12.min(step.commit.len())], step.subject);
        step.said.iter().for_each(|line| note!("     {line}"));
    };
    doctor::can_start()?;
    let found = bisect::bisect(&request, show)?;
    if arguments.json {
        out!("{}", crate::as_json(&schema::BISECT, &found)?);
        return Ok(0);
    }
    out!("{}", found.sentence());
    Ok(0)
}
