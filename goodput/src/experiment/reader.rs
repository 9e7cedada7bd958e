//! Reading tables: every key that is asked for is known, and what is left over is unknown.
//!
//! Reading never stops at a fault: it is noted, the value is `None`, and the reading goes on, so that one look at the
//! file finds all that is wrong with it.

use super::source::{Fault, Span};
use evidence::unit::Wrong;
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
}

impl<'a> Reader<'a> {
    /// Nothing is read yet.
    pub fn new(text: &'a str) -> Reader<'a> {
        Reader { text, faults: RefCell::default(), known: RefCell::default(), elsewhere: BTreeSet::new() }
    }

    /// Nothing is read yet, but these keys exist, each in its section.
    pub fn knowing(text: &'a str, keys: &BTreeSet<String>) -> Reader<'a> {
        Reader { elsewhere: keys.clone(), ..Reader::new(text) }
    }

    /// The outermost sections in which there is a key of that name, if they are few; none of another section that is
    /// called like this one.
    fn sections_with(&self, name: &str, this: &str) -> Option<String> {
        let last = |section: &str| section.rsplit('.').next().map(str::to_owned);
        let sections = self.elsewhere.iter().filter_map(|key| key.rsplit_once('.')).filter(|(_, key)| *key == name);
        let sections = sections.map(|(section, _)| section).filter(|section| !is_numbered(section));
        let sections: Vec<&str> = sections.filter(|section| last(section) != last(this)).collect();
        let depth = |section: &str| section.matches('.').count();
        let outermost = sections.iter().map(|section| depth(section)).min()?;
        let mut outer: Vec<&str> = sections.into_iter().filter(|section| depth(section) == outermost).collect();
        outer.sort_by_key(|section| super::sweep::rank(section));
        let named: Vec<String> = outer.into_iter().map(heading).collect();
        (named.len() <= 2).then(|| named.join(" and "))
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
        Section {
            reader: self,
            name: "the experiment".into(),
            paths: vec![String::new()],
            span: 0..0,
            table: Some(document.get_ref()),
            asked: Vec::new(),
            dismissed: Vec::new(),
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
    /// The value as a report shows it: a string's content, a list's or table's in words, anything else as it is written.
    pub fn plain(&self) -> String {
        match self.toml {
            DeValue::String(_) | DeValue::Array(_) | DeValue::Table(_) => words(self.toml),
            _ => self.literal.to_owned(),
        }
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

/// Lists of tables: `[[flows]]`, and those within.
pub const LISTS: &[&str] = &["flows", "links", "tunnels", "expect", "published", "changes", "outages", "run"];

/// The section of that path as it is headed.
pub fn heading(path: &str) -> String {
    let list = LISTS.contains(&path.rsplit('.').next().unwrap_or(path));
    if list { format!("[[{path}]]") } else { format!("[{path}]") }
}

/// Whether one of several tables is meant, such as `links.1`.
pub fn is_numbered(path: &str) -> bool {
    path.split('.').any(|key| !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit()))
}

/// A table that is being read.
#[derive(Debug)]
pub struct Section<'a> {
    reader: &'a Reader<'a>,
    name: String,
    /// Under which paths its keys are known: that of the section, then those with the number of a table in a list.
    paths: Vec<String>,
    /// Where the table stands.
    pub span: Span,
    table: Option<&'a DeTable<'a>>,
    asked: Vec<&'a str>,
    /// What is written and is none of its keys, and yet no fault.
    dismissed: Vec<&'a str>,
    missing: Vec<(&'static str, Wrong)>,
}

/// An element of a list.
#[derive(Debug)]
pub struct Item<'a> {
    /// The element.
    pub value: &'a Spanned<DeValue<'a>>,
    /// The element as a table; not there if it is none.
    pub section: Section<'a>,
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
        let found = self.ask(key)?;
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
        if !self.has(key) {
            self.lack(key, why);
        }
        self.optional(key, parse)
    }

    /// Notes that `key` is missing, unless it turns out to be misspelt; `why` says what is wrong with that.
    pub fn lack(&mut self, key: &'static str, why: impl FnOnce(Wrong) -> Wrong) {
        if self.is_there() {
            self.missing.push((key, why(Wrong::new(format!("{} has no {key}", self.name)))));
        }
    }

    /// Takes what is written under `key` as dealt with: it is not a key of this table.
    pub fn dismiss(&mut self, key: &'a str) {
        self.asked.retain(|asked| *asked != key);
        self.dismissed.push(key);
    }

    /// Whether `key` is there and holds a table.
    pub fn holds_table(&mut self, key: &'static str) -> bool {
        self.ask(key).is_some_and(|value| value.get_ref().is_table())
    }

    /// The table under `key`; an empty one if there is none.
    pub fn section(&mut self, key: &'a str) -> Section<'a> {
        let found = self.ask(key);
        let below = self.below(key, None);
        if let Some(value) = found.filter(|value| !value.get_ref().is_table()) {
            let due = match self.path() {
                "" => format!("{} on a line of its own, its keys below it", below.name),
                _ => format!("{}, or a table in braces", below.name),
            };
            self.reader.wrong_type(key, value, &due);
        }
        below.holding(found)
    }

    /// The tables of the list under `key`, such as `[[flows]]`.
    pub fn sections(&mut self, key: &'static str) -> Vec<Section<'a>> {
        let due = match self.path() {
            "" => format!("{} on a line of its own, its keys below it", heading(&self.dotted(key))),
            _ => "a list of tables: [{ … }, { … }]".to_owned(),
        };
        let of_each = if self.path().is_empty() { due.as_str() } else { "a table in braces" };
        let (tables, others): (Vec<_>, Vec<_>) =
            self.items(key, &due).unwrap_or_default().into_iter().partition(|item| item.section.is_there());
        others.iter().for_each(|item| self.reader.wrong_type(key, item.value, of_each));
        tables.into_iter().map(|item| item.section).collect()
    }

    /// The elements of the list under `key`; `due` says what such a list is.
    pub fn items(&mut self, key: &'static str, due: &str) -> Option<Vec<Item<'a>>> {
        let found = self.ask(key)?;
        let Some(list) = found.get_ref().as_array() else {
            self.reader.wrong_type(key, found, due);
            return None;
        };
        let item = |(number, value): (usize, &'a Spanned<DeValue<'a>>)| Item {
            value,
            section: self.below(key, Some(number)).holding(Some(value)),
        };
        Some(list.iter().enumerate().map(item).collect())
    }

    /// The values of the list under `key`; `None` if one of them is none that `parse` takes.
    pub fn list<T>(
        &mut self,
        key: &'static str,
        due: &str,
        parse: impl Fn(&Value) -> Result<T, Wrong>,
    ) -> Option<Spanned<Vec<Spanned<T>>>> {
        let items = self.items(key, due)?;
        let span = self.table?.get(key)?.span();
        let values: Vec<Option<Spanned<T>>> =
            items.iter().map(|item| self.reader.parse(key, item.value, &parse)).collect();
        Some(Spanned::new(span, values.into_iter().collect::<Option<_>>()?))
    }

    /// The tables whose keys are names of the author's own, in the order in which they are written: those that are not
    /// asked for yet, so that this comes last.
    pub fn named(&mut self) -> Vec<(Spanned<String>, Section<'a>)> {
        let mut sections = Vec::new();
        for (key, value) in self.entries() {
            let name: &'a str = key.get_ref();
            if value.get_ref().is_table() && !self.asked.contains(&name) {
                self.ask(name);
                self.dismiss(name);
                let section = self.below(name, None).holding(Some(value));
                sections.push((Spanned::new(key.span(), name.to_owned()), section));
            }
        }
        sections
    }

    /// The entries of a table whose keys are free, in the order in which they are written.
    pub fn entries(&self) -> Vec<Entry<'a>> {
        let mut entries: Vec<Entry> = self.table.into_iter().flatten().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        entries
    }

    /// The entries of a table whose keys are dotted names in quotes.
    pub fn dotted_entries(&self) -> Vec<(String, Span, &'a Spanned<DeValue<'a>>)> {
        self.entries().into_iter().filter_map(|(key, value)| self.dotted_entry(key, value)).collect()
    }

    /// An entry whose key is a dotted name in quotes. Without the quotes TOML sees nested tables.
    pub fn dotted_entry(
        &self,
        key: &Spanned<std::borrow::Cow<'a, str>>,
        value: &'a Spanned<DeValue<'a>>,
    ) -> Option<(String, Span, &'a Spanned<DeValue<'a>>)> {
        let name = key.get_ref().to_string();
        let Some(dotted) = unquoted(&name, value).filter(|_| !name.contains('.')) else {
            return Some((name, key.span(), value));
        };
        let wrong = Wrong::new(format!("{name} is a table"));
        self.reader.fault(key.span(), wrong.hint(format!("put the whole key in quotes: \"{dotted}\"")));
        None
    }

    /// The table under `key`, whose keys are the author's own.
    pub fn held(&self, key: &'a str) -> Section<'a> {
        self.below(key, None).holding(self.table.and_then(|table| table.get(key)))
    }

    /// A section that is not written; reading it makes its keys known.
    pub fn nowhere(&self, key: &'a str) -> Section<'a> {
        self.below(key, None)
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

    /// Whether `key` is there and holds anything but an empty list.
    pub fn has_some(&self, key: &str) -> bool {
        let value = self.table.and_then(|table| table.get(key));
        value.is_some_and(|value| value.get_ref().as_array().is_none_or(|list| !list.is_empty()))
    }

    /// Whether the table is written.
    pub fn is_there(&self) -> bool {
        self.table.is_some()
    }

    /// What it is called in errors: `[path]`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where `key` is written, or else the table.
    pub fn place(&self, key: &str) -> Span {
        let entry = self.table.and_then(|table| table.get_key_value(key));
        entry.map_or(self.span.clone(), |(key, _)| key.span())
    }

    /// Notes a fault of the table as a whole.
    pub fn fault(&self, wrong: Wrong) {
        self.reader.fault(self.span.clone(), wrong);
    }

    /// Notes the keys that are missing, and those that nothing asked for; a key misspelt is not missing as well.
    pub fn finish(mut self) {
        for (key, _) in self.entries() {
            let name: &str = key.get_ref();
            if !self.asked.contains(&name) && !self.dismissed.contains(&name) {
                let wrong = Wrong::new(format!("{} has no key \"{name}\"", self.name));
                let meant = closest(name, self.asked.iter().copied());
                self.missing.retain(|(missing, _)| Some(*missing) != meant);
                let other = OTHER_NAMES.iter().find(|(path, key, _)| *path == self.path() && *key == name);
                let wrong = match (self.reader.sections_with(name, self.path()), meant) {
                    _ if other.is_some() => wrong.hint(other.map_or("", |(_, _, hint)| hint)),
                    (Some(sections), _) => wrong.hint(format!("{name} is a key of {sections}")),
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

    /// The value of `key`, which is known from now on.
    fn ask(&mut self, key: &'a str) -> Option<&'a Spanned<DeValue<'a>>> {
        if !self.asked.contains(&key) && !self.dismissed.contains(&key) {
            self.asked.push(key);
        }
        let mut known = self.reader.known.borrow_mut();
        known.extend(self.paths.iter().map(|path| below(path, key)));
        self.table.filter(|_| !self.dismissed.contains(&key)).and_then(|table| table.get(key))
    }

    /// Its path without numbers.
    fn path(&self) -> &str {
        self.paths.first().map_or("", String::as_str)
    }

    fn dotted(&self, key: &str) -> String {
        below(self.path(), key)
    }

    /// The section under `key`, or the table of that number in the list there; nothing is in it yet.
    fn below(&self, key: &'a str, number: Option<usize>) -> Section<'a> {
        let plain = self.paths.iter().map(|path| below(path, key));
        let numbered = self.paths.iter().filter_map(|path| Some(format!("{}.{}", below(path, key), number?)));
        Section {
            reader: self.reader,
            name: heading(&self.dotted(key)),
            paths: plain.chain(numbered).collect(),
            span: self.span.clone(),
            table: None,
            asked: Vec::new(),
            dismissed: Vec::new(),
            missing: Vec::new(),
        }
    }

    fn holding(self, found: Option<&'a Spanned<DeValue<'a>>>) -> Section<'a> {
        let span = found.map_or(self.span.clone(), Spanned::span);
        Section { span, table: found.and_then(|value| value.get_ref().as_table()), ..self }
    }
}

/// Keys that are called otherwise: section, key, what to do.
const OTHER_NAMES: &[(&str, &str, &str)] = &[
    ("path", "delay", "write rtt, the delay there and back"),
    ("hosts", "run", "write run for one host: under [hosts.NAME]"),
    ("links", "rtt", "write delay, which is each way: half of the round-trip time"),
];

fn below(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
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

/// `["tso", "gso"]` is "tso, gso", `[]` is "none", `{ every = 100 }` is "every 100".
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
    let length = last.chars().count();
    (edits <= 1 + length / 4 && edits < length).then_some(meant)
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
