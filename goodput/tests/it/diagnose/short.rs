//! Paths whose round trip takes microseconds: what Linux 6.18's `ss -tinm` printed every second, in namespaces and on
//! loopback.
//!
//! `shaper.ss` is CUBIC through `tbf rate 20mbit burst 1540 limit 15000` between two veths: nine full frames wait at
//! most, 13.6 kB, which takes 5.45 ms; `shaper.json` is what iperf3 printed of it. `loopback.ss` is iperf3 to its own host.
//! `paced-shaper.ss` is BBR over 30 ms through a shaper of 20 Mbit/s with a queue of 30 kB, every 0.4 s.
//! `sawtooth.ss` is CUBIC on the same path, every half second.
//! `paced-window.ss` is BBR over 60 ms to a receiver whose tcp_rmem ends at 262,144, every 0.4 s.

use super::paste::{page, told};
use diagnosis::diagnose::{self, Confidence, Diagnosis, Given};
use evidence::{Evidence, import};

const SHAPER: &str = include_str!("short/shaper.ss");
const SHAPER_JSON: &str = include_str!("short/shaper.json");
const PACED_SHAPER: &str = include_str!("short/paced-shaper.ss");
const SAWTOOTH: &str = include_str!("short/sawtooth.ss");
const PACED: &str = include_str!("short/paced-window.ss");
const LOOPBACK: &str = include_str!("short/loopback.ss");
const FAST_LINK: Given = Given { rate: Some(100e6), rtt: None };

fn of(text: &str, given: Given) -> Diagnosis {
    told(&[("x.ss", text)], given)
}

/// The full queue takes 5.45 ms. RTTs of 4.76 ms over an idle 5 us are its: at 19.1 Mbit/s it holds 4.76 ms × 19.1
/// Mbit/s / 8 = 11.4 kB, nearly all of a cwnd of 7 to 13 segments.
#[test]
fn a_queue_of_milliseconds_on_a_path_of_microseconds_is_a_queue() {
    let found = of(SHAPER, FAST_LINK);
    let text = page(&found);
    assert!(found.findings.iter().all(|finding| finding.rule != "policer"), "{text}");
    assert!(!text.contains("no queue"), "{text}");
    let top = found.top().unwrap();
    assert_eq!(top.rule, "rate-cap", "{text}");
    assert!(top.says.contains("a queue stands"), "{text}");
}

/// iperf3 prints RTTs under load only: 4.30 ms are the least of its intervals, and no idle path's. Over 2 ms idle, 4.87
/// ms leave (4.87 − 2.00) ms × 19.1 Mbit/s / 8 / 1448 = 4.7 packets in a queue.
#[test]
fn rtts_bound_the_queue_that_they_leave_open() {
    let of = |rtt: Option<f64>| page(&told(&[("x.json", SHAPER_JSON)], Given { rtt, ..FAST_LINK })).replace('\n', " ");
    let unknown = of(None);
    assert!(unknown.contains("(RTT 4.87 ms, 4.30 ms at least)"), "{unknown}");
    let idle = of(Some(0.002));
    assert!(
        idle.contains("no queue of more than 5 packets builds before the drops (RTT 4.87 ms, 2.00 ms idle)"),
        "{idle}"
    );
}

/// 125 kB over 2 us would be 501 Gbit/s; over 30 us they are 33.4 Gbit/s, and a limit.
#[test]
fn a_window_over_the_rtt_of_loopback_is_no_limit() {
    let text = page(&of(LOOPBACK, Given::default()));
    assert!(text.contains("Receive-window limited at 31.3 Gbit/s"), "{text}");
    assert!(!text.contains("at most") && !text.contains("allows"), "{text}");
    let longer = page(&of(&LOOPBACK.replace("minrtt:0.002", "minrtt:0.03"), Given::default()));
    assert!(longer.contains("125 kB / 30.0 us = 33.4 Gbit/s at most"), "{longer}");
}

