//! Reads tables of results in documents: Markdown, columns separated by tabs or by blanks, and a wiki page's cells one by
//! one. The unit of a rate is in its cell or in the head of its column.

use super::{decimal, figure, leading};
use crate::import::Page;
use crate::{Evidence, Table};

pub(super) fn read(page: &mut Page<'_>, evidence: &mut Evidence) {
    let mut at = 0;
    while at < page.lines.len() {
        let kind = kind(page, at);
        let belongs = |line: usize| {
            let other = self::kind(page, line);
            other == kind || kind == Some(Separator::BlankHead) && other == Some(Separator::Blanks)
        };
        let end = (at..page.lines.len()).find(|&line| kind.is_none() || !belongs(line));
        let mut end = end.unwrap_or(page.lines.len()).max(at + 1);
        let lines: Vec<&str> = page.lines[at..end].iter().map(|line| line.text.trim_matches([' ', '\r'])).collect();
        let grid = match kind {
            Some(Separator::Pipes) => markdown(&lines).or_else(|| cells(&lines)),
            Some(Separator::Tabs) => tabs(&lines),
            Some(Separator::BlankHead) => blanks(&lines).inspect(|grid| end = at + 1 + grid.rows.len()),
            Some(Separator::Blanks) | None => None,
        };
        if let Some(Grid { columns, rows }) = grid {
            evidence.tables.push(Table { place: page.place(at), columns, rows });
            (at..end).for_each(|line| page.claim(line));
        }
        at = end;
    }
}

impl Table {
    /// Returns the rate in a cell, bit/s: with its own unit, else with that in the head of its column.
    pub fn rate(&self, row: usize, column: usize) -> Option<f64> {
        let cell = self.rows.get(row)?.get(column)?;
        let by_head = || Some(decimal(cell.trim())? * unit(self.columns.get(column)?)?);
        figure::rate(cell).or_else(by_head)
    }

    /// True if a cell contains a rate.
    pub fn has_rates(&self) -> bool {
        (0..self.rows.len()).any(|row| (0..self.rows[row].len()).any(|column| self.rate(row, column).is_some()))
    }

    /// Returns the packet loss that the head of a column names, as a share of 1: `3% loss rate`.
    pub fn loss(&self, column: usize) -> Option<f64> {
        let (number, rest) = self.columns.get(column)?.split_once('%')?;
        let number = decimal(number.split_whitespace().last()?)?;
        (rest.to_lowercase().contains("loss") && number > 0.0).then_some(number / 100.0)
    }
}

/// Returns the size of the rate's unit that a head names, bit/s: `Throughput (Mbit/s)`, `Mbps`, `rate [Gbit/s]`.
fn unit(head: &str) -> Option<f64> {
    let words = head.split(|c: char| c.is_whitespace() || "()[],".contains(c));
    words.filter(|word| is_rate_unit(word)).find_map(figure::rate_unit)
}

/// True for a unit that is of a rate even without a number before it.
fn is_rate_unit(word: &str) -> bool {
    word.contains('/') || word.ends_with("bps")
}

/// Separator of a line; all lines of a table have the same.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Separator {
    Pipes,
    Tabs,
    /// Two blanks or more between the names of columns, one of which has a unit.
    BlankHead,
    /// Words, a later one than the first a number.
    Blanks,
}

fn kind(page: &Page<'_>, at: usize) -> Option<Separator> {
    let line = page.lines[at];
    let text = line.text.trim();
    if line.claimed || text.is_empty() {
        None
    } else if text.ends_with('|') || text.starts_with('|') || is_separator(text) || below_is_separator(page, at) {
        Some(Separator::Pipes)
    } else if text.contains('\t') {
        Some(Separator::Tabs)
    } else if is_blank_head(text) {
        Some(Separator::BlankHead)
    } else {
        is_blank_row(text).then_some(Separator::Blanks)
    }
}

/// Longest line of a table of blanks, bytes; longer ones are prose.
const MAX_BLANKS_BYTES: usize = 160;

/// True for a head with a unit of a rate and two blanks between its columns.
fn is_blank_head(text: &str) -> bool {
    text.len() <= MAX_BLANKS_BYTES && text.contains("  ") && split_blanks(text).iter().any(|cell| unit(cell).is_some())
}

/// True for a row with a number in a later column than the first.
fn is_blank_row(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let first = words.next().is_some_and(|word| !word.starts_with(['[', '-']));
    text.len() <= MAX_BLANKS_BYTES && first && words.any(|word| decimal(word).is_some())
}

