//! Posts with two runs, two directions, a sum, or no connection at all: no part of the evidence speaks for the whole.

use super::paste::{page, told};
use super::paths::{bytes, connection};
use diagnosis::diagnose::{self, Confidence, Diagnosis, Given, Style};
use evidence::{Connection, Evidence, Limits, Point};
use std::fmt::Write;

const GIGABIT: Given = Given { rate: Some(1e9), rtt: None };

fn of(text: &str, given: Given) -> String {
    page(&told(&[("post.txt", text)], given)).replace('\n', " ").replace("   ", " ")
}

/// Both directions at once, with a row for each in every second; `there` and `back` are the columns of megabytes,
/// Mbit/s and after.
fn both_ways(there: &str, back: &str) -> String {
    let rows: String = (0..6).fold(String::new(), |mut text, second| {
        let interval = format!("{second}.00-{}.00   sec", second + 1);
        let _ = writeln!(text, "[  5][TX-C]   {interval}  {there}");
        let _ = writeln!(text, "[  7][RX-C]   {interval}  {back}");
        text
    });
    format!(
        "$ iperf3 -c 10.0.0.2 --bidir\nConnecting to host 10.0.0.2, port 5201\n\
         [ ID][Role] Interval           Transfer     Bitrate         Retr  Cwnd\n{rows}"
    )
}

/// 25 of 24,800 segments in a second are 0.101 %: 1.2/√p (RFC 9438, 5.1) is 37.8, times 1448 bytes 54.8 kB.
#[test]
fn the_slow_direction_is_what_a_page_is_about() {
    let slow = both_ways("34.3 MBytes   288 Mbits/sec   25   80.0 KBytes", "112 MBytes   936 Mbits/sec");
    let unknown = of(&slow, Given::default());
    assert!(unknown.starts_with("Is 288 Mbit/s from client to server slow? "), "{unknown}");
    let told = of(&slow, GIGABIT);
    assert!(told.starts_with("Slow: 288 Mbit/s from client to server is 28.8 % of the 1.00 Gbit/s link."), "{told}");
    assert!(told.contains("The other direction carries 94"), "{told}");
    assert!(told.contains("retransmitted in 6 of 6 intervals, 0.101 % of all"), "{told}");
    assert!(told.contains("the mean cwnd is 81.9 kB: at that random loss rate Reno would have 54.8 kB"), "{told}");
    let lossless = of(&slow.replace("   25   80.0", "    0   80.0"), GIGABIT);
    assert!(!lossless.contains("retransmitted in"), "{lossless}");
    let fast = both_ways("112 MBytes   936 Mbits/sec    0   1.21 MBytes", "112 MBytes   936 Mbits/sec");
    assert!(of(&fast, GIGABIT).starts_with("Not slow: "), "{}", of(&fast, GIGABIT));
}

/// 870 Mbit/s of 1000 would count as full, had another run not reached 960 on the same path.
#[test]
fn the_faster_run_shows_what_the_link_carries() {
    let run = |rate: u32| {
        format!(
            "$ iperf3 -c 10.0.0.2\nConnecting to host 10.0.0.2, port 5201\n[ ID] Interval           Transfer     Bitrate\n\
             [  5]   0.00-10.00  sec  1.01 GBytes   {rate} Mbits/sec                  receiver\n\niperf Done.\n"
        )
    };
    assert!(of(&run(870), GIGABIT).starts_with("Not slow: 870 Mbit/s"));
    let both = of(&(run(962) + &run(870)), GIGABIT);
    assert!(
        both.starts_with("Slow: 870 Mbit/s is 87.0 % of the 1.00 Gbit/s link. Another run gets 962 Mbit/s"),
        "{both}"
    );
}

