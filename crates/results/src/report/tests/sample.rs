//! Reports whose figures follow by arithmetic from point and seed.

use super::super::*;
use crate::judge::Outcome;
use crate::table::{Cell, Column, Figure, Mark, Point, Published, Row, Table};
use analysis::Measure;
use base::show;

/// CUBIC and BBR over 1 Gbit/s and 210 ms, five seeds.
pub fn report() -> Report {
    let mut report = over(&["flows.congestion"], &[&["cubic"], &["bbr"]], 5, |point, seed| {
        [70e6, 800e6][point] * (1.0 + 0.01 * seed as f64)
    });
    report.title = "One TCP connection over a 1 Gbit/s line, Hong Kong to New York".into();
    report.question = "CUBIC gets 70 Mbit/s out of 1 Gbit/s at 210 ms. Why, and does BBR?".into();
    report.answer = vec!["BBR carries 7 times the goodput of CUBIC.".into(), "No buffer was full.".into()];
    report.caveats = vec!["The published CUBIC figure stands on one sample.".into()];
    report.table.published = vec![published("a blog", 0, 69.6), published("the same blog", 1, 102.0)];
    report
}

/// Goodput over 82 sizes of segments, in steps of 100 B and finer at the edges of a gap from 2,300 to 2,400 B.
pub fn cliff() -> Report {
    let mut sizes: Vec<u32> = (0..=66).map(|i| 536 + 100 * i).chain([7160]).collect();
    sizes.extend([2286, 2298, 2299, 2300, 2311, 2361, 2398, 2399, 2400, 2401, 2411, 2424, 2500, 2512]);
    let texts: Vec<[String; 1]> = sizes.iter().map(|size| [size.to_string()]).collect();
    let values: Vec<Vec<&str>> = texts.iter().map(|[text]| vec![text.as_str()]).collect();
    let values: Vec<&[&str]> = values.iter().map(Vec::as_slice).collect();
    let mut report = over(&["flows.mss"], &values, 3, |point, seed| {
        if (2300..=2400).contains(&sizes[point]) { 2e3 } else { f64::from(sizes[point]) * 1e6 + 1e6 * seed as f64 }
    });
    let mark = |from: &str, to: &str, what: &str| Mark {
        key: "flows.mss".into(),
        from: from.into(),
        to: to.into(),
        text: format!("{what} between {from} and {to} B"),
    };
    report.table.marks = vec![mark("2299", "2300", "falls"), mark("2400", "2401", "recovers")];
    report
}

/// Four congestion controls under six rates of loss, ten seeds each: a grid.
pub fn loss() -> Report {
    let (controls, losses) = (["cubic", "reno", "bbr", "dctcp"], ["0 %", "0.01 %", "0.1 %", "1 %", "2 %", "4 %"]);
    let pairs: Vec<[&str; 2]> = controls.iter().flat_map(|cc| losses.map(|loss| [*cc, loss])).collect();
    let values: Vec<&[&str]> = pairs.iter().map(<[&str; 2]>::as_slice).collect();
    let mut report = over(&["flows.congestion", "path.loss"], &values, 10, |point, seed| {
        9e8 / (1.0 + (point % 6) as f64) + 1e6 * seed as f64
    });
    let row = |other: &str, effect: &str, outcome| ComparisonRow {
        what: "goodput".into(),
        base: "cubic, 4 %".into(),
        other: format!("{other}, 4 %"),
        effect: effect.into(),
        interval: "1 to 2 %".into(),
        p: "0.18".into(),
        outcome,
    };
    report.comparisons = vec![
        row("bbr", "912 % higher", Outcome::Better),
        row("reno", "23 % lower", Outcome::Worse),
        row("dctcp", "0.2 % higher", Outcome::Equivalent),
        row("vegas", "1.8 % lower", Outcome::Inconclusive),
    ];
    report
}

