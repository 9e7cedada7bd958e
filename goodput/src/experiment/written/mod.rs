//! The experiment as a person wrote it: every value with its place, and nothing filled in.

mod node;

use super::Span;
pub use super::keys::flow::{Direction, Flow, MSS_MIN};
pub use super::keys::line::{Change, Follow, Jitter, Line, Pace};
pub use super::keys::link::{Link, Side, Tunnel, Wrapper};
pub use super::keys::loss::{Loss, Outage, TwoStates};
pub use super::keys::queue::{Discipline, Queue};
pub use super::keys::record::Record;
pub use super::leaf::{Buffer, Extent};
use crate::plan::{self, Enough};
pub use node::*;
use toml::Spanned;
use toml::de::DeValue;

/// What the points of a sweep have in common.
#[derive(Debug)]
pub struct Experiment<'a> {
    pub title: String,
    /// The question that it answers.
    pub question: Option<String>,
    /// The sweep, in the order written.
    pub vary: Vec<Axis<'a>>,
    /// A key whose values are chosen as the answer needs them.
    pub search: Option<Search>,
    pub repeat: Repeat,
    /// What is compared with what.
    pub compare: Compare,
    pub expect: Vec<Expect>,
    /// What others measured.
    pub published: Vec<Published>,
}

/// What may vary from point to point. What could not be read is `None`, and a fault is noted.
#[derive(Debug)]
pub struct Setup {
    /// The guest kernel, if one is named.
    pub kernel: Option<Spanned<String>>,
    /// The IP of all nodes, if it is written.
    pub family: Option<Spanned<plan::Family>>,
    /// What all hosts are told.
    pub hosts: Host,
    /// Hosts, switches and routers, each kind in the order written.
    pub nodes: Vec<Node>,
    /// `[[links]]`, or the one that `[path]` stands for.
    pub links: Vec<Link>,
    /// `[[tunnels]]`
    pub tunnels: Vec<Tunnel>,
    /// `[[flows]]`, each standing for [`Flow::count`] connections.
    pub flows: Vec<Flow>,
    pub record: Record,
}

/// One axis of the sweep.
#[derive(Debug)]
pub struct Axis<'a> {
    /// What its settings are called: a key, several that move together, or the name of cases.
    pub keys: Vec<Spanned<String>>,
    pub cases: Vec<Case<'a>>,
}

/// One value of an axis.
#[derive(Debug)]
pub struct Case<'a> {
    /// As the report shows it, one text for each of the axis' keys.
    pub shown: Vec<Spanned<String>>,
    /// What it puts into the document.
    pub puts: Vec<Put<'a>>,
}

#[derive(Debug, Clone)]
pub struct Put<'a> {
    /// The key's path in the spec.
    pub key: Spanned<String>,
    /// The value and where it is written.
    pub value: Spanned<Written<'a>>,
}

/// A value as it is written, or as a range comes to it.
#[derive(Debug, Clone)]
pub enum Written<'a> {
    Out(&'a DeValue<'a>),
    /// Computed: as TOML would have it.
    Computed(String),
}

/// `[repeat]`.
#[derive(Debug)]
pub struct Repeat {
    /// How many seeds, if a number is written.
    pub seeds: Option<u64>,
    /// When there are enough.
    pub until: Option<Enough>,
    /// How far the starts of the flows may move apart, ns.
    pub spread: Option<u64>,
}

/// `[search]`.
#[derive(Debug)]
pub struct Search {
    pub key: Spanned<String>,
    /// Where its values are written.
    pub span: Span,
    /// The values that there are, what is looked for and how long.
    pub plan: plan::Search,
}

/// `[compare]`.
#[derive(Debug, Default)]
pub struct Compare {
    pub over: Option<Spanned<String>>,
    /// The value against which the others stand.
    pub against: Option<Spanned<String>>,
    pub measures: Option<Spanned<Vec<&'static str>>>,
    /// The flows that are compared.
    pub flows: Vec<Spanned<String>>,
    /// The relative difference that does not matter.
    pub margin: Option<Spanned<f64>>,
}

/// `[[expect]]`.
#[derive(Debug)]
pub struct Expect {
    /// The measure's name.
    pub measure: &'static str,
    /// The flow it is about.
    pub flow: Option<Spanned<String>>,
    /// The points it is about.
    pub at: At,
    /// Smallest value, in the measure's unit.
    pub at_least: Option<f64>,
    /// Largest value, in the measure's unit.
    pub at_most: Option<f64>,
    /// The share of trials that is predicted to lie within the bounds.
    pub share: Option<f64>,
}

/// `[[published]]`.
#[derive(Debug)]
pub struct Published {
    pub source: String,
    /// The measure's name.
    pub measure: &'static str,
    /// The flow it is about.
    pub flow: Option<Spanned<String>>,
    /// The points it is about.
    pub at: At,
    /// In the measure's unit.
    pub value: f64,
}

/// `where`: keys of the sweep and values.
pub type At = Vec<(Spanned<String>, Spanned<String>)>;
