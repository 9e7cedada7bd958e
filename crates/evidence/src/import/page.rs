//! Keeps a text's lines, and which of them have been read.

use crate::{Place, Unread};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// A user's text.
#[derive(Debug, Clone)]
pub struct Page<'a> {
    file: Arc<str>,
    pub lines: Vec<Line<'a>>,
    /// Whether the text ends within a line.
    pub ends_within_line: bool,
    wrong: Vec<Unread>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    pub text: &'a str,
    /// True once a reader has taken the line.
    pub claimed: bool,
}

impl<'a> Page<'a> {
    /// Splits a text into unread lines.
    pub fn new(file: &str, text: &'a str) -> Page<'a> {
        let lines = text.lines().map(|text| Line { text, claimed: false }).collect();
        Page { file: file.into(), lines, ends_within_line: !text.is_empty() && !text.ends_with('\n'), wrong: vec![] }
    }

    /// Returns the place of the line at an index.
    pub fn place(&self, index: usize) -> Place {
        Place { file: self.file.clone(), line: index + 1 }
    }

    /// Returns the unclaimed lines with their indices.
    pub fn unclaimed(&self) -> impl Iterator<Item = (usize, &'a str)> {
        self.lines.iter().enumerate().filter(|(_, line)| !line.claimed).map(|(index, line)| (index, line.text))
    }

    /// Returns the text with blanks in place of claimed lines.
    pub fn masked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let begin = text.as_ptr() as usize;
        let claimed = |line: &&Line| line.claimed && !line.text.is_empty();
        let mut masked = Cow::Borrowed(text);
        for line in self.lines.iter().filter(claimed) {
            let start = line.text.as_ptr() as usize - begin;
            masked.to_mut().replace_range(start..start + line.text.len(), &" ".repeat(line.text.len()));
        }
        masked
    }

    /// Marks a line as read.
    pub fn claim(&mut self, index: usize) {
        self.lines[index].claimed = true;
    }

    /// Marks the lines of a span of the text as read.
    pub fn claim_span(&mut self, text: &str, span: Range<usize>) {
        let first = self.index_at(text, span.start);
        let last = self.index_at(text, span.end.saturating_sub(1).max(span.start));
        (first..=last.min(self.lines.len().saturating_sub(1))).for_each(|index| self.claim(index));
    }

    /// Records that the line at a position in the text is unreadable, and why.
    pub fn wrong_at(&mut self, text: &str, at: usize, why: impl Into<String>) {
        let index = self.index_at(text, at).min(self.lines.len().saturating_sub(1));
        self.wrong(index, why);
    }

    fn index_at(&self, text: &str, at: usize) -> usize {
        let begin = text.as_ptr() as usize;
        self.lines.partition_point(|line| line.text.as_ptr() as usize - begin <= at).saturating_sub(1)
    }

    /// Records that a line belongs to a reader that cannot read it, and why.
    pub fn wrong(&mut self, index: usize, why: impl Into<String>) {
        let (place, to) = (self.place(index), index + 1);
        self.wrong.push(Unread { place, to, why: Some(why.into()) });
        self.claim(index);
    }

    /// Records that nothing in the file can be read, and why.
    pub fn refuse(&mut self, why: impl Into<String>) {
        let to = self.lines.len();
        self.lines.iter_mut().for_each(|line| line.claimed = true);
        let place = Place { file: self.place(0).file, line: 0 };
        self.wrong.push(Unread { place, to, why: Some(why.into()) });
    }

    /// Returns what was not read, by rising line: unreadable lines, and runs of unclaimed lines, with blank ones only
    /// inside a run.
    pub fn unread(mut self) -> Vec<Unread> {
        let mut runs: Vec<Unread> = vec![];
        let mut last_claimed = 0;
        for (index, line) in self.lines.iter().enumerate() {
            let number = index + 1;
            if line.claimed {
                last_claimed = number;
            } else if !line.text.trim().is_empty() {
                match runs.last_mut().filter(|run| run.to > last_claimed) {
                    Some(run) => run.to = number,
                    None => runs.push(Unread { place: self.place(index), to: number, why: None }),
                }
            }
        }
        self.wrong.extend(runs);
        self.wrong.sort_by_key(|unread| unread.place.line);
        self.wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unclaimed_lines_are_unread_in_runs() {
        let mut page = Page::new("x", "prose\n\nmore\nknown\n\nbad\nend\n");
        page.claim(3);
        page.wrong(5, "no number");
        let unread = page.unread();
        let lines: Vec<_> = unread.iter().map(|u| (u.place.line, u.to, u.why.is_some())).collect();
        assert_eq!(lines, [(1, 3, false), (6, 6, true), (7, 7, false)]);
    }
}
