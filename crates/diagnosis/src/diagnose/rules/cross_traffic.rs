use crate::diagnose::acks;
use crate::diagnose::acks::Constant;
use crate::diagnose::delivery::MIN_SPAN_S;
use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding, Severity};
use crate::diagnose::flow::Flow;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::unread;
use crate::diagnose::view::View;
use base::model::FULL_LINK_SHARE;
use base::show::{self, number, rate, share, time};
use base::stats::percentile;
use evidence::headers::{Ip, TIMESTAMPS};

/// Share of the link rate below which the connection has no queue of its own at the link.
const NO_QUEUE_LINK_SHARE: f64 = 0.7;
/// Smallest excess of RTTs over the idle path's, as a share and in seconds.
const MIN_RTT_EXCESS_SHARE: f64 = 0.3;
const MIN_RTT_EXCESS_S: f64 = 0.004;
/// Share of the excess RTT from which a queue of ACKs is the cause.
const MIN_ACK_QUEUE_SHARE: f64 = 0.6;
/// Size of an ACK with timestamps over IPv4, bytes.
const ACK_BYTES: f64 = (Ip::V4.tcp() + TIMESTAMPS) as f64;
/// Ratio of the data's variation, largest over least, that no link's pacing explains.
const MIN_UNPACED_VARIATION: f64 = 1.2;
/// Percentile of the rates that counts as the peak; more low points than lie above it mean that the connection sends
/// less at times.
const PEAK_SHARE: f64 = 0.95;
/// Share of the peak below which a point is low, and the smallest number of low points.
const MAX_LOW_PEAK_SHARE: f64 = 0.6;
const MIN_LOW_POINTS: usize = 3;

/// Largest share of the points of a varying rate within this distance of its median; a slower link's own queue keeps a
/// rate steady.
const MAX_STEADY_POINTS_SHARE: f64 = 0.75;
const STEADY_DIFFERENCE: f64 = 0.15;
/// Share of the mean queue in the shortest tenth of the RTTs from which the queue is a standing one.
const MIN_STANDING_QUEUE_SHARE: f64 = 0.7;
/// Share of the mean queue in the shortest RTTs below which the queue empties.
const MAX_EMPTY_QUEUE_SHARE: f64 = 0.3;
/// Smallest busy share of the connection's time.
const MIN_BUSY_SHARE: f64 = 0.8;
/// Smallest share of the link that other traffic has at the connection's peak.
const MIN_OTHERS_LINK_SHARE: f64 = 0.5;

/// Measurement that shows the queue of the ACKs.
const ASK_WAY_BACK: &str =
    "iperf3 -c HOST -R: what the slow direction carries; tc -s qdisc on the receiver's side of that link";

