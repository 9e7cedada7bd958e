//! From a plan, its recordings and its verdict to what the report and the terminal show.

use crate::analyze::{self, FlowSeries, Measures, Series};
use crate::environment::Environment;
use crate::judge::{self, Verdict, points};
use crate::measure::{self, MEASURES, Measure, Shown, Subject};
use crate::network;
use crate::network::topology::Step;
use crate::plan::{Buffer, Flow, Plan, Role, Scene, Setting, Traffic, Trial};
use crate::recording::{self, RecordingError, TrialFacts};
use crate::report::{
    Cell, Column, Curve, Figure, FlowTrace, LaneTrace, Output, Point, Published, QueueUnit, Report, Row, Table, Trace,
};
use crate::show;
use std::path::PathBuf;
use wire::Ran;

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
    let facts = plan.trials.iter().map(|trial| recording::facts(&folder(trial.index)));
    let ends: Vec<u64> = facts.map(|facts| Ok(longest(&facts?))).collect::<Result<_, RecordingError>>()?;
    let bin = bin(ends.into_iter().max().unwrap_or(0));
    let (mut traces, mut outputs) = (vec![], vec![]);
    for (point, trials) in points(plan).into_iter().enumerate() {
        for trial in trials {
            let series = analyze::series(&trial.scene, &folder(trial.index))?;
            outputs.extend(series.facts.ran.iter().map(|ran| output(plan, trial, ran)));
            traces.push(trace(point, trial, &series, bin, queue_unit(plan)));
        }
    }
    let first = &plan.trials[0].scene;
    Ok(Report {
        title: plan.title.clone(),
        question: plan.question.clone(),
        answer: verdict.sentences.clone(),
        caveats: verdict.caveats.clone(),
        keys: plan.vary.iter().map(|axis| axis.key.clone()).collect(),
        points: points(plan).iter().map(|trials| point_of(&trials[0].point)).collect(),
        published: published(plan, &table),
        table,
        bin: bin as f64 / 1e6,
        queue_unit: queue_unit(plan),
        traces,
        outputs,
        spec: plan.spec.clone(),
        commands: network::commands(first),
        environment: environment.rows(),
        reproduce: vec![
            "goodput rerun RUN    # this folder: runs the recorded plan again and compares every byte".into(),
        ],
    })
}

fn point_of(point: &[Setting]) -> Point {
    Point { values: point.iter().map(|setting| setting.value.clone()).collect(), label: judge::label(point) }
}

/// A queue of a host's own interface counts packets.
fn queue_unit(plan: &Plan) -> QueueUnit {
    let in_bytes = |trial: &Trial| {
        let queue = analyze::bottleneck(&trial.scene).and_then(|step| step.lane(&trial.scene).queue);
        queue.is_some_and(|queue| matches!(queue.buffer, Buffer::Bytes(_)))
    };
    if plan.trials.iter().any(in_bytes) { QueueUnit::Kilobytes } else { QueueUnit::Packets }
}

/// When the last flow of a trial ended, ns.
fn longest(facts: &TrialFacts) -> u64 {
    facts.ended.values().copied().max().unwrap_or(0)
}

/// Width of a bin, ns: a round time that gives about [`BINS`] of them.
fn bin(longest: u64) -> u64 {
    let rounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 60_000];
    let ms = rounds.into_iter().find(|ms| ms * 1_000_000 * BINS >= longest).unwrap_or(60_000);
    ms * 1_000_000
}

/// What a row of the table is about.
#[derive(Default)]
struct Subjects {
    flow: Option<usize>,
    lane: Option<Step>,
    /// All flows of the load together.
    load: bool,
}

impl Subjects {
    /// The rows of a point: a flow that is alone has one together with the bottleneck; several have one each, then those
    /// of the load together, if it is more than one, and the bottleneck have theirs.
    fn of(scene: &Scene) -> Vec<Subjects> {
        let lane = analyze::bottleneck(scene);
        match scene.flows.len() {
            alone @ (0 | 1) => vec![Subjects { flow: (alone == 1).then_some(0), lane, load: false }],
            several => {
                let flows = (0..several).map(|flow| Subjects { flow: Some(flow), ..Subjects::default() });
                let load = analyze::load(scene).len() > 1;
                let load = load.then(|| Subjects { load, ..Subjects::default() });
                let lane = lane.map(|lane| Subjects { lane: Some(lane), ..Subjects::default() });
                flows.chain(load).chain(lane).collect()
            }
        }
    }

