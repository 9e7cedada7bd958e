//! Prints evidence in the formats of other programs.

use crate::{Connection, Evidence, Point, plain};
use std::fmt::Write;

/// Prints the bulk connections in the format of an iperf3 sender: one-second intervals, Retr and Cwnd, totals of both
/// ends (src/iperf_locale.c). `None` if there are none.
pub fn iperf3(evidence: &Evidence) -> Option<String> {
    let bulk = |c: &&Connection| c.exchanges.is_empty() && c.span.is_some() && c.bytes.is_some();
    let all: Vec<&Connection> = evidence.connections.iter().filter(bulk).collect();
    let longest = all.iter().filter_map(|c| c.span).map(|[start, end]| end - start).fold(0.0, f64::max);
    if longest <= 0.0 {
        return None;
    }
    let mut text = format!("iperf3 -c receiver -t {} -P {}", longest.round().max(1.0), all.len());
    if let Some(control) =
        all[0].congestion.as_ref().filter(|first| all.iter().all(|c| c.congestion.as_ref() == Some(first)))
    {
        let _ = write!(text, " -C {}", plain::line(control));
    }
    text += "\nConnecting to host receiver, port 5201\n";
    for number in 0..all.len() {
        let _ =
            writeln!(text, "[{:3}] local 10.0.0.1 port {} connected to 10.0.0.2 port 5201", id(number), 40000 + number);
    }
    text += "[ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n";
    let seconds: Vec<Vec<Second>> = all.iter().map(|c| by_seconds(c)).collect();
    for interval in 0..seconds.iter().map(Vec::len).max().unwrap_or(0) {
        for (number, of) in seconds.iter().enumerate() {
            if let Some(second) = of.get(interval) {
                second.write(&mut text, id(number));
            }
        }
        text += if all.len() > 1 { "- - - - - - - - - - - - - - - - - - - - - - - - -\n" } else { "" };
    }
    text += "- - - - - - - - - - - - - - - - - - - - - - - - -\n[ ID] Interval           Transfer     Bitrate         Retr\n";
    for (number, c) in all.iter().enumerate() {
        let seconds = c.span.map_or(longest, |[start, end]| end - start);
        let total = |bytes: f64, retr: &str, end: &str| {
            let (transfer, rate) = (size(bytes), bits(bytes * 8.0 / seconds));
            format!("[{:3}]   0.00-{seconds:<5.2}  sec  {transfer}  {rate}  {retr:>4}             {end}\n", id(number))
        };
        let sent = c.points.iter().filter_map(|p| p.bytes).sum::<f64>().max(c.bytes.unwrap_or(0.0));
        text += &total(sent, &format!("{:.0}", c.retransmitted.unwrap_or(0.0)), "sender");
        text += &total(c.bytes.unwrap_or(0.0), "", "receiver");
    }
    text += "\niperf Done.\n";
    Some(text)
}

/// Returns the number of a stream's socket.
fn id(number: usize) -> usize {
    5 + 2 * number
}

/// One second of a connection.
struct Second {
    from: f64,
    to: f64,
    bytes: f64,
    retransmitted: f64,
    cwnd: f64,
}

impl Second {
    fn write(&self, text: &mut String, id: usize) {
        let Second { from, to, bytes, retransmitted, cwnd } = self;
        let interval = format!("{from:6.2}-{to:<6.2}");
        let (transfer, rate) = (size(*bytes), bits(bytes * 8.0 / (to - from)));
        let _ = writeln!(
            text,
            "[{id:3}] {interval} sec  {transfer}  {rate}  {retransmitted:>4.0}   {}       ",
            size(*cwnd)
        );
    }
}

/// Shortest last interval, s. Shorter ones would print as empty with two decimals and join the one before.
const SHORTEST_INTERVAL_S: f64 = 0.01;

