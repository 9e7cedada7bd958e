//! Prints data on standard output and everything else on standard error. A reader of either may stop without ending
//! the command.

use crate::folder::Folder;
use evidence::plain;
use std::fmt::Display;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::Mutex;

/// Error that made standard output unusable.
static STDOUT: Mutex<Option<io::Error>> = Mutex::new(None);

/// Prints a line of data.
pub fn data(line: impl Display) {
    let mut ended = STDOUT.lock().expect("no writer panics");
    if ended.is_none() {
        *ended = write(io::stdout().lock(), &line).err();
    }
}

/// Prints data that is no text.
pub fn bytes(data: &[u8]) {
    let mut ended = STDOUT.lock().expect("no writer panics");
    if ended.is_none() {
        let mut to = io::stdout().lock();
        *ended = to.write_all(data).and_then(|()| to.flush()).err();
    }
}

/// Prints lines of data in place of the terminal's content (ECMA-48: cursor to the first place, erase to the end).
pub fn redraw(lines: impl Display) {
    const ERASE: &[u8] = b"\x1b[H\x1b[J";
    let mut ended = STDOUT.lock().expect("no writer panics");
    if ended.is_none() {
        let mut to = io::stdout().lock();
        *ended = to.write_all(ERASE).and_then(|()| write(to, &lines)).err();
    }
}

/// Prints a line on standard error; the line is lost if nobody can read it.
pub fn note(line: impl Display) {
    let _ = write(io::stderr().lock(), &line);
}

/// Prints like [`note`], but leaves the cursor on the line for the answer.
pub fn ask(question: impl Display) {
    let _ = io::stderr().lock().write_all(plain::text(&question.to_string()).as_bytes());
}

/// Writes a line in one piece, so that no other process's output splits it, and only characters that a terminal may
/// show.
fn write(mut to: impl Write, line: &impl Display) -> io::Result<()> {
    to.write_all(plain::text(&format!("{line}\n")).as_bytes())?;
    to.flush()
}

/// True if nobody reads standard output any more.
pub fn is_closed() -> bool {
    STDOUT.lock().expect("no writer panics").is_some()
}

/// Returns an error unless all data were written or the reader stopped.
pub fn finish() -> Result<(), String> {
    STDOUT.lock().expect("no writer panics").take().map_or(Ok(()), refused)
}

/// Interprets an error of standard output: a reader that stops early is no failure.
pub fn refused(error: io::Error) -> Result<(), String> {
    match error.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(format!("cannot write to standard output: {error}\n\nhint: write to a file on another disk")),
    }
}

/// Writes a file completely or not at all; writes to a device or pipe directly.
pub fn file(path: &Path, text: &str) -> io::Result<()> {
    let there = fs::canonicalize(path);
    let path = there.as_deref().unwrap_or(path);
    let (Some(name), true) = (path.file_name(), path.is_file() || !path.exists()) else {
        return fs::write(path, text);
    };
    let mut partial = name.to_owned();
    partial.push(".partial");
    let folder = Folder::open(path.parent().unwrap_or(Path::new(""))).map_err(|refused| refused.error)?;
    let written = folder.write(&partial, text).and_then(|()| folder.rename(&partial, name));
    written.inspect_err(|_| drop(folder.remove(&partial))).map_err(|refused| refused.error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_file_is_replaced_whole_and_a_device_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("all.csv");
        for text in ["one", "two"] {
            file(&path, text).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        file(Path::new("/dev/null"), "text").unwrap();
        assert!(file(Path::new("/dev/full"), "text").is_err());
        assert!(file(&folder.path().join("nowhere/all.csv"), "text").is_err());
    }

    /// A link given by the user is followed; one under the temporary name is not.
    #[test]
    fn a_file_is_written_beside_no_link_that_lies_in_wait() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("letters"), "mine").unwrap();
        symlink("letters", at("all.csv.partial")).unwrap();
        file(&at("all.csv"), "text").unwrap();
        assert_eq!(fs::read_to_string(at("letters")).unwrap(), "mine");
        assert_eq!(fs::read_to_string(at("all.csv")).unwrap(), "text");
        symlink("all.csv", at("link.csv")).unwrap();
        file(&at("link.csv"), "new").unwrap();
        assert_eq!(fs::read_to_string(at("all.csv")).unwrap(), "new");
    }
}
