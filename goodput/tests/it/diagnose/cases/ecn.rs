//! Cases of ECN.

use super::{BUSY, Case, GIGABIT, MSS, bytes, connection, limited, note, of, problem};
use evidence::ecn::{Codepoints, Echoed, Ecn, Feedback, Heard};
use evidence::{Connection, Point};

/// ECN after a SYN that asked for AccECN, and the feedback that the SYN-ACK agreed to.
fn asked(agreed: Feedback) -> Ecn {
    Ecn { asked: Some(Feedback::Accurate), agreed: Some(agreed), ..Ecn::default() }
}

/// A thousand segments sent with ECT(1); `ect1` bytes arrive with it.
fn sent_as_ect1(ect1: u64) -> Ecn {
    Ecn {
        data: Some(Codepoints { ect1: 1000, ..Codepoints::default() }),
        heard: Some(Heard { marked: Some([0, 0]), bytes: Some(Echoed { ect1, ..Echoed::default() }) }),
        ..asked(Feedback::Accurate)
    }
}

pub const CASES: &[Case] = &[
    Case {
        given: GIGABIT,
        ..problem(
            "ecn-marks",
            || {
                // One mark in 100 segments leaves Reno 12 segments; 12 segments at 20 ms are 6.95 Mbit/s.
                let c = connection(20.0, 1.0, |_| Point {
                    bytes: bytes(6.9, 1.0),
                    retransmitted: Some(0.0),
                    cwnd: Some(12.0 * MSS),
                    srtt: Some(0.02),
                    ..Point::default()
                });
                of(Connection { rtt_min: Some(0.02), marked: Some(0.01), limits: Some(BUSY), ..c })
            },
            |evidence| evidence.connections[0].marked = Some(0.0),
        )
    },
    Case {
        given: GIGABIT,
        ..problem(
            "ecn-marks",
            || {
                // 12 segments at 20 ms and less from second to second, and all of them used.
                let cwnd = |time: f64| (12.0 - 2.0 * (time % 4.0)) * MSS;
                let c = connection(20.0, 1.0, |time| Point {
                    bytes: Some(cwnd(time) / 0.02),
                    retransmitted: Some(0.0),
                    cwnd: Some(cwnd(time)),
                    srtt: Some(0.02),
                    ..Point::default()
                });
                of(Connection { rtt_min: Some(0.02), ..c })
            },
            // A loss lowers it as well.
            |evidence| {
                evidence.connections[0].points[5].retransmitted = Some(1.0);
                evidence.connections[0].retransmitted = Some(1.0);
            },
        )
    },
    Case {
        name: "a scalable sender",
        given: GIGABIT,
        ..problem(
            "ecn-marks",
            || {
                // One mark in ten segments leaves DCTCP 20 segments; 20 segments at 20 ms are 11.6 Mbit/s.
                let c = connection(20.0, 1.0, |_| Point {
                    bytes: bytes(11.6, 1.0),
                    retransmitted: Some(0.0),
                    cwnd: Some(20.0 * MSS),
                    srtt: Some(0.02),
                    ..Point::default()
                });
                let congestion = Some("dctcp".into());
                of(Connection { rtt_min: Some(0.02), marked: Some(0.1), limits: Some(BUSY), congestion, ..c })
            },
            // Fewer leave ten times as much.
            |evidence| evidence.connections[0].marked = Some(0.01),
        )
    },
    Case {
        name: "marks that hold nothing down",
        ..note(
            "ecn-marks",
            || of(Connection { marked: Some(0.02), congestion: Some("prague".into()), ..limited(BUSY) }),
            |evidence| evidence.connections[0].marked = Some(0.0),
        )
    },
    Case {
        name: "refused",
        ..note(
            "ecn-path",
            || of(Connection { ecn_detail: Some(asked(Feedback::None)), ..limited(BUSY) }),
            |evidence| evidence.connections[0].ecn_detail = Some(asked(Feedback::Classic)),
        )
    },
    Case {
        name: "cleared",
        ..note(
            "ecn-path",
            || of(Connection { ecn_detail: Some(sent_as_ect1(0)), ..limited(BUSY) }),
            |evidence| {
                let all = evidence.connections[0].bytes.unwrap() as u64;
                evidence.connections[0].ecn_detail = Some(sent_as_ect1(all));
            },
        )
    },
];
