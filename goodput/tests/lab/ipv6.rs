//! The same experiment over IPv4 and IPv6 differs only by 20 bytes a packet; then features of IPv6 alone.

use crate::support::{Recorded, close, record};
use plan::network::What;
use plan::recording::SAMPLES;

const SECOND: u64 = 1_000_000_000;

/// An IPv6 header has 40 bytes, one of IPv4 20 (RFC 8200, 3; RFC 791, 3.1).
const IPV6_EXTRA_BYTES: u64 = 20;

/// Samples that count bytes of packets, and so differ.
const OF_PACKETS: [&str; 1] = ["pmtu"];

/// A transfer over either IP. Over IPv4 the MTU is 20 bytes less, so segments are equal, and each frame has an overhead
/// of 20 bytes more, so it takes as long on the link. Nodes have both families, so random events are the same.
fn over_either(line: &str, flow: &str) -> [Recorded; 2] {
    [("ipv4", 1480, 24 + IPV6_EXTRA_BYTES), ("ipv6", 1500, 24)].map(|(family, mtu, overhead)| {
        record(&format!(
            r#"
            title  = "either"
            family = "both"
            hosts  = {{ nic = "unlimited" }}
            path   = {{ rate = "20 Mbit/s", rtt = "20 ms", mtu = "{mtu} B", overhead = "{overhead} B", {line} }}
            flows  = [{{ family = "{family}", {flow} }}]
            "#
        ))
    })
}

/// All that is known of either end at any time.
fn samples(run: &Recorded) -> Vec<(&'static str, Vec<u64>)> {
    let fields =
        wire::SAMPLE.iter().chain(wire::TCP_INFO).map(|column| column.name).filter(|name| !OF_PACKETS.contains(name));
    fields.map(|name| (name, run.columns(SAMPLES, [name]).into_iter().next().unwrap())).collect()
}

/// Frames and bytes that left the queue of a direction.
fn sent(run: &Recorded, lane: usize) -> [u64; 2] {
    let queue = run.queue(0, lane);
    [&queue.sent_packets, &queue.sent_bytes].map(|counts| *counts.last().unwrap())
}

#[track_caller]
fn assert_20_bytes_apart(what: &str, [v4, v6]: &[Recorded; 2]) {
    for ((name, four), (_, six)) in samples(v4).into_iter().zip(samples(v6)) {
        assert_eq!(four, six, "{what}: {name}");
    }
    for lane in 0..2 {
        let ([packets, four], [same, six]) = (sent(v4, lane), sent(v6, lane));
        assert_eq!(
            (packets, four + IPV6_EXTRA_BYTES * packets),
            (same, six),
            "{what}: frames and bytes, direction {lane}"
        );
    }
}

/// Stages that count packets or time, and not bytes, treat both families alike.
#[test]
fn over_either_ip_the_same_happens_at_the_same_time() {
    let buffer = "buffer = \"60 packets\"";
    for stage in [
        "",
        "loss = { every = 100 }",
        "loss = { packets = [1, 50, 51, 52, 900] }",
        "loss = \"0.5 %\"",
        "loss = { p = \"0.2 %\", r = \"20 %\" }",
        "outages = [{ at = \"300 ms\", for = \"200 ms\" }]",
        "duplicate = \"1 %\"",
        "reorder = { share = \"2 %\", by = \"3 ms\" }",
        "jitter = { by = \"2 ms\" }",
        "aggregate = { every = \"4 ms\", packets = 8 }",
        "changes = [{ at = \"400 ms\", rate = \"5 Mbit/s\", delay = \"30 ms\" }]",
        "queue = \"codel\"",
        "queue = \"fq_codel\"",
        "queue = \"fq\"",
        "queue = { discipline = \"threshold\", above = \"5 ms\" }",
    ] {
        let runs = over_either(&format!("{buffer}, {stage}").replace(", ,", ","), "bytes = \"2 MB\"");
        assert_20_bytes_apart(stage, &runs);
    }
}

