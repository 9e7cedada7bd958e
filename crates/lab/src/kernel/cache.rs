//! The cache of built kernels, each in a folder named after its hash.
//!
//! ```text
//! goodput/lock                 held by whoever changes anything below
//! goodput/sources/             downloads, and in sources/git every file of a source that was built
//! goodput/trees/<7.3>/         the tree of the last build of that version, with its objects
//! goodput/build/<hash>/        a build under way, or the log of one that failed
//! goodput/kernels/<hash>/      linux, config, build.log, kernel.json
//! goodput/trials/              recordings: `crate::cache`
//! ```
//!
//! A kernel's folder appears complete, by a rename, so readers need no lock. A package brings its own kernels, next to
//! the program in `../lib/goodput/kernels/`; nothing is changed there.

use std::env;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::entry::{Damage, Entry, base, short};
use super::progress::Progress;
use base::interrupt::interrupted;
use base::suggest::closest;

/// Longest time to wait for a process that holds the cache: ten times the build of a whole kernel on two cores.
const LONGEST_HOLD: Duration = Duration::from_secs(30 * 60);

/// Interval at which a waiting process checks whether the cache is free.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Contents of the cache.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Listing {
    /// The kernels; the last one is the default.
    pub entries: Vec<Entry>,
    /// Kernels that cannot be used.
    pub damaged: Vec<Damage>,
}

/// Why the cache cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CacheError {
    /// The environment names no folder for it.
    #[error("no place for the cache: neither XDG_CACHE_HOME nor HOME is an absolute path\n\nhint: set XDG_CACHE_HOME")]
    NoPlace,
    /// A file or folder cannot be used.
    #[error("cannot use {} in the cache: {error}\n\nhint: XDG_CACHE_HOME sets the place", path.display())]
    File {
        path: PathBuf,
        /// Error from the operating system.
        error: io::Error,
    },
    /// Another process held it for too long.
    #[error(
        "process {holder}, another goodput, has been changing the kernels for {} minutes\n\n\
         hint: see what it does with `ps {holder}`, end it if it hangs, and run the same command again",
        waited.as_secs() / 60
    )]
    Busy {
        /// Id of that process.
        holder: String,
        /// How long goodput waited.
        waited: Duration,
    },
}

/// Why no kernel was found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FindError {
    /// The cache is empty.
    #[error(
        "no guest kernel yet\n\nhint: goodput kernel add builds one; the tarball and the package goodput-lab bring one"
    )]
    Empty,
    /// No kernel has the name.
    #[error("no guest kernel named {name}\n\naccepted: {}\n\nhint: {}", present.join(", "), instead(name, present))]
    Unknown {
        name: String,
        /// Names that exist.
        present: Vec<String>,
    },
    #[error(transparent)]
    Damaged(Damage),
    /// The cache cannot be used.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

/// Why a kernel could not be removed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RemoveError {
    /// No kernel has the name.
    #[error("no guest kernel named {name}{}\n\nhint: goodput kernel list", there_is(present))]
    Unknown {
        name: String,
        /// Names that exist.
        present: Vec<String>,
    },
    /// The cache cannot be used.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

/// Suggests what to do if no kernel has the name.
fn instead(name: &str, present: &[String]) -> String {
    match closest(name, present.iter().map(String::as_str)) {
        Some(meant) => format!("write \"{meant}\""),
        None => format!("goodput kernel add {name} --from SOURCE builds one, such as --from linux-source-6.12"),
    }
}

fn there_is(present: &[String]) -> String {
    if present.is_empty() { String::new() } else { format!("; available: {}", present.join(", ")) }
}

/// Returns all kernels in the user's cache.
pub fn list() -> Result<Listing, CacheError> {
    Cache::of_user()?.list()
}

/// Returns the kernel with a name in the user's cache, or the newest version, and checks its files.
pub fn find(name: Option<&str>) -> Result<Entry, FindError> {
    Cache::of_user()?.find(name)
}

/// Returns the kernel with a name, or the newest version, if trials of this goodput can run on it.
pub fn find_current(name: Option<&str>) -> Option<Entry> {
    find(name).ok().filter(Entry::is_current)
}

/// Removes a name from the user's cache, and a kernel with its last name. A damaged kernel can also be named by the
/// start of its hash.
pub fn remove(name: &str, progress: &mut Progress) -> Result<(), RemoveError> {
    Cache::of_user()?.remove(name, progress)
}

/// Removes downloads, sources and objects from the user's cache. They only speed up the next build.
pub fn clean(progress: &mut Progress) -> Result<(), RemoveError> {
    Cache::of_user()?.clean(progress)
}

/// Returns goodput's cache folder: `$XDG_CACHE_HOME/goodput`, or `~/.cache/goodput`.
pub fn place() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")));
    base.map(|base| base.join("goodput"))
}

/// A folder with kernels.
#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
    /// Folder of the kernels that came with the program.
    delivered: Option<PathBuf>,
}

/// The lock that is held while the cache changes.
#[derive(Debug)]
pub(super) struct Held {
    lock: File,
}

