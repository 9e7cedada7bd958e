//! The report as one page. Everything is in the file; only the plots need script.

use std::borrow::Cow;
use std::fmt::Write;

use serde::Serialize;

use super::comparisons::comparisons;
use super::grid::grids;
use super::lines::{Line, lines, one_by_one};
use super::markup::{escape, interval, number};
use super::sweep::{Sweep, SweepLine, row_lines, sweeps};
use super::table::table;
use super::{Column, Output, Report, Row, Table};
use crate::measure::{MEASURES, Shown};

const TEMPLATE: &str = include_str!("../../../report/template.html");
const STYLE: &str = include_str!("../../../report/style.css");
const SCRIPT: &str = include_str!("../../../report/report.js");
const SWEEP_SCRIPT: &str = include_str!("../../../report/sweep.js");
const UPLOT_STYLE: &str = include_str!("../../../report/vendor/uPlot.min.css");
const UPLOT_SCRIPT: &str = include_str!("../../../report/vendor/uPlot.iife.min.js");
const UPLOT_LICENSE: &str = include_str!("../../../report/vendor/LICENSE");

/// The page.
pub fn html(report: &Report) -> String {
    let report = &*fitting(report);
    let parts = [
        ("title", escape(&report.title)),
        ("question", question(&report.question)),
        ("answer", answer(&report.answer)),
        ("comparisons", comparisons(&report.comparisons)),
        ("grids", grids(report)),
        ("table", table(report)),
        ("published", published(report)),
        ("caveats", caveats(&report.caveats)),
        ("outputs", outputs(&report.outputs)),
        ("spec", escape(&report.spec)),
        ("commands", escape(&report.commands.join("\n"))),
        ("environment", environment(&report.environment)),
        ("definitions", definitions()),
        ("reproduce", escape(&report.reproduce.join("\n"))),
        ("data", data(report)),
        ("style", STYLE.into()),
        ("script", SCRIPT.into()),
        ("sweep-script", SWEEP_SCRIPT.into()),
        ("left-out", left_out(report)),
        ("uplot-style", UPLOT_STYLE.into()),
        ("uplot-script", UPLOT_SCRIPT.into()),
        ("uplot-license", UPLOT_LICENSE.into()),
    ];
    fill(TEMPLATE, &parts)
}

/// The template with each `{{name}}` replaced; what is put in is not looked at again.
fn fill(template: &str, parts: &[(&str, String)]) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").expect("the template closes what it opens");
        let (_, value) = parts.iter().find(|(known, _)| *known == name).expect("the template names known parts");
        out.push_str(before);
        out.push_str(value);
        rest = after;
    }
    out + rest
}

/// Cells of the table on the page at most; of a larger one the page has what people ask for first.
const CELLS: usize = 20_000;

/// The report with as much of its table as a page can hold.
fn fitting(report: &Report) -> Cow<'_, Report> {
    let Table { columns, rows } = &report.table;
    if columns.len() * rows.len() <= CELLS {
        return Cow::Borrowed(report);
    }
    let kept: Vec<bool> = columns.iter().map(|column| column.shown == Shown::First).collect();
    let mut report = report.clone();
    retain(&mut report.table.columns, &kept);
    report.table.rows.iter_mut().for_each(|row| retain(&mut row.cells, &kept));
    report.published.retain(|published| kept[published.column]);
    for published in &mut report.published {
        published.column = kept[..published.column].iter().filter(|kept| **kept).count();
    }
    Cow::Owned(report)
}

fn retain<T>(all: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    all.retain(|_| kept.next() == Some(&true));
}

/// What the script reads. No `<` can end the element that holds it.
fn data(report: &Report) -> String {
    #[derive(Serialize)]
    struct Data<'a> {
        report: &'a Report,
        lines: Vec<Line>,
        one_by_one: bool,
        sweeps: Vec<Sweep>,
        row_lines: Vec<SweepLine>,
    }
    let one_by_one = one_by_one(report);
    let data = Data { report, lines: lines(report), one_by_one, sweeps: sweeps(report), row_lines: row_lines(report) };
    serde_json::to_string(&data).expect("a report is plain data").replace('<', "\\u003c")
}

