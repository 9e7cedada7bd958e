//! `[[expect]]` and `[[published]]`.

use super::inner;
use crate::analyze::{MEASURES, Measure};
use crate::experiment::leaf;
use crate::experiment::section::Section;
use crate::experiment::value::Value;
use crate::experiment::written::{At, Expect, Published};
use crate::suggest::suggest;
use evidence::unit::Wrong;
use toml::Spanned;

/// `[[expect]]`
pub fn expect(mut section: Section) -> Option<Expect> {
    let measure = section.required("measure", |w| w.hint("add measure = \"goodput\""), measure);
    let flow = section.optional("flow", leaf::text);
    let at = at(section.section("where"));
    let value = leaf::measured(measure.as_ref().map(|m| m.get_ref().unit));
    let at_least = section.optional("at-least", &value);
    let at_most = section.optional("at-most", &value);
    if section.is_there() && !section.has("at-least") && !section.has("at-most") {
        section.fault(Wrong::new("[[expect]] has neither at-least nor at-most").hint("add one of them, or both"));
    }
    if let (Some(least), Some(most)) = (&at_least, &at_most)
        && least.get_ref() > most.get_ref()
    {
        section.reader().fault(most.span(), Wrong::new("at-most is below at-least, so that nothing can pass"));
    }
    section.finish();
    Some(Expect { measure: measure?.into_inner().name, flow, at, at_least: inner(at_least), at_most: inner(at_most) })
}

/// `[[published]]`
pub fn published(mut section: Section) -> Option<Published> {
    let source = section.required("source", |w| w.hint("add source = \"who measured it, and how\""), leaf::text);
    let measure = section.required("measure", |w| w.hint("add measure = \"goodput\""), measure);
    let flow = section.optional("flow", leaf::text);
    let at = at(section.section("where"));
    let value = leaf::measured(measure.as_ref().map(|m| m.get_ref().unit));
    let value = section.required("value", |w| w.hint("add the value with its unit"), value);
    section.finish();
    Some(Published {
        source: source?.into_inner(),
        measure: measure?.into_inner().name,
        flow,
        at,
        value: value?.into_inner(),
    })
}

/// The measure of that name.
pub fn measure(value: &Value) -> Result<&'static Measure, Wrong> {
    let name = leaf::text(value)?;
    let names = || MEASURES.iter().map(|measure| measure.name);
    Measure::find(&name).ok_or_else(|| suggest(Wrong::new("is unknown"), &name, names()))
}

fn at(section: Section) -> At {
    let reader = section.reader();
    let entries = section.dotted_entries().into_iter();
    entries
        .map(|(name, span, value)| (Spanned::new(span, name), Spanned::new(value.span(), reader.value(value).plain())))
        .collect()
}
