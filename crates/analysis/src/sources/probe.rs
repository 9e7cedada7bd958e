//! Reads a folder of `goodput probe`: which files belong to which direction and end.

use base::folder::{FileError, Folder, MAX_TEXT_BYTES};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// The file that lists the others.
pub const PROBE: &str = "probe.json";

/// Contents of a probe's folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// Version of goodput that wrote it.
    pub goodput: String,
    pub transfers: Vec<Transfer>,
}

/// One direction: a transfer and its files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transfer {
    /// `upload` or `download`.
    pub name: String,
    /// Source and destination host.
    pub between: [String; 2],
    pub files: Vec<String>,
    /// File about the sender.
    pub sender: Option<String>,
    pub receiver: Option<String>,
    /// Sentence about its missing part; `None` for a whole transfer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lacks: Option<String>,
}

/// Returns a probe's folder, and the transfer in it that is meant, written after a colon.
pub(super) fn folder_and_transfer(path: &Path) -> Option<(PathBuf, Option<String>)> {
    let is_probe = |path: &Path| path.join(PROBE).symlink_metadata().is_ok();
    if is_probe(path) {
        return Some((path.into(), None));
    }
    let (folder, name) = path.to_str()?.rsplit_once(':')?;
    is_probe(Path::new(folder)).then(|| (folder.into(), Some(name.to_owned())))
}

/// Opens a probe's folder.
pub(super) fn open(path: &Path) -> Result<(Folder, Probe), FileError> {
    let folder = Folder::open(path)?;
    let text = folder.read(PROBE, MAX_TEXT_BYTES)?;
    let damaged = |error: serde_json::Error| {
        let what = match error.is_eof() {
            true => format!("line {}, column {}: the file ends too early", error.line(), error.column()),
            false => error.to_string(),
        };
        let hint = "hint: `goodput probe` writes it: run it again, or name the other files of the folder";
        FileError { path: folder.place(PROBE), error: io::Error::other(format!("{what}\n\n{hint}")) }
    };
    let probe = serde_json::from_slice(&text).map_err(damaged)?;
    Ok((folder, probe))
}
