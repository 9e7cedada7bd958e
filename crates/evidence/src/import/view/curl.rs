//! Reads curl: its progress meter, the timings of `-w` under the names of its variables or as `%{json}`, and its errors.
//!
//! The meter counts whole seconds, and bytes in at most five characters with powers of 1024 (curl, lib/progress.c). The
//! handshake takes from `time_namelookup` to `time_connect`, the payload from `time_starttransfer` to `time_total`.

use super::{decimal, whole};
use crate::import::Page;
use crate::{Connection, Evidence, Place, Point, ProgramError, Seen, Source};
use serde_json::Value;

pub(super) fn read(page: &mut Page<'_>, evidence: &mut Evidence) {
    let mut meter: Vec<(usize, MeterRow)> = vec![];
    let mut heads: Vec<usize> = vec![];
    let mut timings = Timings::default();
    for index in 0..page.lines.len() {
        let line = page.lines[index];
        if line.claimed || line.text.trim().is_empty() {
            continue;
        }
        let text = stamped(line.text);
        if is_head(text) {
            if !meter.is_empty() {
                finish_meter(&mut meter, &mut heads, page, evidence);
            }
            heads.push(index);
            continue;
        }
        if let Some(says) = text.trim_start().strip_prefix("curl: (") {
            let says = says.split_once(") ").filter(|(number, _)| whole(number).is_some()).map(|(_, says)| says);
            if let Some(says) = says {
                let says = says.to_owned();
                evidence.errors.push(ProgramError { place: page.place(index), program: "curl", says });
                page.claim(index);
            }
            continue;
        }
        let rows: Vec<MeterRow> =
            if heads.is_empty() { vec![] } else { text.split('\r').filter_map(MeterRow::parse).collect() };
        if !rows.is_empty() {
            meter.extend(rows.into_iter().map(|row| (index, row)));
            continue;
        }
        if let Some(document) = json(text) {
            let mut of_json = Timings { at: Some(index), lines: vec![index], ..Timings::default() };
            VARIABLES.iter().for_each(|name| of_json.take(name, document[*name].as_f64()));
            of_json.finish(page, evidence);
        } else if let Some((name, value)) = variable(text) {
            if timings.has(name) {
                std::mem::take(&mut timings).finish(page, evidence);
            }
            timings.at.get_or_insert(index);
            timings.lines.push(index);
            timings.take(name, value);
        } else if timings.at.is_some() && is_rule(text) {
            timings.lines.push(index);
        } else if timings.lines.last().is_some_and(|last| index - last > MAX_GAP_LINES) {
            std::mem::take(&mut timings).finish(page, evidence);
        }
        finish_meter(&mut meter, &mut heads, page, evidence);
    }
    finish_meter(&mut meter, &mut heads, page, evidence);
    timings.finish(page, evidence);
}

/// Most lines of something else between the timings of one transfer.
const MAX_GAP_LINES: usize = 3;

/// Returns a line without the time before it: `[00:03:29] `.
fn stamped(text: &str) -> &str {
    let rest = text.strip_prefix('[').and_then(|rest| rest.split_once("] "));
    rest.filter(|(stamp, _)| stamp.bytes().all(|byte| byte.is_ascii_digit() || byte == b':'))
        .map_or(text, |(_, rest)| rest)
}

/// True for the two lines above the meter's rows.
fn is_head(text: &str) -> bool {
    let text = text.trim();
    text.starts_with("% Total") && text.ends_with("Current") || text.starts_with("Dload") && text.ends_with("Speed")
}

fn is_rule(text: &str) -> bool {
    let text = text.trim();
    text.len() > 3 && text.bytes().all(|byte| b"-=".contains(&byte))
}

/// A row of the meter.
#[derive(Debug, Clone, Copy, PartialEq)]
struct MeterRow {
    /// Bytes received and sent, and half a step of the last digit.
    received: [f64; 2],
    sent: [f64; 2],
    /// Mean rates since the start, byte/s.
    means: [f64; 2],
    /// Time since the start, seconds; none before the first second is over.
    spent: Option<f64>,
}

