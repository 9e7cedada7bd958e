//! No diagnosis may depend on how many seconds a round trip takes. Evidence with times k times as long, rates 1/k, and
//! the same bytes and counts is the same transfer seen with a slower clock, and has the same diagnosis. Exceptions
//! would be a kernel constant in seconds, such as the minimum RTO, and a threshold in seconds or bit/s.

use super::{native, real};
use diagnosis::diagnose::{self, Given};
use evidence::listing::{Period, Reading};
use evidence::{Connection, Evidence, Point, import};
use std::collections::BTreeMap;
use std::fs;

const FACTORS: [f64; 4] = [0.25, 0.5, 2.0, 4.0];

/// First finding of a listing, and the number of listings with it whose finding changes at some factor. The numbers may
/// only fall: the test also fails if one is too large.
const CHANGING: &[(&str, usize)] = &[
    ("bufferbloat", 5),
    ("cross-traffic", 4),
    ("mtu-black-hole", 3),
    ("nagle-delayed-ack", 1),
    ("nothing", 2),
    ("outage", 3),
    ("policer", 3),
    ("shallow-buffer", 1),
];

fn scaled(evidence: &Evidence, k: f64) -> Evidence {
    let mut evidence = evidence.clone();
    evidence.connections.iter_mut().chain(&mut evidence.sums).for_each(|connection| scale_connection(connection, k));
    for printed in &mut evidence.listings {
        let listing = &mut printed.listing;
        times([&mut listing.duration, &mut listing.handshake], k);
        times([&mut listing.target], 1.0 / k);
        let streams = listing.streams.iter_mut().chain(&mut listing.apart).map(|stream| &mut stream.counts);
        for counts in streams.chain([&mut listing.sum]) {
            let ends = counts.sender.iter_mut().chain(&mut counts.receiver);
            ends.chain(&mut counts.intervals).for_each(|period| scale_period(period, k));
        }
    }
    for ping in &mut evidence.pings {
        ping.rtts.iter_mut().for_each(|rtt| *rtt *= k);
    }
    evidence.paths.iter_mut().for_each(|path| times([&mut path.rtt], k));
    let interfaces = evidence.hosts.iter_mut().flat_map(|host| &mut host.interfaces);
    interfaces.for_each(|interface| times([&mut interface.rate], 1.0 / k));
    for (_, goodput) in evidence.sweeps.iter_mut().flat_map(|sweep| &mut sweep.points) {
        *goodput /= k;
    }
    evidence.link_rate.iter_mut().for_each(|link| link.rate /= k);
    evidence
}

fn scale_connection(c: &mut Connection, k: f64) {
    times([&mut c.timeout_time, &mut c.rtt_min, &mut c.rtt_base, &mut c.queued_back, &mut c.ended_apart], k);
    times([&mut c.goodput, &mut c.target, &mut c.policed], 1.0 / k);
    c.span = c.span.map(|span| span.map(|time| time * k));
    c.stale = c.stale.map(|[bytes, seconds]| [bytes, seconds * k]);
    c.exchanges.iter_mut().for_each(|took| *took *= k);
    for packet in &mut c.packets {
        packet.time *= k;
        packet.rtt = packet.rtt.map(|rtt| rtt * k as f32);
    }
    for Point { time, srtt, rtt_least, rttvar, quiet, .. } in &mut c.points {
        *time *= k;
        times([srtt, rtt_least, rttvar, quiet], k);
    }
}

fn scale_period(period: &mut Period, k: f64) {
    (period.start, period.end) = (period.start * k, period.end * k);
    times([&mut period.rtt, &mut period.rttvar, &mut period.rtt_min, &mut period.held], k);
    let by = |reading: Option<Reading>, k: f64| reading.map(|reading| reading * k);
    (period.rate, period.jitter) = (by(period.rate, 1.0 / k), by(period.jitter, k));
}

fn times<const N: usize>(values: [&mut Option<f64>; N], k: f64) {
    values.into_iter().flatten().for_each(|value| *value *= k);
}

fn first(evidence: &Evidence, rate: f64) -> &'static str {
    let found = diagnose::diagnose(evidence, Given { rate: Some(rate), rtt: None });
    found.top().map_or("nothing", |top| top.rule)
}

#[test]
fn a_slower_clock_changes_no_diagnosis() {
    let mut changing: BTreeMap<&str, usize> = BTreeMap::new();
    let mut told = vec![];
    for (path, rate) in real::listings().chain(native::listings()) {
        let mut evidence = Evidence::default();
        import::read(&path.display().to_string(), &fs::read(&path).unwrap(), &mut evidence);
        let before = first(&evidence, rate);
        let after = FACTORS.map(|k| first(&scaled(&evidence, k), rate / k));
        if after.iter().any(|after| *after != before) {
            *changing.entry(before).or_default() += 1;
            told.push(format!("{}: {before}, at {FACTORS:?} {after:?}", path.file_name().unwrap().display()));
        }
    }
    let changing: Vec<(&str, usize)> = changing.into_iter().collect();
    assert_eq!(
        changing,
        CHANGING,
        "CHANGING is to be {changing:?}, which may hold no larger numbers:\n{}",
        told.join("\n")
    );
}

/// Scaling evidence there and back restores it, and scaled evidence differs from the original.
#[test]
fn scaling_reaches_every_time_and_rate() {
    let mut evidence = Evidence::default();
    for (path, _) in real::listings().chain(native::listings()) {
        import::read(&path.display().to_string(), &fs::read(&path).unwrap(), &mut evidence);
    }
    assert_eq!(scaled(&scaled(&evidence, 4.0), 0.25), evidence);
    assert_ne!(scaled(&evidence, 4.0), evidence);
    for (old, new) in evidence.connections.iter().zip(&scaled(&evidence, 4.0).connections) {
        assert_eq!((old.bytes, old.retransmitted), (new.bytes, new.retransmitted));
        let goodput = |c: &Connection| Some(c.bytes? * 8.0 / c.span.map(|[start, end]| end - start)?);
        let [old, new] = [old, new].map(goodput);
        assert_eq!(old.map(|old| old / 4.0), new);
    }
}
