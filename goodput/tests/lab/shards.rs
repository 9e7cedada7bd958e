//! What several machines record in parts is the run that one would have made.

use crate::cache::{Place, stderr};
use crate::study::{SEARCH, plan};
use crate::support::assert_identical;
use std::fs;
use std::process::Output;

const SWEEP: &str = r#"
title = "three congestion controls, two rates"
path = { rate = "10 Mbit/s", rtt = "10 ms", buffer = "1 BDP", loss = "1 %" }
flows = [{ duration = "200 ms" }]
vary = { "flows.congestion" = ["cubic", "reno", "bbr"], "path.rate" = ["5 Mbit/s", "10 Mbit/s"] }
repeat = { seeds = 3 }
"#;

fn part(place: &Place, part: &str) {
    let ran = place.goodput(&["run", "spec.toml", "--out", "run", "--no-cache", "--shard", part]);
    assert!(ran.status.success(), "{}", stderr(&ran));
}

fn gather(place: &Place, arguments: &[&str]) -> Output {
    place.goodput(&[&["gather"], arguments].concat())
}

#[test]
fn parts_of_a_sweep_come_to_the_run_of_one_machine() {
    let place = Place::with(SWEEP);
    place.run("whole", &["--no-cache"]);
    part(&place, "1/3");
    part(&place, "3/3");
    let open = gather(&place, &["run.1-of-3", "run.3-of-3"]);
    assert_eq!(open.status.code(), Some(3));
    let said = stderr(&open);
    assert!(said.contains("6 of 18 trials are missing (part 2/3)"), "{said}");
    part(&place, "2/3");
    // What is there already and what comes twice does not matter.
    let done = gather(&place, &["run.2-of-3", "run.1-of-3", "--verify", "20"]);
    assert!(done.status.success(), "{}", stderr(&done));
    assert!(String::from_utf8_lossy(&done.stdout).contains("identical: "), "4 trials ran again");
    assert_identical(&place.path("whole"), &place.path("run"));
}

#[test]
fn parts_of_a_search_go_on_round_by_round() {
    let place = Place::with(SEARCH);
    place.run("whole", &["--no-cache"]);
    let mut rounds = 0;
    loop {
        part(&place, "1/2");
        part(&place, "2/2");
        rounds += 1;
        let gathered = gather(&place, &["run.1-of-2", "run.2-of-2"]);
        match gathered.status.code() {
            Some(0) => break,
            Some(3) if rounds < 30 => assert!(stderr(&gathered).contains("another round of"), "{}", stderr(&gathered)),
            code => panic!("{code:?} after {rounds} rounds: {}", stderr(&gathered)),
        }
    }
    assert!(rounds >= 3, "{rounds} rounds");
    assert_identical(&place.path("whole"), &place.path("run"));
}

#[test]
fn what_is_no_part_of_the_run_is_refused() {
    let place = Place::with(SWEEP);
    part(&place, "1/2");
    part(&place, "2/2");
    let refused = |arguments: &[&str]| place.refused(&[&["gather"], arguments].concat());

    fs::rename(place.path("run.2-of-2"), place.path("second")).unwrap();
    assert!(refused(&["second"]).contains("does not tell by its name which run it is a part of"));

    let environment = place.path("second/environment.json");
    let own = fs::read_to_string(&environment).unwrap();
    let trial = fs::read_dir(place.path("second/trials")).unwrap().next().unwrap().unwrap().path();
    let agent = value_of(&own, "agent");
    fs::write(&environment, own.replace(&agent, &"0".repeat(64))).unwrap();
    let said = refused(&["run.1-of-2", "second"]);
    assert!(said.contains("second was recorded in a different environment than run.1-of-2: "), "{said}");
    fs::write(&environment, own).unwrap();

    let file = trial.join("trial.json");
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let said = refused(&["run.1-of-2", "second"]);
    assert!(
        said.contains("second has damaged trials") && said.contains("trial.json is not what was recorded"),
        "{said}"
    );
    fs::write(&file, &whole).unwrap();

    fs::write(place.path("spec.toml"), SWEEP.replace("seeds = 3", "seeds = 2")).unwrap();
    let ran = place.goodput(&["run", "spec.toml", "--out", "other", "--no-cache", "--shard", "1/2"]);
    assert!(ran.status.success(), "{}", stderr(&ran));
    let said = refused(&["run.1-of-2", "other.1-of-2"]);
    assert!(said.contains("other.1-of-2 is a part of another experiment than run.1-of-2"), "{said}");

    // A recording whose list of sums fits and that is another one all the same.
    let twice = place.path("run.1-of-2/trials/0000");
    fs::create_dir_all(place.path("second/trials/0000")).unwrap();
    let from = place.path("run.1-of-2/trials/0002");
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        fs::copy(entry.path(), place.path("second/trials/0000").join(entry.file_name())).unwrap();
    }
    assert!(twice.exists());
    let said = refused(&["run.1-of-2", "second"]);
    assert!(said.contains("trial 0 (") && said.contains("is not the same in run.1-of-2 and second"), "{said}");
    assert!(!place.path("run").join("verdict.json").exists());
    assert_eq!(plan(&place.path("second")).trials.len(), 18);
}

/// The value of a key of a JSON text.
fn value_of(text: &str, key: &str) -> String {
    serde_json::from_str::<serde_json::Value>(text).unwrap()[key].as_str().unwrap().to_owned()
}
