use super::table::{flow_name, over_seeds};
use super::trace::goodput;
use super::*;
use crate::analyze::{FlowSeries, Series, measure_trial, sample};
use crate::plan;
use crate::report::{Cell, Curve, Published, Table};

const DRAWING: Drawing = Drawing { bin: 500_000_000, unit: QueueUnit::Packets, most: CURVE };

fn table_of(plan: &Plan) -> Table {
    let trials = plan.trials.iter().map(|trial| measure_trial(trial, &sample::series()));
    table(plan, &Measures { trials: trials.collect() })
}

fn text(table: &Table, row: usize, column: &str) -> Option<String> {
    let column = table.columns.iter().position(|c| c.name == column)?;
    table.rows[row].cells[column].as_ref().map(|cell| cell.centre.text.clone())
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
    let figure =
        |measure: &str| plan::Published { source: "a paper".into(), measure: measure.into(), at: vec![], value: 0.03 };
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
    let trace = trace(0, &sample::trial(scene), &sample::series(), DRAWING);
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
        let curve = goodput(&FlowSeries { received, ..FlowSeries::default() }, 10 * MS, CURVE);
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

/// Two congestion controls under three rates of loss, with the sample's measures.
fn over_two_keys(seeds: u64) -> Plan {
    let mut plan = sample::plan(sample::four_kinds());
    plan.trials[0].scene.flows.truncate(1);
    let axis = |key: &str, values: &[&str]| plan::Axis {
        key: key.into(),
        values: values.iter().map(|value| (*value).into()).collect(),
        in_step: false,
    };
    plan.vary = vec![axis("flows.congestion", &["cubic", "bbr"]), axis("path.loss", &["0 %", "1 %", "2 %"])];
    let [first, second] = &plan.vary[..] else { unreachable!() };
    let setting = |axis: &plan::Axis, value: &String| Setting { key: axis.key.clone(), value: value.clone() };
    let pairs = first.values.iter().flat_map(|a| second.values.iter().map(move |b| (a, b)));
    let points = pairs.map(|(a, b)| vec![setting(first, a), setting(second, b)]);
    let trials = points.flat_map(|point| (1..=seeds).map(move |seed| (point.clone(), seed)));
    let trials =
        trials.enumerate().map(|(index, (point, seed))| Trial { index, point, seed, ..plan.trials[0].clone() });
    plan.trials = trials.collect();
    plan
}

#[test]
fn a_cell_has_centre_and_interval_within_what_its_measure_can_be() {
    let of = |name: &str, seeds: &[f64]| over_seeds(measure::find(name).unwrap(), seeds.to_vec());
    let texts = |cell: Cell| (cell.centre.text, cell.interval.map(|ends| ends.map(|end| end.text)));
    let (centre, interval) = texts(of("goodput", &[9e6, 10e6, 10e6, 10e6, 11e6]).unwrap());
    let [low, high] = interval.unwrap().map(|text| text.parse::<f64>().unwrap());
    assert!(centre == "10.0" && 8.0 < low && low < 10.0 && 10.0 < high && high < 12.0, "{low} {high}");
    assert_eq!(texts(of("rtt-p50", &[0.01, 0.01, 0.5]).unwrap()), ("10.0".into(), None), "too few, and a median");
    let [low, _] = of("queue-drops", &[0.0, 0.0, 0.0, 0.0, 40.0]).unwrap().interval.unwrap();
    assert_eq!(low.value, 0.0);
    let [_, high] = of("utilisation", &[0.9, 1.0, 1.0, 1.0, 1.0]).unwrap().interval.unwrap();
    assert_eq!(high.value, 1.0);
    assert_eq!((of("goodput", &[]), of("goodput", &[f64::NAN])), (None, None));
    let cell = of("goodput", &[3e6, 1e6]).unwrap();
    assert_eq!((cell.min.value, cell.max.value, cell.seeds), (1e6, 3e6, vec![3e6, 1e6]));
}

#[test]
fn a_sweep_over_two_keys_is_a_grid_before_the_list() {
    let shown = |plan: &Plan| terminal(plan, &table_of(plan));
    let text = shown(&over_two_keys(1));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..5],
        [
            "goodput, Mbit/s: one seed",
            "flows.congestion \\ path.loss    0 %  1 %  2 %",
            "cubic                           100  100  100",
            "bbr                             100  100  100",
            "",
        ]
    );
    assert!(lines[5].contains("goodput") && lines[5].contains("retransmitted") && lines[7].starts_with("cubic, 0 %"));
    assert_eq!(lines.len(), 5 + 2 + 6);
    let text = shown(&over_two_keys(2));
    assert!(text.starts_with("goodput, Mbit/s: mean over 2 seeds") && text.contains("\nMean or median over 2 seeds"));
}

#[test]
fn the_curves_of_a_page_have_a_budget() {
    let curves = |plan: &Plan, drawn: &BTreeSet<usize>| {
        drawn.iter().map(|trial| 1 + CURVES_OF_A_FLOW * plan.trials[*trial].scene.flows.len()).sum::<usize>()
    };
    for (seeds, flows, all) in [(1, 1, true), (14, 1, true), (70, 1, true), (200, 1, false), (10, 100, false)] {
        let mut plan = over_two_keys(seeds);
        for trial in &mut plan.trials {
            trial.scene.flows = vec![trial.scene.flows[0].clone(); flows];
        }
        let (drawn, most) = drawn(&plan);
        assert!(curves(&plan, &drawn) * most <= POINTS && (COURSE..=CURVE).contains(&most), "{seeds} {flows} {most}");
        assert_eq!(drawn.len() == plan.trials.len(), all, "{seeds} {flows}");
        let first = (0..6).map(|point| point * seeds as usize);
        assert!(first.into_iter().all(|trial| drawn.contains(&trial)), "every point has its first seed");
    }
    // Times to 0.1 ms and values of five digits, each with its comma.
    let (t, y): (Vec<f64>, Vec<Option<f64>>) =
        (0..100_000).map(|i| (f64::from(i) / 997.0, Some(f64::from(i) / 7e4))).unzip();
    let curve = Curve::new(&t, &y, CURVE);
    let text = serde_json::to_string(&curve).unwrap();
    assert!(text.len() <= 16 * curve.t.len(), "{} for {}", text.len(), curve.t.len());
}

#[test]
fn what_nobody_answered_is_no_curve() {
    let mut series = sample::series();
    for flow in [1, 3] {
        series.flows[flow].exchanges.iter_mut().for_each(|exchange| exchange.end = None);
    }
    let trace = trace(0, &sample::trial(sample::four_kinds()), &series, DRAWING);
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
    let trace = trace(0, &plan.trials[0], &nothing, Drawing { unit: queue_unit(&plan), ..DRAWING });
    assert_eq!(trace.lanes, []);
}
