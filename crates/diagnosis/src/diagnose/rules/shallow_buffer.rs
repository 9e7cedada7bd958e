use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::losses;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use base::show::{self, bytes, rate, share, time};
use base::stats::{deviation, mean, percentile};
use base::units::Unit;

/// Share of its peak rate below which a connection leaves its link unused.
const MAX_PEAK_SHARE: f64 = 0.9;
/// Largest delay of a shallow queue over the RTT: Reno needs a whole RTT (Appenzeller et al., SIGCOMM 2004), CUBIC
/// 0.43.
const MAX_SHALLOW_QUEUE_RTTS: f64 = 0.4;

/// Largest delay before losses over the RTT of a shallow queue that several connections share.
const MAX_SHARED_QUEUE_RTTS: f64 = 0.15;
/// Smallest length of a queue, segments.
const MIN_QUEUE_SEGMENTS: f64 = 2.0;

/// Bounds for slow start that overflowed a small queue: the smallest share of points, at the end, without a loss, and
/// the smallest number of retransmissions; the smallest growth of cwnd there, and its largest start as a share of the
/// BDP.
const MIN_LOSS_FREE_SHARE: f64 = 0.6;
const MIN_START_RETRANSMISSIONS: f64 = 4.0;
const MIN_REGROWTH_RATIO: f64 = 1.8;
const MAX_START_BDP_SHARE: f64 = 0.5;
/// Divisor of the loss-free points: the starting cwnd is the largest in the first part.
const START_PART: usize = 10;

/// Shares of the link in distant points: the smallest peak and the smallest mean. Reno without a queue gets 75 % of
/// the link (Appenzeller et al.), and less with small windows.
const MIN_PEAK_LINK_SHARE: f64 = 0.8;
const MAX_MEAN_LINK_SHARE: f64 = 0.6;

/// The rule.
pub const RULE: Rule = Rule {
    name: "shallow-buffer",
    title: "Bottleneck buffer too small for the RTT",
    needs: &[Need::LinkRate, Need::BaseRtt, Need::Retransmissions, Need::RoundTrips, Need::Window],
    model: "A loss-based congestion control fills path and queue, then backs off to beta times that: below the BDP if the \
            queue holds less than (1 − beta)/beta of it, which is 1 BDP for Reno (0.5) and 0.43 BDP for CUBIC (0.7). The \
            link then idles until cwnd has grown back.",
    source: "Appenzeller et al., SIGCOMM 2004; RFC 9438, 4.6",
    thresholds: || {
        vec![
            (
                format!("mean goodput below {} of the peak delivery rate", show::plain_share(MAX_PEAK_SHARE)),
                "a buffer of the right size keeps the link busy",
            ),
            (
                format!(
                    "RTTs before losses rank above others by {}, with fewer than {} losses by {}",
                    losses::MIN_QUEUED_RANK,
                    losses::FEW_LOSSES,
                    losses::MIN_QUEUED_RANK_OF_FEW
                ),
                "the queue was full before it overflowed",
            ),
            (
                format!(
                    "the queue adds less than {} of the RTT, and holds {} segments",
                    show::plain_share(MAX_SHALLOW_QUEUE_RTTS),
                    MIN_QUEUE_SEGMENTS
                ),
                "CUBIC needs 43 %",
            ),
            (
                format!(
                    "with samples further apart than an RTT, a peak above {} of the stated rate and a mean of {} to \
                     {}, with losses and a small queue",
                    show::plain_share(MIN_PEAK_LINK_SHARE),
                    show::plain_share(MAX_MEAN_LINK_SHARE),
                    show::plain_share(MAX_PEAK_SHARE)
                ),
                "Reno without any queue keeps 75 % of a line busy",
            ),
            (
                format!(
                    "or losses in slow start alone, at less than {} of the BDP, none in the last {} of the points, \
                     and a cwnd that grows by {} and more there",
                    show::plain_share(MAX_START_BDP_SHARE),
                    show::plain_share(MIN_LOSS_FREE_SHARE),
                    show::plain_share(MIN_REGROWTH_RATIO - 1.0)
                ),
                "slow start sends at twice the rate of its ACKs; CUBIC afterwards does not",
            ),
        ]
    },
    confidence: "high with 3 or more such losses and RTTs over time; medium with 2; low with samples further apart than an RTT, or from slow start alone",
    confirm: &["tc -s qdisc show dev DEVICE on the bottleneck (dropped, limit)", "iperf3 -c HOST -C bbr"],
    alike: &[
        ("loss-response", "random losses occur at any cwnd, without an RTT rise"),
        ("policer", "drops without any RTT rise, after a burst"),
    ],
    explains: &["timeouts", "loss-response", "slow-start-exit"],
    remedies: remedies::shallow,
    assumed: 0.0,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    view.flows
        .iter()
        .filter_map(|flow| find_in_flow(flow, view).or_else(|| coarse(flow)).or_else(|| early(flow)))
        .collect()
}

