//! Captures at the sender.

use super::builder::{FIN, PSH, Packet, ack, data, packet};
use super::{HELLO, RTT, at_client, capture, connection, greeting, notes};
use crate::{Seen, Source, Window};

const MSS: u32 = 1460;

/// `segments` full segments from the `first`th on, 10 µs apart.
fn flight(at: i64, first: u32, segments: u32) -> Vec<Packet> {
    (0..segments).map(|i| data(at + 10 * i64::from(i), (first + i) * MSS, MSS as usize)).collect()
}

/// The third of ten segments is lost, and sent again after three duplicate acknowledgments.
fn one_loss(answers: impl Fn(i64, u32) -> Packet) -> Vec<Packet> {
    let mut packets = at_client();
    let (sent, heard) = (20_000, 30_000);
    packets.extend(flight(sent, 0, 10));
    packets.extend([ack(heard, MSS), ack(heard + 10, 2 * MSS)]);
    packets.extend((0..3).map(|i| answers(heard + 30 + 10 * i, i as u32)));
    packets.push(data(heard + 60, 2 * MSS, MSS as usize));
    packets.extend((3..7).map(|i| answers(heard + 70 + 10 * i, i as u32)));
    packets.push(ack(heard + 60 + RTT, 10 * MSS));
    packets
}

#[test]
fn a_transfer_without_loss_has_its_bytes_rate_and_times() {
    let mut packets = at_client();
    packets.extend(flight(20_000, 0, 10));
    packets.push(ack(30_000, 5 * MSS).window(500));
    packets.push(ack(30_060, 10 * MSS).window(1200));
    let fin = data(30_100, 10 * MSS, 0).flags(FIN);
    packets.extend([fin, ack(90_000, 10 * MSS + 1)]);
    let found = connection(&packets);

    assert_eq!((found.seen, found.source), (Seen::Sender, Source::Capture));
    assert_eq!(found.name, "10.0.0.1:40000 → 10.0.0.2:5001");
    assert_eq!(found.bytes, Some(14_600.0));
    assert_eq!(found.span, Some([0.0, 0.09]));
    assert!((found.goodput.unwrap() - 14_600.0 * 8.0 / 0.09).abs() < 1e-6);
    assert_eq!((found.mss, found.advmss), (Some(1460.0), Some(1460.0)));
    assert_eq!((found.segments_sent, found.retransmitted), (Some(10.0), Some(0.0)));
    assert_eq!((found.spurious, found.reordered, found.out_of_order), (Some(0.0), Some(0.0), None));
    assert_eq!((found.timeouts, found.timeout_time), (Some(0.0), Some(0.0)));
    assert_eq!((found.sack, found.scaled, found.ecn), (Some(true), Some(true), Some(false)));
    // The first acknowledgment comes 9960 µs after its segment.
    assert_eq!(found.rtt_min, Some(0.00996));
    assert_eq!(found.window, Some(Window { largest: 1200.0 * 128.0, zeros: 0 }));
    assert!(found.marked.is_none() && found.limits.is_none());
}

/// Time after the handshake's second, payload and fate of each segment.
fn fates(packets: &[Packet]) -> Vec<(u32, bool, bool)> {
    let found = connection(packets).packets;
    assert!(found.is_sorted_by_key(|packet| packet.time), "{found:?}");
    found.iter().map(|packet| (packet.bytes, packet.lost, packet.rtt.is_some())).collect()
}

#[test]
fn each_segment_has_a_fate_and_if_sent_once_an_rtt() {
    let sack = |at, number: u32| ack(at, 2 * MSS).sack(&[(3 * MSS, (4 + number) * MSS)]);
    let mut due = vec![(MSS, false, true); 10];
    due[2] = (MSS, true, false);
    due.push((MSS, false, false));
    assert_eq!(fates(&one_loss(sack)), due);
}

#[test]
fn segments_acked_before_a_retransmission_could_be_are_not_lost() {
    let mut packets = at_client();
    packets.extend(flight(20_000, 0, 4));
    packets.push(data(29_000, 0, MSS as usize));
    packets.push(ack(30_000, 4 * MSS));
    let due = [(MSS, false, false), (MSS, false, true), (MSS, false, true), (MSS, false, true), (MSS, false, false)];
    assert_eq!(fates(&packets), due);
}

