//! Tables of a case page: our figures beside those that were published.

use crate::reasons::reason;
use analysis::{Measure, Measures};
use base::show;
use base::stats::{estimate, modes};
use plan::run_folder::RunFolder;
use plan::setting::label;
use plan::{Plan, Trial};
use results::table;
use std::fmt::Write;

/// Largest relative difference that counts as reproduced.
const MARGIN: f64 = 0.1;

/// An interval whose ends differ by more than this factor reproduces nothing.
const MAX_INTERVAL_RATIO: f64 = 2.0;

/// A measure of one flow, or of all.
#[derive(PartialEq)]
struct Quantity<'p> {
    measure: &'p str,
    flow: Option<&'p str>,
}

/// A cell: our figure, the published one, and how they compare.
struct Cell {
    ours: String,
    published: Option<String>,
    outcome: Outcome,
}

enum Outcome {
    /// Nothing was published.
    Ours,
    Reproduced,
    /// Some seeds reproduce it, and others do not: how many of how many.
    InMode(usize, usize),
    Off,
    /// The run has no value.
    Unknown,
}

impl Outcome {
    fn word(&self) -> String {
        match self {
            Outcome::Ours => String::new(),
            Outcome::Reproduced => "reproduced".into(),
            Outcome::InMode(some, all) => format!("reproduced by {some} of {all} seeds"),
            Outcome::Off => "**off**".into(),
            Outcome::Unknown => "unknown".into(),
        }
    }
}

/// Returns the tables of a run, and a sentence for each cell that is off without a reason.
pub fn of(name: &str, run: &RunFolder) -> Result<(String, Vec<String>), String> {
    let (plan, measures) = lab::run::measured(run).map_err(|e| e.to_string())?;
    let (mut text, mut unexplained, mut given) = (String::new(), vec![], vec![]);
    let grid = table::table(&plan, &measures).grid();
    let points = plan.points();
    for quantity in quantities(&plan) {
        let unit = show::column_unit(Measure::unit_of(quantity.measure)).0;
        let head = match (quantity.flow, unit) {
            (None, "") => quantity.measure.to_owned(),
            (None, unit) => format!("{}, {unit}", quantity.measure),
            (Some(flow), "") => format!("{} of {flow}", quantity.measure),
            (Some(flow), unit) => format!("{} of {flow}, {unit}", quantity.measure),
        };
        let cells: Vec<Cell> = points.iter().map(|trials| cell(&plan, &measures, &quantity, trials)).collect();
        for (trials, cell) in points.iter().zip(&cells) {
            if !matches!(cell.outcome, Outcome::Off | Outcome::InMode(..)) {
                continue;
            }
            let of = [quantity.flow.unwrap_or_default(), &label(&trials[0].point), quantity.measure].join(" ");
            match reason(name, &of) {
                Some(why) if !given.contains(&why) => given.push(why),
                Some(_) => {}
                None => unexplained.push(format!("{name}: {of} is off, and nothing says why")),
            }
        }
        match &grid {
            Some(grid) => {
                let rows = table::table(&plan, &measures).rows;
                let _ = writeln!(text, "| {head} | {} |", grid.across.join(" | "));
                let _ = writeln!(text, "|---|{}", "---|".repeat(grid.across.len()));
                let values: Vec<&str> = grid.rows.iter().map(|row| row.value.as_str()).collect();
                let firsts = (0..values.len()).filter(|row| !values[..*row].contains(&values[*row]));
                for first in firsts {
                    let same: Vec<_> = grid.rows.iter().filter(|row| row.value == values[first]).collect();
                    let of = |column: usize| {
                        let row = same.iter().find_map(|row| row.cells[column]);
                        row.map_or(String::new(), |row| in_grid(&cells[rows[row].point]))
                    };
                    let each: Vec<String> = (0..grid.across.len()).map(of).collect();
                    let _ = writeln!(text, "| {} | {} |", values[first], each.join(" | "));
                }
            }
            None => {
                let _ = writeln!(text, "| {head} | ours | published | |\n|---|---|---|---|");
                for (trials, cell) in points.iter().zip(&cells) {
                    let Cell { ours, published, outcome } = cell;
                    let alone =
                        || analysis::congestion(&trials[0].scene, &trials[0].scene.flows[0]).unwrap_or_default();
                    let at = match trials[0].point.is_empty() {
                        true => alone().to_owned(),
                        false => label(&trials[0].point),
                    };
                    let published = published.as_deref().unwrap_or("–");
                    let row = format!("| {at} | {ours} | {published} | {} |", outcome.word());
                    let _ = writeln!(text, "{}", row.replace("|  |", "| |"));
                }
            }
        }
        text.push('\n');
    }
    let _ = writeln!(text, "{}", legend(&plan, grid.is_some()));
    if !given.is_empty() {
        text.push('\n');
        given.iter().for_each(|why| text += &show::paragraph("- ", why, crate::WIDTH + 20));
    }
    Ok((text, unexplained))
}

