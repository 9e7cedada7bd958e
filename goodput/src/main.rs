//! The command line: data on standard output, everything else on standard error.
#![forbid(unsafe_code)]

use clap::{Args, Parser, Subcommand};
use goodput::engine::{Engine, agent::Agent, uml::Uml};
use goodput::kernel::{self, AddError, Additions, Progress, Request, Source};
use goodput::outlook::Outlook;
use goodput::progress::words;
use goodput::run::{self, Outcome, RunError};
use goodput::schedule::{INTERRUPTED, ScheduleError};
use goodput::{bisect, compare, doctor, junit, network, present, rerun, run_folder};
use serde_json::json;
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

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
    Run(RunArguments),
    /// Show what an experiment stands for: its trials, and the commands that build its network.
    Check {
        /// The experiment, a TOML file.
        spec: PathBuf,
        /// Print the plan as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Compare two runs, two points of runs, or iperf3's output of two: better, worse, equivalent, or inconclusive.
    Compare(CompareArguments),
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
    /// Find the commit of a kernel's history that broke an experiment.
    Bisect(BisectArguments),
    /// Build, show, list and remove guest kernels.
    #[command(subcommand)]
    Kernel(KernelCommand),
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
struct RunArguments {
    /// The experiment, a TOML file.
    spec: PathBuf,
    /// The run's folder [default: runs/NAME-HASH, the same for the same experiment, kernel and agent].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    jobs: Jobs,
    /// Serve the recordings of an earlier run instead of booting guests.
    #[arg(long, value_name = "RUN")]
    replay: Option<PathBuf>,
    /// The guest kernel for an experiment that names none [default: the newest].
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Run nothing; say how many trials are finished, cached and to be run, and how long that takes.
    #[arg(long)]
    dry_run: bool,
    /// Record every trial that the run's folder lacks: take nothing from the cache of recordings, and keep nothing there.
    #[arg(long)]
    no_cache: bool,
    /// Run many trials without asking.
    #[arg(long)]
    yes: bool,
    /// Write how each expectation came out as JUnit's XML, for CI servers.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Print table and verdict as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct CompareArguments {
    /// What is compared against: RUN, RUN:POINT such as runs/x:cubic, FILE of iperf3's, or FILE:N for its Nth listing.
    a: String,
    /// What is compared with it.
    b: String,
    /// Compare this measure; may be given several times [default: what the kinds of the flows are compared by].
    #[arg(long = "measure", value_name = "NAME")]
    measures: Vec<String>,
    /// The relative difference that counts as none, in per cent.
    #[arg(long, value_name = "PER CENT", default_value_t = goodput::stats::MARGIN * 100.0, value_parser = margin)]
    margin: f64,
    /// Compare runs over different paths.
    #[arg(long)]
    force: bool,
    /// Print the comparisons as JSON.
    #[arg(long)]
    json: bool,
}

fn margin(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim().trim_end_matches('%').trim().parse().ok();
    number.filter(|n| *n > 0.0 && *n <= 50.0).ok_or_else(|| "a number above 0 and up to 50 is accepted".into())
}

#[derive(Args)]
struct BisectArguments {
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

#[derive(Args)]
struct AdditionArguments {
    /// A patch to apply, as `git diff` or `diff -u` prints it; may be given several times.
    #[arg(long = "patch", value_name = "FILE")]
    patches: Vec<PathBuf>,
    /// A config fragment to merge, lines such as CONFIG_HZ_250=y; may be given several times.
    #[arg(long = "config", value_name = "FILE")]
    configs: Vec<PathBuf>,
    /// A folder of C files to compile into the kernel, such as a congestion control of your own; may be given several
    /// times.
    #[arg(long = "module", value_name = "DIR")]
    modules: Vec<PathBuf>,
}

impl AdditionArguments {
    fn read(&self) -> Result<Additions, AddError> {
        Additions::read(&self.patches, &self.configs, &self.modules)
    }
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

#[derive(Subcommand)]
enum KernelCommand {
    /// Build a guest kernel: Debian's newest source that apt can reach, or a source of your own.
    Add {
        /// Its name in experiments [default: its version].
        name: Option<String>,
        /// A Debian package such as linux-source-7.2, a tarball, a kernel tree, or a git tree with @REVISION
        /// [default: Debian's newest].
        #[arg(long, value_name = "SOURCE")]
        from: Option<String>,
        #[command(flatten)]
        additions: AdditionArguments,
        /// Take the name from the kernel that has it.
        #[arg(long)]
        replace: bool,
        /// Build nothing if this goodput has built a kernel of that name, or any without a name.
        #[arg(long, conflicts_with = "replace")]
        if_missing: bool,
    },
    /// Show one guest kernel: its version, patches, options and congestion controls.
    Show {
        /// Its name.
        name: String,
        /// Print it as JSON.
        #[arg(long)]
        json: bool,
    },
    /// List the guest kernels.
    List {
        /// Print them as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Remove a guest kernel.
    Remove {
        /// Its name.
        name: String,
    },
    /// Remove sources and objects that make the next build quick, and no kernel.
    Clean,
}

/// Prints a line of data; whoever reads it may stop reading, which is no error.
macro_rules! out {
    ($($text:tt)*) => {
        if writeln!(std::io::stdout(), $($text)*).is_err() {
            std::process::exit(0);
        }
    };
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

fn run_failure(error: RunError) -> Failure {
    let code = match error {
        RunError::Schedule(ScheduleError::Interrupted { .. }) => INTERRUPT,
        _ => COULD_NOT_RUN,
    };
    Failure { text: error.to_string(), code }
}

fn execute(command: Command) -> Result<u8, Failure> {
    match command {
        Command::Run(arguments) => run_spec(arguments),
        Command::Check { spec, json } => check(&spec, json),
        Command::Compare(arguments) => compare_sides(arguments),
        Command::Rerun { run, jobs, json } => run_again(&run, jobs.number(), json),
        Command::Report { run, json } => report(&run, json),
        Command::Bisect(arguments) => find_commit(arguments),
        Command::Kernel(command) => kernels(command),
        Command::Doctor { json } => examine(json),
        Command::Trial { plan, index, replay } => {
            run::trial(&plan, index, replay.as_deref()).map_err(run_failure)?;
            Ok(0)
        }
    }
}

fn run_spec(arguments: RunArguments) -> Result<u8, Failure> {
    let request = run::Request {
        spec: arguments.spec,
        out: arguments.out,
        jobs: arguments.jobs.number(),
        replay: arguments.replay,
        cache: !arguments.no_cache,
        kernel: arguments.kernel,
    };
    if arguments.dry_run {
        let outlook = run::preview(&request).map_err(run_failure)?;
        print_outlook(&outlook, arguments.json)?;
        return Ok(0);
    }
    let outcome = run::run(&request, |trials, about| arguments.yes || confirm(trials, about)).map_err(run_failure)?;
    if let Some(file) = &arguments.junit {
        let xml = junit::xml(&outcome.plan.title, &present::cases(&outcome.plan, &outcome.verdict));
        std::fs::write(file, xml).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(print_outcome(&outcome, arguments.json))
}

/// Asks whoever is at the terminal; without one the answer is no.
fn confirm(trials: usize, about: Duration) -> bool {
    if !(std::io::stdin().is_terminal() && std::io::stderr().is_terminal()) {
        return false;
    }
    eprint!("{trials} trials would run, which takes about {}. Go on? [y/N] ", words(about));
    let mut answer = String::new();
    let read = std::io::stdin().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes")
}

fn print_outlook(outlook: &Outlook, json: bool) -> Result<(), Failure> {
    let Outlook { folder, trials, most, finished, cached, waiting, jobs, about, at_most } = outlook;
    if json {
        out!("{}", serde_json::to_string_pretty(outlook)?);
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
        let about = format!("{} {}", if *at_most { "at most about" } else { "about" }, words(*about));
        out!("takes      {about}, {jobs} at a time");
    }
    Ok(())
}

fn print_outcome(outcome: &Outcome, json: bool) -> u8 {
    let Outcome { folder, plan, verdict, report } = outcome;
    if json {
        let all = json!({ "run": folder.path(), "table": report.table, "points": report.points, "verdict": verdict });
        out!("{all:#}");
    } else {
        out!("{}\n", plan.title);
        out!("{}", present::terminal(plan, &report.table));
        verdict.sentences.iter().for_each(|sentence| out!("{sentence}"));
        verdict.caveats.iter().for_each(|caveat| out!("Caveat: {caveat}"));
        out!("\nReport: {}", folder.file(run_folder::REPORT).display());
    }
    present::exit_code(verdict)
}

fn compare_sides(arguments: CompareArguments) -> Result<u8, Failure> {
    let CompareArguments { a, b, measures, margin, force, json } = arguments;
    let answer = compare::compare(&compare::Request { sides: [a, b], measures, margin: margin / 100.0, force })?;
    if json {
        out!("{}", serde_json::to_string_pretty(&answer)?);
    } else {
        answer.sentences.iter().for_each(|sentence| out!("{sentence}"));
        if !answer.differences.is_empty() {
            out!("They differ in\n  {}", answer.differences.join("\n  "));
        }
        answer.caveats.iter().for_each(|caveat| out!("Caveat: {caveat}"));
    }
    Ok(answer.exit_code())
}

fn find_commit(arguments: BisectArguments) -> Result<u8, Failure> {
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

fn check(spec: &Path, json: bool) -> Result<u8, Failure> {
    let plan = run::plan(spec, None).map_err(run_failure)?;
    if json {
        out!("{}", serde_json::to_string_pretty(&plan)?);
        return Ok(0);
    }
    let trials = plan.trials.len();
    out!("# {}", plan.title);
    out!("# {trials} {}", if trials == 1 { "trial" } else { "trials" });
    for axis in &plan.vary {
        out!("# {} = {}", axis.key, axis.values.join(", "));
    }
    let trial = &plan.trials[0];
    let settings: Vec<String> = trial.point.iter().map(|s| format!("{} = {}", s.key, s.value)).collect();
    out!("\n# trial 0: {}", [settings, vec![format!("seed {}", trial.seed)]].concat().join(", "));
    network::commands(&trial.scene).iter().for_each(|command| out!("{command}"));
    Ok(0)
}

fn run_again(path: &Path, jobs: usize, json: bool) -> Result<u8, Failure> {
    let comparison = rerun::rerun(path, jobs).map_err(run_failure)?;
    if json {
        out!("{}", serde_json::to_string_pretty(&comparison)?);
    } else if comparison.identical() {
        out!("identical: {} files, {} bytes", comparison.files, comparison.bytes);
    } else {
        out!("different: {} of {} files", comparison.different.len(), comparison.files);
        comparison.different.iter().for_each(|file| out!("  {file}"));
        out!("the other bytes are in {}", path.join("rerun").display());
    }
    match &comparison.laboratory {
        Some(what) => eprintln!("the laboratory is not what it was: {what}"),
        None if !comparison.identical() => {
            eprintln!("kernel, agent, plan and tools are the same: this is a defect of goodput")
        }
        None => {}
    }
    Ok(if comparison.identical() { 0 } else { 1 })
}

fn report(path: &Path, json: bool) -> Result<u8, Failure> {
    let outcome = run::report(path).map_err(run_failure)?;
    Ok(print_outcome(&outcome, json))
}

fn kernels(command: KernelCommand) -> Result<u8, Failure> {
    match command {
        KernelCommand::Add { if_missing: true, name, .. }
            if kernel::find(name.as_deref()).is_ok_and(|kernel| kernel.is_current()) => {}
        KernelCommand::Add { name, from, additions, replace, .. } => {
            let source = Source::parse(from.as_deref().unwrap_or("apt"))?;
            let additions = additions.read()?;
            let mut progress = Progress::stderr();
            let added = kernel::add(&Request { name, source, additions, replace }, &mut progress);
            // Takes the bar off the terminal.
            drop(progress);
            out!("{}", line(&added?));
        }
        KernelCommand::Show { name, json: true } => {
            out!("{}", serde_json::to_string_pretty(&kernel::find(Some(&name))?)?)
        }
        KernelCommand::Show { name, json: false } => {
            let rows = kernel::find(Some(&name))?.rows();
            let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
            rows.iter().for_each(|(name, value)| out!("{name:width$}  {value}"));
        }
        KernelCommand::List { json: true } => out!("{}", serde_json::to_string_pretty(&kernel::list()?.entries)?),
        KernelCommand::List { json: false } => {
            let listing = kernel::list()?;
            for entry in &listing.entries {
                out!("{}", line(entry));
            }
            listing.damaged.iter().for_each(|damage| eprintln!("{damage}"));
        }
        KernelCommand::Remove { name } => kernel::remove(&name)?,
        KernelCommand::Clean => kernel::clean()?,
    }
    Ok(0)
}

fn line(entry: &kernel::Entry) -> String {
    let additions: String = entry.additions.iter().map(|addition| format!(" + {}", addition.path.display())).collect();
    let stale = if entry.is_current() { "" } else { "  (of another goodput)" };
    format!("{}  {}  {}{additions}{stale}", entry.names.join(", "), entry.short_hash(), entry.source.description)
}

fn examine(json: bool) -> Result<u8, Failure> {
    let mut checks = doctor::examine();
    if let Ok(entry) = kernel::find(None) {
        checks.push(doctor::boots(&entry, boot));
    }
    if json {
        out!("{}", serde_json::to_string_pretty(&checks)?);
    } else {
        checks.iter().for_each(print_check);
    }
    Ok(if checks.iter().all(doctor::Check::is_ok) { 0 } else { COULD_NOT_RUN })
}

fn print_check(check: &doctor::Check) {
    let mark = if check.is_ok() { "ok " } else { "NO " };
    out!("{mark} {:<20} {}", check.name, check.detail);
    if let doctor::Outcome::Problem { remedy } = &check.outcome {
        out!("    hint: {remedy}");
    }
}

/// Boots a kernel with a network of one short flow.
fn boot(entry: &kernel::Entry) -> Result<String, String> {
    let text = include_str!("../../examples/smoke.toml");
    let plan = goodput::spec::plan("smoke.toml", text, &[]).map_err(|e| e.to_string())?;
    let trial = &plan.trials[0];
    let agent = Agent::find().map_err(|e| e.to_string())?;
    let folder = std::env::temp_dir().join(format!("goodput-doctor-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let began = std::time::Instant::now();
    let result = Uml::new(vec![(trial.kernel.clone(), entry.clone())], agent).record(trial, &folder);
    let took = began.elapsed();
    let _ = std::fs::remove_dir_all(&folder);
    result.map_err(|e| e.to_string())?;
    Ok(format!("a trial of 0.1 s of virtual time took {:.2} s", took.as_secs_f64()))
}
