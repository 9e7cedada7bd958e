//! Reads a line of Windows' ping, which prints in its user's language. Answers and totals are recognized in any
//! language by numbers and signs, other lines only in English.

use super::{Part, Program};
use crate::import::view::{decimal, leading, whole};
use std::net::IpAddr;

/// Parses a line that is entirely output of Windows' ping.
pub(super) fn part(line: &str) -> Option<Part<'_>> {
    let line = line.trim();
    if line.len() > super::MAX_PART_CHARS || !line.contains(REQUIRED_CHARS) {
        return None;
    }
    [head, answer, silence, refusal, counts, summary, rest].iter().find_map(|parse| parse(line))
}

/// Each line of Windows' ping contains at least one of these.
const REQUIRED_CHARS: [char; 4] = ['=', '<', ':', '.'];

/// Parses `Pinging example.org [192.0.2.1] with 32 bytes of data:`
fn head(line: &str) -> Option<Part<'_>> {
    let (target, size) = line.strip_prefix("Pinging ")?.strip_suffix(" bytes of data:")?.rsplit_once(" with ")?;
    let (target, address) = target.split_once(" [").map_or((target, target), |(name, rest)| (name, rest));
    let address = address.trim_end_matches(']').parse().ok();
    Some(Part::Head { target, address, payload: decimal(size), program: Program::Windows })
}

/// Parses `Reply from 192.0.2.1: bytes=32 time=12ms TTL=56`, `Ответ от 192.0.2.1: число байт=32 время<1мс TTL=128`
fn answer(line: &str) -> Option<Part<'_>> {
    let (line, ttl) = line.rsplit_once(" TTL=")?;
    whole(ttl)?;
    let is_address = |word: &&str| word.parse::<IpAddr>().is_ok();
    // English output is recognized even if the address was made unreadable.
    let named = || line.strip_prefix("Reply from ")?.split(": ").next();
    let from = line.split([' ', ':']).find(is_address).or_else(named)?;
    let (line, time) = line.rsplit_once(['=', '<'])?;
    let payload = line.rsplit_once('=').and_then(|(_, size)| leading(size));
    Some(Part::Answer { from, payload, seconds: milliseconds(time)? / 1e3, number: None })
}

fn silence(line: &str) -> Option<Part<'_>> {
    (line == "Request timed out.").then_some(Part::Silence)
}

/// Parses `Reply from 192.0.2.1: Packet needs to be fragmented but DF set.`
fn refusal(line: &str) -> Option<Part<'_>> {
    line.ends_with("needs to be fragmented but DF set.").then_some(Part::TooBig(None))
}

/// Parses `Packets: Sent = 4, Received = 3, Lost = 1 (25% loss),`
fn counts(line: &str) -> Option<Part<'_>> {
    let [sent, answered, lost] = figures(line)?.map(|figure| leading(figure).map(|number| number as u64));
    let (sent, answered, lost) = (sent?, answered?, lost?);
    (line.contains('%') && answered.checked_add(lost) == Some(sent)).then_some(Part::Counts { sent, answered })
}

/// Parses `Minimum = 11ms, Maximum = 13ms, Average = 12ms`
fn summary(line: &str) -> Option<Part<'_>> {
    let [least, most, mean] = figures(line)?.map(|figure| milliseconds(figure.trim_end_matches([',', '，'])));
    Some(Part::Summary([least?, mean?, most?].map(|ms| ms / 1e3).to_vec()))
}

/// Recognizes lines that add nothing to the others.
fn rest(line: &str) -> Option<Part<'_>> {
    let ends = [" unreachable.", " expired in transit."];
    let starts = ["Ping statistics for ", "Approximate round trip times in milli-seconds:"];
    let of_router = line.starts_with("Reply from ") && ends.iter().any(|end| line.ends_with(end));
    (of_router || starts.iter().any(|start| line.starts_with(start))).then_some(Part::Rest)
}

/// Returns the words after exactly three equals signs.
fn figures(line: &str) -> Option<[&str; 3]> {
    let mut behind = line.split(" = ").skip(1);
    let three = [behind.next()?, behind.next()?, behind.next()?];
    let first = |text: &'_ str| text.find([' ', ',', '，']).unwrap_or(text.len());
    behind.next().is_none().then(|| three.map(|text| &text[..first(text)]))
}

fn milliseconds(text: &str) -> Option<f64> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
    ["ms", "мс", "мсек"].contains(&unit).then(|| decimal(&text[..text.len() - unit.len()]))?
}
