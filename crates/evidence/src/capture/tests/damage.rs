//! Files that are cut, damaged or hostile.

use super::builder::{SYN, USUAL_STYLE, ack, data, enhanced, interface, packet, pcap, records, section, simple};
use super::{RTT, at_client, notes};
use crate::capture::{Capture, read};
use proptest::prelude::*;

fn whole() -> Vec<u8> {
    let mut packets = at_client();
    packets.extend((0..4).map(|i| data(20_000 + 10 * i64::from(i), i * 1460, 1460).stamps(i, 1)));
    packets.push(ack(20_030 + RTT, 1460).sack(&[(2 * 1460, 4 * 1460)]));
    packets.push(data(20_040 + RTT, 1460, 1460));
    packets.push(ack(20_040 + 2 * RTT, 4 * 1460));
    pcap(USUAL_STYLE, &records(&packets))
}

fn whole_ng() -> Vec<u8> {
    let mut bytes =
        [section(USUAL_STYLE), interface(USUAL_STYLE, 1, Some(9), Some(5)), interface(USUAL_STYLE, 101, None, None)]
            .concat();
    for i in 0..4 {
        let frame = data(0, i * 1000, 1000).ethernet();
        bytes.extend(enhanced(USUAL_STYLE, 0, 1000 * u64::from(i), &frame, frame.len()));
        bytes.extend(simple(USUAL_STYLE, &ack(0, i * 1000).ethernet()));
    }
    bytes
}

#[test]
fn a_file_that_ends_in_a_packet_is_read_so_far() {
    let bytes = whole();
    let capture = read("x", &bytes[..bytes.len() - 10]).unwrap();
    assert_eq!(capture.packets, 9);
    let begins = bytes.len() - 16 - 54;
    let [note] = notes(&capture)[..] else { panic!("{capture:?}") };
    assert_eq!(note, format!("the file ends within the packet at byte {begins}"));
}

/// Blocks of several kinds, such as a process information block, that are shorter than their own head and foot.
#[test]
fn a_block_shorter_than_any_is_damage() {
    for (kind, length) in [(0x8000_0001, 4), (6, 8), (5, 11), (0xBAD, 0)] {
        let mut bytes = whole_ng();
        let end = bytes.len();
        bytes.extend([u32::to_le_bytes(kind), u32::to_le_bytes(length)].concat());
        bytes.extend([0; 64]);
        let capture = read("x", &bytes[..]).unwrap();
        let damaged = format!("damaged after byte {end}; the rest was ignored");
        assert!(notes(&capture).contains(&&*damaged), "{kind:#x}: {capture:?}");
    }
}

#[test]
fn reading_ends_at_a_record_that_is_no_packet() {
    let mut bytes = whole();
    let end = bytes.len();
    bytes.extend([0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0]);
    bytes.extend(vec![0; 1 << 25]);
    let capture = read("x", &bytes[..]).unwrap();
    assert_eq!(capture.packets, 10);
    assert!(notes(&capture).contains(&&*format!("damaged after byte {end}; the rest was ignored")), "{capture:?}");
}

#[test]
fn connections_beyond_the_bounds_are_counted() {
    let greet = |i: u32| {
        let mut frame = packet(i64::from(i), true).flags(SYN).ethernet();
        frame[14 + 12..14 + 16].copy_from_slice(&i.to_be_bytes());
        (i64::from(i), frame.clone(), frame.len())
    };
    let speak = |i: u32| {
        let (at, mut frame, _) = greet(i);
        let payload = 10 + i as usize % 7;
        frame[14 + 20 + 13] = 0;
        frame[14 + 3] = 40 + payload as u8;
        frame.resize(frame.len() + payload, 0);
        (at, frame.clone(), frame.len())
    };
    let many: Vec<_> = (0..100_000).map(greet).chain((200_000..230_000).map(speak)).collect();
    let capture: Capture = read("x", &pcap(USUAL_STYLE, &many)[..]).unwrap();
    assert_eq!(capture.connections.len(), 10_000);
    let notes = notes(&capture);
    assert_eq!(notes[0], "100000 connections without payload");
    assert_eq!(notes[1], "20000 connections ignored beyond the 10000 with most payload");
    assert!(capture.connections.iter().all(|connection| connection.bytes >= Some(14.0)));
}

