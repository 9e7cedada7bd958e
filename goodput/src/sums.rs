//! SHA256SUMS: what a trial's folder holds, as sha256sum(1) writes and checks it.

use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Its name in the folder.
pub const SUMS: &str = "SHA256SUMS";

/// The SHA-256 of a file, hexadecimal.
pub fn file_sha256(path: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(format!("{:x}", hash.finalize())),
            read => hash.update(&buffer[..read]),
        }
    }
}

/// Writes it for a folder of files.
pub fn write(folder: &Path) -> io::Result<()> {
    let line = |name: String| Ok(format!("{}  {name}\n", file_sha256(&folder.join(&name))?));
    let text: String = names(folder)?.into_iter().map(line).collect::<io::Result<_>>()?;
    fs::write(folder.join(SUMS), text)
}

/// What is wrong with a folder, if anything: a file that is missing, changed or too many, or no list of them.
pub fn check(folder: &Path) -> Result<(), String> {
    let text = fs::read_to_string(folder.join(SUMS)).map_err(|error| format!("{SUMS}: {error}"))?;
    let listed: Option<Vec<(&str, &str)>> = text.lines().map(|line| line.split_once("  ")).collect();
    let listed = listed.filter(|all| !all.is_empty()).ok_or_else(|| format!("{SUMS} lists nothing"))?;
    for (sum, name) in &listed {
        match file_sha256(&folder.join(name)) {
            Ok(found) if found == *sum => {}
            Ok(_) => return Err(format!("{name} is not what was recorded")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(format!("{name} is missing")),
            Err(error) => return Err(format!("{name}: {error}")),
        }
    }
    let present = names(folder).map_err(|error| error.to_string())?;
    match present.iter().find(|name| listed.iter().all(|(_, known)| known != name)) {
        None => Ok(()),
        Some(name) => Err(format!("{name} was not recorded")),
    }
}

/// The names of a folder's files but the list itself, sorted.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let name = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    let mut names = fs::read_dir(folder)?.map(name).collect::<io::Result<Vec<String>>>()?;
    names.retain(|name| name != SUMS);
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("b"), "beta").unwrap();
        fs::write(folder.path().join("a"), "alpha").unwrap();
        write(folder.path()).unwrap();
        folder
    }

    #[test]
    fn coreutils_agree() {
        let folder = folder();
        let status = Command::new("sha256sum").args(["--check", "--strict", SUMS]).current_dir(folder.path()).output();
        assert!(status.unwrap().status.success());
        assert_eq!(check(folder.path()), Ok(()));
    }

    #[test]
    fn every_damage_is_named() {
        let damaged = |damage: &dyn Fn(&Path)| {
            let folder = folder();
            damage(folder.path());
            check(folder.path()).unwrap_err()
        };
        assert_eq!(damaged(&|at| fs::remove_file(at.join("a")).unwrap()), "a is missing");
        assert_eq!(damaged(&|at| fs::write(at.join("b"), "bet").unwrap()), "b is not what was recorded");
        assert_eq!(damaged(&|at| fs::write(at.join("c"), "").unwrap()), "c was not recorded");
        assert_eq!(damaged(&|at| fs::write(at.join(SUMS), "").unwrap()), "SHA256SUMS lists nothing");
        assert_eq!(
            damaged(&|at| fs::write(at.join(SUMS), [0xff, 0]).unwrap()),
            "SHA256SUMS: stream did not contain valid UTF-8"
        );
        assert_eq!(damaged(&|at| fs::write(at.join(SUMS), "one two").unwrap()), "SHA256SUMS lists nothing");
    }
}
