//! The command line: data on standard output, everything else on standard error.
#![forbid(unsafe_code)]

/// Prints a line of data, on standard output.
macro_rules! out {
    ($($text:tt)*) => { base::output::data(format_args!($($text)*)) };
}

/// Prints a line for the user, on standard error.
macro_rules! note {
    ($($text:tt)*) => { base::output::note(format_args!($($text)*)) };
}

mod advise;
mod apply;
mod bisect;
mod card;
mod compare;
mod diagnose;
mod doctor;
mod facts;
mod field;
mod gather;
mod guest;
mod hosts;
mod kernel;
mod manual;
mod mcp;
mod packetdrill;
mod prove;
mod reports;
mod run;
mod schema;
mod score;
mod suite;
mod test;
mod values;

use base::interrupt;
use base::output;
use base::process;
use base::show;
use clap::{Args, Parser, Subcommand};
use goodput::schema::Schema;
use lab::engine::uml::Loading;
use std::borrow::Cow;
use std::fmt::Display;
use std::io::IsTerminal;
use std::os::fd::{AsFd, RawFd};
use std::path::PathBuf;
use std::process::ExitCode;

/// Find out why TCP is slow on a path, and prove the fix before you touch production.
///
/// `diagnose` reads what you already have: iperf3, ss and sysctl output, packet captures. It needs no root, no kernel
/// and no lab. The lab (`run`) sends the same traffic through the real Linux TCP stack in virtual time: faster than real
/// time, free of noise, byte-for-byte reproducible.
#[derive(Parser)]
#[command(version, max_term_width = 100, after_help = EXIT_CODES, after_long_help = EXAMPLES_AND_EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Columns of output that no terminal shows, for example in a mail, and the most columns that are easy to read.
const DEFAULT_COLUMNS: usize = 80;
const MAX_COLUMNS: usize = 100;

/// Returns the columns of a page: the terminal's, within reason.
fn width() -> usize {
    columns(std::io::stdout())
}

/// Returns the columns of notes on standard error.
fn note_width() -> usize {
    columns(std::io::stderr())
}

fn columns(of: impl AsFd) -> usize {
    let terminal = terminal_size::terminal_size_of(of);
    terminal.map_or(DEFAULT_COLUMNS, |(columns, _)| usize::from(columns.0).clamp(DEFAULT_COLUMNS / 2, MAX_COLUMNS))
}

/// Returns the columns of a row; unlimited without a terminal, as a script takes a row for a line.
fn row_width() -> usize {
    if std::io::stdout().is_terminal() { width() } else { usize::MAX }
}

const EXIT_CODES: &str = "Exit codes: 0 success, 1 an expectation failed, 2 error, 3 inconclusive, 130 interrupted.";

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  Why is the path to HOST slow?
    goodput probe HOST
  Why is this connection slow?
    iperf3 -c HOST -J | goodput diagnose - --rate 1Gbit/s
  What should I set for a 1 Gbit/s, 210 ms path?
    goodput advise --rate 1Gbit/s --rtt 210ms
  Does BBR really help there?
    goodput run examples/long-fat-line.toml
  Change it, and get back.
    sudo goodput apply net.ipv4.tcp_congestion_control=bbr
    sudo goodput undo

Exit codes:
  0    success: every expectation held, nothing got worse
  1    an expectation failed, or `compare` found B worse
  2    error: bad input, or it could not run
  3    inconclusive
  130  interrupted, by SIGINT (Ctrl-C), SIGTERM or SIGHUP

Results go to standard output, everything else to standard error.";

