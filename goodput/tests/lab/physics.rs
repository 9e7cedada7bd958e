//! Rates, round-trip times, losses and windows against their arithmetic.

use crate::support::{close, record};
use plan::network;
use plan::recording;

const SECOND: u64 = 1_000_000_000;
/// Payload of a full segment with timestamps over its bytes on Ethernet: 1500 of IP, 14 of header, 24 of FCS, preamble
/// and gap.
const PAYLOAD_SHARE: f64 = 1448.0 / 1538.0;

#[test]
fn a_lossless_path_is_filled_and_its_rtt_is_the_path_s() {
    let run = record(
        r#"
        title = "lossless"
        path = { rate = "100 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }
        flows = [{ duration = "20 s" }]
        "#,
    );
    let goodput = run.goodput(10 * SECOND, 20 * SECOND);
    let most = 100e6 * PAYLOAD_SHARE;
    // Data behind a hole at the start of the interval, 2 BDP at most, is delivered in it: 0.5 MB of 118.
    assert!(goodput >= 0.95 * most && goodput <= most * 1.005, "{goodput} of {most}");
    let [min_rtt] = run.last(["min_rtt"]);
    assert!((20_000..=20_100).contains(&min_rtt), "min_rtt {min_rtt} us");
}

#[test]
fn a_line_that_is_never_idle_carries_its_rate_exactly() {
    let run = record(
        r#"
        title = "saturated"
        path = { rate = "1 Gbit/s", rtt = "10 ms", buffer = "2 BDP" }
        flows = [{ duration = "6 s" }]
        "#,
    );
    close(run.goodput(3 * SECOND, 5 * SECOND), 1e9 * PAYLOAD_SHARE, 0.0005, "goodput");
}

#[test]
fn bytes_are_conserved_and_each_drop_has_a_place_and_a_reason() {
    let run = record(
        r#"
        title = "drops"
        path = { rate = "20 Mbit/s", rtt = "30 ms", buffer = "20 packets", loss = "0.1 %" }
        flows = [{ bytes = "20 MB" }]
        record = { drops = true, acks = true }
        "#,
    );
    let [sent, retransmitted, segments, retransmissions] =
        run.last(["bytes_sent", "bytes_retrans", "data_segs_out", "total_retrans"]);
    assert_eq!(sent - retransmitted, 20_000_000, "new payload sent is the flow's");
    assert!(retransmissions > 0);

    let [payload] = run.columns(recording::DROPS, ["payload"]);
    let devices = run.texts(recording::DROPS, "device");
    let reasons = run.texts(recording::DROPS, "reason_name");
    let lost_at = |device: &str| devices.iter().zip(&payload).filter(|(d, p)| *d == device && **p > 0).count() as u64;
    let [queue, loss] = [lost_at("receiver"), lost_at("loss_0")];
    assert!(queue > 0 && loss > 0, "drops at the queue {queue}, in transit {loss}");
    let named = devices.iter().zip(&reasons).filter(|(d, _)| *d == "receiver" || *d == "loss_0");
    assert!(named.into_iter().all(|(_, reason)| reason.starts_with("QDISC")), "{reasons:?}");

    let counted = |probe: usize| *run.series.queues[probe].drops.last().unwrap();
    assert_eq!((queue, loss), (counted(0), counted(1)), "the tracepoint and the queues' counters agree");

    let [end, arrived] = run.columns(recording::SAMPLES, ["end", "data_segs_in"]);
    let arrived = end.iter().zip(&arrived).filter(|(end, _)| **end == 1).map(|(_, n)| *n).max().unwrap();
    assert_eq!(segments, arrived + queue + loss, "segments sent = arrived + dropped");
}

#[test]
fn every_nth_packet_is_lost_and_no_other() {
    let run = record(
        r#"
        title = "nth"
        path = { rate = "50 Mbit/s", rtt = "5 ms", buffer = "1000 packets", loss = { every = 50 } }
        flows = [{ bytes = "10 MB" }]
        "#,
    );
    let dropped = run.series.facts.counted(network::WIRE_NAMESPACE, &["loss_0".into()]);
    assert_eq!(dropped, Some(run.sent_by("sender") / 50), "of {} packets", run.sent_by("sender"));
    assert_eq!(*run.series.queues[0].drops.last().unwrap(), 0, "the queue is never full");
}

#[test]
fn random_loss_is_binomial() {
    let run = record(
        r#"
        title = "random"
        path = { rate = "100 Mbit/s", rtt = "2 ms", buffer = "1000 packets", loss = "0.5 %" }
        flows = [{ bytes = "60 MB" }]
        "#,
    );
    let (n, p) = (run.sent_by("sender") as f64, 0.005);
    let dropped = *run.series.queues[1].drops.last().unwrap() as f64;
    let bound = 4.0 * (n * p * (1.0 - p)).sqrt();
    assert!((dropped - n * p).abs() <= bound, "{dropped} of {n} lost; expected {} +- {bound}", n * p);
}

#[test]
fn a_receive_window_of_w_gives_w_per_round_trip() {
    let run = record(
        r#"
        title = "window"
        path = { rate = "1 Gbit/s", rtt = "50 ms", buffer = "1 BDP" }
        flows = [{ duration = "10 s", receive-buffer = "200 kB" }]
        "#,
    );
    let [window, rtt, limited, busy] = run.last(["snd_wnd", "rtt", "rwnd_limited", "busy_time"]);
    // A segment that does not fit into the window is not sent.
    let usable = (window / 1448 * 1448) as f64;
    close(run.goodput(5 * SECOND, 10 * SECOND), usable * 8e6 / rtt as f64, 0.02, "goodput");
    assert!(limited as f64 > 0.9 * busy as f64, "limited by the receive window for {limited} of {busy} us");
}

#[test]
fn delays_queues_and_starts_are_where_they_were_put() {
    let run = record(
        r#"
        title = "start"
        path = { rate = "10 Mbit/s", rtt = "40 ms", buffer = "50 packets" }
        flows = [{ start = "1500 ms", duration = "4 s" }]
        "#,
    );
    let first = run.series.flows[0].received[0].0;
    // The receiver's connection exists a round trip and a half after the SYN left, and is sampled every 10 ms from then.
    assert!((1_560_000_000..=1_571_000_000).contains(&first), "first sample of the receiver at {first} ns");
    assert_eq!(run.series.facts.started[&0], 1_500_000_000);
    let ended = run.series.facts.ended[&0];
    assert!((5_500_000_000..5_500_100_000).contains(&ended), "ended at {ended} ns");
    let most = *run.series.queues[0].packets.iter().max().unwrap();
    // tbf counts a packet that it has taken from the FIFO and waits to send.
    assert!((50..=51).contains(&most), "the queue of 50 held {most}");
    // 50 packets of 1,538 bytes on the wire at 10 Mbit/s are 61.5 ms.
    let rtt = *run.series.flows[0].srtt.iter().max().unwrap();
    assert!((95_000..=104_000).contains(&rtt), "SRTT with a full queue {rtt} us");
}

#[test]
fn an_mss_is_what_was_asked_for() {
    let run = record(
        r#"
        title = "mss"
        path = { rate = "10 Mbit/s", rtt = "10 ms", buffer = "100 packets", mtu = "9000 B" }
        flows = [{ bytes = "1 MB", mss = "1000 B" }]
        "#,
    );
    // 12 bytes of timestamps come off each segment.
    assert_eq!(run.last(["snd_mss", "advmss"]), [988, 988]);
    assert_eq!(run.scene.links[0].mtu, 9000);
}
