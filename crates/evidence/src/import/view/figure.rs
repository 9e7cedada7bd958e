//! Finds figures with their units in text of any language.

use std::ops::Range;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figure {
    /// Byte range in the text, including the unit.
    pub at: Range<usize>,
    /// Value in the unit of its kind.
    pub value: f64,
    /// Quantity that its unit measures.
    pub kind: Kind,
    scale: f64,
}

/// The quantity that a unit measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Time, seconds.
    Time,
    /// Rate, bit/s.
    Rate,
    /// Rate in the short form that people use for links: `1Gb`, `100M`; bit/s.
    Short,
    /// Length, bytes.
    Length,
    /// No known unit.
    Bare,
}

/// Units, their kinds and sizes. In bytes per second, `KB` and `KBytes` are powers of 1024, as iperf counts, and so are
/// the Russian spellings that translate them; `kB` is 1000 bytes (ISO 80000-1).
const UNITS: &[(&str, Kind, f64)] = &[
    ("ms", Kind::Time, 1e-3),
    ("msec", Kind::Time, 1e-3),
    ("milliseconds", Kind::Time, 1e-3),
    ("мс", Kind::Time, 1e-3),
    ("毫秒", Kind::Time, 1e-3),
    ("us", Kind::Time, 1e-6),
    ("µs", Kind::Time, 1e-6),
    ("μs", Kind::Time, 1e-6),
    ("мкс", Kind::Time, 1e-6),
    ("s", Kind::Time, 1.0),
    ("sec", Kind::Time, 1.0),
    ("seconds", Kind::Time, 1.0),
    ("с", Kind::Time, 1.0),
    ("секунд", Kind::Time, 1.0),
    ("秒", Kind::Time, 1.0),
    ("bit/s", Kind::Rate, 1.0),
    ("bits/s", Kind::Rate, 1.0),
    ("bits/sec", Kind::Rate, 1.0),
    ("bps", Kind::Rate, 1.0),
    ("kbit/s", Kind::Rate, 1e3),
    ("kbits/s", Kind::Rate, 1e3),
    ("kbits/sec", Kind::Rate, 1e3),
    ("kbps", Kind::Rate, 1e3),
    ("kb/s", Kind::Rate, 1e3),
    ("Kbit/s", Kind::Rate, 1e3),
    ("Kbits/s", Kind::Rate, 1e3),
    ("Kbits/sec", Kind::Rate, 1e3),
    ("Kbps", Kind::Rate, 1e3),
    ("Kb/s", Kind::Rate, 1e3),
    ("кбит/с", Kind::Rate, 1e3),
    ("Кбит/с", Kind::Rate, 1e3),
    ("mbit/s", Kind::Rate, 1e6),
    ("mbps", Kind::Rate, 1e6),
    ("Mbit/s", Kind::Rate, 1e6),
    ("Mbits/s", Kind::Rate, 1e6),
    ("Mbits/sec", Kind::Rate, 1e6),
    ("Mbps", Kind::Rate, 1e6),
    ("Mb/s", Kind::Rate, 1e6),
    ("Мбит/с", Kind::Rate, 1e6),
    ("мбит/с", Kind::Rate, 1e6),
    ("gbit/s", Kind::Rate, 1e9),
    ("gbps", Kind::Rate, 1e9),
    ("Gbit/s", Kind::Rate, 1e9),
    ("Gbits/s", Kind::Rate, 1e9),
    ("Gbits/sec", Kind::Rate, 1e9),
    ("Gbps", Kind::Rate, 1e9),
    ("Gb/s", Kind::Rate, 1e9),
    ("Гбит/с", Kind::Rate, 1e9),
    ("гбит/с", Kind::Rate, 1e9),
    ("B/s", Kind::Rate, 8.0),
    ("Bytes/sec", Kind::Rate, 8.0),
    ("bytes/s", Kind::Rate, 8.0),
    ("kB/s", Kind::Rate, 8e3),
    ("KB/s", Kind::Rate, 8.0 * 1024.0),
    ("KiB/s", Kind::Rate, 8.0 * 1024.0),
    ("KBytes/s", Kind::Rate, 8.0 * 1024.0),
    ("KBytes/sec", Kind::Rate, 8.0 * 1024.0),
    ("Kbytes/s", Kind::Rate, 8.0 * 1024.0),
    ("kbytes/s", Kind::Rate, 8.0 * 1024.0),
    ("Кб/с", Kind::Rate, 8.0 * 1024.0),
    ("КБ/с", Kind::Rate, 8.0 * 1024.0),
    ("кб/с", Kind::Rate, 8.0 * 1024.0),
    ("кБ/с", Kind::Rate, 8.0 * 1024.0),
    ("MB/s", Kind::Rate, 8e6),
    ("MiB/s", Kind::Rate, 8.0 * 1_048_576.0),
    ("MBytes/s", Kind::Rate, 8.0 * 1_048_576.0),
    ("MBytes/sec", Kind::Rate, 8.0 * 1_048_576.0),
    ("Mbytes/s", Kind::Rate, 8.0 * 1_048_576.0),
    ("mbytes/s", Kind::Rate, 8.0 * 1_048_576.0),
    ("Мб/с", Kind::Rate, 8.0 * 1_048_576.0),
    ("МБ/с", Kind::Rate, 8.0 * 1_048_576.0),
    ("GB/s", Kind::Rate, 8e9),
    ("Gb", Kind::Short, 1e9),
    ("Gbit", Kind::Short, 1e9),
    ("G", Kind::Short, 1e9),
    ("Гбит", Kind::Short, 1e9),
    ("Mb", Kind::Short, 1e6),
    ("Mbit", Kind::Short, 1e6),
    ("M", Kind::Short, 1e6),
    ("Мбит", Kind::Short, 1e6),
    ("kB", Kind::Length, 1e3),
    ("KB", Kind::Length, 1024.0),
    ("KiB", Kind::Length, 1024.0),
    ("MB", Kind::Length, 1e6),
    ("MiB", Kind::Length, 1_048_576.0),
    ("GB", Kind::Length, 1e9),
    ("B", Kind::Length, 1.0),
    ("byte", Kind::Length, 1.0),
    ("bytes", Kind::Length, 1.0),
    ("Bytes", Kind::Length, 1.0),
    ("б", Kind::Length, 1.0),
    ("Б", Kind::Length, 1.0),
    ("байт", Kind::Length, 1.0),
    ("байта", Kind::Length, 1.0),
    ("байтов", Kind::Length, 1.0),
    ("字节", Kind::Length, 1.0),
    ("字節", Kind::Length, 1.0),
];

