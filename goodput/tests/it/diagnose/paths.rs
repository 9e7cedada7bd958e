//! Connections as their arithmetic makes them, each on a path with one limit.

use evidence::{Connection, Packet, Place, Point, Seen};

/// Payload of a full segment, bytes.
pub const MSS: f64 = 1448.0;

/// A connection of `seconds`, with a point from `point` every `step` seconds.
pub fn connection(seconds: f64, step: f64, point: impl Fn(f64) -> Point) -> Connection {
    let mut c = Connection::new(
        Place { file: "ss.txt".into(), line: 1 },
        evidence::Source::Ss,
        "192.0.2.1:1 > 192.0.2.2:2",
        Seen::Sender,
    );
    let times = (0..=(seconds / step).round() as usize).map(|number| number as f64 * step);
    c.points = times.map(|time| Point { time, ..point(time) }).collect();
    filled(c, seconds)
}

/// Fills in the totals that follow from the points.
pub fn filled(mut c: Connection, seconds: f64) -> Connection {
    let bytes: f64 = c.points.iter().filter_map(|point| point.bytes).sum();
    c.span = Some([0.0, seconds]);
    c.bytes = Some(bytes);
    c.goodput = Some(bytes * 8.0 / seconds);
    c.mss = Some(MSS);
    c.retransmitted = c.points.iter().map(|point| point.retransmitted).sum();
    c.congestion = Some("cubic".into());
    c
}

/// Bytes in a step at a rate in Mbit/s.
pub fn bytes(rate: f64, step: f64) -> Option<f64> {
    Some(rate * 1e6 / 8.0 * step)
}

/// A sender that backs off to 0.7 behind a token bucket of 10 Mbit/s and 60 kB: at 40 ms, in steps of half of that.
pub fn policed() -> Connection {
    const RATE: f64 = 1.25e6;
    const BURST: f64 = 60e3;
    let (rtt, step) = (0.04, 0.02);
    let (mut cwnd, mut tokens, mut wait) = (10.0 * MSS, BURST, 0.0);
    let mut points = vec![Point { time: 0.0, bytes: Some(0.0), retransmitted: Some(0.0), ..Point::default() }];
    for number in 1..=1000 {
        let offered = cwnd * step / rtt;
        tokens = f64::min(BURST, tokens + RATE * step);
        let passed = f64::min(offered, tokens);
        let lost = ((offered - passed) / MSS).ceil();
        tokens -= passed;
        if lost > 0.0 && wait <= 0.0 {
            (cwnd, wait) = (0.7 * cwnd, rtt);
        } else if lost == 0.0 {
            cwnd += if number > 30 { MSS * step / rtt } else { 0.7 * cwnd * step / rtt };
        }
        wait -= step;
        points.push(Point {
            time: f64::from(number) * step,
            bytes: Some(passed),
            retransmitted: Some(lost),
            cwnd: Some(cwnd),
            srtt: Some(rtt),
            ..Point::default()
        });
    }
    let c = connection(20.0, 1.0, |_| Point::default());
    filled(Connection { points, rtt_min: Some(rtt), ..c }, 20.0)
}

/// A sender that backs off to a half behind a queue of 15 % of the BDP, at 10 Mbit/s and 50 ms.
pub fn shallow() -> Connection {
    const RATE: f64 = 1.25e6;
    let (rtt, step) = (0.05, 0.025);
    let bdp = RATE * rtt;
    let mut cwnd = 10.0 * MSS;
    let mut points = vec![];
    for number in 0..=800 {
        let queue = (cwnd - bdp).max(0.0);
        let srtt = rtt + queue / RATE;
        let lost = if queue > 0.15 * bdp { 3.0 } else { 0.0 };
        let bytes = f64::min(RATE, cwnd / rtt) * step;
        points.push(Point {
            time: f64::from(number) * step,
            bytes: Some(if number == 0 { 0.0 } else { bytes }),
            retransmitted: Some(lost),
            cwnd: Some(cwnd),
            srtt: Some(srtt),
            ..Point::default()
        });
        cwnd = if lost > 0.0 { cwnd / 2.0 } else { cwnd + MSS * step / rtt };
    }
    let c = connection(20.0, 1.0, |_| Point::default());
    filled(Connection { points, rtt_min: Some(rtt), congestion: Some("reno".into()), ..c }, 20.0)
}

