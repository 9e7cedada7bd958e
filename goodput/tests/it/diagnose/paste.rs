//! Evidence as people paste it who know none of goodput's rules: several pieces together, and the page that they get.

use diagnosis::diagnose::{self, Confidence, Diagnosis, Given, Severity, Style};
use diagnosis::remedy::Change;
use evidence::{Evidence, import};
use std::fmt::Write;

/// Diagnosis of files with their names.
pub fn told(files: &[(&str, &str)], given: Given) -> Diagnosis {
    let mut evidence = Evidence::default();
    files.iter().for_each(|(name, text)| import::read(name, text.as_bytes(), &mut evidence));
    import::join(&mut evidence);
    diagnose::diagnose(&evidence, given)
}

pub fn page(found: &Diagnosis) -> String {
    diagnose::page(found, Style::default())
}

/// All commands that are proposed.
fn commands(found: &Diagnosis) -> String {
    let remedies = found.findings.iter().flat_map(|finding| &finding.remedies);
    remedies.flat_map(|remedy| remedy.steps().now).collect::<Vec<_>>().join("\n")
}

/// `ss` output of a host that sends to 10.0.0.2, with its minimum and smoothed RTT, ms.
fn screen(least: f64, smoothed: f64, more: &str) -> String {
    format!(
        "ESTAB 0 1200000 10.0.0.1:5000 10.0.0.2:5201\n\t cubic wscale:7,7 rto:504 rtt:{smoothed}/3 mss:1448 cwnd:230 \
         bytes_acked:24700000 segs_out:17300 data_segs_out:17290 lastrcv:20100 delivered:17050 {more} \
         unacked:228 retrans:0/10 notsent:800000 minrtt:{least} snd_wnd:3000000\n"
    )
}

const BUSY: &str = "busy:20050ms";

fn pings(target: &str, ms: f64) -> String {
    let answers: String = (1..=3).fold(String::new(), |mut text, seq| {
        let _ = writeln!(text, "64 bytes from {target}: icmp_seq={seq} ttl=60 time={ms} ms");
        text
    });
    format!("PING {target} ({target}) 56(84) bytes of data.\n{answers}")
}

fn pings_of(size: u32, answered: u32) -> String {
    format!(
        "# ping -M do -c 4 -s {size} 10.0.0.2\nPING 10.0.0.2 (10.0.0.2) {size}({}) bytes of data.\n\n--- 10.0.0.2 ping statistics \
         ---\n4 packets transmitted, {answered} received, {}% packet loss, time 3061ms\n",
        size + 28,
        25 * (4 - answered)
    )
}

/// 210 ms of queue at 9.8 Mbit/s are 258 kB.
#[test]
fn one_screen_of_ss_shows_a_queue() {
    let found = told(&[("ss.txt", &screen(50.0, 260.0, BUSY))], Given::default());
    let top = found.top().unwrap();
    assert_eq!((top.rule, top.confidence), ("bufferbloat", Confidence::Medium));
    assert!(top.says.contains("a standing queue of 210 ms raises the RTT from 50.0 ms to 260 ms"), "{}", top.says);
    assert_eq!(top.figures.last().map(|figure| figure.value.as_str()), Some("258 kB"));
    let low = told(&[("ss.txt", &screen(50.0, 60.0, BUSY))], Given::default());
    assert!(low.findings.iter().all(|finding| finding.rule != "bufferbloat"));
}

/// The path is that of 10.0.0.2; of another address of the same network nothing follows, of one that a router may translate it may.
#[test]
fn a_ping_of_another_host_is_not_of_this_path() {
    let base = |target: &str| {
        let given = Given { rate: Some(100e6), rtt: None };
        let found = told(&[("ss.txt", &screen(50.0, 260.0, BUSY)), ("ping.txt", &pings(target, 5.0))], given);
        let top = found.top().unwrap().clone();
        assert_eq!(top.rule, "bufferbloat");
        top.figures[0].value.clone()
    };
    assert_eq!(base("10.0.0.3"), "50.0 ms");
    assert_eq!(base("10.0.0.2"), "5.00 ms");
    assert_eq!(base("192.0.2.7"), "5.00 ms");
}

