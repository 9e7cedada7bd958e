//! Captures: which packets are lost, and how much the others are delayed, shows what drops them.
//!
//! `tests/captures/` has excerpts of captures behind a router with known settings; its README names their authors.

use super::paths::{Drops, captured, seconds};
use analysis::sources;
use diagnosis::diagnose::{self, Confidence, Diagnosis, Given};
use evidence::{Connection, Evidence, Seen};
use std::path::PathBuf;

fn found(connections: usize, drops: Drops) -> Diagnosis {
    let evidence = Evidence { connections: captured(connections, drops), ..Evidence::default() };
    diagnose::diagnose(&evidence, Given::default())
}

fn names(diagnosis: &Diagnosis) -> Vec<&str> {
    diagnosis.findings.iter().map(|finding| finding.rule).collect()
}

/// Rate in bit/s and burst in bytes as the finding states them.
fn bucket(diagnosis: &Diagnosis) -> String {
    let top = diagnosis.top().expect("a problem");
    top.figures.iter().find(|figure| figure.name == "token bucket").expect("a token bucket").value.clone()
}

fn is_10_mbit(told: &str) -> bool {
    ["9.8", "9.9", "10.0", "10.1", "10.2"].iter().any(|rate| told.starts_with(rate)) && told.contains(" Mbit/s")
}

#[test]
fn a_token_bucket_is_found_with_its_rate_and_burst() {
    let found = found(1, Drops::Bucket);
    let top = found.top().map(|top| (top.rule, top.confidence));
    assert_eq!(top, Some(("policer", Confidence::High)), "{:?}", names(&found));
    let told = bucket(&found);
    assert!(is_10_mbit(&told) && told.contains(" Mbit/s, 6"), "{told}");
}

#[test]
fn a_bucket_is_found_behind_the_queue_that_slow_start_overflows() {
    let found = found(1, Drops::LargeBucket);
    assert_eq!(found.top().map(|top| top.rule), Some("policer"), "{:?}", names(&found));
    let told = bucket(&found);
    assert!(is_10_mbit(&told) && told.contains("at least"), "{told}");
}

#[test]
fn a_capture_at_the_receiver_tells_it_roughly() {
    let connections =
        captured(1, Drops::Bucket).into_iter().map(|c| Connection { seen: Seen::Receiver, ..c }).collect();
    let found = diagnose::diagnose(&Evidence { connections, ..Evidence::default() }, Given::default());
    let top = found.top().map(|top| (top.rule, top.confidence));
    assert_eq!(top, Some(("policer", Confidence::Medium)), "{:?}", names(&found));
}

#[test]
fn a_queue_drops_the_same_packets_and_delays_the_others() {
    let found = found(1, Drops::Queue);
    assert!(!names(&found).contains(&"policer"), "{:?}", names(&found));
}

#[test]
fn random_losses_are_no_policer_however_many() {
    for of_1000 in [2, 5, 10, 20, 50, 100] {
        let found = found(1, Drops::Chance(of_1000));
        assert!(!names(&found).contains(&"policer"), "{of_1000} of 1000: {:?}", names(&found));
    }
}

#[test]
fn connections_through_one_bucket_have_its_rate_together() {
    let all = captured(3, Drops::Bucket);
    let of = |connections| {
        let evidence = Evidence { connections, ..Evidence::default() };
        diagnose::diagnose(&evidence, Given::default())
    };
    let together = of(all.clone());
    assert_eq!(together.top().map(|top| top.rule), Some("policer"), "{:?}", names(&together));
    assert!(together.top().is_some_and(|top| top.says.contains("3 connections together")), "{together:#?}");
    assert!(is_10_mbit(&bucket(&together)), "{}", bucket(&together));
    // Alone, a third of it.
    let alone = of(all[..1].to_vec());
    assert!(alone.top().is_none_or(|top| top.rule != "policer") || !is_10_mbit(&bucket(&alone)));
}

/// Intervals of a second are too long to separate losses: only the rate after each is left.
fn by_the_second(drops: Drops) -> Diagnosis {
    let all = captured(1, drops).into_iter().map(|c| Connection { packets: vec![], points: seconds(&c.points), ..c });
    let evidence = Evidence { connections: all.collect(), ..Evidence::default() };
    diagnose::diagnose(&evidence, Given { rate: Some(100e6), rtt: None })
}

#[test]
fn random_losses_are_no_policer_by_the_second_either() {
    for of_1000 in 2..=40 {
        let found = by_the_second(Drops::Chance(of_1000));
        assert!(!names(&found).contains(&"policer"), "{of_1000} of 1000: {:?}", names(&found));
    }
    let found = by_the_second(Drops::Bucket);
    assert_eq!(found.top().map(|top| top.rule), Some("policer"), "{:?}", names(&found));
}

fn excerpt(name: &str) -> Diagnosis {
    of_line(name, None)
}

fn of_line(name: &str, rate: Option<f64>) -> Diagnosis {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/captures")).join(name);
    let read = sources::evidence(&[path]).unwrap();
    diagnose::diagnose(&read[0].found, Given { rate, rtt: None })
}

/// The last loss comes after the last sample of a round-trip time.
#[test]
fn a_fuzzed_capture_with_a_late_loss_is_diagnosed() {
    assert!(excerpt("late-loss.pcap").speed.is_some());
}

/// The program wakes when a third of the buffer is free, so the bytes in flight rise and fall between two points.
#[test]
fn a_send_buffer_that_is_refilled_in_parts_is_named() {
    let found = of_line("send-buffer-in-parts.pcap", Some(18e6));
    assert_eq!(found.top().map(|top| top.rule), Some("send-buffer"), "{:?}", names(&found));
}

/// Small writes wait for ACKs that are 40 ms late; ACKs that are not late show that there is no queue.
#[test]
fn delayed_acks_are_no_queue_of_others() {
    let found = of_line("delayed-acks.pcap", Some(12e6));
    assert!(!names(&found).contains(&"cross-traffic"), "{:?}", names(&found));
}

/// A path policed at 1.69 Mbit/s that was down for 2.81 s: the laboratory's policer and outage, tcpdump's packets.
#[test]
fn a_policer_is_found_beside_an_outage() {
    let found = excerpt("policer-and-outage.pcap");
    assert_eq!(&names(&found)[..2], ["policer", "outage"], "{:?}", names(&found));
    assert!(bucket(&found).contains("1.70 Mbit/s") || bucket(&found).contains("1.69 Mbit/s"), "{}", bucket(&found));
    assert!(found.findings[1].confidence < Confidence::High, "it is not what costs most");
}

/// Action of the router in each capture, with its configured rate and burst.
#[test]
fn captures_behind_a_known_router_name_what_it_did() {
    for (name, rule, due) in [
        ("policer-1.5-mbit.pcap", "policer", "1.50 Mbit/s"),
        ("policer-10-mbit.pcap", "policer", "9.99 Mbit/s"),
        ("policer-8-kb.pcap", "policer", "8.83 kB"),
        ("loss-2-percent.pcap", "loss-response", ""),
        ("shaper-100-kb.pcap", "bufferbloat", ""),
        ("lro-router.pcap", "offload-forwarding", ""),
        ("ack-path.pcap", "cross-traffic", ""),
    ] {
        let found = excerpt(name);
        assert_eq!(found.top().map(|top| top.rule), Some(rule), "{name}: {:?}", names(&found));
        assert!(!names(&found).contains(&"reordering"), "{name}: {:?}", names(&found));
        if !due.is_empty() {
            assert!(bucket(&found).contains(due), "{name}: {}", bucket(&found));
        }
    }
}
