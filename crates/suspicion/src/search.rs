//! The lab: a coarse search among what arithmetic leaves. A fit that is found is evidence, a missing one is not.

use super::Laboratory;
use super::predict::Hypothesis;
use super::prune::Left;
use super::render::{Trial, render};
use crate::facts::{Case, Key, Run};
use crate::formula::Interval;

/// A number of a run, as the lab shows it and as it is stated.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub run: String,
    pub fact: &'static str,
    pub shown: Option<Interval>,
    pub stated: Interval,
    /// Natural logarithm of the ratio by which it is off; `None` for a number that the lab does not show.
    pub off: Option<f64>,
}

/// A point, and what the lab shows there.
#[derive(Debug, Clone)]
pub struct Shown {
    pub point: Vec<f64>,
    pub rows: Vec<Row>,
    /// Sum of what its rows are off.
    pub distance: f64,
}

/// Points that are tried for a hypothesis, at most.
const MAX_POINTS: usize = 12;

/// Points far from one another that are tried first.
const FIRST_POINTS: usize = 4;

/// Ratio by which one trial may be off, by fact: what seeds and the start of a run do.
const TOLERANCES: &[(&str, f64)] = &[
    ("goodput", 1.2),
    ("retransmitted", 2.0),
    ("cwnd", 1.6),
    ("srtt", 1.25),
    ("ping", 1.5),
    ("early", 1.5),
    ("late", 1.3),
    ("spread", 1.5),
];

/// Ratio for facts that the table does not name.
const OTHER_TOLERANCE: f64 = 1.3;

/// Values below these count as these: a share of some packets in a run, and a rate at which nothing passes.
const FLOORS: &[(&str, f64)] = &[("retransmitted", 2e-5), ("goodput", 3e4)];
const OTHER_FLOOR: f64 = 1e-6;

/// Distance beyond which further runs of the case are not tried at a point.
const HOPELESS_DISTANCE: f64 = 1.5;

/// Steps of the search around the best point, natural logarithms: from and to.
const LARGEST_STEP: f64 = 1.2;
const SMALLEST_STEP: f64 = 0.08;

/// Returns how far a shown number is from a stated one; 0 within the tolerance. `both` is false for a run without the
/// mechanism: it may have another limit, so only too slow a line contradicts it.
fn off(fact: &str, shown: Interval, stated: Interval, both: bool) -> f64 {
    let of = |table: &[(&str, f64)], other: f64| table.iter().find(|row| row.0 == fact).map_or(other, |row| row.1);
    let (tolerance, floor) = (of(TOLERANCES, OTHER_TOLERANCE), of(FLOORS, OTHER_FLOOR));
    let shown = shown.max(Interval::exactly(floor));
    let (low, high) = (stated.low.max(floor) / tolerance, stated.high.max(floor) * tolerance);
    let above = if both { (shown.low / high).ln() } else { 0.0 };
    (low / shown.high).ln().max(above).max(0.0)
}

/// Shows a point in the lab; `None` if its trials cost more than is left, or failed.
pub fn show<L: Laboratory>(
    hypothesis: &Hypothesis,
    case: &Case,
    left: &Left,
    point: &[f64],
    both: bool,
    budget: &mut f64,
    lab: &mut L,
) -> Result<Option<Shown>, L::Error> {
    let (mut rows, mut distance) = (vec![], 0.0);
    let exact: Vec<Interval> = point.iter().map(|value| Interval::exactly(*value)).collect();
    let Some(trials) = trials(hypothesis, case, left, point) else { return Ok(None) };
    if trials.iter().map(|(_, trial)| trial.cost).sum::<f64>() > *budget {
        return Ok(None);
    }
    for (run, trial) in trials {
        *budget -= trial.cost;
        let Some(measured) = lab.run(&trial)? else { return Ok(None) };
        let acts = hypothesis.acts_in(case, run) && hypothesis.can_act(case, run, &left.axes, &exact);
        for (name, fact) in case.stated(run) {
            let shown = measured.get(name).copied().filter(|_| name == "goodput" || acts);
            let off = shown.map(|shown| off(name, shown, fact.interval, acts || both));
            distance += off.unwrap_or(0.0);
            rows.push(Row { run: run.name.clone(), fact: name, shown, stated: fact.interval, off });
        }
        if distance > HOPELESS_DISTANCE {
            break;
        }
    }
    Ok(Some(Shown { point: point.to_vec(), rows, distance }))
}

