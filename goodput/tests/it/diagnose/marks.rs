//! ECN marks: the sender's answer to them, and the window that a share of marks leaves.

use super::paths::{MSS, bytes, connection};
use analysis::sources;
use diagnosis::diagnose::{self, Diagnosis, Finding, Given, Severity};
use evidence::ecn::{Ecn, Feedback};
use evidence::{Connection, Evidence, Limits, Point};
use std::path::PathBuf;

const BUSY: Limits = Limits { busy: 1.0, rwnd: 0.0, sndbuf: 0.0 };

/// A flow of 20 segments in flight at 20 ms, with one segment in ten marked.
fn marked(congestion: Option<&str>) -> Connection {
    let c = connection(20.0, 1.0, |_| Point {
        bytes: bytes(11.6, 1.0),
        retransmitted: Some(0.0),
        cwnd: Some(20.0 * MSS),
        srtt: Some(0.02),
        ..Point::default()
    });
    let congestion = congestion.map(str::to_owned);
    Connection { rtt_min: Some(0.02), marked: Some(0.1), limits: Some(BUSY), congestion, ..c }
}

fn found(connections: Vec<Connection>, rate: Option<f64>) -> Diagnosis {
    let evidence = Evidence { connections, ..Evidence::default() };
    diagnose::diagnose(&evidence, Given { rate, rtt: None })
}

fn of_marks(diagnosis: &Diagnosis, severity: Severity) -> &Finding {
    let is_of_marks = |finding: &&Finding| finding.rule == "ecn-marks" && finding.severity == severity;
    diagnosis.findings.iter().find(is_of_marks).unwrap_or_else(|| panic!("{:#?}", diagnosis.findings))
}

fn figure<'f>(finding: &'f Finding, begins: &str) -> &'f str {
    let figure = finding.figures.iter().find(|figure| figure.name.starts_with(begins));
    &figure.unwrap_or_else(|| panic!("{finding:#?}")).value
}

/// 2/p is 20 segments. Prague gets 16, because it counts round trips of at least 25 ms. 1.2/sqrt(p) is 3.79.
#[test]
fn a_share_of_marks_leaves_each_kind_of_sender_its_window() {
    let rows = [
        (Some("dctcp"), "scalable sender", "DCTCP is scalable", "20.0 segments"),
        (Some("prague"), "scalable sender", "Prague is scalable", "16.0 segments"),
        (Some("cubic"), "classic sender", "lowers cwnd to 0.7", "3.79 segments"),
        (Some("reno"), "classic sender", "lowers cwnd to 0.5", "3.79 segments"),
        (None, "classic sender", "The sender is taken for classic", "3.79 segments"),
    ];
    for (congestion, kind, says, left) in rows {
        let diagnosis = found(vec![marked(congestion)], Some(1e9));
        let finding = of_marks(&diagnosis, Severity::Problem);
        assert!(finding.says.contains(says), "{congestion:?}: {}", finding.says);
        assert_eq!(figure(finding, "cwnd that so many marks leave"), left, "{congestion:?}");
        assert!(finding.figures.iter().any(|figure| figure.name == kind), "{congestion:?}: {finding:#?}");
    }
}

/// Classic feedback repeats a mark for a round trip: 1.44/p of echoes is 20 segments at 7.2 %, which is one mark in 278 segments;
/// and one with CWR in 278 is as much as 1.2/sqrt(1/278).
#[test]
fn echoes_of_classic_feedback_are_not_taken_for_marks() {
    let of = |cwr: Option<u64>| {
        let agreed = Some(Feedback::Classic);
        let ecn_detail = Some(Ecn { agreed, cwr, ..Ecn::default() });
        let segments_sent = Some(27_800.0);
        Connection { marked: Some(0.072), ecn_detail, segments_sent, ..marked(Some("cubic")) }
    };
    for (cwr, left) in
        [(None, "cwnd that so many echoes of marks leave Reno"), (Some(100), "cwnd that so many reductions leave Reno")]
    {
        let diagnosis = found(vec![of(cwr)], Some(1e9));
        let finding = of_marks(&diagnosis, Severity::Problem);
        assert_eq!(figure(finding, left), "20.0 segments", "{cwr:?}");
        assert!(finding.says.contains("7.20 % of the segments are acknowledged with ECE"), "{}", finding.says);
    }
}

/// A full link is no problem: two marks among the 20 segments of a round trip are DCTCP's steady state.
#[test]
fn the_steady_state_of_a_scalable_sender_is_no_problem() {
    let diagnosis = found(vec![marked(Some("dctcp"))], Some(12.5e6));
    assert_eq!(diagnosis.top().map(|top| top.rule), None, "{:#?}", diagnosis.findings);
    let finding = of_marks(&diagnosis, Severity::Note);
    assert!(finding.says.contains("about 2 a round trip: no sign of trouble"), "{}", finding.says);
    assert_eq!(figure(finding, "marks in a round trip"), "2.10");
}

/// In a queue of 10 ms both are marked alike: 2/p is 5.27 times 1.2/sqrt(p) at one in ten.
#[test]
fn a_scalable_sender_in_a_classic_queue_is_named_with_peers() {
    let dctcp = Connection { rtt_min: Some(0.01), ..marked(Some("dctcp")) };
    let place = evidence::Place { line: 2, ..dctcp.place.clone() };
    let cubic = Connection { place, ..marked(Some("cubic")) };
    let says = |connections| of_marks(&found(connections, None), Severity::Note).says.clone();
    let alone = says(vec![dctcp.clone()]);
    assert!(alone.contains("the standing queue is 10.0 ms") && alone.contains("5.27 times as much as Reno"), "{alone}");
    let beside = says(vec![dctcp, cubic]);
    assert!(beside.contains("Beside it a classic flow gets"), "{beside}");
}

/// Prague in the laboratory; the capture does not name it.
#[test]
fn a_capture_tells_a_scalable_sender_by_its_packets() {
    let capture = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/evidence/tests/captures/accecn-sender.pcap");
    let all = sources::evidence(&[PathBuf::from(capture)]).unwrap();
    let diagnosis = diagnose::diagnose(&all[0].found, Given::default());
    let finding = of_marks(&diagnosis, Severity::Note);
    assert!(finding.says.starts_with("39.1 % of the segments carry a mark"), "{}", finding.says);
    let kind = finding.figures.iter().find(|figure| figure.name == "scalable sender").expect("a sender");
    assert!(kind.from.starts_with("ECT(1) in its packets"), "{kind:?}");
}
