//! `heat-map.svg`: the first measure over two quantities, a coloured cell for each point.

use super::frame::{LEFT, ROW, WIDTH, head, text};
use crate::table::{Column, Grid, Table};
use base::show::capital;
use std::fmt::Write;

/// Height of a cell, px.
const CELL_HEIGHT: f64 = 30.0;
/// Position of the first row, px.
const TOP: f64 = 96.0;
/// Width of the names of the rows, px.
const NAMES: f64 = 130.0;
/// Colours of the least and of the most: Okabe and Ito's blue, from pale to full; they differ in lightness too.
const ENDS: [[f64; 3]; 2] = [[236.0, 244.0, 250.0], [0.0, 84.0, 138.0]];
/// Share of the range above which text is white.
const MIN_WHITE_SHARE: f64 = 0.5;

/// Draws a column of the table whose points form a grid; `None` without a value.
pub fn heat_map(title: &str, table: &Table, grid: &Grid, column: usize) -> Option<String> {
    let value = |row: usize| table.rows[row].cells[column].as_ref();
    let rows = grid.rows_of(&table.rows, column);
    let all: Vec<f64> =
        rows.iter().flat_map(|row| &row.cells).filter_map(|row| Some(value((*row)?)?.centre.value)).collect();
    let (low, high) = all.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(*v), high.max(*v)));
    if all.is_empty() {
        return None;
    }
    let Column { name, unit, .. } = &table.columns[column];
    let unit = if unit.is_empty() { String::new() } else { format!(", {unit}") };
    let width = (WIDTH - LEFT - NAMES) / grid.across.len() as f64;
    let bottom = TOP + CELL_HEIGHT * rows.len() as f64;
    let subtitle = format!("{}{unit}: {}", capital(name), table.heading(&[table.columns[column].centre]));
    let mut out = head(bottom + 24.0, title, &subtitle);
    text(&mut out, LEFT + NAMES, TOP - ROW - 8.0, "fill=\"#444\"", &grid.keys[1]);
    text(&mut out, LEFT + NAMES - 12.0, TOP - 8.0, "text-anchor=\"end\" fill=\"#444\"", &grid.keys[0]);
    for (index, label) in grid.across.iter().enumerate() {
        let x = LEFT + NAMES + width * (index as f64 + 0.5);
        text(&mut out, x, TOP - 8.0, "text-anchor=\"middle\"", label);
    }
    for (index, row) in rows.iter().enumerate() {
        let y = TOP + CELL_HEIGHT * index as f64;
        let name = [row.value.as_str(), &row.subject].into_iter().filter(|part| !part.is_empty());
        let name = name.collect::<Vec<_>>().join(": ");
        text(&mut out, LEFT + NAMES - 12.0, y + CELL_HEIGHT / 2.0 + 4.0, "text-anchor=\"end\"", &name);
        for (place, cell) in row.cells.iter().enumerate() {
            let Some(cell) = cell.and_then(value) else { continue };
            let share = if high > low { (cell.centre.value - low) / (high - low) } else { 0.0 };
            let [r, g, b] = [0, 1, 2].map(|part| (ENDS[0][part] + (ENDS[1][part] - ENDS[0][part]) * share).round());
            let x = LEFT + NAMES + width * place as f64;
            let fill = format!("#{:02x}{:02x}{:02x}", r as u8, g as u8, b as u8);
            writeln!(
                out,
                "<path d=\"M{x:.1} {y:.1}h{width:.1}v{CELL_HEIGHT}h-{width:.1}z\" fill=\"{fill}\" stroke=\"#fff\"/>"
            )
            .unwrap();
            let ink = if share > MIN_WHITE_SHARE { "#fff" } else { "#1a1a1a" };
            let look = format!("text-anchor=\"middle\" fill=\"{ink}\"");
            text(&mut out, x + width / 2.0, y + CELL_HEIGHT / 2.0 + 4.0, &look, &cell.text());
        }
    }
    Some(out + "</svg>\n")
}