/// Commands in the order in which a newcomer needs them: find the bottleneck, change settings, the lab, and its needs.
#[derive(Subcommand)]
enum Command {
    Probe(field::ProbeArguments),
    /// Find the bottleneck from tool output, packet captures or lab runs
    Diagnose(diagnose::Arguments),
    Prove(prove::Arguments),
    Test(test::TestArguments),
    Differs(facts::DiffersArguments),
    Facts(facts::FactsArguments),
    Calculate(test::CalculateArguments),
    Advise(advise::Arguments),
    Apply(apply::Arguments),
    Undo(apply::UndoArguments),
    /// Explain a diagnosis rule, or list them all
    Explain {
        /// Name of the rule, as `diagnose` prints it; omit it to list all rules.
        rule: Option<String>,
    },
    /// Show the facts that goodput read from a file, and the lines that it could not read
    ///
    /// Use it when `diagnose` seems to overlook something: the rules see only these facts.
    Import {
        /// Files, runs and `-`, as for `diagnose`.
        #[arg(required = true, value_name = "FILE|RUN|-")]
        sources: Vec<PathBuf>,
        /// Print everything that was read as JSON.
        #[arg(long)]
        json: bool,
    },
    #[command(subcommand)]
    Field(field::Command),
    /// Run an experiment, or a folder of them, in the lab; print a table and a verdict, write a report
    Run(run::Arguments),
    /// Check an experiment without running it
    ///
    /// Prints the trials and, for the first of them, the ip, tc, nft and sysctl commands that would build the same
    /// network by hand.
    Check {
        /// Experiment file (TOML).
        experiment: PathBuf,
        #[command(flatten)]
        files: run::FileArguments,
        /// Print the complete plan as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Compare two runs, two points of a run, or two iperf3 outputs
    Compare(compare::Arguments),
    /// Rebuild verdict and report of a run from its recordings
    ///
    /// Nothing is run again. Use it after upgrading goodput.
    Report {
        /// Run folder.
        run: PathBuf,
        /// Write every measure of every trial as one CSV table.
        #[arg(long, value_name = "FILE")]
        csv: Option<PathBuf>,
        #[command(flatten)]
        printing: run::Printing,
    },
    Open(reports::OpenArguments),
    Index(reports::IndexArguments),
    /// Run a recorded experiment again and compare every byte
    ///
    /// Exits with 0 if all recordings are identical, with 1 if any byte differs.
    Rerun {
        /// Folder of the run.
        run: PathBuf,
        #[command(flatten)]
        jobs: Jobs,
        #[command(flatten)]
        permission: run::Permission,
        /// Print the comparison as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Join the parts of a run that several machines recorded
    ///
    /// `goodput run EXPERIMENT --shard M/N` records part M. With all parts, the run is the one that one machine would
    /// have made, byte for byte. If its results ask for another round, run every part again, then gather again.
    Gather(gather::Arguments),
    /// Export a trial or a capture as iperf3, ss, flent or a packet capture would show it
    Export(diagnose::ExportArguments),
    Card(card::Arguments),
    /// Run packetdrill scripts against guest kernels, each in a guest of its own
    ///
    /// Needs packetdrill on this machine. Exits with 0 if all scripts pass, with 1 if any fails.
    Packetdrill(packetdrill::Arguments),
    Score(score::Arguments),
    /// Find the kernel commit that broke an experiment
    Bisect(bisect::Arguments),
    /// Build, inspect and remove guest kernels
    #[command(subcommand)]
    Kernel(kernel::Command),
    /// Check whether this machine can run the lab, and say how to fix what is missing
    Doctor {
        /// Print the checks as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON Schema of a command's output or of a file that goodput reads, or list them all
    Schema {
        /// Name of the schema, such as experiment, diagnose or kernel-list; omit it to list all of them.
        name: Option<String>,
    },
    /// Serve an assistant by the Model Context Protocol, on standard input and output
    ///
    /// The assistant reads listings, diagnoses, calculates, tests, checks and runs experiments, compares, proves and asks
    /// for advice. It changes no host, logs in to none, and runs no commands in a guest.
    Mcp {
        /// Folder below which files and runs may be named [default: the current one].
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
    },
    /// Print a shell's completion script (`make install` installs them)
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the man pages (`make install` does)
    #[command(hide = true)]
    Man {
        /// Folder to write them to
        folder: PathBuf,
    },
    /// Become the kernel of a guest, behind walls
    #[command(hide = true)]
    Guest(guest::Arguments),
    /// Run a single trial of a plan (for cluster schedulers)
    ///
    /// Needs only the plan, goodput and the guest kernel; writes into the folder that holds the plan.
    Trial {
        /// The plan.json of a run.
        plan: PathBuf,
        /// Number of the trial, from 0.
        index: usize,
        /// Replay the recordings of this run instead of booting a guest.
        #[arg(long, value_name = "RUN")]
        replay: Option<PathBuf>,
        /// Parent process; this process ends with it.
        #[arg(long, hide = true)]
        parent: Option<u32>,
        /// Read the trial from standard input.
        #[arg(long, hide = true)]
        handed: bool,
        /// Descriptor of the guest's RAM disk.
        #[arg(long, hide = true)]
        ramdisk: Option<RawFd>,
        /// Folder with the loader and the C library to use instead of the host's.
        #[arg(long, hide = true, requires = "ramdisk")]
        loader: Option<PathBuf>,
        #[command(flatten)]
        permission: run::Permission,
    },
}

#[derive(Args)]
struct Jobs {
    /// Number of trials to run in parallel [default: number of cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), allow_hyphen_values = true)]
    jobs: Option<u16>,
}

impl Jobs {
    fn number(&self) -> usize {
        self.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()), usize::from)
    }
}

const COULD_NOT_RUN: u8 = 2;

fn main() -> ExitCode {
    // If the system refuses this or the subreaper, goodput still works and ends less tidily.
    let _ = interrupt::listen();
    let ended = match Cli::try_parse() {
        // A guest's kernel adopts no orphans; the watchdog of a change outlives goodput.
        Ok(cli) if leaves_descendants(&cli.command) => execute(cli.command),
        Ok(cli) => {
            let _ = process::become_subreaper();
            execute(cli.command)
        }
        Err(answer) => answered(&answer),
    };
    let ended = ended.and_then(|code| output::finish().map(|()| code).map_err(Failure));
    process::end_descendants();
    ExitCode::from(ended.unwrap_or_else(|Failure(text)| {
        note!("{}", shown(&format!("goodput: {text}")));
        if interrupt::interrupted() { interrupt::EXIT } else { COULD_NOT_RUN }
    }))
}

fn leaves_descendants(command: &Command) -> bool {
    use field::Command::{Apply, Undo};
    matches!(command, Command::Guest(_) | Command::Apply(_) | Command::Undo(_) | Command::Field(Apply(_) | Undo(_)))
}

/// Wraps an error to the terminal's columns. Without a terminal it stays whole, so that a search finds its sentences.
fn shown(text: &str) -> Cow<'_, str> {
    match terminal_size::terminal_size_of(std::io::stderr()) {
        Some((columns, _)) => show::error(text, columns.0.into()).into(),
        None => text.into(),
    }
}

