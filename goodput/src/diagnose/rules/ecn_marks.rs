use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::marks::Marked;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use crate::model::FULL_LINK_SHARE;
use crate::model::response;
use crate::show::{number, rate, rounded, share, time};
use evidence::ecn::Feedback;
use evidence::{Point, Seen};

/// Fewer marks than this leave a window that fills most lines, 120 segments of a classic sender.
const MARKS: f64 = 0.0001;
/// Of fewer marks their share is hardly known.
const MIN_MARKS: f64 = 3.0;
/// Losses that are this share of the marks are what holds it.
const LOSSES: f64 = 0.25;
/// A window of no more than this many times what the marks leave, and no less than this.
const TIMES: f64 = 8.0;
const LEAST: f64 = 0.5;

/// A queue that stands so long is that of CoDel at its target (RFC 8289, 4.4), or of PIE at three times that; L4S marks at 1 ms
/// (RFC 9332, A.1), seconds.
const CLASSIC_TARGET_S: f64 = 0.005;

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
    model: "A classic sender (Reno, CUBIC) backs off for each round trip with a CE mark as it does for a loss, to 0.5 or 0.7 of \
            cwnd (0.8 and 0.85 with ABE), and sends nothing again. A scalable one (DCTCP, Prague) backs off by half the share \
            marked. A queue that marks before it holds what the control needs leaves the line idle: a share p of marks leaves \
            a classic sender 1.2/sqrt(p) segments, a scalable one 2/p, two marks a round trip, of which Prague counts those in \
            25 ms if round trips are shorter. The congestion control tells which it is, else ECT(1) in its packets. Marks that \
            hold nothing down are a note.",
    source: "RFC 3168, 6.1.2; RFC 8511; RFC 9438, 5.1; RFC 9331, 4.3; De Schepper et al., PI2, CoNEXT 2016; delivered_ce of ss; CWR and \
             ACE in captures",
    thresholds: &[
        (
            "0.01 % of the segments marked, three at the least, and fewer than a quarter as many sent again",
            "then marks back it off, not losses",
        ),
        (
            "a cwnd from half to eight times 1.2/sqrt(p) or 2/p segments",
            "marks of one round trip count once, or come in few of them, so that more than this is left; if cwnd is much smaller, \
             something else holds it down",
        ),
        (
            "or, where marks are not printed or leave more than that, cwnd falls by a tenth and a segment at two points; 70 % of it is used, no queue stands, and nothing is sent again",
            "a loss is sent again; nothing else lowers the cwnd of Reno and CUBIC that is used",
        ),
        ("below 90 % of the link rate, and no window or buffer that binds", "a full line is marked as well"),
        ("a scalable sender's queue of 5 ms", "CoDel's target: L4S marks at 1 ms, so this queue is a classic AQM's"),
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
    view.flows
        .iter()
        .filter_map(|flow| counted(flow).or_else(|| unlost(flow)).or_else(|| harmless(view, flow)))
        .collect()
}

/// The share of marks, if they are so many that it is known.
fn marked(flow: &Flow) -> Option<f64> {
    let known = |marked: f64| flow.segments.is_none_or(|segments| marked * segments >= MIN_MARKS);
    flow.seen.marked.filter(|marked| *marked >= MARKS && known(*marked))
}

/// Where marks are not printed, or come many at a time: a window that is used falls, and nothing is sent again.
fn unlost(flow: &Flow) -> Option<Finding> {
    let marked = marked(flow);
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
        "ECN marks hold cwnd down, by all that shows: it falls at {falls} points, nothing is sent again, and all of it is used: {} segments on the mean, {} of {}. {}",
        number(window),
        rate(goodput),
        rate(line.value),
        flow.answers_marks().unwrap_or_else(Marked::unknown).meaning()
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
    let marked = marked(flow)?;
    let lost = flow.retransmitted()?;
    let window = flow.median(|point| point.cwnd).or(flow.median(|point| point.in_flight))? / flow.mss;
    let sender = flow.answers_marks().unwrap_or_else(Marked::unknown);
    // Reductions are what a classic sender's marks come to; else all marks are the most that they can be.
    let fell = flow.reductions().filter(|_| !sender.is_scalable());
    let left = sender.window(fell.unwrap_or(marked), flow.base());
    let by_marks = (LEAST * left..=TIMES * left).contains(&window) && lost <= LOSSES * marked;
    if !by_marks || flow.is_limited() || flow.is_bbr() || flow.has_queue() {
        return None;
    }
    let line = flow.expected().filter(|_| flow.fills(FULL_LINK_SHARE) == Some(false))?;
    let goodput = flow.seen.goodput?;
    let says = format!(
        "ECN marks hold cwnd down: {}, {} are sent again, and cwnd stays at {} segments: {} of {}. {}",
        carry(flow, marked),
        share(lost),
        number(window),
        rate(goodput),
        rate(line.value),
        sender.meaning()
    );
    let of = match (sender.is_scalable(), fell) {
        (true, _) => "so many marks leave it, at the least",
        (false, Some(_)) => "so many reductions leave Reno",
        (false, None) => "so many marks leave Reno, at the least",
    };
    let mut finding = Finding::problem(RULE.name, Confidence::High, 1.0 - goodput / line.value, says)
        .at("segments with a CE mark", share(marked), &flow.seen.place)
        .at("median cwnd, or what is in flight", format!("{} segments", number(window)), &flow.seen.place)
        .figure(format!("cwnd that {of}"), format!("{} segments", number(left)), "response function")
        .figure(format!("{} sender", sender.kind()), sender.name(), &sender.from);
    if let Some(fell) = fell {
        finding = finding.at("segments with CWR: cwnd fell", share(fell), &flow.seen.place);
    }
    Some(finding.of(flow).sized(Sizes::of(flow)))
}

