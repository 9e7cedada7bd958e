//! From the text of an experiment to its plan. Pure: no clock, host, file system or environment.
//!
//! `source` shows errors in the text, `reader` reads tables, `keys` says which keys each has and `leaf` what a key
//! takes; that makes the `written` types, from which `resolve` makes a scene in which nothing is open. Each point of
//! a sweep is a document of its own, in which the listed values stand where their keys point to; it is read and
//! resolved like any other, so that an error points into the list.

mod keys;
mod leaf;
mod reader;
mod resolve;
mod source;
mod sweep;
mod tuning;
mod written;

use crate::plan::Plan;
pub use source::{Errors, Fault, Span};

/// The kernel that an experiment runs on unless it names one.
#[derive(Debug, Clone, Copy, Default)]
pub struct Kernel<'a> {
    /// Its name.
    pub name: &'a str,
    /// The congestion controls that it has; empty if that is not known.
    pub congestion_controls: &'a [String],
}

/// The plan for an experiment. `file` names the text in errors.
pub fn plan(file: &str, text: &str, kernel: Kernel) -> Result<Plan, Errors> {
    let (document, errors) = toml::de::DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err(Errors::new(file, text, source::syntax(text, &errors)));
    }
    sweep::plan(text, &document, &kernel).map_err(|faults| Errors::new(file, text, faults))
}