/// Stages that count bytes count 20 more for each IPv6 packet.
#[test]
fn byte_counters_add_20_bytes_per_ipv6_packet() {
    let lengths = |from: u32| {
        let range = format!("lengths = {{ from = \"{from} B\", to = \"{} B\", effect = \"drop\" }}", from + 100);
        let family = if from == 780 { "ipv4" } else { "ipv6" };
        let run = record(&format!(
            r#"
            title  = "lengths"
            family = "{family}"
            path   = {{ rate = "100 Mbit/s", rtt = "20 ms", buffer = "100 packets", {range} }}
            flows  = [
                {{ kind = "ping", size = "700 B", interval = "20 ms", requests = 20 }},
                {{ kind = "ping", size = "800 B", interval = "20 ms", requests = 20 }},
            ]
            "#
        ));
        [0, 1].map(|flow| run.exchanges(flow).iter().filter(|(_, end)| *end > 0).count())
    };
    // 800 B are 828 B over IPv4 and 848 B over IPv6, 700 B 728 B and 748 B.
    assert_eq!(lengths(780), [20, 0]);
    assert_eq!(lengths(800), [20, 0]);
    // A policer of as many packets per second: 1,480 B or 1,500 B, with 1,428 B of payload each.
    let policed = |family: &str, mtu: u32, policer: &str| {
        let run = record(&format!(
            r#"
            title  = "policed"
            family = "{family}"
            path   = {{ rate = "100 Mbit/s", rtt = "20 ms", mtu = "{mtu} B", buffer = "100 packets", police = {policer} }}
            flows  = [{{ duration = "10 s" }}]
            "#
        ));
        run.goodput(2 * SECOND, 10 * SECOND)
    };
    let four = policed("ipv4", 1480, "{ rate = \"7.4 Mbit/s\", burst = \"74 kB\" }");
    let six = policed("ipv6", 1500, "{ rate = \"7.5 Mbit/s\", burst = \"75 kB\" }");
    close(six, four, 0.02, "goodput behind a policer");
}

/// 1,428 B of payload in frames of 1,538 B on the wire; IPv4 has 1,448 B (RFC 6349, 4.1.1). The receive window exceeds
/// the BDP but not BDP and queue, so nothing is lost.
#[test]
fn a_full_line_carries_its_rate_less_the_longer_headers() {
    for (family, payload) in [("ipv4", 1448.0), ("ipv6", 1428.0)] {
        let run = record(&format!(
            r#"
            title  = "full"
            family = "{family}"
            path   = {{ rate = "10 Mbit/s", rtt = "20 ms", buffer = "200 packets" }}
            flows  = [{{ duration = "10 s", receive-buffer = "100 kB" }}]
            "#
        ));
        close(run.goodput(4 * SECOND, 10 * SECOND), 1e7 * payload / 1538.0, 0.002, family);
        assert_eq!(run.last(["snd_mss"])[0] as f64, payload);
    }
}

