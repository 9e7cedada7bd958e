use super::trace::goodput;
use super::*;
use crate::report::Curve;
use analysis::{FlowSeries, fixture};
use plan::Setting;

const DRAWING: Drawing = Drawing { bin: 500_000_000, unit: QueueUnit::Packets, most: MAX_CURVE_POINTS };

#[test]
fn curves_are_those_of_the_kind() {
    let scene = fixture::four_kinds();
    let trace = trace(0, &fixture::trial(scene), &fixture::series(), DRAWING);
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
    let mut scene = fixture::tree();
    scene.commands =
        vec![plan::Command { node: "a".into(), at: 2_000_000_000, command: "ip route".into(), background: false }]
            .into();
    let plan = fixture::plan(scene);
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
    let mut facts = fixture::series().facts;
    assert_eq!(bin(longest(&facts)), 20 * MS);
    facts.ended = [(0, 140 * MS), (1, 90 * MS)].into();
    assert_eq!(bin(longest(&facts)), MS);
    assert_eq!(bin(longest(&TrialFacts::default())), MS);
    // 1 Mbit/s until 35 ms, and 2 Mbit/s from then on.
    let bytes = |ms: u64| ms * 125 + ms.saturating_sub(35) * 125;
    let of = |times: &[u64]| {
        let received = times.iter().map(|ms| (ms * MS, bytes(*ms))).collect();
        let curve = goodput(&FlowSeries { received, ..FlowSeries::default() }, 10 * MS, MAX_CURVE_POINTS);
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
    let mut plan = fixture::plan(fixture::four_kinds());
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
    let trials = trials.enumerate().map(|(index, (point, seed))| Trial {
        index,
        point: point.into(),
        seed,
        ..plan.trials[0].clone()
    });
    plan.trials = trials.collect();
    plan
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
        assert!(
            curves(&plan, &drawn) * most <= MAX_POINTS && (MIN_CURVE_POINTS..=MAX_CURVE_POINTS).contains(&most),
            "{seeds} {flows} {most}"
        );
        assert_eq!(drawn.len() == plan.trials.len(), all, "{seeds} {flows}");
        let first = (0..6).map(|point| point * seeds as usize);
        assert!(first.into_iter().all(|trial| drawn.contains(&trial)), "every point has its first seed");
    }
    // Times to 0.1 ms and values of five digits, each with its comma.
    let (t, y): (Vec<f64>, Vec<Option<f64>>) =
        (0..100_000).map(|i| (f64::from(i) / 997.0, Some(f64::from(i) / 7e4))).unzip();
    let curve = Curve::new(&t, &y, MAX_CURVE_POINTS);
    let text = serde_json::to_string(&curve).unwrap();
    assert!(text.len() <= 16 * curve.t.len(), "{} for {}", text.len(), curve.t.len());
}

#[test]
fn unanswered_exchanges_draw_no_curve() {
    let mut series = fixture::series();
    for flow in [1, 3] {
        series.flows[flow].exchanges.iter_mut().for_each(|exchange| exchange.end = None);
    }
    let trace = trace(0, &fixture::trial(fixture::four_kinds()), &series, DRAWING);
    assert_eq!((trace.flows[1].exchange.t.len(), trace.flows[3].rtt.t.len()), (0, 0));
}

#[test]
fn a_host_alone_with_commands_is_presented() {
    let mut scene = fixture::tree();
    scene.nodes.truncate(1);
    scene.links.clear();
    let plan = fixture::plan(scene);
    let nothing = Series { flows: vec![], ..fixture::series() };
    let trace = trace(0, &plan.trials[0], &nothing, Drawing { unit: queue_unit(&plan), ..DRAWING });
    assert_eq!(trace.lanes, []);
}
