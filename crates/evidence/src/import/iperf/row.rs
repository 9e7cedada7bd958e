//! Reads one line of a table.
//!
//! Formats follow iperf3's `src/iperf_locale.c`, numbers its `src/units.c`: bytes in powers of 1024, bits in powers of
//! 1000.

use crate::fault::Span;
use crate::listing::{Direction, Period, Protocol, Reading};
use crate::unit::Wrong;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct IperfRow {
    /// Number in brackets; `None` for `[SUM]`.
    pub id: Option<u32>,
    /// Direction of the data, if `--bidir` gives one.
    pub direction: Option<Direction>,
    /// End that counted a total; `None` for an interval.
    pub total: Option<End>,
    pub period: Period,
}

impl IperfRow {
    /// True if the times have iperf 2's format: iperf3 always prints two decimals.
    pub fn is_iperf2(&self) -> bool {
        (self.period.end.half_width - 0.005).abs() > 1e-6
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Sender,
    Receiver,
}

/// Meaning of the columns after the rate, from the table's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Columns {
    /// True if a lone integer counts retransmits.
    pub retransmits: bool,
    is_udp: bool,
    /// True if a lone integer counts datagrams.
    datagrams: bool,
    /// True for iperf 2's enhanced reports; only the sender's retransmissions, window and RTT are read from them.
    foreign: bool,
    /// Columns by name, if the table has others than retransmits and congestion window.
    named: Option<[Option<Column>; MAX_COLUMNS]>,
}

/// A column that is identified by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Retransmits,
    Cwnd,
    InFlight,
    /// The receive window, as either end knows it.
    Window,
    Rtt,
    /// Time for which the receive window limited the sender.
    Held,
    /// A column of unknown meaning.
    Unknown,
}

/// Most columns of a header.
const MAX_COLUMNS: usize = 12;

/// Column names of Apple's iperf3; names that end in a hyphen continue in the next line.
const APPLE_COLUMNS: &[(&str, Column)] = &[
    ("Retr", Column::Retransmits),
    ("Cwnd", Column::Cwnd),
    ("Bytes-in-", Column::InFlight),
    ("Sndwnd", Column::Window),
    ("Rwnd", Column::Window),
    ("RTT", Column::Rtt),
    ("Rwnd-", Column::Held),
];

/// Words of UDP's column names.
const UDP_COLUMNS: &[&str] = &["Jitter", "Lost/Total", "Total", "Datagrams"];

/// Words in the second line of a header.
const SECOND_HEADER_WORDS: &[&str] = &["Flight", "Ctrl", "Lmtd"];

/// True if the line is the second one of a header.
pub(super) fn is_below(line: &str) -> bool {
    let mut words = line.split_whitespace().peekable();
    words.peek().is_some() && words.all(|word| SECOND_HEADER_WORDS.contains(&word))
}

impl Columns {
    /// Reads the header of a table, if the line is one.
    pub fn parse(line: &str) -> Option<Columns> {
        let (_, names) = line.split_once("[ ID]")?;
        let has = |name| names.contains(name);
        let foreign = has("Write/Err") || has("Rtry") || has("Reads") || has("Latency");
        Some(Columns {
            retransmits: has("Retr") || has("Rtry"),
            is_udp: has("Datagrams"),
            datagrams: has("Total Datagrams") && !has("Lost/Total"),
            foreign,
            named: behind_rate(names).filter(|_| !foreign).and_then(named),
        })
    }

    /// Returns the names of columns that goodput does not read.
    pub fn unread(line: &str) -> Vec<&str> {
        let names = Columns::parse(line).filter(|columns| columns.named.is_some()).and_then(|_| behind_rate(line));
        let is_known = |name: &&str| APPLE_COLUMNS.iter().any(|(known, _)| known == name);
        names.into_iter().flat_map(str::split_whitespace).filter(|name| !is_known(name)).collect()
    }

    /// Returns the protocol whose tables have these columns.
    pub fn protocol(self) -> Option<Protocol> {
        match self {
            Columns { is_udp: true, .. } => Some(Protocol::Udp),
            Columns { retransmits: true, .. } => Some(Protocol::Tcp),
            _ => None,
        }
    }
}

/// Returns the column names after that of the rate.
fn behind_rate(names: &str) -> Option<&str> {
    ["Bitrate", "Bandwidth"].into_iter().find_map(|rate| Some(names.split_once(rate)?.1))
}

