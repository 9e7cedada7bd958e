//! Reads a file line by line, and JSON documents as a whole.

use super::draft::{Draft, MAX_STREAMS_PER_RUN};
use super::row::{self, Columns};
use super::{command, json};
use crate::fault::{Fault, Span};
use crate::import::view::clock;
use crate::listing::{Listing, Processors, Protocol, Reading};
use crate::unit::Wrong;
use serde::de::IgnoredAny;

pub(super) struct Read {
    pub listings: Vec<Listing>,
    /// Rows and documents that cannot be read.
    pub faults: Vec<Fault>,
    /// Reason why there is no listing.
    pub none: Option<Fault>,
    /// Positions of the lines and documents that were read.
    pub taken: Vec<Span>,
    /// Table headers with columns that are not read, and the names of those columns.
    pub columns: Vec<(Span, String)>,
}

/// Reads every listing in a text.
pub(super) fn read(text: &str) -> Read {
    let mut reader = Reader::default();
    let (mut at, mut end) = (0, 0);
    while at < text.len() {
        if at >= end {
            end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
        }
        if let Some(start) = json::begins(text, at..end) {
            reader.line(&text[at..start], at, false);
            at = reader.document(text, start);
        } else {
            reader.line(&text[at..end], at, end == text.len());
            at = end + 1;
        }
    }
    reader.finish(text)
}

/// Most streams kept per file, over all runs; each takes some kB.
const MAX_STREAMS_PER_FILE: usize = 20_000;

/// Length of the shortest meaningful line, `iperf -s`, bytes.
const MIN_LINE_BYTES: usize = 8;

#[derive(Default)]
struct Reader {
    drafts: Vec<Draft>,
    streams: usize,
    /// Start of the first run that was not kept.
    beyond: Option<usize>,
    draft: Draft,
    events: Option<json::Events>,
    columns: Columns,
    /// Last header of a table.
    header: Option<Span>,
    /// RTT of the next row, seconds.
    rtt: Option<f64>,
    /// True if other text lies between the last row and the next.
    apart: bool,
    /// True inside the server's output, which `--get-server-output` repeats.
    repeated: bool,
    faults: Vec<Fault>,
    taken: Vec<Span>,
    /// Headers with columns that are not read.
    unread: Vec<(Span, String)>,
}

impl Reader {
    /// Ends the current run. A server names its version once for all of its runs.
    fn end(&mut self) {
        let draft = std::mem::take(&mut self.draft);
        self.draft.version = draft.version.clone().filter(|_| draft.server == Some(true));
        if draft.has_rows() || draft.error.is_some() {
            self.keep(draft);
        }
        self.columns = Columns::default();
    }

    fn keep(&mut self, draft: Draft) {
        match self.streams < MAX_STREAMS_PER_FILE && self.drafts.len() < MAX_STREAMS_PER_FILE {
            true => {
                self.streams += draft.counts.len();
                self.drafts.push(draft);
            }
            false => {
                self.beyond.get_or_insert(draft.at);
            }
        }
    }

    /// Reads a line of text. The last one may have been cut off while it was written.
    fn line(&mut self, line: &str, at: usize, is_last: bool) {
        if line.len() < MIN_LINE_BYTES {
            self.apart = true;
            return;
        }
        if self.repeated && !ends_repetition(line) {
            self.taken.push(at..at + line.len());
            return;
        }
        self.repeated = false;
        match self.read_line(line, at, is_last) {
            true => self.taken.push(at..at + line.len()),
            false => self.apart = true,
        }
    }

