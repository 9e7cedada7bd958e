//! Pieces of HTML, SVG and XML that several parts of the report write.

use super::Cell;

/// Text for an element or an attribute of HTML, SVG or XML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A number that the page can sort by.
pub(super) fn number(cell: &Cell) -> String {
    format!("<data value=\"{}\">{}</data>", cell.centre.value, escape(&cell.centre.text))
}

/// The interval as the page shows it; nothing where there is none or both ends read like the centre.
pub(super) fn interval(cell: &Cell) -> String {
    match &cell.interval {
        Some([low, high]) if low.text != high.text => {
            format!(" <small>{}–{}</small>", escape(&low.text), escape(&high.text))
        }
        _ => String::new(),
    }
}