/// A flow of pings alone: every device counts exactly the requested packets. By default IPv6 would send MLD reports,
/// neighbour and router solicitations, and duplicate address detection (RFC 3810, RFC 4861, RFC 4862).
#[test]
fn nothing_is_sent_that_was_not_asked_for() {
    let tunnels = ["", "gre", "vxlan", "geneve", "ipip"].map(|kind| match kind {
        "" => String::new(),
        kind => format!("tunnels = [{{ between = [\"r1\", \"r2\"], kind = \"{kind}\" }}]"),
    });
    for family in ["ipv6", "both"] {
        for tunnel in &tunnels {
            let run = record(&format!(
                r#"
                title    = "silence"
                family   = "{family}"
                hosts    = {{ a = {{}}, b = {{}} }}
                switches = {{ s = {{}} }}
                routers  = {{ r1 = {{}}, r2 = {{}} }}
                links    = [
                    {{ between = ["a", "s"], rate = "1 Gbit/s", buffer = "100 packets" }},
                    {{ between = ["s", "r1"], rate = "1 Gbit/s", buffer = "100 packets" }},
                    {{ between = ["r1", "r2"], rate = "1 Gbit/s", buffer = "100 packets", bond = "balance-rr" }},
                    {{ between = ["r1", "r2"], rate = "1 Gbit/s", buffer = "100 packets", bond = "balance-rr" }},
                    {{ between = ["r2", "b"], rate = "1 Gbit/s", buffer = "100 packets" }},
                ]
                {tunnel}
                flows = [{{ from = "a", to = "b", kind = "ping", requests = 10, start = "20 s", family = "ipv6" }}]
                "#
            ));
            for (node, device) in
                [("a", "nic"), ("s", "port0"), ("s", "port1"), ("r1", "port0"), ("r2", "port1"), ("b", "nic")]
            {
                let counted = run.device(node, device);
                let packets = (counted.tx_packets, counted.rx_packets);
                assert_eq!(packets, (10, 10), "{family}, {tunnel}: {device} of {node}");
            }
            assert_eq!(run.device("r1", "port1").tx_packets, 10, "{family}, {tunnel}: the bond");
        }
    }
}

/// A network of two routers; their link has a smaller MTU.
fn narrow(router: &str, flow: &str) -> Recorded {
    record(&format!(
        r#"
        title   = "narrow"
        family  = "ipv6"
        hosts   = {{ a = {{}}, b = {{}} }}
        routers = {{ r1 = {{ {router} }}, r2 = {{ {router} }} }}
        links   = [
            {{ between = ["a", "r1"], rate = "100 Mbit/s", buffer = "200 packets" }},
            {{ between = ["r1", "r2"], rate = "100 Mbit/s", delay = "5 ms", mtu = "1400 B", buffer = "200 packets" }},
            {{ between = ["r2", "b"], rate = "100 Mbit/s", buffer = "200 packets" }},
        ]
        flows   = [{{ from = "a", to = "b", {flow} }}]
        "#
    ))
}

#[test]
fn large_packets_vanish_without_packet_too_big() {
    let told = narrow("", "bytes = \"200 kB\"");
    assert_eq!(told.last(["pmtu", "snd_mss"]), [1400, 1400 - 40 - 20 - 12]);
    let requests = |size: &str| {
        format!(
            "kind = \"requests\", request = \"{size}\", response = \"500 B\", think = \"50 ms\", duration = \"5 s\""
        )
    };
    let answered = |router: &str, size: &str| {
        narrow(router, &requests(size)).exchanges(0).iter().filter(|(_, end)| *end > 0).count()
    };
    // 10 ms of round trip and 50 ms of pause: 83 exchanges in 5 s.
    assert!(answered("icmp = false", "200 B") >= 75, "small requests");
    assert_eq!(answered("icmp = false", "20 kB"), 0, "large requests");
    assert!(answered("icmp = false, clamp-mss = true", "20 kB") >= 50, "large requests with a clamped MSS");
    assert!(answered("", "20 kB") >= 50, "large requests where the router tells the MTU");
}

/// Routers do not fragment (RFC 8200, 5): datagrams larger than the MTU arrive only once the sender knows the path MTU
/// and fragments them itself.
#[test]
fn routers_do_not_fragment() {
    let datagrams = |router: &str| {
        let run = narrow(router, "kind = \"udp\", rate = \"1 Mbit/s\", size = \"1400 B\", duration = \"2 s\"");
        let counted = run.series.facts.datagrams[&0];
        (counted.sent, counted.received)
    };
    let (sent, received) = datagrams("icmp = false");
    assert_eq!((sent, received), (179, 0));
    let (sent, received) = datagrams("");
    assert!(sent == 179 && (177..179).contains(&received), "{received} of {sent}: the first ones are lost");
}

