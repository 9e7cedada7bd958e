//! Is it slow at all?

use super::finding::About;
use super::flow::Flow;
use super::known::Known;
use super::view::View;
use crate::show::{rate, share};
use serde::Serialize;

/// What the connections that matter deliver together, and what they should.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Speed {
    /// Goodput of all of them, bit/s.
    pub goodput: f64,
    /// Rate of the link, bit/s, as far as it is known.
    pub link: Option<f64>,
    /// Who says so.
    pub from: Option<String>,
    /// Whether it is slow; `None` where nothing says what the link should carry.
    pub slow: Option<bool>,
}

/// Above this share of its link a transfer is not slow.
const FULL: f64 = 0.9;

impl Speed {
    /// Of the connection that a finding is about and those beside it, else of those that carried most; `None` if none
    /// carried anything.
    pub fn of(view: &View, about: Option<&About>) -> Option<Speed> {
        let is_meant = |flow: &&Flow| about.is_some_and(|about| about.is(flow));
        let meant = view.flows.iter().find(is_meant);
        let most = || view.flows.iter().max_by(|a, b| carried(a.seen.bytes).total_cmp(&carried(b.seen.bytes)));
        let most = meant.or_else(most)?;
        let goodput = most.total.unwrap_or(0.0);
        if !(goodput > 0.0 && goodput.is_finite()) {
            return None;
        }
        let full = |line: &Known| goodput > FULL * line.value * most.payload();
        // The speed of an interface can show that nothing is slow, and not that something is.
        let slow = most.line.as_ref().and_then(|line| match (full(line), line.from.is_bound()) {
            (true, _) => Some(false),
            (false, false) => Some(true),
            (false, true) => None,
        });
        let from = most.line.as_ref().map(|line| line.from.to_string());
        Some(Speed { goodput, link: most.line.as_ref().map(|line| line.value), from, slow })
    }

    /// In a sentence.
    pub fn sentence(&self) -> String {
        let goodput = rate(self.goodput);
        match (self.slow, self.link) {
            (Some(true), Some(link)) => {
                format!("Slow: {goodput} is {} of the {} link.", share(self.goodput / link), rate(link))
            }
            (Some(false), Some(link)) => {
                format!("Not slow: {goodput} is {} of the {} link.", share(self.goodput / link), rate(link))
            }
            (_, Some(link)) => format!(
                "Is {goodput} slow? The interface runs at {}, but the path may be slower. Pass --rate with what it should carry.",
                rate(link)
            ),
            _ => format!("Is {goodput} slow? The link rate is unknown: pass --rate with what it should carry."),
        }
    }
}

fn carried(bytes: Option<f64>) -> f64 {
    bytes.filter(|bytes| bytes.is_finite()).unwrap_or(0.0)
}
