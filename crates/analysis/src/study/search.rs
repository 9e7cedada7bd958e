//! Values of a key, chosen by the results of earlier ones.

use super::{Wanted, estimate};
use crate::Measures;
use plan::{Find, Ladder, Plan, Search, Setting, Shared};

/// Evenly spaced values that a search for a threshold tries first: more than the two ends, to detect a condition
/// without a single threshold.
const THRESHOLD_VALUES: u64 = 5;
/// Evenly spaced values that a search for a maximum tries first: it may miss a peak narrower than two of their distances.
const MAXIMUM_VALUES: u64 = 9;
/// A maximum is flat if this many values on each side are as good.
const FLAT_VALUES: usize = 2;
/// Edges of a cliff that are narrowed down at the same time.
const MAX_EDGES: usize = 2;
/// A range whose ends differ by this ratio or more is divided geometrically.
const LOG_RANGE_RATIO: f64 = 100.0;

/// Returns the rungs that a search tries first, rising.
pub fn first(ladder: &Ladder, find: Find) -> Vec<u64> {
    let evenly = |number: u64| {
        let shares = (0..number - 1).map(move |n| n as f64 / (number - 1) as f64);
        shares.map(|share| divided(ladder, 0, ladder.last, share)).chain([ladder.last])
    };
    let mut rungs: Vec<u64> = match find {
        Find::Cliff { width, .. } => (0..ladder.last).step_by(width.max(1) as usize).chain([ladder.last]).collect(),
        Find::Threshold { .. } => evenly(THRESHOLD_VALUES).collect(),
        Find::Maximum => evenly(MAXIMUM_VALUES).collect(),
    };
    rungs.dedup();
    rungs
}

/// Returns the number of rungs of [`first`], without listing them: a narrow cliff on a long ladder has very many.
pub fn first_number(ladder: &Ladder, find: Find) -> u64 {
    match find {
        Find::Cliff { width, .. } => ladder.last.div_ceil(width.max(1)).saturating_add(1),
        _ => first(ladder, find).len() as u64,
    }
}

/// Returns the rung that divides the distance between two in that share.
fn divided(ladder: &Ladder, from: u64, to: u64, share: f64) -> u64 {
    // Values are counted in steps of the ladder.
    let value = |rung: u64| ladder.first as f64 / ladder.step as f64 + rung as f64;
    let is_wide = ladder.first > 0 && value(ladder.last) >= LOG_RANGE_RATIO * value(0);
    let rung = if is_wide {
        value(from) * (value(to) / value(from)).powf(share) - value(0)
    } else {
        from as f64 + (to - from) as f64 * share
    };
    (rung.round() as u64).clamp(from, to)
}

/// Returns the rung in the middle of two, if there is one between.
fn middle(ladder: &Ladder, from: u64, to: u64) -> Option<u64> {
    (to - from > 1).then(|| divided(ladder, from, to, 0.5).clamp(from + 1, to - 1))
}

/// A measure along the last axis of a sweep, at one point of the others.
#[derive(Debug, Clone, PartialEq)]
pub struct AxisLine<'p> {
    /// The point, without the last axis.
    pub at: &'p [Setting],
    /// Each value of the axis by its rung, with the measure over its seeds; rising.
    pub rungs: Vec<(u64, Option<f64>)>,
}

/// Returns the lines of a plan; `rung` numbers the values of the last axis.
pub fn lines<'p>(
    plan: &'p Plan,
    measures: &Measures,
    measure: &str,
    rung: impl Fn(&str) -> Option<u64>,
) -> Vec<AxisLine<'p>> {
    let mut all: Vec<AxisLine> = vec![];
    for trials in plan.points() {
        let Some((own, at)) = trials[0].point.split_last() else { continue };
        let Some(rung) = rung(&own.value) else { continue };
        let value = (rung, estimate(measures, trials, measure).map(|estimate| estimate.value));
        match all.iter_mut().find(|line| line.at == at) {
            Some(line) => line.rungs.push(value),
            None => all.push(AxisLine { at, rungs: vec![value] }),
        }
    }
    all
}

/// Returns the values that a plan's search has tried, with their results; empty without a search.
pub fn tried<'p>(plan: &'p Plan, measures: &Measures) -> Vec<AxisLine<'p>> {
    let Some(search) = &plan.search else { return vec![] };
    lines(plan, measures, &search.measure, |text| search.ladder.rung(text))
}

