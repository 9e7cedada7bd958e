//! The diagnosis of a transfer's evidence.

use super::words;
use diagnosis::diagnose::Diagnosis;
use serde::{Deserialize, Serialize};

/// The top finding of the diagnosis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Diagnosed {
    /// The rule that found it.
    pub rule: String,
    /// Its sentence.
    pub says: String,
    /// The changes that it proposes, by their names in the lab.
    pub proposes: Vec<String>,
}

/// Rules that say that the line itself limits.
pub const LINE_RULES: [&str; 2] = ["bufferbloat", "rate-cap"];

impl Diagnosed {
    /// Whether the finding says that the line itself limits.
    pub fn blames_line(&self) -> bool {
        LINE_RULES.contains(&self.rule.as_str())
    }

    /// Returns the top finding, if there is one.
    pub fn from_diagnosis(diagnosis: &Diagnosis) -> Option<Diagnosed> {
        let top = diagnosis.top()?;
        let mut proposes: Vec<String> = vec![];
        for name in top.remedies.iter().filter_map(|remedy| words::called(&remedy.change)) {
            if proposes.iter().all(|known| known != name) {
                proposes.push(name.to_owned());
            }
        }
        Some(Diagnosed { rule: top.rule.into(), says: top.says.clone(), proposes })
    }
}
