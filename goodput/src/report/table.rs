//! The measures as tables of the page.

use std::fmt::Write;

use super::html::{escape, number, range};
use super::strip::strip;
use super::{Cell, Column, Report, Row};
use crate::measure::{self, Subject};

/// What stands under the tables.
const KEY: &str = "<p class=\"key\">Median over the seeds; below it the smallest and the largest, and a dot for each seed \
                   on a scale from 0 that\nall rows of a column share. A diamond is a published figure.</p>";

/// One table, or one of flows and one of links where these have rows of their own.
pub fn table(report: &Report) -> String {
    let columns = &report.table.columns;
    if columns.is_empty() {
        return String::new();
    }
    let all = 0..columns.len();
    if report.table.rows.iter().all(|row| row.subject.is_empty()) {
        return part(report, None, &all.collect::<Vec<_>>(), |_| true) + KEY;
    }
    let of_lane = |column: &usize| measure::find(&columns[*column].name).is_some_and(|m| m.subject == Subject::Lane);
    let (lanes, flows): (Vec<usize>, Vec<usize>) = all.partition(of_lane);
    let known = |row: &Row, columns: &[usize]| columns.iter().any(|column| row.cells[*column].is_some());
    let mut out = String::new();
    if !flows.is_empty() {
        out += &part(report, Some("flow"), &flows, |row| known(row, &flows) || !known(row, &lanes));
    }
    if !lanes.is_empty() {
        out += &part(report, Some("link"), &lanes, |row| known(row, &lanes));
    }
    out + KEY
}

/// Some columns of some rows, with what the rows are about.
fn part(report: &Report, about: Option<&str>, columns: &[usize], shown: impl Fn(&Row) -> bool) -> String {
    let mut out = String::from("<table class=\"measures\">\n<thead><tr>");
    for key in report.keys.iter().map(String::as_str).chain(about) {
        write!(out, "<th>{}</th>", escape(key)).unwrap();
    }
    out.push_str("<th class=\"number\">seeds</th>");
    for Column { name, unit, definition } in columns.iter().map(|column| &report.table.columns[*column]) {
        let (name, unit, definition) = (escape(name), escape(unit), escape(definition));
        write!(out, "<th class=\"number\" title=\"{definition}\">{name}<small>{unit}</small></th>").unwrap();
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    let mut before = None;
    for (index, row) in report.table.rows.iter().enumerate().filter(|(_, row)| shown(row)) {
        out.push_str("<tr>");
        let again = before.replace(row.point) == Some(row.point);
        for value in &report.points[row.point].values {
            write!(out, "<th>{}</th>", if again { String::new() } else { escape(value) }).unwrap();
        }
        if about.is_some() {
            write!(out, "<th>{}</th>", escape(&row.subject)).unwrap();
        }
        write!(out, "<td class=\"number\">{}</td>", row.seeds).unwrap();
        for &column in columns {
            let others: Vec<f64> = published_at(report, index, column).collect();
            out.push_str(&measured(row.cells[column].as_ref(), &others, largest(report, column)));
        }
        out.push_str("</tr>\n");
    }
    out + "</tbody></table>\n"
}

fn measured(cell: Option<&Cell>, published: &[f64], most: f64) -> String {
    let Some(cell) = cell else { return "<td class=\"number\">–</td>".into() };
    let range = match cell.seeds.len() {
        0 | 1 => String::new(),
        _ => format!("<small>{}</small>{}", range(cell), strip(cell, published, most)),
    };
    format!("<td class=\"number\">{}{range}</td>", number(cell))
}

fn published_at(report: &Report, row: usize, column: usize) -> impl Iterator<Item = f64> + '_ {
    report.published.iter().filter(move |p| p.row == row && p.column == column).map(|p| p.figure.value)
}

/// The largest number to show in a column.
fn largest(report: &Report, column: usize) -> f64 {
    let ours = report.table.rows.iter().filter_map(|row| row.cells[column].as_ref()).map(|cell| cell.max.value);
    let theirs = report.published.iter().filter(|p| p.column == column).map(|p| p.figure.value);
    ours.chain(theirs).fold(0.0, f64::max)
}
