//! The reader of captures and the diagnosis on captures that others made.
//!
//! `cargo bench -p goodput --bench captures -- FOLDER`: FOLDER/tcptrace/ has captures (`X.gz`) and tcptrace's tables of
//! them (`X.gz.long`); FOLDER/policing/ has captures behind a router (`X.pcap.xz`) and the router's settings
//! (`labels.csv`); FOLDER/packetdrill/ has the kernel's AccECN scripts (`tcp_accecn_X.pkt`). Compares those that exist
//! and prints tables; fails if figures differ that `tcptrace::DIFFER` does not explain, or if the diagnosis misses its
//! target.
#![forbid(unsafe_code)]

mod packetdrill;
mod policing;
mod tcptrace;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn main() -> io::Result<ExitCode> {
    let Some(folder) = std::env::args().skip(1).find(|argument| !argument.starts_with("--")).map(PathBuf::from) else {
        eprintln!("no folder\n\nhint: cargo bench -p goodput --bench captures -- FOLDER");
        return Ok(ExitCode::from(2));
    };
    let present = COMPARISONS.iter().map(|(name, holds)| (folder.join(name), holds)).filter(|(part, _)| part.is_dir());
    let holds = present.map(|(part, holds)| holds(&part)).collect::<io::Result<Vec<bool>>>()?;
    if holds.is_empty() {
        let names = COMPARISONS.map(|(name, _)| name).join(", ");
        eprintln!("{}: none of the folders {names}\n\nhint: copy the captures there", folder.display());
        return Ok(ExitCode::from(2));
    }
    Ok(if holds.iter().all(|holds| *holds) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Comparisons, by the name of the folder.
const COMPARISONS: [(&str, Holds); 3] =
    [("tcptrace", tcptrace::holds), ("policing", policing::holds), ("packetdrill", packetdrill::holds)];

type Holds = fn(&Path) -> io::Result<bool>;

/// The files of a folder with this ending, by name.
fn files(folder: &Path, ending: &str) -> io::Result<Vec<PathBuf>> {
    let hint = |error| io::Error::other(format!("{}: {error}", folder.display()));
    let mut files = vec![];
    for entry in fs::read_dir(folder).map_err(hint)? {
        files.push(entry?.path());
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == ending));
    files.sort();
    Ok(files)
}

/// Contents of a file, decompressed.
fn unpacked(path: &Path, program: &str) -> io::Result<Vec<u8>> {
    let output = Command::new(program).arg("-dc").arg(path).output()?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(io::Error::other(format!("{}: {program}", path.display())))
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
