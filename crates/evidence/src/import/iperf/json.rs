//! Reads iperf3's JSON: a document (`-J`), or one event per line (`--json-stream`).
//!
//! Users' documents are cut off, follow one another, lie between lines of text and contain `nan`, which is not JSON.
//! Before parsing, a scan finds the document's end, writes `null` for numbers that are none, and closes open brackets.

use super::draft::Draft;
use super::row::is_nan;
use crate::fault::Span;
use crate::listing::{Counts, Direction, Period, Processors, Reading};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// First keys of a document or an event.
const FIRST_KEYS: &[&str] = &["\"start\"", "\"event\"", "\"title\"", "\"extra_data\"", "\"intervals\"", "\"end\""];

/// Returns where in a line of the text a document begins.
pub(super) fn begins(text: &str, line: Span) -> Option<usize> {
    let start = line.start;
    text[line].match_indices('{').map(|(at, _)| start + at).find(|at| is_start(&text[*at..]))
}

fn is_start(text: &str) -> bool {
    text.strip_prefix('{').is_some_and(|rest| FIRST_KEYS.iter().any(|key| rest.trim_start().starts_with(key)))
}

/// A document made parseable.
pub(super) struct Scanned {
    clean: String,
    /// End of the document in the text.
    pub end: usize,
}

impl Scanned {
    /// Returns the document's members, or why it cannot be parsed.
    pub fn parts(&self) -> Result<Parts<'_>, String> {
        serde_json::from_str(&self.clean).map(Parts).map_err(|error| error.to_string())
    }
}

/// The members of an object, each parsed only on request: a day of intervals would fill the memory.
pub(super) struct Parts<'a>(BTreeMap<Cow<'a, str>, &'a RawValue>);

impl<'a> Parts<'a> {
    /// Returns a member; null if it is missing.
    pub fn value(&self, key: &str) -> Value {
        self.0.get(key).map(|part| value(part)).unwrap_or_default()
    }

    /// Returns the elements of a member.
    fn list(&self, key: &str) -> Vec<&'a RawValue> {
        self.0.get(key).and_then(|part| serde_json::from_str(part.get()).ok()).unwrap_or_default()
    }

    fn is_too_large(&self, key: &str) -> bool {
        self.0.get(key).is_some_and(|part| is_too_large(part))
    }

    pub fn document(&self) -> Document<'a> {
        let [start, end, error] = ["start", "end", "error"].map(|key| self.value(key));
        let too_large = self.is_too_large("end");
        Document { start, intervals: self.list("intervals"), end, error, too_large }
    }
}

/// Parses a member; null if it is larger than any that iperf3 prints.
fn value(part: &RawValue) -> Value {
    if is_too_large(part) { Value::Null } else { serde_json::from_str(part.get()).unwrap_or_default() }
}

fn is_too_large(part: &RawValue) -> bool {
    part.get().len() > MAX_MEMBER_BYTES
}

/// Largest member that is parsed, bytes: an interval of 128 streams takes 60 kB, and parsing up to 100 times its size
/// in memory.
const MAX_MEMBER_BYTES: usize = 1 << 20;

/// A run whose intervals are not parsed yet.
pub(super) struct Document<'a> {
    start: Value,
    intervals: Vec<&'a RawValue>,
    end: Value,
    error: Value,
    /// True if the document has an end that was too large to parse.
    too_large: bool,
}

/// Deepest nesting; iperf3's documents stay below it.
const MAX_NESTING: usize = 32;

/// Copies a document until its brackets are closed, or until it is cut off: by the end of the text, the next document,
/// or text that is not JSON. Of a cut-off object, only its complete members are kept.
pub(super) fn scan(text: &str, start: usize) -> Scanned {
    let mut clean = String::new();
    let mut open = vec![];
    let mut whole = 0;
    let mut at = start;
    while let Some(byte) = text.as_bytes().get(at) {
        match byte {
            b'{' | b'[' if open.len() < MAX_NESTING => {
                open.push(if *byte == b'{' { '}' } else { ']' });
                clean.push(char::from(*byte));
                whole = clean.len();
            }
            b'}' | b']' if open.last() == Some(&char::from(*byte)) => {
                open.pop();
                clean.push(char::from(*byte));
                whole = clean.len();
            }
            b',' | b':' => clean.push(char::from(*byte)),
            b'\n' if text[at + 1..].starts_with('{') && is_start(&text[at + 1..]) => break,
            b' ' | b'\t' | b'\r' | b'\n' => {}
            b'"' => match string(&text[at + 1..], &mut clean) {
                Some(length) => at += length,
                None => break,
            },
            _ => match scalar(&text[at..], &mut clean) {
                Some(length) => at += length - 1,
                None => break,
            },
        }
        at += 1;
        if open.is_empty() {
            break;
        }
    }
    if !open.is_empty() {
        clean.truncate(whole);
        clean.extend(open.iter().rev());
    }
    Scanned { clean, end: at.max(start + 1) }
}

