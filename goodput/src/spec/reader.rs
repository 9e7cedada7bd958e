//! Reading tables: every key that is asked for is known, and what is left over is unknown.
//!
//! Reading never stops at a fault: it is noted, the value is `None`, and the reading goes on, so that one look at the
//! file finds all that is wrong with it.

use super::source::{Fault, Span};
use crate::unit::Wrong;
use std::cell::RefCell;
use std::collections::BTreeSet;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is learnt while reading: the faults, and the keys that exist.
#[derive(Debug)]
pub struct Reader<'a> {
    text: &'a str,
    faults: RefCell<Vec<Fault>>,
    known: RefCell<BTreeSet<String>>,
    elsewhere: BTreeSet<String>,
    controls: &'a [String],
}

impl<'a> Reader<'a> {
    /// Nothing is read yet.
    pub fn new(text: &'a str) -> Reader<'a> {
        Reader {
            text,
            faults: RefCell::default(),
            known: RefCell::default(),
            elsewhere: BTreeSet::new(),
            controls: &[],
        }
    }

    /// Nothing is read yet, but these keys exist, each in its section.
    pub fn knowing(text: &'a str, keys: &BTreeSet<String>) -> Reader<'a> {
        Reader { elsewhere: keys.clone(), ..Reader::new(text) }
    }

    /// The congestion controls that the kernel has; any will do where that is not known.
    pub fn with_congestion_controls(self, controls: &'a [String]) -> Reader<'a> {
        Reader { controls, ..self }
    }

    /// The congestion controls that the kernel has; empty where that is not known.
    pub fn congestion_controls(&self) -> &'a [String] {
        self.controls
    }

    /// The section in which there is a key of that name, if there is one.
    fn section_with(&self, name: &str) -> Option<String> {
        let sections = self.elsewhere.iter().filter_map(|key| key.rsplit_once('.')).filter(|(_, key)| *key == name);
        let (section, _) = sections.min_by_key(|(section, _)| section.len())?;
        Some(if section == "flows" { format!("[[{section}]]") } else { format!("[{section}]") })
    }

    /// Notes a fault, once.
    pub fn fault(&self, span: Span, wrong: Wrong) {
        let fault = Fault { span, wrong };
        let mut faults = self.faults.borrow_mut();
        if !faults.contains(&fault) {
            faults.push(fault);
        }
    }

    /// What is wrong so far.
    pub fn faults(&self) -> Vec<Fault> {
        self.faults.borrow().clone()
    }

    /// Whether nothing is wrong so far.
    pub fn is_clean(&self) -> bool {
        self.faults.borrow().is_empty()
    }

    /// The dotted paths of all keys asked for so far, sections left out.
    pub fn known(&self) -> BTreeSet<String> {
        self.known.borrow().clone()
    }

    /// The document as a section.
    pub fn root(&'a self, document: &'a Spanned<DeTable<'a>>) -> Section<'a> {
        let table = Some(document.get_ref());
        Section {
            reader: self,
            name: "the experiment".into(),
            path: String::new(),
            span: 0..0,
            table,
            asked: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// A value with the text that stands for it.
    pub fn value(&'a self, value: &'a Spanned<DeValue<'a>>) -> Value<'a> {
        Value { toml: value.get_ref(), literal: self.literal(value.span()) }
    }

    /// What is written there.
    pub fn literal(&self, span: Span) -> &'a str {
        self.text.get(span).unwrap_or("")
    }
}

/// A value and how it is written.
#[derive(Debug, Clone, Copy)]
pub struct Value<'a> {
    /// What TOML makes of it.
    pub toml: &'a DeValue<'a>,
    literal: &'a str,
}

impl Value<'_> {
    /// The value as a report shows it: a string's content, anything else as it is written.
    pub fn plain(&self) -> String {
        self.toml.as_str().unwrap_or(self.literal).to_owned()
    }

    /// How TOML calls it, with its article.
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

    /// The fault of a value of another type than is due.
    pub fn is_not(&self, due: &str) -> Wrong {
        Wrong::new(format!("is {}", self.noun())).accepted(due)
    }

    /// The value as an error's headline shows it, after a space; nothing for what would not fit there.
    fn shown(&self) -> String {
        match self.toml {
            DeValue::String(text) if text.chars().count() <= 60 => format!(" \"{text}\""),
            DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) => format!(" {}", self.literal),
            _ => String::new(),
        }
    }
}

/// A table that is being read.
#[derive(Debug)]
pub struct Section<'a> {
    reader: &'a Reader<'a>,
    name: String,
    path: String,
    /// Where the table stands.
    pub span: Span,
    table: Option<&'a DeTable<'a>>,
    asked: Vec<&'static str>,
    missing: Vec<(&'static str, Wrong)>,
}

/// A key of a table whose keys are free, and its value.
pub type Entry<'a> = (&'a Spanned<std::borrow::Cow<'a, str>>, &'a Spanned<DeValue<'a>>);

impl<'a> Section<'a> {
    /// The value of `key`, if it is there and `parse` takes it.
    pub fn optional<T>(
        &mut self,
        key: &'static str,
        parse: impl FnOnce(&Value) -> Result<T, Wrong>,
    ) -> Option<Spanned<T>> {
        self.reader.known.borrow_mut().insert(self.dotted(key));
        let found = self.get(key)?;
        let path = self.dotted(key);
        let several =
            |wrong: Wrong| wrong.hint(format!("to sweep over several values, list them under [vary] as \"{path}\""));
        let listed = found.get_ref().is_array() && super::sweep::may_vary(&path);
        self.reader.parse(key, found, |value| parse(value).map_err(|wrong| if listed { several(wrong) } else { wrong }))
    }

    /// As [`Section::optional`]; if the key is missing, `why` says what is wrong with that.
    pub fn required<T>(
        &mut self,
        key: &'static str,
        why: impl FnOnce(Wrong) -> Wrong,
        parse: impl FnOnce(&Value) -> Result<T, Wrong>,
    ) -> Option<Spanned<T>> {
        if self.get(key).is_none() && self.is_there() {
            let wrong = Wrong::new(format!("{} has no {key}", self.name));
            self.missing.push((key, why(wrong)));
        }
        self.optional(key, parse)
    }

    /// Whether `key` is there and holds a table.
    pub fn holds_table(&mut self, key: &'static str) -> bool {
        self.reader.known.borrow_mut().insert(self.dotted(key));
        self.get(key).is_some_and(|value| value.get_ref().is_table())
    }

    /// The table under `key`; an empty one if there is none.
    pub fn section(&mut self, key: &'static str) -> Section<'a> {
        let path = self.dotted(key);
        let found = self.get(key);
        let table = found.and_then(|value| value.get_ref().as_table());
        if let Some(value) = found.filter(|_| table.is_none()) {
            self.reader.wrong_type(key, value, &format!("[{path}] on a line of its own, its keys below it"));
        }
        let span = found.map_or(self.span.clone(), Spanned::span);
        Section {
            reader: self.reader,
            name: format!("[{path}]"),
            path,
            span,
            table,
            asked: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// The tables of the list under `key`, such as `[[flows]]`.
    pub fn sections(&mut self, key: &'static str) -> Vec<Section<'a>> {
        let path = self.dotted(key);
        let due = format!("[[{path}]] on a line of its own, its keys below it");
        let Some(found) = self.get(key) else { return Vec::new() };
        let Some(list) = found.get_ref().as_array() else {
            self.reader.wrong_type(key, found, &due);
            return Vec::new();
        };
        let section = |value: &'a Spanned<DeValue<'a>>| {
            let table = value.get_ref().as_table();
            if table.is_none() {
                self.reader.wrong_type(key, value, &due);
            }
            let (name, path) = (format!("[[{path}]]"), path.clone());
            Section {
                reader: self.reader,
                name,
                path,
                span: value.span(),
                table,
                asked: Vec::new(),
                missing: Vec::new(),
            }
        };
        list.iter().map(section).collect()
    }

    /// The entries of a table whose keys are free, in the order in which they are written.
    pub fn entries(&self) -> Vec<Entry<'a>> {
        let mut entries: Vec<Entry> = self.table.into_iter().flatten().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        entries
    }

    /// The entries of a table whose keys are dotted names in quotes. Without the quotes TOML sees nested tables.
    pub fn dotted_entries(&self) -> Vec<(String, Span, &'a Spanned<DeValue<'a>>)> {
        let mut entries = Vec::new();
        for (key, value) in self.entries() {
            let name = key.get_ref().to_string();
            match unquoted(&name, value).filter(|_| !name.contains('.')) {
                None => entries.push((name, key.span(), value)),
                Some(dotted) => {
                    let wrong = Wrong::new(format!("{name} is a table"));
                    self.reader.fault(key.span(), wrong.hint(format!("put the whole key in quotes: \"{dotted}\"")));
                }
            }
        }
        entries
    }

    /// A section that is not written; reading it makes its keys known.
    pub fn nowhere(&self, key: &str) -> Section<'a> {
        let (name, path) = (format!("[[{key}]]"), self.dotted(key));
        Section {
            reader: self.reader,
            name,
            path,
            span: self.span.clone(),
            table: None,
            asked: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// Takes keys as known that another reading asks for.
    pub fn leave(&mut self, keys: &[&'static str]) {
        self.asked.extend(keys);
    }

    /// Who reads it.
    pub fn reader(&self) -> &'a Reader<'a> {
        self.reader
    }

    /// Whether `key` is written, whatever its value.
    pub fn has(&self, key: &str) -> bool {
        self.table.is_some_and(|table| table.contains_key(key))
    }

    /// Whether the table is written.
    pub fn is_there(&self) -> bool {
        self.table.is_some()
    }

    /// Notes a fault of the table as a whole.
    pub fn fault(&self, wrong: Wrong) {
        self.reader.fault(self.span.clone(), wrong);
    }

    /// Notes the keys that are missing, and those that nothing asked for; a key misspelt is not missing as well.
    pub fn finish(mut self) {
        for (key, _) in self.entries() {
            let name: &str = key.get_ref();
            if !self.asked.contains(&name) {
                let wrong = Wrong::new(format!("{} has no key \"{name}\"", self.name));
                let meant = closest(name, self.asked.iter().copied());
                self.missing.retain(|(missing, _)| Some(*missing) != meant);
                let wrong = match (self.reader.section_with(name), meant) {
                    (Some(section), _) => wrong.hint(format!("{name} is a key of {section}")),
                    (None, Some(meant)) => wrong.hint(format!("write {meant}")),
                    (None, None) => wrong.accepted(self.asked.join(", ")),
                };
                self.reader.fault(key.span(), wrong);
            }
        }
        for (_, wrong) in self.missing {
            self.reader.fault(self.span.clone(), wrong);
        }
    }

    fn get(&mut self, key: &'static str) -> Option<&'a Spanned<DeValue<'a>>> {
        if !self.asked.contains(&key) {
            self.asked.push(key);
        }
        self.table.and_then(|table| table.get(key))
    }

    fn dotted(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }
}

impl<'a> Reader<'a> {
    /// The value of `key` as `parse` understands it, its place kept; a fault if it does not.
    pub fn parse<T>(
        &'a self,
        key: &str,
        found: &'a Spanned<DeValue<'a>>,
        parse: impl FnOnce(&Value) -> Result<T, Wrong>,
    ) -> Option<Spanned<T>> {
        let value = self.value(found);
        match parse(&value) {
            Ok(parsed) => Some(Spanned::new(found.span(), parsed)),
            Err(wrong) => {
                let what = format!("{key}{} {}", value.shown(), wrong.what);
                self.fault(found.span(), Wrong { what, ..wrong });
                None
            }
        }
    }

    fn wrong_type(&'a self, key: &str, value: &'a Spanned<DeValue<'a>>, due: &str) {
        let _: Option<Spanned<()>> = self.parse(key, value, |value| Err(value.is_not(due)));
    }
}

/// The name that was meant by nested tables.
fn unquoted(name: &str, value: &Spanned<DeValue>) -> Option<String> {
    let (key, value) = value.get_ref().as_table()?.iter().next()?;
    let dotted = format!("{name}.{}", key.get_ref());
    Some(unquoted(&dotted, value).unwrap_or(dotted))
}

/// Adds the closest of the names as a hint, or all of them as what is accepted.
pub fn suggest<'n>(wrong: Wrong, name: &str, names: impl Iterator<Item = &'n str> + Clone) -> Wrong {
    match closest(name, names.clone()) {
        Some(meant) => wrong.hint(format!("write \"{meant}\"")),
        None => wrong.accepted(names.collect::<Vec<_>>().join(", ")),
    }
}

/// The name that was probably meant.
pub fn closest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let (edits, meant) = names.map(|other| (distance(name, other), other)).min()?;
    let last = name.rsplit('.').next().unwrap_or(name);
    (edits <= 1 + last.chars().count() / 4).then_some(meant)
}

/// Edit distance (Levenshtein), letter case aside.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.to_lowercase().chars().take(100).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &y) in b.iter().enumerate() {
            let cheapest = (row[j].min(row[j + 1]) + 1).min(diagonal + usize::from(x != y));
            diagonal = std::mem::replace(&mut row[j + 1], cheapest);
        }
    }
    row[b.len()]
}
