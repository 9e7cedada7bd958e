//! Lists and tables.

use crate::experiment::key::{Leaf, Takes, Trial};
use crate::experiment::leaf;
use crate::experiment::section::Section;
use crate::experiment::value::Value;
use evidence::unit::Wrong;
use toml::Spanned;

/// A list of values; how it is written.
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
}

/// What a function of its own reads: a table, a list of tables, or a table and something else in its place.
#[derive(Debug, Clone, Copy)]
pub struct Nested<T> {
    read: fn(&mut Section, &'static str) -> Option<Spanned<T>>,
    words: &'static str,
}

/// In words, and read so.
pub const fn nested<T>(words: &'static str, read: fn(&mut Section, &'static str) -> Option<Spanned<T>>) -> Nested<T> {
    Nested { read, words }
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
}

/// The value of a key that is a table or something else; `table` also makes the table's keys known where there is none.
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

/// The same where the word `"none"` is in the table's place; `such` is one.
pub fn table_or_none<'a, T>(
    section: &mut Section<'a>,
    key: &'static str,
    table: impl Fn(Section<'a>) -> Option<T>,
    such: &'static str,
) -> Option<Spanned<Option<T>>> {
    either(section, key, |section| table(section).map(Some), leaf::none(such))
}
