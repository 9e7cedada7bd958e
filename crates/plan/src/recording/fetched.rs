//! Receives files that commands wrote in the guest, and writes them into a trial's folder.

use super::RecordingError;
use base::folder::{FileError, Folder};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use wire::MOST_FETCHED;

/// The files to fetch. Code in the guest can send other files or too many bytes, which are refused.
pub struct Fetched {
    folder: Folder,
    names: Vec<String>,
    /// Files that have begun to arrive, with their sizes so far.
    open: BTreeMap<u32, (File, u64)>,
}

impl Fetched {
    /// Accepts files of these names into a folder.
    pub fn new(folder: &Folder, names: Vec<String>) -> Fetched {
        Fetched { folder: folder.clone(), names, open: BTreeMap::new() }
    }

    /// Takes the next part of a file.
    pub fn take(&mut self, number: u32, bytes: &[u8]) -> Result<(), RecordingError> {
        let refused = |what: &str| RecordingError::Stream(format!("file {number}: {what}"));
        let name = self.names.get(number as usize).ok_or_else(|| refused("nobody asked for it"))?;
        let (file, size) = match self.open.entry(number) {
            std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::btree_map::Entry::Vacant(entry) => entry.insert((self.folder.create(name)?, 0)),
        };
        *size += bytes.len() as u64;
        if *size > MOST_FETCHED {
            return Err(refused("it is larger than a file that is fetched may be"));
        }
        Ok(file.write_all(bytes).map_err(FileError::on(&self.folder.place(name)))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_put_together_and_what_nobody_asked_for_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path()).unwrap();
        let mut fetched = Fetched::new(&folder, vec!["fetched-a".into(), "fetched-b".into()]);
        for (number, part) in [(1, "one "), (0, ""), (1, "two")] {
            fetched.take(number, part.as_bytes()).unwrap();
        }
        let text = |name: &str| String::from_utf8(folder.read(name, MOST_FETCHED).unwrap()).unwrap();
        assert_eq!([text("fetched-a"), text("fetched-b")], ["", "one two"]);
        let stray = fetched.take(2, b"x").unwrap_err().to_string();
        assert!(stray.ends_with("file 2: nobody asked for it"), "{stray}");
        let large = vec![0; MOST_FETCHED as usize];
        fetched.take(0, &large).unwrap();
        assert!(fetched.take(0, b"x").unwrap_err().to_string().contains("larger"));
    }
}
