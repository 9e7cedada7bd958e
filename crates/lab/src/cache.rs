//! Caches recordings across runs. The key of an entry hashes everything that decides the recording's bytes, so an
//! edited experiment records only new trials.
//!
//! ```text
//! goodput/trials/<key>/     the files of a trial's folder, and `seconds`: the real time that it took
//! goodput/trials/.<key>.<n> an entry that is being added or removed
//! goodput/trials/.trimmed   its date is the time of the last trim
//! goodput/trials/.times/    real times of trials, by all that they share with other seeds
//! ```
//!
//! GOODPUT_CACHE names a folder to use instead of `goodput/trials`; several machines may share it. Entries appear and
//! disappear whole, renamed from or to a unique name, so processes need no lock. If the file system allows, an entry's
//! files are hard links to those of the runs. Changing one file changes it for all, so an entry that is taken out is
//! compared with its `SHA256SUMS` and dropped if it differs.

use crate::kernel;
use base::folder::{FileError, Folder, MAX_TEXT_BYTES};
use base::sums;
use base16ct::lower::encode_string as hex;
use plan::environment::Environment;
use plan::{Scene, Trial};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashSet};
use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// Largest size of the cache, bytes.
pub const MAX_CACHE_BYTES: u64 = 20_000_000_000;

/// Real time that a trial took, s. The file's date is the entry's last use.
const SECONDS_FILE: &str = "seconds";
const MAX_SECONDS_CHARS: u64 = 64;

/// Longest plausible real time of a trial, s: years.
const MAX_TRIAL_S: f64 = 1e8;

/// Folder with one file for each point whose trials took some time: its key, and the time of the last trial. At most
/// 4096 files; later points overwrite those of others.
const TIMES_FOLDER: &str = ".times";
const TIME_DIGITS: usize = 3;

/// File whose date is that of the last look at all entries. A look takes a second for 40,000 entries.
const TRIMMED_FILE: &str = ".trimmed";
const TRIM_INTERVAL: Duration = Duration::from_secs(60);

/// Age at which an unfinished entry is taken to be left over from a process that died.
const STALE_AFTER: Duration = Duration::from_secs(24 * 3600);

/// The user's recordings, and the laboratory that new trials would run in.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    /// Fingerprint of the laboratory with each kernel alone, by the name that trials use.
    laboratories: BTreeMap<String, String>,
    /// Hash of what consecutive trials have in common: a scene without its flows.
    common: Arc<Mutex<Option<(Scene, Sha256)>>>,
}

impl Cache {
    /// Returns the cache that GOODPUT_CACHE names, or else the one in the user's [`kernel::place`]; `None` without
    /// either.
    pub(crate) fn of_user(environment: &Environment) -> Option<Cache> {
        Some(Cache::at(place()?, environment))
    }

    /// Returns the cache in a folder, which need not exist yet.
    pub fn at(folder: impl Into<PathBuf>, environment: &Environment) -> Cache {
        let alone = environment.kernels.iter().map(|kernel| &kernel.name);
        let laboratories = alone.map(|name| (name.clone(), environment.only(name).fingerprint())).collect();
        Cache { folder: folder.into(), laboratories, common: Arc::default() }
    }

    /// Returns the entry of a trial, by its scene, seed and laboratory, with the trial's own kernel only. `None` for a
    /// trial with user commands: nobody knows what they read.
    fn entry(&self, trial: &Trial) -> Option<PathBuf> {
        if trial.scene.has_commands() {
            return None;
        }
        let mut hash = self.common(&trial.scene);
        hash.update(text(&trial.scene.recorded().flows));
        hash.update(format!("\n{}\n{}", self.laboratories.get(&trial.kernel)?, trial.seed));
        Some(self.folder.join(hex(&hash.finalize())))
    }

    /// Hashes all that a trial shares with other seeds, so without random start times.
    fn without_seed(&self, trial: &Trial) -> String {
        let mut hash = self.common(&trial.scene);
        let mut flows = trial.scene.recorded().flows;
        flows.iter_mut().for_each(|flow| flow.start = 0);
        hash.update(text(&flows));
        hash.update(format!("\n{}", trial.kernel));
        hex(&hash.finalize())
    }

