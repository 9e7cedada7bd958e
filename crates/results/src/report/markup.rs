//! Pieces of markup that the page's tables share, and escaping for the figures.

use crate::table::{Cell, Figure};
use evidence::plain;
use maud::{Markup, html};

/// Escapes text for an element or an attribute of SVG or XML.
pub(crate) fn escape(text: &str) -> String {
    html! { (plain::line(text)) }.into_string()
}

/// Keeps figures and their units on one line.
pub(super) fn unbroken(sentence: &str) -> String {
    let is_unit = |word: &str| word.starts_with('%') || word.contains("bit/s") || word.starts_with("ms");
    let mut words = sentence.split(' ').peekable();
    let mut text = String::new();
    while let Some(word) = words.next() {
        text.push_str(word);
        if let Some(next) = words.peek() {
            let figure = word.ends_with(|c: char| c.is_ascii_digit());
            text.push(if figure && is_unit(next) { '\u{a0}' } else { ' ' });
        }
    }
    text
}

/// Returns the centre, or those of two modes with their seeds, with values as computed.
pub(super) fn number(cell: &Cell) -> Markup {
    let one = |figure: &Figure| html! { data value=(figure.value) { (figure.text) } };
    match &cell.modes {
        None => one(&cell.centre),
        Some([low, high]) => html! {
            (one(&low.centre)) " ×" (low.seeds) ", " (one(&high.centre)) " ×" (high.seeds)
        },
    }
}

/// Returns the interval as the page shows it; nothing if there is none, if seeds have two modes, or if both ends read
/// like the centre.
pub(super) fn interval(cell: &Cell) -> Markup {
    html! {
        @if let Some([low, high]) = cell.interval.as_ref().filter(|[low, high]| cell.modes.is_none() && low.text != high.text) {
            " " small { (low.text) "–" (high.text) }
        }
    }
}