/// Identifies the columns, if others than iperf3's own are among them.
fn named(names: &str) -> Option<[Option<Column>; MAX_COLUMNS]> {
    let names = || names.split_whitespace();
    let is_another = names().any(|name| !matches!(name, "Retr" | "Cwnd"));
    let fits = names().count() <= MAX_COLUMNS && !names().any(|name| UDP_COLUMNS.contains(&name));
    let mut columns = [None; MAX_COLUMNS];
    for (column, name) in columns.iter_mut().zip(names()) {
        let known = APPLE_COLUMNS.iter().find(|(known, _)| *known == name);
        *column = Some(known.map_or(Column::Unknown, |(_, column)| *column));
    }
    (is_another && fits).then_some(columns)
}

/// The bracket that begins a row or another line about a stream, and the text after it.
pub(super) struct Bracket<'a> {
    pub id: Option<u32>,
    pub direction: Option<Direction>,
    pub rest: &'a str,
}

/// Largest width of a padded socket number.
const MAX_ID_COLUMNS: usize = 12;

/// Returns the first bracket in a line that has a number or SUM in it. Text before it is a prefix: a title, a
/// timestamp, a quotation mark.
pub(super) fn bracket(line: &str) -> Option<Bracket<'_>> {
    line.match_indices('[').find_map(|(at, _)| {
        let after = &line[at + 1..];
        let is_id = |byte: u8| byte == b' ' || byte.is_ascii_digit() || b"SUM".contains(&byte);
        let width = after.bytes().take(MAX_ID_COLUMNS).position(|byte| !is_id(byte))?;
        if after.as_bytes()[width] != b']' {
            return None;
        }
        let (id, rest) = (&after[..width], &after[width + 1..]);
        let id = match id.trim() {
            "SUM" => None,
            digits if is_whole(digits) => Some(digits.parse().ok()?),
            _ => return None,
        };
        let role = |role: &str| rest.strip_prefix(role);
        let (direction, rest) = if let Some(rest) = role("[TX-C]").or(role("[RX-S]")) {
            (Some(Direction::Forward), rest)
        } else if let Some(rest) = role("[RX-C]").or(role("[TX-S]")) {
            (Some(Direction::Backward), rest)
        } else {
            (None, rest)
        };
        Some(Bracket { id, direction, rest })
    })
}

/// The words of a line with their positions.
#[derive(Clone, Copy)]
struct Words<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let rest = self.line.get(self.at..)?;
        let start = rest.find(|c: char| !c.is_whitespace())?;
        let word = rest[start..].split(char::is_whitespace).next()?;
        self.at += start + word.len();
        Some(word)
    }

    /// Returns the next word, joined with the one after it if the first ends in `sign`: `0.0- 1.0`, `0/ 893`.
    fn joined(&mut self, sign: char) -> Option<Vec<&'a str>> {
        let word = self.next()?;
        let rest = word.ends_with(sign).then(|| self.next()).flatten();
        Some([word].into_iter().chain(rest).collect())
    }

    fn peek(self) -> Option<&'a str> {
        self.ahead(1)
    }

    /// Returns the word that is `number` words ahead.
    fn ahead(mut self, number: usize) -> Option<&'a str> {
        (0..number).map(|_| self.next()).last().flatten()
    }

    /// Returns the position of the last word.
    fn place(&self, word: &str) -> Span {
        self.at - word.len()..self.at
    }
}

/// Parses the row after a bracket. `None` if it is no row; an error, with its position, if it begins like a row. The
/// first row after omitted ones may start a little after its end.
pub(super) fn parse(
    line: &str,
    bracket: &Bracket,
    columns: Columns,
    omitting: bool,
) -> Result<Option<IperfRow>, (Span, Wrong)> {
    let &Bracket { id, direction, rest } = bracket;
    let mut words = Words { line, at: line.len() - rest.len() };
    let Some(interval) = words.joined('-') else { return Ok(None) };
    let (interval, place) = (interval.concat(), words.place(interval[interval.len() - 1]));
    let Some((start, end)) = interval.split_once(['-', '–']) else { return Ok(None) };
    let (Some(mut start), Some(end), Some("sec")) = (number(start), number(end), words.next()) else { return Ok(None) };
    let latest = if omitting { end.value * (1.0 + MAX_LATE_SHARE) } else { end.value };
    if latest < start.value {
        return Err((
            place,
            Wrong::new("the interval ends before it starts").accepted("START-END in seconds").hint(COPY_AGAIN_HINT),
        ));
    }
    if start.value == 0.0 {
        start.half_width = 0.0;
    }
    // This line is about a stream, but is no row: "0.0-1.0 sec 3 datagrams received out-of-order".
    if words.ahead(2) == Some("datagrams") {
        return Ok(None);
    }
    let mut period = Period::new(start, end);
    period.bytes = quantity(&mut words, "Transfer", "")?;
    period.rate = quantity(&mut words, "Bitrate", "/sec")?;
    let total = columns_after(&mut words, columns, &mut period);
    Ok(Some(IperfRow { id, direction, total, period }))
}

