//! Where nothing was found that binds: what the evidence rules out, and what is left.

use super::flow::Flow;
use super::view::View;
use serde::Serialize;

/// Limits by what the evidence says of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Undecided {
    /// What does not bind.
    pub ruled_out: Vec<&'static str>,
    /// What may.
    pub left: Vec<&'static str>,
}

/// A limit that held for less of the time than this does not bind.
const SELDOM: f64 = 0.05;

/// A limit, and whether it may bind; `None` if nothing tells.
type Limit = (&'static str, fn(&Flow) -> Option<bool>);

const LIMITS: &[Limit] = &[
    ("loss", |flow| Some(flow.seen.retransmitted? > 0.0)),
    ("ECN marks", |flow| Some(flow.seen.marked? > 0.0)),
    ("a standing queue", |flow| Some(flow.is_raised(0.0)? || flow.is_queue_of_window())),
    ("the receive window", |flow| {
        let counted = flow.seen.limits.map(|limits| limits.rwnd > SELDOM);
        counted.or_else(|| Some(flow.seen.goodput? * flow.base()? / 8.0 > 0.5 * flow.seen.window?.largest))
    }),
    ("the send buffer", |flow| Some(flow.seen.limits?.sndbuf > SELDOM)),
    ("the application", |flow| Some(flow.seen.limits?.busy < 1.0 - SELDOM)),
    ("the CPU", |flow| {
        let used = flow.seen.processors.into_iter().flatten().reduce(f64::max)?;
        Some(used > 0.8)
    }),
    ("the path MTU", |flow| Some(flow.seen.bytes? < 100.0 * flow.mss || flow.longest_silence()? > 1.5)),
];

impl Undecided {
    /// Of the connection that carried most.
    pub fn of(view: &View) -> Option<Undecided> {
        let most = view.flows.iter().max_by(|a, b| a.offered().total_cmp(&b.offered()))?;
        let mut all = Undecided::default();
        for (name, may_bind) in LIMITS {
            match may_bind(most) {
                Some(false) => all.ruled_out.push(name),
                _ => all.left.push(name),
            }
        }
        Some(all)
    }
}
