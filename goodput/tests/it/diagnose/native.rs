//! Output of real programs in real time on the native kernel, over paths built without knowledge of the rules
//! (`scripts/native-paths`). A relay counted the cause of each.

use super::kept::is_read;
use super::paths::{MSS, connection};
use diagnosis::diagnose::{self, Confidence, Diagnosis, Given, Severity, Style};
use evidence::{Connection, Evidence, Point, Window, import};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/diagnose/native");

const HIGH: Confidence = Confidence::High;
const MEDIUM: Confidence = Confidence::Medium;
const LOW: Confidence = Confidence::Low;

/// A listing, its link rate in Mbit/s, and the first finding with its lowest acceptable confidence.
type Row = (&'static str, f64, Option<(&'static str, Confidence)>);

const ROWS: &[Row] = &[
    ("ack-path-full-line.ss", 87.0, Some(("cross-traffic", HIGH))),
    ("ack-path-queue.json", 30.0, Some(("cross-traffic", MEDIUM))),
    ("ack-path-slow-start.ss", 27.0, Some(("cross-traffic", MEDIUM))),
    ("ack-path.json", 25.0, Some(("cross-traffic", MEDIUM))),
    ("ack-path.ss", 32.0, Some(("cross-traffic", HIGH))),
    ("application-bursts.ss", 3.1, Some(("application-limited", HIGH))),
    ("application-loss.ss", 174.0, Some(("application-limited", MEDIUM))),
    ("application.json", 74.0, Some(("application-limited", HIGH))),
    ("application.ss", 74.0, Some(("application-limited", HIGH))),
    ("bufferbloat.json", 24.0, Some(("bufferbloat", HIGH))),
    ("bufferbloat.ss", 24.0, Some(("bufferbloat", HIGH))),
    ("bufferbloat.text", 35.0, Some(("bufferbloat", MEDIUM))),
    ("burst-loss-silent.text", 22.0, None),
    ("burst-loss-writes.json", 42.0, Some(("loss-response", MEDIUM))),
    ("burst-loss.json", 23.0, Some(("loss-response", LOW))),
    ("burst-loss.ss", 68.0, Some(("loss-response", MEDIUM))),
    ("burst-loss.text", 68.0, Some(("loss-response", MEDIUM))),
    ("ecn-in-bursts.ss", 33.0, Some(("ecn-marks", MEDIUM))),
    ("ecn.json", 162.0, Some(("ecn-marks", MEDIUM))),
    ("ecn.ss", 162.0, Some(("ecn-marks", HIGH))),
    ("full-line-deep.json", 10.0, None),
    ("full-line-reordering.json", 7.7, Some(("loss-response", LOW))),
    ("full-line.json", 16.0, None),
    ("full-line.ss", 16.0, None),
    ("full-line.text", 16.0, None),
    ("length-fault.ss", 52.0, Some(("packet-length", MEDIUM))),
    ("mtu-hole-probed-little.ss", 148.0, Some(("mtu-black-hole", HIGH))),
    ("mtu-hole-probed.json", 43.0, Some(("mtu-black-hole", MEDIUM))),
    ("mtu-hole-probed.ss", 43.0, Some(("mtu-black-hole", HIGH))),
    ("mtu-hole-probed.text", 43.0, Some(("mtu-black-hole", MEDIUM))),
    ("mtu-hole.json", 50.0, Some(("mtu-black-hole", MEDIUM))),
    ("mtu-hole.ss", 50.0, Some(("mtu-black-hole", MEDIUM))),
    ("mtu-hole.text", 50.0, Some(("mtu-black-hole", MEDIUM))),
    ("nagle.ss", 168.0, Some(("nagle-delayed-ack", MEDIUM))),
    ("outage-random-loss.ss", 125.0, Some(("loss-response", MEDIUM))),
    ("outage.json", 6.0, Some(("outage", MEDIUM))),
    ("outage.ss", 88.0, Some(("outage", MEDIUM))),
    ("outage.text", 6.0, Some(("outage", MEDIUM))),
    ("policer-bbr-reverse.json", 197.0, None),
    ("policer-bbr.json", 8.7, Some(("policer", MEDIUM))),
    ("policer-bbr.ss", 8.7, Some(("policer", MEDIUM))),
    ("policer-few-packets.json", 11.0, Some(("policer", MEDIUM))),
    ("policer-four-flows-reverse.json", 87.0, Some(("policer", MEDIUM))),
    ("policer-four-flows.ss", 87.0, Some(("policer", MEDIUM))),
    ("policer-high-rate.ss", 101.0, Some(("policer", MEDIUM))),
    ("policer-one-window.ss", 169.0, Some(("policer", MEDIUM))),
    ("policer-reno.json", 42.0, Some(("policer", MEDIUM))),
    ("policer-reno-windows.json", 12.0, Some(("policer", MEDIUM))),
    ("policer-slow-start.json", 44.0, Some(("policer", MEDIUM))),
    ("policer-slow-start.ss", 21.0, Some(("policer", MEDIUM))),
    ("policer-starts-apart.ss", 9.5, Some(("policer", MEDIUM))),
    ("policer-two-flows.json", 29.0, Some(("policer", MEDIUM))),
    ("policer-writes.json", 94.0, Some(("policer", MEDIUM))),
    ("policer.json", 105.0, Some(("policer", MEDIUM))),
    ("policer.ss", 94.0, Some(("policer", MEDIUM))),
    ("policer.text", 105.0, Some(("policer", MEDIUM))),
    ("random-loss-slow-start.ss", 93.0, Some(("loss-response", LOW))),
    ("random-loss.json", 9.9, Some(("loss-response", MEDIUM))),
    ("random-loss.ss", 9.9, Some(("loss-response", LOW))),
    ("random-loss.text", 9.9, Some(("loss-response", MEDIUM))),
    ("receive-window.json", 33.0, Some(("receiver-window", HIGH))),
    ("receive-window.ss", 33.0, Some(("receiver-window", HIGH))),
    ("receive-window.text", 33.0, Some(("window-or-buffer", LOW))),
    ("reordering-send-buffer.ss", 40.0, Some(("reordering", MEDIUM))),
    ("reordering.ss", 117.0, Some(("reordering", MEDIUM))),
    ("send-buffer-overshoot.ss", 7.7, Some(("send-buffer", MEDIUM))),
    ("send-buffer.ss", 14.0, Some(("send-buffer", MEDIUM))),
    ("shared-line-full.json", 21.0, None),
    ("shared-line.text", 27.0, None),
    ("shared-line.ss", 92.0, Some(("cross-traffic", MEDIUM))),
    ("shared-line-udp.json", 12.0, Some(("shallow-buffer", LOW))),
    ("short-flows-server.ss", 19.0, Some(("short-flows", MEDIUM))),
    ("short-flows.ss", 25.0, Some(("short-flows", MEDIUM))),
    ("slow-reader-outage.ss", 17.0, Some(("receiver-not-reading", MEDIUM))),
    ("slow-reader-small-window.ss", 42.0, Some(("receiver-not-reading", MEDIUM))),
    ("slow-reader.ss", 16.0, Some(("receiver-not-reading", HIGH))),
];