/// Path MTU that the kernel reports to the sender through a tunnel of either IP, against the sum of its headers.
#[test]
fn the_inner_mtu_of_every_tunnel_over_ipv6_is_its_headers_less() {
    for (kind, outer, inner, headers) in [
        // IPv6 40, the encapsulation limit 8 (RFC 2473, 4.1.1), GRE 4.
        ("gre", "ipv6", "ipv6", 40 + 8 + 4),
        ("gre", "ipv6", "ipv4", 40 + 8 + 4),
        ("gre", "ipv4", "ipv6", 20 + 4),
        ("ipip", "ipv4", "ipv4", 20),
        ("ipip", "ipv6", "ipv6", 40 + 8),
        ("ipip", "ipv6", "ipv4", 40 + 8),
        // RFC 4213, 3.2
        ("6in4", "ipv4", "ipv6", 20),
        // UDP 8, VXLAN or Geneve 8, Ethernet 14.
        ("vxlan", "ipv6", "ipv6", 40 + 8 + 8 + 14),
        ("vxlan", "ipv4", "ipv6", 20 + 8 + 8 + 14),
        ("geneve", "ipv6", "ipv6", 40 + 8 + 8 + 14),
        ("geneve", "ipv4", "ipv4", 20 + 8 + 8 + 14),
        // wg-quick(8): UDP 8, header and tag 32, and room for IPv6 in any case.
        ("wireguard", "ipv6", "ipv6", 40 + 8 + 32),
        ("wireguard", "ipv4", "ipv6", 40 + 8 + 32),
        // ESP 8, IV 8, ICV 16; the rest of 1,500 B is whole words, and the trailer takes 2 B of it.
        ("esp", "ipv6", "ipv6", 40 + 8 + 8 + 16 + 2),
        ("esp", "ipv6", "ipv4", 40 + 8 + 8 + 16 + 2),
        ("esp", "ipv4", "ipv6", 20 + 8 + 8 + 16 + 2),
    ] {
        let run = record(&format!(
            r#"
            title   = "tunnel"
            family  = "both"
            hosts   = {{ a = {{}}, b = {{}} }}
            routers = {{ r1 = {{}}, r2 = {{}} }}
            links   = [
                {{ between = ["a", "r1"], rate = "100 Mbit/s", buffer = "200 packets" }},
                {{ between = ["r1", "r2"], rate = "100 Mbit/s", delay = "5 ms", buffer = "200 packets" }},
                {{ between = ["r2", "b"], rate = "100 Mbit/s", buffer = "200 packets" }},
            ]
            tunnels = [{{ between = ["r1", "r2"], kind = "{kind}", outer = "{outer}" }}]
            flows   = [{{ from = "a", to = "b", bytes = "200 kB", family = "{inner}" }}]
            "#
        ));
        assert_eq!(run.last(["pmtu"])[0], 1500 - headers, "{inner} in {kind} over {outer}");
    }
}

#[test]
fn the_probe_of_a_stage_counts_what_it_dropped() {
    let run = record(
        r#"
        title  = "loss"
        family = "ipv6"
        path   = { rate = "100 Mbit/s", rtt = "10 ms", buffer = "1000 packets", loss = "2 %" }
        record = { drops = true }
        flows  = [{ bytes = "5 MB" }]
        "#,
    );
    let dropped = *run.probe(0, 0, What::Stage(0)).drops.last().unwrap();
    let [protocol, port, payload] = run.columns(plan::recording::DROPS, ["protocol", "destination_port", "payload"]);
    let of_flow = protocol.iter().zip(&port).filter(|(protocol, port)| (**protocol, **port) == (6, 5201)).count();
    assert_eq!(of_flow as u64, dropped, "each drop is told with its ports");
    assert!(payload.iter().filter(|payload| **payload == 1428).count() > of_flow / 2);
}
