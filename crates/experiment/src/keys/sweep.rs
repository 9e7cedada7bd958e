//! Keys of `[vary]`, `[search]`, `[repeat]` and `[compare]`.

use super::expect::MEASURED;
use super::inner;
use crate::dotted::{TOP, rank};
use crate::key::{KeyTable, Table, Whole, key, keys};
use crate::ladder;
use crate::leaf;
use crate::reader::Reader;
use crate::section::Section;
use crate::takes::{
    AnyQuantity, BoundedQuantity, DAY, List, MeasureName, Nested, Number, Plain, SOME_SHARE, Text, Words, nested,
    share, time,
};
use crate::value::Value;
use crate::written::{Axis, Case, Compare, Put, Repeat, Search, Written};
use analysis::Measure;
use analysis::study;
use evidence::unit::{ONE, Wrong};
use plan::{self, Enough, Find};
use std::ops::Range;
use toml::Spanned;
use toml::de::DeValue;

/// Most values that a search tries, unless `[search]` says otherwise or starts with many.
const DEFAULT_MAX_TRIED: u64 = 200;
/// Most values that any search may try.
const MAX_TRIED: u64 = 100_000;
/// Default for the most seeds with `until`.
const DEFAULT_MAX_SEEDS: u64 = 40;
/// Seeds to start with under `until`. Stopping earlier costs the interval its level (docs/explanation/statistics.md).
const FIRST_SEEDS: u64 = 10;

type Entry<'a> = (String, Range<usize>, &'a Spanned<DeValue<'a>>);

/// Reads `[vary]`.
pub fn vary(section: Section) -> Vec<Axis> {
    let reader = section.reader();
    let mut axes = Vec::new();
    if section.is_there() && section.entries().is_empty() {
        section.fault(Wrong::new("[vary] has no keys").hint("list what varies, or remove it"));
    }
    for (key, value) in section.entries() {
        let name = key.get_ref().to_string();
        let table = value.get_ref().is_table() && !name.contains('.');
        if table && name == "together" {
            axes.extend(together(section.held("together")));
        } else if table && TOP.contains(&name.as_str()) {
            let wrong = Wrong::new(format!("{name} is a key, and no name of cases"));
            let hint = format!("call the cases otherwise: [vary.stack.before] with {name} = \"…\"");
            reader.fault(key.span(), wrong.hint(hint));
        } else if table && rank(&name).is_none() {
            axes.extend(cases(section.held(key.get_ref()), Spanned::new(key.span(), name)));
        } else if let Some((name, span, value)) = section.dotted_entry(key, value) {
            axes.extend(listed(reader, name, span, value).map(|axis| Axis::of_keys(vec![axis])));
        }
    }
    axes
}

/// A key and its listed values.
struct Values<'a> {
    key: Spanned<String>,
    values: Vec<(Spanned<String>, Spanned<Written<'a>>)>,
}

impl<'a> Axis<'a> {
    /// Makes an axis of keys that move together. All have equally many values.
    fn of_keys(lists: Vec<Values<'a>>) -> Axis<'a> {
        let keys = lists.iter().map(|list| list.key.clone()).collect();
        let case = |number: usize| Case {
            shown: lists.iter().map(|list| list.values[number].0.clone()).collect(),
            puts: lists
                .iter()
                .map(|list| Put { key: list.key.clone(), value: list.values[number].1.clone() })
                .collect(),
        };
        let number = lists.first().map_or(0, |list| list.values.len());
        Axis { keys, cases: (0..number).map(case).collect() }
    }
}

fn listed<'a>(
    reader: &'a Reader<'a>,
    name: String,
    span: Range<usize>,
    value: &'a Spanned<DeValue<'a>>,
) -> Option<Values<'a>> {
    let place = value.span();
    let parse = |found: &Value| match found.toml {
        DeValue::Array(list) if list.is_empty() => {
            Err(Wrong::new("has no values").hint("remove the key, or list its values"))
        }
        DeValue::Array(_) => Ok(vec![]),
        DeValue::String(text) if text.contains(" to ") => ladder::range(text),
        _ => Err(found
            .is_not(&format!("a list of values in brackets, or {}", ladder::RANGE))
            .hint("a single value belongs in its own section")),
    };
    let computed = reader.parse(&name, value, parse)?.into_inner();
    let out = value.get_ref().as_array().map(|list| list.iter()).into_iter().flatten();
    let out = out.map(|v| {
        let shown = Spanned::new(v.span(), reader.value(v).plain());
        (shown, Spanned::new(v.span(), Written::Out(v.get_ref())))
    });
    let computed = computed.into_iter().map(|text| {
        let shown = Spanned::new(place.clone(), text.trim_matches('"').to_owned());
        (shown, Spanned::new(place.clone(), Written::Computed(text)))
    });
    let values = out.chain(computed).collect();
    Some(Values { key: Spanned::new(span, name), values })
}