    fn number(&self, subject: Subject) -> Option<usize> {
        match subject {
            Subject::Flow => self.flow,
            Subject::Lane => self.lane.map(analyze::lane_number),
            Subject::Trial => self.load.then_some(0),
        }
    }

    /// Under what a value of a measure is stored; the load together has some measures of flows.
    fn place(&self, measure: &Measure) -> Option<(Subject, usize)> {
        let subject = if self.load { Subject::Trial } else { measure.subject };
        Some((subject, self.number(subject)?))
    }

    fn name(&self, scene: &Scene) -> String {
        match (self.flow, self.lane) {
            (Some(flow), _) => flow_name(flow, scene),
            (None, Some(lane)) => lane_name(lane, scene),
            (None, None) if self.load => "all flows".into(),
            (None, None) => String::new(),
        }
    }
}

/// The table: a row for each point, and for each flow and the bottleneck when there are several flows. What no row has a
/// value for is no column.
pub fn table(plan: &Plan, measures: &Measures) -> Table {
    let mut rows = vec![];
    for (point, trials) in points(plan).into_iter().enumerate() {
        let scene = &trials[0].scene;
        for subjects in Subjects::of(scene) {
            let cells = MEASURES.iter().map(|m| cell(m, subjects.place(m)?, trials, measures));
            rows.push(Row {
                point,
                subject: if scene.flows.len() > 1 { subjects.name(scene) } else { String::new() },
                seeds: trials.len(),
                cells: cells.collect(),
            });
        }
    }
    let published = |measure: &Measure| plan.published.iter().any(|p| p.measure == measure.name);
    let kept: Vec<bool> = MEASURES
        .iter()
        .enumerate()
        .map(|(column, m)| published(m) || rows.iter().any(|row| row.cells[column].is_some()))
        .collect();
    for row in &mut rows {
        let mut kept = kept.iter();
        row.cells.retain(|_| *kept.next().unwrap_or(&false));
    }
    let columns = MEASURES.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(m, _)| Column {
        name: m.name.into(),
        unit: show::column_unit(m.unit).0.into(),
        definition: m.definition.into(),
    });
    Table { columns: columns.collect(), rows }
}

/// Such as "flow 0, cubic" or "flow 1, ping", with the ends where they do not go without saying.
fn flow_name(number: usize, scene: &Scene) -> String {
    let flow = &scene.flows[number];
    let kind = match flow.traffic {
        Traffic::Bulk { .. } => None,
        Traffic::Requests { .. } => Some("requests"),
        Traffic::Udp { .. } => Some("udp"),
        Traffic::Ping { .. } => Some("ping"),
    };
    let hosts = scene.nodes.iter().filter(|node| matches!(node.role, Role::Host(_))).count();
    let same = |other: &Flow| other.from == flow.from && other.to == flow.to;
    let ends = (hosts > 2 || !scene.flows.iter().all(same)).then(|| format!("{} to {}", flow.from, flow.to));
    let parts = [kind.map(String::from), analyze::congestion(scene, flow).map(String::from), ends];
    [format!("flow {number}")].into_iter().chain(parts.into_iter().flatten()).collect::<Vec<_>>().join(", ")
}

fn lane_name(step: Step, scene: &Scene) -> String {
    let ends = &scene.links[step.link].ends;
    format!("{} to {}", ends[step.lane].node, ends[1 - step.lane].node)
}

fn cell(measure: &Measure, (subject, number): (Subject, usize), trials: &[Trial], measures: &Measures) -> Option<Cell> {
    let of_trial = |trial: &Trial| measures.trials.get(trial.index)?.of(measure.name, subject, number);
    let seeds: Vec<f64> = trials.iter().filter_map(of_trial).collect();
    let mut sorted = seeds.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let (min, max) = (*sorted.first()?, *sorted.last()?);
    let median = (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2]) / 2.0;
    let [median, min, max] = [median, min, max].map(|value| figure(measure, value));
    Some(Cell { median, min, max, seeds })
}

