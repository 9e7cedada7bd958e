//! `[vary]`, `[search]`, `[repeat]` and `[compare]`.

use super::expect::measure;
use super::{SHARES, TIMES, inner};
use crate::analyze::Measure;
use crate::experiment::dotted::rank;
use crate::experiment::ladder::{self, Quantity};
use crate::experiment::leaf;
use crate::experiment::reader::Reader;
use crate::experiment::section::Section;
use crate::experiment::value::Value;
use crate::experiment::written::{Axis, Case, Compare, Put, Repeat, Search, Written};
use crate::plan::{self, Enough, Find, KERNEL};
use crate::study;
use evidence::unit::{self, ONE, Wrong};
use std::ops::Range;
use toml::Spanned;
use toml::de::DeValue;

/// Values that a search tries at most, unless it says so or begins with many.
const TRIED: u64 = 200;
/// No search tries more.
const MOST_TRIED: u64 = 100_000;
/// Seeds at most until an interval is narrow, unless it is said.
const SEEDS: u64 = 40;
/// Seeds at first until an interval is narrow: stopping earlier costs the interval its level (docs/statistics.md).
const FIRST_SEEDS: u64 = 10;

type Entry<'a> = (String, Range<usize>, &'a Spanned<DeValue<'a>>);

/// `[vary]`
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
        } else if table && name == KERNEL {
            let wrong = Wrong::new("kernel is a key, and no name of cases");
            reader.fault(key.span(), wrong.hint("call the cases otherwise: [vary.stack.before] with kernel = \"…\""));
        } else if table && rank(&name).is_none() {
            axes.extend(cases(section.held(key.get_ref()), Spanned::new(key.span(), name)));
        } else if let Some((name, span, value)) = section.dotted_entry(key, value) {
            axes.extend(listed(reader, name, span, value).map(|axis| Axis::of_keys(vec![axis])));
        }
    }
    axes
}

/// A key with its values.
struct List<'a> {
    key: Spanned<String>,
    values: Vec<(Spanned<String>, Spanned<Written<'a>>)>,
}

