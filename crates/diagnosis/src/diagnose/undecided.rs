//! Summarizes the evidence if no limit was found: what it shows, what it rules out, and what remains.

use super::flow::Flow;
use super::losses::lossy;
use super::speed;
use super::view::View;
use base::model::{LEAST_INTERVALS, response};
use base::show::{self, share, time};
use base::stats::mean;
use base::units::Unit;
use evidence::{Point, Source};
use serde::Serialize;

/// Limits, grouped by what the evidence says about them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Undecided {
    /// Facts about the transfer, one clause each.
    pub told: Vec<String>,
    /// Observation with an unknown cause, and the test that decides.
    pub seen: Option<[String; 2]>,
    /// Limits that are ruled out.
    pub ruled_out: Vec<&'static str>,
    /// Limits that remain possible.
    pub left: Vec<&'static str>,
    /// Whether the course of the transfer is known, so that `goodput prove` can search for mechanisms that reproduce
    /// it.
    #[serde(skip)]
    pub can_be_proved: bool,
}

/// Share of the time below which a limit does not count.
const MIN_BINDING_SHARE: f64 = 0.05;

/// Longest silence that a single timeout explains, seconds, and the smallest number of points without data.
const MAX_TIMEOUT_S: f64 = 3.0;
const MIN_HALTED_POINTS: usize = 3;

/// Number of segments below which cwnd follows a timeout (RFC 5681, 3.1).
const TIMEOUT_CWND_SEGMENTS: f64 = 1.5;

/// Retransmitted share that is worth a remark: Reno's cwnd is then below 12 segments.
const MIN_NOTABLE_LOSS_SHARE: f64 = 0.01;

/// A limit, and whether it may apply; `None` if unknown.
type Limit = (&'static str, fn(&Flow) -> Option<bool>);

const LOSS_LIMIT: &str = "loss";

const LIMITS: &[Limit] = &[
    (LOSS_LIMIT, |flow| Some(flow.seen.retransmitted? > 0.0 || timed_out(flow))),
    ("ECN marks", |flow| Some(flow.seen.marked? > 0.0)),
    ("a standing queue", |flow| Some(flow.is_raised(0.0)? || flow.is_queue_of_window())),
    ("the receive window", |flow| {
        let counted = flow.seen.limits.map(|limits| limits.rwnd > MIN_BINDING_SHARE);
        counted.or_else(|| Some(flow.seen.goodput? * flow.base()? / 8.0 > 0.5 * flow.seen.window?.largest))
    }),
    ("the send buffer", |flow| Some(flow.seen.limits?.sndbuf > MIN_BINDING_SHARE)),
    // On a single screen, shares refer to the busy time.
    ("the application", |flow| {
        Some(flow.seen.limits.filter(|_| flow.seen.screen.is_none())?.busy < 1.0 - MIN_BINDING_SHARE)
    }),
    ("the CPU", |flow| {
        let used = flow.seen.processors.into_iter().flatten().reduce(f64::max)?;
        Some(used > 0.8)
    }),
    ("the path MTU", |flow| Some(flow.seen.bytes? < 100.0 * flow.mss || flow.longest_silence()? > 1.5)),
];

impl Undecided {
    /// Summarizes the slow one of several runs, else the connection that carried most.
    pub fn from_view(view: &View) -> Option<Undecided> {
        let most = || view.flows.iter().chain(&view.sums).max_by(|a, b| a.offered().total_cmp(&b.offered()));
        let most = speed::slowest(view).or_else(most)?;
        let lost = seen(view, most).or_else(|| loss_on_other_connection(view, most));
        let marks = marked(most);
        // A reported observation is not listed as open.
        let limits = LIMITS.iter().filter(|(name, _)| lost.is_none() || *name != LOSS_LIMIT);
        let mut all = Undecided {
            told: measurements(most),
            can_be_proved: can_be_proved(most),
            seen: stands(most).or(lost.clone()).or(marks).or_else(|| loses(most)).or_else(|| queues(most)),
            ..Undecided::default()
        };
        for (name, may_bind) in limits {
            match may_bind(most) {
                Some(false) => all.ruled_out.push(name),
                _ => all.left.push(name),
            }
        }
        Some(all)
    }
}

fn can_be_proved(flow: &Flow) -> bool {
    let intervals = flow.seen.points.iter().filter(|point| point.bytes.is_some()).count();
    intervals >= LEAST_INTERVALS && flow.seen.source != Source::Laboratory
}

/// Describes retransmissions, the range of cwnd, the rate that cwnd allows, and counted limits.
fn measurements(flow: &Flow) -> Vec<String> {
    let again = || {
        let segments = flow.segments?;
        let again = flow.seen.retransmitted?;
        let part = flow.retransmitted()?;
        Some(match again {
            0.0 => format!("nothing of {} segments was sent again", show::count(segments)),
            // The share is of all segments sent, the repeated ones included.
            _ => {
                format!("{} of {} segments sent again ({})", show::count(again), show::count(again / part), share(part))
            }
        })
    };
    let windows = || {
        let windows = flow.seen.points.iter().filter_map(|point| point.cwnd).filter(|cwnd| *cwnd > 0.0);
        let [least, most] = windows.fold([f64::INFINITY, 0.0_f64], |[a, b], cwnd| [a.min(cwnd), b.max(cwnd)]);
        (most > 0.0).then(|| format!("cwnd {}", show::range(Unit::Bytes, least, most)))
    };
    let allowed = || {
        let (cwnd, rtt, goodput) = (flow.cwnd?, flow.base()?, flow.seen.goodput?);
        let allowed = flow.allowed_by(cwnd)?;
        Some(format!(
            "the mean cwnd over the RTT of {} allows {}, measured {}",
            time(rtt),
            show::rate(allowed),
            show::rate(goodput)
        ))
    };
    let limits = || {
        let limits = flow.seen.limits?;
        Some(format!(
            "limited by the receive window {} of the time, by the send buffer {}",
            share(limits.rwnd),
            share(limits.sndbuf)
        ))
    };
    [again(), windows(), allowed(), limits()].into_iter().flatten().collect()
}

/// Returns the points without any arrival.
fn silent<'f>(flow: &'f Flow) -> impl Iterator<Item = &'f Point> {
    flow.seen.points.iter().filter(|point| point.bytes == Some(0.0))
}

