//! The card: what people forward of a proof, a change or a run, as ten lines of Markdown and a figure.
//!
//! Neither has an address: a card leaves the house.

use crate::report::svg::{number_ticks, write_text};
use base::show;
use evidence::plain;
use std::fmt::Write;
use std::net::IpAddr;

/// Lines of Markdown: the title, an empty one, and the rows.
pub const MAX_ROWS: usize = 8;

/// What a card says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Card {
    pub title: String,
    /// At most [`MAX_ROWS`] rows: what it is, and the sentence.
    pub rows: Vec<(&'static str, String)>,
    /// Goodput in the figure, bit/s.
    pub bars: Vec<Bar>,
}

/// A bar of the figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    pub label: String,
    /// Both ends, bit/s; no upper end if it is open.
    pub from: f64,
    pub to: Option<f64>,
    pub kind: BarKind,
}

/// What a bar stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BarKind {
    Measured,
    Predicted,
}

impl Card {
    /// Adds a row, unless it is empty.
    pub fn say(&mut self, what: &'static str, says: impl Into<String>) {
        let says = says.into();
        if !says.is_empty() && self.rows.len() < MAX_ROWS {
            self.rows.push((what, says));
        }
    }

    /// Returns the card as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("**{}**\n\n", one_line(&self.title));
        self.rows.iter().for_each(|(what, says)| text += &format!("- {what}: {}\n", one_line(says)));
        text
    }

    /// Returns the figure: a bar for each goodput, predicted ranges hatched.
    pub fn svg(&self) -> String {
        let height = TOP + ROW * self.bars.len() as f64 + BOTTOM;
        let most = self.bars.iter().map(|bar| bar.to.unwrap_or(bar.from * OPEN_RATIO)).fold(0.0, f64::max).max(1.0);
        let x = |value: f64| LEFT + value / most * (WIDTH - LEFT - RIGHT);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        );
        write_text(&mut out, 14.0, 26.0, "font-size=\"16\" font-weight=\"600\"", &one_line(&self.title));
        write_text(&mut out, 14.0, 46.0, "fill=\"#666\"", "Goodput, Mbit/s; outlined: predicted, nine of ten runs");
        for tick in number_ticks(0.0, most / 1e6) {
            let at = x(tick * 1e6);
            let bottom = height - BOTTOM;
            let _ = writeln!(out, "<path d=\"M{at:.1} {TOP}V{bottom:.1}\" stroke=\"#e6e6e6\"/>");
            write_text(&mut out, at, bottom + 18.0, "text-anchor=\"middle\" fill=\"#444\"", &show::shortest(tick));
        }
        for (number, bar) in self.bars.iter().enumerate() {
            let y = TOP + ROW * number as f64;
            write_text(&mut out, LEFT - 8.0, y + 17.0, "text-anchor=\"end\"", &shortened(&one_line(&bar.label)));
            let (from, to) = match bar.kind {
                BarKind::Measured => (0.0, bar.to.unwrap_or(bar.from)),
                BarKind::Predicted => (bar.from, bar.to.unwrap_or(bar.from * OPEN_RATIO)),
            };
            let look = match bar.kind {
                BarKind::Measured => "fill=\"#2563a8\"",
                BarKind::Predicted => "fill=\"#dbe7f5\" stroke=\"#2563a8\"",
            };
            let (left, width) = (x(from), (x(to) - x(from)).max(2.0));
            let _ =
                writeln!(out, "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"16\" {look}/>", y + 4.0);
            let open = if bar.to.is_none() { " or more" } else { "" };
            let figure = match bar.kind {
                BarKind::Predicted if bar.to.is_some() => {
                    format!("{} to {}", show::number(from / 1e6), show::number(to / 1e6))
                }
                BarKind::Predicted => format!("{}{open}", show::number(from / 1e6)),
                BarKind::Measured => show::number(to / 1e6),
            };
            write_text(&mut out, left + width + 6.0, y + 17.0, "fill=\"#444\"", &figure);
        }
        out + "</svg>\n"
    }
}

