//! Errors about texts that are not TOML.

use evidence::fault::floor;
pub use evidence::fault::{Errors, Fault, Span};
use evidence::unit::Wrong;
use evidence::{Evidence, import, plain};
use std::path::Path;

/// Returns the faults of a text that is not TOML. A second error on the same line usually follows from the first.
pub(super) fn syntax(text: &str, errors: &[toml::de::Error]) -> Vec<Fault> {
    let start = |error: &toml::de::Error| floor(text, error.span().map_or(0, |span| span.start));
    let mut errors: Vec<(usize, &toml::de::Error)> = errors.iter().map(|error| (start(error), error)).collect();
    errors.sort_by_key(|(start, _)| *start);
    let mut before = None;
    errors.retain(|(start, _)| {
        let is_new = before.is_none_or(|before: usize| text[before..*start].contains('\n'));
        before = Some(*start);
        is_new
    });
    errors.into_iter().take(MOST_SYNTAX).map(|(_, error)| syntax_fault(text, error)).collect()
}

/// Most syntax errors to show; after that many the parser is guessing.
const MOST_SYNTAX: usize = 3;

/// Recognises a file that is no experiment: binary data, or output of a program that goodput can read.
pub(super) fn another_kind(file: &str, text: &str) -> Option<Errors> {
    let word = plain::word(Path::new(file));
    let error = |text: &str, wrong| Some(Errors::new(file, text, vec![Fault { span: 0..0, wrong }]));
    let is_printed = |sign: char| !sign.is_control() || "\t\n\r\u{c}\u{1b}".contains(sign);
    if !text.chars().all(is_printed) {
        let wrong = Wrong::new("this is binary data, and an experiment is TOML");
        return error("", wrong.hint(format!("if it is a capture, goodput diagnose {word} reads it")));
    }
    let mut found = Evidence::default();
    import::read(file, text.as_bytes(), &mut found);
    if found.listings.is_empty() && found.connections.is_empty() && found.pings.is_empty() {
        return None;
    }
    let wrong = Wrong::new(format!("this is evidence ({}), and an experiment is TOML", found.contents().join(", ")));
    error(text, wrong.hint(format!("goodput diagnose {word} says what limits it")))
}

/// Returns the table header, such as `[hosts.a]`, on the line of the position, if there is one.
fn header<'t>(text: &'t str, span: &Span) -> Option<&'t str> {
    let begin = text.get(..span.start)?.rfind('\n').map_or(0, |end| end + 1);
    let line = text[begin..].lines().next()?.trim();
    let end = line.rfind(']')?;
    line.starts_with('[').then(|| &line[..=end])
}

fn syntax_fault(text: &str, error: &toml::de::Error) -> Fault {
    let span = error.span().unwrap_or(0..0);
    let marked = text.get(span.clone()).unwrap_or("");
    let message = error.message().replace('\n', ", ").replace('`', "\"");
    let wrong = match message.as_str() {
        "duplicate key" => match header(text, &span) {
            Some(header) => Wrong::new(format!("{header} is written twice"))
                .hint("write all its keys under one, or give one of them another name"),
            None => Wrong::new(format!("the key {marked} is written twice")).hint("remove one of the two"),
        },
        "string values must be quoted, expected literal string" if marked.is_empty() => {
            Wrong::new("the key has no value")
        }
        "string values must be quoted, expected literal string" => {
            let end = text[span.start..].find(['\n', '#', ',', ']', '}']).map_or(text.len(), |end| span.start + end);
            let value = text[span.start..end].trim();
            Wrong::new(format!("{value} is not in quotes")).hint(format!("write \"{value}\""))
        }
        "invalid basic string, expected \"\"\"" => Wrong::new("the text has no closing quote"),
        _ => Wrong::new(format!("not TOML: {message}")),
    };
    Fault { span, wrong }
}
