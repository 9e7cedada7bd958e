//! `sweep.svg`: the first measures of all points against the key with the most values, a pane for each.

use std::fmt::Write;

use super::super::Report;
use super::super::sweep::{Sweep, SweepLine, sweeps};
use super::frame::{Frame, LEFT, ROW, heading, legend, positive, ticks, under};
use crate::table::Cell;
use base::show::{capital, shortest};
use base::units::{Centre, Shown};

/// Radius of a seed's dot and of a centre's, px.
const DOT_RADII: [f64; 2] = [2.0, 3.0];
/// Half the width of a whisker's ends, px.
const WHISKER_HALF_WIDTH: f64 = 4.0;

/// Distance of the whiskers of neighbouring lines, px.
const WHISKER_DISTANCE: f64 = 3.0;

/// Largest number of panes, one for each measure, and of lines in a pane.
const MAX_PANES: usize = 4;
const MAX_LINES: usize = 6;
/// Gap between plotting areas, for the name of the measure, px.
const PANE_GAP: f64 = 40.0;

/// A figure, the names of its columns of numbers, and these.
pub type Numbered = (String, Vec<String>, Vec<Vec<String>>);

/// Returns the figure with its numbers; `None` without a key whose values are quantities, or without a measure.
pub fn sweep(report: &Report) -> Option<Numbered> {
    let sweep = sweeps(report).into_iter().next()?;
    let table = &report.table;
    let is_known = |column: usize| move |row: &usize| table.rows[*row].cells[column].is_some();
    let first = (0..table.columns.len()).filter(|column| table.columns[*column].shown <= Shown::First);
    let known = first.filter(|column| (0..table.rows.len()).any(|row| is_known(*column)(&row)));
    let mut columns: Vec<usize> = known.collect();
    columns.sort_by_key(|column| table.columns[*column].shown);
    columns.truncate(MAX_PANES);
    columns.sort_unstable();
    let is_drawn = |line: &&SweepLine| columns.iter().any(|column| line.rows.iter().any(is_known(*column)));
    let all: Vec<&SweepLine> = sweep.lines.iter().filter(is_drawn).collect();
    let shown = &all[..all.len().min(MAX_LINES)];
    let names: Vec<(String, String)> = match shown {
        [] => return None,
        [alone] if alone.label.is_empty() => vec![],
        _ => shown.iter().map(|line| (line.light.clone(), line.label.clone())).collect(),
    };
    let mut top = under(&names) + ROW;
    let panes = columns.into_iter().map(|column| {
        let cells = shown.iter().flat_map(|line| &line.rows).filter_map(|row| table.rows[*row].cells[column].as_ref());
        let (low, high) = values(cells);
        let [low, high] = [low, high].map(|value| 1.06 * value / table.columns[column].size);
        let frame = Frame::new(top, edges(&sweep), [low, if high > low { high } else { low + 1.0 }]);
        top = frame.bottom + PANE_GAP;
        (column, frame)
    });
    let panes: Vec<(usize, Frame)> = panes.collect();
    let (_, last) = panes.last()?;
    let centres: Vec<Centre> = panes.iter().map(|(column, _)| table.columns[*column].centre).collect();
    let left_out =
        if all.len() > shown.len() { format!("; first {MAX_LINES} of {} lines", all.len()) } else { String::new() };
    let mut out = heading(last, &report.title, &(capital(&table.heading(&centres)) + &left_out));
    legend(&mut out, &names);
    for (column, frame) in &panes {
        pane(&mut out, frame, report, &sweep, shown, *column);
    }
    let [left, right] = edges(&sweep);
    let round = || ticks(left, right).map(|value| (value, shortest(value))).collect();
    last.across(&mut out, &sweep.ticks.clone().unwrap_or_else(round), &sweep.label);
    name(&panes[0].1, &mut out, &sweep);
    let columns: Vec<usize> = panes.iter().map(|(column, _)| *column).collect();
    Some((out + "</svg>\n", numbers_head(report, &columns), numbers(report, shown, &columns)))
}

fn numbers_head(report: &Report, columns: &[usize]) -> Vec<String> {
    let named = |column: &usize| {
        let name = &report.table.columns[*column].name;
        [name.clone(), format!("{name}, low"), format!("{name}, high")]
    };
    ["line".to_owned(), "point".to_owned()].into_iter().chain(columns.iter().flat_map(named)).collect()
}

/// Returns a row for each centre drawn: values in the unit of their measure, with the ends of their intervals.
fn numbers(report: &Report, lines: &[&SweepLine], columns: &[usize]) -> Vec<Vec<String>> {
    let row = |line: &SweepLine, row: usize| {
        let row = &report.table.rows[row];
        let cells = columns.iter().flat_map(|column| {
            let cell = row.cells[*column].as_ref();
            let end = |which: usize| Some(cell?.interval.as_ref()?[which].value);
            [cell.map(|cell| cell.centre.value), end(0), end(1)]
        });
        let cells = cells.map(|value| value.map_or(String::new(), |value| value.to_string()));
        [line.label.clone(), report.table.points[row.point].label.clone()].into_iter().chain(cells).collect()
    };
    lines.iter().flat_map(|line| line.rows.iter().map(|index| row(line, *index))).collect()
}

