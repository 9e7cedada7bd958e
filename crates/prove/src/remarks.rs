//! Remarks on a change: the next limit, measured runs, and warnings.

use super::Verdict;
use super::candidate::Mechanism;
use super::case::Case;
use super::change::LINK_LIMIT;
use super::explain::{Assumes, Explanation, MIN_GAIN};
use super::hosts::LAB_WINDOW_SCALING;
use super::other_runs::{Measured, beyond};
use super::row::{ChangeRow, Effect, MAX_HARM_RATIO, parts};
use super::words::{Statement, far, noun, state};
use base::model::buffer;
use base::show;
use base::units::Unit;

/// Retransmitted share from which others on the path notice.
const MIN_NOTICED_RETRANSMITTED_SHARE: f64 = 0.02;
/// Competing flows left with less than this share of their goodput are mentioned.
const MIN_LEFT_SHARE: f64 = 0.9;
/// Ranges further apart than this factor are separate outcomes.
const SEPARATE_RANGES_RATIO: f64 = 1.25;

/// Lists changes without figures on the page.
pub fn of_idle(verdict: &Verdict) -> Vec<Statement> {
    let told = |row: &ChangeRow| match warnings(row, verdict) {
        warnings if warnings.is_empty() => row.name.clone(),
        warnings => format!("{} ({})", row.name, warnings.join(", ")),
    };
    let helps = |row: &ChangeRow| row.gain()[1] >= MIN_GAIN;
    let of = |head, some: bool| {
        let idle = verdict.rows.iter().filter(|row| row.is_idle() && helps(row) == some);
        let all: Vec<String> = idle.map(told).collect();
        (!all.is_empty()).then(|| state(head, format!("{}.", all.join("; "))))
    };
    [of("Gain on some paths only: ", true), of("No gain: ", false)].into_iter().flatten().collect()
}

/// Returns the next limit after a change, measured runs, and warnings.
pub fn of_row(row: &ChangeRow, verdict: &Verdict) -> Vec<Statement> {
    let then = next(row, verdict);
    let then =
        (row.mean_gain() >= MIN_GAIN && then != LINK_LIMIT).then(|| state("then limited by ", format!("{then}.")));
    let measured = as_predicted(row, verdict).into_iter().map(|run| state("", run));
    let warnings = warnings(row, verdict).into_iter().map(|warning| state("! ", warning));
    by_case(row, verdict).into_iter().chain(then).chain(measured).chain(warnings).collect()
}

/// Returns warnings about a change.
fn warnings(row: &ChangeRow, verdict: &Verdict) -> Vec<String> {
    let mut all = vec![];
    let [least, most] = row.gain();
    if most < 1.0 / MIN_GAIN {
        all.push("lowers goodput".into());
    } else if least < 1.0 / MIN_GAIN {
        all.push("lowers goodput in some cases that fit".into());
    } else if least < MIN_GAIN && most > MIN_GAIN {
        let cases = |helps: bool| {
            let own = row.effects.iter().filter(|effect| (effect.gain >= MIN_GAIN) == helps);
            let mut told: Vec<String> = own.map(|effect| case_of(effect, verdict)).collect();
            told.sort();
            told.dedup();
            told
        };
        let (helps, idle) = (cases(true), cases(false));
        all.push(match helps.len() < idle.len() {
            true => format!("helps only {}", helps.join(", or ")),
            false => format!("gains nothing {}", idle.join(", or ")),
        });
    }
    let again = row.retransmitted()[1];
    if again > MIN_NOTICED_RETRANSMITTED_SHARE
        && verdict.rows.first().is_some_and(|now| again > MAX_HARM_RATIO * now.retransmitted()[1])
    {
        all.push(format!("retransmits up to {}", show::share(again)));
    }
    if let Some(left) = row.others().filter(|left| *left < MIN_LEFT_SHARE) {
        all.push(format!("takes up to {} from the others on the line", show::share(1.0 - left)));
    }
    if row.is_slower() {
        all.push(format!("p95 RTT up to {} times as long", show::number(row.latency()[1])));
    }
    all.extend(row.off().map(|(run, beyond)| {
        format!(
            "measured {} ({}), {} what is predicted: {}",
            show::rate(run.goodput),
            run.place,
            far(beyond),
            why(row, run, verdict)
        )
    }));
    if let Some(beyond) = beyond(verdict.goodput, row.goodput()).filter(|_| row.keys.is_empty()) {
        let seen = show::rate(verdict.goodput);
        all.push(format!("the transfer got {seen}, {} this: go by what a change gains over it", far(beyond)));
    }
    all
}

/// Explains why a measured run with a change may contradict its prediction.
fn why(row: &ChangeRow, run: &Measured, verdict: &Verdict) -> String {
    let has_more =
        |more: &&ChangeRow| more.name.len() > row.name.len() && parts(&more.name).is_superset(&parts(&row.name));
    let fits = |more: &&ChangeRow| run.off(more.goodput()).is_none();
    match verdict.rows.iter().skip(1).filter(has_more).find(fits) {
        Some(more) => format!("as with {}, of which the evidence tells nothing", more.name),
        None => "something else was changed with it, the path was another by then, or the explanation is wrong".into(),
    }
}

