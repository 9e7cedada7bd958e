//! Neighbours of a candidate: each of its quantities a little larger and smaller.

use super::candidate::{Candidate, Mechanism};
use super::case::Case;
use super::clues::Clues;

/// Returns the neighbours of a candidate: each quantity larger and smaller by a factor, in turns, those of the link
/// last. The link stays unchanged if it is known, or if something else limits and the RTT does not show the link.
pub fn neighbours(candidate: &Candidate, factor: f64, case: &Case) -> Vec<Candidate> {
    let beside = |change: &dyn Fn(f64) -> Candidate| [change(factor), change(1.0 / factor)];
    let along = [Mechanism::Loss, Mechanism::Bursts, Mechanism::Reordering, Mechanism::Shared, Mechanism::Aqm];
    let clues = Clues::from_case(case);
    let is_elsewhere = candidate.causes(case.rtt) == 1
        && candidate.parts.iter().any(|part| !along.contains(&part.kind))
        || !candidate.parts.is_empty() && !candidate.has(Mechanism::Shared) && clues.is_out_of_reach(candidate.rate);
    let mut all = mechanism_neighbours(candidate, factor, case);
    if case.rate.is_none() && (!is_elsewhere || clues.is_resolved(candidate.rate)) {
        all.extend(beside(&|by| Candidate { rate: candidate.rate * by, ..candidate.clone() }));
    }
    if !is_elsewhere && !candidate.has(Mechanism::Aqm) {
        all.extend(beside(&|by| Candidate { buffer: (candidate.buffer * by).max(1.0), ..candidate.clone() }));
    }
    all
}

/// Returns the neighbours in the mechanisms' quantities; with competing flows the link scales with their number, unless
/// its rate is known.
pub fn mechanism_neighbours(candidate: &Candidate, factor: f64, case: &Case) -> Vec<Candidate> {
    let beside = |change: &dyn Fn(f64) -> Candidate| [change(factor), change(1.0 / factor)];
    let mut all = vec![];
    for part in &candidate.parts {
        // The intervals show when an outage begins.
        let first = usize::from(part.kind == Mechanism::Outage);
        for at in first..part.values.len() {
            all.extend(beside(&|by| {
                let mut values = part.values.clone();
                values[at] = part.kind.row().1[at].1.next_value(values[at], by);
                let share = match part.kind {
                    Mechanism::Shared if case.rate.is_none() => {
                        let own = case.streams as f64;
                        (values[at] + own) / (part.values[at] + own)
                    }
                    _ => 1.0,
                };
                let line =
                    Candidate { rate: candidate.rate * share, buffer: candidate.buffer * share, ..candidate.clone() };
                line.with(part.kind, &values)
            }));
        }
    }
    all
}
