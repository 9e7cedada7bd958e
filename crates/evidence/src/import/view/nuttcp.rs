//! Reads runs of nuttcp 6 to 8: the interval lines of `-i`, and the closing lines, short or with `-v`.
//!
//! Formats are those of nuttcp.c, such as P_PERF_INTERVAL and PERF_FMT_BRIEF: MB are 2^20 bytes, KB 2^10, Mbps 10^6
//! bit/s. The receiver counts an interval's bytes, in whole buffers; the sender counts retransmissions and reports
//! cwnd. Each line may begin with a time in brackets.

use super::{decimal, whole};
use crate::import::Page;
use crate::{Connection, Evidence, Place, Point, Seen, Source};
use std::net::IpAddr;

const MB: f64 = 1_048_576.0;
const KB: f64 = 1024.0;

/// Reads runs of nuttcp.
pub(super) fn read(page: &mut Page<'_>, evidence: &mut Evidence) {
    let mut run = Run::default();
    for index in 0..page.lines.len() {
        let line = page.lines[index];
        let text = stamped(line.text).trim();
        if line.claimed {
            continue;
        }
        let said = text.strip_prefix("nuttcp").and_then(End::parse);
        if let Some((end, said)) = said {
            if said.ends_with(": socket") && run.sockets[end as usize] {
                std::mem::take(&mut run).finish(page, evidence);
            }
            run.begin(index);
            run.said(end, said);
            page.claim(index);
        } else if let Some(row) = row(text) {
            if run.is_closed() {
                std::mem::take(&mut run).finish(page, evidence);
            }
            run.begin(index);
            run.rows(row);
            page.claim(index);
        } else if text.is_empty() && run.at.is_some() {
            page.claim(index);
        }
    }
    run.finish(page, evidence);
}

/// Returns a line without the time before it: `[2024-05-27 11:18:46.962385] `.
fn stamped(text: &str) -> &str {
    let time = |c: char| c.is_ascii_digit() || "-:. T".contains(c);
    let rest = text.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']'));
    rest.filter(|(stamp, _)| stamp.contains(':') && stamp.chars().all(time)).map_or(text, |(_, rest)| rest)
}

/// An end of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
enum End {
    Sender,
    Receiver,
}

impl End {
    /// Parses `-t: …` or `-r: …`: the end, and the text that it printed.
    fn parse(text: &str) -> Option<(End, &str)> {
        let sender = text.strip_prefix("-t: ").map(|said| (End::Sender, said));
        sender.or_else(|| Some((End::Receiver, text.strip_prefix("-r: ")?)))
    }
}

/// Figures of one line.
#[derive(Debug, Clone, Copy, Default)]
struct NuttcpRow {
    bytes: f64,
    seconds: f64,
    rate: f64,
    retransmitted: Option<f64>,
    cwnd: Option<f64>,
    rtt: Option<f64>,
    /// Processor time of sender and receiver, as shares of one processor; only if the line closes the run.
    processors: Option<[f64; 2]>,
    /// Whether it counts datagrams.
    datagrams: bool,
}

impl NuttcpRow {
    /// Returns its duration, seconds. Bytes and rate give it more exactly than the printed hundredths, if they agree
    /// with these.
    fn length(&self) -> f64 {
        let told = 8.0 * self.bytes / self.rate;
        if (told - self.seconds).abs() <= 0.01 { told } else { self.seconds }
    }

    fn closes(&self) -> bool {
        self.processors.is_some() || self.rtt.is_some()
    }
}

/// Parses `1.1250 MB / 0.50 sec = 18.8718 Mbps 0 retrans 3462 KB-cwnd`, or the short line at the end of a run.
fn row(text: &str) -> Option<NuttcpRow> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [bytes, "MB", "/", seconds, "sec", "=", rate, "Mbps", rest @ ..] = &words[..] else { return None };
    let mut row = NuttcpRow {
        bytes: decimal(bytes)? * MB,
        seconds: decimal(seconds)?,
        rate: decimal(rate)? * 1e6,
        ..NuttcpRow::default()
    };
    let (mut sender, mut receiver) = (None, None);
    for pair in rest.windows(2) {
        let number = || decimal(pair[0]);
        match pair[1] {
            "%TX" => sender = number(),
            "%RX" => receiver = number(),
            "retrans" => row.retransmitted = number(),
            "KB-cwnd" => row.cwnd = number().map(|kilobytes| kilobytes * KB),
            "msRTT" => row.rtt = number().map(|ms| ms * 1e-3),
            "~drop/pkt" | "drop/pkt" => row.datagrams = true,
            _ => {}
        }
    }
    row.processors = sender.zip(receiver).map(|(sender, receiver)| [sender / 100.0, receiver / 100.0]);
    Some(row)
}

