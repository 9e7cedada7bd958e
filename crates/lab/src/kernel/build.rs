//! Builds `linux` from an unpacked tree: the commands, their environment and their log.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::additions::{Additions, Given};
use super::command::{Log, program};
use super::config::{Need, unfulfilled, unreadable};
use super::error::{FileError, Full, indented, list};
use super::fence;
use super::progress::Progress;
use base::sums::file_sha256;
use evidence::platform::Version;

/// Raise it when the build of the same recipe changes.
const RECIPE_VERSION: &str = "2";

/// Disk space for the first build of a version and for a later one, bytes.
pub(super) const NEEDED_BYTES: [u64; 2] = [3_000_000_000, 200_000_000];

/// Steps of a build of 7.3, used until a build on this machine was counted.
pub(super) const DEFAULT_STEPS: usize = 1350;

/// Environment of a build, besides PATH, and HOME and TMPDIR in its tree. The kernel's version string contains user, host, number and
/// date, and the guest stirs it into its random pool, so they must not vary.
const BUILD_ENVIRONMENT: &[(&str, &str)] = &[
    ("KBUILD_BUILD_HOST", "goodput"),
    ("KBUILD_BUILD_TIMESTAMP", "1970-01-01"),
    ("KBUILD_BUILD_USER", "goodput"),
    ("KBUILD_BUILD_VERSION", "1"),
    ("LC_ALL", "C"),
    ("TZ", "UTC"),
];

/// Arguments of make. User-Mode Linux asks for `-mcmodel=large`, which costs an eighth of the speed and gains nothing
/// below 2 GB.
const MAKE_LINUX: &[&str] = &["ARCH=um", "KCFLAGS=-mcmodel=small", "linux"];

/// Returns the parts of a build that are the same for every recipe, for a kernel's identity.
pub(super) fn how() -> Vec<String> {
    let environment = BUILD_ENVIRONMENT.iter().flat_map(|(name, value)| [*name, *value]);
    [RECIPE_VERSION].into_iter().chain(environment).chain(MAKE_LINUX.iter().copied()).map(str::to_owned).collect()
}

/// Why a tree cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The configuration lacks options that goodput needs.
    #[error(
        "Linux {version} cannot be configured for goodput: it lacks {}\n\n\
         hint: this version has no such options, or not in this combination; the whole configuration is {}",
        list(dropped.iter().map(String::as_str)), config.display()
    )]
    Dropped {
        /// The kernel's version.
        version: Version,
        /// Options as the fragment writes them.
        dropped: Vec<String>,
        /// Copy of the final configuration.
        config: PathBuf,
    },
    /// Lines of the user's configuration had no effect.
    #[error(
        "Linux {version} ignores{}\n\n\
         hint: this version has no such option, or not in this combination; the whole configuration is {}",
        indented(&ignored.join("\n")), config.display()
    )]
    Ignored {
        /// The kernel's version.
        version: Version,
        /// The lines with their positions.
        ignored: Vec<String>,
        /// Copy of the final configuration.
        config: PathBuf,
    },
    /// A command of the build failed.
    #[error("{stage} failed{}\n\nhint: the complete log is {}", indented(lines), log.display())]
    Stage {
        /// The failed stage.
        stage: String,
        /// The log's last lines that explain the failure.
        lines: String,
        log: PathBuf,
    },
    #[error(transparent)]
    Full(#[from] Full),
    /// A file or folder cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

/// A build in progress.
pub(super) struct Build<'a> {
    /// Folder of the sources, with the objects of the last build.
    pub(super) tree: PathBuf,
    pub(super) version: Version,
    pub(super) log: PathBuf,
    pub(super) additions: &'a Additions,
    /// Hash of sources, programs and options that determine the configuration.
    pub(super) configuration: String,
    /// FreeBSD's tree, if its stack is built.
    pub(super) freebsd: Option<PathBuf>,
    pub(super) progress: &'a mut Progress,
}

/// Results of a build besides `linux` and `.config` in its tree.
#[derive(Debug)]
pub(super) struct Built {
    /// Optional options of goodput's that this kernel lacks.
    pub(super) dropped: Vec<String>,
    /// Lines of output that each report a file made.
    pub(super) steps: usize,
}

