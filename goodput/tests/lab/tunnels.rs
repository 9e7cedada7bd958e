//! Path MTUs: of every tunnel as computed, of routers that answer, keep silent, or clamp.

use crate::support::{Recorded, record};

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

/// The inner MTU that the kernel tells the sender.
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

/// What goes through a tunnel is wrapped: the link between the routers sees no TCP of the inner hosts' size.
#[test]
fn what_goes_through_a_tunnel_is_larger_there() {
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
fn a_smaller_route_mtu_mss_clamping_or_mtu_probing_cure_a_black_hole() {
    let silent = "icmp = false";
    let cured = |hosts: &str, router: &str| answered(&tunnelled("kind = \"esp\"", hosts, router, 1500, REQUESTS[1]));
    assert!(cured("route-mtu = \"1400 B\"", silent) >= 50, "route MTU");
    assert!(cured("", "icmp = false, clamp-mss = true") >= 50, "clamped MSS");
    assert!(cured("mtu-probing = true", silent) >= 1, "MTU probing, after its timeouts");
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
