//! The experiment as written: every value with its position, and no defaults filled in.

mod node;

use super::Span;
pub use super::keys::flow::{Direction, Flow, MSS_MIN};
pub use super::keys::line::{Change, Follow, Jitter, Line, Pace};
pub use super::keys::link::{Link, Side, Tunnel, Wrapper};
pub use super::keys::loss::{Loss, Outage, TwoStates};
pub use super::keys::queue::{Discipline, Queue};
pub use super::keys::record::Record;
pub use super::leaf::{Buffer, Extent};
pub use node::*;
use plan::{self, Enough};
use toml::Spanned;
use toml::de::DeValue;

/// Everything that the points of a sweep share.
#[derive(Debug)]
pub struct Experiment<'a> {
    pub title: String,
    /// The question that the experiment answers.
    pub question: Option<String>,
    /// Axes of the sweep, in the order written.
    pub vary: Vec<Axis<'a>>,
    /// Search over one key, whose values are chosen as the answer needs them.
    pub search: Option<Search>,
    pub repeat: Repeat,
    /// The comparison.
    pub compare: Compare,
    pub expect: Vec<Expect>,
    /// Figures that others published.
    pub published: Vec<Published>,
}

/// Everything that may vary from point to point. Values that could not be read are `None`, and a fault is noted.
#[derive(Debug)]
pub struct Setup {
    /// Guest kernel, if one is named.
    pub kernel: Option<Spanned<String>>,
    /// IP version of all nodes, if written.
    pub family: Option<Spanned<plan::Family>>,
    /// Keys for all hosts.
    pub hosts: Host,
    /// Hosts, switches and routers, each kind in the order written.
    pub nodes: Vec<Node>,
    /// `[[links]]`, or the one link that `[path]` describes.
    pub links: Vec<Link>,
    /// `[[tunnels]]`
    pub tunnels: Vec<Tunnel>,
    /// `[[flows]]`, each standing for [`Flow::count`] connections.
    pub flows: Vec<Flow>,
    pub record: Record,
}

/// An axis of the sweep.
#[derive(Debug)]
pub struct Axis<'a> {
    /// Names of its settings: a key, several keys that move together, or the name of the cases.
    pub keys: Vec<Spanned<String>>,
    pub cases: Vec<Case<'a>>,
}

/// One value of an axis.
#[derive(Debug)]
pub struct Case<'a> {
    /// Its text in reports, one for each of the axis' keys.
    pub shown: Vec<Spanned<String>>,
    /// Values that it puts into the document.
    pub puts: Vec<Put<'a>>,
}

#[derive(Debug, Clone)]
pub struct Put<'a> {
    /// The key's path in the experiment.
    pub key: Spanned<String>,
    /// The value and its position.
    pub value: Spanned<Written<'a>>,
}

/// A value, either written out or computed from a range.
#[derive(Debug, Clone)]
pub enum Written<'a> {
    Out(&'a DeValue<'a>),
    /// Computed value, in TOML syntax.
    Computed(String),
}

/// `[repeat]`.
#[derive(Debug)]
pub struct Repeat {
    /// Number of seeds, if written.
    pub seeds: Option<u64>,
    /// When to stop adding seeds.
    pub until: Option<Enough>,
    /// Range of the flows' start delays, ns.
    pub spread: Option<u64>,
}

/// `[search]`.
#[derive(Debug)]
pub struct Search {
    pub key: Spanned<String>,
    /// Position of the section's values.
    pub span: Span,
    /// The search: its possible values, its goal and its length.
    pub plan: plan::Search,
}

/// `[compare]`.
#[derive(Debug, Default)]
pub struct Compare {
    pub over: Option<Spanned<String>>,
    /// The value with which the others are compared.
    pub against: Option<Spanned<String>>,
    pub measures: Option<Spanned<Vec<&'static str>>>,
    /// The flows to compare.
    pub flows: Vec<Spanned<String>>,
    /// Largest relative difference that counts as equivalent.
    pub margin: Option<Spanned<f64>>,
}

/// `[[expect]]`.
#[derive(Debug)]
pub struct Expect {
    /// Name of the measure.
    pub measure: &'static str,
    /// The flow that it applies to.
    pub flow: Option<Spanned<String>>,
    /// The points that it applies to.
    pub at: At,
    /// Smallest value, in the measure's unit.
    pub at_least: Option<f64>,
    /// Largest value, in the measure's unit.
    pub at_most: Option<f64>,
    /// Predicted share of trials within the bounds.
    pub share: Option<f64>,
}

/// `[[published]]`.
#[derive(Debug)]
pub struct Published {
    pub source: String,
    /// Name of the measure.
    pub measure: &'static str,
    /// The flow that it applies to.
    pub flow: Option<Spanned<String>>,
    /// The points that it applies to.
    pub at: At,
    /// Published value, in the measure's unit.
    pub value: f64,
}

/// Keys of the sweep and their values, as in `where`.
pub type At = Vec<(Spanned<String>, Spanned<String>)>;
