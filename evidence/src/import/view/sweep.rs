//! Goodput over a varied length, as a loop around iperf writes it: a length and a rate on each line.
//!
//! The unit of the rates stands behind each, in the head of the columns, in a comment above or in the file's name
//! (`test-mtu-Kbytes-…`). Without one nothing is computed from them.

use super::{decimal, figure, whole};
use crate::import::Page;
use crate::{Evidence, Sweep};

/// Reads columns of lengths and rates.
pub(super) fn read(page: &mut Page<'_>, evidence: &mut Evidence) {
    let mut column = Column::default();
    for index in 0..page.lines.len() {
        let line = page.lines[index];
        if line.text.trim().is_empty() && !line.claimed {
            continue;
        }
        match row(line.text, column.places).filter(|_| !line.claimed) {
            Some(row) if column.takes(&row) => column.rows.push((index, row)),
            found => {
                column.finish(page, evidence);
                match found {
                    Some(row) => column.rows.push((index, row)),
                    None if line.claimed => column = Column::default(),
                    None => column = Column::below(index, line.text),
                }
            }
        }
    }
    column.finish(page, evidence);
}

/// So many lengths make a sweep.
const FEWEST: usize = 5;

/// Lengths of segments and packets, bytes: from the least that IPv4 carries with headers to the largest.
const LENGTHS: std::ops::RangeInclusive<u64> = 40..=65535;

const LONGEST: usize = 200;

/// A head has fewer columns than that.
const MOST_CELLS: usize = 9;

/// A length and its rate.
struct Row {
    length: u64,
    /// `None` where the run failed and the loop wrote the length alone.
    rate: Option<f64>,
    /// One of the rate's unit, bit/s.
    unit: Option<f64>,
}

#[derive(Default)]
struct Column {
    rows: Vec<(usize, Row)>,
    /// The columns of length and rate where a head names them.
    places: Option<[usize; 2]>,
    /// One of the rate's unit, if the line above names it, bit/s.
    unit: Option<f64>,
    /// Whether the line above names a length.
    is_length: bool,
    /// The line above, if it is a comment or a head.
    head: Option<usize>,
}

fn cells(line: &str) -> impl Iterator<Item = &str> {
    let cut = |c: char| c == ';' || c == '\t' || c == ',' || c.is_whitespace();
    line.split(cut).filter(|cell| !cell.is_empty())
}

fn row(line: &str, places: Option<[usize; 2]>) -> Option<Row> {
    if line.len() > LONGEST {
        return None;
    }
    let cells: Vec<&str> = cells(line).collect();
    let [length, rate] = places.unwrap_or([0, 1]);
    let length = whole(cells.get(length)?).filter(|length| LENGTHS.contains(length))?;
    if cells.len() == 1 {
        return Some(Row { length, rate: None, unit: None });
    }
    let rate = decimal(cells.get(rate)?)?;
    let unit = cells.get(2).and_then(|unit| figure::rate_unit(unit)).filter(|_| places.is_none());
    let fits = places.is_some() || cells.len() == 2 || cells.len() == 3 && unit.is_some();
    fits.then_some(Row { length, rate: Some(rate), unit })
}

/// What a name or a head says: one of a rate's unit, bit/s, and whether of a length. Longer lines are prose.
fn says(text: &str) -> (Option<f64>, bool) {
    if text.len() > LONGEST {
        return (None, false);
    }
    let words = || text.split(|c: char| !c.is_alphanumeric() && c != '/').filter(|word| !word.is_empty());
    (words().find_map(figure::rate_unit), words().any(is_length))
}

fn is_length(word: &str) -> bool {
    ["mtu", "mss", "size", "length", "len", "segment"].iter().any(|known| known.eq_ignore_ascii_case(word))
}

impl Column {
    /// Whether a row goes on where the last one ended: the lengths rise or fall throughout.
    fn takes(&self, row: &Row) -> bool {
        let Some((_, last)) = self.rows.last() else { return true };
        let Some((_, first)) = self.rows.get(self.rows.len().wrapping_sub(2)) else { return last.length != row.length };
        first.length.cmp(&last.length) == last.length.cmp(&row.length)
    }

    /// Of what a line tells of the rows below it.
    fn below(index: usize, text: &str) -> Column {
        let (unit, is_length) = says(text);
        let cells: Vec<&str> = cells(text.trim_start_matches('#')).take(MOST_CELLS).collect();
        let place = |known: &dyn Fn(&str) -> bool| cells.iter().position(|cell| known(cell));
        let lengths = place(&|cell| says(cell).1);
        let rates = place(&|cell| says(cell).0.is_some());
        let places = lengths.zip(rates).filter(|(a, b)| a != b && cells.len() < MOST_CELLS).map(|(a, b)| [a, b]);
        let head = Some(index).filter(|_| places.is_some() || text.starts_with('#'));
        Column { rows: vec![], places, unit, is_length, head }
    }

    /// Ends the columns.
    fn finish(&mut self, page: &mut Page<'_>, evidence: &mut Evidence) {
        let rows = std::mem::take(&mut self.rows);
        let measured = rows.iter().filter(|(_, row)| row.rate.is_some()).count();
        let Some(&(first, _)) = rows.first().filter(|_| measured >= FEWEST) else { return };
        let place = page.place(first);
        let (of_name, named) = says(place.file.rsplit('/').next().unwrap_or(""));
        let own = rows.iter().find_map(|(_, row)| row.unit);
        let Some(unit) = own.or(self.unit).or(of_name) else {
            if self.is_length || named {
                let more = "name it in a line above them: # bytes Kbytes/sec";
                page.wrong(first, format!("{measured} lengths with rates in an unknown unit; {more}"));
                rows[1..].iter().for_each(|&(index, _)| page.claim(index));
            }
            return;
        };
        for &(index, ref row) in &rows {
            match row.rate {
                Some(_) => page.claim(index),
                None => page.wrong(index, format!("no rate next to the length {}", row.length)),
            }
        }
        if let Some(head) = self.head {
            page.claim(head);
        }
        let rate = |row: &Row| Some((row.length as f64, row.rate? * row.unit.unwrap_or(unit)));
        let mut points: Vec<(f64, f64)> = rows.iter().filter_map(|(_, row)| rate(row)).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        evidence.sweeps.push(Sweep { place, points, told: false });
    }
}