#[test]
fn a_sum_without_its_streams_is_a_run() {
    let sum = "[SUM]   0.00-10.00  sec   104 MBytes  87.5 Mbits/sec  112             sender\n\
               [SUM]   0.00-10.01  sec   104 MBytes  87.2 Mbits/sec                  receiver\n";
    let alone = of(sum, GIGABIT);
    assert!(alone.starts_with("Slow: 87.2 Mbit/s is 8.72 % of the 1.00 Gbit/s link."), "{alone}");
    let one = "[ ID] Interval           Transfer     Bandwidth       Retr\n\
               [  4]   0.00-10.00  sec  52.0 MBytes  43.6 Mbits/sec   12             sender\n\
               [  4]   0.00-10.00  sec  51.8 MBytes  43.5 Mbits/sec                  receiver\n";
    let both = of(&format!("{one}\nand with -P 16 the last lines are\n\n{sum}"), GIGABIT);
    assert!(
        both.starts_with("Slow: 43.5 Mbit/s is 4.35 % of the 1.00 Gbit/s link. Another run gets 87.2 Mbit/s"),
        "{both}"
    );
    let json = |rate: u32| {
        format!(
            "{{\"start\": {{}}, \"intervals\": [], \"end\": {{\"streams\": [], \"sum_received\": {{\"start\": 0, \"end\": 10.02, \
             \"bytes\": 1170000000, \"bits_per_second\": {rate}, \"sender\": false}}}}}}"
        )
    };
    assert!(of(&json(934_000_000), GIGABIT).starts_with("Not slow: 934 Mbit/s"), "{}", of(&json(934_000_000), GIGABIT));
}

fn iperf(more: &str, rows: &str) -> String {
    format!("$ iperf3 -c 10.0.0.2{more}\nConnecting to host 10.0.0.2, port 5201\n{rows}\niperf Done.\n")
}

const ONE: &str = "[ ID] Interval           Transfer     Bitrate         Retr\n\
    [  5]   0.00-10.00  sec  52.0 MBytes  43.6 Mbits/sec    0             sender\n\
    [  5]   0.00-10.00  sec  51.8 MBytes  43.5 Mbits/sec                  receiver\n";

#[test]
fn faster_parallel_flows_show_that_one_is_limited_alone() {
    let four = |rate: f64| {
        let stream =
            |id: u32| format!("[  {id}]   0.00-10.00  sec  {:.1} MBytes  {rate} Mbits/sec   receiver\n", rate * 1.192);
        format!("[ ID] Interval           Transfer     Bitrate\n{}", (4..8).map(stream).collect::<String>())
    };
    let both = |rate: f64| of(&(iperf("", ONE) + &iperf(" -P 4", &four(rate))), GIGABIT);
    let seen = "Seen: One connection gets 43.5 Mbit/s (post.txt:1), 4 together 160 Mbit/s (post.txt:8)";
    assert!(both(40.0).contains(seen), "{}", both(40.0));
    assert!(!both(12.0).contains("One connection gets"), "{}", both(12.0));
    let back = of(&(iperf("", ONE) + &iperf(" -P 4 -R", &four(40.0))), GIGABIT);
    assert!(!back.contains("One connection gets"), "another direction: {back}");
}

/// 40 of 900 at 1 Mbit/s, where TCP gets 43.5.
#[test]
fn datagram_loss_below_the_path_rate_is_no_full_queue() {
    let udp = |rate: &str| {
        iperf(
            " -u",
            &format!(
                "[ ID] Interval           Transfer     Bitrate         Jitter    Lost/Total Datagrams\n\
                 [  5]   0.00-10.00  sec  1.20 MBytes  {rate} Mbits/sec  0.045 ms  40/900 (4.4%)  receiver\n"
            ),
        )
    };
    let slow = of(&(udp("1.00") + &iperf("", ONE)), Given::default());
    let seen = "40 of 900 datagrams of UDP are lost (4.44 %, post.txt:1) at 1.05 Mbit/s, while TCP gets 43.5 Mbit/s over the same path";
    assert!(slow.contains(seen), "{slow}");
    let fast = of(&(udp("30.0") + &iperf("", ONE)), Given::default());
    assert!(fast.contains("lost (4.44 %, post.txt:1). To decide: iperf3 -c HOST -u -b RATE at lower rates"), "{fast}");
}

