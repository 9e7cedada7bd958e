//! Captures built byte by byte, with known results.

mod accecn;
mod builder;
mod damage;
mod formats;
mod marks;
mod receiver;
mod sender;

use super::{Capture, read};
use crate::Connection;
use builder::{Packet, SYN, USUAL_STYLE, packet, pcap, records};

/// RTT of these connections, µs.
const RTT: i64 = 10_000;

fn capture(packets: &[Packet]) -> Capture {
    read("x.pcap", &pcap(USUAL_STYLE, &records(packets))[..]).expect("a capture")
}

fn connection(packets: &[Packet]) -> Connection {
    let capture = capture(packets);
    assert_eq!(capture.connections.len(), 1, "{:?}", capture.unread);
    capture.connections.into_iter().next().expect("one")
}

/// Notes on parts that were not read.
fn notes(capture: &Capture) -> Vec<&str> {
    capture.unread.iter().filter_map(|unread| unread.why.as_deref()).collect()
}

/// Options of a SYN: MSS 1460, SACK permitted, windows scaled by 7.
const HELLO: [u8; 12] = [2, 4, 5, 180, 4, 2, 3, 3, 7, 1, 1, 1];

/// The handshake as the client sees it, from 0 to the RTT.
fn at_client() -> Vec<Packet> {
    greeting([0, RTT, RTT + 10], &HELLO, &HELLO)
}

/// The handshake as the server sees it, with the client an RTT away.
fn at_server() -> Vec<Packet> {
    greeting([0, 10, RTT + 10], &HELLO, &HELLO)
}

fn greeting(times: [i64; 3], asks: &[u8], answers: &[u8]) -> Vec<Packet> {
    let mut hello = packet(times[0], true).flags(SYN).option(asks);
    (hello.seq, hello.ack) = (hello.seq.wrapping_sub(1), None);
    let mut answer = packet(times[1], false).flags(SYN).option(answers);
    answer.seq = answer.seq.wrapping_sub(1);
    vec![hello, answer, packet(times[2], true)]
}