/// Size of the figure, px.
const WIDTH: f64 = 880.0;
const LEFT: f64 = 240.0;
const RIGHT: f64 = 110.0;
const TOP: f64 = 62.0;
const ROW: f64 = 24.0;
const BOTTOM: f64 = 30.0;
/// Width of a bar without an upper end, as a ratio of its lower one.
const OPEN_RATIO: f64 = 1.5;
/// Most characters of a label left of the bars.
const MAX_LABEL: usize = 34;

fn shortened(label: &str) -> String {
    if label.chars().count() <= MAX_LABEL {
        return label.to_owned();
    }
    label.chars().take(MAX_LABEL - 1).chain(['…']).collect()
}

fn one_line(text: &str) -> String {
    without_addresses(&plain::line(text)).trim().to_owned()
}

/// Replaces IP and MAC addresses, each with whatever prefix length or port it has.
pub fn without_addresses(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | '%' | '-' | '_');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        if length == 0 {
            let first = rest.chars().next().map_or(1, char::len_utf8);
            out += &rest[..first];
            rest = &rest[first..];
            continue;
        }
        let (word, after) = rest.split_at(length);
        let bare = word.trim_end_matches(['.', ':', '-', '_']);
        if is_address(bare) {
            out += "ADDRESS";
            out += &word[bare.len()..];
        } else {
            out += word;
        }
        rest = after;
    }
    out
}

fn is_address(word: &str) -> bool {
    let is_ip = |word: &str| word.split('%').next().is_some_and(|word| word.parse::<IpAddr>().is_ok());
    let with_port =
        || word.rsplit_once(':').is_some_and(|(address, port)| is_ip(address) && port.parse::<u16>().is_ok());
    // IPv4 with a port behind a dot, as tcpdump prints it.
    let dotted = || word.rsplit_once('.').is_some_and(|(address, _)| address.parse::<std::net::Ipv4Addr>().is_ok());
    let is_mac = |by: char| {
        let parts: Vec<&str> = word.split(by).collect();
        parts.len() == 6 && parts.iter().all(|part| part.len() == 2 && u8::from_str_radix(part, 16).is_ok())
    };
    is_ip(word) || with_port() || dotted() || is_mac(':') || is_mac('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_replaced_and_settings_stay() {
        for (text, due) in [
            ("from 192.0.2.7 to 2001:db8::7.", "from ADDRESS to ADDRESS."),
            ("route-congctl@192.0.2.7/32=bbr", "route-congctl@ADDRESS/32=bbr"),
            ("[fe80::1%eth0]:5201 and 192.0.2.7:5201", "[ADDRESS]:5201 and ADDRESS"),
            ("IP 10.0.0.1.5201 > 02:00:0a:00:00:01", "IP ADDRESS > ADDRESS"),
            ("net.ipv4.tcp_rmem = 4096 131072 6291456", "net.ipv4.tcp_rmem = 4096 131072 6291456"),
            ("Linux 6.12.3, 12:30:45, 9.41 Gbit/s: slow", "Linux 6.12.3, 12:30:45, 9.41 Gbit/s: slow"),
        ] {
            assert_eq!(without_addresses(text), due);
        }
    }

    #[test]
    fn a_card_has_ten_lines_and_a_bar_for_each_figure() {
        let mut card = Card { title: "Slow\nfrom 192.0.2.7".into(), ..Card::default() };
        (0..20).for_each(|n| card.say("Row", format!("{n} <b>")));
        card.say("Row", "");
        let bar = |label: &str, to, kind| Bar { label: label.into(), from: 50e6, to, kind };
        card.bars = vec![bar("now", Some(50e6), BarKind::Measured), bar("a & b", None, BarKind::Predicted)];
        assert_eq!(card.markdown().lines().count(), 10);
        let svg = card.svg();
        assert!(!(card.markdown() + &svg).contains("192.0.2.7"));
        assert!(svg.contains("a &amp; b") && svg.contains("50.0 or more"), "{svg}");
        assert_eq!(svg.matches("height=\"16\"").count(), 2);
    }
}
