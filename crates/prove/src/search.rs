//! The search for candidates that reproduce the evidence: rounds of trials, each chosen from the results so far.

use super::candidate::{self, Candidate, FRAME_BITS, Mechanism};
use super::case::Case;
use super::clues::Clues;
use super::distance::{Fit, distance};
use super::experiment::{self, Beside, Design, merged};
use super::neighbours::neighbours;
use super::newton;
use super::trace::Trace;
use analysis::Hold;
use diagnosis::remedy::lab::Key;
use std::collections::{BTreeMap, BTreeSet};

/// The result of a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// The figures that the user's instrument would have printed.
    pub trace: Trace,
    /// Goodput as `goodput run` measures it, bit/s.
    pub goodput: f64,
    /// The concurrent pings.
    pub pings: Option<Pings>,
    /// Goodput of all competing flows together, bit/s.
    pub others: Option<f64>,
    /// The limit that bound the sender for most of the time.
    pub held: Option<Hold>,
}

/// Round-trip times of pings, seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pings {
    /// Their mean.
    pub mean: f64,
    /// Their 95th percentile.
    pub p95: f64,
}

/// Runs experiments.
pub trait Laboratory {
    /// Why a trial failed.
    type Error;

    /// Runs every seed of every case of an experiment. Returns for each case the seeds in which data arrived.
    fn run(&mut self, design: &Design) -> Result<Vec<Vec<Shown>>, Self::Error>;

    /// Reports progress.
    fn say(&mut self, what: &str);
}

/// A candidate that was tried.
#[derive(Debug, Clone)]
pub struct Tried {
    /// The candidate.
    pub candidate: Candidate,
    /// Its distance from the evidence.
    pub fit: Fit,
    /// Seeds it was tried with.
    pub seeds: usize,
}

/// Akaike's criterion (1974): more quantities must make a candidate likelier. Link rate and queue, which all candidates
/// have, cancel.
pub fn criterion(candidate: &Candidate, fit: &Fit) -> f64 {
    fit.unlikelihood() + 2.0 * candidate.parts.iter().map(|part| part.values.len()).sum::<usize>() as f64
}

impl Tried {
    /// Its criterion.
    pub fn criterion(&self) -> f64 {
        criterion(&self.candidate, &self.fit)
    }
}

/// The search of a case.
pub struct Search<'s, L> {
    /// The transfer to explain.
    pub case: &'s Case,
    /// The lab that runs trials.
    pub lab: &'s mut L,
    /// The budget left, seconds of a core.
    pub left: f64,
    all: f64,
    /// Trials run so far.
    pub trials: usize,
    tried: BTreeMap<String, Tried>,
    /// Seeds run of each experiment.
    ran: BTreeMap<String, usize>,
    clues: Clues<'s>,
}

/// Core time of a trial without traffic, and of a packet with its ACK, seconds; measured with two trials at a time, including
/// the trial's process and reading its recording (docs/prove.md).
const TRIAL_COST_S: f64 = 0.3;
const PACKET_COST_S: f64 = 4e-6;
/// Costs and changes assume no faster link than this, bit/s.
pub const MAX_COUNTED_RATE: f64 = 1e9;
/// A candidate is dear if its trial costs this many times a usual one.
const DEAR_COST_RATIO: f64 = 4.0;
/// Candidates whose distance is this many times the best are not followed.
const MAX_FOLLOWED_D_RATIO: f64 = 2.2;
/// Within this distance a single mechanism suffices, if no statistic is off by more standard deviations than
/// `MAX_SUFFICIENT_Z`.
const MAX_SUFFICIENT_D: f64 = 0.6;
const MAX_SUFFICIENT_Z: f64 = 1.6;
/// Candidates within this distance are not improved.
const NEAR_ENOUGH_D: f64 = 0.4;
/// Seeds of finalists.
pub const SEEDS: usize = 6;

