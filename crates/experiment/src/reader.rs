//! Collects faults and known keys while an experiment is read.
//!
//! Reading never stops at a fault. The fault is noted, the value is `None`, and reading continues, so that one pass
//! finds every fault in the file.

use super::dotted::{heading, is_numbered, rank};
use super::source::{Fault, Span};
use super::traces::{Followed, Traces};
use super::value::Value;
use evidence::unit::Wrong;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use toml::Spanned;
use toml::de::DeValue;

/// Most faults that are kept.
const MOST_FAULTS: usize = 1000;

/// Faults and known keys so far.
#[derive(Debug)]
pub struct Reader<'a> {
    text: &'a str,
    faults: RefCell<Vec<Fault>>,
    /// Indices of the faults at each position.
    places: RefCell<HashMap<Span, Vec<usize>>>,
    known: RefCell<BTreeSet<String>>,
    elsewhere: BTreeSet<String>,
    traces: Option<&'a Traces>,
}

impl<'a> Reader<'a> {
    /// Returns a reader of this text.
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

    /// Returns a reader that also knows these keys, given with their sections, for its hints.
    pub fn knowing(text: &'a str, keys: &BTreeSet<String>) -> Reader<'a> {
        Reader { elsewhere: keys.clone(), ..Reader::new(text) }
    }

    /// Adds the trace files.
    pub fn with_traces(self, traces: &'a Traces) -> Reader<'a> {
        Reader { traces: Some(traces), ..self }
    }

    /// Returns a trace file; `None` if nobody has read it.
    pub fn trace(&self, name: &str) -> Option<&'a Result<Followed, String>> {
        self.traces.and_then(|traces| traces.find(name))
    }

    /// Names the outermost sections that have a key of this name, unless there are more than two. Sections with the
    /// same last name as `this` are left out.
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

    /// True if there are so many faults that no more are kept.
    pub fn is_full(&self) -> bool {
        self.faults.borrow().len() >= MOST_FAULTS
    }

    /// Notes a fault, unless it is already noted.
    pub fn fault(&self, span: Span, wrong: Wrong) {
        let (mut faults, mut places) = (self.faults.borrow_mut(), self.places.borrow_mut());
        let here = places.entry(span.clone()).or_default();
        if faults.len() < MOST_FAULTS && here.iter().all(|other| faults[*other].wrong != wrong) {
            here.push(faults.len());
            faults.push(Fault { span, wrong });
        }
    }

    /// Returns the faults so far.
    pub fn faults(&self) -> Vec<Fault> {
        self.faults.borrow().clone()
    }

    /// True if there is no fault so far.
    pub fn is_clean(&self) -> bool {
        self.faults.borrow().is_empty()
    }

    /// Returns the dotted paths of all keys asked for so far, without sections.
    pub fn known(&self) -> BTreeSet<String> {
        self.known.borrow().clone()
    }

    /// Returns a value with its text.
    pub fn value(&'a self, value: &'a Spanned<DeValue<'a>>) -> Value<'a> {
        Value { toml: value.get_ref(), literal: self.literal(value.span()) }
    }

    /// Returns the text at a position.
    pub fn literal(&self, span: Span) -> &'a str {
        self.text.get(span).unwrap_or("")
    }

    /// Adds keys to the known ones.
    pub fn learn(&self, keys: impl Iterator<Item = String>) {
        self.known.borrow_mut().extend(keys);
    }

    /// Parses the value of `key` and keeps its position; notes a fault if `parse` fails.
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

    /// Notes that a value has the wrong type.
    pub fn wrong_type(&'a self, key: &str, value: &'a Spanned<DeValue<'a>>, due: &str) {
        let _: Option<Spanned<()>> = self.parse(key, value, |value| Err(value.is_not(due)));
    }
}