    /// Remembers how long a trial took. Ignores failures: the time only improves an estimate.
    fn remember(&self, trial: &Trial, seconds: f64) {
        let (key, folder) = (self.without_seed(trial), self.folder.join(TIMES_FOLDER));
        let made = fs::create_dir_all(&folder).is_ok().then(|| Folder::open(&folder).ok()).flatten();
        if let Some(folder) = made {
            let _ = folder.write_whole(&key[..TIME_DIGITS], format!("{key} {seconds:.3}\n"));
        }
    }

    fn common(&self, scene: &Scene) -> Sha256 {
        let rest = Scene { flows: vec![], ..scene.clone() };
        let mut common = self.common.lock().unwrap_or_else(PoisonError::into_inner);
        match &*common {
            Some((scene, hash)) if *scene == rest => hash.clone(),
            _ => {
                let hash = Sha256::new_with_prefix(text(&rest) + "\n");
                *common = Some((rest, hash.clone()));
                hash
            }
        }
    }

    /// Returns the real time that a cached trial took, s; `None` if it is not cached.
    pub fn seconds(&self, trial: &Trial) -> Option<f64> {
        Some(seconds(&entry_folder(&self.entry(trial)?).ok()?)?.1)
    }

    /// Lists all current entries, to look up many trials.
    pub fn listed(&self) -> Listed<'_> {
        let names = fs::read_dir(&self.folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
        Listed { cache: self, names: names.collect(), times: self.times() }
    }

    /// Returns how long trials took, s, by [`Cache::without_seed`].
    fn times(&self) -> BTreeMap<String, f64> {
        let Ok(folder) = Folder::open(&self.folder.join(TIMES_FOLDER)) else { return BTreeMap::new() };
        let line = |name: &OsString| {
            let text = String::from_utf8(folder.read(name, MAX_TEXT_BYTES).ok()?).ok()?;
            let (key, seconds) = text.trim().split_once(' ')?;
            let seconds = seconds.parse().ok().filter(|seconds| (0.0..MAX_TRIAL_S).contains(seconds))?;
            Some((key.to_owned(), seconds))
        };
        folder.names().unwrap_or_default().iter().filter_map(line).collect()
    }

    /// Returns the folder of the entries.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Puts the recording of a trial into an empty folder. Returns its real time in s if the whole recording was
    /// cached.
    pub fn take(&self, trial: &Trial, folder: &Folder) -> Option<f64> {
        let entry = self.entry(trial)?;
        let opened = match entry_folder(&entry) {
            Err(error) if error.is_missing() => return None,
            opened => opened.map_err(|error| error.to_string()),
        };
        let taken = opened.and_then(|entry| {
            let known = seconds(&entry).ok_or("it has no time")?;
            let shared = share_all(&entry, folder, |name| name != SECONDS_FILE);
            shared.map_err(|error| error.to_string()).and_then(|()| sums::check(folder)).map(|()| known)
        });
        let Ok((file, seconds)) = taken else {
            // If it cannot be removed, it is found again and refused again.
            let _ = self.drop_entry(&entry);
            return None;
        };
        // Fails in a cache that belongs to another user; then the last use is not recorded.
        let _ = file.set_modified(SystemTime::now());
        Some(seconds)
    }

    /// Caches the recording of a trial that took `seconds` of real time.
    pub fn give(&self, trial: &Trial, folder: &Folder, seconds: f64) -> Result<(), FileError> {
        self.remember(trial, seconds);
        let Some(entry) = self.entry(trial).filter(|entry| !entry.exists()) else { return Ok(()) };
        let coming = self.passing(&entry);
        fs::create_dir_all(&coming).map_err(FileError::on(&coming))?;
        let made = Folder::open(&coming).and_then(|coming| {
            share_all(folder, &coming, |_| true)?;
            coming.write(SECONDS_FILE, format!("{seconds:.3}\n"))
        });
        let made = made.and_then(|()| fs::rename(&coming, &entry).map_err(FileError::on(&entry)));
        let Err(error) = made else { return Ok(()) };
        remove(&coming).map_err(FileError::on(&coming))?;
        // Another process may have been faster.
        if error.error.kind() == io::ErrorKind::DirectoryNotEmpty { Ok(()) } else { Err(error) }
    }

    /// Calls [`Cache::trim`] at most once a minute, as it looks at every file.
    pub fn tidy(&self, limit: u64) -> io::Result<()> {
        let looked = fs::symlink_metadata(self.folder.join(TRIMMED_FILE)).and_then(|data| data.modified());
        if looked.is_ok_and(|at| at.elapsed().is_ok_and(|age| age < TRIM_INTERVAL)) {
            return Ok(());
        }
        Folder::open(&self.folder).and_then(|folder| folder.write(TRIMMED_FILE, "")).map_err(|error| error.error)?;
        self.trim(limit)
    }

