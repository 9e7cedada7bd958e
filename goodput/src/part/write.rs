//! Writes a part.

use super::read::named;
use super::{END_ENTRY, End, HEAD_ENTRY, Head, Part, PartError};
use crate::folder::{FileError, Folder, MAX_TEXT_BYTES};
use crate::sums::{self, Sum};
use base16ct::lower::encode_string as hex;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A part that is being written.
pub struct Writer {
    archive: tar::Builder<BufWriter<File>>,
    head: Head,
    /// Its private name, and its final name.
    own: PathBuf,
    part: PathBuf,
    /// Fingerprints of its trials.
    trials: BTreeMap<usize, Sum>,
    /// Unfinished files of others; this part has all their trials.
    taken: Vec<PathBuf>,
}

/// A part that is to be recorded.
pub enum Begun {
    Whole(Part),
    /// The part is to be written.
    Open(Writer),
}

/// End of an unfinished file's name.
const UNFINISHED_SUFFIX: &str = ".unfinished";

impl Writer {
    /// Begins a part with the trials that earlier writers recorded; `scratch` is an empty folder.
    pub fn begin(part: &Path, head: Head, scratch: &Folder) -> Result<Begun, PartError> {
        let mut earlier = vec![];
        if part.exists() {
            let last = Part::begun(part)?;
            last.belongs(&head)?;
            if last.end().is_some() && last.head().outline.trials() >= head.outline.trials() {
                return Ok(Begun::Whole(last));
            }
            earlier.push(last);
        }
        let left = left(part).map_err(FileError::on(part))?;
        // A writer that ended before its head was written left nothing.
        for last in left.iter().filter_map(|path| Part::begun(path).ok()) {
            last.belongs(&head)?;
            earlier.push(last);
        }
        let mut writer = Writer::create(part, head)?;
        for last in &earlier {
            writer.take_over(last, scratch)?;
        }
        writer.taken = left;
        Ok(Begun::Open(writer))
    }

    fn create(part: &Path, head: Head) -> Result<Writer, PartError> {
        let (folder, stem) = place(part);
        fs::create_dir_all(folder).map_err(FileError::on(folder))?;
        // The umask restricts this further.
        let mode = Permissions::from_mode(0o666);
        let file =
            tempfile::Builder::new().prefix(&stem).suffix(UNFINISHED_SUFFIX).permissions(mode).tempfile_in(folder);
        let (file, own) = file.and_then(|file| Ok(file.keep()?)).map_err(FileError::on(folder))?;
        let archive = tar::Builder::new(BufWriter::with_capacity(1 << 20, file));
        let mut writer = Writer { archive, head, own, part: part.into(), trials: BTreeMap::new(), taken: vec![] };
        let text = serde_json::to_string(&writer.head).expect("plain data") + "\n";
        writer.append(HEAD_ENTRY, text.len() as u64, text.as_bytes())?;
        writer.flush()?;
        Ok(writer)
    }

    /// Takes over complete trials. The other writer may finish meanwhile and rename its file.
    fn take_over(&mut self, last: &Part, scratch: &Folder) -> Result<(), PartError> {
        let taken = last.each(|packed| {
            if !self.has(packed.index()) {
                packed.unpack(scratch)?;
                self.add(packed.index(), scratch)?;
                scratch.empty()?;
            }
            Ok(())
        });
        match taken {
            Err(PartError::Cut { .. } | PartError::Damaged { .. }) => Ok(scratch.empty()?),
            Err(_) if !last.path().exists() => Ok(scratch.empty()?),
            taken => taken,
        }
    }

    /// Returns the indices of its trials.
    pub fn trials(&self) -> impl ExactSizeIterator<Item = usize> {
        self.trials.keys().copied()
    }

    /// True if it has the trial.
    pub fn has(&self, index: usize) -> bool {
        self.trials.contains_key(&index)
    }

    /// Adds the recording of a trial. It is kept even if the process is killed afterwards.
    pub fn add(&mut self, index: usize, recording: &Folder) -> Result<(), FileError> {
        let list = recording.read(sums::SUMS, MAX_TEXT_BYTES)?;
        let text = String::from_utf8_lossy(&list);
        let wrong = |what| FileError { path: recording.place(sums::SUMS), error: io::Error::other(what) };
        let listed = sums::listed(&text).map_err(wrong)?;
        self.append(&named(index, sums::SUMS), list.len() as u64, &list[..])?;
        for (_, name) in listed {
            let file = recording.file(name)?;
            let size = file.metadata().map_err(FileError::on(&recording.place(name)))?.len();
            self.append(&named(index, name), size, file)?;
        }
        self.trials.insert(index, sums::of(&list));
        self.flush()
    }

