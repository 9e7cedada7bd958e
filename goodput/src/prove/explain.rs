//! What is accepted: candidates that reproduce the evidence and whose mechanisms bind, and what they leave open.

use super::candidate::{self, Candidate, Kind, LARGE_QUEUE, Part};
use super::distance::{Fit, distance, largest};
use super::experiment::Beside;
use super::forecast;
use super::neighbours::{aside, neighbours};
use super::propose::Sight;
use super::search::{Laboratory, SEEDS, Search, Tried, criterion};
use super::trace::{Instrument, Trace};
use super::words::NOTHING;
use crate::remedy::lab::Key;
use crate::stats::mean;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::ops::Range;

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
    /// The same of cwnd at its end, bytes; empty where the transfer prints none.
    #[serde(default)]
    pub cwnd: Vec<Vec<f64>>,
    /// Where its goodput is another than the transfer's.
    #[serde(default)]
    pub departs: Vec<Departure>,
}

/// A third of a transfer in which the laboratory carried something else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Departure {
    /// From the start of the transfer, seconds.
    pub from: f64,
    /// The same.
    pub until: f64,
    /// What the transfer carried, bit/s.
    pub seen: f64,
    /// The least and the most that a seed carried, bit/s.
    pub lab: [f64; 2],
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Assumes {
    /// What fits best.
    Nothing,
    /// A slower line.
    #[serde(alias = "rate")]
    Slower,
    /// A faster line.
    Faster,
    /// A receiver that is set like the sender.
    Alike,
    /// A receive buffer that ends the window's growth soon.
    ReceiveWindow,
    /// A send buffer that is soon full.
    SendBuffer,
}

/// What came nearest, and how near.
pub type Nearest = Option<(String, Fit)>;

/// What is the limit where nothing else is.
const LINE: &str = "line";
/// A gain in goodput below this is none.
pub const GAIN: f64 = 1.05;
/// The distance rises by so much if what binds is taken out and the rest stays.
const BINDS: f64 = 1.0;
/// The misfit falls by so much, or a further mechanism is not believed: χ² with one degree of freedom exceeds it in 1 % of
/// all cases.
const PAYS: f64 = 6.6;
/// What is by so much less likely than another is out: e^-10 as likely, if all statistics were independent, of which some hang
/// together.
const BEYOND: f64 = 20.0;
/// A line that does not show may stand in for a mechanism if it is slower than this share of another.
const SLOWER: f64 = 0.8;
/// The ends of an interval lie between what reproduced the evidence and what did not, which is 1.25 times as much.
pub const BETWEEN: f64 = 1.12;
/// Of so many something likelier is looked for beside them before they are compared.
const CLIMBS: usize = 3;
/// At most so many explanations are followed.
const MOST: usize = 3;

