use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::lost_by_size;
use crate::diagnose::lost_by_size::{is_lost_whatever_its_size, is_stuck, written_ahead};
use crate::diagnose::path_facts;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::silence::TWO_TIMEOUTS_S;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use base::show::{self, bytes, rate, time};
use evidence::headers::{self, Ip};
use evidence::{Evidence, Path, Ping, Place, Seen};

/// Smallest number of timeouts without a full-size segment delivered.
const MIN_TIMEOUTS: f64 = 3.0;

/// Shortest time without anything for a receiver whose connection opened, seconds: twice the first timeout (RFC 6298, 2.1)
/// and what follows it.
const MIN_EMPTY_S: f64 = 3.0;

/// The rule.
pub const RULE: Rule = Rule {
    name: "mtu-black-hole",
    title: "MTU black hole: full-size packets vanish",
    needs: &[Need::PathMtu, Need::Retransmissions],
    model: "A link with a smaller MTU drops packets that may not be fragmented, and the ICMP error that would say so doesn't \
            come back (RFC 1191, RFC 2923). Small packets get through: the handshake completes, short responses arrive, \
            bulk data never does, and the same segment is retransmitted after every RTO. A smaller path MTU alone is \
            harmless: path MTU discovery lowers the segment size.",
    source: "RFC 2923, 2.1; RFC 4821; RFC 8899",
    thresholds: || {
        vec![
            (
                format!("no full-size segment delivered across {} or more RTOs", MIN_TIMEOUTS),
                "with random loss some would get through",
            ),
            (
                format!(
                    "or the sender wrote no more than one send buffer ({}), then stalled for seconds",
                    show::plain_bytes(lost_by_size::MAX_UNACKED_BYTES)
                ),
                "iperf3 counts bytes written, not delivered",
            ),
            ("or pings of one size pass and larger ones never do".into(), "size is then the only difference"),
            ("or MTU probing had to lower the segment size".into(), "the kernel itself found a black hole"),
            ("a path MTU below the sender's, with data flowing".into(), "a note: path MTU discovery works"),
        ]
    },
    confidence: "high with pings of two sizes, a traced path MTU or a lowered segment size; medium with RTOs alone",
    confirm: &["ping -M do -s 1472 HOST and ping -M do -s 1200 HOST (FreeBSD: ping -D)", "tracepath -n HOST"],
    alike: &[
        ("tunnel-mtu", "the tunnel is known, and so are the sizes"),
        ("packet-length", "larger packets get through again"),
        ("outage", "small packets don't get through either"),
        ("offload-forwarding", "a few segments arrive; a forwarding host merges them"),
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
    remedies: remedies::path_mtu,
    assumed: 0.9,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let of_flows = view.flows.iter().filter_map(|flow| find_in_flow(flow, view).or_else(|| starved(flow)));
    let Evidence { pings, paths, .. } = view.evidence;
    let found: Vec<Finding> = of_flows.chain(of_pings(pings)).chain(of_paths(paths)).collect();
    // The first of equals wins.
    let surest = found.into_iter().rev().max_by_key(|finding| (finding.severity, finding.confidence));
    surest.into_iter().collect()
}

/// Returns the length of a connection's packet less its payload, bytes.
fn headers(flow: &Flow) -> f64 {
    f64::from(flow.seen.ip().tcp()) + TIMESTAMP_BYTES
}

/// Number of full segments that excludes a black hole.
const MIN_PASSED_SEGMENTS: f64 = 50.0;

/// Returns the MSS and the advertised MSS if the kernel's MTU probing lowered the segment size.
fn lowered(flow: &Flow) -> Option<(f64, f64)> {
    let (mss, advertised) = (flow.seen.mss?, flow.seen.advmss?);
    let timeouts = flow.seen.timeouts.or(flow.seen.retransmitted).unwrap_or(0.0);
    // Path MTU discovery lowers the path MTU as well; probing leaves it.
    let by_icmp = flow.seen.pmtu.is_some_and(|pmtu| pmtu < advertised + headers(flow) - TIMESTAMP_BYTES);
    // If no segment of the first size arrived, any smaller size counts.
    let options = if began_silent(flow) == Some(true) { TIMESTAMP_BYTES } else { MAX_SACK_BYTES };
    (mss + options < advertised && timeouts >= 2.0 && !by_icmp).then_some((mss, advertised))
}

/// Whether no full segment arrived for a second or more from the start, before others did.
fn began_silent(flow: &Flow) -> Option<bool> {
    let sums = flow.seen.points.iter().scan(0.0, |sum, point| {
        *sum += point.bytes.unwrap_or(0.0);
        Some(*sum)
    });
    let before = sums.take_while(|sum| *sum < flow.mss).count();
    let last = flow.seen.points.get(before.checked_sub(1)?)?;
    Some(before < flow.seen.points.len() && last.time - flow.seen.span?[0] > TWO_TIMEOUTS_S)
}

/// Size of TCP timestamps, bytes.
const TIMESTAMP_BYTES: f64 = headers::TIMESTAMPS as f64;
/// Largest size of SACK blocks, bytes (RFC 2018); they lower the displayed MSS.
const MAX_SACK_BYTES: f64 = 40.0;
/// Smallest MTU that every IPv4 host accepts, bytes (RFC 791).
const MIN_IPV4_MTU: u32 = 576;

/// The largest packet that the path takes, with its source.
struct Limit<'a> {
    mtu: u32,
    from: &'static str,
    place: &'a Place,
}

