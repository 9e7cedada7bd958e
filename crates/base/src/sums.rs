//! SHA256SUMS: the list of a trial's files, as sha256sum(1) writes and checks it.

use crate::folder::{FileError, Folder, MAX_TEXT_BYTES, is_step};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Name of the list.
pub const SUMS: &str = "SHA256SUMS";

/// Returns the SHA-256 of a file, hexadecimal.
pub fn file_sha256(path: &Path) -> io::Result<String> {
    sha256(File::open(path)?)
}

fn sha256(mut file: File) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(format!("{:x}", hash.finalize())),
            read => hash.update(&buffer[..read]),
        }
    }
}

fn sum(folder: &Folder, name: &str) -> Result<String, FileError> {
    sha256(folder.file(name)?).map_err(FileError::on(&folder.place(name)))
}

/// Writes the list for all files in a folder.
pub fn write(folder: &Folder) -> Result<(), FileError> {
    let names = names(folder)?;
    write_of(folder, &names.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A SHA-256.
pub type Sum = [u8; 32];

/// Returns the SHA-256 of some bytes.
pub fn digest(bytes: impl AsRef<[u8]>) -> Sum {
    Sha256::digest(bytes).into()
}

/// Returns the SHA-256 of the list, which identifies all listed files; `None` if there is no list.
pub fn fingerprint(folder: &Folder) -> Result<Option<Sum>, FileError> {
    match folder.read(SUMS, MAX_TEXT_BYTES) {
        Err(error) if error.is_missing() => Ok(None),
        list => list.map(|list| Some(digest(list))),
    }
}

/// Parses a list into sums and names, or says what is wrong with it.
pub fn listed(text: &str) -> Result<Vec<(&str, &str)>, String> {
    let listed: Option<Vec<(&str, &str)>> = text.lines().map(|line| line.split_once("  ")).collect();
    let listed = listed.filter(|all| !all.is_empty()).ok_or_else(|| format!("{SUMS} lists nothing"))?;
    match listed.iter().find(|(_, name)| !is_step(OsStr::new(name)) || *name == SUMS) {
        None => Ok(listed),
        Some((_, name)) => Err(format!("{SUMS} lists {name:?}, which is no name of a file in this folder")),
    }
}

/// Returns the listed files of a folder that are missing or changed.
pub fn changed(folder: &Folder) -> Result<Vec<String>, String> {
    let text = folder.read(SUMS, MAX_TEXT_BYTES).map_err(|error| error.error.to_string())?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let is_other = |(wanted, name): &(&str, &str)| sum(folder, name).map_or(true, |sum| sum != *wanted);
    Ok(listed(&text)?.into_iter().filter(is_other).map(|(_, name)| name.to_owned()).collect())
}

/// Writes the list for these files only.
pub fn write_of(folder: &Folder, names: &[&str]) -> Result<(), FileError> {
    let line = |name: &&str| Ok(format!("{}  {name}\n", sum(folder, name)?));
    let text: String = names.iter().map(line).collect::<Result<_, FileError>>()?;
    folder.write(SUMS, text)
}

/// Checks a folder: no file may be missing, changed or unlisted, and the list must exist.
pub fn check(folder: &Folder) -> Result<(), String> {
    let what = |name: &str, error: FileError| match error.is_missing() {
        true => format!("{name} is missing"),
        false => format!("{name}: {}", error.error),
    };
    let text = folder.read(SUMS, MAX_TEXT_BYTES).map_err(|error| what(SUMS, error))?;
    let text = String::from_utf8(text).map_err(|_| format!("{SUMS} is not UTF-8"))?;
    let listed = listed(&text)?;
    for (wanted, name) in &listed {
        if sum(folder, name).map_err(|error| what(name, error))? != *wanted {
            return Err(format!("{name} is not what was recorded"));
        }
    }
    let known: HashSet<&str> = listed.iter().map(|(_, name)| *name).collect();
    let present = names(folder).map_err(|error| error.to_string())?;
    match present.iter().find(|name| !known.contains(name.as_str())) {
        None => Ok(()),
        Some(name) => Err(format!("{name} was not recorded")),
    }
}

/// Returns the names in a folder except the list, sorted.
fn names(folder: &Folder) -> Result<Vec<String>, FileError> {
    let names = folder.names()?.into_iter().map(|name| name.to_string_lossy().into_owned());
    Ok(names.filter(|name| name != SUMS).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::process::Command;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("b"), "beta").unwrap();
        fs::write(folder.path().join("a"), "alpha").unwrap();
        write(&Folder::open(folder.path()).unwrap()).unwrap();
        folder
    }

    #[test]
    fn coreutils_agree() {
        let folder = folder();
        let status = Command::new("sha256sum").args(["--check", "--strict", SUMS]).current_dir(folder.path()).output();
        assert!(status.unwrap().status.success());
        assert_eq!(check(&Folder::open(folder.path()).unwrap()), Ok(()));
    }

    #[test]
    fn every_damage_is_named() {
        let damaged = |damage: &dyn Fn(&Path)| {
            let folder = folder();
            damage(folder.path());
            check(&Folder::open(folder.path()).unwrap()).unwrap_err()
        };
        assert_eq!(damaged(&|at| fs::remove_file(at.join("a")).unwrap()), "a is missing");
        assert_eq!(damaged(&|at| fs::write(at.join("b"), "bet").unwrap()), "b is not what was recorded");
        assert_eq!(damaged(&|at| fs::write(at.join("c"), "").unwrap()), "c was not recorded");
        assert_eq!(damaged(&|at| fs::write(at.join(SUMS), "").unwrap()), "SHA256SUMS lists nothing");
        assert_eq!(damaged(&|at| fs::write(at.join(SUMS), [0xff, 0]).unwrap()), "SHA256SUMS is not UTF-8");
        assert_eq!(damaged(&|at| fs::remove_file(at.join(SUMS)).unwrap()), "SHA256SUMS is missing");
        assert_eq!(damaged(&|at| fs::write(at.join(SUMS), "one two").unwrap()), "SHA256SUMS lists nothing");
    }
}
