//! `run`, `check`, `rerun`, `report` and `trial`.

use crate::{Failure, Jobs, note_width, suite};
use base::access::AccessError;
use base::interrupt;
use base::output;
use base::process::{self, Signal};
use base::show;
use clap::{Args, ValueEnum};
use cluster::shard::Shard;
use cluster::slurm;
use evidence::{counted, plain};
use experiment::Given;
use goodput::schema;
use lab::dry_run::DryRun;
use lab::kernel;
use lab::progress::words;
use lab::rerun;
use lab::rerun::Comparison;
use lab::run::{self, Files, Outcome, RunError, Seeds};
use lab::trust::Commands;
use plan::network;
use plan::run_folder;
use prove::trials;
use results::contents;
use results::data;
use results::judge;
use results::junit;
use results::terminal::{self, Look};
use serde_json::json;
use std::fmt::Display;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args)]
pub struct Arguments {
    /// Experiment file (TOML), or a folder of them: a suite, with one table for all.
    experiment: PathBuf,
    /// Folder for the results [default: runs/NAME-HASH]; of a suite, the folder for the folders of its experiments.
    ///
    /// The hash covers experiment, kernel and agent, so running the same experiment again resumes or finishes the same
    /// folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    jobs: Jobs,
    /// Replay the recordings of an earlier run instead of booting guests.
    #[arg(long, value_name = "RUN")]
    replay: Option<PathBuf>,
    /// Guest kernel, for experiments that do not set one [default: the newest].
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Seeds of every point, in place of the experiment's: 10 for 1 to 10, 101..110 for 101 to 110.
    ///
    /// A seed gives the same trial in every range. Then [repeat.until] adds no seeds.
    #[arg(long, value_name = "N|FIRST..LAST", allow_hyphen_values = true)]
    seeds: Option<Seeds>,
    /// Values of a key, in place of those in the experiment: flows.0.congestion=cubic,bbr. May be repeated.
    ///
    /// Like a line of [vary], which it replaces or adds. A value that begins with [ or " is a list or a range in TOML.
    #[arg(long, value_name = "KEY=VALUES", allow_hyphen_values = true)]
    vary: Vec<Given>,
    /// Only print how many trials would run, and how long they would take.
    #[arg(long)]
    dry_run: bool,
    /// Neither read nor write the trial cache.
    #[arg(long)]
    no_cache: bool,
    /// Run the experiment's commands even if this machine cannot keep them from its files.
    #[arg(long)]
    allow_commands: bool,
    /// Run one of N parts, for one of several machines, into a file next to the run's folder; `goodput gather` joins them.
    #[arg(long, value_name = "M/N", allow_hyphen_values = true, conflicts_with_all = ["dry_run", "junit", "annotate", "csv", "all", "json"])]
    shard: Option<Shard>,
    #[command(flatten)]
    files: FileArguments,
    #[command(flatten)]
    cluster: Cluster,
    /// Do not ask before running more than 1,000 trials.
    #[arg(long)]
    yes: bool,
    /// Write the result of every [[expect]] as JUnit XML, for CI.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Print each expectation that does not hold as GitHub shows it beside the experiment's line; PATH is the experiment's
    /// in the repository.
    #[arg(long, value_name = "PATH", conflicts_with = "json")]
    annotate: Option<String>,
    /// Write every measure of every trial as one CSV table.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    printing: Printing,
}

/// The files that an experiment may name.
#[derive(Args)]
pub struct FileArguments {
    /// Read the trace files that the experiment names wherever they are, also through links. Without it they must lie
    /// beside the experiment or below.
    #[arg(long)]
    any_files: bool,
}

impl FileArguments {
    pub fn files(&self) -> Files {
        if self.any_files { Files::Any } else { Files::Beside }
    }
}

