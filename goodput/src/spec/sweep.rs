//! The grid: one document for each point, the first key of `[vary]` slowest.

use super::reader::{LISTS, Reader, heading, is_numbered, suggest};
use super::resolve::{self, Draft};
use super::source::Fault;
use super::written::{self, At, Axis, Experiment};
use super::{Kernel, keys};
use crate::plan::{self, Plan, Setting, Trial};
use crate::unit::Wrong;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

type Document<'a> = Spanned<DeTable<'a>>;

/// A sweep with more trials is refused.
const MOST_TRIALS: u64 = 10_000;

/// An experiment with more connections in all its trials is refused, as its plan would not fit in memory.
const MOST_CONNECTIONS: u64 = 1_000_000;

/// The sections whose keys may vary.
const VARIABLE: [&str; 8] = ["path", "hosts", "switches", "routers", "links", "tunnels", "flows", "record"];

/// Whether the key is in a section whose keys may vary.
pub fn may_vary(key: &str) -> bool {
    key.contains('.') && rank(key).is_some()
}

/// Where the key's section stands among those whose keys may vary.
pub fn rank(key: &str) -> Option<usize> {
    VARIABLE.iter().position(|section| key.split('.').next() == Some(section))
}

const SPREAD: u64 = 10_000_000;

/// The plan for a document that is TOML, or all that is wrong with it.
pub fn plan(text: &str, document: &Document, kernel: &Kernel) -> Result<Plan, Vec<Fault>> {
    let known = variable(text, document);
    let reader = Reader::knowing(text, &known);
    if document.get_ref().is_empty() {
        reader.fault(0..0, Wrong::new("the experiment is empty").hint("start from one of the examples"));
        return Err(reader.faults());
    }
    let mut experiment = keys::experiment(&reader, document);
    experiment.vary.retain(|axis| check_key(&reader, axis, &known));
    let expected = experiment.expect.iter().map(|expect| &expect.at);
    let published = experiment.published.iter().map(|published| &published.at);
    expected.chain(published).for_each(|at| check_where(&reader, &experiment.vary, at));
    let drafts = if is_too_large(&reader, &experiment) {
        Vec::new()
    } else {
        // Of a kernel that the experiment names itself, only the engine knows what it has.
        let own = experiment.kernel.as_ref().is_some_and(|own| own != kernel.name);
        let controls = if own { &[] } else { kernel.congestion_controls };
        drafts(&reader, text, document, &experiment, &known, controls)
    };
    if reader.is_clean() {
        check_distinct(&reader, &experiment.vary, &drafts);
    }
    if reader.is_clean() { Ok(finished(text, kernel.name, experiment, &drafts)) } else { Err(reader.faults()) }
}

/// The keys that may vary: those that reading a set-up asks for.
fn variable(text: &str, document: &Document) -> BTreeSet<String> {
    let reader = Reader::new(text);
    keys::setup(&reader, document);
    reader.known().into_iter().filter(|key| may_vary(key)).collect()
}

fn check_key(reader: &Reader, axis: &Axis, known: &BTreeSet<String>) -> bool {
    let name = axis.key.get_ref();
    if known.contains(name) || sysctl(name, known).is_some() {
        return true;
    }
    let names = || known.iter().map(String::as_str).filter(|key| is_numbered(name) || !is_numbered(key));
    let wrong = if may_vary(name) {
        let section = name.split_inclusive('.').next().unwrap_or(name);
        let within = || names().filter(|other| other.starts_with(section));
        match within().next() {
            Some(_) => suggest(Wrong::new(format!("there is no key \"{name}\" to vary")), name, within()),
            None => Wrong::new(format!("there is no {} to vary", heading(section.trim_end_matches('.')))),
        }
    } else {
        let wrong = Wrong::new(format!("\"{name}\" cannot vary"));
        let meant = names().filter(|other| other.split_once('.').is_some_and(|(_, key)| key == name));
        match meant.min_by_key(|other| rank(other)) {
            Some(meant) => wrong.hint(format!("write \"{meant}\"")),
            None => wrong.accepted(format!("keys of {}, such as \"path.rate\"", VARIABLE.map(heading).join(", "))),
        }
    };
    reader.fault(axis.key.span(), wrong);
    false
}

fn check_where(reader: &Reader, axes: &[Axis], at: &At) {
    for (key, value) in at {
        if axes.is_empty() {
            let wrong = Wrong::new(format!("where names \"{}\", but nothing varies", key.get_ref()));
            reader.fault(key.span(), wrong.hint("remove where, or add the key to [vary]"));
            continue;
        }
        let Some(axis) = axes.iter().find(|axis| axis.key.get_ref() == key.get_ref()) else {
            let wrong = Wrong::new(format!("where names \"{}\", which does not vary", key.get_ref()));
            let names = axes.iter().map(|axis| axis.key.get_ref().as_str());
            reader.fault(key.span(), suggest(wrong, key.get_ref(), names));
            continue;
        };
        let values = axis.values.iter().map(|value| value.get_ref().as_str());
        if !values.clone().any(|known| known == value.get_ref()) {
            let wrong = Wrong::new(format!("{} is never \"{}\"", key.get_ref(), value.get_ref()));
            reader.fault(value.span(), suggest(wrong, value.get_ref(), values));
        }
    }
}

