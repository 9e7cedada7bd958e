//! Switches, routers and bonds: who gets which packets, through which memory, in which order.

use crate::support::{Recorded, close, record};
use plan::network::What;

const SECOND: u64 = 1_000_000_000;
/// Payload of a full segment over its bytes on Ethernet.
const PAYLOAD_SHARE: f64 = 1448.0 / 1538.0;

/// The FreeBSD CUBIC patch's testbed: two senders, a switch with 125 kB of packet memory, a receiver.
const TRI_POINT: &str = r#"
title = "tri-point"
links = [
    { between = ["a", "switch"], rate = "1 Gbit/s", buffer = "125 kB" },
    { between = ["b", "switch"], rate = "1 Gbit/s", buffer = "125 kB" },
    { between = ["switch", "c"], rate = "1 Gbit/s", delay = "5 ms", buffer = "125 kB" },
]
hosts = { a = {}, b = {}, c = {} }
switches = { switch = { memory = "125 kB" } }
record = { interval = "1 ms" }
"#;

#[test]
fn two_flows_share_a_switch_and_add_up_to_what_it_delivered() {
    let run = record(&format!(
        r#"{TRI_POINT}
        flows = [{{ from = "a", to = "c", duration = "4 s" }}, {{ from = "b", to = "c", duration = "4 s" }}]"#
    ));
    let port = run.queue(2, 0);
    let most = *port.backlog.iter().max().unwrap();
    assert!(most <= 125_000, "the queue held {most} bytes of 125,000");
    assert!(most > 100_000 && *port.drops.last().unwrap() > 0, "the memory was filled: {most} bytes");

    let [from, to] = [2 * SECOND, 4 * SECOND - SECOND / 10];
    let sum = run.goodput_of(0, from, to) + run.goodput_of(1, from, to);
    let at = |t: u64| port.time.partition_point(|time| *time <= t) - 1;
    let passed = |values: &[u64]| (values[at(to)] - values[at(from)]) as f64;
    let line = (passed(&port.sent_bytes) + 24.0 * passed(&port.sent_packets)) * 8e9 / (to - from) as f64;
    assert!(line <= 1e9 * 1.0005, "{line} bit/s left the switch");
    // Retransmissions, and data behind a hole at one of the two times, do not count as goodput.
    assert!(sum <= line * PAYLOAD_SHARE * 1.001 && sum > line * PAYLOAD_SHARE * 0.97, "{sum} of {line} bit/s");

    let into_switch = run.device("switch", "port0").rx_packets + run.device("switch", "port1").rx_packets;
    let out = run.device("switch", "port2").tx_packets;
    assert_eq!(into_switch, out + port.drops.last().unwrap(), "what came in left or was dropped");
}

/// A host that fills its own line fills the port of the same rate to the packet; at exactly that rate no other packet would
/// ever get in (Floyd and Jacobson 1991, phase effects).
#[test]
fn a_host_at_the_rate_of_a_port_locks_nobody_out() {
    let run = record(
        r#"
        title    = "phases"
        hosts    = { n1 = {}, n2 = {}, receiver = {}, sysctl = { "net.ipv4.tcp_rmem" = "4096 131072 10485760", "net.ipv4.tcp_wmem" = "4096 16384 10485760" } }
        switches = { switch = { memory = "125 kB" } }
        links    = [
            { between = ["n1", "switch"], rate = "1 Gbit/s", buffer = "125 kB" },
            { between = ["n2", "switch"], rate = "1 Gbit/s", buffer = "125 kB" },
            { between = ["switch", "receiver"], rate = "1 Gbit/s", delay = "20 ms", buffer = "125 kB" },
        ]
        flows    = [
            { from = "n1", to = "receiver", duration = "20 s" },
            { from = "n2", to = "receiver", duration = "10 s", start = "10 s" },
        ]
        "#,
    );
    for flow in [0, 1] {
        let rate = run.goodput_of(flow, 14 * SECOND, 20 * SECOND - SECOND / 10);
        assert!(rate > 5e6, "flow {flow} has {rate} bit/s");
    }
}

