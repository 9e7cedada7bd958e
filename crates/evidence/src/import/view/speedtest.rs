//! Reads speed tests: Ookla's `speedtest` as text and as JSON (`-f json`, `json-pretty`, `jsonl`), and speedtest-cli.
//!
//! Each direction is the sum of several TCP connections. Ookla's prints the RTT of the idle path and that beside each
//! transfer, speedtest-cli the idle one alone.

use super::json::number;
use super::{decimal, figure, json, leading};
use crate::import::Page;
use crate::{Connection, Evidence, Place, Point, ProgramError, Seen, Source};
use serde_json::Value;

pub(super) fn read(page: &mut Page<'_>, evidence: &mut Evidence) {
    documents(page, evidence);
    texts(page, evidence);
}

/// A test of both directions.
#[derive(Default)]
struct Test {
    /// RTT of the idle path, seconds.
    idle: Option<f64>,
    ways: [Way; 2],
}

/// A direction: download, then upload.
#[derive(Default)]
struct Way {
    /// Payload per second, bit/s.
    rate: Option<f64>,
    bytes: Option<f64>,
    seconds: Option<f64>,
    /// RTT beside the transfer: a mean without its extremes, and the least, seconds.
    loaded: Option<f64>,
    least: Option<f64>,
}

impl Test {
    /// Adds a sum of connections for each direction that has a rate.
    fn add(self, place: &Place, evidence: &mut Evidence) -> bool {
        let before = evidence.sums.len();
        let names = [("the download", Seen::Receiver), ("the upload", Seen::Sender)];
        for (way, (name, seen)) in self.ways.into_iter().zip(names) {
            let Some(rate) = way.rate.filter(|rate| *rate > 0.0 && *rate < MAX_RATE) else { continue };
            let group = evidence.next_group();
            let mut sum = Connection::new(place.clone(), Source::Speedtest, name, seen);
            let seconds = way.seconds.or_else(|| Some(8.0 * way.bytes? / rate)).filter(|seconds| *seconds > 0.0);
            sum.group = group;
            sum.goodput = Some(rate);
            sum.bytes = way.bytes;
            sum.span = seconds.map(|seconds| [0.0, seconds]);
            sum.rtt_base = [self.idle, way.least].into_iter().flatten().reduce(f64::min);
            if let Some((time, srtt)) = seconds.zip(way.loaded) {
                let end = Point { time, bytes: way.bytes, srtt: Some(srtt), rtt_least: way.least, ..Point::default() };
                sum.points = vec![Point::default(), end];
            }
            evidence.sums.push(sum);
        }
        evidence.sums.len() > before
    }
}

/// 1000 Tbit/s, more than any test prints.
const MAX_RATE: f64 = 1e15;

fn documents(page: &mut Page<'_>, evidence: &mut Evidence) {
    json::objects(page, &["\"type\"", "\"download\"", "\"upload\""], |document, place| take(document, place, evidence));
}

/// Takes a document; true if it is a speed test's.
fn take(document: &Value, place: &Place, evidence: &mut Evidence) -> bool {
    match document["type"].as_str() {
        Some("result") => ookla(document).is_some_and(|test| test.add(place, evidence)),
        // What `jsonl` prints while it runs.
        Some("testStart" | "ping" | "download" | "upload") => document["timestamp"].is_string(),
        Some("log") if document["level"].as_str() == Some("error") => {
            let says = document["message"].as_str().unwrap_or_default().to_owned();
            evidence.errors.push(ProgramError { place: place.clone(), program: "speedtest", says });
            true
        }
        Some("log") => document["message"].is_string() && document["timestamp"].is_string(),
        _ => cli(document).is_some_and(|test| test.add(place, evidence)),
    }
}

/// Reads `speedtest -f json` (version 1.0 and later): bandwidth in bytes per second, times in milliseconds.
fn ookla(document: &Value) -> Option<Test> {
    let ms = |value: &Value, key: &str| number(value, key).filter(|ms| *ms > 0.0).map(|ms| ms / 1e3);
    let way = |key: &str| {
        let way = &document[key];
        Way {
            rate: number(way, "bandwidth").map(|bytes| 8.0 * bytes),
            bytes: number(way, "bytes"),
            seconds: ms(way, "elapsed"),
            loaded: ms(&way["latency"], "iqm"),
            least: ms(&way["latency"], "low"),
        }
    };
    let ping = &document["ping"];
    let test = Test { idle: ms(ping, "low").or_else(|| ms(ping, "latency")), ways: ["download", "upload"].map(way) };
    test.ways.iter().any(|way| way.rate.is_some()).then_some(test)
}

