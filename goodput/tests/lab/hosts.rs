//! Settings of hosts, and their effect on flows.

mod profiles;

use crate::support::{Recorded, close, plan, record, try_record};
use analysis::{Caveat, Measures, TrialMeasures};
use base::folder::Folder;
use base::units::Subject;
use evidence::platform::Version;
use plan::network::What;

const SECOND: u64 = 1_000_000_000;

#[test]
fn an_initial_window_is_sent_at_once() {
    let received = |window: &str| {
        let run = record(&format!(
            r#"
            title = "initial window"
            path = {{ rate = "1 Gbit/s", rtt = "100 ms", buffer = "1000 packets" }}
            hosts = {{ sender = {{ {window} }} }}
            flows = [{{ duration = "400 ms" }}]
            "#
        ));
        // The handshake takes 100 ms; the first data arrives at 150 ms, the next window at 250 ms.
        let first = run.series.flows[0].received.iter().rfind(|(time, _)| *time < 240_000_000).unwrap();
        first.1 / 1448
    };
    assert_eq!(received(""), 10);
    assert_eq!(received("initial-cwnd = \"40 packets\""), 40);
}

#[test]
fn a_route_chooses_the_congestion_control() {
    let run = record(
        r#"
        title = "by route"
        path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "20 packets" }
        hosts = { sender = { route-congestion = "reno" } }
        flows = [{ duration = "5 s" }]
        record = { acks = true }
        "#,
    );
    // Reno halves (RFC 5681), CUBIC does not.
    let [cwnd, ssthresh] = run.columns(plan::recording::ACKS, ["cwnd", "ssthresh"]);
    let set = ssthresh.windows(2).position(|pair| pair[0] != pair[1] && pair[1] < 1_000_000).expect("a loss");
    let factor = ssthresh[set + 1] as f64 / cwnd[set] as f64;
    assert!((0.4..=0.55).contains(&factor), "cwnd {} to ssthresh {}", cwnd[set], ssthresh[set + 1]);
}

/// The FreeBSD CUBIC patch: the receiver drops 1 in 100 in its input hook. The hook sees merged packets, so a merged
/// packet is lost as a whole, and losses are fewer: facts.md, section 2.
#[test]
fn losses_behind_gro_hit_merged_packets() {
    let run = |offloads: &str| {
        record(&format!(
            r#"
            title = "loss in the input hook"
            path = {{ rate = "1 Gbit/s", rtt = "600 us", buffer = "200 packets" }}
            hosts = {{ receiver = {{ {offloads} input-loss = {{ every = 100 }} }} }}
            flows = [{{ duration = "3 s", congestion = "reno" }}]
            "#
        ))
    };
    let plain = run("");
    let merged = run("offloads = [\"gro\"], coalesce = \"200 us\",");
    let goodput = |run: &crate::support::Recorded| run.goodput(SECOND, 3 * SECOND);
    assert!(goodput(&merged) > 1.5 * goodput(&plain), "{} with GRO, {} without", goodput(&merged), goodput(&plain));
    // Without GRO each packet of the connection meets the hook.
    let [segments, retransmitted] = plain.last(["data_segs_out", "total_retrans"]);
    close(retransmitted as f64, segments as f64 / 100.0, 0.1, "retransmissions");
}

#[test]
fn recovery_can_be_switched_off_piece_by_piece() {
    let run = |hosts: &str| {
        record(&format!(
            r#"
            title = "recovery"
            path = {{ rate = "10 Mbit/s", rtt = "50 ms", buffer = "1 BDP", loss = {{ packets = [60, 61, 62, 64, 66, 68, 70] }} }}
            hosts = {{ {hosts} }}
            flows = [{{ bytes = "1 MB" }}]
            "#
        ))
    };
    let [options] = run("").last(["options"]);
    assert_eq!(options & 2, 2, "SACK is negotiated");
    let without = run("sack = false");
    assert_eq!(without.last(["options"])[0] & 2, 0, "SACK is not");
    let ended = |run: &crate::support::Recorded| run.series.facts.ended[&0];
    assert!(ended(&without) > ended(&run("")) + 50_000_000, "seven holes take a round trip each without SACK");
    for (setting, name) in [("rack = false", "tcp_recovery"), ("tlp = false", "tcp_early_retrans")] {
        let run = run(setting);
        let read =
            run.series.facts.readbacks.iter().find(|r| r.place == "sender" && r.setting.ends_with(name)).unwrap();
        assert_eq!(read.got, "0", "{name}");
    }
}

