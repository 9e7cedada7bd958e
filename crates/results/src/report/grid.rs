//! A sweep over two axes as a table of the page for each measure.

use super::markup::{interval, number};
use crate::table::{Column, Grid, GridRow, Table};
use maud::{Markup, html};

/// Returns the grid of each measure; all but the first behind a fold.
pub(super) fn grids(table: &Table) -> Markup {
    let Some(grid) = table.grid() else { return html! {} };
    let shown = table.columns.iter().enumerate().map(|(index, _)| (index, grid.rows_of(&table.rows, index)));
    let shown: Vec<(usize, Vec<&GridRow>)> = shown.filter(|(_, rows)| !rows.is_empty()).collect();
    html! {
        div.wide.grids {
            @for (column, rows) in shown.iter().take(1) { (of_measure(table, &grid, *column, rows)) }
            @if shown.len() > 1 {
                details.more {
                    summary { "The same for " (shown.len() - 1) " more measures" }
                    @for (column, rows) in &shown[1..] { (of_measure(table, &grid, *column, rows)) }
                }
            }
        }
    }
}

fn of_measure(table: &Table, grid: &Grid, column: usize, rows: &[&GridRow]) -> Markup {
    let with_subject = rows.iter().any(|row| !row.subject.is_empty());
    let again = |index: usize| index > 0 && rows[index].value == rows[index - 1].value;
    html! {
        table.grid {
            caption { (caption(&table.columns[column], table)) }
            thead {
                tr {
                    th {}
                    @if with_subject { th {} }
                    th.across colspan=(grid.across.len()) { (grid.keys[1]) }
                }
                tr {
                    th { (grid.keys[0]) }
                    @if with_subject { th {} }
                    @for value in &grid.across { th.number { (value) } }
                }
            }
            tbody {
                @for (index, row) in rows.iter().enumerate() {
                    tr {
                        th { @if !again(index) { (row.value) } }
                        @if with_subject { th { (row.subject) } }
                        @for cell in &row.cells {
                            @let cell = cell.and_then(|row| table.rows[row].cells[column].as_ref());
                            td.number {
                                @if let Some(cell) = cell { (number(cell)) (interval(cell)) } @else { "–" }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn caption(column: &Column, table: &Table) -> String {
    let unit = if column.unit.is_empty() { String::new() } else { format!(", {}", column.unit) };
    format!("{}{unit}: {}", column.name, table.heading(&[column.centre]))
}