/// Reads `speedtest-cli --json`: rates in bit/s, the RTT in milliseconds.
fn cli(document: &Value) -> Option<Test> {
    let server = document["server"]["sponsor"].is_string() && document["server"]["latency"].is_number();
    let way = |rate: &str, bytes: &str| Way {
        rate: number(document, rate),
        bytes: number(document, bytes).filter(|bytes| *bytes > 0.0),
        ..Way::default()
    };
    let idle = number(document, "ping").filter(|ms| *ms > 0.0).map(|ms| ms / 1e3);
    let ways = [way("download", "bytes_received"), way("upload", "bytes_sent")];
    server.then_some(Test { idle, ways })
}

/// Reads the text of both programs: `Download:  30.88 Mbps (data used: 52.3 MB)` and the RTTs below it, and `Download:
/// 83.85 Mbit/s` after `Testing download speed....`.
fn texts(page: &mut Page<'_>, evidence: &mut Evidence) {
    let mut test = Test::default();
    let mut lines: Vec<usize> = vec![];
    let mut way: Option<usize> = None;
    for index in 0..page.lines.len() {
        let line = page.lines[index];
        let text = line.text.trim();
        if line.claimed || text.is_empty() {
            continue;
        }
        let is_first = ["Speedtest by Ookla", "Retrieving speedtest.net configuration..."].contains(&text);
        if is_first || lines.last().is_some_and(|last| index - last > MAX_GAP_LINES) {
            finish(&mut test, &mut lines, page, evidence);
        }
        if let Some((at, rate)) = rated(text) {
            test.ways[at].rate = Some(rate);
            test.ways[at].bytes = data_used(text);
            way = Some(at);
        } else if let Some(says) = text.strip_prefix("[error] ").filter(|_| !lines.is_empty()) {
            let says = says.to_owned();
            evidence.errors.push(ProgramError { place: page.place(index), program: "speedtest", says });
        } else if let Some([latency, low]) =
            latency(text.trim_start_matches("Idle Latency:").trim_start_matches("Latency:"))
        {
            match way.filter(|_| !text.contains("Latency:")) {
                Some(at) => (test.ways[at].loaded, test.ways[at].least) = (Some(latency), Some(low)),
                None => test.idle = Some(low),
            }
        } else if let Some(ms) = text.rsplit_once("]: ").and_then(|(_, ms)| ms.strip_suffix(" ms")).and_then(decimal) {
            // "Hosted by NAME (PLACE) [2.28 km]: 36.105 ms"
            if !text.starts_with("Hosted by ") {
                continue;
            }
            test.idle = Some(ms / 1e3).filter(|idle| *idle > 0.0);
        } else if !is_first && !KNOWN_LINES.iter().any(|begins| text.starts_with(begins)) {
            continue;
        }
        lines.push(index);
    }
    finish(&mut test, &mut lines, page, evidence);
}

/// Lines of a test that lie further apart belong to two.
const MAX_GAP_LINES: usize = 4;

/// Beginnings of lines that add nothing.
const KNOWN_LINES: &[&str] = &[
    "Server: ",
    "ISP: ",
    "Packet Loss: ",
    "Result URL: ",
    "Testing from ",
    "Retrieving speedtest.net server list...",
    "Selecting best server based on ping...",
    "Testing download speed....",
    "Testing upload speed....",
];

/// Ends a test: its lines are claimed if it has a rate, and if another of its lines tells the program.
fn finish(test: &mut Test, lines: &mut Vec<usize>, page: &mut Page<'_>, evidence: &mut Evidence) {
    let (test, lines) = (std::mem::take(test), std::mem::take(lines));
    let rates = test.ways.iter().filter(|way| way.rate.is_some()).count();
    let Some(first) = lines.first().filter(|_| lines.len() > rates) else { return };
    if test.add(&page.place(*first), evidence) {
        lines.into_iter().for_each(|line| page.claim(line));
    }
}

