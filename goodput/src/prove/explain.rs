//! What is accepted: candidates that reproduce the evidence and whose mechanisms bind, and what they leave open.

use super::candidate::{Candidate, Kind};
use super::distance::{Fit, largest};
use super::propose::Sight;
use super::search::{Laboratory, SEEDS, Search};
use crate::remedy::lab::Key;
use serde::{Deserialize, Serialize};

/// A candidate that reproduces the evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// The names of its mechanisms.
    pub name: String,
    /// What reproduces it best.
    pub candidate: Candidate,
    /// How near it is.
    pub fit: Fit,
    /// What was taken out, and by how much the distance rose then.
    pub without: Vec<(String, f64)>,
    /// The least and the largest of each quantity with which it was reproduced: rate and buffer of the line, then those of
    /// the mechanisms in their order.
    pub ranges: Vec<[f64; 2]>,
    /// What else the evidence is compatible with under it: scenarios for whatever is predicted.
    pub scenarios: Vec<Scenario>,
}

/// One way the path may be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scenario {
    /// What it assumes of what is not known.
    pub assumes: Assumes,
    /// The path.
    pub candidate: Candidate,
}

/// What a scenario assumes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Assumes {
    /// What fits best.
    Nothing,
    /// Another rate of the line.
    Rate,
    /// A receive buffer that ends the window's growth soon.
    ReceiveWindow,
    /// A send buffer that is soon full.
    SendBuffer,
}

/// What came nearest, and how near.
pub type Nearest = Option<(String, Fit)>;

/// What has no name of its own: taking it out of the experiment changes nothing.
pub const NOTHING: &str = "no limit on the path";
/// The distance rises by so much if a mechanism is taken out that binds.
const BINDS: f64 = 1.0;
/// Two mechanisms are believed where one does as well only if they are nearer by this.
const NEARER: f64 = 0.3;
/// At most so many explanations are followed.
const MOST: usize = 3;

/// Candidates with six seeds: what reproduces the evidence and needs all its mechanisms for it, the nearest first; and
/// whatever came nearest.
pub fn accept<L: Laboratory>(
    search: &mut Search<L>,
    finalists: Vec<Candidate>,
) -> Result<(Vec<Explanation>, Nearest), L::Error> {
    let rtt = search.case.rtt;
    let fits = search.fits(&finalists, SEEDS)?;
    let mut all: Vec<(Candidate, Fit)> =
        finalists.into_iter().zip(fits).filter_map(|(c, fit)| Some((c, fit?))).collect();
    all.sort_by(|a, b| a.1.d.total_cmp(&b.1.d));
    let nearest = all.first().map(|(candidate, fit)| (candidate.told(), fit.clone()));
    let mut names: Vec<String> = vec![];
    all.retain(|(candidate, fit)| {
        let name = candidate.name(rtt);
        let is_first = fit.holds() && !names.contains(&name);
        names.push(name);
        is_first
    });
    let single = all.iter().filter(|(c, _)| c.parts.len() < 2).map(|(_, fit)| fit.d).fold(f64::INFINITY, f64::min);
    all.retain(|(candidate, fit)| candidate.parts.len() < 2 || fit.d + NEARER <= single);
    let cases: Vec<Vec<(String, Vec<Key>)>> = all.iter().map(|(candidate, _)| ablations(candidate, search)).collect();
    let keys: Vec<Vec<Key>> = cases.iter().flatten().map(|(_, keys)| keys.clone()).collect();
    let mut fits = search.fits_of(&keys, SEEDS)?.into_iter();
    let mut explanations = vec![];
    for ((candidate, fit), cases) in all.into_iter().zip(cases) {
        // What shows nothing at all without it could not do without it.
        let rise = |without: Option<Fit>| without.map_or(f64::INFINITY, |without| without.d) - fit.d;
        let without: Vec<(String, f64)> =
            cases.into_iter().map(|(what, _)| (what, rise(fits.next().flatten()).min(9.0))).collect();
        let binds = |what: &str| without.iter().any(|(other, rise)| other == what && *rise >= BINDS);
        if candidate.parts.iter().all(|part| binds(part.kind.name())) {
            let name = named(&without);
            let ranges = ranges(search, &candidate);
            explanations.push(Explanation { name, candidate, fit, without, ranges, scenarios: vec![] });
        }
    }
    let mut seen: Vec<String> = vec![];
    explanations.retain(|one| {
        let is_first = !seen.contains(&one.name);
        seen.push(one.name.clone());
        is_first
    });
    explanations.truncate(MOST);
    Ok((explanations, nearest))
}

