//! The effect of each change under every scenario: the lab with the change against the lab without it, seed by seed.

use super::allowed_changes::{self, BUFFER_KEYS, ChangePlace, Proposal};
use super::candidate::{Candidate, Mechanism, PAYLOAD_SHARE};
use super::case::Case;
use super::clues::MIN_LIMITED_SHARE;
use super::experiment::{self, Beside, NEIGHBOUR_PREFIX, merged};
use super::explain::{Assumes, Explanation, INTERVAL_END_RATIO, MIN_GAIN, Scenario};
use super::forecast::{self, PREDICTION_SEEDS};
use super::other_runs::Measured;
use super::row::{ChangeRow, Effect, MAX_HARM_RATIO, Neighbour, alone, parts};
use super::search::{Laboratory, MAX_COUNTED_RATE, Pings, Search, Shown};
use super::streams::unevenness;
use super::words::{RECEIVE_BUFFER, SEND_BUFFER, STREAMS};
use analysis::Hold;
use analysis::decide::Outcome;
use base::model::response;
use base::stats::{mean, median};
use diagnosis::remedy::lab::Key;
use diagnosis::remedy::{At, Remedy, Side, Steps, Typed, word};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Name of the row without a change.
pub const NOW: &str = "now";
/// Name of the next limit if congestion control alone is.
const CWND_LIMIT: &str = "the congestion window";
/// Name of the next limit if nothing is left to change at the ends.
pub const LINK_LIMIT: &str = "the line itself";
/// Changes that only lift a limit, and the name of that limit.
const BUFFER_CHANGES: &[(&str, &str)] = &[(SEND_BUFFER, "the send buffer"), (RECEIVE_BUFFER, "the receive window")];
/// Seeds of a first look, after which unpromising changes are dropped.
const FIRST_LOOK_SEEDS: usize = 2;
/// Seeds under the other scenarios of an explanation.
const SCENARIO_SEEDS: usize = 3;
/// Seeds for changes whose effect is still open, while the budget lasts.
const OPEN_CHANGE_SEEDS: [usize; 2] = [8, 12];
/// Changes that get more seeds than the first look.
const MAX_FOLLOWED: usize = 4;

/// Tries each proposal alone, then combinations of those that help, which it adds to `proposals`. Returns the row
/// without a change, then the others, the best first. All get a few seeds; promising changes get more, and undecided
/// ones more again.
pub fn effects<L: Laboratory>(
    search: &mut Search<L>,
    explanations: &[Explanation],
    proposals: &mut Vec<Proposal>,
) -> Result<Vec<ChangeRow>, L::Error> {
    let scenarios: Vec<(usize, &Scenario)> =
        explanations.iter().enumerate().flat_map(|(at, one)| one.scenarios.iter().map(move |s| (at, s))).collect();
    let mut all = vec![Proposal { name: NOW.into(), place: ChangePlace::Sender, remedies: vec![], keys: vec![] }];
    all.extend(proposals.iter().cloned());
    let under = if scenarios.len() == 1 { "one scenario".into() } else { format!("{} scenarios", scenarios.len()) };
    search.lab.say(&format!("trying {} changes under {under}", proposals.len()));
    let mut showed = vec![Showed::new(); scenarios.len()];
    let first = vec![FIRST_LOOK_SEEDS; scenarios.len()];
    run_missing(search, &scenarios, &all, &first, &mut showed)?;
    let rows = rows(search.case, &scenarios, &all, &showed);
    if rows.is_empty() {
        return Ok(rows);
    }
    let mut more = combined(&rows, proposals);
    all.extend(more.iter().cloned());
    let known = allowed_changes::measured(search.case, &all);
    all.extend(known.iter().cloned());
    more.extend(known);
    run_missing(search, &scenarios, &more, &first, &mut showed)?;
    proposals.extend(more);
    let rows = follow_up(search, &scenarios, &all, &mut showed)?;
    Ok(ordered(search, explanations, rows))
}

