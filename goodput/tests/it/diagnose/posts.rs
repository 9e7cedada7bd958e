//! What people post of two runs, two directions, a sum, or of no connection at all: no part of it speaks for the whole.

use super::paste::{page, told};
use goodput::diagnose::{Confidence, Diagnosis, Given};
use std::fmt::Write;

const GIGABIT: Given = Given { rate: Some(1e9), rtt: None };

fn of(text: &str, given: Given) -> String {
    page(&told(&[("post.txt", text)], given)).replace('\n', " ").replace("   ", " ")
}

/// Both directions at once, a row of each in every second: megabytes, Mbit/s, and what stands behind.
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

/// 25 of 24,800 segments in a second are 0.1 %: (3/2/0.001)^(1/2) is 38.7, times 1448 bytes 56 kB.
#[test]
fn the_slow_direction_is_what_a_page_is_about() {
    let slow = both_ways("34.3 MBytes   288 Mbits/sec   25   80.0 KBytes", "112 MBytes   936 Mbits/sec");
    let unknown = of(&slow, Given::default());
    assert!(unknown.starts_with("Is 288 Mbit/s from client to server slow? "), "{unknown}");
    let told = of(&slow, GIGABIT);
    assert!(told.starts_with("Slow: 288 Mbit/s from client to server is 28.8 % of the 1.00 Gbit/s link."), "{told}");
    assert!(told.contains("The other direction carries 94"), "{told}");
    assert!(told.contains("sent again in 6 of 6 intervals, 0.101 % of all"), "{told}");
    assert!(told.contains("cwnd is 81.9 kB on the mean: random losses of that share leave Reno 55.9 kB"), "{told}");
    let lossless = of(&slow.replace("   25   80.0", "    0   80.0"), GIGABIT);
    assert!(!lossless.contains("sent again"), "{lossless}");
    let fast = both_ways("112 MBytes   936 Mbits/sec    0   1.21 MBytes", "112 MBytes   936 Mbits/sec");
    assert!(of(&fast, GIGABIT).starts_with("Not slow: "), "{}", of(&fast, GIGABIT));
}

/// 870 Mbit/s of 1000 would do, if 960 had not passed the same path.
#[test]
fn what_one_run_gets_the_line_carries_for_the_other() {
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
fn several_connections_that_get_more_than_one_say_that_it_is_limited_alone() {
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
fn datagrams_that_are_lost_below_what_the_path_carries_are_of_no_full_queue() {
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
    assert!(wide.starts_with("Seen: RTTs of 192.0.2.7 go from 3.00 ms to 1.54 s, 207 ms in the middle"), "{wide}");
    assert!(!of(&replies(&[103, 104, 207, 140]), GIGABIT).contains("Seen"));
}

#[test]
fn counters_without_a_connection_are_told() {
    let seen = |text: &str| of(text, GIGABIT);
    let nic = |bad: u32| {
        seen(&format!("NIC statistics:\n     rx_packets: 200000\n     rx_errors: {bad}\n     rx_crc_errors: {bad}\n"))
    };
    assert!(
        nic(50).starts_with("Seen: 50 of 200,050 frames came to DEVICE damaged (0.0250 %, rx_crc_errors, post.txt:4)"),
        "{}",
        nic(50)
    );
    assert!(!nic(2).contains("Seen"), "two events are no rate");
    let udp = |dropped: u32| {
        seen(&format!(
            "#kernel\nUdpInDatagrams 9000 0.0\nUdpInErrors {dropped} 0.0\nUdpRcvbufErrors {dropped} 0.0 # high\n"
        ))
    };
    assert!(udp(1000).starts_with("Seen: 1,000 of 10,000 datagrams of UDP that came were dropped"), "{}", udp(1000));
    assert!(!udp(9).contains("Seen"));
    let qdisc = |loss: &str| seen(&format!("qdisc netem 8001: root refcnt 2 limit 900 delay 30ms{loss}\n"));
    assert!(
        qdisc(" loss 2%")
            .starts_with("Seen: DEVICE has an emulator that drops packets: netem limit 900 delay 30ms loss 2%")
    );
    assert!(!qdisc("").contains("Seen"));
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

/// 1.25 MBytes in 20 ms are 524 Mbit/s; nothing is known of what holds the other direction.
#[test]
fn columns_are_what_their_names_say() {
    let text = include_str!("../../../../evidence/tests/import/apple-columns.txt");
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
    let two =
        told(&[("two.txt", include_str!("../../../../evidence/tests/import/iperf2-in-flight.txt"))], Given::default());
    assert!(two.unread.iter().all(|unread| unread.why.is_none()), "{:?}", two.unread);
    let without = text.replace("984ms", "0ms").replace("998ms", "0ms").replace("997ms", "0ms");
    let free = told(&[("mac.txt", &without)], Given::default());
    let held = |found: &Diagnosis| {
        let figures = found.top().map_or(&[][..], |top| &top.figures);
        figures.iter().find(|figure| figure.name == "rwnd_limited (tcp_info)").map(|figure| figure.value.clone())
    };
    assert_eq!([held(&found), held(&free)], [Some("99.3 %".into()), None]);
}

/// What a mail makes of a run and of `ss`.
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
