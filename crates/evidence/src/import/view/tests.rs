//! Tests all readers together, on text as people paste it; every figure is computed by hand.

use super::read;
use crate::import::Page;
use crate::{Evidence, Seen};

fn evidence(text: &str) -> Evidence {
    read_by(read, "pasted.txt", text)
}

/// Returns what a reader of views reads of a text.
pub(super) fn read_by<T>(read: impl Fn(&mut Page, &mut Evidence) -> T, name: &str, text: &str) -> Evidence {
    let mut page = Page::new(name, text);
    let mut evidence = Evidence::default();
    read(&mut page, &mut evidence);
    evidence.unread = page.unread();
    evidence
}

const SENDER: &str = "ESTAB 0 300000 10.0.0.1:5000 10.0.0.2:80\n\t cubic wscale:7,7 rto:204 rtt:40/1 mss:1000 pmtu:1500 \
    cwnd:20 bytes_sent:1000000 bytes_acked:900000 bytes_received:10 segs_out:1000 segs_in:400 data_segs_out:1000 \
    data_segs_in:1 lastrcv:7 delivered:900 busy:1000ms rwnd_limited:250ms(25.0%) unacked:10 minrtt:39.5 snd_wnd:65536\n";

#[test]
fn one_screen_without_a_time_gives_limits_as_shares_of_busy() {
    let evidence = evidence(SENDER);
    let [connection] = evidence.connections.as_slice() else { panic!("{evidence:?}") };
    assert_eq!(connection.span, None);
    assert_eq!(connection.goodput, Some(7.2e6), "900,000 bytes in a second");
    let limits = connection.limits.unwrap();
    assert_eq!((limits.busy, limits.rwnd, limits.sndbuf), (1.0, 0.25, 0.0));
    assert_eq!(connection.points[0].cwnd, Some(20_000.0));
    assert_eq!(connection.points[0].in_flight, Some(300_000.0));
    assert_eq!((connection.ecn, connection.sack, connection.scaled), (None, None, Some(true)));
}

#[test]
fn the_age_of_a_connection_in_one_direction_gives_its_span() {
    let text =
        SENDER.replace("bytes_received:10 ", "").replace("data_segs_in:1 ", "").replace("lastrcv:7", "lastrcv:2000");
    let evidence = evidence(&text);
    let connection = &evidence.connections[0];
    assert_eq!(connection.span, Some([0.0, 2.0]));
    assert_eq!(connection.goodput, Some(3.6e6));
    assert_eq!(connection.limits.map(|limits| (limits.busy, limits.rwnd)), Some((0.5, 0.125)));
    assert_eq!(connection.points[0].bytes, Some(900_000.0));
}

#[test]
fn times_between_screens_give_points() {
    let later = SENDER.replace("bytes_acked:900000", "bytes_acked:1900000").replace("busy:1000ms", "busy:1500ms");
    let text = format!("1795339280.5\n{SENDER}\n1795339282.5\n{later}");
    let evidence = evidence(&text);
    let connection = &evidence.connections[0];
    let points: Vec<_> = connection.points.iter().map(|point| (point.time, point.bytes)).collect();
    assert_eq!(points, [(0.0, None), (2.0, Some(1e6))]);
    assert_eq!(connection.goodput, Some(4e6));
    assert_eq!(connection.limits.map(|limits| limits.busy), Some(0.25));
    assert_eq!(connection.bytes, Some(1_900_000.0));
    assert!(evidence.unread.is_empty(), "{:?}", evidence.unread);
}

/// Of two seconds between the screens 0.5 s were busy, all of them limited by the window, and 30 segments had marks.
#[test]
fn counters_are_told_of_each_step() {
    let later = SENDER
        .replace("busy:1000ms rwnd_limited:250ms(25.0%)", "busy:1500ms rwnd_limited:750ms(50.0%)")
        .replace("delivered:900", "delivered:1900 delivered_ce:30");
    let text = format!(
        "1795339280.5\n{}1795339282.5\n{later}",
        SENDER.replace("delivered:900", "delivered:900 delivered_ce:0")
    );
    let points = &evidence(&text).connections[0].points;
    let limits = points[1].limits.unwrap();
    assert_eq!((limits.busy, limits.rwnd, limits.sndbuf), (0.25, 0.25, 0.0));
    assert_eq!((points[0].limits, points[1].marked, points[1].delivered), (None, Some(30.0), Some(1000.0)));
}

