//! dualpi2 and ECN: the coupling of RFC 9332, and the marks that TCP hears of.

use crate::skip::skip;
use crate::support::{Recorded, close, record};
use evidence::capture;
use goodput::recording;
use std::fs::File;
use std::process::Command;

/// The highest value of the kernel's probability.
const ONE: f64 = u32::MAX as f64;
/// Start of the measurement, ns: windows still grow before it.
const FROM: u64 = 10_000_000_000;

/// A CUBIC flow without ECN in the C queue, and DCTCP in the L queue, over 100 Mbit/s and 20 ms.
fn beside(queue: &str) -> Recorded {
    record(&format!(
        r#"
        title = "coupled"
        path = {{ rate = "100 Mbit/s", rtt = "20 ms", buffer = "10000 packets", queue = {{ discipline = "dualpi2", low-latency = "any-ect"{queue} }} }}
        flows = [{{ congestion = "cubic", duration = "60 s" }}, {{ congestion = "dctcp", duration = "60 s" }}]
        record = {{ interval = "5 ms" }}
        "#
    ))
}

/// Share of packets that L marked after the start, and the expected share; the same for C's drops, and their number.
struct Told {
    marks: [f64; 2],
    drops: [f64; 2],
    dropped: f64,
}

fn told(run: &Recorded, coupling: f64) -> Told {
    let queue = run.queue(0, 0);
    let all = &queue.dualpi2;
    let from = all.partition_point(|q| q.time < FROM);
    let (first, last) = (&all[from], all.last().unwrap());
    let [mut l, mut c] = [0.0; 2];
    for pair in all[from..].windows(2) {
        let p = pair[0].prob as f64 / ONE;
        l += coupling * p * (pair[1].packets_in_l - pair[0].packets_in_l) as f64;
        c += p * p * (pair[1].packets_in_c - pair[0].packets_in_c) as f64;
    }
    let came_l = (last.packets_in_l - first.packets_in_l) as f64;
    let came_c = (last.packets_in_c - first.packets_in_c) as f64;
    let marks = (last.ecn_mark - first.ecn_mark) - (last.step_marks - first.step_marks);
    let dropped = (queue.drops.last().unwrap() - queue.drops[from]) as f64;
    Told { marks: [marks as f64 / came_l, l / came_l], drops: [dropped / came_c, c / came_c], dropped }
}

/// RFC 9332, section 2.1: p_C = p'^2 and p_L = k p'.
#[test]
fn marks_and_drops_are_coupled_by_k() {
    for (queue, k) in [("", 2.0), (", coupling = 4", 4.0)] {
        let run = beside(queue);
        let Told { marks, drops, dropped } = told(&run, k);
        assert!(dropped > 10.0, "{queue}: {dropped} drops");
        close(marks[0], marks[1], 0.1, "marks");
        // Drops are rare, and so few that their number varies: four standard deviations of a Poisson count.
        close(drops[0], drops[1], 4.0 / (drops[1] / drops[0] * dropped).sqrt() + 0.1, "drops");
    }
}

/// Delays of RFC 9332's two queues: below the step of 1 ms, and about the target of 15 ms.
#[test]
fn each_queue_keeps_its_delay() {
    let run = beside("");
    let waited = |flow: usize| {
        let mut all = run.series.flows[flow].waits.iter().filter(|wait| wait.queue == 0).collect::<Vec<_>>();
        all.sort_unstable_by_key(|wait| wait.least);
        let packets: u64 = all.iter().map(|wait| wait.packets).sum();
        all.iter().map(|wait| wait.seconds() * wait.packets as f64).sum::<f64>() / packets as f64
    };
    let [classic, low] = [waited(0), waited(1)];
    assert!(low < 0.001, "mean wait in the L queue {low} s");
    assert!((0.003..0.02).contains(&classic), "mean wait in the C queue {classic} s");
    let most = run.queue(0, 0).dualpi2.iter().map(|q| q.packets_in_l).max().unwrap();
    assert!(most > 0);
    // Nothing without ECN is marked, and nothing in the L queue dropped.
    let [queue, flow, not_ect, ce] = run.columns(recording::ECN, ["queue", "flow", "not_ect", "ce"]);
    let row = |number| (0..queue.len()).find(|row| queue[*row] == 0 && flow[*row] == number).unwrap();
    assert_eq!((ce[row(0)], run.last_of(1, 0, ["bytes_retrans"])[0]), (0, 0));
    assert!(not_ect[row(0)] > 10_000 && ce[row(1)] > 1000);
}

