//! Connections as their arithmetic makes them, each on a path with one limit.

use evidence::{Connection, Place, Point, Seen};

/// Payload of a full segment, bytes.
pub const MSS: f64 = 1448.0;

/// A connection of so many seconds, with points of what `point` says of each time.
pub fn connection(seconds: f64, step: f64, point: impl Fn(f64) -> Point) -> Connection {
    let mut c =
        Connection::new(Place { file: "ss.txt".into(), line: 1 }, "ss", "192.0.2.1:1 > 192.0.2.2:2", Seen::Sender);
    let times = (0..=(seconds / step).round() as usize).map(|number| number as f64 * step);
    c.points = times.map(|time| Point { time, ..point(time) }).collect();
    filled(c, seconds)
}

/// With what follows from the points.
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