impl Build<'_> {
    /// Configures and compiles; `about` is the estimated number of steps, if known.
    pub(super) fn follow(&mut self, fragment: &str, about: Option<usize>) -> Result<Built, BuildError> {
        self.progress.stage(format!("configuring Linux {}", self.version));
        let dropped = self.configure(fragment)?;
        self.progress.stage(format!("building Linux {}", self.version));
        Ok(Built { dropped, steps: self.compile(about)? })
    }

    /// Configures the tree, and returns the optional options that were dropped. If the last build in the tree had the
    /// same configuration, it is kept.
    fn configure(&mut self, fragment: &str) -> Result<Vec<String>, BuildError> {
        let config = self.tree.join(".config");
        let wanted = self.configuration.clone();
        let made = || file_sha256(&config).ok().map(|sum| format!("{wanted} {sum}\n"));
        let stamp = self.tree.join(".goodput.configured");
        if made().is_none() || fs::read_to_string(&stamp).ok() != made() {
            self.make_config(fragment)?;
            fs::write(&stamp, made().unwrap_or_default()).map_err(FileError::on("write", &stamp))?;
        }
        let text = fs::read_to_string(&config).map_err(FileError::on("read", &config))?;
        let copy = || -> Result<PathBuf, BuildError> {
            let copy = self.log.with_file_name("config");
            fs::write(&copy, &text).map_err(FileError::on("write", &copy))?;
            Ok(copy)
        };
        let lacking = unfulfilled(fragment, &text);
        let needed: Vec<String> =
            lacking.iter().filter(|wish| wish.need == Need::Must).map(|wish| self.blamed(wish.option, wish)).collect();
        if !needed.is_empty() {
            return Err(BuildError::Dropped { version: self.version.clone(), dropped: needed, config: copy()? });
        }
        let ignored: Vec<String> = self.additions.configs.iter().flat_map(|config| ignored(config, &text)).collect();
        if !ignored.is_empty() {
            return Err(BuildError::Ignored { version: self.version.clone(), ignored, config: copy()? });
        }
        Ok(lacking.iter().map(|wish| wish.to_string()).collect())
    }

    /// Makes the configuration: `tinyconfig` with goodput's fragment and the user's on top.
    fn make_config(&mut self, fragment: &str) -> Result<(), BuildError> {
        let mut merge = self.command(self.tree.join("scripts/kconfig/merge_config.sh"));
        merge.args(["-m", ".config"]);
        let texts = self.additions.configs.iter().map(|config| config.text.as_str());
        for (number, text) in [fragment].into_iter().chain(texts).enumerate() {
            let name = format!(".goodput.{number}.config");
            let path = self.tree.join(&name);
            fs::write(&path, text).map_err(FileError::on("write", &path))?;
            merge.arg(name);
        }
        self.run("make tinyconfig", self.make(&["ARCH=um", "tinyconfig"]), |_| {})?;
        self.run("merge_config.sh", merge, |_| {})?;
        self.run("make olddefconfig", self.make(&["ARCH=um", "olddefconfig"]), |_| {})
    }

    /// Formats a missing option, with the user's line that overrides it.
    fn blamed(&self, option: &str, wish: &impl std::fmt::Display) -> String {
        let against = self.additions.configs.iter().rev().find_map(|config| line_of(config, option));
        against.map_or(wish.to_string(), |place| format!("{wish} ({place} overrides it)"))
    }

    fn compile(&mut self, about: Option<usize>) -> Result<usize, BuildError> {
        let jobs = std::thread::available_parallelism().map_or(1, |jobs| jobs.get());
        let mut make = self.make(MAKE_LINUX);
        make.arg(format!("-j{jobs}"));
        make.args(self.freebsd.iter().map(|tree| format!("FREEBSD={}", tree.display())));
        let mut steps = 0;
        self.run("make linux", make, |progress| {
            steps += 1;
            if let Some(about) = about {
                progress.step(steps, about);
            }
        })?;
        Ok(steps)
    }

    fn make(&self, arguments: &[&str]) -> Command {
        let mut make = self.command("make");
        make.args(arguments);
        make
    }

    /// Returns a command that runs in the tree.
    fn command(&self, name: impl AsRef<OsStr>) -> Command {
        let mut command = program(name);
        command.current_dir(&self.tree).env_clear();
        command.envs(env::var_os("PATH").map(|path| ("PATH", path)));
        command.env("HOME", &self.tree).env("TMPDIR", self.temporary());
        command.envs(BUILD_ENVIRONMENT.iter().copied());
        command
    }

    /// Returns the folder of the build's temporary files, in its tree: it writes nowhere else.
    fn temporary(&self) -> PathBuf {
        self.tree.join(".goodput.tmp")
    }

    /// Runs a command into the log, and reports each step in its output, such as `  CC      net/ipv4/tcp.o`.
    fn run(
        &mut self,
        stage: &str,
        mut command: Command,
        mut on_step: impl FnMut(&mut Progress) + Send,
    ) -> Result<(), BuildError> {
        let mut log = Log::open(&self.log).map_err(FileError::on("write", &self.log))?;
        let temporary = self.temporary();
        fs::create_dir_all(&temporary).map_err(FileError::on("create", &temporary))?;
        let (tree, read) = (self.tree.clone(), Vec::from_iter(self.freebsd.clone()));
        let progress = &mut *self.progress;
        let succeeded = fence::within(&tree, &read, || {
            log.run(&mut command, |line| {
                if line.starts_with("  ") {
                    on_step(progress);
                }
            })
        });
        match succeeded {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.failure(stage)),
            Err(error) => Err(FileError::on("run", Path::new(command.get_program()))(error).into()),
        }
    }

    fn failure(&self, stage: &str) -> BuildError {
        let text = fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let last = text.rfind("\n$ ").map_or(&*text, |start| &text[start + 1..]);
        if let Some(full) = Full::said(last, &self.tree) {
            return full.into();
        }
        // The compiler names a copy of the user's file; show the user's path.
        let lines = self.additions.modules.iter().fold(telling(last), |lines, module| {
            lines.replace(&format!("{}/", module.place()), &format!("{}/", module.folder.display()))
        });
        BuildError::Stage { stage: stage.to_owned(), lines, log: self.log.clone() }
    }
}

