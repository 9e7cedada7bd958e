//! What rules asked of a transfer, and answers that were not kept.

use serde::Serialize;

/// A question that a rule asked of a transfer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Asked {
    /// Name of the rule.
    pub rule: &'static str,
    /// What it asked for.
    pub question: &'static str,
    /// What was measured.
    pub measured: String,
    /// What the rule needs.
    pub needed: String,
    /// Whether it is met.
    pub met: bool,
}

/// An answer that was found and not kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Dropped {
    /// Name of the rule.
    pub rule: &'static str,
    /// Name of the connection.
    pub connection: String,
    /// Why it was not kept.
    pub why: String,
}
