//! Formats measures for people: a fitting unit, three significant digits.

use crate::units::Unit;
use evidence::{Unread, plain};

/// Returns the units of a kind with their sizes in the measure's own unit, from large to small.
fn scales(unit: Unit) -> &'static [(&'static str, f64)] {
    match unit {
        Unit::BitsPerSecond => &[("Gbit/s", 1e9), ("Mbit/s", 1e6), ("kbit/s", 1e3), ("bit/s", 1.0)],
        Unit::Seconds => &[("s", 1.0), ("ms", 1e-3), ("us", 1e-6)],
        Unit::Ratio => &[("%", 0.01)],
        Unit::Packets => &[("packets", 1.0)],
        Unit::Bytes => &[("MB", 1e6), ("kB", 1e3), ("B", 1.0)],
        Unit::PacketBytes => &[("B", 1.0)],
        Unit::Count | Unit::Index => &[("", 1.0)],
    }
}

/// Returns the unit for all values of a table column, with its size in the measure's own unit.
pub fn column_unit(unit: Unit) -> (&'static str, f64) {
    match unit {
        Unit::BitsPerSecond => ("Mbit/s", 1e6),
        Unit::Seconds => ("ms", 1e-3),
        Unit::Bytes => ("kB", 1e3),
        Unit::Ratio | Unit::Packets | Unit::PacketBytes | Unit::Count | Unit::Index => scales(unit)[0],
    }
}

fn fitting(unit: Unit, value: f64) -> (&'static str, f64) {
    let scales = scales(unit);
    *scales.iter().find(|(_, size)| value.abs() >= *size).unwrap_or(scales.last().expect("each unit has a scale"))
}

/// Formats a value in a unit of this size. Whole counts have no decimals.
pub fn figure(unit: Unit, value: f64, size: f64) -> String {
    let counted = matches!(unit, Unit::Packets | Unit::PacketBytes | Unit::Count);
    if counted && value.fract() == 0.0 && value.abs() < TOO_MANY_DIGITS {
        format!("{value:.0}")
    } else {
        number(value / size)
    }
}

/// From here on a number is no measure but a mistake or a lie, and its digits would fill a page.
const TOO_MANY_DIGITS: f64 = 1e18;

/// Formats three significant digits, without an exponent below [`TOO_MANY_DIGITS`].
pub fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    if value.abs() >= TOO_MANY_DIGITS {
        return format!("{value:.2e}");
    }
    // Rounded first: 99.96 is 100.
    let rounded = format!("{value:.2e}");
    let exponent: i32 = rounded.rsplit('e').next().and_then(|text| text.parse().ok()).unwrap_or(0);
    let digits = (2 - exponent).clamp(0, 6) as usize;
    format!("{value:.digits$}")
}

/// Formats three significant digits with thousands separated and no trailing zeros.
pub fn rounded(value: f64) -> String {
    let text = number(value);
    let decimal = text.contains('.');
    grouped(if decimal { text.trim_end_matches('0').trim_end_matches('.') } else { &text })
}

/// Formats up to six decimals.
pub fn shortest(value: f64) -> String {
    if value.abs() >= TOO_MANY_DIGITS {
        return format!("{value:e}");
    }
    let text = format!("{value:.6}");
    grouped(text.trim_end_matches('0').trim_end_matches('.'))
}

/// Separates the thousands of a decimal number.
pub fn grouped(number: &str) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
    let (whole, fraction) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut out = String::from(sign);
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + fraction
}

/// Formats a value with its unit.
pub fn value(unit: Unit, value: f64) -> String {
    let (name, size) = fitting(unit, value);
    named(&figure(unit, value, size), name)
}

/// Formats a share the way people write it: "2 %".
pub fn plain_share(share: f64) -> String {
    format!("{} %", (share * 1e8).round() / 1e6)
}

/// Formats a time the way people write it: "40 ms".
pub fn plain_time(seconds: f64) -> String {
    let (name, size) = fitting(Unit::Seconds, seconds);
    named(&shortest(seconds / size), name)
}

