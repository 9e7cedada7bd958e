//! The kernel as a variable: in a run over several kernels each trial boots its own, and a kernel's name does not
//! identify its bytes.

use crate::cache::{Place, origins, stderr};
use crate::support::{assert_identical, kernel};
use plan::Plan;
use plan::environment::Environment;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const SPEC: &str = r#"
title = "one build under two names"
path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP", loss = "0.1 %" }
flows = [{ duration = "500 ms" }]
vary = { kernel = ["before", "after"] }
repeat = { seeds = 2 }
"#;

/// A place with kernels of its own; each is the newest one with some changes to its description.
fn place(spec: &str, kernels: &[&[(&str, Value)]]) -> Place {
    let place = Place::with(spec);
    let folder = place.path("cache/goodput/kernels");
    fs::remove_file(&folder).unwrap();
    kernels.iter().enumerate().for_each(|(number, changes)| describe(&folder.join(number.to_string()), changes));
    place
}

fn describe(folder: &Path, changes: &[(&str, Value)]) {
    let built = kernel().folder.canonicalize().unwrap();
    let mut entry: Value = serde_json::from_slice(&fs::read(built.join("kernel.json")).unwrap()).unwrap();
    changes.iter().for_each(|(key, value)| entry[key] = value.clone());
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("kernel.json"), entry.to_string()).unwrap();
    for file in
        ["linux", "config"].map(|file| (built.join(file), folder.join(file))).iter().filter(|(_, to)| !to.exists())
    {
        std::os::unix::fs::symlink(&file.0, &file.1).unwrap();
    }
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> T {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn two_names_of_one_build_give_the_same_bytes() {
    let place = place(SPEC, &[&[("names", json!(["before", "after"]))]]);
    place.run("run", &["--no-cache"]);
    let run = place.path("run");
    let kernels: Vec<String> = read::<Plan>(&run.join("plan.json")).trials.into_iter().map(|t| t.kernel).collect();
    assert_eq!(kernels, ["before", "before", "after", "after"]);
    for (before, after) in [("0000", "0002"), ("0001", "0003")] {
        assert_identical(&run.join("trials").join(before), &run.join("trials").join(after));
    }
    let environment: Environment = read(&run.join("environment.json"));
    let told = environment.kernels.iter().map(|kernel| (kernel.name.as_str(), kernel.hash.as_str()));
    assert_eq!(told.collect::<Vec<_>>(), [("before", kernel().hash.as_str()), ("after", kernel().hash.as_str())]);
    let report = fs::read_to_string(run.join("report.html")).unwrap();
    assert!(["guest kernel before", "guest kernel after"].iter().all(|name| report.contains(name)));

    let compared = place.goodput(&["compare", "run:before", "run:after"]);
    let said = String::from_utf8_lossy(&compared.stdout).into_owned();
    assert!(compared.status.success() && said.contains("They differ in\n  kernel: before and after\n"), "{said}");

    // A trial needs only its own kernel, by the name in its plan.
    describe(&place.path("cache/goodput/kernels/0"), &[("names", json!(["after"]))]);
    fs::remove_dir_all(run.join("trials/0003")).unwrap();
    let trial = place.goodput(&["trial", "run/plan.json", "3"]);
    assert!(trial.status.success(), "{}", stderr(&trial));
    assert_identical(&run.join("trials/0001"), &run.join("trials/0003"));

    // A rerun finds a kernel that has since been renamed.
    describe(&place.path("cache/goodput/kernels/0"), &[("names", json!(["renamed"]))]);
    let rerun = place.goodput(&["rerun", "run"]);
    assert!(String::from_utf8_lossy(&rerun.stdout).starts_with("identical: "), "{}", stderr(&rerun));
    assert!(!stderr(&rerun).contains("has changed since"), "{}", stderr(&rerun));
    let said = place.refused(&["run", "spec.toml", "--out", "again"]);
    assert!(said.contains("this machine has no guest kernel named \"before\""), "{said}");
}

#[test]
fn a_run_over_two_kernels_shares_its_trials_with_a_run_over_one() {
    let place = place(SPEC, &[&[("names", json!(["before", "after"]))]]);
    fs::write(place.path("spec.toml"), SPEC.replace("[\"before\", \"after\"]", "[\"before\"]")).unwrap();
    assert_eq!(origins(&place.run("one", &[])), [2, 0]);
    fs::write(place.path("spec.toml"), SPEC).unwrap();
    assert_eq!(origins(&place.run("two", &[])), [0, 4], "a name says nothing of the bytes");
}

#[test]
fn a_kernel_that_another_goodput_built_is_refused_by_its_name() {
    let stale = [("names", json!(["before"])), ("recipe", json!("another")), ("hash", json!("another"))];
    let place = place(SPEC, &[&stale, &[("names", json!(["after"]))]]);
    let said = place.refused(&["run", "spec.toml", "--out", "run"]);
    assert!(said.contains("kernel before was built by another version of goodput"), "{said}");
    assert!(!place.path("run").exists());
}

#[test]
fn the_kernel_built_by_this_goodput_runs_by_default() {
    let spec = SPEC.replace("vary = { kernel = [\"before\", \"after\"] }\n", "");
    let built = kernel();
    let stale = [("names", json!([built.version])), ("recipe", json!("another")), ("hash", json!("another"))];
    let own = format!("{}-{}", built.version, &built.hash[..8]);
    let place = place(&spec, &[&stale, &[("names", json!([own]))]]);
    place.run("run", &[]);
    let environment: Environment = read(&place.path("run/environment.json"));
    assert_eq!(environment.kernels.iter().map(|kernel| &kernel.hash).collect::<Vec<_>>(), [&built.hash]);
    fs::write(place.path("spec.toml"), format!("kernel = \"none\"\n{spec}")).unwrap();
    let said = place.refused(&["run", "spec.toml", "--out", "another"]);
    assert!(said.contains(&format!("accepted: {own}\n")), "only what can run is offered: {said}");
}
