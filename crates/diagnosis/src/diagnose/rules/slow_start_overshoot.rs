use super::slow_start_exit::words;
use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use crate::quantity::State;
use base::show::{self, bytes, rate, share, time};

/// Share of the time from which a phase is the main limit.
const MOST_OF_THE_TIME: f64 = 0.5;
/// First part of the run in which slow start's losses come.
const MAX_SLOW_START_PART: f64 = 0.35;
/// Smallest number of segments lost at the end of slow start, over cwnd. Fewer are a path's rare losses, which take
/// more in 3 of 100 among 219 runs that climb (`make world`).
const MIN_OVERSHOOT_SHARE: f64 = 0.01;
/// Share of its link from which a connection is not slow.
const LINK_IS_FULL: f64 = 0.9;

/// The rule.
pub const RULE: Rule = Rule {
    name: "slow-start-overshoot",
    title: "Slow start overshot, and cwnd is still recovering",
    needs: &[Need::Window, Need::RoundTrips, Need::Retransmissions],
    model: "Slow start doubles cwnd in each round trip until a queue overflows, which drops up to half of it. CUBIC then takes \
            K = cbrt(0.3 W / 0.4) seconds to come back to a cwnd of W segments, whatever the RTT: 12 s for 2,400 segments. A \
            test of 10 s ends before.",
    source: "RFC 9438, 4.2 and 4.6; RFC 5681, 3.1",
    thresholds: || {
        vec![
            (
                format!(
                    "for {} of the time cwnd is used up and below what a loss event found",
                    show::plain_share(MOST_OF_THE_TIME)
                ),
                "what limits for most of the time costs most",
            ),
            (
                format!("all loss events lie in the first {} of the run", show::plain_share(MAX_SLOW_START_PART)),
                "later ones are the path's own",
            ),
            (
                format!(
                    "where cwnd climbs as if nothing had lowered it: {} of cwnd was lost",
                    show::plain_share(MIN_OVERSHOOT_SHARE)
                ),
                "fewer are a path's rare losses, and HyStart ended slow start",
            ),
        ]
    },
    confidence: "medium if RTTs stay as cwnd moves, so that the link has room; low otherwise",
    confirm: &["iperf3 -c HOST -t 60: goodput of the later seconds is higher, and losses do not go on"],
    alike: &[
        ("loss-response", "losses go on through the run"),
        ("slow-start-exit", "nothing is lost, and the climb is convex"),
    ],
    explains: &["loss-response", "shallow-buffer", "timeouts", "slow-start-exit"],
    remedies: remedies::loss,
    assumed: 0.4,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    view.flows.iter().filter(|flow| view.group(flow).count() == 1).filter_map(find_in_flow).collect()
}

fn find_in_flow(flow: &Flow) -> Option<Finding> {
    let account = flow.account_of_cwnd()?;
    let overshot = flow.measured.overshoot().is_some_and(|share| share >= MIN_OVERSHOOT_SHARE);
    let recovers = account.share(State::Recovering) + if overshot { account.share(State::Climbing) } else { 0.0 };
    let points = &flow.seen.points;
    let last = points.iter().rposition(|point| point.retransmitted.is_some_and(|again| again > 0.0))?;
    let elsewhere = flow.is_limited() || flow.is_bbr() || flow.seen.target.is_some() || flow.is_mostly_spurious();
    let (part, room) = (last as f64 / points.len() as f64, flow.link_has_room());
    let full = flow.fills(LINK_IS_FULL) == Some(true);
    let asks = [
        flow.asks(
            RULE.name,
            "time for which cwnd recovers",
            share(recovers),
            format!("{} or more", show::plain_share(MOST_OF_THE_TIME)),
            recovers >= MOST_OF_THE_TIME,
        ),
        flow.asks(
            RULE.name,
            "part of the run with losses",
            format!("the first {}", share(part)),
            format!("the first {} or less", show::plain_share(MAX_SLOW_START_PART)),
            part <= MAX_SLOW_START_PART,
        ),
        flow.asks(RULE.name, "room on the link", words(room), "room", room == Some(true) && !full),
        flow.asks(
            RULE.name,
            "another limit: a window, a buffer, BBR, a target rate, reordering",
            if elsewhere { "yes" } else { "no" },
            "no",
            !elsewhere,
        ),
    ];
    if asks.contains(&false) {
        return None;
    }
    let largest = points[..=last].iter().filter_map(|point| point.cwnd).fold(0.0, f64::max);
    let climb: Vec<f64> = points[last..].iter().filter_map(|point| point.cwnd).collect();
    let (least, end) = (climb.iter().copied().reduce(f64::min)?, *climb.last()?);
    let again: f64 = points[..=last].iter().filter_map(|point| point.retransmitted).sum();
    let [start, stop] = flow.seen.span?;
    let says = format!(
        "Slow start overshot: {} segments were retransmitted after cwnd had reached {}. Since then cwnd has grown \
         from {} to {} in {}, fully used, and nothing more is lost. {} on average: a longer test averages more.",
        show::count(again),
        bytes(largest),
        bytes(least),
        bytes(end),
        time(stop - points[last].time.max(start)),
        rate(flow.seen.goodput?)
    );
    let finding = Finding::problem(RULE.name, Confidence::Medium, recovers * RULE.assumed, says)
        .at("largest cwnd before the loss", bytes(largest), &flow.seen.place)
        .at("cwnd behind it", format!("{} to {}", bytes(least), bytes(end)), &flow.seen.place)
        .at("time for which cwnd recovers", share(recovers), &flow.seen.place)
        .ask("iperf3 -c HOST -t 60: goodput of the later seconds, and whether losses go on");
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow)))
}
