//! `sweep.svg`: the first measure of all points against the key with the most values.

use std::fmt::Write;

use super::super::sweep::{Sweep, SweepLine, sweeps};
use super::super::{Cell, Report, heading as over_seeds};
use super::frame::{Frame, ROW, heading, legend, positive, ticks};
use crate::report::number::shortest;

/// Radius of a seed's dot and of a centre's, px.
const DOTS: [f64; 2] = [2.0, 3.0];
/// Half the width of a whisker's ends, px.
const WHISKER: f64 = 4.0;

/// How far the whiskers of neighbouring lines stand apart, px, and of how many lines at most.
const BESIDE: f64 = 3.0;
const MOST_BESIDE: usize = 8;

/// The figure; `None` without a key whose values are quantities, or without a measure.
pub fn sweep(report: &Report) -> Option<String> {
    let sweep = sweeps(report).into_iter().next()?;
    let rows = &report.table.rows;
    let measured = |column: &usize| rows.iter().any(|row| row.cells[*column].is_some());
    let column = (0..report.table.columns.len()).find(measured)?;
    let measure = &report.table.columns[column];
    let cell = |row: &usize| rows[*row].cells[column].as_ref();
    let shown: Vec<&SweepLine> =
        sweep.lines.iter().filter(|line| line.rows.iter().any(|row| cell(row).is_some())).collect();
    let names: Vec<(String, String)> = match shown.as_slice() {
        [alone] if alone.label.is_empty() => vec![],
        _ => shown.iter().map(|line| (line.light.clone(), line.label.clone())).collect(),
    };
    let (low, high) = values(shown.iter().flat_map(|line| &line.rows).filter_map(cell));
    let [low, high] = [low, high].map(|value| 1.06 * value / measure.size);
    let frame = Frame::under(&names, edges(&sweep), [low, if high > low { high } else { low + 1.0 }]);
    let unit = if measure.unit.is_empty() { String::new() } else { format!(", {}", measure.unit) };
    let subtitle = format!("{}{unit}; {}", measure.name, over_seeds(rows, &[measure.centre]));
    let mut out = heading(&frame, &report.title, &subtitle);
    legend(&mut out, &names);
    shade(&frame, &mut out, &sweep);
    let [left, right] = edges(&sweep);
    let round = || ticks(left, right).map(|value| (value, shortest(value))).collect();
    frame.axes(&mut out, &sweep.ticks.clone().unwrap_or_else(round), &sweep.label);
    let middle = (shown.len() - 1) as f64 / 2.0;
    for (index, line) in shown.iter().enumerate() {
        let beside = if shown.len() > MOST_BESIDE { 0.0 } else { BESIDE * (index as f64 - middle) };
        let known = line.rows.iter().filter_map(|row| Some((frame.x(sweep.x[rows[*row].point]), cell(row)?)));
        let y = |value: f64| frame.y(value / measure.size);
        draw(&mut out, &line.light, &known.collect::<Vec<_>>(), beside, y);
    }
    name(&frame, &mut out, &sweep);
    Some(out + "</svg>\n")
}

/// Zero and all that is drawn lie between these.
fn values<'a>(cells: impl Iterator<Item = &'a Cell>) -> (f64, f64) {
    let all = cells.flat_map(|cell| {
        let ends = cell.interval.iter().flatten().map(|end| end.value);
        ends.chain([cell.min.value, cell.max.value, cell.centre.value]).collect::<Vec<_>>()
    });
    all.fold((0.0, 0.0), |(low, high): (f64, f64), value| (low.min(value), high.max(value)))
}

/// The outermost points with a margin.
fn edges(sweep: &Sweep) -> [f64; 2] {
    let low = sweep.x.iter().copied().fold(f64::INFINITY, f64::min);
    let high = sweep.x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let margin = 0.04 * positive(high - low);
    [low - margin, high + margin]
}

/// Centres on a line; a little beside them, so that those of a few lines do not hide each other, seeds as faint dots and
/// intervals as whiskers.
fn draw(out: &mut String, colour: &str, cells: &[(f64, &Cell)], beside: f64, y: impl Fn(f64) -> f64) {
    let (mut seeds, mut whiskers, mut centres, mut line) = (String::new(), String::new(), String::new(), String::new());
    for (x, cell) in cells {
        let aside = x + beside;
        if cell.seeds.len() > 1 {
            cell.seeds.iter().for_each(|seed| write!(seeds, "M{aside:.1} {:.1}h0", y(*seed)).unwrap());
        }
        if let Some([low, high]) = &cell.interval {
            let [low, high] = [low, high].map(|end| y(end.value));
            write!(whiskers, "M{aside:.1} {low:.1}V{high:.1}").unwrap();
            for end in [low, high] {
                write!(whiskers, "M{:.1} {end:.1}h{}", aside - WHISKER, 2.0 * WHISKER).unwrap();
            }
        }
        let centre = y(cell.centre.value);
        write!(line, "{}{x:.1} {centre:.1}", if line.is_empty() { 'M' } else { 'L' }).unwrap();
        write!(centres, "M{x:.1} {centre:.1}h0").unwrap();
    }
    let [seed, centre] = DOTS.map(|radius| format!("stroke-linecap=\"round\" stroke-width=\"{}\"", 2.0 * radius));
    let strokes = [
        (seeds, format!("{seed} stroke-opacity=\"0.28\"")),
        (line, "fill=\"none\" stroke-linejoin=\"round\" stroke-width=\"1.5\"".into()),
        (whiskers, "stroke-width=\"1.2\"".into()),
        (centres, centre),
    ];
    for (path, look) in strokes.into_iter().filter(|(path, _)| !path.is_empty()) {
        writeln!(out, "<path d=\"{path}\" stroke=\"{colour}\" {look}/>").unwrap();
    }
}

/// Under the lines; at least as wide as can be seen.
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

/// Beside their bands, each on a line of its own so that near ones do not touch.
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
