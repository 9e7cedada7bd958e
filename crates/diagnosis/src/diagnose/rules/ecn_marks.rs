use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::marks::{Counts, Marked};
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use base::model::FULL_LINK_SHARE;
use base::model::response;
use base::show::{self, number, rate, rounded, share, time};
use evidence::Point;

/// Smallest marked share: fewer marks leave a classic sender a window of 120 segments, which fills most links.
const MIN_MARKED_SHARE: f64 = 0.0001;
/// Number of marks below which their share is too uncertain to use.
const MIN_MARKS: f64 = 3.0;
/// Ratio of losses, or loss events, to marks above which losses limit instead.
const MAX_LOSS_PER_MARK: f64 = 0.25;
/// Largest and smallest ratio of the window to what the marks leave.
const MAX_WINDOW_RATIO: f64 = 8.0;
const MIN_WINDOW_RATIO: f64 = 0.5;

/// Standing delay of a classic AQM, seconds: CoDel's target (RFC 8289, 4.4). PIE's is three times that; L4S marks at 1
/// ms (RFC 9332, A.1).
const CLASSIC_TARGET_S: f64 = 0.005;

/// Smallest number of falls of cwnd, and the smallest size of each as a share.
const MIN_CWND_FALLS: usize = 2;
const MIN_CWND_FALL_SHARE: f64 = 0.1;
/// Smallest used share of a window that limits.
const MIN_USED_WINDOW_SHARE: f64 = 0.7;
/// Congestion controls that lower cwnd only for a loss or a mark.
const LOSS_BASED_CONTROLS: [&str; 5] = ["cubic", "reno", "newreno", "htcp", "dctcp"];

/// The rule.
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
    thresholds: || {
        vec![
            (
                format!(
                    "{} of the segments marked, {} at the least, and fewer than {} as many sent again, or loss events",
                    show::plain_share(MIN_MARKED_SHARE),
                    MIN_MARKS,
                    show::plain_share(MAX_LOSS_PER_MARK)
                ),
                "then marks back it off, not losses",
            ),
            (
                format!(
                    "a cwnd of {} to {} times what the response function of Reno or of DCTCP leaves at p",
                    MIN_WINDOW_RATIO, MAX_WINDOW_RATIO
                ),
                "marks of one round trip count once, or come in few of them, so that more than this is left; if cwnd \
                 is much smaller, something else holds it down",
            ),
            (
                format!(
                    "where ECE is repeated, the window at p/W marks for each segment, and where it may be, up to {} \
                     times as many",
                    1.0 / MIN_WINDOW_RATIO
                ),
                "ECE is repeated for a round trip, so that p of the segments are p/W marks for each: W = \
                 1.2/sqrt(p/W)",
            ),
            (
                format!(
                    "or, where marks are not printed or leave more than that, cwnd falls by {} and a segment at {} \
                     points; {} of it is used, no queue stands, and nothing is sent again",
                    show::plain_share(MIN_CWND_FALL_SHARE),
                    MIN_CWND_FALLS,
                    show::plain_share(MIN_USED_WINDOW_SHARE)
                ),
                "a loss is sent again; nothing else lowers the cwnd of Reno and CUBIC that is used",
            ),
            (
                format!(
                    "below {} of the link rate, and no window or buffer that binds",
                    show::plain_share(FULL_LINK_SHARE)
                ),
                "a full line is marked as well",
            ),
            (
                format!("a scalable sender's queue of {}", show::plain_time(CLASSIC_TARGET_S)),
                "CoDel's target: L4S marks at 1 ms, so this queue is a classic AQM's",
            ),
        ]
    },
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

/// Returns the share of marks if there are enough to trust it.
fn marked(flow: &Flow) -> Option<f64> {
    let known = |marked: f64| flow.segments.is_none_or(|segments| marked * segments >= MIN_MARKS);
    flow.seen.marked.filter(|marked| *marked >= MIN_MARKED_SHARE && known(*marked))
}

/// Finds marks that are not printed, or come many at a time: a cwnd in full use falls without a retransmission.
fn unlost(flow: &Flow) -> Option<Finding> {
    let marked = marked(flow);
    let may_be_marked = flow.seen.marked == marked && flow.seen.ecn != Some(false);
    let lossless = flow.seen.retransmitted == Some(0.0) && flow.tells_losses();
    let by_loss = flow.control.as_ref().is_none_or(|control| LOSS_BASED_CONTROLS.contains(&control.name.as_str()));
    if !may_be_marked || !lossless || !by_loss || flow.is_limited() {
        return None;
    }
    let falls = falls(flow).filter(|falls| *falls >= MIN_CWND_FALLS)?;
    let used = flow.window_used().or_else(|| Some(flow.base()? / flow.loaded()?))?;
    let own = flow.own_burst()?;
    let line = flow.expected().filter(|_| flow.fills(FULL_LINK_SHARE) == Some(false))?;
    if used < MIN_USED_WINDOW_SHARE || flow.is_raised(own) == Some(true) {
        return None;
    }
    let (goodput, window) = (flow.seen.goodput?, flow.cwnd? / flow.mss);
    let says = format!(
        "ECN marks probably hold cwnd down: it falls at {falls} points without a retransmission, and is fully used: \
         {} segments on average, {} of {}. {}",
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
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow)))
}

