use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::need::Need;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use crate::show::{rate, share, time};
use crate::stats::percentile;

/// A line of which more is used may have a queue of the connection's own.
const ROOM: f64 = 0.7;
/// Round trips are longer by this share of the path's own, and by so many seconds.
const LONGER: f64 = 0.3;
const LEAST: f64 = 0.005;
/// Points at which it sends no more than this share of its peak, and how many there have to be.
const LESS: f64 = 0.6;
const SEVERAL: usize = 3;

/// See its row.
pub const RULE: Rule = Rule {
    name: "cross-traffic",
    title: "A queue that others fill, on the way there or back",
    needs: &[Need::LinkRate, Need::BaseRtt, Need::RoundTrips, Need::Window],
    model: "A queue of one's own empties when one sends less. Where round trips stay as long at half the rate, on a line that \
            has room, others keep the queue filled: traffic beside, or on the way back, where ACKs wait.",
    source: "Zhang, Shenker and Clark, SIGCOMM 1991 (two-way traffic); RFC 3449, 2 (ACK congestion)",
    thresholds: &[
        (
            "median RTT above the path's by 30 % and 5 ms, and by what bursts of its own window add",
            "less is bursts and delayed ACKs",
        ),
        ("below 70 % of the link rate", "above that the queue may be its own"),
        ("as long at three points and more at which it sends 60 % of its peak or less", "its own queue is then empty"),
    ],
    confidence: "medium: which of the two ways it is does not show at one end",
    confirm: &[
        "ping HOST while nothing is sent: the queue is there as well",
        "iperf3 -c HOST -R, and tc -s qdisc on both ends of the slow link: which way it queues",
    ],
    alike: &[
        ("bufferbloat", "the line is full, and the queue is its own"),
        ("rate-cap", "the rate is the same in each second"),
    ],
    explains: &["bufferbloat", "rate-cap", "loss-response", "shallow-buffer"],
    remedies: remedies::cross_traffic,
    assumed: 0.3,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    view.flows.iter().filter(|flow| view.group(flow).count() == 1).filter_map(of).collect()
}

fn of(flow: &Flow) -> Option<Finding> {
    let [base, middle, _] = flow.queueing()?;
    let own = flow.own_burst()?;
    let is_long = |rtt: f64| rtt - base > LEAST.max(LONGER * base) + own;
    if !is_long(middle) || flow.fills(ROOM) != Some(false) || super::receiver_not_reading::is_closing(flow) {
        return None;
    }
    let rated = |pair: &[evidence::Point]| {
        Some((pair[1].bytes? * 8.0 / (pair[1].time - pair[0].time), pair[1].srtt?)).filter(|(rate, _)| *rate > 0.0)
    };
    let points: Vec<(f64, f64)> =
        flow.seen.points[1.min(flow.seen.points.len())..].windows(2).filter_map(rated).collect();
    let peak = percentile(points.iter().map(|(rate, _)| *rate).collect(), 0.95)?;
    let slow: Vec<f64> = points.iter().filter(|(rate, _)| *rate <= LESS * peak).map(|(_, rtt)| *rtt).collect();
    let when_slow = percentile(slow.clone(), 0.5).filter(|rtt| slow.len() >= SEVERAL && is_long(*rtt))?;
    let line = flow.expected()?;
    let says = format!(
        "A queue that others fill: the RTT is {} where the path takes {}, though {} of {} are used, and no shorter when less is \
         sent. Traffic beside it, or on the way back, where its ACKs wait.",
        time(middle),
        time(base),
        rate(flow.seen.goodput?),
        rate(line.value)
    );
    let finding = Finding::problem(RULE.name, Confidence::Medium, (1.0 - base / middle).min(RULE.assumed), says)
        .at("median RTT", time(middle), &flow.seen.place)
        .figure("RTT of the path", time(base), flow.rtt.as_ref().map_or(String::new(), |rtt| rtt.from.to_string()))
        .at(format!("RTT at {} of the peak rate and less", share(LESS)), time(when_slow), &flow.seen.place)
        .figure("what its own bursts add", time(own), "window / line")
        .ask("ping HOST while nothing is sent: if it takes as long, the queue is not this connection's");
    Some(finding.of(flow).sized(Sizes::of(flow)))
}
