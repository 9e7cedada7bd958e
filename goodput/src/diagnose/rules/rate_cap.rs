mod shaper;

use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding, Severity};
use crate::diagnose::flow::Flow;
use crate::diagnose::losses::MIN_SUSPICIOUS_LOSS_SHARE;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::speed::{self, Speed};
use crate::diagnose::view::View;
use crate::show::{self, rate, share, time};
use crate::stats::percentile;
use evidence::Printed;
use evidence::import::iperf::summary;
pub(crate) use shaper::shaped_line;

/// Largest relative difference of the totals of runs at one cap.
const MAX_TOTALS_DIFFERENCE: f64 = 0.02;
/// Share of its rate below which a link carries less than it should.
const MAX_CAPPED_LINK_SHARE: f64 = 0.85;
/// Share of its rate that a link must carry in a twentieth of the time to have that rate.
const MIN_PEAK_LINK_SHARE: f64 = 0.95;
/// Smallest number of packets in a standing queue.
const MIN_STANDING_PACKETS: f64 = 3.0;
/// Loss share above which a connection does not wait for an interface.
const MAX_LOSSLESS_SHARE: f64 = 0.001;
/// Smallest ratio of the delivery rate to cwnd / SRTT of a window that fills a queue.
const MIN_QUEUE_DELIVERY_RATIO: f64 = 0.8;
/// Bounds for a slower Ethernet: the smallest ratio of the expected rate to its rate, the smallest number of points,
/// the largest relative distance from the median, and the smallest share of points within it.
const MIN_ETHERNET_RATIO: f64 = 2.0;
const MIN_POINTS: usize = 5;
const MAX_PORT_DIFFERENCE: f64 = 0.02;
const MIN_SAME_POINTS_SHARE: f64 = 0.8;
/// Largest relative distance of a delivery rate at a cap from its median.
const MAX_CAP_VARIATION: f64 = 0.1;

/// Largest number of listings compared with each other.
const MAX_COMPARED: usize = 100;

/// The rule.
pub const RULE: Rule = Rule {
    name: "rate-cap",
    title: "Limited by the link or a rate cap",
    needs: &[Need::LinkRate, Need::RoundTrips],
    model: "A shaper, a policer or a saturated link yields the same total whatever asks for it: congestion control, number \
            of connections and buffers change who gets it and how much is retransmitted, not how much there is.",
    source: "Flach et al., SIGCOMM 2016; two runs behind a cloud's rate cap (docs/examples.md)",
    thresholds: || {
        vec![
            (
                format!(
                    "two runs whose totals differ by less than {}, with retransmissions in every flow",
                    show::plain_share(MAX_TOTALS_DIFFERENCE)
                ),
                "then what differs between them is not the limit",
            ),
            (
                format!(
                    "or a delivery rate steady within {} while a queue stands, in a capture by the shortest RTT of \
                     each moment",
                    show::plain_share(MAX_CAP_VARIATION)
                ),
                "something drains at that rate, and never runs empty",
            ),
            (
                format!(
                    "or a rate that is within {} of what a slower Ethernet carries, steady within {}",
                    show::plain_share(1.0 - speed::FULL_ETHERNET_RATIO.start),
                    show::plain_share(MAX_PORT_DIFFERENCE)
                ),
                "a port that negotiated 100 Mbit/s on a line of 1 Gbit/s",
            ),
            (
                format!(
                    "or {} and more of the rate of a shaper that `tc qdisc` prints (tbf, cake)",
                    show::plain_share(shaper::MIN_SHAPER_PAYLOAD_SHARE)
                ),
                "headers and acknowledgments take the rest",
            ),
            (
                format!(
                    "of one run, a problem only below {} of the expected link rate",
                    show::plain_share(MAX_CAPPED_LINK_SHARE)
                ),
                "headers take 6 % of a full link; without an expected rate it is a note",
            ),
        ]
    },
    confidence: "high for two runs that agree, a shaper that is printed, or a standing queue at a steady rate in samples of an RTT; medium in coarser ones",
    confirm: &[
        "iperf3 -c HOST -P 10: the same total",
        "iperf3 -c HOST -u -b RATE: what arrives is the cap",
        "the provider's rate for the link or instance",
    ],
    alike: &[
        ("policer", "drops without a queue"),
        ("cpu-bound", "one CPU at 100 %"),
        ("receiver-window", "more connections add up to more"),
    ],
    explains: &["few-samples", "receiver-window"],
    remedies: remedies::line,
    assumed: 0.8,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let runs = of_runs(view);
    let ports = || view.flows.iter().find_map(|flow| of_port(flow, view));
    let one = || shaper::of_shaper(view).or_else(ports).or_else(|| of_flows(view));
    let mut found = if !runs.is_empty() { runs } else { one().into_iter().collect() };
    // A link that carries its rate is no problem.
    let is_full =
        |finding: &&mut Finding| Speed::of(view, finding.about.as_ref()).is_some_and(|speed| speed.slow == Some(false));
    found.iter_mut().filter(is_full).for_each(|finding| finding.severity = Severity::Note);
    found
}

