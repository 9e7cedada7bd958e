//! Other runs over the same path in the evidence: their changes and their goodput. Predictions for the same change are
//! compared with them.

use super::hosts::{at_run, receive_buffer, send_buffer};
use super::settings;
use super::streams;
use super::trace::IPERF3_BLOCK_BYTES;
use diagnosis::diagnose;
use diagnosis::remedy::lab::Key;
use evidence::{Connection, End, Evidence, Source};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A run with its changes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Measured {
    /// Place of the listing that prints it.
    pub place: String,
    /// Names of the changes against the explained run; empty if nothing changed.
    pub changed: Vec<String>,
    /// Goodput of all its streams, bit/s.
    pub goodput: f64,
    /// Segments retransmitted by all its streams.
    #[serde(default)]
    pub retransmitted: Option<f64>,
    /// Standard deviation of its streams' goodput over their mean; `None` for one stream.
    #[serde(default)]
    pub unevenness: Option<f64>,
    /// How long it ran, seconds.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// The changes as keys of an experiment; `None` if the lab cannot make one of them.
    #[serde(skip)]
    pub keys: Option<Vec<Key>>,
}

/// What differs between two runs: a name, and the keys that make it in the lab; none if nothing does.
struct Change {
    name: String,
    keys: Vec<Key>,
}

impl Change {
    fn new(name: impl Into<String>, keys: Vec<Key>) -> Change {
        Change { name: name.into(), keys }
    }
}

/// A smaller relative difference of goodput does not count: runs of one path differ by as much.
const GOODPUT_RESOLUTION_SHARE: f64 = 0.03;

impl Measured {
    /// Finds every other run.
    pub fn all(
        evidence: &Evidence,
        explained: &Connection,
        own: &[&Connection],
        bulk: &[&Connection],
    ) -> Vec<Measured> {
        let others: Vec<&Connection> = bulk.iter().filter(|one| !is_of_run(one, own[0])).copied().collect();
        let first = |at: usize| others[..at].iter().all(|known| !is_of_run(known, others[at]));
        let run = |at: usize| {
            let streams: Vec<&Connection> = others.iter().filter(|one| is_of_run(one, others[at])).copied().collect();
            let each: Vec<f64> = streams.iter().filter_map(|one| one.goodput).collect();
            let mut all = changes(evidence, explained, others[at]);
            let [before, after] = [own, &streams[..]].map(|run| streams::count(evidence, run).unwrap_or(run.len()));
            if before != after {
                let name = if after == 1 { "1 stream".into() } else { format!("{after} parallel streams") };
                all.push(Change::new(name, vec![Key::new("flows.count", after as i64)]));
            }
            all.extend(other_path(evidence, explained, others[at]).map(|name| Change::new(name, vec![])));
            let is_shown = all.iter().all(|change| !change.keys.is_empty());
            Measured {
                place: others[at].place.to_string(),
                goodput: each.iter().sum(),
                retransmitted: streams.iter().map(|one| one.retransmitted).sum(),
                unevenness: (each.len() > 1).then(|| streams::unevenness(&each)),
                seconds: others[at].span.map(|[from, to]| to - from),
                keys: is_shown.then(|| all.iter().flat_map(|change| change.keys.clone()).collect()),
                changed: all.into_iter().map(|change| change.name).collect(),
            }
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

/// Whether both are streams of one run: of one listing, or of `ss` between the same hosts at the same time.
pub fn is_of_run(one: &Connection, other: &Connection) -> bool {
    let overlap = || {
        let [a, b] = [one, other].map(|seen| seen.points.first().zip(seen.points.last()));
        a.zip(b).is_some_and(|((a, until), (b, end))| a.time.max(b.time) < until.time.min(end.time))
    };
    let same = one.group == other.group;
    match (one.source, other.source) {
        (Source::Ss, Source::Ss) => same && one.place.file == other.place.file && (one.name == other.name || overlap()),
        _ => same && one.place == other.place,
    }
}

/// Names another path: unlike the first, the run went the other way or between other hosts.
fn other_path(evidence: &Evidence, one: &Connection, other: &Connection) -> Option<&'static str> {
    match one.ends.zip(other.ends) {
        Some((own, known)) if own == known => None,
        Some(([from, to], [start, end])) if from == end && to == start => Some("the other direction"),
        Some(_) => Some("other hosts"),
        None => {
            let way = |seen: &Connection| {
                let printed = evidence.listings.iter().find(|printed| printed.place == seen.place);
                printed.and_then(|printed| printed.listing.direction)
            };
            let is_other = way(one).zip(way(other)).is_some_and(|(own, known)| own != known);
            is_other.then_some("the other direction")
        }
    }
}

/// Returns the known changes between two runs.
fn changes(evidence: &Evidence, explained: &Connection, other: &Connection) -> Vec<Change> {
    let control = |one| diagnose::control(one, evidence).map(|control| control.name);
    let [before, after] = [control(explained), control(other)];
    let new = after.into_iter().filter(|after| before.as_ref() != Some(after));
    let mut all: Vec<Change> = new
        .map(|name| {
            let key = Key::new("flows.congestion", if name == "newreno" { "reno".into() } else { name.clone() });
            Change::new(name, vec![key])
        })
        .collect();
    for (end, name) in [(End::Sender, "send buffer"), (End::Receiver, "receive buffer")] {
        let held = |run: &Connection| {
            at_run(evidence, run, end, |host, run| match end {
                End::Sender => send_buffer(host, run),
                End::Receiver => receive_buffer(host, run),
            })
        };
        let Some((before, after)) = held(explained).zip(held(other)).filter(|(before, after)| before != after) else {
            continue;
        };
        let than = if after > before { "larger" } else { "smaller" };
        all.push(Change::new(format!("{than} {name}"), vec![settings::largest_buffer(end, after)]));
    }
    let buffers =
        |value: String| ["send-buffer", "receive-buffer"].map(|name| Key::new(format!("flows.{name}"), value.clone()));
    match (explained.asked, other.asked) {
        (Some(_), None) => all.push(Change::new("no -w", buffers("auto".into()).to_vec())),
        (before, Some(after)) if before != Some(after) => {
            let name = format!("-w of {}", base::show::bytes(after));
            all.push(Change::new(name, buffers(format!("{after:.0} B")).to_vec()));
        }
        _ => {}
    }
    match (explained.target, other.target) {
        (Some(_), None) => all.push(Change::new("no -b", vec![])),
        (before, Some(after)) if before != Some(after) => {
            let name = format!("-b of {}", base::show::rate(after));
            all.push(Change::new(name, settings::written(after, IPERF3_BLOCK_BYTES)));
        }
        _ => {}
    }
    all
}
