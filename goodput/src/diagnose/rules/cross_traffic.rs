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
use crate::model::FULL_LINK_SHARE;
use crate::show::{number, rate, share, time};
use crate::stats::percentile;
use evidence::headers::{Ip, TIMESTAMPS};

/// Below this share of its rate a link has no queue of the connection's own.
const NO_QUEUE_LINK_SHARE: f64 = 0.7;
/// RTTs exceed the idle path's by at least this share, and by at least this many seconds.
const MIN_RTT_EXCESS_SHARE: f64 = 0.3;
const MIN_RTT_EXCESS_S: f64 = 0.004;
/// A queue of ACKs is the cause from this share of the excess RTT on.
const MIN_ACK_QUEUE_SHARE: f64 = 0.6;
/// An acknowledgment with timestamps over IPv4, bytes.
const ACK_BYTES: f64 = (Ip::V4.tcp() + TIMESTAMPS) as f64;
/// Variation of data, over that of ACKs, that no link's pacing explains.
const MIN_UNPACED_VARIATION: f64 = 1.2;
/// A point above this share of the peak is at the peak; a connection sends less at times if most points are below.
const PEAK_SHARE: f64 = 0.95;
/// A point below this share of the peak is low, and low points at least.
const MAX_LOW_PEAK_SHARE: f64 = 0.6;
const MIN_LOW_POINTS: usize = 3;

/// Share of the points of a varying rate that may lie within this distance of its median; a slower link's own queue keeps a
/// rate steady.
const MAX_STEADY_POINTS_SHARE: f64 = 0.75;
const STEADY_DIFFERENCE: f64 = 0.15;
/// A standing queue: the shortest tenth of the RTTs has this share of the mean queue.
const MIN_STANDING_QUEUE_SHARE: f64 = 0.7;
/// A queue that empties: the shortest RTTs have less than this share.
const MAX_EMPTY_QUEUE_SHARE: f64 = 0.3;
/// Busy share of the connection's time at least.
const MIN_BUSY_SHARE: f64 = 0.8;
/// Share of the link that others have at its peak, at least.
const MIN_OTHERS_LINK_SHARE: f64 = 0.5;

