//! A file or folder that the user names and that cannot be used: what the system says, and what to do.

use crate::suggest::closest;
use evidence::plain;
use nix::errno::Errno;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Why what the user names cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}{}", plain::path(path), hint.iter().map(|hint| format!("\n\nhint: {hint}")).collect::<String>())]
pub struct AccessError {
    /// What the user has named.
    pub path: PathBuf,
    /// What the system says.
    pub error: io::Error,
    pub hint: Option<String>,
}

impl AccessError {
    /// For `map_err`: what was to be read.
    pub fn reading(path: &Path) -> impl FnOnce(io::Error) -> AccessError {
        move |error| AccessError { path: path.into(), hint: to_read(path, &error), error }
    }

    /// For `map_err`: what was to be written or made.
    pub fn writing(path: &Path) -> impl FnOnce(io::Error) -> AccessError {
        move |error| AccessError { path: path.into(), hint: to_write(path, error.kind()), error }
    }
}

/// The folder that a path is in.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn to_read(path: &Path, error: &io::Error) -> Option<String> {
    if error.raw_os_error() == Some(Errno::ELOOP as i32) {
        return Some(format!("the link leads back to itself: `ls -l {}` shows where to", plain::word(path)));
    }
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Some(instead_of(path)),
        ErrorKind::PermissionDenied => Some(format!("you may not read it: sudo chmod a+r {}", plain::word(path))),
        ErrorKind::IsADirectory => Some("it is a folder: name a file in it".into()),
        _ => None,
    }
}

/// What may have been meant by a name that is not there.
fn instead_of(path: &Path) -> String {
    let folder = folder(path);
    let Ok(entries) = fs::read_dir(folder) else { return format!("there is no folder {}", plain::path(folder)) };
    let names: Vec<String> = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match closest(&name, names.iter().map(String::as_str)) {
        Some(meant) => format!("write \"{}\"", plain::path(&path.with_file_name(meant))),
        None => format!("`ls {}` shows what is there", plain::word(folder)),
    }
}

fn to_write(path: &Path, kind: ErrorKind) -> Option<String> {
    match kind {
        ErrorKind::NotFound if !folder(path).exists() => {
            Some(format!("make its folder first: mkdir -p {}", plain::word(folder(path))))
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Some("free some space, or name a place elsewhere".into()),
        ErrorKind::IsADirectory => Some("it is a folder: name a file".into()),
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => Some("it is, or lies in, a file: name a folder".into()),
        _ => Some(format!("nothing can be written to {}: name a place elsewhere", plain::path(folder(path)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_misspelt_file_is_found_and_a_missing_folder_named() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("iperf3-tokyo.txt"), "").unwrap();
        let reading = |name: &str| {
            let path = at(name);
            AccessError::reading(&path)(fs::read(&path).unwrap_err()).hint.unwrap()
        };
        assert_eq!(reading("iperf3-tokio.txt"), format!("write \"{}\"", at("iperf3-tokyo.txt").display()));
        assert_eq!(reading("ss.json"), format!("`ls {}` shows what is there", folder.path().display()));
        assert_eq!(reading("away/ss.json"), format!("there is no folder {}", at("away").display()));
        assert_eq!(reading(""), "it is a folder: name a file in it");
        symlink("ring", at("ring")).unwrap();
        assert!(reading("ring").starts_with("the link leads back to itself: `ls -l "));
    }

    #[test]
    fn what_cannot_be_written_says_where_to_write() {
        let folder = tempfile::tempdir().unwrap();
        let writing = |path: &Path| AccessError::writing(path)(fs::write(path, "").unwrap_err()).to_string();
        let away = folder.path().join("away/all.csv");
        assert!(
            writing(&away)
                .ends_with(&format!("\n\nhint: make its folder first: mkdir -p {}/away", folder.path().display()))
        );
        assert!(
            writing(Path::new("/proc/x"))
                .ends_with("\n\nhint: nothing can be written to /proc: name a place elsewhere")
        );
        assert!(writing(folder.path()).ends_with("\n\nhint: it is a folder: name a file"));
    }
}