/// Whether cwnd falls to what a timeout leaves while nothing arrives.
fn timed_out(flow: &Flow) -> bool {
    silent(flow).filter_map(|point| point.cwnd).any(|cwnd| cwnd < TIMEOUT_CWND_SEGMENTS * flow.mss)
}

/// Reports a connection that halts without retransmitting; an RTO would retransmit within seconds (RFC 6298, 5.5).
fn stands(flow: &Flow) -> Option<[String; 2]> {
    let silence = flow.longest_silence().filter(|silence| *silence > MAX_TIMEOUT_S)?;
    let again: f64 = silent(flow).map(|point| point.retransmitted).sum::<Option<f64>>()?;
    if timed_out(flow) {
        let seen = format!(
            "Nothing arrives for {}, and cwnd is one segment: the retransmission timer has run out (RFC 5681, 3.1), \
             so data was lost, and its retransmissions too.",
            time(silence)
        );
        return Some([
            seen,
            "ping -M do -s 1472 HOST and -s 56 meanwhile: whether anything passes, or only large packets are lost"
                .into(),
        ]);
    }
    let seen = format!(
        "Nothing arrives for {} and nothing is sent again meanwhile. A lost segment would be sent again, so the sender has \
         nothing to send, or no window to send it in.",
        time(silence)
    );
    let test = "ss -tinm dst HOST at the sender during the stall: no snd_wnd means a closed receive window, an empty \
                Send-Q a waiting application, unacked data a path that is down";
    (again == 0.0 && silent(flow).count() >= MIN_HALTED_POINTS).then(|| [seen, test.into()])
}

/// Bounds for constant losses: the smallest share and number of points with losses, and the largest ratio of cwnd to
/// what random losses of that share leave Reno on any path (Mathis et al., 1997).
const MIN_LOSSY_POINTS_SHARE: f64 = 0.8;
const MIN_POINTS: usize = 5;
const MAX_RENO_WINDOW_RATIO: f64 = 3.0;

/// Reports a connection that loses packets all the time, with a cwnd as small as those losses make it.
fn loses(flow: &Flow) -> Option<[String; 2]> {
    let points = flow.seen.points.get(1..).filter(|points| points.len() >= MIN_POINTS)?;
    let (share_lost, cwnd) = (flow.retransmitted()?, flow.cwnd?);
    let leaves = flow.mss * response::reno_window(share_lost);
    let seen = format!(
        "Segments are retransmitted in {} of {} intervals, {} of all, and the mean cwnd is {}: at that random loss \
         rate Reno would have {}, whatever the path.",
        points.iter().filter(|point| point.retransmitted > Some(0.0)).count(),
        points.len(),
        share(share_lost),
        show::bytes(cwnd),
        show::bytes(leaves)
    );
    let often =
        lossy(points) >= MIN_LOSSY_POINTS_SHARE && cwnd <= MAX_RENO_WINDOW_RATIO * leaves && flow.connections == 1;
    often.then(|| [seen, ASK_PARALLEL.into()])
}

/// Test that distinguishes random losses of one connection from a rate limit.
const ASK_PARALLEL: &str = "repeat with -P 8: with random loss eight connections carry eight times as much; behind a \
                            rate cap or a policer, no more than one does";

