//! Errors about files and folders that the user names: the system's message, and what to do.

use crate::suggest::closest;
use evidence::plain;
use nix::errno::Errno;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Why a named file or folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}{}", plain::path(path), hint.iter().map(|hint| format!("\n\nhint: {hint}")).collect::<String>())]
pub struct AccessError {
    /// The named file or folder.
    pub path: PathBuf,
    /// Error from the operating system.
    pub error: io::Error,
    pub hint: Option<String>,
}

impl AccessError {
    /// Makes a function for `map_err` after a failed read.
    pub fn reading(path: &Path) -> impl FnOnce(io::Error) -> AccessError {
        move |error| AccessError { path: path.into(), hint: to_read(path, &error), error }
    }

    /// Makes a function for `map_err` after a failed write.
    pub fn writing(path: &Path) -> impl FnOnce(io::Error) -> AccessError {
        move |error| AccessError { path: path.into(), hint: to_write(path, error.kind()), error }
    }
}

/// Returns the folder of a path.
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

/// Suggests what a missing name may have meant.
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
    fn write_errors_hint_where_to_write() {
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
