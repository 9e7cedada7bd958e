//! Why a kernel could not be added.

use std::io;
use std::path::{Path, PathBuf};

use super::build::NEEDED;
use super::cache::CacheError;
use super::tools::{Tool, free_bytes};
use evidence::platform::Version;

/// Why a kernel could not be added.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AddError {
    /// The text names no source.
    #[error(
        "\"{text}\" is no source of a kernel: no such file, folder, git tree or package\n\n\
         hint: give a package such as linux-source-6.12, a tarball, an unpacked tree, or a git tree as FOLDER@REVISION"
    )]
    NoSuchSource {
        /// What was asked for.
        text: String,
    },
    /// The name is not one that a folder could have.
    #[error(
        "a kernel cannot be called \"{name}\"\n\n\
         hint: letters, digits, dots, dashes and underscores make a name, with a letter or digit first"
    )]
    BadName {
        /// The name asked for.
        name: String,
    },
    /// Another kernel has the name.
    #[error(
        "another kernel is called {name} already ({hash})\n\n\
         hint: choose another name, or give this one to the new kernel with --replace"
    )]
    NameTaken {
        /// The name.
        name: String,
        /// The start of the other kernel's hash.
        hash: String,
    },
    /// Programs are missing.
    #[error(
        "building a kernel takes {}, not found here\n\nhint: sudo apt-get install {}",
        list(missing.iter().map(|tool| tool.program)),
        packages(missing)
    )]
    MissingTools {
        /// What is missing.
        missing: Vec<Tool>,
    },
    /// gcc makes no programs.
    #[error(
        "gcc cannot compile and link a small program{}\n\nhint: sudo apt-get install gcc libc6-dev",
        indented(said)
    )]
    Compiler {
        /// What the compiler said.
        said: String,
    },
    /// apt has no Debian archive.
    #[error(
        "no Debian archive among apt's sources (looked in {})\n\n\
         hint: give a tarball, an unpacked tree or a git tree of Linux {} or newer instead",
        looked_in.display(), Version::OLDEST
    )]
    NoDebianArchive {
        /// Where apt keeps its sources.
        looked_in: PathBuf,
    },
    /// apt cannot reach such a package.
    #[error(
        "apt finds no package {package} in the suites {}{}\n\n\
         hint: look whether the network and apt's mirror can be reached, or give a tarball, an unpacked tree or a git tree",
        suites.join(", "), indented(said)
    )]
    NoPackage {
        /// The package asked for, or the start of its name.
        package: String,
        /// Where it was looked for.
        suites: Vec<String>,
        /// What apt said when it looked.
        said: String,
    },
    /// A package could not be downloaded or unpacked.
    #[error(
        "{package} could not be fetched{}\n\nhint: once more may help if the mirror has just changed",
        indented(said)
    )]
    Package {
        /// The package.
        package: String,
        /// What apt or dpkg-deb said.
        said: String,
    },
    /// A source could not be unpacked.
    #[error(
        "{source_name} could not be unpacked{}\n\nhint: look whether the file is whole and what it is called",
        indented(said)
    )]
    Unpack {
        /// The source.
        source_name: String,
        /// What the program that unpacks said.
        said: String,
    },
    /// git does not know the revision, or not the tree.
    #[error(
        "git has no {revision} in {}{}\n\nhint: give a branch, tag or commit that `git -C {0} log` knows",
        folder.display(), indented(said)
    )]
    Git {
        /// The git tree.
        folder: PathBuf,
        /// The revision asked for.
        revision: String,
        /// What git said.
        said: String,
    },
    /// A git tree has changes that a commit does not hold.
    #[error(
        "{} has changes that are not committed, and a kernel is built from a commit{}\n\n\
         hint: commit them, or write {0}@HEAD to build without them",
        folder.display(), indented(changes)
    )]
    Uncommitted {
        /// The git tree.
        folder: PathBuf,
        /// The files changed.
        changes: String,
    },
    /// The source is not Linux.
    #[error(
        "{source_name} is no source of Linux: it has no {missing}\n\n\
         hint: what is accepted is the whole source of Linux {} or newer, with arch/um",
        Version::OLDEST
    )]
    NotLinux {
        /// The source.
        source_name: String,
        /// What a source of Linux would have.
        missing: &'static str,
    },
    /// The kernel is too old.
    #[error(
        "{source_name} is Linux {version}, and goodput needs {} or newer\n\n\
         hint: `goodput kernel add` alone takes the newest that Debian has",
        Version::OLDEST
    )]
    TooOld {
        /// The source.
        source_name: String,
        /// Its version.
        version: Version,
    },
    /// The disk is too full for a build.
    #[error(
        "{} has {} MB free, and this build needs about {} MB\n\n\
         hint: free some, for instance with goodput kernel clean, or set XDG_CACHE_HOME to a folder on another disk",
        folder.display(), free / 1_000_000, needed / 1_000_000
    )]
    NoSpace {
        /// Where the build would be.
        folder: PathBuf,
        /// Bytes free.
        free: u64,
        /// Bytes that a build needs.
        needed: u64,
    },
    /// None of goodput's own patches for the same purpose fits.
    #[error(
        "goodput does not know how to change Linux {version}{}\n\n\
         hint: goodput's patches are tried with Debian's kernels; `goodput kernel add` alone takes the newest of them",
        indented(said)
    )]
    OwnPatch {
        /// The kernel's version.
        version: Version,
        /// Place and text of what does not fit.
        said: String,
    },
    /// A patch of the user's does not fit.
    #[error(
        "{said}\n\nhint: Linux {version} has not the lines of the hunk that begin with `-` or a blank; make the patch for this \
         version, or choose the one that it is for with --from"
    )]
    Patch {
        /// Place and text of each hunk.
        said: String,
        /// The kernel's version.
        version: Version,
    },
    /// A patch of the user's is in the source.
    #[error(
        "{}: Linux {version} has these changes already\n\nhint: leave the patch out, or choose an older source with --from",
        patch.display()
    )]
    Applied {
        /// The patch.
        patch: PathBuf,
        /// The kernel's version.
        version: Version,
    },
    /// A file is no patch.
    #[error(
        "{}: git cannot read this patch{}\n\nhint: what is accepted is what `git diff`, `git format-patch` and `diff -u` print, \
         with paths from the top of the tree: a/net/ipv4/tcp.c",
        patch.display(), indented(said)
    )]
    NoPatch {
        /// The file.
        patch: PathBuf,
        /// What git said.
        said: String,
    },
    /// A folder is no module.
    #[error(
        "{} cannot be a module: {what}\n\n\
         hint: a module is a folder with C files that are compiled into the kernel, such as examples/congestion",
        folder.display()
    )]
    Module {
        /// The folder.
        folder: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// Two modules would be one folder in the kernel's tree.
    #[error(
        "{} and {} are both called {name}\n\nhint: rename one of the folders",
        folders[0].display(), folders[1].display()
    )]
    SameName {
        /// The name.
        name: String,
        /// The folders.
        folders: [PathBuf; 2],
    },
    /// A kernel with additions has no name.
    #[error(
        "a kernel with patches, configuration or modules of your own needs a name\n\nhint: goodput kernel add NAME …"
    )]
    NoName,
    /// Lines of the user's configuration had no effect.
    #[error(
        "Linux {version} does not follow{}\n\n\
         hint: the version does not know the option, or not with the others; the whole configuration is {}",
        indented(&ignored.join("\n")), config.display()
    )]
    Ignored {
        /// The kernel's version.
        version: Version,
        /// The lines with their places.
        ignored: Vec<String>,
        /// A copy of the configuration that came out.
        config: PathBuf,
    },
    /// git cannot work in the cache.
    #[error("git cannot use {}{}\n\nhint: goodput kernel clean removes what can be had again", folder.display(), indented(said))]
    Store {
        /// The repository.
        folder: PathBuf,
        /// What git said.
        said: String,
    },
    /// The kernel lacks a place where goodput's module is hooked in.
    #[error(
        "goodput's module finds no {missing} in Linux {version}\n\nhint: the module is made for Debian's newest kernel, which `goodput kernel add` alone takes"
    )]
    NoHook {
        /// What was looked for.
        missing: String,
        /// The kernel's version.
        version: Version,
    },
    /// The configuration lacks what was asked for.
    #[error(
        "Linux {version} cannot be configured as goodput needs it: it lacks {}\n\n\
         hint: the version does not know them, or not with the other options; the whole configuration is {}",
        list(dropped.iter().map(String::as_str)), config.display()
    )]
    Dropped {
        /// The kernel's version.
        version: Version,
        /// The options as the fragment has them.
        dropped: Vec<String>,
        /// A copy of the configuration that came out.
        config: PathBuf,
    },
    /// A command of the build failed.
    #[error("{stage} failed{}\n\nhint: the whole log is {}", indented(lines), log.display())]
    Stage {
        /// What was being done.
        stage: String,
        /// The log's last lines that say why.
        lines: String,
        /// The log.
        log: PathBuf,
    },
    /// The cache cannot be used.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// A file or folder cannot be used.
    #[error("cannot {action} {}: {error}", path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system answered.
        error: io::Error,
    },
}