/// Words between the ends of a range if only the second end has a unit: "2300 and 2400 bytes".
const JOINTS: &[&str] = &["and", "to", "и", "до", "-", "–", "—", "~", "～", "到", "至", ".."];

/// Returns the size of a rate unit, bit/s: `Mbits/sec`. `Kbytes` counts as `Kbytes/s`, so call this only for rates.
pub(super) fn rate_unit(word: &str) -> Option<f64> {
    let is_named = word.len() > 1 && word.starts_with(char::is_alphabetic);
    let is_it = |unit: &str| unit == word || unit.strip_suffix("/s") == Some(word);
    let rates = || UNITS.iter().filter(|(_, kind, _)| *kind == Kind::Rate);
    is_named.then(|| rates().find(|(unit, ..)| is_it(unit)).map(|unit| unit.2)).flatten()
}

/// Parses a text that is one rate, bit/s: `53.1 Mbits/sec`, `1000Mb/s`.
pub(in crate::import) fn rate(text: &str) -> Option<f64> {
    let text = text.trim();
    let [figure] = &figures(text)[..] else { return None };
    (figure.kind == Kind::Rate && figure.at == (0..text.len())).then_some(figure.value)
}

/// Returns all figures of a text in order.
pub(super) fn figures(text: &str) -> Vec<Figure> {
    let mut found: Vec<Figure> = vec![];
    let mut at = 0;
    while let Some(start) = text[at..].find(|c: char| c.is_ascii_digit()).map(|start| at + start) {
        let (digits, value) = number(&text[start..]);
        at = start + digits;
        let before = text[..start].chars().next_back();
        let inside = before.is_some_and(|c| c.is_ascii_alphanumeric() || "._/:".contains(c) || is_cyrillic(c));
        let Some(value) = value.filter(|_| !inside) else { continue };
        let (kind, scale, end) = unit(text, at).unwrap_or((Kind::Bare, 1.0, at));
        let figure = Figure { at: start..end, value: value * scale, kind, scale };
        if let Some(last) = found.last_mut().filter(|last| last.kind == Kind::Bare && kind != Kind::Bare) {
            let between = &text[last.at.end..start];
            if between.len() < 12 && JOINTS.contains(&between.trim()) {
                (last.kind, last.scale, last.value) = (kind, scale, last.value * scale);
            }
        }
        at = end;
        found.push(figure);
    }
    found
}

