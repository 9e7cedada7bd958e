use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use crate::model::FULL_LINK_SHARE;
use crate::model::response;
use crate::show::{number, rate, share};
use evidence::Point;

/// Fewer marks than this leave a window that fills most lines.
const MARKS: f64 = 0.001;
/// Losses that are this share of the marks are what holds it.
const LOSSES: f64 = 0.25;
/// A window of no more than this many times what the marks leave.
const TIMES: f64 = 8.0;

/// Falls of cwnd that are no accident, and by how much each.
const SEVERAL: usize = 2;
const LESS: f64 = 0.1;
/// Of a window that binds so much is used.
const USED: f64 = 0.7;
/// Congestion controls that lower cwnd for a loss or a mark, and for nothing else.
const BY_LOSS: [&str; 5] = ["cubic", "reno", "newreno", "htcp", "dctcp"];

/// See its row.
pub const RULE: Rule = Rule {
    name: "ecn-marks",
    title: "ECN marks hold cwnd down",
    needs: &[Need::LinkRate, Need::Retransmissions, Need::Window],
    model: "A sender that negotiated ECN backs off for each round trip with a CE mark as it does for a loss, and sends nothing \
            again. A queue that marks before it holds what the control needs leaves the line idle: 1.2/sqrt(p) segments for a \
            share p of marks.",
    source: "RFC 3168, 6.1.2; RFC 9438, 5.1; delivered_ce of ss",
    thresholds: &[
        (
            "0.1 % of the segments marked, and fewer than a quarter as many sent again",
            "then marks back it off, not losses",
        ),
        (
            "a cwnd of no more than eight times 1.2/sqrt(p) segments",
            "marks of one round trip count once, so that more than this is left",
        ),
        (
            "or, where marks are not printed or leave more than that, cwnd falls by a tenth and a segment at two points; 70 % of it is used, no queue stands, and nothing is sent again",
            "a loss is sent again; nothing else lowers the cwnd of Reno and CUBIC that is used",
        ),
        ("below 90 % of the link rate, and no window or buffer that binds", "a full line is marked as well"),
    ],
    confidence: "high: the marks and the window were counted; medium where the window falls, whatever they leave",
    confirm: &[
        "nstat -az TcpExtTCPDeliveredCE",
        "sysctl -w net.ipv4.tcp_ecn=0 at one end: the same transfer without marks",
    ],
    alike: &[("bufferbloat", "the RTT rises: the queue marks late"), ("loss-response", "there are retransmissions")],
    explains: &["loss-response", "slow-start-exit", "short-flows"],
    remedies: remedies::marks,
    assumed: 0.6,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    view.flows.iter().filter_map(|flow| counted(flow).or_else(|| unlost(flow))).collect()
}

/// Where marks are not printed, or come many at a time: a window that is used falls, and nothing is sent again.
fn unlost(flow: &Flow) -> Option<Finding> {
    let marked = flow.seen.marked.filter(|marked| *marked >= MARKS);
    let may_be_marked = flow.seen.marked == marked && flow.seen.ecn != Some(false);
    let lossless = flow.seen.retransmitted == Some(0.0) && flow.tells_losses();
    let by_loss = flow.control.as_ref().is_none_or(|control| BY_LOSS.contains(&control.name.as_str()));
    if !may_be_marked || !lossless || !by_loss || flow.is_limited() {
        return None;
    }
    let falls = falls(flow).filter(|falls| *falls >= SEVERAL)?;
    let used = flow.window_used().or_else(|| Some(flow.base()? / flow.loaded()?))?;
    let own = flow.own_burst()?;
    let line = flow.expected().filter(|_| flow.fills(FULL_LINK_SHARE) == Some(false))?;
    if used < USED || flow.is_raised(own) == Some(true) {
        return None;
    }
    let (goodput, window) = (flow.seen.goodput?, flow.cwnd? / flow.mss);
    let says = format!(
        "ECN marks hold cwnd down, by all that shows: it falls at {falls} points, nothing is sent again, and all of it is used: {} segments on the mean, {} of {}.",
        number(window),
        rate(goodput),
        rate(line.value)
    );
    let mut finding = Finding::problem(RULE.name, Confidence::Medium, 1.0 - goodput / line.value, says)
        .at("points at which cwnd falls", falls.to_string(), &flow.seen.place)
        .at("retransmitted segments", "0", &flow.seen.place)
        .figure("of cwnd used", share(used), "goodput × RTT over cwnd");
    finding = match marked {
        Some(marked) => finding.at("segments with a CE mark", share(marked), &flow.seen.place),
        None => finding
            .doubt("The marks are not counted here. A queue of the sender's own that drops lowers cwnd as silently.")
            .ask("ss -tinm dst HOST at the sender (ecnseen, delivered_ce); tc -s qdisc there"),
    };
    Some(finding.of(flow).sized(Sizes::of(flow)))
}

/// Points at which cwnd is smaller by a tenth, and by a segment, than at the one before.
fn falls(flow: &Flow) -> Option<usize> {
    let points = flow.seen.points.get(1..)?;
    let fall = |pair: &&[Point]| {
        pair[0]
            .cwnd
            .zip(pair[1].cwnd)
            .is_some_and(|(before, after)| before - after > (LESS * before).max(0.9 * flow.mss))
    };
    Some(points.windows(2).filter(fall).count())
}

fn counted(flow: &Flow) -> Option<Finding> {
    let marked = flow.seen.marked.filter(|marked| *marked >= MARKS)?;
    let lost = flow.retransmitted()?;
    let window = flow.median(|point| point.cwnd).or(flow.median(|point| point.in_flight))? / flow.mss;
    let left = response::reno_window(marked);
    if lost > LOSSES * marked || window > TIMES * left || flow.is_limited() || flow.is_bbr() || flow.has_queue() {
        return None;
    }
    let line = flow.expected().filter(|_| flow.fills(FULL_LINK_SHARE) == Some(false))?;
    let goodput = flow.seen.goodput?;
    let says = format!(
        "ECN marks hold cwnd down: {} of the segments carry a mark, {} are sent again, and cwnd stays at {} segments: {} of {}.",
        share(marked),
        share(lost),
        number(window),
        rate(goodput),
        rate(line.value)
    );
    let finding = Finding::problem(RULE.name, Confidence::High, 1.0 - goodput / line.value, says)
        .at("segments with a CE mark", share(marked), &flow.seen.place)
        .at("median cwnd, or what is in flight", format!("{} segments", number(window)), &flow.seen.place)
        .figure("cwnd that so many marks leave Reno", format!("{} segments", number(left)), "response function");
    Some(finding.of(flow).sized(Sizes::of(flow)))
}