#[test]
fn a_large_packet_is_several_segments() {
    let mut packets = at_client();
    packets.push(data(20_000, 0, 4 * MSS as usize));
    packets.push(ack(30_000, 4 * MSS));
    assert_eq!(fates(&packets), [(MSS, false, true); 4]);
}

#[test]
fn points_hold_what_happened_in_each_tenth_of_a_second() {
    let mut packets = at_client();
    packets.extend(flight(20_000, 0, 10));
    packets.push(ack(30_000, 10 * MSS));
    packets.extend(flight(450_000, 10, 4));
    packets.push(ack(460_000, 14 * MSS).window(700));
    let points = connection(&packets).points;
    let shape: Vec<_> = points.iter().map(|p| (p.time, p.bytes, p.in_flight, p.window)).collect();
    let window = |raw: f64| Some(raw * 128.0);
    assert_eq!(
        shape,
        [
            (0.1, Some(14_600.0), Some(14_600.0), window(1000.0)),
            (0.4, Some(0.0), None, None),
            (0.46, Some(5840.0), Some(5840.0), window(700.0)),
        ]
    );
    // RFC 6298: samples of 10, 9.91 and 9.97 ms, the first from the handshake.
    let srtt = 0.01 + (0.00991 - 0.01) / 8.0;
    let srtt = srtt + (0.00997 - srtt) / 8.0;
    assert!((points[2].srtt.unwrap() - srtt).abs() < 1e-9);
}

#[test]
fn a_segment_that_is_sent_again_was_lost_when_it_was_sent_first() {
    let sack = |at, i: u32| ack(at, 2 * MSS).sack(&[(3 * MSS, (4 + i) * MSS)]);
    let found = connection(&one_loss(sack));
    assert_eq!((found.segments_sent, found.retransmitted), (Some(11.0), Some(1.0)));
    assert_eq!((found.timeouts, found.spurious, found.reordered), (Some(0.0), Some(0.0), Some(0.0)));
    assert_eq!(found.bytes, Some(14_600.0));
    assert_eq!(found.points.iter().filter_map(|p| p.retransmitted).sum::<f64>(), 1.0);
}

#[test]
fn time_of_what_was_sent_again_is_no_round_trip_time() {
    let found = connection(&one_loss(|at, _| ack(at, 2 * MSS)));
    // The last acknowledgment answers a retransmission; all samples are about an RTT.
    assert_eq!(found.rtt_min, Some(0.01));
    assert_eq!(found.retransmitted, Some(1.0));
}

#[test]
fn a_d_sack_takes_a_loss_back() {
    let mut packets = one_loss(|at, i| ack(at, 2 * MSS).sack(&[(3 * MSS, (4 + i) * MSS)]));
    packets.pop();
    packets.push(ack(41_000, 10 * MSS));
    packets.push(ack(41_010, 10 * MSS).sack(&[(2 * MSS, 3 * MSS)]));
    let found = connection(&packets);
    assert_eq!((found.retransmitted, found.spurious), (Some(1.0), Some(1.0)));
}

#[test]
fn acknowledgments_of_what_was_passed_over_are_reordering() {
    let mut packets = at_client();
    packets.extend(flight(20_000, 0, 6));
    packets.push(ack(30_000, MSS));
    packets.push(ack(30_010, MSS).sack(&[(2 * MSS, 4 * MSS)]));
    packets.push(ack(30_020, 6 * MSS));
    let found = connection(&packets);
    assert_eq!((found.reordered, found.retransmitted), (Some(1.0), Some(0.0)));
}

#[test]
fn a_retransmission_after_silence_is_a_timeout() {
    let mut packets = at_client();
    packets.extend(flight(20_000, 0, 2));
    packets.push(data(250_000, 0, MSS as usize));
    packets.push(data(710_000, 0, MSS as usize));
    packets.push(ack(720_000, 2 * MSS));
    let found = connection(&packets);
    assert_eq!((found.timeouts, found.retransmitted), (Some(2.0), Some(2.0)));
    // Time from the first timeout until new data are acknowledged.
    assert_eq!(found.timeout_time, Some(0.47));
}