fn left_out(report: &Report) -> String {
    match report.left_out {
        0 => String::new(),
        trials => format!(
            "<p class=\"key\">The curves of {trials} of {} trials are in their recordings and not on this page.</p>",
            report.traces.len()
        ),
    }
}

fn question(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("<p class=\"question\">{}</p>", escape(text)) }
}

/// Sentences that are read as a whole; of more the rest is behind a fold.
const SENTENCES: usize = 10;

fn answer(sentences: &[String]) -> String {
    let paragraphs = |sentences: &[String]| -> String {
        sentences.iter().map(|sentence| format!("<p>{}</p>\n", escape(sentence))).collect()
    };
    if sentences.len() <= SENTENCES {
        return paragraphs(sentences);
    }
    let (first, rest) = sentences.split_at(SENTENCES / 2);
    let summary = format!("<summary>{} more sentences</summary>", rest.len());
    format!("{}<details class=\"more\">{summary}\n{}</details>\n", paragraphs(first), paragraphs(rest))
}

fn published(report: &Report) -> String {
    if report.published.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "<h2>Published figures beside ours</h2>\n<table>\n<thead><tr><th>measure</th><th>point</th>\
         <th class=\"number\">published</th><th class=\"number\">ours<small>95 % interval</small></th>\
         <th class=\"number\">ours over published</th><th>source</th></tr></thead>\n<tbody>\n",
    );
    for p in &report.published {
        let Column { name, unit, .. } = &report.table.columns[p.column];
        let measure = if unit.is_empty() { name.clone() } else { format!("{name}, {unit}") };
        let row = &report.table.rows[p.row];
        let (ours, ratio) = match &row.cells[p.column] {
            Some(cell) => (number(cell) + &interval(cell), format!("{:.2}", cell.centre.value / p.figure.value)),
            None => ("–".into(), "–".into()),
        };
        writeln!(
            out,
            "<tr><th>{}</th><td>{}</td><td class=\"number\"><data value=\"{}\">{}</data></td>\
             <td class=\"number\">{ours}</td><td class=\"number\">{ratio}</td><td class=\"source\">{}</td></tr>",
            escape(&measure),
            escape(&place(report, row)),
            p.figure.value,
            escape(&p.figure.text),
            escape(&p.source)
        )
        .unwrap();
    }
    out + "</tbody></table>"
}

fn place(report: &Report, row: &Row) -> String {
    let label = report.points[row.point].label.clone();
    match (label.is_empty(), row.subject.is_empty()) {
        (_, true) => label,
        (true, false) => row.subject.clone(),
        (false, false) => format!("{label}: {}", row.subject),
    }
}

fn caveats(sentences: &[String]) -> String {
    if sentences.is_empty() {
        return String::new();
    }
    let items: String = sentences.iter().map(|sentence| format!("<li>{}</li>\n", escape(sentence))).collect();
    format!("<h2>Caveats</h2>\n<ul class=\"caveats\">\n{items}</ul>")
}

/// A section of its own, if there is anything to show.
fn outputs(outputs: &[Output]) -> String {
    if outputs.is_empty() {
        return String::new();
    }
    let each = |Output { place, command, ending, text }: &Output| {
        let [place, command, ending, text] = [place, command, ending, text].map(|text| escape(text));
        format!("<h3>{place}: <code>{command}</code> <small>{ending}</small></h3>\n<pre>{text}</pre>\n")
    };
    let all: String = outputs.iter().map(each).collect();
    format!(
        "<details class=\"outputs\"><summary>What the experiment's own commands printed</summary>\n{all}</details>\n"
    )
}

fn environment(pairs: &[(String, String)]) -> String {
    let row = |(name, value): &(String, String)| {
        format!("<tr><th>{}</th><td><code>{}</code></td></tr>\n", escape(name), escape(value))
    };
    pairs.iter().map(row).collect()
}

fn definitions() -> String {
    let row = |measure: &crate::measure::Measure| {
        let unit = measure.unit.name();
        format!("<tr><th>{}</th><td>{unit}</td><td>{}</td></tr>\n", measure.name, escape(measure.definition))
    };
    MEASURES.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn what_is_put_in_is_not_looked_at_again() {
        assert_eq!(fill("<{{a}}|{{b}}>", &[("a", "{{b}}".into()), ("b", "x".into())]), "<{{b}}|x>");
    }
}
