//! Creates a private folder on this machine for a recording in progress. The owner removes it; if the owner was
//! killed, the next process that needs such a folder here does.
//!
//! The owner holds a lock on the folder. A lock is valid only among the processes of one kernel, even if `$TMPDIR` is
//! a file system of many machines. So the name contains the machine's boot id, and only folders of the same boot are
//! removed.

use base::folder::{FileError, Folder};
use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use tempfile::TempDir;

/// An empty, locked folder.
#[derive(Debug)]
pub struct Scratch {
    pub folder: Folder,
    _place: TempDir,
    _lock: File,
}

impl Scratch {
    /// Creates a folder in `$TMPDIR`, or else in `/tmp`, and removes folders that killed processes left there.
    pub fn new() -> Result<Scratch, FileError> {
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        Scratch::within(&Folder::open(&env::temp_dir())?, boot.get(..8).unwrap_or_default())
    }

    fn within(all: &Folder, boot: &str) -> Result<Scratch, FileError> {
        let stem = format!("goodput-{boot}-");
        let is_ours = |name: &&OsString| !boot.is_empty() && name.to_string_lossy().starts_with(&stem);
        for name in all.names()?.iter().filter(is_ours) {
            // A folder of another user cannot be opened.
            if let Ok(left) = all.folder(name)
                && let Ok(Some(_lock)) = left.lock()
            {
                let _ = all.remove(name);
            }
        }
        loop {
            let place = tempfile::Builder::new().prefix(&stem).tempdir_in(all.path());
            let place = place.map_err(FileError::on(all.path()))?;
            let name = place.path().file_name().unwrap_or_default();
            // Another process may have removed it as left over before it was locked.
            if let Ok(folder) = all.folder(name)
                && let Some(lock) = folder.lock()?
                && all.still_has(name, &folder)
            {
                return Ok(Scratch { folder, _place: place, _lock: lock });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_killed_processes_go_and_those_in_use_stay() {
        let place = tempfile::tempdir().unwrap();
        let all = Folder::open(place.path()).unwrap();
        for name in ["goodput-own-dead", "goodput-other-boot", "else"] {
            all.make(name).unwrap().make("0007.unfinished").unwrap().write("samples.parquet", "half").unwrap();
        }
        let one = Scratch::within(&all, "own").unwrap();
        one.folder.write("file", "mine").unwrap();
        let two = Scratch::within(&all, "own").unwrap();
        assert_eq!(
            (one.folder.read("file", base::folder::MAX_TEXT_BYTES).unwrap(), two.folder.names().unwrap().len()),
            (b"mine".to_vec(), 0)
        );
        let names = |folder: &Folder| folder.names().unwrap();
        assert!(!all.has("goodput-own-dead") && all.has("goodput-other-boot") && all.has("else"), "{:?}", names(&all));
        drop((one, two));
        assert_eq!(names(&all), ["else", "goodput-other-boot"]);
    }
}
