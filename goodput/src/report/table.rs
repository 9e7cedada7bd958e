//! The measures as tables of the page.

use std::fmt::Write;

use super::markup::{escape, interval, number};
use super::strip::strip;
use super::{Cell, Column, Report, Row};
use crate::measure::{self, Centre, Shown, Subject};
use crate::stats;

/// Rows that still fit side by side; of more each is a line.
pub const SIDE_BY_SIDE: usize = 4;

/// Rows of a table that is read as a whole; a longer one scrolls under its head.
const TALL: usize = 24;

/// Measures beyond those of [`Shown::First`] that are not worth a fold.
const FEW: usize = 3;

/// What the figures are: `mean or median over 5 seeds (95 % interval)`; of one seed they speak for themselves.
pub fn heading(rows: &[Row], centres: &[Centre]) -> String {
    let with_interval = rows.iter().flat_map(|row| &row.cells).flatten().any(|cell| cell.interval.is_some());
    let brackets = match rows.iter().any(|row| row.seeds > 1) {
        true if with_interval => " (95 % interval)",
        true => ", too few for an interval",
        false => "",
    };
    over_seeds(rows, centres) + brackets
}

/// What the figures are where their intervals are not shown.
pub fn over_seeds(rows: &[Row], centres: &[Centre]) -> String {
    let counts = || rows.iter().map(|row| row.seeds);
    let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    if most < 2 {
        return "one seed".into();
    }
    let centre = match (centres.contains(&Centre::Mean), centres.contains(&Centre::Median)) {
        (true, true) => "mean or median",
        (false, true) => "median",
        _ => "mean",
    };
    let seeds = if least == most { format!("{most}") } else { format!("{least} to {most}") };
    format!("{centre} over {seeds} seeds")
}

/// One table, or one of flows and one of links where these have rows of their own.
pub(super) fn table(report: &Report) -> String {
    let columns = &report.table.columns;
    if columns.is_empty() {
        return String::new();
    }
    let all = 0..columns.len();
    let rows = |shown: &dyn Fn(&Row) -> bool| -> Vec<usize> {
        let rows = report.table.rows.iter().enumerate();
        rows.filter(|(_, row)| shown(row)).map(|(index, _)| index).collect()
    };
    if report.table.rows.iter().all(|row| row.subject.is_empty()) {
        return folded(report, None, &all.collect::<Vec<_>>(), &rows(&|_| true)) + &key(report);
    }
    let of_lane = |column: &usize| measure::find(&columns[*column].name).is_some_and(|m| m.subject == Subject::Lane);
    let (lanes, flows): (Vec<usize>, Vec<usize>) = all.partition(of_lane);
    let known = |row: &Row, columns: &[usize]| columns.iter().any(|column| row.cells[*column].is_some());
    let mut out = String::new();
    if !flows.is_empty() {
        let shown = rows(&|row| known(row, &flows) || !known(row, &lanes));
        out += &folded(report, Some("flow"), &flows, &shown);
    }
    if !lanes.is_empty() {
        out += &folded(report, Some("link"), &lanes, &rows(&|row| known(row, &lanes)));
    }
    out + &key(report)
}

/// What stands under the tables.
fn key(report: &Report) -> String {
    let centres: Vec<Centre> = report.table.columns.iter().map(|column| column.centre).collect();
    let heading = crate::show::capital(&heading(&report.table.rows, &centres));
    if report.table.rows.iter().all(|row| row.seeds < 2) {
        return String::new();
    }
    let [mean, median] = [stats::Centre::Mean, stats::Centre::Median].map(stats::Centre::method);
    format!(
        "<p class=\"key\">{heading}; a dot for each seed, on a scale from 0 that all figures of a measure share, and a tick \
         at the centre. A diamond is a published figure. Intervals of means: {mean}; of medians: {median}.</p>"
    )
}

/// What people ask for first; the others behind a fold.
fn folded(report: &Report, about: Option<&str>, columns: &[usize], rows: &[usize]) -> String {
    let part = if rows.len() <= SIDE_BY_SIDE { measures_down } else { measures_across };
    let is_first = |column: &usize| report.table.columns[*column].shown == Shown::First;
    let (first, others): (Vec<usize>, Vec<usize>) = columns.iter().partition(|column| is_first(column));
    if first.is_empty() || others.len() <= FEW {
        return part(report, about, columns, rows);
    }
    let (first, rest) = (part(report, about, &first, rows), part(report, about, &others, rows));
    let what = about.map_or(String::new(), |about| format!(" of {about}s"));
    format!(
        "{first}<details class=\"more\"><summary>{} more measures{what}</summary>\n{rest}</details>\n",
        others.len()
    )
}