#[test]
fn a_probe_of_the_tail_is_no_timeout() {
    let mut packets = at_client();
    packets.extend(flight(20_000, 0, 3));
    packets.push(data(250_000, 2 * MSS, MSS as usize));
    packets.push(ack(260_000, 3 * MSS));
    let found = connection(&packets);
    assert_eq!((found.timeouts, found.retransmitted), (Some(0.0), Some(1.0)));
}

#[test]
fn a_window_of_0_is_closed_whatever_its_scale() {
    let mut packets: Vec<Packet> = (0..4).map(|i| data(10 * i64::from(i), i * MSS, MSS as usize)).collect();
    packets.push(ack(10_000, 4 * MSS).window(0));
    for at in [300_000, 900_000] {
        packets.extend([data(at, 4 * MSS, 1), ack(at + 10_000, 4 * MSS).window(0)]);
    }
    let found = connection(&packets);
    assert_eq!((found.scaled, found.segments_sent, found.retransmitted), (None, Some(4.0), Some(0.0)));
}

#[test]
fn segments_may_be_as_long_as_the_mss_in_spite_of_timestamps() {
    let hello = [&HELLO[..], &[8, 10, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1]].concat();
    let mut packets = greeting([0, RTT, RTT + 10], &hello, &hello);
    packets.extend((0..8).map(|i| data(20_000 + 10 * i64::from(i), i * MSS, MSS as usize).stamps(2, 1)));
    packets.push(ack(30_000, 8 * MSS).stamps(2, 2));
    let found = connection(&packets);
    assert_eq!((found.mss, found.segments_sent), (Some(1460.0), Some(8.0)));
}

#[test]
fn keepalives_and_window_probes_are_no_retransmissions() {
    let mut packets = at_client();
    packets.extend(flight(20_000, 0, 2));
    packets.push(ack(30_000, 2 * MSS).window(0));
    packets.push(data(230_000, 2 * MSS, 1));
    packets.push(ack(240_000, 2 * MSS).window(0));
    packets.push(data(640_000, 2 * MSS, 1));
    packets.push(ack(650_000, 2 * MSS).window(900));
    packets.push(data(660_000, 2 * MSS, MSS as usize));
    packets.push(ack(670_000, 3 * MSS).window(900));
    packets.push(data(9_000_000, 3 * MSS - 1, 1));
    packets.push(ack(9_010_000, 3 * MSS));
    let found = connection(&packets);
    assert_eq!((found.retransmitted, found.segments_sent), (Some(0.0), Some(3.0)));
    assert_eq!((found.timeouts, found.bytes), (Some(0.0), Some(4380.0)));
    assert_eq!(found.window.map(|window| window.zeros), Some(1));
    assert_eq!(found.span, Some([0.0, 0.67]));
}

#[test]
fn a_packet_of_several_segments_counts_as_so_many() {
    let mut packets = at_client();
    packets.push(data(20_000, 0, 10 * MSS as usize));
    packets.push(data(20_010, 10 * MSS, 3 * MSS as usize + 100).flags(PSH));
    packets.push(ack(30_000, 2 * MSS));
    packets.push(ack(30_010, 2 * MSS).sack(&[(3 * MSS, 10 * MSS)]));
    packets.push(data(30_020, 2 * MSS, MSS as usize));
    packets.push(ack(40_020, 13 * MSS + 100));
    let found = connection(&packets);
    assert_eq!((found.segments_sent, found.retransmitted), (Some(15.0), Some(1.0)));
    assert_eq!((found.bytes, found.mss), (Some(19_080.0), Some(1460.0)));
}

#[test]
fn the_full_segment_is_what_large_packets_share() {
    // The path takes 1388 bytes; the handshake would allow 1460.
    let mut packets = at_client();
    let sizes = [11_104, 2776, 8328, 1388];
    let mut at = 0;
    for (i, size) in sizes.iter().cycle().take(12).enumerate() {
        packets.push(data(20_000 + 10 * i as i64, at, *size as usize));
        at += size;
    }
    packets.push(ack(30_000, at));
    assert_eq!(connection(&packets).mss, Some(1388.0));
}

