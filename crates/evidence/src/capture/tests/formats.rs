//! The same connection in every format, on every link.

use super::builder::{
    Packet, Record, Style, USUAL_STYLE, ack, block, data, enhanced, interface, packet, pcap, records, section, simple,
};
use super::{RTT, at_client, notes};
use crate::Connection;
use crate::capture::{Capture, CaptureError, is_capture, read};

fn transfer() -> Vec<Packet> {
    let mut packets = at_client();
    packets.extend((0..4).map(|i| data(20_000 + 10 * i64::from(i), i * 1460, 1460)));
    packets.push(ack(20_030 + RTT, 4 * 1460));
    packets
}

fn one(bytes: &[u8]) -> Connection {
    let capture = read("x.pcap", bytes).expect("a capture");
    let [connection] = &capture.connections[..] else { panic!("{capture:?}") };
    connection.clone()
}

/// Asserts that the transfer is the same in every format.
fn holds(bytes: &[u8]) {
    assert!(is_capture(&bytes[..12]));
    let found = one(bytes);
    assert_eq!(
        found,
        Connection { name: found.name.clone(), ends: found.ends, ..one(&pcap(USUAL_STYLE, &records(&transfer()))) }
    );
    assert_eq!((found.bytes, found.rtt_min, found.segments_sent), (Some(5840.0), Some(0.01), Some(4.0)));
}

/// A capture of the packets as `wrap` frames them.
fn framed(link: u32, wrap: impl Fn(&Packet) -> Vec<u8>) -> Vec<u8> {
    let frame = |packet: &Packet| {
        let bytes = wrap(packet);
        (packet.at, bytes.clone(), bytes.len())
    };
    let records: Vec<Record> = transfer().iter().map(frame).collect();
    pcap(Style { link, ..USUAL_STYLE }, &records)
}

#[test]
fn pcap_is_read_in_both_byte_orders_and_both_resolutions() {
    for (big, nano) in [(false, false), (false, true), (true, false), (true, true)] {
        holds(&pcap(Style { big, nano, link: 1 }, &records(&transfer())));
    }
}

#[test]
fn pcapng_is_read_in_every_resolution_and_with_an_offset() {
    let resolutions: [(Option<u8>, u64, u64); 5] =
        [(None, 1, 1), (Some(6), 1, 1), (Some(9), 1000, 1), (Some(3), 1, 1000), (Some(0x80 | 20), 1 << 20, 1_000_000)];
    for big in [false, true] {
        let style = Style { big, ..USUAL_STYLE };
        for (resolution, multiply, divide) in resolutions {
            let mut bytes = [section(style), interface(style, 1, resolution, Some(1_700_000_000))].concat();
            for (at, data, length) in records(&transfer()) {
                // A clock of 1 ms or 2^-20 s cannot tell each µs: the times here are long enough.
                let ticks = (at as u64 * multiply).div_ceil(divide);
                bytes.extend(enhanced(style, 0, ticks, &data, length));
            }
            let found = one(&bytes);
            let rtt = found.rtt_min.unwrap();
            let exact = divide == 1;
            assert!((rtt - 0.01).abs() < if exact { 1e-12 } else { 1.1e-3 }, "{resolution:?} {big} {rtt}");
            assert_eq!(found.bytes, Some(5840.0));
        }
    }
}

#[test]
fn pcapng_of_several_interfaces_and_sections_is_read_whole() {
    let little = USUAL_STYLE;
    let big = Style { big: true, ..USUAL_STYLE };
    let packets = transfer();
    let mut bytes = [section(little), interface(little, 1, None, None), interface(little, 101, Some(9), None)].concat();
    bytes.extend(block(little, 0x0BAD, &[1, 2, 3, 4]));
    for packet in &packets[..4] {
        let raw = packet.ipv4(&[], 0);
        bytes.extend(enhanced(little, 1, packet.at as u64 * 1000, &raw, raw.len()));
    }
    bytes.extend([section(big), interface(big, 1, None, None)].concat());
    for (at, data, length) in records(&packets[4..]) {
        bytes.extend(enhanced(big, 0, at as u64, &data, length));
    }
    holds(&bytes);
}

#[test]
fn packets_without_a_time_have_no_rate() {
    let mut bytes = [section(USUAL_STYLE), interface(USUAL_STYLE, 1, None, None)].concat();
    for (_, data, _) in records(&transfer()) {
        bytes.extend(simple(USUAL_STYLE, &data));
    }
    let capture = read("x", &bytes[..]).unwrap();
    let found = &capture.connections[0];
    assert_eq!((found.bytes, found.span, found.goodput, found.rtt_min), (Some(5840.0), None, None, None));
    assert_eq!(notes(&capture), ["1 connection with packets without timestamps (simple packet blocks)"]);
}

#[test]
fn every_link_is_read() {
    let ip = |packet: &Packet| packet.ipv4(&[], 0);
    let prefixed = |prefix: &[u8], packet: &Packet| [prefix, &ip(packet)].concat();
    let ethernet = |tail: &[u8], packet: &Packet| [&[0; 12], tail, &ip(packet)].concat();
    for raw in [12, 14, 101, 228] {
        holds(&framed(raw, ip));
    }
    for family in [[2, 0, 0, 0], [0, 0, 0, 2]] {
        holds(&framed(0, |packet| prefixed(&family, packet)));
        holds(&framed(108, |packet| prefixed(&family, packet)));
    }
    holds(&framed(1, |packet| ethernet(&[0x81, 0, 0, 5, 8, 0], packet)));
    holds(&framed(1, |packet| ethernet(&[0x88, 0xA8, 0, 9, 0x81, 0, 0, 5, 8, 0], packet)));
    let pppoe = [0x88, 0x64, 0x11, 0, 0, 1, 0, 60, 0, 0x21];
    holds(&framed(1, |packet| ethernet(&pppoe, packet)));
    let cooked = [0, 4, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0];
    holds(&framed(113, |packet| prefixed(&cooked, packet)));
    let cooked = [8, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0];
    holds(&framed(276, |packet| prefixed(&cooked, packet)));
}