/// Two ports are full at once, and together use no more than the memory.
#[test]
fn ports_share_the_memory_of_their_switch() {
    let spec = |memory: &str| {
        format!(
            r#"
            title = "shared memory"
            hosts = {{ a = {{}}, b = {{}}, c = {{}}, d = {{}} }}
            switches = {{ switch = {{ {memory} }} }}
            links = [
                {{ between = ["a", "switch"], rate = "1 Gbit/s", buffer = "100 kB" }},
                {{ between = ["b", "switch"], rate = "1 Gbit/s", buffer = "100 kB" }},
                {{ between = ["switch", "c"], rate = "50 Mbit/s", delay = "5 ms", buffer = "100 kB" }},
                {{ between = ["switch", "d"], rate = "50 Mbit/s", delay = "5 ms", buffer = "100 kB" }},
            ]
            flows = [{{ from = "a", to = "c", duration = "3 s", count = 8 }}, {{ from = "b", to = "d", duration = "3 s", count = 8 }}]
            record = {{ interval = "1 ms" }}
            "#
        )
    };
    let most_together = |run: &Recorded| {
        let [c, d] = [2, 3].map(|link| &run.queue(link, 0).backlog);
        c.iter().zip(d).map(|(c, d)| c + d).max().unwrap()
    };
    let shared = most_together(&record(&spec("memory = \"100 kB\"")));
    assert!((90_000..=100_000).contains(&shared), "the ports held {shared} bytes of 100,000");
    let apart = most_together(&record(&spec("")));
    assert!(apart > 150_000 && apart <= 200_000, "each port has 100,000 bytes of its own: {apart}");
}

const ROUTED: &str = r#"
title = "two routers"
hosts = { a = {}, b = {} }
routers = { r1 = {}, r2 = {} }
links = [
    { between = ["a", "r1"], rate = "100 Mbit/s", delay = "1 ms", buffer = "100 packets" },
    { between = ["r1", "r2"], rate = "20 Mbit/s", delay = "10 ms", buffer = "100 packets" },
    { between = ["r2", "b"], rate = "100 Mbit/s", delay = "2 ms", buffer = "100 packets" },
]
"#;

#[test]
fn routers_forward_and_the_round_trip_is_the_sum() {
    let run = record(&format!("{ROUTED}\nflows = [{{ from = \"a\", to = \"b\", duration = \"10 s\" }}]"));
    let [min_rtt] = run.last(["min_rtt"]);
    // 26 ms of propagation; a SYN of 98 bytes on the wire takes 39 us at 20 and 8 us at 100 Mbit/s, there and back.
    assert!((26_000..=26_150).contains(&min_rtt), "{min_rtt} us");
    close(run.goodput(5 * SECOND, 10 * SECOND), 20e6 * PAYLOAD_SHARE, 0.03, "goodput of the slowest link");
    let most = *run.queue(1, 0).packets.iter().max().unwrap();
    assert!((99..=101).contains(&most), "the queue in front of the slow link held {most}");
}

fn bond(mode: &str, flows: u32) -> Recorded {
    record(&format!(
        r#"
        title = "bond"
        hosts = {{ a = {{}}, b = {{}} }}
        switches = {{ s = {{}} }}
        links = [
            {{ between = ["a", "s"], bond = "{mode}", rate = "100 Mbit/s", delay = "1 ms", buffer = "200 packets" }},
            {{ between = ["a", "s"], bond = "{mode}", rate = "100 Mbit/s", delay = "4 ms", buffer = "200 packets" }},
            {{ between = ["s", "b"], rate = "1 Gbit/s", buffer = "1000 packets" }},
        ]
        flows = [{{ from = "a", to = "b", duration = "2 s", count = {flows} }}]
        "#
    ))
}

#[test]
fn balance_rr_reorders_and_active_backup_does_not() {
    let out_of_order = |run: &Recorded| run.last_of(0, 1, ["rcv_ooopack"])[0];
    let members = |run: &Recorded| ["nic-0", "nic-1"].map(|device| run.device("a", device).tx_packets);

    let round_robin = bond("balance-rr", 1);
    let [first, second] = members(&round_robin);
    assert!(first.abs_diff(second) <= 1, "one after the other: {first} and {second}");
    assert!(out_of_order(&round_robin) > 100, "{} packets out of order", out_of_order(&round_robin));

    let backup = bond("active-backup", 1);
    let [first, second] = members(&backup);
    assert!(first > 1000 && second == 0, "all over the first: {first} and {second}");
    assert_eq!(out_of_order(&backup), 0);

    let hashed = bond("balance-xor", 32);
    let [first, second] = members(&hashed);
    assert!(first > 1000 && second > 1000, "32 flows use both: {first} and {second}");
    for flow in 0..32 {
        let [arrived] = hashed.last_of(flow, 1, ["rcv_ooopack"]);
        let lost: u64 = [0, 1].iter().map(|link| hashed.queue(*link, 0).drops.last().unwrap()).sum();
        assert!(arrived == 0 || lost > 0, "flow {flow} is on one member, and nothing overtakes");
    }
}

