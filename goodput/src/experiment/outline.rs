//! What is written where in an experiment, for whoever can do only a part of it.

use super::{Errors, Span, document, sweep};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The keys of an experiment and their places.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// The sections, and the keys above them.
    pub sections: Vec<(String, Span)>,
    /// The keys of all `[[flows]]`.
    pub flows: Vec<(String, Span)>,
    /// The keys that vary.
    pub varied: Vec<(String, Span)>,
}

/// The outline of an experiment that has a plan. `file` names the text in errors.
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
