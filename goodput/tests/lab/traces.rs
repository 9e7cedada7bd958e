//! Lines that follow a trace, against arithmetic.

use crate::support::{Recorded, agent, close, kernel, opened};
use experiment::{self, Traces};
use lab::engine::{Engine, uml::Uml};
use plan::Plan;

const MS: u64 = 1_000_000;
const S: u64 = 1000 * MS;

fn plan(spec: &str, text: &str) -> Plan {
    let mut traces = Traces::default();
    traces.insert("t", Ok(text));
    let plan = experiment::plan_with_traces("test.toml", spec, &[], None, &traces);
    plan.unwrap_or_else(|errors| panic!("{errors}"))
}

fn record(spec: &str, text: &str) -> Recorded {
    let trial = plan(spec, text).trials.remove(0);
    let folder = tempfile::tempdir().unwrap();
    Uml::new(vec![(trial.kernel.clone(), kernel())], agent())
        .with_program(env!("CARGO_BIN_EXE_goodput"))
        .record(&trial, &opened(&folder))
        .unwrap_or_else(|error| panic!("{error}"));
    let series = analysis::series(&trial.scene, &opened(&folder)).unwrap();
    Recorded { folder, scene: trial.scene, series }
}

/// Datagrams of 1,500-byte packets, faster than the line: 50 Mbit/s of payload, 1,472 bytes each.
fn flood(rate: &str, buffer: &str, lasts: &str) -> String {
    format!(
        r#"
        title = "trace"
        path = {{ rate = {rate}, rtt = "2 ms", buffer = "{buffer}", backward = {{ rate = "1 Gbit/s" }} }}
        flows = [{{ kind = "udp", rate = "50 Mbit/s", size = "1472 B", duration = "{lasts}" }}]
        record = {{ interval = "1 ms" }}
        "#
    )
}

/// Packets sent by the queue at the time of each sample.
fn passed(run: &Recorded) -> Vec<(u64, u64)> {
    let queue = run.queue(0, 0);
    queue.time.iter().copied().zip(queue.sent_packets.iter().copied()).collect()
}

/// mahimahi, src/frontend/link_queue.cc: each opportunity delivers 1,500 bytes if they wait.
#[test]
fn every_opportunity_that_finds_a_packet_delivers_it() {
    // In each 10 ms four at 3 ms, none at 4 and 5, one at 6 ms, three at 10 ms: 800 a second.
    let text = "3\n3\n3\n3\n6\n10\n10\n10\n";
    let run = record(&flood("{ trace = \"t\" }", "1000 packets", "2 s"), text);
    let datagrams = &run.series.facts.datagrams[&0];
    assert!(datagrams.sent > 8000, "{datagrams:?}");
    // A sample at a whole ms counts all opportunities before and at that time; one packet more is being sent.
    let by = |ms: u64| {
        (ms / 10) * 8
            + match ms % 10 {
                0..3 => 0,
                3..6 => 4,
                _ => 5,
            }
    };
    for (time, packets) in
        passed(&run).into_iter().filter(|(time, _)| (20 * MS..1990 * MS).contains(time) && time % MS == 0)
    {
        let due = by(time / MS);
        assert!(packets >= due && packets <= due + 1, "{packets} packets by {} ms, {due} expected", time / MS);
    }
}

