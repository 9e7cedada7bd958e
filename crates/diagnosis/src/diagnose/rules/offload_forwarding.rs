use crate::diagnose::best_view;
use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::rate_regularity;
use crate::diagnose::rate_regularity::Seconds;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use base::model::FULL_LINK_SHARE;
use base::show::{self, rate, share};
use evidence::import::iperf::summary;
use evidence::listing::Listing;
use evidence::{Evidence, Host, Interface, Offload, Packet, System};

/// Smallest ratio of the goodput of the host's own connections to that of forwarded ones.
const MIN_SLOWDOWN_RATIO: f64 = 10.0;
/// Time within which segments may be merged, seconds: interrupts are seldom delayed for longer.
const MAX_TRAIN_GAP_S: f64 = 1e-3;
/// Smallest number of loss runs, largest share of them with a single segment, and smallest number of segments sent
/// alone.
const MIN_LOSS_RUNS: usize = 10;
const MAX_SINGLE_LOSS_SHARE: f64 = 0.02;
const MIN_LONE_SEGMENTS: usize = 20;
/// Largest share of the link, and largest number of segments per round trip, that merging leaves.
const MAX_REMAINING_LINK_SHARE: f64 = 0.05;
const MAX_REMAINING_SEGMENTS: f64 = 8.0;

/// The rule.
pub const RULE: Rule = Rule {
    name: "offload-forwarding",
    title: "LRO on a host that bridges or routes",
    needs: &[Need::Retransmissions, Need::Offloads],
    model: "LRO merges received segments into packets larger than the MTU and discards their boundaries. A host that \
            bridges or routes cannot split them again: they are dropped as oversized, a whole burst at a time. The host's own \
            connections are fast.",
    source: "FreeBSD ifnet(9), tcp_lro; net/core/dev.c (dev_disable_lro); the LRO jail (docs/examples.md); vmware/open-vm-tools issue 166",
    thresholds: || {
        vec![
            (
                "LRO is on at an interface of a host that bridges or routes".into(),
                "LRO must be off on hosts that forward",
            ),
            (
                format!(
                    "or a capture with {} runs of losses or more, at most {} of them of one segment, the others of \
                     segments that left within {} of each other, no loss among {} or more that left alone, on a line \
                     that is not full",
                    MIN_LOSS_RUNS,
                    show::plain_share(MAX_SINGLE_LOSS_SHARE),
                    show::plain_time(MAX_TRAIN_GAP_S),
                    MIN_LONE_SEGMENTS
                ),
                "other losses take single segments as well, 15 % of the runs and more; coalescing waits no longer",
            ),
            (
                format!(
                    "or in each of {} seconds and more losses, a rate that varies less than random ones would let it, \
                     below {} of the line's, and a cwnd below {} segments",
                    rate_regularity::MIN_REGULAR_SECONDS,
                    show::plain_share(MAX_REMAINING_LINK_SHARE),
                    MAX_REMAINING_SEGMENTS
                ),
                "as of a policer; which seldom allows so little",
            ),
            (
                format!(
                    "or on the same path a bridged guest gets {} times less than its host, with retransmissions",
                    MIN_SLOWDOWN_RATIO
                ),
                "nothing else on the path differs",
            ),
        ]
    },
    confidence: "high with LRO on and a connection that suffers; medium from packets, or from two listings of one document that differ tenfold or more, low from two files or from figures of seconds; a note where nothing suffers",
    confirm: &[
        "ifconfig DEVICE -lro -tso4 -tso6 -vlanhwtso, then run again",
        "tcpdump -ni BRIDGE greater 1515: frames beyond the MTU",
        "ethtool -k DEVICE | grep large-receive",
    ],
    alike: &[
        ("mtu-black-hole", "no full-size packet gets through at all"),
        ("cpu-bound", "a CPU at 100 %"),
        ("loss-response", "the host's own connections are slow, too"),
    ],
    explains: &[
        "timeouts",
        "loss-response",
        "mtu-black-hole",
        "reordering",
        "shallow-buffer",
        "slow-start-exit",
        "policer",
        "rate-cap",
        "few-samples",
        "outage",
        "application-limited",
        "receiver-window",
        "bufferbloat",
    ],
    remedies: remedies::forwarding,
    assumed: 0.95,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let found = of_hosts(view).or_else(|| of_packets(view)).or_else(|| of_seconds(view));
    found.or_else(|| of_listings(view)).into_iter().collect()
}