/// An interval may end late by this share of its length.
const MAX_LATE_SHARE: f64 = 0.2;

/// Hint for a row that cannot be read.
const COPY_AGAIN_HINT: &str = "copy the line again from the original output, or delete it";

/// Reads the columns after the rate.
fn columns_after(words: &mut Words, columns: Columns, period: &mut Period) -> Option<End> {
    if let Some(named) = columns.named {
        return by_name(words, named, period);
    }
    let mut total = None;
    while let Some(word) = words.joined('/') {
        let word = word.concat();
        match word.as_str() {
            "sender" => total = Some(End::Sender),
            "receiver" => total = Some(End::Receiver),
            "(omitted)" => period.omitted = true,
            _ if columns.foreign => enhanced(&word, columns, period),
            _ if word.contains('/') => {
                let count = |text: &str| text.parse().ok();
                let (lost, all) = word.split_once('/').unwrap_or_default();
                (period.lost, period.datagrams) = (count(lost), count(all));
            }
            _ => match words.peek().and_then(|unit| Some((unit, scale(unit)?))) {
                Some((_, scale)) if number(&word).is_some() => {
                    period.cwnd = number(&word).map(|cwnd| cwnd * (scale / 8.0));
                    words.next();
                }
                _ if words.peek() == Some("ms") => {
                    period.jitter = number(&word).map(|jitter| jitter * 1e-3);
                    words.next();
                }
                _ if is_whole(&word) && columns.datagrams => period.datagrams = word.parse().ok(),
                _ if is_whole(&word) && (columns.retransmits || is_cwnd_next(*words)) => {
                    period.retransmits = word.parse().ok();
                }
                _ => {}
            },
        }
    }
    total
}

/// Value of a cell: bytes, seconds or a count.
enum Cell {
    Bytes(Reading),
    Seconds(f64),
    Count(u64),
}

/// Reads cells by the header's names. If the cells are fewer, because that end knows less, nothing after the rate is
/// read.
fn by_name(words: &mut Words, named: [Option<Column>; MAX_COLUMNS], period: &mut Period) -> Option<End> {
    let (mut total, mut cells) = (None, vec![]);
    while let Some(word) = words.next() {
        match word {
            "sender" => total = Some(End::Sender),
            "receiver" => total = Some(End::Receiver),
            "(omitted)" => period.omitted = true,
            _ => cells.push(cell(word, words)),
        }
    }
    let columns = named.iter().flatten();
    if cells.len() != columns.clone().count() {
        return total;
    }
    for (column, cell) in columns.zip(cells) {
        match (column, cell) {
            (Column::Retransmits, Some(Cell::Count(count))) => period.retransmits = Some(count),
            (Column::Cwnd, Some(Cell::Bytes(bytes))) => period.cwnd = Some(bytes),
            (Column::InFlight, Some(Cell::Bytes(bytes))) => period.in_flight = Some(bytes.value),
            (Column::Window, Some(Cell::Bytes(bytes))) => period.window = Some(bytes.value),
            (Column::Rtt, Some(Cell::Seconds(time))) => period.rtt = Some(time).filter(|time| *time > 0.0),
            (Column::Held, Some(Cell::Seconds(time))) => period.held = Some(time),
            _ => {}
        }
    }
    total
}

/// Parses `12`, `4.39 MBytes`, `2ms`, `0.51 ms`, `9.959s`; the unit may be a separate word.
fn cell(word: &str, words: &mut Words) -> Option<Cell> {
    let digits = word.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(word.len());
    let value = number(&word[..digits])?;
    let is_unit = |unit: &&str| scale(unit).is_some() || matches!(*unit, "us" | "ms" | "s");
    let behind = words.peek().filter(|unit| digits == word.len() && is_unit(unit));
    if behind.is_some() {
        words.next();
    }
    match behind.unwrap_or(&word[digits..]) {
        "" => word.parse().ok().map(Cell::Count),
        "us" => Some(Cell::Seconds(value.value * 1e-6)),
        "ms" => Some(Cell::Seconds(value.value * 1e-3)),
        "s" => Some(Cell::Seconds(value.value)),
        unit => Some(Cell::Bytes(value * (scale(unit)? / 8.0))),
    }
}

