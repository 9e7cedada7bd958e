//! What the diagnosis finds in the evidence of a transfer.

use super::words;
use crate::diagnose::Diagnosis;
use serde::{Deserialize, Serialize};

/// What the diagnosis finds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Diagnosed {
    /// The rule that found it.
    pub rule: String,
    /// What it says.
    pub says: String,
    /// The changes that it proposes, as those that are tried in the laboratory are called.
    pub proposes: Vec<String>,
}

impl Diagnosed {
    /// What binds, if anything does.
    pub fn of(diagnosis: &Diagnosis) -> Option<Diagnosed> {
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
