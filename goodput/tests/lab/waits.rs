//! How long the packets of a flow wait in queues, against arithmetic, the pings' own times and the samples of the queues.

use crate::measures::measured;
use crate::support::{Recorded, close, record};
use plan::recording;

/// A bucket's middle is off by half of 1/64 of its time.
const BUCKET: f64 = 0.0079;

/// A full segment of 1448 B with headers, preamble and gap takes 1538 B on the link.
const SEGMENT: f64 = 1538.0 * 8.0 / 20e6;

#[test]
fn below_the_lines_rate_nothing_waits() {
    let measured = measured(
        r#"
        title = "below"
        path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "50 packets" }
        flows = [{ kind = "udp", rate = "9 Mbit/s", size = "1000 B", duration = "5 s" }]
        "#,
    );
    assert_eq!([measured.of("queued-p50"), measured.of("queued-p99")], [0.0, 0.0]);
    assert_eq!(measured.known("queue-share", 0), None, "alone");
}

/// A packet of 1000 B takes 1066 B of the line. Whoever gets into a queue of 50 finds 49 of them there, and one being sent
/// that began after the packet before it came, at most 400 us ago.
#[test]
fn in_a_full_queue_everybody_waits_for_all_of_it() {
    let measured = measured(
        r#"
        title = "above"
        path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "50 packets" }
        flows = [{ kind = "udp", rate = "20 Mbit/s", size = "1000 B", duration = "20 s" }]
        "#,
    );
    let each = 1066.0 * 8.0 / 10e6;
    for name in ["queued-p50", "queued-p95", "queued-p99"] {
        let waited = measured.of(name);
        let range = (50.0 * each - 400e-6) * (1.0 - BUCKET)..=50.0 * each * (1.0 + BUCKET);
        assert!(range.contains(&waited), "{name}: {waited} s, expected {range:?}");
    }
}

/// A receive window of n segments takes n segment times for each round trip; the part that is not path delay is the
/// queue.
#[test]
fn a_ping_waits_for_what_a_bulk_flow_has_in_the_queue() {
    let measured = measured(
        r#"
        title = "who queues whom"
        path = { rate = "20 Mbit/s", rtt = "40 ms", buffer = "1000 packets" }
        flows = [{ duration = "30 s", receive-buffer = "400 kB" }, { kind = "ping", interval = "100 ms", duration = "30 s" }]
        "#,
    );
    let window = (measured.run.last(["snd_wnd"])[0] / 1448) as f64;
    let expected = window * SEGMENT - 0.040 - SEGMENT;
    // An ACK for two segments lets two go at once.
    close(measured.of("queued-p50"), expected, BUCKET + 2.0 * SEGMENT / expected, "the bulk flow's own wait");
    let of_ping = |name: &str| measured.known(name, 1).expect("a value");
    // 56 B with headers, preamble and gap are 122 B, on both ways.
    let idle = 0.040 + 2.0 * 122.0 * 8.0 / 20e6;
    for rank in ["p50", "p95"] {
        let waited = of_ping(&format!("queued-{rank}"));
        close(waited, of_ping(&format!("rtt-{rank}")) - idle, BUCKET, "what its RTT says");
    }
    // Ten frames of 98 B a second against a line full of frames of 1514 B: all wait as long.
    let share = of_ping("queue-share");
    close(share, 980.0 / (1514.0 / SEGMENT), 0.06, "the ping's share");
    close(share + measured.of("queue-share"), 1.0, 1e-9, "nobody else is there");
}

/// Flows in one queue wait equally long, so their shares of the queue are those of their windows, except for the
/// seconds in which these open.
#[test]
fn a_standing_queue_belongs_to_flows_as_their_windows() {
    let measured = measured(
        r#"
        title = "two windows"
        path = { rate = "20 Mbit/s", rtt = "40 ms", buffer = "1000 packets" }
        flows = [{ duration = "200 s", receive-buffer = "150 kB" }, { duration = "200 s", receive-buffer = "450 kB" }]
        "#,
    );
    let windows = [0, 1].map(|flow| (measured.run.last_of(flow, 0, ["snd_wnd"])[0] / 1448) as f64);
    let sum = windows[0] + windows[1];
    for flow in [0, 1] {
        let share = measured.known("queue-share", flow).expect("a share");
        close(share, windows[flow] / sum, 0.02, "its share");
        let waited = measured.known("queued-p50", flow).expect("a wait");
        let expected = sum * SEGMENT - 0.040 - SEGMENT;
        close(waited, expected, BUCKET + 4.0 * SEGMENT / expected, "its wait");
    }
}

