//! Other runs over the same path in the evidence: their changes and their goodput. Predictions for the same change are
//! compared with them.

use super::hosts::{at_run, receive_buffer, third};
use diagnosis::diagnose;
use evidence::{Connection, End, Evidence};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A run with its changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Place of the listing that prints it.
    pub place: String,
    /// Names of the changes against the explained run; empty if nothing changed.
    pub changed: Vec<String>,
    /// Goodput of all its streams, bit/s.
    pub goodput: f64,
}

/// A smaller relative difference of goodput does not count: runs of one path differ by as much.
const GOODPUT_RESOLUTION_SHARE: f64 = 0.03;

impl Measured {
    /// Finds every other run.
    pub fn all(evidence: &Evidence, explained: &Connection, bulk: &[&Connection]) -> Vec<Measured> {
        let others: Vec<&Connection> = bulk.iter().filter(|one| !is_of_run(one, explained)).copied().collect();
        let first = |at: usize| others[..at].iter().all(|known| !is_of_run(known, others[at]));
        let run = |at: usize| {
            let streams = others.iter().filter(|one| is_of_run(one, others[at]));
            let goodput: Vec<f64> = streams.filter_map(|one| one.goodput).collect();
            let mut changed = changes(evidence, explained, others[at]);
            changed.extend((goodput.len() > 1).then(|| format!("{} parallel streams", goodput.len())));
            changed.extend((!is_same_path(explained, others[at])).then(|| "other hosts".to_owned()));
            Measured { place: others[at].place.to_string(), changed, goodput: goodput.iter().sum() }
        };
        (0..others.len()).filter(|at| first(*at)).map(run).collect()
    }

    /// Describes the run.
    pub fn description(&self) -> String {
        let with = if self.changed.is_empty() { "again".into() } else { format!("with {}", self.changed.join(" + ")) };
        format!("{}: {} {with}", self.place, base::show::rate(self.goodput))
    }

    /// Whether its changes have this name.
    pub fn is_with(&self, name: &str) -> bool {
        let own: BTreeSet<&str> = self.changed.iter().map(String::as_str).collect();
        own == name.split(" + ").collect()
    }

    /// Returns how far the run's goodput is outside an interval, as a share of the nearer end; `None` if inside.
    pub fn off(&self, interval: [f64; 2]) -> Option<f64> {
        beyond(self.goodput, interval)
    }
}

/// Returns how far a goodput is outside an interval, as a share of the nearer end; `None` if inside.
pub fn beyond(goodput: f64, [low, high]: [f64; 2]) -> Option<f64> {
    let beyond = if goodput < low { goodput / low } else { (goodput / high).max(1.0) } - 1.0;
    (beyond.abs() > GOODPUT_RESOLUTION_SHARE).then_some(beyond)
}

/// Whether both are streams of one run.
pub fn is_of_run(one: &Connection, other: &Connection) -> bool {
    one.group == other.group && one.place == other.place
}

/// Whether both ran in the same direction between the same hosts, or are in one document that does not name them.
fn is_same_path(one: &Connection, other: &Connection) -> bool {
    let same = one.ends.zip(other.ends).map(|(own, known)| own == known);
    same.unwrap_or(one.place.file == other.place.file && one.seen == other.seen)
}

/// Returns the names of the known changes between two runs.
fn changes(evidence: &Evidence, explained: &Connection, other: &Connection) -> Vec<String> {
    let control = |one| diagnose::control(one, evidence).map(|control| control.name);
    let [before, after] = [control(explained), control(other)];
    let mut all: Vec<String> = after.into_iter().filter(|after| before.as_ref() != Some(after)).collect();
    let buffers = [(End::Sender, "send buffer"), (End::Receiver, "receive buffer")];
    for (end, name) in buffers {
        let held = |run: &Connection| {
            at_run(evidence, run, end, |host, run| match end {
                End::Sender => third(host, "net.ipv4.tcp_wmem", run),
                End::Receiver => receive_buffer(host, run),
            })
        };
        match held(explained).zip(held(other)) {
            Some((before, after)) if after > before => all.push(format!("larger {name}")),
            Some((before, after)) if after < before => all.push(format!("smaller {name}")),
            _ => {}
        }
    }
    match (explained.asked, other.asked) {
        (Some(_), None) => all.push("no -w".into()),
        (before, Some(after)) if before != Some(after) => all.push(format!("-w of {}", base::show::bytes(after))),
        _ => {}
    }
    match (explained.target, other.target) {
        (Some(_), None) => all.push("no -b".into()),
        (before, Some(after)) if before != Some(after) => all.push(format!("-b of {}", base::show::rate(after))),
        _ => {}
    }
    all
}
