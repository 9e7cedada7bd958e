//! What programs do with their sockets: writes, Nagle's algorithm, requests ahead, caps.

use crate::support::{Recorded, close, record};

const MS: u64 = 1_000_000;
const SECOND: u64 = 1000 * MS;

fn exchanges(keys: &str) -> Vec<u64> {
    let run = record(&format!(
        r#"
        title = "write, write, read"
        path = {{ rate = "100 Mbit/s", rtt = "1 ms", buffer = "100 packets" }}
        flows = [{{ kind = "requests", request = "200 B", requests = 20, {keys} }}]
        "#
    ));
    let all = run.exchanges(0);
    assert_eq!(all.len(), 20);
    all.iter().map(|(start, end)| end - start).collect()
}

/// RFC 1122, 4.2.3.2 and 4.2.3.4: Nagle's algorithm holds the second of two small writes until the first is acknowledged,
/// and the peer delays that ACK by TCP_DELACK_MIN, 40 ms, and up to a tick of 1 ms. A response in two writes stalls as well. On Linux 6.18 with ticks of 4 ms the
/// same program (Python, loopback) takes 44.0 ms for each exchange, and 0.03 ms with TCP_NODELAY or in one write.
#[test]
fn two_small_writes_wait_for_a_delayed_ack() {
    for (response, stalls) in [("100 B", 1), ("200 B", 2)] {
        let stalled = exchanges(&format!("response = \"{response}\", write = \"100 B\""));
        // Each stall: the first write and its ACK take a round trip besides the delay.
        let due = MS + stalls * 41 * MS..=MS + stalls * 43 * MS;
        assert!(stalled[3..].iter().all(|ns| due.contains(ns)), "{response}: {stalled:?}");
    }
    for keys in ["write = \"100 B\", nodelay = true", "write = \"200 B\"", "nodelay = true"] {
        let quick = exchanges(&format!("response = \"200 B\", {keys}"));
        assert!(quick[2..].iter().all(|ns| (MS..MS + MS / 5).contains(ns)), "{keys}: {quick:?}");
    }
}

/// 10 kB and then 10 ms without: 8 Mbit/s.
#[test]
fn a_program_that_pauses_between_writes_sends_a_write_in_each_pause() {
    let run = record(
        r#"
        title = "pauses"
        path = { rate = "1 Gbit/s", rtt = "2 ms", buffer = "1 BDP" }
        flows = [{ duration = "4 s", write = "10 kB", pause = "10 ms" }, { bytes = "1 MB", write = "100 kB", pause = "100 ms" }]
        "#,
    );
    close(run.goodput(SECOND, 4 * SECOND), 8e6, 0.01, "goodput");
    // Ten writes and nine pauses, after the handshake.
    let ended = run.series.facts.ended[&1] as f64;
    close(ended, 0.9e9 + 2e6 + 2e6, 0.01, "the end of 1 MB in writes of 100 kB");
}

/// Payload of responses that arrived in a time, bit/s.
fn answered(run: &Recorded, response: u64, from: u64, to: u64) -> f64 {
    let ends = run.exchanges(0).into_iter().filter(|(_, end)| (from..to).contains(end));
    (ends.count() as u64 * response * 8) as f64 * 1e9 / (to - from) as f64
}

/// A credit of N pieces of 32 KiB makes N pieces in each round trip of 100 ms: 2.6 Mbit/s each. The next request leaves
/// once a piece has come whole, 0.3 ms at 1 Gbit/s.
#[test]
fn a_credit_of_pieces_is_a_window() {
    for outstanding in [1, 4, 16] {
        let run = record(&format!(
            r#"
            title = "credit"
            path = {{ rate = "1 Gbit/s", rtt = "100 ms", buffer = "1 BDP" }}
            flows = [{{ kind = "requests", response = "32 KiB", outstanding = {outstanding}, nodelay = true, duration = "12 s" }}]
            "#
        ));
        let expected = f64::from(outstanding) * 32_768.0 * 8.0 / 0.1003;
        close(answered(&run, 32_768, 4 * SECOND, 12 * SECOND), expected, 0.02, &format!("{outstanding} outstanding"));
        let all = run.exchanges(0);
        let open = all.iter().filter(|(_, end)| *end == 0).count();
        assert!(open <= outstanding as usize, "{open} of {outstanding} are open");
    }
}

#[test]
fn a_number_of_requests_ends_with_the_last_response() {
    let run = record(
        r#"
        title = "ahead"
        path = { rate = "100 Mbit/s", rtt = "20 ms", buffer = "100 packets" }
        flows = [
            { kind = "requests", request = "30 kB", response = "1 kB", requests = 50, outstanding = 8, nodelay = true },
            { kind = "requests", response = "1 kB", requests = 3, outstanding = 8, think = "50 ms" },
        ]
        "#,
    );
    let all = run.exchanges(0);
    assert_eq!(all.len(), 50);
    assert!(all.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 <= pair[1].1), "{all:?}");
    // Upload: 1.5 MB at 100 Mbit/s take 127 ms with headers; slow start and the handshake some round trips of 20 ms.
    assert!((147 * MS..400 * MS).contains(&all[49].1), "{all:?}");
    assert_eq!(run.exchanges(1).len(), 3);
}

/// SO_MAX_PACING_RATE is of payload. Natively (Linux 6.18, `iperf3 --fq-rate 20M`): 20.0 Mbit/s, and 60.1 with three streams.
#[test]
fn each_flow_has_a_cap_of_its_own() {
    let run = record(
        r#"
        title = "cap"
        path = { rate = "1 Gbit/s", rtt = "10 ms", buffer = "1 BDP" }
        flows = [{ duration = "4 s", count = 3, max-rate = "20 Mbit/s" }]
        "#,
    );
    for flow in 0..3 {
        close(run.goodput_of(flow, SECOND, 4 * SECOND), 20e6, 0.01, "goodput");
        assert_eq!(run.last_of(flow as u64, 0, ["total_retrans"]), [0]);
    }
}
