//! Reads `ping` of iputils, FreeBSD and busybox, on separate lines or joined into one; `windows` reads that of Windows.

mod windows;

use super::{decimal, is_prompt, leading, whole};
use crate::import::Page;
use crate::{Evidence, Ping, Place};
use std::net::IpAddr;

/// Reads the output of ping.
pub(super) fn read(page: &mut Page<'_>, evidence: &mut Evidence) {
    let mut run = Run::default();
    let mut asked: Option<usize> = None;
    for index in 0..page.lines.len() {
        let line = page.lines[index];
        if let Some(part) = windows::part(line.text).filter(|_| !line.claimed) {
            run.at(index);
            run.take(part, || page.place(index), &mut evidence.pings);
            for own in asked.take().into_iter().chain([index]) {
                page.claim(own);
            }
            continue;
        }
        if !REQUIRED_WORDS.iter().any(|mark| line.text.contains(mark)) && !is_dump(line.text) {
            continue;
        }
        if let Some(options) = command(line.text) {
            run.options = options;
            asked = Some(index);
            continue;
        }
        let found = parts(line.text);
        if let Some(why) = found.wrong.filter(|_| !line.claimed) {
            page.wrong(index, why);
            continue;
        }
        let answers = !found.parts.is_empty();
        if answers {
            run.at(index);
        }
        for part in found.parts {
            run.take(part, || page.place(index), &mut evidence.pings);
        }
        if answers {
            for own in asked.take().into_iter().chain(found.alone.then_some(index)) {
                page.claim(own);
            }
        }
    }
    run.finish(&mut evidence.pings);
}

/// Each line of ping contains at least one of these.
const REQUIRED_WORDS: &[&str] = &["bytes", "PING", "ping", "packets", "icmp_seq", "round-trip", "rtt ", "HL TOS"];

/// True if the line is part of the IP header that FreeBSD's ping shows with an ICMP error.
fn is_dump(line: &str) -> bool {
    let mut words = line.split_whitespace();
    (words.next(), words.next()) == (Some("4"), Some("5")) && words.count() == 10
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Program {
    Iputils,
    Bsd,
    Windows,
}

/// Whether the option of each program that forbids fragmentation is set; other programs give the same letter another
/// meaning.
#[derive(Debug, Clone, Copy, Default)]
struct Options {
    linux: bool,
    bsd: bool,
    windows: bool,
}

impl Options {
    fn of(command: &str) -> Options {
        let words: Vec<&str> = command.split_whitespace().collect();
        let linux = words.contains(&"-Mdo") || words.windows(2).any(|pair| pair == ["-M", "do"]);
        Options { linux, bsd: words.contains(&"-D"), windows: words.contains(&"-f") }
    }

    fn forbid(self, program: Program) -> bool {
        match program {
            Program::Iputils => self.linux,
            Program::Bsd => self.bsd,
            Program::Windows => self.windows,
        }
    }
}

/// Returns the options of a line that is a ping command.
fn command(line: &str) -> Option<Options> {
    let at = line.find("ping ").or_else(|| line.find("ping6 ")).filter(|&at| is_prompt(&line[..at]))?;
    (!line.contains("PING ") && !line.contains("statistics")).then(|| Options::of(near(&line[at..])))
}

#[derive(Debug, PartialEq)]
enum Part<'a> {
    /// A command on the same line as its output.
    Command(&'a str),
    Head {
        target: &'a str,
        address: Option<IpAddr>,
        payload: Option<f64>,
        program: Program,
    },
    Answer {
        from: &'a str,
        payload: Option<f64>,
        seconds: f64,
        number: Option<u64>,
    },
    /// A request without an answer.
    Silence,
    /// An ICMP or socket error, with the MTU that it reports.
    TooBig(Option<f64>),
    Counts {
        sent: u64,
        answered: u64,
    },
    /// Minimum, mean and maximum, seconds.
    Summary(Vec<f64>),
    /// Output that is not kept.
    Rest,
}

/// Returns a part and its length in bytes, if the text begins with one.
type Parse = for<'a> fn(&'a str) -> Result<Option<(Part<'a>, usize)>, String>;

const PARSERS: &[Parse] = &[joined_command, head, answer, refusal, counts, summary, rest];

/// Parts of ping's output on one line.
#[derive(Default)]
struct Parts<'a> {
    parts: Vec<Part<'a>>,
    /// Whether nothing else is on the line.
    alone: bool,
    /// Error in a line that begins like ping's.
    wrong: Option<String>,
}

