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
        keys: vec!["flows.congestion".into()],
        points: points.iter().map(|cc| Point { values: vec![(*cc).into()], label: (*cc).into() }).collect(),
        table: table(&traces),
        published: vec![
            published("seed 003, iperf3 over the real line", 0, Figure::new(69.6e6, 1e6, 1)),
            published("seed 003, iperf3; limited by a 3 MiB receive window", 1, Figure::new(102e6, 1e6, 0)),
        ],
        bin: 100.0,
        queue_unit: QueueUnit::Packets,
        traces,
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
    for flow in &mut shared.flows {
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
    let cell = |value: f64, unit: f64, digits: usize| {
        let figure = Figure::new(value, unit, digits);
        Some(Cell { median: figure.clone(), min: figure.clone(), max: figure, seeds: vec![value] })
    };
    let column = |name: &str, unit: &str| Column { name: name.into(), unit: unit.into(), definition: String::new() };
    report.table.columns = vec![
        column("goodput", "Mbit/s"),
        column("exchanges", ""),
        column("exchange-p50", "ms"),
        column("rtt-p50", "ms"),
        column("utilisation", "%"),
    ];
    let cells = [
        vec![cell(88e6, 1e6, 1), None, None, cell(0.21, 1e-3, 0), None],
        vec![cell(2e5, 1e6, 2), cell(40.0, 1.0, 0), cell(0.447, 1e-3, 0), cell(0.211, 1e-3, 0), None],
        vec![cell(4.8e6, 1e6, 1), None, None, None, None],
        vec![None, cell(291.0, 1.0, 0), None, cell(0.238, 1e-3, 0), None],
        vec![None, None, None, None, cell(0.093, 0.01, 1)],
    ];
    let rows = names.into_iter().zip(cells);
    report.table.rows = rows.map(|(subject, cells)| Row { point: 0, subject, seeds: 1, cells }).collect();
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
    let column = |name: &str, unit: &str| {
        let definition = crate::measure::find(name).map_or("", |m| m.definition).into();
        Column { name: name.into(), unit: unit.into(), definition }
    };
    let cell = |point: usize, digits: usize, scale: f64, value: fn(&Trace) -> f64| {
        let mut seeds: Vec<f64> = traces.iter().filter(|t| t.point == point).map(|t| value(t) * scale).collect();
        seeds.sort_by(f64::total_cmp);
        let figure = |value: f64| Figure::new(value, scale, digits);
        let (median, min, max) = (figure(seeds[seeds.len() / 2]), figure(seeds[0]), figure(seeds[seeds.len() - 1]));
        Some(Cell { median, min, max, seeds })
    };
    let row = |point| Row {
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
        column("goodput", "Mbit/s"),
        column("rtt-p50", "ms"),
        column("cwnd-mean", "packets"),
        column("cwnd-max", "packets"),
        column("limited-cwnd", "%"),
        column("queue-max", "packets"),
    ];
    Table { columns, rows: vec![row(0), row(1)] }
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
