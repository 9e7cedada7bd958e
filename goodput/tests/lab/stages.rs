//! Stages that packets pass in transit, each against its arithmetic. The probe is datagrams at a steady rate: each is a
//! packet, and none is retransmitted.

use crate::support::{Recorded, close, record};
use plan::network::What;

const MS: u64 = 1_000_000;

/// 10,000 datagrams of 1,000 bytes, 1,028 in IP, one each millisecond, over a link with a stage.
fn datagrams(stage: &str) -> Recorded {
    record(&format!(
        r#"
        title = "datagrams"
        path = {{ rate = "100 Mbit/s", rtt = "20 ms", buffer = "1000 packets", {stage} }}
        flows = [{{ kind = "udp", rate = "8 Mbit/s", size = "1000 B", duration = "10 s" }}]
        "#
    ))
}

fn counts(run: &Recorded) -> (u64, u64, u64) {
    let counted = run.series.facts.datagrams[&0];
    (counted.sent, counted.received, counted.reordered)
}

fn stage_drops(run: &Recorded) -> u64 {
    *run.probe(0, 0, What::Stage(0)).drops.last().unwrap()
}

#[test]
fn a_clean_line_delivers_every_datagram_in_order() {
    assert_eq!(counts(&datagrams("")), (10_000, 10_000, 0));
}

#[test]
fn packets_are_lost_by_their_numbers() {
    let run = datagrams("loss = { packets = [1, 2, 7000, 9999, 20000] }");
    assert_eq!(counts(&run), (10_000, 9_996, 0));
}

/// tc's own way (`gact`) ends at 10,000.
#[test]
fn every_nth_packet_is_lost_whatever_n_is() {
    for (n, lost) in [(10_001, 6), (32_768, 2), (65_534, 1), (65_535, 1), (70_000, 1), (70_001, 0)] {
        let run = record(&format!(
            r#"
            title = "nth"
            path = {{ rate = "1 Gbit/s", rtt = "2 ms", buffer = "1000 packets", loss = {{ every = {n} }} }}
            flows = [{{ kind = "udp", rate = "56 Mbit/s", size = "100 B", duration = "1 s" }}]
            record = {{ interval = "100 ms" }}
            "#
        ));
        assert_eq!(counts(&run), (70_000, 70_000 - lost, 0), "every {n}");
    }
}

/// tc prints six significant digits of it: 0.0204626. Of 10,000 packets 205 are lost, give or take 3 x sqrt(205).
#[test]
fn a_share_of_seven_digits_is_lost() {
    let (sent, received, _) = counts(&datagrams("loss = \"2.046257 %\""));
    assert!((sent - received).abs_diff(205) < 43, "{sent} {received}");
}

/// The chain is in its bad state for p / (p + r) of the packets, and a visit there lasts 1 / r of them.
#[test]
fn gilbert_elliott_loses_in_bursts() {
    let run = datagrams("loss = { p = \"1 %\", r = \"20 %\" }");
    let (sent, received, _) = counts(&run);
    let lost = (sent - received) as f64;
    assert_eq!(lost as u64, stage_drops(&run));
    // 10,000 packets see about 95 visits of 5 packets each, so the share has a standard error of some 14 %.
    close(lost / 10_000.0, 0.01 / 0.21, 0.45, "share of the packets lost");
}

#[test]
fn bursts_of_loss_come_at_their_times() {
    let run = datagrams("loss = { at = [\"2 s\", \"5 s\"], for = \"100 ms\" }");
    let (sent, received, _) = counts(&run);
    assert!((sent - received).abs_diff(200) <= 2, "{} lost in two bursts of 100 ms", sent - received);
    let stage = run.probe(0, 0, What::Stage(0));
    let by = |t: u64| stage.drops[stage.time.partition_point(|time| *time <= t) - 1];
    assert_eq!((by(1990 * MS), by(2200 * MS), by(4990 * MS)), (0, by(4990 * MS), by(2200 * MS)));
}

#[test]
fn a_share_is_duplicated() {
    let run = datagrams("duplicate = \"10 %\"");
    let (sent, received, _) = counts(&run);
    assert_eq!(sent, received, "each is counted once");
    // 4 standard deviations of 10,000 draws at 10 % are 120.
    let arrived = run.device("receiver", "nic").rx_packets;
    assert!(arrived.abs_diff(sent + 1000) <= 120, "{arrived} of {sent} arrived");
}

/// A flipped bit fails the checksum of UDP or IP, so the host drops the datagram, not the link.
#[test]
fn a_share_is_corrupted() {
    let run = datagrams("corrupt = \"5 %\"");
    let (sent, received, _) = counts(&run);
    // A bit of the MAC addresses or of a field that no checksum covers may do no harm: 34 of 1,042 bytes at most.
    assert!((sent - received).abs_diff(500) <= 110, "{} of 500 expected corrupted are gone", sent - received);
    assert!(run.device("receiver", "nic").rx_packets >= sent, "all of them arrived at the device");
}

