//! iperf3 output side by side: one run each, or several.

use super::Answer;
use crate::judge::{self, Question, Values};
use analysis::Measure;
use base::show;
use base::stats;
use base::units::Unit;
use evidence::import::iperf::summary::{self, Counted, RateCap, Retransmitted};
use evidence::listing::{Listing, Period, Reading};
use std::collections::BTreeSet;

/// A side: the listings of its runs, at least one.
pub struct Side {
    /// Name of the side in the command.
    pub name: String,
    pub runs: Vec<Listing>,
}

/// A name, and a value read from a listing.
type Told<T> = (&'static str, fn(&Listing) -> Option<T>);

/// Measures of a listing.
pub const MEASURES: [Told<f64>; 3] = [
    ("goodput", |listing| Some(summary::goodput(listing)?.rate.value)),
    ("retransmitted", |listing| Some(summary::retransmitted(listing)?.share().value)),
    ("jain", |listing| Some(summary::flows(listing).filter(|flows| flows.rates.len() > 1)?.jain()?.value)),
];

/// Conditions besides the path that influence a run's goodput, if the listing has them.
const CONDITIONS: [Told<String>; 8] = [
    ("program", |listing| Some(format!("{:?}", listing.program).to_lowercase())),
    ("protocol", |listing| Some(format!("{:?}", listing.protocol?).to_uppercase())),
    ("direction", |listing| Some(format!("{:?}", listing.direction?).to_lowercase())),
    ("congestion", |listing| listing.congestion.clone()),
    ("flows", |listing| Some(listing.streams.len().to_string())),
    ("duration", |listing| Some(show::value(Unit::Seconds, listing.duration?))),
    ("mss", |listing| Some(show::value(Unit::Bytes, listing.mss?.into()))),
    ("block", |listing| Some(show::value(Unit::Bytes, listing.block? as f64))),
];

/// Compares two sides by the given measures, or by all if none is given.
pub fn compare(a: &Side, b: &Side, measures: &[String], margin: f64) -> Answer {
    let names = names(a, b);
    let is_asked = |name: &str| measures.is_empty() || measures.iter().any(|measure| measure == name);
    let are_many = a.runs.len() > 1 && b.runs.len() > 1;
    let mut answer = if are_many {
        of_many([a, b], &names, is_asked, margin)
    } else {
        of_one([&a.runs[0], &b.runs[0]], &names, is_asked)
    };
    if answer.sentences.is_empty() {
        answer.sentences.push(format!("{} and {} cannot be compared: no count exists for both.", names[1], names[0]));
    }
    answer.sentences.extend(rate_cap(a, b).filter(|_| measures.is_empty()));
    answer.differences = CONDITIONS.iter().filter_map(|condition| differs(condition, [a, b])).collect();
    answer.caveats.extend([a, b].into_iter().filter_map(|side| {
        let more = side.runs.len() > 1 && !are_many;
        more.then(|| format!("{1} has {0} listings; only the first is compared.", side.runs.len(), side.name))
    }));
    answer.caveats.extend([a, b].into_iter().filter_map(mixed).filter(|_| are_many));
    let all = || a.runs.iter().chain(&b.runs);
    let again: Option<Vec<Retransmitted>> = all().map(summary::retransmitted).collect();
    let is_assumed = again.is_some_and(|all| all.iter().any(|again| again.assumed && again.count > 0));
    if is_assumed && is_asked("retransmitted") {
        answer.caveats.push(format!(
            "The MSS is unknown: shares retransmitted assume segments of {} bytes.",
            summary::ASSUMED_MSS
        ));
    }
    if all().any(Listing::is_cut_off) {
        answer.caveats.push("A run is truncated: where it has no total, its intervals are summed.".into());
    }
    answer
}

/// Returns the values of a condition over the runs of a side, each once.
fn values((_, of): &Told<String>, side: &Side) -> BTreeSet<String> {
    side.runs.iter().filter_map(of).collect()
}

/// Describes a condition that differs between the sides, if both have it.
fn differs(condition: &Told<String>, sides: [&Side; 2]) -> Option<String> {
    let values = sides.map(|side| values(condition, side));
    let is_told = values.iter().all(|values| !values.is_empty()) && values[0] != values[1];
    let [a, b] = values.map(|values| values.into_iter().collect::<Vec<_>>().join("/"));
    is_told.then(|| format!("{}: {a} and {b}", condition.0))
}

/// Names the conditions in which the runs of a side differ, so that they are no replicates.
fn mixed(side: &Side) -> Option<String> {
    let apart = CONDITIONS.iter().filter(|condition| values(condition, side).len() > 1);
    let names: Vec<&str> = apart.map(|(name, _)| *name).collect();
    (!names.is_empty()).then(|| {
        format!("The runs of {} are treated as repeats although they differ in {}.", side.name, names.join(", "))
    })
}

/// Returns a remark if all runs look as if something capped their rate.
fn rate_cap(a: &Side, b: &Side) -> Option<String> {
    let pairs = a.runs.iter().flat_map(|one| b.runs.iter().map(move |two| summary::rate_cap(one, two)));
    let caps: Vec<RateCap> = pairs.collect::<Option<_>>()?;
    let ends = |values: &mut dyn Iterator<Item = f64>| {
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)])
    };
    let [low, high] = ends(&mut caps.iter().flat_map(|cap| cap.goodputs).map(|goodput| goodput.value));
    let [least, _] = ends(&mut caps.iter().flat_map(|cap| cap.least_retransmitted).map(|ratio| ratio.value));
    Some(format!(
        "The totals sit at {}, every flow retransmits at least {} of its segments, and all flows get nearly the same. That \
         is what a rate cap looks like (a policer, a shaper, or simply a full link); no congestion control raises it.",
        show::range(Unit::BitsPerSecond, low, high),
        show::value(Unit::Ratio, least)
    ))
}

