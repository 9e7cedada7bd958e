//! Pictures that answer a question besides how things went over time. Each is chosen by what the experiment asks: what
//! varies, what it measures, and how many flows share the path.

use super::lines::{Line, hue_of, lines, shades};
use super::svg::{self, Look, Pane, Plane, Shape, heat_map, sweep, window_limits};
use super::{Curve, FlowTrace, Report, Trace};
use crate::table::{Cell, axes};
use base::stats;
use base::units::Shown;
use serde::Serialize;

/// A figure, what it shows, and the numbers that it draws.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Picture {
    /// Name of its files, such as `operating-point`.
    pub name: &'static str,
    /// How to read it, a sentence or two; empty if the figure says it.
    #[serde(skip)]
    pub says: &'static str,
    /// What the numbers are from.
    #[serde(skip)]
    pub source: String,
    #[serde(skip)]
    pub svg: String,
    /// Names of the columns of [`Picture::rows`].
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// Largest number of lines of a picture, so that a reader can tell them apart.
const MAX_LINES: usize = 6;
/// Largest number of points of the trade-off.
const MAX_CENTRES: usize = 12;
/// Fewest values of a key that a map shows better than lines.
const MIN_MAP_VALUES: usize = 3;

/// Returns the pictures of a report, in the order in which a reader needs them.
pub fn pictures(report: &Report) -> Vec<Picture> {
    let all = [sweep_of(report), map(report), trade_off(report), operating_point(report), fairness(report)];
    all.into_iter().flatten().chain(distributions(report)).collect()
}

/// The figures of a report by the names of their files.
pub fn figures(report: &Report) -> Vec<(String, String)> {
    let files = pictures(report).into_iter().map(|picture| (format!("{}.svg", picture.name), picture.svg));
    let over_time = [("cwnd.svg", svg::cwnd(report)), ("throughput.svg", svg::throughput(report))];
    over_time.map(|(name, svg)| (name.to_owned(), svg)).into_iter().chain(files).collect()
}

fn sweep_of(report: &Report) -> Option<Picture> {
    let (svg, head, rows) = sweep(report)?;
    let source = format!("{} trials", report.trials);
    Some(Picture { name: "sweep", says: "", source, svg, head, rows })
}

/// The first measure over two quantities.
fn map(report: &Report) -> Option<Picture> {
    let table = &report.table;
    let axes = axes(&table.keys, &table.points);
    let is_map = axes.len() == 2 && axes.iter().all(|axis| axis.scale.is_some() && axis.first.len() >= MIN_MAP_VALUES);
    let grid = table.grid().filter(|_| is_map)?;
    let column = (0..table.columns.len()).min_by_key(|column| table.columns[*column].shown)?;
    let svg = heat_map(&report.title, table, &grid, column)?;
    let head = [&grid.keys[0], "subject", &grid.keys[1], &table.columns[column].name].map(String::from).to_vec();
    let rows = grid.rows.iter().flat_map(|row| {
        let cell = |(place, cell): (usize, &Option<usize>)| {
            let cell = table.rows[(*cell)?].cells[column].as_ref()?;
            Some(vec![
                row.value.clone(),
                row.subject.clone(),
                grid.across[place].clone(),
                cell.centre.value.to_string(),
            ])
        };
        row.cells.iter().enumerate().filter_map(cell).collect::<Vec<_>>()
    });
    let (says, source) = ("The darker, the larger.", format!("{} trials", report.trials));
    Some(Picture { name: "heat-map", says, source, svg, head, rows: rows.collect() })
}

