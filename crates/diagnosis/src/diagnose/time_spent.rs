//! Where the time went: the account of a transfer, as it is shown.

use super::finding::About;
use super::flow::Flow;
use super::view::View;
use crate::quantity::{Accounted, State, TABLE};
use base::show;
use evidence::{Limits, Place};
use serde::Serialize;
use std::fmt::Write;

/// The account of a transfer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimeSpent {
    /// Name of the connection.
    pub connection: String,
    /// File and line where it was read.
    pub place: Place,
    /// RTT of the idle path, seconds.
    pub rtt: Option<f64>,
    /// Payload of a full segment, bytes.
    pub mss: f64,
    /// Expected share of the time in each state, the largest first.
    pub states: Vec<Spent>,
    /// All steps, in order.
    pub steps: Vec<ShownStep>,
}

/// A state, and its expected share of the time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spent {
    pub state: State,
    pub share: f64,
}

/// A step as it is shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShownStep {
    /// Start and length, seconds.
    pub begin: f64,
    pub seconds: f64,
    /// Whether the transfer's figures include it.
    pub counted: bool,
    /// The likeliest state, and its probability.
    pub state: State,
    pub probability: f64,
    /// Whether nothing tells a full window from a full buffer: then the probability is that of either.
    pub either: bool,
    /// The next likely state.
    pub next: State,
    /// Goodput, bit/s.
    pub rate: Option<f64>,
    /// cwnd at the end, bytes.
    pub cwnd: Option<f64>,
    /// Share of cwnd in flight: rate × RTT / cwnd.
    pub cwnd_used: Option<f64>,
    /// Share of the receive window in flight.
    pub window_used: Option<f64>,
    /// RTT over that of the idle path.
    pub rtt_over_base: Option<f64>,
    /// Segments retransmitted.
    pub retransmitted: Option<f64>,
    /// Shares of the step for which the kernel counts each limit.
    pub limits: Option<Limits>,
    /// Observations that tell the likeliest state from the next, the most telling first.
    pub because: Vec<Telling>,
}

/// An observation, and how many times likelier it is in the likeliest state than in the next.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Telling {
    pub observation: &'static str,
    pub times: f64,
}

/// Largest number of accounts in a diagnosis.
const MAX_ACCOUNTS: usize = 4;
/// Largest number of observations that are shown for a step.
const MAX_TELLING: usize = 3;
/// Smallest log-likelihood ratio of an observation that tells anything: 1.1 times.
const MIN_TELLING_LOG: f64 = 0.1;
/// States that only windows, buffers or counters tell apart; their name and letter where there are none.
const EITHER: [State; 2] = [State::HeldByReceiver, State::HeldBySender];
const EITHER_NAME: &str = "window or buffer";
const EITHER_LETTER: char = 'H';
/// Ratio of two shares from which nothing tells them apart.
const MIN_EVEN_RATIO: f64 = 0.5;
/// Smallest share of the time that is printed.
const MIN_SHOWN_SHARE: f64 = 0.005;
/// Probability from which a state's letter is a capital.
const SURE: f64 = 0.8;
/// Widest strip, columns, and the columns that its times take.
const MAX_STRIP_COLUMNS: usize = 60;
const TIME_COLUMNS: usize = 20;

/// Returns the accounts of the transfers with the most bytes; the one that the answer is about comes first.
pub fn of_view(view: &View, about: Option<&About>) -> Vec<TimeSpent> {
    let mut flows: Vec<&Flow> = view.flows.iter().filter(|flow| flow.account().is_some()).collect();
    let size = |flow: &Flow| flow.seen.bytes.unwrap_or(0.0);
    let is_first = |flow: &Flow| about.is_some_and(|about| about.is(flow));
    flows.sort_by(|a, b| is_first(b).cmp(&is_first(a)).then(size(b).total_cmp(&size(a))));
    flows.into_iter().take(MAX_ACCOUNTS).filter_map(TimeSpent::from_flow).collect()
}