impl MeterRow {
    /// Parses `100 61.6M  100 61.6M    0     0  36.7M      0  0:00:01  0:00:01 --:--:-- 21.7M`.
    fn parse(text: &str) -> Option<MeterRow> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [whole_share, _, share, received, sent_share, sent, down, up, total, spent, left, current] = words[..]
        else {
            return None;
        };
        let shares =
            [whole_share, share, sent_share].iter().all(|share| whole(share).is_some_and(|share| share <= 100));
        let clocks = [total, left].iter().all(|text| clock(text).is_some());
        amount(current)?;
        (shares && clocks).then_some(())?;
        Some(MeterRow {
            received: amount(received)?,
            sent: amount(sent)?,
            means: [amount(down)?[0], amount(up)?[0]],
            spent: clock(spent)?,
        })
    }
}

/// Parses bytes: `99999`, `2509k`, `61.6M`; and returns half a step of the last digit.
fn amount(word: &str) -> Option<[f64; 2]> {
    const UNITS: [(char, f64); 5] = [
        ('k', 1024.0),
        ('M', 1_048_576.0),
        ('G', 1_073_741_824.0),
        ('T', 1_099_511_627_776.0),
        ('P', 1.125_899_906_842_624e15),
    ];
    let unit = UNITS.iter().find(|(unit, _)| word.ends_with(*unit));
    let digits = if unit.is_some() { &word[..word.len() - 1] } else { word };
    let size = unit.map_or(1.0, |(_, size)| *size);
    let step = if digits.contains('.') { 0.1 } else { 1.0 };
    let half = if unit.is_some() { step * size / 2.0 } else { 0.0 };
    Some([decimal(digits)? * size, half])
}

/// Parses `0:00:01`, `--:--:--`, and `10d 03h` in one word as `3d 04h` never is; the inner value is missing for the dashes.
fn clock(word: &str) -> Option<Option<f64>> {
    if word == "--:--:--" {
        return Some(None);
    }
    let mut parts = word.split(':').map(whole);
    let [hours, minutes, seconds] = [parts.next()??, parts.next()??, parts.next()??];
    let known = parts.next().is_none() && hours < 1000 && minutes < 60 && seconds < 60;
    known.then_some(Some((hours * 3600 + minutes * 60 + seconds) as f64))
}

/// A count has to change by that many steps of its last digit, or its rounding would look like a rate that varies.
const MIN_STEPS: f64 = 40.0;

fn finish_meter(
    meter: &mut Vec<(usize, MeterRow)>,
    heads: &mut Vec<usize>,
    page: &mut Page<'_>,
    evidence: &mut Evidence,
) {
    let (rows, heads) = (std::mem::take(meter), std::mem::take(heads));
    let Some((_, last)) = rows.last().copied() else { return };
    heads.iter().copied().chain(rows.iter().map(|(index, _)| *index)).for_each(|index| page.claim(index));
    let is_upload = last.sent[0] > last.received[0];
    let counted = |row: &MeterRow| if is_upload { row.sent } else { row.received };
    let [bytes, _] = counted(&last);
    if bytes <= 0.0 {
        return;
    }
    let place = page.place(heads.first().copied().unwrap_or(rows[0].0));
    let mut connection = new(place, is_upload, evidence);
    connection.bytes = Some(bytes);
    let mean = last.means[usize::from(is_upload)];
    connection.goodput = Some(8.0 * mean).filter(|rate| *rate > 0.0);
    // Bytes over their mean rate are more exact than whole seconds.
    let seconds = (mean > 0.0).then(|| bytes / mean).or(last.spent);
    connection.span = seconds.filter(|seconds| *seconds > 0.0).map(|seconds| [0.0, seconds]);
    let mut points = vec![(0.0, [0.0, 0.0])];
    for (_, row) in &rows {
        let (count, mean) = (counted(row), row.means[usize::from(is_upload)]);
        let time = if mean > 0.0 { count[0] / mean } else { 0.0 };
        let (before, [had, _]) = points[points.len() - 1];
        if time > before && count[0] - had >= 2.0 * MIN_STEPS * count[1] && count[0] >= had {
            points.push((time, count));
        }
    }
    let gained = |pair: &[(f64, [f64; 2])]| Point {
        time: pair[1].0,
        bytes: Some(pair[1].1[0] - pair[0].1[0]),
        ..Point::default()
    };
    if points.len() > 2 {
        connection.points = [Point::default()].into_iter().chain(points.windows(2).map(gained)).collect();
    }
    evidence.connections.push(connection);
}