/// Runs more seeds without a change and with the most promising changes, then with those still undecided.
fn follow_up<L: Laboratory>(
    search: &mut Search<L>,
    scenarios: &[(usize, &Scenario)],
    all: &[Proposal],
    showed: &mut [Showed],
) -> Result<Vec<ChangeRow>, L::Error> {
    let known = rows(search.case, scenarios, all, showed);
    let mut promising: Vec<&ChangeRow> = known.iter().skip(1).filter(|row| row.gain()[1] >= MIN_GAIN).collect();
    promising.sort_by(|a, b| b.rank().total_cmp(&a.rank()));
    let mut names: Vec<&str> = promising.iter().take(MAX_FOLLOWED).map(|row| row.name.as_str()).collect();
    // The outcome of a change that somebody made is known: its prediction is compared.
    let was_made = |row: &&ChangeRow| search.case.measured.iter().any(|run| run.is_with(&row.name));
    names.extend(known.iter().skip(1).filter(was_made).map(|row| row.name.as_str()));
    let followed: Vec<Proposal> =
        all.iter().filter(|one| one.name == NOW || names.contains(&one.name.as_str())).cloned().collect();
    let seeds = |(_, scenario): &(usize, &Scenario)| {
        if scenario.assumes == Assumes::Nothing { PREDICTION_SEEDS } else { SCENARIO_SEEDS }
    };
    run_missing(search, scenarios, &followed, &scenarios.iter().map(seeds).collect::<Vec<_>>(), showed)?;
    for more in OPEN_CHANGE_SEEDS {
        let own = rows(search.case, scenarios, &followed, showed);
        let open: Vec<Proposal> = followed.iter().filter(|one| is_open(&own, &one.name)).cloned().collect();
        let cost: f64 = scenarios.iter().map(|(_, s)| search.cost(s.candidate.rate.min(MAX_COUNTED_RATE))).sum();
        if open.is_empty() || cost * (open.len() * PREDICTION_SEEDS) as f64 > search.left {
            break;
        }
        let all: Vec<Proposal> = followed.iter().take(1).cloned().chain(open).collect();
        run_missing(search, scenarios, &all, &vec![more; scenarios.len()], showed)?;
    }
    let mut rows = rows(search.case, scenarios, all, showed);
    rows.iter_mut().for_each(|row| row.dropped = row.name != NOW && !names.contains(&row.name.as_str()));
    Ok(rows)
}

/// Whether a change is undecided under the best fit of an explanation.
fn is_open(rows: &[ChangeRow], name: &str) -> bool {
    let own = rows.iter().find(|row| row.name == name && name != NOW);
    let mut fitted = own.into_iter().flat_map(|row| &row.effects).filter(|effect| effect.assumes == Assumes::Nothing);
    fitted.any(|effect| effect.outcome == Outcome::Inconclusive)
}

/// Orders the rows: the one without a change, then the best first. Fills in what depends on all rows.
fn ordered<L: Laboratory>(
    search: &Search<L>,
    explanations: &[Explanation],
    mut rows: Vec<ChangeRow>,
) -> Vec<ChangeRow> {
    let unknown = search.case.faster || explanations.iter().any(Explanation::is_open);
    rows.iter_mut().for_each(|row| row.open = unknown && row.mean_gain() >= MIN_GAIN);
    set_next_limits(&mut rows);
    for row in &mut rows {
        row.seen = (row.name == NOW).then_some(search.case.seen.received);
        row.predicted = row.prediction();
        let is_own = |run: &&Measured| if row.name == NOW { run.changed.is_empty() } else { run.is_with(&row.name) };
        row.measured = search.case.measured.iter().filter(is_own).cloned().collect();
    }
    let first = rows.remove(0);
    let is_needless = |row: &ChangeRow| row.measured.is_empty() && rows.iter().any(|other| row.adds_nothing_to(other));
    let needless: Vec<String> = rows.iter().filter(|row| is_needless(row)).map(|row| row.name.clone()).collect();
    rows.retain(|row| !needless.contains(&row.name));
    rows.sort_by(|a, b| a.dropped.cmp(&b.dropped).then(b.rank().total_cmp(&a.rank())));
    if let Some(at) = with_larger_buffers(&rows) {
        rows[..=at].rotate_right(1);
    }
    rows.insert(0, first);
    rows
}

