//! What every operation on kernels may meet, and how errors quote other programs.

use std::io;
use std::path::{Path, PathBuf};

/// A file or folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {error}", path.display())]
pub struct FileError {
    pub action: &'static str,
    pub path: PathBuf,
    /// What the system answered.
    pub error: io::Error,
}

impl FileError {
    /// For `map_err`: what was tried, on what.
    pub(super) fn on(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FileError {
        move |error| FileError { action, path: path.to_owned(), error }
    }
}

/// A program ran out of space.
#[derive(Debug, thiserror::Error)]
#[error("the disk of {} is full\n\nhint: {MORE_SPACE}", folder.display())]
pub struct Full {
    pub folder: PathBuf,
}

impl Full {
    /// If that is what a program complains of.
    pub(super) fn said(said: &str, folder: &Path) -> Option<Full> {
        said.contains("No space left on device").then(|| Full { folder: folder.to_owned() })
    }
}

/// How to get space for a build.
pub(super) const MORE_SPACE: &str =
    "free some space, for instance with goodput kernel clean, or point XDG_CACHE_HOME at another disk";

pub(super) fn list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

/// What a program said, below a headline.
pub(super) fn indented(said: &str) -> String {
    said.trim_end().lines().map(|line| format!("\n  {line}")).collect()
}