/// Returns the user's lines that have no effect in the final configuration.
fn ignored(config: &Given, text: &str) -> Vec<String> {
    let place = |option: &str| line_of(config, option).unwrap_or_else(|| config.shown());
    let unreadable = unreadable(&config.text).into_iter();
    let unreadable = unreadable.map(|(line, text)| format!("{}:{line}: {text}", config.shown()));
    let unfulfilled = unfulfilled(&config.text, text).into_iter();
    unreadable.chain(unfulfilled.map(|wish| format!("{}: {wish}", place(wish.option)))).collect()
}

/// Returns the position of an option in a fragment.
fn line_of(config: &Given, option: &str) -> Option<String> {
    let speaks = |line: &str| line.split(['=', ' ']).any(|word| word == option);
    let line = config.text.lines().position(speaks)?;
    Some(format!("{}:{}", config.shown(), line + 1))
}

/// Returns the lines that explain a command's failure, or else its last lines.
fn telling(output: &str) -> String {
    const SHOWN_LINES: usize = 8;
    let marks = [
        "error:",
        "rror: ",
        "Error ",
        "***",
        "undefined reference",
        "multiple definition",
        "not found",
        "No such file",
        "cannot",
    ];
    // make repeats a failure once for each folder above it.
    let says = |line: &&str| !line.trim().is_empty() && !line.starts_with("make[");
    let lines: Vec<&str> = output.lines().skip(1).filter(says).collect();
    let telling: Vec<&str> =
        lines.iter().copied().filter(|line| marks.iter().any(|mark| line.contains(mark))).take(SHOWN_LINES).collect();
    if telling.is_empty() { lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n") } else { telling.join("\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_that_tell_are_shown() {
        let output = "$ make\n  CC      a.o\na.c:3:1: error: no\n  CC      b.o\nmake[1]: *** [a.o] Error 1\n\
                      make: *** [a.o] Error 1\n";
        assert_eq!(telling(output), "a.c:3:1: error: no\nmake: *** [a.o] Error 1");
        assert_eq!(telling("$ make\none\ntwo\n"), "one\ntwo");
    }
}