    /// Gives the part its final name, and removes the files of others. Another writer may have finished first, with the
    /// same contents.
    pub fn finish(mut self) -> Result<(), PartError> {
        let mut hash = Sha256::new();
        for (index, print) in &self.trials {
            hash.update(format!("{index} {}\n", hex(print)));
        }
        let end = End { trials: self.trials.len(), sha256: format!("{:x}", hash.finalize()) };
        let text = serde_json::to_string(&end).expect("plain data") + "\n";
        self.append(END_ENTRY, text.len() as u64, text.as_bytes())?;
        let Writer { archive, head, own, part, trials, taken } = self;
        let is_there = || is_there(&part, &head, &trials, &end);
        is_there()?;
        let file = archive.into_inner().and_then(|buffer| Ok(buffer.into_inner()?));
        // A network file system may only now report that it is full.
        let written = file.and_then(|file| file.sync_all()).and_then(|()| fs::rename(&own, &part));
        match written {
            // A faster writer has taken this file over and removed it.
            Err(error) if error.kind() == io::ErrorKind::NotFound && is_there()? => {}
            written => written.map_err(FileError::on(&own))?,
        }
        for path in taken {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(FileError { path, error })?,
                _ => {}
            }
        }
        Ok(())
    }

    fn append(&mut self, name: &str, size: u64, data: impl Read) -> Result<(), FileError> {
        let mut header = tar::Header::new_ustar();
        let named = header.set_path(name);
        header.set_size(size);
        header.set_mode(0o644);
        header.set_cksum();
        let appended = named.and_then(|()| self.archive.append(&header, data));
        appended.map_err(FileError::on(&self.own))
    }

    fn flush(&mut self) -> Result<(), FileError> {
        self.archive.get_mut().flush().map_err(FileError::on(&self.own))
    }
}

impl Part {
    /// Checks that it belongs to the same run and lab as a part with this head.
    fn belongs(&self, head: &Head) -> Result<(), PartError> {
        let (path, own) = (|| self.path().to_owned(), &self.head().outline);
        if !own.begins_with(&head.outline) && !head.outline.begins_with(own) {
            return Err(PartError::OtherPlan { path: path() });
        }
        match self.head().environment.differences(&head.environment).into_iter().next() {
            None => Ok(()),
            Some(what) => Err(PartError::OtherLaboratory { path: path(), what }),
        }
    }
}

/// True if another writer has finished the part; an error if its contents differ.
fn is_there(part: &Path, head: &Head, trials: &BTreeMap<usize, Sum>, end: &End) -> Result<bool, PartError> {
    let Ok(other) = Part::open(part) else { return Ok(false) };
    if other.head().outline != head.outline || other.end() == Some(end) {
        return Ok(other.head().outline == head.outline);
    }
    let theirs = other.fingerprints()?;
    let differs = |(index, print): &(&usize, &Sum)| theirs.get(index) != Some(print);
    let trial = trials.iter().find(differs).map_or(0, |(index, _)| *index);
    Err(PartError::Differs { part: part.into(), trial })
}

/// Returns the folder of a part, and the prefix of its unfinished files.
fn place(part: &Path) -> (&Path, String) {
    let folder = part.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    (folder, format!("{}.", part.file_stem().unwrap_or_default().to_string_lossy()))
}

/// Returns the unfinished files of a part, sorted.
pub fn left(part: &Path) -> io::Result<Vec<PathBuf>> {
    let (folder, stem) = place(part);
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(vec![]),
        entries => entries?,
    };
    let names = entries.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
    let is_left = |name: &str| name.starts_with(&stem) && name.ends_with(UNFINISHED_SUFFIX);
    let mut left: Vec<_> = names.into_iter().filter(|name| is_left(&name.to_string_lossy())).collect();
    left.sort();
    Ok(left.into_iter().map(|name| folder.join(name)).collect())
}
