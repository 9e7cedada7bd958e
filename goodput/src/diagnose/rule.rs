//! A rule: one limit, how to recognize it, and how to remove it.

use super::evidence_gaps::Need;
use super::finding::Finding;
use super::sizes::Sizes;
use super::view::View;
use crate::remedy::Remedy;

/// A limit. Everything printed about it, here, in `goodput explain` and in the reference, is in its row.
pub struct Rule {
    /// Name, as `goodput explain` takes it.
    pub name: &'static str,
    /// Title, a few words.
    pub title: &'static str,
    /// Evidence that the rule needs; a test checks it against what the function reads.
    pub needs: &'static [Need],
    /// Model behind the rule.
    pub model: &'static str,
    /// Source of the model.
    pub source: &'static str,
    /// Returns each threshold and its reason; figures come from the constants that decide.
    pub thresholds: fn() -> Vec<(String, &'static str)>,
    /// Requirements of each level of confidence.
    pub confidence: &'static str,
    /// Commands that would confirm it.
    pub confirm: &'static [&'static str],
    /// Other causes with the same symptoms, and how to tell them apart.
    pub alike: &'static [(&'static str, &'static str)],
    /// Rules whose findings follow from this one's.
    pub explains: &'static [&'static str],
    /// Remedies for the sizes that the finding knows.
    pub remedies: fn(&Sizes) -> Vec<Remedy>,
    /// Share of goodput assumed as its cost if nothing measures it; findings are ordered by cost.
    pub assumed: f64,
    /// Searches the evidence.
    pub find: fn(&View) -> Vec<Finding>,
}