/// A line for each measure: the points and flows side by side, with strips if there are seeds to show.
fn measures_down(report: &Report, about: Option<&str>, columns: &[usize], rows: &[usize]) -> String {
    let spread = rows.iter().any(|row| report.table.rows[*row].seeds > 1);
    let beside = |cell: &str| if spread { format!("<td>{cell}</td>") } else { String::new() };
    let mut out = String::from("<table class=\"measures down\">\n<thead>\n");
    let mut head = |name: &str, value: &dyn Fn(&Row) -> String| {
        let cells = rows.iter().map(|row| value(&report.table.rows[*row]));
        let cells = cells.map(|value| format!("<th class=\"number\">{}</th>{}", escape(&value), beside("")));
        writeln!(out, "<tr><th>{}</th>{}</tr>", escape(name), cells.collect::<String>()).unwrap();
    };
    for (index, key) in report.keys.iter().enumerate() {
        head(key, &|row| report.points[row.point].values[index].clone());
    }
    if let Some(about) = about {
        head(about, &|row| row.subject.clone());
    }
    if seeds_differ(report) {
        head("seeds", &|row| row.seeds.to_string());
    }
    out.push_str("</thead>\n<tbody>\n");
    for &column in columns {
        let Column { name, unit, definition, .. } = &report.table.columns[column];
        let (name, unit, definition) = (escape(name), escape(unit), escape(definition));
        let cells = rows.iter().map(|row| {
            let [figure, strip] = measured(report, *row, column);
            format!("<td class=\"number\">{figure}</td>{}", beside(&strip))
        });
        let cells: String = cells.collect();
        writeln!(out, "<tr><th title=\"{definition}\">{name} <small>{unit}</small></th>{cells}</tr>").unwrap();
    }
    out + "</tbody></table>\n"
}

/// A line for each point and flow.
fn measures_across(report: &Report, about: Option<&str>, columns: &[usize], rows: &[usize]) -> String {
    let tall = rows.len() > TALL;
    let mut out = String::from(if tall { "<div class=\"tall\">\n" } else { "" });
    out.push_str("<table class=\"measures\">\n<thead><tr>");
    for key in report.keys.iter().map(String::as_str).chain(about) {
        write!(out, "<th>{}</th>", escape(key)).unwrap();
    }
    if seeds_differ(report) {
        out.push_str("<th class=\"number\">seeds</th>");
    }
    for Column { name, unit, definition, .. } in columns.iter().map(|column| &report.table.columns[*column]) {
        let (name, unit, definition) = (escape(name), escape(unit), escape(definition));
        write!(out, "<th class=\"number\" title=\"{definition}\">{name}<small>{unit}</small></th>").unwrap();
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    let mut before = None;
    for &index in rows {
        let row = &report.table.rows[index];
        out.push_str("<tr>");
        let again = before.replace(row.point) == Some(row.point);
        for value in &report.points[row.point].values {
            write!(out, "<th>{}</th>", if again { String::new() } else { escape(value) }).unwrap();
        }
        if about.is_some() {
            write!(out, "<th>{}</th>", escape(&row.subject)).unwrap();
        }
        if seeds_differ(report) {
            write!(out, "<td class=\"number\">{}</td>", row.seeds).unwrap();
        }
        for &column in columns {
            let [figure, strip] = measured(report, index, column);
            write!(out, "<td class=\"number\">{figure}{strip}</td>").unwrap();
        }
        out.push_str("</tr>\n");
    }
    out + "</tbody></table>\n" + if tall { "</div>\n" } else { "" }
}

fn seeds_differ(report: &Report) -> bool {
    report.table.rows.windows(2).any(|pair| pair[0].seeds != pair[1].seeds)
}

/// The figure with its interval, and its strip.
fn measured(report: &Report, row: usize, column: usize) -> [String; 2] {
    let Some(cell) = report.table.rows[row].cells[column].as_ref() else { return ["–".into(), String::new()] };
    let (known, seeds) = (cell.seeds.len(), report.table.rows[row].seeds);
    let part = if known < seeds { format!(" <small>{known} of {seeds} seeds</small>") } else { String::new() };
    if known < 2 {
        return [number(cell) + &part, String::new()];
    }
    let published: Vec<f64> = published_at(report, row, column).collect();
    [number(cell) + &interval(cell) + &part, strip(cell, &published, largest(report, column))]
}

fn published_at(report: &Report, row: usize, column: usize) -> impl Iterator<Item = f64> + '_ {
    report.published.iter().filter(move |p| p.row == row && p.column == column).map(|p| p.figure.value)
}

/// The largest number to show in a column.
fn largest(report: &Report, column: usize) -> f64 {
    let of = |cell: &Cell| cell.interval.as_ref().map_or(cell.max.value, |[_, high]| high.value.max(cell.max.value));
    let ours = report.table.rows.iter().filter_map(|row| row.cells[column].as_ref()).map(of);
    let theirs = report.published.iter().filter(|p| p.column == column).map(|p| p.figure.value);
    ours.chain(theirs).fold(0.0, f64::max)
}
