//! A report made by formula: CUBIC and BBR over 1 Gbit/s and 210 ms with random loss, five seeds.

use super::*;

const STEP: f64 = 0.01;
const DURATION: f64 = 30.0;
const BASE_RTT: f64 = 0.210;
const RATE: f64 = 1000.0;
const MSS_BITS: f64 = 1448.0 * 8.0;
const BUFFER: f64 = 17_300.0;
const BDP: f64 = 17_080.0;

pub fn report() -> Report {
    let (points, traces) = (["cubic", "bbr"], 1..=5);
    let traces: Vec<Trace> =
        (0..points.len()).flat_map(|p| traces.clone().map(move |seed| trace(p, points[p], seed))).collect();
    Report {
        title: "One TCP connection over a 1 Gbit/s line, Hong Kong to New York".into(),
        question: "CUBIC gets 70 Mbit/s out of 1 Gbit/s at 210 ms, and larger buffers do not help. \
                   Why, and does BBR?"
            .into(),
        answer: vec![
            "BBR carries 7 times the goodput of CUBIC over this line.".into(),
            "The congestion window binds CUBIC for 99 % of the time: it halves on each loss in transit, and at 210 ms \
             grows back too slowly. No buffer was full."
                .into(),
            "Shown with 5 seeds each; the ranges do not overlap.".into(),
        ],
        caveats: vec![
            "The published CUBIC figure stands on one sample.".into(),
            "Loss is taken as independent from packet to packet; the real line may lose in bursts.".into(),
        ],
        comparisons: vec![],
        marks: vec![],
        keys: vec!["flows.congestion".into()],
        points: points.iter().map(|cc| Point { values: vec![(*cc).into()], label: (*cc).into() }).collect(),
        table: table(&traces),
        published: vec![
            published("Hong Kong to New York: iperf3 over the real line", 0, Figure::new(69.6e6, 1e6, 1)),
            published(
                "Hong Kong to New York: iperf3, limited by a 3 MiB receive window",
                1,
                Figure::new(102e6, 1e6, 0),
            ),
        ],
        bin: 100.0,
        queue_unit: QueueUnit::Packets,
        traces,
        left_out: 0,
        outputs: vec![],
        spec: include_str!("../../../examples/long-fat-line.toml").into(),
        commands: vec![
            "ip netns add sender".into(),
            "ip -n sender link set eth0 mtu 1500 up".into(),
            "tc -n wire qdisc add dev east root netem delay 105ms loss 0.00165% rate 1gbit limit 34380".into(),
            "sysctl -w net.ipv4.tcp_rmem='4096 131072 104857600'".into(),
        ],
        environment: vec![
            ("goodput".into(), "0.1.0".into()),
            ("kernel".into(), "Linux 6.12.0, UML, time-travel=inf-cpu".into()),
        ],
        reproduce: vec!["goodput run long-fat-line.toml".into()],
    }
}

/// Goodput over 82 sizes of segments, in steps of 100 B and finer at the edges of a gap from 2,300 to 2,400 B.
pub fn cliff() -> Report {
    let mut sizes: Vec<u32> = (0..=66).map(|i| 536 + 100 * i).chain([7160]).collect();
    sizes.extend([2286, 2298, 2299, 2300, 2311, 2361, 2398, 2399, 2400, 2401, 2411, 2424, 2500, 2512]);
    let keys = ["flows.mss".to_string()];
    let points = sizes.iter().map(|mss| vec![mss.to_string()]).collect();
    let mut chance = Chance(7);
    let mut report = over(&keys, points, 3, |point| {
        let mss = f64::from(sizes[point]);
        if (2300.0..=2400.0).contains(&mss) {
            2e3
        } else {
            2.5e9 * mss / (mss + 560.0) * (0.985 + 0.03 * chance.next())
        }
    });
    report.title = "A card that loses packets of 2,300 to 2,400 bytes".into();
    report.question = "Which segment sizes get through?".into();
    report.answer =
        vec!["Goodput falls from 2,011 Mbit/s at 2299 B to 0.002 Mbit/s at 2300 B, and recovers at 2401 B.".into()];
    let mark = |from: &str, to: &str| Mark {
        key: "flows.mss".into(),
        from: from.into(),
        to: to.into(),
        text: format!("falls between {from} and {to} B"),
    };
    report.marks =
        vec![mark("2299", "2300"), Mark { text: "recovers between 2400 and 2401 B".into(), ..mark("2400", "2401") }];
    report
}

