//! This machine's own stack.

use super::{MBIT, Published, Row, Section, Why};
use crate::native::{Case, Flow, PLAIN_CUBIC};
use crate::observe::Ours;

const BUSY: Why = Why {
    text: "a busy machine adds delays of its own, and losses with them, to a round trip that is its queue: its runs vary, the lab's do not.",
    by: &[],
};

pub fn sections() -> Vec<Section> {
    let cases: [(&str, &'static [&'static str], Case); 5] = [
        ("CUBIC", &["cubic"], PLAIN_CUBIC),
        ("Reno", &["reno"], Case { congestion: "reno", ..PLAIN_CUBIC }),
        ("CUBIC, every 100th lost", &["every-100th"], Case { every: 100, ..PLAIN_CUBIC }),
        ("CUBIC, receive buffer 64 KiB", &["small-buffer"], Case { buffer: 65_536, ..PLAIN_CUBIC }),
        ("CUBIC, MSS 536", &["small-segments"], Case { mss: 536, ..PLAIN_CUBIC }),
    ];
    let section = |title, unit, ours, per, of: fn(&Flow) -> f64| Section {
        title,
        source: "Measured on this machine with its own kernel: three network namespaces, Linux's tbf and pfifo between them, `ss` every 20 ms; three runs.",
        about: "is the same line and queue: 20 Mbit/s, 50 packets and no delay but the queue's.",
        unit,
        rows: cases
            .iter()
            .map(|(what, at, case)| {
                Row::new(*what, "native", at, ours, Published::Native(*case, of)).per(per).because(BUSY)
            })
            .collect(),
    };
    vec![
        section("This machine's own stack: goodput", "Mbit/s", Ours::Load("goodput"), MBIT, |flow| flow.goodput),
        section("This machine's own stack: round trip", "mean SRTT, ms", Ours::Srtt, 1e-3, |flow| flow.srtt),
        section("This machine's own stack: window", "mean cwnd, segments", Ours::Load("cwnd-mean"), 1.0, |flow| {
            flow.cwnd
        }),
        section(
            "This machine's own stack: retransmissions",
            "% of the payload sent",
            Ours::Load("retransmitted"),
            0.01,
            |flow| flow.retransmitted,
        ),
    ]
}
