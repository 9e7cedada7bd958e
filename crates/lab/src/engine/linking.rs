//! Dynamic linking (ld.so(8)): the loader that a program names, and the libraries that the loader would load.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The host's loader, which dynamically linked programs name (PT_INTERP, elf(5)).
pub const LOADER: &str = "/lib64/ld-linux-x86-64.so.2";

/// Returns a loader's listing for a program: a line for each library.
pub fn listed(loader: &Path, program: &Path) -> io::Result<String> {
    let mut command = Command::new(loader);
    command.arg("--list").arg(program).env_remove("LD_PRELOAD").stdin(Stdio::null());
    let output = command.output()?;
    Ok(String::from_utf8_lossy(&[output.stderr, output.stdout].concat()).into_owned())
}

/// Returns the line about the first missing library or symbol version.
pub fn lacking(listed: &str) -> Option<&str> {
    listed.lines().find(|line| line.contains(" not found")).map(str::trim)
}

/// Returns the names under which a program asks for its libraries, with their paths.
pub fn libraries(listed: &str) -> impl Iterator<Item = (&str, PathBuf)> {
    listed.lines().filter_map(|line| {
        let (name, found) = line.trim().split_once(" => ")?;
        let (path, _address) = found.rsplit_once(" (")?;
        Some((name, path.into()))
    })
}

/// Replaces a program's loader by one whose path is not longer; `None` if the program does not name [`LOADER`].
pub fn naming(loader: &str, mut program: Vec<u8>) -> Option<Vec<u8>> {
    let named = [LOADER.as_bytes(), b"\0"].concat();
    let at = program.windows(named.len()).position(|bytes| *bytes == named)?;
    let place = &mut program[at..at + named.len()];
    place.fill(0);
    place[..loader.len()].copy_from_slice(loader.as_bytes());
    Some(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_loader_takes_the_place_of_the_first() {
        let program = [b"\x7fELF", LOADER.as_bytes(), b"\0.text"].concat();
        let own = "/proc/self/fd/12";
        let named = naming(own, program.clone()).unwrap();
        assert_eq!(named.len(), program.len());
        assert!(named.starts_with(&[b"\x7fELF", own.as_bytes(), b"\0"].concat()) && named.ends_with(b"\0.text"));
        assert_eq!(naming(own, named), None);
    }

    #[test]
    fn libraries_are_what_a_loader_lists() {
        let listed = "\tlinux-vdso.so.1 (0x00007ffd3)\n\tlibmnl.so.0 => /lib/x86_64-linux-gnu/libmnl.so.0 (0x00007f5)\n\
                      \tlibx.so => not found\n\t/lib64/ld-linux-x86-64.so.2 (0x00007f5)\n";
        let found: Vec<_> = libraries(listed).collect();
        assert_eq!(found, [("libmnl.so.0", "/lib/x86_64-linux-gnu/libmnl.so.0".into())]);
        assert_eq!(lacking(listed), Some("libx.so => not found"));
    }
}