/// Reads `[vary.together]`.
fn together(section: Section) -> Option<Axis> {
    let reader = section.reader();
    let entries: Vec<Entry> = section.dotted_entries();
    let lists: Vec<Values> =
        entries.into_iter().map(|(name, span, value)| listed(reader, name, span, value)).collect::<Option<_>>()?;
    let Some(first) = lists.first() else {
        section.fault(Wrong::new("[vary.together] has no keys").hint("list the keys that move in step, or remove it"));
        return None;
    };
    let length = first.values.len();
    let other = lists.iter().find(|list| list.values.len() != length);
    if let Some(other) = other {
        let [one, two] = [first, other].map(|list| (list.key.get_ref(), list.values.len()));
        let wrong = Wrong::new(format!("{} has {} values, and {} has {}", two.0, two.1, one.0, one.1));
        reader.fault(other.key.span(), wrong.note("keys that move together have as many values each"));
        return None;
    }
    Some(Axis::of_keys(lists))
}

/// Reads `[vary.NAME]`: a table of cases, each a table of keys and values.
fn cases<'a>(section: Section<'a>, name: Spanned<String>) -> Option<Axis<'a>> {
    let reader = section.reader();
    let mut cases = Vec::new();
    for (case, value) in section.entries() {
        if !value.get_ref().is_table() {
            let wrong = Wrong::new(format!("{} is no table of keys and values", case.get_ref()));
            let wrong = wrong.note(format!("[vary.{}] is a table of cases, since its name is no key", name.get_ref()));
            reader.fault(value.span(), wrong.accepted("{ \"flows.congestion\" = \"cubic\", … }"));
            return None;
        }
        let put = |(key, span, value): Entry<'a>| Put {
            key: Spanned::new(span, key),
            value: Spanned::new(value.span(), Written::Out(value.get_ref())),
        };
        let puts = section.held(case.get_ref()).dotted_entries().into_iter().map(put).collect();
        cases.push(Case { shown: vec![Spanned::new(case.span(), case.get_ref().to_string())], puts });
    }
    if cases.is_empty() {
        section.fault(Wrong::new(format!("[vary.{}] has no cases", name.get_ref())).hint("name some, or remove it"));
        return None;
    }
    Some(Axis { keys: vec![name], cases })
}

keys! {
    /// `[repeat]`
    pub struct RepeatKeys {
        seeds: Number = key("seeds", Number(1, 1000))
            .limit("; with `until` at least 10")
            .default("10 with `[vary]` and no `[search]`, else 1; with `until` 10, or its `at-most` if that is less")
            .meaning("number of seeds");
        spread: BoundedQuantity = key("spread", time(0, DAY))
            .default("10 ms with several seeds or `until`, else 0 ns")
            .meaning("random start delay per flow, uniform up to this, set by the seed");
        until: Nested<Option<Enough>> = key("until", nested("table", until))
            .default("after `seeds`")
            .meaning("[when to stop](#repeatuntil)");
    }
}

/// Reads `[repeat]`.
pub fn repeat(mut section: Section) -> Repeat {
    let RepeatKeys { seeds, spread, until, .. } = RepeatKeys::read(&mut section);
    let until = until.and_then(Spanned::into_inner);
    if let (Some(enough), Some(seeds)) = (&until, &seeds)
        && !(FIRST_SEEDS..=enough.at_most).contains(seeds.get_ref())
    {
        let wrong =
            Wrong::new(format!("seeds {} is no number to begin with until an interval is narrow", seeds.get_ref()));
        section.reader().fault(seeds.span(), wrong.accepted(format!("{FIRST_SEEDS} to {}", enough.at_most)));
    }
    section.finish();
    let first = until.as_ref().map(|_| FIRST_SEEDS);
    Repeat { seeds: inner(seeds).or(first), until, spread: inner(spread) }
}

keys! {
    /// `[repeat.until]`
    pub struct Until or None {
        measure: MeasureName =
            key("measure", MeasureName).default("goodput").meaning("the measure whose interval must be narrow");
        interval: BoundedQuantity = key("interval", SOME_SHARE)
            .required(|w| w.hint("add interval = \"2 %\": how far it may reach to either side of the estimate"))
            .meaning("how far the 95 % interval may extend to either side of the estimate"), required;
        at_most: Number = key("at-most", Number(FIRST_SEEDS, 1000))
            .limit(", at least `seeds`")
            .meaning("most seeds per point"), else DEFAULT_MAX_SEEDS;
    }
}

