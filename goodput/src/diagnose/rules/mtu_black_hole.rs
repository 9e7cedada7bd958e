use crate::diagnose::cure;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::need::Need;
use crate::diagnose::rule::Rule;
use crate::diagnose::view::View;
use crate::show::{self, rate, time};
use evidence::Ping;
use evidence::headers::{self, Ip};

/// Nothing that arrives for so many seconds is no pause of a window.
pub const SILENT: f64 = 1.0;

/// See its row.
pub const RULE: Rule = Rule {
    name: "mtu-black-hole",
    title: "Full-size packets vanish on the path",
    needs: &[Need::PathMtu, Need::Retransmissions],
    model: "A link with a smaller MTU drops packets that may not be fragmented, and the ICMP error that would say so does \
            not come back (RFC 1191, RFC 2923). Small packets pass: the connection opens, short answers arrive, bulk \
            data never does, and the same segment is sent again after every timeout.",
    source: "RFC 2923, 2.1; RFC 4821; RFC 8899",
    thresholds: &[
        ("no full segment was ever delivered, in 3 timeouts or more", "random loss lets one of them pass"),
        ("or pings of one size pass and larger ones never do", "the size is then the only difference"),
        ("or MTU probing had to lower the segment size", "the kernel itself found a black hole"),
    ],
    confidence: "high with pings of two sizes or a lowered segment size; medium with timeouts alone",
    confirm: &["ping -M do -s 1472 HOST and ping -M do -s 1200 HOST (FreeBSD: ping -D)", "tracepath -n HOST"],
    alike: &[
        ("tunnel-mtu", "the tunnel is known: then the sizes are, too"),
        ("packet-length", "larger packets pass again"),
        ("outage", "small packets do not pass either"),
        ("offload-forwarding", "a few segments arrive; the host that forwards merges them"),
    ],
    explains: &[
        "timeouts",
        "outage",
        "loss-response",
        "application-limited",
        "slow-start-exit",
        "nagle-delayed-ack",
        "idle-restart",
        "short-flows",
        "receiver-window",
        "bufferbloat",
    ],
    cure: cure::path_mtu,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let of_flows = view.flows.iter().filter_map(|flow| of(flow, view));
    of_flows.chain(of_pings(&view.evidence.pings)).take(1).collect()
}

/// Whether full segments never arrive: nothing acknowledged beyond what small ones carry, and timeouts.
pub fn is_stuck(flow: &Flow) -> bool {
    // Where nothing is acknowledged, each retransmission is a timeout's.
    let timeouts = flow.seen.timeouts.or(flow.seen.retransmitted).unwrap_or(0.0);
    let delivered = flow.seen.bytes.is_some_and(|bytes| bytes < flow.mss);
    let silent = flow.longest_silence().is_some_and(|s| s > SILENT);
    delivered && timeouts >= 3.0 && silent && flow.seen.retransmitted.is_some_and(|n| n >= 3.0)
}

/// Whether the kernel's MTU probing has lowered the segment size below what the connection began with.
fn lowered(flow: &Flow) -> Option<(f64, f64)> {
    let (mss, advertised) = (flow.seen.mss?, flow.seen.advmss?);
    let timeouts = flow.seen.timeouts.unwrap_or(0.0);
    (mss + 100.0 < advertised && timeouts >= 2.0).then_some((mss, advertised))
}

/// Headers of IPv4 and ICMP, bytes.
const PING: u32 = Ip::V4.datagram();
/// The least MTU that every IPv4 host takes (RFC 791), bytes.
const LEAST: u32 = 576;

/// The largest payload of pings that were answered, and the least that may not be fragmented, has room in an Ethernet
/// frame, and never was, without any error: of the same host.
pub fn sizes_by_ping(pings: &[Ping]) -> Option<(u32, u32)> {
    let silent = |ping: &&Ping| {
        let lost = ping.sent.is_some_and(|n| n > 0) && ping.answered == Some(0);
        lost && ping.whole && ping.too_big.is_none() && ping.payload.is_some_and(|size| size + PING <= headers::MTU)
    };
    pings.iter().filter(silent).find_map(|lost| {
        let same = |ping: &&Ping| ping.target == lost.target && ping.answered.is_some_and(|n| n > 0);
        let passed = pings.iter().filter(same).filter_map(|ping| ping.payload).max()?;
        (passed < lost.payload? && passed + PING >= LEAST).then_some((passed, lost.payload?))
    })
}