/// Returns an output as JSON that is safe to show on a terminal.
fn as_json(schema: &Schema, value: &impl serde::Serialize) -> Result<String, serde_json::Error> {
    Ok(evidence::plain::json(&serde_json::to_string_pretty(&schema.output(value))?).into_owned())
}

/// Prints clap's answer: help and version as data, anything else as an error. An error quotes the command line, into
/// which a shell may have inserted file names.
fn answered(answer: &clap::Error) -> Result<u8, Failure> {
    let text = answer.render().to_string();
    let plain = evidence::plain::text(&text);
    let fitting = if answer.use_stderr() { shown(&plain) } else { plain.clone() };
    let printed = if *fitting == text {
        answer.print()
    } else {
        output::ask(fitting);
        Ok(())
    };
    if answer.use_stderr() {
        return Ok(COULD_NOT_RUN);
    }
    printed.or_else(output::refused).map(|()| 0).map_err(Failure)
}

/// Reason why a command ends early.
struct Failure(String);

impl<E: Display> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure(error.to_string())
    }
}

fn execute(command: Command) -> Result<u8, Failure> {
    match command {
        Command::Run(arguments) => run::run_experiment(arguments),
        Command::Check { experiment, files, json } => run::check(&experiment, files.files(), json),
        Command::Compare(arguments) => compare::execute(arguments),
        Command::Rerun { run, jobs, permission, json } => run::run_again(&run, jobs.number(), json, &permission),
        Command::Report { run, csv, printing } => run::report(&run, csv.as_deref(), &printing),
        Command::Open(arguments) => reports::open(&arguments),
        Command::Index(arguments) => reports::write_index(&arguments),
        Command::Gather(arguments) => gather::execute(&arguments),
        Command::Diagnose(arguments) => diagnose::execute(arguments),
        Command::Probe(arguments) => field::probe(arguments),
        Command::Field(command) => field::execute(command),
        Command::Prove(arguments) => prove::execute(arguments),
        Command::Test(arguments) => test::test(arguments),
        Command::Differs(arguments) => facts::differ(&arguments),
        Command::Facts(arguments) => facts::print(&arguments),
        Command::Calculate(arguments) => test::calculate(&arguments),
        Command::Advise(arguments) => advise::execute(&arguments),
        Command::Apply(arguments) => apply::execute(&arguments),
        Command::Undo(arguments) => apply::undo(&arguments),
        Command::Explain { rule } => diagnose::explain(rule.as_deref()),
        Command::Import { sources, json } => diagnose::import(&sources, json),
        Command::Export(arguments) => diagnose::export(&arguments),
        Command::Card(arguments) => card::execute(&arguments),
        Command::Packetdrill(arguments) => packetdrill::execute(arguments),
        Command::Score(arguments) => score::execute(&arguments),
        Command::Bisect(arguments) => bisect::execute(arguments),
        Command::Kernel(command) => kernel::execute(command),
        Command::Guest(arguments) => guest::execute(arguments),
        Command::Doctor { json } => doctor::execute(json),
        Command::Schema { name } => schema::execute(name.as_deref()),
        Command::Mcp { folder } => mcp::serve(folder),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man { folder } => manual::pages(&folder),
        Command::Trial { plan, index, replay, parent, handed, ramdisk, loader, permission } => {
            let loading = ramdisk.map(|ramdisk| Loading { ramdisk, loader });
            let which = lab::run::Which { plan: &plan, index, handed, loading: loading.as_ref() };
            run::trial(which, replay.as_deref(), parent, &permission)
        }
    }
}