#[test]
fn pings_alone_are_told() {
    let summary = |answered: u32| {
        format!(
            "--- 192.0.2.7 ping statistics ---\n20 packets transmitted, {answered} received, 5% packet loss, time 19031ms\n"
        )
    };
    assert!(
        of(&summary(13), GIGABIT).starts_with("Seen: 7 of 20 pings are not answered (35.0 %, "),
        "{}",
        of(&summary(13), GIGABIT)
    );
    assert!(!of(&summary(19), GIGABIT).contains("Seen"), "one may have asked for the address");
    let replies = |times: &[u32]| {
        times.iter().fold(String::new(), |mut text, ms| {
            let _ = writeln!(text, "Reply from 192.0.2.7: bytes=32 time={ms}ms TTL=64");
            text
        })
    };
    let wide = of(&replies(&[3, 104, 207, 310, 1540]), GIGABIT);
    assert!(wide.starts_with("Seen: RTTs of 192.0.2.7 range from 3.00 ms to 1.54 s, median 207 ms"), "{wide}");
    assert!(!of(&replies(&[103, 104, 207, 140]), GIGABIT).contains("Seen"));
}

#[test]
fn counters_without_a_connection_are_told() {
    let seen = |text: &str| of(text, GIGABIT);
    let nic = |bad: u32| {
        seen(&format!("NIC statistics:\n     rx_packets: 200000\n     rx_errors: {bad}\n     rx_crc_errors: {bad}\n"))
    };
    assert!(nic(50).starts_with("50 of 200,050 frames arrived at DEVICE damaged (0.0250 %): its cable"), "{}", nic(50));
    assert!(!nic(2).contains("damaged"), "two events are no rate");
    let udp = |dropped: u32| {
        seen(&format!(
            "#kernel\nUdpInDatagrams 9000 0.0\nUdpInErrors {dropped} 0.0\nUdpRcvbufErrors {dropped} 0.0 # high\n"
        ))
    };
    assert!(udp(1000).starts_with("Seen: 1,000 of 10,000 UDP datagrams received were dropped"), "{}", udp(1000));
    assert!(!udp(9).contains("Seen"));
    let qdisc = |loss: &str| seen(&format!("qdisc netem 8001: root refcnt 2 limit 900 delay 30ms{loss}\n"));
    assert!(
        qdisc(" loss 2%")
            .starts_with("Seen: DEVICE has an emulator that drops packets: netem limit 900 delay 30ms loss 2%")
    );
    assert!(!qdisc("").contains("Seen"));
    let queue = |dropped: u32, of_flows: u32| {
        seen(&format!(
            "qdisc fq 8005: dev eth0 root refcnt 2 limit 10000p flow_limit 100p\n Sent 9 bytes 9900 pkt (dropped {dropped}, overlimits 0 \
             requeues 1)\n backlog 0b 0p requeues 1\n  0 gc, 0 highprio, 0 throttled, {of_flows} flows_plimit\n"
        ))
    };
    let full = queue(100, 99).replace("\n  ", " ");
    assert!(full.starts_with("Seen: 100 of 10,000 packets did not leave eth0 (1.00 %, post.txt:2): its"), "{full}");
    assert!(full.contains("queueing discipline, fq, dropped them, because one flow used up its share"), "{full}");
    assert!(queue(100, 9).replace("\n  ", " ").contains("dropped them: more came than it lets through."));
    assert!(!queue(9, 9).contains("Seen"));
    let log = "[ 71.2] nf_conntrack: table full, dropping packet\n";
    assert!(
        seen(log).starts_with("Seen: The kernel said once that its table of tracked connections is full"),
        "{}",
        seen(log)
    );
}

#[test]
fn a_setting_that_changed_between_two_runs_is_named() {
    let set = |name: &str| {
        format!("$ sysctl -w net.ipv4.tcp_congestion_control={name}\nnet.ipv4.tcp_congestion_control = {name}\n")
    };
    let other = ONE.replace("43.", "93.");
    let told = of(&(set("bbr") + &iperf("", ONE) + &set("cubic") + &iperf("", &other)), GIGABIT);
    let seen = "Between two of the runs was changed: net.ipv4.tcp_congestion_control from bbr to cubic (post.txt:11).";
    assert!(told.contains(seen), "{told}");
    let same = of(&(set("bbr") + &iperf("", ONE) + &set("bbr") + &iperf("", &other)), GIGABIT);
    assert!(!same.contains("was changed"), "{same}");
}