/// The same test for several connections.
const ASK_SINGLE: &str = "repeat with -P 1: with random loss one connection gets its share alone; behind a rate cap \
                          or a policer, nearly the whole sum";

/// Reports packets with a queue's mark, if there are many.
fn marked(flow: &Flow) -> Option<[String; 2]> {
    // For a scalable sender two marks per round trip are the steady state.
    let scalable = flow.answers_marks().is_some_and(|sender| sender.is_scalable());
    let part = flow.seen.marked.filter(|part| *part >= MIN_NOTABLE_LOSS_SHARE && !scalable)?;
    let seen = format!(
        "{} of the delivered packets carry a CE mark (ECN): a queue asks the sender to slow down.",
        share(part)
    );
    let test = "tc -s qdisc on both hosts and the routers between shows which of them marks (ecn_mark, marked); ping \
                HOST during the transfer: a standing queue raises the RTT";
    Some([seen, test.into()])
}

/// Smallest growth ratio of cwnd from the first third of the later points to the last, and the largest relative change
/// of the rate meanwhile, with which cwnd does not limit.
const MIN_CWND_GROWTH: f64 = 1.3;
const MAX_RATE_CHANGE: f64 = 0.1;

/// Reports a cwnd that grows without more goodput: the additional data waits in a queue.
fn queues(flow: &Flow) -> Option<[String; 2]> {
    let points = flow.seen.points.get(2..).filter(|points| points.len() >= MIN_POINTS && !flow.is_bbr())?;
    let third = points.len() / 3;
    let parts = [&points[..third + 1], &points[points.len() - third - 1..]];
    let cwnds = parts.map(|part| mean(&part.iter().filter_map(|point| point.cwnd).collect::<Vec<_>>()));
    let rates = parts.map(|part| {
        let bytes: f64 = part[1..].iter().filter_map(|point| point.bytes).sum();
        8.0 * bytes / (part[part.len() - 1].time - part[0].time)
    });
    let same = (rates[1] / rates[0] - 1.0).abs() < MAX_RATE_CHANGE;
    let seen = format!(
        "The rate stays at {} while cwnd grows from {} to {}: the path carries no more, and the rest waits in a queue. No window and \
         no loss limits.",
        show::rate(rates[1]),
        show::bytes(cwnds[0]),
        show::bytes(cwnds[1])
    );
    let test = "ping HOST during the transfer: the RTT rises with cwnd. Pass the expected rate as --rate to learn \
                whether this is slow";
    (same && cwnds[1] > MIN_CWND_GROWTH * cwnds[0]).then(|| [seen, test.into()])
}

/// Smallest number of segments for a loss share.
const MIN_SEGMENTS: f64 = 1000.0;

/// Reports retransmissions of another connection on a screen, the one with the largest share.
fn loss_on_other_connection(view: &View, most: &Flow) -> Option<[String; 2]> {
    let part =
        |flow: &&Flow| Some(flow.seen.retransmitted? / flow.seen.segments_sent.filter(|sent| *sent >= MIN_SEGMENTS)?);
    let others = view.flows.iter().filter(|flow| flow.seen.screen.is_some() && flow.seen.place != most.seen.place);
    let (flow, part) = others.filter_map(|flow| Some((flow, part(&flow)?))).max_by(|a, b| a.1.total_cmp(&b.1))?;
    let name = &flow.seen.name;
    let seen = format!(
        "{} of the segments of {name} ({}) are sent again: something drops them.",
        share(part),
        flow.seen.place
    );
    (part >= MIN_NOTABLE_LOSS_SHARE).then(|| [seen, ASK_PARALLEL.into()])
}

/// Reports retransmissions of a connection's group, if there are many.
fn seen(view: &View, flow: &Flow) -> Option<[String; 2]> {
    let members: Vec<&Flow> = view.group(flow).collect();
    let of = if members.is_empty() { vec![flow] } else { members.clone() };
    let sum = |count: fn(&Flow) -> Option<f64>| of.iter().map(|flow| count(flow)).sum::<Option<f64>>();
    let sent = |flow: &Flow| flow.seen.segments_sent.or(Some(flow.segments? + flow.seen.retransmitted?));
    let part = sum(|flow| flow.seen.retransmitted)? / sum(sent)?;
    let (on, test) = match members.len() {
        1 => (String::new(), ASK_PARALLEL),
        0 => (" on all connections".into(), ASK_SINGLE),
        n => (format!(" on {n} connections"), ASK_SINGLE),
    };
    (part >= MIN_NOTABLE_LOSS_SHARE)
        .then(|| [format!("{} of the segments are sent again{on}: something drops them.", share(part)), test.into()])
}
