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

/// Prints the bulk connections as `ss -tin` on the sender shows them, a screen each second (iproute2 misc/ss.c,
/// tcp_stats_print). Fields that a recording does not have are left out. `None` if there are none.
pub fn ss(evidence: &Evidence) -> Option<String> {
    let bulk = |c: &&Connection| c.exchanges.is_empty() && c.span.is_some() && !c.points.is_empty();
    let all: Vec<&Connection> = evidence.connections.iter().filter(bulk).collect();
    let last = all.iter().filter_map(|c| c.span).map(|[start, end]| end - start).reduce(f64::max)?;
    let mut text = String::from("$ while sleep 1; do ss -tin; done\n");
    for second in 1..=last.floor() as usize {
        text += "State Recv-Q Send-Q Local Address:Port Peer Address:Port\n";
        for (number, c) in all.iter().enumerate() {
            screen(&mut text, c, number, second as f64);
        }
    }
    Some(text)
}

/// Writes a connection at a time since its start.
fn screen(text: &mut String, c: &Connection, number: usize, time: f64) {
    let Some([start, _]) = c.span else { return };
    let until = &c.points[..c.points.partition_point(|point| point.time - start <= time + 1e-9)];
    let Some(now) = until.last() else { return };
    let total = |of: fn(&Point) -> Option<f64>| until.iter().filter_map(of).sum::<f64>();
    let mss = c.mss.unwrap_or(1.0);
    let unsent = now.unsent.unwrap_or(0.0);
    let queued = now.in_flight.unwrap_or(0.0) + unsent;
    let _ = writeln!(text, "ESTAB 0 {queued:.0} 10.0.0.1:{} 10.0.0.2:5201", 40000 + number);
    let mut fields: Vec<String> = c.congestion.iter().map(|control| plain::line(control).into_owned()).collect();
    if let (Some(rtt), Some(deviation)) = (now.srtt, now.rttvar) {
        fields.push(format!("rtt:{}/{}", milliseconds(rtt), milliseconds(deviation)));
    }
    fields.extend(c.mss.map(|mss| format!("mss:{mss:.0}")));
    fields.extend(c.pmtu.map(|pmtu| format!("pmtu:{pmtu:.0}")));
    fields.extend(now.cwnd.map(|cwnd| format!("cwnd:{:.0}", cwnd / mss)));
    fields.extend(now.ssthresh.map(|ssthresh| format!("ssthresh:{:.0}", ssthresh / mss)));
    fields.push(format!("bytes_acked:{:.0}", total(|point| point.bytes)));
    // The sender never received data, so its age counts from the handshake.
    fields.push(format!("lastrcv:{:.0}", time * 1e3));
    fields
        .extend(now.in_flight.filter(|bytes| *bytes > 0.0).map(|bytes| format!("unacked:{:.0}", (bytes / mss).ceil())));
    let retransmitted = total(|point| point.retransmitted);
    if retransmitted > 0.0 {
        fields.push(format!("retrans:0/{retransmitted:.0}"));
    }
    if unsent > 0.0 {
        fields.push(format!("notsent:{unsent:.0}"));
    }
    fields.extend(c.rtt_min.map(|rtt| format!("minrtt:{}", milliseconds(rtt))));
    let _ = writeln!(text, "\t {}", fields.join(" "));
}

/// Formats a time as ss does: up to three decimals of a millisecond.
fn milliseconds(time: f64) -> String {
    let text = format!("{:.3}", time * 1e3);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
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

    /// Ten segments acknowledged each second and three sent again in the second one: what the screens add up to.
    #[test]
    fn screens_of_ss_are_read_again() {
        let mut c =
            Connection::new(Place { file: "x".into(), line: 0 }, crate::Source::Laboratory, "flow 0", Seen::Sender);
        c.span = Some([0.0, 3.0]);
        c.congestion = Some("cubic".into());
        (c.mss, c.pmtu, c.rtt_min) = (Some(1448.0), Some(1500.0), Some(0.0201));
        let point = |time: f64, retransmitted| Point {
            time,
            bytes: Some(14_480.0),
            retransmitted: Some(retransmitted),
            cwnd: Some(20.0 * 1448.0),
            srtt: Some(0.0215),
            rttvar: Some(0.0005),
            in_flight: Some(15.0 * 1448.0),
            ..Point::default()
        };
        c.points = vec![point(1.0, 0.0), point(2.0, 3.0), point(3.0, 0.0)];
        let text = ss(&Evidence { connections: vec![c], ..Evidence::default() }).unwrap();
        assert!(text.contains(" cubic rtt:21.5/0.5 mss:1448 pmtu:1500 cwnd:20 "), "{text}");
        let mut again = Evidence::default();
        import::read("y", text.as_bytes(), &mut again);
        let read = &again.connections[0];
        assert_eq!((read.retransmitted, read.bytes, read.mss), (Some(3.0), Some(43_440.0), Some(1448.0)), "{text}");
        assert_eq!(read.points.iter().filter_map(|p| p.cwnd).next_back(), Some(20.0 * 1448.0));
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