impl<'s, L: Laboratory> Search<'s, L> {
    /// Starts a search with a budget in seconds of a core. Costs are computed and not measured, so that the same
    /// evidence leads to the same trials on every machine.
    pub fn new(case: &'s Case, lab: &'s mut L, budget: f64) -> Search<'s, L> {
        Search {
            case,
            lab,
            left: budget,
            all: budget,
            trials: 0,
            tried: BTreeMap::new(),
            ran: BTreeMap::new(),
            clues: Clues::from_case(case),
        }
    }

    /// Returns the cost of a trial that carries `rate`, bit/s; seconds of a core.
    pub fn cost(&self, rate: f64) -> f64 {
        Self::cost_of(self.case, rate)
    }

    fn cost_of(case: &Case, rate: f64) -> f64 {
        TRIAL_COST_S + PACKET_COST_S * rate * case.instrument.seconds() / FRAME_BITS
    }

    /// Keeps as many candidates as a share of the whole budget pays for, and at least `MIN_AFFORDED`.
    fn affordable(&self, mut all: Vec<Candidate>, seeds: usize, share: f64) -> Vec<Candidate> {
        const MIN_AFFORDED: usize = 3;
        let (mut left, mut few) = ((share * self.all).min(self.left), MIN_AFFORDED);
        all.retain(|one| {
            let cost = self.seeds(one, seeds) as f64 * self.cost(self.flowing(one));
            let is_paid = cost <= left || few > 0;
            if is_paid {
                (left, few) = (left - cost, few.saturating_sub(1));
            }
            is_paid
        });
        all
    }

    /// Returns the expected traffic with a candidate, its own and that of competing flows, bit/s.
    fn flowing(&self, candidate: &Candidate) -> f64 {
        let others = experiment::others(&candidate.keys());
        self.case.seen.received * (1.0 + others as f64).max(1.3)
    }

    /// Returns the cost of trying changes, some of which fill the link, seconds of a core.
    fn reserved(&self) -> f64 {
        const CHANGE_TRIALS: f64 = 5.0;
        const FULL_LINK_TRIALS: f64 = 2.0;
        const SEEDS_PER_CHANGE: f64 = 2.0;
        let received = self.case.seen.received;
        let line = self.case.rate.unwrap_or(10.0 * received).min(MAX_COUNTED_RATE);
        SEEDS_PER_CHANGE * (CHANGE_TRIALS * self.cost(1.3 * received) + FULL_LINK_TRIALS * self.cost(line))
    }

    /// Whether less than this share of the search's budget is left.
    pub fn has_less(&self, share: f64) -> bool {
        self.left - self.reserved() < share * (self.all - self.reserved())
    }

    /// Whether the rest of the budget is needed to compare candidates.
    fn is_spent(&self) -> bool {
        const COMPARISON_RESERVE_SHARE: f64 = 0.5;
        self.has_less(COMPARISON_RESERVE_SHARE)
    }

    /// Tries as many candidates as a share of the budget pays for.
    pub fn round(&mut self, candidates: Vec<Candidate>, seeds: usize, share: f64) -> Result<(), L::Error> {
        let wanted = self.affordable(self.untried(candidates, seeds), seeds, share);
        self.settle(wanted, seeds)
    }

    /// Runs a round, unless the search has spent its part.
    fn explore(&mut self, candidates: Vec<Candidate>, seeds: usize, share: f64) -> Result<(), L::Error> {
        if self.is_spent() { Ok(()) } else { self.round(candidates, seeds, share) }
    }

    /// Tries all candidates that were not tried with as many seeds.
    pub fn settle(&mut self, candidates: Vec<Candidate>, seeds: usize) -> Result<(), L::Error> {
        let wanted = self.untried(candidates, seeds);
        let fits = self.fits(&wanted, seeds)?;
        for (candidate, fit) in wanted.into_iter().zip(fits) {
            if let Some(fit) = fit {
                self.tried.insert(key_of(&candidate.keys()), Tried { candidate, fit, seeds });
            }
        }
        Ok(())
    }

    /// Returns the seeds for a candidate: fewer than usual if seeds hardly differ, more if they differ a lot, one for a
    /// first look at an expensive candidate.
    fn seeds(&self, candidate: &Candidate, usual: usize) -> usize {
        const STEADY_SEEDS: usize = 2;
        const RARE_LOSS_SEEDS: usize = 3;
        const FIRST_LOOK_SEEDS: usize = 2;
        match () {
            () if usual == FIRST_LOOK_SEEDS && self.is_dear(candidate) => 1,
            () if self.case.is_steady() => usual.min(STEADY_SEEDS),
            () if self.clues.is_rare(candidate) => usual.max(RARE_LOSS_SEEDS),
            () => usual,
        }
    }

    fn is_dear(&self, candidate: &Candidate) -> bool {
        self.cost(self.flowing(candidate)) > DEAR_COST_RATIO * self.cost(self.case.seen.received)
    }

    fn untried(&self, candidates: Vec<Candidate>, seeds: usize) -> Vec<Candidate> {
        let mut names: Vec<String> = vec![];
        let mut wanted = vec![];
        for candidate in candidates.into_iter().filter(|one| self.clues.allows(one)) {
            let name = key_of(&candidate.keys());
            let is_known = self.tried.get(&name).is_some_and(|tried| tried.seeds >= seeds);
            if !is_known && !names.contains(&name) {
                names.push(name);
                wanted.push(candidate);
            }
        }
        wanted
    }

    /// Returns the result of a candidate, if it was tried.
    pub fn known(&self, candidate: &Candidate) -> Option<&Tried> {
        self.tried.get(&key_of(&candidate.keys()))
    }

    /// Returns all results.
    pub fn all(&self) -> impl Iterator<Item = &Tried> {
        self.tried.values()
    }

    /// Returns the nearest of the wanted candidates, at most `most`.
    pub fn nearest(&self, most: usize, wanted: impl Fn(&Candidate) -> bool) -> Vec<Candidate> {
        let mut own: Vec<&Tried> = self.tried.values().filter(|tried| wanted(&tried.candidate)).collect();
        own.sort_by(|a, b| a.fit.d.total_cmp(&b.fit.d));
        own.into_iter().take(most).map(|tried| tried.candidate.clone()).collect()
    }

    /// Returns candidates of the same name that also reproduce the evidence, each with its own link.
    pub fn lines(&self, candidate: &Candidate) -> Vec<Candidate> {
        let name = candidate.name(self.case.rtt);
        let own = self.tried.values().filter(|one| one.fit.holds() && one.candidate.name(self.case.rtt) == name);
        own.map(|tried| tried.candidate.clone()).collect()
    }

    /// Returns the fits of candidates; `None` if nothing arrived.
    pub fn fits(&mut self, candidates: &[Candidate], seeds: usize) -> Result<Vec<Option<Fit>>, L::Error> {
        let needed: Vec<usize> = candidates.iter().map(|one| self.seeds(one, seeds)).collect();
        let mut all = vec![None; candidates.len()];
        for seeds in BTreeSet::from_iter(needed.iter().copied()) {
            let own: Vec<usize> = (0..candidates.len()).filter(|at| needed[*at] == seeds).collect();
            let keys: Vec<Vec<Key>> = own.iter().map(|at| candidates[*at].keys()).collect();
            for (at, fit) in own.into_iter().zip(self.fits_of(&keys, seeds)?) {
                all[at] = fit;
            }
        }
        Ok(all)
    }

    /// Returns the fits of candidates given as keys.
    pub fn fits_of(&mut self, all: &[Vec<Key>], seeds: usize) -> Result<Vec<Option<Fit>>, L::Error> {
        let cases: Vec<(String, Vec<Key>)> =
            all.iter().enumerate().map(|(at, keys)| (format!("c{at:03}"), keys.clone())).collect();
        let (base, rate) = (Candidate::of_cases(), 1.3 * self.case.seen.received);
        let shown = self.run(&base, "candidate", &cases, seeds, Beside::Nothing, rate)?;
        let fit = |(seeds, keys): (Vec<Shown>, &Vec<Key>)| {
            let traces: Vec<Trace> = seeds.into_iter().map(|shown| shown.trace).collect();
            distance(&self.case.seen, &traces, &candidate::scale(self.case, keys))
        };
        Ok(shown.into_iter().zip(all).map(fit).collect())
    }

    /// Runs the cases of an experiment on a candidate; each may carry `rate`, bit/s.
    pub fn run(
        &mut self,
        base: &Candidate,
        axis: &'static str,
        cases: &[(String, Vec<Key>)],
        seeds: usize,
        beside: Beside,
        rate: f64,
    ) -> Result<Vec<Vec<Shown>>, L::Error> {
        // Cases with the same keys run once.
        let all = merged(candidate::common(self.case), base.keys());
        let of_case = |(_, keys): &(String, Vec<Key>)| {
            let mut lines: Vec<String> = merged(all.clone(), keys.clone()).iter().map(Key::to_string).collect();
            lines.sort();
            lines.join("\n")
        };
        let names: Vec<String> = cases.iter().map(of_case).collect();
        let first = |name: &String| names.iter().position(|other| other == name);
        let distinct: Vec<usize> = (0..cases.len()).filter(|at| first(&names[*at]) == Some(*at)).collect();
        let others = |at: usize| experiment::others(&merged(base.keys(), cases[at].1.clone()));
        let mut shown: BTreeMap<&String, Vec<Shown>> = BTreeMap::new();
        for count in BTreeSet::from_iter(distinct.iter().map(|at| others(*at))) {
            let alike: Vec<usize> = distinct.iter().copied().filter(|at| others(*at) == count).collect();
            let own: Vec<(String, Vec<Key>)> = alike.iter().map(|at| cases[*at].clone()).collect();
            let (title, question) = ("A round of goodput prove".to_owned(), String::new());
            let design = Design {
                case: self.case,
                title,
                question,
                base,
                axis,
                cases: &own,
                seeds,
                first: beside.first_seed(),
                predicted: vec![],
                beside,
            };
            let flows = rate.max((1 + count) as f64 * self.case.seen.received);
            for at in &alike {
                let ran = self.ran.entry(format!("{beside:?}\n{}", names[*at])).or_default();
                let more = seeds.saturating_sub(*ran);
                *ran += more;
                self.trials += more;
                self.left -= Self::cost_of(self.case, flows) * more as f64;
            }
            shown.extend(alike.iter().map(|at| &names[*at]).zip(self.lab.run(&design)?));
        }
        Ok(names.iter().map(|name| shown.get(name).cloned().unwrap_or_default()).collect())
    }

    /// Groups results by the names of their mechanisms, the likeliest of each group first, the likeliest group first.
    pub fn ranked(&self) -> Vec<Vec<&Tried>> {
        let mut groups: BTreeMap<String, Vec<&Tried>> = BTreeMap::new();
        for tried in self.tried.values() {
            groups.entry(tried.candidate.name(self.case.rtt)).or_default().push(tried);
        }
        let mut groups: Vec<Vec<&Tried>> = groups.into_values().collect();
        groups.iter_mut().for_each(|group| group.sort_by(|a, b| a.criterion().total_cmp(&b.criterion())));
        groups.sort_by(|a, b| a[0].criterion().total_cmp(&b[0].criterion()));
        groups
    }

    /// Returns the likeliest of each group worth following, and its likeliest on a much faster or slower link: a slow
    /// link may replace a mechanism until the mechanism's quantities are found.
    fn leaders(&self, most: usize, wanted: impl Fn(&Candidate) -> bool) -> Vec<Candidate> {
        const FAR_RATE_RATIO: f64 = 2.0;
        let ranked = self.ranked();
        let own: Vec<&Vec<&Tried>> = ranked.iter().filter(|group| wanted(&group[0].candidate)).take(most).collect();
        let limit = own.first().map_or(0.0, |group| (MAX_FOLLOWED_D_RATIO * group[0].fit.d).max(MAX_FOLLOWED_D_RATIO));
        let of_group = |group: &&Vec<&Tried>| {
            let first = group[0];
            let apart = |tried: &&&Tried| {
                let ratio = tried.candidate.rate / first.candidate.rate;
                ratio.max(1.0 / ratio) >= FAR_RATE_RATIO
            };
            let near = [Some(first), group.iter().find(apart).copied()].into_iter().flatten();
            near.filter(|tried| tried.fit.d < limit).map(|tried| tried.candidate.clone()).collect::<Vec<_>>()
        };
        own.iter().flat_map(of_group).collect()
    }

    /// Tries neighbours of leaders that are not near enough.
    fn refine(&mut self, leaders: Vec<Candidate>, factor: f64, seeds: usize, share: f64) -> Result<(), L::Error> {
        let is_off = |one: &&Candidate| self.known(one).is_none_or(|tried| tried.fit.d > NEAR_ENOUGH_D);
        let leaders = leaders.iter().filter(is_off);
        // A slope needs one side of each quantity.
        let of = |one: &Candidate| -> Vec<Candidate> {
            let all = neighbours(one, factor, self.case);
            [0, 1].iter().flat_map(|side| all.iter().skip(*side).step_by(2).cloned()).collect()
        };
        let beside: Vec<Vec<Candidate>> = leaders.map(of).collect();
        let most = beside.iter().map(Vec::len).max().unwrap_or(0);
        let all = (0..most).flat_map(|at| beside.iter().filter_map(move |all| all.get(at).cloned()));
        self.explore(all.collect(), seeds, share)
    }

    /// Returns better candidates according to a candidate's tried neighbours.
    pub fn steps(&self, from: &Tried) -> Vec<Candidate> {
        let beside = self.tried.values().filter(|other| other.candidate.has_kinds_of(&from.candidate));
        let beside: Vec<newton::Known> = beside.map(|other| (&other.candidate, &other.fit)).collect();
        newton::steps((&from.candidate, &from.fit), &beside)
    }

    /// Takes a step from each leader that is not near enough.
    fn descend(&mut self, leaders: Vec<Candidate>, seeds: usize, share: f64) -> Result<(), L::Error> {
        let off = leaders.iter().filter_map(|one| self.known(one)).filter(|tried| tried.fit.d > NEAR_ENOUGH_D);
        let all = off.flat_map(|tried| self.steps(tried)).collect();
        self.explore(all, seeds, share)
    }

    /// Searches, and returns the candidates worth more seeds, the likeliest group first. `only` restricts the mechanisms, unless
    /// it is empty.
    pub fn finalists(&mut self, only: &[Mechanism]) -> Result<Vec<Candidate>, L::Error> {
        self.try_singles(only)?;
        if self.is_left_over() && only.is_empty() && !self.is_spent() {
            self.try_pairs()?;
        }
        Ok(self.chosen())
    }

    /// Tries one mechanism at a time.
    fn try_singles(&mut self, only: &[Mechanism]) -> Result<(), L::Error> {
        let wanted = |candidate: &Candidate| only.is_empty() || only.iter().all(|kind| candidate.has(*kind));
        let guesses: Vec<Candidate> = self.clues.candidates().into_iter().filter(wanted).collect();
        self.lab.say(&format!("trying {} candidates", guesses.len()));
        self.round(guesses, 2, 0.2)?;
        self.tell_best();
        let line = self.leaders(1, |candidate| candidate.parts.is_empty());
        let beside = line.first().map(|line| self.clues.small_doses_on(line)).unwrap_or_default();
        self.round(beside.into_iter().filter(wanted).collect(), 2, 0.03)?;
        self.refine(self.leaders(5, |_| true), 1.45, 2, 0.07)?;
        for _ in 0..3 {
            self.descend(self.leaders(5, |_| true), 3, 0.03)?;
        }
        let off = |one: &Candidate| self.known(one).is_some_and(|tried| !tried.fit.holds());
        let off = self.leaders(3, |_| true).into_iter().filter(off).collect();
        self.refine(off, 1.15, 3, 0.04)?;
        self.tell_best();
        // Chance may hide a misfit with few seeds.
        self.settle(self.leaders(1, |_| true), SEEDS)
    }

    /// Whether the likeliest candidate leaves a misfit.
    fn is_left_over(&self) -> bool {
        self.ranked().first().is_none_or(|group| {
            let fit = &group[0].fit;
            fit.d > MAX_SUFFICIENT_D || fit.worst().first().is_some_and(|(_, z)| z.abs() > MAX_SUFFICIENT_Z)
        })
    }

    /// Tries two mechanisms at a time: a mechanism that fits badly alone may be the one that another lacks.
    fn try_pairs(&mut self) -> Result<(), L::Error> {
        const MAX_SINGLES: usize = 6;
        let rtt = self.case.rtt;
        let ranked = self.ranked();
        let single: Vec<&Vec<&Tried>> =
            ranked.iter().filter(|group| group[0].candidate.parts.len() < 2).take(MAX_SINGLES).collect();
        let best: Vec<&Candidate> = single.iter().map(|group| &group[0].candidate).collect();
        let apart = |group: &&Vec<&'_ Tried>| {
            group.iter().map(|one| one.candidate.clone()).find(|one| one.is_apart(&group[0].candidate))
        };
        let others: Vec<Candidate> = single.iter().filter_map(apart).collect();
        let pairs = self.clues.pairs(&best, &others.iter().collect::<Vec<_>>());
        self.lab.say(&format!("one mechanism alone leaves something over: trying {} pairs", pairs.len()));
        self.round(pairs, 2, 0.15)?;
        let is_pair = |candidate: &Candidate| candidate.causes(rtt) == 2;
        self.refine(self.leaders(3, is_pair), 1.4, 2, 0.05)?;
        for _ in 0..2 {
            self.descend(self.leaders(3, is_pair), 3, 0.03)?;
        }
        self.tell_best();
        Ok(())
    }

    /// Returns the finalists: the nearest in any case, since few come much nearer with more seeds. Singles and pairs
    /// are counted apart, so that pairs do not crowd out a single mechanism.
    fn chosen(&self) -> Vec<Candidate> {
        const MAX_FINALIST_D: f64 = 1.5 * Fit::MAX_D;
        const MAX_GROUPS: usize = 4;
        const FINALIST_BUDGET_SHARE: f64 = 0.15;
        let ranked = self.ranked();
        let near = |group: &&Vec<&Tried>| group[0].fit.d < MAX_FINALIST_D;
        let of = |pairs: bool| {
            let own = ranked.iter().filter(move |group| (group[0].candidate.parts.len() > 1) == pairs);
            own.filter(near).take(MAX_GROUPS)
        };
        let mut chosen: Vec<&Vec<&Tried>> = of(false).chain(of(true)).collect();
        if chosen.is_empty() {
            chosen.extend(ranked.first());
        }
        let at = |at: usize| chosen.iter().filter_map(move |group| Some(group.get(at)?.candidate.clone()));
        self.affordable(at(0).chain(at(1)).collect(), SEEDS, FINALIST_BUDGET_SHARE)
    }

    fn tell_best(&mut self) {
        let told = self.ranked().first().map(|group| {
            format!(
                "nearest so far: {} (distance {:.2}, at most {:.2} reproduces it)",
                group[0].candidate.described(),
                group[0].fit.d,
                Fit::MAX_D
            )
        });
        if let Some(told) = told {
            self.lab.say(&told);
        }
    }
}

/// Candidates with the same key are the same experiment.
fn key_of(keys: &[Key]) -> String {
    keys.iter().map(|key| format!("{key}\n")).collect()
}