/// One packet each millisecond: a packet delayed by 5 ms arrives behind the five after it, unless they are delayed too.
#[test]
fn a_share_is_held_back() {
    let (_, received, reordered) = counts(&datagrams("reorder = { share = \"2 %\", by = \"5500 us\" }"));
    assert_eq!(received, 10_000);
    assert!(reordered.abs_diff(200) <= 60, "{reordered} of 200 expected came late");
    let (_, received, reordered) = counts(&datagrams("reorder = { share = \"2 %\", by = \"900 us\" }"));
    assert_eq!((received, reordered), (10_000, 0), "held back for less than the distance to the next packet");
}

fn pings(line: &str) -> Vec<f64> {
    let run = record(&format!(
        r#"
        title = "pings"
        path = {{ rate = "100 Mbit/s", rtt = "40 ms", buffer = "1000 packets", {line} }}
        flows = [{{ kind = "ping", interval = "1 ms", size = "8 B", duration = "4 s" }},
                 {{ kind = "udp", rate = "8 Mbit/s", size = "1000 B", duration = "4 s" }}]
        "#
    ));
    let reordered = run.series.facts.datagrams[&1].reordered;
    let exchanges = run.exchanges(0);
    assert!(exchanges.iter().all(|(_, end)| *end > 0));
    assert_eq!(reordered > 0, line.contains("reorder = true"), "{reordered} datagrams out of order");
    exchanges.into_iter().map(|(start, end)| (end - start) as f64 / 1e6).collect()
}

#[test]
fn jitter_spreads_delays_and_reorders_only_when_asked() {
    let spread = |times: &[f64]| {
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        (mean, (times.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / times.len() as f64).sqrt())
    };
    let (mean, deviation) = spread(&pings(""));
    assert!((40.0..40.2).contains(&mean) && deviation < 0.1, "without jitter {mean} +- {deviation} ms");
    let (mean, deviation) = spread(&pings("jitter = { by = \"4 ms\", distribution = \"normal\", reorder = true }"));
    close(mean, 40.0, 0.02, "mean with free jitter, ms");
    close(deviation, 4.0, 0.1, "deviation of a normal jitter of 4 ms");
    // In order, a packet waits for the slowest before it: the mean rises.
    let (mean, deviation) = spread(&pings("jitter = \"4 ms\""));
    assert!(mean > 41.0 && mean < 56.0 && deviation > 0.5, "in order {mean} +- {deviation} ms");
}

/// Lengths are those of IP packets: 28 bytes more than the payload of a datagram.
#[test]
fn a_fault_of_lengths_hits_only_its_range() {
    let through = |fault: &str, size: u32| {
        let run = record(&format!(
            r#"
            title = "lengths"
            path = {{ rate = "1 Gbit/s", rtt = "1 ms", buffer = "1000 packets", mtu = "9000 B", lengths = {{ {fault} }} }}
            flows = [{{ kind = "udp", rate = "40 Mbit/s", size = "{size} B", duration = "100 ms" }}]
            "#
        ));
        let (sent, received, _) = counts(&run);
        received as f64 / sent as f64
    };
    let drop = "from = \"2300 B\", to = \"2400 B\", effect = \"drop\"";
    for (ip, share) in [(2299, 1.0), (2300, 0.0), (2350, 0.0), (2400, 0.0), (2401, 1.0), (8000, 1.0)] {
        assert_eq!(through(drop, ip - 28), share, "IP packets of {ip} bytes");
    }
    let corrupt = "from = \"2300 B\", to = \"2400 B\", effect = \"corrupt\"";
    assert!(through(corrupt, 2350 - 28) < 0.1);
    assert_eq!(through(corrupt, 2450 - 28), 1.0);
}

#[test]
fn packets_of_a_length_go_slowly() {
    let run = |size: u32| {
        record(&format!(
            r#"
            title = "slow lengths"
            path = {{ rate = "1 Gbit/s", rtt = "2 ms", buffer = "1000 packets", mtu = "9000 B",
                      lengths = {{ from = "2300 B", to = "2400 B", effect = "slow", rate = "1 Mbit/s" }} }}
            flows = [{{ kind = "ping", interval = "100 ms", size = "{size} B", duration = "1 s" }}]
            "#
        ))
    };
    let time = |size: u32| {
        let all = run(size).exchanges(0);
        all.iter().map(|(start, end)| (end - start) as f64 / 1e6).sum::<f64>() / all.len() as f64
    };
    // 2,350 bytes and the Ethernet header at 1 Mbit/s: 18.9 ms more than the round trip.
    close(time(2350 - 28), 2.0 + 2364.0 * 8.0 / 1000.0, 0.02, "a ping in the range, ms");
    assert!(time(2450 - 28) < 2.2, "one beyond it");
}

