//! Tables of many published cells: each next to our value, counted by the difference.

use crate::judge::{MARGIN, Values};
use crate::observe::Run;
use crate::rows::{Cell, Sheet};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Cells by their difference from the published value.
#[derive(Default)]
struct Counts {
    cells: usize,
    within_margin: usize,
    /// Cells with a published deviation: within one, within two, and beyond.
    deviations: [usize; 3],
}

/// Text of all tables of a sheet.
pub fn of(sheet: &Sheet, runs: &BTreeMap<&str, Run>) -> Result<String, String> {
    let mut counts = Counts::default();
    let mut tables = String::new();
    for table in &sheet.tables {
        let _ = writeln!(tables, "\n{}:\n\n| | {} |", table.caption, table.columns.join(" | "));
        let _ = writeln!(tables, "|---|{}", "---|".repeat(table.columns.len()));
        for (called, cells) in &table.rows {
            let shown: Vec<String> =
                cells.iter().map(|cell| compare(cell, &runs[cell.file], &mut counts)).collect::<Result<_, _>>()?;
            let _ = writeln!(tables, "| {called} | {} |", shown.join(" | "));
        }
    }
    let mut files: Vec<&str> = sheet.cells().map(|cell| cell.file).collect();
    files.sort_unstable();
    files.dedup();
    let files: Vec<String> = files.iter().map(|file| format!("[`{file}`](../../validation/{file}.toml)")).collect();
    let notes = if sheet.notes.is_empty() { String::new() } else { format!("\n{}\n", sheet.notes) };
    Ok(format!(
        "## {}\n{}\n\n{}: published, then ours; ! is off by more than 10 %. {}\n\n{}\n{tables}{notes}\n",
        sheet.title,
        sheet.source,
        files.join(" and "),
        sheet.about,
        counts.sentence()
    ))
}

impl Counts {
    fn sentence(&self) -> String {
        let Counts { cells, within_margin, deviations: [one, two, more] } = self;
        let compared = one + two + more;
        let deviations = format!(
            " {one} of {compared} are within one standard deviation of the source's trials, {two} within two, {more} beyond."
        );
        let spread = if compared == 0 { "" } else { &deviations };
        format!("**{within_margin} of {cells} figures are within 10 % of what was published.**{spread}")
    }
}

fn compare(cell: &Cell, run: &Run, counts: &mut Counts) -> Result<String, String> {
    let trials = run.point(&cell.at)?;
    let ours: Vec<f64> = trials
        .iter()
        .map(|trial| run.value(trial, cell.ours).map(|value| value / cell.per))
        .collect::<Result<_, _>>()?;
    let ours = Values(ours);
    let apart = (ours.mean() - cell.mean).abs();
    let is_within = apart <= MARGIN * cell.mean;
    counts.cells += 1;
    counts.within_margin += usize::from(is_within);
    if let Some(deviation) = cell.deviation {
        counts.deviations[usize::from(apart > deviation) + usize::from(apart > 2.0 * deviation)] += 1;
    }
    let decimals = if cell.mean < 1.5 { 2 } else { 1 };
    let spread = cell.deviation.map_or(String::new(), |deviation| format!(" ± {deviation:.1}"));
    let mark = if is_within { "" } else { " !" };
    Ok(format!("{:.decimals$}{spread}, {:.decimals$}{mark}", cell.mean, ours.mean()))
}
