//! The finding of a rule, and its parts.

use super::flow::Flow;
use super::sizes::Sizes;
use crate::remedy::Remedy;
use evidence::{Place, Setting};
use serde::Serialize;

/// A limit in effect, or a setting without effect.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// Name of the rule.
    pub rule: &'static str,
    /// Connection concerned; `None` for findings about hosts, or about several files together.
    pub about: Option<About>,
    /// How much it matters.
    pub severity: Severity,
    /// Confidence, by the rule's own criteria.
    pub confidence: Confidence,
    /// Share of time or goodput that it costs, 0 to 1, if known; findings are ordered by it.
    pub cost: f64,
    /// One-sentence statement.
    pub says: String,
    /// Figures that support it.
    pub figures: Vec<Figure>,
    /// Doubts.
    pub caveats: Vec<String>,
    /// Commands that would resolve the doubts.
    pub ask: Vec<String>,
    /// Rule whose finding explains this one.
    pub follows: Option<&'static str>,
    /// Whether it concerns the time without the fault that could explain it, so that it follows from nothing.
    #[serde(skip)]
    pub beside: bool,
    /// Settings that support it; each is a figure too.
    #[serde(skip)]
    pub settings: Vec<Setting>,
    /// Remedies.
    pub remedies: Vec<Remedy>,
    /// Sizes from which its rule computes the remedies.
    #[serde(skip)]
    sizes: Option<Sizes>,
}

/// The connection that a finding concerns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct About {
    /// Name of the connection.
    pub connection: String,
    /// File and line where it was read.
    pub place: Place,
    /// Group number: connections at the same time over the same path share it.
    pub group: usize,
    /// Names of other connections in the group with the same finding.
    pub others: Vec<String>,
}

impl About {
    /// Whether this is the given connection.
    pub(super) fn is(&self, flow: &Flow) -> bool {
        flow.seen.place == self.place && flow.seen.name == self.connection
    }
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Worth knowing; nothing is slow because of it.
    Note,
    /// Something is slow, or will be, because of it.
    Problem,
}

/// Confidence in a finding. Each rule states what a level requires, and every finding has a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// Fits the evidence, but another cause does too.
    Low,
    /// Explains an observation that few other causes explain.
    Medium,
    /// The limit itself was counted or measured, and the arithmetic agrees.
    High,
}

impl Confidence {
    /// Returns the word that is printed.
    pub fn word(self) -> &'static str {
        match self {
            Confidence::Low => "low",
            Confidence::Medium => "medium",
            Confidence::High => "high",
        }
    }
}

/// A figure that supports a finding.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// Name of the quantity.
    pub name: String,
    /// Value with its unit.
    pub value: String,
    /// Origin: a file and line, or the arithmetic.
    pub from: String,
}

/// Caveat of every finding about a connection whose listing or capture is incomplete.
pub(super) const CUT_OFF: &str = "The run was cut off: figures cover only what is there.";

impl Finding {
    /// Creates a problem of a rule; figures and remedies follow.
    pub fn problem(rule: &'static str, confidence: Confidence, cost: f64, says: impl Into<String>) -> Finding {
        Finding {
            rule,
            about: None,
            severity: Severity::Problem,
            confidence,
            cost: if cost.is_finite() { cost.clamp(0.0, 1.0) } else { 0.0 },
            says: says.into(),
            figures: vec![],
            caveats: vec![],
            ask: vec![],
            follows: None,
            beside: false,
            settings: vec![],
            remedies: vec![],
            sizes: None,
        }
    }

    /// Creates a note of a rule.
    pub fn note(rule: &'static str, confidence: Confidence, says: impl Into<String>) -> Finding {
        Finding { severity: Severity::Note, ..Finding::problem(rule, confidence, 0.0, says) }
    }

    /// Attaches the connection that it is about, and the caveat if the run was cut off.
    pub(super) fn about_flow(mut self, flow: &Flow) -> Finding {
        let (place, connection) = (flow.seen.place.clone(), flow.seen.name.clone());
        self.about = Some(About { connection, place, group: flow.seen.group, others: vec![] });
        if flow.seen.cut_off { self.doubt(CUT_OFF) } else { self }
    }

    /// Adds a figure with its origin.
    pub fn figure(mut self, name: impl Into<String>, value: impl Into<String>, from: impl ToString) -> Finding {
        self.figures.push(Figure { name: name.into(), value: value.into(), from: from.to_string() });
        self
    }

    /// Adds a figure read at a place.
    pub fn at(self, name: impl Into<String>, value: impl Into<String>, place: &Place) -> Finding {
        self.figure(name, value, place)
    }

    /// Adds a setting that supports it, as a figure too.
    pub fn setting(mut self, name: impl Into<String>, setting: &Setting) -> Finding {
        self.settings.push(setting.clone());
        self.at(name, setting.value.clone(), &setting.place)
    }

    /// Adds a caveat.
    pub fn doubt(mut self, doubt: impl Into<String>) -> Finding {
        self.caveats.push(doubt.into());
        self
    }

    /// Adds a command that would resolve the doubt.
    pub fn ask(mut self, command: impl Into<String>) -> Finding {
        self.ask.push(command.into());
        self
    }

    /// Attaches the path's sizes, from which its rule computes remedies.
    pub(super) fn sized(mut self, sizes: Sizes) -> Finding {
        self.sizes = Some(sizes);
        self
    }

    /// Computes its rule's remedies, if it has sizes for them.
    pub(super) fn proposing(mut self, remedies: fn(&Sizes) -> Vec<Remedy>) -> Finding {
        if let Some(sizes) = self.sizes.take() {
            self.remedies = remedies(&sizes);
        }
        self
    }

    /// Replaces its rule's remedies.
    pub(crate) fn with_remedies(mut self, remedies: Vec<Remedy>) -> Finding {
        (self.remedies, self.sizes) = (remedies, None);
        self
    }
}