/// A longer step, in packets, lets the L queue grow to it.
#[test]
fn the_step_is_where_it_was_put() {
    let run = beside(", step = \"100 packets\"");
    let queue = run.queue(0, 0);
    let steps = queue.dualpi2.last().unwrap().step_marks;
    let before = beside("").queue(0, 0).dualpi2.last().unwrap().step_marks;
    assert!(steps * 10 < before, "{steps} marks by the step of 100 packets, {before} by that of 1 ms");
}

/// Equal rates at equal round trips (RFC 9332, section 2); Sarpkaya, Fund and Panwar 2025 measured 47 to 53 Mbit/s of 100 at
/// 10 ms. Prague's packets carry ECT(1) and wait less than the step.
#[test]
fn prague_shares_with_cubic() {
    let run = record(
        r#"
        title = "prague"
        path = { rate = "100 Mbit/s", rtt = "10 ms", buffer = "10000 packets", queue = "dualpi2" }
        hosts = { receiver = { ecn = "accecn-passive" } }
        flows = [{ congestion = "prague", duration = "60 s" }, { congestion = "cubic", duration = "60 s" }]
        "#,
    );
    let [prague, cubic] = [0, 1].map(|flow| run.goodput_of(flow, FROM, 60_000_000_000));
    assert!((0.6..1.7).contains(&(prague / cubic)), "{prague} and {cubic}");
    assert_eq!(run.last_of(0, 0, ["ecn_mode"]), [ACCECN]);
    let [queue, flow, not_ect, ect1, ect0, ce] =
        run.columns(recording::ECN, ["queue", "flow", "not_ect", "ect1", "ect0", "ce"]);
    let row = (0..queue.len()).find(|row| queue[*row] == 0 && flow[*row] == 0).unwrap();
    assert!(ect1[row] > 100_000 && ce[row] > 1000, "{} ECT(1), {} CE", ect1[row], ce[row]);
    // The handshake, and data sent before its ACE arrives, is not ECN-capable.
    assert!(not_ect[row] < 100 && ect0[row] == 0, "{} without ECT, {} ECT(0)", not_ect[row], ect0[row]);
    let waits = run.series.flows[0].waits.iter().filter(|wait| wait.queue == 0);
    let late: u64 = waits.clone().filter(|wait| wait.least > 1_000_000).map(|wait| wait.packets).sum();
    let all: u64 = waits.map(|wait| wait.packets).sum();
    assert!(late * 20 < all, "{late} of {all} packets waited longer than the step");
}

/// Values of `tcpi_ecn_mode` (include/uapi/linux/tcp.h).
const RFC3168: u64 = 1;
const ACCECN: u64 = 2;

fn asked(sender: &str, receiver: &str) -> Recorded {
    record(&format!(
        r#"
        title = "ecn"
        path = {{ rate = "20 Mbit/s", rtt = "20 ms", buffer = "200 packets", queue = {{ discipline = "codel", ecn = true }} }}
        hosts = {{ sender = {{ ecn = {sender} }}, receiver = {{ ecn = {receiver} }} }}
        flows = [{{ duration = "10 s" }}]
        "#
    ))
}

/// RFC 9768, section 3.1: the highest variant that both ends support (Documentation/networking/ip-sysctl.rst, tcp_ecn).
#[test]
fn ends_agree_on_the_highest_variant_of_both() {
    for (sender, receiver, mode) in [
        ("\"accecn\"", "\"accecn\"", ACCECN),
        ("\"accecn\"", "\"accecn-passive\"", ACCECN),
        ("\"accecn\"", "\"passive\"", RFC3168),
        ("\"accecn-classic\"", "\"accecn\"", RFC3168),
        ("true", "\"on\"", RFC3168),
        ("\"passive\"", "\"on\"", 0),
        ("\"accecn\"", "false", 0),
    ] {
        let run = asked(sender, receiver);
        for end in [0, 1] {
            assert_eq!(run.last_of(0, end, ["ecn_mode"]), [mode], "{sender} to {receiver}, end {end}");
        }
        let marked = run.last(["delivered_ce"])[0];
        assert_eq!(marked > 0, mode > 0, "{sender} to {receiver}: {marked} marked");
    }
}