/// Sets the next limit of each change: the limit whose lifting brings more. The socket's state alone would call a send
/// buffer that keeps BBR's estimate low a cwnd limit.
fn set_next_limits(rows: &mut [ChangeRow]) {
    let known: Vec<(String, Vec<f64>)> =
        rows.iter().map(|row| (row.name.clone(), row.effects.iter().map(|e| mean(&e.goodput)).collect())).collect();
    for row in rows {
        for (lift, limit) in BUFFER_CHANGES {
            let both = match row.name.as_str() {
                NOW => (*lift).to_owned(),
                name => format!("{name} + {lift}"),
            };
            let Some((_, more)) = known.iter().find(|(name, _)| are_same_changes(name, &both)) else { continue };
            let effects = row.effects.iter_mut().zip(more);
            let lifted = effects.filter(|(own, more)| **more >= MIN_GAIN * mean(&own.goodput));
            lifted.for_each(|(own, _)| own.next = (*limit).into());
        }
    }
}

/// The row with the changes of the first row and larger buffers, if buffers may limit after the first row and the larger ones
/// cost nothing under any scenario: the evidence may not tell how large they are.
pub(super) fn with_larger_buffers(rows: &[ChangeRow]) -> Option<usize> {
    let first = rows.first()?;
    let holds = |limit: &str| first.effects.iter().any(|effect| effect.next == limit);
    let lifts: BTreeSet<&str> =
        BUFFER_CHANGES.iter().filter(|(_, limit)| holds(limit)).map(|(lift, _)| *lift).collect();
    let costs = |row: &ChangeRow| {
        let less = |(own, first): (&Effect, &Effect)| own.gain * MIN_GAIN < first.gain;
        row.effects.iter().zip(&first.effects).any(less) || row.is_slower() && !first.is_slower()
    };
    let own = parts(&first.name);
    let more = |row: &ChangeRow| {
        let all = parts(&row.name);
        let added = &all - &own;
        (all.is_superset(&own) && added.is_subset(&lifts) && !costs(row)).then_some(added.len())
    };
    (1..rows.len()).filter_map(|at| Some((more(&rows[at])?, Reverse(at)))).max().map(|(_, Reverse(at))| at)
}

/// Whether two names list the same changes.
fn are_same_changes(one: &str, other: &str) -> bool {
    parts(one) == parts(other)
}

/// Combines all changes that help under some scenario and harm under none, if there are several. Those that the sender can
/// make alone come first.
pub(super) fn combined<'r>(rows: &'r [ChangeRow], proposals: &[Proposal]) -> Vec<Proposal> {
    // A larger buffer may help only once cwnd grows, so it joins unless it harms.
    let lifts = |name: &str| name.starts_with("larger") || name.starts_with("no -w");
    let any = rows[1..].iter().any(|row| row.gain()[1] >= MIN_GAIN);
    let good = |(row, _): &(&ChangeRow, &Proposal)| {
        let [least, most] = row.gain();
        least > 1.0 / MIN_GAIN && (most >= MIN_GAIN || lifts(&row.name)) && row.latency()[1] < MAX_HARM_RATIO
    };
    let proposal = |row: &'r ChangeRow| Some((row, proposals.iter().find(|one| one.name == row.name)?));
    let tried = rows[1..].iter().filter_map(proposal);
    let own: Vec<&Proposal> = tried.filter(good).map(|(_, proposal)| proposal).collect();
    // Take one queue discipline for the path, and one connection instead of four.
    let own: Vec<&Proposal> =
        own.into_iter().filter(|one| !one.name.starts_with("AQM") && one.name != STREAMS).collect();
    // A device has one qdisc at its root.
    let root = own.iter().find(|one| one.is_at_root()).map(|one| &one.name);
    let own: Vec<&Proposal> = own.iter().copied().filter(|one| !one.is_at_root() || Some(&one.name) == root).collect();
    let senders: Vec<&Proposal> = own.iter().copied().filter(|one| one.place == ChangePlace::Sender).collect();
    let is_part = senders.len() < own.len();
    let several = [senders.as_slice()].into_iter().filter(|_| is_part).chain([own.as_slice()]);
    several.filter(|all| any && all.len() > 1).map(Proposal::of_all).collect()
}