/// Goodput over delay, where things are compared that have no order: congestion controls, queues, kernels.
fn trade_off(report: &Report) -> Option<Picture> {
    let table = &report.table;
    let is_choice = axes(&table.keys, &table.points).iter().any(|axis| axis.scale.is_none());
    let column = |name: &str| table.columns.iter().position(|column| column.name == name);
    let delay = ["queued-p95", "rtt-p95"].into_iter().find_map(column)?;
    let rate = column("goodput").filter(|_| is_choice)?;
    let cells = |row: usize| {
        let cells = &table.rows[row].cells;
        Some([cells[delay].as_ref()?, cells[rate].as_ref()?])
    };
    let known: Vec<(usize, [&Cell; 2])> = (0..table.rows.len())
        .filter(|row| !table.rows[*row].one_of_many)
        .filter_map(|row| Some((row, cells(row)?)))
        .collect();
    if known.len() < 2 || known.len() > MAX_CENTRES {
        return None;
    }
    let sizes = [delay, rate].map(|column| table.columns[column].size);
    let hues: Vec<_> = known.iter().map(|(row, _)| hue_of(report, &table.rows[*row])).collect();
    let (mut shapes, mut rows) = (vec![], vec![]);
    for ((row, cells), [light, _]) in known.iter().zip(shades(&hues)) {
        let [x, y] = [0, 1].map(|axis| cells[axis].centre.value / sizes[axis]);
        let both = cells[0].seeds.iter().zip(&cells[1].seeds).map(|(x, y)| [x / sizes[0], y / sizes[1]]);
        // Quantiles of two measures are no pairs.
        let is_paired = cells.iter().all(|cell| cell.known == cell.seeds.len()) && cells[0].known == cells[1].known;
        if is_paired && cells[0].known > 1 {
            shapes.push(Shape::new(&light, Look::Cloud, both.collect()));
        }
        if let Some([low, high]) = &cells[0].interval {
            let ends = [low, high].map(|end| [end.value / sizes[0], y]);
            shapes.push(Shape::new(&light, Look::Whisker, ends.to_vec()));
        }
        if let Some([low, high]) = &cells[1].interval {
            let ends = [low, high].map(|end| [x, end.value / sizes[1]]);
            shapes.push(Shape::new(&light, Look::Whisker, ends.to_vec()));
        }
        let label = table.label(&table.rows[*row]);
        rows.push(vec![label.clone(), x.to_string(), y.to_string()]);
        shapes.push(Shape { label, ..Shape::new(&light, Look::Centre, vec![[x, y]]) });
    }
    let named = |column: usize| format!("{}, {}", table.columns[column].name, table.columns[column].unit);
    let pane = Pane { name: named(rate), limits: vec![], shapes };
    let centres = [table.columns[delay].centre, table.columns[rate].centre];
    let subtitle = format!("Goodput over delay: {}; faint: each seed", table.heading(&centres));
    Some(Picture {
        name: "goodput-over-delay",
        says: "Better is up and to the left.",
        source: format!("{} trials", report.trials),
        svg: plane(report, subtitle, named(delay), vec![pane]).svg(),
        head: vec!["point".into(), named(delay), named(rate)],
        rows,
    })
}

fn plane(report: &Report, subtitle: String, across: String, panes: Vec<Pane>) -> Plane {
    let title = report.title.clone();
    Plane { title, subtitle, across, marks: vec![], from_zero: true, legend: vec![], panes }
}

/// Lines that are flows, each with its first trace; none if they are too many.
fn flow_lines(report: &Report) -> Vec<(Line, &Trace, &FlowTrace)> {
    let own = |line: Line| {
        let trace = report.first_trace(line.point)?;
        let flow = trace.flows.get(line.flow?)?;
        Some((line, trace, flow))
    };
    lines(report).into_iter().filter_map(own).collect()
}

/// RTT and delivery rate over the data in flight, of points that have one TCP flow each.
fn operating_point(report: &Report) -> Option<Picture> {
    let all: Vec<_> = flow_lines(report).into_iter().filter(|(_, _, flow)| flow.operating.len() > 1).collect();
    let is_alone = |trace: &Trace| trace.flows.iter().filter(|flow| flow.bdp.is_some()).count() == 1;
    if all.is_empty() || all.len() > MAX_LINES || !all.iter().all(|(_, trace, _)| is_alone(trace)) {
        return None;
    }
    let [mut rtts, mut rates] = [vec![], vec![]];
    let (mut legend, mut rows) = (vec![], vec![]);
    let [mut bases, mut links]: [Vec<(f64, String)>; 2] = [vec![], vec![]];
    let mut marks: Vec<(f64, String)> = vec![];
    let add = |limits: &mut Vec<(f64, String)>, value: f64, name: &str| {
        if !limits.iter().any(|(own, _)| *own == value) {
            limits.push((value, name.into()));
        }
    };
    for (line, trace, flow) in &all {
        let points = |of: fn(&super::OperatingPoint) -> f64| {
            flow.operating.iter().map(|at| [at.in_flight, of(at)]).collect::<Vec<_>>()
        };
        rtts.push(Shape::new(&line.light, Look::Dotted, points(|at| at.rtt)));
        rates.push(Shape::new(&line.light, Look::Dotted, points(|at| at.rate)));
        legend.push((line.light.clone(), format!("{} (seed {})", line.label, trace.seed)));
        add(&mut bases, flow.base_rtt, "base RTT");
        trace.lanes.iter().for_each(|lane| add(&mut links, lane.rate, "link rate"));
        window_limits(report, trace).into_iter().for_each(|(packets, name)| add(&mut marks, packets, name));
        let row = |at: &super::OperatingPoint| {
            vec![line.label.clone(), at.in_flight.to_string(), at.rtt.to_string(), at.rate.to_string()]
        };
        rows.extend(flow.operating.iter().map(row));
    }
    let [flight, rtt, rate] = ["data in flight, packets", "RTT, ms", "delivery rate, Mbit/s of payload"];
    let panes = vec![
        Pane { name: rtt.into(), limits: bases, shapes: rtts },
        Pane { name: rate.into(), limits: links, shapes: rates },
    ];
    let subtitle = "Operating point: medians of samples with about equally much in flight, and what came of it within a round trip";
    let plane = Plane { marks, legend, ..plane(report, subtitle.into(), flight.into(), panes) };
    Some(Picture {
        name: "operating-point",
        says: "Left of the BDP more data in flight brings more rate; between BDP and BDP + buffer it only waits in the queue; \
               right of both it is lost.",
        source: "samples of the first seed of each point".into(),
        svg: plane.svg(),
        head: ["point", flight, rtt, rate].map(String::from).to_vec(),
        rows,
    })
}

