//! `goodput run` of a folder, and `--vary`.

use crate::cache::{Place, stderr};
use crate::schema::conforming;
use std::fs;

/// A line that half of a Reno flow's window fills; 1448 of 1538 bytes of 10 Mbit/s are 9.41 Mbit/s.
const GOOD: &str = r#"
title = "a full line"
path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }
flows = [{ duration = "2 s", omit = "500 ms" }]
repeat = { seeds = 2 }

[vary]
"hosts.sysctl.net.ipv4.tcp_congestion_control" = ["cubic", "bbr"]

[[expect]]
measure  = "goodput"
at-least = "8 Mbit/s"

[[expect]]
measure = "goodput"
at-most = "9.42 Mbit/s"
"#;

#[test]
fn a_suite_has_a_row_for_each_experiment_and_goes_on_where_it_was() {
    let place = Place::with("");
    let suite = place.path("suite");
    fs::create_dir(&suite).unwrap();
    fs::write(suite.join("10-full.toml"), GOOD).unwrap();
    // A criterion that cannot hold.
    fs::write(suite.join("9-short.toml"), GOOD.replace("8 Mbit/s", "9.42 Mbit/s")).unwrap();
    fs::write(suite.join("11-wrong.toml"), "title = 1").unwrap();
    let run = [
        "run",
        "suite",
        "--out",
        "runs",
        "--vary",
        "hosts.sysctl.net.ipv4.tcp_congestion_control=cubic,reno",
        "--json",
    ];
    let dry = place.goodput(&[&run[..], &["--dry-run"]].concat());
    assert_eq!(conforming("dry-run", &dry.stdout)["trials"], 8, "{}", stderr(&dry));
    let first = place.goodput(&run);
    assert_eq!(first.status.code(), Some(1), "{}", stderr(&first));
    assert!(stderr(&first).starts_with("goodput: suite/11-wrong.toml:1:1: "), "{}", stderr(&first));
    assert!(stderr(&first).contains("2 experiments, 8 trials to run, about "), "{}", stderr(&first));
    let table = conforming("suite", &first.stdout);
    let rows = table["experiments"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["9-short", "10-full", "11-wrong"]);
    let held = |row: usize, point: usize| {
        let criteria = rows[row]["points"][point]["criteria"].as_array().unwrap().iter();
        criteria.map(|one| one["held"].clone()).collect::<Vec<_>>()
    };
    for (point, control) in ["cubic", "reno"].into_iter().enumerate() {
        assert_eq!(rows[0]["points"][point]["at"], control);
        assert_eq!(
            (held(0, point), held(1, point)),
            (vec!["no".into(), "yes".into()], vec!["yes".into(), "yes".into()])
        );
    }
    assert!(rows[2]["failure"].as_str().unwrap().contains("11-wrong.toml:1:1"));
    let plan = fs::read_to_string(place.path("runs/10-full/plan.json")).unwrap();
    assert!(
        plan.contains(r#"\"hosts.sysctl.net.ipv4.tcp_congestion_control\" = [\"cubic\", \"reno\"]"#),
        "the axis is in the run's experiment"
    );
    let again = place.goodput(&run);
    assert!(stderr(&again).contains("2 experiments, 0 trials to run"), "{}", stderr(&again));
    let text = String::from_utf8(place.goodput(&run[..run.len() - 1]).stdout).unwrap();
    assert!(text.contains("9-short: Expected goodput of cubic at least 9.42 Mbit/s: FAILED"), "{text}");
    assert!(text.contains("\ncubic: 3 of 4 criteria met.\n"), "{text}");
}