/// The results of a scenario, by the keys that a change sets.
type Showed = BTreeMap<Vec<String>, Vec<Shown>>;

/// Runs the changes that lack results with this many seeds.
fn run_missing<L: Laboratory>(
    search: &mut Search<L>,
    scenarios: &[(usize, &Scenario)],
    proposals: &[Proposal],
    seeds: &[usize],
    showed: &mut [Showed],
) -> Result<(), L::Error> {
    // Larger buffers run last: if nothing waits for a buffer without them, they need no trial.
    let (plain, lifting): (Vec<&Proposal>, Vec<&Proposal>) = proposals.iter().partition(|one| one.lifts().is_empty());
    let rate = scenarios.iter().map(|(_, scenario)| scenario.candidate.rate.min(MAX_COUNTED_RATE)).fold(0.0, f64::max);
    for all in [plain, lifting] {
        for count in BTreeSet::from_iter(seeds.iter().copied()) {
            let of = |(at, showed): (usize, &Showed)| -> Vec<(usize, &Proposal)> {
                let lacks = |one: &&&Proposal| one.shown(showed).is_none_or(|shown| shown.len() < count);
                all.iter().filter(lacks).map(|one| (at, *one)).collect()
            };
            let alike = showed.iter().enumerate().filter(|(at, _)| seeds[*at] == count);
            let new: Vec<(usize, &Proposal)> = alike.flat_map(of).collect();
            let keys = |(at, one): &(usize, &Proposal)| merged(scenarios[*at].1.candidate.keys(), one.keys.clone());
            let cases: Vec<(String, Vec<Key>)> =
                new.iter().enumerate().map(|(at, one)| (format!("r{at:03}"), keys(one))).collect();
            if cases.is_empty() {
                continue;
            }
            let shown = search.run(&Candidate::of_cases(), "remedy", &cases, count, Beside::Ping, rate)?;
            for ((at, one), shown) in new.into_iter().zip(shown) {
                showed[at].insert(names(&one.keys), shown);
            }
        }
    }
    Ok(())
}

/// The results of all scenarios, a row for each change.
fn rows(case: &Case, scenarios: &[(usize, &Scenario)], proposals: &[Proposal], showed: &[Showed]) -> Vec<ChangeRow> {
    let mut rows: Vec<ChangeRow> = proposals.iter().map(Proposal::row).collect();
    for ((explanation, scenario), showed) in scenarios.iter().zip(showed) {
        let Some(now) = showed.get(&vec![]).filter(|now| !now.is_empty()) else { continue };
        let mut own = vec![];
        for (row, proposal) in rows.iter_mut().zip(proposals) {
            if let Some(shown) = proposal.shown(showed).filter(|shown| !shown.is_empty()) {
                let pairs = shown.len().min(now.len());
                let is_bbr = is_bbr(case, proposal);
                let effect = effect(*explanation, scenario, &shown[..pairs], &now[..pairs], case, is_bbr);
                // Goodput without a change was measured.
                let line = if proposal.keys.is_empty() { alone() } else { effect.line };
                own.push((row, Effect { line, ..effect }));
            }
        }
        let asked: Vec<(&str, &[f64], &[f64])> =
            own.iter().map(|(row, effect)| (row.name.as_str(), &effect.goodput[..], &effect.now[..])).collect();
        let asked = asked.into_iter().filter(|(name, ..)| *name != NOW).collect::<Vec<_>>();
        let mut compared = forecast::compared(&asked, NOW).into_iter();
        for (row, mut effect) in own {
            if row.name != NOW
                && let Some(compared) = compared.next()
            {
                (effect.outcome, effect.says) = (compared.outcome, compared.sentence);
            }
            row.effects.push(effect);
        }
    }
    // A scenario without a result for the unchanged state says nothing about changes.
    let telling = rows.iter().map(|row| row.effects.len()).max().unwrap_or_default();
    rows.retain(|row| telling > 0 && row.effects.len() == telling);
    rows
}