    /// Reads a line; true if it is recognized.
    fn read_line(&mut self, line: &str, at: usize, is_last: bool) -> bool {
        if line.trim_start().starts_with("- - - -") {
            return true;
        }
        if let Some(bracket) = row::bracket(line) {
            let omitting = self.draft.is_omitting(bracket.direction, bracket.id);
            match row::parse(line, &bracket, self.columns, omitting) {
                Ok(Some(row)) => self.row(row, at),
                Ok(None) => return self.of_stream(line, at),
                Err(_) if is_last => {}
                Err((place, wrong)) => self.faults.push(Fault { span: at + place.start..at + place.end, wrong }),
            }
            true
        } else if let Some(columns) = Columns::parse(line) {
            self.columns = columns;
            self.header = Some(at..at + line.trim_end().len());
            self.draft.protocol = columns.protocol().or(self.draft.protocol);
            let unread = Columns::unread(line);
            if !unread.is_empty() {
                self.unread.push((at..at + line.len(), format!("columns of unknown meaning: {}", unread.join(", "))));
            }
            true
        } else if self.header.is_some() && row::is_below(line) {
            true
        } else if let Some(command) = command::find(line) {
            let pending = self.draft.command.as_ref().is_some_and(|command| !command.server);
            if command.server && pending && !self.draft.has_rows() {
                return true;
            }
            self.end();
            self.draft.at = at;
            self.draft.is_iperf2 = command.is_iperf2;
            self.draft.command = Some(command);
            true
        } else {
            self.fact(line, at)
        }
    }

    fn row(&mut self, mut row: row::IperfRow, at: usize) {
        row.period.rtt = row.period.rtt.or(self.rtt.take().filter(|_| row.total.is_none()));
        if !self.draft.has_rows() && !self.draft.connecting && self.draft.command.is_none() {
            self.draft.at = at;
        }
        let apart = std::mem::take(&mut self.apart);
        let rest = match apart && (self.draft.is_over_without(&row) || self.draft.is_total_before(&row)) {
            true => Some(row),
            false => self.draft.take(row, self.columns.retransmits),
        };
        if let Some(row) = rest {
            let (columns, protocol) = (self.columns, self.draft.protocol);
            self.end();
            self.columns = columns;
            self.draft = Draft { at, protocol, ..Draft::default() };
            self.draft.take(row, columns.retransmits);
        }
    }

    /// Reads a line that states a fact about the run.
    fn fact(&mut self, line: &str, at: usize) -> bool {
        let trimmed = line.trim();
        let has = |words: &str| line.contains(words);
        let client = has("Connecting to host ") || has("Client connecting to ");
        let server = has("Accepted connection from ") || has("Server listening on ");
        if client || server {
            if self.draft.has_rows() || self.draft.connecting && self.draft.error.is_some() {
                self.end();
            }
            self.begin(at);
            self.draft.server = Some(server);
            // iperf 2 names the protocol with the port.
            let named = [(" TCP port ", Protocol::Tcp), (" UDP port ", Protocol::Udp)];
            if let Some((_, protocol)) = named.into_iter().find(|(words, _)| has(words)) {
                self.draft.is_iperf2 = true;
                self.draft.protocol = Some(protocol);
            }
            if client {
                self.draft.reverse = Some(self.draft.command.as_ref().is_some_and(|command| command.reverse));
            }
        } else if trimmed.ends_with(" is sending") && has("Reverse mode, ") {
            self.draft.reverse = Some(true);
        } else if let Some(said) = said(trimmed) {
            self.draft.error = Some((said.to_owned(), at..at + line.trim_end().len()));
        } else if let Some((_, settings)) = line.split_once("Starting Test: ") {
            self.settings(settings);
        } else if let Some((_, rtt)) = line.split_once(" tcpi_rtt ") {
            // iperf3 -d prints it before the row of its interval.
            self.rtt = number_at::<u32>(rtt).map(|us| f64::from(us) * 1e-6).filter(|rtt| *rtt > 0.0);
            self.draft.mss = line.split_once(" tcpi_snd_mss ").and_then(|(_, mss)| number_at(mss)).or(self.draft.mss);
        } else if let Some((_, mss)) = line.split_once("TCP MSS: ") {
            self.draft.mss = number_at(mss);
        } else if let Some((_, name)) = line.split_once("snd_tcp_congestion ") {
            self.draft.congestion = name.split_whitespace().next().map(str::to_owned);
        } else if let Some((_, rate)) = line.split_once("Target Bitrate: ") {
            self.draft.target = rate.trim().parse().ok().filter(|rate: &f64| rate.is_finite() && *rate > 0.0);
        } else if let Some((_, told)) = line.split_once("TCP window size: ") {
            self.window(told);
        } else if let Some(warning) =
            trimmed.strip_prefix("warning: ").or_else(|| trimmed.strip_prefix("iperf3: warning: "))
        {
            if !self.draft.connecting && self.draft.command.is_none() {
                return false;
            }
            self.draft.warnings.push(warning.to_owned());
        } else if VERBOSE_LINES.iter().any(|known| trimmed.starts_with(known)) {
            return self.draft.connecting || self.draft.has_rows();
        } else if let Some((_, shares)) = line.split_once("CPU Utilization: ") {
            self.draft.processors = processors(shares);
        } else if self.prelude(line, at) {
            // The version begins a run; a banner without one is no listing.
        } else if trimmed == "Server output:" {
            self.repeated = true;
        } else if trimmed.ends_with("iperf Done.") {
            self.end();
        } else {
            return false;
        }
        true
    }

