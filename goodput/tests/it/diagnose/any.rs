//! Evidence of any kind and with any number: no rule panics.

use diagnosis::diagnose::{self, Given, Style};
use evidence::listing::{Counts, Direction, Listing, Period, Processors, Program, Protocol, Reading, Stream};
use evidence::{
    COUNTERS, Connection, Counter, Evidence, Host, Interface, Limits, LinkRate, Offload, Packet, Path, Ping, Place,
    Point, Printed, Route, Seen, Setting, Sweep, System, Table, Tunnel, Window,
};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

fn number() -> impl Strategy<Value = Option<f64>> {
    let odd = select(vec![0.0, 1.0, 1e-9, 1e18, -1.0, f64::NAN, f64::INFINITY]);
    of(prop_oneof![odd, 0.0..1e7])
}

fn whole() -> impl Strategy<Value = u32> {
    prop_oneof![select(vec![0, 1, 28, 536, 1400, 1500, 9000, u32::MAX]), any::<u32>()]
}

fn place() -> impl Strategy<Value = Place> {
    (select(vec!["a", "b"]), 0..9_usize).prop_map(|(file, line)| Place { file: file.into(), line })
}

fn word(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    select(words).prop_map(str::to_owned)
}

prop_compose! {
    fn point()(
        time in 0.0..100.0, bytes in number(), retransmitted in number(), cwnd in number(), ssthresh in number(),
        (srtt, rtt_least) in (number(), number()), rttvar in number(), in_flight in number(), window in number(), unsent in number(),
        quiet in number(), acks in number(), (delivered, marked) in (number(), number()),
        shares in (number(), number(), number()),
    ) -> Point {
        Point {
            time, bytes, retransmitted, cwnd, ssthresh, srtt, rtt_least, rttvar, in_flight, window, unsent, quiet, acks, delivered, marked,
            limits: Limits::from_spent([shares.0, shares.1, shares.2], 1.0),
        }
    }
}

prop_compose! {
    fn packet()(time in 0.0..3.0, bytes in any::<u32>(), lost in any::<bool>(), rtt in number()) -> Packet {
        Packet { time, bytes, lost, rtt: rtt.map(|rtt| rtt as f32) }
    }
}

prop_compose! {
    fn connection()(
        points in vec(point(), 0..40), numbers in vec(number(), 20), group in 0..3_usize,
        exchanges in vec(0.0..2.0, 0..8), place in place(), cut_off in any::<bool>(), written in any::<bool>(),
        target in number(), asked in number(), packets in vec(packet(), 0..40),
    ) -> Connection {
        let mut c = Connection::new(place, evidence::Source::Siftr, "10.0.0.1:1 > [::1]:2", Seen::Both);
        let [bytes, goodput, mss, advmss, sent, again, spurious, seen, order, timeouts, time, rtt, largest, a, b, d, unread, here, there, busy]
            = numbers[..] else { unreachable!() };
        (c.bytes, c.goodput, c.mss, c.advmss, c.segments_sent, c.retransmitted) = (bytes, goodput, mss, advmss, sent, again);
        (c.spurious, c.reordered, c.out_of_order, c.timeouts, c.timeout_time) = (spurious, seen, order, timeouts, time);
        (c.rtt_min, c.unread, c.processors, c.cut_off) = (rtt, unread, [here, there], cut_off);
        c.busy = busy;
        c.window = largest.map(|largest| Window { largest, zeros: 0 });
        c.limits = a.zip(b).zip(d).map(|((busy, rwnd), sndbuf)| Limits { busy, rwnd, sndbuf });
        c.span = a.zip(b).map(|(a, b)| [a, b]);
        (c.written, c.target, c.asked) = (written, target, asked);
        c.group = group;
        c.points = points;
        c.points.sort_by(|a, b| a.time.total_cmp(&b.time));
        c.exchanges = exchanges;
        c.packets = packets;
        c.packets.sort_by(|a, b| a.time.total_cmp(&b.time));
        c
    }
}

