//! Outline of an experiment: its keys and their positions, for callers that support only some keys.

use super::{Errors, Span, document, sweep};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Keys of an experiment, with their positions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// Sections, and the keys above them.
    pub sections: Vec<(String, Span)>,
    /// Keys of all `[[flows]]`.
    pub flows: Vec<(String, Span)>,
    /// Keys that vary.
    pub varied: Vec<(String, Span)>,
}

/// Returns the outline of an experiment that has a plan. `file` names the text in errors.
pub fn outline(file: &str, text: &str) -> Result<Outline, Errors> {
    let document = document(file, text)?;
    let own = |table: &DeTable| -> Vec<(String, Span)> {
        table.iter().map(|(key, _)| (key.get_ref().to_string(), key.span())).collect()
    };
    let flows = match document.get_ref().get("flows").map(Spanned::get_ref) {
        Some(DeValue::Array(flows)) => {
            flows.iter().filter_map(|flow| flow.get_ref().as_table()).flat_map(own).collect()
        }
        _ => vec![],
    };
    let varied = sweep::varied(text, &document).into_iter().map(|key| (key.get_ref().clone(), key.span()));
    Ok(Outline { sections: own(document.get_ref()), flows, varied: varied.collect() })
}
