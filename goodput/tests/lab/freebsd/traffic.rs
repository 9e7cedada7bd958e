//! Flows of FreeBSD's hosts: each kind against its arithmetic, with FreeBSD at either end and at both.

use super::{BOTH_HOSTS, RECEIVER, SECOND, SENDER, kernel, record};
use crate::support::{assert_identical, close, try_record_on};

/// Bytes on the wire in addition to a ping's payload: ICMP 8, IP 20, Ethernet 14, framing 24.
const PING: u64 = 66;

#[test]
fn a_ping_takes_its_bytes_and_the_round_trip() {
    let Some(kernel) = kernel() else { return };
    for hosts in [BOTH_HOSTS, SENDER, RECEIVER] {
        let path = "rate = \"10 Mbit/s\"\nrtt = \"30 ms\"\nbuffer = \"100 packets\"";
        let flow = "kind = \"ping\"\ninterval = \"10 ms\"\nsize = \"1400 B\"\nrequests = 100";
        let hosts = hosts.replace("hosts = { ", "hosts = { nic = \"unlimited\", ");
        let run = record(&kernel, &hosts, path, flow).unwrap();
        let pings = run.exchanges(0);
        assert_eq!(pings.len(), 100, "{hosts}");
        let expected = 30_000_000 + 2 * 8 * (1400 + PING) * 100;
        for (start, end) in pings {
            assert!(end.saturating_sub(start).abs_diff(expected) <= 1000, "{hosts}: {start} to {end}");
        }
    }
}

/// net.inet.icmp.icmplim: 200 answers in a second, and 0 takes the limit away (badport_bandlim, sys/netinet/ip_icmp.c).
#[test]
fn freebsd_answers_200_pings_a_second() {
    let Some(kernel) = kernel() else { return };
    let answered = |limit: &str| {
        let hosts = format!("hosts = {{ receiver = {{ stack = \"freebsd\"{limit} }} }}");
        let path = "rate = \"100 Mbit/s\"\nrtt = \"10 ms\"\nbuffer = \"100 packets\"";
        let flow = "kind = \"ping\"\ninterval = \"2 ms\"\nduration = \"4 s\"";
        let pings = record(&kernel, &hosts, path, flow).unwrap().exchanges(0);
        assert_eq!(pings.len(), 2000);
        pings.iter().filter(|(_, end)| *end > 0).count()
    };
    let limited = answered("");
    assert!((4 * 200..=5 * 200).contains(&limited), "{limited}");
    assert_eq!(answered(", sysctl = { \"net.inet.icmp.icmplim\" = 0 }"), 2000);
}

/// After the handshake, a response within the initial window takes a round trip and the time for its bytes.
#[test]
fn requests_take_a_round_trip_and_their_bytes() {
    let Some(kernel) = kernel() else { return };
    for hosts in [BOTH_HOSTS, SENDER, RECEIVER] {
        let path = "rate = \"100 Mbit/s\"\nrtt = \"20 ms\"\nbuffer = \"100 packets\"";
        let flow = "kind = \"requests\"\nrequest = \"100 B\"\nresponse = \"10 kB\"\nthink = \"30 ms\"\nrequests = 20";
        let run = record(&kernel, hosts, path, flow).unwrap();
        let all = run.exchanges(0);
        assert_eq!(all.len(), 20, "{hosts}");
        let took: Vec<u64> = all.iter().map(|(start, end)| end.saturating_sub(*start)).collect();
        assert!((40_000_000..42_500_000).contains(&took[0]), "{hosts}: the first took {} ns", took[0]);
        // Seven packets, 10,714 bytes on the wire, take 0.86 ms, and the request 15 us.
        let rest = took[1..].iter().all(|took| (20_860_000..20_950_000).contains(took));
        assert!(rest, "{hosts}: {took:?}");
        // End 0 in the record is the server.
        let [sent] = run.last_of(0, 0, ["bytes_acked"]);
        assert!(sent >= 190_000, "{hosts}: the server has sent {sent} bytes");
    }
}

/// 1,066 bytes on the wire each: the line takes 1,172.6 a second, and 20 wait at the end.
#[test]
fn datagrams_come_at_their_rate_and_what_does_not_fit_is_lost() {
    let Some(kernel) = kernel() else { return };
    for hosts in [BOTH_HOSTS, SENDER, RECEIVER] {
        let path = "rate = \"10 Mbit/s\"\nrtt = \"20 ms\"\nbuffer = \"20 packets\"";
        let flow = |rate| format!("kind = \"udp\"\nrate = \"{rate} Mbit/s\"\nsize = \"1000 B\"\nduration = \"4 s\"");
        let fits = record(&kernel, hosts, path, &flow(5)).unwrap().series.facts.datagrams[&0];
        assert_eq!((fits.sent, fits.received, fits.reordered), (2500, 2500, 0), "{hosts}");
        let run = record(&kernel, hosts, path, &flow(20)).unwrap();
        let counts = run.series.facts.datagrams[&0];
        assert_eq!(counts.sent, 10_000);
        close(counts.received as f64, 4.0 * 10e6 / 8.0 / 1066.0 + 21.0, 0.005, "datagrams received");
        assert_eq!(counts.sent - counts.received, *run.queue(0, 0).drops.last().unwrap(), "{hosts}");
    }
}