/// A partly read run.
#[derive(Default)]
struct Run {
    at: Option<usize>,
    /// Whether each end has named its socket.
    sockets: [bool; 2],
    /// End that printed the run.
    own: Option<End>,
    datagrams: bool,
    streams: Option<u64>,
    mss: Option<f64>,
    rtt: Option<f64>,
    target: Option<f64>,
    addresses: [Option<IpAddr>; 2],
    rows: Vec<NuttcpRow>,
    /// Bytes, seconds and rate (bit/s) over the whole run, counted by each end.
    totals: [Option<[f64; 3]>; 2],
    retransmitted: Option<f64>,
    processors: [Option<f64>; 2],
}

impl Run {
    fn begin(&mut self, index: usize) {
        self.at.get_or_insert(index);
    }

    /// True if the run is closed: a short run by one line, a run with `-v` by one line of each end.
    fn is_closed(&self) -> bool {
        self.totals.iter().all(Option::is_some)
    }

    fn rows(&mut self, row: NuttcpRow) {
        self.datagrams |= row.datagrams;
        if row.closes() {
            self.totals = [Some([row.bytes, row.seconds, row.rate]); 2];
            self.retransmitted = row.retransmitted;
            self.rtt = row.rtt.filter(|rtt| *rtt > 0.0).or(self.rtt);
            self.processors = row.processors.map_or(self.processors, |shares| shares.map(Some));
        } else {
            self.rows.push(row);
        }
    }

    /// Reads a line of one end.
    fn said(&mut self, end: End, text: &str) {
        let at = end as usize;
        let words: Vec<&str> = text.split_whitespace().collect();
        let named = |name: &str| words.iter().find_map(|word| word.trim_end_matches(',').strip_prefix(name));
        if text.ends_with(": socket") {
            self.sockets[at] = true;
            self.own.get_or_insert(end);
        } else if text.starts_with("buflen=") {
            self.datagrams |= words.contains(&"udp");
            self.streams = named("nstream=").and_then(whole).or(self.streams);
        } else if let ["connect", "to", address, ..] | ["accept", "from", address, ..] = words[..] {
            self.mss = named("mss=").and_then(decimal).filter(|mss| *mss > 0.0).or(self.mss);
            self.rtt = named("RTT=").and_then(decimal).map(|ms| ms * 1e-3).filter(|rtt| *rtt > 0.0).or(self.rtt);
            // Each end names the other.
            self.addresses[1 - at] = address.parse().ok().or(self.addresses[1 - at]);
        } else if let ["rate", "limit", "=", rate, "Mbps", ..] = words[..] {
            self.target = decimal(rate).map(|rate| rate * 1e6).filter(|rate| *rate > 0.0);
        } else if let [bytes, "MB", "in", seconds, "real", "seconds", "=", _, "KB/sec", "=", rate, "Mbps", ..] =
            words[..]
        {
            let all = [decimal(bytes), decimal(seconds), decimal(rate)];
            if let [Some(bytes), Some(seconds), Some(rate)] = all {
                self.totals[at] = Some([bytes * MB, seconds, rate * 1e6]);
            }
        } else if let ["retrans", "=", count, ..] = words[..] {
            self.retransmitted = decimal(count).or(self.retransmitted);
        } else if let Some(share) = words.iter().find_map(|word| word.strip_suffix('%')).and_then(decimal) {
            self.processors[at] = Some(share / 100.0).filter(|_| text.contains("user ") && text.contains("real "));
        }
    }

    fn finish(self, page: &mut Page<'_>, evidence: &mut Evidence) {
        let Some(at) = self.at.filter(|_| !self.rows.is_empty() || self.totals[End::Receiver as usize].is_some())
        else {
            return;
        };
        if self.datagrams {
            page.wrong(at, "a run of nuttcp -u: of nuttcp, TCP is read");
            return;
        }
        let group = evidence.next_group();
        let streams = self.streams.unwrap_or(1);
        let connection = Connection { group, ..self.connection(page.place(at)) };
        match streams {
            0 | 1 => evidence.connections.push(connection),
            _ => evidence.sums.push(connection),
        }
    }

