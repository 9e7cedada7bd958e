use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding, Severity};
use crate::diagnose::flow::Flow;
use crate::diagnose::losses::MIN_SUSPICIOUS_LOSS_SHARE;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::silence::{MIN_OUTAGE_SHARE, THREE_TIMEOUTS_S, TWO_TIMEOUTS_S};
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use base::show::{self, rate, share, time};
use base::stats::percentile;
use evidence::{Connection, Point};

/// Largest loss share outside the silence; with more, the silence may be repeated loss of one segment.
const MAX_OTHER_LOSS_SHARE: f64 = 0.003;
/// Share of its rate above which a link is merely lossy.
const MAX_LOSSY_LINK_SHARE: f64 = 0.25;

/// Share of the link while data flows below which a connection is slow even without the outage.
const MIN_GOOD_LINK_SHARE: f64 = 0.8;

/// Largest total of silences besides the longest one for a single outage, seconds.
const MAX_FURTHER_SILENCE_S: f64 = 1.0;

/// The rule.
pub const RULE: Rule = Rule {
    name: "outage",
    title: "The path went down for a while",
    needs: &[Need::Retransmissions],
    model: "Nothing gets through, the RTO doubles each time (RFC 6298, 5.5), and data flows again at the first \
            retransmission after the path is back, so recovery can take as long again as the outage itself.",
    source: "RFC 6298, 5",
    thresholds: || {
        vec![
            (
                format!(
                    "no data for {} or more, or for {} that take {} of the time, with data before it and after it, or to \
                     the end; per-second figures: what the seconds on both sides lack counts, if {} and less of the \
                     rest is lost",
                    show::plain_time(THREE_TIMEOUTS_S),
                    show::plain_time(TWO_TIMEOUTS_S),
                    show::plain_share(MIN_OUTAGE_SHARE),
                    show::plain_share(MAX_OTHER_LOSS_SHARE)
                ),
                "timeouts double: 0.2 s, 0.4 s, 0.8 s",
            ),
            ("and data flows the rest of the time".into(), "in a black hole it never does"),
            (
                format!(
                    "a note, where {} are sent again at other times and leave {} of the link or less",
                    show::plain_share(MIN_SUSPICIOUS_LOSS_SHARE),
                    show::plain_share(MAX_LOSSY_LINK_SHARE)
                ),
                "a silence is then one of many losses in a row",
            ),
        ]
    },
    confidence: "high with counted timeouts; medium from intervals alone, or if the rest of the time is policed or below 80 % of the link",
    confirm: &["ping HOST: the same gap", "dmesg; ip monitor link: a link flap"],
    alike: &[
        ("mtu-black-hole", "small packets still pass"),
        ("timeouts", "many short stalls, not one long one"),
        ("application-limited", "nothing is outstanding during the gap"),
    ],
    explains: &[
        "timeouts",
        "loss-response",
        "slow-start-exit",
        "idle-restart",
        "shallow-buffer",
        "rate-cap",
        "application-limited",
    ],
    remedies: remedies::outage,
    assumed: 0.0,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    view.flows.iter().filter_map(|flow| find_in_flow(flow, view)).collect()
}