fn parts(line: &str) -> Parts<'_> {
    let mut found = Parts { alone: true, ..Parts::default() };
    if is_dump(line) || line.trim_start().starts_with("Vr HL TOS") {
        found.parts.push(Part::Rest);
        return found;
    }
    let mut at = 0;
    loop {
        let rest = &line[at..];
        at += rest.len() - rest.trim_start().len();
        if at >= line.len() {
            return found;
        }
        let near = near(&line[at..]);
        match PARSERS.iter().map(|parse| parse(near)).find(|parsed| !matches!(parsed, Ok(None))) {
            Some(Ok(Some((part, length)))) => {
                found.parts.push(part);
                at += length;
            }
            Some(Err(why)) if found.parts.is_empty() && found.alone => {
                found.wrong = Some(why);
                return found;
            }
            _ => {
                let word = near.split(char::is_whitespace).next().unwrap_or(near);
                found.alone &= is_stamp(word);
                at += word.len();
            }
        }
    }
}

/// Most characters of a part.
const MAX_PART_CHARS: usize = 200;

fn near(text: &str) -> &str {
    text.char_indices().nth(MAX_PART_CHARS).map_or(text, |(end, _)| &text[..end])
}

/// True for `[1795339288.652321]`, which iputils' `-D` prints before an answer.
fn is_stamp(word: &str) -> bool {
    word.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).and_then(decimal).is_some()
}

/// Returns the position in `text` where its slice `part` ends.
fn end_of(part: &str, text: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize + part.len()
}

/// Finds a lower-case word in a text of any case.
fn find_any_case(text: &str, word: &str) -> Option<usize> {
    text.to_ascii_lowercase().find(word)
}

fn joined_command(text: &str) -> Result<Option<(Part<'_>, usize)>, String> {
    let is_command = text.starts_with("ping ") || text.starts_with("ping6 ");
    let end = is_command.then(|| text.find("PING ")).flatten();
    Ok(end.map(|end| (Part::Command(&text[..end]), end)))
}

/// Parses `PING Linux (192.168.50.46) from 192.168.50.161 : 56(84) bytes of data.`, `PING ::1(::1) 56 data bytes`, and
/// `PING6(56=40+8+8 bytes) ::1 --> ::1` of older FreeBSDs, whose last addend is the payload.
fn head(text: &str) -> Result<Option<(Part<'_>, usize)>, String> {
    if let Some((sizes, ends)) = text.strip_prefix("PING6(").and_then(|rest| rest.split_once(" bytes) ")) {
        let payload = sizes.rsplit('+').next().and_then(leading);
        let target = ends.split_whitespace().nth(2).unwrap_or(&ends[..0]);
        let end = end_of(target, text);
        let address = target.parse().ok();
        return Ok(Some((Part::Head { target, address, payload, program: Program::Bsd }, end)));
    }
    let Some(rest) = text.strip_prefix("PING ") else { return Ok(None) };
    let end = [" data bytes", " bytes of data."].iter().filter_map(|end| Some((rest.find(end)?, end.len()))).min();
    let Some((end, length)) = end else { return Ok(None) };
    let (before, size) = rest[..end].rsplit_once(' ').unwrap_or((&rest[..end], ""));
    let target = before.split([' ', '(']).next().unwrap_or("").trim_end_matches(':');
    let named = before.split_once('(').and_then(|(_, rest)| rest.split(')').next()).unwrap_or(target);
    let is_bsd = rest[end..].starts_with(" data") && before.ends_with(':');
    let program = if is_bsd { Program::Bsd } else { Program::Iputils };
    let head = Part::Head { target, address: named.parse().ok(), payload: leading(size), program };
    Ok(Some((head, "PING ".len() + end + length)))
}

/// Parses `64 bytes from Linux (192.168.50.46): icmp_seq=1 ttl=64 time=40.9 ms`. FreeBSD shows an ICMP error in the
/// same form: `36 bytes from 10.0.0.1: frag needed and DF set (MTU 1400)`.
fn answer(text: &str) -> Result<Option<(Part<'_>, usize)>, String> {
    let size = text.bytes().take_while(u8::is_ascii_digit).count();
    let Some(rest) = text[size..].strip_prefix(" bytes from ").filter(|_| size > 0) else { return Ok(None) };
    let start = text.len() - rest.len();
    let from = rest.split([' ', ',']).next().unwrap_or("").trim_end_matches(':');
    let time = rest.find("time").filter(|&at| rest[at..].starts_with("time=") || rest[at..].starts_with("time<"));
    let refused = find_any_case(rest, "frag needed").filter(|&at| time.is_none_or(|time| at < time));
    if let Some(at) = refused {
        let (mtu, length) = told_mtu(&rest[at..]);
        return Ok(Some((Part::TooBig(mtu), start + at + length)));
    }
    let Some(time) = time.map(|at| at + "time=".len()) else { return Ok(None) };
    let digits = rest[time..].find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len() - time);
    let Some(ms) = decimal(&rest[time..time + digits]) else {
        return Err("expected the RTT as a number of ms after time=".into());
    };
    let mut end = time + digits;
    for tail in [" ms", "ms", " (DUP!)"] {
        end += rest[end..].strip_prefix(tail).map_or(0, |_| tail.len());
    }
    let number =
        rest[..time].split_once("icmp_seq=").and_then(|(_, number)| leading(number)).map(|number| number as u64);
    Ok(Some((Part::Answer { from, payload: None, seconds: ms / 1e3, number }, start + end)))
}

