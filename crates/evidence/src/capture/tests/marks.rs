//! ECN marks, and the side of the path that the tap is on.

use super::builder::{CWR, ECE, Packet, ack, data};
use super::{HELLO, RTT, connection, greeting};
use crate::Seen;

const MSS: u32 = 1460;

fn greeted(times: [i64; 3], asks: u16, answers: u16) -> Vec<Packet> {
    let [hello, answer, last] = greeting(times, &HELLO, &HELLO).try_into().expect("three");
    vec![hello.flags(asks), answer.flags(answers), last]
}

#[test]
fn ecn_is_on_if_both_ends_say_so() {
    let rows = [(ECE | CWR, ECE, true), (ECE | CWR, 0, false), (0, 0, false), (0, ECE, false)];
    for (asks, answers, ecn) in rows {
        let mut packets = greeted([0, RTT, RTT + 10], asks, answers);
        packets.extend([data(20_000, 0, 1460), ack(30_000, MSS)]);
        assert_eq!(connection(&packets).ecn, Some(ecn), "{asks} {answers}");
    }
}

#[test]
fn marks_are_counted_at_the_receiver_and_told_of_at_the_sender() {
    for (times, delay, seen) in [([0, RTT, RTT + 10], RTT, Seen::Sender), ([0, 10, RTT + 10], 2, Seen::Receiver)] {
        let mut packets = greeted(times, ECE | CWR, ECE);
        for i in 0..8 {
            let at = 20_000 + 20_000 * i64::from(i);
            // At the receiver one of four packets has CE; all others have ECT(0).
            let mark = if seen == Seen::Receiver && i % 4 == 0 { 3 } else { 2 };
            packets.push(data(at, i * MSS, 1460).ecn(mark));
            packets.push(ack(at + delay, (i + 1) * MSS).flags(if i % 4 == 0 { ECE } else { 0 }));
        }
        let found = connection(&packets);
        assert_eq!((found.seen, found.marked), (seen, Some(0.25)));
    }
}

#[test]
fn timestamps_tell_the_side_where_the_handshake_is_missing() {
    for (near, far, seen) in [(50, RTT, Seen::Receiver), (RTT, 50, Seen::Sender)] {
        let mut packets = vec![];
        let mut at = 0;
        for i in 0..20_u32 {
            packets.push(data(at, i * MSS, 1460).stamps(1000 + i, 5000 + i));
            packets.push(ack(at + near, (i + 1) * MSS).stamps(5001 + i, 1000 + i));
            at += near + far;
        }
        let found = connection(&packets);
        assert_eq!((found.seen, found.rtt_min), (seen, Some(0.01)));
    }
}

#[test]
fn losses_tell_the_side_where_only_one_time_is_known() {
    // Without timestamps and handshake: a lost segment passes once here.
    let mut packets = vec![];
    for i in (0..5).chain(6..12) {
        packets.push(data(1000 * i64::from(i), i * MSS, 1460));
        packets.push(ack(1000 * i64::from(i) + 400, i.min(5) * MSS));
    }
    packets.extend([data(16_000, 5 * MSS, 1460), ack(16_400, 12 * MSS)]);
    let found = connection(&packets);
    assert_eq!((found.seen, found.retransmitted), (Seen::Receiver, Some(1.0)));
}
