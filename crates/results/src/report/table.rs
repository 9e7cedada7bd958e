//! The measures as tables of the page.

use super::markup::{interval, number};
use super::strip::strip;
use crate::table::{Cell, Row, Table};
use analysis::Measure;
use base::show;
use base::stats;
use base::units::{Centre, Shown, Subject};
use maud::{Markup, html};

/// Largest number of rows shown side by side; with more, each is a line.
const SIDE_BY_SIDE: usize = 4;

/// Rows of a table that does not scroll.
const MAX_UNSCROLLED_ROWS: usize = 24;

/// Measures beyond [`Shown::First`] that get no fold.
const MAX_UNFOLDED_MEASURES: usize = 3;

/// Renders a single table, or one of flows and one of links if these have rows of their own.
pub(super) fn table(table: &Table) -> Markup {
    let all = 0..table.columns.len();
    if all.is_empty() {
        return html! {};
    }
    let rows = |shown: &dyn Fn(&Row) -> bool| -> Vec<usize> {
        let rows = table.rows.iter().enumerate();
        rows.filter(|(_, row)| shown(row)).map(|(index, _)| index).collect()
    };
    if table.rows.iter().all(|row| row.subject.is_empty()) {
        return html! { (folded(table, None, &all.collect::<Vec<_>>(), &rows(&|_| true))) (key(table)) };
    }
    let of_lane =
        |column: &usize| Measure::find(&table.columns[*column].name).is_some_and(|m| m.subject() == Subject::Lane);
    let (lanes, flows): (Vec<usize>, Vec<usize>) = all.partition(of_lane);
    let known = |row: &Row, columns: &[usize]| columns.iter().any(|column| row.cells[*column].is_some());
    html! {
        @if !flows.is_empty() {
            (folded(table, Some("flow"), &flows, &rows(&|row| known(row, &flows) || !known(row, &lanes))))
        }
        @if !lanes.is_empty() { (folded(table, Some("link"), &lanes, &rows(&|row| known(row, &lanes)))) }
        (key(table))
    }
}

/// Renders the notes under the tables.
fn key(table: &Table) -> Markup {
    if !table.has_seeds() {
        return html! {};
    }
    let centres: Vec<Centre> = table.columns.iter().map(|column| column.centre).collect();
    let heading = show::capital(&table.heading(&centres));
    let [mean, median] = [stats::Centre::Mean, stats::Centre::Median].map(stats::Centre::method);
    html! {
        p.key {
            (heading) "; one dot per seed on a scale from 0 shared by all figures of a measure, a tick at the centre"
            @if !table.published.is_empty() { ", a diamond for a published figure" }
            @if table.has_modes() {
                "; x ×n is a group of n seeds around x, far from the others, and no seed is like their mean or median"
            }
            "."
            @if table.has_intervals() { " Intervals of means: " (mean) "; of medians: " (median) "." }
        }
    }
}

/// Renders the first measures as a table, the others folded.
fn folded(table: &Table, about: Option<&str>, columns: &[usize], rows: &[usize]) -> Markup {
    let part = |columns: &[usize]| part(table, about, columns, rows);
    let is_first = |column: &usize| table.columns[*column].shown <= Shown::First;
    let (first, others): (Vec<usize>, Vec<usize>) = columns.iter().partition(|column| is_first(column));
    if first.is_empty() || others.len() <= MAX_UNFOLDED_MEASURES {
        return part(columns);
    }
    html! {
        (part(&first))
        details.more {
            summary { (others.len()) " more measures" @if let Some(about) = about { " of " (about) "s" } }
            (part(&others))
        }
    }
}

/// Renders measures with rows side by side, or a line for each of many rows. A measure without values is left out, as
/// is a row without any.
fn part(table: &Table, about: Option<&str>, columns: &[usize], rows: &[usize]) -> Markup {
    let is_known = |row: usize, column: usize| {
        table.rows[row].cells[column].is_some() || published_at(table, row, column).next().is_some()
    };
    let columns: Vec<usize> =
        columns.iter().copied().filter(|column| rows.iter().any(|row| is_known(*row, *column))).collect();
    let rows: Vec<usize> =
        rows.iter().copied().filter(|row| columns.iter().any(|column| is_known(*row, *column))).collect();
    match rows.len() {
        0 => html! {},
        few if few <= SIDE_BY_SIDE => measures_down(table, about, &columns, &rows),
        _ => measures_across(table, about, &columns, &rows),
    }
}

