//! A rule: one limit, how it is recognized, and what lifts it.

use super::evidence_gaps::Need;
use super::finding::Finding;
use super::sizes::Sizes;
use super::view::View;
use crate::remedy::Remedy;

/// One limit. Everything that is said of it, here, in `goodput explain` and in the reference, is in its row.
pub struct Rule {
    /// As `goodput explain` takes it.
    pub name: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// Evidence without which it can't tell; a test holds it to what its function looks at.
    pub needs: &'static [Need],
    /// The model behind it.
    pub model: &'static str,
    /// Where the model is from.
    pub source: &'static str,
    /// Each threshold, and why it is what it is.
    pub thresholds: &'static [(&'static str, &'static str)],
    /// What each level of confidence takes.
    pub confidence: &'static str,
    /// What would confirm it.
    pub confirm: &'static [&'static str],
    /// What else looks the same, and how to tell them apart.
    pub alike: &'static [(&'static str, &'static str)],
    /// Rules whose findings follow from this one's.
    pub explains: &'static [&'static str],
    /// What to do, for the sizes that the finding knows.
    pub remedies: fn(&Sizes) -> Vec<Remedy>,
    /// The share of goodput that it is taken to cost where nothing measures it; findings are ordered by it.
    pub assumed: f64,
    /// Looks at the evidence.
    pub find: fn(&View) -> Vec<Finding>,
}
