//! `probe` and `field`.

use crate::hosts::{PathArguments, SAMPLE_INTERVAL, SshArguments, seconds, target};
use crate::run::{FileArguments, Printing, print_outcome};
use crate::{Failure, apply, diagnose, values};
use analysis::sources;
use base::interrupt;
use base::interrupt::Section;
use base::output;
use base::show;
use clap::{Args, Subcommand};
use evidence::plain::quoted;
use evidence::unit::{self, Wrong};
use hosts::field_run;
use hosts::login::agent::{self, Load};
use hosts::login::{FieldError, SCRIPT, Scope, Shell, Target, collect, is_plain};
use hosts::probe::{self, ProbeRequest, watch};
use lab::run::Seeds;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// Find out why the path to a host is slow
///
/// Connects over your own ssh and reads the settings, devices and routes of both hosts. Pings each way, finds the path
/// MTU each way, and sends TCP for some seconds each way. Then prints the diagnosis, as `diagnose` does. The folder it
/// leaves is evidence for `goodput diagnose` and `goodput prove`. Nothing is installed on the hosts, nothing is
/// changed, and no root is needed.
#[derive(Args)]
pub struct ProbeArguments {
    /// The other end: an ssh destination, or netns:NAME, docker:NAME, jail:NAME.
    #[arg(value_name = "HOST", value_parser = target)]
    host: Target,
    /// The end that connects to HOST.
    #[arg(long, value_name = "HOST2", default_value = "localhost", value_parser = target)]
    from: Target,
    #[command(flatten)]
    path: PathArguments,
    /// Length of each transfer.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = seconds, allow_hyphen_values = true)]
    time: Duration,
    /// Send no more than this, both directions together, e.g. 5GB, 1min or 5GB,1min; iperf3 obeys only the time.
    #[arg(long, value_name = "SIZE[,TIME]", default_value = "5GB", value_parser = budget, allow_hyphen_values = true)]
    budget: Budget,
    /// Congestion control of the sender instead of its default.
    #[arg(long, value_name = "NAME")]
    congestion: Option<String>,
    /// Expected rate of the link, e.g. 1Gbit/s.
    #[arg(long, value_name = "RATE", value_parser = values::rate, allow_hyphen_values = true)]
    rate: Option<f64>,
    /// Folder for the evidence [default: runs/probe-HOST].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print every command instead of running it.
    #[arg(long)]
    dry_run: bool,
    /// Print the findings as JSON.
    #[arg(long)]
    json: bool,
}

/// Look at real hosts, and change them
#[derive(Subcommand)]
pub enum Command {
    /// Print the evidence that `diagnose` reads from a host, or the script that gathers it
    ///
    /// Without HOST, prints a POSIX script for Linux and FreeBSD. Read it, run it anywhere with `sh`, mail its output.
    /// It changes nothing and needs no root.
    Collect {
        /// Host to ask: localhost, netns:NAME, docker:NAME, jail:NAME, or an ssh destination.
        #[arg(value_name = "HOST", value_parser = target)]
        host: Option<Target>,
        #[command(flatten)]
        ssh: SshArguments,
    },
    /// Show the live connections of a host, without sending anything
    ///
    /// Each connection is one line, busiest first: goodput and retransmissions since the last look, RTT, the share of
    /// time that each limit took, and the rule that `diagnose` finds. Shares are of the connection's busy time.
    Watch {
        /// Host to watch: localhost, netns:NAME, docker:NAME, jail:NAME, or an ssh destination.
        #[arg(value_name = "HOST", value_parser = target)]
        host: Target,
        #[command(flatten)]
        ssh: SshArguments,
        /// Time between two looks.
        #[arg(long, value_name = "TIME", default_value = "2s", value_parser = seconds, allow_hyphen_values = true)]
        interval: Duration,
        /// Print one table and end.
        #[arg(long)]
        once: bool,
    },
    Run(RunArguments),
    Apply(apply::Arguments),
    Undo(apply::UndoArguments),
    /// Make traffic as instructed on standard input
    #[command(hide = true)]
    Agent,
}

