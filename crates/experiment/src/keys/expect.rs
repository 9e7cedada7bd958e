//! Keys of `[[expect]]` and `[[published]]`.

use super::inner;
use crate::key::{Key, KeyTable, Leaf, Table, key, keys};
use crate::leaf;
use crate::reader::Reader;
use crate::section::Section;
use crate::takes::{BoundedQuantity, MeasureName, Nested, SOME_SHARE, Text, nested};
use crate::written::{At, Expect, Published};
use base::units::Unit;
use evidence::unit::{ONE, Wrong};
use toml::Spanned;

/// Describes the value of a measure, for the reference.
pub const MEASURED: &str = "a quantity in the measure's unit; a bare number for a count";

const FLOW: Text = Text(
    "the [name](experiment.md#flows) of a flow that is there at all these points, such as `\"jail\"` or `\"flow 0\"`",
);

/// The `measure` row, shared by both tables.
fn measure() -> Key<MeasureName> {
    key("measure", MeasureName).required(|w| w.hint("add measure = \"goodput\"")).meaning("the measure")
}

/// The `where` row, shared by both tables.
fn points() -> Key<Nested<At>> {
    key("where", nested("a table of keys of `[vary]` and values as listed there", at))
        .meaning("the points that it applies to")
}

keys! {
    /// `[[expect]]`
    pub struct ExpectKeys {
        measure: MeasureName = measure();
        flow: Text = key("flow", FLOW).default("all flows that have the measure").meaning("the flow that it applies to");
        at: Nested<At> = points().default("every trial");
        at_least: Nested<f64> = key("at-least", nested(MEASURED, measured))
            .default("no lower bound")
            .meaning("the least value");
        at_most: Nested<f64> = key("at-most", nested(MEASURED, measured))
            .default("no upper bound")
            .meaning("the largest value");
        between: Nested<Vec<Spanned<f64>>> =
            key("between", nested("a list of two such values, the least and the most", both))
            .default("no bounds")
            .meaning("in place of `at-least` and `at-most`");
        share: BoundedQuantity = key("share", SOME_SHARE)
            .default("every trial has to")
            .meaning("the share of trials that is predicted to lie within the bounds");
    }
}

/// Reads a value in the measure's unit; accepts any number or quantity if the measure is missing or unknown.
fn measured(section: &mut Section, key: &'static str) -> Option<Spanned<f64>> {
    let unit = unit(section);
    section.optional(key, leaf::measured(unit))
}

fn both(section: &mut Section, key: &'static str) -> Option<Spanned<Vec<Spanned<f64>>>> {
    let unit = unit(section);
    section.list(key, "a list of two values: [\"57 Mbit/s\", \"74 Mbit/s\"]", leaf::measured(unit))
}

fn unit(section: &mut Section) -> Option<Unit> {
    let measure = section.optional("measure", |value| MeasureName.parse(value))?;
    Some(measure.into_inner().unit)
}

/// Reads an `[[expect]]`.
pub fn expect(mut section: Section) -> Option<Expect> {
    let ExpectKeys { measure, flow, at, at_least, at_most, between, share, .. } = ExpectKeys::read(&mut section);
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
        at: inner(at).unwrap_or_default(),
        at_least: inner(at_least),
        at_most: inner(at_most),
        share: inner(share).map(|grains| grains as f64 / ONE as f64),
    })
}

/// Splits the list of `between` into its two values.
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

keys! {
    /// `[[published]]`
    pub struct PublishedKeys {
        source: Text = key("source", Text("non-empty text"))
            .required(|w| w.hint("add source = \"who measured it, and how\""))
            .meaning("who measured it, and how");
        measure: MeasureName = measure();
        flow: Text = key("flow", Text("as under `[[expect]]`"))
            .default("every flow that has a row")
            .meaning("the flow that it applies to");
        at: Nested<At> = points().default("every point");
        value: Nested<f64> = key("value", nested(MEASURED, measured))
            .required(|w| w.hint("add the value with its unit"))
            .meaning("the published value");
    }
}

/// Reads a `[[published]]`.
pub fn published(mut section: Section) -> Option<Published> {
    let PublishedKeys { source, measure, flow, at, value, .. } = PublishedKeys::read(&mut section);
    section.finish();
    Some(Published {
        source: source?.into_inner(),
        measure: measure?.into_inner().name,
        flow,
        at: inner(at).unwrap_or_default(),
        value: value?.into_inner(),
    })
}

fn at(section: &mut Section, key: &'static str) -> Option<Spanned<At>> {
    let section = section.section(key);
    let reader = section.reader();
    let entries = section.dotted_entries().into_iter();
    let at = entries
        .map(|(name, span, value)| (Spanned::new(span, name), Spanned::new(value.span(), reader.value(value).plain())));
    Some(Spanned::new(section.span.clone(), at.collect()))
}

/// Tables of `[[expect]]` and `[[published]]`, for the reference.
pub fn tables() -> Vec<KeyTable> {
    let table = |heading, rows| KeyTable { heading, kind: None, rows };
    vec![table("[[expect]]", ExpectKeys::rows()), table("[[published]]", PublishedKeys::rows())]
}