/// Finds a pair of listings that agree in their totals though they differ in what was tried.
fn of_runs(view: &View) -> Vec<Finding> {
    let listings = &view.evidence.listings[..view.evidence.listings.len().min(MAX_COMPARED)];
    let pairs = listings.iter().enumerate().flat_map(|(n, a)| listings[n + 1..].iter().map(move |b| (a, b)));
    pairs.filter_map(|(a, b)| of_pair(a, b)).take(1).collect()
}

fn of_pair(a: &Printed, b: &Printed) -> Option<Finding> {
    let cap = summary::rate_cap(&a.listing, &b.listing)?;
    let [first, second] = cap.goodputs.map(|goodput| goodput.value);
    let apart = (first - second).abs() / first.max(second);
    if apart > MAX_TOTALS_DIFFERENCE {
        return None;
    }
    let again = [a, b].map(|printed| summary::retransmitted(&printed.listing).map(|again| again.share().value));
    let names = [a, b].map(|p| p.listing.congestion.clone().unwrap_or_else(|| p.place.to_string()));
    let says = format!(
        "Rate cap at {}: {} and {} get {} and {}, with retransmissions on every flow and equal shares. No difference in throughput.",
        rate(first.max(second)),
        names[0],
        names[1],
        rate(first),
        rate(second)
    );
    let mut finding = Finding::problem(RULE.name, Confidence::High, RULE.assumed, says)
        .at(format!("goodput with {}", names[0]), rate(first), &a.place)
        .at(format!("goodput with {}", names[1]), rate(second), &b.place);
    for ((printed, name), again) in [a, b].into_iter().zip(&names).zip(again) {
        if let Some(again) = again {
            finding = finding.at(format!("retransmitted with {name}"), share(again), &printed.place);
        }
    }
    for ((printed, name), jain) in [a, b].into_iter().zip(&names).zip(cap.jain) {
        finding = finding.at(format!("Jain's index with {name}"), show::number(jain.value), &printed.place);
    }
    finding = finding
        .doubt("One run of each: fewer retransmissions may be due to the congestion control or to the time of day.");
    if names.iter().any(|name| name == "dctcp") {
        finding = finding.doubt(
            "DCTCP without ECN halves its window like Reno, where CUBIC goes to 0.7: that alone means fewer retransmissions at a \
             cap. DCTCP as such was not measured (net.inet.tcp.ecn.enable = 2 does not request ECN).",
        );
    }
    Some(finding.sized(Sizes::default()))
}

/// Adds the retransmitted share, if a queue's drops alone rarely make it so large.
fn with_losses(finding: Finding, flow: &Flow) -> Finding {
    match flow.retransmitted().filter(|again| *again >= MIN_SUSPICIOUS_LOSS_SHARE) {
        Some(again) => finding.at("retransmitted", share(again), &flow.seen.place),
        None => finding,
    }
}

/// Finds a rate that matches an Ethernet slower than the link should be.
fn of_port(flow: &Flow, view: &View) -> Option<Finding> {
    let (line, total) = (flow.expected()?, flow.total?);
    let port = speed::ethernet(total, flow).filter(|port| MIN_ETHERNET_RATIO * port <= line.value)?;
    let steady = flow.seen.points.len() > MIN_POINTS
        && flow.steady(MAX_PORT_DIFFERENCE).is_some_and(|share| share >= MIN_SAME_POINTS_SHARE);
    let asked = view.group(flow).any(|flow| flow.seen.target.is_some());
    if asked || !steady || flow.is_limited() {
        return None;
    }
    let says = format!(
        "Rate cap at {}: that is what Ethernet at {} carries, where {} are expected. A port, a cable or a switch runs at that \
         rate.",
        rate(total),
        rate(port),
        rate(line.value)
    );
    let finding = Finding::problem(RULE.name, Confidence::Medium, 1.0 - total / line.value, says)
        .at("total goodput", rate(total), &flow.seen.place)
        .ask("ethtool DEVICE (FreeBSD: ifconfig) at both ends, and the ports of the switches between: their speed");
    Some(finding.of(flow).sized(Sizes::of(flow)))
}

