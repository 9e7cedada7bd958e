//! The cause that limited a path, according to the counters.

use crate::counted::{Counted, FULL_LINK_SHARE};
use crate::paths::{CAUSES, Cause, Path};

/// Judgement of an expert who has seen the counters.
pub struct Label {
    /// Limiting causes, the largest first; none if the link was full.
    pub causes: Vec<&'static Cause>,
    /// How long each did.
    pub shares: Vec<f64>,
}

/// A cause is named from this share on.
const MIN_NAMED_SHARE: f64 = 0.15;
/// A cause may be named first from this share on.
const MIN_FIRST_SHARE: f64 = 0.3;

impl Label {
    /// `None` if the line was not full, and nothing that was built in limited either.
    pub fn of(path: &Path, counted: &Counted) -> Option<Label> {
        let mut all: Vec<(&'static Cause, f64)> = path
            .causes
            .iter()
            .map(|cause| (*cause, (cause.binds)(path, counted)))
            .filter(|(_, share)| *share >= MIN_NAMED_SHARE)
            .collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        (counted.utilisation >= FULL_LINK_SHARE || !all.is_empty()).then(|| Label {
            causes: all.iter().map(|(cause, _)| *cause).collect(),
            shares: all.iter().map(|(_, share)| *share).collect(),
        })
    }

    /// Returns the label's name in the tables.
    pub fn name(&self) -> String {
        let names: Vec<&str> = self.causes.iter().map(|cause| cause.name).collect();
        if names.is_empty() { "full".into() } else { names.join("+") }
    }

    /// Causes that may be named first.
    pub fn first(&self) -> impl Iterator<Item = &'static Cause> + use<'_> {
        let enough = |share: f64| share >= MIN_FIRST_SHARE || Some(&share) == self.shares.first();
        self.causes.iter().zip(&self.shares).filter(move |(_, share)| enough(**share)).map(|(cause, _)| *cause)
    }

    /// True if the path has two or more causes, so that a second one should be named.
    pub fn is_pair(&self) -> bool {
        self.causes.len() > 1
    }

    /// The finding for this label in the matrix.
    pub fn finding(&self) -> &'static str {
        self.causes.first().map_or(CAUSES[0].finding, |cause| cause.finding)
    }
}