/// A run on a cluster.
#[derive(Args)]
struct Cluster {
    /// Run on a cluster: each part is a task of a job array. Ctrl-C leaves the jobs running, and the same command
    /// continues. All nodes must share a file system with program, kernel, experiment and results.
    #[arg(long, value_enum, conflicts_with_all = ["shard", "dry_run", "replay"])]
    executor: Option<Executor>,
    /// Parts of the run [default: as many as last five minutes each].
    #[arg(long, value_name = "N", requires = "executor", value_parser = clap::value_parser!(u32).range(1..), allow_hyphen_values = true)]
    parts: Option<u32>,
    /// Partition of the cluster.
    #[arg(long, requires = "executor")]
    partition: Option<String>,
    /// Account to charge.
    #[arg(long, requires = "executor")]
    account: Option<String>,
    /// Time limit of a task, as sbatch takes it.
    #[arg(long, value_name = "HH:MM:SS", requires = "executor")]
    time: Option<String>,
    /// Cancel the jobs of this run.
    #[arg(long, requires = "executor")]
    cancel: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Executor {
    Slurm,
}

impl Cluster {
    fn request(self, run: run::RunRequest) -> slurm::SlurmRequest {
        let option = |name: &str, value: Option<String>| value.map(|value| format!("--{name}={value}"));
        let given = [("partition", self.partition), ("account", self.account), ("time", self.time)];
        let options = given.into_iter().filter_map(|(name, value)| option(name, value)).collect();
        slurm::SlurmRequest { run, parts: self.parts.map(|parts| parts as usize), options }
    }
}

/// Output of a finished run.
#[derive(Args)]
pub struct Printing {
    /// Print every point and every measure, not only those that answer the question.
    #[arg(long)]
    all: bool,
    /// Draw cwnd and goodput over time, of the first seed of each point.
    #[arg(long, conflicts_with = "json")]
    plot: bool,
    /// Print table and verdict as JSON.
    #[arg(long)]
    pub json: bool,
}

pub fn run_experiment(arguments: Arguments) -> Result<u8, Failure> {
    if let Some(edit) = trials::edit(&arguments.experiment) {
        let what = format!("{edit}. Its expectations are of the path as the proof has it.");
        note!("{}", show::paragraph("Edited since: ", &what, note_width()).trim_end());
    }
    let request = run::RunRequest {
        experiment: arguments.experiment,
        out: arguments.out,
        jobs: arguments.jobs.number(),
        replay: arguments.replay,
        cache: !arguments.no_cache,
        kernel: arguments.kernel,
        seeds: arguments.seeds,
        vary: arguments.vary,
        files: arguments.files.files(),
        allow_commands: arguments.allow_commands,
    };
    if request.experiment.is_dir() {
        let one = [
            ("--shard", arguments.shard.is_some()),
            ("--executor", arguments.cluster.executor.is_some()),
            ("--replay", request.replay.is_some()),
            ("--junit", arguments.junit.is_some()),
            ("--csv", arguments.csv.is_some()),
            ("--all", arguments.printing.all),
        ];
        if let Some((option, _)) = one.into_iter().find(|(_, given)| *given) {
            let folder = request.experiment.display();
            return Err(Failure(format!("{option} is for one experiment, and {folder} is a folder")));
        }
        let confirm = |trials, about| arguments.yes || confirm(trials, about);
        let print_only = arguments.dry_run.then_some(print_dry_run as suite::PrintDryRun);
        return suite::run_folder(&request, arguments.printing.json, print_only, confirm);
    }
    if arguments.dry_run {
        let dry = run::dry_run(&request)?;
        print_dry_run(&dry, arguments.printing.json)?;
        return Ok(0);
    }
    if let Some(part) = arguments.shard {
        return record_part(&request, part);
    }
    let outcome = match arguments.cluster.executor {
        None => run::run(&request, |trials, about| arguments.yes || confirm(trials, about))?,
        Some(Executor::Slurm) => {
            let cancel = arguments.cluster.cancel;
            let request = arguments.cluster.request(request);
            if cancel {
                slurm::cancel(&request)?;
                return Ok(0);
            }
            *slurm::run(&request)?
        }
    };
    if let Some(file) = &arguments.junit {
        let xml = junit::xml(&outcome.plan.title, &contents::cases(&outcome.verdict));
        write(file, &xml)?;
    }
    write_csv(arguments.csv.as_deref(), &outcome)?;
    if let Some(path) = &arguments.annotate {
        annotations(path, &outcome).iter().for_each(|line| out!("{line}"));
    }
    print_outcome(&outcome, &arguments.printing)
}

/// Returns a workflow command for each expectation that does not hold, at the line of its `[[expect]]`.
fn annotations(path: &str, Outcome { plan, verdict, .. }: &Outcome) -> Vec<String> {
    let heads = plan.spec.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("[[expect]]"));
    let lines: Vec<usize> = heads.map(|(at, _)| at + 1).collect();
    // Of a property also a comma or a colon would end it (actions/toolkit, packages/core/src/command.ts).
    let escaped = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let file = escaped(path).replace(':', "%3A").replace(',', "%2C");
    let one = |(number, expected): (usize, &judge::Expected)| {
        let kind = match expected.held {
            judge::Held::Yes => return None,
            judge::Held::No => "error",
            judge::Held::Inconclusive => "warning",
        };
        let line = lines.get(number).copied().unwrap_or(1);
        Some(format!("::{kind} file={file},line={line}::{}", escaped(&plain::line(&expected.sentence))))
    };
    verdict.expectations.iter().enumerate().filter_map(one).collect()
}