/// Reads a word of an enhanced report: `9/0` writes and errors, `12` retransmissions, `43K/20311(512)` window and RTT;
/// since iperf 2.2 `22K(16)/43K(30)/20311(512)`, with bytes in flight first.
fn enhanced(word: &str, columns: Columns, period: &mut Period) {
    let parts: Vec<&str> = word.split('/').filter(|_| columns.retransmits).collect();
    let kilobytes = |part: &str| number(part.split_once('K')?.0).map(|kilobytes| kilobytes * 1024.0);
    if let [.., cwnd, rtt] = parts[..]
        && cwnd.contains('K')
    {
        let (rtt, var) = rtt.split_once('(').unwrap_or((rtt, ""));
        let seconds = |us: &str| number(us).map(|us| us.value * 1e-6).filter(|time| *time > 0.0);
        period.cwnd = kilobytes(cwnd);
        period.in_flight = parts.first().filter(|_| parts.len() == 3).and_then(|part| Some(kilobytes(part)?.value));
        period.rtt = seconds(rtt);
        period.rttvar = seconds(var.trim_end_matches(')'));
    } else if columns.retransmits && is_whole(word) && period.retransmits.is_none() {
        period.retransmits = word.parse().ok();
    }
}

/// True if a window follows; a count of retransmits precedes it.
fn is_cwnd_next(words: Words) -> bool {
    words.peek().is_some_and(|word| number(word).is_some()) && words.ahead(2).and_then(scale).is_some()
}

/// Parses a number and its unit; `nan` gives `None`.
fn quantity(words: &mut Words, column: &str, per: &str) -> Result<Option<Reading>, (Span, Wrong)> {
    let accepted = if per.is_empty() { "32.6 MBytes" } else { "4.56 Mbits/sec" };
    let wrong = |words: &Words, word: Option<&str>, what: &str| {
        let place = word.map_or(words.line.len()..words.line.len(), |word| words.place(word));
        let seen = word.map_or(format!("{column} ends here"), |word| format!("{column} has the {what} \"{word}\""));
        (place, Wrong::new(seen).accepted(format!("a number and its unit, such as {accepted}")).hint(COPY_AGAIN_HINT))
    };
    let word = words.next();
    let value = word.and_then(|word| if is_nan(word) { Some(None) } else { number(word).map(Some) });
    let value = value.ok_or_else(|| wrong(words, word, "number"))?;
    let word = words.next();
    let scale = word.and_then(|word| scale(word.strip_suffix(per)?)).ok_or_else(|| wrong(words, word, "unit"))?;
    let grain = if per.is_empty() { scale / 8.0 } else { scale };
    Ok(value.map(|value| value * grain))
}

/// Returns an iperf unit in bits.
fn scale(unit: &str) -> Option<f64> {
    let (prefix, base, bits) = match (unit.strip_suffix("Bytes"), unit.strip_suffix("bits")) {
        (Some(prefix), _) => (prefix, 1024.0_f64, 8.0),
        (_, Some(prefix)) => (prefix, 1000.0, 1.0),
        _ => return None,
    };
    let power = ["", "K", "M", "G", "T"].iter().position(|known| *known == prefix)?;
    Some(base.powi(power as i32) * bits)
}

/// True for C's output of 0/0 or x/0.
pub(super) fn is_nan(word: &str) -> bool {
    let word = word.trim_start_matches(['-', '+']).to_ascii_lowercase();
    word.starts_with("nan") || word == "inf" || word == "infinity" || word.starts_with("1.#")
}

fn is_whole(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Parses a decimal number, with the resolution that its digits imply.
fn number(word: &str) -> Option<Reading> {
    let (whole, fraction) = word.split_once('.').unwrap_or((word, "0"));
    if !is_whole(whole) || !is_whole(fraction) || word.len() > MAX_NUMBER_CHARS {
        return None;
    }
    let digits = word.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    Some(Reading { value: word.parse().ok()?, half_width: 0.5 * 10_f64.powi(-(digits as i32)) })
}

/// Most characters of a number.
const MAX_NUMBER_CHARS: usize = 24;