/// How many marks there are, as far as is known: classic feedback repeats each until CWR answers it, and the sender counts what
/// is delivered meanwhile.
fn carry(flow: &Flow, marked: f64) -> String {
    let ecn =
        flow.seen.ecn_detail.filter(|ecn| ecn.agreed == Some(Feedback::Classic) && flow.seen.seen != Seen::Receiver);
    match ecn.map(|ecn| ecn.cwr) {
        None => format!("{} of the segments carry a mark", share(marked)),
        Some(Some(fell)) if fell > 0 => {
            format!("{} of the segments are acknowledged with ECE, and cwnd fell for it {fell} times", share(marked))
        }
        Some(_) => format!("{} of the segments are acknowledged with ECE", share(marked)),
    }
}

/// Marks that hold nothing down: what they do to the sender.
fn harmless(view: &View, flow: &Flow) -> Option<Finding> {
    let marked = marked(flow)?;
    let sender = flow.answers_marks()?;
    let rtt = flow.queueing().map(|[_, middle, _]| middle).or(flow.base());
    let per_round = flow.marks_per_round_trip(marked).filter(|_| sender.is_scalable());
    let carry = match per_round {
        Some(marks) => format!("{}, {} a round trip.", carry(flow, marked), number(marks)),
        None => format!("{}.", carry(flow, marked)),
    };
    let steady = sender.steady(rtt);
    let means = match steady {
        Some(steady) => format!("Its steady state has {} a round trip or more: no sign of trouble.", rounded(steady)),
        None => "The queue slows it down without losing packets.".into(),
    };
    let shared = classic_queue(flow, &sender, view);
    let rest = shared.as_ref().map_or(means, |(_, says)| says.clone());
    let says = format!("{carry} {} {rest}", sender.meaning());
    let mut finding = Finding::note(RULE.name, Confidence::High, says)
        .at("segments with a CE mark", share(marked), &flow.seen.place)
        .figure(format!("{} sender", sender.kind()), sender.name(), &sender.from);
    if let Some(marks) = per_round {
        finding = finding.figure("marks in a round trip", number(marks), "marked share × goodput × RTT");
    }
    if let Some(steady) = steady {
        finding = finding.figure("its steady state, at the least", rounded(steady), "response function");
    }
    if let Some((queue, _)) = shared {
        finding = finding.at("queue in the middle of the run", time(queue), &flow.seen.place);
    }
    Some(finding.of(flow).with_remedies(vec![]))
}

/// A scalable sender in a queue that marks as late as for classic ones: how long that is, and what it means to those.
fn classic_queue(flow: &Flow, sender: &Marked, view: &View) -> Option<(f64, String)> {
    let [base, middle, _] = flow.queueing().filter(|_| sender.is_scalable())?;
    let marked = flow.seen.marked?;
    let queue = Some(middle - base).filter(|queue| *queue >= CLASSIC_TARGET_S)?;
    let more = sender.window(marked, Some(middle)) / response::reno_window(marked);
    let beside: Vec<&Flow> = view.group(flow).filter(|other| is_classic(other)).collect();
    let others = match beside.as_slice() {
        [] => String::new(),
        others => {
            let all: f64 = others.iter().filter_map(|other| other.seen.goodput).sum();
            format!(" Beside it {} {}.", classic_flows(others.len()), rate(all))
        }
    };
    let says = format!(
        "But the queue stands at {}: it marks as a classic AQM does, not at 1 ms as that of L4S. There a scalable sender gets {} \
         times as much as Reno at the same share of marks.{others}",
        time(queue),
        number(more)
    );
    Some((queue, says))
}

fn is_classic(flow: &Flow) -> bool {
    flow.answers_marks().is_some_and(|sender| !sender.is_scalable())
}

fn classic_flows(flows: usize) -> String {
    if flows == 1 { "a classic flow gets".into() } else { format!("{flows} classic flows get") }
}
