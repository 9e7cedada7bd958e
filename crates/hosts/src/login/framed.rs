//! Frames a script with markers, so that output of a login shell before it is skipped and a cut-off output is
//! detected.

use super::token;
use std::io::Read;

/// The output of a script, and its exit status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    pub stdout: String,
    pub stderr: String,
    pub status: i32,
    /// Whether either stream had more than was kept.
    pub is_cut: bool,
}

/// A unique text before and after a script's output.
#[derive(Debug, Clone)]
pub(super) struct Marker(String);

impl Marker {
    pub fn new() -> Marker {
        Marker(format!("goodput-{}", token()))
    }

    /// Returns the script for `sh -s`. sh reads all of it before it runs any, so no program in it can take the rest as
    /// its input. An ordinary user's PATH may lack the folders of `ip` and `sysctl`.
    pub fn frame(&self, script: &str) -> String {
        let Marker(mark) = self;
        format!(
            "LC_ALL=C; PATH=\"$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\"; export LC_ALL PATH\n\
             {{ echo {mark}-begin; echo {mark}-begin >&2\n\
             (\n{script}\n) </dev/null\n\
             goodput_status=$?\n\
             echo; echo {mark}-end $goodput_status\n\
             echo >&2; echo {mark}-end $goodput_status >&2; exit 0; }}\n"
        )
    }

    /// Returns the part of a stream between the markers.
    pub fn extract(&self, kept: &Kept) -> Framed {
        let (head, tail) = (String::from_utf8_lossy(&kept.head), String::from_utf8_lossy(&kept.tail));
        let (begin, end) = (format!("{}-begin\n", self.0), format!("\n{}-end ", self.0));
        let Some(at) = head.find(&begin).map(|at| at + begin.len()) else { return Framed::Nothing };
        let status = |text: &str| text.split('\n').next().and_then(|word| word.trim().parse().ok());
        let inner = &head[at..];
        // The newline of the begin marker may be that of the end marker.
        if let Some(to) = head[at - 1..].find(&end) {
            let status = status(&head[at - 1 + to + end.len()..]);
            let text = inner[..to.saturating_sub(1)].to_owned();
            return status.map_or(Framed::Broken, |status| Framed::Whole { text, status, is_cut: false });
        }
        match tail.rfind(&end).and_then(|to| status(&tail[to + end.len()..])) {
            Some(status) => Framed::Whole { text: inner.to_owned(), status, is_cut: true },
            None => Framed::Broken,
        }
    }
}

pub(super) enum Framed {
    /// The script did not begin.
    Nothing,
    /// The script began, but its end did not arrive.
    Broken,
    Whole {
        text: String,
        status: i32,
        is_cut: bool,
    },
}

/// The start of a stream, up to a limit, and its last bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct Kept {
    pub head: Vec<u8>,
    tail: Vec<u8>,
}

/// Length that an end marker does not exceed, bytes.
const TAIL: usize = 256;

impl Kept {
    /// Reads a stream to its end; an error counts as the end.
    pub fn read(mut from: impl Read, most: usize) -> Kept {
        let mut kept = Kept::default();
        let mut buffer = [0; 8192];
        while let Ok(count) = from.read(&mut buffer) {
            if count == 0 {
                break;
            }
            let room = most.saturating_sub(kept.head.len());
            kept.head.extend_from_slice(&buffer[..count.min(room)]);
            kept.tail.extend_from_slice(&buffer[..count]);
            kept.tail.drain(..kept.tail.len().saturating_sub(TAIL));
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames_in(bytes: &str, most: usize) -> (Option<(String, i32, bool)>, bool) {
        match Marker("m".into()).extract(&Kept::read(bytes.as_bytes(), most)) {
            Framed::Nothing => (None, false),
            Framed::Broken => (None, true),
            Framed::Whole { text, status, is_cut } => (Some((text, status, is_cut)), true),
        }
    }

    #[test]
    fn output_around_the_markers_is_skipped() {
        let whole = |text: &str, status| (Some((text.to_owned(), status, false)), true);
        assert_eq!(frames_in("Welcome!\nm-begin\none\n\nm-end 0\nbye\n", 99), whole("one\n", 0));
        assert_eq!(frames_in("m-begin\nno line end\nm-end 3\n", 99), whole("no line end", 3));
        assert_eq!(frames_in("m-begin\n\nm-end 0\n", 99), whole("", 0));
    }

    #[test]
    fn output_that_ended_early_differs_from_output_that_is_long() {
        assert_eq!(frames_in("Welcome!\n", 99), (None, false));
        assert_eq!(frames_in("m-begin\nhalf", 99), (None, true));
        assert_eq!(frames_in("m-begin\nhalf\nm-end", 99), (None, true));
        let long = format!("m-begin\n{}\nm-end 0\n", "x".repeat(5000));
        let kept = "x".repeat(92);
        assert_eq!(frames_in(&long, 100), (Some((kept, 0, true)), true));
    }
}