/// The correct finding of each listing.
pub fn rules() -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    ROWS.iter().map(|(name, _, expected)| (*name, expected.map(|(rule, _)| rule)))
}

/// Returns each listing, and the rate of its link, bit/s.
pub fn listings() -> impl Iterator<Item = (PathBuf, f64)> {
    ROWS.iter().map(|(name, rate, ..)| (Path::new(FOLDER).join(name), rate * 1e6))
}

fn rows() -> impl Iterator<Item = &'static Row> {
    ROWS.iter().filter(|row| is_read(row.0))
}

fn of(name: &str, text: &[u8], rate: Option<f64>) -> Diagnosis {
    let mut evidence = Evidence::default();
    import::read(name, text, &mut evidence);
    diagnose::diagnose(&evidence, Given { rate: rate.map(|rate| rate * 1e6), rtt: None })
}

fn read(name: &str) -> Vec<u8> {
    fs::read(Path::new(FOLDER).join(name)).unwrap()
}

#[test]
fn the_first_finding_is_what_the_relay_counted() {
    let mut wrong = vec![];
    for (name, rate, expected) in rows() {
        let diagnosis = of(name, &read(name), Some(*rate));
        let top = diagnosis.top();
        let sure = expected.is_none_or(|(_, least)| top.is_some_and(|top| top.confidence >= least));
        if top.map(|top| top.rule) != expected.map(|(rule, _)| rule) || !sure {
            wrong.push(format!("{name}: {:?}", top.map(|top| (top.rule, top.confidence, &top.says))));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The ping taken at the same time.
const PING: &str = "\
PING 172.30.45.101 (172.30.45.101) 56(84) bytes of data.
64 bytes from 172.30.45.101: icmp_seq=1 ttl=62 time=34.8 ms
64 bytes from 172.30.45.101: icmp_seq=2 ttl=62 time=34.4 ms
10 packets transmitted, 10 received, 0% packet loss, time 1805ms
rtt min/avg/max/mdev = 34.316/34.398/34.772/0.128 ms
";

/// A receiver shows BBR's losses only in the final summary.
#[test]
fn bbr_that_arrives_at_one_rate_below_its_line_is_policed() {
    let mut evidence = Evidence::default();
    import::read("iperf3.json", &read("policer-bbr-reverse.json"), &mut evidence);
    import::read("ping.txt", PING.as_bytes(), &mut evidence);
    let diagnosis = diagnose::diagnose(&evidence, Given { rate: Some(197e6), rtt: None });
    assert_eq!(diagnosis.top().map(|top| (top.rule, top.confidence)), Some(("policer", MEDIUM)));
}

/// Windows of 11 to 18 segments in constant proportion to the RTT, while the idle path has half that RTT: UDP fills the
/// queue of the same link.
#[test]
fn round_trip_times_that_follow_the_window_are_a_queue() {
    let mut evidence = Evidence::default();
    import::read("iperf3.json", &read("shared-line-udp.json"), &mut evidence);
    import::read(
        "ping.txt",
        PING.replace("34.", "12.").replace("172.30.45.101", "192.168.81.89").as_bytes(),
        &mut evidence,
    );
    let diagnosis = diagnose::diagnose(&evidence, Given { rate: Some(12e6), rtt: None });
    assert!(diagnosis.findings.iter().all(|found| found.rule != "policer"), "{:?}", diagnosis.top());
}

/// A link that was full for half of the time, then stalled: the losses do not show that another congestion control
/// would help.
#[test]
fn a_half_full_link_gets_no_other_congestion_control() {
    let diagnosis = of("iperf3.json", &read("full-line-reordering.json"), Some(7.7));
    let top = diagnosis.top().unwrap();
    assert_eq!((top.rule, top.confidence), ("loss-response", LOW));
    let remedies = format!("{:?}", top.remedies);
    assert!(!remedies.contains("congestion_control"), "{remedies}");
}

/// 232,581 bytes over 60 ms are 31 Mbit/s of 40; 110,112 are 14.7, less than the flow gets. The sender is the host
/// whose tcp_wmem the connection has.
#[test]
fn the_buffers_that_limit_next_are_named_with_their_host() {
    let of = |wmem: [u32; 2], rmem: [u32; 2]| {
        let mut evidence = Evidence::default();
        import::read("ss.txt", &read("reordering-send-buffer.ss"), &mut evidence);
        for ((file, wmem), rmem) in ["a.txt", "b.txt"].into_iter().zip(wmem).zip(rmem) {
            let text = format!("net.ipv4.tcp_rmem = 4096 131072 {rmem}\nnet.ipv4.tcp_wmem = 4096 16384 {wmem}\n");
            import::read(file, text.as_bytes(), &mut evidence);
        }
        let found = diagnose::diagnose(&evidence, Given { rate: Some(40e6), rtt: None });
        let next = |rule: &str| {
            let note = found.findings.iter().find(|it| it.rule == rule && it.severity == Severity::Note)?;
            let commands = note.remedies.iter().any(|remedy| !remedy.steps().now.is_empty());
            assert!(note.says.contains("limits next") && !commands, "{note:?}");
            Some(note.figures[0].from.clone())
        };
        ["send-buffer", "receiver-window"].map(next)
    };
    let [small, large] = [232_581, 4_194_304];
    assert_eq!(of([small, large], [large; 2]), [Some("a.txt:2".into()), None]);
    assert_eq!(of([large, small], [large; 2]), [Some("b.txt:2".into()), None]);
    assert_eq!(of([small, large], [large, 200_000]), [Some("a.txt:2".into()), Some("b.txt:1".into())]);
    assert_eq!(of([small, large], [200_000, large]), [Some("a.txt:2".into()), None]);
    assert_eq!(of([large, 110_112], [large; 2]), [None, None]);
}

#[test]
fn every_listing_is_held_to_a_row() {
    let named: BTreeSet<String> = ROWS.iter().map(|(name, ..)| (*name).to_owned()).collect();
    let there = fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(named, there);
}

/// Two segments of cwnd and 16 retransmissions a second are losses at any RTT, which the output does not show.
#[test]
fn a_quarter_sent_again_needs_no_ping() {
    let line = |second: u32| {
        let end = second + 1;
        format!("[  5]   {second}.00-{end}.00   sec  69.5 KBytes   569 Kbits/sec   16   2.83 KBytes\n")
    };
    let head = "[ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n";
    let text = head.to_owned() + &(0..9).map(line).collect::<String>();
    let diagnosis = of("iperf3.txt", text.as_bytes(), None);
    let top = diagnosis.top().unwrap();
    assert_eq!((top.rule, top.confidence), ("loss-response", MEDIUM), "{}", top.says);
    assert!(top.remedies.is_empty() && top.severity == Severity::Problem);
}

/// A constant cwnd without a loss does not limit the flow, with a ping or without one.
#[test]
fn a_cwnd_that_stays_needs_no_ping() {
    let text = String::from_utf8(read("receive-window.text")).unwrap();
    let listing = &text[text.find("Connecting to host").unwrap()..];
    let diagnosis = of("iperf3.txt", listing.as_bytes(), Some(33.0));
    assert_eq!(diagnosis.top().map(|top| (top.rule, top.confidence)), Some(("window-or-buffer", LOW)));
}

/// Two runs of one path: a finding that both show is printed once.
#[test]
fn a_finding_in_two_files_is_printed_once() {
    let mut evidence = Evidence::default();
    import::read("iperf3.txt", &read("policer.text"), &mut evidence);
    import::read("iperf3.json", &read("policer.json"), &mut evidence);
    let found = diagnose::diagnose(&evidence, Given { rate: Some(105e6), rtt: None });
    let page = diagnose::page(&found, Style::default());
    assert_eq!(page.matches("Policed at").count(), 1, "{page}");
    assert!(page.contains("As well in: iperf3."), "{page}");
}

/// The link has a queue, and the page does not list a queue as possible.
#[test]
fn a_transfer_at_the_rate_of_its_link_needs_no_other_cause() {
    let page = diagnose::page(&of("full-line.ss", &read("full-line.ss"), None), Style::default());
    assert!(page.contains("a queue stands") && !page.contains("Not ruled out"), "{page}");
}

/// A capture does not name it; of connections between the same ends that carried as much, all that do agree.
#[test]
fn another_view_names_the_congestion_control() {
    let mut evidence = Evidence::default();
    import::read("ss.txt", &read("policer-bbr.ss"), &mut evidence);
    let most = |a: &&Connection, b: &&Connection| a.bytes.partial_cmp(&b.bytes).unwrap();
    let seen = evidence.connections.iter().max_by(most).unwrap().clone();
    let unnamed = Connection { congestion: None, ..seen.clone() };
    let named = |evidence: &Evidence| diagnose::control(&unnamed, evidence).map(|control| control.name);
    assert_eq!(named(&evidence).as_deref(), Some("bbr"));
    evidence.connections.push(Connection { congestion: Some("reno".into()), ..seen });
    assert_ne!(named(&evidence).as_deref(), Some("bbr"));
}

/// The receiver's kernel raises the window as data arrives; the window never exceeds the buffer that is left.
#[test]
fn a_window_that_grows_is_none_that_is_not_read() {
    let window = |time: f64| if time < 12.0 { 64e3 } else { 64e3 + 120e3 * (time - 12.0) };
    let of = |window: &dyn Fn(f64) -> f64| {
        let seen = connection(20.0, 0.25, |time| Point {
            bytes: Some(40.0 * MSS),
            retransmitted: Some(if time == 3.0 { 1.0 } else { 0.0 }),
            window: Some(window(time)),
            in_flight: Some(0.6 * 64e3),
            ..Point::default()
        });
        let largest = (0..=80).map(|quarter| window(0.25 * f64::from(quarter))).fold(0.0, f64::max);
        let seen = Connection { rtt_min: Some(0.05), window: Some(Window { largest, zeros: 0 }), ..seen };
        let evidence = Evidence { connections: vec![seen], ..Evidence::default() };
        let found = diagnose::diagnose(&evidence, Given { rate: Some(1e9), rtt: None });
        found.findings.iter().any(|found| found.rule == "receiver-not-reading")
    };
    assert!(!of(&window));
    assert!(of(&|time| window(20.0 - time)), "the same backwards is one that fills");
}