/// Run an experiment's flows between real hosts
///
/// Takes the flows of an experiment and their settings in [vary]: congestion control, MSS, buffers, number of streams,
/// direction, length, rate. The path and the hosts stay as they are. Every block has each treatment once, in random
/// order. Blocks are added until the interval of goodput is as narrow as [repeat] asks, or the budget is spent. Table,
/// verdicts and folder are those of `goodput run`, so `report`, `export`, `diagnose` and `compare LAB FIELD` read it.
#[derive(Args)]
pub struct RunArguments {
    /// Experiment file (TOML).
    experiment: PathBuf,
    /// Two hosts of the experiment, with their locations: NAME=HOST,NAME=HOST.
    ///
    /// HOST is localhost, netns:NAME, docker:NAME, jail:NAME, or an ssh destination. localhost connects to the other
    /// host; without localhost the first connects to the second.
    #[arg(long, value_name = "NAME=HOST,NAME=HOST", value_parser = hosts)]
    hosts: Hosts,
    #[command(flatten)]
    path: PathArguments,
    /// Stop when this much was sent, or after this time, e.g. 2min or 500MB,2min.
    #[arg(long, value_name = "SIZE[,TIME]", default_value = "5GB,10min", value_parser = budget, allow_hyphen_values = true)]
    budget: Budget,
    /// Limit the rate of all flows of a trial together, e.g. 100Mbit/s.
    #[arg(long, value_name = "RATE", value_parser = values::rate, allow_hyphen_values = true)]
    max_rate: Option<f64>,
    /// Seeds of every point, in place of the experiment's; each is a block.
    #[arg(long, value_name = "N|FIRST..LAST", allow_hyphen_values = true)]
    seeds: Option<Seeds>,
    /// Seed of the order within the blocks.
    #[arg(long, value_name = "N", default_value_t = 1, allow_hyphen_values = true)]
    order: u64,
    /// Folder for the results; if it has the same run, that run continues [default: runs/field-NAME-DATE].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the trials in their order, and every command, instead of running them.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    files: FileArguments,
    #[command(flatten)]
    printing: Printing,
}

/// Two hosts with their names in the experiment and their locations.
#[derive(Debug, Clone)]
struct Hosts([(String, Target); 2]);

fn hosts(text: &str) -> Result<Hosts, String> {
    let host = |part: &str| {
        let (name, host) = part.split_once('=').ok_or("names no host\n  accepted: NAME=HOST,NAME=HOST")?;
        Ok((name.trim().to_owned(), target(host.trim())?))
    };
    let all = text.split(',').map(host).collect::<Result<Vec<_>, String>>()?;
    let hosts: [(String, Target); 2] =
        all.try_into().map_err(|_| "has to name two hosts\n  accepted: NAME=HOST,NAME=HOST".to_owned())?;
    match hosts[0].0 == hosts[1].0 {
        true => Err(format!("names {} twice", hosts[0].0)),
        false => Ok(Hosts(hosts)),
    }
}

/// Time limit of a run if --budget has none.
const RUN_TIME: Duration = Duration::from_secs(600);

fn run(arguments: RunArguments) -> Result<u8, Failure> {
    let Hosts(mut hosts) = arguments.hosts;
    let connecting = field_run::connecting(hosts.each_ref().map(|(_, host)| host));
    hosts.rotate_left(connecting);
    let [(from, connecting), (to, listening)] = hosts;
    let out = arguments.out.unwrap_or_else(|| {
        let stem = arguments.experiment.file_stem().unwrap_or_default().to_string_lossy();
        let hour: String = field_run::utc(field_run::now()).chars().filter(|c| !"-:".contains(*c)).collect();
        unused_folder(&format!("field-{stem}-{}", hour.replace(' ', "-")))
    });
    let request = field_run::FieldRunRequest {
        experiment: arguments.experiment,
        out,
        ends: arguments.path.ends(connecting, listening),
        names: [from, to],
        seeds: arguments.seeds,
        files: arguments.files.files(),
        order: arguments.order,
        budget: field_run::Budget { bytes: arguments.budget.bytes, time: arguments.budget.time.unwrap_or(RUN_TIME) },
        max_rate: arguments.max_rate.map(|rate| rate as u64),
    };
    if arguments.dry_run {
        print_steps(field_run::dry_run(&request)?);
        return Ok(0);
    }
    let finished = match field_run::run(&request, &|doing| note!("{doing}")) {
        Ok(finished) => finished,
        Err(error) => {
            let kept = if error.is_passing() { field_run::kept(&request.out) } else { 0 };
            let next = if kept > 0 {
                format!("\nKept: {kept} of its trials. {}", to_go_on(&request.out))
            } else {
                String::new()
            };
            return Err(Failure(format!("{error}{next}")));
        }
    };
    let code = print_outcome(&finished.outcome, &arguments.printing)?;
    if !arguments.printing.json {
        finished.remarks.iter().for_each(|remark| out!("{remark}"));
    }
    if !finished.is_whole {
        note!("{}", to_go_on(&request.out));
    }
    Ok(if interrupt::interrupted() { interrupt::EXIT } else { code })
}

