//! Types of values: lists and tables.

use crate::key::{Leaf, Takes, Trial};
use crate::leaf;
use crate::section::Section;
use crate::value::Value;
use evidence::unit::Wrong;
use serde_json::{Value as Json, json};
use toml::Spanned;

/// A list of values, with a description for errors (`due`) and one for the reference.
#[derive(Debug, Clone, Copy)]
pub struct List<T> {
    pub each: T,
    pub due: &'static str,
    pub words: &'static str,
}

impl<T: Leaf> Takes for List<T> {
    type Value = Vec<Spanned<T::Value>>;

    fn read(&self, section: &mut Section, key: &'static str) -> Option<Spanned<Self::Value>> {
        section.list(key, self.due, |value| self.each.parse(value))
    }

    fn words(&self) -> String {
        self.words.to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        let listed = |trial: Trial| Trial { toml: format!("[{}]", trial.toml), ..trial };
        let trials = Leaf::trials(&self.each).into_iter().map(listed);
        trials.chain([Trial::bad("true", "is a boolean")]).collect()
    }

    fn schema(&self) -> Json {
        json!({ "type": "array", "items": Leaf::schema(&self.each) })
    }
}

/// A value that a function reads: a table, a list of tables, or a table or something else.
#[derive(Debug, Clone, Copy)]
pub struct Nested<T> {
    read: fn(&mut Section, &'static str) -> Option<Spanned<T>>,
    words: &'static str,
    /// Schema of a value that may stand in place of the table, if it is told.
    plain: Option<fn() -> Json>,
}

impl<T> Nested<T> {
    /// Tells the schema of a value that may stand in place of the table.
    pub const fn or(mut self, plain: fn() -> Json) -> Nested<T> {
        self.plain = Some(plain);
        self
    }
}

/// Accepts what `read` reads; the reference describes it by `words`.
pub const fn nested<T>(words: &'static str, read: fn(&mut Section, &'static str) -> Option<Spanned<T>>) -> Nested<T> {
    Nested { read, words, plain: None }
}

impl<T> Takes for Nested<T> {
    type Value = T;

    fn read(&self, section: &mut Section, key: &'static str) -> Option<Spanned<T>> {
        (self.read)(section, key)
    }

    fn words(&self) -> String {
        self.words.to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        vec![Trial::bad("1979-05-27", "is a date")]
    }

    fn schema(&self) -> Json {
        self.plain.map_or(json!({}), |plain| plain())
    }
}

/// Reads a key that is a table or something else. If it is not a table, `table` still runs, to make the table's keys
/// known.
pub fn either<'a, T>(
    section: &mut Section<'a>,
    key: &'static str,
    table: impl Fn(Section<'a>) -> Option<T>,
    other: impl FnOnce(&Value) -> Result<T, Wrong>,
) -> Option<Spanned<T>> {
    if !section.holds_table(key) {
        table(section.nowhere(key));
        return section.optional(key, other);
    }
    let inside = section.section(key);
    let span = inside.span.clone();
    table(inside).map(|value| Spanned::new(span, value))
}

/// Reads a key that is a table or the word `"none"`; `such` is an example of the table.
pub fn table_or_none<'a, T>(
    section: &mut Section<'a>,
    key: &'static str,
    table: impl Fn(Section<'a>) -> Option<T>,
    such: &'static str,
) -> Option<Spanned<Option<T>>> {
    either(section, key, |section| table(section).map(Some), leaf::none(such))
}
