//! Remembers what this user has asked for. goodput asks before it runs or reads what a folder from elsewhere contains.
//!
//! Each request is an empty file in the user's cache, named by the SHA-256 of its content. So a run's own folder can
//! be run again without a question, wherever it was copied to. The commands of a trial are one request, with their
//! hosts and times: in part or in another order, they may do something else.

use crate::kernel;
use base16ct::lower::encode_string as hex;
use nix::unistd::geteuid;
use plan::{Command, Trial};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

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
            Commands::Known => unknown(trials).into_iter().collect(),
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

/// Returns the folder of requests, if it is this user's or would be: root may have the HOME of somebody who puts links there.
fn place() -> Option<PathBuf> {
    let place = kernel::place()?.join("asked");
    let nearest = place.ancestors().find_map(|path| fs::symlink_metadata(path).ok())?;
    (nearest.is_dir() && is_own(&nearest)).then_some(place)
}

fn is_own(file: &Metadata) -> bool {
    file.uid() == geteuid().as_raw()
}

fn is_known(name: &str) -> bool {
    known_in(place(), name)
}

fn known_in(place: Option<PathBuf>, name: &str) -> bool {
    let is_writable = |folder: &Metadata| folder.mode() & 0o022 != 0;
    let Some(place) = place.filter(|place| fs::metadata(place).is_ok_and(|folder| !is_writable(&folder))) else {
        return false;
    };
    fs::symlink_metadata(place.join(name)).is_ok_and(|file| file.is_file() && is_own(&file))
}

/// Remembers requests; without a cache of the user's own, does nothing.
fn remember(names: impl IntoIterator<Item = String>) -> io::Result<()> {
    place().map_or(Ok(()), |place| remember_in(&place, names))
}

fn remember_in(place: &Path, names: impl IntoIterator<Item = String>) -> io::Result<()> {
    names.into_iter().try_for_each(|name| {
        fs::create_dir_all(place)?;
        fs::set_permissions(place, Permissions::from_mode(0o700))?;
        // It follows no link, and empties no file.
        match File::create_new(place.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            made => made.map(drop),
        }
    })
}

/// Returns the commands of trials by the name under which they are remembered.
fn commands<'t>(trials: impl IntoIterator<Item = &'t Trial>) -> BTreeMap<String, Vec<Command>> {
    let own = trials.into_iter().filter(|trial| trial.scene.has_commands()).map(|trial| {
        let mut all = trial.scene.all_commands();
        // The seed decides when the program of a flow starts.
        all.iter_mut().skip(trial.scene.commands.len()).for_each(|command| command.at = 0);
        all
    });
    own.map(|commands| (Asked::Commands(&commands).name(), commands)).collect()
}

/// Returns the commands of trials whose commands this user has not run, each once.
fn unknown<'t>(trials: impl IntoIterator<Item = &'t Trial>) -> BTreeSet<String> {
    let unknown = commands(trials).into_iter().filter(|(name, _)| !is_known(name));
    unknown.flat_map(|(_, commands)| commands).map(|command| command.command).collect()
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
pub fn knows_proof(verdict: &str) -> bool {
    is_known(&Asked::Proof(verdict).name())
}

/// Remembers a verdict as written by this user's goodput.
pub fn remember_proof(verdict: &str) -> io::Result<()> {
    remember([Asked::Proof(verdict).name()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A flow's programs are commands: somebody else's are shown before they run.
    #[test]
    fn programs_of_a_flow_are_asked_about() {
        let mut scene = analysis::fixture::four_kinds();
        let (server, client) = ("nobody ran this {port}".to_owned(), "nor this {port}".to_owned());
        scene.flows[0].traffic =
            plan::Traffic::Program { server: server.clone(), client: client.clone(), sends: plan::ProgramEnd::Server };
        let trial = analysis::fixture::trial(scene.clone());
        assert_eq!(Commands::Known.refuses([&trial]), [server, client]);
        scene.flows[0].start += 5;
        let later = analysis::fixture::trial(scene);
        let names = |trial: &Trial| commands([trial]).into_keys().collect::<Vec<_>>();
        assert_eq!(names(&trial), names(&later), "the seed decides when it starts");
    }

    #[test]
    fn a_planted_link_is_not_followed_and_counts_as_nothing() {
        let home = tempfile::tempdir().unwrap();
        let place = home.path().join("asked");
        let victim = home.path().join("victim");
        fs::write(&victim, "precious").unwrap();
        fs::create_dir(&place).unwrap();
        symlink(&victim, place.join("planted")).unwrap();
        symlink(home.path().join("new"), place.join("dangling")).unwrap();
        let names = ["planted", "dangling", "own"].map(str::to_owned);
        remember_in(&place, names.clone()).unwrap();
        assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
        assert!(!home.path().join("new").exists());
        let known = names.map(|name| known_in(Some(place.clone()), &name));
        assert_eq!(known, [false, false, true]);
        fs::set_permissions(&place, Permissions::from_mode(0o777)).unwrap();
        assert!(!known_in(Some(place), "own"));
    }
}