/// Returns the MTU that an error reports, and the error's length: `Frag needed and DF set (mtu = 1400)`.
fn told_mtu(text: &str) -> (Option<f64>, usize) {
    let Some(at) = find_any_case(text, "mtu").map(|at| at + 3) else {
        return (None, text.find(" set").map_or(text.len(), |at| at + " set".len()));
    };
    let digits = at + text[at..].find(|c: char| c.is_ascii_digit()).unwrap_or(text.len() - at);
    let end = digits + text[digits..].bytes().take_while(u8::is_ascii_digit).count();
    (decimal(&text[digits..end]), end + usize::from(text[end..].starts_with(')')))
}

/// Parses errors: `From 10.0.0.1 icmp_seq=1 Frag needed and DF set (mtu = 1400)`, `Packet too big: mtu=1280` of IPv6,
/// and `ping: local error: message too long, mtu=1400` of the socket.
fn refusal(text: &str) -> Result<Option<(Part<'_>, usize)>, String> {
    let of_socket = text.starts_with("ping: ") || text.starts_with("ping6: ");
    let error = |words: &str| find_any_case(text, words);
    let of_router = text.starts_with("From ") && text.contains("icmp_");
    if !of_socket && !of_router {
        return Ok(None);
    }
    if let Some(at) = error("message too long").filter(|_| of_socket) {
        let end = at + "message too long".len();
        let (mtu, length) = if text[end..].starts_with(", mtu") { told_mtu(&text[end..]) } else { (None, 0) };
        return Ok(Some((Part::TooBig(mtu), end + length)));
    }
    if let Some(at) = error("frag needed").or(error("packet too big")) {
        let (mtu, length) = told_mtu(&text[at..]);
        return Ok(Some((Part::TooBig(mtu), at + length)));
    }
    let ends = ["unreachable", "exceeded", "not known"];
    Ok(ends.iter().find_map(|end| Some((Part::Rest, error(end)? + end.len()))))
}

/// Parses `4 packets transmitted, 4 received, 0% packet loss, time 3061ms`.
fn counts(text: &str) -> Result<Option<(Part<'_>, usize)>, String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text[digits..].strip_prefix(" packets transmitted, ");
    let Some((sent, rest)) = whole(&text[..digits]).filter(|_| digits > 0).zip(rest) else { return Ok(None) };
    let answered = rest.split(' ').next().and_then(whole);
    let Some((answered, loss)) = answered.zip(rest.find("packet loss")) else {
        return Err("expected numbers of packets sent, received and lost".into());
    };
    let mut end = text.len() - rest.len() + loss + "packet loss".len();
    if let Some(time) = text[end..].strip_prefix(", time ") {
        end = end_of(time.split_whitespace().next().unwrap_or(&time[..0]), text);
    }
    Ok(Some((Part::Counts { sent, answered }, end)))
}

/// Parses `rtt min/avg/max/mdev = 40.905/40.981/41.108/0.078 ms`, `round-trip min/avg/max = 0.1/0.2/0.3 ms`.
fn summary(text: &str) -> Result<Option<(Part<'_>, usize)>, String> {
    if !text.starts_with("rtt min/") && !text.starts_with("round-trip min/") {
        return Ok(None);
    }
    let figures = text.split_once("= ").map(|(_, figures)| figures);
    let word = figures.and_then(|figures| figures.split_whitespace().next());
    let ms: Option<Vec<f64>> = word.and_then(|word| word.split('/').take(3).map(decimal).collect());
    let Some((ms, figures)) = ms.filter(|ms| ms.len() == 3).zip(figures) else {
        return Err("expected minimum, mean and maximum RTT after the equals sign".into());
    };
    let mut end = end_of(word.unwrap_or(&figures[..0]), text);
    end += text[end..].strip_prefix(" ms").map_or(0, |_| " ms".len());
    if let Some(pipe) = text[end..].strip_prefix(", pipe ") {
        end = text.len() - pipe.len() + pipe.bytes().take_while(u8::is_ascii_digit).count();
    }
    Ok(Some((Part::Summary(ms.iter().map(|ms| ms / 1e3).collect()), end)))
}

