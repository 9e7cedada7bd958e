//! Remembers what this user has asked for. goodput asks before it runs or reads what a folder from elsewhere contains.
//!
//! Each request is an empty file in the user's cache, named by the SHA-256 of its content. So a run's own folder can
//! be run again without a question, wherever it was copied to. The commands of a trial are one request, with their
//! hosts and times: in part or in another order, they may do something else.

use crate::kernel;
use crate::plan::{Command, Trial};
use base16ct::lower::encode_string as hex;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;

/// Commands that may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Commands {
    /// Commands that the user has run before, behind the walls that they need.
    #[default]
    Known,
    /// All commands, behind the walls that they need.
    Any,
    /// All commands, even if those walls cannot be built.
    Unwalled,
}

impl Commands {
    /// Returns the flags for `goodput trial`.
    pub fn flags(self) -> impl Iterator<Item = &'static str> {
        let flag = match self {
            Commands::Known => None,
            Commands::Any => Some("--any-commands"),
            Commands::Unwalled => Some("--allow-commands"),
        };
        flag.into_iter()
    }

    /// Returns the commands of trials that may not run.
    pub fn refuses<'t>(self, trials: impl IntoIterator<Item = &'t Trial>) -> Vec<String> {
        match self {
            Commands::Known => unknown(trials).into_iter().map(str::to_owned).collect(),
            Commands::Any | Commands::Unwalled => vec![],
        }
    }
}

/// Requests that can be remembered; the variant is part of the hash.
#[derive(Serialize)]
enum Asked<'a> {
    /// Commands of a trial.
    Commands(&'a [Command]),
    /// Evidence of a proof.
    Evidence(&'a [PathBuf]),
    /// Verdict of a proof, as text.
    Proof(&'a str),
}

impl Asked<'_> {
    fn name(&self) -> String {
        hex(&Sha256::digest(serde_json::to_vec(self).expect("plain data")))
    }
}

fn place() -> Option<PathBuf> {
    Some(kernel::place()?.join("asked"))
}

fn is_known(name: &str) -> bool {
    place().is_some_and(|place| place.join(name).exists())
}

/// Remembers requests; without a cache, does nothing.
fn remember(names: impl IntoIterator<Item = String>) -> io::Result<()> {
    let Some(place) = place() else { return Ok(()) };
    names.into_iter().try_for_each(|name| {
        fs::create_dir_all(&place)?;
        File::create(place.join(name)).map(drop)
    })
}

/// Returns the commands of trials by the name under which they are remembered.
fn commands<'t>(trials: impl IntoIterator<Item = &'t Trial>) -> BTreeMap<String, &'t [Command]> {
    let own = trials.into_iter().map(|trial| trial.scene.commands.as_slice()).filter(|commands| !commands.is_empty());
    own.map(|commands| (Asked::Commands(commands).name(), commands)).collect()
}

/// Returns the commands of trials whose commands this user has not run, each once.
fn unknown<'t>(trials: impl IntoIterator<Item = &'t Trial>) -> BTreeSet<&'t str> {
    let unknown = commands(trials).into_iter().filter(|(name, _)| !is_known(name));
    unknown.flat_map(|(_, commands)| commands).map(|command| command.command.as_str()).collect()
}

/// Remembers the commands of trials as run by this user.
pub(crate) fn remember_commands<'t>(trials: impl IntoIterator<Item = &'t Trial>) -> io::Result<()> {
    remember(commands(trials).into_keys())
}

/// True if this user has named these files as evidence.
pub fn knows_evidence(sources: &[PathBuf]) -> bool {
    is_known(&Asked::Evidence(sources).name())
}

/// Remembers files as named by this user.
pub fn remember_evidence(sources: &[PathBuf]) -> io::Result<()> {
    remember([Asked::Evidence(sources).name()])
}

/// True if this user's goodput has written this verdict of a proof.
pub(crate) fn knows_proof(verdict: &str) -> bool {
    is_known(&Asked::Proof(verdict).name())
}

/// Remembers a verdict as written by this user's goodput.
pub(crate) fn remember_proof(verdict: &str) -> io::Result<()> {
    remember([Asked::Proof(verdict).name()])
}
