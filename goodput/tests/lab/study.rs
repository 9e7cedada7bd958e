//! Studies that choose their own trials: after being killed at any moment they end with the same bytes, and a plan with
//! added trials is a plan like any other.

use crate::cache::{Place, stderr};
use crate::support::assert_identical;
use plan::Plan;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// 1 to 1.06 kB of IP are lost: an MSS from 961 to 1020 B.
pub const SEARCH: &str = r#"
title = "lost lengths"
path = { rate = "10 Mbit/s", rtt = "10 ms", buffer = "1 BDP", lengths = { from = "1001 B", to = "1060 B", effect = "drop" } }
flows = [{ duration = "200 ms" }]

[search]
key        = "flows.mss"
from       = "800 B"
to         = "1400 B"
resolution = "1 B"
find       = "cliff"
width      = "50 B"
"#;

const UNTIL: &str = r#"
title = "until the interval is narrow"
path = { rate = "5 Mbit/s", rtt = "20 ms", buffer = "1 BDP", loss = "1 %" }
flows = [{ duration = "300 ms" }]
vary = { "flows.congestion" = ["cubic", "reno"] }
repeat = { until = { interval = "6 %", at-most = 24 } }
"#;

pub fn plan(run: &Path) -> Plan {
    serde_json::from_slice(&fs::read(run.join("plan.json")).unwrap()).unwrap()
}

/// Trials that the plan of an experiment has before it grows.
fn at_first(spec: &str) -> usize {
    experiment::size("spec.toml", spec, None).unwrap() as usize
}

#[test]
fn a_repeatedly_killed_study_ends_with_the_same_bytes() {
    for spec in [SEARCH, UNTIL] {
        let place = Place::with(spec);
        place.run("whole", &["--no-cache"]);
        let trials = plan(&place.path("whole")).trials.len();
        assert!(trials > at_first(spec), "it grew beyond {trials} trials");
        for (name, arguments) in [("torn", &["--no-cache"][..]), ("cached", &[])] {
            let kills = place.run_and_kill(name, arguments);
            assert!(kills >= 2, "{name} was killed {kills} times");
            assert_identical(&place.path("whole"), &place.path(name));
        }
    }
}

#[test]
fn a_grown_plan_can_be_reported_rerun_and_split_into_parts() {
    let place = Place::with(SEARCH);
    place.run("whole", &[]);
    place.run("run", &[]);
    let run = place.path("run");
    let verdict: Value = serde_json::from_slice(&fs::read(run.join("verdict.json")).unwrap()).unwrap();
    let [finding] = verdict["findings"].as_array().unwrap().as_slice() else { panic!("{verdict:#}") };
    assert_eq!(finding["low"], serde_json::json!({ "from": "961 B", "to": "1020 B" }), "{verdict:#}");

    assert!(place.goodput(&["report", "run"]).status.success());
    assert_identical(&place.path("whole"), &run);
    let rerun = place.goodput(&["rerun", "run"]);
    assert!(String::from_utf8_lossy(&rerun.stdout).starts_with("identical: "), "{}", stderr(&rerun));

    let last = plan(&run).trials.len() - 1;
    fs::remove_dir_all(run.join(format!("trials/{last:04}"))).unwrap();
    let said = place.refused(&["compare", "run", "whole"]);
    assert!(said.contains("run is not finished"), "{said}");
    let trial = place.goodput(&["trial", "run/plan.json", &last.to_string()]);
    assert!(trial.status.success(), "{}", stderr(&trial));
    assert_identical(&place.path("whole"), &run);
}

/// The run is interrupted between its last trial and the next round.
#[test]
fn an_interrupted_search_is_not_compared_as_complete() {
    let place = Place::with(SEARCH);
    place.run("whole", &[]);
    place.run("run", &[]);
    let path = place.path("run/plan.json");
    let grown = plan(&place.path("run"));
    let first = at_first(SEARCH);
    let trials = grown.trials.iter().filter(|trial| trial.index < first).cloned().collect();
    fs::write(path, serde_json::to_vec(&Plan { trials, ..grown }).unwrap()).unwrap();
    let said = place.refused(&["compare", "whole", "run"]);
    assert!(said.contains("run is not finished"), "{said}");
}