/// Formats a size the way people write it: "64 MB".
pub fn plain_bytes(bytes: f64) -> String {
    let (name, size) = fitting(Unit::Bytes, bytes);
    named(&shortest(bytes / size), name)
}

/// Formats two values with one unit, or one value if both look the same.
pub fn range(unit: Unit, low: f64, high: f64) -> String {
    let (name, size) = fitting(unit, high);
    let [low, high] = [low, high].map(|value| figure(unit, value, size));
    if low == high { named(&high, name) } else { named(&format!("{low} to {high}"), name) }
}

fn named(figures: &str, unit: &str) -> String {
    format!("{figures} {unit}").trim_end().into()
}

/// Formats a rate in bit/s.
pub fn rate(value: f64) -> String {
    self::value(Unit::BitsPerSecond, value)
}

/// Formats a time in s.
pub fn time(value: f64) -> String {
    self::value(Unit::Seconds, value)
}

/// Formats bytes.
pub fn bytes(value: f64) -> String {
    self::value(Unit::Bytes, value)
}

/// Formats a share of 1 as a percentage.
pub fn share(value: f64) -> String {
    self::value(Unit::Ratio, value)
}

/// Formats a count with commas between thousands: `179,590`.
pub fn count(value: f64) -> String {
    if value.is_nan() || value.abs() >= TOO_MANY_DIGITS {
        return number(value);
    }
    let digits = format!("{:.0}", value.abs());
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    let sign = if value <= -0.5 { "-" } else { "" };
    format!("{sign}{}", groups.join(","))
}

/// Wraps a paragraph after a head to `width` columns. Further lines are indented two columns more than the head.
/// Longer words, such as commands and paths, stay whole.
pub fn paragraph(head: &str, body: &str, width: usize) -> String {
    let blanks = head.len() - head.trim_start().len();
    filled(head, blanks + if head.trim().is_empty() { 0 } else { 2 }, body, width)
}

/// Wraps like [`paragraph`], with further lines aligned under the body.
pub fn hanging(head: &str, body: &str, width: usize) -> String {
    filled(head, head.chars().count(), body, width)
}

fn filled(head: &str, indent: usize, body: &str, width: usize) -> String {
    let head = &plain::line(head);
    let indent = " ".repeat(indent);
    let body = body.split_whitespace().collect::<Vec<_>>().join(" ");
    let options = textwrap::Options::new(width)
        .initial_indent(head)
        .subsequent_indent(&indent)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .break_words(false);
    textwrap::fill(&body, options).trim_end().to_owned() + "\n"
}

/// Wraps an error for a terminal of `width` columns. Long words and quoted lines stay whole.
pub fn error(text: &str, width: usize) -> String {
    let is_quoted = |line: &str| line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit()).starts_with('|');
    let fitting = |line: &str| {
        if is_quoted(line) || line.chars().count() <= width {
            return line.to_owned();
        }
        let blanks = line.len() - line.trim_start().len();
        let head = ["accepted: ", "hint: "].into_iter().find(|head| line[blanks..].starts_with(head)).unwrap_or("");
        let (head, body) = line.split_at(blanks + head.len());
        paragraph(head, body, width).trim_end().to_owned()
    };
    text.split('\n').map(fitting).collect::<Vec<_>>().join("\n")
}

/// Stretches of unread lines listed; more are counted.
const MAX_LISTED_STRETCHES: usize = 8;

/// Explains why nothing was read, and what to bring.
pub fn nothing_read(all: &[Unread], width: usize) -> String {
    unread(all, width) + &paragraph("Next: ", EVIDENCE_HINT, width)
}

const EVIDENCE_HINT: &str = "save what `iperf3 -c HOST -J`, `ss -tin dst HOST` or `ping HOST` prints, or a capture by `tcpdump -s 96 \
                     -w FILE host HOST`, and give goodput the file.";

