//! Flows with names, points at which nothing is random, causes by name, and files that commands wrote.

use crate::cache::{Place, stderr};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn stdout(place: &Place, arguments: &[&str]) -> String {
    let output = place.goodput(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// A link with a policer and one without, and two flows one after the other; nothing in it is random.
const POLICED: &str = r#"
title = "policed or not"
path = { rate = "100 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }
flows = [{ name = "early", duration = "8 s" }, { name = "late", start = "10 s", duration = "4 s" }]
vary = { "path.police" = ["none", { rate = "10 Mbit/s", burst = "30 kB" }] }
repeat = { seeds = 6, spread = "0 s" }
compare = { flow = ["early", "late"] }

[[expect]]
measure  = "goodput"
flow     = "late"
where    = { "path.police" = "none" }
at-least = "50 Mbit/s"
"#;

#[test]
fn a_run_names_its_flows_its_cause_and_what_is_not_random() {
    let place = Place::with(POLICED);
    place.run("run", &["--csv", "run.csv", "--junit", "run.xml"]);
    let verdict = json(&place.path("run/verdict.json"));
    assert_eq!(
        json(&place.path("run/plan.json"))["trials"].as_array().unwrap().len(),
        4,
        "two seeds at each of two points"
    );
    assert_eq!(verdict["certain"]["at"].as_array().unwrap().len(), 2, "{verdict:#}");
    let digests: Vec<Value> = json(&place.path("run/measures.json"))["trials"]
        .as_array()
        .unwrap()
        .iter()
        .map(|trial| trial["recording"].clone())
        .collect();
    assert!(digests[0] == digests[1] && digests[2] == digests[3] && digests[0] != digests[2], "{digests:?}");

    let comparisons = verdict["comparisons"].as_array().unwrap();
    let told: Vec<[&str; 3]> = comparisons
        .iter()
        .map(|c| [c["flow"].as_str().unwrap_or(""), c["base"].as_str().unwrap(), c["other"].as_str().unwrap()])
        .collect();
    let policed = "rate 10 Mbit/s, burst 30 kB";
    assert_eq!(told[..2], [["early", "police none", policed], ["late", "police none", policed]], "{verdict:#}");
    assert_eq!(told[2..], [["", "early", "late"]; 2]);
    assert!(comparisons.iter().all(|c| c["certain"] == true && c["estimates"][0]["interval"].is_null()), "{verdict:#}");
    assert_eq!(comparisons[0]["outcome"], "worse");

    let causes = verdict["causes"].as_array().unwrap();
    let policers: Vec<&Value> = causes.iter().filter(|cause| cause["rule"] == "policer").collect();
    assert!(policers.iter().any(|cause| cause["flow"] == "early"), "{causes:#?}");
    assert!(policers.iter().all(|cause| cause["at"][0]["value"] != "none"), "{causes:#?}");

    let csv = fs::read_to_string(place.path("run.csv")).unwrap();
    assert!(csv.lines().any(|line| line.contains(",1,late,,goodput,")), "{csv}");
    assert!(
        fs::read_to_string(place.path("run.xml"))
            .unwrap()
            .contains("goodput of late at police none at least 50.0 Mbit/s")
    );

    let all = stdout(&place, &["diagnose", "run"]);
    let first = all.lines().next().unwrap();
    assert!(first.contains("Policed: traffic above a rate is dropped (2 of 4 trials)"), "{all}");
    let one = stdout(&place, &["diagnose", &format!("run:{policed}")]);
    assert!(one.starts_with("Policed: traffic above a rate is dropped (all 2 trials)"), "{one}");
    let missing = place.goodput(&["diagnose", "run:cubic"]);
    assert!(stderr(&missing).contains("run has no point \"cubic\"\n\naccepted: police none; "), "{}", stderr(&missing));
}

#[test]
fn a_point_at_which_something_is_random_runs_every_seed() {
    let spec = r#"
    title = "lossy"
    path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP", loss = "0.01 %" }
    flows = [{ duration = "300 ms" }]
    repeat = { seeds = 3, spread = "0 s" }
    "#;
    let place = Place::with(spec);
    place.run("run", &[]);
    assert_eq!(json(&place.path("run/plan.json"))["trials"].as_array().unwrap().len(), 3);
    assert!(json(&place.path("run/verdict.json"))["certain"].is_null());
}

/// coreutils' checksums, in the guest, of the files that they wrote there.
#[test]
fn a_file_that_a_command_wrote_is_in_the_recording() {
    let spec = r#"
    title = "fetched"
    path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }
    [hosts.sender]
    run = ["mkdir /tmp/deep; seq 1 400000 > /tmp/deep/many.txt; printf '\\000\\377' > /tmp/two.bin; : > /tmp/none; sha256sum /tmp/deep/many.txt /tmp/two.bin /tmp/none"]
    fetch = ["/tmp/deep/many.txt", "/tmp/two.bin", "/tmp/none"]
    "#;
    let place = Place::with(spec);
    place.run("run", &[]);
    let trial = place.path("run/trials/0000");
    let facts = json(&trial.join("trial.json"));
    let told = facts["ran"][0]["output"].as_str().unwrap().to_owned();
    let listed = fs::read_to_string(trial.join("SHA256SUMS")).unwrap();
    for line in told.lines() {
        let (sum, path) = line.split_once("  ").unwrap();
        let name = path.rsplit('/').next().unwrap();
        assert!(listed.contains(&format!("{sum}  fetched-{name}\n")), "{told}\n{listed}");
    }
    assert_eq!(told.lines().count(), 3, "{told}");
    let checked = Command::new("sha256sum").args(["--check", "--strict", "SHA256SUMS"]).current_dir(&trial).output();
    assert!(checked.unwrap().status.success());
    let digits = 9 * 2 + 90 * 3 + 900 * 4 + 9_000 * 5 + 90_000 * 6 + 300_001 * 7;
    assert_eq!(fs::metadata(trial.join("fetched-many.txt")).unwrap().len(), digits, "with the ends of their lines");
    let rerun = place.goodput(&["rerun", "run"]);
    assert!(String::from_utf8_lossy(&rerun.stdout).starts_with("identical: "), "{}", stderr(&rerun));
}

#[test]
fn fetch_refuses_paths_that_are_not_regular_files() {
    for (command, why) in [
        ("true", "No such file or directory"),
        ("ln -s /etc/passwd /tmp/x", "Too many levels of symbolic links"),
        ("mkfifo /tmp/x", "it is no regular file"),
        ("mkdir /tmp/x", "it is no regular file"),
        ("truncate --size 67108865 /tmp/x", "it has 67108865 bytes, accepted: up to 67108864"),
    ] {
        let spec = format!(
            "title = 'x'\npath = {{ rate = '10 Mbit/s', rtt = '20 ms', buffer = '1 BDP' }}\n\
             [hosts.sender]\nrun = ['{command}']\nfetch = ['/tmp/x']\n"
        );
        let place = Place::with(&spec);
        let output = place.goodput(&["run", "spec.toml", "--out", "run"]);
        assert_eq!(output.status.code(), Some(2), "{command}");
        let said = stderr(&output);
        assert!(said.contains("cannot fetch /tmp/x: ") && said.contains(why), "{command}: {said}");
        assert!(said.contains("trial 0 "), "{said}");
    }
}

/// The first flow does not take the port of iperf3.
#[test]
fn a_program_of_the_users_has_the_port_of_iperf3() {
    let spec = r#"
    title = "beside iperf3"
    path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }
    flows = [{ duration = "2 s" }]
    [hosts.receiver]
    run = [{ command = "iperf3 --server --one-off", background = true }]
    [hosts.sender]
    run = [{ at = "100 ms", command = "iperf3 --client 10.0.0.2 --time 1" }]
    "#;
    let place = Place::with(spec);
    place.run("run", &[]);
    let facts = json(&place.path("run/trials/0000/trial.json"));
    let client = facts["ran"].as_array().unwrap().iter().find(|ran| ran["command"] == 1).unwrap();
    assert!(client["output"].as_str().unwrap().contains("port 5201"), "{facts:#}");
}
