//! The experiment as a person wrote it: every value with its place, and nothing filled in.

mod flow;
mod line;
mod link;
mod node;

pub use flow::*;
pub use line::*;
pub use link::*;
pub use node::*;
use toml::Spanned;

/// What the points of a sweep have in common.
#[derive(Debug)]
pub struct Experiment {
    /// What it is about.
    pub title: String,
    /// The question that it answers.
    pub question: Option<String>,
    /// The guest kernel, if not the one that the caller names.
    pub kernel: Option<String>,
    /// The sweep, in the order written.
    pub vary: Vec<Axis>,
    /// The replicates.
    pub repeat: Repeat,
    /// What must hold.
    pub expect: Vec<Expect>,
    /// What others measured.
    pub published: Vec<Published>,
}

/// What may vary from point to point. What could not be read is `None`, and a fault is noted.
#[derive(Debug)]
pub struct Setup {
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
    /// What is recorded.
    pub record: Record,
}

/// One key of `[vary]`.
#[derive(Debug)]
pub struct Axis {
    /// Its path in the spec.
    pub key: Spanned<String>,
    /// Its values as the report shows them.
    pub values: Vec<Spanned<String>>,
}

/// `[repeat]`.
#[derive(Debug)]
pub struct Repeat {
    /// How many seeds.
    pub seeds: Option<u64>,
    /// How far the starts of the flows may move apart, ns.
    pub spread: Option<u64>,
}

/// `[record]`.
#[derive(Debug)]
pub struct Record {
    /// Between two samples, ns.
    pub interval: Option<u64>,
    /// A row for each ACK.
    pub acks: Option<bool>,
    /// A row for each drop.
    pub drops: Option<bool>,
    /// When a trial is given up, ns.
    pub limit: Option<Spanned<u64>>,
}

/// `[[expect]]`.
#[derive(Debug)]
pub struct Expect {
    /// The measure's name.
    pub measure: &'static str,
    /// The points it is about.
    pub at: At,
    /// Smallest value, in the measure's unit.
    pub at_least: Option<f64>,
    /// Largest value, in the measure's unit.
    pub at_most: Option<f64>,
}

/// `[[published]]`.
#[derive(Debug)]
pub struct Published {
    /// Who measured it.
    pub source: String,
    /// The measure's name.
    pub measure: &'static str,
    /// The points it is about.
    pub at: At,
    /// In the measure's unit.
    pub value: f64,
}

/// `where`: keys of the sweep and values.
pub type At = Vec<(Spanned<String>, Spanned<String>)>;