/// The rule.
pub const RULE: Rule = Rule {
    name: "cross-traffic",
    title: "Other traffic fills a queue, on the way there or back",
    needs: &[Need::LinkRate, Need::BaseRtt, Need::RoundTrips, Need::Window],
    model: "A connection's own queue empties when it sends less. If the RTT stays high at half the rate, on a link \
            that has room, other traffic keeps the queue full: on the way there, or on the way back, where ACKs wait.",
    source: "Zhang, Shenker and Clark, SIGCOMM 1991 (two-way traffic); RFC 3449, 2 (ACK congestion)",
    thresholds: || {
        vec![
            (
                format!(
                    "median RTT above the path's by {} and {}, and by what bursts of its own window add",
                    show::plain_share(MIN_RTT_EXCESS_SHARE),
                    show::plain_time(MIN_RTT_EXCESS_S)
                ),
                "less is bursts and delayed ACKs",
            ),
            (
                "of one segment at a time, in a capture, the shortest RTTs as well".into(),
                "its ACKs are delayed now and then",
            ),
            (
                format!("below {} of the link rate", show::plain_share(NO_QUEUE_LINK_SHARE)),
                "above that the queue may be its own",
            ),
            (
                format!(
                    "or, in a capture at the sender, {} of the extra RTT was spent on the way back, and the link is \
                     not {} full",
                    show::plain_share(MIN_ACK_QUEUE_SHARE),
                    show::plain_share(FULL_LINK_SHARE)
                ),
                "the receiver's clock is in each ACK (RFC 7323): what it takes longer to the sender, a queue has \
                 added",
            ),
            (
                format!(
                    "or, in iperf3 -J, {} of it by the end of the run, which the receiver hears of behind the data",
                    show::plain_share(MIN_ACK_QUEUE_SHARE)
                ),
                "the receiver runs longer by the path's RTT and the queue on the way there (within 1 ms on 140 paths)",
            ),
            (
                format!(
                    "or ACKs come at a constant rate ({}) while the data that they acknowledge varies {} times as \
                     much, over {} seconds and more in which the RTT is {} longer and nothing is lost",
                    show::plain_share(acks::MAX_CONSTANT_VARIATION),
                    acks::MIN_VARIATION_RATIO,
                    acks::MIN_POINTS,
                    show::plain_share(acks::MIN_QUEUED_RTT_RATIO - 1.0)
                ),
                "a link that is full of ACKs lets as many through whatever they acknowledge; one that is full of data \
                 keeps that the same",
            ),
            (
                format!(
                    "the RTT stays as long over {} spans of two round trips, {} or more, in which {} of the peak rate \
                     or less gets through",
                    MIN_LOW_POINTS,
                    show::plain_time(MIN_SPAN_S),
                    show::plain_share(MAX_LOW_PEAK_SHARE)
                ),
                "its own queue is then empty",
            ),
            (
                format!(
                    "or above the path's by {} of what the median is, in the shortest tenth, at a rate that varies \
                     and never reaches {} of the link rate",
                    show::plain_share(MIN_STANDING_QUEUE_SHARE),
                    show::plain_share(MIN_OTHERS_LINK_SHARE)
                ),
                "its own bursts leave some round trips short; a slower line keeps the rate the same",
            ),
        ]
    },
    confidence: "high from the receiver's timestamps, and where ACKs alone come at a constant rate and their data varies by a fifth; else medium: which of the two ways it is does not show at one end",
    confirm: &[
        "ping HOST while nothing is sent: the queue is there as well",
        "iperf3 -c HOST -R, and tc -s qdisc on both ends of the slow link: which way it queues",
    ],
    alike: &[
        ("bufferbloat", "the line is full, and the queue is its own"),
        ("rate-cap", "the rate is the same in each second"),
        ("radio-link", "the link's own rate fluctuates: one connection alone cannot tell"),
    ],
    explains: &["bufferbloat", "rate-cap", "loss-response", "shallow-buffer"],
    remedies: remedies::cross_traffic,
    assumed: 0.3,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let of_flow = |flow| back(flow, view).or_else(|| clocked(flow)).or_else(|| up(flow, view));
    view.flows.iter().filter_map(of_flow).collect()
}

/// Finds a queue of others while a connection alone on its path is up: no RTT is measured in a silence, and the
/// silence lowers the mean rate.
fn up(flow: &Flow, view: &View) -> Option<Finding> {
    if view.group(flow).count() != 1 {
        return None;
    }
    match flow.without_outage() {
        Some(rest) => find_in_flow(&view.flow(&rest)),
        None => find_in_flow(flow),
    }
}

/// Whether an RTT exceeds the path's own by enough to show a queue.
fn is_longer(rtt: f64, base: f64) -> bool {
    rtt - base > MIN_RTT_EXCESS_S.max(MIN_RTT_EXCESS_SHARE * base)
}