/// Renders a line for each measure: the points and flows side by side, with strips if there are seeds to show.
fn measures_down(table: &Table, about: Option<&str>, columns: &[usize], rows: &[usize]) -> Markup {
    let spread = rows.iter().any(|row| table.rows[*row].seeds > 1);
    let head = |name: &str, value: &dyn Fn(&Row) -> String| {
        html! {
            tr {
                th { (name) }
                @for row in rows { th.number { (value(&table.rows[*row])) } @if spread { td {} } }
            }
        }
    };
    html! {
        table.measures.down {
            thead {
                @for (index, key) in table.keys.iter().enumerate() {
                    (head(key, &|row| table.points[row.point].values[index].clone()))
                }
                @if let Some(about) = about { (head(about, &|row| row.subject.clone())) }
                @if table.seeds_differ() { (head("seeds", &|row| row.seeds.to_string())) }
            }
            tbody {
                @for &column in columns {
                    @let (measure, most) = (&table.columns[column], largest(table, column));
                    tr {
                        th title=(measure.definition) { (measure.name) " " small { (measure.unit) } }
                        @for row in rows {
                            @let [figure, strip] = measured(table, *row, column, most);
                            td.number { (figure) }
                            @if spread { td { (strip) } }
                        }
                    }
                }
            }
        }
    }
}

/// Renders a line for each point and flow.
fn measures_across(table: &Table, about: Option<&str>, columns: &[usize], rows: &[usize]) -> Markup {
    let most: Vec<f64> = columns.iter().map(|column| largest(table, *column)).collect();
    let again = |index: usize| index > 0 && table.rows[rows[index]].point == table.rows[rows[index - 1]].point;
    let table = html! {
            table.measures {
                thead {
                    tr {
                        @for key in table.keys.iter().map(String::as_str).chain(about) { th { (key) } }
                        @if table.seeds_differ() { th.number { "seeds" } }
                        @for measure in columns.iter().map(|column| &table.columns[*column]) {
                            th.number title=(measure.definition) { (measure.name) small { (measure.unit) } }
                        }
                    }
                }
                tbody {
                    @for (index, &at) in rows.iter().enumerate() {
                        @let row = &table.rows[at];
                        tr {
                            @for value in &table.points[row.point].values { th { @if !again(index) { (value) } } }
                            @if about.is_some() { th { (row.subject) } }
                            @if table.seeds_differ() { td.number { (row.seeds) } }
                            @for (&column, &most) in columns.iter().zip(&most) {
                                @let [figure, strip] = measured(table, at, column, most);
                                td.number { (figure) (strip) }
                            }
                        }
                    }
                }
            }
    };
    html! { @if rows.len() > MAX_UNSCROLLED_ROWS { div.tall { (table) } } @else { (table) } }
}

/// Returns the figure with its interval, and its strip on a scale to `most`.
fn measured(table: &Table, row: usize, column: usize, most: f64) -> [Markup; 2] {
    let Some(cell) = table.rows[row].cells[column].as_ref() else { return [html! { "–" }, html! {}] };
    let (known, seeds) = (cell.known, table.rows[row].seeds);
    let part = html! { @if known < seeds { " " small { (known) " of " (seeds) " seeds" } } };
    if known < 2 {
        return [html! { (number(cell)) (part) }, html! {}];
    }
    let published: Vec<f64> = published_at(table, row, column).collect();
    [html! { (number(cell)) (interval(cell)) (part) }, strip(cell, &published, most)]
}

fn published_at(table: &Table, row: usize, column: usize) -> impl Iterator<Item = f64> + '_ {
    table.published.iter().filter(move |p| p.row == row && p.column == column).map(|p| p.figure.value)
}

/// Returns the largest number to show in a column.
fn largest(table: &Table, column: usize) -> f64 {
    let of = |cell: &Cell| cell.interval.as_ref().map_or(cell.max.value, |[_, high]| high.value.max(cell.max.value));
    let ours = table.rows.iter().filter_map(|row| row.cells[column].as_ref()).map(of);
    let theirs = table.published.iter().filter(|p| p.column == column).map(|p| p.figure.value);
    ours.chain(theirs).fold(0.0, f64::max)
}
