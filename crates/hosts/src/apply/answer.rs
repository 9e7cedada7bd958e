//! Answers of the script of `host/`: lines with a word, the number of a change, and a text.

/// A line of the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerLine {
    pub word: String,
    /// Number of the change concerned, from 1; 0 if none.
    pub change: usize,
    pub text: String,
}

/// Parses all lines and skips others.
pub fn lines(text: &str) -> Vec<AnswerLine> {
    let line = |line: &str| {
        let mut parts = line.splitn(3, '\t');
        let (word, change, text) = (parts.next()?, parts.next()?, parts.next()?);
        Some(AnswerLine { word: word.into(), change: change.parse().ok()?, text: text.into() })
    };
    text.lines().filter_map(line).collect()
}

pub fn find<'l>(lines: &'l [AnswerLine], word: &str) -> Option<&'l AnswerLine> {
    lines.iter().find(|line| line.word == word)
}

pub fn find_text<'l>(lines: &'l [AnswerLine], word: &str, change: usize) -> Option<&'l str> {
    lines.iter().find(|line| line.word == word && line.change == change).map(|line| line.text.as_str())
}
