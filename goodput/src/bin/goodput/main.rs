//! The command line: data on standard output, everything else on standard error.
#![forbid(unsafe_code)]

/// Prints a line of data; whoever reads it may stop reading, which is no error.
macro_rules! out {
    ($($text:tt)*) => {
        if writeln!(std::io::stdout(), $($text)*).is_err() {
            std::process::exit(0);
        }
    };
}

mod bisect;
mod compare;
mod diagnose;
mod doctor;
mod experiment;
mod kernel;

use clap::{Args, Parser, Subcommand};
use goodput::advise::arguments::AdviseArguments;
use goodput::schedule::INTERRUPTED;
use std::fmt::Display;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// Find out why TCP is slow on a path, and prove the fix before anybody touches production.
///
/// Experiments run on the real Linux TCP stack in virtual time: faster than real time, without noise, and the same to
/// the byte for the same seed.
///
/// Exit codes: 0 expectations held, 1 an expectation failed, 2 could not run, 3 inconclusive, 130 interrupted.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run an experiment: print its table and verdict, write its report.
    Run(experiment::Arguments),
    /// Show what an experiment stands for: its trials, and the commands that build its network.
    Check {
        /// The experiment, a TOML file.
        spec: PathBuf,
        /// Print the plan as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Compare two runs, two points of runs, or iperf3's output of two: better, worse, equivalent, or inconclusive.
    Compare(compare::Arguments),
    /// Run a recorded plan again and compare every byte.
    Rerun {
        /// The run's folder.
        run: PathBuf,
        #[command(flatten)]
        jobs: Jobs,
        /// Print the comparison as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Write verdict and report of a run anew, from its recordings.
    Report {
        /// The run's folder.
        run: PathBuf,
        /// Print table and verdict as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Name the limit that binds: from what programs printed, captures, or runs of the laboratory.
    Diagnose(diagnose::Arguments),
    /// Say what to set on hosts for a line: buffers, congestion control, MTU, offloads, as files that can be installed.
    Advise(AdviseArguments),
    /// Say all of a rule of the diagnosis; without a name, list them.
    Explain {
        /// The rule's name.
        rule: Option<String>,
    },
    /// Show what can be read of files, and what cannot.
    Import {
        /// As `diagnose` takes them.
        #[arg(required = true, value_name = "FILE|RUN")]
        sources: Vec<PathBuf>,
        /// Print all that was read as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Write a trial in the words of another program.
    Export {
        /// A run's trial, as RUN:N.
        source: PathBuf,
        /// The program.
        #[arg(long, value_name = "PROGRAM")]
        to: diagnose::Program,
    },
    /// Find the commit of a kernel's history that broke an experiment.
    Bisect(bisect::Arguments),
    /// Build, show, list and remove guest kernels.
    #[command(subcommand)]
    Kernel(kernel::Command),
    /// Say whether this machine can run the laboratory, and what is missing.
    Doctor {
        /// Print the checks as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Run one trial of a plan into the plan's folder: what a scheduler calls.
    Trial {
        /// The plan.json of a run.
        plan: PathBuf,
        /// The trial, counted from 0.
        index: usize,
        /// Serve the recording of this run instead of booting a guest.
        #[arg(long, value_name = "RUN")]
        replay: Option<PathBuf>,
    },
}

#[derive(Args)]
struct Jobs {
    /// Trials side by side [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

impl Jobs {
    fn number(&self) -> usize {
        self.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()), usize::from)
    }
}

const COULD_NOT_RUN: u8 = 2;
const INTERRUPT: u8 = 130;

fn main() -> ExitCode {
    // A second Ctrl-C, or one while nothing listens, still ends the process by its default action.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(INTERRUPT));
        }
    });
    match execute(Cli::parse().command) {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            eprintln!("goodput: {}", failure.text);
            ExitCode::from(failure.code)
        }
    }
}

/// What is printed at the end, and the exit code.
struct Failure {
    text: String,
    code: u8,
}

impl<E: Display> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure { text: error.to_string(), code: COULD_NOT_RUN }
    }
}

fn execute(command: Command) -> Result<u8, Failure> {
    match command {
        Command::Run(arguments) => experiment::run_experiment(arguments),
        Command::Check { spec, json } => experiment::check(&spec, json),
        Command::Compare(arguments) => compare::execute(arguments),
        Command::Rerun { run, jobs, json } => experiment::run_again(&run, jobs.number(), json),
        Command::Report { run, json } => experiment::report(&run, json),
        Command::Diagnose(arguments) => diagnose::execute(arguments),
        Command::Advise(arguments) => diagnose::advise(&arguments),
        Command::Explain { rule } => diagnose::explain(rule.as_deref()),
        Command::Import { sources, json } => diagnose::import(&sources, json),
        Command::Export { source, to } => diagnose::export(&source, to),
        Command::Bisect(arguments) => bisect::execute(arguments),
        Command::Kernel(command) => kernel::execute(command),
        Command::Doctor { json } => doctor::execute(json),
        Command::Trial { plan, index, replay } => experiment::trial(&plan, index, replay.as_deref()),
    }
}