/// The kernel's default is 4 MiB. A smaller buffer was set by somebody, and the `ss` output does not say by whom.
#[test]
fn a_send_buffer_that_a_program_set_is_no_sysctls() {
    let limited = |size: u32, settings: &str| {
        let more =
            format!("skmem:(r0,rb131072,t0,tb{size},f0,w0,o0,bl0,d0) busy:20050ms sndbuf_limited:16040ms(80.0%)");
        let found = told(&[("ss.txt", &screen(50.0, 51.0, &more)), ("sysctl.txt", settings)], Given::default());
        let top = found.top().unwrap().clone();
        assert_eq!(top.rule, "send-buffer");
        top.remedies.iter().any(|remedy| matches!(remedy.change, Change::Autotuning { .. }))
    };
    assert!(!limited(425_984, ""), "twice wmem_max: SO_SNDBUF");
    assert!(limited(4_194_304, ""));
    assert!(!limited(425_984, "net.ipv4.tcp_wmem = 4096 16384 4194304\n"));
    assert!(limited(425_984, "net.ipv4.tcp_wmem = 4096 16384 425984\n"));
}

/// A route for the one destination only; everything else keeps its MTU.
#[test]
fn a_black_hole_changes_the_route_of_its_destination_alone() {
    let both = pings_of(1472, 0) + &pings_of(1372, 4);
    let found = told(&[("ping.txt", &both)], Given::default());
    assert_eq!(found.top().map(|top| top.rule), Some("mtu-black-hole"));
    let commands = commands(&found);
    assert!(commands.contains("ip -4 route show exact 10.0.0.2/32"), "{commands}");
    assert!(!commands.contains("default"), "{commands}");
}

#[test]
fn nobody_is_asked_for_what_was_given() {
    let both = pings_of(1472, 4) + &pings_of(1200, 4);
    let listing = "[ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n\
                   [  5]   0.00-1.00   sec   107 KBytes   876 Kbits/sec    2   1.41 KBytes\n\
                   [  5]   1.00-2.00   sec  0.00 Bytes  0.00 bits/sec    1   1.41 KBytes\n\
                   [  5]   2.00-3.00   sec  0.00 Bytes  0.00 bits/sec    0   1.41 KBytes\n\
                   [  5]   3.00-4.00   sec  0.00 Bytes  0.00 bits/sec    1   1.41 KBytes\n\
                   [  5]   4.00-5.00   sec  0.00 Bytes  0.00 bits/sec    0   1.41 KBytes\n";
    let asks = |files: &[(&str, &str)]| {
        let found = told(files, Given::default());
        let top = found.top().unwrap().clone();
        assert_eq!(top.rule, "mtu-black-hole");
        top.ask.iter().any(|ask| ask.starts_with("ping -M do"))
    };
    assert!(asks(&[("iperf3.txt", listing)]));
    assert!(!asks(&[("iperf3.txt", listing), ("ping.txt", &both)]));
}

/// A whole listing for each segment size; 214 and 0.15 MB/s are from `test-mtu` (docs/examples.md).
#[test]
fn runs_over_segment_sizes_are_a_sweep() {
    let run = |mss: u32, rate: &str| {
        format!(
            "$ iperf3 -c 10.0.0.2 -M {mss} -t 1\nConnecting to host 10.0.0.2, port 5201\n\
             [ ID] Interval           Transfer     Bitrate         Retr\n\
             [  5]   0.00-1.00   sec  1.00 MBytes  {rate}    0             sender\n\
             [  5]   0.00-1.00   sec  1.00 MBytes  {rate}                  receiver\n\niperf Done.\n"
        )
    };
    let [fast, slow] = ["1712 Mbits/sec", "1.20 Mbits/sec"];
    let of = |sizes: &[(u32, &str)]| {
        let text: String = sizes.iter().map(|(mss, rate)| run(*mss, rate)).collect();
        told(&[("runs.txt", &text)], Given::default())
    };
    let all = [(2200, fast), (2260, fast), (2300, slow), (2340, slow), (2400, fast), (2500, fast)];
    let found = of(&all);
    let top = found.top().unwrap();
    assert_eq!((top.rule, top.confidence), ("packet-length", Confidence::High));
    assert!(top.says.contains("Segments of 2300 to 2340 bytes"), "{}", top.says);
    assert!(of(&all[1..4]).findings.iter().all(|finding| finding.rule != "packet-length"), "three are no sweep");
}

