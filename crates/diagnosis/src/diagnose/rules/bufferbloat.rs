use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding, Severity};
use crate::diagnose::flow::Flow;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use base::show::{self, bytes, rate, time};
use evidence::{Point, Source};

/// Smallest queueing delay that disturbs a call, seconds (ITU-T G.114: 150 ms one way in total).
const MIN_NOTICED_DELAY_S: f64 = 0.04;
/// Queue above which a buffer is useless, in round trips: a loss-based control needs up to one.
const MIN_EXCESS_RTTS: f64 = 1.4;
/// Mean queue from which it is a problem and not a note, in round trips. A loss-based control fills a queue of three
/// to 2.4 on average and 2.7 in ten seconds, one of four to 3.2.
const MIN_PROBLEM_RTTS: f64 = 2.8;
/// Share of the link rate below which the connection has no queue of its own at the link.
const NO_QUEUE_LINK_SHARE: f64 = 0.7;
/// Share of its rate from which a link is full.
const NEARLY_FULL_LINK_SHARE: f64 = 0.85;
/// Growth ratio of cwnd within three points that shows that cwnd is in use.
const MIN_CWND_GROWTH: f64 = 1.1;

/// The rule.
pub const RULE: Rule = Rule {
    name: "bufferbloat",
    title: "Standing queue at the bottleneck",
    needs: &[Need::RoundTrips],
    model: "A loss-based congestion control fills any buffer. Beyond one BDP, buffer adds delay and no goodput, and \
            everything else on the path waits in the same queue.",
    source: "Gettys and Nichols, CACM 55(1), 2012; RFC 7567; RFC 8289",
    thresholds: || {
        vec![
            (
                format!("the median RTT is {} or more above the base RTT", show::plain_time(MIN_NOTICED_DELAY_S)),
                "less than that disturbs nobody",
            ),
            (
                format!("and the queue adds {} times the base RTT", MIN_EXCESS_RTTS),
                "Reno needs one BDP of buffer, and no more",
            ),
            (
                format!("a problem from {} times the base RTT on, before that a note", MIN_PROBLEM_RTTS),
                "CUBIC leaves a queue of three round trips 2.4 deep on the mean, one of four 3.2; one BDP of buffer \
                 on a long path is no fault",
            ),
            (
                format!(
                    "without RTTs: cwnd over goodput, on a link that is {} full, where cwnd grows by {} within three \
                     points while the rate stays",
                    show::plain_share(NEARLY_FULL_LINK_SHARE),
                    show::plain_share(MIN_CWND_GROWTH - 1.0)
                ),
                "Linux grows cwnd only while all of it is in flight, and what the link does not carry waits",
            ),
        ]
    },
    confidence: "high: both are the connection's own RTTs, or those that a speed test measures before and beside it; medium if the RTT under load is cwnd over goodput, or from one screen of ss",
    confirm: &["ping HOST with and without the transfer running"],
    alike: &[
        ("receiver-not-reading", "delays the application, not a ping"),
        ("timeouts", "isolated RTT spikes, not a sustained rise"),
    ],
    explains: &["loss-response", "shallow-buffer", "slow-start-exit", "timeouts", "rate-cap", "policer"],
    remedies: remedies::queue,
    assumed: 0.0,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    // Only the connections that fill a shared queue count.
    let fills = |flow: &&Flow| {
        let most = view.group(flow).filter_map(|other| other.seen.bytes).fold(0.0, f64::max);
        flow.seen.bytes.is_none_or(|bytes| bytes >= 0.1 * most)
    };
    let own = view.flows.iter().filter(fills).filter_map(|flow| find_in_flow(flow).or_else(|| grown(flow)));
    own.chain(view.sums.iter().filter_map(beside_test)).collect()
}

/// Finds a queue by the RTTs that a speed test measures before and beside its transfers.
fn beside_test(flow: &Flow) -> Option<Finding> {
    let last = flow.seen.points.last().filter(|_| flow.seen.source == Source::Speedtest)?;
    let (base, loaded) = (flow.seen.rtt_base?, last.srtt?);
    let added = loaded - base;
    if added < MIN_NOTICED_DELAY_S || added < MIN_EXCESS_RTTS * base {
        return None;
    }
    let goodput = flow.seen.goodput?;
    let says = format!(
        "Bufferbloat: beside {} at {} the RTT rises from {} to {}: a queue of {} stands.",
        flow.seen.name,
        rate(goodput),
        time(base),
        time(loaded),
        time(added)
    );
    let finding = Finding::problem(RULE.name, Confidence::High, added / loaded, says)
        .at("base RTT", time(base), &flow.seen.place)
        .at("RTT under load", time(loaded), &flow.seen.place)
        .figure("queued, about", bytes(added * goodput / 8.0), "RTT rise × goodput of all connections");
    Some(graded(finding, added, base).about_flow(flow).sized(Sizes::for_flow(flow)))
}

