//! `bisect`.

use crate::kernel::AdditionArguments;
use crate::{Failure, Jobs};
use clap::Args;
use goodput::bisect;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub struct Arguments {
    /// The experiment, a TOML file with [[expect]] that names no kernel.
    spec: PathBuf,
    /// The git tree of the kernel.
    #[arg(long, value_name = "FOLDER")]
    tree: PathBuf,
    /// A revision at which the expectations hold.
    #[arg(long, value_name = "REVISION")]
    good: String,
    /// A later revision at which they do not.
    #[arg(long, value_name = "REVISION")]
    bad: String,
    #[command(flatten)]
    additions: AdditionArguments,
    #[command(flatten)]
    jobs: Jobs,
    /// Print the search as JSON.
    #[arg(long)]
    json: bool,
}

pub fn execute(arguments: Arguments) -> Result<u8, Failure> {
    let request = bisect::Request {
        additions: arguments.additions.read()?,
        jobs: arguments.jobs.number(),
        spec: arguments.spec,
        tree: arguments.tree,
        good: arguments.good,
        bad: arguments.bad,
    };
    let show = |step: &bisect::Step| {
        eprintln!("{:4} {} {}", step.mark.word(), &step.commit[..12.min(step.commit.len())], step.subject);
        step.said.iter().for_each(|line| eprintln!("     {line}"));
    };
    let found = bisect::bisect(&request, show)?;
    if arguments.json {
        out!("{}", serde_json::to_string_pretty(&found)?);
        return Ok(0);
    }
    out!("{}", found.sentence());
    Ok(0)
}
