//! A folder opened by its descriptor. Folders are passed around, and their contents may be malicious: nothing in one
//! leads out of it, and only regular files are read.
//!
//! Every name is one step below the folder: it contains no `/`, and links are not followed. A write replaces whatever
//! has the name, never a link's target.

use evidence::plain;
use nix::dir::{Dir, Entry};
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag, openat, renameat};
use nix::sys::stat::{FileStat, Mode, SFlag, fstat, fstatat, mkdirat};
use nix::unistd::{UnlinkatFlags, linkat, unlinkat};
use std::ffi::{OsStr, OsString};
use std::fs::{File, TryLockError};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// A file or folder that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}{}", plain::path(path), hint(.error))]
pub struct FileError {
    pub path: PathBuf,
    /// Error from the operating system or from goodput.
    pub error: io::Error,
}

fn hint(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "\n\nhint: free some space and run the same command again; finished trials are kept"
        }
        io::ErrorKind::NotADirectory => "\n\nhint: it is, or lies in, a file: name the folder of a run",
        _ if error.get_ref().is_some_and(|error| error.is::<Odd>()) => {
            "\n\nhint: see where it comes from; once it is moved away, the same command goes on"
        }
        _ => "",
    }
}

/// Another kind of file has the name of goodput's file or folder.
#[derive(Debug, thiserror::Error)]
#[error("it is a {0}, which goodput neither writes nor follows there")]
struct Odd(&'static str);

impl FileError {
    /// Makes a function for `map_err` about this file.
    pub fn on<E: Into<io::Error>>(path: &Path) -> impl FnOnce(E) -> FileError {
        move |error| FileError { path: path.into(), error: error.into() }
    }

    /// True if the file does not exist.
    pub fn is_missing(&self) -> bool {
        self.error.kind() == io::ErrorKind::NotFound
    }
}

type Result<T> = std::result::Result<T, FileError>;

/// Largest file that lists or describes others, bytes. A compressed file of a few kB could otherwise fill the memory.
pub const MAX_TEXT_BYTES: u64 = 16 << 20;

#[derive(Debug, Clone)]
pub struct Folder {
    descriptor: Arc<OwnedFd>,
    path: PathBuf,
}

const OPEN_FOLDER: OFlag = OFlag::O_RDONLY.union(OFlag::O_DIRECTORY).union(OFlag::O_CLOEXEC);

/// Opens a file without blocking, even if it is a pipe or device.
const OPEN_FILE: OFlag = OFlag::O_NOFOLLOW.union(OFlag::O_NONBLOCK).union(OFlag::O_NOCTTY).union(OFlag::O_CLOEXEC);

impl Folder {
    /// Opens the folder that the user names; this path may contain links.
    pub fn open(path: &Path) -> Result<Folder> {
        // The folder of a bare `plan.json` is the empty path.
        let place = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let descriptor = openat(AT_FDCWD, place, OPEN_FOLDER, Mode::empty()).map_err(FileError::on(place))?;
        Ok(Folder { descriptor: Arc::new(descriptor), path: path.into() })
    }

    pub fn folder(&self, name: impl AsRef<OsStr>) -> Result<Folder> {
        let name = self.step(name.as_ref())?;
        let descriptor = openat(&self.descriptor, name, OPEN_FOLDER | OFlag::O_NOFOLLOW, Mode::empty());
        let descriptor = descriptor.map_err(|error| self.refused(name, SFlag::S_IFDIR, error))?;
        Ok(Folder { descriptor: Arc::new(descriptor), path: self.path.join(name) })
    }

    /// Opens a folder in it, and creates it if needed.
    pub fn make(&self, name: impl AsRef<OsStr>) -> Result<Folder> {
        let name = self.step(name.as_ref())?;
        match mkdirat(&self.descriptor, name, Mode::from_bits_truncate(0o777)) {
            Ok(()) | Err(Errno::EEXIST) => self.folder(name),
            Err(error) => Err(self.failed(name, error)),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of something in it.
    pub fn place(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.path.join(name.as_ref())
    }

    /// True if anything has this name.
    pub fn has(&self, name: impl AsRef<OsStr>) -> bool {
        self.kind(name.as_ref()).is_some()
    }

    /// True if this is a folder in it, and not a link to one.
    pub fn has_folder(&self, name: impl AsRef<OsStr>) -> bool {
        self.kind(name.as_ref()) == Some(SFlag::S_IFDIR)
    }

    /// Opens a file for reading.
    pub fn file(&self, name: impl AsRef<OsStr>) -> Result<File> {
        let name = self.step(name.as_ref())?;
        let file = openat(&self.descriptor, name, OPEN_FILE | OFlag::O_RDONLY, Mode::empty());
        let file = file.map_err(|error| self.refused(name, SFlag::S_IFREG, error))?;
        match kind_of(&fstat(&file).map_err(|error| self.failed(name, error))?) {
            SFlag::S_IFREG => Ok(file.into()),
            other => Err(self.odd(name, other)),
        }
    }

    /// Opens a file for reading; an error if it is larger than `most` bytes.
    pub fn file_within(&self, name: impl AsRef<OsStr>, most: u64) -> Result<File> {
        let name = name.as_ref();
        let file = self.file(name)?;
        match file.metadata().map_err(|error| self.failed(name, error))?.len() > most {
            true => Err(self.failed(name, too_large(most))),
            false => Ok(file),
        }
    }

    /// Reads a file; an error if it is larger than `most` bytes.
    pub fn read(&self, name: impl AsRef<OsStr>, most: u64) -> Result<Vec<u8>> {
        let name = name.as_ref();
        let mut bytes = vec![];
        // The file may grow while it is read.
        let read = self.file_within(name, most)?.take(most + 1).read_to_end(&mut bytes);
        read.map_err(|error| self.failed(name, error))?;
        match bytes.len() as u64 > most {
            true => Err(self.failed(name, too_large(most))),
            false => Ok(bytes),
        }
    }

    /// Reads a file beside or below, by a path that somebody else may have written; an error if it is larger than `most`
    /// bytes. The path leads down only, through no link and to nothing hidden.
    pub fn read_below(&self, path: &Path, most: u64) -> Result<Vec<u8>> {
        let is_down = |name: &OsStr| !name.as_bytes().starts_with(b".");
        let outside = || self.failed(path.as_os_str(), io::Error::other(NOT_BELOW));
        let steps = path.components().filter(|part| *part != Component::CurDir);
        let steps = steps.map(|part| match part {
            Component::Normal(name) if is_down(name) => Ok(name),
            _ => Err(outside()),
        });
        let steps = steps.collect::<Result<Vec<&OsStr>>>()?;
        let (file, folders) = steps.split_last().ok_or_else(outside)?;
        folders.iter().try_fold(self.clone(), |folder, name| folder.folder(name))?.read(file, most)
    }

    /// Creates a file, and replaces whatever has its name.
    pub fn create(&self, name: impl AsRef<OsStr>) -> Result<File> {
        let name = self.step(name.as_ref())?;
        match unlinkat(&self.descriptor, name, UnlinkatFlags::NoRemoveDir) {
            Ok(()) | Err(Errno::ENOENT) => {}
            Err(error) => return Err(self.refused(name, SFlag::S_IFREG, error)),
        }
        let flags = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let file = openat(&self.descriptor, name, flags, Mode::from_bits_truncate(0o666));
        Ok(file.map_err(|error| self.failed(name, error))?.into())
    }

    /// Writes a file, and replaces whatever has its name.
    pub fn write(&self, name: impl AsRef<OsStr>, bytes: impl AsRef<[u8]>) -> Result<()> {
        let name = name.as_ref();
        self.create(name)?.write_all(bytes.as_ref()).map_err(|error| self.failed(name, error))
    }

    /// Writes a file completely or not at all; until it is complete, its name is [`partial`].
    pub fn write_whole(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<()> {
        self.write(partial(name), bytes)?;
        self.rename(partial(name), name)
    }

    /// Renames a file or folder.
    pub fn rename(&self, from: impl AsRef<OsStr>, to: impl AsRef<OsStr>) -> Result<()> {
        let [from, to] = [self.step(from.as_ref())?, self.step(to.as_ref())?];
        renameat(&self.descriptor, from, &self.descriptor, to).map_err(|error| self.failed(to, error))
    }

    /// Adds a file of this folder to another one, by a hard link or else a copy.
    pub fn share(&self, name: impl AsRef<OsStr>, with: &Folder) -> Result<()> {
        let name = self.step(name.as_ref())?;
        let mut file = self.file(name)?;
        if linkat(&self.descriptor, name, &with.descriptor, name, AtFlags::empty()).is_err() {
            io::copy(&mut file, &mut with.create(name)?).map_err(|error| with.failed(name, error))?;
        }
        Ok(())
    }

    /// Copies a file of this folder to another one.
    pub fn copy(&self, name: impl AsRef<OsStr>, to: &Folder) -> Result<()> {
        let name = name.as_ref();
        let (mut from, mut into) = (self.file(name)?, to.create(name)?);
        io::copy(&mut from, &mut into).map(drop).map_err(|error| to.failed(name, error))
    }

    /// Removes whatever has this name: a link itself, or a folder with its contents.
    pub fn remove(&self, name: impl AsRef<OsStr>) -> Result<()> {
        let name = self.step(name.as_ref())?;
        let flags = match self.kind(name) {
            None => return Ok(()),
            Some(SFlag::S_IFDIR) => {
                self.folder(name)?.empty()?;
                UnlinkatFlags::RemoveDir
            }
            Some(_) => UnlinkatFlags::NoRemoveDir,
        };
        match unlinkat(&self.descriptor, name, flags) {
            // Another process may have removed it.
            Ok(()) | Err(Errno::ENOENT) => Ok(()),
            Err(error) => Err(self.failed(name, error)),
        }
    }

    /// Removes all its contents.
    pub fn empty(&self) -> Result<()> {
        self.names()?.into_iter().try_for_each(|name| self.remove(name))
    }

    /// Returns the names of its contents, sorted.
    pub fn names(&self) -> Result<Vec<OsString>> {
        let mut folder =
            Dir::openat(&self.descriptor, ".", OPEN_FOLDER, Mode::empty()).map_err(FileError::on(&self.path))?;
        let name = |entry: nix::Result<Entry>| {
            let entry = entry.map_err(FileError::on(&self.path))?;
            Ok(OsStr::from_bytes(entry.file_name().to_bytes()).to_owned())
        };
        let mut names = folder.iter().map(name).collect::<Result<Vec<OsString>>>()?;
        names.retain(|name| name != "." && name != "..");
        names.sort();
        Ok(names)
    }

    /// Locks it; `None` if another process holds the lock. If the file system has no locks, it counts as locked.
    pub fn lock(&self) -> Result<Option<File>> {
        // A lock belongs to one opening of the folder, and clones share theirs.
        let own = openat(&self.descriptor, ".", OPEN_FOLDER, Mode::empty()).map_err(FileError::on(&self.path))?;
        let file = File::from(own);
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Ok(None),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(file)),
        }
    }

    /// True if this name still refers to the other open folder.
    pub fn still_has(&self, name: impl AsRef<OsStr>, folder: &Folder) -> bool {
        let identity = |stat: FileStat| (stat.st_dev, stat.st_ino);
        let here = fstatat(&self.descriptor, name.as_ref(), AtFlags::AT_SYMLINK_NOFOLLOW).ok().map(identity);
        here == fstat(&folder.descriptor).ok().map(identity)
    }

    fn kind(&self, name: &OsStr) -> Option<SFlag> {
        let stat = fstatat(&self.descriptor, self.step(name).ok()?, AtFlags::AT_SYMLINK_NOFOLLOW).ok()?;
        Some(kind_of(&stat))
    }

    /// Returns the name, if it leads nowhere else.
    fn step<'n>(&self, name: &'n OsStr) -> Result<&'n OsStr> {
        if is_step(name) {
            return Ok(name);
        }
        Err(self.failed(name, io::Error::new(io::ErrorKind::InvalidInput, "it is no name of a file in this folder")))
    }

    fn failed(&self, name: &OsStr, error: impl Into<io::Error>) -> FileError {
        FileError { path: self.place(name), error: error.into() }
    }

    /// Returns the error of a failed opening, and says so if it is another kind of file.
    fn refused(&self, name: &OsStr, wanted: SFlag, error: Errno) -> FileError {
        match self.kind(name) {
            Some(kind) if kind != wanted => self.odd(name, kind),
            _ => self.failed(name, error),
        }
    }

    fn odd(&self, name: &OsStr, kind: SFlag) -> FileError {
        let kind = match kind {
            SFlag::S_IFLNK => "symbolic link",
            SFlag::S_IFIFO => "named pipe",
            SFlag::S_IFSOCK => "socket",
            SFlag::S_IFDIR => "folder",
            SFlag::S_IFREG => "file",
            _ => "device",
        };
        self.failed(name, io::Error::other(Odd(kind)))
    }
}

