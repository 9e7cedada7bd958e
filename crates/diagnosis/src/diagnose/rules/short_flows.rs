use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::group;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::short_transfers;
use crate::diagnose::short_transfers::Brief;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use base::show::{self, bytes, rate, time};
use std::collections::BTreeSet;

/// Smallest number of connections, each on only one screen of ss, and the largest number of bytes written to one: a
/// few round trips within a second carry them.
const MIN_CONNECTIONS: usize = 3;
const MAX_FLOW_BYTES: f64 = 1e6;

/// The rule.
pub const RULE: Rule = Rule {
    name: "short-flows",
    title: "Transfers end in slow start",
    needs: &[Need::BaseRtt, Need::Retransmissions, Need::Window],
    model: "S segments take log2(S/IW + 1) RTTs in slow start, whatever the link carries. A transfer that ends there is \
            limited by RTT and initial window.",
    source: "RFC 6928; RFC 9293; Cardwell et al., INFOCOM 2000",
    thresholds: || {
        vec![
            ("no loss, cwnd still doubling, no ssthresh".into(), "nothing has ended slow start yet"),
            (format!("at most {} RTTs in all", short_transfers::SLOW_START_RTTS), "2^14 initial windows fill any link"),
            (
                format!(
                    "or {} connections between the same hosts in as many ss samples, each in one sample only, with \
                     less than {}, and none that stays",
                    MIN_CONNECTIONS,
                    show::plain_bytes(MAX_FLOW_BYTES)
                ),
                "each transfer opens a connection of its own and is over before the next screen",
            ),
        ]
    },
    confidence: "high with cwnd over time; medium from a capture",
    confirm: &["ss -tin dst HOST at the end: no ssthresh", "a longer transfer over the same path is faster"],
    alike: &[
        ("slow-start-exit", "slow start ended, far below the BDP"),
        ("application-limited", "gaps between writes"),
    ],
    explains: &["application-limited", "send-buffer"],
    remedies: remedies::short,
    assumed: 0.5,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    view.flows.iter().filter_map(of_bulk).chain(one_after_another(view)).collect()
}

/// Finds connections that are each on only one screen of ss.
fn one_after_another(view: &View) -> Option<Finding> {
    let first = view.flows.first()?;
    let screens: BTreeSet<usize> = view.flows.iter().map(|flow| flow.seen.screen).collect::<Option<_>>()?;
    let largest = view.flows.iter().map(Flow::offered).fold(0.0, f64::max);
    let alike = view.flows.iter().all(|flow| group::both_ways(flow) == group::both_ways(first));
    if screens.len() < MIN_CONNECTIONS || largest > MAX_FLOW_BYTES || !alike {
        return None;
    }
    let says = format!(
        "Short transfers: {} connections, none in two ss samples, with {} at the most. Each starts with a handshake \
         and slow start, and ends before the link rate matters.",
        view.flows.len(),
        bytes(largest)
    );
    let finding = Finding::problem(RULE.name, Confidence::Medium, RULE.assumed, says)
        .at("connections, each on one screen", view.flows.len().to_string(), &first.seen.place)
        .at("most payload of one", bytes(largest), &first.seen.place);
    Some(finding.about_flow(first).sized(Sizes::for_flow(first)))
}

fn of_bulk(flow: &Flow) -> Option<Finding> {
    let Brief { rounds, ideal } = flow.brief()?;
    let rtt = flow.rtt.as_ref()?;
    let says = format!(
        "Transfer ends in slow start: {} take {} RTTs of {}, {} on average, with cwnd still growing.",
        bytes(flow.seen.bytes?),
        show::number(rounds),
        time(rtt.value),
        rate(flow.seen.goodput?)
    );
    let confidence = if flow.cwnd.is_some() { Confidence::High } else { Confidence::Medium };
    let finding = Finding::problem(RULE.name, confidence, RULE.assumed, says)
        .at("payload", bytes(flow.seen.bytes?), &flow.seen.place)
        .figure("RTT", time(rtt.value), &rtt.from)
        .figure("RTTs slow start needs", show::number(ideal.max(1.0)), "log2(S/10 + 1)")
        .at("ssthresh", "none: still in slow start", &flow.seen.place);
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow)))
}