#[test]
fn full_segment_is_the_lesser_mss_less_timestamps() {
    let ends: [[u8; 16]; 2] =
        [[5, 180], [3, 232]].map(|mss| [2, 4, mss[0], mss[1], 1, 1, 8, 10, 0, 0, 0, 9, 0, 0, 0, 8]);
    let mut packets = greeting([0, RTT, RTT + 10], &ends[0], &ends[1]);
    packets.push(data(20_000, 0, 100).flags(PSH).stamps(30, 9));
    packets.push(ack(30_000, 100).stamps(10, 30));
    let found = connection(&packets);
    assert_eq!((found.mss, found.advmss), (Some(988.0), Some(1000.0)));
    assert_eq!((found.sack, found.scaled), (Some(false), Some(false)));
    assert_eq!(found.window.map(|window| window.largest), Some(1000.0));
}

#[test]
fn without_a_handshake_the_scale_is_not_known() {
    let mut packets: Vec<Packet> = flight(0, 0, 10);
    packets.push(ack(10_000, 5 * MSS));
    packets.push(ack(10_090, 10 * MSS));
    let read = capture(&packets);
    let found = &read.connections[0];
    assert_eq!((found.window, found.scaled, found.sack, found.ecn), (None, None, None, None));
    assert_eq!((found.bytes, found.seen, found.mss), (Some(14_600.0), Seen::Sender, Some(1460.0)));
    assert_eq!(notes(&read), ["1 connection without a complete handshake: window scale unknown"]);
}

#[test]
fn data_from_before_the_capture_are_no_hole() {
    // The capture begins with an acknowledgment while five segments are in flight.
    let mut packets = vec![ack(0, 0)];
    packets.extend(flight(10, 5, 5));
    packets.extend([ack(5000, 5 * MSS), ack(10_050, 10 * MSS)]);
    let read = capture(&packets);
    let found = &read.connections[0];
    assert_eq!((found.retransmitted, found.bytes), (Some(0.0), Some(14_600.0)));
    assert_eq!(notes(&read).len(), 1, "{:?}", read.unread);
}

#[test]
fn an_answer_counts_from_the_end_of_its_request() {
    let reply = |at, from: u32, payload| {
        let mut reply = Packet { payload, ..packet(at, false) };
        (reply.seq, reply.ack) = (reply.seq + from, Some(super::builder::CLIENT.wrapping_add(300)));
        reply
    };
    let mut packets = at_client();
    packets.extend([data(20_000, 0, 100), data(20_100, 100, 200)]);
    packets.extend([reply(50_000, 0, 1000), reply(50_100, 1000, 1000)]);
    let mut next = data(60_000, 300, 50);
    next.ack = Some(super::builder::SERVER + 2000);
    packets.push(next);
    packets.push(reply(75_000, 2000, 1000));
    let found = connection(&packets);
    assert_eq!(found.exchanges, [0.0299, 0.015]);
    // Most of the data are the answers.
    assert_eq!(found.name, "10.0.0.2:5001 → 10.0.0.1:40000");
    assert_eq!(found.seen, Seen::Receiver);
}

#[test]
fn a_new_syn_of_the_same_ports_is_a_new_connection() {
    let mut packets = at_client();
    packets.extend(flight(20_000, 0, 1));
    packets.push(ack(30_000, MSS));
    let mut again = greeting([1_000_000, 1_010_000, 1_010_010], &HELLO, &HELLO);
    again[0].seq = 77;
    again[1].ack = Some(78);
    packets.extend(again);
    let mut more = data(1_020_000, 0, 500);
    more.seq = 78;
    packets.push(more);
    let found = capture(&packets);
    let bytes: Vec<_> = found.connections.iter().map(|one| (one.bytes, one.segments_sent)).collect();
    assert_eq!(bytes, [(Some(1460.0), Some(1.0)), (Some(0.0), Some(1.0))]);
}

