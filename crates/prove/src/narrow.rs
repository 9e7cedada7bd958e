//! The one measurement that narrows a range which is too wide to act on.

use super::ask::{MEASUREMENTS, telling};
use super::case::Case;
use super::explain::{Assumes, Explanation};
use super::row::{ChangeRow, Effect};
use serde::{Deserialize, Serialize};

/// A range that is too wide, and what narrows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Narrow {
    /// The row of the range.
    pub row: String,
    /// Upper end of the range over its lower end.
    pub width: f64,
    /// The measurement that narrows it most.
    pub measure: String,
}

/// Ranges wider than this ratio are too wide if nothing is lost, and under losses.
const MAX_WIDTH: f64 = 2.0;
const MAX_LOSSY_WIDTH: f64 = 3.0;

const ASK_LONGER: &str =
    "a longer run, `iperf3 -c HOST -t 60 -i 2 -J`: it counts more of the losses that differ from seed to seed";
const ASK_RTTS: &str = "the same run with `-J`: iperf3's JSON has RTT and receive window in every interval";
const ASK_SS: &str = "`ss -tin dst HOST` in a loop while it runs: it has limits, reordering and duplicates";

/// Returns the widest range of the unchanged transfer and the best change, if it is too wide.
pub fn narrow(
    case: &Case,
    explanations: &[Explanation],
    rows: &[ChangeRow],
    best: Option<&ChangeRow>,
) -> Option<Narrow> {
    let own = rows.first().into_iter().chain(best).filter(|row| !row.is_open());
    let wide = own.map(|row| (row, width(row, |_| true))).max_by(|a, b| a.1.total_cmp(&b.1));
    let (row, ratio) = wide.filter(|(row, width)| width.is_finite() && *width > limit(row))?;
    Some(Narrow {
        row: row.name.clone(),
        width: ratio,
        measure: case.systems.in_own_names(&measure(case, explanations, rows, row)),
    })
}

fn limit(row: &ChangeRow) -> f64 {
    if row.retransmitted()[1] > 0.0 { MAX_LOSSY_WIDTH } else { MAX_WIDTH }
}

/// Returns the upper end of a range over its lower end, over the scenarios that count.
fn width(row: &ChangeRow, counts: impl Fn(&Effect) -> bool) -> f64 {
    let ranges = row.by_scenario().filter(|(effect, _)| counts(effect)).map(|(_, range)| range);
    ranges.reduce(|[a, b], [c, d]| [a.min(c), b.max(d)]).map_or(1.0, |[low, high]| high / low.max(1.0))
}

/// Returns the measurement without whose answer the range is widest: which explanation holds, what a scenario assumes,
/// or how often losses fall.
fn measure(case: &Case, explanations: &[Explanation], rows: &[ChangeRow], row: &ChangeRow) -> String {
    let mean = |all: Vec<f64>| all.iter().map(|width| width.ln()).sum::<f64>() / all.len().max(1) as f64;
    let each = (0..explanations.len()).map(|at| width(row, |effect| effect.explanation == at)).collect();
    let finer = if case.seen.rtt.is_none() { ASK_RTTS } else { ASK_SS };
    let which = telling(explanations, rows).into_iter().next().unwrap_or_else(|| finer.to_owned());
    let settled = MEASUREMENTS.iter().map(|(assumes, ask)| {
        let is_open = row.effects.iter().any(|effect| effect.assumes == *assumes);
        let left = if is_open { width(row, |effect| effect.assumes != *assumes) } else { f64::INFINITY };
        (left.ln(), (*ask).to_owned())
    });
    // A longer run leaves the spread between scenarios, and half of that between seeds.
    let all = width(row, |_| true).ln();
    let seeds = width(row, |effect| effect.assumes == Assumes::Nothing && effect.explanation == 0).ln();
    let longer = (all - seeds * LONGER_RUN_SHARE, ASK_LONGER.to_owned());
    let apart = (mean(each), which);
    let several = (explanations.len() > 1).then_some(apart);
    let all = settled.chain(several).chain([longer]);
    all.min_by(|a, b| a.0.total_cmp(&b.0)).map_or_else(|| finer.to_owned(), |(_, ask)| ask)
}

/// Share of the spread between seeds that a run of four times the length takes away: it falls with the root of the number
/// of losses.
const LONGER_RUN_SHARE: f64 = 0.5;
