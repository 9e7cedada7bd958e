//! Reads a TOML table: every key that is asked for is known, and any other key in it is a fault.

use super::dotted::{below, heading, may_vary};
use super::reader::Reader;
use super::source::Span;
use super::value::Value;
use base::suggest::closest;
use evidence::unit::Wrong;
use std::collections::HashSet;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A table that is being read.
#[derive(Debug)]
pub struct Section<'a> {
    reader: &'a Reader<'a>,
    name: String,
    /// Paths under which its keys are known: the section's, and in a list also the one with the table's number.
    paths: Vec<String>,
    /// Position of the table.
    pub span: Span,
    table: Option<&'a DeTable<'a>>,
    asked: Vec<&'a str>,
    /// Keys that are written and do not belong here, but were dealt with.
    dismissed: HashSet<&'a str>,
    /// Missing keys: any one of each list would do.
    missing: Vec<(Vec<&'static str>, Wrong)>,
}

/// An element of a list.
#[derive(Debug)]
pub struct Item<'a> {
    pub value: &'a Spanned<DeValue<'a>>,
    /// The element as a table; absent if it is not one.
    pub section: Section<'a>,
}

/// A key and value of a table whose keys the author chooses.
pub type Entry<'a> = (&'a Spanned<std::borrow::Cow<'a, str>>, &'a Spanned<DeValue<'a>>);