/// Finds losses in slow start alone, at a cwnd far below the BDP, and none since, though cwnd has grown far beyond it:
/// slow start at twice the rate overflowed a queue of a few packets.
fn early(flow: &Flow) -> Option<Finding> {
    let (line, points) = (flow.expected()?, &flow.seen.points);
    let [base, ..] = flow.queueing()?;
    let last = points.iter().rposition(|point| point.retransmitted.is_some_and(|n| n > 0.0))?;
    let rest = points.get(last + 1..).filter(|rest| rest.len() as f64 >= MIN_LOSS_FREE_SHARE * points.len() as f64)?;
    // A capture shows bytes in flight, which are fewer for a moment.
    let windows: Vec<f64> = rest.iter().map(|point| point.cwnd.or(point.in_flight)).collect::<Option<_>>()?;
    let largest = |windows: &[f64]| windows.iter().copied().reduce(f64::max);
    let (first, most) = (largest(&windows[..windows.len().div_ceil(START_PART)])?, largest(&windows)?);
    let bdp = line.value * flow.payload() * base / 8.0;
    let queued = flow.is_raised(flow.own_burst()?)?;
    // A queue that overflows in slow start drops several packets.
    let single = flow.seen.retransmitted.is_none_or(|n| n < MIN_START_RETRANSMISSIONS);
    if single
        || most < MIN_REGROWTH_RATIO * first
        || first > MAX_START_BDP_SHARE * bdp
        || queued
        || flow.is_limited()
        || flow.is_bbr()
    {
        return None;
    }
    let says = format!(
        "Slow start lost packets and left cwnd at {}, {} of the BDP; no loss since, though it grew to {}. A queue of a few packets \
         overflows in slow start alone.",
        bytes(first),
        share(first / bdp),
        bytes(most)
    );
    let cost = 1.0 - flow.seen.goodput? / line.value;
    let finding = Finding::problem(RULE.name, Confidence::Low, cost, says)
        .at("cwnd after slow start", bytes(first), &flow.seen.place)
        .at("largest cwnd later", bytes(most), &flow.seen.place)
        .at("retransmitted segments", show::count(flow.seen.retransmitted?), &flow.seen.place)
        .doubt("A single random loss in slow start looks the same.")
        .ask("the same transfer three times: a small queue overflows each time");
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow).without_gain()))
}

/// Finds, in points further apart than round trips, a link rate that is reached at times and left again, with losses
/// and a small queue.
fn coarse(flow: &Flow) -> Option<Finding> {
    let (_, goodput, peak) = (flow.expected()?, flow.seen.goodput?, flow.peak?);
    let [base, middle, high] = flow.queueing()?;
    let reaches = |rate: f64, share: f64| flow.reaches(rate, share) == Some(true);
    let seen = flow.is_congested() == Some(true) || flow.is_raised(0.0)?;
    let [fewest, most] = flow.event_bounds();
    if flow.is_fine()
        || flow.is_limited()
        || flow.is_bbr()
        || !seen
        || high - base > MAX_SHALLOW_QUEUE_RTTS * base
        || fewest < 2.0
        || !reaches(peak, MIN_PEAK_LINK_SHARE)
        || !reaches(goodput, MAX_MEAN_LINK_SHARE)
        || reaches(goodput, MAX_PEAK_SHARE)
    {
        return None;
    }
    let says = format!(
        "Losses at the top of a small queue: {} at the peak, {} on average, and the RTT never rises by more than {} of {}. \
         A bottleneck buffer that is too small does this; random losses near the line's rate look alike.",
        rate(peak),
        rate(goodput),
        time(high - base),
        time(base)
    );
    let finding = Finding::problem(RULE.name, Confidence::Low, 1.0 - goodput / peak, says)
        .at("loss events", show::range(Unit::Count, fewest, most), &flow.seen.place)
        .at("median RTT", time(middle), &flow.seen.place)
        .at("95th percentile RTT", time(high), &flow.seen.place)
        .ask(
            "ss -tin dst HOST every 0.2 s at the sender: a full queue raises the RTT before each loss, random loss \
             does not",
        );
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow).without_gain()))
}