const OFFLOADS: &str = "Features for eth1:\ntcp-segmentation-offload: on\nlarge-receive-offload: on\n";

fn link(master: &str) -> String {
    format!(
        "3: eth1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq {master}state UP mode DEFAULT group default qlen 1000\n    \
         link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff promiscuity 1\n4: br0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 \
         qdisc noqueue state UP mode DEFAULT group default qlen 1000\n    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff \
         promiscuity 0\n    bridge forward_delay 1500 hello_time 200\n"
    )
}

#[test]
fn a_bridge_and_its_offloads_may_be_told_in_two_files() {
    let of = |master: &str| told(&[("ethtool.txt", OFFLOADS), ("link.txt", &link(master))], Given::default());
    let found = of("master br0 ");
    let lro = found.findings.iter().find(|finding| finding.rule == "offload-forwarding").unwrap();
    assert_eq!((lro.severity, lro.confidence), (Severity::Note, Confidence::Medium));
    assert!(
        lro.caveats
            .iter()
            .any(|doubt| doubt.contains("goodput assumes that ethtool.txt and link.txt come from one host"))
    );
    assert!(of("").findings.iter().all(|finding| finding.rule != "offload-forwarding"), "no member of the bridge");
}

#[test]
fn a_failed_run_has_a_next_step() {
    let refused = "iperf3: error - unable to connect to server: Connection refused\n";
    let silent = pings_of(56, 0);
    for (text, words) in [(refused, "nothing listens there"), (&*silent, "none of 4 pings was answered")] {
        let page = page(&told(&[("x", text)], Given::default())).replace("\n  ", " ");
        assert!(page.starts_with("Failed: x:") && page.contains(words) && page.contains("\nNext: "), "{page}");
    }
    // Other traffic got through, so unanswered pings are filtered.
    let beside = told(&[("ss.txt", &screen(50.0, 260.0, BUSY)), ("ping.txt", &silent)], Given::default());
    assert_eq!(beside.failed, []);
}

#[test]
fn files_that_nobody_can_read_are_named() {
    let ss = screen(50.0, 260.0, BUSY);
    let page = page(&told(&[("ss.txt", &ss), ("notes.txt", "some words\n")], Given::default()));
    assert!(page.contains("Nothing recognized in: notes.txt\n"), "{page}");
}

/// A run's command and one row for each second; `more` follows each rate.
fn run(command: &str, rates: &[f64], more: &str) -> String {
    let rows: String = rates.iter().enumerate().fold(String::new(), |mut text, (second, rate)| {
        let end = second + 1;
        let _ = writeln!(text, "[  5]  {second}.00-{end}.00  sec  {:.1} MBytes  {rate} Mbits/sec  {more}", rate / 8.39);
        text
    });
    format!("$ {command}\nConnecting to host 10.0.0.2, port 5201\n[ ID] Interval  Transfer  Bitrate\n{rows}\n")
}

/// 1000 Mbit/s less 90 of 1538 bytes of each packet is 941 Mbit/s.
#[test]
fn a_rate_that_an_ethernet_carries_is_told_as_such() {
    let of = |rate: f64| page(&told(&[("x", &run("iperf3 -c 10.0.0.2", &[rate; 10], ""))], Given::default()));
    assert!(of(941.0).starts_with("941 Mbit/s is what Ethernet at 1.00 Gbit/s carries."), "{}", of(941.0));
    assert!(!of(941.0).contains("No cause found"));
    assert!(of(900.0).starts_with("Is 900 Mbit/s slow?"));
}