/// Returns the file's type.
fn kind_of(stat: &FileStat) -> SFlag {
    SFlag::from_bits_truncate(stat.st_mode) & SFlag::S_IFMT
}

const NOT_BELOW: &str = "it is neither beside this file nor below it, or it is hidden";

fn too_large(most: u64) -> io::Error {
    io::Error::other(format!("it is larger than {} MiB, as no such file is", most >> 20))
}

/// True if the name refers to something directly inside a folder.
pub(crate) fn is_step(name: &OsStr) -> bool {
    !matches!(name.as_bytes(), b"" | b"." | b"..") && !name.as_bytes().contains(&b'/')
}

/// Returns a file's name until it is complete.
pub fn partial(name: &str) -> String {
    format!("{name}.partial")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    fn folder() -> (tempfile::TempDir, Folder) {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("own")).unwrap();
        fs::write(place.path().join("letters"), "mine").unwrap();
        let own = Folder::open(&place.path().join("own")).unwrap();
        (place, own)
    }

    #[test]
    fn written_files_are_read_back_and_replaced() {
        let (_place, own) = folder();
        own.write("a", "one").unwrap();
        own.write_whole("a", "two").unwrap();
        assert_eq!(own.read("a", MAX_TEXT_BYTES).unwrap(), b"two");
        assert_eq!(own.names().unwrap(), ["a"]);
        let below = own.make("below").unwrap();
        own.share("a", &below).unwrap();
        own.copy("a", &below).unwrap();
        assert!(own.has_folder("below") && own.has("a") && !own.has_folder("a") && own.still_has("below", &below));
        own.remove("below").unwrap();
        own.remove("below").unwrap();
        assert_eq!(own.names().unwrap(), ["a"]);
        assert!(own.read("b", MAX_TEXT_BYTES).unwrap_err().is_missing());
    }

    #[test]
    fn a_file_is_no_larger_than_it_may_be() {
        let (_place, own) = folder();
        own.write("a", "four").unwrap();
        assert_eq!(own.read("a", 4).unwrap(), b"four");
        own.create("b").unwrap().set_len((3 << 30) + 1).unwrap();
        let said = own.read("b", 3 << 30).unwrap_err().to_string();
        assert!(said.ends_with("b: it is larger than 3072 MiB, as no such file is"), "{said}");
    }

    #[test]
    fn no_name_leads_elsewhere() {
        let (_place, own) = folder();
        for name in ["", ".", "..", "../letters", "/etc/hostname", "a/b"] {
            let all = [
                own.read(name, MAX_TEXT_BYTES).map(drop),
                own.write(name, ""),
                own.remove(name),
                own.make(name).map(drop),
                own.rename(name, "a"),
            ];
            assert!(all.iter().all(Result::is_err), "{name}");
            assert!(!own.has(name), "{name}");
        }
    }

    #[test]
    fn no_link_is_followed() {
        let (place, own) = folder();
        let (letters, other) = (place.path().join("letters"), place.path().join("other"));
        fs::create_dir(&other).unwrap();
        fs::write(other.join("letters"), "mine").unwrap();
        symlink("../letters", place.path().join("own/file")).unwrap();
        symlink("../other", place.path().join("own/folder")).unwrap();
        let said = |error: FileError| error.to_string();
        for said in [said(own.read("file", MAX_TEXT_BYTES).unwrap_err()), said(own.folder("folder").unwrap_err())] {
            assert!(said.contains("it is a symbolic link"), "{said}");
        }
        assert!(own.make("folder").is_err() && !own.has_folder("folder") && own.has("folder"));
        own.write("file", "theirs").unwrap();
        symlink("../letters", place.path().join("own/whole.partial")).unwrap();
        own.write_whole("whole", "theirs").unwrap();
        fs::create_dir(place.path().join("own/below")).unwrap();
        symlink("../../other", place.path().join("own/below/folder")).unwrap();
        own.empty().unwrap();
        assert_eq!(own.names().unwrap(), Vec::<OsString>::new());
        assert_eq!(fs::read_to_string(letters).unwrap(), "mine");
        assert_eq!(fs::read_to_string(other.join("letters")).unwrap(), "mine");
    }

    #[test]
    fn what_lies_below_is_read_and_nothing_else() {
        let (place, own) = folder();
        let at = |name: &str| place.path().join("own").join(name);
        fs::create_dir_all(at("a/b")).unwrap();
        fs::create_dir(at(".ssh")).unwrap();
        ["top", "a/b/deep", ".ssh/key", ".hidden"].iter().for_each(|name| fs::write(at(name), "text").unwrap());
        symlink("../letters", at("link")).unwrap();
        symlink("..", at("up")).unwrap();
        let read = |path: &str| own.read_below(Path::new(path), 99);
        for path in ["top", "./top", "a/b/deep", "a/./b//deep"] {
            assert_eq!(read(path).unwrap(), b"text", "{path}");
        }
        let absolute = place.path().join("letters");
        for path in [absolute.to_str().unwrap(), "../letters", "a/../top", ".ssh/key", ".hidden", "", ".", "/"] {
            assert!(read(path).unwrap_err().to_string().contains("neither beside this file nor below it"), "{path}");
        }
        for path in ["link", "up/letters", "a", "top/x"] {
            assert!(read(path).is_err(), "{path}");
        }
    }

    #[test]
    fn a_folder_is_locked_once() {
        let (place, own) = folder();
        let lock = own.lock().unwrap();
        let again = Folder::open(&place.path().join("own")).unwrap();
        assert!(lock.is_some() && again.lock().unwrap().is_none());
        drop(lock);
        assert!(again.lock().unwrap().is_some());
    }
}