/// The network loses the last two of 70 segments. A probe after two round trips and 2 ms recovers them (RFC 8985,
/// section 7), or else the timeout, SRTT + 230 ms after they were sent.
#[test]
fn a_lost_tail_waits_for_the_rto_on_freebsds_default_stack() {
    let run = |recovery: &str| {
        record(&format!(
            r#"
            title = "tail"
            path = {{ rate = "1 Gbit/s", rtt = "20 ms", buffer = "1 BDP", loss = {{ packets = [71, 72] }} }}
            hosts = {{ recovery = "{recovery}" }}
            flows = [{{ bytes = "100 kB" }}]
            "#
        ))
    };
    let [linux, default, rack] = ["linux", "freebsd-default", "freebsd-rack"].map(run);
    let timeouts = |run: &crate::support::Recorded| run.last(["total_rto", "total_retrans"]);
    assert_eq!(timeouts(&linux)[0], 0);
    assert_eq!(timeouts(&default), [1, 2]);
    assert_eq!(timeouts(&rack)[0], 0);
    let ended = |run: &crate::support::Recorded| run.series.facts.ended[&0] as f64;
    close(ended(&default) - ended(&rack), 208e6, 0.02, "the timeout less the probe");
    let [rto, srtt] = rack.last(["rto", "rtt"]);
    close(rto as f64, srtt as f64 + 230_000.0, 0.01, "RTO");
}

/// Linux 6.17 and later ignore bit 0 of tcp_recovery (Documentation/networking/ip-sysctl.rst).
#[test]
fn a_kernel_that_cannot_do_without_rack_is_a_caveat() {
    let doubted = |hosts: &str| {
        let text = format!(
            r#"
            title = "RACK or not"
            path = {{ rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }}
            hosts = {{ {hosts} }}
            flows = [{{ duration = "1 s" }}]
            "#
        );
        let run = record(&text);
        let measures = analysis::measure(&plan(&text), Measures::default(), |_| Folder::open(run.path())).unwrap();
        let rack = |caveat: &analysis::Caveat| matches!(caveat, analysis::Caveat::Rack { .. });
        (run.series.facts.release.parse::<Version>().unwrap(), measures.trials[0].caveats.iter().any(rack))
    };
    let (release, by_profile) = doubted("recovery = \"freebsd-default\"");
    let rack_alone = release >= "6.17".parse().unwrap();
    assert_eq!(by_profile, rack_alone, "{release}");
    assert_eq!(doubted("sender = { rack = false }").1, rack_alone, "{release}");
    assert!(!doubted("receiver = { rack = false }").1, "it sends no data");
    assert!(!doubted("recovery = \"freebsd-rack\"").1);
}

#[test]
fn every_qdisc_and_offload_carries_the_line_s_rate() {
    for host in [
        "qdisc = \"fq\"",
        "qdisc = \"fq_codel\"",
        "qdisc = \"pfifo_fast\"",
        "offloads = [\"tso\", \"gso\"]",
        "offloads = [\"gso\"]",
        "nic = \"unlimited\", qdisc = \"fq\"",
    ] {
        let run = record(&format!(
            r#"
            title = "host"
            path = {{ rate = "100 Mbit/s", rtt = "10 ms", buffer = "2 BDP" }}
            hosts = {{ sender = {{ {host} }} }}
            flows = [{{ duration = "4 s", congestion = "bbr" }}]
            "#
        ));
        close(run.goodput(2 * SECOND, 4 * SECOND), 100e6 * 1448.0 / 1538.0, 0.03, host);
        let largest = run.queue(0, 0).backlog.iter().zip(&run.queue(0, 0).packets).all(|(b, p)| *b <= p * 1514);
        assert!(largest, "{host}: a packet on the wire is larger than a frame");
    }
}

