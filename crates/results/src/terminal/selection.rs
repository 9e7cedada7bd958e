//! The part of a table that is shown, and its texts.

use crate::table::{Cell, Column, Row, Table};
use base::show;
use base::units::{Centre, Shown};

const MODES_NOTE: &str =
    "x ×n is a group of n seeds around x, far from the others; no seed is like their mean or median.";

/// Rows of a table shown whole; a longer one shows only the rows with findings.
const MAX_WHOLE_ROWS: usize = 40;

/// The rows and columns that are shown.
pub struct Selection<'t> {
    pub table: &'t Table,
    /// Indices into [`Table::rows`].
    pub rows: Vec<usize>,
    /// Indices into [`Table::columns`].
    pub columns: Vec<usize>,
}

impl<'t> Selection<'t> {
    pub fn new(table: &'t Table, all: bool) -> Selection<'t> {
        let rows = (0..table.rows.len()).filter(|row| all || !table.rows[*row].one_of_many);
        let rows: Vec<usize> = rows.collect();
        let rows = if all || rows.len() <= MAX_WHOLE_ROWS { rows } else { rows_around_findings(table, rows) };
        let wanted = |column: &usize| {
            let known = |row: &usize| table.rows[*row].cells[*column].is_some();
            let is_measured = rows.is_empty() || rows.iter().any(known);
            (all || table.columns[*column].shown <= Shown::First)
                && (is_measured || table.published.iter().any(|p| p.column == *column))
        };
        let columns = (0..table.columns.len()).filter(wanted).collect();
        Selection { table, rows, columns }
    }

    /// Returns the part with these columns, without the rows that have nothing in them; a point keeps a row.
    pub fn with(&self, columns: Vec<usize>) -> Selection<'t> {
        let has = |row: &usize| {
            columns
                .iter()
                .any(|column| self.row(*row).cells[*column].is_some() || self.published(*row, *column).is_some())
        };
        let is_kept = |row: &usize| {
            let mut others = self.rows.iter().filter(|other| self.row(**other).point == self.row(*row).point);
            has(row) || !others.any(has)
        };
        let rows = self.rows.iter().copied().filter(is_kept).collect();
        Selection { table: self.table, rows, columns }
    }

    pub fn row(&self, row: usize) -> &'t Row {
        &self.table.rows[row]
    }

    pub fn column(&self, column: usize) -> &'t Column {
        &self.table.columns[column]
    }

    /// Formats a cell, with or without its interval.
    pub fn cell(&self, row: usize, column: usize, intervals: bool) -> String {
        let seeds = self.row(row).seeds;
        let Some(cell) = &self.row(row).cells[column] else { return "-".into() };
        let text = if intervals { with_interval(cell) } else { cell.text() };
        match cell.known {
            known if known == seeds => text,
            known => format!("{text} [{known} of {seeds}]"),
        }
    }

    /// Returns the published figures for a cell.
    pub fn published(&self, row: usize, column: usize) -> Option<String> {
        let at = self.table.published.iter().filter(|p| p.row == row && p.column == column);
        let figures: Vec<&str> = at.map(|p| p.figure.text.as_str()).collect();
        (!figures.is_empty()).then(|| figures.join(" / "))
    }

    /// True if any of the rows has a published figure.
    pub fn is_published(&self, column: usize) -> bool {
        self.rows.iter().any(|row| self.published(*row, column).is_some())
    }

    /// Returns a key's last part, if that is unique.
    pub fn key(&self, index: usize) -> &'t str {
        short(&self.table.keys, index)
    }

    /// Returns the heading that explains the figures; empty with one seed.
    pub fn heading(&self, intervals: bool) -> String {
        let centres: Vec<Centre> = self.columns.iter().map(|column| self.column(*column).centre).collect();
        match self.table.has_seeds() {
            true if intervals => format!("{}:\n", show::capital(&self.table.heading(&centres))),
            true => format!("{}:\n", show::capital(&self.table.over_seeds(&centres))),
            false => String::new(),
        }
    }

    /// Returns the sources of the published figures.
    pub fn sources(&self) -> Option<(&'static str, String)> {
        let mut sources: Vec<&str> = vec![];
        for published in &self.table.published {
            let shown = self.rows.contains(&published.row) && self.columns.contains(&published.column);
            if shown && !sources.contains(&published.source.as_str()) {
                sources.push(&published.source);
            }
        }
        (!sources.is_empty()).then(|| ("Published: ", sources.join("; ") + "."))
    }

    /// Returns the note on two modes, if a shown cell has them.
    pub fn modes(&self) -> Option<(&'static str, String)> {
        let cells = self.rows.iter().flat_map(|row| self.columns.iter().map(|column| &self.row(*row).cells[*column]));
        cells.flatten().any(|cell| cell.modes.is_some()).then(|| ("Two modes: ", MODES_NOTE.into()))
    }

    /// Returns a note on the rows that are not shown.
    pub fn rows_left_out(&self) -> Option<(&'static str, String)> {
        let all = self.table.rows.len();
        let many = self.table.rows.iter().filter(|row| !row.one_of_many).count();
        (self.rows.len() < many).then(|| match self.rows.len() {
            0 => ("Not shown: ", format!("{all} rows; --all prints them, and the report has them.")),
            some => {
                let which = "at the ends of the range and the edges of what was found";
                ("Shown: ", format!("{some} of {all} rows, {which}; --all prints all."))
            }
        })
    }
}

/// Returns the last part of a key, unless another key has the same.
pub fn short(keys: &[String], index: usize) -> &str {
    fn last(key: &str) -> &str {
        key.trim_end_matches('"').rsplit(['.', '"']).next().unwrap_or(key)
    }
    let alone = keys.iter().filter(|key| last(key) == last(&keys[index])).count() == 1;
    if alone { last(&keys[index]) } else { &keys[index] }
}

pub fn with_interval(cell: &Cell) -> String {
    match &cell.interval {
        Some([low, high]) if cell.modes.is_none() && low.text != high.text => {
            format!("{} ({} to {})", cell.centre.text, low.text, high.text)
        }
        _ => cell.text(),
    }
}

/// Selects rows at the ends of the range and on both sides of the edges of each finding.
fn rows_around_findings(table: &Table, rows: Vec<usize>) -> Vec<usize> {
    let Some(mark) = table.marks.first() else { return vec![] };
    let Some(key) = table.keys.iter().position(|key| *key == mark.key) else { return vec![] };
    let values = table.values(key);
    let place = |value: &String| values.iter().position(|other| other == value);
    let mut shown = vec![0, values.len().saturating_sub(1)];
    for mark in &table.marks {
        shown.extend(place(&mark.from).into_iter().flat_map(|from| [from.saturating_sub(1), from]));
        shown.extend(place(&mark.to).into_iter().flat_map(|to| [to, to + 1]));
    }
    let value = |row: usize| &table.points[table.rows[row].point].values[key];
    let mut rows: Vec<usize> =
        rows.into_iter().filter(|row| place(value(*row)).is_some_and(|place| shown.contains(&place))).collect();
    // A search adds its points after those of the grid.
    rows.sort_by_key(|row| place(value(*row)));
    rows
}