#[test]
fn figures_that_no_kernel_counts_are_named_with_their_place() {
    for (sound, wild) in [("lastrcv:7", "lastrcv:999999999999"), ("rtt:40/1", "rtt:99999999999999999999/0")] {
        let evidence = evidence(&SENDER.replace(sound, wild));
        assert!(evidence.connections.is_empty(), "{evidence:?}");
        assert!(
            evidence.unread.iter().filter_map(|unread| unread.why.as_deref()).any(|why| why.starts_with("no kernel")),
            "{evidence:?}"
        );
    }
}

/// The second connection shares a screen with the first, the third with none: printed times place it.
#[test]
fn connections_of_one_listing_have_one_zero() {
    let of = |port: u32, acked: u32| {
        SENDER.replace(":5000", &format!(":{port}")).replace("bytes_acked:900000", &format!("bytes_acked:{acked}"))
    };
    let screens = [
        (1000.0, of(5001, 100_000)),
        (1001.0, of(5001, 200_000) + &of(5002, 100_000)),
        (1002.5, of(5002, 200_000)),
        (1004.0, of(5003, 100_000)),
        (1005.0, of(5003, 200_000)),
    ];
    let text: String = screens.iter().map(|(time, screen)| format!("{:.3}\n{screen}", 1.7e9 + time)).collect();
    let spans: Vec<_> = evidence(&text).connections.iter().map(|connection| connection.span.unwrap()).collect();
    let near = |[a, b]: [f64; 2], [c, d]: [f64; 2]| (a - c).abs() < 1e-3 && (b - d).abs() < 1e-3;
    let expected = [[0.0, 1.0], [1.0, 2.5], [4.0, 5.0]];
    assert!(spans.len() == 3 && spans.iter().zip(expected).all(|(a, b)| near(*a, b)), "{spans:?}");
}

#[test]
fn a_connection_whose_counters_fall_is_another_one() {
    let text = format!("{SENDER}{}", SENDER.replace("bytes_acked:900000", "bytes_acked:5"));
    assert_eq!(evidence(&text).connections.len(), 2);
}

#[test]
fn ss_screens_joined_in_one_line_are_read_but_not_claimed() {
    let joined = SENDER.replace(['\n', '\t'], " ");
    let other = joined.replace("10.0.0.1:5000", "10.0.0.1:5001");
    let found = evidence(&format!("root@a:~ # ss -ti {joined} {other}"));
    assert_eq!(found.connections.len(), 2);
    assert_eq!(found.unread.len(), 1);
    assert!(evidence(&format!("{joined} {other}")).unread.is_empty());
}

#[test]
fn both_ends_of_a_connection_share_name_and_group() {
    let receiver = "tcp ESTAB 0 0 [::ffff:10.0.0.2]:80 [::ffff:10.0.0.1]:5000 ts sack cubic wscale:7,7 rto:204 rtt:40/1 \
        mss:1448 pmtu:1500 rcvmss:1448 advmss:1448 cwnd:10 bytes_acked:10 bytes_received:900000 segs_out:400 segs_in:950 \
        data_segs_out:1 data_segs_in:900 rcv_ooopack:90 snd_wnd:65536 rcv_wnd:131072\n";
    let evidence = evidence(&format!("{SENDER}{receiver}"));
    let [from, to] = evidence.connections.as_slice() else { panic!("{evidence:?}") };
    assert_eq!((from.seen, to.seen), (Seen::Sender, Seen::Receiver));
    assert_eq!((&from.name, from.group), (&to.name, to.group));
    assert_eq!((to.advmss, to.mss, to.out_of_order), (Some(1460.0), Some(1448.0), Some(0.1)));
    assert_eq!((to.congestion.as_deref(), to.window.map(|window| window.largest)), (None, Some(131_072.0)));
    assert_eq!((to.ecn, to.sack), (Some(false), Some(true)));
}