/// What binds. The line's rate shows wherever packets queue, so it is the limit only where nothing else is.
fn named(without: &[(String, f64)]) -> String {
    let binding: Vec<&str> = without.iter().filter(|(_, rise)| *rise >= BINDS).map(|(what, _)| what.as_str()).collect();
    let others: Vec<&str> = binding.iter().copied().filter(|what| *what != "line").collect();
    match (others.is_empty(), binding.is_empty()) {
        (false, _) => others.join(" + "),
        (true, false) => "line".into(),
        (true, true) => NOTHING.into(),
    }
}

/// What a candidate is without each of what could bind.
fn ablations<L: Laboratory>(candidate: &Candidate, search: &Search<L>) -> Vec<(String, Vec<Key>)> {
    const FASTER: f64 = 4.0;
    let case = search.case;
    let mut all: Vec<(String, Vec<Key>)> = vec![];
    for part in &candidate.parts {
        all.push((part.kind.name().into(), candidate.without(part.kind).keys()));
    }
    let queue = candidate.queue(case.rtt);
    if queue != "line" {
        let usual = Candidate { buffer: Candidate::bdp(candidate.rate, case.rtt), ..candidate.clone() };
        all.push((queue.into(), usual.keys()));
    }
    let faster = Candidate { rate: candidate.rate * FASTER, ..candidate.clone() };
    all.push(("line".into(), faster.keys()));
    if case.asked.is_some() {
        let auto = ["send-buffer", "receive-buffer"].map(|name| Key::new(format!("flows.{name}"), "auto"));
        all.push(("socket buffers (-w)".into(), [candidate.keys(), auto.to_vec()].concat()));
    }
    if let Some(target) = case.target {
        let faster = Key::new("flows.send-rate", format!("{:.0} kbit/s", FASTER * target / 1e3));
        let always = [Key::new("flows.on", "1 s"), Key::new("flows.off", "1 us")];
        all.push(("pace of the sending program".into(), [candidate.keys(), vec![faster], always.to_vec()].concat()));
    }
    all
}

/// The quantities of a candidate, in the order of its ranges.
fn quantities(candidate: &Candidate) -> Vec<f64> {
    let parts = candidate.parts.iter().flat_map(|part| part.values.iter().copied());
    [candidate.rate, candidate.buffer].into_iter().chain(parts).collect()
}

/// What the quantities were wherever the same mechanisms reproduced the evidence; a last step of the search to each side is
/// not told apart.
fn ranges<L: Laboratory>(search: &Search<L>, candidate: &Candidate) -> Vec<[f64; 2]> {
    const STEP: f64 = 1.08;
    let mut ranges: Vec<[f64; 2]> =
        quantities(candidate).into_iter().map(|value| [value / STEP, value * STEP]).collect();
    for group in search.ranked() {
        for tried in group.iter().filter(|tried| tried.fit.holds() && same_mechanisms(&tried.candidate, candidate)) {
            for (range, value) in ranges.iter_mut().zip(quantities(&tried.candidate)) {
                *range = [range[0].min(value), range[1].max(value)];
            }
        }
    }
    ranges
}

fn same_mechanisms(one: &Candidate, other: &Candidate) -> bool {
    let kinds = |candidate: &Candidate| candidate.parts.iter().map(|part| part.kind).collect::<Vec<_>>();
    kinds(one) == kinds(other)
}

