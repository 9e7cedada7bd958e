//! Tries a change on the real path: measures without and with it in turns, and keeps it only if it is better.

use super::{ApplyError, ApplyRequest, Changed, Outcome, Pending, begin};
use crate::login::Shell;
use analysis::Measure;
use analysis::decide::{self, Compared, Question, Values, Words};
use base::interrupt::{Section, interrupted};
use base::show;
use base::stats::LEVEL;
use base::units::Unit;
use evidence::Evidence;
use evidence::import::{self, iperf::summary};
use evidence::unit::RATE;
use std::ops::RangeInclusive;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Allowed numbers of measurements of each side. Two hardly show a difference (Student's t with one degree of
/// freedom).
pub const PAIRS: RangeInclusive<usize> = 2..=100;

/// The result of a trial.
#[derive(Debug)]
pub struct Tried {
    pub changed: Vec<Changed>,
    /// Goodput without and with the change, turn by turn, bit/s.
    pub pairs: Vec<[f64; 2]>,
    pub compared: Compared,
    pub outcome: Outcome,
}

impl Tried {
    /// Returns a sentence on the effect of the change.
    pub fn sentence(&self) -> String {
        sentence(&self.compared)
    }
}

fn sentence(compared: &Compared) -> String {
    let pairs = compared.counts[0];
    let Some(comparison) = compared.comparison else { return "Goodput cannot be compared.".into() };
    let Words { effect, interval } = decide::words(&comparison, Unit::BitsPerSecond);
    let missing = comparison.test.and_then(|test| test.needed).map_or(0, |needed| needed.saturating_sub(pairs));
    let verdict = match compared.outcome {
        decide::Outcome::Better => "it is better".into(),
        decide::Outcome::Worse => "it is worse".into(),
        decide::Outcome::Equivalent => format!("less than {} apart", show::plain_share(compared.margin)),
        _ if missing > 0 => format!("that may be chance, and --pairs {} would probably tell", pairs + missing),
        _ => "that may be chance".into(),
    };
    let sure = format!("{} % CI {interval}, {pairs} pairs", LEVEL * 100.0);
    format!("Goodput with the change is {effect} ({sure}): {verdict}.")
}

/// Returns the goodput of one transfer, bit/s, from its program's output: iperf3's listing, or a rate in its last
/// line.
pub fn goodput_of(printed: &[u8]) -> Option<f64> {
    let mut evidence = Evidence::default();
    import::read("measured", printed, &mut evidence);
    let listed = evidence.listings.iter().find_map(|one| Some(summary::goodput(&one.listing)?.rate.value));
    let text = String::from_utf8_lossy(printed);
    let last = || text.lines().last().and_then(|line| RATE.parse(line.trim()).ok()).map(|rate| rate as f64);
    listed.or_else(last).filter(|rate| *rate > 0.0)
}

/// Number of signs of life to the watchdog in each of its periods.
const BEATS: u64 = 4;

/// Measures without, with, without, with: the same hour and the same neighbours for both. `measure` gives the goodput
/// of a transfer in bit/s, or an error. `None` if there was nothing to change.
pub fn tried<E: From<ApplyError>>(
    shell: &Shell,
    request: &ApplyRequest,
    pairs: usize,
    mut measure: impl FnMut(&str) -> Result<f64, E>,
) -> Result<Option<Tried>, E> {
    let _section = Section::begin();
    let Some(pending) = begin(shell, request)? else { return Ok(None) };
    let changed = pending.changed.clone();
    let measured = alive(shell, &pending, || in_turns(shell, &pending, pairs, &mut measure));
    let measured = match measured {
        Ok(Some(pairs)) if !interrupted() => pairs,
        Ok(_) => {
            pending.back(shell)?;
            return Err(ApplyError::Interrupted.into());
        }
        Err(error) => {
            pending.back(shell)?;
            return Err(error);
        }
    };
    let compared = compared(&measured);
    let outcome = match compared.outcome {
        decide::Outcome::Better => pending.confirm(shell)?,
        _ => pending.back(shell)?,
    };
    Ok(Some(Tried { changed, pairs: measured, compared, outcome }))
}

/// Measures the pairs; `None` if interrupted.
fn in_turns<E: From<ApplyError>>(
    shell: &Shell,
    pending: &Pending,
    pairs: usize,
    measure: &mut impl FnMut(&str) -> Result<f64, E>,
) -> Result<Option<Vec<[f64; 2]>>, E> {
    let mut all = vec![];
    for _ in 0..pairs {
        let mut pair = [0.0; 2];
        for (value, (turn, name)) in pair.iter_mut().zip([("old", "without"), ("new", "with")]) {
            let answer = pending.ask(shell, &["turn", turn]).map_err(ApplyError::from)?;
            if super::find(&answer, "turned").is_none_or(|line| line.change != 0) {
                pending.outcome(&answer)?;
                return Err(super::failed("the host did not answer as it should", &answer).into());
            }
            *value = measure(name)?;
            if interrupted() {
                return Ok(None);
            }
        }
        all.push(pair);
    }
    Ok(Some(all))
}

/// Does some work while the watchdog gets signs of life.
fn alive<T>(shell: &Shell, pending: &Pending, work: impl FnOnce() -> T) -> T {
    let (end, ended) = channel::<()>();
    let pause = Duration::from_secs(pending.seconds()) / BEATS as u32;
    thread::scope(|scope| {
        scope.spawn(move || {
            while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                // A broken connection shows at the next turn.
                let _ = pending.ask(shell, &["beat"]);
            }
        });
        let done = work();
        drop(end);
        done
    })
}

fn compared(pairs: &[[f64; 2]]) -> Compared {
    let measure = Measure::find("goodput").expect("goodput is a measure");
    let names = ["without".to_owned(), "with the change".to_owned()];
    let values = Values::Pairs(pairs.to_vec());
    let question = Question::new(measure, names, values);
    decide::decide(vec![question], base::stats::MARGIN).remove(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Student's t of 5 pairs: a difference of 20 % with 2 % of spread is significant, noise of 20 % is not.
    #[test]
    fn only_more_than_the_paths_own_spread_is_better() {
        let pairs = |gain: f64, spread: f64| -> Vec<[f64; 2]> {
            let noise = [0.0, 1.0, -1.0, 0.5, -0.5];
            noise.iter().map(|n| [50e6 * (1.0 + spread * n), 50e6 * gain * (1.0 - spread * n)]).collect()
        };
        assert_eq!(compared(&pairs(1.2, 0.02)).outcome, decide::Outcome::Better);
        assert_eq!(compared(&pairs(0.8, 0.02)).outcome, decide::Outcome::Worse);
        assert_eq!(compared(&pairs(1.05, 0.2)).outcome, decide::Outcome::Inconclusive);
        let told = sentence(&compared(&pairs(1.2, 0.02)));
        assert!(
            told.starts_with("Goodput with the change is 20") && told.ends_with("5 pairs): it is better."),
            "{told}"
        );
        let open = sentence(&compared(&pairs(1.05, 0.2)));
        assert!(open.contains("may be chance, and --pairs "), "{open}");
    }
}