#[test]
fn times_at_the_ends_of_the_clock_are_read() {
    let mut bytes = [section(USUAL_STYLE), interface(USUAL_STYLE, 1, Some(0), Some(i64::MIN))].concat();
    let ticks = [u64::MAX, 0, 1 << 40, u64::MAX / 3, 7];
    for (i, ticks) in ticks.into_iter().cycle().take(60).enumerate() {
        let at = 1000 * (i as u32 / 2);
        let frame = if i % 2 == 0 { data(0, at, 1000) } else { ack(0, at) }.stamps(i as u32, i as u32);
        bytes.extend(enhanced(USUAL_STYLE, 0, ticks, &frame.ethernet(), 1066));
    }
    let capture = read("x", &bytes[..]).unwrap();
    assert!(capture.connections[0].points.len() < 100);
}

/// A whole file with some bytes changed, and cut.
fn mutated(bytes: &[u8], changes: &[(usize, u8)], keep: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (at, byte) in changes {
        let at = at % bytes.len();
        bytes[at] = *byte;
    }
    bytes.truncate(keep.max(1));
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn no_bytes_break_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..400), kind in 0..4) {
        let mut file = match kind {
            0 => vec![],
            1 => whole()[..24].to_vec(),
            2 => whole_ng()[..28].to_vec(),
            _ => whole_ng(),
        };
        file.extend(&bytes);
        let _ = read("x", &file[..]);
    }

    #[test]
    fn no_change_breaks_the_reader(
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..20),
        keep in 0_usize..9000,
        ng in any::<bool>(),
    ) {
        let bytes = if ng { whole_ng() } else { whole() };
        let _ = read("x", &mutated(&bytes, &changes, keep)[..]);
    }

    #[test]
    fn no_headers_break_the_reader(
        segments in prop::collection::vec((any::<bool>(), any::<u32>(), any::<u32>(), 0_u16..512, 0_usize..3000, 0_u32..9, 0..9_i64), 1..200),
        near in any::<bool>(),
    ) {
        let mut at = 0;
        let mut packets = vec![];
        for (forward, seq, ack, flags, payload, word, gap) in segments {
            at += 40_000 * (gap - 1);
            let mut one = packet(at, forward).flags(flags).stamps(word, word);
            // Packets near each other repeat, overlap and leave holes.
            let (seq, ack) = if near { (seq % 20_000, ack % 20_000) } else { (seq, ack) };
            (one.seq, one.ack) = (seq, Some(ack));
            one.payload = payload;
            packets.push(one.sack(&[(word * 1000, word.wrapping_mul(3000)), (ack, seq)]));
        }
        let capture = read("x", &pcap(USUAL_STYLE, &records(&packets))[..]).unwrap();
        for connection in &capture.connections {
            prop_assert!(connection.bytes.unwrap() >= 0.0);
            prop_assert!(connection.timeout_time.unwrap_or(0.0) >= 0.0 || connection.span.is_some());
        }
    }
}

#[test]
fn a_clock_that_was_set_is_said_and_leaves_rates_sane() {
    const DAY: i64 = 86_400_000_000;
    let mut packets = at_client();
    for i in 0..40_u32 {
        let shift = match i {
            0..10 => 0,
            10..20 => -DAY,
            _ => 9 * DAY,
        };
        let at = 20_000 + 100_000 * i64::from(i) + shift;
        packets.push(data(at, i * 1460, 1460));
        packets.push(ack(at + RTT, (i + 1) * 1460));
    }
    let capture = read("x", &pcap(USUAL_STYLE, &records(&packets))[..]).unwrap();
    let said = notes(&capture);
    assert!(said.iter().any(|note| note.starts_with("1 packet was captured 0.1 s and more before")), "{said:?}");
    assert!(said.iter().any(|note| note.starts_with("1 packet was captured more than a day after")), "{said:?}");
    let [connection] = &capture.connections[..] else { panic!("{capture:?}") };
    let lasted = connection.points.last().unwrap().time;
    assert!(lasted > 3.0 && lasted < 5.0, "{lasted}");
}
