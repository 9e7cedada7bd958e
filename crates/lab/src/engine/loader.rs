//! Loads a guest's kernel. It is linked dynamically, because a statically linked Linux 6.12 loses its first user
//! process. So it needs the C library of the machine that built it, or a newer one. If the host's is older or missing,
//! goodput uses the one that its package brings with the tools.

use super::tools::Tools;
use super::{Refusal, linking};
use crate::kernel::Entry;
use nix::sys::memfd::{MFdFlags, memfd_create};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The host's loader.
pub const HOST_LOADER: &str = linking::LOADER;

/// A package's loader, and the library that it loads.
pub const PACKAGED_LOADER: [&str; 2] = ["ld-linux-x86-64.so.2", "libc.so.6"];

/// Returns the folder of the package's loader, if the host's cannot load a kernel.
pub fn needed(kernel: &Entry, tools: &Tools) -> Result<Option<PathBuf>, Refusal> {
    let Err(said) = loads(Path::new(HOST_LOADER), &kernel.linux()) else { return Ok(None) };
    let own = tools.folder().filter(|folder| PACKAGED_LOADER.iter().all(|name| folder.join(name).exists()));
    let name = || kernel.names.first().map_or(kernel.short_hash(), String::as_str).to_owned();
    own.map(|folder| Some(folder.to_owned())).ok_or_else(|| Refusal::Library { kernel: name(), said })
}

/// Checks that a loader finds all libraries and symbol versions that a program needs. The error is the loader's
/// message.
fn loads(loader: &Path, program: &Path) -> Result<(), String> {
    let said = linking::listed(loader, program).map_err(|error| format!("{}: {error}", loader.display()))?;
    linking::lacking(&said).map_or(Ok(()), |line| Err(line.to_owned()))
}

/// A kernel that is ready to run.
pub struct Loaded {
    command: Command,
    /// Its kernel image and its loader, kept open until it runs.
    _files: Option<[File; 2]>,
}

impl Loaded {
    /// Loads a kernel by the host's loader.
    pub fn by_host(kernel: &Path) -> Loaded {
        Loaded { command: Command::new(kernel), _files: None }
    }

    /// Loads a kernel by the loader in a folder. The kernel is copied into memory and names the loader by its
    /// descriptor.
    pub fn by(folder: &Path, kernel: &Path) -> io::Result<Loaded> {
        let loader = File::open(folder.join(PACKAGED_LOADER[0]))?;
        let mut memory = File::from(memfd_create(c"linux", MFdFlags::MFD_CLOEXEC)?);
        let [interpreter, program] = [&loader, &memory].map(|file| format!("/proc/self/fd/{}", file.as_raw_fd()));
        let named = linking::naming(&interpreter, fs::read(kernel)?);
        let unnamed = || io::Error::other(format!("it does not name its loader {HOST_LOADER}"));
        memory.write_all(&named.ok_or_else(unnamed)?)?;
        let mut command = Command::new(program);
        command.arg0(kernel).env("LD_LIBRARY_PATH", folder);
        Ok(Loaded { command, _files: Some([loader, memory]) })
    }

    /// Replaces this process by the kernel; returns only on error.
    pub fn exec(mut self, arguments: &[OsString]) -> io::Error {
        self.command.args(arguments).exec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn the_loaders_message_decides_whether_a_program_loads() {
        let folder = tempfile::tempdir().unwrap();
        let loader = |script: &str| {
            let path = folder.path().join("loader");
            fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            path
        };
        let program = Path::new("/bin/true");
        assert_eq!(loads(Path::new(HOST_LOADER), program), Ok(()));
        // Message of glibc 2.31, whose exit code is 0.
        let old = "/linux: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by /linux)";
        let quoted = old.replace('`', "\\`");
        assert_eq!(
            loads(&loader(&format!("echo \"{quoted}\" >&2; echo 'libc.so.6 => /libc.so.6'")), program),
            Err(old.into())
        );
        // A file that is not a dynamic program is not checked.
        assert_eq!(loads(&loader("echo 'invalid ELF header' >&2; exit 127"), program), Ok(()));
        let none = loads(&folder.path().join("none"), program).unwrap_err();
        assert!(none.ends_with("/none: No such file or directory (os error 2)"), "{none}");
    }
}