    /// Reads "85.3 KByte (default)", and "416 KByte (WARNING: requested 208 KByte)" of iperf 2, which prints the buffer
    /// that its end has for the data: the client's for sending, the server's for receiving.
    fn window(&mut self, told: &str) {
        let (has, note) = told.split_once('(').unwrap_or((told, ""));
        let has = bytes(has);
        let at = usize::from(self.draft.server == Some(true));
        let mut buffers = [None; 2];
        buffers[at] = has;
        self.draft.buffers = has.map(|_| buffers);
        self.draft.asked = match note.split_once("requested ") {
            Some((_, asked)) => bytes(asked.trim_end_matches(')')),
            None if note.starts_with("default") => self.draft.asked,
            None => has,
        };
    }

    /// Reads what `-V` prints before a run: the program's version, and the time.
    fn prelude(&mut self, line: &str, at: usize) -> bool {
        if let Some(version) = super::version(line) {
            if self.draft.has_rows() || self.draft.error.is_some() {
                self.end();
            }
            let begins = self.draft.command.is_none() && !self.draft.connecting;
            if begins {
                self.draft.at = at;
            }
            self.draft.version = Some(version.to_owned());
            return true;
        }
        let Some(time) = line.trim().strip_prefix("Time: ").and_then(clock::stamp) else { return false };
        self.draft.clock = Some(time);
        true
    }

    /// Begins a run, unless an earlier line has.
    fn begin(&mut self, at: usize) {
        if !self.draft.connecting && self.draft.command.is_none() {
            self.draft.at = at;
        }
        self.draft.connecting = true;
    }

    /// Reads another line about a stream: "[ 5] local … connected to …", with "with" in iperf 2.
    fn of_stream(&mut self, line: &str, at: usize) -> bool {
        if line.contains("Server Report:") {
            self.draft.server_report = true;
        }
        self.handshake(line);
        if !line.contains(" local ") || !line.contains(" connected ") {
            return line.contains("Server Report:") || line.contains("icwnd/mss/irtt=");
        }
        if self.draft.has_rows() {
            let (server, reverse) = (self.draft.server, self.draft.reverse);
            self.end();
            self.draft.server = server;
            self.draft.reverse = reverse;
        }
        self.begin(at);
        self.draft.is_iperf2 |= line.contains(" connected with ");
        if self.draft.hosts.is_none() {
            self.draft.hosts = hosts(line);
        }
        true
    }

