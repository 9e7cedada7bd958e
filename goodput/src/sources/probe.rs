//! A folder that `goodput probe` has left: which of its files belong to which direction, and to which end.

use crate::folder::{FileError, Folder, MAX_TEXT_BYTES};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// The file that names the others.
pub const PROBE: &str = "probe.json";

/// What a probe has found out, by files of its folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// The version that wrote it.
    pub goodput: String,
    pub transfers: Vec<Transfer>,
}

/// One direction: a transfer, and what belongs to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transfer {
    /// `upload` or `download`.
    pub name: String,
    /// From which host to which.
    pub between: [String; 2],
    pub files: Vec<String>,
    /// What the sender says of itself.
    pub sender: Option<String>,
    pub receiver: Option<String>,
}

/// The folder of a probe, and which transfer of it is meant, behind a colon.
pub(super) fn of(path: &Path) -> Option<(PathBuf, Option<String>)> {
    let is_probe = |path: &Path| path.join(PROBE).symlink_metadata().is_ok();
    if is_probe(path) {
        return Some((path.into(), None));
    }
    let (folder, name) = path.to_str()?.rsplit_once(':')?;
    is_probe(Path::new(folder)).then(|| (folder.into(), Some(name.to_owned())))
}

/// The probe of a folder, and the folder.
pub(super) fn open(path: &Path) -> Result<(Folder, Probe), FileError> {
    let folder = Folder::open(path)?;
    let text = folder.read(PROBE, MAX_TEXT_BYTES)?;
    let damaged = |error: serde_json::Error| FileError {
        path: folder.place(PROBE),
        error: io::Error::other(format!(
            "{error}\n\nhint: `goodput probe` writes it; name the other files of the folder"
        )),
    };
    let probe = serde_json::from_slice(&text).map_err(damaged)?;
    Ok((folder, probe))
}