fn find_in_flow(flow: &Flow, view: &View) -> Option<Finding> {
    let [start, end] = flow.seen.span?;
    let width = flow.point_width();
    let silence = (flow.longest_silence()? - width).max(between_points(flow).unwrap_or(0.0));
    let timeouts = flow.seen.timeouts.unwrap_or_else(|| backed_off(flow));
    let rates: Vec<f64> = flow.rates()?.into_iter().filter(|r| *r > 0.0).collect();
    let flowing = percentile(rates, 0.5)?;
    let carried = flow.seen.bytes? > 100.0 * flow.mss;
    let busy = flow.seen.limits.is_none_or(|limits| limits.busy > 0.7);
    // Timeouts throughout the run do not belong to one silence.
    let share_of = silence / (end - start);
    let silent_elsewhere = other_silences(flow, silence, width);
    // Timeouts double, so a silence has few.
    let few = timeouts <= 6.0 + 2.0 * (silence / 0.2).log2();
    if !flow.is_outage(silence)
        || timeouts < 2.0
        || !few
        || !carried
        || !busy
        || silent_elsewhere > 0.5 * silence
        || flowing * (end - start) / 8.0 < 50.0 * flow.mss
    {
        return None;
    }
    let last = flow.last_arrival()?;
    let to_the_end = end - last + width >= silence;
    let around = if to_the_end { "and none until the end" } else { "with normal flow around it" };
    let says = format!("Outage: no data for {} ({} of the run), {around}.", time(silence), share(share_of));
    // If something limits for the rest of the time, the outage is not the largest cost.
    let policed = !super::policer::of_flows(std::slice::from_ref(flow), view).is_empty();
    let rest = flow.expected().filter(|line| flowing < MIN_GOOD_LINK_SHARE * line.value * flow.payload());
    let alone = rest.is_none() && !policed;
    let sure = flow.seen.timeouts.is_some() && alone;
    let confidence = if sure { Confidence::High } else { Confidence::Medium };
    let mut finding = Finding::problem(RULE.name, confidence, share_of, says)
        .at("longest stall", time(silence), &flow.seen.place)
        .at(
            if flow.seen.timeouts.is_some() { "timeouts" } else { "timeouts, about" },
            base::show::count(timeouts),
            &flow.seen.place,
        );
    if silent_elsewhere > MAX_FURTHER_SILENCE_S {
        finding = finding
            .doubt("It falls silent more than once: a path that drops large packets for a while looks the same.")
            .ask("ping -i 0.2 HOST while it is silent: answers show that the path is up and drops large packets alone");
    }
    // A program that reached its rate caught up on the missed data.
    if flow.keeps_to_rate()
        || view.is_asked_for(flow)
        || rest.is_some() && !policed && !to_the_end && is_held_by_losses(flow)
    {
        finding.severity = Severity::Note;
    }
    if let Some(line) = rest {
        finding = finding.doubt(format!(
            "Outside the outage it gets {}, {} of the link rate: something else limits as well.",
            rate(flowing),
            share(flowing / line.value)
        ));
    }
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow)))
}

/// Whether losses at other times leave little of the link: the silence is then one of many losses, and not the largest
/// cost.
fn is_held_by_losses(flow: &Flow) -> bool {
    let held = |rest: Connection| {
        let again = rest.retransmitted? * flow.mss / rest.bytes?;
        Some(again >= MIN_SUSPICIOUS_LOSS_SHARE && flow.reaches(rest.goodput?, MAX_LOSSY_LINK_SHARE) == Some(false))
    };
    flow.without_outage().and_then(held) == Some(true)
}

/// Returns the longest time without data between distant points, if hardly anything else is lost. A shortfall of the
/// points on both sides counts as silence too, or as the recovery from it.
fn between_points(flow: &Flow) -> Option<f64> {
    let points = flow.seen.points.get(1..).filter(|_| !flow.is_fine())?;
    let usual = percentile(points.iter().filter_map(|p| p.bytes).filter(|bytes| *bytes > 0.0).collect(), 0.5)?;
    let from = points.iter().position(|p| p.bytes == Some(0.0)).filter(|from| *from > 0)?;
    let to = from + points[from..].iter().position(|p| p.bytes.is_some_and(|bytes| bytes > 0.0))?;
    // Slow start after it may lose again.
    let elsewhere = points[2.min(from - 1)..from - 1].iter().chain(points.iter().skip(to + 2));
    let lost: f64 = elsewhere.clone().filter_map(|p| p.retransmitted).sum();
    let segments = elsewhere.filter_map(|p| p.bytes).sum::<f64>() / flow.mss;
    let lacks = |at: usize| {
        let width = points[at].time - points[at - 1].time;
        width * (1.0 - points[at].bytes.unwrap_or(0.0) / usual).max(0.0)
    };
    let edges = if from > 1 { lacks(from - 1) } else { 0.0 } + lacks(to);
    (lost <= MAX_OTHER_LOSS_SHARE * segments).then(|| points[to - 1].time - points[from - 1].time + edges)
}

/// Estimates timeouts by retransmissions in silences at a cwnd of up to two segments, which only timeouts leave.
/// Timeouts double, so they are few.
fn backed_off(flow: &Flow) -> f64 {
    let collapsed = |p: &&Point| p.bytes == Some(0.0) && p.cwnd.is_none_or(|cwnd| cwnd <= 2.0 * flow.mss);
    let within: f64 = flow.seen.points.iter().filter(collapsed).filter_map(|p| p.retransmitted).sum();
    // The first is sent as the silence begins.
    if within > 0.0 { within + 1.0 } else { 0.0 }
}

/// Returns the total of silences longer than a timeout, without the longest, seconds.
fn other_silences(flow: &Flow, longest: f64, width: f64) -> f64 {
    let silences = flow.silences().unwrap_or_default();
    let sum: f64 = silences.into_iter().map(|silence| silence - width).filter(|silence| *silence > 0.4).sum();
    (sum - longest).max(0.0)
}
