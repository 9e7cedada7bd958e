//! `probe` and `field`.

use crate::hosts::{PORT, SAMPLE, SshArguments, seconds, target};
use crate::{Failure, apply, diagnose, values};
use clap::{Args, Subcommand};
use evidence::unit;
use goodput::field::agent::{self, Load};
use goodput::field::{SCRIPT, Scope, Shell, Target, collect};
use goodput::output;
use goodput::probe::{self, Request, Tool, watch};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Find out why the path to a host is slow
///
/// Connects over your own ssh and reads the settings, devices and routes of both hosts. Pings each way, finds the path MTU
/// each way, and sends TCP for some seconds each way. Then it prints what `diagnose` makes of it. The folder it leaves is
/// evidence for `goodput diagnose` and `goodput prove`. Nothing is installed on the hosts, nothing is changed, and no root is
/// needed.
#[derive(Args)]
pub struct ProbeArguments {
    /// The other end: an ssh destination, or netns:NAME, docker:NAME, jail:NAME.
    #[arg(value_name = "HOST", value_parser = target)]
    host: Target,
    /// The end that connects to HOST.
    #[arg(long, value_name = "HOST2", default_value = "localhost", value_parser = target)]
    from: Target,
    #[command(flatten)]
    ssh: SshArguments,
    /// Address of HOST, where ssh reaches it at another one.
    #[arg(long, value_name = "ADDRESS")]
    address: Option<IpAddr>,
    /// TCP port of HOST for the transfers; both directions use it.
    #[arg(long, value_name = "PORT", default_value_t = PORT, value_parser = clap::value_parser!(u16).range(1..), allow_hyphen_values = true)]
    port: u16,
    /// Length of each transfer.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = seconds, allow_hyphen_values = true)]
    time: Duration,
    /// Send no more than this, both directions together, e.g. 5GB or 5GB,1min.
    #[arg(long, value_name = "SIZE[,TIME]", default_value = "5GB", value_parser = budget, allow_hyphen_values = true)]
    budget: Budget,
    /// What makes the traffic: a copy of goodput, or iperf3 where that cannot run; iperf3 alone.
    ///
    /// iperf3 has to be there, 3.1 or later. It keeps to the time of --budget, not to its bytes.
    #[arg(long, value_name = "TOOL", default_value = "any", value_parser = tool)]
    tool: Tool,
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
    /// Print what `diagnose` reads of a host, or the script that gathers it
    ///
    /// Without HOST, prints a POSIX script for Linux and FreeBSD. Read it, run it anywhere with `sh`, mail its output. It
    /// changes nothing and needs no root.
    Collect {
        /// Host to ask: localhost, netns:NAME, docker:NAME, jail:NAME, or an ssh destination.
        #[arg(value_name = "HOST", value_parser = target)]
        host: Option<Target>,
        #[command(flatten)]
        ssh: SshArguments,
    },
    /// Show the live connections of a host, without sending anything
    ///
    /// One line for each connection, busiest first: goodput and retransmissions since the last look, RTT, the share of time
    /// that each limit took, and the rule that `diagnose` finds. Shares are of the connection's busy time.
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
    Apply(apply::Arguments),
    Undo(apply::UndoArguments),
    /// Make traffic as told on standard input
    #[command(hide = true)]
    Agent,
}

fn tool(text: &str) -> Result<Tool, String> {
    values::named(text, [("any".to_owned(), Tool::Any), ("iperf3".to_owned(), Tool::Iperf3)].into_iter())
}

/// Bytes and time of all transfers together.
#[derive(Clone, Copy)]
struct Budget {
    bytes: u64,
    time: Option<Duration>,
}

fn budget(text: &str) -> Result<Budget, String> {
    let (bytes, time) = text.split_once(',').map_or((text, None), |(bytes, time)| (bytes, Some(time)));
    let bytes = unit::SIZE.parse(bytes.trim()).map_err(values::words)?;
    let time = time.map(|time| seconds(time.trim())).transpose()?;
    match bytes {
        0 => Err("lets nothing be sent".into()),
        _ => Ok(Budget { bytes, time }),
    }
}

/// Directions of a probe.
const TRANSFERS: u32 = 2;

pub fn probe(arguments: ProbeArguments) -> Result<u8, Failure> {
    let ProbeArguments { budget, time, .. } = arguments;
    let load = Load {
        time: budget.time.map_or(time, |budget| time.min(budget / TRANSFERS)),
        bytes: budget.bytes / u64::from(TRANSFERS),
        congestion: arguments.congestion,
        sample: SAMPLE,
    };
    let request = Request {
        out: arguments.out.unwrap_or_else(|| unused(&arguments.host)),
        host: arguments.host,
        from: arguments.from,
        address: arguments.address,
        port: arguments.port,
        load,
        tool: arguments.tool,
        ssh: arguments.ssh.ssh(),
    };
    if arguments.dry_run {
        for (host, command) in probe::dry_run(&request) {
            out!("# {host}\n{}", command.trim_end());
        }
        return Ok(0);
    }
    probe::probe(&request, &|doing| note!("{doing}"))?;
    let code = diagnose::of_folder(&request.out, arguments.rate, arguments.json)?;
    let folder = evidence::plain::word(&request.out);
    note!("\nEvidence: {folder}\nNext: goodput prove {folder}:upload, or {folder}:download");
    Ok(code)
}

/// A folder that is not there yet.
fn unused(host: &Target) -> PathBuf {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let name: String = host.to_string().chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    let numbered = (1..).map(|number| match number {
        1 => format!("probe-{name}"),
        _ => format!("probe-{name}-{number}"),
    });
    numbered.map(|name| Path::new("runs").join(name)).find(|path| !path.exists()).unwrap_or_default()
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
                out!("{table}");
                !once && !output::is_closed()
            })?;
        }
        Command::Apply(arguments) => return apply::execute(&arguments),
        Command::Undo(arguments) => return apply::undo(&arguments),
        Command::Agent => {
            let input = std::io::stdin().lock();
            agent::serve(input, |answer| out!("{answer}"));
        }
    }
    Ok(0)
}