/// Counts points at which cwnd is smaller than at the previous one by a tenth, and by nearly a segment.
fn falls(flow: &Flow) -> Option<usize> {
    let points = flow.seen.points.get(1..)?;
    let fall = |pair: &&[Point]| {
        pair[0]
            .cwnd
            .zip(pair[1].cwnd)
            .is_some_and(|(before, after)| before - after > (MIN_CWND_FALL_SHARE * before).max(0.9 * flow.mss))
    };
    Some(points.windows(2).filter(fall).count())
}

/// The window that marks leave.
struct Left {
    /// Least window, segments.
    window: f64,
    /// Window if each mark is echoed for a round trip, segments; only set if the feedback is unknown.
    echoed: Option<f64>,
    /// Description for the figure: the marks, and the sender.
    of: &'static str,
}

impl Left {
    /// Computes the window from reductions if counted, from echoes, or from marks. A classic sender answers all marks
    /// of one round trip as one.
    fn from_marks(flow: &Flow, sender: &Marked, marked: f64, fell: Option<f64>) -> Left {
        let marks = |share| sender.window(share, flow.base());
        let echoed = response::echoed_window(marked);
        match (fell, flow.mark_counts()) {
            _ if sender.is_scalable() => {
                Left { window: marks(marked), echoed: None, of: "so many marks leave it, at the least" }
            }
            (Some(fell), _) => Left { window: marks(fell), echoed: None, of: "so many reductions leave Reno" },
            (None, Counts::Echoes) => Left { window: echoed, echoed: None, of: "so many echoes of marks leave Reno" },
            (None, counts) => {
                let echoed = (counts == Counts::Unknown).then_some(echoed);
                Left { window: marks(marked), echoed, of: "so many marks leave Reno, at the least" }
            }
        }
    }

    /// Returns the largest window, segments. Echoes count only if there are enough per window to come from several
    /// marks.
    fn most(&self, echoes: f64, window: f64) -> f64 {
        let echoed =
            self.echoed.filter(|_| echoes / window >= MIN_MARKS).map_or(0.0, |echoed| echoed / MIN_WINDOW_RATIO);
        echoed.max(MAX_WINDOW_RATIO * self.window)
    }
}

/// Whether losses lower cwnd far less often than marks: slow start may lose many segments at once.
fn losses_are_few(flow: &Flow, marked: f64, window: f64) -> bool {
    let lost = flow.retransmitted().is_some_and(|lost| lost <= MAX_LOSS_PER_MARK * marked);
    let events_below = |share: f64| flow.event_rates().is_some_and(|[_, most]| most <= MAX_LOSS_PER_MARK * share);
    match flow.mark_counts() {
        Counts::Marks => lost || events_below(marked),
        Counts::Echoes => events_below(marked / window),
        Counts::Unknown => lost,
    }
}

fn counted(flow: &Flow) -> Option<Finding> {
    let marked = marked(flow)?;
    let lost = flow.retransmitted()?;
    let window = flow.median(|point| point.cwnd).or(flow.median(|point| point.in_flight))? / flow.mss;
    let sender = flow.answers_marks().unwrap_or_else(Marked::unknown);
    let fell = flow.reductions().filter(|_| !sender.is_scalable());
    let left = Left::from_marks(flow, &sender, marked, fell);
    let by_marks =
        (MIN_WINDOW_RATIO * left.window..=left.most(marked * flow.segments.unwrap_or(0.0), window)).contains(&window);
    if !by_marks || !losses_are_few(flow, marked, window) || flow.is_limited() || flow.is_bbr() || flow.has_queue() {
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
    let mut finding = Finding::problem(RULE.name, Confidence::High, 1.0 - goodput / line.value, says)
        .at("segments with a CE mark", share(marked), &flow.seen.place)
        .at("median cwnd, or what is in flight", format!("{} segments", number(window)), &flow.seen.place)
        .figure(format!("cwnd that {}", left.of), format!("{} segments", number(left.window)), "response function")
        .figure(format!("{} sender", sender.kind()), sender.name(), &sender.from);
    if let Some(fell) = fell {
        finding = finding.at("segments with CWR: cwnd fell", share(fell), &flow.seen.place);
    }
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow)))
}

/// Describes the marks as they were counted.
fn carry(flow: &Flow, marked: f64) -> String {
    let fell = flow.seen.ecn_detail.as_ref().and_then(|ecn| ecn.cwr).filter(|fell| *fell > 0);
    match (flow.mark_counts(), fell) {
        (Counts::Echoes, Some(fell)) => {
            format!("{} of the segments are acknowledged with ECE, and cwnd fell for it {fell} times", share(marked))
        }
        (Counts::Echoes, None) => format!("{} of the segments are acknowledged with ECE", share(marked)),
        _ => format!("{} of the segments carry a mark", share(marked)),
    }
}

/// Notes marks that limit nothing, and their effect on the sender.
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
        Some(steady) => format!("Its steady state has about {} a round trip: no sign of trouble.", rounded(steady)),
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
    Some(finding.about_flow(flow).with_remedies(vec![]))
}

/// Returns the queueing delay of a scalable sender behind a classic AQM, and a sentence on its effect on classic
/// flows.
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
        "But the standing queue is {}: it marks like a classic AQM, not at 1 ms like an L4S one. There a scalable \
         sender gets {} times as much as Reno at the same share of marks.{others}",
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