/// Points of 0.1 s, added up to seconds.
pub fn seconds(points: &[Point]) -> Vec<Point> {
    let sum = |of: &[Point], part: fn(&Point) -> Option<f64>| of.iter().map(part).sum();
    let second = |of: &[Point]| Point {
        time: of[of.len() - 1].time,
        bytes: sum(of, |point| point.bytes),
        retransmitted: sum(of, |point| point.retransmitted),
        srtt: of[of.len() - 1].srtt,
        ..Point::default()
    };
    points[..1].iter().copied().chain(points[1..].chunks(10).map(second)).collect()
}

/// Causes of drops on a path of 10 Mbit/s and 40 ms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Drops {
    /// A token bucket of 60 kB.
    Bucket,
    /// A token bucket of 2 MB, behind a queue of 30 kB at 20 Mbit/s.
    LargeBucket,
    /// A queue of 60 kB.
    Queue,
    /// Random loss: packets lost of every 1000.
    Chance(u64),
}

/// Captures at the sender of connections that back off to 0.7, all behind the same drops, for 10 s. The packets of a
/// window are spread over half a round trip.
pub fn captured(connections: usize, drops: Drops) -> Vec<Connection> {
    const RATE: f64 = 1.25e6;
    const BUCKET_BYTES: f64 = 60e3;
    const RTT: f64 = 0.04;
    let (mut level, mut queue, mut before, mut lot) = (0.0_f64, 0.0_f64, 0.0, 1_u64);
    let mut windows = vec![10.0_f64; connections];
    let mut packets = vec![vec![]; connections];
    for round in 0..250 {
        let sent = |(who, window): (usize, &f64)| {
            let count = window.floor();
            let start = RTT * (f64::from(round) + who as f64 / connections as f64 / 2.0);
            (0..count as u32).map(move |number| (start + RTT / 2.0 * f64::from(number) / count, who))
        };
        let mut all: Vec<(f64, usize)> = windows.iter().enumerate().flat_map(sent).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut lossy = vec![false; connections];
        for (time, who) in all {
            let size = MSS + 66.0;
            level = (level - RATE * (time - before)).max(0.0);
            queue = (queue - 2.0 * RATE * (time - before)).max(0.0);
            before = time;
            lot = lot.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let lost = match drops {
                Drops::Chance(of_1000) => (lot >> 33) % 1000 < of_1000,
                Drops::LargeBucket => level + size > 2e6 || queue + size > 30e3,
                Drops::Bucket | Drops::Queue => level + size > BUCKET_BYTES,
            };
            let wait = match drops {
                Drops::Queue => level / RATE,
                Drops::LargeBucket => queue / (2.0 * RATE),
                Drops::Bucket | Drops::Chance(_) => 0.0,
            };
            let jitter = 1e-3 * ((lot >> 40) % 1000) as f64 / 1000.0;
            let rtt = (!lost).then_some((RTT + wait + jitter) as f32);
            packets[who].push(Packet { time, bytes: MSS as u32, lost, rtt });
            lossy[who] |= lost;
            let passed = if lost { 0.0 } else { size };
            (level, queue) = (level + passed, queue + passed);
        }
        for (window, lossy) in windows.iter_mut().zip(lossy) {
            *window = if lossy { (0.7 * *window).max(2.0) } else { *window + if round < 3 { *window } else { 1.0 } };
        }
    }
    packets.into_iter().enumerate().map(|(number, packets)| of_capture(number, packets, RTT)).collect()
}

fn of_capture(number: usize, packets: Vec<Packet>, rtt: f64) -> Connection {
    let point = |time: f64| {
        let within = || packets.iter().filter(move |packet| (time - 0.1..time).contains(&packet.time));
        let arrived: u32 = within().filter(|packet| !packet.lost).map(|packet| packet.bytes).sum();
        let rtts: Vec<f64> = within().filter_map(|packet| packet.rtt).map(f64::from).collect();
        Point {
            bytes: Some(f64::from(arrived)),
            retransmitted: Some(within().filter(|packet| packet.lost).count() as f64),
            srtt: (!rtts.is_empty()).then(|| rtts.iter().sum::<f64>() / rtts.len() as f64),
            ..Point::default()
        }
    };
    let c = Connection { packets: packets.clone(), ..connection(10.0, 0.1, point) };
    let name = format!("192.0.2.1:{number} → 192.0.2.2:2");
    let ends = Some(["192.0.2.1", "192.0.2.2"].map(|end| end.parse().unwrap()));
    let again = c.retransmitted;
    Connection {
        name,
        ends,
        source: evidence::Source::Capture,
        rtt_min: Some(rtt),
        spurious: again.map(|_| 0.0),
        congestion: None,
        ..c
    }
}