/// Describes unread lines: the reason, if a reader knows the lines, and their numbers.
pub fn unread(all: &[Unread], width: usize) -> String {
    let mut text = String::new();
    let wrong = all.iter().filter_map(|unread| Some((unread, unread.why.as_ref()?)));
    for (unread, why) in wrong.take(MAX_LISTED_STRETCHES) {
        text += &paragraph("Not read: ", &format!("{}: {why}", unread.place), width);
    }
    let unknown: Vec<&Unread> = all.iter().filter(|unread| unread.why.is_none()).collect();
    if unknown.is_empty() {
        return text;
    }
    let stretch = |unread: &&Unread| match (unread.place.line, unread.to) {
        (from, to) if from == to => format!("{from}"),
        (from, to) => format!("{from}-{to}"),
    };
    let mut listed = vec![];
    for group in unknown.chunk_by(|a, b| a.place.file == b.place.file) {
        let shown: Vec<String> = group.iter().take(MAX_LISTED_STRETCHES).map(stretch).collect();
        let more = group.len().saturating_sub(MAX_LISTED_STRETCHES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let lines = if group.len() == 1 && group[0].place.line == group[0].to { "line" } else { "lines" };
        listed.push(format!("{} {lines} {}{more}", group[0].place.file, shown.join(", ")));
    }
    text + &paragraph("Not recognized: ", &listed.join("; "), width)
}

/// Formats factors as "3.1 to 3.4".
pub fn times(ratios: &[f64]) -> String {
    let low = number(ratios.iter().copied().fold(f64::INFINITY, f64::min));
    let high = number(ratios.iter().copied().fold(f64::NEG_INFINITY, f64::max));
    if low == high { high } else { format!("{low} to {high}") }
}

/// Runs of consecutive flows listed; more are counted.
const MAX_LISTED_RUNS: usize = 6;

/// Names flows, given by rising numbers: first those with a unique name, then the others by number.
pub fn flows(numbers: &[usize], names: &[Option<String>]) -> String {
    let own = |number: usize| {
        let name = names.get(number)?.as_ref()?;
        (names.iter().flatten().filter(|other| *other == name).count() == 1).then(|| name.clone())
    };
    let others: Vec<usize> = numbers.iter().copied().filter(|number| own(*number).is_none()).collect();
    let mut told: Vec<String> = numbers.iter().copied().filter_map(own).collect();
    told.extend((!others.is_empty()).then(|| numbered(&others, names.len())));
    match told.as_slice() {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        told => told.concat(),
    }
}

/// Formats "flow 3" or "flows 0, 2 to 5 and 9"; many scattered ones become "90 of 250 flows".
fn numbered(numbers: &[usize], all: usize) -> String {
    let run = |run: &[usize]| match run {
        [first, .., last] if run.len() > 2 => vec![format!("{first} to {last}")],
        few => few.iter().map(usize::to_string).collect(),
    };
    if numbers.chunk_by(|a, b| a + 1 == *b).count() > MAX_LISTED_RUNS {
        return format!("{} of {all} flows", numbers.len());
    }
    let runs: Vec<String> = numbers.chunk_by(|a, b| a + 1 == *b).flat_map(run).collect();
    let plural = if numbers.len() == 1 { "flow" } else { "flows" };
    match runs.as_slice() {
        [before @ .., last] if !before.is_empty() => format!("{plural} {} and {last}", before.join(", ")),
        runs => format!("{plural} {}", runs.concat()),
    }
}

/// Capitalizes a sentence.
pub fn capital(text: &str) -> String {
    // The name of a setting stays.
    if text.split_whitespace().next().is_some_and(|word| word.contains('_')) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_broken_between_words_and_a_quoted_line_is_not() {
        let quoted = "12 | a line of an experiment that is wider than the terminal on which it is shown";
        let text = format!(
            "goodput: one two three four\n{quoted}\n   = accepted: one, two\n\naccepted: one, two, three\n\nhint: one two three"
        );
        let expected = format!(
            "goodput: one two\nthree four\n{quoted}\n   = accepted: one,\n   two\n\naccepted: one, two,\n  three\n\nhint: one two three"
        );
        assert_eq!(error(&text, 19), expected);
        assert_eq!(error(&text, 200), text);
    }

    /// The largest number has 309 digits.
    #[test]
    fn no_number_fills_a_page() {
        for text in [time(1e308), rate(f64::MAX), bytes(1e300), count(1e308), shortest(1e308), number(f64::INFINITY)] {
            assert!(text.len() < 24, "{text}");
        }
        assert_eq!(time(1e308), "1.00e308 s");
        assert_eq!(value(Unit::Packets, 1e308), "1.00e308 packets");
    }

    #[test]
    fn lines_hang_under_the_first() {
        assert_eq!(hanging("name  ", "one two three", 14), "name  one two\n      three\n");
    }

    #[test]
    fn three_digits_and_the_unit_that_fits() {
        assert_eq!(value(Unit::BitsPerSecond, 69.6e6), "69.6 Mbit/s");
        assert_eq!(value(Unit::BitsPerSecond, 941_482_000.0), "941 Mbit/s");
        assert_eq!(value(Unit::Seconds, 0.21), "210 ms");
        assert_eq!(value(Unit::Ratio, 0.0000165), "0.00165 %");
        assert_eq!(value(Unit::Ratio, 0.9996), "100 %");
        assert_eq!(value(Unit::Ratio, 0.000_999_8), "0.100 %");
        assert_eq!([4.0, 179_590.0, 1e6, 999.6, -1234.0].map(count), ["4", "179,590", "1,000,000", "1,000", "-1,234"]);
        assert_eq!(value(Unit::Packets, 0.0), "0 packets");
        assert_eq!(value(Unit::Packets, 12.5), "12.5 packets");
        assert_eq!(value(Unit::Count, 7.0), "7");
        assert_eq!(value(Unit::Index, 1.0), "1.00");
        assert_eq!(value(Unit::PacketBytes, 1448.0), "1448 B");
        assert_eq!(range(Unit::Count, 0.0, 12.0), "0 to 12");
        assert_eq!(range(Unit::BitsPerSecond, 9.5e6, 941e6), "9.50 to 941 Mbit/s");
        assert_eq!(times(&[3.217, 2.0]), "2.00 to 3.22");
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(shortest(17500.0), "17,500");
        assert_eq!(shortest(0.5), "0.5");
        assert_eq!(shortest(0.0), "0");
        assert_eq!(shortest(-1234.25), "-1,234.25");
        assert_eq!([17_067.62, 100.0, 0.05, 0.7, 0.123_456].map(rounded), ["17,068", "100", "0.05", "0.7", "0.123"]);
    }

    #[test]
    fn flows_are_listed_in_runs() {
        assert_eq!(numbered(&[3], 4), "flow 3");
        assert_eq!(numbered(&[0, 1], 4), "flows 0 and 1");
        assert_eq!(numbered(&[0, 1, 2], 4), "flows 0 to 2");
        assert_eq!(numbered(&[0, 2, 3, 4, 5, 9], 10), "flows 0, 2 to 5 and 9");
        assert_eq!(numbered(&[0, 2, 4, 6, 8, 10, 11], 250), "flows 0, 2, 4, 6, 8, 10 and 11");
        assert_eq!(numbered(&[0, 2, 4, 6, 8, 10, 12], 250), "7 of 250 flows");
        assert_eq!(capital("flow 3"), "Flow 3");
        let names =
            ["jail", "", "host", "pair", "pair"].map(|name| Some(name.to_owned()).filter(|name| !name.is_empty()));
        assert_eq!(flows(&[0], &names), "jail");
        assert_eq!(flows(&[0, 1, 2, 3], &names), "jail, host and flows 1 and 3");
        assert_eq!(flows(&[9], &names), "flow 9");
    }
}