#[test]
fn netstat_output_is_not_read_as_ss() {
    let text = "tcp        0      0 10.0.0.1:22   10.0.0.2:4444   ESTABLISHED\n";
    let evidence = evidence(text);
    assert!(evidence.connections.is_empty() && evidence.unread.len() == 1, "{evidence:?}");
}

#[test]
fn siftr_without_its_head_tells_no_rtt_in_ticks() {
    let line = "o,0x00000000,100.5,10.0.0.1,5,10.0.0.2,6,1073725440,14480,0,65535,65535,0,0,4,1448,936,1,996,255,\
        33304,2896,66608,0,1448,0,0,0\n";
    let evidence = evidence(&line.repeat(2));
    let connection = &evidence.connections[0];
    assert_eq!(connection.name, "10.0.0.1:5 > 10.0.0.2:6");
    assert_eq!((connection.points[0].srtt, connection.points[0].ssthresh), (None, None));
    assert_eq!((connection.points[0].unsent, connection.scaled), (Some(1448.0), None));
}

#[test]
fn sentences_are_left_to_people() {
    let text = "The RTT is 210 ms on a 1 Gbit/s line. For an MSS between 2300 and 2400 bytes it falls from 800 Mbit/s to 1 Mbit/s.";
    let evidence = evidence(text);
    assert_eq!(evidence.contents(), Vec::<String>::new());
    assert_eq!(evidence.unread.len(), 1);
}

#[test]
fn a_sweep_takes_its_unit_from_the_words_beside_it() {
    let rows: String = (0..5).map(|n| format!("{} {}\n", 1400 + n, 10 + n)).collect();
    let first = |text: String| evidence(&text).sweeps.first().map(|sweep| sweep.points[0]);
    assert_eq!(first(format!("# MSS Mbits/sec\n{rows}")), Some((1400.0, 1e7)));
    assert_eq!(first(rows.replace('\n', " KBytes/sec\n")), Some((1400.0, 81_920.0)));
    assert_eq!(first(rows.clone()), None);
    let falling: String = rows.lines().rev().map(|row| format!("{row}\n")).collect();
    assert_eq!(first(format!("# Kbytes\n{falling}")), Some((1400.0, 81_920.0)));
    let jumping = rows.replace("1402", "1300");
    assert_eq!(first(format!("# Kbytes\n{jumping}")), None, "no column of a loop");
}

#[test]
fn rows_of_a_wiki_take_missing_cells_from_the_row_above() {
    let text = "CC |\nloss |\nrate |\nnote |\ncubic |\n0 |\n9 Mbit/s |\n|\n1 |\n2 Mbit/s |\nlow |\n|\n|\n|||\nbbr |\n1 |\n9 Mbit/s |\n|\n";
    let evidence = evidence(text);
    let [table] = evidence.tables.as_slice() else { panic!("{evidence:?}") };
    assert_eq!(table.columns, ["CC", "loss", "rate", "note"]);
    assert_eq!(
        table.rows,
        [["cubic", "0", "9 Mbit/s", ""], ["cubic", "1", "2 Mbit/s", "low"], ["bbr", "1", "9 Mbit/s", ""]]
    );
    assert!(evidence.unread.is_empty());
}

/// Details of a connection as ss printed them in the laboratory's guest, without the line of addresses, and with the
/// line breaks of a forum.
#[test]
fn details_without_addresses_are_a_connection() {
    let details = "cubic rto:266 rtt:65.738/0.004 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:47 ssthresh:44 \
        bytes_sent:9449682 bytes_retrans:2896\nbytes_acked:9381252 segs_out:6632 segs_in:3329 data_segs_out:6630 send 8282090bps\n\
        pacing_rate 9938368bps delivery_rate 8105504bps\ndelivered:6583 busy:9689ms rwnd_limited:9268ms(95.7%) unacked:46 \
        retrans:0/2 rcv_space:14480 notsent:347523 minrtt:65 snd_wnd:65535\n";
    let found = evidence(&format!("It is slow, and ss shows\n\n{details}"));
    let [connection] = found.connections.as_slice() else { panic!("{found:?}") };
    assert_eq!(connection.congestion.as_deref(), Some("cubic"));
    assert_eq!(connection.limits.map(|limits| limits.rwnd), Some(9268.0 / 9689.0));
    assert_eq!(connection.goodput, Some(8e3 * 9_381_252.0 / 9689.0));
    assert_eq!(connection.points[0].in_flight, Some(46.0 * 1448.0));
    // Repeated details are two screens of one connection; prose is none.
    let later = details.replace("9381252", "9999999").replace("6632", "6999").replace("3329", "3999");
    assert_eq!(evidence(&format!("{details}\n{later}")).connections.len(), 1);
    assert!(evidence("the cwnd:10 that we saw, with rtt:30, is small\n").connections.is_empty());
}

