//! Errors in a user's text, each with its place: file, line, column, and the line itself.

use crate::plain;
use crate::unit::Wrong;
use std::fmt::{self, Display, Formatter};
use std::ops::Range;

/// A place in the text, in bytes.
pub type Span = Range<usize>;

/// An error and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The value or key at fault.
    pub span: Span,
    /// Description of the error; `what` is the whole headline here.
    pub wrong: Wrong,
}

/// Every error found in a text; displays them in the order of their places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Errors {
    /// The file's name, as it was given.
    pub file: String,
    /// The file's text.
    pub text: String,
    /// Errors found; never empty.
    pub faults: Vec<Fault>,
}

impl std::error::Error for Errors {}

/// Most errors shown; further ones are only counted.
const MAX_SHOWN_ERRORS: usize = 20;

/// Width of a note, columns.
const NOTE_COLUMNS: usize = 76;

/// Longest line shown, columns; a longer one is cut around its caret.
const MAX_LINE_COLUMNS: usize = 160;

impl Errors {
    /// Sorts the faults of a text by their places.
    pub fn new(file: &str, text: &str, mut faults: Vec<Fault>) -> Errors {
        faults.sort_by_key(|fault| fault.span.start);
        Errors { file: file.to_owned(), text: text.to_owned(), faults }
    }
}

impl Display for Errors {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.faults.iter().take(MAX_SHOWN_ERRORS).enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write_fault(f, &self.file, &self.text, fault)?;
        }
        match self.faults.len().saturating_sub(MAX_SHOWN_ERRORS) {
            0 => Ok(()),
            more => writeln!(f, "\nand {more} more"),
        }
    }
}

fn write_fault(f: &mut Formatter<'_>, file: &str, text: &str, fault: &Fault) -> fmt::Result {
    let place = SourceSpan::find(text, &fault.span);
    let number = place.line.to_string();
    let gutter = " ".repeat(number.len());
    let (line, carets) = place.drawn();
    writeln!(f, "{}:{number}:{}: {}", plain::line(file), place.column, plain::line(&fault.wrong.what))?;
    writeln!(f, "{gutter} |\n{number} | {line}\n{gutter} | {carets}")?;
    for note in &fault.wrong.notes {
        writeln!(f, "{gutter} = {}", wrapped(&plain::line(note), &format!("\n{gutter}   ")))?;
    }
    match fault.wrong.hint.as_ref().filter(|hint| hint.len() <= MAX_LINE_COLUMNS) {
        Some(hint) => writeln!(f, "\nhint: {}", plain::line(hint)),
        None => Ok(()),
    }
}

/// Wraps a note: lists of names can be long.
fn wrapped(text: &str, indent: &str) -> String {
    let mut lines = String::new();
    let mut width = 0;
    for word in text.split(' ') {
        width += word.len() + 1;
        if width > NOTE_COLUMNS {
            lines.push_str(indent);
            width = word.len() + 1;
        } else if !lines.is_empty() {
            lines.push(' ');
        }
        lines.push_str(word);
    }
    lines
}

/// A span by line and column, both from 1.
struct SourceSpan<'a> {
    line: usize,
    column: usize,
    before: &'a str,
    marked: &'a str,
    after: &'a str,
}

impl SourceSpan<'_> {
    fn find<'a>(text: &'a str, span: &Span) -> SourceSpan<'a> {
        let start = floor(text, span.start);
        let first = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line = text[first..].lines().next().unwrap_or("");
        let from = (start - first).min(line.len());
        let to = floor(text, span.end).saturating_sub(first).clamp(from, line.len());
        SourceSpan {
            line: text[..first].matches('\n').count() + 1,
            column: line[..from].chars().count() + 1,
            before: &line[..from],
            marked: &line[from..to],
            after: &line[to..],
        }
    }

    /// Returns the line, and carets under its marked part.
    fn drawn(&self) -> (String, String) {
        let before: Vec<char> = self.before.chars().collect();
        let cut = before.len().saturating_sub(MAX_LINE_COLUMNS / 2);
        let left: String =
            if cut > 0 { "…".chars().chain(before[cut..].iter().copied()).collect() } else { self.before.into() };
        let all = [&left, self.marked, self.after].concat();
        let mut line: String = all.chars().take(MAX_LINE_COLUMNS).collect();
        if line.len() < all.len() {
            line.push('…');
        }
        let pad: String = plain::line(&left).chars().map(blank).collect();
        let marked: usize = plain::line(self.marked).chars().take(MAX_LINE_COLUMNS / 2).map(columns).sum();
        (plain::line(&line).into_owned(), pad + &"^".repeat(marked.max(1)))
    }
}

/// Returns the end of the last whole character at or before `index`.
pub fn floor(text: &str, index: usize) -> usize {
    let index = index.min(text.len());
    (0..=index).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

/// Returns blanks as wide as `c`; a tab stays a tab, so that the carets align.
fn blank(c: char) -> String {
    if c == '\t' { c.to_string() } else { " ".repeat(columns(c)) }
}

/// Returns columns on a terminal: two for East Asian wide characters and emoji (Unicode, UAX 11), none for combining
/// characters.
fn columns(c: char) -> usize {
    match u32::from(c) {
        0x0300..=0x036F | 0x200B..=0x200F | 0xFE00..=0xFE0F | 0xFEFF => 0,
        0x1100..=0x115F | 0x2E80..=0xA4CF | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF | 0xFE30..=0xFE6F => 2,
        0xFF00..=0xFF60 | 0xFFE0..=0xFFE6 | 0x1F300..=0x1FAFF | 0x20000..=0x3FFFD => 2,
        _ => 1,
    }
}
