//! A link against its arithmetic, and against the closest that any Linux offers: token bucket and netem.

use crate::support::{Recorded, agent, kernel, opened, plan, record};
use lab::engine::{Engine, uml::Uml};
use plan::network::Dialect;

/// Bytes on the wire in addition to a ping's payload: ICMP 8, IP 20, Ethernet 14, framing 24.
const PING: u64 = 66;
const TSO: &str = "[\"tso\", \"gso\"]";

/// Ten single pings of 1,400 B over a link.
fn pings(path: &str) -> String {
    format!(
        r#"
        title = "a lone packet"
        path  = {{ {path}, buffer = "100 packets" }}
        hosts = {{ nic = "unlimited" }}
        flows = [{{ kind = "ping", interval = "3 s", size = "1400 B", requests = 10 }}]
        "#
    )
}

fn times(run: &Recorded) -> Vec<u64> {
    let times: Vec<u64> = run.exchanges(0).into_iter().map(|(start, end)| end - start).collect();
    assert_eq!(times.len(), 10);
    times
}

fn with_tc(spec: &str) -> Recorded {
    let trial = plan(spec).trials.remove(0);
    let folder = tempfile::tempdir().expect("a folder for the recording");
    let engine = Uml::new(vec![(trial.kernel.clone(), kernel())], agent())
        .with_program(env!("CARGO_BIN_EXE_goodput"))
        .with_dialect(Dialect::Linux);
    engine.record(&trial, &opened(&folder)).unwrap_or_else(|error| panic!("{error}"));
    let series = analysis::series(&trial.scene, &opened(&folder)).expect("a recording");
    Recorded { folder, scene: trial.scene, series }
}

/// A ping takes its serialization in both directions and the RTT, to a microsecond.
#[test]
fn a_lone_packet_takes_its_bytes_and_the_delay() {
    for (rate, bits) in [
        ("100 kbit/s", 100_000),
        ("1 Mbit/s", 1_000_000),
        ("7 Mbit/s", 7_000_000),
        ("100 Mbit/s", 100_000_000),
        ("1 Gbit/s", 1_000_000_000),
        ("10 Gbit/s", 10_000_000_000_u64),
    ] {
        let expected = 2 * 8 * (1400 + PING) * 1_000_000_000 / bits + 20_000_000;
        for took in times(&record(&pings(&format!("rate = \"{rate}\", rtt = \"20 ms\"")))) {
            assert!(took.abs_diff(expected) <= 1000, "at {rate} {took} ns, expected {expected}");
        }
    }
}

/// No unit of tc's bounds a delay.
#[test]
fn a_delay_has_a_nanosecond_and_no_bound_that_matters() {
    for (rtt, ns) in [("2 ns", 2_u64), ("333 ns", 333), ("1234567 ns", 1_234_567), ("600 s", 600_000_000_000)] {
        let run = record(&pings(&format!("rate = \"10 Gbit/s\", rtt = \"{rtt}\"")));
        let expected = 2 * 8 * (1400 + PING) / 10 + ns;
        for took in times(&run) {
            assert!(took.abs_diff(expected) <= 1000, "over {rtt} {took} ns, expected {expected}");
        }
    }
}

/// A token bucket lets a packet pass that finds it full: that is all the difference.
#[test]
fn tc_s_line_lacks_the_serialization_of_a_lone_packet() {
    for (rate, bits) in [("100 kbit/s", 100_000_u64), ("10 Mbit/s", 10_000_000)] {
        let spec = pings(&format!("rate = \"{rate}\", rtt = \"20 ms\""));
        let serialization = 2 * 8 * (1400 + PING) * 1_000_000_000 / bits;
        for (ours, tc) in times(&record(&spec)).into_iter().zip(times(&with_tc(&spec))) {
            // tc rounds delays to 64 ns each.
            assert!(ours.abs_diff(tc + serialization) <= 1000, "at {rate} {ours} ns, by tc {tc} ns");
        }
    }
}

/// Datagrams at twice the rate: queue and link hold as much as tc's, except for the packet being sent, which tc's token
/// bucket releases at once.
#[test]
fn a_full_queue_drops_what_tc_s_drops() {
    for queue in
        ["\"drop-tail\"", "\"codel\"", "\"fq_codel\"", "{ discipline = \"red\", min = \"5 kB\", max = \"15 kB\" }"]
    {
        let spec = format!(
            r#"
            title = "full"
            path  = {{ rate = "10 Mbit/s", rtt = "20 ms", buffer = "50 packets", queue = {queue} }}
            flows = [{{ kind = "udp", rate = "20 Mbit/s", size = "1000 B", duration = "4 s" }}]
            "#
        );
        let counts = |run: &Recorded| {
            let counted = &run.series.facts.datagrams[&0];
            (counted.sent, counted.received, *run.queue(0, 0).packets.iter().max().unwrap())
        };
        let (ours, tc) = (counts(&record(&spec)), counts(&with_tc(&spec)));
        assert_eq!(ours.0, tc.0);
        assert!(ours.1.abs_diff(tc.1) <= tc.1 / 200, "{queue}: {ours:?}, by tc {tc:?}");
    }
}

/// TCP Small Queues does not see a stage that delays packets, nor the link behind it.
#[test]
fn tcp_gets_over_a_line_what_it_gets_over_tc_s() {
    const SHAPE: &str = "shape = { rate = \"20 Mbit/s\", burst = \"20 kB\", buffer = \"60 packets\" }";
    for (stage, nic, congestion, share) in [
        ("", "1 Gbit/s", "cubic", 0.005),
        ("aggregate = { every = \"4 ms\" }", "1 Gbit/s", "bbr", 0.02),
        ("aggregate = { every = \"4 ms\" }", "unlimited", "bbr", 0.02),
        (SHAPE, "unlimited", "cubic", 0.02),
    ] {
        let spec = format!(
            r#"
            title = "tcp"
            path  = {{ rate = "50 Mbit/s", rtt = "20 ms", buffer = "1 BDP", {stage} }}
            hosts = {{ nic = "{nic}" }}
            flows = [{{ duration = "15 s", congestion = "{congestion}" }}]
            "#
        );
        let goodput = |run: &Recorded| run.goodput(5_000_000_000, 15_000_000_000);
        let (ours, tc) = (goodput(&record(&spec)), goodput(&with_tc(&spec)));
        crate::support::close(ours, tc, share, &format!("goodput of {congestion} with {stage}, {nic}"));
    }
}

/// Packets that wait while the link is busy leave one after another, whatever is behind the interface.
#[test]
fn a_host_s_interface_sends_one_frame_at_a_time() {
    for (offloads, qdisc) in [("[]", "fifo"), ("[]", "fq"), (TSO, "fq_codel"), (TSO, "fq")] {
        let run = record(&format!(
            r#"
            title = "interface"
            path  = {{ rate = "10 Gbit/s", rtt = "10 ms", buffer = "10000 packets" }}
            hosts = {{ nic = "100 Mbit/s", qdisc = "{qdisc}", offloads = {offloads} }}
            flows = [{{ duration = "6 s" }}]
            "#
        ));
        let rate = run.goodput(3_000_000_000, 5_000_000_000);
        crate::support::close(
            rate,
            100e6 * 1448.0 / 1538.0,
            0.001,
            &format!("goodput with {qdisc}, offloads {offloads}"),
        );
        assert_eq!(run.device("sender", "nic").tx_dropped, 0, "TCP small queues keep a host's queue short");
    }
}