/// Four congestion controls under six rates of loss, ten seeds each: a grid.
pub fn loss() -> Report {
    let (controls, losses) = (["cubic", "reno", "bbr", "dctcp"], ["0 %", "0.01 %", "0.1 %", "1 %", "2 %", "4 %"]);
    let keys = ["flows.congestion".to_string(), "path.loss".to_string()];
    let points = controls.iter().flat_map(|cc| losses.map(|loss| vec![cc.to_string(), loss.to_string()])).collect();
    let mut chance = Chance(11);
    let mut report = over(&keys, points, 10, |point| {
        let (cc, p) = (controls[point / 6], [0.0, 1e-4, 1e-3, 0.01, 0.02, 0.04][point % 6]);
        let mathis = 1448.0 * 8.0 / 1e-3 * 1.22 / f64::max(p, 1e-9).sqrt();
        let rate = if cc == "bbr" {
            9.3e8 * (1.0 - 3.0 * p)
        } else {
            f64::min(9.41e8, mathis * if cc == "cubic" { 1.3 } else { 1.0 })
        };
        rate * (0.9 + 0.1 * chance.next())
    });
    report.title = "How congestion controls stand loss".into();
    report.question = "Which of them keeps its goodput when packets are lost at random?".into();
    report.answer = vec!["bbr keeps 88 % of its goodput at 4 % of loss; cubic and reno keep 8 %.".into()];
    let row = |other: &str, effect: f64, outcome| ComparisonRow {
        what: "goodput".into(),
        base: "cubic, 4 %".into(),
        other: format!("{other}, 4 %"),
        effect: format!("{effect} % higher"),
        interval: format!("{:.1} to {:.1} %", effect - 2.4, effect + 2.4),
        p: if effect.abs() > 5.0 { "< 0.001".into() } else { "0.18".into() },
        outcome,
    };
    report.comparisons = vec![
        row("bbr", 912.0, Outcome::Better),
        row("reno", -23.1, Outcome::Worse),
        row("dctcp", 0.2, Outcome::Equivalent),
        row("vegas", -1.8, Outcome::Inconclusive),
    ];
    report
}

/// Points of one flow each, with the goodput of each seed by formula; the other figures are those of [`report`].
fn over(keys: &[String], points: Vec<Vec<String>>, seeds: usize, mut goodput: impl FnMut(usize) -> f64) -> Report {
    let mut report = report();
    let (traces, rows) = (std::mem::take(&mut report.traces), std::mem::take(&mut report.table.rows));
    report.published.clear();
    report.keys = keys.to_vec();
    report.points = points.into_iter().map(|values| Point { label: values.join(", "), values }).collect();
    for (point, Point { values, .. }) in report.points.iter().enumerate() {
        let congestion = if keys.len() > 1 { values[0].as_str() } else { "cubic" };
        let like = usize::from(congestion == "bbr");
        report.traces.extend((0..seeds).map(|seed| {
            let mut trace = thinned(&traces[5 * like + seed % 5], point, 500_000 / (report.points.len() * seeds * 6));
            trace.flows[0].congestion = congestion.into();
            trace.seed = seed as u64 + 1;
            trace
        }));
        let mut row = Row { point, seeds, ..rows[like].clone() };
        row.cells[0] = over_seeds((0..seeds).map(|_| goodput(point)).collect(), 1e6, 1);
        report.table.rows.push(row);
    }
    report
}

/// A trace of another point, with fewer points in its curves.
fn thinned(trace: &Trace, point: usize, most: usize) -> Trace {
    let mut trace = Trace { point, ..trace.clone() };
    let flows = trace.flows.iter_mut().flat_map(|f| [&mut f.cwnd, &mut f.ssthresh, &mut f.goodput, &mut f.rtt]);
    for curve in flows.chain(trace.lanes.iter_mut().map(|lane| &mut lane.queue)) {
        *curve = Curve::new(&curve.t, &curve.y, most);
    }
    trace
}