/// Finds ACKs that wait on their way back, by the receiver's clock.
fn back(flow: &Flow, view: &View) -> Option<Finding> {
    let [base, middle, _] = flow.queueing()?;
    let queued = flow.seen.queued_back?;
    let longer = middle - base;
    // Late ACKs slow down slow start: its part of the mean counts.
    let full = flow.total.and_then(|total| flow.reaches(total, FULL_LINK_SHARE)) == Some(true);
    if !is_longer(middle, base) || queued < MIN_ACK_QUEUE_SHARE * longer || full {
        return None;
    }
    let says = format!(
        "ACKs are queued on the way back: the RTT is {}, {} on the idle path, and {} of it is a queue after the \
         receiver. Traffic in that direction fills it, or the ACKs themselves do.",
        time(middle),
        time(base),
        time(queued)
    );
    let (confidence, when) = match flow.seen.ended_apart {
        None => (Confidence::High, "in the middle"),
        Some(_) => (Confidence::Medium, "at the end: RTT less what the receiver ran longer"),
    };
    let mut finding = Finding::problem(RULE.name, confidence, (queued / middle).min(RULE.assumed), says)
        .at("median RTT", time(middle), &flow.seen.place)
        .figure("RTT of the path", time(base), flow.rtt.as_ref().map_or(String::new(), |rtt| rtt.from.to_string()))
        .at(format!("queue on the way back, {when}"), time(queued), &flow.seen.place)
        .ask(ASK_WAY_BACK);
    // In a transfer both ways at once, ACKs wait behind its own data.
    let [from, to] = flow.seen.ends?;
    if view.flows.iter().any(|other| other.seen.ends == Some([to, from])) {
        finding.severity = Severity::Note;
    }
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow)))
}

/// Finds ACKs spaced by a link that is full of them.
fn clocked(flow: &Flow) -> Option<Finding> {
    let [base, middle, _] = flow.queueing()?;
    let full = flow.expected().is_some() && flow.fills(FULL_LINK_SHARE) == Some(true);
    let came = Constant::detect(flow).filter(|_| is_longer(middle, base))?;
    // Data that waited for a lost segment is acknowledged at once, above the link rate.
    let carries = flow.expected().map_or(f64::INFINITY, |line| line.value * flow.payload());
    let [least, most] = came.data.map(|data| data.min(carries));
    let varies = most > MIN_UNPACED_VARIATION * least;
    if full && !varies {
        return None;
    }
    let link = rate(came.acks * ACK_BYTES * 8.0);
    let says = format!(
        "ACKs are queued on the way back: {} arrive each second, whether they acknowledge {} or {}. At {ACK_BYTES} \
         bytes each they fill a link of {link}, or the share that other traffic leaves.",
        number(came.acks),
        rate(least),
        rate(most)
    );
    let confidence = if varies { Confidence::High } else { Confidence::Medium };
    let finding = Finding::problem(RULE.name, confidence, (1.0 - base / middle).min(RULE.assumed), says)
        .at("median RTT", time(middle), &flow.seen.place)
        .figure("RTT of the path", time(base), flow.rtt.as_ref().map_or(String::new(), |rtt| rtt.from.to_string()))
        .at("ACKs per second", number(came.acks), &flow.seen.place)
        .ask(ASK_WAY_BACK);
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow)))
}