const LRO_NAME: &str = "large-receive-offload";

/// An interface that merges packets irreversibly.
struct Merging<'a> {
    /// The host, once from the file with its offloads and once from the file with its forwarding; mostly the same.
    hosts: [&'a Host; 2],
    device: &'a Interface,
    offload: &'a Offload,
    does: &'static str,
}

/// Returns an interface of a host that forwards. One file has the offloads and another, or the same, the forwarding.
fn merging<'a>(host: &'a Host, forwarder: &'a Host) -> Option<Merging<'a>> {
    let bridges = forwarder.interfaces.iter().any(|device| device.kind.as_deref() == Some("bridge"));
    let routes = ["net.ipv4.ip_forward", "net.inet.ip.forwarding", "net.ipv6.conf.all.forwarding"]
        .iter()
        .any(|key| forwarder.setting(key).is_some_and(|setting| setting.value == "1"));
    let does = if bridges { "bridges" } else { "routes" };
    let own = |device: &Interface| forwarder.interfaces.iter().find(|known| known.name == device.name);
    let apart = host.place.file != forwarder.place.file && host.end.is_none() && forwarder.end.is_none();
    let is_one = |known: &Interface| std::ptr::eq(host, forwarder) || apart && known.offloads.is_empty();
    let forwards = |known: &Interface| is_one(known) && (routes || bridges && known.master.is_some());
    let on = |device: &'a Interface| device.offloads.iter().find(|offload| offload.name == LRO_NAME && offload.on);
    let devices = host.interfaces.iter().filter_map(|device| Some((device, on(device)?)));
    let (device, offload) = devices.into_iter().find(|(device, _)| own(device).is_some_and(forwards))?;
    Some(Merging { hosts: [host, forwarder], device, offload, does })
}

fn suffers(flow: &&Flow) -> bool {
    flow.retransmitted().is_some_and(|r| r > 0.005) || flow.seen.timeouts.is_some_and(|n| n > 0.0)
}

fn of_hosts(view: &View) -> Option<Finding> {
    let hosts = &view.evidence.hosts;
    let joined = || hosts.iter().find_map(|host| hosts.iter().find_map(|other| merging(host, other)));
    let Merging { hosts: [host, forwarder], device, offload, does } =
        hosts.iter().find_map(|host| merging(host, host)).or_else(joined)?;
    let is_one = std::ptr::eq(host, forwarder);
    let flow = view
        .flows
        .iter()
        .filter(suffers)
        .min_by(|a, b| a.seen.goodput.unwrap_or(0.0).total_cmp(&b.seen.goodput.unwrap_or(0.0)));
    let says = match flow {
        Some(flow) => format!(
            "LRO is on at {1} of {0}, which {does} packets: {2} get through.",
            host.place.file,
            device.name,
            rate(flow.seen.goodput?)
        ),
        None => format!(
            "LRO is on at {1} of {0}, which {does} packets: what it merges is too big to forward.",
            host.place.file, device.name
        ),
    };
    let finding = match flow {
        Some(_) if is_one => Finding::problem(RULE.name, Confidence::High, RULE.assumed, says),
        Some(_) => Finding::problem(RULE.name, Confidence::Medium, RULE.assumed, says),
        // No affected connection was observed.
        None => Finding::note(RULE.name, Confidence::Medium, says),
    };
    let mut finding = finding.at("large-receive-offload", format!("on at {}", device.name), &offload.place).at(
        "the host",
        does,
        &forwarder.place,
    );
    if !is_one {
        let files = [host, forwarder].map(|host| host.place.file.to_string()).join(" and ");
        finding = finding
            .doubt(format!("goodput assumes that {files} come from one host, because both name {}.", device.name));
    }
    if let Some(flow) = flow {
        finding = finding.at("retransmitted", share(flow.retransmitted()?), &flow.seen.place).about_flow(flow);
    }
    Some(finding.sized(flow.map(Sizes::for_flow).unwrap_or_default().on(host, &device.name)))
}

