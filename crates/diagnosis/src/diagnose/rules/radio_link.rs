use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use base::show::{self, count, rate, share, time};
use base::stats::percentile;
use evidence::{Point, Source};

/// Length of the pieces compared, seconds: longer than a recovery, shorter than a stay in a cell.
const PIECE_S: f64 = 5.0;
/// Smallest number of pieces in a run.
const MIN_PIECES: usize = 7;
/// Smallest ratio of the rates of successive pieces at a step.
const MIN_RATE_STEP_RATIO: f64 = 2.0;
/// Smallest ratio of that to the ratio of their cwnds.
const MIN_STEP_OVER_CWND_RATIO: f64 = 1.5;
/// Smallest number of steps that excludes chance.
const MIN_STEPS: usize = 3;
/// Percentile of the pieces' rates taken as the rate of a good link.
const GOOD_RATE_PERCENTILE: f64 = 0.9;
/// Programs that always have data, unless they are given a rate.
const ALWAYS_WRITE: [Source; 3] = [Source::Iperf3, Source::Iperf, Source::Nuttcp];

/// The rule.
pub const RULE: Rule = Rule {
    name: "radio-link",
    title: "The link's own rate fluctuates",
    needs: &[Need::Retransmissions, Need::Window],
    model: "A radio or satellite link changes its rate within seconds: with the signal, at a handover, when others share the \
            cell. Goodput follows the link, while cwnd stays: a sender with data would otherwise deliver one window per RTT.",
    source: "NUWiNS/starlink-measurement: 235 TCP runs over satellite and cellular links from a car, of which 127 have such steps",
    thresholds: || {
        vec![
            (
                format!(
                    "the mean of {} is {} times that of the {} before or after, {} times and more",
                    show::plain_time(PIECE_S),
                    MIN_RATE_STEP_RATIO,
                    show::plain_time(PIECE_S),
                    MIN_STEPS
                ),
                "a link of constant rate gives the same in all 5 s, once slow start is over",
            ),
            (
                format!("and {} times more than cwnd changed", MIN_STEP_OVER_CWND_RATIO),
                "after losses cwnd changes as much as the rate",
            ),
            (
                "a program that always has data: iperf3, iperf or nuttcp without a rate".into(),
                "any other program may pause by itself",
            ),
        ]
    },
    confidence: "medium: other traffic that comes and goes looks the same",
    confirm: &[
        "ping -i 0.2 HOST beside it: RTTs rise and answers fail when the rate falls",
        "the modem's signal and cell over time",
    ],
    alike: &[
        ("cross-traffic", "on a shared wire the sum of all traffic stays the same"),
        ("outage", "one silence, and a steady rate for the rest"),
        ("idle-restart", "the program pauses, and cwnd falls after each pause"),
    ],
    explains: &["idle-restart", "application-limited", "timeouts", "slow-start-exit", "few-samples"],
    remedies: remedies::radio_link,
    assumed: 0.5,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    view.flows.iter().filter_map(find_in_flow).collect()
}

/// A piece of a run.
#[derive(Debug, Clone, Copy)]
struct Piece {
    /// Rate, bit/s.
    rate: f64,
    /// Mean congestion window, bytes.
    cwnd: f64,
}

fn find_in_flow(flow: &Flow) -> Option<Finding> {
    let seen = flow.seen;
    if !ALWAYS_WRITE.contains(&seen.source) || seen.target.is_some() || seen.retransmitted.is_none() {
        return None;
    }
    let pieces = pieces(&seen.points[flow.settled.min(seen.points.len())..])?;
    let steps = pieces.windows(2).filter(|pair| is_step(pair[0], pair[1])).count();
    if pieces.len() < MIN_PIECES || steps < MIN_STEPS {
        return None;
    }
    let rates = || pieces.iter().map(|piece| piece.rate);
    let good = percentile(rates().collect(), GOOD_RATE_PERCENTILE)?;
    let [least, most] = [rates().fold(f64::INFINITY, f64::min), rates().fold(0.0, f64::max)];
    let mean = rates().sum::<f64>() / pieces.len() as f64;
    let lost = (1.0 - mean / good).clamp(0.0, 1.0);
    let silent = flow.longest_silence().filter(|silence| *silence >= 1.0);
    let stalls = silent.map_or(String::new(), |silence| format!(", with stalls of up to {}", time(silence)));
    let says = format!(
        "The link's rate fluctuates: {} to {} over 5 s at a time{stalls}, and cwnd does not follow. The program always \
         had data. A radio or satellite link does this.",
        rate(least),
        rate(most)
    );
    let mut finding = Finding::problem(RULE.name, Confidence::Medium, lost, says)
        .at("changes by a factor of 2 within 10 s", count(steps as f64), &seen.place)
        .at("rate while the link is good", rate(good), &seen.place);
    if let Some(again) = flow.retransmitted() {
        finding = finding.at("sent again", share(again), &seen.place);
    }
    let finding = finding
        .doubt("Other traffic on a shared link that comes and goes looks the same.")
        .ask("ping -i 0.2 HOST beside it, and the modem's signal over time");
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow)))
}

/// Whether the rate changed without a matching change of cwnd.
fn is_step(before: Piece, after: Piece) -> bool {
    let ratio = |a: f64, b: f64| if after.rate > before.rate { b / a } else { a / b };
    let by = ratio(before.rate.max(1.0), after.rate.max(1.0));
    by >= MIN_RATE_STEP_RATIO && by >= MIN_STEP_OVER_CWND_RATIO * ratio(before.cwnd, after.cwnd).max(1.0)
}

/// Splits points into pieces of equal length; `None` if a point lacks a figure.
fn pieces(points: &[Point]) -> Option<Vec<Piece>> {
    let mut pieces = vec![];
    let mut start = points.first()?.time;
    let (mut bytes, mut cwnd, mut number) = (0.0, 0.0, 0.0);
    for pair in points.windows(2) {
        bytes += pair[1].bytes?;
        cwnd += pair[1].cwnd?;
        number += 1.0;
        let length = pair[1].time - start;
        if length > PIECE_S - 0.25 {
            pieces.push(Piece { rate: bytes * 8.0 / length, cwnd: (cwnd / number).max(1.0) });
            (start, bytes, cwnd, number) = (pair[1].time, 0.0, 0.0, 0.0);
        }
    }
    Some(pieces)
}

#[cfg(test)]
mod tests {
    use crate::diagnose::{Given, diagnose};
    use evidence::Evidence;

    /// iperf3 over a link of 20 Mbit/s, and over one that `tc` set to 20 and 5 Mbit/s in turns of 5 s.
    #[test]
    fn a_line_whose_rate_is_changed_is_told_from_one_that_is_steady() {
        let found = |name: &str, text: &str| {
            let mut evidence = Evidence::default();
            evidence::import::read(name, text.as_bytes(), &mut evidence);
            let diagnosis = diagnose(&evidence, Given::default());
            diagnosis.findings.iter().any(|finding| finding.rule == super::RULE.name)
        };
        assert!(found("steps", include_str!("../../../../../goodput/tests/diagnose/radio/steps.txt")));
        assert!(!found("steady", include_str!("../../../../../goodput/tests/diagnose/radio/steady.txt")));
    }
}