fn of(flow: &Flow, view: &View) -> Option<Finding> {
    let sizes = sizes_by_ping(&view.evidence.pings);
    let stuck = is_stuck(flow) || exchange_stuck(flow);
    let lowered = lowered(flow);
    if !stuck && lowered.is_none() {
        return None;
    }
    let confidence = if sizes.is_some() || lowered.is_some() { Confidence::High } else { Confidence::Medium };
    let says = match (lowered, flow.seen.goodput) {
        (Some((mss, advertised)), Some(goodput)) => format!(
            "Full-size packets vanish on the path: after timeouts MTU probing went from segments of {advertised} to {mss} bytes, and {} arrive.",
            rate(goodput)
        ),
        _ => "Full-size packets vanish on the path: the connection opens, small packets pass, and no full segment arrives.".into(),
    };
    let mut finding = Finding::problem(RULE.name, confidence, 1.0, says)
        .at("segment size", format!("{} bytes", flow.mss), &flow.seen.place)
        .at("timeouts", show::number(flow.seen.timeouts.unwrap_or(flow.events.len() as f64)), &flow.seen.place);
    if let Some(silence) = flow.longest_silence() {
        finding = finding.at("longest time without a byte", time(silence), &flow.seen.place);
    }
    finding = with_sizes(finding, view);
    // Segments that pass, with the headers of IPv4 and TCP and its timestamps.
    let probed = lowered.map(|(mss, _)| (mss as u32).saturating_add(Ip::V4.tcp() + headers::TIMESTAMPS));
    let cures = match sizes.map(|(passed, _)| passed + PING).or(probed) {
        Some(mtu) => cure::path_mtu(&cure::of_mtu(&cure::sizes(flow), Some(mtu))),
        None => cure::unknown_mtu(&cure::sizes(flow)),
    };
    Some(finding.of(flow).cured_by(cures))
}

/// Requests that were sent and never answered, with timeouts, while the connection is open.
fn exchange_stuck(flow: &Flow) -> bool {
    let timeouts = flow.seen.timeouts.unwrap_or(0.0);
    let silent = flow.longest_silence().is_some_and(|s| s > SILENT);
    let Some([start, end]) = flow.seen.span else { return false };
    // Bulk data that has flowed is stopped by an outage.
    if flow.seen.bytes.is_some_and(|bytes| bytes > 100.0 * flow.mss) {
        return false;
    }
    timeouts >= 3.0 && silent && flow.longest_silence().is_some_and(|s| s > 0.6 * (end - start))
}

fn with_sizes(finding: Finding, view: &View) -> Finding {
    let told = view.evidence.pings.iter().find_map(|ping| Some((ping.too_big?, &ping.place)));
    let finding = match told {
        Some((mtu, place)) => finding.at("MTU that an ICMP error tells", format!("{mtu} bytes"), place),
        None => finding,
    };
    match sizes_by_ping(&view.evidence.pings) {
        Some((passed, lost)) => finding
            .figure("largest ping that was answered", format!("{passed} bytes of payload"), "pings")
            .figure("smallest that never was", format!("{lost} bytes of payload"), "pings"),
        None => finding.ask("ping -M do -s 1472 HOST and ping -M do -s 1200 HOST: the sizes that pass"),
    }
}

/// Pings alone.
fn of_pings(pings: &[Ping]) -> Option<Finding> {
    let (passed, lost) = sizes_by_ping(pings)?;
    let place = &pings.iter().find(|ping| ping.payload == Some(lost))?.place;
    let says = format!("Packets of {} bytes pass the path, and of {} bytes do not.", passed + PING, lost + PING);
    let finding = Finding::problem(RULE.name, Confidence::High, 0.9, says)
        .at("pings that were never answered", format!("{lost} bytes of payload"), place)
        .figure("largest that were answered", format!("{passed} bytes of payload"), "pings");
    Some(finding.cured_by(cure::path_mtu(&cure::of_mtu(&Default::default(), Some(passed + PING)))))
}