/// 1.25 MBytes in 20 ms are 524 Mbit/s; the evidence does not show what limits the other direction.
#[test]
fn columns_are_what_their_names_say() {
    let text = include_str!("../../../../crates/evidence/tests/import/apple-columns.txt");
    let found = told(&[("mac.txt", text)], Given::default());
    let top = found.top().unwrap();
    assert_eq!((top.rule, top.confidence), ("receiver-window", Confidence::High));
    assert!(
        top.figures.iter().any(|figure| figure.name == "largest window" && figure.value == "1.32 MB"),
        "{:?}",
        top.figures
    );
    assert!(page(&found).contains("The other direction carries 700 Mbit/s at the same time."), "{}", page(&found));
    let unread: Vec<_> = found.unread.iter().filter_map(|unread| unread.why.as_deref()).collect();
    assert_eq!(unread, ["columns of unknown meaning: Flow-"]);
    let two = told(
        &[("two.txt", include_str!("../../../../crates/evidence/tests/import/iperf2-in-flight.txt"))],
        Given::default(),
    );
    assert!(two.unread.iter().all(|unread| unread.why.is_none()), "{:?}", two.unread);
    let without = text.replace("984ms", "0ms").replace("998ms", "0ms").replace("997ms", "0ms");
    let free = told(&[("mac.txt", &without)], Given::default());
    let held = |found: &Diagnosis| {
        let figures = found.top().map_or(&[][..], |top| &top.figures);
        figures.iter().find(|figure| figure.name == "rwnd_limited (tcp_info)").map(|figure| figure.value.clone())
    };
    assert_eq!([held(&found), held(&free)], [Some("99.3 %".into()), None]);
}

/// iperf3 and `ss` output as mail encodes it.
#[test]
fn mail_is_read_as_what_it_was() {
    let plain = of(&iperf("", ONE), GIGABIT);
    let coded = iperf("", ONE)
        .replace("0.00", "0=2E00")
        .replace("sender", "sen=\nder")
        .replace("receiver\n", "receiver  =20\n");
    assert_eq!(of(&coded, GIGABIT), plain);
}

#[test]
fn packets_as_text_are_said_not_to_be_read() {
    let line =
        "09:01:02.000100 IP a.example.https > 10.0.0.7.40000: Flags [.], seq 1:1449, ack 1, win 512, length 1448\n";
    let told = of(&format!("Less than 10 Mbit/s over a WAN link:\n{line}{line}{}", iperf("", ONE)), GIGABIT);
    assert!(told.contains("Not read: post.txt:2: packets as text are not read: tcpdump"), "{told}");
}

/// A line of `ss` with its details; 29,104 of 184,219 bytes were sent again.
const SOCKET: &str = "ESTAB 0 222024 192.0.2.1:57224 192.0.2.2:4004 TIMER\n\t cubic wscale:7,7 rto:236 BACKOFF rtt:34.812/2.104 mss:1348 \
                      cwnd:10 bytes_sent:184219 bytes_retrans:29104 bytes_acked:155115 segs_out:412 segs_in:388 MORE lastsnd:12 \
                      lastrcv:8 retrans:0/61 MARKS notsent:222024\n";

fn socket(changes: &[(&str, &str)]) -> String {
    let all = [("TIMER", ""), ("BACKOFF ", ""), ("MORE ", ""), ("MARKS ", "")];
    changes.iter().chain(&all).fold(SOCKET.to_owned(), |text, (name, value)| text.replace(name, value))
}

#[test]
fn a_closed_window_is_a_slow_reader_even_in_short_output() {
    let reads = "Receiving application reads too slowly: its buffer is full.";
    let long = ("TIMER", "timer:(persist,1min23sec,9)");
    let received = ("MORE", "bytes_received:228063971");
    assert!(of(&socket(&[long, received]), GIGABIT).starts_with(reads));
    assert!(of(&socket(&[("TIMER", "timer:(persist,200ms,0)"), ("BACKOFF", "backoff:9")]), GIGABIT).starts_with(reads));
    let paced = of(&socket(&[("TIMER", "timer:(persist,200ms,0)")]), GIGABIT);
    assert!(!paced.contains("reads too slowly"), "a paced sender waits as well: {paced}");
    let table = "State Recv-Q Send-Q Local Address:Port Peer Address:Port\nESTAB 0 3104640 127.0.0.1:55536 127.0.0.1:5000 \
                 timer:(persist,37sec,0)\n";
    assert!(of(table, GIGABIT).starts_with(reads));
    let shortened = "ESTAB  Send-Q=3899264  timer:(persist,1min13sec,0) backoff:9\n  bbr mss:1448 cwnd:346\n  bytes_sent:157091065 \
                     bytes_acked:157090033 retrans:0/1\n  rwnd_limited:146880ms(95.7%) notsent:3899264\n";
    assert!(of(shortened, GIGABIT).starts_with(reads), "{}", of(shortened, GIGABIT));
}

