//! A few rows side by side, with a line for each measure.

use super::align::{align, fits};
use super::selection::Selection;

/// Formats the rows, with intervals if they fit; `None` if not even the figures fit.
pub fn format_rows(shown: &Selection, width: usize) -> Option<String> {
    let text = |intervals| shown.heading(intervals) + &align(&lines(shown, intervals), 2);
    [true, false].into_iter().map(text).find(|text| fits(text, width))
}

fn lines(shown: &Selection, intervals: bool) -> Vec<Vec<String>> {
    let mut lines = heads(shown);
    for &column in &shown.columns {
        let measure = shown.column(column);
        let cells = shown.rows.iter().map(|row| shown.cell(*row, column, intervals));
        lines.push([measure.name.clone(), measure.unit.clone()].into_iter().chain(cells).collect());
        if shown.is_published(column) {
            let cells = shown.rows.iter().map(|row| shown.published(*row, column).unwrap_or_default());
            lines.push(["  published".into(), measure.unit.clone()].into_iter().chain(cells).collect());
        }
    }
    lines
}

/// Returns the head lines: one for each key, and one for flows and links.
fn heads(shown: &Selection) -> Vec<Vec<String>> {
    let line = |name: &str, values: Vec<String>| [vec![name.to_owned(), String::new()], values].concat();
    let of_rows = |value: &dyn Fn(usize) -> String| shown.rows.iter().map(|row| value(*row)).collect::<Vec<String>>();
    let points = &shown.table.points;
    let of_key = |key| line(shown.key(key), of_rows(&|row| points[shown.row(row).point].values[key].clone()));
    let mut heads: Vec<Vec<String>> = (0..shown.table.keys.len()).map(of_key).collect();
    if heads.is_empty() || shown.rows.iter().any(|row| !shown.row(*row).subject.is_empty()) {
        heads.push(line("", of_rows(&|row| shown.row(row).name.clone())));
    }
    if shown.table.seeds_differ() {
        heads.push(line("seeds", of_rows(&|row| shown.row(row).seeds.to_string())));
    }
    heads
}