/// A trial's measures.
fn measured(text: &str, run: &Recorded) -> TrialMeasures {
    analysis::measure(&plan(text), Measures::default(), |_| Folder::open(run.path())).unwrap().trials.remove(0)
}

/// With a send buffer of 128 KiB over 20 ms the congestion window is never filled.
#[test]
fn a_full_send_buffer_is_the_limit_and_no_congestion_window() {
    let text = r#"
        title = "send buffer"
        path = { rate = "10 Gbit/s", rtt = "20 ms", buffer = "10000 packets" }
        hosts = { sender = { sysctl = { "net.ipv4.tcp_wmem" = "4096 16384 131072" } } }
        flows = [{ duration = "3 s" }]
        "#;
    let run = record(text);
    let trial = measured(text, &run);
    let share = |name: &str| trial.get(name, Subject::Flow, 0).unwrap();
    let names = ["limited-cwnd", "limited-rwnd", "limited-sndbuf", "limited-pacing", "limited-app", "limited-unknown"];
    let shares = names.map(share);
    close(shares.iter().sum(), 1.0, 0.01, "the shares together");
    assert!(shares[2] > 0.9 && shares[0] < 0.1, "{shares:?}");
    let [cwnd, unacked] = run.last(["snd_cwnd", "unacked"]);
    assert!(2 * unacked < cwnd, "{unacked} of {cwnd} packets");
}

#[test]
fn a_driver_stops_its_queue_and_drops_nothing() {
    let text = r#"
        title = "start"
        path = { rate = "10 Gbit/s", rtt = "10 ms", buffer = "100000 packets", loss = { every = 10000 } }
        flows = [{ duration = "400 ms", congestion = "reno", mss = "536 B" }]
        [hosts]
        nic = "10 Gbit/s"
        [hosts.sysctl]
        "net.ipv4.tcp_rmem" = "4096 131072 400000000"
        "net.ipv4.tcp_wmem" = "4096 16384 400000000"
        "#;
    let run = record(text);
    let nic = run.probe(0, 0, What::Nic);
    assert_eq!(*nic.drops.last().unwrap(), 0);
    assert!(*nic.sent_packets.last().unwrap() > 50_000);
    let trial = measured(text, &run);
    let lost = trial.get("loss-drops", Subject::Lane, 0).unwrap();
    let [again] = run.last(["total_retrans"]);
    assert!(lost > 0.0 && again as f64 <= lost + 2.0, "{lost} lost, {again} sent again");
    assert_eq!(trial.get("nic-drops", Subject::Lane, 0), Some(0.0));
}

/// Two segments take 24 ms at 1 Mbit/s, and TCP Small Queues let two sends of two wait: more than the 5 ms that CoDel allows
/// (RFC 8289, 4.2).
#[test]
fn drops_of_a_hosts_own_qdisc_are_counted_and_named() {
    let text = r#"
        title = "slow interface"
        path = { rate = "10 Mbit/s", rtt = "10 ms", buffer = "1000 packets" }
        hosts = { nic = "1 Mbit/s", qdisc = "fq_codel" }
        flows = [{ duration = "5 s" }]
        "#;
    let run = record(text);
    let dropped = *run.probe(0, 0, What::Nic).drops.last().unwrap();
    assert!(dropped > 0);
    let trial = measured(text, &run);
    assert_eq!(trial.get("nic-drops", Subject::Lane, 0), Some(dropped as f64));
    assert!(
        trial.caveats.contains(&Caveat::NicDrops { host: "sender".into(), packets: dropped }),
        "{:?}",
        trial.caveats
    );
}