fn names(keys: &[Key]) -> Vec<String> {
    keys.iter().map(Key::to_string).collect()
}

/// Returns the goodput of a competing transfer under a given congestion control, without and with a change, under each
/// explanation: the mean over its scenarios if there are several.
pub fn neighbour_goodputs<L: Laboratory>(
    search: &mut Search<L>,
    explanations: &[Explanation],
    change: &Proposal,
    control: &str,
) -> Result<Vec<Neighbour>, L::Error> {
    let theirs = |control: toml::Value| Key::new(format!("{NEIGHBOUR_PREFIX}congestion"), control);
    let mut cases = vec![
        ("now".to_owned(), vec![theirs(control.into())]),
        ("after".to_owned(), [change.keys.clone(), vec![theirs(control.into())]].concat()),
    ];
    if let Some(new) = change.keys.iter().find(|key| key.path == "flows.congestion") {
        cases.push(("all".to_owned(), [change.keys.clone(), vec![theirs(new.value.clone())]].concat()));
    }
    let mut all = vec![];
    for one in explanations {
        let rate = one.candidate.rate.min(MAX_COUNTED_RATE);
        let shown = search.run(&one.candidate, "remedy", &cases, PREDICTION_SEEDS, Beside::Neighbour, rate)?;
        let count = 1.0 + experiment::others(&one.candidate.keys()) as f64;
        let got = |seeds: &Vec<Shown>| -> Option<[f64; 2]> {
            let others: Option<Vec<f64>> = seeds.iter().map(|shown| shown.others).collect();
            let own: Vec<f64> = seeds.iter().map(|shown| shown.trace.received).collect();
            others.filter(|all| !all.is_empty()).map(|others| [mean(&own), mean(&others) / count])
        };
        let mut got = shown.iter().map(got);
        if let (Some(now), Some(after)) = (got.next().flatten(), got.next().flatten()) {
            all.push(Neighbour { control: control.into(), now, after, all: got.next().flatten() });
        }
    }
    Ok(all)
}

fn effect(explanation: usize, scenario: &Scenario, own: &[Shown], now: &[Shown], case: &Case, is_bbr: bool) -> Effect {
    let goodput = |all: &[Shown]| all.iter().map(|shown| shown.goodput).collect::<Vec<f64>>();
    let pings = |all: &[Shown], of: fn(&Pings) -> f64| match all.iter().filter_map(|shown| shown.pings.as_ref().map(of))
    {
        pings if pings.clone().next().is_none() => 0.0,
        pings => median(&pings.collect::<Vec<_>>()),
    };
    let p95 = |all: &[Shown]| pings(all, |pings| pings.p95);
    let again = |shown: &Shown| shown.trace.retransmitted.iter().flatten().sum::<f64>();
    let segments =
        |shown: &Shown| (shown.trace.received * case.instrument.seconds() / 8.0 / case.instrument.mss).max(1.0);
    /// Added to each goodput, so that two stalled transfers have a ratio of 1; bit/s.
    const STALLED_RATE: f64 = 1e3;
    let others = |all: &[Shown]| all.iter().map(|shown| shown.others).collect::<Option<Vec<f64>>>();
    let [again, arrived] = [own.iter().map(again).sum::<f64>(), own.iter().map(segments).sum()];
    let rate = scenario.candidate.rate;
    let next = next(own, rate);
    let is_open = case.rate.is_none() && next == LINK_LIMIT;
    let slower = (case.seen.received / PAYLOAD_SHARE / rate).clamp(1.0 / INTERVAL_END_RATIO, 1.0);
    Effect {
        explanation,
        assumes: scenario.assumes,
        goodput: goodput(own),
        now: goodput(now),
        printed: own.iter().map(|shown| shown.trace.received).collect(),
        again: own.iter().filter_map(|shown| shown.trace.counted_again(&case.instrument)).collect(),
        unevenness: own.iter().filter_map(|shown| shown.trace.each.as_deref().map(unevenness)).collect(),
        between_runs: match random_events(&scenario.candidate, case) {
            Some(events) if next == CWND_LIMIT && !is_bbr => forecast::random_losses(&goodput(own), events),
            _ => between_runs(&scenario.candidate, case),
        },
        outcome: Outcome::Inconclusive,
        says: String::new(),
        line: if is_open { [slower, INTERVAL_END_RATIO] } else { alone() },
        gain: (mean(&goodput(own)) + STALLED_RATE) / (mean(&goodput(now)) + STALLED_RATE),
        p95: p95(own),
        rtt: pings(own, |pings| pings.mean),
        latency: p95(own) / p95(now).max(1e-6),
        retransmitted: again / (again + arrived),
        others: others(own)
            .zip(others(now))
            .map(|(own, now)| (mean(&own) + STALLED_RATE) / (mean(&now) + STALLED_RATE)),
        next: next.into(),
    }
}

