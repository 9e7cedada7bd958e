//! AccECN (RFC 9768). Values marked with a script's name are those that the kernel's own tests expect of its counters
//! (tools/testing/selftests/net/packetdrill/tcp_accecn_*.pkt, Linux 7.3).

use super::builder::{CWR, ECE, Packet, Record, SERVER, Style, USUAL_STYLE, ack, data, packet, pcap};
use super::{HELLO, RTT, connection, greeting, read};
use crate::Connection;
use crate::ecn::{Codepoint, Echoed, Ecn, Feedback, Transit};

const AE: u16 = 256;
const ASKS: u16 = AE | CWR | ECE;
const NOT_ECT: u8 = 0;
const ECT1: u8 = 1;
const ECT0: u8 = 2;
const CE: u8 = 3;

/// Flags AE, CWR and ECE for a value of ACE.
fn ace(value: u16) -> u16 {
    value << 6
}

/// AccECN's option of order 0 with these counters.
fn counters(fields: &[u32]) -> Vec<u8> {
    let mut bytes = vec![172, 2 + 3 * fields.len() as u8];
    fields.iter().for_each(|field| bytes.extend(&field.to_be_bytes()[1..]));
    bytes
}

/// Flags and ECN field of SYN, SYN-ACK and its acknowledgment, as the client sees them.
fn greeted(packets: [(u16, u8); 3]) -> Vec<Packet> {
    let all = greeting([0, RTT, RTT + 10], &HELLO, &HELLO).into_iter().zip(packets);
    all.map(|(packet, (flags, ecn))| packet.flags(flags).ecn(ecn)).collect()
}

/// The usual handshake: the SYN and the SYN-ACK without ECT.
fn agreed() -> Vec<Packet> {
    greeted([(ASKS, NOT_ECT), (ace(2), NOT_ECT), (ace(2), ECT0)])
}

fn ecn(packets: &[Packet]) -> Ecn {
    connection(packets).ecn_detail.expect("of a capture")
}

/// Segments of 1,000 bytes, each sent after the previous one was acknowledged, with these acknowledgments.
fn answered(answers: &[Packet]) -> Connection {
    let mut packets = agreed();
    for (i, answer) in (0..).zip(answers) {
        let at = 20_000 + 20_000 * i64::from(i);
        packets.push(data(at, 1000 * i, 1000).ecn(ECT0).flags(ace(5)));
        packets.push(Packet { at: at + RTT, ack: ack(0, 1000 * (i + 1)).ack, ..answer.clone() });
    }
    connection(&packets)
}

fn marked(connection: &Connection) -> Option<[u64; 2]> {
    connection.ecn_detail.and_then(|ecn| ecn.heard)?.marked
}

/// RFC 9768, table 2; RFC 3168, 6.1.1.
#[test]
fn the_handshake_tells_how_marks_are_fed_back() {
    use Feedback::{Accurate, Classic, None};
    let rows = [
        (ace(7), ace(2), Accurate, Accurate),
        (ace(7), ace(3), Accurate, Accurate),
        (ace(7), ace(4), Accurate, Accurate),
        (ace(7), ace(6), Accurate, Accurate),
        // A reserved value counts as a field that arrived unchanged (serverside_accecn_disabled1).
        (ace(7), ace(5), Accurate, Accurate),
        (ace(7), ace(1), Accurate, Classic),
        (ace(7), 0, Accurate, None),
        // A server that reflects the flags (serverside_broken).
        (ace(7), ace(7), Accurate, None),
        (ace(3), ace(1), Classic, Classic),
        (ace(3), 0, Classic, None),
        (ace(3), ace(3), Classic, None),
        (0, 0, None, None),
        (0, ace(1), None, None),
    ];
    for (syn, answer, asked, agreed) in rows {
        let mut packets = greeted([(syn, NOT_ECT), (answer, NOT_ECT), (0, NOT_ECT)]);
        packets.extend([data(20_000, 0, 1000), ack(30_000, 1000)]);
        let found = ecn(&packets);
        assert_eq!((found.asked, found.agreed), (Some(asked), Some(agreed)), "{syn} {answer}");
        assert_eq!(connection(&packets).ecn, Some(agreed != None), "{syn} {answer}");
    }
}