/// A qdisc counts large sends as one packet each: the link splits them behind it.
#[test]
fn large_sends_are_not_dropped_in_pieces() {
    for qdisc in ["fq", "fq_codel", "pfifo_fast"] {
        let run = record(&format!(
            r#"
            title = "large"
            path = {{ rate = "10 Gbit/s", rtt = "2 ms", buffer = "100000 packets" }}
            hosts = {{ sender = {{ nic = "10 Gbit/s", qdisc = "{qdisc}", offloads = ["tso", "gso"] }} }}
            flows = [{{ duration = "200 ms" }}]
            "#
        ));
        let nic = run.probe(0, 0, What::Nic);
        assert_eq!(*nic.drops.last().unwrap(), 0, "{qdisc}");
    }
}

/// Linux allows one processor a backlog of 1000 packets between the ends of a veth pair.
#[test]
fn an_unlimited_interface_loses_nothing() {
    record(
        r#"
        title = "unlimited"
        path = { rate = "100 Gbit/s", rtt = "2 ms", buffer = "100000 packets" }
        flows = [{ duration = "40 ms" }]
        [hosts]
        nic = "unlimited"
        [hosts.sysctl]
        "net.ipv4.tcp_rmem" = "4096 131072 400000000"
        "net.ipv4.tcp_wmem" = "4096 16384 400000000"
        "#,
    );
}

/// The LRO jail: the bridge host itself is fast, hosts behind its bridge are slower by an order of magnitude at least.
#[test]
fn lro_under_a_bridge_makes_what_lies_behind_it_slow() {
    let run = |offloads: &str, to: &str| {
        record(&format!(
            r#"
            title = "lro"
            hosts = {{ remote = {{}}, jail = {{}} }}
            switches = {{ host = {{ {offloads} }} }}
            links = [
                {{ between = ["remote", "host"], rate = "1 Gbit/s", delay = "10 ms", buffer = "1 MB" }},
                {{ between = ["host", "jail"], rate = "10 Gbit/s", buffer = "1 MB" }},
            ]
            flows = [{{ from = "remote", to = "{to}", duration = "4 s" }}]
            record = {{ drops = true }}
            "#
        ))
    };
    let goodput = |run: &crate::support::Recorded| run.goodput(SECOND, 4 * SECOND);
    let lro = "offloads = [\"lro\"], coalesce = \"125 us\"";
    let [to_host, to_jail, cured] = [run(lro, "host"), run(lro, "jail"), run("", "jail")];
    assert!(goodput(&to_host) > 500e6, "the host itself gets {} bit/s", goodput(&to_host));
    assert!(goodput(&cured) > 500e6, "the jail gets {} bit/s without LRO", goodput(&cured));
    assert!(goodput(&to_jail) * 30.0 < goodput(&cured), "the jail gets {} bit/s with LRO", goodput(&to_jail));
    let [length] = to_jail.columns(plan::recording::DROPS, ["length"]);
    assert!(length.iter().any(|bytes| *bytes > 1514), "packets larger than a frame are dropped: {length:?}");
}

