//! `[[expect]]` and `[[published]]`.

use super::{SHARES, inner};
use crate::analyze::{MEASURES, Measure};
use crate::experiment::leaf;
use crate::experiment::reader::Reader;
use crate::experiment::section::Section;
use crate::experiment::value::Value;
use crate::experiment::written::{At, Expect, Published};
use crate::suggest::suggest;
use evidence::unit::{self, ONE, Wrong};
use toml::Spanned;

/// `[[expect]]`
pub fn expect(mut section: Section) -> Option<Expect> {
    let measure = section.required("measure", |w| w.hint("add measure = \"goodput\""), measure);
    let flow = section.optional("flow", leaf::text);
    let at = at(section.section("where"));
    let value = leaf::measured(measure.as_ref().map(|m| m.get_ref().unit));
    let at_least = section.optional("at-least", &value);
    let at_most = section.optional("at-most", &value);
    let between = section.list("between", "a list of two values: [\"57 Mbit/s\", \"74 Mbit/s\"]", &value);
    let share = section.optional("share", leaf::quantity(&unit::RATIO, SHARES));
    let bounds = ["at-least", "at-most"].map(|key| section.has(key).then_some(key));
    match (bounds, section.has("between")) {
        ([None, None], false) => section.lack_any(
            &["at-least", "at-most", "between"],
            Wrong::new("[[expect]] has no bound")
                .hint("add at-least, at-most, or between = [\"57 Mbit/s\", \"74 Mbit/s\"]"),
        ),
        ([Some(key), _] | [_, Some(key)], true) => {
            let wrong = Wrong::new(format!("[[expect]] has {key} and between"));
            section.reader().fault(section.place(key), wrong.hint("write both bounds as between, or remove it"));
        }
        _ => {}
    }
    let (at_least, at_most) = between.map_or((at_least, at_most), |list| both_ends(section.reader(), list));
    if let (Some(least), Some(most)) = (&at_least, &at_most)
        && least.get_ref() > most.get_ref()
    {
        let wrong = Wrong::new("the upper bound is below the lower one, so that nothing can pass");
        section.reader().fault(most.span(), wrong);
    }
    section.finish();
    Some(Expect {
        measure: measure?.into_inner().name,
        flow,
        at,
        at_least: inner(at_least),
        at_most: inner(at_most),
        share: inner(share).map(|grains| grains as f64 / ONE as f64),
    })
}

/// Both values of `between`.
fn both_ends(reader: &Reader, list: Spanned<Vec<Spanned<f64>>>) -> (Option<Spanned<f64>>, Option<Spanned<f64>>) {
    let (span, number) = (list.span(), list.get_ref().len());
    match <[Spanned<f64>; 2]>::try_from(list.into_inner()) {
        Ok([low, high]) => (Some(low), Some(high)),
        Err(_) => {
            let values = if number == 1 { "value" } else { "values" };
            reader.fault(
                span,
                Wrong::new(format!("between has {number} {values}")).accepted("two: the least and the most"),
            );
            (None, None)
        }
    }
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