fn record_part(request: &run::RunRequest, part: Shard) -> Result<u8, Failure> {
    let recorded = cluster::record::record(request, part)?;
    let own = recorded.end().map_or(0, |end| end.trials);
    out!("Part {part}: {own} of {} trials, in {}", recorded.head().outline.trials(), recorded.path().display());
    Ok(0)
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    Ok(output::file(file, text).map_err(AccessError::writing(file))?)
}

fn write_csv(file: Option<&Path>, Outcome { plan, measures, .. }: &Outcome) -> Result<(), Failure> {
    file.map_or(Ok(()), |file| write(file, &data::csv(plan, measures)))
}

/// Asks the user at the terminal; without a terminal the answer is no.
fn confirm(trials: usize, about: Duration) -> bool {
    is_at_terminal()
        && agree(format_args!(
            "{} to run, about {}. Continue? [y/N] ",
            counted(trials, "trial", "trials"),
            words(about)
        ))
}

pub fn is_at_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

pub fn agree(question: impl Display) -> bool {
    output::ask(question);
    let mut answer = String::new();
    let read = std::io::stdin().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes")
}

pub fn print_dry_run(dry: &DryRun, json: bool) -> Result<(), Failure> {
    let DryRun { folder, trials, most, finished, cached, waiting, jobs, about, .. } = dry;
    if json {
        out!("{}", crate::as_json(&schema::DRY_RUN, dry)?);
        return Ok(());
    }
    let more = if *most > *trials as u64 {
        format!(", and up to {most} as their results ask for more")
    } else {
        String::new()
    };
    out!("trials     {trials}{more}");
    out!("finished   {finished} in {}", folder.display());
    out!("cached     {cached}");
    out!("to be run  {waiting}");
    if *waiting > 0 {
        out!("takes      about {}, {jobs} at a time", words(*about));
    }
    Ok(())
}

pub fn check(experiment: &Path, files: Files, json: bool) -> Result<u8, Failure> {
    let plan = run::plan(experiment, None, None, files)?;
    if json {
        out!("{}", crate::as_json(&schema::CHECK, &plan)?);
        return Ok(0);
    }
    let trials = plan.trials.len();
    out!("# {}", plain::line(&plan.title));
    let (points, seeds) = (plan.points().len() as u64, plan.repeat.seeds);
    let more = if plan.most_trials() > trials as u64 {
        format!(", and up to {} as their results ask for more", plan.most_trials())
    } else {
        String::new()
    };
    let (trials, points) = (counted(trials, "trial", "trials"), counted(points, "point", "points"));
    let each = if plan.points().len() == 1 { "" } else { " each" };
    out!("# valid: {trials}, {points} with {}{each}{more}", counted(seeds, "seed", "seeds"));
    for axis in &plan.vary {
        out!("# {}", plain::line(&format!("{} = {}", axis.key, axis.values.join(", "))));
    }
    for kernel in plan.kernels().into_iter().filter_map(|name| kernel::find(Some(name)).ok()) {
        if !kernel.is_current() {
            let names = kernel.names.join(", ");
            out!("# kernel {names} was built by another version of goodput; before a run: {}", kernel.again());
        }
    }
    let trial = &plan.trials[0];
    let settings: Vec<String> = trial.point.iter().map(|s| format!("{} = {}", s.key, s.value)).collect();
    let settings = [settings, vec![format!("seed {}", trial.seed)]].concat().join(", ");
    out!("\n# trial 0: {}", plain::line(&settings));
    network::commands(&trial.scene).iter().for_each(|command| out!("{command}"));
    Ok(0)
}

/// Permission to run the commands of a recorded plan.
#[derive(Args)]
pub struct Permission {
    /// Run the plan's commands, even those that you have not run before, or that this machine cannot keep from its files.
    #[arg(long)]
    allow_commands: bool,
    /// Passed by `run`, which has already asked.
    #[arg(long, hide = true)]
    any_commands: bool,
}