    /// Reads "(icwnd/mss/irtt=14/1448/66504)" of iperf 2.1 and later, the last in microseconds.
    fn handshake(&mut self, line: &str) {
        let Some((_, told)) = line.split_once("icwnd/mss/irtt=") else { return };
        let figures: Vec<&str> = told.split(')').next().unwrap_or("").split('/').collect();
        if let [_, mss, rtt] = figures[..] {
            self.draft.mss = number_at::<u32>(mss).filter(|mss| *mss > 0).or(self.draft.mss);
            self.draft.handshake = number_at::<u32>(rtt).map(|us| f64::from(us) * 1e-6).filter(|rtt| *rtt > 0.0);
        }
    }

    /// Reads "protocol: TCP, 1 streams, 1048576 byte blocks, omitting 0 seconds, 300 second test".
    fn settings(&mut self, text: &str) {
        for part in text.split(", ") {
            match part.trim().split_once(' ') {
                Some(("protocol:", name)) => self.draft.protocol = name.parse().ok(),
                Some((number, "byte blocks")) => self.draft.block = number.parse().ok(),
                Some(("omitting", time)) => {
                    self.draft.omit = number_at::<u32>(time).map(f64::from).filter(|seconds| *seconds > 0.0);
                }
                Some((number, "second test")) => {
                    self.draft.duration = number_at::<u32>(number).map(f64::from).filter(|seconds| *seconds > 0.0);
                }
                _ => {}
            }
        }
    }

    /// Reads the document at `start`; returns where it ends.
    fn document(&mut self, text: &str, start: usize) -> usize {
        if self.draft.has_rows() || self.draft.error.is_some() {
            self.end();
        }
        let scanned = json::scan(text, start);
        let place = start..scanned.end;
        self.taken.push(place.clone());
        match scanned.parts() {
            Ok(parts) => match parts.value("event").as_str() {
                Some(event) => self.event(event, &parts, place),
                None => self.finished(json::draft(&parts.document(), place, text)),
            },
            Err(reason) => {
                let wrong = Wrong::new(format!("cannot parse the JSON that starts here: {reason}"));
                let wrong = wrong.accepted(ACCEPTED_INPUT).hint("create it again with iperf3 -c HOST -J > FILE");
                self.faults.push(Fault { span: start..start + 1, wrong });
            }
        }
        scanned.end
    }

    fn event(&mut self, event: &str, parts: &json::Parts, place: Span) {
        if event == "start" {
            self.end_events();
        }
        self.events.get_or_insert_with(|| json::Events::new(place)).take(event, parts);
    }

    fn end_events(&mut self) {
        if let Some(events) = self.events.take() {
            self.finished(json::draft(&events.document(), events.place.clone(), ""));
        }
    }

    /// Keeps a run that was read from JSON, with the command that precedes it.
    fn finished(&mut self, draft: Option<Draft>) {
        let Some(mut draft) = draft else { return };
        let before = std::mem::take(&mut self.draft);
        if let Some(command) = before.command {
            draft.at = before.at;
            draft.command = Some(command);
        }
        self.keep(draft);
    }

    fn finish(mut self, text: &str) -> Read {
        self.end();
        self.end_events();
        let none = (!self.drafts.iter().any(Draft::has_rows)).then(|| {
            let failed = self.drafts.iter().find_map(|draft| draft.error.clone());
            failed.map_or_else(|| nothing(text, self.header.clone()), failure)
        });
        self.faults.extend(self.beyond.map(|at| {
            let wrong = Wrong::new(format!(
                "what begins here was not read: a file holds at most {MAX_STREAMS_PER_FILE} streams"
            ));
            Fault { span: at..at + 1, wrong: wrong.accepted(ACCEPTED_INPUT).hint("split the file") }
        }));
        self.drafts.sort_by_key(|draft| draft.at);
        let (mut line, mut counted) = (1, 0);
        let mut listings = vec![];
        for draft in self.drafts {
            line += text[counted..draft.at].matches('\n').count();
            counted = draft.at;
            let begins = draft.at..draft.at + 1;
            if draft.too_large {
                let wrong = Wrong::new(format!(
                    "the run that starts here has more than {MAX_STREAMS_PER_RUN} streams, or a member of JSON beyond 1 MiB; these were not read"
                ));
                let wrong = wrong.accepted(ACCEPTED_INPUT).hint("iperf3 sends at most 128 at once");
                self.faults.push(Fault { span: begins.clone(), wrong });
            }
            for listing in draft.listings() {
                match impossible(&listing) {
                    Some(what) => {
                        let wrong = Wrong::new(what).accepted("figures of a real run").hint("copy the listing again");
                        self.faults.push(Fault { span: begins.clone(), wrong });
                    }
                    None => listings.push(Listing { line, ..listing }),
                }
            }
        }
        Read { listings, faults: self.faults, none, taken: self.taken, columns: self.unread }
    }
}