#[test]
fn frames_that_a_switch_cannot_pass_vanish() {
    let run = record(
        r#"
        title = "a small MTU behind a switch"
        hosts = { a = {}, b = {} }
        switches = { s = {} }
        links = [
            { between = ["a", "s"], rate = "100 Mbit/s", mtu = "9000 B", buffer = "100 packets" },
            { between = ["s", "b"], rate = "100 Mbit/s", mtu = "1500 B", delay = "1 ms", buffer = "100 packets" },
        ]
        flows = [{ from = "a", to = "b", kind = "ping", interval = "100 ms", size = "4000 B", duration = "1 s" },
                 { from = "a", to = "b", kind = "ping", interval = "100 ms", size = "1000 B", duration = "1 s" }]
        "#,
    );
    assert!(run.exchanges(0).iter().all(|(_, end)| *end == 0), "no answer to large pings");
    assert!(run.exchanges(1).iter().all(|(_, end)| *end > 0), "small ones are answered");
}

#[test]
fn scheduled_changes_happen_at_their_time() {
    let run = record(
        r#"
        title = "schedule"
        path = { rate = "20 Mbit/s", rtt = "20 ms", buffer = "100 packets", outages = [{ at = "6 s", for = "500 ms" }], changes = [
            { at = "2 s", rate = "10 Mbit/s" },
            { at = "8 s", loss = "100 %" },
            { at = "8500 ms", loss = "0 %" },
        ] }
        flows = [{ kind = "udp", rate = "18 Mbit/s", size = "1000 B", duration = "10 s" },
                 { kind = "ping", interval = "1 ms", size = "8 B", duration = "10 s", direction = "reverse" }]
        record = { interval = "100 us" }
        "#,
    );
    // 1,000 bytes of payload are 1,066 on the wire, the answer to a ping 74.
    let line = run.queue(0, 0);
    let bits_by = |t: u64| {
        let row = line.time.partition_point(|time| *time <= t) - 1;
        (line.sent_bytes[row] + 24 * line.sent_packets[row]) as f64 * 8.0
    };
    let rate = |from: u64, to: u64| (bits_by(to) - bits_by(from)) * 1e9 / (to - from) as f64;
    let ms = 1_000_000;
    close(rate(1000 * ms, 2000 * ms), 18e6 * 1.066 + 74.0 * 8e3, 0.01, "before the change the line carries what comes");
    close(rate(2001 * ms, 3000 * ms), 10e6, 0.01, "after it half");
    close(rate(2001 * ms, 2011 * ms), 10e6, 0.1, "from the first millisecond on");

    let lost_between = |from: u64, to: u64| {
        let inside = run.exchanges(1).into_iter().filter(|(start, _)| (from..to).contains(start));
        let (lost, kept): (Vec<_>, Vec<_>) = inside.partition(|(_, end)| *end == 0);
        (lost.len(), kept.len())
    };
    // Answers pass the forward direction's loss 10 ms after the request left, at least.
    let (lost, kept) = lost_between(6000 * ms, 6400 * ms);
    assert_eq!((kept, lost), (0, 400), "the outage swallows every answer");
    assert_eq!(lost_between(8000 * ms, 8400 * ms), (400, 0), "and so does a loss of 100 %");
    let outage = run.probe(0, 0, What::Stage(1));
    let lost: Vec<u64> =
        outage.time.iter().zip(outage.drops.windows(2)).filter(|(_, d)| d[1] > d[0]).map(|(t, _)| *t).collect();
    let (first, last) = (lost[0], *lost.last().unwrap());
    assert!(first.abs_diff(6000 * ms) <= ms && last.abs_diff(6500 * ms) <= ms, "dropped from {first} to {last} ns");
}

/// Pings leave each millisecond: those of the last 10 ms before the change have the longer way back alone.
#[test]
fn a_delay_that_changes_is_that_of_packets_sent_from_then_on() {
    let run = record(
        r#"
        title = "delay"
        path = { rate = "20 Mbit/s", rtt = "20 ms", buffer = "100 packets", changes = [{ at = "4 s", rtt = "60 ms" }] }
        flows = [{ kind = "ping", interval = "1 ms", size = "8 B", duration = "8 s" }]
        "#,
    );
    // 74 bytes on the wire, each way.
    let line = 2 * 29_600;
    for (start, end) in run.exchanges(0) {
        let expected = match start {
            0..3_990_000_000 => 20_000_000,
            3_990_000_000..4_000_000_000 => 40_000_000,
            _ => 60_000_000,
        };
        // A packet that is being serialized at the change may have either delay.
        let is_between = start.abs_diff(3_990_000_000) < 100_000 || start.abs_diff(4_000_000_000) < 100_000;
        assert!(is_between || (end - start).abs_diff(expected + line) <= 1000, "{} ns from {start} on", end - start);
    }
}