/// A sweep over two keys with two flows in each trial: 12 points, four seeds.
pub fn sweep() -> Report {
    let losses = ["0.0005 %", "0.001 %", "0.002 %", "0.005 %", "0.01 %", "0.1 %"];
    let pairs: Vec<[&str; 2]> = ["0.1 BDP", "1 BDP"].iter().flat_map(|b| losses.map(|loss| [*b, loss])).collect();
    let values: Vec<&[&str]> = pairs.iter().map(<[&str; 2]>::as_slice).collect();
    let mut report = over(&["path.buffer", "path.loss"], &values, 4, |point, _| 1e7 * (1 + point) as f64);
    for trace in &mut report.traces {
        trace.flows = ["cubic", "bbr"].into_iter().enumerate().map(|(i, cc)| flow(&name(i + 1, cc), cc)).collect();
    }
    let rows = std::mem::take(&mut report.table.rows).into_iter();
    let both = |row: Row| [name(1, "cubic"), name(2, "bbr")].map(|subject| Row { subject, ..row.clone() });
    report.table.rows = rows.flat_map(both).collect();
    report
}

fn name(number: usize, congestion: &str) -> String {
    format!("flow {number}, {congestion}")
}

/// Flows of four kinds from two hosts to a third in one trial, and output of commands.
pub fn kinds() -> Report {
    let mut report = over(&[], &[&[]], 1, |_, _| 88e6);
    let names =
        ["flow 0, cubic, a to c", "flow 1, requests, cubic, c to b", "flow 2, udp, b to c", "flow 3, ping, a to c"];
    let [bulk, mut requests] = [names[0], names[1]].map(|name| flow(name, "cubic"));
    requests.exchange = curve(|t| 430.0 + t);
    let nothing = |name: &str, kind| FlowTrace {
        cwnd: Curve::default(),
        ssthresh: Curve::default(),
        goodput: Curve::default(),
        rtt: Curve::default(),
        bdp: None,
        ..flow(name, kind)
    };
    let ping = FlowTrace { rtt: curve(|t| 210.0 + t), ..nothing(names[3], "ping") };
    report.traces[0].flows = vec![bulk, requests, nothing(names[2], "udp"), ping];
    report.traces[0].lanes[0].name = "s to c".into();
    let measures = ["goodput", "exchanges", "exchange-p50", "rtt-p50", "utilisation"];
    report.table.columns = measures.map(column).into();
    let cell = |column: usize, value: f64| cell(&report.table.columns[column], vec![value]);
    let cells = [
        vec![cell(0, 88e6), None, None, cell(3, 0.21), None],
        vec![cell(0, 2e5), cell(1, 40.0), cell(2, 0.447), cell(3, 0.211), None],
        vec![cell(0, 4.8e6), None, None, None, None],
        vec![None, cell(1, 291.0), None, cell(3, 0.238), None],
        vec![None, None, None, None, cell(4, 0.093)],
    ];
    let rows = names.into_iter().chain(["s to c"]).zip(cells);
    report.table.rows = rows.map(|(subject, cells)| Row { subject: subject.into(), ..row(0, 1, cells) }).collect();
    let output = |command: &str, ending: &str, text: &str| Output {
        place: "a".into(),
        command: command.into(),
        ending: ending.into(),
        text: text.into(),
    };
    report.outputs = vec![
        output("ss --tcp --info", "at 2 s, exit status 0", "State Recv-Q Send-Q\nESTAB 0      17376\n"),
        output("tcpdump -n", "from 0 s to 30.5 s, ended with the trial", "IP 10.0.0.1 > 10.0.0.3: <mss 1460>\n"),
    ];
    report
}

/// A trial without any traffic.
pub fn silent() -> Report {
    let mut report = kinds();
    report.answer.clear();
    report.caveats.clear();
    report.traces[0].flows.clear();
    report.traces[0].lanes.clear();
    report.table.rows.clear();
    report.table.columns.clear();
    report
}

/// Points along a key, one seed each.
pub fn over_key(key: &str, values: &[&[&str]]) -> Report {
    over(&[key], values, 1, |_, _| 1e6)
}

