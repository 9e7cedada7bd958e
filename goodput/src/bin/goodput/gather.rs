//! `gather`.

use crate::run::{Permission, Printing, print_comparison, print_outcome};
use crate::{Failure, Jobs, values};
use analysis::Measures;
use clap::Args;
use cluster::gather::{self, Gathered};
use cluster::shard::Shard;
use evidence::counted;
use lab::rerun;
use lab::run::Settled;
use std::path::PathBuf;

#[derive(Args)]
pub struct Arguments {
    /// Files of the parts.
    #[arg(required = true, value_name = "RUN.M-of-N.tar")]
    shards: Vec<PathBuf>,
    /// Folder of the whole run [default: RUN].
    #[arg(long, value_name = "RUN")]
    out: Option<PathBuf>,
    /// Record this share of the trials again on this machine and compare every byte.
    #[arg(long, value_name = "PERCENT", value_parser = |text: &str| values::percent(text, 100.0), allow_hyphen_values = true)]
    verify: Option<f64>,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    permission: Permission,
    #[command(flatten)]
    printing: Printing,
}

impl Arguments {
    /// Returns the files, without the `%` that a shell splits off in `--verify 2 %`.
    fn parts(&self) -> Vec<PathBuf> {
        let is_sign = |path: &PathBuf| self.verify.is_some() && self.shards.len() > 1 && path.as_os_str() == "%";
        self.shards.iter().filter(|path| !is_sign(path)).cloned().collect()
    }
}

/// Exit code while parts are missing.
const OPEN_EXIT_CODE: u8 = 3;

pub fn execute(arguments: &Arguments) -> Result<u8, Failure> {
    let settled = match gather::gather(&arguments.parts(), arguments.out.as_deref(), &mut Measures::default())? {
        Gathered::All(settled) => settled,
        Gathered::Missing { folder, trials, all, shards } => {
            note!(
                "{trials} of {} missing ({}); those that are there are in {}\n\nhint: `goodput run … --shard {}` records a part; then gather again",
                counted(all, "trial is", "trials are"),
                who(&shards),
                folder.display(),
                shards[0]
            );
            return Ok(OPEN_EXIT_CODE);
        }
    };
    let outcome = match settled {
        Settled::Concluded(outcome) => outcome,
        Settled::Grown(folder, more) => {
            note!(
                "{} asks for another round of {}: run every part again with the same command, then gather again",
                folder.path().display(),
                counted(more, "trial", "trials")
            );
            return Ok(OPEN_EXIT_CODE);
        }
    };
    let code = print_outcome(&outcome, &arguments.printing)?;
    let Some(percent) = arguments.verify else { return Ok(code) };
    let run = outcome.folder.path().to_owned();
    // The outcome holds the folder's lock.
    drop(outcome);
    let jobs = arguments.jobs.number();
    let comparison =
        arguments.permission.ask(|commands| rerun::rerun(&run, rerun::Sample(percent / 100.0), jobs, commands))?;
    Ok(print_comparison(&run, &comparison, false)?.max(code))
}

/// Names the incomplete parts, of which there is at least one.
fn who(shards: &[Shard]) -> String {
    const MAX_NAMED: usize = 8;
    let named: Vec<String> = shards.iter().take(MAX_NAMED).map(Shard::to_string).collect();
    let word = if shards.len() == 1 { "part" } else { "parts" };
    match shards.len().saturating_sub(MAX_NAMED) {
        0 => format!("{word} {}", named.join(", ")),
        more => format!("{word} {} and {more} more", named.join(", ")),
    }
}