/// An excerpt without `busy`: a limit is printed with its share of it.
#[test]
fn a_share_tells_the_time_that_it_is_of() {
    let text =
        "bbr mss:1448 cwnd:346 ssthresh:140\n bytes_acked:157090033 retrans:0/1\n rwnd_limited:146880ms(95.7%)\n";
    let found = evidence(text);
    assert_eq!(found.connections.len(), 1, "{found:?}");
    let rwnd = found.connections[0].limits.map_or(0.0, |limits| limits.rwnd);
    assert!((rwnd - 0.957).abs() < 1e-9, "{rwnd}");
    assert_eq!(found.connections[0].scaled, None, "what was left out says nothing");
}

/// Heads whose words are in other places than ping puts them.
#[test]
fn a_head_of_ping_that_is_none_is_no_fault() {
    for odd in ["PING6(56=40+8+8 bytes) a b c --> ", "PING6(56=40+8+8 bytes) a -->  é", "PING6(56 bytes) "] {
        assert!(evidence(odd).pings.len() <= 1, "{odd}");
    }
}

/// Screens of a sender, a second apart.
fn screens(seconds: std::ops::Range<u32>, details: impl Fn(u32) -> String) -> Evidence {
    let screen = |second: u32| {
        let details = details(second);
        format!("2026-11-25T08:00:{second:02}+00:00\nESTAB 0 28566 10.0.0.1:49920 10.0.0.2:5201\n\t {details}\n")
    };
    evidence(&seconds.map(screen).collect::<String>())
}

/// Only one segment is missing and nothing else is sent, so all retransmitted bytes are of it (RFC 2018).
#[test]
fn the_one_segment_that_sack_lacks_is_a_hole() {
    let hole = |sacked: u32, new: u32| {
        let found = screens(1..5, |n| {
            let again = 414 * n;
            format!(
                "cubic rto:464 rtt:29/1 mss:1448 cwnd:1 bytes_sent:{} bytes_retrans:{again} bytes_acked:3764 segs_out:28 \
                 segs_in:12 data_segs_out:26 unacked:8 retrans:1/{n} lost:1 sacked:{sacked} minrtt:29",
                20_000 + again + new * n
            )
        });
        found.connections[0].hole
    };
    assert_eq!(hole(7, 0), Some(crate::Hole { bytes: 414.0, again: 3.0, behind: 7.0 }));
    assert_eq!(hole(6, 0), None, "two are left");
    assert_eq!(hole(7, 100), None, "other data were sent");
}

#[test]
fn bbr_that_keeps_to_a_rate_takes_the_path_for_policed() {
    let policed = |rtt: f64, bandwidth: &dyn Fn(u32) -> u32, gain: &str| {
        let found = screens(1..9, |n| {
            let bandwidth = bandwidth(n);
            format!(
                "bbr rto:340 rtt:130/1 mss:1448 cwnd:48 bytes_sent:{sent} bytes_acked:{sent} segs_out:{n} segs_in:{n} \
                 data_segs_out:{n} bbr:(bw:{bandwidth}bps,mrtt:{rtt},pacing_gain:{gain},cwnd_gain:2) minrtt:126",
                sent = 200_000 * n
            )
        });
        found.connections[0].policed
    };
    assert_eq!(policed(126.0, &|_| 1_743_064, "1"), Some(1_743_064.0));
    assert_eq!(policed(126.0, &|n| 1_743_064 + n, "1"), None, "it varies");
    assert_eq!(policed(126.0, &|_| 1_743_064, "1.25"), None, "it probes");
    assert_eq!(policed(900.0, &|_| 1_743_064, "1"), None, "ten round trips are longer");
}

