//! What is accepted: candidates that reproduce the evidence and whose mechanisms bind, and what they leave open.

use super::candidate::{Candidate, Kind, Part};
use super::distance::{Fit, largest};
use super::experiment::Beside;
use super::propose::{Sight, aside, neighbours};
use super::search::{Laboratory, SEEDS, Search, Tried};
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
    /// What the laboratory showed with it: goodput of each interval of each seed, bit/s.
    pub goodput: Vec<Vec<f64>>,
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
    /// A receiver that is set like the sender.
    Alike,
    /// A receive buffer that ends the window's growth soon.
    ReceiveWindow,
    /// A send buffer that is soon full.
    SendBuffer,
}

/// What came nearest, and how near.
pub type Nearest = Option<(String, Fit)>;

/// What has no name of its own: taking it out of the experiment changes nothing.
pub const NOTHING: &str = "no limit on the path";
/// The distance rises by so much if what binds is taken out and the rest stays.
const BINDS: f64 = 1.0;
/// The misfit falls by so much, or a further mechanism is not believed: χ² with one degree of freedom exceeds it in 1 % of
/// all cases.
const PAYS: f64 = 6.6;
/// What misfits by so much more than the nearest is out: e^-6 as likely, if all statistics were independent.
const BEYOND: f64 = 12.0;
/// At most so many explanations are followed.
const MOST: usize = 3;

/// Candidates with six seeds: what reproduces the evidence and needs all its mechanisms for it, the nearest first; and
/// whatever came nearest.
pub fn accept<L: Laboratory>(
    search: &mut Search<L>,
    finalists: Vec<Candidate>,
) -> Result<(Vec<Explanation>, Nearest), L::Error> {
    search.settle(finalists.clone(), SEEDS)?;
    let names: Vec<String> = finalists.iter().map(|one| one.name(search.case.rtt)).collect();
    let mut all: Vec<Tried> = finalists.iter().filter_map(|one| search.known(one)).cloned().collect();
    all.sort_by(|a, b| a.fit.d.total_cmp(&b.fit.d));
    let nearest = all.first().map(|tried| (tried.candidate.told(), tried.fit.clone()));
    let first = |tried: &Tried| names.iter().position(|name| *name == tried.candidate.name(search.case.rtt));
    let mut seen = vec![];
    all.retain(|tried| {
        let is_first = tried.fit.holds() && !seen.contains(&first(tried));
        seen.push(first(tried));
        is_first
    });
    let cases: Vec<Vec<(String, Vec<Key>)>> = all.iter().map(|one| ablations(&one.candidate, search)).collect();
    let keys: Vec<Vec<Key>> = cases.iter().flatten().map(|(_, keys)| keys.clone()).collect();
    let mut fits = search.fits_of(&keys, SEEDS)?.into_iter();
    let mut explanations: Vec<Explanation> = vec![];
    for (Tried { candidate, fit, .. }, cases) in all.into_iter().zip(cases) {
        let without: Vec<(String, Option<Fit>)> =
            cases.into_iter().map(|(what, _)| (what, fits.next().flatten())).collect();
        let without = refitted(search, &candidate, without)?;
        // What shows nothing at all without it could not do without it.
        let over = |of: fn(&Fit) -> f64, other: &Option<Fit>| other.as_ref().map_or(f64::INFINITY, of) - of(&fit);
        let rises: Vec<(String, f64)> =
            without.iter().map(|(what, other)| (what.clone(), over(|fit| fit.d, other).min(9.0))).collect();
        let needs = |part: &Part| {
            let other = without.iter().find(|(what, _)| what == part.kind.name());
            other.is_some_and(|(_, other)| match candidate.parts.len() {
                1 => over(|fit| fit.d, other) >= BINDS,
                _ => over(Fit::misfit, other) >= PAYS,
            })
        };
        if candidate.parts.iter().all(needs) {
            let name = named(&candidate, &rises);
            explanations.push(Explanation {
                name,
                candidate,
                fit,
                without: rises,
                ranges: vec![],
                scenarios: vec![],
                goodput: vec![],
            });
        }
    }
    let least = explanations.iter().map(|one| one.fit.misfit()).fold(f64::INFINITY, f64::min);
    let mut seen: Vec<String> = vec![];
    explanations.retain(|one| {
        let is_first = !seen.contains(&one.name) && one.fit.misfit() <= least + BEYOND;
        seen.push(one.name.clone());
        is_first
    });
    // What needs more causes has to come nearer than all that need fewer.
    let causes = |one: &Explanation| one.name.split(" + ").count();
    let fewer: Vec<(usize, f64)> = explanations.iter().map(|one| (causes(one), one.fit.misfit())).collect();
    explanations.retain(|one| fewer.iter().all(|(n, misfit)| *n >= causes(one) || one.fit.misfit() < *misfit));
    explanations.truncate(MOST);
    for one in &mut explanations {
        one.ranges = ranges(search, one)?;
    }
    Ok((explanations, nearest))
}