impl<'a> Section<'a> {
    /// Returns the document as a section.
    pub fn root(reader: &'a Reader<'a>, document: &'a Spanned<DeTable<'a>>) -> Section<'a> {
        Section {
            reader,
            name: "the experiment".into(),
            paths: vec![String::new()],
            span: 0..0,
            table: Some(document.get_ref()),
            asked: Vec::new(),
            dismissed: HashSet::new(),
            missing: Vec::new(),
        }
    }

    /// Reads the value of `key`, if it is there and `parse` accepts it.
    pub fn optional<T>(
        &mut self,
        key: &'static str,
        parse: impl FnOnce(&Value) -> Result<T, Wrong>,
    ) -> Option<Spanned<T>> {
        let found = self.ask(key)?;
        let path = self.dotted(key);
        let several =
            |wrong: Wrong| wrong.hint(format!("to sweep over several values, list them under [vary] as \"{path}\""));
        let listed = found.get_ref().is_array() && may_vary(&path);
        self.reader.parse(key, found, |value| parse(value).map_err(|wrong| if listed { several(wrong) } else { wrong }))
    }

    /// Notes that `key` is missing, unless it turns out to be misspelt; `why` completes the error.
    pub fn lack(&mut self, key: &'static str, why: impl FnOnce(Wrong) -> Wrong) {
        if self.is_there() {
            self.missing.push((vec![key], why(Wrong::new(format!("{} has no {key}", self.name)))));
        }
    }

    /// Notes that all of these keys are missing, unless one turns out to be misspelt.
    pub fn lack_any(&mut self, keys: &[&'static str], wrong: Wrong) {
        if self.is_there() {
            self.missing.push((keys.to_vec(), wrong));
        }
    }

    /// Ignores the value under `key`, and no longer lists it as a key of this table.
    pub fn dismiss(&mut self, key: &'a str) {
        self.asked.retain(|asked| *asked != key);
        self.dismissed.insert(key);
    }

    /// True if `key` is there and holds a table.
    pub fn holds_table(&mut self, key: &'static str) -> bool {
        self.ask(key).is_some_and(|value| value.get_ref().is_table())
    }

    /// True if `key` is there and holds text.
    pub fn holds_text(&mut self, key: &'static str) -> bool {
        self.ask(key).is_some_and(|value| value.get_ref().is_str())
    }

    /// Returns the table under `key`; an empty one if there is none.
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

    /// Returns the tables of the list under `key`, such as `[[flows]]`.
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

    /// Returns the elements of the list under `key`; errors describe the list by `due`.
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

    /// Parses the values of the list under `key`; `None` if `parse` refuses one of them.
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

    /// Returns the tables whose names the author chooses, in the order written. Call it last: it returns all that no
    /// one has asked for.
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

    /// Returns the entries of a table whose keys the author chooses, in the order written.
    pub fn entries(&self) -> Vec<Entry<'a>> {
        let mut entries: Vec<Entry> = self.table.into_iter().flatten().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        entries
    }

    /// Returns the entries of a table whose keys are dotted names in quotes.
    pub fn dotted_entries(&self) -> Vec<(String, Span, &'a Spanned<DeValue<'a>>)> {
        self.entries().into_iter().filter_map(|(key, value)| self.dotted_entry(key, value)).collect()
    }

    /// Returns an entry whose key is a dotted name in quotes. Without quotes, TOML reads it as nested tables, which is
    /// a fault.
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

    /// Returns the table under `key`, whose keys the author chooses.
    pub fn held(&self, key: &'a str) -> Section<'a> {
        self.below(key, None).holding(self.table.and_then(|table| table.get(key)))
    }

    /// Returns an absent section. Reading it makes its keys known.
    pub fn nowhere(&self, key: &'a str) -> Section<'a> {
        self.below(key, None)
    }

    /// Marks keys that another pass reads.
    pub fn leave(&mut self, keys: &[&'static str]) {
        self.asked.extend(keys);
    }

    pub fn reader(&self) -> &'a Reader<'a> {
        self.reader
    }

    /// True if `key` is written, with any value.
    pub fn has(&self, key: &str) -> bool {
        self.table.is_some_and(|table| table.contains_key(key))
    }

    /// True if `key` is there and holds anything but an empty list.
    pub fn has_some(&self, key: &str) -> bool {
        let value = self.table.and_then(|table| table.get(key));
        value.is_some_and(|value| value.get_ref().as_array().is_none_or(|list| !list.is_empty()))
    }

    /// True if the table is written.
    pub fn is_there(&self) -> bool {
        self.table.is_some()
    }

    /// Returns its name for errors, such as `[path]`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the position of `key`, or else that of the table.
    pub fn place(&self, key: &str) -> Span {
        let entry = self.table.and_then(|table| table.get_key_value(key));
        entry.map_or(self.span.clone(), |(key, _)| key.span())
    }

    /// Notes a fault of the whole table.
    pub fn fault(&self, wrong: Wrong) {
        self.reader.fault(self.span.clone(), wrong);
    }

    /// Reports missing keys and unknown keys. A misspelt key is not reported as missing too.
    pub fn finish(mut self) {
        for (key, _) in self.entries() {
            if self.reader.is_full() {
                return;
            }
            let name: &str = key.get_ref();
            if !self.asked.contains(&name) && !self.dismissed.contains(name) {
                let wrong = Wrong::new(format!("{} has no key \"{name}\"", self.name));
                let meant = closest(name, self.asked.iter().copied());
                self.missing.retain(|(missing, _)| !missing.iter().any(|key| Some(*key) == meant));
                let other = OTHER_NAMES.iter().find(|(path, key, _)| *path == self.path() && *key == name);
                let wrong = match (self.reader.sections_with(name, self.path()), meant) {
                    _ if other.is_some() => wrong.hint(other.map_or("", |(_, _, hint)| hint)),
                    (Some(sections), _) => wrong.hint(format!("{name} is a key of {sections}")),
                    (None, Some(meant)) => wrong.hint(format!("write {meant}")),
                    (None, None) if self.asked.contains(&"sysctl") && name.starts_with(TCP_SYSCTL_PREFIX) => {
                        wrong.hint(UNDER_SYSCTL_HINT)
                    }
                    (None, None) => wrong.accepted(self.asked.join(", ")),
                };
                self.reader.fault(key.span(), wrong);
            }
        }
        for (_, wrong) in self.missing {
            self.reader.fault(self.span.clone(), wrong);
        }
    }

    /// Returns the value of `key`, and makes the key known.
    fn ask(&mut self, key: &'a str) -> Option<&'a Spanned<DeValue<'a>>> {
        if !self.asked.contains(&key) && !self.dismissed.contains(key) {
            self.asked.push(key);
        }
        self.reader.learn(self.paths.iter().map(|path| below(path, key)));
        self.table.filter(|_| !self.dismissed.contains(key)).and_then(|table| table.get(key))
    }

    /// Returns its path without numbers.
    fn path(&self) -> &str {
        self.paths.first().map_or("", String::as_str)
    }

    fn dotted(&self, key: &str) -> String {
        below(self.path(), key)
    }

    /// Returns an absent section under `key`; with `number`, that table of the list.
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
            dismissed: HashSet::new(),
            missing: Vec::new(),
        }
    }

    fn holding(self, found: Option<&'a Spanned<DeValue<'a>>>) -> Section<'a> {
        let span = found.map_or(self.span.clone(), Spanned::span);
        Section { span, table: found.and_then(|value| value.get_ref().as_table()), ..self }
    }
}

/// Keys with another name here: section, key, what to do.
const OTHER_NAMES: &[(&str, &str, &str)] = &[
    ("path", "delay", "write rtt, the delay of both directions together"),
    ("hosts", "run", "write run for one host: under [hosts.NAME]"),
    ("links", "rtt", "write delay, which is per direction: half of the RTT"),
];

/// Prefix of the kernel's TCP settings, without net.ipv4.
const TCP_SYSCTL_PREFIX: &str = "tcp_";
const UNDER_SYSCTL_HINT: &str =
    "a setting of the kernel stands under sysctl, as in sysctl = { \"net.ipv4.tcp_rmem\" = \"4096 131072 6291456\" }";

/// Rebuilds the dotted name that nested tables were meant to be.
fn unquoted(name: &str, value: &Spanned<DeValue>) -> Option<String> {
    let (key, value) = value.get_ref().as_table()?.iter().next()?;
    let dotted = format!("{name}.{}", key.get_ref());
    Some(unquoted(&dotted, value).unwrap_or(dotted))
}
