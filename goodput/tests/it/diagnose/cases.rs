//! A case for each rule: evidence that a person would have, and the one figure without which the rule finds nothing.

mod ecn;
mod hosts;

use super::paths::{Drops, MSS, bytes, captured, connection, policed, shallow};
use super::{CASES as FOLDER, LISTINGS};
use diagnosis::diagnose::{Given, Severity};
use evidence::{Connection, Evidence, Limits, Packet, Point, Source, Window, import};
use std::fs;
use std::path::Path;

/// Evidence in which a rule finds something.
pub struct Case {
    /// Subject of the case, if a rule has several.
    pub name: &'static str,
    /// The rule whose finding comes first, among problems or among notes.
    pub rule: &'static str,
    pub severity: Severity,
    pub evidence: fn() -> Evidence,
    pub given: Given,
    /// Takes away the figure that decides.
    pub spoil: fn(&mut Evidence),
}

const NOTHING: Given = Given { rate: None, rtt: None };
const GIGABIT: Given = Given { rate: Some(1e9), rtt: None };

const fn problem(rule: &'static str, evidence: fn() -> Evidence, spoil: fn(&mut Evidence)) -> Case {
    Case { name: "", rule, severity: Severity::Problem, evidence, given: NOTHING, spoil }
}

const fn note(rule: &'static str, evidence: fn() -> Evidence, spoil: fn(&mut Evidence)) -> Case {
    Case { name: "", rule, severity: Severity::Note, evidence, given: NOTHING, spoil }
}

/// Evidence read from files next to the pages.
pub fn read(names: &[&str]) -> Evidence {
    let mut evidence = Evidence::default();
    for name in names {
        import::read(name, &fs::read(Path::new(FOLDER).join(name)).unwrap(), &mut evidence);
    }
    evidence
}

fn listing(name: &str) -> Evidence {
    let mut evidence = Evidence::default();
    import::read(name, &fs::read(Path::new(LISTINGS).join(name)).unwrap(), &mut evidence);
    evidence
}

fn of(connection: Connection) -> Evidence {
    Evidence { connections: vec![connection], ..Evidence::default() }
}

fn with(mut evidence: Evidence, connection: Connection) -> Evidence {
    evidence.connections.push(connection);
    evidence
}

fn points(evidence: &mut Evidence) -> impl Iterator<Item = &mut Point> {
    evidence.connections.iter_mut().flat_map(|connection| &mut connection.points)
}

/// A connection that is busy for 20 s at 8 Mbit/s, and where its time went.
fn limited(limits: Limits) -> Connection {
    let c = connection(20.0, 1.0, |_| Point { bytes: bytes(8.0, 1.0), ..Point::default() });
    Connection { limits: Some(limits), rtt_min: Some(0.1), ..c }
}

/// A connection that opens and never gets a full segment through.
fn stuck() -> Connection {
    let c = connection(20.0, 0.5, |time| Point {
        retransmitted: Some(f64::from(u8::from(time == 5.0))),
        bytes: Some(0.0),
        ..Point::default()
    });
    Connection { bytes: Some(200.0), goodput: Some(80.0), retransmitted: Some(6.0), timeouts: Some(6.0), ..c }
}

/// Late segments; the sender took most of them for lost.
fn reordered() -> Connection {
    Connection {
        reordered: Some(50.0),
        segments_sent: Some(10_000.0),
        out_of_order: Some(0.05),
        retransmitted: Some(40.0),
        spurious: Some(30.0),
        ..limited(BUSY)
    }
}

const PACKET: Packet = Packet { time: 0.0, bytes: 1448, lost: false, rtt: None };

const BUSY: Limits = Limits { busy: 1.0, rwnd: 0.0, sndbuf: 0.0 };

/// All cases.
pub fn cases() -> impl Iterator<Item = &'static Case> {
    CASES.iter().chain(ecn::CASES).chain(hosts::CASES)
}