/// Counts a connection's lost packets by the packets that left next to them.
#[derive(Default)]
struct Trains {
    /// Runs of losses, each within a train, and the number of those with a single segment.
    runs: usize,
    single: usize,
    /// Segments that left alone, and the number of those lost.
    alone: usize,
    alone_lost: usize,
}

impl Trains {
    fn from_packets(packets: &[Packet]) -> Trains {
        let mut trains = Trains::default();
        for train in packets.chunk_by(|a, b| b.time - a.time < MAX_TRAIN_GAP_S) {
            trains.alone += usize::from(train.len() == 1);
            trains.alone_lost += usize::from(train.len() == 1 && train[0].lost);
            for run in train.chunk_by(|a, b| a.lost == b.lost).filter(|run| run[0].lost) {
                trains.runs += 1;
                trains.single += usize::from(run.len() == 1);
            }
        }
        trains
    }

    fn are_merged(&self) -> bool {
        self.runs >= MIN_LOSS_RUNS
            && self.single as f64 <= MAX_SINGLE_LOSS_SHARE * self.runs as f64
            && self.alone >= MIN_LONE_SEGMENTS
            && self.alone_lost == 0
    }
}

/// Finds losses that take segments sent together, while segments sent alone arrive.
fn of_packets(view: &View) -> Option<Finding> {
    let of = |flow: &Flow| Some(Trains::from_packets(&flow.seen.packets)).filter(Trains::are_merged);
    let is_open = |flow: &&Flow| flow.fills(FULL_LINK_SHARE) != Some(true) && !best_view::is_outseen(flow, &view.flows);
    let open = view.flows.iter().filter(is_open);
    let (flow, trains) = open.filter_map(|flow| Some((flow, of(flow)?))).next()?;
    let says = format!(
        "Packets are merged and dropped on the path: only segments sent back to back are lost, none of the {} sent \
         alone. Goodput is {}. LRO on a host that bridges or routes does this.",
        show::count(trains.alone as f64),
        rate(flow.seen.goodput?)
    );
    let finding = Finding::problem(RULE.name, Confidence::Medium, RULE.assumed, says)
        .at("runs of losses", show::count(trains.runs as f64), &flow.seen.place)
        .at("of a single segment", show::count(trains.single as f64), &flow.seen.place)
        .at("segments that left alone", show::count(trains.alone as f64), &flow.seen.place)
        .at("of them lost", show::count(trains.alone_lost as f64), &flow.seen.place)
        .ask("ethtool -k DEVICE and ip -d link, or ifconfig -a, on each host that routes or bridges on the path");
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow)))
}