/// Parses lines that add nothing to the others, and requests without an answer.
fn rest(text: &str) -> Result<Option<(Part<'_>, usize)>, String> {
    let after = |start: &str| {
        let rest = text.strip_prefix(start)?;
        Some(start.len() + rest.bytes().take_while(u8::is_ascii_digit).count())
    };
    let rule = || {
        let end = text.find(" statistics ---").filter(|_| text.starts_with("--- "))?;
        text[..end].contains(" ping").then_some(end + " statistics ---".len())
    };
    if let Some(end) = after("Request timeout for icmp_seq ") {
        return Ok(Some((Part::Silence, end)));
    }
    let end = after("no answer yet for icmp_seq=").or_else(rule);
    Ok(end.map(|end| (Part::Rest, end)))
}

/// A partly read run of ping.
#[derive(Default)]
struct Run {
    ping: Option<Ping>,
    counted: bool,
    options: Options,
    /// Requests that ping reported as unanswered.
    silent: u64,
    /// Sequence numbers of the first and the last answer, if ping prints them.
    numbers: Option<[u64; 2]>,
    last: Option<usize>,
    gap: bool,
    torn: bool,
}

impl Run {
    /// Notes the position of a line; if lines lie between it and the last one, answers may have been left out.
    fn at(&mut self, index: usize) {
        let follows = self.last.is_none_or(|last| index <= last + 1);
        self.gap = self.ping.is_some() && !follows;
        self.last = Some(index);
    }

    fn take(&mut self, part: Part<'_>, place: impl FnOnce() -> Place, pings: &mut Vec<Ping>) {
        if let Part::Head { target, address, payload, program } = part {
            self.finish(pings);
            let whole = std::mem::take(&mut self.options).forbid(program);
            let payload = payload.map(|payload| payload as u32);
            self.ping = Some(Ping { address, payload, whole, ..unknown(place(), target) });
            return;
        }
        let goes_on =
            matches!(part, Part::Counts { .. } | Part::Summary(_) | Part::Rest | Part::Silence | Part::Command(_));
        if self.counted && !goes_on {
            self.finish(pings);
        }
        match part {
            Part::Command(command) => self.options = Options::of(command),
            Part::Answer { from, payload, seconds, number } => {
                let ping = self.ping.get_or_insert_with(|| unknown(place(), from));
                ping.payload = ping.payload.or(payload.map(|payload| payload as u32));
                ping.rtts.push(seconds);
                self.torn |= self.gap;
                self.numbers = number.map(|number| [self.numbers.map_or(number, |[first, _]| first), number]);
            }
            Part::Silence => self.silent += 1,
            Part::TooBig(mtu) => {
                let ping = self.ping.get_or_insert_with(|| unknown(place(), ""));
                ping.whole = true;
                ping.too_big = mtu.map(|mtu| mtu as u32).filter(|&mtu| mtu > 0).or(ping.too_big);
            }
            Part::Counts { sent, answered } => {
                let ping = self.ping.get_or_insert_with(|| unknown(place(), ""));
                (ping.sent, ping.answered, self.counted) = (Some(sent), Some(answered), true);
            }
            Part::Summary(times) => {
                if let Some(ping) = self.ping.as_mut().filter(|ping| ping.rtts.is_empty()) {
                    ping.rtts = times;
                }
            }
            Part::Head { .. } | Part::Rest => {}
        }
    }

    fn finish(&mut self, pings: &mut Vec<Ping>) {
        if let Some(ping) = &mut self.ping {
            let answered = ping.rtts.len() as u64;
            let numbered =
                self.numbers.filter(|_| !self.torn).and_then(|[first, last]| last.checked_sub(first)?.checked_add(1));
            let sent = numbered.unwrap_or(0).max(answered.saturating_add(self.silent));
            if !self.counted && sent > answered {
                (ping.sent, ping.answered) = (Some(sent), Some(answered));
            }
        }
        pings.extend(self.ping.take());
        *self = Run { options: self.options, ..Run::default() };
    }
}

fn unknown(place: Place, target: &str) -> Ping {
    Ping {
        place,
        target: target.into(),
        address: target.parse().ok(),
        payload: None,
        whole: false,
        sent: None,
        answered: None,
        rtts: vec![],
        too_big: None,
    }
}