#[test]
fn an_application_that_writes_at_a_rate_gets_that_rate() {
    let Some(kernel) = kernel() else { return };
    for hosts in [BOTH_HOSTS, SENDER] {
        let path = "rate = \"100 Mbit/s\"\nrtt = \"20 ms\"\nbuffer = \"1 BDP\"";
        let run = record(&kernel, hosts, path, "duration = \"5 s\"\nsend-rate = \"7 Mbit/s\"").unwrap();
        close(run.goodput(SECOND, 5 * SECOND), 7e6, 0.01, hosts);
        let run = record(&kernel, hosts, path, "duration = \"4 s\"\non = \"1 s\"\noff = \"1 s\"").unwrap();
        // The rest of the send buffer drains within half a second.
        let off = run.goodput(3 * SECOND / 2 + SECOND / 10, 2 * SECOND - SECOND / 20);
        assert!(off < 1e3, "{hosts}: {off} bit/s while off");
        assert!(run.goodput(5 * SECOND / 2, 3 * SECOND - SECOND / 10) > 50e6, "{hosts}: on again");
    }
}

#[test]
fn an_application_that_reads_slowly_closes_the_window() {
    let Some(kernel) = kernel() else { return };
    for hosts in [BOTH_HOSTS, RECEIVER] {
        let path = "rate = \"100 Mbit/s\"\nrtt = \"20 ms\"\nbuffer = \"1 BDP\"";
        let flow = "duration = \"10 s\"\nread-rate = \"4 Mbit/s\"\nreceive-buffer = \"200 kB\"";
        let run = record(&kernel, hosts, path, flow).unwrap();
        close(run.goodput(3 * SECOND, 10 * SECOND), 4e6, 0.05, hosts);
    }
}

/// A buffer for each round trip. FreeBSD takes the bytes as they are; Linux doubles them and keeps room for its own use.
#[test]
fn a_buffer_limits_to_itself_over_the_round_trip() {
    let Some(kernel) = kernel() else { return };
    let path = "rate = \"100 Mbit/s\"\nrtt = \"40 ms\"\nbuffer = \"1 BDP\"";
    for (hosts, buffer) in [
        (SENDER, "send-buffer"),
        (BOTH_HOSTS, "send-buffer"),
        (RECEIVER, "receive-buffer"),
        (BOTH_HOSTS, "receive-buffer"),
    ] {
        let run = record(&kernel, hosts, path, &format!("duration = \"6 s\"\n{buffer} = \"200 kB\"")).unwrap();
        let goodput = run.goodput(2 * SECOND, 6 * SECOND);
        let most = 200_000.0 * 8.0 / 0.040;
        assert!(goodput <= most && goodput >= 0.93 * most, "{hosts}, {buffer}: {goodput} of {most}");
        let got: Vec<&str> = run.series.facts.readbacks.iter().map(|readback| readback.got.as_str()).collect();
        assert!(got.contains(&"200000"), "{got:?}");
    }
    // sb_max_adj (sys/kern/uipc_sockbuf.c)
    let refused = record(&kernel, SENDER, path, "duration = \"1 s\"\nsend-buffer = \"1865 kB\"").map(drop).unwrap_err();
    assert!(refused.to_string().contains("kern.ipc.maxsockbuf"), "{refused}");
    record(&kernel, SENDER, path, "duration = \"1 s\"\nsend-buffer = \"1864 kB\"").unwrap();
}

/// Timestamps take 12 of 1,000 bytes; with 52 of headers and 14 of Ethernet a packet has 1,054.
#[test]
fn an_mss_is_that_of_the_packets() {
    let Some(kernel) = kernel() else { return };
    for hosts in [BOTH_HOSTS, SENDER, RECEIVER] {
        let path = "rate = \"20 Mbit/s\"\nrtt = \"20 ms\"\nbuffer = \"100 packets\"";
        let run = record(&kernel, hosts, path, "bytes = \"988 kB\"\nmss = \"1000 B\"").unwrap();
        assert_eq!(run.last(["snd_mss"]), [988], "{hosts}");
        let queue = run.queue(0, 0);
        let [bytes, packets] = [&queue.sent_bytes, &queue.sent_packets].map(|all| *all.last().unwrap());
        // A thousand of data, SYN, ACK and FIN.
        assert!((1000..=1006).contains(&packets), "{hosts}: {packets} packets");
        assert!((1_000 * 1_054..=1_000 * 1_054 + 6 * 74).contains(&bytes), "{hosts}: {bytes} bytes");
    }
}

/// All kinds at once, in both directions, between both systems.
#[test]
fn the_same_bytes_come_again() {
    let Some(kernel) = kernel() else { return };
    for hosts in [BOTH_HOSTS, SENDER] {
        let flows = [
            "kind = \"ping\"\ninterval = \"7 ms\"\nduration = \"2 s\"",
            "kind = \"requests\"\nresponse = \"40 kB\"\nduration = \"2 s\"\ndirection = \"both\"",
            "kind = \"udp\"\nrate = \"3 Mbit/s\"\nduration = \"2 s\"\ndirection = \"both\"",
            "duration = \"2 s\"\nsend-rate = \"2 Mbit/s\"\nmss = \"700 B\"\ndirection = \"both\"",
        ];
        let path = "rate = \"20 Mbit/s\"\nrtt = \"10 ms\"\nbuffer = \"1 BDP\"\nloss = \"0.5 %\"";
        let flows: String = flows.iter().map(|flow| format!("[[flows]]\n{flow}\n")).collect();
        let spec = format!("title = \"All kinds\"\n{hosts}\n[path]\n{path}\n{flows}");
        let run = || try_record_on(&spec, kernel.clone()).unwrap();
        let (first, again) = (run(), run());
        assert_identical(first.path(), again.path());
    }
}