/// The kernel counted the sender as busy all the time, whatever a text that ends within a screen leaves of that.
#[test]
fn a_text_that_ends_within_a_screen_shows_no_idle_program() {
    let cut_off = |at: &usize| {
        let found = of(&SHAPER[..*at], FAST_LINK);
        assert!(found.findings.iter().all(|finding| finding.rule != "application-limited"), "{at}: {}", page(&found));
        found.read.iter().any(|read| read.contains("cut off"))
    };
    let last = SHAPER.rfind("skmem:").unwrap();
    let within = last + SHAPER[last..].find("rtt:").unwrap()..last + SHAPER[last..].find(" minrtt:").unwrap();
    let untold: Vec<usize> = within.step_by(7).filter(|at| !cut_off(at)).collect();
    assert!(untold.is_empty(), "{untold:?}");
    let alone = of(&SHAPER[..SHAPER.find(" busy:").unwrap()], FAST_LINK);
    assert!(alone.findings.iter().all(|finding| finding.confidence < Confidence::High), "{}", page(&alone));
    assert!(alone.read.contains(&"1 of them cut off".to_owned()), "{:?}", alone.read);
}

/// The server's screen of iperf3's connection has the same two addresses the other way round.
#[test]
fn both_ends_of_a_connection_are_one_connection() {
    let end = |ends: &str, counts: &str| {
        format!(
            "State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess\nESTAB 0 0 {ends}\n\t cubic wscale:7,7 rto:204 \
             rtt:1.2/0.1 mss:1448 cwnd:10 {counts} segs_out:9000 segs_in:4000 busy:9000ms rcv_space:14480 minrtt:1\n"
        )
    };
    let sender = end("10.0.0.1:40000 10.0.0.2:5201", "bytes_sent:12000000 bytes_acked:12000000");
    let receiver = end("10.0.0.2:5201 10.0.0.1:40000", "bytes_received:12000000");
    let read = |files: &[(&str, &str)]| {
        let mut evidence = Evidence::default();
        files.iter().for_each(|(name, text)| import::read(name, text.as_bytes(), &mut evidence));
        diagnose::diagnose(&evidence, Given::default()).read
    };
    let both = ["1 connection", "1 of them printed at both ends"];
    assert_eq!(read(&[("client", &sender), ("server", &receiver)]), both);
    assert_eq!(read(&[("one", &(sender.clone() + &receiver))]), both);
    let other = receiver.replace("40000", "40001");
    assert_eq!(read(&[("client", &sender), ("server", &other)]), ["2 connections"]);
}

/// 162,432 B over 60.2 ms are 21.6 Mbit/s, and 20.9 arrived. The kernel charges 28 % of the time to the window and the
/// rest to BBR's timer, which is due with each ACK.
#[test]
fn a_paced_sender_is_limited_by_its_window_not_its_interface() {
    let found = of(PACED, Given { rtt: Some(0.0602), ..FAST_LINK });
    let text = page(&found);
    let top = found.top().unwrap_or_else(|| panic!("{text}"));
    assert_eq!(top.rule, "receiver-window", "{text}");
    assert!(top.says.contains("162 kB / 60.2 ms = 21.6 Mbit/s at most"), "{text}");
    assert!(!text.contains("interface"), "{text}");
}

/// RTTs of 34 ms over 30.2 idle are 4 ms × 18.9 Mbit/s / 8 = 9 kB in a queue. A window of CUBIC might cause them as one
/// burst into a line of 100 Mbit/s, but BBR spreads its window over the round trip.
#[test]
fn a_paced_senders_raised_rtt_is_a_queue_not_a_burst() {
    let found = of(PACED_SHAPER, Given { rtt: Some(0.0302), ..FAST_LINK });
    let text = page(&found);
    let top = found.top().unwrap_or_else(|| panic!("{text}"));
    assert_eq!(top.rule, "rate-cap", "{text}");
    assert!(top.says.contains("a queue stands"), "{text}");
}

/// From 50 to 70 segments in flight the RTT goes from 31.6 to 42.3 ms: 1.58 to 1.70 segments a ms × 1448 × 8 are 18.3 to 19.7
/// Mbit/s throughout, the rate of the shaper (Little's law).
#[test]
fn an_rtt_that_follows_the_sawtooth_is_a_queue_and_no_policer() {
    let found = of(SAWTOOTH, Given { rtt: Some(0.0302), ..FAST_LINK });
    let text = page(&found);
    assert!(found.findings.iter().all(|finding| finding.rule != "policer"), "{text}");
    assert!(!text.contains("no queue") && !text.contains("has room"), "{text}");
}
