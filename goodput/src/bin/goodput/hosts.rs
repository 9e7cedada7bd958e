//! Options of commands that reach real hosts.

use crate::values;
use clap::Args;
use evidence::unit::{self, Wrong};
use hosts::login::{Ssh, Target};
use hosts::probe::{Ends, Tool};
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Port of iperf3.
pub const PORT: u16 = 5201;

/// Interval of reading tcp_info.
pub const SAMPLE_INTERVAL: Duration = Duration::from_millis(10);

#[derive(Args)]
pub struct SshArguments {
    /// Configuration file of ssh instead of ~/.ssh/config.
    #[arg(long, value_name = "FILE")]
    ssh_config: Option<PathBuf>,
}

impl SshArguments {
    pub fn ssh(&self) -> Ssh {
        Ssh { config: self.ssh_config.clone(), ..Ssh::default() }
    }
}

/// Options for how two ends reach each other, and for the program that makes the traffic.
#[derive(Args)]
pub struct PathArguments {
    #[command(flatten)]
    ssh: SshArguments,
    /// Address of the listening end, if ssh reaches it at another one.
    #[arg(long, value_name = "ADDRESS")]
    address: Option<IpAddr>,
    /// TCP port of that end, for both directions.
    #[arg(long, value_name = "PORT", default_value_t = PORT, value_parser = clap::value_parser!(u16).range(1..), allow_hyphen_values = true)]
    port: u16,
    /// Program that makes the traffic: any (a copy of goodput, or iperf3 where that cannot run), or iperf3.
    ///
    /// iperf3 must be installed on both ends, version 3.1 or later.
    #[arg(long, value_name = "TOOL", default_value = "any", value_parser = tool)]
    tool: Tool,
}

impl PathArguments {
    /// Returns the end that connects, and the one that listens.
    pub fn ends(&self, from: Target, host: Target) -> Ends {
        Ends { host, from, address: self.address, port: self.port, tool: self.tool, ssh: self.ssh.ssh() }
    }
}

fn tool(text: &str) -> Result<Tool, String> {
    values::named(text, [("any".to_owned(), Tool::Any), ("iperf3".to_owned(), Tool::Iperf3)].into_iter())
}

pub fn target(text: &str) -> Result<Target, String> {
    Target::parse(text).map_err(values::words)
}

const DURATION_RANGE_NS: std::ops::RangeInclusive<u64> = 1_000_000_000..=600_000_000_000;

pub fn seconds(text: &str) -> Result<Duration, String> {
    let time = unit::TIME.parse(text).map_err(values::words)?;
    match DURATION_RANGE_NS.contains(&time) {
        true => Ok(Duration::from_nanos(time)),
        false => Err(values::words(Wrong::new("is out of range").accepted(unit::TIME.show_range(&DURATION_RANGE_NS)))),
    }
}
