//! Names of mechanisms, changes and figures, and how sentences use them.

use base::show;
use diagnosis::remedy::{Attribute, Change, Discipline, Side, SocketOption};

/// Name of an explanation if removing each mechanism changes nothing.
pub const NO_LIMIT: &str = "no limit on the path";

pub const SEND_BUFFER: &str = "larger send buffer";
pub const RECEIVE_BUFFER: &str = "larger receive buffer";
pub const STREAMS: &str = "4 parallel streams";
pub const HYSTART: &str = "HyStart off";
pub const NO_SOCKET_BUFFER: &str = "no -w";
pub const SHAPER: &str = "shaper below the policer";
pub const FQ: &str = "pacing by fq";
pub const ROUTE_MTU: &str = "smaller MTU";

/// Returns mechanisms with their articles.
pub fn noun(name: &str) -> String {
    let one = |name: &str| match name {
        name if name.ends_with("loss") || name.starts_with("socket") || [NO_LIMIT, "reordering"].contains(&name) => {
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

/// Formats a figure with two significant digits.
pub fn two_digits(value: f64) -> String {
    let digits = if value > 0.0 { (1 - value.log10().floor() as i32).clamp(0, 4) as usize } else { 0 };
    format!("{value:.digits$}")
}

/// Returns the name of a change that the diagnosis proposes; `None` if the lab does not try it.
pub fn called(change: &Change) -> Option<&'static str> {
    Some(match change {
        Change::Autotuning { side: Side::Send, .. } => SEND_BUFFER,
        Change::Autotuning { side: Side::Receive, .. } => RECEIVE_BUFFER,
        Change::Congestion(name) => name,
        Change::Qdisc { discipline: Discipline::Fq, .. } => FQ,
        Change::Qdisc { .. } => SHAPER,
        Change::Streams(_) => STREAMS,
        Change::Socket(SocketOption::DefaultBuffer(_)) => NO_SOCKET_BUFFER,
        Change::Route { attribute: Attribute::Mtu, .. } => ROUTE_MTU,
        _ => return None,
    })
}

/// A sentence with its heading. The terminal and the report print the same ones.
pub struct Statement {
    /// Heading with its colon, or empty.
    pub head: &'static str,
    pub says: String,
}

/// A statement.
pub fn state(head: &'static str, says: impl Into<String>) -> Statement {
    Statement { head, says: says.into() }
}

/// Formats how far a value is outside an interval, from a share of the nearer end.
pub fn far(beyond: f64) -> String {
    format!("{} {}", show::share(beyond.abs()), if beyond > 0.0 { "above" } else { "below" })
}
