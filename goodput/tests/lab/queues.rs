//! Queue disciplines: each keeps the delay that it aims at, and marks instead of dropping where it was asked to.

use crate::support::{Recorded, record};

const MS: f64 = 1e6;

/// Four CUBIC flows over 20 Mbit/s and 40 ms with a queue of 500 packets, 308 ms.
fn run(queue: &str, hosts: &str) -> Recorded {
    record(&format!(
        r#"
        title = "queue"
        path = {{ rate = "20 Mbit/s", rtt = "40 ms", buffer = "500 packets", queue = {queue} }}
        hosts = {{ {hosts} }}
        flows = [{{ duration = "20 s", count = 4, stagger = "100 ms" }}]
        record = {{ interval = "5 ms" }}
        "#
    ))
}

/// Mean queueing delay over the last 10 s: time that the link needs for the backlog, ms.
fn delay(run: &Recorded) -> f64 {
    let queue = run.queue(0, 0);
    let from = queue.time.partition_point(|time| *time < 10_000_000_000);
    let bytes: u64 = queue.backlog[from..].iter().sum();
    bytes as f64 / (queue.backlog.len() - from) as f64 * 8e9 / 20e6 / MS
}

fn utilisation(run: &Recorded) -> f64 {
    let queue = run.queue(0, 0);
    let by = |t: u64| {
        let row = queue.time.partition_point(|time| *time <= t) - 1;
        (queue.sent_bytes[row] + 24 * queue.sent_packets[row]) as f64
    };
    (by(20_000_000_000) - by(10_000_000_000)) * 8.0 / 10.0 / 20e6
}

#[track_caller]
fn holds(queue: &str, hosts: &str, low: f64, high: f64) -> Recorded {
    let run = run(queue, hosts);
    let (delay, utilisation) = (delay(&run), utilisation(&run));
    assert!((low..=high).contains(&delay), "{queue}: a mean delay of {delay:.1} ms, expected {low} to {high}");
    assert!(utilisation > 0.9, "{queue}: utilisation {utilisation:.3}");
    run
}

fn drops(run: &Recorded) -> u64 {
    *run.queue(0, 0).drops.last().unwrap()
}

fn marked(run: &Recorded) -> u64 {
    (0..4).map(|flow| run.last_of(flow, 0, ["delivered_ce"])[0]).sum()
}

#[test]
fn a_drop_tail_queue_is_full_most_of_the_time() {
    // CUBIC backs off by 0.3 of BDP and buffer together: the mean is well over half of 308 ms.
    holds("\"drop-tail\"", "", 180.0, 310.0);
}

#[test]
fn codel_keeps_its_target() {
    let run = holds("\"codel\"", "", 2.0, 15.0);
    assert!(drops(&run) > 0);
}

#[test]
fn fq_codel_keeps_its_target() {
    holds("{ discipline = \"fq_codel\", ecn = false }", "", 2.0, 30.0);
}

#[test]
fn pie_keeps_its_target() {
    holds("\"pie\"", "", 5.0, 25.0);
}

#[test]
fn cake_keeps_its_target() {
    holds("{ discipline = \"cake\", rtt = \"40 ms\" }", "", 1.0, 30.0);
}

#[test]
fn red_keeps_its_mean_between_its_thresholds() {
    // 30 and 90 frames at 20 Mbit/s: 18 and 54 ms. Drops begin at the lower threshold, and at most halve the queue.
    let red = r#"{ discipline = "red", min = "45420 B", max = "136260 B", probability = "10 %" }"#;
    holds(red, "", 9.0, 54.5);
}

#[test]
fn fq_shares_evenly() {
    let run = run("\"fq\"", "");
    let rates: Vec<f64> = (0..4).map(|flow| run.goodput_of(flow, 10_000_000_000, 20_000_000_000)).collect();
    let sum: f64 = rates.iter().sum();
    assert!(rates.iter().all(|rate| (rate / sum - 0.25).abs() < 0.02), "{rates:?}");
}

#[test]
fn a_queue_that_marks_does_not_drop() {
    for queue in [
        "{ discipline = \"codel\", ecn = true }",
        "{ discipline = \"fq_codel\", ecn = true }",
        "{ discipline = \"pie\", ecn = true }",
        "\"cake\"",
    ] {
        let run = run(queue, "ecn = true");
        assert!(marked(&run) > 0, "{queue}: nothing was marked");
        let retransmitted: u64 = (0..4).map(|flow| run.last_of(flow, 0, ["total_retrans"])[0]).sum();
        assert!(retransmitted < marked(&run), "{queue}: {retransmitted} retransmitted, {} marked", marked(&run));
    }
}

/// DCTCP over a queue of 500 kB.
fn dctcp(queue: &str) -> Recorded {
    record(&format!(
        r#"
        title = "dctcp"
        path = {{ rate = "1 Gbit/s", rtt = "400 us", buffer = "500 kB", queue = {queue} }}
        flows = [{{ congestion = "dctcp", duration = "2 s", count = 2 }}]
        record = {{ interval = "1 ms" }}
        "#
    ))
}

/// RFC 8257: DCTCP with a step threshold keeps the queue at it, without loss.
#[test]
fn dctcp_holds_a_threshold_s_queue() {
    for queue in [
        "{ discipline = \"threshold\", above = \"100 kB\" }",
        "{ discipline = \"fq\", mark-above = \"100 kB\" }",
        "{ discipline = \"fq_codel\", target = \"1 s\", interval = \"1 s\", mark-above = \"100 kB\" }",
    ] {
        holds_threshold(queue);
    }
}

fn holds_threshold(queue: &str) {
    let run = dctcp(queue);
    let queue = run.queue(0, 0);
    let from = queue.time.partition_point(|time| *time < 1_000_000_000);
    let mean = queue.backlog[from..].iter().sum::<u64>() as f64 / (queue.backlog.len() - from) as f64;
    // The sawtooth of DCTCP lies around the threshold K: K plus a few packets above, some tens of kB below.
    assert!((50e3..130e3).contains(&mean), "mean queue {mean} B at a threshold of 100 kB");
    let late = queue.drops.last().unwrap() - queue.drops[from];
    assert_eq!(late, 0, "a marked flow loses nothing");
    assert!(run.last(["delivered_ce"])[0] > 0);
}

/// DCTCP sends ECT(0), so marks for ECT(1) alone never reach it, and it fills the queue as Reno would.
#[test]
fn marks_for_ect1_leave_ect0_alone() {
    let run = dctcp(
        "{ discipline = \"fq_codel\", target = \"1 s\", interval = \"1 s\", mark-above = \"100 kB\", mark-only = \"ect1\" }",
    );
    assert_eq!([0, 1].map(|flow| run.last_of(flow, 0, ["delivered_ce"])[0]), [0, 0]);
    assert!(drops(&run) > 0);
}
