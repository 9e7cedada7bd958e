//! Reads a part, once and in order.

use super::{END_ENTRY, End, HEAD_ENTRY, Head, PartError};
use base::folder::{FileError, Folder, MAX_TEXT_BYTES};
use base::sums::{self, Sum};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// A block of a tar archive, bytes.
const TAR_BLOCK_BYTES: usize = 512;
/// Zeros after the last entry, bytes.
const TAR_TAIL_BYTES: usize = 2 * TAR_BLOCK_BYTES;
/// Bytes per read.
const BUFFER_BYTES: usize = 1 << 20;
/// Longest head, bytes.
const MAX_HEAD_BYTES: u64 = 1 << 30;

/// An existing part.
#[derive(Debug)]
pub struct Part {
    path: PathBuf,
    head: Head,
    end: Option<End>,
}

type Entries<'a> = tar::Entries<'a, BufReader<File>>;
type Entry<'a> = tar::Entry<'a, BufReader<File>>;

impl Part {
    /// Opens a complete part.
    pub fn open(path: &Path) -> Result<Part, PartError> {
        let part = Part::begun(path)?;
        match part.end {
            Some(_) => Ok(part),
            // Without an end, reading the trials finds the place of the damage.
            None => part.each(|_| Ok(())).map(|()| part),
        }
    }

    /// Opens a part that may be incomplete.
    pub fn begun(path: &Path) -> Result<Part, PartError> {
        let none = |what: &str| PartError::NoPart { path: path.into(), what: what.into() };
        let data = path.metadata().map_err(|error| none(&error.to_string()))?;
        if !data.is_file() {
            return Err(none(if data.is_dir() { "it is a folder" } else { "it is no file" }));
        }
        let file = File::open(path).map_err(FileError::on(path))?;
        let end = end(&file, data.len());
        let mut archive = tar::Archive::new(BufReader::with_capacity(BUFFER_BYTES, file));
        let mut entries = archive.entries().map_err(FileError::on(path))?.raw(true);
        let Some(Ok(mut first)) = entries.next() else { return Err(none("it is no tar archive, or it is cut off")) };
        if *first.path_bytes() != *HEAD_ENTRY.as_bytes() || first.size() > MAX_HEAD_BYTES {
            return Err(none(&format!("it does not begin with {HEAD_ENTRY}")));
        }
        // Parse as a stream: a gigabyte of zeros fails at its first byte.
        let head = serde_json::from_reader(BufReader::new(&mut first)).map_err(|error| match error.is_eof() {
            true => none(&format!("{HEAD_ENTRY} is cut off")),
            false => none(&format!("{HEAD_ENTRY}: {error}")),
        })?;
        Ok(Part { path: path.into(), head, end })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns its first entry.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Returns its last entry, if it is complete.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Returns the fingerprints of its trials by index.
    pub(crate) fn fingerprints(&self) -> Result<BTreeMap<usize, Sum>, PartError> {
        let mut all = BTreeMap::new();
        let seen = self.each(|packed| -> Result<(), PartError> {
            all.insert(packed.index(), packed.fingerprint());
            Ok(())
        });
        seen.map(|()| all)
    }

    /// Visits every trial in the order of recording, until one is damaged or the part is cut off. Trials that are not
    /// [unpacked](Packed::unpack) are skipped.
    pub fn each<E: From<PartError>>(&self, mut visit: impl FnMut(&mut Packed) -> Result<(), E>) -> Result<(), E> {
        let file = File::open(&self.path).map_err(FileError::on(&self.path)).map_err(PartError::from)?;
        let mut archive = tar::Archive::new(BufReader::with_capacity(BUFFER_BYTES, file));
        // Read raw entries: no extension entry may change the name or length of another.
        let entries = archive.entries().map_err(FileError::on(&self.path)).map_err(PartError::from)?;
        let mut entries = entries.raw(true);
        let mut trials = 0;
        // The head was read before.
        let mut at = self.next(&mut entries, (0, 0))?.0.raw_file_position();
        loop {
            let (mut entry, name) = self.next(&mut entries, (at, trials))?;
            at = entry.raw_header_position();
            if name == END_ENTRY {
                return if self.end.is_some() { Ok(()) } else { Err(self.broken(at, trials, "").into()) };
            }
            let index = index(&name).filter(|index| self.has(*index));
            let index = index.ok_or_else(|| self.damaged(at, format!("it has {name:?}, which is not of this part")))?;
            let list = Some(&mut entry).filter(|entry| entry.size() <= MAX_TEXT_BYTES).and_then(text);
            let list = list.ok_or_else(|| self.broken(at, trials, "a list of sums cannot be read"))?;
            drop(entry);
            let mut packed = Packed { part: self, at, trials, index, list, entries: &mut entries, is_read: false };
            visit(&mut packed)?;
            if !packed.is_read {
                packed.read(None)?;
            }
            trials += 1;
        }
    }

    /// True if the part may contain the trial.
    fn has(&self, index: usize) -> bool {
        self.head.shard.has(index) && index < self.head.outline.trials()
    }

    /// Returns the next entry and its name; its absence is an error. `seen` has the position of the last entry and the
    /// number of complete trials.
    fn next<'a>(&self, entries: &mut Entries<'a>, seen: (u64, usize)) -> Result<(Entry<'a>, String), PartError> {
        let (at, trials) = seen;
        match entries.next() {
            Some(Ok(entry)) => {
                let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
                match entry.header().entry_type().is_file() {
                    true => Ok((entry, name)),
                    false => Err(self.damaged(entry.raw_header_position(), format!("{name:?} is no file"))),
                }
            }
            Some(Err(error)) => Err(self.broken(at, trials, &error.to_string())),
            None => Err(self.broken(at, trials, &format!("it has no {END_ENTRY}"))),
        }
    }

