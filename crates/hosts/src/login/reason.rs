//! Words of a host inside goodput's own.

use evidence::plain;
use std::fmt::{self, Display};

/// Why something failed. A host's words are one line in quotes, so that none of them passes for a sentence or a hint
/// of goodput's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// goodput's own words.
    Own(String),
    /// Text that a host printed.
    Host(String),
}

/// Longest quotation, characters.
const MAX_QUOTED: usize = 300;

impl Reason {
    /// Returns what a host printed last: the last line that is not empty.
    pub fn last(text: &str) -> Reason {
        Reason::Host(text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default().to_owned())
    }
}

impl Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let said = match self {
            Reason::Own(text) => return f.write_str(text),
            Reason::Host(text) => text.trim(),
        };
        if said.is_empty() {
            return f.write_str("it printed nothing");
        }
        let cut: String = said.chars().take(MAX_QUOTED).collect();
        let more = if cut.len() < said.len() { "…" } else { "" };
        write!(f, "\"{}{more}\"", plain::line(&cut.replace('"', "'")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hosts_words_are_one_line_in_quotes() {
        let said = |text: &str| Reason::Host(text.into()).to_string();
        assert_eq!(said("no\n\nhint: run \"x\" \x1b[2J"), "\"no\\n\\nhint: run 'x' \\u{1b}[2J\"");
        assert_eq!(said(" \n"), "it printed nothing");
        assert_eq!(said(&"x".repeat(999)), format!("\"{}…\"", "x".repeat(300)));
        assert_eq!(Reason::last("one\n\ntwo\n \n").to_string(), "\"two\"");
        assert_eq!(Reason::Own("no\n\nhint: that".into()).to_string(), "no\n\nhint: that");
    }
}