#[test]
fn one_screen_of_ss_tells_losses_marks_and_what_nobody_reads() {
    let lost = of(&socket(&[]), Given::default());
    assert!(lost.contains("15.8 % of the segments are sent again") && !lost.contains("Mbit/s slow?"), "{lost}");
    let healthy = "ESTAB 0 0 192.0.2.1:48082 192.0.2.3:3306\n\t cubic rto:201 rtt:0.262/0.112 mss:1448 cwnd:10 bytes_acked:1852907381 \
                   segs_out:10913962 segs_in:22169704 data_segs_out:9531411 unacked:5 busy:2736500ms retrans:0/260\n";
    let many = socket(&[("MORE", "data_segs_out:4120"), ("0/61", "0/610")]);
    for text in [healthy.to_owned() + &many, many.clone() + healthy] {
        assert!(
            of(&text, Given::default()).contains("14.8 % of the segments of 192.0.2.1:57224 > 192.0.2.2:4004"),
            "{text}"
        );
    }
    let marks = socket(&[("0/61", "0/0"), ("MARKS", "delivered:3755 delivered_ce:562"), ("bytes_retrans:29104 ", "")]);
    assert!(of(&marks, Given::default()).contains("15.0 % of the delivered packets carry a CE mark"));
    let stale = healthy.replace("ESTAB 0", "ESTAB 3415748").replace("unacked:5", "lastrcv:1179306");
    assert!(
        of(&stale, Given::default()).contains("3.42 MB wait in the receive queue"),
        "{}",
        of(&stale, Given::default())
    );
    assert!(!of(&stale.replace("1179306", "300"), Given::default()).contains("receive queue"));
}

#[test]
fn a_gigabit_with_w_is_a_gigabit() {
    let rows: String = (0..9).fold(String::new(), |mut text, second| {
        let _ = writeln!(text, "[  4] {second}.00-{}.00 sec  112 MBytes  942 Mbits/sec    0   294 MBytes", second + 1);
        text
    });
    let text = format!("$ iperf3 -c 192.0.2.10 -w 1M\n[ ID] Interval Transfer Bandwidth Retr Cwnd\n{rows}");
    assert!(of(&text, Given::default()).starts_with("940 Mbit/s is what Ethernet at 1.00 Gbit/s carries"));
    let slow = of(&text.replace("942 M", "642 M").replace(" 112 MB", "76.5 MB"), Given::default());
    assert!(slow.starts_with("A window, a buffer or a program limits"), "{slow}");
}

/// A token bucket's initial burst exceeds the rate without contradicting it; a growing cwnd that brings no more rate
/// fills a queue.
#[test]
fn bursts_and_queues_show_in_rows_of_text() {
    let rows = |first: &str, cwnd: [u32; 9]| {
        let later = cwnd.iter().enumerate().fold(String::new(), |mut text, (second, cwnd)| {
            let (from, to) = (second + 1, second + 2);
            let _ = writeln!(text, "[  5] {from}.00-{to}.00 sec  1.75 MBytes  14.7 Mbits/sec    0   {cwnd} KBytes");
            text
        });
        format!("[ ID] Interval Transfer Bitrate Retr Cwnd\n[  5] 0.00-1.00 sec  {first}    0   420 KBytes\n{later}")
    };
    let given = Given { rate: Some(15e6), rtt: None };
    let [flat, grows] = [[500; 9], [508, 595, 683, 771, 858, 946, 1034, 1110, 1190]];
    let burst = of(&rows("248 MBytes  2.08 Gbits/sec", flat), given);
    assert!(burst.starts_with("Not slow: 14.7 Mbit/s") && !burst.contains("Contradiction"), "{burst}");
    let all = rows("248 MBytes  2.08 Gbits/sec", flat).replace("1.75 MBytes  14.7", "175 MBytes  1470");
    assert!(of(&all, given).starts_with("Contradiction"), "{}", of(&all, given));
    let queue = "The rate stays at 14.7 Mbit/s while cwnd grows from";
    assert!(of(&rows("1.75 MBytes  14.7 Mbits/sec", grows), Given::default()).contains(queue));
    assert!(!of(&rows("1.75 MBytes  14.7 Mbits/sec", flat), Given::default()).contains(queue));
}

