//! Path MTUs: of every tunnel as computed, of routers that answer, keep silent, or clamp.

use crate::support::{Recorded, close, record};
use plan::recording::TUNNELS;

fn tunnelled(tunnel: &str, hosts: &str, router: &str, mtu: u32, flow: &str) -> Recorded {
    record(&format!(
        r#"
        title = "tunnel"
        hosts = {{ a = {{ {hosts} }}, b = {{}} }}
        routers = {{ r1 = {{ {router} }}, r2 = {{ {router} }} }}
        links = [
            {{ between = ["a", "r1"], rate = "100 Mbit/s", delay = "1 ms", mtu = "{mtu} B", buffer = "200 packets" }},
            {{ between = ["r1", "r2"], rate = "100 Mbit/s", delay = "5 ms", mtu = "{mtu} B", buffer = "200 packets" }},
            {{ between = ["r2", "b"], rate = "100 Mbit/s", delay = "1 ms", mtu = "{mtu} B", buffer = "200 packets" }},
        ]
        tunnels = [{{ between = ["r1", "r2"], {tunnel} }}]
        flows = [{{ from = "a", to = "b", {flow} }}]
        "#
    ))
}

/// Inner MTU that the kernel reports to the sender.
fn inner_mtu(tunnel: &str, mtu: u32) -> u64 {
    let run = tunnelled(tunnel, "", "", mtu, "bytes = \"200 kB\"");
    run.last(["pmtu"])[0]
}

/// facts.md, section 5: floor_block(MTU - overhead) - 2 (xfrm_state_mtu in net/xfrm/xfrm_state.c), where the overhead is
/// 20 + 8 + IV + ICV, and 8 more in UDP.
#[test]
fn the_inner_mtu_of_esp_is_as_computed_for_every_cipher() {
    for (cipher, iv, icv, block) in [
        ("aes-gcm-128", 8, 16, 4),
        ("aes-gcm-256", 8, 16, 4),
        ("chacha20-poly1305", 8, 16, 4),
        ("aes-cbc-sha1", 16, 12, 16),
        ("aes-cbc-sha256", 16, 16, 16),
    ] {
        for (udp, extra) in [(false, 0), (true, 8)] {
            for mtu in [1500, 1492] {
                let expected = (mtu - 20 - 8 - iv - icv - extra) / block * block - 2;
                let tunnel = format!("kind = \"esp\", cipher = \"{cipher}\", udp = {udp}");
                assert_eq!(inner_mtu(&tunnel, mtu), u64::from(expected), "{tunnel}, {mtu} outside");
            }
        }
    }
    assert_eq!(inner_mtu("kind = \"esp\"", 9000), 8946);
}

#[test]
fn the_inner_mtu_of_the_other_tunnels_is_their_overhead_less() {
    // IPv4 20 and GRE 4 (RFC 2784); IPv4 20, UDP 8, VXLAN 8 and Ethernet 14 (RFC 7348); room for IPv6: 40, UDP 8, 32.
    assert_eq!(inner_mtu("kind = \"gre\"", 1500), 1500 - 24);
    assert_eq!(inner_mtu("kind = \"vxlan\"", 1500), 1500 - 50);
    assert_eq!(inner_mtu("kind = \"wireguard\"", 1500), 1500 - 80);
}

/// Several tunnels between two routers, each in the one before it.
fn nested(family: &str, tunnels: &[&str]) -> Recorded {
    let tunnels = tunnels.iter().map(|kind| format!("{{ between = [\"r1\", \"r2\"], kind = \"{kind}\" }}"));
    record(&format!(
        r#"
        title = "tunnels in tunnels"
        family = "{family}"
        hosts = {{ a = {{}}, b = {{}} }}
        routers = {{ r1 = {{}}, r2 = {{}} }}
        links = [
            {{ between = ["a", "r1"], rate = "100 Mbit/s", delay = "1 ms", buffer = "200 packets" }},
            {{ between = ["r1", "r2"], rate = "10 Mbit/s", delay = "5 ms", buffer = "200 packets" }},
            {{ between = ["r2", "b"], rate = "100 Mbit/s", delay = "1 ms", buffer = "200 packets" }},
        ]
        tunnels = [{}]
        flows = [{{ from = "a", to = "b", bytes = "4 MB", receive-buffer = "100 kB" }}]
        "#,
        tunnels.collect::<Vec<_>>().join(", ")
    ))
}

