//! What a transfer's losses leave behind in each step.

use super::measured::{Measured, Step};

/// Losses up to a step.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct History {
    /// Loss events in the step: no more than one per round trip, nor than the window needs.
    pub events: f64,
    /// Whether cwnd is below its value at the last loss event or mark.
    pub below: bool,
    /// Whether something was lost in the step, the one before or the one after.
    pub near: bool,
    /// Whether something was lost in all of them.
    pub lossy: bool,
}

/// Loss events per segment and squared window that limit a window (Mathis et al., CCR 27(3), 1997): 1.5 / w².
pub const MATHIS_EVENTS: f64 = 1.5;
/// Ratio to its last value below which cwnd has fallen: CUBIC reduces it by 30 % (RFC 9438, 4.6) and regrows it in the
/// step.
const CWND_FALL_RATIO: f64 = 0.98;
/// Number of steps for which losses at an unseen cwnd may have lowered it.
const UNSEEN_STEPS: usize = 10;
/// Smallest number of steps in a climb with a shape.
const MIN_CLIMB_STEPS: usize = 5;
/// Ratio of the later half's growth to the earlier's from which a climb is convex, but for two segments.
const CONVEX_RATIO: f64 = 1.5;

/// Returns the history of each step. `rtt` is that of the idle path, or a guess.
pub fn of_steps(measured: &Measured, rtt: Option<f64>) -> Vec<History> {
    let (steps, mss) = (&measured.steps, measured.path.mss);
    let lost = |at: usize| steps.get(at).and_then(|step| step.retransmitted).unwrap_or(0.0);
    let mut before: Option<f64> = None;
    let mut since = usize::MAX;
    let mut all = vec![];
    for (at, step) in steps.iter().enumerate() {
        let trips = step.seconds / step.srtt.or(rtt).unwrap_or(step.seconds / 5.0);
        let window = (step.bytes.unwrap_or(0.0) / trips / mss).max(1.0);
        let fell = step.cwnd.filter(|[start, end]| *end < CWND_FALL_RATIO * start && start - end > mss);
        since = since.saturating_add(1);
        match (lost(at) > 0.0, fell) {
            (true, Some([start, _])) => (before, since) = (Some(start.max(before.unwrap_or(0.0))), 0),
            (true, None) => (before, since) = (regrown(measured, at, before), 0),
            (false, Some([start, _])) => (before, since) = (Some(start), 0),
            (false, None) => before = before.filter(|before| step.cwnd.is_none_or(|[_, end]| end <= *before)),
        }
        let around = [
            at.checked_sub(1).map_or(lost(at), lost),
            lost(at),
            if at + 1 < steps.len() { lost(at + 1) } else { lost(at) },
        ];
        all.push(History {
            events: lost(at).min((MATHIS_EVENTS * trips / window).max(1.0)),
            below: if step.cwnd.is_some() { before.is_some() } else { since < UNSEEN_STEPS },
            near: around.iter().any(|lost| *lost > 0.0),
            lossy: around.iter().all(|lost| *lost > 0.0),
        });
    }
    all
}

/// Returns cwnd up to which the climb behind a loss is a recovery; `None` if it is none. A loss event in slow start
/// takes back growth within the step, so cwnd may not fall from one end to the other. CUBIC's climb is concave up to the
/// cwnd of its last loss, and convex from the first step on if it is above that (RFC 9438, 4.2); Reno's is a line.
fn regrown(measured: &Measured, at: usize, before: Option<f64>) -> Option<f64> {
    // Slow start goes on behind what is lost in the first step.
    let own = measured.steps[at].cwnd.filter(|_| !measured.steps[at].first);
    let free = |step: &&Step| step.retransmitted.is_none_or(|lost| lost == 0.0);
    let behind = measured.steps[at + 1..].iter().take_while(free).map_while(|step| step.cwnd);
    let climb: Vec<f64> = own.into_iter().chain(behind).map(|[_, end]| end).collect();
    let first = climb.first()?;
    if climb.len() < MIN_CLIMB_STEPS {
        return Some(before.unwrap_or(0.0).max(first / base::model::response::CUBIC_BETA));
    }
    let half = climb.len() / 2;
    let [early, late] = [climb[half] - climb[0], climb[climb.len() - 1] - climb[climb.len() - 1 - half]];
    let convex = late > CONVEX_RATIO * early + 2.0 * measured.path.mss;
    if convex && !measured.path.reno { before } else { Some(f64::INFINITY) }
}