/// Returns a number that no machine can print, if the listing has one.
fn impossible(listing: &Listing) -> Option<String> {
    let counts = std::iter::once(&listing.sum).chain(listing.streams.iter().map(|stream| &stream.counts));
    let periods = counts.flat_map(|counts| counts.intervals.iter().chain(&counts.sender).chain(&counts.receiver));
    let value = |reading: Option<Reading>| reading.map(|reading| reading.value);
    let of_periods = periods.flat_map(|period| {
        let seconds = Some(period.end.value - period.start.value).filter(|seconds| *seconds > 0.0).unwrap_or(1.0);
        let count = |count: Option<u64>| count.map(|count| count as f64);
        [
            (value(period.rate), MAX_RATE, "bit/s"),
            (value(period.bytes).map(|bytes| 8.0 * bytes / seconds), MAX_RATE, "bit/s"),
            (value(period.cwnd), MAX_WINDOW_BYTES, "bytes of cwnd"),
            (period.window, MAX_WINDOW_BYTES, "bytes of window"),
            (count(period.retransmits), MAX_COUNT, "retransmissions"),
            (count(period.datagrams), MAX_COUNT, "datagrams"),
            (Some(period.end.value), MAX_SECONDS, "s"),
            (period.rtt, MAX_SECONDS, "s of RTT"),
            (period.rtt_min, MAX_SECONDS, "s of RTT"),
            (period.rttvar, MAX_SECONDS, "s of RTT"),
            (value(period.jitter), MAX_SECONDS, "s of jitter"),
        ]
    });
    let of_run = [(listing.target, MAX_RATE, "bit/s"), (listing.duration, MAX_SECONDS, "s")];
    let mut all = of_run.into_iter().chain(of_periods);
    all.find_map(|(value, most, unit)| {
        let value = value.filter(|value| value.abs() > most)?;
        Some(format!("{value:e} {unit} is more than any machine counts, in the run that starts here"))
    })
}

/// Bounds of plausible values: 1000 Tbit/s, 1000 x 2^32 packets, 2^32 segments of 64 KiB, and 30 years.
const MAX_RATE: f64 = 1e15;
const MAX_COUNT: f64 = 4.3e12;
const MAX_WINDOW_BYTES: f64 = 2.9e14;
const MAX_SECONDS: f64 = 1e9;

/// Accepted input, for errors.
const ACCEPTED_INPUT: &str = "output of iperf3, as text, with -J or with --json-stream, and text output of iperf 2";

