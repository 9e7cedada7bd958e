//! From the text of an experiment to its plan. Pure: no clock, host, file system or environment.
//!
//! `bounds` refuses what is too large, `source` shows errors in the text, `section` reads a table of TOML and `reader`
//! keeps what is learnt. A key is a row of a table in `keys`: its name, what it takes (`takes`), which kinds of the
//! section have it, its default and its meaning; `key` makes of the table a struct, the reading of it, and the reference.
//! Those structs are the `written` experiment, from which `resolve` makes a scene in which nothing is open. Each point of a
//! sweep is a document of its own, in which the listed values stand where their keys point to; it is read and resolved like
//! any other, so that an error points into the list.

mod bounds;
mod dotted;
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

use crate::plan::{Plan, Seeds};
use crate::study::Wanted;
pub(crate) use bounds::TEXT;
use evidence::unit::Wrong;
pub use key::{KeyRow, KeyTable, Trial};
pub use outline::{Outline, outline};
pub use profile::{Brings, DRIVERS, PROFILES, Row, Rows};
pub use resolve::{Feature, Kernel};
pub use source::{Errors, Fault, Span};
use std::collections::BTreeSet;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
pub use traces::{TEXT as TRACE_TEXT, Traces};

/// The plan for an experiment. `file` names the text in errors; the last of the kernels is for what names none. Without
/// any, a name is taken as it is.
pub fn plan(file: &str, text: &str, kernels: &[Kernel]) -> Result<Plan, Errors> {
    plan_of_seeds(file, text, kernels, None)
}

/// The same with the seeds that are asked for, in place of what `[repeat]` says of them.
pub fn plan_of_seeds(file: &str, text: &str, kernels: &[Kernel], seeds: Option<Seeds>) -> Result<Plan, Errors> {
    plan_with_traces(file, text, kernels, seeds, &Traces::default())
}

/// The same with the files that its lines follow, which [`traces_named`] lists.
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

/// The files that the lines of an experiment follow; none of a text that is no experiment.
pub fn traces_named(file: &str, text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    if let Ok(document) = document(file, text) {
        traces::named(&DeValue::Table(document.into_inner()), &mut names);
    }
    names
}

/// How many trials an experiment has before it grows, found without making its plan: fewer where nothing is random.
pub fn size(file: &str, text: &str, seeds: Option<Seeds>) -> Result<u64, Errors> {
    let document = document(file, text)?;
    sweep::size(text, &document, seeds).map_err(|faults| Errors::new(file, text, faults))
}

/// A plan with the trials that a study wants on top. A search may choose a value that the experiment's own text
/// refuses, which is an error in that text, called `file`.
pub fn grown(file: &str, plan: Plan, wanted: &[Wanted]) -> Result<Plan, Errors> {
    let text = plan.spec.clone();
    let document = document(file, &text)?;
    sweep::grown(plan, &text, &document, wanted).map_err(|faults| Errors::new(file, &text, faults))
}

/// The keys of each section that is a table of rows.
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