/// Copies a string, starting after its opening quote. Returns its length in the text including the closing quote;
/// `None` if that is not on the line.
fn string(text: &str, clean: &mut String) -> Option<usize> {
    clean.push('"');
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '\n' => return None,
            _ if escaped => {
                escaped = false;
                if !"\"\\/bfnrtu".contains(c) {
                    clean.push('\\');
                }
                clean.push(c);
            }
            '"' => {
                clean.push('"');
                return Some(at + 1);
            }
            _ => {
                escaped = c == '\\';
                clean.push(if c.is_control() { ' ' } else { c });
            }
        }
    }
    None
}

/// Copies a number or a word; returns its length.
fn scalar(text: &str, clean: &mut String) -> Option<usize> {
    let ends = |byte: u8| !(byte.is_ascii_alphanumeric() || b"+-.#()".contains(&byte));
    let length = text.bytes().take(MAX_NUMBER_BYTES).position(ends).unwrap_or(text.len().min(MAX_NUMBER_BYTES));
    let word = text.get(..length)?;
    let is_json = matches!(word, "true" | "false" | "null") || word.parse::<serde_json::Number>().is_ok();
    match is_json {
        true => clean.push_str(word),
        false if is_nan(word) || word.parse::<f64>().is_ok() => clean.push_str("null"),
        false => return None,
    }
    Some(length)
}

/// Longest number, bytes.
const MAX_NUMBER_BYTES: usize = 64;

/// Events of one run, which are pieces of a document.
pub(super) struct Events {
    pub place: Span,
    start: Value,
    intervals: Vec<Box<RawValue>>,
    end: Value,
    error: Value,
    too_large: bool,
}

impl Events {
    pub fn new(place: Span) -> Events {
        Events { place, start: json!({}), intervals: vec![], end: Value::Null, error: Value::Null, too_large: false }
    }

    pub fn take(&mut self, event: &str, parts: &Parts) {
        match event {
            "interval" => self.intervals.extend(parts.0.get("data").map(|&data| data.to_owned())),
            "start" => self.start = parts.value("data"),
            "end" => (self.end, self.too_large) = (parts.value("data"), parts.is_too_large("data")),
            "error" => self.error = parts.value("data"),
            _ => {}
        }
    }

    pub fn document(&self) -> Document<'_> {
        let intervals = self.intervals.iter().map(|data| &**data).collect();
        let [start, end, error] = [&self.start, &self.end, &self.error].map(Value::clone);
        Document { start, intervals, end, error, too_large: self.too_large }
    }
}

/// Returns a finite, non-negative number.
fn number(value: &Value, key: &str) -> Option<f64> {
    value.get(key)?.as_f64().filter(|number| number.is_finite() && *number >= 0.0)
}

fn whole(value: &Value, key: &str) -> Option<u64> {
    value.get(key)?.as_u64()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns the run in the document at `place` in the text; `None` if it is not iperf3's.
pub(super) fn draft(document: &Document, place: Span, text: &str) -> Option<Draft> {
    let Document { start, intervals, end, error, too_large } = document;
    let start = Some(start).filter(|start| start.is_object())?;
    let test = start.get("test_start").unwrap_or(&Value::Null);
    let is_on = |key| test.get(key).is_some_and(|on| on.as_u64() == Some(1) || on.as_bool() == Some(true));
    let is_server = start.get("accepted_connection").is_some();
    let error = error.as_str();
    let mut draft = Draft {
        at: place.start,
        error: error.map(|error| (error.to_owned(), error_place(text, place))),
        server: Some(is_server),
        reverse: (!test.is_null()).then(|| is_on("reverse")),
        hosts: hosts(start),
        protocol: test.get("protocol").and_then(Value::as_str).and_then(|name| name.parse().ok()),
        congestion: end.get("sender_tcp_congestion").and_then(Value::as_str).map(str::to_owned),
        duration: number(test, "duration").filter(|seconds| *seconds > 0.0),
        omit: number(test, "omit").filter(|seconds| *seconds > 0.0),
        target: ["target_bitrate", "fqrate"].iter().find_map(|key| number(test, key).filter(|rate| *rate > 0.0)),
        mss: whole(start, "tcp_mss")
            .or(whole(start, "tcp_mss_default"))
            .and_then(|mss| u32::try_from(mss).ok())
            .filter(|mss| *mss > 0),
        block: whole(test, "blksize").filter(|bytes| *bytes > 0),
        asked: whole(start, "sock_bufsize").filter(|bytes| *bytes > 0),
        buffers: buffers(start),
        version: start.get("version").and_then(Value::as_str).and_then(super::version).map(str::to_owned),
        system: start.get("system_info").and_then(Value::as_str).map(|system| system.trim().to_owned()),
        clock: start.get("timestamp").and_then(|time| number(time, "timesecs")).filter(|seconds| *seconds > 0.0),
        processors: processors(end),
        too_large: *too_large || intervals.iter().any(|interval| is_too_large(interval)),
        ..Draft::default()
    };
    let both = is_on("bidir")
        || end.get("sum_sent_bidir_reverse").is_some()
        || intervals.iter().any(|interval| interval.get().contains("\"sum_bidir_reverse\""));
    // `sender` refers to the end that printed; the client sends forward.
    let direction = |value: &Value| {
        let sends = value.get("sender").and_then(Value::as_bool).filter(|_| both)?;
        Some(if sends == is_server { Direction::Backward } else { Direction::Forward })
    };
    for interval in intervals {
        let interval = value(interval);
        let sums = ["sum", "sum_bidir_reverse"].into_iter().filter_map(|key| Some((None::<u32>, interval.get(key)?)));
        let streams = list(&interval, "streams").iter().filter_map(|value| Some((Some(socket(value)?), value)));
        for (id, value) in sums.chain(streams) {
            if let Some(period) = period(value) {
                draft.count(direction(value), id, |counts| counts.intervals.push(period));
            }
        }
    }
    for stream in list(end, "streams") {
        for (key, end) in END_KEYS {
            if let Some((value, id)) = stream.get(key).and_then(|value| Some((value, socket(value)?))) {
                draft.count(direction(value), Some(id), |counts| total(counts, value, *end));
            }
        }
    }
    for (key, end_of) in SUM_KEYS {
        if let Some(value) = end.get(key).filter(|value| period(value).is_some()) {
            draft.count(direction(value), None, |counts| total(counts, value, *end_of));
        }
    }
    (draft.has_rows() || draft.error.is_some()).then_some(draft)
}

/// The end that counted a total. For UDP, one object has the sender's bytes and the receiver's losses.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Sender,
    Receiver,
    Both,
}