/// Packets and bytes of all waits in a queue equal the queue's counters, and their sum its samples by Little's law:
/// mean backlog is arrival rate times mean wait.
#[track_caller]
fn agrees(run: &Recorded, number: u64, little: Option<f64>, what: &str) {
    let [queue, packets, bytes] = run.columns(recording::WAITS, ["queue", "packets", "bytes"]);
    let sum = |values: &[u64]| -> u64 { queue.iter().zip(values).filter(|(q, _)| **q == number).map(|(_, n)| n).sum() };
    let samples = &run.series.queues[number as usize];
    let sent = [&samples.sent_packets, &samples.sent_bytes].map(|counter| *counter.last().unwrap());
    assert_eq!([sum(&packets), sum(&bytes)], sent, "{what}");
    assert!(sent[0] > 1000, "{what}: {sent:?}");
    if let Some(share) = little {
        let seconds = *samples.time.last().unwrap() as f64 / 1e9;
        let mean = samples.backlog.iter().sum::<u64>() as f64 / samples.backlog.len() as f64;
        close(samples.byte_seconds / seconds, mean, share, what);
    }
}

#[test]
fn every_discipline_keeps_its_packets_arrivals() {
    for queue in [
        "\"drop-tail\"",
        "\"codel\"",
        "\"fq_codel\"",
        "\"pie\"",
        "\"fq\"",
        "{ discipline = \"cake\", rtt = \"40 ms\" }",
        "{ discipline = \"red\", min = \"45420 B\", max = \"136260 B\", probability = \"10 %\" }",
    ] {
        let run = record(&format!(
            r#"
            title = "queue"
            path = {{ rate = "20 Mbit/s", rtt = "40 ms", buffer = "500 packets", queue = {queue} }}
            flows = [{{ duration = "10 s", count = 4, stagger = "100 ms" }}]
            record = {{ interval = "2 ms" }}
            "#
        ));
        // CoDel drops when it takes a packet out, which has waited by then.
        agrees(&run, 0, Some(0.05), queue);
    }
}

/// A host's interface splits TSO's large packets; each frame counts as waiting since the whole packet arrived.
#[test]
fn frames_of_a_large_packet_wait_each_for_itself() {
    let run = record(
        r#"
        title = "tso"
        hosts = { a = { offloads = ["tso", "gso", "gro"] }, b = {} }
        switches = { s = {} }
        links = [{ between = ["a", "s"], rate = "100 Mbit/s", buffer = "500 kB" },
                 { between = ["s", "b"], rate = "50 Mbit/s", delay = "5 ms", buffer = "100 packets" }]
        flows = [{ from = "a", to = "b", duration = "3 s" }]
        "#,
    );
    let [queue, flow, most, packets] = run.columns(recording::WAITS, ["queue", "flow", "most", "packets"]);
    let numbers: Vec<u64> = (0..run.series.queues.len() as u64).filter(|number| queue.contains(number)).collect();
    assert!(numbers.len() >= 4, "both ways over both links: {numbers:?}");
    for number in numbers {
        let sent = run.series.queues[number as usize].sent_packets.last().unwrap();
        let sum: u64 = queue.iter().zip(&packets).filter(|(q, _)| **q == number).map(|(_, n)| n).sum();
        assert_eq!(sum, *sent, "queue {number}");
    }
    assert!(flow.iter().all(|flow| *flow == 0));
    // The switch's full buffer, 500 kB, takes 80 ms at 50 Mbit/s.
    assert!(most.iter().all(|ns| *ns < 90_000_000), "{most:?}");
}