fn is_too_large(reader: &Reader, experiment: &Experiment) -> bool {
    let seeds = experiment.repeat.seeds.unwrap_or(1);
    let points = experiment.vary.iter().fold(1, |points: u64, axis| points.saturating_mul(axis.values.len() as u64));
    let trials = points.saturating_mul(seeds);
    if trials > MOST_TRIALS {
        let wrong = Wrong::new(format!("the sweep comes to {trials} trials: {points} points with {seeds} seeds each"));
        let place = experiment.vary.first().map_or(0..0, |axis| axis.key.span());
        reader.fault(place, wrong.accepted(format!("{MOST_TRIALS} trials at most")));
    }
    trials > MOST_TRIALS
}

/// The draft of every point that makes one, in the order of the grid.
fn drafts(
    reader: &Reader,
    text: &str,
    document: &Document,
    experiment: &Experiment,
    known: &BTreeSet<String>,
    controls: &[String],
) -> Vec<Draft> {
    let axes = &experiment.vary;
    let (spread, seeds) = (spread(experiment), experiment.repeat.seeds.unwrap_or(1));
    let (common, lists) = split(document);
    let (mut drafts, mut connections) = (Vec::new(), 0);
    for point in points(axes) {
        let (document, homeless) = substituted(&common, &lists, axes, &point, known);
        let local = Reader::knowing(text, known).with_congestion_controls(controls);
        let setup = keys::setup(&local, &document);
        if let Some(draft) = setup.and_then(|setup| resolve::draft(&local, &setup, spread)) {
            connections += draft.connections() as u64 * seeds;
            drafts.push(draft);
        }
        if let Some(axis) = homeless.filter(|_| local.is_clean()) {
            local.fault(axis.key.span(), no_place(axis));
        }
        local.faults().into_iter().for_each(|fault| reader.fault(fault.span, fault.wrong));
        if connections > MOST_CONNECTIONS {
            let wrong = Wrong::new("the experiment comes to too many connections, all trials taken together");
            reader.fault(0..0, wrong.accepted(format!("{MOST_CONNECTIONS} at most")));
            break;
        }
    }
    drafts
}

/// Keys of a table that is not written can vary, but not of one that is written as something else, or as a list.
fn no_place(axis: &Axis) -> Wrong {
    let key = axis.key.get_ref();
    let table = key.rsplit_once('.').map_or("", |(table, _)| table);
    let wrong = Wrong::new(format!("\"{key}\" has no place: there is no {}", heading(table)));
    wrong.hint(format!("write {} with its other keys, or vary \"{table}\" as a whole", heading(table)))
}

/// Each point of the grid as the place of its value on each axis.
fn points(axes: &[Axis]) -> Vec<Vec<usize>> {
    axes.iter().fold(vec![Vec::new()], |points, axis| {
        let with = |point: &Vec<usize>, value| [point.as_slice(), &[value]].concat();
        points.iter().flat_map(|point| (0..axis.values.len()).map(move |value| with(point, value))).collect()
    })
}

/// What all points have in common, and the lists of `[vary]`.
fn split<'a>(document: &Document<'a>) -> (Document<'a>, DeTable<'a>) {
    let mut common = document.clone();
    let vary = common.get_mut().remove("vary").map(Spanned::into_inner);
    match vary {
        Some(DeValue::Table(lists)) => (common, lists),
        _ => (common, DeTable::new()),
    }
}

/// The document with the values of a point in their places, and a key that had none.
fn substituted<'a, 'x>(
    common: &Document<'a>,
    lists: &DeTable<'a>,
    axes: &'x [Axis],
    point: &[usize],
    known: &BTreeSet<String>,
) -> (Document<'a>, Option<&'x Axis>) {
    let (mut document, mut homeless) = (common.clone(), None);
    for (axis, &index) in axes.iter().zip(point) {
        let Axis { key, .. } = axis;
        let list = lists.get(key.get_ref().as_str()).and_then(|list| list.get_ref().as_array());
        if let Some(value) = list.and_then(|list| list.get(index))
            && !put(document.get_mut(), &route(key.get_ref(), known), key, value)
        {
            homeless = Some(axis);
        }
    }
    (document, homeless)
}

/// Puts a value to the end of its route; whether there was a table for it.
fn put<'a>(table: &mut DeTable<'a>, route: &[&str], key: &Spanned<String>, value: &Spanned<DeValue<'a>>) -> bool {
    let [name, rest @ ..] = route else { return false };
    if !rest.is_empty() && LISTS.contains(name) && !table.contains_key(*name) {
        return false;
    }
    let spanned = Spanned::new(key.span(), Cow::Owned((*name).to_owned()));
    if rest.is_empty() {
        table.insert(spanned, value.clone());
        return true;
    }
    let empty = || Spanned::new(key.span(), DeValue::Table(DeTable::new()));
    match table.entry(spanned).or_insert_with(empty).get_mut() {
        DeValue::Table(inner) => put(inner, rest, key, value),
        DeValue::Array(list) => {
            let chosen = chosen(name, list, rest);
            let rest = if rest[0].parse::<usize>().is_ok() { &rest[1..] } else { rest };
            let elements = list.iter_mut().zip(chosen).filter_map(|(element, chosen)| chosen.then_some(element));
            let placed = elements.map(|element| match element.get_mut() {
                DeValue::Table(inner) => put(inner, rest, key, value),
                _ => false,
            });
            placed.fold(false, |any, placed| any | placed)
        }
        _ => false,
    }
}

