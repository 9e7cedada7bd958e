//! What limits the bulk flows of a point.

use crate::analyze::{self, Measures};
use crate::measure::{Kind, Unit};
use crate::plan::{Setting, Trial};
use crate::show;
use serde::{Deserialize, Serialize};

/// What limited a point's bulk flows for most of their time; part of `verdict.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    /// The point.
    pub at: Vec<Setting>,
    /// What limited them.
    pub by: Limiter,
    /// For what share of their time: the mean over the flows, the median over the seeds.
    pub share: f64,
    /// The same as a sentence.
    pub sentence: String,
}

/// What can limit a sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limiter {
    /// Its congestion window.
    Cwnd,
    /// The receiver's window.
    Rwnd,
    /// Its send buffer.
    Sndbuf,
    /// The timer that paces it.
    Pacing,
    /// An application that gives it nothing to send.
    App,
    /// Nothing that TCP_INFO shows, such as its own host's interface.
    Unknown,
}

/// Each with its measure, and its name in a sentence.
const LIMITERS: [(Limiter, &str, &str); 6] = [
    (Limiter::Cwnd, "limited-cwnd", "the congestion window"),
    (Limiter::Rwnd, "limited-rwnd", "the receive window"),
    (Limiter::Sndbuf, "limited-sndbuf", "the send buffer"),
    (Limiter::Pacing, "limited-pacing", "pacing"),
    (Limiter::App, "limited-app", "the application"),
    (Limiter::Unknown, "limited-unknown", "what TCP_INFO does not show"),
];

/// What limited a point's bulk flows; `None` if it has none.
pub(super) fn limit(trials: &[Trial], measures: &Measures) -> Option<Limit> {
    let shares = LIMITERS.iter().filter_map(|limiter| Some((limiter, median(limiter.1, trials, measures)?)));
    let (&(by, _, what), share) = shares.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let (point, flows) = (&trials[0].point, &trials[0].scene.flows);
    let bulk = analyze::of_kind(&trials[0].scene, Kind::Bulk).len();
    let limited = format!("limited by {what} {} of", show::value(Unit::Ratio, share));
    let kind = if bulk < flows.len() { "bulk " } else { "" };
    let sentence = match bulk {
        1 if flows.len() == 1 && !point.is_empty() => format!("{} is {limited} the time.", show::label(point)),
        1 => show::at(point, &format!("the {kind}flow is {limited} the time.")),
        _ => show::at(point, &format!("the {kind}flows are {limited} the time, on average.")),
    };
    Some(Limit { at: point.clone(), by, share, sentence })
}

/// The median over the seeds of the mean over the flows that have a value: one that never connected has no limits.
fn median(name: &str, trials: &[Trial], measures: &Measures) -> Option<f64> {
    let known = |trial: &Trial| {
        let all = analyze::of_kind(&trial.scene, Kind::Bulk);
        let none = measures.without(trial, name, &all);
        all.into_iter().filter(|flow| !none.contains(flow)).collect::<Vec<usize>>()
    };
    let value = |trial: &Trial| measures.over(trial, name, &known(trial));
    let mut values: Vec<f64> = trials.iter().filter_map(value).collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