fn figure(measure: &Measure, value: f64) -> Figure {
    Figure { text: show::figure(measure.unit, value, show::column_unit(measure.unit).1), value }
}

/// A published figure stands beside every value of its measure at its points, or at a place that should have one.
fn published(plan: &Plan, table: &Table) -> Vec<Published> {
    let points = points(plan);
    let subjects: Vec<Subjects> = points.iter().flat_map(|trials| Subjects::of(&trials[0].scene)).collect();
    let mut all = vec![];
    for p in &plan.published {
        let Some(measure) = measure::find(&p.measure) else { continue };
        let Some(column) = table.columns.iter().position(|column| column.name == p.measure) else { continue };
        for (point, trials) in points.iter().enumerate() {
            if !p.at.iter().all(|setting| trials[0].point.contains(setting)) {
                continue;
            }
            let fits = |&row: &usize| table.rows[row].point == point && subjects[row].number(measure.subject).is_some();
            let fitting: Vec<usize> = (0..table.rows.len()).filter(fits).collect();
            let mut known: Vec<usize> =
                fitting.iter().copied().filter(|row| table.rows[*row].cells[column].is_some()).collect();
            if known.is_empty() {
                known.extend(fitting.first());
            }
            let figure = figure(measure, p.value);
            all.extend(known.into_iter().map(|row| Published {
                source: p.source.clone(),
                row,
                column,
                figure: figure.clone(),
            }));
        }
    }
    all
}

/// What a command of the user's printed.
fn output(plan: &Plan, trial: &Trial, ran: &Ran) -> Output {
    let command = trial.scene.commands.get(ran.command as usize);
    let mut place: Vec<String> = (!trial.point.is_empty()).then(|| judge::label(&trial.point)).into_iter().collect();
    if plan.trials.len() > 1 {
        place.push(format!("seed {}", trial.seed));
    }
    place.extend(command.map(|command| command.node.clone()));
    let began = command.map_or(0, |command| command.at);
    // Most take no virtual time that is worth telling.
    let second = |ns: u64| (ns as f64 / 1e6).round() / 1e3;
    let time = match second(ran.time.saturating_sub(began)) > 0.0 {
        true => format!("from {} s to {} s", second(began), second(ran.time)),
        false => format!("at {} s", second(began)),
    };
    let ending = match ran.status {
        _ if ran.time < began => "never began: the trial ended before".into(),
        Some(status) => format!("{time}, exit status {status}"),
        None => format!("{time}, ended with the trial"),
    };
    Output {
        place: place.join(", "),
        command: command.map_or(String::new(), |command| command.command.clone()),
        ending,
        text: ran.output.clone(),
    }
}

fn trace(point: usize, trial: &Trial, series: &Series, bin: u64, unit: QueueUnit) -> Trace {
    let scene = &trial.scene;
    let flows = series.flows.iter().enumerate().map(|(number, flow)| flow_trace(number, flow, scene, bin));
    let lane = analyze::bottleneck(scene).and_then(|step| lane_trace(step, scene, series, unit));
    Trace { point, seed: trial.seed, flows: flows.collect(), lanes: lane.into_iter().collect() }
}

fn seconds(times: &[u64]) -> Vec<f64> {
    times.iter().map(|ns| *ns as f64 / 1e9).collect()
}

fn flow_trace(number: usize, series: &FlowSeries, scene: &Scene, bin: u64) -> FlowTrace {
    let flow = &scene.flows[number];
    let time = seconds(&series.time);
    let curve = |y: Vec<Option<f64>>| Curve::new(&time, &y, CURVE);
    let none = || Curve::new(&[], &[], CURVE);
    let kind = match flow.traffic {
        Traffic::Bulk { .. } | Traffic::Requests { .. } => analyze::congestion(scene, flow).unwrap_or_default(),
        Traffic::Udp { .. } => "udp",
        Traffic::Ping { .. } => "ping",
    };
    let srtt = || curve(series.srtt.iter().map(|us| (*us > 0).then_some(*us as f64 / 1e3)).collect());
    FlowTrace {
        name: flow_name(number, scene),
        congestion: kind.into(),
        base_rtt: analyze::base_rtt(scene, flow) as f64 / 1e6,
        bdp: flow.tcp().and_then(|_| bdp(scene, flow)),
        cwnd: curve(series.cwnd.iter().map(|n| Some(*n as f64)).collect()),
        ssthresh: curve(series.ssthresh.iter().map(|n| (*n < NO_SSTHRESH).then_some(*n as f64)).collect()),
        rtt: if kind == "ping" { answers(series) } else { srtt() },
        exchange: if matches!(flow.traffic, Traffic::Requests { .. }) { answers(series) } else { none() },
        goodput: goodput(series, bin),
    }
}

