//! Errors that every operation on kernels may return, and how they quote other programs.

use std::io;
use std::path::{Path, PathBuf};

/// A file or folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {error}", path.display())]
pub struct FileError {
    pub action: &'static str,
    pub path: PathBuf,
    /// Error from the operating system.
    pub error: io::Error,
}

impl FileError {
    /// Makes a function for `map_err`, from the attempted action and its file.
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
    /// Returns the error if a program's output complains about a full disk.
    pub(super) fn said(said: &str, folder: &Path) -> Option<Full> {
        said.contains("No space left on device").then(|| Full { folder: folder.to_owned() })
    }
}

/// Hint on how to free space for a build.
pub(super) const MORE_SPACE: &str =
    "free some space, for instance with goodput kernel clean, or point XDG_CACHE_HOME at another disk";

pub(super) fn list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

/// Indents a program's output below a headline.
pub(super) fn indented(said: &str) -> String {
    said.trim_end().lines().map(|line| format!("\n  {line}")).collect()
}
