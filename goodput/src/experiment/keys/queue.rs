//! `queue`: a discipline's name, or a table of the name and what the discipline is told.

use super::{either, inner};
use crate::experiment::leaf;
use crate::experiment::section::Section;
use crate::experiment::value::Value;
use crate::experiment::written::{Discipline, Queue};
use crate::suggest::suggest;
use evidence::unit::{self, Wrong};
use std::ops::RangeInclusive;
use toml::Spanned;

/// Every discipline and its keys.
const DISCIPLINES: &[(&str, Discipline, &[&str])] = &[
    ("drop-tail", Discipline::DropTail, &[]),
    ("red", Discipline::Red, &["min", "max", "probability", "ecn"]),
    ("codel", Discipline::Codel, &["target", "interval", "ecn"]),
    ("fq_codel", Discipline::FqCodel, &["target", "interval", "ecn"]),
    ("pie", Discipline::Pie, &["target", "interval", "ecn"]),
    ("cake", Discipline::Cake, &["rtt"]),
    ("fq", Discipline::Fq, &[]),
    ("threshold", Discipline::Threshold, &["above"]),
];

/// tc counts these times in us, in 32 bits.
const TIMES: RangeInclusive<u64> = leaf::SHORTEST..=leaf::LONGEST;

/// The discipline of a queue; `None` if it is not written.
pub fn queue(line: &mut Section) -> Option<Spanned<Queue>> {
    either(line, "queue", table, word)
}

fn names() -> impl Iterator<Item = &'static str> + Clone {
    DISCIPLINES.iter().map(|(name, ..)| *name)
}

fn find(name: &str) -> Result<(Discipline, &'static [&'static str]), Wrong> {
    let found = DISCIPLINES.iter().find(|(known, ..)| *known == name).map(|&(_, discipline, keys)| (discipline, keys));
    found.ok_or_else(|| suggest(Wrong::new("is unknown"), name, names()))
}

fn discipline(value: &Value) -> Result<(Discipline, &'static [&'static str]), Wrong> {
    match value.toml.as_str() {
        Some(name) => find(name),
        None => {
            Err(value
                .is_not(&format!("the name of a discipline in quotes: {}", names().collect::<Vec<_>>().join(", "))))
        }
    }
}

fn word(value: &Value) -> Result<Queue, Wrong> {
    let Some(name) = value.toml.as_str() else {
        let names = names().collect::<Vec<_>>().join(", ");
        return Err(
            value.is_not(&format!("{names}; or a table such as {{ discipline = \"codel\", target = \"5 ms\" }}"))
        );
    };
    match find(name)?.0 {
        Discipline::Threshold => Err(Wrong::new("has no above")
            .note("it marks packets that wait longer than a time, and there is no usual one")
            .hint("write { discipline = \"threshold\", above = \"1 ms\" }")),
        discipline => Ok(Queue {
            discipline,
            min: None,
            max: None,
            probability: None,
            target: None,
            interval: None,
            rtt: None,
            ecn: None,
            above: None,
        }),
    }
}

fn table(mut section: Section) -> Option<Queue> {
    let found = section.required("discipline", |w| w.hint("add discipline = \"codel\""), discipline);
    // Without a known discipline there is no saying which keys are wrong.
    let keys = found.as_ref().filter(|_| section.is_there()).map(|found| found.get_ref().1);
    let sizes = leaf::quantity(&unit::SIZE, 1..=leaf::MOST_QUEUED);
    let times = leaf::quantity(&unit::TIME, TIMES);
    let queue = Queue {
        discipline: found.as_ref().map_or(Discipline::DropTail, |found| found.get_ref().0),
        min: own(&mut section, keys, "min", &sizes),
        max: own(&mut section, keys, "max", &sizes),
        probability: inner(own(&mut section, keys, "probability", leaf::quantity(&unit::RATIO, 1..=unit::ONE))),
        target: inner(own(&mut section, keys, "target", &times)),
        interval: inner(own(&mut section, keys, "interval", &times)),
        rtt: inner(own(&mut section, keys, "rtt", &times)),
        ecn: inner(own(&mut section, keys, "ecn", leaf::boolean)),
        above: own(&mut section, keys, "above", leaf::extent(true)),
    };
    if queue.discipline == Discipline::Threshold && !section.has("above") {
        section.lack("above", |wrong| wrong.hint("add above = \"1 ms\""));
    }
    section.finish();
    found.map(|_| queue)
}

/// The value of `key`, if that is one of the discipline's `keys`.
fn own<T>(
    section: &mut Section,
    keys: Option<&[&str]>,
    key: &'static str,
    parse: impl FnOnce(&Value) -> Result<T, Wrong>,
) -> Option<Spanned<T>> {
    if keys.is_none_or(|keys| keys.contains(&key)) { section.optional(key, parse) } else { None }
}