fn pane(out: &mut String, frame: &Frame, report: &Report, sweep: &Sweep, shown: &[&SweepLine], column: usize) {
    let (rows, measure) = (&report.table.rows, &report.table.columns[column]);
    shade(frame, out, sweep);
    frame.grid(out);
    let [left, right] = edges(sweep);
    let inside = || sweep.limits.iter().filter(|(place, _)| (left..=right).contains(place));
    inside().for_each(|(place, _)| frame.vertical(out, *place, "stroke=\"#666\" stroke-dasharray=\"5 4\""));
    let unit = if measure.unit.is_empty() { String::new() } else { format!(", {}", measure.unit) };
    frame.write(out, LEFT, frame.top - 8.0, "start", &format!("{}{unit}", measure.name));
    let middle = (shown.len() - 1) as f64 / 2.0;
    for (index, line) in shown.iter().enumerate() {
        let beside = WHISKER_DISTANCE * (index as f64 - middle);
        let known = line
            .rows
            .iter()
            .filter_map(|row| Some((frame.x(sweep.x[rows[*row].point]), rows[*row].cells[column].as_ref()?)));
        draw(out, &line.light, &known.collect::<Vec<_>>(), beside, |value| frame.y(value / measure.size));
    }
    inside().for_each(|(place, name)| frame.write(out, frame.x(*place) + 5.0, frame.top + 12.0, "start", name));
}

/// Returns the range of values: it includes zero and everything drawn.
fn values<'a>(cells: impl Iterator<Item = &'a Cell>) -> (f64, f64) {
    let all = cells.flat_map(|cell| {
        let ends = cell.interval.iter().flatten().map(|end| end.value);
        ends.chain([cell.min.value, cell.max.value, cell.centre.value]).collect::<Vec<_>>()
    });
    all.fold((0.0, 0.0), |(low, high): (f64, f64), value| (low.min(value), high.max(value)))
}

/// Returns the outermost points with a margin.
fn edges(sweep: &Sweep) -> [f64; 2] {
    let low = sweep.x.iter().copied().fold(f64::INFINITY, f64::min);
    let high = sweep.x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let margin = 0.04 * positive(high - low);
    [low - margin, high + margin]
}

/// Draws centres on a line, with seeds as faint dots and intervals as whiskers. Both are offset by `beside`, so that
/// those of a few lines do not hide each other.
fn draw(out: &mut String, colour: &str, cells: &[(f64, &Cell)], beside: f64, y: impl Fn(f64) -> f64) {
    let (mut seeds, mut whiskers, mut centres, mut line) = (String::new(), String::new(), String::new(), String::new());
    for (x, cell) in cells {
        let aside = x + beside;
        if cell.known > 1 {
            cell.seeds.iter().for_each(|seed| write!(seeds, "M{aside:.1} {:.1}h0", y(*seed)).unwrap());
        }
        if let Some([low, high]) = &cell.interval {
            let [low, high] = [low, high].map(|end| y(end.value));
            write!(whiskers, "M{aside:.1} {low:.1}V{high:.1}").unwrap();
            for end in [low, high] {
                write!(whiskers, "M{:.1} {end:.1}h{}", aside - WHISKER_HALF_WIDTH, 2.0 * WHISKER_HALF_WIDTH).unwrap();
            }
        }
        let centre = y(cell.centre.value);
        write!(line, "{}{x:.1} {centre:.1}", if line.is_empty() { 'M' } else { 'L' }).unwrap();
        write!(centres, "M{x:.1} {centre:.1}h0").unwrap();
    }
    let [seed, centre] = DOT_RADII.map(|radius| format!("stroke-linecap=\"round\" stroke-width=\"{}\"", 2.0 * radius));
    let strokes = [
        (seeds, format!("{seed} stroke-opacity=\"0.45\"")),
        (line, "fill=\"none\" stroke-linejoin=\"round\" stroke-width=\"1.5\"".into()),
        (whiskers, "stroke-width=\"1.2\"".into()),
        (centres, centre),
    ];
    for (path, look) in strokes.into_iter().filter(|(path, _)| !path.is_empty()) {
        writeln!(out, "<path d=\"{path}\" stroke=\"{colour}\" {look}/>").unwrap();
    }
}

/// Shades the marks' bands under the lines, at least as wide as can be seen.
fn shade(frame: &Frame, out: &mut String, sweep: &Sweep) {
    for mark in &sweep.marks {
        let [left, right] = [mark.from.min(mark.to), mark.from.max(mark.to)].map(|value| frame.x(value));
        let width = (right - left).max(3.0);
        writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"#d55e00\" fill-opacity=\"0.16\"/>",
            (left + right - width) / 2.0,
            frame.top,
            frame.bottom - frame.top
        )
        .unwrap();
    }
}

/// Writes the names of marks next to their bands, each on a line of its own so that near ones do not touch.
fn name(frame: &Frame, out: &mut String, sweep: &Sweep) {
    let [left, right] = edges(sweep);
    for (index, mark) in sweep.marks.iter().enumerate() {
        let to_right = (mark.from + mark.to) / 2.0 < (left + right) / 2.0;
        let (x, anchor) = match to_right {
            true => (frame.x(mark.from.max(mark.to)) + 6.0, "start"),
            false => (frame.x(mark.from.min(mark.to)) - 6.0, "end"),
        };
        frame.write(out, x, frame.top + 12.0 + (ROW - 4.0) * index as f64, anchor, &mark.text);
    }
}
