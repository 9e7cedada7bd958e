//! A part of a run as one file, a tar archive, because a shared file system should have few files. It is written under
//! a private name and renamed once. No lock is needed: processes that write the same part at the same time write the
//! same trials.
//!
//! ```text
//! RUN.2-of-8.tar               part.json, then of each trial trials/0007/SHA256SUMS and the files that it lists, end.json
//! RUN.2-of-8.XXXXXX.unfinished the same while it is written, and what an interrupted writer has left
//! ```

mod outline;
mod read;
#[cfg(test)]
mod tests;
mod write;

use crate::shard::Shard;
use base::folder::FileError;
use evidence::plain;
pub use outline::{Outline, OutlineError, digest};
use plan::environment::Environment;
pub use read::{Packed, Part};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
pub use write::{Begun, Writer, left};

/// Names of its first and last entries.
const HEAD_ENTRY: &str = "part.json";
const END_ENTRY: &str = "end.json";

/// First entry of a part: its description.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Head {
    pub shard: Shard,
    /// Outline of the run.
    pub outline: Outline,
    /// Environment in which it was recorded.
    pub environment: Environment,
}

/// Last entry of a part, which shows that it is complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Number of trials.
    pub trials: usize,
    /// SHA-256 of their indices and fingerprints, in the order of the indices.
    pub sha256: String,
}

/// A part that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PartError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(
        "{path} is no part of a run: {}\n\nhint: parts are files called RUN.M-of-N.tar, which `goodput run … --shard M/N` writes",
        plain::line(what),
        path = plain::path(path)
    )]
    NoPart { path: PathBuf, what: String },
    #[error(
        "{path} is cut off at byte {at}, after {trials} whole {}\n\nhint: copy it again, or repeat the command that recorded it, which takes over what is whole",
        if *trials == 1 { "trial" } else { "trials" },
        path = plain::path(path)
    )]
    Cut { path: PathBuf, at: u64, trials: usize },
    #[error(
        "{path} is damaged at byte {at}: {}\n\nhint: copy it again, or repeat the command that recorded it, which takes over what is whole",
        plain::line(what),
        path = plain::path(path)
    )]
    Damaged { path: PathBuf, at: u64, what: String },
    #[error(
        "{path} is a part of another experiment\n\nhint: results are never overwritten; choose another run with --out",
        path = plain::path(path)
    )]
    OtherPlan { path: PathBuf },
    #[error(
        "{path} was recorded in a different environment (kernel, agent or tools): {what}\n\nhint: choose another run with --out to record everything again",
        path = plain::path(path)
    )]
    OtherLaboratory { path: PathBuf, what: String },
    #[error(
        "another process has written {part} meanwhile, and trial {trial} is not the same there\n\nhint: two machines gave different bytes: compare what `goodput doctor` says on both, then remove the part and record it again",
        part = plain::path(part)
    )]
    Differs { part: PathBuf, trial: usize },
}
