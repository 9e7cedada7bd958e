//! What a rule found.

use super::flow::Flow;
use super::sizes::Sizes;
use crate::remedy::Remedy;
use evidence::{Place, Setting};
use serde::Serialize;

/// A limit that binds, or a setting that does nothing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// The name of its rule.
    pub rule: &'static str,
    /// The connection that it is about; `None` of hosts, and of what several files tell together.
    pub about: Option<About>,
    /// How much it matters.
    pub severity: Severity,
    /// How sure it is, by the rule's own statement.
    pub confidence: Confidence,
    /// The share of time or of goodput that it takes, 0 to 1, as far as is known; it orders findings.
    pub cost: f64,
    /// The finding in a sentence.
    pub says: String,
    /// What it rests on.
    pub figures: Vec<Figure>,
    /// Doubts.
    pub caveats: Vec<String>,
    /// Commands that would settle what is not sure.
    pub ask: Vec<String>,
    /// The rule whose finding explains this one.
    pub follows: Option<&'static str>,
    /// Whether it is of the time without what would explain it.
    #[serde(skip)]
    pub beside: bool,
    /// The settings that it rests on, each of which is a figure as well.
    #[serde(skip)]
    pub settings: Vec<Setting>,
    /// What to do.
    pub remedies: Vec<Remedy>,
    /// The sizes for which its rule's own remedies are to be.
    #[serde(skip)]
    sizes: Option<Sizes>,
}

/// The connection that a finding is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct About {
    /// Its name.
    pub connection: String,
    /// Where it was read.
    pub place: Place,
    /// Connections at the same time over the same path have the same number.
    pub group: usize,
    /// The names of others of them of which the same was found.
    pub others: Vec<String>,
}

impl About {
    /// Whether it is this connection.
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

/// How sure a finding is. What each level takes is stated by its rule; none is said without a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// It fits what was seen, and so does something else.
    Low,
    /// Something was seen that it explains and few others do.
    Medium,
    /// What binds was itself counted or measured, and the arithmetic agrees.
    High,
}

impl Confidence {
    /// As it is printed.
    pub fn word(self) -> &'static str {
        match self {
            Confidence::Low => "low",
            Confidence::Medium => "medium",
            Confidence::High => "high",
        }
    }
}

/// A figure that a finding rests on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// What it is.
    pub name: String,
    /// With its unit.
    pub value: String,
    /// Where it is from: a file and line, or the arithmetic.
    pub from: String,
}

/// What every finding says of a connection whose listing or capture is not whole.
pub(super) const CUT_OFF: &str = "The run was cut off: figures cover only what is there.";

impl Finding {
    /// A problem of a rule; figures and remedies follow.
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

    /// Something worth knowing.
    pub fn note(rule: &'static str, confidence: Confidence, says: impl Into<String>) -> Finding {
        Finding { severity: Severity::Note, ..Finding::problem(rule, confidence, 0.0, says) }
    }

    /// About a connection.
    pub(super) fn of(mut self, flow: &Flow) -> Finding {
        let (place, connection) = (flow.seen.place.clone(), flow.seen.name.clone());
        self.about = Some(About { connection, place, group: flow.seen.group, others: vec![] });
        if flow.seen.cut_off { self.doubt(CUT_OFF) } else { self }
    }

    /// With a figure, and where it is from.
    pub fn figure(mut self, name: impl Into<String>, value: impl Into<String>, from: impl ToString) -> Finding {
        self.figures.push(Figure { name: name.into(), value: value.into(), from: from.to_string() });
        self
    }

    /// With a figure of a place, if there is one.
    pub fn at(self, name: impl Into<String>, value: impl Into<String>, place: &Place) -> Finding {
        self.figure(name, value, place)
    }

    /// With a setting that it rests on.
    pub fn setting(mut self, name: impl Into<String>, setting: &Setting) -> Finding {
        self.settings.push(setting.clone());
        self.at(name, setting.value.clone(), &setting.place)
    }

    /// With a doubt.
    pub fn doubt(mut self, doubt: impl Into<String>) -> Finding {
        self.caveats.push(doubt.into());
        self
    }

    /// With a command that would settle it.
    pub fn ask(mut self, command: impl Into<String>) -> Finding {
        self.ask.push(command.into());
        self
    }

    /// With what its rule proposes, for a path's sizes.
    pub(super) fn sized(mut self, sizes: Sizes) -> Finding {
        self.sizes = Some(sizes);
        self
    }

    /// With those remedies, if it has sizes for them.
    pub(super) fn proposing(mut self, remedies: fn(&Sizes) -> Vec<Remedy>) -> Finding {
        if let Some(sizes) = self.sizes.take() {
            self.remedies = remedies(&sizes);
        }
        self
    }

    /// With what to do in place of what its rule proposes.
    pub(crate) fn with_remedies(mut self, remedies: Vec<Remedy>) -> Finding {
        self.remedies = remedies;
        self
    }
}