const END_KEYS: &[(&str, End)] = &[("udp", End::Both), ("sender", End::Sender), ("receiver", End::Receiver)];

/// Totals over all streams; old versions print only `sum`, for UDP.
const SUM_KEYS: &[(&str, End)] = &[
    ("sum", End::Both),
    ("sum_sent", End::Sender),
    ("sum_received", End::Receiver),
    ("sum_sent_bidir_reverse", End::Sender),
    ("sum_received_bidir_reverse", End::Receiver),
];

fn total(counts: &mut Counts, value: &Value, end: End) {
    let Some(period) = period(value) else { return };
    match end {
        End::Sender => counts.sender = Some(period.by_sender()),
        End::Receiver => counts.receiver = Some(period),
        End::Both => {
            counts.sender = Some(period.by_sender());
            counts.receiver = Some(Period { bytes: None, rate: None, ..period });
        }
    }
}

fn socket(value: &Value) -> Option<u32> {
    u32::try_from(whole(value, "socket")?).ok()
}

fn period(value: &Value) -> Option<Period> {
    let (start, end) = (number(value, "start")?, number(value, "end")?);
    let exact = |key: &str| number(value, key).map(Reading::exact);
    // An interval across the end of the omitted time starts before 0 and ends after it.
    let is_across = || number(value, "seconds").is_some_and(|seconds| (seconds - start - end).abs() < 0.01 * seconds);
    let omitted = value.get("omitted").and_then(Value::as_bool).unwrap_or(false);
    (start <= end || !omitted && is_across()).then(|| Period {
        omitted,
        bytes: exact("bytes"),
        rate: exact("bits_per_second"),
        retransmits: whole(value, "retransmits"),
        cwnd: exact("snd_cwnd"),
        rtt: number(value, "rtt").filter(|us| *us > 0.0).map(|us| us * 1e-6),
        rttvar: number(value, "rttvar").filter(|us| *us > 0.0).map(|us| us * 1e-6),
        rtt_min: number(value, "min_rtt").filter(|us| *us > 0.0).map(|us| us * 1e-6),
        window: number(value, "snd_wnd"),
        datagrams: whole(value, "packets"),
        lost: whole(value, "lost_packets"),
        jitter: number(value, "jitter_ms").map(|ms| Reading::exact(ms * 1e-3)),
        ..Period::new(Reading::exact(start), Reading::exact(end))
    })
}

/// Returns what the sockets have at the start, bytes.
fn buffers(start: &Value) -> Option<[Option<u64>; 2]> {
    let sizes = ["sndbuf_actual", "rcvbuf_actual"].map(|key| whole(start, key).filter(|bytes| *bytes > 0));
    sizes.iter().any(Option::is_some).then_some(sizes)
}

/// Reads processor shares. The other end's share is printed as 0 if it reported none.
fn processors(end: &Value) -> Option<Processors> {
    let shares = end.get("cpu_utilization_percent")?;
    let share = |key| number(shares, key).map(|percent| percent / 100.0);
    Some(Processors { local: share("host_total")?, remote: share("remote_total").filter(|share| *share > 0.0) })
}

/// Returns the position of an error message in its document.
fn error_place(text: &str, document: Span) -> Span {
    let at = text.get(document.clone()).and_then(|text| text.rfind("\"error\""));
    at.map_or(document.start..document.start + 1, |at| {
        let from = document.start + at;
        from..from + text[from..document.end].lines().next().unwrap_or("").trim_end().len()
    })
}

/// Returns the hosts of the first connection.
fn hosts(start: &Value) -> Option<[String; 2]> {
    let first = start.get("connected")?.get(0)?;
    let host = |key| first.get(key).and_then(Value::as_str).map(str::to_owned);
    Some([host("local_host")?, host("remote_host")?])
}
