//! The table as text, in so many columns.

mod align;
mod grid;
mod lines;
mod selection;
mod side_by_side;
#[cfg(test)]
mod tests;

use crate::show;
use crate::table::Table;
use selection::Selection;

/// How much is shown, and in how many columns.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Characters of a line at most, as far as names let it.
    pub width: usize,
    /// Every row and every measure.
    pub all: bool,
}

/// Rows that stand side by side at most; of more each is a line.
const SIDE_BY_SIDE: usize = 4;

/// The table as the terminal shows it: a sweep over two axes as a grid of its first measure, then the measures that the
/// question needs, with their intervals where a few rows stand side by side, else a line for each row. Nothing if nothing
/// was measured.
pub fn terminal(table: &Table, look: Look) -> String {
    let shown = Selection::of(table, look.all);
    if shown.columns.is_empty() {
        return String::new();
    }
    let beside = if shown.rows.len() <= SIDE_BY_SIDE { side_by_side::beside(&shown, look.width) } else { None };
    let body = match beside {
        _ if shown.rows.is_empty() => String::new(),
        Some(text) => text,
        None => lines::lines(&shown, look),
    };
    let notes = [shown.modes(), shown.sources(), shown.rows_left_out()].into_iter().flatten();
    let notes: String = notes.map(|(head, note)| show::paragraph(head, &note, look.width)).collect();
    [grid::grid(table, look.width), body, notes].concat()
}
