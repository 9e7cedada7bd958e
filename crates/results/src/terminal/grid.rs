//! A sweep over two axes as a grid: one axis down, the other across.

use super::align::{align, fits};
use super::selection::{short, with_interval};
use crate::table::{Cell, Column, GridRow, Table};

/// Formats the first measure that has values, with intervals if they fit; empty if not even the figures fit.
pub fn grid(table: &Table, width: usize) -> String {
    let Some(grid) = table.grid() else { return String::new() };
    let shown = (0..table.columns.len()).map(|column| (column, grid.rows_of(&table.rows, column)));
    let Some((column, rows)) = shown.into_iter().find(|(_, rows)| !rows.is_empty()) else { return String::new() };
    let lines = |text: fn(&Cell) -> String| {
        let keys =
            [0, 1].map(|axis| grid.keys[axis].split(", ").map(|key| name(table, key)).collect::<Vec<_>>().join(", "));
        let head = [keys.join(" \\ "), String::new()].into_iter().chain(grid.across.iter().cloned());
        let line = |row: &&GridRow| {
            let cell = |row: &Option<usize>| {
                row.and_then(|row| table.rows[row].cells[column].as_ref()).map_or("-".into(), text)
            };
            [row.value.clone(), row.subject.clone()].into_iter().chain(row.cells.iter().map(cell)).collect()
        };
        [head.collect()].into_iter().chain(rows.iter().map(line)).collect::<Vec<Vec<String>>>()
    };
    let Column { name, unit, centre, .. } = &table.columns[column];
    let unit = if unit.is_empty() { String::new() } else { format!(", {unit}") };
    let with = format!("{name}{unit}: {}\n{}\n", table.heading(&[*centre]), align(&lines(with_interval), 2));
    let without = || {
        let figures = align(&lines(Cell::text), 2);
        format!("{name}{unit}: {}\n{figures}\n", table.over_seeds(&[*centre]))
    };
    [with, without()].into_iter().find(|text| fits(text, width)).unwrap_or_default()
}

fn name<'t>(table: &'t Table, key: &'t str) -> &'t str {
    table.keys.iter().position(|own| own == key).map_or(key, |index| short(&table.keys, index))
}
