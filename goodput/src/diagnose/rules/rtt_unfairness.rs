use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::group;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use crate::show::{self, rate, time};

/// Smallest ratio of RTTs or goodputs that makes them distinct.
const MIN_DISTINCT_RATIO: f64 = 1.6;

/// The rule.
pub const RULE: Rule = Rule {
    name: "rtt-unfairness",
    title: "RTT unfairness: the longer RTT gets less",
    needs: &[Need::Several, Need::BaseRtt],
    model: "Loss-based congestion controls grow once per RTT: at a shared bottleneck Reno's share scales as 1/RTT or \
            worse; CUBIC is less RTT-biased. The connection with the long RTT is not broken.",
    source: "Lakshman and Madhow, ToN 5(3), 1997; RFC 9438, 5",
    thresholds: || {
        vec![(
            format!(
                "RTTs that differ by a factor of {} or more, and goodputs by {} or more the other way",
                MIN_DISTINCT_RATIO, MIN_DISTINCT_RATIO
            ),
            "less can be chance",
        )]
    },
    confidence: "high: both are measured in the same run",
    confirm: &[
        "run each alone: the longer one then gets everything",
        "iperf3 -c HOST -C bbr, or fair queueing at the bottleneck",
    ],
    alike: &[("loss-response", "loss on one of the paths only"), ("receiver-window", "one of them has a small window")],
    explains: &["rate-cap", "loss-response", "shallow-buffer"],
    remedies: remedies::fair,
    assumed: 0.0,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let carries = |f: &&Flow| f.seen.exchanges.is_empty() && f.seen.rtt_min.is_some();
    let known: Vec<&Flow> = view.flows.iter().filter(carries).collect();
    let rtt = |f: &&&Flow| f.seen.rtt_min.unwrap_or(0.0);
    let same = known.windows(2).all(|pair| group::both_ways(pair[0]) == group::both_ways(pair[1]));
    let (Some(short), Some(long)) =
        (known.iter().min_by(|a, b| rtt(a).total_cmp(&rtt(b))), known.iter().max_by(|a, b| rtt(a).total_cmp(&rtt(b))))
    else {
        return vec![];
    };
    of(short, long).filter(|_| same).into_iter().collect()
}

fn of(short: &Flow, long: &Flow) -> Option<Finding> {
    let (quick, slow) = (short.seen.rtt_min?, long.seen.rtt_min?);
    let (more, less) = (short.seen.goodput?, long.seen.goodput?);
    let control = |flow: &Flow| flow.seen.congestion.clone();
    if slow < MIN_DISTINCT_RATIO * quick
        || more < MIN_DISTINCT_RATIO * less
        || control(short) != control(long)
        || long.is_limited()
        || short.is_limited()
    {
        return None;
    }
    let says = format!(
        "RTT unfairness: {} at {} RTT next to {} at {} over the same bottleneck.",
        rate(less),
        time(slow),
        rate(more),
        time(quick)
    );
    let finding = Finding::problem(RULE.name, Confidence::High, 1.0 - less / more, says)
        .at("min RTTs", format!("{} and {}", time(quick), time(slow)), &short.seen.place)
        .at("goodputs", format!("{} and {}", rate(more), rate(less)), &long.seen.place)
        .figure("exponent", show::number((more / less).ln() / (slow / quick).ln()), "goodput ~ RTT^-this; Reno 1 to 2");
    Some(finding.of(long).sized(Sizes::of(long)))
}