/// Infers a queue without RTTs: if cwnd grows on a full link and the rate does not, the queue grows. The RTT is cwnd
/// over goodput.
fn grown(flow: &Flow) -> Option<Finding> {
    let full = flow.expected().is_some() && flow.fills(NEARLY_FULL_LINK_SHARE) == Some(true);
    let told = flow.queueing().is_some() || flow.is_bbr();
    let grows = |points: &[Point]| {
        let lossless = points.iter().all(|point| point.retransmitted == Some(0.0));
        let [first, .., last] = points else { return false };
        lossless && first.cwnd.zip(last.cwnd).is_some_and(|(first, last)| last > MIN_CWND_GROWTH * first)
    };
    if !full || told || !flow.seen.points[flow.settled..].windows(3).any(grows) {
        return None;
    }
    let (base, loaded) = (flow.base()?, flow.loaded()?);
    let added = loaded - base;
    if added < MIN_NOTICED_DELAY_S || added < MIN_EXCESS_RTTS * base {
        return None;
    }
    let says = format!(
        "Bufferbloat: cwnd grows while the rate stays at {}, so a queue does: the RTT rises from {} to about {}.",
        rate(flow.seen.goodput?),
        time(base),
        time(loaded)
    );
    let finding = Finding::problem(RULE.name, Confidence::Medium, added / loaded, says)
        .at("mean cwnd", bytes(flow.cwnd?), &flow.seen.place)
        .figure("RTT under load, about", time(loaded), "cwnd / goodput")
        .figure("base RTT", time(base), flow.rtt.as_ref().map_or(String::new(), |rtt| rtt.from.to_string()))
        .ask("ping HOST with and without the transfer running");
    Some(graded(finding, added, base).about_flow(flow).sized(Sizes::for_flow(flow)))
}

/// Downgrades a queue that is deeper than necessary, but not very deep, to a note.
fn graded(mut finding: Finding, added: f64, base: f64) -> Finding {
    if added < MIN_PROBLEM_RTTS * base {
        finding.severity = Severity::Note;
    }
    finding
}

/// Returns the least RTT and the SRTT if a single screen of `ss` shows the connection.
fn at_a_glance(flow: &Flow) -> Option<[f64; 2]> {
    flow.seen.screen?;
    let [point] = &flow.seen.points[..] else { return None };
    Some([flow.seen.rtt_min?.min(flow.base()?), point.srtt?])
}

fn find_in_flow(flow: &Flow) -> Option<Finding> {
    let glance = at_a_glance(flow);
    let [base, middle, high] = flow.queueing().or(glance.map(|[base, smoothed]| [base, smoothed, smoothed]))?;
    // The delay of ACKs is in another's queue.
    let added = middle - base - flow.seen.queued_back.unwrap_or(0.0);
    if added < MIN_NOTICED_DELAY_S || added < MIN_EXCESS_RTTS * base {
        return None;
    }
    let says = format!(
        "Bufferbloat: a standing queue of {} raises the RTT from {} to {} at {}.",
        time(added),
        time(base),
        time(middle),
        rate(flow.total?)
    );
    let confidence = if glance.is_some() { Confidence::Medium } else { Confidence::High };
    let finding = Finding::problem(RULE.name, confidence, added / middle, says);
    let finding = finding.at("base RTT", time(base), &flow.seen.place);
    let mut finding = match glance {
        None => finding.at("median RTT", time(middle), &flow.seen.place).at(
            "95th percentile RTT",
            time(high),
            &flow.seen.place,
        ),
        Some(_) => finding
            .at("SRTT", time(middle), &flow.seen.place)
            .doubt("It is a single screen: the queue may have been a moment's.")
            .ask("ss -tin dst HOST every second for ten seconds: whether the RTT stays"),
    };
    finding = graded(finding, added, base);
    if let Some(total) = flow.total {
        finding = finding.figure("queued, about", bytes(added * total / 8.0), "RTT rise × goodput of all connections");
    }
    // On a link with spare capacity the queue is another's, or at an unknown slower link: a shaper at this link's rate
    // would not help.
    if let Some(line) = flow.expected().filter(|_| flow.fills(NO_QUEUE_LINK_SHARE) == Some(false)) {
        finding.confidence = Confidence::Medium;
        let carries = rate(line.value);
        finding.says += &format!(
            " The link should carry {carries}: a slower link is on the path, or ACKs are queued on the way back."
        );
        let between = rate((flow.seen.goodput? + line.value) / 2.0).replace(' ', "").replace("bit/s", "");
        let finding = finding
            .ask(format!("iperf3 -c HOST -u -b {between}: if it all arrives, the queue is on the way back"))
            .ask("ping HOST without the transfer: if the RTT is as long, other traffic fills the queue");
        return Some(finding.about_flow(flow).with_remedies(remedies::cross_traffic(&Sizes::for_flow(flow))));
    }
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow)))
}