impl Drop for Held {
    /// Unlocks explicitly. Closing the file is not enough while a program that another thread just started shares it.
    fn drop(&mut self) {
        // Errors can be ignored: the lock ends with the process.
        let _ = self.lock.set_len(0);
        let _ = self.lock.unlock();
    }
}

impl Cache {
    /// Returns the cache at [`place`], with the kernels that came with the program.
    pub(crate) fn of_user() -> Result<Cache, CacheError> {
        let root = place().ok_or(CacheError::NoPlace)?;
        let program = env::current_exe().and_then(fs::canonicalize).ok();
        Ok(Cache {
            root,
            delivered: program.and_then(|program| Some(program.parent()?.parent()?.join("lib/goodput/kernels"))),
        })
    }

    /// Returns the cache in this folder, which need not exist yet.
    pub fn at(root: impl Into<PathBuf>) -> Cache {
        Cache { root: root.into(), delivered: None }
    }

    /// Returns the folder of downloads.
    pub(super) fn sources(&self) -> PathBuf {
        self.root.join("sources")
    }

    /// Returns the folder in which all kernels of a series are compiled.
    pub(super) fn tree(&self, series: &str) -> PathBuf {
        self.root.join("trees").join(series)
    }

    /// Returns the folder of one build.
    pub(super) fn build(&self, hash: &str) -> PathBuf {
        self.root.join("build").join(short(hash))
    }

    /// Returns the folder of a kernel.
    pub(super) fn kernel(&self, hash: &str) -> PathBuf {
        self.root.join("kernels").join(short(hash))
    }

    /// Returns all kernels. A kernel that came with the program loses names that the user gave to others.
    pub fn list(&self) -> Result<Listing, CacheError> {
        let mut listing = Listing { entries: Vec::new(), damaged: Vec::new() };
        for folder in [Some(self.root.join("kernels")), self.delivered.clone()].into_iter().flatten() {
            let (found, damaged): (Vec<_>, Vec<_>) =
                folders(&folder)?.iter().map(|path| Entry::read(path)).partition(Result::is_ok);
            let taken = names(&listing.entries);
            for mut entry in found.into_iter().flatten() {
                entry.names.retain(|name| !taken.contains(name));
                listing.entries.push(entry);
            }
            listing.damaged.extend(damaged.into_iter().filter_map(Result::err));
        }
        listing.entries.sort_by_cached_key(Entry::order);
        listing.damaged.sort_by(|a, b| a.folder.cmp(&b.folder));
        Ok(listing)
    }

    /// Returns the kernel with a name, or the newest version, and checks its files.
    pub fn find(&self, name: Option<&str>) -> Result<Entry, FindError> {
        let Listing { entries, damaged } = self.list()?;
        let found = match name {
            None => entries.last(),
            Some(name) => {
                let called = entries.iter().find(|entry| entry.is_called(name));
                called.or_else(|| entries.iter().find(|entry| entry.hash == name))
            }
        };
        match (found, name, damaged.into_iter().next()) {
            (Some(entry), ..) => entry.check().map(|()| entry.clone()).map_err(FindError::Damaged),
            (None, Some(name), _) if !entries.is_empty() => {
                let usable: Vec<&Entry> = entries.iter().filter(|entry| entry.is_current()).collect();
                let present = if usable.is_empty() { names(&entries) } else { names(usable) };
                Err(FindError::Unknown { name: name.to_owned(), present })
            }
            (None, _, Some(damage)) => Err(FindError::Damaged(damage)),
            (None, _, None) => Err(FindError::Empty),
        }
    }

    /// Removes a name, and a kernel with its last name. A damaged kernel can also be named by the start of its hash.
    /// Waits for a process that builds a kernel.
    pub fn remove(&self, name: &str, progress: &mut Progress) -> Result<(), RemoveError> {
        // Refuse a misspelt name before waiting.
        self.removable(name)?;
        let _held = self.hold(progress)?;
        let (folder, entry) = self.removable(name)?;
        let removed = match entry {
            Some(entry) => self.take_name(entry, name),
            None => discard(&folder, &self.root),
        };
        removed.map_err(|error| RemoveError::Cache(file(&folder, error)))
    }

    /// Returns the folder that a name or the start of a hash refers to, and the kernel in it if it has that name.
    fn removable(&self, name: &str) -> Result<(PathBuf, Option<Entry>), RemoveError> {
        let Listing { entries, damaged } = self.list()?;
        let present = names(&entries);
        let own = |entry: &Entry| entry.folder.starts_with(&self.root);
        let entry = entries.into_iter().filter(own).find(|entry| entry.is_called(name) || base(&entry.folder) == name);
        let folders = damaged.into_iter().map(|damage| damage.folder);
        let folder = match &entry {
            Some(entry) => Some(entry.folder.clone()),
            None => folders.into_iter().find(|folder| base(folder) == name),
        };
        let folder = folder.ok_or_else(|| RemoveError::Unknown { name: name.to_owned(), present })?;
        Ok((folder, entry.filter(|entry| entry.is_called(name))))
    }