/// Returns the command that continues a run.
fn to_go_on(out: &Path) -> String {
    let words: Vec<String> = std::env::args().collect();
    let names_folder = words.iter().any(|word| word == "--out" || word.starts_with("--out="));
    let folder = if names_folder { String::new() } else { format!(" --out {}", quoted(&out.to_string_lossy())) };
    let words: Vec<String> =
        words.iter().map(|word| if is_option(word) { word.clone() } else { quoted(word) }).collect();
    format!("To go on: {}{folder}", words.join(" "))
}

/// True if a word is an option that every shell takes literally.
fn is_option(word: &str) -> bool {
    let name = word.trim_start_matches('-');
    word.starts_with('-') && is_plain(&name.replace('=', ""))
}

fn print_steps(steps: Vec<(String, String)>) {
    let mut before = String::new();
    for (host, command) in steps {
        if host != before {
            out!("# {host}");
        }
        out!("{}", command.trim_end());
        before = host;
    }
}

/// Bytes and time of all transfers together.
#[derive(Clone, Copy)]
struct Budget {
    bytes: u64,
    time: Option<Duration>,
}

/// Seven initial windows of ten segments (RFC 6928), bytes.
const MIN_TRANSFER_BYTES: u64 = 100_000;

/// Byte limit if --budget has only a time: the option's default.
const USUAL_BYTES: u64 = 5_000_000_000;

fn budget(text: &str) -> Result<Budget, String> {
    if let Ok(time) = seconds(text.trim()) {
        return Ok(Budget { bytes: USUAL_BYTES, time: Some(time) });
    }
    let (bytes, time) = text.split_once(',').map_or((text, None), |(bytes, time)| (bytes, Some(time)));
    let bytes = unit::SIZE.parse(bytes.trim()).map_err(values::words)?;
    let time = time.map(|time| seconds(time.trim())).transpose()?;
    match bytes {
        bytes if bytes < MIN_TRANSFER_BYTES => Err(values::words(
            Wrong::new("lets too little be sent to tell anything of a path").accepted("100 kB or more"),
        )),
        _ => Ok(Budget { bytes, time }),
    }
}

/// Number of directions of a probe.
const PROBE_DIRECTIONS: u32 = 2;

pub fn probe(arguments: ProbeArguments) -> Result<u8, Failure> {
    let ProbeArguments { budget, time, .. } = arguments;
    let load = Load {
        time: budget.time.map_or(time, |budget| time.min(budget / PROBE_DIRECTIONS)),
        bytes: budget.bytes / u64::from(PROBE_DIRECTIONS),
        congestion: arguments.congestion,
        sample: SAMPLE_INTERVAL,
    };
    let request = ProbeRequest {
        out: arguments.out.unwrap_or_else(|| unused(&arguments.host)),
        ends: arguments.path.ends(arguments.from, arguments.host),
        load,
        time,
    };
    if arguments.dry_run {
        print_steps(probe::dry_run(&request));
        return Ok(0);
    }
    match probed(&request) {
        None => {
            note!("{}", format!("interrupted\n{}", kept(&request.out)).trim_end());
            return Ok(interrupt::EXIT);
        }
        Some(Err(error)) => return Err(Failure(format!("{error}\n{}", kept(&request.out)).trim_end().into())),
        Some(Ok(_)) => {}
    }
    let code = diagnose::of_folder(&request.out, arguments.rate, arguments.json)?;
    let folder = evidence::plain::word(&request.out);
    let rate = arguments.rate.map_or(String::new(), |rate| format!(" --rate {}", show::rate(rate).replace(' ', "")));
    note!("\nEvidence: {folder}\nNext: goodput prove {folder}:upload{rate}, or {folder}:download");
    Ok(code)
}