#[test]
fn options_of_ipv4_and_headers_of_ipv6_are_passed_over() {
    holds(&framed(101, |packet| packet.ipv4(&[1; 8], 0)));
    holds(&framed(101, |packet| packet.ipv6(6, &[])));
    // Hop-by-hop options, routing, destination options, authentication, and a fragment header of a whole packet.
    let hop = [60, 0, 1, 4, 0, 0, 0, 0];
    let destination = [51, 1, 1, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let authentication = [44, 4, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let fragment = [6, 0, 0, 0, 0, 0, 0, 1];
    let chain = [&hop[..], &destination, &authentication, &fragment].concat();
    holds(&framed(229, |packet| packet.ipv6(0, &chain)));
    let found = one(&framed(229, |packet| packet.ipv6(6, &[])));
    assert_eq!(found.name, "[fd00::1]:40000 → [fd00::2]:5001");
    assert_eq!(found.ends.map(|ends| ends.map(|end| end.to_string())), Some(["fd00::1", "fd00::2"].map(String::from)));
}

#[test]
fn a_capture_of_headers_alone_has_all_bytes() {
    let mut cut = records(&transfer());
    cut.iter_mut().for_each(|(_, data, _)| data.truncate(14 + 20 + 20 + 12));
    holds(&pcap(USUAL_STYLE, &cut));
}

/// A function from a packet to the bytes of its frame.
type Wrap = fn(&Packet) -> Vec<u8>;

#[test]
fn a_packet_that_says_no_length_has_that_of_its_frame() {
    let packets = [data(0, 0, 70_000), ack(RTT, 70_000)];
    let in_ipv6: Wrap = |packet| packet.ipv6(6, &[]);
    for (link, wrap) in [(1, Packet::ethernet as Wrap), (101, in_ipv6)] {
        let frame = |packet: &Packet| {
            let bytes = wrap(packet);
            (packet.at, bytes[..bytes.len().min(100)].to_vec(), bytes.len())
        };
        let records: Vec<Record> = packets.iter().map(frame).collect();
        let found = one(&pcap(Style { link, ..USUAL_STYLE }, &records));
        assert_eq!((found.bytes, found.segments_sent), (Some(70_000.0), Some(48.0)));
    }
}

#[test]
fn padding_of_short_frames_is_no_payload() {
    let mut padded = records(&transfer());
    for (_, data, length) in &mut padded {
        data.resize(data.len().max(60), 0);
        *length = data.len();
    }
    holds(&pcap(USUAL_STYLE, &padded));
}

#[test]
fn packets_other_than_tcp_are_counted_by_kind() {
    let mut all = records(&transfer());
    let mut udp = packet(50_000, true).ethernet();
    udp[14 + 9] = 17;
    let mut arp = packet(50_001, true).ethernet();
    arp[13] = 6;
    let fragment = |offset| [&[0; 12][..], &[8, 0], &data(50_002, 0, 99).ipv4(&[], offset)].concat();
    let cut = packet(50_003, true).ethernet()[..40].to_vec();
    for bytes in [udp.clone(), udp, arp, fragment(0x2000), fragment(0x0005), cut] {
        let length = bytes.len();
        all.push((50_000, bytes, length));
    }
    let capture: Capture = read("x", &pcap(USUAL_STYLE, &all)[..]).unwrap();
    let kinds = "1 ARP, 2 UDP, 2 IP fragments, 1 captured too short for TCP's header";
    assert_eq!(notes(&capture), [format!("6 packets are not TCP over IPv4 or IPv6: {kinds}")]);
    assert_eq!(capture.packets, 8 + 6);
}

#[test]
fn a_link_that_is_not_read_is_named() {
    let capture = read("x", &framed(105, |packet| packet.ethernet())[..]).unwrap();
    assert_eq!(notes(&capture), ["8 packets are not TCP over IPv4 or IPv6: 8 of link type 105"]);
    assert!(capture.connections.is_empty());
}

#[test]
fn other_files_are_refused_with_what_to_do() {
    let refused = |bytes: &[u8]| match read("x", bytes) {
        Err(error) => error.to_string(),
        Ok(capture) => panic!("{capture:?}"),
    };
    assert!(refused(b"snoop\0\0\0\0\0\0\x02").starts_with("starts with the bytes 73 6e 6f 6f"));
    assert!(refused(b"snoop\0\0\0\0\0\0\x02").ends_with("`editcap -F pcapng FILE NEW` converts it"));
    assert!(refused(b"Connecting to host").contains("editcap"));
    assert!(refused(b"").starts_with("starts with nothing"));
    assert!(matches!(read("x", &pcap(USUAL_STYLE, &[])[..9]), Err(CaptureError::Short { bytes: 9 })));
    assert!(!is_capture(b"\n\r\r\nsome text of a page"));
    assert!(!is_capture(b"") && !is_capture(b"{\"start\""));
}
