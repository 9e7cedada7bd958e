//! Renders the table as text of limited width.

mod align;
mod grid;
mod lines;
mod plot;
mod selection;
mod side_by_side;
#[cfg(test)]
mod tests;

pub use plot::{plot, plot_transfers};

use crate::table::Table;
pub use align::align;
use base::show;
use selection::Selection;

/// How much to show, and in which width.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Most characters of a line, if names permit.
    pub width: usize,
    /// True to show every row and every measure.
    pub all: bool,
}

/// Most rows to show side by side; more rows get a line each.
const SIDE_BY_SIDE: usize = 4;

/// Renders the table for a terminal: a sweep over two axes as a grid of its first measure, then the measures that the
/// question needs. A few rows are shown side by side with intervals, more rows as lines. Empty if nothing was measured.
pub fn terminal(table: &Table, look: Look) -> String {
    let shown = Selection::new(table, look.all);
    if shown.columns.is_empty() {
        return String::new();
    }
    let beside = if shown.rows.len() <= SIDE_BY_SIDE { side_by_side::format_rows(&shown, look.width) } else { None };
    let (body, part) = match beside {
        _ if shown.rows.is_empty() => (String::new(), None),
        Some(text) => (text, None),
        None => lines::lines(&shown, look),
    };
    let part = part.as_ref().unwrap_or(&shown);
    let notes = [part.modes(), part.sources(), shown.rows_left_out()].into_iter().flatten();
    let notes: String = notes.map(|(head, note)| show::paragraph(head, &note, look.width)).collect();
    [grid::grid(table, look.width), body, notes].concat()
}