/// A flow of 100 packets a second uses 100 of 800 opportunities a second; lost opportunities do not come back, kept
/// ones do.
#[test]
fn unused_opportunities_are_lost_or_kept() {
    let text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n1000\n";
    let spec = |unused: &str| {
        format!(
            r#"
            title = "burst"
            path = {{ rate = {{ trace = "t", unused = "{unused}" }}, rtt = "2 ms", buffer = "1000 packets", backward = {{ rate = "1 Gbit/s" }} }}
            flows = [{{ kind = "udp", rate = "11.776 Mbit/s", size = "1472 B", start = "500 ms", duration = "20 ms" }}]
            record = {{ interval = "1 ms" }}
            "#
        )
    };
    // 20 packets at 500 to 520 ms: the next opportunities come at 1,000 ms and from 1,001 ms on.
    let at = |run: &Recorded, ms: u64| passed(run).iter().rfind(|(time, _)| *time <= ms * MS).unwrap().1;
    let lost = record(&spec("lost"), text);
    assert!(at(&lost, 900) <= 1, "{} packets left without an opportunity", at(&lost, 900));
    assert!((5..=7).contains(&at(&lost, 1005)), "{} packets by 1,005 ms", at(&lost, 1005));
    let kept = record(&spec("kept"), text);
    assert!((10..=11).contains(&at(&kept, 600)), "{} packets left with ten opportunities kept", at(&kept, 600));
}

/// Packets share opportunities by their bytes: three of 500 bytes in one.
#[test]
fn small_packets_share_an_opportunity() {
    let spec = r#"
        title = "small"
        path = { rate = { trace = "t" }, rtt = "2 ms", buffer = "1000 packets", backward = { rate = "1 Gbit/s" } }
        flows = [{ kind = "udp", rate = "20 Mbit/s", size = "472 B", duration = "2 s" }]
        record = { interval = "1 ms" }
        "#;
    let run = record(spec, "10\n");
    let all = passed(&run);
    let by = |time: u64| all.iter().rfind(|(at, _)| *at <= time).unwrap().1;
    // 100 opportunities a second, three packets of 500 bytes of IP each.
    close((by(1900 * MS) - by(900 * MS)) as f64, 300.0, 0.011, "packets in a second");
}

/// Rates are followed to the bit, also by a packet that is being sent when they change.
#[test]
fn rates_are_integrated_exactly() {
    let text = "time (ms),rate (Mbit/s)\n0,10\n100,0\n150,1\n200,40\n250,10\n";
    let run = record(&flood("{ trace = \"t\", offset = \"120 ms\" }", "1000 packets", "3 s"), text);
    // A packet has 1,538 bytes on the wire. The trace begins at 120 ms of its 250 ms.
    let pieces = [(0.0, 100.0, 10.0), (100.0, 150.0, 0.0), (150.0, 200.0, 1.0), (200.0, 250.0, 40.0)];
    let within = |ms: f64| pieces.iter().map(|&(a, b, rate)| (ms.clamp(a, b) - a) * rate * 1e3).sum::<f64>();
    let lap = within(250.0);
    let bits = |time: u64| {
        let place = time as f64 / 1e6 + 120.0;
        (place / 250.0).floor() * lap + within(place % 250.0) - within(120.0)
    };
    let all = passed(&run);
    let from = all.iter().find(|(time, _)| *time >= 500 * MS).unwrap();
    for (time, packets) in all.iter().filter(|(time, _)| (500 * MS..2900 * MS).contains(time)) {
        let due = (bits(*time) - bits(from.0)) / (1538.0 * 8.0);
        let got = (packets - from.1) as f64;
        assert!((got - due).abs() <= 1.01, "{got} packets by {time} ns, {due} expected");
    }
}

/// The last value is held for ever.
#[test]
fn a_trace_that_ends_keeps_its_last_rate() {
    let text = "time (s),rate (Mbit/s)\n0,1\n0.5,20\n";
    let run = record(&flood("{ trace = \"t\", end = \"hold\" }", "1000 packets", "3 s"), text);
    let all = passed(&run);
    let by = |time: u64| all.iter().rfind(|(at, _)| *at <= time).unwrap().1;
    close((by(2900 * MS) - by(900 * MS)) as f64, 2.0 * 20e6 / (1538.0 * 8.0), 0.001, "packets in 2 s");
}

