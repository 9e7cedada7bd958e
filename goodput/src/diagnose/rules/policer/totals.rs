//! A policer in figures over seconds, of `-J` and of `ss`.

use super::RULE;
use crate::diagnose::cure;
use crate::diagnose::finding::{Confidence, Finding, Severity};
use crate::diagnose::flow::Flow;
use crate::diagnose::view::View;
use crate::model::response;
use crate::show::{number, rate, share, time};
use crate::stats::percentile;

/// Losses in so many of the points.
const MOST: f64 = 0.6;
/// A policed rate is constant: within this, in so many of the points.
const WITHIN: f64 = 0.15;
const STEADY: f64 = 0.75;
/// A round-trip time under load that is no longer than this, and 2 ms, has no queue.
const FLAT: f64 = 1.15;
/// An empty bucket drops several packets in a row: retransmissions over the losses that hold a loss-based congestion
/// control at this rate. Single losses come to 1.
const IN_A_ROW: f64 = 1.7;
/// What a congestion control retransmits at a policer that does not answer losses (Flach et al., 2016, section 5).
const MUCH: f64 = 0.01;

pub(super) fn of(flow: &Flow, view: &View) -> Option<Finding> {
    let (rtt, goodput) = (flow.base()?, flow.seen.goodput?);
    let points = flow.seen.points.get(2..).filter(|points| points.len() >= 4 && !flow.is_fine())?;
    let lossy = points.iter().filter(|p| p.retransmitted.is_some_and(|n| n > 0.0)).count() as f64 / points.len() as f64;
    let steady = flow.steady(WITHIN)?;
    let loaded = match flow.queueing() {
        Some([.., high]) => high,
        None => flow.loaded()?,
    };
    let again = flow.retransmitted()?;
    let bbr = flow.is_bbr();
    // Retransmissions after slow start, which overshoots.
    let later: f64 = points.iter().filter_map(|p| p.retransmitted).sum();
    let segments: f64 = points.iter().filter_map(|p| p.bytes).sum::<f64>() / flow.mss;
    let needed = response::reno_loss(flow.mss, rtt, goodput);
    let in_a_row = later / segments / needed;
    let drops = if bbr { later / segments > MUCH } else { in_a_row > IN_A_ROW };
    let flat = loaded < FLAT * rtt + 0.002;
    let alone = view.group(flow).count() == 1;
    if lossy < MOST
        || steady < STEADY
        || !flat
        || !drops
        || !alone
        || flow.is_limited()
        || flow.fills(0.85) == Some(true)
    {
        return None;
    }
    let middle =
        percentile(points.windows(2).filter_map(|p| Some(p[1].bytes? * 8.0 / (p[1].time - p[0].time))).collect(), 0.5)?;
    let says = format!(
        "Policed at about {}: that rate in each second, losses in {} of them, and no queue builds before the drops (RTT {}, {} idle).",
        rate(middle),
        share(lossy),
        time(loaded),
        time(rtt)
    );
    let counted = flow.queueing().is_some();
    let sure = counted || flow.expected().is_some();
    let confidence = if sure { Confidence::Medium } else { Confidence::Low };
    let mut finding = Finding::problem(RULE.name, confidence, RULE.assumed, says)
        .at("seconds with losses", share(lossy), &flow.seen.place)
        .at("seconds at this rate", share(steady), &flow.seen.place)
        .figure("RTT under load", time(loaded), if counted { "95th percentile" } else { "cwnd / goodput" })
        .at("retransmitted", share(again), &flow.seen.place)
        .ask("iperf3 -c HOST -u -b RATE, a little below and above: loss sets in right at the rate");
    if !bbr {
        finding = finding.figure("retransmissions over the losses of this rate", number(in_a_row), "response function");
    }
    if !sure {
        finding.severity = Severity::Note;
    }
    finding = finding.doubt("A link of this rate with hardly a buffer looks the same.");
    Some(finding.of(flow).cured_by(cure::policer(&cure::at_rate(&cure::sizes(flow), middle))))
}
