//! What is learnt while an experiment is read: its faults, and the keys that exist.
//!
//! Reading never stops at a fault: it is noted, the value is `None`, and the reading goes on, so that one look at the
//! file finds all that is wrong with it.

use super::dotted::{heading, is_numbered, rank};
use super::source::{Fault, Span};
use super::traces::{Followed, Traces};
use super::value::Value;
use evidence::unit::Wrong;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use toml::Spanned;
use toml::de::DeValue;

/// Faults that are noted.
const MOST_FAULTS: usize = 1000;

/// What is learnt while reading: the faults, and the keys that exist.
#[derive(Debug)]
pub struct Reader<'a> {
    text: &'a str,
    faults: RefCell<Vec<Fault>>,
    /// The faults of each place.
    places: RefCell<HashMap<Span, Vec<usize>>>,
    known: RefCell<BTreeSet<String>>,
    elsewhere: BTreeSet<String>,
    traces: Option<&'a Traces>,
}

impl<'a> Reader<'a> {
    /// Nothing is read yet.
    pub fn new(text: &'a str) -> Reader<'a> {
        Reader {
            text,
            faults: RefCell::default(),
            places: RefCell::default(),
            known: RefCell::default(),
            elsewhere: BTreeSet::new(),
            traces: None,
        }
    }

    /// Nothing is read yet, but these keys exist, each in its section.
    pub fn knowing(text: &'a str, keys: &BTreeSet<String>) -> Reader<'a> {
        Reader { elsewhere: keys.clone(), ..Reader::new(text) }
    }

    /// With the files that lines follow.
    pub fn with_traces(self, traces: &'a Traces) -> Reader<'a> {
        Reader { traces: Some(traces), ..self }
    }

    /// A file that a line follows; `None` if nobody has looked for it.
    pub fn trace(&self, name: &str) -> Option<&'a Result<Followed, String>> {
        self.traces.and_then(|traces| traces.find(name))
    }

    /// The outermost sections in which there is a key of that name, if they are few; none of another section that is
    /// called like this one.
    pub fn sections_with(&self, name: &str, this: &str) -> Option<String> {
        let last = |section: &str| section.rsplit('.').next().map(str::to_owned);
        let sections = self.elsewhere.iter().filter_map(|key| key.rsplit_once('.')).filter(|(_, key)| *key == name);
        let sections = sections.map(|(section, _)| section).filter(|section| !is_numbered(section));
        let sections: Vec<&str> = sections.filter(|section| last(section) != last(this)).collect();
        let depth = |section: &str| section.matches('.').count();
        let outermost = sections.iter().map(|section| depth(section)).min()?;
        let mut outer: Vec<&str> = sections.into_iter().filter(|section| depth(section) == outermost).collect();
        outer.sort_by_key(|section| rank(section));
        let named: Vec<String> = outer.into_iter().map(heading).collect();
        (named.len() <= 2).then(|| named.join(" and "))
    }

    /// Whether so much is wrong that nobody reads more of it.
    pub fn is_full(&self) -> bool {
        self.faults.borrow().len() >= MOST_FAULTS
    }

    /// Notes a fault, once.
    pub fn fault(&self, span: Span, wrong: Wrong) {
        let (mut faults, mut places) = (self.faults.borrow_mut(), self.places.borrow_mut());
        let here = places.entry(span.clone()).or_default();
        if faults.len() < MOST_FAULTS && here.iter().all(|other| faults[*other].wrong != wrong) {
            here.push(faults.len());
            faults.push(Fault { span, wrong });
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

    /// A value with the text that stands for it.
    pub fn value(&'a self, value: &'a Spanned<DeValue<'a>>) -> Value<'a> {
        Value { toml: value.get_ref(), literal: self.literal(value.span()) }
    }

    /// What is written there.
    pub fn literal(&self, span: Span) -> &'a str {
        self.text.get(span).unwrap_or("")
    }

    /// Takes keys as known.
    pub fn learn(&self, keys: impl Iterator<Item = String>) {
        self.known.borrow_mut().extend(keys);
    }

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

    /// Notes a value of another type than is due.
    pub fn wrong_type(&'a self, key: &str, value: &'a Spanned<DeValue<'a>>, due: &str) {
        let _: Option<Spanned<()>> = self.parse(key, value, |value| Err(value.is_not(due)));
    }
}
