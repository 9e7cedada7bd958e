//! Recordings beyond their runs: each under a key of everything that decides its bytes, so that an experiment that was
//! edited records only what is new.
//!
//! ```text
//! goodput/trials/<key>/        the files of a trial's folder, and `seconds`: the real time that it took
//! goodput/trials/.<key>.<n>    an entry that comes or goes
//! ```
//!
//! An entry appears and goes whole, by a rename, so several processes need no lock. Its files are hard links to those of
//! the runs that have them where the file system allows: whoever changes one changes it for all, so what is taken out is
//! compared with its `SHA256SUMS`, and dropped if it differs.

use crate::environment::{Environment, hex};
use crate::kernel;
use crate::plan::Trial;
use crate::sums;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

/// What the cache may hold, bytes.
pub const LIMIT: u64 = 20_000_000_000;

/// The real time that a trial took, seconds. Its date is that of the entry's last use.
const SECONDS: &str = "seconds";

/// After this long what comes or goes was left by a process that died.
const STALE: Duration = Duration::from_secs(24 * 3600);

/// The user's recordings, and what a trial would run on now.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    laboratory: String,
}

impl Cache {
    /// The cache in the user's [`kernel::place`]; `None` without one.
    pub fn of_user(environment: &Environment) -> Option<Cache> {
        Some(Cache::at(kernel::place()?.join("trials"), environment))
    }

    /// The cache in a folder, which need not exist yet.
    pub fn at(folder: impl Into<PathBuf>, environment: &Environment) -> Cache {
        Cache { folder: folder.into(), laboratory: environment.fingerprint() }
    }

    /// The entry of a trial: its scene and seed, and all that makes a recording of them. `None` of a trial with commands of
    /// the user's: nobody knows what these read.
    fn entry(&self, trial: &Trial) -> Option<PathBuf> {
        let scene = serde_json::to_string(&trial.scene).expect("a scene is plain data");
        let all = format!("{}\n{}\n{scene}", self.laboratory, trial.seed);
        trial.scene.commands.is_empty().then(|| self.folder.join(hex(&Sha256::digest(all))))
    }

    /// The real time that a trial took; `None` if it is not here.
    pub fn seconds(&self, trial: &Trial) -> Option<f64> {
        seconds(&self.entry(trial)?)
    }

    /// Puts the recording of a trial into a folder that is empty; whether it is there, whole, and its real time.
    pub fn take(&self, trial: &Trial, folder: &Path) -> Option<f64> {
        let entry = self.entry(trial)?;
        let seconds = seconds(&entry)?;
        let whole = link_all(&entry, folder, |name| name != SECONDS).map_err(|error| error.to_string());
        if whole.and_then(|()| sums::check(folder)).is_err() {
            // What cannot be removed is met again, and not taken either.
            let _ = self.drop_entry(&entry);
            return None;
        }
        // A cache that cannot be written forgets when it was used.
        let _ = File::options().append(true).open(entry.join(SECONDS)).and_then(|f| f.set_modified(SystemTime::now()));
        Some(seconds)
    }

    /// Keeps the recording of a trial that took so many seconds of real time.
    pub fn give(&self, trial: &Trial, folder: &Path, seconds: f64) -> io::Result<()> {
        let Some(entry) = self.entry(trial).filter(|entry| !entry.exists()) else { return Ok(()) };
        let coming = self.passing(&entry);
        fs::create_dir_all(&coming)?;
        let made = link_all(folder, &coming, |_| true)
            .and_then(|()| fs::write(coming.join(SECONDS), format!("{seconds:.3}\n")))
            .and_then(|()| fs::rename(&coming, &entry));
        if made.is_err() {
            fs::remove_dir_all(&coming)?;
        }
        // Another process may have been faster.
        if entry.exists() { Ok(()) } else { made }
    }

    /// Removes the entries whose last use is longest ago until the others take no more than `limit` bytes.
    pub fn trim(&self, limit: u64) -> io::Result<()> {
        let mut entries = vec![];
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let is_passing = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            let used = |path: &Path| fs::metadata(path).and_then(|data| data.modified());
            let used = used(&path.join(SECONDS)).or_else(|_| used(&path)).unwrap_or(SystemTime::UNIX_EPOCH);
            if !is_passing {
                entries.push((used, size(&path), path));
            } else if used.elapsed().is_ok_and(|age| age > STALE) {
                fs::remove_dir_all(&path)?;
            }
        }
        entries.sort_unstable_by(|a, b| b.cmp(a));
        let mut sum: u64 = 0;
        for (_, size, path) in entries {
            sum = sum.saturating_add(size);
            if sum > limit {
                self.drop_entry(&path)?;
            }
        }
        Ok(())
    }

    /// Takes an entry away so that nobody sees half of it.
    fn drop_entry(&self, entry: &Path) -> io::Result<()> {
        let going = self.passing(entry);
        match fs::rename(entry, &going) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            renamed => renamed.and_then(|()| fs::remove_dir_all(&going)),
        }
    }

    /// A name that nobody else uses.
    fn passing(&self, entry: &Path) -> PathBuf {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let key = entry.file_name().unwrap_or_default().to_string_lossy();
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        self.folder.join(format!(".{key}.{}-{number}", process::id()))
    }
}

fn seconds(entry: &Path) -> Option<f64> {
    fs::read_to_string(entry.join(SECONDS)).ok()?.trim().parse().ok().filter(|seconds: &f64| seconds.is_finite())
}

/// Bytes of the files in a folder.
fn size(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|data| data.len()).sum()
}

/// Links the files of a folder into another, or copies them where links cannot be.
fn link_all(from: &Path, to: &Path, wanted: impl Fn(&str) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        if wanted(&name.to_string_lossy()) {
            let place = to.join(&name);
            fs::hard_link(&path, &place).or_else(|_| fs::copy(&path, &place).map(drop))?;
        }
    }
    Ok(())
}