const CASES: &[Case] = &[
    problem(
        "offload-forwarding",
        || {
            let slow = connection(20.0, 1.0, |_| Point {
                bytes: bytes(1.4, 1.0),
                retransmitted: Some(20.0),
                ..Point::default()
            });
            with(read(&["bridge.txt"]), slow)
        },
        |evidence| {
            let offloads = evidence.hosts.iter_mut().flat_map(|h| &mut h.interfaces).flat_map(|i| &mut i.offloads);
            offloads.filter(|offload| offload.name == "large-receive-offload").for_each(|offload| offload.on = false);
        },
    ),
    problem(
        "packet-length",
        || read(&["sweep.csv"]),
        |evidence| evidence.sweeps[0].points.iter_mut().for_each(|(_, rate)| *rate = rate.max(5e8)),
    ),
    problem("tunnel-mtu", || with(read(&["esp.txt"]), stuck()), |evidence| evidence.hosts[0].tunnels.clear()),
    problem("mtu-black-hole", || read(&["pings.txt"]), |evidence| evidence.pings[1].answered = Some(4)),
    Case {
        name: "a connection that is stuck",
        ..problem("mtu-black-hole", || of(stuck()), |evidence| evidence.connections[0].bytes = Some(1e6))
    },
    Case {
        name: "the traced path",
        ..note("mtu-black-hole", || read(&["tracepath.txt"]), |evidence| evidence.paths[0].pmtu = Some(1500))
    },
    problem(
        "outage",
        || {
            let gone = |time: f64| time > 8.05 && time < 12.05;
            let c = connection(20.0, 0.1, |time| Point {
                bytes: bytes(if gone(time) { 0.0 } else { 10.0 }, 0.1),
                ..Point::default()
            });
            of(Connection { timeouts: Some(4.0), retransmitted: Some(5.0), ..c })
        },
        |evidence| points(evidence).for_each(|point| point.bytes = bytes(10.0, 0.1)),
    ),
    problem(
        "receiver-not-reading",
        || {
            let window = Some(Window { largest: 1e5, zeros: 7 });
            of(Connection { window, ..limited(Limits { rwnd: 0.9, ..BUSY }) })
        },
        |evidence| evidence.connections[0].window = Some(Window { largest: 1e5, zeros: 0 }),
    ),
    Case {
        name: "a window that shrinks",
        ..problem(
            "receiver-not-reading",
            || {
                let mut evidence = of(limited(Limits { rwnd: 0.9, ..BUSY }));
                let windows = [1e5, 7e4, 9e4];
                points(&mut evidence).zip(windows.into_iter().cycle()).for_each(|(p, w)| p.window = Some(w));
                evidence
            },
            |evidence| points(evidence).for_each(|point| point.window = Some(1e5)),
        )
    },
    problem(
        "cpu-bound",
        || of(Connection { processors: [Some(0.99), Some(0.3)], ..limited(BUSY) }),
        |evidence| evidence.connections[0].processors = [Some(0.5), Some(0.3)],
    ),
    problem(
        "sysctl-units",
        || read(&["tcp-mem.txt"]),
        |evidence| evidence.hosts[0].settings[0].value = "98304 131072 196608".into(),
    ),
    Case {
        name: "a largest buffer below the first",
        ..problem(
            "sysctl-units",
            || read(&["rmem.txt"]),
            |evidence| evidence.hosts[0].settings[0].value = "4096 131072 6291456".into(),
        )
    },
    problem(
        "receiver-window",
        || of(limited(Limits { rwnd: 0.9, ..BUSY })),
        |evidence| evidence.connections[0].limits = Some(Limits { rwnd: 0.1, ..BUSY }),
    ),
    Case {
        name: "computed from a setting",
        ..problem(
            "receiver-window",
            || {
                // 6 MB, half of it window, at 210 ms: 120 Mbit/s.
                let c = connection(20.0, 1.0, |_| Point {
                    bytes: bytes(110.0, 1.0),
                    retransmitted: Some(0.0),
                    cwnd: Some(8e6),
                    ..Point::default()
                });
                let mut evidence = with(read(&["rmem.txt"]), Connection { rtt_min: Some(0.21), ..c });
                evidence.hosts[0].settings[0].value = "4096 131072 6291456".into();
                evidence
            },
            // A congestion window that the flow fills in each round trip limits it.
            |evidence| points(evidence).for_each(|point| point.cwnd = Some(2.9e6)),
        )
    },
    problem(
        "window-or-buffer",
        || {
            // 100 kB in flight of 400 kB.
            let c = connection(20.0, 1.0, |_| Point {
                bytes: bytes(8.0, 1.0),
                retransmitted: Some(0.0),
                cwnd: Some(4e5),
                ..Point::default()
            });
            of(Connection { rtt_min: Some(0.1), ..c })
        },
        |evidence| points(evidence).for_each(|point| point.cwnd = Some(1e5 + 4e3 * point.time)),
    ),
    problem(
        "send-buffer",
        || of(limited(Limits { sndbuf: 0.8, ..BUSY })),
        |evidence| evidence.connections[0].limits = Some(Limits { sndbuf: 0.1, ..BUSY }),
    ),
    problem(
        "application-limited",
        || of(limited(Limits { busy: 0.3, ..BUSY })),
        |evidence| evidence.connections[0].limits = Some(BUSY),
    ),
    problem(
        "nagle-delayed-ack",
        || {
            let c =
                connection(2.0, 1.0, |_| Point { bytes: Some(5000.0), retransmitted: Some(0.0), ..Point::default() });
            of(Connection { exchanges: vec![0.0605; 20], rtt_min: Some(0.02), ..c })
        },
        |evidence| evidence.connections[0].exchanges = vec![0.0305; 20],
    ),
    problem(
        "idle-restart",
        || {
            let grown = |time: f64| 10.0 * MSS * 2f64.powi(((time * 4.0).round() as i32) % 4);
            let c = connection(20.0, 0.25, |time| Point {
                bytes: Some(grown(time)),
                retransmitted: Some(0.0),
                cwnd: Some(grown(time)),
                ..Point::default()
            });
            of(Connection { rtt_min: Some(0.05), ..c })
        },
        |evidence| points(evidence).for_each(|point| point.cwnd = Some(80.0 * MSS)),
    ),
    problem(
        "short-flows",
        || {
            let c = connection(0.5, 0.05, |time| Point {
                bytes: Some(if time > 0.0 { 100.0 * MSS } else { 0.0 }),
                retransmitted: Some(0.0),
                cwnd: Some((10.0 + 200.0 * time) * MSS),
                ..Point::default()
            });
            of(Connection { rtt_min: Some(0.05), ..c })
        },
        |evidence| points(evidence).for_each(|point| point.ssthresh = Some(50.0 * MSS)),
    ),
    problem(
        "slow-start-exit",
        || {
            // Doubles each 0.1 s until HyStart leaves at 100 segments, then grows by 9 % of the end each second.
            let cwnd = |time: f64| {
                let segments = if time < 0.35 { 12.5 * 2f64.powf(time / 0.1) } else { 100.0 + (time - 0.3) * 93.0 };
                segments * MSS
            };
            let c = connection(10.0, 0.1, |time| Point {
                bytes: Some(cwnd(time) * 2.0),
                retransmitted: Some(0.0),
                cwnd: Some(cwnd(time)),
                ssthresh: (time > 0.25).then_some(100.0 * MSS),
                srtt: Some(0.05),
                ..Point::default()
            });
            of(Connection { rtt_min: Some(0.05), ..c })
        },
        |evidence| points(evidence).filter(|p| p.ssthresh.is_some()).for_each(|p| p.ssthresh = Some(900.0 * MSS)),
    ),
    problem(
        "slow-start-overshoot",
        || {
            // 400 of 3,000 segments are lost; CUBIC regains them after cbrt(0.3 * 3000 / 0.4) = 13 s (RFC 9438, 4.2).
            let cubic = |time: f64| 0.4 * (time - (0.75 * 3000f64).cbrt()).powi(3) + 3000.0;
            let cwnd = |time: f64| MSS * if time < 1.5 { 1500.0 * (1.0 + time) } else { cubic(time - 2.0) };
            let c = connection(10.0, 1.0, |time| Point {
                bytes: Some((cwnd(time - 1.0) + cwnd(time)) / 2.0 / 0.2),
                retransmitted: Some(if time == 2.0 { 400.0 } else { 0.0 }),
                cwnd: Some(cwnd(time)),
                srtt: Some(0.2),
                ..Point::default()
            });
            of(Connection { rtt_min: Some(0.2), ..c })
        },
        |evidence| points(evidence).for_each(|point| point.retransmitted = Some(0.0)),
    ),
    problem(
        "cached-metrics",
        || {
            let c = connection(10.0, 0.5, |time| Point {
                bytes: Some((10.0 + 20.0 * time) * MSS),
                retransmitted: Some(0.0),
                cwnd: Some((10.0 + 20.0 * time) * MSS),
                ssthresh: Some(20.0 * MSS),
                ..Point::default()
            });
            of(Connection { rtt_min: Some(0.05), ..c })
        },
        |evidence| evidence.connections[0].points[0].ssthresh = None,
    ),
    problem(
        "reordering",
        || of(reordered()),
        |evidence| (evidence.connections[0].reordered, evidence.connections[0].spurious) = (Some(0.0), Some(0.0)),
    ),
    Case {
        name: "spurious retransmissions in a capture",
        ..problem(
            "reordering",
            || of(Connection { packets: vec![PACKET], ..reordered() }),
            |evidence| evidence.connections[0].spurious = Some(9.0),
        )
    },
    Case {
        name: "one retransmission in twenty for nothing in a capture",
        ..problem(
            "reordering",
            || of(Connection { packets: vec![PACKET], reordered: Some(1.0), timeouts: Some(0.0), ..reordered() }),
            |evidence| evidence.connections[0].spurious = Some(9.0),
        )
    },
    Case {
        name: "not what timeouts sent again for nothing",
        ..problem(
            "reordering",
            || of(Connection { packets: vec![PACKET], timeouts: Some(0.0), ..reordered() }),
            |evidence| evidence.connections[0].timeouts = Some(2.0),
        )
    },
    Case {
        name: "a host's counters",
        ..note(
            "reordering",
            || read(&["dsack.txt"]),
            |evidence| evidence.hosts[0].counters.retain(|counter| counter.name != "TcpExtTCPDSACKRecv"),
        )
    },
    problem(
        "policer",
        || of(policed()),
        |evidence| {
            // A queue that is full before each loss.
            let points = &mut evidence.connections[0].points;
            for at in 2..points.len() {
                if points[at].retransmitted > Some(0.0) {
                    (points[at - 1].srtt, points[at - 2].srtt) = (Some(0.09), Some(0.08));
                }
            }
        },
    ),
    Case {
        name: "packets of a capture",
        ..problem(
            "policer",
            || Evidence { connections: captured(2, Drops::Bucket), ..Evidence::default() },
            |evidence| evidence.connections = captured(2, Drops::Queue),
        )
    },
    problem(
        "timeouts",
        || {
            of(Connection {
                timeouts: Some(30.0),
                timeout_time: Some(8.0),
                retransmitted: Some(60.0),
                points: vec![],
                ..limited(BUSY)
            })
        },
        |evidence| evidence.connections[0].timeouts = Some(1.0),
    ),
    Case {
        name: "a table over loss",
        ..problem(
            "timeouts",
            || read(&["loss-table.md"]),
            |evidence| evidence.tables[0].rows[0][2] = "20 Mbits/sec".into(),
        )
    },
    Case {
        name: "a host's counters",
        ..note(
            "timeouts",
            || read(&["counters.txt"]),
            |evidence| evidence.hosts[0].counters.retain(|counter| counter.name != "TcpExtTCPTimeouts"),
        )
    },
    Case {
        given: GIGABIT,
        ..problem(
            "shallow-buffer",
            || {
                // A second each at 880, 660 and 780 Mbit/s, 77 % of the link on average; losses at the top, at 62 ms
                // for 50.
                let c = connection(21.0, 1.0, |time| {
                    let at = time.round() as usize % 3;
                    Point {
                        bytes: bytes([880.0, 660.0, 780.0][at], 1.0),
                        retransmitted: Some([4.0, 0.0, 0.0][at]),
                        srtt: Some([0.062, 0.055, 0.059][at]),
                        ..Point::default()
                    }
                });
                of(Connection { rtt_min: Some(0.05), ..c })
            },
            |evidence| points(evidence).for_each(|point| point.srtt = Some(0.05)),
        )
    },
    problem("shallow-buffer", || of(shallow()), |evidence| points(evidence).for_each(|point| point.srtt = Some(0.05))),
    problem(
        "bufferbloat",
        || {
            let c = connection(20.0, 0.1, |time| Point {
                bytes: bytes(10.0, 0.1),
                retransmitted: Some(0.0),
                srtt: Some(if time < 1.0 { 0.02 } else { 0.1 }),
                ..Point::default()
            });
            of(Connection { rtt_min: Some(0.02), ..c })
        },
        |evidence| points(evidence).for_each(|point| point.srtt = Some(0.03)),
    ),
    Case {
        given: GIGABIT,
        ..problem(
            "loss-response",
            || {
                // Six loss events among 34,530 segments at 100 ms: CUBIC predicts 14.4 Mbit/s. The sending rate falls
                // at each and recovers.
                let since = |time: f64| ((time * 10.0).round() as u32 + 13) % 33;
                let c = connection(20.0, 0.1, |time| Point {
                    bytes: bytes(15.0 + 10.0 * f64::from(since(time)) / 32.0, 0.1),
                    retransmitted: Some(f64::from(u8::from(since(time) == 0))),
                    cwnd: Some(170.0 * MSS),
                    srtt: Some(0.1),
                    ..Point::default()
                });
                of(Connection { rtt_min: Some(0.1), limits: Some(BUSY), ..c })
            },
            |evidence| {
                evidence.connections[0].retransmitted = Some(0.0);
                points(evidence).for_each(|point| point.retransmitted = Some(0.0));
            },
        )
    },
    Case {
        given: Given { rate: Some(50e6), rtt: None },
        ..problem(
            "cross-traffic",
            || {
                // 5 to 15 of 50 Mbit/s at 60 ms on a path of 20 ms: 37 to 112 kB of window, which 50 Mbit/s carry in 18 ms.
                let of = |time: f64| 5.0 + time % 11.0;
                let c = connection(20.0, 1.0, |time| Point {
                    bytes: bytes(of(time), 1.0),
                    retransmitted: Some(f64::from(u8::from(time % 11.0 == 0.0))),
                    cwnd: Some(of(time) * 0.06 * 1e6 / 8.0),
                    srtt: Some(0.06),
                    ..Point::default()
                });
                Evidence {
                    connections: vec![Connection { rtt_min: Some(0.02), limits: Some(BUSY), ..c }],
                    ..Evidence::default()
                }
            },
            |evidence| points(evidence).for_each(|point| point.srtt = Some(0.022)),
        )
    },
    Case {
        given: GIGABIT,
        ..problem(
            "cross-traffic",
            || {
                // 500 ACKs a second, of 30 to 40 Mbit/s.
                let c = connection(20.0, 1.0, |time| Point {
                    bytes: bytes(30.0 + time / 2.0, 1.0),
                    acks: Some(500.0),
                    retransmitted: Some(0.0),
                    cwnd: Some(0.1 * 1e6 / 8.0 * (30.0 + time / 2.0)),
                    srtt: Some(0.1),
                    ..Point::default()
                });
                of(Connection { rtt_min: Some(0.02), limits: Some(BUSY), ..c })
            },
            // The usual number of ACKs: one for every two segments.
            |evidence| points(evidence).for_each(|point| point.acks = point.bytes.map(|bytes| bytes / 2.0 / MSS)),
        )
    },
    problem(
        "rtt-unfairness",
        || {
            let flow = |rate: f64, rtt: f64| {
                let c = connection(20.0, 1.0, |_| Point { bytes: bytes(rate, 1.0), ..Point::default() });
                Connection { rtt_min: Some(rtt), ..c }
            };
            with(of(flow(40.0, 0.02)), flow(10.0, 0.08))
        },
        |evidence| evidence.connections[1].goodput = Some(40e6),
    ),
    note(
        "void-setting",
        || read(&["recycle.txt"]),
        |evidence| evidence.hosts[0].settings[0].key = "net.ipv4.tcp_tw_reuse".into(),
    ),
    Case {
        given: GIGABIT,
        ..problem(
            "rate-cap",
            || {
                let c = connection(20.0, 0.02, |time| Point {
                    bytes: bytes(480.0, 0.02),
                    retransmitted: Some(0.0),
                    srtt: Some(if time < 1.0 { 0.01 } else { 0.012 }),
                    ..Point::default()
                });
                of(Connection { rtt_min: Some(0.01), ..c })
            },
            |evidence| points(evidence).for_each(|point| point.srtt = Some(0.01)),
        )
    },
    Case {
        name: "two runs",
        ..problem("rate-cap", || listing("ipsec-tunnel.txt"), |evidence| evidence.listings.truncate(1))
    },
    problem("tcp-over-tcp", || read(&["tcp-over-tcp.txt"]), |evidence| evidence.connections[0].spurious = Some(1.0)),
    Case {
        name: "beside a speed test",
        ..problem(
            "bufferbloat",
            || read(&["speedtest.txt"]),
            |evidence| {
                evidence.sums.iter_mut().flat_map(|sum| &mut sum.points).for_each(|point| point.srtt = None);
            },
        )
    },
    problem(
        "radio-link",
        || {
            // Five seconds each of 40 and of 10 Mbit/s; cwnd stays.
            let c = connection(60.0, 1.0, |time| Point {
                bytes: bytes(if (time / 5.0).ceil() as i32 % 2 == 0 { 40.0 } else { 10.0 }, 1.0),
                retransmitted: Some(1.0),
                cwnd: Some(1e6),
                ..Point::default()
            });
            of(Connection { source: Source::Iperf3, retransmitted: Some(60.0), ..c })
        },
        |evidence| points(evidence).for_each(|point| point.bytes = bytes(25.0, 1.0)),
    ),
    note("few-samples", || read(&["loss-table.md"]), |evidence| evidence.tables[0].rows.truncate(1)),
];
