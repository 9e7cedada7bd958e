//! `completions` and `man`: the command line as shell completions and man pages.

use crate::{Cli, Failure};
use clap::CommandFactory;
use clap_complete::Shell;
use std::path::Path;

pub fn completions(shell: Shell) -> Result<u8, Failure> {
    let mut script = vec![];
    clap_complete::generate(shell, &mut Cli::command(), "goodput", &mut script);
    out!("{}", String::from_utf8(script)?.trim_end());
    Ok(0)
}

pub fn pages(folder: &Path) -> Result<u8, Failure> {
    let failed = |error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(Cli::command(), folder).map_err(failed)?;
    Ok(0)
}