/// Makes a probe; `None` if a signal ended it. Its connections end with this process, and with them all that it began on
/// the hosts.
fn probed(request: &ProbeRequest) -> Option<Result<(), FieldError>> {
    /// Interval between checks for a signal.
    const POLL_INTERVAL: Duration = Duration::from_millis(50);
    let _section = Section::begin();
    let own = request.clone();
    let probing = thread::spawn(move || probe::probe(&own, &|doing| note!("{doing}")));
    while !probing.is_finished() && !interrupt::interrupted() {
        thread::sleep(POLL_INTERVAL);
    }
    if interrupt::interrupted() {
        return None;
    }
    Some(probing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)).map(drop))
}

/// Says how to read what a probe that ended early has left; nothing if it has left nothing.
fn kept(out: &Path) -> String {
    // It may have made the folder, and nothing in it yet.
    if std::fs::remove_dir(out).is_ok() || !out.join(sources::PROBE).exists() {
        return String::new();
    }
    format!("\nKept: what was measured until then. Next: goodput diagnose {}", evidence::plain::word(out))
}

/// Returns a folder that does not exist yet.
fn unused(host: &Target) -> PathBuf {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let name: String = host.to_string().chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    unused_folder(&format!("probe-{name}"))
}

fn unused_folder(name: &str) -> PathBuf {
    let numbered = (1..).map(|number| match number {
        1 => name.to_owned(),
        _ => format!("{name}-{number}"),
    });
    numbered.map(|name| Path::new("runs").join(name)).find(|path| !path.exists()).unwrap_or_default()
}

/// Lines of a terminal that does not report its size.
const DEFAULT_LINES: u16 = 24;

/// Returns a table with its host and hour, cut to the terminal's height in lines.
fn redrawn(host: &Target, table: &str, height: usize) -> String {
    let lines: Vec<&str> = table.lines().collect();
    let room = height.saturating_sub(3).max(1);
    let shown = lines.len().min(room);
    let more = if lines.len() > shown { format!("\n{} more", lines.len() - shown) } else { String::new() };
    let hour = field_run::utc(field_run::now());
    format!("{host}, {hour} UTC\n{}{more}", lines[..shown].join("\n"))
}

pub fn execute(command: Command) -> Result<u8, Failure> {
    match command {
        Command::Collect { host: None, .. } => out!("{}", SCRIPT.trim_end()),
        Command::Collect { host: Some(host), ssh } => {
            let shell = Shell::open(&host, &ssh.ssh())?;
            out!("{}", collect(&shell, None, Scope::All)?.trim_end());
        }
        Command::Watch { host, ssh, interval, once } => {
            let shell = Shell::open(&host, &ssh.ssh())?;
            watch::watch(&shell, interval, |table| {
                match std::io::stdout().is_terminal() && !once {
                    true => {
                        let height = terminal_size::terminal_size_of(std::io::stdout())
                            .map_or(DEFAULT_LINES, |(_, high)| high.0);
                        output::redraw(redrawn(&host, table, height.into()));
                    }
                    false => out!("{table}"),
                }
                !once && !output::is_closed()
            })?;
        }
        Command::Run(arguments) => return run(arguments),
        Command::Apply(arguments) => return apply::execute(&arguments),
        Command::Undo(arguments) => return apply::undo(&arguments),
        Command::Agent => {
            let input = std::io::stdin().lock();
            agent::serve(input, |answer| out!("{answer}"));
        }
    }
    Ok(0)
}