/// With AccECN the sender hears of each mark; the option counts bytes (RFC 9768, section 3.2.3).
#[test]
fn accecn_counts_each_mark() {
    let run = asked("\"accecn\"", "\"accecn\"");
    let [queue, ce] = run.columns(recording::ECN, ["queue", "ce"]);
    let left: u64 = queue.iter().zip(&ce).filter(|(queue, _)| **queue == 0).map(|(_, ce)| *ce).sum();
    let [received] = run.last_of(0, 1, ["received_ce"]);
    let [heard, bytes, seen] = run.last_of(0, 0, ["delivered_ce", "delivered_ce_bytes", "accecn_opt_seen"]);
    assert!(left > 10 && seen > 0);
    assert_eq!(received, left, "the receiver counts what left the queue with a mark");
    // ACKs for the last round trip are still on their way.
    assert!(heard <= left && left - heard < 10, "{heard} of {left} heard of");
    // Segments are full, except the last ones.
    assert!(bytes <= left * 1448 && bytes > (left - 10) * 1400, "{bytes} bytes of {left} segments");
}

/// tcpdump at both ends: marks that arrived, and marks that the sender heard of, match the queue's marks and TCP_INFO.
#[test]
fn captures_of_both_ends_count_what_the_queue_marked() {
    if Command::new("tcpdump").arg("--version").output().is_err() {
        return skip("tcpdump is not installed");
    }
    let dump = |end: &str| {
        format!(
            "{{ ecn = \"accecn\", fetch = [\"/tmp/{end}.pcap\"], run = [{{ background = true, \
             command = \"tcpdump -i nic --immediate-mode -B 65536 -s 100 -w /tmp/{end}.pcap tcp\" }}] }}"
        )
    };
    let run = record(&format!(
        r#"
        title = "captured"
        path = {{ rate = "10 Mbit/s", rtt = "20 ms", buffer = "10000 packets", queue = "dualpi2" }}
        hosts = {{ sender = {}, receiver = {} }}
        flows = [{{ congestion = "prague", start = "500 ms", duration = "3 s" }}]
        "#,
        dump("sender"),
        dump("receiver")
    ));
    let [sent, came] = ["sender", "receiver"].map(|end| {
        let file = File::open(run.path().join(format!("fetched-{end}.pcap"))).unwrap();
        let read = capture::read(end, file).unwrap();
        assert!(read.unread.is_empty(), "{:?}", read.unread);
        read.connections[0].ecn_detail.unwrap()
    });
    let [queue, ce] = run.columns(recording::ECN, ["queue", "ce"]);
    let left: u64 = queue.iter().zip(&ce).filter(|(queue, _)| **queue == 0).map(|(_, ce)| *ce).sum();
    let heard = sent.heard.unwrap();
    assert!(left > 50, "{left} marks");
    // The queue's last packets may still be on their way at the end, and the last samples are older than the last
    // packets.
    let [received] = run.last_of(0, 1, ["received_ce"]);
    let [sent_ce, came_ce] = [sent, came].map(|ecn| ecn.data.unwrap().ce);
    assert!(sent_ce == 0 && (received..=left).contains(&came_ce), "{sent_ce}, {received}, {came_ce}, {left}");
    assert!(left - received < 10, "{received} of {left}");
    let [delivered, ect1, ce] = run.last(["delivered_ce", "delivered_e1_bytes", "delivered_ce_bytes"]);
    let [least, most] = heard.marked.unwrap();
    assert!(least == most && (delivered..=came_ce).contains(&least), "{delivered}, {least}, {came_ce}");
    let bytes = heard.bytes.unwrap();
    assert!(bytes.ce >= ce && bytes.ect1 >= ect1 && bytes.ect0 == 0, "{bytes:?}, {ect1}, {ce}");
    assert_eq!(bytes.ce, least * 1436, "all of full segments");
}
