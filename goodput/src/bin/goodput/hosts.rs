//! Options of commands that reach real hosts.

use crate::values;
use clap::Args;
use evidence::unit::{self, Wrong};
use goodput::field::{Ssh, Target};
use std::path::PathBuf;
use std::time::Duration;

/// iperf3's.
pub const PORT: u16 = 5201;

/// Between two looks at tcp_info.
pub const SAMPLE: Duration = Duration::from_millis(10);

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

pub fn target(text: &str) -> Result<Target, String> {
    Target::parse(text).map_err(values::words)
}

const TIMES: std::ops::RangeInclusive<u64> = 1_000_000_000..=600_000_000_000;

pub fn seconds(text: &str) -> Result<Duration, String> {
    let time = unit::TIME.parse(text).map_err(values::words)?;
    match TIMES.contains(&time) {
        true => Ok(Duration::from_nanos(time)),
        false => Err(values::words(Wrong::new("is out of range").accepted(unit::TIME.show_range(&TIMES)))),
    }
}