/// Jain's index over time, where several bulk flows share a path.
fn fairness(report: &Report) -> Option<Picture> {
    if !report.table.columns.iter().any(|column| column.name == "jain" && column.shown <= Shown::First) {
        return None;
    }
    let several: Vec<usize> = (0..report.table.points.len())
        .filter(|point| report.first_trace(*point).is_some_and(|trace| sharing(trace).count() > 1))
        .collect();
    if several.is_empty() || several.len() > MAX_LINES {
        return None;
    }
    let hues: Vec<_> = several
        .iter()
        .filter_map(|point| report.table.rows.iter().find(|row| row.point == *point))
        .map(|row| hue_of(report, row))
        .collect();
    let (mut shapes, mut legend, mut rows) = (vec![], vec![], vec![]);
    for (point, [light, _]) in several.iter().zip(shades(&hues)) {
        let label = &report.table.points[*point].label;
        let seeds: Vec<Vec<[f64; 2]>> =
            report.traces.iter().filter(|trace| trace.point == *point).map(jain_over_time).collect();
        let middle = median_over_seeds(&seeds);
        rows.extend(middle.iter().map(|[time, jain]| vec![label.clone(), time.to_string(), jain.to_string()]));
        if seeds.len() > 1 {
            shapes.extend(seeds.into_iter().map(|points| Shape::new(&light, Look::Cloud, points)));
        }
        shapes.push(Shape::new(&light, Look::Line, middle));
        if !label.is_empty() {
            legend.push((light, label.clone()));
        }
    }
    let subtitle =
        format!("Jain's index of the flows' goodput in bins of {} ms; line: median of the seeds", report.bin);
    let pane = Pane { name: "Jain's index".into(), limits: vec![(1.0, "equal shares".into())], shapes };
    let plane = Plane { legend, ..plane(report, subtitle, "time, s".into(), vec![pane]) };
    Some(Picture {
        name: "fairness",
        says: "One flow that has all of n is at 1/n.",
        source: "the trials whose curves are on the page".into(),
        svg: plane.svg(),
        head: ["point", "time, s", "Jain's index"].map(String::from).to_vec(),
        rows,
    })
}

/// The flows of a trial that send bulk data.
fn sharing(trace: &Trace) -> impl Iterator<Item = &Curve> {
    let own = |flow: &&FlowTrace| flow.answers.is_empty() && !flow.goodput.t.is_empty() && flow.congestion != "ping";
    trace.flows.iter().filter(own).map(|flow| &flow.goodput)
}

/// Returns Jain's index at the bins in which at least two flows sent.
fn jain_over_time(trace: &Trace) -> Vec<[f64; 2]> {
    let mut bins: std::collections::BTreeMap<u64, Vec<f64>> = std::collections::BTreeMap::new();
    for curve in sharing(trace) {
        for (time, rate) in curve.t.iter().zip(&curve.y) {
            // Bins of equal width end at the same time but for its rounding.
            bins.entry((time * 1e3).round() as u64).or_default().extend(rate);
        }
    }
    let jain = |rates: &[f64]| {
        let (sum, squares) = (rates.iter().sum::<f64>(), rates.iter().map(|rate| rate * rate).sum::<f64>());
        (rates.len() > 1 && squares > 0.0).then(|| sum * sum / (rates.len() as f64 * squares))
    };
    bins.into_iter().filter_map(|(ms, rates)| Some([ms as f64 / 1e3, jain(&rates)?])).collect()
}