fn find_in_flow(flow: &Flow) -> Option<Finding> {
    let [base, middle, _] = flow.queueing()?;
    let own = flow.own_burst()?;
    let is_raised = |rtt: f64| is_longer(rtt, base);
    // A queue that others fill keeps even the shortest RTTs long; delayed ACKs do not.
    let delayed = flow.emptied().is_some_and(|rtt| rtt - base < MAX_EMPTY_QUEUE_SHARE * (middle - base));
    if !is_raised(middle) || delayed || flow.fills(NO_QUEUE_LINK_SHARE) != Some(false) || unread::is_closing(flow) {
        return None;
    }
    let points = rated(flow);
    let less = || when_less_is_sent(&points).filter(|rtt| [middle, *rtt].into_iter().all(|rtt| is_raised(rtt - own)));
    let stands = |rtt: &f64| rtt - base > MIN_STANDING_QUEUE_SHARE * (middle - base);
    let always = || shortest(flow, &points).filter(stands);
    let (and, which, rtt) = less()
        .map(|rtt| {
            (
                "no shorter when less comes through",
                format!("RTT at {} of the peak rate and less", share(MAX_LOW_PEAK_SHARE)),
                rtt,
            )
        })
        .or_else(|| Some(("at no time much shorter", "RTT of the shortest tenth".to_owned(), always()?)))?;
    let line = flow.expected()?;
    let says = format!(
        "Other traffic fills a queue: the RTT is {}, {} on the idle path, though only {} of {} is used, and {and}. \
         That traffic shares a link with the data, or with the ACKs on the way back.",
        time(middle),
        time(base),
        rate(flow.seen.goodput?),
        rate(line.value)
    );
    let finding = Finding::problem(RULE.name, Confidence::Medium, (1.0 - base / middle).min(RULE.assumed), says)
        .at("median RTT", time(middle), &flow.seen.place)
        .figure("RTT of the path", time(base), flow.rtt.as_ref().map_or(String::new(), |rtt| rtt.from.to_string()))
        .at(which, time(rtt), &flow.seen.place)
        .figure("what its own bursts add", time(own), "window / line")
        .doubt(
            "If the link's own rate drops at times, as on radio or satellite, this transfer's own queue makes the RTT \
             just as long.",
        )
        .ask("ping HOST without the transfer: if the RTT is as long, other traffic fills the queue");
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow)))
}

/// Returns rates, bit/s, after the first point, each with the shortest RTT of its span. A span takes two round trips:
/// one in which an own queue can empty, and one to measure it.
fn rated(flow: &Flow) -> Vec<(f64, f64)> {
    let points = flow.seen.points.get(1..).unwrap_or_default();
    let Some(mut from) = points.first().map(|point| point.time) else { return vec![] };
    let (mut rated, mut bytes, mut least) = (vec![], 0.0, f64::INFINITY);
    for point in &points[1..] {
        let (Some(came), Some(srtt)) = (flow.delivered(point), point.srtt) else { continue };
        (bytes, least) = (bytes + came, least.min(srtt));
        if point.time - from >= MIN_SPAN_S.max(2.0 * srtt) {
            rated.push((bytes * 8.0 / (point.time - from), least));
            (from, bytes, least) = (point.time, 0.0, f64::INFINITY);
        }
    }
    rated.retain(|(rate, _)| *rate > 0.0);
    rated
}

/// Returns the median RTT at the low rates, at which the connection's own queue would be empty.
fn when_less_is_sent(points: &[(f64, f64)]) -> Option<f64> {
    let peak = percentile(points.iter().map(|(rate, _)| *rate).collect(), PEAK_SHARE)?;
    let seldom = ((1.0 - PEAK_SHARE) * points.len() as f64).ceil() as usize;
    let slow: Vec<f64> =
        points.iter().filter(|(rate, _)| *rate <= MAX_LOW_PEAK_SHARE * peak).map(|(_, rtt)| *rtt).collect();
    percentile(slow.clone(), 0.5).filter(|_| slow.len() >= MIN_LOW_POINTS.max(seldom))
}

/// Returns the RTT of the shortest tenth, if the queue cannot be the connection's own: a slower link's own queue keeps
/// the rate constant, and own bursts leave some RTTs short, unless a program makes them.
fn shortest(flow: &Flow, points: &[(f64, f64)]) -> Option<f64> {
    // Bursts vary from point to point, but not over spans of points.
    let steady = [flow.steady(STEADY_DIFFERENCE), flow.steady_delivery(STEADY_DIFFERENCE)]
        .into_iter()
        .flatten()
        .reduce(f64::max);
    let varies = steady.is_some_and(|steady| steady < MAX_STEADY_POINTS_SHARE);
    let busy = flow.busy().is_none_or(|busy| busy > MIN_BUSY_SHARE);
    let (rates, times): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    let peak = percentile(rates, 0.9)?;
    let known =
        varies && busy && flow.reaches(peak, MIN_OTHERS_LINK_SHARE) == Some(false) && times.len() > MIN_LOW_POINTS;
    percentile(times, 0.1).filter(|_| known)
}