    /// Removes the least recently used entries until the rest takes at most `limit` bytes.
    pub fn trim(&self, limit: u64) -> io::Result<()> {
        let mut entries = vec![];
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.ends_with(TIMES_FOLDER) {
                continue;
            }
            let is_passing = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            let used = |path: &Path| fs::metadata(path).and_then(|data| data.modified());
            let Ok(used) = used(&path.join(SECONDS_FILE)).or_else(|_| used(&path)) else { continue };
            if !is_passing {
                entries.push((used, size(&path), path));
            } else if used.elapsed().is_ok_and(|age| age > STALE_AFTER) {
                remove(&path)?;
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

    /// Removes an entry so that nobody sees half of it.
    fn drop_entry(&self, entry: &Path) -> io::Result<()> {
        let going = self.passing(entry);
        unless_gone(fs::rename(entry, &going))?;
        remove(&going)
    }

    /// Returns a unique name.
    fn passing(&self, entry: &Path) -> PathBuf {
        // Processes on other machines may have the same id.
        static PROCESS_TOKEN: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(process::id()));
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let key = entry.file_name().unwrap_or_default().to_string_lossy();
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        self.folder.join(format!(".{key}.{:016x}-{number}", *PROCESS_TOKEN))
    }
}

fn text(data: &impl Serialize) -> String {
    serde_json::to_string(data).expect("a scene is plain data")
}

/// The entries of a cache at one time.
pub struct Listed<'c> {
    cache: &'c Cache,
    names: HashSet<OsString>,
    times: BTreeMap<String, f64>,
}

impl Listed<'_> {
    /// Returns the real time that a trial took, s; `None` if it was not cached.
    pub fn seconds(&self, trial: &Trial) -> Option<f64> {
        // An empty cache needs no key.
        let entry = if self.names.is_empty() { None } else { self.cache.entry(trial) }?;
        let known = self.names.contains(entry.file_name()?).then(|| entry_folder(&entry).ok()).flatten()?;
        Some(seconds(&known)?.1)
    }

    /// Returns the real time that the same trial took with another seed, s, in any laboratory.
    pub fn seconds_of_another_seed(&self, trial: &Trial) -> Option<f64> {
        if self.times.is_empty() { None } else { self.times.get(&self.cache.without_seed(trial)).copied() }
    }
}

fn place() -> Option<PathBuf> {
    let named = env::var_os("GOODPUT_CACHE").filter(|folder| !folder.is_empty());
    named.map(PathBuf::from).or_else(|| Some(kernel::place()?.join("trials")))
}

/// Returns the folder of the user's recordings and their size in bytes.
pub fn usage() -> Option<(PathBuf, u64)> {
    let folder = place()?;
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let sum = entries.map(|entry| size(&entry.path())).sum();
    Some((folder, sum))
}

/// Removes an entry, or a file that has its name.
fn remove(entry: &Path) -> io::Result<()> {
    unless_gone(fs::remove_dir_all(entry).or_else(|error| match error.kind() {
        io::ErrorKind::NotADirectory => fs::remove_file(entry),
        _ => Err(error),
    }))
}

/// Accepts that another process has removed the file.
fn unless_gone(result: io::Result<()>) -> io::Result<()> {
    result.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

/// Opens the folder of an entry; refuses a link to one.
fn entry_folder(entry: &Path) -> Result<Folder, FileError> {
    Folder::open(entry.parent().unwrap_or(Path::new("")))?.folder(entry.file_name().unwrap_or_default())
}

/// Opens the file with a trial's real time, and reads that time, s.
fn seconds(entry: &Folder) -> Option<(File, f64)> {
    let file = entry.file(SECONDS_FILE).ok()?;
    let mut text = String::new();
    (&file).take(MAX_SECONDS_CHARS).read_to_string(&mut text).ok()?;
    let seconds: f64 = text.trim().parse().ok()?;
    (0.0..MAX_TRIAL_S).contains(&seconds).then_some((file, seconds))
}

/// Returns the size of the files in a folder, bytes.
fn size(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|data| data.len()).sum()
}

