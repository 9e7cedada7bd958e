use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::view::View;
use crate::show::{self, share};
use evidence::{Connection, Interface};

/// Kind of a device whose packets a program carries (`ip -d link`).
const TUN: &str = "tun";
/// OpenVPN's port, as the end of a connection's name (IANA).
const OPENVPN: &str = ":1194";

/// Smallest number of retransmissions, and the smallest spurious share of them.
const MIN_RETRANSMISSIONS: f64 = 3.0;
const NEEDLESS_SHARE: f64 = 0.9;

/// The rule.
pub const RULE: Rule = Rule {
    name: "tcp-over-tcp",
    title: "TCP over TCP: a tunnel that loses nothing and delivers late",
    needs: &[Need::Retransmissions, Need::Tunnels],
    model: "A tunnel over TCP repeats what the path loses, and everything behind it waits. The TCP inside meets no loss, so its \
            window grows and fills the tunnel's buffers; when the tunnel waits for a timeout it times out as well, and sends \
            again what the tunnel still holds.",
    source: "Honda et al., Understanding TCP over TCP, SPIE 6011, 2005; RFC 2883; OpenVPN's manual, --proto",
    thresholds: || {
        vec![
            ("a tun device".into(), "a program carries its packets: OpenVPN, ssh -w"),
            (
                format!(
                    "{} or more retransmissions, {} of them for nothing (D-SACK)",
                    MIN_RETRANSMISSIONS,
                    show::plain_share(NEEDLESS_SHARE)
                ),
                "over UDP what is sent again is mostly what the path has lost",
            ),
        ]
    },
    confidence: "high with a TCP connection to port 1194 beside it, which is OpenVPN's; medium without, if the sender saw no reordering",
    confirm: &[
        "ss -tinp 'dport = :1194 or sport = :1194' on the host with the tun device: the tunnel's own retransmissions",
        "grep -E '^ *proto' /etc/openvpn/*.conf; ps -C ssh -o args",
    ],
    alike: &[
        ("timeouts", "retransmissions are needed"),
        ("reordering", "packets overtake each other, and nothing waits"),
        ("bufferbloat", "the queue is a device's on the way, not the tunnel's"),
    ],
    explains: &["bufferbloat", "cross-traffic", "timeouts", "outage", "reordering", "loss-response", "slow-start-exit"],
    remedies: remedies::tunnel_transport,
    assumed: 0.5,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let devices = view.evidence.hosts.iter().flat_map(|host| &host.interfaces);
    let Some(device) = devices.into_iter().find(|device| device.kind.as_deref() == Some(TUN)) else { return vec![] };
    let carrier = view.evidence.connections.iter().find(|seen| is_openvpn(seen));
    let inside = view.flows.iter().filter(|flow| !is_openvpn(flow.seen));
    inside.filter_map(|flow| of(flow, device, carrier)).collect()
}

fn is_openvpn(seen: &Connection) -> bool {
    seen.name.split(" > ").any(|end| end.ends_with(OPENVPN))
}

fn of(flow: &Flow, device: &Interface, carrier: Option<&Connection>) -> Option<Finding> {
    let (again, needless) = flow.seen.retransmitted.zip(flow.seen.spurious)?;
    let is_needless = again >= MIN_RETRANSMISSIONS && needless >= NEEDLESS_SHARE * again;
    if !is_needless || carrier.is_none() && flow.seen.reordered.is_some_and(|seen| seen > 0.0) {
        return None;
    }
    let confidence = if carrier.is_some() { Confidence::High } else { Confidence::Medium };
    let says = format!(
        "TCP over TCP: {} of {} retransmissions through {} were for nothing, since the tunnel held what they repeat.",
        show::count(needless),
        show::count(again),
        device.name
    );
    let finding = Finding::problem(RULE.name, confidence, RULE.assumed, says)
        .at("retransmissions", show::count(again), &flow.seen.place)
        .at("of these for nothing", share(needless / again), &flow.seen.place)
        .at("tun device", device.name.clone(), &device.place);
    let finding = match carrier {
        Some(carrier) => {
            let own = carrier.retransmitted.map_or("a number not shown".into(), show::count);
            finding.at("sent again by the tunnel's TCP", own, &carrier.place)
        }
        None => finding
            .doubt("A tunnel over UDP on a path that stalls for longer than the RTO looks the same.")
            .ask("ss -tinp on the host with the tun device: a connection of openvpn or ssh"),
    };
    Some(finding.of(flow).with_remedies(remedies::tunnel_transport(&Default::default())))
}