fn monitored(miimon: &str, family: &str) -> Recorded {
    record(&format!(
        r#"
        title = "failover"
        family = "{family}"
        hosts = {{ a = {{}}, b = {{}} }}
        switches = {{ s = {{}} }}
        links = [
            {{ between = ["a", "s"], bond = "active-backup", miimon = "{miimon}", rate = "100 Mbit/s", delay = "5 ms", buffer = "200 packets", outages = [{{ at = "2 s", for = "2 s", down = true }}] }},
            {{ between = ["a", "s"], bond = "active-backup", miimon = "{miimon}", rate = "100 Mbit/s", delay = "5 ms", buffer = "200 packets" }},
            {{ between = ["s", "b"], rate = "1 Gbit/s", buffer = "1000 packets" }},
        ]
        flows = [{{ from = "a", to = "b", kind = "ping", interval = "1 ms", size = "8 B", duration = "5 s" }}]
        "#
    ))
}

/// Pings leave each millisecond. A cable is pulled at 2 s. The unanswered pings are those whose answer would have left
/// later, 5 ms after the ping, until both ends have checked their carrier, every `miimon`
/// (Documentation/networking/bonding.rst); without `miimon`, until the cable is back at 4 s. Afterwards the flow stays
/// on the other link.
#[test]
fn a_bond_fails_over_when_it_next_looks() {
    for (miimon, most, family) in
        [("off", 2000, "ipv4"), ("50 ms", 50, "ipv4"), ("200 ms", 200, "ipv4"), ("50 ms", 50, "ipv6")]
    {
        let run = monitored(miimon, family);
        let lost = |(start, end): &(u64, u64)| (*end == 0).then_some(*start / 1_000_000);
        let lost: Vec<u64> = run.exchanges(0).iter().filter_map(lost).collect();
        let (first, last) = (lost[0], *lost.last().unwrap());
        assert_eq!(first, 1995, "{miimon}, {family}");
        assert_eq!(last - first + 1, lost.len() as u64, "{miimon}, {family}: in one piece");
        let dark = last - 2000;
        assert!(dark <= most && dark + 200.min(most) >= most, "{miimon}, {family}: {dark} ms");
        let second = run.device("a", "nic-1").tx_packets;
        assert_eq!(second > 0, miimon != "off", "{miimon}, {family}: {second} packets on the second link");
    }
}

/// `layer3+4` of Documentation/networking/bonding.rst, with ports and addresses in the header's byte order.
fn layer3_4(addresses: [[u8; 4]; 2], ports: [u16; 2]) -> u32 {
    let [[a, b], [c, d]] = ports.map(u16::to_be_bytes);
    let mut hash = u32::from_le_bytes([a, b, c, d]);
    hash ^= addresses.iter().fold(0, |all, address| all ^ u32::from_le_bytes(*address));
    hash ^= hash >> 16;
    hash ^= hash >> 8;
    hash >> 1
}

/// Each of six flows sends twice as many segments as the one before, so the segments of a member show which flows it
/// carried.
#[test]
fn a_bond_spreads_flows_by_the_hash_of_802_3ad() {
    let flow = |kb: u32| format!("{{ from = \"a\", to = \"b\", bytes = \"{kb} kB\" }},");
    let flows: String = (0..6).map(|n| flow(200 << n)).collect();
    let member = "{ between = [\"a\", \"b\"], bond = \"balance-xor\", rate = \"100 Mbit/s\", delay = \"1 ms\", buffer = \"1000 packets\" },";
    let run = record(&format!(
        "title = \"802.3ad\"\nhosts = {{ a = {{ run = [{{ at = \"5 ms\", command = \"cat /proc/net/tcp\" }}] }}, b = {{}} }}\n\
         links = [{}]\nflows = [{flows}]",
        member.repeat(3)
    ));
    let sockets = connections(&run.series.facts.ran[0].output);
    let mut sent = [0; 3];
    for number in 0..6 {
        let to = 6201 + number as u16;
        let [from, _] = *sockets.iter().find(|ports| ports[1] == to).expect("a connection of each flow");
        let member = layer3_4([[10, 0, 0, 1], [10, 0, 0, 2]], [from, to]) % 3;
        sent[member as usize] += run.last_of(number, 0, ["segs_out"])[0];
    }
    let found = ["nic-0", "nic-1", "nic-2"].map(|device| run.device("a", device).tx_packets);
    // A flow's last ACK comes after its last sample; the smallest sends 138 segments.
    let same = sent.iter().zip(found).all(|(sent, found)| sent.abs_diff(found) <= 12);
    assert!(same && sent.iter().filter(|sent| **sent > 0).count() > 1, "{sent:?} by the formula, {found:?} sent");
}

/// Local and remote port of each line of /proc/net/tcp.
fn connections(table: &str) -> Vec<[u16; 2]> {
    let port = |address: &str| u16::from_str_radix(address.split_once(':')?.1, 16).ok();
    let line = |line: &str| {
        let mut words = line.split_whitespace().skip(1);
        Some([port(words.next()?)?, port(words.next()?)?])
    };
    table.lines().skip(1).filter_map(line).collect()
}