/// Returns the smallest limit by pings of two sizes, an ICMP error, or a trace.
fn limit<'e>(flow: &Flow<'e>, evidence: &'e Evidence) -> Option<Limit<'e>> {
    let pings: Vec<&Ping> = path_facts::pings(flow.seen, evidence).collect();
    let pinged = sizes_by_ping(&pings).map(|(passed, _, ping)| Limit {
        mtu: passed.max(ping.ip().least_mtu()),
        from: "largest ping answered",
        place: &ping.place,
    });
    let told = |ping: &&'e Ping| Some(Limit { mtu: ping.too_big?, from: "MTU in an ICMP error", place: &ping.place });
    let refused = pings.iter().filter_map(told);
    let traced = evidence
        .paths
        .iter()
        .filter_map(|path| narrows(path).map(|(mtu, ..)| Limit { mtu, from: "path MTU, traced", place: &path.place }));
    pinged.into_iter().chain(refused).chain(traced).min_by_key(|limit| limit.mtu)
}

/// Returns the MTU of a traced path that is below the sender's, the first hop with it, and the sender's MTU.
fn narrows(path: &Path) -> Option<(u32, u32, u32)> {
    let (own, pmtu) = (path.mtus.first()?.1, path.pmtu?);
    let hop = path.mtus.iter().find(|(_, mtu)| *mtu == pmtu)?.0;
    (pmtu < own && pmtu >= MIN_IPV4_MTU).then_some((pmtu, hop, own))
}

/// Returns the largest answered ping, bytes; the smallest length that one host never answered nor refused, although it
/// fits an Ethernet frame and may not be fragmented, bytes; and that lost ping.
fn sizes_by_ping<'e>(pings: &[&'e Ping]) -> Option<(u32, u32, &'e Ping)> {
    let silent = |ping: &&&Ping| {
        let lost = ping.sent.is_some_and(|n| n > 0) && ping.answered == Some(0);
        let fits = ping.length().is_some_and(|length| length <= headers::MTU);
        lost && ping.whole && ping.too_big.is_none() && fits
    };
    pings.iter().filter(silent).find_map(|lost| {
        let same = |ping: &&&Ping| ping.target == lost.target && ping.answered.is_some_and(|n| n > 0);
        let passed = pings.iter().filter(same).filter_map(|ping| ping.length()).max()?;
        (passed < lost.length()? && passed >= MIN_IPV4_MTU).then_some((passed, lost.length()?, *lost))
    })
}