/// Candidates with six seeds: what reproduces the evidence and needs all its mechanisms for it, the likeliest first; and
/// whatever came nearest.
pub fn accept<L: Laboratory>(
    search: &mut Search<L>,
    mut finalists: Vec<Candidate>,
) -> Result<(Vec<Explanation>, Nearest), L::Error> {
    // What a pair is without one of its mechanisms may come nearer than what was found of the other alone.
    const FEW: usize = 3;
    let rests = finalists.iter().filter(|one| one.causes(search.case.rtt) > 1);
    let rests: Vec<Candidate> = rests.flat_map(|one| one.parts.iter().map(|part| one.without(part.kind))).collect();
    search.settle(rests.clone(), FEW)?;
    finalists.extend(rests.into_iter().filter(|one| search.known(one).is_some_and(|tried| tried.fit.holds())));
    search.settle(finalists.clone(), SEEDS)?;
    let known = finalists.iter().filter_map(|one| search.known(one));
    let mut all = likeliest(known.cloned().collect());
    let mut names = vec![];
    all.retain(|tried| {
        let name = tried.candidate.name(search.case.rtt);
        let is_first = !names.contains(&name);
        names.extend(is_first.then_some(name));
        is_first
    });
    for tried in all.iter_mut().take(CLIMBS) {
        *tried = climbed(search, tried.clone())?;
    }
    let nearest = all.iter().min_by(|a, b| a.fit.d.total_cmp(&b.fit.d));
    let nearest = nearest.map(|tried| (tried.candidate.told(), tried.fit.clone()));
    all.retain(|tried| tried.fit.holds());
    let all = likeliest(all);
    let mut explanations: Vec<Explanation> = vec![];
    for tried in all {
        let Tried { candidate, fit, .. } = &tried;
        let is_worth = adds(&explanations, candidate.parts.len(), &tried) && !is_matched(search, candidate, fit);
        if explanations.len() == MOST || !is_worth {
            continue;
        }
        let without = ablated(search, candidate, fit)?;
        let needs = |part: &Part| {
            let other = without.iter().find(|other| other.what == part.kind.name());
            other.is_some_and(|other| other.rise(Fit::misfit, fit) >= PAYS)
        };
        let name = named(candidate, &without, fit);
        let is_new = explanations.iter().all(|one| one.name != name) && adds(&explanations, causes(&name), &tried);
        if is_new && candidate.parts.iter().all(needs) && is_confirmed(search, candidate)? {
            const MOST: f64 = 9.0;
            let rises = without.into_iter().map(|other| (other.rise(|fit| fit.d, fit).min(MOST), other.what));
            explanations.push(Explanation {
                name,
                without: rises.map(|(rise, what)| (what, rise)).collect(),
                candidate: tried.candidate,
                fit: tried.fit,
                ranges: vec![],
                scenarios: vec![],
                goodput: vec![],
                cwnd: vec![],
                departs: vec![],
            });
        }
    }
    for one in &mut explanations {
        one.ranges = ranges(search, one)?;
    }
    Ok((explanations, nearest))
}

/// Whether it still reproduces the transfer, its goodput among the rest, with seeds that it was not found with added.
fn is_confirmed<L: Laboratory>(search: &mut Search<L>, candidate: &Candidate) -> Result<bool, L::Error> {
    let rate = 1.3 * search.case.seen.received;
    let (base, now) = (Candidate::of_cases(), [("now".to_owned(), candidate.keys())]);
    let mut shown = search.run(&base, "remedy", &now, forecast::SEEDS, Beside::Ping, rate)?;
    shown.extend(search.run(&base, "candidate", &now, SEEDS, Beside::Nothing, rate)?);
    let traces: Vec<Trace> = shown.into_iter().flatten().map(|shown| shown.trace).collect();
    let fit = distance(&search.case.seen, &traces, &candidate::scale(search.case, &candidate.keys()));
    Ok(fit.is_some_and(|fit| fit.holds()))
}

/// What reproduces the evidence before what does not, and the likeliest first.
fn likeliest(mut all: Vec<Tried>) -> Vec<Tried> {
    all.sort_by(order);
    all
}

fn order(one: &Tried, other: &Tried) -> Ordering {
    let is_near = other.fit.is_near().cmp(&one.fit.is_near());
    is_near.then(one.criterion().total_cmp(&other.criterion()))
}

/// What is likelier: a step in all quantities, in one, and in all again. What is off by no more than chance stays.
fn climbed<L: Laboratory>(search: &mut Search<L>, mut top: Tried) -> Result<Tried, L::Error> {
    const ALONG: [bool; 3] = [true, false, true];
    const FEW: usize = 3;
    const SHARE: f64 = 0.05;
    const ASIDE: f64 = 1.25;
    const KEPT: f64 = 0.15;
    for along in ALONG {
        if top.fit.misfit() < PAYS || search.has_less(KEPT) {
            break;
        }
        let beside = if along { search.steps(&top) } else { neighbours(&top.candidate, ASIDE, search.case) };
        search.round(beside.clone(), FEW, SHARE)?;
        let known = beside.iter().filter_map(|one| search.known(one)).cloned().collect();
        let Some(next) = likeliest(known).into_iter().next() else { continue };
        search.settle(vec![next.candidate.clone()], SEEDS)?;
        top = search.known(&next.candidate).filter(|next| order(next, &top).is_lt()).cloned().unwrap_or(top);
    }
    Ok(top)
}

/// Whether a candidate of so many causes may stand beside what is likelier: what is much less likely is out, and what needs
/// more causes has to come nearer than all that need fewer.
fn adds(likelier: &[Explanation], needs: usize, tried: &Tried) -> bool {
    likelier.iter().all(|one| {
        tried.criterion() <= criterion(&one.candidate, &one.fit) + BEYOND
            && (needs <= causes(&one.name) || tried.fit.misfit() < one.fit.misfit())
    })
}

