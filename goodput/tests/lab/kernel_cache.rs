//! A cache of kernels of a test's own. It reads sources and their git objects from the user's cache, where `make kernel`
//! has put them, and changes nothing there.

use lab::kernel::{self, Entry};
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Files of a kernel's tree that User-Mode Linux never compiles: three quarters of its bytes.
const NOT_COMPILED: &[&str] =
    &["drivers/gpu/*.[chS]", "drivers/media/*.[chS]", "sound/*.[chS]", "Documentation/*.[rs]*"];

pub struct KernelCache {
    home: TempDir,
}

impl KernelCache {
    /// A cache with the user's kernels of these names, and the sources that they were built from.
    pub fn with(names: &[&str]) -> KernelCache {
        let cache = KernelCache { home: tempfile::tempdir().unwrap() };
        let kernels = cache.folder().join("kernels");
        for entry in names.iter().map(|name| kernel::find(Some(name)).unwrap_or_else(|error| panic!("{error}"))) {
            let own = kernels.join(entry.short_hash());
            fs::create_dir_all(&own).unwrap();
            fs::copy(entry.folder.join("kernel.json"), own.join("kernel.json")).unwrap();
            ["linux", "config"].iter().for_each(|file| symlink(entry.folder.join(file), own.join(file)).unwrap());
        }
        let (own, shared) = (cache.folder().join("sources/git"), shared("sources/git"));
        fs::create_dir_all(&own).unwrap();
        git(&own, &["init", "-q", "--bare"]);
        fs::write(own.join("objects/info/alternates"), format!("{}\n", shared.join("objects").display())).unwrap();
        fs::write(own.join("packed-refs"), git(&shared, &["for-each-ref", "--format=%(objectname) %(refname)"]) + "\n")
            .unwrap();
        // The files of a tree that is copied have other inodes and times of change than git knows.
        git(&own, &["config", "core.checkStat", "minimal"]);
        git(&own, &["config", "core.trustCtime", "false"]);
        cache
    }

    /// A cache that also has the tree and objects of the last build of this version, so that a build compiles only the
    /// differences.
    pub fn with_tree(names: &[&str], series: &str) -> KernelCache {
        let cache = KernelCache::with(names);
        let trees = cache.folder().join("trees");
        fs::create_dir_all(&trees).unwrap();
        let mut pack = Command::new("tar");
        pack.arg("-C").arg(shared("trees")).args(NOT_COMPILED.iter().map(|name| format!("--exclude={series}/{name}")));
        let mut pack = pack.args(["-c", series, &format!("{series}.index")]).stdout(Stdio::piped()).spawn().unwrap();
        let unpack = Command::new("tar").arg("-C").arg(&trees).arg("-x").stdin(pack.stdout.take().unwrap()).status();
        assert!(unpack.unwrap().success() && pack.wait().unwrap().success(), "the tree of Linux {series} is not there");
        cache
    }

    fn folder(&self) -> PathBuf {
        self.home.path().join("goodput")
    }

    pub fn find(&self, name: &str) -> Entry {
        kernel::Cache::at(self.folder()).find(Some(name)).unwrap_or_else(|error| panic!("{error}"))
    }

    /// goodput with this cache.
    pub fn goodput(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_goodput"));
        command.env("XDG_CACHE_HOME", self.home.path());
        command
    }

    /// `goodput kernel` with these words.
    pub fn kernel(&self, words: &[impl AsRef<OsStr>]) -> Output {
        self.goodput().arg("kernel").args(words).output().unwrap()
    }
}

/// Path in the user's cache.
pub fn shared(name: &str) -> PathBuf {
    kernel::place().expect("the cache has a place").join(name)
}

/// The version of the newest kernel's tree, such as 7.3.
pub fn newest_series() -> String {
    let version = kernel::find(None).unwrap_or_else(|error| panic!("{error}")).version;
    version.split('.').take(2).collect::<Vec<_>>().join(".")
}

/// Output of git on a store.
pub fn git(store: &Path, arguments: &[&str]) -> String {
    fed(Command::new("git").arg("--git-dir").arg(store).args(arguments), "")
}

/// Output of a command, which must succeed.
pub fn fed(command: &mut Command, input: &str) -> String {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{command:?}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}