fn find_in_flow(flow: &Flow, view: &View) -> Option<Finding> {
    let smallest = limit(flow, view.evidence).filter(|limit| f64::from(limit.mtu) < flow.mss + headers(flow));
    let stuck = is_stuck(flow) || exchange_stuck(flow);
    let lowered = lowered(flow);
    // Full segments of other connections get through.
    let passes = |other: &Flow| {
        other.mss >= flow.mss && other.seen.bytes.is_some_and(|bytes| bytes > MIN_PASSED_SEGMENTS * other.mss)
    };
    let starts = || !view.group(flow).any(|other| written_ahead(other).is_none() && passes(other));
    let again = |end: f64| flow.seen.points.iter().any(|p| p.time > end && p.bytes.is_some_and(|bytes| bytes > 0.0));
    let rescued =
        written_ahead(flow).filter(|(.., end)| !stuck && starts() && (again(*end) || !is_lost_whatever_its_size(flow)));
    if !stuck && lowered.is_none() && rescued.is_none() {
        return None;
    }
    let confidence = if smallest.is_some() || lowered.is_some() { Confidence::High } else { Confidence::Medium };
    let says = match (lowered, flow.seen.goodput) {
        _ if rescued.is_some() && lowered.is_none() => {
            let (written, silence, end) = rescued.unwrap_or_default();
            let after = match again(end) {
                true => "; then data flows. MTU probing does that after RTOs, or a path that went down just then",
                false => ". A path that went down just then looks the same",
            };
            format!(
                "MTU black hole at the start: {} written, then nothing for {} though the connection was open{after}.",
                bytes(written),
                time(silence)
            )
        }
        (Some((mss, advertised)), Some(goodput)) => format!(
            "MTU black hole: full-size packets vanish; after RTOs MTU probing lowered the MSS from {advertised} to {mss} bytes. Measured {}.",
            rate(goodput)
        ),
        _ => match &smallest {
            Some(limit) => format!(
                "MTU black hole: the path takes packets of {} bytes, the connection sends up to {}, and none of those arrive.",
                limit.mtu,
                (flow.mss + headers(flow)).round()
            ),
            None => format!(
                "MTU black hole: the handshake and small packets get through, full-size segments never do{}.",
                match written_ahead(flow) {
                    Some((written, ..)) => format!(" ({} written, 0 delivered)", bytes(written)),
                    None => String::new(),
                }
            ),
        },
    };
    let mut finding = Finding::problem(RULE.name, confidence, 1.0, says)
        .figure(
            "segment size",
            format!("{} bytes", flow.mss),
            flow.seen.mss.map_or_else(|| "assumed, as of Ethernet".to_owned(), |_| flow.seen.place.to_string()),
        )
        .at(
            if flow.seen.timeouts.is_some() { "RTOs" } else { "retransmissions" },
            show::count(flow.seen.timeouts.or(flow.seen.retransmitted).unwrap_or(flow.events.len() as f64)),
            &flow.seen.place,
        );
    if let Some(silence) = flow.longest_silence() {
        finding = finding.at("longest stall", time(silence), &flow.seen.place);
    }
    match &smallest {
        Some(limit) => finding = finding.at(limit.from, format!("{} bytes", limit.mtu), limit.place),
        None => {
            finding = finding
                .ask(format!(
                    "{}: if only the small one is answered, it is the MTU; if both are, try the sender's MTU less {} (-s {} of \
                     9000), and where that is answered too something drops TCP's packets by length or content; if none is, the \
                     path is down",
                    flow.pings_by_size(),
                    flow.seen.ip().datagram(),
                    9000 - flow.seen.ip().datagram(),
                ))
                .doubt("A fault that drops packets of these lengths, or a firewall that drops the data, looks the same.");
        }
    }
    // Segments that pass, with their headers.
    let probed = lowered.map(|(mss, _)| (mss + headers(flow)) as u32);
    let proposed = match smallest.map(|limit| limit.mtu).or(probed) {
        Some(mtu) => remedies::path_mtu(&Sizes::for_flow(flow).with_mtu(mtu)),
        None => remedies::unknown_mtu(&Sizes::for_flow(flow)),
    };
    Some(finding.about_flow(flow).with_remedies(proposed))
}