/// Returns the connection that carried most, in its most detailed view, and its group's goodput, bit/s.
fn busiest<'v>(view: &'v View) -> Option<(&'v Flow<'v>, f64)> {
    let bytes = |flow: &Flow| flow.seen.bytes.unwrap_or(0.0);
    let most = view.flows.iter().max_by(|a, b| bytes(a).total_cmp(&bytes(b)))?;
    let is_same = |flow: &&Flow| most.seen.ends.is_some() && flow.seen.ends == most.seen.ends && flow.cwnd.is_some();
    let flow = view.flows.iter().filter(is_same).max_by_key(|flow| flow.seen.points.len()).unwrap_or(most);
    Some((flow, flow.total?))
}

/// Finds connections that together get a steady rate from a queue that stays filled.
fn of_flows(view: &View) -> Option<Finding> {
    let (flow, mean) = busiest(view)?;
    let group: Vec<_> = view.group(flow).collect();
    // Connections at different times leave the link partly unused, which lowers the mean.
    let level = || view.group_rates(flow).and_then(|rates| percentile(rates, 0.5));
    let total = level().filter(|_| group.len() > 1).map_or(mean, |level| level.max(mean));
    // A requested rate is not a cap.
    let asked: Option<f64> = group.iter().map(|flow| flow.seen.target).sum();
    if total <= 0.0 || asked.is_some_and(|asked| total >= 0.9 * asked) {
        return None;
    }
    let rates = flow.delivery_rates()?;
    let settled = &rates[rates.len() / 4..];
    let middle = percentile(settled.to_vec(), 0.5)?;
    let apart = settled.iter().filter(|r| (*r - middle).abs() > MAX_CAP_VARIATION * middle).count() as f64
        / settled.len() as f64;
    let [base, typical, _] = flow.queueing()?;
    let stands = flow.emptied().unwrap_or(typical);
    let queue = stands.min(typical) - base - flow.whole_window().unwrap_or(0.0);
    // The time to answer a few packets is no queue.
    let is_filled = queue > 0.05 * base && queue > 0.0005 && queue * total / 8.0 > MIN_STANDING_PACKETS * flow.mss;
    // The sender's own interface is the limit: cwnd and the receive window have room, and data waits (TCP small queues).
    let waits = flow.waiting().is_some_and(|w| w > 0.8) && flow.window_used().is_some_and(|used| used < 0.9);
    let waits = waits && flow.retransmitted().is_none_or(|again| again < MAX_LOSSLESS_SHARE);
    let waits = waits && flow.window_filled().is_none_or(|filled| filled < 0.5);
    // A constant window does not fill a queue any further: something else limits it.
    let held = flow.is_held() || flow.held_in_flight().is_some();
    if flow.is_limited() || held && !flow.is_bbr() && !waits {
        return None;
    }
    // A flow that fills a queue has its whole window in flight.
    let unused = !flow.is_bbr() && !waits && flow.window_used().is_some_and(|used| used < MIN_QUEUE_DELIVERY_RATIO);
    let steady = !unused && (group.len() > 1 || apart < 0.25);
    if !(is_filled || waits) || !steady {
        return None;
    }
    // The start lowers a short run's mean; the rate after it is the link's.
    let reached = if group.len() == 1 { total.max(middle) } else { total };
    let of_line = flow.expected().map(|line| reached / line.value);
    // A link that is full at times has its rate.
    let peak = view.group_rates(flow).and_then(|rates| percentile(rates, 0.95)).or(flow.peak);
    let fills = peak.is_some_and(|peak| flow.reaches(peak, MIN_PEAK_LINK_SHARE) == Some(true));
    let is_short = of_line.is_some_and(|share| share < MAX_CAPPED_LINK_SHARE) && !fills;
    let why = match is_filled {
        true => "a queue stands, so TCP uses all there is",
        false => "data wait for the sender's own interface, which takes no more",
    };
    let says = match of_line.zip(flow.expected()) {
        Some((part, line)) if is_short => {
            format!("Rate cap at {}, {} of the expected {}: {why}.", rate(reached), share(part), rate(line.value))
        }
        _ => format!("Limited by the link at {}: {why}.", rate(mean)),
    };
    let confidence = if flow.is_fine() { Confidence::High } else { Confidence::Medium };
    let mut finding = Finding::note(RULE.name, confidence, says).at("total goodput", rate(mean), &flow.seen.place);
    if total > mean {
        finding = finding.at("median of its rates over time", rate(total), &flow.seen.place);
    }
    if is_filled {
        finding = finding.at("median queueing delay", time(queue), &flow.seen.place);
    }
    finding = with_losses(finding, flow);
    if is_short {
        finding.severity = Severity::Problem;
        finding.cost = 1.0 - of_line.unwrap_or(1.0);
        finding = finding.of(flow).sized(Sizes::of(flow));
    }
    Some(finding)
}
