//! Flows: each kind against its arithmetic.

use crate::support::{close, record};
use plan::recording;

const SECOND: u64 = 1_000_000_000;

#[test]
fn a_ping_takes_the_round_trip() {
    let run = record(
        r#"
        title = "ping"
        path = { rate = "100 Mbit/s", rtt = "30 ms", buffer = "100 packets" }
        flows = [{ kind = "ping", interval = "10 ms", size = "56 B", requests = 100 }]
        record = { drops = true }
        "#,
    );
    let [dropped] = run.columns(recording::DROPS, ["time"]);
    assert_eq!(dropped.len(), 0, "a reply is no packet without a socket");
    let pings = run.exchanges(0);
    assert_eq!(pings.len(), 100);
    // 122 bytes on the wire each way, over 100 Mbit/s and interfaces of 10 Gbit/s.
    let expected = 30_000_000 + 2 * (9_760 + 98);
    for (number, (start, end)) in pings.iter().enumerate() {
        assert!(start.abs_diff(number as u64 * 10_000_000) < 10_000, "ping {number} sent at {start}");
        assert!((end - start).abs_diff(expected) <= 1000, "ping {number} took {} ns", end - start);
    }
}

#[test]
fn a_ping_beside_a_bulk_flow_waits_in_its_queue() {
    let run = record(
        r#"
        title = "ping under load"
        path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "50 packets" }
        flows = [{ duration = "10 s" }, { kind = "ping", interval = "100 ms", duration = "10 s" }]
        "#,
    );
    let slowest = run.exchanges(1).iter().filter(|(_, end)| *end > 0).map(|(start, end)| end - start).max().unwrap();
    // 50 packets of 1,538 bytes at 10 Mbit/s are 61.5 ms.
    assert!((75_000_000..85_000_000).contains(&slowest), "{slowest} ns");
}

/// The window is large enough for each message after the first exchanges, so that one takes a round trip and the time
/// for its bytes.
#[test]
fn requests_take_a_round_trip_and_their_bytes() {
    let run = record(
        r#"
        title = "requests"
        path = { rate = "100 Mbit/s", rtt = "20 ms", buffer = "100 packets" }
        flows = [{ kind = "requests", request = "100 B", response = "10 kB", think = "30 ms", requests = 20 }]
        "#,
    );
    let all = run.exchanges(0);
    assert_eq!(all.len(), 20);
    // The first one includes the handshake.
    assert!((40_000_000..42_500_000).contains(&(all[0].1 - all[0].0)), "the first took {} ns", all[0].1 - all[0].0);
    for pair in all.windows(2) {
        let [(_, before), (start, end)] = pair else { unreachable!() };
        assert!((30_000_000..30_200_000).contains(&(start - before)), "pause of {} ns", start - before);
        // Seven packets, 10,714 bytes on the wire, take 0.86 ms, and the request 15 us.
        assert!((20_860_000..20_950_000).contains(&(end - start)), "{} ns", end - start);
    }
}

#[test]
fn datagrams_come_at_their_rate_and_what_does_not_fit_is_lost() {
    let run = record(
        r#"
        title = "udp"
        path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "20 packets" }
        flows = [{ kind = "udp", rate = "20 Mbit/s", size = "1000 B", duration = "4 s" }]
        "#,
    );
    let counts = run.series.facts.datagrams[&0];
    assert_eq!(counts.sent, 10_000);
    // 1,066 bytes on the wire each: the line takes 1,172.6 a second, and 20 wait at the end.
    close(counts.received as f64, 4.0 * 10e6 / 8.0 / 1066.0 + 21.0, 0.005, "datagrams received");
    // At its end those 20 wait, and the line's 10 ms are under way: 11.7 more.
    close(counts.on_time as f64, 3.99 * 10e6 / 8.0 / 1066.0, 0.001, "datagrams on time");
    assert_eq!(counts.sent - counts.received, *run.queue(0, 0).drops.last().unwrap());
}