/// PPPoE and PPP 8 (RFC 2516); WireGuard 80, as wg-quick(8) has it; IPv4 20 or IPv6 40; GRE 4, and 8 of IPv6's option (RFC
/// 2473, 4.1.1); UDP, VXLAN or Geneve, and Ethernet 30. A VLAN's tag is in the Ethernet header.
#[test]
fn the_inner_mtu_of_nested_tunnels_subtracts_all_overheads() {
    for (family, tunnels, expected) in [
        ("ipv4", &["pppoe"][..], 1500 - 8),
        ("ipv4", &["pppoe", "wireguard", "vxlan"], 1500 - 8 - 80 - 50),
        ("ipv6", &["pppoe", "wireguard", "vxlan"], 1500 - 8 - 80 - 70),
        ("ipv4", &["wireguard", "gre"], 1500 - 80 - 24),
        ("ipv6", &["pppoe", "gre"], 1500 - 8 - 52),
        ("ipv4", &["gre", "geneve"], 1500 - 24 - 50),
        ("ipv4", &["vlan", "pppoe"], 1500 - 8),
        ("ipv4", &["qinq", "ipip"], 1500 - 20),
    ] {
        let run = nested(family, tunnels);
        assert_eq!(run.last(["pmtu"]), [expected], "{tunnels:?} over {family}");
    }
}

/// A full frame has 38 bytes in addition to the packet (IEEE 802.3), and 4 for each tag; the receive window keeps the
/// link full and loses nothing.
#[test]
fn a_tag_makes_frames_longer_and_pppoe_makes_packets_shorter() {
    for (kind, payload, frame) in [("vlan", 1448.0, 1542.0), ("qinq", 1448.0, 1546.0), ("pppoe", 1440.0, 1538.0)] {
        let run = nested("ipv4", &[kind]);
        close(run.goodput(1_000_000_000, 3_000_000_000), 1e7 * payload / frame, 0.002, kind);
    }
}

/// A tunnel that TCP carries: over IPv4 20, TCP and its timestamps 32, and 2 of length (RFC 9293, RFC 7323).
#[test]
fn a_packet_in_a_tunnel_of_tcp_fills_a_segment() {
    assert_eq!(inner_mtu("kind = \"tcp\"", 1500), 1500 - 20 - 32 - 2);
    let run = nested("ipv4", &["tcp"]);
    close(run.goodput(1_000_000_000, 3_000_000_000), 1e7 * (1446.0 - 52.0) / 1538.0, 0.01, "TCP in TCP");
    assert_eq!(nested("ipv6", &["tcp"]).last(["pmtu"]), [1500 - 40 - 32 - 2]);
    assert_eq!(nested("ipv4", &["tcp", "gre"]).last(["pmtu"]), [1446 - 24]);
}

/// An outage of 2 s. TCP's timeout doubles from 0.2 s on (RFC 6298; TCP_RTO_MIN): three fall within it. A tunnel over
/// TCP loses nothing, so every retransmission had arrived already, as DSACK shows (RFC 2883); in GRE none of a
/// timeout's had.
#[test]
fn two_retransmission_clocks_run_over_tcp() {
    for (kind, is_stream) in [("gre", false), ("tcp", true)] {
        let run = record(&format!(
            r#"
            title = "outage"
            hosts = {{ route-mtu = "1400 B", a = {{}}, b = {{}} }}
            routers = {{ r1 = {{}}, r2 = {{}} }}
            links = [
                {{ between = ["a", "r1"], rate = "100 Mbit/s", buffer = "200 packets" }},
                {{ between = ["r1", "r2"], rate = "10 Mbit/s", delay = "10 ms", buffer = "200 packets", outages = [{{ at = "2 s", for = "2 s" }}] }},
                {{ between = ["r2", "b"], rate = "100 Mbit/s", buffer = "200 packets" }},
            ]
            tunnels = [{{ between = ["r1", "r2"], kind = "{kind}" }}]
            flows = [{{ from = "a", to = "b", duration = "8 s", receive-buffer = "60 kB" }}]
            "#
        ));
        let [again, needless, timeouts] = run.last(["total_retrans", "dsack_dups", "total_rto"]);
        assert!(timeouts >= 3, "{kind}: {timeouts} timeouts");
        match is_stream {
            true => assert_eq!(needless, again, "{kind}: of {again} retransmissions"),
            false => assert!(again > 3 && needless < 3, "{kind}: {needless} of {again}"),
        }
        let [tunnel, retransmitted] = run.columns(TUNNELS, ["tunnel", "bytes_retrans"]);
        assert_eq!(!tunnel.is_empty(), is_stream, "{kind}");
        assert_eq!(retransmitted.iter().max().is_some_and(|bytes| *bytes > 0), is_stream, "{kind}");
        // 1348 B of payload are 1402 B of a stream, and a frame of 1538 B takes 1448 of it; in GRE one frame is 1462 B.
        let due = 1e7 * if is_stream { 1348.0 / 1402.0 * 1448.0 / 1538.0 } else { 1348.0 / 1462.0 };
        close(run.goodput(1_000_000_000, 2_000_000_000), due, 0.02, kind);
    }
}