/// Returns the point that comes nearest to all stated numbers.
pub fn search<L: Laboratory>(
    hypothesis: &Hypothesis,
    case: &Case,
    left: &Left,
    budget: &mut f64,
    lab: &mut L,
) -> Result<Option<Shown>, L::Error> {
    let mut best: Option<Shown> = None;
    let mut tried = 0;
    for point in first_points(left) {
        tried += 1;
        if let Some(shown) = show(hypothesis, case, left, &point, hypothesis.is_line(), budget, lab)?
            && best.as_ref().is_none_or(|best| shown.distance < best.distance)
        {
            best = Some(shown);
        }
        if best.as_ref().is_some_and(|best| best.distance == 0.0) {
            return Ok(best);
        }
    }
    let mut step = best.as_ref().map_or(0.0, |best| best.distance.clamp(SMALLEST_STEP, LARGEST_STEP));
    while step >= SMALLEST_STEP {
        let Some(from) = best.clone() else { break };
        for at in 0..left.axes.len() {
            for factor in [step.exp(), (-step).exp()] {
                let mut point = best.as_ref().map_or(&from, |best| best).point.clone();
                point[at] *= factor;
                let exact: Vec<Interval> = point.iter().map(|value| Interval::exactly(*value)).collect();
                let is_inside = left.axes[at].range.meets(exact[at]);
                if tried >= MAX_POINTS || !is_inside || hypothesis.contradiction(case, &left.axes, &exact).is_some() {
                    continue;
                }
                tried += 1;
                let shown = show(hypothesis, case, left, &point, hypothesis.is_line(), budget, lab)?;
                if let Some(shown) =
                    shown.filter(|shown| best.as_ref().is_none_or(|best| shown.distance < best.distance))
                {
                    best = Some(shown);
                }
                if best.as_ref().is_some_and(|best| best.distance == 0.0) {
                    return Ok(best);
                }
            }
        }
        if best.as_ref().is_none_or(|best| best.distance >= from.distance) {
            step /= 2.0;
        }
        if tried >= MAX_POINTS {
            break;
        }
    }
    Ok(best)
}

/// Returns a trial for each run that states a number; `None` if the lab cannot build one.
fn trials<'c>(hypothesis: &Hypothesis, case: &'c Case, left: &Left, point: &[f64]) -> Option<Vec<(&'c Run, Trial)>> {
    let runs = case.runs.iter().filter(|run| case.stated(run).next().is_some());
    runs.map(|run| Some((run, render(hypothesis, case, run, &left.axes, point)?))).collect()
}

/// Returns the core time that the first point needs, seconds: its cost and a little, for what sums round.
pub fn point_cost(hypothesis: &Hypothesis, case: &Case, left: &Left) -> f64 {
    const MARGIN: f64 = 1.001;
    let point = first_points(left).into_iter().next();
    let trials = point.and_then(|point| trials(hypothesis, case, left, &point));
    MARGIN * trials.iter().flatten().map(|(_, trial)| trial.cost).sum::<f64>()
}

/// Returns the middles of parts that are far from one another.
fn first_points(left: &Left) -> Vec<Vec<f64>> {
    let middles: Vec<Vec<f64>> =
        left.parts.iter().map(|part| part.iter().map(|value| value.middle()).collect()).collect();
    let apart = |a: &Vec<f64>, b: &Vec<f64>| a.iter().zip(b).map(|(a, b)| (a / b).ln().abs()).sum::<f64>();
    let mut picked: Vec<Vec<f64>> = middles.get(middles.len() / 2).cloned().into_iter().collect();
    while picked.len() < FIRST_POINTS.min(middles.len()) {
        let from_picked =
            |point: &&Vec<f64>| picked.iter().map(|other| apart(point, other)).fold(f64::INFINITY, f64::min);
        let Some(next) = middles.iter().max_by(|a, b| from_picked(a).total_cmp(&from_picked(b))) else { break };
        picked.push(next.clone());
    }
    picked
}

/// Returns a stated number as shown and as stated, for people.
pub fn sentence(row: &Row) -> String {
    let kind = Key::kind_of(row.fact);
    let shown = row.shown.map_or("nothing".into(), |shown| kind.show(shown));
    format!("{}: {} {shown} in the lab, and is {}", row.run, row.fact, kind.show(row.stated))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_seeds_do_is_within_the_tolerance() {
        let stated = Interval::new(62e6, 77e6);
        assert_eq!(off("goodput", Interval::exactly(91e6), stated, true), 0.0);
        assert!((off("goodput", Interval::exactly(184.8e6), stated, true) - 2f64.ln()).abs() < 1e-9);
        assert_eq!(off("goodput", Interval::exactly(184.8e6), stated, false), 0.0);
        assert!(off("goodput", Interval::exactly(20e6), stated, false) > 0.9);
        // Nothing passes, in the lab and in the ticket.
        assert_eq!(off("goodput", Interval::exactly(0.0), Interval::new(0.0, 1e4), true), 0.0);
    }
}
