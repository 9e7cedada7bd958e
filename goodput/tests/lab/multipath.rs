//! Hosts with several links, loops of routers, written routes, and MPTCP over them.

use crate::support::{Recorded, close, record};
use plan::recording::SUBFLOWS;

const SECOND: u64 = 1_000_000_000;

/// Two ways from a to b, of 2 and of 20 ms.
fn diamond(routes_of_r1: &str, routes_of_r4: &str) -> Recorded {
    record(&format!(
        r#"
        title = "diamond"
        hosts = {{ a = {{}}, b = {{}} }}
        routers = {{ r1 = {{ {routes_of_r1} }}, r2 = {{}}, r3 = {{}}, r4 = {{ {routes_of_r4} }} }}
        links = [
            {{ between = ["a", "r1"], rate = "100 Mbit/s", buffer = "200 packets" }},
            {{ between = ["r1", "r2"], rate = "100 Mbit/s", delay = "1 ms", buffer = "200 packets" }},
            {{ between = ["r2", "r4"], rate = "100 Mbit/s", delay = "1 ms", buffer = "200 packets" }},
            {{ between = ["r1", "r3"], rate = "100 Mbit/s", delay = "10 ms", buffer = "200 packets" }},
            {{ between = ["r3", "r4"], rate = "100 Mbit/s", delay = "10 ms", buffer = "200 packets" }},
            {{ between = ["r4", "b"], rate = "100 Mbit/s", buffer = "200 packets" }},
        ]
        flows = [{{ from = "a", to = "b", kind = "ping", size = "56 B", interval = "10 ms", requests = 5 }}]
        "#
    ))
}

/// 98 B of a ping are 122 B on the wire (IEEE 802.3): 9.76 us on each of 4 links, there and back.
#[test]
fn routes_are_the_shortest_or_as_written_each_way_by_itself() {
    let slow = "routes = [{ to = \"b\", via = \"r3\" }]";
    let back = "routes = [{ to = \"a\", via = \"r3\" }]";
    for (there, back, ms) in [("", "", 4), (slow, "", 22), ("", back, 22), (slow, back, 40)] {
        for (start, end) in diamond(there, back).exchanges(0) {
            let expected = ms * 1_000_000 + 8 * 9_760;
            assert!((end - start).abs_diff(expected) < 2_000, "{ms} ms: {} ns", end - start);
        }
    }
}

fn phone(protocol: &str, links: &str) -> Recorded {
    phone_told("", protocol, links)
}

fn phone_told(host: &str, protocol: &str, links: &str) -> Recorded {
    record(&format!(
        r#"
        title = "two links"
        hosts = {{ phone = {{ {host} }}, server = {{}} }}
        routers = {{ wifi = {{}}, lte = {{}}, core = {{}} }}
        links = [
            {links}
            {{ between = ["wifi", "core"], rate = "1 Gbit/s", buffer = "1000 packets" }},
            {{ between = ["lte", "core"], rate = "1 Gbit/s", buffer = "1000 packets" }},
            {{ between = ["core", "server"], rate = "1 Gbit/s", buffer = "1000 packets" }},
        ]
        flows = [{{ from = "phone", to = "server", protocol = "{protocol}", duration = "8 s" }}]
        "#
    ))
}

/// TCP has the first link; MPTCP both, with 20 B of its option in each segment (RFC 8684, 3.3): 1428 B of 1538 B.
#[test]
fn mptcp_has_both_links_of_a_host_and_tcp_the_first() {
    let links = r#"
        { between = ["phone", "wifi"], rate = "20 Mbit/s", delay = "10 ms", buffer = "60 packets" },
        { between = ["phone", "lte"], rate = "10 Mbit/s", delay = "10 ms", buffer = "40 packets" },
    "#;
    let [tcp, mptcp] = ["tcp", "mptcp"].map(|protocol| phone(protocol, links));
    close(tcp.goodput(3 * SECOND, 8 * SECOND), 20e6 * 1448.0 / 1538.0, 0.02, "TCP");
    close(mptcp.goodput(3 * SECOND, 8 * SECOND), 30e6 * 1428.0 / 1538.0, 0.05, "MPTCP");
    let [end, subflow, address] = mptcp.columns(SUBFLOWS, ["end", "subflow", "address"]);
    let mut of_sender: Vec<(u64, u64)> =
        (0..end.len()).filter(|row| end[*row] == 0).map(|row| (subflow[row], address[row])).collect();
    of_sender.sort_unstable();
    of_sender.dedup();
    // 10.0.0.1 of the first link, and 10.0.1.1 of the second.
    assert_eq!(of_sender, [(1, 0x0a00_0001), (2, 0x0a00_0101)]);
}