/// LRO acts at the port that it is written for: the one that data arrive at. A TSO fault behind GRO loses what GRO has
/// merged, and takes nothing from what is not merged or not sent on.
#[test]
fn a_port_has_offloads_of_its_own() {
    let run = |ports: &str, to: &str| {
        let run = record(&format!(
            r#"
            title = "ports"
            hosts = {{ remote = {{}}, jail = {{}} }}
            switches = {{ host = {{ ports = {{ {ports} }} }} }}
            links = [
                {{ between = ["remote", "host"], rate = "1 Gbit/s", delay = "10 ms", buffer = "1 MB" }},
                {{ between = ["host", "jail"], rate = "10 Gbit/s", buffer = "1 MB" }},
            ]
            flows = [{{ from = "remote", to = "{to}", duration = "4 s" }}]
            record = {{ drops = true }}
            "#
        ));
        let [lengths] = run.columns(plan::recording::DROPS, ["length"]);
        (run.goodput(SECOND, 4 * SECOND), lengths)
    };
    let merging = |word: &str| format!("remote = {{ offloads = [\"{word}\"], coalesce = \"125 us\" }}");
    let fault = "jail = { offloads = [\"tso-fault\"] }";
    let both = format!("{}, {fault}", merging("gro"));
    for ports in [merging("gro"), fault.to_owned(), "jail = { offloads = [\"lro\"], coalesce = \"125 us\" }".into()] {
        let (goodput, _) = run(&ports, "jail");
        assert!(goodput > 500e6, "{ports}: {goodput} bit/s");
    }
    for ports in [merging("lro"), both.clone()] {
        let (goodput, lengths) = run(&ports, "jail");
        assert!(goodput < 20e6, "{ports}: {goodput} bit/s");
        assert!(
            lengths.iter().any(|bytes| *bytes > 1514),
            "{ports}: packets larger than a frame are dropped: {lengths:?}"
        );
        assert!(run(&ports, "host").0 > 500e6, "{ports}: what is not sent on is unharmed");
    }
}

/// 5 MB at line rate, then 10 Mbit/s of frames, and nothing lost: TCP Small Queues hold the sender back. Natively (Linux
/// 6.18, tbf rate 10mbit burst 5000000 latency 25ms): 12.57 MB of frames in 6.02 s, no drop, none sent again.
#[test]
fn a_bucket_at_the_senders_interface_lets_its_burst_pass_and_loses_nothing() {
    for hosts in ["", "qdisc = \"fq\", offloads = [\"tso\"],"] {
        let run = record(&format!(
            r#"
            title = "bucket"
            path = {{ rate = "1 Gbit/s", rtt = "10 ms", buffer = "10 MB" }}
            hosts = {{ sender = {{ {hosts} shape = {{ rate = "10 Mbit/s", burst = "5 MB", latency = "25 ms" }} }} }}
            flows = [{{ duration = "6 s" }}]
            "#
        ));
        let payload = 1448.0 / 1514.0;
        let [acked] = run.last(["bytes_acked"]);
        close(acked as f64, payload * (5e6 + 7.5e6), 0.01, "bytes of the burst and of 6 s");
        close(run.goodput(3 * SECOND, 6 * SECOND), payload * 10e6, 0.01, "goodput after it");
        let first = run.goodput(SECOND / 20, SECOND);
        assert!(first > payload * 40e6 && first < payload * 60e6, "{first} bit/s in the first second");
        assert_eq!(run.last(["total_retrans"]), [0]);
        assert_eq!(run.probe(0, 0, What::Nic).drops.last(), Some(&0));
    }
}

#[test]
fn commands_run_at_their_time_and_their_output_is_kept() {
    let run = record(
        r#"
        title = "commands"
        path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "20 packets" }
        flows = [{ duration = "3 s" }]
        [hosts.sender]
        run = ["echo one; echo two >&2", { at = "2 s", command = "ss --tcp --info --no-header" }]
        [hosts.receiver]
        run = [{ command = "sleep 1000", background = true }]
        "#,
    );
    let ran = &run.series.facts.ran;
    assert_eq!(ran.len(), 3);
    let of = |command: u32| ran.iter().find(|ran| ran.command == command).unwrap();
    assert_eq!((of(0).status, of(0).output.as_str(), of(0).time / 1_000_000), (Some(0), "one\ntwo\n", 0));
    assert!(of(1).output.contains("cwnd:") && of(1).time / 1_000_000 == 2000, "{:?}", of(1));
    assert_eq!(of(2).status, None, "ended with the trial");
}

#[test]
fn a_command_that_fails_fails_the_trial_and_is_quoted() {
    let error = try_record(
        r#"
        title = "false"
        path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "20 packets" }
        flows = [{ duration = "1 s" }]
        [hosts.sender]
        run = ["echo no such thing; exit 7"]
        "#,
    );
    let text = error.err().expect("the command fails").to_string();
    assert!(text.contains("sender: command \"echo no such thing; exit 7\" ended with status 7"), "{text}");
    assert!(text.contains("no such thing"), "{text}");
}

