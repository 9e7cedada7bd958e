//! Where an experiment says something.

use crate::experiment::{Outline, Span};

/// Where a key of the flows is written: in a flow, or where it varies.
pub(super) fn place(outline: &Outline, key: &str) -> Span {
    let own = outline.flows.iter().find(|(name, _)| name == key);
    let varied = outline.varied.iter().find(|(name, _)| name.starts_with("flows.") && name.ends_with(key));
    let section = outline.sections.iter().find(|(name, _)| name == "flows");
    own.or(varied).or(section).map_or(0..0, |(_, span)| span.clone())
}