/// Standard deviation of ln goodput between runs of such a path, beyond that between seeds: losses under a window
/// differ between runs.
fn between_runs(candidate: &Candidate, case: &Case) -> f64 {
    const WINDOW_KINDS: [Mechanism; 4] =
        [Mechanism::ReceiveWindow, Mechanism::SendBuffer, Mechanism::Pace, Mechanism::Reader];
    let is_window = !candidate.parts.is_empty() && candidate.parts.iter().all(|part| WINDOW_KINDS.contains(&part.kind));
    const RANDOM_LOSS_KINDS: [Mechanism; 2] = [Mechanism::Loss, Mechanism::Bursts];
    const REPEATED_LOSS_KINDS: [Mechanism; 3] = [Mechanism::Policer, Mechanism::Reordering, Mechanism::Aqm];
    let again: f64 = case.seen.retransmitted.iter().flatten().sum();
    let loses = candidate.is_small(case.rtt) || REPEATED_LOSS_KINDS.into_iter().any(|kind| candidate.has(kind));
    let alike = !RANDOM_LOSS_KINDS.into_iter().any(|kind| candidate.has(kind));
    match () {
        () if candidate.has(Mechanism::EarlyExit) || candidate.has(Mechanism::Overshoot) => {
            forecast::SLOW_START_EXIT_SD
        }
        () if loses && alike && again >= forecast::MIN_LOST_SEGMENTS => forecast::LOSSES_SD,
        () if is_window && again >= forecast::MANY_LOST_SEGMENTS => forecast::WINDOW_MANY_LOSSES_SD,
        () if is_window && again > 0.0 => forecast::WINDOW_LOSSES_SD,
        () => forecast::WINDOW_SD,
    }
}

/// Whether the transfer runs BBR with a change: losses hardly lower its goodput.
fn is_bbr(case: &Case, proposal: &Proposal) -> bool {
    let control = proposal.keys.iter().find(|key| key.path == "flows.congestion").and_then(|key| key.value.as_str());
    response::is_bbr(control.unwrap_or(&case.congestion))
}

/// Returns the loss events of the transfer if random losses limit it, so that seeds differ.
fn random_events(candidate: &Candidate, case: &Case) -> Option<f64> {
    let part = candidate.parts.iter().find(|part| matches!(part.kind, Mechanism::Loss | Mechanism::Bursts))?;
    let length = if part.kind == Mechanism::Bursts { part.values.get(1).copied().unwrap_or(1.0) } else { 1.0 };
    let lost: f64 = case.seen.lost(&case.units())?.iter().sum();
    Some((lost / length.max(1.0)).max(1.0))
}