fn until(section: &mut Section, key: &'static str) -> Option<Spanned<Option<Enough>>> {
    let is_written = section.has(key);
    let section = section.section(key);
    let span = section.span.clone();
    let until = Until::whole(section).filter(|_| is_written);
    let enough = |Until { measure, interval, at_most, .. }| Enough {
        measure: measure.map_or("goodput", |measure: Spanned<&Measure>| measure.into_inner().name).to_owned(),
        interval: *interval.get_ref() as f64 / ONE as f64,
        at_most,
    };
    Some(Spanned::new(span, until.map(enough)))
}

keys! {
    /// `[compare]`
    pub struct CompareKeys {
        over: Text = key("over", Text("a key of `[vary]`, or the NAME of cases; for keys that move together the first"))
            .default(
                "the last axis with a value that is not a quantity, else the last with 2 to 6 values, else nothing is \
                 compared",
            )
            .meaning("the axis along which points are compared");
        against: Plain = key("against", Plain("one of its values, only with `over`"))
            .default("its first value")
            .meaning("the point that the others are compared with");
        margin: BoundedQuantity = key("margin", share(1, ONE / 2))
            .default("2 %")
            .meaning("relative differences below it are equivalent");
        measures: List<MeasureName> = key("measures", MEASURES)
            .default(
                "the primary measure of what both points have: `goodput` of bulk data, else `exchange-p50` of \
                 requests, else `rtt-p50` of pings, else `goodput` of UDP",
            )
            .meaning("the measures to compare");
        flow: Nested<Vec<Spanned<String>>> = key("flow", nested(FLOWS, flows))
            .default("each of the flows that have names by itself; else all together")
            .meaning("the flows to compare");
    }
}

const MEASURES: List<MeasureName> = List {
    each: MeasureName,
    due: "a list of measures: [\"goodput\", \"rtt-p95\"]",
    words: "list of names of [measures](measures.md)",
};
const FLOWS: &str = "a [name](experiment.md#flows), such as `\"jail\"` or `\"flow 0\"`, or a list of them";

/// Reads `[compare]`.
pub fn compare(mut section: Section) -> Compare {
    let CompareKeys { over, against, margin, measures, flow, .. } = CompareKeys::read(&mut section);
    section.finish();
    let names = |measures: Vec<Spanned<&'static Measure>>| measures.into_iter().map(|m| m.into_inner().name).collect();
    Compare {
        over,
        against,
        flows: flow.map(Spanned::into_inner).unwrap_or_default(),
        margin: margin.map(|margin| Spanned::new(margin.span(), margin.into_inner() as f64 / ONE as f64)),
        measures: measures.map(|list| Spanned::new(list.span(), names(list.into_inner()))),
    }
}

/// Reads the flows to compare: one name, or a list of names.
fn flows(section: &mut Section, key: &'static str) -> Option<Spanned<Vec<Spanned<String>>>> {
    if section.holds_text(key) {
        return section.optional(key, leaf::text).map(|flow| Spanned::new(flow.span(), vec![flow]));
    }
    let flows = section.list(key, "the name of a flow, or a list of them: [\"host\", \"jail\"]", leaf::text)?;
    for (number, flow) in flows.get_ref().iter().enumerate() {
        if flows.get_ref()[..number].iter().any(|other| other.get_ref() == flow.get_ref()) {
            section.reader().fault(flow.span(), Wrong::new(format!("flow lists \"{}\" twice", flow.get_ref())));
        }
    }
    Some(flows)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    Cliff,
    Threshold,
    Maximum,
}

const WORDS: &[(&str, Word)] = &[("cliff", Word::Cliff), ("threshold", Word::Threshold), ("maximum", Word::Maximum)];

const CLIFF: &[&str] = &["cliff"];
const THRESHOLD: &[&str] = &["threshold"];

keys! {
    /// `[search]`
    pub struct SearchKeys {
        key: Text = key("key", Text("a key as under `[vary]`, of a quantity or a number"))
            .required(|w| w.hint("add key = \"flows.mss\""))
            .meaning("the key to search over");
        from: AnyQuantity = key("from", AnyQuantity("a quantity or number"))
            .required(|w| w.hint("add from = \"536 B\""))
            .meaning("the first value");
        to: AnyQuantity = key("to", AnyQuantity("the same, above `from`"))
            .required(|w| w.hint("add to = \"7160 B\""))
            .meaning("the upper end");
        resolution: AnyQuantity = key("resolution", AnyQuantity("the same, above 0"))
            .required(|w| w.hint("add resolution = \"1 B\""))
            .meaning("the step to resolve");
        find: Words<Word> = key("find", Words(WORDS))
            .required(|w| w.hint("add find = \"cliff\", \"threshold\" or \"maximum\""))
            .meaning("[the kind](#search) of search");
        measure: MeasureName =
            key("measure", MeasureName).default("goodput").meaning("the measure that judges each value");
        width: AnyQuantity = key("width", AnyQuantity("from the resolution to the whole range"))
            .kinds(CLIFF)
            .limit("; for a cliff")
            .default("1/64 of the range")
            .meaning("the narrowest gap that cannot be missed");
        fall: BoundedQuantity = key("fall", SOME_SHARE)
            .kinds(CLIFF)
            .limit("; for a cliff")
            .meaning("the drop that counts"), else ONE / 2;
        at_least: Nested<f64> = key("at-least", nested(MEASURED, searched))
            .kinds(THRESHOLD)
            .limit("; for a threshold")
            .default("no lower bound")
            .meaning("the least value that meets the condition");
        at_most: Nested<f64> = key("at-most", nested(MEASURED, searched))
            .kinds(THRESHOLD)
            .limit("; for a threshold")
            .default("no upper bound")
            .meaning("the largest value that meets the condition");
        points: Number = key("points", Number(3, MAX_TRIED))
            .limit("; at least as many as it starts with")
            .default("200, or twice what it starts with if that is more")
            .meaning("most values to try at each point of `[vary]`");
    }
}

