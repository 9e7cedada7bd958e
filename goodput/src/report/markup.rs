//! Pieces of markup that the tables of the page share, and what the figures escape.

use crate::table::Cell;
use evidence::plain;
use maud::{Markup, html};

/// Text for an element or an attribute of SVG or XML.
pub(crate) fn escape(text: &str) -> String {
    html! { (plain::line(text)) }.into_string()
}

/// The centre, with its value as computed.
pub(super) fn number(cell: &Cell) -> Markup {
    html! { data value=(cell.centre.value) { (cell.centre.text) } }
}

/// The interval as the page shows it; nothing where there is none or both ends read like the centre.
pub(super) fn interval(cell: &Cell) -> Markup {
    html! {
        @if let Some([low, high]) = cell.interval.as_ref().filter(|[low, high]| low.text != high.text) {
            " " small { (low.text) "–" (high.text) }
        }
    }
}
