//! Reads figures in prose: a round-trip time, the link rate, a window or send buffer, and packet lengths between which
//! goodput falls.
//!
//! A figure counts if a key word is directly before or after it, with nothing but words like "is" and "about" between,
//! or if it is a factor of a bandwidth-delay product: `1Gbps x 40ms BDP`. Prose is never claimed.

use super::figure::{Figure, Kind, figures};
use super::ping;
use crate::import::Page;
use crate::{Evidence, Quantity, Said, Sweep};

/// Reads figures in prose.
pub(super) fn read(page: &mut Page<'_>, evidence: &mut Evidence) {
    for index in 0..page.lines.len() {
        let line = page.lines[index];
        if line.claimed || !line.text.contains(|c: char| c.is_ascii_digit()) || ping::stands_in(line.text) {
            continue;
        }
        let found = figures(line.text);
        let said = said(line.text, &found).into_iter();
        evidence.said.extend(said.map(|(what, value)| Said { place: page.place(index), what, value }));
        let sweeps = sentences(line.text).filter_map(|sentence| drop_of(line.text, sentence, &found));
        evidence.sweeps.extend(sweeps.map(|points| Sweep { place: page.place(index), points, mss: false, told: true }));
    }
}

/// Key words of a quantity, in lower case.
struct Keys {
    what: Quantity,
    before: &'static [&'static str],
    behind: &'static [&'static str],
}

const KEY_WORDS: &[Keys] = &[
    Keys {
        what: Quantity::Rtt,
        before: &[
            "rtt",
            "ping",
            "latency",
            "round-trip time",
            "round trip time",
            "round-trip",
            "round trip",
            "время отклика",
            "задержка",
            "задержкой",
            "пинг",
            "往返时间",
            "时延",
            "延迟",
        ],
        behind: &["rtt", "ping", "round-trip", "round trip", "往返"],
    },
    Keys {
        what: Quantity::LineRate,
        before: &["line", "link", "line rate", "link rate", "link speed", "канал", "канала", "专线带宽", "链路带宽"],
        behind: &["line", "link", "leased line", "circuit", "канал", "канала", "канале", "专线", "链路", "專線"],
    },
];

/// Words and signs allowed between a key word and its figure.
const LINK_WORDS: &[&str] = &[
    "=",
    ":",
    "≈",
    "~",
    "(",
    "（",
    "-",
    "–",
    "约为",
    "约",
    "为",
    "是",
    "大约",
    "of",
    "is",
    "about",
    "around",
    "approximately",
    "в",
    "около",
    "составляет",
    "равна",
    "大概",
    "在",
];

/// Largest distance between a key word and its figure, bytes.
const MAX_KEY_DISTANCE_BYTES: usize = 64;

fn said(text: &str, figures: &[Figure]) -> Vec<(Quantity, f64)> {
    let product = std::cell::OnceCell::new();
    let is_product =
        || *product.get_or_init(|| text.contains("BDP") || text.to_lowercase().contains("bandwidth-delay"));
    let mut found = vec![];
    for (at, figure) in figures.iter().enumerate() {
        let what = match figure.kind {
            Kind::Time => Quantity::Rtt,
            Kind::Rate | Kind::Short => Quantity::LineRate,
            Kind::Length | Kind::Bare => continue,
        };
        let times = |a: &Figure, b: &Figure| {
            let sign = text[a.at.end..b.at.start].trim();
            matches!(sign, "x" | "X" | "×" | "*" | "х") && a.kind != b.kind
        };
        let other = |other: &Figure| matches!(other.kind, Kind::Time | Kind::Rate | Kind::Short);
        let factor = at > 0 && other(&figures[at - 1]) && times(&figures[at - 1], figure)
            || figures.get(at + 1).is_some_and(|next| other(next) && times(figure, next));
        let keyed = KEY_WORDS.iter().filter(|keys| keys.what == what).any(|keys| {
            ends_with_key(&text[..figure.at.start], keys.before) || starts_with_key(&text[figure.at.end..], keys.behind)
        });
        if figure.value > 0.0 && (keyed || factor && is_product()) {
            found.push((what, figure.value));
        }
    }
    found.extend(buffers(text, figures, found.iter().any(|(what, _)| *what == Quantity::Rtt)));
    found
}

