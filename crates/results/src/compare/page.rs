//! Two runs on one page: their points on the same axes, and what differs.

use super::runs::Run;
use super::{Answer, CompareError, CompareRequest, Side, short};
use crate::contents;
use crate::judge;
use crate::report::{QueueUnit, Report};
use crate::table::{Column, Point, Row, Table};
use analysis::MEASURES;
use std::path::Path;

/// The key of the table that says which run a point is of.
const RUN_KEY: &str = "run";
const POINT_KEY: &str = "point";

/// Returns the page of two runs; `None` of listings.
pub fn page(request: &CompareRequest, answer: &Answer) -> Result<Option<Report>, CompareError> {
    let sides = [Side::resolve(&request.sides[0])?, Side::resolve(&request.sides[1])?];
    if !sides.iter().all(Side::is_run) {
        return Ok(None);
    }
    let names = short([&sides[0].name, &sides[1].name]).map(String::from);
    let [a, b] = [of_side(&sides[0])?, of_side(&sides[1])?];
    Ok(Some(together([a, b], &names, request, answer)))
}

/// Returns the report of a run with the points that the side names.
fn of_side(side: &Side) -> Result<Report, CompareError> {
    let run = Run::read(side)?;
    let verdict = judge::judge(&run.plan, &run.measures, &Default::default());
    let recordings = |trial: usize| run.folder.trial(trial);
    let mut report = contents::report(&run.plan, &run.measures, &verdict, &run.environment, recordings)?;
    let wanted: Vec<usize> = run.points()?.iter().map(|point| point.trials[0].index).collect();
    let kept: Vec<usize> = (run.plan.points().iter().enumerate())
        .filter(|(_, trials)| wanted.contains(&trials[0].index))
        .map(|(point, _)| point)
        .collect();
    let place = |point: usize| kept.iter().position(|kept| *kept == point);
    let table = &mut report.table;
    table.points = kept.iter().map(|point| table.points[*point].clone()).collect();
    table.rows.retain(|row| place(row.point).is_some());
    table.rows.iter_mut().for_each(|row| row.point = place(row.point).unwrap_or_default());
    report.traces.retain(|trace| place(trace.point).is_some());
    report.traces.iter_mut().for_each(|trace| trace.point = place(trace.point).unwrap_or_default());
    Ok(report)
}

fn together([a, b]: [Report; 2], names: &[String; 2], request: &CompareRequest, answer: &Answer) -> Report {
    let title = format!("{} and {}", names[0], names[1]);
    let question = if a.title == b.title { a.title.clone() } else { format!("{}; {}", a.title, b.title) };
    let differences = answer.differences.iter().map(|what| format!("They differ in {what}."));
    let first = a.table.points.len();
    let table = tables([&a.table, &b.table], names);
    // A queue in bytes and one in packets have no axis in common.
    let drawn = |report: &Report| {
        let mut traces = report.traces.clone();
        if a.queue_unit != b.queue_unit {
            traces.iter_mut().flat_map(|trace| &mut trace.lanes).for_each(|lane| lane.queue = Default::default());
        }
        traces
    };
    let mut traces = drawn(&a);
    traces.extend(drawn(&b).into_iter().map(|mut trace| {
        trace.point += first;
        trace
    }));
    let both = |of: fn(&Report) -> String| match [of(&a), of(&b)] {
        [one, other] if one == other => one,
        [one, other] => format!("# {}\n{one}\n# {}\n{other}", names[0], names[1]),
    };
    let spec = both(|report| report.spec.clone());
    let sides = request.sides.each_ref().map(|side| evidence::plain::word(Path::new(side)));
    let mut kernels = a.kernels.clone();
    kernels.extend(b.kernels.iter().filter(|kernel| !a.kernels.contains(kernel)).cloned());
    let environment = a.environment.iter().map(|(name, value)| {
        let other = b.environment.iter().find(|(own, _)| own == name).map_or("unknown", |(_, value)| value);
        let value =
            if other == value { value.clone() } else { format!("{}: {value}; {}: {other}", names[0], names[1]) };
        (name.clone(), value)
    });
    Report {
        title,
        question,
        answer: answer.sentences.clone(),
        caveats: differences.chain(answer.caveats.iter().cloned()).collect(),
        comparisons: answer.comparisons.iter().map(contents::comparison).collect(),
        table,
        bin: a.bin.max(b.bin),
        queue_unit: if a.queue_unit == b.queue_unit { a.queue_unit } else { QueueUnit::Packets },
        traces,
        left_out: a.left_out + b.left_out,
        trials: a.trials + b.trials,
        outputs: vec![],
        spec,
        commands: a.commands.clone(),
        kernels,
        environment: environment.collect(),
        reproduce: vec![format!("goodput compare {} {} --page FILE", sides[0], sides[1])],
    }
}

/// Returns one table of both: the points of each run under its name.
fn tables(tables: [&Table; 2], names: &[String; 2]) -> Table {
    let alike = tables[0].keys == tables[1].keys;
    let keys = match alike {
        true => [RUN_KEY.to_owned()].into_iter().chain(tables[0].keys.clone()).collect(),
        false => [RUN_KEY, POINT_KEY].map(String::from).to_vec(),
    };
    let of = |name: &'static str| {
        let own = |table: &Table| table.columns.iter().position(|column| column.name == name);
        [own(tables[0]), own(tables[1])]
    };
    let known = MEASURES.iter().map(|measure| of(measure.name)).filter(|places| places.iter().any(Option::is_some));
    let places: Vec<[Option<usize>; 2]> = known.collect();
    let column = |places: &[Option<usize>; 2]| {
        let mut both = tables.iter().zip(places).filter_map(|(table, place)| Some(&table.columns[(*place)?]));
        let first = both.next()?;
        let shown = both.map(|column| column.shown).chain([first.shown]).min()?;
        Some(Column { shown, ..first.clone() })
    };
    let columns = places.iter().filter_map(column).collect();
    let (mut points, mut rows) = (vec![], vec![]);
    for (side, table) in tables.into_iter().enumerate() {
        let before = points.len();
        rows.extend(table.rows.iter().map(|row| Row {
            point: row.point + before,
            cells: places.iter().map(|places| row.cells[places[side]?].clone()).collect(),
            ..row.clone()
        }));
        points.extend(table.points.iter().map(|point| {
            let label = [names[side].as_str(), &point.label].into_iter().filter(|part| !part.is_empty());
            let own = if alike { point.values.clone() } else { vec![point.label.clone()] };
            Point { values: [vec![names[side].clone()], own].concat(), label: label.collect::<Vec<_>>().join(": ") }
        }));
    }
    Table { keys, points, marks: vec![], columns, rows, published: vec![] }
}
