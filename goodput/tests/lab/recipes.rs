//! The recipes for many machines, in the words of the documents, as far as they run without a cluster.

use crate::cache::{Place, stderr};
use crate::shards::SWEEP;
use crate::skip::skip;
use crate::support::{assert_identical, goodput};
use std::env;
use std::fs;
use std::process::Command;

const SCALE: &str = include_str!("../../../docs/how-to/cluster.md");
const KUBERNETES: &str = include_str!("../../../docs/recipes/kubernetes.yaml");
const MATRIX: &str = include_str!("../../../docs/recipes/matrix.yml");

/// Text of a document between two phrases.
fn between<'d>(document: &'d str, before: &str, after: &str) -> &'d str {
    let (_, rest) = document.split_once(before).unwrap_or_else(|| panic!("{before:?} is missing"));
    rest.split_once(after).unwrap_or_else(|| panic!("{after:?} is missing")).0
}

/// A folder with the experiment, and the run of one machine.
fn place() -> Place {
    let place = Place::with(SWEEP);
    fs::copy(place.path("spec.toml"), place.path("study.toml")).unwrap();
    place.run("whole", &["--no-cache"]);
    place
}

/// Runs a command with the tested program on the PATH.
#[track_caller]
fn run(place: &Place, shell: &[&str], command: &str, variables: &[(&str, &str)]) {
    let program = goodput();
    let path = env::var_os("PATH").unwrap();
    let folders = [program.parent().unwrap().to_owned()].into_iter().chain(env::split_paths(&path));
    let mut started = Command::new(shell[0]);
    started.args(&shell[1..]).arg(command).current_dir(place.path("")).env("PATH", env::join_paths(folders).unwrap());
    started.env("XDG_CACHE_HOME", place.path("cache")).env_remove("GOODPUT_CACHE");
    started.envs(variables.iter().copied());
    let ended = started.output().unwrap();
    assert!(ended.status.success(), "{command}: {}", stderr(&ended));
}

/// Shell of a step on GitHub's runners.
const STEP: &[&str] = &["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"];

#[test]
fn gnu_parallel_comes_to_the_run_of_one_machine() {
    // moreutils has another program of this name.
    let version = Command::new("parallel").arg("--version").output();
    if !version.is_ok_and(|printed| printed.stdout.starts_with(b"GNU parallel")) {
        return skip("GNU parallel is not installed");
    }
    let place = place();
    run(&place, &["bash", "-c"], between(SCALE, "| one machine, GNU parallel | `", "`"), &[]);
    run(&place, STEP, "goodput gather run.*-of-8.tar", &[]);
    assert_identical(&place.path("whole"), &place.path("run"));
}

#[test]
fn the_pods_of_an_indexed_job_come_to_the_run_of_one_machine() {
    let place = place();
    let command = between(KUBERNETES, "command: [sh, -c, '", "']");
    for index in 0..8 {
        run(&place, &["sh", "-c"], command, &[("JOB_COMPLETION_INDEX", &index.to_string())]);
    }
    run(&place, STEP, "goodput gather run.*-of-8.tar", &[]);
    assert_identical(&place.path("whole"), &place.path("run"));
}

#[test]
fn the_steps_of_a_matrix_come_to_the_run_of_one_machine() {
    let place = place();
    let steps: Vec<&str> = MATRIX.lines().filter_map(|line| line.trim().strip_prefix("- run: ")).collect();
    let [part, gather] = steps[..] else { panic!("{steps:?}") };
    for number in 1..=8 {
        run(&place, STEP, &part.replace("${{ matrix.part }}", &number.to_string()), &[]);
    }
    run(&place, STEP, gather, &[]);
    assert_identical(&place.path("whole"), &place.path("run"));
}