/// Returns the limit of a transfer, from the link rate and the state of its socket.
fn next(own: &[Shown], rate: f64) -> &'static str {
    const NEARLY_FULL_LINK_SHARE: f64 = 0.85;
    let goodput = mean(&own.iter().map(|shown| shown.trace.received).collect::<Vec<_>>());
    let most = |by: Hold| 2 * own.iter().filter(|shown| shown.held == Some(by)).count() > own.len();
    match () {
        () if goodput > NEARLY_FULL_LINK_SHARE * PAYLOAD_SHARE * rate => LINK_LIMIT,
        () if most(Hold::Rwnd) => "the receive window",
        () if most(Hold::Sndbuf) => "the send buffer",
        () if most(Hold::App) => "the sending program",
        () => CWND_LIMIT,
    }
}

impl Proposal {
    /// Returns a scenario's result with the proposal, or without its larger buffers if nothing waited for the buffers.
    fn shown<'s>(&self, showed: &'s Showed) -> Option<&'s Vec<Shown>> {
        let rest = self.keys.iter().filter(|key| BUFFER_KEYS.iter().all(|(path, _)| key.path != *path));
        let without = || showed.get(&rest.map(Key::to_string).collect::<Vec<_>>());
        let waits = |side: Side, shown: &Shown| {
            shown.trace.limits.is_none_or(|limits| match side {
                Side::Send => limits.sndbuf >= MIN_LIMITED_SHARE,
                Side::Receive => limits.rwnd >= MIN_LIMITED_SHARE,
            })
        };
        let is_idle = |own: &&Vec<Shown>| self.lifts().iter().all(|side| !own.iter().any(|seed| waits(*side, seed)));
        showed.get(&names(&self.keys)).or_else(|| without().filter(is_idle))
    }

    /// Returns the lines of each remedy, under a comment with the host.
    fn lines(&self, of: &dyn Fn(&Remedy, &Steps) -> Vec<String>) -> Vec<String> {
        let mut at = None;
        let mut all = vec![];
        for remedy in &self.remedies {
            let own = of(remedy, &remedy.steps());
            if !own.is_empty() && at.replace(remedy.at) != Some(remedy.at) {
                all.push(format!("# {}", remedy.at.name()));
            }
            all.extend(own);
        }
        all.dedup();
        all
    }

    /// Returns the `goodput apply` arguments for each host; empty if a change has no word.
    fn apply(&self) -> Vec<String> {
        let mut hosts: Vec<(At, Vec<String>)> = vec![];
        for remedy in &self.remedies {
            let Some(word) = remedy.word() else { return vec![] };
            match hosts.iter_mut().find(|(at, _)| *at == remedy.at) {
                Some((_, words)) => words.push(word),
                None => hosts.push((remedy.at, vec![word])),
            }
        }
        hosts.iter().flat_map(|(at, words)| [format!("# {}", at.name()), word::apply(words)]).collect()
    }

    /// Returns the changes of the hosts as data; empty unless all of them have words.
    fn typed(&self) -> Vec<Typed> {
        self.remedies.iter().map(Remedy::typed).collect::<Option<Vec<_>>>().unwrap_or_default()
    }

    fn row(&self) -> ChangeRow {
        let words = |remedy: &Remedy| remedy.platform.is_none().then(|| remedy.why.clone());
        let now = |remedy: &Remedy, steps: &Steps| steps.now.iter().cloned().chain(words(remedy)).collect();
        let keep = |_: &Remedy, steps: &Steps| {
            steps.keep.iter().map(|(file, line)| format!("{}: {}", file.path(), file.line(line))).collect()
        };
        let undo = |_: &Remedy, steps: &Steps| [steps.removals(), steps.undo.clone()].concat();
        ChangeRow {
            name: self.name.clone(),
            effects: vec![],
            apply: self.apply(),
            changes: self.typed(),
            now: self.lines(&now),
            keep: self.lines(&keep),
            undo: self.lines(&undo),
            keys: self.keys.iter().map(Key::to_string).collect(),
            open: false,
            seen: None,
            predicted: None,
            dropped: false,
            measured: vec![],
            settings: self.keys.clone(),
        }
    }
}
