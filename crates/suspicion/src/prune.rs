//! Branch and prune: the parts of a hypothesis's space that arithmetic does not exclude.
//!
//! A part that contradicts a stated number of any run falls away; one that does not is halved along its widest axis until
//! it is small. Only this says that a hypothesis is excluded: a search that finds nothing proves nothing.

use super::predict::{Axis, Contradiction, Hypothesis, Part};
use crate::facts::Case;
use crate::formula::Interval;

/// Parts that are looked at, at most.
const MAX_PARTS: usize = 6_000;

/// Small parts that are kept: enough to see the range of each parameter.
const MAX_KEPT: usize = 60;

/// Parts that stay possible after [`MAX_PARTS`], and are kept.
const MAX_OPEN: usize = 20;

/// Step through the waiting parts: a prime, so that what is kept first is spread over the space.
const STRIDE: usize = 7_919;

/// Parts of a hypothesis's space that arithmetic leaves.
#[derive(Debug, Clone)]
pub struct Left {
    pub axes: Vec<Axis>,
    /// Parts that no number contradicts; empty if it is excluded.
    pub parts: Vec<Part>,
    /// A contradiction of the part that predicts most numbers of those that fell away.
    pub contradiction: Option<Contradiction>,
}

impl Left {
    /// Returns the whole range of each axis that is left.
    pub fn hull(&self) -> Vec<Interval> {
        let of = |at: usize| self.parts.iter().map(|part| part[at]).reduce(Interval::hull);
        (0..self.axes.len()).filter_map(of).collect()
    }
}

/// Returns what is left of a hypothesis.
pub fn prune(hypothesis: &Hypothesis, case: &Case, axes: Vec<Axis>) -> Left {
    let whole: Part = axes.iter().map(|axis| axis.range).collect();
    if let Some(contradiction) = hypothesis.contradiction(case, &axes, &whole) {
        return Left { axes, parts: vec![], contradiction: Some(contradiction) };
    }
    let (mut waiting, mut kept, mut last) = (vec![whole], vec![], None);
    let mut looked = MAX_PARTS;
    while looked > 0 && !waiting.is_empty() && kept.len() < MAX_KEPT {
        looked -= 1;
        let part = waiting.swap_remove(looked * STRIDE % waiting.len());
        if !is_left(hypothesis, case, &axes, &part, &mut last) {
            continue;
        }
        let steps = |at: usize| part[at].width() / axes[at].resolution.ln();
        let widest = (0..axes.len()).max_by(|a, b| steps(*a).total_cmp(&steps(*b)));
        match widest.filter(|at| steps(*at) > 1.0) {
            Some(at) => {
                let middle = part[at].middle();
                for half in [Interval::new(part[at].low, middle), Interval::new(middle, part[at].high)] {
                    let mut smaller = part.clone();
                    smaller[at] = half;
                    waiting.push(smaller);
                }
            }
            None => {
                // A threshold between two runs is on one side of each.
                let exact = |(axis, value): (&Axis, &Interval)| {
                    if axis.is_threshold { Interval::exactly(value.middle()) } else { *value }
                };
                let part: Part = axes.iter().zip(&part).map(exact).collect();
                if is_left(hypothesis, case, &axes, &part, &mut last) {
                    kept.push(part);
                }
            }
        }
    }
    if kept.is_empty() {
        waiting.truncate(MAX_OPEN);
        kept = waiting;
    }
    Left { axes, parts: kept, contradiction: last }
}

fn is_left(
    hypothesis: &Hypothesis,
    case: &Case,
    axes: &[Axis],
    part: &[Interval],
    last: &mut Option<Contradiction>,
) -> bool {
    match hypothesis.contradiction(case, axes, part) {
        Some(contradiction) => {
            // The part that predicts most numbers says best why none predicts all.
            if last.as_ref().is_none_or(|last| contradiction.met >= last.met) {
                *last = Some(contradiction);
            }
            false
        }
        None => !hypothesis.is_idle(case, axes, part),
    }
}
