//! Copies the host's tools for a guest, with their loader and libraries, so that the guest does not depend on their
//! places on the host. Looking for them there would take virtual time.

use super::linking;
use crate::kernel::find_program;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use wire::Tool;

/// Name of the loader among the copied files.
const LOADER: &str = "ld-linux-x86-64.so.2";

/// Folders in which builds of iproute2 keep netem's distributions: Debian's, Red Hat's and others.
const DISTRIBUTIONS: [&str; 4] = ["/usr/lib/x86_64-linux-gnu/tc", "/usr/lib64/tc", "/usr/lib/tc", "/usr/share/tc"];

/// Why tools cannot be copied.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum NoCopy {
    #[error("cannot give a guest {}: {error}\n\nhint: goodput doctor checks what this machine lacks", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("{} does not work on this machine: {lacking}\n\nhint: apt-get install --reinstall {package}", path.display())]
    Library { path: PathBuf, lacking: String, package: &'static str },
}

/// Returns names and bytes of the files that some tools need. Tools that the host lacks are left out.
pub fn files(needed: &[Tool]) -> Result<BTreeMap<String, Vec<u8>>, NoCopy> {
    let mut files = BTreeMap::new();
    for (tool, name, package) in Tool::ALL.into_iter().filter(|(tool, ..)| needed.contains(tool)) {
        let Some(path) = find_program(name) else { continue };
        let program = read(&path)?;
        // A program that names no loader is linked statically.
        let linked = linking::naming(&format!("{}/{LOADER}", wire::TOOLS), program.clone());
        if linked.is_some() {
            let listed = linking::listed(Path::new(linking::LOADER), &path);
            let listed = listed.map_err(|error| NoCopy::File { path: linking::LOADER.into(), error })?;
            if let Some(lacking) = linking::lacking(&listed) {
                return Err(NoCopy::Library { path, lacking: lacking.into(), package });
            }
            let loader = (LOADER, PathBuf::from(linking::LOADER));
            for (name, path) in linking::libraries(&listed).chain([loader]) {
                // Most tools share libraries.
                if !files.contains_key(name) {
                    files.insert(name.to_owned(), read(&path)?);
                }
            }
        }
        files.insert(name.to_owned(), linked.unwrap_or(program));
        if tool == Tool::Tc {
            for path in distributions() {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                files.insert(name, read(&path)?);
            }
        }
    }
    Ok(files)
}

fn read(path: &Path) -> Result<Vec<u8>, NoCopy> {
    fs::read(path).map_err(|error| NoCopy::File { path: path.into(), error })
}

fn distributions() -> impl Iterator<Item = PathBuf> {
    let entries = DISTRIBUTIONS.iter().find_map(|folder| fs::read_dir(folder).ok()).into_iter().flatten();
    entries.flatten().map(|entry| entry.path()).filter(|path| path.extension() == Some(OsStr::new("dist")))
}