/// RFC 9768, tables 2 and 3; invalid transitions: RFC 3168, 18.
#[test]
fn the_handshake_tells_how_its_ecn_field_arrived() {
    use Codepoint::{Ce, Ect0, Ect1, NotEct};
    let rows = [
        (NOT_ECT, 2, NotEct, NotEct, false),
        (ECT1, 3, Ect1, Ect1, false),
        (ECT0, 4, Ect0, Ect0, false),
        (ECT1, 6, Ect1, Ce, false),
        (ECT1, 2, Ect1, NotEct, true),
        (NOT_ECT, 4, NotEct, Ect0, true),
        (CE, 3, Ce, Ect1, true),
    ];
    for (field, value, captured, arrived, mangled) in rows {
        let due = Some(Transit { captured, arrived });
        let mut packets = greeted([(ASKS, field), (ace(value), NOT_ECT), (ace(2), ECT0)]);
        packets.extend([data(20_000, 0, 1000), ack(30_000, 1000).flags(ace(5))]);
        assert_eq!(ecn(&packets).syn, due);
        let mut packets = greeted([(ASKS, NOT_ECT), (ace(2), field), (ace(value), ECT0)]);
        packets.extend([data(20_000, 0, 1000), ack(30_000, 1000).flags(ace(5))]);
        assert_eq!(ecn(&packets).syn_ack, due);
        assert_eq!(due.map(Transit::is_mangled), Some(mangled), "{field} {value}");
    }
}

/// The SYNs or the SYN-ACKs with ECN are lost (syn_ace_flags_drop, multiple_syn_ack_drop).
#[test]
fn an_end_that_gives_up_is_told_from_one_that_refuses() {
    let [syn, answer, last] = greeted([(ASKS, 0), (0, 0), (0, 0)]).try_into().expect("three");
    let plain = Packet { flags: syn.flags & !ASKS, at: 2000, ..syn.clone() };
    let exchange = [data(20_000, 0, 1000), ack(30_000, 1000)];
    let lost = [&[syn.clone(), plain, answer.clone(), last.clone()], &exchange[..]].concat();
    let refused = [&[syn.clone(), answer.clone(), last.clone()], &exchange[..]].concat();
    let agrees = Packet { at: answer.at - 2000, ..answer.clone() }.flags(ace(2));
    let answer_lost = [&[syn, agrees, answer, last], &exchange[..]].concat();
    for (packets, withdrawn) in [(lost, true), (refused, false), (answer_lost, true)] {
        let found = ecn(&packets);
        assert_eq!((found.asked, found.agreed), (Some(Feedback::Accurate), Some(Feedback::None)));
        assert_eq!(found.withdrawn, withdrawn);
    }
}

/// delivered_updates: delivered_ce 1, 1, 2, 2, 3, and 3,000 bytes with CE, 1,000 with ECT(0), 1,000 with ECT(1).
#[test]
fn the_counter_of_three_bits_goes_round() {
    let answer = |value, fields: [u32; 3]| ack(0, 0).flags(ace(value)).option(&counters(&fields));
    let answers = [
        answer(6, [1, 1000, 1]),
        answer(6, [1001, 1000, 1]),
        answer(7, [1001, 2000, 1]),
        answer(7, [1001, 2000, 1001]),
        answer(0, [1001, 3000, 1001]),
    ];
    for (number, due) in (1..).zip([1, 1, 2, 2, 3]) {
        assert_eq!(marked(&answered(&answers[..number])), Some([due; 2]), "after {number}");
    }
    let found = answered(&answers);
    let heard = found.ecn_detail.and_then(|ecn| ecn.heard).expect("AccECN");
    assert_eq!(heard.bytes, Some(Echoed { ect1: 1000, ect0: 1000, ce: 3000 }));
    assert_eq!(found.marked, Some(3.0 / 5.0));
}

/// Ten segments at once, then their acknowledgments.
fn burst(answers: &[Packet]) -> Connection {
    let mut packets = agreed();
    packets.push(data(20_000, 0, 14_600).ecn(ECT0).flags(ace(5)));
    packets.extend(answers.iter().cloned());
    connection(&packets)
}

/// An acknowledgment of more than seven packets gives a range of counts. For ten packets, delivered_maxack counts 7,
/// delivered_largeack2 1, delivered_largeack 0 and delivered_2ndlargeack 8.
#[test]
fn an_acknowledgment_of_many_packets_leaves_the_count_open() {
    let all = |value| burst(&[ack(30_000, 14_600).flags(ace(value))]);
    assert_eq!(marked(&all(4)), Some([7, 7]));
    assert_eq!(marked(&all(6)), Some([1, 9]));
    assert_eq!(marked(&all(5)), Some([0, 8]));
    let second = [ack(30_000, 1460).flags(ace(5)), ack(31_000, 14_600).flags(ace(5))];
    assert_eq!(marked(&burst(&second)), Some([0, 8]));
}

