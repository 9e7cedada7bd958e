use super::rows::over_seeds;
use super::{Cell, Published, Table, flow_name, table};
use analysis::{Measure, Measures, TrialMeasures, Value, fixture, measure_trial};
use base::units::{Shown, Subject};
use plan::{self, Plan};

fn table_of(plan: &Plan) -> Table {
    let trials = plan.trials.iter().map(|trial| measure_trial(trial, &fixture::series()));
    table(plan, &Measures { trials: trials.collect() })
}

fn text(table: &Table, row: usize, column: &str) -> Option<String> {
    let column = table.columns.iter().position(|c| c.name == column)?;
    table.rows[row].cells[column].as_ref().map(|cell| cell.centre.text.clone())
}

#[test]
fn flows_say_what_they_are_and_the_bottleneck_has_its_row() {
    let table = table_of(&fixture::plan(fixture::four_kinds()));
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
    let mut plan = fixture::plan(fixture::four_kinds());
    let scene = &mut plan.trials[0].scene;
    scene.flows[1] = scene.flows[0].clone();
    scene.flows.truncate(2);
    let mut series = fixture::series();
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
fn flows_of_a_name_have_a_row_together() {
    let mut plan = fixture::plan(fixture::four_kinds());
    let scene = &mut plan.trials[0].scene;
    scene.flows = vec![scene.flows[0].clone(); 3];
    for (flow, name) in scene.flows.iter_mut().zip(["host", "host", "jail"]) {
        flow.name = Some(name.into());
    }
    let mut series = fixture::series();
    series.flows = vec![series.flows[0].clone(); 3];
    series.facts.ended.extend([(1, 3_000_000_000), (2, 3_000_000_000)]);
    let trials = vec![measure_trial(&plan.trials[0], &series)];
    let table = table(&plan, &Measures { trials });
    let together = table.rows.iter().position(|row| row.subject == "host, 2 flows").expect("a row of both");
    let goodput = |row: usize| text(&table, row, "goodput");
    assert_eq!((goodput(0).as_deref(), goodput(together).as_deref()), (Some("100"), Some("200")));
    assert!(table.rows[0].one_of_many && !table.rows[together].one_of_many);
}

#[test]
fn between_two_hosts_only_directions_need_their_ends() {
    let mut scene = fixture::four_kinds();
    scene.nodes.remove(1);
    scene.flows = vec![scene.flows[0].clone(), scene.flows[3].clone()];
    assert_eq!([0, 1].map(|flow| flow_name(flow, &scene)), ["flow 0, cubic", "flow 1, ping"]);
    (scene.flows[1].from, scene.flows[1].to) = ("c".into(), "a".into());
    assert_eq!([0, 1].map(|flow| flow_name(flow, &scene)), ["flow 0, cubic, a to c", "flow 1, ping, c to a"]);
}

#[test]
fn measures_without_any_row_have_no_column() {
    let mut plan = fixture::plan(fixture::four_kinds());
    plan.trials[0].scene.flows.truncate(1);
    let table = table_of(&plan);
    assert_eq!(table.rows.len(), 1);
    assert_eq!(table.rows[0].subject, "");
    assert_eq!(text(&table, 0, "goodput").as_deref(), Some("100"));
    assert_eq!(text(&table, 0, "utilisation").as_deref(), Some("50.0"));
    let named = |name: &str| table.columns.iter().any(|column| column.name == name);
    assert!(!named("exchanges") && !named("lost") && named("loss-drops"));
    assert_eq!(table.rows[0].name, "flow 0, cubic, a to c");
}

#[test]
fn published_figures_are_placed_even_without_a_value() {
    let mut plan = fixture::plan(fixture::four_kinds());
    let figure = |measure: &str| plan::Published {
        source: "a paper".into(),
        measure: measure.into(),
        flow: None,
        at: vec![],
        value: 0.03,
    };
    plan.published = vec![figure("exchange-p50"), figure("queue-delay-mean"), figure("lost")];
    let table = table_of(&plan);
    let rows = |all: Vec<Published>| all.into_iter().map(|p| (p.row, p.figure.text)).collect::<Vec<_>>();
    let texts = [(1, "30.0".to_string()), (4, "30.0".to_string()), (2, "3.00".to_string())];
    assert_eq!(rows(table.published), texts);
    plan.trials[0].scene.flows.remove(2);
    plan.published.drain(..2);
    let table = table_of(&plan);
    assert_eq!(rows(table.published), [(0, "3.00".to_string())]);
    assert!(table.columns.iter().any(|column| column.name == "lost"));
}

#[test]
fn cells_and_intervals_stay_within_their_measures_bounds() {
    let of = |name: &str, seeds: &[f64]| over_seeds(Measure::find(name).unwrap(), seeds.to_vec());
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
fn two_modes_stand_in_place_of_a_mean_that_no_seed_is_like() {
    let of = |seeds: &[f64]| over_seeds(Measure::find("goodput").unwrap(), seeds.to_vec()).unwrap();
    let two = of(&[632e6, 166e6, 611e6, 171e6, 629e6, 180e6, 640e6]);
    assert_eq!((two.text().as_str(), two.centre.text.as_str()), ("171 ×3, 630 ×4", "433"));
    let one = of(&[632e6, 611e6, 629e6, 640e6, 621e6]);
    assert_eq!((one.text().as_str(), one.modes), ("627", None));
}

#[test]
fn many_seeds_have_the_dots_of_their_quantiles() {
    let of = |seeds: Vec<f64>| over_seeds(Measure::find("goodput").unwrap(), seeds).unwrap();
    let few = of(vec![3e6, 1e6, 2e6]);
    assert_eq!((few.known, &few.seeds[..]), (3, &[3e6, 1e6, 2e6][..]));
    let many = of((0..1000).rev().map(f64::from).collect());
    let dots = &many.seeds;
    assert_eq!((many.known, dots.len(), dots[0], dots[99]), (1000, 100, 0.0, 999.0));
    // Evenly spread dots keep their distances.
    assert!(dots.windows(2).all(|pair| (10.0..=11.0).contains(&(pair[1] - pair[0]))), "{dots:?}");
}

#[test]
fn nonzero_nic_drops_are_shown_first() {
    let shown = |nic: f64| {
        let plan = fixture::plan(fixture::tree());
        let value = |measure, value| Value { measure, subject: Subject::Lane, number: 4, value };
        let values = [value("queue-drops", 0.0), value("nic-drops", nic)].into_iter().collect();
        let table = table(
            &plan,
            &Measures { trials: vec![TrialMeasures { index: 0, recording: None, values, caveats: vec![].into() }] },
        );
        table.columns.iter().find(|column| column.name == "nic-drops").unwrap().shown
    };
    assert_eq!([0.0, 1.0].map(shown), [Shown::Report, Shown::First]);
}

#[test]
fn a_trial_of_commands_alone_has_a_row() {
    let mut scene = fixture::tree();
    scene.commands =
        vec![plan::Command { node: "a".into(), at: 2_000_000_000, command: "ip route".into(), background: false }]
            .into();
    let table = table_of(&fixture::plan(scene.clone()));
    assert_eq!((table.rows.len(), table.rows[0].subject.as_str(), table.rows[0].name.as_str()), (1, "", "s to c"));
    scene.nodes.truncate(1);
    scene.links.clear();
    let table = table_of(&fixture::plan(scene));
    assert_eq!((table.columns.len(), table.rows.len()), (0, 1));
}