impl Permission {
    /// Does work that may be refused because of its commands; then asks the user at the terminal.
    pub fn ask<T>(&self, work: impl Fn(Commands) -> Result<T, RunError>) -> Result<T, RunError> {
        let commands = match self {
            Permission { allow_commands: true, .. } => Commands::Unwalled,
            Permission { any_commands: true, .. } => Commands::Any,
            Permission { .. } => Commands::Known,
        };
        match work(commands) {
            Err(RunError::Commands { folder, commands }) if is_at_terminal() => {
                note!("{} runs commands that you have not run before:", folder.display());
                commands.iter().for_each(|command| note!("  {}", plain::line(command)));
                if !agree("Run them? [y/N] ") {
                    return Err(RunError::Commands { folder, commands });
                }
                work(Commands::Any)
            }
            result => result,
        }
    }
}

pub fn run_again(path: &Path, jobs: usize, json: bool, permission: &Permission) -> Result<u8, Failure> {
    let comparison = permission.ask(|commands| rerun::rerun(path, rerun::Sample::ALL, jobs, commands))?;
    print_comparison(path, &comparison, json)
}

/// Prints the result of running trials again.
pub fn print_comparison(path: &Path, comparison: &Comparison, json: bool) -> Result<u8, Failure> {
    if json {
        out!("{}", crate::as_json(&schema::RERUN, comparison)?);
    } else if comparison.identical() {
        out!("identical: {}, {} bytes", counted(comparison.files, "file", "files"), comparison.bytes);
    } else {
        out!("different: {} of {}", comparison.different.len(), counted(comparison.files, "file", "files"));
        comparison.different.iter().for_each(|file| out!("  {}", plain::line(file)));
        out!("the new recordings are in {}", path.join("rerun").display());
    }
    match &comparison.laboratory {
        Some(what) => note!("the lab has changed since: {what}"),
        None if !comparison.identical() => {
            note!(
                "kernel, agent, plan and tools are the same: a file was changed, a machine computes wrong, or this is a bug in goodput"
            )
        }
        None => {}
    }
    Ok(if comparison.identical() { 0 } else { 1 })
}

pub fn report(path: &Path, csv: Option<&Path>, printing: &Printing) -> Result<u8, Failure> {
    let outcome = run::report_again(path)?;
    let edited = outcome.folder.edited();
    if !edited.is_empty() {
        note!("{} changed since the run: put it back as it was, or run the experiment again", edited.join(", "));
    }
    write_csv(csv, &outcome)?;
    print_outcome(&outcome, printing)
}

/// Columns of output that does not go to a terminal, for example to a mail.
const DEFAULT_COLUMNS: usize = 80;

pub fn print_outcome(outcome: &Outcome, printing: &Printing) -> Result<u8, Failure> {
    let Outcome { folder, plan, verdict, report, .. } = outcome;
    if printing.json {
        let all = json!({ "run": folder.path(), "table": report.table, "verdict": verdict });
        out!("{}", crate::as_json(&schema::RUN, &all)?);
        return Ok(contents::exit_code(verdict));
    }
    let width = terminal_size::terminal_size_of(std::io::stdout()).map_or(DEFAULT_COLUMNS, |(width, _)| width.0.into());
    let say = |head, text: &str| out!("{}", show::paragraph(head, text, width).trim_end());
    say("", &plain::line(&plan.title));
    out!("\n{}", terminal::terminal(&report.table, Look { width, all: printing.all }));
    if printing.plot {
        out!("{}", terminal::plot(report, width.min(crate::MAX_COLUMNS)).trim_start_matches('\n'));
    }
    verdict.sentences().iter().for_each(|sentence| say("", sentence));
    verdict.caveats.iter().for_each(|caveat| say("Caveat: ", caveat));
    report.kernels.iter().for_each(|kernel| say("Guest kernel: ", &plain::line(kernel)));
    out!("\nReport: {}", folder.file(run_folder::REPORT).display());
    Ok(contents::exit_code(verdict))
}

pub fn trial(
    which: run::Which,
    replay: Option<&Path>,
    parent: Option<u32>,
    permission: &Permission,
) -> Result<u8, Failure> {
    interrupt::ignore_repeats();
    if let Some(parent) = parent {
        process::die_with_parent(parent, Signal::SIGTERM)?;
    }
    permission.ask(|commands| run::trial(which, replay, commands))?;
    Ok(0)
}
