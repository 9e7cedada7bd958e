//! From an unpacked tree to `linux`: the commands, their environment and their log.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::command::Log;
use super::error::AddError;
use super::progress::Progress;
use super::recipe::{Recipe, dropped};
use super::version::Version;

/// Raised when the same recipe is followed in another way.
const RECIPE: &str = "1";

/// What a build takes on the disk while it runs.
pub(super) const NEEDED: u64 = 2_500_000_000;

/// The steps of a build of 7.3, until a build here has counted.
pub(super) const STEPS: usize = 1350;

/// All that a build sees of its surroundings besides PATH, HOME and TMPDIR. The kernel's version string holds user, host, number
/// and date, and the guest stirs it into its random pool, so they must not vary.
const ENVIRONMENT: &[(&str, &str)] = &[
    ("KBUILD_BUILD_HOST", "goodput"),
    ("KBUILD_BUILD_TIMESTAMP", "1970-01-01"),
    ("KBUILD_BUILD_USER", "goodput"),
    ("KBUILD_BUILD_VERSION", "1"),
    ("LC_ALL", "C"),
    ("TZ", "UTC"),
];

/// User-Mode Linux asks for `-mcmodel=large`, which costs an eighth of the speed and gains nothing below 2 GB.
const MAKE_LINUX: &[&str] = &["ARCH=um", "KCFLAGS=-mcmodel=small", "linux"];

/// All about a build that is the same for every recipe, as part of a kernel's identity.
pub(super) fn how() -> Vec<String> {
    let environment = ENVIRONMENT.iter().flat_map(|(name, value)| [*name, *value]);
    [RECIPE].into_iter().chain(environment).chain(MAKE_LINUX.iter().copied()).map(str::to_owned).collect()
}

/// A tree on its way to a kernel.
pub(super) struct Build<'a> {
    pub(super) tree: PathBuf,
    pub(super) version: Version,
    pub(super) log: PathBuf,
    pub(super) progress: &'a mut Progress,
}

/// What a build made besides `linux` and `.config` in its tree.
#[derive(Debug)]
pub(super) struct Built {
    /// Options marked optional that this kernel does not have.
    pub(super) dropped: Vec<String>,
    /// Lines of output that stand for a file made.
    pub(super) steps: usize,
}

impl Build<'_> {
    /// Removes what another build in the tree may have left behind.
    pub(super) fn clean(&mut self) -> Result<(), AddError> {
        self.run("make mrproper", self.make(&["ARCH=um", "mrproper"]), |_| {})
    }

    /// Patches, configures and compiles; `about` is how many steps that may take.
    pub(super) fn follow(&mut self, recipe: &Recipe, about: usize) -> Result<Built, AddError> {
        self.progress.stage(format!("configuring Linux {}", self.version));
        recipe.patch(&self.tree, &self.version)?;
        recipe.hook_module(&self.tree, &self.version)?;
        let dropped = self.configure(&recipe.fragment)?;
        self.progress.stage(format!("building Linux {}", self.version));
        Ok(Built { dropped, steps: self.compile(about)? })
    }

    /// `tinyconfig` with the fragment over it; the optional options that were dropped.
    fn configure(&mut self, fragment: &str) -> Result<Vec<String>, AddError> {
        let path = self.tree.join(".goodput.config");
        fs::write(&path, fragment).map_err(AddError::file("write", &path))?;
        let mut merge = self.command(self.tree.join("scripts/kconfig/merge_config.sh"));
        merge.args(["-m", ".config", ".goodput.config"]);
        self.run("make tinyconfig", self.make(&["ARCH=um", "tinyconfig"]), |_| {})?;
        self.run("merge_config.sh", merge, |_| {})?;
        self.run("make olddefconfig", self.make(&["ARCH=um", "olddefconfig"]), |_| {})?;

        let config = self.tree.join(".config");
        let text = fs::read_to_string(&config).map_err(AddError::file("read", &config))?;
        let (needed, optional) = dropped(fragment, &text);
        if needed.is_empty() {
            return Ok(optional);
        }
        let copy = self.log.with_file_name("config");
        fs::write(&copy, text).map_err(AddError::file("write", &copy))?;
        Err(AddError::Dropped { version: self.version.clone(), dropped: needed, config: copy })
    }

    fn compile(&mut self, about: usize) -> Result<usize, AddError> {
        let jobs = std::thread::available_parallelism().map_or(1, |jobs| jobs.get());
        let mut make = self.make(MAKE_LINUX);
        make.arg(format!("-j{jobs}"));
        let mut steps = 0;
        self.run("make linux", make, |progress| {
            steps += 1;
            progress.step(steps, about);
        })?;
        Ok(steps)
    }

    fn make(&self, arguments: &[&str]) -> Command {
        let mut make = self.command("make");
        make.args(arguments);
        make
    }

    /// A command in the tree that ends with us: a build left running would work in a folder that the next one removes.
    fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "TERM"]).arg(program).current_dir(&self.tree).env_clear();
        command.envs(["PATH", "HOME", "TMPDIR"].into_iter().filter_map(|name| Some((name, env::var_os(name)?))));
        command.envs(ENVIRONMENT.iter().copied());
        command
    }

    /// Runs a command into the log, and tells of each step that it reports, such as `  CC      net/ipv4/tcp.o`.
    fn run(
        &mut self,
        stage: &str,
        mut command: Command,
        mut on_step: impl FnMut(&mut Progress),
    ) -> Result<(), AddError> {
        let mut log = Log::open(&self.log).map_err(AddError::file("write", &self.log))?;
        let succeeded = log.run(&mut command, |line| {
            if line.starts_with("  ") {
                on_step(self.progress);
            }
        });
        match succeeded {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.failure(stage)),
            Err(error) => Err(AddError::file("run", Path::new(command.get_program()))(error)),
        }
    }

    fn failure(&self, stage: &str) -> AddError {
        let text = fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let last = text.rfind("\n$ ").map_or(&*text, |start| &text[start + 1..]);
        if last.contains("No space left on device") {
            return AddError::no_space(&self.tree);
        }
        AddError::Stage { stage: stage.to_owned(), lines: telling(last), log: self.log.clone() }
    }
}

/// The lines of a command's output that say why it failed, or else its last ones.
fn telling(output: &str) -> String {
    const SHOWN: usize = 8;
    let marks = ["error:", "rror: ", "Error ", "***", "undefined reference", "not found", "No such file", "cannot"];
    let lines: Vec<&str> = output.lines().skip(1).filter(|line| !line.trim().is_empty()).collect();
    let telling: Vec<&str> =
        lines.iter().copied().filter(|line| marks.iter().any(|mark| line.contains(mark))).take(SHOWN).collect();
    if telling.is_empty() { lines[lines.len().saturating_sub(SHOWN)..].join("\n") } else { telling.join("\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_that_tell_are_shown() {
        let output = "$ make\n  CC      a.o\na.c:3:1: error: no\n  CC      b.o\nmake: *** [a.o] Error 1\n";
        assert_eq!(telling(output), "a.c:3:1: error: no\nmake: *** [a.o] Error 1");
        assert_eq!(telling("$ make\none\ntwo\n"), "one\ntwo");
    }
}