fn causes(name: &str) -> usize {
    name.split(" + ").count()
}

/// Whether something with one mechanism less is known to reproduce it as well, on a line that is no slower.
fn is_matched<L: Laboratory>(search: &Search<L>, candidate: &Candidate, fit: &Fit) -> bool {
    let matches = |rest: &Candidate| {
        let is_rival = |other: &Tried| {
            other.seeds >= SEEDS
                && other.fit.holds()
                && other.candidate.has_kinds_of(rest)
                && other.candidate.rate >= SLOWER * rest.rate
        };
        search.all().any(|other| is_rival(other) && other.fit.misfit() - fit.misfit() < PAYS)
    };
    candidate.causes(search.case.rtt) > 1 && candidate.parts.iter().any(|part| matches(&candidate.without(part.kind)))
}

/// A candidate without something.
struct Without {
    what: String,
    /// How near it is then; `None` if it shows nothing at all.
    fit: Option<Fit>,
    /// What arrives then, over what arrives with it.
    gain: f64,
}

impl Without {
    /// What shows nothing at all without it could not do without it.
    fn rise(&self, of: fn(&Fit) -> f64, with: &Fit) -> f64 {
        self.fit.as_ref().map_or(f64::INFINITY, of) - of(with)
    }
}

/// How near a candidate is without each of what could bind. A few seeds do unless one of them leaves it open.
fn ablated<L: Laboratory>(search: &mut Search<L>, candidate: &Candidate, fit: &Fit) -> Result<Vec<Without>, L::Error> {
    const FEW: usize = 3;
    const CLEAR: f64 = 0.6;
    const GAINS: f64 = 0.1;
    let (names, keys): (Vec<String>, Vec<Vec<Key>>) = ablations(candidate, search).into_iter().unzip();
    let gain = |other: &Option<Fit>| other.as_ref().map_or(f64::INFINITY, |other| other.goodput / fit.goodput);
    let is_open = |other: &Option<Fit>| {
        let rise = other.as_ref().map(|other| other.d - fit.d);
        rise.is_some_and(|rise| (rise - BINDS).abs() < CLEAR || rise > BINDS && (gain(other) - GAIN).abs() < GAINS)
    };
    let mut fits = search.fits_of(&keys, FEW)?;
    if candidate.causes(search.case.rtt) > 1 || fits.iter().any(is_open) {
        fits = search.fits_of(&keys, SEEDS)?;
    }
    let without = names.into_iter().zip(fits).map(|(what, fit)| Without { what, gain: gain(&fit), fit });
    refitted(search, candidate, without.collect())
}

/// What a candidate is without each of its mechanisms. Of two, what is left may make up for the other with its own
/// quantities and with another line, so the nearest counts that was tried of it. A line that does not show with both must not
/// stand in for one of them, so it may not be slower then.
fn refitted<L: Laboratory>(
    search: &mut Search<L>,
    candidate: &Candidate,
    mut without: Vec<Without>,
) -> Result<Vec<Without>, L::Error> {
    const RIVALS: usize = 3;
    if candidate.causes(search.case.rtt) < 2 {
        return Ok(without);
    }
    let of = |fit: &Option<Fit>| fit.as_ref().map_or(f64::INFINITY, |fit| fit.d);
    let both = search.known(candidate).map_or(0.0, |tried| tried.fit.d);
    let line_shows = without.iter().any(|other| other.what == LINE && of(&other.fit) - both >= BINDS);
    let least = if line_shows { 0.0 } else { SLOWER * candidate.rate };
    for part in &candidate.parts {
        let rest = candidate.without(part.kind);
        let rivals = search.nearest(RIVALS, |other| other.has_kinds_of(&rest) && other.rate >= least);
        search.settle(rivals.clone(), SEEDS)?;
        let own = without.iter_mut().find(|other| other.what == part.kind.name());
        let Some(own) = own else { continue };
        for rival in rivals {
            let fit = search.known(&rival).map(|tried| tried.fit.clone());
            if of(&fit) < of(&own.fit) {
                own.fit = fit;
            }
        }
    }
    Ok(without)
}