/// Returns the error for a file without any listing.
fn nothing(text: &str, header: Option<Span>) -> Fault {
    let first = text.len() - text.trim_start().len();
    let first = first..first + text[first..].lines().next().unwrap_or("").trim_end().len();
    let odd =
        text.chars().take(CHECKED_CHARS).filter(|c| *c == '\u{FFFD}' || c.is_control() && !c.is_whitespace()).count();
    let (span, what) = match header {
        Some(header) => (header, "the table that starts here has no rows".to_owned()),
        None if first.is_empty() => (0..0, "the file is empty".to_owned()),
        None if odd * 10 > text.chars().take(CHECKED_CHARS).count() => (first, "this is not text".to_owned()),
        None if text[first.start..].starts_with(['{', '[']) => {
            let cut = serde_json::from_str::<IgnoredAny>(&text[first.start..]).is_err_and(|error| error.is_eof());
            let what = if cut { "this JSON is cut off before any result" } else { "this JSON is not iperf3's" };
            (first, what.to_owned())
        }
        None => {
            let lines = text.lines().count();
            (first, format!("no iperf output in {lines} {}", if lines == 1 { "line" } else { "lines" }))
        }
    };
    let wrong = Wrong::new(what).accepted(ACCEPTED_INPUT).hint("iperf3 -c HOST -J > FILE creates one");
    Fault { span, wrong }
}

/// Number of characters checked to tell text from other data.
const CHECKED_CHARS: usize = 1000;

/// Returns the error for a file whose only runs failed.
fn failure((said, span): (String, Span)) -> Fault {
    let wrong = Wrong::new(format!("the run failed: {said}")).accepted("a run that transferred data");
    Fault { span, wrong: wrong.hint("start iperf3 -s on the other end and run it again") }
}

/// Beginnings of lines of `-V` that add nothing.
const VERBOSE_LINES: &[&str] =
    &["Test Complete. Summary Results:", "Control connection MSS ", "Cookie: ", "rcv_tcp_congestion "];

/// Returns the message of "iperf3: error - unable to connect to server", and of iperf 2's "connect failed: Connection
/// refused".
fn said(line: &str) -> Option<&str> {
    const FAILURES: [&str; 6] = [
        "connect failed: ",
        "tcp connect failed: ",
        "write failed: ",
        "read failed: ",
        "bind failed: ",
        "accept failed: ",
    ];
    if FAILURES.iter().any(|failure| line.starts_with(failure)) {
        return Some(line);
    }
    let (_, said) = line.split_once("iperf3: ")?;
    let said = said.strip_prefix("parameter ").unwrap_or(said);
    said.strip_prefix("error - ").or(Some(said).filter(|said| said.starts_with("interrupt - ")))
}

/// Parses `85.3 KByte`, in powers of 1024.
fn bytes(text: &str) -> Option<u64> {
    let mut words = text.split_whitespace();
    let (number, unit) = (words.next()?.parse::<f64>().ok()?, words.next()?);
    let size = [("Byte", 1.0), ("KByte", 1024.0), ("MByte", 1_048_576.0), ("GByte", 1_073_741_824.0)];
    let size = size.iter().find(|(name, _)| *name == unit.trim_end_matches('s'))?.1;
    (number.is_finite() && number > 0.0).then_some((number * size).round() as u64)
}

/// True for a line that follows the server's output in a client's, or begins another run.
fn ends_repetition(line: &str) -> bool {
    line.contains("iperf Done.") || line.contains("Connecting to host ") || command::find(line).is_some()
}

fn number_at<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Parses "local/sender 39.0% (0.8%u/38.2%s), remote/receiver 41.6% (1.3%u/40.3%s)".
fn processors(text: &str) -> Option<Processors> {
    let share = |end: &str| {
        let (_, after) = text.split_once(end)?;
        let percent: f64 = after.split_once(' ')?.1.split_once('%')?.0.parse().ok()?;
        Some(percent / 100.0).filter(|share| share.is_finite() && *share >= 0.0)
    };
    Some(Processors { local: share("local/")?, remote: share("remote/") })
}

/// Parses "local HOST%DEVICE port N connected to HOST port N".
fn hosts(line: &str) -> Option<[String; 2]> {
    let behind = |word: &str, line: &str| {
        let host = line.split_once(word)?.1.split_whitespace().next()?;
        Some(host.split('%').next().unwrap_or(host).to_owned())
    };
    let other = behind(" connected to ", line).or_else(|| behind(" connected with ", line))?;
    Some([behind(" local ", line)?, other])
}