/// Packets that fill the empty path.
fn bdp(scene: &Scene, flow: &Flow) -> Option<f64> {
    let way = analyze::way(scene, flow);
    let slowest = way.iter().map(|step| step.lane(scene)).min_by_key(|lane| lane.rate)?;
    let mtu = way.iter().map(|step| scene.links[step.link].mtu).min()?;
    let bytes = slowest.rate as f64 * analyze::base_rtt(scene, flow) as f64 / 8e9;
    Some(bytes / f64::from(mtu + network::ETHERNET_HEADER + slowest.overhead))
}

/// How long each request or ping took, ms, at the time when it began; nothing if none was answered.
fn answers(series: &FlowSeries) -> Curve {
    if series.exchanges.iter().all(|exchange| exchange.end.is_none()) {
        return Curve::new(&[], &[], CURVE);
    }
    let time: Vec<u64> = series.exchanges.iter().map(|exchange| exchange.start).collect();
    let took = |exchange: &wire::Exchange| Some(exchange.end?.saturating_sub(exchange.start) as f64 / 1e6);
    Curve::new(&seconds(&time), &series.exchanges.iter().map(took).collect::<Vec<_>>(), CURVE)
}

/// What arrived in each bin, Mbit/s, at the bin's end. The last one ends with the flow; a rest of less than half a bin
/// is part of the bin before.
fn goodput(flow: &FlowSeries, bin: u64) -> Curve {
    let mut edges: Vec<(u64, u64)> = flow.received.first().copied().into_iter().collect();
    for &(time, bytes) in &flow.received {
        if edges.last().is_some_and(|before| time / bin > before.0 / bin) {
            edges.push((time, bytes));
        }
    }
    let rest = flow.received.last().copied().filter(|last| edges.last().is_some_and(|before| last.0 > before.0));
    if let (Some(last), Some(before)) = (rest, edges.last().copied()) {
        if edges.len() > 2 && last.0 - before.0 < bin / 2 {
            edges.pop();
        }
        edges.push(last);
    }
    let rate = |pair: &[(u64, u64)]| (pair[1].1 - pair[0].1) as f64 * 8e3 / (pair[1].0 - pair[0].0) as f64;
    let t: Vec<f64> = edges.iter().skip(1).map(|(time, _)| *time as f64 / 1e9).collect();
    let y: Vec<Option<f64>> = edges.windows(2).map(|pair| Some(rate(pair))).collect();
    Curve::new(&t, &y, CURVE)
}

fn lane_trace(step: Step, scene: &Scene, series: &Series, unit: QueueUnit) -> Option<LaneTrace> {
    let (lane, queue) = (step.lane(scene), series.queue(scene, step)?);
    let (values, scale) = match unit {
        QueueUnit::Packets => (&queue.packets, 1.0),
        QueueUnit::Kilobytes => (&queue.backlog, 1e3),
    };
    let capacity = lane.queue.map(|queue| match (unit, queue.buffer) {
        (QueueUnit::Packets, Buffer::Packets(n)) => f64::from(n),
        (_, buffer) => network::capacity_bytes(buffer, scene.links[step.link].mtu) as f64 / 1e3,
    });
    let y: Vec<Option<f64>> = values.iter().map(|n| Some(*n as f64 / scale)).collect();
    Some(LaneTrace {
        name: lane_name(step, scene),
        rate: lane.rate as f64 / 1e6,
        capacity,
        queue: Curve::new(&seconds(&queue.time), &y, CURVE),
    })
}

