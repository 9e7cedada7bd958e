//! What the script of `host/` answers: lines of a word, the number of a change, and a text.

/// A line of the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub word: String,
    /// Of the change that it is about, from 1; 0 of none.
    pub change: usize,
    pub text: String,
}

/// All lines; what is none of ours is skipped.
pub fn lines(text: &str) -> Vec<Line> {
    let line = |line: &str| {
        let mut parts = line.splitn(3, '\t');
        let (word, change, text) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Line { word: word.into(), change: change.parse().ok()?, text: text.into() })
    };
    text.lines().filter_map(line).collect()
}

pub fn find<'l>(lines: &'l [Line], word: &str) -> Option<&'l Line> {
    lines.iter().find(|line| line.word == word)
}

pub fn of<'l>(lines: &'l [Line], word: &str, change: usize) -> Option<&'l str> {
    lines.iter().find(|line| line.word == word && line.change == change).map(|line| line.text.as_str())
}