/// Returns the sides' names: their congestion controls if these differ, else the names in the command.
fn names(a: &Side, b: &Side) -> [String; 2] {
    let control = |side: &Side| {
        let first = side.runs[0].congestion.clone()?;
        side.runs.iter().all(|run| run.congestion.as_ref() == Some(&first)).then_some(first)
    };
    match (control(a), control(b)) {
        (Some(a), Some(b)) if a != b => [a, b],
        _ => [a.name.clone(), b.name.clone()],
    }
}

fn of_many(sides: [&Side; 2], names: &[String; 2], is_asked: impl Fn(&str) -> bool, margin: f64) -> Answer {
    let question = |&(name, value): &Told<f64>| {
        let values = sides.map(|side| side.runs.iter().filter_map(value).collect::<Vec<f64>>());
        let measure = Measure::find(name).filter(|_| values.iter().all(|values| !values.is_empty()))?;
        Some(Question::new(measure, names.clone(), Values::Apart(values)))
    };
    let asked = MEASURES.iter().filter(|(name, _)| is_asked(name));
    let comparisons = judge::decide(asked.filter_map(question).collect(), margin);
    let sentences = comparisons.iter().map(|compared| compared.full_sentence()).collect();
    let mut caveats = judge::of_comparisons(&comparisons);
    caveats.push("Consecutive runs are treated as independent, which they are not if the path changes slowly.".into());
    Answer { sentences, comparisons, caveats, ..Answer::default() }
}

fn of_one(runs: [&Listing; 2], names: &[String; 2], is_asked: impl Fn(&str) -> bool) -> Answer {
    let mut sentences = vec![];
    if is_asked("goodput") {
        sentences.extend(goodput(runs, names));
    }
    if is_asked("retransmitted") {
        sentences.extend(retransmitted(runs, names));
    }
    if is_asked("jain") {
        sentences.extend(jain(runs, names));
    }
    if is_asked("goodput") {
        sentences.extend(runs.iter().zip(names).filter_map(|(run, name)| steadiness(run, name)));
    }
    let caveats = vec!["One run of each is one sample: a difference may not repeat.".into()];
    Answer { sentences, caveats, ..Answer::default() }
}

fn rate(reading: Reading) -> String {
    show::value(Unit::BitsPerSecond, reading.value)
}

fn goodput(runs: [&Listing; 2], names: &[String; 2]) -> Option<String> {
    let [a, b] = [summary::goodput(runs[0])?, summary::goodput(runs[1])?];
    let counted = |counted| if counted == Counted::Receiver { "" } else { ", as counted by the sender" };
    let by = counted(a.counted.max(b.counted));
    let (difference, resolution) = ((b.rate.value - a.rate.value).abs(), a.rate.half_width + b.rate.half_width);
    let [base, other] = [rate(a.rate), rate(b.rate)];
    if difference <= resolution {
        return Some(match base == other {
            true => format!("Goodput is equal to the printed precision{by}: {base} each."),
            false => format!("Goodput is equal to the printed precision{by}: {other} and {base}."),
        });
    }
    if let Some(([more, less], factor)) = times(b.rate.value / a.rate.value) {
        let rates = [&base, &other];
        let (of, figures) = ([&names[more], &names[less]], [rates[more], rates[less]]);
        return Some(format!(
            "Goodput of {} is {factor} times that of {}{by}: {} vs {}.",
            of[0], of[1], figures[0], figures[1]
        ));
    }
    let share = show::value(Unit::Ratio, difference / a.rate.value);
    let word = if b.rate.value > a.rate.value { "higher" } else { "lower" };
    Some(format!("Goodput of {} is {share} {word} than that of {}{by}: {other} vs {base}.", names[1], names[0]))
}