fn new(place: Place, is_upload: bool, evidence: &Evidence) -> Connection {
    let seen = if is_upload { Seen::Sender } else { Seen::Receiver };
    let name = if is_upload { "curl's upload" } else { "curl's download" };
    Connection { group: evidence.next_group(), ..Connection::new(place, Source::Curl, name, seen) }
}

/// Variables of `-w` that are numbers, and are used as labels.
const VARIABLES: &[&str] = &[
    "time_namelookup",
    "time_connect",
    "time_appconnect",
    "time_pretransfer",
    "time_redirect",
    "time_starttransfer",
    "time_total",
    "speed_download",
    "speed_upload",
    "size_download",
    "size_upload",
    "size_header",
    "size_request",
    "num_connects",
    "num_redirects",
    "http_code",
    "response_code",
    "ssl_verify_result",
];

/// Parses `time_connect:  0.037`, `time_total=0.164s`.
fn variable(text: &str) -> Option<(&'static str, Option<f64>)> {
    let (name, value) = text.trim().trim_end_matches(',').split_once([':', '='])?;
    let name = VARIABLES.iter().find(|known| **known == name.trim())?;
    let value = value.trim();
    let number =
        ["s", " s", " seconds", " sec", " bytes", " bytes/s", " B/s"].iter().find_map(|unit| value.strip_suffix(unit));
    decimal(number.unwrap_or(value)).map(|value| (*name, Some(value)))
}

/// Parses `%{json}`: one line.
fn json(text: &str) -> Option<Value> {
    let text = text.trim();
    let is_curl = text.starts_with('{') && text.contains("\"curl_version\"") && text.contains("\"time_total\"");
    is_curl.then(|| serde_json::from_str(text).ok()).flatten()
}

/// Timings of a transfer.
#[derive(Default)]
struct Timings {
    at: Option<usize>,
    lines: Vec<usize>,
    known: Vec<(&'static str, f64)>,
}

impl Timings {
    fn has(&self, name: &str) -> bool {
        self.known.iter().any(|(known, _)| *known == name)
    }

    fn take(&mut self, name: &'static str, value: Option<f64>) {
        if let Some(value) = value.filter(|value| value.is_finite() && *value >= 0.0 && *value < MAX_VALUE) {
            self.known.push((name, value));
        }
    }