/// A sweep over two keys with two flows in each trial: 12 points, four seeds.
pub fn sweep() -> Report {
    let mut report = report();
    let losses = ["0.0005 %", "0.001 %", "0.002 %", "0.005 %", "0.01 %", "0.1 %"];
    report.title = "Two flows, two buffers, six rates of loss".into();
    report.keys = vec!["path.buffer".into(), "path.loss".into()];
    report.published.clear();
    report.points.clear();
    let (traces, rows) = (std::mem::take(&mut report.traces), std::mem::take(&mut report.table.rows));
    for (b, buffer) in ["0.1 BDP", "1 BDP"].into_iter().enumerate() {
        for (l, loss) in losses.into_iter().enumerate() {
            let point = report.points.len();
            report.points.push(Point { values: vec![buffer.into(), loss.into()], label: format!("{buffer}, {loss}") });
            let share = 0.3 + 0.4 * b as f64 + 0.05 * l as f64;
            report.traces.extend((1..=4).map(|seed| shared(&traces, point, seed, share)));
            for (row, subject) in rows.iter().zip(["flow 1, cubic", "flow 2, bbr"]) {
                report.table.rows.push(Row { point, subject: subject.into(), ..row.clone() });
            }
        }
    }
    report
}

/// A CUBIC and a BBR flow in one trial, scaled.
fn shared(traces: &[Trace], point: usize, seed: u64, share: f64) -> Trace {
    let mut shared = traces[seed as usize].clone();
    let second = traces[5 + (seed as usize - 1)].flows[0].clone();
    shared.flows.push(second);
    for (flow, name) in shared.flows.iter_mut().zip(["flow 1, cubic", "flow 2, bbr"]) {
        flow.name = name.into();
        for value in flow.cwnd.y.iter_mut().chain(&mut flow.goodput.y).flatten() {
            *value = (*value * share * 0.5).round();
        }
    }
    Trace { point, seed, ..shared }
}