impl Explanation {
    /// Whether a mechanism is named as a limit.
    pub fn names(&self, what: &str) -> bool {
        self.name.split(" + ").any(|name| name == what)
    }

    /// Whether the line's rate shows in the evidence.
    pub fn knows_rate(&self) -> bool {
        self.without.iter().any(|(what, rise)| what == "line" && *rise >= BINDS)
    }
}

/// Rates of a line that does not show: multiples of the least that carries what was seen, and of the best.
const SLOW: [f64; 4] = [1.05, 1.3, 1.8, 2.5];
const FAST: [f64; 2] = [3.0, 10.0];
/// Buffers that may end a window's growth soon, as multiples of the largest cwnd: about half of a receive buffer is window
/// (tcp_win_from_space), and a send buffer holds two windows (tcp_sndbuf_expand).
const BUFFERS: [f64; 4] = [1.6, 2.2, 3.0, 5.0];

/// What else is compatible with the evidence under each explanation: lines whose rate does not show, and buffers that bind
/// only once something else is mended.
pub fn open<L: Laboratory>(search: &mut Search<L>, explanations: &mut [Explanation]) -> Result<(), L::Error> {
    const SEEDS: usize = 4;
    let case = search.case;
    for one in explanations.iter_mut() {
        let best = one.candidate.clone();
        let mut all: Vec<Scenario> = vec![];
        let scenario = |assumes, candidate| Scenario { assumes, candidate };
        if case.rate.is_none() && !one.knows_rate() {
            let bdps = best.buffer / Candidate::bdp(best.rate, case.rtt);
            let at = |rate: f64| Candidate { rate, buffer: bdps * Candidate::bdp(rate, case.rtt), ..best.clone() };
            let least = Sight::of(case).least();
            let rates = SLOW.map(|times| times * least).into_iter().chain(FAST.map(|times| times * best.rate));
            all.extend(rates.map(|rate| scenario(Assumes::Rate, at(rate))));
        }
        let cwnd = case.seen.cwnd.as_ref().map_or(0.0, |cwnd| largest(cwnd)) * case.instrument.mss;
        let in_flight = cwnd.max(case.seen.received * case.rtt / 8.0);
        let hidden = [
            (Kind::ReceiveWindow, Assumes::ReceiveWindow, case.rmem),
            (Kind::SendBuffer, Assumes::SendBuffer, case.wmem),
        ];
        // A window that was offered has room in the buffer behind it.
        let offered = case.seen.window.as_ref().map_or(0.0, |window| largest(window));
        for (kind, assumes, known) in hidden {
            let least = if kind == Kind::ReceiveWindow { offered * BUFFERS[0] } else { 0.0 };
            if known.is_none() && case.asked.is_none() && !best.has(kind) {
                all.extend(BUFFERS.map(|times| scenario(assumes, best.with(kind, &[(in_flight * times).max(least)]))));
            }
        }
        let fits = search.fits(&all.iter().map(|scenario| scenario.candidate.clone()).collect::<Vec<_>>(), SEEDS)?;
        let fitting: Vec<Scenario> =
            all.into_iter().zip(fits).filter(|(_, fit)| fit.as_ref().is_some_and(Fit::holds)).map(|(s, _)| s).collect();
        let of = |assumes: Assumes| fitting.iter().filter(move |scenario| scenario.assumes == assumes);
        let ends = [
            of(Assumes::Rate).next().filter(|slow| slow.candidate.rate < best.rate),
            of(Assumes::Rate).next_back().filter(|fast| fast.candidate.rate > best.rate),
            of(Assumes::ReceiveWindow).next(),
            of(Assumes::SendBuffer).next(),
        ];
        one.scenarios = vec![scenario(Assumes::Nothing, best)];
        one.scenarios.extend(ends.into_iter().flatten().cloned());
    }
    Ok(())
}