/// The same burst with the option; delivered_falseoverflow_detect counts 0, and 14,600 bytes with ECT(0).
#[test]
fn bytes_tell_how_often_it_went_round() {
    let of = |not_marked: u32, marked| {
        let option = counters(&[1 + not_marked, marked, 1]);
        burst(&[ack(30_000, 14_600).flags(ace(5)).option(&option)])
    };
    let none = of(14_600, 0);
    assert_eq!(marked(&none), Some([0, 0]));
    let heard = none.ecn_detail.and_then(|ecn| ecn.heard).expect("AccECN");
    assert_eq!(heard.bytes, Some(Echoed { ect1: 0, ect0: 14_600, ce: 0 }));
    assert_eq!(marked(&of(2 * 1460, 8 * 1460)), Some([8, 8]));
}

/// Counters have 24 bits. Fields come in either order, as many as fit, under the option kinds of RFC 9768 and of its
/// drafts.
#[test]
fn options_of_each_form_are_read() {
    const ROUND: u32 = 1 << 24;
    let fields = |kind: &[u8], fields: &[u32]| {
        let bytes: Vec<u8> = fields.iter().flat_map(|field| (field % ROUND).to_be_bytes()[1..].to_vec()).collect();
        [&[kind[0], (1 + kind.len() + bytes.len()) as u8], &kind[1..], &bytes].concat()
    };
    let forms: [Vec<u8>; 5] = [
        fields(&[172], &[1001, 2000, 3001]),
        fields(&[174], &[3001, 2000, 1001]),
        fields(&[254, 0xAC, 0xC0], &[1001, 2000, 3001]),
        fields(&[254, 0xAC, 0xC1], &[3001, 2000, 1001]),
        [fields(&[172], &[1001, 2000]), fields(&[3], &[])].concat(),
    ];
    let heard = |options: &[&[u8]]| {
        let answers: Vec<Packet> = options.iter().map(|option| ack(0, 0).flags(ace(5)).option(option)).collect();
        answered(&answers).ecn_detail.and_then(|ecn| ecn.heard).expect("AccECN").bytes
    };
    for (form, ect1) in forms.iter().zip([3000, 3000, 3000, 3000, 0]) {
        assert_eq!(heard(&[form]), Some(Echoed { ect1, ect0: 1000, ce: 2000 }), "{form:?}");
    }
    assert_eq!(heard(&[&[]]), None);
    assert_eq!(heard(&[&fields(&[172], &[])]), Some(Echoed::default()));
    let rising: Vec<Vec<u8>> = (1..=4).map(|n| fields(&[172], &[1 + n * (ROUND / 3), 0, 1])).collect();
    let rising: Vec<&[u8]> = rising.iter().map(Vec::as_slice).collect();
    assert_eq!(heard(&rising).map(|bytes| bytes.ect0), Some(u64::from(4 * (ROUND / 3))));
    // RFC 9768, 3.2.3.2.4: an option that a middlebox has zeroed.
    assert_eq!(heard(&[&fields(&[172], &[0, 0, 0])]), None);
}

/// noprogress: an acknowledgment that neither acknowledges anything nor has a later timestamp may have been overtaken.
/// tsprogress: with a later one it counts.
#[test]
fn an_acknowledgment_without_progress_counts_by_its_timestamp() {
    let again = |answer: Packet| {
        let mut packets = agreed();
        packets.push(data(20_000, 0, 1000).ecn(ECT0).stamps(7, 1));
        packets.push(ack(30_000, 1000).flags(ace(5)).stamps(2, 7));
        packets.push(data(40_000, 1000, 1000).ecn(ECT0).stamps(8, 2));
        packets.push(answer);
        marked(&connection(&packets))
    };
    assert_eq!(again(ack(50_000, 1000).flags(ace(6)).stamps(2, 7)), Some([0, 0]));
    assert_eq!(again(ack(50_000, 1000).flags(ace(6)).stamps(3, 7)), Some([1, 1]));
    assert_eq!(again(ack(50_000, 1000).flags(ace(6))), Some([0, 0]));
    assert_eq!(again(ack(50_000, 2000).flags(ace(6))), Some([1, 1]));
}

