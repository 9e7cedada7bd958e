//! Explanations: candidates that reproduce the evidence and need all their mechanisms, with the questions that they
//! leave open.

use super::candidate::{self, Candidate, LARGE_QUEUE, Mechanism, Part, UNLIMITED_BUFFER_BYTES};
use super::clues::Clues;
use super::distance::{Fit, distance, largest};
use super::experiment::Beside;
use super::forecast;
use super::neighbours::{mechanism_neighbours, neighbours};
use super::search::{Laboratory, SEEDS, Search, Tried, criterion};
use super::trace::{Instrument, Trace};
use super::words::NO_LIMIT;
use base::stats::mean;
use diagnosis::remedy::lab::Key;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::ops::Range;

/// A candidate that reproduces the evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// The names of its mechanisms.
    pub name: String,
    /// The candidate that reproduces it best.
    pub candidate: Candidate,
    /// Its distance from the evidence.
    pub fit: Fit,
    /// Each limit that was removed, and the rise of the distance without it.
    pub without: Vec<(String, f64)>,
    /// The range of each quantity that reproduces the evidence: rate and buffer of the link, then those of the mechanisms in
    /// their order.
    pub ranges: Vec<[f64; 2]>,
    /// Paths that fit the evidence under this explanation: predictions cover all of them.
    pub scenarios: Vec<Scenario>,
    /// Goodput in the lab, of each interval of each seed, bit/s.
    pub goodput: Vec<Vec<f64>>,
    /// cwnd at the end of each interval of each seed, bytes; empty if the transfer prints none.
    #[serde(default)]
    pub cwnd: Vec<Vec<f64>>,
    /// Thirds in which the lab's goodput differs from the transfer's.
    #[serde(default)]
    pub departs: Vec<Departure>,
}

/// A third of a transfer in which the lab's goodput differs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Departure {
    /// Start, seconds from the start of the transfer.
    pub from: f64,
    /// End, seconds from the start of the transfer.
    pub until: f64,
    /// Goodput of the transfer, bit/s.
    pub seen: f64,
    /// The smallest and the largest goodput of a seed, bit/s.
    pub lab: [f64; 2],
}

/// A path that fits the evidence under an explanation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scenario {
    /// The assumption that it makes.
    pub assumes: Assumes,
    /// The path.
    pub candidate: Candidate,
}

/// The assumption of a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Assumes {
    /// No assumption: the best fit.
    Nothing,
    /// A slower link.
    #[serde(alias = "rate")]
    Slower,
    /// A faster link.
    Faster,
    /// A receiver with the sender's settings.
    Alike,
    /// A receive buffer that soon stops the window's growth.
    ReceiveWindow,
    /// A send buffer that soon fills.
    SendBuffer,
}

/// The nearest candidate, and its distance.
pub type Nearest = Option<(String, Fit)>;

/// Name of the limit if nothing but the link limits.
const LINE: &str = "line";
/// A smaller gain in goodput, as a ratio, does not count.
pub const MIN_GAIN: f64 = 1.05;
/// A mechanism binds if the distance rises by at least this without it.
const MIN_BINDING_RISE: f64 = 1.0;
/// A further mechanism must lower the misfit by this: χ² with one degree of freedom exceeds it in 1 % of all cases.
const MIN_MISFIT_DROP: f64 = 6.6;
/// An explanation whose criterion is worse by more than this is dropped: e^-10 as likely if all statistics were independent.
const MAX_CRITERION_GAP: f64 = 20.0;
/// A link slower than this share of another may stand in for a mechanism.
const MIN_LINK_RATE_RATIO: f64 = 0.8;
/// Ends of an interval, from the last value that fits: halfway to the first that does not, which is 1.25 times as much.
pub const INTERVAL_END_RATIO: f64 = 1.12;
/// Candidates that are improved before they are compared.
const MAX_IMPROVED: usize = 3;
/// Maximum number of explanations.
const MAX_EXPLANATIONS: usize = 3;
/// Seeds of a first look.
const QUICK_SEEDS: usize = 3;