/// In perl: the clock, ns, by clock_gettime(2), which is call 228 of x86-64.
const CLOCK: &str =
    "sub now { my $t = pack q(q2), 0, 0; syscall 228, 1, $t; my ($s, $ns) = unpack q(q2), $t; $s * 1e9 + $ns }";

/// Numbers that commands of the sender print during a transfer of 4 s.
fn printed(commands: [&str; 2]) -> (Vec<Vec<f64>>, Recorded) {
    let run = record(&format!(
        r#"
        title = "programs that do not sleep"
        path = {{ rate = "10 Mbit/s", rtt = "20 ms", buffer = "20 packets" }}
        flows = [{{ duration = "4 s" }}]
        [hosts.sender]
        run = [{:?}, {{ at = "2 s", command = {:?} }}]
        "#,
        commands[0], commands[1]
    ));
    let mut ran: Vec<_> = run.series.facts.ran.iter().collect();
    ran.sort_by_key(|ran| ran.command);
    assert!(ran.len() == 2 && ran.iter().all(|ran| ran.status == Some(0)), "{ran:?}");
    let numbers = |text: &str| text.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    (ran.iter().map(|ran| numbers(&ran.output)).collect(), run)
}

/// iperf3 that waits for its peer does nothing but ask for the time and call select() with a timeout of zero. At 256 ns for
/// each pair of calls, 3 s would take 23 million of them.
#[test]
fn a_polling_program_ends_and_time_passes_evenly() {
    let poll = format!(
        "perl -e '{CLOCK} my ($n, $most) = (0, 0); my $start = my $last = now(); while ($last < $start + 3e9) {{ \
         select undef, undef, undef, 0; my $t = now(); my $share = ($t - $last) / ($t - $start); \
         $most = $share if $t > $start + 1e7 && $share > $most; $last = $t; $n++ }} print qq($n $most ), $last - $start'"
    );
    let (printed, run) = printed([&poll, "date +%s.%N; sleep 1; date +%s.%N"]);
    let [rounds, step, waited] = printed[0][..] else { panic!("{printed:?}") };
    // 5000 rounds of 256 ns; then each call sleeps, the longer the more time has passed, at most 100 us.
    let (mut calls, mut time): (f64, f64) = (0.0, 0.0);
    while time < 3e9 {
        let sleeps = if calls < 10_000.0 { 0.0 } else { (time / 1000.0).clamp(256.0, 100_000.0) };
        time += 128.0 + sleeps;
        calls += 1.0;
    }
    close(rounds, calls / 2.0, 0.02, "rounds");
    assert!(calls < 60_000.0 && waited < 3.0003e9, "{calls} calls, {waited} ns");
    assert!(step < 0.003, "time leaps by {step} of what has passed");
    let [before, after] = printed[1][..] else { panic!("{printed:?}") };
    close(after - before, 1.0, 0.001, "the sleep of another program");
    // The programs do not slow the flow: 1448 of each 1538 bytes on the link are payload.
    close(run.goodput(SECOND, 4 * SECOND), 10e6 * 1448.0 / 1538.0, 0.01, "goodput beside it");
}

/// Copies block after block as dd does, without and with reading the time after each block.
#[test]
fn a_program_at_work_takes_no_more_time_than_it_asks_for() {
    let copy = |asks: &str| {
        format!(
            "perl -e '{CLOCK} open my $in, q(<), q(/dev/zero); open my $out, q(>), q(/dev/null); my $start = now(); \
             for (1 .. 12000) {{ sysread $in, my $block, 1; syswrite $out, $block; {asks} }} print now() - $start'"
        )
    };
    let (printed, _) = printed([&copy(""), &copy("now()")]);
    assert_eq!(printed[0], [256.0]);
    // The kernel reads the clock as well, once in a tick of 1 ms.
    close(printed[1][0], 12_001.0 * 256.0, 0.001, "the time that it asked for");
}
