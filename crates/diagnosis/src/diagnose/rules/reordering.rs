use crate::diagnose::bond;
use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::losses;
use crate::diagnose::losses::MIN_REORDERED_SHARE;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use base::model::FULL_LINK_SHARE;
use base::show::{self, rate, share};

/// Smallest share of segments out of order without loss.
const MIN_OUT_OF_ORDER_SHARE: f64 = 0.01;

/// Smallest number of spurious retransmissions, and their smallest share of all: paths without reordering reach 0.011
/// at most.
const MIN_SPURIOUS: f64 = 10.0;
const MIN_SPURIOUS_SHARE: f64 = 0.05;

/// The rule.
pub const RULE: Rule = Rule {
    name: "reordering",
    title: "Packet reordering",
    needs: &[Need::Retransmissions],
    model: "Packets that arrive after later ones look lost for a while. RACK waits a quarter of the min RTT for them and \
            adapts; later ones are retransmitted needlessly (D-SACK reports it) and cwnd is cut needlessly. Round-robin \
            bonds reorder.",
    source: "RFC 8985, 6.2; RFC 2883; Documentation/networking/bonding.rst (balance-rr)",
    thresholds: || {
        vec![
            (
                format!(
                    "{} or more reordering events at the sender, and {} of its segments reordered",
                    losses::MIN_REORDERINGS,
                    show::plain_share(losses::MIN_REORDERED_SHARE)
                ),
                "after a loss later segments are out of order too, but the lost one does not arrive on its own",
            ),
            (
                format!(
                    "captures: {} of the retransmissions for nothing, {} and {} of the segments at the least, and no \
                     timeout",
                    show::plain_share(MIN_SPURIOUS_SHARE),
                    MIN_SPURIOUS,
                    show::plain_share(losses::MIN_REORDERED_SHARE)
                ),
                "a hole that a loss leaves is filled by the copy alone: without reordering 1.1 % of them at the most",
            ),
        ]
    },
    confidence: "high with reordering counted by the sender and 1 % arriving out of order; medium with one of them, or a host's counters",
    confirm: &[
        "nstat -az TcpExtTCPSACKReorder TcpExtTCPTSReorder TcpExtTCPDSACKRecv",
        "cat /proc/net/bonding/bond0",
        "ss -tin dst HOST (reordering, reord_seen, dsack_dups)",
    ],
    alike: &[("loss-response", "retransmissions are needed, no D-SACKs"), ("packet-length", "losses by size")],
    explains: &["loss-response", "timeouts", "shallow-buffer", "slow-start-exit", "policer"],
    remedies: remedies::reordering,
    assumed: 0.5,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let of_flows: Vec<Finding> = view.flows.iter().filter_map(|flow| find_in_flow(flow, view)).collect();
    if of_flows.is_empty() { of_counters(view).or_else(|| of_bonds(view)).into_iter().collect() } else { of_flows }
}

/// Smallest number of a host's retransmissions for a share.
const MIN_RETRANSMISSIONS: u64 = 100;

/// Finds a host with half of its retransmissions spurious, beyond those that probes and timeouts may have caused.
fn of_counters(view: &View) -> Option<Finding> {
    let (host, again, spurious) = view.evidence.hosts.iter().find_map(|host| {
        let (again, spurious) = (host.counter("TcpRetransSegs")?, host.counter("TcpExtTCPDSACKRecv")?);
        let early = ["TcpExtTCPLossProbes", "TcpExtTCPTimeouts"].map(|name| host.counter(name).unwrap_or(0));
        let reordered = spurious.saturating_sub(early.into_iter().fold(0, u64::saturating_add));
        (again >= MIN_RETRANSMISSIONS && reordered > again / 2).then_some((host, again as f64, spurious as f64))
    })?;
    let says = format!(
        "Packet reordering: {} of the {} segments this host retransmitted were spurious (D-SACK).",
        show::count(spurious),
        show::count(again)
    );
    let finding = Finding::note(RULE.name, Confidence::Medium, says)
        .at("TcpExtTCPDSACKRecv", show::count(spurious), &host.place)
        .at("TcpRetransSegs", show::count(again), &host.place)
        .doubt("Counters since boot, of all connections.")
        .ask("nstat -n; iperf3 -c HOST; nstat TcpRetransSegs TcpExtTCPDSACKRecv TcpExtTCPSACKReorder");
    Some(finding.sized(Sizes::default()))
}

fn find_in_flow(flow: &Flow, view: &View) -> Option<Finding> {
    let again = flow.seen.retransmitted.unwrap_or(0.0);
    let spurious = flow.seen.spurious.unwrap_or(0.0);
    let seen = flow.seen.reordered.unwrap_or(0.0);
    let out_of_order = flow.seen.out_of_order;
    let many = out_of_order.is_some_and(|share| share > MIN_OUT_OF_ORDER_SHARE);
    let often = flow.is_often_reordered();
    let told = flow.seen.packets.is_empty() || flow.seen.spurious.is_none();
    if !(often && told || is_plain(flow)) || flow.fills(FULL_LINK_SHARE) == Some(true) {
        return None;
    }
    let by_sender = match spurious > 0.0 {
        true => format!("{} of {} retransmissions were spurious", show::count(spurious), show::count(again)),
        false => format!("the sender saw some overtake others {} times", show::count(seen)),
    };
    let says = format!(
        "Packet reordering: {} arrive out of order, {by_sender}. Measured {}.",
        out_of_order.map_or("some packets".into(), share),
        rate(flow.seen.goodput?)
    );
    let confidence = if often && many { Confidence::High } else { Confidence::Medium };
    let mut finding = Finding::problem(RULE.name, confidence, RULE.assumed, says)
        .at("reordering seen by the sender", show::count(seen), &flow.seen.place)
        .at("spurious retransmissions", show::count(spurious), &flow.seen.place)
        .at("retransmissions", show::count(again), &flow.seen.place);
    if let Some(out_of_order) = out_of_order {
        finding = finding.at("segments out of order", share(out_of_order), &flow.seen.place);
    }
    for device in bond::in_turns(view) {
        finding =
            finding.at(format!("bond {}", device.name), device.bond_mode.clone().unwrap_or_default(), &device.place);
    }
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow)))
}

/// Whether a capture shows reordering: one in twenty of the retransmissions is spurious, and more than one in a
/// thousand of the segments, without a timeout that would have retransmitted segments delayed in a queue. A hole after
/// a loss is filled by the retransmission alone.
fn is_plain(flow: &Flow) -> bool {
    let [all, again, spurious] =
        [flow.seen.segments_sent, flow.seen.retransmitted, flow.seen.spurious].map(Option::unwrap_or_default);
    let captured = !flow.seen.packets.is_empty() && flow.seen.reordered.is_some_and(|seen| seen > 0.0);
    let recovers = flow.seen.timeouts.is_none_or(|n| n == 0.0);
    captured
        && recovers
        && spurious >= MIN_SPURIOUS
        && spurious > MIN_SPURIOUS_SHARE * again
        && spurious > MIN_REORDERED_SHARE * all
}

/// Finds a bond that sends packets in turns, by its mode or by members that sent exactly as much.
fn of_bonds(view: &View) -> Option<Finding> {
    let (device, why) = bond::round_robin(view)?;
    let says = format!("A round-robin bond ({why}) reorders packets.");
    let finding = Finding::note(RULE.name, Confidence::Medium, says)
        .at("sign of balance-rr", why, &device.place)
        .ask("cat /proc/net/bonding/bond0; nstat -az TcpExtTCPSACKReorder TcpExtTCPDSACKRecv");
    Some(finding.sized(Sizes::default()))
}