/// The bucket starts full: in a time T, burst + rate × T gets through.
#[test]
fn a_policer_passes_its_rate_and_its_burst() {
    let run = |duration: &str| {
        let run = record(&format!(
            r#"
            title = "policer"
            path = {{ rate = "1 Gbit/s", rtt = "2 ms", buffer = "1000 packets", police = {{ rate = "8 Mbit/s", burst = "100 kB" }} }}
            flows = [{{ kind = "udp", rate = "80 Mbit/s", size = "972 B", duration = "{duration}" }}]
            "#
        ));
        let (sent, received, _) = counts(&run);
        assert_eq!(sent - received, stage_drops(&run));
        received as f64 * 1000.0
    };
    close(run("100 ms"), 100e3 + 1e6 * 0.1, 0.02, "bytes of IP in 100 ms");
    close(run("4 s"), 100e3 + 1e6 * 4.0, 0.02, "bytes of IP in 4 s");
}

/// A shaper forwards as much as a policer, and delays the packets that a policer would drop.
#[test]
fn a_shaper_passes_its_burst_then_its_rate() {
    let run = record(
        r#"
        title = "shaper"
        path = { rate = "1 Gbit/s", rtt = "2 ms", buffer = "1000 packets",
                 shape = { rate = "8 Mbit/s", burst = "100 kB", buffer = "10 MB" } }
        flows = [{ kind = "udp", rate = "80 Mbit/s", size = "972 B", duration = "500 ms" }]
        record = { interval = "1 ms" }
        "#,
    );
    let (sent, received, _) = counts(&run);
    assert_eq!((received, stage_drops(&run)), (sent, 0));
    let line = run.queue(0, 0);
    let passed = |t: u64| line.sent_bytes[line.time.partition_point(|time| *time <= t) - 1] as f64;
    // A frame is 1,014 bytes. The bucket's 100 kB last for 100 kB / (81.1 - 8 Mbit/s) = 10.9 ms.
    close(passed(401 * MS), 100e3 + 1e6 * 0.4, 0.02, "bytes of frames in 400 ms");
    close(passed(401 * MS) - passed(201 * MS), 1e6 * 0.2, 0.02, "bytes of frames in 200 ms");
}

/// Packets are collected for 5 ms from the first one on: of one each millisecond, six.
#[test]
fn an_aggregate_releases_packets_together() {
    let run = record(
        r#"
        title = "aggregate"
        path = { rate = "1 Gbit/s", rtt = "20 ms", buffer = "1000 packets", aggregate = { every = "5 ms" } }
        flows = [{ kind = "ping", interval = "1 ms", size = "8 B", duration = "2 s" }]
        "#,
    );
    let mut ends: Vec<u64> = run.exchanges(0).into_iter().map(|(_, end)| end).collect();
    assert!(ends.iter().all(|end| *end > 0));
    ends.sort_unstable();
    let groups = ends.windows(2).filter(|pair| pair[1] - pair[0] > MS).count() + 1;
    assert!(groups.abs_diff(333) <= 10, "2,000 answers came in {groups} groups");
}

/// 200 us each way are 283 us of a round trip. Of 300,000 packets three are lost; none, or twelve and more, in 5 % and in
/// 0.01 % of cases (Poisson).
#[test]
fn noise_varies_round_trips_and_loses_a_packet_in_100_000() {
    let noisy = |flow: &str| {
        record(&format!(
            "title = \"noise\"\npath = {{ rate = \"1 Gbit/s\", rtt = \"40 ms\", buffer = \"1000 packets\", noise = \"clouds\" }}\n\
             flows = [{{ {flow} }}]"
        ))
    };
    let run = noisy("kind = \"ping\", interval = \"20 ms\", size = \"56 B\", requests = 1000");
    let rtts: Vec<f64> = run.exchanges(0).iter().map(|(start, end)| (end - start) as f64 / 1e3).collect();
    let mean = rtts.iter().sum::<f64>() / rtts.len() as f64;
    let deviation = (rtts.iter().map(|rtt| (rtt - mean).powi(2)).sum::<f64>() / rtts.len() as f64).sqrt();
    assert!((260.0..306.0).contains(&deviation), "{deviation:.0} us");

    let run = noisy("kind = \"udp\", rate = \"300 Mbit/s\", size = \"1000 B\", duration = \"8 s\"");
    let (sent, received, _) = counts(&run);
    assert!(sent >= 299_000 && (1..12).contains(&(sent - received)), "{} of {sent} lost", sent - received);
}