impl<'a> Axis<'a> {
    /// Keys that move together; all have as many values.
    fn of_keys(lists: Vec<List<'a>>) -> Axis<'a> {
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
) -> Option<List<'a>> {
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
    Some(List { key: Spanned::new(span, name), values })
}

/// `[vary.together]`
fn together(section: Section) -> Option<Axis> {
    let reader = section.reader();
    let entries: Vec<Entry> = section.dotted_entries();
    let lists: Vec<List> =
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

/// `[vary.NAME]`: a table of cases, each a table of keys and values.
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

/// `[repeat]`
pub fn repeat(mut section: Section) -> Repeat {
    let seeds = section.optional("seeds", leaf::integer(1..=1000));
    let spread = section.optional("spread", leaf::quantity(&unit::TIME, TIMES));
    let until = until(section.section("until"), section.has("until"));
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

fn until(mut section: Section, is_written: bool) -> Option<Enough> {
    let found = section.optional("measure", measure);
    let interval = section.required(
        "interval",
        |w| w.hint("add interval = \"2 %\": how far it may reach to either side of the estimate"),
        leaf::quantity(&unit::RATIO, SHARES),
    );
    let at_most = section.optional("at-most", leaf::integer(FIRST_SEEDS..=1000));
    section.finish();
    let enough = Enough {
        measure: inner(found).map_or("goodput", |measure| measure.name).to_owned(),
        interval: inner(interval)? as f64 / ONE as f64,
        at_most: inner(at_most).unwrap_or(SEEDS),
    };
    is_written.then_some(enough)
}

/// `[compare]`
pub fn compare(mut section: Section) -> Compare {
    let over = section.optional("over", leaf::text);
    let against = section.optional("against", |value| match value.toml {
        DeValue::String(_) => leaf::text(value),
        _ => Ok(value.plain()),
    });
    let margin = section.optional("margin", leaf::quantity(&unit::RATIO, 1..=ONE / 2));
    let measures = section.list("measures", "a list of measures: [\"goodput\", \"rtt-p95\"]", measure);
    let flows = flows(&mut section);
    section.finish();
    let names = |measures: Vec<Spanned<&'static Measure>>| measures.into_iter().map(|m| m.into_inner().name).collect();
    Compare {
        over,
        against,
        flows,
        margin: margin.map(|margin| Spanned::new(margin.span(), margin.into_inner() as f64 / ONE as f64)),
        measures: measures.map(|list| Spanned::new(list.span(), names(list.into_inner()))),
    }
}

/// The flows that are compared: one, or a list of them.
fn flows(section: &mut Section) -> Vec<Spanned<String>> {
    if section.holds_text("flow") {
        return section.optional("flow", leaf::text).into_iter().collect();
    }
    let listed = section.list("flow", "the name of a flow, or a list of them: [\"host\", \"jail\"]", leaf::text);
    let flows = listed.map(Spanned::into_inner).unwrap_or_default();
    for (number, flow) in flows.iter().enumerate() {
        if flows[..number].iter().any(|other| other.get_ref() == flow.get_ref()) {
            section.reader().fault(flow.span(), Wrong::new(format!("flow lists \"{}\" twice", flow.get_ref())));
        }
    }
    flows
}

/// `[search]`
pub fn search(mut section: Section) -> Option<Search> {
    const WORDS: [(&str, Word); 3] =
        [("cliff", Word::Cliff), ("threshold", Word::Threshold), ("maximum", Word::Maximum)];
    let key = section.required("key", |w| w.hint("add key = \"flows.mss\""), leaf::text);
    let [from, to, resolution] = [("from", "536 B"), ("to", "7160 B"), ("resolution", "1 B")]
        .map(|(name, such)| section.required(name, |w| w.hint(format!("add {name} = \"{such}\"")), Quantity::of));
    let word =
        section.required("find", |w| w.hint("add find = \"cliff\", \"threshold\" or \"maximum\""), leaf::word(&WORDS));
    let found = section.optional("measure", measure);
    let width = section.optional("width", Quantity::of);
    let fall = section.optional("fall", leaf::quantity(&unit::RATIO, SHARES));
    let bound = leaf::measured(
        found.as_ref().map(|m| m.get_ref().unit).or_else(|| Some(crate::analyze::Measure::find("goodput")?.unit)),
    );
    let at_least = section.optional("at-least", &bound);
    let at_most = section.optional("at-most", &bound);
    let tried = section.optional("points", leaf::integer(3..=MOST_TRIED));
    let word = inner(word);
    check_kind(&section, word);
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
        Word::Cliff => Find::Cliff { width, fall: inner(fall).map_or(0.5, |grains| grains as f64 / ONE as f64) },
        Word::Threshold => Find::Threshold { at_least: inner(at_least), at_most: inner(at_most) },
        Word::Maximum => Find::Maximum,
    };
    let least = study::first_number(&ladder, find);
    let at_most = inner(tried).unwrap_or(least.saturating_mul(2).clamp(TRIED, MOST_TRIED));
    if at_most < least {
        let wrong = Wrong::new(format!("[search] begins with {least} points, and tries {at_most} at most"));
        let hint = if at_most < MOST_TRIED { "a larger width, or more points" } else { "a larger width" };
        reader.fault(span, wrong.accepted(hint));
        return None;
    }
    let measure = inner(found).map_or("goodput", |measure| measure.name).to_owned();
    let plan = plan::Search { key: key.get_ref().clone(), ladder, measure, find, at_most };
    Some(Search { key, span: from.span(), plan })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Cliff,
    Threshold,
    Maximum,
}

/// Each kind of search has keys of its own.
fn check_kind(section: &Section, word: Option<Word>) {
    let Some(word) = word else { return };
    for (key, kind, named) in [
        ("width", Word::Cliff, "cliff"),
        ("fall", Word::Cliff, "cliff"),
        ("at-least", Word::Threshold, "threshold"),
        ("at-most", Word::Threshold, "threshold"),
    ] {
        if kind != word && section.has(key) {
            let wrong = Wrong::new(format!("{key} is for find = \"{named}\""));
            section.reader().fault(section.place(key), wrong);
        }
    }
    if word == Word::Threshold && !section.has("at-least") && !section.has("at-most") {
        let wrong = Wrong::new("[search] for a threshold has neither at-least nor at-most");
        section.fault(wrong.hint("add one of them: the condition that the value has to meet"));
    }
}