impl TimeSpent {
    /// Returns the account of a connection; `None` without bytes over time.
    fn from_flow(flow: &Flow) -> Option<TimeSpent> {
        let account = flow.account()?;
        let states = account.ranked().into_iter().filter(|(_, share)| *share >= MIN_SHOWN_SHARE);
        let steps = account.steps.iter().zip(&flow.measured.steps).map(|(accounted, step)| {
            let (state, own) = accounted.likeliest();
            let second = next_likely(accounted, &[state]);
            let other = accounted.probability[second as usize];
            let either = EITHER.contains(&state) && EITHER.contains(&second) && other > MIN_EVEN_RATIO * own;
            let next = if either { next_likely(accounted, &EITHER) } else { second };
            let probability = if either { own + other } else { own };
            ShownStep {
                begin: step.begin,
                seconds: step.seconds,
                counted: step.counted,
                state,
                probability,
                either,
                next,
                rate: step.bytes.map(|bytes| 8.0 * bytes / step.seconds),
                cwnd: step.cwnd.map(|[_, end]| end),
                cwnd_used: flow.measured.ln_used(step, flow.measured.rtt).map(|used| used.value.exp()),
                window_used: step.window.filter(|window| *window > 0.0).and_then(|window| {
                    let flight = step.in_flight.or(Some(step.bytes? / step.seconds * step.srtt.or(flow.measured.rtt)?));
                    Some(flight? / window)
                }),
                rtt_over_base: step.srtt.zip(flow.measured.rtt).map(|(rtt, base)| rtt / base),
                retransmitted: step.retransmitted,
                limits: step.limits,
                because: telling(accounted, state, next),
            }
        });
        Some(TimeSpent {
            connection: flow.seen.name.clone(),
            place: flow.seen.place.clone(),
            rtt: flow.measured.rtt,
            mss: flow.mss,
            states: states.map(|(state, share)| Spent { state, share }).collect(),
            steps: steps.collect(),
        })
    }