#[test]
fn counters_of_a_host_tell_what_they_are_enough_for() {
    let stat = |lost: u32, spurious: u32, full: u32| {
        format!(
            "$ netstat -s\nTcp:\n    1000000 segments send out\n    {lost} segments retransmited\nTcpExt:\n    {full} times the listen \
             queue of a socket overflowed\n    TCPLossProbes: 500\n    TCPDSACKRecv: {spurious}\n"
        )
    };
    assert!(
        of(&stat(7158, 0, 0), Given::default())
            .contains("7,158 of 1,000,000 segments that this host sent were sent again")
    );
    assert!(!of(&stat(1402, 0, 0), Given::default()).contains("sent again ("));
    assert!(
        of(&stat(1402, 0, 5_191_585), Given::default()).contains("5,191,585 times a listening socket's queue was full")
    );
    assert!(!of(&stat(1402, 783, 0), Given::default()).contains("reordering"), "probes send for nothing");
    assert!(of(&stat(1402, 1383, 0), Given::default()).contains("Packet reordering"));
    let ifconfig = "$ ifconfig\neth0 Link encap:Ethernet HWaddr 00:1A:A0:53:4D:FB\n          RX packets:73886 errors:3443 dropped:0 overruns:0 \
                    frame:3391\n          TX packets:108585 errors:0 dropped:0 overruns:0 carrier:0\n";
    assert!(of(ifconfig, Given::default()).contains("3,391 of 77,277 frames arrived at eth0 damaged"));
    let unknown = ifconfig.replace("frame:3391", "frame:0");
    assert!(of(&unknown, Given::default()).contains("3,443 of 77,329 frames that came to eth0 count as errors"));
    let ping = "PING h3 (10.0.0.3) 56(84) bytes of data.\n\n--- h3 ping statistics ---\n600 packets transmitted, 580 received, 3% packet loss, \
                time 61027ms\nrtt min/avg/max/mdev = 100.216/375.909/587.119/99.584 ms, pipe 6\n";
    let queue = of(ping, Given::default());
    assert!(
        queue.starts_with("Seen: RTTs of h3 range from 100 ms to 587 ms")
            && queue.contains("a full queue then no longer drops them"),
        "{queue}"
    );
}

/// iperf3's text of six seconds: Mbit/s, retransmissions and cwnd in each.
fn six_seconds(rows: [(f64, u32, &str); 6]) -> String {
    let lines = rows.iter().enumerate().map(|(second, (rate, again, cwnd))| {
        let bytes = rate / 8.0 * 1e6 / 1048576.0;
        format!("[  5]   {second}.00-{}.00   sec  {bytes:.2} MBytes  {rate} Mbits/sec  {again}   {cwnd}\n", second + 1)
    });
    let mean = rows.iter().map(|row| row.0).sum::<f64>() / 6.0;
    format!(
        "$ iperf3 -c 10.0.0.2\nConnecting to host 10.0.0.2, port 5201\n[ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n{}\
         - - - - -\n[  5]   0.00-6.00   sec  {:.2} MBytes  {mean:.1} Mbits/sec                  receiver\n",
        lines.collect::<String>(),
        mean * 6.0 / 8.0 * 1e6 / 1048576.0
    )
}

