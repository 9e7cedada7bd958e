//! Captures at the receiver.

use super::builder::{Packet, ack, data};
use super::{RTT, at_server, capture, connection, notes};
use crate::Seen;

const MSS: u32 = 1460;

/// Segments that arrive 10 µs apart and are each acknowledged 2 µs later.
fn arrivals(order: &[u32], make: impl Fn(Packet, u32) -> Packet) -> Vec<Packet> {
    let mut packets = at_server();
    let mut have = vec![];
    for (i, segment) in order.iter().enumerate() {
        let at = 20_000 + 10 * i as i64;
        packets.push(make(data(at, segment * MSS, MSS as usize), *segment));
        have.push(*segment);
        let edge = (0..).find(|edge| !have.contains(edge)).unwrap_or(0);
        packets.push(ack(at + 2, edge * MSS));
    }
    packets
}

/// The third of ten segments is lost, and arrives an RTT later.
fn one_loss() -> Vec<Packet> {
    let mut packets = arrivals(&[0, 1, 3, 4, 5, 6, 7, 8, 9], |packet, _| packet);
    packets.push(data(20_020 + RTT, 2 * MSS, MSS as usize));
    packets.push(ack(20_022 + RTT, 10 * MSS));
    packets
}

#[test]
fn a_hole_filled_after_an_rtt_is_a_loss() {
    let found = connection(&one_loss());
    assert_eq!(found.seen, Seen::Receiver);
    assert_eq!((found.retransmitted, found.reordered, found.out_of_order), (Some(1.0), Some(0.0), Some(0.0)));
    // Ten segments arrived, and one did not.
    assert_eq!(found.segments_sent, Some(11.0));
    // The handshake gives the round-trip time to the sender.
    assert_eq!(found.rtt_min, Some(0.01));
    assert_eq!((found.timeouts, found.timeout_time), (Some(0.0), None));
    assert_eq!(found.bytes, Some(14_600.0));
    assert!(found.points.iter().all(|point| point.in_flight.is_none()));
}

#[test]
fn a_lost_packet_is_placed_right_after_its_predecessor() {
    let packets = connection(&one_loss()).packets;
    let lost: Vec<usize> = (0..packets.len()).filter(|at| packets[*at].lost).collect();
    assert_eq!((lost, packets.len()), (vec![2], 11));
    assert_eq!((packets[1].time, packets[2].time, packets[3].time), (0.02001, 0.02001, 0.02002));
}

#[test]
fn a_slightly_late_segment_is_reordered() {
    let found = connection(&arrivals(&[0, 1, 3, 4, 5, 6, 2, 7, 8, 9], |packet, _| packet));
    assert_eq!((found.retransmitted, found.reordered), (Some(0.0), Some(1.0)));
    assert_eq!((found.out_of_order, found.segments_sent), (Some(0.1), Some(10.0)));
}

#[test]
fn timestamps_tell_late_from_sent_again() {
    // The segment arrives after five others. Its timestamp shows a late original or a retransmission.
    for (stamp, retransmitted, late) in [(101, 0.0, 1.0), (150, 1.0, 0.0)] {
        let stamped = |packet: Packet, segment| packet.stamps(if segment == 2 { stamp } else { 100 + segment }, 1);
        let found = connection(&arrivals(&[0, 1, 3, 4, 5, 6, 7, 2, 8, 9], stamped));
        assert_eq!((found.retransmitted, found.reordered), (Some(retransmitted), Some(late)), "{stamp}");
    }
}

#[test]
fn identifications_tell_where_timestamps_do_not() {
    let order: Vec<u32> = (0..30).chain(31..40).chain([30]).chain(40..45).collect();
    for (id, retransmitted, late) in [(130, 0.0, 1.0), (140, 1.0, 0.0)] {
        let counted = |packet: Packet, segment| packet.id(if segment == 30 { id } else { 100 + segment as u16 });
        let found = connection(&arrivals(&order, counted));
        assert_eq!((found.retransmitted, found.reordered), (Some(retransmitted), Some(late)), "{id}");
    }
}

#[test]
fn a_segment_that_arrives_twice_is_a_retransmission() {
    let packets = arrivals(&[0, 1, 2, 3, 1, 4], |packet, segment| packet.id(segment as u16 + 1));
    // Another identification, since it would else count as a copy.
    let again = |(i, packet): (usize, Packet)| if i == 3 + 8 { packet.id(99) } else { packet };
    let packets: Vec<Packet> = packets.into_iter().enumerate().map(again).collect();
    let found = connection(&packets);
    assert_eq!((found.retransmitted, found.segments_sent), (Some(1.0), Some(6.0)));
}

#[test]
fn a_packet_that_is_captured_twice_counts_once() {
    let mut packets = at_server();
    for i in 0..10 {
        let at = 20_000 + 100 * i64::from(i);
        let packet = data(at, i * MSS, MSS as usize).id(500 + i as u16);
        packets.extend([packet.clone(), Packet { at: at + 5, ..packet }, ack(at + 10, (i + 1) * MSS)]);
    }
    let read = capture(&packets);
    let found = &read.connections[0];
    assert_eq!((found.retransmitted, found.segments_sent), (Some(0.0), Some(10.0)));
    assert_eq!(notes(&read), ["10 packets captured twice, counted once"]);
}

#[test]
fn a_hole_that_is_acknowledged_was_missed_by_the_capture() {
    let mut packets = arrivals(&[0, 1, 3, 4], |packet, _| packet);
    packets.push(ack(25_000, 5 * MSS));
    let read = capture(&packets);
    let found = &read.connections[0];
    assert_eq!((found.retransmitted, found.bytes), (Some(0.0), Some(7300.0)));
    let [missed] = notes(&read)[..] else { panic!("{:?}", read.unread) };
    assert_eq!(missed, "1460 bytes were acknowledged but not captured, in 1 connection: the capture lost packets");
}

#[test]
fn one_direction_alone_has_what_it_shows() {
    let packets: Vec<Packet> = one_loss().into_iter().filter(|packet| packet.forward && packet.payload > 0).collect();
    let read = capture(&packets);
    let found = &read.connections[0];
    assert_eq!((found.bytes, found.retransmitted, found.seen), (Some(14_600.0), Some(1.0), Seen::Receiver));
    assert_eq!((found.spurious, found.rtt_min), (None, None));
    assert!(notes(&read).contains(&"1 connection captured in one direction only"), "{:?}", read.unread);
}

#[test]
fn a_front_hole_filled_after_silence_is_a_timeout() {
    let mut packets = arrivals(&[0, 2], |packet, _| packet);
    packets.push(data(260_000, MSS, MSS as usize));
    packets.push(ack(260_002, 3 * MSS));
    let found = connection(&packets);
    assert_eq!((found.timeouts, found.retransmitted), (Some(1.0), Some(1.0)));
}