fn find_in_flow(flow: &Flow, view: &View) -> Option<Finding> {
    let (goodput, peak) = (flow.seen.goodput?, flow.peak?);
    let [base, middle, _] = flow.queueing()?;
    // The first loss comes from slow start, which overshoots.
    let losses: Vec<f64> = flow.events.iter().skip(1).filter_map(|event| event.cwnd).collect();
    let rtts: Vec<f64> = flow.events.iter().filter_map(|event| event.srtt).collect();
    let at_loss = percentile(rtts, 0.5)?;
    let alone = view.group(flow).count() == 1;
    let rates = if alone { flow.rates()? } else { view.group_rates(flow)? };
    let peak = if alone { peak } else { percentile(rates.clone(), 0.95)? };
    // ACKs that come together show more than the link carries.
    let peak = flow.expected().map_or(peak, |line| peak.min(line.value));
    let settled: Vec<f64> = rates.into_iter().skip(2).collect();
    let usual = if settled.is_empty() { 0.0 } else { mean(&settled) };
    let elsewhere = flow.is_limited();
    let added = (at_loss - base) / base;
    let spread = Some(deviation(&losses) / mean(&losses)).filter(|spread| spread.is_finite())?;
    let queue = (at_loss - base) * peak / 8.0;
    // Several connections that fill the path, with a standing queue, get its rate.
    let at_rate = view.is_full(flow) && added > MAX_SHARED_QUEUE_RTTS;
    let elsewhere = elsewhere || at_rate || !flow.is_fine();
    if elsewhere
        || usual > MAX_PEAK_SHARE * peak
        || added > MAX_SHALLOW_QUEUE_RTTS
        || flow.is_congested() != Some(true)
        || queue < MIN_QUEUE_SEGMENTS * flow.mss
    {
        return None;
    }
    if flow.is_bbr() {
        let says = format!(
            "Bottleneck buffer small for BBR: {} for an RTT of {}. It overflows and {} of the segments are retransmitted, \
             which BBR does not slow down for. {} on average.",
            time(at_loss - base),
            time(base),
            share(flow.retransmitted()?),
            rate(goodput)
        );
        let finding = Finding::note(RULE.name, Confidence::Medium, says);
        return Some(finding.figure("buffer, about", bytes(queue), "RTT rise × peak rate").about_flow(flow));
    }
    let says = format!(
        "Bottleneck buffer too small: {} for an RTT of {}, so each overflow takes cwnd below the BDP. {} on average, {} at the \
         peak.",
        time(at_loss - base),
        time(base),
        rate(goodput),
        rate(peak)
    );
    let confidence = if losses.len() >= 3 && flow.is_fine() { Confidence::High } else { Confidence::Medium };
    let finding = Finding::problem(RULE.name, confidence, 1.0 - usual / peak, says)
        .figure("buffer, about", bytes(queue), "RTT rise × peak rate")
        .figure("buffer that CUBIC needs", bytes(0.43 * peak * base / 8.0), "0.43 BDP")
        .at("loss events", flow.events.len().to_string(), &flow.seen.place)
        .at("cwnd at losses", bytes(losses.iter().sum::<f64>() / losses.len() as f64), &flow.seen.place)
        .at("its deviation", share(spread), &flow.seen.place)
        .at("RTT before losses", time(at_loss), &flow.seen.place)
        .at("median RTT", time(middle), &flow.seen.place)
        .figure("utilization of the peak", show::number(usual / peak), "mean over peak");
    let sizes = Sizes::for_flow(flow);
    Some(finding.about_flow(flow).sized(sizes.with_gain(peak / usual)))
}