/// The lengths precede the totals that `grep rec` leaves; line numbers are no lengths.
#[test]
fn a_loop_over_iperf3_is_a_sweep_of_its_totals() {
    let row = |length: u32, rate: &str| format!("{length} [ 5] 0.00-5.04 sec 5.37 GBytes {rate} receiver\n");
    let of = |step: usize| {
        let lengths = (1800..).step_by(step).take(6);
        let rows = lengths.map(|length| row(length, if length == 2000 { "2.52 Mbits/sec" } else { "9.22 Gbits/sec" }));
        let mut found = Evidence::default();
        crate::import::read("loop.txt", rows.collect::<String>().as_bytes(), &mut found);
        found
    };
    let sweep = &of(100).sweeps[0];
    assert_eq!(
        (sweep.points.len(), sweep.points[0], sweep.points[2], sweep.mss),
        (6, (1800.0, 9.22e9), (2000.0, 2.52e6), true)
    );
    assert_eq!(of(100).connections.len(), 0);
    assert_eq!((of(1).sweeps.len(), of(1).listings.len()), (0, 6));
}

/// TCPI_OPT_ECN is 8 of the options (include/uapi/linux/tcp.h); the result with it has 33,369 segments delivered.
#[test]
fn ndt_tells_of_marks_with_ecn() {
    let text = include_str!("../../../tests/views/ndt-download.json");
    let marked =
        text.replace("\"DeliveredCE\": 0, \"BytesSent\": 57838400", "\"DeliveredCE\": 333, \"BytesSent\": 57838400");
    let with_ecn = marked.replace("\"Options\": 6", "\"Options\": 14");
    let share = |text: &str| evidence(text).connections[0].marked;
    assert_eq!((share(&marked), share(&with_ecn)), (None, Some(333.0 / 33_369.0)));
}

/// Figures without a unit have that of their column's head, in any kind of table.
#[test]
fn a_table_has_its_unit_in_the_head_of_a_column() {
    let markdown = "| streams | Throughput (Mbit/s) |\n|---|---|\n| 1 | 94.1 |\n| 4 | 380 |\n";
    let blanks = "With 3 settings:\n\nMTU   Streams   Gbit/s\n1500  1         3.1\n9000  1         9.4\nThe last of 3 is best.\n";
    let [first, second] = [markdown, blanks].map(evidence);
    assert_eq!((first.tables[0].rate(0, 1), first.tables[0].rate(0, 0)), (Some(94.1e6), None));
    let table = &second.tables[0];
    assert_eq!((table.rate(1, 2), table.rows.len(), table.place.line), (Some(9.4e9), 2, 3));
    assert_eq!(second.unread.iter().map(|unread| unread.place.line).collect::<Vec<_>>(), [1, 6]);
}

/// Before Linux 6.2 ss prints no rcv_wnd; the receiver then offers at most rcv_ssthresh.
#[test]
fn a_receiver_without_its_window_has_the_most_that_it_offers() {
    let receiver = "ESTAB 0 0 10.0.0.2:80 10.0.0.1:5000\n\t skmem:(r0,rb6291456,t0,tb87040,f0,w0,o0,bl0,d0) cubic wscale:7,7 \
        rto:204 rtt:40/1 mss:1000 rcvmss:1448 bytes_received:9000000 segs_in:7000 data_segs_in:6500 lastsnd:5000 rcv_rtt:41 \
        rcv_space:300000 rcv_ssthresh:1500000 minrtt:39.5\n";
    let seen = &evidence(receiver).connections[0];
    assert_eq!((seen.rcv_ssthresh, seen.rcv_space, seen.rcvbuf), (Some(1.5e6), Some(3e5), Some(6_291_456.0)));
    assert_eq!(seen.window.map(|window| window.largest), Some(1.5e6));
    let told = evidence(&receiver.replace("minrtt:39.5", "minrtt:39.5 rcv_wnd:70000"));
    assert_eq!(told.connections[0].window.map(|window| window.largest), Some(70_000.0));
}