/// What holds it back. The line's rate shows wherever packets queue, so it is the limit only where nothing else is: what shows
/// and does not hold back, since as much arrives without it, has no name beside it.
fn named(candidate: &Candidate, without: &[Without], fit: &Fit) -> String {
    let is_part = |what: &str| candidate.parts.iter().any(|part| part.kind.name() == what);
    let shows = |other: &&Without| is_part(&other.what) || other.rise(|fit| fit.d, fit) >= BINDS;
    let (line, others): (Vec<&Without>, Vec<&Without>) = without.iter().partition(|other| other.what == LINE);
    let shown: Vec<&Without> = others.into_iter().filter(shows).collect();
    // A large queue costs time and no goodput.
    let holds_back = |other: &&&Without| other.gain >= GAIN || other.what == LARGE_QUEUE;
    let binding: Vec<&Without> = shown.iter().filter(holds_back).copied().collect();
    let is_line = line.iter().any(|line| if shown.is_empty() { shows(line) } else { line.gain >= GAIN });
    let told = |all: &[&Without]| all.iter().map(|other| other.what.as_str()).collect::<Vec<_>>().join(" + ");
    match () {
        () if !binding.is_empty() => told(&binding),
        () if is_line => LINE.into(),
        () if !shown.is_empty() => told(&shown),
        () => NOTHING.into(),
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
    if queue != "line" && !case.is_served() {
        let usual = Candidate { buffer: Candidate::bdp(candidate.rate, case.rtt), ..candidate.clone() };
        all.push((queue.into(), usual.keys()));
    }
    let faster = Candidate { rate: candidate.rate * FASTER, ..candidate.clone() };
    all.push((LINE.into(), faster.keys()));
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

/// What the quantities were wherever the same mechanisms reproduced the evidence, which is looked for on both sides of each;
/// the ends lie between what did and what did not.
fn ranges<L: Laboratory>(search: &mut Search<L>, one: &Explanation) -> Result<Vec<[f64; 2]>, L::Error> {
    let candidate = &one.candidate;
    let beside = |by| match one.knows_rate() {
        true => neighbours(candidate, by, search.case),
        false => aside(candidate, by, search.case),
    };
    const ASIDE: [f64; 2] = [1.25, 1.6];
    const SEEDS: usize = 3;
    // Where it did not come out it does not further off either.
    let [near, far] = ASIDE.map(beside);
    search.settle(near.clone(), SEEDS)?;
    let holds = |one: &Candidate| search.known(one).is_some_and(|tried| tried.fit.holds());
    let far: Vec<Candidate> = near.iter().zip(far).filter(|(near, _)| holds(near)).map(|(_, far)| far).collect();
    search.settle(far, SEEDS)?;
    let mut ranges: Vec<[f64; 2]> =
        candidate.quantities().into_iter().map(|value| [value / BETWEEN, value * BETWEEN]).collect();
    for group in search.ranked() {
        for tried in group.iter().filter(|tried| tried.fit.holds() && tried.candidate.has_kinds_of(candidate)) {
            for (range, value) in ranges.iter_mut().zip(tried.candidate.quantities()) {
                *range = [range[0].min(value / BETWEEN), range[1].max(value * BETWEEN)];
            }
        }
    }
    // Of what is lost by chance the transfer shows a sample, if nothing else makes it send again.
    let again = [Kind::Policer, Kind::Reordering, Kind::Hole, Kind::Shared, Kind::Aqm];
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
    let Instrument { step, mss, .. } = search.case.instrument;
    for one in explanations {
        let cases = [("fitted".to_owned(), vec![])];
        let rate = 1.3 * search.case.seen.received;
        let shown = search.run(&one.candidate, "candidate", &cases, SEEDS, Beside::Nothing, rate)?;
        let seeds: Vec<Trace> = shown.into_iter().flatten().map(|seed| seed.trace).collect();
        let rates = |bytes: &[f64]| bytes.iter().map(|bytes| (bytes * 8.0 / step).round()).collect();
        one.goodput = seeds.iter().map(|seed| rates(&seed.bytes)).collect();
        one.departs = departures(&rates(&search.case.seen.bytes), &one.goodput, step);
        if search.case.seen.cwnd.is_some() {
            let cwnd = seeds.iter().filter_map(|seed| seed.cwnd.as_ref());
            one.cwnd = cwnd.map(|all| all.iter().map(|segments| (segments * mss).round()).collect()).collect();
        }
    }
    Ok(())
}

/// The thirds of a transfer in which its goodput is beyond that of every seed by a seventh or more.
pub(super) fn departures(seen: &[f64], seeds: &[Vec<f64>], step: f64) -> Vec<Departure> {
    const BEYOND: f64 = 1.15;
    let third = seen.len().div_ceil(3).max(1);
    let spans = (0..seen.len()).step_by(third).map(|from| from..(from + third).min(seen.len()));
    let of = |span: Range<usize>| {
        let own = mean(&seen[span.clone()]);
        let lab: Vec<f64> = seeds.iter().filter_map(|seed| Some(mean(seed.get(span.clone())?))).collect();
        let [low, high] = forecast::own_range(&lab);
        let is_beyond = !lab.is_empty() && (own * BEYOND < low || own > high * BEYOND);
        let [from, until] = [span.start, span.end].map(|at| at as f64 * step);
        is_beyond.then_some(Departure { from, until, seen: own, lab: [low, high] })
    };
    spans.filter_map(of).collect()
}

impl Explanation {
    /// Mechanisms that show in the transfer and do not hold it back.
    pub fn bystanders(&self) -> impl Iterator<Item = &'static str> {
        self.candidate.parts.iter().map(|part| part.kind.name()).filter(|name| !self.names(name))
    }

    /// Whether a mechanism is named as a limit.
    pub fn names(&self, what: &str) -> bool {
        self.name.split(" + ").any(|name| name == what)
    }

    /// The interval of the first quantity of a mechanism that it has.
    pub fn range(&self, kind: Kind) -> Option<[f64; 2]> {
        let before = self.candidate.parts.iter().take_while(|part| part.kind != kind).map(|part| part.values.len());
        self.candidate.has(kind).then(|| self.ranges.get(2 + before.sum::<usize>()).copied())?
    }

    /// Whether a much faster line fits as well.
    pub fn is_open(&self) -> bool {
        let is_faster = |one: &Scenario| one.candidate.rate > 0.99 * FAST[1] * self.candidate.rate;
        self.scenarios.iter().any(|one| one.assumes == Assumes::Faster && is_faster(one))
    }

    /// Whether the line's rate shows in the evidence.
    pub fn knows_rate(&self) -> bool {
        self.without.iter().any(|(what, rise)| what == LINE && *rise >= BINDS)
    }
}

/// Rates of a line that does not show: multiples of the least that carries what was seen, and of the best.
const SLOW: [f64; 4] = [1.05, 1.3, 1.8, 2.5];
const FAST: [f64; 2] = [10.0, 3.0];
/// Lines whose rates are nearer than this are one, and at most so many are tried on either side.
const APART: f64 = 1.08;
const LINES: usize = 5;
/// Buffers that may end a window's growth soon, as multiples of the largest cwnd: about half of a receive buffer is window
/// (tcp_win_from_space), and a send buffer holds two windows (tcp_sndbuf_expand).
const BUFFERS: [f64; 4] = [1.6, 2.2, 3.0, 5.0];

/// What else is compatible with the evidence under each explanation: lines whose rate does not show, and buffers that bind
/// only once something else is mended. Of alternatives the first that fits counts.
pub fn open<L: Laboratory>(search: &mut Search<L>, explanations: &mut [Explanation]) -> Result<(), L::Error> {
    const SEEDS: usize = 3;
    for one in explanations.iter_mut() {
        one.scenarios = vec![Scenario { assumes: Assumes::Nothing, candidate: one.candidate.clone() }];
    }
    let mut waiting: Vec<(usize, VecDeque<Scenario>)> = explanations
        .iter()
        .enumerate()
        .flat_map(|(at, one)| alternatives(search, one).into_iter().map(move |all| (at, all.into())))
        .filter(|(_, all): &(usize, VecDeque<Scenario>)| !all.is_empty())
        .collect();
    while !waiting.is_empty() {
        let first: Vec<(usize, Scenario)> =
            waiting.iter_mut().filter_map(|(at, all)| Some((*at, all.pop_front()?))).collect();
        let fits = search.fits(&first.iter().map(|(_, one)| one.candidate.clone()).collect::<Vec<_>>(), SEEDS)?;
        let holds: Vec<bool> = fits.iter().map(|fit| fit.as_ref().is_some_and(Fit::holds)).collect();
        for ((at, scenario), _) in first.into_iter().zip(&holds).filter(|(_, holds)| **holds) {
            explanations[at].scenarios.push(scenario);
        }
        let mut holds = holds.into_iter();
        waiting.retain(|(_, all)| !holds.next().unwrap_or(true) && !all.is_empty());
    }
    explanations.iter_mut().for_each(|one| one.scenarios.sort_by_key(|scenario| scenario.assumes));
    Ok(())
}

/// Scenarios of each thing that the evidence leaves open, those first that are furthest from what fits best.
fn alternatives<L: Laboratory>(search: &Search<L>, one: &Explanation) -> Vec<Vec<Scenario>> {
    let (case, best) = (search.case, &one.candidate);
    let mut all: Vec<Vec<Scenario>> = vec![];
    if case.rate.is_none() {
        let mut lines = search.lines(best);
        if !one.knows_rate() {
            let bdps = best.buffer / Candidate::bdp(best.rate, case.rtt);
            let slow = SLOW.map(|times| times * Sight::of(case).least());
            let rates = slow.into_iter().chain(FAST.map(|times| times * best.rate));
            // A queue that did not overflow need not be shorter before a slower line.
            let queue = |rate| best.buffer.max(bdps * Candidate::bdp(rate, case.rtt));
            lines.extend(rates.map(|rate| Candidate { rate, buffer: queue(rate), ..best.clone() }));
        }
        lines.sort_by(|a, b| a.rate.total_cmp(&b.rate));
        let is_apart = |one: &Candidate| one.rate.max(best.rate) / one.rate.min(best.rate) > APART;
        let (slower, faster): (Vec<Candidate>, Vec<Candidate>) =
            lines.into_iter().filter(is_apart).partition(|one| one.rate < best.rate);
        let of = |assumes| move |candidate: Candidate| Scenario { assumes, candidate };
        all.push(slower.into_iter().map(of(Assumes::Slower)).take(LINES).collect());
        all.push(faster.into_iter().rev().map(of(Assumes::Faster)).take(LINES).collect());
    }
    let cwnd = case.seen.cwnd.as_ref().map_or(0.0, |cwnd| largest(cwnd)) * case.instrument.mss;
    let in_flight = cwnd.max(case.seen.received * case.rtt / 8.0);
    // A window that was offered has room in the buffer behind it.
    let offered = case.seen.window.as_ref().map_or(0.0, |window| largest(window)) * BUFFERS[0];
    let hidden = [
        (Kind::ReceiveWindow, Assumes::ReceiveWindow, case.rmem, offered),
        (Kind::SendBuffer, Assumes::SendBuffer, case.wmem, 0.0),
    ];
    for (kind, assumes, known, least) in hidden {
        let with = |assumes, size: f64| Scenario { assumes, candidate: best.with(kind, &[size]) };
        if known.is_some() || case.asked.is_some() || best.has(kind) {
            continue;
        }
        all.push(match case.alike.filter(|_| kind == Kind::ReceiveWindow) {
            Some(alike) => vec![with(Assumes::Alike, alike as f64)],
            None => BUFFERS.map(|times| with(assumes, (in_flight * times).max(least))).into(),
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shows_and_costs_no_goodput_is_not_the_limit() {
        let candidate = Candidate::line(20e6, 100.0).with(Kind::Reordering, &[0.02, 0.02]);
        let fit = Fit { d: 0.5, ..Fit::default() };
        let name = |reordering: f64, line: f64| {
            let without = [(Kind::Reordering.name(), reordering), (LINE, line)].map(|(what, gain)| Without {
                what: what.into(),
                fit: Some(Fit { d: 3.0, ..Fit::default() }),
                gain,
            });
            named(&candidate, &without, &fit)
        };
        assert_eq!(name(1.02, 3.0), "line");
        assert_eq!(name(1.2, 3.0), "reordering");
        // Where a faster line brings nothing either, what shows is all that there is.
        assert_eq!(name(1.02, 1.0), "reordering");
    }
}
