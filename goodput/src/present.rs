//! From a plan, its recordings and its verdict to what the report and the terminal show.

use crate::analyze::{self, FlowSeries, Measures, Series, base_rtt, lanes};
use crate::environment::Environment;
use crate::judge::{self, Verdict, points};
use crate::measure::{self, MEASURES, Measure, Subject};
use crate::network;
use crate::plan::{Buffer, Plan, Scene, Setting, Trial};
use crate::recording::RecordingError;
use crate::report::{
    Cell, Column, Curve, Figure, FlowTrace, LaneTrace, Point, Published, QueueUnit, Report, Row, Table, Trace,
};
use crate::show;
use std::path::{Path, PathBuf};

/// Points of a curve at most: twice the pixels of a wide plot.
const CURVE: usize = 2000;
/// Bins of goodput over the longest flow.
const BINS: u64 = 150;
/// snd_ssthresh while there is none (TCP_INFINITE_SSTHRESH, include/net/tcp.h).
const NO_SSTHRESH: u64 = 0x7fff_ffff;

/// Everything that the report shows.
pub fn report(
    plan: &Plan,
    measures: &Measures,
    verdict: &Verdict,
    environment: &Environment,
    folder: impl Fn(usize) -> PathBuf,
) -> Result<Report, RecordingError> {
    let table = table(plan, measures);
    let bin = bin(plan);
    let mut traces = vec![];
    for (point, trials) in points(plan).into_iter().enumerate() {
        for trial in trials {
            traces.push(trace(point, trial, &folder(trial.index), bin, queue_unit(plan))?);
        }
    }
    let first = &plan.trials[0].scene;
    Ok(Report {
        title: plan.title.clone(),
        question: plan.question.clone(),
        answer: verdict.sentences.clone(),
        caveats: verdict.caveats.clone(),
        keys: plan.vary.iter().map(|axis| axis.key.clone()).collect(),
        points: points(plan).iter().map(|trials| Point { values: values(&trials[0].point) }).collect(),
        published: published(plan, &table),
        table,
        bin: bin as f64 / 1e6,
        queue_unit: queue_unit(plan),
        traces,
        spec: plan.spec.clone(),
        commands: network::commands(first),
        environment: environment.rows(),
        reproduce: vec![
            "goodput rerun RUN    # this folder: runs the recorded plan again and compares every byte".into(),
        ],
    })
}

fn values(point: &[Setting]) -> Vec<String> {
    point.iter().map(|setting| setting.value.clone()).collect()
}

fn queue_unit(plan: &Plan) -> QueueUnit {
    let in_packets = |trial: &Trial| lanes(&trial.scene).all(|lane| matches!(lane.buffer, Buffer::Packets(_)));
    if plan.trials.iter().all(in_packets) { QueueUnit::Packets } else { QueueUnit::Kilobytes }
}

/// Width of a bin, ns: a round time that gives about [`BINS`] of them.
fn bin(plan: &Plan) -> u64 {
    let longest = plan.trials.iter().map(|trial| crate::engine::virtual_length(&trial.scene)).max().unwrap_or(0);
    let rounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 60_000];
    let ms = rounds.into_iter().find(|ms| ms * 1_000_000 * BINS >= longest).unwrap_or(60_000);
    ms * 1_000_000
}

/// The table: a row for each point, and for each flow when there are several; lanes' measures stand in the first row.
pub fn table(plan: &Plan, measures: &Measures) -> Table {
    let columns = MEASURES.iter().map(|m| Column {
        name: m.name.into(),
        unit: show::column_unit(m.unit).0.into(),
        definition: m.definition.into(),
    });
    let mut rows = vec![];
    for (point, trials) in points(plan).into_iter().enumerate() {
        let flows = trials[0].scene.flows.len();
        for flow in 0..flows {
            let cells = MEASURES.iter().map(|m| match (m.subject, flow) {
                (Subject::Flow, number) | (Subject::Lane, number @ 0) => cell(m, number, trials, measures),
                (Subject::Lane, _) => None,
            });
            rows.push(Row {
                point,
                subject: if flows == 1 { String::new() } else { flow_name(flow, &trials[0].scene) },
                seeds: trials.len(),
                cells: cells.collect(),
            });
        }
    }
    Table { columns: columns.collect(), rows }
}