/// The measurement that shows the queue of the ACKs.
const ASK_WAY_BACK: &str =
    "iperf3 -c HOST -R: what the slow direction carries; tc -s qdisc on the receiver's side of that link";

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
            "median RTT above the path's by 30 % and 4 ms, and by what bursts of its own window add",
            "less is bursts and delayed ACKs",
        ),
        ("of one segment at a time, in a capture, the shortest RTTs as well", "its ACKs are delayed now and then"),
        ("below 70 % of the link rate", "above that the queue may be its own"),
        (
            "or, in a capture at the sender, 60 % of what the RTT is longer by waited on the way back, and the line is not 90 % full",
            "the receiver's clock is in each ACK (RFC 7323): what it takes longer to the sender, a queue has added",
        ),
        (
            "or, in iperf3 -J, 60 % of it by the end of the run, which the receiver hears of behind the data",
            "the receiver runs longer by the path's RTT and the queue on the way there (within 1 ms on 140 paths)",
        ),
        (
            "or ACKs come at a constant rate (5 %) while the data that they acknowledge varies three times as much, over five seconds \
             and more in which the RTT is 30 % longer and nothing is lost",
            "a link that is full of ACKs lets as many through whatever they acknowledge; one that is full of data keeps that the same",
        ),
        (
            "as long over three spans of two round trips, 50 ms and more in which 60 % of its peak or less comes through",
            "its own queue is then empty",
        ),
        (
            "or above the path's by 70 % of what the median is, in the shortest tenth, at a rate that varies and never reaches half of the link rate",
            "its own bursts leave some round trips short; a slower line keeps the rate the same",
        ),
    ],
    confidence: "high from the receiver's timestamps, and where ACKs alone come at a constant rate and their data varies by a fifth; else medium: which of the two ways it is does not show at one end",
    confirm: &[
        "ping HOST while nothing is sent: the queue is there as well",
        "iperf3 -c HOST -R, and tc -s qdisc on both ends of the slow link: which way it queues",
    ],
    alike: &[
        ("bufferbloat", "the line is full, and the queue is its own"),
        ("rate-cap", "the rate is the same in each second"),
        ("radio-link", "the line's own rate comes and goes: one connection alone cannot tell"),
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

/// A queue beside a connection that has its path for itself, while that is up: in a silence no round trip is taken, and the
/// mean is that of a line with room.
fn up(flow: &Flow, view: &View) -> Option<Finding> {
    if view.group(flow).count() != 1 {
        return None;
    }
    match flow.without_outage() {
        Some(rest) => of(&view.flow(&rest)),
        None => of(flow),
    }
}

/// Whether a round-trip time is longer than the path's own by what a queue makes of it.
fn is_longer(rtt: f64, base: f64) -> bool {
    rtt - base > MIN_RTT_EXCESS_S.max(MIN_RTT_EXCESS_SHARE * base)
}

/// ACKs that wait on their way, by the receiver's clock.
fn back(flow: &Flow, view: &View) -> Option<Finding> {
    let [base, middle, _] = flow.queueing()?;
    let queued = flow.seen.queued_back?;
    let longer = middle - base;
    // Late ACKs hold back slow start: its part of the mean counts.
    let full = flow.total.and_then(|total| flow.reaches(total, FULL_LINK_SHARE)) == Some(true);
    if !is_longer(middle, base) || queued < MIN_ACK_QUEUE_SHARE * longer || full {
        return None;
    }
    let says = format!(
        "ACKs wait on their way back: the RTT is {} where the path takes {}, and {} of that are a queue behind the receiver. \
         What is sent the other way fills it, or the ACKs themselves.",
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
    // Of a transfer both ways at once its own data are what ACKs wait for.
    let [from, to] = flow.seen.ends?;
    if view.flows.iter().any(|other| other.seen.ends == Some([to, from])) {
        finding.severity = Severity::Note;
    }
    Some(finding.of(flow).sized(Sizes::of(flow)))
}

/// ACKs that come one by one from a link that is full of them.
fn clocked(flow: &Flow) -> Option<Finding> {
    let [base, middle, _] = flow.queueing()?;
    let full = flow.expected().is_some() && flow.fills(FULL_LINK_SHARE) == Some(true);
    let came = Constant::of(flow).filter(|_| is_longer(middle, base))?;
    // What waited for a lost segment is acknowledged at once, beyond the line's rate.
    let carries = flow.expected().map_or(f64::INFINITY, |line| line.value * flow.payload());
    let [least, most] = came.data.map(|data| data.min(carries));
    let varies = most > MIN_UNPACED_VARIATION * least;
    if full && !varies {
        return None;
    }
    let link = rate(came.acks * ACK_BYTES * 8.0);
    let says = format!(
        "ACKs wait on their way back: {} of them come in each second, whether they acknowledge {} or {}. At {ACK_BYTES} bytes each a \
         link of {link} is full of them, or that is what others leave there.",
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
    Some(finding.of(flow).sized(Sizes::of(flow)))
}

fn of(flow: &Flow) -> Option<Finding> {
    let [base, middle, _] = flow.queueing()?;
    let own = flow.own_burst()?;
    let is_raised = |rtt: f64| is_longer(rtt, base);
    // What others fill keeps even the shortest round trips long; delayed ACKs do not.
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
        "A queue that others fill: the RTT is {} where the path takes {}, though {} of {} are used, and {and}. Traffic beside \
         it, or on the way back, where its ACKs wait.",
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
            "Where the line's own rate falls at times, as radio's and a satellite's do, the RTT grows as much, and the queue is \
             this transfer's own.",
        )
        .ask("ping HOST while nothing is sent: if it takes as long, the queue is not this connection's");
    Some(finding.of(flow).sized(Sizes::of(flow)))
}

/// Rates, bit/s, after the first point, over spans in which a queue of its own can empty and that be measured, which take a
/// round trip each; and the shortest round-trip time of each span.
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

/// The round-trip time where its own queue is empty.
fn when_less_is_sent(points: &[(f64, f64)]) -> Option<f64> {
    let peak = percentile(points.iter().map(|(rate, _)| *rate).collect(), PEAK_SHARE)?;
    let seldom = ((1.0 - PEAK_SHARE) * points.len() as f64).ceil() as usize;
    let slow: Vec<f64> =
        points.iter().filter(|(rate, _)| *rate <= MAX_LOW_PEAK_SHARE * peak).map(|(_, rtt)| *rtt).collect();
    percentile(slow.clone(), 0.5).filter(|_| slow.len() >= MIN_LOW_POINTS.max(seldom))
}

/// The round-trip time of the shortest tenth, where a queue cannot be its own: that of a slower line keeps the rate the same,
/// and its own bursts leave some short, unless they are a program's.
fn shortest(flow: &Flow, points: &[(f64, f64)]) -> Option<f64> {
    // What comes in bursts varies from point to point, and not over spans of them.
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