/// Splits a connection into seconds. Empty if its points are unknown, as with a sender on FreeBSD's stack.
fn by_seconds(c: &Connection) -> Vec<Second> {
    let Some([start, end]) = c.span.filter(|_| !c.points.is_empty()) else { return vec![] };
    let mut seconds: Vec<Second> = vec![];
    let mut from = 0.0;
    while from < end - start - 1e-6 {
        let next = from + 1.0;
        let to = if next > end - start - SHORTEST_INTERVAL_S { end - start } else { next };
        let rest = &c.points[c.points.partition_point(|p| p.time - start <= from)..];
        let within: Vec<&Point> = rest.iter().take_while(|p| p.time - start <= to + 1e-9).collect();
        let sum = |of: fn(&Point) -> Option<f64>| within.iter().filter_map(|p| of(p)).sum();
        let cwnd = within.iter().rev().find_map(|p| p.cwnd).or(seconds.last().map(|s| s.cwnd)).unwrap_or(0.0);
        seconds.push(Second { from, to, bytes: sum(|p| p.bytes), retransmitted: sum(|p| p.retransmitted), cwnd });
        from = to;
    }
    seconds
}

/// Formats bytes as iperf3's `unit_snprintf` does: three digits, powers of 1024.
fn size(bytes: f64) -> String {
    digits(bytes, 1024.0, ["Bytes", "KBytes", "MBytes", "GBytes"])
}

/// Formats bit/s as iperf3's `unit_snprintf` does: powers of 1000.
fn bits(rate: f64) -> String {
    digits(rate, 1000.0, ["bits/sec", "Kbits/sec", "Mbits/sec", "Gbits/sec"])
}

fn digits(value: f64, step: f64, units: [&str; 4]) -> String {
    let power = (1..4).rev().find(|power| value >= step.powi(*power)).unwrap_or(0);
    let (value, unit) = (value / step.powi(power), units[power as usize]);
    match value {
        v if v < 9.995 => format!("{v:4.2} {unit}"),
        v if v < 99.95 => format!("{v:4.1} {unit}"),
        v => format!("{v:4.0} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import;
    use crate::{Place, Seen};

    #[test]
    fn exported_evidence_is_read_back_the_same() {
        let mut c =
            Connection::new(Place { file: "x".into(), line: 0 }, crate::Source::Laboratory, "flow 0", Seen::Both);
        c.span = Some([0.0, 2.5]);
        c.bytes = Some(2.5e6);
        c.retransmitted = Some(3.0);
        c.congestion = Some("cubic".into());
        let point = |time: f64, retransmitted| Point {
            time,
            bytes: Some(1e5),
            retransmitted: Some(retransmitted),
            cwnd: Some(1e5),
            ..Point::default()
        };
        c.points = (1..=25).map(|n| point(f64::from(n) / 10.0, if n == 13 { 3.0 } else { 0.0 })).collect();
        let text = iperf3(&Evidence { connections: vec![c], ..Evidence::default() }).unwrap();
        let mut again = Evidence::default();
        import::read("y", text.as_bytes(), &mut again);
        let read = &again.connections[0];
        assert_eq!(
            (read.retransmitted, read.congestion.as_deref(), read.span),
            (Some(3.0), Some("cubic"), Some([0.0, 2.5]))
        );
        assert!((read.goodput.unwrap() - 8e6).abs() < 0.01e6, "{text}");
        assert_eq!(read.points.iter().filter_map(|p| p.retransmitted).collect::<Vec<_>>(), [0.0, 3.0, 0.0]);
        assert!((read.points[1].cwnd.unwrap() - 1e5).abs() < 500.0);
        assert_eq!(again.unread, []);
    }

    #[test]
    fn numbers_have_three_digits_as_iperf3_prints_them() {
        assert_eq!(size(1_040_000.0), "1016 KBytes");
        assert_eq!(size(5.45 * 1024.0 * 1024.0), "5.45 MBytes");
        assert_eq!(bits(62.9e6), "62.9 Mbits/sec");
        assert_eq!(bits(892e3), " 892 Kbits/sec");
    }
}