/// What was published, or else what the experiment compares.
fn quantities(plan: &Plan) -> Vec<Quantity<'_>> {
    let mut all = vec![];
    for published in &plan.published {
        let quantity = Quantity { measure: &published.measure, flow: published.flow.as_deref() };
        if !all.contains(&quantity) {
            all.push(quantity);
        }
    }
    if all.is_empty() {
        let flows: Vec<Option<&str>> = match &plan.compare.flows[..] {
            [] => vec![None],
            several => several.iter().map(|flow| Some(flow.as_str())).collect(),
        };
        let names = || plan.compare.measures.iter().map(String::as_str);
        let names: Vec<&str> = if names().next().is_none() { vec!["goodput"] } else { names().collect() };
        all = names.iter().flat_map(|measure| flows.iter().map(|flow| Quantity { measure, flow: *flow })).collect();
    }
    all
}

fn cell(plan: &Plan, measures: &Measures, quantity: &Quantity, trials: &[Trial]) -> Cell {
    let Quantity { measure: name, flow } = quantity;
    let value = |trial: &Trial| match flow {
        Some(flow) => measures.over(trial, name, &trial.scene.flows_called(flow)),
        None => measures.value(trial, name),
    };
    let values: Vec<f64> = trials.iter().filter_map(value).collect();
    let is_meant = |published: &&plan::Published| {
        published.measure == *name
            && published.flow.as_deref() == *flow
            && published.at.iter().all(|setting| trials[0].point.contains(setting))
    };
    let published = plan.published.iter().find(is_meant).map(|published| published.value);
    let unit = Measure::unit_of(name);
    let size = show::column_unit(unit).1;
    let figure = |value: f64| show::figure(unit, value, size);
    let centre = Measure::find(name).map(|measure| measure.centre).and_then(|centre| estimate(&values, centre));
    let near = |ours: f64| published.is_some_and(|published| (ours / published - 1.0).abs() <= MARGIN);
    let (ours, is_near, in_mode) = match (centre, modes(&values)) {
        (None, _) => ("–".into(), false, None),
        (Some(_), Some(both)) => {
            let text = both.map(|mode| format!("{} ×{}", figure(mode.centre), mode.count)).join(" or ");
            let of = both.iter().find(|mode| near(mode.centre)).map(|mode| mode.count);
            (text, false, of)
        }
        (Some(centre), None) => {
            let inside = |[low, high]: [f64; 2]| {
                high <= MAX_INTERVAL_RATIO * low && published.is_some_and(|value| (low..=high).contains(&value))
            };
            let text = match centre.interval.map(|ends| ends.map(figure)) {
                Some([low, high]) if low != high => format!("{} ({low} to {high})", figure(centre.value)),
                _ => figure(centre.value),
            };
            (text, near(centre.value) || centre.interval.is_some_and(inside), None)
        }
    };
    let outcome = match (published, centre, in_mode) {
        (Some(_), None, _) => Outcome::Unknown,
        (None, ..) => Outcome::Ours,
        (Some(_), Some(_), Some(some)) => Outcome::InMode(some, values.len()),
        _ if is_near => Outcome::Reproduced,
        _ => Outcome::Off,
    };
    Cell { ours, published: published.map(figure), outcome }
}

fn in_grid(cell: &Cell) -> String {
    let parts = [Some(cell.ours.clone()), cell.published.clone(), Some(cell.outcome.word())];
    parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" / ")
}

/// How to read the tables.
fn legend(plan: &Plan, is_grid: bool) -> String {
    let [least, most] =
        [plan.points().iter().map(|trials| trials.len()).min(), plan.points().iter().map(|trials| trials.len()).max()]
            .map(|count| count.unwrap_or(0));
    let seeds = match (least, most) {
        (_, 1) => "One seed".to_owned(),
        (least, most) if least == most => format!("{most} seeds"),
        (least, most) => format!("{least} to {most} seeds"),
    };
    let interval = if most >= 5 { "; brackets: 95 % interval of the mean" } else { "" };
    let cells = match (is_grid, plan.published.is_empty()) {
        (true, false) => "; cells: ours / published / outcome",
        _ => "",
    };
    let margin = if plan.published.is_empty() {
        ""
    } else {
        "; reproduced: within 10 %, or in an interval within a factor of 2"
    };
    format!("{seeds}{interval}{cells}{margin}.")
}