/// Which tables of a list a route means: the one of its number, or all that can have the key.
fn chosen(name: &str, list: &DeArray, rest: &[&str]) -> Vec<bool> {
    if let Some(Ok(number)) = rest.first().map(|first| first.parse::<usize>()) {
        return (0..list.len()).map(|other| other == number).collect();
    }
    let can_have = |element: &Spanned<DeValue>| match (element.get_ref(), rest) {
        (DeValue::Table(table), [key]) => keys::can_have(name, table, key),
        _ => true,
    };
    let chosen: Vec<bool> = list.iter().map(can_have).collect();
    // If none can, the error shall say so.
    if chosen.contains(&true) { chosen } else { vec![true; list.len()] }
}

/// The keys on the way to what varies; the name of a sysctl is one key, dots and all.
fn route<'k>(key: &'k str, known: &BTreeSet<String>) -> Vec<&'k str> {
    match sysctl(key, known) {
        Some((table, name)) => table.split('.').chain(["sysctl", name]).collect(),
        None => key.split('.').collect(),
    }
}

/// The node's table and the sysctl's name, if the key points to a sysctl.
fn sysctl<'k>(key: &'k str, known: &BTreeSet<String>) -> Option<(&'k str, &'k str)> {
    key.split_once(".sysctl.").filter(|(table, _)| known.contains(&format!("{table}.sysctl")))
}

/// Two values that come to the same scene would be one point under two names.
fn check_distinct(reader: &Reader, axes: &[Axis], drafts: &[Draft]) {
    let mut stride = drafts.len();
    for axis in axes {
        stride /= axis.values.len();
        let mut seen = HashMap::new();
        for (value, draft) in axis.values.iter().zip(drafts.iter().step_by(stride)) {
            if let Some(earlier) = seen.insert(format!("{draft:?}"), value.get_ref()) {
                let (this, that) = (value.get_ref(), earlier);
                let what = if this == that {
                    format!("{} lists \"{this}\" twice", axis.key.get_ref())
                } else {
                    format!("{} lists \"{this}\", which comes to the same as \"{that}\"", axis.key.get_ref())
                };
                reader.fault(value.span(), Wrong::new(what));
            }
        }
    }
}

fn spread(experiment: &Experiment) -> u64 {
    let several = experiment.repeat.seeds.unwrap_or(1) > 1;
    experiment.repeat.spread.unwrap_or(if several { SPREAD } else { 0 })
}

fn finished(text: &str, kernel: &str, experiment: Experiment, drafts: &[Draft]) -> Plan {
    let spread = spread(&experiment);
    let Experiment { title, question, kernel: own_kernel, vary, repeat, expect, published } = experiment;
    let trials = points(&vary).into_iter().zip(drafts).flat_map(|(point, draft)| {
        let point = settings(&vary, &point);
        (1..=repeat.seeds.unwrap_or(1)).map(move |seed| (point.clone(), seed, draft.with_seed(seed, spread)))
    });
    let trials = trials.enumerate().map(|(index, (point, seed, scene))| Trial { index, point, seed, scene }).collect();
    Plan {
        goodput: env!("CARGO_PKG_VERSION").to_owned(),
        title,
        question: question.unwrap_or_default(),
        spec: text.to_owned(),
        kernel: own_kernel.unwrap_or_else(|| kernel.to_owned()),
        trials,
        expect: expect.into_iter().map(expectation).collect(),
        published: published.into_iter().map(figure).collect(),
        vary: vary.into_iter().map(axis).collect(),
    }
}

fn axis(written: Axis) -> plan::Axis {
    let Axis { key, values } = written;
    plan::Axis { key: key.into_inner(), values: values.into_iter().map(Spanned::into_inner).collect() }
}

fn settings(axes: &[Axis], point: &[usize]) -> Vec<Setting> {
    let setting = |(axis, &value): (&Axis, &usize)| Setting {
        key: axis.key.get_ref().clone(),
        value: axis.values[value].get_ref().clone(),
    };
    axes.iter().zip(point).map(setting).collect()
}

fn selection(at: At) -> Vec<Setting> {
    at.into_iter().map(|(key, value)| Setting { key: key.into_inner(), value: value.into_inner() }).collect()
}

fn expectation(written: written::Expect) -> plan::Expectation {
    let written::Expect { measure, at, at_least, at_most } = written;
    plan::Expectation { measure: measure.to_owned(), at: selection(at), at_least, at_most }
}

fn figure(written: written::Published) -> plan::Published {
    let written::Published { source, measure, at, value } = written;
    plan::Published { source, measure: measure.to_owned(), at: selection(at), value }
}