/// A segment every 100 ms. From the sixth on, its acknowledgment waits 40 ms in a queue after the receiver, whose clock
/// ticks every `tick` ms.
fn acks_that_wait(tick: u32) -> Vec<Packet> {
    let mut packets = at_client();
    for i in 0..30 {
        let sent = 20_000 + 100_000 * i64::from(i);
        let queue = if i < 6 { 0 } else { 40_000 };
        let clock = (4_000_000_000 + (sent as u32 + 5_000) / 1_000) / tick;
        packets.push(data(sent, i * MSS, MSS as usize).stamps(i + 1, clock));
        packets.push(ack(sent + RTT + queue, (i + 1) * MSS).stamps(clock, i + 1));
    }
    packets
}

#[test]
fn the_receivers_clock_tells_what_acks_wait_for() {
    let queued = connection(&acks_that_wait(1)).queued_back.unwrap();
    assert!((queued - 0.04).abs() < 0.002, "{queued}");
    // A clock with another tick is not recognized.
    assert_eq!(connection(&acks_that_wait(10)).queued_back, None);
}

/// The third segment is late by half an RTT and is sent again before its answer comes. The answer is too early for the
/// copy.
#[test]
fn an_answer_that_comes_too_soon_is_of_the_original() {
    let spurious = |answered: i64| {
        let mut packets = at_client();
        packets.extend(flight(20_000, 0, 10));
        packets.extend([ack(30_000, MSS), ack(30_010, 2 * MSS)]);
        packets.extend((3..6).map(|i| ack(30_000 + 10 * i, 2 * MSS).sack(&[(3 * MSS, (i as u32 + 1) * MSS)])));
        packets.push(data(30_100, 2 * MSS, MSS as usize));
        packets.push(ack(30_100 + answered, 10 * MSS));
        connection(&packets).spurious
    };
    assert_eq!([spurious(RTT / 2), spurious(RTT)], [Some(1.0), Some(0.0)]);
}

/// Twenty segments, 50 ms apart: the application sets the pace, unless an acknowledgment has just come.
#[test]
fn application_paced_writes_leave_at_once() {
    let own = |after_ack: i64| {
        let mut packets = at_client();
        for i in 0..20 {
            let sent = 20_000 + 50_000 * i64::from(i);
            packets.push(ack(sent - after_ack, i * MSS));
            packets.push(data(sent, i * MSS, MSS as usize).flags(PSH));
        }
        packets.push(ack(1_100_000, 20 * MSS));
        connection(&packets).own_pace
    };
    assert_eq!([own(40_000), own(20)], [Some(1.0), Some(0.0)]);
}

/// Writes of a segment and a half: the half waits for the acknowledgment (RFC 896), but the application still sets the
/// pace.
#[test]
fn segments_held_by_nagle_do_not_affect_the_pace() {
    let mut packets = at_client();
    for i in 0..20_u32 {
        let (sent, piece) = (20_000 + 50_000 * i64::from(i), i * (MSS + 700));
        packets.push(data(sent, piece, MSS as usize));
        packets.push(ack(sent + RTT, piece + MSS));
        packets.push(data(sent + RTT + 20, piece + MSS, 700).flags(PSH));
        packets.push(ack(sent + 2 * RTT + 20, piece + MSS + 700));
    }
    assert_eq!(connection(&packets).own_pace, Some(1.0));
}

/// 400 bytes between full segments are sent again every second; all other data have arrived.
#[test]
fn a_short_segment_that_never_arrives_is_a_hole() {
    let mut packets = at_client();
    packets.push(data(20_000, 0, 400));
    packets.extend((0..4).map(|i| data(20_010 + 10 * i64::from(i), 400 + i * MSS, MSS as usize)));
    packets.push(ack(30_000, 0).sack(&[(400, 400 + 4 * MSS)]));
    let again = |times: i64| (1..=times).map(|second| data(second * 1_000_000, 0, 400));
    let with = |rest: Vec<Packet>| {
        let mut all = packets.clone();
        all.extend(rest);
        connection(&all).hole
    };
    assert_eq!(with(again(3).collect()), Some(crate::Hole { bytes: 400.0, again: 3.0, behind: 4.0 }));
    // No hole if the segment arrives or if more than one is missing.
    assert_eq!(with(again(3).chain([ack(3_010_000, 400 + 4 * MSS)]).collect()), None);
    assert_eq!(with(again(3).chain([data(3_500_000, 400 + 4 * MSS, 100)]).collect()), None);
}