/// tc-tbf(8) counts frames: 1448 of 1514 bytes of 50 Mbit/s are 47.8.
#[test]
fn a_shaper_that_is_printed_is_the_cap() {
    let transfer = six_seconds([(47.8, 6, "70.5 KBytes"); 6]);
    let tc = |rate: &str| {
        format!("$ tc qdisc show dev eth0\nqdisc tbf 8001: root refcnt 2 rate {rate} burst 16Kb lat 50ms\n")
    };
    let found = told(&[("post.txt", &(tc("50Mbit") + &transfer))], GIGABIT);
    assert_eq!(found.top().map(|top| (top.rule, top.confidence)), Some(("rate-cap", Confidence::High)));
    let page = of(&(tc("50Mbit") + &transfer), GIGABIT);
    assert!(page.contains("Rate cap at 50.0 Mbit/s: eth0 is shaped (tbf rate 50Mbit burst 16Kb lat 50ms)"), "{page}");
    assert!(page.contains("The shaper is on eth0 of the host that printed it"), "{page}");
    let link = "2: eth0: <BROADCAST,UP> mtu 1500 qdisc tbf state UP mode DEFAULT group default qlen 1000\n\n";
    let below = told(&[("post.txt", &(link.to_owned() + &tc("50Mbit") + &transfer))], GIGABIT);
    let shaper = below.top().unwrap().figures.iter().find(|figure| figure.name == "rate of the shaper").unwrap();
    assert_eq!(shaper.from, "post.txt:4", "the line of the shaper, not of the device");
    let full = of(&(tc("50Mbit") + &transfer), Given { rate: Some(50e6), ..GIGABIT });
    assert!(full.starts_with("Not slow: 47.8 Mbit/s"), "{full}");
    let faster = told(&[("post.txt", &(tc("200Mbit") + &transfer))], GIGABIT);
    assert!(faster.findings.iter().all(|finding| finding.rule != "rate-cap"));
}

/// RFC 5681, 3.1: after a timeout cwnd is one segment, here 1448 B.
#[test]
fn a_stall_at_a_cwnd_of_one_segment_is_a_loss() {
    let still = (0.0, 0, "1.41 KBytes");
    let page =
        |still| of(&six_seconds([(49.5, 0, "80.5 KBytes"), still, still, still, still, still]), Given::default());
    assert!(page(still).contains("cwnd is one segment: the retransmission timer has run out"), "{}", page(still));
    assert!(!page(still).contains("Ruled out: loss"), "{}", page(still));
    assert!(page((0.0, 0, "80.5 KBytes")).contains("nothing is sent again meanwhile"));
}

/// Two connections get 37.2 and 9.8 Mbit/s of 50, but for their first second, so that on the mean they get 44.6. All of
/// the queue of 102 ms holds 102 ms × 44.6 Mbit/s / 8 = 569 kB.
#[test]
fn a_shared_queue_is_reported_for_all_its_connections() {
    let shares = |name: &str, rate: f64| {
        let c = connection(20.0, 0.04, |time| Point {
            bytes: bytes(if time <= 1.0 { 0.0 } else { rate }, 0.04),
            retransmitted: Some(0.0),
            cwnd: Some(rate * 1e6 * 0.142 / 8.0 * (1.0 + 0.001 * time)),
            srtt: Some(0.142),
            ..Point::default()
        });
        let limits = Some(Limits { busy: 1.0, rwnd: 0.0, sndbuf: 0.0 });
        Connection { name: name.into(), rtt_min: Some(0.04), limits, ..c }
    };
    let both = Evidence { connections: vec![shares("old", 37.2), shares("new", 9.8)], ..Evidence::default() };
    let total = both.connections.iter().filter_map(|one| one.goodput).sum::<f64>() / 1e6;
    assert!((total - 44.65).abs() < 0.05, "{total}");
    let found = diagnose::diagnose(&both, Given { rate: Some(50e6), rtt: None });
    let text = diagnose::page(&found, Style { width: 1000, verbose: true });
    assert!(text.contains("But new, one of 2 connections, gets 9.31 Mbit/s of it."), "{text}");
    let queued = text.lines().find(|line| line.contains("queued, about")).unwrap();
    assert!(queued.contains("569 kB"), "{queued}");
    let totals: Vec<&str> = text.lines().filter(|line| line.contains("total goodput")).collect();
    assert!(totals.iter().all(|line| line.contains("44.6 Mbit/s")) && totals.len() == 1, "{text}");
    assert!(text.contains("Limited by the link at 44.6 Mbit/s"), "{text}");
}