fn median_over_seeds(seeds: &[Vec<[f64; 2]>]) -> Vec<[f64; 2]> {
    let first = seeds.first().map_or(&[][..], Vec::as_slice);
    let at = |time: f64| {
        let of_seed = |seed: &Vec<[f64; 2]>| {
            let place = seed.partition_point(|[own, _]| *own < time - 5e-4);
            seed.get(place).filter(|[own, _]| *own < time + 5e-4).map(|[_, value]| *value)
        };
        stats::percentile(seeds.iter().filter_map(of_seed).collect(), 0.5)
    };
    first.iter().filter_map(|[time, _]| Some([*time, at(*time)?])).collect()
}

/// Distributions of what the experiment asks about: RTTs, response times, completion times.
fn distributions(report: &Report) -> Vec<Picture> {
    let asked = |names: &[&str]| {
        let is_asked = |name: &str| names.iter().any(|own| name.starts_with(own));
        report.table.columns.iter().any(|column| column.shown == Shown::Asked && is_asked(&column.name))
    };
    let rtts =
        asked(&["rtt-", "queued-"]).then(|| distribution(report, "rtt-distribution", "RTT, ms", |flow| &flow.rtts));
    let answers = asked(&["exchange-"])
        .then(|| distribution(report, "response-times", "response time, ms", |flow| &flow.answers));
    let completions = asked(&["completion"]).then(|| completions(report));
    [rtts, answers, completions].into_iter().flatten().flatten().collect()
}

/// The share of samples below a value, of each flow over the seeds on the page.
fn distribution(report: &Report, name: &'static str, across: &str, of: fn(&FlowTrace) -> &Vec<f64>) -> Option<Picture> {
    let all: Vec<_> = flow_lines(report).into_iter().filter(|(_, _, flow)| !of(flow).is_empty()).collect();
    let lines = all.into_iter().map(|(line, ..)| {
        let seeds = report.traces.iter().filter(|trace| trace.point == line.point);
        let values = seeds.filter_map(|trace| trace.flows.get(line.flow?)).flat_map(of).copied().collect();
        (line.light, line.label, values)
    });
    cumulative(report, name, across, lines.collect(), "the trials whose curves are on the page")
}

/// The share of seeds whose flow was complete by a time.
fn completions(report: &Report) -> Option<Picture> {
    let column = report.table.columns.iter().position(|column| column.name == "completion")?;
    let known = report.table.rows.iter().filter_map(|row| Some((row, row.cells[column].as_ref()?)));
    let known: Vec<_> = known.filter(|(_, cell)| cell.known > 1).collect();
    let hues: Vec<_> = known.iter().map(|(row, _)| hue_of(report, row)).collect();
    let lines = known.into_iter().zip(shades(&hues)).map(|((row, cell), [light, _])| {
        let label = report.table.label(row);
        (light, label, cell.seeds.clone())
    });
    cumulative(report, "completion-times", "completion, s", lines.collect(), "all trials, one value a seed")
}

fn cumulative(
    report: &Report,
    name: &'static str,
    across: &str,
    lines: Vec<(String, String, Vec<f64>)>,
    source: &str,
) -> Option<Picture> {
    if lines.is_empty() || lines.len() > MAX_LINES {
        return None;
    }
    let (mut shapes, mut legend, mut rows) = (vec![], vec![], vec![]);
    for (light, label, mut values) in lines {
        values.sort_by(f64::total_cmp);
        let share = |index: usize| 100.0 * (index + 1) as f64 / values.len() as f64;
        let steps = values
            .iter()
            .enumerate()
            .flat_map(|(index, value)| [[*value, share(index) - share(0)], [*value, share(index)]]);
        rows.extend(
            values
                .iter()
                .enumerate()
                .map(|(index, value)| vec![label.clone(), value.to_string(), share(index).to_string()]),
        );
        shapes.push(Shape::new(&light, Look::Line, steps.collect()));
        if !label.is_empty() {
            legend.push((light, label));
        }
    }
    let pane = Pane { name: "at most this, % of samples".into(), limits: vec![], shapes };
    let subtitle = "Distribution: the share of samples at most as large".to_owned();
    let plane = Plane { legend, from_zero: false, ..plane(report, subtitle, across.into(), vec![pane]) };
    Some(Picture {
        name,
        says: "A line further left is faster; a long foot on top is the tail that people notice.",
        source: source.into(),
        svg: plane.svg(),
        head: vec!["line".into(), across.into(), "share, %".into()],
        rows,
    })
}
