//! The table on a terminal.

use super::point_of;
use super::table::Subjects;
use crate::measure::{Centre, Shown};
use crate::plan::Plan;
use crate::report::{self, Cell, Column, GridRow, Point, Row, SIDE_BY_SIDE, Table, heading, over_seeds};
use crate::show;

/// The widest grid that has intervals on a terminal, in characters.
const TERMINAL: usize = 120;

/// The tables for a terminal: over two axes the first measure as a grid; then what the table of measures shows there, and
/// what is expected or was published. A few rows stand side by side, each measure with its interval; more rows are a line
/// each. Nothing if nothing was measured.
pub fn terminal(plan: &Plan, table: &Table) -> String {
    if table.columns.is_empty() {
        return String::new();
    }
    let names: Vec<String> = table.rows.iter().map(|row| row_name(plan, row)).collect();
    let columns = |most: Shown| -> Vec<(usize, &Column)> {
        table.columns.iter().enumerate().filter(|(_, column)| column.shown <= most).collect()
    };
    if table.rows.len() <= SIDE_BY_SIDE {
        let mut lines = vec![[vec!["".into(), "".into()], names].concat()];
        for (c, column) in columns(Shown::Terminal) {
            let cells =
                table.rows.iter().map(|row| row.cells[c].as_ref().map_or("-".into(), |cell| of_seeds(cell, row.seeds)));
            lines.push([column.name.clone(), column.unit.clone()].into_iter().chain(cells).collect());
        }
        return headed(table, &columns(Shown::Terminal), align(&lines, 2), heading);
    }
    if table.rows.iter().filter(|row| !row.one_of_many).count() > LINES {
        return format!(
            "{}The {} rows of the table are in the report.\n",
            terminal_grid(plan, table),
            table.rows.len()
        );
    }
    let first = columns(Shown::First);
    let heads = |text: fn(&Column) -> &String| {
        [String::new()].into_iter().chain(first.iter().map(|(_, column)| text(column).clone())).collect()
    };
    let mut lines: Vec<Vec<String>> = vec![heads(|column| &column.name), heads(|column| &column.unit)];
    for (row, name) in table.rows.iter().zip(names).filter(|(row, _)| !row.one_of_many) {
        let cell =
            |&(c, _): &(usize, &Column)| row.cells[c].as_ref().map_or("-".into(), |cell| cell.centre.text.clone());
        lines.push([name].into_iter().chain(first.iter().map(cell)).collect());
    }
    terminal_grid(plan, table) + &headed(table, &first, align(&lines, 1), over_seeds)
}

/// Rows of the table that a terminal shows; of more only the report has them.
const LINES: usize = 40;

/// With what the figures of some columns are, unless of one seed.
fn headed(table: &Table, columns: &[(usize, &Column)], lines: String, what: fn(&[Row], &[Centre]) -> String) -> String {
    let centres: Vec<Centre> = columns.iter().map(|(_, column)| column.centre).collect();
    match table.rows.iter().any(|row| row.seeds > 1) {
        true => format!("{}:\n{lines}", show::capital(&what(&table.rows, &centres))),
        false => lines,
    }
}

/// The first measure that has values, the one axis down and the other across; with intervals if these fit.
fn terminal_grid(plan: &Plan, table: &Table) -> String {
    let keys: Vec<String> = plan.vary.iter().map(|axis| axis.key.clone()).collect();
    let points: Vec<Point> = plan.points().iter().map(|trials| point_of(&trials[0].point)).collect();
    let Some(grid) = report::grid(&keys, &points, &table.rows) else { return String::new() };
    let shown = (0..table.columns.len()).map(|column| (column, grid.rows_of(&table.rows, column)));
    let Some((c, rows)) = shown.into_iter().find(|(_, rows)| !rows.is_empty()) else { return String::new() };
    let lines = |text: fn(&Cell) -> String| {
        let head = [grid.keys.join(" \\ "), String::new()].into_iter().chain(grid.across.iter().cloned());
        let line = |row: &&GridRow| {
            let cell =
                |row: &Option<usize>| row.and_then(|row| table.rows[row].cells[c].as_ref()).map_or("-".into(), text);
            [row.value.clone(), row.subject.clone()].into_iter().chain(row.cells.iter().map(cell)).collect()
        };
        [head.collect()].into_iter().chain(rows.iter().map(line)).collect::<Vec<Vec<String>>>()
    };
    let wide = align(&lines(with_interval), 2);
    let fits = wide.lines().all(|line| line.chars().count() <= TERMINAL);
    let text = if fits { wide } else { align(&lines(|cell| cell.centre.text.clone()), 2) };
    let Column { name, unit, centre, .. } = &table.columns[c];
    let unit = if unit.is_empty() { String::new() } else { format!(", {unit}") };
    format!("{name}{unit}: {}\n{text}\n", heading(&table.rows, &[*centre]))
}

fn row_name(plan: &Plan, row: &Row) -> String {
    let trial = &plan.points()[row.point][0];
    let mut name = show::labels(&trial.point);
    name.extend((!row.subject.is_empty()).then(|| row.subject.clone()));
    if name.is_empty() { Subjects::of(&trial.scene)[0].name(&trial.scene) } else { name.join(", ") }
}

fn with_interval(cell: &Cell) -> String {
    match &cell.interval {
        Some([low, high]) if low.text != high.text => format!("{} ({} to {})", cell.centre.text, low.text, high.text),
        _ => cell.centre.text.clone(),
    }
}

/// With how many of the seeds it is of, if not of all.
fn of_seeds(cell: &Cell, seeds: usize) -> String {
    match cell.seeds.len() {
        n if n == seeds => with_interval(cell),
        n => format!("{} [{n} of {seeds} seeds]", with_interval(cell)),
    }
}

/// The first columns to the left, the others to the right.
pub(super) fn align(lines: &[Vec<String>], left: usize) -> String {
    let width = |c: usize| lines.iter().map(|line| line[c].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    let cell = |c: usize, text: &String| {
        if c < left { format!("{text:<0$}", widths[c]) } else { format!("{text:>0$}", widths[c]) }
    };
    let line = |line: &Vec<String>| {
        let cells: Vec<String> = line.iter().enumerate().map(|(c, text)| cell(c, text)).collect();
        cells.join("  ").trim_end().to_string() + "\n"
    };
    lines.iter().map(line).collect()
}