/// A WireGuard tunnel from a router behind PPPoE to one on the Internet, and a VXLAN between two more behind these.
#[test]
fn a_tunnel_to_another_router_is_carried_where_it_passes() {
    let run = record(
        r#"
        title = "tunnels of different routers"
        hosts = { a = {}, b = {} }
        routers = { vtep1 = {}, home = {}, isp = {}, office = {}, vtep2 = {} }
        links = [
            { between = ["a", "vtep1"], rate = "1 Gbit/s", buffer = "200 packets" },
            { between = ["vtep1", "home"], rate = "1 Gbit/s", buffer = "200 packets" },
            { between = ["home", "isp"], rate = "50 Mbit/s", delay = "5 ms", buffer = "200 packets" },
            { between = ["isp", "office"], rate = "1 Gbit/s", delay = "5 ms", buffer = "200 packets" },
            { between = ["office", "vtep2"], rate = "1 Gbit/s", buffer = "200 packets" },
            { between = ["vtep2", "b"], rate = "1 Gbit/s", buffer = "200 packets" },
        ]
        tunnels = [
            { between = ["vtep1", "vtep2"], kind = "geneve" },
            { between = ["home", "office"], kind = "wireguard" },
            { between = ["home", "isp"], kind = "pppoe" },
        ]
        flows = [{ from = "a", to = "b", bytes = "2 MB" }]
        "#,
    );
    // The host knows of its router's tunnel: 1500 less 50.
    assert_eq!(run.last(["pmtu"]), [1450]);
    // Each full packet of 1400 bytes and 52 of headers is, with 50 of Geneve, 1500: more than the 1412 that PPPoE's 8 and
    // WireGuard's 80 leave. It travels as two fragments, each with 60 bytes of WireGuard, 8 of PPPoE and 14 of Ethernet.
    let [inside, outside] = [1, 2].map(|link| {
        let queue = run.queue(link, 0);
        [*queue.sent_packets.last().unwrap() as f64, *queue.sent_bytes.last().unwrap() as f64]
    });
    let full = 2e6 / 1398.0;
    assert!(outside[0] - inside[0] > 0.99 * full, "{} packets in front of WireGuard, {} in it", inside[0], outside[0]);
}

/// Packets in a tunnel have further headers: the link between the routers sees larger frames than the inner hosts send.
#[test]
fn tunnelled_packets_are_larger_on_the_outer_link() {
    let run = tunnelled("kind = \"esp\"", "", "", 1500, "bytes = \"1 MB\"");
    let [inside, outside] = [0, 1].map(|link| {
        let queue = run.queue(link, 0);
        *queue.sent_bytes.last().unwrap() as f64 / *queue.sent_packets.last().unwrap() as f64
    });
    assert!(outside > inside + 40.0, "mean frame {inside} B in front of the tunnel, {outside} B in it");
}

const REQUESTS: [&str; 2] = [
    "kind = \"requests\", request = \"200 B\", response = \"500 B\", think = \"50 ms\", duration = \"5 s\"",
    "kind = \"requests\", request = \"20 kB\", response = \"500 B\", think = \"50 ms\", duration = \"5 s\"",
];

fn answered(run: &Recorded) -> usize {
    run.exchanges(0).iter().filter(|(_, end)| *end > 0).count()
}

#[test]
fn a_black_hole_leaves_exactly_the_small_requests_working() {
    let silent = "icmp = false";
    let [small, large] = REQUESTS.map(|flow| tunnelled("kind = \"esp\"", "", silent, 1500, flow));
    // 14 ms of round trip and 50 ms of pause: 77 exchanges in 5 s.
    assert!(answered(&small) >= 70, "{} small requests answered", answered(&small));
    assert_eq!(answered(&large), 0, "no large one");

    let open = tunnelled("kind = \"esp\"", "", "", 1500, REQUESTS[1]);
    assert!(answered(&open) >= 50, "{} answered where the router tells the MTU", answered(&open));
}

#[test]
fn a_smaller_mtu_mss_clamp_or_probing_cures_a_black_hole() {
    let silent = "icmp = false";
    let cured = |hosts: &str, router: &str| answered(&tunnelled("kind = \"esp\"", hosts, router, 1500, REQUESTS[1]));
    assert!(cured("route-mtu = \"1400 B\"", silent) >= 50, "route MTU");
    assert!(cured("", "icmp = false, clamp-mss = true") >= 50, "clamped MSS");
    assert!(cured("mtu-probing = true", silent) >= 1, "MTU probing, after its timeouts");
}

