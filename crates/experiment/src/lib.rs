//! From the text of an experiment to its plan. Pure: it reads no clock, host, file system or environment.
//!
//! `bounds` refuses texts that are too large, `source` shows errors in the text, `section` reads a TOML table, and
//! `reader` collects faults and known keys.
//!
//! Each key is a row of a table in `keys`: its name, its type of value (`takes`), the kinds of the section that have
//! it, its default and its meaning. From that table `key` makes a struct, the code that reads it, and the reference.
//! The structs are the experiment as `written`; `resolve` fills in every default and makes a scene of it.
//!
//! `given` writes axes of the command line into the text.
//!
//! Each point of a sweep is a document of its own: the listed values are put where their keys point. It is read and
//! resolved like any other document, so an error points into the list.

#![forbid(unsafe_code)]

mod bounds;
mod dotted;
mod given;
mod key;
mod keys;
mod ladder;
mod leaf;
mod line_profile;
mod named;
mod outline;
mod plan_defaults;
mod profile;
mod reader;
mod resolve;
mod section;
mod source;
mod sweep;
mod sysctl;
mod takes;
mod traces;
mod tuning;
mod value;
mod written;

use analysis::study::Wanted;
pub use bounds::TEXT;
use evidence::unit::Wrong;
pub use given::{Given, varied};
pub use key::{KeyRow, KeyTable, Trial};
pub use outline::{Outline, outline};
use plan::{Plan, Seeds};
pub use profile::{Brings, DRIVERS, PROFILES, ProfileSetting, Rows};
pub use resolve::{Feature, Kernel};
pub use source::{Errors, Fault, Span};
use std::collections::BTreeSet;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
pub use traces::{TEXT as TRACE_TEXT, Traces};

/// Returns the plan of an experiment. `file` names the text in errors. The last of the kernels is the default; if
/// `kernels` is empty, kernel names are not checked.
pub fn plan(file: &str, text: &str, kernels: &[Kernel]) -> Result<Plan, Errors> {
    plan_of_seeds(file, text, kernels, None)
}

/// Like [`plan()`], with these seeds in place of those of `[repeat]`.
pub fn plan_of_seeds(file: &str, text: &str, kernels: &[Kernel], seeds: Option<Seeds>) -> Result<Plan, Errors> {
    plan_with_traces(file, text, kernels, seeds, &Traces::default())
}

/// Like [`plan_of_seeds`], with the trace files that [`traces_named`] lists.
pub fn plan_with_traces(
    file: &str,
    text: &str,
    kernels: &[Kernel],
    seeds: Option<Seeds>,
    traces: &Traces,
) -> Result<Plan, Errors> {
    let document = document(file, text)?;
    sweep::plan(text, &document, kernels, seeds, traces).map_err(|faults| Errors::new(file, text, faults))
}

/// Returns the names of the trace files that an experiment's lines follow; empty if the text is not TOML.
pub fn traces_named(file: &str, text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    if let Ok(document) = document(file, text) {
        traces::named(&DeValue::Table(document.into_inner()), &mut names);
    }
    names
}

/// Returns the number of trials at the start, without making the plan. Points without randomness need fewer.
pub fn size(file: &str, text: &str, seeds: Option<Seeds>) -> Result<u64, Errors> {
    let document = document(file, text)?;
    sweep::size(text, &document, seeds).map_err(|faults| Errors::new(file, text, faults))
}

/// Adds the trials that a study wants to a plan. A search may choose a value that the experiment refuses; the error
/// then points into the experiment's text, called `file`.
pub fn grown(file: &str, plan: Plan, wanted: &[Wanted]) -> Result<Plan, Errors> {
    let text = plan.spec.clone();
    let document = document(file, &text)?;
    sweep::grown(plan, &text, &document, wanted).map_err(|faults| Errors::new(file, &text, faults))
}

/// Returns the keys of every section that consists of rows.
pub fn key_tables() -> Vec<KeyTable> {
    keys::tables()
}

fn document<'a>(file: &str, text: &'a str) -> Result<Spanned<DeTable<'a>>, Errors> {
    if text.len() > bounds::TEXT {
        let wrong = Wrong::new("the experiment is too long").accepted(format!("{} bytes at most", bounds::TEXT));
        return Err(Errors::new(file, "", vec![Fault { span: 0..0, wrong }]));
    }
    let (document, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let another = source::another_kind(file, text);
        return Err(another.unwrap_or_else(|| Errors::new(file, text, source::syntax(text, &errors))));
    }
    match bounds::check(&document) {
        None => Ok(document),
        Some(fault) => Err(Errors::new(file, text, vec![fault])),
    }
}