/// Shares the wanted files of a folder with another folder.
fn share_all(from: &Folder, with: &Folder, wanted: impl Fn(&str) -> bool) -> Result<(), FileError> {
    let names = from.names()?;
    names.iter().filter(|name| wanted(&name.to_string_lossy())).try_for_each(|name| from.share(name, with))
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::fixture;
    use plan::environment::sample as environment_of;
    use std::os::unix::fs::symlink;
    use std::process::Command;

    fn environment() -> Environment {
        environment_of(&[("7.3.4", "c")])
    }

    fn trial(seed: u64) -> Trial {
        Trial { seed, ..fixture::trial(fixture::four_kinds()) }
    }

    fn opened(folder: &Path) -> Folder {
        Folder::open(folder).unwrap()
    }

    /// Returns a cache, and a folder with the recording that it has for seed 1.
    fn filled() -> (tempfile::TempDir, Cache, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let recording = folder.path().join("recording");
        fs::create_dir(&recording).unwrap();
        fs::write(recording.join("samples.parquet"), "0123456789").unwrap();
        fs::write(recording.join("trial.json"), "{}").unwrap();
        sums::write(&opened(&recording)).unwrap();
        let cache = Cache::at(folder.path().join("trials"), &environment());
        cache.give(&trial(1), &opened(&recording), 1.5).unwrap();
        (folder, cache, recording)
    }

    fn take(cache: &Cache, trial: &Trial, folder: &Path) -> Option<f64> {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir(folder).unwrap();
        cache.take(trial, &opened(folder))
    }

    #[test]
    fn a_cached_recording_is_taken_back_unchanged() {
        let (folder, cache, recording) = filled();
        let taken = folder.path().join("taken");
        assert_eq!([1, 2].map(|seed| cache.listed().seconds(&trial(seed))), [Some(1.5), None]);
        assert_eq!(cache.seconds(&trial(1)), Some(1.5));
        assert_eq!(take(&cache, &trial(1), &taken), Some(1.5));
        let files = |folder: &Path| {
            let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
            files.sort();
            files
                .into_iter()
                .map(|path| (path.file_name().unwrap().to_owned(), fs::read(path).unwrap()))
                .collect::<Vec<_>>()
        };
        assert_eq!(files(&taken), files(&recording));
        assert_eq!(take(&cache, &trial(2), &taken), None);
        cache.give(&trial(1), &opened(&recording), 9.0).unwrap();
        assert_eq!(cache.seconds(&trial(1)), Some(1.5), "the first one stays");
    }

    #[test]
    fn whatever_decides_the_bytes_is_in_the_key_and_nothing_else() {
        let key = |environment: &Environment, trial: &Trial| Cache::at("", environment).entry(trial);
        let first = key(&environment(), &trial(1));
        let mut faster = trial(1);
        faster.scene.links[0].forward.rate += 1;
        assert_ne!(key(&environment(), &faster), first);
        assert_ne!(key(&environment(), &trial(2)), first);
        let text = || "other".to_string();
        let others = [
            environment_of(&[("7.3.4", "other")]),
            Environment { agent: text(), ..environment() },
            Environment { recorder: text(), ..environment() },
            Environment { tools: vec![("ip".into(), text())], ..environment() },
        ];
        assert!(others.iter().all(|other| key(other, &trial(1)) != first));
        let alike = Environment { goodput: text(), host: vec![], ..environment() };
        let moved = Trial { index: 7, point: vec![].into(), ..trial(1) };
        assert_eq!(key(&alike, &moved), first);
    }

    #[test]
    fn of_the_kernels_of_a_run_a_trial_hangs_on_its_own_alone() {
        let key = |kernels: &[(&str, &str)], kernel: &str| {
            let trial = Trial { kernel: kernel.into(), ..trial(1) };
            Cache::at("", &environment_of(kernels)).entry(&trial)
        };
        let alone = key(&[("before", "b")], "before");
        assert!(alone.is_some());
        assert_eq!(key(&[("before", "b"), ("after", "a")], "before"), alone);
        assert_eq!(key(&[("after", "a"), ("same", "b")], "same"), alone, "a name says nothing of the bytes");
        assert_ne!(key(&[("before", "b"), ("after", "a")], "after"), alone);
        assert_eq!(key(&[("after", "a")], "before"), None, "nobody knows what a kernel is that is not there");
    }

    #[test]
    fn nobody_knows_what_a_command_of_the_users_reads() {
        let (folder, cache, recording) = filled();
        let mut trial = trial(3);
        let command = plan::Command { at: 0, node: "a".into(), command: "date".into(), background: false };
        trial.scene.commands.push(command);
        cache.give(&trial, &opened(&recording), 1.0).unwrap();
        assert_eq!(cache.seconds(&trial), None);
        assert_eq!(take(&cache, &trial, &folder.path().join("taken")), None);
    }

    #[test]
    fn a_damaged_entry_is_dropped() {
        for damage in [
            |entry: &Path| fs::write(entry.join("samples.parquet"), "012345678X").unwrap(),
            |entry: &Path| fs::remove_file(entry.join("trial.json")).unwrap(),
            |entry: &Path| fs::write(entry.join(sums::SUMS), "").unwrap(),
            |entry: &Path| fs::write(entry.join("extra"), "").unwrap(),
        ] {
            let (folder, cache, recording) = filled();
            damage(&cache.entry(&trial(1)).unwrap());
            assert_eq!(take(&cache, &trial(1), &folder.path().join("taken")), None);
            assert_eq!(cache.seconds(&trial(1)), None);
            // The cache accepts a new recording in its place.
            fs::write(recording.join("samples.parquet"), "0123456789").unwrap();
            cache.give(&trial(1), &opened(&recording), 2.0).unwrap();
            assert_eq!(cache.seconds(&trial(1)), Some(2.0));
        }
    }

    /// In a shared cache, another user may have written the entry.
    #[test]
    fn an_entry_that_leads_elsewhere_is_not_taken() {
        let fifo = |place: &Path| assert!(Command::new("mkfifo").arg(place).status().unwrap().success());
        let instead = |place: &Path, make: &dyn Fn(&Path)| {
            fs::rename(place, place.with_extension("kept")).unwrap();
            make(place);
        };
        let odd: [&dyn Fn(&Path); 5] = [
            &|entry| instead(&entry.join(SECONDS_FILE), &fifo),
            &|entry| instead(&entry.join(SECONDS_FILE), &|place| symlink("/dev/zero", place).unwrap()),
            &|entry| instead(&entry.join(SECONDS_FILE), &|place| symlink("seconds.kept", place).unwrap()),
            &|entry| instead(&entry.join("trial.json"), &fifo),
            &|entry| instead(entry, &|place| symlink(place.with_extension("kept"), place).unwrap()),
        ];
        for make in odd {
            let (folder, cache, _) = filled();
            make(&cache.entry(&trial(1)).unwrap());
            assert_eq!(take(&cache, &trial(1), &folder.path().join("taken")), None);
            assert_eq!(cache.listed().seconds(&trial(1)), None);
        }
    }

    #[test]
    fn another_seeds_time_is_known_even_after_trimming() {
        let (_folder, cache, recording) = filled();
        let time = |trial: &Trial| cache.listed().seconds_of_another_seed(trial);
        let with = |edit: &dyn Fn(&mut Trial)| {
            let mut other = trial(2);
            edit(&mut other);
            time(&other)
        };
        assert_eq!(with(&|_| ()), Some(1.5));
        assert_eq!(with(&|trial| trial.scene.flows[0].start += 1), Some(1.5), "a start may be drawn");
        assert_eq!(with(&|trial| trial.scene.links[0].forward.rate += 1), None);
        assert_eq!(with(&|trial| trial.kernel = "6.12".into()), None);
        cache.give(&trial(3), &opened(&recording), 2.5).unwrap();
        cache.trim(0).unwrap();
        assert_eq!((cache.seconds(&trial(3)), with(&|_| ())), (None, Some(2.5)));
        for damage in ["", "x", "1.5", "nan"] {
            let place = cache.folder().join(TIMES_FOLDER).join(&cache.without_seed(&trial(1))[..TIME_DIGITS]);
            fs::write(place, format!("{} {damage}", cache.without_seed(&trial(1)))).unwrap();
            assert_eq!(with(&|_| ()), damage.parse().ok().filter(|time: &f64| time.is_finite()), "{damage}");
        }
    }

    #[test]
    fn a_time_that_no_trial_takes_is_none() {
        for time in ["-1", "nan", "inf", "1e9", "1e300", "0x10", ""] {
            let (_folder, cache, _) = filled();
            let entry = cache.entry(&trial(1)).unwrap();
            fs::write(entry.join(SECONDS_FILE), time).unwrap();
            assert_eq!((cache.seconds(&trial(1)), cache.listed().seconds(&trial(1))), (None, None), "{time}");
        }
    }

    /// Trimming removes other files as well, and keeps the targets of links.
    #[test]
    fn foreign_files_do_not_stop_the_trimming_of_the_cache() {
        let (folder, cache, recording) = filled();
        let at = |name: &str| cache.folder().join(name);
        fs::write(at("file"), "0123456789").unwrap();
        fs::write(at(".passing"), "").unwrap();
        symlink(&recording, at("link")).unwrap();
        fs::create_dir_all(at("folder/in/folders")).unwrap();
        let long_ago = SystemTime::now() - STALE_AFTER - Duration::from_secs(60);
        [".passing", "file", "folder"]
            .iter()
            .for_each(|name| File::open(at(name)).unwrap().set_modified(long_ago).unwrap());
        cache.trim(0).unwrap();
        let left: Vec<OsString> =
            fs::read_dir(cache.folder()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, [TIMES_FOLDER]);
        assert!(recording.join("trial.json").exists() && folder.path().exists());
    }

    #[test]
    fn an_edit_in_a_run_folder_does_not_come_back() {
        let (folder, cache, recording) = filled();
        fs::write(recording.join("samples.parquet"), "edited").unwrap();
        assert_eq!(take(&cache, &trial(1), &folder.path().join("taken")), None);
    }

    #[test]
    fn the_oldest_use_goes_first() {
        let (folder, cache, recording) = filled();
        let used = |seed: u64, hours: u64| {
            let seconds = cache.entry(&trial(seed)).unwrap().join(SECONDS_FILE);
            let time = SystemTime::now() - Duration::from_secs(hours * 3600);
            File::options().append(true).open(seconds).unwrap().set_modified(time).unwrap();
        };
        for seed in [2, 3] {
            cache.give(&trial(seed), &opened(&recording), 1.0).unwrap();
        }
        [(1, 3), (2, 2), (3, 1)].iter().for_each(|(seed, hours)| used(*seed, *hours));
        let one = size(&cache.entry(&trial(1)).unwrap());
        cache.trim(3 * one).unwrap();
        assert_eq!([1, 2, 3].map(|seed| cache.seconds(&trial(seed)).is_some()), [true; 3]);
        take(&cache, &trial(1), &folder.path().join("taken")).unwrap();
        cache.trim(2 * one).unwrap();
        assert_eq!([1, 2, 3].map(|seed| cache.seconds(&trial(seed)).is_some()), [true, false, true]);
    }

    #[test]
    fn a_cache_that_was_just_trimmed_is_left_alone() {
        let (_folder, cache, _) = filled();
        let is_there = || cache.seconds(&trial(1)).is_some();
        cache.tidy(MAX_CACHE_BYTES).unwrap();
        cache.tidy(0).unwrap();
        assert!(is_there());
        let mark = File::options().append(true).open(cache.folder().join(TRIMMED_FILE)).unwrap();
        mark.set_modified(SystemTime::now() - TRIM_INTERVAL - Duration::from_secs(1)).unwrap();
        cache.tidy(0).unwrap();
        assert!(!is_there());
    }

    #[test]
    fn leftovers_of_a_dead_process_are_removed_after_a_day() {
        let (_folder, cache, _) = filled();
        let passing = [0, 1].map(|_| cache.passing(&cache.entry(&trial(1)).unwrap()));
        passing.iter().for_each(|path| fs::create_dir(path).unwrap());
        let time = SystemTime::now() - STALE_AFTER - Duration::from_secs(60);
        File::open(&passing[0]).unwrap().set_modified(time).unwrap();
        cache.trim(MAX_CACHE_BYTES).unwrap();
        assert_eq!(passing.map(|path| path.exists()), [false, true]);
        assert!(cache.seconds(&trial(1)).is_some());
    }

    #[test]
    fn two_that_give_and_take_at_once_disturb_nobody() {
        let (folder, cache, recording) = filled();
        std::thread::scope(|scope| {
            for worker in 0..4 {
                let (cache, recording, taken) = (&cache, &recording, folder.path().join(format!("taken{worker}")));
                scope.spawn(move || {
                    for round in 0..50 {
                        let trial = trial(round % 3);
                        cache.give(&trial, &opened(recording), 1.0).unwrap();
                        if take(cache, &trial, &taken).is_some() {
                            sums::check(&opened(&taken)).unwrap();
                        }
                        cache.trim(if worker == 0 { 0 } else { MAX_CACHE_BYTES }).unwrap();
                    }
                });
            }
        });
    }
}