fn flow_name(number: usize, scene: &Scene) -> String {
    format!("flow {number}, {}", scene.flows[number].congestion)
}

fn cell(measure: &Measure, number: usize, trials: &[Trial], measures: &Measures) -> Option<Cell> {
    let of_trial = |trial: &Trial| {
        let all = &measures.trials.get(trial.index)?.values;
        let mine =
            |v: &&analyze::Value| v.measure == measure.name && v.subject == measure.subject && v.number == number;
        all.iter().find(mine).map(|v| v.value)
    };
    let seeds: Vec<f64> = trials.iter().filter_map(of_trial).collect();
    let mut sorted = seeds.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let (min, max) = (*sorted.first()?, *sorted.last()?);
    let median = (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2]) / 2.0;
    let [median, min, max] = [median, min, max].map(|value| figure(measure, value));
    Some(Cell { median, min, max, seeds })
}

fn figure(measure: &Measure, value: f64) -> Figure {
    Figure { text: show::number(value / show::column_unit(measure.unit).1), value }
}

fn published(plan: &Plan, table: &Table) -> Vec<Published> {
    let points = points(plan);
    let mut all = vec![];
    for p in &plan.published {
        let Some(measure) = measure::find(&p.measure) else { continue };
        let column = MEASURES.iter().position(|m| m.name == p.measure);
        let meant = |row: &Row| p.at.iter().all(|setting| points[row.point][0].point.contains(setting));
        for (row, _) in table.rows.iter().enumerate().filter(|(_, row)| meant(row)) {
            all.extend(column.map(|column| Published {
                source: p.source.clone(),
                row,
                column,
                figure: figure(measure, p.value),
            }));
        }
    }
    all
}

fn trace(point: usize, trial: &Trial, folder: &Path, bin: u64, unit: QueueUnit) -> Result<Trace, RecordingError> {
    let scene = &trial.scene;
    let series = analyze::series(scene, folder)?;
    let flows = series.flows.iter().enumerate().map(|(number, flow)| flow_trace(number, flow, scene, bin));
    Ok(Trace { point, seed: trial.seed, flows: flows.collect(), lanes: vec![lane_trace(scene, &series, unit)] })
}

fn seconds(times: &[u64]) -> Vec<f64> {
    times.iter().map(|ns| *ns as f64 / 1e9).collect()
}

fn flow_trace(number: usize, flow: &FlowSeries, scene: &Scene, bin: u64) -> FlowTrace {
    let time = seconds(&flow.time);
    let curve = |y: Vec<Option<f64>>| Curve::new(&time, &y, CURVE);
    let rate = lanes(scene).map(|lane| lane.rate).min().unwrap_or(0) as f64;
    let mtu = scene.hosts.iter().map(|h| h.mtu).min().unwrap_or(1500);
    let overhead = lanes(scene).map(|lane| lane.overhead).max().unwrap_or(0);
    FlowTrace {
        name: flow_name(number, scene),
        congestion: scene.flows[number].congestion.clone(),
        base_rtt: base_rtt(scene) as f64 / 1e6,
        bdp: rate * base_rtt(scene) as f64 / 8e9 / f64::from(mtu + network::ETHERNET_HEADER + overhead),
        cwnd: curve(flow.cwnd.iter().map(|n| Some(*n as f64)).collect()),
        ssthresh: curve(flow.ssthresh.iter().map(|n| (*n < NO_SSTHRESH).then_some(*n as f64)).collect()),
        rtt: curve(flow.srtt.iter().map(|us| (*us > 0).then_some(*us as f64 / 1e3)).collect()),
        goodput: goodput(flow, bin),
    }
}

/// What arrived in each bin, Mbit/s, at the bin's end.
fn goodput(flow: &FlowSeries, bin: u64) -> Curve {
    let (mut t, mut y) = (vec![], vec![]);
    let mut before = flow.received.first().copied().unwrap_or_default();
    for &(time, bytes) in &flow.received {
        if time / bin > before.0 / bin {
            t.push(time as f64 / 1e9);
            y.push(Some((bytes - before.1) as f64 * 8e3 / (time - before.0) as f64));
            before = (time, bytes);
        }
    }
    Curve::new(&t, &y, CURVE)
}

