//! Reads goodput over a varied length, as a loop around iperf writes it: a length and a rate on each line.
//!
//! The unit follows each rate, or is in the head of the columns, in a comment above or in the file's name
//! (`test-mtu-Kbytes-…`). Without a unit nothing is computed.

use super::{decimal, figure, whole};
use crate::import::{Line, Page};
use crate::{Evidence, Place, Sweep, Unread};

/// Reads columns of lengths and rates.
pub(super) fn read(page: &mut Page<'_>, evidence: &mut Evidence) {
    let known = evidence.sweeps.len();
    let command = page.lines.iter().position(|line| varies_mss(line.text));
    let mut column = Column::default();
    for index in 0..page.lines.len() {
        let line = page.lines[index];
        if line.text.trim().is_empty() && !line.claimed {
            continue;
        }
        match row(line.text, column.places).filter(|_| !line.claimed) {
            Some(row) if column.takes(&row) => column.rows.push((index, row)),
            found => {
                column.finish(page, evidence, command);
                match found {
                    Some(row) => column.rows.push((index, row)),
                    None if line.claimed => column = Column::default(),
                    None => column = Column::below(index, line.text),
                }
            }
        }
    }
    column.finish(page, evidence, command);
    if let Some(index) = command {
        page.claim(index);
        if evidence.sweeps.len() == known {
            evidence.sweeps.push(Sweep { place: page.place(index), points: vec![], mss: true });
        }
    }
}

/// True for a command of iperf whose `-M` a shell loop varies.
fn varies_mss(text: &str) -> bool {
    text.contains("iperf") && text.contains(" -M $")
}

/// Returns the size of the unit that iperf's `-f` asks for, bit/s.
fn asked_unit(command: &str) -> Option<f64> {
    let letter = command.split_once(" -f")?.1.trim_start().get(..1)?;
    FORMATS.iter().find(|(known, _)| *known == letter).and_then(|(_, unit)| figure::rate_unit(unit))
}

/// Letters of iperf's `-f`, and the unit that it prints then (its man page).
const FORMATS: &[(&str, &str)] = &[
    ("k", "Kbits/sec"),
    ("m", "Mbits/sec"),
    ("g", "Gbits/sec"),
    ("K", "KBytes/sec"),
    ("M", "MBytes/sec"),
    ("G", "GBytes/sec"),
];

/// Joins a loop with the results that another file has: a sweep without points says that all lengths are of segments.
pub(in crate::import) fn join_loops(evidence: &mut Evidence) {
    let (loops, mut sweeps): (Vec<Sweep>, Vec<Sweep>) =
        std::mem::take(&mut evidence.sweeps).into_iter().partition(|sweep| sweep.points.is_empty());
    if let Some(first) = loops.first() {
        sweeps.iter_mut().for_each(|sweep| sweep.mss = true);
        if sweeps.is_empty() {
            let why = "a loop over segment sizes without its results; give the file that it writes as well";
            let place = first.place.clone();
            evidence.unread.push(Unread { to: place.line, place, why: Some(why.into()) });
        }
    }
    evidence.sweeps = sweeps;
}

/// Reads the output of `for m in …; do echo $m $(iperf3 … | grep rec); done`: a length before each run's total.
pub(in crate::import) fn totals(page: &mut Page<'_>, evidence: &mut Evidence) {
    let mut run: Vec<(usize, f64, f64)> = vec![];
    for index in 0..=page.lines.len() {
        let text = page.lines.get(index).map(|line| line.text);
        match text.map(|text| (text, total(text))) {
            Some((_, Some((length, rate)))) => run.push((index, length, rate)),
            Some((text, None)) if text.trim().is_empty() => {}
            _ => finish_totals(std::mem::take(&mut run), page, evidence),
        }
    }
}

fn finish_totals(run: Vec<(usize, f64, f64)>, page: &mut Page<'_>, evidence: &mut Evidence) {
    let rises = run.windows(2).all(|pair| pair[0].1 < pair[1].1) || run.windows(2).all(|pair| pair[0].1 > pair[1].1);
    // Consecutive numbers are line numbers.
    let numbered = run.windows(2).all(|pair| (pair[0].1 - pair[1].1).abs() == 1.0);
    if run.len() < MIN_LENGTHS || !rises || numbered {
        return;
    }
    run.iter().for_each(|(index, ..)| page.claim(*index));
    let first = run[0].0;
    let loops = |line: &Line| line.text.contains(" -l ") && !line.text.contains(" -M ");
    let mss = !page.lines[first.saturating_sub(MAX_COMMAND_DISTANCE_LINES)..first].iter().any(loops);
    let points = run.iter().map(|(_, length, rate)| (*length, *rate)).collect();
    evidence.sweeps.push(sorted(page.place(first), points, mss));
}

/// Returns the sweep of a loop, by rising length.
fn sorted(place: Place, mut points: Vec<(f64, f64)>, mss: bool) -> Sweep {
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    Sweep { place, points, mss }
}

/// Parses a length, and the last rate of iperf's rows after it, bit/s.
fn total(line: &str) -> Option<(f64, f64)> {
    let (length, rest) = line.trim().split_once(' ').filter(|_| line.len() <= MAX_LINE_BYTES)?;
    let length = whole(length).filter(|length| LENGTH_RANGE.contains(length))?;
    let cells: Vec<&str> = cells(rest.trim_start().strip_prefix('[')?).collect();
    let rate = |pair: &[&str]| Some(decimal(pair[0])? * figure::rate_unit(pair[1])?);
    let ends = cells.last().is_some_and(|last| ["sender", "receiver"].contains(last));
    cells.windows(2).rev().find_map(rate).filter(|_| ends).map(|rate| (length as f64, rate))
}