#[test]
fn the_slow_one_of_two_runs_is_what_is_asked_about() {
    let both = run("iperf3 -c 10.0.0.2", &[130.0; 5], "") + &run("iperf3 -c 10.0.0.3", &[861.0; 10], "");
    let page = page(&told(&[("x", &both)], Given { rate: Some(1e9), rtt: None })).replace('\n', " ");
    assert!(
        page.starts_with("Slow: 130 Mbit/s is 13.0 % of the 1.00 Gbit/s link. Another run gets 861 Mbit/s (x:10)."),
        "{page}"
    );
}

#[test]
fn a_rate_that_the_program_was_told_is_its_own() {
    for option in ["-b", "--fq-rate"] {
        let text = run(&format!("iperf3 -c 10.0.0.2 {option} 8M"), &[8.0; 10], "0  122 KBytes");
        let found = told(&[("x", &text)], Given::default());
        assert_eq!(found.top().map(|top| top.rule), Some("application-limited"), "{option}");
    }
}

/// 370 of 1000 are 37 %.
#[test]
fn datagrams_that_are_lost_are_counted() {
    let row = |lost: u32| {
        format!(
            "$ iperf3 -c 10.0.0.2 -u -b 100M -t 1\nConnecting to host 10.0.0.2, port 5201\n\
             [ ID] Interval           Transfer     Bitrate         Jitter    Lost/Total Datagrams\n\
             [  5]   0.00-1.00   sec  11.9 MBytes  63.0 Mbits/sec  0.103 ms  {lost}/1000 (37%)  receiver\n"
        )
    };
    let of = |lost: u32| page(&told(&[("x", &row(lost))], Given { rate: Some(1e9), rtt: None })).replace('\n', " ");
    assert!(of(370).contains("Seen: 370 of 1,000 datagrams of UDP are lost (37.0 %, x:1)."), "{}", of(370));
    assert!(!of(370).contains("--rate"), "the rate is given: {}", of(370));
    assert!(!of(0).contains("datagrams of UDP are lost"));
}

/// 8 KiB asked for, 2.28 MiB a second at 5 ms: 12.0 kB in flight, between 8.2 kB and the double.
#[test]
fn buffers_that_iperf_2_asked_for_bind() {
    let text = |window: &str| {
        let rows: String = (0..5).fold(String::new(), |mut text, second| {
            let _ = writeln!(text, "[  3]  {second}.0- {}.0 sec  2.28 MBytes  19.1 Mbits/sec", second + 1);
            text
        });
        format!("$ iperf -c 10.0.0.2 -i 1{window}\n[ ID] Interval       Transfer     Bandwidth\n{rows}")
    };
    let of = |window: &str, ms: f64| told(&[("x", &text(window))], Given { rate: Some(1e9), rtt: Some(ms / 1e3) });
    let found = of(" -w 8KB", 5.0);
    let top = found.top().unwrap();
    assert_eq!((top.rule, top.confidence), ("window-or-buffer", Confidence::Medium));
    assert!(top.says.contains("12.0 kB in flight (19.1 Mbit/s × 5.00 ms), and 8.19 kB were asked for"), "{}", top.says);
    assert_eq!(of("", 5.0).top(), None);
    assert_eq!(of(" -w 8KB", 50.0).top(), None, "119 kB are not held by 8");
}

/// A program that has nothing to send, and one that waits for a window to open.
fn blocked(details: &str, send_queue: u32) -> String {
    format!(
        "ESTAB 0 {send_queue} 10.0.0.1:5000 10.0.0.2:80\n\t cubic wscale:7,7 rto:220 rtt:20/4 mss:1448 cwnd:64 \
         bytes_acked:900000 segs_out:660 data_segs_out:650 delivered:650 busy:30000ms {details} minrtt:19\n"
    )
}

