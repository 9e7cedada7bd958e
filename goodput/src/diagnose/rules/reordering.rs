use crate::diagnose::cure;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::need::Need;
use crate::diagnose::rule::Rule;
use crate::diagnose::view::View;
use crate::show::{self, rate, share};

/// Segments out of order, without loss, from this share on.
const OUT_OF_ORDER: f64 = 0.01;

/// From so many times on that the sender saw reordering.
const SEEN: f64 = 5.0;

/// See its row.
pub const RULE: Rule = Rule {
    name: "reordering",
    title: "Packets overtake each other",
    needs: &[Need::Retransmissions],
    model: "Packets that arrive after later ones look lost for a while. RACK waits a quarter of the least RTT for them and \
            adapts; what exceeds it is retransmitted for nothing (D-SACK says so) and the window is reduced for nothing. \
            Bonds that send packets in turns do it.",
    source: "RFC 8985, 6.2; RFC 2883; Documentation/networking/bonding.rst (balance-rr)",
    thresholds: &[
        (
            "the sender saw reordering 5 times and for 0.1 % of its segments, and 1 % arrived out of order",
            "those behind a lost segment arrive out of order as well, but it does not arrive after them by itself",
        ),
        ("or half of the retransmissions were spurious", "D-SACK tells of each"),
    ],
    confidence: "high with the sender's count of reordering or D-SACKs, and out-of-order arrivals; medium with one of them",
    confirm: &[
        "nstat -az TcpExtTCPSACKReorder TcpExtTCPTSReorder TcpExtTCPDSACKRecv",
        "cat /proc/net/bonding/bond0",
        "ss -tin dst HOST (reordering, reord_seen, dsack_dups)",
    ],
    alike: &[("loss-response", "retransmissions are needed, no D-SACK comes"), ("packet-length", "losses by length")],
    explains: &["loss-response", "timeouts", "shallow-buffer", "slow-start-exit", "policer"],
    cure: cure::reordering,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let of_flows: Vec<Finding> = view.flows.iter().filter_map(|flow| of(flow, view)).collect();
    if of_flows.is_empty() { of_bonds(view).into_iter().collect() } else { of_flows }
}

fn of(flow: &Flow, view: &View) -> Option<Finding> {
    let again = flow.seen.retransmitted.unwrap_or(0.0);
    let spurious = flow.seen.spurious.unwrap_or(0.0);
    let seen = flow.seen.reordered.unwrap_or(0.0);
    let out_of_order = flow.seen.out_of_order;
    let for_nothing = again >= 3.0 && spurious > 0.5 * again;
    let many = out_of_order.is_some_and(|share| share > OUT_OF_ORDER);
    // RACK sees reordering where a segment that was passed over arrives unsent again: losses do not do that.
    let often = seen >= SEEN && seen > 0.001 * flow.seen.segments_sent.unwrap_or(f64::INFINITY);
    if !(often && out_of_order.is_none_or(|share| share > OUT_OF_ORDER) || for_nothing && (many || seen > 0.0)) {
        return None;
    }
    let says = format!(
        "Packets overtake each other: {} arrive out of order, {} of {} retransmissions are for nothing, and {} arrive.",
        out_of_order.map_or("some".into(), share),
        show::number(spurious),
        show::number(again),
        rate(flow.seen.goodput?)
    );
    let confidence = if often && many { Confidence::High } else { Confidence::Medium };
    let mut finding = Finding::problem(RULE.name, confidence, 0.5, says)
        .at("times that the sender saw reordering", show::number(seen), &flow.seen.place)
        .at("retransmissions for nothing (D-SACK)", show::number(spurious), &flow.seen.place)
        .at("retransmissions", show::number(again), &flow.seen.place);
    if let Some(out_of_order) = out_of_order {
        finding = finding.at("segments out of order", share(out_of_order), &flow.seen.place);
    }
    for device in bonds(view) {
        finding =
            finding.at(format!("bond {}", device.name), device.bond_mode.clone().unwrap_or_default(), &device.place);
    }
    Some(finding.of(flow).cured_by(cure::reordering(&cure::sizes(flow))))
}

fn bonds<'a>(view: &'a View) -> impl Iterator<Item = &'a evidence::Interface> + use<'a> {
    let devices = view.evidence.hosts.iter().flat_map(|host| &host.interfaces);
    devices.filter(|device| device.bond_mode.as_deref() == Some("balance-rr"))
}

/// A bond that sends packets in turns, by its mode or by members that sent exactly as much.
fn of_bonds(view: &View) -> Option<Finding> {
    let told = bonds(view).next().map(|device| (device, "mode balance-rr".to_owned()));
    let alike = || {
        view.evidence.hosts.iter().find_map(|host| {
            let sent = |device: &evidence::Interface| {
                device.counters.iter().find(|c| c.name == "TX-OK").map(|c| c.value).filter(|n| *n > 1000)
            };
            let members: Vec<_> = host.interfaces.iter().filter_map(|d| Some((d, sent(d)?))).collect();
            members.iter().enumerate().find_map(|(n, (device, count))| {
                let twin = members[n + 1..].iter().find(|(_, other)| other == count)?;
                Some((*device, format!("{} and {} sent {count} packets each", device.name, twin.0.name)))
            })
        })
    };
    let (device, why) = told.or_else(alike)?;
    let says = format!("A bond sends packets in turns over its members ({why}): they overtake each other.");
    let finding = Finding::note(RULE.name, Confidence::Medium, says)
        .at("sign of balance-rr", why, &device.place)
        .ask("cat /proc/net/bonding/bond0; nstat -az TcpExtTCPSACKReorder TcpExtTCPDSACKRecv");
    Some(finding.cured_by(cure::reordering(&Default::default())))
}