/// Parses `Download:    30.88 Mbps (data used: 52.3 MB)` and `Upload: 5.18 Mbit/s`: the direction and bit/s.
fn rated(text: &str) -> Option<(usize, f64)> {
    let (at, rest) =
        [("Download:", 0), ("Upload:", 1)].iter().find_map(|(head, at)| Some((*at, text.strip_prefix(head)?)))?;
    let rate = rest.split('(').next()?.trim();
    Some((at, figure::rate(rate)?))
}

/// Returns bytes: Ookla counts in powers of 1000.
fn data_used(text: &str) -> Option<f64> {
    let (_, used) = text.split_once("(data used: ")?;
    let (number, unit) = used.split_once(')')?.0.split_once(' ')?;
    let size =
        [("B", 1.0), ("kB", 1e3), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9)].iter().find(|(name, _)| *name == unit)?.1;
    Some(decimal(number)? * size)
}

/// Parses `374.07 ms   (jitter: 78.71ms, low: 47.04ms, high: 1358.62ms)`: the latency and the least, seconds. Version
/// 1.0 prints no least.
fn latency(text: &str) -> Option<[f64; 2]> {
    let (ms, rest) = text.trim().split_once(" ms")?;
    let latency = decimal(ms.trim()).filter(|ms| *ms > 0.0)?;
    rest.trim_start().strip_prefix('(')?.contains("jitter").then_some(())?;
    let low = rest.split_once("low: ").and_then(|(_, low)| leading(low)).filter(|low| *low > 0.0);
    Some([latency, low.unwrap_or(latency)].map(|ms| ms / 1e3))
}

#[cfg(test)]
mod tests {
    use super::super::tests::read_by;
    use super::*;

    fn evidence(text: &str) -> Evidence {
        read_by(read, "x", text)
    }

    /// Ookla 1.2 on a blog: 117,938,053 bytes per second are 943.5 Mbit/s.
    const JSON: &str = r#"{"type":"result","timestamp":"2022-10-06T16:01:24Z","ping":{"jitter":0.437,"latency":36.504,"low":35.844,"high":36.886},"download":{"bandwidth":117938053,"bytes":1470439610,"elapsed":15005,"latency":{"iqm":43.484,"low":35.123,"high":64.032,"jitter":2.269}},"upload":{"bandwidth":5125601,"bytes":47343420,"elapsed":9409,"latency":{"iqm":32.715,"low":31.482,"high":133.830,"jitter":1.604}},"packetLoss":0,"isp":"Spectrum"}"#;

    #[test]
    fn json_has_rates_and_the_rtt_beside_each() {
        let evidence = evidence(JSON);
        let [down, up] = &evidence.sums[..] else { panic!("{evidence:?}") };
        assert_eq!((down.goodput, down.span), (Some(943_504_424.0), Some([0.0, 15.005])));
        let near = |seconds: Option<f64>, ms: f64| (seconds.unwrap() * 1e3 - ms).abs() < 1e-9;
        assert!(near(down.rtt_base, 35.123) && near(down.points[1].srtt, 43.484), "{down:?}");
        assert_eq!((up.seen, up.goodput), (Seen::Sender, Some(41_004_808.0)));
        assert!(evidence.unread.is_empty() && down.group != up.group);
    }

    #[test]
    fn an_error_of_the_program_is_kept() {
        let log = r#"{"type":"log","timestamp":"2023-04-30T05:00:23Z","message":"Error: [0] Timeout occurred in connect.","level":"error"}"#;
        let evidence = evidence(&format!("{log}\n{JSON}\n"));
        assert_eq!(evidence.errors[0].says, "Error: [0] Timeout occurred in connect.");
        assert_eq!(evidence.sums.len(), 2);
    }

    #[test]
    fn other_json_and_prose_are_left() {
        for text in [
            "{\"type\":\"result\",\"value\":1}",
            "{\"download\":\"url\",\"upload\":3}",
            "Download: 5 Mbps\nUpload: 3 Mbps\n",
            "Download: fast",
            "Testing download speed",
        ] {
            let evidence = evidence(text);
            assert!(evidence.sums.is_empty() && evidence.unread.len() == 1, "{text}: {evidence:?}");
        }
    }
}
