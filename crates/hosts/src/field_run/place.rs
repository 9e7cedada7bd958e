//! Places in an experiment's file.

use experiment::{Outline, Span};

/// Returns the place of a flow's key: in a flow, or in its variation.
pub(super) fn place(outline: &Outline, key: &str) -> Span {
    let own = outline.flows.iter().find(|(name, _)| name == key);
    let varied = outline.varied.iter().find(|(name, _)| name.starts_with("flows.") && name.ends_with(key));
    let section = outline.sections.iter().find(|(name, _)| name == "flows");
    own.or(varied).or(section).map_or(0..0, |(_, span)| span.clone())
}
