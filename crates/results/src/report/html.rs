//! The report as one page. Everything is in the file; only the plots need script.

use super::comparisons::comparisons;
use super::grid::grids;
use super::lines::{Line, lines, one_by_one};
use super::markup::{interval, number, unbroken};
use super::picture::{Picture, pictures};
use super::table::table;
use super::{Output, QueueUnit, Report, Trace};
use crate::table::{Row, Table};
use analysis::MEASURES;
use base::units::Shown;
use evidence::plain;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;
use std::borrow::Cow;

pub const STYLE: &str = include_str!("../../../../report/style.css");
const SCRIPT: &str = include_str!("../../../../report/report.js");
const UPLOT_STYLE: &str = include_str!("../../../../report/vendor/uPlot.min.css");
const UPLOT_SCRIPT: &str = include_str!("../../../../report/vendor/uPlot.iife.min.js");
const UPLOT_LICENSE: &str = include_str!("../../../../report/vendor/LICENSE");

/// Content security policy: nothing is fetched.
pub const POLICY: &str = include_str!("../../../../report/policy.txt");

pub fn html(report: &Report) -> String {
    let whole = report;
    let report = &*fitting(whole);
    let pictures = pictures(report);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY.trim());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (report.title) }
                link rel="icon" href="data:,";
                (PreEscaped(format!("<!-- uPlot: {UPLOT_LICENSE} -->\n")))
                style { (PreEscaped(UPLOT_STYLE)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (report.title) }
                    @if !report.question.is_empty() { p.question { (report.question) } }
                }
                section.answer aria-label="Answer" { (answer(&report.answer)) }
                section { @for kernel in &report.kernels { p.key { "Guest kernel " (kernel) "." } } }
                section.wide { (comparisons(&report.comparisons)) }
                section #pictures {
                    @for picture in pictures.iter().take(1) { (figure(picture)) }
                    (grids(&report.table))
                }
                section.wide { (table(&report.table)) (not_shown(&whole.table, &report.table)) }
                section { @for picture in pictures.iter().skip(1) { (figure(picture)) } }
                section #plots { (plots(report)) }
                section.wide { (published(&report.table)) }
                section { (caveats(&report.caveats)) }
                section.details { (details(report)) }
                script #data type="application/json" { (data(report, &pictures)) }
                script { (PreEscaped(UPLOT_SCRIPT)) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    plain::text(&page.into_string()).into_owned()
}

/// Largest number of cells of the page's table; a larger table shows the most important columns.
const MAX_CELLS: usize = 20_000;

/// Returns the report with as much of its table as fits on a page.
fn fitting(report: &Report) -> Cow<'_, Report> {
    let Table { columns, rows, .. } = &report.table;
    if columns.len() * rows.len() <= MAX_CELLS {
        return Cow::Borrowed(report);
    }
    let kept: Vec<bool> = columns.iter().map(|column| column.shown <= Shown::First).collect();
    let mut report = report.clone();
    let Table { columns, rows, published, .. } = &mut report.table;
    retain(columns, &kept);
    rows.iter_mut().for_each(|row| retain(&mut row.cells, &kept));
    published.retain(|published| kept[published.column]);
    for published in published {
        published.column = kept[..published.column].iter().filter(|kept| **kept).count();
    }
    Cow::Owned(report)
}

fn retain<T>(all: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    all.retain(|_| kept.next() == Some(&true));
}

/// Lists the measures that no table of the page has, with the reason.
fn not_shown(whole: &Table, fitting: &Table) -> Markup {
    let names = |table: &Table| table.columns.iter().map(|column| column.name.clone()).collect::<Vec<String>>();
    let (known, shown) = (names(whole), names(fitting));
    let left: Vec<String> = known.iter().filter(|name| !shown.contains(name)).cloned().collect();
    let is_known = |name: &str| known.iter().any(|known| known == name);
    let silent: Vec<&str> = MEASURES.iter().map(|measure| measure.name).filter(|name| !is_known(name)).collect();
    html! {
        @if !left.is_empty() { p.key { "Not shown, to keep this page small; --csv has them: " (left.join(", ")) "." } }
        @if !silent.is_empty() { p.key { "Not shown, without a value in this run: " (silent.join(", ")) "." } }
    }
}

/// Returns the data for the page's script. It contains no `<`, which could end the element around it.
fn data(report: &Report, pictures: &[Picture]) -> Markup {
    #[derive(Serialize)]
    struct Data<'a> {
        points: Vec<&'a str>,
        bin: f64,
        queue_unit: QueueUnit,
        traces: &'a [Trace],
        lines: Vec<Line>,
        one_by_one: bool,
        pictures: &'a [Picture],
    }
    let points = report.table.points.iter().map(|point| point.label.as_str()).collect();
    let Report { bin, queue_unit, traces, .. } = report;
    let (lines, one_by_one) = (lines(report), one_by_one(report));
    let data = Data { points, bin: *bin, queue_unit: *queue_unit, traces, lines, one_by_one, pictures };
    let json = serde_json::to_string(&data).expect("curves are plain data");
    PreEscaped(plain::json(&json).replace('<', "\\u003c"))
}