/// Key words before a window, a send buffer and a goodput, in lower case.
const WINDOW_WORDS: &[&str] =
    &["window", "window size", "receive window", "so_rcvbuf", "rcvbuf", "окно", "окна", "窗口"];
const SEND_BUFFER_WORDS: &[&str] = &["send buffer", "so_sndbuf", "sndbuf", "буфер отправки", "发送缓冲区"];
const GOODPUT_WORDS: &[&str] = &[
    "gets",
    "get",
    "getting",
    "got",
    "only",
    "measured",
    "throughput",
    "goodput",
    "получаем",
    "скорость",
    "只有",
    "速度",
];
/// Words between a size and its transfer time.
const DURATION_WORDS: &[&str] = &["take", "takes", "took", "in", "needs", "need", "за", "用了"];
/// A call that sets a send buffer; its argument may be a product.
const SEND_BUFFER_CALL: &str = "setsendbuffersize(";
/// Longest round-trip time, seconds; a longer time is a duration.
const MAX_RTT_S: f64 = 1.0;

/// Returns a window or send buffer that a line states, with the transfer's goodput, and a round-trip time without a key
/// word.
fn buffers(text: &str, figures: &[Figure], has_rtt: bool) -> Vec<(Quantity, f64)> {
    let keyed = |figure: &&Figure, keys| figure.value > 0.0 && ends_with_key(&text[..figure.at.start], keys);
    let of = |kind: Kind| figures.iter().filter(move |figure| figure.kind == kind);
    let length = |keys| of(Kind::Length).find(|figure| keyed(figure, keys)).map(|figure| figure.value);
    let window = length(WINDOW_WORDS).map(|bytes| (Quantity::Window, bytes));
    let buffer = asked(text).or_else(|| length(SEND_BUFFER_WORDS)).map(|bytes| (Quantity::SendBuffer, bytes));
    if window.is_none() && buffer.is_none() {
        return vec![];
    }
    let gets = of(Kind::Rate).find(|figure| keyed(figure, GOODPUT_WORDS));
    let goodput = gets.map(|figure| figure.value).or_else(|| transferred(text, figures));
    let goodput = goodput.map(|rate| (Quantity::Goodput, rate));
    let short = || of(Kind::Time).find(|figure| figure.value > 0.0 && figure.value < MAX_RTT_S);
    let rtt = if has_rtt { None } else { short().map(|figure| (Quantity::Rtt, figure.value)) };
    [window, buffer, goodput, rtt].into_iter().flatten().collect()
}

/// Returns "22 MB take 25 s" as a rate, bit/s.
fn transferred(text: &str, figures: &[Figure]) -> Option<f64> {
    let lasts = |time: &&Figure| time.kind == Kind::Time && time.value >= MAX_RTT_S;
    let pairs = figures.windows(2).filter_map(|pair| Some((&pair[0], Some(&pair[1]).filter(lasts)?)));
    let taken = |(size, time): &(&Figure, &Figure)| {
        size.kind == Kind::Length
            && DURATION_WORDS.contains(&text[size.at.end..time.at.start].trim().to_lowercase().as_str())
    };
    pairs.into_iter().find(taken).map(|(size, time)| size.value * 8.0 / time.value)
}

/// Returns the argument of `socket.setSendBufferSize(16*1024)`, bytes.
fn asked(text: &str) -> Option<f64> {
    let lower = text.to_lowercase();
    let (_, argument) = lower.split_once(SEND_BUFFER_CALL)?;
    let (product, _) = argument.split_once(')')?;
    let factors: Option<Vec<f64>> = product.split('*').map(|factor| factor.trim().parse().ok()).collect();
    factors.map(|factors| factors.into_iter().product()).filter(|bytes: &f64| *bytes > 0.0 && bytes.is_finite())
}