impl AddError {
    pub(super) fn no_space(folder: &Path) -> AddError {
        AddError::NoSpace { folder: folder.to_owned(), free: free_bytes(folder).unwrap_or_default(), needed: NEEDED[0] }
    }

    /// Whether another commit of the same source may do better, and this one not at another time.
    pub fn is_of_the_source(&self) -> bool {
        use AddError::{Applied, Dropped, Ignored, NoHook, NotLinux, OwnPatch, Patch, Stage, TooOld};
        matches!(
            self,
            OwnPatch { .. } | Patch { .. } | Applied { .. } | NoHook { .. } | NotLinux { .. } | TooOld { .. }
        ) || matches!(self, Dropped { .. } | Ignored { .. } | Stage { .. })
    }

    pub(super) fn store(folder: &Path, said: String) -> AddError {
        if is_full(&said) {
            return AddError::no_space(folder);
        }
        AddError::Store { folder: folder.to_owned(), said }
    }

    /// For `map_err`: what was tried, on what.
    pub(super) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> AddError {
        move |error| AddError::File { action, path: path.to_owned(), error }
    }
}

/// Whether a program complains that the disk is full.
pub(super) fn is_full(said: &str) -> bool {
    said.contains("No space left on device")
}

fn list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

fn packages(tools: &[Tool]) -> String {
    let mut packages: Vec<&str> = tools.iter().map(|tool| tool.package).collect();
    packages.sort_unstable();
    packages.dedup();
    packages.join(" ")
}

/// What a program said, below a headline.
fn indented(said: &str) -> String {
    said.trim_end().lines().map(|line| format!("\n  {line}")).collect()
}
