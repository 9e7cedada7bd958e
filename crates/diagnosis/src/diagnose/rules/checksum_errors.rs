use super::damaged_frames::most;
use crate::diagnose::finding::{Confidence, Finding, Severity};
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::view::View;
use base::show::{self, share};
use evidence::{CHECKSUM_FAILURE, Counter, CounterKind, Host, SUSPECT_GRO};

/// Share of segments with a wrong checksum from which losses limit a transfer: it leaves Reno and CUBIC a window of 122
/// segments, over 20 ms 70 Mbit/s (RFC 9438, table 1).
const MIN_LIMITING_SHARE: f64 = 1e-4;
/// Share of them that is none of chance: with two bytes of checksum behind the four of the frame, one damaged frame in
/// 2^32 comes through, and of those a wrong checksum is nearly all.
const MIN_WRONG_SHARE: f64 = 1e-6;
/// Fewest segments with a wrong checksum; a port scan sends some.
const MIN_WRONG_SEGMENTS: u64 = 10;
/// Share of goodput that they cost where they limit.
const ASSUMED_COST: f64 = 0.5;

/// The rule.
pub const RULE: Rule = Rule {
    name: "checksum-errors",
    title: "Wrong checksums in whole frames",
    needs: &[],
    model: "A segment whose checksum is wrong is dropped without a word. Where its frame came whole, the line is sound: what wrote the \
            frame computed the check sequence over wrong data. That is a card or driver that leaves the checksum to be filled in \
            later and then does not (checksum offload, above all in bridges and virtual machines), one that merges segments \
            wrongly, or a device with faulty memory on the way.",
    source: "RFC 9293, 3.1; Stone and Partridge, When the CRC and TCP checksum disagree, SIGCOMM 2000; Linux, \
             Documentation/networking/checksum-offloads.rst; net/core/dev.c (netdev_rx_csum_fault), net/ipv4/tcp_input.c \
             (tcp_gro_dev_warn)",
    thresholds: || {
        vec![
            (
                format!(
                    "TCP counts {} segments with a wrong checksum, and {} of all",
                    MIN_WRONG_SEGMENTS,
                    show::plain_share(MIN_WRONG_SHARE)
                ),
                "no damage of a line comes through both checks that often",
            ),
            (
                "or a card counts as many packets with a wrong checksum".into(),
                "a note: its driver hands them on for TCP to judge",
            ),
            ("or the kernel logs that card or driver computes or merges wrongly".into(), "it checks what they say"),
            (
                format!(
                    "a problem from {} of the segments on, before that a note",
                    show::plain_share(MIN_LIMITING_SHARE)
                ),
                "fewer losses leave a window of more than 122 segments",
            ),
        ]
    },
    confidence: "high if TCP's counter grew between two listings of the file; else medium, since it counts since boot; low for a card's \
                 counter and for a share that limits nothing",
    confirm: &[
        "nstat -z TcpInCsumErrors before and after the slow transfer",
        "ethtool -K DEVICE tx off at the sender, then the same again; ethtool -K DEVICE rx off gro off lro off at the receiver",
    ],
    alike: &[
        ("damaged-frames", "the frames themselves come damaged: a counter of crc or fcs grows"),
        ("offload-forwarding", "segments are merged while they are forwarded, and their checksums are right"),
    ],
    explains: &["loss-response", "timeouts", "shallow-buffer", "policer", "outage", "mtu-black-hole"],
    remedies: remedies::checksums,
    assumed: ASSUMED_COST,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    view.evidence
        .hosts
        .iter()
        .filter_map(|host| by_tcp(host).or_else(|| by_card(host)).or_else(|| logged(host)))
        .collect()
}

/// Finds segments that TCP dropped for their checksum.
fn by_tcp(host: &Host) -> Option<Finding> {
    let of = |name: &str| host.counters.iter().find(|counter| counter.name == name);
    let wrong = of("TcpInCsumErrors").filter(|wrong| wrong.counted() >= MIN_WRONG_SEGMENTS)?;
    // TcpInSegs counts them too (net/ipv4/tcp_ipv4.c, tcp_v4_rcv).
    let all = of("TcpInSegs")?.counted().max(wrong.counted());
    let part = wrong.counted() as f64 / all as f64;
    if part < MIN_WRONG_SHARE {
        return None;
    }
    let says = format!(
        "{} of {} segments came with a wrong checksum and were dropped ({}): what sent them, or a device on the way, computed it \
         wrongly or changed them after.",
        show::count(wrong.counted() as f64),
        show::count(all as f64),
        share(part)
    );
    let grew = wrong.was.is_some_and(|was| was < wrong.value);
    let mut finding = found(says, wrong, if grew { Confidence::High } else { Confidence::Medium });
    if part < MIN_LIMITING_SHARE {
        (finding.confidence, finding.severity) = (Confidence::Low, Severity::Note);
    }
    if !grew {
        finding = finding
            .doubt("The counter runs since boot: it may be of an old fault.")
            .ask("nstat -z TcpInCsumErrors before and after the transfer");
    }
    Some(finding)
}

/// Finds packets that a card marked.
fn by_card(host: &Host) -> Option<Finding> {
    let marked = |counter: &&Counter| counter.counted() >= MIN_WRONG_SEGMENTS;
    let (device, wrong, part) = host.interfaces.iter().find_map(|device| {
        let wrong = most(device, CounterKind::WrongChecksums).filter(marked)?;
        let all = most(device, CounterKind::ReceivedFrames)?.counted().max(wrong.counted());
        Some((device, wrong, wrong.counted() as f64 / all as f64))
    })?;
    let says = format!(
        "{} packets came to {} whole and with a wrong checksum, as its card counts ({}).",
        show::count(wrong.counted() as f64),
        device.name,
        share(part)
    );
    let mut finding = found(says, wrong, Confidence::Low)
        .doubt("Cards count some packets that are right: fragments, and protocols that they do not know.")
        .ask("nstat -z TcpInCsumErrors UdpInCsumErrors: what the kernel dropped of them");
    finding.severity = Severity::Note;
    (part >= MIN_WRONG_SHARE).then_some(finding)
}

/// Finds what the kernel said of a card or its driver.
fn logged(host: &Host) -> Option<Finding> {
    let of = |name: &str| host.counters.iter().find(|counter| counter.name == name);
    if let Some(failed) = of(CHECKSUM_FAILURE) {
        let times = show::count(failed.value as f64);
        let says = format!(
            "The kernel found a packet right whose checksum the card had computed as wrong ({times} lines of the log): the card or \
             its driver computes it wrongly."
        );
        return Some(found(says, failed, Confidence::Medium));
    }
    let suspect = of(SUSPECT_GRO)?;
    let says = "The kernel suspects a driver of merging segments wrongly (GRO): TCP then acknowledges too late or too seldom. It says \
                so once, however often it happens.";
    let mut finding = found(says.into(), suspect, Confidence::Low);
    finding.severity = Severity::Note;
    Some(finding)
}

fn found(says: String, counter: &Counter, confidence: Confidence) -> Finding {
    Finding::problem(RULE.name, confidence, RULE.assumed, says)
        .at(counter.name.clone(), show::count(counter.counted() as f64), &counter.place)
        .with_remedies(remedies::checksums(&Default::default()))
}