/// Reads a value in the unit of the measure, or of goodput if none is written.
fn searched(section: &mut Section, key: &'static str) -> Option<Spanned<f64>> {
    let found = SearchKeys::measure().read(section).map(Spanned::into_inner);
    section.optional(key, leaf::measured(found.or_else(|| Measure::find("goodput")).map(|measure| measure.unit)))
}

/// Reads `[search]`.
pub fn search(mut section: Section) -> Option<Search> {
    let SearchKeys { key, from, to, resolution, find, measure, width, fall, at_least, at_most, points, .. } =
        SearchKeys::read(&mut section);
    let word = inner(find);
    check_kind(&mut section, word);
    let (reader, span) = (section.reader(), section.span.clone());
    section.finish();
    let (key, from, to, resolution) = (key?, from?, to?, resolution?);
    let [a, b, step] = [&from, &to, &resolution].map(|quantity| quantity.get_ref());
    let ladder = ladder::ladder(a, b, step, "resolution")
        .map_err(|wrong| reader.fault(to.span(), Wrong { what: format!("[search] {}", wrong.what), ..wrong }))
        .ok()?;
    let width = match width {
        None => (ladder.last / 64).max(1),
        Some(width) => ladder::rungs(&ladder, width.get_ref())
            .map_err(|wrong| reader.fault(width.span(), Wrong { what: format!("width {}", wrong.what), ..wrong }))
            .ok()?,
    };
    let find = match word? {
        Word::Cliff => Find::Cliff { width, fall: fall as f64 / ONE as f64 },
        Word::Threshold => Find::Threshold { at_least: inner(at_least), at_most: inner(at_most) },
        Word::Maximum => Find::Maximum,
    };
    let least = study::first_number(&ladder, find);
    let at_most = inner(points).unwrap_or(least.saturating_mul(2).clamp(DEFAULT_MAX_TRIED, MAX_TRIED));
    if at_most < least {
        let wrong = Wrong::new(format!("[search] begins with {least} points, and tries {at_most} at most"));
        let hint = if at_most < MAX_TRIED { "a larger width, or more points" } else { "a larger width" };
        reader.fault(span, wrong.accepted(hint));
        return None;
    }
    let measure = inner(measure).map_or("goodput", |measure| measure.name).to_owned();
    let plan = plan::Search { key: key.get_ref().clone(), ladder, measure, find, at_most };
    Some(Search { key, span: from.span(), plan })
}

/// Checks that only keys of this kind of search are written, and that a threshold has a bound.
fn check_kind(section: &mut Section, word: Option<Word>) {
    let Some(word) = word else { return };
    let written = WORDS.iter().find(|(_, other)| *other == word).map_or("", |(written, _)| written);
    for key in SearchKeys::keys().iter().filter(|key| !key.kinds.is_empty() && !key.kinds.contains(&written)) {
        if section.has(key.name) {
            let wrong = Wrong::new(format!("{} is for find = \"{}\"", key.name, key.kinds.join("\" or \"")));
            section.reader().fault(section.place(key.name), wrong);
        }
    }
    if word == Word::Threshold && !section.has("at-least") && !section.has("at-most") {
        let wrong = Wrong::new("[search] for a threshold has neither at-least nor at-most");
        section.fault(wrong.hint("add one of them: the condition that the value has to meet"));
    }
}

/// Tables of `[search]`, `[repeat]` and `[compare]`, for the reference.
pub fn tables() -> Vec<KeyTable> {
    let table = |heading, rows| KeyTable { heading, kind: None, rows };
    vec![
        KeyTable { kind: Some("find"), ..table("[search]", SearchKeys::rows()) },
        table("[repeat]", RepeatKeys::rows()),
        table("[repeat.until]", Until::rows()),
        table("[compare]", CompareKeys::rows()),
    ]
}