/// Splits a line where two blanks follow one another.
fn split_blanks(text: &str) -> Vec<&str> {
    text.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

/// Parses a head with a unit of a rate, and at least two rows with as many words and a number in that column.
fn blanks(lines: &[&str]) -> Option<Grid> {
    let [head, rows @ ..] = lines else { return None };
    let columns = split_blanks(head);
    let rate = columns.iter().position(|cell| unit(cell).is_some())?;
    let fits = |row: &Vec<&str>| row.len() == columns.len() && decimal(row[rate]).is_some();
    let rows = rows.iter().map(|row| row.split_whitespace().collect());
    let rows: Vec<Vec<&str>> = rows.take_while(fits).collect();
    (columns.len() > 1 && rows.len() > 1).then(|| grid(&columns, &rows)).flatten()
}

/// True if the line is the head of a Markdown table without outer pipes.
fn below_is_separator(page: &Page<'_>, at: usize) -> bool {
    page.lines[at].text.contains('|') && page.lines.get(at + 1).is_some_and(|below| is_separator(below.text.trim()))
}

fn is_separator(text: &str) -> bool {
    text.contains('|') && text.contains("--") && text.bytes().all(|byte| b"|-: \t".contains(&byte))
}

struct Grid {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

fn split(line: &str, by: char) -> Vec<&str> {
    let line = if by == '|' { line.strip_prefix('|').unwrap_or(line) } else { line };
    let line = if by == '|' { line.strip_suffix('|').unwrap_or(line) } else { line };
    line.split(by).map(str::trim).collect()
}

/// Parses a head, a line of dashes, and rows.
fn markdown(lines: &[&str]) -> Option<Grid> {
    let [head, separator, rows @ ..] = lines else { return None };
    let columns = split(head, '|');
    if !is_separator(separator) || split(separator, '|').len() != columns.len() {
        return None;
    }
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| split(row, '|')).collect();
    grid(&columns, &rows)
}

/// Parses a head that names a rate, and rows with numbers below it.
fn tabs(lines: &[&str]) -> Option<Grid> {
    let [head, rows @ ..] = lines else { return None };
    let columns = split(head, '\t');
    let rates = |cell: &&str| {
        let cell = cell.to_ascii_lowercase();
        ["throughput", "goodput", "bandwidth", "bitrate", "bit/s", "bits/s", "bps"]
            .iter()
            .any(|name| cell.contains(name))
    };
    let rate = columns.iter().position(rates)?;
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| split(row, '\t')).collect();
    let measured = |row: &Vec<&str>| row.get(rate).is_some_and(|cell| leading(cell).is_some());
    (columns.len() > 1 && rows.iter().filter(|row| measured(row)).count() > 0).then(|| grid(&columns, &rows)).flatten()
}

/// Returns a table that contains a number. Short rows are padded to the number of columns, and empty leading cells are
/// taken from the row above.
fn grid(columns: &[&str], rows: &[Vec<&str>]) -> Option<Grid> {
    let long = rows.iter().flatten().chain(columns).any(|cell| cell.len() > MAX_CELL_BYTES);
    if long || columns.len() > MAX_COLUMNS || rows.len() > MAX_ROWS {
        return None;
    }
    let mut full: Vec<Vec<String>> = vec![];
    for row in rows.iter().filter(|row| row.iter().any(|cell| !cell.is_empty())) {
        let mut row: Vec<String> = row.iter().map(|cell| (*cell).to_owned()).collect();
        row.resize(columns.len(), String::new());
        if let Some(above) = full.last() {
            let missing = row.iter().take_while(|cell| cell.is_empty()).count();
            row[..missing].clone_from_slice(&above[..missing]);
        }
        full.push(row);
    }
    let measured = full.iter().flatten().any(|cell| leading(cell).is_some());
    measured.then(|| Grid { columns: columns.iter().map(|name| (*name).to_owned()).collect(), rows: full })
}

/// Bounds of a table of results; larger tables are data.
const MAX_COLUMNS: usize = 32;
const MAX_ROWS: usize = 10_000;
const MAX_CELL_BYTES: usize = 300;

/// Parses a wiki's cells, one per line, each followed by a bar; an empty cell is a bar alone. The ends of rows are not
/// written: they follow from the rates, which are in the same columns of every row. A row under a cell that spans
/// several rows lacks its leading cells, and has as many empty ones at its end.
fn cells(lines: &[&str]) -> Option<Grid> {
    if !lines.iter().all(|line| line.ends_with('|')) {
        return None;
    }
    let stream: Vec<&str> = lines.iter().flat_map(|line| line[..line.len() - 1].split('|')).map(str::trim).collect();
    let first = stream.iter().position(|cell| is_rate(cell))?;
    let width = (first / 2 + 1..=first.min(MAX_COLUMNS)).find(|&width| fits(&stream, width))?;
    let rows: Vec<Vec<&str>> = stream[width..].chunks(width).map(|row| shifted(row, lead(&stream, width))).collect();
    grid(&stream[..width], &rows)
}

/// True for a rate, or a placeholder for one: `x Mbits/sec`.
fn is_rate(cell: &str) -> bool {
    let mut words = cell.split_whitespace();
    let unit = words.next_back().is_some_and(|unit| figure::rate_unit(unit).is_some());
    unit && words.count() == 1
}

/// Returns the column of a row's first rate, and which cells from it to the last rate are rates.
fn rates(row: &[&str]) -> Option<(usize, Vec<bool>)> {
    let first = row.iter().position(|cell| is_rate(cell))?;
    let last = row.iter().rposition(|cell| is_rate(cell))?;
    Some((first, row[first..=last].iter().map(|cell| is_rate(cell)).collect()))
}

/// Returns the column of the first rate.
fn lead(stream: &[&str], width: usize) -> usize {
    rates(&stream[width..width * 2]).map_or(0, |(first, _)| first)
}

/// True if rows of `width` cells have their rates in the same columns, apart from missing leading cells.
fn fits(stream: &[&str], width: usize) -> bool {
    let whole = stream.len() / width * width;
    let Some((lead, pattern)) = (stream.len() >= 2 * width).then(|| rates(&stream[width..2 * width])).flatten() else {
        return false;
    };
    let row_fits = |row: &[&str]| match rates(row) {
        Some((first, rates)) => {
            let spare = row.iter().rev().take_while(|cell| cell.is_empty()).count();
            first <= lead && rates == pattern && lead - first <= spare
        }
        None => row.iter().all(|cell| cell.is_empty()),
    };
    lead > 0 && whole == stream.len() && stream[width..].chunks(width).all(row_fits)
}

/// Moves a row's empty cells from its end to its start.
fn shifted<'a>(row: &[&'a str], lead: usize) -> Vec<&'a str> {
    let missing = row.iter().position(|cell| is_rate(cell)).map_or(0, |first| lead - first.min(lead));
    let mut shifted = vec![""; missing];
    shifted.extend_from_slice(&row[..row.len() - missing]);
    shifted
}