/// Flows of four kinds from two hosts to a third in one trial, and what commands printed.
pub fn kinds() -> Report {
    let mut report = report();
    let mut bulk = report.traces.swap_remove(0);
    let none = || Curve::new(&[], &[], 2000);
    let name = |flow: &mut FlowTrace, name: &str| flow.name = name.into();
    let plain =
        FlowTrace { cwnd: none(), ssthresh: none(), goodput: none(), rtt: none(), bdp: None, ..bulk.flows[0].clone() };
    let mut chance = Chance(77);
    let every = |step: f64| (0..(DURATION / step) as usize).map(|i| i as f64 * step).collect::<Vec<_>>();
    let pings = every(0.1);
    let round_trips: Vec<Option<f64>> = pings
        .iter()
        .map(|t| (chance.next() > 0.03).then(|| 210.0 + 40.0 * (t / 5.0).sin().abs() + chance.next()))
        .collect();
    let requests: Vec<f64> = every(0.75);
    let exchanges: Vec<Option<f64>> =
        requests.iter().map(|t| Some(430.0 + 300.0 * chance.next().powi(8) + t)).collect();
    let mut short = bulk.flows[0].clone();
    for curve in [&mut short.cwnd, &mut short.goodput] {
        curve.y.iter_mut().flatten().for_each(|value| *value = (*value * 0.002).min(40.0));
    }
    short.exchange = Curve::new(&requests, &exchanges, 2000);
    name(&mut short, "flow 1, requests, cubic, c to b");
    name(&mut bulk.flows[0], "flow 0, cubic, a to c");
    let ping = FlowTrace { rtt: Curve::new(&pings, &round_trips, 2000), congestion: "ping".into(), ..plain.clone() };
    bulk.flows.extend([short, FlowTrace { congestion: "udp".into(), ..plain }, ping]);
    name(&mut bulk.flows[2], "flow 2, udp, b to c");
    name(&mut bulk.flows[3], "flow 3, ping, a to c");
    bulk.lanes[0].name = "s to c".into();
    let names: Vec<String> = bulk.flows.iter().map(|flow| flow.name.clone()).chain(["s to c".into()]).collect();
    let cell = |value: f64, unit: f64, digits: usize| over_seeds(vec![value], unit, digits);
    report.table.columns =
        vec![column("goodput"), column("exchanges"), column("exchange-p50"), column("rtt-p50"), column("utilisation")];
    let cells = [
        vec![cell(88e6, 1e6, 1), None, None, cell(0.21, 1e-3, 0), None],
        vec![cell(2e5, 1e6, 2), cell(40.0, 1.0, 0), cell(0.447, 1e-3, 0), cell(0.211, 1e-3, 0), None],
        vec![cell(4.8e6, 1e6, 1), None, None, None, None],
        vec![None, cell(291.0, 1.0, 0), None, cell(0.238, 1e-3, 0), None],
        vec![None, None, None, None, cell(0.093, 0.01, 1)],
    ];
    let rows = names.into_iter().zip(cells);
    report.table.rows =
        rows.map(|(subject, cells)| Row { point: 0, subject, one_of_many: false, seeds: 1, cells }).collect();
    report.title = "Four kinds of flow through one switch".into();
    report.question = "What does a transfer do to its neighbours?".into();
    report.answer = vec![
        "Goodput: 93.0 Mbit/s.".into(),
        "The bulk flow is limited by the congestion window for 99.1 % of its time.".into(),
        "The median exchange takes 447 ms.".into(),
        "The median ping takes 238 ms.".into(),
    ];
    report.caveats = vec!["Flow 3 got no answer to 9 of 300 exchanges: no percentile counts these.".into()];
    report.keys.clear();
    report.published.clear();
    report.points = vec![Point { values: vec![], label: String::new() }];
    report.traces = vec![bulk];
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

/// A trial in which nothing flows.
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

fn published(source: &str, row: usize, figure: Figure) -> Published {
    Published { source: source.into(), row, column: 0, figure }
}

fn trace(point: usize, congestion: &str, seed: u64) -> Trace {
    let mut chance = Chance(seed * 7919 + point as u64);
    let times: Vec<f64> = (0..(DURATION / STEP) as usize).map(|i| i as f64 * STEP).collect();
    let (cwnd, ssthresh) = match congestion {
        "cubic" => cubic(&times, &mut chance),
        _ => bbr(&times, &mut chance),
    };
    let pipe = if congestion == "cubic" { BDP } else { 0.93 * BDP };
    let in_flight = |w: f64| if congestion == "cubic" { w } else { w.min(pipe * 1.25) };
    let queue: Vec<Option<f64>> =
        cwnd.iter().map(|w| Some((in_flight(*w) - pipe).clamp(0.0, BUFFER).floor())).collect();
    let rtt: Vec<Option<f64>> = times
        .iter()
        .zip(&queue)
        .map(|(t, q)| (*t > BASE_RTT).then(|| 1e3 * BASE_RTT + q.unwrap() * 12.3e-3 + 0.02 * chance.next()))
        .collect();
    let bins: Vec<f64> = (1..=300).map(|i| f64::from(i) * 0.1).collect();
    let goodput: Vec<Option<f64>> = bins
        .iter()
        .map(|t| {
            let w = cwnd[((t / STEP) as usize).saturating_sub(21).min(cwnd.len() - 1)];
            let rate = w * MSS_BITS / BASE_RTT / 1e6 * (0.99 + 0.02 * chance.next());
            Some(if *t < 2.0 * BASE_RTT { 0.0 } else { rate.min(941.0) })
        })
        .collect();
    let known: Vec<Option<f64>> = cwnd.iter().map(|w| Some(w.floor())).collect();
    Trace {
        point,
        seed,
        flows: vec![FlowTrace {
            name: congestion.into(),
            congestion: congestion.into(),
            base_rtt: 1e3 * BASE_RTT,
            bdp: Some(BDP),
            cwnd: Curve::new(&times, &known, 2000),
            ssthresh: Curve::new(&times, &ssthresh, 2000),
            steady: Some(if congestion == "cubic" { 4.2 } else { 3.1 }),
            goodput: Curve::new(&bins, &goodput, 2000),
            rtt: Curve::new(&times, &rtt, 2000),
            exchange: Curve::new(&[], &[], 2000),
        }],
        lanes: vec![LaneTrace {
            name: "sender to receiver".into(),
            rate: RATE,
            capacity: Some(BUFFER),
            queue: Curve::new(&times, &queue, 2000),
        }],
    }
}

/// Slow start, then CUBIC's growth from each loss: W(t) = C (t - K)^3 + Wmax (RFC 9438).
fn cubic(times: &[f64], chance: &mut Chance) -> (Vec<f64>, Vec<Option<f64>>) {
    let (mut cwnd, mut ssthresh, mut epoch, mut most) = (10.0f64, None, 0.0, 0.0);
    let mut windows = Vec::new();
    for &t in times {
        let lost = chance.next() < cwnd * STEP / BASE_RTT * 4e-5;
        if lost || cwnd > BDP + BUFFER {
            (most, epoch) = (cwnd, t);
            cwnd *= 0.7;
            ssthresh = Some(cwnd.floor());
        } else if ssthresh.is_none() {
            cwnd *= 2f64.powf(STEP / BASE_RTT);
        } else {
            let k = (most * 0.3 / 0.4f64).cbrt();
            cwnd = cwnd.max(0.4 * (t - epoch - k).powi(3) + most);
        }
        windows.push((cwnd, ssthresh));
    }
    windows.into_iter().unzip()
}

/// Start-up, drain, then a window of two BDP with a dip to four packets every ten seconds.
fn bbr(times: &[f64], chance: &mut Chance) -> (Vec<f64>, Vec<Option<f64>>) {
    let mut cwnd = 10.0f64;
    let mut windows = Vec::new();
    for &t in times {
        let since_probe = (t + 0.3) % 10.0;
        if t > 9.0 && since_probe < 0.42 {
            cwnd = 4.0;
        } else if t < 2.6 {
            cwnd = (cwnd * 2f64.powf(STEP / BASE_RTT)).min(2.9 * BDP);
        } else {
            let gain = [1.25, 0.75, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0][(t / BASE_RTT) as usize % 8];
            let goal = 0.95 * BDP * if gain == 1.0 { 1.0 } else { 1.0 + (gain - 1.0) / 2.0 };
            cwnd += (goal * (0.99 + 0.02 * chance.next()) - cwnd) * 0.2;
        }
        windows.push((cwnd, None));
    }
    windows.into_iter().unzip()
}

fn table(traces: &[Trace]) -> Table {
    let cell = |point: usize, digits: usize, scale: f64, value: fn(&Trace) -> f64| {
        over_seeds(traces.iter().filter(|t| t.point == point).map(|t| value(t) * scale).collect(), scale, digits)
    };
    let row = |point| Row {
        one_of_many: false,
        point,
        subject: String::new(),
        seeds: 5,
        cells: vec![
            cell(point, 1, 1e6, |t| mean(&t.flows[0].goodput)),
            cell(point, 1, 1e-3, |t| mean(&t.flows[0].rtt)),
            cell(point, 0, 1.0, |t| mean(&t.flows[0].cwnd)),
            cell(point, 0, 1.0, |t| most(&t.flows[0].cwnd)),
            cell(point, 0, 0.01, |t| if t.point == 0 { 99.0 } else { 62.0 }),
            if point == 0 { None } else { cell(point, 0, 1.0, |t| most(&t.lanes[0].queue)) },
        ],
    };
    let columns = vec![
        column("goodput"),
        column("rtt-p50"),
        column("cwnd-mean"),
        column("cwnd-max"),
        column("limited-cwnd"),
        column("queue-max"),
    ];
    Table { columns, rows: vec![row(0), row(1)] }
}

/// The column of a measure.
fn column(name: &str) -> Column {
    let measure = crate::measure::find(name).expect("a measure's name");
    let (unit, size) = crate::show::column_unit(measure.unit);
    Column {
        name: name.into(),
        unit: unit.into(),
        size,
        definition: measure.definition.into(),
        centre: measure.centre,
        shown: measure.shown,
    }
}

/// The mean with an interval of two standard errors to each side.
fn over_seeds(seeds: Vec<f64>, unit: f64, digits: usize) -> Option<Cell> {
    let figure = |value: f64| Figure::new(value, unit, digits);
    let n = seeds.len() as f64;
    let mean = seeds.iter().sum::<f64>() / n;
    let error = (seeds.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0) / n).sqrt();
    Some(Cell {
        centre: figure(mean),
        interval: (seeds.len() > 1).then(|| [mean - 2.0 * error, mean + 2.0 * error].map(figure)),
        min: figure(seeds.iter().copied().fold(f64::INFINITY, f64::min)),
        max: figure(seeds.iter().copied().fold(0.0, f64::max)),
        seeds,
    })
}

fn mean(curve: &Curve) -> f64 {
    curve.y.iter().flatten().sum::<f64>() / curve.y.iter().flatten().count() as f64
}

fn most(curve: &Curve) -> f64 {
    curve.y.iter().flatten().copied().fold(0.0, f64::max)
}

/// Uniform numbers from 0 to 1 (xorshift64*).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 53) as f64
    }
}