    /// Removes a name from a kernel, and the kernel with its last name.
    pub(super) fn take_name(&self, mut entry: Entry, name: &str) -> io::Result<()> {
        entry.names.retain(|own| own != name);
        if entry.names.is_empty() { discard(&entry.folder, &self.root) } else { entry.write() }
    }

    /// Removes downloads, sources and objects, which only speed up the next build. Waits for a process that builds a
    /// kernel.
    pub fn clean(&self, progress: &mut Progress) -> Result<(), RemoveError> {
        let _held = self.hold(progress)?;
        for folder in [self.sources(), self.root.join("trees")].into_iter().filter(|folder| folder.exists()) {
            discard(&folder, &self.root).map_err(|error| file(&folder, error))?;
        }
        Ok(())
    }

    /// Returns the kernel with this hash, if it exists, and checks it.
    pub(super) fn built(&self, hash: &str) -> Option<Result<Entry, Damage>> {
        let folder = self.kernel(hash);
        folder.exists().then(|| Entry::read(&folder).and_then(|entry| entry.check().map(|()| entry)))
    }

    /// Returns the kernel with a name.
    pub(super) fn named(&self, name: &str) -> Result<Option<Entry>, CacheError> {
        Ok(self.list()?.entries.into_iter().find(|entry| entry.is_called(name)))
    }

    /// Waits until nobody else changes the cache, then removes leftovers of interrupted builds and removals.
    pub(super) fn hold(&self, progress: &mut Progress) -> Result<Held, CacheError> {
        self.hold_within(progress, LONGEST_HOLD)
    }

    /// Like [`Self::hold`], but waits at most this long for each process that holds the cache, or until a signal.
    pub(super) fn hold_within(&self, progress: &mut Progress, limit: Duration) -> Result<Held, CacheError> {
        let lock = self.open_lock()?;
        let failed = |error| file(&self.root, error);
        let mut awaited: Option<(String, Instant)> = None;
        loop {
            match lock.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if !interrupted() => {}
                Err(error) => return Err(failed(error.into())),
            }
            let holder = holder(&lock).map_err(failed)?;
            match &awaited {
                Some((same, since)) if *same == holder => {
                    let waited = since.elapsed();
                    if waited >= limit {
                        return Err(CacheError::Busy { holder, waited });
                    }
                }
                // The other process has the lock and is about to write its id.
                _ if holder.is_empty() => {}
                _ => {
                    progress.note(&format!("waiting for process {holder}, another goodput that changes the kernels"));
                    awaited = Some((holder, Instant::now()));
                }
            }
            thread::sleep(POLL_INTERVAL);
        }
        let signed =
            lock.set_len(0).and_then(|()| lock.write_all_at(format!("{}\n", std::process::id()).as_bytes(), 0));
        let held = signed.map(|()| Held { lock }).map_err(failed)?;
        self.sweep()?;
        Ok(held)
    }

    fn open_lock(&self) -> Result<File, CacheError> {
        let path = self.root.join("lock");
        fs::create_dir_all(&self.root)
            .and_then(|()| OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path))
            .map_err(|error| file(&path, error))
    }

    /// Removes leftovers of failed and interrupted builds, except logs and configurations.
    pub(super) fn sweep(&self) -> Result<(), CacheError> {
        for build in fs::read_dir(self.root.join("build")).into_iter().flatten().flatten() {
            let folders = fs::read_dir(build.path()).into_iter().flatten().flatten();
            for folder in folders.map(|entry| entry.path()).filter(|path| path.is_dir()) {
                fs::remove_dir_all(&folder).map_err(|error| file(&folder, error))?;
            }
            // Fails on purpose if a log is left.
            let _ = fs::remove_dir(build.path());
        }
        Ok(())
    }
}

/// Returns the id of the process that holds a lock; empty until it has written it.
fn holder(lock: &File) -> io::Result<String> {
    let mut bytes = [0; 16];
    let length = lock.read_at(&mut bytes, 0)?;
    Ok(String::from_utf8_lossy(&bytes[..length]).trim().to_owned())
}

/// Removes a folder; it disappears at once, by a rename.
fn discard(folder: &Path, root: &Path) -> io::Result<()> {
    let away = root.join("build/removed").join(base(folder));
    fs::create_dir_all(root.join("build/removed"))?;
    if away.exists() {
        fs::remove_dir_all(&away)?;
    }
    fs::rename(folder, &away)?;
    fs::remove_dir_all(away)
}

/// Returns the entries of a folder; none if it does not exist.
fn folders(folder: &Path) -> Result<Vec<PathBuf>, CacheError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory].contains(&error.kind()) => {
            return Ok(vec![]);
        }
        entries => entries.map_err(|error| file(folder, error))?,
    };
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(|error| file(folder, error))).collect()
}

fn names<'e>(entries: impl IntoIterator<Item = &'e Entry>) -> Vec<String> {
    entries.into_iter().flat_map(|entry| entry.names.iter().cloned()).collect()
}

fn file(path: &Path, error: io::Error) -> CacheError {
    CacheError::File { path: path.to_owned(), error }
}