/// Rows of the report's table that still fit side by side on a terminal.
const SIDE_BY_SIDE: usize = 4;

/// The table for a terminal: the median over seeds of what the table of measures shows there, and of what is expected or
/// was published. A few rows stand side by side, each measure with the range over seeds; more rows are a line each.
/// Nothing if nothing was measured.
pub fn terminal(plan: &Plan, table: &Table) -> String {
    if table.columns.is_empty() {
        return String::new();
    }
    let names: Vec<String> = table.rows.iter().map(|row| row_name(plan, row)).collect();
    let asked =
        |name: &str| plan.expect.iter().any(|e| e.measure == name) || plan.published.iter().any(|p| p.measure == name);
    let columns = |most: Shown| -> Vec<(usize, &Column)> {
        let shown = |name: &str| measure::find(name).is_some_and(|m| m.shown <= most) || asked(name);
        table.columns.iter().enumerate().filter(|(_, column)| shown(&column.name)).collect()
    };
    if table.rows.len() <= SIDE_BY_SIDE {
        let mut lines = vec![[vec!["".into(), "".into()], names].concat()];
        for (c, column) in columns(Shown::Terminal) {
            let cells = table.rows.iter().map(|row| row.cells[c].as_ref().map_or("-".into(), with_range));
            lines.push([column.name.clone(), column.unit.clone()].into_iter().chain(cells).collect());
        }
        return align(&lines, 2);
    }
    let first = columns(Shown::First);
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
    let trial = &points(plan)[row.point][0];
    let mut name = judge::labels(&trial.point);
    name.extend((!row.subject.is_empty()).then(|| row.subject.clone()));
    if name.is_empty() { Subjects::of(&trial.scene)[0].name(&trial.scene) } else { name.join(", ") }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::{measure_trial, sample};
    use crate::plan;

    fn table_of(plan: &Plan) -> Table {
        let trials = plan.trials.iter().map(|trial| measure_trial(trial, &sample::series()));
        table(plan, &Measures { trials: trials.collect() })
    }

    fn text(table: &Table, row: usize, column: &str) -> Option<String> {
        let column = table.columns.iter().position(|c| c.name == column)?;
        table.rows[row].cells[column].as_ref().map(|cell| cell.median.text.clone())
    }

    #[test]
    fn flows_say_what_they_are_and_the_bottleneck_has_its_row() {
        let table = table_of(&sample::plan(sample::four_kinds()));
        let subjects: Vec<&str> = table.rows.iter().map(|row| row.subject.as_str()).collect();
        assert_eq!(
            subjects,
            [
                "flow 0, cubic, a to c",
                "flow 1, requests, bbr, c to b",
                "flow 2, udp, b to c",
                "flow 3, ping, a to c",
                "s to c"
            ]
        );
        assert_eq!(text(&table, 0, "goodput").as_deref(), Some("100"));
        assert_eq!(text(&table, 0, "mss").as_deref(), Some("1348"));
        assert_eq!(text(&table, 3, "goodput"), None);
        assert_eq!(text(&table, 3, "exchanges").as_deref(), Some("20"));
        assert_eq!(text(&table, 3, "rtt-p50").as_deref(), Some("19.0"));
        assert_eq!(text(&table, 0, "utilisation"), None);
        assert_eq!(text(&table, 4, "utilisation").as_deref(), Some("50.0"));
        assert!(table.rows.iter().all(|row| row.cells.len() == table.columns.len()));
    }

    #[test]
    fn flows_that_share_have_a_row_together() {
        let mut plan = sample::plan(sample::four_kinds());
        let scene = &mut plan.trials[0].scene;
        scene.flows[1] = scene.flows[0].clone();
        scene.flows.truncate(2);
        let mut series = sample::series();
        series.flows[1] = series.flows[0].clone();
        series.facts.ended.insert(1, 3_000_000_000);
        let trials = vec![measure_trial(&plan.trials[0], &series)];
        let table = table(&plan, &Measures { trials });
        let subjects: Vec<&str> = table.rows.iter().map(|row| row.subject.as_str()).collect();
        assert_eq!(subjects, ["flow 0, cubic, a to c", "flow 1, cubic, a to c", "all flows", "s to c"]);
        assert_eq!([0, 2, 3].map(|row| text(&table, row, "jain")), [None, Some("1.00".into()), None]);
        let [one, both] = [0, 2].map(|row| text(&table, row, "goodput"));
        assert_eq!((one.as_deref(), both.as_deref()), (Some("100"), Some("200")));
    }

    #[test]
    fn between_two_hosts_only_directions_need_their_ends() {
        let mut scene = sample::four_kinds();
        scene.nodes.remove(1);
        scene.flows = vec![scene.flows[0].clone(), scene.flows[3].clone()];
        assert_eq!([0, 1].map(|flow| flow_name(flow, &scene)), ["flow 0, cubic", "flow 1, ping"]);
        (scene.flows[1].from, scene.flows[1].to) = ("c".into(), "a".into());
        assert_eq!([0, 1].map(|flow| flow_name(flow, &scene)), ["flow 0, cubic, a to c", "flow 1, ping, c to a"]);
    }

    #[test]
    fn what_no_row_has_is_no_column() {
        let mut plan = sample::plan(sample::four_kinds());
        plan.trials[0].scene.flows.truncate(1);
        let table = table_of(&plan);
        assert_eq!(table.rows.len(), 1);
        assert_eq!(table.rows[0].subject, "");
        assert_eq!(text(&table, 0, "goodput").as_deref(), Some("100"));
        assert_eq!(text(&table, 0, "utilisation").as_deref(), Some("50.0"));
        let named = |name: &str| table.columns.iter().any(|column| column.name == name);
        assert!(!named("exchanges") && !named("lost") && named("loss-drops"));
        let shown = terminal(&plan, &table);
        assert!(shown.contains("flow 0, cubic, a to c") && !shown.contains("exchange"), "{shown}");
    }

    #[test]
    fn a_published_figure_stands_where_its_measure_is_even_without_a_value() {
        let mut plan = sample::plan(sample::four_kinds());
        let figure = |measure: &str| plan::Published {
            source: "a paper".into(),
            measure: measure.into(),
            at: vec![],
            value: 0.03,
        };
        plan.published = vec![figure("exchange-p50"), figure("queue-delay-mean"), figure("lost")];
        let table = table_of(&plan);
        let rows = |all: Vec<Published>| all.into_iter().map(|p| (p.row, p.figure.text)).collect::<Vec<_>>();
        let texts = [(1, "30.0".to_string()), (4, "30.0".to_string()), (2, "3.00".to_string())];
        assert_eq!(rows(published(&plan, &table)), texts);
        plan.trials[0].scene.flows.remove(2);
        plan.published.drain(..2);
        let table = table_of(&plan);
        assert_eq!(rows(published(&plan, &table)), [(0, "3.00".to_string())]);
        assert!(table.columns.iter().any(|column| column.name == "lost"));
    }

    #[test]
    fn curves_are_those_of_the_kind() {
        let scene = sample::four_kinds();
        let trace = trace(0, &sample::trial(scene), &sample::series(), 500_000_000, QueueUnit::Packets);
        let [bulk, requests, udp, ping] = trace.flows.try_into().unwrap();
        assert_eq!(bulk.rtt.y, [10.0, 20.0, 30.0, 40.0].map(Some));
        // 10 ms at 100 Mbit/s in packets of 1500 B and 38 B of framing.
        assert!((bulk.bdp.unwrap() - 125_000.0 / 1538.0).abs() < 1e-9);
        assert_eq!(bulk.exchange.t, [0.0; 0]);
        assert_eq!(requests.exchange.t, [1.0, 1.05, 1.15, 1.35, 1.9]);
        assert_eq!(requests.exchange.y, [Some(50.0), Some(100.0), Some(200.0), Some(300.0), None]);
        assert_eq!((udp.cwnd.t.len(), udp.rtt.t.len(), udp.bdp), (0, 0, None));
        assert_eq!((ping.rtt.t.len(), ping.rtt.y[0], ping.rtt.y[20]), (21, Some(10.0), None));
        assert_eq!((ping.congestion.as_str(), ping.base_rtt), ("ping", 10.0));
        let [lane] = trace.lanes.try_into().unwrap();
        assert_eq!((lane.name.as_str(), lane.rate, lane.capacity), ("s to c", 100.0, Some(100.0)));
        assert_eq!(lane.queue.y[0], Some(500.0));
    }

    #[test]
    fn a_trial_of_commands_alone_is_presented() {
        let mut scene = sample::tree();
        scene.commands =
            vec![plan::Command { node: "a".into(), at: 2_000_000_000, command: "ip route".into(), background: false }];
        let plan = sample::plan(scene);
        let table = table_of(&plan);
        assert_eq!((table.rows.len(), table.rows[0].subject.as_str()), (1, ""));
        assert!(terminal(&plan, &table).contains("s to c"));
        let ran = Ran { command: 0, time: 2_500_000_000, status: Some(1), output: "no".into() };
        let shown = output(&plan, &plan.trials[0], &ran);
        assert_eq!((shown.place.as_str(), shown.command.as_str()), ("a", "ip route"));
        assert_eq!((shown.ending.as_str(), shown.text.as_str()), ("from 2 s to 2.5 s, exit status 1", "no"));
        let ran = Ran { time: 2_000_171_305, status: None, ..ran };
        assert_eq!(output(&plan, &plan.trials[0], &ran).ending, "at 2 s, ended with the trial");
        let ran = Ran { time: 1_999_999_999, ..ran };
        assert_eq!(output(&plan, &plan.trials[0], &ran).ending, "never began: the trial ended before");
    }

    #[test]
    fn bins_are_of_the_time_that_flows_took() {
        const MS: u64 = 1_000_000;
        let mut facts = sample::series().facts;
        assert_eq!(bin(longest(&facts)), 20 * MS);
        facts.ended = [(0, 140 * MS), (1, 90 * MS)].into();
        assert_eq!(bin(longest(&facts)), MS);
        assert_eq!(bin(longest(&TrialFacts::default())), MS);
        // 1 Mbit/s until 35 ms, and 2 Mbit/s from then on.
        let bytes = |ms: u64| ms * 125 + ms.saturating_sub(35) * 125;
        let of = |times: &[u64]| {
            let received = times.iter().map(|ms| (ms * MS, bytes(*ms))).collect();
            let curve = goodput(&FlowSeries { received, ..FlowSeries::default() }, 10 * MS);
            curve.t.into_iter().zip(curve.y.into_iter().flatten()).collect::<Vec<_>>()
        };
        assert_eq!(of(&[5, 10, 15, 20, 25, 30, 35]), [(0.01, 1.0), (0.02, 1.0), (0.03, 1.0), (0.035, 1.0)]);
        assert_eq!(
            of(&[5, 10, 20, 30, 40, 44]),
            [(0.01, 1.0), (0.02, 1.0), (0.03, 1.0), (0.044, 23.0 / 14.0)]
                .map(|(t, y): (f64, f64)| (t, (y * 1e4).round() / 1e4))
        );
        assert_eq!(of(&[2, 4, 6]), [(0.006, 1.0)], "less than a bin");
        assert_eq!(of(&[2]), []);
        assert_eq!(of(&[]), []);
    }

    #[test]
    fn what_nobody_answered_is_no_curve() {
        let mut series = sample::series();
        for flow in [1, 3] {
            series.flows[flow].exchanges.iter_mut().for_each(|exchange| exchange.end = None);
        }
        let trace = trace(0, &sample::trial(sample::four_kinds()), &series, 500_000_000, QueueUnit::Packets);
        assert_eq!((trace.flows[1].exchange.t.len(), trace.flows[3].rtt.t.len()), (0, 0));
    }

    #[test]
    fn a_host_alone_with_commands_is_presented() {
        let mut scene = sample::tree();
        scene.nodes.truncate(1);
        scene.links.clear();
        let plan = sample::plan(scene);
        let table = table_of(&plan);
        assert_eq!((table.columns.len(), table.rows.len()), (0, 1));
        assert_eq!(terminal(&plan, &table), "");
        let nothing = Series { flows: vec![], ..sample::series() };
        let trace = trace(0, &plan.trials[0], &nothing, 1, queue_unit(&plan));
        assert_eq!(trace.lanes, []);
    }
}
