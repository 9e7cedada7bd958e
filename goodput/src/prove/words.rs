//! Mechanisms, changes and figures as sentences have them.

use crate::remedy::{Attribute, Change, Discipline, Side, SocketOption};
use crate::show;

/// What has no name of its own: taking it out of the experiment changes nothing.
pub const NOTHING: &str = "no limit on the path";

pub const SEND: &str = "larger send buffer";
pub const RECEIVE: &str = "larger receive buffer";
pub const STREAMS: &str = "4 parallel streams";
pub const HYSTART: &str = "HyStart off";
pub const UNSET: &str = "no -w";
pub const SHAPER: &str = "shaper below the policer";
pub const FQ: &str = "pacing by fq";
pub const ROUTE_MTU: &str = "smaller MTU";

/// Mechanisms as a sentence has them.
pub fn noun(name: &str) -> String {
    let one = |name: &str| match name {
        name if name.ends_with("loss") || name.starts_with("socket") || [NOTHING, "reordering"].contains(&name) => {
            name.into()
        }
        name if name.starts_with("pace") || ["line", "receive window", "send buffer"].contains(&name) => {
            format!("the {name}")
        }
        name if name.starts_with(['A', 'M', 'o']) => format!("an {name}"),
        name => format!("a {name}"),
    };
    name.split(" + ").map(one).collect::<Vec<String>>().join(" with ")
}

/// A figure with two digits that count.
pub fn two_digits(value: f64) -> String {
    let digits = if value > 0.0 { (1 - value.log10().floor() as i32).clamp(0, 4) as usize } else { 0 };
    format!("{value:.digits$}")
}

/// What a change is called here that the diagnosis proposes; `None` if nothing like it is tried.
pub fn called(change: &Change) -> Option<&'static str> {
    Some(match change {
        Change::Autotuning { side: Side::Send, .. } => SEND,
        Change::Autotuning { side: Side::Receive, .. } => RECEIVE,
        Change::Congestion(name) => name,
        Change::Qdisc { discipline: Discipline::Fq, .. } => FQ,
        Change::Qdisc { .. } => SHAPER,
        Change::Streams(_) => STREAMS,
        Change::Socket(SocketOption::DefaultBuffer(_)) => UNSET,
        Change::Route { attribute: Attribute::Mtu, .. } => ROUTE_MTU,
        _ => return None,
    })
}

/// A sentence, and what it is about. The terminal and the report print the same ones.
pub struct Statement {
    /// With its colon; empty of a sentence that stands alone.
    pub head: &'static str,
    pub says: String,
}

/// A statement.
pub fn state(head: &'static str, says: impl Into<String>) -> Statement {
    Statement { head, says: says.into() }
}

/// How far beyond an interval, as a share of its nearer end.
pub fn far(beyond: f64) -> String {
    format!("{} {}", show::share(beyond.abs()), if beyond > 0.0 { "above" } else { "below" })
}