    fn get(&self, name: &str) -> Option<f64> {
        self.known.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// Adds a connection. Two timings are needed: a single one is a word in a sentence.
    fn finish(self, page: &mut Page<'_>, evidence: &mut Evidence) {
        let times = self.known.iter().filter(|(name, _)| name.starts_with("time_")).count();
        let Some(at) = self.at.filter(|_| times >= 2) else { return };
        self.lines.iter().for_each(|line| page.claim(*line));
        let upload = self.get("size_upload").filter(|sent| *sent > self.get("size_download").unwrap_or(0.0));
        let mut connection = new(page.place(at), upload.is_some(), evidence);
        let time = |name: &str| self.get(name).filter(|seconds| *seconds > 0.0);
        // Times count from the last redirect's start too, so that a redirect leaves no handshake.
        let is_direct = self.get("time_redirect").is_none_or(|redirected| redirected == 0.0);
        let shook = time("time_connect").zip(self.get("time_namelookup")).filter(|_| is_direct);
        connection.rtt_base = shook.map(|(connected, named)| connected - named).filter(|rtt| *rtt > 0.0);
        connection.bytes = upload.or_else(|| self.get("size_download"));
        let begins = if upload.is_some() { time("time_pretransfer") } else { time("time_starttransfer") };
        connection.span = begins.zip(time("time_total")).map(|(from, to)| [from, to]).filter(|[from, to]| to > from);
        let rate = |[from, to]: [f64; 2]| Some(8.0 * connection.bytes? / (to - from));
        connection.goodput = connection.span.and_then(rate);
        if connection.goodput.is_none() {
            let mean = self.get(if upload.is_some() { "speed_upload" } else { "speed_download" });
            connection.goodput = mean.map(|bytes| 8.0 * bytes).filter(|rate| *rate > 0.0);
        }
        evidence.connections.push(connection);
    }
}

/// No time or size of a transfer is larger.
const MAX_VALUE: f64 = 1e18;

#[cfg(test)]
mod tests {
    use super::super::tests::read_by;
    use super::*;

    fn evidence(text: &str) -> Evidence {
        read_by(read, "x", text)
    }

    /// 61.6 MiB at 36.7 MiB/s take 1.68 s.
    #[test]
    fn a_meter_gives_bytes_and_their_mean_rate() {
        let head = "  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\n                                 Dload  Upload   Total   Spent    Left  Speed\n";
        let last = "100 61.6M  100 61.6M    0     0  36.7M      0  0:00:01  0:00:01 --:--:-- 21.7M";
        let found = evidence(&format!(
            "{head}  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0\r{last}\n"
        ));
        let [seen] = &found.connections[..] else { panic!("{found:?}") };
        assert_eq!((seen.bytes, seen.goodput), (Some(61.6 * 1_048_576.0), Some(8.0 * 36.7 * 1_048_576.0)));
        assert!((seen.span.unwrap()[1] - 61.6 / 36.7).abs() < 1e-9 && seen.points.is_empty());
        assert!(found.unread.is_empty(), "{:?}", found.unread);
        assert!(evidence(last).connections.is_empty());
    }

    #[test]
    fn timings_give_the_handshake_and_the_rate_of_the_payload() {
        let found = evidence(
            "    time_namelookup:  0.012\n       time_connect:  0.227\n    time_appconnect:  0.000\n      time_redirect:  0.000\n   \
             time_pretransfer:  0.227\n time_starttransfer:  0.443\n                    ----------\n         time_total:  0.843\n\
             size_download: 500000\n",
        );
        let [seen] = &found.connections[..] else { panic!("{found:?}") };
        assert!(
            (seen.rtt_base.unwrap() - 0.215).abs() < 1e-9 && (seen.goodput.unwrap() - 1e7).abs() < 1e-3,
            "{seen:?}"
        );
        assert!(found.unread.is_empty(), "{:?}", found.unread);
        let redirected = evidence("time_namelookup: 0.1\ntime_connect: 0.2\ntime_redirect: 0.1\ntime_total: 0.4\n");
        assert_eq!(redirected.connections[0].rtt_base, None);
    }

    #[test]
    fn errors_are_kept_and_prose_is_left() {
        let found = evidence("curl: (28) Operation timed out after 5001 milliseconds with 0 bytes received\n");
        assert_eq!(found.errors[0].says, "Operation timed out after 5001 milliseconds with 0 bytes received");
        for text in ["curl: (x) y", "time_total: 3", "time_total: long\ntime_connect: short\n", "% Total is a column"] {
            let found = evidence(text);
            assert!(
                found.connections.is_empty() && found.errors.is_empty() && found.unread.len() == 1,
                "{text}: {found:?}"
            );
        }
    }
}
