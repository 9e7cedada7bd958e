//! Output of iperf3 and ss on paths with a known cause (`scripts/real-programs`), and an expert's finding for each.

use super::kept::is_read;
use diagnosis::diagnose::{self, Confidence, Diagnosis, Given, Severity};
use evidence::{Evidence, import};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/diagnose/real");

/// A listing, the rate its path should carry in Mbit/s, the first finding with its highest acceptable confidence, and
/// all settings that its commands may touch.
type Row = (&'static str, f64, Option<(&'static str, Confidence)>, &'static [&'static str]);

const HIGH: Confidence = Confidence::High;
const MEDIUM: Confidence = Confidence::Medium;
const LOW: Confidence = Confidence::Low;

const PROBING: &[&str] = &["mtu_probing", "pmtud_blackhole_detection"];
const BBR: &[&str] = &["tcp_congestion_control", "default_qdisc", "tcp_rack", "functions_default"];

const ROWS: &[Row] = &[
    ("black-hole-0.text", 20.0, Some(("mtu-black-hole", MEDIUM)), PROBING),
    ("black-hole-0.server", 20.0, Some(("mtu-black-hole", LOW)), PROBING),
    ("black-hole-0.json", 20.0, Some(("mtu-black-hole", MEDIUM)), PROBING),
    ("black-hole-0.ss", 20.0, Some(("mtu-black-hole", MEDIUM)), PROBING),
    ("length-0.text", 20.0, Some(("mtu-black-hole", MEDIUM)), PROBING),
    ("length-0.json", 20.0, Some(("mtu-black-hole", MEDIUM)), PROBING),
    (
        "probing-0.text",
        20.0,
        Some(("mtu-black-hole", MEDIUM)),
        &["mtu_probing", "pmtud_blackhole_detection", "route", "iptables", "nft"],
    ),
    (
        "probing-0.json",
        20.0,
        Some(("mtu-black-hole", MEDIUM)),
        &["mtu_probing", "pmtud_blackhole_detection", "route", "iptables", "nft"],
    ),
    (
        "probing-0.ss",
        20.0,
        Some(("mtu-black-hole", HIGH)),
        &["mtu_probing", "pmtud_blackhole_detection", "route", "iptables", "nft"],
    ),
    ("outage-0.text", 20.0, Some(("outage", MEDIUM)), &[]),
    ("outage-0.json", 20.0, Some(("outage", MEDIUM)), &[]),
    ("outage-0.ss", 20.0, Some(("outage", MEDIUM)), &[]),
    ("outage-13.text", 8.238, Some(("outage", MEDIUM)), &[]),
    ("loss-bursts-12.ss", 11.852, None, &[]),
    ("loss-bursts-13.json", 78.489, Some(("loss-response", MEDIUM)), BBR),
    ("full-window-14.ss", 14.53, None, &[]),
    ("rmem-0.text", 20.0, Some(("window-or-buffer", LOW)), &["tcp_rmem"]),
    ("rmem-0.json", 20.0, Some(("receiver-window", HIGH)), &["tcp_rmem"]),
    ("rmem-0.ss", 20.0, Some(("receiver-window", HIGH)), &["tcp_rmem"]),
    ("unscaled-0.text", 20.0, Some(("window-or-buffer", LOW)), &[]),
    ("unscaled-0.json", 20.0, Some(("receiver-window", HIGH)), &[]),
    ("window-0.text", 30.0, Some(("window-or-buffer", MEDIUM)), &[]),
    ("window-0.json", 30.0, Some(("receiver-window", HIGH)), &[]),
    ("window-0.ss", 30.0, Some(("receiver-window", HIGH)), &[]),
    ("wmem-0.text", 20.0, Some(("window-or-buffer", LOW)), &["tcp_wmem"]),
    ("wmem-0.json", 20.0, Some(("send-buffer", MEDIUM)), &["tcp_wmem"]),
    ("wmem-0.ss", 20.0, Some(("send-buffer", HIGH)), &["tcp_wmem"]),
    ("cap-0.text", 30.0, Some(("application-limited", HIGH)), &[]),
    ("cap-0.json", 30.0, Some(("application-limited", HIGH)), &[]),
    ("cap-0.ss", 30.0, Some(("application-limited", HIGH)), &[]),
    ("reader-2.text", 40.0, None, &[]),
    ("reader-2.json", 40.0, Some(("receiver-not-reading", HIGH)), &[]),
    ("reader-2.ss", 40.0, Some(("receiver-not-reading", HIGH)), &[]),
    ("loss-0.text", 30.0, Some(("loss-response", MEDIUM)), BBR),
    ("loss-0.json", 30.0, Some(("loss-response", MEDIUM)), BBR),
    ("loss-0.ss", 30.0, Some(("loss-response", MEDIUM)), BBR),
    ("reorder-0.json", 30.0, None, &[]),
    ("reorder-0.ss", 30.0, Some(("reordering", MEDIUM)), &[]),
    ("policer-0.text", 50.0, Some(("policer", MEDIUM)), &["tbf"]),
    ("policer-0.json", 50.0, Some(("policer", MEDIUM)), &["tbf"]),
    ("policer-0.ss", 50.0, Some(("policer", MEDIUM)), &["tbf"]),
    // BBR answers no single losses: at a fifth of the stated rate, 6.7 % sent again, 10.4 Mbit/s in each second.
    ("policer-bbr-0.text", 50.0, Some(("policer", MEDIUM)), &["tbf"]),
    ("policer-bbr-0.json", 50.0, Some(("policer", MEDIUM)), &["tbf"]),
    ("two-0.text", 40.0, Some(("loss-response", MEDIUM)), BBR),
    ("two-0.json", 40.0, Some(("loss-response", MEDIUM)), BBR),
    // Losses in seven of eight seconds, several in a row, as behind a policer; but 1.59 MB falls to 0.63 MB a second.
    ("loss-bursts-0.ss", 33.352, Some(("loss-response", MEDIUM)), BBR),
    // Busy for 4.1 s of 9.8: the losses of slow start at the beginning do not explain the pauses.
    ("told-1.ss", 9.718, Some(("application-limited", HIGH)), &[]),
    // The buffer takes 29,729 bytes with their overhead, and cwnd is 82,536: no counter shows that the buffer limits
    // the flow.
    ("wmem-1.ss", 44.392, Some(("send-buffer", MEDIUM)), &["tcp_wmem"]),
    // Losses of a policer at 2.56 Mbit/s, and 14.6 kB of window over 43 ms: 2.7 Mbit/s. They would allow more than is
    // measured, and BBR gets no more than the window.
    ("policer-and-rmem-1.text", 6.054, Some(("loss-response", LOW)), &[]),
    ("policer-and-rmem-1.json", 6.054, Some(("loss-response", MEDIUM)), &[]),
    // 7.65 Mbit/s × 65 ms is 62 kB, below the 65,535 bytes of an unscaled window, before the loss and after it, and cwnd
    // stays at 66.5 kB.
    ("unscaled-and-loss-0.text", 34.236, Some(("window-or-buffer", LOW)), &[]),
    ("unscaled-and-loss-0.json", 34.236, Some(("receiver-window", HIGH)), &[]),
    ("unscaled-and-loss-0.ss", 34.236, Some(("receiver-window", HIGH)), &["tcp_window_scaling"]),
    // No point without a loss is as long as the outage: 198 kB of the usual 1.18 MB, nothing, 762 kB.
    ("wmem-and-outage-3.text", 31.42, Some(("outage", MEDIUM)), &[]),
    // 355 kB a second within a write, and two to five losses in each: random ones let such a rate vary by a quarter.
    ("policer-and-rmem-3.text", 8.824, Some(("policer", MEDIUM)), &["tbf"]),
    // Seven points vary by 12 % with three losses in each, which of random losses are few but not none.
    ("loss-6.ss", 18.943, Some(("loss-response", MEDIUM)), BBR),
    // One write each second gives a constant rate on any path.
    ("loss-bursts-6.text", 3.2, Some(("loss-response", MEDIUM)), &[]),
    // Four retransmissions, pings of the idle path that differ by 18 ms, and no D-SACK: the text does not decide. In
    // the JSON cwnd climbs from 123 kB to 631 kB as CUBIC does after an early end of slow start.
    ("reorder-6.text", 37.904, None, &[]),
    ("reorder-6.json", 37.904, Some(("slow-start-exit", LOW)), &[]),
    // cwnd grows by 60 kB a second, at 94.4 Mbit/s in each.
    ("bloat-6.text", 98.132, Some(("bufferbloat", MEDIUM)), &["cake"]),
    // Less than two writes in each second.
    ("window-6.text", 2.85, Some(("window-or-buffer", MEDIUM)), &[]),
    // ssthresh without a retransmission: CE marks set it, no earlier connection.
    ("full-ecn-0.ss", 6.125, None, &[]),
    // Slow start took one of four seconds, so the mean is 82 % of the link; then the flow gets all of it.
    ("full-short-0.ss", 22.567, None, &[]),
    ("full-0.text", 20.0, None, &[]),
    ("full-0.json", 20.0, None, &[]),
    ("full-0.ss", 20.0, None, &[]),
    ("full-streams-0.text", 20.0, None, &[]),
    ("full-streams-0.json", 20.0, None, &[]),
    ("full-reverse-0.text", 20.0, None, &[]),
    ("full-reverse-0.json", 20.0, None, &[]),
    ("full-bbr-0.text", 20.0, None, &[]),
    ("full-bbr-0.json", 20.0, None, &[]),
    ("full-aqm-0.text", 20.0, None, &[]),
    ("full-aqm-0.json", 20.0, None, &[]),
    ("full-deep-0.text", 20.0, None, &[]),
    ("full-deep-0.json", 20.0, Some(("bufferbloat", HIGH)), &["cake"]),
    ("full-shallow-0.text", 20.0, None, &[]),
    ("full-shallow-0.json", 20.0, None, &[]),
    ("ecn-0.text", 20.0, None, &[]),
    ("ecn-0.json", 20.0, None, &[]),
];