/// Least number of lengths in a sweep.
const MIN_LENGTHS: usize = 5;

/// Lengths of segments and packets, bytes: from IPv4's smallest with headers to its largest.
const LENGTH_RANGE: std::ops::RangeInclusive<u64> = 40..=65535;

/// Longest line of a sweep, bytes.
const MAX_LINE_BYTES: usize = 200;

/// Most lines between a loop's command and its output.
const MAX_COMMAND_DISTANCE_LINES: usize = 5;

/// Most columns of a head.
const MAX_HEAD_CELLS: usize = 9;

/// A length and its rate.
struct SweepRow {
    length: u64,
    /// Rate as printed; `None` if the run failed and the loop wrote only the length.
    rate: Option<f64>,
    /// Size of the rate's unit, bit/s.
    unit: Option<f64>,
}

#[derive(Default)]
struct Column {
    rows: Vec<(usize, SweepRow)>,
    /// Columns of length and rate, if a head names them.
    places: Option<[usize; 2]>,
    /// Size of the rate's unit, if the line above names it, bit/s.
    unit: Option<f64>,
    /// Whether the line above names a length, and whether it is that of a segment.
    is_length: bool,
    is_mss: bool,
    /// Index of the line above, if it is a comment or a head.
    head: Option<usize>,
}

fn cells(line: &str) -> impl Iterator<Item = &str> {
    let cut = |c: char| c == ';' || c == '\t' || c == ',' || c.is_whitespace();
    line.split(cut).filter(|cell| !cell.is_empty())
}

fn row(line: &str, places: Option<[usize; 2]>) -> Option<SweepRow> {
    if line.len() > MAX_LINE_BYTES {
        return None;
    }
    let cells: Vec<&str> = cells(line).collect();
    let [length, rate] = places.unwrap_or([0, 1]);
    let length = whole(cells.get(length)?).filter(|length| LENGTH_RANGE.contains(length))?;
    if cells.len() == 1 {
        return Some(SweepRow { length, rate: None, unit: None });
    }
    let rate = decimal(cells.get(rate)?)?;
    let unit = cells.get(2).and_then(|unit| figure::rate_unit(unit)).filter(|_| places.is_none());
    let fits = places.is_some() || cells.len() == 2 || cells.len() == 3 && unit.is_some();
    fits.then_some(SweepRow { length, rate: Some(rate), unit })
}

/// Returns the size of the rate unit that a name or head contains, bit/s, and whether it names a length. Longer lines
/// are prose.
fn says(text: &str) -> (Option<f64>, bool) {
    if text.len() > MAX_LINE_BYTES {
        return (None, false);
    }
    let words = || text.split(|c: char| !c.is_alphanumeric() && c != '/').filter(|word| !word.is_empty());
    (words().find_map(figure::rate_unit), words().any(is_length))
}

fn is_length(word: &str) -> bool {
    ["mtu", "mss", "size", "length", "len", "segment"].iter().any(|known| known.eq_ignore_ascii_case(word))
}

impl Column {
    /// True if a row continues the column: the lengths rise or fall throughout.
    fn takes(&self, row: &SweepRow) -> bool {
        let Some((_, last)) = self.rows.last() else { return true };
        let Some((_, first)) = self.rows.get(self.rows.len().wrapping_sub(2)) else { return last.length != row.length };
        first.length.cmp(&last.length) == last.length.cmp(&row.length)
    }

    /// Returns an empty column with what the line says about the rows below it.
    fn below(index: usize, text: &str) -> Column {
        let (unit, is_length) = says(text);
        let cells: Vec<&str> = cells(text.trim_start_matches('#')).take(MAX_HEAD_CELLS).collect();
        let place = |known: &dyn Fn(&str) -> bool| cells.iter().position(|cell| known(cell));
        let lengths = place(&|cell| says(cell).1);
        let rates = place(&|cell| says(cell).0.is_some());
        let places = lengths.zip(rates).filter(|(a, b)| a != b && cells.len() < MAX_HEAD_CELLS).map(|(a, b)| [a, b]);
        let head = Some(index).filter(|_| places.is_some() || text.starts_with('#'));
        let is_mss = cells.iter().any(|cell| cell.eq_ignore_ascii_case("mss"));
        Column { rows: vec![], places, unit, is_length, is_mss, head }
    }

    /// Adds the sweep of the column; `command` is the line of a loop over segment sizes.
    fn finish(&mut self, page: &mut Page<'_>, evidence: &mut Evidence, command: Option<usize>) {
        let rows = std::mem::take(&mut self.rows);
        let measured = rows.iter().filter(|(_, row)| row.rate.is_some()).count();
        let Some(&(first, _)) = rows.first().filter(|_| measured >= MIN_LENGTHS) else { return };
        let place = page.place(first);
        let (of_name, named) = says(place.file.rsplit('/').next().unwrap_or(""));
        let own = rows.iter().find_map(|(_, row)| row.unit);
        let asked = command.and_then(|index| asked_unit(page.lines[index].text));
        let Some(unit) = own.or(self.unit).or(of_name).or(asked) else {
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
        let rate = |row: &SweepRow| Some((row.length as f64, row.rate? * row.unit.unwrap_or(unit)));
        let points = rows.iter().filter_map(|(_, row)| rate(row)).collect();
        evidence.sweeps.push(sorted(place, points, self.is_mss || command.is_some()));
    }
}