/// RFC 9768, 3.2.2.4: a counter that is always 0 was cleared on the path.
#[test]
fn a_counter_that_never_lives_counts_nothing() {
    let found = answered(&[ack(0, 0), ack(0, 0)]);
    assert_eq!(marked(&found), None);
    assert_eq!(found.marked, None);
}

/// synack_ce_updates_delivered_ce: the mark of the SYN-ACK counts once, in the server's data.
#[test]
fn a_marked_syn_ack_counts_once() {
    let mut packets = greeted([(ASKS, NOT_ECT), (ace(2), ECT0), (ace(6), ECT0)]);
    for i in 0..3 {
        let at = 20_000 + 20_000 * i64::from(i);
        let [seq, next] = [i, i + 1].map(|n| SERVER + 1000 * n);
        packets.push(Packet { seq, payload: 1000, ..packet(at, false) }.flags(ace(5)).ecn(ECT0));
        packets.push(Packet { ack: Some(next), ..packet(at + RTT, true) }.flags(ace(6)));
    }
    let found = connection(&packets);
    assert_eq!((found.bytes, marked(&found)), (Some(3000.0), Some([1, 1])));
}

/// Without the handshake, AE reveals AccECN, since nothing else sets it; counts begin at the first value seen.
#[test]
fn a_capture_that_begins_later_counts_from_there() {
    let mut packets = vec![];
    for (i, value) in (0..).zip([1, 3, 4, 7, 1]) {
        let at = 20_000 * i64::from(i);
        packets.push(data(at, 1000 * i, 1000).ecn(ECT1));
        let bytes = counters(&[1, 90_000 + 1000 * u32::from(value), 1]);
        packets.push(ack(at + RTT, 1000 * (i + 1)).flags(ace(value)).option(&bytes));
    }
    let found = ecn(&packets);
    assert_eq!((found.asked, found.agreed), (None, Some(Feedback::Accurate)));
    let heard = found.heard.expect("AccECN");
    assert_eq!((heard.marked, found.is_l4s()), (Some([8, 8]), Some(true)));
}

#[test]
fn packets_are_counted_by_their_field_in_each_direction() {
    let mut packets = agreed();
    for (i, field) in (0..).zip([ECT0, ECT0, CE, NOT_ECT, ECT1]) {
        let at = 20_000 + 20_000 * i64::from(i);
        packets.push(data(at, 1000 * i, 1000).ecn(field).flags(ace(5)));
        packets.push(ack(at + RTT, 1000 * (i + 1)).flags(ace(5)).ecn(ECT1));
    }
    let in_ipv6 = |packet: &Packet| (packet.at, packet.ipv6(6, &[]), packet.ipv6(6, &[]).len());
    let records: Vec<Record> = packets.iter().map(in_ipv6).collect();
    let ipv6 = read("x", &pcap(Style { link: 101, ..USUAL_STYLE }, &records)[..]).expect("a capture");
    let ipv6 = ipv6.connections[0].ecn_detail.expect("of a capture");
    let counts = |count: crate::ecn::Codepoints| [count.not_ect, count.ect1, count.ect0, count.ce];
    for found in [ecn(&packets), ipv6] {
        assert_eq!(found.data.map(counts), Some([1, 1, 2, 1]));
        assert_eq!(found.back.map(counts), Some([0, 5, 0, 0]));
        assert_eq!((found.ece, found.cwr), (None, None), "AccECN has neither");
    }
}

/// RFC 3168, 6.1.2 and 6.1.3: ECE in each acknowledgment until CWR answers it.
#[test]
fn classic_feedback_counts_echoes_and_reductions() {
    let mut packets = greeted([(ECE | CWR, NOT_ECT), (ECE, NOT_ECT), (0, NOT_ECT)]);
    for i in 0..8 {
        let at = 20_000 + 20_000 * i64::from(i);
        packets.push(data(at, 1000 * i, 1000).ecn(ECT0).flags(if i == 5 { CWR } else { 0 }));
        packets.push(ack(at + RTT, 1000 * (i + 1)).flags(if (2..5).contains(&i) { ECE } else { 0 }));
    }
    let found = connection(&packets);
    let detail = found.ecn_detail.expect("of a capture");
    assert_eq!((detail.ece, detail.cwr, detail.heard), (Some(3), Some(1), None));
    assert_eq!((found.marked, detail.is_l4s()), (Some(3.0 / 8.0), Some(false)));
}