    /// Returns the shares in words: `climbing 82 %, recovering 12 %, queue 6 %`. Where nothing tells a full window from a
    /// full buffer, they are one.
    pub fn sentence(&self) -> String {
        let share =
            |state: State| self.states.iter().find(|spent| spent.state == state).map_or(0.0, |spent| spent.share);
        let pair = [share(State::HeldByReceiver), share(State::HeldBySender)];
        let open = pair[0].min(pair[1]) > MIN_EVEN_RATIO * pair[0].max(pair[1]);
        let held = |state| EITHER.contains(&state);
        let mut all: Vec<(&str, f64)> = self
            .states
            .iter()
            .filter(|spent| !open || !held(spent.state))
            .map(|spent| (spent.state.name(), spent.share))
            .collect();
        if open {
            all.push((EITHER_NAME, pair[0] + pair[1]));
            all.sort_by(|a, b| b.1.total_cmp(&a.1));
        }
        all.iter()
            .map(|(name, share)| format!("{name} {}", show::plain_share((share * 100.0).round() / 100.0)))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Returns the strip over time: a letter for each column, small if the state is less than certain, with the times of
    /// both ends.
    pub fn strip(&self, width: usize) -> String {
        let counted: Vec<&ShownStep> = self.steps.iter().filter(|step| step.counted).collect();
        let Some((first, last)) = counted.first().zip(counted.last()) else { return String::new() };
        let (begin, end) = (first.begin, last.begin + last.seconds);
        let columns = width.saturating_sub(TIME_COLUMNS).clamp(1, MAX_STRIP_COLUMNS.min(4 * counted.len()));
        let letter = |column: usize| {
            let time = begin + (end - begin) * (column as f64 + 0.5) / columns as f64;
            let at = counted.partition_point(|step| step.begin + step.seconds < time).min(counted.len() - 1);
            let step = counted[at];
            let letter = step.letter();
            if step.probability >= SURE { letter } else { letter.to_ascii_lowercase() }
        };
        let strip: String = (0..columns).map(letter).collect();
        format!("{} {strip} {}", clock(begin), clock(end))
    }

    /// Returns what the letters of the strip mean.
    pub fn legend(&self) -> String {
        let mut all: Vec<(char, &str)> = vec![];
        for step in self.steps.iter().filter(|step| step.counted) {
            if !all.iter().any(|(letter, _)| *letter == step.letter()) {
                all.push((step.letter(), step.name()));
            }
        }
        let all: Vec<String> = all.iter().map(|(letter, name)| format!("{letter} {name}")).collect();
        all.join(", ")
    }

    /// Returns a table of the steps: what was seen, the likeliest state, and why.
    pub fn table(&self, width: usize) -> String {
        let known = |value: Option<f64>, show: fn(f64) -> String| value.map_or_else(|| "-".to_owned(), show);
        let mut text = format!(
            "{:>7} {:>11} {:>8} {:>6} {:>6} {:>5} {:>5}  state\n",
            "time", "rate", "cwnd", "flight", "window", "RTT", "lost"
        );
        for step in self.steps.iter().filter(|step| step.counted) {
            let _ = writeln!(
                text,
                "{:>7} {:>11} {:>8} {:>6} {:>6} {:>5} {:>5}  {} {}",
                clock(step.begin),
                known(step.rate, show::rate),
                known(step.cwnd, show::bytes),
                known(step.cwnd_used, show::share),
                known(step.window_used, show::share),
                known(step.rtt_over_base, |times| format!("{times:.2}")),
                known(step.retransmitted, show::count),
                step.name(),
                show::plain_share((step.probability * 100.0).round() / 100.0),
            );
            let counted = step.limits.map(|limits| {
                format!(
                    "counted: busy {}, receive window {}, send buffer {}",
                    show::share(limits.busy),
                    show::share(limits.rwnd),
                    show::share(limits.sndbuf)
                )
            });
            let because: Vec<String> =
                step.because.iter().map(|one| format!("{} ({})", one.observation, odds(one.times))).collect();
            let because = if because.is_empty() {
                None
            } else {
                Some(format!("not {}: {}", step.next.name(), because.join(", ")))
            };
            let all: Vec<String> = counted.into_iter().chain(because).collect();
            if !all.is_empty() {
                text += &show::paragraph("            ", &all.join("; "), width);
            }
        }
        text
    }
}

impl ShownStep {
    /// Returns the name of its state.
    pub fn name(&self) -> &'static str {
        if self.either { EITHER_NAME } else { self.state.name() }
    }

    /// Returns the letter of its state in the strip.
    fn letter(&self) -> char {
        if self.either { EITHER_LETTER } else { self.state.letter() }
    }
}

/// Prints a time since the start.
fn clock(seconds: f64) -> String {
    if seconds == 0.0 { "0 s".into() } else { show::time(seconds) }
}

/// Prints a likelihood ratio: `8 times`, `over 1000 times`.
fn odds(times: f64) -> String {
    const MAX_SHOWN: f64 = 1000.0;
    if times > MAX_SHOWN { "over 1000 times".into() } else { format!("{} times", show::number(times)) }
}

/// Returns the likeliest state but for some.
fn next_likely(accounted: &Accounted, but: &[State]) -> State {
    let others = TABLE.iter().map(|(state, ..)| *state).filter(|state| !but.contains(state));
    let probability = |state: &State| accounted.probability[*state as usize];
    others.max_by(|a, b| probability(a).total_cmp(&probability(b))).unwrap_or(State::Other)
}

fn telling(accounted: &Accounted, first: State, next: State) -> Vec<Telling> {
    let ratio =
        |(name, log): &(&'static str, crate::quantity::PerState)| (*name, log[first as usize] - log[next as usize]);
    let mut all: Vec<(&'static str, f64)> = accounted.observed.iter().map(ratio).collect();
    all.retain(|(_, log)| *log > MIN_TELLING_LOG);
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all.truncate(MAX_TELLING);
    all.into_iter().map(|(observation, log)| Telling { observation, times: log.exp() }).collect()
}