/// Points of one flow each, with the goodput of each seed; the first value is the flow's congestion control.
fn over(keys: &[&str], values: &[&[&str]], seeds: u64, goodput: impl Fn(usize, u64) -> f64) -> Report {
    let columns: Vec<Column> =
        ["goodput", "rtt-p50", "cwnd-mean", "cwnd-max", "limited-cwnd", "queue-max"].map(column).into();
    let cells = |point: usize| {
        let of_goodput = cell(&columns[0], (1..=seeds).map(|seed| goodput(point, seed)).collect());
        let others =
            columns[1..].iter().enumerate().map(|(i, column)| cell(column, vec![0.1 * i as f64; seeds as usize]));
        [of_goodput].into_iter().chain(others).collect()
    };
    let points = values
        .iter()
        .map(|values| Point { label: values.join(", "), values: values.iter().map(|value| (*value).into()).collect() });
    let rows = (0..values.len()).map(|point| row(point, seeds as usize, cells(point))).collect();
    let traces = values.iter().enumerate().flat_map(|(point, values)| {
        let congestion =
            values.first().copied().filter(|_| keys.first() == Some(&"flows.congestion")).unwrap_or("cubic");
        (1..=seeds).map(move |seed| trace(point, seed, congestion))
    });
    Report {
        title: "A sample".into(),
        question: String::new(),
        answer: vec!["Something was found.".into()],
        caveats: vec![],
        comparisons: vec![],
        bin: 100.0,
        queue_unit: QueueUnit::Packets,
        traces: traces.collect(),
        left_out: 0,
        trials: values.len() * seeds as usize,
        outputs: vec![],
        spec: "title = \"A sample\"\n".into(),
        commands: vec!["sysctl -w net.ipv4.tcp_rmem='4096 131072 104857600'".into()],
        kernels: vec!["7.3.4 (Debian linux-source-7.3 7.3.4-1), whose bbr is BBRv1".into()],
        environment: vec![("goodput".into(), "0.1.0".into())],
        reproduce: vec!["goodput rerun RUN".into()],
        table: Table {
            keys: keys.iter().map(|key| (*key).into()).collect(),
            points: points.collect(),
            marks: vec![],
            rows,
            columns,
            published: vec![],
        },
    }
}

fn trace(point: usize, seed: u64, congestion: &str) -> Trace {
    let lane = LaneTrace {
        name: "sender to receiver".into(),
        rate: 1000.0,
        capacity: Some(17_300.0),
        queue: curve(|t| 100.0 * t),
    };
    Trace { point, seed, flows: vec![flow(congestion, congestion)], lanes: vec![lane] }
}

fn flow(name: &str, congestion: &str) -> FlowTrace {
    FlowTrace {
        name: name.into(),
        congestion: congestion.into(),
        base_rtt: 210.0,
        bdp: Some(17_080.0),
        cwnd: curve(|t| 10.0 + 500.0 * t),
        ssthresh: curve(|t| 400.0 * t),
        steady: Some(4.2),
        goodput: curve(|t| 30.0 * t),
        rtt: curve(|t| 210.0 + t),
        exchange: Curve::default(),
        operating: vec![],
        rtts: vec![],
        answers: vec![],
        account: vec![],
    }
}

/// A value each second of half a minute.
fn curve(value: fn(f64) -> f64) -> Curve {
    let times: Vec<f64> = (0..30).map(f64::from).collect();
    let values: Vec<Option<f64>> = times.iter().map(|time| Some(value(*time))).collect();
    Curve::new(&times, &values, 2000)
}

fn row(point: usize, seeds: usize, cells: Vec<Option<Cell>>) -> Row {
    Row { point, subject: String::new(), name: String::new(), one_of_many: false, seeds, cells }
}

fn published(source: &str, row: usize, mbit: f64) -> Published {
    let figure = Figure { text: show::number(mbit), value: mbit * 1e6 };
    Published { source: source.into(), row, column: 0, figure }
}

/// The column of a measure.
fn column(name: &str) -> Column {
    let measure = Measure::find(name).expect("a measure's name");
    let (unit, size) = show::column_unit(measure.unit);
    Column {
        name: name.into(),
        unit: unit.into(),
        size,
        definition: measure.definition.into(),
        centre: measure.centre,
        shown: measure.shown,
    }
}

/// The mean of some seeds, with their range as the interval.
fn cell(column: &Column, seeds: Vec<f64>) -> Option<Cell> {
    let figure = |value: f64| Figure { text: show::number(value / column.size), value };
    let (min, max) = (seeds.iter().copied().reduce(f64::min)?, seeds.iter().copied().reduce(f64::max)?);
    Some(Cell {
        centre: figure(seeds.iter().sum::<f64>() / seeds.len() as f64),
        interval: (seeds.len() > 1).then(|| [min, max].map(figure)),
        modes: None,
        min: figure(min),
        max: figure(max),
        known: seeds.len(),
        seeds,
    })
}