/// A subflow for backup carries nothing while another is there (RFC 8684, 3.3.8); when that has timed out it carries all.
#[test]
fn a_backup_link_waits_until_the_other_is_gone() {
    let links = r#"
        { between = ["phone", "wifi"], rate = "20 Mbit/s", delay = "10 ms", buffer = "60 packets", outages = [{ at = "4 s", for = "4 s" }] },
        { between = ["phone", "lte"], rate = "10 Mbit/s", delay = "10 ms", buffer = "40 packets" },
    "#;
    let run = phone_told("mptcp = { backup = [\"lte\"] }", "mptcp", links);
    let [time, end, subflow, backup, bytes] = run.columns(SUBFLOWS, ["time", "end", "subflow", "backup", "bytes_sent"]);
    let of_lte = |row: &usize| end[*row] == 0 && subflow[*row] == 2;
    let rows: Vec<usize> = (0..time.len()).filter(of_lte).collect();
    assert!(rows.iter().all(|row| backup[*row] == 1), "it is for backup");
    let idle = rows.iter().rfind(|row| time[**row] <= 4 * SECOND).expect("it is there from the beginning");
    assert_eq!(bytes[*idle], 0, "and idle");
    close(run.goodput(SECOND, 4 * SECOND), 20e6 * 1428.0 / 1538.0, 0.02, "over Wi-Fi");
    close(run.goodput(6 * SECOND, 8 * SECOND), 10e6 * 1428.0 / 1538.0, 0.02, "over LTE");
}

#[test]
fn a_link_that_is_unused_has_no_subflow() {
    let links = r#"
        { between = ["phone", "wifi"], rate = "20 Mbit/s", delay = "10 ms", buffer = "60 packets" },
        { between = ["phone", "lte"], rate = "10 Mbit/s", delay = "10 ms", buffer = "40 packets" },
    "#;
    let run = phone_told("mptcp = { unused = [\"lte\"] }", "mptcp", links);
    let [end, subflow] = run.columns(SUBFLOWS, ["end", "subflow"]);
    assert!((0..end.len()).all(|row| end[row] == 1 || subflow[row] == 1));
    assert_eq!(run.device("phone", "nic1").tx_packets, 0);
}

/// The set-ups of tools/testing/selftests/net/mptcp/simult_flows.sh in Linux 7.3: rates (Mbit/s), delays (ms) and limits
/// (packets) of two links. Its netem counts packets that it delays, which are none of a queue's: rate times delay of
/// 1514 B each.
const SIMULT_FLOWS: [([u64; 2], [u64; 2], [u64; 2]); 5] = [
    ([10, 10], [0, 0], [20, 20]),
    ([10, 10], [1, 25], [20, 50]),
    ([10, 3], [0, 0], [30, 20]),
    ([10, 3], [1, 25], [40, 30]),
    ([10, 3], [25, 1], [50, 30]),
];
/// Bytes sent in one direction. The 20 * 4096 B sent in the other direction meanwhile are on lanes of their own, and
/// left out.
const TRANSFER_BYTES: u64 = 2 * 2048 * 4096;

/// The selftest's time limit, ms: 10 % for headers at both rates together, 400 ms for joins, 50 ms of slack.
fn pass_time([one, other]: [u64; 2]) -> u64 {
    1000 * TRANSFER_BYTES * 8 * 10 / ((one + other) * 1_000_000 * 9) + 400 + 50
}

fn simult_flows(rates: [u64; 2], delays: [u64; 2], limits: [u64; 2], [there, back]: [u64; 2]) -> Recorded {
    let buffer = |link: usize| limits[link] - rates[link] * delays[link] * 1000 / (8 * 1514);
    let link = |link: usize| {
        let (rate, delay, buffer) = (rates[link], delays[link], buffer(link));
        format!(
            "{{ between = [\"ns1\", \"ns2\"], rate = \"{rate} Mbit/s\", delay = \"{delay} ms\", buffer = \"{buffer} packets\" }},"
        )
    };
    record(&format!(
        r#"
        title = "simult_flows"
        hosts = {{ nic = "unlimited", ns1 = {{}}, ns3 = {{}} }}
        routers = {{ ns2 = {{}} }}
        links = [
            {} {}
            {{ between = ["ns2", "ns3"], rate = "10 Gbit/s", buffer = "10000 packets" }},
        ]
        flows = [{{ from = "ns1", to = "ns3", kind = "requests", protocol = "mptcp", request = "{there} B", response = "{back} B", requests = 1 }}]
        "#,
        link(0),
        link(1)
    ))
}

#[test]
fn the_kernels_own_selftest_passes_in_its_own_times() {
    for (rates, delays, limits) in SIMULT_FLOWS {
        for bytes in [[TRANSFER_BYTES, 1], [1, TRANSFER_BYTES]] {
            let run = simult_flows(rates, delays, limits, bytes);
            let ended = run.series.facts.ended.values().max().unwrap() / 1_000_000;
            let due = pass_time(rates);
            assert!(ended <= due, "{rates:?} Mbit/s, {delays:?} ms, {bytes:?} B: {ended} ms, at most {due} ms");
        }
    }
}