/// What a candidate is without each of its mechanisms. Of two, what is left may make up for the other with its own
/// quantities and with another line, so the nearest counts that was tried of it. A line that does not show with both must not
/// stand in for one of them, so it may not be slower then.
fn refitted<L: Laboratory>(
    search: &mut Search<L>,
    candidate: &Candidate,
    mut without: Vec<(String, Option<Fit>)>,
) -> Result<Vec<(String, Option<Fit>)>, L::Error> {
    const SLOWER: f64 = 0.8;
    const RIVALS: usize = 3;
    if candidate.parts.len() < 2 {
        return Ok(without);
    }
    let of = |fit: &Option<Fit>| fit.as_ref().map_or(f64::INFINITY, |fit| fit.d);
    let both = search.known(candidate).map_or(0.0, |tried| tried.fit.d);
    let line_shows = without.iter().any(|(what, fit)| what == "line" && of(fit) - both >= BINDS);
    let least = if line_shows { 0.0 } else { SLOWER * candidate.rate };
    for part in &candidate.parts {
        let rest = candidate.without(part.kind);
        let rivals = search.nearest(RIVALS, |other| same_mechanisms(other, &rest) && other.rate >= least);
        search.settle(rivals.clone(), SEEDS)?;
        let own = without.iter_mut().find(|(what, _)| what == part.kind.name());
        let Some((_, own)) = own else { continue };
        for rival in rivals {
            let fit = search.known(&rival).map(|tried| tried.fit.clone());
            if of(&fit) < of(own) {
                *own = fit;
            }
        }
    }
    Ok(without)
}

/// Its mechanisms, and what else binds. The line's rate shows wherever packets queue, so it is the limit only where nothing
/// else is.
fn named(candidate: &Candidate, without: &[(String, f64)]) -> String {
    let has = |what: &str| candidate.parts.iter().any(|part| part.kind.name() == what);
    let binding = without.iter().filter(|(what, rise)| *rise >= BINDS || has(what)).map(|(what, _)| what.as_str());
    let binding: Vec<&str> = binding.collect();
    let others: Vec<&str> = binding.iter().copied().filter(|what| *what != "line").collect();
    match (others.is_empty(), binding.is_empty()) {
        (false, _) => others.join(" + "),
        (true, false) => "line".into(),
        (true, true) => NOTHING.into(),
    }
}

/// What a candidate is without each of what could bind, the rest as it was.
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

/// What the quantities were wherever the same mechanisms reproduced the evidence, which is looked for on both sides of each;
/// the ends lie between what did and what did not.
fn ranges<L: Laboratory>(search: &mut Search<L>, one: &Explanation) -> Result<Vec<[f64; 2]>, L::Error> {
    let candidate = &one.candidate;
    let beside = |by| match one.knows_rate() {
        true => neighbours(candidate, by, search.case),
        false => aside(candidate, by),
    };
    const BETWEEN: f64 = 1.12;
    const ASIDE: [f64; 2] = [1.25, 1.6];
    const SEEDS: usize = 3;
    let both: Vec<Candidate> = ASIDE.iter().flat_map(|by| beside(*by)).collect();
    search.settle(both, SEEDS)?;
    let mut ranges: Vec<[f64; 2]> =
        quantities(candidate).into_iter().map(|value| [value / BETWEEN, value * BETWEEN]).collect();
    for group in search.ranked() {
        for tried in group.iter().filter(|tried| tried.fit.holds() && same_mechanisms(&tried.candidate, candidate)) {
            for (range, value) in ranges.iter_mut().zip(quantities(&tried.candidate)) {
                *range = [range[0].min(value / BETWEEN), range[1].max(value * BETWEEN)];
            }
        }
    }
    // Of what is lost by chance the transfer shows a sample, if nothing else makes it send again.
    let again = [Kind::Policer, Kind::Reordering, Kind::Hole];
    let alone = !candidate.is_small(search.case.rtt) && again.iter().all(|kind| !candidate.has(*kind));
    let mut at = 2;
    for part in &candidate.parts {
        let length = if part.kind == Kind::Bursts { part.values[1] } else { 1.0 };
        if matches!(part.kind, Kind::Loss | Kind::Bursts) && alone {
            let [least, most] = Sight::of(search.case).chance(length);
            ranges[at] = [ranges[at][0].min(least), ranges[at][1].max(most)];
        }
        at += part.values.len();
    }
    // What hard evidence excludes is in no interval.
    let quantities = candidate.parts.iter().flat_map(|part| part.kind.row().1);
    for (range, (_, quantity)) in ranges[2..].iter_mut().zip(quantities) {
        range[1] = range[1].min(quantity.most());
    }
    Ok(ranges)
}

/// Keeps what the laboratory showed with each.
pub fn show<L: Laboratory>(search: &mut Search<L>, explanations: &mut [Explanation]) -> Result<(), L::Error> {
    let step = search.case.instrument.step;
    for one in explanations {
        let cases = [("fitted".to_owned(), vec![])];
        let rate = 1.3 * search.case.seen.received;
        let shown = search.run(&one.candidate, "candidate", &cases, SEEDS, Beside::Nothing, rate)?;
        let seeds = shown.into_iter().flatten();
        one.goodput = seeds.map(|seed| seed.trace.bytes.iter().map(|b| (b * 8.0 / step).round()).collect()).collect();
    }
    Ok(())
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

    /// Whether a much faster line fits as well.
    pub fn is_open(&self) -> bool {
        let is_faster = |one: &Scenario| one.candidate.rate > 0.99 * FAST[0] * self.candidate.rate;
        self.scenarios.iter().any(|one| one.assumes == Assumes::Rate && is_faster(one))
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
    const SEEDS: usize = 3;
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
            let alike = case.alike.filter(|_| kind == Kind::ReceiveWindow);
            if known.is_some() || case.asked.is_some() || best.has(kind) {
            } else if let Some(alike) = alike {
                all.push(scenario(Assumes::Alike, best.with(kind, &[alike as f64])));
            } else {
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
            of(Assumes::Alike).next(),
            of(Assumes::ReceiveWindow).next(),
            of(Assumes::SendBuffer).next(),
        ];
        one.scenarios = vec![scenario(Assumes::Nothing, best)];
        one.scenarios.extend(ends.into_iter().flatten().cloned());
    }
    Ok(())
}