/// iperf3 -R after its run: the server's data connection has no more to send, and its control connection received more
/// than it sent.
#[test]
fn a_control_connection_is_not_what_is_diagnosed() {
    let text = "ESTAB 0 0 10.0.0.1:5201 10.0.0.2:40002\n\t cubic wscale:7,7 rto:204 rtt:30/1 mss:1448 cwnd:400 \
        bytes_sent:608000000 bytes_acked:608000000 bytes_received:37 segs_out:420000 segs_in:200000 data_segs_out:420000 \
        data_segs_in:1 lastsnd:900 lastrcv:11000 lastack:870 delivered:420000 app_limited busy:10000ms minrtt:29.9\n\
        ESTAB 0 0 10.0.0.1:5201 10.0.0.2:40000\n\t cubic wscale:7,7 rto:204 rtt:30/1 mss:1448 cwnd:10 bytes_sent:5 \
        bytes_acked:5 bytes_received:400 segs_out:9 segs_in:10 data_segs_out:5 data_segs_in:6 lastsnd:900 lastrcv:10 \
        lastack:870 delivered:5 minrtt:29.9\n";
    let found = told(&[("ss.txt", text)], Given::default());
    assert!(found.findings.is_empty() && found.speed.is_none());
    assert!(page(&found).contains("nothing waits to be sent (app_limited"), "{}", page(&found));
}

/// A connection that is idle at the moment is neither slow nor limited.
#[test]
fn an_idle_connection_is_not_called_slow() {
    let given = Given { rate: Some(1e9), rtt: None };
    let idle = told(&[("ss.txt", &blocked("app_limited retrans:0/3", 0))], given);
    assert!(idle.findings.is_empty() && idle.speed.is_none());
    assert!(page(&idle).contains("nothing waits to be sent (app_limited"), "{}", page(&idle));
    let beside = screen(50.0, 260.0, BUSY) + &blocked("app_limited retrans:0/3", 0).replace("10.0.0.2", "10.0.0.9");
    let found = told(&[("ss.txt", &beside)], given);
    assert_eq!(found.findings[0].rule, told(&[("ss.txt", &screen(50.0, 260.0, BUSY))], given).findings[0].rule);
    assert!(found.findings.iter().flat_map(|finding| &finding.about).all(|about| about.others.is_empty()));
}

/// A closed window is probed (RFC 9293, 3.8.6.1); 240 kbit/s at 20 ms are 600 bytes in flight on the mean. No larger buffer helps.
#[test]
fn a_window_that_nobody_opens_is_a_readers() {
    let limited = "rwnd_limited:29900ms(99.7%)";
    let found = |details: &str| told(&[("ss.txt", &blocked(details, 500_000))], Given::default());
    for details in ["timer:(persist,52sec,0)", "backoff:5 notsent:500000", ""] {
        let found = found(&format!("{limited} {details}"));
        let top = found.top().unwrap();
        assert_eq!((top.rule, top.confidence), ("receiver-not-reading", Confidence::High), "{details}");
        assert!(commands(&found).is_empty());
    }
    // 8 Mbit/s leave a window of 20 kB.
    let some = blocked(limited, 500_000).replace("bytes_acked:900000", "bytes_acked:30000000");
    assert_eq!(told(&[("ss.txt", &some)], Given::default()).top().map(|top| top.rule), Some("receiver-window"));
}

/// A single window of 1.2 MB would give each connection a different rate.
#[test]
fn the_same_rate_over_any_round_trip_time_is_no_windows() {
    let of = |rtts: [u32; 3]| {
        let flow = |(n, rtt): (usize, u32)| {
            blocked("rwnd_limited:29900ms(99.7%) unacked:50", 500_000)
                .replace(":5000", &format!(":500{n}"))
                .replace("rtt:20/4", &format!("rtt:{rtt}/1"))
                .replace("bytes_acked:900000", "bytes_acked:300000000")
        };
        let text: String = rtts.into_iter().enumerate().map(flow).collect();
        told(&[("ss.txt", &text)], Given::default()).top().map(|top| top.rule)
    };
    assert_eq!(of([20, 21, 22]), Some("receiver-window"));
    assert_ne!(of([20, 40, 90]), Some("receiver-window"));
}

