//! Which commands of experiments this user has run before: what a folder from elsewhere would run is asked about.
//!
//! Each command is an empty file in the user's cache, named by the SHA-256 of its text, so that a run's own folder can be
//! run again without a question, wherever it was copied to.

use crate::environment::hex;
use crate::kernel;
use crate::plan::Trial;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;

/// Which commands may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Commands {
    /// Those that the user has run before, behind the walls that they need.
    #[default]
    Known,
    /// All, behind the walls that they need.
    Any,
    /// All, where those walls cannot be built as well.
    Unwalled,
}

impl Commands {
    /// What `goodput trial` is told.
    pub fn flags(self) -> impl Iterator<Item = &'static str> {
        let flag = match self {
            Commands::Known => None,
            Commands::Any => Some("--any-commands"),
            Commands::Unwalled => Some("--allow-commands"),
        };
        flag.into_iter()
    }

    /// The commands of trials that may not run.
    pub fn refuses<'t>(self, trials: impl IntoIterator<Item = &'t Trial>) -> Vec<String> {
        match self {
            Commands::Known => unknown(trials).into_iter().map(str::to_owned).collect(),
            Commands::Any | Commands::Unwalled => vec![],
        }
    }
}

fn place() -> Option<PathBuf> {
    Some(kernel::place()?.join("commands"))
}

/// The commands of trials, each once.
fn commands<'t>(trials: impl IntoIterator<Item = &'t Trial>) -> BTreeSet<&'t str> {
    trials.into_iter().flat_map(|trial| &trial.scene.commands).map(|command| command.command.as_str()).collect()
}

fn name(command: &str) -> String {
    hex(&Sha256::digest(command))
}

/// The commands of trials that this user has not run.
fn unknown<'t>(trials: impl IntoIterator<Item = &'t Trial>) -> Vec<&'t str> {
    let is_known = |command: &&str| place().is_some_and(|place| place.join(name(command)).exists());
    commands(trials).into_iter().filter(|command| !is_known(command)).collect()
}

/// Remembers the commands of trials as run by this user. Without a cache nothing is remembered.
pub fn remember<'t>(trials: impl IntoIterator<Item = &'t Trial>) -> io::Result<()> {
    let (Some(place), commands) = (place(), commands(trials)) else { return Ok(()) };
    if commands.is_empty() {
        return Ok(());
    }
    fs::create_dir_all(&place)?;
    commands.into_iter().try_for_each(|command| File::create(place.join(name(command))).map(drop))
}