fn is_cyrillic(c: char) -> bool {
    ('\u{400}'..'\u{530}').contains(&c)
}

/// Returns length and value of the number at the start of a text: `1.5`, `1,5`, `214,478`.
fn number(text: &str) -> (usize, Option<f64>) {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(0);
    let mut plain = text[..end].to_owned();
    while text[end..].starts_with(',') && digits(end + 1) == 3 {
        plain.push_str(&text[end + 1..end + 4]);
        end += 4;
    }
    if text[end..].starts_with(['.', ',']) && digits(end + 1) > 0 {
        let fraction = digits(end + 1);
        plain = format!("{plain}.{}", &text[end + 1..end + 1 + fraction]);
        end += 1 + fraction;
    }
    (end, super::decimal(&plain))
}

/// Returns the unit after a number: its kind, its size, and where it ends.
fn unit(text: &str, at: usize) -> Option<(Kind, f64, usize)> {
    let rest = text[at..].trim_start_matches([' ', '\u{a0}', '\u{202f}', '\u{2009}']);
    let start = text.len() - rest.len();
    if start - at > 4 || !rest.starts_with(char::is_alphabetic) {
        return None;
    }
    let ends = |end: usize| !rest[end..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '/' || is_cyrillic(c));
    let known = UNITS.iter().filter(|(unit, ..)| rest.starts_with(unit) && ends(unit.len()));
    known.max_by_key(|(unit, ..)| unit.len()).map(|&(unit, kind, scale)| (kind, scale, start + unit.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_with_their_units_in_any_language() {
        let table: &[(&str, &[(f64, Kind)])] = &[
            ("RTT 约为210ms,据此", &[(0.21, Kind::Time)]),
            ("1,5 мс", &[(0.0015, Kind::Time)]),
            ("带宽为 1Gb，通过", &[(1e9, Kind::Short)]),
            ("для 100Mbit/s канала", &[(100e6, Kind::Rate)]),
            ("между 2300 б и 2400 б", &[(2300.0, Kind::Length), (2400.0, Kind::Length)]),
            ("between 2300 and 2400 bytes", &[(2300.0, Kind::Length), (2400.0, Kind::Length)]),
            ("с 214478 Кб/с до 150 Кб/с", &[(214_478.0 * 8192.0, Kind::Rate), (150.0 * 8192.0, Kind::Rate)]),
            ("from 214,478 to 150 kB/s", &[(214_478.0 * 8e3, Kind::Rate), (150.0 * 8e3, Kind::Rate)]),
            ("10 个 socket", &[(10.0, Kind::Bare)]),
        ];
        for (text, expected) in table {
            let found: Vec<_> = figures(text).into_iter().map(|figure| (figure.value, figure.kind)).collect();
            let close = found.len() == expected.len()
                && found.iter().zip(*expected).all(|(a, b)| a.1 == b.1 && (a.0 - b.0).abs() <= 1e-12 * b.0.abs());
            assert!(close, "{text}: {found:?}");
        }
        assert!(figures("rtt:0.063/0.04 mtu1500 10.4.0.0/16").iter().all(|figure| figure.kind == Kind::Bare));
        assert_eq!(rate_unit("Kbytes"), Some(8192.0));
        assert_eq!(rate_unit("s"), None);
        let rates = ["53.1 Mbits/sec", " 1000Mb/s", "x Mbits/sec", "about 3 Mbit/s", "3"].map(rate);
        assert_eq!(rates, [Some(53.1e6), Some(1e9), None, None, None]);
    }
}
