use crate::diagnose::finding::{Confidence, Finding, Severity};
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::view::View;
use base::show::{self, share};
use evidence::{Counter, CounterKind, Interface};

/// Share of damaged frames above which a link is faulty. A bit error ratio of 1e-10, which IEEE 802.3 allows
/// 1000BASE-T, damages 1.2 of a million full frames; this is eight times as many.
const MIN_DAMAGED_SHARE: f64 = 1e-5;
/// Share of damaged frames from which losses limit a transfer: it leaves Reno and CUBIC a window of 122 segments, over
/// 20 ms 70 Mbit/s (RFC 9438, table 1).
const MIN_LIMITING_SHARE: f64 = 1e-4;
/// Fewest damaged frames that are more than one event, such as a cable being plugged in.
const MIN_DAMAGED_FRAMES: u64 = 10;
/// Smallest share of frames that count as errors of unknown kind.
const MIN_ERROR_SHARE: f64 = 1e-3;
/// Share of goodput that damaged frames cost where they limit.
const ASSUMED_COST: f64 = 0.5;

/// The rule.
pub const RULE: Rule = Rule {
    name: "damaged-frames",
    title: "Frames arrive damaged",
    needs: &[],
    model: "A frame with a wrong check sequence is dropped by the card or the switch that receives it, and the sender learns nothing: \
            TCP sees a loss. Cables, connectors, transceivers and ports damage frames, as do ends that differ in duplex.",
    source: "IEEE 802.3, 3.2.9 (frame check sequence) and 40.1.1 (1000BASE-T: at most 1e-10 bit errors)",
    thresholds: || {
        vec![
            (
                format!(
                    "{} frames and {} of those that came are counted as damaged, by the name that the driver has for it",
                    MIN_DAMAGED_FRAMES,
                    show::plain_share(MIN_DAMAGED_SHARE)
                ),
                "ten times what the standard allows a cable",
            ),
            (
                format!("or {} count as errors, where nothing tells of which kind", show::plain_share(MIN_ERROR_SHARE)),
                "a note: errors of the driver are among them",
            ),
            (
                format!("a problem from {} on, before that a note", show::plain_share(MIN_LIMITING_SHARE)),
                "fewer losses leave a window of more than 122 segments",
            ),
        ]
    },
    confidence: "high if the counter grew between two listings of the file; else medium: it counts since the interface came up. Low for \
                 errors of unknown kind, and for a share that limits nothing",
    confirm: &[
        "ethtool -S DEVICE before and after the slow transfer: the counter grows",
        "ethtool DEVICE; ethtool -m DEVICE",
    ],
    alike: &[
        ("duplex-mismatch", "collisions are counted as well, or an end runs at half duplex"),
        ("checksum-errors", "frames come whole, with a wrong checksum inside"),
        ("shallow-buffer", "packets are dropped in a queue: no counter of damage grows"),
    ],
    explains: &["loss-response", "timeouts", "shallow-buffer", "policer", "outage"],
    remedies: remedies::cable,
    assumed: ASSUMED_COST,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let devices = view.evidence.hosts.iter().flat_map(|host| &host.interfaces);
    devices.filter_map(|device| damaged(device, view).or_else(|| wrong(device))).collect()
}

/// Returns the largest counter of a kind, and what it counted.
pub(super) fn most(device: &Interface, kind: CounterKind) -> Option<&Counter> {
    device.counters.iter().filter(|counter| counter.kind() == Some(kind)).max_by_key(|counter| counter.counted())
}

fn damaged(device: &Interface, view: &View) -> Option<Finding> {
    let bad = most(device, CounterKind::DamagedFrames).filter(|bad| bad.counted() >= MIN_DAMAGED_FRAMES)?;
    let all = most(device, CounterKind::ReceivedFrames)?.counted().saturating_add(bad.counted());
    let part = bad.counted() as f64 / all as f64;
    if part < MIN_DAMAGED_SHARE {
        return None;
    }
    let grew = bad.was.is_some_and(|was| was < bad.value);
    let says = format!(
        "{} of {} frames arrived at {} damaged ({}){}: its cable, a transceiver or a port loses them.",
        show::count(bad.counted() as f64),
        show::count(all as f64),
        device.name,
        share(part),
        if grew { " between the two listings" } else { "" }
    );
    // What a connection counts of its own losses tells more than a counter since boot.
    let lossless = !view.flows.is_empty() && view.flows.iter().all(|flow| flow.seen.retransmitted == Some(0.0));
    let limits = part >= MIN_LIMITING_SHARE && !lossless;
    let confidence = match (limits, grew) {
        (false, _) => Confidence::Low,
        (true, true) => Confidence::High,
        (true, false) => Confidence::Medium,
    };
    let mut finding = Finding::problem(RULE.name, confidence, RULE.assumed, says).at(
        bad.name.clone(),
        show::count(bad.counted() as f64),
        &bad.place,
    );
    if !limits {
        finding.severity = Severity::Note;
    }
    if !grew {
        finding = finding
            .doubt("The counter runs since the interface came up: the damage may be an old one.")
            .ask(format!("ethtool -S {} before and after the transfer: {} grows", device.name, bad.name));
    }
    Some(finding.with_remedies(remedies::cable(&Default::default())))
}

/// Finds errors of unknown kind: `rx_errors` counts damaged frames, and those for which the driver had no room.
fn wrong(device: &Interface) -> Option<Finding> {
    if most(device, CounterKind::DamagedFrames).is_some_and(|counter| counter.value > 0) {
        return None;
    }
    let errors = ["rx_errors", "RX-ERR", "Ierrs"].iter().find_map(|name| device.counter(name));
    let errors = errors.filter(|errors| errors.counted() >= MIN_DAMAGED_FRAMES)?;
    let all = most(device, CounterKind::ReceivedFrames)?.counted().saturating_add(errors.counted());
    let part = errors.counted() as f64 / all as f64;
    let says = format!(
        "{} of {} frames that came to {} count as errors ({}): they came damaged, or the driver had no room.",
        show::count(errors.counted() as f64),
        show::count(all as f64),
        device.name,
        share(part)
    );
    let finding = Finding::note(RULE.name, Confidence::Low, says)
        .at(errors.name.clone(), show::count(errors.counted() as f64), &errors.place)
        .doubt("The counter does not tell of which kind they are.")
        .ask(format!(
            "ip -s -s link show dev {}: crc and frame are of the cable, fifo and missed of the driver",
            device.name
        ));
    (part > MIN_ERROR_SHARE).then(|| finding.with_remedies(remedies::cable(&Default::default())))
}