const KEYS: &[&str] = &[
    "net.ipv4.tcp_rmem",
    "net.ipv4.tcp_wmem",
    "net.ipv4.tcp_mem",
    "net.ipv4.tcp_adv_win_scale",
    "net.core.rmem_max",
    "net.core.wmem_max",
    "net.ipv4.ip_forward",
    "net.ipv4.tcp_congestion_control",
    "net.ipv4.tcp_window_scaling",
    "net.ipv4.tcp_tw_recycle",
    "net.inet.tcp.recvbuf_max",
    "net.inet.tcp.cc.algorithm",
    "net.inet.tcp.mssdflt",
    "net.ipv4.tcp_no_ssthresh_metrics_save",
];
const VALUES: &[&str] = &[
    "",
    "0",
    "1",
    "-1",
    "-128",
    "127",
    "dctcp",
    "cubic",
    "4096 87380 4194304",
    "4096 131072 6291",
    "0 0 0",
    "99999999999999999999 1 2",
    "1 2",
    "x y z",
    "18446744073709551615 18446744073709551615 18446744073709551615",
];
const KINDS: &[&str] = &["bridge", "bond", "gre", "vxlan", "wireguard", "ipip", "veth"];
const ALGORITHMS: &[&str] = &["rfc4106(gcm(aes))", "cbc(aes)", "hmac(sha1)", "hmac(sha256)", "none"];
const OFFLOADS: &[&str] = &["large-receive-offload", "tcp-segmentation-offload"];

prop_compose! {
    fn interface()(
        place in place(), name in word(&["eth0", "eth1"]), kind in of(word(KINDS)), master in of(word(&["br0"])),
        bond_mode in of(word(&["balance-rr", "802.3ad"])), mtu in of(whole()), rate in number(),
        offloads in vec((place(), word(OFFLOADS), any::<bool>()), 0..3),
        counters in vec((place(), word(&["RX-DRP", "TX-OK", "rx_dropped"]), any::<u64>()), 0..3),
        addresses in vec(word(&["10.0.0.1/24", "::1/128", ""]), 0..2),
    ) -> Interface {
        let offloads = offloads.into_iter().map(|(place, name, on)| Offload { place, name, on, fixed: false }).collect();
        let counters = counters.into_iter().map(|(place, name, value)| Counter::new(place, name, value)).collect();
        Interface { kind, master, bond_mode, mtu, rate, offloads, counters, addresses, ..Interface::new(&name, place) }
    }
}

prop_compose! {
    fn host()(
        place in place(), system in of(select(vec![System::Linux, System::FreeBsd])),
        version in of(word(&["6.12", "6.1.0-9-amd64", "14.2-RELEASE", "", "x"])),
        settings in vec((place(), word(KEYS), word(VALUES)), 0..12), interfaces in vec(interface(), 0..4),
        routes in vec((place(), word(&["default", "10.0.0.0/8"]), of(whole()), word(&["bbr", "x"])), 0..3),
        counters in vec((place(), word(COUNTERS), any::<u64>()), 0..6),
        tunnels in vec((place(), vec(word(ALGORITHMS), 0..3), of(whole()), any::<bool>(), word(&["tunnel", "transport"])), 0..3),
    ) -> Host {
        let mut host = Host { system, version, interfaces, ..Host::new(place) };
        host.settings = settings.into_iter().map(|(place, key, value)| Setting::new(place, key, value)).collect();
        let route = |(place, to, mtu, control): (Place, String, Option<u32>, String)| Route {
            place, to, via: None, device: Some("eth0".into()), mtu, attributes: vec![("congctl".into(), control)],
        };
        host.routes = routes.into_iter().map(route).collect();
        host.counters = counters.into_iter().map(|(place, name, value)| Counter::new(place, name, value)).collect();
        let tunnel = |(place, algorithms, icv_bits, in_udp, mode): (Place, Vec<String>, Option<u32>, bool, String)| Tunnel {
            place, ends: ["10.0.0.1".into(), "::1".into()], mode: Some(mode), algorithms, icv_bits, in_udp,
        };
        host.tunnels = tunnels.into_iter().map(tunnel).collect();
        host
    }
}

prop_compose! {
    fn ping()(
        place in place(), target in word(&["a", "10.0.0.2"]), payload in of(whole()), whole_only in any::<bool>(),
        sent in of(any::<u64>()), answered in of(any::<u64>()), rtts in vec(0.0..1.0, 0..3), too_big in of(whole()),
    ) -> Ping {
        Ping { place, address: target.parse().ok(), target, payload, whole: whole_only, sent, answered, rtts, too_big }
    }
}