#[test]
fn an_application_that_writes_at_a_rate_gets_that_rate() {
    let run = record(
        r#"
        title = "paced"
        path = { rate = "100 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }
        flows = [{ duration = "5 s", send-rate = "7 Mbit/s" }]
        "#,
    );
    close(run.goodput(SECOND, 5 * SECOND), 7e6, 0.01, "goodput");
    let [busy] = run.last(["busy_time"]);
    assert!(busy < 4_900_000 + 200_000, "busy for {busy} us");
}

#[test]
fn an_application_that_reads_slowly_closes_the_window() {
    let run = record(
        r#"
        title = "slow reader"
        path = { rate = "100 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }
        flows = [{ duration = "10 s", read-rate = "4 Mbit/s", receive-buffer = "200 kB" }]
        "#,
    );
    close(run.goodput(3 * SECOND, 10 * SECOND), 4e6, 0.05, "goodput");
    let [limited, busy] = run.last(["rwnd_limited", "busy_time"]);
    assert!(limited as f64 > 0.8 * busy as f64, "limited by the receive window for {limited} of {busy} us");
}

/// 2.57 MB of 1,448 B are 1,775 segments. From there CUBIC grows by 0.4 t³ of them (RFC 9438, 4.2, with K = 0), and it looks an RTT
/// ahead. Transfers from London to Tokyo (232 ms) do so: 2.57 MB, and 2.98 MB ten seconds later.
#[test]
fn slow_start_that_ends_at_a_cwnd_leaves_cubic_at_its_plateau() {
    let run = record(
        r#"
        title = "slow start ends"
        path = { rate = "500 Mbit/s", rtt = "232 ms", buffer = "1 BDP" }
        hosts = { sysctl = { "net.ipv4.tcp_wmem" = "4096 16384 33554432" } }
        flows = [{ duration = "11 s", slow-start-ends = "2.57 MB" }]
        "#,
    );
    let [times, ends, cwnd, ssthresh, again] =
        run.columns("samples.parquet", ["time", "end", "snd_cwnd", "snd_ssthresh", "total_retrans"]);
    let sent: Vec<usize> = (0..times.len()).filter(|at| ends[*at] == 0).collect();
    let left = sent.iter().copied().find(|at| ssthresh[*at] < 1 << 30).expect("slow start ends");
    assert!((1775..1785).contains(&ssthresh[left]), "{}", ssthresh[left]);
    let at = |seconds: u64| {
        let time = times[left] + seconds * SECOND;
        cwnd[sent.iter().copied().find(|at| times[*at] >= time).unwrap()] as f64 - ssthresh[left] as f64
    };
    for seconds in [4, 6, 8] {
        let grown = |by: f64| 0.4 * (seconds as f64 + by).powi(3);
        assert!((grown(-0.3)..grown(0.3)).contains(&at(seconds)), "{} after {seconds} s", at(seconds));
    }
    assert_eq!(sent.iter().map(|at| again[*at]).max(), Some(0));
}

/// Slow start adds a segment to cwnd for each acknowledged one (RFC 5681, 3.1), from 10 on. With two packets of the
/// handshake cwnd is 1,000 + 10 − 2 when packet 1,000 is the first lost. CUBIC continues at 0.7 of cwnd.
#[test]
fn a_loss_ends_slow_start_at_the_expected_cwnd() {
    let run = record(
        r#"
        title = "a loss ends slow start"
        path = { rate = "500 Mbit/s", rtt = "232 ms", buffer = "1 BDP", loss = { packets = [1000] } }
        hosts = { sysctl = { "net.ipv4.tcp_wmem" = "4096 16384 33554432" } }
        flows = [{ duration = "6 s", slow-start-ends = "1 GB" }]
        "#,
    );
    let [ends, ssthresh, again] = run.columns("samples.parquet", ["end", "snd_ssthresh", "total_retrans"]);
    let sent: Vec<usize> = (0..ends.len()).filter(|at| ends[*at] == 0).collect();
    let left = sent.iter().copied().find(|at| ssthresh[*at] < 600_000).expect("slow start ends");
    let most = ssthresh[left] as f64 / 0.7;
    assert!((1000.0..1016.0).contains(&most), "{most}");
    assert_eq!(sent.iter().map(|at| again[*at]).max(), Some(1));
}

#[test]
fn an_application_that_pauses_sends_nothing_meanwhile() {
    let run = record(
        r#"
        title = "on and off"
        path = { rate = "10 Mbit/s", rtt = "10 ms", buffer = "20 packets" }
        flows = [{ duration = "6 s", on = "1 s", off = "2 s", send-buffer = "30 kB" }]
        "#,
    );
    let during = |from: f64, to: f64| run.goodput((from * 1e9) as u64, (to * 1e9) as u64);
    for start in [0.0, 3.0] {
        assert!(during(start + 0.3, start + 0.95) > 8e6, "on from {start} s");
        // The rest of the send buffer, 60 kB at most, drains within 50 ms.
        assert!(during(start + 1.2, start + 2.95) < 1e3, "off from {} s", start + 1.0);
    }
}

/// Each has three files and three threads, and more than 1,024 files are open.
#[test]
fn a_thousand_connections_at_once() {
    let run = record(
        r#"
        title = "a thousand"
        path = { rate = "1 Gbit/s", rtt = "10 ms", buffer = "20000 packets" }
        flows = [{ kind = "requests", requests = 1, count = 500 }, { bytes = "10 kB", count = 500 }]
        "#,
    );
    assert_eq!(run.series.facts.ended.len(), 1000);
    assert!((0..500).all(|flow| run.exchanges(flow)[0].1 > 0));
    assert!((500..1000).all(|flow| run.series.flows[flow].received.last().unwrap().1 >= 10_000));
}

#[test]
fn both_directions_and_staggered_starts() {
    let run = record(
        r#"
        title = "many"
        path = { rate = "10 Mbit/s", rtt = "10 ms", buffer = "1 BDP" }
        flows = [{ duration = "2 s", count = 3, stagger = "500 ms" }, { duration = "2 s", direction = "both", start = "4 s" }]
        "#,
    );
    let ends: Vec<(&str, &str)> = run.scene.flows.iter().map(|f| (f.from.as_str(), f.to.as_str())).collect();
    let (there, back) = (("sender", "receiver"), ("receiver", "sender"));
    assert_eq!(ends, [there, there, there, there, back]);
    let started: Vec<u64> = (0..5).map(|flow| run.series.facts.started[&flow] / 1_000_000).collect();
    assert_eq!(started, [0, 500, 1000, 4000, 4000]);
    assert!(run.goodput_of(4, 4_500_000_000, 5_900_000_000) > 5e6, "the way back carries data");
}