/// Returns a picture with what it says and where it is from.
fn figure(picture: &Picture) -> Markup {
    html! {
        figure data-name=(picture.name) {
            (PreEscaped(&picture.svg))
            figcaption.key {
                @if !picture.says.is_empty() { (picture.says) " " }
                "From " (picture.source) "."
            }
        }
    }
}

/// Sentences shown; the rest is behind a fold.
const MAX_SENTENCES: usize = 10;

fn answer(sentences: &[String]) -> Markup {
    let (first, rest) =
        sentences.split_at(if sentences.len() <= MAX_SENTENCES { sentences.len() } else { MAX_SENTENCES / 2 });
    let paragraphs = |sentences: &[String]| html! { @for sentence in sentences { p { (unbroken(sentence)) } } };
    html! {
        (paragraphs(first))
        @if !rest.is_empty() {
            details.more { summary { (rest.len()) " more sentences" } (paragraphs(rest)) }
        }
    }
}

fn plots(report: &Report) -> Markup {
    html! {
        form #controls hidden {
            label #point hidden { "Point " select {} }
            fieldset #seeds { legend { "Seed" } }
            label { input #limits type="checkbox" checked; " path limits" }
            button #reset type="button" hidden { "whole trial" }
            span.hint { "hover to read values, drag to zoom, double-click to reset" }
        }
        div #legend {}
        div #panels {}
        @if report.left_out > 0 {
            p.key {
                "The curves of " (report.left_out) " of " (report.trials)
                " trials are left out to keep this page small; their recordings have them."
            }
        }
        noscript {
            p {
                "The plots need JavaScript; the figures beside this file, such as " code { "throughput.svg" } ", do not."
            }
        }
    }
}

fn published(table: &Table) -> Markup {
    if table.published.is_empty() {
        return html! {};
    }
    html! {
        h2 { "Published figures beside ours" }
        table {
            thead {
                tr {
                    th { "measure" }
                    th { "point" }
                    th.number { "published" }
                    th.number { "ours" small { "95 % interval" } }
                    th.number { "ours over published" }
                    th { "source" }
                }
            }
            tbody {
                @for p in &table.published {
                    @let (column, row) = (&table.columns[p.column], &table.rows[p.row]);
                    @let ours = row.cells[p.column].as_ref();
                    tr {
                        th { (column.name) @if !column.unit.is_empty() { ", " (column.unit) } }
                        td { (place(table, row)) }
                        td.number { data value=(p.figure.value) { (p.figure.text) } }
                        td.number { @if let Some(cell) = ours { (number(cell)) (interval(cell)) } @else { "–" } }
                        td.number {
                            @if let Some(cell) = ours { (format!("{:.2}", cell.centre.value / p.figure.value)) }
                            @else { "–" }
                        }
                        td.source { (p.source) }
                    }
                }
            }
        }
    }
}

fn place(table: &Table, row: &Row) -> String {
    let label = table.points[row.point].label.clone();
    let parts = [label, row.subject.clone()].into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(": ")
}

fn caveats(sentences: &[String]) -> Markup {
    html! {
        @if !sentences.is_empty() {
            h2 { "Caveats" }
            ul.caveats { @for sentence in sentences { li { (sentence) } } }
        }
    }
}

/// Renders the sections that are folded at first.
fn details(report: &Report) -> Markup {
    html! {
        details { summary { "Experiment file" } pre { (report.spec) } }
        (outputs(&report.outputs))
        details { summary { "Equivalent commands" } pre { (report.commands.join("\n")) } }
        details {
            summary { "Environment" }
            table { @for (name, value) in &report.environment { tr { th { (name) } td { code { (value) } } } } }
        }
        details {
            summary { "Definitions of the measures" }
            table {
                @for measure in MEASURES {
                    tr { th { (measure.name) } td { (measure.unit.name()) } td { (measure.definition) } }
                }
            }
        }
        details { summary { "How to reproduce this run" } pre { (report.reproduce.join("\n")) } }
    }
}

/// Renders the output of commands in a section of its own, if there is any.
fn outputs(outputs: &[Output]) -> Markup {
    html! {
        @if !outputs.is_empty() {
            details.outputs {
                summary { "Output of the experiment's own commands" }
                @for Output { place, command, ending, text } in outputs {
                    h3 { (place) ": " code { (command) } " " small { (ending) } }
                    pre { (text) }
                }
            }
        }
    }
}
