//! A proxy in the middle: two connections in place of one, each against its arithmetic.

use crate::support::{Recorded, close, record};

const SECOND: u64 = 1_000_000_000;

/// Hosts at both ends and halfway, and a flow from one end to the other.
fn network(links: &str, flow: &str) -> Recorded {
    record(&format!(
        r#"
        title = "relay"
        hosts = {{ a = {{}}, b = {{}}, p = {{}} }}
        routers = {{ r = {{}} }}
        flows = [{{ from = "a", to = "b", {flow} }}]
        [[links]]
        between = ["a", "r"]
        rate = "100 Mbit/s"
        buffer = "4 BDP"
        {links}
        [[links]]
        between = ["r", "b"]
        rate = "100 Mbit/s"
        buffer = "4 BDP"
        {links}
        [[links]]
        between = ["r", "p"]
        rate = "1 Gbit/s"
        buffer = "1000 packets"
        "#
    ))
}

/// W/RTT over the whole, and W/(RTT/2) over each half.
#[test]
fn a_window_carries_twice_as_much_over_halves() {
    let flow = "duration = \"10 s\", receive-buffer = \"200 kB\", name = \"x\"";
    let direct = network("delay = \"50 ms\"", flow);
    let split = network("delay = \"50 ms\"", &format!("{flow}, via = \"p\""));
    let direct = direct.goodput(3 * SECOND, 9 * SECOND);
    let [first, last] = [0, 1].map(|half| split.goodput_of(half, 3 * SECOND, 9 * SECOND));
    close(last / direct, 2.0, 0.05, "split over direct");
    close(first, last, 0.02, "what comes to the proxy and what leaves it");
}

/// C/(RTT sqrt(p)) of each half, where the whole has twice the round trip and twice the loss: 2 sqrt(2) times as much
/// (Mathis et al., The Macroscopic Behavior of the TCP Congestion Avoidance Algorithm, 1997).
#[test]
fn losses_cost_less_over_halves() {
    let flow = "duration = \"200 s\", congestion = \"reno\"";
    let links = "delay = \"20 ms\"\nloss = \"0.1 %\"";
    let direct = network(links, flow).goodput(10 * SECOND, 200 * SECOND);
    let split = network(links, &format!("{flow}, via = \"p\"")).goodput_of(1, 10 * SECOND, 200 * SECOND);
    // The slower half delays the faster one while their buffers are full: the rate is a little below the mean of one
    // half alone.
    let gain = split / direct;
    assert!((2.2..3.0).contains(&gain), "{direct} direct, {split} split: {gain}");
}

/// A flow of a size ends when the last byte is read behind the proxy, and no byte is made or lost on the way.
#[test]
fn a_size_arrives_whole() {
    let run = network("delay = \"10 ms\"", "bytes = \"3 MB\", via = \"p\"");
    assert!(run.series.facts.broken.is_empty(), "{:?}", run.series.facts.broken);
    let [received] = run.last_of(1, 1, ["bytes_received"]);
    let [sent] = run.last_of(0, 0, ["bytes_acked"]);
    // SYN and FIN count as one each (RFC 9293, 3.4); the SYN is no data that arrives.
    assert!((3_000_000..=3_000_001).contains(&received), "{received}");
    assert!((3_000_000..=3_000_002).contains(&sent), "{sent}");
    assert!(run.series.facts.ended[&1] >= run.series.facts.ended[&0]);
}

/// The slowest reader throttles the sender through the proxy, whose program buffers 64 KiB.
#[test]
fn a_slow_reader_closes_the_window_behind_the_proxy_too() {
    let run = network(
        "delay = \"10 ms\"",
        "duration = \"20 s\", read-rate = \"4 Mbit/s\", receive-buffer = \"200 kB\", send-buffer = \"200 kB\", via = \"p\"",
    );
    for half in [0, 1] {
        close(run.goodput_of(half, 8 * SECOND, 20 * SECOND), 4e6, 0.05, "goodput of a half");
    }
}
