//! Types of values: words from a list, and words in place of a value.

use crate::key::{Leaf, Shown, Trial};
use crate::leaf;
use crate::value::Value;
use evidence::unit::Wrong;
use serde_json::{Value as Json, json};

/// One word from a list; each has a meaning.
#[derive(Debug, Clone, Copy)]
pub struct Words<T: 'static>(pub &'static [(&'static str, T)]);

impl<T: Copy> Leaf for Words<T> {
    type Value = T;

    fn parse(&self, value: &Value) -> Result<T, Wrong> {
        leaf::word(self.0)(value)
    }

    fn words(&self) -> String {
        let words: Vec<String> = self.0.iter().map(|(word, _)| format!("`\"{word}\"`")).collect();
        match &words[..] {
            [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            _ => words.join(""),
        }
    }

    fn trials(&self) -> Vec<Trial> {
        let words = self.0.iter().map(|(word, _)| Trial::good(format!("\"{word}\"")));
        words.chain([Trial::bad("\"zzzzzzzz\"", "is unknown"), Trial::bad("1", "is a number")]).collect()
    }

    fn schema(&self) -> Json {
        json!({ "enum": self.0.iter().map(|(word, _)| *word).collect::<Vec<_>>() })
    }
}

impl<T: Copy + PartialEq> Shown for Words<T> {
    fn show(&self, value: &T) -> String {
        self.0.iter().find(|(_, meaning)| meaning == value).map_or("", |(word, _)| word).to_owned()
    }
}

/// `true` or `false`.
#[derive(Debug, Clone, Copy)]
pub struct Boolean;

impl Leaf for Boolean {
    type Value = bool;

    fn parse(&self, value: &Value) -> Result<bool, Wrong> {
        value.toml.as_bool().ok_or_else(|| {
            let wrong = value.is_not("true or false, without quotes");
            match value.plain().to_lowercase().as_str() {
                "true" | "on" | "yes" | "1" => wrong.hint("write true"),
                "false" | "off" | "no" | "0" => wrong.hint("write false"),
                _ => wrong,
            }
        })
    }

    fn words(&self) -> String {
        "true or false".to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        vec![
            Trial::good("true"),
            Trial::good("false"),
            Trial::bad("\"true\"", "is a string"),
            Trial::bad("1", "is a number"),
        ]
    }
}

impl Shown for Boolean {
    fn show(&self, value: &bool) -> String {
        value.to_string()
    }
}

/// A value, or the meaning of a word in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Either<V, W> {
    Value(V),
    Word(W),
}

/// A value, or one of some words.
#[derive(Debug, Clone, Copy)]
pub struct OrWords<T, W: 'static>(pub T, pub &'static [(&'static str, W)]);

impl<T: Leaf, W: Copy> Leaf for OrWords<T, W> {
    type Value = Either<T::Value, W>;

    fn parse(&self, value: &Value) -> Result<Either<T::Value, W>, Wrong> {
        match value.toml.as_str() {
            Some(_) => leaf::word(self.1)(value).map(Either::Word),
            None => self.0.parse(value).map(Either::Value),
        }
    }

    fn words(&self) -> String {
        format!("{}, or {}", Leaf::words(&self.0), Leaf::words(&Words(self.1)))
    }

    fn trials(&self) -> Vec<Trial> {
        let values = Leaf::trials(&self.0).into_iter().filter(|trial| !trial.toml.starts_with('"'));
        values.chain(Leaf::trials(&Words(self.1)).into_iter().filter(|trial| trial.toml.starts_with('"'))).collect()
    }
}

/// A value, or a word in its place that stands for `None`.
#[derive(Debug, Clone, Copy)]
pub struct Or<T>(pub &'static str, pub T);

impl<T: Leaf> Leaf for Or<T> {
    type Value = Option<T::Value>;

    fn parse(&self, value: &Value) -> Result<Option<T::Value>, Wrong> {
        match value.toml.as_str() {
            Some(word) if word == self.0 => Ok(None),
            _ => self.1.parse(value).map(Some).map_err(|wrong| leaf::or_word(wrong, self.0)),
        }
    }

    fn words(&self) -> String {
        format!("{}, or `\"{}\"`", Leaf::words(&self.1), self.0)
    }

    fn trials(&self) -> Vec<Trial> {
        let mut trials = Leaf::trials(&self.1);
        trials.push(Trial::good(format!("\"{}\"", self.0)));
        trials
    }
}

impl<T: Leaf + Shown<Value = <T as Leaf>::Value>> Shown for Or<T> {
    fn show(&self, value: &Option<<T as Leaf>::Value>) -> String {
        value.as_ref().map_or(self.0.to_owned(), |value| self.1.show(value))
    }
}