/// Cases with overlapping ranges.
struct Outcome<'r> {
    range: [f64; 2],
    cases: Vec<&'r Effect>,
}

/// Returns the outcomes of a change, the smallest goodput first; several if their ranges do not meet.
fn outcomes(row: &ChangeRow) -> Vec<Outcome<'_>> {
    let mut ranges: Vec<(&Effect, [f64; 2])> = row.by_scenario().collect();
    ranges.sort_by(|a, b| a.1[0].total_cmp(&b.1[0]));
    let mut all: Vec<Outcome> = vec![];
    for (effect, range) in ranges {
        match all.last_mut().filter(|last| range[0] <= SEPARATE_RANGES_RATIO * last.range[1]) {
            Some(last) => {
                last.range[1] = last.range[1].max(range[1]);
                last.cases.push(effect);
            }
            None => all.push(Outcome { range, cases: vec![effect] }),
        }
    }
    all
}

impl Outcome<'_> {
    fn cases(&self, verdict: &Verdict) -> String {
        let mut told: Vec<String> = self.cases.iter().map(|effect| case_of(effect, verdict)).collect();
        told.dedup();
        told.join(", or ")
    }
}

fn by_case(row: &ChangeRow, verdict: &Verdict) -> Option<Statement> {
    let all = outcomes(row);
    let told = |one: &Outcome| {
        let [low, high] = one.range;
        format!("{} {}", show::range(Unit::BitsPerSecond, low, high), one.cases(verdict))
    };
    (all.len() > 1).then(|| state("", format!("{}.", all.iter().map(told).collect::<Vec<_>>().join("; "))))
}

/// Returns measured runs with a change that agree with the prediction.
fn as_predicted(row: &ChangeRow, verdict: &Verdict) -> Vec<String> {
    let is_off = |run: &Measured| row.off().any(|(off, _)| off == run);
    let outcomes = outcomes(row);
    let case = |run: &Measured| {
        let holds = |one: &&Outcome| run.off(one.range).is_none();
        let one = outcomes.iter().find(holds).filter(|_| outcomes.len() > 1);
        one.map_or(String::new(), |one| format!(" {}", one.cases(verdict)))
    };
    let runs = row.measured.iter().filter(|run| !is_off(run));
    runs.map(|run| format!("measured {} ({}), as predicted{}.", show::rate(run.goodput), run.place, case(run)))
        .collect()
}

/// Returns the next limit after a change under the likeliest explanation, and under others if it differs.
pub fn next(row: &ChangeRow, verdict: &Verdict) -> String {
    let mut told: Vec<(&str, String)> = vec![];
    for effect in &row.effects {
        if told.iter().all(|(next, _)| *next != effect.next) {
            let which = if told.is_empty() { String::new() } else { format!(" {}", case_of(effect, verdict)) };
            told.push((&effect.next, which));
        }
    }
    told.into_iter().map(|(next, which)| format!("{next}{which}")).collect::<Vec<_>>().join("; ")
}

fn case_of(effect: &Effect, verdict: &Verdict) -> String {
    let name = verdict.explanations.get(effect.explanation).map_or(String::new(), |one| noun(&one.name));
    match effect.assumes {
        Assumes::Nothing if verdict.explanations.len() == 1 => "as it fits best".into(),
        Assumes::Nothing => format!("if it is {name}"),
        Assumes::Slower => "if the line is no faster".into(),
        Assumes::Faster => "if the line is faster".into(),
        Assumes::Alike => "if the receiver is set like the sender".into(),
        Assumes::ReceiveWindow => "if the receive buffer is no larger".into(),
        Assumes::SendBuffer => "if the send buffer is no larger".into(),
    }
}

/// Says where a window fits that is far smaller than the receiver's settings allow: no larger setting lifts it.
pub fn narrower(case: &Case, explanations: &[Explanation]) -> Vec<String> {
    /// Settings and windows differ by this ratio where memory is charged in another way.
    const MIN_NARROWER_RATIO: f64 = 2.0;
    let window = |space: f64| buffer::window(space as u64, LAB_WINDOW_SCALING) as f64;
    let widest = explanations.iter().filter_map(|one| one.range(Mechanism::ReceiveWindow)).map(|[_, high]| high);
    let widest = widest.fold(0.0, f64::max);
    let told = |set: u64| {
        format!(
            "The receiver's settings allow a window of {}, and one of {} at most fits: its program asked for less \
             (SO_RCVBUF, iperf3 -w), or window scaling is off (net.ipv4.tcp_window_scaling, net.inet.tcp.rfc1323).",
            show::bytes(window(set as f64)),
            show::bytes(window(widest))
        )
    };
    let is_narrower = |set: &u64| widest > 0.0 && *set as f64 > MIN_NARROWER_RATIO * widest;
    case.rmem.filter(is_narrower).map(told).into_iter().collect()
}