/// Finds a receiver whose connection opened and got nothing.
fn starved(flow: &Flow) -> Option<Finding> {
    let seconds = flow.seconds.filter(|seconds| *seconds > MIN_EMPTY_S)?;
    if flow.seen.seen != Seen::Receiver || flow.seen.bytes != Some(0.0) || flow.seen.retransmitted.is_some() {
        return None;
    }
    let says = format!(
        "Nothing arrived in {} though the connection opened: an MTU black hole, which small packets pass, or the path went \
         down.",
        time(seconds)
    );
    let finding = Finding::problem(RULE.name, Confidence::Low, RULE.assumed, says)
        .at("bytes that arrived", "0", &flow.seen.place)
        .at("watched for", time(seconds), &flow.seen.place)
        .ask(format!("{} from the sender: the sizes that pass", flow.pings_by_size()));
    Some(finding.about_flow(flow).with_remedies(remedies::unknown_mtu(&Sizes::for_flow(flow))))
}

/// Whether requests were never answered, with timeouts, while the connection was open.
fn exchange_stuck(flow: &Flow) -> bool {
    let timeouts = flow.seen.timeouts.unwrap_or(0.0);
    let Some([start, end]) = flow.seen.span else { return false };
    // Bulk data that has flowed is stopped by an outage.
    if flow.seen.bytes.is_some_and(|bytes| bytes > 100.0 * flow.mss) || is_lost_whatever_its_size(flow) {
        return false;
    }
    timeouts >= MIN_TIMEOUTS && flow.longest_silence().is_some_and(|s| s > 0.6 * (end - start))
}

/// Finds a black hole by pings alone.
fn of_pings(pings: &[Ping]) -> Option<Finding> {
    let pings: Vec<&Ping> = pings.iter().collect();
    let (passed, lost, ping) = sizes_by_ping(&pings)?;
    let headers = ping.ip().datagram();
    let says = format!(
        "MTU black hole: packets of {} bytes get through, those of {} bytes vanish without an ICMP error.",
        passed, lost
    );
    let finding = Finding::problem(RULE.name, Confidence::High, RULE.assumed, says)
        .at("ping never answered", format!("{} bytes of payload", lost - headers), &ping.place)
        .figure("largest ping answered", format!("{} bytes of payload", passed - headers), "pings");
    let mtu = passed.max(ping.ip().least_mtu().min(lost - 1));
    Some(finding.sized(Sizes::default().towards(ping.address).with_mtu(mtu)))
}

/// Notes a smaller path MTU by a trace alone: a black hole is possible there, but none exists while path MTU discovery
/// works.
fn of_paths(paths: &[Path]) -> Option<Finding> {
    let narrowest = paths.iter().filter_map(|path| Some((path, narrows(path)?))).min_by_key(|(_, (mtu, ..))| *mtu);
    let (path, (mtu, hop, own)) = narrowest?;
    let says = format!(
        "Path MTU {mtu} from hop {hop} on, below the sender's {own}. Harmless while path MTU discovery works; where ICMP is \
         filtered, full-size packets vanish."
    );
    let finding = Finding::note(RULE.name, Confidence::High, says)
        .at("path MTU", format!("{mtu} bytes"), &path.place)
        .at("from hop", hop.to_string(), &path.place)
        .at("sender's MTU", format!("{own} bytes"), &path.place)
        .ask(format!(
            "ping -M do -s {} HOST: \"frag needed\" or \"message too long\" means discovery works, silence means a black hole",
            own - Ip::V4.datagram()
        ));
    let doubt = "The trace did not reach its target: the MTU beyond it is unknown.";
    Some(if path.reached { finding } else { finding.doubt(doubt) })
}
