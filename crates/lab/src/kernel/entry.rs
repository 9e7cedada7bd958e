//! A kernel in the cache, as `kernel.json` describes it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use super::additions::Addition;
use super::freebsd::Stack;
use super::recipe::Recipe;
use super::source::SourceRecord;
use base::output;
use base::sums::file_sha256;
use evidence::platform::Version;

/// Characters of a hash in a folder's name and in output.
const SHOWN_HASH_CHARS: usize = 16;

/// A kernel in the cache, as recorded in `kernel.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub names: Vec<String>,
    /// Version in the kernel's Makefile.
    pub version: String,
    /// Its source.
    pub source: SourceRecord,
    /// Hash over all inputs, in hex.
    pub hash: String,
    /// Hash over goodput's part of the inputs; it shows whether this goodput would build the same kernel.
    pub recipe: String,
    /// Names of goodput's own patches that were applied.
    #[serde(default)]
    pub own_patches: Vec<String>,
    /// The user's additions, in the order applied.
    #[serde(default)]
    pub additions: Vec<Addition>,
    /// Optional options of goodput's that this kernel lacks.
    pub dropped: Vec<String>,
    /// Its congestion controls, named as for TCP_CONGESTION, in alphabetical order.
    #[serde(default)]
    pub congestion_controls: Vec<String>,
    /// FreeBSD's stack alongside Linux's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub freebsd: Option<Stack>,
    /// The first line of `gcc --version`.
    pub compiler: String,
    /// The first line of `ld --version`.
    pub linker: String,
    /// The SHA-256 of the binary, in hex.
    pub linux_sha256: String,
    /// The SHA-256 of the configuration, in hex.
    pub config_sha256: String,
    /// Build time, seconds since 1970.
    pub built_at: u64,
    /// Steps of the build; they scale the progress of the next one.
    pub steps: usize,
    #[serde(skip)]
    pub folder: PathBuf,
}

impl Entry {
    pub fn linux(&self) -> PathBuf {
        self.folder.join("linux")
    }

    /// Returns the start of the hash, which names the folder.
    pub fn short_hash(&self) -> &str {
        short(&self.hash)
    }

    /// True if this goodput would build the kernel in the same way.
    pub fn is_current(&self) -> bool {
        self.recipe == Recipe::embedded().hash_with(self.freebsd.is_some())
    }

    /// Returns the command that rebuilds it, as far as its record says.
    pub fn again(&self) -> String {
        let package = self.source.description.strip_prefix("Debian ").and_then(|rest| rest.split(' ').next());
        let own = self.names.iter().find(|name| **name != self.version).filter(|_| !self.has_own_name());
        match (own, package) {
            (None, _) => "goodput kernel add".into(),
            (Some(name), _) if !self.additions.is_empty() => {
                format!("goodput kernel add {name} --replace, with what `goodput kernel show {name}` tells")
            }
            (Some(name), Some(package)) => format!("goodput kernel add {name} --from {package} --replace"),
            (Some(name), None) => format!("goodput kernel add {name} --from {} --replace", self.source.description),
        }
    }

    /// Returns all its properties as names and values, for people.
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        let mut rows = vec![
            ("names", self.names.join(", ")),
            ("version", self.version.clone()),
            ("source", self.source.description.clone()),
        ];
        rows.extend(self.additions.iter().map(|Addition { kind, path, sha256 }| {
            (kind.name(), format!("{} (SHA-256 {})", path.display(), short(sha256)))
        }));
        rows.extend([
            ("goodput's patches", self.own_patches.join(", ")),
            ("congestion controls", self.congestion_controls.join(", ")),
        ]);
        if let Some(stack) = &self.freebsd {
            rows.extend([
                ("FreeBSD", stack.version.clone()),
                ("FreeBSD's tree", format!("{} ({})", stack.tree.display(), stack.identity)),
                ("FreeBSD's congestion controls", stack.congestion_controls.join(", ")),
            ]);
        }
        if !self.dropped.is_empty() {
            rows.push(("without", self.dropped.join(", ")));
        }
        rows.extend([
            ("compiler", self.compiler.clone()),
            ("linker", self.linker.clone()),
            ("inputs, SHA-256", self.hash.clone()),
            ("configuration, SHA-256", self.config_sha256.clone()),
            ("binary, SHA-256", self.linux_sha256.clone()),
            ("folder", self.folder.display().to_string()),
        ]);
        if !self.is_current() {
            rows.push(("state", format!("built by another version of goodput; rebuild it: {}", self.again())));
        }
        rows
    }

    /// Checks the files against `kernel.json`.
    pub fn check(&self) -> Result<(), Damage> {
        let damage = |what| Damage { folder: self.folder.clone(), names: self.names.clone(), what };
        for (name, expected) in [("linux", &self.linux_sha256), ("config", &self.config_sha256)] {
            match file_sha256(&self.folder.join(name)) {
                Ok(sha256) if sha256 == *expected => {}
                Ok(_) => return Err(damage(format!("{name} was modified after the build"))),
                Err(error) => return Err(damage(format!("{name} cannot be read: {error}"))),
            }
        }
        Ok(())
    }

    pub(super) fn read(folder: &Path) -> Result<Entry, Damage> {
        let text = fs::read_to_string(folder.join("kernel.json")).map_err(|error| error.to_string());
        let entry = text.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
        match entry {
            Ok(entry) => Ok(Entry { folder: folder.to_owned(), ..entry }),
            Err(error) => Err(Damage {
                folder: folder.to_owned(),
                names: Vec::new(),
                what: format!("kernel.json cannot be read: {error}"),
            }),
        }
    }

    /// Writes `kernel.json` into the folder, completely or not at all.
    pub(super) fn write(&self) -> io::Result<()> {
        output::file(&self.folder.join("kernel.json"), &format!("{}\n", serde_json::to_string_pretty(self)?))
    }

    /// Returns a sort key. The default kernel comes last: the newest version that this goodput built. Kernels with a
    /// name that somebody chose come first, as they are used by that name.
    pub(super) fn order(&self) -> (bool, bool, Option<Version>, bool, u64) {
        let own = self.has_own_name();
        (own && self.is_current(), own, self.version.parse().ok(), self.is_called(&self.version), self.built_at)
    }

    /// True if a name is its version, or its version with the start of its hash; nobody chose such a name.
    pub(super) fn has_own_name(&self) -> bool {
        let own = |name: &String| match name.strip_prefix(&self.version) {
            Some("") => true,
            Some(rest) => rest.strip_prefix('-').is_some_and(|hash| !hash.is_empty() && self.hash.starts_with(hash)),
            None => false,
        };
        self.names.iter().any(own)
    }

    pub(super) fn is_called(&self, name: &str) -> bool {
        self.names.iter().any(|own| own == name)
    }
}

/// A kernel that cannot be used any more.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize)]
#[error(
    "the kernel {} in {} is damaged: {what}\n\nhint: goodput kernel remove {0}, then add it again",
    call(folder, names), folder.display()
)]
pub struct Damage {
    pub folder: PathBuf,
    /// Its names, if they can be read.
    pub names: Vec<String>,
    /// The damage.
    pub what: String,
}

/// Returns the name under which a damaged kernel can be removed.
fn call(folder: &Path, names: &[String]) -> String {
    names.first().cloned().unwrap_or_else(|| base(folder))
}

pub(super) fn base(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the part of a hash that names a folder.
pub(super) fn short(hash: &str) -> &str {
    hash.get(..SHOWN_HASH_CHARS).unwrap_or(hash)
}
