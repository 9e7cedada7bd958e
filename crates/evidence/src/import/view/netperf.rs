//! Reads netperf's bulk transfers: TCP_STREAM, TCP_SENDFILE and TCP_MAERTS as a table, the same under omni as
//! `KEY=VALUE`, and the interim results of `-D`.
//!
//! Formats are those of netperf 2.7 (src/nettest_omni.c, src/netlib.c): 10^3, 10^6 and 10^9 bits, or K, M and GBytes as
//! powers of 1024. The receiver counts the throughput of a run, the printing end that of interim results. Sizes of
//! sockets in the table are those at the start and are not read.

use super::decimal;
use crate::import::Page;
use crate::{Connection, Evidence, Point, Seen, Source};
use std::collections::BTreeMap;

pub(super) fn read(page: &mut Page<'_>, evidence: &mut Evidence) {
    let mut run: Option<Run> = None;
    for index in 0..page.lines.len() {
        let line = page.lines[index];
        let text = line.text.trim();
        if line.claimed || text.is_empty() {
            continue;
        }
        if let Some(head) = Head::parse(text) {
            finish(&mut run, page, evidence);
            match head {
                Head::Bulk { to, seen } => run = Some(Run::new(index, to, seen)),
                Head::Other(kind) => {
                    page.wrong(index, format!("a run of netperf's {kind}: only bulk transfers over TCP are read"))
                }
            }
            page.claim(index);
        } else if let Some(open) = &mut run {
            if open.line(text) {
                page.claim(index);
                open.last = index;
            } else if index - open.last > MAX_GAP_LINES {
                finish(&mut run, page, evidence);
            }
        }
    }
    finish(&mut run, page, evidence);
}

/// Lines of a run that lie further apart belong to something else.
const MAX_GAP_LINES: usize = 8;

fn finish(run: &mut Option<Run>, page: &Page<'_>, evidence: &mut Evidence) {
    let Some(mut connection) = run.take().and_then(|run| run.connection(page)) else { return };
    connection.group = evidence.next_group();
    evidence.connections.push(connection);
}

/// The first line of a run.
enum Head<'a> {
    Bulk { to: &'a str, seen: Option<Seen> },
    Other(&'a str),
}

impl Head<'_> {
    /// Parses `MIGRATED TCP STREAM TEST from 0.0.0.0 (0.0.0.0) port 0 AF_INET to 10.0.0.2 () port 0 AF_INET : demo`.
    fn parse(text: &str) -> Option<Head<'_>> {
        let (kind, rest) = text.split_once(" TEST from ")?;
        let (_, to) = rest.split_once(" AF_INET").filter(|_| rest.contains(" port "))?;
        let to = to.split_once(" to ")?.1.split_whitespace().next()?;
        Some(match kind.strip_prefix("MIGRATED ").unwrap_or(kind) {
            "TCP STREAM" | "TCP SENDFILE" => Head::Bulk { to, seen: Some(Seen::Sender) },
            "TCP MAERTS" => Head::Bulk { to, seen: Some(Seen::Receiver) },
            "OMNI Send" | "OMNI Receive" | "OMNI" => Head::Bulk { to, seen: None },
            kind => Head::Other(kind),
        })
    }
}

struct Run {
    first: usize,
    last: usize,
    to: String,
    seen: Option<Seen>,
    /// Size of the table's unit, bit/s.
    unit: Option<f64>,
    /// Seconds and rate, bit/s, of the run.
    total: Option<[f64; 2]>,
    /// Interim results: end, seconds of the epoch; length, seconds; rate, bit/s.
    interim: Vec<[f64; 3]>,
    keys: BTreeMap<String, String>,
}

impl Run {
    fn new(first: usize, to: &str, seen: Option<Seen>) -> Run {
        let (unit, total, interim, keys) = (None, None, vec![], BTreeMap::new());
        Run { first, last: first, to: to.into(), seen, unit, total, interim, keys }
    }