/// Ratio above which a difference is printed as a factor.
const MIN_FACTOR: f64 = 2.0;

/// Returns the index of the larger side first, and the factor; `None` if the sides differ by less than [`MIN_FACTOR`]
/// or the ratio is not positive. `ratio` is the second over the first.
fn times(ratio: f64) -> Option<([usize; 2], String)> {
    match ratio {
        ratio if ratio > MIN_FACTOR && ratio.is_finite() => Some(([1, 0], show::number(ratio))),
        ratio if ratio > 0.0 && 1.0 / ratio > MIN_FACTOR => Some(([0, 1], show::number(1.0 / ratio))),
        _ => None,
    }
}

fn retransmitted(runs: [&Listing; 2], names: &[String; 2]) -> Option<String> {
    let [a, b] = [summary::retransmitted(runs[0])?, summary::retransmitted(runs[1])?];
    let shares = [a, b].map(|again| show::value(Unit::Ratio, again.share().value));
    let counts = [a.count, b.count];
    let figures = |[first, second]: [usize; 2]| {
        let [more, less] = [&shares[first], &shares[second]];
        format!("{} vs {} segments, {more} vs {less} of all segments sent", counts[first], counts[second])
    };
    let seen = figures([1, 0]);
    let difference = b.ratio().value / a.ratio().value - 1.0;
    Some(match (a.count, b.count) {
        (0, 0) => "Nothing was retransmitted.".into(),
        (0, _) => format!("{} retransmitted, and {} did not: {seen}.", names[1], names[0]),
        _ if difference == 0.0 => format!("{} and {} retransmitted equally: {seen}.", names[1], names[0]),
        _ => match times(difference + 1.0) {
            Some((sides, factor)) => {
                let ([more, less], seen) = (sides.map(|side| &names[side]), figures(sides));
                format!("{more} retransmitted {factor} times as much as {less} for the same payload: {seen}.")
            }
            None => {
                let word = if difference < 0.0 { "less" } else { "more" };
                let share = show::value(Unit::Ratio, difference.abs());
                format!("{} retransmitted {share} {word} than {} for the same payload: {seen}.", names[1], names[0])
            }
        },
    })
}

fn jain(runs: [&Listing; 2], names: &[String; 2]) -> Option<String> {
    let several = |run: &Listing| summary::flows(run).filter(|flows| flows.rates.len() > 1);
    let flows = [several(runs[0])?, several(runs[1])?];
    let part = |side: usize| {
        let (slowest, fastest) = flows[side].extremes();
        let range = show::range(Unit::BitsPerSecond, slowest.value, fastest.value);
        let index = flows[side].jain()?.value;
        Some(format!("{index:.3} for the {} flows of {} ({range})", flows[side].rates.len(), names[side]))
    };
    Some(format!("Jain's index is {}, and {}.", part(0)?, part(1)?))
}

/// Share of the longest interval; a shorter one is the remainder at the end.
const MIN_WHOLE_SHARE: f64 = 0.5;

/// Describes how sure a run's own mean is, from its intervals; they show nothing about other runs.
fn steadiness(run: &Listing, name: &str) -> Option<String> {
    let single = || run.streams.first().filter(|_| run.streams.len() == 1);
    let counts = if run.sum.intervals.is_empty() { &single()?.counts } else { &run.sum };
    let length = |interval: &Period| interval.end.value - interval.start.value;
    let longest = counts.intervals.iter().map(length).fold(0.0, f64::max);
    let whole =
        counts.intervals.iter().filter(|interval| !interval.omitted && length(interval) > MIN_WHOLE_SHARE * longest);
    let rates: Vec<f64> = whole.filter_map(|interval| Some(interval.rate?.value)).collect();
    let estimate = stats::block_bootstrap(&rates)?;
    let [low, high] = estimate.interval?;
    // Goodput cannot be negative, so the interval is cut at 0.
    let range = show::range(Unit::BitsPerSecond, low.max(0.0), high);
    Some(format!(
        "Within {name}, goodput averaged {} over {} intervals ({} % CI {range}). This describes this one run; the next may \
         differ.",
        show::value(Unit::BitsPerSecond, estimate.value),
        rates.len(),
        stats::LEVEL * 100.0
    ))
}