/// A ping's RTT is the path's plus the delays of both directions' traces when it is sent.
#[test]
fn delays_are_added_when_a_packet_leaves() {
    let text = "time (s),delay (ms)\n0,0\n1,30\n2,5\n3,0\n";
    let spec = r#"
        title = "delays"
        path = { rate = "1 Gbit/s", rtt = "20 ms", buffer = "100 packets", delays = { trace = "t" }, backward = { delays = "none" } }
        flows = [{ kind = "ping", interval = "100 ms", duration = "6 s" }]
        "#;
    let run = record(spec, text);
    for (start, end) in run.exchanges(0) {
        // Steps are not looked at: there a packet waits for the one before it.
        let place = start % (3 * S);
        let due = match place {
            0..900_000_000 => 20.0,
            1_000_000_001..1_900_000_000 => 50.0,
            2_100_000_000..2_900_000_000 => 25.0,
            _ => continue,
        };
        let took = (end - start) as f64 / 1e6;
        assert!((took - due).abs() < 0.01, "{took} ms at {start} ns, {due} expected");
    }
}

/// Each seed begins elsewhere in the trace, and the same one at the same place.
#[test]
fn a_seed_draws_a_place_in_the_trace() {
    let spec = flood("{ trace = \"t\", offset = \"seed\" }", "100 packets", "1 s") + "repeat = { seeds = 20 }\n";
    let text = "time (s),rate (Mbit/s)\n0,1\n50,2\n100,3\n";
    let offsets = |plan: Plan| -> Vec<u64> {
        plan.trials.iter().map(|trial| trial.scene.links[0].forward.rate_trace.as_ref().unwrap().offset).collect()
    };
    let found = offsets(plan(&spec, text));
    assert_eq!(found, offsets(plan(&spec, text)));
    assert!(found.len() == 20 && found.iter().all(|offset| *offset < 100 * S));
    // The mean of 20 uniform draws from 0 to 100 s is 50 s; its standard error is 6.5 s.
    let mean = found.iter().sum::<u64>() as f64 / 20e9;
    assert!((24.0..76.0).contains(&mean), "{mean} s");
}

/// The packets that a link has sent by a time are the integral of its profile's rate, except for the packet being sent.
#[test]
fn a_line_with_a_profile_passes_what_its_model_says() {
    for (profile, flow, lasts) in [
        ("lte-drive\", offset = \"20 s", "20 Mbit/s", 15_000),
        ("5g-mmwave", "700 Mbit/s", 200),
        ("wi-fi", "300 Mbit/s", 400),
        ("starlink\", offset = \"11900 ms", "400 Mbit/s", 300),
    ] {
        let spec = flood(&format!("{{ profile = \"{profile}\" }}"), "20 packets", &format!("{lasts} ms"));
        let run = record(&spec.replace("50 Mbit/s", flow), "");
        let trace = run.scene.links[0].forward.rate_trace.clone().unwrap();
        // 1,500 bytes, 14 of the Ethernet header and 24 of overhead.
        let due = |time: u64| trace.between(0, time) / 1e9 / 8.0 / 1538.0;
        for (time, packets) in passed(&run).into_iter().filter(|(time, _)| (20 * MS..lasts * MS).contains(time)) {
            let told = format!("{profile} at {time} ns: {packets} packets, {} due", due(time));
            // The first datagram comes within 10 ms; a packet is counted when it begins.
            assert!((packets as f64) < due(time) + 2.0, "{told}");
            assert!((packets as f64) > due(time) - due(10 * MS) - 3.0, "{told}");
        }
        assert!(run.queue(0, 0).drops.last().unwrap() > &0, "{profile}: the line was never full");
    }
}

/// Huston 2024: assignments of 15 s; the first begins at second 12.
#[test]
fn starlink_sends_nothing_for_40_ms_as_it_is_assigned_anew() {
    let spec = flood("{ profile = \"starlink\", offset = \"11900 ms\" }", "20 packets", "300 ms")
        .replace("50 Mbit/s", "400 Mbit/s");
    let all = passed(&record(&spec, ""));
    let at = |time: u64| all.iter().rfind(|(t, _)| *t <= time).unwrap().1;
    assert!(at(139 * MS) <= at(100 * MS) + 1);
    assert!(at(200 * MS) > at(141 * MS) + 10);
}