    fn connection(self, place: Place) -> Connection {
        let told = self.retransmitted.is_some() || self.rows.iter().any(|row| row.retransmitted.is_some());
        let seen = if told { Seen::Both } else { Seen::Receiver };
        let name = match self.streams {
            Some(streams) if streams > 1 => format!("the sum of {streams} streams"),
            _ => "the stream".into(),
        };
        let mut connection = Connection::new(place, Source::Nuttcp, name, seen);
        let mut time = 0.0;
        connection.points.extend((!self.rows.is_empty()).then(Point::default));
        for row in &self.rows {
            time += row.length();
            let (bytes, retransmitted, cwnd) = (Some(row.bytes), row.retransmitted, row.cwnd);
            connection.points.push(Point { time, bytes, retransmitted, cwnd, ..Point::default() });
        }
        let sum = |figure: fn(&NuttcpRow) -> Option<f64>| self.rows.iter().map(figure).sum::<Option<f64>>();
        let total = self.totals[End::Receiver as usize];
        connection.span = Some([0.0, total.map_or(time, |[_, seconds, _]| seconds)]).filter(|[_, end]| *end > 0.0);
        connection.bytes = total.map(|[bytes, ..]| bytes).or_else(|| sum(|row| Some(row.bytes)));
        connection.goodput =
            total.map(|[.., rate]| rate).or_else(|| Some(8.0 * connection.bytes? / connection.span?[1]));
        connection.retransmitted = self.retransmitted.or_else(|| sum(|row| row.retransmitted));
        connection.target = self.target;
        connection.mss = self.mss;
        connection.rtt_min = self.rtt;
        connection.processors = self.processors;
        connection.cut_off = total.is_none();
        connection.ends = match self.addresses {
            [Some(sender), Some(receiver)] => Some([sender, receiver]),
            _ => None,
        };
        connection
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_version_8_has_the_window_of_the_sender() {
        let row = row("11.1875 MB /   0.50 sec =  187.7011 Mbps     3 retrans   3462 KB-cwnd").unwrap();
        assert_eq!((row.bytes, row.retransmitted, row.cwnd), (11.1875 * MB, Some(3.0), Some(3462.0 * 1024.0)));
        // 11.1875 * 2^20 * 8 bits at 187.7011 Mbit/s.
        assert!((row.length() - 0.499_98).abs() < 1e-5 && !row.closes(), "{row:?}");
        assert_eq!(NuttcpRow { rate: 0.0, bytes: 0.0, seconds: 0.5, ..row }.length(), 0.5);
    }

    #[test]
    fn intervals_add_up_to_what_the_program_says_in_the_end() {
        for (name, text) in [
            ("t", include_str!("../../../tests/views/nuttcp-t.txt")),
            ("r", include_str!("../../../tests/views/nuttcp-r.txt")),
            ("brief", include_str!("../../../tests/views/nuttcp-brief.txt")),
            ("rate", include_str!("../../../tests/views/nuttcp-rate.txt")),
        ] {
            let (mut page, mut evidence) = (Page::new(name, text), Evidence::default());
            read(&mut page, &mut evidence);
            assert_eq!(page.unread(), [], "{name}");
            let [seen] = &evidence.connections[..] else { panic!("{name}: {evidence:?}") };
            let last = seen.points.last().unwrap();
            let added: f64 = seen.points.iter().filter_map(|point| point.bytes).sum();
            let left = seen.span.unwrap()[1] - last.time;
            let beyond = seen.goodput.unwrap() * left / 8.0;
            // nuttcp prints no line for data after the last interval.
            assert!((added + beyond - seen.bytes.unwrap()).abs() < 2.0 * 65536.0, "{name}: {added} and {beyond}");
            assert!((8.0 * seen.bytes.unwrap() / seen.span.unwrap()[1] / seen.goodput.unwrap() - 1.0).abs() < 0.01);
        }
    }

    #[test]
    fn only_a_time_is_taken_from_before_a_line() {
        assert_eq!(stamped("[2024-05-27 11:18:46.962385] nuttcp-r: x"), " nuttcp-r: x");
        assert_eq!(stamped("[  5] nuttcp-r: x"), "[  5] nuttcp-r: x");
        assert_eq!(stamped("[1] x"), "[1] x");
    }

    #[test]
    fn malformed_figures_are_no_row() {
        for text in ["1.0 MB / 0.50 sec", "x MB / 0.50 sec = 1.0 Mbps", "1.0 MB / 1e9 sec = 1.0 Mbps", ""] {
            assert!(row(text).is_none(), "{text}");
        }
    }
}
