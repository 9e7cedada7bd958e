//! A TOML value, as it is written and as errors and reports show it.

use evidence::unit::Wrong;
use toml::de::DeValue;

/// A value and its text.
#[derive(Debug, Clone, Copy)]
pub struct Value<'a> {
    /// The parsed value.
    pub toml: &'a DeValue<'a>,
    pub literal: &'a str,
}

impl Value<'_> {
    /// Returns the value as a report shows it: a string's content, a list or table in words, anything else as written.
    pub fn plain(&self) -> String {
        match self.toml {
            DeValue::String(_) | DeValue::Array(_) | DeValue::Table(_) => words(self.toml),
            _ => self.literal.to_owned(),
        }
    }

    /// Returns the TOML type with its article.
    pub fn noun(&self) -> &'static str {
        match self.toml {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "a boolean",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        }
    }

    /// Returns the fault of a value that has the wrong type.
    pub fn is_not(&self, due: &str) -> Wrong {
        Wrong::new(format!("is {}", self.noun())).accepted(due)
    }

    /// Returns the value for an error's headline, after a space; empty if it is too long or not a plain value.
    pub fn shown(&self) -> String {
        match self.toml {
            DeValue::String(text) if text.chars().count() <= 60 => format!(" \"{text}\""),
            DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) => format!(" {}", self.literal),
            _ => String::new(),
        }
    }
}

/// Formats a value in words: `["tso", "gso"]` is "tso, gso", `[]` is "none", `{ every = 100 }` is "every 100".
fn words(value: &DeValue) -> String {
    let joined = |parts: Vec<String>| if parts.is_empty() { "none".into() } else { parts.join(", ") };
    match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(yes) => yes.to_string(),
        DeValue::Datetime(time) => time.to_string(),
        DeValue::Array(list) => joined(list.iter().map(|inner| words(inner.get_ref())).collect()),
        DeValue::Table(table) => {
            let mut entries: Vec<_> = table.iter().collect();
            entries.sort_by_key(|(key, _)| key.span().start);
            joined(
                entries
                    .into_iter()
                    .map(|(key, inner)| format!("{} {}", key.get_ref(), words(inner.get_ref())))
                    .collect(),
            )
        }
    }
}