/// Finds losses too regular for random ones that leave almost no goodput.
fn of_seconds(view: &View) -> Option<Finding> {
    let regular = |flow: &Flow| Seconds::from_flow(flow).filter(|seconds| seconds.are_regular());
    let window = |flow: &Flow| flow.median(|point| point.cwnd).filter(|cwnd| *cwnd < MAX_REMAINING_SEGMENTS * flow.mss);
    let slow = view
        .flows
        .iter()
        .filter(|flow| flow.expected().is_some() && flow.fills(MAX_REMAINING_LINK_SHARE) == Some(false));
    let mut open = slow.filter(|flow| !flow.is_limited());
    let (flow, window, seconds) = open.find_map(|flow| Some((flow, window(flow)?, regular(flow)?)))?;
    let says = format!(
        "{} of the segments are lost, too regularly for random losses, and {} of {} get through. LRO on a host that bridges or \
         routes does this: it drops what leaves together.",
        share(seconds.lost),
        rate(flow.seen.goodput?),
        rate(flow.expected()?.value)
    );
    let finding = Finding::problem(RULE.name, Confidence::Low, RULE.assumed, says)
        .at("lost", share(seconds.lost), &flow.seen.place)
        .at("seconds with losses", share(seconds.lossy), &flow.seen.place)
        .figure("rates of seconds vary by", share(seconds.varies), "standard deviation")
        .at("median cwnd", show::bytes(window), &flow.seen.place)
        .doubt("A policer at this rate looks the same; a capture at the sender tells them apart.")
        .ask("ethtool -k DEVICE and ip -d link, or ifconfig -a, on each host that routes or bridges on the path");
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow)))
}

/// Compares two listings of the same path that differ tenfold or more, the slow one with a higher retransmitted share.
fn of_listings(view: &View) -> Option<Finding> {
    let listings = &view.evidence.listings;
    let told = |listing: &Listing| {
        Some((summary::goodput(listing)?.rate.value, summary::retransmitted(listing)?.share().value))
    };
    let known: Vec<_> = listings.iter().filter_map(|printed| Some((printed, told(&printed.listing)?))).collect();
    let (fast, (fast_rate, fast_again)) = known.iter().max_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
    let (slow, (slow_rate, slow_again)) = known.iter().min_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
    let factor = fast_rate / slow_rate;
    let same =
        fast.listing.streams.len() == slow.listing.streams.len() && fast.listing.congestion == slow.listing.congestion;
    // If nothing arrives at all, merging is not the cause.
    if !factor.is_finite() || factor < MIN_SLOWDOWN_RATIO || !same || *slow_again < 0.05 || slow_again < fast_again {
        return None;
    }
    let says = format!(
        "Same path, {} vs {} ({} times), with {} retransmissions on the slow one. LRO on a bridging or routing host does this; no \
         TCP setting helps.",
        rate(*slow_rate),
        rate(*fast_rate),
        show::number(factor),
        share(*slow_again)
    );
    let mentions = offloads_told(view.evidence);
    // Listings of one document concern one path; those of several files may not.
    let confidence = if fast.place.file == slow.place.file { Confidence::Medium } else { Confidence::Low };
    let mut finding = Finding::problem(RULE.name, confidence, RULE.assumed, says)
        .at("slow run", rate(*slow_rate), &slow.place)
        .at("fast run", rate(*fast_rate), &fast.place)
        .at("retransmitted by the slow one", share(*slow_again), &slow.place)
        .at("retransmitted by the fast one", share(*fast_again), &fast.place)
        .doubt("The figures don't show that the slow one passes a bridge or router on the fast one's host.")
        .ask(
            "ifconfig -a on the host (FreeBSD), or ethtool -k DEVICE and ip -d link: LRO on a bridge member settles it",
        );
    if let Some((device, on)) = mentions {
        finding = finding.at(
            "large-receive-offload",
            format!("{} at {}", if on { "on" } else { "off" }, device.name),
            &device.place,
        );
    }
    let mut sizes = Sizes::default();
    let freebsd = |host: &&Host| host.settings.iter().any(|setting| setting.key.starts_with("net.inet."));
    if view.evidence.hosts.iter().any(|host| freebsd(&host)) {
        sizes.platforms.retain(|platform| platform.system == System::FreeBsd);
    }
    let finding = finding.sized(sizes);
    Some(match view.flows.iter().find(|flow| flow.seen.place == slow.place) {
        Some(flow) => finding.about_flow(flow),
        None => finding,
    })
}

fn offloads_told(evidence: &Evidence) -> Option<(&Interface, bool)> {
    evidence.hosts.iter().flat_map(|host| &host.interfaces).find_map(|device| Some((device, device.offload(LRO_NAME)?)))
}