/// The forward direction of the first link, where the bulk of the data queues.
fn lane_trace(scene: &Scene, series: &Series, unit: QueueUnit) -> LaneTrace {
    let link = &scene.links[0];
    let queue = &series.queues[0];
    let (values, scale) = match unit {
        QueueUnit::Packets => (&queue.packets, 1.0),
        QueueUnit::Kilobytes => (&queue.backlog, 1e3),
    };
    let capacity = match (unit, link.forward.buffer) {
        (QueueUnit::Packets, Buffer::Packets(n)) => f64::from(n),
        _ => network::capacity_bytes(&link.forward, scene) as f64 / 1e3,
    };
    let y: Vec<Option<f64>> = values.iter().map(|n| Some(*n as f64 / scale)).collect();
    LaneTrace {
        name: format!("{} to {}", link.ends[0], link.ends[1]),
        rate: link.forward.rate as f64 / 1e6,
        capacity,
        queue: Curve::new(&seconds(&queue.time), &y, CURVE),
    }
}

/// Rows of the report's table that still fit side by side on a terminal.
const SIDE_BY_SIDE: usize = 4;

/// The table for a terminal: the median over seeds of what people ask for first. A few rows stand side by side, each
/// measure with the range over seeds; more rows are a line each.
pub fn terminal(plan: &Plan, table: &Table) -> String {
    let names: Vec<String> = table.rows.iter().map(|row| row_name(plan, row)).collect();
    let columns = || table.columns.iter().enumerate();
    if table.rows.len() <= SIDE_BY_SIDE {
        let mut lines = vec![[vec!["".into(), "".into()], names].concat()];
        for (c, column) in columns() {
            let cells = table.rows.iter().map(|row| row.cells[c].as_ref().map_or("-".into(), with_range));
            lines.push([column.name.clone(), column.unit.clone()].into_iter().chain(cells).collect());
        }
        return align(&lines, 2);
    }
    const FIRST: &[&str] =
        &["goodput", "retransmitted", "rtt-p50", "cwnd-mean", "utilisation", "queue-mean", "queue-drops", "loss-drops"];
    let first: Vec<(usize, &Column)> = columns().filter(|(_, column)| FIRST.contains(&column.name.as_str())).collect();
    let heads = |text: fn(&Column) -> &String| {
        [String::new()].into_iter().chain(first.iter().map(|(_, column)| text(column).clone())).collect()
    };
    let mut lines: Vec<Vec<String>> = vec![heads(|column| &column.name), heads(|column| &column.unit)];
    for (row, name) in table.rows.iter().zip(names) {
        let cell =
            |&(c, _): &(usize, &Column)| row.cells[c].as_ref().map_or("-".into(), |cell| cell.median.text.clone());
        lines.push([name].into_iter().chain(first.iter().map(cell)).collect());
    }
    align(&lines, 1)
}

fn row_name(plan: &Plan, row: &Row) -> String {
    let mut name = values(&points(plan)[row.point][0].point);
    name.extend((!row.subject.is_empty()).then(|| row.subject.clone()));
    if name.is_empty() { "flow 0".into() } else { name.join(", ") }
}

fn with_range(cell: &Cell) -> String {
    let Cell { median, min, max, .. } = cell;
    if min.text == max.text { median.text.clone() } else { format!("{} ({} to {})", median.text, min.text, max.text) }
}

/// The first columns to the left, the others to the right.
fn align(lines: &[Vec<String>], left: usize) -> String {
    let width = |c: usize| lines.iter().map(|line| line[c].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    let cell = |c: usize, text: &String| {
        if c < left { format!("{text:<0$}", widths[c]) } else { format!("{text:>0$}", widths[c]) }
    };
    let line = |line: &Vec<String>| {
        let cells: Vec<String> = line.iter().enumerate().map(|(c, text)| cell(c, text)).collect();
        cells.join("  ").trim_end().to_string() + "\n"
    };
    lines.iter().map(line).collect()
}

/// The verdict's outcome as an exit code: 0 held, 1 an expectation failed, 3 inconclusive.
pub fn exit_code(verdict: &Verdict) -> u8 {
    match verdict.outcome() {
        judge::Held::Yes => 0,
        judge::Held::No => 1,
        judge::Held::Inconclusive => 3,
    }
}
