//! Programs that building a kernel needs, and checks of the machine.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::command::output;
use super::error::{indented, list};

/// A program and the Debian package that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    /// Name of the program.
    pub program: &'static str,
    pub package: &'static str,
}

/// Why a kernel cannot be built on this machine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolsError {
    /// Programs are missing.
    #[error(
        "missing programs that build a kernel: {}\n\nhint: sudo apt-get install {}",
        list(missing.iter().map(|tool| tool.program)),
        packages(missing)
    )]
    Missing { missing: Vec<Tool> },
    /// There is no folder for a small test program.
    #[error("cannot use {} for temporary files: {error}\n\nhint: set TMPDIR to a folder that exists", folder.display())]
    Folder {
        folder: PathBuf,
        /// Error from the operating system.
        error: io::Error,
    },
    /// gcc cannot make programs.
    #[error(
        "gcc cannot compile and link a small program{}\n\nhint: sudo apt-get install gcc libc6-dev",
        indented(said)
    )]
    Compiler {
        /// The compiler's output.
        said: String,
    },
}

fn packages(tools: &[Tool]) -> String {
    let mut packages: Vec<&str> = tools.iter().map(|tool| tool.package).collect();
    packages.sort_unstable();
    packages.dedup();
    packages.join(" ")
}

const fn tool(program: &'static str, package: &'static str) -> Tool {
    Tool { program, package }
}

/// Programs that every build runs.
const BUILD_TOOLS: &[Tool] = &[
    tool("make", "make"),
    tool("gcc", "gcc"),
    tool("ld", "binutils"),
    tool("flex", "flex"),
    tool("bison", "bison"),
    tool("bc", "bc"),
    tool("git", "git"),
    tool("tar", "tar"),
    tool("xz", "xz-utils"),
    tool("df", "coreutils"),
    tool("setpriv", "util-linux"),
];

/// Compiles only with the C library's headers.
const TEST_PROGRAM: &str = "#include <stdio.h>\n#include <linux/types.h>\nint main(void) { return puts(\"\") < 0; }\n";

pub(super) fn missing(tools: &[Tool]) -> Vec<Tool> {
    tools.iter().copied().filter(|tool| find_program(tool.program).is_none()).collect()
}

/// Returns an error that names the missing tools, if any.
pub(super) fn require(tools: &[Tool]) -> Result<(), ToolsError> {
    match missing(tools) {
        missing if missing.is_empty() => Ok(()),
        missing => Err(ToolsError::Missing { missing }),
    }
}

/// Compiler and linker; part of a kernel's identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toolchain {
    /// The first line of `gcc --version`.
    pub compiler: String,
    /// The first line of `ld --version`.
    pub linker: String,
}

impl Toolchain {
    /// Finds the tools, and checks that the compiler can make a small program.
    pub fn examine() -> Result<Toolchain, ToolsError> {
        require(BUILD_TOOLS)?;
        let folder = tempfile::tempdir().map_err(|error| ToolsError::Folder { folder: env::temp_dir(), error })?;
        compile_small_program(folder.path()).map_err(|said| ToolsError::Compiler { said })?;
        let version = |program: &str| {
            let said = output(Command::new(program).arg("--version").env("LC_ALL", "C"));
            said.map(|said| said.lines().next().unwrap_or_default().to_owned())
                .map_err(|said| ToolsError::Compiler { said })
        };
        Ok(Toolchain { compiler: version("gcc")?, linker: version("ld")? })
    }
}

fn compile_small_program(folder: &Path) -> Result<(), String> {
    let source = folder.join("small.c");
    fs::write(&source, TEST_PROGRAM).map_err(|error| format!("{}: {error}", source.display()))?;
    output(Command::new("gcc").arg(&source).arg("-o").arg(folder.join("small"))).map(drop)
}

/// Finds a program in PATH or in the administrator's folders.
pub fn find_program(name: impl AsRef<OsStr>) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(["/usr/sbin".into(), "/sbin".into()]);
    let is_program =
        |path: &PathBuf| fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0);
    folders.map(|folder| folder.join(name.as_ref())).find(is_program)
}

/// Returns the free bytes in a folder, as `df` reports them.
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    available(&output(Command::new("df").arg("-Pk").arg(folder).env("LC_ALL", "C")).ok()?)
}

fn available(df: &str) -> Option<u64> {
    let line = df.lines().nth(1)?;
    // The file system's name may contain blanks, so find the figure before the percentage.
    let fields: Vec<&str> = line.split_whitespace().collect();
    let capacity = fields.iter().position(|field| field.ends_with('%'))?;
    fields.get(capacity.checked_sub(1)?)?.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn df_is_read() {
        let df = "Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/my disk 1000 400 600 40% /\n";
        assert_eq!(available(df), Some(600 * 1024));
        assert_eq!(available("df: no"), None);
        assert!(free_bytes(Path::new("/")).is_some());
    }

    #[test]
    fn programs_are_found() {
        assert!(find_program("sh").is_some());
        assert_eq!(missing(&[tool("sh", "dash"), tool("no-such-program", "x")]), [tool("no-such-program", "x")]);
    }
}