/// Intervals of a second, and the times of both ends in the end.
fn whole(mbit: f64, cwnd: &str, apart: f64) -> String {
    let line = |second: u32| {
        let end = second + 1;
        format!("[  5] {second}.00-{end}.00 sec  11.2 MBytes  {mbit} Mbits/sec    0   {cwnd}\n")
    };
    let total = format!("10.00 sec  112 MBytes  {mbit} Mbits/sec    0             sender\n");
    format!(
        "[ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n{}- - - -\n[ ID] Interval Transfer Bitrate Retr\n[  5] \
         0.00-{total}[  5] 0.00-{:.2} sec  112 MBytes  {mbit} Mbits/sec                  receiver\n",
        (0..10).map(line).collect::<String>(),
        10.0 + apart
    )
}

/// 100 Mbit/s Ethernet carries 94.1 Mbit/s of TCP payload with timestamps.
#[test]
fn a_port_of_a_slower_ethernet_is_named() {
    let given = |rate: f64| Given { rate: Some(rate), rtt: None };
    let rule = |mbit: f64, rate: f64| {
        let found = told(&[("iperf3.txt", &whole(mbit, "230 KBytes", 0.01))], given(rate));
        found.top().map(|top| (top.rule, top.confidence))
    };
    assert_eq!(rule(94.1, 1e9), Some(("rate-cap", Confidence::Medium)));
    assert_eq!(rule(94.1, 100e6), None);
    assert_ne!(rule(80.0, 1e9).map(|(rule, _)| rule), Some("rate-cap"));
}

/// 1.75 MB at 91.7 Mbit/s go round in 160 ms, and by so much longer the receiver ran.
#[test]
fn a_queue_that_the_end_of_a_run_waits_in_is_no_window() {
    let given = Given { rate: Some(1e9), rtt: None };
    let found = |ping: f64, apart: f64| {
        let listing = whole(91.7, "1.75 MBytes", apart);
        let files = [("iperf3.txt", listing.as_str()), ("ping.txt", &pings("10.0.0.2", ping))];
        told(&files, given).top().map(|top| (top.rule, top.confidence))
    };
    assert_eq!(found(3.0, 0.15), None);
    assert_eq!(found(140.0, 0.15), Some(("window-or-buffer", Confidence::Low)));
    let alone = told(&[("iperf3.txt", &whole(91.7, "1.75 MBytes", 0.15))], given);
    assert!(alone.top().is_none(), "a path of 160 ms, or a queue");
    assert!(alone.findings.iter().any(|finding| finding.ask.iter().any(|ask| ask.starts_with("ping -c 10"))));
}

/// A run with a target rate: another listing shows the same rate in every second.
#[test]
fn a_rate_that_was_asked_for_is_no_policers() {
    let policed = "[ ID] Interval Transfer Bitrate Retr Cwnd\n".to_owned()
        + &(0..15).fold(String::new(), |mut text, second| {
            let cwnd = [40.2, 50.3, 64.1][second % 3];
            let _ =
                writeln!(text, "[  5] {second}.00-{}.00 sec 6.50 MBytes 54.5 Mbits/sec 50 {cwnd} KBytes", second + 1);
            text
        });
    let given = Given { rate: Some(102e6), rtt: None };
    let idle = pings("10.0.0.2", 6.5);
    let found = |more: &[(&str, &str)]| {
        let files = [&[("iperf3.txt", policed.as_str()), ("ping.txt", idle.as_str())], more].concat();
        told(&files, given).findings.iter().any(|finding| finding.rule == "policer")
    };
    assert!(found(&[]));
    let asked = "# iperf3 -c 10.0.0.2 -b 54.6M\n[ ID] Interval Transfer Bitrate Retr\n[  5] 0.00-15.00 sec 97.6 MBytes 54.6 \
                 Mbits/sec 696 sender\n[  5] 0.00-15.01 sec 97.5 MBytes 54.5 Mbits/sec receiver\n";
    assert!(!found(&[("asked.txt", asked)]));
}