/// Returns the trials that a search needs next.
pub(super) fn next(plan: &Plan, measures: &Measures) -> Vec<Wanted> {
    let Some(search) = &plan.search else { return vec![] };
    let seeds = plan.repeat.seeds();
    let wanted = |tried: AxisLine| {
        let rungs = more(search, &tried.rungs, plan.compare.margin);
        let room = (search.at_most as usize).saturating_sub(tried.rungs.len());
        let point = |rung: u64| {
            let own = Setting { key: search.key.clone(), value: search.ladder.text(rung) };
            Shared::from([tried.at, &[own]].concat())
        };
        let points: Vec<_> = rungs.into_iter().take(room).map(point).collect();
        points
            .into_iter()
            .flat_map(move |point| seeds.at(0..seeds.count).map(move |seed| Wanted { point: point.clone(), seed }))
    };
    tried(plan, measures).into_iter().flat_map(wanted).collect()
}

/// Returns the rungs that would refine the answer, rising.
fn more(search: &Search, tried: &[(u64, Option<f64>)], margin: f64) -> Vec<u64> {
    let between = |pair: &[(u64, Option<f64>)]| middle(&search.ladder, pair[0].0, pair[1].0);
    match search.find {
        Find::Cliff { fall, .. } => {
            let mut open: Vec<Neighbours> =
                edges(tried, fall).into_iter().filter(|pair| between(pair).is_some()).collect();
            // The largest change is first, together with its other side.
            open.sort_by(|a, b| change(b).abs().total_cmp(&change(a).abs()));
            let mut rungs: Vec<u64> = open.iter().take(MAX_EDGES).filter_map(|pair| between(pair)).collect();
            rungs.sort_unstable();
            rungs
        }
        Find::Threshold { at_least, at_most } => {
            threshold(tried, at_least, at_most).bracket.and_then(|pair| between(&pair)).into_iter().collect()
        }
        Find::Maximum => {
            let Some(best) = best(tried) else { return vec![] };
            let top = tried[best].1.unwrap_or_default();
            let near = |(_, y): &&(u64, Option<f64>)| y.is_some_and(|y| y >= top * (1.0 - margin));
            let (below, above) = (&tried[..best], &tried[best + 1..]);
            let flat = [below.iter().rev().take_while(near).count(), above.iter().take_while(near).count()];
            let sides =
                [below.last().map(|last| [*last, tried[best]]), above.first().map(|first| [tried[best], *first])];
            let open = sides.into_iter().zip(flat).filter(|(_, flat)| *flat < FLAT_VALUES).filter_map(|(pair, _)| pair);
            open.filter_map(|pair| between(&pair)).collect()
        }
    }
}

pub type Neighbours = [(u64, Option<f64>); 2];

/// Returns the neighbours between which a measure changes by at least `share` of the higher one.
pub fn edges(tried: &[(u64, Option<f64>)], share: f64) -> Vec<Neighbours> {
    let pairs = tried.windows(2).map(|pair| [pair[0], pair[1]]);
    pairs.filter(|pair| change(pair).abs() >= share).collect()
}

/// Returns the share of the higher one by which a measure falls between neighbours; negative if it rises. A missing
/// value is less than any other.
pub fn change(pair: &Neighbours) -> f64 {
    match pair.map(|(_, y)| y) {
        [None, None] => 0.0,
        [Some(_), None] => 1.0,
        [None, Some(_)] => -1.0,
        [Some(a), Some(b)] if a == b => 0.0,
        [Some(a), Some(b)] => (a - b) / a.abs().max(b.abs()),
    }
}

/// Smallest value that meets a condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Threshold {
    /// The smallest rung that meets it.
    pub rung: Option<u64>,
    /// The smallest rung and the one tried before, which does not meet the condition.
    pub bracket: Option<Neighbours>,
    /// Larger rungs that do not meet it.
    pub exceptions: Vec<u64>,
}

/// Finds the smallest value that meets a condition.
pub fn threshold(tried: &[(u64, Option<f64>)], at_least: Option<f64>, at_most: Option<f64>) -> Threshold {
    let meets =
        |y: Option<f64>| y.is_some_and(|y| at_least.is_none_or(|low| y >= low) && at_most.is_none_or(|high| y <= high));
    let place = tried.iter().position(|(_, y)| meets(*y));
    let after = tried.iter().skip(place.unwrap_or(tried.len()));
    Threshold {
        rung: place.map(|place| tried[place].0),
        bracket: place.filter(|place| *place > 0).map(|place| [tried[place - 1], tried[place]]),
        exceptions: after.filter(|(_, y)| !meets(*y)).map(|(rung, _)| *rung).collect(),
    }
}

/// Returns the index of the largest value, the first of equals.
pub fn best(tried: &[(u64, Option<f64>)]) -> Option<usize> {
    let known = tried.iter().enumerate().filter_map(|(place, (_, y))| Some((place, (*y)?)));
    known.rev().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(place, _)| place)
}