/// The correct finding of each listing.
pub fn rules() -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    ROWS.iter().map(|(name, _, expected, _)| (*name, expected.map(|(rule, _)| rule)))
}

/// Returns each listing, and the rate of its link, bit/s.
pub fn listings() -> impl Iterator<Item = (PathBuf, f64)> {
    ROWS.iter().map(|(name, rate, ..)| (Path::new(FOLDER).join(name), rate * 1e6))
}

fn rows() -> impl Iterator<Item = &'static Row> {
    ROWS.iter().filter(|row| is_read(row.0))
}

fn of(name: &str, rate: Option<f64>) -> Diagnosis {
    let mut evidence = Evidence::default();
    import::read(name, &fs::read(Path::new(FOLDER).join(name)).unwrap(), &mut evidence);
    diagnose::diagnose(&evidence, Given { rate: rate.map(|rate| rate * 1e6), rtt: None })
}

#[test]
fn the_first_finding_is_an_experts() {
    let mut wrong = vec![];
    for (name, rate, expected, commands) in rows() {
        let diagnosis = of(name, Some(*rate));
        let top = diagnosis.top();
        let sure = expected.is_none_or(|(_, most)| top.is_some_and(|top| top.confidence <= most));
        if top.map(|top| top.rule) != expected.map(|(rule, _)| rule) || !sure {
            wrong.push(format!("{name}: {:?}", top.map(|top| (top.rule, top.confidence, &top.says))));
        }
        let own = diagnosis.findings.iter().filter(|f| f.severity == Severity::Problem && f.follows.is_none());
        let steps = own.flat_map(|finding| &finding.remedies).flat_map(|remedy| remedy.steps().now);
        for command in steps.filter(|step| !commands.iter().any(|allowed| step.contains(allowed))) {
            wrong.push(format!("{name}: {command}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// Without a stated rate a full line is no problem, nothing is sure of a text that could be sure of it with the rate, and
/// the rate is asked for first.
#[test]
fn without_a_rate_nothing_is_said_that_hangs_on_it() {
    for (name, _, expected, _) in rows() {
        let diagnosis = of(name, None);
        let found = diagnosis.top().map(|top| (top.rule, top.confidence));
        let allowed =
            found.is_none_or(|(rule, sure)| expected.is_some_and(|(wanted, most)| rule == wanted && sure <= most));
        assert!(allowed, "{name}: {found:?}");
        let asks =
            diagnosis.speed.is_none() || diagnosis.blind.first().is_some_and(|blind| blind.ask.contains("--rate"));
        assert!(asks, "{name}: {:?}", diagnosis.blind);
    }
}

/// Every cause in every form, so that none is left out in silence.
#[test]
fn every_listing_has_a_row() {
    let named: BTreeMap<&str, usize> = ROWS.iter().map(|(name, ..)| (*name, 1)).collect();
    let files = fs::read_dir(FOLDER).unwrap();
    let files: Vec<String> = files.map(|file| file.unwrap().file_name().to_string_lossy().into_owned()).collect();
    let without: Vec<&String> = files.iter().filter(|file| !named.contains_key(file.as_str())).collect();
    assert!(without.is_empty() && files.len() == ROWS.len(), "{without:?}");
}