/// Median RTT of a ping with a CUBIC flow at the same time, ms. The bottleneck is a switch's queue between the routers.
fn ping_beside_a_transfer(tunnel: &str, place: &str, queue: &str) -> f64 {
    let tunnels = if tunnel.is_empty() {
        String::new()
    } else {
        format!("tunnels = [{{ between = [\"r1\", \"r2\"], {tunnel} }}]")
    };
    let narrow = |at: &str| match at == place {
        true => format!("rate = \"10 Mbit/s\", buffer = \"500 packets\", queue = \"{queue}\""),
        false => "rate = \"1 Gbit/s\", buffer = \"500 packets\"".to_owned(),
    };
    let [own, middle] = ["r1", "switch"].map(narrow);
    let run = record(&format!(
        r#"
        title = "a ping beside a transfer, in a tunnel"
        hosts = {{ h1 = {{}}, h2 = {{}} }}
        routers = {{ r1 = {{}}, r2 = {{}} }}
        switches = {{ switch = {{}} }}
        links = [
            {{ between = ["h1", "r1"], rate = "1 Gbit/s", buffer = "500 packets" }},
            {{ between = ["r1", "switch"], {own} }},
            {{ between = ["switch", "r2"], delay = "10 ms", {middle} }},
            {{ between = ["r2", "h2"], rate = "1 Gbit/s", buffer = "500 packets" }},
        ]
        {tunnels}
        flows = [
            {{ from = "h1", to = "h2", duration = "20 s" }},
            {{ from = "h1", to = "h2", kind = "ping", interval = "50 ms", start = "5 s", duration = "15 s" }},
        ]
        "#
    ));
    let mut rtts: Vec<u64> =
        run.exchanges(1).iter().filter(|(_, end)| *end > 0).map(|(start, end)| end - start).collect();
    rtts.sort_unstable();
    rtts[rtts.len() / 2] as f64 / 1e6
}

/// A queue that separates flows sends a ping next: the ping waits for one packet at most, 1.2 ms at 10 Mbit/s, in
/// addition to 20 ms. In an encrypting tunnel only WireGuard's own host can separate flows, because it keeps the hash
/// of the inner packet (drivers/net/wireguard/queueing.h, wg_reset_packet). Everywhere else the ping waits as in one
/// queue, whose delay CoDel keeps at 5 ms (RFC 8289, 4.2). A queue can read GRE's inner packets, and VXLAN's port
/// separates flows (RFC 7348, 5).
#[test]
fn no_queue_on_the_way_looks_into_a_tunnel_that_encrypts() {
    const OWN_QUEUE_RTT_MS: std::ops::Range<f64> = 20.0..22.0;
    for tunnel in ["", "kind = \"gre\"", "kind = \"vxlan\""] {
        let rtt = ping_beside_a_transfer(tunnel, "switch", "fq_codel");
        assert!(OWN_QUEUE_RTT_MS.contains(&rtt), "{tunnel}: {rtt:.1} ms in a queue of its own");
    }
    for tunnel in ["kind = \"wireguard\"", "kind = \"esp\""] {
        let [fair, single] = ["fq_codel", "codel"].map(|queue| ping_beside_a_transfer(tunnel, "switch", queue));
        assert!(fair > 23.0 && (fair - single).abs() < 1.5, "{tunnel}: {fair:.1} ms, and {single:.1} ms in one queue");
    }
    let own = ping_beside_a_transfer("kind = \"wireguard\"", "r1", "fq_codel");
    assert!(OWN_QUEUE_RTT_MS.contains(&own), "{own:.1} ms at the router that owns it");
}

#[test]
fn a_router_in_front_of_a_smaller_mtu_answers_with_it() {
    let run = record(
        r#"
        title = "mtu of the next link"
        hosts = { a = {}, b = {} }
        routers = { r = {} }
        links = [
            { between = ["a", "r"], rate = "100 Mbit/s", buffer = "200 packets" },
            { between = ["r", "b"], rate = "100 Mbit/s", delay = "5 ms", mtu = "1280 B", buffer = "200 packets" },
        ]
        flows = [{ from = "a", to = "b", bytes = "200 kB" }]
        "#,
    );
    // The receiver's SYN announces 1,240 bytes, so the sender never sends more.
    assert_eq!(run.last(["snd_mss"])[0], 1280 - 40 - 12);
}