/// True if the text ends with a key word, apart from [`LINK_WORDS`] after it.
fn ends_with_key(text: &str, keys: &[&str]) -> bool {
    let start = (text.len().saturating_sub(MAX_KEY_DISTANCE_BYTES)..=text.len())
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0);
    let text = text[start..].to_lowercase();
    let mut text = text.trim_end();
    for _ in 0..4 {
        let is_key = |key: &&str| {
            let before = text.strip_suffix(key).map(|before| before.chars().next_back());
            before.is_some_and(|before| before.is_none_or(|c| !joins(c, key)))
        };
        if keys.iter().any(is_key) {
            return true;
        }
        let link = LINK_WORDS.iter().filter_map(|link| text.strip_suffix(link)).min_by_key(|rest| rest.len());
        let Some(rest) = link else { return false };
        text = rest.trim_end();
    }
    false
}

/// True if the text begins with a key word.
fn starts_with_key(text: &str, keys: &[&str]) -> bool {
    let end = (0..=text.len().min(MAX_KEY_DISTANCE_BYTES)).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let text = text[..end].to_lowercase();
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '-' || c == '的');
    let text = text.strip_prefix("of ").unwrap_or(text);
    let is_key = |key: &&str| {
        let behind = text.strip_prefix(key).map(|behind| behind.chars().next());
        behind.is_some_and(|behind| behind.is_none_or(|c| !joins(c, key)))
    };
    keys.iter().any(is_key)
}

/// True if a character next to a key word makes it another word. Chinese has no blanks between words.
fn joins(c: char, key: &str) -> bool {
    let cyrillic = |c: char| ('\u{400}'..'\u{530}').contains(&c);
    (c.is_ascii_alphanumeric() || cyrillic(c) || c == '_') && key.chars().all(|k| k.is_ascii() || cyrillic(k))
}

/// Returns the byte range of each sentence.
fn sentences(text: &str) -> impl Iterator<Item = std::ops::Range<usize>> {
    let ends = text.char_indices().filter(|&(at, c)| {
        let next = text[at + c.len_utf8()..].chars().next();
        "。！？；".contains(c) || ".!?;".contains(c) && next.is_none_or(char::is_whitespace)
    });
    let ends = ends.map(|(at, c)| at + c.len_utf8()).chain([text.len()]);
    ends.scan(0, |start, end| Some(std::mem::replace(start, end)..end))
}

/// Goodput must fall by this ratio to count as a fault.
const MIN_DROP_RATIO: f64 = 2.0;

/// Reads "For MTU between 2300 and 2400 bytes the rate falls from 214478 to 150 KB/s": the lower rate applies at the
/// ends of the range, the higher one a byte outside.
fn drop_of(text: &str, sentence: std::ops::Range<usize>, figures: &[Figure]) -> Option<Vec<(f64, f64)>> {
    let first = figures.partition_point(|figure| figure.at.start < sentence.start);
    let last = figures.partition_point(|figure| figure.at.start < sentence.end);
    let inside = figures.get(first..last)?;
    let of = |kind: Kind| inside.iter().filter(move |figure| figure.kind == kind).map(|figure| figure.value);
    let pair = |kind: Kind| {
        let (mut values, count) = (of(kind), of(kind).count());
        let (a, b) = (values.next()?, values.next()?);
        (count == 2).then_some((a.min(b), a.max(b)))
    };
    let ((short, long), (low, high)) = (pair(Kind::Length)?, pair(Kind::Rate)?);
    let words = text[sentence].to_lowercase();
    let keyed = ["mtu", "mss", "segment", "сегмент", "报文", "分段"].iter().any(|key| words.contains(key));
    let fits = short >= 40.0 && long <= 65535.0 && short < long && low * MIN_DROP_RATIO < high;
    (keyed && fits).then(|| vec![(short - 1.0, high), (short, low), (long, low), (long + 1.0, high)])
}