    /// Takes a line; false if it is none of the run's.
    fn line(&mut self, text: &str) -> bool {
        let words: Vec<&str> = text.split_whitespace().collect();
        if let Some(rest) = text.strip_prefix("Interim result:") {
            let words: Vec<&str> = rest.split_whitespace().collect();
            let [rate, size, "over", seconds, "seconds", "ending", "at", end] = words[..] else { return false };
            let rate = decimal(rate).zip(unit(size)).map(|(rate, unit)| rate * unit);
            let [Some(rate), Some(seconds), Some(end)] = [rate, decimal(seconds), decimal(end)] else { return false };
            self.interim.push([end, seconds, rate]);
            return true;
        }
        if let Some((key, value)) = text.split_once('=') {
            let is_key =
                key.len() > 2 && key.bytes().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == b'_');
            return is_key && self.keys.insert(key.into(), value.trim().into()).is_none();
        }
        if let Some(unit) = words.iter().find_map(|word| unit(word)).filter(|_| words.contains(&"secs.")) {
            self.unit = Some(unit);
            return true;
        }
        let numbers: Option<Vec<f64>> = words.iter().map(|word| decimal(word)).collect();
        match (numbers, self.unit) {
            (Some(numbers), Some(unit)) if numbers.len() >= 5 && self.total.is_none() => {
                self.total = Some([numbers[3], numbers[4] * unit]);
                true
            }
            _ => words.iter().all(|word| TITLES.contains(word)) || text.starts_with("!!!"),
        }
    }

    fn connection(self, page: &Page<'_>) -> Option<Connection> {
        let figure = |key: &str| self.keys.get(key).and_then(|value| decimal(value));
        let word = |key: &str| self.keys.get(key).map(String::as_str);
        let is_tcp = word("PROTOCOL").is_none_or(|protocol| protocol == "TCP");
        let by_keys = || {
            let unit = unit(word("THROUGHPUT_UNITS").unwrap_or("10^6bits/s"))?;
            Some([figure("ELAPSED_TIME")?, figure("THROUGHPUT")? * unit])
        };
        let [seconds, goodput] = self.total.or_else(by_keys).filter(|[seconds, _]| *seconds > 0.0 && is_tcp)?;
        let seen = self.seen.or(match word("DIRECTION") {
            Some("Send") => Some(Seen::Sender),
            Some("Recv" | "Receive") => Some(Seen::Receiver),
            _ => None,
        })?;
        let sends = seen == Seen::Sender;
        let (sender, receiver) = if sends { ("LOCAL", "REMOTE") } else { ("REMOTE", "LOCAL") };
        let name = if sends { format!("to {}", self.to) } else { format!("from {}", self.to) };
        let mut connection = Connection::new(page.place(self.first), Source::Netperf, name, seen);
        connection.span = Some([0.0, seconds]);
        connection.goodput = Some(goodput);
        connection.bytes =
            figure(&format!("{receiver}_BYTES_RECVD")).filter(|bytes| *bytes > 0.0).or(Some(goodput * seconds / 8.0));
        connection.retransmitted = figure(&format!("{sender}_TRANSPORT_RETRANS"));
        connection.mss = figure("TRANSPORT_MSS").filter(|mss| *mss > 0.0);
        connection.congestion = word(&format!("{sender}_CONG_CONTROL")).map(str::to_owned);
        // "LSS" is the local socket's send buffer, "RSS" the remote one's; "…R" the receive buffers.
        let ended = |socket: &str| figure(&format!("{socket}_SIZE_END")).filter(|bytes| *bytes > 0.0);
        connection.sndbuf = ended(if sends { "LSS" } else { "RSS" });
        connection.rcvbuf = ended(if sends { "RSR" } else { "LSR" });
        connection.written = sends && !self.interim.is_empty();
        let began = self.interim.first().map(|[end, seconds, _]| end - seconds);
        connection.clock = began;
        connection.points.extend(began.map(|_| Point::default()));
        for [end, seconds, rate] in self.interim {
            let time = end - began.unwrap_or(end);
            if connection.points.last().is_some_and(|last| time > last.time) {
                connection.points.push(Point { time, bytes: Some(rate * seconds / 8.0), ..Point::default() });
            }
        }
        Some(connection)
    }
}

/// Words of the table's head.
const TITLES: &[&str] = &[
    "Recv",
    "Send",
    "Utilization",
    "Service",
    "Demand",
    "Socket",
    "Message",
    "Elapsed",
    "local",
    "remote",
    "Size",
    "Time",
    "Throughput",
];

/// Returns the size of a unit, bit/s: `10^6bits/sec`, `MBytes/s`.
fn unit(word: &str) -> Option<f64> {
    let (size, _) = word.split_once("/s").filter(|(_, rest)| ["", "ec"].contains(rest))?;
    match size {
        "10^3bits" => Some(1e3),
        "10^6bits" => Some(1e6),
        "10^9bits" => Some(1e9),
        "Bytes" => Some(8.0),
        "KBytes" => Some(8.0 * 1024.0),
        "MBytes" => Some(8.0 * 1_048_576.0),
        "GBytes" => Some(8.0 * 1_073_741_824.0),
        _ => None,
    }
}