    /// Returns the error of an unreadable part: damaged if its end is there, else cut off.
    fn broken(&self, at: u64, trials: usize, what: &str) -> PartError {
        match self.end {
            Some(_) => self.damaged(at, what.into()),
            None => {
                let length = self.path.metadata().map_or(at, |data| data.len());
                PartError::Cut { path: self.path.clone(), at: length, trials }
            }
        }
    }

    fn damaged(&self, at: u64, what: String) -> PartError {
        PartError::Damaged { path: self.path.clone(), at, what }
    }
}

pub struct Packed<'p, 'a> {
    part: &'p Part,
    at: u64,
    trials: usize,
    index: usize,
    list: String,
    entries: &'p mut Entries<'a>,
    is_read: bool,
}

impl Packed<'_, '_> {
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns the fingerprint of its folder ([`sums::fingerprint`]).
    pub(crate) fn fingerprint(&self) -> Sum {
        sums::digest(&self.list)
    }

    /// Unpacks its files into an empty folder; an error if a file differs from the recorded one.
    pub fn unpack(&mut self, folder: &Folder) -> Result<(), PartError> {
        self.read(Some(folder))?;
        Ok(folder.write(sums::SUMS, &self.list)?)
    }

    fn read(&mut self, into: Option<&Folder>) -> Result<(), PartError> {
        self.is_read = true;
        let list = std::mem::take(&mut self.list);
        let listed = sums::listed(&list).map_err(|what| self.part.damaged(self.at, self.called(&what)))?;
        for (sum, name) in &listed {
            self.file(sum, name, into)?;
        }
        self.list = list;
        Ok(())
    }

    fn file(&mut self, sum: &str, name: &str, into: Option<&Folder>) -> Result<(), PartError> {
        let (mut entry, called) = self.part.next(self.entries, (self.at, self.trials))?;
        self.at = entry.raw_header_position();
        if called != named(self.index, name) {
            return Err(self.part.damaged(self.at, self.called(&format!("{name} is missing"))));
        }
        let Some(folder) = into else { return Ok(()) };
        let size = entry.size();
        let file = folder.create(name)?;
        let mut hash = Sha256::new();
        let copied = copy(&mut entry, &file, &mut hash).map_err(FileError::on(&folder.place(name)))?;
        if copied != size {
            return Err(self.part.broken(self.at, self.trials, "a file is too short"));
        }
        match format!("{:x}", hash.finalize()) == sum {
            true => Ok(()),
            false => Err(self.part.damaged(self.at, self.called(&format!("{name} is not what was recorded")))),
        }
    }

    fn called(&self, what: &str) -> String {
        format!("trial {}: {what}", self.index)
    }
}

/// Copies without zeros, so that a hole in a part becomes a hole in the file.
fn copy(from: &mut impl Read, into: &File, hash: &mut Sha256) -> io::Result<u64> {
    let (mut buffer, mut all) = (vec![0; 1 << 16], 0);
    loop {
        let bytes = match from.read(&mut buffer)? {
            0 => return into.set_len(all).map(|()| all),
            read => &buffer[..read],
        };
        hash.update(bytes);
        if bytes.iter().any(|byte| *byte != 0) {
            into.write_all_at(bytes, all)?;
        }
        all += bytes.len() as u64;
    }
}

/// Returns an entry's text, if it is complete and text.
fn text(entry: &mut Entry) -> Option<String> {
    let mut text = String::new();
    let read = entry.read_to_string(&mut text).ok()?;
    (read as u64 == entry.size()).then_some(text)
}

/// Returns the name of a trial's file in the archive.
pub(super) fn named(index: usize, file: &str) -> String {
    format!("trials/{index:04}/{file}")
}

/// Returns the trial whose list of sums has this name.
fn index(name: &str) -> Option<usize> {
    let index = name.strip_prefix("trials/")?.strip_suffix(sums::SUMS)?.strip_suffix('/')?.parse().ok()?;
    (named(index, sums::SUMS) == name).then_some(index)
}

/// Reads the last entry, which has one block; `None` if the part is incomplete.
fn end(file: &File, length: u64) -> Option<End> {
    let mut blocks = [0; 2 * TAR_BLOCK_BYTES + TAR_TAIL_BYTES];
    let at = length.checked_sub(blocks.len() as u64)?;
    file.read_exact_at(&mut blocks, at).ok()?;
    let (header, rest) = blocks.split_at(TAR_BLOCK_BYTES);
    let header = tar::Header::from_byte_slice(header);
    let size = header.entry_size().ok().filter(|size| *size <= TAR_BLOCK_BYTES as u64)? as usize;
    let is_end = *header.path_bytes() == *END_ENTRY.as_bytes() && rest[TAR_BLOCK_BYTES..].iter().all(|byte| *byte == 0);
    if is_end { serde_json::from_slice(&rest[..size]).ok() } else { None }
}