prop_compose! {
    fn path()(place in place(), mtus in vec((0..32_u32, whole()), 0..4), pmtu in of(whole()), rtt in number(), reached in any::<bool>()) -> Path {
        Path { place, target: None, mtus, pmtu, rtt, reached }
    }
}

fn reading() -> impl Strategy<Value = Reading> {
    number().prop_map(|value| Reading::exact(value.unwrap_or(0.0)))
}

prop_compose! {
    fn period()(
        start in reading(), end in reading(), bytes in of(reading()), rate in of(reading()), retransmits in of(any::<u64>()),
        cwnd in of(reading()), rtt in number(), window in number(), omitted in any::<bool>(),
    ) -> Period {
        let (datagrams, lost, jitter) = (retransmits, retransmits, None);
        let (rttvar, rtt_min) = (rtt, rtt);
        Period {
            start, end, omitted, bytes, rate, retransmits, cwnd, rtt, rttvar, rtt_min, window, in_flight: window, held: rtt, datagrams, lost, skipped: rtt,
            jitter,
        }
    }
}

prop_compose! {
    fn counts()(sender in of(period()), receiver in of(period()), intervals in vec(period(), 0..4)) -> Counts {
        Counts { sender, receiver, intervals }
    }
}

prop_compose! {
    fn printed()(
        place in place(), streams in vec(counts(), 0..4), sum in counts(), congestion in of(word(&["cubic", "dctcp", "bbr"])),
        mss in of(whole()), error in of(word(&["unable to connect"])),
        protocol in of(select(vec![Protocol::Tcp, Protocol::Udp])), local in 0.0..2.0,
    ) -> Printed {
        let streams = streams.into_iter().enumerate().map(|(id, counts)| Stream { id: id as u32, counts }).collect();
        let listing = Listing {
            hosts: None,
            line: 1, program: Program::Iperf3, command: None, version: None, system: None, clock: None, error, warnings: vec![], protocol, direction: Some(Direction::Forward), congestion,
            duration: None, omit: None, target: None, mss, block: None, asked: None, buffers: None, nodelay: false, handshake: None, processors: Some(Processors { local, remote: None }), streams, sum,
            apart: vec![],
        };
        Printed { place, listing, other_end: None }
    }
}

prop_compose! {
    fn table()(place in place(), cells in vec(vec(word(&["", "x", "3 Mbits/sec", "0 bit/s", "1e99", "53.1 Gbits/sec"]), 0..4), 0..4)) -> Table {
        let columns = ["kind", "1% loss", "3% loss rate", "0% loss"].map(str::to_owned).to_vec();
        Table { place, columns, rows: cells }
    }
}

prop_compose! {
    fn evidence()(
        connections in vec(connection(), 0..5), sums in vec(connection(), 0..2), hosts in vec(host(), 0..3), pings in vec(ping(), 0..4), paths in vec(path(), 0..3),
        sweeps in vec((place(), vec((0.0..9000.0, number()), 0..9), any::<bool>()), 0..2), tables in vec(table(), 0..2),
        listings in vec(printed(), 0..4),
        link_rate in of((place(), number())),
    ) -> Evidence {
        let sweep = |(place, points, mss): (Place, Vec<(f64, Option<f64>)>, bool)| {
            let points = points.into_iter().map(|(length, rate)| (length, rate.unwrap_or(0.0))).collect();
            Sweep { place, points, mss }
        };
        let link_rate = link_rate.map(|(place, rate)| LinkRate { place, rate: rate.unwrap_or(0.0) });
        Evidence {
            listings, connections, sums, hosts, pings, paths, sweeps: sweeps.into_iter().map(sweep).collect(), tables, errors: vec![], link_rate, unread: vec![],
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn no_evidence_makes_a_rule_panic(evidence in evidence(), rate in number(), rtt in number()) {
        for given in [Given::default(), Given { rate, rtt }] {
            let found = diagnose::diagnose(&evidence, given);
            prop_assert!(found.findings.iter().all(|finding| finding.cost.is_finite()));
            for verbose in [false, true] {
                diagnose::page(&found, Style { width: 80, verbose });
            }
        }
    }
}