/// Tries the finalists with six seeds. Returns those that reproduce the evidence and need all their mechanisms, the likeliest
/// first, and the nearest candidate.
pub fn accept<L: Laboratory>(
    search: &mut Search<L>,
    mut finalists: Vec<Candidate>,
) -> Result<(Vec<Explanation>, Nearest), L::Error> {
    // A pair without one of its mechanisms may be nearer than the best found for the other alone.
    let rests = finalists.iter().filter(|one| one.causes(search.case.rtt) > 1);
    let rests: Vec<Candidate> = rests.flat_map(|one| one.parts.iter().map(|part| one.without(part.kind))).collect();
    search.settle(rests.clone(), QUICK_SEEDS)?;
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
    for tried in all.iter_mut().take(MAX_IMPROVED) {
        *tried = climbed(search, tried.clone())?;
    }
    let nearest = all.iter().min_by(|a, b| a.fit.d.total_cmp(&b.fit.d));
    let nearest = nearest.map(|tried| (tried.candidate.described(), tried.fit.clone()));
    all.retain(|tried| tried.fit.holds());
    let all = likeliest(all);
    let mut explanations: Vec<Explanation> = vec![];
    for tried in all {
        let Tried { candidate, fit, .. } = &tried;
        let is_worth = adds(&explanations, candidate.parts.len(), &tried) && !is_matched(search, candidate, fit);
        if explanations.len() == MAX_EXPLANATIONS || !is_worth {
            continue;
        }
        let without = ablated(search, candidate, fit)?;
        let needs = |part: &Part| {
            let other = without.iter().find(|other| other.what == part.kind.name());
            other.is_some_and(|other| other.rise(Fit::misfit, fit) >= MIN_MISFIT_DROP)
        };
        let name = named(candidate, &without, fit);
        let is_new = explanations.iter().all(|one| one.name != name) && adds(&explanations, causes(&name), &tried);
        if is_new && candidate.parts.iter().all(needs) && is_confirmed(search, candidate)? {
            /// A larger rise of the distance is shown as this.
            const MAX_SHOWN_RISE: f64 = 9.0;
            let rises = without.into_iter().map(|other| (other.rise(|fit| fit.d, fit).min(MAX_SHOWN_RISE), other.what));
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

/// Whether the candidate still reproduces the transfer with seeds that the search did not use.
fn is_confirmed<L: Laboratory>(search: &mut Search<L>, candidate: &Candidate) -> Result<bool, L::Error> {
    let rate = 1.3 * search.case.seen.received;
    let (base, now) = (Candidate::of_cases(), [("now".to_owned(), candidate.keys())]);
    let mut shown = search.run(&base, "remedy", &now, forecast::PREDICTION_SEEDS, Beside::Ping, rate)?;
    shown.extend(search.run(&base, "candidate", &now, SEEDS, Beside::Nothing, rate)?);
    let traces: Vec<Trace> = shown.into_iter().flatten().map(|shown| shown.trace).collect();
    let fit = distance(&search.case.seen, &traces, &candidate::scale(search.case, &candidate.keys()));
    Ok(fit.is_some_and(|fit| fit.holds()))
}

/// Sorts candidates: those that reproduce the evidence first, then by likelihood.
fn likeliest(mut all: Vec<Tried>) -> Vec<Tried> {
    all.sort_by(order);
    all
}

fn order(one: &Tried, other: &Tried) -> Ordering {
    let is_near = other.fit.is_near().cmp(&one.fit.is_near());
    is_near.then(one.criterion().total_cmp(&other.criterion()))
}

/// Improves a candidate: a step in all quantities, in one, and in all again. Stops once the misfit is within chance.
fn climbed<L: Laboratory>(search: &mut Search<L>, mut top: Tried) -> Result<Tried, L::Error> {
    const ALL_QUANTITIES: [bool; 3] = [true, false, true];
    /// Share of the budget that one step may cost.
    const CLIMB_BUDGET_SHARE: f64 = 0.05;
    const CLIMB_STEP_RATIO: f64 = 1.25;
    /// Share of the budget that is left for comparing explanations.
    const CLIMB_RESERVE_SHARE: f64 = 0.15;
    for along in ALL_QUANTITIES {
        if top.fit.misfit() < MIN_MISFIT_DROP || search.has_less(CLIMB_RESERVE_SHARE) {
            break;
        }
        let beside = if along { search.steps(&top) } else { neighbours(&top.candidate, CLIMB_STEP_RATIO, search.case) };
        search.round(beside.clone(), QUICK_SEEDS, CLIMB_BUDGET_SHARE)?;
        let known = beside.iter().filter_map(|one| search.known(one)).cloned().collect();
        let Some(next) = likeliest(known).into_iter().next() else { continue };
        search.settle(vec![next.candidate.clone()], SEEDS)?;
        top = search.known(&next.candidate).filter(|next| order(next, &top).is_lt()).cloned().unwrap_or(top);
    }
    Ok(top)
}

/// Whether a candidate may be listed with likelier explanations: it must not be much less likely, and with more causes
/// it has to fit better than all that need fewer.
fn adds(likelier: &[Explanation], needs: usize, tried: &Tried) -> bool {
    likelier.iter().all(|one| {
        tried.criterion() <= criterion(&one.candidate, &one.fit) + MAX_CRITERION_GAP
            && (needs <= causes(&one.name) || tried.fit.misfit() < one.fit.misfit())
    })
}

fn causes(name: &str) -> usize {
    name.split(" + ").count()
}

/// Whether a candidate with one mechanism less reproduces the evidence as well, on a link that is no slower.
fn is_matched<L: Laboratory>(search: &Search<L>, candidate: &Candidate, fit: &Fit) -> bool {
    let matches = |rest: &Candidate| {
        let is_rival = |other: &Tried| {
            other.seeds >= SEEDS
                && other.fit.holds()
                && other.candidate.has_kinds_of(rest)
                && other.candidate.rate >= MIN_LINK_RATE_RATIO * rest.rate
        };
        search.all().any(|other| is_rival(other) && other.fit.misfit() - fit.misfit() < MIN_MISFIT_DROP)
    };
    candidate.causes(search.case.rtt) > 1 && candidate.parts.iter().any(|part| matches(&candidate.without(part.kind)))
}

/// A candidate with one limit removed.
struct Without {
    what: String,
    /// Its distance; `None` if nothing arrives.
    fit: Option<Fit>,
    /// Goodput without it over goodput with it.
    gain: f64,
}

impl Without {
    /// Returns how much a measure of the fit rises; infinite if nothing arrives without the limit.
    fn rise(&self, of: fn(&Fit) -> f64, with: &Fit) -> f64 {
        self.fit.as_ref().map_or(f64::INFINITY, of) - of(with)
    }
}

/// Returns the fit of a candidate without each possible limit, with a few seeds unless these leave it open.
fn ablated<L: Laboratory>(search: &mut Search<L>, candidate: &Candidate, fit: &Fit) -> Result<Vec<Without>, L::Error> {
    /// A rise this close to [`MIN_BINDING_RISE`], or a gain this close to [`MIN_GAIN`], needs more seeds.
    const OPEN_RISE_MARGIN: f64 = 0.6;
    const OPEN_GAIN_MARGIN: f64 = 0.1;
    let (names, keys): (Vec<String>, Vec<Vec<Key>>) = ablations(candidate, search).into_iter().unzip();
    let gain = |other: &Option<Fit>| other.as_ref().map_or(f64::INFINITY, |other| other.goodput / fit.goodput);
    let is_open = |other: &Option<Fit>| {
        let rise = other.as_ref().map(|other| other.d - fit.d);
        rise.is_some_and(|rise| {
            (rise - MIN_BINDING_RISE).abs() < OPEN_RISE_MARGIN
                || rise > MIN_BINDING_RISE && (gain(other) - MIN_GAIN).abs() < OPEN_GAIN_MARGIN
        })
    };
    let mut fits = search.fits_of(&keys, QUICK_SEEDS)?;
    if candidate.causes(search.case.rtt) > 1 || fits.iter().any(is_open) {
        fits = search.fits_of(&keys, SEEDS)?;
    }
    let without = names.into_iter().zip(fits).map(|(what, fit)| Without { what, gain: gain(&fit), fit });
    refitted(search, candidate, without.collect())
}

/// Refits the remaining mechanism without each one: it may make up for the missing one with other quantities and
/// another link, so the nearest of its trials counts. If the link rate does not show, a slower link may not replace the
/// missing mechanism.
fn refitted<L: Laboratory>(
    search: &mut Search<L>,
    candidate: &Candidate,
    mut without: Vec<Without>,
) -> Result<Vec<Without>, L::Error> {
    /// Trials of the remaining mechanism that get all seeds.
    const MAX_RIVALS: usize = 3;
    if candidate.causes(search.case.rtt) < 2 {
        return Ok(without);
    }
    let of = |fit: &Option<Fit>| fit.as_ref().map_or(f64::INFINITY, |fit| fit.d);
    let both = search.known(candidate).map_or(0.0, |tried| tried.fit.d);
    let line_shows = without.iter().any(|other| other.what == LINE && of(&other.fit) - both >= MIN_BINDING_RISE);
    let least = if line_shows { 0.0 } else { MIN_LINK_RATE_RATIO * candidate.rate };
    for part in &candidate.parts {
        let rest = candidate.without(part.kind);
        let rivals = search.nearest(MAX_RIVALS, |other| other.has_kinds_of(&rest) && other.rate >= least);
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

/// Returns the name of the limit. The link rate shows wherever packets queue, so the link is named only if nothing else
/// limits. A mechanism that shows without costing goodput is not named next to a limit.
fn named(candidate: &Candidate, without: &[Without], fit: &Fit) -> String {
    let is_part = |what: &str| candidate.parts.iter().any(|part| part.kind.name() == what);
    let shows = |other: &&Without| is_part(&other.what) || other.rise(|fit| fit.d, fit) >= MIN_BINDING_RISE;
    let (line, others): (Vec<&Without>, Vec<&Without>) = without.iter().partition(|other| other.what == LINE);
    let shown: Vec<&Without> = others.into_iter().filter(shows).collect();
    // A large queue costs time and no goodput.
    let holds_back = |other: &&&Without| other.gain >= MIN_GAIN || other.what == LARGE_QUEUE;
    let binding: Vec<&Without> = shown.iter().filter(holds_back).copied().collect();
    let is_line = line.iter().any(|line| if shown.is_empty() { shows(line) } else { line.gain >= MIN_GAIN });
    let told = |all: &[&Without]| all.iter().map(|other| other.what.as_str()).collect::<Vec<_>>().join(" + ");
    match () {
        () if !binding.is_empty() => told(&binding),
        () if is_line => LINE.into(),
        () if !shown.is_empty() => told(&shown),
        () => NO_LIMIT.into(),
    }
}

/// Returns the candidate without each possible limit, the rest unchanged.
fn ablations<L: Laboratory>(candidate: &Candidate, search: &Search<L>) -> Vec<(String, Vec<Key>)> {
    /// Rate of a link or a program that no longer limits, over its fitted rate.
    const FASTER_LINK_RATIO: f64 = 4.0;
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
    let faster = Candidate { rate: candidate.rate * FASTER_LINK_RATIO, ..candidate.clone() };
    all.push((LINE.into(), faster.keys()));
    // Settings of the hosts limit where nothing else on the path does.
    for (kind, setting) in [(Mechanism::ReceiveWindow, case.rmem), (Mechanism::SendBuffer, case.wmem)] {
        let is_small = setting.is_some_and(|most| most < UNLIMITED_BUFFER_BYTES);
        if is_small && case.asked.is_none() && candidate.parts.is_empty() {
            let unlimited = Part { kind, values: vec![UNLIMITED_BUFFER_BYTES as f64] };
            all.push((kind.name().into(), [candidate.keys(), vec![unlimited.key()]].concat()));
        }
    }
    if case.asked.is_some() {
        let auto = ["send-buffer", "receive-buffer"].map(|name| Key::new(format!("flows.{name}"), "auto"));
        all.push(("socket buffers (-w)".into(), [candidate.keys(), auto.to_vec()].concat()));
    }
    if let Some(target) = case.target {
        let faster = Key::new("flows.send-rate", format!("{:.0} kbit/s", FASTER_LINK_RATIO * target / 1e3));
        let always = [Key::new("flows.on", "1 s"), Key::new("flows.off", "1 us")];
        all.push(("pace of the sending program".into(), [candidate.keys(), vec![faster], always.to_vec()].concat()));
    }
    all
}

/// Returns the range of each quantity over all trials of the same mechanisms that reproduce the evidence, after trying
/// both sides of each. The ends lie between the last value that fits and the first that does not.
fn ranges<L: Laboratory>(search: &mut Search<L>, one: &Explanation) -> Result<Vec<[f64; 2]>, L::Error> {
    let candidate = &one.candidate;
    let beside = |by| match one.knows_rate() {
        true => neighbours(candidate, by, search.case),
        false => mechanism_neighbours(candidate, by, search.case),
    };
    const RANGE_STEP_RATIOS: [f64; 2] = [1.25, 1.6];
    // A quantity that does not fit at the first step does not fit at the second.
    let [near, far] = RANGE_STEP_RATIOS.map(beside);
    search.settle(near.clone(), QUICK_SEEDS)?;
    let holds = |one: &Candidate| search.known(one).is_some_and(|tried| tried.fit.holds());
    let far: Vec<Candidate> = near.iter().zip(far).filter(|(near, _)| holds(near)).map(|(_, far)| far).collect();
    search.settle(far, QUICK_SEEDS)?;
    let mut ranges: Vec<[f64; 2]> = candidate
        .quantities()
        .into_iter()
        .map(|value| [value / INTERVAL_END_RATIO, value * INTERVAL_END_RATIO])
        .collect();
    for group in search.ranked() {
        for tried in group.iter().filter(|tried| tried.fit.holds() && tried.candidate.has_kinds_of(candidate)) {
            for (range, value) in ranges.iter_mut().zip(tried.candidate.quantities()) {
                *range = [range[0].min(value / INTERVAL_END_RATIO), range[1].max(value * INTERVAL_END_RATIO)];
            }
        }
    }
    // Random losses are a sample: widen their share by the sampling error, if nothing else causes retransmissions.
    let again = [Mechanism::Policer, Mechanism::Reordering, Mechanism::Hole, Mechanism::Shared, Mechanism::Aqm];
    let alone = !candidate.is_small(search.case.rtt) && again.iter().all(|kind| !candidate.has(*kind));
    let mut at = 2;
    for part in &candidate.parts {
        let length = if part.kind == Mechanism::Bursts { part.values[1] } else { 1.0 };
        if matches!(part.kind, Mechanism::Loss | Mechanism::Bursts) && alone {
            let [least, most] = Clues::from_case(search.case).chance(length);
            ranges[at] = [ranges[at][0].min(least), ranges[at][1].max(most)];
        }
        at += part.values.len();
    }
    // Hard evidence bounds the intervals.
    let quantities = candidate.parts.iter().flat_map(|part| part.kind.row().1);
    for (range, (_, quantity)) in ranges[2..].iter_mut().zip(quantities) {
        range[1] = range[1].min(quantity.most());
    }
    Ok(ranges)
}

/// Keeps the lab's curves of each explanation.
pub fn show<L: Laboratory>(search: &mut Search<L>, explanations: &mut [Explanation]) -> Result<(), L::Error> {
    let Instrument { step, mss, .. } = search.case.instrument;
    for one in explanations {
        let cases = [("fitted".to_owned(), vec![])];
        let rate = 1.3 * search.case.seen.received;
        let shown = search.run(&one.candidate, "candidate", &cases, SEEDS, Beside::Nothing, rate)?;
        let seeds: Vec<Trace> = shown.into_iter().flatten().map(|seed| seed.trace).collect();
        let rates = |bytes: &[f64]| bytes.iter().map(|bytes| (bytes * 8.0 / step).round()).collect();
        one.goodput = seeds.iter().map(|seed| rates(&seed.bytes)).collect();
        if !search.case.instrument.total {
            one.departs = departures(&rates(&search.case.seen.bytes), &one.goodput, step);
        }
        if search.case.seen.cwnd.is_some() {
            let cwnd = seeds.iter().filter_map(|seed| seed.cwnd.as_ref());
            one.cwnd = cwnd.map(|all| all.iter().map(|segments| (segments * mss).round()).collect()).collect();
        }
    }
    Ok(())
}

/// Thirds of a transfer in which its goodput is at least 15 % beyond that of every seed.
pub(super) fn departures(seen: &[f64], seeds: &[Vec<f64>], step: f64) -> Vec<Departure> {
    const DEPARTURE_RATIO: f64 = 1.15;
    let third = seen.len().div_ceil(3).max(1);
    let spans = (0..seen.len()).step_by(third).map(|from| from..(from + third).min(seen.len()));
    let of = |span: Range<usize>| {
        let own = mean(&seen[span.clone()]);
        let lab: Vec<f64> = seeds.iter().filter_map(|seed| Some(mean(seed.get(span.clone())?))).collect();
        let [low, high] = forecast::own_range(&lab);
        let is_beyond = !lab.is_empty() && (own * DEPARTURE_RATIO < low || own > high * DEPARTURE_RATIO);
        let [from, until] = [span.start, span.end].map(|at| at as f64 * step);
        is_beyond.then_some(Departure { from, until, seen: own, lab: [low, high] })
    };
    spans.filter_map(of).collect()
}

impl Explanation {
    /// Returns mechanisms that show in the transfer but do not limit it.
    pub fn bystanders(&self) -> impl Iterator<Item = &'static str> {
        self.candidate.parts.iter().map(|part| part.kind.name()).filter(|name| !self.names(name))
    }

    /// Whether a mechanism is named as a limit.
    pub fn names(&self, what: &str) -> bool {
        self.name.split(" + ").any(|name| name == what)
    }

    /// Returns the interval of the first quantity of a mechanism that the candidate has.
    pub fn range(&self, kind: Mechanism) -> Option<[f64; 2]> {
        let before = self.candidate.parts.iter().take_while(|part| part.kind != kind).map(|part| part.values.len());
        self.candidate.has(kind).then(|| self.ranges.get(2 + before.sum::<usize>()).copied())?
    }

    /// Whether a much faster link fits as well.
    pub fn is_open(&self) -> bool {
        let is_faster = |one: &Scenario| one.candidate.rate > 0.99 * FASTER_LINK_RATIOS[1] * self.candidate.rate;
        self.scenarios.iter().any(|one| one.assumes == Assumes::Faster && is_faster(one))
    }

    /// Whether the link rate shows in the evidence.
    pub fn knows_rate(&self) -> bool {
        self.without.iter().any(|(what, rise)| what == LINE && *rise >= MIN_BINDING_RISE)
    }
}

/// Link rates to try if the rate does not show: multiples of the least that carries the transfer, and of the best fit.
const SLOWER_LINK_RATIOS: [f64; 4] = [1.05, 1.3, 1.8, 2.5];
const FASTER_LINK_RATIOS: [f64; 2] = [10.0, 3.0];
/// Links whose rates differ by less than this ratio count as one; `MAX_LINKS_PER_SIDE` are tried on either side.
const DISTINCT_RATE_RATIO: f64 = 1.08;
const MAX_LINKS_PER_SIDE: usize = 5;
/// Buffers that may limit next, over the largest cwnd: about half of a receive buffer is window (tcp_win_from_space), and a
/// send buffer holds two windows (tcp_sndbuf_expand).
const HIDDEN_BUFFER_RATIOS: [f64; 4] = [1.6, 2.2, 3.0, 5.0];

/// Adds the scenarios that fit under each explanation: other link rates if the rate does not show, and buffers that
/// limit once the present limit is lifted. The first alternative that fits counts.
pub fn open<L: Laboratory>(search: &mut Search<L>, explanations: &mut [Explanation]) -> Result<(), L::Error> {
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
        let fits = search.fits(&first.iter().map(|(_, one)| one.candidate.clone()).collect::<Vec<_>>(), QUICK_SEEDS)?;
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

/// Returns scenarios for each open quantity, the furthest from the best fit first.
fn alternatives<L: Laboratory>(search: &Search<L>, one: &Explanation) -> Vec<Vec<Scenario>> {
    let (case, best) = (search.case, &one.candidate);
    let mut all: Vec<Vec<Scenario>> = vec![];
    if case.rate.is_none() {
        let mut lines = search.lines(best);
        if !one.knows_rate() {
            let bdps = best.buffer / Candidate::bdp(best.rate, case.rtt);
            let slow = SLOWER_LINK_RATIOS.map(|times| times * Clues::from_case(case).least());
            let rates = slow.into_iter().chain(FASTER_LINK_RATIOS.map(|times| times * best.rate));
            // A queue that did not overflow need not be shorter on a slower link.
            let queue = |rate| best.buffer.max(bdps * Candidate::bdp(rate, case.rtt));
            lines.extend(rates.map(|rate| Candidate { rate, buffer: queue(rate), ..best.clone() }));
        }
        lines.sort_by(|a, b| a.rate.total_cmp(&b.rate));
        let is_apart = |one: &Candidate| one.rate.max(best.rate) / one.rate.min(best.rate) > DISTINCT_RATE_RATIO;
        let (slower, faster): (Vec<Candidate>, Vec<Candidate>) =
            lines.into_iter().filter(is_apart).partition(|one| one.rate < best.rate);
        let of = |assumes| move |candidate: Candidate| Scenario { assumes, candidate };
        all.push(slower.into_iter().map(of(Assumes::Slower)).take(MAX_LINKS_PER_SIDE).collect());
        all.push(faster.into_iter().rev().map(of(Assumes::Faster)).take(MAX_LINKS_PER_SIDE).collect());
    }
    let streams = case.streams as f64;
    let cwnd = case.seen.cwnd.as_ref().map_or(0.0, |cwnd| largest(cwnd)) * case.instrument.mss;
    let in_flight = cwnd.max(case.seen.received * case.rtt / 8.0) / streams;
    // The receive buffer is larger than the window that was offered from it.
    let offered = case.seen.window.as_ref().map_or(0.0, |window| largest(window)) * HIDDEN_BUFFER_RATIOS[0] / streams;
    let hidden = [
        (Mechanism::ReceiveWindow, Assumes::ReceiveWindow, case.rmem, offered),
        (Mechanism::SendBuffer, Assumes::SendBuffer, case.wmem, 0.0),
    ];
    for (kind, assumes, known, least) in hidden {
        let with = |assumes, size: f64| Scenario { assumes, candidate: best.with(kind, &[size]) };
        if known.is_some() || case.asked.is_some() || best.has(kind) {
            continue;
        }
        all.push(match case.alike.filter(|_| kind == Mechanism::ReceiveWindow) {
            Some(alike) => vec![with(Assumes::Alike, alike as f64)],
            None => HIDDEN_BUFFER_RATIOS.map(|times| with(assumes, (in_flight * times).max(least))).into(),
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mechanisms_that_cost_no_goodput_are_not_the_limit() {
        let candidate = Candidate::line(20e6, 100.0).with(Mechanism::Reordering, &[0.02, 0.02]);
        let fit = Fit { d: 0.5, ..Fit::default() };
        let name = |reordering: f64, line: f64| {
            let without = [(Mechanism::Reordering.name(), reordering), (LINE, line)].map(|(what, gain)| Without {
                what: what.into(),
                fit: Some(Fit { d: 3.0, ..Fit::default() }),
                gain,
            });
            named(&candidate, &without, &fit)
        };
        assert_eq!(name(1.02, 3.0), "line");
        assert_eq!(name(1.2, 3.0), "reordering");
        // A faster link brings nothing either, so the mechanism that shows is named.
        assert_eq!(name(1.02, 1.0), "reordering");
    }
}
