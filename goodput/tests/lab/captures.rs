//! Captures of nodes, against the kernel's own counters and against tshark.

use crate::skip::skip;
use crate::support::{opened, plan, record};
use plan::recording::{DROPS, QUEUES, SAMPLES};
use std::fs;
use std::process::Command;

const SPEC: &str = r#"
title  = "A capture"
hosts  = { sender = { capture = true } }
path   = { rate = "20 Mbit/s", rtt = "20 ms", buffer = "20 packets" }
flows  = [{ duration = "2 s", congestion = "reno" }]
record = { drops = true }
"#;

/// What is captured has no effect: all tables have the same bytes without it.
#[test]
fn a_capture_changes_nothing() {
    let [with, without] = [SPEC, &SPEC.replace("capture = true", "capture = false")].map(record);
    for name in [SAMPLES, QUEUES, DROPS] {
        let [with, without] = [&with, &without].map(|one| fs::read(one.path().join(name)).unwrap());
        assert!(with == without, "{name}");
    }
    assert!(with.path().join("captured-sender.pcapng").exists());
    assert!(!without.path().join("captured-sender.pcapng").exists());
}

/// All data drops have a comment, and tshark's analysis finds as many retransmissions as the kernel counted.
#[test]
fn tshark_finds_what_the_kernel_counted() {
    let recorded = record(SPEC);
    let trial = plan(SPEC).trials.remove(0);
    let export = analysis::commented_capture(&trial, &opened(&recorded.folder), None).unwrap();
    let [payload] = recorded.columns(DROPS, ["payload"]);
    let dropped = payload.iter().filter(|bytes| **bytes > 0).count();
    assert!(dropped > 10 && export.drops == Some(payload.len()), "{dropped} of {:?}", export.drops);
    assert_eq!(export.commented, dropped);
    let file = recorded.path().join("sender.pcapng");
    fs::write(&file, &export.bytes).unwrap();
    let asked = |filter: &str, field: &str| {
        let mut tshark = Command::new("tshark");
        tshark.arg("-r").arg(&file).args(["-Y", filter, "-T", "fields", "-e", field]);
        tshark.output().ok().map(|done| String::from_utf8(done.stdout).unwrap())
    };
    let Some(comments) = asked("frame.comment", "frame.comment") else { return skip("tshark is not installed") };
    assert_eq!(comments.matches("dropped at ").count(), dropped, "{comments}");
    assert!(comments.lines().all(|line| line.contains("queue 0, sender to receiver") && line.contains("QDISC_")));
    // A sender sends nothing out of order but what it sends again: tshark has two names for it, by how soon it comes.
    let again = asked("tcp.analysis.retransmission || tcp.analysis.out_of_order", "tcp.seq_raw").unwrap();
    let [counted] = recorded.last(["total_retrans"]);
    assert_eq!(again.lines().count() as u64, counted);
    // Times are those of the virtual clock, in ns: the handshake is at the flow's start.
    let first = asked("tcp.flags.syn == 1 && tcp.flags.ack == 0", "frame.time_epoch").unwrap();
    let started = recorded.series.facts.started[&0];
    let seconds = format!("{}.{:09}", started / 1_000_000_000, started % 1_000_000_000);
    assert!(
        first.lines().next().is_some_and(|time| time.starts_with(&seconds[..seconds.len() - 4])),
        "{first} {seconds}"
    );
}
